//! Kubernetes: an Indexed Job for the shards, and one suspended Job each for the merge and the
//! film. The user resumes them in order.

use super::parts::{HOPELESS, INCOMPLETE, RETRIES, listed};
use super::parts::{comment, fill};
use super::{ClusterJob, Engine, FilmStep, parts::about, text_of};
use catena_base::text::{printable, shell, yaml};
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path};

pub(super) const ENGINE: Engine = Engine {
    name: "kubernetes",
    file: "job.yaml",
    what: "an Indexed Job, and Jobs to resume after it",
    print,
};

const LANGUAGE: &str = "Kubernetes";

/// Size limit of a ConfigMap in bytes.
const CONFIG_MAP_BYTES: u64 = 1 << 20;

const TEMPLATE: &str = r#"# «title»
#
«about»
#
# Before: edit the lines marked EDIT: an image with catena, and a volume to which many nodes can
#         write at the same time (ReadWriteMany: NFS, CephFS, Filestore, EFS, Lustre).
«inputs»
# Submit: kubectl apply -f «file»
# Watch:  kubectl get pods -l job-name=«name»-shards; kubectl logs job/«name»-merge
# Then:   Kubernetes has no dependencies between Jobs, so later steps are suspended until you resume them:
«resume»
# Resume: after a failure, kubectl delete -f «file», and continue from "Submit". Finished shards end
#         immediately, and others resume; the volume keeps all results.
#
# A wrong scene or command line («hopeless») ends the whole job. A shard that fails for another reason,
# or reaches its time limit, is retried up to «retries» times and resumes. A pod that is evicted or loses
# its node does not count as a failure. Needs Kubernetes 1.33, or 1.29 with the feature gate
# JobBackoffLimitPerIndex.
apiVersion: batch/v1
kind: Job
metadata:
  name: «name»-shards
spec:
  completionMode: Indexed
  completions: «shards» # number of shards, also in the command
  parallelism: «parallelism»
  backoffLimitPerIndex: «retries»
  maxFailedIndexes: «failures»
  podFailurePolicy:
    rules:
      - action: FailJob
        onExitCodes:
          containerName: catena
          operator: In
          values: [«hopeless»]
      - action: Ignore
        onPodConditions:
          - type: DisruptionTarget
            status: "True"
  template:
    spec:
      restartPolicy: Never
      activeDeadlineSeconds: «seconds» # time limit of a pod; finished work is kept
      terminationGracePeriodSeconds: 60 # catena finishes the current frames
      containers:
        - name: catena
          image: registry.example/catena:0.1.0 # EDIT
          workingDir: /shared
          command:
            - sh
            - -c
            # Kubernetes replaces $$ with $. Indices begin at 0, shards at 1.
            - exec catena "$$@" --shard "$$((JOB_COMPLETION_INDEX + 1))/«shards»"
            - sh
            - «command»
            - «source»
            - --out
            - «out»
«options»          resources:
            requests:
              cpu: "«threads»"
              memory: «memory»Mi
            limits:
              memory: «memory»Mi
«rest»---
«merge»«film»"#;

/// Template of a Job with one pod: the merge or the film.
const STEP: &str = r#"apiVersion: batch/v1
kind: Job
metadata:
  name: «name»-«step»
spec:
  suspend: true
  backoffLimit: «retries»
  podFailurePolicy:
    rules:
      - action: FailJob
        onExitCodes:
          containerName: catena
          operator: In
          values: [«hopeless»]
      - action: Ignore
        onPodConditions:
          - type: DisruptionTarget
            status: "True"
  template:
    spec:
      restartPolicy: Never
      activeDeadlineSeconds: «seconds»
      containers:
        - name: catena
          image: registry.example/catena:0.1.0 # EDIT
          workingDir: /shared
          command:
            - catena
            - «step»
            - «out»
«options»          resources:
            requests:
              cpu: "1"
              memory: «memory»Mi
            limits:
              memory: «memory»Mi
«rest»"#;

/// Final part of every pod specification.
const REST: &str = r#"          securityContext:
            runAsNonRoot: true
            runAsUser: 1000 # EDIT: a user who may write to the volume
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop: [ALL]
          volumeMounts:
            - name: shared
              mountPath: /shared
«mount»      volumes:
        - name: shared
          persistentVolumeClaim:
            claimName: catena-shared # EDIT
«volume»"#;

const MOUNT: &str = r#"            - name: source
              mountPath: /source
              readOnly: true
"#;

const VOLUME: &str = r#"        - name: source
          configMap:
            name: «name»
            items:
«items»"#;

fn print(job: &ClusterJob) -> Result<String, String> {
    let source = Sources::of(job)?;
    let name = job.slug();
    let out = on_volume("--out", job.folder().as_os_str())?;
    let shards_rest = fill(REST, &[("mount", source.mount()), ("volume", &source.volume(&name))]);
    let film = job.film.as_ref().map(|film| film_step(job, film, &out)).transpose()?;
    let merge =
        PodStep { name: "merge", minutes: job.merge_minutes, memory: job.memory, options: &[] };
    let file = job.file_word(ENGINE.file);
    Ok(fill(
        TEMPLATE,
        &[
            ("title", &job.title()),
            ("about", &about(job)),
            ("inputs", &comment(source.before(&name).lines())),
            ("file", &file),
            ("resume", &comment(resume(job).lines())),
            ("name", &name),
            ("shards", &job.shards.to_string()),
            ("parallelism", &job.shards.min(MAX_PODS).to_string()),
            ("failures", &(job.shards / 8).max(1).min(job.shards).to_string()),
            ("retries", &RETRIES.to_string()),
            ("hopeless", &listed(&HOPELESS)),
            ("seconds", &(u64::from(job.minutes) * 60).to_string()),
            ("command", job.work.command()),
            ("source", &argument(source.path.as_ref())?),
            ("out", &argument(out.as_ref())?),
            ("options", &list(&source.words(job))?),
            ("threads", &job.threads.to_string()),
            ("memory", &job.memory.to_string()),
            ("rest", &shards_rest),
            ("merge", &merge.print(job, &out)?),
            ("film", &film.unwrap_or_default()),
        ],
    ))
}

/// Default limit on the number of pods that run at a time.
const MAX_PODS: u32 = 100;

/// Commands that resume the merge and the film once their predecessors are complete.
fn resume(job: &ClusterJob) -> String {
    let name = job.slug();
    let steps =
        [("shards", "merge")].into_iter().chain(job.film.is_some().then_some(("merge", "film")));
    let lines = steps.map(|(before, step)| {
        format!(
            "        kubectl wait --for=condition=complete --timeout=-1s job/{name}-{before} && \\\n            \
             kubectl patch job/{name}-{step} --patch '{{\"spec\": {{\"suspend\": false}}}}'"
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A step after the shards: the merge or the film.
struct PodStep<'a> {
    name: &'a str,
    minutes: u32,
    memory: u64,
    options: &'a [OsString],
}

impl PodStep<'_> {
    fn print(&self, job: &ClusterJob, out: &str) -> Result<String, String> {
        let hopeless = format!("{INCOMPLETE}, {}", listed(&HOPELESS));
        Ok(fill(
            STEP,
            &[
                ("name", &job.slug()),
                ("step", self.name),
                ("retries", &RETRIES.to_string()),
                ("hopeless", &hopeless),
                ("seconds", &(u64::from(self.minutes) * 60).to_string()),
                ("out", &argument(out.as_ref())?),
                ("options", &list(self.options)?),
                ("memory", &self.memory.to_string()),
                ("rest", &fill(REST, &[("mount", ""), ("volume", "")])),
            ],
        ))
    }
}

fn film_step(job: &ClusterJob, film: &FilmStep, out: &str) -> Result<String, String> {
    let mut options = vec!["-o".into(), on_volume("--film", &film.file)?.into()];
    options.extend(film.options.iter().cloned());
    let step =
        PodStep { name: "film", minutes: film.minutes, memory: film.memory, options: &options };
    Ok(format!("---\n{}", step.print(job, out)?))
}

/// Returns the absolute path of a file on the shared volume. `option` is named in the error if the
/// path leaves the volume.
fn on_volume(option: &str, path: &OsStr) -> Result<String, String> {
    let text = text_of(path, LANGUAGE)?;
    if is_inside(Path::new(path)) {
        return Ok(Path::new("/shared").join(text).display().to_string());
    }
    let shown = printable::line(text);
    Err(format!(
        "{option} {shown}: pods write to a volume; use a path relative to the volume, without `..`"
    ))
}

/// Returns whether a path is relative and has no `..`.
fn is_inside(path: &Path) -> bool {
    let mut parts = path.components();
    parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// Returns a word as a quoted item of `command`, with `$` doubled because Kubernetes expands
/// `$(NAME)`.
fn argument(word: &OsStr) -> Result<String, String> {
    Ok(yaml::quoted(&text_of(word, LANGUAGE)?.replace('$', "$$")))
}

/// Returns the words as lines of an argument list.
fn list(all: &[OsString]) -> Result<String, String> {
    let mut lines = String::new();
    for word in all {
        lines += &format!("            - {}\n", argument(word)?);
    }
    Ok(lines)
}

/// Location of the scene and its files in the pods.
struct Sources {
    /// Local path of each file, and its path relative to the folder of the scene.
    files: Vec<(OsString, String)>,
    /// Whether a ConfigMap holds the files. Otherwise the user copies them to the volume.
    is_map: bool,
    /// Path of the scene in a pod.
    path: String,
}

impl Sources {
    fn of(job: &ClusterJob) -> Result<Self, String> {
        let mut files = Vec::new();
        for input in &job.inputs {
            let name = text_of(input.name.as_os_str(), LANGUAGE)?.to_owned();
            if !is_inside(&input.name) {
                return Err(format!(
                    "{}: pods receive the folder of the scene; use file names relative to this \
                     folder, without `..`",
                    printable::line(&name)
                ));
            }
            files.push((input.path.clone().into_os_string(), name));
        }
        let bytes = job.inputs.iter().fold(0_u64, |sum, input| sum.saturating_add(input.bytes));
        // kubectl splits the value of `--from-file` at commas and equals signs.
        let is_plain = |(path, _): &(OsString, String)| {
            path.to_str().is_some_and(|path| !path.contains([',', '=', '"']))
        };
        let is_map = bytes < CONFIG_MAP_BYTES && files.iter().all(is_plain);
        let path = Self::place(is_map, files.first().map_or("", |(_, name)| name));
        Ok(Self { files, is_map, path })
    }

    fn place(is_map: bool, name: &str) -> String {
        let folder = if is_map { "/source" } else { "/shared/source" };
        Path::new(folder).join(name).display().to_string()
    }

    /// Options of a shard, with each input at its path in the pod.
    fn words(&self, job: &ClusterJob) -> Vec<OsString> {
        job.words(&|number| {
            let name = self.files.get(number).map_or("", |(_, name)| name);
            Self::place(self.is_map, name).into()
        })
    }

    /// Instructions for the user before the job is submitted: a command, or a list of files to
    /// copy.
    fn before(&self, name: &str) -> String {
        if !self.is_map {
            let lines = self.files.iter().map(|(path, name)| {
                let path = printable::path(Path::new(path));
                format!("          {path} as source/{}", printable::line(name))
            });
            let lines: Vec<String> = lines.collect();
            return format!("        Copy to the volume:\n{}", lines.join("\n"));
        }
        let files = self.files.iter().enumerate().map(|(number, (path, _))| {
            let mut option = OsString::from(format!("--from-file=file-{number}="));
            option.push(path);
            format!(" \\\n            {}", shell::quoted(option))
        });
        format!("        kubectl create configmap {name}{}", files.collect::<String>())
    }

    fn mount(&self) -> &'static str {
        if self.is_map { MOUNT } else { "" }
    }

    fn volume(&self, name: &str) -> String {
        if !self.is_map {
            return String::new();
        }
        let items = self.files.iter().enumerate().map(|(number, (_, path))| {
            let path = yaml::quoted(path);
            format!("              - key: file-{number}\n                path: {path}\n")
        });
        fill(VOLUME, &[("name", name), ("items", &items.collect::<String>())])
    }
}
