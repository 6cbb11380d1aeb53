//! Rest state that a body reaches by slow motion from its start, with Coulomb friction.
//!
//! A contact sticks until its friction would exceed μ p; beyond that it slides. The body moves in a
//! sequence of searches. In each, tethers pull the nodes to their positions after the previous
//! search. So no search can move the body far, even while pushes are unknown. Tethers weaken as the
//! body comes to rest, and the last searches have none. Inertia is neglected.

use super::grip::{Grip, Pair, SETTLED, follow, force_of, nodes, pair, place, with_grips};
use super::known::Known;
use super::tethers::Tethers;
use super::{Equilibrium, Friction, NoRest, Start, balance, equilibrium_knowing, start};
use catena_sim::vector::{Vec3, along, dot, norm, scaled, sub};
use catena_sim::{Setup, State};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// Maximum number of searches with tethers: during the fall to the first contact, and again after
/// it.
const ROUNDS: usize = 240;
/// Maximum number of searches without tethers.
const LAST_ROUNDS: usize = 40;
/// Displacement in a search, as a share of the body's size, from which tethers have their full
/// stiffness.
const FAR: f64 = 0.1;
/// Minimum factor on the stiffness of tethers per search.
const WEAKER: f64 = 0.5;
/// Displacement in a search, as a share of the body's size, that counts as 0.
const STILL: f64 = 1e-7;
/// Displacement within which friction rises to its limit, as a share of the displacement in the
/// previous search. [`NARROWEST`] and [`WIDEST`] are its limits.
const WIDTH: f64 = 0.1;
/// Initial and maximum displacement within which friction rises to its limit, as a share of the
/// body's size.
const WIDEST: f64 = 1e-4;
/// Minimum displacement within which friction rises to its limit, as a share of the body's size.
const NARROWEST: f64 = 1e-6;
/// Displacement of a sliding contact, as a multiple of the displacement within which friction rises
/// to its limit.
const DRAGGED: f64 = 30.0;
/// Displacement since the first contact above which a body slides away, as a multiple of the body's
/// size.
const AWAY: f64 = 1.0;
/// Distance of a fall above which there is no floor, as a multiple of the body's size.
const ENDLESS: f64 = 1e6;
/// Number of searches after which each known push moves only halfway to the push just found.
const MEANS: usize = 12;

/// Positions that tethers pull to, and the equilibrium with them.
type Landed = (Vec<f64>, Option<Equilibrium>);

/// Body in slow motion.
struct Slow<'a> {
    setup: &'a Setup,
    /// Setup as balanced by the search.
    balanced: &'a Setup,
    /// Start of the searches.
    start: &'a Start,
    effort: f64,
    work: Rc<Cell<u64>>,
    /// Reference length.
    size: f64,
    /// Known pushes of contacts.
    pushes: BTreeMap<Pair, f64>,
    /// Positions to which friction pulls contacts.
    places: BTreeMap<Pair, Vec3>,
    /// Displacement within which friction rises to its limit, as a share of the size.
    near: f64,
    iterations: usize,
}

/// Finds the rest state that slow motion from the start leads to. `node` is the first node of a
/// part that only contact holds.
///
/// # Errors
/// The body slides away, or it does not come to rest within the maximum number of searches.
pub(super) fn equilibrium_followed(
    setup: &Setup,
    effort: f64,
    node: Option<usize>,
) -> Result<Equilibrium, NoRest> {
    let work = Rc::default();
    let balanced = start::as_balanced(setup);
    let start = Start::new(&balanced, effort, &work)?;
    let mut slow = Slow {
        setup,
        balanced: &balanced,
        start: &start,
        effort,
        work,
        size: balance::size(setup),
        pushes: BTreeMap::new(),
        places: BTreeMap::new(),
        near: WIDEST,
        iterations: 0,
    };
    let rest = slow.come_to_rest(&start.state.x, node)?;
    slow.without_tethers(rest)
}

impl Slow<'_> {
    /// Moves the body until a search no longer displaces it.
    fn come_to_rest(&mut self, from: &[f64], node: Option<usize>) -> Result<Equilibrium, NoRest> {
        let (mut x, landed) = self.landed(from, node)?;
        // The fall does not count as sliding.
        let from = landed.as_ref().map_or(from, |landed| &landed.x).to_vec();
        let (mut next, mut rest, mut share) = (landed, None, 1.0);
        for round in 0..ROUNDS {
            let next = match next.take() {
                Some(landed) => landed,
                None => self.search(rest.as_ref(), Some((&x, share)))?,
            };
            let moved = farthest(&next.x, &x) / self.size;
            if farthest(&next.x, &from) > AWAY * self.size
                && let Some(node) = node
            {
                return Err(NoRest::Slides { node });
            }
            let near = (WIDTH * moved).clamp(NARROWEST, self.near);
            self.update(&next, near, if round < MEANS { 1.0 } else { 0.5 });
            x.clone_from(&next.x);
            share = (moved / FAR).clamp(WEAKER * share, 1.0);
            if moved <= STILL {
                return Ok(next);
            }
            rest = Some(next);
        }
        Err(NoRest::Slips { searches: ROUNDS })
    }

    /// Lets a body with a loose part fall to its first contact. Returns the equilibrium with
    /// tethers of full stiffness, and the positions that the tethers pull to. Tethers weaken while
    /// the body falls. A search that ends in contact with weak tethers could slide far, so it is
    /// repeated with stiffer ones.
    fn landed(&mut self, from: &[f64], node: Option<usize>) -> Result<Landed, NoRest> {
        let (mut x, mut share) = (from.to_vec(), 1.0);
        let Some(node) = node else { return Ok((x, None)) };
        for _ in 0..ROUNDS {
            let next = self.search(None, Some((&x, share)))?;
            match (next.contacts.is_empty(), share < 1.0) {
                (true, _) => {
                    x.clone_from(&next.x);
                    share *= WEAKER;
                }
                (false, true) => share = (share / WEAKER).min(1.0),
                (false, false) => return Ok((x, Some(next))),
            }
            if farthest(&x, from) > ENDLESS * self.size {
                return Err(NoRest::Slides { node });
            }
        }
        Err(NoRest::Slips { searches: ROUNDS })
    }

    /// Solves for the equilibrium without tethers until pushes and friction agree.
    fn without_tethers(&mut self, mut rest: Equilibrium) -> Result<Equilibrium, NoRest> {
        // Until friction and pushes agree, nothing may hold the body, so these failures do not show
        // that it has no rest state.
        let unknown = |reason: NoRest| match reason {
            NoRest::Lies { .. } | NoRest::NotFound { .. } => {
                NoRest::Slips { searches: ROUNDS + LAST_ROUNDS }
            }
            other => other,
        };
        for round in 0..LAST_ROUNDS {
            rest = self.search(Some(&rest), None).map_err(unknown)?;
            let share = if round < MEANS { 1.0 } else { 0.5 };
            if follow(&mut self.pushes, &rest, share) <= SETTLED * rest.weight {
                let iterations = self.iterations;
                return Ok(Equilibrium { iterations, friction: Friction::Followed, ..rest });
            }
        }
        Err(NoRest::Slips { searches: ROUNDS + LAST_ROUNDS })
    }

    /// Finds an equilibrium with known friction, starting from the previous equilibrium. `tethers`
    /// has the positions that tethers pull to, and the share of their stiffness.
    fn search(
        &mut self,
        before: Option<&Equilibrium>,
        tethers: Option<(&[f64], f64)>,
    ) -> Result<Equilibrium, NoRest> {
        let grips = before.map_or(Vec::new(), |rest| self.grips(rest));
        let mut held = match before {
            Some(rest) => with_grips(self.setup, rest, grips.clone()),
            None => self.setup.clone(),
        };
        if let Some((x, share)) = tethers {
            held.forces.push(Arc::new(Tethers::new(self.balanced, self.start, x, share)));
        }
        let axes = self.setup.model.axes;
        let known = before.map(|rest| Known::of(rest, axes, Friction::Followed));
        let known = known.unwrap_or_default();
        let mut rest = equilibrium_knowing(&held, self.effort, &self.work, known)?;
        self.iterations += rest.iterations;
        let (n, state) = (self.setup.model.nodes(), State::at_rest(rest.x.clone()));
        for contact in &mut rest.contacts {
            contact.held = force_of(&grips, &nodes(contact), n, &state);
        }
        Ok(rest)
    }

    /// Friction of all rough contacts of an equilibrium.
    fn grips(&self, rest: &Equilibrium) -> Vec<Grip> {
        let (n, state) = (self.setup.model.nodes(), State::at_rest(rest.x.clone()));
        let rough = rest.contacts.iter().filter(|contact| contact.friction > 0.0);
        let grip = |contact: &super::Contact| {
            let (nodes, weights): (Vec<_>, Vec<_>) = contact.nodes.iter().copied().unzip();
            let pair = pair(contact);
            let place = place(&nodes, &weights, n, &state);
            let from = self.places.get(&pair).copied().unwrap_or(place);
            let push = self.pushes.get(&pair).copied().unwrap_or(0.0);
            let (maximum, normal) = (contact.friction * push, contact.normal);
            Grip { nodes, weights, normal, maximum, from, near: self.near * self.size }
        };
        rough.map(grip).collect()
    }

    /// Updates the pushes and the stored positions of contacts from an equilibrium. `near` is the
    /// new displacement within which friction rises to its limit. The positions are scaled so that
    /// the friction stays the same.
    fn update(&mut self, rest: &Equilibrium, near: f64, share: f64) {
        follow(&mut self.pushes, rest, share);
        let (n, state) = (self.setup.model.nodes(), State::at_rest(rest.x.clone()));
        let mut places = BTreeMap::new();
        for contact in &rest.contacts {
            let (nodes, weights): (Vec<_>, Vec<_>) = contact.nodes.iter().copied().unzip();
            let now = place(&nodes, &weights, n, &state);
            let pair = pair(contact);
            let from = self.places.get(&pair).copied().unwrap_or(now);
            let offset = sub(now, from);
            let offset = along(offset, -dot(offset, contact.normal), contact.normal);
            let maximum = DRAGGED * self.near * self.size;
            let kept = (maximum / norm(offset)).min(1.0) * near / self.near;
            places.insert(pair, sub(now, scaled(offset, kept)));
        }
        (self.places, self.near) = (places, near);
    }
}

/// Maximum difference of coordinates.
fn farthest(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |maximum, (a, b)| maximum.max((a - b).abs()))
}
