//! Simulation and drawing of frames in chunks: while one chunk is drawn, the next is simulated. The
//! chunk size limits the memory, and the output does not depend on the number of threads.

use super::simulator::FrameSimulator;
use super::writer::{EncodedFrame, FrameEncoder, FramePainter, FrameWriter};
use crate::job::progress::{Interruption, Progress, Stage, time};
use catena_draw::{canvas::Picture, frames::SimulatedFrame};
use catena_output::{OutputError, journal::Journal, manifest::FrameEntry};
use rayon::prelude::*;

/// Connection between a simulator and a painter or writer.
#[derive(Clone, Copy)]
pub(in crate::job) struct FramePipeline<'a> {
    pub(in crate::job) progress: &'a dyn Progress,
    pub(in crate::job) interruption: &'a dyn Interruption,
    /// Called when a frame cannot be written, while other threads may still draw. The steady-state
    /// comparison can then stop early.
    pub(in crate::job) on_failure: &'a (dyn Fn() + Sync),
}

impl FramePipeline<'_> {
    /// Calls `draw` with one chunk after another, until all frames are simulated or the job is
    /// interrupted.
    fn chunks<E: Send>(
        &self,
        simulator: &mut FrameSimulator<'_>,
        mut frames: &[u64],
        refuse: impl Fn(OutputError) -> E,
        mut draw: impl FnMut(&[SimulatedFrame]) -> Result<(), E> + Send,
    ) -> Result<(), E> {
        let simulate = |simulator: &mut FrameSimulator<'_>, frames: &mut &[u64]| {
            time(self.progress, Stage::Simulate, || simulator.chunk(frames))
        };
        let mut chunk = simulate(simulator, &mut frames).map_err(&refuse)?;
        while !chunk.is_empty() {
            let (drawn, next) = rayon::join(|| draw(&chunk), || simulate(simulator, &mut frames));
            drawn?;
            chunk = next.map_err(&refuse)?;
        }
        simulator.report_paths(self.progress);
        Ok(())
    }

    /// Draws these frames in order and writes their files. A chunk is skipped unless `is_mine`
    /// returns true. An interruption lets started frames finish.
    pub(in crate::job) fn write(
        &self,
        writer: &FrameWriter<'_>,
        simulator: &mut FrameSimulator<'_>,
        frames: &[u64],
        journal: &Journal,
        is_mine: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<FrameEntry>, OutputError> {
        let write = |frame: &SimulatedFrame| {
            if self.interruption.is_set() {
                return Ok(None);
            }
            let written = writer.write(frame, journal);
            let entry = written.inspect_err(|_| (self.on_failure)())?;
            self.progress.frame();
            Ok(Some(entry))
        };
        let mut entries = Vec::new();
        let same = |error| error;
        self.chunks(simulator, frames, same, |chunk| {
            if is_mine() {
                let drawn: Vec<_> = chunk.par_iter().map(write).collect::<Result<_, _>>()?;
                entries.extend(drawn.into_iter().flatten());
            }
            Ok::<(), OutputError>(())
        })?;
        Ok(entries)
    }

    /// Draws and encodes these frames, and calls `receive` with each in order.
    pub(in crate::job) fn encode(
        &self,
        encoder: &FrameEncoder<'_>,
        simulator: &mut FrameSimulator<'_>,
        frames: &[u64],
        mut receive: impl FnMut(FrameEntry, &[u8]) -> Result<(), OutputError> + Send,
    ) -> Result<(), OutputError> {
        let same = |error| error;
        self.chunks(simulator, frames, same, |chunk| {
            let encode = |frame| encoder.encode(frame);
            let encoded: Vec<_> = chunk.par_iter().map(encode).collect::<Result<_, _>>()?;
            for EncodedFrame { entry, bytes } in encoded {
                if !self.interruption.is_set() {
                    time(self.progress, Stage::Write, || receive(entry, &bytes.value))?;
                    self.progress.frame();
                }
                encoder.give_back(bytes);
            }
            Ok(())
        })
    }

    /// Draws these frames, and calls `show` with each in order.
    pub(in crate::job) fn show<E: Send>(
        &self,
        painter: &FramePainter<'_>,
        simulator: &mut FrameSimulator<'_>,
        frames: &[u64],
        refuse: impl Fn(OutputError) -> E,
        mut show: impl FnMut(u64, Picture<'_>) -> Result<(), E> + Send,
    ) -> Result<(), E> {
        self.chunks(simulator, frames, refuse, |chunk| {
            let draw = |frame: &SimulatedFrame| {
                let mut canvas = painter.draw(&frame.panels, &frame.moments);
                // Completing the picture here keeps this work parallel.
                let translucent = match canvas.value.picture() {
                    Picture::Opaque(_) => None,
                    Picture::Translucent(image) => Some(image),
                };
                (frame.frame, canvas, translucent)
            };
            let drawn: Vec<_> = chunk.par_iter().map(draw).collect();
            for (frame, mut canvas, translucent) in drawn {
                if !self.interruption.is_set() {
                    let picture = match translucent {
                        Some(image) => Picture::Translucent(image),
                        None => Picture::Opaque(canvas.value.image()),
                    };
                    time(self.progress, Stage::Write, || show(frame, picture))?;
                    self.progress.frame();
                }
                painter.give_back(canvas);
            }
            Ok(())
        })
    }
}
