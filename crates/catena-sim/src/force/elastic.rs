//! Elastic springs: the force on node a is F = T(|d|) d/|d| with d = x_b - x_a, and the opposite on
//! node b. T is the tension of the law.
//!
//! Bending springs are springs of the same kind that span two segments. They are a separate force,
//! because methods that hold lengths replace only the force of structural and shear springs.
//!
//! A spring of length 0 has no direction and exerts no force. A broken spring exerts no force
//! either.

use super::formula::directed;
use super::jacobian::directional;
use super::{Blocks, Force, ForceEnergy, Known, Potential, SpringForce, SpringLaw, Store};
use crate::body::{Body, Model, Spring, State};
use crate::named::BadOption;
use std::sync::Arc;

/// A subset of the springs of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Structural and shear springs, which some methods hold at their rest length.
    Held,
    /// Bending springs, which span two segments.
    Bending,
}
crate::identity!(
    enum Part {
        Held,
        Bending,
    }
);

impl Part {
    /// Indices of the springs of this part.
    pub fn springs(self, model: &Model) -> std::ops::Range<usize> {
        match self {
            Self::Held => 0..model.held,
            Self::Bending => model.held..model.springs.len(),
        }
    }
}

/// Springs of a model, in the model's order, all with the same law.
#[derive(Debug)]
pub struct ElasticSprings {
    /// Law of the tension as a function of length.
    pub law: Arc<dyn SpringLaw>,
    /// Springs that the force includes.
    pub part: Part,
}
crate::identity!(ElasticSprings { law, part });

impl ElasticSprings {
    /// Unbroken springs of this part, with their indices.
    fn springs<'a>(&self, body: &Body<'a>) -> impl Iterator<Item = (usize, &'a Spring)> + use<'a> {
        let (model, memory) = (body.model, body.springs);
        let springs = self.part.springs(model).map(move |j| (j, &model.springs[j]));
        springs.filter(move |(j, _)| !memory.is_broken(*j))
    }
}

impl Force for ElasticSprings {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let model = body.model;
        let n = model.nodes();
        for (j, spring) in self.springs(body) {
            let (d, length) = model.span(&state.x, spring);
            if length == 0.0 {
                continue;
            }
            let pull = self.law.tension(spring, length, body.springs.plastic(j));
            let forces = directed(d, length, pull, false);
            for (axis, force) in forces.into_iter().enumerate().take(model.axes) {
                f[axis * n + spring.a] += force;
                f[axis * n + spring.b] -= force;
            }
        }
    }

    /// Adds ∂f_a/∂d = T' u uᵀ + T/|d| (1 - u uᵀ). If the matrix must be positive definite, a
    /// negative T' or T counts as 0: the T of a compressed spring would make the matrix indefinite.
    fn add_jacobian(&self, body: &Body<'_>, state: &State, blocks: &mut Blocks<'_>) {
        let model = body.model;
        for (j, spring) in self.springs(body) {
            let (d, length) = model.span(&state.x, spring);
            if length == 0.0 {
                continue;
            }
            let plastic = body.springs.plastic(j);
            let mut along = self.law.slope(spring, length, plastic);
            let mut across = self.law.tension(spring, length, plastic) / length;
            if blocks.is_definite() {
                (along, across) = (along.max(0.0), across.max(0.0));
            }
            let u = d.map(|component| component / length);
            let by_x = directional(model.axes, &u, along, across);
            blocks.add_pair(spring.a, spring.b, by_x, [[0.0; 3]; 3]);
        }
    }

    /// Returns 0: springs only respond to other forces.
    fn load(&self, _model: &Model) -> f64 {
        0.0
    }

    fn known(&self) -> Option<Known<'_>> {
        let (law, part) = (self.law.as_ref(), self.part);
        Some(Known::Springs(SpringForce::Elastic { law, part }))
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Stored(self)
    }

    fn check(&self) -> Result<(), BadOption> {
        self.law.check()
    }
}

impl Potential for ElasticSprings {
    fn store(&self) -> Store {
        Store::Elastic
    }

    fn potential(&self, body: &Body<'_>, state: &State) -> f64 {
        let model = body.model;
        self.springs(body)
            .map(|(j, spring)| {
                let length = model.span(&state.x, spring).1;
                self.law.energy(spring, length, body.springs.plastic(j))
            })
            .sum()
    }
}
