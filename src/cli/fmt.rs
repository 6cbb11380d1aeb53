//! `catena fmt`: scenes and sweeps, laid out.

use super::{Failure, args::FmtArgs, say};
use crate::output::{OutputError, atomic, stdout};
use crate::read;
use crate::scene::{Limits, SceneText, format::format};
use std::path::Path;

/// What a file that says so begins with, to be UTF-8.
const BYTE_ORDER_MARK: &str = "\u{feff}";

pub(super) fn run(args: &FmtArgs) -> Result<(), Failure> {
    let (mut faults, mut others) = (Vec::new(), false);
    for path in &args.scenes {
        match laid_out(path) {
            Ok((_, old, new)) if path == Path::new("-") && !args.check => {
                others |= old != new;
                stdout::print(&new)?;
            }
            Ok((origin, old, new)) if old != new => {
                others = true;
                match args.check {
                    true => say::lines([format!("{origin} is not laid out")])?,
                    false => replace(path, &new)?,
                }
            }
            Ok(_) => {}
            Err(failure) => faults.push(failure),
        }
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

/// Replaces the text of a file as a whole; a byte-order mark stays.
fn replace(path: &Path, text: &str) -> Result<(), Failure> {
    let limits = Limits::default();
    let refused = |cause| OutputError::new("read", path, cause);
    let old = read::file(path, limits.file_bytes).map_err(refused)?;
    let mark = if old.starts_with(BYTE_ORDER_MARK.as_bytes()) { BYTE_ORDER_MARK } else { "" };
    let whole = format!("{mark}{text}");
    Ok(atomic::replace(path, whole.as_bytes())?)
}
