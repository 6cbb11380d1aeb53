//! A body of a trace: its simulation, and who watches that nothing passes through anything.

use super::passed::Passed;
use super::table::{Cell, Moments, Rows, Table};
use crate::job::RunError;
use catena_analysis::topology::{Passage, TooNear, Watch};
use catena_sim::{Outcome, Setup, Simulation};
use std::{io, sync::Arc};

/// The most passages that are kept in words; the others are counted.
const MOST_PASSED: usize = 1000;

/// A body at work.
pub(super) struct Traced {
    /// What messages call it.
    pub(super) label: String,
    panel: u64,
    body: u64,
    pub(super) simulation: Simulation,
    watch: Option<Watch>,
    /// What the watch knows; events change it.
    watched: Arc<Setup>,
    /// What passed through what since the last rows.
    passages: Vec<Passage>,
    pub(super) passed: Vec<Passed>,
    /// How many passages there were in all.
    pub(super) count: u64,
    /// The frame at which it diverged, where its steps were watched.
    diverged: Option<u64>,
}

impl Traced {
    pub(super) fn new(
        table: &dyn Table,
        (panel, body): (u64, u64),
        setup: &Arc<Setup>,
        label: String,
    ) -> Self {
        let mut simulation = Simulation::new(Arc::clone(setup));
        table.prepare(&mut simulation);
        let watch = || Watch::new(&setup.model, simulation.state());
        let watch = (table.moments() != Moments::Frames).then(watch);
        Self {
            label,
            panel,
            body,
            simulation,
            watch,
            watched: Arc::clone(setup),
            passages: Vec::new(),
            passed: Vec::new(),
            count: 0,
            diverged: None,
        }
    }

    /// The frame at which it diverged.
    pub(super) fn diverged(&self) -> Option<u64> {
        match self.simulation.outcome() {
            Outcome::Diverged { frame, .. } => Some(frame),
            Outcome::Fine => self.diverged,
        }
    }

    /// Goes on to a frame. `at_step` hears of each step where the table has rows for steps.
    pub(super) fn advance(
        &mut self,
        frame: u64,
        at_step: &mut dyn FnMut(&mut Self) -> io::Result<()>,
        has_rows: bool,
    ) -> Result<(), Stopped> {
        if self.watch.is_none() {
            self.simulation.advance_frame();
            return Ok(());
        }
        for _ in 0..self.simulation.setup().substeps {
            self.renew_watch();
            self.simulation.step();
            if self.simulation.refusal().is_some() {
                return Ok(());
            }
            self.look(frame)?;
            if has_rows {
                at_step(self)?;
            }
        }
        if self.diverged.is_none() && self.simulation.is_out_of_order() {
            self.diverged = Some(frame);
        }
        Ok(())
    }

    /// Watches what events have made of the body.
    fn renew_watch(&mut self) {
        let setup = self.simulation.setup();
        if !Arc::ptr_eq(setup, &self.watched) {
            self.watch = Some(Watch::new(&setup.model, self.simulation.state()));
            self.watched = Arc::clone(setup);
        }
    }

    /// Looks at the last step. Numbers of a run that has diverged mean nothing, so nothing passes
    /// there.
    fn look(&mut self, frame: u64) -> Result<(), TooNear> {
        let (simulation, is_lost) = (&self.simulation, self.diverged.is_some());
        let Some(watch) = self.watch.as_mut().filter(|_| !is_lost) else { return Ok(()) };
        let model = &simulation.setup().model;
        let found = watch.look(model, simulation.state(), simulation.springs())?;
        if found.is_empty() || simulation.is_out_of_order() {
            return Ok(());
        }
        self.count += found.len() as u64;
        for passage in &found {
            if self.passed.len() < MOST_PASSED {
                self.passed.push(Passed::new(&self.label, simulation, frame, passage));
            }
        }
        self.passages.extend(found);
        Ok(())
    }

    /// Hands out its rows.
    pub(super) fn write(
        &mut self,
        table: &dyn Table,
        frame: u64,
        cells: &mut Vec<Cell>,
        take: &mut dyn FnMut(&[Cell]) -> io::Result<()>,
    ) -> io::Result<()> {
        let time = Cell::Real(self.simulation.state().t);
        let place = [Cell::Whole(frame), time, Cell::Whole(self.panel), Cell::Whole(self.body)];
        let mut rows = Rows { place, take, cells };
        table.write(&self.simulation, &self.passages, &mut rows)?;
        self.passages.clear();
        Ok(())
    }
}

/// Why a frame was not finished.
#[derive(Debug, thiserror::Error)]
pub(super) enum Stopped {
    #[error(transparent)]
    TooNear(#[from] TooNear),
    #[error(transparent)]
    Write(#[from] io::Error),
}

impl Stopped {
    /// The error of a trace of this scene.
    pub(super) fn of_scene(self, scene: &str) -> super::TraceError {
        match self {
            Self::Write(error) => error.into(),
            Self::TooNear(error) => RunError::Exhausted(format!(
                "{scene}: {error}\n  help: lower the number of nodes, or trace without --topology"
            ))
            .into(),
        }
    }
}
