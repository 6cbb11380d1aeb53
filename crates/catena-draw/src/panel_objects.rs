//! Objects of a panel that a frame shows in addition to its bodies: rigs, moved solids and trails.

use crate::body::DrawnPart;
use crate::rigs::DrawnRig;
use crate::solids::ShownSolid;
use crate::theme::Ink;
use crate::vector::Vec3;

/// Trail of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Trail {
    /// Positions, from the current one backwards.
    pub points: Vec<Vec3>,
    /// Current colour, and the colour into which the trail fades.
    pub inks: [Ink; 2],
    /// Thickness in pixels.
    pub width: f64,
    /// Opacity: 0 is invisible, 255 opaque.
    pub alpha: u8,
}

/// Objects of a panel in one frame, except its fixed surroundings.
#[derive(Clone, Copy)]
pub struct PanelObjects<'a> {
    /// Parts of bodies, in drawing order.
    pub parts: &'a [DrawnPart<'a>],
    /// Trails of nodes.
    pub trails: &'a [Trail],
    /// Lines over the bodies, such as the reference motion of a body.
    pub over: &'a [Trail],
    /// Rigs, without duplicates.
    pub rigs: &'a [DrawnRig<'a>],
    /// Moving colliders.
    pub moving: &'a [ShownSolid],
    /// Spokes of moving balls, which show their rotation. Only planar panels draw spokes.
    pub spokes: &'a [[Vec3; 2]],
}
