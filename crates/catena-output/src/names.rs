//! Names of the files that a render writes, and of their folders.

/// File name of the manifest.
pub const MANIFEST: &str = "manifest.json";
/// File name of the steady-state comparison.
pub const STEADY: &str = "steady.png";

/// Name of catena's private folder in a folder of frames, a report or a comparison.
pub const PRIVATE: &str = ".catena";
/// File name of the journal of an exclusive render, in the private folder.
pub(super) const JOURNAL: &str = "journal";
/// File name of the note about files that a render removes before it begins, in the private folder.
pub(super) const REMOVALS: &str = "former";
/// Name of the folder of claims, in the private folder.
pub(super) const CLAIMS: &str = "claims";

/// File name of a frame.
pub fn frame_name(frame: u64) -> String {
    format!("frame_{frame:05}.png")
}

/// Exclusive upper limit of frame numbers. A larger number comes from a damaged or forged record.
pub const FRAME_LIMIT: u64 = 1 << 32;

/// Number of the frame with this file name. Each frame has a single name, without a sign and
/// without more zeros than [`frame_name`] writes.
pub fn frame_number(name: &str) -> Option<u64> {
    let digits = name.strip_prefix("frame_")?.strip_suffix(".png")?;
    let number = digits.parse().ok().filter(|number| *number < FRAME_LIMIT)?;
    (name == frame_name(number)).then_some(number)
}

/// Whether renders give files this name.
pub fn is_render_file(name: &str) -> bool {
    frame_number(name).is_some() || name == STEADY || name == MANIFEST
}
