//! One simulation serves the view and the pictures: no step is computed twice, and the output is
//! the same as with two simulations.

use crate::rendered::{Bench, tree};
use catena::job::{
    self, FrameChoice, FrameOptions, FrameOrder, RenderOptions, SceneFilmOptions, ShardOptions,
    ShardProduct,
};
use catena::scene::Scene;
use catena::shard::ShardChoice;
use catena::sim::{
    Cost, Integrator, Method, Model, Setup, State, System,
    method::{ConstraintVerlet, MethodInfo, Rk4},
};
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

/// A method that counts its steps.
#[derive(Debug)]
struct Counting(Arc<dyn Method>, Arc<AtomicU64>);
catena_sim::identity!(Counting(method; count));

struct CountingState(Box<dyn Integrator>, Arc<AtomicU64>);

impl Method for Counting {
    fn info(&self) -> MethodInfo {
        self.0.info()
    }

    fn cost(&self) -> Cost {
        self.0.cost()
    }

    fn start(&self, model: &Model, initial: &State, dt: f64) -> Box<dyn Integrator> {
        Box::new(CountingState(self.0.start(model, initial, dt), Arc::clone(&self.1)))
    }
}

impl Integrator for CountingState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.step(system, state, dt);
    }

    fn save(&self, memory: &mut Vec<f64>) {
        self.0.save(memory);
    }

    fn restore(&mut self, memory: &[f64]) {
        self.0.restore(memory);
    }
}

/// Number of frames and substeps of the scene whose steps are counted.
const FRAMES: u64 = 12;
const SUBSTEPS: u64 = 8;

/// A scene of two bodies without a view, and the counter of their steps.
fn counted() -> (Scene, Arc<AtomicU64>) {
    let text = format!(
        "Scene(base: (size: (64, 64), frames: {FRAMES}, substeps: {SUBSTEPS}, decoration: Bare,
            rope: (nodes: 4)), panels: [(with: ()), (with: (drag: 0.01))])"
    );
    let (mut scene, count) = (text.parse::<Scene>().unwrap(), Arc::new(AtomicU64::new(0)));
    let methods: [Arc<dyn Method>; 2] = [Arc::new(Rk4 {}), Arc::new(ConstraintVerlet::default())];
    for (panel, method) in scene.panels.iter_mut().zip(methods) {
        let body = &mut panel.bodies[0];
        let method = Arc::new(Counting(method, Arc::clone(&count)));
        body.setup = Arc::new(Setup { method, ..Setup::clone(&body.setup) });
    }
    (scene, count)
}

#[test]
fn every_step_is_taken_once_for_view_and_pictures() {
    let (scene, count) = counted();
    let folder = tempfile::tempdir().unwrap();
    // Number of steps of both bodies up to a frame.
    let up_to = |frame: u64| 2 * frame * SUBSTEPS;
    let check = |what: &str, last: u64| {
        let steps = count.swap(0, Ordering::Relaxed);
        assert_eq!(steps, up_to(last), "{what}: {} frames", steps / up_to(1));
    };
    let all = FRAMES - 1;
    let choices = [
        (FrameChoice::All, all),
        (FrameChoice::First(1), all),
        (FrameChoice::Part(3..6), all),
        (FrameChoice::Part(all..FRAMES), all),
        (FrameChoice::First(FRAMES + 5), FRAMES + 4),
        (FrameChoice::Part(FRAMES + 2..FRAMES + 4), FRAMES + 3),
    ];
    for (frames, last) in choices {
        for threads in [Some(1), Some(2)] {
            let what = format!("{frames:?} with {threads:?} threads");
            let options = FrameOptions { frames: frames.clone(), threads, ..Default::default() };
            for order in [FrameOrder::Film, FrameOrder::CoarseToFine, FrameOrder::From(4)] {
                let mut made = 0;
                job::pictures(&scene, &options, order, &(), &(), |_, _| made += 1).unwrap();
                assert!(made > 0, "{what}");
                check(&format!("pictures, {what}, {order:?}"), last);
            }
            let film = SceneFilmOptions { frames: options, ..Default::default() };
            let output = folder.path().join("film.gif");
            job::film_scene(&scene, output.as_os_str(), &film, &(), &()).unwrap();
            check(&format!("film, {what}"), last);
            let out = folder.path().join("out");
            let render = RenderOptions {
                frames: frames.clone(),
                threads,
                steady: false,
                ..RenderOptions::default()
            };
            job::render(&scene, &out, &render, &(), &()).unwrap();
            check(&format!("render, {what}"), last);
            std::fs::remove_dir_all(out).unwrap();
        }
    }
    job::draw(&scene, 5).unwrap();
    check("draw", all);
}

#[test]
fn every_shard_takes_every_step_once() {
    let (scene, count) = counted();
    let folder = tempfile::tempdir().unwrap();
    let render = RenderOptions { steady: false, ..RenderOptions::default() };
    for product in [ShardProduct::Frames, ShardProduct::Pack] {
        for number in [1, 2] {
            let options = ShardOptions {
                choice: ShardChoice::new(number, 2).unwrap(),
                render: render.clone(),
                product: product.clone(),
                audit: None,
                command: String::new(),
            };
            let out = folder.path().join(format!("{product:?}"));
            job::render_shard(&scene, &out, &options, &(), &()).unwrap();
            let steps = count.swap(0, Ordering::Relaxed);
            assert_eq!(steps, 2 * (FRAMES - 1) * SUBSTEPS, "shard {number}, {product:?}");
        }
    }
}

/// Scenes whose frames show the history of a run, or whose runs end early.
const SCENES: [(&str, &str); 6] = [
    (
        "ghosts, trails and values",
        "Scene(base: (size: (320, 240), frames: 14, substeps: 16, drag: 0.01, rope: (nodes: 5),
            style: (ghosts: 3, trails: [4], color_by: Tension)),
            panels: [(with: (integrator: ConstraintVerlet)), (with: (integrator: Rk4))])",
    ),
    (
        "a body that diverges",
        "Scene(base: (size: (320, 240), frames: 14, rope: (nodes: 5, stiffness: 1000)),
            panels: [(with: (integrator: ExplicitEuler, substeps: 8)),
                (with: (integrator: SemiImplicitEuler, substeps: 64))])",
    ),
    (
        "chosen steps",
        "Scene(base: (size: (320, 240), frames: 14, rope: (nodes: 5), integrator: Rk4,
            step_control: StepDoubling(tolerance: 0.001)), panels: [(with: ())])",
    ),
    (
        "arrows",
        "Scene(base: (size: (320, 240), frames: 14, rope: (nodes: 5), style: (arrows: All)),
            panels: [(with: ())])",
    ),
    (
        "space",
        "Scene(base: (size: (320, 240), frames: 14, gravity: (0, -9.81, 0), frame_time: 0.03,
            cloth: (corner: (-0.5, 0.75, -0.5), across: (1, 0, 0), down: (0, 0, 1), rows: 4,
                columns: 4, stiffness: 300, mass: 0.0015, damping: 0.02)), panels: [(with: ())])",
    ),
    (
        "events",
        "Scene(base: (size: (320, 240), frames: 14, rope: (nodes: 5, pins: [0, 4]),
            events: [(at: 5, do: Release(node: Last))]), panels: [(with: ()), (with: (drag: 0.01))])",
    ),
];

#[test]
fn frames_are_the_same_whether_one_run_serves_view_and_pictures_or_two() {
    for (name, scene) in SCENES {
        let bench = Bench::new(scene);
        // Runs that write checkpoints at chosen frames are separate from the run for the view.
        let whole = ["--no-steady", "--checkpoint-every", "100"];
        for frames in [&["--frames", "9"][..], &["--frames", "20"], &["--frame-range", "4-7"]] {
            bench.render("two", &[&whole[..], frames].concat(), 0);
            bench.render("one", &[&["--no-steady"], frames].concat(), 0);
            let [one, two] = ["one", "two"].map(|out| tree(&bench.path(out)));
            assert!(one.len() > 1, "{name}");
            assert_eq!(one, two, "{name}: {frames:?}");
            for out in ["one", "two"] {
                std::fs::remove_dir_all(bench.path(out)).unwrap();
            }
        }
    }
}
