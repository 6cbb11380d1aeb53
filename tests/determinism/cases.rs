//! Cases of states.txt: every method on each of a few bodies, and every scene in scenes/, each
//! simulated for some frames.
//!
//! Two programs run these cases, crates/catena-tests/suite/repository/states.rs and tests/arm64.
//! They share this file, so that both hash the same data in the same way.

use catena::{
    output::{
        flat::FlatEncoder,
        hash::{NumberHash, sha256},
    },
    render::{Painter, PanelFrame, PanelRun, text::Font},
    scene::{Patch, Scene, SceneText, load},
    sim::{method::METHOD_NAMES, run::batch::Batch},
};
use std::{error::Error, fs, path::Path};

/// Bodies for all methods, as settings of a scene. If a method is too inaccurate for a body it
/// diverges; the divergence must be equal, too.
const BODIES: [(&str, &str); 6] = [
    ("planar_rope", "substeps: 32, drag: 0.01, rope: (nodes: 9, stiffness: 20)"),
    (
        "stiff_rope",
        "substeps: 64, rope: (end: (250, 120), nodes: 12, stiffness: 4000, mass: 0.5, pins: [0, 11], damping: 0.3, bending: 60)",
    ),
    (
        "rope_with_contacts",
        "substeps: 24, frame_time: 0.03, gravity: (0, -9.81), contact: (radius: 0.03, thickness: 0.05, friction: 0.3, restitution: 0.2),
        colliders: [
            Plane(point: (0, 0), normal: (0.1, 1), friction: 0.4),
            Sphere(center: (0.5, 0.3), radius: 0.25, restitution: 0.6),
            Capsule(a: (-0.7, 0.25), b: (-0.2, 0.4), radius: 0.1, friction: 0.2),
        ],
        rope: (start: (-0.8, 0.6), end: (0.9, 0.7), nodes: 14, stiffness: 900, mass: 0.02, damping: 0.1, pins: [])",
    ),
    (
        "cloth",
        "substeps: 16, frame_time: 0.05, gravity: (0, -9.81, 0), drag: 0.004, wind: (1, 0, -2), contact: (radius: 0.02),
        colliders: [Sphere(center: (0.1, -0.25, 0.5), radius: 0.2, friction: 0.3)],
        cloth: (corner: (-0.5, 0, 0), across: (1, 0, 0), down: (0, 0.1, 1), rows: 6, columns: 5, stiffness: 90, mass: 0.01, damping: 0.03, pins: TopCorners),
        style: (surface: Facets)",
    ),
    (
        "rope_in_space",
        "substeps: 32, frame_time: 0.05, gravity: (0, -9.81, 0), drag: 0.01,
        anchors: [(node: 0, curve: CatmullRom(keys: [(0, (0, 0, 0)), (0.2, (0.3, 0.1, 0.2)), (0.5, (0, 0, -0.3))]))],
        impulses: [(node: 10, impulse: (0.1, 0, 0.3)), (node: 5, at: 0.2, impulse: (0, 0.2, 0))],
        rope: (start: (0, 0, 0), end: (1.1, 0.2, 0.3), nodes: 11, stiffness: 300, mass: 0.05, friction: 0.02, pins: [0])",
    ),
    (
        "parts_that_touch",
        "substeps: 24, frame_time: 0.04, gravity: (0, -9.81, 0), drag: 0.004, wind: Gusts(mean: (1, 0, 0), strength: 2, seed: 3),
        contact: (of: Drawn, thickness: 0.03, friction: 0.3, restitution: 0.1),
        colliders: [Box(center: (0.1, -0.5, 0), size: (0.5, 0.2, 0.5), friction: 0.4), Sphere(center: (-0.3, -0.3, 0), radius: 0.1)],
        parts: [
            (name: \"line\", with: (rope: (start: (-0.5, 0, 0), end: (0.5, 0, 0), nodes: 9, stiffness: 900, mass: 0.02, damping: 0.1, pins: [First, Last]))),
            (name: \"ring\", with: (rope: (shape: Ring(toward: (0, 0, 1)), start: (-0.25, 0.15, 0.05), end: (-0.25, -0.15, 0.05), nodes: 12, stiffness: 600, mass: 0.01, pins: []))),
            (name: \"flag\", with: (cloth: (corner: (0, 0, 0), across: (0.5, 0, 0), down: (0, -0.3, 0.1), rows: 4, columns: 5, stiffness: 80, mass: 0.005))),
        ],
        joins: [Touching],
        events: [(at: 0.2, do: Cut(a: (\"line\", 1), b: (\"line\", 2))), (at: 0.3, do: Release(node: (\"line\", Last)))]",
    ),
];

/// Frame whose state is hashed.
const FRAME: u64 = 10;

/// Cases whose pictures are also hashed: numbers under panels, a ground in space, and a cloth on a
/// ball. These pictures are small.
const SMALL_PICTURES: [&str; 3] = ["compare", "workshop", "cloth/Xpbd"];

/// More cases with pictures: contacts, a larger cloth, and a body that diverged.
const PICTURES: [&str; 3] = ["bounce", "cloth_sphere", "explicit_64"];

/// A scene, and what to hash.
pub struct Case {
    /// Name in states.txt.
    name: String,
    /// Path of the scene, against which the scene's file names are resolved; the case name if there
    /// is no path.
    origin: String,
    text: String,
    /// Whether the case is a method on one of the bodies.
    is_body: bool,
}

/// Cases in the order of states.txt: all of them, or only the small ones, which are cheap enough to
/// emulate on every change.
pub fn read(repository: &Path, is_small: bool) -> Result<Vec<Case>, Box<dyn Error>> {
    let mut cases = Vec::new();
    for (body, settings) in BODIES {
        for method in METHOD_NAMES {
            let name = format!("{body}/{method}");
            // The default of 5000 sweeps, on a cloth that cannot keep all lengths, would take
            // longer than all other cases together.
            let options = if *method == "Shake" { "(iterations: 40)" } else { "" };
            let text = format!("Scene(base: (integrator: {method}{options}, {settings}))");
            cases.push(Case { origin: name.clone(), name, text, is_body: true });
        }
    }
    let mut names = Vec::new();
    for entry in fs::read_dir(repository.join("scenes"))? {
        let name = entry?.file_name().into_string().unwrap_or_default();
        names.extend(name.strip_suffix(".ron").map(str::to_owned));
    }
    names.sort();
    for name in names {
        let path = repository.join(format!("scenes/{name}.ron"));
        let (text, origin) = (fs::read_to_string(&path)?, path.display().to_string());
        cases.push(Case { name, origin, text, is_body: false });
    }
    cases.retain(|case| !is_small || case.is_body || SMALL_PICTURES.contains(&&*case.name));
    Ok(cases)
}

impl Case {
    fn is_drawn(&self) -> bool {
        SMALL_PICTURES.iter().chain(&PICTURES).any(|name| *name == self.name)
    }

    /// Name, frame, and SHA-256 of the state and of the picture, in the format of manifests; `-`
    /// means no picture.
    pub fn line(&self) -> Result<String, Box<dyn Error>> {
        let Self { name, origin, text, .. } = self;
        let text = SceneText { origin: origin.clone(), name: name.clone(), text: text.clone() };
        let small: Patch = "size=(480, 300)".parse()?;
        let scene = load(&text, &[small])?;
        let mut panel_runs: Vec<PanelRun> = scene.panels.iter().map(PanelRun::new).collect();
        let first = panel_frames(&panel_runs);
        let mut batch = Batch::default();
        for _ in 0..FRAME {
            let all = panel_runs.iter_mut().flat_map(PanelRun::simulations_mut);
            batch.advance_frames(&mut all.collect::<Vec<_>>());
            panel_runs.iter_mut().for_each(PanelRun::update);
        }
        let picture = match self.is_drawn() {
            true => picture(&scene, &first, &panel_frames(&panel_runs))?,
            false => "-".into(),
        };
        Ok(format!("{name} {FRAME} {} {picture}", state(&panel_runs)))
    }
}

fn state(panel_runs: &[PanelRun]) -> String {
    let mut hash = NumberHash::default();
    for simulation in panel_runs.iter().flat_map(PanelRun::simulations) {
        let state = simulation.state();
        hash.add(&[state.t]);
        hash.add(&state.x);
        hash.add(&state.v);
    }
    hash.finish()
}

fn panel_frames(panel_runs: &[PanelRun]) -> Vec<PanelFrame> {
    panel_runs.iter().map(|panel_run| panel_run.current().clone()).collect()
}

/// Draws and encodes a frame as `catena render` does: the picture of frame 0 is the sample of the
/// encoder.
fn picture(
    scene: &Scene,
    first: &[PanelFrame],
    last: &[PanelFrame],
) -> Result<String, Box<dyn Error>> {
    let painter = Painter::new(scene, Font::built_in()?)?;
    let mut canvas = painter.canvas();
    painter.draw(&mut canvas, first);
    let encoder = FlatEncoder::new(painter.template(), canvas.changes());
    painter.draw(&mut canvas, last);
    let mut bytes = Vec::new();
    encoder.encode(canvas.changes(), &mut bytes);
    Ok(sha256(&bytes))
}
