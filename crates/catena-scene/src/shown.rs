//! Positions of shown panels and bodies in the scene file.

/// Index of a panel in the scene file, and its shown bodies.
#[derive(Clone, Debug)]
pub(crate) struct ShownPanel {
    /// Index among all panels of the file; row by row in a grid.
    pub(crate) index: usize,
    /// Indices of the shown bodies in the list of the panel; `None` if all are shown.
    pub(crate) bodies: Option<Vec<usize>>,
}
