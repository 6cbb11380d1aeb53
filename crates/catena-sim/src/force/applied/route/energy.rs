//! Energy of a route: that of its stretched rope and of its turning wheels, and the work of what
//! moves its guides and feeds its rope.

use super::Route;
use super::instant::Instant;
use crate::body::{Body, State};
use crate::drive::track::Extent;
use crate::force::{Account, Force, Potential, Store, Unstored};

impl Instant<'_> {
    /// Energy of the stretched rope.
    fn elastic(&self) -> f64 {
        let spans = self.rope.spans.iter().zip(&self.found.tension);
        spans.map(|(span, tension)| 0.5 * tension * tension / span.stiffness).sum()
    }

    /// Energy of turning wheels and drums.
    fn kinetic(&self) -> f64 {
        let wheels = (0..self.hold_at.len()).map(|hold| {
            let speed = self.rim_speed(hold);
            0.5 * self.mass_at(hold) * speed * speed
        });
        wheels.sum()
    }

    /// Derivative of the energy by the length of each span.
    fn stored_tensions(&self) -> Vec<f64> {
        let slopes = self.slopes();
        let of = |s: usize| {
            let spans = self.rope.spans.iter().zip(&self.found.tension).zip(&slopes);
            let elastic: f64 =
                spans.map(|((span, tension), row)| tension / span.stiffness * row[s]).sum();
            let wheels =
                (0..self.hold_at.len()).filter(|&hold| self.mass_at(hold) > 0.0).map(|hold| {
                    let [before, behind] =
                        self.beside(hold).map(|span| span.map_or(0.0, |span| slopes[span][s]));
                    self.rim_speed(hold) * self.elapsed * (behind - before)
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
        let now = Instant::new(self, body, state, state.t);
        now.elastic() + now.kinetic()
    }

    fn of_motion(&self, body: &Body<'_>, state: &State) -> f64 {
        match self.via.iter().any(|guide| guide.moved_mass().is_some()) {
            true => Instant::new(self, body, state, state.t).kinetic(),
            false => 0.0,
        }
    }
}

impl Unstored for Route {
    fn account(&self) -> Account {
        Account::Damping
    }

    fn add_unstored(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let now = Instant::new(self, body, state, state.t);
        let stored = now.stored_tensions();
        now.pull(body.model, |span| now.tension(span) - stored[span], f);
    }
}

/// Work of moving guides, of the feed and of a motor between two states.
pub(super) fn work_of_holders(route: &Route, body: &Body<'_>, start: &State, end: &State) -> f64 {
    let mut work = 0.0;
    if !matches!(Force::extent(route), Extent::Still) {
        let energy = |state: &State, t: f64| {
            let now = Instant::new(route, body, state, t);
            now.elastic() + now.kinetic()
        };
        work += 0.5
            * (energy(start, end.t) - energy(start, start.t) + energy(end, end.t)
                - energy(end, start.t));
    }
    let now = Instant::new(route, body, end, end.t);
    if let Some(motor) = now.rope.motor {
        let wound = if motor.is_first {
            now.found.moved.first().map(|way| -way)
        } else {
            now.found.moved.last().copied()
        };
        work += motor.tension * wound.unwrap_or(0.0);
    }
    work
}
