//! Export formats, the dispatch to their writers, and the errors of an export.

use super::{contents::Contents, gltf, obj, recording::Recording, usda, vtp};
use crate::export::writer::{ExportError, Files, WriteOptions, WriterInput};
use std::ffi::OsStr;
use std::path::Path;

/// Format of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportFormat {
    /// Binary glTF 2.0, a single file.
    #[default]
    Glb,
    /// OpenUSD text, a single file.
    Usda,
    /// XML PolyData of VTK, one file per frame and a list of them.
    Vtp,
    /// Wavefront OBJ, one file per frame.
    Obj,
}

/// Properties of a format.
#[derive(Clone, Copy, Debug)]
pub struct FormatInfo {
    /// Format that is described.
    pub format: ExportFormat,
    /// Name of the format, and the extension of its files.
    pub name: &'static str,
    /// Whether the output is a folder of files.
    pub is_folder: bool,
    /// Whether the format stores velocities, pins, strains and tensions.
    pub has_motion: bool,
    /// Whether numbers have 32 bits.
    pub is_single: bool,
}

/// All formats.
pub const FORMATS: [FormatInfo; 4] = [
    FormatInfo {
        format: ExportFormat::Glb,
        name: "glb",
        is_folder: false,
        has_motion: false,
        is_single: true,
    },
    FormatInfo {
        format: ExportFormat::Usda,
        name: "usda",
        is_folder: false,
        has_motion: false,
        is_single: true,
    },
    FormatInfo {
        format: ExportFormat::Vtp,
        name: "vtp",
        is_folder: true,
        has_motion: true,
        is_single: false,
    },
    FormatInfo {
        format: ExportFormat::Obj,
        name: "obj",
        is_folder: true,
        has_motion: false,
        is_single: false,
    },
];

impl ExportFormat {
    /// Properties of the format.
    pub fn info(self) -> &'static FormatInfo {
        let found = FORMATS.iter().find(|info| info.format == self);
        found.unwrap_or(&FORMATS[0])
    }

    /// Format for the extension of a path.
    pub fn of_path(path: &Path) -> Option<Self> {
        let ending = path.extension().and_then(OsStr::to_str)?.to_ascii_lowercase();
        FORMATS.iter().find(|info| info.name == ending).map(|info| info.format)
    }
}

/// Writes recorded contents in a format. Ends early once `stop` returns true.
///
/// # Errors
/// Returns an error if the content does not fit the format, a file cannot be written, or the export
/// is interrupted.
pub fn write(
    format: ExportFormat,
    contents: &Contents,
    recording: &mut Recording,
    options: WriteOptions,
    files: &mut dyn Files,
    stop: &dyn Fn() -> bool,
) -> Result<(), ExportError> {
    let info = format.info();
    let farthest = recording.farthest();
    if info.is_single && farthest > f64::from(f32::MAX) {
        return Err(ExportError::Unfit(format!(
            "{} stores numbers in 32 bits, up to 3.4e38, but a node is at {farthest:e}; use --format vtp or obj",
            info.name
        )));
    }
    let mut input = WriterInput { contents, recording, options, stop };
    match format {
        ExportFormat::Glb => gltf::write(&mut input, files),
        ExportFormat::Usda => usda::write(&mut input, files),
        ExportFormat::Vtp => vtp::write(&mut input, files),
        ExportFormat::Obj => obj::write(&mut input, files),
    }
}

/// Rejects a glTF file whose size is known to be too large.
///
/// # Errors
/// Returns an error if the file would exceed 4 GiB.
pub fn check_glb(bytes: u64) -> Result<(), ExportError> {
    if bytes > u64::from(u32::MAX) {
        return Err(ExportError::Unfit(gltf::too_large(bytes)));
    }
    Ok(())
}
