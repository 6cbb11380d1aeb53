//! Balance of static forces on the free nodes of a body, with spring tensions and contact forces as
//! unknowns.
//!
//! With positions alone as unknowns, stiff springs make Newton's method slow: any step across a
//! taut rope stretches it. So the tension λ of each spring is an unknown as well. Three sets of
//! equations hold at rest:
//!
//! - forces: Σ λ u + Σ p n + all other forces = 0 on every free node, where u is the direction of a
//!   spring
//! - lengths: T(|d|) - λ = 0 for a spring of law T, and |d| = l for a spring of held length l
//! - contact: p ≥ 0, g ≥ 0 and p g = 0 for the push p and the gap g of each contact with normal n
//!
//! Elimination of the change of λ and p leaves a matrix over nodes (`linear`).
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

mod contact;
mod linear;
mod links;
mod quotient;
mod stops;

pub(super) use contact::Touch;
pub(super) use linear::Linear;

use super::grip::GRIPS;
use super::layout::Layout;
use super::refusal::Hint;
use super::{EXACT_FORCE, EXACT_LENGTH, MIN_FORCE, MINUTE, Scale, Start};
use crate::topology::Watch;
use catena_sim::force::rod::{Rod, Rods};
use catena_sim::{
    Block, Blocks, Body, Entry, Force, Setup, SpringMemory, State,
    contact::gaps::{GapKey, Gaps},
    force::{AtRest, Part, Shared, applied::Route},
    vector::dot,
};
use links::{Answer, Link};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

/// Proximal stiffness of held lengths, in weights of the body per length of the body.
const HELD_STIFFNESS: f64 = 1e6;
/// Contact stiffness of a softened body, as a multiple of its spring stiffness.
const SOLID: f64 = 100.0;
/// Maximum number of multiplications of a search with the default effort.
const MAX_WORK: u64 = 3_000_000_000;
/// Number of factorisations that a search may take for a body of any size, unless they take more
/// than a minute.
const MAX_FACTORS: u64 = 300;

/// Number of multiplications per node that take as long as a sum of all forces.
const SUMMING_NODE: u64 = 120;
/// Number of steps with few factorisations that a search may take for a body of any size.
const FEW_STEPS: u64 = 60;

/// Minimum cosine of the angle by which a step may rotate a segment, for rods that remember their
/// turns.
const MIN_COSINE: f64 = 0.9;
/// Maximum change per step of each number that rods remember, such as the angle in radians of a
/// frame carried along the rod. Beyond half a turn the angle is ambiguous.
const MAX_TURN: f64 = 1.0;
/// Twist of a segment, in radians, above which a search may fail because there are too few
/// segments.
const MAX_TWIST: f64 = 0.8;

/// A point of the search.
#[derive(Clone, Debug)]
pub(super) struct Guess {
    pub(super) x: Vec<f64>,
    /// Tensions of all links, in the order of the links.
    pub(super) tension: Vec<f64>,
    /// Keys of the contacts that push, with their pushes, sorted by key.
    pub(super) pushes: Vec<(GapKey, f64)>,
    /// Memory of rods, with their accumulated angles in radians.
    pub(super) rods: Vec<f64>,
    /// Number of times that the body has passed through itself during the search.
    pub(super) passages: usize,
}

/// The equations of a body.
pub(super) struct Balance<'a> {
    setup: &'a Setup,
    memory: &'a SpringMemory,
    links: Vec<Link<'a>>,
    /// All forces except the pulls of links.
    others: Vec<&'a Arc<dyn Force>>,
    gaps: Arc<Gaps<'a>>,
    time: f64,
    layout: RefCell<Arc<Layout>>,
    /// Number of multiplications of all matrices up to this point.
    work: Rc<Cell<u64>>,
    /// Detector of passages of the body through itself while it moves downhill; `None` if they do
    /// not matter.
    watch: Rc<RefCell<Option<Watch>>>,
    /// Reference force: the total external load; without load the maximum tension at the start, or
    /// EI/L² of a rod; 1 if no force acts.
    pub(super) weight: f64,
    /// Kind of the reference force.
    pub(super) scale: Scale,
    /// Reference length.
    pub(super) size: f64,
    /// Maximum displacement of a coordinate in one step: the size, plus the stretch of all springs
    /// in series under the weight.
    pub(super) reach: f64,
    /// Maximum stiffness of the whole body in a softened copy.
    softest: f64,
    /// Stiffness of contacts of a softened copy.
    firm: f64,
    /// Whether contact is omitted.
    is_bare: bool,
    /// Whether springs of a softened copy only pull.
    only_pulls: bool,
    /// Stiffness of rods against motion of each node, flat by axis, from which rounding errors
    /// follow. Empty if there are no rods.
    stiff: Vec<f64>,
    /// Factor on the default limit of work.
    effort: f64,
}

impl<'a> Balance<'a> {
    /// Creates the equations of a setup, whose model has the stiffness that the method uses.
    /// Multiplications are counted in the total of `from`.
    pub(super) fn new(setup: &'a Setup, from: &'a Start) -> Self {
        let (model, memory, start) = (&setup.model, &from.memory, &from.state);
        let (effort, work) = (from.effort, Rc::clone(&from.work));
        let mut balance = Self { effort, work, ..Self::empty(setup, memory, start.t) };
        let holds = setup.method.holds_lengths();
        for force in &setup.forces {
            // A slip wraps a force, so kernels do not see its kind, but its effect at rest is
            // unchanged.
            match force.at_rest() {
                AtRest::Springs { .. } if holds && force.is_elastic() => {}
                AtRest::Springs { law, part } => {
                    let range = match part {
                        Part::Held => 0..model.held,
                        Part::Bending => model.held..model.springs.len(),
                    };
                    let link = |spring| Link { spring, answer: Answer::Law(law) };
                    balance.links.extend(range.map(link));
                }
                _ => balance.others.push(force),
            }
        }
        balance.weight = balance.load(&start.x);
        let buckling = buckling(setup, balance.size);
        if holds {
            // Nothing pulls a held length that starts without load, so any unit will do.
            let weight = balance.weight.max(buckling);
            let weight = if weight > 0.0 { weight } else { 1.0 };
            let stiffness = HELD_STIFFNESS * weight / balance.size;
            let link = |spring| Link { spring, answer: Answer::Held(stiffness) };
            balance.links.extend((0..model.held).map(link));
        }
        balance.links.retain(|link| !memory.is_broken(link.spring));
        if balance.weight == 0.0 {
            (balance.weight, balance.scale) = balance.own_scale(start, buckling);
        }
        let soft: f64 = model.springs.iter().map(|spring| 1.0 / spring.stiffness).sum();
        balance.reach = balance.size + balance.weight * soft;
        // Nothing acts on the body, so any unit of force will do.
        if balance.weight == 0.0 {
            (balance.weight, balance.scale) = (1.0, Scale::Nothing);
        }
        balance.lay(start);
        balance
    }

    /// Equations without any force.
    fn empty(setup: &'a Setup, memory: &'a SpringMemory, time: f64) -> Self {
        let model = &setup.model;
        let layout = Layout::new(model.axes, &model.pinned, 0, []);
        Self {
            setup,
            memory,
            links: Vec::new(),
            others: Vec::new(),
            gaps: Arc::new(Gaps::new(&setup.contacts, model, time)),
            time,
            layout: RefCell::new(Arc::new(layout)),
            work: Rc::default(),
            watch: Rc::default(),
            weight: 0.0,
            scale: Scale::Loads,
            size: size(setup),
            reach: 0.0,
            softest: f64::INFINITY,
            firm: f64::INFINITY,
            is_bare: false,
            only_pulls: false,
            stiff: Vec::new(),
            effort: 1.0,
        }
    }

    /// Reference force of a body without load, and its kind.
    fn own_scale(&self, start: &State, buckling: f64) -> (f64, Scale) {
        let tensions = self.start(&start.x, &self.memory.rods).tension;
        let greatest = tensions.iter().fold(0.0_f64, |maximum, tension| tension.abs().max(maximum));
        match greatest >= buckling {
            true => (greatest, Scale::Tension),
            false => (buckling, Scale::Buckling),
        }
    }

    /// Lays out the matrix for the unknowns that forces couple, and computes the stiffness of rods.
    fn lay(&mut self, start: &State) {
        let model = &self.setup.model;
        let guess = self.start(&start.x, &self.memory.rods);
        let (pairs, quantities) = self.pairs(&guess);
        let layout = Layout::new(model.axes, &model.pinned, quantities, pairs);
        self.layout = RefCell::new(Arc::new(layout));
        if self.setup.rods().is_none() {
            return;
        }
        let n = model.nodes();
        let mut stiff = vec![0.0; start.x.len()];
        self.each_other(&guess, true, &mut |[i, j], block| {
            for (axis, row) in block.iter().enumerate().take(model.axes) {
                stiff[axis * n + i] += if i == j { row[axis].abs() } else { 0.0 };
            }
        });
        self.stiff = stiff;
    }

    /// Equations of the body with less stiff links. The stiffness is in weights per strain of the
    /// whole body.
    pub(super) fn softened(&self, stiffness: f64) -> Self {
        self.softened_with(stiffness, stiffness)
    }

    /// Equations of the body with less stiff links and contacts, in weights per strain of the whole
    /// body. Contacts are as stiff as in a body softened to `contacts`.
    pub(super) fn softened_with(&self, links: f64, contacts: f64) -> Self {
        let unit = self.weight / self.size;
        Self {
            links: self.links.clone(),
            others: self.others.clone(),
            gaps: Arc::clone(&self.gaps),
            layout: self.layout.clone(),
            work: Rc::clone(&self.work),
            watch: Rc::clone(&self.watch),
            stiff: self.stiff.clone(),
            softest: links * unit,
            firm: SOLID * contacts * unit,
            ..*self
        }
    }

    /// Equations of the body without contact. `None` if it can touch anything other than
    /// half-spaces.
    pub(super) fn bare(&self) -> Option<Self> {
        let is_sided = self.gaps.are_half_spaces() && !self.gaps.is_empty();
        is_sided.then(|| Self { is_bare: true, ..self.softened(f64::INFINITY) })
    }

    /// Moves from positions towards others, and stops each node before it passes through a collider
    /// or through a neighbouring guide of its route. Returns the positions reached.
    pub(super) fn clipped(&self, from: &[f64], to: &[f64]) -> Vec<f64> {
        let mut to = if self.gaps.is_empty() { to.to_vec() } else { self.gaps.clipped(from, to) };
        self.cut_at_stops(from, &mut to);
        to
    }

    /// Equations of the softened body with springs that only pull, if it can touch anything;
    /// otherwise the equations of [`Balance::softened`]. Springs that push would keep a rope on a
    /// floor folded.
    pub(super) fn limp(&self, stiffness: f64) -> Self {
        Self { only_pulls: self.can_touch(), ..self.softened(stiffness) }
    }

    /// The shape in which a chain without contact hangs from its pins; `None` for other bodies.
    pub(super) fn hanging(&self, from: &Guess) -> Option<Guess> {
        if self.setup.contacts.drawn.is_some() {
            return None;
        }
        // The pins are already at their final positions.
        let still = Setup {
            initial: State::at_rest(from.x.clone()),
            anchors: Vec::new(),
            ..self.setup.clone()
        };
        let x = still.hanging_chain(still.link_law())?;
        Some(Guess { passages: from.passages, ..self.start(&x, &from.rods) })
    }

    /// Name of the reference force.
    pub(super) fn reference(&self) -> &'static str {
        self.scale.name(self.setup.gravity_strength() > 0.0)
    }

    /// Most probable reason why a search failed. `guess` is the last guess of the search, and
    /// `residual` its residual.
    pub(super) fn hint(&self, guess: &Guess, residual: Residual) -> Hint {
        if residual.force <= EXACT_FORCE && residual.length <= EXACT_LENGTH {
            return Hint::Singular;
        }
        let springs = self.setup.model.structural.max(1);
        // The list holds the memory of rods first, then the memory of routes.
        let own = self.setup.rods().map_or(0, Force::numbers).min(guess.rods.len());
        let turns = guess.rods[..own].iter().fold(0.0_f64, |maximum, turn| maximum.max(turn.abs()));
        if turns > MAX_TWIST * springs as f64 {
            return Hint::Twist;
        }
        if residual.gaps > 0.0 && residual.gaps >= 0.5 * residual.length {
            return Hint::Contact;
        }
        match self.setup.method.holds_lengths() {
            true => Hint::Lengths,
            false if self.setup.hangs_as_chain() => Hint::Chain,
            false => Hint::Shape,
        }
    }

    /// Starts to detect passages from positions `x`, for rods whose drawn pieces touch.
    pub(super) fn watch_from(&self, x: &[f64]) {
        if self.has_rods() && self.setup.contacts.drawn.is_some() {
            let watch = Watch::new(&self.setup.model, &self.state(x));
            self.watch.replace(Some(watch));
        }
    }

    /// Restarts the detection of passages at `x`, if detection is active.
    pub(super) fn restart_watch(&self, x: &[f64]) {
        if self.watch.borrow().is_some() {
            self.watch_from(x);
        }
    }

    /// Whether the body can touch anything.
    pub(super) fn can_touch(&self) -> bool {
        !self.is_bare && !self.gaps.is_empty()
    }

    /// Whether the body passed through itself on the straight path to positions `x`. Also returns
    /// `true` if too many pieces are close together to decide. The next call starts from `x`.
    pub(super) fn passes(&self, x: &[f64]) -> bool {
        let mut watch = self.watch.borrow_mut();
        let Some(watch) = watch.as_mut() else { return false };
        let passed = watch.advance(&self.setup.model, &self.state(x), self.memory);
        passed.map_or(true, |passed| !passed.is_empty())
    }

    /// Number of times that the body passes through itself on the straight path between positions.
    /// 0 for bodies in which passages do not matter: they lose no turns by a passage, and their
    /// drawn pieces do not touch. A path with too many pieces close together counts as one passage.
    pub(super) fn passages(&self, from: &[f64], to: &[f64]) -> usize {
        passages(self.setup, self.memory, from, to)
    }

    /// Number of multiplications of all matrices so far.
    pub(super) fn work(&self) -> u64 {
        self.work.get()
    }

    /// Counts multiplications.
    pub(super) fn spend(&self, work: u64) {
        self.work.set(self.work.get().saturating_add(work));
    }

    /// Number of multiplications that the search may still take.
    pub(super) fn room(&self) -> u64 {
        self.max_work().saturating_sub(self.work.get())
    }

    /// Whether the search may take another step.
    pub(super) fn has_work_left(&self) -> bool {
        self.work.get() < self.max_work()
    }

    /// Maximum number of multiplications of a search.
    pub(super) fn max_work(&self) -> u64 {
        let (usual, nodes) = (MAX_WORK, self.setup.model.nodes() as u64);
        let steps = FEW_STEPS * (linear::MAKING_NODE + 9 * SUMMING_NODE) * nodes;
        let factors = MAX_FACTORS.saturating_mul(self.layout().work()).saturating_add(steps);
        let factors = (factors as f64).min(MINUTE * MAX_WORK as f64);
        (usual as f64 * self.effort).max(factors * self.effort.min(1.0)) as u64
    }

    /// Whether this is a softened copy.
    fn is_soft(&self) -> bool {
        self.softest.is_finite()
    }

    /// Whether rods bend or twist.
    pub(super) fn has_rods(&self) -> bool {
        self.setup.rods().is_some()
    }

    /// The layout of matrices.
    pub(super) fn layout(&self) -> Arc<Layout> {
        Arc::clone(&self.layout.borrow())
    }

    /// External forces, flat by axis. Links, rods and routes without a motor are not external: they
    /// only respond to displacements.
    pub(super) fn weights(&self, x: &[f64]) -> Vec<f64> {
        self.weights_of(x, |_| true)
    }

    fn weights_of(&self, x: &[f64], counts: impl Fn(&dyn Force) -> bool) -> Vec<f64> {
        let mut force = vec![0.0; x.len()];
        let state = self.state(x);
        let body = Body { model: &self.setup.model, springs: self.memory };
        let initial = &self.setup.initial;
        let is_load = |other: &&&Arc<dyn Force>| {
            counts(other.as_ref()) && other.load_from(&self.setup.model, initial) > 0.0
        };
        for other in self.others.iter().filter(is_load) {
            other.add_to(&body, &state, &mut force);
        }
        force
    }

    /// Tension of the rope of a route, its length, and its length without load.
    pub(super) fn rope(&self, route: &Route, guess: &Guess) -> [f64; 3] {
        let state = self.state(&guess.x);
        let body = Body { model: &self.setup.model, springs: self.memory };
        let tension = route.tensions(&body, &state).into_iter().fold(0.0, f64::max);
        [tension, route.length_at(&body, &state), route.rest_at(&body, &state)]
    }

    /// Sum of the magnitudes of all external forces on free nodes. Motors pull against the weight,
    /// so they count only if no other external force acts.
    fn load(&self, x: &[f64]) -> f64 {
        let model = &self.setup.model;
        let (n, axes) = (model.nodes(), model.axes);
        let sum = |force: Vec<f64>| -> f64 {
            let size = |node: usize| {
                let square = |axis: usize| force[axis * n + node] * force[axis * n + node];
                (0..axes).map(square).sum::<f64>().sqrt()
            };
            (0..n).filter(|&node| !model.pinned[node]).map(size).sum()
        };
        let external = sum(self.weights_of(x, |other| other.route().is_none()));
        if external > 0.0 { external } else { sum(self.weights(x)) }
    }

    /// Sum of the magnitudes of all force components on free nodes, if they are so small that
    /// residuals are rounded to 0. `None` for larger forces, and if no force acts.
    pub(super) fn too_small(&self, x: &[f64]) -> Option<f64> {
        let is_unit = self.scale == Scale::Nothing;
        if !is_unit && self.weight >= MIN_FORCE {
            return None;
        }
        let (pinned, n) = (&self.setup.model.pinned, self.setup.model.nodes());
        let forces = self.others(&self.start(x, &self.memory.rods));
        let free = forces.into_iter().enumerate().filter(|(i, _)| !pinned[i % n]);
        let others: f64 = free.map(|(_, force)| force.abs()).sum();
        let sum = if is_unit { others } else { self.weight.max(others) };
        (sum > 0.0 && sum < MIN_FORCE).then_some(sum)
    }

    fn state(&self, x: &[f64]) -> State {
        State { t: self.time, ..State::at_rest(x.to_vec()) }
    }

    /// The memory of springs at a guess.
    fn memory_at(&self, guess: &Guess) -> SpringMemory {
        SpringMemory { rods: guess.rods.clone(), ..self.memory.clone() }
    }

    /// Accumulated turns of rods after a step to a guess.
    pub(super) fn turns(&self, guess: &Guess) -> Vec<f64> {
        let mut rods = guess.rods.clone();
        let (memory, state) = (self.memory_at(guess), self.state(&guess.x));
        let body = Body { model: &self.setup.model, springs: &memory };
        for other in self.others.iter().filter(|other| other.rods().is_some()) {
            other.remember(&body, &state, &mut rods);
        }
        rods
    }

    /// Whether rods turn so little between two guesses that the number of whole turns is
    /// unambiguous.
    pub(super) fn turns_little(&self, from: &Guess, to: &Guess) -> bool {
        let Some(rods) = self.setup.rods().filter(|rods| rods.remembers()) else { return true };
        let model = &self.setup.model;
        let springs =
            rods.rods().flat_map(|rod| &rod.springs).map(|&spring| &model.springs[spring]);
        let mut cosines = springs.map(|spring| {
            let ((a, before), (b, after)) =
                (model.span(&from.x, spring), model.span(&to.x, spring));
            dot(a, b) / (before * after)
        });
        cosines.all(|cosine| cosine >= MIN_COSINE)
            && self.turns(to).iter().zip(&from.rods).all(|(to, from)| (to - from).abs() <= MAX_TURN)
    }

    /// Moments of rods on their clamps, by node.
    pub(super) fn moments(&self, guess: &Guess) -> Vec<(usize, [f64; 3])> {
        let (memory, state) = (self.memory_at(guess), self.state(&guess.x));
        let body = Body { model: &self.setup.model, springs: &memory };
        self.setup.rods().map_or(Vec::new(), |rods| rods.moments(&body, &state))
    }

    /// All forces except the pulls of links and the pushes of contacts, flat by axis.
    pub(super) fn others(&self, guess: &Guess) -> Vec<f64> {
        let (memory, state) = (self.memory_at(guess), self.state(&guess.x));
        let body = Body { model: &self.setup.model, springs: &memory };
        let mut force = vec![0.0; guess.x.len()];
        for other in &self.others {
            other.add_to(&body, &state, &mut force);
        }
        force
    }

    /// All forces except from links and rods, plus the pushes of contacts, flat by axis.
    pub(super) fn loads(&self, guess: &Guess) -> Vec<f64> {
        let state = self.state(&guess.x);
        let body = Body { model: &self.setup.model, springs: self.memory };
        let mut force = vec![0.0; guess.x.len()];
        for other in self.others.iter().filter(|other| other.rods().is_none()) {
            other.add_to(&body, &state, &mut force);
        }
        let touches = self.touches(guess);
        touches.iter().for_each(|touch| self.push(touch, touch.push, &mut force));
        force
    }

    /// Pairs of unknowns that forces couple at a guess, and the number of quantities that follow
    /// from many nodes. In pairs, the indices of these quantities follow the indices of nodes.
    pub(super) fn pairs(&self, guess: &Guess) -> (Vec<(usize, usize)>, usize) {
        let model = &self.setup.model;
        let springs = model.springs.iter().map(|spring| (spring.a, spring.b));
        let mut pairs: Vec<(usize, usize)> = springs.collect();
        let mut first = model.nodes();
        let mut more = Vec::new();
        let mut visit = |pair: [usize; 2], _: &Block| pairs.push(pair.into());
        self.each_shared(guess, false, &mut visit, &mut |shared| {
            let neighbours = (1..shared.diagonal.len()).map(|k| (first + k - 1, first + k));
            let last = first + shared.diagonal.len().saturating_sub(1);
            let corner = (shared.corner != 0.0).then_some((first, last));
            let nodes = shared.couplings.iter().map(|c| (first + c.quantity, c.node));
            more.extend(neighbours.chain(corner).chain(nodes));
            first += shared.diagonal.len();
        });
        pairs.extend(more);
        (pairs, first - model.nodes())
    }

    /// Nodes under a force that depends only on the node's own position, such as the force of a
    /// soft pin.
    pub(super) fn tethered(&self, guess: &Guess) -> Vec<usize> {
        let (state, mut own) = (self.state(&guess.x), Vec::new());
        let mut each = |entry: &Entry| {
            if entry.i == entry.j && entry.by_x.iter().flatten().any(|value| *value != 0.0) {
                own.push(entry.i);
            }
        };
        let mut blocks = Blocks::new(false, &mut each);
        let body = Body { model: &self.setup.model, springs: self.memory };
        let is_tie = |other: &&&Arc<dyn Force>| other.rods().is_none() && other.route().is_none();
        for other in self.others.iter().filter(is_tie) {
            other.add_jacobian(&body, &state, &mut blocks);
        }
        own
    }

    fn each_other(&self, guess: &Guess, definite: bool, visit: &mut dyn FnMut([usize; 2], &Block)) {
        self.each_shared(guess, definite, visit, &mut |_| {});
    }

    /// Passes the derivatives of all forces except links to `visit`, and couplings of many nodes to
    /// `visit_shared`.
    fn each_shared(
        &self,
        guess: &Guess,
        definite: bool,
        visit: &mut dyn FnMut([usize; 2], &Block),
        visit_shared: &mut dyn FnMut(Shared),
    ) {
        let (memory, state) = (self.memory_at(guess), self.state(&guess.x));
        let body = Body { model: &self.setup.model, springs: &memory };
        let mut each = |entry: &Entry| visit([entry.i, entry.j], &entry.by_x);
        let mut blocks = Blocks::with_shared(definite, &mut each, visit_shared);
        for other in &self.others {
            other.add_jacobian(&body, &state, &mut blocks);
        }
    }

    /// Guess at positions, with the tensions that follow from lengths and the pushes of a softened
    /// body. Springs with held lengths get tension 0.
    pub(super) fn start(&self, x: &[f64], rods: &[f64]) -> Guess {
        let mut guess = Guess {
            x: x.to_vec(),
            tension: vec![0.0; self.links.len()],
            pushes: Vec::new(),
            rods: rods.to_vec(),
            passages: 0,
        };
        let excess: Vec<f64> = (0..self.links.len())
            .map(|link| match self.links[link].answer {
                Answer::Held(_) if !self.is_soft() => 0.0,
                _ => self.stretch(&guess, link).excess,
            })
            .collect();
        guess.tension = excess;
        if self.is_soft() {
            let push = |touch: &Touch| (touch.gap.key, -self.firm * touch.gap.gap);
            let touches = self.touches(&guess);
            guess.pushes = touches.iter().map(push).filter(|(_, push)| *push > 0.0).collect();
        }
        guess
    }

    /// Total force on every node, flat by axis. For a pinned node this is the force on its pin.
    pub(super) fn force(&self, guess: &Guess) -> Vec<f64> {
        self.force_with(guess, &self.touches(guess))
    }

    fn force_with(&self, guess: &Guess, touches: &[Touch]) -> Vec<f64> {
        let mut force = self.others(guess);
        for (index, tension) in guess.tension.iter().enumerate() {
            self.pull(guess, index, *tension, &mut force);
        }
        touches.iter().for_each(|touch| self.push(touch, touch.push, &mut force));
        force
    }

    /// Residuals of a guess, as Euclidean norms. Forces on free nodes are relative to the weight,
    /// errors of lengths and contacts relative to the body's size.
    pub(super) fn residual(&self, guess: &Guess) -> Residual {
        self.spend(SUMMING_NODE * self.setup.model.nodes() as u64);
        let (model, touches) = (&self.setup.model, self.touches(guess));
        let (force, n) = (self.force_with(guess, &touches), model.nodes());
        let free = force.iter().enumerate().filter(|(i, _)| !model.pinned[i % n]);
        // An empty sum is -0.
        let force = free.map(|(_, force)| force * force).sum::<f64>().sqrt().abs() / self.weight;
        let (mut length, mut gaps) = (0.0, 0.0);
        for index in 0..self.links.len() {
            let at = self.stretch(guess, index);
            // A slack spring has slope 0, so its excess is divided by a reference stiffness.
            let gap = at.excess / at.slope.max(self.weight / self.size);
            length += gap * gap;
        }
        for touch in &touches {
            let gap = self.fault(touch);
            length += gap * gap;
            gaps += gap * gap;
        }
        let gaps: f64 = gaps;
        Residual { force, length: length.sqrt() / self.size, gaps: gaps.sqrt() / self.size }
    }

    /// Estimated rounding errors of the forces, as a share of the weight, and of the lengths, as a
    /// share of the size. They are a few units in the last place of tensions and positions.
    pub(super) fn rounding(&self, guess: &Guess) -> [f64; 2] {
        let error = |square: f64, unit: f64| 4.0 * f64::EPSILON * square.sqrt() / unit;
        let squares = |numbers: &[f64]| -> f64 { numbers.iter().map(|x| x * x).sum() };
        let pushes: f64 = guess.pushes.iter().map(|(_, push)| push * push).sum();
        // The direction of a short spring far from the origin has few accurate digits.
        let (model, n) = (&self.setup.model, self.setup.model.nodes());
        let tensions = self.links.iter().zip(&guess.tension).map(|(link, tension)| {
            let spring = &model.springs[link.spring];
            let far = |axis: usize| guess.x[axis * n + spring.a].abs();
            let far = (0..model.axes).map(far).fold(0.0, f64::max);
            let length = model.span(&guess.x, spring).1.max(f64::MIN_POSITIVE);
            let pull = tension * (1.0 + far / length);
            pull * pull
        });
        // Rounding of positions bends a rod.
        let bends = self.stiff.iter().zip(&guess.x).map(|(stiff, x)| (stiff * x) * (stiff * x));
        // It also stretches the rope of a route.
        let far = guess.x.iter().fold(0.0_f64, |maximum, x| maximum.max(x.abs()));
        let ropes = self.others.iter().filter_map(|other| other.route()).map(|route| {
            let pull = route.axial * far / self.rope(route, guess)[2].max(f64::MIN_POSITIVE);
            pull * pull
        });
        let forces = tensions.sum::<f64>() + pushes + bends.sum::<f64>() + ropes.sum::<f64>();
        let forces = forces + self.gripped(guess);
        [error(forces, self.weight), error(squares(&guess.x), self.size)]
    }
}

impl Balance<'_> {
    /// Sum of squared forces: for each coordinate of a sticking contact, the stiffness of its
    /// friction times the coordinate.
    fn gripped(&self, guess: &Guess) -> f64 {
        let (state, n, mut sum) = (self.state(&guess.x), self.setup.model.nodes(), 0.0);
        let mut each = |entry: &Entry| {
            if entry.i == entry.j {
                for (axis, row) in entry.by_x.iter().enumerate().take(self.setup.model.axes) {
                    let pull = row[axis] * guess.x[axis * n + entry.i];
                    sum += pull * pull;
                }
            }
        };
        let mut blocks = Blocks::new(false, &mut each);
        let body = Body { model: &self.setup.model, springs: self.memory };
        for grips in self.others.iter().filter(|other| other.name() == GRIPS) {
            grips.add_jacobian(&body, &state, &mut blocks);
        }
        sum
    }
}

/// Residual of a guess.
#[derive(Clone, Copy, Debug)]
pub(super) struct Residual {
    pub(super) force: f64,
    /// Norm of the errors of lengths and contacts together.
    pub(super) length: f64,
    /// Norm of the errors of contacts alone.
    pub(super) gaps: f64,
}

impl Residual {
    /// Both norms as one number.
    pub(super) fn size(self) -> f64 {
        (self.force * self.force + self.length * self.length).sqrt()
    }
}

/// Number of times that a body passes through itself on the straight path between positions. 0 if
/// passages do not matter for the body.
pub(super) fn passages(setup: &Setup, memory: &SpringMemory, from: &[f64], to: &[f64]) -> usize {
    let twists = setup.rods().is_some_and(Rods::remembers);
    if setup.model.axes == 2 || !(twists || setup.contacts.drawn.is_some()) {
        return 0;
    }
    let [from, to] = [from, to].map(|x| State::at_rest(x.to_vec()));
    let found = Watch::new(&setup.model, &from).advance(&setup.model, &to, memory);
    found.map_or(1, |found| found.len())
}

/// Length of a body: its rest length, or the extent of its nodes if that is 0.
pub(super) fn size(setup: &Setup) -> f64 {
    let length = setup.model.rest_length();
    if length > 0.0 {
        return length;
    }
    let extent = setup.initial.x.iter().map(|x| x.abs()).fold(0.0, f64::max);
    if extent > 0.0 { extent } else { 1.0 }
}

/// Maximum EI/L² of the rods of a body; 0 if it has none.
fn buckling(setup: &Setup, size: f64) -> f64 {
    let rods = setup.rods().into_iter().flat_map(Rods::rods);
    let greatest = rods.flat_map(Rod::all_sections).flat_map(|one| one.bending).fold(0.0, f64::max);
    greatest / (size * size)
}
