//! The forces on a body, in the order in which they are summed.

use super::error::SceneError;
use super::schema::Settings;
use super::stack::{Stack, refuse, required};
use crate::sim::{
    Force, Model, SpringLaw,
    force::{
        Drag, ElasticSprings, Gravity, Part, SpringCoefficient, SpringDamping, SpringFriction,
    },
};
use std::sync::Arc;

/// The properties of the springs of a body, except stiffness.
pub(super) struct SpringKind {
    pub(super) law: Arc<dyn SpringLaw>,
    pub(super) damping: f64,
    pub(super) friction: f64,
    pub(super) breaks_at: Option<f64>,
    /// Whether there are bending springs.
    pub(super) bends: bool,
}

/// The forces on a body: springs, then gravity and drag, then those that the scene lists. Forces
/// that are always zero are left out.
pub(super) fn forces(
    stack: &Stack<'_>,
    settings: &Settings,
    springs: &SpringKind,
    gravity: &[f64],
    model: &Model,
) -> Result<Vec<Arc<dyn Force>>, SceneError> {
    let axes = gravity.len();
    let elastic = |part| Arc::new(ElasticSprings { law: Arc::clone(&springs.law), part });
    let mut forces: Vec<Arc<dyn Force>> = vec![elastic(Part::Held)];
    if springs.bends {
        forces.push(elastic(Part::Bending));
    }
    if springs.damping > 0.0 {
        forces.push(Arc::new(SpringDamping {
            coefficient: SpringCoefficient::new(springs.damping, model),
        }));
    }
    if springs.friction > 0.0 {
        forces.push(Arc::new(SpringFriction {
            coefficient: SpringCoefficient::new(springs.friction, model),
        }));
    }
    forces.push(Arc::new(Gravity { acceleration: gravity.to_vec() }));
    let drag = required(stack, "drag", settings.drag.as_ref())?.0;
    if drag > 0.0 {
        let wind = required(stack, "wind", settings.wind.as_ref())?.on(axes);
        forces.push(Arc::new(Drag { coefficient: drag, wind }));
    }
    for (index, choice) in settings.forces.iter().flat_map(|list| list.0.iter().enumerate()) {
        let path = format!("forces[{index}]");
        let force: Box<dyn Force> =
            choice.read_for(axes, model.nodes()).map_err(|fault| refuse(stack, &path, fault))?;
        forces.push(force.into());
    }
    Ok(forces)
}
