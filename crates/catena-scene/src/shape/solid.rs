//! Rigid bodies of a scene.

use super::{ReadShape, SpringKind, nodes};
use crate::diagnostic::Fault;
use crate::error::SceneError;
use crate::schema::SolidSettings;
use crate::stack::{Stack, refuse};
use crate::values::Vector;
use catena_sim::Setup;
use catena_sim::body::shape::{Solid, Topology};
use catena_sim::body::{Form, Part, SolidForm};
use catena_sim::vector::{Vec3, along, cross, dot, norm, scaled, unit};

// Defaults of solids are not in `defaults.ron`, because there they would make every body a solid.

/// Default mass of a solid.
const MASS: f64 = 1.0;
/// Default stiffness of the springs between a solid's nodes.
const STIFFNESS: f64 = 100.0;

/// Returns the unit vectors of a rotation by an angle in degrees about an axis.
fn turned(degrees: f64, axis: Vec3) -> [Vec3; 3] {
    let (sin, cos) = libm::sincos(degrees.to_radians());
    let turn = |v: Vec3| {
        // Rodrigues' formula.
        let kept = along(scaled(v, cos), sin, cross(axis, v));
        along(kept, dot(axis, v) * (1.0 - cos), axis)
    };
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(turn)
}

/// Returns the unit vector of an axis, by default z.
fn axis(
    stack: &Stack<'_>,
    path: &str,
    axis: Option<Vector>,
    axes: usize,
) -> Result<Vec3, SceneError> {
    let vector = axis.map_or([0.0, 0.0, 1.0], |axis| axis.xyz());
    if axes == 2 && axis.is_some() {
        let fault = Fault::new("a solid of a planar scene always rotates about z");
        return Err(refuse(
            stack,
            path,
            fault.help("remove it, or use three coordinates per point"),
        ));
    }
    if !norm(vector).is_normal() {
        let fault = Fault::new("an axis of length 0 has no direction");
        return Err(refuse(stack, path, fault.help("write a vector such as (0, 1, 0)")));
    }
    Ok(unit(vector))
}

/// Reads a rigid body.
pub(super) fn read(
    stack: &Stack<'_>,
    solid: &SolidSettings,
    axes: usize,
) -> Result<ReadShape, SceneError> {
    let Some(shape) = &solid.shape else {
        let fault = Fault::new("the solid has no `shape`").help("write shape: Ball(radius: 0.1)");
        return Err(refuse(stack, "solid.shape", fault));
    };
    let sizes = shape.sizes(axes);
    let (kind, sizes) =
        sizes.map_err(|message| refuse(stack, "solid.shape", Fault::new(message)))?;
    let axis = axis(stack, "solid.axis", solid.axis, axes)?;
    let spin_axis = self::axis(stack, "solid.spin_axis", solid.spin_axis, axes)?;
    let points = solid.points.as_ref().map_or(&[][..], |points| &points.0);
    let mut built = Solid {
        kind,
        sizes,
        mass: solid.mass.map_or(MASS, |mass| mass.0),
        at: solid.at.map_or_else(|| vec![0.0; axes], |at| at.on(axes)),
        axes: turned(solid.turn.map_or(0.0, |turn| turn.0), axis),
        velocity: solid.velocity.map_or([0.0; 3], |velocity| velocity.xyz()),
        spin: scaled(spin_axis, solid.spin.map_or(0.0, |spin| spin.0)),
        points: points.iter().map(catena_sim::Components::xyz).collect(),
        stiffness: solid.stiffness.map_or(STIFFNESS, |stiffness| stiffness.0),
        pins: Vec::new(),
    };
    // A solid that cannot be built is rejected later, with a better message.
    if let (Some(pins), Ok((model, _))) = (&solid.pins, built.build())
        && let [part] = &model.parts[..]
    {
        built.pins = nodes(stack, "solid.pins", &pins.0, &part.form, part.nodes.len())?;
    }
    let springs = SpringKind::read(stack, "solid", None, None, None)?;
    Ok((Box::new(built), springs))
}

/// Returns notes about rigid parts that touch only with their nodes.
pub(crate) fn cautions(setup: &Setup) -> Vec<String> {
    if setup.contacts.is_empty() {
        return Vec::new();
    }
    let is_drawn = setup.contacts.drawn.is_some();
    let note = |part: &Part| match &part.form {
        Form::Solid(form) => caution(part, form, is_drawn),
        _ => None,
    };
    setup.model.parts.iter().filter_map(note).collect()
}

/// Returns the note about a rigid part, if there is one.
fn caution(part: &Part, form: &SolidForm, is_drawn: bool) -> Option<String> {
    let kind = form.kind.name();
    let name = match &part.name[..] {
        "" => format!("the {kind}"),
        name => format!("the {kind} {name:?}"),
    };
    let count = part.nodes.len();
    (!is_drawn).then(|| {
        format!(
            "{name} makes contact only at {count} points, not with its surface; to use its \
             surface, write contact: (of: Drawn)"
        )
    })
}
