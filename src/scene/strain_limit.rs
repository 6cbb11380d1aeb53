//! The strain from which a body counts as diverged.

use crate::sim::{Setup, Spring, anchor::Anchor, impulse::Impulse};

/// The strain from which a body counts as diverged: ten times what is natural. That is one rest
/// length, how far pins are led apart, what all loads together do to one spring, what a projection
/// cannot undo in one step, how far a pin moves in one step, and what the hardest impulse does to a
/// spring.
pub(super) fn strain_limit(setup: &Setup, gravity: &[f64]) -> f64 {
    let model = &setup.model;
    let g = norm(gravity);
    let load: f64 = setup.forces.iter().map(|force| force.load(model)).sum();
    let sag = model.nodes() as f64 * g * setup.dt() * setup.dt();
    let [way, jump] = farthest_ways(setup);
    // m v²/2 = k s²/2 with m v = J.
    let hardest = |stiffness: f64| {
        let stretch = |impulse: &Impulse| {
            norm(&impulse.impulse) / (model.mass[impulse.node] * stiffness).sqrt()
        };
        setup.impulses.iter().map(stretch).fold(0.0, f64::max)
    };
    let mut struck = (f64::NAN, 0.0);
    let natural = |spring: &Spring| {
        let stiffness = setup.method.stiffness_of(spring);
        // Many springs are as stiff as the one before.
        if struck.0 != stiffness {
            struck = (stiffness, hardest(stiffness));
        }
        (load / stiffness + sag + jump + struck.1) / spring.rest_length
    };
    // A bending spring is never strained more than the two springs beside it.
    let strains = model.held().iter().map(natural);
    let apart = way / model.rest_length();
    10.0 * strains.fold(1.0_f64, |most, strain| most.max(1.0 + apart + strain))
}

/// The length of a vector.
pub(super) fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|component| component * component).sum::<f64>().sqrt()
}

/// How far curves lead pins from where they started, and how far a pin moves in one step at the
/// most.
fn farthest_ways(setup: &Setup) -> [f64; 2] {
    let (mut way, mut jump) = (0.0_f64, 0.0_f64);
    for Anchor { node, curve } in &setup.anchors {
        let apart = |a: [f64; 3], b: [f64; 3]| norm(&[0, 1, 2].map(|axis| a[axis] - b[axis]));
        let start = setup.initial.position(setup.model.nodes(), *node);
        let places = curve.places();
        way = places.iter().fold(way, |way, place| way.max(apart(place.1, start)));
        // To where it is at the beginning, it goes at once.
        jump = jump.max(apart(start, curve.at(0.0).0));
        for pair in places.windows(2) {
            let (distance, time) = (apart(pair[0].1, pair[1].1), pair[1].0 - pair[0].0);
            // A smooth curve may for a while be faster than its mean.
            let share = if curve.jumps() { 1.0 } else { (3.0 * setup.dt() / time).min(1.0) };
            jump = jump.max(share * distance);
        }
    }
    [way, jump]
}
