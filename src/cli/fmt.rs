//! `catena fmt`: the layout of scenes and sweeps.

use super::{Failure, args::FmtArgs, say};
use crate::output::{OutputError, replace::replace, stdout};
use crate::read;
use crate::scene::{Limits, SceneText, format::format};
use std::{fs, io, path::Path};

/// Optional first character of a UTF-8 file.
const BYTE_ORDER_MARK: &str = "\u{feff}";

pub(super) fn run(args: &FmtArgs) -> Result<(), Failure> {
    let (mut failures, mut differs) = (Vec::new(), false);
    for path in &args.scenes {
        match lay_out(path, args.check) {
            Ok(is_other) => differs |= is_other,
            Err(failure) => failures.push(failure),
        }
    }
    match failures.len() {
        0 if differs && args.check => Err(Failure::Different),
        0 => Ok(()),
        _ => Err(Failure::Scenes(failures)),
    }
}

/// Formats a file in place or to standard output. With `is_check`, only reports a file that is not
/// formatted. Returns whether the layout differs.
fn lay_out(path: &Path, is_check: bool) -> Result<bool, Failure> {
    let is_in_place = path != Path::new("-") && !is_check;
    if is_in_place {
        refuse_special(path)?;
    }
    let (origin, old, new) = laid_out(path)?;
    let is_other = old != new;
    if is_check {
        let message = is_other.then(|| format!("{origin} is not formatted"));
        message.map_or(Ok(()), |message| say::lines([message]))?;
    } else if !is_in_place {
        stdout::print(&new)?;
    } else if is_other {
        write(path, &old, &new)?;
    }
    Ok(is_other)
}

/// Returns the display name of a file, its text, and the formatted text. Neither text has a byte
/// order mark.
fn laid_out(path: &Path) -> Result<(String, String, String), Failure> {
    let limits = Limits::default();
    let text = SceneText::read_within(path, &limits)?;
    let new = format(&text, &limits)?;
    Ok((text.origin, text.text, new))
}

/// Returns an error for a pipe or device, which cannot be formatted in place.
fn refuse_special(path: &Path) -> Result<(), Failure> {
    let is_special = |meta: fs::Metadata| !meta.is_file() && !meta.is_dir();
    if !fs::metadata(path).is_ok_and(is_special) {
        return Ok(());
    }
    let what = "it is not an ordinary file; `catena fmt -` formats standard input";
    Err(OutputError::new("write", path, io::Error::other(what)).into())
}

/// Replaces the text of a file atomically, unless the text is no longer `old`. Keeps a byte order
/// mark.
fn write(path: &Path, old: &str, new: &str) -> Result<(), Failure> {
    let refused = |cause| OutputError::new("read", path, cause);
    let there = read::file(path, Limits::default().file_bytes).map_err(refused)?;
    let mark = if there.starts_with(BYTE_ORDER_MARK.as_bytes()) { BYTE_ORDER_MARK } else { "" };
    let [old, new] = [old, new].map(|text| format!("{mark}{text}"));
    Ok(replace(path, old.as_bytes(), new.as_bytes())?)
}
