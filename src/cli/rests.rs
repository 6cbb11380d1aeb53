//! Iteration over the rests of a scene's bodies, and output of their pictures.

use crate::cli::{Failure, say};
use crate::output::{OutputError, atomic};
use crate::scene::{Body, Scene};
use crate::text::printable;
use std::io;
use std::path::Path;

/// Writes the bytes of a picture.
pub(crate) fn write(encoded: io::Result<Vec<u8>>, path: &Path) -> Result<(), Failure> {
    let refuse = |cause| OutputError::new("write", path, cause);
    let bytes = encoded.map_err(refuse)?;
    atomic::write_to(path, |file| file.write_all(&bytes).map_err(refuse))?;
    say::aside(&format!("wrote {}", printable::path(path)));
    Ok(())
}

/// Returns the panel index, body, label and rest of each body.
pub(crate) fn each<'a, R>(
    scene: &'a Scene,
    rests: &'a [R],
) -> impl Iterator<Item = (usize, &'a Body, String, &'a R)> {
    let panels = scene.panels.iter().enumerate();
    let bodies = panels.flat_map(|(index, panel)| panel.bodies.iter().map(move |it| (index, it)));
    let all = bodies.zip(scene.body_labels()).zip(rests);
    all.map(|(((panel, body), label), rest)| (panel, body, label, rest))
}
