//! Solids with several pins: a hinge about the line through two of them, or a fixed orientation.
//!
//! The pins keep their positions. The smallest rotation maps the direction between the first two
//! pins at rest to their current direction. In space, a rotation about that line follows. The third
//! pin determines this rotation. Without a third pin, the rotation nearest to the motion of all
//! nodes is used.

use super::{FoundPart, MovingPart, Pins, Rows, times, turn_in_plane};
use crate::body::vector::{Vec3, add, along, cross, dot, norm, scaled, sub, unit};
use crate::body::{Form, Model, Part, SolidForm, State};

/// Minimum distance between pins, and of the third pin from the line, relative to the maximum
/// distance of a node from the first pin.
const APART: f64 = 1e-9;

/// Returns the pins that hold a solid; see [`MovingPart::pins`].
pub(super) fn pins_of(model: &Model, part: &Part, form: &SolidForm) -> Pins {
    let pinned = |k: &usize| model.pinned[part.nodes[*k]];
    let Some(first) = (0..part.nodes.len()).find(pinned) else { return [None; 3] };
    let from = |k: usize| sub(form.at_rest(k), form.at_rest(first));
    let farthest = |distance: &dyn Fn(usize) -> f64, minimum: f64| {
        let pins = (0..part.nodes.len()).filter(pinned);
        let far = pins.max_by(|&a, &b| distance(a).total_cmp(&distance(b)).then(b.cmp(&a)));
        far.filter(|&k| distance(k) > minimum)
    };
    let reach = (0..part.nodes.len()).map(|k| norm(from(k))).fold(0.0, f64::max);
    let second = farthest(&|k| norm(from(k)), APART * reach);
    let third = second.filter(|_| model.axes == 3).and_then(|second| {
        let line = unit(from(second));
        farthest(&|k| norm(cross(line, from(k))), APART * reach)
    });
    [Some(first), second, third]
}

/// Returns the rotation from rest of a solid with a second pin; `None` if this rotation is not
/// unique. `centre` and `rest` are the position of the first pin now and at rest, and `map` is the
/// linear map of all nodes from rest.
pub(super) fn turn(
    solid: &MovingPart<'_>,
    state: &State,
    [centre, rest]: [Vec3; 2],
    second: usize,
    map: &Rows,
) -> Option<Rows> {
    let [x, _, q] = solid.at(state, second);
    let (now, before) = (sub(x, centre), sub(q, rest));
    if solid.model.axes == 2 {
        return turn_in_plane(&[scaled(before, now[0]), scaled(before, now[1]), [0.0; 3]]);
    }
    // A NaN vector has no direction either.
    if norm(now) == 0.0 || norm(now).is_nan() {
        return None;
    }
    let (axis, from) = (unit(now), unit(before));
    let first = shortest(from, axis);
    // Σ m (a·b) and Σ m (b × a) along the axis, with a now and b after the first rotation.
    let (together, across) = match solid.pins[2] {
        Some(third) => {
            let [x, _, q] = solid.at(state, third);
            let (a, b) = (sub(x, centre), times(&first, sub(q, rest)));
            (dot(a, b) - dot(a, axis) * dot(b, axis), dot(cross(b, a), axis))
        }
        None => {
            // map = Σ m a eᵀ, so that Σ m a bᵀ = map firstᵀ.
            let all = map.map(|row| times(&first, row));
            let trace = all[0][0] + all[1][1] + all[2][2];
            let along_axis = dot(axis, times(&all, axis));
            let twist = [all[2][1] - all[1][2], all[0][2] - all[2][0], all[1][0] - all[0][1]];
            (trace - along_axis, dot(twist, axis))
        }
    };
    let length = (together * together + across * across).sqrt();
    if !(length > 0.0 && length.is_finite()) {
        return None;
    }
    let (cos, sin) = (together / length, across / length);
    let columns = [0, 1, 2].map(|column| {
        let b = [0, 1, 2].map(|row: usize| first[row][column]);
        about(b, axis, cos, sin)
    });
    Some([0, 1, 2].map(|row| columns.map(|column: Vec3| column[row])))
}

/// Rotates a vector about a unit axis by an angle with this cosine and sine.
fn about(b: Vec3, axis: Vec3, cos: f64, sin: f64) -> Vec3 {
    let part = scaled(axis, dot(axis, b) * (1.0 - cos));
    add(add(scaled(b, cos), scaled(cross(axis, b), sin)), part)
}

/// Returns the smallest rotation from one unit vector to another, as rows.
fn shortest(from: Vec3, to: Vec3) -> Rows {
    let (normal, cos) = (cross(from, to), dot(from, to));
    let columns = [0, 1, 2].map(|k| {
        let mut e = [0.0; 3];
        e[k] = 1.0;
        if 1.0 + cos < 1e-12 {
            // A half turn about any axis perpendicular to `from`.
            let minimum = (0..3).min_by(|&i, &j| from[i].abs().total_cmp(&from[j].abs()));
            let mut other = [0.0; 3];
            other[minimum.unwrap_or(0)] = 1.0;
            let axis = unit(cross(from, other));
            return sub(scaled(axis, 2.0 * dot(axis, e)), e);
        }
        // R e = cos e + n × e + n (n·e)/(1 + cos).
        let turned = add(scaled(e, cos), cross(normal, e));
        along(turned, dot(normal, e) / (1.0 + cos), normal)
    });
    [0, 1, 2].map(|row| columns.map(|column: Vec3| column[row]))
}

/// Returns the inverse of the inertia of a solid with a second pin, restricted to the rotations
/// that its pins allow; `None` if there is no second pin.
pub(super) fn inverse(model: &Model, part: &Part, state: &State, inertia: &Rows) -> Option<Rows> {
    let Form::Solid(form) = &part.form else { return None };
    let [first, second, third] = pins_of(model, part, form);
    let second = second?;
    if model.axes == 2 || third.is_some() {
        return Some([[0.0; 3]; 3]);
    }
    let n = model.nodes();
    let at = |k: usize| state.position(n, part.nodes[k]);
    let axis = unit(sub(at(second), at(first?)));
    let share = 1.0 / dot(axis, times(inertia, axis));
    Some(axis.map(|component| scaled(axis, share * component)))
}

/// Returns the angular velocity of a solid with a second pin. `momentum` is the angular momentum
/// about the first pin, and `inertia` the tensor of inertia about it.
pub(super) fn spin(
    solid: &MovingPart<'_>,
    state: &State,
    found: &FoundPart,
    second: usize,
    momentum: Vec3,
    inertia: &Rows,
) -> Vec3 {
    let about_pin = |k: usize| {
        let [x, v, _] = solid.at(state, k);
        (sub(x, found.centre), sub(v, found.velocity))
    };
    let (arm, swing) = about_pin(second);
    let across = scaled(cross(arm, swing), 1.0 / dot(arm, arm));
    if solid.model.axes == 2 {
        return across;
    }
    let axis = unit(arm);
    let rate = match solid.pins[2] {
        Some(third) => {
            let (arm, swing) = about_pin(third);
            let lever = cross(axis, arm);
            dot(lever, sub(swing, cross(across, arm))) / dot(lever, lever)
        }
        None => {
            let free = sub(momentum, times(inertia, across));
            dot(free, axis) / dot(axis, times(inertia, axis))
        }
    };
    along(across, rate, axis)
}
