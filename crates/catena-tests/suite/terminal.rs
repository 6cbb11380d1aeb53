//! Complete sessions of commands, for snapshots.

use std::{fmt::Write, io, process::Output};

/// Text that a user sees after each command: standard output, standard error, and a non-zero exit
/// code. `run` gets the words after `catena`.
pub(crate) fn session(commands: &[&[&str]], mut run: impl FnMut(&[&str]) -> Output) -> String {
    let mut session = String::new();
    for words in commands {
        let output = run(words);
        let line: Vec<String> = words.iter().map(catena::text::shell::quoted).collect();
        writeln!(session, "$ catena {}", line.join(" ")).unwrap();
        for bytes in [output.stdout, output.stderr] {
            session += &String::from_utf8(bytes).unwrap();
        }
        // Operating systems have different messages for a missing file or folder.
        for code in [2, 3] {
            let words = io::Error::from_raw_os_error(code).to_string();
            session = session.replace(&words, "<no such file>");
        }
        match output.status.code() {
            Some(0) => session.push('\n'),
            code => writeln!(session, "[exit code {}]\n", code.unwrap()).unwrap(),
        }
    }
    session
}
