//! Readability of figures: every method has its own style, captions name lines that end or are
//! hidden, and captions are short.

use crate::{catena, scene_of};
use catena::analysis::settle::{Ending, SettledVariant};
use catena::figure::chart::{
    Axis, AxisSpan, Chart, Dash, Mark, Plot, Scale, Typeface, paper, ticks::ticks,
};
use catena::figure::study::reference::{ReferenceHistory, nearest};
use catena::figure::study::{
    Study, energy, energy::EnergyHistory, energy_total, method_look, nth_look, settling, subjects,
};
use catena::render::{
    faces::Faces,
    palette::{distinct_colors, method_family, nth_color},
};
use catena::scene::{Scene, recorded::Distances};
use catena::sim::{Outcome, Simulation, method::METHODS};
use image::Rgb;
use std::{collections::BTreeSet, fs, sync::Arc};

#[test]
fn every_method_has_a_family_and_a_look_of_its_own() {
    let mut looks = BTreeSet::new();
    let mut colors = BTreeSet::new();
    for method in METHODS {
        assert!(
            method_family(method.name).is_some(),
            "crates/catena-draw/src/palette.rs: add {} to the family it belongs to",
            method.name
        );
        let look = method_look(method.name);
        assert!(colors.insert(look.color.0), "{}: its colour is another's", method.name);
        let without_color = format!("{:?} {:?}", look.dash, look.marker);
        assert!(looks.insert(without_color), "{}: it looks as another", method.name);
    }
    let listed: BTreeSet<String> =
        (0..24).map(|i| format!("{:?} {:?}", nth_look(i).dash, nth_look(i).marker)).collect();
    assert_eq!(listed.len(), 24);
}

#[test]
fn a_body_has_the_colour_that_its_scene_gives_it() {
    let scene = scene_of(
        "Scene(panels: [(with: (style: (color: \"#0000ff\"))), (with: (integrator: Rk4))])",
    );
    let colors: Vec<[u8; 3]> = subjects(&scene).iter().map(|it| it.look.color.0).collect();
    assert_eq!(colors, [[0, 0, 255], distinct_colors(&["Rk4"], Rgb([255; 3]))[0].0]);
    let folder = tempfile::tempdir().unwrap();
    let scene = "Scene(base: (size: (320, 240), frames: 2, rest: (limit: 5), rope: (nodes: 3)),
        panels: [(with: (style: (color: \"#123456\"))), (with: (integrator: Rk4))])";
    fs::write(folder.path().join("s.ron"), scene).unwrap();
    catena().current_dir(&folder).args(["report", "s.ron", "--out", "r", "-q"]).assert().success();
    let page = fs::read_to_string(folder.path().join("r/index.html")).unwrap();
    assert!(page.contains("class=\"swatch\"") && page.contains("fill=\"#123456\"/></svg>"));
}

#[test]
fn both_signs_and_nothing_have_places_on_one_axis() {
    let span = AxisSpan { scale: Scale::SymLog(-1), from: -4.0, to: 4.0 };
    let values = [-900.0, -1.0, -0.01, 0.0, 0.01, 1.0, 900.0];
    let shares = values.map(|value| span.share(value).unwrap());
    assert!(shares.windows(2).all(|pair| pair[0] < pair[1]), "{shares:?}");
    assert_eq!(shares[3], 0.5);
    for (low, high) in shares.iter().zip(shares.iter().rev()) {
        assert!((low + high - 1.0).abs() < 1e-12, "{shares:?}");
    }
    // Far from 0, equal ratios have equal lengths.
    let far = [1e1, 1e2, 1e3].map(|value| span.share(value).unwrap());
    assert!(((far[2] - far[1]) / (far[1] - far[0]) - 1.0).abs() < 0.01, "{far:?}");
    let labels: Vec<String> = ticks(&span, 9).major.into_iter().map(|tick| tick.label).collect();
    let negative = labels.iter().filter(|label| label.starts_with('−')).count();
    assert_eq!(labels.len(), 2 * negative + 1, "{labels:?}");
    assert!(labels.len() <= 9 && labels.contains(&"0".into()), "{labels:?}");
}

#[test]
fn both_signs_have_ticks_however_short_one_side_is() {
    // The lowest value of an axis, and whether the axis has a negative tick.
    for (from, has_negative) in [(-1.5, true), (-3.2, true), (-0.2, false), (0.0, false)] {
        for maximum in [4, 5, 6] {
            let span = AxisSpan { scale: Scale::SymLog(-1), from, to: 7.5 };
            let ticks = ticks(&span, maximum).major;
            let is_negative = ticks.iter().any(|tick| tick.value < 0.0);
            assert_eq!(is_negative, has_negative, "{from} {maximum}: {ticks:?}");
            assert!(ticks.len() <= maximum, "{from} {maximum}: {ticks:?}");
            assert!(ticks.iter().any(|tick| tick.value > 0.0), "{from} {maximum}: {ticks:?}");
            assert!(ticks.iter().any(|tick| tick.value == 0.0), "{from} {maximum}: {ticks:?}");
            assert!(ticks.windows(2).all(|pair| pair[0].share < pair[1].share), "{ticks:?}");
        }
    }
}

fn svg(chart: &Chart) -> String {
    chart.svg("a", &Typeface::new(Faces::built_in().unwrap()), &paper())
}

#[test]
fn a_line_that_lies_under_another_is_named() {
    let line = |height: f64, label: &str| Mark::Line {
        points: (0..20).map(|i| [f64::from(i), height + f64::from(i * i)]).collect(),
        color: nth_color(0),
        label: Some(label.into()),
        dash: Dash::Solid,
        width: 1.5,
    };
    let marks =
        vec![line(0.0, "one: order 2"), line(30.0, "two"), line(0.1, "three"), line(0.2, "four")];
    let axis = |label: &str| Axis { label: label.into(), ..Axis::default() };
    let plot = Plot { x: axis("x"), y: axis("y"), marks, ..Plot::default() };
    let chart =
        Chart { columns: 1, plots: vec![plot], plot_size: [300.0, 200.0], ..Chart::default() };
    let svg = svg(&chart);
    assert!(svg.contains("aria-label=\"Hidden: one and three lie under four.\""), "{svg}");
}

/// The history of every body of a scene, as used by a report.
fn histories(scene: &Scene, frames: u64) -> Vec<EnergyHistory<'_>> {
    let history = |subject: catena::figure::study::Subject<'_>| {
        let mut run = Simulation::new(Arc::clone(&subject.body.setup));
        run.keep_ledger();
        let (mut moments, mut diverged) = (Vec::new(), None);
        for frame in 0..frames {
            if frame > 0 {
                run.advance_frame();
            }
            if let Outcome::Diverged { frame, .. } = run.outcome() {
                diverged = Some(frame);
            }
            let sum = run.ledger().unwrap().run;
            if sum.change().is_finite() {
                moments.push((run.state().t, sum.change(), sum.gains));
            }
        }
        let (shown, is_cut) = (moments.len(), (moments.len() as u64) < frames);
        (moments, diverged, shown, is_cut)
    };
    let all = subjects(scene).into_iter().map(|subject| {
        let (moments, diverged, shown, is_cut) = history(subject.clone());
        EnergyHistory { subject, moments, max_kinetic: 1.0, residual: 0.0, diverged, is_cut, shown }
    });
    all.collect()
}

const LOST: &str = "Scene(base: (frames: 60, substeps: 16, rope: (nodes: 4, stiffness: 20)),
    panels: [(with: (integrator: ExplicitEuler)), (with: (integrator: Rk4))])";

#[test]
fn where_a_body_is_lost_its_energy_is_marked_and_it_is_said() {
    let scene = scene_of(LOST);
    let histories = histories(&scene, 60);
    let lost = histories[0].diverged.unwrap();
    let study = energy_total::study(&histories).unwrap();
    let plot = &study.chart.plots[0];
    assert!(matches!(plot.y.scale, Scale::SymLog(_)), "{:?}", plot.y);
    let crosses = plot.marks.iter().find_map(|mark| match mark {
        Mark::Points { points, label: Some(label), .. } if label == "diverged" => Some(points),
        _ => None,
    });
    assert_eq!(crosses.unwrap()[0][0], lost as f64, "the cross is at the frame of divergence");
    assert!(
        study.caption.contains(&format!("Explicit Euler diverges at frame {lost}")),
        "{}",
        study.caption
    );
    assert!(study.caption.contains("cut off after t ="), "{}", study.caption);
    assert_eq!(study.table.rows[0][4], lost.to_string());
    assert_eq!(study.table.rows[1][4], "-");
    // For a single calm body, one kind of axis is enough.
    let calm = energy_total::study(&histories[1..]).unwrap();
    assert_eq!(calm.chart.plots[0].y.scale, Scale::Linear);
}

#[test]
fn the_areas_of_every_body_sum_to_its_line_whoever_explodes_beside_it() {
    let lost = "(with: (integrator: ExplicitEuler))";
    let damped = "(with: (integrator: ConstraintVerlet(damping: 0.001)))";
    for panels in [[lost, damped], [damped, lost]] {
        let scene = scene_of(&format!(
            "Scene(base: (frames: 60, substeps: 16, rope: (nodes: 4, stiffness: 20)), panels: [{}])",
            panels.join(", ")
        ));
        let mut histories = histories(&scene, 60);
        for history in &mut histories {
            // Cuts the history at the divergence, as a report about a diverging scene does.
            history.shown = history.diverged.map_or(history.shown, |frame| frame as usize);
        }
        let study = energy::study(&histories).unwrap();
        assert!(study.table.head.contains(&"damping".to_string()), "{:?}", study.table.head);
        for plot in &study.chart.plots {
            let line = plot.marks.iter().find_map(|mark| match mark {
                Mark::Line { points, .. } => Some(points),
                _ => None,
            });
            for (index, [t, change]) in line.unwrap().iter().enumerate() {
                let sum: f64 = plot.marks.iter().map(|mark| signed_height(mark, index)).sum();
                let minimum = 1e-5 * change.abs().max(1e-6);
                assert!((sum - change).abs() <= minimum, "{:?} at {t}: {sum} {change}", plot.title);
            }
        }
    }
}

/// Signed height of an area above the line at one of its points; it is negative below 0.
fn signed_height(mark: &Mark, index: usize) -> f64 {
    let Mark::Area { upper, lower, .. } = mark else { return 0.0 };
    let height = upper[index][1] - lower[index][1];
    if lower[index][1] < 0.0 { -height } else { height }
}

#[test]
fn many_bodies_are_a_band_and_all_of_them_count() {
    let panels: Vec<String> =
        (1..=20).map(|i| format!("(with: (drag: {}))", 0.01 * f64::from(i))).collect();
    let scene =
        scene_of(&format!("Scene(base: (rope: (nodes: 3)), panels: [{}])", panels.join(", ")));
    let histories = histories(&scene, 10);
    let study = energy_total::study(&histories).unwrap();
    let [Mark::Area { upper, lower, .. }, Mark::Line { points: median, .. }] =
        &study.chart.plots[0].marks[..]
    else {
        panic!("{:?}", study.chart.plots[0].marks)
    };
    let mut last: Vec<f64> = histories.iter().map(|it| it.moments[9].1).collect();
    last.sort_by(f64::total_cmp);
    assert_eq!([lower[9][1], median[9][1], upper[9][1]], [last[0], last[10], last[19]]);
    assert_eq!(study.table.rows.len(), 20);
    assert!(study.caption.contains("20 bodies"), "{}", study.caption);
}

#[test]
fn a_grid_of_many_bodies_shows_all_of_them_in_its_own_columns() {
    let columns: Vec<String> =
        (1..=5).map(|i| format!("(with: (drag: {}))", 0.01 * f64::from(i))).collect();
    let scene = format!(
        "Scene(base: (size: (640, 480), frames: 4, rest: (limit: 5), decoration: Bare, integrator: Pbd, rope: (nodes: 2)),
          grid: (rows: [(with: (substeps: 4)), (with: (substeps: 5)), (with: (substeps: 6))], columns: [{}]))",
        columns.join(", ")
    );
    let bodies = scene_of(&scene);
    let study = energy::study(&histories(&bodies, 4)).unwrap();
    assert_eq!((study.chart.plots.len(), study.chart.columns), (15, 5));
}

#[test]
fn variants_that_rest_alike_have_no_soonest() {
    let scene =
        scene_of("Scene(panels: [(label: \"a\"), (label: \"b\", with: (integrator: Rk4))])");
    let rest = |value: f64, frame: u64| SettledVariant {
        value,
        ending: Ending::AtRest { frame },
        work: 0,
    };
    let lost = SettledVariant { value: 8.0, ending: Ending::Diverged { frame: 3 }, work: 0 };
    let sweep = |subject, frames: [u64; 2]| settling::SettlingSweep {
        subject,
        limit: 5000,
        substeps: vec![lost, rest(16.0, frames[0]), rest(32.0, frames[1])],
        drag: vec![rest(0.1, 50), rest(0.2, 40)],
    };
    let all = subjects(&scene);
    let sweeps = [sweep(all[0].clone(), [1967, 1966]), sweep(all[1].clone(), [900, 300])];
    let study = settling::study(&sweeps).unwrap();
    assert_eq!(study.table.rows[0][1], "frames 1966 to 1967, all that rest about alike");
    assert_eq!(study.table.rows[1][1], "frame 300, with 32");
    assert_eq!(study.table.rows[1][2], "frame 40, with 0.2");
    // One strip for each body and axis, and no overlapping markers.
    assert_eq!(study.chart.plots.len(), 4);
    for plot in &study.chart.plots {
        let mut seen = BTreeSet::new();
        for mark in &plot.marks {
            let Mark::Points { points, .. } = mark else { continue };
            assert!(points.iter().all(|point| seen.insert(point[0].to_bits())), "{plot:?}");
        }
    }
}

/// Checks the text requirements of every figure.
fn hold_words(study: &Study) {
    let name = &study.name;
    assert!(study.caption.starts_with(|c: char| c.is_uppercase()), "{name}: {}", study.caption);
    assert!(study.caption.ends_with('.'), "{name}: {}", study.caption);
    let width = study.table.head.len();
    assert!(study.table.rows.iter().all(|row| row.len() == width), "{name}: {:?}", study.table);
}

#[test]
fn captions_are_sentences() {
    let scene = scene_of(LOST);
    hold_words(&energy_total::study(&histories(&scene, 30)).unwrap());
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("s.ron"),
        LOST.replace("frames: 60", "frames: 20, size: (320, 240), rest: (limit: 40)"),
    )
    .unwrap();
    catena().current_dir(&folder).args(["report", "s.ron", "--out", "r", "-q"]).assert().success();
    let page = fs::read_to_string(folder.path().join("r/index.html")).unwrap();
    for name in ["path", "phase_portrait"] {
        let svg = fs::read_to_string(folder.path().join(format!("r/{name}.svg"))).unwrap();
        assert!(svg.contains("Diverges; cut off at t ="), "{name}");
    }
    let captions: Vec<&str> = page.split("<figcaption><b>Figure ").skip(1).collect();
    assert!(captions.len() >= 10, "{}", captions.len());
    for (index, caption) in captions.iter().enumerate() {
        let text = caption.strip_prefix(&format!("{}.</b> ", index + 1)).unwrap();
        let text = text.split(" <span").next().unwrap();
        assert!(text.starts_with(|c: char| c.is_uppercase()) && text.ends_with('.'), "{text}");
        assert!(text.len() < 420, "a caption is short, and numbers stand in the table: {text}");
    }
}

#[test]
fn a_report_finds_the_rest_that_a_render_finds() {
    let folder = tempfile::tempdir().unwrap();
    let scene = "Scene(base: (size: (320, 240), frames: 30, drag: 1, rest: (speed: 5, frames: 3, limit: 10), rope: (nodes: 3)))";
    fs::write(folder.path().join("s.ron"), scene).unwrap();
    let run = |args: &[&str]| {
        catena().current_dir(&folder).args(args).assert().success();
    };
    run(&["render", "s.ron", "--out", "out", "-q"]);
    run(&["report", "s.ron", "--out", "r", "-q"]);
    let manifest = fs::read_to_string(folder.path().join("out/manifest.json")).unwrap();
    let page = fs::read_to_string(folder.path().join("r/index.html")).unwrap();
    assert!(manifest.contains("\"at rest") || manifest.contains("at_rest"), "{manifest}");
    assert!(page.contains("<figure id=\"shape\">"), "the segments at rest are shown");
}

/// The distance of a body from its data does not grow with the number of its data.
#[test]
fn bodies_are_compared_in_the_frames_of_both() {
    let scene = scene_of(
        "Scene(base: (), panels: [(label: \"long\", with: (drag: 0.1)), (label: \"short\", with: ())])",
    );
    let of_frame = |frame: u64, distance: f64| {
        let found = Distances { largest: distance, squares: distance * distance, count: 1 };
        (frame, frame as f64, found)
    };
    let near = |frame: u64| of_frame(frame, if frame <= 10 { 1.0 } else { 100.0 });
    let moments = [(1..=20).map(near).collect(), (1..=10).map(|it| of_frame(it, 2.0)).collect()];
    let pairs = subjects(&scene).into_iter().zip(moments);
    let history = |(subject, moments)| ReferenceHistory { subject, moments, diverged: None };
    let histories: Vec<_> = pairs.map(history).collect();
    let message = nearest(&histories).unwrap();
    assert!(
        message.starts_with("Of 2 bodies, \"long\" is nearest to its reference: 1 from"),
        "{message}"
    );
    assert!(message.contains("\"short\", at 2, compared in frames 1 to 10."), "{message}");
}
