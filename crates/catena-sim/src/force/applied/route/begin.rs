//! The start of a route: the sides on which it passes pulleys, and the length of its rope.

use super::guide::{GuidePlace, Turn};
use super::memory::Memory;
use super::path::{RoutePath, RoutePoint, apart, side_of};
use super::{Amount, Route, STOP, bad_guide};
use crate::body::vector::{Vec3, norm, sub};
use crate::body::{Body, Model, State};
use crate::named::BadOption;

/// Relative rounding error of lengths.
const ROUNDING: f64 = 1e-9;

/// Strain of a rope that has just become taut.
const TAUT: f64 = 1e-9;

impl Route {
    /// Returns the place of a point.
    pub(super) fn place(&self, point: usize) -> GuidePlace<'_> {
        match self.guide(point) {
            Some(guide) => guide.place().unwrap_or(GuidePlace::At([f64::NAN; 3])),
            None if point == 0 => GuidePlace::Node(self.from.unwrap_or(0)),
            None => GuidePlace::Node(self.to.unwrap_or(0)),
        }
    }

    /// Returns the points of the route in a state, each with the side on which the route passes it.
    fn first_points(&self, model: &Model, state: &State) -> Vec<RoutePoint> {
        let n = model.nodes();
        let center = |i: usize| self.place(i).at(n, state, state.t).0;
        let centers: Vec<Vec3> = (0..self.points()).map(center).collect();
        let point = |(i, &center): (usize, &Vec3)| {
            let guide = self.guide(i);
            let around = |turn: Turn| if turn == Turn::Clockwise { 1.0 } else { -1.0 };
            let inner = || {
                let (before, after) = (centers.get(i.wrapping_sub(1))?, centers.get(i + 1)?);
                Some(side_of(*before, center, *after))
            };
            let radius = guide.map_or(0.0, super::Guide::radius);
            let own = guide.and_then(super::Guide::turn).map(around);
            // A drum without a `turn` is on the right of the rope.
            let side = own.or_else(inner).unwrap_or(1.0);
            RoutePoint { center, radius, side, is_free: false }
        };
        centers.iter().enumerate().map(point).collect()
    }

    /// Returns the memory at the start, with the same tension in the whole rope.
    pub(super) fn begin(&self, model: &Model, state: &State) -> Memory<'static> {
        let is_planar = model.axes == 2;
        let points = self.first_points(model, state);
        let mut memory = Memory::empty(points.len(), state.t);
        for (i, first) in RoutePath::first_memory(&points, is_planar).into_iter().enumerate() {
            memory.edit().change(i, |own| *own = first);
        }
        let mut path = RoutePath::default();
        path.find(&points, &memory, is_planar);
        let total: f64 = path.legs.iter().map(|leg| leg.length).sum();
        let rest = self.length.as_ref().map_or(total, |length| length.at(state.t).0);
        let mut edit = memory.edit();
        for leg in &path.legs {
            let parts = leg.ends[0]..leg.ends[1];
            let share = leg.length / parts.len() as f64;
            edit.rest()[parts].fill(share);
        }
        edit.rest().iter_mut().for_each(|length| *length *= rest / total);
        for i in 0..points.len() {
            edit.change(i, |own| (own.enters, own.turned) = (path.before[i], path.turned[i]));
        }
        memory
    }

    /// Rejects a route that has no path at the start.
    pub(super) fn check_path(&self, model: &Model, initial: &State) -> Result<(), BadOption> {
        self.check_given()?;
        let points = self.first_points(model, initial);
        let first = usize::from(self.from.is_some());
        let bad = |point: usize, expected: &'static str| {
            Err(bad_guide(
                point.saturating_sub(first).min(self.via.len().saturating_sub(1)),
                expected,
            ))
        };
        for (i, pair) in points.windows(2).enumerate() {
            let [one, other] = [&pair[0], &pair[1]];
            let distance = norm(sub(other.center, one.center));
            let needed = match model.axes == 2 {
                true => apart(one, other, true),
                false => one.radius + other.radius,
            };
            let at = if self.guide(i + 1).is_some() { i + 1 } else { i };
            if distance.is_nan() || distance <= needed {
                return bad(
                    at,
                    "a position farther from its neighbours on the route, so that the rope between \
                     them is straight",
                );
            }
        }
        for (i, point) in points.iter().enumerate() {
            if point.radius > 0.0 && model.axes == 2 && point.side == 0.0 {
                return bad(
                    i,
                    "a `turn`, Clockwise or Counterclockwise: its neighbours on the route are in \
                     line with it, so both are possible",
                );
            }
        }
        self.check_stop(&points, model, initial)
    }

    /// Length of the rope and of its route at the start, where the rope is stretched to at least
    /// twice its length. `None` for other routes.
    pub fn lengths_of_short_rope(&self, model: &Model, initial: &State) -> Option<[f64; 2]> {
        let rope = self.length.as_ref()?.at(initial.t).0;
        let mut path = RoutePath::default();
        let points = self.first_points(model, initial);
        path.find(&points, &self.begin(model, initial), model.axes == 2);
        let total: f64 = path.legs.iter().map(|leg| leg.length).sum();
        (2.0 * rope <= total).then_some([rope, total])
    }

    /// Rejects a `stop` that is longer than the straight rope between a node and a guide.
    fn check_stop(
        &self,
        points: &[RoutePoint],
        model: &Model,
        initial: &State,
    ) -> Result<(), BadOption> {
        let Some(stop) = self.stop else { return Ok(()) };
        let mut path = RoutePath::default();
        path.find(points, &self.begin(model, initial), model.axes == 2);
        let rope = self.least_length().unwrap_or(f64::INFINITY);
        for leg in &path.legs {
            let has_guide = leg.ends.iter().any(|&end| self.guide(end).is_some());
            let has_node = leg.ends.iter().any(|&end| self.place(end).node().is_some());
            let room = leg.straight.min(rope);
            if !(has_guide && has_node) || stop <= room * (1.0 + ROUNDING) {
                continue;
            }
            let [a, b] = leg.ends.map(|end| self.point_in_words(end));
            let of = if room < leg.straight {
                "the minimum length of the rope"
            } else {
                "the straight length at the start"
            };
            let expected =
                format!("a length of at most {room:.6} between {a} and {b}, which is {of}");
            return Err(BadOption { option: STOP.name, entry: None, expected: expected.into() });
        }
        Ok(())
    }

    /// Name of a point in messages.
    fn point_in_words(&self, point: usize) -> String {
        match (self.guide(point), self.place(point).node()) {
            (None, Some(node)) => format!("node {node}"),
            _ => format!("via[{}]", point - usize::from(self.from.is_some())),
        }
    }

    /// Returns a copy of a slack route whose rope is just taut in a state, with the same stiffness
    /// EA over rest length. `None` for a route that is taut already.
    pub fn tightened(&self, body: &Body<'_>, state: &State) -> Option<Self> {
        let (length, rest, _) = self.stretched(body, state);
        (length < rest).then(|| Self {
            axial: self.axial * length / rest,
            length: Some(Amount::constant(length * (1.0 - TAUT))),
            speed: None,
            ..self.clone()
        })
    }
}
