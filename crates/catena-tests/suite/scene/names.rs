//! Names of runs: labels and titles are compared with the setups, under `--set` and axes.

use crate::repository;
use catena::job::{Trace, TraceOptions};
use catena::scene::{
    Arrangement, Limits, Patch, Scene, SceneText, load,
    sweep::{SweepOptions, load_sweep},
};
use catena::sim::method::METHODS;
use catena_tests::Random;
use std::collections::BTreeSet;

/// Scenes of scenes/ whose panels have their own settings.
const SCENES: [&str; 18] = [
    "compare",
    "classroom",
    "limit_16_nodes",
    "limit_3_nodes",
    "one_explodes",
    "eight_methods",
    "semi_implicit_damping",
    "semi_implicit_substeps",
    "verlet_damping",
    "verlet_substeps",
    "verlet_undamped",
    "steady_state",
    "step_control",
    "tethers",
    "xpbd_iterations",
    "explicit_64",
    "explicit_1024",
    "forces",
];

/// A grid, and panels of several bodies.
const WRITTEN: [&str; 4] = [
    "Scene(title: \"Two methods, 16 substeps\", base: (substeps: 16, rope: (nodes: 4)), grid: (
        rows: [(label: \"Semi-implicit Euler\", with: (integrator: SemiImplicitEuler)),
            (label: \"Constraint Verlet\", with: (integrator: ConstraintVerlet))],
        columns: [(label: \"drag = 0.1\", with: (drag: 0.1)), (label: \"drag = 0.2\", with: (drag: 0.2)),
            (label: \"8 substeps\", with: (substeps: 8))]))",
    "Scene(base: (rope: (nodes: 4)), panels: [
        (label: \"of two\", with: (bodies: [(label: \"Runge-Kutta 4\", with: (integrator: Rk4, drag: 0.1)),
            (label: \"10 substeps\", with: (substeps: 10)), (with: (integrator: Pbd(iterations: 3)))])),
        (label: \"Heun, c = 0.3\", with: (integrator: Heun, drag: 0.3))])",
    "Scene(base: (rope: (nodes: 4), integrator: Rk4), panels: [
        (label: \"coarse\", with: (substeps: 4)), (label: \"fine\", with: (substeps: 400)),
        (label: \"6 nodes\", with: (rope: (nodes: 6)))])",
    "Scene(base: (rope: (nodes: 4)), panels: [(label: \"Heun and Runge-Kutta 4\", with: (bodies: [
        (with: (integrator: Heun)), (with: (integrator: Rk4))])), (label: \"5 nodes\", with: (rope: (nodes: 5)))])",
];

const CHANGES: [&str; 15] = [
    "integrator=SemiImplicitEuler",
    "integrator=ConstraintVerlet(damping: 0.0005)",
    "integrator=Rk4",
    "integrator=Pbd(iterations: 7)",
    "integrator=Xpbd(iterations: 50)",
    "substeps=1",
    "substeps=9",
    "substeps=64",
    "substeps=256",
    "drag=0",
    "drag=0.01",
    "drag=0.7",
    "rope.nodes=7",
    "rope.nodes=16",
    "style.color=\"red\"",
];

const AXES: [&str; 4] = [
    "integrator=[SemiImplicitEuler, Rk4, ConstraintVerlet]",
    "substeps=[1, 9, 64]",
    "drag=[0, 0.01, 0.4]",
    "rope.nodes=[5, 16]",
];

/// One of the scenes.
fn any_scene(random: &mut Random) -> SceneText {
    match random.below(SCENES.len() + WRITTEN.len()).checked_sub(SCENES.len()) {
        Some(written) => {
            let text = WRITTEN[written].into();
            SceneText { origin: "written".into(), name: "written".into(), text }
        }
        None => {
            let path = repository("scenes").join(random.one(&SCENES)).with_extension("ron");
            SceneText::read(&path).unwrap()
        }
    }
}

/// At least one and at most `maximum` changes of different fields.
fn any_changes(random: &mut Random, all: &[&str], maximum: usize) -> Vec<String> {
    let mut chosen: Vec<String> = Vec::new();
    for _ in 0..=random.below(maximum) {
        let one = *random.one(all);
        let field = one.split('=').next().unwrap();
        if !chosen.iter().any(|it| it.starts_with(field)) {
            chosen.push(one.into());
        }
    }
    chosen
}

/// Settings of a body that its name may mention.
struct Running {
    method: &'static str,
    substeps: f64,
    nodes: f64,
    drag: f64,
    /// Method with its options.
    options: String,
    damping: f64,
}

fn running(scene: &Scene, panel: usize) -> Vec<Running> {
    let of = |body: &catena::scene::Body| {
        let setup = &body.setup;
        Running {
            method: body.method.title,
            substeps: setup.substeps as f64,
            nodes: setup.model.nodes() as f64,
            drag: setup.forces.iter().map(|force| force.resistance()).sum(),
            options: format!("{:?}", setup.method),
            damping: setup.method.drag_rate(setup.dt()) * setup.dt(),
        }
    };
    scene.panels[panel].bodies.iter().map(of).collect()
}

/// Numbers before one of these units, or after one of these prefixes.
fn numbers(text: &str, units: &[&str], beginnings: &[&str]) -> Vec<f64> {
    let words: Vec<&str> = text.split([' ', '(', ')']).filter(|word| !word.is_empty()).collect();
    let mut found = Vec::new();
    for pair in words.windows(2) {
        found.extend(
            pair[0].parse::<f64>().ok().filter(|_| units.contains(&pair[1].trim_end_matches(','))),
        );
    }
    for beginning in beginnings {
        let beginning = format!("{beginning} = ");
        let rest = text.split(&beginning).skip(1);
        let numbers =
            rest.filter_map(|rest| rest.split([',', ')', ' ']).next()?.parse::<f64>().ok());
        found.extend(numbers);
    }
    found
}

/// False parts of a name of several bodies: each part must be true for one of them.
fn lies(name: &str, bodies: &[Running]) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut rest = name.to_owned();
    let mut titles: Vec<&str> = METHODS.iter().map(|info| info.title).collect();
    titles.sort_by_key(|title| std::cmp::Reverse(title.len()));
    for title in titles {
        if rest.contains(title) {
            rest = rest.replace(title, "");
            if !bodies.iter().any(|body| body.method == title) {
                wrong.push(title.to_owned());
            }
        }
    }
    let mut check = |what: &str, stated: Vec<f64>, holds: &dyn Fn(&Running, f64) -> bool| {
        for number in stated {
            if !bodies.iter().any(|body| holds(body, number)) {
                wrong.push(format!("{what} {number}"));
            }
        }
    };
    let is = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(1e-3);
    let steps = numbers(&rest, &["substep", "substeps", "steps"], &["substeps"]);
    check("substeps", steps, &|body, stated| is(body.substeps, stated));
    check("nodes", numbers(&rest, &["nodes"], &["nodes"]), &|body, stated| is(body.nodes, stated));
    check("drag", numbers(&rest, &[], &["c", "drag"]), &|body, stated| is(body.drag, stated));
    check("damping", numbers(&rest, &[], &["d", "damping"]), &|body, stated| {
        is(body.damping, stated)
    });
    let iterations = numbers(&rest, &["iterations"], &["iterations"]);
    check("iterations", iterations, &|body, stated| {
        body.options.contains(&format!("iterations: {stated}"))
    });
    wrong
}

/// Compares all names of a scene with its setups.
fn check_names(scene: &Scene, what: &str) {
    let all: Vec<Running> = (0..scene.panels.len()).flat_map(|at| running(scene, at)).collect();
    let title = scene.title.as_deref().unwrap_or_default();
    assert_eq!(lies(title, &all), [""; 0], "{what}: title {title}");
    for (at, panel) in scene.panels.iter().enumerate() {
        let bodies = running(scene, at);
        for name in [&panel.label, &panel.table_label] {
            assert_eq!(lies(name, &bodies), [""; 0], "{what}: {name}");
        }
        for (body, runs) in panel.bodies.iter().zip(bodies) {
            let runs = std::slice::from_ref(&runs);
            for name in [&body.label, &body.table_label] {
                assert_eq!(lies(name, runs), [""; 0], "{what}: {name}");
            }
        }
    }
    if let Arrangement::Grid { rows, columns } = &scene.arrangement {
        assert_eq!(rows.len() * columns.len(), scene.panels.len(), "{what}");
        let labels =
            rows.iter().flat_map(|row| columns.iter().map(move |it| format!("{row}, {it}")));
        let panels = scene.panels.iter().map(|panel| panel.label.clone());
        assert!(labels.eq(panels), "{what}");
    }
    // No run occurs twice.
    let runs: Vec<String> = scene
        .panels
        .iter()
        .map(|it| it.bodies.iter().map(|it| format!("{:?}", it.setup)).collect())
        .collect();
    assert_eq!(runs.iter().collect::<BTreeSet<_>>().len(), runs.len(), "{what}: equal panels");
    let labels: BTreeSet<&String> = scene.panels.iter().map(|panel| &panel.label).collect();
    assert_eq!(labels.len(), runs.len(), "{what}: {labels:?}");
}

/// Compares the substeps and nodes in a scene's trace with its setups.
fn check_trace(scene: &Scene, what: &str) {
    let options = TraceOptions { frames: Some(1), ..TraceOptions::default() };
    let mut rows = Vec::new();
    Trace::new(scene, &options).unwrap().write(&mut rows, &()).unwrap();
    let text = String::from_utf8(rows).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let column = |name: &str| head.iter().position(|it| *it == name).unwrap();
    let [panel, body, dt] = ["panel", "body", "dt"].map(column);
    let rows: Vec<Vec<&str>> = lines.collect();
    for (at, it) in scene.panels.iter().enumerate() {
        for (index, one) in it.bodies.iter().enumerate() {
            let place = [at.to_string(), index.to_string()];
            let own: Vec<_> = rows.iter().filter(|row| [row[panel], row[body]] == place).collect();
            assert_eq!(own.len(), one.setup.model.nodes(), "{what}");
            let step: f64 = own[0][dt].parse().unwrap();
            assert!(
                (step - one.setup.frame_time / one.setup.substeps as f64).abs() < 1e-12,
                "{what}"
            );
        }
    }
    assert!(rows.iter().all(|row| row[panel].parse::<usize>().unwrap() < scene.panels.len()));
}

/// A panel whose bodies have become equal repeats a panel without a list of bodies.
#[test]
fn a_panel_whose_bodies_become_one_is_shown_once() {
    let text =
        SceneText { origin: "written".into(), name: "written".into(), text: WRITTEN[1].into() };
    for (changes, panels) in [
        (["integrator=Pbd(iterations: 7)", "substeps=9", "drag=0"], 1),
        (["integrator=ConstraintVerlet", "substeps=64", "drag=0.01"], 1),
        // The drag of the panels still differs.
        (["integrator=Rk4", "substeps=64", "rope.nodes=5"], 2),
    ] {
        let patches = changes.map(|change| change.parse().unwrap());
        let scene = load(&text, &patches).unwrap();
        assert_eq!(scene.panels.len(), panels, "{changes:?}");
        check_names(&scene, &format!("{changes:?}"));
    }
}

#[test]
fn names_say_what_runs_beneath_random_changes() {
    let (mut random, mut tried, mut renamed) = (Random::new(8), 0, 0);
    while tried < 160 {
        let text = any_scene(&mut random);
        let changes = any_changes(&mut random, &CHANGES, 3);
        let patches: Vec<Patch> = changes.iter().map(|change| change.parse().unwrap()).collect();
        // Some changes are incompatible with each other or with the scene.
        let Ok(scene) = load(&text, &patches) else { continue };
        let what = format!("{} {changes:?}", text.name);
        check_names(&scene, &what);
        if tried % 8 == 0 {
            check_trace(&scene, &what);
        }
        renamed += usize::from(scene.override_warning(false).is_some());
        tried += 1;
    }
    assert!(renamed > 100, "{renamed} of {tried}");
}

#[test]
fn names_say_what_runs_in_random_sweeps() {
    let mut random = Random::new(9);
    let mut tried = 0;
    while tried < 60 {
        let text = any_scene(&mut random);
        let axes = any_changes(&mut random, &AXES, 2);
        let mut set = any_changes(&mut random, &CHANGES, 1);
        set.retain(|it| !axes.iter().any(|axis| axis.split('=').next() == it.split('=').next()));
        let set = set.iter().map(|change| change.parse().unwrap()).collect();
        let options = SweepOptions { axes: axes.clone(), set, ..SweepOptions::default() };
        let Ok(sweep) = load_sweep(&text, &options, &Limits::default()) else { continue };
        let mut tables: BTreeSet<Vec<String>> = BTreeSet::new();
        for number in 0..sweep.variants() {
            let Ok(scene) = sweep.numbered(number) else { continue };
            let what = format!("{} {axes:?} {:?}", text.name, scene.changes());
            check_names(&scene, &what);
            let all = sweep.scene(&sweep.variant(number)).unwrap();
            if all.panels.len() > 1 {
                let labels: Vec<String> =
                    all.panels.iter().map(|it| it.table_label.clone()).collect();
                for (at, label) in labels.iter().enumerate() {
                    assert_eq!(lies(label, &running(&all, at)), [""; 0], "{what}: {label}");
                    assert_eq!(
                        labels.iter().filter(|it| *it == label).count(),
                        1,
                        "{what}: {label}"
                    );
                }
                tables.insert(labels);
            }
            assert_eq!(
                all.panels.len() - all.repeated_panels().len(),
                scene.panels.len(),
                "{what}"
            );
            tried += 1;
        }
        // Axes name the fields that they vary: labels in tables stay the same.
        assert!(tables.len() < 2, "{} {axes:?}: {tables:?}", text.name);
    }
}

#[test]
fn labels_stay_where_they_hold_and_are_made_anew_where_they_do_not() {
    for (scene, changes, expected) in [
        ("compare", "", &["Semi-implicit Euler", "Constraint Verlet"][..]),
        ("compare", "substeps=9", &["Semi-implicit Euler", "Constraint Verlet"]),
        (
            "compare",
            "integrator=SemiImplicitEuler",
            &["Semi-implicit Euler", "Semi-implicit Euler, drag = 0"],
        ),
        ("compare", "integrator=SemiImplicitEuler drag=0", &["Semi-implicit Euler"]),
        ("limit_16_nodes", "substeps=1", &["Semi-implicit Euler, 1 substep"]),
        ("limit_16_nodes", "substeps=10", &["10 substeps"]),
        ("limit_16_nodes", "drag=0.1", &["9 substeps", "10 substeps"]),
        ("semi_implicit_damping", "drag=0.5", &["Semi-implicit Euler, drag = 0.5"]),
        ("verlet_undamped", "integrator=Rk4", &["Runge-Kutta 4, 16 substeps"]),
        ("eight_methods", "integrator=Rk4", &["Runge-Kutta 4"]),
        ("xpbd_iterations", "integrator=Xpbd(iterations:9)", &["XPBD, iterations = 9"]),
        ("plastic", "rope.law=Hooke", &["elastic", "breaks at a strain of 0.4"]),
        ("cloth_hanging", "style.surface=Facets", &["Surface"]),
        ("forces", "integrator=Rk4", &["Runge-Kutta 4"]),
    ] {
        let patches: Vec<&str> = changes.split_whitespace().collect();
        let labels: Vec<String> =
            crate::scene(scene, &patches).panels.into_iter().map(|panel| panel.label).collect();
        assert_eq!(labels, expected, "{scene} {changes}");
    }
    for (scene, changes, expected) in [
        ("limit_16_nodes", "drag=0.1", "Semi-implicit Euler at its limit, 16 nodes"),
        ("limit_16_nodes", "rope.nodes=8", "Semi-implicit Euler, nodes = 8"),
        ("one_explodes", "integrator=Rk4", "Runge-Kutta 4"),
        ("verlet_damping", "substeps=9", "Constraint Verlet, damping d"),
        ("semi_implicit_substeps", "drag=0.1", "Semi-implicit Euler, drag = 0.1"),
    ] {
        let patches: Vec<&str> = changes.split_whitespace().collect();
        let title = crate::scene(scene, &patches).title.unwrap();
        assert_eq!(title, expected, "{scene} {changes}");
    }
}

/// Labels with a number, in the forms that people write, with a change that makes them wrong and
/// one that does not.
const NUMBERED: &[(&str, &str, &str)] = &[
    ("dt 0.02", "frame_time=0.2", "drag=0.5"),
    ("dt = 0.02", "frame_time=0.2", "drag=0.5"),
    ("dt=0.02s", "substeps=7", "drag=0.5"),
    ("dt: 0.02", "frame_time=0.2", "rope.mass=2"),
    ("dt ≈ 0.02", "frame_time=0.2", "rope.mass=2"),
    ("h 0.02", "frame_time=0.2", "rope.stiffness=70"),
    ("Δt: 1/50", "frame_time=0.2", "drag=0.5"),
    ("20 ms", "frame_time=0.2", "drag=0.5"),
    ("20ms", "substeps=7", "drag=0.5"),
    ("50 Hz", "frame_time=0.2", "drag=0.5"),
    ("k 300", "rope.stiffness=70", "substeps=7"),
    ("m 2 kg", "rope.mass=1", "substeps=7"),
    // The field is not set by the panel, so only another such field leaves the label unchanged.
    ("g 9.81", "gravity=(0, -1)", "frame_time=0.2"),
    ("4 nodes", "rope.nodes=9", "substeps=7"),
    ("5 steps", "substeps=7", "drag=0.5"),
    ("drag 0.3", "drag=0.5", "substeps=7"),
    // A letter that is a name, and a number of dimensions.
    ("rope in 2D", "frame_time=0.2", "gravity=(0, -1)"),
    ("Plan A 2", "frame_time=0.2", "drag=0.5"),
];

#[test]
fn labels_with_numbers_hold_in_all_forms() {
    for (label, wrong, fine) in NUMBERED {
        let text = format!(
            "Scene(base: (frame_time: 0.1, gravity: (0, -9.81), integrator: SemiImplicitEuler, \
             rope: (start: (0, 0), end: (1, 0))), panels: [(label: \"{label}\", with: \
             (substeps: 5, drag: 0.3, rope: (nodes: 4, stiffness: 300, mass: 2))), (label: \
             \"other\", with: (substeps: 6, drag: 0.25))])"
        );
        let shown = |change: &str| {
            let patch: Patch = change.parse().unwrap();
            let (origin, name) = ("scene.ron".into(), "scene".into());
            let text = SceneText { origin, name, text: text.clone() };
            load(&text, &[patch]).unwrap().panels[0].label.clone()
        };
        let is_name = label.starts_with("Plan") || label.ends_with("2D");
        assert_eq!(shown(wrong) == *label, is_name, "{label}: {wrong} gives {}", shown(wrong));
        assert_eq!(shown(fine), *label, "{fine}");
    }
}
