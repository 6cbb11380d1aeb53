//! Rotation-minimising frames along a rope, by double reflection from node to node.
//!
//! Let v = x_{i+1} - x_i, and t_L the reflected tangent. Frame i is reflected in the plane
//! perpendicular to v, and then in the plane perpendicular to t_{i+1} - t_L. Between two fixed
//! ends, the remaining angle is distributed by arc length. Sources: Wang, Jüttler, Zheng, Liu 2008,
//! "Computation of rotation minimising frames"; Bergou, Wardetzky, Robinson, Audoly, Grinspun 2008,
//! "Discrete elastic rods".

use super::linear::unit;
use crate::named::BadSetup;
use glam::DVec3;

/// Axes at a node: a unit tangent and a unit normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Unit vector along the rope.
    pub tangent: DVec3,
    /// Unit vector perpendicular to the rope.
    pub normal: DVec3,
}

impl Frame {
    /// Returns the binormal: tangent × normal.
    pub fn binormal(&self) -> DVec3 {
        self.tangent.cross(self.normal)
    }

    /// Carries the frame to the next node, which is at the displacement `offset`, by two
    /// reflections. `tangent` is the tangent there.
    pub fn carried(self, offset: DVec3, tangent: DVec3) -> Self {
        let reflect = |a: DVec3, across: DVec3| {
            let square = across.dot(across);
            if square > 0.0 { a - across * (2.0 * across.dot(a) / square) } else { a }
        };
        let (normal, carried) = (reflect(self.normal, offset), reflect(self.tangent, offset));
        let normal = reflect(normal, tangent - carried);
        // Rounding tilts the normal slightly at every edge.
        let straight = unit(normal - tangent * normal.dot(tangent));
        Self { tangent, normal: straight.unwrap_or_else(|| any_across(tangent)) }
    }

    /// Returns the unit vector perpendicular to the rope at this angle from the normal towards the
    /// binormal, in radians.
    pub fn across(&self, angle: f64) -> DVec3 {
        let (sine, cosine) = libm::sincos(angle);
        self.normal * cosine + self.binormal() * sine
    }
}

/// Carries a normal from one unit tangent to another by the smallest rotation. A perpendicular
/// normal remains perpendicular. Between opposite tangents it does not change, because no rotation
/// is the smallest.
pub fn transport(normal: DVec3, from: DVec3, to: DVec3) -> DVec3 {
    let closeness = 1.0 + from.dot(to);
    if closeness <= 0.0 {
        return normal;
    }
    normal - (from + to) * (normal.dot(to) / closeness)
}

/// Returns the angle in radians from one normal to another about a unit tangent, above -π and up to
/// π.
pub fn signed_angle(tangent: DVec3, from: DVec3, to: DVec3) -> f64 {
    libm::atan2(tangent.dot(from.cross(to)), from.dot(to))
}

/// Returns a unit vector perpendicular to a unit vector, as close as possible to the coordinate
/// axis with the smallest component.
fn any_across(tangent: DVec3) -> DVec3 {
    let [x, y, z] = tangent.abs().to_array();
    let axis = match (x, y, z) {
        _ if y <= x && y <= z => DVec3::Y,
        _ if z <= x => DVec3::Z,
        _ => DVec3::X,
    };
    unit(axis - tangent * axis.dot(tangent)).unwrap_or(DVec3::Y)
}

/// Computes the unit tangent at each node of the parabola through the node and its neighbours. The
/// ends use the outermost parabolas. Evenly spaced nodes give central differences. Coincident nodes
/// keep the previous tangent, and a rope without length has tangents along x.
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

/// Returns the slope at node `i` of the parabola around node `middle`, parametrised by chord
/// length.
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

/// One frame per node of a rope, and the arc length at each node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frames {
    frames: Vec<Frame>,
    lengths: Vec<f64>,
    tangents: Vec<DVec3>,
}

impl Frames {
    /// Returns the frames.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Returns the length of the polyline up to each node.
    pub fn lengths(&self) -> &[f64] {
        &self.lengths
    }

    /// Updates the frames to new positions without spin over time. The previous normal of node 0 is
    /// carried to the new tangent by the smallest rotation. Without previous frames, an arbitrary
    /// normal is used. The memory of `self` is reused.
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

    /// Creates frames that continue from the previous frame of node 0.
    pub fn after(frame: Frame) -> Self {
        Self { frames: vec![frame], ..Self::default() }
    }

    /// Carries the normal of node 0 along nodes with the given tangents.
    ///
    /// # Errors
    /// Returns an error if the numbers of tangents and nodes differ.
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
            let offset = pair[1] - pair[0];
            frame = frame.carried(offset, *tangent);
            length += offset.length();
            self.frames.push(frame);
            self.lengths.push(length);
        }
    }

    /// Rotates all frames about their tangents: by `first` radians at node 0 and `last` at the last
    /// node, with linear interpolation by length.
    pub fn twist(&mut self, first: f64, last: f64) {
        let total = self.lengths.last().copied().unwrap_or_default();
        for (frame, length) in self.frames.iter_mut().zip(&self.lengths) {
            let share = if total > 0.0 { length / total } else { 0.0 };
            frame.normal = frame.across(first + (last - first) * share);
        }
    }

    /// Returns the angles from the frames of node 0 and the last node to fixed normals, for
    /// [`Frames::twist`]. Each angle is defined up to whole turns. The result is the angle nearest
    /// to the previous one in `before`, so that ends can turn more than once.
    pub fn angles_to(&self, first: DVec3, last: DVec3, before: [f64; 2]) -> [f64; 2] {
        let angle = |frame: Option<&Frame>, held: DVec3, before: f64| {
            let angle = frame.map_or(0.0, |frame| signed_angle(frame.tangent, frame.normal, held));
            angle + TURN * libm::rint((before - angle) / TURN)
        };
        [angle(self.frames.first(), first, before[0]), angle(self.frames.last(), last, before[1])]
    }
}

const TURN: f64 = std::f64::consts::TAU;
