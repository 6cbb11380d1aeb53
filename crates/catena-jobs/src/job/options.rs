//! Options that several jobs have, and their ranges.

use super::RunError;
use catena_scene::{GREATEST_SIDE_UNLIMITED, LEAST_SIDE, Scene, picture_sides};
use std::{
    fmt::Display,
    ops::{Range, RangeInclusive},
};

/// The most frames that fit into names and tables; the limits of a scene are far below.
pub const MOST_FRAMES: u64 = 1_000_000_000;

/// The most threads that a job may be given.
pub const MOST_THREADS: u16 = 1024;

/// Which frames of a scene a job makes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FrameChoice {
    /// As many as the scene says.
    #[default]
    All,
    /// The first so many, from 1 to [`MOST_FRAMES`], whatever the scene says.
    First(u64),
    /// Those from `start` to before `end`, which is at most [`MOST_FRAMES`]. Other frames that lie
    /// in a folder stay.
    Part(Range<u64>),
}

impl FrameChoice {
    /// Those of a range, or else so many, or else all.
    pub fn of_options(range: Option<&Range<u64>>, frames: Option<u64>) -> Self {
        match (range, frames) {
            (Some(range), _) => Self::Part(range.clone()),
            (None, Some(frames)) => Self::First(frames),
            (None, None) => Self::All,
        }
    }

    /// The frames of a scene that are meant.
    ///
    /// # Errors
    /// When there is none, or one is out of range.
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
        }
    }
}

/// How many frames a job has: as many as were asked for, or as the scene has.
pub(super) fn count(asked: Option<u64>, scene: &Scene) -> Result<u64, RunError> {
    let frames = asked.unwrap_or(scene.frames);
    within("frames", frames, 1..=MOST_FRAMES)?;
    Ok(frames)
}

/// Refuses an option out of its range.
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

/// Refuses a size that no picture can have; what limits allow is checked with the scene.
pub(super) fn size(size: [u32; 2]) -> Result<(), RunError> {
    let sides = LEAST_SIDE..=GREATEST_SIDE_UNLIMITED;
    if size.iter().all(|side| sides.contains(&u64::from(*side))) {
        return Ok(());
    }
    let [width, height] = size;
    let sides = picture_sides();
    Err(RunError::Option(format!("size: {width}x{height} has a side that is not {sides}")))
}
