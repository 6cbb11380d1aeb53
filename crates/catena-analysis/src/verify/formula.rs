//! Reference formulas, and solvers for their equations.

/// Zero of a function that changes its sign between `low` and `high`.
pub(super) fn bisect(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let is_low = f(low) > 0.0;
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if (f(middle) > 0.0) == is_low { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// `k`-th positive zero, counted from 1, of a function whose zeros are more than `step` apart.
pub(super) fn zero(k: usize, step: f64, f: impl Fn(f64) -> f64) -> f64 {
    let mut found = 0;
    let mut before = f(0.0);
    for i in 1..100_000 {
        let (low, high) = (f64::from(i - 1) * step, f64::from(i) * step);
        let now = f(high);
        if (before > 0.0) != (now > 0.0) {
            found += 1;
            if found == k {
                return bisect(low, high, f);
            }
        }
        before = now;
    }
    f64::NAN
}

/// Laguerre polynomials L_0 to L_n at z, by their recurrence.
pub(super) fn laguerre(n: usize, z: f64) -> Vec<f64> {
    let mut values = vec![1.0, 1.0 - z];
    for k in 1..n {
        let order = k as f64;
        let next = (2.0 * order + 1.0 - z) * values[k] - order * values[k - 1];
        values.push(next / (order + 1.0));
    }
    values
}

/// Angular frequency of a small oscillation of a hanging chain with n links of length l: ω² = (g/l)
/// z, where z is a zero of L_n.
pub(super) fn chain_swing(n: usize, mode: usize, g_over_l: f64) -> f64 {
    (g_over_l * zero(mode, 0.5 / n as f64, |z| laguerre(n, z)[n])).sqrt()
}

/// The k-th zero of the Bessel function J₀.
pub(super) fn bessel_zero(k: usize) -> f64 {
    zero(k, 0.1, libm::j0)
}

/// Ratio T/T₀ for a pendulum released at an angle: 1/AGM(1, cos(angle/2)) (Gauss).
pub(super) fn pendulum(angle: f64) -> f64 {
    let (mut a, mut b) = (1.0, libm::cos(0.5 * angle));
    for _ in 0..60 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    1.0 / a
}

/// Parameter a of the catenary of length S over a span X: S = 2a sinh(X/2a).
pub(super) fn catenary(span: f64, length: f64) -> f64 {
    bisect(span / 40.0, 100.0 * span, |a| 2.0 * a * libm::sinh(span / (2.0 * a)) - length)
}

/// Horizontal tension and sag of an elastic catenary of rest length L over a span X: X = H L/EA +
/// (2H/w) asinh(wL/2H), sag = w L²/8EA + (H/w)(√(1 + (wL/2H)²) - 1).
pub(super) fn elastic_catenary(span: f64, length: f64, weight: f64, stiffness: f64) -> [f64; 2] {
    let slope = |tension: f64| weight * length / (2.0 * tension);
    let tension = bisect(1e-6 * weight * length, 1e3 * weight * length, |h| {
        h * length / stiffness + 2.0 * h / weight * libm::asinh(slope(h)) - span
    });
    let q = slope(tension);
    let sag = weight * length * length / (8.0 * stiffness)
        + tension / weight * ((1.0 + q * q).sqrt() - 1.0);
    [tension, sag]
}

/// Even number of equal links between two supports of equal height, with a weight at each joint.
#[derive(Clone, Copy)]
pub(super) struct Links {
    pub(super) span: f64,
    pub(super) count: usize,
    pub(super) length: f64,
    /// Weight of each joint.
    pub(super) weight: f64,
    /// Elongation of a link per tension; 0 for rigid links.
    pub(super) softness: f64,
}

impl Links {
    /// Sag in the middle. With the horizontal tension H, the link at j + 1/2 links from the middle
    /// carries V = (j + 1/2) w. H is chosen so that half of the links cover half of the span.
    pub(super) fn sag(self) -> f64 {
        let half = |h: f64| {
            let mut sums = [0.0; 2];
            for j in 0..self.count / 2 {
                let v = (j as f64 + 0.5) * self.weight;
                let tension = (h * h + v * v).sqrt();
                let length = self.length + tension * self.softness;
                sums[0] += length * h / tension;
                sums[1] += length * v / tension;
            }
            sums
        };
        let total = self.weight * self.count as f64;
        half(bisect(1e-6 * total, 1e3 * total, |h| half(h)[0] - 0.5 * self.span))[1]
    }
}

/// Highest angular frequency of a uniform chain of N free masses, fixed at one end: 2 √(k/m)
/// sin((2N-1)π/(2(2N+1))).
pub(super) fn chain_frequency(free: usize, stiffness_over_mass: f64) -> f64 {
    let n = free as f64;
    let angle = std::f64::consts::FRAC_PI_2 * (2.0 * n - 1.0) / (2.0 * n + 1.0);
    2.0 * stiffness_over_mass.sqrt() * libm::sin(angle)
}

/// Angular frequency of mode n of a stretched string of N beads with spacing a: 2 √(T/ma)
/// sin(nπ/2(N+1)) (Lagrange).
pub(super) fn beads(mode: usize, count: usize, tension_over_mass_and_spacing: f64) -> f64 {
    let angle = std::f64::consts::FRAC_PI_2 * mode as f64 / (count + 1) as f64;
    2.0 * tension_over_mass_and_spacing.sqrt() * libm::sin(angle)
}
