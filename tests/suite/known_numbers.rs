//! Numbers from theory that a correct simulator meets. References are discrete where the rope is; the continuum is the
//! limit of many nodes.

use crate::scene_of;
use catena::analysis::hanging::{Law, hanging_chain};
use catena::sim::{Setup, Simulation};
use std::{f64::consts::PI, sync::Arc};

fn setup(base: &str) -> Arc<Setup> {
    Arc::clone(&scene_of(&format!("Scene(base: ({base}))")).panels[0].bodies[0].setup)
}

#[test]
fn each_spring_of_a_hanging_chain_carries_the_weight_below_it() {
    let (k, m, g) = (120.0, 0.7, 9.81);
    let mut simulation = Simulation::new(setup(&format!(
        "gravity: (0, -{g}), drag: 1.5, frame_time: 0.1,
         rope: (start: (0, 0), end: (0, -2), nodes: 9, stiffness: {k}, mass: {m})"
    )));
    (0..4000).for_each(|_| simulation.advance_frame());
    let y = &simulation.state().x[9..];
    for spring in 0..8 {
        let expected = 0.25 + (8 - spring) as f64 * m * g / k;
        let found = y[spring] - y[spring + 1];
        assert!((found - expected).abs() < 1e-9, "spring {spring}: {found}, not {expected}");
    }
}

#[test]
fn a_hanging_rope_of_a_material_stretches_by_half_its_weight() {
    // Continuum: stretch = W L / 2 E A.
    let setup = setup(
        "gravity: (0, -9.81), rope: (start: (0, 0), end: (0, -10), nodes: 401,
         material: Rubber, area: 1e-4)",
    );
    let x = hanging_chain(&setup.model, &setup.initial.x, &[0.0, -9.81], Law::Elastic).unwrap();
    let stretch = -x[801] - 10.0;
    let expected = (1000.0 * 1e-4 * 10.0 * 9.81) * 10.0 / (2.0 * 0.01e9 * 1e-4);
    assert!((stretch / expected - 1.0).abs() < 1e-5, "{stretch} {expected}");
}

/// A chain of this length between supports 1 apart, E A = 1000, ρ A = 1.
fn slack(nodes: usize, law: Law) -> Vec<f64> {
    let setup = setup(&format!(
        "gravity: (0, -9.81), rope: (start: (0, 0), end: (1.5, 0), nodes: {nodes}, pins: [0, {}],
         material: Elastic(young: 1000, density: 1), area: 1)",
        nodes - 1
    ));
    let mut x = setup.initial.x.clone();
    x[nodes - 1] = 1.0;
    let rest = hanging_chain(&setup.model, &x, &[0.0, -9.81], law).unwrap();
    rest[nodes..].to_vec()
}

#[test]
fn the_catenary_is_the_limit_of_many_links() {
    // X = 1, S = 1.5. Rigid: a = 0.3082365, sag 0.5026333. Elastic with E A = 1000, w = 9.81: sag 0.5073814.
    for (law, sag) in [(Law::Rigid, 0.502_633_3), (Law::Elastic, 0.507_381_4)] {
        let error = |nodes: usize| {
            let y = slack(nodes, law);
            (-y[nodes / 2] - sag).abs()
        };
        assert!(error(801) < 2e-6, "{law:?}: {}", error(801));
        // It tends to the catenary with the square of the number of links.
        assert!(error(101) > 10.0 * error(401) && error(101) < 25.0 * error(401));
    }
    let a = 0.308_236_5_f64;
    assert!((2.0 * a * libm::sinh(1.0 / (2.0 * a)) - 1.5).abs() < 1e-6);
}

#[test]
fn a_run_settles_in_the_catenary_of_its_links() {
    let mut simulation = Simulation::new(setup(
        "gravity: (0, -9.81), drag: 0.4, frame_time: 0.05, substeps: 64, integrator: VelocityVerlet,
         rope: (start: (0, 0), end: (1.5, 0), nodes: 16, pins: [0, 15], material: Elastic(young: 1000, density: 1),
            area: 1),
         anchors: [(node: 15, curve: Linear(keys: [(0, (1.5, 0)), (2, (1, 0))]))]",
    ));
    (0..1500).for_each(|_| simulation.advance_frame());
    for (i, expected) in slack(16, Law::Elastic).iter().enumerate() {
        let y = simulation.state().x[16 + i];
        assert!((y - expected).abs() < 1e-6, "node {i}: {y}, not {expected}");
    }
}

/// The angular frequency of a mode: half a turn from zero to zero, of `swing` over many steps, by interpolation.
fn frequency(simulation: &mut Simulation, swing: impl Fn(&Simulation) -> f64, turns: u32) -> f64 {
    let mut crossings = Vec::new();
    let mut before = (simulation.state().t, swing(simulation));
    while crossings.len() < turns as usize + 1 {
        simulation.step();
        let now = (simulation.state().t, swing(simulation));
        if before.1 * now.1 < 0.0 {
            crossings.push(before.0 - before.1 * (now.0 - before.0) / (now.1 - before.1));
        }
        before = now;
    }
    PI * f64::from(turns) / (crossings[turns as usize] - crossings[0])
}

#[test]
fn a_stretched_string_of_beads_sounds_as_lagrange_found() {
    // ω_n = 2 √(T/(m a)) sin(n π / 2(N + 1)), N beads, spacing a.
    let (beads, k, m, spacing) = (12_usize, 400.0, 0.3, 0.5);
    for mode in [1, 2, 5, 12] {
        let base = format!(
            "gravity: (0, 0), frame_time: 0.001, substeps: 1, integrator: VelocityVerlet,
             rope: (start: (0, 0), end: ({}, 0), nodes: {}, stiffness: {k}, mass: {m}, pins: [0, {}])",
            spacing * (beads + 1) as f64,
            beads + 2,
            beads + 1
        );
        let plain = setup(&base);
        let n = beads + 2;
        let mut model = plain.model.clone();
        // Springs that are a fifth too short pull with T.
        model.springs.iter_mut().for_each(|spring| spring.rest_length = 0.8 * spacing);
        let tension = k * 0.2 * spacing;
        let scene = scene_of(&format!("Scene(base: ({base}))"));
        let mut built = scene.panels.into_iter().next().unwrap().bodies.remove(0).setup;
        let setup = Arc::get_mut(&mut built).unwrap();
        setup.model = model;
        let shape = |i: usize| libm::sin(f64::from(mode) * PI * i as f64 / (beads + 1) as f64);
        for i in 1..=beads {
            setup.initial.x[n + i] = 1e-5 * shape(i);
        }
        let mut simulation = Simulation::new(built);
        let project = |s: &Simulation| (1..=beads).map(|i| shape(i) * s.state().x[n + i]).sum();
        let found = frequency(&mut simulation, project, 6);
        let half = f64::from(mode) * PI / (2.0 * (beads + 1) as f64);
        let expected = 2.0 * (tension / (m * spacing)).sqrt() * libm::sin(half);
        assert!((found / expected - 1.0).abs() < 2e-4, "mode {mode}: {found}, not {expected}");
        if mode == 1 {
            // A long wave travels with √(T/μ).
            let speed = found * spacing * (beads + 1) as f64 / PI;
            let expected = (tension * spacing / m).sqrt();
            assert!((speed / expected - 1.0).abs() < 0.01, "{speed} {expected}");
        }
    }
}

#[test]
fn the_lower_end_of_a_cut_rope_waits() {
    // It stays where it is until t = √(M/K), M the mass and K the stiffness of the whole rope; the centre of mass falls
    // freely throughout.
    let (n, k, m, g) = (201_usize, 2e5, 0.01, 10.0);
    let base = format!(
        "gravity: (0, -{g}), frame_time: 0.0005, substeps: 4, integrator: VelocityVerlet,
         rope: (start: (0, 0), end: (0, -4), nodes: {n}, stiffness: {k}, mass: {m})"
    );
    let hanging = setup(&base);
    let rest = hanging_chain(&hanging.model, &hanging.initial.x, &[0.0, -g], Law::Elastic).unwrap();
    let scene = scene_of(&format!("Scene(base: ({base}))"));
    let mut built = scene.panels.into_iter().next().unwrap().bodies.remove(0).setup;
    let setup = Arc::get_mut(&mut built).unwrap();
    setup.model.pinned[0] = false;
    setup.initial.x = rest.clone();
    let mut simulation = Simulation::new(built);

    // The released top node has no spring above it, so it counts as mass of the rope.
    let wait = (m * n as f64 / (k / (n - 1) as f64)).sqrt();
    let centre = |x: &[f64]| x[n..].iter().sum::<f64>() / n as f64;
    let (start, tip) = (centre(&rest), rest[2 * n - 1]);
    let mut moved_at = None;
    while simulation.state().t < 1.5 * wait {
        simulation.advance_frame();
        let (t, x) = (simulation.state().t, &simulation.state().x);
        let fall = -0.5 * g * t * t;
        assert!((centre(x) - start - fall).abs() < 1e-9, "at {t}");
        // A hundredth of what a free fall would have given by then.
        if moved_at.is_none() && (x[2 * n - 1] - tip).abs() > 0.01 * fall.abs() {
            moved_at = Some(t);
        }
    }
    let moved_at = moved_at.unwrap();
    assert!((moved_at / wait - 1.0).abs() < 0.05, "moved at {moved_at}, not {wait}");
}
