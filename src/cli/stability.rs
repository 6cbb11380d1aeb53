//! `catena stability`: maximum stable step of each body, predicted and measured.

use super::{Failure, args::StabilityArgs, figure, paths::GivenPaths, say, threads};
use crate::analysis::budget::CoreTime;
use crate::analysis::lengths::length_warning;
use crate::analysis::stability::{
    Stability, TextbookBounds,
    measure::MeasuredLimit,
    predict::{LimitCause, LimitReach, ModePlace, Prediction},
};
use crate::analysis::statics::fastest_torsion;
use crate::job::{self, ReportOptions, StabilityOptions};
use crate::scene::{Body, Scene};
use crate::sim::Setup;
use crate::text::{
    csv,
    number::{counted, digits},
};

pub(super) fn run(args: &StabilityArgs, paths: &GivenPaths) -> Result<(), Failure> {
    let scene = args.scene.load_for(args.panel.as_deref())?;
    paths.keep(&job::scene_inputs(&scene))?;
    let format = args.figure.as_ref().map(|path| figure::format("--figure", path)).transpose()?;
    figure::check_style(&args.style, args.figure.is_some())?;
    if let Some(warning) = scene.override_warning(false) {
        say::aside(&format!("warning: {warning}"));
    }
    let panel = args.panel.as_deref().map(|wanted| job::find_panel(&scene, wanted)).transpose()?;
    let options = StabilityOptions {
        frames: args.frames,
        study_time: args.study_time,
        panel,
        limits: args.scene.limit.limits(),
        threads: None,
    };
    let pool = threads::pool(threads::wanted(args.threads), "stability", false)?;
    let found = pool.install(|| job::stable_steps(&scene, &options))?;
    let all = scene
        .panels
        .iter()
        .enumerate()
        .flat_map(|(index, panel)| panel.bodies.iter().map(move |body| (index, body)));
    let chosen = all
        .zip(scene.body_labels())
        .filter(|((index, _), _)| panel.is_none_or(|panel| panel == *index));
    let (bodies, labels): (Vec<BodyPlace<'_>>, Vec<String>) = chosen.unzip();
    let mut lines = match args.csv {
        true => csv(&bodies, &labels, &found),
        false => report(&scene, &bodies, &labels, &found),
    };
    if let (Some(path), Some(format)) = (&args.figure, format) {
        let limits = args.scene.limit.limits();
        let (frames, study_time) = (args.frames, args.study_time);
        let options = ReportOptions { frames, study_time, limits, ..args.style.options() };
        let shown = panel.map(|panel| job::with_panel(&scene, panel));
        let shown = shown.as_ref().unwrap_or(&scene);
        let made = pool.install(|| job::figure(shown, "stability_regions", &options, &()))?;
        figure::write(&made, path, format)?;
        if !args.csv {
            lines.push(String::new());
            lines.extend(figure::text(&made));
        }
    }
    say::lines(lines)
}

/// Index of a panel, and one of its bodies.
type BodyPlace<'a> = (usize, &'a Body);

fn report(
    scene: &Scene,
    bodies: &[BodyPlace<'_>],
    labels: &[String],
    found: &[Stability],
) -> Vec<String> {
    let mut text = vec![scene.title.clone().unwrap_or_else(|| scene.name.clone())];
    for (((index, body), label), found) in bodies.iter().zip(labels).zip(found) {
        let panel = index + 1;
        text.extend([String::new(), format!("panel {panel}: {label} ({})", body.method.name)]);
        for (key, value) in lines(body, found) {
            text.push(format!("  {key:<14} {value}"));
        }
    }
    text
}

/// Keys and sentences about a body.
fn lines(body: &Body, found: &Stability) -> Vec<(&'static str, String)> {
    let setup = &body.setup;
    let mut lines = vec![(
        "step",
        format!(
            "dt = {} ({} of a frame of {})",
            five(found.dt),
            counted(setup.substeps, "substep"),
            setup.frame_time
        ),
    )];
    if setup.chooses_its_step() {
        lines.push(("limit", "none: the steps are adaptive".into()));
        return lines;
    }
    let film = (found.film_time / setup.frame_time).round() as u64;
    lines.extend(length_warning(setup, film).map(|warning| ("lengths", warning)));
    match found.predicted {
        None if !setup.has_known_limit() => {
            let line = "unknown: a slip changes the stability, so only runs can determine the \
                        limit";
            lines.push(("predicted", line.into()));
        }
        None if setup.method.info().limit.is_none() => {
            let line =
                "no limit: the method does not integrate springs, and nothing else limits its step";
            lines.push(("predicted", line.into()));
        }
        None => lines.push(("predicted", "no limit: no spring pulls a free node back".into())),
        Some(prediction) => {
            lines.push((named(&prediction), mode(&prediction)));
            lines.extend(of_rods(setup));
            let spent = found.amounts.predicting;
            lines.push(("predicted", predicted_line(&prediction, setup.frame_time, spent)));
            lines.extend(always_grows(setup, &prediction).map(|line| ("", line)));
        }
    }
    lines.extend(measured_lines(body, found));
    lines.extend(verdict(body, found).map(|verdict| ("this step", verdict)));
    let of_springs = found.predicted.filter(|found| found.cause == LimitCause::Springs);
    lines.extend(of_springs.and_then(|found| growth(setup, &found)).map(|line| ("", line)));
    lines.extend(textbook_lines(setup, found));
    lines
}

/// Textbook bounds, for comparison with the limit. Empty if springs do not limit the step.
fn textbook_lines(setup: &Setup, found: &Stability) -> Vec<(&'static str, String)> {
    let of_springs = found.predicted.filter(|found| found.cause == LimitCause::Springs);
    let (Some((limit, _)), Some(_)) = (reference(found), of_springs) else { return Vec::new() };
    let with_share = |bound: f64| format!("{} ({})", five(bound), off(bound / limit));
    let TextbookBounds { one_spring, wave } = found.textbook;
    let right = match setup.method.info().limit {
        Some(2.0) => "exact for one mass on one spring",
        _ => "exact for one mass on one spring with semi-implicit Euler, but not with this method",
    };
    let period = five(0.5 * one_spring);
    let wave = format!(
        "{}; this is a time only if k is E A, not the k of a spring: with E A it is {period}, in \
         which a wave crosses one segment",
        with_share(wave)
    );
    vec![("2/√(k/m)", format!("{}, {right}", with_share(one_spring))), ("l/√(k/μ)", wave)]
}

/// Results of runs, and the criterion for a lost run.
fn measured_lines(body: &Body, found: &Stability) -> Vec<(&'static str, String)> {
    let (setup, maximum) = (&body.setup, found.amounts.measuring);
    let raise = raise(found, setup);
    let Some(measured) = &found.measured else {
        let line =
            format!("not measured: a run would take more than the limit of {maximum}; {raise}");
        return vec![("measured", line)];
    };
    let strain = five(100.0 * measured.test.strain);
    if let (None, None, Some(lost)) = (setup.method.info().limit, found.predicted, measured.lost) {
        let time = five(measured.test.time);
        let line = format!(
            "no run diverges, but at dt = {} a spring stretches by more than {strain} % within a \
             time of {time}",
            five(lost)
        );
        return vec![("measured", line)];
    }
    let line = measured_beyond(found, measured)
        .unwrap_or_else(|| measured_line(measured, setup.frame_time, maximum, &raise));
    let mut lines = vec![("measured", line)];
    if measured.lost.is_some() {
        let calm = match measured.test.strain < setup.strain_limit {
            true => ", three times as far as with a short step of semi-implicit Euler",
            false => "",
        };
        let line = format!(
            "a run counts as diverged when a spring stretches by more than {strain} \
                     %{calm}"
        );
        lines.push(("", line));
        lines.extend(slow_growth(setup, found, measured).map(|line| ("", line)));
        lines.extend(bounded_growth(found, measured).map(|line| ("", line)));
    }
    lines
}

/// Ratio of the measured limit to the predicted one above which the difference is explained.
const LATER: f64 = 1.2;

/// Explanation of a measured limit beyond the predicted one: between the two, motions grow too
/// slowly to be lost within the time of a run.
fn slow_growth(setup: &Setup, found: &Stability, measured: &MeasuredLimit) -> Option<String> {
    let prediction = found.predicted.filter(|found| found.cause == LimitCause::Springs)?;
    let (longest, survived) = (prediction.longest_step?, measured.survived?);
    if survived <= LATER * longest {
        return None;
    }
    let substeps = (setup.frame_time / survived).round().max(1.0) as u64;
    let tenfold = prediction.tenfold_time(&Setup { substeps, ..setup.clone() })?;
    Some(format!(
        "this is {} times the predicted limit: between the two limits, motions grow too slowly to \
         diverge in that time; at dt = {}, the highest mode grows tenfold in a time of {}",
        five(survived / longest),
        five(setup.frame_time / substeps as f64),
        five(tenfold)
    ))
}

/// Ratio of both limits above which the difference is explained, for forces on bodies with
/// preserved lengths.
const HELD_LATER: f64 = 1.05;

/// Explanation of a measured limit beyond the predicted one for a method that corrects lengths.
/// Small motions across the segments grow, but the held lengths bound them.
fn bounded_growth(found: &Stability, measured: &MeasuredLimit) -> Option<String> {
    let prediction = found.predicted.filter(|found| found.cause == LimitCause::Forces)?;
    let (longest, survived) = (prediction.longest_step?, measured.survived?);
    (survived > HELD_LATER * longest).then(|| {
        format!(
            "this is {} times the predicted limit: between the two limits, small motions grow \
             until the fixed lengths bound them, so no spring stretches, but the motion is noise; \
             stay below the predicted limit",
            five(survived / longest)
        )
    })
}

/// Advice on the option that raises a budget.
const RAISE: &str = "--study-time SECONDS raises it";

/// Advice on the budget of runs. Includes a sufficient study time if it can be estimated. An
/// estimate below the time that was spent is wrong, so twice that time is proposed instead.
fn raise(found: &Stability, setup: &Setup) -> String {
    let spent = found.study_time();
    match found.enough(setup).filter(|seconds| *seconds < 1e6).map(round_up) {
        Some(seconds) if seconds > spent => format!("{RAISE}; about {seconds} is enough"),
        Some(_) if spent.is_finite() => format!("{RAISE}; try {}", round_up(2.0 * spent)),
        _ => RAISE.into(),
    }
}

/// Rounds a finite number of seconds up to one significant digit.
fn round_up(seconds: f64) -> f64 {
    let mut power = 1.0;
    while 10.0 * power <= seconds {
        power *= 10.0;
    }
    (seconds / power).ceil().max(1.0) * power
}

/// Explanation for methods whose undamped modes grow with every step: the limit that damping gives,
/// and the effect of a smaller step. `None` for other methods.
fn always_grows(setup: &Setup, found: &Prediction) -> Option<String> {
    let grows = setup.method.info().limit == Some(0.0) && found.cause == LimitCause::Springs;
    let title = setup.method.info().title;
    match found.longest_step.filter(|_| grows)? {
        step if step.is_infinite() => None,
        step => Some(format!(
            "{title} adds energy to every vibration at every dt; damping removes more than that \
             only at dt below {}",
            five(step)
        )),
    }
}

/// Growth of the highest mode with the scene's own step, if it grows.
fn growth(setup: &Setup, found: &Prediction) -> Option<String> {
    let growth = found.growth(setup);
    let time = found.tenfold_time(setup)?;
    let frames = five(time / setup.frame_time);
    Some(format!(
        "the highest mode grows by a factor of {growth:.6} per step, and tenfold in a time of {} \
         ({frames} frames)",
        five(time)
    ))
}

/// Highest modes of rods across their axes and of their sections. They are listed in addition to
/// the highest mode of all springs.
fn of_rods(setup: &Setup) -> Vec<(&'static str, String)> {
    let Some(rods) = setup.rods() else { return Vec::new() };
    let (model, mut lines) = (&setup.model, Vec::new());
    let across = rods.rods().flat_map(|rod| {
        let bending = rod.all_sections().iter().flat_map(|one| one.bending).fold(0.0, f64::max);
        let length = |spring: &usize| model.springs[*spring].rest_length;
        let shortest = rod.springs.iter().map(length).fold(f64::INFINITY, f64::min);
        let free = rod.nodes.iter().filter(|node| !model.pinned[**node]);
        let masses = free.map(|node| model.mass[*node]);
        let mass = masses.fold(f64::INFINITY, f64::min);
        let omega = 4.0 * (bending / (mass * shortest * shortest * shortest)).sqrt();
        (omega > 0.0).then_some(omega)
    });
    if let Some(omega) = across.reduce(f64::max) {
        let line = format!("ω = {} for bending alone, 4/l² √(EI/ρA)", five(omega));
        lines.push(("across", line));
    }
    if let Some(omega) = fastest_torsion(setup, &setup.initial) {
        let omega = five(omega);
        lines.push((
            "torsion",
            format!(
                "ω up to {omega}; an implicit rule rotates the sections, so torsion does not \
                     limit the step"
            ),
        ));
    }
    lines
}

/// Name of a mode.
fn named(found: &Prediction) -> &'static str {
    match found.cause {
        LimitCause::Springs => "highest mode",
        LimitCause::Friction => "friction",
        LimitCause::Forces => "other forces",
        LimitCause::Tension => "tension",
    }
}

fn mode(found: &Prediction) -> String {
    let Prediction { highest, place, .. } = found;
    let place = match place {
        ModePlace::Start => "at the start".into(),
        ModePlace::Taut => "at the start, once the slack ropes of routes are taut".into(),
        ModePlace::Rest => "at rest".into(),
        ModePlace::Passing { time } => format!("at time {} of the simulation", five(*time)),
    };
    let place = match found.is_rest_known {
        true => place,
        false => format!("{place}; it may be higher at rest, but the shape at rest was not found"),
    };
    let damping = match highest.damping {
        0.0 => "no damping".into(),
        damping => format!("damping γ = {}", five(damping)),
    };
    format!("ω = {}, {damping}, {place}", five(highest.omega))
}

fn predicted_line(found: &Prediction, frame_time: f64, maximum: CoreTime) -> String {
    let line = match found.longest_step {
        None => {
            return "no step is short enough: without damping the method gains energy at every step size, and shorter steps only slow the growth".into();
        }
        Some(step) if step.is_infinite() => return "stable at any step".into(),
        Some(step) => {
            // A run with that step passes through states other than the simulated ones.
            let minimum =
                if matches!(found.place, ModePlace::Passing { .. }) { "at least " } else { "" };
            let substeps = counted((frame_time / step).ceil() as u64, "substep");
            format!("dt < {} ({minimum}{substeps})", five(step))
        }
    };
    let spent = format!("the limit of {maximum} was reached; {RAISE}");
    match found.reach {
        LimitReach::Whole => line,
        LimitReach::Until(time) => {
            format!("{line} up to time {}; unknown beyond, because {spent}", five(time))
        }
        LimitReach::Uncorrected => format!(
            "{line} for forces alone; the effect of length corrections is unknown, because {spent}"
        ),
        LimitReach::TooLong => format!(
            "{line} is too long: springs became stiffer in runs with shorter steps, until {spent}"
        ),
    }
}

/// Verdict on the scene's own step. `None` if there is no limit and no run of the film.
fn verdict(body: &Body, found: &Stability) -> Option<String> {
    let is_lost = found.film == Some(false);
    let has_limit = body.setup.method.info().limit.is_some() || found.predicted.is_some();
    let Some((limit, reach)) = reference(found).filter(|_| has_limit) else {
        return is_lost.then(|| "a run of the film with this step diverges".into());
    };
    let share = format!("{} % of the limit", five(100.0 * found.dt / limit));
    let verdict = match (found.dt > limit, reach) {
        (true, LimitReach::Uncorrected) => "over the limit of forces alone".into(),
        (true, _) => "over the limit".into(),
        (false, _) if is_lost => {
            "below the limit, but a run of the film diverges: the limit applies only to small \
             motions"
                .into()
        }
        (false, LimitReach::Whole) => "within the limit".into(),
        (false, LimitReach::Until(time)) => {
            format!("within the limit up to time {}; unknown beyond", five(time))
        }
        (false, LimitReach::Uncorrected) => "within the limit of forces alone".into(),
        (false, LimitReach::TooLong) => "unknown: the predicted limit is too long".into(),
    };
    Some(format!("{share}: {verdict}"))
}

/// Limit with which other bounds are compared: the predicted limit, or else the measured one. The
/// measured limit is preferred over a prediction that omits corrections of lengths.
fn reference(found: &Stability) -> Option<(f64, LimitReach)> {
    let measured = found.measured.and_then(|measured| measured.lost.and(measured.survived));
    let measured = measured.map(|step| (step, LimitReach::Whole));
    match found.predicted {
        Some(own) if own.reach != LimitReach::Uncorrected || measured.is_none() => {
            own.longest_step.filter(|step| step.is_finite()).map(|step| (step, own.reach))
        }
        _ => measured,
    }
}

/// Measured limit if small motions are stable at any step but a run was lost. Runs with other steps
/// may also be lost.
fn measured_beyond(found: &Stability, measured: &MeasuredLimit) -> Option<String> {
    found.predicted?.longest_step.filter(|step| step.is_infinite())?;
    let lost = measured.lost?;
    let time = five(measured.test.time);
    let survives = measured
        .survived
        .map_or(String::new(), |step| format!("; a run with dt = {} does not", five(step)));
    Some(format!(
        "a run with dt = {} diverges within a time of {time}, because its motions are too large \
         for the predicted limit{survives}",
        five(lost)
    ))
}

fn measured_line(
    measured: &MeasuredLimit,
    frame_time: f64,
    maximum: CoreTime,
    raise: &str,
) -> String {
    let over = format!("over a time of {}", five(measured.test.time));
    // An incomplete search is reported.
    let cut = if measured.is_cut_short {
        format!("; the search ended at its limit of {maximum}; {raise}")
    } else {
        String::new()
    };
    let substeps = match measured.substeps {
        Some(1) => "1 substep survives".into(),
        Some(n) if measured.lost.is_some() => format!("{n} substeps survive, {} do not", n - 1),
        Some(n) => format!("{n} substeps survive"),
        None if measured.survived.is_some_and(|step| step > frame_time) => {
            "one step per frame is shorter".into()
        }
        None if measured.is_cut_short => "no number of substeps was determined".into(),
        None => "no number of substeps survives".into(),
    };
    match (measured.survived, measured.lost) {
        (Some(survived), Some(lost)) if measured.is_cut_short && lost / survived > 1.01 => {
            format!("dt < {} to {} {over}: {substeps}{cut}", five(survived), five(lost))
        }
        (Some(survived), Some(_)) => format!("dt < {} {over}: {substeps}{cut}", five(survived)),
        (Some(survived), None) => {
            let frames = five(survived / frame_time);
            let dt = five(survived);
            format!("every run survives up to dt = {dt} ({frames} frames) {over}{cut}")
        }
        (None, Some(lost)) => {
            format!("every run diverges down to dt = {} {over}{cut}", five(lost))
        }
        (None, None) => {
            format!(
                "not measured: a run {over} would take more than its limit of {maximum}; {raise}"
            )
        }
    }
}

/// Describes the ratio of a bound to the limit.
fn off(ratio: f64) -> String {
    match ratio {
        r if !r.is_finite() => "no bound".into(),
        r if r > 2.0 => format!("{} times the limit", five(r)),
        r if r > 1.0 => format!("{} % above the limit", five(100.0 * (r - 1.0))),
        r => format!("{} % below the limit", five(100.0 * (1.0 - r))),
    }
}

/// Formats a number with five digits, for comparison with other programs.
fn five(value: f64) -> String {
    digits(value, 5)
}

const COLUMNS: &str = "panel,body,label,method,dt,substeps,omega,damping,predicted_dt,predicted_substeps,time,survived_dt,lost_dt,survived_substeps,one_spring,wave,reach,reach_time,cut_short,film_survives";

fn csv(bodies: &[BodyPlace<'_>], labels: &[String], found: &[Stability]) -> Vec<String> {
    let mut text = vec![COLUMNS.to_owned()];
    let mut last = usize::MAX;
    let mut number = 0;
    for (((panel, body), label), found) in bodies.iter().zip(labels).zip(found) {
        number = if *panel == last { number + 1 } else { 0 };
        last = *panel;
        let label = csv::cell(label);
        let predicted = found.predicted;
        let limit = predicted.and_then(|found| found.longest_step);
        let of_limit =
            limit.filter(|step| step.is_finite()).map(|step| body.setup.frame_time / step);
        let measured = found.measured;
        let cells = [
            Some(found.dt),
            Some(body.setup.substeps as f64),
            predicted.map(|found| found.highest.omega),
            predicted.map(|found| found.highest.damping),
            limit,
            of_limit,
            measured.map(|found| found.test.time),
            measured.and_then(|found| found.survived),
            measured.and_then(|found| found.lost),
            measured.and_then(|found| found.substeps).map(|n| n as f64),
            Some(found.textbook.one_spring),
            Some(found.textbook.wave),
        ];
        let cells = cells.map(|cell| cell.map_or(String::new(), |value| format!("{value:?}")));
        let method = body.method.name;
        let [cells, known] = [cells.join(","), how_sure(found).join(",")];
        text.push(format!("{panel},{number},{label},{method},{cells},{known}"));
    }
    text
}

/// Last columns: validity of the predicted step, the time up to which it is valid, whether the
/// budget ended the measurement early, and survival of a film with the scene's own step. Unknown
/// values are empty.
fn how_sure(found: &Stability) -> [String; 4] {
    let (reach, time) = match found.predicted.map(|found| found.reach) {
        None => ("", None),
        Some(LimitReach::Whole) => ("whole", None),
        Some(LimitReach::Until(time)) => ("until", Some(time)),
        Some(LimitReach::Uncorrected) => ("uncorrected", None),
        Some(LimitReach::TooLong) => ("too_long", None),
    };
    let is_cut_short = found.measured.map(|found| found.is_cut_short);
    let word = |known: Option<bool>| known.map_or(String::new(), |known| known.to_string());
    let time = time.map_or(String::new(), |time| format!("{time:?}"));
    [reach.into(), time, word(is_cut_short), word(found.film)]
}
