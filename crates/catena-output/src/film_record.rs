//! The record of the films that shards of a folder were joined to, in its private folder: no other
//! file is replaced.

use super::{
    OutputError,
    atomic::Durability,
    hash::sha256_of_file,
    journal::{Journal, JournalContents},
    names::PRIVATE,
    ownership::foreign_file,
};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// File name of the record, in the private folder, and its key.
const RECORD: &str = "films";

/// The films that catena has written into a folder.
#[derive(Debug)]
pub struct FilmRecord {
    path: PathBuf,
    /// Names and hashes.
    films: Vec<(String, String)>,
}

impl FilmRecord {
    /// The record of a folder; it is empty where there is none.
    ///
    /// # Errors
    /// When it cannot be read at the moment.
    pub fn read(folder: &Path) -> Result<Self, OutputError> {
        let path = folder.join(PRIVATE).join(RECORD);
        let films = JournalContents::read(&path)?.map_or_else(Vec::new, |past| past.files);
        Ok(Self { path, films })
    }

    /// Makes sure that a film may take this name in the folder: nothing lies there, or a link, an
    /// empty file, or a film that catena has written.
    ///
    /// # Errors
    /// When another file lies there, or it cannot be read.
    pub fn check_replaceable(&self, path: &Path) -> Result<(), OutputError> {
        let refuse = |cause| OutputError::new("read", path, cause);
        let meta = match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            meta => meta.map_err(refuse)?,
        };
        if meta.is_symlink() || (meta.is_file() && meta.len() == 0) {
            return Ok(());
        }
        let is_ours = meta.is_file() && {
            let hash = sha256_of_file(path, u64::MAX).map_err(refuse)?;
            self.films.iter().any(|(_, known)| *known == hash)
        };
        if is_ours { Ok(()) } else { Err(foreign_file(path)) }
    }

    /// Notes a film that is whole and about to take its name. The one that it replaces stays known,
    /// since this process may end in between.
    ///
    /// # Errors
    /// When the film cannot be read, or the record not be written.
    pub fn announce(&mut self, name: &str, unfinished: &Path) -> Result<(), OutputError> {
        let hash = sha256_of_file(unfinished, u64::MAX);
        let hash = hash.map_err(|cause| OutputError::new("read", unfinished, cause))?;
        let film = (name.to_owned(), hash);
        self.films.retain(|known| *known != film);
        self.films.push(film);
        Journal::write_files(&self.path, RECORD, &self.films, Durability::Synced)
    }

    /// Forgets what the last film of this name has replaced, now that it has the name.
    ///
    /// # Errors
    /// When the record cannot be written.
    pub fn settle(&mut self, name: &str) -> Result<(), OutputError> {
        let last = self.films.iter().rfind(|(known, _)| known == name).cloned();
        self.films.retain(|(known, _)| known != name);
        self.films.extend(last);
        Journal::write_files(&self.path, RECORD, &self.films, Durability::Written)
    }
}
