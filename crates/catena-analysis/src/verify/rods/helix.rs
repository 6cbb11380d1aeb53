//! Check of helical buckling: a long twisted rod with slack buckles in its middle.

use super::balance::{Balance, clamp, line, setup_of};
use super::extrapolated;
use crate::verify::{
    Tolerance::Absolute,
    check::{CheckList, CheckSetups},
};
use catena_sim::force::rod::{Section, Tangent};
use catena_sim::{Model, State};

/// EI and GJ, with L = 100 as the unit of length.
const BENDING: f64 = 1.345;
const TORSION: f64 = 0.789;
const TURNS: f64 = 27.0;
/// Moment ML/EI and tension TL²/EI of the solution with 27 turns and a slack of 3.
const MOMENT: f64 = 98.541_496_171_190_744;
const PULL: f64 = 2.900_993_205_792_131e3;
const AXIAL: f64 = 1e7;
/// Slack over the length.
const SLACK: f64 = 0.03;
const MESHES: [usize; 3] = [200, 400, 800];

pub(super) fn add(list: &mut CheckList) {
    list.set_reference(
        "1 - cos θ = (2 - m²/2t)/cosh²(s√(t - m²/4)) (van der Heijden and Thompson 2000)",
    );
    let greatest = libm::acos(MOMENT * MOMENT / (2.0 * PULL) - 1.0).to_degrees();
    list.add("helical buckling: greatest angle to the axis", greatest, Absolute(0.02), |setups| {
        let angles = MESHES.iter().map(|&segments| greatest_angle(setups, segments));
        let angles: Vec<f64> = angles.collect::<Option<_>>()?;
        Some(extrapolated(&angles))
    });
}

/// 1 - cos θ at a place from the middle.
fn envelope(s: f64) -> f64 {
    let rate = (PULL - 0.25 * MOMENT * MOMENT).sqrt();
    let cosh = libm::cosh(rate * s);
    (2.0 - MOMENT * MOMENT / (2.0 * PULL)) / (cosh * cosh)
}

/// Nodes on the solution: its tangent turns about the axis by m/(1 + cos θ) per length.
fn buckled(segments: usize) -> Option<(Model, State)> {
    let (mut model, mut state) = line(3, segments, AXIAL)?;
    // The pull stretches the rod to its length.
    for spring in &mut model.springs {
        spring.rest_length /= 1.0 + PULL * BENDING / AXIAL;
    }
    let (n, length) = (segments + 1, 1.0 / segments as f64);
    let mut turned = 0.0;
    for k in 0..segments {
        let s = (k as f64 + 0.5) * length - 0.5;
        let cosine = 1.0 - envelope(s);
        let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
        turned += 0.5 * length * MOMENT / (1.0 + cosine);
        let (y, z) = libm::sincos(turned);
        turned += 0.5 * length * MOMENT / (1.0 + cosine);
        for (axis, step) in [cosine, sine * y, sine * z].into_iter().enumerate() {
            state.x[axis * n + k + 1] = state.x[axis * n + k] + length * step;
        }
    }
    // The ends lie on the axis.
    for axis in 1..3 {
        let off = state.x[axis * n + segments];
        for k in 0..n {
            state.x[axis * n + k] -= off * k as f64 * length;
        }
    }
    let scale = (1.0 - SLACK) / state.x[segments];
    state.x[..n].iter_mut().for_each(|x| *x *= scale);
    Some((model, state))
}

/// Greatest angle to the axis in the balance, in degrees.
fn greatest_angle(setups: &CheckSetups<'_>, segments: usize) -> Option<f64> {
    let along = |node: usize, turn: f64| {
        let mut clamp = clamp(node, turn);
        clamp.tangent = Some(Tangent::Constant([1.0, 0.0, 0.0]));
        clamp
    };
    let setup = setup_of(buckled(segments)?, Section::round(BENDING, TORSION), |rod| {
        rod.clamp(along(0, 0.0)).clamp(along(segments, TURNS))
    })?;
    let mut balance = Balance::new(setups, setup);
    balance.settle()?;
    let cosines = (0..segments).map(|k| {
        let [from, to] = [balance.position(k), balance.position(k + 1)];
        let step = [0, 1, 2].map(|axis| to[axis] - from[axis]);
        step[0] / catena_sim::vector::norm(step)
    });
    Some(libm::acos(cosines.fold(1.0, f64::min)).to_degrees())
}
