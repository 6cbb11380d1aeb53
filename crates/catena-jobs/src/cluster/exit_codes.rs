//! Exit codes of catena, grouped by the reaction that an engine should have.

/// Results are missing or not good enough. Repeating this command does not help; running other
/// shards may.
pub(super) const INCOMPLETE: u8 = 1;
/// Permanent failures: wrong usage, an unusable scene, a body that diverged under `--strict`, or no
/// ffmpeg. A retry fails in the same way.
pub(super) const HOPELESS: [u8; 4] = [2, 3, 4, 6];
/// A file could not be read or written. A retry may succeed.
pub(super) const FILE_FAILED: u8 = 5;
/// SIGINT and SIGTERM. The same command resumes the work.
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
