//! Formulas of the continuous rope at rest, rigid or elastic, as references for the discrete chain.
//!
//! s is the unstretched length from the first support, w the weight per unstretched length, H the
//! horizontal tension, and V the vertical tension at the first support. EA is infinite for a rigid
//! rope. With a = V/H and b = (V - w s)/H:
//!
//! - x(s) = H s/EA + (H/w) (asinh a - asinh b),
//! - y(s) = s/EA (V - w s/2) + (H/w) (√(1+a²) - √(1+b²)), downwards,
//! - T(s) = √(H² + (V - w s)²).
//!
//! In a rope with a single support, the tension is the weight below: T = w (L - s). Source: Irvine,
//! "Cable Structures", 1.3 and 2.2.

use catena_sim::{Arrangement, Model};

/// Uniform continuous rope: the limit of a chain with many nodes and springs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContinuousRope {
    /// Unstretched length between the supports, or from the support to the free end.
    pub length: f64,
    /// Weight per unstretched length.
    pub weight: f64,
    /// Stiffness E A, a force; infinite for a rigid rope.
    pub stiffness: f64,
}

/// Whether two numbers are equal within a relative tolerance of 1e-9.
fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs()
}

/// Rope at rest between two supports, or hanging from one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Catenary {
    /// Properties of the rope.
    pub rope: ContinuousRope,
    /// Horizontal tension; 0 for a rope that hangs from one support.
    pub horizontal: f64,
    /// Vertical tension at the first support.
    pub vertical: f64,
}

impl ContinuousRope {
    /// Creates the rope equivalent to a uniform chain from node `from` to node `to`, under gravity
    /// of magnitude `g`. Returns `None` if masses or springs differ.
    pub fn of_chain(model: &Model, from: usize, to: usize, g: f64, is_rigid: bool) -> Option<Self> {
        let springs = model.springs.get(from..to)?;
        let first = springs.first()?;
        let mass = model.mass[from + 1];
        let is_uniform = model.arrangement == Arrangement::Chain
            && springs.iter().all(|spring| {
                is_near(spring.rest_length, first.rest_length)
                    && is_near(spring.stiffness, first.stiffness)
            })
            && model.mass[from + 1..=to].iter().all(|other| is_near(*other, mass));
        is_uniform.then(|| Self {
            length: springs.iter().map(|spring| spring.rest_length).sum(),
            weight: mass * g / first.rest_length,
            stiffness: if is_rigid { f64::INFINITY } else { first.stiffness * first.rest_length },
        })
    }

    /// Hangs the rope from one support.
    pub fn hanging(self) -> Catenary {
        Catenary { rope: self, horizontal: 0.0, vertical: self.weight * self.length }
    }

    /// Hangs the rope between two supports. The second is at the horizontal distance `across` from
    /// the first, and `drop` below it. `guess` has the horizontal and vertical tension from which
    /// Newton's method starts, such as the tension of the discrete chain. Returns `None` if a rigid
    /// rope is too short, one support is directly above the other, or the iteration fails.
    pub fn between(self, [across, drop]: [f64; 2], guess: [f64; 2]) -> Option<Catenary> {
        let [mut horizontal, mut vertical] = guess;
        if !(across > 0.0 && horizontal > 0.0) {
            return None;
        }
        for _ in 0..100 {
            let rope = Catenary { rope: self, horizontal, vertical };
            let [x, y] = rope.position(self.length);
            let miss = [across - x, drop - y];
            let [xx, xy, yy] = rope.slopes();
            let determinant = xx * yy - xy * xy;
            let mut change = [
                (miss[0] * yy - miss[1] * xy) / determinant,
                (miss[1] * xx - miss[0] * xy) / determinant,
            ];
            // Limits the change so that the horizontal tension stays above 0.
            if change[0] < -0.5 * horizontal {
                let share = 0.5 * horizontal / -change[0];
                change = change.map(|value| share * value);
            }
            horizontal += change[0];
            vertical += change[1];
            if !(horizontal.is_finite() && vertical.is_finite()) {
                return None;
            }
            let size = horizontal.abs() + vertical.abs();
            if change[0].abs() + change[1].abs() <= 1e-13 * size {
                return Some(Catenary { rope: self, horizontal, vertical });
            }
        }
        None
    }
}

impl Catenary {
    /// Tension at an unstretched length from the first support.
    pub fn tension(&self, s: f64) -> f64 {
        let vertical = self.vertical - self.rope.weight * s;
        (self.horizontal * self.horizontal + vertical * vertical).sqrt()
    }

    /// Coordinates across and down, relative to the first support, at unstretched length `s` from
    /// it.
    pub fn position(&self, s: f64) -> [f64; 2] {
        let ContinuousRope { weight: w, stiffness, .. } = self.rope;
        let (h, v) = (self.horizontal, self.vertical);
        let stretch_down = s / stiffness * (v - 0.5 * w * s);
        if h == 0.0 {
            return [0.0, s + stretch_down];
        }
        let (a, b) = (v / h, (v - w * s) / h);
        let root = |value: f64| (1.0 + value * value).sqrt();
        let across = h * s / stiffness + h / w * (libm::asinh(a) - libm::asinh(b));
        [across, stretch_down + h / w * (root(a) - root(b))]
    }

    /// Stretched length between two unstretched lengths: ∫ (1 + T/EA) ds by Simpson's rule. The
    /// rule is exact to rounding over a single segment.
    pub fn stretched(&self, from: f64, to: f64) -> f64 {
        let part = |s: f64| 1.0 + self.tension(s) / self.rope.stiffness;
        (to - from) / 6.0 * (part(from) + 4.0 * part(0.5 * (from + to)) + part(to))
    }

    /// Depth of the lowest point below the higher support.
    pub fn sag(&self) -> f64 {
        let lowest = (self.vertical / self.rope.weight).clamp(0.0, self.rope.length);
        self.position(lowest)[1].max(0.0) - self.position(self.rope.length)[1].min(0.0)
    }

    /// Derivatives of the second end's position with respect to H and V: ∂x/∂H, ∂x/∂V = ∂y/∂H,
    /// ∂y/∂V.
    fn slopes(&self) -> [f64; 3] {
        let ContinuousRope { length, weight: w, stiffness } = self.rope;
        let (a, b) =
            (self.vertical / self.horizontal, (self.vertical - w * length) / self.horizontal);
        let root = |value: f64| (1.0 + value * value).sqrt();
        let soft = length / stiffness;
        let turn = libm::asinh(a) - libm::asinh(b) - a / root(a) + b / root(b);
        [
            soft + turn / w,
            (1.0 / root(a) - 1.0 / root(b)) / w,
            soft + (a / root(a) - b / root(b)) / w,
        ]
    }
}
