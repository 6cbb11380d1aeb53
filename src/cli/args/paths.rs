//! Table of all arguments that are paths, and how each command uses them.

use PathRole::{Allows, Creates, LaysOut, Reads, Starts, Writes, WritesInto};

/// Use of a path by a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathRole {
    /// Allows a scene to read the files of a folder. The option itself reads nothing.
    Allows,
    /// Reads a file, or a folder with its files. Outputs must not replace it.
    Reads,
    /// Starts a program: a path, or a name in PATH.
    Starts,
    /// Reads a file and writes it in place.
    LaysOut,
    /// Writes a file that must not exist yet.
    Creates,
    /// Writes a file, which replaces an older one.
    Writes,
    /// Writes files into a folder. Files that catena did not write are kept.
    WritesInto,
}

impl PathRole {
    /// Whether the command leaves files at the path or below it.
    pub fn is_output(self) -> bool {
        matches!(self, Self::Creates | Self::Writes | Self::WritesInto)
    }

    /// Whether the command reads the file or folder at the path.
    pub fn is_input(self) -> bool {
        matches!(self, Self::Reads | Self::Starts)
    }
}

/// An argument that is a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathOption {
    /// Subcommand.
    pub command: &'static str,
    /// Identifier of the argument in clap.
    pub id: &'static str,
    /// Option as typed, or name of a positional argument in help.
    pub shown: &'static str,
    /// Use of the path by the command.
    pub role: PathRole,
    /// Noun phrase for messages.
    pub what: &'static str,
}

const fn row(
    command: &'static str,
    [id, shown]: [&'static str; 2],
    role: PathRole,
    what: &'static str,
) -> PathOption {
    PathOption { command, id, shown, role, what }
}

const SCENE: [&str; 2] = ["scene", "SCENE"];
const FONT: [&str; 2] = ["font", "--font"];
const FIGURE_FONT: [&str; 2] = ["figure_font", "--figure-font"];
const ALLOW: [&str; 2] = ["allow_path", "--allow-path"];
const OUT: [&str; 2] = ["out", "--out"];
const OUTPUT: [&str; 2] = ["output", "-o"];
const FILM: [&str; 2] = ["film", "--film"];
const FFMPEG: [&str; 2] = ["ffmpeg", "--ffmpeg"];
const FFPROBE: [&str; 2] = ["ffprobe", "--ffprobe"];

/// All arguments that are paths, in the order of commands in help.
pub const PATH_OPTIONS: [PathOption; 90] = [
    row("new", ["name", "NAME"], Creates, "the new scene"),
    row("import", ["deck", "DECK"], Reads, "the deck"),
    row("import", OUTPUT, Creates, "the new scene"),
    row("import", ["motion", "--motion"], Reads, "the motion"),
    row("render", SCENE, Reads, "the scene"),
    row("render", ALLOW, Allows, "the folder of more files"),
    row("render", OUT, WritesInto, "the folder of frames"),
    row("render", FILM, Writes, "the film"),
    row("render", FONT, Reads, "the font"),
    row("render", FFMPEG, Starts, "the program ffmpeg"),
    row("render", FFPROBE, Starts, "the program ffprobe"),
    row("watch", SCENE, Reads, "the scene"),
    row("watch", ALLOW, Allows, "the folder of more files"),
    row("watch", OUT, WritesInto, "the folder of frames"),
    row("watch", FONT, Reads, "the font"),
    row("merge", ["folder", "DIR"], WritesInto, "the folder of shards"),
    row("merge", FIGURE_FONT, Reads, "the font of figures"),
    row("merge", FONT, Reads, "the font"),
    row("merge", FFMPEG, Starts, "the program ffmpeg"),
    row("merge", FFPROBE, Starts, "the program ffprobe"),
    row("trace", SCENE, Reads, "the scene"),
    row("trace", ALLOW, Allows, "the folder of more files"),
    row("trace", OUTPUT, Writes, "the table"),
    row("export", SCENE, Reads, "the scene"),
    row("export", ALLOW, Allows, "the folder of more files"),
    row("export", OUTPUT, Writes, "the export"),
    row("sweep", ["file", "SWEEP"], Reads, "the sweep"),
    row("sweep", ALLOW, Allows, "the folder of more files"),
    row("sweep", OUT, WritesInto, "the folder of the sweep"),
    row("sweep", FIGURE_FONT, Reads, "the font of figures"),
    row("sweep", FONT, Reads, "the font"),
    row("check", ["scenes", "SCENES"], Reads, "the scene"),
    row("check", ALLOW, Allows, "the folder of more files"),
    row("check", FONT, Reads, "the font"),
    row("stability", SCENE, Reads, "the scene"),
    row("stability", ALLOW, Allows, "the folder of more files"),
    row("stability", ["figure", "--figure"], Writes, "the chart"),
    row("stability", FIGURE_FONT, Reads, "the font of figures"),
    row("stability", FONT, Reads, "the font"),
    row("statics", SCENE, Reads, "the scene"),
    row("statics", ALLOW, Allows, "the folder of more files"),
    row("statics", OUTPUT, Writes, "the picture"),
    row("statics", FIGURE_FONT, Reads, "the font of figures"),
    row("statics", FONT, Reads, "the font"),
    row("report", SCENE, Reads, "the scene"),
    row("report", ALLOW, Allows, "the folder of more files"),
    row("report", OUT, WritesInto, "the folder of the report"),
    row("report", ["pdf", "--pdf"], Writes, "the PDF file"),
    row("report", FIGURE_FONT, Reads, "the font of figures"),
    row("report", FONT, Reads, "the font"),
    row("figure", SCENE, Reads, "the scene"),
    row("figure", ALLOW, Allows, "the folder of more files"),
    row("figure", OUTPUT, Writes, "the chart"),
    row("figure", FIGURE_FONT, Reads, "the font of figures"),
    row("figure", FONT, Reads, "the font"),
    row("page", ["scenes", "SCENES"], Reads, "the scene"),
    row("page", ALLOW, Allows, "the folder of more files"),
    row("page", OUTPUT, Writes, "the page"),
    row("page", ["module", "--module"], Reads, "the module"),
    row("verify", ["rod_orders", "--rod-orders"], Writes, "the chart"),
    row("fit", SCENE, Reads, "the scene"),
    row("fit", ALLOW, Allows, "the folder of more files"),
    row("fit", ["data", "--data"], Reads, "the data"),
    row("fit", ["figure", "--figure"], Writes, "the figure"),
    row("fit", FIGURE_FONT, Reads, "the font of figures"),
    row("fit", FONT, Reads, "the font"),
    row("fit", ["json", "--json"], Writes, "the estimates"),
    row("film", ["folder", "DIR"], Reads, "the folder of frames"),
    row("film", OUTPUT, Writes, "the film"),
    row("film", FFMPEG, Starts, "the program ffmpeg"),
    row("film", FFPROBE, Starts, "the program ffprobe"),
    row("diff", ["expected", "EXPECTED"], Reads, "the expected pictures"),
    row("diff", ["actual", "ACTUAL"], Reads, "the actual pictures"),
    row("diff", ["ignore", "--ignore"], Reads, "the mask"),
    row("diff", OUT, WritesInto, "the folder of failures"),
    row("diff", ["json", "--json"], Writes, "the numbers"),
    row("identify", ["data", "DATA"], Reads, "the numbers"),
    row("identify", SCENE, Reads, "the scene"),
    row("identify", ALLOW, Allows, "the folder of more files"),
    row("job", ["source", "SCENE|SWEEP"], Reads, "the scene or sweep"),
    row("job", ALLOW, Allows, "the folder of more files"),
    row("job", OUTPUT, Writes, "the job"),
    row("job", OUT, WritesInto, "the folder of shards"),
    row("job", FILM, Writes, "the film"),
    row("job", FONT, Reads, "the font"),
    row("job", FFMPEG, Starts, "the program ffmpeg"),
    row("job", FFPROBE, Starts, "the program ffprobe"),
    row("man", OUT, WritesInto, "the folder of pages"),
    row("fmt", ["scenes", "SCENES"], LaysOut, "the scene"),
    row("lsp", ALLOW, Allows, "the folder of more files"),
];
