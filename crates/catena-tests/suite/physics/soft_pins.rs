//! Soft pins: a driven oscillator with known amplitude and phase, and the work of the moving
//! target.

use catena_sim::drive::curve::{Linear, constant};
use catena_sim::drive::track::{Extent, Track, TrackCurve};
use catena_sim::force::SoftPin;
use catena_sim::linear::spectrum::largest_frequency;
use catena_sim::method::control::StabilityLimit;
use catena_sim::method::{METHODS, SemiImplicitEuler, with_defaults};
use catena_sim::{
    Arrangement, Curve, Model, Outcome, Rope, Setup, SetupBuilder, Simulation, State, System,
};
use std::f64::consts::TAU;
use std::sync::Arc;

/// A target that oscillates along x: 0.3 cos ωt.
#[derive(Debug)]
struct Swinging(f64);
catena_sim::identity!(Swinging(width));

impl Track<3> for Swinging {
    fn at(&self, t: f64) -> ([f64; 3], [f64; 3]) {
        let (sine, cosine) = libm::sincos(self.0 * t);
        ([0.3 * cosine, 0.0, 0.0], [-0.3 * self.0 * sine, 0.0, 0.0])
    }

    fn extent(&self) -> Extent {
        Extent::Endless(0.0, TAU / self.0)
    }

    fn vanishes(&self, component: usize) -> bool {
        component > 0
    }
}

const MASS: f64 = 0.5;
const STIFFNESS: f64 = 20.0;
const DAMPING: f64 = 1.5;

/// A free node at rest at the origin.
fn node() -> SetupBuilder {
    let model = Model {
        axes: 2,
        mass: vec![MASS],
        pinned: vec![false],
        springs: Vec::new(),
        structural: 0,
        held: 0,
        arrangement: Arrangement::Chain,
        parts: Vec::new(),
    };
    Setup::of_body(model, State::at_rest(vec![0.0; 2]))
}

fn pin(target: Arc<dyn Curve>) -> SoftPin {
    SoftPin { node: 0, target, stiffness: STIFFNESS, damping: DAMPING }
}

/// The gain of m x'' = k (y - x) + c (y' - x') at a frequency: its real and imaginary part.
fn gain(omega: f64) -> [f64; 2] {
    let numerator = [STIFFNESS, omega * DAMPING];
    let denominator = [STIFFNESS - MASS * omega * omega, omega * DAMPING];
    let square = denominator[0] * denominator[0] + denominator[1] * denominator[1];
    [
        (numerator[0] * denominator[0] + numerator[1] * denominator[1]) / square,
        (numerator[1] * denominator[0] - numerator[0] * denominator[1]) / square,
    ]
}

#[test]
fn a_driven_node_swings_with_the_amplitude_and_the_phase_of_the_oscillator() {
    for (omega, method) in
        [1.0, 6.0, 15.0].into_iter().flat_map(|omega| METHODS.iter().map(move |it| (omega, it)))
    {
        // 400 steps per period, until the initial state has decayed: e^(-c t/2m).
        let (steps, name) = (400, method.name);
        let periods = (30.0 * MASS / DAMPING * omega / TAU).ceil() as u64 + 10;
        let target: Arc<dyn Curve> = Arc::new(TrackCurve(Arc::new(Swinging(omega))));
        let setup = node()
            .force(pin(target))
            .method_of(with_defaults(name).unwrap())
            .frames(TAU / omega, steps)
            .check()
            .unwrap();
        let mut run = Simulation::new(setup);
        (0..periods).for_each(|_| run.advance_frame());
        assert_eq!(run.outcome(), Outcome::Fine, "{name}");
        let mut found = [0.0; 2];
        for _ in 0..steps {
            run.step();
            let (sine, cosine) = libm::sincos(omega * run.state().t);
            let x = run.state().x[0] / (0.3 * steps as f64);
            found = [found[0] + 2.0 * x * cosine, found[1] - 2.0 * x * sine];
        }
        let expected = gain(omega);
        let off = [found[0] - expected[0], found[1] - expected[1]];
        let off = off[0].abs().max(off[1].abs());
        // Methods that compute friction at an old velocity have first order with friction.
        let tolerance = match (name, method.order) {
            ("Yoshida4", _) => 0.1,
            ("VelocityVerlet" | "StormerVerlet", _) => 2e-2,
            (_, Some(order)) if order >= 3 => 2e-5,
            (_, Some(2)) => 1e-3,
            _ => 7e-2,
        };
        assert!(off < tolerance, "{name} at {omega}: {found:?}, not {expected:?}");
    }
}

#[test]
fn whoever_moves_the_target_does_the_work_that_drag_takes() {
    // Pulled at a constant speed: k d = c_d U, and the power is c_d U².
    let (speed, drag) = (0.8, 0.3);
    let keys = vec![(0.0, [0.0, 0.0].into()), (100.0, [100.0 * speed, 0.0].into())];
    let target: Arc<dyn Curve> = Arc::new(Linear { keys });
    let setup = node().force(pin(target)).drag(drag).frames(1.0, 1000).check().unwrap();
    let mut run = Simulation::new(setup);
    run.keep_ledger();
    (0..30).for_each(|_| run.advance_frame());
    let frame = run.ledger().unwrap().frame;
    let power = drag * speed * speed;
    assert!((frame.gains.anchors / power - 1.0).abs() < 1e-9, "{frame:?}");
    assert!((frame.gains.damping / power + 1.0).abs() < 1e-9, "{frame:?}");
    let stretch = drag * speed / STIFFNESS;
    let stored = 0.5 * STIFFNESS * stretch * stretch;
    assert!((frame.end.elastic / stored - 1.0).abs() < 1e-9, "{frame:?}");
    let x = run.state().x[0];
    assert!((x - (speed * run.state().t - stretch)).abs() < 1e-9, "{x}");
    let whole = run.ledger().unwrap().run;
    assert!(whole.residual().abs() < 1e-12 * whole.turned_over);
    // The method adds almost nothing.
    assert!(whole.gains.method.abs() < 2e-3 * whole.gains.anchors, "{whole:?}");
}

#[test]
fn a_soft_pin_counts_in_the_spectrum_and_in_steps() {
    let setup = node().force(pin(constant(&[0.0, 0.0]))).frames(1.0, 1).check().unwrap();
    let run = Simulation::new(Arc::clone(&setup));
    let anchors = catena_sim::drive::Anchors::new(&setup.model, &setup.initial, &[]);
    let system = System::new(&setup.model, run.springs(), &setup.forces, &anchors);
    let found = largest_frequency(&system, &setup.initial);
    assert!((found.omega - (STIFFNESS / MASS).sqrt()).abs() < 1e-9, "{found:?}");
    assert!((found.damping - DAMPING / MASS).abs() < 1e-9, "{found:?}");
    // The control takes as many substeps as the frequency requires.
    let setup = node()
        .force(pin(constant(&[0.1, 0.0])))
        .method(SemiImplicitEuler {})
        .step_control(StabilityLimit { safety: 0.45 })
        .frames(1.0, 1)
        .check()
        .unwrap();
    let mut run = Simulation::new(setup);
    run.advance_frame();
    let (omega, damping) = ((STIFFNESS / MASS).sqrt(), DAMPING / MASS);
    let longest = 4.0 / (damping + (damping * damping + 4.0 * omega * omega).sqrt());
    assert_eq!(run.report().count, (1.0 / (0.45 * longest)).ceil() as u64);
}

#[test]
fn a_rope_that_is_drawn_from_far_away_has_not_diverged() {
    let rope = Rope::new([0.0, 0.0], [1.0, 0.0], 11).of(0.01, 50.0).pin(0);
    let target = constant(&[20.0, 3.0]);
    let soft = SoftPin { node: 10, target, stiffness: 20.0, damping: 0.2 };
    let setup = Setup::new(&rope).gravity([0.0, -9.81]).drag(0.05).spring_damping(0.2);
    let mut run = Simulation::new(setup.force(soft).frames(0.01, 100).check().unwrap());
    (0..600).for_each(|_| run.advance_frame());
    assert_eq!(run.outcome(), Outcome::Fine);
    // At rest, the ten springs in series and the spring of the pin share the distance.
    let [x, ..] = run.position(10).unwrap();
    assert!(x > 12.0 && x < 20.0, "{x}");
}

#[test]
fn soft_pins_that_cannot_be_are_refused() {
    let target = || constant(&[0.0, 0.0]);
    for (pin, message) in [
        (SoftPin { node: 1, ..pin(target()) }, "forces[2].node: expected a node of the body"),
        (
            SoftPin { stiffness: 0.0, ..pin(target()) },
            "forces[2].stiffness: expected a finite number above 0",
        ),
        (
            SoftPin { damping: -1.0, ..pin(target()) },
            "forces[2].damping: expected a finite number of at least 0",
        ),
        (
            pin(constant(&[0.0, 0.0, 1.0])),
            "forces[2].keys[0]: expected two components (x, y), since the scene is planar",
        ),
    ] {
        assert_eq!(node().force(pin).check().map(|_| ()).unwrap_err().to_string(), message);
    }
}
