//! Reasons why a body has no rest state, or why it was not found.

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
    /// A pin never stops moving.
    #[error("pin {node} never stops moving, so the body never comes to rest")]
    MovingPin {
        /// The pinned node.
        node: usize,
    },
    /// A clamp of a rod never stops moving or turning.
    #[error("a clamp of a rod never stops moving or turning, so the body never comes to rest")]
    MovingClamp,
    /// A force changes with time.
    #[error("{what} with time, so the body never comes to rest")]
    ChangingForce {
        /// Verb phrase that names the field and its change, for the message.
        what: String,
    },
    /// Events change the body during the run.
    #[error("the scene has events, which change the body during the run")]
    Events,
    /// A position factor moves nodes in each step.
    #[error(
        "`position_factor` moves every node towards the origin in each step, which is not a force"
    )]
    PositionFactor,
    /// A part of the body is a rigid body.
    #[error("the {name} is a rigid body, but the search supports only nodes and springs")]
    Solid {
        /// Name of the part for the message.
        name: String,
    },
    /// A part of the body is held by nothing.
    #[error("nothing holds node {node} and the nodes connected to it, so they fall forever")]
    Falls {
        /// First node of the part.
        node: usize,
    },
    /// A part of the body can only be held by contact of drawn pieces with each other.
    #[error(
        "only contact of the body with itself can hold node {node} and the nodes connected to it, \
         but the search does not support such contact"
    )]
    Hangs {
        /// First node of the part.
        node: usize,
    },
    /// A part of the body can only be held by contact, and no equilibrium without friction was
    /// found.
    #[error(
        "only contact can hold node {node} and the nodes connected to it, but no equilibrium \
         without friction was found: the body keeps sliding, rolling or falling"
    )]
    Lies {
        /// First node of the part.
        node: usize,
    },
    /// A part of the body can only be held by contact, and the friction is too small.
    #[error(
        "only contact can hold node {node} and the nodes connected to it, but its friction is too \
         small: the body slides, rolls or falls by more than its size"
    )]
    Slides {
        /// First node of the part.
        node: usize,
    },
    /// A part of the body can only be held by the rope of a route, and no equilibrium was found.
    #[error(
        "only a route can hold node {node} and the nodes connected to it, but no equilibrium was \
         found: the rope keeps running through its guides{}",
        without(*has_friction)
    )]
    Runs {
        /// First node of the part.
        node: usize,
        /// Whether a route has friction, which the equilibrium omits.
        has_friction: bool,
    },
    /// Pushes and friction of contacts do not converge.
    #[error(
        "no equilibrium with friction was found in {searches} searches, since each changed the \
         forces or positions of contacts; whether the body comes to rest is unknown"
    )]
    Slips {
        /// Number of searches.
        searches: usize,
    },
    /// Springs yield under the load, so the rest state depends on the motion before it.
    #[error(
        "spring {spring} yields under this load, so the shape at rest depends on the motion before \
         it"
    )]
    Yields {
        /// Index of the spring.
        spring: usize,
    },
    /// A spring would break under the load.
    #[error(
        "spring {spring} breaks: its strain at rest would be {strain:.4}, but its limit is \
         {limit:.4}"
    )]
    Breaks {
        /// Index of the spring.
        spring: usize,
        /// Strain in the balance of forces.
        strain: f64,
        /// Maximum strain.
        limit: f64,
    },
    /// Drawn pieces of the body touch each other at rest.
    #[error(
        "at rest the body touches itself near node {node}, but the search does not support contact \
         of a body with itself"
    )]
    Contact {
        /// First node that touches.
        node: usize,
    },
    /// A collider that touches the body never stops moving.
    #[error(
        "collider {collider} touches the body and never stops moving, so the body never comes to \
         rest"
    )]
    MovingCollider {
        /// Index of the collider.
        collider: usize,
    },
    /// A body would pass through itself before it comes to rest.
    #[error(
        "before it comes to rest{}, the body would pass through itself, but the search does not \
         support contact of a body with itself",
        near(time.as_ref())
    )]
    PassesItself {
        /// Time of the passage; `None` if no pin has moved before it.
        time: Option<f64>,
    },
    /// The forces are so small that their squares underflow to 0.
    #[error("the sum of all forces is {force:.1e}, but the search needs at least {minimum:.0e}")]
    TooSmall {
        /// Sum of the forces on free nodes.
        force: f64,
        /// Minimum sum that the search can handle.
        minimum: f64,
    },
    /// The linear systems are too large.
    #[error(
        "one linear system of this body, with {nodes} nodes, takes {work:.0e} multiplications, but \
         the limit is {maximum:.0e}"
    )]
    TooLarge {
        /// Number of nodes.
        nodes: usize,
        /// Number of multiplications of a factorisation.
        work: f64,
        /// Maximum number of multiplications.
        maximum: f64,
    },
    /// The search took too long.
    #[error(
        "the search reached its limit of {maximum:.0e} multiplications after {iterations} steps with \
         {nodes} nodes; the residual forces are {residual:.1e} of {of}"
    )]
    TooLong {
        /// Number of nodes.
        nodes: usize,
        /// Number of linear systems solved.
        iterations: usize,
        /// Residual of forces as a share of the weight.
        residual: f64,
        /// Maximum number of multiplications.
        maximum: f64,
        /// Name of the reference force.
        of: &'static str,
    },
    /// Rounding of positions hides the forces.
    #[error(
        "the body is so stiff that rounding of its positions hides its rest state: the residual \
         forces are {residual:.1e} of {of}"
    )]
    Rounded {
        /// Residual of forces as a share of the reference force.
        residual: f64,
        /// Name of the reference force.
        of: &'static str,
    },
    /// The search failed.
    #[error(
        "no equilibrium was found in {iterations} steps of Newton's method: {}",
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
        /// Most probable reason.
        hint: Hint,
    },
}

/// Most probable reason why a search failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// A rod has much twist in each segment.
    Twist,
    /// Contacts keep opening and closing.
    Contact,
    /// The method holds lengths.
    Lengths,
    /// The start of a chain is far from the shape in which it hangs.
    Chain,
    /// The stiffness matrix at the equilibrium is singular.
    Singular,
    /// The start is far from a rest state.
    Shape,
}

impl Hint {
    /// Returns advice for the user.
    fn help(self) -> &'static str {
        match self {
            Self::Twist => {
                "use more nodes: the twist of a segment is near or above one radian, so the rod \
                 has too few segments for its turns; or lower the number of turns"
            }
            Self::Contact => {
                "use `catena render`, which waits for rest, because contacts keep opening and \
                 closing in the search; or change the start so that the body touches the colliders \
                 that support it"
            }
            Self::Lengths => {
                "if the distance of its pins equals its length, make the rope longer: with fixed \
                 lengths it has no equilibrium; otherwise start near the shape at rest, as with \
                 `shape: Hanging`, or use `catena render`, which waits for rest"
            }
            Self::Chain => {
                "start near the shape at rest with `shape: Hanging`, or `--set \
                 rope.shape=Hanging`; or lower the load, or use `catena render`, which waits for \
                 rest"
            }
            Self::Singular => {
                "change the load or the start slightly: at this equilibrium a displacement costs \
                 no energy, so its stiffness and the direction of a path are undefined"
            }
            Self::Shape => {
                "change the start towards the shape at rest, lower the load, increase the load in \
                 steps with `catena statics --load`, or use `catena render`, which waits for rest"
            }
        }
    }
}

/// Residuals of forces, lengths and contacts of a guess, in words.
fn unmet(of: &str, residual: f64, length: f64, gaps: f64) -> String {
    let contacts = gaps > EXACT_LENGTH && gaps >= 0.5 * length;
    let mut parts = Vec::new();
    if residual.is_nan() || residual > EXACT_FORCE {
        parts.push(format!("forces of {residual:.1e} of {of}"));
    }
    if contacts {
        parts.push(format!("overlaps or gaps at contacts of {gaps:.1e} of the body's length"));
    } else if length.is_nan() || length > EXACT_LENGTH {
        parts.push(format!("length errors of {length:.1e} of the body's length"));
    }
    match (parts.is_empty(), residual <= EXACT_FORCE) {
        (true, _) => "the forces cancel, but the stiffness is undefined".into(),
        (false, true) => format!("the forces cancel, but {} remain", parts.join(" and ")),
        (false, false) => format!("{} remain", parts.join(" and ")),
    }
}

impl NoRest {
    /// Reason for a body that passes through itself at a time of its run.
    pub(super) fn passes_itself(setup: &Setup, time: f64) -> Self {
        Self::PassesItself { time: (time > setup.start_time).then_some(time) }
    }

    /// Returns advice for a body that starts at rest, for which options of `catena statics` do not
    /// apply.
    pub fn help_at_start(&self) -> &'static str {
        match self {
            Self::Lies { .. } => {
                "pin a node: a start at rest is computed without friction, and `friction` of the \
                 collider acts only in the run after it; or write a start shape in which the body \
                 rests"
            }
            Self::TooLarge { .. } | Self::TooLong { .. } => {
                "use fewer nodes, or `catena render`, which waits for rest"
            }
            _ => self.help(),
        }
    }

    /// Returns advice: a change of the scene, or another command.
    pub fn help(&self) -> &'static str {
        match self {
            Self::MovingPin { .. } => {
                "let the curve of this pin end with a last key, or remove the pin from `anchors`"
            }
            Self::MovingClamp => {
                "let the curves `turn` and `tangent` of the clamps end with a last key"
            }
            Self::ChangingForce { .. } => {
                "write a constant, such as gravity: (0, -9.81) or wind: (1, 0), or a curve with a \
                 last key"
            }
            Self::Events => {
                "remove `events` to find the shape at rest of the start, or simulate with `render`"
            }
            Self::PositionFactor => "remove `position_factor`, or simulate with `render`",
            Self::Solid { .. } => {
                "simulate with `render`, with some `drag`; or replace the rigid body by one of the \
                 `weights` of the rope"
            }
            Self::Hangs { .. } => "simulate with `render`, or pin one of these nodes",
            Self::Falls { .. } => "pin one of these nodes, or put a collider below them",
            Self::Runs { .. } => {
                "balance the weights and torques at both ends of the route, tie an end to a \
                 `Ring` or a pinned node, or simulate with `render`, which includes friction"
            }
            Self::Slips { .. } => {
                "simulate with `render`, which includes friction; or use more nodes, or start \
                 closer to the rest state"
            }
            Self::Lies { .. } => {
                "pin a node; or add --friction if the friction of a collider holds the body; or \
                 simulate with `render`"
            }
            Self::Slides { .. } => {
                "pin a node, increase the `friction` of the collider, or simulate with `render`"
            }
            Self::Yields { .. } | Self::Breaks { .. } => {
                "lower the load, or simulate with `render`, which follows the motion"
            }
            Self::Contact { .. } | Self::PassesItself { .. } => {
                "simulate with `render`; or write `contact: (of: Nodes)`, or `--set \
                 contact.of=Nodes`, if the body may pass through itself"
            }
            Self::TooSmall { .. } => {
                "use larger forces, masses or gravity, or choose other units, in which these \
                 numbers are larger"
            }
            Self::MovingCollider { .. } => "let the curve of the collider end with a last key",
            Self::TooLarge { .. } | Self::TooLong { .. } => {
                "`catena statics --minutes N` allows N times as much work, and `--unlimited` any \
                 amount; or use fewer nodes, or `catena render`, which waits for rest"
            }
            Self::Rounded { .. } => {
                "lower the stiffness by factors of 1000: the body hardly bends or stretches, and \
                 forces and moments stay the same"
            }
            Self::NotFound { hint, .. } => hint.help(),
        }
    }
}

/// Remark about friction that the equilibrium omits.
fn without(has_friction: bool) -> &'static str {
    if has_friction { " if friction is ignored, as it is in this search" } else { "" }
}

/// Remark about the time of a passage.
fn near(time: Option<&f64>) -> String {
    time.map_or(String::new(), |time| format!(", near time {time:.4}"))
}

/// Verb phrase for the change of a force of a setup.
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
        _ => format!("`forces[{listed}]` ({name}) changes"),
    }
}

/// Number of equal intervals of [`SPAN`]. At the end of each, forces are compared with the forces
/// at the start, and colliders that never stop moving are checked for contact.
const SAMPLES: u64 = 256;
/// Time in frames over which forces are compared, and colliders that never stop moving are checked.
const SPAN: f64 = 3600.0;

/// Time from which everything that acts on a body is constant: the start, or the end of the last
/// motion or change.
///
/// # Errors
/// Something never stops changing, or something other than forces acts on the body.
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
        // A collider that never stops may be far from the body. Only the equilibrium shows whether
        // it touches.
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

/// Refuses setups in which something other than forces acts on the body.
///
/// # Errors
/// The setup has events, a rigid body, or a position factor.
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
/// Returns the first force that changes.
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

/// Whether a force on the body at rest changes after `from`. Drag that changes in still air does
/// not count.
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

/// Refuses positions at which springs break or yield, drawn pieces of the body overlap, or the body
/// touches a collider that never stops moving.
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

/// First collider that never stops moving and that touches the body at some time.
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
