//! Rigid parts: after each step their nodes are moved back into their rigid arrangement.
//!
//! The nodes of a [`Form::Solid`] move freely during a step of any method. After the step they get
//! the rigid motion with the same momentum and angular momentum. Forces and impulses on single
//! nodes thereby act on the whole solid. The orientation is the rotation nearest to the linear map
//! from the arrangement at rest (Müller et al. 2005, "Meshless Deformations Based on Shape
//! Matching"). Momentum and angular momentum are conserved; the kinetic energy of motion within the
//! solid is lost. A solid with one pinned node rotates about that node. In space, a solid with two
//! pins rotates about the line through both, and a solid with more pins follows them (`hinge`).

mod hinge;
mod reactions;

pub(crate) use reactions::reactions;

use super::vector::{Vec3, add, along, cross, dot, scaled, sub};
use super::{Form, Model, Part, SolidForm, State};
use crate::drive::motion::Placement;

/// Rows of a matrix.
pub(crate) type Rows = [Vec3; 3];

/// Number of iterations for the nearest rotation. The convergence is quadratic.
const STEPS: usize = 6;

/// A rigid part in one state.
struct MovingPart<'a> {
    model: &'a Model,
    part: &'a Part,
    form: &'a SolidForm,
    /// Pinned nodes that hold the part, as indices in the part, at most three. They are the first
    /// pin, the pin farthest from it, and in space the pin farthest from the line through both.
    pins: Pins,
}

/// Indices of up to three pins.
type Pins = [Option<usize>; 3];

/// Centre, mean velocity, mean position at rest, and rotation from rest. If a pin holds the part,
/// centre, velocity and rest position belong to the pin.
struct FoundPart {
    centre: Vec3,
    velocity: Vec3,
    rest: Vec3,
    turn: Rows,
}

/// Parts of a model that are rigid.
fn solids(model: &Model) -> impl Iterator<Item = MovingPart<'_>> {
    model.parts.iter().filter_map(move |part| {
        let Form::Solid(form) = &part.form else { return None };
        let pins = hinge::pins_of(model, part, form);
        Some(MovingPart { model, part, form, pins })
    })
}

/// Whether a model has rigid parts.
pub(crate) fn has_solids(model: &Model) -> bool {
    model.parts.iter().any(|part| matches!(part.form, Form::Solid(_)))
}

/// Returns the frame of a rigid part at positions `x`; `None` for other parts. The velocities of
/// the frame are zero.
pub fn frame(model: &Model, part: &Part, x: &[f64]) -> Option<Placement> {
    let Form::Solid(form) = &part.form else { return None };
    let state = State::at_rest(x.to_vec());
    let found = MovingPart { model, part, form, pins: [None; 3] }.found(&state)?;
    let turn = found.turn;
    let axes = [0, 1, 2].map(|column| [0, 1, 2].map(|row: usize| turn[row][column]));
    let place = sub(found.centre, times(&turn, found.rest));
    Some(Placement { place, axes, ..Placement::STILL })
}

/// Returns the frame of a rigid part with its velocities; `None` for other parts.
pub fn moving_frame(model: &Model, part: &Part, state: &State) -> Option<Placement> {
    let Form::Solid(form) = &part.form else { return None };
    let still = frame(model, part, &state.x)?;
    let solid = MovingPart { model, part, form, pins: [None; 3] };
    let found = solid.found(state)?;
    let omega = solid.spin(&found, state);
    let velocity = add(found.velocity, cross(omega, sub(still.place, found.centre)));
    Some(Placement { velocity, omega, ..still })
}

/// Gives the nodes of rigid parts their rigid motion. Appends the moved nodes to `displaced`.
pub(crate) fn settle(model: &Model, state: &mut State, displaced: &mut Vec<usize>) {
    for solid in solids(model) {
        let Some(found) = solid.found(state) else { continue };
        let omega = solid.spin(&found, state);
        let n = model.nodes();
        for (k, &node) in solid.part.nodes.iter().enumerate() {
            if model.pinned[node] {
                continue;
            }
            let arm = times(&found.turn, sub(solid.form.at_rest(k), found.rest));
            let x = add(found.centre, arm);
            let v = add(found.velocity, cross(omega, arm));
            for axis in 0..model.axes {
                state.x[axis * n + node] = x[axis];
                state.v[axis * n + node] = v[axis];
            }
            displaced.push(node);
        }
    }
}

/// Mass of a rigid part, and its rotation about a node.
pub(crate) struct Turning {
    pub(crate) mass: f64,
    /// Tensor of inertia about the node, and its inverse. The inverse covers only rotations that
    /// pins allow.
    pub(crate) inertia: Rows,
    pub(crate) inverse: Rows,
    /// Angular velocity.
    pub(crate) spin: Vec3,
}

/// Returns the mass of a rigid part and its rotation about one of its nodes.
pub(crate) fn about(model: &Model, part: &Part, state: &State, hub: usize) -> Turning {
    let n = model.nodes();
    let (at, velocity) = (state.position(n, hub), state.velocity(n, hub));
    let (mut mass, mut momentum, mut inertia) = (0.0, [0.0; 3], [[0.0; 3]; 3]);
    for &node in &part.nodes {
        let (m, arm) = (model.mass[node], sub(state.position(n, node), at));
        mass += m;
        momentum = along(momentum, m, cross(arm, sub(state.velocity(n, node), velocity)));
        let square = dot(arm, arm);
        for row in 0..3 {
            inertia[row] = along(inertia[row], -m * arm[row], arm);
            inertia[row][row] += m * square;
        }
    }
    let inverse = match model.axes {
        2 => {
            let about_z = inertia[2][2];
            inertia = [[0.0; 3], [0.0; 3], [0.0, 0.0, about_z]];
            [[0.0; 3], [0.0; 3], [0.0, 0.0, 1.0 / about_z]]
        }
        _ => inverse(&inertia).unwrap_or([[0.0; 3]; 3]),
    };
    let spin = times(&inverse, momentum);
    let inverse = hinge::inverse(model, part, state, &inertia).unwrap_or(inverse);
    Turning { mass, inertia, inverse, spin }
}

impl SolidForm {
    /// Position of a node at rest, in the coordinates of the solid.
    pub fn at_rest(&self, node: usize) -> Vec3 {
        self.rest[node].map(f64::from_bits)
    }

    /// Sizes by kind: radius of a ball; radius and distance of the end centres of a capsule; sides
    /// of a box.
    pub fn lengths(&self) -> Vec3 {
        self.sizes.map(f64::from_bits)
    }
}

impl MovingPart<'_> {
    /// Iterates over the nodes as (mass, position, velocity, position at rest).
    fn each<'a>(&'a self, state: &'a State) -> impl Iterator<Item = (f64, Vec3, Vec3, Vec3)> + 'a {
        let n = self.model.nodes();
        self.part.nodes.iter().enumerate().map(move |(k, &node)| {
            let (x, v) = (state.position(n, node), state.velocity(n, node));
            (self.model.mass[node], x, v, self.form.at_rest(k))
        })
    }

    /// Position, velocity and position at rest of a node, by its index in the part.
    fn at(&self, state: &State, k: usize) -> [Vec3; 3] {
        let (n, node) = (self.model.nodes(), self.part.nodes[k]);
        [state.position(n, node), state.velocity(n, node), self.form.at_rest(k)]
    }

    /// Finds the rigid arrangement nearest to a state; `None` if this arrangement is not unique.
    fn found(&self, state: &State) -> Option<FoundPart> {
        let [centre, velocity, rest] = match self.pins[0] {
            Some(pivot) => self.at(state, pivot),
            None => {
                let (mut mass, mut sums) = (0.0, [[0.0; 3]; 3]);
                for (m, x, v, q) in self.each(state) {
                    mass += m;
                    sums = [(sums[0], x), (sums[1], v), (sums[2], q)]
                        .map(|(sum, value)| along(sum, m, value));
                }
                sums.map(|sum| scaled(sum, 1.0 / mass))
            }
        };
        let (mut map, mut square) = ([[0.0; 3]; 3], [[0.0; 3]; 3]);
        for (m, x, _, q) in self.each(state) {
            let (d, e) = (sub(x, centre), sub(q, rest));
            for row in 0..3 {
                map[row] = along(map[row], m * d[row], e);
                square[row] = along(square[row], m * e[row], e);
            }
        }
        let turn = match self.pins[1] {
            Some(second) => hinge::turn(self, state, [centre, rest], second, &map)?,
            None if self.model.axes == 2 => turn_in_plane(&map)?,
            None => turn(&map, &square)?,
        };
        Some(FoundPart { centre, velocity, rest, turn })
    }

    /// Returns the angular velocity that gives the arrangement the angular momentum of the state.
    fn spin(&self, found: &FoundPart, state: &State) -> Vec3 {
        let (mut momentum, mut inertia) = ([0.0; 3], [[0.0; 3]; 3]);
        for (m, x, v, q) in self.each(state) {
            let arm = times(&found.turn, sub(q, found.rest));
            let swing = cross(sub(x, found.centre), sub(v, found.velocity));
            momentum = along(momentum, m, swing);
            let square = dot(arm, arm);
            for row in 0..3 {
                inertia[row] = along(inertia[row], -m * arm[row], arm);
                inertia[row][row] += m * square;
            }
        }
        if let Some(second) = self.pins[1] {
            return hinge::spin(self, state, found, second, momentum, &inertia);
        }
        if self.model.axes == 2 {
            return [0.0, 0.0, momentum[2] / inertia[2][2]];
        }
        inverse(&inertia).map_or([0.0; 3], |inverse| times(&inverse, momentum))
    }
}

/// Returns a matrix times a vector.
pub(crate) fn times(rows: &Rows, vector: Vec3) -> Vec3 {
    rows.map(|row| dot(row, vector))
}

/// Returns the inverse of a matrix; `None` if it is singular or not finite.
fn inverse(rows: &Rows) -> Option<Rows> {
    let [a, b, c] = *rows;
    let columns = [cross(b, c), cross(c, a), cross(a, b)];
    let determinant = dot(a, columns[0]);
    if determinant == 0.0 || !determinant.is_finite() {
        return None;
    }
    Some([0, 1, 2].map(|row| columns.map(|column: Vec3| column[row] / determinant)))
}

/// Returns the rotation about z nearest to a map; `None` if this rotation is not unique.
fn turn_in_plane(map: &Rows) -> Option<Rows> {
    let (cos, sin) = (map[0][0] + map[1][1], map[1][0] - map[0][1]);
    let length = (cos * cos + sin * sin).sqrt();
    if !(length > 0.0 && length.is_finite()) {
        return None;
    }
    let (cos, sin) = (cos / length, sin / length);
    Some([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
}

/// Returns the rotation nearest to Σ m d eᵀ (Σ m e eᵀ)⁻¹, the linear map from positions at rest.
fn turn(map: &Rows, square: &Rows) -> Option<Rows> {
    let [x, y, z] = inverse(square)?;
    let mut turn = map.map(|[a, b, c]| add(add(scaled(x, a), scaled(y, b)), scaled(z, c)));
    for _ in 0..STEPS {
        // The rows of the inverse transpose are proportional to the cross products of the rows.
        let [a, b, c] = turn;
        let turned = [cross(b, c), cross(c, a), cross(a, b)];
        let determinant = dot(a, turned[0]);
        if !(determinant > 0.0 && determinant.is_finite()) {
            return None;
        }
        for row in 0..3 {
            turn[row] = scaled(along(turn[row], 1.0 / determinant, turned[row]), 0.5);
        }
    }
    Some(turn)
}
