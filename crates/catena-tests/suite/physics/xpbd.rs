//! Convergence of XPBD's multipliers, the length of a rope before convergence, and the messages
//! about it.

use crate::{catena, repository, scene_of};
use catena::sim::{Simulation, body::measure, run::Taken};
use std::{fs, sync::Arc};

/// Length of the default rope at rest, and the number of steps in the last frame that did not
/// converge.
fn hanging(base: &str) -> (f64, u64) {
    let rope = "drag: 0.1, rope: (nodes: 16)";
    let scene = scene_of(&format!("Scene(base: ({base}, {rope}))"));
    let mut run = Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup));
    (0..1500).for_each(|_| run.advance_frame());
    let model = &run.setup().model;
    assert!(measure::greatest_speed(model, run.state()) < 1e-6, "{base} still moves");
    (measure::segment_lengths(model, &run.state().x).iter().sum(), run.report().unconverged)
}

#[test]
fn a_rope_hangs_as_the_elastic_one_once_multipliers_have_converged() {
    let text = fs::read_to_string(repository("docs/physics.md")).unwrap();
    let rows: Vec<&str> = text.lines().filter(|line| line.ends_with("converged |")).collect();
    assert_eq!(rows.len(), 4, "{rows:?}");
    for (row, iterations) in rows.into_iter().zip([1, 10, 50, 200]) {
        let base = format!("substeps: 1, integrator: Xpbd(iterations: {iterations})");
        let (length, unconverged) = hanging(&base);
        let status = if unconverged > 0 { "not converged" } else { "converged" };
        assert!(row.starts_with(&format!("| {iterations}")), "{row}");
        assert!(row.ends_with(&format!("| {length:.2} | {status} |")), "{row}: {length}");
    }
    // More substeps help as well, and converged means correct to a thousandth.
    for base in [
        "substeps: 16, integrator: Xpbd",
        "substeps: 1, integrator: Xpbd(substeps: 16)",
        "substeps: 64, integrator: Xpbd(iterations: 1)",
        "substeps: 1, integrator: Xpbd(iterations: 200)",
    ] {
        let (length, unconverged) = hanging(base);
        assert!(unconverged == 0 && (length - 401.2).abs() < 0.4, "{base}: {length}");
        let sentence = format!("gives {length:.2}");
        assert!(
            !base.ends_with("Xpbd") || text.contains(&sentence),
            "docs/physics.md lacks {sentence}"
        );
    }
}

#[test]
fn a_spring_that_is_longer_than_its_tension_makes_it_is_seen_wherever_it_is() {
    // Two nodes converge in one sweep at any compliance and step; three nodes need more sweeps.
    for (nodes, iterations, compliance, is_fine) in [
        (2, 1, "0", true),
        (2, 1, "0.5", true),
        (3, 1, "0", false),
        (3, 100, "0", true),
        (3, 100, "0.5", true),
    ] {
        let scene = scene_of(&format!(
            "Scene(base: (integrator: Xpbd(iterations: {iterations}, compliance: {compliance}), substeps: 1,
               rope: (start: (0, 0), end: (0, -20), nodes: {nodes})))"
        ));
        let mut run = Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup));
        run.advance_frame();
        let found = run.report().unconverged == 0;
        assert_eq!(found, is_fine, "{nodes} nodes, {iterations}, {compliance}");
    }
}

#[test]
fn render_says_what_did_not_converge_and_what_helps() {
    let folder = tempfile::tempdir().unwrap();
    let scene = repository("tests/defects/10_xpbd_iterations.ron");
    let run = catena()
        .current_dir(folder.path())
        .arg("render")
        .arg(scene)
        .args(["--frames", "60", "--size", "640x360", "--no-steady"])
        .output()
        .unwrap();
    let message = String::from_utf8(run.stderr).unwrap();
    let lines: Vec<&str> =
        message.lines().filter(|line| line.contains("did not converge")).collect();
    assert!(lines.len() >= 2, "{message}");
    for line in lines {
        assert!(
            line.ends_with("more `iterations` of its integrator or more `substeps` help"),
            "{line}"
        );
    }
}

#[test]
fn kernels_take_the_steps_of_runs_whose_tensions_are_kept() {
    for (method, taken) in [
        ("Xpbd", Taken::WholeFrames),
        ("Pbd", Taken::StepByStep),
        ("ConstraintVerlet", Taken::StepByStep),
    ] {
        let scene = scene_of(&format!("Scene(base: (integrator: {method}, rope: (nodes: 64)))"));
        let setup = &scene.panels[0].bodies[0].setup;
        let [mut plain, mut kept] = [(); 2].map(|()| Simulation::new(Arc::clone(setup)));
        kept.keep_tensions();
        plain.advance_frame();
        kept.advance_frame();
        assert_eq!(plain.path().taken, Taken::WholeFrames, "{method}");
        assert_eq!(kept.path().taken, taken, "{method}");
        assert_eq!(kept.state(), plain.state(), "{method}");
        assert_eq!(kept.tensions().unwrap().len(), 63, "{method}");
    }
}
