//! Compares the physics of panels: what differs beside the method, by how much, and which settings
//! would make it equal.
//!
//! Pictures of two methods side by side tell about methods only if all else is equal. Much differs
//! unseen: the damping rate c/m, which a Verlet factor d hides as d/dt; the step, which a method or
//! a control may choose or divide; a stiffness that a compliance of the method's own replaces. Each
//! body is compared with its reference: the first body of the scene for which the quantity means
//! something.
//!
//! A remedy is a change of settings that makes bodies equal. Every remedy has been tried: the body
//! is built with it as scenes are built, and compared anew. The search counts the nodes that it
//! builds, and ends at a limit.

mod changes;
mod draft;
mod measures;
mod notes;
mod purpose;
mod quantities;
mod quantity;
mod remedies;
mod step;
mod value;

pub use notes::{notes, notes_within};
pub use quantities::{NOT_PHYSICS, QUANTITIES};
pub use quantity::Quantity;
pub use remedies::{FoundRemedies, MOST_BUILT, Remedy, SearchExtent, remedies, search};
pub use value::QuantityValue;

use super::parts::{Body, Scene};

/// The longest line in a panel, in bytes; a longer one names only the quantity.
const LONGEST_LINE: usize = 36;

/// A quantity in which a body differs from its reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// What differs.
    pub quantity: &'static Quantity,
    /// Index of the body's panel.
    pub panel: usize,
    /// Index of the body in its panel.
    pub body: usize,
    /// Index of the body among all bodies of the scene.
    place: usize,
    /// Index of the reference among all bodies.
    reference: usize,
    /// Its value in the body.
    pub here: QuantityValue,
    /// Its value in the reference.
    pub there: QuantityValue,
}

impl Difference {
    /// A short line for the panel: `c/m 0.0032, not 0.01`, or `forces differ`.
    pub fn line(&self) -> String {
        let pair = self.here.told_apart_briefly(&self.there);
        let line = pair.map(|[here, there]| format!("{} {here}, not {there}", self.quantity.name));
        line.filter(|line| line.len() <= LONGEST_LINE).unwrap_or_else(|| self.quantity.differs())
    }
}

/// A body and where it stands.
#[derive(Clone, Copy)]
struct PlacedBody<'a> {
    panel: usize,
    /// Index in the panel.
    index: usize,
    body: &'a Body,
}

/// All bodies, panel by panel.
fn places(scene: &Scene) -> Vec<PlacedBody<'_>> {
    let mut all = Vec::new();
    for (panel, bodies) in scene.panels.iter().map(|panel| &panel.bodies).enumerate() {
        let placed = |(index, body)| PlacedBody { panel, index, body };
        all.extend(bodies.iter().enumerate().map(placed));
    }
    all
}

/// The index of the body that the others are compared with: the first for which the quantity means
/// something.
fn reference(values: &[QuantityValue]) -> usize {
    values.iter().position(QuantityValue::is_meaningful).unwrap_or(0)
}

/// Everything in which bodies differ from their references: quantity by quantity, panel by panel.
pub fn differences(scene: &Scene) -> Vec<Difference> {
    let places = places(scene);
    QUANTITIES.iter().flat_map(|quantity| of_quantity(quantity, &places)).collect()
}

fn of_quantity(quantity: &'static Quantity, places: &[PlacedBody<'_>]) -> Vec<Difference> {
    let values: Vec<QuantityValue> = places.iter().map(|place| quantity.of(place.body)).collect();
    let reference = reference(&values);
    let Some(there) = values.get(reference) else { return Vec::new() };
    let differing = values.iter().enumerate().filter(|(_, here)| !here.equals(there));
    let difference = |(place, here): (usize, &QuantityValue)| Difference {
        quantity,
        panel: places[place].panel,
        body: places[place].index,
        place,
        reference,
        here: here.clone(),
        there: there.clone(),
    };
    differing.map(difference).collect()
}
