//! Turns the options of a builder into the forces of a setup.

use super::SetupBuilder;
use crate::body::Model;
use crate::drive::track::Animated;
use crate::drive::{Curve, curve};
use crate::force::{
    ChangingDrag, ChangingGravity, Drag, ElasticSprings, Force, Gravity, Part, SpringCoefficient,
    SpringDamping, SpringFriction,
};
use crate::named::BadSetup;
use std::sync::Arc;

impl SetupBuilder {
    /// Checks gravity, wind, drag and friction. Errors use the names of the builder's options.
    fn check_accelerations(&self, model: &Model) -> Result<(), BadSetup> {
        let axes = model.axes;
        for (field, vector) in [("gravity", &self.gravity), ("wind", &self.wind)] {
            let Some(vector) = vector else { continue };
            let is_fine = vector.len() == axes && vector.iter().all(|value| value.is_finite());
            let message = format!("expected {axes} finite components, found {vector:?}");
            BadSetup::unless(is_fine, field, message)?;
        }
        for (field, curve) in [("gravity", &self.gravity_curve), ("wind", &self.wind_curve)] {
            let Some(curve) = curve else { continue };
            let fits = curve.check().and_then(|()| curve.fits(axes, 0));
            fits.map_err(|bad| BadSetup::option(field, &bad))?;
        }
        for (field, value) in [
            ("drag", self.drag),
            ("spring_damping", self.damping),
            ("spring_friction", self.friction),
        ] {
            let message = format!("expected a finite number of at least 0, found {value}");
            BadSetup::unless(value >= 0.0 && value.is_finite(), field, message)?;
        }
        for (field, each) in
            [("spring_damping", &self.damping_each), ("spring_friction", &self.friction_each)]
        {
            let is_fine = each.as_ref().is_none_or(|each| each.len() == model.springs.len());
            let message = format!("expected one number per spring, {}", model.springs.len());
            BadSetup::unless(is_fine, field, message)?;
        }
        Ok(())
    }

    /// Returns the forces in the order of summation. Forces that are zero are omitted, except
    /// gravity.
    pub(super) fn forces(&self, model: &Model) -> Result<Vec<Arc<dyn Force>>, BadSetup> {
        self.check_accelerations(model)?;
        let elastic = |part| Arc::new(ElasticSprings { law: Arc::clone(&self.law), part });
        let mut forces: Vec<Arc<dyn Force>> = vec![elastic(Part::Held)];
        if model.held < model.springs.len() {
            forces.push(elastic(Part::Bending));
        }
        // A NaN coefficient stays in the list so that the check reports it.
        let coefficient = |held: f64, each: &Option<Arc<[f64]>>| match each {
            Some(each) => Some(SpringCoefficient::of_each(Arc::clone(each)))
                .filter(|_| each.iter().any(|c| *c != 0.0)),
            None => Some(SpringCoefficient::new(held, model)).filter(|_| held != 0.0),
        };
        if let Some(coefficient) = coefficient(self.damping, &self.damping_each) {
            forces.push(Arc::new(SpringDamping { coefficient }));
        }
        if let Some(coefficient) = coefficient(self.friction, &self.friction_each) {
            forces.push(Arc::new(SpringFriction { coefficient }));
        }
        forces.push(self.weight(model.axes));
        forces.extend(self.resistance(model.axes)?);
        forces.extend(self.listed.iter().cloned());
        place_memories(&mut forces);
        Ok(forces)
    }

    fn weight(&self, axes: usize) -> Arc<dyn Force> {
        match &self.gravity_curve {
            Some(curve) => Arc::new(ChangingGravity { acceleration: Arc::clone(curve) }),
            None => {
                let zeros = || vec![0.0; axes];
                Arc::new(Gravity { acceleration: self.gravity.clone().unwrap_or_else(zeros) })
            }
        }
    }

    /// Returns the drag relative to the wind. Constant drag uses the force type that kernels
    /// support.
    fn resistance(&self, axes: usize) -> Result<Option<Arc<dyn Force>>, BadSetup> {
        let is_windy = |wind: &Vec<f64>| wind.iter().any(|w| *w != 0.0);
        let has_wind = self.wind_curve.is_some() || self.wind.as_ref().is_some_and(is_windy);
        let wind = || self.wind.clone().unwrap_or_else(|| vec![0.0; axes]);
        let medium = |curve: Option<&Arc<dyn Curve>>| match curve {
            Some(curve) => Arc::clone(curve),
            None => curve::constant(&wind()),
        };
        Ok(match (&self.drag_track, &self.wind_curve) {
            (None, _) if self.drag == 0.0 => {
                BadSetup::unless(!has_wind, "wind", "wind has no effect without drag")?;
                None
            }
            (None, None) => Some(Arc::new(Drag { coefficient: self.drag, wind: wind() })),
            (track, curve) => {
                let coefficient = track.clone().unwrap_or_else(|| Animated::number(self.drag));
                let drag = ChangingDrag::new(coefficient, medium(curve.as_ref()));
                drag.check().map_err(|bad| BadSetup::option("drag", &bad))?;
                Some(Arc::new(drag))
            }
        })
    }
}

/// Assigns a place in the memory of all forces to each force that has a memory, counted from the
/// end. Rods use the beginning of that memory.
fn place_memories(forces: &mut [Arc<dyn Force>]) {
    let mut from_end = 0;
    for force in forces.iter_mut().rev().filter(|force| force.rods().is_none()) {
        from_end += force.numbers();
        if let Some(placed) = force.remembering_at(from_end).filter(|_| force.numbers() > 0) {
            *force = placed;
        }
    }
}
