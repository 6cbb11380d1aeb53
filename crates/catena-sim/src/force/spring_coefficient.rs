//! Coefficient of friction per spring, shared by [`SpringDamping`](super::SpringDamping) and
//! [`SpringFriction`](super::SpringFriction). The coefficient is not a force.
//!
//! In a rope the coefficient is proportional to the stiffness: a spring of stiffness k has c k/k₀,
//! where k₀ is the stiffness of the first spring. All springs then have the same relaxation time
//! c/k₀ (Kelvin and Voigt), and a tapered rope behaves like a rope of uniform material. A bending
//! spring of stiffness 0 has no friction. In bodies that are not ropes, all springs have the
//! coefficient c.

use crate::body::{Arrangement, Body, Form, Model, Spring};
use crate::named::{BadOption, OptionInfo};
use std::sync::Arc;

const COEFFICIENT: OptionInfo = OptionInfo {
    name: "coefficient",
    summary: "damping of springs, force per speed",
    default: OptionInfo::NEEDED,
    range: "a finite number of at least 0",
    ..OptionInfo::PLAIN
};

/// c of each spring, force per speed, at least 0.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringCoefficient {
    held: f64,
    bending: f64,
    /// k₀, for a rope whose stiffness varies between springs.
    first: Option<f64>,
    /// One coefficient per spring, if parts of a body differ. The other fields are then unused.
    each: Option<Arc<[f64]>>,
}
crate::identity!(SpringCoefficient { held, bending, first, each });

/// Whether the body is a rope or a ring.
fn is_rope(model: &Model) -> bool {
    match model.arrangement {
        Arrangement::Chain => true,
        Arrangement::Sheet { .. } => false,
        Arrangement::Parts => {
            matches!(&model.parts[..], [part] if matches!(part.form, Form::Rope { .. }))
        }
    }
}

impl SpringCoefficient {
    /// Creates the coefficients of a body whose first spring has the coefficient `held`.
    pub fn new(held: f64, model: &Model) -> Self {
        let Some(first) = model.springs.first().filter(|_| is_rope(model)) else {
            return Self { held, bending: held, first: None, each: None };
        };
        let (along, across) = model.springs.split_at(model.held);
        let is_even = |springs: &[Spring]| {
            springs.windows(2).all(|pair| pair[0].stiffness == pair[1].stiffness)
        };
        let bending =
            across.first().map_or(held, |bending| held * (bending.stiffness / first.stiffness));
        let first = (!is_even(along) || !is_even(across)).then_some(first.stiffness);
        Self { held, bending, first, each: None }
    }

    /// Creates coefficients from one number per spring of a model.
    pub fn of_each(each: Arc<[f64]>) -> Self {
        Self { held: 0.0, bending: 0.0, first: None, each: Some(each) }
    }

    /// Coefficient of spring `j` of the model.
    pub fn of(&self, model: &Model, j: usize) -> f64 {
        match (&self.each, self.first) {
            (Some(each), _) => each[j],
            (None, Some(first)) => self.held * (model.springs[j].stiffness / first),
            (None, None) if j < model.held => self.held,
            (None, None) => self.bending,
        }
    }

    /// Checks the coefficients.
    ///
    /// # Errors
    /// A coefficient that is negative or not finite.
    pub(super) fn check(&self) -> Result<(), BadOption> {
        let is_fine = |c: &f64| *c >= 0.0 && c.is_finite();
        let each = self.each.as_deref().unwrap_or_default();
        let all = [self.held, self.bending];
        COEFFICIENT.check(all.iter().chain(each).all(is_fine))
    }

    /// Unbroken springs, each with its coefficient.
    pub(super) fn springs<'a>(
        &'a self,
        body: &Body<'a>,
    ) -> impl Iterator<Item = (f64, &'a Spring)> + use<'a> {
        let (model, memory) = (body.model, body.springs);
        let springs = model.springs.iter().enumerate().filter(move |(j, _)| !memory.is_broken(*j));
        springs.map(move |(j, spring)| (self.of(model, j), spring))
    }
}
