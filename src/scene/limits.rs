//! What is refused because it would not fit, before anything is allocated for it.

/// Panels of one scene.
pub(super) const PANELS: usize = 2048;

/// Bodies of one panel.
pub(super) const BODIES: usize = 64;

/// Nodes of all bodies together.
pub(super) const NODES: u64 = 20_000_000;

/// Bytes of a scene file.
pub(super) const FILE_BYTES: u64 = 4 << 20;

/// Memory that a node takes in a running simulation: state, method and spring, about.
pub(super) const BYTES_A_NODE: u64 = 400;
