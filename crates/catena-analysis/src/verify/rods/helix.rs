//! Check of a helix that is localized in the middle of a twisted rod.
//!
//! The ends of a rod of length L are rotated relative to each other by R radians, and approach each
//! other by d L. With the torque M and the tension T, m = ML/EI and t = TL²/EI, a long rod has d² =
//! (16/t)(1 - m²/4t) and R = m EI/GJ + 4 arccos(m/2√t). Its angle θ to the axis follows 1 - cos θ =
//! 2(1 - m²/4t)/cosh²(√(t - m²/4) s/L). The rod winds around the axis by m/(1 + cos θ) radians per
//! length.

use super::balance::{Balance, clamp, line};
use super::extrapolated;
use crate::verify::{
    Tolerance::{Absolute, Relative},
    check::{CheckList, CheckSetups},
};
use catena_sim::Body;
use catena_sim::force::rod::Section;
use std::f64::consts::TAU;

/// Rotation of one end relative to the other, R/2π, in turns.
const TURNS: f64 = 27.0;
/// Approach of the ends, d, as a share of the length.
const SLACK: f64 = 0.03;
/// Ratio of torsional to bending stiffness, GJ/EI.
const TORSION: f64 = 0.789 / 1.345;
/// Torque m = ML/EI that solves the equations for d and R together with [`TENSION`].
const MOMENT: f64 = 98.541_496_171_190_74;
/// Tension t = TL²/EI that solves the equations for d and R together with [`MOMENT`].
const TENSION: f64 = 2_900.993_205_792_131;
/// Numbers of segments from whose results a quantity is extrapolated.
const MESHES: [usize; 3] = [200, 400, 800];
/// EA L²/EI, so large that the rod does not stretch.
const AXIAL: f64 = 1e9;

pub(super) fn add(list: &mut CheckList) {
    list.set_reference("local helix: 27 turns, slack 0.03 L (van der Heijden and Thompson 2000)");
    list.add("moment of a local helix: ML/EI", MOMENT, Relative(1e-3), |setups| {
        Some(extrapolated(&Helix::on_meshes(setups)?.map(|helix| helix.moment)))
    });
    list.add("tension of a local helix: TL²/EI", TENSION, Relative(1e-3), |setups| {
        Some(extrapolated(&Helix::on_meshes(setups)?.map(|helix| helix.tension)))
    });
    list.set_reference("local helix: 1 - cos θ = 2(1 - m²/4t)/cosh²(√(t - m²/4) s/L)");
    list.add("1 - cos θ in the middle of a local helix", depth(), Relative(1e-3), |setups| {
        Some(extrapolated(&Helix::on_meshes(setups)?.map(|helix| helix.middle)))
    });
    list.add("1 - cos θ of a local helix: maximum error", 0.0, Absolute(5e-3), |setups| {
        Some(Helix::at_rest(setups, MESHES[2])?.error)
    });
}

/// 1 - cos θ in the middle.
fn depth() -> f64 {
    2.0 * (1.0 - MOMENT * MOMENT / (4.0 * TENSION))
}

/// 1 - cos θ at a distance from the middle.
fn envelope(s: f64) -> f64 {
    let cosh = libm::cosh((TENSION - 0.25 * MOMENT * MOMENT).sqrt() * s);
    depth() / (cosh * cosh)
}

/// Quantities of the rod in equilibrium.
struct Helix {
    moment: f64,
    tension: f64,
    /// Maximum of 1 - cos θ over the segments.
    middle: f64,
    /// Maximum difference of 1 - cos θ from its envelope over the segments.
    error: f64,
}

impl Helix {
    /// The rod with increasing numbers of segments.
    fn on_meshes(setups: &CheckSetups<'_>) -> Option<[Self; 3]> {
        let [coarse, middle, fine] = MESHES.map(|segments| Self::at_rest(setups, segments));
        Some([coarse?, middle?, fine?])
    }

    fn at_rest(setups: &CheckSetups<'_>, segments: usize) -> Option<Self> {
        let section = Section::round(1.0, TORSION);
        let setup = line(3, segments, AXIAL)?
            .with_rod(section, |rod| rod.clamp(clamp(0, 0.0)).clamp(clamp(segments, TURNS)))?;
        let mut balance = Balance::new(setups, setup);
        balance.state.x = near_helix(segments);
        balance.settle()?;
        let (setup, memory) = balance.parts();
        let body = Body { model: &setup.model, springs: memory };
        let turns = setup.rods()?.readings(&body, &balance.state).pop()?.turns;
        // The rod pulls its first node along x.
        let mut force = vec![0.0; balance.state.x.len()];
        setup.forces.iter().for_each(|each| each.add_to(&body, &balance.state, &mut force));
        let angles = setup.model.structural().iter().map(|spring| {
            let (along, length) = setup.model.span(&balance.state.x, spring);
            1.0 - along[0] / length
        });
        let from_middle = |k: usize| (k as f64 + 0.5) / segments as f64 - 0.5;
        let errors =
            angles.clone().enumerate().map(|(k, it)| (it - envelope(from_middle(k))).abs());
        Some(Self {
            moment: TORSION * TAU * turns,
            tension: force[0],
            middle: angles.fold(0.0, f64::max),
            error: errors.fold(0.0, f64::max),
        })
    }
}

/// Positions of nodes near the helix, from its tangents integrated over the segments. The ends are
/// on the axis.
fn near_helix(segments: usize) -> Vec<f64> {
    let (n, h) = (segments + 1, 1.0 / segments as f64);
    let cosine = |s: f64| 1.0 - envelope(s);
    let mut x = vec![0.0; 3 * n];
    let half = segments / 2;
    // The angle about the axis is odd in the distance from the middle.
    let mut angle = 0.0;
    for k in half..segments {
        let s = (k - half) as f64 * h + 0.5 * h;
        let step = MOMENT * h / (1.0 + cosine(s));
        angle += 0.5 * step;
        let sine = (1.0 - cosine(s) * cosine(s)).max(0.0).sqrt();
        let t = [cosine(s), sine * libm::cos(angle), sine * libm::sin(angle)];
        angle += 0.5 * step;
        for (axis, t) in t.into_iter().enumerate() {
            x[axis * n + k + 1] = x[axis * n + k] + h * t;
        }
    }
    for k in 0..half {
        let other = segments - k;
        for (axis, sign) in [(0, -1.0), (1, -1.0), (2, 1.0)] {
            x[axis * n + k] = sign * x[axis * n + other];
        }
    }
    // The two ends are on the axis and 1 - d apart.
    let [end_y, end_z] = [x[n + segments], x[2 * n + segments]];
    let stretch = 0.5 * (1.0 - SLACK) / x[segments];
    for k in 0..n {
        x[n + k] -= end_y * x[k] / x[segments];
        x[2 * n + k] -= end_z;
    }
    x[..n].iter_mut().for_each(|x| *x = *x * stretch + 0.5);
    x
}
