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
    Tolerance::Relative,
    check::{CheckList, CheckSetups},
};
use catena_sim::force::rod::Section;
use catena_sim::{Body, Setup};
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
/// EA L²/EI, so large that the rod does not stretch.
const AXIAL: f64 = 1e9;

pub(super) fn add(list: &mut CheckList) {
    list.set_reference("local helix: 27 turns, slack 0.03 L (van der Heijden and Thompson 2000)");
    list.add("moment of a local helix: ML/EI", MOMENT, Relative(1e-3), |setups| {
        Some(extrapolated(&[moment(setups, 200)?, moment(setups, 400)?]))
    });
}

/// Moment of the rod in equilibrium.
fn moment(setups: &CheckSetups<'_>, segments: usize) -> Option<f64> {
    let section = Section::round(1.0, TORSION);
    let setup = line(3, segments, AXIAL)?
        .with_rod(section, |rod| rod.clamp(clamp(0, 0.0)).clamp(clamp(segments, TURNS)))?;
    let mut balance = Balance::new(setups, setup);
    balance.state.x = near_helix(segments);
    balance.settle()?;
    let (setup, memory) = balance.parts();
    let turns = turns(setup, &Body { model: &setup.model, springs: memory }, &balance)?;
    Some(TORSION * TAU * turns)
}

fn turns(setup: &Setup, body: &Body<'_>, balance: &Balance) -> Option<f64> {
    Some(setup.rods()?.readings(body, &balance.state).pop()?.turns)
}

/// Positions of nodes near the helix, from its tangents integrated over the segments. The ends are
/// on the axis.
fn near_helix(segments: usize) -> Vec<f64> {
    let (n, h) = (segments + 1, 1.0 / segments as f64);
    let depth = 2.0 * (1.0 - MOMENT * MOMENT / (4.0 * TENSION));
    let rate = (TENSION - 0.25 * MOMENT * MOMENT).sqrt();
    let cosine = |s: f64| {
        let cosh = libm::cosh(rate * s);
        1.0 - depth / (cosh * cosh)
    };
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
