//! Impulses: instantaneous changes of momentum, v' = v + J/m.

/// An impulse on one node. The impulse acts at the end of the step that reaches its time. With a
/// time of 0 or before, it belongs to the initial state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impulse {
    /// Index of the node. An impulse on a pinned node has no effect.
    pub node: usize,
    /// Time at which it acts.
    pub at: f64,
    /// J, mass times change of velocity; unused axes are 0.
    pub impulse: [f64; 3],
}
