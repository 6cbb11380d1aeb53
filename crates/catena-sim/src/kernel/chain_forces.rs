//! Euler's methods on a rope of Hooke's springs, with all steps of a frame in one sweep.
//!
//! One step traverses the rope vector by vector. Each vector takes three operations: compute the
//! pull of each spring, sum the pulls on each node, move the nodes. The sum adds the pull of the
//! spring that ends at the node, then the pull of the spring that starts there. Registers carry the
//! pulls of one vector's springs to the next vector.
//!
//! A long rope does not fit into the cache, so it is cut into tiles. A tile takes many steps before
//! the next one is read. A node can take a step as soon as its right neighbour has taken all
//! earlier steps. The range of a tile therefore moves one block of nodes to the left with each
//! step: a tile is a parallelogram in nodes and steps. The pull at its left edge is the last pull
//! of the previous tile, which is stored for each step.
//!
//! Each node gets the same operations in the same order as in the plain loop, so results are
//! bit-identical.

use super::{
    node_forces::{ADDENDS, Addend, NodeConstants, NodeForceLanes, NodeForces, NodeUpdate},
    steps::{StartAndEnd, Steps},
};
use crate::body::{Model, Spring, State};
use crate::force::{Part, formula::pull};
use crate::instructions::Instructions;
use crate::lane::{CacheLine, Lane, Vector, WIDTH, WideSimd, WideWork};
use std::ops::Range;

/// Number of blocks per tile.
const TILE: usize = 48;

/// Number of nodes up to which a rope is too short to hide the latency of square roots and
/// divisions. The latency increases with the width of vectors.
const SHORT: usize = 32;

/// Maximum number of steps that a tile takes before the next one is read.
const STEPS: usize = 64;

/// Eight nodes and the springs that start at them.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Block<const A: usize> {
    x: [CacheLine; A],
    v: [CacheLine; A],
    stiffness: CacheLine,
    /// Rest length; negative for a missing spring.
    rest_length: CacheLine,
    mass: CacheLine,
    inverse: CacheLine,
    /// 1 for pinned nodes and for missing ones.
    pinned: CacheLine,
}

impl<const A: usize> Block<A> {
    const EMPTY: Self = Self {
        x: [CacheLine::all(0.0); A],
        v: [CacheLine::all(0.0); A],
        stiffness: CacheLine::all(0.0),
        rest_length: CacheLine::all(-1.0),
        mass: CacheLine::all(1.0),
        inverse: CacheLine::all(1.0),
        pinned: CacheLine::all(1.0),
    };

    /// Copies nodes from index `first` on.
    fn load(model: &Model, state: &State, first: usize) -> Self {
        let mut block = Self::EMPTY;
        let (n, nodes) = (model.nodes(), first..model.nodes().min(first + WIDTH));
        for axis in 0..A {
            let range = axis * n + nodes.start..axis * n + nodes.end;
            block.x[axis].0[..nodes.len()].copy_from_slice(&state.x[range.clone()]);
            block.v[axis].0[..nodes.len()].copy_from_slice(&state.v[range]);
        }
        let springs = model.held();
        let before = springs.partition_point(|spring| spring.a < nodes.start);
        for spring in springs[before..].iter().take_while(|spring| spring.a < nodes.end) {
            block.stiffness.0[spring.a - nodes.start] = spring.stiffness;
            block.rest_length.0[spring.a - nodes.start] = spring.rest_length;
        }
        for (lane, node) in nodes.enumerate() {
            block.mass.0[lane] = model.mass[node];
            block.inverse.0[lane] = 1.0 / model.mass[node];
            block.pinned.0[lane] = f64::from(model.pinned[node]);
        }
        block
    }

    /// Returns the constants of the nodes in a part of the block.
    #[inline(always)]
    fn node<S: WideSimd>(&self, simd: S, part: usize) -> NodeConstants<Vector<S>> {
        NodeConstants {
            mass: self.mass.get(simd, part),
            inverse: self.inverse.get(simd, part),
            pinned: Vector::splat(simd, 0.0).is_below(self.pinned.get(simd, part)),
        }
    }

    /// Copies positions and velocities to the state.
    fn store(&self, state: &mut State, n: usize, first: usize) {
        let count = WIDTH.min(n - first);
        for axis in 0..A {
            let range = axis * n + first..axis * n + first + count;
            state.x[range.clone()].copy_from_slice(&self.x[axis].0[..count]);
            state.v[range].copy_from_slice(&self.v[axis].0[..count]);
        }
    }
}

/// Workspace of the kernel: the blocks of a tile, and the values that tiles pass to the next one.
/// Holds no state between bursts.
#[derive(Debug, Default)]
pub struct ChainTiles<const A: usize> {
    blocks: Vec<Block<A>>,
    /// Pull of the last spring of the previous tile, for each step.
    edges: Vec<[CacheLine; A]>,
}

/// Whether every spring joins a node and the next one, in order of nodes. This is the case for one
/// or more unconnected ropes.
pub fn fits(model: &Model) -> bool {
    let joins = |spring: &Spring| spring.b == spring.a + 1 && spring.rest_length >= 0.0;
    let are_sorted = model.springs.windows(2).all(|pair| pair[0].a < pair[1].a);
    model.held == model.springs.len() && are_sorted && model.springs.iter().all(joins)
}

impl<const A: usize> ChainTiles<A> {
    /// Takes `count` steps.
    pub fn run(
        &mut self,
        model: &Model,
        ends: &mut StartAndEnd<'_>,
        forces: &NodeForces<A>,
        steps: &Steps,
    ) {
        let mut left = steps.count;
        while left > 0 {
            let count = left.min(STEPS as u64);
            self.sweep(model, ends, forces, steps, count as usize);
            ends.start = None;
            left -= count;
        }
    }

    /// Takes `count` steps, tile by tile.
    fn sweep(
        &mut self,
        model: &Model,
        ends: &mut StartAndEnd<'_>,
        forces: &NodeForces<A>,
        steps: &Steps,
        count: usize,
    ) {
        let n = model.nodes();
        let all = n.div_ceil(WIDTH);
        let is_waiting = n <= SHORT && steps.with_new;
        let instructions = match Instructions::best() {
            Instructions::Avx512 if is_waiting => Instructions::Avx2,
            best => best,
        };
        self.edges.clear();
        self.edges.resize(count, [CacheLine::all(0.0); A]);
        self.blocks.clear();
        // `front` is the index of the first block in `blocks`. `fresh` is the index of the first
        // block that the tile's first step has not reached.
        let (mut front, mut fresh) = (0, 0);
        while front < all {
            // A short last tile would cost more than extending the one before.
            let end = if fresh + TILE + TILE / 2 >= all { all } else { fresh + TILE };
            while front + self.blocks.len() < all.min(end + 1) {
                let next = (front + self.blocks.len()) * WIDTH;
                self.blocks.push(Block::load(model, ends.from(), next));
            }
            if end == all {
                self.blocks.push(Block::EMPTY);
            }
            let (blocks, edges) = (&mut self.blocks[..], &mut self.edges[..]);
            let (range, is_last) = (fresh - front..end - front, end == all);
            if forces.is_usual() {
                let tile = Tile::<A, true> { blocks, edges, range, is_last, forces, steps };
                instructions.run_with(tile);
            } else {
                let tile = Tile::<A, false> { blocks, edges, range, is_last, forces, steps };
                instructions.run_with(tile);
            }
            let done = if end == all { end } else { (end + 1).saturating_sub(count).max(front) };
            for (block, index) in self.blocks.iter().zip(front..done) {
                block.store(ends.end, n, index * WIDTH);
            }
            self.blocks.drain(..done - front);
            (front, fresh) = (done, end);
        }
    }
}

/// Steps of one tile. `USUAL` means that forces are in their usual order.
struct Tile<'a, const A: usize, const USUAL: bool> {
    blocks: &'a mut [Block<A>],
    edges: &'a mut [[CacheLine; A]],
    /// Range of the first step, as indices into `blocks`.
    range: Range<usize>,
    /// Whether the tile ends at the end of the rope.
    is_last: bool,
    forces: &'a NodeForces<A>,
    steps: &'a Steps,
}

impl<const A: usize, const USUAL: bool> WideWork for Tile<'_, A, USUAL> {
    type Output = ();

    /// Scenes use only the usual order.
    const IS_WIDE: bool = USUAL;

    #[inline(always)]
    fn run<S: WideSimd>(self, simd: S) {
        let one = Step::new(simd, self.forces, self.steps);
        for (step, edge) in self.edges.iter_mut().enumerate() {
            let start = self.range.start.saturating_sub(step);
            let end = self.range.end;
            let end = if self.is_last { end } else { end.saturating_sub(step) };
            if start < end {
                let blocks = &mut self.blocks[start..=end];
                one.run::<USUAL>(blocks, edge);
            }
        }
    }
}

/// One step, in vectors.
struct Step<'a, S: WideSimd, const A: usize> {
    simd: S,
    forces: &'a NodeForces<A>,
    /// Flags of the acting forces, in their usual order.
    acting: [bool; ADDENDS],
    wide: NodeForceLanes<Vector<S>, A>,
    motion: NodeUpdate<Vector<S>>,
}

impl<'a, S: WideSimd, const A: usize> Step<'a, S, A> {
    #[inline(always)]
    fn new(simd: S, forces: &'a NodeForces<A>, steps: &Steps) -> Self {
        let (wide, motion) = (forces.wide(simd), NodeUpdate::new(simd, steps));
        Self { simd, forces, acting: forces.acting(), wide, motion }
    }

    /// Takes the step for all blocks except the last, which only provides neighbours. `USUAL` means
    /// that forces are in their usual order.
    ///
    /// A block moves while the pulls of the next one are computed, so that square roots and
    /// divisions overlap with other work.
    #[inline(always)]
    fn run<const USUAL: bool>(&self, blocks: &mut [Block<A>], edge: &mut [CacheLine; A]) {
        let mut before = CacheLine::get_all(edge, self.simd, 0);
        let mut pulls = [CacheLine::all(0.0); A];
        for i in 0..blocks.len() {
            for part in 0..WIDTH / S::F64_LANES {
                let own = CacheLine::get_all(&pulls, self.simd, part);
                if let [block, next, ..] = &blocks[i..] {
                    CacheLine::set_all(&mut pulls, part, self.pull(block, next, part));
                }
                if let Some(previous) = i.checked_sub(1) {
                    self.move_on::<USUAL>(&mut blocks[previous], part, &before, &own);
                    before = own;
                }
            }
        }
        CacheLine::set_all(edge, 0, before);
    }

    /// Pulls of the springs that start in a part of a block.
    #[inline(always)]
    fn pull(&self, block: &Block<A>, next: &Block<A>, part: usize) -> [Vector<S>; A] {
        let simd = self.simd;
        let mut d = CacheLine::get_all(&block.x, simd, part);
        for axis in 0..A {
            let is_last = (part + 1) * S::F64_LANES == WIDTH;
            let next =
                if is_last { next.x[axis].get(simd, 0) } else { block.x[axis].get(simd, part + 1) };
            d[axis] = d[axis].after(next) - d[axis];
        }
        pull(d, block.stiffness.get(simd, part), block.rest_length.get(simd, part))
    }

    /// Moves a part of a block under the pulls of the springs that end at its nodes (`before`) and
    /// start at its nodes (`own`).
    #[inline(always)]
    fn move_on<const USUAL: bool>(
        &self,
        block: &mut Block<A>,
        part: usize,
        before: &[Vector<S>; A],
        own: &[Vector<S>; A],
    ) {
        let simd = self.simd;
        let (v, mut f) = (CacheLine::get_all(&block.v, simd, part), [Vector::splat(simd, 0.0); A]);
        let node = block.node(simd, part);
        if USUAL {
            if self.acting[0] {
                add_springs(&mut f, before, own);
            }
            if self.acting[2] {
                self.wide.add_gravity(&mut f, node.mass);
            }
            if self.acting[3] {
                self.wide.add_drag(&mut f, &v);
            }
        } else {
            for addend in self.forces.order.iter().flatten() {
                match addend {
                    Addend::Gravity => self.wide.add_gravity(&mut f, node.mass),
                    Addend::Drag => self.wide.add_drag(&mut f, &v),
                    Addend::Springs(Part::Held) => add_springs(&mut f, before, own),
                    Addend::Springs(Part::Bending) => {}
                }
            }
        }
        for axis in 0..A {
            let x = block.x[axis].get(simd, part);
            let (x, v) = self.motion.step(&node, f[axis], x, v[axis]);
            block.x[axis].set(part, x);
            block.v[axis].set(part, v);
        }
    }
}

/// Adds the pulls of springs that end at nodes, and then of springs that start there.
#[inline(always)]
fn add_springs<S: WideSimd, const A: usize>(
    f: &mut [Vector<S>; A],
    before: &[Vector<S>; A],
    own: &[Vector<S>; A],
) {
    for axis in 0..A {
        f[axis] = f[axis] - own[axis].before(before[axis]) + own[axis];
    }
}
