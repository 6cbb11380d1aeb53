//! Euler's methods under forces: picks the kernel that fits the body.

use super::{
    chain_forces::{self, Belt},
    node_forces::{NodeForces, has_exact_inverse},
    sheet_forces::Sheet,
};
use crate::body::{Arrangement, Model, State};
use crate::force::{System, Term};

/// With which velocity positions move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drift {
    /// The one before the step.
    OldVelocity,
    /// The one after it.
    NewVelocity,
}

/// Where steps begin and where they lead. Positions and velocities of `end` are as many as those of the start.
#[derive(Debug)]
pub struct Way<'a> {
    /// `None` once there is a sweep behind: the next one goes on from `end`.
    pub start: Option<&'a State>,
    /// Where they lead.
    pub end: &'a mut State,
}

impl Way<'_> {
    /// Where the next sweep begins.
    #[inline(always)]
    pub(super) fn from(&self) -> &State {
        self.start.unwrap_or(self.end)
    }

    fn stay(&mut self) {
        if let Some(start) = self.start.take() {
            self.end.x.copy_from_slice(&start.x);
            self.end.v.copy_from_slice(&start.v);
        }
    }
}

/// Which steps to take.
#[derive(Clone, Copy, Debug)]
pub struct Stepping {
    /// The length of each.
    pub dt: f64,
    /// How many.
    pub count: u64,
    /// Whether positions move with the new velocity; else with the old one.
    pub with_new: bool,
    /// Whether the reciprocal of every mass is exact.
    pub is_exact: bool,
}

/// The kernel for one body, with its memory.
#[derive(Debug)]
pub struct EulerKernel {
    body: Body,
    is_exact: bool,
    nodes: usize,
    springs: usize,
}

#[derive(Debug)]
enum Body {
    Unknown,
    PlaneChain(Belt<2>),
    SpaceChain(Belt<3>),
    PlaneSheet(Box<Sheet<2>>),
    SpaceSheet(Box<Sheet<3>>),
}

impl Body {
    fn new(model: &Model) -> Self {
        let sheet = match (model.arrangement, model.axes) {
            (Arrangement::Chain, 2) if chain_forces::fits(model) => {
                return Self::PlaneChain(Belt::default());
            }
            (Arrangement::Chain, 3) if chain_forces::fits(model) => {
                return Self::SpaceChain(Belt::default());
            }
            (Arrangement::Sheet { .. }, 2) => Sheet::new(model).map(Box::new).map(Self::PlaneSheet),
            (Arrangement::Sheet { .. }, 3) => Sheet::new(model).map(Box::new).map(Self::SpaceSheet),
            _ => None,
        };
        sheet.unwrap_or(Self::Unknown)
    }

    /// Takes the steps, if the forces are those of a kernel.
    fn run(
        &mut self,
        model: &Model,
        way: &mut Way<'_>,
        terms: &[Term<'_>],
        stepping: &Stepping,
    ) -> Option<()> {
        match self {
            Self::Unknown => return None,
            Self::PlaneChain(belt) => belt.run(model, way, &NodeForces::new(terms)?, stepping),
            Self::SpaceChain(belt) => belt.run(model, way, &NodeForces::new(terms)?, stepping),
            Self::PlaneSheet(sheet) => sheet.run(way, &NodeForces::new(terms)?, stepping),
            Self::SpaceSheet(sheet) => sheet.run(way, &NodeForces::new(terms)?, stepping),
        }
        // Without any step.
        way.stay();
        Some(())
    }
}

impl EulerKernel {
    /// For a run of this model.
    pub fn new(model: &Model) -> Self {
        Self {
            body: Body::new(model),
            is_exact: model.mass.iter().all(|mass| has_exact_inverse(*mass)),
            nodes: model.nodes(),
            springs: model.springs.len(),
        }
    }

    /// Takes `count` steps as `Integrator::burst` does. The system's model is the one of the
    /// run.
    pub fn burst(
        &mut self,
        system: &System<'_>,
        (start, end): (&State, &mut State),
        (dt, count): (f64, u64),
        drift: Drift,
    ) -> bool {
        let (model, memory) = (system.model, system.springs);
        let is_same = model.nodes() == self.nodes && model.springs.len() == self.springs;
        if !is_same || !memory.broken.is_empty() || !memory.plastic.is_empty() {
            return false;
        }
        let Some(terms) = system.terms() else { return false };
        let with_new = drift == Drift::NewVelocity;
        let stepping = Stepping { dt, count, with_new, is_exact: self.is_exact };
        let mut way = Way { start: Some(start), end };
        self.body.run(model, &mut way, &terms, &stepping).is_some()
    }
}
