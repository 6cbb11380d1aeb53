//! Natural frequencies of a body about a state: the spectrum of M⁻¹K.
//!
//! K = -∂f/∂x over the free nodes. With u = M^½ (x - x0) the matrix M^-½ K M^-½ is symmetric. Its
//! eigenvalues are ω², its eigenvectors the modes. The damping of a mode in u'' + γ u' + ω² u = 0
//! is γ = uᵀCu with C = M^-½ (-∂f/∂v) M^-½.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use super::eigen::{Matrix, symmetric};
use catena_sim::{Block, Setup, SpringMemory, State, System, drive::Anchors};

/// Maximum number of free coordinates of a body. The work grows with their cube.
pub const MAX_COORDINATES: usize = 480;

/// Natural mode of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct NaturalMode {
    /// Squared angular frequency ω²; negative if the state is unstable in this direction.
    pub omega_squared: f64,
    /// Damping rate γ, per unit of time.
    pub damping: f64,
    /// Displacement of each node, flat by axis, normalized so that Σ m |displacement|² = 1.
    pub shape: Vec<f64>,
}

impl NaturalMode {
    /// Angular frequency ω in radians per unit of time; 0 if the mode does not oscillate.
    pub fn omega(&self) -> f64 {
        self.omega_squared.max(0.0).sqrt()
    }

    /// Length of the displacement of a node, in a body of `n` nodes.
    pub fn size_at(&self, node: usize, n: usize) -> f64 {
        let along = self.shape.iter().skip(node).step_by(n);
        along.map(|along| along * along).sum::<f64>().sqrt()
    }
}

/// Whether a body has at most [`MAX_COORDINATES`] free coordinates.
pub fn is_small(setup: &Setup) -> bool {
    let model = &setup.model;
    model.axes * model.pinned.iter().filter(|pinned| !**pinned).count() <= MAX_COORDINATES
}

/// Computes all modes, in ascending order of frequency. Returns `None` if the body has more than
/// [`MAX_COORDINATES`] free coordinates, or the state is not finite.
pub fn natural_modes(setup: &Setup, state: &State) -> Option<Vec<NaturalMode>> {
    let setup = &setup.with_method_stiffness();
    let model = &setup.model;
    let n = model.nodes();
    let free: Vec<usize> = (0..model.axes * n).filter(|index| !model.pinned[index % n]).collect();
    if free.len() > MAX_COORDINATES || !state.is_finite() {
        return None;
    }
    let mut place = vec![usize::MAX; model.axes * n];
    free.iter().enumerate().for_each(|(place_of, &index)| place[index] = place_of);

    let anchors = Anchors::new(model, &setup.initial, &setup.anchors);
    let memory = SpringMemory::default();
    let system = System::new(model, &memory, &setup.forces, &anchors);
    let [mut stiffness, mut damping] = [(); 2].map(|()| Matrix::zeros(free.len()));
    for entry in &system.jacobian(state).entries {
        let scale = 1.0 / (model.mass[entry.i].sqrt() * model.mass[entry.j].sqrt());
        let add = |matrix: &mut Matrix, block: &Block| {
            for (row, values) in block.iter().enumerate().take(model.axes) {
                for (column, value) in values.iter().enumerate().take(model.axes) {
                    let at = [row * n + entry.i, column * n + entry.j].map(|index| place[index]);
                    if at.iter().all(|&place| place != usize::MAX) {
                        matrix.add(at[0], at[1], -scale * value);
                    }
                }
            }
        };
        add(&mut stiffness, &entry.by_x);
        add(&mut damping, &entry.by_v);
    }
    let modes = symmetric(stiffness).into_iter().map(|(omega_squared, vector)| {
        let slowed = damping.times(&vector);
        let mut shape = vec![0.0; model.axes * n];
        for (&index, value) in free.iter().zip(&vector) {
            shape[index] = value / model.mass[index % n].sqrt();
        }
        let damping = vector.iter().zip(&slowed).map(|(a, b)| a * b).sum();
        NaturalMode { omega_squared, damping, shape }
    });
    Some(modes.collect())
}
