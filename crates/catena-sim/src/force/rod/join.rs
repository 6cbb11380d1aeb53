//! Rigid joints of two rods: the second one continues the first one.
//!
//! The joint resists bending and twist like the rods, with half a segment of each rod in series.
//! The angle between the two rods at the start is the angle at rest.

use super::clamp::carried;
use super::strand::{MIN_OPEN, curvature_of, directions, first_frame};
use super::{Rod, Section};
use crate::body::vector::dot;
use crate::body::{Model, State};
use crate::named::BadSetup;

/// Angle between the rods, in radians, below which the joint is straight.
const STRAIGHT: f64 = 1e-12;

/// Maximum sine of the angle between the normals of two sections that line up.
const ALIGNED: f64 = 1e-9;

impl Rod {
    /// Returns this rod continued by another rod that starts at its last node. The joint transmits
    /// bending and twist, and its rest angle is the angle at the start.
    ///
    /// # Errors
    /// The rods do not meet end to start, form a ring, or have sections that do not fit.
    pub fn continued(self, next: Self, model: &Model, initial: &State) -> Result<Self, BadSetup> {
        let meets = self.nodes.last() == next.nodes.first() && !self.is_closed && !next.is_closed;
        let message = "a rigid joint continues a rod: join the last node of a rod to the \
                       first node of another";
        BadSetup::unless(meets, "joint", message)?;
        let shared = next.nodes[1..].iter().any(|node| self.nodes.contains(node));
        let message = "the rods of a rigid joint meet twice";
        BadSetup::unless(!shared, "joint", message)?;
        let message = "the second rod folds back on the first one here, so the curvature is \
                       unbounded: start it in another direction";
        BadSetup::unless(!self.folds(&next, model, initial), "joint", message)?;
        let message = "the rods of a rigid joint differ in `inertia`: write the same for both";
        BadSetup::unless(self.inertia == next.inertia, "joint", message)?;
        let meeting = self.nodes.len() - 1;
        let turn = self.turn_to(&next, model, initial);
        let is_aligned = libm::sin(turn).abs() <= ALIGNED;
        let is_round = next.all_sections().iter().all(Section::is_round);
        let message = "the sections of the rods do not line up: write the same `normal` for both";
        BadSetup::unless(model.axes == 2 || is_round || is_aligned, "joint", message)?;
        let (own, other) = (self.rest_lists(), next.rest_lists());
        let (sine, cosine) = if model.axes == 2 { (0.0, 1.0) } else { libm::sincos(turn) };
        let rotated = |&[a, b]: &[f64; 2]| [a * cosine - b * sine, a * sine + b * cosine];
        let mut sections = self.each_section();
        sections.extend(next.each_section());
        if sections.iter().all(|section| *section == self.section) {
            sections.clear();
        }
        let lengths = [self.springs[meeting - 1], next.springs[0]]
            .map(|spring| model.springs[spring].rest_length);
        let mut joined = Self {
            nodes: [&self.nodes[..], &next.nodes[1..]].concat(),
            springs: [&self.springs[..], &next.springs[..]].concat(),
            sections,
            ..self.clone()
        };
        let moved = next
            .clamps
            .into_iter()
            .map(|clamp| super::Clamp { node: clamp.node + meeting, ..clamp });
        joined.clamps.extend(moved);
        let mut curvature = own.0;
        curvature[meeting] = curvature_of(model, initial, &joined)[meeting];
        let [a, b] = curvature[meeting].map(|k| k * 0.5 * (lengths[0] + lengths[1]));
        if a * a + b * b < STRAIGHT * STRAIGHT {
            curvature[meeting] = [0.0; 2];
        }
        curvature.extend(other.0[1..].iter().map(rotated));
        let mut twist = own.1;
        let total = twist[meeting] * lengths[0] + other.1[0] * lengths[1];
        twist[meeting] = total / (lengths[0] + lengths[1]);
        twist.extend(&other.1[1..]);
        joined.rest_curvature =
            if curvature.iter().all(|k| *k == [0.0; 2]) { Vec::new() } else { curvature };
        joined.rest_twist = if twist.iter().all(|rate| *rate == 0.0) { Vec::new() } else { twist };
        Ok(joined)
    }

    /// Whether the rod `next` starts opposite to the direction in which this rod ends.
    fn folds(&self, next: &Self, model: &Model, initial: &State) -> bool {
        let [own, other] = [self, next].map(|rod| directions(model, initial, rod));
        let (Some(last), Some(first)) = (own.last(), other.first()) else { return false };
        1.0 + dot(*last, *first) <= MIN_OPEN
    }

    /// Angle from this rod's frame, carried to the start of `next`, to the frame of `next` there.
    fn turn_to(&self, next: &Self, model: &Model, initial: &State) -> f64 {
        let edges = directions(model, initial, self);
        let start = directions(model, initial, next)[0];
        let mut frame = first_frame(self, edges[0]);
        for &tangent in edges[1..].iter().chain([&start]) {
            frame.normal = carried(frame.normal, frame.tangent, tangent);
            frame.tangent = tangent;
        }
        frame.angle_to(first_frame(next, start).normal)
    }

    /// Returns the rest curvature and the rest twist of all nodes.
    fn rest_lists(&self) -> (Vec<[f64; 2]>, Vec<f64>) {
        let (mut curvature, mut twist) = (self.rest_curvature.clone(), self.rest_twist.clone());
        curvature.resize(self.nodes.len(), [0.0; 2]);
        twist.resize(self.nodes.len(), 0.0);
        (curvature, twist)
    }

    fn each_section(&self) -> Vec<Section> {
        (0..self.springs.len()).map(|spring| self.section_of(spring)).collect()
    }
}
