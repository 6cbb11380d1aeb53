//! Comparison of the physics of panels: differences apart from the method, their size, and settings
//! that would remove them.
//!
//! Pictures of two methods are comparable only if all else is equal, but many differences are
//! invisible. A Verlet factor d contains a damping rate of d/dt. A method or step control may
//! choose or divide the step. A compliance replaces the stiffness. Each body is compared with its
//! reference, the first body for which the quantity is meaningful.
//!
//! A remedy is a change of settings that makes bodies equal. Each remedy has been tested: the body
//! is built with it and compared again. The search counts the nodes that it builds and stops at a
//! limit.

mod changes;
mod draft;
mod measures;
mod notes;
mod quantity;
mod quantity_value;
mod remedies;

pub(crate) use measures::damping_rate;
pub use notes::{notes, notes_within, unexplained};
pub use quantity::{NOT_PHYSICS, QUANTITIES};
pub use remedies::{FoundRemedies, MAX_BUILT, Remedy, SearchExtent, remedies, search};

use super::parts::{Body, Scene};
pub use crate::comparability::quantity_value::{Quantity, QuantityValue};
use catena_sim::slip::ReplacedProperty;
use measures::HELD;

/// Maximum length of a line in a panel, in bytes. A longer line is replaced by the quantity's name.
const MAX_LINE_BYTES: usize = 44;

/// Quantity in which a body differs from its reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Quantity that differs.
    pub quantity: &'static Quantity,
    /// Index of the body's panel.
    pub panel: usize,
    /// Index of the body in its panel.
    pub body: usize,
    /// Index of the body among all bodies of the scene.
    place: usize,
    /// Index of the reference among all bodies.
    reference: usize,
    /// Value of the body.
    pub here: QuantityValue,
    /// Value of the reference.
    pub there: QuantityValue,
}

impl Difference {
    /// Returns a short line for the panel: `damping rate 0.0032 instead of 0.01`, or `forces
    /// differ`.
    pub fn line(&self) -> String {
        let line = |[here, there]: [&str; 2]| {
            let line = match (self.quantity.name, here, there) {
                ("law", HELD, _) => "rigid segments instead of springs".into(),
                ("law", _, HELD) => "springs instead of rigid segments".into(),
                _ => format!("{} {here} instead of {there}", self.quantity.in_words()),
            };
            (line.len() <= MAX_LINE_BYTES).then_some(line)
        };
        self.values().and_then(line).unwrap_or_else(|| self.quantity.differs())
    }

    /// Returns a short line about two groups of panels, of which `first` have the value of the
    /// reference: `time step 0.02 in the first row, 0.001 in the second`.
    pub fn line_between(&self, first: &str, others: &str) -> String {
        let line = |[here, there]: [&str; 2]| {
            let name = self.quantity.in_words();
            let is_short = name.len() + here.len() + there.len() <= MAX_LINE_BYTES;
            is_short.then(|| match (self.quantity.name, here, there) {
                ("law", HELD, _) => format!("rigid segments instead of springs in {others}"),
                ("law", _, HELD) => format!("rigid segments instead of springs in {first}"),
                _ => format!("{name} {there} in {first}, {here} in {others}"),
            })
        };
        let differs = || format!("{} between {first} and {others}", self.quantity.differs());
        self.values().and_then(line).unwrap_or_else(differs)
    }

    /// Returns the texts of both values, the body's first, with the fewest digits that distinguish
    /// them.
    fn values(&self) -> Option<[&str; 2]> {
        self.here.brief_pair(&self.there)
    }
}

/// Body with its position in the scene.
#[derive(Clone, Copy)]
struct PlacedBody<'a> {
    panel: usize,
    /// Index in the panel.
    index: usize,
    body: &'a Body,
}

/// Returns all bodies, panel by panel.
fn places(scene: &Scene) -> Vec<PlacedBody<'_>> {
    let mut all = Vec::new();
    for (panel, bodies) in scene.panels.iter().map(|panel| &panel.bodies).enumerate() {
        let placed = |(index, body)| PlacedBody { panel, index, body };
        all.extend(bodies.iter().enumerate().map(placed));
    }
    all
}

/// Returns the index of the reference body: the first one for which the quantity is meaningful.
fn reference(values: &[QuantityValue]) -> usize {
    values.iter().position(QuantityValue::is_meaningful).unwrap_or(0)
}

/// Returns all differences between bodies and their references, ordered by quantity, then by panel.
pub fn differences(scene: &Scene) -> Vec<Difference> {
    let places = places(scene);
    QUANTITIES.iter().flat_map(|quantity| of_quantity(quantity, &places)).collect()
}

/// Names of the quantities that a slip replaces with a property.
fn replaced_quantities(property: ReplacedProperty) -> &'static [&'static str] {
    match property {
        ReplacedProperty::Masses => &["mass of a node", "c/m"],
        ReplacedProperty::Springs => &["law", "k"],
        ReplacedProperty::Step => &["dt"],
    }
}

/// Whether a slip replaces a quantity of a body.
fn is_replaced(body: &Body, name: &str) -> bool {
    let mut properties = body.setup.slips.iter().filter_map(|slip| slip.replaces());
    properties.any(|property| replaced_quantities(property).contains(&name))
}

fn of_quantity(quantity: &'static Quantity, places: &[PlacedBody<'_>]) -> Vec<Difference> {
    let values: Vec<QuantityValue> = places.iter().map(|place| quantity.of(place.body)).collect();
    let reference = reference(&values);
    let Some(there) = values.get(reference) else { return Vec::new() };
    // The slip itself is reported.
    let is_of_slip = |place: usize| is_replaced(places[place].body, quantity.name);
    let differing = values
        .iter()
        .enumerate()
        .filter(|(place, here)| !here.equals(there) && is_of_slip(*place) == is_of_slip(reference));
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
