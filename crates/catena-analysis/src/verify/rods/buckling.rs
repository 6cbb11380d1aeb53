//! Checks of the loads at which rods buckle: the sign of the second variation.

use super::balance::{Balance, Rope, clamp, line, onset};
use super::{extrapolated, order_of};
use crate::verify::{
    Tolerance::{Absolute, Relative},
    check::{CheckList, CheckSetups},
};
use catena_sim::force::Gravity;
use catena_sim::force::rod::{Rod, Section};
use catena_sim::{Arrangement, Form, Model, Part, Spring, State};
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

/// Numbers of segments from whose results a load is extrapolated.
const MESHES: [usize; 2] = [16, 32];
/// Buckling twist of Michell's ring in radians, times GJ/EI: 2π√3.
pub(super) const MICHELL: f64 = 10.882_796_185_405_306;
/// Torsional stiffness GJ of the ring, for EI = 1.
const TORSION: f64 = 0.7;

pub(super) fn add(list: &mut CheckList) {
    list.set_reference("strut clamped at one end: P = π²EI/4L² (Euler 1744)");
    list.add("Euler load of a clamped strut", PI * PI / 4.0, Relative(2e-5), |setups| {
        over_meshes(|segments| strut(setups, segments))
    });
    list.add("order in segments of Euler's load", 2.0, Absolute(0.05), |setups| {
        Some(order_of([strut(setups, 16)?, strut(setups, 32)?], PI * PI / 4.0))
    });
    list.set_reference("standing column: wL³/EI = 7.8373 (Greenhill 1881)");
    list.add("buckling weight of a column", 7.8373, Relative(5e-5), |setups| {
        over_meshes(|segments| column(setups, segments))
    });
    list.set_reference("straight rod, closed into a ring: 2π√3 EI/GJ (Michell 1889, Zajac 1962)");
    list.add("buckling twist of Michell's ring", MICHELL, Relative(1e-3), |setups| {
        Some(extrapolated(&[ring(setups, 20)?, ring(setups, 40)?]))
    });
    list.add("order in segments of Michell's ring", 2.0, Absolute(0.05), |setups| {
        Some(order_of([ring(setups, 20)?, ring(setups, 40)?], MICHELL))
    });
}

/// Extrapolates a load from two numbers of segments.
pub(super) fn over_meshes(load: impl Fn(usize) -> Option<f64>) -> Option<f64> {
    let loads: Vec<f64> = MESHES.iter().map(|&segments| load(segments)).collect::<Option<_>>()?;
    Some(extrapolated(&loads))
}

/// Load along a strut of length 1 and EI = 1 at which it buckles.
fn strut(setups: &CheckSetups<'_>, segments: usize) -> Option<f64> {
    let axial = 1e6;
    onset(2.0, 3.0, |load| {
        let section = Section::round(1.0, 0.0);
        let setup = line(2, segments, axial)?.with_rod(section, |rod| rod.clamp(clamp(0, 0.0)))?;
        let mut balance = Balance::new(setups, setup);
        balance.load(segments, [-load, 0.0].into());
        balance.state.x[..=segments].iter_mut().for_each(|x| *x *= 1.0 - load / axial);
        Some(balance.is_unstable(0.0))
    })
}

/// Weight at which a column of length 1 and EI = 1 buckles. The column is a rod along x, and
/// gravity pushes it against its clamp.
fn column(setups: &CheckSetups<'_>, segments: usize) -> Option<f64> {
    onset(6.0, 9.0, |weight| {
        let section = Section::round(1.0, 0.0);
        let mut setup =
            line(2, segments, 1e6)?.with_rod(section, |rod| rod.clamp(clamp(0, 0.0)))?;
        setup.forces.push(Arc::new(Gravity { acceleration: vec![-weight, 0.0] }));
        let mut balance = Balance::new(setups, setup);
        balance.settle()?;
        Some(balance.is_unstable(0.0))
    })
}

/// Twist of a ring of radius 1 and EI = 1 at which it leaves its plane, times GJ/EI.
pub(super) fn ring(setups: &CheckSetups<'_>, segments: usize) -> Option<f64> {
    onset(10.5, 12.2, |twist| {
        let turns = twist / TORSION / TAU;
        let section = Section::round(1.0, TORSION);
        let setup = polygon(segments).with_rod(section, |rod| Rod { turns, ..rod })?;
        let mut balance = Balance::new(setups, setup);
        balance.settle()?;
        // Six rigid motions have stiffness 0, up to rounding.
        Some(balance.is_unstable(-1e-4))
    })
}

/// A regular polygon in the plane of x and y.
pub(super) fn polygon(segments: usize) -> Rope {
    let angle = TAU / segments as f64;
    let mut x = vec![0.0; 3 * segments];
    for i in 0..segments {
        let (sine, cosine) = libm::sincos(angle * i as f64);
        (x[i], x[segments + i]) = (cosine, sine);
    }
    let side = 2.0 * libm::sin(0.5 * angle);
    let spring = |i: usize| {
        let b = (i + 1) % segments;
        Spring { a: i, b, stiffness: 1e4 / side, rest_length: side }
    };
    let part = Part {
        name: String::new(),
        form: Form::Rope { closed: true },
        nodes: (0..segments).collect(),
        springs: (0..segments).collect(),
    };
    let model = Model {
        axes: 3,
        mass: vec![1.0 / segments as f64; segments],
        pinned: vec![false; segments],
        structural: segments,
        held: segments,
        springs: (0..segments).map(spring).collect(),
        arrangement: Arrangement::Parts,
        parts: vec![part],
    };
    Rope { model, state: State::at_rest(x) }
}
