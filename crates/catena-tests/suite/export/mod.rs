//! Exports: structure and numbers of each format, read back by small readers.

mod breaks;
mod command;
mod figures;
mod folders;
mod glb;
mod gltf;
mod limits;
mod mirrored;
mod obj;
mod puppet;
mod solids;
mod usda;
mod vtp;

use catena::export::{
    Contents, ExportError, ExportFormat, Files, Fill, Recorder, Recording, WriteOptions, write,
};
use catena::scene::Scene;
use catena::sim::{Simulation, vector::Vec3};
use std::{fs::File, io, ops::Range, sync::Arc};

/// A moving cloth and a moving rope in space; frames are 0.1 s apart.
const BOTH: &str = "Scene(base: (frames: 6, frame_time: 0.1, substeps: 40, gravity: (0, -9.81, 0), drag: 0.01,
    style: (color: \"#336699\")), panels: [
    (label: \"Cape\", with: (cloth: (corner: (-0.5, 1, 0), across: (1, 0, 0), down: (0, 0, 0.9), rows: 4, columns: 5,
        stiffness: 300, mass: 0.01, damping: 0.05, pins: TopEdge))),
    (label: \"Whip\", with: (rope: (start: (0, 0, 0), end: (0.9, 0.1, 0.3), nodes: 7, stiffness: 900, mass: 0.02,
        damping: 0.1, pins: [0]), style: (thickness: 0.04))),
])";

/// Files in memory.
#[derive(Default)]
struct Memory(Vec<(String, Vec<u8>)>);

impl Files for Memory {
    fn write_file(&mut self, name: &str, fill: &mut Fill<'_>) -> Result<(), ExportError> {
        let mut bytes = Vec::new();
        fill(&mut bytes)?;
        self.0.push((name.into(), bytes));
        Ok(())
    }

    fn create_spare(&mut self) -> io::Result<File> {
        tempfile::tempfile()
    }
}

/// The simulations of all bodies, at frame 0.
fn simulations(scene: &Scene) -> Vec<Simulation> {
    let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    bodies.map(|body| Simulation::new(Arc::clone(&body.setup))).collect()
}

/// Records the contents of a scene.
fn recorded(scene: &Scene, contents: &Contents, has_motion: bool) -> Recording {
    let mut recorder = Recorder::new(contents, tempfile::tempfile().unwrap(), has_motion);
    let mut all = simulations(scene);
    if has_motion {
        all.iter_mut().for_each(Simulation::keep_tensions);
    }
    for frame in 0..contents.frames.end {
        recorder.record(all.iter());
        if contents.frames.contains(&frame) {
            recorder.keep().unwrap();
        }
        all.iter_mut().for_each(Simulation::advance_frame);
    }
    recorder.finish().unwrap()
}

/// Files with the contents of a scene.
fn written(
    scene: &Scene,
    contents: &Contents,
    format: ExportFormat,
    options: WriteOptions,
) -> Result<Vec<(String, Vec<u8>)>, ExportError> {
    let mut recording = recorded(scene, contents, format.info().has_motion);
    let mut files = Memory::default();
    write(format, contents, &mut recording, options, &mut files, &|| false)?;
    Ok(files.0)
}

/// Files of a scene.
fn export(
    scene: &Scene,
    frames: Range<u64>,
    format: ExportFormat,
    options: WriteOptions,
) -> Vec<(String, Vec<u8>)> {
    written(scene, &Contents::of_scene(scene, None, frames), format, options).unwrap()
}

/// The only file of a scene.
fn one(scene: &Scene, frames: Range<u64>, format: ExportFormat, options: WriteOptions) -> Vec<u8> {
    let mut files = export(scene, frames, format, options);
    assert_eq!(files.len(), 1);
    files.remove(0).1
}

/// Text of a scene's only file.
fn text(scene: &Scene, frames: Range<u64>, format: ExportFormat) -> String {
    String::from_utf8(one(scene, frames, format, WriteOptions::default())).unwrap()
}

/// Positions of all nodes of a body at each frame.
fn places(scene: &Scene, body: usize, frames: u64) -> Vec<Vec<Vec3>> {
    let mut simulation = simulations(scene).remove(body);
    let mut all = Vec::new();
    for _ in 0..frames {
        all.push(simulation.positions().collect());
        simulation.advance_frame();
    }
    all
}

/// Maximum distance between two lists of positions.
fn farthest(a: &[Vec3], b: &[Vec3]) -> f64 {
    assert_eq!(a.len(), b.len());
    let numbers = a.as_flattened().iter().zip(b.as_flattened());
    numbers.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
