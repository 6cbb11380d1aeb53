//! Names of the files that a render writes, and of the folders they lie in.

/// File name of the manifest.
pub const MANIFEST: &str = "manifest.json";
/// File name of the steady-state comparison.
pub const STEADY: &str = "steady.png";

/// The folder of what only catena needs.
pub const PRIVATE: &str = ".catena";
/// What a render alone has written so far.
pub(super) const JOURNAL: &str = "journal";
/// What a render removes before it begins.
pub(super) const REMOVALS: &str = "former";
/// What those who share the folder have claimed.
pub(super) const CLAIMS: &str = "claims";

/// File name of a frame.
pub fn frame_name(frame: u64) -> String {
    format!("frame_{frame:05}.png")
}

/// The frame that has this file name: each has one, without a sign and with no more zeros than [`frame_name`] writes.
pub fn frame_number(name: &str) -> Option<u64> {
    let digits = name.strip_prefix("frame_")?.strip_suffix(".png")?;
    digits.parse().ok().filter(|number| name == frame_name(*number))
}

/// Whether a file has a name that a render gives.
pub fn is_ours(name: &str) -> bool {
    frame_number(name).is_some() || name == STEADY || name == MANIFEST
}
