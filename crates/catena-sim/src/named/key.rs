//! Identity of an object with a name and options.

/// A name and the bits of its options. Two methods or laws are the same if their keys are equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    name: &'static str,
    options: Vec<u64>,
}

impl Key {
    /// Creates the key of a name and all of its options. A list of variable length must begin with
    /// its length.
    pub fn new(name: &'static str, options: impl IntoIterator<Item = f64>) -> Self {
        Self { name, options: options.into_iter().map(f64::to_bits).collect() }
    }
}
