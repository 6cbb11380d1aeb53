//! One test per property, over the whole table of methods.

use crate::scene_of;
use catena::sim::{
    Budget, Setup, Simulation, Spring, State,
    contact::Contacts,
    force::{ElasticSprings, Part, law::Hooke},
    method::{METHODS, control::Fixed, read},
    named::OptionInfo,
};
use std::sync::Arc;

fn simulation(method: &str, rope: &str) -> Simulation {
    let scene =
        scene_of(&format!("Scene(base: (integrator: {method}, drag: 0.02, rope: ({rope})))"));
    Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup))
}

fn bits(state: &State) -> Vec<u64> {
    std::iter::once(&state.t).chain(&state.x).chain(&state.v).map(|value| value.to_bits()).collect()
}

#[test]
fn the_same_setup_gives_the_same_bits() {
    for method in METHODS {
        let run = || {
            let mut simulation = simulation(method.name, "nodes: 9");
            (0..20).for_each(|_| simulation.advance_frame());
            bits(simulation.state())
        };
        assert_eq!(run(), run(), "{}", method.name);
    }
}

#[test]
fn pinned_nodes_stay() {
    for method in METHODS {
        let mut simulation = simulation(method.name, "nodes: 9, end: (-300, 100), pins: [0, 4, 8]");
        let start = simulation.state().clone();
        (0..30).for_each(|_| simulation.advance_frame());
        for node in [0, 4, 8, 9, 13, 17] {
            assert_eq!(simulation.state().x[node], start.x[node], "{}", method.name);
            assert_eq!(simulation.state().v[node], 0.0, "{}", method.name);
        }
    }
}

#[test]
fn a_run_of_one_substep_frames_is_the_run_of_many() {
    // Frames are only moments of observation: 8 substeps of a frame of 1 equal 8 frames of 1/8.
    for method in METHODS {
        let options = method.name;
        let one = scene_of(&format!("Scene(base: (integrator: {options}, substeps: 8))"));
        let many = scene_of(&format!(
            "Scene(base: (integrator: {options}, substeps: 1, frame_time: 0.125))"
        ));
        let run = |scene: &catena::scene::Scene, frames| {
            let mut simulation = Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup));
            (0..frames).for_each(|_| simulation.advance_frame());
            bits(simulation.state())
        };
        assert_eq!(run(&one, 3), run(&many, 24), "{options}");
    }
}

#[test]
fn every_option_of_the_table_can_be_written() {
    for method in METHODS {
        for option in method.options {
            // Some defaults are descriptions, not values.
            if [OptionInfo::NEEDED, OptionInfo::LEFT_OUT].contains(&option.default) {
                continue;
            }
            let text = format!("({}: {})", option.name, option.default);
            let mut options = ron::Deserializer::from_str(&text).unwrap();
            let built = read(method.name, &mut options).expect("the table knows its own names");
            assert!(built.is_ok(), "{}{text}", method.name);
        }
    }
}

/// A mass on a spring along x, with ω² = `stiffness`, stretched by `x` and moving with `v`.
fn oscillator(method: &str, stiffness: f64, dt: f64, x: f64, v: f64) -> Simulation {
    let scene =
        scene_of("Scene(base: (gravity: (0, 0), rope: (start: (0, 0), end: (1, 0), nodes: 2)))");
    let setup = &scene.panels[0].bodies[0].setup;
    let mut model = setup.model.clone();
    model.springs[0].stiffness = stiffness;
    let mut initial = setup.initial.clone();
    initial.x[1] += x;
    initial.v[1] = v;
    Simulation::new(Arc::new(Setup {
        model,
        initial,
        forces: vec![Arc::new(ElasticSprings { law: Arc::new(Hooke {}), part: Part::Held })],
        flow: None,
        breaks_at: None,
        lengths: Default::default(),
        anchors: Vec::new(),
        impulses: Vec::new(),
        contacts: Contacts::default(),
        step_control: Arc::new(Fixed {}),
        method: read(method, &mut ron::Deserializer::from_str("()").unwrap())
            .unwrap()
            .unwrap()
            .into(),
        start_time: 0.0,
        warm_up: 0,
        frame_time: dt,
        substeps: 1,
        velocity_factor: 1.0,
        position_factor: 1.0,
        strain_limit: 1e3,
        events: Vec::new(),
        slips: Vec::new(),
        budget: Budget::UNLIMITED,
    }))
}

fn stretch(simulation: &Simulation) -> (f64, f64) {
    (simulation.state().x[1] - 1.0, simulation.state().v[1])
}

#[test]
fn a_resumed_run_is_the_unbroken_one() {
    for method in METHODS {
        // With plastic springs, so that all kinds of memory take part; also stopped during the
        // start of multistep methods.
        for stop in [1, 2, 3, 17] {
            let law = if method.order.is_some() { "Plastic(yield_strain: 0.001)" } else { "Hooke" };
            let rope = &format!("nodes: 6, law: {law}, stiffness: 30");
            let mut unbroken = simulation(method.name, rope);
            (0..stop).for_each(|_| unbroken.step());
            let checkpoint = unbroken.checkpoint();
            (0..40).for_each(|_| unbroken.step());
            let mut resumed = simulation(method.name, rope);
            resumed.restore(&checkpoint);
            (0..40).for_each(|_| resumed.step());
            assert_eq!(bits(resumed.state()), bits(unbroken.state()), "{} at {stop}", method.name);
            assert_eq!(resumed.checkpoint(), unbroken.checkpoint(), "{} at {stop}", method.name);
        }
    }
}

#[test]
fn energy_drifts_as_theory_says() {
    // Over many periods, symplectic methods keep the energy, RK4 loses little, and explicit Euler
    // diverges.
    let drift = |method: &str| {
        let mut simulation = oscillator(method, 1.0, 0.1, 0.1, 0.0);
        (0..5000).for_each(|_| simulation.step());
        let (x, v) = stretch(&simulation);
        (x * x + v * v) / 0.01 - 1.0
    };
    for method in [
        "VelocityVerlet",
        "StormerVerlet",
        "Leapfrog",
        "PositionVerlet",
        "Yoshida4",
        "ImplicitMidpoint",
    ] {
        assert!(drift(method).abs() < 0.01, "{method}: {}", drift(method));
    }
    assert!(drift("SemiImplicitEuler").abs() < 0.2);
    let rk4 = drift("Rk4");
    assert!((-0.01..0.0).contains(&rk4), "{rk4}");
    assert!(drift("Heun") > 0.1 && drift("Midpoint") > 0.1);
    assert!(drift("ExplicitEuler") > 1e10);
    assert!(drift("ImplicitEuler") < -0.999);
}

#[test]
fn springs_conserve_momentum() {
    for law in [
        "Hooke",
        "Exponential(alpha: 3)",
        "PiecewiseLinear(points: [(0.1, 0.1), (0.3, 0.9)])",
        "PiecewiseLinear(points: [(-0.5, -2), (0.1, 0.1), (0.1, 0.3), (0.3, 0.9)])",
        "StrainExponential",
        "Plastic",
    ] {
        let scene = scene_of(&format!(
            "Scene(base: (gravity: (0, 0), rope: (start: (0, 0), end: (3, 1), nodes: 9, pins: [], law: {law},
                damping: 0.1, friction: 0.05, breaks_at: 0.8)))"
        ));
        let setup = &scene.panels[0].bodies[0].setup;
        let mut simulation = Simulation::new(Arc::clone(setup));
        let mut start = simulation.checkpoint();
        // Stretched and thrown, each node differently.
        for (index, v) in start.state.v.iter_mut().enumerate() {
            *v = ((index * 7919) % 13) as f64 - 6.0;
        }
        simulation.restore(&start);
        let momentum = |v: &[f64]| [v[..9].iter().sum::<f64>(), v[9..].iter().sum::<f64>()];
        let before = momentum(&simulation.state().v);
        (0..5).for_each(|_| simulation.advance_frame());
        let after = momentum(&simulation.state().v);
        for axis in 0..2 {
            assert!(
                (after[axis] - before[axis]).abs() < 1e-10,
                "{law}: {before:?} became {after:?}"
            );
        }
        assert!(simulation.springs().broken.iter().any(|&broken| broken), "{law}: nothing broke");
    }
}

#[test]
fn a_law_is_the_derivative_of_its_energy() {
    let spring = Spring { a: 0, b: 1, stiffness: 70.0, rest_length: 0.4 };
    for text in [
        "Hooke",
        "Exponential",
        "Exponential(alpha: 0)",
        "PiecewiseLinear(points: [(0.1, 0.1), (0.3, 0.9)])",
        "PiecewiseLinear(points: [(-0.3, -0.9), (-0.3, -0.8), (-0.1, -0.1), (0.05, 0.5), (0.05, 0.2), (1, 2)])",
        "StrainExponential",
        "StrainExponential(alpha: 0)",
        "StrainExponential(alpha: 7)",
        "Plastic",
    ] {
        let (name, options) = text.split_at(text.find('(').unwrap_or(text.len()));
        let options = if options.is_empty() { "()" } else { options };
        let mut reader = ron::Deserializer::from_str(options).unwrap();
        let law = catena::sim::force::law::read(name, &mut reader).unwrap().unwrap();
        for length in [0.2, 0.39, 0.4004, 0.43, 0.5, 0.7] {
            let h = 1e-6;
            let by_energy = (law.energy(&spring, length + h, 0.02)
                - law.energy(&spring, length - h, 0.02))
                / (2.0 * h);
            let tension = law.tension(&spring, length, 0.02);
            assert!(
                (by_energy - tension).abs() < 1e-6 * (1.0 + tension.abs()),
                "{text} at {length}: {by_energy} {tension}"
            );
            let by_tension = (law.tension(&spring, length + h, 0.02)
                - law.tension(&spring, length - h, 0.02))
                / (2.0 * h);
            let slope = law.slope(&spring, length, 0.02);
            assert!(
                (by_tension - slope).abs() < 1e-5 * slope.abs(),
                "{text} at {length}: {by_tension} {slope}"
            );
        }
    }
}

#[test]
fn a_plastic_rope_stays_long() {
    let rest = |law: &str| {
        let scene = scene_of(&format!(
            "Scene(base: (drag: 0.5, rope: (nodes: 4, law: {law}, stiffness: 1, start: (0, 0), end: (0, -30))))"
        ));
        let mut simulation = Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup));
        (0..200).for_each(|_| simulation.advance_frame());
        simulation
    };
    let plastic = rest("Plastic(yield_strain: 0.1, hardening: 0.5)");
    // Plastic flow does not reverse: the lowest spring never yielded; the upper ones did and kept
    // their strain.
    let flow = &plastic.springs().plastic;
    assert!(flow[0] > flow[1] && flow[1] > 0.0, "{flow:?}");
    let length = |simulation: &Simulation| -simulation.state().x[7];
    assert!(length(&plastic) > length(&rest("Hooke")) + 1.0);
}

#[test]
fn a_free_rope_ends_up_moving_with_the_wind() {
    // Without pins, the drag gives v = w + m g/c.
    let scene = scene_of(
        "Scene(base: (gravity: (0, -1), drag: 0.25, wind: (3, 0.5), rope: (nodes: 5, pins: [])))",
    );
    let mut simulation = Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup));
    (0..200).for_each(|_| simulation.advance_frame());
    for i in 0..5 {
        let v = &simulation.state().v;
        assert!((v[i] - 3.0).abs() < 1e-9 && (v[5 + i] + 3.5).abs() < 1e-9, "{v:?}");
    }
}

#[test]
fn friction_damps_swinging_and_damping_along_the_spring_does_not() {
    // Two nodes at the ends of a spring that rotate about each other.
    let turn = |friction: &str| {
        let scene = scene_of(&format!(
            "Scene(base: (gravity: (0, 0), rope: (start: (-1, 0), end: (1, 0), nodes: 2, pins: [], {friction})))"
        ));
        let mut simulation = Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup));
        let mut start = simulation.checkpoint();
        (start.state.v[2], start.state.v[3]) = (-0.1, 0.1);
        simulation.restore(&start);
        (0..20).for_each(|_| simulation.advance_frame());
        let (x, v) = (&simulation.state().x, &simulation.state().v);
        (0..2).map(|i| x[i] * v[2 + i] - x[2 + i] * v[i]).sum::<f64>()
    };
    // Angular momentum decays as exp(-2 c t) with friction c on masses of 1.
    assert!((turn("damping: 0.05") - 0.2).abs() < 1e-9);
    let expected = 0.2 * libm::exp(-2.0 * 0.05 * 20.0);
    assert!((turn("friction: 0.05") / expected - 1.0).abs() < 0.01, "{}", turn("friction: 0.05"));
}
