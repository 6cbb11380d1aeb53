//! Destinations of a film's bytes: a file, a device, standard output or memory.

use super::error::FilmError;
use crate::film::format::FilmTarget;
use crate::{
    atomic::{self, is_device},
    stdout::StdoutWriter,
    unfinished::UnfinishedFile,
};
use std::{
    fs::{File, OpenOptions},
    io::{self, BufWriter, IsTerminal, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

/// Film under a hidden name next to its target, which it replaces when complete. Another program
/// may write the file.
pub(super) struct UnfinishedFilm {
    temporary: UnfinishedFile,
    path: PathBuf,
}

impl UnfinishedFilm {
    pub(super) fn create(path: &Path) -> Result<Self, FilmError> {
        let temporary = atomic::create_unfinished(path)
            .map_err(|cause| FilmError::output("write", path, cause))?;
        Ok(Self { temporary, path: path.into() })
    }

    /// Final path of the film.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Hidden path of the film.
    pub(super) fn temporary_path(&self) -> &Path {
        self.temporary.path()
    }

    /// Gives the file its name, after synchronizing it to the disk.
    pub(super) fn publish(self) -> Result<(), FilmError> {
        let refuse = |cause| FilmError::output("write", &self.path, cause);
        // Reopened, since ffmpeg may have replaced the file.
        let file = OpenOptions::new().write(true).open(self.temporary.path()).map_err(refuse)?;
        file.sync_all().map_err(refuse)?;
        self.temporary.persist(&self.path).map_err(refuse)
    }
}

/// Destination of a film.
enum Destination {
    File(BufWriter<UnfinishedFilm>),
    Device(BufWriter<File>),
    Stdout(BufWriter<StdoutWriter>),
    Memory(FilmBytes),
}

/// Bytes of a film in memory. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct FilmBytes(Arc<Mutex<Vec<u8>>>);

impl FilmBytes {
    /// Removes and returns the bytes so far.
    pub fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for FilmBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Write for UnfinishedFilm {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.temporary.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.temporary.file().flush()
    }
}

/// Writer of films. Encoders take ownership of their writer, so clones share one destination.
#[derive(Clone)]
pub(super) struct FilmWriter {
    place: Arc<Mutex<Option<Destination>>>,
    name: PathBuf,
}

impl FilmWriter {
    pub(super) fn open(target: &FilmTarget) -> Result<Self, FilmError> {
        let (place, name) = match target {
            FilmTarget::Stdout if io::stdout().is_terminal() => {
                return Err(FilmError::Usage(
                    "standard output is a terminal; send the film to a program or a file".into(),
                ));
            }
            FilmTarget::Stdout => {
                let writer = BufWriter::with_capacity(BUFFER, StdoutWriter::default());
                (Destination::Stdout(writer), "standard output".into())
            }
            FilmTarget::File(path) if is_device(path) => {
                let file = atomic::open_device(path);
                let file = file.map_err(|cause| FilmError::output("write to", path, cause))?;
                (Destination::Device(BufWriter::with_capacity(BUFFER, file)), path.clone())
            }
            FilmTarget::File(path) => (
                Destination::File(BufWriter::with_capacity(BUFFER, UnfinishedFilm::create(path)?)),
                path.clone(),
            ),
        };
        Ok(Self { place: Arc::new(Mutex::new(Some(place))), name })
    }

    /// Creates a writer into memory.
    pub(super) fn into_memory(bytes: &FilmBytes) -> Self {
        let place = Destination::Memory(bytes.clone());
        Self { place: Arc::new(Mutex::new(Some(place))), name: "memory".into() }
    }

    /// Error of a failed write. A closed standard output is not a failure.
    pub(super) fn refuse(&self, cause: io::Error) -> FilmError {
        match self.place.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            Some(Destination::Stdout(writer)) if !writer.get_ref().has_reader() => {
                FilmError::ReaderGone
            }
            _ => FilmError::output("write", &self.name, cause),
        }
    }

    /// Writes buffered data and gives the file its name.
    pub(super) fn finish(self) -> Result<(), FilmError> {
        let refuse = |cause| FilmError::output("write", &self.name, cause);
        let place = self.place.lock().unwrap_or_else(PoisonError::into_inner).take();
        match place {
            Some(Destination::File(writer)) => {
                let part = writer.into_inner().map_err(|error| refuse(error.into_error()))?;
                part.publish()
            }
            Some(Destination::Device(mut writer)) => writer.flush().map_err(refuse),
            Some(Destination::Stdout(mut writer)) => {
                writer.flush().map_err(refuse)?;
                if writer.get_ref().has_reader() { Ok(()) } else { Err(FilmError::ReaderGone) }
            }
            Some(Destination::Memory(_)) | None => Ok(()),
        }
    }
}

const BUFFER: usize = 1 << 17;

impl Write for FilmWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.place.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            Some(Destination::File(writer)) => writer.write(bytes),
            Some(Destination::Device(writer)) => writer.write(bytes),
            // The reader has gone, so further encoding is useless.
            Some(Destination::Stdout(writer)) if !writer.get_ref().has_reader() => {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            Some(Destination::Stdout(writer)) => writer.write(bytes),
            Some(Destination::Memory(film)) => film.write(bytes),
            None => Err(io::Error::other("the film is already finished")),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
