//! Gravity, drag and wind that change with time.

use catena::sim::{
    Curve, Method, Rope, Setup, Simulation,
    body::measure,
    drive::{
        curve::{self, Gusts, Linear},
        track::{Animated, Extent, Interpolation, Key, KeyTrack, Track},
    },
    method::{self, METHODS, Rk4},
};
use std::sync::Arc;

/// Smooth noise in the plane.
fn gusts(mean: [f64; 2], strength: f64, seed: u64) -> Gusts {
    Gusts { mean: mean.into(), strength, period: 4.0, seed }
}

/// A rope of four nodes with a gravity curve, and with curves of drag and wind if requested.
fn rope(method: Arc<dyn Method>, substeps: u64, is_dragged: bool) -> Arc<Setup> {
    let rope = Rope::new([0.0, 0.0], [0.6, -0.8], 4).of(1.0, 40.0).pin(0);
    let builder = Setup::new(&rope)
        .gravity_along(Arc::new(gusts([0.3, -1.0], 0.5, 3)))
        .method_of(method)
        .frames(1.0, substeps);
    let builder = if is_dragged {
        // One linear piece, so that there are no corners.
        let drag = KeyTrack::linear(&[(-1.0, [0.2]), (9.0, [0.7])]).unwrap();
        builder.drag_over(Animated::moving(drag)).wind_along(Arc::new(gusts([1.0, 0.0], 0.5, 4)))
    } else {
        builder
    };
    builder.check().unwrap()
}

fn end(setup: Arc<Setup>) -> Vec<f64> {
    let mut run = Simulation::new(setup);
    run.advance_frame();
    run.state().x.clone()
}

#[test]
fn methods_keep_their_order_under_forces_that_change_with_time() {
    for is_dragged in [false, true] {
        let exact = end(rope(Arc::new(Rk4 {}), 3000, is_dragged));
        for info in METHODS {
            let order = if is_dragged { info.damped_order } else { info.order };
            let method = method::with_defaults(info.name).unwrap();
            // Methods that choose their steps also choose their error.
            let Some(order) = order.filter(|_| !method.chooses_steps()) else { continue };
            let error = |substeps| {
                let found = end(rope(Arc::clone(&method), substeps, is_dragged));
                let off = found.iter().zip(&exact).map(|(a, b)| (a - b).abs());
                off.fold(0.0, f64::max)
            };
            let (coarse, fine) = (error(120), error(240));
            let fitted = libm::log2(coarse / fine);
            let is_fine = (-0.2..0.6).contains(&(fitted - f64::from(order)));
            assert!(is_fine, "{} {is_dragged}: {fitted} for {order}: {coarse:e}", info.name);
        }
    }
}

#[test]
fn gusts_depend_on_seed_and_time_alone() {
    let wind = Gusts { mean: [3.0, 0.5].into(), strength: 1.5, period: 2.0, seed: 7 };
    // Computed by another program from the description.
    let (value, _) = wind.at(1.25);
    let expected = [4.750079476568064, -0.25740798342114185];
    for (value, expected) in value.iter().zip(expected) {
        assert!((value - expected).abs() < 1e-12, "{value:?} is not {expected:?}");
    }
    // The velocity is the derivative, and the wind stays within the bounding box.
    let places = wind.places();
    let bound = |axis: usize| {
        let all = places.iter().map(|place| place.1[axis]);
        [all.clone().fold(f64::INFINITY, f64::min), all.fold(f64::NEG_INFINITY, f64::max)]
    };
    let (mut sum, mut square) = ([0.0; 2], [0.0; 2]);
    const COUNT: u32 = 20_000;
    for step in 0..COUNT {
        let t = 0.173 * f64::from(step);
        let (value, rate) = wind.at(t);
        for axis in 0..2 {
            let [low, high] = bound(axis);
            assert!(low <= value[axis] && value[axis] <= high);
            let slope = (wind.at(t + 1e-5).0[axis] - wind.at(t - 1e-5).0[axis]) / 2e-5;
            assert!((slope - rate[axis]).abs() < 1e-4, "{slope} {}", rate[axis]);
            sum[axis] += value[axis] / f64::from(COUNT);
            let off = value[axis] - wind.mean.xyz()[axis];
            square[axis] += off * off / f64::from(COUNT);
        }
        assert_eq!(value[2], 0.0);
    }
    for axis in 0..2 {
        assert!((sum[axis] - wind.mean.xyz()[axis]).abs() < 0.02, "{sum:?}");
        assert!((square[axis].sqrt() - wind.strength).abs() < 0.03, "{square:?}");
    }
    let other = Gusts { seed: 8, ..wind.clone() };
    assert!((other.at(1.25).0[0] - value[0]).abs() > 1e-3);
    assert!(curve::greatest(&wind) >= 3.0);
}

/// A body with a drag that overshoots its keys, or becomes negative between them.
#[test]
fn drag_counts_with_what_it_is_between_its_keys() {
    let key = |t: f64, value: f64, leave: f64| Key::new(t, [value]).rates([0.0], [leave]);
    let built = |leave: f64| {
        let keys = vec![key(1.0, 0.5, leave), key(3.0, 0.5, 0.0)];
        let drag = Animated::moving(KeyTrack::new(keys).unwrap());
        let rope = Rope::new([0.0, 0.0], [1.0, 0.0], 3).of(1.0, 10.0);
        Setup::new(&rope).drag_over(drag).frames(0.1, 10).check()
    };
    // v = 0.5 plus h leave s(1-s)², which is at most 4/27 of h leave.
    let setup = built(3.0).unwrap();
    let found = setup.forces.iter().map(|force| force.resistance()).fold(0.0, f64::max);
    assert!((found - (0.5 + 2.0 * 3.0 * 4.0 / 27.0)).abs() < 1e-12, "{found}");
    assert!(built(-1.68).is_ok());
    let error = built(-1.69).unwrap_err().to_string();
    let expected = "drag.coefficient: expected a track that is finite and at least 0 at all times";
    assert_eq!(error, expected);
    // Nothing is known about a custom track except its values, so it cannot be used.
    #[derive(Debug)]
    struct Opaque;
    catena_sim::identity!(Opaque {});
    impl Track<1> for Opaque {
        fn at(&self, _t: f64) -> ([f64; 1], [f64; 1]) {
            ([1.0], [0.0])
        }
        fn extent(&self) -> Extent {
            Extent::Endless(0.0, 1.0)
        }
    }
    let rope = Rope::new([0.0, 0.0], [1.0, 0.0], 3).of(1.0, 10.0);
    assert!(Setup::new(&rope).drag_over(Animated::moving(Opaque)).check().is_err());
}

/// A free node in still air with drag c(t) has v = v₀ exp(-∫c/m).
#[test]
fn drag_over_time_slows_as_its_integral_says() {
    let keys = vec![
        Key::new(0.0, [0.2]).to_next(Interpolation::CatmullRom),
        Key::new(0.4, [1.0]).to_next(Interpolation::CatmullRom),
        Key::new(1.0, [0.6]),
    ];
    let track = KeyTrack::new(keys).unwrap();
    // Simpson's rule is exact for cubic polynomials.
    let simpson = |a: f64, b: f64| {
        let at = |t: f64| track.at(t).0[0];
        (b - a) / 6.0 * (at(a) + 4.0 * at(0.5 * (a + b)) + at(b))
    };
    let integral = simpson(0.0, 0.4) + simpson(0.4, 1.0);
    let rope = Rope::new([0.0, 0.0], [1.0, 0.0], 2).of(1.0, 10.0);
    let setup = Setup::new(&rope)
        .gravity([0.0, 0.0])
        .drag_over(Animated::moving(track))
        .velocity(0, [0.0, 3.0])
        .velocity(1, [0.0, 3.0])
        .method(Rk4 {})
        .frames(1.0, 200);
    let mut run = Simulation::new(setup.check().unwrap());
    run.keep_ledger();
    run.advance_frame();
    let mass = run.setup().model.mass[0];
    let expected = 3.0 * libm::exp(-integral / mass);
    let found = run.state().v[2];
    assert!((found - expected).abs() < 1e-7, "{found} is not {expected}");
    let ledger = run.ledger().unwrap().run;
    let lost = mass * (9.0 - expected * expected);
    assert!((ledger.gains.damping + lost).abs() < 1e-4 * lost, "{ledger:?}");
    assert!(ledger.residual().abs() < 1e-12 * ledger.turned_over);
}

#[test]
fn the_work_of_gravity_that_changes_is_external_and_the_ledger_closes() {
    // A free particle pair under g(t) = -t: v = -t²/2, so each gains m t⁴/8.
    let keys = vec![(0.0, [0.0, 0.0].into()), (8.0, [0.0, -8.0].into())];
    let rope = Rope::new([0.0, 0.0], [1.0, 0.0], 2).of(2.0, 10.0);
    let setup = Setup::new(&rope).gravity_along(Arc::new(Linear { keys })).method(Rk4 {});
    let mut run = Simulation::new(setup.frames(0.5, 50).check().unwrap());
    run.keep_ledger();
    for _ in 0..4 {
        run.advance_frame();
    }
    let ledger = run.ledger().unwrap().run;
    let expected = 2.0 * 2.0 * 16.0 / 8.0;
    let kinetic = measure::kinetic_energy(&run.setup().model, run.state());
    assert!((kinetic - expected).abs() < 1e-12 * expected, "{kinetic}");
    assert!((ledger.gains.external - expected).abs() < 1e-3 * expected, "{ledger:?}");
    assert_eq!(ledger.end.gravitational, 0.0);
    assert!(ledger.residual().abs() < 1e-12 * ledger.turned_over);
}
