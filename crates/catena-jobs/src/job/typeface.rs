//! Typefaces of pictures and figures.

use catena_base::read;
use catena_draw::faces::Faces;
use catena_output::{OutputError, hash::sha256};
use std::{io, path::Path};

/// Loads the built-in typeface, with that of a font file as the fallback, and the SHA-256 of the
/// file.
///
/// # Errors
/// The file cannot be read or is no font.
pub fn faces(path: Option<&Path>) -> Result<(Faces, Option<String>), OutputError> {
    let broken = |error| OutputError::new("use", "the typeface", io::Error::other(error));
    let built_in = Faces::built_in().map_err(broken)?;
    let Some(path) = path else { return Ok((built_in, None)) };
    let refuse = |cause| OutputError::new("use the font file", path, cause);
    let bytes = read::file(path, read::FONT).map_err(refuse)?;
    let hash = sha256(&bytes);
    let faces = built_in.with_fallback(bytes).map_err(|error| refuse(io::Error::other(error)))?;
    Ok((faces, Some(hash)))
}
