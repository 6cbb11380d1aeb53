//! Panels as names and remarks tell of them.

/// Index of a panel in the scene file, and its shown bodies.
#[derive(Clone, Debug)]
pub(crate) struct ShownPanel {
    /// Index among all panels of the file; row by row in a grid.
    pub(crate) index: usize,
    /// Indices in its list of bodies; `None` shows all of them.
    pub(crate) bodies: Option<Vec<usize>>,
}
