//! Buffers for pictures in space, which a canvas reuses from frame to frame.

use crate::space::facet::Facet;
use crate::space::mesh::Mesh;
use crate::space::shade::Fragments;
use crate::space::shadow::ShadowMap;
use crate::space::single::Single3;
use crate::space::visibility::{SAMPLES, TILE, Tile};
use std::sync::{Mutex, PoisonError};

/// Buffers of a canvas for panels in space, which are reused for all frames.
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
    /// Buffers of the threads that draw tiles.
    pub(super) tile_buffers: TilePool,
}

/// Buffers for drawing one tile after another.
pub(super) struct TileBuffers {
    pub(super) tile: Tile,
    /// Nearness in a tile before earlier positions of bodies were added.
    pub(super) nearness: Vec<[f32; SAMPLES]>,
    pub(super) fragments: Fragments,
    /// Colours of the pixels of a tile, as sums and as bytes, and whether each pixel is redrawn.
    pub(super) pixels: Vec<Single3>,
    pub(super) bytes: Vec<[u8; 3]>,
    pub(super) is_shown: Vec<bool>,
}

impl Default for TileBuffers {
    fn default() -> Self {
        Self {
            tile: Tile::default(),
            nearness: Vec::new(),
            fragments: Fragments::default(),
            pixels: vec![[0.0; 3]; TILE * TILE],
            bytes: vec![[0; 3]; TILE * TILE],
            is_shown: vec![false; TILE * TILE],
        }
    }
}

/// Buffers that no thread uses at the moment.
#[derive(Default)]
pub(super) struct TilePool(Mutex<Vec<Box<TileBuffers>>>);

impl TilePool {
    /// Takes buffers. Creates them if all are in use.
    pub(super) fn take(&self) -> Box<TileBuffers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Returns buffers for reuse.
    pub(super) fn give_back(&self, buffers: Box<TileBuffers>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(buffers);
    }
}
