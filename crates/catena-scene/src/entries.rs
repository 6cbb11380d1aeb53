//! Entries of lists in a scene, for example about a node, a range or a spring.

use super::choice::{Choice, Curves};
use super::diagnostic::Fault;
use super::grammar::Grammar;
use super::layered::{FieldValue, join};
use super::node::NodeName;
use super::over_time::{OverTime, VectorOverTime};
use super::read::{FromRon, List, Optional, children};
use super::values::{Finite, NonNegative, Positive, Vector};
use crate::entry::Entry;
use catena_ron::Node;
use ron::value::RawValue;
use serde::{Deserialize, Deserializer, de};

/// Defines a list type whose entries are read together.
macro_rules! list_type {
    ($(#[$meta:meta])* $name:ident of $entry:ty, $expected:literal) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Vec<$entry>);

        impl FieldValue for $name {
            fn expected() -> String {
                $expected.into()
            }

            fn grammar() -> Grammar {
                Grammar::List(<$entry as Entry>::inside)
            }
        }
    };
}

impl<T: FieldValue> Entry for T {
    fn in_words() -> String {
        T::expected()
    }

    fn inside() -> Grammar {
        T::grammar()
    }
}

/// Implements [`Entry`] for wrappers by forwarding to the inner type.
macro_rules! as_inner {
    ($([$($of:tt)+] $type:ty => $inner:ty;)+) => {
        $(impl<$($of)+> Entry for $type {
            fn in_words() -> String {
                <$inner>::in_words()
            }

            fn inside() -> Grammar {
                <$inner>::inside()
            }
        })+
    };
}

as_inner! {
    [T: Entry] Option<T> => T;
    [T: Entry] Optional<T> => T;
}

/// Implements [`Entry`] for values without a grammar of their own.
macro_rules! plain {
    ($([$($of:tt)*] $type:ty: $expected:expr;)+) => {
        $(impl<$($of)*> Entry for $type {
            fn in_words() -> String {
                $expected
            }

            fn inside() -> Grammar {
                Grammar::Plain
            }
        })+
    };
}

plain! {
    [A: Entry, B: Entry] (A, B): format!("({}, {})", A::in_words(), B::in_words());
    [T: Entry] Vec<T>: format!("a list in which each entry is {}", T::in_words());
}

readable! {
    /// Pinned node that follows a curve, a velocity or a bone, or free node that a spring pulls
    /// toward one.
    pub struct AnchorEntry {
        /// Node of the anchor. If omitted, every pinned node without an entry of its own. The node
        /// must be pinned, except with `stiffness`.
        node: Option<NodeName>,
        /// Position of the node over time. With `stiffness`, position of the point that pulls it.
        curve: Optional<Choice<Curves>>,
        /// Velocity of the node, also as a curve of velocities. The position is the initial
        /// position plus the integral of the velocity.
        velocity: Optional<VectorOverTime>,
        /// Time at which the velocity begins. If omitted, the start of the run.
        from: Option<Finite>,
        /// Time at which the velocity ends and the node stops. If omitted, the node never stops.
        until: Option<Finite>,
        /// Whether the node stops at the surface of colliders, where its velocity into the surface
        /// becomes 0. If omitted, the node passes through them.
        stops_at_colliders: Option<bool>,
        /// Bone of the body's rig that carries the node.
        bone: Option<String>,
        /// Position in the coordinates of the bone. If omitted, the node's initial position.
        offset: Option<Vector>,
        /// Stiffness of the spring that pulls the node, force per length. If omitted, the node is
        /// held rigidly.
        stiffness: Option<Positive>,
        /// Damping parallel to the spring, force per speed. If omitted, 0.
        damping: Option<NonNegative>,
    }
}

/// Moving pins of a body, rigid and soft.
pub type AnchorList = List<AnchorEntry>;

impl FieldValue for AnchorList {
    fn grammar() -> Grammar {
        Grammar::List(AnchorEntry::inside)
    }

    fn expected() -> String {
        "a list of (node: …, curve: …), the curves listed by `catena methods`, of (node: …, velocity: vector or curve, from: time, until: time), and of (node: …, bone: \"…\", offset: vector); a soft one also with stiffness: … and damping: …".into()
    }

    fn vectors(&self, path: &str, all: &mut Vec<(String, usize)>) {
        for (index, entry) in self.0.iter().enumerate() {
            if let Some(offset) = &entry.offset {
                offset.vectors(&join(&format!("{path}[{index}]"), "offset"), all);
            }
            if let Some(velocity) = &entry.velocity.0 {
                velocity.vectors(&join(&format!("{path}[{index}]"), "velocity"), all);
            }
        }
    }

    fn check_choices(&self, path: &str, faults: &mut Vec<(String, Fault)>) {
        for (index, entry) in self.0.iter().enumerate() {
            if let Some(curve) = &entry.curve.0 {
                curve.check_choices(&format!("{path}[{index}].curve"), faults);
            }
            if let Some(velocity) = &entry.velocity.0 {
                velocity.check_choices(&format!("{path}[{index}].velocity"), faults);
            }
        }
    }
}

readable! {
    /// Node at which the position, direction and material angle of a rod are fixed.
    pub struct ClampEntry {
        /// Node that the clamp holds.
        node: Option<NodeName>,
        /// Direction of the rod at the node. If omitted, the initial direction. A curve turns it.
        tangent: Optional<VectorOverTime>,
        /// Rotation of the section about the direction, in turns from the start. If omitted, 0.
        turn: Optional<OverTime<Finite>>,
    }
}

/// Clamps of a rod.
pub type ClampList = List<ClampEntry>;

impl FieldValue for ClampList {
    fn grammar() -> Grammar {
        Grammar::List(ClampEntry::inside)
    }

    fn expected() -> String {
        "a list of (node: …, tangent: vector or curve, turn: turns or curve); tangent and turn are optional".into()
    }

    fn vectors(&self, path: &str, all: &mut Vec<(String, usize)>) {
        for (index, entry) in self.0.iter().enumerate() {
            if let Some(tangent) = &entry.tangent.0 {
                tangent.vectors(&join(&format!("{path}[{index}]"), "tangent"), all);
            }
        }
    }

    fn check_choices(&self, path: &str, faults: &mut Vec<(String, Fault)>) {
        for (index, entry) in self.0.iter().enumerate() {
            if let Some(tangent) = &entry.tangent.0 {
                tangent.check_choices(&format!("{path}[{index}].tangent"), faults);
            }
        }
    }
}

entry! {
    /// Impulse on a node.
    pub struct ImpulseEntry {
        /// Node that receives the impulse.
        pub node: NodeName,
        /// Time of the impulse.
        #[serde(default)]
        pub at: NonNegative,
        /// Impulse: mass times change of velocity.
        pub impulse: Vector,
    }
}

/// Impulses on a body.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct Impulses(pub Vec<ImpulseEntry>);

impl FieldValue for Impulses {
    fn grammar() -> Grammar {
        Grammar::List(ImpulseEntry::inside)
    }

    fn expected() -> String {
        "a list of (node: …, at: time, impulse: vector)".into()
    }

    fn vectors(&self, path: &str, all: &mut Vec<(String, usize)>) {
        for (index, entry) in self.0.iter().enumerate() {
            entry.impulse.vectors(&join(&format!("{path}[{index}]"), "impulse"), all);
        }
    }
}

entry! {
    /// Mass that is added at a node.
    pub struct WeightEntry {
        /// Node that carries the mass.
        pub node: NodeName,
        /// Added mass.
        pub mass: Positive,
    }
}

list_type!(/// Weights of a body.
    Weights of WeightEntry, "a list of (node: …, mass: a number above 0)");

entry! {
    /// Range of a rope with its own mass or stiffness.
    pub struct RangeEntry {
        /// First node.
        pub from: NodeName,
        /// Last node.
        pub to: NodeName,
        /// Mass of each node in the range.
        #[serde(default)]
        pub mass: Option<Positive>,
        /// Stiffness of each spring in the range.
        #[serde(default)]
        pub stiffness: Option<Positive>,
    }
}

list_type!(/// Ranges of a rope.
    Ranges of RangeEntry, "a list of (from: node, to: node, mass: …, stiffness: …), with mass, stiffness or both");

/// Factors at the first and the last end.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(transparent)]
pub struct Factors(pub (Positive, Positive));

impl FieldValue for Factors {
    fn expected() -> String {
        "(first, last), each a number above 0".into()
    }
}

entry! {
    /// Initial velocity of nodes or initial spin.
    pub struct VelocityEntry {
        /// Node that moves. If omitted, all nodes that are not pinned.
        #[serde(default)]
        pub node: Option<NodeName>,
        /// Velocity of the node.
        #[serde(default)]
        pub velocity: Option<Vector>,
        /// Angular velocity in radians per unit of time. Positive values turn counterclockwise.
        #[serde(default)]
        pub spin: Option<Finite>,
        /// Axis of the spin, in space.
        #[serde(default)]
        pub axis: Option<Vector>,
        /// Point on the axis. If omitted, the centre of mass.
        #[serde(default)]
        pub about: Option<Vector>,
    }
}

/// Initial velocities of a body.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct Velocities(pub Vec<VelocityEntry>);

impl FieldValue for Velocities {
    fn grammar() -> Grammar {
        Grammar::List(VelocityEntry::inside)
    }

    fn expected() -> String {
        "a list of (velocity: vector), (node: …, velocity: vector), (spin: rate, axis: vector, about: point)".into()
    }

    fn vectors(&self, path: &str, all: &mut Vec<(String, usize)>) {
        for (index, VelocityEntry { velocity, axis, about, .. }) in self.0.iter().enumerate() {
            for (name, vector) in [("velocity", velocity), ("axis", axis), ("about", about)] {
                if let Some(vector) = vector {
                    vector.vectors(&join(&format!("{path}[{index}]"), name), all);
                }
            }
        }
    }
}

/// Positions, one per node.
pub type Positions = List<Vector>;

impl FieldValue for Positions {
    fn expected() -> String {
        "a list of positions: [(0, 0), (1, 0)]".into()
    }

    fn vectors(&self, path: &str, all: &mut Vec<(String, usize)>) {
        for (index, position) in self.0.iter().enumerate() {
            position.vectors(&format!("{path}[{index}]"), all);
        }
    }
}

/// Spring of a graph.
#[derive(Clone, Debug)]
pub struct GraphSpring {
    /// Nodes at the two ends.
    pub ends: [NodeName; 2],
    /// Stiffness; `None` uses the graph's stiffness.
    pub stiffness: Option<f64>,
    /// Rest length; `None` uses the distance at the start.
    pub length: Option<f64>,
}

impl FromRon for GraphSpring {
    fn from_ron(node: Node<'_>) -> Result<Self, Fault> {
        let all = children(node)?;
        let number = |index: usize| -> Result<Option<f64>, Fault> {
            let Some(child) = all.get(index) else { return Ok(None) };
            Positive::from_ron(*child).map(|number| Some(number.0))
        };
        if !(2..=4).contains(&all.len()) || all.iter().any(|child| !child.name().is_empty()) {
            let fault =
                Fault::new("expected (a, b), (a, b, stiffness) or (a, b, stiffness, length)");
            return Err(fault.at(node.span()));
        }
        let ends = [NodeName::from_ron(all[0])?, NodeName::from_ron(all[1])?];
        Ok(Self { ends, stiffness: number(2)?, length: number(3)? })
    }
}

/// Springs of a graph.
pub type GraphSprings = List<GraphSpring>;

impl FieldValue for GraphSprings {
    fn expected() -> String {
        "a list of (a, b), (a, b, stiffness) or (a, b, stiffness, length)".into()
    }
}

/// Square matrix of a graph: a row of numbers per node.
pub type Adjacency = List<List<NonNegative>>;

impl FieldValue for Adjacency {
    fn expected() -> String {
        "a row of numbers per node: [[0, 1], [1, 0]]".into()
    }
}

/// Pin of a mesh.
#[derive(Clone, Debug)]
pub enum MeshPin {
    /// All nodes of a group or an object of the file.
    Group(String),
    /// A single node.
    Node(NodeName),
}

impl<'de> Deserialize<'de> for MeshPin {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <Box<RawValue>>::deserialize(deserializer)?;
        let text = text.trim().get_ron();
        if let Ok(group) = ron::from_str(text) {
            return Ok(Self::Group(group));
        }
        let message = || format!("expected the name of a group in quotes or a node, found {text}");
        ron::from_str(text).map(Self::Node).map_err(|_| de::Error::custom(message()))
    }
}

/// Pins of a mesh.
pub type MeshPins = List<MeshPin>;

impl FieldValue for MeshPins {
    fn grammar() -> Grammar {
        Grammar::List(NodeName::grammar)
    }

    fn expected() -> String {
        "a list of names of groups and of nodes: [\"collar\", 0, Last]".into()
    }
}
