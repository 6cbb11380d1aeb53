//! Materials of bodies and forces on them: materials, bending, cloth, forces at a time, moving
//! pins.

use crate::scene_of;
use catena::sim::{Outcome, Setup, Simulation};
use std::sync::Arc;

/// The setup of the only body of a scene with this base.
pub fn setup(base: &str) -> Arc<Setup> {
    Arc::clone(&scene_of(&format!("Scene(base: ({base}))")).panels[0].bodies[0].setup)
}

fn run(base: &str, frames: u64) -> Simulation {
    let mut simulation = Simulation::new(setup(base));
    (0..frames).for_each(|_| simulation.advance_frame());
    simulation
}

#[test]
fn a_material_gives_stiffness_and_mass() {
    for (material, young, density) in [
        ("Steel", 200e9, 7850.0),
        ("Rubber", 0.01e9, 1000.0),
        ("Cotton", 5e9, 1500.0),
        ("Elastic(young: 3e6, density: 12.5)", 3e6, 12.5),
    ] {
        let area = 2e-4;
        let setup = setup(&format!(
            "rope: (start: (0, 0), end: (3, 4), nodes: 11, material: {material}, area: {area})"
        ));
        let model = &setup.model;
        for spring in &model.springs {
            assert!((spring.stiffness / (young * area / 0.5) - 1.0).abs() < 1e-12, "{material}");
        }
        // The whole rope weighs ρ A L; each end node has half a segment.
        let total: f64 = model.mass.iter().sum();
        assert!((total / (density * area * 5.0) - 1.0).abs() < 1e-12, "{material}");
        assert_eq!(model.mass[0] * 2.0, model.mass[5]);
    }
}

#[test]
fn bending_springs_join_every_other_node_and_are_not_held() {
    let setup = setup("rope: (nodes: 6, bending: 7)");
    let model = &setup.model;
    assert_eq!((model.structural, model.held, model.springs.len()), (5, 5, 9));
    for (i, spring) in model.springs[5..].iter().enumerate() {
        assert_eq!((spring.a, spring.b, spring.stiffness), (i, i + 2, 7.0));
        assert!((spring.rest_length - 160.0).abs() < 1e-9);
    }
    // A cantilever (its first two nodes are pinned) droops less if it is stiffer.
    let tip = |bending: f64| {
        let base = format!(
            "gravity: (0, -0.02), drag: 0.3, integrator: VelocityVerlet,
             rope: (nodes: 6, start: (0, 0), end: (50, 0), pins: [0, 1], bending: {bending})"
        );
        run(&base, 400).state().x[11]
    };
    let (soft, stiff) = (tip(1.0), tip(50.0));
    assert!(soft < stiff - 5.0 && stiff < -0.1, "{soft} {stiff}");
}

#[test]
fn a_cloth_has_the_springs_of_a_sheet() {
    let setup = setup(
        "cloth: (corner: (0, 0, 0), across: (6, 0, 0), down: (0, 0, 4), rows: 3, columns: 4,
            stiffness: 80, mass: 0.5, pins: TopCorners)",
    );
    let model = &setup.model;
    assert_eq!(model.axes, 3);
    assert_eq!(model.nodes(), 12);
    // Springs of 3 rows of 3 and 4 columns of 2; two diagonals in each of 6 cells; bending springs
    // of 3 rows of 2 and 4 columns of 1.
    assert_eq!((model.structural, model.held, model.springs.len()), (17, 29, 39));
    for (j, spring) in model.springs.iter().enumerate() {
        let (expected, length) = match j {
            0..9 => (80.0, 2.0),
            9..17 => (80.0, 2.0),
            17..29 => (40.0, 8.0_f64.sqrt()),
            _ => (20.0, 4.0),
        };
        assert_eq!(spring.stiffness, expected, "{j}");
        assert!((spring.rest_length - length).abs() < 1e-12, "{j}");
    }
    let pins: Vec<usize> = (0..12).filter(|&i| model.pinned[i]).collect();
    assert_eq!(pins, [0, 3]);
    assert_eq!(setup.initial.position(12, 11), [6.0, 0.0, 4.0]);
}

#[test]
fn a_falling_sheet_without_pins_falls_freely() {
    let cloth =
        "cloth: (corner: (0, 0, 0), across: (3, 0, 0), down: (0, 0, 3), rows: 4, columns: 4)";
    let simulation = run(&format!("gravity: (0, -2, 1), integrator: VelocityVerlet, {cloth}"), 5);
    let start = &simulation.setup().initial;
    for i in 0..16 {
        let (now, then) = (simulation.state().position(16, i), start.position(16, i));
        assert!((now[1] - then[1] + 25.0).abs() < 1e-9);
        assert!((now[2] - then[2] - 12.5).abs() < 1e-9);
    }
}

#[test]
fn an_impulse_changes_momentum_at_its_time() {
    let rope = "gravity: (0, 0), substeps: 8, rope: (nodes: 3, mass: 4, pins: [0])";
    let base = format!(
        "{rope}, impulses: [(node: 2, at: 2.5, impulse: (0, 6)), (node: 0, impulse: (1, 1))]"
    );
    let mut simulation = Simulation::new(setup(&base));
    for frame in 1..=3 {
        for _ in 0..8 {
            let before = simulation.state().v[5];
            simulation.step();
            let (t, after) = (simulation.state().t, simulation.state().v[5]);
            let jump = if t == 2.5 { 1.5 } else { 0.0 };
            assert!((after - before - jump).abs() < 0.4, "at {t}: {before} {after}");
        }
        if frame < 3 {
            assert_eq!(simulation.state().v[5], 0.0);
        }
    }
    // At time 0 the impulse is part of the start, and does not affect a pinned node.
    let at_start =
        Simulation::new(setup(&format!("{rope}, impulses: [(node: 1, impulse: (2, 0))]")));
    assert_eq!(at_start.state().v[1], 0.5);
}

#[test]
fn every_method_takes_up_an_impulse() {
    for method in catena::sim::method::METHODS {
        // Two nodes are joined by a soft spring and the second one gets an impulse; a step later it
        // moves with that velocity.
        let base = format!(
            "gravity: (0, 0), frame_time: 0.1, substeps: 10, integrator: {},
             rope: (start: (0, 0), end: (100, 0), nodes: 2, stiffness: 0.001, pins: []),
             impulses: [(node: 1, at: 0.1, impulse: (0, 3)), (node: 0, at: 0.1, impulse: (0, 3))]",
            method.name
        );
        let simulation = run(&base, 2);
        let (y, v) = (simulation.state().x[3], simulation.state().v[3]);
        assert!((v - 3.0).abs() < 1e-6, "{}: v {v}", method.name);
        assert!((y - 0.3).abs() < 0.031, "{}: y {y}", method.name);
    }
}

#[test]
fn a_point_force_acts_from_its_beginning_to_its_end() {
    let base = "gravity: (0, 0), rope: (nodes: 2, start: (0, 0), end: (5, 0), pins: [], mass: 2),
        forces: [PointForce(node: 0, force: (0, 3), from: 1, until: 3)]";
    let simulation = run(base, 6);
    // ∫F dt equals the momentum.
    let v = &simulation.state().v;
    assert!((2.0 * (v[2] + v[3]) - 6.0).abs() < 1e-9, "{v:?}");
}

#[test]
fn a_penalty_ground_carries_a_rope() {
    let base = "gravity: (0, -10), rope: (nodes: 5, start: (0, 1), end: (8, 1), pins: [], mass: 0.5),
        forces: [PenaltyGround(height: -2, repulsion: 50, friction: 0.3, absorption: 4)], frame_time: 0.1";
    let simulation = run(base, 600);
    // Each node sinks in by its weight divided by the repulsion.
    for i in 0..5 {
        let y = simulation.state().x[5 + i];
        assert!((y + 2.1).abs() < 1e-6, "{y}");
    }
}

#[test]
fn a_moving_pin_drags_its_rope() {
    let curve =
        "anchors: [(node: 0, curve: Linear(keys: [(1, (0, 0)), (3, (8, 2)), (5, (8, 2))]))]";
    for method in catena::sim::method::METHODS {
        let mut simulation = Simulation::new(setup(&format!(
            "integrator: {}, drag: 0.1, rope: (nodes: 4, start: (0, 0), end: (-30, 0)), {curve}",
            method.name
        )));
        for (t, x, y, vx) in [(1.0, 0.0, 0.0, 4.0), (2.0, 4.0, 1.0, 4.0), (3.0, 8.0, 2.0, 0.0)] {
            simulation.advance_frame();
            let state = simulation.state();
            assert_eq!((state.t, state.x[0], state.x[4]), (t, x, y), "{}", method.name);
            assert_eq!(state.v[0], vx, "{}", method.name);
        }
    }
}

#[test]
fn what_loads_explain_is_not_taken_for_divergence() {
    for base in [
        "drag: 0.5, rope: (pins: [0, 15]),
         anchors: [(node: 15, curve: Linear(keys: [(0, (-400, 200)), (100, (-6000, 200))]))]",
        "drag: 0.5, rope: (stiffness: 2), forces: [PointForce(node: 15, force: (0, -1000))]",
        "drag: 1, wind: (500, 0), rope: (stiffness: 2)",
        "drag: 0.5, rope: (pins: [0, 15]), anchors: [(node: 15, curve: Step(keys: [(0, (5000, 200))]))]",
        "drag: 0.5, substeps: 256, rope: (pins: [0, 15]),
         anchors: [(node: 15, curve: Step(keys: [(0, (-400, 200)), (100, (3000, 200))]))]",
    ] {
        assert_eq!(run(base, 120).outcome(), Outcome::Fine, "{base}");
    }
    let lost = run("substeps: 2, drag: 0.5, wind: (1, 0)", 120).outcome();
    assert!(matches!(lost, Outcome::Diverged { .. }), "{lost:?}");
}

#[test]
fn wind_leaves_no_hanging_chain_to_compare_with() {
    let has = |base: &str| {
        let scene = scene_of(&format!("Scene(base: ({base}))"));
        scene.panels[0].bodies[0].setup.hangs_as_chain()
    };
    assert!(has("drag: 0.2"));
    assert!(has("wind: (5, 0)"), "without drag nothing feels it");
    assert!(!has("drag: 0.2, wind: (5, 0)"));
}

#[test]
fn a_node_may_begin_on_a_surface() {
    setup(
        "rope: (start: (0, 0.3), end: (1, 0.3), nodes: 3, pins: []), contact: (radius: 0.1),
         colliders: [Plane(point: (0, 0.2), normal: (0, 1))]",
    );
}

#[test]
fn the_two_ends_of_a_broken_spring_touch_each_other() {
    let mut simulation = Simulation::new(setup(
        "gravity: (0, 0), frame_time: 0.01, substeps: 1, contact: (thickness: 0.5),
         rope: (start: (0, 0), end: (2, 0), nodes: 3, pins: [], stiffness: 1, breaks_at: 0.1)",
    ));
    let mut checkpoint = simulation.checkpoint();
    checkpoint.springs.broken[0] = true;
    checkpoint.state.v[0] = 1.0;
    simulation.restore(&checkpoint);
    for _ in 0..400 {
        simulation.step();
        let x = &simulation.state().x;
        assert!(x[1] - x[0] >= 0.5 - 1e-9, "{x:?}");
    }
}
