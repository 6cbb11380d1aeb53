//! Routes of a body. A route gets the motion of the bones and the rows of the files that it names.

use super::choice::{Choice, Forces};
use super::diagnostic::Fault;
use super::recorded::series;
use super::rig::BuiltRig;
use super::shape::files;
use super::stack::Stack;
use catena_base::text::number::short;
use catena_sim::drive::curve::{SeriesFile, SeriesRow};
use catena_sim::drive::rig::BonePin;
use catena_sim::force::applied::Giver;
use catena_sim::glam::DVec3;
use catena_sim::{Curve, Force, Model, Setup};
use std::sync::Arc;

/// Bones and files of a body, for its routes.
struct OfBody<'a> {
    stack: &'a Stack<'a>,
    choice: &'a Choice<Forces>,
    model: &'a Model,
    rig: Option<&'a BuiltRig>,
}

/// Adds the bones and files that the options name to a route. Returns any other force unchanged.
///
/// # Errors
/// Returns a fault at an option whose bone or file is missing, or whose file has bad rows.
pub(super) fn completed(
    stack: &Stack<'_>,
    choice: &Choice<Forces>,
    model: &Model,
    rig: Option<&BuiltRig>,
    force: Arc<dyn Force>,
) -> Result<Arc<dyn Force>, Fault> {
    let Some(route) = force.route().filter(|route| route.is_open()) else { return Ok(force) };
    let route = route.given(&OfBody { stack, choice, model, rig })?;
    route.check().map_err(|bad| choice.rejected(&bad))?;
    Ok(Arc::new(route))
}

/// Returns notes about routes whose rope is much too short at the start.
pub(super) fn cautions(setup: &Setup) -> Vec<String> {
    let note = |force: &Arc<dyn Force>| {
        let [rope, route] = force.route()?.lengths_of_short_rope(&setup.model, &setup.initial)?;
        let strain = short(100.0 * (route / rope - 1.0));
        Some(format!(
            "the rope of a route is {} long at the start, and its route {}: it is stretched by \
             {strain} %; without `length`, the rope is as long as the route",
            short(rope),
            short(route)
        ))
    };
    setup.forces.iter().filter_map(note).collect()
}

impl Giver for OfBody<'_> {
    type Fault = Fault;

    fn bone(&self, option: &str, bone: &str, offset: [f64; 3]) -> Result<Arc<dyn Curve>, Fault> {
        let refused = |fault: Fault| self.choice.at_option(option, fault);
        let Some(rig) = self.rig else {
            let fault = Fault::new("the body has no rig and therefore no bones");
            return Err(refused(fault.help("add `rig: (bones: […])` to the body")));
        };
        rig.bone(bone).map_err(refused)?;
        let animation = Arc::clone(&rig.shown.rig.animation);
        let pin = BonePin::new(animation, bone, DVec3::from_array(offset));
        let pin = pin.map_err(|bad| refused(Fault::new(bad.message)))?;
        let fits = pin.fits(self.model.axes, self.model.nodes());
        fits.map_err(|bad| refused(Fault::new(format!("expected {}", bad.expected))))?;
        Ok(Arc::new(pin))
    }

    fn rows(
        &self,
        option: &str,
        file: &SeriesFile,
        refused: &dyn Fn(f64) -> Option<&'static str>,
    ) -> Result<Vec<SeriesRow>, Fault> {
        let files = files(self.stack).map_err(|error| Fault::new(error.to_string()))?;
        series(files, file, 1, refused).map_err(|fault| self.choice.at_option(option, fault))
    }
}
