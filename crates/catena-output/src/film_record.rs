//! Record of the films that were joined from shards in a folder, stored in its private folder. A
//! film replaces a nonempty file only if the record names it.

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

/// Name of the record's file in the private folder, and its key.
const RECORD: &str = "films";

/// Films that catena has written into a folder.
#[derive(Debug)]
pub struct FilmRecord {
    path: PathBuf,
    /// File name and hash of each film.
    films: Vec<(String, String)>,
}

impl FilmRecord {
    /// Reads the record of a folder; empty if it does not exist.
    ///
    /// # Errors
    /// Returns an error if the record exists but cannot be read now.
    pub fn read(folder: &Path) -> Result<Self, OutputError> {
        let path = folder.join(PRIVATE).join(RECORD);
        let films = JournalContents::read(&path)?.map_or_else(Vec::new, |past| past.files);
        Ok(Self { path, films })
    }

    /// Checks that a film may take this path: the path is free, or holds a link, an empty file, or
    /// a film that catena has written.
    ///
    /// # Errors
    /// Returns an error if the path holds another file, or cannot be read.
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

    /// Records a complete film that is about to get its name. The film that it replaces stays
    /// recorded, since this process may be killed in between.
    ///
    /// # Errors
    /// Returns an error if the film cannot be read, or the record cannot be written.
    pub fn announce(&mut self, name: &str, unfinished: &Path) -> Result<(), OutputError> {
        let hash = sha256_of_file(unfinished, u64::MAX);
        let hash = hash.map_err(|cause| OutputError::new("read", unfinished, cause))?;
        let film = (name.to_owned(), hash);
        self.films.retain(|known| *known != film);
        self.films.push(film);
        Journal::write_files(&self.path, RECORD, &self.films, Durability::Synced)
    }

    /// Removes the replaced film from the record, after the new film has taken its name.
    ///
    /// # Errors
    /// Returns an error if the record cannot be written.
    pub fn settle(&mut self, name: &str) -> Result<(), OutputError> {
        let last = self.films.iter().rfind(|(known, _)| known == name).cloned();
        self.films.retain(|(known, _)| known != name);
        self.films.extend(last);
        Journal::write_files(&self.path, RECORD, &self.films, Durability::Written)
    }
}
