//! Simulations that run side by side give the same bits as alone.

use catena::sim::{
    Budget, Checkpoint, Force, Outcome, Setup, Simulation,
    body::shape::{
        Topology,
        rope::{LastNode, Matter, Rope},
    },
    force::{
        Drag, ElasticSprings, Gravity, Part, SpringCoefficient, SpringDamping, SpringFriction,
        law::Hooke,
    },
    method::{
        ConstraintVerlet, DampingOf, ForceVerlet, LengthCorrection, METHODS, Method,
        ProjectionPlace, SideBySide, control::Fixed, with_defaults,
    },
    run::batch::Batch,
};
use catena_tests::Random;
use std::sync::Arc;

/// A rope in the plane with these pins; everything else is random.
fn rope(random: &mut Random, nodes: usize, pins: &[usize]) -> Setup {
    rope_in(random, nodes, pins, (2, 0.0))
}

/// A random fraction of an error that a correction removes.
fn correction(random: &mut Random) -> LengthCorrection {
    use LengthCorrection::{Full, HalfBesidePin, HalfShare, WholeAtBothEnds};
    [Full, HalfBesidePin, HalfShare, WholeAtBothEnds][random.below(4)]
}

/// A rope with this number of axes, and with bending springs.
fn rope_in(
    random: &mut Random,
    nodes: usize,
    pins: &[usize],
    (axes, bending): (usize, f64),
) -> Setup {
    let vector = |x: f64, y: f64| [x, y, 0.1 * x][..axes].to_vec();
    let rope = Rope {
        start: vector(0.0, 0.0),
        end: vector(random.unit(), -0.1 - random.unit()),
        nodes,
        matter: Matter::Nodes { mass: 0.1 + random.unit(), stiffness: 100.0 },
        bending,
        pins: pins.to_vec(),
        last_node: LastNode::AtEnd,
    };
    let (model, mut initial) = rope.build().unwrap();
    initial.v.iter_mut().for_each(|v| *v = random.unit());
    let gravity = Gravity { acceleration: vector(random.unit(), -10.0 * random.unit()) };
    Setup {
        model,
        initial,
        forces: vec![Arc::new(gravity)],
        flow: None,
        breaks_at: None,
        lengths: Default::default(),
        anchors: Vec::new(),
        method: Arc::new(ConstraintVerlet {
            iterations: 1,
            projection: ProjectionPlace::First,
            damping: 0.01 * random.unit(),
            damping_of: [DampingOf::Displacement, DampingOf::Step][random.below(2)],
            correction: correction(random),
            tethers: false,
        }),
        step_control: Arc::new(Fixed {}),
        impulses: Vec::new(),
        contacts: Default::default(),
        start_time: 0.0,
        warm_up: 0,
        frame_time: 0.01 + 0.02 * random.unit(),
        substeps: 16,
        velocity_factor: 1.0,
        position_factor: 1.0,
        events: Vec::new(),
        slips: Vec::new(),
        budget: Budget::UNLIMITED,
        strain_limit: 1e6,
    }
}

/// Ropes of several shapes; some cannot run in a lane, some diverge.
fn setups(random: &mut Random) -> Vec<Arc<Setup>> {
    let pins: [&[usize]; 4] = [&[0], &[15], &[0, 15], &[3, 4, 9]];
    let setups = (0..90).map(|number| {
        let nodes = if number % 7 == 0 { 40 } else { 16 };
        let pins = pins[random.below(4)];
        let mut setup = rope(random, nodes, pins);
        match random.below(12) {
            0 => {
                let drag = Drag { coefficient: 0.1, wind: vec![1.0, 0.0] };
                setup.forces.push(Arc::new(drag) as Arc<dyn Force>);
            }
            1 => setup.velocity_factor = 0.99,
            // Constraint Verlet ignores the forces of its springs, at any position in the list of
            // forces.
            2 => {
                let springs = ElasticSprings { law: Arc::new(Hooke {}), part: Part::Held };
                setup.forces.insert(0, Arc::new(springs));
            }
            6 => {
                let more = Gravity { acceleration: vec![0.0, -1.0] };
                setup.forces.push(Arc::new(more) as Arc<dyn Force>);
            }
            7 => setup.substeps = 3,
            3 => setup.strain_limit = 0.1,
            4 => setup.initial.v[7] = 1e200,
            5 => setup.initial.x[7] = 1e300,
            _ => {}
        }
        Arc::new(setup)
    });
    setups.collect()
}

fn bits(values: &[f64]) -> Vec<u64> {
    let canonical = |x: &f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
    values.iter().map(canonical).collect()
}

fn assert_same(one: &Checkpoint, other: &Checkpoint, what: &str) {
    assert_eq!(one.steps, other.steps, "{what}");
    assert_eq!(one.outcome, other.outcome, "{what}");
    assert_eq!(one.state.t.to_bits(), other.state.t.to_bits(), "{what}");
    assert_eq!(bits(&one.state.x), bits(&other.state.x), "{what}");
    assert_eq!(bits(&one.state.v), bits(&other.state.v), "{what}");
    assert_eq!(bits(&one.method), bits(&other.method), "{what}");
}

fn keep_ledgers(simulations: &mut [Simulation]) {
    simulations.iter_mut().for_each(Simulation::keep_ledger);
}

/// Ledgers are equal to the last bit: numbers are printed such that they read back unchanged.
fn assert_same_ledgers(one: &Simulation, other: &Simulation, what: &str) {
    assert_eq!(format!("{:?}", one.ledger()), format!("{:?}", other.ledger()), "{what}");
}

#[test]
fn simulations_side_by_side_end_as_alone() {
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    for round in 0..5 {
        let setups = setups(&mut random);
        let start = || -> Vec<Simulation> { setups.iter().cloned().map(Simulation::new).collect() };
        let (mut together, mut alone, mut plain) = (start(), start(), start());
        if round % 2 == 1 {
            for all in [&mut together, &mut alone, &mut plain] {
                keep_ledgers(all);
            }
        }
        let mut batch = Batch::default();
        for frame in 1..=4 {
            let count = batch.advance_frames(&mut together);
            assert!(count >= 16, "only {count} went side by side");
            alone.iter_mut().for_each(Simulation::advance_frame);
            for (number, simulation) in together.iter().enumerate() {
                let what = format!("round {round}, frame {frame}, simulation {number}");
                let here = simulation.checkpoint();
                assert_same(&here, &alone[number].checkpoint(), &what);
                assert_same_ledgers(simulation, &alone[number], &what);
                assert_eq!(simulation.report(), alone[number].report(), "{what}");
                // Step by step, without any kernel.
                (0..setups[number].substeps).for_each(|_| plain[number].step());
                let outcome = here.outcome;
                assert_same(&here, &Checkpoint { outcome, ..plain[number].checkpoint() }, &what);
            }
        }
        let diverged = together.iter().filter(|s| s.outcome() != Outcome::Fine).count();
        assert!(diverged > 5, "only {diverged} diverged");
    }
}

fn is_solved(method: &Arc<dyn Method>) -> bool {
    method.side_by_side() == SideBySide::Solved
}

fn is_interleaved(method: &Arc<dyn Method>) -> bool {
    matches!(method.side_by_side(), SideBySide::Interleaved)
}

/// Both dampings of force Verlet.
fn damped() -> impl Iterator<Item = Arc<dyn Method>> {
    let damped = |damping_of| Arc::new(ForceVerlet { damping: 0.1, damping_of }) as Arc<dyn Method>;
    [DampingOf::Displacement, DampingOf::Step].into_iter().map(damped)
}

/// Variants under a method: one that moves all nodes equally, a single body, or one that solves
/// once per step. They have different springs, masses, gravity and drag, and friction if the method
/// supports it. Some diverge, some have a history of another length, and some keep ledgers.
#[test]
fn variants_of_one_shape_end_as_alone() {
    let mut random = Random::new(0x2545_f491_4f6c_dd1d);
    let alike = METHODS.iter().map(|info| with_defaults(info.name).unwrap());
    let goes_along = |method: &Arc<dyn Method>| is_solved(method) || is_interleaved(method);
    let alike: Vec<_> = alike.chain(damped()).filter(goes_along).collect();
    assert!(alike.len() > 15);
    for (index, method) in alike.into_iter().enumerate() {
        // Under every other method no variant has wind.
        let (name, windy) = (method.info().name, f64::from(index as u32 % 2));
        let [has_drag, has_friction, is_planar] = [(); 3].map(|()| random.below(2) == 0);
        let axes = if is_planar { 2 } else { 3 };
        let bending = if is_solved(&method) { 0.0 } else { 3.0 };
        let setups: Vec<_> = (0..40)
            .map(|number| {
                let mut setup = rope_in(&mut random, 11, &[0, 4], (axes, bending));
                (setup.method, setup.frame_time) = (Arc::clone(&method), 0.01);
                let springs = |part| ElasticSprings { law: Arc::new(Hooke {}), part };
                setup.forces.insert(0, Arc::new(springs(Part::Held)));
                if bending > 0.0 {
                    setup.forces.push(Arc::new(springs(Part::Bending)));
                }
                let coefficient = SpringCoefficient::new(random.unit(), &setup.model);
                if !is_solved(&method) && has_friction {
                    setup.forces.insert(1, Arc::new(SpringFriction { coefficient }));
                } else if !is_solved(&method) {
                    setup.forces.insert(1, Arc::new(SpringDamping { coefficient }));
                }
                if has_drag {
                    let wind = windy * random.unit() * f64::from(number % 2);
                    let wind = [wind, 0.0, 0.5 * wind][..axes].to_vec();
                    setup.forces.push(Arc::new(Drag { coefficient: random.unit(), wind }));
                }
                if number % 13 == 5 {
                    setup.initial.v[7] = 1e200;
                }
                Arc::new(setup)
            })
            .collect();
        let start = || -> Vec<Simulation> { setups.iter().cloned().map(Simulation::new).collect() };
        let (mut together, mut alone) = (start(), start());
        for all in [&mut together, &mut alone] {
            keep_ledgers(&mut all[..28]);
        }
        // One run is ahead of the others.
        together[3].advance_frame();
        alone[3].advance_frame();
        let mut batch = Batch::default();
        for frame in 1..=3 {
            let count = batch.advance_frames(&mut together);
            assert!(frame > 1 || count >= 8, "{name}: only {count} went side by side");
            alone.iter_mut().for_each(Simulation::advance_frame);
            for (number, simulation) in together.iter().enumerate() {
                let what = format!("{name}, frame {frame}, variant {number}");
                assert_same(&simulation.checkpoint(), &alone[number].checkpoint(), &what);
                assert_same_ledgers(simulation, &alone[number], &what);
                assert_eq!(simulation.report(), alone[number].report(), "{what}");
            }
        }
    }
}

/// The lanes keep values of the previous frame: a batch must detect that a run was reset, got a
/// ledger, or was replaced.
#[test]
fn what_changes_between_frames_is_seen() {
    let mut random = Random::new(11);
    let setups: Vec<_> = (0..9).map(|_| Arc::new(rope(&mut random, 16, &[0]))).collect();
    let start = || -> Vec<Simulation> {
        setups[..8].iter().map(|setup| Simulation::new(Arc::clone(setup))).collect()
    };
    let (mut together, mut alone, mut batch) = (start(), start(), Batch::default());
    let first = alone[1].checkpoint();
    let change = |frame: usize, simulations: &mut Vec<Simulation>| match frame {
        0 => drop(simulations.pop()),
        1 => simulations[1].restore(&first),
        2 => simulations[2].keep_ledger(),
        3 => simulations[3] = Simulation::new(Arc::clone(&setups[8])),
        4 => simulations.swap(4, 5),
        _ => {}
    };
    for (frame, in_lanes) in [8, 7, 7, 6, 6, 6].into_iter().enumerate() {
        assert_eq!(batch.advance_frames(&mut together), in_lanes, "frame {frame}");
        alone.iter_mut().for_each(Simulation::advance_frame);
        for (number, (one, other)) in together.iter().zip(&alone).enumerate() {
            let what = format!("frame {frame}, simulation {number}");
            assert_same(&one.checkpoint(), &other.checkpoint(), &what);
        }
        change(frame, &mut together);
        change(frame, &mut alone);
    }
}

/// Long ropes take less time alone, where the kernel of a single rope or vectors of nodes are
/// faster. With ledgers, groups are faster at every length.
#[test]
fn ropes_form_groups_only_where_groups_are_faster() {
    let springs = || ElasticSprings { law: Arc::new(Hooke {}), part: Part::Held };
    let drag = || Drag { coefficient: 0.1, wind: vec![0.0, 0.0] };
    for (method, has_drag, longest, limit) in [
        ("SemiImplicitEuler", true, 16, 256),
        ("SemiImplicitEuler", false, 32, 256),
        ("Rk4", true, 96, 256),
        ("ConstraintVerlet", true, 256, 256),
        ("ConstraintVerlet", false, 32, 256),
        ("ImplicitEuler", true, 256, 256),
    ] {
        for nodes in [16, longest, longest + 1, limit, limit + 1] {
            let mut setup = rope(&mut Random::new(5), nodes, &[0]);
            setup.method = with_defaults(method).unwrap();
            if method != "ConstraintVerlet" {
                setup.forces.push(Arc::new(springs()));
            }
            if has_drag {
                setup.forces.push(Arc::new(drag()));
            }
            let setup = Arc::new(setup);
            for keeps_ledger in [false, true] {
                let mut all: Vec<_> = (0..8).map(|_| Simulation::new(Arc::clone(&setup))).collect();
                if keeps_ledger {
                    keep_ledgers(&mut all);
                }
                let is_grouped = nodes <= if keeps_ledger { limit } else { longest };
                let count = Batch::default().advance_frames(&mut all);
                let expected = if is_grouped { 8 } else { 0 };
                assert_eq!(count, expected, "{method}, {nodes} nodes, ledger {keeps_ledger}");
            }
        }
    }
}

#[test]
fn borrowed_simulations_and_none_at_all_will_do() {
    let mut random = Random::new(3);
    let setup = Arc::new(rope(&mut random, 16, &[0]));
    let mut simulations: Vec<Simulation> =
        (0..5).map(|_| Simulation::new(Arc::clone(&setup))).collect();
    let mut borrowed: Vec<&mut Simulation> = simulations.iter_mut().collect();
    assert_eq!(Batch::default().advance_frames(&mut borrowed), 5);
    assert_eq!(Batch::default().advance_frames::<Simulation>(&mut []), 0);
    let mut alone = Simulation::new(setup);
    alone.advance_frame();
    for simulation in &simulations {
        assert_same(&simulation.checkpoint(), &alone.checkpoint(), "five of a kind");
    }
}

/// A budget ends a run in a batch at the same frame as a run alone.
#[test]
fn budgets_end_runs_side_by_side_as_alone() {
    let mut random = Random::new(29);
    for name in ["ConstraintVerlet", "Rk4", "ImplicitEuler"] {
        let mut setup = rope(&mut random, 16, &[0]);
        setup.method = with_defaults(name).unwrap();
        let springs = ElasticSprings { law: Arc::new(Hooke {}), part: Part::Held };
        setup.forces.push(Arc::new(springs));
        let mut one = Simulation::new(setup.clone());
        one.advance_frame();
        setup.budget.work = one.spent() * 5 / 2;
        let setup = Arc::new(setup);
        let mut alone = Simulation::new(Arc::clone(&setup));
        let mut together: Vec<_> = (0..8).map(|_| Simulation::new(Arc::clone(&setup))).collect();
        let mut batch = Batch::default();
        for frame in 1..=4 {
            alone.advance_frame();
            let count = batch.advance_frames(&mut together);
            assert_eq!(count, if frame < 4 { 8 } else { 0 }, "{name}, frame {frame}");
            assert_eq!(alone.refusal().is_some(), frame >= 3, "{name}, frame {frame}");
            for simulation in &together {
                assert_eq!(simulation.refusal(), alone.refusal(), "{name}, frame {frame}");
                assert_same(&simulation.checkpoint(), &alone.checkpoint(), name);
            }
        }
    }
}
