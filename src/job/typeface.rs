//! The typefaces of pictures and figures.

use crate::output::{OutputError, hash::sha256};
use crate::read;
use crate::render::faces::Faces;
use std::{io, path::Path};

/// The built-in typeface, and that of a font file behind it, with the SHA-256 of the file.
///
/// # Errors
/// When the file cannot be read or is no font.
pub(crate) fn faces(path: Option<&Path>) -> Result<(Faces, Option<String>), OutputError> {
    let broken = |error| OutputError::new("use", "the typeface", io::Error::other(error));
    let built_in = Faces::built_in().map_err(broken)?;
    let Some(path) = path else { return Ok((built_in, None)) };
    let refuse = |cause| OutputError::new("use the font file", path, cause);
    let bytes = read::file(path, read::FONT).map_err(refuse)?;
    let hash = sha256(&bytes);
    let faces = built_in.with_fallback(bytes).map_err(|error| refuse(io::Error::other(error)))?;
    Ok((faces, Some(hash)))
}
