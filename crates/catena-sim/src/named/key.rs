//! Identity of what has a name and options.

/// Name and options in numbers. Two methods or laws are the same if their keys are equal, bit for
/// bit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    name: &'static str,
    options: Vec<u64>,
}

impl Key {
    /// The key of a name and all of its options. A list of varying length begins with its length.
    pub fn new(name: &'static str, options: impl IntoIterator<Item = f64>) -> Self {
        Self { name, options: options.into_iter().map(f64::to_bits).collect() }
    }
}
