//! Recording: the frames of all bodies in a file, written in order and readable in any order.
//!
//! A recording includes the frames in which each spring exists.

use super::{
    contents::{Contents, ExportedBody, IndexedBody, Item},
    figure::{Figure, LOCAL, RATE},
    solids::{ExportedSolid, RigidMotion},
};
use catena_sim::{Outcome, Simulation, drive::rig::Pose, glam::DAffine3, vector::Vec3};
use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufWriter, Read, Seek, SeekFrom, Write},
    sync::Arc,
};

/// Layout of a body's values in a frame: positions; with motion also velocities, pins, strains and
/// tensions; then figures; then rigid bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueLayout {
    pub(super) has_motion: bool,
}

impl ValueLayout {
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

    pub(super) fn solids(self, body: &ExportedBody) -> usize {
        let figures = body.figures.iter().map(|figure| figure.numbers(self.has_motion));
        self.figures(body) + figures.sum::<usize>()
    }

    pub(super) fn length(self, body: &ExportedBody) -> usize {
        self.solids(body) + solids_of(body).count() * RigidMotion::NUMBERS
    }
}

/// Recorded frames of all bodies.
pub struct Recording {
    file: File,
    layout: ValueLayout,
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
pub(super) struct BodyMoment<'a> {
    body: &'a ExportedBody,
    layout: ValueLayout,
    numbers: &'a [f64],
}

impl Recording {
    pub(super) fn new(
        file: File,
        layout: ValueLayout,
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
        owner: IndexedBody<'a>,
        frame: usize,
    ) -> io::Result<BodyMoment<'a>> {
        let IndexedBody { index, body } = owner;
        let stride: usize = self.lengths.iter().sum();
        let start = (frame as u64) * stride as u64 + self.starts[index] as u64;
        self.bytes.resize(8 * self.lengths[index], 0);
        self.file.seek(SeekFrom::Start(8 * start))?;
        self.file.read_exact(&mut self.bytes)?;
        self.numbers.clear();
        self.numbers.extend(self.bytes.as_chunks().0.iter().map(|it| f64::from_le_bytes(*it)));
        Ok(BodyMoment { body, layout: self.layout, numbers: &self.numbers })
    }
}

impl BodyMoment<'_> {
    /// Reads the positions of all nodes; z is 0 in planar bodies.
    pub(super) fn read_places(&self, places: &mut Vec<Vec3>) {
        self.read_vectors(0, places);
    }

    /// Reads the velocities of all nodes.
    pub(super) fn read_velocities(&self, velocities: &mut Vec<Vec3>) {
        self.read_vectors(self.layout.velocities(self.body), velocities);
    }

    fn read_vectors(&self, start: usize, vectors: &mut Vec<Vec3>) {
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

    /// Motion of the rigid body that is the item with this index.
    pub(super) fn rigid_motion(&self, item: usize) -> RigidMotion {
        let before = self.body.items[..item].iter().filter_map(|item| item.solid()).count();
        let start = self.layout.solids(self.body) + before * RigidMotion::NUMBERS;
        RigidMotion::of_numbers(&self.numbers[start..])
    }

    /// Derivatives of the maps of a figure's bones.
    pub(super) fn rates(&self, index: usize) -> Vec<DAffine3> {
        let tail = &self.figure(index)[self.bones(index).len()..];
        tail.as_chunks::<RATE>().0.iter().map(DAffine3::from_cols_array).collect()
    }
}

/// Existence of a body's springs over time.
#[derive(Clone, Debug, Default)]
pub(super) struct Presence {
    /// Whether each spring is missing in the first frame.
    missing: Vec<bool>,
    /// Whether each spring is missing in the current state.
    now: Vec<bool>,
    /// Frames, counted from the first exported one, at which springs appear or disappear.
    turns: BTreeMap<usize, Vec<usize>>,
}

/// Extent of an element's existence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stay {
    /// The element exists in all frames.
    Always,
    /// The element exists in some frames.
    Sometimes,
    /// The element exists in no frame.
    Never,
}

impl Presence {
    /// Reads the springs of a simulation: first structural ones, then those that events create.
    pub(super) fn record(&mut self, simulation: &Simulation, structural: usize, count: usize) {
        let memory = simulation.springs();
        let model = &simulation.setup().model;
        let made = model.springs.len() - (count - structural);
        let number = |j: usize| if j < structural { j } else { made + j - structural };
        self.now.clear();
        self.now.extend((0..count).map(|j| memory.is_broken(number(j))));
    }

    /// Records the last state read as the state of a frame.
    pub(super) fn keep(&mut self, frame: usize) {
        if frame == 0 {
            self.missing.clone_from(&self.now);
            return;
        }
        for (spring, is_missing) in self.now.iter().enumerate() {
            let turns = self.turns.get(&spring).map_or(0, Vec::len);
            if *is_missing != (self.missing[spring] ^ (turns % 2 == 1)) {
                self.turns.entry(spring).or_default().push(frame);
            }
        }
    }

    /// Whether a spring exists at a frame.
    pub(super) fn is_there(&self, spring: usize, frame: usize) -> bool {
        let is_past = |turn: &&usize| **turn <= frame;
        let turns = self.turns.get(&spring).map_or(0, |turns| turns.iter().filter(is_past).count());
        let is_missing = self.missing.get(spring).copied().unwrap_or(false);
        is_missing == (turns % 2 == 1)
    }

    /// Whether all given springs exist at a frame.
    pub(super) fn are_there(&self, springs: &[usize], frame: usize) -> bool {
        springs.iter().all(|spring| self.is_there(*spring, frame))
    }

    /// Extent of the time in which all given springs exist, computed without checking each frame.
    pub(super) fn stay(&self, springs: &[usize]) -> Stay {
        let is_missing = |spring: &usize| self.missing.get(*spring).copied().unwrap_or(false);
        let turns = |spring: &usize| self.turns.contains_key(spring);
        if springs.iter().any(|spring| is_missing(spring) && !turns(spring)) {
            Stay::Never
        } else if springs.iter().any(turns) {
            Stay::Sometimes
        } else {
            Stay::Always
        }
    }
}

/// Recorder of consecutive frames.
pub struct Recorder<'a> {
    contents: &'a Contents,
    file: BufWriter<File>,
    layout: ValueLayout,
    /// Current values of each body. A diverged body has the values of its last valid frame.
    now: Vec<Vec<f64>>,
    presences: Vec<Presence>,
    pose: Pose,
    frames: usize,
    farthest: f64,
}

impl<'a> Recorder<'a> {
    /// Starts a recording in an empty file opened for reading and writing. `has_motion` also
    /// records velocities, pins, strains and tensions.
    pub fn new(contents: &'a Contents, file: File, has_motion: bool) -> Self {
        let layout = ValueLayout { has_motion };
        let mut pose = Pose::default();
        let now = contents.bodies().map(|body| at_rest(body, layout, &mut pose)).collect();
        Self {
            contents,
            file: BufWriter::with_capacity(1 << 16, file),
            now,
            presences: contents.bodies().map(|_| Presence::default()).collect(),
            layout,
            pose,
            frames: 0,
            farthest: 0.0,
        }
    }

    /// Reads the simulations, one per body in their order. A diverged body and its figures keep
    /// their last values.
    pub fn record<'s>(&mut self, simulations: impl Iterator<Item = &'s Simulation>) {
        let bodies = self.contents.bodies().zip(&mut self.now).zip(&mut self.presences);
        for (((body, now), presence), simulation) in bodies.zip(simulations) {
            if simulation.outcome() != Outcome::Fine {
                continue;
            }
            presence.record(simulation, body.structural, body.springs.len());
            let layout = self.layout;
            fill(body, layout, simulation, now);
            let mut place = layout.figures(body);
            for figure in &body.figures {
                let length = figure.numbers(layout.has_motion);
                (figure.motion)(simulation.state().t, &mut self.pose);
                figure.record(&self.pose, layout.has_motion, &mut now[place..place + length]);
                place += length;
            }
            for solid in solids_of(body) {
                let numbers = &mut now[place..place + RigidMotion::NUMBERS];
                solid.record(&simulation.setup().model, simulation.state(), numbers);
                place += RigidMotion::NUMBERS;
            }
        }
    }

    /// Appends the last values read as the next frame.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn keep(&mut self) -> io::Result<()> {
        let all = self.contents.bodies().zip(&self.now).zip(&mut self.presences);
        for ((body, now), presence) in all {
            presence.keep(self.frames);
            let places = now[..body.axes * body.nodes].iter();
            let figures = now[self.layout.figures(body)..self.layout.solids(body)].iter();
            self.farthest =
                places.chain(figures).fold(self.farthest, |maximum, x| maximum.max(x.abs()));
            for value in now {
                self.file.write_all(&value.to_le_bytes())?;
            }
        }
        self.frames += 1;
        Ok(())
    }

    /// Ends the recording.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn finish(self) -> io::Result<Recording> {
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        let lengths = self.now.iter().map(Vec::len).collect();
        Ok(Recording::new(file, self.layout, lengths, self.presences, self.farthest))
    }
}

/// Initial values of a body, with its figures in their bind poses.
fn at_rest(body: &ExportedBody, layout: ValueLayout, pose: &mut Pose) -> Vec<f64> {
    let mut numbers = vec![0.0; layout.length(body)];
    let mut place = layout.figures(body);
    for figure in &body.figures {
        let length = figure.numbers(layout.has_motion);
        figure.skeleton.bind_pose(pose);
        figure.record(pose, layout.has_motion, &mut numbers[place..place + length]);
        place += length;
    }
    for numbers in numbers[place..].chunks_mut(RigidMotion::NUMBERS) {
        RigidMotion::AT_REST.write(numbers);
    }
    numbers
}

/// Rigid bodies among the items of a body.
fn solids_of(body: &ExportedBody) -> impl Iterator<Item = &ExportedSolid> {
    body.items.iter().filter_map(Item::solid)
}

/// Fills in a frame's values of a body, without its figures.
fn fill(body: &ExportedBody, layout: ValueLayout, simulation: &Simulation, now: &mut [f64]) {
    let (setup, state) = (simulation.setup(), simulation.state());
    let count = body.axes * body.nodes;
    now[..count].copy_from_slice(&state.x);
    if !layout.has_motion {
        return;
    }
    now[layout.velocities(body)..][..count].copy_from_slice(&state.v);
    let pinned = &simulation.events().pinned;
    let pinned = if pinned.is_empty() { &setup.model.pinned } else { pinned };
    for (value, is_pinned) in now[layout.pins(body)..].iter_mut().zip(pinned) {
        *value = f64::from(u8::from(*is_pinned));
    }
    let law = setup.spring_law();
    let solved = simulation.tensions();
    let made = setup.model.springs.len() - (body.springs.len() - body.structural);
    let (strains, tensions) = (layout.strains(body), layout.tensions(body));
    for local in 0..body.springs.len() {
        let is_structural = local < body.structural;
        let j = if is_structural { local } else { made + local - body.structural };
        let spring = &setup.model.springs[j];
        let length = setup.model.span(&state.x, spring).1;
        now[strains + local] = finite((length - spring.rest_length) / spring.rest_length);
        let by_law = || {
            let plastic = simulation.springs().plastic(j);
            law.map_or(0.0, |law| law.tension(spring, length, plastic))
        };
        let tension = match solved {
            Some(solved) if is_structural => solved.get(j).copied().unwrap_or(0.0),
            _ => by_law(),
        };
        now[tensions + local] = finite(tension);
    }
}

/// Nearest finite number; 0 for NaN.
fn finite(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(f64::MIN, f64::MAX) }
}
