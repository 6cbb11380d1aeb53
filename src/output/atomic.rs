//! Files that appear under their name only when they are whole.

use super::OutputError;
use std::{fs, io, io::Write, path::Path};
use tempfile::{Builder, NamedTempFile};

const PREFIX: &str = ".catena-";
const SUFFIX: &str = ".part";

/// Whether a file has the name of one that is not finished.
pub(super) fn is_temporary(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// A temporary file in a folder, with the permissions that an ordinary new file gets, and with the system's own errors.
fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let create = |path: &Path| fs::OpenOptions::new().write(true).create_new(true).open(path);
    Builder::new().prefix(PREFIX).suffix(SUFFIX).make_in(folder, create)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes with `fill` to a place that the user has named: to a pipe or a device as it is, since it has no name to take over, and else as
/// [`write_with`] does.
///
/// # Errors
/// When the folder, the disk or `fill` refuses; then no new file lies under the name.
pub fn write_to<E>(path: &Path, fill: impl FnOnce(&mut dyn Write) -> Result<(), E>) -> Result<(), E>
where
    E: From<OutputError>,
{
    if fs::metadata(path).is_ok_and(|meta| !meta.is_file() && !meta.is_dir()) {
        let refuse = |cause| E::from(OutputError::new("write", path, cause));
        let file = fs::OpenOptions::new().write(true).open(path).map_err(refuse)?;
        let mut writer = io::BufWriter::new(file);
        fill(&mut writer)?;
        return writer.flush().map_err(refuse);
    }
    write_with(path, fill)
}

/// Writes a file with `fill`: into a temporary file beside it, which takes the name at the end. A link of that name is replaced.
///
/// # Errors
/// When the folder, the disk or `fill` refuses; then nothing new lies under the name.
pub fn write_with<E>(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E>
where
    E: From<OutputError>,
{
    let refuse = |cause| E::from(OutputError::new("write", path, cause));
    let mut file = temporary(folder_of(path)).map_err(refuse)?;
    // The file itself: errors of the named one tell its temporary name.
    let mut writer = io::BufWriter::with_capacity(1 << 16, file.as_file_mut());
    fill(&mut writer)?;
    writer.flush().map_err(refuse)?;
    drop(writer);
    file.persist(path).map_err(|error| refuse(error.error))?;
    Ok(())
}

/// Writes bytes to a file, whole or not at all.
///
/// # Errors
/// When the folder or the disk refuses.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let refuse = |cause| OutputError::new("write", path, cause);
    let mut file = temporary(folder_of(path)).map_err(refuse)?;
    file.as_file_mut().write_all(bytes).map_err(refuse)?;
    file.persist(path).map_err(|error| refuse(error.error))?;
    Ok(())
}

/// Makes a folder and makes sure that files can be created in it.
///
/// # Errors
/// When it cannot be made or written to.
pub fn prepare_folder(folder: &Path) -> Result<(), OutputError> {
    fs::create_dir_all(folder)
        .map_err(|cause| OutputError::new("make the folder", folder, cause))?;
    temporary(folder).map_err(|cause| OutputError::new("write to the folder", folder, cause))?;
    Ok(())
}
