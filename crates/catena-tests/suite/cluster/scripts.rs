//! Scripts for Slurm, run with stand-ins for Slurm's programs and for catena that record their
//! arguments. tests/cluster runs the scripts with the real programs.

use super::{HOSTILE, job, shard_words, text, under};
use catena::cluster::ENGINES;
use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf, process::Command};
use tempfile::TempDir;

/// A folder with a job, and with programs that record their arguments.
struct Stage {
    folder: TempDir,
}

impl Stage {
    /// `programs` are names and additional actions.
    fn new(script: &str, programs: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("bin")).unwrap();
        fs::write(folder.path().join("job.sh"), script).unwrap();
        let stage = Self { folder };
        for (name, body) in programs {
            let path = stage.path(&format!("bin/{name}"));
            let note = format!(
                "#!/bin/bash\nprintf '%s\\0' {name} \"$@\" >> '{}'\nprintf '\\n' >> '{0}'\n{body}\n",
                stage.path("told").display()
            );
            fs::write(&path, note).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        stage
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs the script with these arguments, checks its exit code, and returns its output.
    fn run(&self, words: &[&str], variables: &[(&str, &str)], code: i32) -> String {
        let path = std::env::var("PATH").unwrap();
        let mut bash = Command::new("bash");
        bash.current_dir(&self.folder).arg("job.sh").args(words).envs(variables.iter().copied());
        bash.env("PATH", format!("{}:{path}", self.path("bin").display())).env_remove("CATENA");
        let output = bash.output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{words:?}: {stderr}");
        String::from_utf8(output.stdout).unwrap() + &stderr
    }

    /// Arguments of the programs since the last call: one list of words per call.
    fn calls(&self) -> Vec<Vec<String>> {
        let all = fs::read_to_string(self.path("told")).unwrap_or_default();
        let _ = fs::remove_file(self.path("told"));
        let words = |call: &str| call.split_terminator('\0').map(String::from).collect();
        all.split_terminator("\0\n").map(words).collect()
    }
}

/// Answers like sbatch: with a number that increases with each call.
const SBATCH: &str =
    r#"n=$(($(cat "$0.n" 2>/dev/null || echo 100) + 1)); echo $n > "$0.n"; echo "$n;cluster""#;
const SCONTROL: &str = "echo 'MaxArraySize            = 1001'";

#[test]
fn a_script_is_one_for_every_name() {
    for engine in ENGINES.iter().filter(|engine| engine.file.ends_with(".sh")) {
        for name in HOSTILE {
            let stage = Stage::new(&text(engine.name, &job(name, 3, true)), &[]);
            let checked =
                Command::new("bash").arg("-n").arg(stage.path("job.sh")).output().unwrap();
            assert!(checked.status.success(), "{}: {name}: {checked:?}", engine.name);
        }
    }
}

#[test]
fn every_task_of_slurm_gets_the_words_as_they_were_given() {
    for name in HOSTILE {
        let stage = Stage::new(&text("slurm", &job(name, 64, true)), &[("catena", "")]);
        let here = stage.path("").display().to_string();
        let words_of = |words: [&str; 3]| {
            stage.run(&words, &[("SLURM_ARRAY_TASK_ID", "7")], 0);
            assert!(!stage.path("owned").exists(), "{name}");
            stage.calls().remove(0).split_off(1)
        };
        assert_eq!(words_of(["shard", &here, "50"]), shard_words(name, "57/64"));
        let out = under(&format!("out {name}"));
        assert_eq!(words_of(["merge", &here, ""]), ["merge", &out]);
        let film = under(&format!("{name}.mp4"));
        assert_eq!(words_of(["film", &here, ""]), ["film", &out, "-o", &film, "--preset", "fast"]);
    }
}

#[test]
fn slurm_gets_arrays_and_what_depends_on_them() {
    let script = text("slurm", &job("with space", 64, true));
    let stage = Stage::new(&script, &[("sbatch", SBATCH), ("scontrol", SCONTROL)]);
    let message = stage.run(&[], &[], 0);
    let logs = fs::canonicalize(stage.path("out with space/logs")).unwrap();
    let script = fs::canonicalize(stage.path("job.sh")).unwrap();
    let here = fs::canonicalize(stage.path("")).unwrap();
    let [logs, script, here] = [logs, script, here].map(|path| path.display().to_string());
    let common = ["sbatch", "--parsable", &format!("--chdir={logs}")].map(String::from);
    let expected = |own: &[&[&str]]| -> Vec<Vec<String>> {
        let call = |own: &&[&str]| {
            [&common[..], &own.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()].concat()
        };
        own.iter().map(call).collect()
    };
    let sbatch = |calls: Vec<Vec<String>>| -> Vec<Vec<String>> {
        calls.into_iter().filter(|call| call[0] == "sbatch").collect()
    };
    let merge = |after: &'static str| -> [String; 7] {
        [
            &format!("--dependency=afterok:{after}"),
            "--kill-on-invalid-dep=yes",
            "--time=13",
            "--output=merge.log",
            &script,
            "merge",
            &here,
        ]
        .map(String::from)
    };
    let calls = sbatch(stage.calls());
    assert_eq!(
        calls[0],
        expected(&[&["--array=1-64", "--output=shard-0+%a.log", &script, "shard", &here, "0"]])[0]
    );
    assert_eq!(calls[1], [&common[..], &merge("101")[..]].concat());
    assert_eq!(calls[2][3], "--dependency=afterok:102");
    assert!(calls[2].contains(&"--time=77".into()) && calls[2].contains(&"--mem=654M".into()));
    assert_eq!(calls.len(), 3);
    assert!(
        message.contains("101: shards 1-64")
            && message.contains("102: merge")
            && message.contains("103: film"),
        "{message}"
    );
    // Accepts the shards that a merge reports, and refuses nonexistent ones.
    stage.run(&["3,7-9"], &[], 0);
    assert_eq!(sbatch(stage.calls())[0][3], "--array=3-3,7-9");
    for wrong in ["65", "0", "9-7", "3,", "3 7", "all", "1;touch owned"] {
        let message = stage.run(&[wrong], &[], 2);
        assert!(message.contains("expected shards"), "{message}");
        assert_eq!(sbatch(stage.calls()), [[""; 0]; 0], "{wrong}");
    }
}

#[test]
fn more_shards_than_an_array_has_numbers_go_into_several() {
    let small = ("scontrol", "echo 'MaxArraySize            = 11'");
    let stage = Stage::new(&text("slurm", &job("plain", 25, false)), &[("sbatch", SBATCH), small]);
    let arrays = |list: &[&str]| -> Vec<[String; 2]> {
        stage.run(list, &[], 0);
        let calls = stage.calls();
        let arrays = calls.iter().filter(|call| call.iter().any(|word| word == "shard"));
        arrays.map(|call| [call[3].clone(), call.last().unwrap().clone()]).collect()
    };
    let pairs = |all: &[[&str; 2]]| -> Vec<[String; 2]> {
        all.iter().map(|pair| pair.map(String::from)).collect()
    };
    assert_eq!(
        arrays(&[]),
        pairs(&[["--array=1-10", "0"], ["--array=1-10", "10"], ["--array=1-5", "20"]])
    );
    assert_eq!(
        arrays(&["9-12,25"]),
        pairs(&[["--array=9-10", "0"], ["--array=1-2", "10"], ["--array=5-5", "20"]])
    );
    // The merge waits for all of them.
    stage.run(&[], &[], 0);
    let calls = stage.calls();
    let after = &calls.last().unwrap()[3];
    assert_eq!(after.matches(':').count(), 3, "{after}");
    let none = ("scontrol", "echo 'MaxArraySize            = 1'");
    let stage = Stage::new(&text("slurm", &job("plain", 25, false)), &[("sbatch", SBATCH), none]);
    assert!(stage.run(&[], &[], 2).contains("does not allow job arrays"));
}

#[test]
fn exit_codes_decide_whether_a_task_goes_back_into_the_queue() {
    let script = text("slurm", &job("plain", 3, false));
    for (code, restarts, is_queued) in [
        (0, "0", false),
        (1, "0", false),
        (2, "0", false),
        (3, "0", false),
        (5, "0", true),
        (5, "2", true),
        (5, "3", false),
        (130, "0", false),
        (143, "0", false),
    ] {
        let stage = Stage::new(&script, &[("catena", &format!("exit {code}")), ("scontrol", "")]);
        let here = stage.path("").display().to_string();
        let task = [
            ("SLURM_ARRAY_TASK_ID", "1"),
            ("SLURM_JOB_ID", "4711"),
            ("SLURM_RESTART_COUNT", restarts),
        ];
        stage.run(&["shard", &here, "0"], &task, code);
        let was_queued =
            stage.calls().contains(&["scontrol", "requeue", "4711"].map(String::from).to_vec());
        assert_eq!(was_queued, is_queued, "{code} after {restarts}");
    }
}

#[test]
fn a_task_whose_time_is_over_goes_on_later_and_one_that_is_cancelled_does_not() {
    // catena asks its parent, the shell of the task, to do what Slurm would do; then it waits for
    // SIGTERM.
    let waits = "trap 'exit 143' TERM; sleep 0.3; kill -SIGNAL $PPID; for i in $(seq 100); do sleep 0.1; done; exit 9";
    for (signal, is_queued) in [("USR1", true), ("TERM", false)] {
        // Slurm sends SIGTERM to all processes of a task.
        let also = if signal == "TERM" { "(sleep 0.6; kill -TERM $$) & " } else { "" };
        let body = format!("{also}{}", waits.replace("SIGNAL", signal));
        let programs = [("catena", body.as_str()), ("scontrol", "")];
        let stage = Stage::new(&text("slurm", &job("plain", 3, false)), &programs);
        let here = stage.path("").display().to_string();
        let task = [("SLURM_ARRAY_TASK_ID", "1"), ("SLURM_JOB_ID", "4711")];
        stage.run(&["shard", &here, "0"], &task, 143);
        let calls = stage.calls();
        assert_eq!(
            calls.iter().any(|call| call[0] == "scontrol"),
            is_queued,
            "{signal}: {calls:?}"
        );
    }
}

/// The script in the arguments of a template of Open Job Description.
fn template_script(template: &str) -> String {
    let (_, rest) = template.split_once("            - |\n").unwrap();
    let (script, _) = rest.split_once("            - --\n").unwrap();
    script
        .lines()
        .map(|line| line.strip_prefix("              ").unwrap().to_owned() + "\n")
        .collect()
}

#[test]
fn a_file_that_failed_is_tried_again_and_nothing_else_is() {
    let parallel = text("parallel", &job("with space", 3, false));
    let openjd = template_script(&text("openjd", &job("with space", 3, false)));
    for (script, words) in
        [(parallel, &["shard", "2"][..]), (openjd, &["catena", "one", "two words"])]
    {
        for (code, tries) in [(0, 1), (1, 1), (2, 1), (3, 1), (5, 4), (143, 1)] {
            // Waiting is skipped.
            let stage = Stage::new(&script, &[("catena", &format!("exit {code}")), ("sleep", "")]);
            stage.run(words, &[], code);
            let calls = stage.calls();
            let calls: Vec<_> = calls.iter().filter(|call| call[0] == "catena").collect();
            assert_eq!(calls.len(), tries, "{words:?} with {code}");
            let expected = match words[0] {
                "shard" => shard_words("with space", "2/3"),
                _ => words[1..].iter().map(|word| (*word).to_owned()).collect(),
            };
            assert_eq!(calls[0][1..], expected);
        }
    }
}

#[test]
fn a_template_passes_on_that_a_task_should_end() {
    let script = template_script(&text("openjd", &job("plain", 3, false)));
    let waits = "trap 'exit 143' TERM; sleep 0.3; kill -TERM $PPID; for i in $(seq 100); do sleep 0.1; done; exit 9";
    let stage = Stage::new(&script, &[("catena", waits)]);
    stage.run(&["catena"], &[], 143);
    assert_eq!(stage.calls().len(), 1);
}

#[test]
fn a_shard_of_parallel_whose_time_is_over_goes_on() {
    let script = text("parallel", &job("plain", 3, false));
    // A stand-in for `timeout`, which times out the first two times.
    let timeout = r#"n=$(($(cat "$0.n" 2>/dev/null || echo 0) + 1)); echo $n > "$0.n"; [ $n -gt 2 ] || exit 124; shift 3; exec "$@""#;
    let stage = Stage::new(&script, &[("catena", ""), ("timeout", timeout), ("sleep", "")]);
    stage.run(&["shard", "1"], &[], 0);
    let calls = stage.calls();
    let count = |name: &str| calls.iter().filter(|call| call[0] == name).count();
    assert_eq!((count("timeout"), count("catena")), (3, 1), "{calls:?}");
    assert!(calls[0].contains(&"47m".into()), "{calls:?}");
}
