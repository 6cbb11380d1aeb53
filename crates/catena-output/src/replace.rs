//! Replaces a file that a person edits. Owner, permissions and attributes are kept, and changes
//! saved meanwhile are never lost.
//!
//! The new file takes the name of the old file by a rename, so a kill leaves either file intact. A
//! rename cannot preserve hard links, so a file with several hard links is rejected.

use super::{OutputError, atomic::create_unfinished};
use catena_base::read;
use std::{
    fs::{self, File, Metadata},
    io::{self, Write},
    path::Path,
};

/// Advice about a file that cannot be replaced.
#[cfg(unix)]
const ADVICE: &str = "`catena fmt - < FILE` prints the layout";

/// Replaces the bytes of a file atomically, if they are still `old`. Symbolic links to the file
/// stay.
///
/// # Errors
/// Returns an error if the file has changed meanwhile, is not a regular file, or is not writable.
/// Also returned if it has several hard links, or an owner or attributes that a new file cannot
/// get, or if the disk refuses. The file then keeps its previous content.
pub fn replace(path: &Path, old: &[u8], new: &[u8]) -> Result<(), OutputError> {
    try_replace(path, old, new).map_err(|cause| OutputError::new("write", path, cause))
}

fn try_replace(path: &Path, old: &[u8], new: &[u8]) -> io::Result<()> {
    let real = fs::canonicalize(path)?;
    // Renaming only needs write access to the folder, so write access to the file is tested here.
    let there = fs::OpenOptions::new().write(true).open(&real)?;
    let meta = there.metadata()?;
    refuse_hard_links(&meta)?;
    let mut file = create_unfinished(&real)?;
    // The owner comes first, so that nobody else can read private text in the unfinished file.
    keep_owner(file.file(), &meta)?;
    file.file().set_permissions(meta.permissions())?;
    keep_attributes(&there, file.file())?;
    file.file().write_all(new)?;
    file.file().sync_all()?;
    let maximum = old.len() as u64;
    let is_same = read::file(&real, maximum).is_ok_and(|now| now == old);
    if !is_same || !is_same_file(&real, &meta) {
        return Err(io::Error::other(
            "another program saved it during formatting, so it was not changed; run `catena fmt` again",
        ));
    }
    file.persist(&real)
}

#[cfg(unix)]
fn refuse_hard_links(meta: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    match meta.nlink() {
        0 | 1 => Ok(()),
        names => Err(io::Error::other(format!(
            "it has {names} names (hard links), but a new file would have only one; {ADVICE}"
        ))),
    }
}

#[cfg(unix)]
fn keep_owner(file: &File, meta: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let new = file.metadata()?;
    if (new.uid(), new.gid()) == (meta.uid(), meta.gid()) {
        return Ok(());
    }
    fchown(file, Some(meta.uid()), Some(meta.gid())).map_err(|cause| {
        let what = format!(
            "it belongs to user {} and group {}, but a new file cannot ({cause}); {ADVICE}",
            meta.uid(),
            meta.gid()
        );
        io::Error::new(cause.kind(), what)
    })
}

/// Whether a path still leads to the file of this metadata.
#[cfg(unix)]
fn is_same_file(path: &Path, meta: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::symlink_metadata(path).is_ok_and(|now| [now.dev(), now.ino()] == [meta.dev(), meta.ino()])
}

/// Copies the extended attributes of an old file, including access control lists, to a new one, and
/// removes all others. No crate in use knows the attributes of other systems.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn keep_attributes(old: &File, new: &File) -> io::Result<()> {
    use rustix::fs::{XattrFlags, fremovexattr, fsetxattr};
    let (wanted, there) = (attributes(old)?, attributes(new)?);
    for (name, _) in there.iter().filter(|(name, _)| wanted.iter().all(|(it, _)| it != name)) {
        // An attribute that the system gives to every file reappears.
        let _ = fremovexattr(new, name.as_slice());
    }
    for (name, value) in wanted.iter().filter(|it| !there.contains(it)) {
        fsetxattr(new, name.as_slice(), value, XattrFlags::empty()).map_err(|cause| {
            let name = String::from_utf8_lossy(name).into_owned();
            let cause = io::Error::from(cause);
            let what = format!("its attribute {name} cannot be kept ({cause}); {ADVICE}");
            io::Error::new(cause.kind(), what)
        })?;
    }
    Ok(())
}

/// Names and values of a file's extended attributes; empty if the file system has none.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn attributes(file: &File) -> io::Result<Vec<(Vec<u8>, Vec<u8>)>> {
    use rustix::{
        fs::{fgetxattr, fgetxattr_query, flistxattr, flistxattr_query},
        io::Errno,
    };
    let length = match flistxattr_query(file) {
        Err(Errno::NOTSUP) => 0,
        length => length?,
    };
    let mut names = vec![0; length];
    let length = if length > 0 { flistxattr(file, names.as_mut_slice())? } else { 0 };
    names.truncate(length);
    let mut all = Vec::new();
    for name in names.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let length = fgetxattr_query(file, name)?;
        let mut value = vec![0; length];
        if length > 0 {
            let length = fgetxattr(file, name, value.as_mut_slice())?;
            value.truncate(length);
        }
        all.push((name.to_vec(), value));
    }
    Ok(all)
}

#[cfg(not(unix))]
fn refuse_hard_links(_meta: &Metadata) -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
fn keep_owner(_file: &File, _meta: &Metadata) -> io::Result<()> {
    Ok(())
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn keep_attributes(_old: &File, _new: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
fn is_same_file(path: &Path, meta: &Metadata) -> bool {
    fs::symlink_metadata(path).is_ok_and(|now| now.modified().ok() == meta.modified().ok())
}
