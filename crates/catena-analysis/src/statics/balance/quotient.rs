//! Rayleigh quotient of a shape, with a bound on its rounding error.
//!
//! The terms of springs and contacts are computed from the differences of displacements at their
//! ends. Products with the matrix would have fewer accurate digits, since entries of neighbours
//! nearly cancel.

use super::linear::Closed;
use super::{Balance, Guess, Linear};
use catena_sim::Block;
use catena_sim::vector::{Vec3, dot, norm, sub};

/// Error of a term of the sum, in units in the last place.
const ROUNDINGS: f64 = 8.0;
/// Square of the error of a shape, in units in the last place of 1.
const NOISE: f64 = 0.1;
/// Relative error of the curvature of a contact, which comes from differences of its normals.
const CURVATURE: f64 = 1e-8;

/// A sum of terms with a bound on its rounding error.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    value: f64,
    error: f64,
}

impl Sum {
    /// Adds a term. `size` is the magnitude of the products in the term, and `scale` is the
    /// magnitude that the term would have for a shape without accurate digits.
    fn add(&mut self, value: f64, size: f64, scale: f64) {
        self.value += value;
        self.error += f64::EPSILON * (ROUNDINGS * size + NOISE * scale);
    }
}

impl Balance<'_> {
    /// Rayleigh quotient of a shape with Σ m |displacement|² = 1, and a bound on its rounding
    /// error. `None` if quantities of many nodes depend on the shape, such as the twist of a rod.
    pub(in crate::statics) fn quotient(
        &self,
        guess: &Guess,
        linear: &Linear,
        shape: &[f64],
    ) -> Option<[f64; 2]> {
        let n = self.setup.model.nodes();
        let at = |node: usize| -> Vec3 {
            [0, 1, 2].map(|axis| shape.get(axis * n + node).copied().unwrap_or(0.0))
        };
        let (mut sum, mut has_shared) = (Sum::default(), false);
        for index in 0..self.links.len() {
            self.add_link(guess, index, &at, &mut sum);
        }
        let mut visit = |[i, j]: [usize; 2], block: &Block| {
            let (a, b) = (at(i), at(j));
            let part: f64 = (0..3).map(|p| a[p] * dot(block[p], b)).sum();
            // The entries of a block are differences of numbers as large as its largest entry.
            let greatest =
                block.iter().flatten().fold(0.0_f64, |maximum, value| maximum.max(value.abs()));
            let size = greatest * norm(a) * norm(b);
            sum.add(-part, size, size);
        };
        self.each_shared(guess, false, &mut visit, &mut |_| has_shared = true);
        linear.closed.iter().for_each(|closed| self.add_closed(guess, closed, &at, &mut sum));
        for (held, stiffness) in &linear.held {
            let (mut along, mut size, mut scale) = (0.0, 0.0, 0.0);
            for (node, weight) in &held.nodes {
                let part = weight * dot(held.direction, at(*node));
                along += part;
                size += part.abs();
                scale += weight.abs() * norm(at(*node));
            }
            sum.add(
                stiffness * along * along,
                stiffness * along.abs() * size,
                stiffness * scale * scale,
            );
        }
        (!has_shared).then_some([sum.value, sum.error])
    }

    fn add_link(&self, guess: &Guess, index: usize, at: &dyn Fn(usize) -> Vec3, sum: &mut Sum) {
        let link = self.stretch(guess, index);
        let spring = &self.setup.model.springs[self.links[index].spring];
        let (a, b) = (at(spring.a), at(spring.b));
        let (offset, ends) = (sub(b, a), norm(a) + norm(b));
        let stretch = dot(offset, link.u);
        let across = dot(offset, offset) - stretch * stretch;
        let [own, transverse] = [link.slope, guess.tension[index] / link.length];
        let scale = ends * ends;
        sum.add(own * stretch * stretch, (own * stretch).abs() * ends, own.abs() * scale);
        sum.add(
            transverse * across,
            transverse.abs() * norm(offset) * ends,
            transverse.abs() * scale,
        );
    }

    fn add_closed(
        &self,
        guess: &Guess,
        Closed { touch, stiffness }: &Closed,
        at: &dyn Fn(usize) -> Vec3,
        sum: &mut Sum,
    ) {
        let gap = &touch.gap;
        let (mut open, mut size, mut scale) = (0.0, 0.0, 0.0);
        for (node, weight) in gap.weighted() {
            let part = weight * dot(gap.normal, at(node));
            open += part;
            size += part.abs();
            scale += weight.abs() * norm(at(node));
        }
        sum.add(stiffness * open * open, stiffness * open.abs() * size, stiffness * scale * scale);
        let curvature = self.curvature(gap, &guess.x);
        let ends: Vec<f64> = gap.nodes.into_iter().take(gap.count).flat_map(at).collect();
        for (row, a) in ends.iter().enumerate() {
            for (column, b) in ends.iter().enumerate() {
                let part = touch.push * curvature[row][column] * a * b;
                sum.add(-part, 0.0, 0.0);
                sum.error += CURVATURE * part.abs();
            }
        }
    }
}
