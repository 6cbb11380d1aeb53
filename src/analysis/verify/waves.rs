//! The stretched string of beads.

use super::Check;
use super::Tolerance::Relative;
use super::bodies::Body;
use super::check::List;
use super::formula::beads;
use super::lab::Lab;
use super::watch::frequency;
use crate::sim::{body::shape::rope::Matter, method::VelocityVerlet};
use std::{f64::consts::PI, sync::Arc};

const STIFFNESS: f64 = 400.0;
const MASS: f64 = 0.3;
const SPACING: f64 = 0.5;
/// Springs that are a fifth too short pull with this.
const TENSION: f64 = STIFFNESS * 0.2 * SPACING;

pub(super) fn checks() -> Vec<Check> {
    let mut list = List::new("stretched string");
    list.reference("N beads, a apart: ω_n = 2√(T/ma) sin(nπ/2(N+1)) (Lagrange 1759)");
    let ratio = TENSION / (MASS * SPACING);
    for mode in [1, 2, 5, 12] {
        list.add(
            format!("frequency {mode} of 12 beads"),
            beads(mode, 12, ratio),
            Relative(2e-5),
            move |lab| sound(lab, mode, 12),
        );
    }
    list.reference("speed of a wave: √(T/μ) (Taylor 1713), from the lowest mode: ω₁ L/π");
    let speed = (TENSION * SPACING / MASS).sqrt();
    list.add("speed along 200 beads", speed, Relative(5e-5), |lab| wave(lab, 200));
    list.information("speed along 12 beads and the continuum", speed, |lab| wave(lab, 12));
    list.done()
}

/// Frequency of a mode, swinging by little.
fn sound(lab: &Lab<'_>, mode: usize, count: usize) -> Option<f64> {
    let length = SPACING * (count + 1) as f64;
    let body = Body {
        ends: [[0.0, 0.0], [length, 0.0]],
        matter: Matter::Nodes { mass: MASS, stiffness: STIFFNESS },
        pins: vec![0, count + 1],
        gravity: 0.0,
        method: Arc::new(VelocityVerlet {}),
        // Short beside the period of the fastest mode, 0.19.
        frame_time: 2e-4,
        substeps: 1,
        ..Body::classroom(count + 2, 1)
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
    frequency(&mut lab.start(setup), turns, |state| {
        state.x[n..].iter().zip(&shape).map(|(y, shape)| y * shape).sum()
    })
}

fn wave(lab: &Lab<'_>, count: usize) -> Option<f64> {
    Some(sound(lab, 1, count)? * SPACING * (count + 1) as f64 / PI)
}
