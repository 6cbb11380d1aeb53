//! Lines and surfaces in air and water, compared with closed forms: terminal speeds, waves,
//! buoyancy, and pressure on facets.

use crate::scene_of;
use catena::scene::Scene;
use catena::sim::force::flow::{self, Flow};
use catena::sim::force::law::{Dahl, Plastic, SpringLaw, Viscoelastic};
use catena::sim::{Outcome, Simulation};
use std::f64::consts::{PI, TAU};

fn flow_of(text: &str) -> Box<dyn Flow> {
    let (name, options) = text.split_at(text.find('(').unwrap());
    let mut reader = ron::Deserializer::from_str(options).unwrap();
    let flow = flow::read(name, &mut reader).unwrap().unwrap();
    flow.check().unwrap();
    flow
}

/// The first body of a scene after some frames.
fn after(scene: &Scene, frames: u32) -> Simulation {
    let mut run = Simulation::new(scene.panels[0].bodies[0].setup.clone());
    (0..frames).for_each(|_| run.advance_frame());
    assert_eq!(run.outcome(), Outcome::Fine);
    run
}

/// A free line of 2 m and 0.4 kg that falls across or along itself.
fn falling(end: &str, forces: &str, integrator: &str) -> Scene {
    scene_of(&format!(
        "Scene(base: (frame_time: 0.1, substeps: 50, gravity: (0, -9.81), drag: 0, integrator: {integrator},
            rope: (start: (0, 0), end: {end}, nodes: 2, mass: 0.2, stiffness: 1000, pins: []),
            forces: [{forces}]), panels: [(label: \"line\")])"
    ))
}

#[test]
fn a_falling_line_reaches_its_terminal_speed() {
    const DRAG: &str = "LineDrag(density: 1.2, diameter: 0.05, across: 1.3, along: 0.2";
    // Mass per length 0.2 kg/m: √(2 m g/(ρ d C)), with π d along the line.
    let across = (2.0 * 0.2 * 9.81 / (1.2 * 0.05 * 1.3_f64)).sqrt();
    let along = (2.0 * 0.2 * 9.81 / (1.2 * PI * 0.05 * 0.2_f64)).sqrt();
    let wind = "flow: Uniform(velocity: (0, 3))";
    for integrator in ["SemiImplicitEuler", "Rk4", "ImplicitEuler", "ImplicitMidpoint"] {
        for (end, extra, expected) in [
            ("(2, 0)", "", -across),
            ("(0, -2)", "", -along),
            ("(2, 0)", wind, 3.0 - across),
            ("(0, -2)", wind, 3.0 - along),
        ] {
            let run = after(&falling(end, &format!("{DRAG}, {extra})"), integrator), 800);
            let found = run.state().v[2];
            assert!(
                (found - expected).abs() < 1e-9 * expected.abs(),
                "{integrator} {end} {extra}: {found}, not {expected}"
            );
        }
    }
}

#[test]
fn a_weight_with_an_area_sinks_at_its_terminal_speed() {
    // Two nodes of 0.2 kg: √(2 m g/(ρ C A)), in still water and in an upward current.
    let expected = (2.0 * 0.4 * 9.81 / (1000.0 * 0.03_f64)).sqrt();
    for (flow, carried) in [("", 0.0), (", flow: Uniform(velocity: (0, 2))", 2.0)] {
        for integrator in ["SemiImplicitEuler", "Rk4", "ImplicitEuler", "ImplicitMidpoint"] {
            let drag = format!("PointDrag(node: Last, density: 1000, area: 0.03{flow})");
            let run = after(&falling("(0, -2)", &drag, integrator), 800);
            let found = run.state().v[3];
            let expected = carried - expected;
            assert!((found - expected).abs() < 1e-8, "{integrator}: {found}, not {expected}");
        }
    }
}

/// Drag and buoyancy of a part act only on this part, even if it is joined to others.
#[test]
fn water_acts_on_the_part_that_it_names() {
    let forces = |listed: &str| {
        let scene = scene_of(&format!(
            "Scene(base: (gravity: (0, -9.81), parts: [
                (name: \"a\", with: (rope: (start: (0, 0), end: (4, 0), nodes: 5, pins: [First]))),
                (name: \"b\", with: (rope: (start: (4, 0), end: (7, 0), nodes: 4, pins: []))),
            ], joins: [(from: (\"a\", Last), to: (\"b\", First))], forces: [{listed}]), panels: [(label: \"line\")])"
        ));
        let setup = &scene.panels[0].bodies[0].setup;
        let model = &setup.model;
        let mut state = setup.initial.clone();
        state.v.iter_mut().for_each(|v| *v = 0.7);
        let springs = catena::sim::SpringMemory::default();
        let body = catena::sim::Body { model, springs: &springs };
        let mut sum = vec![0.0; state.x.len()];
        for force in setup.forces.iter().rev().take(listed.matches(", diameter").count()) {
            force.add_to(&body, &state, &mut sum);
        }
        sum
    };
    for force in ["LineDrag(density: 1000, diameter: 0.1", "Buoyancy(density: 1000, diameter: 0.1"]
    {
        let [a, b] = ["a", "b"].map(|part| forces(&format!("{force}, part: \"{part}\")")));
        let both = forces(&format!("{force}, part: \"a\"), {force}, part: \"b\")"));
        let all = forces(&format!("{force})"));
        let n = all.len() / 2;
        // Nodes 0 to 4 belong to the first part, and node 4 to both.
        assert!(
            a[n..].iter().skip(5).all(|f| *f == 0.0) && b[n..].iter().take(4).all(|f| *f == 0.0)
        );
        assert!(a[n + 4] != 0.0 && b[n + 4] != 0.0);
        for (both, all) in both.iter().zip(&all) {
            assert!((both - all).abs() < 1e-12 * all.abs().max(1.0), "{both} {all}");
        }
    }
    let unknown = "Scene(base: (gravity: (0, -9.81), forces: [Buoyancy(density: 1, diameter: 1, part: \"c\")]))";
    let message = unknown.parse::<Scene>().unwrap_err().to_string();
    assert!(message.contains("`part` of Buoyancy"), "{message}");
}

#[test]
fn a_light_line_floats_half_under_water() {
    // The line weighs half of the water that it would displace, so its axis rests at the surface.
    let half = 0.5 * 1000.0 * PI * 0.1 * 0.1 / 4.0;
    let scene = scene_of(&format!(
        "Scene(base: (frame_time: 0.1, substeps: 50, gravity: (0, -9.81), drag: 3, integrator: Rk4,
            rope: (start: (0, -1), end: (2, -1), nodes: 2, mass: {half}, stiffness: 1000, pins: []),
            forces: [Buoyancy(density: 1000, diameter: 0.1, surface: 0.25)]), panels: [(label: \"line\")])"
    ));
    let run = after(&scene, 3000);
    assert!((run.state().x[2] - 0.25).abs() < 1e-6, "{:?}", run.state().x);
}

#[test]
fn waves_are_those_of_linear_theory() {
    // Depth 20 and period 8: ω² = g k tanh(k h).
    let (height, depth, omega) = (2.0, 20.0, TAU / 8.0);
    let flow = flow_of("Airy(height: 2, period: 8, depth: 20)");
    let gradient = |place, t| flow.gradient(place, t);
    // Vertical at the surface: v = (H/2) ω sin θ at any depth; zero at the bed.
    let up = flow.at([0.0, 0.0, 0.0], -2.0)[1];
    assert!((up - 0.5 * height * omega).abs() < 1e-12, "{up}");
    assert!(flow.at([3.0, -depth, 0.0], 0.7)[1].abs() < 1e-15);
    // The ratio at the surface gives tanh(k h), and the gradient gives k: both must agree with ω.
    let along = flow.at([0.0, 0.0, 0.0], 0.0)[0];
    let tanh = 0.5 * height * omega / along;
    let k = gradient([0.0, -1e-12, 0.0], -2.0)[0][0].abs() / along;
    assert!((k * 9.81 * tanh - omega * omega).abs() < 1e-9, "{k} {tanh}");
    assert!((libm::tanh(k * depth) - tanh).abs() < 1e-12);
    // The flow has no sources and no rotation, and its gradient is the derivative of its velocity.
    for (place, t) in [([1.0, -3.0, 2.0], 0.3), ([-7.0, -15.0, 0.0], 5.1)] {
        let g = gradient(place, t);
        assert!((g[0][0] + g[1][1] + g[2][2]).abs() < 1e-14, "{g:?}");
        assert!((g[0][1] - g[1][0]).abs() < 1e-14, "{g:?}");
        for column in 0..3 {
            let at = |by: f64| {
                let mut place = place;
                place[column] += by;
                flow.at(place, t)
            };
            for (row, analytic) in g.iter().enumerate() {
                let found = (at(1e-5)[row] - at(-1e-5)[row]) / 2e-5;
                assert!((found - analytic[column]).abs() < 1e-8, "{row} by {column}: {found}");
            }
        }
    }
    // Deep water: the velocity decreases as exp(k z) and rotates on circles.
    let deep = flow_of("Airy(height: 2, period: 8)");
    let k = omega * omega / 9.81;
    let found = deep.at([0.0, -10.0, 0.0], 0.0)[0];
    assert!((found - omega * libm::exp(-10.0 * k)).abs() < 1e-12, "{found}");
}

#[test]
fn an_irregular_sea_has_its_height_and_depends_on_its_seed_alone() {
    let text = "Jonswap(height: 3, period: 9, waves: 400, seed: 7)";
    let (sea, same, other) = (
        flow_of(text),
        flow_of(text),
        flow_of("Jonswap(height: 3, period: 9, waves: 400, seed: 8)"),
    );
    let place = [4.0, 0.0, 0.0];
    assert_eq!(sea.at(place, 12.5), same.at(place, 12.5));
    assert_ne!(sea.at(place, 12.5), other.at(place, 12.5));
    // At the surface, the height is the integral of the upward velocity. Its standard deviation is
    // a quarter of the significant height.
    let (mut height, mut sum, mut square) = (0.0, 0.0, 0.0);
    let (count, dt) = (100_000, 0.2);
    for i in 0..count {
        height += sea.at(place, f64::from(i) * dt)[1] * dt;
        (sum, square) = (sum + height, square + height * height);
    }
    let mean = sum / f64::from(count);
    let deviation = (square / f64::from(count) - mean * mean).sqrt();
    assert!((deviation / 0.75 - 1.0).abs() < 0.02, "{deviation}");
}

#[test]
fn wind_through_a_square_presses_with_half_rho_v_squared() {
    // A square of 2 m held at its corners, in still air and in wind from one side.
    for (wind, extra, expected) in [
        ("(0, 3, 0)", "pressure: 1", [0.0, 0.5 * 1.2 * 9.0 * 4.0, 0.0]),
        ("(0, -3, 0)", "pressure: 1", [0.0, -0.5 * 1.2 * 9.0 * 4.0, 0.0]),
        ("(5, 0, 0)", "pressure: 1", [0.0; 3]),
        ("(5, 0, 0)", "pressure: 0, friction: 0.02", [0.5 * 1.2 * 0.02 * 25.0 * 4.0, 0.0, 0.0]),
        // At 45°, the lift is C |w|² sin α cos α across the flow: here, half of 50.
        (
            "(5, 5, 0)",
            "pressure: 0, lift: 1",
            [
                -0.5 * 1.2 * 25.0 * 4.0 * 0.5_f64.sqrt(),
                0.5 * 1.2 * 25.0 * 4.0 * 0.5_f64.sqrt(),
                0.0,
            ],
        ),
    ] {
        let scene = scene_of(&format!(
            "Scene(base: (frame_time: 0.1, gravity: (0, 0, 0), drag: 0, integrator: SemiImplicitEuler,
                cloth: (corner: (0, 0, 0), across: (2, 0, 0), down: (0, 0, 2), rows: 3, columns: 3,
                    mass: 1, stiffness: 100, pins: []),
                forces: [FacetDrag(density: 1.2, {extra}, flow: Uniform(velocity: {wind}))]),
                panels: [(label: \"cloth\")])"
        ));
        let setup = &scene.panels[0].bodies[0].setup;
        let springs = catena::sim::SpringMemory::default();
        let body = catena::sim::Body { model: &setup.model, springs: &springs };
        let mut f = vec![0.0; 27];
        setup.forces.last().unwrap().add_to(&body, &setup.initial, &mut f);
        for axis in 0..3 {
            let found: f64 = f[axis * 9..][..9].iter().sum();
            assert!((found - expected[axis]).abs() < 1e-12, "{wind} {extra}: {found} on {axis}");
        }
    }
}

/// A cloth of 2 by 2 nodes in a flow: its force, and the derivatives of the force.
#[test]
fn derivatives_on_facets_are_those_of_the_force() {
    let scene = scene_of(
        "Scene(base: (frame_time: 0.1, gravity: (0, 0, 0), drag: 0, integrator: ImplicitEuler,
            cloth: (corner: (0, 0, 0), across: (2, 0.3, 0), down: (0.2, 0.1, 2), rows: 2, columns: 2,
                mass: 1, stiffness: 100, pins: []),
            forces: [FacetDrag(density: 1.2, pressure: 0.9, friction: 0.3, lift: 0.7,
                flow: Profile(points: [(-9, (1, 0.5, 0.5)), (9, (3, 1, -0.4))]))]),
            panels: [(label: \"cloth\")])",
    );
    let setup = &scene.panels[0].bodies[0].setup;
    let force = setup.forces.last().unwrap();
    let springs = catena::sim::SpringMemory::default();
    let body = catena::sim::Body { model: &setup.model, springs: &springs };
    let mut state = setup.initial.clone();
    for (index, v) in state.v.iter_mut().enumerate() {
        *v = ((index * 6007) % 11) as f64 / 11.0 - 0.5;
    }
    let at = |state: &catena::sim::State| {
        let mut f = vec![0.0; 12];
        force.add_to(&body, state, &mut f);
        f
    };
    let mut analytic = [vec![[0.0; 12]; 12], vec![[0.0; 12]; 12]];
    let mut take = |entry: &catena::sim::Entry| {
        for (found, block) in analytic.iter_mut().zip([entry.by_x, entry.by_v]) {
            for (row, values) in block.iter().enumerate() {
                for (column, value) in values.iter().enumerate() {
                    found[row * 4 + entry.i][column * 4 + entry.j] += value;
                }
            }
        }
    };
    force.add_jacobian(&body, &state, &mut catena::sim::Blocks::new(false, &mut take));
    for (by_v, analytic) in analytic.iter().enumerate() {
        for column in 0..12 {
            let moved = |by: f64| {
                let mut state = state.clone();
                let list = if by_v == 1 { &mut state.v } else { &mut state.x };
                list[column] += by;
                at(&state)
            };
            for (row, (more, less)) in moved(1e-6).iter().zip(moved(-1e-6)).enumerate() {
                let (found, analytic) = ((more - less) / 2e-6, analytic[row][column]);
                assert!(
                    (analytic - found).abs() < 1e-6 * (1.0 + found.abs()),
                    "{row} by {column}, velocity {by_v}: {found}, not {analytic}"
                );
            }
        }
    }
}

#[test]
fn a_fall_on_a_cord_has_the_peak_of_the_textbook() {
    // A fall by h onto a slack cord: the peak tension is m g + √((m g)² + 2 k m g h).
    let (m, g, k, h) = (75.0_f64, 9.81, 250.0, 8.0);
    let expected = m * g + (m * g * (m * g + 2.0 * k * h)).sqrt();
    let scene = scene_of(
        "Scene(base: (frame_time: 0.01, substeps: 20, gravity: (0, -9.81), drag: 0, integrator: VelocityVerlet,
            rope: (start: (0, 0), end: (0, -2), length: 10, nodes: 2, mass: 75, stiffness: 250,
                law: TensionOnly, pins: [First])), panels: [(label: \"cord\")])",
    );
    let mut run = Simulation::new(scene.panels[0].bodies[0].setup.clone());
    let mut lowest = 0.0_f64;
    for _ in 0..500 {
        run.advance_frame();
        lowest = lowest.min(run.state().x[3]);
    }
    let peak = k * (-lowest - 10.0);
    assert!((peak / expected - 1.0).abs() < 1e-5, "{peak}, not {expected}");
}

#[test]
fn a_cord_creeps_as_the_standard_linear_solid() {
    // m x'' = m g - c x' - k (x - p) and p' = (creep (x - p) - p)/time, by small steps of Heun.
    let (m, g, drag, k, creep, time) = (2.0, 9.81, 60.0, 500.0, 0.8, 4.0);
    let rate =
        |[x, v, p]: [f64; 3]| [v, g - (drag * v + k * (x - p)) / m, (creep * (x - p) - p) / time];
    let along = |y: [f64; 3], h: f64, d: [f64; 3]| [0, 1, 2].map(|i| y[i] + h * d[i]);
    let scene = scene_of(
        "Scene(base: (frame_time: 0.5, substeps: 500, gravity: (0, -9.81), drag: 60, integrator: VelocityVerlet,
            rope: (start: (0, 0), end: (0, -1), length: 1, nodes: 2, mass: 2, stiffness: 500,
                law: Viscoelastic(creep: 0.8, time: 4), pins: [First])), panels: [(label: \"cord\")])",
    );
    let mut run = Simulation::new(scene.panels[0].bodies[0].setup.clone());
    let mut plain = [0.0; 3];
    for frame in 1..=80 {
        run.advance_frame();
        for _ in 0..5000 {
            let first = rate(plain);
            let second = rate(along(plain, 1e-4, first));
            plain = along(plain, 0.5e-4, [0, 1, 2].map(|i| first[i] + second[i]));
        }
        let found = -run.state().x[3] - 1.0;
        assert!((found - plain[0]).abs() < 1e-5, "frame {frame}: {found}, not {}", plain[0]);
    }
    let end = m * g / k * (1.0 + creep * (1.0 - libm::exp(-40.0 / time)));
    assert!((plain[0] / end - 1.0).abs() < 1e-4, "{} beside {end}", plain[0]);
    // At a constant length, the tension relaxes to 1/(1 + c) exponentially.
    let law = Viscoelastic { creep, time };
    let spring = catena::sim::Spring { a: 0, b: 1, stiffness: k, rest_length: 1.0 };
    let mut crept = 0.0;
    for _ in 0..7 {
        crept = law.flow(&spring, 1.1, crept, 0.3);
    }
    let share = creep / (1.0 + creep) * (1.0 - libm::exp(-2.1 * (1.0 + creep) / time));
    assert!((crept - 0.1 * share).abs() < 1e-14, "{crept}");
}

#[test]
fn hardening_turns_a_closed_loop_into_heat() {
    let (k, rest, yields, hardening, maximum) = (300.0, 2.0, 0.01, 0.5, 0.04);
    let law = Plastic { yield_strain: yields, hardening };
    let spring = catena::sim::Spring { a: 0, b: 1, stiffness: k, rest_length: rest };
    let strain = |step: i32| maximum * libm::sin(TAU * f64::from(step) / 4000.0);
    let (mut plastic, mut heat) = (0.0, 0.0);
    let mut first = (f64::NAN, f64::NAN);
    for step in 1..=8000 {
        let [before, now] = [step - 1, step].map(strain);
        let length = rest * (1.0 + now);
        let tension = law.tension(&spring, rest * (1.0 + before), plastic);
        plastic = law.flow(&spring, length, plastic, 1.0);
        let mean = 0.5 * (tension + law.tension(&spring, length, plastic));
        // The first cycle begins at rest; the second one is a closed loop.
        if step > 4000 {
            heat += mean * rest * (now - before);
        }
        if step == 4000 {
            first = (plastic, law.tension(&spring, length, plastic));
        }
    }
    let expected = 4.0 * k * rest * rest * yields * (maximum - yields) / (1.0 + hardening);
    assert!((heat / expected - 1.0).abs() < 1e-5, "{heat}, not {expected}");
    let last = (plastic, law.tension(&spring, rest, plastic));
    assert!(
        (last.0 - first.0).abs() < 1e-12 && (last.1 - first.1).abs() < 1e-9,
        "{first:?} {last:?}"
    );
}

/// A cycle of Dahl's law between -A and A converts 4 k l² y (A - y tanh(A/y))/(1 + h) into heat,
/// and ends where it began.
#[test]
fn hysteresis_with_round_corners_turns_the_loop_of_its_closed_form_into_heat() {
    let (k, rest, y, h) = (300.0, 2.0, 0.01, 0.5);
    let law = Dahl { yield_strain: y, hardening: h };
    let spring = catena::sim::Spring { a: 0, b: 1, stiffness: k, rest_length: rest };
    for maximum in [0.002, 0.01, 0.04] {
        let expected =
            4.0 * k * rest * rest * y * (maximum - y * libm::tanh(maximum / y)) / (1.0 + h);
        let length = |step: u32| rest * (1.0 + maximum * libm::sin(TAU * f64::from(step) / 4000.0));
        let (mut plastic, mut heat, mut ends) = (0.0, 0.0, Vec::new());
        for step in 1..=48_000 {
            let [from, to] = [step - 1, step].map(length);
            let before = law.energy(&spring, to, plastic);
            let next = law.flow_along(&spring, [from, to], plastic, 1.0);
            let lost = before - law.energy(&spring, to, next);
            assert!(lost >= -1e-6 * expected, "{lost:e}");
            plastic = next;
            if step > 44_000 {
                heat += lost;
            }
            if step % 4000 == 1000 {
                ends.push(law.tension(&spring, to, plastic));
            }
        }
        assert!((heat / expected - 1.0).abs() < 5e-3, "{maximum}: {heat}, not {expected}");
        // The ends of a closed loop: h A + y tanh(A/y).
        let end = k * rest * (h * maximum + y * libm::tanh(maximum / y)) / (1.0 + h);
        assert!((ends[11] / end - 1.0).abs() < 1e-4, "{maximum}: {ends:?}, not {end}");
    }
}

/// A spring whose end moves back and forth: in each cycle the pin supplies the loss of the loop, at
/// any speed, with every method that integrates springs.
#[test]
fn the_ledger_books_a_loop_of_hysteresis_at_any_speed() {
    let (y, h, k, maximum) = (0.02_f64, 0.2, 50.0, 0.06);
    let expected = 4.0 * k * y * (maximum - y * libm::tanh(maximum / y)) / (1.0 + h);
    for info in catena::sim::method::METHODS.iter().filter(|info| info.order.is_some()) {
        for time in [1.0, 10.0] {
            let scene = scene_of(&format!(
                "Scene(base: (frame_time: {time}, substeps: 4000, gravity: (0, 0), integrator: {},
                    rope: (start: (0, 0), end: (1, 0), nodes: 2, mass: 1, stiffness: {k}, pins: [First, Last],
                        law: Dahl(yield_strain: {y}, hardening: {h})),
                    anchors: [(node: Last, curve: Sine(center: (1, 0), amplitude: ({maximum}, 0), period: {time}))]),
                    panels: [(label: \"spring\")])",
                info.name
            ));
            let mut run = Simulation::new(scene.panels[0].bodies[0].setup.clone());
            run.keep_ledger();
            let mut lost = Vec::new();
            for _ in 0..5 {
                run.advance_frame();
                lost.push(run.ledger().unwrap().frame.gains);
            }
            let last = lost[4];
            assert!((last.yielding / -expected - 1.0).abs() < 5e-3, "{}: {last:?}", info.name);
            assert!((last.anchors / expected - 1.0).abs() < 5e-3, "{}: {last:?}", info.name);
        }
    }
}

/// Impossible routes, and the limit of a slack rope when it becomes taut.
#[test]
fn stops_beyond_the_rope_are_refused_and_slack_ropes_have_a_limit() {
    let scene = |route: &str, integrator: &str| {
        format!(
            "Scene(base: (frame_time: 0.1, substeps: 50, gravity: (0, -9.81), integrator: {integrator},
                graph: (nodes: [(-0.2, -1), (0.2, -1)], springs: []), forces: [Route(from: 0, to: 1, axial: 1e4,
                via: [Pulley(at: (0, 0), radius: 0.2, turn: Clockwise)]{route})]), panels: [(label: \"weights\")])"
        )
    };
    for (route, integrator, words) in [
        (
            ", stop: 1.1",
            "Rk4",
            "at most 1.000000 between node 0 and via[0], which is the straight length at the start",
        ),
        (
            ", stop: 0.6, length: [(0, 3), (1, 0.5)]",
            "Rk4",
            "which is the minimum length of the rope",
        ),
        ("", "Xpbd(substeps: 4)", "Xpbd divides each step into 4"),
    ] {
        let message = scene(route, integrator).parse::<Scene>().unwrap_err().to_string();
        assert!(message.contains(words), "{route}: {message}");
    }
    scene_of(&scene(", stop: 0.9", "Rk4"));
    for (length, note) in [
        (
            "1.3",
            Some(
                "the rope of a route is 1.3 long at the start, and its route 2.628: it is stretched by 102.2 %",
            ),
        ),
        ("1.4", None),
    ] {
        let scene = scene_of(&scene(&format!(", length: {length}"), "Rk4"));
        let notes = &scene.panels[0].bodies[0].notes;
        let found = notes.iter().find(|text| text.contains("its route"));
        assert_eq!(found.is_some(), note.is_some(), "{length}: {notes:?}");
        assert!(found.is_none_or(|text| note.is_some_and(|note| text.contains(note))), "{notes:?}");
    }
    // The limit of the taut rope: ω² = 2 EA/(l m) for two weights, for any slack.
    for (length, place) in [("2.62", "Start"), ("4", "Taut")] {
        let scene = scene_of(&scene(&format!(", length: {length}"), "VelocityVerlet"));
        let found = catena::analysis::stability::predict::predict(&scene.panels[0].bodies[0].setup);
        let found = found.unwrap();
        assert_eq!(format!("{:?}", found.place), place);
        let omega = (2.0 * 1e4 / length.parse::<f64>().unwrap()).sqrt();
        assert!((found.highest.omega / omega - 1.0).abs() < 1e-6, "{found:?} {omega}");
    }
}

/// Added mass of a line: more mass, and a fluid that carries it: ω² = k/(m + C ρ V).
#[test]
fn a_line_with_added_mass_swings_as_slowly_as_the_water_lets_it() {
    let displaced = 1000.0 * 0.25 * PI * 0.1 * 0.1;
    for added in [0.0, 0.5, 1.0] {
        let mass = 20.0 + added * displaced;
        let scene = scene_of(&format!(
            "Scene(base: (frame_time: 0.01, substeps: 10, gravity: (0, -9.81), integrator: Rk4,
                rope: (start: (0, 0), end: (1, 0), nodes: 2, mass: {}, stiffness: 1000, pins: []),
                anchors: [(node: 0, curve: [(0, (0, 0))], stiffness: 800), (node: 1, curve: [(0, (1, 0))], stiffness: 800)],
                forces: [Buoyancy(density: {}, diameter: 0.1)]), panels: [(label: \"line\")])",
            0.5 * mass,
            1000.0 * (1.0 + added)
        ));
        let mut run = Simulation::new(scene.panels[0].bodies[0].setup.clone());
        let sag = (20.0 - displaced) * 9.81 / 1600.0;
        let (mut times, mut before) = (Vec::new(), run.state().x[2] + sag);
        while times.len() < 9 {
            let from = run.state().t;
            run.step();
            let (now, to) = (run.state().x[2] + sag, run.state().t);
            if (before < 0.0) != (now < 0.0) {
                times.push(from + (to - from) * before / (before - now));
            }
            before = now;
        }
        let period = 2.0 * (times[8] - times[0]) / 8.0;
        let expected = TAU / (1600.0 / mass).sqrt();
        assert!((period / expected - 1.0).abs() < 1e-7, "{added}: {period}, not {expected}");
    }
}

/// Two weights of 1 kg in the plane, and a route.
fn routed(route: &str) -> String {
    format!(
        "Scene(base: (frame_time: 0.1, substeps: 50, gravity: (0, -9.81), integrator: Rk4,
            graph: (nodes: [(0, 0), (0.4, -1)], springs: []), forces: [Route({route})]),
            panels: [(label: \"weights\")])"
    )
}

#[test]
fn routes_are_read_with_their_nodes_by_name() {
    let text = "from: First, to: Last, axial: 1000, length: [(0, 3), (2, 2)],
        via: [Pulley(at: (0, 1), radius: 0.1, friction: 0.2), Ring(node: -1), Ring(at: (0.2, 2))]";
    let scene = scene_of(&routed(text));
    let setup = &scene.panels[0].bodies[0].setup;
    let route = setup.forces.iter().find_map(|force| force.route()).unwrap();
    assert_eq!((route.from, route.to, route.via.len()), (Some(0), Some(1), 3));
    assert!(after(&scene, 5).state().is_finite());
}

#[test]
fn routes_that_do_not_fit_are_refused_at_their_place() {
    for (route, at, expected) in [
        (
            "from: 0, to: 1, axial: 9, via: [Pulley(at: (0, 0.1), radius: 0.2)]",
            "via[0]",
            "the rope between them is straight",
        ),
        ("from: 0, to: 1, axial: 9, via: [Pulley(radius: 0.2)]", "via[0]", "exactly one of"),
        (
            "from: 0, to: 1, axial: 9, via: [Ring(at: (0, 1, 2))]",
            "via[0]",
            "one component per axis",
        ),
        ("from: 0, to: 1, axial: 9, via: [Ring(node: 2)]", "node", "no node 2"),
        ("from: 0, to: 1, axial: 9, speed: 1, length: [(0, 1), (1, 2)]", "speed", "without keys"),
        ("from: 0, axial: 9", "via", "a list of"),
    ] {
        let error = routed(route).parse::<Scene>().unwrap_err().to_string();
        assert!(error.contains(at) && error.contains(expected), "{route}: {error}");
    }
}
