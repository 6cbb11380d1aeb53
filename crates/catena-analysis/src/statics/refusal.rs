//! Reasons why a body has no rest, or why it was not found.

use super::{EXACT_FORCE, EXACT_LENGTH};
use catena_sim::{
    Force, Form, Setup, SpringMemory, State, contact::gaps::Gaps, drive::track::Extent,
    force::applied::FORCE_NAMES,
};
use std::sync::Arc;
use thiserror::Error;

/// Reason why there is no rest state.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum NoRest {
    /// A pin moves without end.
    #[error("pin {node} moves without end, so the body never rests")]
    MovingPin {
        /// The pinned node.
        node: usize,
    },
    /// A clamp of a rod moves or turns without end.
    #[error("a clamp of a rod moves or turns without end, so the body never rests")]
    MovingClamp,
    /// A force changes with time.
    #[error("{what} with time, so the body never rests")]
    ChangingForce {
        /// Change in words, with its field.
        what: String,
    },
    /// Events change the body during the run.
    #[error("events change the body during the run; remove `events` to find the rest of the start")]
    Events,
    /// A factor moves nodes in every step.
    #[error(
        "position_factor moves every node towards the origin in each step, which no force shows"
    )]
    PositionFactor,
    /// A part of the body is rigid.
    #[error("the {name} is a rigid body, and the search knows nodes and springs, not rigid bodies")]
    Solid {
        /// Part in words.
        name: String,
    },
    /// Nothing holds a part of the body.
    #[error("nothing holds node {node} and what hangs from it, so it falls without end")]
    Falls {
        /// First node of the part.
        node: usize,
    },
    /// Only contact of drawn pieces with each other can hold a part of the body.
    #[error(
        "only drawn pieces of the body can hold node {node} and what hangs from it, and the search \
         does not know contact of drawn pieces of a body with each other"
    )]
    Hangs {
        /// First node of the part.
        node: usize,
    },
    /// Only contact can hold a part of the body, and no balance without friction was found.
    #[error(
        "only contact can hold node {node} and what hangs from it, and without friction no \
         balance was found: the body slides, rolls or falls on"
    )]
    Lies {
        /// First node of the part.
        node: usize,
    },
    /// Only contact can hold a part of the body, and its friction is not enough.
    #[error(
        "only contact can hold node {node} and what hangs from it, and its friction does not: the \
         body slides, rolls or falls by more than its size"
    )]
    Slides {
        /// First node of the part.
        node: usize,
    },
    /// Only the rope of a route can hold a part of the body, and no balance was found.
    #[error(
        "only a route can hold node {node} and what hangs from it, and no balance was found: the \
         rope runs on{}",
        without(*has_friction)
    )]
    Runs {
        /// First node of the part.
        node: usize,
        /// Whether a route has friction, which the balance leaves out.
        has_friction: bool,
    },
    /// Pushes and friction of contacts change each other without end.
    #[error(
        "with friction no balance was found in {searches} searches: each changed pushes or places \
         of contacts again, so whether the body rests is not known"
    )]
    Slips {
        /// Number of searches.
        searches: usize,
    },
    /// Springs yield under the load, so the rest depends on the way to it.
    #[error("spring {spring} yields under this load, so the rest depends on the motion before it")]
    Yields {
        /// Index of the spring.
        spring: usize,
    },
    /// A spring would break under the load.
    #[error("spring {spring} breaks: at rest its strain is {strain:.4}, and it holds {limit:.4}")]
    Breaks {
        /// Index of the spring.
        spring: usize,
        /// Strain in the balance of forces.
        strain: f64,
        /// Maximum strain.
        limit: f64,
    },
    /// Drawn pieces of the body touch each other.
    #[error(
        "at rest the body touches itself near node {node}, and the search does not know contact \
         of drawn pieces of a body with each other"
    )]
    Contact {
        /// First node that touches.
        node: usize,
    },
    /// A collider moves without end, and the body touches it.
    #[error("collider {collider} moves without end and touches the body, so it never rests")]
    MovingCollider {
        /// Index of the collider.
        collider: usize,
    },
    /// A body would pass through itself on the way to its rest.
    #[error(
        "on its way to rest{}, the body would pass through itself, and the search does not know \
         contact of drawn pieces of a body with each other",
        near(time.as_ref())
    )]
    PassesItself {
        /// Time of the passage; `None` if nothing has moved until then.
        time: Option<f64>,
    },
    /// The forces are so small that their squares are rounded to 0.
    #[error("forces of {force:.1e} act, and the search needs at least {least:.0e}")]
    TooSmall {
        /// Sum of the forces on free nodes.
        force: f64,
        /// Smallest sum that the search knows.
        least: f64,
    },
    /// The linear systems are too large.
    #[error(
        "one linear system of {nodes} nodes, coupled as these are, takes {work:.0e} multiplications, \
         and the limit is {most:.0e}"
    )]
    TooLarge {
        /// Number of nodes.
        nodes: usize,
        /// Number of multiplications of a factorisation.
        work: f64,
        /// Maximum number of multiplications.
        most: f64,
    },
    /// The search took too long.
    #[error(
        "the search reached its limit of {most:.0e} multiplications after {iterations} steps with \
         {nodes} nodes; forces of {residual:.1e} of {of} are left"
    )]
    TooLong {
        /// Number of nodes.
        nodes: usize,
        /// Number of linear systems solved.
        iterations: usize,
        /// Residual of forces as a share of the weight.
        residual: f64,
        /// Maximum number of multiplications.
        most: f64,
        /// Name of the reference force.
        of: &'static str,
    },
    /// Rounding of positions hides the forces.
    #[error(
        "the body is so stiff that the digits of its positions cannot show its rest: forces of \
         {residual:.1e} of {of} are left"
    )]
    Rounded {
        /// Residual of forces as a share of the reference force.
        residual: f64,
        /// Name of the reference force.
        of: &'static str,
    },
    /// The search failed.
    #[error(
        "no balance was found in {iterations} steps of Newton's method: {}",
        unmet(of, *residual, *length, *gaps)
    )]
    NotFound {
        /// Number of linear systems solved.
        iterations: usize,
        /// Residual of forces as a share of the reference force.
        residual: f64,
        /// Errors of lengths and gaps as a share of the body's length.
        length: f64,
        /// Errors of gaps alone, as a share of the body's length.
        gaps: f64,
        /// Name of the reference force.
        of: &'static str,
        /// Likely reason.
        hint: Hint,
    },
}

/// Likely reason why a search failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// A rod has much twist in each segment.
    Twist,
    /// Contacts open and close without end.
    Contact,
    /// The method holds lengths.
    Lengths,
    /// The start of a chain is far from the shape in which it hangs.
    Chain,
    /// The balance has no definite stiffness.
    Singular,
    /// The start is far from a rest.
    Shape,
}

impl Hint {
    /// Returns advice.
    fn help(self) -> &'static str {
        match self {
            Self::Twist => {
                "use more nodes: the twist of a segment is near or above one radian, so the rod has \
                 too few segments for its turns; or lower the turns"
            }
            Self::Contact => {
                "let `render` wait for the rest, since contacts open and close in turn; or change \
                 the start so that the body touches what it rests on"
            }
            Self::Lengths => {
                "make the rope longer if its pins are as far apart as it is long: such held lengths \
                 have no rest; otherwise start near the rest, as with `shape: Hanging`, or let \
                 `render` wait for the rest"
            }
            Self::Chain => {
                "start near the rest with `shape: Hanging`, or `--set rope.shape=Hanging`; or lower \
                 the load, or let `render` wait for the rest"
            }
            Self::Singular => {
                "change the load or the start a little: at this balance a displacement costs no \
                 energy, so neither a stiffness nor a path has a direction"
            }
            Self::Shape => {
                "change the start towards the shape at rest, lower the load, follow it with \
                 `catena statics --load`, or let `render` wait for the rest"
            }
        }
    }
}

/// Forces, lengths and contacts that keep a guess from balance, in words.
fn unmet(of: &str, residual: f64, length: f64, gaps: f64) -> String {
    let contacts = gaps > EXACT_LENGTH && gaps >= 0.5 * length;
    let mut parts = Vec::new();
    if residual.is_nan() || residual > EXACT_FORCE {
        parts.push(format!("forces of {residual:.1e} of {of}"));
    }
    if contacts {
        parts.push(format!("contacts that overlap or pull by {gaps:.1e} of the body's length"));
    } else if length.is_nan() || length > EXACT_LENGTH {
        parts.push(format!("errors of lengths of {length:.1e} of the body"));
    }
    match (parts.is_empty(), residual <= EXACT_FORCE) {
        (true, _) => "its forces cancel, but its stiffness is not known".into(),
        (false, true) => format!("forces cancel, but {} are left", parts.join(" and ")),
        (false, false) => format!("{} are left", parts.join(" and ")),
    }
}

impl NoRest {
    /// A passage at a time of a run.
    pub(super) fn passes_itself(setup: &Setup, time: f64) -> Self {
        Self::PassesItself { time: (time > setup.start_time).then_some(time) }
    }

    /// Returns advice for a body that starts at rest, where no option of `catena statics` counts.
    pub fn help_at_start(&self) -> &'static str {
        match self {
            Self::Lies { .. } => {
                "pin a node: a start at rest has no friction, and `friction` of the collider acts \
                 only in the run after it; or draw the start where the body rests"
            }
            Self::TooLarge { .. } | Self::TooLong { .. } => {
                "use fewer nodes, or let `render` wait for the rest"
            }
            _ => self.help(),
        }
    }

    /// Returns advice: a change of the scene, or another command.
    pub fn help(&self) -> &'static str {
        match self {
            Self::MovingPin { .. } => {
                "end the curve of this pin with a last key, or leave it out of `anchors`"
            }
            Self::MovingClamp => {
                "end the curves `turn` and `tangent` of the clamps with a last key"
            }
            Self::ChangingForce { .. } => {
                "write a constant, such as gravity: (0, -9.81) or wind: (1, 0), or a curve with a \
                 last key"
            }
            Self::Events => "remove `events` for the rest of the start, or simulate with `render`",
            Self::PositionFactor => "remove `position_factor`, or simulate with `render`",
            Self::Solid { .. } => {
                "simulate with `render`, with some `drag`; or hang the mass from the rope as one of \
                 its `weights`"
            }
            Self::Hangs { .. } => "simulate with `render`, or pin a node of it",
            Self::Falls { .. } => "pin a node of it, or put a collider below it",
            Self::Runs { .. } => {
                "balance the weights and torques at both ends of the route, tie an end to a \
                 `Ring` or a pinned node, or simulate with `render`, which knows motion and friction"
            }
            Self::Slips { .. } => {
                "simulate with `render`, which knows friction; or use more nodes, or start nearer to \
                 the rest"
            }
            Self::Lies { .. } => {
                "pin a node; or add --friction where the friction of a collider holds the body; or \
                 simulate with `render`"
            }
            Self::Slides { .. } => {
                "pin a node, write a larger `friction` of the collider, or simulate with `render`"
            }
            Self::Yields { .. } | Self::Breaks { .. } => {
                "lower the load, or simulate with `render`, which follows the motion"
            }
            Self::Contact { .. } | Self::PassesItself { .. } => {
                "simulate with `render`; or write `contact: (of: Nodes)`, or `--set \
                 contact.of=Nodes`, if the body may pass through itself"
            }
            Self::TooSmall { .. } => {
                "write larger forces, masses or gravity, or measure in smaller units"
            }
            Self::MovingCollider { .. } => "end the curve of the collider with a last key",
            Self::TooLarge { .. } | Self::TooLong { .. } => {
                "with `catena statics`, `--minutes N` allows N times as much work and `--unlimited` \
                 any amount; or use fewer nodes, or let `render` wait for the rest"
            }
            Self::Rounded { .. } => {
                "lower the stiffness by factors of 1000: the body hardly bends or stretches, and \
                 forces and moments stay the same"
            }
            Self::NotFound { hint, .. } => hint.help(),
        }
    }
}

/// Words about friction that a balance leaves out.
fn without(has_friction: bool) -> &'static str {
    if has_friction { " without friction, which the balance leaves out" } else { "" }
}

/// Time of a passage in words.
fn near(time: Option<&f64>) -> String {
    time.map_or(String::new(), |time| format!(", near time {time:.4}"))
}

/// Change of a force of a setup in words.
fn changing(setup: &Setup, index: usize) -> String {
    let name = setup.forces[index].name();
    let is_listed = |force: &&Arc<dyn Force>| FORCE_NAMES.contains(&force.name());
    let listed = setup.forces[..index].iter().filter(is_listed).count();
    match name {
        "ChangingGravity" => "`gravity` changes".into(),
        "ChangingDrag" => "`wind` or `drag` changes".into(),
        "SoftPin" => "the target of a soft pin moves".into(),
        "SurfaceFriction" => "a collider with friction moves".into(),
        "LineDrag" | "FacetDrag" => format!("`forces[{listed}].flow` changes"),
        _ => format!("`forces[{listed}]`, a {name}, changes"),
    }
}

/// Number of times at which forces are compared, and their span in frames.
const SAMPLES: u64 = 256;
const SPAN: f64 = 3600.0;

/// Time from which everything that acts on a body is constant: the start, or the last motion of a
/// pin.
///
/// # Errors
/// Something changes without end, or acts outside the forces.
pub(super) fn still_after(setup: &Setup) -> Result<f64, NoRest> {
    constant(setup)?;
    let mut time = setup.start_time;
    for anchor in setup.anchors.iter().filter(|anchor| setup.model.pinned[anchor.node]) {
        match anchor.curve.extent() {
            Extent::Still => {}
            Extent::Bounded(_, until) => time = time.max(until),
            Extent::Endless(..) => return Err(NoRest::MovingPin { node: anchor.node }),
        }
    }
    match setup.lengths.extent() {
        Extent::Still => {}
        Extent::Bounded(_, until) => time = time.max(until),
        Extent::Endless(..) => {
            let what = "`rope.length` changes".into();
            return Err(NoRest::ChangingForce { what });
        }
    }
    for motion in setup.contacts.colliders.iter().filter_map(|collider| collider.motion()) {
        // A collider that moves without end may be far from the body, which the balance shows.
        if let Extent::Bounded(_, until) = motion.extent() {
            time = time.max(until);
        }
    }
    if let Some(rods) = setup.rods() {
        match rods.extent() {
            Extent::Still => {}
            Extent::Bounded(_, until) => time = time.max(until),
            Extent::Endless(..) => return Err(NoRest::MovingClamp),
        }
    }
    for force in &setup.forces {
        if let Extent::Bounded(_, until) = force.extent() {
            time = time.max(until);
        }
    }
    unchanging(setup, time)?;
    Ok(time)
}

/// Refuses what acts outside the forces.
///
/// # Errors
/// Events, a rigid body, or a factor of positions.
pub(super) fn constant(setup: &Setup) -> Result<(), NoRest> {
    if let Some(part) = setup.model.parts.iter().find(|it| matches!(it.form, Form::Solid(_))) {
        let name = match &part.name[..] {
            "" => "solid".into(),
            name => format!("part {name:?}"),
        };
        return Err(NoRest::Solid { name });
    }
    if !setup.events.is_empty() {
        return Err(NoRest::Events);
    }
    match setup.position_factor == 1.0 {
        true => Ok(()),
        false => Err(NoRest::PositionFactor),
    }
}

/// Refuses forces that change after a time.
///
/// # Errors
/// The first force that changes.
pub(super) fn unchanging(setup: &Setup, time: f64) -> Result<(), NoRest> {
    let changed = setup.forces.iter().position(|force| {
        let is_known = match force.extent() {
            Extent::Still => true,
            Extent::Bounded(_, until) => until <= time,
            Extent::Endless(..) => false,
        };
        force.rods().is_none() && !is_known && changes(setup, force.as_ref(), time)
    });
    match changed {
        None => Ok(()),
        Some(index) => Err(NoRest::ChangingForce { what: changing(setup, index) }),
    }
}

/// Whether a force on the body at rest differs between times. Drag that changes in still air does
/// not.
fn changes(setup: &Setup, force: &dyn Force, from: f64) -> bool {
    let memory = SpringMemory::default();
    let body = catena_sim::Body { model: &setup.model, springs: &memory };
    let at = |sample: u64| {
        let t = from + SPAN * setup.frame_time * sample as f64 / SAMPLES as f64;
        let state = State { t, ..State::at_rest(setup.initial.x.clone()) };
        let mut f = vec![0.0; state.x.len()];
        force.add_to(&body, &state, &mut f);
        f
    };
    let first = at(0);
    (1..=SAMPLES).any(|sample| at(sample) != first)
}

/// Refuses positions at which springs break or yield, drawn pieces of the body overlap, or a
/// collider that moves without end touches the body.
pub(super) fn allowed(setup: &Setup, x: &[f64], time: f64, size: f64) -> Result<(), NoRest> {
    let held = setup.model.held().iter().enumerate();
    for (index, spring) in held {
        let length = setup.model.span(x, spring).1;
        let strain = length / spring.rest_length - 1.0;
        if let Some(limit) = setup.breaks_at.as_ref().map(|limit| limit.of(index))
            && strain > limit
        {
            return Err(NoRest::Breaks { spring: index, strain, limit });
        }
        if setup
            .flow
            .as_ref()
            .is_some_and(|law| law.flow(spring, length, 0.0, f64::INFINITY) != 0.0)
        {
            return Err(NoRest::Yields { spring: index });
        }
    }
    if let Some(node) = Gaps::new(&setup.contacts, &setup.model, time).own_overlap(x) {
        return Err(NoRest::Contact { node });
    }
    match swept(setup, x, time, 1e-9 * size) {
        Some(collider) => Err(NoRest::MovingCollider { collider }),
        None => Ok(()),
    }
}

/// First collider that moves without end and touches the body at some time.
fn swept(setup: &Setup, x: &[f64], time: f64, slack: f64) -> Option<usize> {
    let colliders = setup.contacts.colliders.iter();
    let is_endless = |index: usize| {
        let motion = setup.contacts.colliders[index].motion();
        motion.is_some_and(|motion| motion.extent().is_endless())
    };
    let endless: Vec<usize> = (0..colliders.len()).filter(|&index| is_endless(index)).collect();
    if endless.is_empty() {
        return None;
    }
    for sample in 0..=SAMPLES {
        let t = time + SPAN * setup.frame_time * sample as f64 / SAMPLES as f64;
        let gaps = Gaps::new(&setup.contacts, &setup.model, t).near(x, slack, &[]);
        let touched = gaps.iter().filter_map(|gap| gap.collider);
        if let Some(collider) = touched.into_iter().find(|index| endless.contains(index)) {
            return Some(collider);
        }
    }
    None
}
