//! Limits on the model problem u'' + γ u' + ω² u = 0 compared with theory, over a range of γ/ω.

use crate::{repository, scene_of};
use catena::analysis::stability::{
    oscillator::Oscillator, predict::predict, warning, warning_amount,
};
use catena::scene::{Scene, SceneText, load};
use catena::sim::{
    Method,
    method::{METHODS, with_defaults},
};
use catena_tests::Random;
use std::sync::Arc;

fn method(name: &str) -> Arc<dyn Method> {
    with_defaults(name).unwrap()
}

fn longest(name: &str, omega: f64, damping: f64) -> Option<f64> {
    Oscillator::new(omega, damping).longest_step(&method(name))
}

/// |Σ z^k / c_k| for z = h times a root of s² + γ s + ω² = 0: the greater of both roots.
fn amplification(inverse: &[f64], omega: f64, damping: f64, h: f64) -> f64 {
    let (re, square) = (-0.5 * damping, 0.25 * damping * damping - omega * omega);
    let roots = if square > 0.0 {
        // The slow root without cancellation.
        let fast = re - square.sqrt();
        [(fast, 0.0), (omega * omega / fast, 0.0)]
    } else {
        [(re, (-square).sqrt()), (re, -(-square).sqrt())]
    };
    let modulus = |(re, im): (f64, f64)| {
        let mut sum = (0.0, 0.0);
        for coefficient in inverse.iter().rev() {
            let (a, b) = sum;
            sum = (coefficient + h * (a * re - b * im), h * (a * im + b * re));
        }
        libm::hypot(sum.0, sum.1)
    };
    roots.into_iter().map(modulus).fold(0.0, f64::max)
}

#[test]
fn limits_of_runge_kutta_methods_are_where_their_polynomials_say() {
    const POLYNOMIALS: &[(&str, &[f64])] = &[
        ("ExplicitEuler", &[1.0, 1.0]),
        ("Midpoint", &[1.0, 1.0, 0.5]),
        ("Heun", &[1.0, 1.0, 0.5]),
        ("Rk4", &[1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0]),
    ];
    for (name, polynomial) in POLYNOMIALS {
        for ratio in [0.03, 0.1, 0.3, 1.0, 1.9, 2.5, 10.0, 1e3, 1e6] {
            let (omega, damping) = (7.0, 7.0 * ratio);
            let found = longest(name, omega, damping).unwrap();
            let at = |share: f64| amplification(polynomial, omega, damping, share * found);
            let shorter = (1..400).map(|i| at(f64::from(i) / 401.0)).fold(0.0, f64::max);
            assert!(shorter <= 1.0 + 1e-12, "{name}, γ/ω = {ratio}: {found}, {shorter}");
            assert!(
                at(1.0 - 1e-5) <= 1.0 && at(1.0 + 1e-5) > 1.0,
                "{name}, γ/ω = {ratio}: {found}"
            );
        }
    }
}

#[test]
fn weak_damping_bears_the_steps_that_theory_says() {
    // Growth per step: x²/2 of explicit Euler and x⁴/8 of second-order Runge-Kutta, compared with
    // γh/2.
    for ratio in [1e-4, 1e-6, 1e-9, 1e-13, 1e-20] {
        let omega = 3.0;
        let damping = ratio * omega;
        for (name, expected) in [
            ("ExplicitEuler", ratio / omega),
            ("Heun", libm::cbrt(4.0 * ratio) / omega),
            ("Midpoint", libm::cbrt(4.0 * ratio) / omega),
        ] {
            let found = longest(name, omega, damping).unwrap();
            let slack = if expected * omega < 0.01 { 1e-3 } else { 0.03 };
            assert!((found / expected - 1.0).abs() < slack, "{name} {ratio}: {found} {expected}");
        }
    }
    // Every method of order 1 or more survives some step with damping, and none of these survives
    // without.
    for info in METHODS.iter().filter(|info| info.limit == Some(0.0)) {
        assert_eq!(longest(info.name, 3.0, 0.0), None, "{}", info.name);
        for ratio in [1e-15, 1e-7, 1e-3, 0.3, 40.0] {
            let found = longest(info.name, 3.0, 3.0 * ratio);
            assert!(found.is_some_and(|h| h > 0.0 && h.is_finite()), "{} {ratio}", info.name);
        }
        let factored = Oscillator { factors: [1.0 - 1e-9, 1.0], ..Oscillator::new(3.0, 0.0) };
        let found = factored.longest_step(&method(info.name));
        assert!(found.is_some_and(|h| h > 0.0 && h.is_finite()), "{}", info.name);
    }
}

#[test]
fn strong_damping_bears_the_steps_that_theory_says() {
    // The ends of the stability intervals on the real axis (Hairer, Wanner, "Solving Ordinary
    // Differential Equations II", V.1).
    for (name, end) in [
        ("ExplicitEuler", 2.0),
        ("SemiImplicitEuler", 2.0),
        ("Heun", 2.0),
        ("Rk4", 2.785_293_6),
        ("AdamsBashforth2", 1.0),
        ("AdamsBashforth3", 6.0 / 11.0),
        ("AdamsBashforth4", 0.3),
    ] {
        for ratio in [1e4, 1e8] {
            let found = longest(name, 2.0, 2.0 * ratio).unwrap() * 2.0 * ratio;
            assert!((found / end - 1.0).abs() < 2e-4, "{name} {ratio}: {found} {end}");
        }
    }
}

#[test]
fn methods_that_are_a_stable_bear_every_step() {
    for info in METHODS.iter().filter(|info| info.limit == Some(f64::INFINITY)) {
        let method = method(info.name);
        for ratio in [0.0, 1e-12, 1e-6, 1e-3, 0.1, 1.0, 2.0, 2.1, 30.0, 1e4, 1e8, 1e13] {
            for factors in [[1.0, 1.0], [0.99, 1.0], [1.0, 0.999_99], [0.5, 0.7]] {
                for omega in [1e-6, 1.0, 12_345.0] {
                    let problem = Oscillator { factors, ..Oscillator::new(omega, ratio * omega) };
                    let found = problem.longest_step(&method);
                    assert_eq!(found, Some(f64::INFINITY), "{} {problem:?}", info.name);
                }
            }
        }
    }
}

/// A rope with random damping, size and step.
fn any_rope(random: &mut Random, method: &str) -> String {
    let mut power = |low: f64, high: f64| libm::pow(10.0, random.between(low, high));
    let (frame_time, length, stiffness) = (power(-4.0, 1.5), power(-1.0, 2.5), power(0.0, 6.0));
    let (mass, damping, friction, drag) =
        (power(-2.0, 1.0), power(-3.0, 4.0), power(-3.0, 4.0), power(-3.0, 3.0));
    let mut chosen = |share: f64, value: f64| if random.unit() < share { value } else { 0.0 };
    let (damping, friction, drag) =
        (chosen(0.5, damping), chosen(0.5, friction), chosen(0.5, drag));
    let factors = [chosen(0.3, 1e-3), chosen(0.3, 1e-5)].map(|taken| 1.0 - taken);
    let [nodes, pins, slope] = [2.0 + 18.0 * random.unit(), random.unit(), random.unit() - 0.5];
    let nodes = nodes as usize;
    let pins = if pins < 0.5 { "[0]".into() } else { format!("[0, {}]", nodes - 1) };
    format!(
        "Scene(base: (frame_time: {frame_time}, substeps: 1, gravity: (0, -9.81), integrator: {method}, drag: {drag},
            velocity_factor: {}, position_factor: {},
            rope: (start: (0, 0), end: ({length}, {}), nodes: {nodes}, stiffness: {stiffness}, mass: {mass},
                damping: {damping}, friction: {friction}, pins: {pins})))",
        factors[0],
        factors[1],
        slope * length
    )
}

fn has_no_limit(scene: &Scene, name: &str) {
    let body = &scene.panels[0].bodies[0];
    let found = predict(&body.setup);
    let found = found.map(|found| found.longest_step);
    assert!(matches!(found, None | Some(Some(f64::INFINITY))), "{name}: {found:?}");
    assert_eq!(warning(&body.setup, scene.frames, warning_amount(1)), None, "{name}");
}

#[test]
fn no_limit_is_invented_for_implicit_methods() {
    for method in ["ImplicitEuler", "ImplicitMidpoint"] {
        let mut random = Random::new(17);
        for number in 0..60 {
            let text = any_rope(&mut random, method);
            has_no_limit(&scene_of(&text), &format!("rope {number}: {text}"));
        }
    }
    for name in ["01_implicit_inf", "02_implicit_false_limit", "02b_midpoint_false_limit"] {
        let path = repository(&format!("tests/defects/{name}.ron"));
        let text = std::fs::read_to_string(path).unwrap();
        let text = SceneText { origin: name.into(), name: name.into(), text };
        has_no_limit(&load(&text, &[]).unwrap(), name);
    }
}
