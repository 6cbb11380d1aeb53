//! The coefficient of friction in each spring, which friction along springs and friction on the
//! whole relative velocity share. Not a force itself.
//!
//! In a rope it goes with the stiffness: a bending spring of stiffness k_b has c k_b/k, so that all
//! springs have one time c/k (Kelvin and Voigt), and a bending spring vanishes together with its
//! friction. Springs of a cloth all have c.

use crate::body::Body;
use crate::body::{Arrangement, Model, Spring};

/// c of each kind of spring, force per speed, at least 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringCoefficient {
    held: f64,
    bending: f64,
}

impl SpringCoefficient {
    /// For a body whose springs along it have this one.
    pub fn new(held: f64, model: &Model) -> Self {
        let bending = match (model.arrangement, model.springs.get(model.held)) {
            (Arrangement::Chain, Some(bending)) => {
                held * (bending.stiffness / model.springs[0].stiffness)
            }
            _ => held,
        };
        Self { held, bending }
    }

    /// All springs that are whole, with the coefficient of each.
    pub(super) fn springs<'a>(
        self,
        body: &Body<'a>,
    ) -> impl Iterator<Item = (f64, &'a Spring)> + use<'a> {
        let (model, memory) = (body.model, body.springs);
        let springs = model.springs.iter().enumerate().filter(move |(j, _)| !memory.is_broken(*j));
        springs
            .map(move |(j, spring)| (if j < model.held { self.held } else { self.bending }, spring))
    }
}
