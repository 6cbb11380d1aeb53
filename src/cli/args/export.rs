//! Options of `catena export`.

use super::{
    ProgressArgs, SceneArgs,
    value::{rate, whole},
};
use crate::export::{self, FORMATS};
use crate::job::{FrameChoice, FrameList, MAX_FRAMES};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct ExportArgs {
    #[command(flatten)]
    pub(in crate::cli) scene: SceneArgs,
    /// Export format [default: from the extension of -o, otherwise glb].
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<FormatKind>,
    /// Output file, or output folder for vtp and obj; - writes glb and usda to standard output.
    /// Replaces an existing export [default: out/<scene name>/<scene name>.glb or .usda, out/<scene
    /// name>/vtp or obj].
    #[arg(short, long, value_name = "PATH")]
    pub(in crate::cli) output: Option<PathBuf>,
    /// Number of frames to export [default: the scene's value].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MAX_FRAMES))]
    frames: Option<u64>,
    /// Export frames A to B inclusive, such as 100-199, or all from A on, such as 100-. They keep
    /// their times.
    #[arg(long, value_name = "A-B", conflicts_with = "frames")]
    frame_range: Option<FrameList>,
    /// Export only one panel, given by its label or by its number in `catena check`, counted from
    /// 1.
    #[arg(long, value_name = "PANEL", allow_hyphen_values = true)]
    pub(in crate::cli) panel: Option<String>,
    /// Representation of ropes and nets in glb: tubes, or lines without a thickness.
    #[arg(long, value_enum, default_value_t = RopeKind::Tube, value_name = "KIND")]
    ropes: RopeKind,
    /// Frames per second in glb and usda [default: the scene's own time, with frame_time seconds
    /// per frame].
    #[arg(long, value_name = "RATE", value_parser = rate)]
    pub(in crate::cli) fps: Option<f64>,
    /// Number of threads [default: one per processor]. The output does not depend on it.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    pub(in crate::cli) threads: Option<u16>,
    /// Exit with code 4 if a body diverges. The export is still written.
    #[arg(long)]
    pub(in crate::cli) strict: bool,
    #[command(flatten)]
    pub(in crate::cli) progress: ProgressArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatKind {
    /// Binary glTF 2.0, a file.
    Glb,
    /// OpenUSD as text, a file.
    Usda,
    /// VTK PolyData with velocities, strains and tensions, a folder with one file per frame.
    Vtp,
    /// Wavefront OBJ, a folder with one file per frame.
    Obj,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RopeKind {
    Tube,
    Line,
}

impl ExportArgs {
    /// Requested format, or an error message about an extension without a format.
    pub(in crate::cli) fn format(&self) -> Result<export::ExportFormat, String> {
        if let Some(kind) = self.format {
            return Ok(match kind {
                FormatKind::Glb => export::ExportFormat::Glb,
                FormatKind::Usda => export::ExportFormat::Usda,
                FormatKind::Vtp => export::ExportFormat::Vtp,
                FormatKind::Obj => export::ExportFormat::Obj,
            });
        }
        let Some(path) = self.output.as_ref().filter(|path| path.extension().is_some()) else {
            return Ok(export::ExportFormat::default());
        };
        let found = export::ExportFormat::of_path(path);
        if let Some(info) = found.map(export::ExportFormat::info).filter(|info| info.is_folder) {
            return Err(format!(
                "{} cannot be written as a single file: {1} needs a folder with one file per frame. Give the folder with -o, and choose --format {1}",
                path.display(),
                info.name
            ));
        }
        found.ok_or_else(|| {
            let names: Vec<&str> = FORMATS.iter().map(|info| info.name).collect();
            format!(
                "unknown export format of {}; choose one with --format: {}",
                path.display(),
                names.join(", ")
            )
        })
    }

    /// Selection of the requested frames.
    pub(in crate::cli) fn frames(&self) -> FrameChoice {
        FrameChoice::of_options(self.frame_range.as_ref(), self.frames)
    }

    /// Representation of ropes in glTF.
    pub(in crate::cli) fn ropes(&self) -> export::RopeForm {
        match self.ropes {
            RopeKind::Tube => export::RopeForm::Tube,
            RopeKind::Line => export::RopeForm::Line,
        }
    }
}
