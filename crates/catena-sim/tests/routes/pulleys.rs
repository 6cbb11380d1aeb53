//! Weights on pulleys: Atwood's machine, the capstan, block and tackle.

use super::{G, acceleration, after, between, converges, methods, pulley, ring, setup, weights};
use catena_sim::force::applied::{Guide, Route, Turn};
use catena_sim::{
    Body, Method, Simulation,
    method::{Pbd, Shake, Xpbd},
};
use std::f64::consts::PI;
use std::sync::Arc;

/// Tensions of a run's route.
fn tensions(run: &Simulation) -> Vec<f64> {
    let body = Body { model: &run.setup().model, springs: run.springs() };
    let route = run.setup().forces.iter().find_map(|force| force.route()).unwrap();
    route.tensions(&body, run.state())
}

#[test]
fn atwoods_machine_accelerates_as_in_the_textbook() {
    let (heavy, light, radius, axial) = (3.0, 1.0, 0.2, 1e7);
    for method in methods() {
        for inertia in [None, Some(0.04)] {
            let name = format!("{} {inertia:?}", method.info().name);
            let moved = inertia.map_or(0.0, |inertia: f64| inertia / (radius * radius));
            let expected = (heavy - light) * G / (heavy + light + moved);
            let route = Route { axial, ..between(vec![pulley(0.0, 2.0, radius, None, inertia)]) };
            let body = weights(&[(heavy, -radius, 0.0), (light, radius, -1.0)]);
            // The weight stretches the rope of 5.6 m; since it is loaded suddenly, the stretch
            // doubles.
            let stretch = 2.0 * heavy * G / axial * (5.0 + radius * PI);
            let risen = |substeps: u64| {
                let run = after(&setup(body.clone(), &method, route.clone(), substeps), 50);
                run.state().position(2, 1)[1] + 1.0
            };
            converges(&name, 0.5 * expected * 0.5 * 0.5, stretch, risen);
        }
    }
}

#[test]
fn a_bollard_multiplies_tension_by_the_exponential_of_friction() {
    let ratio = libm::exp(0.3 * PI);
    assert!((ratio - 2.56634).abs() < 1e-5);
    let bollard = || between(vec![pulley(0.0, 2.0, 0.2, Some(0.3), None)]);
    for method in methods() {
        let name = method.info().name;
        // A weight held by the bollard does not creep, however long it hangs.
        let body = weights(&[(1.0, -0.2, 0.0), (2.0, 0.2, -1.0)]);
        let held = setup(body, &method, bollard(), 40);
        let (early, late) = (after(&held, 300), after(&held, 600));
        let moved = late.state().position(2, 1)[1] - early.state().position(2, 1)[1];
        assert!(moved.abs() < 1e-9, "{name}: {moved:e}");
        // A heavier weight slides, with this ratio.
        let (small, large) = (1.0, 4.0);
        let body = weights(&[(small, -0.2, 0.0), (large, 0.2, -1.0)]);
        let expected = -(large - small * ratio) * G / (large + small * ratio);
        let slides = |substeps| setup(body.clone(), &method, bollard(), substeps);
        // The speeds of the weights differ by the strain of the rope.
        let strain = large * G / 1e5 * expected.abs();
        converges(name, expected, strain, |substeps| acceleration(&slides(substeps), 1));
        let [one, other] = tensions(&after(&slides(40), 40))[..] else { panic!() };
        assert!((other / one / ratio - 1.0).abs() < 1e-9, "{name}: {}", other / one);
    }
}

#[test]
fn a_tackle_of_n_parts_lifts_n_times_the_weight() {
    for parts in 1..=4_u32 {
        // All parts are on one line: there are rings above, and a ring on the load. With an odd
        // number of parts the rope ends at the load, otherwise above.
        let above = || ring(Some([0.0, 3.0]), None);
        let load = || ring(None, Some(0));
        let count = parts as usize + 1;
        let guides = (1..=count).rev().map(|i| if i.is_multiple_of(2) { load() } else { above() });
        let guides = guides.collect();
        let route = Route { from: None, ..between(guides) };
        let body = weights(&[(f64::from(parts), 0.0, 0.0), (1.0, 0.0, 1.0)]);
        for method in methods() {
            let run = after(&setup(body.clone(), &method, route.clone(), 40), 100);
            let drift = run.state().velocity(2, 0)[1].abs();
            let tension = tensions(&run)[0];
            let name = method.info().name;
            assert!(drift < 1e-6, "{name} {parts}: {drift:e}");
            assert!((tension / G - 1.0).abs() < 1e-6, "{name} {parts}: {tension}");
        }
    }
}

#[test]
fn a_pulley_on_a_weight_moves_half_as_far_as_the_rope() {
    // The rope hangs from a ring, carries the load on a pulley and runs over a fixed pulley to a
    // weight. All parts are vertical.
    let (load, weight, radius, axial) = (3.0, 2.0, 0.2, 1e7);
    let on_load = Guide::Pulley {
        at: None,
        along: None,
        node: Some(0),
        bone: None,
        offset: None,
        radius,
        turn: Some(Turn::Counterclockwise),
        friction: None,
        inertia: None,
    };
    let guides = vec![
        ring(Some([-radius, 3.0]), None),
        on_load,
        pulley(2.0 * radius, 3.0, radius, None, None),
    ];
    let route = Route { from: None, axial, ..between(guides) };
    let body = weights(&[(load, 0.0, 0.0), (weight, 3.0 * radius, 1.0)]);
    let expected = (2.0 * weight - load) * G / (load + 4.0 * weight);
    // The tension stretches the rope; since it is loaded suddenly, the stretch doubles. The load
    // moves by half of it.
    let stretch = weight * G / axial * (8.0 + 2.0 * PI * radius);
    for method in methods() {
        converges(method.info().name, 0.5 * expected * 0.5 * 0.5, stretch, |substeps| {
            after(&setup(body.clone(), &method, route.clone(), substeps), 50).state().position(2, 0)
                [1]
        });
    }
}

#[test]
fn methods_that_hold_lengths_hold_that_of_a_route() {
    let held: [Arc<dyn Method>; 4] = [
        Arc::new(Shake::default()),
        Arc::new(Pbd::default()),
        Arc::new(Xpbd { compliance: Some(0.0), ..Xpbd::default() }),
        Arc::new(Xpbd::default()),
    ];
    let (heavy, light, radius, axial) = (3.0, 1.0, 0.2, 1e5);
    let expected = (heavy - light) * G / (heavy + light);
    for (index, method) in held.iter().enumerate() {
        let name = method.info().name;
        let route = || between(vec![pulley(0.0, 2.0, radius, None, None)]);
        let length = |run: &Simulation| {
            let view = Body { model: &run.setup().model, springs: run.springs() };
            let route = run.setup().forces.iter().find_map(|force| force.route()).unwrap();
            route.stretched(&view, run.state()).0
        };
        // The heavy weight swings, so the arc changes.
        let body = weights(&[(heavy, -radius - 0.1, 0.0), (light, radius, -1.0)]);
        let mut run = Simulation::new(setup(body, method, route(), 40));
        let whole = length(&run);
        for _ in 0..60 {
            run.advance_frame();
            let off = (length(&run) / whole - 1.0).abs();
            // The last method has the stiffness of the rope, which is loaded suddenly and
            // oscillates: 2 and 1.5 times the strain by the heavier weight.
            let maximum = if index < 3 { 1e-12 } else { 3.0 * heavy * G / axial };
            assert!(off < maximum, "{name}: {off:e}");
        }
        // Without a swing, this is Atwood's machine. Sudden loading doubles the stretch by the
        // weight.
        let body = weights(&[(heavy, -radius, 0.0), (light, radius, -1.0)]);
        let stretch = 2.0 * heavy * G / axial * (5.0 + radius * PI);
        converges(name, 0.5 * expected * 0.5 * 0.5, stretch, |substeps| {
            let run = after(&setup(body.clone(), method, route(), substeps), 50);
            run.state().position(2, 1)[1] + 1.0
        });
    }
}
