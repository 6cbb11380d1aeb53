//! Search for a rest state: Newton's method, and methods that bring a body close enough for
//! Newton's method to converge.
//!
//! 1. Newton's method on positions and tensions. If the stiffness matrix at the start is positive
//!    definite, the search begins there; otherwise all springs are first put under tension. The
//!    step is halved until the residual falls.
//! 2. If that fails, load stepping: springs are softened, and the body follows the forces downhill
//!    in steps of a damped Newton method. The stiffness then rises by factors.
//! 3. Softening of contacts, if contact keeps the body from going downhill.
//!
//! If step 1 fails for a chain without contact, the search restarts from the shape in which it
//! hangs.
//!
//! If the matrix is indefinite, terms of pushed springs are omitted and a multiple of the identity
//! is added, so that each step leads downhill. Close to an equilibrium the exact matrix is used
//! even if it is indefinite. The equilibrium found may then be unstable, which its eigenvalues
//! show.

use super::balance::{Balance, Guess, Linear, Residual};
use super::descent::{definite, descend};
use super::envelope::Factor;
use super::{EXACT_FORCE, EXACT_LENGTH};

/// Maximum residual of forces that may be attributed to rounding of positions, as a share of the
/// weight.
pub(super) const MAX_ROUNDED: f64 = 1e-2;
/// Maximum final residual as a multiple of the estimated rounding error, if no step reduces it
/// further.
const SLACK: f64 = 4.0;
/// Maximum number of steps of Newton's method.
const MAX_STEPS: usize = 80;
/// Maximum number of halvings of a step.
const HALVINGS: usize = 8;
/// Residual below which the exact matrix is used even if it is indefinite.
const NEAR: f64 = 1e-3;
/// Initial stiffness of a softened body, in weights per strain of the whole body.
const SOFT: f64 = 3.0;
/// Factor on the stiffness of a softened body per step of load stepping.
const STIFFER: f64 = 100.0;
/// Number of stiffnesses that load stepping tries, starting with [`SOFT`].
const STIFFENINGS: usize = 3;
/// Maximum stiffness of springs during the descent, in weights per strain of the whole body.
/// Newton's method follows.
const STIFFEST: f64 = 1e6;
/// Stiffnesses of contacts during the descent, in weights per strain of the whole body. They are
/// used in turn if steps with the last one alone fail. Soft contacts let a node slide far around a
/// solid in one step.
const SOLIDER: [f64; 6] = [1e1, 1e2, 1e3, 1e4, 1e5, STIFFEST];
/// Tension at the start, as a share of the weight.
const START_TENSION: f64 = 0.5;

/// Options of a run of Newton's method.
#[derive(Clone, Copy, Debug)]
struct Rules {
    /// Maximum number of steps.
    maximum: usize,
    /// Whether the exact matrix is used near an equilibrium even if it is indefinite, so that
    /// unstable equilibria are found.
    finds_saddles: bool,
    /// Number of steps that may raise the residual. Steps that change the set of contacts may raise
    /// it.
    patience: usize,
}

/// Options of a search for any equilibrium.
const ANY: Rules = Rules { maximum: MAX_STEPS, finds_saddles: true, patience: 0 };
/// Options of a search for a stable equilibrium.
const STABLE: Rules = Rules { finds_saddles: false, ..ANY };
/// Options of a search that begins with many overlaps.
const PATIENT: Rules = Rules { patience: 30, ..STABLE };

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

/// Searches for an equilibrium from a guess of positions.
pub(super) fn search(balance: &Balance<'_>, start: &Guess) -> Found {
    let found = newton(balance, start.clone(), Rules { maximum: 0, ..ANY });
    if found.is_exact {
        return found;
    }
    // From a stiff shape, such as an arch, the body does not snap through below its limit load.
    let stiff = balance.linear(start, false, 1.0);
    if stiff.is_some_and(|linear| linear.matrix.factor().is_definite()) {
        let found = newton(balance, start.clone(), STABLE);
        if found.is_exact {
            return found;
        }
    }
    let mut tight = start.clone();
    let minimum = START_TENSION * balance.weight;
    tight.tension.iter_mut().for_each(|tension| *tension = tension.max(minimum));
    let found = match balance.bare() {
        None => newton(balance, tight, ANY),
        // First find the rest state without the floor, then the one on the floor.
        Some(bare) => {
            let mut hanging = newton(&bare, tight, ANY);
            if !hanging.is_exact {
                hanging = by_stiffness(&bare, start).unwrap_or(hanging);
            }
            let found = newton(balance, hanging.guess, PATIENT);
            Found { iterations: hanging.iterations + found.iterations, ..found }
        }
    };
    if found.is_exact {
        return found;
    }
    let found = hung(balance, start, found);
    if found.is_exact {
        return found;
    }
    // A soft rod would shrink where contact pushes along it, so only contact is soft.
    if balance.has_rods()
        && balance.can_touch()
        && let Some(eased) = eased(balance, start)
    {
        let eased = Found { iterations: found.iterations + eased.iterations, ..eased };
        if eased.is_exact {
            return eased;
        }
    }
    match by_stiffness(balance, start) {
        Some(stepped) => Found { iterations: found.iterations + stepped.iterations, ..stepped },
        None => found,
    }
}

/// Searches for an equilibrium downhill from a guess, without steps that could lead uphill. `None`
/// if the body passes through itself.
pub(super) fn descend_from(balance: &Balance<'_>, start: &Guess) -> Option<Found> {
    let (guess, mut steps) = descend(&balance.softened(STIFFEST), start)?;
    let mut found = newton(balance, guess, STABLE);
    if !found.is_exact && balance.has_rods() {
        // A coiling rod with soft springs bends far while they stretch.
        let (guess, more) = descend(balance, &found.guess)?;
        steps += found.iterations + more;
        found = newton(balance, guess, STABLE);
    }
    let found = hung(balance, start, Found { iterations: steps + found.iterations, ..found });
    if found.is_exact || !(balance.can_touch() || balance.has_routes()) {
        return Some(found);
    }
    balance.restart_watch(&start.x);
    let eased = eased(balance, start)?;
    let iterations = found.iterations + eased.iterations;
    Some(Found { iterations, ..if eased.is_exact { eased } else { found } })
}

/// Searches for an equilibrium downhill with soft contacts first, then with stiffer ones. The
/// springs of a body without rods are as soft as its contacts. `None` if the body passes through
/// itself.
fn eased(balance: &Balance<'_>, start: &Guess) -> Option<Found> {
    let (mut guess, mut iterations) = (start.clone(), 0);
    for contacts in SOLIDER {
        let links = if balance.has_rods() { STIFFEST } else { contacts };
        let (next, steps) = descend(&balance.softened_with(links, contacts), &guess)?;
        guess = next;
        iterations += steps;
    }
    let found = newton(balance, guess, STABLE);
    Some(Found { iterations: iterations + found.iterations, ..found })
}

/// Result of a search from the shape in which a chain hangs, if that succeeds; otherwise `found`.
fn hung(balance: &Balance<'_>, start: &Guess, found: Found) -> Found {
    let Some(hanging) = balance.hanging(start).filter(|_| !found.is_exact) else { return found };
    let hung = newton(balance, hanging, STABLE);
    match hung.is_exact {
        true => Found { iterations: found.iterations + hung.iterations, ..hung },
        false => found,
    }
}

/// Load stepping by stiffness: soft springs first. On a floor, springs only pull.
fn by_stiffness(balance: &Balance<'_>, start: &Guess) -> Option<Found> {
    let (mut guess, mut iterations, mut stiffness) = (start.clone(), 0, SOFT);
    for _ in 0..STIFFENINGS {
        let (next, steps) = descend(&balance.limp(stiffness), &guess)?;
        let found = newton(balance, next.clone(), ANY);
        iterations += steps + found.iterations;
        if found.is_exact {
            return Some(Found { iterations, ..found });
        }
        guess = next;
        stiffness *= STIFFER;
    }
    let found = descend_from(balance, &guess)?;
    Some(Found { iterations: iterations + found.iterations, ..found })
}

/// Searches for an equilibrium near a guess, without steps that could lead uphill.
pub(super) fn near(balance: &Balance<'_>, start: Guess) -> Found {
    newton(balance, start, STABLE)
}

/// Whether a guess is at rest, up to rounding.
pub(super) fn is_exact(balance: &Balance<'_>, guess: &Guess, residual: Residual) -> bool {
    let [force, length] = balance.rounding(guess);
    residual.force <= EXACT_FORCE.max(force.min(MAX_ROUNDED))
        && residual.length <= EXACT_LENGTH.max(length)
}

/// Whether the final residual of a search may be rounding error, which is only an estimate.
pub(super) fn is_rounding(balance: &Balance<'_>, found: &Found) -> bool {
    let [force, length] = balance.rounding(&found.guess).map(|rounding| SLACK * rounding);
    found.residual.force <= EXACT_FORCE.max(force.min(MAX_ROUNDED))
        && found.residual.length <= EXACT_LENGTH.max(length)
}

fn newton(balance: &Balance<'_>, mut guess: Guess, rules: Rules) -> Found {
    let mut residual = balance.residual(&guess);
    let mut history = vec![residual.size()];
    let mut iterations = 0;
    while iterations < rules.maximum && residual.size().is_finite() && balance.has_work_left() {
        let is_near = rules.finds_saddles && residual.size() < NEAR;
        let Some(system) = newton_system(balance, &guess, is_near) else { break };
        let is_patient = iterations < rules.patience && residual.size() > NEAR;
        iterations += 1;
        let Some((next, after)) = shortened(balance, &system, &guess, residual, is_patient) else {
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

/// The linear system of a step of Newton's method with its factored matrix.
struct Factored {
    linear: Linear,
    /// Factorisation of the matrix of `linear`, or of a positive definite matrix close to it.
    factor: Factor,
}

/// Linear system of a step of Newton's method: the exact system if its matrix is positive definite
/// or the equilibrium is near, otherwise a system whose solution leads downhill.
fn newton_system(balance: &Balance<'_>, guess: &Guess, is_near: bool) -> Option<Factored> {
    let linear = balance.linear(guess, false, 1.0)?;
    let factor = linear.matrix.clone().factor();
    if factor.is_definite() || (is_near && !factor.is_singular) {
        return Some(Factored { linear, factor });
    }
    // For rods the exact terms are kept, since only neutral motions make them indefinite, such as
    // the rotation of a helix about its axis.
    let linear = if balance.has_rods() { linear } else { balance.linear(guess, true, 1.0)? };
    let (factor, _) = definite(balance, &linear, 0.0)?;
    Some(Factored { linear, factor })
}

/// The step of Newton's method, halved until the residual falls. `None` if it never falls. A
/// patient search takes the full step.
fn shortened(
    balance: &Balance<'_>,
    system: &Factored,
    guess: &Guess,
    before: Residual,
    is_patient: bool,
) -> Option<(Guess, Residual)> {
    let Factored { linear, factor } = system;
    let layout = linear.matrix.layout();
    let step = layout.scatter(&factor.solve(&layout.gather(&balance.right(guess, linear))));
    let changes = balance.changes(guess, linear, &step);
    let farthest = step.iter().fold(0.0_f64, |maximum, step| maximum.max(step.abs()));
    let mut share = (balance.reach / farthest).min(1.0);
    for _ in 0..=HALVINGS {
        let mut next = balance.stepped(guess, &step, &changes, share);
        if balance.clipped(&guess.x, &next.x) != next.x || !balance.turns_little(guess, &next) {
            share *= 0.5;
            continue;
        }
        let after = balance.residual(&next);
        let falls = after.size() <= (1.0 - 1e-3 * share) * before.size();
        let is_taken = falls || is_patient && after.size().is_finite();
        if is_taken || is_exact(balance, &next, after) {
            next.rods = balance.turns(&next);
            next.passages += balance.passages(&guess.x, &next.x);
            return Some((next, after));
        }
        share *= 0.5;
    }
    None
}
