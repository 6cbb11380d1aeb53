//! A scene outside of the folder of the sweep that names it: messages show no text of it.

use super::super::diagnostic::Fault;
use super::super::error::SceneError;
use super::axis::Place;
use super::file::error;
use std::ops::Range;

/// A scene that a sweep may read only because its reader allowed the file.
#[derive(Clone, Debug)]
pub(super) struct OutsideScene {
    /// Path of the scene, as errors about it have it.
    pub(super) origin: String,
    /// The text of the sweep.
    pub(super) place: Place,
    /// The scene's name in that text.
    pub(super) span: Range<usize>,
}

impl OutsideScene {
    /// An error of the scene without text of it: where the sweep names the scene, and the line and
    /// column of the fault. Errors of other texts, such as those of axes, stay as they are.
    pub(super) fn hidden(&self, found: SceneError) -> SceneError {
        if found.origin() != self.origin {
            return found;
        }
        let why = match found.has_place() {
            true => {
                let (line, column) = found.position();
                format!("is wrong at line {line}, column {column}")
            }
            false => "cannot be used".into(),
        };
        error(&self.place, self.fault(&why))
    }

    /// The fault of naming the scene.
    pub(super) fn fault(&self, why: &str) -> Fault {
        let fault = Fault::new(format!("{} {why}", self.origin)).at(self.span.clone());
        fault.help("a scene begins with `Scene(` or `(`; `catena check` says more about one")
    }
}
