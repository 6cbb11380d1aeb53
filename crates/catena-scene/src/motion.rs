//! Initial motion of a body.

use super::diagnostic::Fault;
use super::entries::VelocityEntry;
use super::error::SceneError;
use super::schema::Settings;
use super::stack::{Stack, refuse};
use catena_sim::{
    Model, Part, State,
    body::motion::{center_of_mass, push, push_all, spin},
    vector::{norm, scaled},
};

/// Adds the velocities that the layers describe to the nodes of a body.
pub(super) fn apply(
    stack: &Stack<'_>,
    settings: &Settings,
    (model, parts): (&Model, &[Part]),
    state: &mut State,
) -> Result<(), SceneError> {
    let entries = settings.velocities.as_ref().map_or(&[][..], |list| &list.0);
    for (index, entry) in entries.iter().enumerate() {
        let path = |field: &str| format!("velocities[{index}]{field}");
        match (&entry.node, entry.velocity, entry.spin) {
            (_, Some(_), Some(_)) | (_, None, None) | (Some(_), _, Some(_)) => {
                let fault = Fault::new("expected one of: velocity; node and velocity; spin");
                return Err(refuse(
                    stack,
                    &path(""),
                    fault.help("write an entry for each of them"),
                ));
            }
            (None, Some(velocity), None) => push_all(model, state, velocity.xyz()),
            (Some(node), Some(velocity), None) => {
                let refused = |fault| refuse(stack, &path(".node"), fault);
                let node = node.of(parts).map_err(refused)?;
                if model.pinned[node] {
                    let message =
                        format!("node {node} is pinned, so it has no velocity of its own");
                    let help = "move it along a curve with `anchors`, or take it from `pins`";
                    return Err(refuse(stack, &path(".node"), Fault::new(message).help(help)));
                }
                push(model, state, node, velocity.xyz());
            }
            (None, None, Some(rate)) => {
                let omega = omega(entry, rate.0, model.axes);
                let omega = omega.map_err(|fault| refuse(stack, &path(".axis"), fault))?;
                let about = entry.about.map(|about| about.xyz());
                let about = about.unwrap_or_else(|| center_of_mass(model, state));
                spin(model, state, omega, about);
            }
        }
        if entry.spin.is_none() && (entry.axis.is_some() || entry.about.is_some()) {
            let fault = Fault::new("`axis` and `about` are of a `spin`, and there is none");
            return Err(refuse(stack, &path(""), fault));
        }
    }
    Ok(())
}

/// Returns the angular velocity vector of a spin.
fn omega(entry: &VelocityEntry, rate: f64, axes: usize) -> Result<[f64; 3], Fault> {
    match (axes, entry.axis) {
        (2, Some(_)) => Err(Fault::new("in the plane a spin has no axis")
            .help("leave it out: above zero it turns counterclockwise")),
        (2, None) => Ok([0.0, 0.0, rate]),
        (_, None) => {
            Err(Fault::new("in space a spin needs an axis")
                .help("write `axis: (0, 1, 0)` beside it"))
        }
        (_, Some(axis)) => {
            let length = norm(axis.xyz());
            match length.is_normal() {
                true => Ok(scaled(axis.xyz(), rate / length)),
                false => Err(Fault::new("the axis has no direction")),
            }
        }
    }
}
