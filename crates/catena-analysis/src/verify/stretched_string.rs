//! Checks of the stretched string of beads.

use super::{
    Check,
    Tolerance::Relative,
    bodies::CheckBody,
    check::{CheckList, CheckSetups},
    formula::beads,
    readings::measure_frequency,
};
use catena_sim::{body::shape::rope::Matter, method::VelocityVerlet};
use std::{f64::consts::PI, sync::Arc};

/// Stiffness of a spring.
const STIFFNESS: f64 = 400.0;
/// Mass of a node.
const MASS: f64 = 0.3;
/// Distance of neighbouring nodes.
const SPACING: f64 = 0.5;
/// Tension of springs whose rest length is 20 % shorter than their length.
const TENSION: f64 = STIFFNESS * 0.2 * SPACING;

pub(super) fn checks() -> Vec<Check> {
    let mut list = CheckList::new("stretched string");
    list.set_reference("N beads, a apart: ω_n = 2√(T/ma) sin(nπ/2(N+1)) (Lagrange 1759)");
    let ratio = TENSION / (MASS * SPACING);
    for mode in [1, 2, 5, 12] {
        list.add(
            format!("frequency {mode} of 12 beads"),
            beads(mode, 12, ratio),
            Relative(2e-5),
            move |setups| mode_frequency(setups, mode, 12),
        );
    }
    list.set_reference("speed of a wave: √(T/μ) (Taylor 1713), from the lowest mode: ω₁ L/π");
    let speed = (TENSION * SPACING / MASS).sqrt();
    list.add("speed along 200 beads", speed, Relative(5e-5), |setups| wave_speed(setups, 200));
    list.add_information("speed along 12 beads and the continuum", speed, |setups| {
        wave_speed(setups, 12)
    });
    list.done()
}

/// Frequency of mode `mode` of `count` beads, at a small amplitude.
fn mode_frequency(setups: &CheckSetups<'_>, mode: usize, count: usize) -> Option<f64> {
    let length = SPACING * (count + 1) as f64;
    let body = CheckBody {
        ends: [[0.0, 0.0], [length, 0.0]],
        matter: Matter::Nodes { mass: MASS, stiffness: STIFFNESS },
        pins: vec![0, count + 1],
        gravity: 0.0,
        method: Arc::new(VelocityVerlet::default()),
        // The step is much shorter than the period of the fastest mode, 0.19.
        frame_time: 2e-4,
        substeps: 1,
        ..CheckBody::classroom(count + 2, 1)
    };
    let mut setup = body.setup();
    setup.model.springs.iter_mut().for_each(|spring| spring.rest_length = 0.8 * SPACING);
    let n = count + 2;
    let shape = move |i: usize| libm::sin(mode as f64 * PI * i as f64 / (count + 1) as f64);
    let shape: Vec<f64> = (0..n).map(shape).collect();
    for (y, shape) in setup.initial.x[n + 1..=n + count].iter_mut().zip(&shape[1..]) {
        *y = 1e-5 * shape;
    }
    let turns = if count > 100 { 1 } else { 6 };
    measure_frequency(&mut setups.start(setup), turns, |state| {
        state.x[n..].iter().zip(&shape).map(|(y, shape)| y * shape).sum()
    })
}

/// Speed of a wave, from the lowest mode.
fn wave_speed(setups: &CheckSetups<'_>, count: usize) -> Option<f64> {
    Some(mode_frequency(setups, 1, count)? * SPACING * (count + 1) as f64 / PI)
}
