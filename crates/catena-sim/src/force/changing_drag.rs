//! Viscous drag that changes with time, in a wind that does: F = -c(t) (v - w(t)).

use super::{Account, AtRest, Blocks, Derivative, Force, ForceEnergy, diagonal};
use crate::body::{Body, Model, State};
use crate::drive::{
    Series,
    curve::{self, Curve},
};
use crate::named::{BadOption, OptionInfo};
use std::sync::Arc;

/// Pulls every node towards the velocity of the medium.
#[derive(Clone, Debug)]
pub struct ChangingDrag {
    /// c at every time, force per speed, at least 0.
    pub coefficient: Series,
    /// w at every time.
    pub wind: Arc<dyn Curve>,
}

const COEFFICIENT: OptionInfo = OptionInfo {
    name: "coefficient",
    summary: "force per speed at every time",
    default: OptionInfo::NEEDED,
    range: "finite numbers of at least 0 at times that rise",
};

impl Force for ChangingDrag {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let n = body.model.nodes();
        let (c, wind) = (self.coefficient.at(state.t), self.wind.at(state.t).0);
        for ((f, v), wind) in f.chunks_exact_mut(n).zip(state.v.chunks_exact(n)).zip(&wind) {
            for (value, v) in f.iter_mut().zip(v) {
                *value -= c * (v - wind);
            }
        }
    }

    fn add_jacobian(&self, body: &Body<'_>, state: &State, blocks: &mut Blocks<'_>) {
        let (axes, c) = (body.model.axes, self.coefficient.at(state.t));
        for i in 0..body.model.nodes() {
            blocks.add_own(i, diagonal(axes, 0.0), diagonal(axes, -c));
        }
    }

    fn derivative(&self, t: f64) -> Option<Derivative<'_>> {
        let c = self.coefficient.at(t);
        c.is_finite().then_some(Derivative::Drag(c))
    }

    fn load(&self, model: &Model) -> f64 {
        let wind = curve::greatest(self.wind.as_ref());
        model.nodes() as f64 * self.coefficient.greatest() * wind
    }

    fn at_rest(&self) -> AtRest<'_> {
        AtRest::Other
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Booked(Account::Damping)
    }

    fn medium(&self, t: f64) -> Option<[f64; 3]> {
        Some(self.wind.at(t).0)
    }

    fn check(&self) -> Result<(), BadOption> {
        COEFFICIENT.check(self.coefficient.is_sound(|c| c >= 0.0))?;
        self.wind.check()
    }

    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption> {
        self.wind.fits(axes, nodes)
    }

    fn with_wind(&self, wind: &[f64]) -> Option<Arc<dyn Force>> {
        let coefficient = self.coefficient.clone();
        Some(Arc::new(Self { coefficient, wind: curve::constant(wind) }))
    }

    /// The greatest over time.
    fn resistance(&self) -> f64 {
        self.coefficient.greatest()
    }
}
