//! `catena film`: a film of the frames in a folder.

use super::{Failure, args::FilmArgs, interrupt::Interrupt, progress::Reporter, threads};
use crate::film::{FilmError, FilmOptions, FilmTarget};
use crate::job;
use crate::text::printable;

pub(super) fn run(args: &FilmArgs, interrupt: &Interrupt) -> Result<(), Failure> {
    let options = FilmOptions { sequence: args.sequence.clone(), ..args.film.options() };
    let frames = args.frames.clone();
    let folder = printable::path(&args.folder);
    let message = format!("interrupted: no film was made; the frames in {folder} are kept");
    let last_words = message.clone();
    let watched = interrupt.watched(move || last_words.clone());
    let reporter = Reporter::new(&args.progress);
    let pool = threads::pool(threads::wanted(None), "film", args.progress.quiet)?;
    let make = || {
        let output = &args.output;
        job::film_folder(&args.folder, frames, output, &options, &reporter, &watched)
    };
    match pool.install(make) {
        Ok(film) => {
            let target = FilmTarget::new(&args.output).to_string();
            reporter.done(film.frames, "", &target, &film.notes);
            Ok(())
        }
        Err(FilmError::ReaderGone) => Ok(()),
        Err(FilmError::Stopped) => {
            Err(Failure::Interrupted { code: interrupt.exit_code().unwrap_or(130), message })
        }
        Err(error) => Err(error.into()),
    }
}
