//! Options of `catena export`.

use super::{
    ProgressArgs, SceneArgs,
    value::{FrameRange, rate, whole},
};
use crate::export::{self, FORMATS};
use crate::job::{FrameChoice, MOST_FRAMES};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct ExportArgs {
    #[command(flatten)]
    pub(in crate::cli) scene: SceneArgs,
    /// Format of the export [default: by the ending of -o, and glb without one].
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<FormatKind>,
    /// The file, or the folder of vtp and obj, in place of an older one; - is standard output, for
    /// glb and usda [default: out/<scene name>/<scene name>.glb or .usda, out/<scene name>/vtp or
    /// obj].
    #[arg(short, long, value_name = "PATH")]
    pub(in crate::cli) output: Option<PathBuf>,
    /// How many frames to export [default: what the scene says].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MOST_FRAMES))]
    frames: Option<u64>,
    /// Export the frames from A to B, both included, such as 100-199; they keep their times.
    #[arg(long, value_name = "A-B", conflicts_with = "frames")]
    frame_range: Option<FrameRange>,
    /// Export one panel: its label, or its number from 1 as `catena check` has it.
    #[arg(long, value_name = "PANEL")]
    pub(in crate::cli) panel: Option<String>,
    /// How ropes and nets stand in glb: as tubes, or as lines without a thickness.
    #[arg(long, value_enum, default_value_t = RopeKind::Tube, value_name = "KIND")]
    ropes: RopeKind,
    /// Let so many frames take a second in glb and usda [default: the scene's own time, in which a
    /// frame takes frame_time seconds].
    #[arg(long, value_name = "RATE", value_parser = rate)]
    pub(in crate::cli) fps: Option<f64>,
    /// How many threads simulate [default: as many as there are processors]. The
    /// bytes do not depend on it.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    pub(in crate::cli) threads: Option<u16>,
    /// Exit with 4 when a body diverges; all is written all the same.
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
                "{} is no single file: {1} is a folder with one file per frame; name the folder with -o, and choose --format {1}",
                path.display(),
                info.name
            ));
        }
        found.ok_or_else(|| {
            let names: Vec<&str> = FORMATS.iter().map(|info| info.name).collect();
            format!(
                "{} does not end as a file of a format; choose one with --format: {}",
                path.display(),
                names.join(", ")
            )
        })
    }

    /// Selection of the requested frames.
    pub(in crate::cli) fn frames(&self) -> FrameChoice {
        FrameChoice::of_options(self.frame_range.as_ref().map(|range| &range.0), self.frames)
    }

    /// Representation of ropes in glTF.
    pub(in crate::cli) fn ropes(&self) -> export::RopeForm {
        match self.ropes {
            RopeKind::Tube => export::RopeForm::Tube,
            RopeKind::Line => export::RopeForm::Line,
        }
    }
}
