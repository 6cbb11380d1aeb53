//! Frames along a rope that do not spin about it: double reflection from node to node.
//!
//! With v = x_{i+1} - x_i, frame i is reflected in the plane across v, and then in the plane across
//! t_{i+1} - t_L, where t_L is the reflected tangent. Between two given ends the angle that is left
//! is spread evenly by arc length. Sources: Wang, Jüttler, Zheng, Liu 2008, "Computation of
//! rotation minimizing frames"; Bergou, Wardetzky, Robinson, Audoly, Grinspun 2008, "Discrete
//! elastic rods".

use super::linear::unit;
use crate::named::BadSetup;
use glam::DVec3;

/// Axes at a node: the tangent, and a normal across it, both of length 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Along the rope.
    pub tangent: DVec3,
    /// Across it.
    pub normal: DVec3,
}

impl Frame {
    /// Across both: tangent × normal.
    pub fn binormal(&self) -> DVec3 {
        self.tangent.cross(self.normal)
    }

    /// The frame at the next node, along `way`, where the tangent is another one: two reflections
    /// carry it there.
    pub fn carried(self, way: DVec3, tangent: DVec3) -> Self {
        let reflect = |a: DVec3, across: DVec3| {
            let square = across.dot(across);
            if square > 0.0 { a - across * (2.0 * across.dot(a) / square) } else { a }
        };
        let (normal, carried) = (reflect(self.normal, way), reflect(self.tangent, way));
        let normal = reflect(normal, tangent - carried);
        // Rounding leans the normal a little with every edge.
        let straight = unit(normal - tangent * normal.dot(tangent));
        Self { tangent, normal: straight.unwrap_or_else(|| any_across(tangent)) }
    }

    /// The direction across the rope at an angle from the normal towards the binormal, in radians.
    pub fn across(&self, angle: f64) -> DVec3 {
        let (sine, cosine) = libm::sincos(angle);
        self.normal * cosine + self.binormal() * sine
    }
}

/// A normal carried from one unit tangent to another by the smallest rotation; across the new one
/// if it was across the old one. Between opposite tangents it stays, since no rotation is the
/// smallest.
pub fn transport(normal: DVec3, from: DVec3, to: DVec3) -> DVec3 {
    let closeness = 1.0 + from.dot(to);
    if closeness <= 0.0 {
        return normal;
    }
    normal - (from + to) * (normal.dot(to) / closeness)
}

/// The angle in radians from one normal to another about a unit tangent, above -π and up to π.
pub fn signed_angle(tangent: DVec3, from: DVec3, to: DVec3) -> f64 {
    libm::atan2(tangent.dot(from.cross(to)), from.dot(to))
}

/// A unit vector across a unit vector: that nearest to the coordinate axis that is most across.
fn any_across(tangent: DVec3) -> DVec3 {
    let [x, y, z] = tangent.abs().to_array();
    let axis = match (x, y, z) {
        _ if y <= x && y <= z => DVec3::Y,
        _ if z <= x => DVec3::Z,
        _ => DVec3::X,
    };
    unit(axis - tangent * axis.dot(tangent)).unwrap_or(DVec3::Y)
}

/// The tangent at each node of the parabola through it and its neighbours, of length 1; at the ends
/// that of the outermost parabola. Evenly spaced nodes get central differences. Where nodes
/// coincide the tangent before goes on, and a rope without any length lies along x.
pub fn central_tangents(points: &[DVec3], tangents: &mut Vec<DVec3>) {
    tangents.clear();
    let last = points.len().saturating_sub(1);
    let mut before = points.iter().find_map(|point| unit(*point - points[0])).unwrap_or(DVec3::X);
    for i in 0..points.len() {
        let middle = i.clamp(1, last.max(2) - 1);
        let slope = match points.get(middle - 1..=middle + 1) {
            Some(&[a, b, c]) => parabola(c - b, b - a, i, middle),
            _ => points[last] - points[0],
        };
        before = unit(slope).unwrap_or(before);
        tangents.push(before);
    }
}

/// The slope at node `i` of the parabola around the node `middle`, by chord lengths.
fn parabola(after: DVec3, before: DVec3, i: usize, middle: usize) -> DVec3 {
    let [h, k] = [before, after].map(DVec3::length);
    if h == 0.0 || k == 0.0 {
        return before + after;
    }
    let (into, out) = (before / h, after / k);
    let slope = (into * k + out * h) / (h + k);
    match i {
        _ if i < middle => into * 2.0 - slope,
        _ if i > middle => out * 2.0 - slope,
        _ => slope,
    }
}

/// A frame at each node of a rope, and the length up to there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frames {
    frames: Vec<Frame>,
    lengths: Vec<f64>,
    tangents: Vec<DVec3>,
}

impl Frames {
    /// The frames.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Length of the polyline up to each node.
    pub fn lengths(&self) -> &[f64] {
        &self.lengths
    }

    /// Carries frames along nodes from node 0's old frame on, so that nothing spins in time: the
    /// old normal comes to the new tangent by the smallest rotation. Without an old frame any
    /// normal will do. The memory of `self` is used again.
    pub fn follow(&mut self, points: &[DVec3]) {
        let mut tangents = std::mem::take(&mut self.tangents);
        central_tangents(points, &mut tangents);
        let normal = match (self.frames.first(), tangents.first()) {
            (Some(old), Some(tangent)) => transport(old.normal, old.tangent, *tangent),
            (None, Some(tangent)) => any_across(*tangent),
            _ => DVec3::Y,
        };
        self.carry(points, &tangents, normal);
        self.tangents = tangents;
    }

    /// Frames that go on from node 0's frame a moment ago.
    pub fn after(frame: Frame) -> Self {
        Self { frames: vec![frame], ..Self::default() }
    }

    /// Carries the normal of node 0 along nodes with the given tangents.
    ///
    /// # Errors
    /// Where there are not as many tangents as nodes.
    pub fn along(points: &[DVec3], tangents: &[DVec3], normal: DVec3) -> Result<Self, BadSetup> {
        let is_fine = points.len() == tangents.len();
        BadSetup::unless(is_fine, "tangents", "expected one for each node")?;
        let mut frames = Self::default();
        frames.carry(points, tangents, normal);
        Ok(frames)
    }

    fn carry(&mut self, points: &[DVec3], tangents: &[DVec3], normal: DVec3) {
        self.frames.clear();
        self.lengths.clear();
        let Some(&tangent) = tangents.first() else { return };
        let across = unit(normal - tangent * normal.dot(tangent));
        let mut frame = Frame { tangent, normal: across.unwrap_or_else(|| any_across(tangent)) };
        let mut length = 0.0;
        self.frames.push(frame);
        self.lengths.push(length);
        for (pair, tangent) in points.windows(2).zip(&tangents[1..]) {
            let way = pair[1] - pair[0];
            frame = frame.carried(way, *tangent);
            length += way.length();
            self.frames.push(frame);
            self.lengths.push(length);
        }
    }

    /// Turns all frames about their tangents: by `first` radians at node 0, by `last` at the last
    /// node, evenly by length between.
    pub fn twist(&mut self, first: f64, last: f64) {
        let whole = self.lengths.last().copied().unwrap_or_default();
        for (frame, length) in self.frames.iter_mut().zip(&self.lengths) {
            let share = if whole > 0.0 { length / whole } else { 0.0 };
            frame.normal = frame.across(first + (last - first) * share);
        }
    }

    /// The angles by which node 0 and the last node are off from normals that are held there, for
    /// [`Frames::twist`]. Each is the one of all that differ by whole turns that lies nearest to
    /// `before`, the angles a moment earlier, so that ends can turn more than once.
    pub fn angles_to(&self, first: DVec3, last: DVec3, before: [f64; 2]) -> [f64; 2] {
        let angle = |frame: Option<&Frame>, held: DVec3, before: f64| {
            let angle = frame.map_or(0.0, |frame| signed_angle(frame.tangent, frame.normal, held));
            angle + TURN * libm::rint((before - angle) / TURN)
        };
        [angle(self.frames.first(), first, before[0]), angle(self.frames.last(), last, before[1])]
    }
}

const TURN: f64 = std::f64::consts::TAU;
