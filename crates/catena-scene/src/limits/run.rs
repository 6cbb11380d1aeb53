//! Check of a run against the limits, and the budgets of its simulations.

use super::{Estimate, FilmEncoding, LIFT, Limits, MINUTE, PlannedRun, Product, too_many};
use crate::diagnostic::Fault;
use crate::error::SceneError;
use crate::file::SceneText;
use crate::parts::Scene;
use catena_base::text::number::{compared_bytes, compared_durations, counted};
use catena_ron::locate;
use catena_sim::Budget;
use std::sync::Arc;

/// Field or option to lower, and the fault of its value.
type RunFault = (&'static str, Fault);

impl Limits {
    /// Rejects a run that would take too long, write too much or draw pictures that are too large.
    ///
    /// # Errors
    /// Returns an error with the amount and the field or option to lower.
    pub fn check_run(
        &self,
        text: &SceneText,
        scene: &Scene,
        run: &PlannedRun,
    ) -> Result<(), SceneError> {
        let frames = match (run.from, run.frames == scene.frames) {
            (1.., _) => "--frame-range",
            (0, true) => "frames",
            (0, false) => "--frames",
        };
        let estimate = Estimate::of(scene, run);
        let checked = self
            .check_frames(run, frames)
            .and_then(|()| self.check_size(scene, run))
            .and_then(|()| self.check_work(run, &estimate, frames, longest_warm_up(scene)))
            .and_then(|()| self.check_output(run, &estimate, frames));
        checked.map_err(|(path, fault)| {
            let span = locate(&text.text, &format!("base.{path}"));
            let fault = Fault { field: Some(path.into()), span, ..fault };
            SceneError::new(&text.origin, &text.text, fault)
        })
    }

    fn check_frames(&self, run: &PlannedRun, field: &'static str) -> Result<(), RunFault> {
        if run.frames <= self.frames {
            return Ok(());
        }
        let fault = too_many(run.frames, "frames", self.frames);
        Err((field, fault.help(lower(&format!("`{field}`")))))
    }

    /// Checks the sides and the pixel count of pictures.
    fn check_size(&self, scene: &Scene, run: &PlannedRun) -> Result<(), RunFault> {
        let Some(size) = run.product.size() else { return Ok(()) };
        let field = if size == scene.size { "size" } else { "--size" };
        let [width, height] = size.map(u64::from);
        let fault = match [width, height].into_iter().find(|side| *side > self.side) {
            Some(side) => too_many(side, "pixels along a side", self.side),
            None if width * height > self.pixels => too_many(width * height, "pixels", self.pixels),
            None => return Ok(()),
        };
        Err((field, fault.help(lower(&format!("`{field}`")))))
    }

    /// Checks the estimated time, which includes the frames before time 0.
    fn check_work(
        &self,
        run: &PlannedRun,
        estimate: &Estimate,
        frames: &'static str,
        warm_up: u64,
    ) -> Result<(), RunFault> {
        if estimate.work() <= self.work {
            return Ok(());
        }
        let is_warm_up = warm_up > run.frames && estimate.drawing <= self.work / 2;
        let before = match is_warm_up {
            true => format!(" and {warm_up} before time 0"),
            false => String::new(),
        };
        let field = if is_warm_up { WARM_UP } else { frames };
        let (what, remedies) = match run.product {
            _ if estimate.drawing <= self.work / 2 => ("", "`substeps` or the number of nodes"),
            Product::Film { encoding, .. } => {
                (", mostly for drawing and encoding", film_remedies(encoding))
            }
            product if product.size().is_some() => {
                (", mostly for drawing", "`size` or the number of nodes")
            }
            _ => (", mostly for writing", "the number of nodes"),
        };
        let [took, maximum] = compared_durations([estimate.work(), self.work]);
        let what = format!(
            "{}{before} would take about {took} of one core{what}; the limit is {maximum}",
            counted(run.frames, "frame"),
        );
        let minutes = estimate.work().div_ceil(MINUTE);
        let help =
            format!("lower `{field}`, {remedies}; --minutes {minutes} allows it, and {LIFT}");
        Err((field, Fault::new(what).help(help)))
    }

    /// Checks the total size of all files.
    fn check_output(
        &self,
        run: &PlannedRun,
        estimate: &Estimate,
        frames: &'static str,
    ) -> Result<(), RunFault> {
        if estimate.bytes <= self.bytes_out {
            return Ok(());
        }
        let [size, maximum] = compared_bytes([estimate.bytes, self.bytes_out]);
        let what = format!(
            "{} would take about {size} on disk, more than the limit of {maximum}",
            counted(run.frames - run.from.min(run.frames), "frame"),
        );
        let help = match run.product {
            Product::Export { .. } => {
                format!(
                    "lower `{frames}` or the number of nodes, or choose one panel with --panel; {LIFT}"
                )
            }
            _ => lower(&format!("`{frames}` or `size`")),
        };
        Err((frames, Fault::new(what).help(help)))
    }

    /// Sets the simulation budget of each body. Bodies whose work cannot be estimated share the
    /// remaining work equally, in addition to their own minimum.
    pub fn allot(&self, scene: &mut Scene, run: &PlannedRun) {
        let left = self.work.saturating_sub(Estimate::of(scene, run).work());
        let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
        let count = bodies.filter(|body| body.setup.is_open()).count().max(1) as u128;
        for body in scene.panels.iter_mut().flat_map(|panel| &mut panel.bodies) {
            let frames = run.frames.saturating_add(body.setup.warm_up);
            let minimum = body.setup.frame_cost().saturating_mul(u128::from(frames));
            let share =
                if body.setup.is_open() { minimum.saturating_add(left / count) } else { self.work };
            let work = u64::try_from(share).unwrap_or(u64::MAX);
            let budget = Budget { work, pairs: self.pairs };
            // Setups are large and shared between copies of a scene, so an unchanged budget must
            // not copy one.
            if body.setup.budget != budget {
                Arc::make_mut(&mut body.setup).budget = budget;
            }
        }
    }
}

/// Returns advice to lower the time of a film, by fields and options.
fn film_remedies(encoding: FilmEncoding) -> &'static str {
    match encoding {
        FilmEncoding::Vp9 | FilmEncoding::Intermediate => {
            "`size` or the number of nodes, or choose h264, which is encoded faster"
        }
        _ => "`size` or the number of nodes",
    }
}

/// Field that sets the time for which bodies move before time 0.
const WARM_UP: &str = "rig.warm_up";

/// Returns the maximum number of frames that a body moves before time 0.
fn longest_warm_up(scene: &Scene) -> u64 {
    let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    bodies.map(|body| body.setup.warm_up).max().unwrap_or(0)
}

/// Returns advice to lower a field or an option.
fn lower(what: &str) -> String {
    format!("lower {what}; {LIFT}")
}
