//! Transverse waves along rods under tension, which limit the step of SHAKE. A rod of length l
//! under tension T pulls a displaced node back like a string, with the stiffness T/l.

use catena_sim::force::{Account, AtRest, ForceEnergy};
use catena_sim::{
    Blocks, Body, Force, Model, Setup, SpringMemory, State, System,
    drive::Anchors,
    force::jacobian::directional,
    linear::spectrum::{Spectrum, largest_frequency_within},
};
use std::sync::Arc;

/// Tension of springs with enforced lengths, independent of their length.
#[derive(Debug)]
struct Pull {
    tensions: Vec<f64>,
}

impl Force for Pull {
    fn add_to(&self, _body: &Body<'_>, _state: &State, _f: &mut [f64]) {}

    fn add_jacobian(&self, body: &Body<'_>, state: &State, blocks: &mut Blocks<'_>) {
        let model = body.model;
        for (spring, tension) in model.held().iter().zip(&self.tensions) {
            let (d, length) = model.span(&state.x, spring);
            if length > 0.0 {
                let u = d.map(|component| component / length);
                let by_x = directional(model.axes, &u, 0.0, tension / length);
                blocks.add_pair(spring.a, spring.b, by_x, [[0.0; 3]; 3]);
            }
        }
    }

    fn load(&self, _model: &Model) -> f64 {
        0.0
    }

    fn at_rest(&self) -> AtRest<'_> {
        AtRest::Other
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Booked(Account::External)
    }
}

/// Highest mode of a body whose enforced springs have the given tensions; ω² has the relative
/// tolerance `exact`.
pub(super) fn mode(
    setup: &Setup,
    (state, springs): (&State, &SpringMemory),
    tensions: &[f64],
    exact: f64,
) -> Spectrum {
    let is_external = |force: &&Arc<dyn Force>| !force.is_elastic();
    let mut forces: Vec<Arc<dyn Force>> =
        setup.forces.iter().filter(is_external).cloned().collect();
    forces.push(Arc::new(Pull { tensions: tensions.to_vec() }));
    let anchors = Anchors::new(&setup.model, &setup.initial, &setup.anchors);
    largest_frequency_within(&System::new(&setup.model, springs, &forces, &anchors), state, exact)
}

/// Upper bound on ω of these waves: ω² ≤ max 2 Σ T/(m l), where the sum is over the springs of a
/// node (Gershgorin).
pub(super) fn bound(model: &Model, tensions: &[f64]) -> f64 {
    let mut sums = vec![0.0; model.nodes()];
    for (spring, tension) in model.held().iter().zip(tensions) {
        let share = tension.max(0.0) / spring.rest_length;
        sums[spring.a] += share;
        sums[spring.b] += share;
    }
    let free = (0..model.nodes()).filter(|&i| !model.pinned[i]);
    free.map(|i| 2.0 * sums[i] / model.mass[i]).fold(0.0, f64::max).sqrt()
}
