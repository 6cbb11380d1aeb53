//! Measurements of a state. No function here changes it.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use super::{Model, SpringMemory, State};

/// Total length of the structural springs that have not broken. `x` is flat by axis.
pub fn length(model: &Model, memory: &SpringMemory, x: &[f64]) -> f64 {
    let springs = model.structural().iter().enumerate();
    springs.filter(|(j, _)| !memory.is_broken(*j)).map(|(_, spring)| model.span(x, spring).1).sum()
}

/// Length of each structural spring, in the order of the model.
pub fn segment_lengths(model: &Model, x: &[f64]) -> Vec<f64> {
    model.structural().iter().map(|spring| model.span(x, spring).1).collect()
}

/// Maximum strain, (length - rest length) / rest length, of all unbroken springs. NaN if a position
/// is NaN, negative infinity if all springs have broken.
pub fn greatest_strain(model: &Model, memory: &SpringMemory, x: &[f64]) -> f64 {
    let mut greatest = f64::NEG_INFINITY;
    for (j, spring) in model.springs.iter().enumerate() {
        if memory.is_broken(j) {
            continue;
        }
        let strain = (model.span(x, spring).1 - spring.rest_length) / spring.rest_length;
        if strain.is_nan() {
            return f64::NAN;
        }
        greatest = greatest.max(strain);
    }
    greatest
}

/// Kinetic energy, Σ m v² / 2, pinned nodes included.
pub fn kinetic_energy(model: &Model, state: &State) -> f64 {
    let n = model.nodes();
    state.v.iter().enumerate().map(|(index, v)| 0.5 * model.mass[index % n] * v * v).sum()
}

/// Maximum speed of all nodes; NaN if a velocity is NaN.
pub fn greatest_speed(model: &Model, state: &State) -> f64 {
    let n = model.nodes();
    let mut greatest = 0.0;
    for i in 0..n {
        let square: f64 = (0..model.axes).map(|axis| state.v[axis * n + i]).map(|v| v * v).sum();
        if square.is_nan() {
            return f64::NAN;
        }
        if square > greatest {
            greatest = square;
        }
    }
    greatest.sqrt()
}
