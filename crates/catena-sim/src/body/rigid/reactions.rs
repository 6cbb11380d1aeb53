//! Impulses of solids on the pins that hold them.
//!
//! A solid whose nodes return to their rigid arrangement passes momentum and angular momentum to
//! its pins. Pin i, at r from the mean of all pins, gets P/k + λ × r. The k pins share the momentum
//! P equally, and λ is chosen so that the impulses have the required moment. Among all impulses
//! with this sum and this moment, these have the minimum sum of squares. Pins on one line cannot
//! take a moment about that line.

use super::{Rows, inverse, solids, times};
use crate::body::vector::{Vec3, add, along, cross, dot, norm, scaled, sub};
use crate::body::{Model, State};

/// Square of the maximum distance of pins from a line, relative to the sum of their squared
/// distances from the mean, below which they count as collinear.
const ON_A_LINE: f64 = 1e-12;

/// Returns the impulses on pinned nodes of solids that settled from one state to another, as pairs
/// of node and impulse.
pub(crate) fn reactions(model: &Model, before: &State, after: &State) -> Vec<(usize, Vec3)> {
    let n = model.nodes();
    let mut all = Vec::new();
    for solid in solids(model) {
        let pins: Vec<usize> =
            solid.part.nodes.iter().copied().filter(|&node| model.pinned[node]).collect();
        if pins.is_empty() {
            continue;
        }
        let share = 1.0 / pins.len() as f64;
        let middle =
            pins.iter().fold([0.0; 3], |sum, &pin| along(sum, share, after.position(n, pin)));
        let (mut momentum, mut moment) = ([0.0; 3], [0.0; 3]);
        for &node in solid.part.nodes.iter().filter(|&&node| !model.pinned[node]) {
            for (sign, state) in [(1.0, before), (-1.0, after)] {
                let part = scaled(state.velocity(n, node), sign * model.mass[node]);
                momentum = add(momentum, part);
                moment = add(moment, cross(sub(state.position(n, node), middle), part));
            }
        }
        let arms: Vec<Vec3> = pins.iter().map(|&pin| sub(after.position(n, pin), middle)).collect();
        let turn = turning(&arms, moment);
        let of = |(&pin, &arm): (&usize, &Vec3)| (pin, along(cross(turn, arm), share, momentum));
        all.extend(pins.iter().zip(&arms).map(of));
    }
    all
}

/// Solves Σ r × (λ × r) = moment for λ, where r are the arms.
fn turning(arms: &[Vec3], moment: Vec3) -> Vec3 {
    let mut rows: Rows = [[0.0; 3]; 3];
    let mut squares = 0.0;
    for &arm in arms {
        let square = dot(arm, arm);
        squares += square;
        for (axis, row) in rows.iter_mut().enumerate() {
            *row = along(*row, -arm[axis], arm);
            row[axis] += square;
        }
    }
    if squares == 0.0 {
        return [0.0; 3];
    }
    let farthest = arms.iter().copied().max_by(|a, b| norm(*a).total_cmp(&norm(*b)));
    let line = farthest.map_or([0.0; 3], |arm| scaled(arm, 1.0 / norm(arm)));
    let off_line = arms.iter().map(|arm| norm(cross(line, *arm))).fold(0.0, f64::max);
    if off_line * off_line <= ON_A_LINE * squares {
        return scaled(along(moment, -dot(line, moment), line), 1.0 / squares);
    }
    inverse(&rows).map_or([0.0; 3], |inverse| times(&inverse, moment))
}
