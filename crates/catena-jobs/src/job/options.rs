//! Options that several jobs share, and their ranges.

use super::RunError;
use catena_base::text::number::counted;
use catena_scene::{GREATEST_SIDE_UNLIMITED, LEAST_SIDE, Scene, picture_sides};
use std::{
    fmt::Display,
    ops::{Range, RangeInclusive},
};

/// Maximum number of frames, given by the format of file names and tables. The limits of a scene
/// are far lower.
pub const MOST_FRAMES: u64 = 1_000_000_000;

/// Maximum number of threads of a job.
pub const MOST_THREADS: u16 = 1024;

/// Selection of the frames of a job.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FrameChoice {
    /// All frames of the scene.
    #[default]
    All,
    /// This number of frames from frame 0, from 1 to [`MOST_FRAMES`], regardless of the scene's own
    /// number.
    First(u64),
    /// Frames from `start` up to but excluding `end`, which is at most [`MOST_FRAMES`]. Other
    /// existing frames in a folder are kept.
    Part(Range<u64>),
    /// Frames from this one to the scene's last. Other existing frames in a folder are kept.
    From(u64),
}

/// End of a range of frames that goes on to the last one.
pub const OPEN_END: u64 = u64::MAX;

impl FrameChoice {
    /// Selects the range if given, otherwise the number of frames if given, otherwise all.
    pub fn of_options(range: Option<&Range<u64>>, frames: Option<u64>) -> Self {
        match (range, frames) {
            (Some(range), _) if range.end == OPEN_END => Self::From(range.start),
            (Some(range), _) => Self::Part(range.clone()),
            (None, Some(frames)) => Self::First(frames),
            (None, None) => Self::All,
        }
    }

    /// Range of the selected frames of a scene.
    ///
    /// # Errors
    /// The range is empty or exceeds [`MOST_FRAMES`].
    pub fn of(&self, scene: &Scene) -> Result<Range<u64>, RunError> {
        match self {
            Self::All => Ok(0..count(None, scene)?),
            Self::First(frames) => Ok(0..count(Some(*frames), scene)?),
            Self::Part(part) if part.is_empty() || part.end > MOST_FRAMES => {
                Err(RunError::Option(format!(
                    "the frames {}..{} are not a range below {MOST_FRAMES}",
                    part.start, part.end
                )))
            }
            Self::Part(part) => Ok(part.clone()),
            Self::From(first) => {
                let count = count(None, scene)?;
                if *first < count {
                    return Ok(*first..count);
                }
                Err(RunError::Option(format!(
                    "frames from {first} on: the scene has {}, numbered from 0",
                    counted(count, "frame")
                )))
            }
        }
    }

    /// Whether other existing frames in a folder are kept.
    pub fn is_part(&self) -> bool {
        matches!(self, Self::Part(_) | Self::From(_))
    }
}

/// Number of frames of a job: the requested number, or else the scene's.
///
/// # Errors
/// The number is out of range.
pub(super) fn count(asked: Option<u64>, scene: &Scene) -> Result<u64, RunError> {
    let frames = asked.unwrap_or(scene.frames);
    within("frames", frames, 1..=MOST_FRAMES)?;
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
    let (least, most) = range.into_inner();
    Err(RunError::Option(format!("{name}: {value} is not from {least} to {most}")))
}

/// Returns an error for a size that no picture can have. The limits of a scene are checked
/// separately.
pub(super) fn size(size: [u32; 2]) -> Result<(), RunError> {
    let sides = LEAST_SIDE..=GREATEST_SIDE_UNLIMITED;
    if size.iter().all(|side| sides.contains(&u64::from(*side))) {
        return Ok(());
    }
    let [width, height] = size;
    let sides = picture_sides();
    Err(RunError::Option(format!("size: {width}x{height} has a side that is not {sides}")))
}
