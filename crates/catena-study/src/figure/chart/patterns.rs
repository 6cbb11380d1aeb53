//! Patterns of lines and shapes of markers.

/// Pattern of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dash {
    /// Continuous line.
    #[default]
    Solid,
    /// Dashes.
    Dashed,
    /// Dots.
    Dotted,
    /// Dash and dot.
    DashDotted,
    /// Long dashes.
    LongDashed,
    /// Dash and two dots.
    DashDotDotted,
}

/// Shape of a marker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Marker {
    /// Filled circle.
    #[default]
    Disc,
    /// Empty circle.
    Ring,
    /// Filled square.
    Square,
    /// Empty square.
    OpenSquare,
    /// Diagonal cross.
    Cross,
    /// Upright cross.
    Plus,
    /// Filled triangle.
    Triangle,
    /// Empty triangle.
    OpenTriangle,
    /// Filled square on its corner.
    Diamond,
    /// Empty square on its corner.
    OpenDiamond,
    /// Filled triangle on its corner.
    Wedge,
    /// Empty triangle on its corner.
    OpenWedge,
}
