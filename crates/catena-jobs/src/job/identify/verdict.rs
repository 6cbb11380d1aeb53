//! Decision which candidates reproduce the file, and by what margin.

use super::super::rounding::{Noise, SINGLE, SINGLE_SLIP, ShownFrame};
use super::base::Bases;
use super::candidate::Candidate;
use super::data::Data;
use super::named::Variant;
use super::race::{FrameDistance, Runner, Track, run_whole};
use catena_scene::recorded::Width;
use catena_sim::identity::identity_of;
use catena_sim::slip::Slip;
use rayon::prelude::*;

/// A candidate that was compared over all frames.
pub(super) struct Finalist<'a> {
    pub(super) index: usize,
    pub(super) candidate: &'a Candidate,
    pub(super) data: &'a Data,
    pub(super) offset: i64,
    pub(super) frames: Vec<FrameDistance>,
    pub(super) noise: Noise,
    /// Additional tolerance as a multiple of the rounding of the file, for scene values that come
    /// from a fit and are not exact.
    slack: f64,
    /// Largest distance beyond rounding, in units of [`Data::unit`] times the frame's size.
    score: f64,
    /// Bit patterns of the positions at the end of the run.
    end: Vec<u64>,
}

/// Agreement of a finalist with the file, for one number of bits (24 or 53) of the program's
/// numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Agreement {
    /// Last frame that is compared. Rounding blurs later frames.
    pub(super) horizon: u64,
    /// Largest distance in the compared frames.
    pub(super) largest: f64,
    /// Frame with the largest distance.
    pub(super) frame: u64,
    /// Node with the largest distance.
    pub(super) node: usize,
    /// Distance that rounding explains in `frame`.
    pub(super) tolerance: f64,
    /// Part of the tolerance that comes from the digits of the file.
    pub(super) printed: f64,
    /// Largest coordinate of the file in `frame`.
    pub(super) size: f64,
    /// Largest ratio of a distance beyond rounding to the distance that the growth of rounding
    /// explains.
    pub(super) ratio: f64,
    /// First frame with a distance that rounding does not explain.
    pub(super) parts_at: Option<u64>,
    /// Node with the largest distance in frame `parts_at`.
    pub(super) parts_node: Option<usize>,
    /// Whether rounding explains all distances.
    pub(super) fits: bool,
}

impl Agreement {
    /// Whether the printed digits explain the largest distance.
    pub(super) fn is_within_digits(&self) -> bool {
        self.largest <= EXPLAINED * self.printed
    }
}

impl Finalist<'_> {
    /// Whether two finalists differ only in the number of bits of their numbers.
    pub(super) fn is_width_of(&self, other: &Self) -> bool {
        let program = |it: &Self| {
            let candidate = it.candidate;
            let slips = candidate.setup.slips.iter();
            let slips: Vec<_> = slips.filter(|slip| slip.info().name != SINGLE_SLIP).collect();
            let method = candidate.method.as_ref().map_or(&candidate.setup.method, |it| &it.thing);
            let frame_time = candidate.setup.frame_time.to_bits();
            identity_of(&(candidate.base, method, slips, candidate.setup.substeps, frame_time))
        };
        program(self) == program(other)
    }

    /// Measures the growth of rounding in the frames of the file.
    fn measured(&self, bases: &Bases, slips: &[Variant<dyn Slip>]) -> Noise {
        let frames = self.data.frames.iter();
        let shown = frames.map(|(number, frame)| ShownFrame {
            number: *number,
            of_run: number.saturating_add_signed(self.offset),
            size: frame.size,
        });
        let shown: Vec<ShownFrame> = shown.collect();
        let other = self.candidate.in_other_width(bases, slips);
        Noise::of(&self.candidate.setup, other, &shown, self.data.extent)
    }

    /// Names of the method and of its slips, without [`SINGLE_SLIP`].
    fn program_name(&self) -> (&'static str, Vec<&'static str>) {
        let setup = &self.candidate.setup;
        let slips = setup.slips.iter().map(|slip| slip.info().name);
        (setup.method.info().name, slips.filter(|name| *name != SINGLE_SLIP).collect())
    }

    /// Largest distance in any frame.
    pub(super) fn farthest(&self) -> f64 {
        self.frames.iter().map(|found| found.largest).fold(0.0, f64::max)
    }

    /// Number of frames after the start before the first distance that the digits of the file do
    /// not explain.
    pub(super) fn exact(&self) -> usize {
        let moving = self.frames.iter().filter(|found| found.frame > 0);
        moving.take_while(|found| found.beyond <= 0.0).count()
    }

    /// Number of compared frames whose distances are well within rounding, and total number of
    /// compared frames. Frames that rounding blurs are not counted.
    pub(super) fn near(&self, agreement: &Agreement, is_single: bool) -> [u64; 2] {
        let is_shown = !is_single || self.data.precision.width == Width::Single;
        let is_near = |found: &&FrameDistance| {
            let digits = CLOSE * found.rounding.max(SINGLE * found.size);
            let grown = CLOSER * self.noise.allowed(found.frame, is_single);
            found.beyond <= if is_shown { digits.max(grown) } else { digits }
        };
        let seen = || {
            let seen = self.frames.iter().filter(|found| found.frame <= agreement.horizon);
            seen.filter(|found| found.frame > 0)
        };
        [seen().filter(is_near).count() as u64, seen().count() as u64]
    }

    /// Maximum distance beyond the rounding of the file that is explained in a frame.
    fn maximum(&self, found: &FrameDistance, is_single: bool) -> f64 {
        self.noise.allowed(found.frame, is_single) + self.slack * found.rounding
    }

    /// Compares a finalist up to the frame in which rounding blurs its motion. If it does not fit,
    /// compares all frames.
    fn judge(&self, is_single: bool) -> Agreement {
        let horizon = self.noise.horizon(self.data.extent, is_single);
        let agreement = self.agreement(is_single, horizon);
        let count = self.frames.iter().filter(|found| found.frame <= horizon).count();
        let is_enough = count >= MIN_FRAMES.min(self.frames.len()).max(1);
        match agreement.parts_at {
            None if is_enough && !self.explodes_alone() => Agreement { fits: true, ..agreement },
            _ => self.agreement(is_single, u64::MAX),
        }
    }

    /// Whether the run is far nearer to the file than runs with 24 and 53 bits are to each other,
    /// in the last frame that rounding leaves sharp.
    fn is_nearer_than_floats(&self, agreement: &Agreement) -> bool {
        let last = self.frames.iter().rfind(|found| found.frame <= agreement.horizon);
        last.is_some_and(|found| {
            let near = CLEARLY_NEARER * agreement.largest.max(found.rounding);
            agreement.largest.is_finite() && near < self.noise.drift(found.frame)
        })
    }

    /// Whether the run explodes and the motion of the file does not, even long afterwards. Rounding
    /// determines only when a run explodes, so frames that it blurs count as well.
    fn explodes_alone(&self) -> bool {
        let data = self.data;
        let is_alone = |found: &&FrameDistance| {
            !data.is_diverged(found.size) && data.is_diverged(found.largest - found.size)
        };
        let mut alone = self.frames.iter().filter(is_alone).map(|found| found.frame);
        let Some(first) = alone.next() else { return false };
        alone.any(|frame| frame >= first + first / 2 + LATER)
    }

    /// Information that the run has about the file in bits per number: how much smaller its
    /// distances are than the motion. Distances below the rounding of the file are not informative.
    fn bits(&self) -> f64 {
        let of_frame = |found: &FrameDistance| {
            let size = self.data.extent.max(found.size);
            let minimum = found.rounding.max(1e-12 * size);
            let bits = libm::log2(size / found.largest.max(minimum));
            // The start agrees in every run, so it is not counted.
            if found.frame > 0 { bits.max(0.0) } else { 0.0 }
        };
        self.frames.iter().map(of_frame).sum()
    }

    /// Compares a finalist up to a frame.
    pub(super) fn agreement(&self, is_single: bool, horizon: u64) -> Agreement {
        let mut all = Agreement {
            horizon,
            largest: 0.0,
            frame: 0,
            node: 0,
            tolerance: 0.0,
            printed: 0.0,
            size: 0.0,
            ratio: 0.0,
            parts_at: None,
            parts_node: None,
            fits: false,
        };
        for found in self.frames.iter().filter(|found| found.frame <= horizon) {
            let allowed = self.noise.allowed(found.frame, is_single);
            let maximum = self.maximum(found, is_single);
            if found.largest >= all.largest {
                (all.largest, all.frame, all.node) = (found.largest, found.frame, found.node);
                all.tolerance = found.rounding + allowed;
                (all.printed, all.size) = (found.rounding, found.size);
            }
            let ratio = found.beyond.max(0.0) / maximum;
            all.ratio = all.ratio.max(ratio);
            if ratio > 1.0 && all.parts_at.is_none() {
                (all.parts_at, all.parts_node) = (Some(found.frame), Some(found.node));
            }
        }
        all
    }
}

/// A finalist with its agreement.
type Judged<'a> = (Finalist<'a>, Agreement);

/// Finalists in order, and the number of finalists that reproduce the file.
pub(super) struct Verdict<'a> {
    /// Finalists with their agreement. Those that reproduce the file come first, and the best is
    /// the first of them.
    pub(super) all: Vec<(Finalist<'a>, Agreement)>,
    /// Number of finalists that reproduce the file.
    pub(super) fits: usize,
    /// Whether the agreement needs numbers of 24 bits.
    pub(super) is_single: bool,
    /// Whether the scene was loaded with changed values, for example from a fit, which are not
    /// exact.
    is_changed: bool,
}

/// Maximum distance that the printed digits explain, as a multiple of their rounding.
const EXPLAINED: f64 = 1.5;

/// Minimum ratio between the distance of runs with 24 and 53 bits and the distance of a run from
/// the file for which a float is no explanation of the file.
const CLEARLY_NEARER: f64 = 20.0;

/// Minimum number of frames after which an explosion of the run alone counts, in addition to half
/// of the frames before it.
const LATER: u64 = 2;

/// Slack that is tried if no candidate is within the rounding of the file, as a multiple of the
/// rounding.
const SLACK: f64 = 1.0;

/// Maximum distance that needs no explanation other than the digits, as a multiple of the rounding
/// of the file.
const PRINTED: f64 = 20.0;

/// Maximum distance that is well within rounding, as a multiple of the rounding of the file.
const CLOSE: f64 = 10.0;
/// Maximum distance that is well within rounding, as a share of the distance that the growth of
/// rounding may cause.
const CLOSER: f64 = 0.3;

impl Verdict<'_> {
    /// Whether the best candidate is far beyond the digits of the file, and agrees only because
    /// rounding blurs its motion early. Such an agreement is not an explanation.
    fn is_blurred(&self) -> bool {
        self.all.first().filter(|_| self.fits > 0).is_some_and(|(it, agreement)| {
            !super::is_enough(it.near(agreement, self.is_single))
                && agreement.largest > PRINTED * agreement.printed.max(SINGLE * agreement.size)
        })
    }

    /// Number of frames in which the best candidate is well within rounding, and total number of
    /// frames that rounding does not blur.
    pub(super) fn near(&self) -> [u64; 2] {
        self.all.first().map_or([0, 0], |(it, agreement)| it.near(agreement, self.is_single))
    }

    /// Returns the verdict without fits that are not explanations. If no fit remains, all frames
    /// are compared.
    fn without_blurred(self) -> Self {
        if self.is_blurred() { self.without_fits() } else { self }
    }

    fn without_fits(mut self) -> Self {
        for (it, agreement) in &mut self.all {
            *agreement = it.agreement(false, u64::MAX);
        }
        sort(&mut self.all);
        (self.fits, self.is_single) = (0, false);
        self
    }

    /// Returns the verdict without fits that only the rounding of a float explains, if that
    /// explanation is improbable. There are three such cases. In the first, a program agrees within
    /// the digits for far longer than these fits. In the second, the best fit agrees far beyond the
    /// frame at which rounding blurs its motion, and deviates later: a float would have deviated
    /// early. In the third, the best fit agrees far more closely than runs with 24 and 53 bits
    /// agree with each other, and deviates later.
    pub(super) fn without_excuse(self, of_scene: &[Finalist<'_>]) -> Self {
        let Some((best, agreement)) = self.all.first().filter(|_| self.fits > 0 && self.is_loose())
        else {
            return self;
        };
        let minimum = |frames: usize| FAR_LONGER * frames + LONG;
        let sharp = best.frames.iter().filter(|it| (1..=agreement.horizon).contains(&it.frame));
        let parts = best.frames.iter().any(|it| it.beyond > 0.0);
        let is_sharp_longer = parts && best.exact() >= minimum(sharp.count());
        let is_nearer_than_floats = parts && best.is_nearer_than_floats(agreement);
        let others = self.all[self.fits..].iter().map(|(it, _)| it);
        let longest = others.chain(of_scene).map(Finalist::exact).max().unwrap_or(0);
        let is_improbable = is_sharp_longer || is_nearer_than_floats;
        match is_improbable || longest >= minimum(best.exact()) {
            true => self.without_fits(),
            false => self,
        }
    }

    /// Whether other methods or slips also reproduce the file, although their motions differ from
    /// the motion of the best candidate by more than rounding. The digits then do not determine the
    /// method.
    pub(super) fn has_other_motions(&self) -> bool {
        let Some(((best, _), others)) = self.all[..self.fits].split_first() else { return false };
        let last = best.data.last();
        let maximum = best.noise.allowed(last, self.is_single).max(DIFFERENT * best.data.extent);
        let apart = |it: &Finalist<'_>| {
            let pairs = it.end.iter().zip(&best.end);
            let distances = pairs.map(|(a, b)| (f64::from_bits(*a) - f64::from_bits(*b)).abs());
            distances.fold(0.0, f64::max)
        };
        let is_other = |it: &Finalist<'_>| it.program_name() != best.program_name();
        let mut others = others.iter().map(|(it, _)| it).filter(|it| is_other(it));
        others.any(|it| it.offset == best.offset && apart(it) > maximum)
    }

    /// Whether all candidates that reproduce the file compute with 24 bits.
    pub(super) fn needs_float(&self) -> bool {
        self.fits > 0 && self.all[..self.fits].iter().all(|(it, _)| it.candidate.is_single())
    }

    /// Whether the best candidate needs numbers of 24 bits although the digits of the file do not
    /// show floats. Another number of substeps may then agree within the digits.
    pub(super) fn is_loose(&self) -> bool {
        self.is_single
            && self.all.first().is_some_and(|(it, _)| it.data.precision.width == Width::Unknown)
    }

    /// Whether the numbers of the file are floats and the best candidate is beyond their digits.
    /// Another number of substeps may then agree within the digits.
    pub(super) fn is_rough(&self) -> bool {
        self.is_single
            && self.all.first().filter(|_| self.fits > 0).is_some_and(|(it, best)| {
                it.data.precision.width == Width::Single && !best.is_within_digits()
            })
    }

    /// Whether the best candidate fits only with slack for inexact values, although no value was
    /// changed. Another number of substeps may then agree within the digits.
    pub(super) fn is_stretched(&self) -> bool {
        let is_open = self.fits > 0 && !self.is_single && !self.is_changed;
        is_open && self.all.first().is_some_and(|(it, _)| it.slack > 0.0)
    }

    /// Whether this verdict should replace another one: it explains more or, if neither explains
    /// the file, it is nearer.
    pub(super) fn is_better_than(&self, other: &Self) -> bool {
        let is_nearer = match (other.all.first(), self.all.first()) {
            (Some((_, other)), Some((_, own))) => own.largest < other.largest,
            (other, _) => other.is_none(),
        };
        self.explains_more_than(other) || (self.fits == 0 && other.fits == 0 && is_nearer)
    }

    /// Whether this verdict explains the file better than another one: within the digits, or with
    /// far smaller distances. Both are compared up to the later frame at which rounding blurs a
    /// motion.
    fn explains_more_than(&self, other: &Self) -> bool {
        if self.fits == 0 || other.fits == 0 {
            return self.fits > other.fits;
        }
        if !self.is_single && !other.is_single && self.is_stretched() != other.is_stretched() {
            return other.is_stretched();
        }
        let horizon = |it: &Self| it.all.first().map_or(0, |(_, agreement)| agreement.horizon);
        // A run that rounding blurs early gives no information about later frames.
        let horizon = horizon(self).max(horizon(other));
        let largest = |it: &Self| {
            let best = it.all.first();
            best.map_or(f64::INFINITY, |(it, _)| it.agreement(false, horizon).largest)
        };
        (!self.is_single && other.is_single)
            || (self.is_single == other.is_single && FAR_NEARER * largest(self) < largest(other))
    }
}

/// Minimum ratio between the distances of two explanations for which the nearer one is preferred.
const FAR_NEARER: f64 = 2.0;

/// Factor in the minimum number of frames for which a program that agrees within the digits is
/// preferred over the rounding of a float. The minimum is this factor times the number of frames
/// that the float explains, plus [`LONG`].
const FAR_LONGER: usize = 2;
/// Minimum number of frames of a long agreement within the digits, and summand of the minimum that
/// [`FAR_LONGER`] describes.
pub(super) const LONG: usize = 8;

/// Minimum distance between the ends of two different motions, in extents of the body. Smaller
/// distances may come from rounding.
const DIFFERENT: f64 = 1e-10;

/// Minimum number of frames that have to be compared.
const MIN_FRAMES: usize = 2;

/// Maximum number of bodies of the scene that are compared with a file that nothing explains.
const MAX_PANELS: usize = 16;

/// Maximum ratio to the best score for which the growth of rounding is measured. No rounding
/// explains larger distances.
const MEASURED: f64 = 1e4;
/// Minimum number of finalists whose growth of rounding is measured.
const MIN_MEASURED: usize = 6;
/// Maximum estimated work of the measured finalists, in nanoseconds of one core for one run each. A
/// measurement takes four runs.
const MAX_WORK: u128 = 500_000_000;

fn finalist<'a>(
    runner: Runner,
    candidates: &'a [Candidate],
    bases: &'a Bases,
) -> Option<Finalist<'a>> {
    let candidate = &candidates[runner.candidate];
    let end: Vec<u64> = runner.simulation.state().x.iter().map(|x| x.to_bits()).collect();
    let data = &*bases.all[candidate.base].data;
    let track = |track: Track| Finalist {
        index: runner.candidate,
        candidate,
        data,
        offset: track.offset,
        noise: Noise::default(),
        slack: 0.0,
        score: track.score(),
        frames: track.frames,
        end: end.clone(),
    };
    let best = runner.tracks.into_iter().filter(|track| !track.frames.is_empty());
    best.min_by(|a, b| a.score().total_cmp(&b.score())).map(track)
}

/// Factor by which a method that preserves lengths has to be nearer than one with springs.
const NEARER: f64 = 10.0;

/// Returns the unchanged bodies of the scene, compared with the file over all frames.
pub(super) fn of_scene<'a>(own: &'a [Candidate], bases: &'a Bases) -> Vec<Finalist<'a>> {
    let all = run_whole(&own[..own.len().min(MAX_PANELS)], bases).into_iter();
    all.filter_map(|runner| finalist(runner, own, bases)).collect()
}

/// Returns the index of the body that is nearest to the file over all frames. Bodies with springs
/// are preferred, since most fields of a scene are about springs.
pub(super) fn nearest_of_scene(found: &[Finalist<'_>]) -> Option<usize> {
    let distance = |index: &usize| {
        let it = &found[*index];
        let holds_lengths = it.candidate.setup.method.info().holds_lengths;
        it.farthest() * if holds_lengths { NEARER } else { 1.0 }
    };
    (0..found.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.cmp(b)))
}

/// Decides which of the last runners reproduce the file.
pub(super) fn decide<'a>(
    runners: Vec<Runner>,
    candidates: &'a [Candidate],
    bases: &'a Bases,
    slips: &[Variant<dyn Slip>],
) -> Verdict<'a> {
    let mut finalists: Vec<Finalist<'a>> =
        runners.into_iter().filter_map(|runner| finalist(runner, candidates, bases)).collect();
    measure(&mut finalists, bases, slips);
    // Whether numbers have 24 bits, and the slack.
    let levels: &[(bool, f64)] = match finalists.first().map(|it| it.data.precision.width) {
        Some(Width::Double) => &[(false, 0.0), (false, SLACK)],
        // A run with the program's own operations reproduces its digits.
        Some(Width::Single) => &[(false, 0.0), (true, 0.0)],
        _ => &[(false, 0.0), (false, SLACK), (true, 0.0)],
    };
    let mut all: Vec<(Finalist<'a>, Agreement)> = Vec::new();
    let (mut fits, mut is_single) = (0, false);
    let mut left = finalists;
    for (single, slack) in levels {
        let judged = left.drain(..).map(|it| {
            let it = Finalist { slack: *slack, ..it };
            let agreement = it.judge(*single);
            (it, agreement)
        });
        all = judged.collect();
        fits = all.iter().filter(|(_, agreement)| agreement.fits).count();
        is_single = *single;
        if fits > 0 {
            break;
        }
        left = all.drain(..).map(|(it, _)| it).collect();
    }
    if fits == 0 {
        let anew = left.into_iter().map(|it| Finalist { slack: 0.0, ..it });
        all = anew.map(|it| (it.judge(is_single), it)).map(|(a, it)| (it, a)).collect();
    }
    fits -= drop_loose(&mut all, is_single);
    sort(&mut all);
    if fits > 0 {
        fits = join(&mut all, is_single);
        sort(&mut all);
        fits = drop_twins(&mut all, fits);
        put_float_first(&mut all[..fits]);
    }
    let is_changed = !bases.scene.changes().is_empty();
    Verdict { all, fits, is_single, is_changed }.without_blurred()
}

/// Measures the growth of rounding in the runs of near finalists. Finalists for which there is no
/// time get the growth of the nearest one.
fn measure(finalists: &mut [Finalist<'_>], bases: &Bases, slips: &[Variant<dyn Slip>]) {
    let minimum = finalists.iter().map(|it| it.score).fold(f64::INFINITY, f64::min);
    let mut near: Vec<&mut Finalist<'_>> =
        finalists.iter_mut().filter(|it| it.score <= MEASURED * minimum.max(1.0)).collect();
    near.sort_by(|a, b| a.score.total_cmp(&b.score).then(a.index.cmp(&b.index)));
    let mut work = 0;
    let mut has_time = |it: &&mut Finalist<'_>| {
        work += it.candidate.setup.frame_cost() * u128::from(it.data.last());
        work <= MAX_WORK
    };
    let count = near.iter().take_while(|it| has_time(it)).count().max(MIN_MEASURED);
    let measured = near.iter_mut().take(count).collect::<Vec<_>>().into_par_iter();
    measured.for_each(|it| it.noise = it.measured(bases, slips));
    let first = near.first().map(|it| it.noise.clone()).unwrap_or_default();
    near.into_iter().skip(count).for_each(|it| it.noise = first.clone());
}

/// Rejects fits that rounding explains only because it blurs their motion: another run without a
/// fit is far nearer in the same frames. Returns the number of rejected fits.
fn drop_loose(all: &mut [(Finalist<'_>, Agreement)], is_single: bool) -> usize {
    let is_loose = |(_, own): &(Finalist<'_>, Agreement)| {
        let nearer = |(other, agreement): &(Finalist<'_>, Agreement)| {
            let largest = || other.agreement(is_single, own.horizon).largest;
            !agreement.fits && FAR_NEARER * largest().max(own.printed) < own.largest
        };
        own.fits && all.iter().any(nearer)
    };
    let loose: Vec<bool> = all.iter().map(is_loose).collect();
    for ((it, agreement), _) in all.iter_mut().zip(&loose).filter(|(_, is_loose)| **is_loose) {
        *agreement = it.agreement(is_single, u64::MAX);
    }
    loose.iter().filter(|it| **it).count()
}

/// Judges all finalists by the rounding of the best one and in its frames. The file does not
/// distinguish the finalists that this rounding explains, and all others do not fit. Returns the
/// number of fits.
fn join(all: &mut [(Finalist<'_>, Agreement)], is_single: bool) -> usize {
    let Some(((best, agreement), others)) = all.split_first_mut() else { return 0 };
    let (horizon, largest) = (agreement.horizon, agreement.largest);
    let mut anew: Vec<Agreement> =
        others.iter().map(|(it, _)| it.agreement(is_single, horizon)).collect();
    // The rounding of a float explains much. Candidates that are far behind the best one with 24
    // bits and with 53 bits are nevertheless rejected.
    let near = CLEARLY_WORSE * largest.max(agreement.printed);
    let is_far = |it: &Finalist<'_>| {
        let same = others.iter().zip(&anew).filter(|((other, _), _)| other.is_width_of(it));
        is_single && !it.is_width_of(best) && same.into_iter().all(|(_, own)| own.largest > near)
    };
    let far: Vec<bool> = others.iter().map(|(it, _)| is_far(it)).collect();
    for (((it, agreement), anew), is_far) in others.iter_mut().zip(anew.drain(..)).zip(far) {
        let seen = it.frames.iter().filter(|found| found.frame <= horizon);
        let explained = |found: &FrameDistance| found.beyond <= best.maximum(found, is_single);
        let is_apart = |found: &FrameDistance| {
            !explained(found) || (is_far && found.largest > largest.max(found.rounding))
        };
        let first = seen.into_iter().find(|found| is_apart(found));
        let first = first.map(|found| (found.frame, found.node));
        // A candidate that is as near as the best one cannot be rejected.
        let first = first.filter(|_| anew.largest > largest);
        let is_as_near = !is_single && anew.largest <= AS_NEAR * largest;
        let fits = (agreement.fits || is_as_near) && first.is_none();
        let (parts_at, parts_node) = match first {
            Some((frame, node)) => (Some(frame), Some(node)),
            None => (agreement.parts_at, agreement.parts_node),
        };
        *agreement = Agreement { fits, parts_at, parts_node, ..anew };
    }
    1 + others.iter().filter(|(_, agreement)| agreement.fits).count()
}

/// Maximum ratio between the largest distances of a candidate and the best one for which both are
/// equally near, although the candidate's own rounding explains less.
const AS_NEAR: f64 = 1.001;

/// Puts the float version of the best candidate before it if the file contains floats and the best
/// candidate is farther from the file than the printed digits explain. Which of the two is nearer
/// then depends on the order of summation in the program.
fn put_float_first(fits: &mut [(Finalist<'_>, Agreement)]) {
    let Some((best, agreement)) = fits.first() else { return };
    let is_float = best.data.precision.width == Width::Single;
    if !is_float || agreement.is_within_digits() || best.candidate.is_single() {
        return;
    }
    let is_own =
        |(it, _): &(Finalist<'_>, Agreement)| it.candidate.is_single() && it.is_width_of(best);
    if let Some(place) = fits.iter().position(is_own) {
        fits[..=place].rotate_right(1);
    }
}

/// Minimum ratio between the largest distances of a candidate and the best one for which the
/// candidate is rejected although the rounding of a float explains both.
const CLEARLY_WORSE: f64 = 10.0;

/// Number of classes of finalists by their share of the information of the best one. Within a
/// class, the finalist nearest to the scene is the best.
const CLASSES: f64 = 8.0;

/// Orders finalists. Those that fit come first, by their information about the file and then by
/// their departure from the scene. The others follow by distance.
fn sort(all: &mut Vec<(Finalist<'_>, Agreement)>) {
    let bits: Vec<f64> = all.iter().map(|(it, _)| it.bits()).collect();
    let fits = all.iter().zip(&bits).filter(|((_, agreement), _)| agreement.fits);
    let maximum = fits.map(|(_, bits)| *bits).fold(0.0, f64::max);
    let mut keyed: Vec<((bool, i64, u32), Judged<'_>)> = Vec::new();
    for ((it, agreement), bits) in all.drain(..).zip(bits) {
        let lacks = if maximum > 0.0 { CLASSES * (1.0 - bits / maximum) } else { 0.0 };
        let class = if agreement.fits { (lacks + 0.5) as i64 } else { 0 };
        let departure = if agreement.fits { it.candidate.departure } else { 0 };
        keyed.push(((!agreement.fits, class, departure), (it, agreement)));
    }
    let last = |it: &(Finalist<'_>, Agreement)| it.1.parts_at.unwrap_or(u64::MAX);
    keyed.sort_by(|(key, a), (other, b)| {
        let by_distance = a.0.farthest().total_cmp(&b.0.farthest());
        let by_part = last(b).cmp(&last(a));
        key.cmp(other).then(by_distance).then(by_part).then(a.0.index.cmp(&b.0.index))
    });
    all.extend(keyed.into_iter().map(|(_, it)| it));
}

/// Drops fits whose final positions are bit-identical to another fit with a subset of their
/// options: an option that changes nothing in this motion is not an explanation.
fn drop_twins(all: &mut Vec<(Finalist<'_>, Agreement)>, fits: usize) -> usize {
    let is_twin = |one: &Finalist<'_>, other: &Finalist<'_>| {
        let steps =
            |it: &Finalist<'_>| (it.candidate.setup.substeps, it.candidate.setup.slips.len());
        let has_options = match (&one.candidate.method, &other.candidate.method) {
            (Some(one), Some(other)) => one.has_all_of(other),
            (_, None) => {
                let name = |it: &Finalist<'_>| it.candidate.setup.method.info().name;
                name(one) == name(other)
            }
            (None, Some(_)) => false,
        };
        one.index != other.index
            && one.end == other.end
            && steps(one) == steps(other)
            && has_options
    };
    let dropped: Vec<bool> = (0..fits)
        .map(|at| {
            let one = &all[at].0;
            all[..fits].iter().enumerate().any(|(place, (other, _))| {
                is_twin(one, other) && (!is_twin(other, one) || place < at)
            })
        })
        .collect();
    let mut at = 0;
    all.retain(|_| {
        at += 1;
        !dropped.get(at - 1).copied().unwrap_or(false)
    });
    fits - dropped.iter().filter(|it| **it).count()
}
