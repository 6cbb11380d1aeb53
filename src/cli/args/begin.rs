//! Options of the commands that help to begin: `new`, `import`, `methods`, `fields`, `completions`,
//! `man`.

use super::value::{plane_point, step};
use crate::cli::args::completers;
use crate::job::{TEMPLATES, Template};
use clap::{
    Args, ValueHint,
    builder::{PossibleValue, PossibleValuesParser},
};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct NewArgs {
    /// File to write; - writes to standard output. Adds .ron if it is missing and creates folders.
    /// In an existing folder, the file gets the name of the template [default: the name of the
    /// template].
    #[arg(value_name = "NAME")]
    pub(in crate::cli) name: Option<PathBuf>,
    /// Template [default: the template called NAME, otherwise rope].
    #[arg(short, long, value_name = "TEMPLATE", value_parser = templates())]
    template: Option<String>,
    /// Print the scene instead of writing a file.
    #[arg(long, conflicts_with = "name")]
    pub(in crate::cli) print: bool,
}

/// Names of all templates.
fn templates() -> PossibleValuesParser {
    let value = |template: &Template| PossibleValue::new(template.name).help(template.summary);
    PossibleValuesParser::new(TEMPLATES.iter().map(value))
}

impl NewArgs {
    /// Returns the requested template, or else the template with the name of the file.
    pub(in crate::cli) fn template(&self) -> &'static Template {
        let stem = || self.name.as_ref()?.file_stem()?.to_str();
        let name = self.template.as_deref().or_else(stem);
        name.and_then(Template::of).unwrap_or(&TEMPLATES[0])
    }
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ImportArgs {
    /// MoorDyn input file, version 1 or 2; - reads standard input.
    #[arg(value_name = "DECK", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) deck: PathBuf,
    /// Scene to write, which must not exist yet [default: standard output].
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) output: Option<PathBuf>,
    /// File with the motion of the coupled points, in the folder of the scene: rows of a time and
    /// x, y, z of each point; or of a vessel, with columns called time, surge, sway and heave.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) motion: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct MethodsArgs {
    /// Name to explain, such as ConstraintVerlet or Gusts, or table to list, such as curves. Upper
    /// and lower case are the same [default: all tables].
    #[arg(value_name = "NAME", add = completers::things())]
    pub(in crate::cli) name: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// Print whether a step of the method NAME is stable for this eigenvalue λ, as the function
    /// is_euler_stable(re, im, dt) of lecture notes does.
    #[arg(long, value_name = "RE,IM", allow_hyphen_values = true, requires = "name", value_parser = plane_point)]
    pub(in crate::cli) at: Option<[f64; 2]>,
    /// Step dt for --at.
    #[arg(long, value_name = "DT", default_value_t = 1.0, requires = "at", value_parser = step)]
    pub(in crate::cli) dt: f64,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct FieldsArgs {
    /// Field to explain, such as rope.nodes, or group to list, such as rope [default: all fields].
    #[arg(value_name = "PATH", add = completers::field_paths())]
    pub(in crate::cli) path: Option<String>,
    /// Print JSON.
    #[arg(long)]
    pub(in crate::cli) json: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct CompletionsArgs {
    /// Shell.
    #[arg(value_name = "SHELL", value_parser = PossibleValuesParser::new(completers::SHELL_NAMES))]
    pub(in crate::cli) shell: String,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ManArgs {
    /// Command whose page is printed, or scene for the page of all fields [default: the page of
    /// catena].
    #[arg(value_name = "COMMAND", conflicts_with = "out", add = completers::pages())]
    pub(in crate::cli) command: Option<String>,
    /// Write all pages into man1 and man5 of this folder, replacing existing ones.
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub(in crate::cli) out: Option<PathBuf>,
}
