//! Bending of a rod whose sections have an orientation: sections that are not round, or curvature
//! at rest.
//!
//! A joint of edges e and f has normals m1 and binormals m2 = t × m1. Its curvatures are κ1 =
//! κb·(m2_e + m2_f)/2 towards the normal and κ2 = -κb·(m1_e + m1_f)/2 across it. The angle of twist
//! is the angle of the frame of f relative to the frame of e. In derivatives with respect to an
//! edge, the frame of the edge follows without spin. Sources: Bergou, Audoly, Vouga, Wardetzky,
//! Grinspun 2010, "Discrete viscous threads"; Kaufman, Tamstorf, Smith, Aubry, Grinspun 2014,
//! "Adaptive nonlinearity for collisions in complex rod assemblies".

use super::clamp::Frame;
use super::joint::{
    Edge, Gradient, Hessian, across, add_block, binormal, cross_block, holonomy, outer,
};
use super::layout::Joint;
use crate::body::vector::{Vec3, add, along, cross, dot, scaled};

/// Two edges with the frames of their sections, and the angle of twist between them.
pub(super) struct FramedJoint<'a> {
    pub joint: &'a Joint,
    pub e: Edge,
    pub f: Edge,
    pub frame_e: Frame,
    pub frame_f: Frame,
    pub twist: f64,
}

/// First derivatives of κ1, κ2 and the twist with respect to e, f, and the angles of the two
/// frames.
struct Rates {
    kappa: [f64; 2],
    by_e: [Vec3; 3],
    by_f: [Vec3; 3],
    by_angle_e: [f64; 3],
    by_angle_f: [f64; 3],
}

/// Second derivatives of the energy.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AngleHessian {
    pub edges: Hessian,
    /// Derivatives with respect to e and the angle of e, and with respect to e and the angle of f.
    pub e_angles: [Vec3; 2],
    /// Derivatives with respect to f and the angle of e, and with respect to f and the angle of f.
    pub f_angles: [Vec3; 2],
    /// Derivatives with respect to the angle of e twice, both angles, and the angle of f twice.
    pub angles: [f64; 3],
}

impl FramedJoint<'_> {
    /// κ1 and κ2.
    fn kappa(&self) -> [f64; 2] {
        let kb = binormal(&self.e, &self.f);
        let (m1, m2) = (self.m1(), self.m2());
        [0.5 * dot(kb, add(m2[0], m2[1])), -0.5 * dot(kb, add(m1[0], m1[1]))]
    }

    fn m1(&self) -> [Vec3; 2] {
        [self.frame_e.normal, self.frame_f.normal]
    }

    fn m2(&self) -> [Vec3; 2] {
        [cross(self.e.t, self.frame_e.normal), cross(self.f.t, self.frame_f.normal)]
    }

    /// Stiffness of κ1, κ2 and the twist.
    fn stiffness(&self) -> [f64; 3] {
        [self.joint.bend[0], self.joint.bend[1], self.joint.torsion]
    }

    /// Moments: the derivatives of the energy with respect to κ1, κ2 and the twist.
    fn moments(&self, kappa: [f64; 2]) -> [f64; 3] {
        let Joint { bend, torsion, rest, rest_twist, .. } = self.joint;
        [
            bend[0] * (kappa[0] - rest[0]),
            bend[1] * (kappa[1] - rest[1]),
            torsion * (self.twist - rest_twist),
        ]
    }

    /// Energy of bending and of twist.
    pub(super) fn energy(&self) -> [f64; 2] {
        let Joint { bend, torsion, rest, rest_twist, .. } = self.joint;
        let kappa = self.kappa();
        let bent = |i: usize| 0.5 * bend[i] * (kappa[i] - rest[i]) * (kappa[i] - rest[i]);
        let twist = self.twist - rest_twist;
        [bent(0) + bent(1), 0.5 * torsion * twist * twist]
    }

    fn rates(&self) -> Rates {
        let (te, tf) = (self.e.t, self.f.t);
        let chi = 1.0 + dot(te, tf);
        let kb = binormal(&self.e, &self.f);
        let kappa = self.kappa();
        let middle = scaled(add(te, tf), 1.0 / chi);
        let ([m1e, m1f], [m2e, m2f]) = (self.m1(), self.m2());
        let (d1, d2) = (scaled(add(m1e, m1f), 1.0 / chi), scaled(add(m2e, m2f), 1.0 / chi));
        let by = |value: f64, other: Vec3, sign: f64, d: Vec3, inverse: f64| {
            scaled(along(scaled(middle, -value), sign, cross(other, d)), inverse)
        };
        let twist = holonomy::gradient(&self.e, &self.f);
        let half = |m: Vec3| -0.5 * dot(kb, m);
        Rates {
            kappa,
            by_e: [
                by(kappa[0], tf, 1.0, d2, self.e.inverse),
                by(kappa[1], tf, -1.0, d1, self.e.inverse),
                twist.e,
            ],
            by_f: [
                by(kappa[0], te, -1.0, d2, self.f.inverse),
                by(kappa[1], te, 1.0, d1, self.f.inverse),
                twist.f,
            ],
            by_angle_e: [half(m1e), half(m2e), -1.0],
            by_angle_f: [half(m1f), half(m2f), 1.0],
        }
    }

    /// Returns the gradient of the energy with respect to the two edges.
    pub(super) fn gradient(&self) -> Gradient {
        let rates = self.rates();
        let moments = self.moments(rates.kappa);
        let mut gradient = Gradient::default();
        for (i, moment) in moments.into_iter().enumerate() {
            gradient.e = along(gradient.e, moment, rates.by_e[i]);
            gradient.f = along(gradient.f, moment, rates.by_f[i]);
        }
        gradient
    }

    /// Returns the second derivatives. If `is_definite` is set, returns only their positive
    /// semidefinite Gauss-Newton part.
    pub(super) fn hessian(&self, is_definite: bool) -> AngleHessian {
        let rates = self.rates();
        let mut hessian = AngleHessian::default();
        for (i, stiffness) in self.stiffness().into_iter().enumerate() {
            let (e, f) = (rates.by_e[i], rates.by_f[i]);
            let (angle_e, angle_f) = (rates.by_angle_e[i], rates.by_angle_f[i]);
            add_block(&mut hessian.edges.ee, stiffness, &outer(e, e));
            add_block(&mut hessian.edges.ef, stiffness, &outer(e, f));
            add_block(&mut hessian.edges.ff, stiffness, &outer(f, f));
            for (to, by) in [(&mut hessian.e_angles, e), (&mut hessian.f_angles, f)] {
                to[0] = along(to[0], stiffness * angle_e, by);
                to[1] = along(to[1], stiffness * angle_f, by);
            }
            hessian.angles[0] += stiffness * angle_e * angle_e;
            hessian.angles[1] += stiffness * angle_e * angle_f;
            hessian.angles[2] += stiffness * angle_f * angle_f;
        }
        if !is_definite {
            let moments = self.moments(rates.kappa);
            self.add_curved(&moments, &rates, &mut hessian);
            hessian.edges.add(moments[2], &holonomy::hessian(&self.e, &self.f));
        }
        hessian
    }

    /// Returns the first derivatives with respect to the angles of e and f, and the second
    /// derivatives: with respect to the angle of e twice, both angles, and the angle of f twice.
    pub(super) fn by_angles(&self) -> ([f64; 2], [f64; 3]) {
        let kb = binormal(&self.e, &self.f);
        let (m1, m2) = (self.m1(), self.m2());
        let (on_1, on_2) = (m1.map(|m| dot(kb, m)), m2.map(|m| dot(kb, m)));
        let kappa = [0.5 * (on_2[0] + on_2[1]), -0.5 * (on_1[0] + on_1[1])];
        let moments = self.moments(kappa);
        let [a, b, torsion] = self.stiffness();
        let gradient = |side: usize| -0.5 * (moments[0] * on_1[side] + moments[1] * on_2[side]);
        let product = |i: usize, j: usize| 0.25 * (a * on_1[i] * on_1[j] + b * on_2[i] * on_2[j]);
        let own = |side: usize| {
            let curved = 0.5 * (moments[1] * on_1[side] - moments[0] * on_2[side]);
            product(side, side) + torsion + curved
        };
        (
            [gradient(0) - moments[2], gradient(1) + moments[2]],
            [own(0), product(0, 1) - torsion, own(1)],
        )
    }

    /// Adds the second derivatives of κ1 and κ2, multiplied by the moments of bending.
    fn add_curved(&self, moments: &[f64; 3], rates: &Rates, to: &mut AngleHessian) {
        let kb = binormal(&self.e, &self.f);
        let (te, tf) = (self.e.t, self.f.t);
        let chi = 1.0 + dot(te, tf);
        let middle = scaled(add(te, tf), 1.0 / chi);
        let (m1, m2) = (self.m1(), self.m2());
        // κ2 is κ1 with m1 in place of m2 and the opposite sign.
        for (sign, kappa, moment, m, other) in
            [(1.0, rates.kappa[0], moments[0], m2, m1), (-1.0, rates.kappa[1], moments[1], m1, m2)]
        {
            let d = scaled(add(m[0], m[1]), sign / chi);
            let (over_e, over_f) = (cross(tf, d), cross(te, d));
            let own = |edge: &Edge, m: Vec3, cross_sign: f64, over: Vec3| {
                let mut block = outer(middle, scaled(middle, 2.0 * kappa));
                add_block(&mut block, cross_sign, &outer(over, middle));
                add_block(&mut block, cross_sign, &outer(middle, over));
                add_block(&mut block, -kappa / chi, &across(edge.t));
                add_block(&mut block, 0.25 * sign, &outer(kb, m));
                add_block(&mut block, 0.25 * sign, &outer(m, kb));
                block.map(|row| scaled(row, edge.inverse * edge.inverse))
            };
            add_block(&mut to.edges.ee, moment, &own(&self.e, m[0], -1.0, over_e));
            add_block(&mut to.edges.ff, moment, &own(&self.f, m[1], 1.0, over_f));
            let mut ef = outer(middle, scaled(middle, 2.0 * kappa));
            add_block(&mut ef, -1.0, &outer(over_e, middle));
            add_block(&mut ef, 1.0, &outer(middle, over_f));
            add_block(&mut ef, -1.0, &cross_block(d));
            for (axis, row) in ef.iter_mut().enumerate() {
                row[axis] -= kappa / chi;
            }
            add_block(&mut ef, -kappa / chi, &outer(te, tf));
            add_block(&mut to.edges.ef, moment * self.e.inverse * self.f.inverse, &ef);
            // The derivative of m2 with respect to its angle is -m1, and the derivative of m1 is
            // m2.
            let turned = [0, 1].map(|side| scaled(other[side], -1.0));
            for (side, turned) in turned.into_iter().enumerate() {
                let half = 0.5 * dot(kb, turned);
                let by_e = along(scaled(middle, -half), 1.0 / chi, cross(tf, turned));
                let by_f = along(scaled(middle, -half), -1.0 / chi, cross(te, turned));
                to.e_angles[side] = along(to.e_angles[side], moment * self.e.inverse, by_e);
                to.f_angles[side] = along(to.f_angles[side], moment * self.f.inverse, by_f);
            }
            to.angles[0] -= moment * 0.5 * sign * dot(kb, m[0]);
            to.angles[2] -= moment * 0.5 * sign * dot(kb, m[1]);
        }
    }
}
