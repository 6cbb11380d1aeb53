//! A route at one time: its legs and arcs, its spans between pulleys that resist, and their
//! tensions.

use super::Route;
use super::memory::{Edit, KnownLeg, Marks, Memory};
use super::path::{Leg, List, RoutePath, RoutePoint};
use super::tension::{FoundTension, Hold, Motor, Rope, RouteSpan};
use crate::body::vector::{Vec3, dot, scaled, sub};
use crate::body::{Body, Model, State};

/// Minimum strain at which a winch without `pull` slips while a part is at its stop.
pub(crate) const MIN_STRAIN: f64 = 0.01;

/// Minimum rest length of a part, as a share of the whole rope.
const MIN_PART: f64 = 1e-9;

/// Minimum length of missing rope for which a winch counts as lagging, as a share of the whole
/// rope.
const LAG: f64 = 1e-9;

/// A route at one time. Its lists are filled in place, because moving them would take a large share
/// of the time of an evaluation.
pub(super) struct RouteMoment<'a> {
    pub(super) route: &'a Route,
    pub(super) memory: Memory<'a>,
    pub(super) is_planar: bool,
    pub(super) points: List<RoutePoint>,
    pub(super) velocities: List<Vec3>,
    pub(super) nodes: List<Option<usize>>,
    pub(super) path: RoutePath,
    /// Span of each leg.
    span_of: List<usize>,
    /// Point of each hold.
    pub(super) hold_at: List<usize>,
    pub(super) rope: Rope,
    pub(super) found: FoundTension,
    /// Length of rope that was fed since the last update of the memory.
    pub(super) fed: f64,
    /// Speed at which rope is fed; 0 with a motor.
    feeding: f64,
    /// Whether the winch slips.
    is_slipping: bool,
    /// Change of each span's length between the time of the positions and the time of the tensions;
    /// 0 if both are the same.
    lead: List<f64>,
    /// Time since the last update of the memory.
    pub(super) elapsed: f64,
    /// Relative increase of the tensions by damping.
    damped: f64,
}

impl<'a> RouteMoment<'a> {
    /// Evaluates the route in a state. Guides along curves, lengths and speeds are taken at the
    /// time `t`.
    pub(super) fn new(route: &'a Route, body: &Body<'a>, state: &State, t: f64) -> Self {
        let memory = route.memory(body, state);
        let elapsed = (state.t - memory.t()).max(0.0);
        let mut now = Self {
            route,
            memory,
            is_planar: body.model.axes == 2,
            points: List::new(),
            velocities: List::new(),
            nodes: List::new(),
            path: RoutePath::default(),
            span_of: List::new(),
            hold_at: List::new(),
            rope: Rope {
                spans: List::new(),
                axial: route.axial,
                minimum: 0.0,
                holds: List::new(),
                motor: None,
            },
            found: FoundTension::default(),
            fed: 0.0,
            feeding: 0.0,
            is_slipping: false,
            lead: List::new(),
            elapsed,
            damped: 0.0,
        };
        now.place(body.model.nodes(), state, t);
        now.path.find(&now.points, &now.memory, now.is_planar);
        now.divide();
        now.feed(t);
        now.connect_motor(t);
        now.lead.resize(now.spans(), 0.0);
        if route.is_ahead {
            now.go_ahead();
        }
        now.rope.solve(&mut now.found);
        now.damped = now.damping_share();
        now
    }

    /// Finds the positions and velocities of the points.
    fn place(&mut self, n: usize, state: &State, t: f64) {
        for i in 0..self.route.points() {
            let place = self.route.place(i);
            let (center, velocity) = place.at(n, state, t);
            let guide = self.route.guide(i);
            let radius = guide.map_or(0.0, super::Guide::radius);
            let is_free = radius == 0.0 && guide.is_none_or(|guide| guide.friction() == 0.0);
            let side = self.memory.point(i).side;
            self.points.push(RoutePoint { center, radius, side, is_free });
            self.velocities.push(velocity);
            self.nodes.push(place.node());
        }
    }

    /// Divides the legs into spans between pulleys that resist.
    fn divide(&mut self) {
        let rest = self.memory.rest();
        let total: f64 = rest.iter().sum();
        self.rope.minimum = MIN_PART * total;
        for (k, leg) in self.path.legs.iter().enumerate() {
            let rest: f64 = rest[leg.ends[0]..leg.ends[1]].iter().sum();
            let hold = match k {
                0 => None,
                _ => self.route.hold(&self.memory, leg.ends[0], self.elapsed),
            };
            match (hold, self.rope.spans.last_mut()) {
                (None, Some(last)) => {
                    last.length += leg.length;
                    last.rest += rest;
                }
                (hold, _) => {
                    self.hold_at.extend(hold.map(|_| leg.ends[0]));
                    self.rope.holds.extend(hold);
                    self.rope.spans.push(RouteSpan { length: leg.length, rest });
                }
            }
            self.span_of.push(self.rope.spans.len() - 1);
        }
    }

    /// Feeds rope, unless the winch slips.
    fn feed(&mut self, t: f64) {
        (self.fed, self.feeding) = self.route.fed(&self.memory, t);
        let marks = self.memory.marks();
        // A winch that has slipped catches up with the pull that it has at a stop.
        let lags = self.fed < self.feeding * self.elapsed && marks.slipped.is_some();
        let held = if lags { marks.held.max(MIN_STRAIN) } else { marks.held };
        let reels_in = self.fed < 0.0 || self.feeding < 0.0;
        if let Some(pull) = self.route.most_pull(held).filter(|_| reels_in) {
            self.slip(pull);
        }
        let (at, minimum) = (self.fed_span(), self.rope.minimum);
        self.rope.spans[at].rest += self.fed;
        self.rope.spans.iter_mut().for_each(|span| span.rest = span.rest.max(minimum));
    }

    /// Limits the speed f of reeling in, so that the tension at the end of the time is at most
    /// `pull`. The tension is T + f (EA ℓ τ/u² + c ℓ/(u l)), with the tension T for f = 0.
    fn slip(&mut self, pull: f64) {
        let RouteSpan { length, rest } = self.rope.spans[self.fed_span()];
        let total: f64 = self.rope.spans.iter().map(|span| span.rest).sum();
        let (axial, damping) = (self.route.axial, self.route.damping);
        let still = axial * (length - rest) / rest + damping * self.lengthening() / total;
        let by_speed = length / rest * (axial * self.elapsed / rest + damping / total);
        let room = (pull - still).max(0.0);
        if self.elapsed == 0.0 {
            // No rope is fed yet, but damping depends on the speed. A winch that lags reels in at
            // the maximum speed.
            let lags = self.fed < -LAG * total;
            self.fed = 0.0;
            if lags || by_speed * -self.feeding > room {
                self.feeding = if by_speed > 0.0 { -room / by_speed } else { 0.0 };
            }
        } else if by_speed * -self.fed > room * self.elapsed {
            let speed = room / by_speed;
            (self.fed, self.feeding) = (-speed * self.elapsed, -speed);
            self.is_slipping = true;
        }
    }

    /// Rate of change of the path's length by the velocities of its points.
    fn lengthening(&self) -> f64 {
        let longer = self.path.legs.iter().map(|leg| {
            let [a, b] = leg.ends.map(|i| self.velocities[i]);
            dot(leg.u, sub(b, a))
        });
        longer.sum()
    }

    /// Connects the motor of a drum.
    fn connect_motor(&mut self, t: f64) {
        let Some((drum, torque)) = self.route.motor().and_then(|one| Some((one, one.torque()?)))
        else {
            return;
        };
        let is_first = self.route.is_fed_first();
        let at = if is_first { 0 } else { self.route.points() - 1 };
        if let Some(hold) = self.route.hold(&self.memory, at, self.elapsed) {
            let place = if is_first { 0 } else { self.rope.holds.len() };
            self.rope.holds.insert(place, hold);
            self.hold_at.insert(place, at);
        }
        let tension = torque.at(t).0 / drum.radius();
        if let ([span], true) = (&mut self.rope.spans[..], self.route.is_balanced) {
            // The rope has the tension of the motor at every distance of the nodes: the drum winds
            // up the excess.
            span.rest = (span.length * self.rope.axial / (self.rope.axial + tension.max(0.0)))
                .max(self.rope.minimum);
        }
        self.rope.motor = Some(Motor { tension, is_first });
    }

    /// Lengthens each span by the displacement of its nodes, at their velocities, since the last
    /// update.
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

    /// Tension of each span that a linear method adds through the slopes when it moves the nodes
    /// ahead. 0 if the tensions belong to the current positions.
    pub(super) fn led(&self) -> List<f64> {
        if !self.route.is_ahead {
            return List::from_elem(0.0, self.spans());
        }
        let slopes = definite(&self.slopes());
        let of =
            |row: &Vec<f64>| row.iter().zip(&self.lead).map(|(slope, lead)| slope * lead).sum();
        slopes.iter().map(of).collect()
    }

    /// Index of the span at the end where rope is fed.
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

    /// Mean tension along the rope, without damping.
    fn mean(&self) -> f64 {
        let spans = self.rope.spans.iter().zip(&self.found.tension);
        spans.map(|(span, tension)| span.length * tension).sum::<f64>() / self.length()
    }

    /// Rest length of the rope.
    pub(super) fn rest(&self) -> f64 {
        self.rope.spans.iter().map(|span| span.rest).sum()
    }

    /// Mean rate of strain along the rope, (ℓ' - Σ u' ℓ/u)/l. The spans gain rope at the rates u'.
    /// For sliding rope, the speed of the last step is used.
    fn strain_rate(&self) -> f64 {
        let mut rate = self.lengthening();
        for (hold, &i) in self.hold_at.iter().enumerate() {
            let is_tight = self.rope.holds[hold].ratio == f64::INFINITY;
            let speed = if is_tight { self.rim_speed(hold) } else { self.memory.point(i).passing };
            let [before, after] =
                self.spans_around(hold).map(|span| span.map_or(0.0, |span| self.stretch(span)));
            rate -= speed * (after - before);
        }
        rate -= self.feeding * self.stretch(self.fed_span());
        rate / self.rest() / (1.0 + self.yielding())
    }

    /// Length of a span relative to its rest length.
    pub(super) fn stretch(&self, span: usize) -> f64 {
        self.rope.spans[span].length / self.rope.rest_after(span, &self.found)
    }

    /// Relative amount by which a motor's drum yields to the damping of the rope within the step,
    /// by the implicit Euler method; 0 if there is no motor.
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

    /// Relative increase of the tensions by damping.
    fn damping_share(&self) -> f64 {
        let mean = if self.route.damping == 0.0 { 0.0 } else { self.mean() };
        if mean == 0.0 { 0.0 } else { self.route.damping * self.strain_rate() / mean }
    }

    /// Tension of a span with damping. Damping does not change the ratios of the tensions.
    pub(super) fn tension(&self, span: usize) -> f64 {
        let tension = self.found.tension[span];
        if self.route.damping == 0.0 || tension == 0.0 {
            return tension;
        }
        tension * (1.0 + self.damped).max(0.0)
    }

    /// Derivative of each span's tension with respect to the rate at which the whole rope's length
    /// changes.
    pub(super) fn damping_slope(&self) -> Vec<f64> {
        let (damping, mean) = (self.route.damping, self.mean());
        let rest = self.rest() * (1.0 + self.yielding());
        let of = |tension: &f64| {
            if damping == 0.0 || *tension == 0.0 { 0.0 } else { tension / mean * damping / rest }
        };
        self.found.tension.iter().map(of).collect()
    }

    /// Derivatives ∂T_i/∂ℓ_j of the tensions with respect to the lengths, without damping.
    pub(super) fn slopes(&self) -> Vec<Vec<f64>> {
        self.rope.slopes(&self.found)
    }

    /// Passes each leg, with its span and the nodes at its ends, to `take`.
    pub(super) fn each_leg(&self, mut take: impl FnMut(usize, &Leg, [Option<usize>; 2])) {
        for (leg, &span) in self.path.legs.iter().zip(&self.span_of) {
            take(span, leg, leg.ends.map(|i| self.nodes[i]));
        }
    }

    /// Adds the forces on nodes to `f`, for the tension `of` each span.
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

    /// Gradient of each span's length with respect to node positions.
    pub(super) fn gradients(&self) -> Vec<Vec<(usize, Vec3)>> {
        let mut all: Vec<Vec<(usize, Vec3)>> = vec![Vec::new(); self.spans()];
        self.each_leg(|span, leg, nodes| {
            for (node, sign) in nodes.into_iter().zip([-1.0, 1.0]) {
                all[span].extend(node.map(|node| (node, scaled(leg.u, sign))));
            }
        });
        all
    }

    /// Speed of the rim of a hold's wheel at the time of the state, without damping.
    pub(super) fn rim_speed(&self, hold: usize) -> f64 {
        let own = self.memory.point(self.hold_at[hold]);
        if self.elapsed == 0.0 {
            return own.speed;
        }
        own.speed + self.rope.holds[hold].gain * self.pull_on(hold) / self.elapsed
    }

    /// Speed of the rim of a hold's wheel at the time of the state, with damping.
    pub(super) fn wheel_speed(&self, hold: usize) -> f64 {
        let speed = self.rim_speed(hold);
        if self.elapsed == 0.0 {
            return speed;
        }
        speed + self.rope.holds[hold].gain / self.elapsed * self.damping_on(hold)
    }

    /// Effective mass I/r² at the rim of a hold's wheel; 0 for a bollard.
    pub(super) fn mass_at(&self, hold: usize) -> f64 {
        let guide = self.route.guide(self.hold_at[hold]);
        guide.and_then(super::Guide::moved_mass).unwrap_or(0.0)
    }

    /// Tension after a hold minus the tension before it, without damping.
    pub(super) fn pull_on(&self, hold: usize) -> f64 {
        let [before, after] = self.spans_around(hold);
        let motor = self.rope.motor.map_or(0.0, |motor| motor.tension);
        let of = |span: Option<usize>| span.map_or(motor, |span| self.found.tension[span]);
        of(after) - of(before)
    }

    /// Tension after a hold minus the tension before it, the part by damping.
    pub(super) fn damping_on(&self, hold: usize) -> f64 {
        let of = |span: usize| self.tension(span) - self.found.tension[span];
        let [before, after] = self.spans_around(hold).map(|span| span.map_or(0.0, of));
        after - before
    }

    /// Path of the rim of a hold's wheel since the last update of the memory; 0 for a bollard.
    pub(super) fn rim_displacement(&self, hold: usize) -> f64 {
        let Hold { displacement, gain, .. } = self.rope.holds[hold];
        displacement + gain * self.pull_on(hold)
    }

    /// Indices of the spans before and after a hold; `None` for the motor.
    pub(super) fn spans_around(&self, hold: usize) -> [Option<usize>; 2] {
        self.rope.spans_around(hold)
    }

    /// Updates the memory from the last update to the time `t`. Returns whether a part is too short
    /// and its node must stop.
    pub(super) fn remember(&self, t: f64, next: &mut Edit<'_>) -> bool {
        next.set_time(t);
        self.divide_rest(next);
        // Length of rope that has passed the current point, for wheels that turn with the rope.
        let mut passed = if self.route.is_fed_first() { self.fed } else { 0.0 };
        for (i, point) in self.points.iter().enumerate() {
            next.change(i, |own| {
                (own.enters, own.turned) = (self.path.before[i], self.path.turned[i]);
                own.rolled += passed;
            });
            if let (Some(now), Some(before)) = (next.rest().get(i), self.memory.rest().get(i)) {
                passed += before - now;
            }
            next.set_leg(i, point.center, &KnownLeg::default());
        }
        for (hold, &i) in self.hold_at.iter().enumerate() {
            next.change(i, |own| {
                own.speed = self.wheel_speed(hold);
                if self.elapsed > 0.0 {
                    own.passing = self.found.moved[hold] / self.elapsed;
                    own.slid = self.found.slides(hold);
                }
                own.rolled = self.memory.point(i).rolled + self.rim_displacement(hold);
            });
        }
        self.remember_legs(next);
        let is_stopped = self.remember_stops(next);
        next.set_marks(&self.marks(t, is_stopped));
        self.path.legs.iter().any(|leg| self.is_short(leg))
    }

    /// Returns the records of the route at the time `t`.
    fn marks(&self, t: f64, is_stopped: bool) -> Marks {
        let mut marks = self.memory.marks();
        marks.strain = self.length() / self.rest() - 1.0;
        marks.held = match (is_stopped, marks.held > 0.0) {
            (false, _) => 0.0,
            (true, true) => marks.held,
            (true, false) => marks.strain.max(MIN_STRAIN),
        };
        if is_stopped {
            marks.stopped = marks.stopped.or(Some(t));
        }
        if self.is_slipping {
            marks.slipped = marks.slipped.or(Some(t));
        }
        marks.is_lost |= self.found.is_open || self.path.is_lost(&self.points, self.is_planar);
        marks
    }

    /// Divides the rest length of each span among its parts by their lengths.
    fn divide_rest(&self, next: &mut Edit<'_>) {
        for (leg, &span) in self.path.legs.iter().zip(&self.span_of) {
            let RouteSpan { length, .. } = self.rope.spans[span];
            let rest = self.rope.rest_after(span, &self.found);
            let parts = leg.ends[0]..leg.ends[1];
            let share = leg.length / (length * parts.len() as f64);
            next.rest()[parts].fill(rest * share);
        }
    }

    /// Stores legs between neighbouring points in the plane. A pulley that the rope does not touch
    /// stores the direction of the leg that passes it.
    fn remember_legs(&self, next: &mut Edit<'_>) {
        for leg in &self.path.legs {
            let Leg { ends, u, angle, straight, .. } = *leg;
            if self.is_planar && ends[1] == ends[0] + 1 {
                let known = KnownLeg { u, angle, straight };
                next.set_leg(ends[0], self.points[ends[0]].center, &known);
            }
            for i in ends[0] + 1..ends[1] {
                next.change(i, |own| {
                    (own.reference, own.enters, own.turned) = (angle, 0.0, 0.0);
                });
            }
        }
    }
}

impl Route {
    /// Returns the resistance at a point; `None` if the rope runs freely there.
    fn hold(&self, memory: &Memory<'_>, point: usize, elapsed: f64) -> Option<Hold> {
        let guide = self.guide(point)?;
        if self.is_balanced {
            // The rope has the tension of the motor at every length.
            let free = Hold { ratio: 1.0, displacement: 0.0, gain: 0.0, slid: 0.0 };
            return guide.torque().map(|_| free);
        }
        let (mass, friction) = (guide.moved_mass(), guide.friction());
        if mass.is_none() && (friction == 0.0 || friction == f64::INFINITY) {
            return None;
        }
        let own = memory.point(point);
        let ratio = match friction {
            f64::INFINITY => f64::INFINITY,
            friction => libm::exp(friction * own.turned.max(0.0)),
        };
        let turning = |mass: f64| (own.speed * elapsed, elapsed * elapsed / mass);
        let (displacement, gain) = mass.map_or((0.0, 0.0), turning);
        Some(Hold { ratio, displacement, gain, slid: own.slid })
    }

    /// Returns the length of rope that is fed between the last update and a time, and the speed of
    /// feeding at that time.
    fn fed(&self, memory: &Memory<'_>, t: f64) -> (f64, f64) {
        if let Some(speed) = &self.speed {
            let fed = match self.is_balanced {
                true => speed.long_integral(memory.t(), t),
                false => speed.integral(memory.t(), t),
            };
            return (fed, speed.at(t).0);
        }
        match &self.length {
            Some(length) if !length.is_constant() => {
                let (length, rate) = length.at(t);
                (length - memory.rest().iter().sum::<f64>(), rate)
            }
            _ => (0.0, 0.0),
        }
    }
}

/// Returns a symmetric approximation of the slopes, for positive definite matrices. Each entry is
/// the geometric mean of the two transposed entries; negative entries count as 0.
///
/// The result is positive semidefinite. With T = EA (ℓ - u)/u, the slopes of taut spans are
/// W K⁻¹ Vᵀ E. Spans that are joined by sliding rope form a group: V has 1 for the group of each
/// span, W the ratio of its tension to that of the group. E is diagonal and positive. K is
/// tridiagonal in the groups: its off-diagonal entries are at most 0, and each diagonal entry is
/// above the sum of their sizes in its column. Hence K = D K' D⁻¹ with a diagonal D and a
/// symmetric K', whose inverse is positive definite and has no negative entries. The geometric
/// means of the slopes are the entries of (WE)^½ V K'⁻¹ Vᵀ (WE)^½.
pub(super) fn definite(slopes: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let entry = |s: usize, r: usize| (slopes[s][r].max(0.0) * slopes[r][s].max(0.0)).sqrt();
    (0..slopes.len()).map(|s| (0..slopes.len()).map(|r| entry(s, r)).collect()).collect()
}
