//! Checks of large bends: the elastica, and a bend of 45° that leaves its plane.

use super::balance::{Balance, Rope, clamp, line};
use super::{extrapolated, order_of};
use crate::verify::{
    Tolerance::Absolute,
    check::{CheckList, CheckSetups},
};
use catena_sim::Setup;
use catena_sim::force::rod::{Rod, Section, Tangent};

/// Reference values of the elastica: the load PL²/EI, the fall of the tip over L, and the approach
/// of the tip to the clamp over L. The values solve θ'' = -P cos θ for L = EI = 1, integrated by a
/// Runge–Kutta method.
pub(super) const ELASTICA: [(f64, f64, f64); 5] = [
    (1.0, 0.301_720_8, 0.056_433_2),
    (2.0, 0.493_457_5, 0.160_641_7),
    (3.0, 0.603_253_4, 0.254_420_2),
    (5.0, 0.713_791_5, 0.387_628_4),
    (10.0, 0.810_609_0, 0.554_995_6),
];
/// Numbers of segments from whose results the elastica is extrapolated.
const MESHES: [usize; 3] = [16, 32, 64];

/// Displacement of the tip of the bend: away from the centre, along the initial direction of the
/// rod, and along the force. The values are those of an inextensible rod, integrated by a
/// Runge–Kutta method; shear and stretch change them by at most 0.007.
///
/// Published values, in this order:
///
/// | source | elements | displacement |
/// | --- | --- | --- |
/// | Bathe and Bolourchi 1979 | 8 straight | 13.4, -23.5, 53.4 |
/// | Simo and Vu-Quoc 1986 | 8 straight | 13.50, -23.48, 53.37 |
/// | Ibrahimbegovic 1995 | 8 curved, of 3 nodes | 13.729, -23.814, 53.605 |
/// | Exudyn | 32 | 13.73, -23.81, 53.60 |
/// | Kynema | 1 spectral | 13.721, -23.646, 53.578 |
///
/// The last one states GJ = EI, which is J = I₁ + I₂ = 1/6 instead of the torsion constant 0.1406
/// of a square. Kirchhoff's equations give [`POLAR`] for this J, not -23.65.
pub(super) const BEND: [(&str, f64); 3] = [
    ("from the centre", 13.731_12),
    ("along its start", -23.817_64),
    ("along the force", 53.600_98),
];
/// Displacement of the tip of the bend as in [`BEND`], with J = 1/6.
const POLAR: [f64; 3] = [13.604_24, -23.559_38, 53.468_60];
/// Radius of the bend, in sides of the square section.
const RADIUS: f64 = 100.0;
/// Angle of the bend in radians, an eighth of a circle.
const ANGLE: f64 = std::f64::consts::FRAC_PI_4;
/// Young's modulus E of the bent rod. The section is a square of side 1, so EA = E and EI = E/12.
const YOUNG: f64 = 1e7;
/// Torsion constant J of a square of side 1.
pub(super) const SQUARE: f64 = 0.1406;
/// Meshes from whose results the bend is extrapolated.
const BENDS: [usize; 3] = [16, 32, 64];

pub(super) fn add(list: &mut CheckList) {
    list.set_reference(
        "elastica of a clamped rod: θ'' = -(P/EI) cos θ (Bisshopp and Drucker 1945)",
    );
    for (load, fall, approach) in ELASTICA {
        for (axis, name, exact) in [(1, "w/L", fall), (0, "(L - x)/L", approach)] {
            let name = format!("elastica, PL²/EI = {load}: {name}");
            list.add(name, exact, Absolute(1e-5), move |setups| {
                let tips = MESHES.iter().map(|&segments| elastica(setups, segments, load));
                let tips: Vec<f64> =
                    tips.map(|tip| tip.map(|tip| tip[axis])).collect::<Option<_>>()?;
                Some(extrapolated(&tips))
            });
        }
    }
    list.set_reference(
        "bend of 45° (Bathe and Bolourchi 1979): Kirchhoff's equations, R = 100, force 600",
    );
    for (axis, (name, exact)) in BEND.into_iter().enumerate() {
        list.add(format!("45° bend: {name}"), exact, Absolute(5e-3), move |setups| {
            finest_bend(setups, SQUARE, axis)
        });
    }
    list.set_reference("the same bend with the torsion constant J = I₁ + I₂ = 1/6, so GJ = EI");
    for (axis, ((name, _), exact)) in BEND.into_iter().zip(POLAR).enumerate() {
        let name = format!("45° bend with J = 1/6: {name}");
        list.add(name, exact, Absolute(5e-3), move |setups| finest_bend(setups, 1.0 / 6.0, axis));
    }
    list.set_reference("order 2 in the number of segments (Bergou et al. 2008)");
    list.add("order in segments of the elastica", 2.0, Absolute(0.05), |setups| {
        let tips = [elastica(setups, 16, 1.0)?[1], elastica(setups, 32, 1.0)?[1]];
        Some(order_of(tips, ELASTICA[0].1))
    });
    list.add("order in segments of the 45° bend", 2.0, Absolute(0.1), |setups| {
        let tips = [bend(setups, 16, SQUARE)?[0], bend(setups, 32, SQUARE)?[0]];
        Some(order_of(tips, BEND[0].1))
    });
}

/// Approach and fall of the tip of a clamped rod with length 1 and EI = 1.
pub(super) fn elastica(setups: &CheckSetups<'_>, segments: usize, load: f64) -> Option<[f64; 2]> {
    let section = Section::round(1.0, 0.0);
    let made = line(2, segments, 1e7)?.with_rod(section, |rod| rod.clamp(clamp(0, 0.0)))?;
    let mut balance = Balance::new(setups, made);
    for step in 1..=10 {
        balance.load(segments, [0.0, 0.1 * f64::from(step) * load].into());
        balance.settle()?;
    }
    let tip = balance.position(segments);
    Some([1.0 - tip[0], tip[1]])
}

/// Displacement of the tip of the bend along an axis of [`BEND`], extrapolated.
fn finest_bend(setups: &CheckSetups<'_>, torsion: f64, axis: usize) -> Option<f64> {
    let tips = BENDS.iter().map(|&segments| Some(bend(setups, segments, torsion)?[axis]));
    Some(extrapolated(&tips.collect::<Option<Vec<_>>>()?))
}

/// Displacement of the tip of the bend, by axis of [`BEND`], of a rod with this torsion constant.
pub(super) fn bend(setups: &CheckSetups<'_>, segments: usize, torsion: f64) -> Option<[f64; 3]> {
    let mut balance = Balance::new(setups, bend_setup(segments, torsion)?);
    let start = balance.position(segments);
    for step in 1..=12 {
        balance.load(segments, [0.0, 0.0, 50.0 * f64::from(step)].into());
        balance.settle()?;
    }
    let tip = balance.position(segments);
    Some([0, 1, 2].map(|axis| tip[axis] - start[axis]))
}

/// A rod with a square section along an eighth of a circle, clamped at its start, where it points
/// along y.
fn bend_setup(segments: usize, torsion: f64) -> Option<Setup> {
    let section = Section { bending: [YOUNG / 12.0; 2], torsion: 0.5 * YOUNG * torsion };
    let mut start = clamp(0, 0.0);
    start.tangent = Some(Tangent::Constant([0.0, 1.0, 0.0]));
    arc(segments)?.with_rod(section, |rod| {
        let curved = rod.curved([0.0, -1.0 / RADIUS]);
        Rod { normal: Some([0.0, 0.0, 1.0]), ..curved }.clamp(start.clone())
    })
}

/// Nodes on an eighth of a circle in the plane of x and y, from its start along y.
fn arc(segments: usize) -> Option<Rope> {
    let Rope { mut model, mut state } = line(3, segments, YOUNG)?;
    let n = segments + 1;
    for i in 0..n {
        let turn = ANGLE * i as f64 / segments as f64;
        state.x[i] = RADIUS * (libm::cos(turn) - 1.0);
        state.x[n + i] = RADIUS * libm::sin(turn);
    }
    for j in 0..segments {
        let spring = model.springs[j];
        let length = model.span(&state.x, &spring).1;
        model.springs[j].rest_length = length;
        model.springs[j].stiffness = YOUNG / length;
    }
    Some(Rope { model, state })
}
