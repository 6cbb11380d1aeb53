//! Normal equations of a step.

use super::derivative::Derivatives;

/// Matrix and gradient of a sum of squares.
pub(super) struct Normal {
    pub(super) matrix: Vec<Vec<f64>>,
    pub(super) gradient: Vec<f64>,
}

impl Normal {
    pub(super) fn of(slopes: &Derivatives, residuals: &[f64]) -> Self {
        let inner = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let matrix = slopes.iter().map(|a| slopes.iter().map(|b| inner(a, b)).collect()).collect();
        let gradient = slopes.iter().map(|a| inner(a, residuals)).collect();
        Self { matrix, gradient }
    }

    /// Decrease of the sum of squares that the linear model predicts for an undamped step.
    pub(super) fn decrease(&self, step: &[f64]) -> f64 {
        -self.gradient.iter().zip(step).map(|(slope, step)| slope * step).sum::<f64>()
    }

    /// Solves for a step of the free parameters with damping, by Cholesky's method. `None` if the
    /// matrix is singular.
    pub(super) fn step(&self, damping: f64, is_free: &[bool]) -> Option<Vec<f64>> {
        let free: Vec<usize> = (0..is_free.len()).filter(|k| is_free[*k]).collect();
        let scale: Vec<f64> = free.iter().map(|&k| self.matrix[k][k].sqrt()).collect();
        let count = free.len();
        // The matrix is scaled to a unit diagonal, so that units do not matter.
        let mut lower = vec![vec![0.0; count]; count];
        for i in 0..count {
            for j in 0..=i {
                let mut sum = self.matrix[free[i]][free[j]] / (scale[i] * scale[j]);
                if i == j {
                    sum += damping;
                }
                let known = lower[i].iter().zip(&lower[j]).take(j);
                sum -= known.map(|(a, b)| a * b).sum::<f64>();
                if i == j {
                    // Below this, the difference of nearly equal numbers is rounding.
                    if sum.is_nan() || sum <= 1e-10 {
                        return None;
                    }
                    lower[i][i] = sum.sqrt();
                } else {
                    lower[i][j] = sum / lower[j][j];
                }
            }
        }
        let mut solution: Vec<f64> =
            (0..count).map(|i| -self.gradient[free[i]] / scale[i]).collect();
        for i in 0..count {
            let before: f64 = (0..i).map(|k| lower[i][k] * solution[k]).sum();
            solution[i] = (solution[i] - before) / lower[i][i];
        }
        for i in (0..count).rev() {
            let after: f64 = (i + 1..count).map(|k| lower[k][i] * solution[k]).sum();
            solution[i] = (solution[i] - after) / lower[i][i];
        }
        let mut step = vec![0.0; is_free.len()];
        for (index, k) in free.iter().enumerate() {
            step[*k] = solution[index] / scale[index];
        }
        step.iter().all(|value| value.is_finite()).then_some(step)
    }
}
