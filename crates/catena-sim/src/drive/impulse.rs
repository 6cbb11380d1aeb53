//! Impulses: instantaneous changes of momentum, v' = v + J/m.

/// An impulse on one node. The impulse acts at the end of the step that reaches its time. With a
/// time of 0 or before, it belongs to the initial state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impulse {
    /// Index of the node. An impulse on a pinned node has no effect.
    pub node: usize,
    /// Time at which the impulse acts.
    pub at: f64,
    /// Impulse J in units of mass times velocity. Unused axes are 0.
    pub impulse: [f64; 3],
}
crate::identity!(Impulse { node, at, impulse });
