//! Simulates and draws frames, a chunk of frames at a time: while one chunk is drawn, the next is simulated.
//! Memory is bounded by the size of a chunk, and bytes do not depend on the number of threads.

mod pool;
mod press;
mod reel;

pub(super) use press::{Easel, Press};
pub(super) use reel::{Job, Keeping, Reel};

use super::Failure;
use super::interrupt::Interrupt;
use super::timings::{Stage, Timings};
use crate::output::{OutputError, journal::Journal, manifest::FrameEntry};
use image::RgbImage;
use rayon::prelude::*;

/// What frames are made with.
#[derive(Clone, Copy)]
pub(super) struct Shop<'a> {
    pub(super) timings: &'a Timings,
    pub(super) interrupt: &'a Interrupt,
    /// Is told of each frame that is done.
    pub(super) on_frame: &'a (dyn Fn() + Sync),
    /// Is told at once when a frame cannot be written: others may be under way, and what waits for them.
    pub(super) on_failure: &'a (dyn Fn() + Sync),
}

impl Shop<'_> {
    /// Does `draw` with chunk after chunk, until all frames are simulated or the process is to end.
    fn chunks<E: From<OutputError> + Send>(
        &self,
        reel: &mut Reel<'_>,
        mut frames: &[u64],
        mut draw: impl FnMut(&[Job]) -> Result<(), E> + Send,
    ) -> Result<(), E> {
        let time = |reel: &mut Reel<'_>, frames: &mut &[u64]| {
            self.timings.time(Stage::Simulate, || reel.chunk(frames))
        };
        let mut chunk = time(reel, &mut frames)?;
        while !chunk.is_empty() {
            let (drawn, next) = rayon::join(|| draw(&chunk), || time(reel, &mut frames));
            drawn?;
            chunk = next?;
        }
        Ok(())
    }

    /// Draws these frames, in order, into files; `is_mine` says before each chunk whether to go on. When the process is to end, frames that are
    /// begun are finished.
    pub(super) fn print(
        &self,
        press: &Press<'_>,
        reel: &mut Reel<'_>,
        frames: &[u64],
        journal: &Journal,
        is_mine: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<FrameEntry>, OutputError> {
        let print = |job: &Job| {
            if self.interrupt.is_set() {
                return Ok(None);
            }
            let written = press.print(job, journal);
            let entry = written.inspect_err(|_| (self.on_failure)())?;
            (self.on_frame)();
            Ok(Some(entry))
        };
        let mut entries = Vec::new();
        self.chunks(reel, frames, |chunk| {
            if is_mine() {
                let drawn: Vec<_> = chunk.par_iter().map(print).collect::<Result<_, _>>()?;
                entries.extend(drawn.into_iter().flatten());
            }
            Ok::<(), OutputError>(())
        })?;
        Ok(entries)
    }

    /// Draws these frames and hands them on in order.
    pub(super) fn show(
        &self,
        easel: &Easel<'_>,
        reel: &mut Reel<'_>,
        frames: &[u64],
        show: &mut (dyn FnMut(&RgbImage) -> Result<(), Failure> + Send),
    ) -> Result<(), Failure> {
        self.chunks(reel, frames, |chunk| {
            let draw = |job: &Job| {
                let mut canvas = easel.draw(&job.shots);
                // All of it, while the other threads draw.
                canvas.thing.image();
                canvas
            };
            let drawn: Vec<_> = chunk.par_iter().map(draw).collect();
            for mut canvas in drawn {
                if !self.interrupt.is_set() {
                    self.timings.time(Stage::Write, || show(canvas.thing.image()))?;
                    (self.on_frame)();
                }
                easel.give_back(canvas);
            }
            Ok(())
        })
    }
}
