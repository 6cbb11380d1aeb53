//! Rendering of panels in space, with depth, light and shadows.
//!
//! All objects are triangles in a `mesh`. `tube` creates ropes, along lines that `curve` smooths.
//! `sheet` creates cloth; `solid` creates colliders, nodes and pins; `rig` creates skins and bones;
//! and `ground` creates the ground. `facet` projects the triangles, and `visibility` finds the
//! front triangle for each of eight samples per pixel. `pixels` divides pixels among triangles.
//! `shade` computes their colours from the `light`, the `shadow` maps and the patterns. `fixed`
//! holds the objects that never move. `painter` draws the tiles of a panel that may have changed.

mod buffers;
mod curve;
mod facet;
mod fixed;
mod ground;
mod light;
mod mesh;
mod painter;
mod part;
mod pixels;
mod rig;
mod shade;
mod shadow;
mod sheet;
mod single;
mod solid;
mod surface_points;
mod texture;
mod translucent;
mod tube;
mod visibility;

pub use crate::space::buffers::SpaceBuffers;
pub use curve::{CurvePoint, curve};
pub use facet::{Facet, facets};
pub use fixed::Surroundings;
pub use mesh::{Material, Mesh, Sides, Surface, Vertex, channels};
pub use painter::SpacePainter;
pub use solid::add_solid;
pub use tube::{Line, add_tube};
pub use visibility::{Edges, NOTHING, OFFSETS, RealEdges, SAMPLES, TILE, Tile, WholeEdges};
