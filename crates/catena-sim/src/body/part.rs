//! The parts of a body: ropes, rings, sheets, meshes and graphs, joined into one system.

/// Form of a part, for pictures, contact and tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// A rope: structural spring i joins nodes i and i + 1 of the part. In a closed rope the last
    /// spring joins the last node and node 0.
    Rope {
        /// Whether the rope is a ring.
        closed: bool,
    },
    /// A sheet: node (row, column) is row * columns + column. Structural springs along rows come
    /// first, then structural springs along columns.
    Sheet {
        /// Number of rows, at least 2.
        rows: usize,
        /// Number of columns, at least 2.
        columns: usize,
    },
    /// Triangles of three nodes of the part each, counterclockwise as seen from the front.
    Mesh {
        /// Node indices of the part for each triangle.
        facets: Vec<[usize; 3]>,
    },
    /// Nodes and springs without a regular order.
    Graph,
    /// A rigid body, whose first node is its centre.
    Solid(SolidForm),
}
crate::identity!(
    enum Form {
        Rope { closed },
        Sheet { rows, columns },
        Mesh { facets },
        Graph,
        Solid(form),
    }
);

/// Kind of a rigid body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolidKind {
    /// Ball, or a disc in the plane.
    Ball,
    /// Capsule along its own x axis.
    Capsule,
    /// Box with sides along its own axes.
    Box,
}
crate::identity!(
    enum SolidKind {
        Ball,
        Capsule,
        Box,
    }
);

impl SolidKind {
    /// Name of the kind in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ball => "ball",
            Self::Capsule => "capsule",
            Self::Box => "box",
        }
    }
}

/// A rigid body: its sizes, and the positions of its nodes at rest. Numbers are stored as bits, so
/// that forms can be compared exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolidForm {
    /// Kind of the body.
    pub kind: SolidKind,
    /// Bits of the sizes; see [`SolidForm::lengths`].
    pub sizes: [u64; 3],
    /// Bits of the position of each node at rest, in the coordinates of the body.
    pub rest: Vec<[u64; 3]>,
}
crate::identity!(SolidForm { kind, sizes, rest });

impl SolidForm {
    /// Number of points that the solid lists: these are nodes 1 to this number. The nodes after
    /// them are its core, which only carries mass.
    pub fn points(&self) -> usize {
        let is_planar = self.rest.iter().all(|at| f64::from_bits(at[2]) == 0.0);
        self.rest.len().saturating_sub(if is_planar { 4 } else { 5 })
    }
}

/// One part of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Name that joins and tables use; empty if the body has one part.
    pub name: String,
    /// Form of the part.
    pub form: Form,
    /// Nodes: node i of the part is node `nodes[i]` of the body. Joined parts share nodes.
    pub nodes: Vec<usize>,
    /// Structural springs of the part in their order along it, as indices into the springs of the
    /// body.
    pub springs: Vec<usize>,
}
crate::identity!(Part { name, form, nodes, springs });

impl Part {
    /// Triangles as node indices of the body: two per cell of a sheet, all triangles of a mesh,
    /// none for other forms.
    pub fn facets(&self) -> Vec<[usize; 3]> {
        let of_body = |facet: [usize; 3]| facet.map(|i| self.nodes[i]);
        match &self.form {
            Form::Rope { .. } | Form::Graph | Form::Solid(_) => Vec::new(),
            Form::Mesh { facets } => facets.iter().copied().map(of_body).collect(),
            Form::Sheet { rows, columns } => {
                let cells = (0..rows - 1).flat_map(|row| (0..columns - 1).map(move |c| (row, c)));
                cells
                    .flat_map(|(row, column)| {
                        let corner = row * columns + column;
                        let below = corner + columns;
                        [[corner, below, below + 1], [corner, below + 1, corner + 1]].map(of_body)
                    })
                    .collect()
            }
        }
    }

    /// Whether the part is drawn as a surface: a sheet or a mesh.
    pub fn is_surface(&self) -> bool {
        matches!(self.form, Form::Sheet { .. } | Form::Mesh { .. })
    }
}

/// Arrangement of the nodes of a body, for pictures and for shapes at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrangement {
    /// A chain: structural spring i joins nodes i and i + 1.
    #[default]
    Chain,
    /// A sheet: node (row, column) is row * columns + column.
    Sheet {
        /// Number of rows, at least 2.
        rows: usize,
        /// Number of columns, at least 2.
        columns: usize,
    },
    /// Any other body, described by [`Model::parts`](super::Model::parts).
    Parts,
}
