//! Pictures of simulations that the caller advances.

use super::{FrameError, FrameOptions};
use crate::job::{
    RunError,
    prepare::{Drawing, painter},
};
use catena_draw::{BodyFrame, PanelFrame, Past, camera::SeenFrames, canvas::Picture};
use catena_output::film::over_white;
use catena_scene::{Body, Scene};
use catena_sim::{Outcome, Simulation};
use image::RgbImage;
use std::path::Path;

/// Drawing of bodies in the states of simulations, with the view of the scene's frames.
pub struct StateDrawing {
    drawing: Drawing,
    seen: Option<SeenFrames>,
}

impl StateDrawing {
    /// Prepares pictures of a scene. If the view holds the frames of the scene, they are simulated
    /// here. `options.frames` and `options.threads` are not used.
    ///
    /// # Errors
    /// The size is out of range, a font cannot be used, or there is not enough memory.
    pub fn new(scene: &Scene, options: &FrameOptions) -> Result<Self, FrameError> {
        let drawing = options.drawing(scene, Path::new("memory"), 1)?;
        let seen = SeenFrames::wanted(&drawing.scene);
        Ok(Self { drawing, seen })
    }

    /// Draws the current states. `simulations` has one simulation per body in the order of the
    /// panels. Ghosts and trails are omitted, because simulations do not store their past. A
    /// translucent picture is drawn over white.
    ///
    /// # Errors
    /// The panels are too small, there is not enough memory, or simulations and bodies differ in
    /// number or nodes.
    pub fn draw(&self, simulations: &[&Simulation]) -> Result<RgbImage, FrameError> {
        let scene = &self.drawing.scene;
        let bodies = || scene.panels.iter().flat_map(|panel| &panel.bodies);
        let nodes = |body: &Body| body.setup.model.nodes();
        if !bodies().map(nodes).eq(simulations.iter().map(|it| it.setup().model.nodes())) {
            let what = "simulations: one per body of the scene, with the nodes of the body";
            return Err(RunError::Option(what.into()).into());
        }
        let mut states = bodies().zip(simulations).map(|(body, run)| body_frame(body, run));
        let of = |bodies: usize| PanelFrame { bodies: states.by_ref().take(bodies).collect() };
        let panels: Vec<_> = scene.panels.iter().map(|it| it.bodies.len()).map(of).collect();
        let painter = painter(scene, &self.drawing.font, self.seen.as_ref())?;
        let mut canvas = painter.canvas();
        painter.draw(&mut canvas, &panels);
        Ok(match canvas.picture() {
            Picture::Opaque(image) => image.clone(),
            Picture::Translucent(image) => over_white(&image),
        })
    }
}

/// Shapes of a body in the state of a simulation.
fn body_frame(body: &Body, simulation: &Simulation) -> BodyFrame {
    let diverged = match simulation.outcome() {
        Outcome::Fine => None,
        Outcome::Diverged { frame, .. } => Some(frame),
    };
    BodyFrame { diverged, ..BodyFrame::of(body, simulation, &Past::default(), None) }
}
