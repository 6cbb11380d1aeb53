//! Constant forces that a program applies to the nodes of a running body.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use super::{Account, Blocks, Derivative, Force, ForceEnergy};
use crate::body::vector::{Vec3, norm};
use crate::body::{Body, Model, State};

/// A constant force on each node.
#[derive(Clone, Debug, PartialEq)]
pub struct Pushes {
    /// Forces, flat by axis.
    forces: Vec<f64>,
}
crate::identity!(Pushes { forces });

impl Pushes {
    /// Creates forces of 0.
    pub fn none(model: &Model) -> Self {
        Self { forces: vec![0.0; model.nodes() * model.axes] }
    }

    /// Adds a force on a node of the model.
    pub fn add(&mut self, model: &Model, node: usize, force: Vec3) {
        let n = model.nodes();
        for (sum, component) in self.forces.iter_mut().skip(node).step_by(n).zip(force) {
            *sum += component;
        }
    }
}

impl Force for Pushes {
    fn add_to(&self, _body: &Body<'_>, _state: &State, f: &mut [f64]) {
        f.iter_mut().zip(&self.forces).for_each(|(f, force)| *f += force);
    }

    /// Adds nothing: the forces are constant.
    fn add_jacobian(&self, _body: &Body<'_>, _state: &State, _blocks: &mut Blocks<'_>) {}

    fn derivative(&self, _t: f64) -> Option<Derivative<'_>> {
        Some(Derivative::Nothing)
    }

    fn load(&self, model: &Model) -> f64 {
        let n = model.nodes();
        let force =
            |node| [0, 1, 2].map(|axis| self.forces.get(axis * n + node).map_or(0.0, |f| *f));
        (0..n).map(|node| norm(force(node))).sum()
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Booked(Account::External)
    }
}
