//! Options that several jobs share, and their ranges.

use super::RunError;
use catena_base::text::number::counted;
use catena_scene::{GREATEST_SIDE_UNLIMITED, MIN_SIDE, Scene, picture_sides};
use std::{
    fmt::Display,
    ops::{Range, RangeInclusive},
};

pub use catena_output::frame_list::{FrameList, MAX_FRAMES};

/// Maximum number of threads of a job.
pub const MAX_THREADS: u16 = 1024;

/// Selection of the frames of a job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FrameChoice {
    /// All frames of the scene.
    #[default]
    All,
    /// This number of frames from frame 0, from 1 to [`MAX_FRAMES`], regardless of the scene's own
    /// number.
    First(u64),
    /// Frames from `start` up to but excluding `end`, which is at most [`MAX_FRAMES`]. Other
    /// existing frames in a folder are kept.
    Part(Range<u64>),
    /// Frames from this one to the scene's last. Other existing frames in a folder are kept.
    From(u64),
    /// Frames of a list. Other existing frames in a folder are kept.
    Listed(FrameList),
}

impl FrameChoice {
    /// Selects the list if given, otherwise the number of frames if given, otherwise all.
    pub fn of_options(list: Option<&FrameList>, frames: Option<u64>) -> Self {
        match (list, frames) {
            (Some(list), _) => match list.as_range() {
                Some((first, None)) => Self::From(first),
                Some((first, Some(end))) => Self::Part(first..end),
                None => Self::Listed(list.clone()),
            },
            (None, Some(frames)) => Self::First(frames),
            (None, None) => Self::All,
        }
    }

    /// Range of the selected frames of a scene, from the first to the last.
    ///
    /// # Errors
    /// The range is empty or exceeds [`MAX_FRAMES`].
    pub fn of(&self, scene: &Scene) -> Result<Range<u64>, RunError> {
        match self {
            Self::All => Ok(0..count(None, scene)?),
            Self::First(frames) => Ok(0..count(Some(*frames), scene)?),
            Self::Part(part) if part.is_empty() || part.end > MAX_FRAMES => {
                Err(RunError::Option(format!(
                    "the range of frames {}..{} is empty or ends after {MAX_FRAMES}, the maximum",
                    part.start, part.end
                )))
            }
            Self::Part(part) => Ok(part.clone()),
            Self::From(first) => {
                let count = count(None, scene)?;
                if *first < count { Ok(*first..count) } else { Err(beyond(*first, count)) }
            }
            Self::Listed(list) => {
                let count = count(None, scene)?;
                match list.beyond(count) {
                    Some(first) => Err(beyond(first, count)),
                    None => Ok(list.hull(count)),
                }
            }
        }
    }

    /// Whether a frame of the range is selected.
    pub fn has(&self, frame: u64) -> bool {
        match self {
            Self::Listed(list) => list.contains(frame),
            _ => true,
        }
    }

    /// Whether other existing frames in a folder are kept.
    pub fn is_part(&self) -> bool {
        matches!(self, Self::Part(_) | Self::From(_) | Self::Listed(_))
    }
}

/// Error about frames that begin after the last of `count`.
fn beyond(first: u64, count: u64) -> RunError {
    RunError::Option(format!(
        "there is no frame {first}: the scene has {}, numbered from 0",
        counted(count, "frame")
    ))
}

/// Number of frames of a job: the requested number, or else the scene's.
///
/// # Errors
/// The number is out of range.
pub(super) fn count(asked: Option<u64>, scene: &Scene) -> Result<u64, RunError> {
    let frames = asked.unwrap_or(scene.frames);
    within("frames", frames, 1..=MAX_FRAMES)?;
    Ok(frames)
}

/// Returns an error if an option is out of range.
pub(super) fn within<N: PartialOrd + Display>(
    name: &str,
    value: N,
    range: RangeInclusive<N>,
) -> Result<(), RunError> {
    if range.contains(&value) {
        return Ok(());
    }
    let (minimum, maximum) = range.into_inner();
    Err(RunError::Option(format!("{name}: {value} is not from {minimum} to {maximum}")))
}

/// Returns an error for a size that no picture can have. The limits of a scene are checked
/// separately.
pub(super) fn size(size: [u32; 2]) -> Result<(), RunError> {
    let sides = MIN_SIDE..=GREATEST_SIDE_UNLIMITED;
    if size.iter().all(|side| sides.contains(&u64::from(*side))) {
        return Ok(());
    }
    let [width, height] = size;
    let sides = picture_sides();
    Err(RunError::Option(format!("size: each side of {width}x{height} must be {sides}")))
}
