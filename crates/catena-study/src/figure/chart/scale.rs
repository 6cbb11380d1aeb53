//! Scales of axes.

/// Mapping from values to positions along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Linear: equal differences have equal lengths.
    #[default]
    Linear,
    /// Logarithmic: equal ratios have equal lengths.
    Log,
    /// Symmetric logarithmic, for both signs and 0: linear below ten to this power, logarithmic far
    /// above it.
    SymLog(i32),
}
