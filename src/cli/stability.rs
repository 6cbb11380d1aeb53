//! `catena stability`: the longest stable step of each panel, predicted and measured.

use super::{Failure, args::StabilityArgs, say, threads};
use crate::analysis::stability::{
    Stability, Textbook,
    measure::Measured,
    predict::{Place, Prediction},
    stability,
};
use crate::scene::{
    Body, Panel, Scene,
    limits::{Product, Run},
};
use crate::text::{csv, number::digits};
use rayon::prelude::*;

pub(super) fn run(args: &StabilityArgs) -> Result<(), Failure> {
    let frames_of = |scene: &Scene| args.frames.unwrap_or(scene.frames);
    let run = |scene: &Scene| Run::up_to(frames_of(scene), Product::Numbers);
    let (_, scene) = args.scene.load(run)?;
    let frames = frames_of(&scene);
    let pool = threads::pool(threads::wanted(args.threads), "stability", false)?;
    let bodies: Vec<(usize, &Panel, &Body)> = scene
        .panels
        .iter()
        .enumerate()
        .flat_map(|(index, panel)| panel.bodies.iter().map(move |body| (index, panel, body)))
        .collect();
    let found: Vec<Stability> = pool.install(|| {
        let find = |(_, _, body): &(usize, &Panel, &Body)| {
            let film = frames as f64 * body.setup.frame_time;
            stability(&body.setup, &body.gravity, body.has_reference, film)
        };
        bodies.par_iter().map(find).collect()
    });
    let labels = scene.body_labels();
    say::lines(match args.csv {
        true => csv(&bodies, &labels, &found),
        false => report(&scene, &bodies, &labels, &found),
    })
}

type Place3<'a> = (usize, &'a Panel, &'a Body);

fn report(
    scene: &Scene,
    bodies: &[Place3<'_>],
    labels: &[String],
    found: &[Stability],
) -> Vec<String> {
    let mut text = vec![scene.title.clone().unwrap_or_else(|| scene.name.clone())];
    for (((index, _, body), label), found) in bodies.iter().zip(labels).zip(found) {
        text.extend([String::new(), format!("panel {index}: {label} ({})", body.method.name)]);
        for (key, value) in lines(body, found) {
            text.push(format!("  {key:<14} {value}"));
        }
    }
    text
}

/// What is said about a body: a key and a sentence each.
fn lines(body: &Body, found: &Stability) -> Vec<(&'static str, String)> {
    let setup = &body.setup;
    let substeps = |dt: f64| (setup.frame_time / dt).ceil();
    let mut lines = vec![(
        "step",
        format!(
            "dt = {} ({} substeps of a frame of {})",
            five(found.dt),
            setup.substeps,
            setup.frame_time
        ),
    )];
    if setup.chooses_its_step() {
        lines.push(("limit", "chooses its own steps".into()));
        return lines;
    }
    match found.predicted {
        None if setup.method.info().limit.is_none() => {
            lines.push(("predicted", "no limit: the method integrates no springs".into()));
        }
        None => lines.push(("predicted", "no limit: no spring pulls a free node back".into())),
        Some(prediction) => {
            let Prediction { highest, place, longest_step } = prediction;
            let place = if place == Place::Start { "at the start" } else { "hanging at rest" };
            let damping = match highest.damping {
                0.0 => "no damping".into(),
                damping => format!("damping γ = {}", five(damping)),
            };
            lines
                .push(("highest mode", format!("ω = {}, {damping}, {place}", five(highest.omega))));
            lines.push((
                "predicted",
                match longest_step {
                    None => "no step is short enough: it grows at any step".into(),
                    Some(step) if step.is_infinite() => "stable at any step".into(),
                    Some(step) => format!("dt < {} ({} substeps)", five(step), substeps(step)),
                },
            ));
        }
    }
    let measured = match &found.measured {
        Some(measured) => measured_line(measured, setup.frame_time),
        None => "not measured: a run of this scene's time would take too long".into(),
    };
    lines.push(("measured", measured));
    let limit = reference(found);
    if let Some(limit) = limit {
        let share = found.dt / limit;
        let verdict = if share > 1.0 { "over the limit" } else { "within the limit" };
        lines.push(("this step", format!("{} % of the limit: {verdict}", five(100.0 * share))));
    }
    if let (Some(limit), Some(_)) = (limit, found.predicted) {
        let beside = |bound: f64| format!("{} ({})", five(bound), off(bound / limit));
        let Textbook { one_spring, wave } = found.textbook;
        lines.push(("2/√(k/m)", beside(one_spring) + ", right for one mass on one spring"));
        let period = five(0.5 * one_spring);
        let wave = beside(wave);
        lines.push((
            "l/√(k/μ)",
            format!("{wave}, a time only with E A for k: then {period}, a wave over one segment"),
        ));
    }
    lines
}

/// The limit that others are compared with: the predicted one, or the measured one where none is predicted.
fn reference(found: &Stability) -> Option<f64> {
    match found.predicted {
        Some(prediction) => prediction.longest_step.filter(|step| step.is_finite()),
        None => found.measured.and_then(|measured| measured.lost.and(measured.survived)),
    }
}

fn measured_line(measured: &Measured, frame_time: f64) -> String {
    let over = format!("over a time of {}", five(measured.time));
    let substeps = match measured.substeps {
        Some(1) => "1 substep survives".into(),
        Some(n) if measured.lost.is_some() => format!("{n} substeps survive, {} do not", n - 1),
        Some(n) => format!("{n} substeps survive"),
        None => "no number of substeps was found that survives".into(),
    };
    match (measured.survived, measured.lost) {
        (Some(survived), Some(_)) => format!("dt < {} {over}: {substeps}", five(survived)),
        (Some(survived), None) => {
            let frames = five(survived / frame_time);
            format!("no limit found up to dt = {} ({frames} frames) {over}", five(survived))
        }
        (None, Some(lost)) => format!("still lost at dt = {} {over}", five(lost)),
        (None, None) => "not measured".into(),
    }
}

/// How far a bound is from the limit, as a person would say it.
fn off(ratio: f64) -> String {
    match ratio {
        r if !r.is_finite() => "no bound".into(),
        r if r > 2.0 => format!("{} times the limit", five(r)),
        r if r > 1.0 => format!("{} % above the limit", five(100.0 * (r - 1.0))),
        r => format!("{} % below the limit", five(100.0 * (1.0 - r))),
    }
}

/// A number with five digits: frequencies and steps are compared with those of other programs.
fn five(value: f64) -> String {
    digits(value, 5)
}

const COLUMNS: &str = "panel,body,label,method,dt,substeps,omega,damping,predicted_dt,predicted_substeps,time,survived_dt,lost_dt,survived_substeps,one_spring,wave";

fn csv(bodies: &[Place3<'_>], labels: &[String], found: &[Stability]) -> Vec<String> {
    let mut text = vec![COLUMNS.to_owned()];
    let mut last = usize::MAX;
    let mut number = 0;
    for (((panel, _, body), label), found) in bodies.iter().zip(labels).zip(found) {
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
            measured.map(|found| found.time),
            measured.and_then(|found| found.survived),
            measured.and_then(|found| found.lost),
            measured.and_then(|found| found.substeps).map(|n| n as f64),
            Some(found.textbook.one_spring),
            Some(found.textbook.wave),
        ];
        let cells = cells.map(|cell| cell.map_or(String::new(), |value| format!("{value:?}")));
        text.push(format!("{panel},{number},{label},{},{}", body.method.name, cells.join(",")));
    }
    text
}
