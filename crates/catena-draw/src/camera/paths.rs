//! Paths along the structural springs of a body, from its pins to its nodes.
//!
//! The length of a spring is the longer of its rest length and its initial length, plus its stretch
//! under the weight below it. The shortest paths from all pins form a forest. Each spring is
//! assumed to carry everything farther along its paths.

use super::held::Held;
use catena_sim::Setup;
use catena_sim::body::paths::{Neighbours, Path};

/// Maximum number of pins that are considered. Each pin limits every node, so a few suffice.
const SOME: usize = 9;

/// For each node, the nearest pin and some other pins, each with its maximum distance. Empty for a
/// node without a connection to a pin.
pub(super) fn distance_along_springs(setup: &Setup, held: &Held<'_>) -> Vec<Vec<(usize, f64)>> {
    let (model, n) = (&setup.model, setup.model.nodes());
    let mut lengths = lengths(setup);
    let neighbours = Neighbours::new(model, |j| held.cut[j]);
    let pins: Vec<usize> = (0..n).filter(|&i| held.pinned[i]).collect();
    let nearest = neighbours.shortest_paths(&lengths, &pins);
    let stretches = stretches(setup, held, &nearest);
    let mut distances = vec![Vec::new(); n];
    let mut strain = 0.0_f64;
    for path in &nearest {
        let stretch = stretches[path.node].min(10.0 * path.length);
        strain = strain.max(stretch / path.length.max(f64::MIN_POSITIVE));
        distances[path.node].push((path.source, path.length + stretch));
    }
    lengths.iter_mut().for_each(|length| *length *= 1.0 + strain);
    if pins.len() > 1 {
        for pin in some_of(&pins) {
            for path in neighbours.shortest_paths(&lengths, &[pin]) {
                distances[path.node].push((pin, path.length));
            }
        }
    }
    distances
}

/// Maximum of rest length and initial length of each structural spring.
fn lengths(setup: &Setup) -> Vec<f64> {
    let length = |spring| setup.model.span(&setup.initial.x, spring).1.max(spring.rest_length);
    setup.model.structural().iter().map(length).collect()
}

/// Twice the stretch of the path to each node under the weight that hangs from the path, as in a
/// fall from rest.
fn stretches(setup: &Setup, held: &Held<'_>, paths: &[Path]) -> Vec<f64> {
    let (model, g) = (&setup.model, held.gravity_strength());
    let mut beyond = model.mass.clone();
    for path in paths.iter().rev() {
        if let Some((before, _)) = path.last {
            beyond[before] += beyond[path.node];
        }
    }
    let mut stretches = vec![0.0; model.nodes()];
    for path in paths {
        if let Some((before, spring)) = path.last {
            let stretch = 2.0 * beyond[path.node] * g / model.springs[spring].stiffness;
            stretches[path.node] = stretches[before] + stretch;
        }
    }
    stretches
}

/// A few of these pins, evenly spaced.
pub(crate) fn some_of(pins: &[usize]) -> impl Iterator<Item = usize> + '_ {
    let count = pins.len().min(SOME);
    (0..count).map(move |k| pins[k * (pins.len() - 1) / (count - 1).max(1)])
}
