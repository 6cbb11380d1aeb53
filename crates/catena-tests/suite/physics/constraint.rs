//! Methods that correct springs instead of summing their forces: their constraints, stretch and
//! oscillations.

use crate::scene_of;
use catena::analysis::settle::{Ending, Settled};
use catena::figure::steady;
use catena::scene::{Patch, SceneText, load};
use catena::sim::{
    Simulation, State, StepReport,
    body::measure,
    method::held::tether::{Tether, Tethers},
};
use std::sync::Arc;

/// Simulation of the body of a scene with this base.
fn simulation(base: &str) -> Simulation {
    let scene = scene_of(&format!("Scene(base: ({base}))"));
    Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup))
}

/// A rope of 16 nodes that starts along gravity, with enough drag to come to rest.
fn hanging(integrator: &str, substeps: u32, stiffness: f64) -> Simulation {
    let mut simulation = simulation(&format!(
        "integrator: {integrator}, substeps: {substeps}, drag: 0.5, gravity: (0, -1),
            rope: (start: (0, 0), end: (0, -400), nodes: 16, stiffness: {stiffness}, pins: [0])"
    ));
    (0..200).for_each(|_| simulation.advance_frame());
    simulation
}

/// Stretch of each segment beyond its rest length.
fn stretches(simulation: &Simulation) -> Vec<f64> {
    let model = &simulation.setup().model;
    let lengths = measure::segment_lengths(model, &simulation.state().x);
    lengths.iter().zip(&model.springs).map(|(length, spring)| length - spring.rest_length).collect()
}

/// The maximum | |d|/l - 1 | of a spring.
fn worst_length(simulation: &Simulation) -> f64 {
    let springs = &simulation.setup().model.springs;
    let strains =
        stretches(simulation).into_iter().zip(springs).map(|(s, spring)| s / spring.rest_length);
    strains.map(f64::abs).fold(0.0, f64::max)
}

/// Maximum distance by which a node exceeds its tether.
fn worst_tether(simulation: &Simulation) -> f64 {
    let model = &simulation.setup().model;
    let tethers = Tethers::new(model);
    let (x, n) = (&simulation.state().x, model.nodes());
    let beyond = tethers.list().iter().map(|tether| {
        let component = |axis: usize| x[axis * n + tether.node] - x[axis * n + tether.pin];
        (0..model.axes).map(|axis| component(axis) * component(axis)).sum::<f64>().sqrt()
            - tether.reach
    });
    beyond.fold(f64::NEG_INFINITY, f64::max)
}

fn relative(found: f64, expected: f64) -> f64 {
    ((found - expected) / expected).abs()
}

#[test]
fn xpbd_hangs_as_the_elastic_chain_whatever_the_iterations_and_the_step() {
    for (stiffness, substeps) in [(100.0, 16), (100.0, 64), (1000.0, 64)] {
        for iterations in [50, 500] {
            let rope = hanging(&format!("Xpbd(iterations: {iterations})"), substeps, stiffness);
            // Spring j carries the 15 - j nodes below it.
            for (j, stretch) in stretches(&rope).into_iter().enumerate() {
                let expected = (15 - j) as f64 / stiffness;
                let off = relative(stretch, expected);
                assert!(
                    off < 1e-6,
                    "k = {stiffness}, {iterations} iterations, spring {j}: {off:e}"
                );
            }
            let total: f64 = stretches(&rope).iter().sum();
            assert!(relative(total, 120.0 / stiffness) < 1e-7, "{total}");
        }
    }
}

#[test]
fn a_compliance_takes_the_place_of_the_stiffness() {
    let by_stiffness = hanging("Xpbd", 64, 50.0);
    let by_compliance = hanging("Xpbd(compliance: 0.02)", 64, 7.0);
    let (a, b) = (stretches(&by_stiffness), stretches(&by_compliance));
    for (a, b) in a.iter().zip(&b) {
        assert!(relative(*b, *a) < 1e-12, "{a} {b}");
    }
    // Without compliance, enough iterations make it rigid.
    assert!(worst_length(&hanging("Xpbd(compliance: 0, iterations: 2000)", 64, 7.0)) < 1e-12);
}

#[test]
fn at_rest_the_tensions_of_xpbd_carry_the_weight_below_them_whatever_the_iterations() {
    for integrator in [
        "Xpbd(iterations: 1)",
        "Xpbd(iterations: 2)",
        "Xpbd(iterations: 10)",
        "Xpbd(iterations: 200)",
        "Xpbd(iterations: 3, substeps: 3)",
        "Xpbd(iterations: 3, compliance: 0)",
    ] {
        // A rope far from convergence, so that the stretch after 1 iteration is not the elastic
        // one.
        let rope = hanging(integrator, 4, 1000.0);
        let speed = measure::greatest_speed(&rope.setup().model, rope.state());
        assert!(speed < 1e-9, "{integrator} moves with {speed}");
        for (j, tension) in rope.tensions().unwrap().iter().enumerate() {
            let off = relative(*tension, (15 - j) as f64);
            assert!(off < 1e-8, "{integrator}, spring {j}: {tension}");
        }
    }
    assert!(simulation("integrator: Pbd").tensions().is_none());
}

#[test]
fn pbd_stretches_with_fewer_iterations_and_longer_steps() {
    // With a stiffness below 1, the paper's formula compensates for the number of iterations, but
    // only in part.
    for (options, more) in [("", 1.1), (", stiffness: 0.5", 1.0005)] {
        let total = |iterations: u32, substeps: u32| -> f64 {
            let integrator = format!("Pbd(iterations: {iterations}{options})");
            stretches(&hanging(&integrator, substeps, 100.0)).iter().sum()
        };
        let found = [total(5, 4), total(10, 4), total(50, 4)];
        eprintln!("PBD{options} at 4 substeps, 5, 10, 50 iterations: {found:?}");
        assert!(
            found.windows(2).all(|pair| (pair[0] / pair[1]).max(pair[1] / pair[0]) > more),
            "{options}: {found:?}"
        );
        assert!(total(5, 4) > 2.0 * total(5, 8), "{options}");
    }
}

#[test]
fn a_single_spring_of_pbd_keeps_its_share_whatever_the_iterations() {
    for (stiffness, iterations) in [(0.3, 1), (0.3, 7), (0.3, 40), (0.0, 5), (1.0, 5), (1.0, 1)] {
        let mut pair = simulation(&format!(
            "integrator: Pbd(stiffness: {stiffness}, iterations: {iterations}), gravity: (0, 0),
                rope: (start: (0, 0), end: (1, 0), nodes: 2, pins: [])"
        ));
        let mut start = pair.checkpoint();
        start.state.x[1] = 1.5;
        pair.restore(&start);
        pair.step();
        let excess = pair.state().x[1] - pair.state().x[0] - 1.0;
        assert!(
            (excess - 0.5 * (1.0 - stiffness)).abs() < 1e-14,
            "{stiffness}, {iterations}: {excess}"
        );
        // Both ends have moved equally.
        assert!((pair.state().x[0] + pair.state().x[1] - 1.5).abs() < 1e-14);
    }
}

#[test]
fn substeps_of_xpbd_are_whole_steps() {
    let base = "drag: 0.02, rope: (nodes: 9, damping: 0.01)";
    let mut inner = simulation(&format!("integrator: Xpbd(substeps: 4), substeps: 16, {base}"));
    let mut outer = simulation(&format!("integrator: Xpbd, substeps: 64, {base}"));
    for _ in 0..30 {
        inner.advance_frame();
        outer.advance_frame();
        assert_eq!(inner.state(), outer.state());
    }
    let dt = 1.0 / 64.0;
    let expected = StepReport { count: 64, least_dt: dt, greatest_dt: dt, unconverged: 0 };
    assert_eq!(inner.report(), expected);
    assert_eq!(outer.report(), expected);
}

#[test]
fn shake_holds_every_length_while_it_swings() {
    for (tolerance, pin) in [(1e-10, 0), (1e-6, 0), (1e-10, 15)] {
        let mut rope = simulation(&format!(
            "integrator: Shake(tolerance: {tolerance}), rope: (nodes: 16, pins: [{pin}])"
        ));
        for frame in 1..=40 {
            rope.advance_frame();
            let (worst, report) = (worst_length(&rope), rope.report());
            assert!(worst <= tolerance * (1.0 + 1e-4), "{tolerance}, frame {frame}: {worst:e}");
            assert_eq!((report.count, report.unconverged), (64, 0), "frame {frame}");
        }
        assert!(measure::kinetic_energy(&rope.setup().model, rope.state()) > 100.0);
    }
}

#[test]
fn shake_says_that_its_cap_was_hit() {
    let mut capped = simulation("integrator: Shake(iterations: 1), substeps: 4, rope: (nodes: 16)");
    capped.advance_frame();
    assert!(capped.report().unconverged > 0, "{:?}", capped.report());
    assert!(worst_length(&capped) > 1e-10);
    // A taut chain between two pins cannot resist a transverse force.
    let mut taut = simulation("integrator: Shake(iterations: 50), rope: (nodes: 5, pins: [0, 4])");
    taut.advance_frame();
    assert!(taut.report().unconverged > 0, "{:?}", taut.report());
}

#[test]
fn lengths_hold_while_the_pin_moves() {
    let keys = "keys: [(0, (0, 0)), (3, (40, 10)), (5, (40, -30))]";
    for (integrator, maximum) in [
        ("Shake", 1.001e-10),
        ("Pbd(iterations: 400)", 1e-7),
        ("Xpbd(compliance: 0, iterations: 400)", 1e-7),
    ] {
        let mut rope = simulation(&format!(
            "integrator: {integrator}, anchors: [(node: 0, curve: Linear({keys}))],
                rope: (start: (0, 0), end: (-40, 0), nodes: 5, pins: [0])"
        ));
        for frame in 1..=8 {
            rope.advance_frame();
            let worst = worst_length(&rope);
            assert!(worst < maximum, "{integrator}, frame {frame}: {worst:e}");
        }
        assert_eq!((rope.state().x[0], rope.state().x[5]), (40.0, -30.0));
    }
}

#[test]
fn a_shake_pendulum_keeps_its_energy() {
    let (g, l) = (9.81_f64, 0.7_f64);
    let mut swinging = simulation(&format!(
        "integrator: Shake(tolerance: 1e-12), gravity: (0, -{g}), frame_time: 0.125, substeps: 256,
            rope: (start: (0, 0), end: ({l}, 0), nodes: 2)"
    ));
    // The velocity is at the middle of a step, and so is the mean of two heights.
    let mut energies = Vec::new();
    for _ in 0..25 * 8 * 256 {
        let before = swinging.state().x[3];
        swinging.step();
        let State { x, v, .. } = swinging.state();
        energies.push(0.5 * (v[1] * v[1] + v[3] * v[3]) + g * 0.5 * (before + x[3]));
    }
    let spread = energies.iter().map(|energy| energy.abs()).fold(0.0, f64::max) / (g * l);
    eprintln!(
        "energy of the pendulum stays within {spread:e} of the energy that it had at the bottom"
    );
    assert!(spread < 1e-5, "{spread:e}");
}

#[test]
fn tethers_keep_every_node_within_its_reach() {
    for (without, with, substeps) in [
        ("ConstraintVerlet(damping: 0.005)", "ConstraintVerlet(damping: 0.005, tethers: true)", 1),
        ("Pbd(iterations: 1)", "Pbd(iterations: 1, tethers: true)", 1),
        (
            "Pbd(iterations: 5, stiffness: 0.1)",
            "Pbd(iterations: 5, stiffness: 0.1, tethers: true)",
            4,
        ),
        ("Xpbd(iterations: 2)", "Xpbd(iterations: 2, tethers: true)", 4),
    ] {
        let run = |integrator: &str| {
            let mut rope = simulation(&format!(
                "integrator: {integrator}, substeps: {substeps}, drag: 0.05, rope: (nodes: 16, stiffness: 10)"
            ));
            let mut worst = f64::NEG_INFINITY;
            for _ in 0..400 {
                rope.advance_frame();
                worst = worst.max(worst_tether(&rope));
            }
            (worst, stretches(&rope).iter().sum::<f64>())
        };
        let ((loose, long), (held, short)) = (run(without), run(with));
        eprintln!("{without}: {loose} beyond, {long} longer; with tethers {held:e} and {short}");
        assert!(loose > 1.0, "{without}: {loose}");
        assert!(held < 1e-9, "{with}: {held:e}");
        assert!(short < long, "{with}: {short}, not below {long}");
    }
}

#[test]
fn constraint_verlet_hangs_506_long_without_tethers_and_400_with_them() {
    for (tethers, expected) in [(false, 506.0), (true, 400.0)] {
        let mut rope = simulation(&format!(
            "integrator: ConstraintVerlet(tethers: {tethers}, damping: 0.02), substeps: 1, gravity: (0, -1),
                rope: (start: (0, 0), end: (0, -400), nodes: 16, pins: [0])"
        ));
        (0..8000).for_each(|_| rope.advance_frame());
        let down = -rope.state().x[31];
        assert!((down - expected).abs() < 1e-6, "{tethers}: {down}");
    }
}

#[test]
fn tethers_reach_over_the_shortest_path_to_the_nearest_pin() {
    let tethers = |base: &str| {
        let simulation = simulation(base);
        Tethers::new(&simulation.setup().model).list().to_vec()
    };
    let tether = |node, pin, reach| Tether { node, pin, reach };
    // 7 nodes with a spacing of 2 between two pins; the middle node belongs to the first pin.
    let rope = "rope: (start: (0, 0), end: (12, 0), nodes: 7, pins: [0, 6])";
    let expected: Vec<Tether> = [(1, 0, 2.0), (2, 0, 4.0), (3, 0, 6.0), (4, 6, 4.0), (5, 6, 2.0)]
        .map(|(a, b, c)| tether(a, b, c))
        .into();
    assert_eq!(tethers(rope), expected);
    // A sheet of 3 rows and 4 columns, with spacings of 1 across and 2 down, along its threads and
    // not across its cells.
    let cloth =
        "cloth: (corner: (0, 0), across: (3, 0), down: (0, -4), rows: 3, columns: 4, pins: [0, 3])";
    let expected: Vec<Tether> = [1, 2, 4, 5, 6, 7, 8, 9, 10, 11]
        .map(|node| {
            let (row, column) = (node / 4, node % 4);
            let (pin, columns) = if column < 2 { (0, column) } else { (3, 3 - column) };
            tether(node, pin, (2 * row + columns) as f64)
        })
        .into();
    assert_eq!(tethers(cloth), expected);
    assert_eq!(tethers("rope: (pins: [])"), []);
}

#[test]
fn a_tether_goes_with_the_spring_that_breaks() {
    for integrator in ["ConstraintVerlet(tethers: true)", "Pbd(tethers: true)"] {
        let mut rope = simulation(&format!(
            "integrator: {integrator}, gravity: (0, -10), rope: (start: (0, 0), end: (0, -8), nodes: 5, breaks_at: 0.5)"
        ));
        rope.advance_frame();
        let mut start = rope.checkpoint();
        start.springs.broken[1] = true;
        rope.restore(&start);
        (0..10).for_each(|_| rope.advance_frame());
        let y = &rope.state().x[5..];
        // The part that still hangs is held; the rest falls.
        assert!(y[1] > -2.1 && y[2] < -100.0 && y[4] < -100.0, "{integrator}: {y:?}");
    }
}

#[test]
fn the_hanging_chain_beside_xpbd_has_its_compliance() {
    let rope = "rope: (start: (0, 0), end: (0, -30), nodes: 4, stiffness: 1)";
    for (integrator, elastic) in [
        ("Xpbd", 6.0),
        ("Xpbd(compliance: 0.25)", 1.5),
        ("Xpbd(compliance: 0)", 0.0),
        ("Xpbd(tethers: true)", 0.0),
        ("Pbd", 0.0),
        ("Shake", 0.0),
    ] {
        let scene = scene_of(&format!("Scene(base: (integrator: {integrator}, {rope}))"));
        let state = scene.panels[0].bodies[0].setup.initial.clone();
        let ending = Ending::AtRest { frame: 1 };
        let (springs, pinned) = Default::default();
        let settled = [Settled { ending, state, springs, pinned, rests: Vec::new() }];
        let columns = steady::columns(&scene, &settled);
        let length: f64 = columns[0].reference.as_ref().unwrap().iter().sum();
        assert!((length - 30.0 - elastic).abs() < 1e-12, "{integrator}: {length}");
    }
}

#[test]
fn options_out_of_range_are_refused() {
    for (integrator, option) in [
        ("Shake(tolerance: 0)", "tolerance"),
        ("Shake(iterations: 0)", "iterations"),
        ("Pbd(iterations: 0)", "iterations"),
        ("Pbd(stiffness: 1.01)", "stiffness"),
        ("Xpbd(compliance: -1)", "compliance"),
        ("Xpbd(compliance: inf)", "compliance"),
        ("Xpbd(iterations: 0)", "iterations"),
        ("Xpbd(substeps: 0)", "substeps"),
    ] {
        let text = format!("Scene(base: (integrator: {integrator}))");
        let text = SceneText { origin: "test".into(), name: "test".into(), text };
        let message = load(&text, &[] as &[Patch]).unwrap_err().to_string();
        assert!(message.contains(&format!("`{option}`")), "{integrator}: {message}");
    }
}
