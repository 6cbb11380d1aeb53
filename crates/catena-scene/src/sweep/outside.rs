//! Scenes outside the folder of the sweep that names them, which messages must not quote.

use super::super::diagnostic::Fault;
use super::super::error::SceneError;
use super::axis::AxisPlace;
use crate::sweep::checks::error;
use std::ops::Range;

/// Scene that a sweep may read only because the caller allowed its file.
#[derive(Clone, Debug)]
pub(super) struct OutsideScene {
    /// Path of the scene, as used in errors about it.
    pub(super) origin: String,
    /// Source of the sweep that names the scene.
    pub(super) place: AxisPlace,
    /// Span of the scene's name in that source.
    pub(super) span: Range<usize>,
}

impl OutsideScene {
    /// Replaces an error of the scene by one that quotes only the sweep, with line and column of
    /// the fault. Errors of other texts, such as axes, are unchanged.
    pub(super) fn hidden(&self, found: SceneError) -> SceneError {
        if found.origin() != self.origin {
            return found;
        }
        let why = match found.has_place() {
            true => {
                let (line, column) = found.position();
                format!("has an error at line {line}, column {column}")
            }
            false => "cannot be used".into(),
        };
        error(&self.place, self.fault(&why))
    }

    /// Returns a fault at the scene's name in the sweep.
    pub(super) fn fault(&self, why: &str) -> Fault {
        let fault = Fault::new(format!("{} {why}", self.origin)).at(self.span.clone());
        fault.help("a scene begins with `Scene(` or `(`; for details, run `catena check` on it")
    }
}
