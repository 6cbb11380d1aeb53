//! Checks with references for the discrete rod: bending of a hinged chain of beads, its Euler load,
//! and twist.

use crate::modes::natural::natural_modes;
use crate::verify::{
    Tolerance::{Absolute, Relative},
    check::{CheckList, CheckSetups},
};
use catena_sim::body::shape::Topology;
use catena_sim::drive::track::Animated;
use catena_sim::force::rod::{Clamp, Rod, Rods, Section};
use catena_sim::{Rope, Setup};
use std::f64::consts::{PI, TAU};

/// Number of segments of the chain.
const SEGMENTS: usize = 12;
/// Mass of a node.
const MASS: f64 = 0.2;
/// Rest length of a segment.
const SPACING: f64 = 0.5;
/// Bending stiffness E I.
const BENDING: f64 = 3.0;
/// Torsional stiffness G J.
const TORSION: f64 = 2.0;
/// Stiffness along the chain, much larger than across it, so that modes do not mix.
const STIFFNESS: f64 = 1e5;

pub(super) fn add(list: &mut CheckList) {
    list.set_reference("N hinged segments l of EI: ω_n = 4√(EI/ml³) sin²(nπ/2N) (Bernoulli 1735)");
    for mode in [1, 2, 5, 11] {
        let sine = libm::sin(mode as f64 * PI / (2 * SEGMENTS) as f64);
        let slow = 4.0 * (BENDING / (MASS * SPACING * SPACING * SPACING)).sqrt();
        let name = format!("frequency {mode} of 12 segments");
        list.add(name, slow * sine * sine, Relative(1e-9), move |setups| {
            Some(across(setups, 0.0)?[mode - 1].max(0.0).sqrt())
        });
    }
    list.set_reference("N hinged segments l: P = (4EI/l²) sin²(π/2N) (Euler 1744)");
    let sine = libm::sin(PI / (2 * SEGMENTS) as f64);
    let load = 4.0 * BENDING / (SPACING * SPACING) * sine * sine;
    list.add("ω₁² at the Euler load", 0.0, Absolute(1e-6), move |setups| {
        Some(across(setups, load)?[0])
    });
    list.set_reference("torque of a shaft: GJ φ/L (Coulomb 1784)");
    let length = SPACING * SEGMENTS as f64;
    let energy = 0.5 * TORSION * TAU * TAU * 9.0 / length;
    list.add("energy of 3 turns", energy, Relative(1e-12), twisted);
}

/// ω² of the transverse modes of a planar hinged rod under a compressive load, in ascending order.
fn across(setups: &CheckSetups<'_>, load: f64) -> Option<Vec<f64>> {
    let length = SPACING * SEGMENTS as f64;
    let rope = Rope::new([0.0, 0.0], [length, 0.0], SEGMENTS + 1).of(MASS, STIFFNESS);
    let rope = rope.pin(0).pin(SEGMENTS);
    let (mut model, initial) = rope.build().ok()?;
    let section = Section::round(BENDING, 0.0);
    let rod = Rod::along(&model, 0, section).ok()?;
    let rods = Rods::new(&model, &initial, vec![rod]).ok()?;
    for spring in &mut model.springs {
        spring.rest_length += load / STIFFNESS;
    }
    let setup = Setup::of_body(model, initial.clone()).force(rods).check().ok()?;
    let setup = setups.ready(Setup::clone(&setup));
    let n = SEGMENTS + 1;
    let modes = natural_modes(&setup, &initial)?;
    let is_across = |shape: &[f64]| {
        let size = |part: &[f64]| part.iter().map(|value| value * value).sum::<f64>();
        size(&shape[n..]) > size(&shape[..n])
    };
    let modes = modes.into_iter().filter(|mode| is_across(&mode.shape));
    let squares: Vec<f64> = modes.map(|mode| mode.omega_squared).collect();
    (squares.len() == SEGMENTS - 1).then_some(squares)
}

/// Twist energy of a straight rod between clamps that differ by three turns.
fn twisted(setups: &CheckSetups<'_>) -> Option<f64> {
    let length = SPACING * SEGMENTS as f64;
    let rope = Rope::new([0.0, 0.0, 0.0], [length, 0.0, 0.0], SEGMENTS + 1).of(MASS, STIFFNESS);
    let rope = rope.pin(0).pin(SEGMENTS);
    let (model, initial) = rope.build().ok()?;
    let clamp =
        |node: usize, turn: f64| Clamp { node, tangent: None, turn: Animated::number(turn) };
    let rod = Rod::along(&model, 0, Section::round(BENDING, TORSION)).ok()?;
    let rod = rod.clamp(clamp(0, 0.0)).clamp(clamp(SEGMENTS, 3.0));
    let rods = Rods::new(&model, &initial, vec![rod]).ok()?;
    let setup = Setup::of_body(model, initial).force(rods).check().ok()?;
    Some(setups.start(Setup::clone(&setup)).energy().twist)
}
