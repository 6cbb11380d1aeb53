//! Parts that the job files of several engines share: templates, shell code, and the exit codes of
//! catena.

use super::job::no_option;
use super::{ClusterJob, FilmStep};
use catena_base::text::shell::quoted;
use std::ffi::OsStr;
use std::path::Path;

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
    format!("{head}\n#\n# Each shard reads:\n{}", comment(inputs.iter().map(String::as_str)))
}

/// Exit code for missing or insufficient results. A repeat of the command does not help, but
/// running other shards may.
pub(super) const INCOMPLETE: u8 = 1;
/// Exit codes of permanent failures: wrong usage, an unusable scene, a body that diverged under
/// `--strict`, or no ffmpeg. A retry fails in the same way.
pub(super) const HOPELESS: [u8; 4] = [2, 3, 4, 6];
/// Exit code for a file that could not be read or written. A retry may succeed.
pub(super) const FILE_FAILED: u8 = 5;
/// Exit codes after SIGINT and SIGTERM. The same command resumes the work.
pub(super) const INTERRUPTED: [u8; 2] = [130, 143];

/// Maximum number of retries per step after a file failed.
pub(super) const RETRIES: u32 = 3;
/// Maximum number of times that a step is resumed after its time limit. Each run makes progress.
pub(super) const CONTINUATIONS: u32 = 100;

/// Codes separated by commas: `2, 3, 4`.
pub(super) fn listed(codes: &[u8]) -> String {
    let words: Vec<String> = codes.iter().map(u8::to_string).collect();
    words.join(", ")
}

/// Returns the template with each placeholder replaced by its value. Placeholders inside values are
/// not replaced.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(2 * template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('«') {
        let (name, after) = after.split_once('»').unwrap_or((after, ""));
        filled += before;
        match values.iter().find(|(known, _)| *known == name) {
            Some((_, value)) => filled += value,
            // An unknown name stays visible, and tests search the job of every engine for it.
            None => filled.extend(["«", name, "»"]),
        }
        rest = after;
    }
    filled + rest
}

/// Returns the lines as `#` comments of scripts, YAML and submit files, without a final line break.
pub(super) fn comment<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let lines: Vec<String> = lines.into_iter().map(|line| format!("# {line}")).collect();
    lines.join("\n")
}

/// Returns the text with every line but the first indented by `spaces`, for a block in YAML that
/// starts at that column.
pub(super) fn indented(text: &str, spaces: usize) -> String {
    text.trim_end().replace('\n', &format!("\n{}", " ".repeat(spaces)))
}
