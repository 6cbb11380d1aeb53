//! Viscous drag of a medium that may move: F = -c (v - w) with the wind w.

use super::formula::drag;
use super::{Account, Blocks, Force, ForceEnergy, Known, diagonal};
use crate::body::{Body, Model, State};
use crate::named::{BadOption, OptionInfo};
use std::sync::Arc;

/// Drag that pulls every node towards the velocity of the medium.
#[derive(Clone, Debug, PartialEq)]
pub struct Drag {
    /// c, force per speed, at least 0.
    pub coefficient: f64,
    /// w, one number per axis.
    pub wind: Vec<f64>,
}
crate::identity!(Drag { coefficient, wind });

const COEFFICIENT: OptionInfo = OptionInfo {
    name: "coefficient",
    summary: "force per speed",
    default: OptionInfo::NEEDED,
    range: "a finite number of at least 0",
    ..OptionInfo::PLAIN
};

const WIND: OptionInfo = OptionInfo {
    name: "wind",
    summary: "velocity of the medium",
    default: OptionInfo::NEEDED,
    range: "a finite number per axis",
    ..OptionInfo::PLAIN
};

impl Force for Drag {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let n = body.model.nodes();
        for ((f, v), wind) in f.chunks_exact_mut(n).zip(state.v.chunks_exact(n)).zip(&self.wind) {
            for (value, v) in f.iter_mut().zip(v) {
                *value = drag(*value, self.coefficient, *v, *wind);
            }
        }
    }

    fn add_jacobian(&self, body: &Body<'_>, _state: &State, blocks: &mut Blocks<'_>) {
        let axes = body.model.axes;
        for i in 0..body.model.nodes() {
            blocks.add_own(i, diagonal(axes, 0.0), diagonal(axes, -self.coefficient));
        }
    }

    fn known(&self) -> Option<Known<'_>> {
        Some(Known::Drag { coefficient: self.coefficient, wind: &self.wind })
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Booked(Account::Damping)
    }

    fn medium(&self, _t: f64) -> Option<[f64; 3]> {
        let axis = |axis: usize| self.wind.get(axis).copied().unwrap_or(0.0);
        self.wind.iter().any(|w| *w != 0.0).then(|| [axis(0), axis(1), axis(2)])
    }

    fn check(&self) -> Result<(), BadOption> {
        COEFFICIENT.check(self.coefficient >= 0.0 && self.coefficient.is_finite())?;
        WIND.check(self.wind.iter().all(|w| w.is_finite()))
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        WIND.check(self.wind.len() == axes)
    }

    fn resistance(&self) -> f64 {
        self.coefficient
    }

    fn with_drag(&self, coefficient: f64) -> Option<Arc<dyn Force>> {
        Some(Arc::new(Self { coefficient, wind: self.wind.clone() }))
    }

    fn with_wind(&self, wind: &[f64]) -> Option<Arc<dyn Force>> {
        Some(Arc::new(Self { wind: wind.to_vec(), ..*self }))
    }

    fn load(&self, model: &Model) -> f64 {
        let wind = self.wind.iter().map(|component| component * component).sum::<f64>().sqrt();
        model.nodes() as f64 * self.coefficient * wind
    }
}
