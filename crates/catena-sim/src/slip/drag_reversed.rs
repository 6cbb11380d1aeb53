//! Drag with the wrong sign: F = +c (v - w) instead of -c (v - w), which adds energy.

use super::{Slip, SlipInfo, SlipTarget};
use crate::body::{Body, Model, State};
use crate::force::formula::drag;
use crate::force::{Account, AtRest, Blocks, Derivative, Extent, Force, ForceEnergy, diagonal};
use crate::named::BadOption;
use serde::Deserialize;
use std::sync::Arc;

/// Reverses the drag of the medium.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DragReversed {}
crate::identity!(DragReversed {});

impl DragReversed {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "DragReversed",
        title: "drag reversed",
        summary: "forces += drag * velocity, which pushes every mass on and feeds energy",
        symptom: "my rope swings higher and higher, the more drag the faster",
        correct: "Drag is against the motion: the force on a mass is -drag * velocity.",
        options: &[],
    };
}

impl Slip for DragReversed {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        let mut has_drag = false;
        for force in target.forces.iter_mut() {
            let is_zero = force.resistance() == 0.0;
            if is_zero || !matches!(force.derivative(0.0), Some(Derivative::Drag(_))) {
                continue;
            }
            *force = Arc::new(ReversedDrag { drag: Arc::clone(force) });
            has_drag = true;
        }
        if has_drag {
            return Ok(());
        }
        Err("there is no drag: set `drag`, such as drag: 0.01".into())
    }
}

/// A drag with the opposite sign.
#[derive(Debug)]
struct ReversedDrag {
    drag: Arc<dyn Force>,
}
crate::identity!(ReversedDrag { drag });

impl ReversedDrag {
    /// Coefficient of the force, below 0.
    fn coefficient(&self, t: f64) -> f64 {
        match self.drag.derivative(t) {
            Some(Derivative::Drag(coefficient)) => -coefficient,
            _ => 0.0,
        }
    }
}

impl Force for ReversedDrag {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let n = body.model.nodes();
        let (c, wind) = (self.coefficient(state.t), self.medium(state.t).unwrap_or_default());
        for ((f, v), wind) in f.chunks_exact_mut(n).zip(state.v.chunks_exact(n)).zip(wind) {
            for (value, v) in f.iter_mut().zip(v) {
                *value = drag(*value, c, *v, wind);
            }
        }
    }

    /// Adds the exact derivative. Reversed drag would make the matrix of an implicit method
    /// indefinite, so the definite form omits it.
    fn add_jacobian(&self, body: &Body<'_>, state: &State, blocks: &mut Blocks<'_>) {
        if blocks.is_definite() {
            return;
        }
        let (axes, c) = (body.model.axes, self.coefficient(state.t));
        for i in 0..body.model.nodes() {
            blocks.add_own(i, diagonal(axes, 0.0), diagonal(axes, -c));
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

    /// Books the work on the account of damping, where a gain reveals the slip.
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
        -self.drag.resistance()
    }

    fn with_drag(&self, coefficient: f64) -> Option<Arc<dyn Force>> {
        Some(Arc::new(Self { drag: self.drag.with_drag(coefficient)? }))
    }

    fn with_wind(&self, wind: &[f64]) -> Option<Arc<dyn Force>> {
        Some(Arc::new(Self { drag: self.drag.with_wind(wind)? }))
    }
}
