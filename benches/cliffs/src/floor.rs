//! The time of the operations that no kernel of exact forces can avoid: a square root per spring,
//! for its length, and a division per axis, for its direction.

use std::hint::black_box;
use std::time::Instant;

/// Numbers per pass; they fit into the innermost cache.
const NUMBERS: usize = 512;

/// Passes per measurement.
const PASSES: usize = 4000;

/// Returns the nanoseconds of one square root and two divisions in the widest vectors of this
/// processor: the median of nine measurements.
pub fn of_spring_in_plane() -> f64 {
    let arch = pulp::Arch::new();
    let mut numbers: Vec<f64> = (0..NUMBERS).map(|i| 1.0 + i as f64 / NUMBERS as f64).collect();
    let mut times = Vec::new();
    for _ in 0..crate::PAIRS {
        let start = Instant::now();
        for _ in 0..PASSES {
            let numbers = black_box(&mut numbers);
            // Numbers stay between 1 and 2.
            let direction = |x: f64| {
                let length = x.sqrt();
                (1.0 / length, x / length)
            };
            arch.dispatch(|| {
                numbers.iter_mut().for_each(|x| {
                    let (a, b) = direction(*x);
                    *x = 0.5 + 0.5 * a * b + 0.25 * a;
                });
            });
        }
        times.push(start.elapsed().as_secs_f64() * 1e9 / (NUMBERS * PASSES) as f64);
    }
    black_box(&numbers);
    crate::median(times)
}
