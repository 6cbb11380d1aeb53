//! The strain from which a body counts as diverged.

use crate::sim::{Setup, Spring, anchor::Anchor, impulse::Impulse};

/// The strain from which a body counts as diverged: ten times its greatest natural strain. That is
/// the sum of 1, the distance by which curves move pins apart, and for a spring: its stretch under
/// all loads together, the fall in one step that a projection cannot undo, the way of a pin in one
/// step, and its stretch by the hardest impulse.
pub(super) fn strain_limit(setup: &Setup, gravity: &[f64]) -> f64 {
    let model = &setup.model;
    let g = norm(gravity);
    let load: f64 = setup.forces.iter().map(|force| force.load(model)).sum();
    let sag = model.nodes() as f64 * g * setup.dt() * setup.dt();
    let [way, jump] = farthest_ways(setup);
    // The stretch s by an impulse J: m v²/2 = k s²/2 with m v = J.
    let hardest = |stiffness: f64| {
        let stretch = |impulse: &Impulse| {
            norm(&impulse.impulse) / (model.mass[impulse.node] * stiffness).sqrt()
        };
        setup.impulses.iter().map(stretch).fold(0.0, f64::max)
    };
    let mut struck = (f64::NAN, 0.0);
    let natural = |spring: &Spring| {
        let stiffness = setup.method.stiffness_of(spring);
        // Neighbouring springs are mostly equally stiff.
        if struck.0 != stiffness {
            struck = (stiffness, hardest(stiffness));
        }
        (load / stiffness + sag + jump + struck.1) / spring.rest_length
    };
    // A bending spring never has more strain than the two springs beside it.
    let strains = model.held().iter().map(natural);
    let apart = way / model.rest_length();
    10.0 * strains.fold(1.0_f64, |most, strain| most.max(1.0 + apart + strain))
}

/// The length of a vector.
pub(super) fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|component| component * component).sum::<f64>().sqrt()
}

/// The greatest distance of a pin from its start on its curve, and its greatest way in one step.
fn farthest_ways(setup: &Setup) -> [f64; 2] {
    let (mut way, mut jump) = (0.0_f64, 0.0_f64);
    for Anchor { node, curve } in &setup.anchors {
        let apart = |a: [f64; 3], b: [f64; 3]| norm(&[0, 1, 2].map(|axis| a[axis] - b[axis]));
        let start = setup.initial.position(setup.model.nodes(), *node);
        let places = curve.places();
        way = places.iter().fold(way, |way, place| way.max(apart(place.1, start)));
        // At the beginning a pin jumps to the start of its curve.
        jump = jump.max(apart(start, curve.at(0.0).0));
        for pair in places.windows(2) {
            let (distance, time) = (apart(pair[0].1, pair[1].1), pair[1].0 - pair[0].0);
            // A smooth curve may be faster than its mean for a while.
            let share = if curve.jumps() { 1.0 } else { (3.0 * setup.dt() / time).min(1.0) };
            jump = jump.max(share * distance);
        }
    }
    [way, jump]
}
