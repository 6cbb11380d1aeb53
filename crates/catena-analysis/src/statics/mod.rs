//! Rest state of a body, solved from the balance of forces instead of simulated.
//!
//! [`equilibrium`] finds positions at which all static forces on free nodes cancel. The result has
//! the tension of every spring, the force on every pin, and the slowest modes about the
//! equilibrium. The eigenvalues of the stiffness tell whether the equilibrium is stable. From an
//! unstable equilibrium the search displaces the body along the unstable mode and continues
//! downhill.
//!
//! Contact is unilateral: it only pushes, along the normal. Only [`equilibrium_with`] includes
//! friction, at its limit. Ropes of routes run over their guides without friction.
//!
//! Forces enter through [`Force::add_to`] and [`Force::add_jacobian`] at velocity 0. Constant wind
//! exerts a force, and damping has no effect. For methods that hold lengths the result is the limit
//! of inextensible springs, which these methods approach with many iterations.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

mod balance;
mod descent;
mod envelope;
mod friction;
mod grip;
mod holders;
mod known;
mod layout;
mod link;
mod modes;
mod moments;
mod neutral;
mod path;
mod refusal;
mod route;
mod search;
mod slow;
mod start;
mod tethers;
mod torsion;

pub use friction::SlidAlong;
pub use link::RodLink;
pub use modes::Mode;
pub use path::{Path, PathEnd, PathPoint, follow, follow_within};
pub use refusal::{Hint, NoRest};
pub use route::RouteRest;
pub use start::{max_quick_nodes, rest_at_start};
pub use torsion::{TorsionalMode, fastest_torsion, torsional_modes};

use balance::{Balance, Guess, Linear, Touch};
use catena_base::text::number::digits;
use catena_sim::force::{Force, first_memory};
use catena_sim::vector::{norm, sub};
use catena_sim::{Body, Model, Setup, SpringMemory, State, drive::Anchors};
use known::Known;
use search::{Found, MAX_ROUNDED, descend_from, is_rounding, search};
use std::cell::Cell;
use std::rc::Rc;

/// Maximum residual of forces at rest, as a share of the weight.
pub const EXACT_FORCE: f64 = 1e-12;
/// Maximum error of lengths at rest, as a share of the body's size.
pub const EXACT_LENGTH: f64 = 1e-13;
/// Maximum number of modes that are computed.
pub const MODES: usize = 4;
/// Displacement from an unstable equilibrium, as a share of the body's size.
const PUSH: f64 = 1e-3;
/// Difference of displacements in a mode that counts as 0, as a share of the maximum.
const SAME: f64 = 1e-6;
/// Maximum number of unstable equilibria that a search leaves.
const MAX_PUSHES: usize = 6;
/// Factor on the default limit of work that takes about a minute of one core.
pub const MINUTE: f64 = 40.0;
/// Maximum number of multiplications in one factorisation, per minute of the work limit.
const MAX_WORK: f64 = 1e10;
/// Eigenvalue that counts as 0, as a share of the maximum diagonal entry of the stiffness.
const NEUTRAL: f64 = 1e-13;
/// Eigenvalue of a body with rods that counts as 0. It is lower, since the slowest modes of rods
/// are far below the fastest.
const NEUTRAL_ROD: f64 = 1e-14;
/// Minimum sum of forces. The squared residuals of smaller forces underflow to 0.
const MIN_FORCE: f64 = 1e-140;
/// Displacement that rounding may cause, as a share of the largest coordinate.
const ROUNDING: f64 = 1e-12;
/// Advice about an unstable equilibrium.
const DISPLACE: &str = "displace the start towards the shape in which the body should rest, or \
                        simulate with `render`";
/// Factor on the stiffness of contacts for modes, so that modes do not open contacts.
const FIRM: f64 = 1e3;

/// Stability of an equilibrium.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stability {
    /// All displacements raise the energy.
    Stable,
    /// A displacement costs no energy, up to rounding.
    Neutral,
    /// A displacement along the first mode lowers the energy, so the body leaves the equilibrium.
    Unstable,
}

/// Friction of contacts in an equilibrium.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Friction {
    /// Contacts only push.
    #[default]
    LeftOut,
    /// Contacts that slid from the start have the maximum friction.
    Limit,
    /// Contacts stick until their friction is at its limit, while the body moves slowly from the
    /// start. [`Friction::Limit`] falls back to this if pushes and friction do not converge.
    Followed,
}

/// Kind of the force that residuals are compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// The sum of the external forces on free nodes.
    Loads,
    /// The maximum tension at the start of the search, since no external force acts.
    Tension,
    /// EI/L² of a rod, since neither an external force nor a tension acts.
    Buckling,
    /// One unit of force, since no force acts.
    Nothing,
}

impl Scale {
    /// Name of the force. Loads are the weight of a body with gravity.
    pub fn name(self, has_gravity: bool) -> &'static str {
        match self {
            Self::Loads if has_gravity => "the weight",
            Self::Loads => "the load",
            Self::Tension => "the maximum tension at the start of the search",
            Self::Buckling => "EI/L²",
            Self::Nothing => "one unit of force",
        }
    }
}

/// Force of the body on one of its pins, including the weight of the pinned node. In the plane z is
/// 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reaction {
    /// The pinned node.
    pub node: usize,
    /// The force.
    pub force: [f64; 3],
    /// Moment on the clamp of a rod at the pin; in the plane along z. `None` if there is no clamp.
    pub moment: Option<[f64; 3]>,
}

/// A contact that pushes.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// Index of the collider; `None` for contact of the body with itself.
    pub collider: Option<usize>,
    /// Nodes of the body with their weights: one node, the ends of a segment, or the corners of a
    /// facet. For two nodes in contact, the second has the weight -1.
    pub nodes: Vec<(usize, f64)>,
    /// Unit vector towards the body, or towards the first node.
    pub normal: [f64; 3],
    /// Force along the normal, above 0.
    pub force: f64,
    /// Distance minus the contact distance; 0 up to rounding.
    pub gap: f64,
    /// Coefficient of friction of the contact.
    pub friction: f64,
    /// Friction force on the body; 0 if the equilibrium omits friction.
    pub held: [f64; 3],
}

/// Equilibrium of a body: positions at which all static forces cancel.
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium {
    /// Positions, flat by axis.
    pub x: Vec<f64>,
    /// Tension of every spring of the model, above 0 for a pull.
    pub tensions: Vec<f64>,
    /// Forces on all pins, in the order of their nodes.
    pub pins: Vec<Reaction>,
    /// Contacts that push.
    pub contacts: Vec<Contact>,
    /// Norm of the forces on free nodes, as a share of [`Equilibrium::weight`].
    pub residual: f64,
    /// Norm of the errors in spring lengths and gaps, as a share of the body's length.
    pub length_error: f64,
    /// Reference force: the sum of the magnitudes of the external forces on free nodes at the
    /// start. Without external forces it is the maximum tension at the start of the search, or
    /// EI/L² of a rod.
    pub weight: f64,
    /// Kind of the force [`Equilibrium::weight`].
    pub scale: Scale,
    /// Estimate of the residual that rounding of positions and tensions causes, as a share of the
    /// weight.
    pub rounding: f64,
    /// Number of linear systems that the search solved.
    pub iterations: usize,
    /// Residual, including errors of lengths, before each step of Newton's method and at its end.
    pub history: Vec<f64>,
    /// Modes with the smallest ω², in ascending order.
    pub modes: Vec<Mode>,
    /// Magnitude below which ω² counts as 0.
    pub zero: f64,
    /// Stability of the equilibrium.
    pub stability: Stability,
    /// Time from which everything that acts on the body is constant: the start, or the end of the
    /// last change.
    pub time: f64,
    /// First unstable equilibrium that the search found and left; `None` if it found none.
    pub left: Option<Box<Self>>,
    /// Reason why no rest state was found downhill of this unstable equilibrium. `None` for other
    /// equilibria, and if the search left several unstable equilibria and stopped at this one.
    pub beyond: Option<Box<NoRest>>,
    /// Number of times that the body passed through itself during the search. 0 for bodies in which
    /// passages do not matter: they lose no turns by a passage, unlike twisted rods in space, and
    /// their drawn pieces do not touch.
    pub passages: usize,
    /// Magnitude of the sum of all torques and clamp moments: 0 up to rounding.
    pub moment_error: f64,
    /// Linking numbers of closed rods that twist in space.
    pub links: Vec<RodLink>,
    /// Ropes of routes, in the order of the forces.
    pub routes: Vec<RouteRest>,
    /// Friction of contacts in this equilibrium.
    pub friction: Friction,
    /// Slowest torsional modes of rods whose sections have a rotational inertia.
    pub torsion: Vec<TorsionalMode>,
}

impl Equilibrium {
    /// Whether the body rests at these positions from its start on, without leaving an unstable
    /// equilibrium.
    pub fn is_at_start(&self) -> bool {
        self.iterations == 0
    }

    /// Whether the equilibrium omits the friction of a contact that pushes. Then the body can rest
    /// in other shapes, too.
    pub fn leaves_out_friction(&self) -> bool {
        let is_rough = |contact: &Contact| contact.friction > 0.0;
        self.friction == Friction::LeftOut && self.contacts.iter().any(is_rough)
    }

    /// Whether the equilibrium omits the friction of a route on a guide.
    pub fn leaves_out_route_friction(&self) -> bool {
        self.routes.iter().any(|route| route.has_friction)
    }

    /// Whether the equilibrium is unstable: the body leaves it at the slightest push, so no run
    /// rests there.
    pub fn is_unstable(&self) -> bool {
        self.stability == Stability::Unstable
    }

    /// Smallest ω² of the modes; `None` if no node is free.
    pub fn smallest(&self) -> Option<f64> {
        self.modes.first().map(|mode| mode.omega_squared)
    }

    /// Reason why this equilibrium is not a rest state, and advice; `None` if it is stable or
    /// neutral.
    pub fn unrest(&self) -> Option<[String; 2]> {
        if !self.is_unstable() {
            return None;
        }
        let square = self.smallest().unwrap_or(f64::NAN);
        let square = digits(square, 5);
        let reason = format!("an unstable equilibrium: its smallest ω² is {square}, below 0");
        let (more, help) = match &self.beyond {
            Some(beyond) => (format!("; from there towards lower energy, {beyond}"), beyond.help()),
            None => {
                let many =
                    format!("; {MAX_PUSHES} more equilibria towards lower energy are unstable too");
                (many, DISPLACE)
            }
        };
        Some([reason + &more, help.to_owned()])
    }

    /// The state of the body at rest.
    pub fn state(&self) -> State {
        State { t: self.time, ..State::at_rest(self.x.clone()) }
    }

    /// Total length of all structural springs.
    pub fn length(&self, model: &Model) -> f64 {
        model.structural().iter().map(|spring| model.span(&self.x, spring).1).sum()
    }

    /// Total rest length of all structural springs of a model.
    pub fn unloaded_length(model: &Model) -> f64 {
        model.structural().iter().map(|spring| spring.rest_length).sum()
    }

    /// Node with the maximum displacement from the start of the setup, and its displacement. `None`
    /// if no node is displaced by more than rounding.
    pub fn deflection(&self, setup: &Setup) -> Option<(usize, [f64; 3])> {
        let n = setup.model.nodes();
        let (end, start) = (self.state(), &setup.initial);
        let displacements =
            (0..n).map(|node| (node, sub(end.position(n, node), start.position(n, node))));
        let farthest = displacements.max_by(|(_, a), (_, b)| norm(*a).total_cmp(&norm(*b)));
        farthest.filter(|(_, displacement)| norm(*displacement) > self.rounding(setup))
    }

    /// Estimate of the rounding error of positions, at rest and at the start.
    pub fn rounding(&self, setup: &Setup) -> f64 {
        let places = self.x.iter().chain(&setup.initial.x);
        ROUNDING * places.fold(0.0, |maximum: f64, x| maximum.max(x.abs()))
    }

    /// Maximum tension of the first `held` springs; 0 if no spring pulls.
    pub fn greatest_tension(&self, held: usize) -> f64 {
        self.tensions[..held].iter().copied().fold(0.0, f64::max)
    }
}

/// Finds the rest state of a body from its initial state.
///
/// A body may have several rest states. From a shape whose stiffness is positive definite, such as
/// an arch, the search tries to keep the shape; otherwise it finds one that hangs.
///
/// ```
/// use catena_analysis::statics::{Stability, equilibrium};
/// use catena_sim::{Rope, Setup, method::SemiImplicitEuler};
///
/// let rope = Rope::new([0.0, 0.0], [1.0, 0.0], 30).of(0.01, 1e4).pin(0).pin(29);
/// let setup = Setup::new(&rope)
///     .gravity([0.0, -9.81])
///     .method(SemiImplicitEuler {})
///     .frames(1.0 / 60.0, 64)
///     .check()?;
/// let rest = equilibrium(&setup).map_err(|error| error.to_string()).expect("a rope has a rest");
/// assert_eq!(rest.stability, Stability::Stable);
/// assert!(rest.residual < 1e-12);
/// # Ok::<(), catena_sim::BadSetup>(())
/// ```
///
/// # Errors
/// Returns the reason why there is no rest state, or why it was not found.
pub fn equilibrium(setup: &Setup) -> Result<Equilibrium, NoRest> {
    equilibrium_within(setup, 1.0)
}

/// Finds the rest state of a body with `effort` times the default limit of work, which allows a few
/// seconds. [`MINUTE`] allows about a minute, and infinity is no limit.
///
/// # Errors
/// Returns the reason why there is no rest state, or why it was not found.
pub fn equilibrium_within(setup: &Setup, effort: f64) -> Result<Equilibrium, NoRest> {
    equilibrium_spending(setup, effort, &Rc::default())
}

/// Finds the rest state of a body as [`equilibrium_within`] does, for searches that share a limit
/// of work. `work` counts the multiplications of all of them.
fn equilibrium_spending(
    setup: &Setup,
    effort: f64,
    work: &Rc<Cell<u64>>,
) -> Result<Equilibrium, NoRest> {
    equilibrium_knowing(setup, effort, work, Known::default())
}

/// Finds the rest state of a body as [`equilibrium_spending`] does, from contacts that a previous
/// search found.
fn equilibrium_knowing(
    setup: &Setup,
    effort: f64,
    work: &Rc<Cell<u64>>,
    known: Known,
) -> Result<Equilibrium, NoRest> {
    let (setup, paid) = start::paid_out(setup)?;
    let setup = &*setup;
    let balanced = start::as_balanced(setup);
    let start = Start { known, ..Start::new(&balanced, effort, work)? };
    let rest = equilibrium_of(&balanced, &start)?;
    let (balanced, rest) = route::slipped(balanced, rest, &start)?;
    let rest = route::held(setup, balanced, rest, &start)?;
    let time = rest.time.max(paid);
    Ok(Equilibrium { torsion: torsional_modes(setup, &rest.state()), time, ..rest })
}

/// Finds the rest state of a body as [`equilibrium_within`] does, with friction at its limit or
/// without friction.
///
/// # Errors
/// Returns the reason why there is no rest state, or why it was not found.
pub fn equilibrium_with(
    setup: &Setup,
    effort: f64,
    friction: Friction,
) -> Result<Equilibrium, NoRest> {
    match friction {
        Friction::LeftOut => equilibrium_within(setup, effort),
        Friction::Limit => friction::equilibrium_at_limit(setup, effort),
        Friction::Followed => slow::equilibrium_followed(setup, effort, None),
    }
}

/// Finds the rest state of a body from a start.
fn equilibrium_of(setup: &Setup, start: &Start) -> Result<Equilibrium, NoRest> {
    let solver = Solver::new(setup, start)?;
    let fallen = |reason: NoRest| match (&reason, solver.loose) {
        (NoRest::NotFound { .. }, Some(loose)) => loose.reason(setup),
        _ => reason,
    };
    let found = solver.report(search(&solver.balance, &solver.start())).map_err(fallen)?;
    let Left { rest, first, beyond } = solver.leave_unstable(found)?;
    let mut rest = solver.nearest(rest).equilibrium;
    rest.iterations += start.iterations;
    rest.left = start.left.clone().or(first.map(Box::new));
    rest.beyond = beyond.map(|reason| Box::new(fallen(reason)));
    refusal::allowed(setup, &rest.x, start.state.t, solver.balance.size)?;
    Ok(rest)
}

/// An equilibrium, and the values of the unknowns there.
#[derive(Clone)]
struct Rest {
    equilibrium: Equilibrium,
    guess: Guess,
}

impl Rest {
    /// Unknowns of an unstable equilibrium, displaced along its first mode. `size` is the reference
    /// length of the body.
    fn pushed(&self, size: f64) -> Guess {
        let mut guess = self.guess.clone();
        let Some(mode) = self.equilibrium.modes.first() else { return guess };
        let greatest = mode.shape.iter().fold(0.0_f64, |maximum, value| maximum.max(value.abs()));
        // The first of the coordinates that move the farthest moves in its positive direction, so
        // the side does not depend on rounding.
        let is_far = |value: &&f64| value.abs() >= (1.0 - SAME) * greatest;
        let side = mode.shape.iter().find(is_far).map_or(1.0, |value| value.signum());
        let share = side * PUSH * size / greatest;
        guess.x.iter_mut().zip(&mode.shape).for_each(|(x, shape)| *x += share * shape);
        guess
    }
}

/// State and memory from which the search starts: the initial state, with pins where their motion
/// ends.
struct Start {
    state: State,
    memory: SpringMemory,
    /// Number of linear systems solved before this start.
    iterations: usize,
    /// First unstable equilibrium that was left before this start.
    left: Option<Box<Equilibrium>>,
    /// Number of times that the body passed through itself before this start.
    passages: usize,
    /// Factor on the default limit of work.
    effort: f64,
    /// Number of multiplications of all searches up to this point.
    work: Rc<Cell<u64>>,
    /// Contacts of the previous search.
    known: Known,
}

impl Start {
    /// Creates the start of a search: the initial state with pins where their motion ends. For
    /// bodies with rods, follows the motion of the pins.
    ///
    /// # Errors
    /// Something never stops changing, or something other than forces acts on the body.
    fn new(setup: &Setup, effort: f64, work: &Rc<Cell<u64>>) -> Result<Self, NoRest> {
        let time = refusal::still_after(setup)?;
        let start = Self { work: Rc::clone(work), ..Self::at(setup, time, effort) };
        match setup.rods() {
            Some(_) if time > setup.start_time => holders::followed(setup, time, &start),
            _ => Ok(start),
        }
    }

    /// Start of another search for the body with changed routes. The work of both counts together.
    fn restarted(&self, setup: &Setup) -> Result<Self, NoRest> {
        Self::new(setup, self.effort, &self.work)
    }

    /// Initial state with the pins at their positions at a time.
    fn at(setup: &Setup, time: f64, effort: f64) -> Self {
        let mut memory = SpringMemory::default();
        let body = Body { model: &setup.model, springs: &memory };
        memory.rods = first_memory(&setup.forces, &body, &setup.initial);
        let mut state = State { t: time, ..setup.initial.clone() };
        Anchors::new(&setup.model, &setup.initial, &setup.anchors).apply(&mut state);
        let (work, known) = (Rc::default(), Known::default());
        Self { state, memory, iterations: 0, left: None, passages: 0, effort, work, known }
    }
}

/// Result of a search that leaves unstable equilibria.
struct Left {
    /// The last equilibrium.
    rest: Rest,
    /// First unstable equilibrium that was left.
    first: Option<Equilibrium>,
    /// Reason why no equilibrium was found downhill of the last equilibrium, if that is unstable.
    beyond: Option<NoRest>,
}

/// Equations of a body with the start of the search.
struct Solver<'a> {
    setup: &'a Setup,
    start: &'a Start,
    balance: Balance<'a>,
    /// First part of the body that only contact or a route can hold.
    loose: Option<Loose>,
}

impl<'a> Solver<'a> {
    /// Creates the equations of a setup, and finds the first part that only contact or a route can
    /// hold.
    ///
    /// # Errors
    /// Nothing holds a part of the body, or the body is too large.
    fn new(setup: &'a Setup, start: &'a Start) -> Result<Self, NoRest> {
        let balance = Balance::new(setup, start);
        if let Some(force) = balance.too_small(&start.state.x) {
            return Err(NoRest::TooSmall { force, minimum: MIN_FORCE });
        }
        let loose = falling(setup, &balance, &balance.start(&start.state.x, &start.memory.rods));
        let is_without = |loose: &Loose| !balance.can_touch() && !loose.has_route;
        if let Some(Loose { node, .. }) = loose.filter(is_without) {
            return Err(match setup.contacts.drawn.is_some() {
                true => NoRest::Hangs { node },
                false => NoRest::Falls { node },
            });
        }
        let work = balance.layout().work();
        let maximum = MAX_WORK * (start.effort / MINUTE).max(start.effort.min(1.0));
        if work as f64 > maximum {
            let (nodes, work) = (setup.model.nodes(), work as f64);
            return Err(NoRest::TooLarge { nodes, work, maximum });
        }
        Ok(Self { setup, start, balance, loose })
    }

    /// The guess at the start.
    fn start(&self) -> Guess {
        let start = self.start;
        let guess = self.balance.start(&start.state.x, &start.memory.rods);
        let pushes = self.balance.known_pushes(&guess.x, &start.known.contacts);
        Guess { passages: start.passages, pushes, ..guess }
    }

    /// Reason why a search failed.
    fn failure(&self, found: &Found) -> NoRest {
        let (iterations, residual) = (found.iterations, found.residual.force);
        let of = self.balance.reference();
        if !self.balance.has_work_left() {
            let (nodes, maximum) = (self.setup.model.nodes(), self.balance.max_work() as f64);
            return NoRest::TooLong { nodes, iterations, residual, maximum, of };
        }
        let rounding = self.balance.rounding(&found.guess)[0];
        if rounding > MAX_ROUNDED && residual <= rounding {
            return NoRest::Rounded { residual, of };
        }
        let (length, gaps) = (found.residual.length, found.residual.gaps);
        let hint = self.balance.hint(&found.guess, found.residual);
        NoRest::NotFound { iterations, residual, length, gaps, of, hint }
    }

    /// Turns the result of a search into a report.
    fn report(&self, found: Found) -> Result<Rest, NoRest> {
        let failed = self.failure(&found);
        if !found.is_exact && !is_rounding(&self.balance, &found) {
            return Err(failed);
        }
        let (balance, model) = (&self.balance, &self.setup.model);
        let linear = balance.linear(&found.guess, false, FIRM);
        let held = &self.start.known.held;
        let linear = linear.and_then(|linear| balance.holding(linear, held, FIRM)).ok_or(failed)?;
        let fixed = known::fixed(&linear, model.axes);
        let moving = linear.matrix.layout().coordinates().saturating_sub(fixed);
        let room = balance.room();
        let (mut modes, work) = modes::lowest(&linear.matrix, &model.mass, MODES.min(moving), room);
        balance.spend(work);
        if !balance.has_work_left() {
            return Err(self.failure(&found));
        }
        // A singular equilibrium, such as one of crushed rigid segments, has no finite modes.
        if modes.iter().any(|mode| !mode.omega_squared.is_finite()) {
            return Err(self.failure(&found));
        }
        let (force, n) = (balance.force(&found.guess), model.nodes());
        let (moments, moment_error) = self.moments(&found.guess, &force);
        let reaction = |node: usize| {
            let force = [0, 1, 2].map(|axis| force.get(axis * n + node).copied().unwrap_or(0.0));
            let own = moments.iter().filter(|(clamped, _)| *clamped == node);
            let moment =
                own.map(|(_, moment)| *moment).reduce(|a, b| [0, 1, 2].map(|k| a[k] + b[k]));
            Reaction { node, force, moment }
        };
        let zero = self.sharpened(&found.guess, &linear, &mut modes);
        let touches = balance.touches(&found.guess);
        let pushing = touches.iter().filter(|touch| touch.push > 0.0 && !touch.is_stop());
        let equilibrium = Equilibrium {
            tensions: balance.spring_tensions(&found.guess),
            pins: (0..n).filter(|&node| model.pinned[node]).map(reaction).collect(),
            contacts: pushing.map(|touch| self.contact(touch)).collect(),
            residual: found.residual.force,
            length_error: found.residual.length,
            weight: balance.weight,
            scale: balance.scale,
            rounding: balance.rounding(&found.guess)[0],
            iterations: found.iterations,
            history: found.history,
            stability: stability(&modes, zero),
            modes,
            zero,
            time: self.start.state.t,
            left: None,
            beyond: None,
            passages: found.guess.passages,
            moment_error,
            links: self.links(&found.guess),
            routes: self.routes(&found.guess),
            friction: Friction::LeftOut,
            torsion: Vec::new(),
            x: found.guess.x.clone(),
        };
        Ok(Rest { equilibrium, guess: found.guess })
    }

    /// Displaces the body out of unstable equilibria, each along its first mode, and searches
    /// downhill.
    ///
    /// # Errors
    /// Drawn pieces touch, and the body would pass through itself.
    fn leave_unstable(&self, mut rest: Rest) -> Result<Left, NoRest> {
        let (mut first, mut beyond) = (None, None);
        for _ in 0..MAX_PUSHES {
            if rest.equilibrium.stability != Stability::Unstable {
                break;
            }
            let mut pushed = rest.pushed(self.balance.size);
            pushed.passages += self.balance.passages(&rest.guess.x, &pushed.x);
            let mut next = match self.report(self.descended(&pushed)?) {
                Ok(next) => next,
                Err(reason) => {
                    beyond = Some(reason);
                    break;
                }
            };
            next.equilibrium.iterations += rest.equilibrium.iterations;
            first.get_or_insert(rest.equilibrium);
            rest = next;
        }
        Ok(Left { rest, first, beyond })
    }

    /// Searches for an equilibrium downhill from a guess.
    ///
    /// # Errors
    /// Drawn pieces touch, and the body would pass through itself.
    fn descended(&self, from: &Guess) -> Result<Found, NoRest> {
        self.balance.watch_from(&from.x);
        let passes = NoRest::passes_itself(self.setup, self.start.state.t);
        descend_from(&self.balance, from).ok_or(passes)
    }

    /// Magnitude below which ω² counts as 0.
    fn zero(&self, linear: &Linear) -> f64 {
        let lightest = self.setup.model.mass.iter().copied().fold(f64::INFINITY, f64::min);
        let neutral = if self.setup.rods().is_some() { NEUTRAL_ROD } else { NEUTRAL };
        neutral * linear.matrix.reference() / lightest
    }

    /// Guess with the pinned nodes and the lengths of routes of the start. The memory lists rods
    /// first, then routes.
    fn placed(&self, guess: &Guess) -> Guess {
        let (mut placed, n) = (guess.clone(), self.setup.model.nodes());
        for (index, x) in placed.x.iter_mut().enumerate() {
            if self.setup.model.pinned[index % n] {
                *x = self.start.state.x[index];
            }
        }
        let rods = self.setup.rods().map_or(0, Force::numbers).min(placed.rods.len());
        if let Some(routes) = self.start.memory.rods.get(rods..) {
            placed.rods.truncate(rods);
            placed.rods.extend_from_slice(routes);
        }
        placed
    }

    fn contact(&self, touch: &Touch) -> Contact {
        Contact {
            collider: touch.gap.collider,
            nodes: touch.gap.weighted().filter(|(_, weight)| *weight != 0.0).collect(),
            normal: touch.gap.normal,
            force: touch.push,
            gap: touch.gap.gap,
            friction: self.balance.coefficient(touch),
            held: [0.0; 3],
        }
    }
}

/// Stability according to the smallest ω².
fn stability(modes: &[Mode], zero: f64) -> Stability {
    match modes.first().map(|mode| mode.omega_squared) {
        Some(square) if square < -zero => Stability::Unstable,
        Some(square) if square <= zero => Stability::Neutral,
        _ => Stability::Stable,
    }
}

/// Part of a body that neither pins nor springs hold.
#[derive(Clone, Copy, Debug)]
struct Loose {
    /// First node of the part.
    node: usize,
    /// Whether the rope of a route holds it.
    has_route: bool,
}

impl Loose {
    /// Reason why no equilibrium was found.
    fn reason(self, setup: &Setup) -> NoRest {
        let Self { node, has_route } = self;
        match has_route {
            true => NoRest::Runs { node, has_friction: route::have_friction(setup) },
            false => NoRest::Lies { node },
        }
    }
}

/// First part of the body with a resultant force that neither pins nor springs hold.
fn falling(setup: &Setup, balance: &Balance<'_>, start: &Guess) -> Option<Loose> {
    let n = setup.model.nodes();
    let mut part: Vec<usize> = (0..n).collect();
    for (a, b) in balance.pairs(start).0.into_iter().filter(|(a, b)| *a < n && *b < n) {
        let (a, b) = (root(&mut part, a), root(&mut part, b));
        part[a.max(b)] = a.min(b);
    }
    let (mut is_held, mut has_route) = (vec![false; n], vec![false; n]);
    let tethered = balance.tethered(start);
    let pinned = (0..n).filter(|&node| setup.model.pinned[node]);
    for node in pinned.chain(tethered) {
        is_held[root(&mut part, node)] = true;
    }
    for node in route::tied(setup) {
        has_route[root(&mut part, node)] = true;
    }
    let force = balance.weights(&start.x);
    let mut sums = vec![[0.0; 3]; n];
    for node in 0..n {
        let root = root(&mut part, node);
        for (axis, sum) in sums[root].iter_mut().enumerate().take(setup.model.axes) {
            *sum += force[axis * n + node];
        }
    }
    let pulls = |node: &usize| sums[*node].iter().any(|sum| sum.abs() > 1e-12 * balance.weight);
    let node = (0..n).filter(|&node| part[node] == node && !is_held[node]).find(pulls)?;
    Some(Loose { node, has_route: has_route[node] })
}

/// Returns the first node of the part that contains a node, and shortens the path to it (union-find
/// with path halving).
fn root(part: &mut [usize], mut node: usize) -> usize {
    while part[node] != node {
        part[node] = part[part[node]];
        node = part[node];
    }
    node
}
