//! Destination of an export: a file, a folder, or standard output.

use super::FileError;
use crate::job::RunError;
use catena_output::{
    OutputError,
    atomic::{create_unfinished, is_device, open_device},
    bundle::{Around, Bundle},
    stdout::{self, StdoutWriter},
    unfinished::UnfinishedFile,
};
use catena_study::export::{ExportError, ExportFormat, Files, Fill};
use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

/// Destination of an export. Without [`ExportTarget::publish`], all of its output is discarded.
pub(super) struct ExportTarget {
    path: PathBuf,
    place: Option<Destination>,
    // Dropped last: only empty folders can be removed.
    _around: Around,
}

enum Destination {
    File(UnfinishedFile),
    Folder(Bundle),
    Device(File),
    Stdout,
}

impl ExportTarget {
    /// Prepares the destination.
    ///
    /// # Errors
    /// A foreign file is in the way, or nothing can be created there.
    pub(super) fn open(path: &Path, format: ExportFormat) -> Result<Self, RunError> {
        let info = format.info();
        let is_stdout = stdout::is_stdout(path);
        if info.is_folder && (is_stdout || is_device(path)) {
            return Err(RunError::Option(format!(
                "{} consists of several files, which cannot be written to {}; choose a folder with \
                 -o",
                info.name,
                if is_stdout { "standard output" } else { "a pipe or device" }
            )));
        }
        let refuse = |cause| OutputError::new("write", path, cause);
        if is_stdout {
            return Ok(Self::at(path, Destination::Stdout, Around::default()));
        }
        if is_device(path) {
            let file = open_device(path).map_err(refuse)?;
            return Ok(Self::at(path, Destination::Device(file), Around::default()));
        }
        let around = Around::of(path)?;
        let place = match info.is_folder {
            true => Destination::Folder(Bundle::begin(path)?),
            false => Destination::File(create_unfinished(path).map_err(refuse)?),
        };
        Ok(Self::at(path, place, around))
    }

    fn at(path: &Path, place: Destination, around: Around) -> Self {
        Self { path: path.into(), place: Some(place), _around: around }
    }

    /// An empty temporary file, on the same disk as the output where possible.
    pub(super) fn spare(&self) -> io::Result<File> {
        match &self.place {
            Some(Destination::File(_) | Destination::Folder(_)) => {
                let folder = self.path.parent().filter(|path| !path.as_os_str().is_empty());
                tempfile::tempfile_in(folder.unwrap_or(Path::new(".")))
            }
            _ => tempfile::tempfile(),
        }
    }

    /// Moves the output to its final path.
    ///
    /// # Errors
    /// The system reports an error, or a foreign file has appeared at the path.
    pub(super) fn publish(&mut self) -> Result<(), OutputError> {
        match self.place.take() {
            Some(Destination::File(file)) => file.publish(&self.path),
            Some(Destination::Folder(bundle)) => bundle.publish(),
            Some(Destination::Device(_) | Destination::Stdout) | None => Ok(()),
        }
    }
}

/// Writes the content that `fill` produces, with a buffer.
fn fill_in(out: &mut dyn Write, fill: &mut Fill<'_>) -> Result<(), ExportError> {
    let mut writer = BufWriter::with_capacity(1 << 16, out);
    fill(&mut writer)?;
    Ok(writer.flush()?)
}

impl Files for ExportTarget {
    fn write_file(&mut self, name: &str, fill: &mut Fill<'_>) -> Result<(), ExportError> {
        match &mut self.place {
            Some(Destination::File(file)) => fill_in(file.file(), fill),
            Some(Destination::Folder(bundle)) => {
                Ok(bundle.add(name, |out| fill(out).map_err(FileError::Export))?)
            }
            Some(Destination::Device(file)) => fill_in(file, fill),
            Some(Destination::Stdout) => {
                let printed = fill_in(&mut StdoutWriter::default(), fill);
                printed.map_err(|error| match error {
                    ExportError::Write(cause) => FileError::Output(stdout::refused(cause)).into(),
                    error => error,
                })
            }
            None => Ok(()),
        }
    }

    fn create_spare(&mut self) -> io::Result<File> {
        Self::spare(self)
    }
}
