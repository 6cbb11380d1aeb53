//! Coulomb's friction at its limit, for contacts with colliders and of the body with itself.
//!
//! With friction a body rests in many shapes, and its motion decides which. This one is definite: a
//! contact that slid from the start to the rest has its whole friction μ p against that way, and
//! one that did not slide has what holds it there. A run comes to this shape if its contacts slide
//! one way, as those of a line do that is pulled taut over a bed.
//!
//! For known pushes the friction has the potential μ p |u| of the way u along the contact, so the
//! search stays symmetric. The pushes follow from the search before, until they stay the same.

use super::balance::Balance;
use super::known::Known;
use super::slow::equilibrium_followed;
use super::{Contact, Equilibrium, NoRest, Start, equilibrium_knowing, equilibrium_spending};
use catena_sim::force::rod::Rods;
use catena_sim::vector::{Vec3, along, dot, norm, scaled, sub};
use catena_sim::{
    Arrangement, Block, Blocks, Body, Entry, Force, Model, Setup, State,
    force::{Account, ForceEnergy},
};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// Friction of contacts in a balance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Friction {
    /// Contacts only push.
    #[default]
    LeftOut,
    /// Contacts that slid from the start have their whole friction.
    Limit,
    /// Contacts keep their places until their friction is at its limit, while the body moves slowly
    /// from the start. [`Friction::Limit`] comes to this where pushes and friction do not agree.
    Followed,
}

/// Way, as a share of the body's size, within which friction rises to its limit: in the first
/// search, its factor from search to search, and in the last ones.
const WIDE: f64 = 1e-2;
const NARROWER: f64 = 0.1;
const NARROW: f64 = 1e-6;
/// Stiffness of the tethers of a body, in loads per its size.
const TETHER: f64 = 10.0;
/// Change of a push between searches that counts as none, as a share of the weight.
pub(super) const SETTLED: f64 = 1e-11;
/// Number of searches, and that from which on pushes are means of two searches.
const ROUNDS: usize = 60;
const MEANS: usize = 12;
/// Share of its limit from which on a contact counts as sliding.
const SLIDES: f64 = 0.999;

/// Collider and nodes of a contact.
pub(super) type Pair = (Option<usize>, Vec<usize>);

/// Name of the force of [`Grips`].
pub(super) const GRIPS: &str = "Grips";

/// A contact with a push that is known.
#[derive(Clone, Debug)]
pub(super) struct Grip {
    pub(super) nodes: Vec<usize>,
    pub(super) weights: Vec<f64>,
    pub(super) normal: Vec3,
    /// Largest friction, μ p.
    pub(super) most: f64,
    /// Place from which friction acts: that at the start, or the one that the contact keeps.
    pub(super) from: Vec3,
    /// Way within which friction rises to its limit.
    pub(super) near: f64,
}
catena_sim::identity!(Grip { nodes, weights, normal, most, from, near });

/// Friction of contacts whose pushes are known.
#[derive(Clone, Debug)]
struct Grips {
    grips: Vec<Grip>,
}
catena_sim::identity!(Grips { grips });

/// Weighted place of the nodes of a contact.
pub(super) fn place(nodes: &[usize], weights: &[f64], n: usize, state: &State) -> Vec3 {
    let pairs = nodes.iter().zip(weights);
    pairs.fold([0.0; 3], |sum, (node, weight)| along(sum, *weight, state.position(n, *node)))
}

impl Grip {
    /// Way along the contact since the start.
    fn way(&self, n: usize, state: &State) -> Vec3 {
        let way = sub(place(&self.nodes, &self.weights, n, state), self.from);
        along(way, -dot(way, self.normal), self.normal)
    }

    /// Force on the body.
    fn force(&self, n: usize, state: &State) -> Vec3 {
        let way = self.way(n, state);
        scaled(way, -self.most / (dot(way, way) + self.near * self.near).sqrt())
    }

    /// Derivative of the force by the place.
    fn slope(&self, axes: usize, n: usize, state: &State) -> Block {
        let way = self.way(n, state);
        let size = (dot(way, way) + self.near * self.near).sqrt();
        let mut block = [[0.0; 3]; 3];
        for (p, row) in block.iter_mut().enumerate().take(axes) {
            for (q, value) in row.iter_mut().enumerate().take(axes) {
                let own = if p == q { 1.0 } else { 0.0 };
                let across = own - self.normal[p] * self.normal[q];
                let turned = way[p] * way[q] / (size * size);
                *value = -self.most / size * (across - turned);
            }
        }
        block
    }
}

impl Force for Grips {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let n = body.model.nodes();
        for grip in &self.grips {
            let force = grip.force(n, state);
            for (node, weight) in grip.nodes.iter().zip(&grip.weights) {
                for (axis, force) in force.iter().enumerate().take(body.model.axes) {
                    f[axis * n + node] += weight * force;
                }
            }
        }
    }

    fn add_jacobian(&self, body: &Body<'_>, state: &State, blocks: &mut Blocks<'_>) {
        for grip in &self.grips {
            let slope = grip.slope(body.model.axes, body.model.nodes(), state);
            for (&i, a) in grip.nodes.iter().zip(&grip.weights) {
                for (&j, b) in grip.nodes.iter().zip(&grip.weights) {
                    let by_x = slope.map(|row| row.map(|value| a * b * value));
                    blocks.add(&Entry { i, j, by_x, by_v: [[0.0; 3]; 3] });
                }
            }
        }
    }

    /// Returns 0: friction only responds.
    fn load(&self, _model: &Model) -> f64 {
        0.0
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Booked(Account::Contact)
    }
}

/// Springs that hold the nodes of a body near their start, for a first balance.
#[derive(Clone, Debug)]
pub(super) struct Tethers {
    /// Positions at the start, flat by axis.
    from: Vec<f64>,
    /// Stiffness of each node.
    stiffness: Vec<f64>,
}
catena_sim::identity!(Tethers { from, stiffness });

impl Force for Tethers {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let n = body.model.nodes();
        let coordinates = f.iter_mut().zip(&state.x).zip(&self.from).enumerate();
        coordinates.for_each(|(i, ((f, x), from))| *f -= self.stiffness[i % n] * (x - from));
    }

    fn add_jacobian(&self, body: &Body<'_>, _state: &State, blocks: &mut Blocks<'_>) {
        for (node, stiffness) in self.stiffness.iter().enumerate() {
            let mut by_x = [[0.0; 3]; 3];
            (0..body.model.axes).for_each(|axis| by_x[axis][axis] = -stiffness);
            blocks.add(&Entry { i: node, j: node, by_x, by_v: [[0.0; 3]; 3] });
        }
    }

    /// Returns 0: a tether only responds.
    fn load(&self, _model: &Model) -> f64 {
        0.0
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Booked(Account::Contact)
    }
}

/// Finds the rest of a body whose contacts have friction at its limit. The pushes of the first
/// search are those without friction, or of a body that tethers hold near its start if friction
/// alone can hold it. If pushes and friction do not agree, the body moves slowly to its rest.
///
/// # Errors
/// The reason why there is no rest, or why it was not found.
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

/// Finds the rest from the pushes of a body that tethers hold near its start.
fn tethered_first(setup: &Setup, effort: f64, work: &Rc<Cell<u64>>) -> Result<Equilibrium, NoRest> {
    let balanced = super::start::as_balanced(setup);
    let start = Start::new(&balanced, effort, &Rc::default())?;
    let mut tethered = setup.clone();
    let tethers = Tethers::new(&balanced, &start, &start.state.x, 1.0);
    tethered.forces.push(Arc::new(tethers));
    let mut rest = equilibrium_spending(&tethered, effort, work)?;
    // The balance with tethers is none of the body without them.
    rest.left = None;
    gripped(setup, rest, false, effort, work)
}

impl Tethers {
    /// Tethers of a body to positions, as stiff as a share of its load over a share of its size.
    pub(super) fn new(balanced: &Setup, start: &Start, from: &[f64], share: f64) -> Self {
        let load = Balance::new(balanced, start).weight;
        let mass = &balanced.model.mass;
        let whole: f64 = mass.iter().sum();
        let unit = share * TETHER * load / super::balance::size(balanced);
        let stiffness = mass.iter().map(|mass| unit * mass / whole).collect();
        Self { from: from.to_vec(), stiffness }
    }
}

/// Friction of the grip of a contact between nodes; 0 without one.
pub(super) fn force_of(grips: &[Grip], nodes: &[usize], n: usize, state: &State) -> Vec3 {
    let own = grips.iter().find(|grip| grip.nodes == nodes);
    own.map_or([0.0; 3], |grip| grip.force(n, state))
}

/// Follows friction from the pushes of a balance until both agree. `is_own` tells whether the
/// balance is one of the body alone.
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
            // Without contacts to grip, the first balance is the body's own only if nothing else
            // held it, and a later one has the friction of contacts that are open.
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

/// Way within which friction rises to its limit in a search, as a share of the body's size.
fn narrowed(round: usize) -> f64 {
    let width = (0..round).fold(WIDE, |width, _| width * NARROWER);
    width.max(NARROW)
}

pub(super) fn nodes(contact: &Contact) -> Vec<usize> {
    contact.nodes.iter().map(|(node, _)| *node).collect()
}

pub(super) fn pair(contact: &Contact) -> Pair {
    (contact.collider, nodes(contact))
}

/// Changes the known pushes towards those of a balance. Returns the greatest change.
pub(super) fn follow(pushes: &mut BTreeMap<Pair, f64>, rest: &Equilibrium, share: f64) -> f64 {
    let mut next = BTreeMap::new();
    let mut change = 0.0_f64;
    for contact in &rest.contacts {
        let known = pushes.remove(&pair(contact));
        let before = known.unwrap_or(0.0);
        change = change.max((contact.force - before).abs());
        let share = if known.is_some() { share } else { 1.0 };
        next.insert(pair(contact), before + share * (contact.force - before));
    }
    let open = pushes.values().copied().fold(0.0, f64::max);
    *pushes = next;
    change.max(open)
}

/// Friction of all contacts of a balance that have any.
fn grips(setup: &Setup, rest: &Equilibrium, pushes: &BTreeMap<Pair, f64>, near: f64) -> Vec<Grip> {
    let (n, size) = (setup.model.nodes(), super::balance::size(setup));
    let grip = |contact: &Contact| {
        let (nodes, weights): (Vec<_>, Vec<_>) = contact.nodes.iter().copied().unzip();
        let from = place(&nodes, &weights, n, &setup.initial);
        let push = pushes.get(&pair(contact)).copied().unwrap_or(0.0);
        let (most, normal) = (contact.friction * push, contact.normal);
        Grip { nodes, weights, normal, most, from, near: near * size }
    };
    let rough = rest.contacts.iter().filter(|contact| contact.friction > 0.0);
    rough.map(grip).collect()
}

/// The body with friction, at the balance of the last search where it remembers nothing else.
pub(super) fn with_grips(setup: &Setup, rest: &Equilibrium, grips: Vec<Grip>) -> Setup {
    let mut held = setup.clone();
    held.forces.push(Arc::new(Grips { grips }));
    let has_routes = setup.forces.iter().any(|force| force.route().is_some());
    if setup.rods().is_some_and(Rods::remembers) || has_routes {
        return held;
    }
    held.initial = rest.state();
    (held.start_time, held.warm_up) = (rest.time, 0);
    // Pins are where they end.
    held.anchors.clear();
    held
}

impl Contact {
    /// Whether the contact slid, so that its friction is at its limit.
    pub fn slides(&self) -> bool {
        norm(self.held) >= SLIDES * self.friction * self.force
    }
}

/// Numbers of contacts of a rope that slid along it, towards its first and its last node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlidAlong {
    /// Contacts that slid towards the first node.
    pub to_first: usize,
    /// Contacts that slid towards the last node.
    pub to_last: usize,
}

impl Equilibrium {
    /// Counts contacts that slid along a rope, by their friction, which acts against the way.
    /// `None` for bodies that are no rope, and if no contact slid along it.
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
            let way = -dot(ahead, contact.held);
            slid.to_last += usize::from(way > 0.0);
            slid.to_first += usize::from(way < 0.0);
        }
        (slid != SlidAlong::default()).then_some(slid)
    }
}
