//! Interface between contacts and the solvers for their impulses: a Gauss-Seidel step, and the rows
//! of a linear system.

use super::solve::Impulse;
use crate::body::vector::Vec3;

/// A row of a system: a component of the relative motion at a contact, and an unknown impulse.
pub(super) struct Row {
    pub(super) nodes: [usize; 4],
    /// Change of the component per unit of change of the value of each node.
    pub(super) motion: [Vec3; 4],
    /// Change of the value of each node per unit of impulse; 0 for a node that cannot move.
    pub(super) effect: [Vec3; 4],
    /// Missing motion.
    pub(super) missing: f64,
}

/// A reduced contact of a solver.
pub(super) trait Reduced {
    /// Does one Gauss-Seidel step, as [`super::sweeps::relax`]. Returns the change of the relative
    /// motion.
    fn relax(&mut self, values: &mut [Vec3]) -> f64;

    /// Returns the least index of its nodes that can move.
    fn place(&self) -> usize;

    /// Appends the rows of the system for the changes of its impulses. An open contact has no row.
    /// For a closed contact, the rows are the impulse along the normal and the directions in which
    /// it sticks. Segments must not turn.
    fn rows(&self, values: &[Vec3], is_planar: bool, rows: &mut Vec<Row>);

    /// Changes its impulses by the unknowns of its rows, within the limits of its impulses.
    fn change(&mut self, unknowns: &[f64], values: &mut [Vec3]);

    /// Returns the relative motion that its impulse has caused.
    fn caused(&self) -> f64;

    /// Returns its impulse.
    fn impulse(&self) -> Impulse;

    /// Replaces its impulse, without a change of values.
    fn set_impulse(&mut self, impulse: Impulse);
}
