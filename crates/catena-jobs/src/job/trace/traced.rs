//! A body of a trace: its simulation, the check for passages, and their description.

use super::table::{Cell, Moments, RowSink, TableWriter};
use crate::job::RunError;
use catena_analysis::topology::{Element, Passage, TooNear, Watch};
use catena_sim::{Form, Outcome, Setup, Simulation};
use std::sync::Arc;
use std::{fmt, io};

/// Maximum number of passages that are described. Further ones are only counted.
const MAX_PASSED: usize = 1000;

/// A body whose simulation is traced.
pub(super) struct Traced {
    /// Label of the body in messages.
    pub(super) label: String,
    panel: u64,
    body: u64,
    pub(super) simulation: Simulation,
    watch: Option<Watch>,
    /// Setup for which the watch was created. Events may replace the setup of the simulation.
    watched: Arc<Setup>,
    /// Passages since the last rows.
    passages: Vec<Passage>,
    pub(super) passed: Vec<Passed>,
    /// Total number of passages.
    pub(super) count: u64,
    /// Frame at which the body diverged, if its steps are checked.
    diverged: Option<u64>,
}

impl Traced {
    pub(super) fn new(
        table: &dyn TableWriter,
        panel: u64,
        body: u64,
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

    /// Frame at which the body diverged.
    pub(super) fn diverged(&self) -> Option<u64> {
        match self.simulation.outcome() {
            Outcome::Diverged { frame, .. } => Some(frame),
            Outcome::Fine => self.diverged,
        }
    }

    /// Advances to a frame. If `has_rows` is set, `at_step` is called after each step.
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
            self.check_passages(frame)?;
            if has_rows {
                at_step(self)?;
            }
        }
        if self.diverged.is_none() && self.simulation.is_out_of_order() {
            self.diverged = Some(frame);
        }
        Ok(())
    }

    /// Creates a new watch after an event has changed the setup.
    fn renew_watch(&mut self) {
        let setup = self.simulation.setup();
        if !Arc::ptr_eq(setup, &self.watched) {
            self.watch = Some(Watch::new(&setup.model, self.simulation.state()));
            self.watched = Arc::clone(setup);
        }
    }

    /// Checks the last step for passages. A diverged run is not checked, since its numbers are
    /// meaningless.
    fn check_passages(&mut self, frame: u64) -> Result<(), TooNear> {
        let (simulation, is_lost) = (&self.simulation, self.diverged.is_some());
        let Some(watch) = self.watch.as_mut().filter(|_| !is_lost) else { return Ok(()) };
        let model = &simulation.setup().model;
        let found = watch.advance(model, simulation.state(), simulation.springs())?;
        if found.is_empty() || simulation.is_out_of_order() {
            return Ok(());
        }
        self.count += found.len() as u64;
        for passage in &found {
            if self.passed.len() < MAX_PASSED {
                self.passed.push(Passed::new(&self.label, simulation, frame, passage));
            }
        }
        self.passages.extend(found);
        Ok(())
    }

    /// Writes the rows of the body.
    pub(super) fn write(
        &mut self,
        table: &dyn TableWriter,
        frame: u64,
        cells: &mut Vec<Cell>,
        receive: &mut dyn FnMut(&[Cell]) -> io::Result<()>,
    ) -> io::Result<()> {
        let time = Cell::Real(self.simulation.state().t);
        let place = [Cell::Whole(frame), time, Cell::Whole(self.panel), Cell::Whole(self.body)];
        let mut rows = RowSink { place, receive, cells };
        table.write(&self.simulation, &self.passages, &mut rows)?;
        self.passages.clear();
        Ok(())
    }
}

/// Error within a frame.
#[derive(Debug, thiserror::Error)]
pub(super) enum Stopped {
    #[error(transparent)]
    TooNear(#[from] TooNear),
    #[error(transparent)]
    Write(#[from] io::Error),
}

impl Stopped {
    /// Converts the error for a trace of this scene.
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

/// A segment or facet that passed through another, which is a fault of the simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Passed {
    /// Label of the body in messages.
    pub label: String,
    /// Elements that passed through each other, and the place.
    pub passage: Passage,
    /// Names of the two elements: `segment 12 of ring "a"`.
    pub names: [String; 2],
    /// Frame that ends the interval with the step.
    pub frame: u64,
    /// Number of the step since the start, from 1.
    pub step: u64,
    /// Simulated time of the passage.
    pub time: f64,
    /// Whether contact of the body with itself was enabled.
    pub has_contact: bool,
}

impl Passed {
    pub(super) fn new(label: &str, simulation: &Simulation, frame: u64, passage: &Passage) -> Self {
        let (setup, step) = (simulation.setup(), simulation.steps());
        let parts = setup.model.part_list();
        let name = |element: Element| {
            let Some(part) = parts.get(element.part) else { return String::new() };
            let form = form(&part.form);
            let of =
                if part.name.is_empty() { String::new() } else { format!(" \"{}\"", part.name) };
            format!("{} {} of {form}{of}", element.kind, element.index)
        };
        Self {
            label: label.to_owned(),
            passage: *passage,
            names: [name(passage.a), name(passage.b)],
            frame,
            step,
            time: ((step - 1) as f64 + passage.share) * setup.dt(),
            has_contact: setup.contacts.drawn.is_some(),
        }
    }
}

fn form(form: &Form) -> &'static str {
    match form {
        Form::Rope { closed: true } => "ring",
        Form::Rope { closed: false } => "rope",
        Form::Sheet { .. } => "cloth",
        Form::Mesh { .. } => "mesh",
        Form::Graph => "net",
        Form::Solid(_) => "solid",
    }
}

impl fmt::Display for Passed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { label, names: [a, b], frame, step, time, has_contact, .. } = self;
        let fault = if *has_contact {
            "contact failed to keep them apart; use a shorter step or a greater thickness"
        } else {
            "nothing keeps them apart; use contact: (of: Drawn, thickness: …)"
        };
        write!(
            f,
            "\"{label}\": {a} passed through {b} in frame {frame}, step {step}, at time {time:.6}: \
             this is an error of the simulation: {fault}"
        )
    }
}
