//! Pieces of rigid bodies: points of a body, and the edges and faces between them, with a half
//! thickness around them.
//!
//! A ball consists of its centre, and a capsule of the edge between its ends, with the radius as
//! half thickness. The corners, edges and faces of a box are inset by half of the contact
//! thickness. The outer sides of the box are therefore exact, and its edges are rounded by half of
//! the contact thickness. Centres are nodes of the body. Ends and corners are additional nodes of
//! the contact, which move with the body.

use crate::body::rigid::Rows;
use crate::body::vector::Vec3;
use crate::body::{Form, Model, Part, SolidForm, SolidKind};

/// Edges of a rectangle as pairs of corners.
pub(crate) const RECTANGLE_EDGES: [(usize, usize); 4] = [(0, 1), (2, 3), (0, 2), (1, 3)];

/// Edges of a box as pairs of corners. Bit k of a corner's index is set at the upper end along axis
/// k.
pub(crate) const BOX_EDGES: [(usize, usize); 12] = [
    (0, 1),
    (2, 3),
    (4, 5),
    (6, 7),
    (0, 2),
    (1, 3),
    (4, 6),
    (5, 7),
    (0, 4),
    (1, 5),
    (2, 6),
    (3, 7),
];

/// Corners of each side of a box, in order around it.
pub(crate) const BOX_SIDES: [[usize; 4]; 6] =
    [[0, 2, 6, 4], [1, 5, 7, 3], [0, 4, 5, 1], [2, 3, 7, 6], [0, 1, 3, 2], [4, 6, 7, 5]];

/// Pieces of a rigid body.
#[derive(Clone, Debug)]
pub(in crate::contact) struct RigidSolid {
    /// Index of its part.
    pub(super) part: usize,
    /// Half thickness of its pieces.
    pub(super) half: f64,
    /// Nodes of its pieces, except the centre of a ball.
    pub(super) corners: Vec<usize>,
    /// Nodes of each vertex, each edge and each face.
    pub(super) pieces: [Vec<Vec<usize>>; 3],
    /// Nodes that determine its neighbours along springs.
    pub(super) reference_nodes: Vec<usize>,
}

/// Motion of a rigid body in a step without contacts.
pub(super) struct SolidMotion {
    /// Node about which the body rotates.
    pub(super) hub: usize,
    /// Inverse tensor of inertia about the hub.
    pub(super) inverse: Rows,
    /// Rotation in the step.
    pub(super) turned: Vec3,
    /// Angular velocity at the end.
    pub(super) spin: Vec3,
    /// Vectors from the hub to the corners at the end.
    pub(super) arms: Vec<Vec3>,
    /// Node of the centre, and the vector from the hub to the centre at the end.
    pub(super) centre: (usize, Vec3),
}

/// Returns the rigid bodies among some parts. Appends their corners to `places`.
pub(super) fn solids(
    parts: &[Part],
    model: &Model,
    half: impl Fn(usize) -> f64,
    places: &mut Vec<Vec3>,
) -> Vec<RigidSolid> {
    let mut found = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let Form::Solid(form) = &part.form else { continue };
        let centre = part.nodes[0];
        let (half, core) = core(form, model.axes, half(index));
        if core.is_empty() {
            // Edges touch only edges, so a ball is also an edge of length 0.
            let [vertices, edges] = [vec![vec![centre]], vec![vec![centre]]];
            let pieces = [vertices, edges, Vec::new()];
            let reference_nodes = vec![centre];
            found.push(RigidSolid {
                part: index,
                half,
                corners: Vec::new(),
                pieces,
                reference_nodes,
            });
            continue;
        }
        let first = model.nodes() + places.len();
        let corners: Vec<usize> = (first..first + core.len()).collect();
        let pieces = pieces(core.len()).map(|pieces| {
            let of_corners = |piece: Vec<usize>| piece.iter().map(|k| corners[*k]).collect();
            pieces.into_iter().map(of_corners).collect()
        });
        places.extend(core);
        found.push(RigidSolid {
            part: index,
            half,
            corners,
            pieces,
            reference_nodes: part.nodes.clone(),
        });
    }
    found
}

/// Returns the half thickness of a body, and its corners in its own frame; none for a ball.
fn core(form: &SolidForm, axes: usize, half: f64) -> (f64, Vec<Vec3>) {
    let sizes = form.lengths();
    match form.kind {
        SolidKind::Ball => (sizes[0], Vec::new()),
        SolidKind::Capsule if sizes[1] == 0.0 => (sizes[0], Vec::new()),
        SolidKind::Capsule => {
            let end = 0.5 * sizes[1];
            (sizes[0], vec![[-end, 0.0, 0.0], [end, 0.0, 0.0]])
        }
        SolidKind::Box => {
            let corner = |index: usize| {
                let side = |axis: usize| {
                    let end = 0.5 * sizes[axis] - half;
                    if index >> axis & 1 == 1 { end } else { -end }
                };
                [side(0), side(1), if axes == 2 { 0.0 } else { side(2) }]
            };
            (half, (0..1 << axes).map(corner).collect())
        }
    }
}

/// Returns vertices, edges and faces of a capsule, a rectangle or a box, by the number of corners.
fn pieces(corners: usize) -> [Vec<Vec<usize>>; 3] {
    let vertices = (0..corners).map(|k| vec![k]).collect();
    let edges: &[(usize, usize)] = match corners {
        2 => &[(0, 1)],
        4 => &RECTANGLE_EDGES,
        _ => &BOX_EDGES,
    };
    let edges = edges.iter().map(|(a, b)| vec![*a, *b]).collect();
    let halves = |[a, b, c, d]: [usize; 4]| [vec![a, b, c], vec![a, c, d]];
    let faces =
        if corners == 8 { BOX_SIDES.into_iter().flat_map(halves).collect() } else { vec![] };
    [vertices, edges, faces]
}
