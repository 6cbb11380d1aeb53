//! What the scripts of several engines have in common.

use super::fill::{comment, indented};
use super::{ClusterJob, FilmStep, job::no_option};
use catena_base::text::shell::quoted;
use std::{ffi::OsStr, path::Path};

/// Waits for the process in the background and sets `code`. A signal that has a trap ends `wait`
/// early; traps set `is_signal`, and it is waited once more.
pub(super) const WAIT: &str = r#"code=
until [ -n "$code" ]; do
    is_signal=
    wait "$!"
    code=$?
    [ -z "$is_signal" ] || code=
done"#;

/// The same, further to the right.
pub(super) fn wait(spaces: usize) -> String {
    indented(WAIT, spaces)
}

/// Words on one line, as a shell reads them.
pub(super) fn words<W: AsRef<OsStr>>(all: impl IntoIterator<Item = W>) -> String {
    let words: Vec<String> = all.into_iter().map(quoted).collect();
    words.join(" ")
}

/// The film as a word of a command.
pub(super) fn film_file(film: &FilmStep) -> String {
    quoted(no_option(Path::new(&film.file)))
}

/// Why the numbers are as they are, and what is read, as comments.
pub(super) fn about(job: &ClusterJob) -> String {
    let inputs = job.input_lines();
    let head = comment(job.reasons.iter().map(String::as_str));
    format!("{head}\n#\n# Every shard reads:\n{}", comment(inputs.iter().map(String::as_str)))
}
