//! Recording: the frames of all bodies in a file, readable in any order.

use super::contents::ExportedBody;
use super::figure::{Figure, LOCAL, RATE};
use super::presence::Presence;
use catena_sim::glam::DAffine3;
use catena_sim::vector::Vec3;
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    sync::Arc,
};

/// Layout of a body's values in a frame: positions; with motion also velocities, pins, strains and
/// tensions; then figures.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) has_motion: bool,
}

impl Layout {
    pub(super) fn velocities(self, body: &ExportedBody) -> usize {
        body.axes * body.nodes
    }

    pub(super) fn pins(self, body: &ExportedBody) -> usize {
        2 * body.axes * body.nodes
    }

    pub(super) fn strains(self, body: &ExportedBody) -> usize {
        self.pins(body) + body.nodes
    }

    pub(super) fn tensions(self, body: &ExportedBody) -> usize {
        self.strains(body) + body.springs.len()
    }

    pub(super) fn figures(self, body: &ExportedBody) -> usize {
        match self.has_motion {
            true => self.tensions(body) + body.springs.len(),
            false => body.axes * body.nodes,
        }
    }

    pub(super) fn length(self, body: &ExportedBody) -> usize {
        let figures = body.figures.iter().map(|figure| figure.numbers(self.has_motion));
        self.figures(body) + figures.sum::<usize>()
    }
}

/// Recorded frames of all bodies.
pub struct Recording {
    file: File,
    layout: Layout,
    /// Number of values per frame of each body, and their offset within the frame.
    lengths: Vec<usize>,
    starts: Vec<usize>,
    presences: Arc<[Presence]>,
    /// Maximum absolute coordinate.
    farthest: f64,
    bytes: Vec<u8>,
    numbers: Vec<f64>,
}

/// Values of a body in a frame.
pub(super) struct Moment<'a> {
    body: &'a ExportedBody,
    layout: Layout,
    numbers: &'a [f64],
}

impl Recording {
    pub(super) fn new(
        file: File,
        layout: Layout,
        lengths: Vec<usize>,
        presences: Vec<Presence>,
        farthest: f64,
    ) -> Self {
        let sum = |sum: &mut usize, length: &usize| {
            let start = *sum;
            *sum += length;
            Some(start)
        };
        let starts = lengths.iter().scan(0, sum).collect();
        let (bytes, numbers) = (Vec::new(), Vec::new());
        let presences = presences.into();
        Self { file, layout, lengths, starts, presences, farthest, bytes, numbers }
    }

    /// Existence of springs over time, per body.
    pub(super) fn presences(&self) -> Arc<[Presence]> {
        Arc::clone(&self.presences)
    }

    /// Maximum absolute coordinate of a node.
    pub(super) fn farthest(&self) -> f64 {
        self.farthest
    }

    /// Reads the values of a body in a frame. Indices of both start at 0.
    pub(super) fn moment<'a>(
        &'a mut self,
        (index, body): (usize, &'a ExportedBody),
        frame: usize,
    ) -> io::Result<Moment<'a>> {
        let whole: usize = self.lengths.iter().sum();
        let start = (frame as u64) * whole as u64 + self.starts[index] as u64;
        self.bytes.resize(8 * self.lengths[index], 0);
        self.file.seek(SeekFrom::Start(8 * start))?;
        self.file.read_exact(&mut self.bytes)?;
        self.numbers.clear();
        self.numbers.extend(self.bytes.as_chunks().0.iter().map(|it| f64::from_le_bytes(*it)));
        Ok(Moment { body, layout: self.layout, numbers: &self.numbers })
    }
}

impl Moment<'_> {
    /// Reads the positions of all nodes; z is 0 in planar bodies.
    pub(super) fn places(&self, places: &mut Vec<Vec3>) {
        self.vectors(0, places);
    }

    /// Reads the velocities of all nodes.
    pub(super) fn velocities(&self, velocities: &mut Vec<Vec3>) {
        self.vectors(self.layout.velocities(self.body), velocities);
    }

    fn vectors(&self, start: usize, vectors: &mut Vec<Vec3>) {
        let ExportedBody { axes, nodes, .. } = *self.body;
        let flat = &self.numbers[start..start + axes * nodes];
        let vector =
            |i: usize| [0, 1, 2].map(|axis| if axis < axes { flat[axis * nodes + i] } else { 0.0 });
        vectors.clear();
        vectors.extend((0..nodes).map(vector));
    }

    /// Whether each node is pinned.
    pub(super) fn pins(&self) -> impl Iterator<Item = bool> {
        let start = self.layout.pins(self.body);
        self.numbers[start..start + self.body.nodes].iter().map(|value| *value != 0.0)
    }

    /// Strain of each spring.
    pub(super) fn strains(&self) -> &[f64] {
        &self.numbers[self.layout.strains(self.body)..][..self.body.springs.len()]
    }

    /// Tension of each spring.
    pub(super) fn tensions(&self) -> &[f64] {
        &self.numbers[self.layout.tensions(self.body)..][..self.body.springs.len()]
    }

    /// Values of a figure.
    fn figure(&self, index: usize) -> &[f64] {
        let length = |figure: &Figure| figure.numbers(self.layout.has_motion);
        let before: usize = self.body.figures[..index].iter().map(length).sum();
        let start = self.layout.figures(self.body) + before;
        &self.numbers[start..start + length(&self.body.figures[index])]
    }

    /// Bone transforms of a figure relative to their parents, for [`Figure::locals`].
    pub(super) fn bones(&self, index: usize) -> &[f64] {
        &self.figure(index)[..LOCAL * self.body.figures[index].skeleton.len()]
    }

    /// Derivatives of the maps of a figure's bones.
    pub(super) fn rates(&self, index: usize) -> Vec<DAffine3> {
        let behind = &self.figure(index)[self.bones(index).len()..];
        behind.as_chunks::<RATE>().0.iter().map(DAffine3::from_cols_array).collect()
    }
}
