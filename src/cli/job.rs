//! `catena job`: a job file of a render or sweep for a cluster engine.

use super::{Failure, args::JobArgs, paths::GivenPaths, say};
use crate::cluster::ClusterJob;
use crate::job;
use crate::output::{OutputError, atomic, stdout};
use crate::scene::{SceneText, load_within, sweep::load_sweep};
use crate::text::printable;
use std::path::Path;

pub(super) fn run(args: &JobArgs, paths: &GivenPaths) -> Result<(), Failure> {
    if args.source == Path::new("-") {
        let what = "cannot use standard input, because every shard reads the scene; give a file";
        return Err(Failure::Usage(what.into()));
    }
    let Some(engine) = args.engine() else {
        return Err(Failure::Usage("there is no such engine".into()));
    };
    let job = planned(args, paths)?;
    if job.idle > 0 {
        let busy = job.shards - job.idle;
        say::aside(&format!(
            "note: {} of the {} shards have no work; {busy} are enough",
            job.idle, job.shards
        ));
    }
    let text = engine.print(&job).map_err(Failure::Usage)?;
    match args.output.as_deref().filter(|path| !stdout::is_stdout(path)) {
        None => Ok(stdout::print(&printable::text(&text))?),
        Some(path) => {
            let refuse = |cause| OutputError::new("write", path, cause);
            atomic::write_to(path, |file| file.write_all(text.as_bytes()).map_err(refuse))?;
            let title = job.title();
            say::aside(&format!(
                "{}: {title}; its first lines explain the next steps",
                path.display()
            ));
            Ok(())
        }
    }
}

/// Plans the cluster job.
fn planned(args: &JobArgs, paths: &GivenPaths) -> Result<ClusterJob, Failure> {
    let limits = args.limit.limits();
    let text = SceneText::read_within(&args.source, &limits)?;
    let folder = Path::new("out").join(&text.name);
    let Some(sweep) = args.sweep(&text) else {
        let scene = load_within(&text, &args.set, &limits)?;
        paths.keep(&job::scene_inputs(&scene))?;
        let options = args.options(folder)?;
        return Ok(job::cluster_render(&scene, &args.source, &args.render(), &options)?);
    };
    if let Some(option) = args.of_renders() {
        let what = format!("{option} applies only to renders, but this is a sweep");
        return Err(Failure::Usage(what));
    }
    let sweep = load_sweep(&text, &sweep, &limits)?;
    paths.keep(&job::sweep_inputs(&sweep))?;
    let options = args.options(folder.join("sweep"))?;
    Ok(job::cluster_sweep(&sweep, &args.source, &options)?)
}
