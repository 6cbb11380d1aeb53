//! Euler's methods: selection of the kernel for a body.

use super::{
    chain_forces::{self, ChainTiles},
    node_forces::{NodeForces, has_exact_inverse},
    sheet_forces::Sheet,
    steps::{PositionUpdate, StartAndEnd, Steps},
};
use crate::body::{Arrangement, Model, State};
use crate::force::{System, Term};

/// The kernel for the body of one run, and its workspace.
#[derive(Debug)]
pub struct EulerKernel {
    body: BodyKernel,
    is_exact: bool,
    nodes: usize,
    springs: usize,
}

#[derive(Debug)]
enum BodyKernel {
    Unknown,
    PlaneChain(ChainTiles<2>),
    SpaceChain(ChainTiles<3>),
    PlaneSheet(Box<Sheet<2>>),
    SpaceSheet(Box<Sheet<3>>),
}

impl BodyKernel {
    fn new(model: &Model) -> Self {
        let sheet = match (model.arrangement, model.axes) {
            (Arrangement::Chain | Arrangement::Parts, 2) if chain_forces::fits(model) => {
                return Self::PlaneChain(ChainTiles::default());
            }
            (Arrangement::Chain | Arrangement::Parts, 3) if chain_forces::fits(model) => {
                return Self::SpaceChain(ChainTiles::default());
            }
            (Arrangement::Sheet { .. }, 2) => Sheet::new(model).map(Box::new).map(Self::PlaneSheet),
            (Arrangement::Sheet { .. }, 3) => Sheet::new(model).map(Box::new).map(Self::SpaceSheet),
            _ => None,
        };
        sheet.unwrap_or(Self::Unknown)
    }

    /// Takes the steps; `None` if the kernel does not support one of the forces.
    fn run(
        &mut self,
        model: &Model,
        ends: &mut StartAndEnd<'_>,
        terms: &[Term<'_>],
        steps: &Steps,
    ) -> Option<()> {
        match self {
            Self::Unknown => return None,
            Self::PlaneChain(tiles) => tiles.run(model, ends, &NodeForces::new(terms)?, steps),
            Self::SpaceChain(tiles) => tiles.run(model, ends, &NodeForces::new(terms)?, steps),
            Self::PlaneSheet(sheet) => sheet.run(ends, &NodeForces::new(terms)?, steps),
            Self::SpaceSheet(sheet) => sheet.run(ends, &NodeForces::new(terms)?, steps),
        }
        // Without any steps, positions and velocities stay as at the start.
        ends.copy_start();
        Some(())
    }
}

impl EulerKernel {
    /// Selects the kernel for a run of this model.
    pub fn new(model: &Model) -> Self {
        Self {
            body: BodyKernel::new(model),
            is_exact: model.mass.iter().all(|mass| has_exact_inverse(*mass)),
            nodes: model.nodes(),
            springs: model.springs.len(),
        }
    }

    /// Takes `count` steps of `dt`, with the result of `Integrator::burst`. `system` must have the
    /// model of the run.
    pub fn burst(
        &mut self,
        system: &System<'_>,
        start: &State,
        end: &mut State,
        dt: f64,
        count: u64,
        update: PositionUpdate,
    ) -> bool {
        let (model, memory) = (system.model, system.springs);
        let is_same = model.nodes() == self.nodes && model.springs.len() == self.springs;
        if !is_same || !memory.broken.is_empty() || !memory.plastic.is_empty() {
            return false;
        }
        let Some(terms) = system.terms() else { return false };
        let with_new = update == PositionUpdate::NewVelocity;
        let steps = Steps { dt, count, with_new, is_exact: self.is_exact };
        let mut ends = StartAndEnd { start: Some(start), end };
        self.body.run(model, &mut ends, &terms, &steps).is_some()
    }
}
