//! Ropes as tubes: rings around the vertices of a strand, with rounded ends.
//!
//! Rings rotate as little as possible along the rope and between frames; see
//! [`catena_sim::skin::Frames`]. In a closed rope the remaining twist is distributed over its
//! length.

use super::normals::unit_or_any;
use super::outline::{Outline, OutlineStrand};
use catena_sim::glam::DVec3;
use catena_sim::skin::{Frame, Frames, transport};
use catena_sim::vector::{Vec3, along};
use std::f64::consts::{FRAC_1_SQRT_2, TAU};

/// Number of sides of the tube around a thread of a net, and around a rope.
const SIDES: [usize; 2] = [6, 8];

/// Outward offset and radius of the extra ring at rounded ends, in tube radii.
const BEND: f64 = FRAC_1_SQRT_2;

/// Tubes around all strands of an outline.
pub(super) struct Tubes {
    radius: f64,
    sides: usize,
    /// Whether ends have an extra ring that rounds them.
    are_round: bool,
    strands: Vec<OutlineStrand>,
    /// Frames of each strand, and the twist of its last frame in radians.
    turns: Vec<StrandFrames>,
}

/// Points and normals of vertices.
#[derive(Clone, Debug, Default)]
pub(super) struct VertexVectors {
    pub(super) points: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
}

impl Tubes {
    /// Creates tubes of a radius. Ropes get more sides than threads.
    pub(super) fn new(outline: &Outline, radius: f64, are_ropes: bool) -> Self {
        let strands = outline.strands.clone();
        let turns = vec![StrandFrames::default(); strands.len()];
        Self { radius, sides: SIDES[usize::from(are_ropes)], are_round: are_ropes, strands, turns }
    }

    /// Number of vertices of one strand.
    fn count(&self, strand: &OutlineStrand) -> usize {
        let rings = strand.count + if self.are_round && !strand.is_closed { 2 } else { 0 };
        rings * self.sides + if strand.is_closed { 0 } else { 2 }
    }

    /// Number of vertices of all tubes.
    pub(super) fn vertices(&self) -> usize {
        self.strands.iter().map(|strand| self.count(strand)).sum()
    }

    /// Triangles of all tubes, counterclockwise seen from outside.
    pub(super) fn triangles(&self) -> Vec<[u32; 3]> {
        let mut triangles = Vec::new();
        let mut first = 0;
        for strand in &self.strands {
            let count = self.count(strand);
            self.add_triangles(strand, first as u32, &mut triangles);
            first += count;
        }
        triangles
    }

    fn add_triangles(&self, strand: &OutlineStrand, first: u32, triangles: &mut Vec<[u32; 3]>) {
        let sides = self.sides as u32;
        let next = |side: u32| (side + 1) % sides;
        let is_open = !strand.is_closed;
        let rings = strand.count as u32 + if self.are_round && is_open { 2 } else { 0 };
        let begin = first + u32::from(is_open);
        let pairs = if is_open { rings - 1 } else { rings };
        for ring in 0..pairs {
            let (here, there) = (begin + ring * sides, begin + (ring + 1) % rings * sides);
            for side in 0..sides {
                let [a, b] = [here + side, here + next(side)];
                let [c, d] = [there + side, there + next(side)];
                triangles.extend([[a, b, d], [a, d, c]]);
            }
        }
        if is_open {
            let (last, end) = (begin + (rings - 1) * sides, begin + rings * sides);
            triangles.extend((0..sides).map(|side| [first, begin + next(side), begin + side]));
            triangles.extend((0..sides).map(|side| [end, last + side, last + next(side)]));
        }
    }

    /// Moves the tubes to the vertices of an outline in the next frame.
    pub(super) fn follow(
        &mut self,
        outline: &Outline,
        places: &[Vec3],
        attendance: &[bool],
        surface: &mut VertexVectors,
    ) {
        surface.points.clear();
        surface.normals.clear();
        for (strand, turn) in self.strands.iter().zip(&mut self.turns) {
            let points = &places[strand.first..strand.first + strand.count];
            turn.follow(strand, points);
            let radius = if outline.has_strand(strand, attendance) { self.radius } else { 0.0 };
            let tube = TubeShape { sides: self.sides, radius, is_round: self.are_round };
            tube.add(points, turn.frames.frames(), strand.is_closed, surface);
        }
    }
}

/// Frames along a strand, and the twist of the last frame in radians.
#[derive(Clone, Debug, Default)]
struct StrandFrames {
    frames: Frames,
    twist: f64,
}

impl StrandFrames {
    /// Moves the frames of a strand to the current points.
    fn follow(&mut self, strand: &OutlineStrand, points: &[Vec3]) {
        let Self { frames, twist } = self;
        let mut points: Vec<DVec3> = points.iter().map(|point| DVec3::from_array(*point)).collect();
        if !strand.is_closed {
            frames.follow(&points);
            return;
        }
        // The ring continues past its last point, so that the first points get the tangents of a
        // closed curve.
        let n = points.len();
        points.extend_from_within(..2);
        points.insert(0, points[n - 1]);
        let tangents: Vec<DVec3> = (1..=n + 1)
            .map(|i| DVec3::from_array(unit_or_any((points[i + 1] - points[i - 1]).to_array())))
            .collect();
        let before = frames.frames().first().copied();
        let normal = match before {
            Some(Frame { tangent, normal }) => transport(normal, tangent, tangents[0]),
            None => tangents[0].any_orthonormal_vector(),
        };
        let Ok(carried) = Frames::along(&points[1..=n + 1], &tangents, normal) else { return };
        *frames = carried;
        let first = frames.frames()[0].normal;
        let [_, last] = frames.angles_to(first, first, [0.0, *twist]);
        *twist = last;
        frames.twist(0.0, last);
    }
}

/// Shape of a tube.
struct TubeShape {
    sides: usize,
    radius: f64,
    is_round: bool,
}

impl TubeShape {
    fn add(&self, points: &[Vec3], frames: &[Frame], is_closed: bool, surface: &mut VertexVectors) {
        let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
        let (Some(begin), Some(end)) = (frames.first(), frames.get(points.len() - 1)) else {
            return;
        };
        if !is_closed {
            self.add_pole(*first, begin, -1.0, surface);
            if self.is_round {
                self.add_ring(*first, begin, -BEND, surface);
            }
        }
        for (point, frame) in points.iter().zip(frames) {
            self.add_ring(*point, frame, 0.0, surface);
        }
        if !is_closed {
            if self.is_round {
                self.add_ring(*last, end, BEND, surface);
            }
            self.add_pole(*last, end, 1.0, surface);
        }
    }

    /// Adds the tip of an end.
    fn add_pole(&self, point: Vec3, frame: &Frame, side: f64, surface: &mut VertexVectors) {
        let normal = unit_or_any((frame.tangent * side).to_array());
        surface.points.push(along(point, self.radius, normal));
        surface.normals.push(normal);
    }

    /// Adds a ring on a sphere around a point, at the offset `shift` along the tube in radii.
    fn add_ring(&self, point: Vec3, frame: &Frame, shift: f64, surface: &mut VertexVectors) {
        let wide = (1.0 - shift * shift).sqrt();
        for side in 0..self.sides {
            let across = frame.across(TAU * side as f64 / self.sides as f64);
            let normal = unit_or_any((across * wide + frame.tangent * shift).to_array());
            surface.points.push(along(point, self.radius, normal));
            surface.normals.push(normal);
        }
    }
}
