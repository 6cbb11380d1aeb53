//! Open Job Description: a template for AWS Deadline Cloud, or for `openjd run` on one machine.

use super::parts::{FILE_FAILED, HOPELESS, RETRIES, listed};
use super::parts::{about, wait};
use super::parts::{comment, fill};
use super::{ClusterJob, Engine, FilmStep, Word, job::no_option, text_of};
use catena_base::text::{printable, shell, yaml};
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

pub(super) const ENGINE: Engine = Engine {
    name: "openjd",
    file: "template.yaml",
    what: "an Open Job Description template, for AWS Deadline Cloud or openjd run",
    print,
};

/// Name of the format in messages.
const LANGUAGE: &str = "Open Job Description";

const TEMPLATE: &str = r#"# «title»
#
«about»
#
# Check:  openjd check «file»
# Run:    openjd run «file» --step «last» --run-dependencies \
«parameters»
#         or on a farm: this file as template.yaml of a job bundle, and
#         deadline bundle submit FOLDER --max-retries-per-task «retries»
# Resume: run the same command again. Finished shards end immediately, and others resume.
#
# All workers must share the folder, or the farm must transfer it between steps, as job attachments
# do. All workers need the same build of catena: shards of different builds are not merged. These
# engines ignore exit codes: even permanent failures («hopeless») are retried as often as the farm's settings
# allow.
specificationVersion: jobtemplate-2023-09
name: «name»
parameterDefinitions:
  - name: Catena
    type: STRING
    default: catena
    description: The program, with the same build on all workers.
  - name: Source
    type: PATH
    objectType: FILE
    dataFlow: IN«source»
    description: The «command_noun».
«inputs»  - name: Out
    type: PATH
    objectType: DIRECTORY
    dataFlow: OUT«out»
    description: The folder of all shards and of the merged result.
  - name: Shards
    type: INT
    default: «shards»
    minValue: 1
    maxValue: 100000
    description: The number of shards.
steps:
  - name: Shards
    parameterSpace:
      taskParameterDefinitions:
        - name: Shard
          type: INT
          range: "1-{{Param.Shards}}"
    hostRequirements:
      amounts:
        - name: amount.worker.vcpu
          min: «threads»
        - name: amount.worker.memory
          min: «memory»
    script:
      actions:
        onRun:
          command: bash
          # After --, the words of the command.
          args:
            - -c
            - |
              «retry»
            - --
            - "{{Param.Catena}}"
            - «command»
            - "{{Param.Source}}"
            - --shard
            - "{{Task.Param.Shard}}/{{Param.Shards}}"
            - --out
            - "{{Param.Out}}"
«options»          timeout: «timeout»
          # catena finishes the current frames.
          cancelation:
            mode: NOTIFY_THEN_TERMINATE
            notifyPeriodInSeconds: 60
  - name: Merge
    dependencies:
      - dependsOn: Shards
    hostRequirements:
      amounts:
        - name: amount.worker.memory
          min: «memory»
    script:
      actions:
        onRun:
          command: "{{Param.Catena}}"
          args: [merge, "{{Param.Out}}"]
          timeout: «merge_timeout»
          cancelation:
            mode: NOTIFY_THEN_TERMINATE
            notifyPeriodInSeconds: 60
«film»"#;

/// Shell code that retries the command after a file failed, and forwards SIGTERM to it.
const RETRY: &str = r#"trap 'is_signal=1; kill -TERM "$!"' TERM
for try in 0 «tries»; do
    [ "$try" = 0 ] || sleep "$try"
    "$@" &
    «wait»
    [ "$code" = «file_failed» ] || break
done
exit "$code""#;

const FILM: &str = r#"  - name: Film
    dependencies:
      - dependsOn: Merge
    hostRequirements:
      amounts:
        - name: amount.worker.memory
          min: «memory»
    script:
      actions:
        onRun:
          command: "{{Param.Catena}}"
          args:
            - film
            - "{{Param.Out}}"
            - -o
            - "{{Param.Film}}"
«options»          timeout: «timeout»
          cancelation:
            mode: NOTIFY_THEN_TERMINATE
            notifyPeriodInSeconds: 60
"#;

const INPUT: &str = r#"  - name: Input«number»
    type: PATH
    objectType: FILE
    dataFlow: IN«default»
    description: A file that the scene reads, at the same path relative to the scene.
"#;

const FILM_PARAMETER: &str = r#"  - name: Film
    type: PATH
    objectType: FILE
    dataFlow: OUT«default»
    description: The film.
"#;

fn print(job: &ClusterJob) -> Result<String, String> {
    let paths = parameters(job)?;
    let mut inputs = String::new();
    for Parameter { name, path, .. } in paths.iter().filter(|it| it.name.starts_with("Input")) {
        let number = name.trim_start_matches("Input");
        inputs += &fill(INPUT, &[("number", number), ("default", &default_of(path))]);
    }
    for Parameter { path, .. } in paths.iter().filter(|it| it.name == "Film") {
        inputs += &fill(FILM_PARAMETER, &[("default", &default_of(path))]);
    }
    let path = |name: &str| paths.iter().find(|it| it.name == name).map(|it| default_of(&it.path));
    let film = job.film.as_ref().map(film).transpose()?.unwrap_or_default();
    let tries: Vec<String> = (1..=RETRIES).map(|number| number.to_string()).collect();
    let retry = fill(
        RETRY,
        &[
            ("tries", &tries.join(" ")),
            ("wait", &wait(4)),
            ("file_failed", &FILE_FAILED.to_string()),
        ],
    );
    let given: Vec<String> = paths.iter().map(Parameter::option).collect();
    let given: Vec<String> = given.iter().map(|option| format!("        {option}")).collect();
    let given = given.join(" \\\n");
    Ok(fill(
        TEMPLATE,
        &[
            ("title", &job.title()),
            ("about", &about(job)),
            ("file", &job.file_word(ENGINE.file)),
            ("last", if job.film.is_some() { "Film" } else { "Merge" }),
            ("parameters", &comment(given.lines())),
            ("retries", &RETRIES.to_string()),
            ("hopeless", &listed(&HOPELESS)),
            ("name", &yaml::quoted(&job.slug())),
            ("command", job.work.command()),
            ("command_noun", job.work.noun()),
            ("source", &path("Source").unwrap_or_default()),
            ("inputs", &inputs),
            ("out", &path("Out").unwrap_or_default()),
            ("shards", &job.shards.to_string()),
            ("threads", &job.threads.to_string()),
            ("memory", &job.memory.to_string()),
            ("retry", &super::parts::indented(&retry, 14)),
            ("options", &options(job)?),
            ("timeout", &(u64::from(job.minutes) * 60).to_string()),
            ("merge_timeout", &(u64::from(job.merge_minutes) * 60).to_string()),
            ("film", &film),
        ],
    ))
}

/// A template parameter of type PATH.
struct Parameter {
    name: String,
    path: String,
}

impl Parameter {
    fn new(name: impl Into<String>, path: &Path) -> Result<Self, String> {
        let path = no_option(path);
        let text = text_of(path.as_os_str(), LANGUAGE)?;
        refuse_control(text, char::is_control)?;
        Ok(Self { name: name.into(), path: text.into() })
    }

    /// The parameter as an option of `openjd run`.
    fn option(&self) -> String {
        format!("-p {}", shell::quoted(format!("{}={}", self.name, self.path)))
    }
}

/// Parameters for all paths of the job.
fn parameters(job: &ClusterJob) -> Result<Vec<Parameter>, String> {
    let mut all = Vec::new();
    for (index, input) in job.inputs.iter().enumerate() {
        let name = if index == 0 { "Source".into() } else { format!("Input{index}") };
        all.push(Parameter::new(name, &input.path)?);
    }
    all.push(Parameter::new("Out", &job.out)?);
    if let Some(film) = &job.film {
        all.push(Parameter::new("Film", &PathBuf::from(&film.file))?);
    }
    Ok(all)
}

/// Line with the default of a path. The line is empty if the path is not below the template's
/// folder, since a template allows no other default.
fn default_of(path: &str) -> String {
    let is_inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    match Path::new(path).components().all(is_inside) {
        true => format!("\n    default: {}", yaml::quoted(path)),
        false => String::new(),
    }
}

/// Options of a shard as lines of an argument list. Inputs are references to their parameters.
fn options(job: &ClusterJob) -> Result<String, String> {
    let mut lines = String::new();
    for word in &job.options {
        match word {
            Word::Plain(text) => lines += &list([text])?,
            Word::Input(number) => {
                lines += &format!("            - \"{{{{Param.Input{number}}}}}\"\n");
            }
        }
    }
    Ok(lines)
}

/// Control characters that an argument may contain.
const LAYOUT: [char; 3] = ['\n', '\r', '\t'];

/// Returns an error if the text has a refused control character: templates have no escape for one.
fn refuse_control(text: &str, is_refused: fn(char) -> bool) -> Result<(), String> {
    if !text.contains(is_refused) {
        return Ok(());
    }
    let shown = printable::line(text);
    Err(format!(
        "{shown}: templates of {LANGUAGE} cannot contain control characters; choose another name \
         or text"
    ))
}

/// Returns the words as lines of an argument list.
fn list<'a>(all: impl IntoIterator<Item = &'a OsString>) -> Result<String, String> {
    let mut lines = String::new();
    for word in all {
        let text = text_of(word, LANGUAGE)?;
        refuse_control(text, |letter| letter.is_control() && !LAYOUT.contains(&letter))?;
        if text.contains("{{") {
            let shown = printable::line(text);
            return Err(format!(
                "{shown}: {LANGUAGE} reads {{{{ as the start of a parameter name; write {{ {{ with \
                 a space, or move the text into the scene"
            ));
        }
        lines += &format!("            - {}\n", yaml::quoted(text));
    }
    Ok(lines)
}

fn film(film: &FilmStep) -> Result<String, String> {
    let timeout = (u64::from(film.minutes) * 60).to_string();
    let options = list(&film.options)?;
    let memory = film.memory.to_string();
    Ok(fill(FILM, &[("memory", &memory), ("options", &options), ("timeout", &timeout)]))
}
