//! Gravity and drag on chains in lanes, summed in each step.

use super::LaneRow;
use crate::force::Term;
use crate::force::formula::{drag, weight};
use crate::lane::{Vector, WideSimd};

/// All forces except springs, in order; empty if accelerations are constant.
#[derive(Default)]
pub(super) struct LaneForces {
    all: Vec<LaneForce>,
    /// Masses by place.
    mass: Vec<LaneRow>,
}

/// A force of the same kind in all lanes.
#[derive(Clone)]
struct LaneForce {
    /// g of gravity or w of drag, one row per axis.
    vector: [LaneRow; 3],
    /// c of drag; `None` for gravity.
    coefficient: Option<LaneRow>,
}

impl LaneForces {
    /// Clears the forces, for `nodes` nodes.
    pub(super) fn begin(&mut self, nodes: usize) {
        self.mass.resize(nodes, LaneRow::default());
        self.all.clear();
    }

    /// Whether there are no forces.
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Sets the mass of the node at a place.
    pub(super) fn put_mass(&mut self, lane: usize, place: usize, mass: f64) {
        self.mass[place].put(lane, mass);
    }

    /// Sets the forces on the chain of a lane.
    pub(super) fn put(&mut self, lane: usize, terms: &[Term<'_>]) {
        if lane == 0 {
            let new = |term: &Term<'_>| LaneForce {
                vector: [LaneRow::default(); 3],
                coefficient: matches!(term, Term::Drag { .. }).then(LaneRow::default),
            };
            self.all.extend(terms.iter().map(new));
        }
        for (force, term) in self.all.iter_mut().zip(terms) {
            let (vector, resistance) = match *term {
                Term::Gravity { acceleration } => (acceleration, 0.0),
                Term::Drag { coefficient, wind } => (wind, coefficient),
                Term::Hooke(_) => continue,
            };
            force.vector.iter_mut().zip(vector).for_each(|(row, number)| row.put(lane, *number));
            force.coefficient.iter_mut().for_each(|row| row.put(lane, resistance));
        }
    }

    /// Returns the acceleration of the node at a place along an axis, at its velocity.
    #[inline(always)]
    pub(super) fn acceleration<S: WideSimd>(
        &self,
        simd: S,
        place: usize,
        axis: usize,
        at: usize,
        velocity: Vector<S>,
    ) -> Vector<S> {
        let mass = self.mass[place].get(simd, at);
        let mut sum = Vector::splat(simd, 0.0);
        for force in &self.all {
            let number = force.vector[axis].get(simd, at);
            sum = match &force.coefficient {
                None => weight(sum, mass, number),
                Some(c) => drag(sum, c.get(simd, at), velocity, number),
            };
        }
        sum / mass
    }
}
