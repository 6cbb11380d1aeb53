//! A drag with a factor per node, for slips that change the sign of a drag or count it several
//! times.

use super::SlipTarget;
use crate::body::{Body, Model, State};
use crate::force::formula::drag;
use crate::force::{Account, AtRest, Blocks, Derivative, Extent, Force, ForceEnergy, diagonal};
use crate::named::BadOption;
use std::sync::Arc;

/// Drag whose coefficient has a factor per node.
#[derive(Debug)]
pub(super) struct ScaledDrag {
    drag: Arc<dyn Force>,
    /// Factor per node. A negative factor adds energy.
    factors: Vec<f64>,
    /// Factor of the resistance that the force reports.
    reported: f64,
}
crate::identity!(ScaledDrag { drag, factors, reported });

impl ScaledDrag {
    /// Replaces all drag forces. Returns whether there are any drag forces.
    pub(super) fn replace_all(target: &mut SlipTarget<'_>, factors: &[f64], reported: f64) -> bool {
        let mut has_drag = false;
        for force in target.forces.iter_mut() {
            let is_drag = matches!(force.derivative(0.0), Some(Derivative::Drag(_)));
            if is_drag && force.resistance() != 0.0 {
                let (drag, factors) = (Arc::clone(force), factors.to_vec());
                *force = Arc::new(Self { drag, factors, reported });
                has_drag = true;
            }
        }
        has_drag
    }

    fn around(&self, drag: Arc<dyn Force>) -> Arc<dyn Force> {
        Arc::new(Self { drag, factors: self.factors.clone(), reported: self.reported })
    }

    /// Coefficient of the drag without a factor.
    fn coefficient(&self, t: f64) -> f64 {
        match self.drag.derivative(t) {
            Some(Derivative::Drag(coefficient)) => coefficient,
            _ => 0.0,
        }
    }
}

impl Force for ScaledDrag {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let n = body.model.nodes();
        let (c, wind) = (self.coefficient(state.t), self.medium(state.t).unwrap_or_default());
        for ((f, v), wind) in f.chunks_exact_mut(n).zip(state.v.chunks_exact(n)).zip(wind) {
            for ((value, v), factor) in f.iter_mut().zip(v).zip(&self.factors) {
                *value = drag(*value, c * factor, *v, wind);
            }
        }
    }

    /// Adds the exact derivative. A force that adds energy would make the matrix of an implicit
    /// method indefinite, so its derivative is omitted if the matrix must be positive definite.
    fn add_jacobian(&self, body: &Body<'_>, state: &State, blocks: &mut Blocks<'_>) {
        let (axes, c) = (body.model.axes, self.coefficient(state.t));
        for (i, factor) in self.factors.iter().enumerate() {
            if *factor > 0.0 || !blocks.is_definite() {
                blocks.add_own(i, diagonal(axes, 0.0), diagonal(axes, -c * factor));
            }
        }
    }

    fn load(&self, model: &Model) -> f64 {
        self.drag.load(model)
    }

    fn at_rest(&self) -> AtRest<'_> {
        self.drag.at_rest()
    }

    fn changes_with_time(&self) -> bool {
        self.drag.changes_with_time()
    }

    fn extent(&self) -> Extent {
        self.drag.extent()
    }

    /// Books the work on the account of damping, where a gain shows a reversed sign.
    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Booked(Account::Damping)
    }

    fn medium(&self, t: f64) -> Option<[f64; 3]> {
        self.drag.medium(t)
    }

    fn check(&self) -> Result<(), BadOption> {
        self.drag.check()
    }

    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption> {
        self.drag.fits(axes, nodes)
    }

    fn resistance(&self) -> f64 {
        self.reported * self.drag.resistance()
    }

    fn with_drag(&self, coefficient: f64) -> Option<Arc<dyn Force>> {
        self.drag.with_drag(coefficient).map(|drag| self.around(drag))
    }

    fn with_wind(&self, wind: &[f64]) -> Option<Arc<dyn Force>> {
        self.drag.with_wind(wind).map(|drag| self.around(drag))
    }
}
