//! Records the frames of simulations and figures in a file.

use super::contents::{Contents, ExportedBody};
use super::presence::Presence;
use super::recording::{Layout, Recording};
use catena_sim::drive::rig::Pose;
use catena_sim::{Outcome, Simulation};
use std::{
    fs::File,
    io::{self, BufWriter, Write},
};

/// Recorder of consecutive frames.
pub struct Recorder<'a> {
    contents: &'a Contents,
    file: BufWriter<File>,
    layout: Layout,
    /// Current values of each body. For a diverged body they are those of its last valid frame.
    now: Vec<Vec<f64>>,
    presences: Vec<Presence>,
    pose: Pose,
    frames: usize,
    farthest: f64,
}

impl<'a> Recorder<'a> {
    /// Starts a recording in an empty file opened for reading and writing. `has_motion` also
    /// records velocities, pins, strains and tensions.
    pub fn new(contents: &'a Contents, file: File, has_motion: bool) -> Self {
        let layout = Layout { has_motion };
        let mut pose = Pose::default();
        let now = contents.bodies().map(|body| at_rest(body, layout, &mut pose)).collect();
        Self {
            contents,
            file: BufWriter::with_capacity(1 << 16, file),
            now,
            presences: contents.bodies().map(|_| Presence::default()).collect(),
            layout,
            pose,
            frames: 0,
            farthest: 0.0,
        }
    }

    /// Reads the simulations, one per body in their order. A diverged body and its figures keep
    /// their last values.
    pub fn look<'s>(&mut self, simulations: impl Iterator<Item = &'s Simulation>) {
        let bodies = self.contents.bodies().zip(&mut self.now).zip(&mut self.presences);
        for (((body, now), presence), simulation) in bodies.zip(simulations) {
            if simulation.outcome() != Outcome::Fine {
                continue;
            }
            presence.look(simulation, body.structural, body.springs.len());
            let layout = self.layout;
            fill(body, layout, simulation, now);
            let mut place = layout.figures(body);
            for figure in &body.figures {
                let length = figure.numbers(layout.has_motion);
                (figure.motion)(simulation.state().t, &mut self.pose);
                figure.record(&self.pose, layout.has_motion, &mut now[place..place + length]);
                place += length;
            }
        }
    }

    /// Appends the last values read as the next frame.
    ///
    /// # Errors
    /// Returned if the file cannot be written.
    pub fn keep(&mut self) -> io::Result<()> {
        let all = self.contents.bodies().zip(&self.now).zip(&mut self.presences);
        for ((body, now), presence) in all {
            presence.keep(self.frames);
            let places = now[..body.axes * body.nodes].iter();
            let figures = now[self.layout.figures(body)..].iter();
            self.farthest = places.chain(figures).fold(self.farthest, |most, x| most.max(x.abs()));
            for value in now {
                self.file.write_all(&value.to_le_bytes())?;
            }
        }
        self.frames += 1;
        Ok(())
    }

    /// Ends the recording.
    ///
    /// # Errors
    /// Returned if the file cannot be written.
    pub fn finish(self) -> io::Result<Recording> {
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        let lengths = self.now.iter().map(Vec::len).collect();
        Ok(Recording::new(file, self.layout, lengths, self.presences, self.farthest))
    }
}

/// Initial values of a body, with its figures in their bind poses.
fn at_rest(body: &ExportedBody, layout: Layout, pose: &mut Pose) -> Vec<f64> {
    let mut numbers = vec![0.0; layout.length(body)];
    let mut place = layout.figures(body);
    for figure in &body.figures {
        let length = figure.numbers(layout.has_motion);
        figure.skeleton.bind_pose(pose);
        figure.record(pose, layout.has_motion, &mut numbers[place..place + length]);
        place += length;
    }
    numbers
}

/// Fills in a frame's values of a body, without its figures.
fn fill(body: &ExportedBody, layout: Layout, simulation: &Simulation, now: &mut [f64]) {
    let (setup, state) = (simulation.setup(), simulation.state());
    let count = body.axes * body.nodes;
    now[..count].copy_from_slice(&state.x);
    if !layout.has_motion {
        return;
    }
    now[layout.velocities(body)..][..count].copy_from_slice(&state.v);
    let pinned = &simulation.events().pinned;
    let pinned = if pinned.is_empty() { &setup.model.pinned } else { pinned };
    for (value, is_pinned) in now[layout.pins(body)..].iter_mut().zip(pinned) {
        *value = f64::from(u8::from(*is_pinned));
    }
    let law = setup.spring_law();
    let solved = simulation.tensions();
    let made = setup.model.springs.len() - (body.springs.len() - body.structural);
    let (strains, tensions) = (layout.strains(body), layout.tensions(body));
    for local in 0..body.springs.len() {
        let is_structural = local < body.structural;
        let j = if is_structural { local } else { made + local - body.structural };
        let spring = &setup.model.springs[j];
        let length = setup.model.span(&state.x, spring).1;
        now[strains + local] = finite((length - spring.rest_length) / spring.rest_length);
        let by_law = || {
            let plastic = simulation.springs().plastic(j);
            law.map_or(0.0, |law| law.tension(spring, length, plastic))
        };
        let tension = match solved {
            Some(solved) if is_structural => solved.get(j).copied().unwrap_or(0.0),
            _ => by_law(),
        };
        now[tensions + local] = finite(tension);
    }
}

/// Nearest finite number; 0 for NaN.
fn finite(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(f64::MIN, f64::MAX) }
}
