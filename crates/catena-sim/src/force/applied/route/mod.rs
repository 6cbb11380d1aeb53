//! A rope that runs over pulleys, through rings and onto drums, with nodes at its ends alone.
//!
//! The whole route is one massless spring: its tension EA (ℓ - l)/l follows from the length ℓ along
//! the path and the rest length l. The tension of a slack rope is 0. Pulleys may resist, by
//! friction or inertia. The parts between such pulleys then have different tensions ([`tension`]).
//! The rest length may follow keys, a speed of paying out, or a motor with a torque on a drum. A
//! node stops before a guide ([`stop`]). Each file of the folder adds methods for one subject to
//! `Route`, for example its start, its stops, or its shape for pictures.
//!
//! Sources: Todorov, "MuJoCo: spatial tendons", 2012; Müller et al. 2018, "Cable joints".

mod amount;
mod begin;
mod energy;
mod given;
mod guide;
mod memory;
mod moment;
mod path;
mod shown;
mod stop;
mod tension;

pub use amount::Amount;
pub use given::Giver;
pub use guide::{Guide, Turn};
pub use shown::{ShownRoute, ShownWheel};
pub use stop::LegStop;

use super::AppliedForce;
use crate::body::vector::{Vec3, add};
use crate::body::{Body, Model, SpringMemory, State};
use crate::budget::{Bill, Item};
use crate::drive::track::Extent;
use crate::force::applied::route::moment::MIN_STRAIN;
use crate::force::jacobian::{Entry, directional};
use crate::force::{AtRest, Blocks, Force, ForceEnergy};
use crate::named::{BadOption, BadSetup, Info, OptionInfo, OptionKind};
use memory::{Edit, Marks, Memory};
use moment::RouteMoment;
use serde::Deserialize;
use std::sync::Arc;

/// Minimum rest length of a rope.
const MIN_LENGTH: f64 = 1e-100;

/// A route and its rope.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Route {
    /// Node at the start; with `None`, the route starts at its first guide.
    #[serde(default)]
    pub from: Option<usize>,
    /// Guides in the order of the route.
    #[serde(default)]
    pub via: Vec<Guide>,
    /// Node at the end; with `None`, the route ends at its last guide.
    #[serde(default)]
    pub to: Option<usize>,
    /// Axial stiffness EA of the rope, force.
    pub axial: f64,
    /// Rest length of the whole rope; `None` takes the length of the route at the start.
    #[serde(default)]
    pub length: Option<Amount>,
    /// Speed at which the rope is paid out; below 0 it is reeled in.
    #[serde(default)]
    pub speed: Option<Amount>,
    /// Tension per rate of strain, force·time.
    #[serde(default)]
    pub damping: f64,
    /// Minimum length of a straight part between a node and a guide, where the node stops. `None`
    /// takes a tenth of the radii at its ends, or a thousandth of the rope if both are 0.
    #[serde(default)]
    pub stop: Option<f64>,
    /// Maximum tension at which a winch with a length or a speed reels in. With `None`, the limit
    /// is the tension of the rope when a part reached its stop.
    #[serde(default)]
    pub pull: Option<f64>,
    /// Distance of the route's memory from the end of the memory of all forces; set by the builder.
    #[serde(skip)]
    pub from_end: usize,
    /// Whether tensions are computed for the time of a state although its positions are older: see
    /// [`Force::ahead`].
    #[serde(skip)]
    pub is_ahead: bool,
    /// Whether no guide resists, for the balance of forces: see [`Route::running_freely`].
    #[serde(skip)]
    pub is_balanced: bool,
}
crate::identity!(Route {
    from,
    via,
    to,
    axial,
    length,
    speed,
    damping,
    stop,
    pull,
    from_end,
    is_ahead,
    is_balanced
});

const FROM: OptionInfo = OptionInfo {
    name: "from",
    summary: "node at the start of the route; if omitted, it starts at the first guide, a Ring or \
              a Drum",
    default: OptionInfo::LEFT_OUT,
    range: OptionInfo::NODE,
    kind: OptionKind::Node,
    ..OptionInfo::PLAIN
};

const VIA: OptionInfo = OptionInfo {
    name: "via",
    summary: "guides in order: Pulley(at, radius, friction, inertia, turn), Ring(at, friction), Drum(at, radius, torque, inertia, turn); each has `at`, `along` (a curve), `node` or `bone` (with `offset`)",
    default: "[]",
    range: "a list of Pulley(…), Ring(…) and, at an end without node, Drum(…)",
    kind: OptionKind::Guides,
    ..OptionInfo::PLAIN
};

const TO: OptionInfo = OptionInfo {
    name: "to",
    summary: "node at the end of the route; if omitted, it ends at the last guide, a Ring or a \
              Drum",
    ..FROM
};

const AXIAL: OptionInfo = OptionInfo {
    name: "axial",
    summary: "stiffness EA of the rope against stretching: tension per strain",
    default: OptionInfo::NEEDED,
    range: "a number above 0, at most 1e100",
    unit: "force",
    ..OptionInfo::PLAIN
};

const LENGTH: OptionInfo = OptionInfo {
    name: "length",
    summary: "length of the rope at rest, or keys of it: [(0, 5), (2, 3)] reels in; if omitted, \
              the length of the route at the start",
    default: OptionInfo::LEFT_OUT,
    range: "a number above 0, keys with values above 0 by rising time, or Series(file: …, column: …)",
    unit: "length",
    ..OptionInfo::PLAIN
};

const SPEED: OptionInfo = OptionInfo {
    name: "speed",
    summary: "speed at which the end of the route pays out rope, below 0 to reel in, or keys of it: [(1, 0), (2, -0.5)]",
    default: OptionInfo::LEFT_OUT,
    range: "a finite number, keys by rising time, or Series(file: …, column: …), without keys for `length` and without a drum with a torque",
    unit: "length/time",
    ..OptionInfo::PLAIN
};

const DAMPING: OptionInfo = OptionInfo {
    name: "damping",
    summary: "tension per rate of strain of a taut rope",
    default: "0",
    range: "a finite number of at least 0",
    unit: "force·time",
    ..OptionInfo::PLAIN
};

const STOP: OptionInfo = OptionInfo {
    name: "stop",
    summary: "minimum straight length of rope between a node and a guide: the node stops there; if \
              omitted, a tenth of the radii at its ends, or a thousandth of the rope at a ring",
    default: OptionInfo::LEFT_OUT,
    range: "a finite number above 0",
    unit: "length",
    ..OptionInfo::PLAIN
};

const PULL: OptionInfo = OptionInfo {
    name: "pull",
    summary: "maximum tension at which a winch with a length or a speed reels in; above it, the \
              winch slips. If omitted, it slips only while a part of the rope is at its stop, at \
              the tension there or at a strain of 0.01",
    default: OptionInfo::LEFT_OUT,
    range: "a finite number above 0, beside `speed`, `length` or a Winch",
    unit: "force",
    ..OptionInfo::PLAIN
};

impl Route {
    pub(super) const INFO: Info = Info {
        name: "Route",
        summary: "rope over pulleys, through rings and onto drums, as one spring along its whole \
                  path",
        options: &[FROM, VIA, TO, AXIAL, LENGTH, SPEED, DAMPING, STOP, PULL],
    };

    /// Creates a route without ends and guides, whose rope has the axial stiffness EA.
    pub fn new(axial: f64) -> Self {
        let (from, to, length, speed) = (None, None, None, None);
        Self {
            from,
            via: Vec::new(),
            to,
            axial,
            length,
            speed,
            damping: 0.0,
            stop: None,
            pull: None,
            from_end: 0,
            is_ahead: false,
            is_balanced: false,
        }
    }

    /// Returns the route for the balance of forces: the rope runs freely over all guides, wheels
    /// turn freely, and a motor pulls with its torque.
    pub fn running_freely(&self) -> Self {
        Self { is_balanced: true, ..self.clone() }
    }

    /// Whether friction lets the tensions on the two sides of a guide differ.
    pub fn has_friction(&self) -> bool {
        let resists = |guide: &Guide| {
            let friction = guide.friction();
            !guide.is_drum() && friction > 0.0 && friction.is_finite()
        };
        self.via.iter().any(resists)
    }

    /// Whether a winch changes the length of the rope over time, without a motor.
    pub fn has_winch(&self) -> bool {
        self.speed.is_some() || self.length.as_ref().is_some_and(|length| !length.is_constant())
    }

    /// Maximum strain at which the winch reels in: the strain at the tension `pull`, or 0.01 if a
    /// part is at its stop. `None` if there is no limit.
    pub fn most_reeled(&self, is_stopped: bool) -> Option<f64> {
        let held = if is_stopped { MIN_STRAIN } else { 0.0 };
        self.most_pull(held).map(|pull| pull / self.axial)
    }

    /// Whether a drum with a torque winds the rope.
    pub fn has_motor(&self) -> bool {
        self.motor().is_some()
    }

    /// Nodes of the body on the route: the nodes at its ends, and the nodes that carry guides.
    pub fn nodes(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.points()).filter_map(|point| self.place(point).node())
    }

    /// Whether a guide or an end is not carried by a node of the body.
    pub fn is_tied(&self) -> bool {
        (0..self.points()).any(|point| self.place(point).node().is_none())
    }

    /// Number of points, ends included.
    fn points(&self) -> usize {
        self.via.len() + usize::from(self.from.is_some()) + usize::from(self.to.is_some())
    }

    /// Returns the guide at a point; `None` for an end at a node.
    fn guide(&self, point: usize) -> Option<&Guide> {
        self.via.get(point.checked_sub(usize::from(self.from.is_some()))?)
    }

    /// Whether the rope is fed at the start of the route, where the drum is.
    fn is_fed_first(&self) -> bool {
        self.guide(0).is_some_and(Guide::is_drum)
    }

    /// The drum with a motor.
    fn motor(&self) -> Option<&Guide> {
        self.via.iter().find(|guide| guide.torque().is_some())
    }

    /// Minimum rest length over all times, if the option `length` is set.
    pub(crate) fn least_length(&self) -> Option<f64> {
        self.length.as_ref().map(Amount::minimum)
    }

    /// The time range in which guides move or a motor changes.
    pub(crate) fn extent_of_guides(&self) -> Extent {
        Extent::of_all(self.via.iter().map(Guide::extent))
    }

    /// Whether the force is the gradient of its energy.
    fn is_conservative(&self) -> bool {
        self.damping == 0.0 && self.is_held()
    }

    /// Returns the route's share of the numbers of all forces.
    fn own<'m>(&self, all: &'m [f64]) -> Option<&'m [f64]> {
        let start = all.len().checked_sub(self.from_end).filter(|_| self.from_end > 0)?;
        all.get(start..start + Memory::count(self.points()))
    }

    /// Returns the route's memory. If the body has no memory, returns the memory of a route that
    /// starts in `state`.
    fn memory<'m>(&self, body: &Body<'m>, state: &State) -> Memory<'m> {
        match self.own(&body.springs.rods) {
            Some(numbers) => Memory::of(numbers, self.points()),
            None => self.begin(body.model, state),
        }
    }

    /// Returns the records of the route from the numbers of all forces.
    fn marks(&self, all: &[f64]) -> Marks {
        self.own(all).map_or_else(Marks::default, |own| Memory::of(own, self.points()).marks())
    }

    /// Time at which a part of the rope first reached its stop, if one did.
    pub fn stopped_at(&self, springs: &SpringMemory) -> Option<f64> {
        self.marks(&springs.rods).stopped
    }

    /// Time at which the winch first slipped, if it did.
    pub fn slipped_at(&self, springs: &SpringMemory) -> Option<f64> {
        self.marks(&springs.rods).slipped
    }

    /// Whether the strain of the rope exceeds a limit, or the route was lost at some time: it had
    /// no straight path between two guides, or its tensions were not found.
    pub(crate) fn is_lost(&self, springs: &SpringMemory, limit: f64) -> bool {
        let Marks { is_lost, strain, .. } = self.marks(&springs.rods);
        is_lost || strain.is_nan() || strain > limit
    }

    /// Tensions of the parts of the rope at a state, in the order of the route. One part extends
    /// between two guides that resist.
    pub fn tensions(&self, body: &Body<'_>, state: &State) -> Vec<f64> {
        let now = RouteMoment::new(self, body, state, state.t);
        (0..now.spans()).map(|span| now.tension(span)).collect()
    }

    /// Returns the length of the rope at a state along legs and arcs, its rest length, and the
    /// gradient of the length with respect to node positions.
    pub fn stretched(&self, body: &Body<'_>, state: &State) -> (f64, f64, Vec<(usize, Vec3)>) {
        let now = RouteMoment::new(self, body, state, state.t);
        let mut gradient: Vec<(usize, Vec3)> = Vec::new();
        for (node, by_x) in now.gradients().into_iter().flatten() {
            match gradient.iter_mut().find(|(known, _)| *known == node) {
                Some((_, sum)) => *sum = add(*sum, by_x),
                None => gradient.push((node, by_x)),
            }
        }
        (now.length(), now.rest(), gradient)
    }

    /// Length of the rope at a state, along legs and arcs.
    pub fn length_at(&self, body: &Body<'_>, state: &State) -> f64 {
        RouteMoment::new(self, body, state, state.t).length()
    }

    /// Rest length of the rope at the time of a state.
    pub fn rest_at(&self, body: &Body<'_>, state: &State) -> f64 {
        RouteMoment::new(self, body, state, state.t).rest()
    }
}

impl AppliedForce for Route {
    fn info(&self) -> Info {
        Self::INFO
    }
}

impl Force for Route {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let now = RouteMoment::new(self, body, state, state.t);
        let led = now.led();
        now.pull(body.model, |span| now.tension(span) - led[span], f);
    }

    /// Omits three effects: the swivelling of a pulley in space, the change of an angle of friction
    /// within a step, and the change of damping with positions.
    fn add_jacobian(&self, body: &Body<'_>, state: &State, blocks: &mut Blocks<'_>) {
        let (now, axes) = (RouteMoment::new(self, body, state, state.t), body.model.axes);
        let (mut slopes, gradients) = (now.slopes(), now.gradients());
        if blocks.is_definite() {
            slopes = moment::definite(&slopes);
        }
        let by_rate = now.damping_slope();
        for (s, of_s) in gradients.iter().enumerate() {
            for (r, by_r) in gradients.iter().enumerate() {
                let damping = match blocks.is_definite() {
                    true => (by_rate[s] * by_rate[r]).sqrt(),
                    false => by_rate[s],
                };
                for (i, of_i) in of_s {
                    for (j, by_j) in by_r {
                        let block = |factor: f64| of_i.map(|a| by_j.map(|b| -factor * a * b));
                        let (by_x, by_v) = (block(slopes[s][r]), block(damping));
                        blocks.add(&Entry { i: *i, j: *j, by_x, by_v });
                    }
                }
            }
        }
        now.each_leg(|span, leg, nodes| {
            let across = now.tension(span) / leg.straight;
            let by_x = directional(axes, &leg.u, 0.0, across);
            match nodes {
                [Some(a), Some(b)] if a != b => blocks.add_pair(a, b, by_x, [[0.0; 3]; 3]),
                [Some(node), None] | [None, Some(node)] => {
                    let by_x = by_x.map(|row| row.map(|value| -value));
                    blocks.add_own(node, by_x, [[0.0; 3]; 3]);
                }
                _ => {}
            }
        });
    }

    /// Returns the maximum pull of the motor. Without a motor it is 0, because a rope only responds
    /// to other forces.
    fn load(&self, _model: &Model) -> f64 {
        let pull = |drum: &Guide| Some(drum.torque()?.maximum() / drum.radius());
        self.motor().and_then(pull).unwrap_or(0.0)
    }

    /// Includes a share of the evaluation at the end of each step, and of the derivatives. There is
    /// one derivative per pair of guides that resist.
    fn bill(&self, _model: &Model) -> Option<Bill> {
        let holds = self.via.iter().filter(|guide| guide.resists()).count() as u64;
        let points = Bill::of(Item::RoutePoint, self.points() as u64);
        Some(points.and(Item::RouteHold, holds).and(Item::RoutePair, holds * holds))
    }

    fn jacobian_bill(&self, _model: &Model) -> Bill {
        let holds = self.via.iter().filter(|guide| guide.resists()).count() as u64;
        Bill::of(Item::RoutePoint, 2 * self.points() as u64).and(Item::RouteSlope, holds)
    }

    fn at_rest(&self) -> AtRest<'_> {
        AtRest::Other
    }

    fn energy(&self) -> ForceEnergy<'_> {
        match self.is_conservative() {
            true => ForceEnergy::Stored(self),
            false => ForceEnergy::Split(self, self),
        }
    }

    fn work_of_holders(&self, body: &Body<'_>, start: &State, end: &State) -> f64 {
        energy::work_of_holders(self, body, start, end)
    }

    fn work_within(&self, body: &Body<'_>, start: &State, end: &State) -> f64 {
        energy::work_within(self, body, start, end)
    }

    fn ahead(&self) -> Option<Arc<dyn Force>> {
        Some(Arc::new(Self { is_ahead: true, ..self.clone() }))
    }

    fn numbers(&self) -> usize {
        Memory::count(self.points())
    }

    fn first_memory(&self, body: &Body<'_>, state: &State) -> Vec<f64> {
        self.begin(body.model, state).into_numbers()
    }

    fn remember(&self, body: &Body<'_>, state: &State, memory: &mut [f64]) -> bool {
        let points = self.points();
        let start = memory.len().checked_sub(self.from_end).filter(|_| self.from_end > 0);
        let Some(own) =
            start.and_then(|start| memory.get_mut(start..start + Memory::count(points)))
        else {
            return false;
        };
        let now = RouteMoment::new(self, body, state, state.t);
        now.remember(state.t, &mut Edit::of(own, points))
    }

    fn stop(
        &self,
        body: &Body<'_>,
        state: &mut State,
        holds_lengths: bool,
        displaced: &mut Vec<usize>,
    ) {
        let first = displaced.len();
        stop::stop(self, body, state, displaced);
        let stopped = displaced[first..].to_vec();
        if holds_lengths && self.is_held() && !stopped.is_empty() {
            stop::catch(self, body, state, &stopped, displaced);
        }
    }

    fn remembering_at(&self, from_end: usize) -> Option<Arc<dyn Force>> {
        Some(Arc::new(Self { from_end, ..self.clone() }))
    }

    fn fed_at(&self, speed: f64) -> Option<Arc<dyn Force>> {
        let speed = Some(Amount::constant(speed));
        self.motor().is_none().then(|| Arc::new(Self { speed, ..self.clone() }) as Arc<dyn Force>)
    }

    fn route(&self) -> Option<&Route> {
        Some(self)
    }

    fn balanced(
        &self,
        _model: &Model,
        _initial: &State,
    ) -> Result<Option<Arc<dyn Force>>, BadSetup> {
        Ok(Some(Arc::new(self.running_freely())))
    }

    fn is_held(&self) -> bool {
        if self.is_balanced {
            return self.motor().is_none();
        }
        !self.via.iter().any(Guide::resists)
    }

    fn changes_with_time(&self) -> bool {
        !matches!(self.extent(), Extent::Still)
            || self.via.iter().any(|one| one.moved_mass().is_some())
    }

    fn extent(&self) -> Extent {
        let amounts = [&self.length, &self.speed].into_iter().flatten().map(Amount::extent);
        let is_endless = self.speed.as_ref().is_some_and(|speed| speed.at(f64::MAX).0 != 0.0);
        let endless = is_endless.then_some(Extent::Endless(0.0, 0.0));
        Extent::of_all(amounts.chain([self.extent_of_guides()]).chain(endless))
    }

    fn check(&self) -> Result<(), BadOption> {
        self.check_rope()?;
        for (index, guide) in self.via.iter().enumerate() {
            if let Some(expected) = guide.fault() {
                return Err(bad_guide(index, expected));
            }
            let point = index + usize::from(self.from.is_some());
            let is_end = point == 0 || point + 1 == self.points();
            match guide {
                Guide::Drum { .. } if !is_end => {
                    return Err(bad_guide(
                        index,
                        "a Drum at an end of the route, without node there",
                    ));
                }
                Guide::Pulley { .. } if is_end => {
                    return Err(bad_guide(
                        index,
                        "a Ring or a Drum at an end of the route, or a node in `from` or `to`",
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption> {
        FROM.check(self.from.is_none_or(|node| node < nodes))?;
        TO.check(self.to.is_none_or(|node| node < nodes))?;
        let misfit = |(index, guide): (usize, &Guide)| Some((index, guide.misfit(axes, nodes)?));
        match self.via.iter().enumerate().find_map(misfit) {
            Some((index, expected)) => Err(bad_guide(index, expected)),
            None => Ok(()),
        }
    }

    fn check_start(&self, model: &Model, initial: &State) -> Result<(), BadOption> {
        self.check_path(model, initial)
    }
}

impl Route {
    /// Checks all options except the guides.
    fn check_rope(&self) -> Result<(), BadOption> {
        AXIAL.check(self.axial > 0.0 && self.axial <= 1e100)?;
        DAMPING.check(self.damping >= 0.0 && self.damping.is_finite())?;
        let is_long = |length: &Amount| length.is_at_least(MIN_LENGTH);
        LENGTH.check(self.length.as_ref().is_none_or(is_long))?;
        let is_fine = |speed: &Amount| speed.is_at_least(-1e100);
        SPEED.check(self.speed.as_ref().is_none_or(is_fine))?;
        let is_fed = |length: &Amount| length.source().is_some() || !length.is_constant();
        let sources = [
            self.length.as_ref().is_some_and(is_fed),
            self.speed.is_some(),
            self.motor().is_some(),
        ];
        SPEED.check(sources.iter().filter(|is_given| **is_given).count() <= 1)?;
        let is_fine = |number: Option<f64>| number.is_none_or(|it| it > 0.0 && it.is_finite());
        STOP.check(is_fine(self.stop))?;
        PULL.check(is_fine(self.pull) && (self.pull.is_none() || self.motor().is_none()))?;
        let drums = self.via.iter().filter(|guide| guide.is_drum()).count();
        VIA.check(self.points() >= 2 && self.via.len() <= 1000 && drums <= 1)
    }
}

fn bad_guide(index: usize, expected: &'static str) -> BadOption {
    BadOption { option: VIA.name, entry: Some(index), expected: expected.into() }
}
