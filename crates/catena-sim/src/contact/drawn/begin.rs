//! Creation of drawn contact before the first step, and the setups that it rejects.

use super::neighbours::Neighbours;
use super::pair::Pair;
use super::pieces::{Owner, Pieces};
use super::step::DrawnStep;
use super::{DEPTH, DrawnContact, PartContact};
use crate::body::{Form, Model, Part, SolidKind, State};
use crate::budget::{Budget, Meter, Prices};
use crate::contact::obstacle::Obstacles;
use crate::contact::{Contacts, collider::Surface};
use crate::named::BadSetup;

/// Field path of a part's thickness, the usual cause of an invalid setup.
fn thickness_of(part: usize) -> String {
    format!("contact.parts[{part}].thickness")
}

/// Maximum work of the check of the start, in nanoseconds of one core.
const START_WORK: u64 = 20_000_000_000;
/// Maximum number of pairs per piece in the check of the start.
const START_PAIRS: u64 = 128;

impl DrawnStep {
    /// Creates the drawn contact of a body that starts in state `initial`.
    ///
    /// # Errors
    /// The number of entries differs from the number of parts, or a number is out of range. A
    /// thickness makes almost all nodes neighbours of each other, or is longer than its part. Too
    /// many pieces begin near each other.
    pub(super) fn new(
        contacts: &Contacts,
        contact: &DrawnContact,
        model: &Model,
        initial: &State,
    ) -> Result<Self, BadSetup> {
        let parts = model.part_list();
        let (count, found) = (parts.len(), contact.parts.len());
        let message = format!("expected one entry for each of {count} parts, found {found}");
        BadSetup::unless(found == count, "contact", message)?;
        for (index, part) in contact.parts.iter().enumerate() {
            check_part(part, index)?;
            check_rigid(part, &parts[index], model.axes, index)?;
        }
        for (index, (contact, part)) in contact.parts.iter().zip(parts.iter()).enumerate() {
            let lengths = part.springs.iter().map(|&spring| model.springs[spring].rest_length);
            let (thickness, length) = (contact.thickness, lengths.sum::<f64>());
            let message = format!(
                "{thickness} is more than the length of the part: its springs have a total length \
                 of {length}"
            );
            let is_fine = part.springs.is_empty() || thickness <= length;
            BadSetup::unless(is_fine, thickness_of(index), message)?;
        }
        let thicknesses = contact.parts.iter().map(|part| part.thickness);
        let thickest = thicknesses.clone().fold(0.0, f64::max);
        // A rope that holds a rigid body begins at its surface.
        let pieces = Pieces::new(contact, model, &contacts.colliders);
        let halves = pieces.solids.iter().map(|solid| solid.half + thickest);
        let widest = halves.fold(thickest, f64::max);
        let Some(neighbours) = Neighbours::new(model, widest) else {
            let message = format!(
                "{thickest} is far more than the length of the springs: hundreds of neighbours \
                 would be within the thickness of each node"
            );
            let part = thicknesses.take_while(|thickness| *thickness < thickest).count();
            return Err(BadSetup::new(thickness_of(part), message));
        };
        let surfaces = contacts.colliders.iter().map(|collider| collider.surface()).collect();
        let mut solver = Self::of(contact.clone(), surfaces, pieces, neighbours, model, initial);
        solver.obstacles = Obstacles { radius: 0.0, ..Obstacles::new(contacts) };
        solver.place_solids(model, initial, initial);
        solver.place_colliders();
        let meter = solver.start_meter();
        solver.find_near(&meter);
        let message = "too many pieces start near each other: each is near hundreds of others";
        BadSetup::unless(!meter.is_over(), "contact.thickness", message)?;
        solver.let_closer();
        Ok(solver)
    }

    /// Returns the limits for the check of the start, so that the check always ends.
    fn start_meter(&self) -> Meter {
        let pieces = self.pieces.all.len() as u64;
        let budget = Budget { work: START_WORK, pairs: START_PAIRS * (pieces + 64) };
        Meter::within(budget, Prices::default())
    }
}

/// Returns an error for numbers that are out of range.
fn check_part(part: &PartContact, index: usize) -> Result<(), BadSetup> {
    let PartContact { thickness, surface: Surface { restitution, friction } } = *part;
    let message = format!("expected a finite number above 0, found {thickness}");
    let is_fine = thickness > 0.0 && thickness.is_finite();
    BadSetup::unless(is_fine, thickness_of(index), message)?;
    let message = format!("expected a number from 0 to 1, found {restitution}");
    let is_fine = (0.0..=1.0).contains(&restitution);
    BadSetup::unless(is_fine, format!("contact.parts[{index}].restitution"), message)?;
    let message = format!("expected a finite number of at least 0, found {friction}");
    let is_fine = friction >= 0.0 && friction.is_finite();
    BadSetup::unless(is_fine, format!("contact.parts[{index}].friction"), message)
}

/// Returns an error for a box whose rounded edges do not fit into it.
fn check_rigid(
    contact: &PartContact,
    part: &Part,
    axes: usize,
    index: usize,
) -> Result<(), BadSetup> {
    let Form::Solid(form) = &part.form else { return Ok(()) };
    if form.kind != SolidKind::Box {
        return Ok(());
    }
    let (thickness, sides) = (contact.thickness, form.lengths());
    let minimum = sides[..axes].iter().copied().fold(f64::INFINITY, f64::min);
    let message =
        format!("expected less than {minimum}, the shortest side of the box, found {thickness}");
    BadSetup::unless(thickness < minimum, thickness_of(index), message)
}

/// Returns an error for a body whose drawn pieces overlap at the start.
///
/// # Errors
/// All errors of [`DrawnStep::new`], and an error for the first two pieces that overlap.
pub(crate) fn check(contacts: &Contacts, model: &Model, initial: &State) -> Result<(), BadSetup> {
    let Some(contact) = &contacts.drawn else { return Ok(()) };
    let mut solver = DrawnStep::new(contacts, contact, model, initial)?;
    solver.find_near(&solver.start_meter());
    let inside =
        |pair: &&Pair| pair.begun.is_nan() || pair.begun < pair.thickness - DEPTH * pair.own;
    let mut overlaps = solver.near.iter().filter(inside);
    let buried = || {
        solver.pieces.vertices.clone().find_map(|vertex| {
            let (piece, node) = (&solver.pieces.all[vertex], solver.pieces.all[vertex].nodes()[0]);
            if solver.nodes.inverse[node] == 0.0 {
                return None;
            }
            let distances = contacts
                .colliders
                .iter()
                .enumerate()
                .map(|(k, collider)| (k, collider.distance_at(0.0, solver.nodes.from[node]).0));
            let minimum = piece.half * (1.0 - DEPTH);
            distances
                .into_iter()
                .find(|(_, distance)| distance.is_nan() || *distance < minimum)
                .map(|(k, _)| (vertex, k))
        })
    };
    let names = Names { pieces: &solver.pieces, parts: &model.part_list(), contacts };
    if let Some(pair) = overlaps.next() {
        let (first, second) = (names.of(pair.a), names.of(pair.b));
        let message = format!(
            "{first} and {second} start at a distance of {:.6}, but need at least {:.6}: move one \
             of them, or reduce the thickness",
            pair.begun, pair.thickness
        );
        // The thickness of the thicker piece leaves the most to reduce.
        let owners = [pair.b, pair.a].into_iter().filter_map(|piece| names.part(piece));
        let thickness = |part: &usize| contact.parts[*part].thickness;
        let part = owners.max_by(|a, b| thickness(a).total_cmp(&thickness(b)));
        return Err(BadSetup::new(thickness_of(part.unwrap_or(0)), message));
    }
    if let Some((vertex, collider)) = buried() {
        let message = format!("{} starts inside {}", names.of(vertex), names.collider(collider));
        let part = names.part(vertex).unwrap_or(0);
        return Err(BadSetup::new(thickness_of(part), message));
    }
    Ok(())
}

/// Returns the first node of the first two drawn pieces of the body that overlap in a state.
/// Returns `None` if no pieces overlap or the setup is invalid.
pub(in crate::contact) fn own_overlap(
    contacts: &Contacts,
    model: &Model,
    state: &State,
) -> Option<usize> {
    let contact = contacts.drawn.as_ref()?;
    let mut solver = DrawnStep::new(contacts, contact, model, state).ok()?;
    solver.find_near(&solver.start_meter());
    let of_body = |piece: usize| {
        let piece = solver.pieces.all.get(piece);
        piece.is_some_and(|piece| matches!(piece.owner, Owner::Part(_)))
    };
    let overlaps =
        |pair: &Pair| pair.begun.is_nan() || pair.begun < pair.thickness - DEPTH * pair.own;
    let found = solver.near.iter().find(|pair| of_body(pair.b) && overlaps(pair))?;
    Some(solver.pieces.all[found.a].nodes()[0])
}

/// Descriptions of pieces for error messages.
struct Names<'a> {
    pieces: &'a Pieces,
    parts: &'a [Part],
    contacts: &'a Contacts,
}

impl Names<'_> {
    /// Returns the part of the body that a piece belongs to; `None` for a collider.
    fn part(&self, piece: usize) -> Option<usize> {
        match self.pieces.all.get(piece)?.owner {
            Owner::Part(part) => Some(part),
            Owner::Collider(_) => None,
        }
    }

    fn of(&self, piece: usize) -> String {
        let Some(it) = self.pieces.all.get(piece) else {
            let half_space = &self.pieces.half_spaces[piece - self.pieces.all.len()];
            return self.collider(half_space.collider) + ",";
        };
        let part = match it.owner {
            Owner::Collider(collider) => return self.collider(collider) + ",",
            Owner::Part(part) => &self.parts[part],
        };
        if let Form::Solid(form) = &part.form {
            let name = Some(&part.name).filter(|name| !name.is_empty());
            let name = name.map_or_else(String::new, |name| format!(" \"{name}\""));
            return format!("the {}{name}", form.kind.name());
        }
        let nodes: Vec<String> = it.nodes().iter().map(|&node| place(part, node)).collect();
        let what = match it.count {
            1 => format!("node {}", nodes[0]),
            2 => format!("the segment from node {} to {}", nodes[0], nodes[1]),
            _ => format!("the facet of nodes {}", nodes.join(", ")),
        };
        if part.name.is_empty() { what } else { format!("{what} of \"{}\"", part.name) }
    }

    fn collider(&self, index: usize) -> String {
        format!("colliders[{index}], a {}", self.contacts.colliders[index].info().name)
    }
}

/// Returns the index of a node in its part.
fn place(part: &Part, node: usize) -> String {
    let place = part.nodes.iter().position(|&other| other == node);
    place.map_or_else(|| "?".into(), |place| place.to_string())
}
