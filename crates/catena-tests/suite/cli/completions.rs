//! Completion in real shells: the candidates for an incomplete line. Missing shells are skipped.

use crate::catena;
use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    time::Duration,
};
use tempfile::TempDir;

/// An incomplete line, some of the expected candidates, and some forbidden ones.
const CASES: &[(&str, &[&str], &[&str])] = &[
    ("catena swe", &["sweep"], &["render"]),
    ("catena render r", &["rope.ron"], &["readme.txt", "flag.ron"]),
    ("catena render deep", &["deep/"], &["rope.ron"]),
    ("catena render deep/", &["deep/flag.ron"], &["rope.ron"]),
    ("catena check rope.ron deep/", &["deep/flag.ron"], &[]),
    ("catena render rope.ron --chec", &["--checkpoint-every", "--checkpoint-at"], &["--claim"]),
    ("catena render rope.ron --set rope.no", &["rope.nodes="], &["rope.mass="]),
    ("catena render rope.ron --set rope.law=", &["rope.law=Hooke", "rope.law=Plastic"], &[]),
    ("catena render rope.ron --set integrator=Ver", &[], &["integrator=Rk4"]),
    (
        "catena render rope.ron --set integrator=Ex",
        &["integrator=ExplicitEuler"],
        &["integrator=Rk4"],
    ),
    (
        "catena render rope.ron --set style.surface=",
        &["style.surface=Wires", "style.surface=Facets"],
        &[],
    ),
    (
        "catena sweep rope.ron --axis rope.nodes=Wh",
        &["rope.nodes=Whole(", "rope.nodes=WholeLog("],
        &[],
    ),
    // Numbers that may vary over time are still numbers.
    ("catena sweep rope.ron --axis drag=", &["drag=Linear(", "drag=WholeLog("], &["drag=[Keys"]),
    (
        "catena sweep rope.ron --axis rope.law=",
        &["rope.law=[Hooke", "rope.law=[Plastic"],
        &["rope.law=Linear("],
    ),
    ("catena render rope.ron --set drag=", &["drag=0"], &["drag=Keys", "drag=BSpline"]),
    ("catena render rope.ron --set rig.skinning=D", &["rig.skinning=DualQuaternion"], &[]),
    ("catena sweep rope.ron --axis substeps,rope.no", &["substeps,rope.nodes="], &[]),
    ("catena sweep rope.ron --measure Strain,", &["Strain,Energy"], &["Strain,Strain"]),
    ("catena sweep rope.ron --sample So", &["Sobol("], &[]),
    ("catena new --template ", &["rope", "cloth", "sweep"], &["rope.ron"]),
    ("catena methods Gu", &["Gusts"], &["Rk4"]),
    ("catena methods cur", &["curves"], &[]),
    ("catena methods OnB", &["OnBone"], &[]),
    ("catena methods Fac", &["Facets"], &[]),
    ("catena fields rope.ta", &["rope.taper.mass", "rope.taper.stiffness"], &["rope.mass"]),
    ("catena man sc", &["scene"], &[]),
    ("catena job rope.ron --for ku", &["kubernetes"], &["slurm"]),
    ("catena completions f", &["fish"], &["zsh"]),
];

/// A folder with scenes, and a folder with the program, to be found by its name.
fn prepared() -> (TempDir, TempDir) {
    let (scenes, programs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::create_dir(scenes.path().join("deep")).unwrap();
    for file in ["rope.ron", "deep/flag.ron", "readme.txt"] {
        fs::write(scenes.path().join(file), "Scene()").unwrap();
    }
    #[cfg(unix)]
    fs::write(scenes.path().join("r\u{1b}[2J.ron"), "Scene()").unwrap();
    let program = PathBuf::from(catena().get_program());
    #[cfg(unix)]
    std::os::unix::fs::symlink(program, programs.path().join("catena")).unwrap();
    #[cfg(not(unix))]
    fs::copy(program, programs.path().join("catena.exe")).map(drop).unwrap();
    (scenes, programs)
}

/// Whether a shell is installed.
fn is_there(shell: &str) -> bool {
    let found = Command::new(shell).args(["-c", "true"]).output().is_ok();
    assert!(found || env::var_os("CATENA_REQUIRE_SHELLS").is_none(), "{shell} is missing");
    found
}

/// Runs a script in a shell.
fn run(shell: &str, options: &[&str], script: &str, folders: &(TempDir, TempDir)) -> Output {
    let paths = env::var_os("PATH").unwrap_or_default();
    let paths = [folders.1.path().to_owned()].into_iter().chain(env::split_paths(&paths));
    let mut command = assert_cmd::Command::new(shell);
    command
        .args(options)
        .arg(script)
        .current_dir(folders.0.path())
        .env("PATH", env::join_paths(paths).unwrap())
        .env("HOME", folders.1.path())
        .env("TERM", "dumb")
        // Ends a shell that waits forever.
        .timeout(Duration::from_secs(300));
    command.output().unwrap()
}

/// Asserts the candidates of a case.
fn assert_offered(shell: &str, case: &(&str, &[&str], &[&str]), output: &Output) {
    let (line, wanted, unwanted) = case;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(stderr.is_empty(), "{shell}: {line}: {stderr}");
    let offered: BTreeSet<&str> =
        text.lines().map(|line| line.split('\t').next().unwrap_or_default().trim_end()).collect();
    for word in *wanted {
        assert!(offered.contains(word), "{shell}: {line}: {word} is not among {offered:?}");
    }
    for word in *unwanted {
        assert!(!offered.contains(word), "{shell}: {line}: {word} is among {offered:?}");
    }
    assert!(!text.contains('\u{1b}'), "{shell}: {line}: {text:?}");
}

/// The words of a line as readline divides it: at spaces, and at `=` and `:`.
fn readline_words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for letter in line.chars() {
        let last = words.last_mut().unwrap();
        let is_mark = |c: char| c == '=' || c == ':';
        match letter {
            ' ' if last.is_empty() => {}
            ' ' => words.push(String::new()),
            letter if !last.is_empty() && is_mark(letter) != last.ends_with(is_mark) => {
                words.push(letter.into());
            }
            letter => last.push(letter),
        }
    }
    words
}

/// Bash with the variables that readline gives to a completion.
#[test]
fn bash_completes() {
    if !is_there("bash") {
        return;
    }
    let folders = prepared();
    for case in CASES {
        let line = case.0;
        let words = readline_words(line);
        let last = words.last().unwrap().clone();
        // After `=`, the completed word is still empty.
        let current = if last == "=" { String::new() } else { last };
        let array: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
        let script = format!(
            "source <(catena completions bash)
            COMP_LINE='{line}'; COMP_POINT=${{#COMP_LINE}}; COMP_TYPE=9
            COMP_WORDS=({}); COMP_CWORD={}
            _catena catena '{current}' ''
            printf '%s\\n' \"${{COMPREPLY[@]}}\"
            complete -p catena > /dev/null",
            array.join(" "),
            words.len() - 1,
        );
        let output = run("bash", &["--norc", "--noprofile", "-c"], &script, &folders);
        // The part that readline has split off is not repeated.
        let before = line.rsplit(' ').next().unwrap();
        let before = &before[..before.len() - current.len()];
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let whole = text.lines().map(|word| format!("{before}{word}\n")).collect::<String>();
        assert_offered("bash", case, &Output { stdout: whole.into_bytes(), ..output });
    }
}

#[test]
fn fish_completes() {
    if !is_there("fish") {
        return;
    }
    let folders = prepared();
    for case in CASES {
        let script = format!("catena completions fish | source; complete -C '{}'", case.0);
        let output = run("fish", &["--no-config", "-c"], &script, &folders);
        assert_offered("fish", case, &output);
    }
}

/// Zsh in its own pseudo-terminal: types a line and a tab, and reads the completed line.
#[test]
fn zsh_completes() {
    if !is_there("zsh") {
        return;
    }
    let folders = prepared();
    let cases = [
        ("catena swe", "catena sweep"),
        ("catena render ro", "catena render rope.ron"),
        ("catena render deep/f", "catena render deep/flag.ron"),
        ("catena render rope.ron --set rope.no", "catena render rope.ron --set rope.nodes=DONE"),
        (
            "catena render rope.ron --set rope.law=Ho",
            "catena render rope.ron --set rope.law=Hooke DONE",
        ),
        (
            "catena sweep rope.ron --measure Strain,Ener",
            "catena sweep rope.ron --measure Strain,Energy DONE",
        ),
        ("catena methods Gus", "catena methods Gusts"),
    ];
    for (line, expected) in cases {
        // The shell prints the line: control-A moves to its start, control-E to its end.
        let script = format!(
            "zmodload zsh/zpty
            zpty z zsh -f -i
            zpty -w z \"PATH='$PATH'; autoload -Uz compinit; compinit -u -D; source <(catena completions zsh); print REA''DY\"
            zpty -r -m z out '*READY*'
            zpty -w -n z '{line}'$'\\t''DONE'$'\\x01''print -r -- \"WAS '$'\\x05''\"'$'\\n'
            zpty -r -m z out $'*\\nWAS *DONE*'
            print -r -- \"${{out##*WAS }}\""
        );
        let output = run("zsh", &["-f", "-c"], &script, &folders);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.starts_with(expected), "{line}: {text}");
    }
}

/// The script for each shell uses the program's name as it was typed.
#[test]
fn scripts_call_the_program_that_printed_them() {
    let program = PathBuf::from(catena().get_program());
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = catena().args(["completions", shell]).assert().success();
        let script = String::from_utf8(run.get_output().stdout.clone()).unwrap();
        assert!(script.contains(&*program.to_string_lossy()), "{shell}: {script}");
        assert!(script.contains("CATENA_COMPLETE"), "{shell}: {script}");
    }
    let wrong = catena().env("CATENA_COMPLETE", "tcsh").arg("--").arg("catena").assert().code(2);
    let stderr = String::from_utf8_lossy(&wrong.get_output().stderr).into_owned();
    assert!(stderr.contains("unknown shell `tcsh`"), "{stderr}");
    assert!(Path::new(&program).is_absolute());
}
