//! Vertices of an item per frame, for all formats that write item by item.

use super::contents::{IndexedBody, Item, Shape};
use super::normals::{add_normals, unit_or_any};
use super::outline::Outline;
use super::recording::Presence;
use super::tube::{Tubes, VertexVectors};
use crate::export::writer::{RopeForm, WriterInput};
use catena_sim::vector::Vec3;
use std::{io, sync::Arc};

/// Item whose vertices are read frame by frame.
pub(super) struct ItemFrames<'a> {
    body: IndexedBody<'a>,
    item: &'a Item,
    presences: Arc<[Presence]>,
    pub(super) outline: Outline,
    pub(super) tubes: Option<Tubes>,
    nodes: Vec<Vec3>,
    places: Vec<Vec3>,
    sums: Vec<Vec3>,
    surface: VertexVectors,
}

/// Connectivity of an item's vertices.
pub(super) enum Connectivity {
    /// Line segments as pairs of vertices.
    Lines(Vec<[u32; 2]>),
    /// Triangles of vertices.
    Triangles(Vec<[u32; 3]>),
}

impl<'a> ItemFrames<'a> {
    /// Creates the reader of an item. With tubes, lines have the vertices of the tubes around them.
    pub(super) fn new(
        body: IndexedBody<'a>,
        item: &'a Item,
        input: &WriterInput<'_>,
        ropes: RopeForm,
    ) -> Self {
        let presences = input.recording.presences();
        let outline = Outline::of(item, &presences[body.index]);
        let tubes = match item.shape {
            Shape::Lines { diameter, are_ropes, .. } if ropes == RopeForm::Tube => {
                Some(Tubes::new(&outline, 0.5 * diameter, are_ropes))
            }
            _ => None,
        };
        let (nodes, places, sums) = (Vec::new(), Vec::new(), Vec::new());
        let surface = VertexVectors::default();
        Self { body, item, presences, outline, tubes, nodes, places, sums, surface }
    }

    /// Number of vertices.
    pub(super) fn count(&self) -> usize {
        self.tubes.as_ref().map_or(self.outline.vertices.len(), Tubes::vertices)
    }

    /// Whether the item has faces, and therefore normals.
    pub(super) fn has_normals(&self) -> bool {
        self.tubes.is_some() || matches!(self.item.shape, Shape::Mesh { .. })
    }

    /// Connectivity of the vertices; faces are split into triangles.
    pub(super) fn joined(&self) -> Connectivity {
        if let Some(tubes) = &self.tubes {
            return Connectivity::Triangles(tubes.triangles());
        }
        if let Shape::Mesh { .. } = self.item.shape {
            let corners = |face: &Vec<u32>| -> Vec<[u32; 3]> {
                (1..face.len() - 1).map(|k| [face[0], face[k], face[k + 1]]).collect()
            };
            return Connectivity::Triangles(self.outline.faces.iter().flat_map(corners).collect());
        }
        let segments = self.outline.strands.iter().flat_map(|strand| {
            let (first, count) = (strand.first, strand.count);
            let all = if strand.is_closed { count } else { count - 1 };
            (0..all).map(move |k| [first + k, first + (k + 1) % count].map(|i| i as u32))
        });
        Connectivity::Lines(segments.collect())
    }

    /// Reads a frame. Frames must be read in order, since tubes rotate as little as possible
    /// between frames.
    pub(super) fn read(&mut self, input: &mut WriterInput<'_>, frame: usize) -> io::Result<()> {
        input.recording.moment(self.body, frame)?.read_places(&mut self.nodes);
        let presence = &self.presences[self.body.index];
        let attendance = self.outline.attendance(presence, frame);
        self.outline.compute_places(&self.nodes, &attendance, &mut self.places);
        match (&mut self.tubes, &self.item.shape) {
            (Some(tubes), _) => {
                tubes.follow(&self.outline, &self.places, &attendance, &mut self.surface);
            }
            (None, Shape::Mesh { faces }) => {
                let whole = faces.iter().filter(|face| presence.are_there(face.springs(), frame));
                add_normals(whole.map(super::contents::Face::nodes), &self.nodes, &mut self.sums);
                let normal =
                    |vertex: &super::outline::OutlineVertex| unit_or_any(self.sums[vertex.node]);
                self.surface.normals.clear();
                self.surface.normals.extend(self.outline.vertices.iter().map(normal));
            }
            (None, Shape::Lines { .. } | Shape::Solid(_)) => {}
        }
        Ok(())
    }

    /// Positions of the vertices in the last frame read.
    pub(super) fn points(&self) -> &[Vec3] {
        if self.tubes.is_some() { &self.surface.points } else { &self.places }
    }

    /// Normals of the vertices, if there are faces.
    pub(super) fn normals(&self) -> &[Vec3] {
        &self.surface.normals
    }
}
