//! Run that a command plans, and its product.

use crate::parts::{Body, Scene};

/// Run that a command plans with its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedRun {
    /// Number of frames to simulate.
    pub frames: u64,
    /// First frame to write.
    pub from: u64,
    /// Output of the run.
    pub product: Product,
}

/// Output of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// One picture per frame.
    Pictures {
        /// Width and height in pixels.
        size: [u32; 2],
        /// Whether the run also continues until bodies are at rest.
        settles: bool,
    },
    /// One film of all frames.
    Film {
        /// Width and height in pixels.
        size: [u32; 2],
    },
    /// One row per node and frame.
    Rows,
    /// One row of energies per body and frame. Energies are computed several times per step.
    Energies,
    /// Linking of ropes, per frame or step. Every step is checked for strands that pass through
    /// each other.
    Topology {
        /// Whether rows are written per step instead of per frame.
        each_step: bool,
    },
    /// Export with a known cost per frame.
    Export {
        /// Bytes per frame.
        bytes: u64,
        /// Nanoseconds of one core per frame.
        work: u64,
    },
    /// A few numbers of one run among many in a process. The start of the process is not counted.
    Numbers,
}

/// All bodies of a scene, in order.
pub(crate) fn bodies(scene: &Scene) -> impl Iterator<Item = &Body> {
    scene.panels.iter().flat_map(|panel| &panel.bodies)
}
