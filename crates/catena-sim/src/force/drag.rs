//! Viscous drag of a medium that may move: F = -c (v - w), w being the wind.

use super::{Account, Blocks, diagonal};
use super::{Force, Term};
use crate::body::{Body, Model, State};

/// Pulls every node towards the velocity of the medium.
#[derive(Clone, Debug, PartialEq)]
pub struct Drag {
    /// c, force per speed, at least 0.
    pub coefficient: f64,
    /// w, one number an axis.
    pub wind: Vec<f64>,
}

impl Force for Drag {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let n = body.model.nodes();
        for ((f, v), wind) in f.chunks_exact_mut(n).zip(state.v.chunks_exact(n)).zip(&self.wind) {
            for (value, v) in f.iter_mut().zip(v) {
                *value -= self.coefficient * (v - wind);
            }
        }
    }

    fn add_jacobian(&self, body: &Body<'_>, _state: &State, blocks: &mut Blocks<'_>) {
        let axes = body.model.axes;
        for i in 0..body.model.nodes() {
            blocks.add_own(i, diagonal(axes, 0.0), diagonal(axes, -self.coefficient));
        }
    }

    fn account(&self) -> Account {
        Account::Damping
    }

    fn term(&self) -> Option<Term<'_>> {
        Some(Term::Drag { coefficient: self.coefficient, wind: &self.wind })
    }

    fn resistance(&self) -> f64 {
        self.coefficient
    }

    fn load(&self, model: &Model) -> f64 {
        let wind = self.wind.iter().map(|component| component * component).sum::<f64>().sqrt();
        model.nodes() as f64 * self.coefficient * wind
    }
}
