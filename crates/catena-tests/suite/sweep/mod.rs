//! Sweeps: reading, measures, and equal tables from shards.

mod deal;
mod figures;
mod files;
mod foreign;
mod measures;
mod merging;
mod reading;
mod samples;
mod shards;
mod slips;
mod total;

use catena::{
    job::{SweepJobOptions, Swept, sweep},
    scene::{
        Limits, SceneError, SceneText,
        sweep::{Sweep, SweepOptions, load_sweep},
    },
    shard::ShardChoice,
};
use std::path::Path;

/// A rope of eight nodes in two panels, which takes a millisecond.
const ROPES: &str = "Scene(
    base: (
        frames: 20, frame_time: 0.02, substeps: 16, gravity: (0, -9.81),
        rope: (start: (0, 0), end: (1, 0), nodes: 8, stiffness: 500, mass: 0.1), drag: 0.01,
    ),
    panels: [
        (label: \"Euler\", with: (integrator: SemiImplicitEuler)),
        (label: \"RK4\", with: (integrator: Rk4)),
    ],
)";

/// The text of a sweep or scene.
fn text(text: &str) -> SceneText {
    SceneText { origin: "test".into(), name: "test".into(), text: text.into() }
}

/// Axes and measures in command-line form.
fn options(axes: &[&str], measure: &str) -> SweepOptions {
    SweepOptions {
        axes: axes.iter().map(|axis| (*axis).into()).collect(),
        measure: Some(measure.into()),
        ..SweepOptions::default()
    }
}

fn load(source: &str, options: &SweepOptions) -> Result<Sweep, SceneError> {
    load_sweep(&text(source), options, &Limits::default())
}

/// The ropes with these axes.
fn ropes(axes: &[&str], measure: &str) -> Sweep {
    load(ROPES, &options(axes, measure)).unwrap_or_else(|error| panic!("{}", error.report(false)))
}

/// Runs a sweep, or a shard of it.
fn make(it: &Sweep, folder: &Path, shard: Option<&str>) -> Swept {
    let shard: Option<ShardChoice> = shard.map(|shard| shard.parse().unwrap());
    let options = SweepJobOptions { shard, threads: Some(2), ..SweepJobOptions::default() };
    sweep(it, folder, &options, &(), &()).unwrap()
}

/// The table of a sweep: column names, and rows.
fn table(it: &Sweep) -> (Vec<String>, Vec<Vec<String>>) {
    let folder = tempfile::tempdir().unwrap();
    make(it, folder.path(), None);
    read(&folder.path().join("table.csv"))
}

fn read(path: &Path) -> (Vec<String>, Vec<Vec<String>>) {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let strings = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect();
    let header = strings(reader.headers().unwrap());
    (header, reader.records().map(|record| strings(&record.unwrap())).collect())
}

/// Cells of a column.
fn column((header, rows): &(Vec<String>, Vec<Vec<String>>), name: &str) -> Vec<String> {
    let place = header.iter().position(|other| other == name);
    let place = place.unwrap_or_else(|| panic!("there is no column {name} in {header:?}"));
    rows.iter().map(|row| row[place].clone()).collect()
}
