//! Search for the place on a part of a body that is nearest to a point: a node, or a point on a
//! spring.

use crate::body::DrawnPart;
use crate::vector::{Vec3, add, dot, scaled, sub};
use std::collections::BTreeMap;

/// Number of layers of cells around a point that are searched. If they are empty, all nodes are
/// searched.
const LAYERS: i64 = 4;

/// Nodes of a part in a grid whose cells are as wide as the mean spring length, with the springs at
/// each node.
pub struct PartNodes {
    cell: f64,
    cells: BTreeMap<[i64; 3], Vec<usize>>,
    /// Nodes that springs connect to each node of the body.
    neighbours: BTreeMap<usize, Vec<usize>>,
    all: Vec<usize>,
}

/// A place on a part, at a share of the distance between two nodes of the body.
#[derive(Clone, Copy, Debug)]
pub struct NearPlace {
    /// Nearest node.
    pub node: usize,
    ends: [usize; 2],
    share: f64,
}

impl NearPlace {
    /// Position of the place.
    pub fn at(&self, part: &DrawnPart<'_>) -> Vec3 {
        let [from, to] = self.ends.map(|number| part.place(number));
        add(from, scaled(sub(to, from), self.share))
    }
}

impl PartNodes {
    /// Sorts the nodes of a part.
    pub fn new(part: &DrawnPart<'_>) -> Self {
        let spacing = part.spacing();
        let cell = if spacing.is_finite() && spacing > 0.0 { spacing } else { 1.0 };
        let all: Vec<usize> = (0..part.nodes()).map(|i| part.number(i)).collect();
        let mut cells: BTreeMap<[i64; 3], Vec<usize>> = BTreeMap::new();
        for &number in &all {
            cells.entry(place_of(part.place(number), cell)).or_default().push(number);
        }
        let mut neighbours: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for ([a, b], _) in part.threads_with_lengths() {
            neighbours.entry(a).or_default().push(b);
            neighbours.entry(b).or_default().push(a);
        }
        Self { cell, cells, neighbours, all }
    }

    /// The place on the part that is nearest to a point: its nearest node, or a point on a spring
    /// at that node.
    pub fn nearest(&self, part: &DrawnPart<'_>, at: Vec3) -> NearPlace {
        let node = self.nearest_node(part, at);
        let mut best = NearPlace { node, ends: [node; 2], share: 0.0 };
        let mut minimum = square(sub(at, part.place(node)));
        for &other in self.neighbours.get(&node).into_iter().flatten() {
            let (from, offset) = (part.place(node), sub(part.place(other), part.place(node)));
            let share = dot(sub(at, from), offset) / square(offset).max(f64::MIN_POSITIVE);
            let place = NearPlace { node, ends: [node, other], share: share.clamp(0.0, 1.0) };
            let distance = square(sub(at, place.at(part)));
            if distance < minimum {
                (best, minimum) = (place, distance);
            }
        }
        best
    }

    fn nearest_node(&self, part: &DrawnPart<'_>, at: Vec3) -> usize {
        let middle = place_of(at, self.cell);
        let mut found: Vec<usize> = Vec::new();
        for layer in 0..=LAYERS {
            let was_found = !found.is_empty();
            self.add_layer(middle, layer, &mut found);
            // A node in the next layer may still be nearer.
            if was_found {
                break;
            }
        }
        let among = if found.is_empty() { &self.all } else { &found };
        let nearer = |a: &usize, b: &usize| {
            let [a, b] = [*a, *b].map(|number| square(sub(at, part.place(number))));
            a.total_cmp(&b)
        };
        among.iter().copied().min_by(nearer).unwrap_or(0)
    }

    /// Adds the nodes in the cells at this distance from the middle, in cells.
    fn add_layer(&self, middle: [i64; 3], layer: i64, found: &mut Vec<usize>) {
        for x in -layer..=layer {
            for y in -layer..=layer {
                let is_inner = x.abs() < layer && y.abs() < layer;
                let step = if is_inner { (2 * layer).max(1) } else { 1 };
                for z in (-layer..=layer).step_by(step as usize) {
                    let [a, b, c] = middle;
                    let place = [a.saturating_add(x), b.saturating_add(y), c.saturating_add(z)];
                    found.extend(self.cells.get(&place).into_iter().flatten());
                }
            }
        }
    }
}

fn place_of(at: Vec3, cell: f64) -> [i64; 3] {
    at.map(|value| (value / cell).floor() as i64)
}

fn square(vector: Vec3) -> f64 {
    dot(vector, vector)
}
