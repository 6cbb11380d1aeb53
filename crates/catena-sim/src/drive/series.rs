//! A number that changes with time.

/// Keys of (time, value), straight from one to the next; constant before the first key and after
/// the last. One key is a constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Times and values, in order of time.
    pub keys: Vec<(f64, f64)>,
}

impl Series {
    /// A number that stays as it is.
    pub fn constant(value: f64) -> Self {
        Self { keys: vec![(0.0, value)] }
    }

    /// Whether there is a key, all times are finite and rise, and `is_fine` accepts all values.
    pub fn is_sound(&self, is_fine: impl Fn(f64) -> bool) -> bool {
        let rise = self.keys.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let keys = self.keys.iter();
        let are_fine =
            keys.clone().all(|(t, value)| t.is_finite() && value.is_finite() && is_fine(*value));
        !self.keys.is_empty() && rise && are_fine
    }

    /// The value at a time; 0 where there is no key.
    pub fn at(&self, t: f64) -> f64 {
        let behind = self.keys.partition_point(|key| key.0 <= t);
        let before = behind.checked_sub(1).map(|index| self.keys[index]);
        match (before, self.keys.get(behind)) {
            (Some((t0, from)), Some((t1, to))) => from + (to - from) * ((t - t0) / (t1 - t0)),
            (Some((_, value)), None) | (None, Some(&(_, value))) => value,
            (None, None) => 0.0,
        }
    }

    /// The greatest value; 0 where there is no key.
    pub fn greatest(&self) -> f64 {
        self.keys.iter().map(|key| key.1).fold(0.0, f64::max)
    }
}
