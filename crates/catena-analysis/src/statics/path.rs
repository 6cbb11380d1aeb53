//! Paths of equilibria over a load, past limit points, by continuation along the arc of the path.
//!
//! The unknowns are the positions and the load. A step goes along the tangent of the path, and
//! Newton's method returns to the path in the plane across it. So the load may decrease where a
//! body snaps through, and unstable equilibria are found. Source: Keller 1977, "Numerical solution
//! of bifurcation and nonlinear eigenvalue problems"; Riks 1979.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use super::balance::{Guess, Linear};
use super::search::{is_exact, search};
use super::start::{as_balanced, paid_out};
use super::{
    Hint, MINUTE, NoRest, Rest, Solver, Stability, Start, known, modes, refusal, stability,
};
use catena_sim::Setup;
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

/// Initial length of a step along the path. Displacements count per size of the body, loads as
/// shares of the range.
const STEP: f64 = 0.01;
/// Length of a step, in the units of [`STEP`], at or below which the path ends.
const MIN_STEP: f64 = 1e-7;
/// Maximum length of a step, in the units of [`STEP`].
const MAX_STEP: f64 = 0.04;
/// Maximum straight distance of a step, as a multiple of the step along the tangent.
const FARTHER: f64 = 1.1;
/// Minimum cosine of the angle between the directions at both ends of a step.
const MIN_TURN: f64 = 0.98;
/// Maximum distance of the corrections of a step, as a share of the step.
const MAX_CORRECTED: f64 = 0.15;
/// Maximum number of corrections of a step.
const CORRECTIONS: usize = 12;
/// Maximum change of the load along a path without direction, as a share of the range.
const DIRECTION: f64 = 1e-3;
/// Difference of loads for the derivative with respect to the load, as a share of the range.
const DIFFERENCE: f64 = 1e-4;
/// Distance of the load from the range, in lengths of the range, at which a path ends.
const FAR: f64 = 3.0;
/// Maximum change of a coordinate that counts as 0, as a share of the largest coordinate at the
/// start.
const STAYS: f64 = 1e-12;
/// Maximum relative change of ω² that counts as 0.
const STAYS_SQUARE: f64 = 1e-6;
/// Maximum number of multiplications along a path, which take about a minute.
const MAX_WORK: f64 = 5e10;
/// Cost per node of creating a body for a load, in multiplications; [`MAKING`] is added.
const MAKING_NODE: u64 = 1000;
/// Fixed cost of creating a body for a load, in multiplications.
const MAKING: u64 = 300_000;
/// Maximum number of refinements of a limit point.
const REFINEMENTS: usize = 8;
/// Maximum number of steps that locate a change of stability.
const NARROWINGS: usize = 40;
/// Maximum width of the bracket at which the search for a change of stability ends, as a share of
/// the step along the path.
const NARROW: f64 = 1e-9;
/// Value of ω² that counts as 0 where stability changes, as a share of the change of ω² in the
/// step.
const CRITICAL: f64 = 1e-7;
/// Minimum |ω²| next to a jump to another branch, as a share of the change of ω² in the step.
const JUMP: f64 = 1e-3;

/// An equilibrium on a path.
#[derive(Clone, Debug, PartialEq)]
pub struct PathPoint {
    /// The load.
    pub load: f64,
    /// Positions, flat by axis.
    pub x: Vec<f64>,
    /// Norm of the forces on free nodes, as a share of the weight.
    pub residual: f64,
    /// Smallest ω² about the equilibrium; `None` if no node is free.
    pub omega_squared: Option<f64>,
    /// Stability of the equilibrium.
    pub stability: Stability,
    /// Whether the load has an extremum here (a limit point).
    pub is_limit: bool,
    /// Whether stability changes here without an extremum of the load: ω² passes through 0, and
    /// another branch begins (a bifurcation).
    pub is_critical: bool,
}

/// Equilibria in their order along a path.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// The equilibria. The first one has the load at which the path starts.
    pub points: Vec<PathPoint>,
    /// Reason why the path ends.
    pub end: PathEnd,
    /// Number of times that the body passes through itself before and along the path. 0 for the
    /// same bodies as for [`Equilibrium::passages`](super::Equilibrium::passages).
    pub passages: usize,
}

/// Reason why a path ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathEnd {
    /// The last equilibrium has the final load.
    Complete,
    /// No next equilibrium was found.
    Lost,
    /// The path has the maximum number of equilibria.
    Most,
    /// The load is far outside its range.
    Far,
    /// The path takes more than the maximum number of multiplications.
    Work,
}

impl Path {
    /// Whether the last equilibrium has the final load.
    pub fn is_complete(&self) -> bool {
        self.end == PathEnd::Complete
    }

    /// Whether the path starts at a neutral equilibrium and ends there without a change of the
    /// load.
    fn has_no_direction(&self, from: f64, to: f64) -> bool {
        let is_near =
            |point: &PathPoint| (point.load - from).abs() <= DIRECTION * (to - from).abs();
        let is_neutral =
            self.points.first().is_some_and(|point| point.stability == Stability::Neutral);
        self.end == PathEnd::Lost && is_neutral && self.points.iter().all(is_near)
    }

    /// Whether no node moves along the path, and whether the smallest ω² is constant, both up to
    /// rounding. Both are `false` for a path with a single equilibrium.
    pub fn stays(&self) -> [bool; 2] {
        let [first, _, ..] = self.points.as_slice() else { return [false; 2] };
        let extent = first.x.iter().fold(0.0_f64, |maximum, x| maximum.max(x.abs()));
        let far = |point: &PathPoint| apart(&point.x, &first.x) > STAYS * extent;
        let square = first.omega_squared.unwrap_or(0.0);
        let differs = |point: &PathPoint| {
            (point.omega_squared.unwrap_or(0.0) - square).abs() > STAYS_SQUARE * square.abs()
        };
        [!self.points.iter().any(far), !self.points.iter().any(differs)]
    }

    /// Equilibria at which the load has an extremum.
    pub fn limits(&self) -> impl Iterator<Item = &PathPoint> {
        self.points.iter().filter(|point| point.is_limit)
    }
}

/// Follows the equilibria of a body from one load to another. `at` returns the body at a load.
///
/// The path starts at the rest state that the search finds for the first load. The path ends at the
/// first equilibrium with the last load, or after `maximum` equilibria. If the first equilibrium is
/// neutral and the path has no direction there, it starts at the load of the first step instead.
///
/// # Errors
/// `at` fails, or the body has no rest state at the first load.
pub fn follow<E: From<NoRest>>(
    at: impl Fn(f64) -> Result<Arc<Setup>, E>,
    [from, to]: [f64; 2],
    maximum: usize,
) -> Result<Path, E> {
    follow_within(at, [from, to], maximum, 1.0)
}

/// Follows the equilibria of a body as [`follow`] does. `effort` multiplies the default work limits
/// of the first search and of the whole path.
///
/// # Errors
/// `at` fails, or the body has no rest state at the first load.
pub fn follow_within<E: From<NoRest>>(
    at: impl Fn(f64) -> Result<Arc<Setup>, E>,
    [from, to]: [f64; 2],
    maximum: usize,
    effort: f64,
) -> Result<Path, E> {
    let follower = Follower { at, from, to, effort, work: Cell::new(0) };
    let path = followed(&follower, 0.0, maximum)?;
    if !path.has_no_direction(from, to) {
        return Ok(path);
    }
    // A slack body without load has many shapes, and the first load chooses one.
    let later = followed(&follower, STEP, maximum);
    let is_stable = |later: &Path| {
        later.points.first().is_some_and(|point| point.stability == Stability::Stable)
    };
    Ok(later.ok().filter(is_stable).unwrap_or(path))
}

/// Follows the equilibria from a first load, as a share of the range.
fn followed<E: From<NoRest>, A: Fn(f64) -> Result<Arc<Setup>, E>>(
    follower: &Follower<A>,
    first: f64,
    maximum: usize,
) -> Result<Path, E> {
    let mut place = follower.first(first)?;
    let mut points = vec![follower.point(&place)?];
    let mut step = STEP;
    while points.len() < maximum && step > MIN_STEP && follower.has_work_left() {
        let along = |step: f64| place.load + step * place.tangent.1;
        let is_last = along(step) >= 1.0 && place.tangent.1 > 0.0;
        let length = if is_last { (1.0 - place.load) / place.tangent.1 } else { step };
        let found = follower.step(&place, length, is_last)?;
        let Some((next, corrections)) = found else {
            step *= 0.5;
            continue;
        };
        // A sharp turn or a long correction may lead to another branch.
        let is_far = place.distance(&next) > FARTHER * length.abs()
            || next.corrected > MAX_CORRECTED * length.abs();
        if is_far || next.turn(&place) < MIN_TURN {
            step *= 0.5;
            continue;
        }
        let turns = next.tangent.1 * place.tangent.1 < 0.0;
        if turns && let Some(limit) = follower.limit(&place, &next, length)? {
            points.push(PathPoint { is_limit: true, ..follower.point(&limit)? });
        }
        let point = follower.point(&next)?;
        if let (false, Some(before)) = (turns, points.last()) {
            let between = follower.change(&place, length, [before, &point])?;
            points.extend(between.into_iter().take(maximum.saturating_sub(points.len() + 1)));
        }
        place = next;
        points.push(point);
        if is_last {
            return Ok(place.ended(points, PathEnd::Complete));
        }
        if (place.load - 0.5).abs() > 0.5 + FAR {
            return Ok(place.ended(points, PathEnd::Far));
        }
        step = if corrections <= 4 { (1.4 * step).min(MAX_STEP) } else { step };
    }
    let end = match points.len() < maximum {
        _ if !follower.has_work_left() => PathEnd::Work,
        true => PathEnd::Lost,
        false => PathEnd::Most,
    };
    Ok(place.ended(points, end))
}

/// An equilibrium with the direction of the path there.
#[derive(Clone)]
struct Place {
    guess: Guess,
    /// Load as a share of the range.
    load: f64,
    residual: f64,
    /// Reference length of the body.
    size: f64,
    /// Distance from the position that the tangent of the previous place predicted, per size of the
    /// body.
    corrected: f64,
    /// Direction of the path: displacements per size of the body, flat by axis, and change of the
    /// load.
    tangent: (Vec<f64>, f64),
}

impl Place {
    /// Straight distance to another place, in displacements per size and in load.
    fn distance(&self, other: &Self) -> f64 {
        let offsets =
            other.guess.x.iter().zip(&self.guess.x).map(|(to, from)| (to - from) / self.size);
        let load = other.load - self.load;
        (offsets.map(|offset| offset * offset).sum::<f64>() + load * load).sqrt()
    }

    /// The path that ends here.
    fn ended(&self, points: Vec<PathPoint>, end: PathEnd) -> Path {
        Path { points, end, passages: self.guess.passages }
    }

    /// Cosine of the angle between the directions of the path at two places.
    fn turn(&self, other: &Self) -> f64 {
        inner(&self.tangent.0, &other.tangent.0) + self.tangent.1 * other.tangent.1
    }
}

struct Follower<A> {
    at: A,
    from: f64,
    to: f64,
    effort: f64,
    /// Number of multiplications up to this point.
    work: Cell<u64>,
}

/// A body at a load.
struct Loaded {
    setup: Setup,
    start: Start,
}

/// Linear system at a guess and a load, with its solutions for the residual forces and for a change
/// of the load.
struct Answers {
    linear: Linear,
    /// Displacements that cancel the residual forces.
    by_force: Vec<f64>,
    /// Displacements per change of the load.
    by_load: Vec<f64>,
    /// Change of the excess of each link per change of the load, at fixed positions.
    excess_by_load: Vec<f64>,
}

impl<E: From<NoRest>, A: Fn(f64) -> Result<Arc<Setup>, E>> Follower<A> {
    fn setup(&self, share: f64) -> Result<Setup, E> {
        let setup = (self.at)(self.from + share * (self.to - self.from))?;
        let setup = as_balanced(&paid_out(&setup)?.0);
        self.count(MAKING + MAKING_NODE * setup.model.nodes() as u64);
        Ok(setup)
    }

    /// Counts multiplications.
    fn count(&self, work: u64) {
        self.work.set(self.work.get().saturating_add(work));
    }

    /// Whether the path may continue within its limit of work.
    fn has_work_left(&self) -> bool {
        (self.work.get() as f64) < MAX_WORK * self.effort
    }

    /// The linear system of a body at a guess, with its work counted.
    fn linear(&self, solver: &Solver<'_>, guess: &Guess, firm: f64) -> Option<Linear> {
        let before = solver.balance.work();
        let linear = solver.balance.linear(guess, false, firm);
        self.count(solver.balance.work() - before);
        linear
    }

    /// Body at a load, with its pins at their final positions. The shape comes from the path, so
    /// the previous motion of pins does not matter.
    fn loaded(&self, share: f64) -> Result<Loaded, E> {
        let setup = self.setup(share)?;
        let time = refusal::still_after(&setup)?;
        let start = Start::at(&setup, time, MINUTE * self.effort);
        Ok(Loaded { setup, start })
    }

    fn first(&self, load: f64) -> Result<Place, E> {
        let setup = self.setup(load)?;
        let start = Start::new(&setup, MINUTE * self.effort, &Rc::default())?;
        let loaded = Loaded { setup, start };
        let solver = Solver::new(&loaded.setup, &loaded.start)?;
        let found = search(&solver.balance, &solver.start());
        self.count(solver.balance.work());
        let Rest { equilibrium: rest, guess } = solver.report(found)?;
        let size = solver.balance.size;
        let (iterations, residual) = (rest.iterations, rest.residual);
        let (length, of) = (rest.length_error, solver.balance.reference());
        let (gaps, hint) = (0.0, Hint::Singular);
        let failed = NoRest::NotFound { iterations, residual, length, gaps, of, hint };
        let answers = self.answers(&solver, &guess, load)?.ok_or(failed)?;
        let tangent = tangent(&answers.by_load, size, None);
        let residual = rest.residual;
        Ok(Place { guess, load, residual, size, corrected: 0.0, tangent })
    }

    /// Solves the linear system at a guess; `None` if the system is singular.
    fn answers(&self, solver: &Solver<'_>, guess: &Guess, load: f64) -> Result<Option<Answers>, E> {
        let balance = &solver.balance;
        let Some(linear) = self.linear(solver, guess, 1.0) else { return Ok(None) };
        let layout = Arc::clone(linear.matrix.layout());
        let factor = linear.matrix.clone().factor();
        let right = layout.gather(&balance.right(guess, &linear));
        let mut sides = Vec::new();
        for sign in [1.0, -1.0] {
            // A field of the scene may not allow a load beyond the range.
            let (place, shifted) = match self.loaded(load + sign * DIFFERENCE) {
                Ok(shifted) => (sign, shifted),
                Err(_) => (0.0, self.loaded(load)?),
            };
            let other = Solver::new(&shifted.setup, &shifted.start)?;
            let placed = other.placed(guess);
            let Some(linear) = self.linear(&other, &placed, 1.0) else { return Ok(None) };
            let forces = other.balance.right_of_others(&placed, &linear);
            sides.push((place, forces, other.balance.excesses(&placed)));
        }
        let width = (sides[0].0 - sides[1].0) * DIFFERENCE;
        if width == 0.0 {
            return Ok(None);
        }
        let slope = |a: &[f64], b: &[f64]| -> Vec<f64> {
            a.iter().zip(b).map(|(a, b)| (a - b) / width).collect()
        };
        // Changes of links act along the current direction. The directions at the two sides differ,
        // which would falsify the change of a stiff link.
        let mut change = slope(&sides[0].1, &sides[1].1);
        let excess_by_load = slope(&sides[0].2, &sides[1].2);
        balance.add_pulls(guess, &excess_by_load, &mut change);
        let solve = |side: &[f64]| layout.scatter(&factor.solve(side));
        let by_force = solve(&right);
        let by_load = solve(&layout.gather(&change));
        Ok(Some(Answers { linear, by_force, by_load, excess_by_load }))
    }

    /// Takes a step of a length along the tangent and corrects it to the path, with the last load
    /// if `is_last`. Returns the place and the number of corrections; `None` if the corrections do
    /// not converge.
    fn step(&self, from: &Place, length: f64, is_last: bool) -> Result<Option<(Place, usize)>, E> {
        let mut load = if is_last { 1.0 } else { from.load + length * from.tangent.1 };
        let mut guess = from.guess.clone();
        let mut size = None;
        let mut predicted = Vec::new();
        for correction in 0..=CORRECTIONS {
            let loaded = match self.loaded(load) {
                // A field of the scene may not allow a load beyond the range.
                Err(_) if !(0.0..=1.0).contains(&load) => return Ok(None),
                loaded => loaded?,
            };
            let solver = Solver::new(&loaded.setup, &loaded.start)?;
            let size = *size.get_or_insert_with(|| {
                let size = solver.balance.size;
                let moves = guess.x.iter_mut().zip(&from.tangent.0);
                moves.for_each(|(x, component)| *x += length * size * component);
                size
            });
            guess = solver.placed(&guess);
            if correction == 0 {
                predicted.clone_from(&guess.x);
            }
            let residual = solver.balance.residual(&guess);
            if !residual.size().is_finite() || !self.has_work_left() {
                return Ok(None);
            }
            let Some(answers) = self.answers(&solver, &guess, load)? else { return Ok(None) };
            if correction > 0 && is_exact(&solver.balance, &guess, residual) {
                guess.rods = solver.balance.turns(&guess);
                guess.passages += solver.balance.passages(&from.guess.x, &guess.x);
                let tangent = tangent(&answers.by_load, size, Some(from));
                let (residual, corrected) = (residual.force, apart(&guess.x, &predicted) / size);
                let place = Place { guess, load, residual, size, corrected, tangent };
                return Ok(Some((place, correction)));
            }
            // Corrections stay in the plane across the tangent, except at the last load.
            let gone: Vec<f64> =
                guess.x.iter().zip(&from.guess.x).map(|(x, from)| (x - from) / size).collect();
            let along = inner(&from.tangent.0, &gone) + from.tangent.1 * (load - from.load);
            let by = |moves: &[f64]| inner(&from.tangent.0, moves) / size;
            let missing = length - along - by(&answers.by_force);
            let change = match is_last {
                true => 0.0,
                false => missing / (by(&answers.by_load) + from.tangent.1),
            };
            let pairs = answers.by_force.iter().zip(&answers.by_load);
            let displacement: Vec<f64> = pairs.map(|(a, b)| a + change * b).collect();
            let mut changes = solver.balance.changes(&guess, &answers.linear, &displacement);
            let by_load = changes.tensions.iter_mut().zip(&answers.excess_by_load);
            by_load.for_each(|(tension, by_load)| *tension += change * by_load);
            guess = solver.balance.stepped(&guess, &displacement, &changes, 1.0);
            load += change;
        }
        Ok(None)
    }

    /// Place between two others at which the load has an extremum.
    fn limit(&self, from: &Place, to: &Place, length: f64) -> Result<Option<Place>, E> {
        let (mut low, mut high) = ((0.0, from.tangent.1), (length, to.tangent.1));
        let mut best = None;
        for _ in 0..REFINEMENTS {
            let at = low.0 + (high.0 - low.0) * low.1 / (low.1 - high.1);
            let Some((place, _)) = self.step(from, at, false)? else { break };
            let slope = place.tangent.1;
            let is_done = slope.abs() < 1e-9;
            best = Some(place);
            if is_done {
                break;
            }
            if slope * low.1 > 0.0 { low = (at, slope) } else { high = (at, slope) }
        }
        Ok(best)
    }

    /// Equilibria at a change of stability between two places: the equilibrium at which ω² is 0, or
    /// two adjacent equilibria on different branches. Empty if the stability does not change, or if
    /// steps in between do not converge.
    fn change(
        &self,
        from: &Place,
        length: f64,
        ends: [&PathPoint; 2],
    ) -> Result<Vec<PathPoint>, E> {
        let [Some(before), Some(after)] = ends.map(|point| point.omega_squared) else {
            return Ok(Vec::new());
        };
        let changes = [Stability::Stable, Stability::Unstable];
        if !changes.iter().all(|kind| ends.iter().any(|point| point.stability == *kind)) {
            return Ok(Vec::new());
        }
        let change_of_square = (after - before).abs();
        // Step and ω² of both ends of the bracket. The ω² of an end that is kept twice is halved
        // (Illinois method).
        let (mut low, mut high) = ((0.0, before), (length, after));
        let (mut near, mut kept) = ([None, None], 0);
        for _ in 0..NARROWINGS {
            let at = low.0 + (high.0 - low.0) * low.1 / (low.1 - high.1);
            let Some((place, _)) = self.step(from, at, false)? else { return Ok(Vec::new()) };
            let point = self.point(&place)?;
            let square = point.omega_squared.unwrap_or(f64::NAN);
            if square.abs() <= CRITICAL * change_of_square || point.stability == Stability::Neutral
            {
                return Ok(vec![PathPoint { is_critical: true, ..point }]);
            }
            if square * before > 0.0 {
                (low, near[0]) = ((at, square), Some(point));
                high.1 *= if kept == 1 { 0.5 } else { 1.0 };
                kept = 1;
            } else {
                (high, near[1]) = ((at, square), Some(point));
                low.1 *= if kept == 2 { 0.5 } else { 1.0 };
                kept = 2;
            }
            if (high.0 - low.0).abs() <= NARROW * length.abs() {
                break;
            }
        }
        let smallest = near.iter().flatten().filter_map(|point| point.omega_squared);
        let smallest = smallest.fold(f64::INFINITY, |minimum, square| minimum.min(square.abs()));
        // Further digits of an ω² near 0 would be rounding errors.
        let is_smooth = smallest <= JUMP * change_of_square;
        let mut near: Vec<PathPoint> = near.into_iter().flatten().collect();
        if is_smooth {
            near.truncate(1);
            near.iter_mut().for_each(|point| point.is_critical = true);
        }
        Ok(near)
    }

    fn point(&self, place: &Place) -> Result<PathPoint, E> {
        let loaded = self.loaded(place.load)?;
        let solver = Solver::new(&loaded.setup, &loaded.start)?;
        let (residual, of) = (place.residual, solver.balance.reference());
        let (iterations, length, gaps, hint) = (0, 0.0, 0.0, Hint::Singular);
        let failed = NoRest::NotFound { iterations, residual, length, gaps, of, hint };
        let linear = self.linear(&solver, &place.guess, super::FIRM).ok_or(failed)?;
        let model = &loaded.setup.model;
        let fixed = known::fixed(&linear, model.axes);
        let moving = linear.matrix.layout().coordinates().saturating_sub(fixed);
        let room = (MAX_WORK * self.effort - self.work.get() as f64).max(0.0);
        let (mut modes, work) =
            modes::lowest(&linear.matrix, &model.mass, moving.min(1), room as u64);
        self.count(work);
        let zero = solver.sharpened(&place.guess, &linear, &mut modes);
        Ok(PathPoint {
            load: self.from + place.load * (self.to - self.from),
            x: place.guess.x.clone(),
            residual: place.residual,
            omega_squared: modes.first().map(|mode| mode.omega_squared),
            stability: stability(&modes, zero),
            is_limit: false,
            is_critical: false,
        })
    }
}

/// Unit direction of a path: with a rising load at the first place, then onwards from the previous
/// place.
fn tangent(by_load: &[f64], size: f64, before: Option<&Place>) -> (Vec<f64>, f64) {
    let rates: Vec<f64> = by_load.iter().map(|rate| rate / size).collect();
    let length = (inner(&rates, &rates) + 1.0).sqrt();
    let ahead = before.map_or(1.0, |place| inner(&place.tangent.0, &rates) + place.tangent.1);
    let share = if ahead < 0.0 { -1.0 / length } else { 1.0 / length };
    (rates.iter().map(|rate| share * rate).collect(), share)
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
