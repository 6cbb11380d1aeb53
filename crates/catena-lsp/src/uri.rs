//! Conversion between file paths and URIs.

use catena_base::text::link::{decoded, encoded};
use lsp_types::Uri;
use std::path::{Component, Path, PathBuf};

/// Returns the path of a `file://` URI, or `None` for any other URI.
pub(super) fn path(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest).strip_prefix('/')?;
    if cfg!(windows)
        && let Some((drive, rest)) = rest.split_once('/')
    {
        let drive = drive.replace("%3A", ":").replace("%3a", ":");
        return drive
            .ends_with(':')
            .then(|| Some(Path::new(&format!("{drive}\\")).join(decoded(rest)?)))?;
    }
    Some(Path::new("/").join(decoded(rest)?))
}

/// Returns the URI of an absolute path.
pub(super) fn of_path(path: &Path) -> Option<Uri> {
    let drive = path.components().find_map(|part| match part {
        Component::Prefix(drive) => drive.as_os_str().to_str(),
        _ => None,
    });
    let drive = drive.map(|drive| format!("{}/", drive.replace(':', "%3A"))).unwrap_or_default();
    path.is_absolute().then(|| format!("file:///{drive}{}", encoded(path)).parse().ok())?
}
