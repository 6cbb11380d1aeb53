//! Check of a scene without rendering: its cost, and cautions, which are facts that a user should
//! know before trusting the pictures.

use super::RunError;
use super::prepare::{faces, limited, view_fit};
use super::threads::{MemoryNeed, OTHER_BYTES, THREAD_BYTES};
use catena_analysis::lengths::length_warning;
use catena_analysis::stability::{warning_amount, warning_counted};
use catena_base::text::{list::quoted, number::digits};
use catena_base::threads::in_pool;
use catena_draw::camera::{SeenFrames, Subject};
use catena_draw::gives_up_view;
use catena_draw::text::Font;
use catena_output::OutputError;
use catena_scene::limits::{Estimate, Extras, FilmEncoding, PlannedRun, Product, facets_advice};
use catena_scene::{Arrangement, Body, Fit, Limits, Panel, Scene, View, Viewpoint, comparability};
use catena_sim::{Bill, Setup};
use rayon::prelude::*;
use std::fmt;
use std::path::PathBuf;

/// Commands that [`Checked::bills`] lists, in its order.
pub const BILLED: [&str; 4] = ["trace", "film (mp4)", "frames", "frames and rest"];

/// Result of a check.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Estimated cost of a render of all frames.
    pub estimate: Estimate,
    /// Estimated memory of a render in bytes: the part for the whole process, and the part per
    /// thread.
    pub memory: [u64; 2],
    /// Costs above half of their limit, one line each.
    pub near: Vec<String>,
    /// Estimated work of a film of the frames in the usual format, mp4, in nanoseconds of one core.
    pub film_work: u128,
    /// Operation counts of each command in [`BILLED`] on the scene.
    pub bills: [Bill; BILLED.len()],
    /// Warnings and notes to read before the pictures are trusted.
    pub cautions: Vec<Caution>,
    /// Region shown by panels without a view of their own. `None` if every panel has a view.
    pub fit: Option<Fit>,
}

/// Checks that a scene can be rendered, and estimates the cost. `font` is a file for letters that
/// the built-in typeface lacks.
///
/// # Errors
/// The render would exceed the limits, the pictures are too small for the panels, or the font
/// cannot be used.
pub fn check(scene: &Scene, limits: &Limits, fonts: &[PathBuf]) -> Result<Checked, RunError> {
    check_frames(scene, scene.frames, scene.size, limits, &Font::new(faces(fonts)?.0))
}

/// Checks the scene for this number of frames and this size, with a font that has already been
/// read.
///
/// # Errors
/// The render would exceed the limits, or the pictures are too small for the panels.
pub fn check_frames(
    scene: &Scene,
    frames: u64,
    size: [u32; 2],
    limits: &Limits,
    font: &Font,
) -> Result<Checked, RunError> {
    let run = PlannedRun::up_to(frames, Product::Pictures { size, settles: true });
    let mut scene = limited(scene, limits, &run)?;
    scene.size = size;
    let seen = SeenFrames::wanted(&scene);
    let fit = view_fit(&scene, font, seen.as_ref())?;
    let (cautions, searches) = cautions_with(&scene, frames, font);
    let (plane, space) = fitted_view(&scene, seen);
    let extras = Extras::of_first(&scene, frames).with_searches(searches).with_view(plane, space);
    let priced = |product| Estimate::with(&scene, &PlannedRun::up_to(frames, product), &extras);
    let estimate = Estimate::with(&scene, &run, &extras);
    let near = estimate.near(limits);
    let film = priced(Product::Film { size, encoding: FilmEncoding::H264 });
    let film_work = film.work();
    let bills = [
        priced(Product::Rows).bill,
        film.bill,
        priced(Product::Pictures { size, settles: false }).bill,
        estimate.bill.clone(),
    ];
    let memory = memory(&scene, size);
    Ok(Checked { estimate, near, film_work, bills, memory, cautions, fit })
}

/// View of panels without one of their own: a part of the plane, or a viewpoint in space.
fn fitted_view(scene: &Scene, seen: Option<SeenFrames>) -> (Option<View>, Option<Viewpoint>) {
    let lacks_view = |panel: &Panel| match scene.axes {
        3 => panel.viewpoint.is_none(),
        _ => panel.view.is_none(),
    };
    if !scene.panels.iter().any(lacks_view) {
        return (None, None);
    }
    let subject = Subject::of_seen(scene, seen);
    let [width, height] = scene.size.map(f64::from);
    match scene.axes {
        3 => (None, Some(subject.viewpoint(width / height).0)),
        _ => (Some(subject.view()), None),
    }
}

/// Estimated memory of a render in bytes: for the whole process, and per thread.
fn memory(scene: &Scene, size: [u32; 2]) -> [u64; 2] {
    let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    let state: u64 = bodies.map(|body| 16 * body.setup.initial.x.len() as u64).sum();
    let MemoryNeed { each, common } = MemoryNeed::of_pictures(size);
    let of_all = common.saturating_add(state.saturating_mul(STATES));
    [of_all.saturating_add(OTHER_BYTES), each.saturating_add(THREAD_BYTES)]
}

/// Estimated number of states per body in memory: frames that wait to be drawn, checkpoints, and
/// buffers of the methods.
const STATES: u64 = 140;

/// A warning or note that a user should read before trusting the pictures of a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caution {
    /// Whether the pictures will be wrong. Otherwise the caution is a note.
    pub is_warning: bool,
    /// Text of the caution, one sentence.
    pub text: String,
}

impl fmt::Display for Caution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_warning { "warning" } else { "note" };
        write!(f, "{kind}: {}", self.text)
    }
}

/// Maximum number of notes that are printed unless all are requested.
const MAX_NOTES: usize = 2;

/// Lines for the terminal: all warnings, and either the first notes or all of them.
pub fn caution_lines(cautions: &[Caution], all_notes: bool) -> Vec<String> {
    let maximum = if all_notes { usize::MAX } else { MAX_NOTES };
    let (mut lines, mut notes) = (Vec::new(), 0);
    for caution in cautions {
        notes += usize::from(!caution.is_warning);
        if caution.is_warning || notes <= maximum {
            lines.push(caution.to_string());
        }
    }
    let held_back = notes.saturating_sub(maximum) as u64;
    if held_back > 0 {
        lines.push(format!(
            "{} more {}; --notes prints all",
            held_back,
            if held_back == 1 { "note" } else { "notes" }
        ));
    }
    lines
}

/// Returns the cautions about the first `frames` frames of a scene: panels with different physics,
/// unsuitable methods, steps above the stability limit, and letters that no typeface has. `font` is
/// a file for letters that the built-in typeface lacks. Some spring laws require test runs of the
/// scene.
///
/// # Errors
/// The font cannot be used.
pub fn cautions(
    scene: &Scene,
    frames: u64,
    fonts: &[PathBuf],
) -> Result<Vec<Caution>, OutputError> {
    Ok(cautions_with(scene, frames, &Font::new(faces(fonts)?.0)).0)
}

/// Returns the cautions about a scene whose font has already been read, and the work of their
/// searches in nanoseconds of one core, as counted.
pub(super) fn cautions_with(scene: &Scene, frames: u64, font: &Font) -> (Vec<Caution>, u64) {
    let (mut all, work) = physics(scene, frames);
    all.extend(missing_letters(scene, font));
    (all, work)
}

/// Returns the cautions that do not depend on fonts, and the work of their searches; see
/// [`cautions_with`].
pub(super) fn physics(scene: &Scene, frames: u64) -> (Vec<Caution>, u64) {
    let note = |text| Caution { is_warning: false, text };
    let overridden = scene.override_warning(false);
    let overridden = overridden.map(|text| Caution { is_warning: true, text });
    let mut all: Vec<Caution> = understood(scene).into_iter().map(note).collect();
    all.extend(overridden);
    all.extend(comparability::notes(scene).into_iter().map(note));
    all.extend(gives_up_view(scene).then(|| {
        note(
            "the view contains everything that bodies can reach, because finding their positions \
              in the frames takes too much work; set a `view` or `camera` to show the bodies \
              larger"
                .into(),
        )
    }));
    all.extend(scene.oversights().into_iter().map(note));
    all.extend(facets_advice(scene).into_iter().map(note));
    let bodies = bodies(scene);
    let maximum = warning_amount(bodies.len());
    let labels: Vec<String> = scene.body_labels().iter().map(|label| quoted(label)).collect();
    let of_bodies = bodies.iter().zip(&labels);
    all.extend(of_bodies.flat_map(|((_, body), label)| {
        body.notes.iter().map(move |text| note(format!("{label}: {text}")))
    }));
    all.extend(bodies.iter().zip(&labels).filter_map(|((_, body), label)| {
        let text = format!("{label}: {}", length_warning(&body.setup, frames)?);
        Some(Caution { is_warning: true, text })
    }));
    all.extend(bodies.iter().zip(&labels).filter_map(|((_, body), label)| {
        let text = format!("{label}: {}", twist_warning(&body.setup, frames)?);
        Some(Caution { is_warning: true, text })
    }));
    let search = |(_, body): &(&Panel, &Body)| warning_counted(&body.setup, frames, maximum);
    let found: Vec<(Option<String>, u64)> = match bodies.len() {
        0 | 1 => bodies.iter().map(search).collect(),
        _ => in_pool(|| bodies.par_iter().map(search).collect()),
    };
    let work = found.iter().map(|(_, work)| work).fold(0, |sum: u64, it| sum.saturating_add(*it));
    all.extend(found.into_iter().zip(&labels).filter_map(|((warning, _), label)| {
        Some(Caution { is_warning: true, text: format!("{label}: {}", warning?) })
    }));
    (all, work)
}

/// Maximum number of turns per rod segment. Beyond half a turn, the sections at its ends look
/// turned in the opposite direction.
const MAX_TURNS: f64 = 0.5;

/// Warning about twist of a rod that its segments cannot represent within `frames` frames.
fn twist_warning(setup: &Setup, frames: u64) -> Option<String> {
    let end = setup.start_time + frames as f64 * setup.frame_time;
    let (turns, segments) = setup.rods()?.most_turns_per_segment(setup.start_time, end);
    (turns > MAX_TURNS).then(|| {
        let needed = (turns * segments as f64 / MAX_TURNS).ceil();
        let (each, all) = (digits(turns, 3), digits(turns * segments as f64, 5));
        format!(
            "{all} turns on {segments} segments are {each} turns per segment, but a segment can \
             represent at most half a turn: sections, contact and motion will be wrong; use at \
             least {needed} segments there, or lower the number of turns"
        )
    })
}

/// Returns sentences about how the reference motions of bodies were read, without duplicates.
pub fn understood(scene: &Scene) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for (_, body) in bodies(scene) {
        let Some(motion) = body.reference.as_ref().map(|it| &it.motion) else { continue };
        let missing = motion.missing_frames(scene.frames);
        let missing = missing.map_or(String::new(), |text| format!("; {text}"));
        let text = motion.description() + &missing;
        if !all.contains(&text) {
            all.push(text);
        }
    }
    all
}

/// Note about letters of titles and labels that no typeface has.
fn missing_letters(scene: &Scene, font: &Font) -> Option<Caution> {
    let mut texts: Vec<&str> = scene.title.iter().map(String::as_str).collect();
    if let Arrangement::Grid { rows, columns } = &scene.arrangement {
        texts.extend(rows.iter().chain(columns).map(String::as_str));
    }
    for (panel, body) in bodies(scene) {
        texts.extend([&*panel.label, &*body.label]);
    }
    let letters: String = font.missing(&texts.join("\n")).into_iter().collect();
    (!letters.is_empty()).then(|| Caution {
        is_warning: false,
        text: format!("no font contains the characters {letters}, which are drawn as boxes; use --font FILE with a font that contains them"),
    })
}

/// All bodies with their panels, in the order of the scene.
pub fn bodies(scene: &Scene) -> Vec<(&Panel, &Body)> {
    let of_panel = |panel| -> Vec<(&Panel, &Body)> {
        let panel: &Panel = panel;
        panel.bodies.iter().map(|body| (panel, body)).collect()
    };
    scene.panels.iter().flat_map(of_panel).collect()
}
