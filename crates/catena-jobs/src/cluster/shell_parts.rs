//! Shell code that several engines share.

use super::fill::{comment, indented};
use super::{ClusterJob, FilmStep, job::no_option};
use catena_base::text::shell::quoted;
use std::{ffi::OsStr, path::Path};

/// Shell code that waits for the background process and sets `code`. A trapped signal ends `wait`
/// early; the trap sets `is_signal`, and the loop waits again.
pub(super) const WAIT: &str = r#"code=
until [ -n "$code" ]; do
    is_signal=
    wait "$!"
    code=$?
    [ -z "$is_signal" ] || code=
done"#;

/// [`WAIT`] with every line but the first indented by `spaces`.
pub(super) fn wait(spaces: usize) -> String {
    indented(WAIT, spaces)
}

/// Words on one line, quoted for a shell.
pub(super) fn words<W: AsRef<OsStr>>(all: impl IntoIterator<Item = W>) -> String {
    let words: Vec<String> = all.into_iter().map(quoted).collect();
    words.join(" ")
}

/// Path of the film, quoted for a shell.
pub(super) fn film_file(film: &FilmStep) -> String {
    quoted(no_option(Path::new(&film.file)))
}

/// Header comment: the reasons for the chosen numbers, and the input files.
pub(super) fn about(job: &ClusterJob) -> String {
    let inputs = job.input_lines();
    let head = comment(job.reasons.iter().map(String::as_str));
    format!("{head}\n#\n# Every shard reads:\n{}", comment(inputs.iter().map(String::as_str)))
}
