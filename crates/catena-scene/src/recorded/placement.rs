//! Statements of the user about a recorded motion, which its file does not contain.

use crate::words::{NodeOrder, YAxis};
use catena_sim::vector::Vec3;

/// Statements of the user about a file. For `None`, the file and the initial state of the body
/// decide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Node that a file of one point describes; `None` is the last node.
    pub node: Option<usize>,
    /// Node of the body for the lowest node number in the file.
    pub first_node: Option<usize>,
    /// Direction in which the file counts nodes.
    pub node_order: Option<NodeOrder>,
    /// Frame of the scene that the first time of the file shows.
    pub first_frame: Option<u64>,
    /// Direction of y.
    pub y: Option<YAxis>,
    /// Panel and body of the scene, which select the rows of a file with several bodies.
    pub own: [u64; 2],
    /// Panel of the file; `None` takes the scene's own.
    pub panel: Option<u64>,
    /// Body of the file; `None` takes the scene's own.
    pub body: Option<u64>,
    /// Factor of the positions in the file.
    pub scale: f64,
    /// Position of the file's origin in the scene.
    pub translate: Vec3,
}

impl Default for Placement {
    fn default() -> Self {
        let (node, first_node, node_order, first_frame, y) = Default::default();
        let (own, panel, body, scale, translate) = ([0; 2], None, None, 1.0, [0.0; 3]);
        Self { node, first_node, node_order, first_frame, y, own, panel, body, scale, translate }
    }
}
