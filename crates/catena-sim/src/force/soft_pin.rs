//! A soft pin: a spring and a damper between a node and a target that moves along a curve, F = k
//! (y - x) + c (y' - v).
//!
//! The spring has rest length 0. Moving the target does the work F·dy on spring and damper, which
//! the ledger books on the anchors. The damper turns the power c |y' - v|² into heat.

use super::{Account, Blocks, Force, ForceEnergy, Potential, Store, Unstored, diagonal};
use crate::body::vector::{Vec3, along, dot, norm, scaled, sub};
use crate::body::{Body, Model, State};
use crate::drive::curve::Curve;
use crate::drive::track::Extent;
use crate::named::{BadOption, OptionInfo, OptionKind};
use std::sync::Arc;

/// Pulls one node to a target.
#[derive(Clone, Debug)]
pub struct SoftPin {
    /// Index of the node. The node must not be pinned.
    pub node: usize,
    /// Position of the target as a function of time.
    pub target: Arc<dyn Curve>,
    /// k, force per length, above 0.
    pub stiffness: f64,
    /// c, force per speed, at least 0.
    pub damping: f64,
}
crate::identity!(SoftPin { node, target, stiffness, damping });

const NODE: OptionInfo = OptionInfo {
    name: "node",
    summary: "node that the spring pulls",
    default: OptionInfo::NEEDED,
    range: OptionInfo::NODE,
    kind: OptionKind::Node,
    ..OptionInfo::PLAIN
};

const STIFFNESS: OptionInfo = OptionInfo {
    name: "stiffness",
    summary: "force per length",
    default: OptionInfo::NEEDED,
    range: "a finite number above 0",
    ..OptionInfo::PLAIN
};

const DAMPING: OptionInfo = OptionInfo {
    name: "damping",
    summary: "force per speed",
    default: "0",
    range: "a finite number of at least 0",
    ..OptionInfo::PLAIN
};

impl SoftPin {
    /// Position and velocity of the target relative to the node.
    fn apart(&self, body: &Body<'_>, state: &State) -> (Vec3, Vec3) {
        let (n, (place, velocity)) = (body.model.nodes(), self.target.at(state.t));
        let (x, v) = (state.position(n, self.node), state.velocity(n, self.node));
        (sub(place, x), sub(velocity, v))
    }

    fn add(&self, body: &Body<'_>, force: Vec3, f: &mut [f64]) {
        for (axis, force) in f.chunks_exact_mut(body.model.nodes()).zip(force) {
            axis[self.node] += force;
        }
    }
}

impl Force for SoftPin {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let (offset, speed) = self.apart(body, state);
        self.add(body, along(scaled(offset, self.stiffness), self.damping, speed), f);
    }

    fn add_jacobian(&self, body: &Body<'_>, _state: &State, blocks: &mut Blocks<'_>) {
        let axes = body.model.axes;
        let (by_x, by_v) = (diagonal(axes, -self.stiffness), diagonal(axes, -self.damping));
        blocks.add_own(self.node, by_x, by_v);
    }

    /// Returns an upper bound, from the maximum distance and speed of the target.
    fn load(&self, _model: &Model) -> f64 {
        let places = self.target.places();
        let first = places.first().map_or([0.0; 3], |place| place.1);
        let distance = places.iter().map(|place| norm(sub(place.1, first))).fold(0.0, f64::max);
        let paces =
            places.windows(2).map(|pair| norm(sub(pair[1].1, pair[0].1)) / (pair[1].0 - pair[0].0));
        let pace = if self.target.jumps() { 0.0 } else { paces.fold(0.0, f64::max) };
        self.stiffness * distance + self.damping * pace
    }

    fn load_from(&self, model: &Model, initial: &State) -> f64 {
        let (n, first) = (model.nodes(), self.target.at(initial.t).0);
        let stretch = norm(sub(first, initial.position(n, self.node)));
        self.load(model) + self.stiffness * stretch
    }

    fn changes_with_time(&self) -> bool {
        let places = self.target.places();
        // A curve without keys, such as gusts, changes without end.
        places.is_empty() || places.iter().any(|(_, place)| *place != places[0].1)
    }

    fn extent(&self) -> Extent {
        self.target.extent()
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Split(self, self)
    }

    fn holder(&self, from: f64, to: f64) -> Option<Vec3> {
        Some(sub(self.target.at(to).0, self.target.at(from).0))
    }

    fn check(&self) -> Result<(), BadOption> {
        STIFFNESS.check(self.stiffness > 0.0 && self.stiffness.is_finite())?;
        DAMPING.check(self.damping >= 0.0 && self.damping.is_finite())?;
        self.target.check()
    }

    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption> {
        NODE.check(self.node < nodes)?;
        self.target.fits(axes, nodes)
    }
}

/// The spring stores energy.
impl Potential for SoftPin {
    fn store(&self) -> Store {
        Store::Elastic
    }

    /// Returns k |y - x|²/2.
    fn potential(&self, body: &Body<'_>, state: &State) -> f64 {
        let (offset, _) = self.apart(body, state);
        0.5 * self.stiffness * dot(offset, offset)
    }
}

/// The damper stores no energy.
impl Unstored for SoftPin {
    fn account(&self) -> Account {
        Account::Damping
    }

    fn add_unstored(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let (_, speed) = self.apart(body, state);
        self.add(body, scaled(speed, self.damping), f);
    }
}
