//! An axis of a plot.

use crate::figure::chart::scale::Scale;

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
