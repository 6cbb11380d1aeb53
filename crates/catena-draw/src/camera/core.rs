//! Core of a body's motion in the plane: a box that contains the body in nearly all frames.

use super::bounds::Bounds;

/// Share of the frames that may leave the core on each side.
const OUTSIDE: f64 = 0.025;

/// Minimum share of the whole box by which moving a side inwards must shrink it. For a smaller
/// gain, the side stays where it is.
const WORTH: f64 = 0.12;

/// Maximum motion of a bounding box's sides, relative to its longest side, at which a body counts
/// as at rest.
const STILL: f64 = 0.01;

/// Maximum number of boxes that are kept. With more frames, every second box is dropped.
const MAX_BOXES: usize = 4096;

/// Boxes of a body in equally spaced frames.
#[derive(Clone, Debug)]
pub struct FrameBoxes {
    boxes: Vec<Bounds>,
    /// Number of frames from one box to the next.
    stride: u64,
    /// Number of frames so far.
    frames: u64,
}

impl FrameBoxes {
    /// No boxes.
    pub const EMPTY: Self = Self { boxes: Vec::new(), stride: 1, frames: 0 };

    /// Adds the box of the next frame.
    pub fn push(&mut self, frame: Bounds) {
        if self.boxes.len() >= MAX_BOXES {
            let mut index = 0;
            self.boxes.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.stride *= 2;
        }
        if self.frames.is_multiple_of(self.stride) {
            self.boxes.push(frame);
        }
        self.frames += 1;
    }

    /// Last box of a body that ends at rest. `None` if the body moves noticeably in the last tenth
    /// of the frames.
    pub fn rest(&self) -> Option<Bounds> {
        let last = *self.boxes.last()?;
        let from = self.boxes.len() - self.boxes.len().div_ceil(10).max(2).min(self.boxes.len());
        let maximum = STILL * last.longest();
        let is_near = |a: f64, b: f64| (a - b).abs() <= maximum;
        let is_still = |frame: &Bounds| {
            (0..3).all(|axis| {
                is_near(frame.low[axis], last.low[axis])
                    && is_near(frame.high[axis], last.high[axis])
            })
        };
        (self.boxes.len() > 1 && self.boxes[from..].iter().all(is_still)).then_some(last)
    }

    /// Box that contains the first frame. Each side excludes a few of the other frames, unless that
    /// would hardly shrink the box.
    pub fn core(&self) -> Option<Bounds> {
        let first = *self.boxes.first()?;
        let mut core = first;
        let out = (OUTSIDE * self.boxes.len() as f64) as usize;
        for axis in 0..3 {
            let sorted = |of: &dyn Fn(&Bounds) -> f64| {
                let mut all: Vec<f64> = self.boxes.iter().map(of).collect();
                all.sort_by(f64::total_cmp);
                all
            };
            let lows = sorted(&|frame| frame.low[axis]);
            let highs = sorted(&|frame| -frame.high[axis]);
            let extent = -highs[0] - lows[0];
            let side = |all: &[f64], first: f64| {
                let cut = all[out].min(first);
                if cut - all[0] >= WORTH * extent { cut } else { all[0] }
            };
            core.low[axis] = side(&lows, first.low[axis]);
            core.high[axis] = -side(&highs, -first.high[axis]);
        }
        Some(core)
    }
}
