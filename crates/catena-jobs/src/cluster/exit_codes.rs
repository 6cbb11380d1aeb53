//! What the exit codes of catena say an engine should do.

/// Something is missing, or too little: more of the same changes nothing, other shards do.
pub(super) const INCOMPLETE: u8 = 1;
/// Wrong usage, a scene that cannot be used, a body that diverged under `--strict`, no ffmpeg: the
/// same again ends the same way.
pub(super) const HOPELESS: [u8; 4] = [2, 3, 4, 6];
/// A file failed: worth another try.
pub(super) const FILE_FAILED: u8 = 5;
/// SIGINT and SIGTERM: the same command goes on.
pub(super) const INTERRUPTED: [u8; 2] = [130, 143];

/// How often a step is tried again after a file has failed.
pub(super) const RETRIES: u32 = 3;
/// How often a step that ran out of time goes on; each time it has come further.
pub(super) const CONTINUATIONS: u32 = 100;

/// Codes as lists have them: `2, 3, 4`.
pub(super) fn listed(codes: &[u8]) -> String {
    let words: Vec<String> = codes.iter().map(u8::to_string).collect();
    words.join(", ")
}
