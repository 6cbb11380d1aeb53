//! The formats, and how one is written.

use super::contents::Contents;
use super::error::ExportError;
use super::recording::Recording;
use super::{gltf, obj, usda, vtp};
use std::{ffi::OsStr, fs::File, io, io::Write, path::Path};

/// A format of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportFormat {
    /// Binary glTF 2.0, one file.
    #[default]
    Glb,
    /// OpenUSD as text, one file.
    Usda,
    /// XML PolyData of VTK, a file a frame and a list of them.
    Vtp,
    /// Wavefront OBJ, a file a frame.
    Obj,
}

/// What is to be known of a format before it is written.
#[derive(Clone, Copy, Debug)]
pub struct FormatInfo {
    /// The format.
    pub format: ExportFormat,
    /// Its name, and the ending of its files.
    pub name: &'static str,
    /// Whether it is a folder of files.
    pub is_folder: bool,
    /// Whether it has velocities and the like.
    pub has_motion: bool,
    /// Whether its numbers are of 32 bits.
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
    /// What is to be known of it.
    pub fn info(self) -> &'static FormatInfo {
        let found = FORMATS.iter().find(|info| info.format == self);
        found.unwrap_or(&FORMATS[0])
    }

    /// The format that the ending of a path names.
    pub fn of_path(path: &Path) -> Option<Self> {
        let ending = path.extension().and_then(OsStr::to_str)?.to_ascii_lowercase();
        FORMATS.iter().find(|info| info.name == ending).map(|info| info.format)
    }
}

/// How ropes and nets stand in glTF, which has lines without thickness only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RopeForm {
    /// As tubes.
    #[default]
    Tube,
    /// As lines.
    Line,
}

/// How an export is written.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WriteOptions {
    /// How ropes stand in glTF.
    pub ropes: RopeForm,
    /// Frames a second of glTF and USD; `None` keeps the time of the scene.
    pub rate: Option<f64>,
}

/// Where an export goes.
pub trait Files {
    /// The one file of a format, or the file of this name in a folder. What `fill` writes has its
    /// name when all of it is written, at the earliest.
    ///
    /// # Errors
    /// Those of `fill`, and when the file fails.
    fn file(&mut self, name: &str, fill: &mut Fill<'_>) -> Result<(), ExportError>;

    /// An empty file without a name, that can be read and written.
    ///
    /// # Errors
    /// When it cannot be made.
    fn spare(&mut self) -> io::Result<File>;
}

/// Writes the bytes of a file.
pub type Fill<'a> = dyn FnMut(&mut dyn Write) -> Result<(), ExportError> + 'a;

/// What a format is made of.
pub(super) struct Input<'a> {
    pub(super) contents: &'a Contents,
    pub(super) recording: &'a mut Recording,
    pub(super) options: WriteOptions,
    pub(super) stop: &'a dyn Fn() -> bool,
}

impl Input<'_> {
    /// Refuses to go on where it is to end early.
    pub(super) fn go_on(&self) -> Result<(), ExportError> {
        if (self.stop)() { Err(ExportError::Stopped) } else { Ok(()) }
    }

    /// Seconds from frame to frame.
    pub(super) fn seconds(&self) -> f64 {
        self.options.rate.map_or(self.contents.frame_time, |rate| 1.0 / rate)
    }
}

/// Writes a recording of contents in a format; it ends early when `stop` says so.
///
/// # Errors
/// When it does not fit into the format, a file fails, or it is to end early.
pub fn write(
    format: ExportFormat,
    (contents, recording): (&Contents, &mut Recording),
    options: WriteOptions,
    files: &mut dyn Files,
    stop: &dyn Fn() -> bool,
) -> Result<(), ExportError> {
    let info = format.info();
    let farthest = recording.farthest();
    if info.is_single && farthest > f64::from(f32::MAX) {
        return Err(ExportError::Unfit(format!(
            "{} has numbers of 32 bits, up to 3.4e38, and a node is at {farthest:e}; vtp and obj have larger ones",
            info.name
        )));
    }
    let mut input = Input { contents, recording, options, stop };
    match format {
        ExportFormat::Glb => gltf::write(&mut input, files),
        ExportFormat::Usda => usda::write(&mut input, files),
        ExportFormat::Vtp => vtp::write(&mut input, files),
        ExportFormat::Obj => obj::write(&mut input, files),
    }
}

/// Refuses a glTF file that is known to be too large.
///
/// # Errors
/// When it would have more than 4 GiB.
pub fn check_glb(bytes: u64) -> Result<(), ExportError> {
    if bytes > u64::from(u32::MAX) {
        return Err(ExportError::Unfit(gltf::too_large(bytes)));
    }
    Ok(())
}
