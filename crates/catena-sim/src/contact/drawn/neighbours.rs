//! Which nodes are neighbours along the springs, so that their pieces may come closer than they are
//! thick.
//!
//! A round tube of diameter h cannot be bent more tightly than to half a circle of radius h/2,
//! along which its centre line is (π/2) h long. Points of it that are s apart along the centre line
//! have a distance of h sin(s/h), at least 2s/π, there. Pieces that are nearer to each other than
//! that half circle, along the springs at rest, cannot be told from such a bend: they keep s/π,
//! half of that distance, so that they do not pass through each other.

use crate::body::Model;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::f64::consts::FRAC_PI_2;

/// Most neighbours of all nodes together, for each node.
const MOST: usize = 256;

/// The nodes around each node, in order, with their distances along the springs at rest.
#[derive(Clone, Debug, Default)]
pub(super) struct Neighbours {
    first: Vec<usize>,
    around: Vec<(usize, f64)>,
}

impl Neighbours {
    /// The neighbours of all nodes for pieces that keep at most this distance; `None` where that
    /// makes all too many.
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
            // Bits of numbers that are not negative are ordered as the numbers are.
            while let Some((Reverse(bits), at)) = open.pop() {
                let so_far = f64::from_bits(bits);
                if so_far > distance[at] {
                    continue;
                }
                all.around.push((at, so_far));
                if all.around.len() > MOST * n {
                    return None;
                }
                for &(next, length) in &springs[at] {
                    let sum = so_far + length;
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

    /// The least distance along the springs of two pieces with these nodes, 0 where they share one;
    /// `None` where it is as long as half a circle of this diameter.
    pub(super) fn way(&self, a: &[usize], b: &[usize], thickness: f64) -> Option<f64> {
        let reach = FRAC_PI_2 * thickness;
        let mut least = f64::INFINITY;
        for &i in a {
            // Nodes of colliders have no springs.
            if i + 1 >= self.first.len() {
                continue;
            }
            let around = &self.around[self.first[i]..self.first[i + 1]];
            for &j in b {
                if let Ok(at) = around.binary_search_by_key(&j, |(at, _)| *at) {
                    least = least.min(around[at].1);
                }
            }
        }
        (least < reach).then_some(least)
    }
}
