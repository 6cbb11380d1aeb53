//! Statements about a step, compared with a run of the film at this step.

use crate::{catena, repository, scene, scene_of};
use catena::analysis::stability::{
    StabilityTimes, predict::LimitReach, stability, warning, warning_amount,
};
use catena::scene::Scene;
use catena::sim::{Outcome, Setup, Simulation};
use catena_tests::Random;
use std::{fs, path::Path, sync::Arc, time::Duration};

/// Time limit for a program that should end.
const PATIENCE: Duration = Duration::from_secs(60);

fn output(args: &[&str], scene: &Path) -> String {
    let run = catena().args(args).arg(scene).timeout(PATIENCE).assert().success();
    let output = run.get_output();
    String::from_utf8([&output.stdout[..], &output.stderr[..]].concat()).unwrap()
}

fn stability_of(scene: &Path) -> String {
    output(&["stability"], scene)
}

fn rendered(scene: &Path, frames: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap().to_owned();
    output(&["render", "--no-steady", "--frames", frames, "--out", &out], scene)
}

fn diverges(setup: &Setup, frames: u64) -> bool {
    let mut run = Simulation::new(Arc::new(setup.clone()));
    (0..frames).for_each(|_| run.advance_frame());
    run.outcome() != Outcome::Fine
}

#[test]
fn a_rope_that_stiffens_is_over_its_limit_and_told() {
    let scene = repository("tests/defects/03_stiffening_law.ron");
    let message = stability_of(&scene);
    assert!(
        !message.contains("within the limit") && message.contains("over the limit"),
        "{message}"
    );
    assert!(message.contains("of the simulation"), "{message}");
    let message = rendered(&scene, "10");
    assert!(
        message.contains("exceeds the stability limit") && message.contains("at time"),
        "{message}"
    );
    // Before the rope falls, there is nothing to report.
    let message = rendered(&scene, "2");
    assert!(!message.contains("warning"), "{message}");
}

/// Methods with rigid lengths survive beyond the limit of small motions, because the lengths bound
/// the growth. But a body that should rest then moves a thousand times as fast.
#[test]
fn held_lengths_bound_the_growth_beyond_the_limit_of_small_motions() {
    // Numbers of substeps on both sides of the predicted limit.
    for (name, method, [calm, noise], frames) in [
        ("cantilever", "Pbd", [170, 150], 100),
        ("michell_ring", "Pbd", [16, 12], 100),
        ("michell_ring", "Xpbd", [16, 12], 100),
        ("arch", "Pbd", [45, 34], 60),
    ] {
        let speed = |substeps: u64| {
            let set = [format!("integrator={method}"), format!("substeps={substeps}")];
            let scene = scene(name, &[&set[0], &set[1]]);
            let mut run = Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup));
            (0..frames).for_each(|_| run.advance_frame());
            assert_eq!(run.outcome(), Outcome::Fine, "{name}, {method}, {substeps}");
            let squares: f64 = run.state().v.iter().map(|v| v * v).sum();
            (squares / run.state().v.len() as f64).sqrt()
        };
        let [calm, noise] = [calm, noise].map(speed);
        assert!(noise > 200.0 * calm, "{name}, {method}: {calm} {noise}");
    }
    let run = catena()
        .current_dir(repository("scenes"))
        .args(["stability", "arch.ron", "--panel", "1", "--set", "integrator=Pbd"])
        .output()
        .unwrap();
    let stdout = String::from_utf8(run.stdout).unwrap();
    assert!(
        stdout.contains("times the predicted limit: between the two limits, small motions grow"),
        "{stdout}"
    );
}

#[test]
fn implicit_methods_are_not_told_of_limits() {
    let scene = |name: &str| repository(&format!("tests/defects/{name}.ron"));
    let message = rendered(&scene("01_implicit_inf"), "1");
    assert!(!message.contains("warning"), "{message}");
    for name in ["02_implicit_false_limit", "02b_midpoint_false_limit"] {
        let scene = scene(name);
        let message = rendered(&scene, "1");
        assert!(!message.contains("warning"), "{name}: {message}");
        let message = stability_of(&scene);
        let line = |key: &str| message.lines().find(|line| line.contains(key)).map(str::to_owned);
        assert!(line("predicted").unwrap().contains("stable at any step"), "{name}: {message}");
        assert_eq!(line("this step"), None, "{name}: {message}");
    }
}

/// Ropes whose springs follow another law, selected by a number: the law, its stiffness, and the
/// rope's position.
fn stiffening(number: u64) -> String {
    let laws = [
        "Exponential(alpha: 6)",
        "Exponential(alpha: 25)",
        "PiecewiseLinear(points: [(0.02, 0.02), (0.1, 0.5), (1, 30)])",
        "Plastic(yield_strain: 0.05, hardening: 0.4)",
    ];
    let law = laws[number as usize % 4];
    let mut random = Random::new(number);
    let (stiffness, mass) = (60.0 * libm::exp2(6.0 * random.unit()), 0.05 + 0.2 * random.unit());
    let (x, y) = (2.0 * random.unit(), -0.2 - 2.0 * random.unit());
    let (nodes, drag) = (4 + (8.0 * random.unit()) as u64, 0.3 * random.unit());
    format!(
        "gravity: (0, -9.81), drag: {drag}, frame_time: 0.05,
        rope: (start: (0, 0), end: ({x}, {y}), nodes: {nodes}, stiffness: {stiffness}, mass: {mass}, law: {law})"
    )
}

#[test]
fn no_step_is_called_within_the_limit_whose_run_diverges() {
    const FRAMES: u64 = 80;
    let (mut lost, mut kept, mut helped) = (0, 0, 0);
    for number in 0..16 {
        for method in ["SemiImplicitEuler", "Rk4"] {
            for substeps in [1, 2, 4, 16] {
                let text = |substeps: u64| {
                    format!(
                        "Scene(base: (frames: {FRAMES}, substeps: {substeps}, integrator: {method}, {}))",
                        stiffening(number)
                    )
                };
                let scene = scene_of(&text(substeps));
                let is_lost = diverges(&scene.panels[0].bodies[0].setup, FRAMES);
                let message = warning(&scene.panels[0].bodies[0].setup, FRAMES, warning_amount(1));
                let name = format!("{} {message:?}", text(substeps));
                assert!(!is_lost || message.is_some(), "{name}");
                assert!(!is_lost || !is_called_within(&scene), "{name}");
                lost += usize::from(is_lost);
                kept += usize::from(!is_lost && message.is_none());
                // The number of substeps that a run has shown to be enough is enough.
                let Some(message) =
                    message.filter(|message| message.contains("would be stable in all"))
                else {
                    continue;
                };
                let advice = message.split("substeps: ").nth(1).unwrap();
                let enough: u64 = advice.split(' ').next().unwrap().parse().unwrap();
                let setup = &scene_of(&text(enough)).panels[0].bodies[0].setup;
                assert!(
                    !diverges(setup, FRAMES) && warning(setup, FRAMES, warning_amount(1)).is_none(),
                    "{name}"
                );
                helped += 1;
            }
        }
    }
    assert!(lost > 10 && kept > 10 && helped > 10, "{lost} {kept} {helped}");
}

/// Whether `catena stability` reports all bodies of a scene as within the limit.
fn is_called_within(scene: &Scene) -> bool {
    let body = &scene.panels[0].bodies[0];
    let film = scene.frames as f64 * body.setup.frame_time;
    let found = stability(&body.setup, film, StabilityTimes::ONE);
    let predicted = found.predicted.unwrap();
    predicted.longest_step.is_some_and(|longest| found.dt <= longest)
        && predicted.reach == LimitReach::Whole
        && found.film != Some(false)
}

#[test]
fn what_would_take_for_ever_ends_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let damped = write("damped.ron", "Scene(base: (rope: (damping: 1e8)))");
    let message = rendered(&damped, "1");
    assert!(
        message.contains("even the maximum number of substeps would not be stable"),
        "{message}"
    );
    let message = stability_of(&damped);
    assert!(message.contains("its limit of 3 s of CPU time"), "{message}");
    for frame_time in ["1e-7", "1e-12"] {
        let scene = write("short.ron", &format!("Scene(base: (frame_time: {frame_time}))"));
        let message = stability_of(&scene);
        assert!(
            message.contains("one step per frame is shorter; the search ended at its limit"),
            "{message}"
        );
        assert!(message.contains("within the limit"), "{message}");
    }
    // A law that needs a run of the film, with too many steps for a warning.
    let long = write(
        "long.ron",
        "Scene(base: (frames: 20000, substeps: 1000, rope: (nodes: 30, law: Exponential(alpha: 3))))",
    );
    let message = warning(
        &scene_of(&fs::read_to_string(long).unwrap()).panels[0].bodies[0].setup,
        20_000,
        warning_amount(1),
    );
    assert!(
        message.as_ref().is_some_and(|message| message.contains("is stable at least up to time")),
        "{message:?}"
    );
}

/// Lines that all panels share, and for each panel its own line and the last columns of its row:
/// reach, reach_time, cut_short and film_survives. Numbers only have to be numbers.
const TABLES: &[(&str, &[(&str, [&str; 4])])] = &[
    (
        "frames: 600",
        &[
            ("", ["whole", "", "false", "true"]),
            ("substeps: 9", ["whole", "", "false", "false"]),
            ("integrator: ConstraintVerlet", ["", "", "false", "true"]),
            ("integrator: DormandPrince", ["", "", "", ""]),
        ],
    ),
    ("frame_time: 1e-9", &[("", ["whole", "", "true", "true"])]),
    (
        "frames: 100000",
        &[
            (
                "substeps: 1000, rope: (nodes: 300, law: Exponential(alpha: 3))",
                ["until", "number", "", ""],
            ),
            ("rope: (nodes: 2000, law: Exponential(alpha: 3))", ["too_long", "", "", ""]),
        ],
    ),
];

#[test]
fn the_table_says_what_the_text_says() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("scene.ron");
    for (base, panels) in TABLES {
        let panel = |(with, _): &(&str, _)| format!("(with: ({with}))");
        let all = panels.iter().map(panel).collect::<Vec<_>>().join(", ");
        fs::write(&scene, format!("Scene(base: ({base}), panels: [{all}])")).unwrap();
        let text = output(&["stability", "--unlimited"], &scene);
        let table = output(&["stability", "--unlimited", "--csv"], &scene);
        let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
        let texts = text.split("\npanel ").skip(1);
        for (((with, expected), row), text) in panels.iter().zip(&rows[1..]).zip(texts) {
            assert_eq!(row.len(), rows[0].len(), "{table}");
            let found = ["reach", "reach_time", "cut_short", "film_survives"].map(|name| {
                let cell = row[rows[0].iter().position(|column| *column == name).unwrap()];
                if cell.parse::<f64>().is_ok() { "number" } else { cell }
            });
            assert_eq!(found, *expected, "{base} {with}: {text}");
            for (part, is_printed) in [
                ("up to time", found[0] == "until"),
                ("is too long:", found[0] == "too_long"),
                ("its limit of", found[2] == "true"),
                ("of the film", found[3] == "false" && !text.contains("over the limit")),
            ] {
                assert_eq!(text.contains(part), is_printed, "{base} {with}: {part}: {text}");
            }
        }
    }
}
