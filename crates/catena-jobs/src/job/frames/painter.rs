//! Drawing of simulated frames, with one canvas per thread.

use super::pool::{Pool, Pooled};
use crate::job::progress::{Progress, Stage, time};
use catena_draw::{Painter, PanelFrame, canvas::Canvas, data::FrameData};
use image::RgbImage;

/// Draws frames on reusable canvases.
pub(in crate::job) struct FramePainter<'a> {
    painter: &'a Painter<'a>,
    canvases: Pool<Canvas>,
    progress: &'a dyn Progress,
}

impl<'a> FramePainter<'a> {
    pub(in crate::job) fn new(painter: &'a Painter<'a>, progress: &'a dyn Progress) -> Self {
        Self { painter, canvases: Pool::default(), progress }
    }

    /// Picture of everything that all frames share.
    pub(super) fn template(&self) -> &RgbImage {
        self.painter.template()
    }

    /// Draws the state of the panels, with motion blur if there are moments.
    /// [`FramePainter::give_back`] returns the canvas for reuse.
    pub(super) fn draw(
        &self,
        panels: &[PanelFrame],
        moments: &[Vec<PanelFrame>],
    ) -> Pooled<Canvas> {
        time(self.progress, Stage::Draw, || {
            let mut canvas = self.canvases.take(|| self.painter.canvas());
            self.painter.draw_moments(&mut canvas.value, panels, moments);
            canvas
        })
    }

    /// Numbers of each pixel, with the motion since the frame before.
    pub(super) fn data(&self, panels: &[PanelFrame], before: &[PanelFrame]) -> FrameData {
        time(self.progress, Stage::Draw, || self.painter.data(panels, before))
    }

    pub(super) fn give_back(&self, canvas: Pooled<Canvas>) {
        self.canvases.give_back(canvas);
    }
}
