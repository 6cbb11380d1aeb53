//! Pictures of space: surfaces with depth, light and shadow.
//!
//! Everything is triangles. [`mesh`] holds them; [`tube`] makes those of ropes, [`sheet`] those of
//! cloth, [`solid`] those of colliders, [`mark`] those of nodes and pins, and [`ground`] that of the
//! ground. [`facet`] brings them into the picture, and [`visibility`] finds for each of eight
//! subsamples of a pixel the one in front. [`shade`] gives what is seen its colour, in the light of
//! [`light`], with the shadows of [`shadow`]. [`painter`] does so for the tiles of a panel where
//! something may have changed.

mod facet;
mod ground;
mod light;
mod mark;
mod mesh;
mod painter;
mod part;
mod pattern;
mod shade;
mod shadow;
mod sheet;
mod single;
mod solid;
mod tiles;
mod tube;
mod visibility;

pub use facet::{Facet, facets};
pub use mesh::{Material, Mesh, Surface, Vertex};
pub use painter::{SpaceBuffers, SpacePainter, Surroundings};
pub use visibility::{NOTHING, OFFSETS, SAMPLES, TILE, Tile};
