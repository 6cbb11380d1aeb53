//! What of an export stays the same over time: panels, bodies and their items.

use super::figure::Figure;
use std::ops::Range;

/// What is exported, apart from where it is at each time.
#[derive(Clone, Debug)]
pub struct Contents {
    /// The name of the scene.
    pub name: String,
    /// The frames.
    pub frames: Range<u64>,
    /// Simulated time from frame to frame.
    pub frame_time: f64,
    /// A group for each panel, in order.
    pub groups: Vec<Group>,
}

/// What a panel holds.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its name, which no other group has: the panel's label.
    pub name: String,
    /// The bodies, in order.
    pub bodies: Vec<ExportedBody>,
}

/// A body: its nodes, and what is made of them.
#[derive(Clone, Debug)]
pub struct ExportedBody {
    /// What messages call it.
    pub label: String,
    /// The numbers of its panel and of itself in the panel, as a trace counts them.
    pub place: [u32; 2],
    /// 2 or 3.
    pub axes: usize,
    /// How many nodes it has.
    pub nodes: usize,
    /// Ends of its springs: the structural ones, and then those that events make.
    pub springs: Vec<[usize; 2]>,
    /// How many of the springs are structural.
    pub structural: usize,
    /// Whether the tension of springs is known.
    pub knows_tension: bool,
    /// Its items: a part each, and one of the springs that events make.
    pub items: Vec<Item>,
    /// Figures that it hangs on or that stand beside it.
    pub figures: Vec<Figure>,
}

/// A rope, a net, a cloth or a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Its name, which no other item of its group has.
    pub name: String,
    /// Its colour in sRGB.
    pub color: [u8; 3],
    /// What it is made of.
    pub shape: Shape,
}

/// What an item is made of. Nodes and springs are numbers of its body.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Ropes and rings, or the springs of a net.
    Lines {
        /// The lines.
        lines: Vec<Line>,
        /// Thickness of all.
        diameter: f64,
        /// Whether they are ropes rather than springs of a net.
        are_ropes: bool,
    },
    /// A cloth or a mesh.
    Mesh {
        /// Facets of three or four corners.
        faces: Vec<Face>,
    },
}

/// Nodes one after another, with a spring between each two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The nodes; of a closed line the first one does not come again.
    pub nodes: Vec<usize>,
    /// The springs: one less than nodes, or as many in a closed line.
    pub springs: Vec<usize>,
    /// Whether the last spring leads back to the first node.
    pub is_closed: bool,
}

/// A facet of three or four corners, counterclockwise seen from the front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face {
    nodes: [usize; 4],
    springs: [usize; 4],
    count: u8,
}

impl Face {
    /// A triangle with the springs along its edges.
    pub fn triangle([a, b, c]: [usize; 3], [ab, bc, ca]: [usize; 3]) -> Self {
        Self { nodes: [a, b, c, a], springs: [ab, bc, ca, ab], count: 3 }
    }

    /// A quadrilateral with the springs along its edges.
    pub fn quadrilateral(nodes: [usize; 4], springs: [usize; 4]) -> Self {
        Self { nodes, springs, count: 4 }
    }

    /// Its corners.
    pub fn nodes(&self) -> &[usize] {
        &self.nodes[..usize::from(self.count)]
    }

    /// The springs along its edges; without one of them it is torn.
    pub fn springs(&self) -> &[usize] {
        &self.springs[..usize::from(self.count)]
    }
}

impl Contents {
    /// How many frames there are.
    pub fn count(&self) -> usize {
        (self.frames.end - self.frames.start) as usize
    }

    /// The bodies of all groups, in order.
    pub fn bodies(&self) -> impl Iterator<Item = &ExportedBody> {
        self.groups.iter().flat_map(|group| &group.bodies)
    }

    /// How many items and figures there are.
    pub fn items(&self) -> usize {
        self.bodies().map(|body| body.items.len() + body.figures.len()).sum()
    }

    /// The name of an item where no group stands around it: with the group's in front, if there
    /// are several.
    pub(super) fn full_name(&self, group: &Group, name: &str) -> String {
        if self.groups.len() == 1 { name.into() } else { format!("{} {name}", group.name) }
    }
}

impl ExportedBody {
    /// Adds a figure, which is posed and written with the body from then on. This is where figures
    /// of scenes come in.
    pub fn add_figure(&mut self, figure: Figure) {
        self.figures.push(figure);
    }
}
