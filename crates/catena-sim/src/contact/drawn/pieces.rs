//! Drawn geometry of a body and of colliders, as pieces with a thickness: vertices, edges and
//! faces.
//!
//! Edges are structural springs and the edges of facets. Faces are facets. Balls, capsules and
//! boxes as colliders consist of pieces, whose node indices follow the node indices of the body.
//! Half-spaces are stored separately. For the pieces of rigid bodies see `solids`.

use super::DrawnContact;
use super::solids::{BOX_EDGES, BOX_SIDES, RECTANGLE_EDGES, RigidSolid, solids};
use crate::body::vector::Vec3;
use crate::body::{Form, Model, Part, SpringMemory};
use crate::contact::collider::{Collider, Solid};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Owner of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::contact) enum Owner {
    /// A part of the body, by its index in [`Model::part_list`].
    Part(usize),
    /// A collider, by its index.
    Collider(usize),
}

/// A vertex, an edge or a face.
#[derive(Clone, Copy, Debug)]
pub(in crate::contact) struct Piece {
    /// Nodes; vertices and edges repeat their last node.
    nodes: [usize; 3],
    /// Number of nodes, 1 to 3.
    pub(in crate::contact) count: usize,
    /// Half thickness.
    pub(in crate::contact) half: f64,
    pub(super) owner: Owner,
}

impl Piece {
    pub(in crate::contact) fn nodes(&self) -> &[usize] {
        &self.nodes[..self.count]
    }

    pub(in crate::contact) fn padded(&self) -> [usize; 3] {
        self.nodes
    }
}

/// A half-space of a collider.
#[derive(Clone, Copy, Debug)]
pub(in crate::contact) struct HalfSpace {
    pub(super) collider: usize,
    /// A point of the surface at the end of the step.
    pub(super) point: Vec3,
    /// Outward unit normal at the end of the step.
    pub(super) normal: Vec3,
    /// Point and normal at the start of the step.
    pub(super) begun: (Vec3, Vec3),
    /// Point and normal in the frame of a moving collider.
    pub(super) own: (Vec3, Vec3),
}

/// All pieces: the vertices, edges and faces of the body, then the pieces of colliders.
#[derive(Clone, Debug, Default)]
pub(in crate::contact) struct Pieces {
    pub(in crate::contact) all: Vec<Piece>,
    pub(super) vertices: Range<usize>,
    pub(super) edges: Range<usize>,
    pub(super) faces: Range<usize>,
    /// Pieces of colliders.
    pub(super) fixed: Range<usize>,
    /// Positions of the corners of rigid bodies, then of collider nodes. The corners of a rigid
    /// body are in body coordinates, and the nodes of a moving collider in collider coordinates.
    pub(super) places: Vec<Vec3>,
    pub(super) colliders: Vec<usize>,
    pub(super) half_spaces: Vec<HalfSpace>,
    pub(super) solids: Vec<RigidSolid>,
    /// Number of corners of rigid bodies at the start of `places`.
    pub(super) corners: usize,
    /// Springs that each piece depends on: if one of them breaks, the piece is removed. Empty for
    /// pieces that cannot tear.
    held_by: Vec<Vec<usize>>,
    forms: Vec<Form>,
}

impl Pieces {
    pub(in crate::contact) fn new(
        contact: &DrawnContact,
        model: &Model,
        colliders: &[Arc<dyn Collider>],
    ) -> Self {
        let parts = model.part_list();
        let mut pieces = Self::default();
        let half = |part: usize| 0.5 * contact.parts[part].thickness;
        pieces.solids = solids(&parts, model, half, &mut pieces.places);
        pieces.corners = pieces.places.len();
        for (index, part) in parts.iter().enumerate() {
            if let Form::Solid(_) = part.form {
                pieces.push_rigid(index, 0);
                continue;
            }
            for &node in &part.nodes {
                pieces.push(&[node], half(index), Owner::Part(index), Vec::new());
            }
        }
        pieces.vertices = 0..pieces.all.len();
        let facets: Vec<Vec<Facet>> = parts.iter().map(|part| facets(part, model)).collect();
        for (index, part) in parts.iter().enumerate() {
            if let Form::Solid(_) = part.form {
                pieces.push_rigid(index, 1);
                continue;
            }
            for (nodes, springs) in edges(part, model, &facets[index]) {
                pieces.push(&nodes, half(index), Owner::Part(index), springs);
            }
        }
        pieces.edges = pieces.vertices.end..pieces.all.len();
        for (index, facets) in facets.into_iter().enumerate() {
            pieces.push_rigid(index, 2);
            for Facet { nodes, springs } in facets {
                pieces.push(&nodes, half(index), Owner::Part(index), springs);
            }
        }
        pieces.faces = pieces.edges.end..pieces.all.len();
        pieces.colliders = vec![0; pieces.places.len()];
        for (index, collider) in colliders.iter().enumerate() {
            pieces.add_solid(index, collider.solid(), model);
            // This includes positions that no piece uses, such as loose vertices of a mesh.
            pieces.colliders.resize(pieces.places.len(), index);
        }
        pieces.fixed = pieces.faces.end..pieces.all.len();
        pieces.forms = parts.iter().map(|part| part.form.clone()).collect();
        pieces
    }

    fn push(&mut self, nodes: &[usize], half: f64, owner: Owner, springs: Vec<usize>) {
        let node = |k: usize| nodes[k.min(nodes.len() - 1)];
        let nodes_of = [0, 1, 2].map(node);
        self.all.push(Piece { nodes: nodes_of, count: nodes.len(), half, owner });
        self.held_by.push(springs);
    }

    /// Adds the vertices (`which` = 0), edges (1) or faces (2) of a part that is a rigid body.
    fn push_rigid(&mut self, part: usize, which: usize) {
        let solid = self.solids.iter().find(|solid| solid.part == part);
        let Some(solid) = solid.cloned() else { return };
        for nodes in &solid.pieces[which] {
            self.push(nodes, solid.half, Owner::Part(part), Vec::new());
        }
    }

    /// Returns the index of the rigid body that a piece belongs to; `None` for all other pieces.
    pub(super) fn solid_of(&self, piece: usize) -> Option<usize> {
        let owner = self.all.get(piece)?.owner;
        self.solids.iter().position(|solid| owner == Owner::Part(solid.part))
    }

    /// Returns the nodes of the body that determine the neighbours of a piece.
    pub(super) fn reference_nodes(&self, piece: usize) -> &[usize] {
        match self.solid_of(piece) {
            Some(solid) => &self.solids[solid].reference_nodes,
            None => self.all[piece].nodes(),
        }
    }

    /// Adds the pieces of a collider.
    fn add_solid(&mut self, index: usize, solid: Solid, model: &Model) {
        let owner = Owner::Collider(index);
        let first = model.nodes() + self.places.len();
        match solid {
            Solid::HalfSpace { point, normal } => {
                let (collider, own) = (index, (point, normal));
                self.half_spaces.push(HalfSpace { collider, point, normal, begun: own, own });
            }
            Solid::Capsule { a, b, radius } if a == b => {
                self.places.push(a);
                self.push(&[first], radius, owner, Vec::new());
            }
            Solid::Capsule { a, b, radius } => {
                self.places.extend([a, b]);
                self.push(&[first], radius, owner, Vec::new());
                self.push(&[first + 1], radius, owner, Vec::new());
                self.push(&[first, first + 1], radius, owner, Vec::new());
            }
            Solid::Polygon { points } => {
                self.places.extend(points.iter());
                for k in 0..points.len() {
                    let ends = [first + k, first + (k + 1) % points.len()];
                    self.push(&ends, 0.0, owner, Vec::new());
                }
            }
            Solid::Facets { points, facets } => {
                self.places.extend(points.iter());
                self.add_surface(first, &facets, owner);
            }
            Solid::Box { .. } => {
                self.places.extend(solid.corners());
                let corner = |k: usize| first + k;
                if model.axes == 2 {
                    for (a, b) in RECTANGLE_EDGES {
                        self.push(&[corner(a), corner(b)], 0.0, owner, Vec::new());
                    }
                    return;
                }
                for corner in 0..8 {
                    self.push(&[first + corner], 0.0, owner, Vec::new());
                }
                for (a, b) in BOX_EDGES {
                    self.push(&[corner(a), corner(b)], 0.0, owner, Vec::new());
                }
                for [a, b, c, d] in BOX_SIDES {
                    self.push(&[corner(a), corner(b), corner(c)], 0.0, owner, Vec::new());
                    self.push(&[corner(a), corner(c), corner(d)], 0.0, owner, Vec::new());
                }
            }
        }
    }

    /// Adds the vertices, edges and faces of a closed surface, whose first node is `first`.
    fn add_surface(&mut self, first: usize, facets: &[[usize; 3]], owner: Owner) {
        let mut corners: Vec<usize> = facets.iter().flatten().copied().collect();
        corners.sort_unstable();
        corners.dedup();
        for corner in corners {
            self.push(&[first + corner], 0.0, owner, Vec::new());
        }
        // Each edge belongs to two triangles, once in each direction.
        for facet in facets {
            for k in 0..3 {
                let (a, b) = (facet[k], facet[(k + 1) % 3]);
                if a < b {
                    self.push(&[first + a, first + b], 0.0, owner, Vec::new());
                }
            }
        }
        for facet in facets {
            self.push(&facet.map(|corner| first + corner), 0.0, owner, Vec::new());
        }
    }

    /// Returns the part of a piece of the body.
    pub(super) fn part(&self, piece: usize) -> usize {
        match self.all[piece].owner {
            Owner::Part(part) => part,
            Owner::Collider(_) => 0,
        }
    }

    pub(super) fn form(&self, part: usize) -> &Form {
        &self.forms[part]
    }

    /// Whether a piece has not torn.
    pub(super) fn is_whole(&self, piece: usize, springs: &SpringMemory) -> bool {
        self.held_by[piece].iter().all(|&spring| !springs.is_broken(spring))
    }
}

/// A facet, and the springs that must be unbroken for the facet to exist.
struct Facet {
    nodes: [usize; 3],
    springs: Vec<usize>,
}

/// Returns the facets of a part with their springs. A cell of a sheet needs its four threads, and a
/// facet of a mesh the springs along its edges, as in pictures.
fn facets(part: &Part, model: &Model) -> Vec<Facet> {
    let springs = springs_by_ends(part, model);
    let along = |a: usize, b: usize| springs.get(&(a.min(b), a.max(b))).copied();
    let edges = |nodes: &[usize]| -> Vec<usize> {
        let pairs = (0..nodes.len()).map(|k| along(nodes[k], nodes[(k + 1) % nodes.len()]));
        pairs.flatten().collect()
    };
    let all = part.facets();
    let facet = |(index, nodes): (usize, &[usize; 3])| {
        let springs = match part.form {
            // Two successive facets form a cell: (a, b, c) and (a, c, d).
            Form::Sheet { .. } => {
                let [[a, b, c], [_, _, d]] = [all[index & !1], all[index | 1]];
                edges(&[a, b, c, d])
            }
            _ => edges(nodes),
        };
        Facet { nodes: *nodes, springs }
    };
    all.iter().enumerate().map(facet).collect()
}

/// Maps pairs of nodes, the lower one first, to the structural springs of a part.
fn springs_by_ends(part: &Part, model: &Model) -> BTreeMap<(usize, usize), usize> {
    let ends = |&j: &usize| {
        let spring = &model.springs[j];
        ((spring.a.min(spring.b), spring.a.max(spring.b)), j)
    };
    part.springs.iter().map(ends).collect()
}

/// Returns the edges of a part: its structural springs in order, then the edges of facets without a
/// spring. An edge without a spring depends on the springs of its facets.
fn edges(part: &Part, model: &Model, facets: &[Facet]) -> Vec<([usize; 2], Vec<usize>)> {
    let springs = springs_by_ends(part, model);
    let spring = |&j: &usize| ([model.springs[j].a, model.springs[j].b], vec![j]);
    let mut all: Vec<_> = part.springs.iter().map(spring).collect();
    let mut others: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for Facet { nodes, springs: of_facet } in facets {
        for k in 0..3 {
            let (a, b) = (nodes[k], nodes[(k + 1) % 3]);
            let ends = (a.min(b), a.max(b));
            if !springs.contains_key(&ends) {
                // An edge between two facets of a mesh depends only on the springs that both facets
                // depend on.
                let held = others.entry(ends).or_insert_with(|| of_facet.clone());
                held.retain(|spring| of_facet.contains(spring));
            }
        }
    }
    all.extend(others.into_iter().map(|((a, b), springs)| ([a, b], springs)));
    all
}
