//! Drag in the loop over springs: each spring adds the drag of both of its nodes, so a node with
//! two springs is damped twice as strongly as the free end.

use super::per_spring::{ALSO_PER_MASS, spring_counts};
use super::{Slip, SlipInfo, SlipTarget};
use crate::body::{Body, Model, State};
use crate::force::formula::drag;
use crate::force::{Account, AtRest, Blocks, Derivative, Extent, Force, ForceEnergy, diagonal};
use crate::named::BadOption;
use serde::Deserialize;
use std::sync::Arc;

/// Adds the drag of a node once per spring at the node.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DragPerSpring {
    /// Whether the drag also acts once in the loop over masses.
    pub also_per_mass: bool,
}
crate::identity!(DragPerSpring { also_per_mass });

impl DragPerSpring {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "DragPerSpring",
        title: "drag in the spring loop",
        summary: "forces -= drag * velocity for both ends of each spring, so inner nodes are damped twice",
        symptom: "my rope comes to rest too soon, about twice as fast as it should",
        correct: "Drag acts once per mass: add it in the loop over masses.",
        options: &[ALSO_PER_MASS],
    };
}

impl Slip for DragPerSpring {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        let counts = spring_counts(target, Self::INFO.name, self.also_per_mass)?;
        let mut has_drag = false;
        for force in target.forces.iter_mut() {
            let is_drag = matches!(force.derivative(0.0), Some(Derivative::Drag(_)));
            if !is_drag || force.resistance() == 0.0 {
                continue;
            }
            *force = Arc::new(RepeatedDrag { drag: Arc::clone(force), counts: counts.clone() });
            has_drag = true;
        }
        if has_drag {
            return Ok(());
        }
        Err("there is no drag: set `drag`, such as drag: 0.01".into())
    }
}

/// A drag that acts on each node once per spring at the node.
#[derive(Debug)]
struct RepeatedDrag {
    drag: Arc<dyn Force>,
    /// Number of springs per node.
    counts: Vec<f64>,
}
crate::identity!(RepeatedDrag { drag, counts });

impl RepeatedDrag {
    /// Coefficient of the drag on a node with one spring.
    fn coefficient(&self, t: f64) -> f64 {
        match self.drag.derivative(t) {
            Some(Derivative::Drag(coefficient)) => coefficient,
            _ => 0.0,
        }
    }
}

impl Force for RepeatedDrag {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let n = body.model.nodes();
        let (c, wind) = (self.coefficient(state.t), self.medium(state.t).unwrap_or_default());
        for ((f, v), wind) in f.chunks_exact_mut(n).zip(state.v.chunks_exact(n)).zip(wind) {
            for ((value, v), count) in f.iter_mut().zip(v).zip(&self.counts) {
                *value = drag(*value, c * count, *v, wind);
            }
        }
    }

    fn add_jacobian(&self, body: &Body<'_>, state: &State, blocks: &mut Blocks<'_>) {
        let (axes, c) = (body.model.axes, self.coefficient(state.t));
        for (i, count) in self.counts.iter().enumerate() {
            blocks.add_own(i, diagonal(axes, 0.0), diagonal(axes, -c * count));
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

    /// Coefficient on a node with one spring.
    fn resistance(&self) -> f64 {
        self.drag.resistance()
    }

    fn with_drag(&self, coefficient: f64) -> Option<Arc<dyn Force>> {
        let drag = self.drag.with_drag(coefficient)?;
        Some(Arc::new(Self { drag, counts: self.counts.clone() }))
    }

    fn with_wind(&self, wind: &[f64]) -> Option<Arc<dyn Force>> {
        let drag = self.drag.with_wind(wind)?;
        Some(Arc::new(Self { drag, counts: self.counts.clone() }))
    }
}
