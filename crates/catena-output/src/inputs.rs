//! Files that a command reads, which no output may replace.
//!
//! Files are compared by their file system identity, since links and hard links give one file
//! several names.

use catena_base::text::printable;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// File system identity of a file: device and inode on Unix, the canonical path elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FileIdentity(#[cfg(unix)] [u64; 2], #[cfg(not(unix))] PathBuf);

impl FileIdentity {
    /// Identity of the file or folder at a path. Returns `None` if nothing exists there, and for a
    /// device, which no output replaces.
    fn of(path: &Path) -> Option<Self> {
        let meta = fs::metadata(path).ok()?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::{FileTypeExt, MetadataExt};
            let is_device = meta.file_type().is_char_device();
            (!is_device).then(|| Self([meta.dev(), meta.ino()]))
        }
        #[cfg(not(unix))]
        (meta.is_file() || meta.is_dir()).then(|| fs::canonicalize(path).ok().map(Self)).flatten()
    }
}

/// File or folder that a command reads.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CommandInput {
    /// Noun phrase for messages, such as `the scene`.
    role: String,
    path: PathBuf,
}

/// Files and folders that a command reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs(Vec<CommandInput>);

impl Inputs {
    /// Adds a file or a folder. `role` is a noun phrase for messages, such as `the scene`.
    pub fn add(&mut self, role: impl Into<String>, path: impl Into<PathBuf>) {
        self.0.push(CommandInput { role: role.into(), path: path.into() });
    }

    /// Returns the relation of an output to the file that it would replace, such as `is the scene`.
    /// Returns `None` if it replaces none of these files under any name.
    pub fn replaced_by(&self, output: &Path) -> Option<String> {
        // A new file replaces nothing.
        let identity = FileIdentity::of(output)?;
        let is_it =
            |input: &&CommandInput| FileIdentity::of(&input.path).is_some_and(|it| it == identity);
        Some(self.0.iter().find(is_it)?.relation(output, "leads to"))
    }

    /// Rejects an output that leads to one of these files. `option` is the command line option
    /// before it.
    ///
    /// # Errors
    /// Returns a message that names the option, the output and the input.
    pub fn refuse(&self, option: &str, output: &Path) -> Result<(), String> {
        self.replaced_by(output).map_or(Ok(()), |what| Err(refusal(option, output, &what)))
    }

    /// Rejects an output folder that contains one of these files, for commands that replace the
    /// whole folder.
    ///
    /// # Errors
    /// Returns a message that names the option, the output and the input.
    pub fn refuse_around(&self, option: &str, output: &Path) -> Result<(), String> {
        let Ok(whole) = fs::canonicalize(output) else { return Ok(()) };
        let is_inside = |input: &&CommandInput| {
            fs::canonicalize(&input.path).is_ok_and(|path| path.starts_with(&whole))
        };
        match self.0.iter().find(is_inside) {
            Some(input) => Err(refusal(option, output, &input.relation(output, "contains"))),
            None => Ok(()),
        }
    }
}

impl CommandInput {
    /// Describes the relation of an output to this input. `how` joins the two paths.
    fn relation(&self, output: &Path, how: &str) -> String {
        let (output, path) = (printable::path(output), printable::path(&self.path));
        let role = &self.role;
        match output == path {
            true => format!("is {role}"),
            false => format!("{how} {path}, {role}"),
        }
    }
}

fn refusal(option: &str, output: &Path, what: &str) -> String {
    let output = printable::path(output);
    format!("{option}: {output} {what} that this command reads; choose another {option}")
}
