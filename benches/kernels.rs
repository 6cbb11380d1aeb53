//! Speed-up of catena's fast paths over their plain loops: medians of interleaved pairs. `cargo
//! bench --bench kernels` prints them. `--json` prints one line per ratio for benches/peers/run.py,
//! which also runs the peers. `--rows 8,11` measures only these rows.

// A benchmark that cannot continue should fail.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use catena::instructions::Instructions;
use catena::output::flat::FlatEncoder;
use catena::render::{Painter, PanelRun, text::Font};
use catena::scene::{Limits, Scene, SceneText, load, load_within};
use catena::sim::{Setup, Simulation, run::batch::Batch};
use std::{collections::BTreeSet, hint::black_box, process::Command, sync::Arc, time::Instant};

const PAIRS: usize = 7;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let after = |name: &str| args.iter().position(|arg| arg == name).map(|at| args[at + 1].clone());
    let rows: BTreeSet<u32> = match after("--rows") {
        Some(rows) => rows.split(',').map(|row| row.parse().unwrap()).collect(),
        None => (5..=12).collect(),
    };
    let out = Out { is_json: args.iter().any(|arg| arg == "--json"), set: Instructions::best() };
    let is_part = args.iter().any(|arg| arg == "--part");
    for row in rows.iter().copied() {
        match row {
            5 if !is_part => frames(&out),
            8 => projection(&out),
            9 if !is_part => euler(&out),
            10 => variants(&out),
            11 => cloth(&out),
            12 if !is_part => implicit(&out),
            _ => {}
        }
    }
    if !is_part {
        narrower(&out, &rows);
    }
}

/// Repeats the measurements with each narrower instruction set of this processor, each in its own
/// process.
fn narrower(out: &Out, rows: &BTreeSet<u32>) {
    let rows: Vec<String> = rows.iter().map(u32::to_string).collect();
    for set in Instructions::ALL.into_iter().filter(|set| *set != out.set && set.is_available()) {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.env(Instructions::VARIABLE, set.name()).args(["--part", "--rows", &rows.join(",")]);
        if out.is_json {
            command.arg("--json");
        }
        assert!(command.status().unwrap().success());
    }
}

struct Out {
    is_json: bool,
    set: Instructions,
}

impl Out {
    /// Prints a ratio. An empty goal means that the path has no goal.
    fn ratio(&self, row: u32, case: &str, ratio: f64, goal: &str) {
        self.line(row, case, &format!("\"ratio\": {ratio:.3}"), &format!("{ratio:.2} x"), goal);
    }

    fn compared(&self, row: u32, case: &str, nanoseconds: f64, peer: &str, goal: &str) {
        let value = format!("\"nanoseconds\": {nanoseconds:.4}, \"beside\": \"{peer}\"");
        self.line(row, case, &value, &format!("{nanoseconds:.2} ns, beside {peer}"), goal);
    }

    fn line(&self, row: u32, case: &str, json: &str, text: &str, goal: &str) {
        if self.is_json && !goal.is_empty() {
            println!("{{\"row\": {row}, \"case\": \"{case}\", {json}, \"goal\": \"{goal}\"}}");
        } else if !self.is_json {
            println!("{row:>3}  {case:<44} {text:<40} {goal}");
        }
    }
}

fn scene(base: &str) -> Scene {
    let text = format!("Scene(base: ({base}))");
    let text = SceneText { origin: "bench".into(), name: "bench".into(), text };
    load_within(&text, &[], &Limits::unlimited()).unwrap()
}

fn setup(base: &str) -> Arc<Setup> {
    Arc::clone(&scene(base).panels[0].bodies[0].setup)
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Median ratio of the times of two interleaved runs: `one` over `other`.
fn ratio(mut one: impl FnMut() -> f64, mut other: impl FnMut() -> f64) -> f64 {
    one();
    other();
    median((0..PAIRS).map(|_| one() / other()).collect())
}

/// Time of frames simulated step by step in the plain loop, over the time of the fast path.
fn plain_over_fast(setup: &Arc<Setup>, frames: u64) -> f64 {
    let mut plain = Simulation::new(Arc::clone(setup));
    let mut fast = Simulation::new(Arc::clone(setup));
    let steps = frames * setup.substeps;
    ratio(
        || seconds(|| (0..steps).for_each(|_| plain.step())),
        || seconds(|| (0..frames).for_each(|_| fast.advance_frame())),
    )
}

fn projection(out: &Out) {
    for (nodes, frames, goals) in
        [(16, 400, ["", "", ">= 4"]), (256, 40, [">= 2.5", "", ""]), (65_536, 1, ["", "", ">= 15"])]
    {
        let setup = setup(&format!(
            "substeps: 64, integrator: ConstraintVerlet(damping: 5e-5), rope: (nodes: {nodes})"
        ));
        let case = format!("constraint Verlet, {nodes} nodes, {}", out.set.name());
        let goal = goals[out.set as usize];
        out.ratio(8, &case, plain_over_fast(&setup, frames), goal);
    }
}

fn euler(out: &Out) {
    let run = |nodes: u64, frames: u64| {
        let setup = setup(&format!("substeps: 64, rope: (nodes: {nodes}, stiffness: 1)"));
        let mut simulation = Simulation::new(setup);
        let work = (nodes * 64 * frames) as f64;
        move || seconds(|| (0..frames).for_each(|_| simulation.advance_frame())) * 1e9 / work
    };
    let (mut large, mut small) = (run(1 << 20, 1), run(1 << 16, 16));
    out.ratio(
        9,
        "Euler, 1M beside 65k nodes, per spring",
        ratio(&mut large, &mut small),
        "<= 1.15",
    );
    let nanoseconds = median((0..PAIRS).map(|_| large()).collect());
    out.compared(9, "Euler, 1M nodes", nanoseconds, "homework euler 1048576", ">= 8");
}

fn variants(out: &Out) {
    let setups: Vec<_> = (0..1024)
        .map(|number| {
            let (damping, mass) = (1e-6 * f64::from(number), 1.0 + 0.001 * f64::from(number));
            setup(&format!(
                "integrator: ConstraintVerlet(damping: {damping:?}), rope: (mass: {mass:?})"
            ))
        })
        .collect();
    let all = || setups.iter().map(|setup| Simulation::new(Arc::clone(setup))).collect::<Vec<_>>();
    let (mut plain, mut fast, mut batch) = (all(), all(), Batch::default());
    let substeps = setups[0].substeps;
    let ratio = ratio(
        || {
            seconds(|| {
                for simulation in &mut plain {
                    (0..substeps).for_each(|_| simulation.step());
                }
            })
        },
        || {
            seconds(|| {
                black_box(batch.advance_frames(&mut fast));
            })
        },
    );
    let goal = [">= 3.5", "", ">= 12"][out.set as usize];
    out.ratio(10, &format!("1024 ropes of 16 nodes, {}", out.set.name()), ratio, goal);
}

fn cloth(out: &Out) {
    let setup = setup(
        "gravity: (0, -1, 0), frame_time: 0.05, substeps: 4,
         cloth: (corner: (0, 0, 0), across: (255, 0, 0), down: (0, 0, 255), rows: 256, columns: 256,
         pins: TopCorners)",
    );
    let goal = ["", ">= 4", ""][out.set as usize];
    let case = format!("cloth 256x256, {}", out.set.name());
    out.ratio(11, &case, plain_over_fast(&setup, 2), goal);
}

fn implicit(out: &Out) {
    let run = |gravity: &str, nodes: u64, steps: u64| {
        let setup = setup(&format!(
            "integrator: ImplicitEuler, substeps: 8, gravity: {gravity}, rope: (nodes: {nodes})"
        ));
        let mut simulation = Simulation::new(setup);
        let work = (nodes * steps) as f64;
        move || seconds(|| (0..steps / 8).for_each(|_| simulation.advance_frame())) * 1e9 / work
    };
    // On a level rope under vertical gravity, the horizontal velocities decrease with the distance
    // from the pin until they are subnormal numbers, which are slow on many processors.
    for (case, gravity) in [("level rope", "(0, -1)"), ("gravity aslant", "(0.6, -0.8)")] {
        let ratio = ratio(run(gravity, 1_000_000, 8), run(gravity, 1000, 1600));
        out.ratio(12, &format!("implicit Euler, 1M beside 1k nodes, {case}"), ratio, "<= 1.5");
    }
}

fn frames(out: &Out) {
    let text = SceneText::read("scenes/compare.ron".as_ref()).unwrap();
    for (size, goal) in [([1280, 720], "<= 1.6"), ([1920, 1080], "<= 1.3")] {
        let mut scene = load(&text, &[]).unwrap();
        scene.size = size;
        let painter = Painter::new(&scene, Font::built_in().unwrap()).unwrap();
        let mut panel_runs: Vec<_> = scene.panels.iter().map(PanelRun::new).collect();
        let mut panel_frames = Vec::new();
        for _ in 0..300 {
            panel_runs.iter_mut().for_each(PanelRun::advance_frame);
            panel_frames.push(
                panel_runs.iter().map(|panel_run| panel_run.current().clone()).collect::<Vec<_>>(),
            );
        }
        let (mut canvas, mut bytes) = (painter.canvas(), Vec::new());
        painter.draw(&mut canvas, &panel_frames[0]);
        let encoder = FlatEncoder::new(painter.template(), canvas.changes());
        let times = panel_frames.iter().map(|panel_frames| {
            seconds(|| {
                painter.draw(&mut canvas, panel_frames);
                encoder.encode(canvas.changes(), black_box(&mut bytes));
            }) * 1e9
        });
        let (case, peer) =
            (format!("{}x{}", size[0], size[1]), format!("memcpy {}x{}", size[0], size[1]));
        let nanoseconds = median(times.collect());
        out.compared(5, &format!("draw and encode {case}"), nanoseconds, &peer, goal);
    }
}
