//! Energy of bending where two edges of a rod meet, with its derivatives with respect to the two
//! edges.
//!
//! The curvature is κ = 2 tan(φ/2) for the angle φ between the edges. κ is the length of the
//! curvature binormal κb = 2 t_e × t_f/(1 + t_e·t_f). The energy is B |κb - κ̄|²/2, B being the
//! bending stiffness over the length of the joint. Source: Bergou, Wardetzky, Robinson, Audoly,
//! Grinspun 2008, "Discrete elastic rods".

use crate::body::vector::{Vec3, add, along, cross, dot, scaled};
use crate::force::Block;

/// Direction of an edge, and the reciprocal of its length; 0 for the direction of a clamp.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Edge {
    pub t: Vec3,
    pub inverse: f64,
}

/// Derivatives with respect to the vectors of two edges e and f.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gradient {
    pub e: Vec3,
    pub f: Vec3,
}

/// Second derivatives with respect to the vectors of two edges e and f.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hessian {
    pub ee: Block,
    pub ef: Block,
    pub ff: Block,
}

/// Returns a bᵀ.
pub(super) fn outer(a: Vec3, b: Vec3) -> Block {
    a.map(|a| scaled(b, a))
}

/// Adds `factor` times a block to the block `to`.
pub(super) fn add_block(to: &mut Block, factor: f64, block: &Block) {
    for (to, row) in to.iter_mut().zip(block) {
        *to = along(*to, factor, *row);
    }
}

/// Returns the transposed block.
pub(super) fn transposed(block: &Block) -> Block {
    std::array::from_fn(|p| std::array::from_fn(|q| block[q][p]))
}

/// Returns the matrix product of two blocks.
pub(super) fn times(a: &Block, b: &Block) -> Block {
    a.map(|row| {
        let mut sum = [0.0; 3];
        for (value, row) in row.iter().zip(b) {
            sum = along(sum, *value, *row);
        }
        sum
    })
}

/// Returns the block that projects onto the plane perpendicular to a unit vector.
pub(super) fn across(t: Vec3) -> Block {
    let mut block = outer(t, scaled(t, -1.0));
    for (axis, row) in block.iter_mut().enumerate() {
        row[axis] += 1.0;
    }
    block
}

/// Returns the block whose product with b is a × b.
pub(super) fn cross_block(a: Vec3) -> Block {
    [[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]]
}

impl Hessian {
    /// Adds `factor` times another Hessian.
    pub(super) fn add(&mut self, factor: f64, other: &Self) {
        add_block(&mut self.ee, factor, &other.ee);
        add_block(&mut self.ef, factor, &other.ef);
        add_block(&mut self.ff, factor, &other.ff);
    }
}

/// Curvature binormal κb of two edges.
#[inline(always)]
pub(super) fn binormal(e: &Edge, f: &Edge) -> Vec3 {
    scaled(cross(e.t, f.t), 2.0 / (1.0 + dot(e.t, f.t)))
}

/// Bending of a straight rod that resists all directions equally.
pub(super) mod straight {
    use super::*;

    /// Returns B |κb|²/2.
    #[inline(always)]
    pub(in super::super) fn energy(b: f64, e: &Edge, f: &Edge) -> f64 {
        let c = dot(e.t, f.t);
        2.0 * b * (1.0 - c) / (1.0 + c)
    }

    /// Returns the second derivatives.
    pub(in super::super) fn hessian(b: f64, e: &Edge, f: &Edge) -> Hessian {
        let c = dot(e.t, f.t);
        let slope = -4.0 * b / ((1.0 + c) * (1.0 + c));
        let second = -2.0 * slope / (1.0 + c);
        let (p, q) = (along(f.t, -c, e.t), along(e.t, -c, f.t));
        let (over_e, over_f) = (across(e.t), across(f.t));
        let own = |p: Vec3, t: Vec3, over: &Block, inverse: f64| {
            let mut block = outer(p, scaled(p, second));
            add_block(&mut block, -slope, &outer(p, t));
            add_block(&mut block, -slope, &outer(t, p));
            add_block(&mut block, -slope * c, over);
            block.map(|row| scaled(row, inverse * inverse))
        };
        let mut ef = outer(p, scaled(q, second));
        add_block(&mut ef, slope, &times(&over_e, &over_f));
        Hessian {
            ee: own(p, e.t, &over_e, e.inverse),
            ef: ef.map(|row| scaled(row, e.inverse * f.inverse)),
            ff: own(q, f.t, &over_f, f.inverse),
        }
    }

    /// Returns B JᵀJ, the Gauss-Newton part of the second derivatives, where J is the derivative of
    /// κb. The result is positive semidefinite, because the term with the second derivatives of κb
    /// is omitted.
    pub(in super::super) fn definite(b: f64, e: &Edge, f: &Edge) -> Hessian {
        let chi = 1.0 + dot(e.t, f.t);
        let kb = binormal(e, f);
        // δκb = 2 δt_e × t_f/χ - κb (δt_e·t_f)/χ, and the same with e and f exchanged.
        let derivative = |sign: f64, own: &Edge, other: &Edge| {
            let mut block = cross_block(other.t).map(|row| scaled(row, sign * 2.0 / chi));
            add_block(&mut block, -1.0 / chi, &outer(kb, other.t));
            times(&block, &across(own.t)).map(|row| scaled(row, own.inverse))
        };
        let (by_e, by_f) = (derivative(-1.0, e, f), derivative(1.0, f, e));
        let (from_e, from_f) = (transposed(&by_e), transposed(&by_f));
        let scaled_by = |block: Block| block.map(|row| scaled(row, b));
        Hessian {
            ee: scaled_by(times(&from_e, &by_e)),
            ef: scaled_by(times(&from_e, &by_f)),
            ff: scaled_by(times(&from_f, &by_f)),
        }
    }
}

/// Bending in the plane, with a rest curvature κ̄ that is positive to the left.
pub(super) mod plane {
    use super::*;

    /// Returns the curvature κ.
    pub(in super::super) fn curvature(e: &Edge, f: &Edge) -> f64 {
        binormal(e, f)[2]
    }

    /// Returns B (κ - κ̄)²/2.
    pub(in super::super) fn energy(b: f64, rest: f64, e: &Edge, f: &Edge) -> f64 {
        let bent = curvature(e, f) - rest;
        0.5 * b * bent * bent
    }

    /// Derivatives of the angle φ from e to f.
    fn angle(e: &Edge, f: &Edge) -> Gradient {
        let left = |t: Vec3| [-t[1], t[0], 0.0];
        Gradient { e: scaled(left(e.t), -e.inverse), f: scaled(left(f.t), f.inverse) }
    }

    /// Returns the second derivatives. If `is_definite` is set, returns only their positive
    /// semidefinite Gauss-Newton part.
    pub(in super::super) fn hessian(
        b: f64,
        rest: f64,
        e: &Edge,
        f: &Edge,
        is_definite: bool,
    ) -> Hessian {
        let (curvature, angle) = (curvature(e, f), angle(e, f));
        let rate = 1.0 + 0.25 * curvature * curvature;
        let bent = curvature - rest;
        let mut second = b * rate * rate;
        if !is_definite {
            second += 0.5 * b * bent * rate * curvature;
        }
        let mut hessian = Hessian {
            ee: outer(angle.e, scaled(angle.e, second)),
            ef: outer(angle.e, scaled(angle.f, second)),
            ff: outer(angle.f, scaled(angle.f, second)),
        };
        if !is_definite {
            let slope = b * bent * rate;
            for (block, by, edge) in [(&mut hessian.ee, angle.e, e), (&mut hessian.ff, angle.f, f)]
            {
                // ∂²φ = -(t pᵀ + p tᵀ)/|e| for a gradient p of φ.
                let factor = -slope * edge.inverse;
                add_block(block, factor, &outer(edge.t, by));
                add_block(block, factor, &outer(by, edge.t));
            }
        }
        hessian
    }
}

/// Twist of a frame that is carried from e to f by the smallest rotation.
pub(super) mod holonomy {
    use super::*;

    /// Returns the gradient.
    pub(in super::super) fn gradient(e: &Edge, f: &Edge) -> Gradient {
        let half = scaled(binormal(e, f), 0.5);
        Gradient { e: scaled(half, e.inverse), f: scaled(half, f.inverse) }
    }

    /// Returns the second derivatives. Source: Bergou, Audoly, Vouga, Wardetzky, Grinspun 2010,
    /// "Discrete viscous threads".
    pub(in super::super) fn hessian(e: &Edge, f: &Edge) -> Hessian {
        let chi = 1.0 + dot(e.t, f.t);
        let kb = binormal(e, f);
        let middle = scaled(add(e.t, f.t), 1.0 / chi);
        let own = |edge: &Edge| {
            let sum = add(edge.t, middle);
            let mut block = outer(kb, sum);
            add_block(&mut block, 1.0, &outer(sum, kb));
            block.map(|row| scaled(row, -0.25 * edge.inverse * edge.inverse))
        };
        let mut ef = cross_block(e.t).map(|row| scaled(row, 2.0 / chi));
        add_block(&mut ef, -1.0, &outer(kb, middle));
        Hessian {
            ee: own(e),
            ef: ef.map(|row| scaled(row, 0.5 * e.inverse * f.inverse)),
            ff: own(f),
        }
    }
}
