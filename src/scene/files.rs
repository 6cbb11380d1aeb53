//! Files that a scene names: points of ropes, meshes. Each is read once and kept, so that all that
//! is made from it is made from the same text.

use super::diagnostic::Fault;
use super::limits::{LIFT, Limits};
use crate::read;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A file that a scene names, as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedFile {
    /// Its name, as the scene writes it.
    pub name: String,
    /// Its text.
    pub text: Arc<str>,
}

/// The files of a scene so far.
#[derive(Debug)]
pub(super) struct Files {
    /// What names are relative to.
    folder: PathBuf,
    /// Bytes that one may have.
    most: u64,
    texts: Mutex<BTreeMap<String, Arc<str>>>,
}

impl Files {
    /// The files of a scene that messages call `origin`: its path, if it has one.
    pub(super) fn beside(origin: &str, limits: &Limits) -> Arc<Self> {
        let folder = Path::new(origin).parent().unwrap_or(Path::new("")).to_owned();
        Arc::new(Self { folder, most: limits.data_bytes, texts: Mutex::default() })
    }

    /// The text of a file, without a byte-order mark.
    pub(super) fn text(&self, name: &str) -> Result<Arc<str>, Fault> {
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = texts.get(name) {
            return Ok(Arc::clone(text));
        }
        let path = self.folder.join(name);
        let text = read::text(&path, self.most).map_err(|error| {
            let shown = path.display();
            let fault = Fault::new(format!("{shown} cannot be read: {error}"));
            match error.kind() {
                ErrorKind::NotFound => fault.help("names of files are relative to the scene"),
                ErrorKind::InvalidData => fault.help(LIFT),
                _ => fault.help("name an ordinary file of UTF-8 text"),
            }
        })?;
        let text: Arc<str> = text.strip_prefix('\u{feff}').unwrap_or(&text).into();
        texts.insert(name.into(), Arc::clone(&text));
        Ok(text)
    }

    /// All files that were read, by name.
    pub(super) fn used(&self) -> Vec<UsedFile> {
        let texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let used = |(name, text): (&String, &Arc<str>)| UsedFile {
            name: name.clone(),
            text: Arc::clone(text),
        };
        texts.iter().map(used).collect()
    }
}
