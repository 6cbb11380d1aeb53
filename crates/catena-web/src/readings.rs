//! Numbers of a frame, shown next to its picture: energies, strains and the hash of the states.

use catena_draw::PanelFrame;
use catena_sim::Simulation;
use serde::Serialize;

/// Numbers of all bodies in a frame.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FrameReadings {
    /// Number of the frame.
    pub frame: u64,
    /// SHA-256 of the states of all bodies, as in the manifest of a render.
    pub state_sha256: String,
    /// One entry per body, panel by panel.
    pub bodies: Vec<BodyReading>,
}

/// Numbers of a body in a frame.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BodyReading {
    /// Simulated time.
    pub t: f64,
    /// Kinetic energy.
    pub kinetic: f64,
    /// Gravitational potential energy.
    pub gravitational: f64,
    /// Energy stored in springs, bends and twists.
    pub elastic: f64,
    /// Maximum strain of a spring.
    pub strain: f64,
    /// Frame at which the body diverged.
    pub diverged: Option<u64>,
}

impl FrameReadings {
    /// Reads the current frame of all bodies.
    pub(crate) fn of<'a>(
        frame: u64,
        state_sha256: &str,
        panels: &[PanelFrame],
        simulations: impl Iterator<Item = &'a Simulation>,
    ) -> Self {
        let shown = panels.iter().flat_map(|panel| &panel.bodies);
        let bodies = shown.zip(simulations).map(|(body, simulation)| {
            let energy = simulation.energy();
            BodyReading {
                t: body.t,
                kinetic: energy.kinetic,
                gravitational: energy.gravitational,
                elastic: energy.elastic + energy.bending + energy.twist,
                strain: body.strain,
                diverged: body.diverged,
            }
        });
        Self { frame, state_sha256: state_sha256.into(), bodies: bodies.collect() }
    }
}
