//! Whether panels are equal physics: what differs between them beside the method, by how much, and
//! what would make it equal.
//!
//! Pictures of two methods side by side say something about methods only where the rest is the
//! same. Much differs easily without being seen: the damping rate c/m, which a Verlet factor d
//! hides as d/dt; the step, which a method or a control may choose or divide; a stiffness that a
//! compliance of the method's own replaces. Every body is compared with the first of the scene for
//! which the quantity means something.
//!
//! A setting that is said to make bodies equal has been tried: the body is built with it, through
//! the ordinary building of a scene, and compared anew. So has a field that is said to be left out.
//! The search counts the nodes of what it builds, and ends when they are too many.

mod changes;
mod layer;
mod measures;
mod notes;
mod quantities;
mod remedies;
mod step;
mod value;

pub use notes::{notes, notes_within};
pub use quantities::{BESIDE_PHYSICS, QUANTITIES, Quantity};
pub use remedies::{Extent, MOST_BUILT, Remedy, Search, remedies, search};
pub use value::Value;

use super::build::{Body, Scene};

/// The longest line for a panel; what takes more is only said to differ.
const LONGEST_LINE: usize = 36;

/// Something in which a body differs from the first of its scene that has the quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// What.
    pub quantity: &'static Quantity,
    /// The place of the body's panel.
    pub panel: usize,
    /// Its place in the panel.
    pub body: usize,
    /// Its place among all bodies of the scene.
    place: usize,
    /// The place of the body that it is compared with.
    lead: usize,
    /// What it is here.
    pub here: Value,
    /// What it is in the other body.
    pub there: Value,
}

impl Difference {
    /// A line for the panel, as short as can be: `c/m 0.0032, not 0.01`, `forces differ`.
    pub fn line(&self) -> String {
        let pair = self.here.told_apart_briefly(&self.there);
        let line = pair.map(|[here, there]| format!("{} {here}, not {there}", self.quantity.name));
        line.filter(|line| line.len() <= LONGEST_LINE).unwrap_or_else(|| self.quantity.differs())
    }
}

/// A body and where it stands.
#[derive(Clone, Copy)]
struct Place<'a> {
    panel: usize,
    body: usize,
    it: &'a Body,
}

/// All bodies, panel by panel.
fn places(scene: &Scene) -> Vec<Place<'_>> {
    let of_panel = |(panel, bodies): (usize, &'_ super::build::Panel)| -> Vec<(usize, usize)> {
        (0..bodies.bodies.len()).map(|body| (panel, body)).collect()
    };
    let all = scene.panels.iter().enumerate().flat_map(of_panel);
    all.map(|(panel, body)| Place { panel, body, it: &scene.panels[panel].bodies[body] }).collect()
}

/// The place of the body that the others are compared with: the first for which the quantity means
/// something.
fn lead(values: &[Value]) -> usize {
    values.iter().position(Value::is_meaningful).unwrap_or(0)
}

/// Everything in which bodies differ: quantity by quantity, panel by panel.
pub fn differences(scene: &Scene) -> Vec<Difference> {
    let places = places(scene);
    QUANTITIES.iter().flat_map(|quantity| of_quantity(quantity, &places)).collect()
}

fn of_quantity(quantity: &'static Quantity, places: &[Place<'_>]) -> Vec<Difference> {
    let values: Vec<Value> = places.iter().map(|place| quantity.of(place.it)).collect();
    let lead = lead(&values);
    let Some(there) = values.get(lead) else { return Vec::new() };
    let differing = values.iter().enumerate().filter(|(_, here)| !here.equals(there));
    let difference = |(place, here): (usize, &Value)| Difference {
        quantity,
        panel: places[place].panel,
        body: places[place].body,
        place,
        lead,
        here: here.clone(),
        there: there.clone(),
    };
    differing.map(difference).collect()
}
