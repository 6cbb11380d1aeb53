//! Removes files from a folder before a render begins, in an order in which no manifest ever names
//! a missing file.
//!
//! The steps are: write a note that lists the files, write a manifest without them, remove them. A
//! process killed in between leaves files that no manifest names, but the note identifies them as
//! catena's.

use super::{
    OutputError,
    atomic::{self, Durability},
    chunks,
    folder::{EarlierManifest, EarlierRender, Folder},
    journal::Journal,
    manifest::Manifest,
    names::{FrameFormat, FrameNames, MANIFEST, STEADY, is_render_file},
    ownership::{self, Occupant, OwnedFiles},
};
use catena_base::read;
use std::{
    collections::{BTreeSet, HashSet},
    fs, io,
};

/// Maximum number of files named in a message.
const MAX_NAMES: usize = 4;

/// Files that a render will write.
#[derive(Clone, Debug)]
pub struct WantedFiles {
    /// Frames to be rendered.
    pub frames: BTreeSet<u64>,
    /// Whether the render creates the steady-state comparison.
    pub steady: bool,
    /// Width and height of a frame in pixels.
    pub size: [u32; 2],
    /// Names of the files of frames.
    pub names: FrameNames,
}

impl WantedFiles {
    fn has(&self, name: &str) -> bool {
        let is_frame = self.names.frame(name).is_some_and(|frame| self.frames.contains(&frame));
        is_frame || (self.steady && name == STEADY)
    }

    /// Whether these bytes may be the beginning of the picture to be written under a name, or a
    /// remnant of it after a power failure.
    fn could_become(&self, name: &str, bytes: &[u8]) -> bool {
        let format = FrameFormat::of_name(name).unwrap_or_default();
        if format != FrameFormat::Png {
            let start = format.signature();
            return ownership::is_torn_copy(start, &bytes[..bytes.len().min(start.len())]);
        }
        // The size of the steady-state comparison is unknown before it is drawn.
        let start = chunks::beginning((name != STEADY).then_some(self.size));
        ownership::is_torn_copy(&start, &bytes[..bytes.len().min(start.len())])
    }
}

/// Files to be removed or set aside.
#[derive(Clone, Debug, Default)]
pub struct ClearingPlan {
    /// Names and hashes of the files to be removed.
    removed: Vec<(String, String)>,
    /// Names of damaged files to be set aside.
    damaged: Vec<String>,
    /// Whether the old manifest is copied to `.catena/replaced` because it cannot be trusted.
    keeps_manifest: bool,
    /// Messages for the user, one line each.
    pub notes: Vec<String>,
}

impl Folder {
    /// Decides the fate of every picture that is not reused. Files of catena are removed, foreign
    /// files under a wanted name are an error, and all other files are unchanged.
    ///
    /// # Errors
    /// Returns an error if a foreign file has a wanted name, a file cannot be read, or the folder
    /// belongs to another program.
    pub fn plan(
        &self,
        found: &EarlierRender,
        wanted: &WantedFiles,
    ) -> Result<ClearingPlan, OutputError> {
        let mut keep: HashSet<&str> = found.frames.iter().map(|e| e.file.as_str()).collect();
        // The manifest marks the folder as catena's, so it is replaced atomically and never
        // missing.
        keep.insert(MANIFEST);
        if found.steady.is_some() {
            keep.insert(STEADY);
        }
        let mut names =
            self.pictures(|name| wanted.names.frame(name).is_some() || found.owned.has_name(name))?;
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
                // The file may equal the new file of this name. They are compared when the new file
                // is written.
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

    /// Names of the manifest and of all files that could be pictures of a render, sorted. `is_ours`
    /// returns whether a render can give a file this name.
    fn pictures(&self, is_ours: impl Fn(&str) -> bool) -> Result<Vec<String>, OutputError> {
        let refuse = |cause| OutputError::new("clear the folder", self.path(), cause);
        let mut names = Vec::new();
        for entry in fs::read_dir(self.path()).map_err(refuse)? {
            let name = entry.map_err(refuse)?.file_name().into_string().ok();
            names.extend(name.filter(|name| is_render_file(name) || is_ours(name)));
        }
        names.sort();
        Ok(names)
    }

    /// Rejects a folder that catena did not create; `picture` is a file in it.
    fn refuse_foreign_folder(
        &self,
        picture: Option<&String>,
        found: EarlierManifest,
    ) -> Result<(), OutputError> {
        if found == EarlierManifest::Whole {
            return Ok(());
        }
        let manifest = self.file(MANIFEST);
        // A folder that catena has used remains catena's even if its manifest is lost.
        let is_lost = self.was_used && fs::symlink_metadata(&manifest).is_err();
        let what = match picture {
            Some(name) if !is_lost && !manifest.is_file() => format!(
                "it contains {name} but no manifest.json, so catena did not create it; choose \
                 another --out, or move these files"
            ),
            _ if Manifest::is_foreign(self.path(), self.was_used) => format!(
                "its {MANIFEST} was not written by catena; choose another --out, or move it"
            ),
            _ => return Ok(()),
        };
        self.remove_private();
        Err(OutputError::new("render into", self.path(), io::Error::other(what)))
    }

    /// Writes the new manifest, which names only the remaining files, then removes the others.
    /// Returns a message per file that is set aside.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written, moved or removed.
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
            // The note is synchronized before the manifest that omits these files. Otherwise a
            // power failure in between could leave files that no record names.
            Journal::write_files(&self.removals(), "former", &files, Durability::Synced)?;
        }
        let mut notes = Vec::new();
        if clearing.keeps_manifest {
            notes.extend(self.copy_manifest_aside()?);
        }
        if is_idle {
            manifest.write(self.path())?;
        } else {
            // The new manifest is synchronized before any file named by the old one is removed.
            manifest.write_with(self.path(), Durability::Synced)?;
        }
        for name in damaged {
            notes.push(self.set_aside(name)?);
        }
        removed.iter().try_for_each(|(name, _)| atomic::remove(&self.file(name)))?;
        atomic::remove(&self.removals())?;
        Ok(notes)
    }

    /// Removes or sets aside a changed file that a record names, so that it can be rewritten.
    /// Returns a message if it is set aside.
    ///
    /// # Errors
    /// Returns an error if the file is neither catena's nor damaged, or cannot be moved or removed.
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
            "note: {name} was damaged and is rendered again; the damaged file is now {}",
            to.display()
        ))
    }

    /// Copies an untrusted manifest aside, since a person may have edited it. A blank one is not
    /// copied.
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

/// Message about foreign files that stay.
fn note_about_others(names: &[String]) -> Option<String> {
    let shown = names.iter().take(MAX_NAMES).cloned().collect::<Vec<_>>().join(", ");
    let more = match names.len().saturating_sub(MAX_NAMES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let (is, stays) = if names.len() == 1 { ("is", "stays") } else { ("are", "stay") };
    (!names.is_empty()).then(|| {
        format!(
            "note: {shown}{more} {is} not written by catena, or changed since; {stays} unchanged"
        )
    })
}
