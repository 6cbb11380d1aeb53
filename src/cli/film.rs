//! `catena film`: the frames of a folder to a film.

use super::{Failure, args::FilmArgs, interrupt::Interrupt, progress::Progress, threads};
use crate::film::{self, FilmError, FilmTarget, frames::FolderFrames};
use crate::output::names::is_render_file;
use crate::text::printable;
use std::path::Path;

pub(super) fn run(args: &FilmArgs, interrupt: &Interrupt) -> Result<(), Failure> {
    let (target, format) = args.film.target(&args.output)?;
    keep_off(&target, &args.folder)?;
    let range = args.frames.as_ref().map(|range| range.0.clone());
    // Everything is looked at before the film begins, so that a bad frame costs no time.
    let pool = threads::pool(threads::wanted(None), "film", args.progress.quiet)?;
    let source = pool.install(|| FolderFrames::open(&args.folder, range))?;
    let folder = printable::path(&args.folder);
    let said = format!("interrupted: no film was made; the frames in {folder} are kept");
    let last_words = said.clone();
    interrupt.will_be_seen(move || last_words.clone());
    let progress = Progress::new(&args.progress, source.count(), 0);
    let make = || {
        let options = args.film.options();
        let (size, stop) = (source.size(), interrupt.stop());
        let mut sink = film::open(&target, format, &options, size, source.count(), &stop)?;
        source.feed(sink.as_mut(), |_| {
            progress.frame();
            !interrupt.is_set()
        })?;
        if interrupt.is_set() { Err(FilmError::Stopped) } else { sink.finish() }
    };
    match pool.install(make) {
        Ok(report) => {
            let notes = [source.notes(), &report.notes].concat();
            progress.done(report.frames, "", &target.to_string(), &notes);
            Ok(())
        }
        Err(FilmError::ReaderGone) => Ok(()),
        Err(FilmError::Stopped) => {
            Err(Failure::Interrupted { code: interrupt.exit_code().unwrap_or(130), said })
        }
        Err(error) => Err(error.keeping(&args.folder).into()),
    }
}

/// Refuses a film that would take the place of a frame, or of what belongs to the frames.
fn keep_off(target: &FilmTarget, folder: &Path) -> Result<(), FilmError> {
    let FilmTarget::File(path) = target else { return Ok(()) };
    let name = path.file_name().unwrap_or_default();
    let above = path.parent().filter(|above| !above.as_os_str().is_empty());
    let is_there = match (above.unwrap_or(Path::new(".")).canonicalize(), folder.canonicalize()) {
        (Ok(above), Ok(folder)) => above == folder,
        _ => false,
    };
    if is_there && name.to_str().is_some_and(is_render_file) {
        let what = format!("{} belongs to the frames; choose another name", path.display());
        return Err(FilmError::Usage(what));
    }
    Ok(())
}
