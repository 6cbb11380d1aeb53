//! Torsional modes of rods whose sections have a rotational inertia.
//!
//! The sections spin about a fixed centre line: C θ = ω² J θ, where C holds the second derivatives
//! of the energy with respect to the angles. These modes are exact for a straight rod. For a bent
//! rod they are an approximation for sections that spin much faster than the line moves.

use super::envelope::Envelope;
use super::layout::Layout;
use super::{MODES, modes};
use catena_sim::{Block, Body, Setup, SpringMemory, State, force::rod};
use std::sync::Arc;

/// Share of the maximum ω² below which a mode counts as a rotation of the whole rod, which costs no
/// energy.
const FREE: f64 = 1e-12;

/// A torsional mode of a rod.
#[derive(Clone, Debug, PartialEq)]
pub struct TorsionalMode {
    /// Index of the rod.
    pub rod: usize,
    /// Squared angular frequency, above 0.
    pub omega_squared: f64,
    /// Angle of the section on each segment, with Σ J θ² = 1.
    pub turns: Vec<f64>,
}

/// Slowest torsional modes of each rod of a body at a state, in ascending order of frequency.
pub fn torsional_modes(setup: &Setup, state: &State) -> Vec<TorsionalMode> {
    let memory = SpringMemory::default();
    let body = Body { model: &setup.model, springs: &memory };
    let Some(rods) = setup.rods() else { return Vec::new() };
    let all = rods.torsion(&body, state).into_iter().enumerate();
    let mut found: Vec<TorsionalMode> =
        all.filter_map(|(rod, torsion)| Some(of_rod(rod, &torsion?))).flatten().collect();
    found.sort_by(|a, b| a.omega_squared.total_cmp(&b.omega_squared));
    found
}

/// Upper bound on the torsional ω of a body at a state; `None` if no rod can spin.
pub fn fastest_torsion(setup: &Setup, state: &State) -> Option<f64> {
    let memory = SpringMemory::default();
    let body = Body { model: &setup.model, springs: &memory };
    let all = setup.rods()?.torsion(&body, state);
    let greatest = all.iter().flatten().map(fastest).reduce(f64::max)?;
    Some(greatest.sqrt())
}

/// Upper bound on the maximum ω² by Gershgorin circles.
fn fastest(torsion: &rod::Torsion) -> f64 {
    let (stiffness, n) = (&torsion.stiffness, torsion.inertia.len());
    let off_diagonal = |row: usize| {
        let inner = |k: usize| stiffness.off_diagonal.get(k).map_or(0.0, |value| value.abs());
        let corner = if row == 0 || row + 1 == n { stiffness.corner.abs() } else { 0.0 };
        row.checked_sub(1).map_or(0.0, inner) + inner(row) + corner
    };
    let of_row = |row: usize| (stiffness.diagonal[row] + off_diagonal(row)) / torsion.inertia[row];
    (0..n).map(of_row).fold(0.0, f64::max)
}

/// Slowest modes of a rod, without rotations of the whole rod.
fn of_rod(rod: usize, torsion: &rod::Torsion) -> Vec<TorsionalMode> {
    let (stiffness, n) = (&torsion.stiffness, torsion.inertia.len());
    let chain = (1..n).map(|k| (k - 1, k));
    let pairs = chain.chain((n > 2 && stiffness.corner != 0.0).then_some((0, n.saturating_sub(1))));
    let layout = Layout::new(1, &vec![false; n], 0, pairs);
    let mut matrix = Envelope::zeros(Arc::new(layout));
    let block = |value: f64| -> Block { [[value, 0.0, 0.0], [0.0; 3], [0.0; 3]] };
    for (k, value) in stiffness.diagonal.iter().enumerate() {
        matrix.add([k, k], &block(*value), 1.0);
    }
    let entries = stiffness.off_diagonal.iter().enumerate().map(|(k, value)| (k, k + 1, *value));
    for (a, b, value) in entries.chain([(0, n.saturating_sub(1), stiffness.corner)]) {
        if value != 0.0 && a != b {
            // Both triangles are added.
            matrix.add([a, b], &block(value), 1.0);
            matrix.add([b, a], &block(value), 1.0);
        }
    }
    let (all, _) = modes::lowest(&matrix, &torsion.inertia, MODES + 1, u64::MAX);
    let minimum = FREE * fastest(torsion);
    let swings = all.into_iter().filter(|mode| mode.omega_squared > minimum);
    let mode = |mode: modes::Mode| TorsionalMode {
        rod,
        omega_squared: mode.omega_squared,
        turns: mode.shape,
    };
    swings.take(MODES).map(mode).collect()
}
