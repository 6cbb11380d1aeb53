//! Contacts from a previous search, with which the next search starts, and the directions in which
//! friction holds these contacts.

use super::balance::Linear;
use super::{Contact, Equilibrium, Friction};
use catena_sim::vector::{Vec3, cross, norm, perpendicular, scaled};
use std::collections::BTreeMap;

/// Contacts of the previous search, from which the next one starts.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// Contacts that push.
    pub(super) contacts: Vec<Contact>,
    /// Directions in which friction holds contacts. Modes do not displace contacts along them.
    pub(super) held: Vec<Held>,
}

/// A direction in which friction holds a contact.
#[derive(Clone, Debug)]
pub(super) struct Held {
    /// Nodes of the contact with their weights.
    pub(super) nodes: Vec<(usize, f64)>,
    /// Unit vector along the surface.
    pub(super) direction: Vec3,
}

impl Known {
    /// Creates the list of contacts from the equilibrium of a body with `axes` axes.
    ///
    /// A contact that has not reached its limit is held in all directions along the surface. A
    /// dragged contact is held at right angles to its motion. A contact that slid from the start is
    /// not held.
    pub(super) fn of(rest: &Equilibrium, axes: usize, friction: Friction) -> Self {
        let mut held = Vec::new();
        for contact in rest.contacts.iter().filter(|contact| contact.friction > 0.0) {
            let directions = match (contact.slides(), friction) {
                (false, _) => along_surface(contact.normal, axes),
                (true, Friction::Followed) if axes == 3 => {
                    let across = cross(contact.normal, contact.held);
                    vec![scaled(across, 1.0 / norm(across))]
                }
                (true, _) => Vec::new(),
            };
            let nodes = &contact.nodes;
            let hold = |direction| Held { nodes: nodes.clone(), direction };
            held.extend(directions.into_iter().map(hold));
        }
        Self { contacts: rest.contacts.clone(), held }
    }
}

/// Perpendicular unit vectors along a surface with this normal: one in the plane, two in space.
fn along_surface(normal: Vec3, axes: usize) -> Vec<Vec3> {
    if axes == 2 {
        return vec![[-normal[1], normal[0], 0.0]];
    }
    let first = perpendicular(normal);
    vec![first, cross(normal, first)]
}

/// Number of node coordinates that contacts and their friction fix, in a body with `axes` axes.
pub(super) fn fixed(linear: &Linear, axes: usize) -> usize {
    let mut by_nodes: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
    for nodes in linear.fixed_nodes() {
        *by_nodes.entry(nodes).or_default() += 1;
    }
    // A node has no more coordinates than axes.
    let coordinates = by_nodes.iter().map(|(nodes, count)| *count.min(&(axes * nodes.len())));
    coordinates.sum()
}
