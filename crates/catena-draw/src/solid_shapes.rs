//! Shapes of rigid bodies at given positions of their nodes.

use crate::vector::{Vec3, add, scaled};
use catena_sim::body::rigid::frame;
use catena_sim::body::{Form, Model, Part, SolidKind};
use catena_sim::contact::collider::Solid;
use catena_sim::drive::motion::Placement;

/// Surface of a rigid part at positions `x`; `None` for other parts.
pub fn shape_of(model: &Model, part: &Part, x: &[f64]) -> Option<Solid> {
    let Form::Solid(form) = &part.form else { return None };
    let Placement { place, axes, .. } = frame(model, part, x)?;
    let [a, b, c] = form.lengths();
    Some(match form.kind {
        SolidKind::Ball => Solid::Capsule { a: place, b: place, radius: a },
        SolidKind::Capsule => {
            let end = |side: f64| add(place, scaled(axes[0], side * 0.5 * b));
            Solid::Capsule { a: end(-1.0), b: end(1.0), radius: a }
        }
        SolidKind::Box => {
            Solid::Box { center: place, axes, half: [a, b, c].map(|side| 0.5 * side) }
        }
    })
}

/// Node in the centre of a rigid part, and half the sides of the bounding box of its surface at
/// positions `x`; `None` for other parts. In the plane, z is 0.
pub fn around_of(model: &Model, part: &Part, x: &[f64]) -> Option<(usize, Vec3)> {
    let half = match shape_of(model, part, x)? {
        Solid::Capsule { a, b, radius } => {
            [0, 1, 2].map(|axis| 0.5 * (b[axis] - a[axis]).abs() + radius)
        }
        Solid::Box { axes, half, .. } => {
            let side = |axis: usize| (0..3).map(|k| (axes[k][axis] * half[k]).abs()).sum::<f64>();
            [side(0), side(1), side(2)]
        }
        _ => return None,
    };
    let seen = |axis: usize| if axis < model.axes { half[axis] } else { 0.0 };
    Some((*part.nodes.first()?, [seen(0), seen(1), seen(2)]))
}
