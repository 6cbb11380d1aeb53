//! Draws simulated frames, with a canvas for each thread.

use super::pool::{Pool, Pooled};
use crate::job::progress::{Progress, Stage, time};
use catena_draw::{Painter, PanelFrame, canvas::Canvas};
use image::RgbImage;

/// Draws frames on canvases that are used again.
pub(in crate::job) struct FramePainter<'a> {
    painter: &'a Painter<'a>,
    canvases: Pool<Canvas>,
    progress: &'a dyn Progress,
}

impl<'a> FramePainter<'a> {
    pub(in crate::job) fn new(painter: &'a Painter<'a>, progress: &'a dyn Progress) -> Self {
        Self { painter, canvases: Pool::default(), progress }
    }

    /// What all frames have in common.
    pub(super) fn template(&self) -> &RgbImage {
        self.painter.template()
    }

    /// Draws what panels show; [`FramePainter::give_back`] takes the canvas back.
    pub(super) fn draw(&self, panels: &[PanelFrame]) -> Pooled<Canvas> {
        time(self.progress, Stage::Draw, || {
            let mut canvas = self.canvases.take(|| self.painter.canvas());
            self.painter.draw(&mut canvas.value, panels);
            canvas
        })
    }

    pub(super) fn give_back(&self, canvas: Pooled<Canvas>) {
        self.canvases.give_back(canvas);
    }
}
