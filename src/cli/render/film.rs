//! A film straight from the simulation, without a folder of frames.

use super::{Made, Task};
use crate::cli::{
    Failure,
    frames::{Easel, Reel, Shop},
    interrupt,
};
use crate::film::{self, FilmError, FilmTarget};
use crate::text::printable;
use std::{
    ffi::OsString,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

pub(super) fn run(task: &Task<'_>, output: &OsString) -> Result<(), Failure> {
    let (target, format) = task.args.film_options.target(output)?;
    let frames: Vec<u64> = task.range.clone().collect();
    let options = task.args.film_options.options();
    let is_made = Arc::new(AtomicBool::new(false));
    task.interrupt.will_be_seen(last_words(&target, &is_made));
    let (size, stop) = (task.scene.size, task.interrupt.stop());
    let mut sink = film::open(&target, format, &options, size, frames.len() as u64, &stop)?;
    let progress = task.progress(frames.len(), &[]);
    let shop = Shop {
        timings: task.timings,
        interrupt: task.interrupt,
        on_frame: &|| progress.frame(),
        on_failure: &|| {},
    };
    // Pictures wait in memory for their turn, so there are few of them.
    let mut reel = Reel::new(task.scene, None, task.interrupt, 2 * task.threads());
    let easel = Easel::new(task.painter, task.timings);
    let interrupted = || {
        let code = task.interrupt.exit_code().unwrap_or(130);
        Err(Failure::Interrupted { code, said: last_words(&target, &is_made)() })
    };
    let shown = shop.show(&easel, &mut reel, &frames, &mut |image| Ok(sink.frame(image)?));
    let made = shown.and_then(|()| match task.interrupt.is_set() {
        true => Err(FilmError::Stopped.into()),
        false => match reel.refusal() {
            Some(refusal) => Err(refusal),
            None => Ok(sink.finish()?),
        },
    });
    match made {
        Ok(report) => {
            // What there is to note can take long to find.
            is_made.store(true, Ordering::Relaxed);
            Made::film(task, &reel, &target, report.notes).tell(task, &progress)
        }
        // Frames that nobody reads are of use for the verdict alone.
        Err(Failure::Film(FilmError::ReaderGone)) => {
            match task.args.strict && !reel.go_to(task.last())? {
                true => reel.refusal().map_or_else(interrupted, Err),
                false => task.verdict(&reel.diverged()),
            }
        }
        Err(Failure::Film(FilmError::Stopped)) => interrupted(),
        Err(failure) => Err(failure),
    }
}

/// What is said when the process ends before its time: whether the film is there.
fn last_words(
    target: &FilmTarget,
    is_made: &Arc<AtomicBool>,
) -> impl Fn() -> String + Send + 'static {
    let film = printable::line(&target.to_string()).into_owned();
    let is_made = Arc::clone(is_made);
    move || match is_made.load(Ordering::Relaxed) {
        true => format!("interrupted: {film} is made, and what is to be noted of it is not said"),
        false => {
            let command = interrupt::command();
            format!("interrupted: no film was made; this begins anew:\n  {command}")
        }
    }
}
