//! Coulomb's friction at its limit, for contacts with colliders and of the body with itself.
//!
//! With friction a body may rest in many shapes, and its motion decides which. The search finds a
//! well-defined one of these shapes. A contact that slid between the start and the rest state has
//! the full friction μ p against its displacement. A contact that did not slide has the friction
//! that holds it. A run reaches this shape if no contact reverses its direction, as when a line is
//! pulled taut over a bed.
//!
//! For known pushes the friction has the potential μ p |u| of the displacement u along the contact,
//! so the matrix stays symmetric. Each search takes the pushes from the previous one, until they no
//! longer change.

use super::grip::{Grip, Pair, SETTLED, follow, force_of, nodes, pair, place, with_grips};
use super::known::Known;
use super::slow::equilibrium_followed;
use super::tethers::Tethers;
use super::{
    Contact, Equilibrium, Friction, NoRest, Start, equilibrium_knowing, equilibrium_spending,
};
use catena_sim::vector::{dot, norm, sub};
use catena_sim::{Arrangement, Model, Setup, State};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// Displacement within which friction rises to its limit in the first search, as a share of the
/// body's size.
const WIDE: f64 = 1e-2;
/// Factor per search on the displacement within which friction rises to its limit.
const NARROWER: f64 = 0.1;
/// Minimum displacement within which friction rises to its limit, as a share of the body's size.
const NARROW: f64 = 1e-6;
/// Maximum number of searches.
const ROUNDS: usize = 60;
/// Number of searches after which each known push moves only halfway to the push just found.
const MEANS: usize = 12;
/// Minimum friction of a sliding contact, as a share of its limit.
const SLIDES: f64 = 0.999;

/// Finds the rest state of a body whose contacts have friction at its limit. The first pushes come
/// from a search without friction. If friction alone can hold the body, they come from a body that
/// tethers hold near its start. If pushes and friction do not converge, the body moves slowly to
/// its rest state.
///
/// # Errors
/// Returns the reason why there is no rest state, or why it was not found.
pub(super) fn equilibrium_at_limit(setup: &Setup, effort: f64) -> Result<Equilibrium, NoRest> {
    let work = Rc::default();
    let (found, node) = match equilibrium_spending(setup, effort, &work) {
        Ok(rest) => (gripped(setup, rest, true, effort, &work), None),
        Err(NoRest::Lies { node }) if is_rough(setup) => {
            (tethered_first(setup, effort, &work), Some(node))
        }
        Err(reason) => return Err(reason),
    };
    match found {
        Err(
            NoRest::Lies { .. }
            | NoRest::NotFound { .. }
            | NoRest::Slips { .. }
            | NoRest::TooLong { .. },
        ) => equilibrium_followed(setup, effort, node),
        _ => found,
    }
}

/// Whether a collider has friction.
fn is_rough(setup: &Setup) -> bool {
    setup.contacts.colliders.iter().any(|one| one.surface().friction > 0.0)
}

/// Finds the rest state from the pushes of a body that tethers hold near its start.
fn tethered_first(setup: &Setup, effort: f64, work: &Rc<Cell<u64>>) -> Result<Equilibrium, NoRest> {
    let balanced = super::start::as_balanced(setup);
    let start = Start::new(&balanced, effort, &Rc::default())?;
    let mut tethered = setup.clone();
    let tethers = Tethers::new(&balanced, &start, &start.state.x, 1.0);
    tethered.forces.push(Arc::new(tethers));
    let mut rest = equilibrium_spending(&tethered, effort, work)?;
    // An equilibrium with tethers is not one of the body without tethers.
    rest.left = None;
    gripped(setup, rest, false, effort, work)
}

/// Repeats searches, starting with the pushes of an equilibrium, until pushes and friction agree.
/// `is_own` is `true` if that equilibrium belongs to the body alone, without tethers.
fn gripped(
    setup: &Setup,
    mut rest: Equilibrium,
    is_own: bool,
    effort: f64,
    work: &Rc<Cell<u64>>,
) -> Result<Equilibrium, NoRest> {
    let mut pushes = BTreeMap::new();
    let (left, mut iterations) = (rest.left.clone(), rest.iterations);
    for round in 0..ROUNDS {
        let share = if round < MEANS { 1.0 } else { 0.5 };
        let change = follow(&mut pushes, &rest, share);
        let near = narrowed(round);
        if round > 0
            && near == NARROW
            && narrowed(round - 1) == NARROW
            && change <= SETTLED * rest.weight
        {
            return Ok(Equilibrium { left, iterations, friction: Friction::Limit, ..rest });
        }
        let grips = grips(setup, &rest, &pushes, near);
        if grips.is_empty() {
            // Without rough contacts, the first equilibrium is the body's own only if no tether
            // held it. A later one includes friction of contacts that have opened since.
            return match round == 0 && is_own {
                true => Ok(Equilibrium { friction: Friction::Limit, ..rest }),
                false => Err(NoRest::Slips { searches: round }),
            };
        }
        let held = with_grips(setup, &rest, grips.clone());
        let known = Known::of(&rest, setup.model.axes, Friction::Limit);
        rest = equilibrium_knowing(&held, effort, work, known)?;
        iterations += rest.iterations;
        let (n, state) = (setup.model.nodes(), State::at_rest(rest.x.clone()));
        for contact in &mut rest.contacts {
            contact.held = force_of(&grips, &nodes(contact), n, &state);
        }
    }
    Err(NoRest::Slips { searches: ROUNDS })
}

/// Displacement within which friction rises to its limit in a search, as a share of the body's
/// size.
fn narrowed(round: usize) -> f64 {
    let width = (0..round).fold(WIDE, |width, _| width * NARROWER);
    width.max(NARROW)
}

/// Friction of all rough contacts of an equilibrium.
fn grips(setup: &Setup, rest: &Equilibrium, pushes: &BTreeMap<Pair, f64>, near: f64) -> Vec<Grip> {
    let (n, size) = (setup.model.nodes(), super::balance::size(setup));
    let grip = |contact: &Contact| {
        let (nodes, weights): (Vec<_>, Vec<_>) = contact.nodes.iter().copied().unzip();
        let from = place(&nodes, &weights, n, &setup.initial);
        let push = pushes.get(&pair(contact)).copied().unwrap_or(0.0);
        let (maximum, normal) = (contact.friction * push, contact.normal);
        Grip { nodes, weights, normal, maximum, from, near: near * size }
    };
    let rough = rest.contacts.iter().filter(|contact| contact.friction > 0.0);
    rough.map(grip).collect()
}

impl Contact {
    /// Whether the contact slid, so that its friction is at its limit.
    pub fn slides(&self) -> bool {
        norm(self.held) >= SLIDES * self.friction * self.force
    }
}

/// Numbers of contacts that slid along a rope, by direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlidAlong {
    /// Contacts that slid towards the first node.
    pub to_first: usize,
    /// Contacts that slid towards the last node.
    pub to_last: usize,
}

impl Equilibrium {
    /// Counts the contacts that slid along a rope. The direction follows from the friction, which
    /// acts against the motion. `None` if the body is not a rope, or no contact slid along it.
    pub fn slides_along(&self, model: &Model) -> Option<SlidAlong> {
        if model.arrangement != Arrangement::Chain {
            return None;
        }
        let state = self.state();
        let n = model.nodes();
        let mut slid = SlidAlong::default();
        let slides = self.contacts.iter().filter(|contact| contact.slides());
        for contact in slides.filter(|contact| contact.collider.is_some()) {
            let nodes = contact.nodes.iter().map(|(node, _)| *node);
            let (Some(first), Some(last)) = (nodes.clone().min(), nodes.max()) else { continue };
            let (before, after) = (first.saturating_sub(1), (last + 1).min(n - 1));
            let ahead = sub(state.position(n, after), state.position(n, before));
            let component = -dot(ahead, contact.held);
            slid.to_last += usize::from(component > 0.0);
            slid.to_first += usize::from(component < 0.0);
        }
        (slid != SlidAlong::default()).then_some(slid)
    }
}
