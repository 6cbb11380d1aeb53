//! Curves that an anchor moves along.

use std::fmt::Debug;

/// A place and a velocity for every time.
pub trait Curve: Debug + Send + Sync {
    /// Position and velocity at a time; unused axes are 0.
    fn at(&self, t: f64) -> ([f64; 3], [f64; 3]);
}
