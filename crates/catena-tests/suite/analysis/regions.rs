//! Stability regions in the plane of hλ, compared with polynomials and roots from textbooks, and
//! the modes of bodies in them.

use crate::scene_of;
use catena::analysis::{
    budget::CoreTime,
    stability::region::{
        Eigenvalue, ModeState, PlaneFrame, axis_ends, growth, has_region, is_stable, modes, region,
        treats_alike,
    },
};
use catena::sim::{
    Method, Rope, Setup,
    method::{METHODS, with_defaults},
};
use std::sync::Arc;

const PLENTY: CoreTime = CoreTime { seconds: 100.0 };

fn method(name: &str) -> Arc<dyn Method> {
    with_defaults(name).unwrap()
}

#[test]
fn ends_on_the_axes_are_those_of_textbooks() {
    let root = f64::sqrt;
    let all = f64::INFINITY;
    // Distances from 0 along the negative real axis and along the imaginary axis.
    let ends: [(&str, f64, Option<f64>); 13] = [
        ("ExplicitEuler", 2.0, None),
        ("Midpoint", 2.0, None),
        ("Heun", 2.0, None),
        ("Rk4", 2.785_293_563, Some(2.0 * root(2.0))),
        ("AdamsBashforth2", 1.0, None),
        ("AdamsBashforth3", 6.0 / 11.0, Some(0.723_627)),
        ("AdamsBashforth4", 0.3, Some(0.429_99)),
        // μ = 1 is again a root of μ² - (1 + z + ¾z²) μ + ¼z² = 0 at z = -2.
        ("AdamsBashforthMoulton2", 2.0, Some(1.287_19)),
        ("ImplicitEuler", all, Some(all)),
        ("ImplicitMidpoint", all, Some(all)),
        // Critical damping: |z|² = 4 + 4z for the stable pair of μ² - (2 - γ - ω²) μ + 1 - γ.
        ("SemiImplicitEuler", 2.0 * root(2.0) - 2.0, Some(2.0)),
        // μ = -1 at ω² + 2γ = 2, with γ = 2ω.
        ("LectureAdamsBashforth2", root(6.0) - 2.0, Some(root(2.0))),
        ("VelocityVerlet", 2.0, Some(2.0)),
    ];
    let is_near = |found: f64, end: f64| found == end || (found - end).abs() < 1e-5 * end;
    for (name, real, imaginary) in ends {
        let found = axis_ends(&method(name)).unwrap();
        assert!(is_near(found.real.unwrap(), real), "{name}: {found:?}");
        match (found.imaginary, imaginary) {
            (Some(found), Some(end)) => assert!(is_near(found, end), "{name}: {found}"),
            (found, end) => assert_eq!(found, end, "{name}"),
        }
    }
}

#[test]
fn every_method_has_a_region_or_none_for_a_reason() {
    for info in METHODS {
        let method = method(info.name);
        let expected = info.limit.is_some() && !method.chooses_steps();
        assert_eq!(has_region(method.as_ref()), expected, "{}", info.name);
        assert_eq!(axis_ends(&method).is_some(), expected, "{}", info.name);
        let Some(ends) = axis_ends(&method) else { continue };
        // The imaginary end is the limit of the method's row.
        match (ends.imaginary, info.limit.unwrap()) {
            (None, limit) => assert_eq!(limit, 0.0, "{}", info.name),
            (Some(end), limit) if limit.is_infinite() => assert_eq!(end, limit, "{}", info.name),
            // Table rows have four digits.
            (Some(end), limit) => assert!((end - limit).abs() < 5e-4, "{}: {end}", info.name),
        }
    }
}

/// A complex number.
#[derive(Clone, Copy)]
struct Complex(f64, f64);

impl Complex {
    fn times(self, other: Self) -> Self {
        Self(self.0 * other.0 - self.1 * other.1, self.0 * other.1 + self.1 * other.0)
    }

    fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }

    fn scaled(self, by: f64) -> Self {
        Self(self.0 * by, self.1 * by)
    }

    fn size(self) -> f64 {
        libm::hypot(self.0, self.1)
    }

    fn root(self) -> Self {
        let size = self.size();
        let im = ((size - self.0) / 2.0).sqrt();
        Self(((size + self.0) / 2.0).sqrt(), if self.1 < 0.0 { -im } else { im })
    }
}

/// Σ z^k / c_k, with the inverses of c_k.
fn polynomial(inverse: &[f64], z: Complex) -> f64 {
    let add = |sum: Complex, c: &f64| sum.times(z).plus(Complex(*c, 0.0));
    inverse.iter().rev().fold(Complex(0.0, 0.0), add).size()
}

/// The larger root of μ² - (1 + 3/2 z) μ + z/2.
fn adams_2(z: Complex) -> f64 {
    let p = Complex(1.0, 0.0).plus(z.scaled(1.5));
    let root = p.times(p).plus(z.scaled(-2.0)).root();
    let greater = |sign: f64| p.plus(root.scaled(sign)).scaled(0.5).size();
    greater(1.0).max(greater(-1.0))
}

#[test]
fn growth_is_that_of_the_stability_function_in_both_half_planes() {
    const ONE: Complex = Complex(1.0, 0.0);
    type Function = fn(Complex) -> f64;
    let functions: [(&str, Function); 6] = [
        ("ExplicitEuler", |z| polynomial(&[1.0, 1.0], z)),
        ("Heun", |z| polynomial(&[1.0, 1.0, 0.5], z)),
        ("Rk4", |z| polynomial(&[1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0], z)),
        ("AdamsBashforth2", adams_2),
        ("ImplicitEuler", |z| 1.0 / ONE.plus(z.scaled(-1.0)).size()),
        ("ImplicitMidpoint", |z| ONE.plus(z.scaled(0.5)).size() / ONE.plus(z.scaled(-0.5)).size()),
    ];
    for (name, function) in functions {
        let method = method(name);
        assert_eq!(treats_alike(&method), Some(true), "{name}");
        for re in [-3.0, -1.3, -0.4, 0.0, 0.3, 1.7] {
            for im in [0.0, 0.2, 0.9, 2.1, 3.0] {
                let expected = function(Complex(re, im));
                // Only the product of λ and dt matters.
                let found =
                    growth(&method, Eigenvalue { re: re / 0.5, im: im / 0.5 }, 0.5).unwrap();
                // Equal eigenvalues lose digits.
                let allowed = if im == 0.0 { 1e-6 } else { 1e-9 };
                assert!(
                    (found - expected).abs() < allowed * expected.max(1.0),
                    "{name}, {re} + {im} i: {found}, {expected}"
                );
            }
        }
    }
    for name in ["SemiImplicitEuler", "VelocityVerlet", "StormerVerlet", "Leapfrog", "Yoshida4"] {
        assert_eq!(treats_alike(&method(name)), Some(false), "{name}");
    }
    assert_eq!(is_stable(&method("Pbd"), Eigenvalue { re: -1.0, im: 0.0 }, 0.1), None);
}

/// A rope of `nodes` nodes that hangs straight down, with masses of 1 and stiffness 100.
fn hanging(nodes: usize, name: &str, dt: f64) -> Setup {
    let rope = Rope::new([0.0, 0.0], [0.0, -1.0], nodes).of(1.0, 100.0).pin(0);
    let setup = Setup::new(&rope).gravity([0.0, -1.0]).frames(dt, 1).check().unwrap();
    Setup { method: method(name), ..(*setup).clone() }
}

#[test]
fn a_sampled_region_is_the_disc_of_explicit_euler() {
    let frame = PlaneFrame { left: -3.2, right: 1.1, top: 3.2 };
    let found = region(&hanging(2, "ExplicitEuler", 0.1), frame).unwrap();
    let mut inside = 0;
    for column in found.columns.iter().filter(|column| (column.re + 1.0).abs() < 0.99) {
        let height = (1.0 - (column.re + 1.0) * (column.re + 1.0)).sqrt();
        assert_eq!(column.stable.len(), 1, "{column:?}");
        let [low, high] = column.stable[0];
        assert!(low == 0.0 && (high - height).abs() < 1e-3, "{column:?}, {height}");
        inside += 1;
    }
    assert!(inside > 20);
    // Round ends are as smooth as sides: chords are shorter than a tenth of the circle's radius.
    let arc = found.columns.iter().filter(|it| (-2.0..=0.0).contains(&it.re));
    let arc = arc.filter_map(|it| it.stable.first().map(|[_, high]| [it.re, *high]));
    let arc: Vec<[f64; 2]> = arc.collect();
    for pair in arc.windows(2) {
        let chord = ((pair[1][0] - pair[0][0]) * (pair[1][0] - pair[0][0])
            + (pair[1][1] - pair[0][1]) * (pair[1][1] - pair[0][1]))
            .sqrt();
        assert!(chord < 0.1, "{pair:?}");
    }
    assert!(found.columns.iter().filter(|it| it.re > 1e-9).all(|it| it.stable.is_empty()));
    // The left half plane without the disc about 1, and the right half plane outside this disc.
    let found = region(&hanging(2, "ImplicitEuler", 0.1), frame).unwrap();
    let at = |re: f64| {
        found.columns.iter().min_by(|a, b| (a.re - re).abs().total_cmp(&(b.re - re).abs()))
    };
    assert_eq!(at(-1.0).unwrap().stable, [[0.0, frame.top]]);
    let [[low, high]] = at(1.0).unwrap().stable[..] else { panic!("{:?}", at(1.0)) };
    assert!((low - 1.0).abs() < 1e-2 && high == frame.top, "{low}");
}

#[test]
fn the_mode_that_leaves_the_region_is_named() {
    // One mass on one spring: ω² = k/m = 100 along it, and ω² = g/L with L = 1.01 across it.
    let modes_at = |name: &str, dt: f64| modes(&hanging(2, name, dt), PLENTY).unwrap();
    let found = modes_at("SemiImplicitEuler", 0.21);
    assert_eq!((found.count, found.loose, found.state), (Some(2), 0, ModeState::Rest));
    let [slow, fast] = found.modes[..] else { panic!("{found:?}") };
    assert!((slow.omega * slow.omega - 1.0 / 1.01).abs() < 1e-9, "{slow:?}");
    assert!((fast.omega - 10.0).abs() < 1e-9 && (fast.points[0].im - 2.1).abs() < 1e-9, "{fast:?}");
    assert!(slow.is_bounded && !fast.is_bounded && fast.number == Some(2) && fast.node == Some(1));
    assert!(modes_at("SemiImplicitEuler", 0.199).modes.iter().all(|mode| mode.is_bounded));
    // No mode is bounded, even at the shortest step.
    assert!(modes_at("ExplicitEuler", 1e-6).modes.iter().all(|mode| !mode.is_bounded));
    assert_eq!(modes(&hanging(2, "Shake", 0.1), PLENTY), None);
    // If the budget does not allow all modes, the highest one remains.
    let only = modes(&hanging(9, "Rk4", 0.01), CoreTime { seconds: 0.0 }).unwrap();
    assert_eq!((only.modes.len(), only.count), (1, None));
    let all = modes(&hanging(9, "Rk4", 0.01), PLENTY).unwrap();
    let last = all.modes.last().unwrap();
    assert!((last.omega - only.modes[0].omega).abs() < 1e-8 * last.omega);
}

#[test]
fn verdicts_on_damped_modes_are_those_of_their_points() {
    for name in ["ExplicitEuler", "Rk4", "AdamsBashforth2", "Heun"] {
        for damping in [
            "drag: 0.3, rope: (nodes: 6)",
            "rope: (nodes: 6, damping: 0.2)",
            "rope: (nodes: 6, damping: 2)",
        ] {
            for substeps in [4, 12, 60] {
                let text =
                    format!("Scene(base: (integrator: {name}, substeps: {substeps}, {damping}))");
                let scene = scene_of(&text);
                let setup = &scene.panels[0].bodies[0].setup;
                let found = modes(setup, PLENTY).unwrap();
                assert!(found.modes.iter().any(|mode| mode.points[0].re < 0.0), "off the axis");
                for mode in &found.modes {
                    let inside =
                        |point: &Eigenvalue| is_stable(&setup.method, *point, 1.0).unwrap();
                    let expected = mode.points.iter().all(inside);
                    let is_clear = (mode.growth - 1.0).abs() > 1e-6;
                    assert!(mode.is_bounded == expected || !is_clear, "{text}: {mode:?}");
                }
            }
        }
    }
}
