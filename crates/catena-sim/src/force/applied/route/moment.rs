//! A route at one time: its legs and arcs, its spans between pulleys that resist, and their
//! tensions.

use super::Route;
use super::list::List;
use super::memory::Memory;
use super::path::{Leg, Point, Way};
use super::tension::{Found, Hold, Motor, Rope, Span};
use crate::body::vector::{Vec3, dot, scaled, sub};
use crate::body::{Body, Model, State};

/// Shortest rest length of a part, as a share of the whole rope.
const LEAST_PART: f64 = 1e-9;

/// A route at one time.
pub(super) struct Moment<'a> {
    route: &'a Route,
    pub(super) memory: Memory,
    pub(super) points: List<Point>,
    velocities: List<Vec3>,
    nodes: List<Option<usize>>,
    pub(super) way: Way,
    /// Span of each leg.
    span_of: List<usize>,
    /// Point of each hold.
    pub(super) hold_at: List<usize>,
    pub(super) rope: Rope,
    pub(super) found: Found,
    /// Rope that was fed since the memory.
    pub(super) fed: f64,
    /// Speed at which it is fed, without a motor.
    feeding: f64,
    /// Change of the length of each span until the time of the tensions, if they are ahead of the
    /// positions.
    lead: List<f64>,
    /// Time since the memory.
    pub(super) elapsed: f64,
}

impl<'a> Moment<'a> {
    /// The route in a state. Guides that move by themselves, lengths and speeds are those of the
    /// time `t`.
    pub(super) fn new(route: &'a Route, body: &Body<'_>, state: &State, t: f64) -> Self {
        let (n, is_planar) = (body.model.nodes(), body.model.axes == 2);
        let memory = route.memory(body, state);
        let count = route.points();
        let places: List<_> = (0..count).map(|i| route.place(i)).collect();
        let (centers, velocities): (List<Vec3>, List<Vec3>) =
            places.iter().map(|place| place.at(n, state, t)).unzip();
        let point = |(i, center): (usize, Vec3)| Point {
            center,
            radius: route.guide(i).map_or(0.0, super::Guide::radius),
            side: memory.points[i].side,
        };
        let points: List<Point> = centers.into_iter().enumerate().map(point).collect();
        let way = Way::new(&points, &memory.points, is_planar);
        let nodes = places.iter().map(|place| place.node()).collect();
        let (fed, feeding) = route.fed(&memory, t);
        let elapsed = (state.t - memory.t).max(0.0);
        let (span_of, hold_at, rope) = rope_of(route, &memory, &way, fed, elapsed, t);
        let mut now = Self {
            route,
            memory,
            points,
            velocities,
            nodes,
            way,
            span_of,
            hold_at,
            found: Found::default(),
            lead: List::from_elem(0.0, rope.spans.len()),
            rope,
            fed,
            feeding,
            elapsed,
        };
        if route.is_ahead {
            now.go_ahead();
        }
        now.found = now.rope.solve();
        now
    }

    /// Lengthens the spans as far as nodes move at their speeds since the memory.
    fn go_ahead(&mut self) {
        let mut lead = std::mem::take(&mut self.lead);
        self.each_leg(|span, leg, nodes| {
            for (end, sign) in [-1.0, 1.0].into_iter().enumerate() {
                if nodes[end].is_some() {
                    let speed = dot(leg.u, self.velocities[leg.ends[end]]);
                    lead[span] += sign * self.elapsed * speed;
                }
            }
        });
        for (span, lead) in self.rope.spans.iter_mut().zip(&lead) {
            span.length += lead;
        }
        self.lead = lead;
    }

    /// Tension of each span that a linear method adds by the slopes, while it moves the nodes to
    /// where they are ahead. 0 if the tensions are those of the positions.
    pub(super) fn led(&self) -> List<f64> {
        if !self.route.is_ahead {
            return List::from_elem(0.0, self.spans());
        }
        let slopes = definite(&self.slopes());
        let of =
            |row: &Vec<f64>| row.iter().zip(&self.lead).map(|(slope, lead)| slope * lead).sum();
        slopes.iter().map(of).collect()
    }

    /// The span at the end where rope is fed.
    pub(super) fn fed_span(&self) -> usize {
        if self.route.is_fed_first() { 0 } else { self.spans() - 1 }
    }

    /// Number of spans.
    pub(super) fn spans(&self) -> usize {
        self.rope.spans.len()
    }

    /// Length of the rope along legs and arcs.
    pub(super) fn length(&self) -> f64 {
        self.rope.spans.iter().map(|span| span.length).sum()
    }

    /// Mean tension of the spring along the rope, without damping.
    fn mean(&self) -> f64 {
        let spans = self.rope.spans.iter().zip(&self.found.tension);
        spans.map(|(span, tension)| span.length * tension).sum::<f64>() / self.length()
    }

    /// Length of the rope at rest.
    pub(super) fn rest(&self) -> f64 {
        self.rope.spans.iter().map(|span| span.rest).sum()
    }

    /// Mean rate of strain along the rope, (ℓ' - Σ u' ℓ/u)/l with the rates u' at which the spans
    /// gain rope. The speed of a sliding rope is that of the last step.
    fn strain_rate(&self) -> f64 {
        let longer = self.way.legs.iter().map(|leg| {
            let [a, b] = leg.ends.map(|i| self.velocities[i]);
            dot(leg.u, sub(b, a))
        });
        let mut rate = longer.sum::<f64>();
        for (hold, &i) in self.hold_at.iter().enumerate() {
            let is_tight = self.rope.holds[hold].ratio == f64::INFINITY;
            let speed = if is_tight { self.rim_speed(hold) } else { self.memory.points[i].passing };
            let [before, behind] =
                self.beside(hold).map(|span| span.map_or(0.0, |span| self.stretch(span)));
            rate -= speed * (behind - before);
        }
        rate -= self.feeding * self.stretch(self.fed_span());
        rate / self.rest() / (1.0 + self.yielding())
    }

    /// Length of a span relative to that at rest.
    pub(super) fn stretch(&self, span: usize) -> f64 {
        self.rope.spans[span].length / self.rope.rest_after(span, &self.found)
    }

    /// Share by which a motor's drum follows the damping of the rope within the step, as the
    /// implicit Euler method has it; 0 without a motor.
    fn yielding(&self) -> f64 {
        let Some(motor) = self.rope.motor else { return 0.0 };
        let last = self.rope.holds.len().saturating_sub(1);
        let hold = if motor.is_first { 0 } else { last };
        let mass = self.mass_at(hold);
        let span = if motor.is_first { 0 } else { self.spans() - 1 };
        match mass > 0.0 && self.found.tension[span] > 0.0 {
            true => {
                let share = self.found.tension[span] / self.mean();
                self.elapsed * share * self.route.damping / self.rest() / mass
            }
            false => 0.0,
        }
    }

    /// Tension of a span with damping, which keeps the ratios of the tensions.
    pub(super) fn tension(&self, span: usize) -> f64 {
        let tension = self.found.tension[span];
        if self.route.damping == 0.0 || tension == 0.0 {
            return tension;
        }
        let share = self.route.damping * self.strain_rate() / self.mean();
        tension * (1.0 + share).max(0.0)
    }

    /// Derivative of the tension of each span by the rate of length of the whole rope.
    pub(super) fn damping_slope(&self) -> Vec<f64> {
        let (damping, mean) = (self.route.damping, self.mean());
        let rest = self.rest() * (1.0 + self.yielding());
        let of = |tension: &f64| {
            if damping == 0.0 || *tension == 0.0 { 0.0 } else { tension / mean * damping / rest }
        };
        self.found.tension.iter().map(of).collect()
    }

    /// ∂T_i/∂ℓ_j of the spring.
    pub(super) fn slopes(&self) -> Vec<Vec<f64>> {
        self.rope.slopes(&self.found)
    }

    /// Passes each leg with its span and the nodes at its ends.
    pub(super) fn each_leg(&self, mut take: impl FnMut(usize, &Leg, [Option<usize>; 2])) {
        for (leg, &span) in self.way.legs.iter().zip(&self.span_of) {
            take(span, leg, leg.ends.map(|i| self.nodes[i]));
        }
    }

    /// Adds a tension of each span to the forces on nodes.
    pub(super) fn pull(&self, model: &Model, of: impl Fn(usize) -> f64, f: &mut [f64]) {
        let n = model.nodes();
        let tensions: List<f64> = (0..self.spans()).map(of).collect();
        self.each_leg(|span, leg, nodes| {
            for (node, sign) in nodes.into_iter().zip([1.0, -1.0]) {
                let Some(node) = node else { continue };
                for (axis, component) in leg.u.iter().enumerate().take(model.axes) {
                    f[axis * n + node] += sign * tensions[span] * component;
                }
            }
        });
    }

    /// Gradient of the length of each span by the positions of nodes.
    pub(super) fn gradients(&self) -> Vec<Vec<(usize, Vec3)>> {
        let mut all: Vec<Vec<(usize, Vec3)>> = vec![Vec::new(); self.spans()];
        self.each_leg(|span, leg, nodes| {
            for (node, sign) in nodes.into_iter().zip([-1.0, 1.0]) {
                all[span].extend(node.map(|node| (node, scaled(leg.u, sign))));
            }
        });
        all
    }

    /// Speed of the rim of each hold's wheel at the end of the time since the memory.
    pub(super) fn rim_speed(&self, hold: usize) -> f64 {
        let own = &self.memory.points[self.hold_at[hold]];
        if self.elapsed == 0.0 {
            return own.speed;
        }
        own.speed + self.rope.holds[hold].gain * self.pull_on(hold) / self.elapsed
    }

    /// Speed of the rim of each hold's wheel, with damping.
    pub(super) fn wheel_speed(&self, hold: usize) -> f64 {
        let speed = self.rim_speed(hold);
        if self.elapsed == 0.0 {
            return speed;
        }
        speed + self.rope.holds[hold].gain / self.elapsed * self.damping_on(hold)
    }

    /// Mass of the rim of a hold's wheel, I/r²; 0 for a bollard.
    pub(super) fn mass_at(&self, hold: usize) -> f64 {
        let guide = self.route.guide(self.hold_at[hold]);
        guide.and_then(super::Guide::moved_mass).unwrap_or(0.0)
    }

    /// Difference of the tensions behind and before a hold.
    pub(super) fn pull_on(&self, hold: usize) -> f64 {
        let [before, behind] = self.beside(hold);
        let motor = self.rope.motor.map_or(0.0, |motor| motor.tension);
        let of = |span: Option<usize>| span.map_or(motor, |span| self.found.tension[span]);
        of(behind) - of(before)
    }

    /// Difference of the tensions behind and before a hold by damping.
    pub(super) fn damping_on(&self, hold: usize) -> f64 {
        let of = |span: usize| self.tension(span) - self.found.tension[span];
        let [before, behind] = self.beside(hold).map(|span| span.map_or(0.0, of));
        behind - before
    }

    /// Way of the rim of a hold's wheel since the memory; 0 for a bollard.
    pub(super) fn rim_way(&self, hold: usize) -> f64 {
        let Hold { way, gain, .. } = self.rope.holds[hold];
        way + gain * self.pull_on(hold)
    }

    /// Spans before and behind a hold; `None` for the motor.
    pub(super) fn beside(&self, hold: usize) -> [Option<usize>; 2] {
        self.rope.beside(hold)
    }

    /// The memory at this time.
    pub(super) fn remembered(&self, t: f64) -> Memory {
        let mut next = self.memory.clone();
        next.t = t;
        self.divide_rest(&mut next);
        // Rope that has passed each point, for wheels that turn with it.
        let mut passed = if self.route.is_fed_first() { self.fed } else { 0.0 };
        for i in 0..self.points.len() {
            let own = &mut next.points[i];
            (own.enters, own.turned) = (self.way.before[i], self.way.turned[i]);
            own.rolled += passed;
            if let (Some(now), Some(before)) = (next.rest.get(i), self.memory.rest.get(i)) {
                passed += before - now;
            }
        }
        for (hold, &i) in self.hold_at.iter().enumerate() {
            let own = &mut next.points[i];
            own.speed = self.wheel_speed(hold);
            if self.elapsed > 0.0 {
                own.passing = self.found.moved[hold] / self.elapsed;
                own.slid = self.found.slides(hold);
            }
            own.rolled = self.memory.points[i].rolled + self.rim_way(hold);
        }
        self.refer_lifted(&mut next);
        next
    }

    /// Divides the rest length of each span among its parts by their lengths.
    fn divide_rest(&self, next: &mut Memory) {
        for span in 0..self.spans() {
            let Span { length, .. } = self.rope.spans[span];
            let rest = self.rope.rest_after(span, &self.found);
            let legs = self.way.legs.iter().zip(&self.span_of).filter(|(_, own)| **own == span);
            for (leg, _) in legs {
                let parts = leg.ends[0]..leg.ends[1];
                let share = leg.length / (length * parts.len() as f64);
                next.rest[parts].fill(rest * share);
            }
        }
    }

    /// Gives pulleys that the rope does not touch the direction of the leg that passes them.
    fn refer_lifted(&self, next: &mut Memory) {
        for leg in &self.way.legs {
            for i in leg.ends[0] + 1..leg.ends[1] {
                let own = &mut next.points[i];
                (own.reference, own.enters, own.turned) = (leg.angle, 0.0, 0.0);
            }
        }
    }
}

impl Route {
    /// Resistance at a point; `None` where the rope runs freely.
    fn hold(&self, memory: &Memory, point: usize, elapsed: f64) -> Option<Hold> {
        let guide = self.guide(point)?;
        if self.is_balanced {
            // The rope takes the tension of a motor, whatever its length.
            let free = Hold { ratio: 1.0, way: 0.0, gain: 0.0, slid: 0.0 };
            return guide.torque().map(|_| free);
        }
        let (mass, friction) = (guide.moved_mass(), guide.friction());
        if mass.is_none() && (friction == 0.0 || friction == f64::INFINITY) {
            return None;
        }
        let own = &memory.points[point];
        let ratio = match friction {
            f64::INFINITY => f64::INFINITY,
            friction => libm::exp(friction * own.turned.max(0.0)),
        };
        let turning = |mass: f64| (own.speed * elapsed, elapsed * elapsed / mass);
        let (way, gain) = mass.map_or((0.0, 0.0), turning);
        Some(Hold { ratio, way, gain, slid: own.slid })
    }

    /// Rope that is fed between the memory and a time, and the speed of feeding then.
    fn fed(&self, memory: &Memory, t: f64) -> (f64, f64) {
        if let Some(speed) = &self.speed {
            if self.is_balanced {
                return (speed.sum_between(memory.t, t), speed.at(t).0);
            }
            let way = t - memory.t;
            return (speed.at(memory.t + 0.5 * way).0 * way, speed.at(t).0);
        }
        match &self.length {
            Some(length) if !length.is_constant() => {
                let (length, rate) = length.at(t);
                (length - memory.rest.iter().sum::<f64>(), rate)
            }
            _ => (0.0, 0.0),
        }
    }
}

/// Slopes as a definite matrix: symmetric by geometric means, without negative entries.
pub(super) fn definite(slopes: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let entry = |s: usize, r: usize| (slopes[s][r].max(0.0) * slopes[r][s].max(0.0)).sqrt();
    (0..slopes.len()).map(|s| (0..slopes.len()).map(|r| entry(s, r)).collect()).collect()
}

/// Span of each leg, point of each hold, and the rope of spans and holds.
fn rope_of(
    route: &Route,
    memory: &Memory,
    way: &Way,
    fed: f64,
    elapsed: f64,
    t: f64,
) -> (List<usize>, List<usize>, Rope) {
    let hold_of = |i: usize| route.hold(memory, i, elapsed);
    let whole: f64 = memory.rest.iter().sum();
    let (mut spans, mut span_of) = (List::<Span>::new(), List::new());
    let (mut holds, mut hold_at) = (List::new(), List::new());
    for (k, leg) in way.legs.iter().enumerate() {
        let rest: f64 = memory.rest[leg.ends[0]..leg.ends[1]].iter().sum();
        let hold = if k > 0 { hold_of(leg.ends[0]) } else { None };
        match (hold, spans.last_mut()) {
            (None, Some(last)) => {
                last.length += leg.length;
                last.rest += rest;
            }
            (hold, _) => {
                hold_at.extend(hold.map(|_| leg.ends[0]));
                holds.extend(hold);
                spans.push(Span { length: leg.length, rest });
            }
        }
        span_of.push(spans.len() - 1);
    }
    let is_first = route.is_fed_first();
    if let Some(span) = if is_first { spans.first_mut() } else { spans.last_mut() } {
        span.rest += fed;
    }
    for span in &mut spans {
        span.rest = span.rest.max(LEAST_PART * whole);
    }
    let motor = route.motor().and_then(|drum| Some((drum, drum.torque()?)));
    let motor = motor.map(|(drum, torque)| {
        let at = if is_first { 0 } else { route.points() - 1 };
        if let Some(hold) = hold_of(at) {
            let place = if is_first { 0 } else { holds.len() };
            holds.insert(place, hold);
            hold_at.insert(place, at);
        }
        Motor { tension: torque.at(t).0 / drum.radius(), is_first }
    });
    let (axial, least) = (route.axial, LEAST_PART * whole);
    (span_of, hold_at, Rope { spans, axial, least, holds, motor })
}
