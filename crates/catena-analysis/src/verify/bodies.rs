//! Bodies for checks: Hookean springs under gravity and drag only.

use crate::stability::oscillator::Oscillator;
use catena_sim::{
    Arrangement, Budget, Method, Model, Setup, Spring, State,
    body::shape::{
        Topology,
        rope::{LastNode, Matter, Rope},
    },
    contact::Contacts,
    force::{Drag, ElasticSprings, Gravity, Part, law::Hooke},
    method::{self, ConstraintVerlet, SemiImplicitEuler, control::Fixed},
};
use serde::de::value::{Error, MapDeserializer};
use std::sync::Arc;

/// Strain that a rope of these checks exceeds only if its method diverges.
const STRAIN_LIMIT: f64 = 10.0;

/// Straight planar rope at rest, and the parameters of its run.
#[derive(Clone)]
pub(super) struct CheckBody {
    /// Positions of the two ends.
    pub(super) ends: [[f64; 2]; 2],
    pub(super) nodes: usize,
    pub(super) matter: Matter,
    pub(super) pins: Vec<usize>,
    /// Acceleration of gravity, downwards.
    pub(super) gravity: f64,
    pub(super) drag: f64,
    pub(super) method: Arc<dyn Method>,
    pub(super) frame_time: f64,
    pub(super) substeps: u64,
}

impl CheckBody {
    /// Rope of a given length that hangs from node 0, with a mass of 1 per node.
    pub(super) fn hanging(nodes: usize, length: f64, stiffness: f64) -> Self {
        Self {
            ends: [[0.0, 0.0], [0.0, -length]],
            nodes,
            matter: Matter::Nodes { mass: 1.0, stiffness },
            ..Self::classroom(nodes, 64)
        }
    }

    /// Rope of GAMES101, assignment 8, without drag.
    pub(super) fn classroom(nodes: usize, substeps: u64) -> Self {
        Self {
            ends: [[0.0, 200.0], [-400.0, 200.0]],
            nodes,
            matter: Matter::Nodes { mass: 1.0, stiffness: 100.0 },
            pins: vec![0],
            gravity: 1.0,
            drag: 0.0,
            method: Arc::new(SemiImplicitEuler {}),
            frame_time: 1.0,
            substeps,
        }
    }

    /// Classroom rope with constraint Verlet. Each step loses the share `damping` of the last
    /// displacement.
    pub(super) fn classroom_verlet(substeps: u64, damping: f64) -> Self {
        let method = ConstraintVerlet { damping, ..ConstraintVerlet::default() };
        Self { method: Arc::new(method), ..Self::classroom(16, substeps) }
    }

    /// Builds the setup of the rope.
    pub(super) fn setup(&self) -> Setup {
        let rope = Rope {
            start: self.ends[0].to_vec(),
            end: self.ends[1].to_vec(),
            nodes: self.nodes,
            matter: self.matter,
            bending: 0.0,
            pins: self.pins.clone(),
            last_node: LastNode::AtEnd,
        };
        // A rope that cannot be built becomes a body without nodes, which every simulation rejects.
        let (model, initial) = rope.build().unwrap_or_default();
        let mut setup = bare(model, initial, Arc::clone(&self.method), self.frame_time);
        setup.substeps = self.substeps;
        setup.forces.push(Arc::new(Gravity { acceleration: vec![0.0, -self.gravity] }));
        if self.drag > 0.0 {
            setup.forces.push(Arc::new(Drag { coefficient: self.drag, wind: vec![0.0; 2] }));
        }
        setup
    }
}

/// Setup of springs and a method only, with one step per frame.
pub(super) fn bare(model: Model, initial: State, method: Arc<dyn Method>, dt: f64) -> Setup {
    Setup {
        model,
        initial,
        forces: vec![Arc::new(ElasticSprings { law: Arc::new(Hooke {}), part: Part::Held })],
        flow: None,
        breaks_at: None,
        lengths: Default::default(),
        anchors: Vec::new(),
        method,
        step_control: Arc::new(Fixed {}),
        impulses: Vec::new(),
        contacts: Contacts::default(),
        frame_time: dt,
        substeps: 1,
        velocity_factor: 1.0,
        position_factor: 1.0,
        events: Vec::new(),
        slips: Vec::new(),
        budget: Budget::UNLIMITED,
        strain_limit: STRAIN_LIMIT,
        start_time: 0.0,
        warm_up: 0,
    }
}

/// Mass of 1 on a spring of length 1 along x, stretched by 10 %.
pub(super) fn spring(method: Arc<dyn Method>, problem: Oscillator, dt: f64) -> Setup {
    let stiffness = problem.omega * problem.omega;
    let model = Model {
        axes: 2,
        mass: vec![1.0; 2],
        pinned: vec![true, false],
        springs: vec![Spring { a: 0, b: 1, stiffness, rest_length: 1.0 }],
        structural: 1,
        held: 1,
        arrangement: Arrangement::Chain,
        parts: Vec::new(),
    };
    let mut setup = bare(model, State::at_rest(vec![0.0, 1.1, 0.0, 0.0]), method, dt);
    if problem.damping > 0.0 {
        setup.forces.push(Arc::new(Drag { coefficient: problem.damping, wind: vec![0.0; 2] }));
    }
    setup
}

/// Method with default options; `None` if the name is unknown.
pub(super) fn method(name: &str) -> Option<Arc<dyn Method>> {
    let nothing = std::iter::empty::<(&str, f64)>();
    let options = MapDeserializer::<_, Error>::new(nothing);
    method::read(name, options)?.ok().map(Arc::from)
}
