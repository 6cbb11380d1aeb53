//! Energy of a route: its stretched rope and its turning wheels. Also the work that moves its
//! guides and feeds its rope.

use super::Route;
use super::moment::RouteMoment;
use crate::body::vector::{Vec3, dot, sub};
use crate::body::{Body, State};
use crate::drive::track::Extent;
use crate::force::{Account, Force, Potential, Store, Unstored};

impl RouteMoment<'_> {
    /// Energy of the stretched rope.
    fn elastic(&self) -> f64 {
        let of = |(span, tension): (usize, &f64)| {
            0.5 * tension * tension * self.rope.rest_after(span, &self.found) / self.rope.axial
        };
        self.found.tension.iter().enumerate().map(of).sum()
    }

    /// Energy that one rest length of rope carries out of the span after a hold, minus the energy
    /// that it carries out of the span before it. A span loses T + T²/2EA; a motor counts as
    /// `motor`.
    fn flux(&self, hold: usize, motor: f64) -> f64 {
        let of = |span: Option<usize>| {
            let tension = span.map(|span| self.found.tension[span]);
            tension.map_or(motor, |tension| tension + 0.5 * tension * tension / self.rope.axial)
        };
        let [before, after] = self.spans_around(hold);
        of(after) - of(before)
    }

    /// Energy of turning wheels and drums.
    fn kinetic(&self) -> f64 {
        let wheels = (0..self.hold_at.len()).map(|hold| {
            let speed = self.wheel_speed(hold);
            0.5 * self.mass_at(hold) * speed * speed
        });
        wheels.sum()
    }

    /// Derivative of the energy with respect to the length of each span.
    fn stored_tensions(&self) -> Vec<f64> {
        let (slopes, slid_by_length) = (self.slopes(), self.rope.displacement_slopes(&self.found));
        let of = |s: usize| {
            let slid = slid_by_length
                .iter()
                .enumerate()
                .map(|(hold, slope)| self.flux(hold, 0.0) * slope[s]);
            let elastic = self.found.tension[s] - slid.sum::<f64>();
            let wheels =
                (0..self.hold_at.len()).filter(|&hold| self.mass_at(hold) > 0.0).map(|hold| {
                    let [before, after] = self
                        .spans_around(hold)
                        .map(|span| span.map_or(0.0, |span| slopes[span][s]));
                    self.rim_speed(hold) * self.elapsed * (after - before)
                });
            elastic + wheels.sum::<f64>()
        };
        (0..self.spans()).map(of).collect()
    }
}

impl Potential for Route {
    fn store(&self) -> Store {
        Store::Elastic
    }

    fn potential(&self, body: &Body<'_>, state: &State) -> f64 {
        let now = RouteMoment::new(self, body, state, state.t);
        now.elastic() + now.kinetic()
    }

    fn of_motion(&self, body: &Body<'_>, state: &State) -> f64 {
        match self.via.iter().any(|guide| guide.moved_mass().is_some()) {
            true => RouteMoment::new(self, body, state, state.t).kinetic(),
            false => 0.0,
        }
    }
}

impl Unstored for Route {
    fn account(&self) -> Account {
        Account::Damping
    }

    fn add_unstored(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let now = RouteMoment::new(self, body, state, state.t);
        let stored = now.stored_tensions();
        now.pull(body.model, |span| now.tension(span) - stored[span], f);
    }
}

/// Work of friction and damping between two states, in addition to the work of the forces on nodes.
pub(super) fn work_within(route: &Route, body: &Body<'_>, start: &State, end: &State) -> f64 {
    work_at_holds(route, body, start, end) - work_against_damping(route, body, start, end)
}

/// Work of moving guides and of the feed against the tension of damping. This work becomes heat in
/// the rope unless the nodes follow.
fn work_against_damping(route: &Route, body: &Body<'_>, start: &State, end: &State) -> f64 {
    if route.damping == 0.0 || matches!(Force::extent(route), Extent::Still) {
        return 0.0;
    }
    let [first, last] = [start, end].map(|state| RouteMoment::new(route, body, state, state.t));
    let displacements: Vec<Vec3> = last
        .points
        .iter()
        .zip(&first.points)
        .map(|(to, from)| sub(to.center, from.center))
        .collect();
    let of = |now: &RouteMoment<'_>| {
        let damping = |span: usize| now.tension(span) - now.found.tension[span];
        let mut work = 0.0;
        now.each_leg(|span, leg, nodes| {
            for (end, sign) in [-1.0, 1.0].into_iter().enumerate() {
                if nodes[end].is_none() {
                    work += sign * damping(span) * dot(leg.u, displacements[leg.ends[end]]);
                }
            }
        });
        let fed = now.fed_span();
        work - damping(fed) * now.stretch(fed) * last.fed
    };
    0.5 * (of(&first) + of(&last))
}

/// Work at pulleys that resist, as a part of [`work_within`]: sliding rope, and damping that turns
/// a wheel. The work is computed from the length that slid, because the forces at the ends of a
/// step do not show for how long the rope held.
fn work_at_holds(route: &Route, body: &Body<'_>, start: &State, end: &State) -> f64 {
    if route.is_held() {
        return 0.0;
    }
    let [first, last] = [start, end].map(|state| RouteMoment::new(route, body, state, state.t));
    let motor = |now: &RouteMoment<'_>| now.rope.motor.map_or(0.0, |motor| motor.tension);
    let mut work = 0.0;
    for hold in 0..last.hold_at.len().min(first.hold_at.len()) {
        let mean = |of: &dyn Fn(&RouteMoment<'_>) -> f64| 0.5 * (of(&first) + of(&last));
        let (slid, turned) = (last.found.moved[hold], last.rim_displacement(hold));
        work -= mean(&|now| now.flux(hold, motor(now))) * slid;
        work += mean(&|now| now.pull_on(hold) + now.damping_on(hold)) * turned;
    }
    // Subtracts the work that the forces on nodes already include.
    for (now, state) in [(&first, start), (&last, end)] {
        let stored = now.stored_tensions();
        let mut f = vec![0.0; state.x.len()];
        now.pull(body.model, |span| now.found.tension[span] - stored[span], &mut f);
        let displacements = end.x.iter().zip(&start.x).map(|(to, from)| to - from);
        work -= 0.5
            * f.iter().zip(displacements).map(|(f, displacement)| f * displacement).sum::<f64>();
    }
    work
}

/// Work done by moving guides, the feed and a motor between two states.
pub(super) fn work_of_holders(route: &Route, body: &Body<'_>, start: &State, end: &State) -> f64 {
    let mut work = 0.0;
    if !matches!(Force::extent(route), Extent::Still) {
        let energy = |state: &State, t: f64| {
            let now = RouteMoment::new(route, body, state, t);
            now.elastic() + now.kinetic()
        };
        work += 0.5
            * (energy(start, end.t) - energy(start, start.t) + energy(end, end.t)
                - energy(end, start.t));
    }
    let now = RouteMoment::new(route, body, end, end.t);
    if let Some(motor) = now.rope.motor {
        let wound = if motor.is_first {
            now.found.moved.first().map(|displacement| -displacement)
        } else {
            now.found.moved.last().copied()
        };
        work += motor.tension * wound.unwrap_or(0.0);
    }
    work + work_against_damping(route, body, start, end)
}
