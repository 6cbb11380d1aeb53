//! Axes of a plot, and their scales.

/// Axis of a plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// Quantity with its unit.
    pub label: String,
    /// Mapping from values to positions.
    pub scale: Scale,
    /// Values at the ends, which may descend; `None` derives them from the data.
    pub range: Option<[f64; 2]>,
    /// Whether the axis has neither ticks nor label.
    pub is_hidden: bool,
    /// Names instead of numbers: the first is at 0.5, the second at 1.5, and so on.
    pub categories: Vec<String>,
}

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
