//! The time of the operations that no kernel of exact forces can avoid: a square root per spring,
//! for its length, a division per axis, for its direction, and if forces are summed, a division per
//! axis by the mass of a node.

use std::hint::black_box;
use std::time::Instant;

/// Numbers per pass; they fit into the innermost cache.
const NUMBERS: usize = 512;

/// Passes per measurement.
const PASSES: usize = 4000;

/// Divisions of a spring and a node in the plane.
#[derive(Clone, Copy)]
pub enum Divisions {
    /// Two, for a direction.
    OfDirection,
    /// Two for a direction and two by a mass.
    OfDirectionAndMass,
}

/// Returns the nanoseconds of a square root and some divisions in the widest vectors of this
/// processor: the median of nine measurements.
pub fn of_spring_in_plane(divisions: Divisions) -> f64 {
    match divisions {
        Divisions::OfDirection => measured(
            #[inline(always)]
            |x| {
                let length = x.sqrt();
                (1.0 / length, x / length)
            },
        ),
        Divisions::OfDirectionAndMass => measured(
            #[inline(always)]
            |x| {
                let length = x.sqrt();
                ((1.0 / length) / x, (x / length) / (x + 0.5))
            },
        ),
    }
}

/// Returns the nanoseconds of a function of numbers between 1 and 2, whose results are between 0
/// and 1.5.
fn measured(directions: impl Fn(f64) -> (f64, f64) + Copy) -> f64 {
    let arch = pulp::Arch::new();
    let mut numbers: Vec<f64> = (0..NUMBERS).map(|i| 1.0 + i as f64 / NUMBERS as f64).collect();
    let mut times = Vec::new();
    for _ in 0..crate::PAIRS {
        let start = Instant::now();
        for _ in 0..PASSES {
            let numbers = black_box(&mut numbers);
            arch.dispatch(|| {
                numbers.iter_mut().for_each(|x| {
                    let (a, b) = directions(*x);
                    // Numbers stay between 1 and 2.
                    *x = 1.0 + 0.2 * a * b + 0.2 * a;
                });
            });
        }
        times.push(start.elapsed().as_secs_f64() * 1e9 / (NUMBERS * PASSES) as f64);
    }
    black_box(&numbers);
    crate::median(times)
}
