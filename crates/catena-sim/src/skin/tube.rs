//! Tubes around ropes, and strands that wind around them.

use super::frames::{Frame, Frames};
use crate::named::BadSetup;
use glam::DVec3;
use std::f64::consts::TAU;

/// A tube with flat sides and closed ends. Its vertices are one ring per node, followed by the two
/// end nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tube {
    sides: usize,
    radius: f64,
}

impl Tube {
    /// Creates a tube whose longitudinal edges are at the distance `radius` from its axis.
    ///
    /// # Errors
    /// Returns an error if there are fewer than 3 sides, or if the radius is not positive and
    /// finite.
    pub fn new(sides: usize, radius: f64) -> Result<Self, BadSetup> {
        BadSetup::unless(sides >= 3, "sides", "expected at least 3")?;
        let is_fine = radius > 0.0 && radius.is_finite();
        BadSetup::unless(is_fine, "radius", "expected a finite number above 0")?;
        Ok(Self { sides, radius })
    }

    /// Computes the vertices: the rings around nodes with these frames, and the two ends.
    pub fn vertices(&self, points: &[DVec3], frames: &[Frame], vertices: &mut Vec<DVec3>) {
        vertices.clear();
        for (point, frame) in points.iter().zip(frames) {
            let binormal = frame.binormal();
            let corner = |side: usize| {
                let (sine, cosine) = libm::sincos(TAU * side as f64 / self.sides as f64);
                *point + (frame.normal * cosine + binormal * sine) * self.radius
            };
            vertices.extend((0..self.sides).map(corner));
        }
        vertices.extend(points.first().zip(points.last()).into_iter().flat_map(|(a, b)| [*a, *b]));
    }

    /// Returns the triangles of a tube around `nodes` nodes, anticlockwise as seen from outside;
    /// none for fewer than two nodes.
    pub fn triangles(&self, nodes: usize) -> Vec<[usize; 3]> {
        let n = self.sides;
        let mut triangles = Vec::new();
        if nodes < 2 {
            return triangles;
        }
        let next = |side: usize| (side + 1) % n;
        for ring in 0..nodes - 1 {
            let (here, there) = (ring * n, (ring + 1) * n);
            for side in 0..n {
                let [a, b] = [here + side, here + next(side)];
                let [c, d] = [there + side, there + next(side)];
                // If all diagonals had the same direction, a twist to that side would look thicker.
                match (ring + side) % 2 {
                    0 => triangles.extend([[a, b, d], [a, d, c]]),
                    _ => triangles.extend([[a, b, c], [b, d, c]]),
                }
            }
        }
        let (last, start, end) = ((nodes - 1) * n, nodes * n, nodes * n + 1);
        triangles.extend((0..n).map(|side| [start, next(side), side]));
        triangles.extend((0..n).map(|side| [end, last + side, last + next(side)]));
        triangles
    }

    /// Computes the points of one strand of several that wind around the tube's axis at its radius.
    /// At length s its angle from the normal is 2π (strand/strands + s/lay). `lay` is the length
    /// per turn; a negative lay winds in the other direction, and a lay of 0 means no winding.
    /// `points` are the nodes that `frames` follow.
    pub fn strand(
        &self,
        strand: usize,
        strands: usize,
        lay: f64,
        points: &[DVec3],
        frames: &Frames,
        line: &mut Vec<DVec3>,
    ) {
        let first = strand as f64 / strands.max(1) as f64;
        line.clear();
        let lengths = frames.lengths();
        line.extend(points.iter().zip(frames.frames()).zip(lengths).map(
            |((point, frame), length)| {
                let turns = if lay == 0.0 { 0.0 } else { length / lay };
                *point + frame.across(TAU * (first + turns)) * self.radius
            },
        ));
    }
}
