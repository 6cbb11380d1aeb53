//! Impulses: a change of momentum at one moment, v' = v + J/m.

/// An impulse on one node. It acts when its time is reached, so the state at that time has it; at time 0 and before it
/// belongs to the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impulse {
    /// The node; on a pinned one it does nothing.
    pub node: usize,
    /// When it acts.
    pub at: f64,
    /// J, mass times change of velocity; unused axes are 0.
    pub impulse: [f64; 3],
}
