//! Where an export goes: a file, a folder, or standard output.

use super::FileError;
use crate::job::RunError;
use catena_output::{
    OutputError,
    atomic::{is_device, open_device, unfinished_beside},
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

/// Where an export goes. Without [`Target::publish`] nothing of it stays.
pub(super) struct Target {
    path: PathBuf,
    place: Option<Place>,
    // Folders go last, when nothing has come into them.
    _around: Around,
}

enum Place {
    File(UnfinishedFile),
    Folder(Bundle),
    Device(File),
    Stdout,
}

impl Target {
    /// Makes ready for an export.
    ///
    /// # Errors
    /// When something is in the way, or nothing can be made there.
    pub(super) fn open(path: &Path, format: ExportFormat) -> Result<Self, RunError> {
        let info = format.info();
        let is_stdout = stdout::is_stdout(path);
        if info.is_folder && (is_stdout || is_device(path)) {
            return Err(RunError::Option(format!(
                "{} is a folder of files, which cannot go to {}; choose a folder with -o",
                info.name,
                if is_stdout { "standard output" } else { "a pipe or device" }
            )));
        }
        let refuse = |cause| OutputError::new("write", path, cause);
        if is_stdout {
            return Ok(Self::at(path, Place::Stdout, Around::default()));
        }
        if is_device(path) {
            let file = open_device(path).map_err(refuse)?;
            return Ok(Self::at(path, Place::Device(file), Around::default()));
        }
        let around = Around::of(path)?;
        let place = match info.is_folder {
            true => Place::Folder(Bundle::begin(path)?),
            false => Place::File(unfinished_beside(path).map_err(refuse)?),
        };
        Ok(Self::at(path, place, around))
    }

    fn at(path: &Path, place: Place, around: Around) -> Self {
        Self { path: path.into(), place: Some(place), _around: around }
    }

    /// An empty file without a name, on the disk of the output.
    pub(super) fn spare(&self) -> io::Result<File> {
        match &self.place {
            Some(Place::File(_) | Place::Folder(_)) => {
                let folder = self.path.parent().filter(|path| !path.as_os_str().is_empty());
                tempfile::tempfile_in(folder.unwrap_or(Path::new(".")))
            }
            _ => tempfile::tempfile(),
        }
    }

    /// Gives what is written its name.
    ///
    /// # Errors
    /// When the system refuses, or something is in the way by now.
    pub(super) fn publish(&mut self) -> Result<(), OutputError> {
        match self.place.take() {
            Some(Place::File(file)) => file.publish(&self.path),
            Some(Place::Folder(bundle)) => bundle.publish(),
            Some(Place::Device(_) | Place::Stdout) | None => Ok(()),
        }
    }
}

/// Writes all that `fill` gives to a file.
fn fill_in(out: &mut dyn Write, fill: &mut Fill<'_>) -> Result<(), ExportError> {
    let mut writer = BufWriter::with_capacity(1 << 16, out);
    fill(&mut writer)?;
    Ok(writer.flush()?)
}

impl Files for Target {
    fn write_file(&mut self, name: &str, fill: &mut Fill<'_>) -> Result<(), ExportError> {
        match &mut self.place {
            Some(Place::File(file)) => fill_in(file.file(), fill),
            Some(Place::Folder(bundle)) => {
                Ok(bundle.add(name, |out| fill(out).map_err(FileError::Export))?)
            }
            Some(Place::Device(file)) => fill_in(file, fill),
            Some(Place::Stdout) => {
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
