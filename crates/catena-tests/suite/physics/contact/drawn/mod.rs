//! Contact of drawn shapes: ropes as capsules, cloths as triangles with a thickness.

mod capstan;
mod chains;
mod defects;
mod falls;
mod knots;
mod laws;
mod measure;
mod rest;
mod rings;
mod shapes;
mod tangles;

use catena::sim::{
    Arrangement, Form, Method, Model, Part, Setup, SetupBuilder, Spring, State,
    contact::{DrawnContact, PartContact, collider::Surface},
    method::{ConstraintVerlet, ImplicitEuler, Pbd, Xpbd},
};
use std::sync::Arc;

/// A body to which parts are added.
struct Body {
    model: Model,
    points: Vec<[f64; 3]>,
    contact: DrawnContact,
}

impl Body {
    fn new(axes: usize) -> Self {
        let model = Model { axes, arrangement: Arrangement::Parts, ..Model::default() };
        Self { model, points: Vec::new(), contact: DrawnContact { parts: Vec::new() } }
    }

    /// Adds a rope through these points at rest, with this mass per node. Returns its first node.
    fn rope(
        &mut self,
        name: &str,
        points: &[[f64; 3]],
        is_closed: bool,
        (mass, stiffness): (f64, f64),
        contact: PartContact,
    ) -> usize {
        let first = self.add_nodes(points, mass);
        let count = points.len();
        let ends =
            (0..count - usize::from(!is_closed)).map(|i| (first + i, first + (i + 1) % count));
        let springs = self.add_springs(ends.collect(), stiffness);
        let form = Form::Rope { closed: is_closed };
        self.add_part(name, form, first, count, springs, contact);
        first
    }

    /// Adds a sheet of rows × columns points.
    fn sheet(
        &mut self,
        name: &str,
        points: &[[f64; 3]],
        (rows, columns): (usize, usize),
        (mass, stiffness): (f64, f64),
        contact: PartContact,
    ) -> usize {
        let first = self.add_nodes(points, mass);
        let at = |row: usize, column: usize| first + row * columns + column;
        let along = (0..rows).flat_map(|r| (0..columns - 1).map(move |c| (at(r, c), at(r, c + 1))));
        let down = (0..rows - 1).flat_map(|r| (0..columns).map(move |c| (at(r, c), at(r + 1, c))));
        let springs = self.add_springs(along.chain(down).collect(), stiffness);
        let form = Form::Sheet { rows, columns };
        self.add_part(name, form, first, rows * columns, springs, contact);
        first
    }

    fn add_nodes(&mut self, points: &[[f64; 3]], mass: f64) -> usize {
        let first = self.points.len();
        self.points.extend_from_slice(points);
        self.model.mass.resize(self.points.len(), mass);
        self.model.pinned.resize(self.points.len(), false);
        first
    }

    fn add_springs(&mut self, ends: Vec<(usize, usize)>, stiffness: f64) -> Vec<usize> {
        let from = self.model.springs.len();
        for (a, b) in ends {
            let rest_length = distance(self.points[a], self.points[b]);
            self.model.springs.push(Spring { a, b, stiffness, rest_length });
        }
        (self.model.structural, self.model.held) =
            (self.model.springs.len(), self.model.springs.len());
        (from..self.model.springs.len()).collect()
    }

    fn add_part(
        &mut self,
        name: &str,
        form: Form,
        first: usize,
        count: usize,
        springs: Vec<usize>,
        contact: PartContact,
    ) {
        let nodes = (first..first + count).collect();
        self.model.parts.push(Part { name: name.into(), form, nodes, springs });
        self.contact.parts.push(contact);
    }

    fn setup(&self) -> SetupBuilder {
        let axis = |k: usize| self.points.iter().map(move |point| point[k]);
        let initial = State::at_rest((0..self.model.axes).flat_map(axis).collect());
        Setup::of_body(self.model.clone(), initial).drawn_contact(self.contact.clone())
    }
}

/// A part with this thickness, restitution and friction.
fn thick(thickness: f64, restitution: f64, friction: f64) -> PartContact {
    PartContact { thickness, surface: Surface { restitution, friction } }
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    let d = sub(a, b);
    dot(d, d).sqrt()
}

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Points on a circle around a center, in the plane of two unit vectors.
fn circle(center: [f64; 3], [u, v]: [[f64; 3]; 2], radius: f64, count: usize) -> Vec<[f64; 3]> {
    let point = |i: usize| {
        let (s, c) = libm::sincos(std::f64::consts::TAU * i as f64 / count as f64);
        [0, 1, 2].map(|k| center[k] + radius * (c * u[k] + s * v[k]))
    };
    (0..count).map(point).collect()
}

/// Methods that are stable at any step.
fn stable_methods() -> [(&'static str, Arc<dyn Method>); 4] {
    [
        ("Xpbd", Arc::new(Xpbd::default())),
        ("Pbd", Arc::new(Pbd::default())),
        (
            "ConstraintVerlet",
            Arc::new(ConstraintVerlet { damping: 0.01, ..ConstraintVerlet::default() }),
        ),
        ("ImplicitEuler", Arc::new(ImplicitEuler::default())),
    ]
}
