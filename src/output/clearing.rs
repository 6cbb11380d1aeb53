//! What a render removes from its folder before it begins, in an order in which a manifest never
//! names what is not there.
//!
//! First it is noted what goes, then the manifest forgets it, then it goes. A process that is
//! killed between leaves files that no manifest names, and the note knows them as ours.

use super::{
    OutputError,
    atomic::{self, Durability},
    chunks,
    folder::{EarlierRender, Folder},
    journal::Journal,
    manifest::Manifest,
    names::{MANIFEST, STEADY, frame_number, is_ours},
    ownership::{self, Occupant, OwnedFiles},
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
pub struct WantedFiles {
    /// Frames that are not there yet.
    pub frames: BTreeSet<u64>,
    /// Whether the steady-state comparison is to be made.
    pub steady: bool,
    /// Width and height of a frame.
    pub size: [u32; 2],
}

impl WantedFiles {
    fn has(&self, name: &str) -> bool {
        let is_frame = frame_number(name).is_some_and(|frame| self.frames.contains(&frame));
        is_frame || (self.steady && name == STEADY)
    }

    /// Whether these bytes may be what is written under a name, or a torn part of it.
    fn could_become(&self, name: &str, bytes: &[u8]) -> bool {
        // The size of the steady-state comparison follows from what is in it.
        let start = chunks::beginning((name != STEADY).then_some(self.size));
        ownership::is_torn_copy(&start, &bytes[..bytes.len().min(start.len())])
    }
}

/// What goes.
#[derive(Clone, Debug, Default)]
pub struct ClearingPlan {
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
    pub fn plan(
        &self,
        found: &EarlierRender,
        wanted: &WantedFiles,
    ) -> Result<ClearingPlan, OutputError> {
        let mut keep: HashSet<&str> = found.frames.iter().map(|e| e.file.as_str()).collect();
        // The manifest makes the folder ours: it is replaced, and never away.
        keep.insert(MANIFEST);
        if found.steady.is_some() {
            keep.insert(STEADY);
        }
        let mut names = self.pictures()?;
        names.retain(|name| !keep.contains(name.as_str()));
        self.refuse_foreign_folder(names.first())?;
        let mut clearing = ClearingPlan {
            keeps_manifest: found.has_untrusted_manifest,
            ..ClearingPlan::default()
        };
        let mut staying = Vec::new();
        for name in names {
            let path = self.file(&name);
            let is_named = found.owned.has_name(&name);
            match found.owned.occupant(&path, &name)? {
                Occupant::Nothing => {}
                Occupant::Owned(hash) => clearing.removed.push((name, hash)),
                Occupant::Damaged => clearing.damaged.push(name),
                Occupant::Link | Occupant::Blank if is_named || wanted.has(&name) => {
                    clearing.removed.push((name, String::new()));
                }
                // One that may be equal to what takes its place is looked at then.
                Occupant::Foreign(Some(bytes))
                    if wanted.has(&name) && !is_named && wanted.could_become(&name, &bytes) => {}
                Occupant::Foreign(_) if wanted.has(&name) => {
                    return Err(ownership::foreign_file(&path));
                }
                Occupant::Link | Occupant::Blank | Occupant::Foreign(_) => staying.push(name),
            }
        }
        clearing.notes.extend(note_about_others(&staying));
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
    fn refuse_foreign_folder(&self, picture: Option<&String>) -> Result<(), OutputError> {
        let manifest = self.file(MANIFEST);
        // One that is lost does not make the folder somebody else's.
        let is_lost = self.was_used && fs::symlink_metadata(&manifest).is_err();
        let what = match picture {
            Some(name) if !is_lost && !manifest.is_file() => format!(
                "it holds {name} and no manifest.json, so catena did not make it; choose another --out, or move such files"
            ),
            _ if Manifest::is_foreign(self.path(), self.was_used) => format!(
                "its {MANIFEST} is not of catena's making; choose another --out, or move it"
            ),
            _ => return Ok(()),
        };
        self.remove_private();
        Err(OutputError::new("render into", self.path(), io::Error::other(what)))
    }

    /// Writes the new manifest, which names only what stays, and then removes what goes. Says what
    /// is moved aside.
    ///
    /// # Errors
    /// When a file cannot be written, moved or removed.
    pub fn clear(
        &self,
        clearing: &ClearingPlan,
        manifest: &Manifest,
    ) -> Result<Vec<String>, OutputError> {
        let ClearingPlan { removed, damaged, .. } = clearing;
        let is_idle = removed.is_empty() && damaged.is_empty();
        if !is_idle {
            let named = damaged.iter().map(|name| (name.clone(), String::new()));
            let files: Vec<(String, String)> = removed.iter().cloned().chain(named).collect();
            // On the disk before the manifest that forgets the same files: a power failure between
            // the two must not leave files that no record names.
            Journal::write_files(&self.removals(), "former", &files, Durability::Synced)?;
        }
        let mut notes = Vec::new();
        if clearing.keeps_manifest {
            notes.extend(self.copy_manifest_aside()?);
        }
        if is_idle {
            manifest.write(self.path())?;
        } else {
            // On the disk before anything goes that the old one names.
            manifest.write_with(self.path(), Durability::Synced)?;
        }
        for name in damaged {
            notes.push(self.set_aside(name)?);
        }
        removed.iter().try_for_each(|(name, _)| atomic::remove(&self.file(name)))?;
        atomic::remove(&self.removals())?;
        Ok(notes)
    }

    /// Makes way for a file that a record names and that is not what it was. Says what is moved
    /// aside.
    ///
    /// # Errors
    /// When it is neither ours nor damaged, or cannot be moved or removed.
    pub fn clear_place(
        &self,
        owned: &OwnedFiles,
        name: &str,
    ) -> Result<Option<String>, OutputError> {
        let path = self.file(name);
        match owned.occupant(&path, name)? {
            Occupant::Nothing | Occupant::Link | Occupant::Blank => Ok(None),
            Occupant::Owned(_) => atomic::remove(&path).map(|()| None),
            Occupant::Damaged => self.set_aside(name).map(Some),
            Occupant::Foreign(_) => Err(ownership::foreign_file(&path)),
        }
    }

    fn set_aside(&self, name: &str) -> Result<String, OutputError> {
        let (from, to) = (self.file(name), ownership::free_path_aside(self.private(), name)?);
        fs::rename(&from, &to).map_err(|cause| OutputError::new("move aside", from, cause))?;
        Ok(format!("note: {name} was damaged and is made anew; {} is what it was", to.display()))
    }

    /// Keeps what is no manifest of ours as it was: a person may have changed it. One that is torn
    /// to nothing is nothing to keep.
    fn copy_manifest_aside(&self) -> Result<Option<String>, OutputError> {
        let from = self.file(MANIFEST);
        let bytes = read::file(&from, read::LARGE)
            .map_err(|cause| OutputError::new("read", &from, cause))?;
        if ownership::is_blank(&bytes) {
            return Ok(None);
        }
        let to = ownership::free_path_aside(self.private(), MANIFEST)?;
        atomic::write(&to, &bytes)?;
        Ok(Some(format!("note: {} is what {MANIFEST} was", to.display())))
    }
}

/// Says what stays and is not ours.
fn note_about_others(names: &[String]) -> Option<String> {
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
