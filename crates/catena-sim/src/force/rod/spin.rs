//! Spin of sections with a rotational inertia about the rod: torsional waves.
//!
//! The memory has a normal and an angular velocity ω per edge. Within a step the normals do not
//! spin: each is carried with the direction of its edge. At the end of the step, the implicit
//! midpoint rule updates angles and velocities with a tridiagonal matrix, for torques at the new
//! positions. Every method can therefore run it, and torsional waves do not limit the step. Energy
//! does not drift if the method is symplectic, because both halves of the Lie splitting then are.

use super::clamp::{Frame, carried};
use super::framed::{self, Framed};
use super::strand::Strand;
use super::twist::{self, near};
use crate::body::vector::Vec3;
use crate::body::{Body, State};
use crate::force::Shared;

/// Number of values in the memory per edge: direction, normal and angular velocity.
const PER_EDGE: usize = 7;

/// Sections of a rod that may spin, one per segment.
#[derive(Clone, Debug, PartialEq)]
pub struct Torsion {
    /// Tridiagonal matrix of the second derivatives of the energy with respect to the section
    /// angles.
    pub stiffness: Shared,
    /// Rotational inertia of each section.
    pub inertia: Vec<f64>,
}

/// Section on an edge at the end of the last step.
struct Spun {
    tangent: Vec3,
    normal: Vec3,
}

impl Spun {
    /// Angle of the section relative to a frame on its edge, with the whole turns nearest to
    /// `before`.
    fn angle_from(&self, frame: &Frame, before: f64) -> f64 {
        let normal = carried(self.normal, self.tangent, frame.tangent);
        near(frame.angle_to(normal), before)
    }
}

/// Maximum change of an angle in a step, in radians, for which torques count as linear.
const LINEAR: f64 = 0.05;

/// Maximum number of steps of Newton's method for larger changes.
const MAX_STEPS: usize = 20;

/// Maximum change of an angle in the last step after convergence, in radians.
const EXACT: f64 = 1e-12;

/// Turns the sections by the implicit midpoint rule, 4I/dt² c = 2 τ(θ + c/2) + 4I/dt ω, and returns
/// the changes c of the angles. `stiff` has 4I/dt² of each section, and `pushes` 4I/dt ω.
///
/// Each step of Newton's method is a descent direction, also where the energy is concave. For small
/// changes one step with the linear torque suffices.
fn midpoint(framed: &mut Framed<'_>, stiff: &[f64], pushes: &[f64]) -> Vec<f64> {
    let (unknowns, start) = (framed.unknowns(), framed.angles().to_vec());
    let mut change = vec![0.0; stiff.len()];
    for _ in 0..MAX_STEPS {
        let (mut matrix, mut right) = framed.by_angles(&unknowns);
        for (k, stiff) in stiff.iter().enumerate() {
            matrix.diagonal[k] += stiff;
            right[k] = 2.0 * right[k] + pushes[k] - stiff * change[k];
        }
        let step = framed::downwards(&matrix, &right);
        change.iter_mut().zip(&step).for_each(|(change, step)| *change += step);
        let size = |all: &[f64]| all.iter().fold(0.0, |maximum: f64, one| maximum.max(one.abs()));
        if !(size(&step) > EXACT && size(&change) > LINEAR) {
            break;
        }
        framed.turn_from(&start, &unknowns, &change, 0.5);
    }
    framed.turn_from(&start, &unknowns, &change, 1.0);
    change
}

impl Strand {
    /// Number of values in the memory for the spin: the time of the last step, and the values of
    /// the edges.
    pub(super) fn spin_numbers(&self) -> usize {
        match self.rod.inertia > 0.0 {
            true => 1 + PER_EDGE * self.rod.springs.len(),
            false => 0,
        }
    }

    /// Time of the last step, and the values of edges; `None` if there is no inertia or no memory.
    fn spin_of<'a>(&self, memory: &'a [f64]) -> Option<(f64, &'a [f64])> {
        let is_known = self.rod.inertia > 0.0
            && memory.len() == self.framed_numbers()
            && memory[..3] != [0.0; 3];
        let (time, edges) = memory.get(self.angle_numbers()..)?.split_first()?;
        is_known.then_some((*time, edges))
    }

    /// Angle of the section on an edge relative to a frame on the edge; `before`, the angle in the
    /// memory, without inertia.
    pub(super) fn angle_on(&self, memory: &[f64], edge: usize, frame: &Frame, before: f64) -> f64 {
        self.spun(memory, edge).map_or(before, |spun| spun.angle_from(frame, before))
    }

    /// Returns the section on an edge; `None` if there is no inertia or no memory.
    fn spun(&self, memory: &[f64], edge: usize) -> Option<Spun> {
        let (_, edges) = self.spin_of(memory)?;
        let own = edges.get(PER_EDGE * edge..)?;
        let &[ux, uy, uz, mx, my, mz, ..] = own else { return None };
        Some(Spun { tangent: [ux, uy, uz], normal: [mx, my, mz] })
    }

    /// Rotational inertia of the section on each edge.
    fn inertias(&self, body: &Body<'_>) -> Vec<f64> {
        let length = |spring: &usize| body.model.springs[*spring].rest_length;
        self.rod.springs.iter().map(|spring| self.rod.inertia * length(spring)).collect()
    }

    /// Returns the second derivatives of the energy with respect to the section angles in
    /// equilibrium, and the rotational inertias of the sections. `None` if there is no inertia.
    pub(super) fn torsion(&self, body: &Body<'_>, state: &State) -> Option<Torsion> {
        if self.spin_numbers() == 0 || !self.is_framed {
            return None;
        }
        let framed = self.framed(body, state, &[]);
        let (stiffness, _) = framed.by_angles(&framed.unknowns());
        Some(Torsion { stiffness, inertia: self.inertias(body) })
    }

    /// Kinetic energy of the spin of sections.
    pub(super) fn energy_of_spin(&self, body: &Body<'_>, memory: &[f64]) -> f64 {
        let Some((_, edges)) = self.spin_of(memory) else { return 0.0 };
        let spins = edges.iter().skip(PER_EDGE - 1).step_by(PER_EDGE);
        spins.zip(self.inertias(body)).map(|(spin, inertia)| 0.5 * inertia * spin * spin).sum()
    }

    /// Maximum speed of spinning sections: |ω| √(I/m), the speed at which the mass of a section
    /// would have the energy of its spin. 0 if there is no inertia.
    pub(super) fn speed_of_spin(&self, body: &Body<'_>, memory: &[f64]) -> f64 {
        let Some((_, edges)) = self.spin_of(memory) else { return 0.0 };
        let mass = |spring: &usize| {
            let spring = &body.model.springs[*spring];
            0.5 * (body.model.mass[spring.a] + body.model.mass[spring.b])
        };
        let spins = edges.iter().skip(PER_EDGE - 1).step_by(PER_EDGE);
        let masses = self.rod.springs.iter().map(mass);
        let speeds = spins.zip(self.inertias(body)).zip(masses);
        let speeds = speeds.map(|((spin, inertia), mass)| spin.abs() * (inertia / mass).sqrt());
        speeds.fold(0.0, f64::max)
    }

    /// Turns the sections to the end of a step. Returns the values of the spin for the memory.
    pub(super) fn advance_spin(
        &self,
        body: &Body<'_>,
        state: &State,
        memory: &[f64],
        framed: &mut Framed<'_>,
    ) -> Vec<f64> {
        if self.spin_numbers() == 0 {
            return Vec::new();
        }
        let count = self.rod.springs.len();
        let mut spins = vec![0.0; count];
        if let Some((time, edges)) = self.spin_of(memory) {
            let before: Vec<f64> =
                edges.iter().skip(PER_EDGE - 1).step_by(PER_EDGE).copied().collect();
            spins.clone_from(&before);
            let dt = state.t - time;
            if dt > 0.0 {
                let stiff: Vec<f64> =
                    self.inertias(body).iter().map(|inertia| 4.0 * inertia / (dt * dt)).collect();
                let pushes = stiff.iter().zip(&before).map(|(stiff, spin)| stiff * dt * spin);
                let change = midpoint(framed, &stiff, &pushes.collect::<Vec<_>>());
                for ((spin, change), before) in spins.iter_mut().zip(&change).zip(&before) {
                    *spin = 2.0 * change / dt - before;
                }
            }
        }
        let slots = framed.laid.layout.slots.iter().enumerate();
        let edges = slots.filter(|(_, slot)| twist::ends(**slot).is_some());
        let each = edges.zip(spins).flat_map(|((k, _), spin)| {
            let ([ux, uy, uz], [mx, my, mz]) = (framed.edges[k].t, framed.frames[k].normal);
            [ux, uy, uz, mx, my, mz, spin]
        });
        std::iter::once(state.t).chain(each).collect()
    }
}
