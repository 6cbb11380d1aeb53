//! Advice on open questions after a search: another reading of the file, and what to compare.

use super::super::likeness::{Places, better};
use super::data::Data;
use super::verdict::{Agreement, Finalist, Verdict};
use super::{Outcome, Question, is_enough, row_steps};
use catena_base::text::number::{percent, short};
use catena_scene::recorded::Width;
use catena_sim::Simulation;

/// Returns advice on the open questions of a search.
pub(super) fn advice_of(
    question: &Question<'_>,
    verdict: &Verdict<'_>,
    outcome: Outcome,
    own: Option<&Finalist<'_>>,
) -> Vec<String> {
    let data = verdict.all.first().map_or(&*question.bases.all[0].data, |(it, _)| it.data);
    let all = match outcome {
        Outcome::None => advice(&verdict.all, own, data),
        Outcome::Undecided => vec![of_undecided(verdict)],
        Outcome::Identified => return Vec::new(),
    };
    // A different number of steps between rows may reproduce a file that a float only explains.
    let is_open = match outcome {
        Outcome::None => !is_other_reading(&all),
        _ => verdict.is_rough() || verdict.is_loose(),
    };
    let Some(reading) = is_open.then(|| row_steps::find(question)).flatten() else { return all };
    // With few digits, a different time between rows looks like other values.
    match data.precision.width {
        Width::Double => vec![reading],
        Width::Single | Width::Unknown => [vec![reading], all].concat(),
    }
}

/// Whether the advice is another reading of the file. A fit is then useless.
pub(super) fn is_other_reading(advice: &[String]) -> bool {
    matches!(advice, [one] if !one.starts_with(COMPARE))
}

/// Returns advice for a file that does not distinguish candidates.
fn of_undecided(verdict: &Verdict<'_>) -> String {
    let [near, seen] = verdict.near();
    let beyond = verdict.all.first().filter(|_| verdict.is_loose());
    let stretched = verdict.all.first().filter(|_| verdict.is_stretched());
    if let Some((_, best)) = stretched {
        return format!(
            "the distance is {} times the printed digits, so a value of the scene, such as the \
             number of substeps, may differ a little: write more digits",
            short(best.largest / best.printed)
        );
    }
    match (beyond, is_enough([near, seen])) {
        (Some((_, best)), _) if best.largest > best.printed => format!(
            "the distance is {} times the printed digits. A float explains it, and so does a small \
             difference, such as a weak force, damping inside springs or another number of \
             substeps: write 9 digits, which distinguish both",
            short(best.largest / best.printed)
        ),
        (_, false) => format!(
            "this candidate is well within rounding in {} of the frames that rounding does not \
             blur, and others agree so far: write more digits or use double",
            percent(near, seen)
        ),
        _ => "the file does not distinguish candidates: write more digits or use double, write \
                 more frames, or begin where the rope moves"
            .into(),
    }
}

/// Maximum residual of a proportional motion, relative to the motion.
const PROPORTIONAL: f64 = 0.02;

/// Beginning of the last advice.
pub(super) const COMPARE: &str = "compare the scene with the program";

/// Beginning of the advice about a factor between two motions, for which other values of the scene
/// are an explanation.
pub(super) const MOVES: &str = "up to its first frame the file moves";

/// Returns advice if no candidate reproduces the file.
fn advice(
    nearest: &[(Finalist<'_>, Agreement)],
    own: Option<&Finalist<'_>>,
    data: &Data,
) -> Vec<String> {
    // A wrong reading explains all differences.
    let reading = data.proposal.clone().or_else(|| {
        let nearest = nearest.first().map(|(nearest, _)| nearest);
        let all = nearest.into_iter().chain(own).filter(|_| data.diverges_at().is_none());
        all.into_iter().find_map(other_reading)
    });
    if let Some(reading) = reading {
        return vec![reading];
    }
    let mut all = Vec::new();
    if let Some(factor) = data.factor {
        all.push(format!(
            "the initial positions of the scene are {} times those in the file: if the units differ, --scale {} converts the file",
            short(factor),
            short(factor)
        ));
    }
    if data.from_start.is_some() && !data.is_start && data.factor.is_none() {
        all.push(
            "the file begins at other positions than the scene, and runs from these positions used \
             the scene's velocities: --first-frame N names the frame of the scene that the file \
             begins with"
                .into(),
        );
    }
    let Some(nearest) = own.or(nearest.first().map(|(nearest, _)| nearest)) else { return all };
    if let Some(ratio) = first_ratio(nearest) {
        let ratio = short(ratio);
        all.push(format!(
            "{MOVES} {ratio} times as far as the scene: compare gravity, mass, frame_time and what \
             is in a frame"
        ));
    }
    all.push(format!(
        "{COMPARE}: nodes, rest lengths, mass, stiffness, gravity, drag, frame_time; --set \
         PATH=VALUE changes one, and --substeps N adds a number of steps to those that are tried"
    ));
    all
}

/// Returns advice on another reading of the file that brings a run far nearer.
fn other_reading(finalist: &Finalist<'_>) -> Option<String> {
    let mut run = Simulation::new(finalist.candidate.setup.clone());
    let nodes = run.setup().model.nodes();
    let (mut known, mut data) = (Places::new(), Places::new());
    for (frame, of_file) in &finalist.data.frames {
        for point in &of_file.points {
            data.insert((*frame, point.node as u64), point.place);
        }
    }
    for frame in 0..=finalist.data.last().saturating_add(1) {
        while run.frame() < frame.saturating_add_signed(finalist.offset) {
            run.advance_frame();
        }
        for node in 0..nodes {
            known.insert((frame, node as u64), run.state().position(nodes, node));
        }
    }
    let now = &finalist.data.now;
    Some(better(&known, &data, now.of_times().as_slice())?.description(now))
}

/// Returns the factor between the motions of a file and of a run up to the first frame. `None`
/// unless the motions are proportional and different.
fn first_ratio(finalist: &Finalist<'_>) -> Option<f64> {
    let frame = finalist.data.first_moving();
    let target = frame.checked_add_signed(finalist.offset)?;
    let mut run = Simulation::new(finalist.candidate.setup.clone());
    let (start, nodes) = (run.state().clone(), run.setup().model.nodes());
    while run.frame() < target {
        run.advance_frame();
    }
    let (mut product, mut squares, mut file) = (0.0, 0.0, 0.0);
    let points = &finalist.data.frames.get(&frame)?.points;
    let pairs: Vec<[f64; 2]> = points
        .iter()
        .flat_map(|point| {
            let from = start.position(nodes, point.node);
            let to = run.state().position(nodes, point.node);
            [0, 1, 2].map(|axis| [point.place[axis] - from[axis], to[axis] - from[axis]])
        })
        .collect();
    for [of_file, of_run] in &pairs {
        product += of_file * of_run;
        squares += of_run * of_run;
        file += of_file * of_file;
    }
    let ratio = product / squares;
    let left: f64 = pairs.iter().map(|[a, b]| (a - ratio * b) * (a - ratio * b)).sum();
    let is_proportional = left.sqrt() <= PROPORTIONAL * file.sqrt() && ratio.is_finite();
    (is_proportional && (ratio - 1.0).abs() > PROPORTIONAL).then_some(ratio)
}
