//! Shape of a route for pictures: the line of its rope, its wheels and its rings.

use super::guide::GuidePlace;
use super::moment::RouteMoment;
use super::{Guide, Route};
use crate::body::vector::{Vec3, add, cross, dot, norm, perpendicular, scaled, sub};
use crate::body::{Body, State};

/// Shape of a pulley or a drum for pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShownWheel {
    /// Centre.
    pub center: Vec3,
    /// Radius.
    pub radius: f64,
    /// Axis, a unit vector.
    pub axis: Vec3,
    /// End on the rim of the spoke that shows the rotation; `None` for a bollard, which does not
    /// turn.
    pub spoke: Option<Vec3>,
}

/// Shape of a route for pictures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShownRoute {
    /// The line of the rope.
    pub line: Vec<Vec3>,
    /// Pulleys and drums.
    pub wheels: Vec<ShownWheel>,
    /// Positions of rings.
    pub rings: Vec<Vec3>,
    /// Whether the rope is under tension.
    pub is_taut: bool,
}

/// Number of chords that draw an arc of a whole turn.
const CHORDS: f64 = 64.0;

impl Route {
    /// Centres and radii of guides that are not on nodes, at all keys of their curves.
    pub fn places(&self) -> Vec<(Vec3, f64)> {
        let of = |guide: &Guide| -> Vec<(Vec3, f64)> {
            let centers = match guide.place() {
                Some(GuidePlace::At(at)) => vec![at],
                Some(GuidePlace::Along(curve)) => {
                    curve.places().into_iter().map(|key| key.1).collect()
                }
                Some(GuidePlace::Node(_) | GuidePlace::Bone) | None => Vec::new(),
            };
            centers.into_iter().map(|center| (center, guide.radius())).collect()
        };
        self.via.iter().flat_map(of).collect()
    }

    /// Upper bound of the distance between two positions of one guide on its curve.
    pub(crate) fn displacement_of_guides(&self) -> f64 {
        let of = |guide: &Guide| match guide.place() {
            Some(GuidePlace::Along(curve)) => {
                let places = curve.places();
                let apart = |key: &(f64, Vec3)| norm(sub(key.1, places[0].1));
                2.0 * places.iter().map(apart).fold(0.0, f64::max)
            }
            _ => 0.0,
        };
        self.via.iter().map(of).fold(0.0, f64::max)
    }

    /// Force of the rope on each guide at a state, in the order of the route; 0 for a guide that
    /// the rope has left.
    pub fn forces_on_guides(&self, body: &Body<'_>, state: &State) -> Vec<Vec3> {
        let now = RouteMoment::new(self, body, state, state.t);
        let led = now.led();
        let mut forces = vec![[0.0; 3]; self.points()];
        now.each_leg(|span, leg, _| {
            let pull = scaled(leg.u, now.tension(span) - led[span]);
            forces[leg.ends[0]] = add(forces[leg.ends[0]], pull);
            forces[leg.ends[1]] = sub(forces[leg.ends[1]], pull);
        });
        (0..self.points()).filter(|i| self.guide(*i).is_some()).map(|i| forces[i]).collect()
    }

    /// Returns the shape of the route at a state, for pictures.
    pub fn shown(&self, body: &Body<'_>, state: &State) -> ShownRoute {
        let now = RouteMoment::new(self, body, state, state.t);
        let mut shown = ShownRoute {
            is_taut: now.found.tension.iter().any(|tension| *tension > 0.0),
            ..ShownRoute::default()
        };
        for leg in &now.path.legs {
            for (end, touch) in leg.ends.into_iter().zip(leg.touches) {
                let is_arc = now.points[end].radius > 0.0 && end == leg.ends[0] && end > 0;
                if let (true, Some(&last)) = (is_arc, shown.line.last()) {
                    let arc = now.arc(end, last, body.model.axes == 2);
                    shown.line.extend(arc);
                }
                shown.line.push(touch);
            }
        }
        for (i, point) in now.points.iter().enumerate() {
            let Some(guide) = self.guide(i) else { continue };
            if point.radius == 0.0 {
                shown.rings.push(point.center);
                continue;
            }
            let axis = now.path.normal(i);
            let turns = guide.moved_mass().is_some() || guide.is_drum() || guide.friction() == 0.0;
            let spoke = turns.then(|| {
                let side = if body.model.axes == 2 { point.side } else { -1.0 };
                let angle = -side * now.memory.point(i).rolled / point.radius;
                let first = match body.model.axes {
                    2 => [1.0, 0.0, 0.0],
                    _ => perpendicular(axis),
                };
                add(point.center, scaled(turned(first, axis, angle), point.radius))
            });
            let (center, radius) = (point.center, point.radius);
            shown.wheels.push(ShownWheel { center, radius, axis, spoke });
        }
        shown
    }
}

impl RouteMoment<'_> {
    /// Points of the arc around a pulley, without its ends.
    fn arc(&self, i: usize, from: Vec3, is_planar: bool) -> Vec<Vec3> {
        let (center, axis) = (self.points[i].center, self.path.normal(i));
        let side = if is_planar { self.points[i].side } else { -1.0 };
        let a = sub(from, center);
        let turn = -side * self.path.turned[i].max(0.0);
        let count = (CHORDS * turn.abs() / std::f64::consts::TAU).ceil().clamp(1.0, 4096.0);
        (1..count as usize).map(|k| add(center, turned(a, axis, turn * k as f64 / count))).collect()
    }
}

/// Returns a vector rotated about a unit axis, by an angle in radians.
fn turned(a: Vec3, axis: Vec3, angle: f64) -> Vec3 {
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    let part = scaled(axis, dot(axis, a) * (1.0 - cos));
    add(add(scaled(a, cos), scaled(cross(axis, a), sin)), part)
}
