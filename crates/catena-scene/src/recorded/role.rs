//! Roles of columns, which are the meanings of their numbers.

/// Names of the axes.
pub(crate) const AXES: [&str; 3] = ["x", "y", "z"];

/// Advice to list the columns.
pub(crate) const LIST: &str =
    "list the columns, such as columns: \"frame,node,x,y\", with - for one to skip";

/// Meaning of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Role {
    Frame,
    /// Time, with the factor that converts it to the unit of the scene.
    Time(f64),
    Step,
    Node,
    Panel,
    Body,
    /// Coordinate of the row's node, or of one node in a row with many nodes.
    Coordinate {
        axis: usize,
        node: Option<u32>,
    },
    Ignored,
}

impl Role {
    /// Returns the word for the role in a list of columns.
    pub(crate) fn word(self) -> String {
        match self {
            Self::Frame => "frame".into(),
            Self::Time(_) => "t".into(),
            Self::Step => "step".into(),
            Self::Node => "node".into(),
            Self::Panel => "panel".into(),
            Self::Body => "body".into(),
            Self::Coordinate { axis, node: None } => AXES[axis].into(),
            Self::Coordinate { axis, node: Some(node) } => format!("{}{node}", AXES[axis]),
            Self::Ignored => "-".into(),
        }
    }

    /// Returns the order of the role. Roles with the same order contradict each other.
    pub(super) fn order(self) -> RoleOrder {
        match self {
            Self::Coordinate { axis, node } => {
                (6, node.map_or(0, |node| 1 + u64::from(node)), axis)
            }
            Self::Frame => (0, 0, 0),
            Self::Time(_) => (1, 0, 0),
            Self::Step => (2, 0, 0),
            Self::Node => (3, 0, 0),
            Self::Panel => (4, 0, 0),
            Self::Body | Self::Ignored => (5, 0, 0),
        }
    }
}

/// Order of a role: kind, node plus 1, axis.
pub(crate) type RoleOrder = (u8, u64, usize);
