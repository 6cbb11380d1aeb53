//! Order in which frames are made.

use std::collections::{BTreeSet, VecDeque};

/// Order in which frames are made. The pictures do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrameOrder {
    /// Ascending order.
    #[default]
    Film,
    /// First, last, and then repeatedly the middle between two finished frames.
    CoarseToFine,
    /// This frame first, and then the others in the order of [`Self::CoarseToFine`].
    CoarseFrom(u64),
    /// From this frame to the last one, followed by the frames before it.
    From(u64),
}

/// Frames in the order in which they are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameSequence {
    /// All frames.
    pub frames: Vec<u64>,
    /// Frames that are simulated before they are drawn, and stored until then.
    pub kept: BTreeSet<u64>,
}

impl FrameOrder {
    /// Arranges `frames`, which are in ascending order. At most `room` simulated frames are stored.
    /// Further frames that would need storage move to the end, and a second simulation produces
    /// them.
    pub fn arrange(self, frames: &[u64], room: usize) -> FrameSequence {
        let wanted = match self {
            Self::Film => frames.to_vec(),
            Self::CoarseToFine => coarse(frames),
            Self::CoarseFrom(first) => {
                let is_first = |frame: &u64| *frame == first;
                let (mut wanted, others): (Vec<u64>, Vec<u64>) =
                    coarse(frames).into_iter().partition(is_first);
                wanted.extend(others);
                wanted
            }
            Self::From(first) => {
                let at = frames.partition_point(|frame| *frame < first);
                let (before, after) = frames.split_at(at);
                [after, before].concat()
            }
        };
        let mut sequence = FrameSequence { frames: Vec::new(), kept: BTreeSet::new() };
        let (mut without_room, mut greatest) = (Vec::new(), None);
        for frame in wanted {
            let is_passed = greatest.is_some_and(|greatest| frame < greatest);
            if is_passed && sequence.kept.len() >= room {
                without_room.push(frame);
                continue;
            }
            if is_passed {
                sequence.kept.insert(frame);
            }
            greatest = greatest.max(Some(frame));
            sequence.frames.push(frame);
        }
        without_room.sort_unstable();
        sequence.frames.extend(without_room);
        sequence
    }
}

/// Returns the frames in the order of [`FrameOrder::CoarseToFine`].
fn coarse(frames: &[u64]) -> Vec<u64> {
    let indices = coarse_to_fine(frames.len()).into_iter();
    indices.filter_map(|index| frames.get(index).copied()).collect()
}

/// Returns all indices below `count`: the first, the last, and then the middle of each gap. The
/// widest gaps come first.
fn coarse_to_fine(count: usize) -> Vec<usize> {
    let last = count.saturating_sub(1);
    let mut indices: Vec<usize> = [0, last].into_iter().take(count.min(2)).collect();
    let mut gaps = VecDeque::from([[0, last]]);
    while let Some([from, to]) = gaps.pop_front() {
        let middle = from + (to - from) / 2;
        if middle > from {
            indices.push(middle);
            gaps.extend([[from, middle], [middle, to]]);
        }
    }
    indices
}
