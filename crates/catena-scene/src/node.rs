//! Node names in scenes: an index from either end, a word, row and column, or a node within a part.

use super::diagnostic::Fault;
use super::grammar::Grammar;
use super::layered::FieldValue;
use catena_sim::{Form, Part};
use ron::value::RawValue;
use serde::{Deserialize, Deserializer, de};
use std::fmt;

/// Maximum number of names that a message lists.
const MAX_NAMES: usize = 12;

/// Position of a node in a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodePlace {
    /// Index from 0; negative values count from the end, and -1 is the last node.
    Number(i64),
    /// Node 0.
    First,
    /// Last node.
    Last,
    /// Middle node of an odd number of nodes.
    Middle,
    /// Row and column of a sheet, both from 0. Negative values count from the end.
    Cell(i64, i64),
}

const WORDS: [(&str, NodePlace); 3] =
    [("First", NodePlace::First), ("Last", NodePlace::Last), ("Middle", NodePlace::Middle)];

/// Description of allowed values in messages.
const EXPECTED: &str = "a node: a number (negative from the end), First, Last, Middle, (row, column) in a cloth, or (\"part\", node)";

impl NodePlace {
    /// Returns the index of the node among `count` nodes. Rows and columns need the form of a
    /// sheet.
    ///
    /// # Errors
    /// Returns a fault when there is no such node.
    pub fn within(self, form: &Form, count: usize) -> Result<usize, Fault> {
        if let Form::Solid(solid) = form {
            return self.in_solid(solid.points());
        }
        match self {
            Self::First => Ok(0),
            Self::Last => Ok(count - 1),
            Self::Number(number) => counted(number, count, "node"),
            Self::Middle if count % 2 == 1 => Ok(count / 2),
            Self::Middle => {
                let message = format!("{count} nodes have no middle node");
                let help = format!(
                    "nodes {} and {} are next to the middle: use one of them, or an odd number of nodes",
                    count / 2 - 1,
                    count / 2
                );
                Err(Fault::new(message).help(help))
            }
            Self::Cell(row, column) => {
                let Form::Sheet { rows, columns } = *form else {
                    let fault = Fault::new("only a cloth has rows and columns");
                    return Err(fault.help("name the node by its number, or First, Last, Middle"));
                };
                Ok(counted(row, rows, "row")? * columns + counted(column, columns, "column")?)
            }
        }
    }
}

impl NodePlace {
    /// Returns the index of a node of a solid: its centre, or one of its points. The other nodes
    /// of a solid only carry its mass.
    fn in_solid(self, points: usize) -> Result<usize, Fault> {
        let found = match self {
            Self::First => Some(0),
            Self::Last => Some(points),
            Self::Number(number) if number < 0 => usize::try_from(number.unsigned_abs())
                .ok()
                .and_then(|back| (points + 1).checked_sub(back)),
            Self::Number(number) => usize::try_from(number).ok(),
            Self::Middle | Self::Cell(..) => None,
        };
        found.filter(|node| *node <= points).ok_or_else(|| {
            let help = match points {
                0 => {
                    "it has only node 0, its centre: list positions in its `points` for more nodes"
                        .into()
                }
                1 => "it has node 0, its centre, and node 1, its point".into(),
                _ => format!("it has node 0, its centre, and nodes 1 to {points}, its `points`"),
            };
            Fault::new(format!("the solid has no node {self}")).help(help)
        })
    }
}

/// Converts a number to an index below `count`; negative numbers count from the end.
fn counted(number: i64, count: usize, kind: &str) -> Result<usize, Fault> {
    let from_end = |n: i64| count.checked_sub(usize::try_from(n.unsigned_abs()).ok()?);
    let index = if number < 0 { from_end(number) } else { usize::try_from(number).ok() };
    index.filter(|&index| index < count).ok_or_else(|| {
        let last = count - 1;
        Fault::new(format!("there is no {kind} {number}")).help(format!(
            "{kind}s are numbered from 0 to {last}, or backwards from -1 (the last) to -{count}"
        ))
    })
}

impl fmt::Display for NodePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Cell(row, column) => write!(f, "({row}, {column})"),
            word => {
                let name =
                    WORDS.iter().find(|(_, place)| place == word).map_or("", |(name, _)| name);
                f.write_str(name)
            }
        }
    }
}

/// Name of a node of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeName {
    /// Name of the node's part; `None` for a body without parts.
    pub part: Option<String>,
    /// Position in the part.
    pub place: NodePlace,
}

impl fmt::Display for NodeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.part {
            Some(part) => write!(f, "({part:?}, {})", self.place),
            None => write!(f, "{}", self.place),
        }
    }
}

impl NodeName {
    /// Returns the index of the node in a body without parts that has this form and node count.
    ///
    /// # Errors
    /// Returns a fault when a part is named or there is no such node.
    pub fn in_one_piece(&self, form: &Form, count: usize) -> Result<usize, Fault> {
        match &self.part {
            Some(name) => Err(one_piece(name)),
            None => self.place.within(form, count),
        }
    }

    /// Returns the index of the node in a body with these parts.
    ///
    /// # Errors
    /// Returns a fault when there is no such part, or no such node in it.
    pub fn of(&self, parts: &[Part]) -> Result<usize, Fault> {
        let part = find_part(self.part.as_deref(), parts)?;
        Ok(part.nodes[self.place.within(&part.form, part.nodes.len())?])
    }
}

/// Describes a node that the scene does not name, by its index in the first part that contains it.
pub fn in_words(node: usize, parts: &[Part]) -> String {
    let of_part = |part: &Part| {
        let place = part.nodes.iter().position(|&other| other == node)?;
        (!part.name.is_empty()).then(|| format!("node ({:?}, {place})", part.name))
    };
    parts.iter().find_map(of_part).unwrap_or_else(|| format!("node {node}"))
}

/// Returns the part with a name, or the only part.
///
/// # Errors
/// Returns a fault when there is no such part, or no name is given and there are several parts.
pub fn find_part<'a>(name: Option<&str>, parts: &'a [Part]) -> Result<&'a Part, Fault> {
    let names = || parts.iter().map(|part| part.name.as_str());
    match (name, parts) {
        (None, [only]) => Ok(only),
        (None, _) => Err(Fault::new("the body has several parts, so the node needs a part name")
            .help(format!("write (\"part\", node); the parts are {}", few(names())))),
        (Some(name), [only]) if only.name.is_empty() => Err(one_piece(name)),
        (Some(name), _) => Ok(&parts[part_called(name, names())?]),
    }
}

/// Returns the index of the part with this name.
///
/// # Errors
/// Returns a fault when there is no such part.
pub fn part_called<'a>(
    name: &str,
    mut names: impl Iterator<Item = &'a str> + Clone,
) -> Result<usize, Fault> {
    let all = names.clone();
    names.position(|other| other == name).ok_or_else(|| {
        let fault = Fault::new(format!("the body has no part called {name:?}"));
        fault.help(format!("there are {}", few(all)))
    })
}

/// Formats a list of quoted names. A long list is shortened and ends with the number of further
/// names.
fn few<'a>(mut names: impl Iterator<Item = &'a str>) -> String {
    let first: Vec<_> = names.by_ref().take(MAX_NAMES).map(|name| format!("{name:?}")).collect();
    let first = first.join(", ");
    match names.count() {
        0 => first,
        more => format!("{first}, … and {more} more"),
    }
}

/// Returns the fault of a part name in a body without parts.
fn one_piece(name: &str) -> Fault {
    let fault = Fault::new(format!("the body has no part called {name:?}: it has no parts"));
    fault.help("omit the part name")
}

impl FieldValue for NodeName {
    fn expected() -> String {
        EXPECTED.into()
    }

    fn grammar() -> Grammar {
        const NAMES: &[&str] = &[WORDS[0].0, WORDS[1].0, WORDS[2].0];
        Grammar::Either(|| vec![Grammar::Plain, Grammar::Names(NAMES)])
    }
}

impl<'de> Deserialize<'de> for NodePlace {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <Box<RawValue>>::deserialize(deserializer)?;
        place(text.trim().get_ron()).map_err(de::Error::custom)
    }
}

impl<'de> Deserialize<'de> for NodeName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <Box<RawValue>>::deserialize(deserializer)?;
        if let Ok((part, place)) = ron::from_str::<(String, NodePlace)>(text.get_ron()) {
            return Ok(Self { part: Some(part), place });
        }
        let place = place(text.trim().get_ron()).map_err(de::Error::custom)?;
        Ok(Self { part: None, place })
    }
}

/// Parses the position of a node. The text is compared with the words directly, because RON does
/// not keep bare words.
fn place(text: &str) -> Result<NodePlace, String> {
    if let Some((_, place)) = WORDS.iter().find(|(name, _)| *name == text) {
        return Ok(*place);
    }
    if let Ok(number) = ron::from_str(text) {
        return Ok(NodePlace::Number(number));
    }
    let cell = ron::from_str(text).map(|(row, column)| NodePlace::Cell(row, column));
    let meant = WORDS.iter().find(|(name, _)| name.eq_ignore_ascii_case(text.trim_matches('"')));
    let meant = meant.map_or(String::new(), |(name, _)| format!(": write {name}"));
    cell.map_err(|_| format!("expected {EXPECTED}, found {text}{meant}"))
}
