//! Solver for the impulses of contacts: projected Gauss-Seidel sweeps, and direct steps if these
//! converge slowly.
//!
//! The solver moves the ends of the step until the nearest points of each contact are far enough
//! apart along its normal. The sum of squared displacements, weighted by mass, is minimal. This is
//! a convex quadratic program (Harmon et al. 2008, "Robust Treatment of Simultaneous Collisions").
//! Velocities are treated in the same way: no approach speed remains, and restitution may reverse
//! it. Coulomb friction removes tangential motion, up to μ times the normal impulse (Bridson,
//! Fedkiw, Anderson 2002).

use super::direct::Direct;
use super::reduced::{Goal, Rough, Smooth};
use super::rows::Reduced;
use super::settle::ROUNDING;
use super::solve::{Contact, Impulse, Nodes};
use crate::body::vector::{Vec3, along, dot, norm, scaled, sub};
use crate::budget::{Item, Meter};
use crate::instructions::Instructions;
use crate::lane::{WideSimd, WideWork};

/// Maximum number of sweeps over all contacts.
const SWEEPS: usize = 80;

/// Number of sweeps before the first direct step.
const FIRST: usize = 3;

/// Maximum number of direct steps, each followed by a sweep.
const DIRECT: usize = 12;

/// Work of a solution.
#[derive(Clone, Copy, Default)]
struct Effort {
    sweeps: usize,
    /// Products of direct steps.
    products: u64,
}

/// Sweeps over contacts until no change exceeds `tolerance`, at most `limit` times. The result is
/// the number of sweeps, and the maximum change of the last one.
struct Sweeps<'a, C> {
    contacts: &'a mut [C],
    values: &'a mut [Vec3],
    tolerance: f64,
    limit: usize,
}

impl<C: Reduced> WideWork for Sweeps<'_, C> {
    type Output = (usize, f64);

    #[inline(always)]
    fn run<S: WideSimd>(self, _: S) -> (usize, f64) {
        let mut maximum: f64 = 0.0;
        for sweep in 1..=self.limit {
            maximum = 0.0;
            for contact in &mut *self.contacts {
                maximum = maximum.max(contact.relax(self.values));
            }
            if maximum <= self.tolerance {
                return (sweep, maximum);
            }
        }
        (self.limit, maximum)
    }
}

/// Finds the impulses of contacts: by some sweeps, and then by direct steps. If these do not reach
/// the tolerance, their changes are undone, and sweeps continue.
fn find<C: Reduced>(
    contacts: &mut [C],
    values: &mut [Vec3],
    tolerance: f64,
    direct: Option<&mut Direct>,
) -> Effort {
    let Some(direct) = direct else {
        let (sweeps, _) = sweep(contacts, values, tolerance, SWEEPS);
        return Effort { sweeps, products: 0 };
    };
    // Smaller changes are lost when they are added to impulses.
    let greatest = contacts.iter().map(C::caused).fold(0.0, f64::max);
    let tolerance = tolerance.max(ROUNDING * greatest);
    let (sweeps, last) = sweep(contacts, values, tolerance, FIRST);
    let mut effort = Effort { sweeps, products: 0 };
    if last <= tolerance || take_direct_steps(contacts, values, tolerance, direct, &mut effort) {
        return effort;
    }
    effort.sweeps += sweep(contacts, values, tolerance, SWEEPS - FIRST).0;
    effort
}

/// Does at most `limit` sweeps; see [`Sweeps`].
fn sweep<C: Reduced>(
    contacts: &mut [C],
    values: &mut [Vec3],
    tolerance: f64,
    limit: usize,
) -> (usize, f64) {
    Instructions::best().run_with(Sweeps { contacts, values, tolerance, limit })
}

/// Takes direct steps, each followed by a sweep, until a sweep changes nothing by more than
/// `tolerance`. Returns whether they reached it; otherwise contacts and values are as before. Adds
/// the work to `effort`.
fn take_direct_steps<C: Reduced>(
    contacts: &mut [C],
    values: &mut [Vec3],
    tolerance: f64,
    direct: &mut Direct,
    effort: &mut Effort,
) -> bool {
    let Some(mut next) = direct.prepare(contacts, values) else { return false };
    let start: Vec<Impulse> = contacts.iter().map(C::impulse).collect();
    let start_values = values.to_vec();
    for step in 1..=DIRECT {
        direct.step(contacts, values);
        effort.products += next;
        effort.sweeps += 1;
        if sweep(contacts, values, tolerance, 1).1 <= tolerance {
            return true;
        }
        let prepared = if step < DIRECT { direct.prepare(contacts, values) } else { None };
        match prepared {
            Some(products) => next = products,
            None => break,
        }
    }
    values.copy_from_slice(&start_values);
    contacts.iter_mut().zip(start).for_each(|(contact, impulse)| contact.set_impulse(impulse));
    false
}

/// Finds the impulses of contacts without friction.
fn find_smooth(
    mut smooth: Vec<Smooth>,
    contacts: &mut [Contact],
    values: &mut [Vec3],
    tolerance: f64,
    direct: &mut Direct,
) -> Effort {
    let effort = find(&mut smooth, values, tolerance, Some(direct));
    for contact in smooth {
        contacts[contact.index].push = contact.push;
    }
    effort
}

/// Finds the impulses of contacts with friction.
fn find_rough(
    mut rough: Vec<Rough>,
    contacts: &mut [Contact],
    values: &mut [Vec3],
    tolerance: f64,
    direct: &mut Direct,
) -> Effort {
    // The friction of ropes that turn on each other is often redundant. Sweeps keep the impulses of
    // a rope at rest, and direct steps would replace them.
    let turns = contacts.iter().any(Contact::turns);
    let effort = find(&mut rough, values, tolerance, (!turns).then_some(direct));
    for Rough { smooth, drag, .. } in rough {
        let contact = &mut contacts[smooth.index];
        (contact.push, contact.drag) = (smooth.push, drag);
    }
    effort
}

/// Whether no contact has friction or rotations of rigid bodies; `None` if one has such rotations.
fn are_smooth(contacts: &[Contact]) -> Option<bool> {
    let have_levers = contacts.iter().any(|contact| contact.levers.is_some());
    (!have_levers).then(|| contacts.iter().all(|contact| contact.friction <= 0.0))
}

/// Counts the contacts of sweeps and the products of direct steps. Returns whether the run may
/// continue.
fn counted(meter: &Meter, contacts: &[Contact], Effort { sweeps, products }: Effort) -> bool {
    let item = if are_smooth(contacts) == Some(true) { Item::DrawnSweep } else { Item::DrawnRub };
    meter.count(Item::DrawnDirect, products);
    meter.count(item, (sweeps * contacts.len()) as u64)
}

/// Moves the ends of the step until all contacts are satisfied within `tolerance`, in at most
/// [`SWEEPS`] sweeps. Returns whether the meter lets the run continue.
pub(super) fn project(
    contacts: &mut [Contact],
    nodes: &mut Nodes,
    tolerance: f64,
    direct: &mut Direct,
    meter: &Meter,
) -> bool {
    let Nodes { inverse, from, to, .. } = nodes;
    let goal = |_, contact: &Contact| Goal { along: contact.minimum, carry: [0.0; 3] };
    let effort = match are_smooth(contacts) {
        Some(true) => {
            let smooth = Smooth::all(contacts, inverse, goal).collect();
            find_smooth(smooth, contacts, to, tolerance, direct)
        }
        Some(false) => {
            let rough = |smooth: Smooth| {
                let contact = &contacts[smooth.index];
                let carry = [[0.0; 3], contact.carry.displacement];
                Rough::new(smooth, contact, inverse, |node| from[node], carry)
            };
            let rough = Smooth::all(contacts, inverse, goal).map(rough).collect();
            find_rough(rough, contacts, to, tolerance, direct)
        }
        None => sweep_rigid(contacts, inverse, to, tolerance, |_, contact, to| {
            (-contact.gap(to), |contact: &Contact, to: &[Vec3]| contact.moved(from, to))
        }),
    };
    counted(meter, contacts, effort)
}

/// Changes velocities until each contact separates at least at its speed in `leaving`, which is 0
/// for a contact without rebound. Replaces the impulses on positions that contacts hold by impulses
/// on velocities. Counts the sweeps.
pub(super) fn stop(
    contacts: &mut [Contact],
    leaving: &[f64],
    nodes: &mut Nodes,
    direct: &mut Direct,
    meter: &Meter,
) {
    let Nodes { inverse, v, .. } = nodes;
    let before: f64 = contacts.iter().map(|contact| norm(contact.velocity(v))).fold(0.0, f64::max);
    let goal =
        |index: usize, contact: &Contact| Goal { along: leaving[index], carry: contact.carry.v };
    let tolerance = 1e-9 * before;
    let effort = match are_smooth(contacts) {
        Some(true) => {
            let smooth = Smooth::all(contacts, inverse, goal).collect();
            find_smooth(smooth, contacts, v, tolerance, direct)
        }
        Some(false) => {
            let rough = |smooth: Smooth| {
                let contact = &contacts[smooth.index];
                let carry = [contact.carry.v, [0.0; 3]];
                Rough::new(smooth, contact, inverse, |_| [0.0; 3], carry)
            };
            let rough = Smooth::all(contacts, inverse, goal).map(rough).collect();
            find_rough(rough, contacts, v, tolerance, direct)
        }
        None => sweep_rigid(contacts, inverse, v, tolerance, |index, contact, v| {
            let missing = leaving[index] - dot(contact.normal, contact.velocity(v));
            (missing, |contact: &Contact, v: &[Vec3]| contact.slip(v))
        }),
    };
    counted(meter, contacts, effort);
}

/// Sweeps over contacts with rotations of rigid bodies. `asked` returns the motion along the normal
/// that a contact needs, and a function for its slip.
fn sweep_rigid<S: Fn(&Contact, &[Vec3]) -> Vec3>(
    contacts: &mut [Contact],
    inverse: &[f64],
    values: &mut [Vec3],
    tolerance: f64,
    asked: impl Fn(usize, &Contact, &[Vec3]) -> (f64, S),
) -> Effort {
    let yielding: Vec<f64> = contacts.iter().map(|contact| contact.yielding(inverse)).collect();
    for sweep in 1..=SWEEPS {
        let mut maximum: f64 = 0.0;
        for (index, contact) in contacts.iter_mut().enumerate() {
            if yielding[index] > 0.0 {
                let (missing, slip) = asked(index, contact, values);
                let asked = Asked { missing, yielding: yielding[index], slip };
                maximum = maximum.max(relax(contact, inverse, asked, values));
            }
        }
        if maximum <= tolerance {
            return Effort { sweeps: sweep, products: 0 };
        }
    }
    Effort { sweeps: SWEEPS, products: 0 }
}

/// Required change of a Gauss-Seidel step at a contact.
struct Asked<S> {
    /// Missing motion along the normal.
    missing: f64,
    /// Change of that motion per unit of impulse, above 0.
    yielding: f64,
    /// Returns the slip.
    slip: S,
}

/// Does one Gauss-Seidel step: adds the missing motion along the normal and reduces the slip to
/// zero, as far as friction allows. Returns the maximum change of the relative motion.
fn relax(
    contact: &mut Contact,
    inverse: &[f64],
    Asked { missing, yielding, slip }: Asked<impl Fn(&Contact, &[Vec3]) -> Vec3>,
    values: &mut [Vec3],
) -> f64 {
    let push = (contact.push + missing / yielding).max(0.0);
    let change = push - contact.push;
    contact.push = push;
    if change != 0.0 {
        contact.apply(scaled(contact.normal, change), inverse, values);
    }
    let mut maximum = change.abs();
    if contact.friction > 0.0 {
        let slip = slip(contact, values);
        let slip = along(slip, -dot(slip, contact.normal), contact.normal);
        let turns = contact.turns() || contact.levers.is_some();
        let yielding = if turns { contact.yielding_along(slip, inverse) } else { yielding };
        let wanted = along(contact.drag, -1.0 / yielding, slip);
        let (size, limit) = (norm(wanted), contact.friction * contact.push);
        let drag = if size > limit { scaled(wanted, limit / size) } else { wanted };
        let change = sub(drag, contact.drag);
        contact.drag = drag;
        if change != [0.0; 3] {
            contact.rub(change, inverse, values);
        }
        maximum = maximum.max(norm(change));
    }
    maximum * yielding
}
