//! How the variants of a sweep are put into bunches, and in which order bunches are dealt.
//!
//! A bunch has variants that can be simulated side by side, one in each lane of a vector: those
//! that differ only in axes that change numbers and leave shape, method and steps as they are.
//! Bunches and their order follow from the sweep alone. Any part of the order holds about as much
//! work as any other of its length, so shards take contiguous parts, however many there are.

use crate::scene::{
    Scene,
    limits::frame_cost,
    sweep::{Sweep, Variant},
};
use crate::sim::Setup;
use std::ops::Range;

/// The most variants of a bunch.
pub const BUNCH: u64 = 32;

/// The most kinds of variants whose work is estimated one by one, since each is built for it. Where
/// there are more, all count alike.
const MOST_KINDS: u64 = 64;

/// How many values of an axis are tried to see what it changes, besides the first.
const TRIED: u64 = 6;

/// The bunches of a sweep in the order in which they are dealt.
#[derive(Clone, Debug)]
pub struct Deal {
    /// For each axis that numbers variants, its stride and its count: those that change what can go
    /// side by side, and the others.
    kinds: Vec<[u64; 2]>,
    lanes: Vec<[u64; 2]>,
    /// Bunches of a kind.
    bunches: u64,
    /// The kinds from the most work to the least; empty where all count alike.
    ranks: Vec<u64>,
    /// Estimated nanoseconds of a frame of one variant of each kind; of one kind alone where all
    /// count alike.
    work: Vec<u128>,
    /// Bits of the number of bunches.
    bits: u32,
}

impl Deal {
    /// Puts the variants of a sweep into bunches.
    pub fn new(sweep: &Sweep) -> Self {
        let (mut kinds, mut lanes) = (Vec::new(), Vec::new());
        let mut stride = 1;
        let first = sweep.scene(&sweep.variant(0)).ok();
        // Variants are numbered with the last axis first, and the sample last.
        for count in sweep.counts().into_iter().rev().flatten() {
            let tried = TRIED.min(count - 1);
            let is_alike = first.as_ref().is_some_and(|first| {
                (1..=tried).all(|part| {
                    let number = stride * ((count - 1) * part / tried);
                    sweep.scene(&sweep.variant(number)).is_ok_and(|it| go_together(first, &it))
                })
            });
            if is_alike { &mut lanes } else { &mut kinds }.push([stride, count]);
            stride *= count;
        }
        lanes.push([stride, sweep.sample().map_or(1, |sample| sample.count)]);
        let product = |all: &[[u64; 2]]| all.iter().map(|[_, count]| count).product::<u64>();
        let bunches = product(&lanes).div_ceil(BUNCH);
        let mut deal = Self { kinds, lanes, bunches, ranks: Vec::new(), work: Vec::new(), bits: 0 };
        deal.bits = u64::BITS - (deal.count() - 1).leading_zeros();
        deal.rank(sweep);
        deal
    }

    /// Estimates the work of each kind and orders them by it.
    fn rank(&mut self, sweep: &Sweep) {
        let kinds = self.count() / self.bunches;
        let work = |kind: u64| {
            let scene = sweep.scene(&sweep.variant(number(&self.kinds, kind)));
            scene.map_or(0, |scene| frame_work(&scene))
        };
        if kinds > MOST_KINDS {
            self.work = vec![work(0)];
            return;
        }
        self.work = (0..kinds).map(work).collect();
        self.ranks = (0..kinds).collect();
        // A stable sort: kinds of the same work keep their order.
        self.ranks.sort_by_key(|kind| std::cmp::Reverse(self.work[*kind as usize]));
    }

    /// How many bunches there are.
    pub fn count(&self) -> u64 {
        self.kinds.iter().map(|[_, count]| count).product::<u64>() * self.bunches
    }

    /// Estimated nanoseconds of one core for so many frames of every variant.
    pub fn work(&self, frames: u64) -> u128 {
        let kinds = u128::from(self.count() / self.bunches);
        let in_kind = self.lanes.iter().map(|[_, count]| u128::from(*count)).product::<u128>();
        let known: u128 = self.work.iter().sum();
        let all = known.saturating_mul(kinds) / (self.work.len().max(1) as u128);
        all.saturating_mul(in_kind).saturating_mul(u128::from(frames))
    }

    /// The bunches at these places of the order.
    pub fn bunches(&self, places: Range<u64>) -> impl Iterator<Item = u64> + '_ {
        // Reversing the bits of a counter puts neighbours far apart; numbers beyond the last bunch
        // are passed over.
        let all = 0..1_u64 << self.bits;
        let reversed = all.map(|place| match self.bits {
            0 => 0,
            bits => place.reverse_bits() >> (u64::BITS - bits),
        });
        let count = self.count();
        let dealt = reversed.filter(move |rank| *rank < count);
        dealt.skip(places.start as usize).take((places.end - places.start) as usize)
    }

    /// The numbers of the variants of a bunch, in order.
    pub fn variants(&self, bunch: u64) -> Vec<u64> {
        let (rank, part) = (bunch / self.bunches, bunch % self.bunches);
        let kind = self.ranks.get(rank as usize).copied().unwrap_or(rank);
        let start = number(&self.kinds, kind);
        let all: u64 = self.lanes.iter().map(|[_, count]| count).product();
        // All bunches of a kind are equally large, so that each is as much work as any other.
        let start_of =
            |part: u64| (u128::from(part) * u128::from(all) / u128::from(self.bunches)) as u64;
        let places = start_of(part)..start_of(part + 1);
        let mut numbers: Vec<u64> = places.map(|at| start + number(&self.lanes, at)).collect();
        numbers.sort_unstable();
        numbers
    }
}

/// The number of a variant that is at `place` of the product of these axes.
fn number(axes: &[[u64; 2]], place: u64) -> u64 {
    let mut rest = place;
    let digits = axes.iter().map(|[stride, count]| {
        let digit = rest % count;
        rest /= count;
        stride * digit
    });
    digits.sum()
}

/// Estimated nanoseconds of a frame of all bodies of a scene.
fn frame_work(scene: &Scene) -> u128 {
    let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    bodies.map(|body| frame_cost(&body.setup)).fold(0, u128::saturating_add)
}

/// Whether the bodies of two scenes can be lanes of one vector.
fn go_together(one: &Scene, other: &Scene) -> bool {
    let bodies = |scene: &Scene| -> Vec<_> {
        let all = scene.panels.iter().flat_map(|panel| &panel.bodies);
        all.map(|body| body.setup.clone()).collect()
    };
    let (one, other) = (bodies(one), bodies(other));
    one.len() == other.len() && one.iter().zip(&other).all(|(a, b)| are_alike(a, b))
}

fn are_alike(one: &Setup, other: &Setup) -> bool {
    let (a, b) = (&one.model, &other.model);
    one.substeps == other.substeps
        && one.method.info().name == other.method.info().name
        && one.step_control.info().name == other.step_control.info().name
        && (a.axes, a.nodes(), a.springs.len()) == (b.axes, b.nodes(), b.springs.len())
        && a.pinned == b.pinned
}

/// The variants of a bunch that are not left out.
pub fn kept(sweep: &Sweep, numbers: &[u64]) -> Vec<Variant> {
    let all = numbers.iter().map(|number| sweep.variant(*number));
    all.filter(|variant| !sweep.leaves_out(variant)).collect()
}
