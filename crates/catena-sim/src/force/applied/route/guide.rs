//! Guides of a route: pulleys, rings and drums. Each is at a fixed position, along a curve, on a
//! node or on a bone.

use super::amount::Amount;
use crate::body::State;
use crate::body::curve::Curve;
use crate::body::vector::Vec3;
use crate::drive::track::Extent;
use crate::named::{Components, Named};
use serde::Deserialize;
use std::sync::Arc;

/// Direction in which a route turns around a pulley, as seen in the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Turn {
    /// Turn to the right.
    Clockwise,
    /// Turn to the left.
    Counterclockwise,
}
crate::identity!(
    enum Turn {
        Clockwise,
        Counterclockwise,
    }
);

/// A guide of a route. Exactly one of `at`, `along`, `node` and `bone` sets its position.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Guide {
    /// A wheel or a bollard.
    Pulley {
        /// Fixed position of the centre.
        #[serde(default)]
        at: Option<Components>,
        /// Position of the centre over time.
        #[serde(default)]
        along: Option<Named<dyn Curve>>,
        /// Node at the centre.
        #[serde(default)]
        node: Option<usize>,
        /// Bone that carries the guide.
        #[serde(default)]
        bone: Option<String>,
        /// Position in the frame of the bone; `None` for the joint of the bone.
        #[serde(default)]
        offset: Option<Components>,
        /// Radius, above 0.
        radius: f64,
        /// Direction of the turn in the plane; `None` takes the direction in which the route bends
        /// at the start.
        #[serde(default)]
        turn: Option<Turn>,
        /// Coefficient of friction μ between rope and pulley. With `None`, the rope slides freely
        /// over a pulley without inertia, and does not slide on a pulley with inertia.
        #[serde(default)]
        friction: Option<f64>,
        /// Moment of inertia of a wheel that turns; `None` for a pulley that does not turn.
        #[serde(default)]
        inertia: Option<f64>,
    },
    /// A ring or an eye without size.
    Ring {
        /// Fixed position.
        #[serde(default)]
        at: Option<Components>,
        /// Position over time.
        #[serde(default)]
        along: Option<Named<dyn Curve>>,
        /// Node at the ring.
        #[serde(default)]
        node: Option<usize>,
        /// Bone that carries the guide.
        #[serde(default)]
        bone: Option<String>,
        /// Position in the frame of the bone; `None` for the joint of the bone.
        #[serde(default)]
        offset: Option<Components>,
        /// Coefficient of friction μ between rope and ring.
        #[serde(default)]
        friction: f64,
    },
    /// A drum at an end of the route, on which the rope is wound.
    Drum {
        /// Fixed position of the centre.
        #[serde(default)]
        at: Option<Components>,
        /// Position of the centre over time.
        #[serde(default)]
        along: Option<Named<dyn Curve>>,
        /// Node at the centre.
        #[serde(default)]
        node: Option<usize>,
        /// Bone that carries the guide.
        #[serde(default)]
        bone: Option<String>,
        /// Position in the frame of the bone; `None` for the joint of the bone.
        #[serde(default)]
        offset: Option<Components>,
        /// Radius, above 0.
        radius: f64,
        /// Direction of the turn in the plane; `None` turns clockwise.
        #[serde(default)]
        turn: Option<Turn>,
        /// Torque of a motor that winds the rope up. Without one, the drum follows the length or
        /// the speed of the route.
        #[serde(default)]
        torque: Option<Amount>,
        /// Moment of inertia of the drum, for a drum with a torque.
        #[serde(default)]
        inertia: Option<f64>,
    },
}
crate::identity!(
    enum Guide {
        Pulley { at, along, node, bone, offset, radius, turn, friction, inertia },
        Ring { at, along, node, bone, offset, friction },
        Drum { at, along, node, bone, offset, radius, turn, torque, inertia },
    }
);

/// Position of a guide, or its source.
#[derive(Clone, Copy, Debug)]
pub(super) enum GuidePlace<'a> {
    At(Vec3),
    Along(&'a dyn Curve),
    Node(usize),
    /// A bone whose motion is not known yet.
    Bone,
}

/// Options that set the position of a guide.
struct PositionOptions<'a> {
    at: &'a Option<Components>,
    along: &'a Option<Named<dyn Curve>>,
    node: &'a Option<usize>,
    bone: &'a Option<String>,
    offset: &'a Option<Components>,
}

impl Guide {
    /// Returns the options that set the position.
    fn position_options(&self) -> PositionOptions<'_> {
        match self {
            Self::Pulley { at, along, node, bone, offset, .. }
            | Self::Ring { at, along, node, bone, offset, .. }
            | Self::Drum { at, along, node, bone, offset, .. } => {
                PositionOptions { at, along, node, bone, offset }
            }
        }
    }

    /// Returns the place of the guide; `None` unless exactly one option sets it.
    pub(super) fn place(&self) -> Option<GuidePlace<'_>> {
        let PositionOptions { at, along, node, bone, .. } = self.position_options();
        match (at, along, node, bone) {
            (Some(at), None, None, None) => Some(GuidePlace::At(at.xyz())),
            (None, Some(along), None, None) => Some(GuidePlace::Along(along.0.as_ref())),
            (None, None, Some(node), None) => Some(GuidePlace::Node(*node)),
            (None, None, None, Some(_)) => Some(GuidePlace::Bone),
            _ => None,
        }
    }

    /// Name of the bone that carries the guide, and the position of the guide in the bone's frame.
    pub(super) fn bone(&self) -> Option<(&str, Vec3)> {
        let PositionOptions { bone, offset, .. } = self.position_options();
        Some((bone.as_deref()?, offset.as_ref().map_or([0.0; 3], Components::xyz)))
    }

    /// Returns the guide on a curve instead of a bone.
    pub(super) fn following(mut self, curve: Arc<dyn Curve>) -> Self {
        match &mut self {
            Self::Pulley { along, bone, offset, .. }
            | Self::Ring { along, bone, offset, .. }
            | Self::Drum { along, bone, offset, .. } => {
                (*along, *bone, *offset) = (Some(Named(curve)), None, None);
            }
        }
        self
    }

    /// Radius; 0 for a ring.
    pub(super) fn radius(&self) -> f64 {
        match self {
            Self::Pulley { radius, .. } | Self::Drum { radius, .. } => *radius,
            Self::Ring { .. } => 0.0,
        }
    }

    /// Direction of the turn, if the option is set.
    pub(super) fn turn(&self) -> Option<Turn> {
        match self {
            Self::Pulley { turn, .. } | Self::Drum { turn, .. } => *turn,
            Self::Ring { .. } => None,
        }
    }

    /// Whether the guide is a drum, on which the rope ends.
    pub(super) fn is_drum(&self) -> bool {
        matches!(self, Self::Drum { .. })
    }

    /// Coefficient of friction, which limits the ratio of the tensions on both sides; infinite if
    /// the rope cannot slide.
    pub(super) fn friction(&self) -> f64 {
        match self {
            Self::Pulley { friction, inertia, .. } => {
                friction.unwrap_or(if inertia.is_some() { f64::INFINITY } else { 0.0 })
            }
            Self::Ring { friction, .. } => *friction,
            Self::Drum { .. } => f64::INFINITY,
        }
    }

    /// I/r² of a wheel that turns: the effective mass at its rim. `None` for other guides.
    pub(super) fn moved_mass(&self) -> Option<f64> {
        let (inertia, radius) = match self {
            Self::Pulley { inertia, radius, .. } => ((*inertia)?, *radius),
            Self::Drum { inertia, radius, torque: Some(_), .. } => {
                (inertia.unwrap_or(0.0), *radius)
            }
            _ => return None,
        };
        Some(inertia / (radius * radius))
    }

    /// Whether the tensions before and after the guide may differ, by friction or inertia.
    pub(super) fn resists(&self) -> bool {
        self.moved_mass().is_some() || (!self.is_drum() && self.friction() > 0.0)
    }

    /// The torque of a motor.
    pub(super) fn torque(&self) -> Option<&Amount> {
        match self {
            Self::Drum { torque, .. } => torque.as_ref(),
            _ => None,
        }
    }

    /// Expected form of the first invalid option of the guide.
    pub(super) fn fault(&self) -> Option<&'static str> {
        let above_0 = |value: f64| value > 0.0 && value.is_finite();
        let least_0 = |value: f64| value >= 0.0 && value.is_finite();
        if self.place().is_none() {
            return Some("exactly one of `at`, `along`, `node` and `bone`");
        }
        if self.position_options().offset.is_some() && self.position_options().bone.is_none() {
            return Some("no `offset` without a `bone`");
        }
        if !matches!(self, Self::Ring { .. }) && !above_0(self.radius()) {
            return Some("a finite `radius` above 0");
        }
        match self {
            Self::Pulley { friction, inertia, .. } => {
                if !friction.is_none_or(least_0) {
                    return Some("a finite `friction` of at least 0");
                }
                (!inertia.is_none_or(above_0)).then_some("a finite `inertia` above 0")
            }
            Self::Ring { friction, .. } => {
                (!least_0(*friction)).then_some("a finite `friction` of at least 0")
            }
            Self::Drum { torque, inertia, .. } => {
                if torque.is_some() && inertia.is_none() {
                    return Some("an `inertia` of the drum that the `torque` turns, such as 0.1");
                }
                if torque.is_none() && inertia.is_some() {
                    return Some(
                        "a `torque` together with the `inertia`: a drum without a torque follows \
                         the `length` or the `speed` of the route",
                    );
                }
                if !inertia.is_none_or(above_0) {
                    return Some("a finite `inertia` above 0");
                }
                let is_fine = torque.as_ref().is_none_or(|one| one.is_at_least(-1e100));
                (!is_fine).then_some("a finite `torque`, or keys by rising time")
            }
        }
    }

    /// Expected form of the first option that does not fit the body or the scene.
    pub(super) fn misfit(&self, axes: usize, nodes: usize) -> Option<&'static str> {
        let PositionOptions { at, along, node, offset, .. } = self.position_options();
        if at.as_ref().is_some_and(|at| at.count() != axes) {
            return Some("an `at` with one component per axis of the scene");
        }
        if offset.as_ref().is_some_and(|offset| offset.count() != axes) {
            return Some("an `offset` with one component per axis of the scene");
        }
        if along.as_ref().is_some_and(|one| one.0.check().is_err() || one.0.fits(axes, 0).is_err())
        {
            return Some("an `along` that is a curve and fits the scene");
        }
        if self.turn().is_some() && axes == 3 {
            return Some("no `turn` in space, where a pulley swivels into the plane of its rope");
        }
        node.is_some_and(|node| node >= nodes).then_some("a `node` of the body")
    }

    /// Time range in which the guide moves along a curve, or its torque changes.
    pub(super) fn extent(&self) -> Extent {
        let along =
            self.position_options().along.as_ref().map_or(Extent::Still, |along| along.0.extent());
        let torque = self.torque().map_or(Extent::Still, Amount::extent);
        Extent::of_all([along, torque])
    }
}

impl GuidePlace<'_> {
    /// Returns the position and velocity in a state. Positions along a curve are taken at the time
    /// `t`.
    pub(super) fn at(self, n: usize, state: &State, t: f64) -> (Vec3, Vec3) {
        match self {
            Self::At(at) => (at, [0.0; 3]),
            Self::Along(curve) => curve.at(t),
            Self::Node(node) => (state.position(n, node), state.velocity(n, node)),
            Self::Bone => ([f64::NAN; 3], [f64::NAN; 3]),
        }
    }

    pub(super) fn node(self) -> Option<usize> {
        match self {
            Self::Node(node) => Some(node),
            _ => None,
        }
    }
}
