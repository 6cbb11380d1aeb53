//! Buffers for pictures in space, which a canvas reuses from frame to frame.

use crate::space::facet::Facet;
use crate::space::mesh::Mesh;
use crate::space::shade::Fragments;
use crate::space::shadow::ShadowMap;
use crate::space::single::Single3;
use crate::space::visibility::{SAMPLES, TILE, Tile};

/// Buffers of a thread for panels in space, which are reused for all frames.
#[derive(Default)]
pub struct SpaceBuffers {
    pub(super) mesh: Mesh,
    pub(super) facets: Vec<Facet>,
    pub(super) tiles: Vec<Vec<u32>>,
    /// Whether a tile shows parts of bodies or their shadows.
    pub(super) is_touched: Vec<bool>,
    /// Whether the light on fixed surfaces in each cell of each tile is unchanged; empty before the
    /// first frame.
    pub(super) is_unchanged: Vec<bool>,
    pub(super) shadows: Option<ShadowMap>,
    pub(super) tile: Tile,
    /// Nearness in a tile before earlier positions of bodies were added.
    pub(super) nearness: Vec<[f32; SAMPLES]>,
    pub(super) fragments: Fragments,
    /// Colours of the pixels of a tile, and whether each pixel is redrawn.
    pub(super) pixels: Vec<Single3>,
    pub(super) is_shown: Vec<bool>,
    pub(super) row: Vec<[u8; 3]>,
}

impl SpaceBuffers {
    /// Allocates buffers for the pixels of a tile.
    pub(super) fn make_room(&mut self) {
        self.pixels.resize(TILE * TILE, [0.0; 3]);
        self.is_shown.resize(TILE * TILE, false);
    }
}
