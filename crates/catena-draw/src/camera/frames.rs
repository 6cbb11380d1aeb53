//! Positions of the nodes of a scene in all of its frames, found by a pass over the simulation
//! before the first picture.
//!
//! The pass covers all frames of the scene, not only the drawn ones, so every range of frames gets
//! the same view. A caller that simulates all frames can pass them to a [`BodyWatch`] instead of
//! simulating them twice. See `pass` for the work limits.

use super::bounds::Bounds;
use super::core::FrameBoxes;
use crate::pass;
use crate::pass_budget;
use crate::pass_budget::with_budget;
use crate::solid_shapes::around_of;
use crate::vector::Vec3;
use catena_base::threads::in_pool;
use catena_scene::{Body, Scene};
use catena_sim::{Budget, Model, Outcome, Setup, Simulation, State};
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::Arc;

/// Maximum size of a diverging body, as a multiple of its length or initial size. Frames in which
/// the body is larger do not count.
const SOUND: f64 = 1.5;

/// Boxes around the nodes of a body.
#[derive(Clone, Debug)]
pub(super) struct NodeBoxes {
    /// Box of each node over all frames that count.
    pub(super) boxes: Vec<Bounds>,
    /// Whether the body diverges.
    pub(super) diverges: bool,
    /// Last box of the body, if it ends at rest.
    pub(super) rest: Option<Bounds>,
    /// Node in the centre of each rigid part, and the maximum extent of the part from it along each
    /// axis.
    pub(super) solids: Vec<(usize, Vec3)>,
}

/// Maximum number of frames whose references enlarge a view.
const MAX_COMPARED: u64 = 100_000;

impl NodeBoxes {
    /// Boxes that also contain the motion that a body is compared with. A view limits them to what
    /// the body can reach.
    pub(super) fn with_reference(&self, body: &Body, frames: u64) -> Cow<'_, Self> {
        let Some(reference) = &body.reference else { return Cow::Borrowed(self) };
        let mut all = self.clone();
        let (first, last) = reference.motion.frames().into_inner();
        for frame in (first..=last.min(frames.saturating_sub(1))).take(MAX_COMPARED as usize) {
            for (node, place) in reference.motion.at(frame) {
                if let Some(bounds) = all.boxes.get_mut(node) {
                    bounds.include(place, place);
                }
            }
        }
        Cow::Owned(all)
    }
}

/// Boxes around the nodes of all bodies over the frames of a scene. There are no boxes if finding
/// them takes too much work.
#[derive(Clone, Debug)]
pub struct SeenFrames(Option<Arc<Vec<NodeBoxes>>>);

impl SeenFrames {
    /// Simulates all frames of a scene to find the boxes.
    pub fn of(scene: &Scene) -> Self {
        Self(in_pool(|| node_boxes(scene)).map(Arc::new))
    }

    /// Simulates all frames of a scene if its view contains them; otherwise returns `None`.
    pub fn wanted(scene: &Scene) -> Option<Self> {
        pass::shows_frames(scene).then(|| Self::of(scene))
    }

    /// Creates the boxes from the watches of all bodies, in the order of the scene.
    pub fn by(watches: Vec<BodyWatch>) -> Self {
        let boxes: Option<Vec<_>> = watches.into_iter().map(BodyWatch::boxes).collect();
        Self(boxes.map(Arc::new))
    }

    /// Minimum and maximum coordinates of a node over all frames. `body` counts the bodies of all
    /// panels. `None` if computing the frames takes too much work.
    pub fn of_node(&self, body: usize, node: usize) -> Option<[Vec3; 2]> {
        let found = self.boxes()?.get(body)?.boxes.get(node)?;
        Some([found.low, found.high])
    }

    /// Boxes of each body.
    pub(super) fn boxes(&self) -> Option<&[NodeBoxes]> {
        self.0.as_ref().map(|boxes| &boxes[..])
    }
}

/// Returns the box of each node of each body over all frames, or `None` if that takes too much
/// work.
fn node_boxes(scene: &Scene) -> Option<Vec<NodeBoxes>> {
    let budgets = pass_budget::budgets(scene, scene.frames)?;
    let bodies: Vec<&Body> = scene.panels.iter().flat_map(|panel| &panel.bodies).collect();
    let run = |(body, budget): (&Body, Budget)| of_body(body, budget, scene.frames);
    bodies.into_par_iter().zip(budgets).map(run).collect()
}

/// The boxes of one body.
fn of_body(body: &Body, budget: Budget, frames: u64) -> Option<NodeBoxes> {
    let mut watch = BodyWatch::new(&body.setup);
    let mut simulation = Simulation::new(with_budget(&body.setup, budget));
    for frame in 0..frames {
        if frame > 0 {
            simulation.advance_frame();
        }
        if !watch.observe(&simulation) {
            break;
        }
    }
    watch.boxes()
}

/// Collects the positions of a body's nodes, frame after frame.
#[derive(Debug)]
pub struct BodyWatch {
    all: Vec<Bounds>,
    /// Boxes over the frames in which the body is not too large; `None` if it has not been too
    /// large so far.
    sound: Option<Vec<Bounds>>,
    /// Boxes of the whole body.
    frames: FrameBoxes,
    /// Rigid parts; see [`NodeBoxes::solids`].
    solids: Vec<(usize, Vec3)>,
    is_planar: bool,
    largest: f64,
    verdict: Verdict,
}

/// State of a watch.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Verdict {
    /// More frames count.
    Open,
    /// The body has diverged, and later frames do not count.
    Diverges,
    /// The run takes more work than a pass allows.
    GivesUp,
}

impl BodyWatch {
    /// A watch without positions, for a run within the budget of a pass.
    pub(crate) fn new(setup: &Setup) -> Self {
        let n = setup.model.nodes();
        let (all, sound) = (vec![Bounds::EMPTY; n], None);
        let length = setup.longest_model().rest_length();
        let largest = SOUND * extent(&setup.initial, n).longest().max(length);
        let (frames, is_planar) = (FrameBoxes::EMPTY, setup.model.axes == 2);
        let solids = around_solids(&setup.model, &setup.initial);
        Self { all, sound, frames, solids, is_planar, largest, verdict: Verdict::Open }
    }

    /// Adds the next frame, and returns whether later frames count.
    pub fn observe(&mut self, simulation: &Simulation) -> bool {
        if self.verdict != Verdict::Open {
            return false;
        }
        if simulation.refusal().is_some() {
            self.verdict = Verdict::GivesUp;
            return false;
        }
        if simulation.outcome() != Outcome::Fine {
            self.verdict = Verdict::Diverges;
            return false;
        }
        let (state, n) = (simulation.state(), self.all.len());
        let bounds = extent(state, n);
        let is_sound = bounds.longest() <= self.largest;
        self.frames.push(bounds);
        if !is_sound && self.sound.is_none() {
            self.sound = Some(self.all.clone());
        }
        include(&mut self.all, state);
        if !self.solids.is_empty() {
            let now = around_solids(&simulation.setup().model, state);
            for ((_, maximum), (_, half)) in self.solids.iter_mut().zip(now) {
                *maximum = [0, 1, 2].map(|axis| maximum[axis].max(half[axis]));
            }
        }
        if let Some(sound) = self.sound.as_mut().filter(|_| is_sound) {
            include(sound, state);
        }
        true
    }

    /// Whether later frames count.
    pub fn is_open(&self) -> bool {
        self.verdict == Verdict::Open
    }

    /// Whether the run takes more work than a pass allows.
    pub fn gives_up(&self) -> bool {
        self.verdict == Verdict::GivesUp
    }

    fn boxes(self) -> Option<NodeBoxes> {
        match self.verdict {
            Verdict::GivesUp => None,
            Verdict::Diverges => Some(NodeBoxes {
                boxes: self.sound.unwrap_or(self.all),
                diverges: true,
                rest: None,
                solids: self.solids,
            }),
            Verdict::Open => {
                let mut boxes = self.all;
                if let Some(core) = self.frames.core().filter(|_| self.is_planar) {
                    boxes.iter_mut().for_each(|node| *node = node.within(&core));
                }
                let (diverges, rest) = (false, self.frames.rest());
                Some(NodeBoxes { boxes, diverges, rest, solids: self.solids })
            }
        }
    }
}

/// Node in the centre of each rigid part, and the extent of the part from it along each axis.
pub(super) fn around_solids(model: &Model, state: &State) -> Vec<(usize, Vec3)> {
    model.parts.iter().filter_map(|part| around_of(model, part, &state.x)).collect()
}

/// The box of a body.
fn extent(state: &State, n: usize) -> Bounds {
    let mut all = Bounds::EMPTY;
    for axis in 0..3 {
        let (low, high) = (&mut all.low[axis], &mut all.high[axis]);
        for at in along(state, n, axis) {
            (*low, *high) = (low.min(*at), high.max(*at));
        }
    }
    all
}

/// Extends the boxes of the nodes by their positions.
fn include(boxes: &mut [Bounds], state: &State) {
    let n = boxes.len();
    for axis in 0..3 {
        for (node, at) in boxes.iter_mut().zip(along(state, n, axis).iter().cycle()) {
            node.low[axis] = node.low[axis].min(*at);
            node.high[axis] = node.high[axis].max(*at);
        }
    }
}

/// Positions of nodes along an axis. In the plane, the missing axis yields a single 0.
fn along(state: &State, n: usize, axis: usize) -> &[f64] {
    state.x.get(axis * n..(axis + 1) * n).unwrap_or(&[0.0])
}
