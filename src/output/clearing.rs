//! What a render removes from its folder before it begins, in an order in which a manifest never
//! names what is not there.
//!
//! First it is noted what goes, then the manifest forgets it, then it goes. A process that is
//! killed between leaves files that no manifest names, and the note knows them as ours.

use super::{
    OutputError,
    atomic::{self, Care},
    chunks,
    folder::{Folder, Found},
    journal::Journal,
    manifest::Manifest,
    names::{MANIFEST, STEADY, frame_number, is_ours},
    ours::{self, Occupant, Ours},
};
use crate::read;
use std::{
    collections::{BTreeSet, HashSet},
    fs, io,
};

/// How many files a note names.
const MOST_NAMES: usize = 4;

/// What a render is about to write.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Frames that are not there yet.
    pub frames: BTreeSet<u64>,
    /// Whether the steady-state comparison is to be made.
    pub steady: bool,
    /// Width and height of a frame.
    pub size: [u32; 2],
}

impl Wanted {
    fn has(&self, name: &str) -> bool {
        let is_frame = frame_number(name).is_some_and(|frame| self.frames.contains(&frame));
        is_frame || (self.steady && name == STEADY)
    }

    /// Whether these bytes may be what is written under a name, or a torn part of it.
    fn could_be(&self, name: &str, bytes: &[u8]) -> bool {
        // The size of the steady-state comparison follows from what is in it.
        let start = chunks::beginning((name != STEADY).then_some(self.size));
        ours::holds(&start, &bytes[..bytes.len().min(start.len())])
    }
}

/// What goes.
#[derive(Clone, Debug, Default)]
pub struct Clearing {
    /// Files that are removed, with their hashes.
    removed: Vec<(String, String)>,
    /// Damaged files, which are moved aside.
    damaged: Vec<String>,
    /// Whether the old manifest cannot be trusted; then a copy of it is kept in
    /// `.catena/replaced`.
    keeps_manifest: bool,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl Folder {
    /// Looks at every picture that is not kept: what is ours goes, what is in the way of a wanted
    /// file and not ours is an error, and what is not in the way stays.
    ///
    /// # Errors
    /// When something is in the way, when a file cannot be read, or when the folder is somebody
    /// else's.
    pub fn plan(&self, found: &Found, wanted: &Wanted) -> Result<Clearing, OutputError> {
        let mut keep: HashSet<&str> = found.frames.iter().map(|e| e.file.as_str()).collect();
        // The manifest makes the folder ours: it is replaced, and never away.
        keep.insert(MANIFEST);
        if found.steady.is_some() {
            keep.insert(STEADY);
        }
        let mut names = self.pictures()?;
        names.retain(|name| !keep.contains(name.as_str()));
        self.refuse_strangers(names.first())?;
        let mut clearing =
            Clearing { keeps_manifest: found.has_untrusted_manifest, ..Clearing::default() };
        let mut staying = Vec::new();
        for name in names {
            let path = self.file(&name);
            let is_named = found.ours.names(&name);
            match found.ours.look(&path, &name)? {
                Occupant::Nothing => {}
                Occupant::Ours(hash) => clearing.removed.push((name, hash)),
                Occupant::Damaged => clearing.damaged.push(name),
                Occupant::Link | Occupant::Blank if is_named || wanted.has(&name) => {
                    clearing.removed.push((name, String::new()));
                }
                // One that may be equal to what takes its place is looked at then.
                Occupant::Other(Some(bytes))
                    if wanted.has(&name) && !is_named && wanted.could_be(&name, &bytes) => {}
                Occupant::Other(_) if wanted.has(&name) => return Err(ours::foreign(&path)),
                Occupant::Link | Occupant::Blank | Occupant::Other(_) => staying.push(name),
            }
        }
        clearing.notes.extend(stay(&staying));
        Ok(clearing)
    }

    /// The names of all that could be pictures of a render, and of the manifest, in order.
    fn pictures(&self) -> Result<Vec<String>, OutputError> {
        let refuse = |cause| OutputError::new("clear the folder", self.path(), cause);
        let mut names = Vec::new();
        for entry in fs::read_dir(self.path()).map_err(refuse)? {
            let name = entry.map_err(refuse)?.file_name().into_string().ok();
            names.extend(name.filter(|name| is_ours(name)));
        }
        names.sort();
        Ok(names)
    }

    /// Refuses a folder that was never ours.
    fn refuse_strangers(&self, picture: Option<&String>) -> Result<(), OutputError> {
        let manifest = self.file(MANIFEST);
        // One that is lost does not make the folder somebody else's.
        let is_lost = self.is_known && fs::symlink_metadata(&manifest).is_err();
        let what = match picture {
            Some(name) if !is_lost && !manifest.is_file() => format!(
                "it holds {name} and no manifest.json, so catena did not make it; choose another --out, or move such files"
            ),
            _ if Manifest::is_strange(self.path(), self.is_known) => format!(
                "its {MANIFEST} is not of catena's making; choose another --out, or move it"
            ),
            _ => return Ok(()),
        };
        self.go_away();
        Err(OutputError::new("render into", self.path(), io::Error::other(what)))
    }

    /// Writes the new manifest, which names only what stays, and then removes what goes. Says what
    /// is moved aside.
    ///
    /// # Errors
    /// When a file cannot be written, moved or removed.
    pub fn clear(
        &self,
        clearing: &Clearing,
        manifest: &Manifest,
    ) -> Result<Vec<String>, OutputError> {
        let Clearing { removed, damaged, .. } = clearing;
        let is_idle = removed.is_empty() && damaged.is_empty();
        if !is_idle {
            let named = damaged.iter().map(|name| (name.clone(), String::new()));
            let files: Vec<(String, String)> = removed.iter().cloned().chain(named).collect();
            // On the disk before the manifest that forgets the same files: a power failure between
            // the two must not leave files that no record names.
            Journal::write_files(&self.former(), "former", &files, Care::Synced)?;
        }
        let mut notes = Vec::new();
        if clearing.keeps_manifest {
            notes.extend(self.copy_manifest_aside()?);
        }
        if is_idle {
            manifest.write(self.path())?;
        } else {
            // On the disk before anything goes that the old one names.
            manifest.write_with(self.path(), Care::Synced)?;
        }
        for name in damaged {
            notes.push(self.move_aside(name)?);
        }
        removed.iter().try_for_each(|(name, _)| atomic::remove(&self.file(name)))?;
        atomic::remove(&self.former())?;
        Ok(notes)
    }

    /// Makes way for a file that a record names and that is not what it was. Says what is moved
    /// aside.
    ///
    /// # Errors
    /// When it is neither ours nor damaged, or cannot be moved or removed.
    pub fn make_way(&self, ours: &Ours, name: &str) -> Result<Option<String>, OutputError> {
        let path = self.file(name);
        match ours.look(&path, name)? {
            Occupant::Nothing | Occupant::Link | Occupant::Blank => Ok(None),
            Occupant::Ours(_) => atomic::remove(&path).map(|()| None),
            Occupant::Damaged => self.move_aside(name).map(Some),
            Occupant::Other(_) => Err(ours::foreign(&path)),
        }
    }

    fn move_aside(&self, name: &str) -> Result<String, OutputError> {
        let (from, to) = (self.file(name), ours::aside(self.private(), name)?);
        fs::rename(&from, &to).map_err(|cause| OutputError::new("move aside", from, cause))?;
        Ok(format!("note: {name} was damaged and is made anew; {} is what it was", to.display()))
    }

    /// Keeps what is no manifest of ours as it was: a person may have changed it. One that is torn
    /// to nothing is nothing to keep.
    fn copy_manifest_aside(&self) -> Result<Option<String>, OutputError> {
        let from = self.file(MANIFEST);
        let bytes = read::file(&from, read::LARGE)
            .map_err(|cause| OutputError::new("read", &from, cause))?;
        if ours::is_blank(&bytes) {
            return Ok(None);
        }
        let to = ours::aside(self.private(), MANIFEST)?;
        atomic::write(&to, &bytes)?;
        Ok(Some(format!("note: {} is what {MANIFEST} was", to.display())))
    }
}

/// Says what stays and is not ours.
fn stay(names: &[String]) -> Option<String> {
    let shown = names.iter().take(MOST_NAMES).cloned().collect::<Vec<_>>().join(", ");
    let more = match names.len().saturating_sub(MOST_NAMES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let (is, stays) = if names.len() == 1 { ("is", "stays") } else { ("are", "stay") };
    (!names.is_empty()).then(|| {
        format!(
            "note: {shown}{more} {is} not catena's, or changed since; not in the way, so {stays} as found"
        )
    })
}
