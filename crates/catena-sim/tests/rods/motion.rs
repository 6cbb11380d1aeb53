//! Rods in motion: every method supports them, momentum and energy are accounted for, and turns are
//! kept.

use crate::bodies::{clamp, disturbed, line, ring, rod};
use catena_sim::drive::track::{Animated, KeyTrack};
use catena_sim::force::rod::{Clamp, Rod, Rods, Section};
use catena_sim::method::{
    self, ImplicitEuler, ImplicitMidpoint, METHOD_NAMES, Rk4, SemiImplicitEuler,
};
use catena_sim::run::SetupBuilder;
use catena_sim::run::batch::Batch;
use catena_sim::{Model, Outcome, Setup, Simulation, State};
use std::sync::Arc;

fn builder(
    made: (Model, State),
    pins: &[usize],
    rod: impl Fn(Rod) -> Rod,
    own: Section,
) -> SetupBuilder {
    let (mut model, state) = made;
    pins.iter().for_each(|&pin| model.pinned[pin] = true);
    let rod = rod(Rod { section: own, ..crate::bodies::rod(&model, 1.0, 1.0) });
    let rods = Rods::new(&model, &state, vec![rod]).unwrap();
    Setup::of_body(model, state).force(rods)
}

/// A clamp that rotates by this number of turns in one unit of time.
fn turned(node: usize, turns: f64) -> Clamp {
    let track = KeyTrack::linear(&[(0.0, [0.0]), (1.0, [turns])]).unwrap();
    Clamp { turn: Animated::moving(track), ..clamp(node, 0.0) }
}

fn run(setup: Arc<Setup>, frames: u64) -> Simulation {
    let mut simulation = Simulation::new(setup);
    (0..frames).for_each(|_| simulation.advance_frame());
    simulation
}

/// A sagging clamped rod of 8 segments in space.
fn cantilever() -> SetupBuilder {
    builder(
        line(3, 1.0, 8, 0.5, 400.0),
        &[0],
        |rod| rod.clamp(clamp(0, 0.0)),
        Section::round(0.5, 0.2),
    )
    .gravity([0.0, -9.81, 0.0])
    .drag(0.05)
}

#[test]
fn every_method_runs_a_rod() {
    let fine = run(cantilever().method(Rk4 {}).frames(0.05, 400).check().unwrap(), 10);
    let exact = fine.position(8).unwrap();
    for name in METHOD_NAMES {
        let method = method::with_defaults(name).unwrap();
        let info = method.info();
        let setup = cantilever().method_of(method).frames(0.05, 200).check().unwrap();
        let simulation = run(setup, 10);
        assert_eq!(simulation.outcome(), Outcome::Fine, "{name}");
        let tip = simulation.position(8).unwrap();
        let off = (0..3).map(|axis| (tip[axis] - exact[axis]).abs()).fold(0.0, f64::max);
        // Methods with rigid lengths have no springs and no damping of their own.
        let is_exact = info.damped_order.is_some_and(|order| order > 1);
        let maximum = if is_exact { 2e-4 } else { 0.05 };
        assert!(off < maximum, "{name}: {tip:?} beside {exact:?}");
        assert!(tip[1] < -0.05, "{name}: {tip:?}");
    }
}

#[test]
fn a_free_rod_keeps_momentum_and_angular_momentum() {
    for own in [Section::round(0.5, 0.2), Section { bending: [0.5, 0.2], torsion: 0.3 }] {
        let (model, state) = line(3, 1.0, 8, 0.5, 400.0);
        let state = disturbed(&state, 0.05, 9);
        let n = model.nodes();
        let sums = |state: &State| {
            let (mut p, mut l) = ([0.0; 3], [0.0; 3]);
            for i in 0..n {
                let (x, v, m) = (state.position(n, i), state.velocity(n, i), model.mass[i]);
                for axis in 0..3 {
                    let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
                    p[axis] += m * v[axis];
                    l[axis] += m * (x[a] * v[b] - x[b] * v[a]);
                }
            }
            (p, l)
        };
        let rod = rod(&model, 1.0, 1.0);
        let rods = Rods::new(&model, &state, vec![Rod { section: own, ..rod }]).unwrap();
        let setup = Setup::of_body(model.clone(), state)
            .force(rods)
            .method(SemiImplicitEuler {})
            .frames(0.05, 400)
            .check()
            .unwrap();
        let simulation = run(setup, 8);
        let (p, l) = sums(simulation.state());
        assert!(p.iter().chain(&l).all(|sum| sum.abs() < 1e-12), "{p:?} {l:?}");
        let moved = simulation.position(3).unwrap();
        assert!(moved != simulation.setup().initial.position(n, 3));
    }
}

#[test]
fn the_ledger_closes_while_a_clamp_turns() {
    for own in [Section::round(0.5, 0.2), Section { bending: [0.5, 0.3], torsion: 0.2 }] {
        let losses = [100, 200].map(|substeps| {
            let setup = builder(
                line(3, 1.0, 8, 0.5, 400.0),
                &[0, 8],
                |rod| rod.clamp(clamp(0, 0.0)).clamp(turned(8, 1.5)),
                own,
            )
            .gravity([0.0, -9.81, 0.0])
            .method(ImplicitMidpoint::default())
            .frames(0.05, substeps)
            .check()
            .unwrap();
            let mut simulation = Simulation::new(setup);
            simulation.keep_ledger();
            (0..20).for_each(|_| simulation.advance_frame());
            let ledger = simulation.ledger().unwrap().run;
            assert!(ledger.residual().abs() < 1e-12 * ledger.turned_over, "{ledger:?}");
            assert!(ledger.end.twist > 0.1 && ledger.end.bending > 1e-4, "{ledger:?}");
            assert!(ledger.gains.anchors > 0.1, "{ledger:?}");
            ledger.gains.method.abs()
        });
        // The remainder is the error of the method and of the quadrature, of order 2.
        assert!(losses[0] < 2e-3 && losses[1] < 0.4 * losses[0], "{losses:?}");
    }
}

#[test]
fn commanded_turns_are_kept_and_restored() {
    let setup = |own: Section| {
        builder(
            line(3, 1.0, 8, 0.5, 4000.0),
            &[0, 8],
            |rod| rod.clamp(clamp(0, 0.0)).clamp(turned(8, 9.0)),
            own,
        )
        .gravity([0.0, -1.0, 0.0])
        .drag(0.2)
        .frames(0.05, 100)
        .check()
        .unwrap()
    };
    for own in [Section::round(2.0, 0.01), Section { bending: [2.0, 1.5], torsion: 0.01 }] {
        let whole = run(setup(own), 30);
        let turns = |simulation: &Simulation| {
            let body = catena_sim::Body {
                model: &simulation.setup().model,
                springs: simulation.springs(),
            };
            simulation.setup().rods().unwrap().readings(&body, simulation.state())[0].turns
        };
        assert!((turns(&whole) - 9.0).abs() < 0.05, "{}", turns(&whole));
        let half = run(setup(own), 14);
        let mut other = Simulation::new(setup(own));
        other.restore(&half.checkpoint());
        (0..16).for_each(|_| other.advance_frame());
        assert_eq!(other.state(), whole.state());
        assert_eq!(other.springs(), whole.springs());
    }
}

#[test]
fn batches_give_the_bits_of_single_runs() {
    let methods: [fn() -> SetupBuilder; 4] = [
        || cantilever().method(SemiImplicitEuler {}),
        || cantilever().method(ImplicitEuler::default()),
        || cantilever().method_of(method::with_defaults("ConstraintVerlet").unwrap()),
        || cantilever().method(ImplicitMidpoint::default()),
    ];
    let setups: Vec<_> = methods
        .iter()
        .flat_map(|make| [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7].map(|g| (make, g)))
        .map(|(make, g)| make().gravity([0.0, -g, 0.0]).frames(0.05, 100).check().unwrap())
        .collect();
    let mut together: Vec<_> = setups.iter().map(|s| Simulation::new(Arc::clone(s))).collect();
    let mut batch = Batch::default();
    (0..3).for_each(|_| {
        batch.advance_frames(&mut together);
    });
    for (setup, simulation) in setups.into_iter().zip(&together) {
        assert_eq!(run(setup, 3).state(), simulation.state());
    }
}

#[test]
fn a_ring_keeps_its_turns_while_it_writhes() {
    let own = Section::round(1.0, 1.0);
    let (model, state) = ring(1.0, 24, 1.0, 400.0);
    let state = disturbed(&state, 0.01, 3);
    let rod = Rod { turns: 3.0, section: own, ..rod(&model, 1.0, 1.0) };
    let rods = Rods::new(&model, &state, vec![rod]).unwrap();
    let setup = Setup::of_body(model, state)
        .force(rods)
        .drag(0.05)
        .method(ImplicitEuler::default())
        .frames(0.1, 40)
        .check()
        .unwrap();
    let mut simulation = Simulation::new(setup);
    let mut maximum = 0.0_f64;
    for _ in 0..30 {
        simulation.advance_frame();
        let heights = (0..24).map(|i| simulation.position(i).unwrap()[2].abs());
        maximum = heights.fold(maximum, f64::max);
    }
    assert_eq!(simulation.outcome(), Outcome::Fine);
    let body = catena_sim::Body { model: &simulation.setup().model, springs: simulation.springs() };
    let reading = &simulation.setup().rods().unwrap().readings(&body, simulation.state())[0];
    // Twist has become writhe.
    assert!(reading.turns < 2.8, "{}", reading.turns);
    assert!(maximum > 0.2, "{maximum}");
}
