//! Parts and joins as a scene writes them.

use crate::diagnostic::Fault;
use crate::entry::Entry;
use crate::grammar::{Grammar, Word};
use crate::layered::{FieldValue, join};
use crate::node::NodeName;
use crate::read::{FromRon, List, Optional};
use crate::schema::Settings;
use crate::values::{Positive, Vector, Whole};
use crate::words::JointWord;
use catena_ron::Node;
use ron::value::RawValue;
use serde::{Deserialize, Deserializer};

readable! {
    /// Part of a body: a name, settings that differ from the body's, and a repeat count.
    pub struct PartEntry {
        /// Name of the part in joins and tables. Copies are called `name 1`, `name 2` and so on.
        name: Option<String>,
        /// Settings that differ from the body's settings.
        with: Settings,
        /// Number of copies. If omitted, 1.
        repeat: Optional<Whole<1, 10_000>>,
        /// Offset of each copy from the previous one.
        shift: Optional<Vector>,
    }
}

/// List of the parts of a body.
pub type PartList = List<PartEntry>;

impl FieldValue for PartList {
    fn grammar() -> Grammar {
        Grammar::List(PartEntry::inside)
    }

    fn expected() -> String {
        "a list of (name: \"…\", with: (…), repeat: count, shift: vector)".into()
    }

    fn vectors(&self, path: &str, all: &mut Vec<(String, usize)>) {
        for (index, entry) in self.0.iter().enumerate() {
            let path = format!("{path}[{index}]");
            entry.with.vectors(&join(&path, "with"), all);
            if let Some(shift) = &entry.shift.0 {
                shift.vectors(&join(&path, "shift"), all);
            }
        }
    }
}

readable! {
    /// Settings of a part by its name.
    pub struct PartChange {
        /// Name of the part in the list of parts.
        name: Option<String>,
        /// Settings that override the part's settings.
        with: Settings,
    }
}

/// List of settings of single parts.
pub type PartChanges = List<PartChange>;

impl FieldValue for PartChanges {
    fn grammar() -> Grammar {
        Grammar::List(PartChange::inside)
    }

    fn expected() -> String {
        "a list of (name: \"…\", with: (…))".into()
    }

    fn vectors(&self, path: &str, all: &mut Vec<(String, usize)>) {
        for (index, entry) in self.0.iter().enumerate() {
            entry.with.vectors(&join(&format!("{path}[{index}]"), "with"), all);
        }
    }
}

/// One end of a join.
#[derive(Clone, Debug)]
pub enum JoinEnd {
    /// Every node of a part.
    Part(String),
    /// A single node.
    Node(NodeName),
}

impl<'de> Deserialize<'de> for JoinEnd {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <Box<RawValue>>::deserialize(deserializer)?;
        let text = text.get_ron();
        ron::from_str(text).map(Self::Part).or_else(|_| {
            let node = ron::from_str(text).map(Self::Node);
            node.map_err(|error| serde::de::Error::custom(error.code))
        })
    }
}

impl Entry for JoinEnd {
    fn in_words() -> String {
        "a node, or the name of a part in quotes".into()
    }

    fn inside() -> Grammar {
        NodeName::grammar()
    }
}

entry! {
    /// Join as a scene lists it.
    pub struct JoinedEnds {
        /// First end.
        pub from: JoinEnd,
        /// Second end.
        pub to: JoinEnd,
        /// Stiffness of the spring between the two ends. If omitted, they become one node.
        #[serde(default)]
        pub stiffness: Option<Positive>,
        /// Rest length of the spring. If omitted, the initial distance.
        #[serde(default)]
        pub length: Option<Positive>,
        /// Joint of the two rods that meet there. If omitted, a hinge.
        #[serde(default)]
        pub joint: Option<JointWord>,
    }
}

/// Entry of the list of joins.
#[derive(Clone, Debug)]
pub enum JoinEntry {
    /// Welds all nodes of different parts that have equal positions.
    Touching,
    /// Joins two nodes, or two parts node by node.
    Ends(JoinedEnds),
}

impl FromRon for JoinEntry {
    fn from_ron(node: Node<'_>) -> Result<Self, Fault> {
        match node.text() {
            "Touching" => Ok(Self::Touching),
            _ => JoinedEnds::from_ron(node).map(Self::Ends),
        }
    }
}

/// List of the joins of a body.
pub type JoinList = List<JoinEntry>;

impl FieldValue for JoinList {
    fn grammar() -> Grammar {
        const TOUCHING: &[Word] = &[Word {
            name: "Touching",
            summary: "Joins all nodes of different parts that have the same position.",
        }];
        Grammar::List(|| Grammar::Either(|| vec![Grammar::Words(TOUCHING), JoinedEnds::inside()]))
    }

    fn expected() -> String {
        "a list of Touching and of (from: node, to: node), with stiffness and length for a spring between them, or joint: Rigid between two rods; part names alone join node by node".into()
    }
}
