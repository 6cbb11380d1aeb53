//! Rest state at which a body starts.

use super::{Equilibrium, NoRest, Start, equilibrium_of, refusal};
use catena_sim::{Arrangement, Model, Setup, State, drive::Anchors};
use std::borrow::Cow;

/// Maximum number of nodes of a rope, and of any other body, whose rest state takes at most about a
/// second.
const QUICK: [usize; 2] = [10_000, 1000];

/// Maximum number of nodes of a body with the arrangement of this model whose rest state takes at
/// most about a second.
pub fn max_quick_nodes(model: &Model) -> usize {
    let [rope, other] = QUICK;
    if model.arrangement == Arrangement::Chain { rope } else { other }
}

/// Returns the setup with the stiffness that the method uses, with rods whose twist is in
/// equilibrium, and with routes without friction.
pub(super) fn as_balanced(setup: &Setup) -> Setup {
    let mut taken = setup.with_method_stiffness();
    for force in &mut taken.forces {
        if let Ok(Some(balanced)) = force.balanced(&taken.model, &taken.initial) {
            *force = balanced;
        }
    }
    taken
}

/// Returns the setup with the final lengths of its ropes, and the time from which they are
/// constant.
///
/// # Errors
/// Something never stops changing.
pub(super) fn paid_out(setup: &Setup) -> Result<(Cow<'_, Setup>, f64), NoRest> {
    if setup.lengths.is_empty() {
        return Ok((Cow::Borrowed(setup), setup.start_time));
    }
    let time = refusal::still_after(setup)?;
    Ok((Cow::Owned(setup.clone().with_lengths_at(time)), time))
}

/// Finds the rest state of a body with its pins at their initial positions. Later motion of pins
/// and later events are ignored.
///
/// ```
/// use catena_analysis::statics::rest_at_start;
/// use catena_sim::{Rope, Setup, Simulation, State, method::SemiImplicitEuler};
///
/// let rope = Rope::new([0.0, 0.0], [1.0, 0.0], 12).of(0.1, 500.0).pin(0);
/// let setup = Setup::new(&rope)
///     .gravity([0.0, -9.81])
///     .method(SemiImplicitEuler {})
///     .frames(1.0 / 60.0, 64)
///     .check()?;
/// let rest = rest_at_start(&setup).map_err(|error| error.to_string()).expect("the rope hangs");
/// let start = State::at_rest(rest.x);
/// let mut run = Simulation::new((*setup).clone().starting_at(start.clone())?);
/// (0..100).for_each(|_| run.advance_frame());
/// let moved = run.state().x.iter().zip(&start.x).map(|(now, start)| (now - start).abs());
/// assert!(moved.fold(0.0, f64::max) < 1e-12);
/// # Ok::<(), catena_sim::BadSetup>(())
/// ```
///
/// # Errors
/// Returns the reason why there is no rest state, or why it was not found. A body under a force
/// that changes with time has no rest state.
pub fn rest_at_start(setup: &Setup) -> Result<Equilibrium, NoRest> {
    if setup.joints() > 0 {
        // Joints of events are springs of the model that do not exist yet.
        return Err(NoRest::Events);
    }
    let warm_up = setup.warm_up as f64 * setup.frame_time;
    let time = setup.start_time - warm_up;
    let mut initial = State { t: time, ..setup.initial.clone() };
    Anchors::new(&setup.model, &setup.initial, &setup.anchors).apply(&mut initial);
    let held = Setup {
        initial,
        anchors: Vec::new(),
        events: Vec::new(),
        start_time: time,
        warm_up: 0,
        ..setup.clone()
    };
    let held = held.with_lengths_at(time);
    refusal::constant(&held)?;
    refusal::unchanging(&held, time)?;
    let held = as_balanced(&held);
    equilibrium_of(&held, &Start::at(&held, time, 1.0))
}
