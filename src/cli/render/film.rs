//! A film straight from the simulation, without a folder of frames.

use super::{Made, Task};
use crate::cli::{
    Failure,
    frames::{Easel, Reel, Shop},
    interrupt,
};
use crate::film;
use std::ffi::OsString;

pub(super) fn run(task: &Task<'_>, output: &OsString) -> Result<(), Failure> {
    let (target, format) = task.args.film_options.target(output)?;
    let frames: Vec<u64> = task.range.clone().collect();
    let options = task.args.film_options.options();
    let mut sink = film::open(&target, format, &options, task.scene.size, frames.len() as u64)?;
    let progress = task.progress(frames.len(), &[]);
    let said = || {
        let command = interrupt::command();
        format!("interrupted: no film was made; this begins anew:\n  {command}")
    };
    task.interrupt.will_be_seen(said);
    let shop = Shop {
        timings: task.timings,
        interrupt: task.interrupt,
        on_frame: &|| progress.frame(),
        on_failure: &|| {},
    };
    // Pictures wait in memory for their turn, so there are few of them.
    let mut reel = Reel::new(task.scene, None, task.interrupt, 2 * task.threads());
    let easel = Easel::new(task.painter, task.timings);
    shop.show(&easel, &mut reel, &frames, &mut |image| Ok(sink.frame(image)?))?;
    if let Some(code) = task.interrupt.exit_code() {
        return Err(Failure::Interrupted { code, said: said() });
    }
    let report = sink.finish()?;
    Made::film(task, &reel, &target, report.notes).tell(task, &progress)
}
