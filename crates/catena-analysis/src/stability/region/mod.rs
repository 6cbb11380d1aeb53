//! Stability regions in the complex plane of hλ, and the eigenvalues of a body in this plane.
//!
//! λ is an eigenvalue of y' = λy. A mode u'' + γ u' + ω² u = 0 has two, λ = -γ/2 ± √(γ²/4 - ω²),
//! which are a conjugate pair if the mode oscillates. A point hλ of the region is an oscillator
//! with that pair and a step h, so ω = |λ| and γ = -2 Re λ. The method itself takes the step, as in
//! [`super::oscillator`]. So no stability polynomial is derived by hand.
//!
//! A method that treats x and v alike, such as Runge-Kutta or Adams, multiplies each eigenvector by
//! R(hλ). Its region matches the textbook's, also on the real axis. A method for second-order
//! systems, such as Verlet, has no R(z): growth depends on the pair, and a point on the real axis
//! represents critical damping. [`treats_alike`] distinguishes the two kinds.

mod modes;

pub use modes::{MATRIX, ModePoint, ModeState, SceneModes, modes, rest};

use super::oscillator::{GROWTH, Oscillator};
use catena_sim::{Method, Setup};
use std::sync::Arc;

/// Eigenvalue λ of a linear system, or a point hλ of the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eigenvalue {
    /// Real part; below 0 for a decaying motion.
    pub re: f64,
    /// Imaginary part, the angular frequency.
    pub im: f64,
}

impl Eigenvalue {
    /// Distance from 0.
    pub fn size(self) -> f64 {
        libm::hypot(self.re, self.im)
    }

    /// Product with a step.
    #[must_use]
    pub fn times(self, step: f64) -> Self {
        Self { re: self.re * step, im: self.im * step }
    }
}

/// Imaginary part given to a real eigenvalue, as a share of its magnitude. The growth changes by
/// the square of this share.
const APART_FROM_AXIS: f64 = 1e-5;
/// Growth of a real eigenvalue, minus 1, that counts as rounding. With a method that has a memory,
/// both eigenvalues are almost equal, which halves the number of accurate digits.
const ON_AXIS: f64 = 1e-6;

impl Oscillator {
    /// Oscillator whose eigenvalues are λ and its conjugate. A real λ gets a small imaginary part:
    /// a double eigenvalue makes the matrix defective, and rounding would show in the fifth digit.
    pub fn of_eigenvalue(of: Eigenvalue) -> Self {
        let im = of.im.abs().max(APART_FROM_AXIS * of.re.abs());
        Self::new(libm::hypot(of.re, im), -2.0 * of.re)
    }

    /// Overdamped or critically damped motion with the eigenvalues -slow and -fast.
    fn of_rates(slow: f64, fast: f64) -> Self {
        Self::new((slow * fast).sqrt(), slow + fast)
    }

    /// Both eigenvalues of the oscillator without factors: a conjugate pair, or two real numbers.
    pub fn eigenvalues(self) -> [Eigenvalue; 2] {
        let half = 0.5 * self.damping;
        let square = half * half - self.omega * self.omega;
        if square < 0.0 {
            let im = (-square).sqrt();
            return [Eigenvalue { re: -half, im }, Eigenvalue { re: -half, im: -im }];
        }
        let root = square.sqrt();
        // The smaller root as a quotient, since the difference would cancel.
        let far = half + root.copysign(half);
        let near = if far == 0.0 { 0.0 } else { self.omega * self.omega / far };
        [near, far].map(|rate| Eigenvalue { re: -rate, im: 0.0 })
    }
}

/// Whether a method has a stability region, as methods do that integrate springs and do not choose
/// their own step.
pub fn has_region(method: &dyn Method) -> bool {
    method.info().limit.is_some() && !method.chooses_steps()
}

/// Factor by which a step of `dt` multiplies the amplitude of a motion with eigenvalue λ. For a
/// complex λ the motion has the conjugate eigenvalue, too. `None` if the method has no region; see
/// [`has_region`].
///
/// ```
/// use catena_analysis::stability::region::{Eigenvalue, growth};
/// use catena_sim::method::with_defaults;
///
/// let euler = with_defaults("ExplicitEuler").ok_or("no such method")?;
/// let lambda = Eigenvalue { re: -1.0, im: 2.0 };
/// let factor = growth(&euler, lambda, 0.1).ok_or("no region")?;
/// // |1 + hλ| = |0.9 + 0.2 i|
/// assert!((factor - 0.85_f64.sqrt()).abs() < 1e-12);
/// # Ok::<(), &str>(())
/// ```
pub fn growth(method: &Arc<dyn Method>, lambda: Eigenvalue, dt: f64) -> Option<f64> {
    has_region(method.as_ref())
        .then(|| Oscillator::of_eigenvalue(lambda.times(dt)).growth(method, 1.0))
}

/// Whether a step of `dt` keeps a motion with eigenvalue λ bounded: hλ is in the region. `None` if
/// the method has no region.
///
/// ```
/// use catena_analysis::stability::region::{Eigenvalue, is_stable};
/// use catena_sim::method::with_defaults;
///
/// let euler = with_defaults("ExplicitEuler").ok_or("no such method")?;
/// let is_euler_stable = |re, im, dt| is_stable(&euler, Eigenvalue { re, im }, dt);
/// assert_eq!(is_euler_stable(-1.0, 1.0, 0.9), Some(true));
/// assert_eq!(is_euler_stable(-1.0, 1.0, 1.1), Some(false));
/// assert_eq!(is_euler_stable(0.0, 1.0, 0.001), Some(false));
/// # Ok::<(), &str>(())
/// ```
pub fn is_stable(method: &Arc<dyn Method>, lambda: Eigenvalue, dt: f64) -> Option<bool> {
    let allowed = if lambda.im == 0.0 { ON_AXIS } else { GROWTH };
    growth(method, lambda, dt).map(|growth| growth <= 1.0 + allowed)
}

/// Slow decay rate of a pair, per step, for [`treats_alike`]; far inside every region.
const SLOW: f64 = 0.02;
/// Fast decay rates, per step, with which [`treats_alike`] pairs the slow one; far inside every
/// region.
const FAST: [f64; 2] = [0.04, 0.06];
/// Maximum difference between the growths of the slow motion paired with either fast rate.
const ALIKE: f64 = 1e-10;

/// Whether a method multiplies each eigenvector by R(hλ), independently of the other eigenvalues.
/// Otherwise a point of its region represents a conjugate pair. `None` if the method has no region.
pub fn treats_alike(method: &Arc<dyn Method>) -> Option<bool> {
    has_region(method.as_ref()).then(|| {
        let growth = |fast: f64| Oscillator::of_rates(SLOW, fast).growth(method, 1.0);
        let [a, b] = FAST.map(growth);
        (a - b).abs() < ALIKE
    })
}

/// Stable part of a column of the plane, in the upper half.
#[derive(Clone, Debug, PartialEq)]
pub struct RegionColumn {
    /// Real part of the column.
    pub re: f64,
    /// Stable intervals of the imaginary part, ascending, from 0 to the reach of the region.
    pub stable: Vec<[f64; 2]>,
}

/// Stability region of a method in the upper half of the plane; the lower half mirrors it.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// Columns, from left to right.
    pub columns: Vec<RegionColumn>,
    /// Ends of the region on the axes.
    pub ends: AxisEnds,
    /// Whether the method multiplies each eigenvector by R(hλ); see [`treats_alike`].
    pub treats_alike: bool,
}

/// Ends of a stability region on the axes, as distances from 0. Infinite if the whole half axis is
/// stable, and `None` if no part of it next to 0 is stable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisEnds {
    /// End on the negative real axis.
    pub real: Option<f64>,
    /// End on the imaginary axis, the limit of ωdt without damping.
    pub imaginary: Option<f64>,
}

/// Ratio of the slow to the fast rate of a motion on the real axis.
const APART: f64 = 0.25;

/// Ends of the region of a method on the axes; `None` if the method has no region.
pub fn axis_ends(method: &Arc<dyn Method>) -> Option<AxisEnds> {
    // Equal eigenvalues make the matrix defective, and rounding then shifts the end. A method with
    // a single R(hλ) allows different eigenvalues.
    let real = match treats_alike(method)? {
        true => Oscillator::of_rates(APART, 1.0),
        false => Oscillator::of_rates(1.0, 1.0),
    };
    let imaginary = Oscillator::new(1.0, 0.0);
    let [real, imaginary] = [real, imaginary].map(|motion| motion.longest_step(method));
    Some(AxisEnds { real, imaginary })
}

/// Number of columns and rows that are sampled. A narrower part of a region may be missed.
const SAMPLES: [usize; 2] = [72, 28];
/// Relative distance of a column from the left end of the region.
const CORNER: f64 = 1e-4;
/// Number of bisections of a boundary.
const BISECTIONS: usize = 9;

/// Rectangle of the plane: real parts from `left` to `right`, imaginary parts up to `top`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneFrame {
    /// Minimum real part.
    pub left: f64,
    /// Maximum real part.
    pub right: f64,
    /// Maximum imaginary part.
    pub top: f64,
}
catena_sim::identity!(PlaneFrame { left, right, top });

/// Number of columns added where boundaries are steep.
const REFINEMENTS: usize = 48;
/// Width of an interval between columns, as a share of the height of the frame, above which it may
/// be divided. The change of a boundary in the interval must exceed the same share.
const NARROWEST: f64 = 2e-4;

/// Maximum number of steps that [`region`] evaluates if each column has one boundary; for estimates
/// of the cost.
pub const EVALUATIONS: usize = (SAMPLES[0] + REFINEMENTS + 4) * (SAMPLES[1] + 1 + 2 * BISECTIONS);

/// Samples the stability region of a setup's method, with its factors on velocities and positions.
/// `None` if the method has no region.
pub fn region(setup: &Setup, frame: PlaneFrame) -> Option<Region> {
    let method = &setup.method;
    let ends = axis_ends(method)?;
    let factors = [setup.velocity_factor, setup.position_factor];
    let is_stable = |re: f64, im: f64| {
        let at = Oscillator::of_eigenvalue(Eigenvalue { re, im });
        Oscillator { factors, ..at }.growth(method, 1.0) <= 1.0 + GROWTH
    };
    let PlaneFrame { left, right, top } = frame;
    let step = (right - left) / SAMPLES[0] as f64;
    let mut places: Vec<f64> = (0..=SAMPLES[0]).map(|i| left + step * i as f64).collect();
    // The imaginary axis and the left end, where regions have corners, are columns.
    // At the end itself, rounding of a defective matrix decides.
    let corners = [Some(0.0), ends.real.map(|end| -(1.0 - CORNER) * end)];
    places.extend(corners.into_iter().flatten().filter(|re| (left..=right).contains(re)));
    places.sort_by(f64::total_cmp);
    places.dedup_by(|a, b| (*a - *b).abs() < 1e-9 * top);
    let column = |re: f64| RegionColumn { re, stable: intervals(top, |im| is_stable(re, im)) };
    let columns = refined(places.into_iter().map(column).collect(), top, column);
    Some(Region { columns, ends, treats_alike: treats_alike(method)? })
}

/// Adds columns where boundaries change most between neighbours, so that round ends of a region
/// are as smooth as its sides.
fn refined(
    mut columns: Vec<RegionColumn>,
    top: f64,
    column: impl Fn(f64) -> RegionColumn,
) -> Vec<RegionColumn> {
    for _ in 0..REFINEMENTS {
        let wide = |pair: &[RegionColumn]| pair[1].re - pair[0].re > NARROWEST * top;
        let changes = columns.windows(2).enumerate();
        let changes = changes.filter(|(_, pair)| wide(pair));
        let changes = changes.map(|(index, pair)| (index, change(&pair[0], &pair[1])));
        let Some((index, maximum)) = changes.max_by(|a, b| a.1.total_cmp(&b.1)) else { break };
        if maximum <= NARROWEST * top {
            break;
        }
        let middle = 0.5 * (columns[index].re + columns[index + 1].re);
        columns.insert(index + 1, column(middle));
    }
    columns
}

/// Largest change of a boundary from a column to the next. An interval that only one of the columns
/// has counts with its length.
fn change(a: &RegionColumn, b: &RegionColumn) -> f64 {
    if a.stable.len() == b.stable.len() {
        let pairs = a.stable.iter().flatten().zip(b.stable.iter().flatten());
        return pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    }
    let alone = |one: &RegionColumn, other: &RegionColumn| {
        let meets = |[low, high]: [f64; 2]| {
            other.stable.iter().any(|other| low <= other[1] && other[0] <= high)
        };
        let lengths = one.stable.iter().filter(|it| !meets(**it)).map(|[low, high]| high - low);
        lengths.fold(0.0, f64::max)
    };
    alone(a, b).max(alone(b, a))
}

/// Intervals from 0 to `top` in which a condition holds.
fn intervals(top: f64, holds: impl Fn(f64) -> bool) -> Vec<[f64; 2]> {
    let at = |row: usize| top * row as f64 / SAMPLES[1] as f64;
    let mut intervals: Vec<[f64; 2]> = Vec::new();
    let mut was = holds(0.0);
    if was {
        intervals.push([0.0; 2]);
    }
    for row in 1..=SAMPLES[1] {
        let is = holds(at(row));
        if is != was {
            let edge = bisected(at(row - 1), at(row), was, &holds);
            if is {
                intervals.push([edge; 2]);
            } else if let Some(last) = intervals.last_mut() {
                last[1] = edge;
            }
        }
        was = is;
    }
    if was && let Some(last) = intervals.last_mut() {
        last[1] = top;
    }
    intervals
}

/// Place between `low` and `high` at which a condition changes from `was`.
fn bisected(mut low: f64, mut high: f64, was: bool, holds: &impl Fn(f64) -> bool) -> f64 {
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (low + high);
        if holds(middle) == was { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}
