//! Viscous drag with a coefficient and a wind that change with time: F = -c(t) (v - w(t)).

use super::{Account, Blocks, Derivative, Drag, Force, ForceEnergy, diagonal};
use crate::body::{Body, Model, State};
use crate::drive::curve::{self, Curve};
use crate::drive::track::{Animated, Extent, Extremes, Track};
use crate::named::{BadOption, OptionInfo};
use std::sync::Arc;

/// Drag that pulls every node towards the velocity of the medium.
#[derive(Clone, Debug)]
pub struct ChangingDrag {
    /// c as a function of time, force per speed, at least 0.
    coefficient: Animated<1>,
    /// Extremes of the coefficient, if known.
    extremes: Option<Extremes>,
    /// w as a function of time.
    wind: Arc<dyn Curve>,
}
crate::identity!(ChangingDrag { coefficient, wind; extremes });

impl ChangingDrag {
    /// Creates drag with the coefficient c, force per speed, in a wind w. [`Force::check`] refuses
    /// a coefficient that falls below 0 or whose extremes are unknown.
    pub fn new(coefficient: Animated<1>, wind: Arc<dyn Curve>) -> Self {
        let extremes = coefficient.extremes().map(|[extremes]| extremes);
        Self { coefficient, extremes, wind }
    }

    /// c at a time. Negative rounding errors count as 0.
    fn coefficient(&self, t: f64) -> f64 {
        let ([c], _) = self.coefficient.at(t);
        c.max(0.0)
    }

    /// Maximum c over all times.
    fn greatest(&self) -> f64 {
        self.extremes.map_or(0.0, |extremes| extremes.range().1)
    }
}

const COEFFICIENT: OptionInfo = OptionInfo {
    name: "coefficient",
    summary: "force per speed at every time",
    default: OptionInfo::NEEDED,
    range: "a track that is finite and at least 0 at all times",
    ..OptionInfo::PLAIN
};

impl Force for ChangingDrag {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let n = body.model.nodes();
        let (c, wind) = (self.coefficient(state.t), self.wind.at(state.t).0);
        for ((f, v), wind) in f.chunks_exact_mut(n).zip(state.v.chunks_exact(n)).zip(&wind) {
            for (value, v) in f.iter_mut().zip(v) {
                *value -= c * (v - wind);
            }
        }
    }

    fn add_jacobian(&self, body: &Body<'_>, state: &State, blocks: &mut Blocks<'_>) {
        let (axes, c) = (body.model.axes, self.coefficient(state.t));
        for i in 0..body.model.nodes() {
            blocks.add_own(i, diagonal(axes, 0.0), diagonal(axes, -c));
        }
    }

    fn derivative(&self, t: f64) -> Option<Derivative<'_>> {
        let c = self.coefficient(t);
        c.is_finite().then_some(Derivative::Drag(c))
    }

    fn load(&self, model: &Model) -> f64 {
        let wind = curve::greatest(self.wind.as_ref());
        model.nodes() as f64 * self.greatest() * wind
    }

    fn changes_with_time(&self) -> bool {
        true
    }

    fn extent(&self) -> Extent {
        self.coefficient.extent().with(self.wind.extent())
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Booked(Account::Damping)
    }

    fn medium(&self, t: f64) -> Option<[f64; 3]> {
        Some(self.wind.at(t).0)
    }

    fn check(&self) -> Result<(), BadOption> {
        let range = self.extremes.map(|extremes| extremes.range());
        let is_fine = range.is_some_and(|(low, high)| low >= 0.0 && high.is_finite());
        COEFFICIENT.check(is_fine)?;
        self.wind.check()
    }

    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption> {
        self.wind.fits(axes, nodes)
    }

    fn with_drag(&self, coefficient: f64) -> Option<Arc<dyn Force>> {
        Some(Arc::new(Drag { coefficient, wind: self.wind.at(0.0).0.to_vec() }))
    }

    fn with_wind(&self, wind: &[f64]) -> Option<Arc<dyn Force>> {
        Some(Arc::new(Self { wind: curve::constant(wind), ..self.clone() }))
    }

    fn extremes(&self) -> Vec<Arc<dyn Force>> {
        let (low, high) = self.extremes.map_or((0.0, 0.0), |extremes| extremes.range());
        let wind = self.wind.at(0.0).0.to_vec();
        let drag = |coefficient| Arc::new(Drag { coefficient, wind: wind.clone() }) as _;
        if low < high { vec![drag(low), drag(high)] } else { Vec::new() }
    }

    /// Returns the maximum over all times.
    fn resistance(&self) -> f64 {
        self.greatest()
    }
}
