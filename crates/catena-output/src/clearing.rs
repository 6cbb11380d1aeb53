//! The files that a render removes from its folder before it begins, in an order in which no
//! manifest ever names a missing file.
//!
//! A note of the removals is written first, then the manifest without them, and then they are
//! removed. A process that is killed in between leaves files that no manifest names, and the note
//! identifies them as catena's.

use super::{
    OutputError,
    atomic::{self, Durability},
    chunks,
    folder::{EarlierManifest, EarlierRender, Folder},
    journal::Journal,
    manifest::Manifest,
    names::{MANIFEST, STEADY, frame_number, is_render_file},
    ownership::{self, Occupant, OwnedFiles},
};
use catena_base::read;
use std::{
    collections::{BTreeSet, HashSet},
    fs, io,
};

/// How many files a message names.
const MOST_NAMES: usize = 4;

/// The files that a render is about to write.
#[derive(Clone, Debug)]
pub struct WantedFiles {
    /// Frames that do not exist yet.
    pub frames: BTreeSet<u64>,
    /// Whether the render makes the steady-state comparison.
    pub steady: bool,
    /// Width and height of a frame in pixels.
    pub size: [u32; 2],
}

impl WantedFiles {
    fn has(&self, name: &str) -> bool {
        let is_frame = frame_number(name).is_some_and(|frame| self.frames.contains(&frame));
        is_frame || (self.steady && name == STEADY)
    }

    /// Whether these bytes may be the beginning of the picture that is written under a name, or
    /// what a power failure left of it.
    fn could_become(&self, name: &str, bytes: &[u8]) -> bool {
        // The size of the steady-state comparison is not known before it is drawn.
        let start = chunks::beginning((name != STEADY).then_some(self.size));
        ownership::is_torn_copy(&start, &bytes[..bytes.len().min(start.len())])
    }
}

/// The files that are removed or set aside.
#[derive(Clone, Debug, Default)]
pub struct ClearingPlan {
    /// Names and hashes of the files that are removed.
    removed: Vec<(String, String)>,
    /// Names of damaged files, which are set aside.
    damaged: Vec<String>,
    /// Whether a copy of the old manifest is kept in `.catena/replaced`, since it cannot be
    /// trusted.
    keeps_manifest: bool,
    /// Messages for the user, a line each.
    pub notes: Vec<String>,
}

impl Folder {
    /// Plans what becomes of every picture that is not kept: catena's own are removed, others that
    /// stand where a wanted file goes are an error, and the rest stay.
    ///
    /// # Errors
    /// When a file that is not catena's has a wanted name, when a file cannot be read, or when the
    /// folder belongs to another program.
    pub fn plan(
        &self,
        found: &EarlierRender,
        wanted: &WantedFiles,
    ) -> Result<ClearingPlan, OutputError> {
        let mut keep: HashSet<&str> = found.frames.iter().map(|e| e.file.as_str()).collect();
        // The manifest marks the folder as catena's, so it is replaced and never missing.
        keep.insert(MANIFEST);
        if found.steady.is_some() {
            keep.insert(STEADY);
        }
        let mut names = self.pictures()?;
        names.retain(|name| !keep.contains(name.as_str()));
        self.refuse_foreign_folder(names.first(), found.manifest)?;
        let mut clearing = ClearingPlan {
            keeps_manifest: found.manifest == EarlierManifest::Untrusted,
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
                // The file may equal the one that takes its name, which is compared when that is
                // written.
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

    /// The names of the manifest and of all files that could be pictures of a render, in order.
    fn pictures(&self) -> Result<Vec<String>, OutputError> {
        let refuse = |cause| OutputError::new("clear the folder", self.path(), cause);
        let mut names = Vec::new();
        for entry in fs::read_dir(self.path()).map_err(refuse)? {
            let name = entry.map_err(refuse)?.file_name().into_string().ok();
            names.extend(name.filter(|name| is_render_file(name)));
        }
        names.sort();
        Ok(names)
    }

    /// Refuses a folder that catena did not make, which `picture` lies in.
    fn refuse_foreign_folder(
        &self,
        picture: Option<&String>,
        found: EarlierManifest,
    ) -> Result<(), OutputError> {
        if found == EarlierManifest::Whole {
            return Ok(());
        }
        let manifest = self.file(MANIFEST);
        // A folder that catena has used stays catena's when its manifest is lost.
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

    /// Writes the new manifest, which names only files that stay, then removes the others. Returns
    /// a message for each file that is set aside.
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
            // The note is on the disk before the manifest that omits these files: a power failure
            // between the two must not leave files that no record names.
            Journal::write_files(&self.removals(), "former", &files, Durability::Synced)?;
        }
        let mut notes = Vec::new();
        if clearing.keeps_manifest {
            notes.extend(self.copy_manifest_aside()?);
        }
        if is_idle {
            manifest.write(self.path())?;
        } else {
            // The new manifest is on the disk before any file that the old one names is removed.
            manifest.write_with(self.path(), Durability::Synced)?;
        }
        for name in damaged {
            notes.push(self.set_aside(name)?);
        }
        removed.iter().try_for_each(|(name, _)| atomic::remove(&self.file(name)))?;
        atomic::remove(&self.removals())?;
        Ok(notes)
    }

    /// Removes or sets aside a file that a record names and that has changed, so that it can be
    /// written anew. Returns a message where it is set aside.
    ///
    /// # Errors
    /// When the file is neither catena's nor damaged, or cannot be moved or removed.
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
        Ok(format!(
            "note: {name} was damaged and is drawn anew; the damaged file is now {}",
            to.display()
        ))
    }

    /// Copies an untrusted manifest aside, since a person may have edited it. A blank one is not
    /// worth a copy.
    fn copy_manifest_aside(&self) -> Result<Option<String>, OutputError> {
        let from = self.file(MANIFEST);
        let bytes = read::file(&from, read::LARGE)
            .map_err(|cause| OutputError::new("read", &from, cause))?;
        if ownership::is_blank(&bytes) {
            return Ok(None);
        }
        let to = ownership::free_path_aside(self.private(), MANIFEST)?;
        atomic::write(&to, &bytes)?;
        Ok(Some(format!("note: the old {MANIFEST} is now {}", to.display())))
    }
}

/// The message about files that stay and are not catena's.
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
