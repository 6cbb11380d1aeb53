//! Lists of frames, such as `1-10x2,15,40-`.

use std::{fmt, ops::Range, str::FromStr};

/// Maximum number of frames, given by the format of file names and tables. The limits of a scene
/// are far lower.
pub const MAX_FRAMES: u64 = 1_000_000_000;

/// Maximum number of parts of a list.
const MAX_PARTS: usize = 1000;

/// A selection of frames in ascending order without duplicates, independent of the order of its
/// parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameList {
    parts: Vec<FramePart>,
}

/// Frames between two numbers, in equal steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FramePart {
    first: u64,
    /// Last frame, inclusive; `None` for an open part, which extends to the last frame of all.
    last: Option<u64>,
    step: u64,
}

impl FramePart {
    fn contains(&self, frame: u64) -> bool {
        let is_within = frame >= self.first && self.last.is_none_or(|last| frame <= last);
        is_within && (frame - self.first).is_multiple_of(self.step)
    }

    /// Last frame of the part. An open part ends at the last of `count` frames.
    fn last(&self, count: u64) -> u64 {
        let end = self.last.unwrap_or(count.saturating_sub(1)).max(self.first);
        end - (end - self.first) % self.step
    }
}

impl From<Range<u64>> for FrameList {
    fn from(range: Range<u64>) -> Self {
        let last = Some(range.end.saturating_sub(1));
        Self { parts: vec![FramePart { first: range.start, last, step: 1 }] }
    }
}

impl FrameList {
    /// Whether a frame belongs to the list. An open part includes all later frames.
    pub fn contains(&self, frame: u64) -> bool {
        self.parts.iter().any(|part| part.contains(frame))
    }

    /// The list as one range without steps, whose end is `None` if it is open.
    pub fn as_range(&self) -> Option<(u64, Option<u64>)> {
        match self.parts[..] {
            [FramePart { first, last, step: 1 }] => Some((first, last.map(|last| last + 1))),
            _ => None,
        }
    }

    /// First frame of an open part that is empty because there are only `count` frames; `None` if
    /// each part has a frame.
    pub fn beyond(&self, count: u64) -> Option<u64> {
        let open = self.parts.iter().filter(|part| part.last.is_none());
        open.map(|part| part.first).find(|first| *first >= count)
    }

    /// Range from the first to the last frame of the list. Open parts end before frame `count`.
    pub fn hull(&self, count: u64) -> Range<u64> {
        let first = self.parts.iter().map(|part| part.first).min().unwrap_or(0);
        let last = self.parts.iter().map(|part| part.last(count)).max().unwrap_or(0);
        first..last + 1
    }

    /// Frames of the list in ascending order. Open parts end before frame `count`.
    pub fn frames(&self, count: u64) -> impl Iterator<Item = u64> + '_ {
        let is_chosen = move |part: &FramePart, frame| {
            part.contains(frame) && (part.last.is_some() || frame < count)
        };
        self.hull(count).filter(move |frame| self.parts.iter().any(|part| is_chosen(part, *frame)))
    }
}

impl fmt::Display for FrameList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, FramePart { first, last, step }) in self.parts.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{first}")?;
            match last {
                Some(last) if last == first => {}
                Some(last) => write!(f, "-{last}")?,
                None => f.write_str("-")?,
            }
            if *step > 1 {
                write!(f, "x{step}")?;
            }
        }
        Ok(())
    }
}

impl FromStr for FrameList {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        if parts.len() > MAX_PARTS {
            return Err(format!("a list of frames may have at most {MAX_PARTS} parts"));
        }
        let parts = parts.into_iter().map(part).collect::<Result<_, _>>()?;
        Ok(Self { parts })
    }
}

/// Parses `7`, `A-B`, `A-`, `A-BxN` or `A-xN`.
fn part(text: &str) -> Result<FramePart, String> {
    let wrong = || {
        format!(
            "expected one frame such as 7, A-B for frames A to B, A- for all frames from A on, A-BxN or A-xN for every Nth of these frames, or several of these forms separated by commas, such as 1-10x2,15; numbers are below {MAX_FRAMES}, A is at most B, and N is at least 1"
        )
    };
    let number = |text: &str| text.parse::<u64>().ok().filter(|number| *number < MAX_FRAMES);
    let (range, step) = match text.split_once('x') {
        Some((range, step)) if range.contains('-') => {
            (range, number(step).filter(|step| *step > 0).ok_or_else(wrong)?)
        }
        Some(_) => return Err(wrong()),
        None => (text, 1),
    };
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let first = number(first).ok_or_else(wrong)?;
    if last.is_empty() {
        return Ok(FramePart { first, last: None, step });
    }
    let last = number(last).filter(|last| *last >= first).ok_or_else(wrong)?;
    Ok(FramePart { first, last: Some(last), step })
}
