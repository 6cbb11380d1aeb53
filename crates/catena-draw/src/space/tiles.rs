//! Tiles of a panel, and the triangles in each.

use super::facet::Facet;
use super::visibility::TILE;
use crate::rect::Rect;

/// Tiles of a rectangle of the picture, row by row.
#[derive(Clone, Copy)]
pub struct TileGrid(pub Rect);

impl TileGrid {
    fn across(&self) -> usize {
        (self.0.w.max(0) as usize).div_ceil(TILE)
    }

    /// Number of tiles.
    pub fn count(&self) -> usize {
        self.across() * (self.0.h.max(0) as usize).div_ceil(TILE)
    }

    /// Pixels of a tile.
    pub fn tile(&self, index: usize) -> Rect {
        let (row, column) = (index / self.across(), index % self.across());
        let (x, y) = (self.0.x + (column * TILE) as i32, self.0.y + (row * TILE) as i32);
        Rect { x, y, w: TILE as i32, h: TILE as i32 }.intersect(self.0)
    }

    /// Calls `take` with each tile that touches a range of pixels, given by first and last column
    /// and row.
    fn each(&self, [first, last, top, bottom]: [i32; 4], mut take: impl FnMut(usize)) {
        let side = TILE as i32;
        for row in (top - self.0.y) / side..=(bottom - self.0.y) / side {
            for column in (first - self.0.x) / side..=(last - self.0.x) / side {
                take(row as usize * self.across() + column as usize);
            }
        }
    }

    /// Adds the index of each triangle to the tiles that it may touch.
    pub fn sort(&self, facets: &[Facet], tiles: &mut [Vec<u32>]) {
        for (number, facet) in facets.iter().enumerate() {
            self.each(facet.pixels, |tile| tiles[tile].push(number as u32));
        }
    }
}
