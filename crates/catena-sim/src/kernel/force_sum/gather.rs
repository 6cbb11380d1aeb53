//! Springs in irregular order: gathers their ends, computes their pulls in vectors, and adds them
//! one by one.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use super::TILE;
use super::stage::{Constants, StageMoment, TileMemory, TileNumbers};
use crate::body::Model;
use crate::force::SpringForce;
use crate::kernel::force_sum::pulls::Ends;
use crate::lane::WideSimd;

/// Springs of a force between arbitrary nodes.
#[derive(Debug)]
pub(super) struct Loose {
    is_elastic: bool,
    ends: Vec<(usize, usize)>,
    constants: Constants,
    room: Box<Room>,
}

/// Positions, velocities and pulls, by axis.
#[derive(Debug)]
struct Room {
    x: [(TileNumbers, TileNumbers); 3],
    v: [(TileNumbers, TileNumbers); 3],
    pulls: [TileNumbers; 3],
}

impl Loose {
    pub(super) fn new(
        force: usize,
        kind: SpringForce<'_>,
        is_elastic: bool,
        model: &Model,
        springs: &[usize],
    ) -> Self {
        let zeros = [0.0; TILE];
        let both = [(zeros, zeros); 3];
        let ends = springs.iter().map(|&j| (model.springs[j].a, model.springs[j].b)).collect();
        let springs: Vec<_> = springs.iter().copied().map(Some).collect();
        Self {
            is_elastic,
            ends,
            constants: Constants::new(force, kind, model, &springs),
            room: Box::new(Room { x: both, v: both, pulls: [zeros; 3] }),
        }
    }

    /// Number of springs.
    pub(super) fn springs(&self) -> usize {
        self.ends.len()
    }

    /// Adds the pulls to `f`, flat by axis.
    #[inline(always)]
    pub(super) fn add<S: WideSimd, const A: usize>(
        &mut self,
        simd: S,
        moment: &StageMoment<'_, '_>,
        tile: &mut TileMemory,
        f: &mut [f64],
    ) {
        if self.is_elastic && moment.is_external {
            return;
        }
        let n = f.len() / A;
        let Room { x, v, pulls } = &mut *self.room;
        for first in (0..self.ends.len()).step_by(TILE) {
            let places = first..(first + TILE).min(self.ends.len());
            let ends = &self.ends[places.clone()];
            for axis in 0..A {
                let along = axis * n..(axis + 1) * n;
                gather(ends, &moment.state.x[along.clone()], &mut x[axis]);
                if self.constants.depend_on_velocities() {
                    gather(ends, &moment.state.v[along], &mut v[axis]);
                }
            }
            let count = ends.len();
            let gathered = Ends {
                x: [first_of(&x[0], count), first_of(&x[1], count), first_of(&x[2], count)],
                v: [first_of(&v[0], count), first_of(&v[1], count), first_of(&v[2], count)],
            };
            let [first, second, third] = pulls;
            let out = [&mut first[..count], &mut second[..count], &mut third[..count]];
            self.constants.pull::<S, A>(simd, moment.system, places, &gathered, tile, out);
            for (f, pulls) in f.chunks_exact_mut(n).zip(&*pulls) {
                for (&(a, b), pull) in ends.iter().zip(pulls) {
                    f[a] += pull;
                    f[b] -= pull;
                }
            }
        }
    }
}

/// First `count` numbers of both lists.
#[inline(always)]
fn first_of((a, b): &(TileNumbers, TileNumbers), count: usize) -> (&[f64], &[f64]) {
    (&a[..count], &b[..count])
}

/// Copies the values at the ends of springs.
#[inline(always)]
fn gather(ends: &[(usize, usize)], from: &[f64], (a, b): &mut (TileNumbers, TileNumbers)) {
    for ((a, b), ends) in a.iter_mut().zip(b).zip(ends) {
        (*a, *b) = (from[ends.0], from[ends.1]);
    }
}
