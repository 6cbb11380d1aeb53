//! Work that no estimate can predict is counted during the run and refused, with little memory and
//! in little time.

use crate::catena;
use crate::rendered::Bench;
use catena::analysis::order::EvaluationCounter;
use catena::render::{Painter, text::Font};
use catena::scene::limits::{Estimate, FilmEncoding, PlannedRun, Product};
use catena::scene::{Limits, Scene, SceneText, load_within};
use catena::sim::{Excess, Setup, Simulation, method::METHODS};
use catena::text::number::duration;
use std::{process::Output, sync::Arc, time::Duration};

/// Runs a command on a scene with a memory limit in KiB.
fn within(kibibytes: u32, scene: &str, args: &[&str]) -> Output {
    assert_cmd::Command::new("sh")
        .args(["-c", &format!("ulimit -v {kibibytes}; exec \"$0\" \"$@\"")])
        .arg(catena().get_program())
        .args(args)
        .write_stdin(scene)
        // Not a measurement: a hanging command must not block the tests.
        .timeout(Duration::from_secs(120))
        .output()
        .unwrap()
}

/// The option `--minutes` with a limit slightly above the estimate of a run: the simulation may
/// take one per cent more than its minimum work, and 0.3 ms.
pub fn close_above(scene: &str, frames: u64, product: Product) -> String {
    let scene = scene_of(scene, &Limits::unlimited(), frames);
    let estimate = Estimate::of(&scene, &PlannedRun::up_to(frames, product));
    let limit = estimate.work() + estimate.simulation / 100 + 300_000;
    format!("--minutes={}", limit as f64 / 6e10)
}

/// Settings, options, and parts of the message. `--minutes` at the end means a limit slightly above
/// the estimate.
const REFUSED: &[(&str, &[&str], &[&str])] = &[
    // All nodes come to the same point in the first step.
    (
        "position_factor: 1e-9, contact: (thickness: 0.01), rope: (nodes: 20000)",
        &["--frames", "2"],
        &["in frame 1, more than 4000000 pairs of nodes", "contact.thickness", "--unlimited"],
    ),
    // Known before the run, from the method's options.
    (
        "integrator: Pbd(iterations: 4294967295)",
        &[],
        &["600 frames would take about", "the limit is 1 minute", "--minutes", "--unlimited"],
    ),
    ("integrator: Xpbd(iterations: 4294967295, substeps: 4294967295)", &[], &["years"]),
    ("integrator: Pbd(iterations: 4294967295), step_control: StepDoubling", &[], &["years"]),
    // Known only during the run.
    (
        "integrator: Shake(tolerance: 1e-300, iterations: 4294967295)",
        &["--frames", "3", "--minutes"],
        &[
            "error: scene: up to frame 1, SHAKE takes more",
            "the number of iterations",
            "number of nodes; raise the `tolerance` or lower the `iterations` of Shake; --minutes N",
        ],
    ),
    (
        "integrator: DormandPrince(tolerance: 1e-300)",
        &["--frames", "9", "--minutes"],
        &[
            "the number of substeps",
            "number of nodes; raise the `tolerance` or raise the `safety` of DormandPrince; --minutes N",
        ],
    ),
    (
        "integrator: Rk4, step_control: StepDoubling(tolerance: 1e-300)",
        &["--frames", "9", "--minutes"],
        &[
            "the number of substeps",
            "number of nodes; raise the `tolerance` or raise the `safety` of StepDoubling; --minutes N",
        ],
    ),
    (
        "integrator: VelocityVerlet, step_control: StabilityLimit(safety: 1e-9)",
        &["--frames", "9", "--minutes"],
        &[
            "the number of substeps",
            "number of nodes; raise the `safety` of StabilityLimit; --minutes N",
        ],
    ),
    (
        "cloth: (corner: (0, 0), across: (9, 0), down: (0, -9), rows: 20, columns: 20, pins: TopEdge), integrator: ImplicitEuler(tolerance: 1e-15, iterations: 1000000)",
        &["--frames", "3", "--minutes"],
        &["the number of iterations"],
    ),
    (
        "integrator: ImplicitMidpoint(tolerance: 1e-15, iterations: 1000000), rope: (nodes: 200, stiffness: 1e9)",
        &["--frames", "9", "--minutes"],
        &["the number of iterations"],
    ),
    // All nodes come to the pin, so that no spring is stretched and the run does not diverge.
    (
        "position_factor: 1e-9, contact: (thickness: 0.01), rope: (nodes: 1000, start: (0, 0), end: (400, 0))",
        &["--frames", "2", "--minutes"],
        &["the number of contacts", "number of nodes; --minutes N"],
    ),
    // The label is the one in pictures and tables.
    (
        "bodies: [(label: \"A\", with: (integrator: Rk4)), (label: \"B\", with: (integrator: DormandPrince(tolerance: 1e-300)))]",
        &["--frames", "9", "--minutes"],
        &["error: scene: up to frame 1, B takes more"],
    ),
];

#[cfg(target_os = "linux")]
#[test]
fn runs_that_take_more_than_they_may_are_refused_in_little_memory() {
    let hold = |settings: &str, options: &[&str], parts: &[&str]| {
        let scene = format!("Scene(base: ({settings}))");
        let close;
        let options = match options {
            [frames, count, "--minutes"] => {
                close = close_above(&scene, count.parse().unwrap(), Product::Rows);
                &[*frames, count, &close][..]
            }
            _ => options,
        };
        let output = within(1_000_000, &scene, &[&["trace", "-"], options].concat());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{scene}: {stderr}");
        for part in parts {
            assert!(stderr.contains(part), "{scene} lacks `{part}`\n{stderr}");
        }
    };
    REFUSED.iter().for_each(|(settings, options, parts)| hold(settings, options, parts));
    let maximum = "integrator: Pbd(iterations: 4294967295)";
    let scene = scene_of(&format!("Scene(base: ({maximum}))"), &Limits::unlimited(), 600);
    let work = Estimate::of(&scene, &PlannedRun::up_to(600, Product::Rows)).work();
    let stderr = format!("would take about {} of one core", duration(work));
    hold(maximum, &[], &[&stderr]);
}

#[cfg(target_os = "linux")]
#[test]
fn every_command_refuses_a_run_that_takes_more_than_it_may() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (pictures, report, film) = (at("pictures"), at("report"), at("film.gif"));
    let (export, glb) = (at("export"), at("film.glb"));
    let size = [320, 200];
    let pictures_and_rest = Product::Pictures { size, settles: true };
    let gif = Product::Film { size, encoding: FilmEncoding::Gif };
    let exported = Product::Export { bytes: 1, work: 1 };
    let commands: &[(&[&str], Product)] = &[
        (&["render", "--out", &pictures], pictures_and_rest),
        (&["render", "--claim", "--out", &pictures], pictures_and_rest),
        (&["render", "--film", &film], gif),
        (&["report", "--out", &report], pictures_and_rest),
        (&["trace", "--energy"], Product::Energies),
        (&["export", "-o", &glb], exported),
        (&["export", "--format", "obj", "-o", &export], exported),
    ];
    // The first step takes all iterations. The view needs no pass, which would have its own budget.
    let scene = "Scene(base: (integrator: Shake(tolerance: 1e-16, iterations: 3000000), \
                 size: (320, 200), fit: Reach))";
    for (command, product) in commands {
        let minutes = close_above(scene, 4, *product);
        let args = [command, &["-", "--frames=4", &minutes][..]].concat();
        let output = within(4_000_000, scene, &args);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{command:?}: {stderr}");
        assert!(stderr.contains("the number of iterations"), "{command:?}: {stderr}");
    }
    assert!(!folder.path().join("film.gif").exists());
    assert!(!folder.path().join("film.glb").exists());
    assert!(!folder.path().join("export").exists());
}

/// Command lines whose estimate is above a limit of 0.6 ms.
const TOO_LONG: &[&str] = &[
    "check scene.ron",
    "render scene.ron --out a",
    "render scene.ron --out a --no-steady",
    "render scene.ron --film a.gif",
    "render scene.ron --film a.webm",
    "render scene.ron --out a --shard 1/2 --film a.mp4",
    "report scene.ron --out a",
    "figure scene.ron energy",
    "trace scene.ron",
    "trace scene.ron --energy",
    "trace scene.ron --events",
    "trace scene.ron --forces",
    "trace scene.ron --tensions",
    "trace scene.ron --topology",
    "export scene.ron -o a.glb",
    "stability scene.ron",
    "fit scene.ron --data far.csv --vary drag",
    "identify far.csv scene.ron",
    "job scene.ron --for slurm",
];

/// One limit applies to all commands that simulate a scene, each with its own estimate.
#[test]
fn every_command_refuses_an_estimate_above_the_limit() {
    let bench = Bench::new("Scene(base: (size: (320, 200), substeps: 10000))");
    let rows = (0..500).map(|frame| format!("{frame},15,{frame},0\n")).collect::<String>();
    std::fs::write(bench.path("far.csv"), format!("frame,node,x,y\n{rows}")).unwrap();
    for line in TOO_LONG {
        let output = bench.run(line.split(' ').chain(["--minutes", "0.00001"]));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{line}: {stderr}");
        for part in ["frames would take about", "the limit is 0.0006 seconds", "--minutes 1"] {
            assert!(stderr.contains(part), "{line} lacks `{part}`: {stderr}");
        }
    }
}

fn scene_of(text: &str, limits: &Limits, frames: u64) -> Scene {
    let text = SceneText { origin: "test".into(), name: "test".into(), text: text.into() };
    let mut scene = load_within(&text, &[], limits).unwrap();
    let run = PlannedRun { frames, ..PlannedRun::of(&scene) };
    limits.allot(&mut scene, &run);
    scene
}

/// Only counted work matters, so the refusal comes at the same step with every kernel, and earlier
/// states are equal to those of an unlimited run.
#[test]
fn a_budget_changes_no_state_before_it_ends() {
    let text = "Scene(base: (integrator: DormandPrince, substeps: 3))";
    let free = scene_of(text, &Limits::unlimited(), 10);
    // The estimate of ten frames, and twenty more frames at their minimum price.
    let run = PlannedRun { frames: 10, ..PlannedRun::of(&free) };
    let more = 20 * free.panels[0].bodies[0].setup.frame_cost();
    let limits = Limits { work: Estimate::of(&free, &run).work() + more, ..Limits::default() };
    let bounded = scene_of(text, &limits, 10);
    let start = |scene: &Scene| Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup));
    let (mut one, mut other) = (start(&bounded), start(&free));
    let mut frames = 0;
    let refusal = loop {
        one.advance_frame();
        if let Some(refusal) = one.refusal() {
            break refusal;
        }
        other.advance_frame();
        frames += 1;
        assert_eq!(one.state(), other.state());
        assert!(frames < 10_000, "it goes on and on");
    };
    assert!(frames > 10, "{frames}");
    assert_eq!(refusal.frame, frames + 1);
    assert!(matches!(refusal.excess, Excess::Work(_)));
    assert_eq!(one.frame(), frames + 1);
    // The run continues to count, but no longer moves.
    let state = one.state().clone();
    one.advance_frame();
    assert_eq!((one.frame(), one.state()), (frames + 2, &state));
}

/// Passes before the first picture are short for bodies whose work is known only during a run.
#[test]
fn check_takes_little_work_on_steps_that_are_divided_without_end() {
    let endless = [
        "integrator: VelocityVerlet, step_control: StabilityLimit(safety: 1e-9)",
        "integrator: DormandPrince(tolerance: 1e-300)",
    ];
    let bodies = ["", ", bodies: [(), (), ()]"];
    // One body with the first settings and four with the second; the nightly job has both for each.
    let all = endless.iter().enumerate().flat_map(|row| bodies.map(|bodies| (row, bodies)));
    let is_chosen = |((index, _), bodies): &((usize, _), &str)| {
        (*index == 0) == bodies.is_empty() || crate::is_thorough()
    };
    for ((_, settings), bodies) in all.filter(is_chosen) {
        let text = format!("Scene(base: ({settings}, style: (color_by: Tension){bodies}))");
        let mut scene = scene_of(&text, &Limits::default(), 600);
        let counter = Arc::new(EvaluationCounter::default());
        let mut price = 0;
        for body in scene.panels.iter_mut().flat_map(|panel| &mut panel.bodies) {
            let setup = Arc::make_mut(&mut body.setup);
            setup.forces.push(Arc::clone(&counter) as _);
            price = setup.prices().evaluation;
        }
        // The view and the colours have one pass each, and a step costs slightly more than its
        // price. Only a painter needs the colours.
        if bodies.is_empty() {
            Painter::new(&scene, Font::built_in().unwrap()).unwrap();
        } else {
            catena::job::check(&scene, &Limits::default(), &[]).unwrap();
        }
        let work = counter.evaluations().forces * price;
        assert!(work < 3_000_000_000, "{text}: {work}");
        assert!(work > 10_000_000, "{text}: {work}");
    }
}

/// Bodies share the remaining budget: together they do not exceed the limit.
#[test]
fn budgets_of_bodies_whose_work_is_not_known_are_within_the_limit_together() {
    let text = "Scene(base: (bodies: [(with: (integrator: Shake)), (with: (integrator: DormandPrince)), (with: (integrator: Rk4))]))";
    let limits = Limits::default();
    let scene = scene_of(text, &limits, 600);
    let budgets: Vec<u64> =
        scene.panels[0].bodies.iter().map(|body| body.setup.budget.work).collect();
    let minimum: u128 = scene.panels[0].bodies[2].setup.frame_cost() * 600;
    assert!(
        u128::from(budgets[0]) + u128::from(budgets[1]) + minimum <= limits.work,
        "{budgets:?}"
    );
    assert!(budgets[..2].iter().all(|budget| *budget > 20_000_000_000), "{budgets:?}");
    assert_eq!(u128::from(budgets[2]), limits.work);
}

/// Number of force evaluations by RK4. The Adams methods use RK4 in their first steps, in addition
/// to their own evaluations.
const RK4: u64 = 4;

/// The properties that a method states are true: it evaluates forces at most this often, and its
/// sweep counts match its options.
#[test]
fn every_method_says_what_a_step_takes() {
    const STEPS: u64 = 10;
    for info in METHODS {
        let name = info.name;
        let cost = catena::sim::method::with_defaults(name).unwrap().cost();
        assert!(cost.evaluations >= 1, "{name}");
        assert_eq!(cost.sweeps > 0, info.holds_lengths || name == "Xpbd", "{name}");
        if cost.is_open {
            continue;
        }
        let text = format!("Scene(base: (integrator: {name}, drag: 0.1, rope: (nodes: 5)))");
        let body = Arc::clone(&scene_of(&text, &Limits::unlimited(), 1).panels[0].bodies[0].setup);
        let counter = Arc::new(EvaluationCounter::default());
        let mut setup = Setup::clone(&body);
        setup.forces.push(Arc::clone(&counter) as _);
        let mut run = Simulation::new(Arc::new(setup));
        (0..STEPS).for_each(|_| run.step());
        // A method that uses the slopes of n steps takes n - 1 steps with RK4.
        let slopes = name.strip_prefix("Lecture").unwrap_or(name).strip_prefix("Adams");
        let slopes = slopes.and_then(|name| name.chars().last()?.to_digit(10)).unwrap_or(1);
        let start = RK4 * u64::from(slopes - 1);
        let stated = STEPS * cost.evaluations;
        let counted = counter.evaluations().forces;
        assert!(counted <= stated + start, "{name}: {counted}, not {stated} and {start}");
        // The stated number is not higher than the actual one.
        assert!(counted >= stated, "{name}: {counted}, not {stated}");
    }
}
