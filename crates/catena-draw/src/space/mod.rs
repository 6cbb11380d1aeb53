//! Pictures of space: surfaces with depth, light and shadow.
//!
//! Everything is triangles. `mesh` holds them; `tube` makes those of ropes, `sheet` those of
//! cloth, `solid` those of colliders, `mark` those of nodes and pins, and `ground` that of
//! the ground. `facet` brings them into the picture, and `visibility` finds for each of eight
//! subsamples of a pixel the one in front. `pixels` divides pixels among triangles, and `shade`
//! gives these their colours, in the light of `light`, with the shadows of `shadow` and the
//! patterns of `pattern`. `fixed` is what never moves; `painter` draws the `tiles` of a
//! panel where something may have changed.

mod coverage;
mod facet;
mod fixed;
mod ground;
mod light;
mod mark;
mod mesh;
mod painter;
mod part;
mod pattern;
mod pixels;
mod rig;
mod shade;
mod shadow;
mod sheet;
mod single;
mod solid;
mod tiles;
mod tube;
mod visibility;

pub use coverage::{Edges, RealEdges, WholeEdges};
pub use facet::{Facet, facets};
pub use fixed::Surroundings;
pub use mesh::{Material, Mesh, Sides, Surface, Vertex, channels};
pub use painter::{SpaceBuffers, SpacePainter};
pub use solid::add_solid;
pub use tube::{Line, add_tube};
pub use visibility::{NOTHING, OFFSETS, SAMPLES, TILE, Tile};
