//! Partition of a sweep's variants into bunches, and the order in which bunches are dealt to
//! shards.
//!
//! The variants of a bunch can be simulated in parallel, one in each lane of a vector. They differ
//! only in axes that change numbers and leave shape, method and steps unchanged. Other combinations
//! of axis values are called kinds.
//!
//! Bunches and their order follow from the sweep alone. Any two sections of the order with equal
//! length contain about equal work, so each shard takes a contiguous section. To achieve this for
//! any number of shards, the order is halved recursively into halves with equal work. No section is
//! correlated with an axis, since the order of bunches varies between kinds. If there are too many
//! kinds to estimate each one, a permutation orders them.

use catena_scene::{
    Scene,
    limits::frame_cost,
    sweep::{Sweep, Variant, permuted},
};
use catena_sim::Setup;
use std::ops::Range;

/// Maximum number of variants of a bunch.
pub const BUNCH: u64 = 32;

/// Maximum estimated work of a bunch with more than one variant, in nanoseconds of one core. A
/// bunch is the unit of work of one core, and the unit lost by a kill.
const MAX_WORK: u128 = 5_000_000_000;

/// Number of shards among which the work of a sweep can be divided about equally. A bunch with more
/// variants than lanes has at most 1/64 of all work.
const PARTS: u128 = 64;

/// Number of variants that fill the lanes of a vector. Smaller bunches of light variants take
/// longer per variant.
const LANES: u128 = 8;

/// Minimum work to which bunches are reduced for equal shards, in estimated nanoseconds of one
/// core.
const MIN_WORK: u128 = 1_000_000_000;

/// Maximum number of kinds whose work is estimated individually. Each estimate builds a variant.
const MAX_KINDS: u64 = 1024;
/// Number of sampled kinds whose work is estimated, to find a heavy one, if there are more than
/// [`MAX_KINDS`] kinds.
const MAX_WEIGHED: u64 = 128;

/// Maximum number of bunches whose order is listed. With more bunches, each has so small a share of
/// the work that separating neighbours suffices.
const MAX_LISTED: u64 = 1 << 16;

/// Key of permutations.
const KEY: u64 = 0xdea1;

/// Number of values of an axis, besides the first, that are built to determine what the axis
/// changes.
const TRIED: u64 = 6;

/// Bunches of a sweep, in the order in which they are dealt.
#[derive(Clone, Debug)]
pub struct Deal {
    /// Stride in variant numbers and number of values of each axis: axes that separate kinds, and
    /// axes within a bunch.
    kinds: Vec<[u64; 2]>,
    lanes: Vec<[u64; 2]>,
    /// Number of a variant that can be built, without the contribution of `kinds`.
    built: u64,
    /// Number of bunches per kind.
    bunches: u64,
    /// Kinds in descending order of work; empty if there are too many to sort.
    ranks: Vec<u64>,
    /// Bunches in the order in which they are dealt; empty if there are too many to list.
    order: Vec<u64>,
    /// Number of bits needed to number the bunches from 0.
    bits: u32,
    /// Heaviest of the estimated kinds.
    heaviest: u64,
}

impl Deal {
    /// Partitions the variants of a sweep into bunches.
    pub fn new(sweep: &Sweep) -> Self {
        let (mut kinds, mut lanes) = (Vec::new(), Vec::new());
        let (mut stride, found) = (1, sweep.first_built());
        let (mut built, first) = found.map_or((0, None), |(number, scene)| (number, Some(scene)));
        let frames = sweep.frames.or(first.as_ref().map(|scene| scene.frames)).unwrap_or(1);
        // In variant numbers the last axis varies fastest, and the sample slowest.
        for count in sweep.counts().into_iter().rev().flatten() {
            let own = built / stride % count * stride;
            let is_lane = first.as_ref().is_some_and(|first| {
                let tried = TRIED.min(count - 1);
                let others = (0..=tried).map(|part| stride * ((count - 1) * part / tried.max(1)));
                let build = |at| sweep.scene(&sweep.variant(built - own + at)).ok();
                let mut others = others.filter(|at| *at != own).filter_map(build).peekable();
                // If an axis has no other buildable value, its effect is unknown.
                (count == 1 || others.peek().is_some()) && others.all(|it| share_batch(first, &it))
            });
            if is_lane {
                lanes.push([stride, count]);
            } else {
                kinds.push([stride, count]);
                built -= own;
            }
            stride *= count;
        }
        lanes.push([stride, sweep.sample().map_or(1, |sample| sample.count)]);
        let (ranks, order, bits, heaviest) = (Vec::new(), Vec::new(), 0, 0);
        let mut deal = Self { kinds, lanes, built, bunches: 1, ranks, order, bits, heaviest };
        let work = deal.rank_kinds(sweep);
        deal.bunches = product(&deal.lanes).div_ceil(deal.bunch(&work, frames));
        deal.bits = u64::BITS - (deal.count() - 1).leading_zeros();
        if !deal.ranks.is_empty() && deal.count() <= MAX_LISTED {
            let work_of = |bunch: u64| work[(bunch / deal.bunches) as usize];
            deal.order = balanced((0..deal.count()).map(|it| (it, work_of(it))).collect());
        }
        deal
    }

    /// Sorts kinds by estimated work. Returns the nanoseconds per frame of all kinds, in descending
    /// order. If there are too many kinds to sort, returns only the nanoseconds of the heaviest
    /// sampled kind.
    fn rank_kinds(&mut self, sweep: &Sweep) -> Vec<u128> {
        let kinds = product(&self.kinds);
        let work = |kind: u64| {
            let scene = sweep.scene(&sweep.variant(self.built + number(&self.kinds, kind)));
            scene.map_or(0, |scene| frame_work(&scene))
        };
        if kinds > MAX_KINDS {
            let some = (0..MAX_WEIGHED).map(|place| permuted(place, kinds, KEY));
            let maximum = some.map(|kind| (work(kind), kind)).max().unwrap_or((0, 0));
            self.heaviest = maximum.1;
            return vec![maximum.0];
        }
        let all: Vec<u128> = (0..kinds).map(work).collect();
        self.ranks = (0..kinds).collect();
        // A stable sort: kinds with equal work keep their order.
        self.ranks.sort_by_key(|kind| std::cmp::Reverse(all[*kind as usize]));
        self.heaviest = self.ranks.first().copied().unwrap_or(0);
        self.ranks.iter().map(|kind| all[*kind as usize]).collect()
    }

    /// Maximum number of variants per bunch. `work` is the result of [`Self::rank_kinds`].
    fn bunch(&self, work: &[u128], frames: u64) -> u64 {
        let frames = u128::from(frames);
        let of_variant = work.iter().copied().max().unwrap_or(0).saturating_mul(frames).max(1);
        let of_all = work.iter().copied().fold(0, u128::saturating_add).saturating_mul(frames);
        let of_all = of_all.saturating_mul(product(&self.lanes).into());
        // If only some kinds were estimated, the work of all kinds is many times larger.
        let part = if self.ranks.is_empty() { MAX_WORK } else { of_all / PARTS };
        let balanced = (part.max(MIN_WORK) / of_variant).max(LANES);
        (MAX_WORK / of_variant).min(balanced).clamp(1, u128::from(BUNCH)) as u64
    }

    /// Number of a variant of the heaviest estimated kind.
    pub fn heaviest(&self) -> u64 {
        self.built + number(&self.kinds, self.heaviest)
    }

    /// Number of bunches.
    pub fn count(&self) -> u64 {
        product(&self.kinds) * self.bunches
    }

    /// Number of variants of the largest bunch.
    pub fn together(&self) -> u64 {
        product(&self.lanes).div_ceil(self.bunches)
    }

    /// Bunches at these positions of the order.
    pub fn bunches(&self, places: Range<u64>) -> impl Iterator<Item = u64> + '_ {
        // Reversing the bits of a counter separates neighbours. Numbers beyond the last bunch are
        // skipped.
        let all = 0..if self.order.is_empty() { 1_u64 << self.bits } else { 0 };
        let reversed = all.map(|place| match self.bits {
            0 => 0,
            bits => place.reverse_bits() >> (u64::BITS - bits),
        });
        let count = self.count();
        let spread = reversed.filter(move |rank| *rank < count);
        let dealt = self.order.iter().copied().chain(spread);
        dealt.skip(places.start as usize).take((places.end - places.start) as usize)
    }

    /// Numbers of the variants of a bunch, ascending.
    pub fn variants(&self, bunch: u64) -> Vec<u64> {
        let (rank, part) = (bunch / self.bunches, bunch % self.bunches);
        let kinds = product(&self.kinds);
        let ranked = self.ranks.get(rank as usize).copied();
        let kind = ranked.unwrap_or_else(|| permuted(rank, kinds, KEY));
        let part = (part + permuted(rank, kinds, KEY) % self.bunches) % self.bunches;
        let start = number(&self.kinds, kind);
        let all = product(&self.lanes);
        // All bunches of a kind have nearly equal sizes, so that their work is balanced.
        let start_of =
            |part: u64| (u128::from(part) * u128::from(all) / u128::from(self.bunches)) as u64;
        let places = start_of(part)..start_of(part + 1);
        let mut numbers: Vec<u64> = places.map(|at| start + number(&self.lanes, at)).collect();
        numbers.sort_unstable();
        numbers
    }
}

/// Number of variants in the product of these axes.
fn product(axes: &[[u64; 2]]) -> u64 {
    axes.iter().map(|[_, count]| count).product()
}

/// Number of the variant at `place` in the product of these axes.
fn number(axes: &[[u64; 2]], place: u64) -> u64 {
    let mut rest = place;
    let digits = axes.iter().map(|[stride, count]| {
        let digit = rest % count;
        rest /= count;
        stride * digit
    });
    digits.sum()
}

/// Order of bunches that divides recursively into halves with about equal numbers of bunches and
/// equal work. `bunches` has each bunch with its work, in descending order of work.
fn balanced(bunches: Vec<(u64, u128)>) -> Vec<u64> {
    if bunches.len() < 2 {
        return bunches.into_iter().map(|(bunch, _)| bunch).collect();
    }
    let (mut halves, mut work) = ([Vec::new(), Vec::new()], [0_u128; 2]);
    for pair in bunches.chunks(2) {
        // The heavier of two bunches goes to the half that has less work so far.
        let lighter = usize::from(work[1] < work[0]);
        for (half, bunch) in [lighter, 1 - lighter].into_iter().zip(pair) {
            work[half] = work[half].saturating_add(bunch.1);
            halves[half].push(*bunch);
        }
    }
    halves.into_iter().flat_map(balanced).collect()
}

/// Estimated nanoseconds per frame of all bodies of a scene.
fn frame_work(scene: &Scene) -> u128 {
    let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    bodies.map(|body| frame_cost(&body.setup)).fold(0, u128::saturating_add)
}

/// Whether the bodies of two scenes can be lanes of the same vectors.
fn share_batch(one: &Scene, other: &Scene) -> bool {
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

/// Variants of a bunch that the sweep does not exclude.
pub fn kept(sweep: &Sweep, numbers: &[u64]) -> Vec<Variant> {
    let all = numbers.iter().map(|number| sweep.variant(*number));
    all.filter(|variant| !sweep.leaves_out(variant)).collect()
}
