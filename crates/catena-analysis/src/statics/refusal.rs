//! Reasons why a body has no rest, or why it was not found.

use catena_sim::{Setup, SpringMemory, State, drive::track::Extent};
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
    /// A force changes with time.
    #[error("the force {force} changes with time, so the body never rests")]
    ChangingForce {
        /// Name of the force.
        force: String,
    },
    /// Events change the body during the run.
    #[error("events change the body during the run; remove `events` to find the rest of the start")]
    Events,
    /// A factor moves nodes in every step.
    #[error(
        "position_factor moves every node towards the origin in each step, which no force shows"
    )]
    PositionFactor,
    /// Nothing holds a part of the body.
    #[error("nothing holds node {node} and what hangs from it, so it falls without end")]
    Falls {
        /// First node of the part.
        node: usize,
    },
    /// Only contact can hold a part of the body.
    #[error("only a collider can hold node {node}, and the search does not know contact")]
    Lies {
        /// First node of the part.
        node: usize,
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
    /// The balance without contact touches something.
    #[error("at rest node {node} touches {what}, and the search does not know contact")]
    Contact {
        /// First node that touches.
        node: usize,
        /// The other thing.
        what: &'static str,
    },
    /// Contact of what is drawn is on.
    #[error(
        "contact of drawn surfaces (contact.drawn) is on, and the search does not know contact"
    )]
    DrawnContact,
    /// The body has rods.
    #[error("the body has rods, and the search does not know bending and twist")]
    Rods,
    /// The linear systems are too large.
    #[error("a body of {nodes} nodes, coupled as these are, is too large for a direct solution")]
    TooLarge {
        /// Number of nodes.
        nodes: usize,
    },
    /// The search failed.
    #[error(
        "Newton's method failed after {iterations} steps, with forces of {residual:.1e} of the weight left"
    )]
    NotFound {
        /// Number of linear systems solved.
        iterations: usize,
        /// Residual of forces as a share of the weight.
        residual: f64,
    },
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
    if !setup.events.is_empty() {
        return Err(NoRest::Events);
    }
    if setup.position_factor != 1.0 {
        return Err(NoRest::PositionFactor);
    }
    if setup.rods().is_some() {
        return Err(NoRest::Rods);
    }
    if setup.contacts.drawn.is_some() {
        return Err(NoRest::DrawnContact);
    }
    let mut time = setup.start_time;
    for anchor in setup.anchors.iter().filter(|anchor| setup.model.pinned[anchor.node]) {
        match anchor.curve.extent() {
            Extent::Still => {}
            Extent::Bounded(_, until) => time = time.max(until),
            Extent::Endless(..) => return Err(NoRest::MovingPin { node: anchor.node }),
        }
    }
    let changing = setup.forces.iter().filter(|force| force.changes_with_time());
    for force in changing {
        if changes(setup, force.as_ref(), time) {
            return Err(NoRest::ChangingForce { force: force.name().into() });
        }
    }
    Ok(time)
}

/// Whether a force on the body at rest differs between times. Drag that changes in still air does
/// not.
fn changes(setup: &Setup, force: &dyn catena_sim::Force, from: f64) -> bool {
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

/// Refuses positions at which springs break or yield, or nodes touch something.
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
        if setup.flow.as_ref().is_some_and(|law| law.flow(spring, length, 0.0) != 0.0) {
            return Err(NoRest::Yields { spring: index });
        }
    }
    let slack = 1e-9 * size;
    let state = State::at_rest(x.to_vec());
    let n = setup.model.nodes();
    for node in (0..n).filter(|&node| !setup.model.pinned[node]) {
        let at = state.position(n, node);
        let gap = |collider: &std::sync::Arc<dyn catena_sim::Collider>| {
            collider.distance_at(time, at).0 - setup.contacts.radius
        };
        if setup.contacts.colliders.iter().any(|collider| gap(collider) < -slack) {
            return Err(NoRest::Contact { node, what: "a collider" });
        }
    }
    match setup.contacts.own {
        Some(own) => apart(setup, &state, own.thickness - slack),
        None => Ok(()),
    }
}

/// Refuses positions at which two nodes that no spring joins are closer than a distance.
fn apart(setup: &Setup, state: &State, least: f64) -> Result<(), NoRest> {
    let n = setup.model.nodes();
    let mut joined: Vec<(usize, usize)> = setup
        .model
        .springs
        .iter()
        .map(|spring| (spring.a.min(spring.b), spring.a.max(spring.b)))
        .collect();
    joined.sort_unstable();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| state.x[a].total_cmp(&state.x[b]));
    for (place, &a) in order.iter().enumerate() {
        for &b in &order[place + 1..] {
            if state.x[b] - state.x[a] >= least {
                break;
            }
            let [p, q] = [a, b].map(|node| state.position(n, node));
            let square: f64 = p.iter().zip(&q).map(|(p, q)| (p - q) * (p - q)).sum();
            let pair = (a.min(b), a.max(b));
            if square.sqrt() < least && joined.binary_search(&pair).is_err() {
                return Err(NoRest::Contact { node: pair.0, what: "the body itself" });
            }
        }
    }
    Ok(())
}
