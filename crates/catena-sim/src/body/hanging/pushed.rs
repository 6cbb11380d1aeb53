//! Balance of a chain with compressed segments.
//!
//! The nodes move to a minimum of the energy Σ k (|d| - l)²/2 - Σ w y, in which springs resist
//! extension and compression. The solver is Newton's method with a damped Hessian (Levenberg 1944,
//! Marquardt 1963). The Hessian is block tridiagonal. The forces found there are the initial value
//! of Newton's method for the first tension, with negative signs for compressed segments. The
//! result is exact to rounding, also for rigid segments.

use super::{HangingBalance, HangingChain, newton};
use crate::body::vector::norm;

/// Relative stretch of a placeholder spring under the weight of the whole chain.
const STAND_IN: f64 = 1e-4;
/// Maximum number of minimisation steps.
const STEPS: usize = 2000;

/// Returns the balance; `None` if none is found.
pub(super) fn solve(chain: &HangingChain) -> Option<HangingBalance> {
    let weight: f64 = chain.weights.iter().sum();
    let total: f64 = chain.lengths.iter().sum();
    if norm(chain.target) >= total * (1.0 - 1e-12) || weight <= 0.0 {
        return None;
    }
    let springs = PushedSprings::of(chain, weight);
    let mut at = springs.start(chain);
    springs.settle(chain, &mut at)?;
    let pull = |j: usize| springs.tension(&at, chain, j).0;
    let signs = (0..chain.lengths.len()).map(|j| if pull(j) < 0.0 { -1.0 } else { 1.0 });
    let (pull, along) = springs.tension(&at, chain, 0);
    polished(chain, [pull * along[0], pull * along[1]], signs.collect(), total)
}

/// Refines a first tension that is close to the solution by Newton's method, until rounding errors
/// dominate.
fn polished(
    chain: &HangingChain,
    mut first: [f64; 2],
    signs: Vec<f64>,
    total: f64,
) -> Option<HangingBalance> {
    let (_, mut gradient, mut hessian) = chain.evaluate(first, &signs);
    'steps: for _ in 0..60 {
        let step = newton(gradient, hessian);
        let mut share = 1.0;
        while share > 1e-9 {
            let next = [first[0] + share * step[0], first[1] + share * step[1]];
            let found = chain.evaluate(next, &signs);
            if norm(found.1) < norm(gradient) {
                first = next;
                (gradient, hessian) = (found.1, found.2);
                continue 'steps;
            }
            share *= 0.5;
        }
        break;
    }
    (norm(gradient) <= 1e-9 * total).then_some(HangingBalance { first, signs })
}

/// Springs of a chain. Stiff springs replace rigid segments.
struct PushedSprings {
    stiffness: Vec<f64>,
    weight: f64,
}

impl PushedSprings {
    fn of(chain: &HangingChain, weight: f64) -> Self {
        let segments = chain.lengths.iter().zip(&chain.softness);
        let stiffness = segments.map(|(length, &soft)| match soft {
            0.0 => weight / (STAND_IN * length),
            soft => 1.0 / soft,
        });
        Self { stiffness: stiffness.collect(), weight }
    }

    /// Initial positions: nodes that hang straight down from both ends. One segment joins the two
    /// sides at about equal depth.
    fn start(&self, chain: &HangingChain) -> Vec<[f64; 2]> {
        let free = chain.weights.len();
        let [width, drop] = chain.target;
        let hang = |top: [f64; 2], order: &mut dyn Iterator<Item = (usize, usize)>, below: f64| {
            let (mut y, mut carried) = (top[1], below);
            let place = |(node, segment): (usize, usize)| {
                y += chain.lengths[segment] + carried / self.stiffness[segment];
                carried -= chain.weights[node];
                [top[0], y]
            };
            order.map(place).collect::<Vec<_>>()
        };
        let side = |left: usize| {
            let on_left: f64 = chain.weights[..left].iter().sum();
            let mut left_order = (0..left).map(|node| (node, node));
            let mut right_order = (left..free).rev().map(|node| (node, node + 1));
            let mut at = hang([0.0, 0.0], &mut left_order, on_left);
            let right = hang([width, drop], &mut right_order, self.weight - on_left);
            at.extend(right.into_iter().rev());
            at
        };
        // More nodes on the left make the left side deeper, so a bisection finds the count at which
        // both sides have equal depth.
        let (mut low, mut high) = (0, free);
        while low < high {
            let left = low.midpoint(high);
            let at = side(left);
            let last = if left == 0 { 0.0 } else { at[left - 1][1] };
            let next = at.get(left).map_or(drop, |place| place[1]);
            if last < next { low = left + 1 } else { high = left }
        }
        let mut at = side(low);
        // If the ends are above each other, the joining segment could buckle to either side. A
        // small offset makes the choice unique.
        let aside = 1e-3 * chain.lengths[low];
        if low > 0 {
            at[low - 1][0] -= aside;
        }
        if let Some(next) = at.get_mut(low) {
            next[0] += aside;
        }
        at
    }

    /// Tension of a segment and its direction.
    fn tension(&self, at: &[[f64; 2]], chain: &HangingChain, j: usize) -> (f64, [f64; 2]) {
        let from = if j == 0 { [0.0; 2] } else { at[j - 1] };
        let to = at.get(j).copied().unwrap_or(chain.target);
        let offset = [to[0] - from[0], to[1] - from[1]];
        let length = norm(offset).max(f64::MIN_POSITIVE);
        let pull = self.stiffness[j] * (length - chain.lengths[j]);
        (pull, [offset[0] / length, offset[1] / length])
    }

    fn energy(&self, at: &[[f64; 2]], chain: &HangingChain) -> f64 {
        let springs = self.stiffness.iter().enumerate().map(|(j, stiffness)| {
            let pull = self.tension(at, chain, j).0;
            0.5 * pull * pull / stiffness
        });
        let lifted = at.iter().zip(&chain.weights).map(|(place, weight)| place[1] * weight);
        springs.sum::<f64>() - lifted.sum::<f64>()
    }

    /// Moves the nodes to a minimum of the energy.
    fn settle(&self, chain: &HangingChain, at: &mut Vec<[f64; 2]>) -> Option<()> {
        let stiffest = self.stiffness.iter().copied().fold(0.0, f64::max);
        let (mut damping, mut energy) = (1e-3 * stiffest, self.energy(at, chain));
        let mut residual = f64::INFINITY;
        for _ in 0..STEPS {
            let (forces, blocks) = self.linearised(at, chain);
            residual = forces.iter().map(|force| norm(*force)).fold(0.0, f64::max);
            if residual <= 1e-9 * self.weight {
                return Some(());
            }
            let step = blocks.solve(&forces, damping);
            let moved = step.map(|step| {
                let moved = at.iter().zip(&step).map(|(a, s)| [a[0] + s[0], a[1] + s[1]]);
                moved.collect::<Vec<_>>()
            });
            let moved = moved.map(|moved| (self.energy(&moved, chain), moved));
            let rounding = 1e-14 * energy.abs();
            match moved.filter(|(next, _)| *next <= energy + rounding) {
                Some((next, moved)) => {
                    (energy, *at) = (next, moved);
                    damping *= 0.2;
                }
                None => damping = (4.0 * damping).max(1e-12 * stiffest),
            }
            if damping > 1e12 * stiffest {
                break;
            }
        }
        // Lengths have rounding errors, and stiff springs turn these into forces.
        let rounding = 4.0 * f64::EPSILON * stiffest * chain.lengths.iter().sum::<f64>();
        (residual <= 1e-9 * self.weight + rounding).then_some(())
    }

    /// Returns the forces on the nodes and the Hessian of the energy.
    fn linearised(&self, at: &[[f64; 2]], chain: &HangingChain) -> (Vec<[f64; 2]>, Blocks) {
        let n = at.len();
        let mut forces: Vec<[f64; 2]> = chain.weights.iter().map(|&weight| [0.0, weight]).collect();
        let mut blocks = Blocks { diagonal: vec![[0.0; 3]; n], off_diagonal: vec![[0.0; 3]; n] };
        for j in 0..=n {
            let (pull, u) = self.tension(at, chain, j);
            let length = chain.lengths[j] + pull / self.stiffness[j];
            let across = pull / length.max(f64::MIN_POSITIVE);
            let along = self.stiffness[j] - across;
            let block =
                [along * u[0] * u[0] + across, along * u[0] * u[1], along * u[1] * u[1] + across];
            let add = |node: usize, sign: f64, forces: &mut Vec<[f64; 2]>, blocks: &mut Blocks| {
                forces[node].iter_mut().zip(u).for_each(|(force, u)| *force += sign * pull * u);
                let diagonal = blocks.diagonal[node].iter_mut();
                diagonal.zip(block).for_each(|(sum, entry)| *sum += entry);
            };
            if j > 0 {
                add(j - 1, 1.0, &mut forces, &mut blocks);
            }
            if j < n {
                add(j, -1.0, &mut forces, &mut blocks);
            }
            if j > 0 && j < n {
                blocks.off_diagonal[j] = block.map(|entry| -entry);
            }
        }
        (forces, blocks)
    }
}

/// A symmetric block tridiagonal matrix with blocks [xx, xy, yy]. Entry j of `off_diagonal`
/// couples nodes j - 1 and j.
struct Blocks {
    diagonal: Vec<[f64; 3]>,
    off_diagonal: Vec<[f64; 3]>,
}

impl Blocks {
    /// Solves the system with `damping` added to the diagonal; `None` if the sum is not positive
    /// definite.
    fn solve(&self, right: &[[f64; 2]], damping: f64) -> Option<Vec<[f64; 2]>> {
        let n = right.len();
        let mut inverses: Vec<[f64; 3]> = Vec::with_capacity(n);
        let mut reduced: Vec<[f64; 2]> = Vec::with_capacity(n);
        for i in 0..n {
            let [mut xx, mut xy, mut yy] = self.diagonal[i];
            (xx, yy) = (xx + damping, yy + damping);
            let mut r = right[i];
            if i > 0 {
                let [bx, bm, by] = self.off_diagonal[i];
                let [ix, im, iy] = inverses[i - 1];
                // Rows of B A⁻¹ for a symmetric B.
                let rows = [
                    [bx * ix + bm * im, bx * im + bm * iy],
                    [bm * ix + by * im, bm * im + by * iy],
                ];
                xx -= rows[0][0] * bx + rows[0][1] * bm;
                xy -= rows[0][0] * bm + rows[0][1] * by;
                yy -= rows[1][0] * bm + rows[1][1] * by;
                let before = reduced[i - 1];
                r[0] -= rows[0][0] * before[0] + rows[0][1] * before[1];
                r[1] -= rows[1][0] * before[0] + rows[1][1] * before[1];
            }
            let determinant = xx * yy - xy * xy;
            if !(xx > 0.0 && determinant > 0.0) {
                return None;
            }
            inverses.push([yy / determinant, -xy / determinant, xx / determinant]);
            reduced.push(r);
        }
        let mut x = vec![[0.0; 2]; n];
        for i in (0..n).rev() {
            let mut r = reduced[i];
            if let Some(next) = x.get(i + 1) {
                let [bx, bm, by] = self.off_diagonal[i + 1];
                r[0] -= bx * next[0] + bm * next[1];
                r[1] -= bm * next[0] + by * next[1];
            }
            let [ix, im, iy] = inverses[i];
            x[i] = [ix * r[0] + im * r[1], im * r[0] + iy * r[1]];
        }
        Some(x)
    }
}
