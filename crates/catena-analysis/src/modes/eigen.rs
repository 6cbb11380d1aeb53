//! Computes all eigenvalues of a symmetric matrix by Jacobi rotations.
//!
//! Rotations set pairs of off-diagonal entries to zero in a fixed order, until all are below the
//! rounding error. This is slower than tridiagonal methods, but small eigenvalues keep their
//! relative accuracy. Source: Jacobi 1846; Golub and Van Loan, "Matrix Computations", 8.5.

/// Square matrix, stored by rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    size: usize,
    values: Vec<f64>,
}

impl Matrix {
    /// Creates a matrix of zeros.
    pub fn zeros(size: usize) -> Self {
        Self { size, values: vec![0.0; size * size] }
    }

    /// Number of rows, which equals the number of columns.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns one entry.
    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.size + column]
    }

    /// Adds a value to one entry.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.values[row * self.size + column] += value;
    }

    fn set(&mut self, row: usize, column: usize, value: f64) {
        self.values[row * self.size + column] = value;
    }

    /// Multiplies the matrix by a vector.
    pub fn times(&self, vector: &[f64]) -> Vec<f64> {
        let rows = self.values.chunks_exact(self.size);
        rows.map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
    }
}

/// Maximum number of sweeps over all pairs. Typical matrices need seven or eight.
const MAX_SWEEPS: usize = 30;

/// Computes the eigenvalues in ascending order, each with its eigenvector of length 1. Only the
/// upper triangle of the matrix is read.
pub fn symmetric(mut matrix: Matrix) -> Vec<(f64, Vec<f64>)> {
    let n = matrix.size;
    let mut vectors = Matrix::zeros(n);
    (0..n).for_each(|i| vectors.set(i, i, 1.0));
    for row in 0..n {
        for column in row + 1..n {
            matrix.set(column, row, matrix.at(row, column));
        }
    }
    let scale = matrix.values.iter().fold(0.0_f64, |maximum, value| maximum.max(value.abs()));
    for _ in 0..MAX_SWEEPS {
        let mut greatest = 0.0_f64;
        for p in 0..n {
            for q in p + 1..n {
                greatest = greatest.max(matrix.at(p, q).abs());
                rotate(&mut matrix, &mut vectors, p, q);
            }
        }
        if greatest <= 1e-17 * scale {
            break;
        }
    }
    let mut pairs: Vec<(f64, Vec<f64>)> =
        (0..n).map(|i| (matrix.at(i, i), vectors.values[i * n..(i + 1) * n].to_vec())).collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    pairs
}

/// Rotates rows and columns p and q so that their common entry becomes 0. Each row of `vectors` is
/// an eigenvector.
fn rotate(matrix: &mut Matrix, vectors: &mut Matrix, p: usize, q: usize) {
    let entry = matrix.at(p, q);
    if entry == 0.0 {
        return;
    }
    let (pp, qq) = (matrix.at(p, p), matrix.at(q, q));
    let theta = (qq - pp) / (2.0 * entry);
    // Tangent of the rotation angle: the smaller of the two roots.
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for k in 0..matrix.size {
        let (kp, kq) = (matrix.at(k, p), matrix.at(k, q));
        matrix.set(k, p, c * kp - s * kq);
        matrix.set(k, q, s * kp + c * kq);
    }
    for k in 0..matrix.size {
        let (pk, qk) = (matrix.at(p, k), matrix.at(q, k));
        matrix.set(p, k, c * pk - s * qk);
        matrix.set(q, k, s * pk + c * qk);
    }
    matrix.set(p, q, 0.0);
    matrix.set(q, p, 0.0);
    for k in 0..matrix.size {
        let (pk, qk) = (vectors.at(p, k), vectors.at(q, k));
        vectors.set(p, k, c * pk - s * qk);
        vectors.set(q, k, s * pk + c * qk);
    }
}
