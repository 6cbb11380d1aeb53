//! Neighbours along the springs, whose pieces may come closer than their thickness.
//!
//! A round tube of diameter h bends at most to a half circle of radius h/2. Along this half circle,
//! the centre line has the length (π/2) h. Points at a distance s along the centre line have a
//! distance of h sin(s/h) in space, at least 2s/π. Pieces closer than (π/2) h along the springs at
//! rest may touch by such a bend alone. Their minimum distance is therefore s/π, half of 2s/π, so
//! that they do not pass through each other.

use crate::body::Model;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::f64::consts::FRAC_PI_2;

/// Maximum mean number of neighbours per node.
const MAX: usize = 256;

/// Neighbours of each node in ascending order, with their distances along the springs at rest.
#[derive(Clone, Debug, Default)]
pub(super) struct Neighbours {
    first: Vec<usize>,
    around: Vec<(usize, f64)>,
}

impl Neighbours {
    /// Finds the neighbours of all nodes for pieces of at most this thickness. Returns `None` if
    /// there are too many.
    pub(super) fn new(model: &Model, thickness: f64) -> Option<Self> {
        let (n, reach) = (model.nodes(), FRAC_PI_2 * thickness);
        let mut springs: Vec<Vec<(usize, f64)>> = vec![Vec::new(); n];
        for spring in model.held() {
            springs[spring.a].push((spring.b, spring.rest_length));
            springs[spring.b].push((spring.a, spring.rest_length));
        }
        let (mut all, mut distance) = (Self::default(), vec![f64::INFINITY; n]);
        for node in 0..n {
            all.first.push(all.around.len());
            let from = all.around.len();
            let mut open = BinaryHeap::from([(Reverse(0), node)]);
            distance[node] = 0.0;
            // Non-negative numbers have the same order as their bits.
            while let Some((Reverse(bits), at)) = open.pop() {
                let total = f64::from_bits(bits);
                if total > distance[at] {
                    continue;
                }
                all.around.push((at, total));
                if all.around.len() > MAX * n {
                    return None;
                }
                for &(next, length) in &springs[at] {
                    let sum = total + length;
                    if sum < reach && sum < distance[next] {
                        distance[next] = sum;
                        open.push((Reverse(sum.to_bits()), next));
                    }
                }
            }
            all.around[from..].iter().for_each(|(at, _)| distance[*at] = f64::INFINITY);
            all.around[from..].sort_unstable_by_key(|(at, _)| *at);
        }
        all.first.push(all.around.len());
        Some(all)
    }

    /// Returns the minimum distance along the springs between two sets of nodes; 0 if they share a
    /// node. Returns `None` if it is at least a half circle of diameter `thickness`.
    pub(super) fn distance_along_springs(
        &self,
        a: &[usize],
        b: &[usize],
        thickness: f64,
    ) -> Option<f64> {
        let reach = FRAC_PI_2 * thickness;
        let mut minimum = f64::INFINITY;
        for &i in a {
            // Nodes of colliders have no springs.
            if i + 1 >= self.first.len() {
                continue;
            }
            let around = &self.around[self.first[i]..self.first[i + 1]];
            for &j in b {
                if let Ok(at) = around.binary_search_by_key(&j, |(at, _)| *at) {
                    minimum = minimum.min(around[at].1);
                }
            }
        }
        (minimum < reach).then_some(minimum)
    }
}
