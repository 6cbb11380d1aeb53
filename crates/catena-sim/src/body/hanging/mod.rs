//! The shape of a chain of nodes that hangs at rest, from the balance of forces alone.
//!
//! The tension between nodes i and i+1 is a vector T_i, and at each free node T_i = T_{i-1} - m_i
//! g. After its last pin a chain hangs straight down, and each spring carries the weight below it.
//! Between two pins, segment i points along T_i and has the length l_i + |T_i|/k_i, or l_i if it is
//! rigid. The first tension must make the segments add up to the vector from pin to pin. That sum
//! is the gradient of a convex function of the first tension, so Newton's method with a line search
//! finds it. As the number of nodes grows, the shape tends to the catenary.
//!
//! If the minimum of that function is at a corner, one segment has no tension. Such a chain rests
//! with compressed segments; the module `pushed` finds that shape.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

mod pushed;

use super::Model;
use super::vector::norm;

/// Whether the links of a chain stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkLaw {
    /// Each link stretches by its tension divided by its stiffness.
    Elastic,
    /// Each link keeps its rest length.
    Rigid,
}

/// Positions at rest, flat by axis. Pinned nodes keep their positions in `x`. `gravity` has one
/// component per axis.
///
/// `None` if there are no pins or no gravity, if a rigid chain is too short to reach from pin to
/// pin, or if rounding errors hide the balance.
pub fn hanging_chain(model: &Model, x: &[f64], gravity: &[f64], law: LinkLaw) -> Option<Vec<f64>> {
    let n = model.nodes();
    let pins: Vec<usize> = (0..n).filter(|&i| model.pinned[i]).collect();
    let (&first, &last) = (pins.first()?, pins.last()?);
    let g = norm(gravity);
    if g == 0.0 {
        return None;
    }
    let down: Vec<f64> = gravity.iter().map(|component| component / g).collect();
    let mut rest = x.to_vec();

    // The free ends hang straight down. Each spring carries all nodes below it.
    let tail = |rest: &mut [f64], from: usize, nodes: &mut dyn Iterator<Item = usize>| {
        let nodes: Vec<usize> = nodes.collect();
        let mut weight: f64 = nodes.iter().map(|&i| model.mass[i] * g).sum();
        let mut above = from;
        for i in nodes {
            let length = segment(model, above.min(i), weight, law);
            for axis in 0..model.axes {
                rest[axis * n + i] = rest[axis * n + above] + length * down[axis];
            }
            weight -= model.mass[i] * g;
            above = i;
        }
    };
    tail(&mut rest, last, &mut (last + 1..n));
    tail(&mut rest, first, &mut (0..first).rev());

    for pair in pins.windows(2) {
        span(model, &mut rest, pair[0], pair[1], g, &down, law)?;
    }
    Some(rest)
}

/// Length of the spring after node `index` at a tension.
fn segment(model: &Model, index: usize, tension: f64, law: LinkLaw) -> f64 {
    let spring = &model.springs[index];
    match law {
        LinkLaw::Elastic => spring.rest_length + tension / spring.stiffness,
        LinkLaw::Rigid => spring.rest_length,
    }
}

/// Hangs the nodes between two pins, in the plane of gravity and the line between the pins. The
/// first coordinate points across, the second down.
fn span(
    model: &Model,
    rest: &mut [f64],
    from: usize,
    to: usize,
    g: f64,
    down: &[f64],
    law: LinkLaw,
) -> Option<()> {
    if to == from + 1 {
        // Two adjacent pins have no nodes between them.
        return Some(());
    }
    let n = model.nodes();
    let offset: Vec<f64> =
        (0..model.axes).map(|axis| rest[axis * n + to] - rest[axis * n + from]).collect();
    let drop: f64 = offset.iter().zip(down).map(|(a, b)| a * b).sum();
    let mut across: Vec<f64> = offset.iter().zip(down).map(|(w, d)| w - drop * d).collect();
    let width = norm(&across);
    if width > 0.0 {
        across.iter_mut().for_each(|component| *component /= width);
    } else {
        across = sideways(down);
    }
    let chain = HangingChain {
        weights: (from + 1..to).map(|i| model.mass[i] * g).collect(),
        lengths: (from..to).map(|j| model.springs[j].rest_length).collect(),
        softness: (from..to)
            .map(|j| if law == LinkLaw::Elastic { 1.0 / model.springs[j].stiffness } else { 0.0 })
            .collect(),
        target: [width, drop],
    };
    let balance = chain.solve().or_else(|| pushed::solve(&chain))?;

    let mut at = [0.0; 2];
    for (j, tension) in chain.tensions(balance.first).enumerate().take(to - from - 1) {
        let size = norm(tension);
        let length = balance.signs[j] * chain.lengths[j] + size * chain.softness[j];
        at = [at[0] + tension[0] / size * length, at[1] + tension[1] / size * length];
        for axis in 0..model.axes {
            rest[axis * n + from + 1 + j] =
                rest[axis * n + from] + at[0] * across[axis] + at[1] * down[axis];
        }
    }
    Some(())
}

/// Returns a unit vector at right angles to a direction: along the other axis of the plane, or in
/// space near the axis with the smallest component of the direction.
fn sideways(down: &[f64]) -> Vec<f64> {
    if let [x, y] = down {
        return vec![-y, *x];
    }
    let size = |axis: &usize| down[*axis].abs();
    let minimum = (0..down.len()).min_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(0);
    let mut across: Vec<f64> = down.iter().map(|component| -down[minimum] * component).collect();
    across[minimum] += 1.0;
    let length = norm(&across);
    across.iter_mut().for_each(|component| *component /= length);
    across
}

/// Forces in a chain at rest.
#[derive(Clone, Debug)]
struct HangingBalance {
    /// Tension of the first segment.
    first: [f64; 2],
    /// Sign of each segment: 1, or -1 if it is compressed. The force of a compressed segment points
    /// against its direction.
    signs: Vec<f64>,
}

/// A chain between two points, in coordinates across and down.
struct HangingChain {
    /// Weights of the nodes between the points.
    weights: Vec<f64>,
    /// Rest length of each segment.
    lengths: Vec<f64>,
    /// 1/k of each segment; 0 if it is rigid.
    softness: Vec<f64>,
    /// Vector from the first point to the second.
    target: [f64; 2],
}

impl HangingChain {
    /// Returns the tension of each segment for a given first tension.
    fn tensions(&self, first: [f64; 2]) -> impl Iterator<Item = [f64; 2]> {
        let weights = std::iter::once(0.0).chain(self.weights.iter().copied());
        weights.scan(first, |tension, weight| {
            tension[1] -= weight;
            Some(*tension)
        })
    }

    /// Returns the function Σ (±l|T| + |T|²/2k) - T·target, its gradient and its Hessian [xx, xy,
    /// yy] at a first tension. If all signs are positive, the function is convex.
    fn evaluate(&self, first: [f64; 2], signs: &[f64]) -> (f64, [f64; 2], [f64; 3]) {
        let mut value = -(first[0] * self.target[0] + first[1] * self.target[1]);
        let mut gradient = [-self.target[0], -self.target[1]];
        let mut hessian = [0.0; 3];
        for (j, t) in self.tensions(first).enumerate() {
            let (l, soft) = (signs[j] * self.lengths[j], self.softness[j]);
            let size = norm(t).max(f64::MIN_POSITIVE);
            let u = [t[0] / size, t[1] / size];
            value += l * size + 0.5 * soft * size * size;
            for (slope, direction) in gradient.iter_mut().zip(u) {
                *slope += direction * (l + soft * size);
            }
            let bend = l / size;
            hessian[0] += bend * (1.0 - u[0] * u[0]) + soft;
            hessian[1] -= bend * u[0] * u[1];
            hessian[2] += bend * (1.0 - u[1] * u[1]) + soft;
        }
        (value, gradient, hessian)
    }

    /// Returns the balance with tension in all segments; `None` if Newton's method does not
    /// converge.
    fn solve(&self) -> Option<HangingBalance> {
        let weight: f64 = self.weights.iter().sum();
        let total: f64 = self.lengths.iter().sum();
        let is_rigid = self.softness.iter().all(|&soft| soft == 0.0);
        if is_rigid && norm(self.target) >= total * (1.0 - 1e-12) {
            return None;
        }
        let signs = vec![1.0; self.lengths.len()];
        let mut first = [weight.max(f64::MIN_POSITIVE), 0.5 * weight];
        let (mut value, mut gradient, mut hessian) = self.evaluate(first, &signs);
        for _ in 0..200 {
            if norm(gradient) <= 1e-12 * total {
                return Some(HangingBalance { first, signs });
            }
            let newton = newton(gradient, hessian);
            let slope = newton[0] * gradient[0] + newton[1] * gradient[1];
            // Differences below this are rounding errors.
            let rounding = 1e-13 * (value.abs() + weight * total);
            let mut share = 1.0;
            loop {
                let next = [first[0] + share * newton[0], first[1] + share * newton[1]];
                let found = self.evaluate(next, &signs);
                // Near the solution a smaller gradient also counts as progress. Farther away this
                // criterion would let the iteration cycle.
                let is_lower = found.0 <= value + 1e-4 * share * slope;
                let is_flatter = norm(found.1) < 0.9 * norm(gradient);
                let is_better = is_lower || (is_flatter && found.0 <= value + rounding);
                if is_better || share < 1e-12 {
                    first = next;
                    (value, gradient, hessian) = found;
                    break;
                }
                share *= 0.5;
            }
        }
        (norm(gradient) <= 1e-9 * total).then_some(HangingBalance { first, signs })
    }
}

/// Returns the Newton step for a gradient and a Hessian [xx, xy, yy].
fn newton(gradient: [f64; 2], [xx, xy, yy]: [f64; 3]) -> [f64; 2] {
    let determinant = xx * yy - xy * xy;
    [
        (xy * gradient[1] - yy * gradient[0]) / determinant,
        (xy * gradient[0] - xx * gradient[1]) / determinant,
    ]
}
