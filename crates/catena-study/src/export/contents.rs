//! Static content of an export: panels, bodies, their items, and colours in linear light.

use super::figure::Figure;
use super::solids::ExportedSolid;
use catena_sim::drive::track::color_space::decode;
use std::ops::Range;

/// Exported content, without positions over time.
#[derive(Clone, Debug)]
pub struct Contents {
    /// Name of the scene.
    pub name: String,
    /// Range of exported frames.
    pub frames: Range<u64>,
    /// Simulated time between frames.
    pub frame_time: f64,
    /// One group per panel, in order.
    pub groups: Vec<Group>,
}

/// Content of a panel.
#[derive(Clone, Debug)]
pub struct Group {
    /// Name of the group, unique among groups: the panel's label.
    pub name: String,
    /// Bodies of the panel, in order.
    pub bodies: Vec<ExportedBody>,
}

/// Body: its nodes, and the items made from them.
#[derive(Clone, Debug)]
pub struct ExportedBody {
    /// Label for messages.
    pub label: String,
    /// Index of the panel, and index of the body within it, as in a trace.
    pub place: [u32; 2],
    /// Number of dimensions, 2 or 3.
    pub axes: usize,
    /// Number of nodes.
    pub nodes: usize,
    /// End nodes of each spring: first the structural springs, then those that events create.
    pub springs: Vec<[usize; 2]>,
    /// Number of structural springs.
    pub structural: usize,
    /// Whether the tension of springs is known.
    pub knows_tension: bool,
    /// Items: one per part, and one for the springs that events create.
    pub items: Vec<Item>,
    /// Figures attached to the body or shown with it.
    pub figures: Vec<Figure>,
}

/// Rope, net, cloth, mesh or rigid body.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Name of the item, unique in its group.
    pub name: String,
    /// Colour in sRGB, with its opacity as the last number.
    pub color: [u8; 4],
    /// Geometry of the item.
    pub shape: Shape,
}

/// Geometry of an item. Nodes and springs are indices into its body.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Ropes and rings, or the springs of a net.
    Lines {
        /// Lines of the item.
        lines: Vec<Line>,
        /// Thickness of every line.
        diameter: f64,
        /// Whether the lines are ropes rather than springs of a net.
        are_ropes: bool,
    },
    /// Cloth or mesh.
    Mesh {
        /// Facets with three or four corners.
        faces: Vec<Face>,
    },
    /// Rigid body: a mesh that moves without deformation.
    Solid(ExportedSolid),
}

impl Item {
    /// The rigid body, if the item is one.
    pub(super) fn solid(&self) -> Option<&ExportedSolid> {
        match &self.shape {
            Shape::Solid(solid) => Some(solid),
            _ => None,
        }
    }
}

/// Chain of nodes, with a spring between consecutive ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Indices of the nodes. A closed line does not repeat the first one.
    pub nodes: Vec<usize>,
    /// Indices of the springs: one fewer than nodes, or the same number in a closed line.
    pub springs: Vec<usize>,
    /// Whether the last spring leads back to the first node.
    pub is_closed: bool,
}

/// Facet with three or four corners, counterclockwise seen from the front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face {
    nodes: [usize; 4],
    springs: [usize; 4],
    count: u8,
}

impl Face {
    /// Creates a triangle, with the springs along its edges.
    pub fn triangle([a, b, c]: [usize; 3], [ab, bc, ca]: [usize; 3]) -> Self {
        Self { nodes: [a, b, c, a], springs: [ab, bc, ca, ab], count: 3 }
    }

    /// Creates a quadrilateral, with the springs along its edges.
    pub fn quadrilateral(nodes: [usize; 4], springs: [usize; 4]) -> Self {
        Self { nodes, springs, count: 4 }
    }

    /// Nodes at the corners.
    pub fn nodes(&self) -> &[usize] {
        &self.nodes[..usize::from(self.count)]
    }

    /// Springs along the edges. The facet is torn once one of them breaks.
    pub fn springs(&self) -> &[usize] {
        &self.springs[..usize::from(self.count)]
    }
}

/// Opacity of a colour, 0 to 1.
pub(super) fn opacity([.., alpha]: [u8; 4]) -> f64 {
    f64::from(alpha) / 255.0
}

/// Hexadecimal digits of a colour, followed by the digits of its opacity unless it is opaque.
pub(super) fn digits([red, green, blue, alpha]: [u8; 4]) -> String {
    let color = format!("{red:02x}{green:02x}{blue:02x}");
    if alpha == u8::MAX { color } else { format!("{color}{alpha:02x}") }
}

/// Body with its index over all groups, which recordings use.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexedBody<'a> {
    pub(super) index: usize,
    pub(super) body: &'a ExportedBody,
}

/// Figure of a body, by its index in [`ExportedBody::figures`].
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexedFigure<'a> {
    pub(super) owner: IndexedBody<'a>,
    pub(super) place: usize,
}

impl<'a> IndexedFigure<'a> {
    pub(super) fn figure(self) -> &'a Figure {
        &self.owner.body.figures[self.place]
    }
}

impl Contents {
    /// Simulated time of an exported frame, by its index from the first exported frame.
    pub(super) fn time_of(&self, frame: usize) -> f64 {
        (self.frames.start + frame as u64) as f64 * self.frame_time
    }

    /// Number of frames.
    pub fn count(&self) -> usize {
        (self.frames.end - self.frames.start) as usize
    }

    /// Bodies of all groups, in order.
    pub fn bodies(&self) -> impl Iterator<Item = &ExportedBody> {
        self.groups.iter().flat_map(|group| &group.bodies)
    }

    /// Total number of items and figures.
    pub fn items(&self) -> usize {
        self.bodies().map(|body| body.items.len() + body.figures.len()).sum()
    }

    /// Name of an item in formats without groups: prefixed with the group's name if there are
    /// several groups.
    pub(super) fn full_name(&self, group: &Group, name: &str) -> String {
        if self.groups.len() == 1 { name.into() } else { format!("{} {name}", group.name) }
    }
}

impl ExportedBody {
    /// Adds a figure, which is then posed and written with the body.
    pub fn add_figure(&mut self, figure: Figure) {
        self.figures.push(figure);
    }
}

/// Converts an sRGB colour with one byte per channel into linear light, 0 to 1.
pub fn linear(color: [u8; 3]) -> [f64; 3] {
    color.map(|channel| decode(f64::from(channel) / 255.0).0)
}

/// Linear light of a colour, without its opacity.
pub(super) fn light([red, green, blue, _]: [u8; 4]) -> [f64; 3] {
    linear([red, green, blue])
}
