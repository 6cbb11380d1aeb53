//! Search for a rest state: Newton's method, and what brings a body near enough for it.
//!
//! 1. Newton's method on positions and tensions, from the start as it is where its stiffness is
//!    definite, and otherwise with every spring under tension. The step is halved until the
//!    residual falls.
//! 2. If that fails, load stepping: springs are softened, and the body follows the forces downhill
//!    in steps of a damped Newton method. The stiffness then rises by factors.
//!
//! If the matrix is indefinite, terms of pushed springs are omitted and a multiple of the identity
//! is added, so that each step leads downhill. Close to a balance the exact matrix is used,
//! whatever its signs: the balance found may be unstable, and its eigenvalues say so.

use super::balance::{Balance, Guess, Residual};
use super::envelope::{Factor, Layout};

/// Residual of forces at rest, as a share of the weight.
pub const EXACT_FORCE: f64 = 1e-12;
/// Error of lengths at rest, as a share of the size of the body.
pub const EXACT_LENGTH: f64 = 1e-13;
/// Maximum number of steps of Newton's method.
const MOST_STEPS: usize = 80;
/// Maximum number of steps downhill at one stiffness.
const MOST_DESCENTS: usize = 1000;
/// Maximum number of multiplications of a search downhill.
const MOST_WORK: u64 = 4_000_000_000;
/// Maximum number of halvings of a step.
const HALVINGS: usize = 8;
/// Residual below which the exact matrix is used even if it is indefinite.
const NEAR: f64 = 1e-3;
/// Stiffness of softened springs, in weights per length of the body, and factor of its steps.
const SOFT: f64 = 30.0;
const STIFFER: f64 = 100.0;
const STIFFENINGS: usize = 3;
/// Maximum stiffness of springs on the way downhill; Newton's method does the rest.
const STIFFEST: f64 = 1e6;
/// Tension at the start, as a share of the weight.
const START_TENSION: f64 = 0.5;

/// Rules of a run of Newton's method.
#[derive(Clone, Copy, Debug)]
struct Rules {
    /// Maximum number of steps.
    most: usize,
    /// Whether the exact matrix is used near a balance even if it is indefinite, so that unstable
    /// balances are found.
    finds_saddles: bool,
}

/// Rules of a search for any balance.
const ANY: Rules = Rules { most: MOST_STEPS, finds_saddles: true };
/// Rules of a search for a stable balance.
const STABLE: Rules = Rules { finds_saddles: false, ..ANY };

/// Result of a search.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) guess: Guess,
    pub(super) residual: Residual,
    /// Number of linear systems solved.
    pub(super) iterations: usize,
    /// Residual before each step of the last run of Newton's method, and at its end.
    pub(super) history: Vec<f64>,
    pub(super) is_exact: bool,
}

/// Searches a balance from positions.
pub(super) fn search(balance: &Balance<'_>, layout: &Layout, x: &[f64]) -> Found {
    let start = balance.start(x);
    let found = newton(balance, layout, start.clone(), Rules { most: 0, ..ANY });
    if found.is_exact {
        return found;
    }
    // From a stiff shape, such as an arch, the body stays on its side of a limit load.
    let stiff = balance.stiffness(&start, layout, false);
    if stiff.is_some_and(|matrix| matrix.factor().is_definite()) {
        let found = newton(balance, layout, start.clone(), STABLE);
        if found.is_exact {
            return found;
        }
    }
    let mut tight = start;
    let least = START_TENSION * balance.weight;
    tight.tension.iter_mut().for_each(|tension| *tension = tension.max(least));
    let found = newton(balance, layout, tight, ANY);
    if found.is_exact {
        return found;
    }
    let stepped = by_stiffness(balance, layout, x);
    Found { iterations: found.iterations + stepped.iterations, ..stepped }
}

/// Searches a balance downhill from positions, without steps that could lead uphill.
pub(super) fn descend_from(balance: &Balance<'_>, layout: &Layout, x: &[f64]) -> Found {
    let (guess, steps) = descend(&balance.softened(STIFFEST), layout, x.to_vec());
    let found = newton(balance, layout, guess, STABLE);
    Found { iterations: steps + found.iterations, ..found }
}

/// Load stepping by stiffness: soft springs first.
fn by_stiffness(balance: &Balance<'_>, layout: &Layout, x: &[f64]) -> Found {
    let (mut x, mut iterations, mut stiffness) = (x.to_vec(), 0, SOFT);
    for _ in 0..STIFFENINGS {
        let (guess, steps) = descend(&balance.softened(stiffness), layout, x);
        let found = newton(balance, layout, guess.clone(), ANY);
        iterations += steps + found.iterations;
        if found.is_exact {
            return Found { iterations, ..found };
        }
        x = guess.x;
        stiffness *= STIFFER;
    }
    let found = descend_from(balance, layout, &x);
    Found { iterations: iterations + found.iterations, ..found }
}

/// Whether a guess is at rest, up to rounding.
fn is_exact(balance: &Balance<'_>, guess: &Guess, residual: Residual) -> bool {
    let [force, length] = balance.rounding(guess);
    residual.force <= EXACT_FORCE.max(force) && residual.length <= EXACT_LENGTH.max(length)
}

fn newton(balance: &Balance<'_>, layout: &Layout, mut guess: Guess, rules: Rules) -> Found {
    let mut residual = balance.residual(&guess);
    let mut history = vec![residual.size()];
    let mut iterations = 0;
    while iterations < rules.most && residual.size().is_finite() {
        let is_near = rules.finds_saddles && residual.size() < NEAR;
        let Some(factor) = newton_matrix(balance, layout, &guess, is_near) else { break };
        iterations += 1;
        let Some((next, after)) = shortened(balance, layout, &factor, (&guess, residual)) else {
            break;
        };
        let was_exact = is_exact(balance, &guess, residual);
        if was_exact && after.size() >= residual.size() {
            break;
        }
        (guess, residual) = (next, after);
        history.push(residual.size());
        // One step beyond the tolerance brings the residual to rounding.
        if was_exact {
            break;
        }
    }
    let is_exact = is_exact(balance, &guess, residual);
    Found { guess, residual, iterations, history, is_exact }
}

/// The factored matrix of a step of Newton's method: the exact one if it is definite or the balance
/// is near, otherwise one that leads downhill.
fn newton_matrix<'l>(
    balance: &Balance<'_>,
    layout: &'l Layout,
    guess: &Guess,
    is_near: bool,
) -> Option<Factor<'l>> {
    let factor = balance.stiffness(guess, layout, false)?.factor();
    if factor.is_definite() || (is_near && !factor.is_singular) {
        return Some(factor);
    }
    definite(balance, layout, guess, 0.0)
}

/// The factored definite matrix with at least this multiple of the identity.
fn definite<'l>(
    balance: &Balance<'_>,
    layout: &'l Layout,
    guess: &Guess,
    shift: f64,
) -> Option<Factor<'l>> {
    let mut shift = shift;
    for _ in 0..24 {
        let mut matrix = balance.stiffness(guess, layout, true)?;
        (0..layout.rows()).for_each(|row| matrix.add_diagonal(row, shift));
        let least = 1e-10 * matrix.scale().max(balance.weight / balance.size);
        let factor = matrix.factor();
        if factor.is_definite() {
            return Some(factor);
        }
        shift = (10.0 * shift).max(least);
    }
    None
}

/// The step of Newton's method, halved until the residual falls. `None` if it does not.
fn shortened(
    balance: &Balance<'_>,
    layout: &Layout,
    factor: &Factor<'_>,
    (guess, before): (&Guess, Residual),
) -> Option<(Guess, Residual)> {
    let way = layout.scatter(&factor.solve(&layout.gather(&balance.right(guess))));
    let change = balance.tension_change(guess, &way);
    let farthest = way.iter().fold(0.0_f64, |most, way| most.max(way.abs()));
    let mut share = (balance.reach / farthest).min(1.0);
    for _ in 0..=HALVINGS {
        let next = Guess {
            x: moved(&guess.x, &way, share),
            tension: moved(&guess.tension, &change, share),
        };
        let after = balance.residual(&next);
        let falls = after.size() <= (1.0 - 1e-3 * share) * before.size();
        if falls || is_exact(balance, &next, after) {
            return Some((next, after));
        }
        share *= 0.5;
    }
    None
}

fn moved(from: &[f64], way: &[f64], share: f64) -> Vec<f64> {
    from.iter().zip(way).map(|(from, way)| from + share * way).collect()
}

/// Follows the forces downhill, until Newton's method can take over or no step helps. Returns the
/// guess and the number of steps. A step is taken if the work of the forces along it is above 0 by
/// the trapezoidal rule, so no force needs a potential.
fn descend(balance: &Balance<'_>, layout: &Layout, x: Vec<f64>) -> (Guess, usize) {
    let mut guess = balance.start(&x);
    let mut force = layout.gather(&balance.force(&guess));
    let unit = balance.weight / balance.size;
    let mut shift = unit;
    let most = MOST_DESCENTS.min((MOST_WORK / layout.work().max(1)) as usize);
    for step in 0..most {
        let left = length(&force);
        if left <= 1e-9 * balance.weight || shift > 1e15 * unit {
            return (guess, step);
        }
        let Some(factor) = definite(balance, layout, &guess, shift) else { return (guess, step) };
        let way = factor.solve(&force);
        let flat = layout.scatter(&way);
        let next = balance.start(&moved(&guess.x, &flat, 1.0));
        let after = layout.gather(&balance.force(&next));
        let [work, ahead] = [&force, &after].map(|force| inner(force, &way));
        let farthest = way.iter().fold(0.0_f64, |most, way| most.max(way.abs()));
        if farthest <= balance.reach && ahead > -0.9 * work {
            (guess, force) = (next, after);
            shift *= 0.1;
        } else {
            shift *= 6.0;
        }
    }
    (guess, most)
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn length(a: &[f64]) -> f64 {
    inner(a, a).sqrt()
}
