//! Mesh files: Wavefront OBJ, STL and PLY, distinguished by the name and the first bytes.

use super::data_file::DataError;
use super::{obj, ply, stl};
use crate::shape::mesh_content::MeshContent;

/// Format of a mesh file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MeshFormat {
    Obj,
    Stl,
    Ply,
}

impl MeshFormat {
    /// Returns the format of a file: PLY by its first line, STL by its extension, otherwise OBJ.
    pub(super) fn of(name: &str, bytes: &[u8]) -> Self {
        let is_stl = name.len() > 4 && name.to_ascii_lowercase().ends_with(".stl");
        match bytes {
            [b'p', b'l', b'y', b'\n' | b'\r', ..] => Self::Ply,
            _ if is_stl => Self::Stl,
            _ => Self::Obj,
        }
    }

    /// Reads the bytes of an STL or PLY file. Use [`obj::read`] for the text of an OBJ file.
    ///
    /// # Errors
    /// Returns an error at the first invalid position.
    pub(super) fn read(self, bytes: &[u8]) -> Result<MeshContent, DataError> {
        match self {
            Self::Stl => stl::read(bytes),
            Self::Ply => ply::read(bytes),
            Self::Obj => obj::read(&String::from_utf8_lossy(bytes)),
        }
    }
}
