//! Figures of orders and of modes on ordinary ropes in SI units, and reports whose runs would never
//! end.

use crate::{catena, repository, scene, scene_of};
use catena::analysis::{
    budget::CoreTime,
    modes, order,
    order::{DampingForces, ErrorCurve, NoOrder, Orders, SlopeVerdict},
    settle::rest_state,
};
use catena::figure::chart::Mark;
use catena::figure::study::{Study, modes as modes_figure, order as order_figure, subjects};
use catena::render::theme::Ink;
use catena::scene::{Scene, SceneText, load};
use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};
use std::time::Duration;

fn defect(name: &str) -> Scene {
    let path = repository("tests/defects").join(name).with_extension("ron");
    load(&SceneText::read(&path).unwrap(), &[]).unwrap()
}

/// Methods that evaluate forces at a velocity of another time, according to theory.
const LOSERS: [&str; 3] = ["VelocityVerlet", "StormerVerlet", "Yoshida4"];

/// Least-squares slope over the points within four times the shortest step.
fn slope(curve: &ErrorCurve) -> f64 {
    let shortest = curve.points.last().unwrap().dt;
    let points = curve.points.iter().filter(|point| point.dt < 4.1 * shortest);
    let logs: Vec<[f64; 2]> =
        points.map(|point| [libm::log(point.dt), libm::log(point.error)]).collect();
    let mean = [0, 1].map(|k| logs.iter().map(|log| log[k]).sum::<f64>() / logs.len() as f64);
    let over =
        |k: usize| logs.iter().map(|log| (log[0] - mean[0]) * (log[k] - mean[k])).sum::<f64>();
    over(1) / over(0)
}

/// Compares runs with theory, and returns how many methods have an order.
fn hold(name: &str, found: &Orders, damping: DampingForces) -> usize {
    let mut resolved = 0;
    for curve in &found.curves {
        let name = format!("{name}, {damping:?}: {}", curve.method.name);
        let is_lost = damping == DampingForces::With && LOSERS.contains(&curve.method.name);
        let theory = if is_lost { 1 } else { curve.method.order.unwrap() };
        assert_eq!(curve.order, theory, "{name}");
        for point in &curve.points {
            assert!(
                point.error > 10.0 * found.reference.error,
                "{name}: {point:?} {:?}",
                found.reference
            );
        }
        if let SlopeVerdict::Straight { slope: stated } = curve.verdict {
            resolved += 1;
            assert!((stated - f64::from(theory)).abs() <= 0.15, "{name}: {stated}");
            let slope = slope(curve);
            assert!((slope - f64::from(theory)).abs() <= 0.2, "{name}: {slope}, not {theory}");
        }
    }
    resolved
}

#[test]
fn orders_on_ordinary_ropes_are_those_of_theory() {
    let mut scenes = vec![
        ("11".to_string(), defect("11_order_caption")),
        ("11b".to_string(), defect("11b_order_missing")),
    ];
    let ropes =
        (5_u32..14, 50.0..3000.0_f64, 0.02..0.3_f64, 0.01..0.3_f64, -1.2..0.6_f64, any::<bool>());
    let mut runner = TestRunner::deterministic();
    for _ in 0..crate::cases(1) {
        let (nodes, stiffness, mass, drag, height, has_two) =
            ropes.new_tree(&mut runner).unwrap().current();
        let pins = if has_two { format!("0, {}", nodes - 1) } else { "0".into() };
        let text = format!(
            "Scene(base: (frame_time: 0.02, gravity: (0, -9.81), drag: {drag}, rope: (start: (0, 0), end: (1.5, {height}),
                nodes: {nodes}, stiffness: {stiffness}, mass: {mass}, pins: [{pins}])))"
        );
        scenes.push((text.clone(), scene_of(&text)));
    }
    for (name, scene) in &scenes {
        let setup = &scene.panels[0].bodies[0].setup;
        let [plain, damped] = [DampingForces::Without, DampingForces::With].map(|damping| {
            let found = order::orders(setup, damping).unwrap();
            let resolved = hold(name, &found, damping);
            assert!(resolved + 2 >= found.curves.len(), "{name}, {damping:?}: {resolved}");
            assert!(found.reference.error < 1e-11, "{name}: {:?}", found.reference);
            found
        });
        let studies = order_figure::studies(&plain, Some(&Ok(damped)), &subjects(scene));
        let [order, work] = &studies[..] else { panic!() };
        for title in ["Velocity Verlet", "Störmer-Verlet", "Yoshida 4"] {
            let fall = order.remarks.split("these methods fall below their order").nth(1).unwrap();
            assert!(fall.contains(title), "{name}: {title}: {fall}");
        }
        for (title, theory) in
            [("Explicit Euler", "1"), ("Semi-implicit Euler", "1"), ("Position Verlet", "2")]
        {
            let row = order.table.rows.iter().find(|row| row[0] == title).unwrap();
            assert_eq!(row[1], theory, "{name}: {row:?}");
            assert!(row.len() == 4 && order.table.head.len() == 4, "{name}: {row:?}");
        }
        for column in [1, 2] {
            let minimum = work.table.rows.iter().filter(|row| row[column].ends_with(", the least"));
            assert!(minimum.count() >= 1, "{name}: {:?}", work.table);
        }
        hold_looks(name, order);
    }
}

/// Checks that the scene's method is coloured, that all others are grey, and that no two lines look
/// alike.
fn hold_looks(name: &str, order: &Study) {
    let marks = &order.chart.plots[0].marks;
    let (mut lines, mut markers) = (Vec::new(), Vec::new());
    for mark in marks {
        match mark {
            Mark::Line { color, label: Some(label), dash, .. } => lines.push((label, color, dash)),
            Mark::Points { label: Some(label), shape, .. } => markers.push((label, shape)),
            _ => {}
        }
    }
    let grey = |color: &&Ink| color.0.iter().max().unwrap() - color.0.iter().min().unwrap() < 20;
    let colored: Vec<_> = lines.iter().filter(|(_, color, _)| !grey(color)).collect();
    assert_eq!(colored.len(), 1, "{name}: {colored:?}");
    assert!(colored[0].0.starts_with("Semi-implicit Euler: 1.0"), "{name}: {colored:?}");
    assert_eq!(colored[0].0, lines.last().unwrap().0, "{name}: it lies over all others");
    for (index, (label, _, dash)) in lines.iter().enumerate() {
        let shape = |of: &String| markers.iter().find(|(label, _)| *label == of).unwrap().1;
        let same =
            lines[..index].iter().find(|other| other.2 == *dash && shape(other.0) == shape(label));
        assert!(same.is_none(), "{name}: {label} looks as {same:?}");
    }
}

#[test]
fn what_has_no_order_is_said() {
    let still = scene_of("Scene(base: (gravity: (0, 0), rope: (nodes: 4)))");
    let large = scene_of("Scene(base: (rope: (nodes: 30000)))");
    for (scene, reason) in [(still, NoOrder::Still), (large, NoOrder::Large)] {
        let found = order::orders(&scene.panels[0].bodies[0].setup, DampingForces::Without);
        assert_eq!(found.err(), Some(reason));
        assert!(order_figure::missing(reason).starts_with("No figures of the order"));
    }
}

#[test]
fn methods_that_lose_their_order_are_listed() {
    let run = catena().arg("methods").assert().success();
    let text = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    // A method begins in the second column, and its continuation lines are indented further.
    let methods = text.split("\n  ").fold(Vec::<String>::new(), |mut all, line| {
        match (line.starts_with(' '), all.last_mut()) {
            (true, Some(last)) => *last += line,
            _ => all.push(line.into()),
        }
        all
    });
    let words = |it: &String| it.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = methods.iter().map(words).collect();
    let names: Vec<&str> = lines
        .iter()
        .filter(|line| line.contains(", 1 with drag or friction in springs"))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(names, LOSERS);
}

#[test]
fn a_peak_belongs_to_one_mode_or_to_modes_that_nobody_can_tell_apart() {
    let close = defect("13_modes_one_peak");
    let others = [defect("11_order_caption"), defect("11b_order_missing"), scene("compare", &[])];
    let cases = others.iter().map(|scene| (scene, None));
    for (scene, together) in cases.chain([(&close, Some("8.438 and 8.512"))]) {
        for subject in subjects(scene) {
            let body = subject.body;
            let rest = rest_state(&body.setup, 100).unwrap();
            let natural = modes::natural_about(&body.setup, &rest).unwrap();
            let found =
                modes::compare(&body.setup, &rest, natural, CoreTime { seconds: 5.0 }).unwrap();
            let mut next = 0;
            let mut last = 0.0;
            for peak in &found.peaks {
                assert_eq!(peak.modes.start, next, "{found:?}");
                next = peak.modes.end;
                let measured = peak.measured.unwrap();
                assert!(measured > last, "two modes have one peak: {:?}", found.peaks);
                last = measured;
                let [low, high] =
                    [peak.modes.start, peak.modes.end - 1].map(|i| found.modes[i].expected);
                assert!(measured > 0.98 * low && measured < 1.02 * high, "{peak:?} {low} {high}");
            }
            assert_eq!(next, found.modes.len());
            let study = modes_figure::spectra(&[(subject, found)]).unwrap();
            let rows = study.table.rows;
            let shared = rows.iter().find(|row| row[4].ends_with(" for all"));
            assert_eq!(shared.map(|row| &*row[2]), together, "{rows:?}");
            assert_eq!(together.is_some(), study.remarks.contains("share a peak"));
        }
    }
}

#[test]
fn reports_end_whatever_a_frame_lasts() {
    for (frame_time, substeps, expected) in [
        ("1e-12", 16, "No stability map of &quot;Semi-implicit Euler&quot;: one step per frame is"),
        ("1e-7", 1000, "No spectrum of &quot;Semi-implicit Euler&quot;: its steps are too short"),
        ("1e9", 2, "No stability map of &quot;Semi-implicit Euler&quot;: its runs would take"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let scene = format!(
            "Scene(base: (size: (320, 240), frames: 2, frame_time: {frame_time}, substeps: {substeps}, gravity: (0, -9.81), drag: 0.2,
                rest: (limit: 60), rope: (start: (0, 0), end: (2, 0), nodes: 4, stiffness: 400, mass: 0.2, pins: [0])))"
        );
        std::fs::write(folder.path().join("s.ron"), scene).unwrap();
        // Without a budget, this would take days.
        catena()
            .current_dir(&folder)
            .args(["report", "s.ron", "--out", "report", "--quiet", "--study-time", "0.5"])
            .timeout(Duration::from_secs(300))
            .assert()
            .success();
        let page = std::fs::read_to_string(folder.path().join("report/index.html")).unwrap();
        assert!(page.contains(expected), "{frame_time}: no {expected:?}");
    }
}
