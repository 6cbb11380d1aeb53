//! A step of drawn contact: the state that all stages share. Each of the other files of the folder
//! adds the methods of one stage.

use super::DrawnContact;
use super::direct::Direct;
use super::memory::Impulses;
use super::neighbours::Neighbours;
use super::pair::Pair;
use super::pieces::Pieces;
use super::solids::SolidMotion;
use super::solve::{Contact, Nodes};
use super::tree::{Tree, TreeBounds};
use crate::body::vector::Vec3;
use crate::body::{Model, SpringMemory, State};
use crate::contact::collider::Surface;
use crate::contact::obstacle::Obstacles;
use std::collections::BTreeMap;

/// State of the drawn contact of one body in a step.
pub(super) struct DrawnStep {
    pub(super) contact: DrawnContact,
    pub(super) surfaces: Vec<Surface>,
    pub(super) pieces: Pieces,
    pub(super) neighbours: Neighbours,
    /// Reduced contact distances of neighbours that begin too close, by pairs of pieces.
    pub(super) closer: BTreeMap<(usize, usize), f64>,
    pub(super) vertices: Tree,
    pub(super) edges: Tree,
    pub(super) faces: Tree,
    /// Number of nodes of the body. Nodes of colliders have higher indices.
    pub(super) body_nodes: usize,
    /// Maximum displacement of a node along an axis before pairs are searched again.
    pub(super) slack: f64,
    /// Minimum thickness of all parts.
    pub(super) minimum: f64,
    pub(super) nodes: Nodes,
    /// Motions of rigid bodies in the step, in the order of their pieces.
    pub(super) solids: Vec<SolidMotion>,
    /// Whether each piece is whole; `None` if no spring is broken.
    pub(super) is_whole: Option<Vec<bool>>,
    pub(super) bounds: Vec<TreeBounds>,
    pub(super) found: Vec<(usize, usize)>,
    pub(super) near: Vec<Pair>,
    /// Ends of paths at the last search for pairs.
    pub(super) seen: Vec<Vec3>,
    pub(super) contacts: Vec<Contact>,
    /// Impulses of the contacts of the last step.
    pub(super) impulses: Impulses,
    /// Memory of direct solutions of contacts.
    pub(super) direct: Direct,
    /// Positions of nodes after the step if they keep their velocities.
    pub(super) ahead: Vec<Vec3>,
    /// Colliders as distance functions.
    pub(super) obstacles: Obstacles,
}

impl DrawnStep {
    /// Creates the state for pieces that have been checked.
    pub(super) fn of(
        contact: DrawnContact,
        surfaces: Vec<Surface>,
        pieces: Pieces,
        neighbours: Neighbours,
        model: &Model,
        initial: &State,
    ) -> Self {
        let n = model.nodes();
        let middle = |piece: usize| initial.position(n, pieces.reference_nodes(piece)[0]);
        let middles: Vec<Vec3> = (0..pieces.faces.end).map(middle).collect();
        let tree = |range| Tree::new(range, &pieces, &middles);
        let thickness = contact.parts.iter().map(|part| part.thickness);
        let minimum = thickness.fold(f64::INFINITY, f64::min);
        let mut inverse: Vec<f64> = model.mass.iter().map(|mass| 1.0 / mass).collect();
        inverse.iter_mut().zip(&model.pinned).filter(|(_, p)| **p).for_each(|(i, _)| *i = 0.0);
        inverse.resize(n + pieces.places.len() + pieces.solids.len(), 0.0);
        let at: Vec<Vec3> = (0..n).map(|i| initial.position(n, i)).collect();
        let turns = vec![[0.0; 3]; pieces.solids.len()];
        let at = [at, pieces.places.clone(), turns].concat();
        let rest = vec![[0.0; 3]; at.len()];
        let (from, to, before, v) = (at.clone(), at, rest.clone(), rest);
        let nodes = Nodes { inverse, from, to, before, v, turns: Vec::new() };
        Self {
            vertices: tree(pieces.vertices.clone()),
            edges: tree(pieces.edges.clone()),
            faces: tree(pieces.faces.clone()),
            body_nodes: n,
            slack: 0.25 * minimum,
            minimum,
            nodes,
            solids: Vec::new(),
            is_whole: None,
            bounds: Vec::new(),
            found: Vec::new(),
            near: Vec::new(),
            seen: Vec::new(),
            contacts: Vec::new(),
            impulses: Impulses::default(),
            direct: Direct::default(),
            ahead: Vec::new(),
            obstacles: Obstacles::default(),
            closer: BTreeMap::new(),
            contact,
            surfaces,
            pieces,
            neighbours,
        }
    }

    /// Returns the maximum thickness of all parts.
    pub(super) fn thickest(&self) -> f64 {
        let solids = self.pieces.solids.iter().map(|solid| 2.0 * solid.half);
        self.contact.parts.iter().map(|part| part.thickness).chain(solids).fold(0.0, f64::max)
    }

    /// Updates pins and broken springs.
    pub(super) fn know(&mut self, model: &Model, springs: &SpringMemory) {
        for i in 0..self.body_nodes {
            // Events may have changed the pins.
            self.nodes.inverse[i] = if model.pinned[i] { 0.0 } else { 1.0 / model.mass[i] };
        }
        self.is_whole = (!springs.is_whole()).then(|| {
            (0..self.pieces.all.len()).map(|piece| self.pieces.is_whole(piece, springs)).collect()
        });
    }
}
