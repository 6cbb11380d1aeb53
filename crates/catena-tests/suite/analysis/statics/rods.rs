//! Rest of rods: bending, buckling, frequencies, and agreement with the rest of a run that waits.

use super::{farthest, solved, waited};
use crate::scene_of;
use catena::analysis::statics::{Equilibrium, Stability};
use catena::sim::{
    Force, Rope, Setup,
    drive::track::Animated,
    force::{
        applied::PointForce,
        rod::{Clamp, Rod, Rods, Section},
    },
    method::SemiImplicitEuler,
};
use std::sync::Arc;

/// A rod of length 1 and mass 1 along x or y, clamped at its first node, with EI = 1.
fn cantilever(segments: usize, end: [f64; 2], weight: f64, stretch: f64) -> Setup {
    let rope = Rope::new([0.0, 0.0], end, segments + 1);
    let rope = rope.of(1.0 / segments as f64, stretch * segments as f64).pin(0);
    let setup = Setup::new(&rope).gravity([0.0, -weight]).method(SemiImplicitEuler {});
    let mut setup = (*setup.frames(1.0 / 60.0, 256).check().unwrap()).clone();
    setup.model.mass[segments] *= 0.5;
    let rod = Rod::along(&setup.model, 0, Section::round(1.0, 0.0)).unwrap();
    let rod = rod.clamp(Clamp { node: 0, tangent: None, turn: Animated::number(0.0) });
    let rods = Rods::new(&setup.model, &setup.initial, vec![rod]).unwrap();
    setup.forces.push(Arc::new(rods));
    setup
}

fn pushed(segments: usize, force: [f64; 2], stretch: f64) -> Setup {
    let mut setup = cantilever(segments, [1.0, 0.0], 0.0, stretch);
    let (from, until) = (f64::NEG_INFINITY, f64::INFINITY);
    let force: Arc<dyn Force> =
        Arc::new(PointForce { force: force.into(), node: segments, from, until });
    setup.forces.push(force);
    setup
}

fn tip(setup: &Setup, rest: &Equilibrium) -> [f64; 2] {
    let n = setup.model.nodes();
    [rest.x[n - 1], rest.x[2 * n - 1]]
}

/// Smallest ω², without the downhill search that follows an unstable equilibrium.
fn slowest(rest: &Equilibrium) -> f64 {
    rest.left.as_deref().unwrap_or(rest).modes[0].omega_squared
}

/// Load between two loads at which the smallest ω² of an equilibrium is 0.
fn onset(mut low: f64, mut high: f64, slowest: impl Fn(f64) -> f64) -> f64 {
    let (mut at_low, mut at_high) = (slowest(low), slowest(high));
    assert!(at_low > 0.0 && at_high < 0.0, "{at_low} {at_high}");
    // ω² is nearly linear in the load.
    for _ in 0..4 {
        let middle = low + (high - low) * at_low / (at_low - at_high);
        let found = slowest(middle);
        if found > 0.0 {
            (low, at_low) = (middle, found);
        } else {
            (high, at_high) = (middle, found);
        }
    }
    low + (high - low) * at_low / (at_low - at_high)
}

#[test]
fn a_cantilever_is_the_elastica() {
    // Runge-Kutta on θ'' = -P cos θ, as Bisshopp and Drucker 1945.
    for (load, w, shortening) in [
        (1.0, 0.301_720_8, 0.056_433_2),
        (2.0, 0.493_457_5, 0.160_641_7),
        (3.0, 0.603_253_4, 0.254_420_2),
        (5.0, 0.713_791_5, 0.387_628_4),
        (10.0, 0.810_609_0, 0.554_995_6),
    ] {
        let [coarse, fine] = [32, 64].map(|segments| {
            let setup = pushed(segments, [0.0, load], 1e7);
            let rest = solved(&setup);
            assert_eq!(rest.stability, Stability::Stable);
            assert!(rest.iterations <= 12, "{load}: {}", rest.iterations);
            tip(&setup, &rest)
        });
        for (axis, exact) in [(0, 1.0 - shortening), (1, w)] {
            let best = (4.0 * fine[axis] - coarse[axis]) / 3.0;
            assert!((best - exact).abs() < 3e-5, "{load}: {best} {exact}");
            let (before, after) = ((coarse[axis] - exact).abs(), (fine[axis] - exact).abs());
            assert!(after < 2e-5 || after < 0.35 * before, "{load}: {before} {after}");
        }
    }
}

#[test]
fn a_strut_buckles_at_the_load_of_euler_and_a_column_at_its_own_weight() {
    let euler = std::f64::consts::PI * std::f64::consts::PI / 4.0;
    let strut =
        |segments| onset(2.3, 2.6, |load| slowest(&solved(&pushed(segments, [-load, 0.0], 1e6))));
    let column = |segments| {
        onset(7.5, 8.1, |load| slowest(&solved(&cantilever(segments, [0.0, 1.0], load, 1e6))))
    };
    for (name, exact, critical) in
        [("strut", euler, [8, 16].map(strut)), ("column", 7.8373, [8, 16].map(column))]
    {
        let best = (4.0 * critical[1] - critical[0]) / 3.0;
        assert!((best / exact - 1.0).abs() < 3e-4, "{name}: {critical:?} {best} {exact}");
    }
    // Beyond the critical load the strut is bent, and the straight state that it left shows its
    // buckling mode.
    let setup = pushed(16, [-1.1 * euler, 0.0], 1e6);
    let rest = solved(&setup);
    assert_eq!(rest.stability, Stability::Stable);
    assert_eq!(rest.left.as_ref().unwrap().stability, Stability::Unstable);
    assert!(tip(&setup, &rest)[1].abs() > 0.3, "{:?}", tip(&setup, &rest));
}

#[test]
fn a_clamped_beam_swings_at_the_frequencies_of_euler_and_bernoulli() {
    let found = [16, 32].map(|segments| {
        let rest = solved(&cantilever(segments, [1.0, 0.0], 0.0, 1e6));
        rest.modes.iter().map(|mode| mode.omega_squared.sqrt()).collect::<Vec<_>>()
    });
    for (mode, wave) in [1.8751_f64, 4.6941, 7.8548].into_iter().enumerate() {
        let best = (4.0 * found[1][mode] - found[0][mode]) / 3.0;
        assert!((best / (wave * wave) - 1.0).abs() < 1e-3, "{mode}: {found:?}");
    }
}

#[test]
fn a_rod_rests_where_a_run_that_waits_comes_to_rest() {
    let setup = cantilever(8, [1.0, 0.0], 3.0, 1e3);
    let rest = solved(&setup);
    assert!(farthest(&rest.x, &waited(&setup, &rest)) < 1e-9);
}

/// Torsional modes of a steel rod of length 2 in space, clamped at one end or both.
fn torsional(segments: usize, clamps: &str) -> Vec<f64> {
    let scene = scene_of(&format!(
        "Scene(base: (gravity: (0, 0, 0), rope: (start: (0, 0, 0), end: (2, 0, 0), nodes: {},
            material: Elastic(young: 2e11, density: 8000, poisson: 0.25),
            rod: (radius: 0.01, inertia: Section, clamps: [{clamps}]))))",
        segments + 1
    ));
    let rest = solved(&scene.panels[0].bodies[0].setup);
    for mode in &rest.torsion {
        assert_eq!((mode.rod, mode.turns.len()), (0, segments));
    }
    rest.torsion.iter().map(|mode| mode.omega_squared.sqrt()).collect()
}

#[test]
fn torsional_modes_are_those_of_a_shaft_with_an_error_of_order_2() {
    // Waves travel at √(G/ρ), with G = E/(2(1 + ν)).
    let speed = (0.8e11 / 8000.0_f64).sqrt();
    for (clamps, share) in [("(node: First)", 0.5), ("(node: First), (node: Last)", 1.0)] {
        let [coarse, fine] = [10, 20].map(|segments| torsional(segments, clamps));
        assert_eq!((coarse.len(), fine.len()), (4, 4), "{coarse:?} {fine:?}");
        for mode in 0..3 {
            let waves = mode as f64 + share;
            let exact = waves * std::f64::consts::PI * speed / 2.0;
            let [error, finer] =
                [coarse[mode], fine[mode]].map(|omega| (omega / exact - 1.0).abs());
            assert!(
                finer < 0.01 && (3.5..4.5).contains(&(error / finer)),
                "{clamps}: {error} {finer}"
            );
        }
    }
    // Rotation of a free rod as a whole needs no energy, and is not a mode.
    let free = torsional(20, "");
    assert!((free[0] / (0.5 * std::f64::consts::PI * speed) - 1.0).abs() < 0.01, "{free:?}");
}
