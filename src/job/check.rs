//! What a scene would make, without making it.

use super::{
    RunError,
    cautions::{Caution, cautions_with},
    prepare::{limited, painter},
    typeface::faces,
};
use crate::render::text::Font;
use crate::scene::{
    Fit, Limits, Scene,
    limits::{Estimate, PlannedRun},
};
use std::path::Path;

/// What a scene would make.
#[derive(Clone, Debug)]
pub struct Checked {
    /// What a render of all its frames takes.
    pub estimate: Estimate,
    /// What takes more than half of a limit, a line each.
    pub near: Vec<String>,
    /// What should be known before the pictures are believed.
    pub cautions: Vec<Caution>,
    /// What panels without a view of their own show; `None` if all have one.
    pub fit: Option<Fit>,
}

/// Checks that a scene can be rendered, and says what that would take. `font` is a file for letters
/// that the built-in typeface lacks.
///
/// # Errors
/// When the render would take more than the limits allow, the pictures are too small for the
/// panels, or the font cannot be used.
pub fn check(scene: &Scene, limits: &Limits, font: Option<&Path>) -> Result<Checked, RunError> {
    check_with(scene, limits, &Font::new(faces(font)?.0))
}

/// The same with a font that is read.
pub(crate) fn check_with(scene: &Scene, limits: &Limits, font: &Font) -> Result<Checked, RunError> {
    let run = PlannedRun::of(scene);
    let scene = limited(scene, limits, &run)?;
    let fit = painter(&scene, font)?.fit();
    let estimate = Estimate::of(&scene, &run);
    let near = estimate.near(limits);
    Ok(Checked { estimate, near, cautions: cautions_with(&scene, scene.frames, font), fit })
}
