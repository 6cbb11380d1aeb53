//! Measured values equal those of a run of the variant.

use super::{column, ropes, table};
use catena::{
    analysis::{
        shape::farthest,
        stability::{StabilityTimes, stability},
    },
    scene::{Limits, Patch, SceneText, load, sweep::load_sweep},
    sim::{Outcome, Setup, Simulation, body::measure},
};
use std::sync::Arc;

/// Bodies of the ropes with changes, in order.
fn setups(changes: &[&str]) -> Vec<Arc<Setup>> {
    let patches: Vec<Patch> = changes.iter().map(|change| change.parse().unwrap()).collect();
    let scene = load(&super::text(super::ROPES), &patches).unwrap();
    scene.panels.iter().flat_map(|panel| &panel.bodies).map(|body| body.setup.clone()).collect()
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}

/// Springs with rigid lengths store no energy: the value of `Energy` equals the ledger's.
#[test]
fn energies_are_those_of_the_ledger() {
    let methods = ["SemiImplicitEuler", "ConstraintVerlet", "Shake", "Xpbd", "ImplicitEuler"];
    let axis = format!("integrator=[{}]", methods.join(", "));
    let found =
        table(&ropes(&[&axis, "rope.stiffness=[100, 1e5]", "substeps=[64]"], "Energy,Ledger"));
    let cells = |name: &str| column(&found, name);
    let gains = [
        "gain_anchors",
        "gain_colliders",
        "gain_damping",
        "gain_contact",
        "gain_external",
        "gain_yielding",
        "gain_method",
        "residual",
    ];
    let mut compared = 0;
    for row in 0..found.1.len() {
        if cells("status")[row] != "fine" {
            continue;
        }
        compared += 1;
        let [start, end] = ["energy_start", "energy_end"].map(|name| number(&cells(name)[row]));
        let gained: f64 = gains.iter().map(|name| number(&cells(name)[row])).sum();
        let scale = start.abs() + end.abs() + gained.abs();
        let text = format!("{} {}", cells("integrator")[row], cells("rope.stiffness")[row]);
        assert!((end - start - gained).abs() < 1e-9 * scale, "{text}: {start} {end} {gained}");
    }
    assert!(compared >= 14, "only {compared} runs have all frames");
}

#[test]
fn rows_are_those_of_runs_one_by_one() {
    let axes = ["rope.stiffness=[100, 1000, 2e5]", "substeps=[8, 16]"];
    let found = table(&ropes(&axes, "Diverged,Tip,Strain,Energy,Work,StateHash,Trace(every: 19)"));
    let cells = |name: &str| column(&found, name);
    assert_eq!(found.1.len(), 3 * 2 * 2);
    assert_eq!(cells("panel")[..3], ["Euler", "RK4", "Euler"]);
    let mut statuses = [0, 0];
    let mut row = 0;
    for (variant, (stiffness, substeps)) in
        [100.0, 1000.0, 2e5].iter().flat_map(|k| [8, 16].map(|n| (*k, n))).enumerate()
    {
        let changes = [format!("rope.stiffness={stiffness}"), format!("substeps={substeps}")];
        for setup in setups(&changes.each_ref().map(String::as_str)) {
            let mut run = Simulation::new(Arc::clone(&setup));
            let (mut strain, mut low, mut drift, mut steps) = (f64::NEG_INFINITY, 0.0_f64, 0.0, 0);
            let energy = |run: &Simulation| run.energy().total();
            let start = energy(&run);
            let mut end = [0.0; 3];
            for frame in 0..20 {
                if frame > 0 {
                    run.advance_frame();
                    if run.outcome() != Outcome::Fine {
                        break;
                    }
                    steps += run.report().count;
                }
                let state = run.state();
                strain =
                    strain.max(measure::greatest_strain(&setup.model, run.springs(), &state.x));
                end = state.position(8, 7);
                low = low.min(end[1]);
                drift = f64::max(drift, (energy(&run) - start).abs());
            }
            let expected_frame = match run.outcome() {
                Outcome::Fine => String::new(),
                Outcome::Diverged { frame, .. } => frame.to_string(),
            };
            let is_fine = run.outcome() == Outcome::Fine;
            statuses[usize::from(is_fine)] += 1;
            assert_eq!(cells("variant")[row], variant.to_string());
            assert_eq!(cells("status")[row], if is_fine { "fine" } else { "diverged" });
            assert_eq!(cells("diverged_frame")[row], expected_frame);
            assert_eq!(number(&cells("strain_max")[row]).to_bits(), strain.to_bits());
            assert_eq!(number(&cells("tip_y")[row]).to_bits(), end[1].to_bits());
            assert_eq!(number(&cells("tip_y_min")[row]).to_bits(), low.to_bits());
            assert_eq!(number(&cells("energy_drift")[row]).to_bits(), drift.to_bits());
            assert_eq!(number(&cells("steps")[row]), steps as f64);
            let traced = if is_fine { cells("tip_y")[row].clone() } else { String::new() };
            assert_eq!(cells("y_at_frame_19")[row], traced);
            row += 1;
        }
    }
    assert!(statuses.iter().all(|count| *count > 0), "{statuses:?}");
}

#[test]
fn state_hashes_are_those_of_renders() {
    // The manifest of a render has the hash of all bodies, which equals the body's hash if there is
    // only one.
    let scene = "Scene(base: (size: (128, 96), frames: 4, frame_time: 0.02, substeps: 8, gravity: (0, -9.81),
        rope: (start: (0, 0), end: (1, 0), nodes: 4, stiffness: 100, mass: 0.1)))";
    let it = super::load(scene, &super::options(&["substeps=[8]"], "StateHash")).unwrap();
    let hash = column(&table(&it), "state_sha256").remove(0);
    let folder = tempfile::tempdir().unwrap();
    crate::catena()
        .args(["render", "-", "--no-steady", "-q", "--out"])
        .arg(folder.path())
        .write_stdin(scene)
        .assert()
        .success();
    let manifest = std::fs::read_to_string(folder.path().join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["frames"][3]["state_sha256"], hash.as_str());
}

#[test]
fn rest_steps_and_accounts_are_those_of_the_other_commands() {
    let measures = "Settled,PredictedStep,MeasuredStep,Ledger";
    let axes = ["drag=[0.2]", "rest.limit=[2000]", "rope.stiffness=[50]"];
    let found = table(&ropes(&axes, measures));
    for (row, setup) in
        setups(&["drag=0.2", "rest.limit=2000", "rope.stiffness=50"]).into_iter().enumerate()
    {
        let rule = catena::analysis::settle::RestRule::for_body(&setup, None, None, 2000);
        let ending = catena::analysis::settle::settle(&setup, rule, &|_| true).ending;
        let frame = match ending {
            catena::analysis::settle::Ending::AtRest { frame } => frame.to_string(),
            _ => String::new(),
        };
        assert!(!frame.is_empty(), "{ending:?}");
        assert_eq!(column(&found, "settled_frame")[row], frame);
        let steps = stability(&setup, 20.0 * setup.frame_time, StabilityTimes::ONE);
        let predicted = steps.predicted.unwrap().longest_step.unwrap();
        assert_eq!(number(&column(&found, "stable_step_predicted")[row]), predicted);
        let measured = steps.measured.unwrap().survived.unwrap();
        assert_eq!(number(&column(&found, "stable_step_measured")[row]), measured);
        assert_eq!(number(&column(&found, "dt")[row]), setup.dt());
        // Drag takes the energy of the fall.
        assert!(number(&column(&found, "gain_damping")[row]) < 0.0);
        assert!(number(&column(&found, "residual")[row]).abs() < 1e-12);
    }
}

#[test]
fn the_measured_rest_is_the_solved_one() {
    let axes = ["rope.stiffness=[50, 500]"];
    let found = table(&ropes(&axes, "Rest"));
    let cells = |name: &str, row: usize| number(&column(&found, name)[row]);
    let mut row = 0;
    for stiffness in [50.0, 500.0] {
        for setup in setups(&[&format!("rope.stiffness={stiffness}")]) {
            let rest = catena::analysis::statics::equilibrium(&setup).unwrap();
            let mut run = Simulation::new(Arc::clone(&setup));
            (0..19).for_each(|_| run.advance_frame());
            let distance = farthest(&setup.model, &run.state().x, &rest.x);
            assert_eq!(cells("rest_distance", row), distance);
            assert_eq!(cells("rest_tension", row), rest.greatest_tension(setup.model.held));
            let size = |force: [f64; 3]| force.iter().map(|it| it * it).sum::<f64>().sqrt();
            let pins = rest.pins.iter().map(|pin| size(pin.force));
            assert_eq!(cells("rest_pin_force", row), pins.fold(0.0, f64::max));
            // The extent of a hanging rope equals its length.
            let length = cells("rest_length", row);
            assert!((cells("rest_sag", row) / length - 1.0).abs() < 1e-12, "{stiffness}");
            assert_eq!(column(&found, "rest_missing")[row], "");
            row += 1;
        }
    }
    assert_eq!(row, 4);
    // A rope between two pins sags below the line between them, at any slope.
    for end in ["(1, 0)", "(1, 0.4)"] {
        let scene = format!(
            "Scene(base: (frames: 2, gravity: (0, -9.81), rope: (start: (0, 0), end: {end}, length: 1.5,
                nodes: 31, stiffness: 1e6, mass: 0.1, pins: [First, Last])))"
        );
        let it = super::load(&scene, &super::options(&["substeps=[8]"], "Rest")).unwrap();
        let sag = number(&column(&table(&it), "rest_sag")[0]);
        let expected = parabola(if end == "(1, 0)" { 0.0 } else { 0.4 });
        assert!((sag / expected - 1.0).abs() < 0.12, "{end}: {sag}, about {expected}");
    }
    let moving = "Scene(base: (frames: 2, rope: (nodes: 4), drag: 0.1, wind: Gusts(mean: (1, 0), strength: 1)))";
    let it = super::load(moving, &super::options(&["substeps=[8]"], "Rest")).unwrap();
    let missing = column(&table(&it), "rest_missing").remove(0);
    assert!(missing.contains("changes with time"), "{missing}");
}

/// Sag of a parabola of length 1.5 over a span of 1, by Simpson's rule and bisection.
fn parabola(rise: f64) -> f64 {
    let length = |sag: f64| {
        let slope = |s: f64| libm::hypot(rise + 4.0 * sag * (2.0 * s - 1.0), 1.0);
        let at = |index: u32| {
            let weight =
                if index == 0 || index == 200 { 1.0 } else { 2.0 + 2.0 * f64::from(index % 2) };
            weight * slope(f64::from(index) / 200.0)
        };
        (0..=200).map(at).sum::<f64>() / 600.0
    };
    let (mut low, mut high) = (0.0, 2.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if length(middle) < 1.5 { low = middle } else { high = middle }
    }
    low
}

#[test]
fn a_variant_that_cannot_be_built_is_a_row_that_says_why() {
    // A step control is not compatible with every method.
    let axes = ["integrator=[Rk4, ConstraintVerlet]", "contact.radius=[-1, 0.01]"];
    let error = super::load(super::ROPES, &super::options(&axes, "Strain")).unwrap_err();
    assert!(error.to_string().contains("expected"), "{error}");
    let axes = ["rope.nodes=[2, 8]", "rope.pins=[[0], [7]]"];
    let found = table(&ropes(&axes, "Strain"));
    let rows: Vec<(String, String)> =
        column(&found, "variant").into_iter().zip(column(&found, "status")).collect();
    // Two nodes have no node 7: one row, without panels.
    let expected = [("0", "fine"), ("0", "fine"), ("1", "refused"), ("2", "fine"), ("2", "fine")];
    assert_eq!(rows[..5], expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
    let message = &column(&found, "message")[2];
    assert!(message.contains("there is no node 7"), "{message}");
    assert_eq!(column(&found, "strain_max")[2], "");
}

#[test]
fn distances_from_a_reference_are_those_of_its_file() {
    let folder = tempfile::tempdir().unwrap();
    // The last node begins at (1, 0); both files have only frame 0.
    std::fs::write(folder.path().join("far.csv"), "frame,node,x,y\n0,7,4,4\n0,0,0,0\n").unwrap();
    std::fs::write(folder.path().join("near.csv"), "frame,node,x,y\n0,7,1,0\n").unwrap();
    let source = super::ROPES.replace("drag: 0.01,", "reference: (file: \"far.csv\", y: Up),");
    let text = SceneText {
        origin: folder.path().join("scene.ron").display().to_string(),
        name: "scene".into(),
        text: source,
    };
    // The runs are equal, but their references are not.
    let axes = ["reference.file=[\"far.csv\", \"near.csv\"]"];
    let it = load_sweep(&text, &super::options(&axes, "ReferenceError"), &Limits::default());
    let found = table(&it.unwrap_or_else(|error| panic!("{}", error.report(false))));
    let [largest, rms] = ["reference_max", "reference_rms"].map(|name| column(&found, name));
    assert_eq!(largest, ["5.0", "5.0", "0.0", "0.0"]);
    let half = format!("{:?}", (25.0_f64 / 2.0).sqrt());
    assert_eq!(rms, [&*half, &*half, "0.0", "0.0"]);
    // A body without a reference has no distance.
    let with = "integrator: Rk4, reference: (file: \"near.csv\", y: Up)";
    let text = SceneText { text: super::ROPES.replace("integrator: Rk4", with), ..text };
    let options = super::options(&["substeps=[8]"], "ReferenceError");
    let one = table(&load_sweep(&text, &options, &Limits::default()).unwrap());
    assert_eq!(column(&one, "reference_max"), ["", "0.0"]);
}
