//! `catena fmt`: scenes and sweeps, laid out.

use super::{Failure, args::FmtArgs, say};
use crate::output::{OutputError, replace::replace, stdout};
use crate::read;
use crate::scene::{Limits, SceneText, format::format};
use std::{fs, io, path::Path};

/// What a file that says so begins with, to be UTF-8.
const BYTE_ORDER_MARK: &str = "\u{feff}";

pub(super) fn run(args: &FmtArgs) -> Result<(), Failure> {
    let (mut faults, mut others, mut refused) = (Vec::new(), false, None);
    for path in &args.scenes {
        let is_in_place = path != Path::new("-") && !args.check;
        if is_in_place && let Err(failure) = refuse_special(path) {
            refused = refused.or(Some(failure));
            continue;
        }
        match laid_out(path) {
            Ok((_, old, new)) if !is_in_place && !args.check => {
                others |= old != new;
                stdout::print(&new)?;
            }
            Ok((origin, old, new)) if old != new => {
                others = true;
                match args.check {
                    true => say::lines([format!("{origin} is not laid out")])?,
                    false => refused = refused.or(write(path, &old, &new).err()),
                }
            }
            Ok(_) => {}
            Err(failure) => faults.push(failure),
        }
    }
    if let (Some(failure), true) = (refused, faults.is_empty()) {
        return Err(failure);
    }
    match (faults.is_empty(), others && args.check) {
        (false, _) => Err(Failure::Scenes(faults)),
        (true, true) => Err(Failure::Different),
        (true, false) => Ok(()),
    }
}

/// What messages call a file, its text, and the same laid out; both without a byte-order mark.
fn laid_out(path: &Path) -> Result<(String, String, String), Failure> {
    let limits = Limits::default();
    let text = SceneText::read_within(path, &limits)?;
    let new = format(&text, &limits)?;
    Ok((text.origin, text.text, new))
}

/// Refuses a pipe or a device, which cannot be written in place.
fn refuse_special(path: &Path) -> Result<(), Failure> {
    let is_special = |meta: fs::Metadata| !meta.is_file() && !meta.is_dir();
    if !fs::metadata(path).is_ok_and(is_special) {
        return Ok(());
    }
    let what = "it is not an ordinary file; `catena fmt -` lays out standard input";
    Err(OutputError::new("write", path, io::Error::other(what)).into())
}

/// Replaces the text of a file as a whole, if it is still `old`; a byte-order mark stays.
fn write(path: &Path, old: &str, new: &str) -> Result<(), Failure> {
    let refused = |cause| OutputError::new("read", path, cause);
    let there = read::file(path, Limits::default().file_bytes).map_err(refused)?;
    let mark = if there.starts_with(BYTE_ORDER_MARK.as_bytes()) { BYTE_ORDER_MARK } else { "" };
    let [old, new] = [old, new].map(|text| format!("{mark}{text}"));
    Ok(replace(path, old.as_bytes(), new.as_bytes())?)
}
