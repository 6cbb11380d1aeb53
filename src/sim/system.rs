//! What a method may ask about the body that it moves.

use super::{Force, Model, State};

/// A model together with the forces that act on it.
#[derive(Clone, Copy)]
pub struct System<'a> {
    /// Masses, springs and pins.
    pub model: &'a Model,
    forces: &'a [Box<dyn Force>],
}

impl<'a> System<'a> {
    /// Forces are summed in the order given here.
    pub fn new(model: &'a Model, forces: &'a [Box<dyn Force>]) -> Self {
        Self { model, forces }
    }

    /// Acceleration of each node under all forces, into `a` (flat by axis). Pinned nodes get 0.
    pub fn accelerations(&self, state: &State, a: &mut [f64]) {
        self.accelerations_where(state, a, |_| true);
    }

    /// The same without elastic forces, for methods that hold lengths instead of integrating springs.
    pub fn external_accelerations(&self, state: &State, a: &mut [f64]) {
        self.accelerations_where(state, a, |force| !force.is_elastic());
    }

    fn accelerations_where(&self, state: &State, a: &mut [f64], acts: impl Fn(&dyn Force) -> bool) {
        a.fill(0.0);
        for force in self.forces.iter().filter(|force| acts(force.as_ref())) {
            force.add_to(self.model, state, a);
        }
        for axis in a.chunks_exact_mut(self.model.nodes()) {
            for (i, value) in axis.iter_mut().enumerate() {
                *value = if self.model.pinned[i] { 0.0 } else { *value / self.model.mass[i] };
            }
        }
    }
}
