//! Fits: known values are found, intervals cover them, and undetermined values are reported.

use crate::scene_of;
use catena::analysis::fit::Estimate;
use catena::job::{Fit, FitData, FitOptions, FitTerm, fit};
use catena::scene::Scene;
use catena::scene::recorded::Placement;
use catena::sim::Simulation;
use catena_tests::Random;
use std::fmt::Write;
use std::sync::Arc;

/// A pendulum: a stiff spring with a mass at its end.
fn pendulum(drag: f64) -> Scene {
    scene_of(&format!(
        "Scene(base: (frames: 60, frame_time: 0.05, substeps: 4, gravity: (0, -9.81), integrator: \
         Rk4, rope: (start: (0, 0), end: (1, -0.2), nodes: 2, stiffness: 200), drag: {drag}))"
    ))
}

/// Standard normal deviate, as the sum of twelve uniform ones.
fn normal(random: &mut Random) -> f64 {
    (0..12).map(|_| 0.5 * random.signed()).sum()
}

/// Path of the last node with noise of this amplitude, as `t,x,y`.
fn path(scene: &Scene, noise: f64, random: &mut Random) -> String {
    let setup = &scene.panels[0].bodies[0].setup;
    let (mut run, n) = (Simulation::new(Arc::clone(setup)), setup.model.nodes());
    let mut text = "t,x,y\n".to_owned();
    for frame in 0..scene.frames {
        if frame > 0 {
            run.advance_frame();
        }
        let [x, y, _] = run.state().position(n, n - 1);
        let [x, y] = [x, y].map(|value| value + noise * normal(random));
        let t = frame as f64 * setup.frame_time;
        let _ = writeln!(text, "{t},{x},{y}");
    }
    text
}

fn fitted(scene: &Scene, text: &str, vary: &str) -> Result<Fit, String> {
    let data = FitData {
        name: "points.csv",
        bytes: text.as_bytes(),
        columns: None,
        placement: Placement::default(),
    };
    let options = FitOptions { vary: FitTerm::list(vary)?, ..FitOptions::default() };
    fit(scene, Some(data), &options, &()).map_err(|error| error.to_string())
}

#[test]
fn damping_without_noise_is_found_to_nine_digits() {
    let text = path(&pendulum(0.3), 0.0, &mut Random::new(1));
    let found = fitted(&pendulum(0.1), &text, "drag").expect("a fit");
    let drag = &found.fitted.estimates[0];
    assert!((drag.value - 0.3).abs() < 1e-9, "{}", drag.value);
    assert!(found.fitted.has_converged);
    assert_eq!(found.set.len(), 1);
    let set: f64 =
        found.set[0].strip_prefix("--set drag=").expect("a setting").parse().expect("one");
    assert_eq!(set, drag.value);
    // Starts without drag, at the lower end of the range.
    let found = fitted(&pendulum(0.0), &text, "drag").expect("a fit");
    assert!((found.fitted.estimates[0].value - 0.3).abs() < 1e-9);
}

#[test]
fn intervals_cover_the_truth_in_95_of_100_cases() {
    let truth = pendulum(0.3);
    let start = pendulum(0.2);
    let mut covered = [0; 2];
    for seed in 0..100 {
        let text = path(&truth, 0.02, &mut Random::new(seed));
        let found = fitted(&start, &text, "drag,rope.stiffness=150").expect("a fit");
        for (count, (it, true_value)) in
            covered.iter_mut().zip(found.fitted.estimates.iter().zip([0.3, 200.0]))
        {
            let [low, high] = it.interval.expect("an interval");
            *count += u32::from(low <= true_value && true_value <= high);
        }
    }
    // Of 100 cases that each have a probability of 0.95, 90 to 99 occur with a probability of 0.97.
    assert!(covered.iter().all(|count| (90..=99).contains(count)), "{covered:?}");
}

/// A rope of nine nodes that cracks like a whip, so that its motion depends strongly on its values,
/// with noise on all nodes: every search ends at a minimum, with intervals.
#[test]
fn noise_on_a_whole_rope_keeps_no_search_from_converging() {
    let rope = |drag: f64, stiffness: f64| {
        scene_of(&format!(
            "Scene(base: (frames: 46, gravity: (0, -1.2), frame_time: 1, substeps: 64, integrator: \
             SemiImplicitEuler, drag: {drag}, rope: (start: (0, 200), end: (-400, 200), nodes: 9, \
             stiffness: {stiffness})))"
        ))
    };
    let truth = rope(0.03, 60.0);
    let setup = &truth.panels[0].bodies[0].setup;
    for seed in 0..10 {
        let mut random = Random::new(seed);
        let (mut run, n) = (Simulation::new(Arc::clone(setup)), setup.model.nodes());
        let mut text = "frame,node,x,y\n".to_owned();
        for frame in 0..truth.frames {
            if frame > 0 {
                run.advance_frame();
            }
            for node in 0..n {
                let [x, y, _] = run.state().position(n, node);
                let [x, y] = [x, y].map(|value| value + normal(&mut random));
                let _ = writeln!(text, "{frame},{node},{x:.4},{y:.4}");
            }
        }
        let found = fitted(&rope(0.01, 100.0), &text, "drag,rope.stiffness").expect("a fit");
        assert!(found.fitted.has_converged, "{seed}: {:?}", found.fitted.estimates);
        assert!(found.fitted.estimates.iter().all(|it| it.interval.is_some()), "{seed}");
    }
}

#[test]
fn fields_that_scale_alike_cannot_be_told_apart() {
    let text = path(&pendulum(0.0), 0.01, &mut Random::new(7));
    let found = fitted(&pendulum(0.0), &text, "rope.stiffness=210,rope.mass=1.1").expect("a fit");
    let [alike] = &found.fitted.alike[..] else { panic!("{:?}", found.fitted.alike) };
    let names: Vec<&str> = alike.changes.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["rope.stiffness", "rope.mass"]);
    assert!((alike.changes[1].1 - 1.0).abs() < 1e-3, "{alike:?}");
    assert!(found.fitted.estimates.iter().all(|it| it.interval.is_none()));
    let ratio = found.fitted.estimates[0].value / found.fitted.estimates[1].value;
    assert!((ratio - 200.0).abs() < 10.0, "{ratio}");
    let expected = "the data cannot distinguish `rope.stiffness` and `rope.mass`: a change of \
                rope.stiffness by +1 % and rope.mass by +1 % does not change the motion; fix one \
                of them";
    assert_eq!(found.warnings(), [expected]);
}

#[test]
fn a_number_inside_a_value_varies() {
    let text = path(&pendulum(0.1), 0.0, &mut Random::new(1));
    let found = fitted(&pendulum(0.1), &text, "gravity=(0, {-9})").expect("a fit");
    assert!((found.fitted.estimates[0].value + 9.81).abs() < 1e-8);
}

#[test]
fn numbers_inside_values_have_the_names_of_their_options() {
    for (term, name) in [
        ("integrator=ConstraintVerlet(damping: {0.0001})", "ConstraintVerlet.damping"),
        ("integrator=Pbd(iterations: 4, stiffness: {0.5})", "Pbd.stiffness"),
        ("gravity=(0, {-9})", "gravity"),
        ("drag=0.2", "drag"),
    ] {
        let vary = FitTerm::list(term).expect("a field");
        assert_eq!(vary[0].name(0), name, "{term}");
    }
    let vary = FitTerm::list("gravity=({1},{-9}),drag").expect("fields");
    assert_eq!(vary.len(), 2);
    assert_eq!([0, 1].map(|number| vary[0].name(number)), ["gravity.x", "gravity.y"]);
    let vary = FitTerm::list("integrator=Pbd(stiffness: {0.5}, damping: {1})").expect("a field");
    assert_eq!([0, 1].map(|number| vary[0].name(number)), ["Pbd.stiffness", "Pbd.damping"]);
}

#[test]
fn several_numbers_of_a_value_vary() {
    let scene = |gravity: &str| {
        scene_of(&format!(
            "Scene(base: (frames: 60, frame_time: 0.05, substeps: 4, gravity: {gravity}, \
             integrator: Rk4, rope: (start: (0, 0), end: (1, -0.2), nodes: 2, stiffness: 200), \
             drag: 0.3))"
        ))
    };
    let text = path(&scene("(0.4, -9.81)"), 0.0, &mut Random::new(1));
    let found = fitted(&scene("(0, -9)"), &text, "drag=0.2,gravity=({0}, {-9})").expect("a fit");
    let values: Vec<f64> = found.fitted.estimates.iter().map(|it| it.value).collect();
    for (value, known) in values.iter().zip([0.3, 0.4, -9.81]) {
        assert!((value - known).abs() < 1e-8, "{values:?}");
    }
    assert_eq!(found.set.len(), 2);
    assert!(found.set[1].starts_with("--set 'gravity=("), "{:?}", found.set);
    assert!(found.begin.starts_with("drag="));
    let wrong = |vary: &str| fitted(&scene("(0, -9)"), &text, vary).map(|_| ()).expect_err(vary);
    let message = wrong("gravity=({0}, -9),gravity=(0, {-9})");
    assert!(message.contains("several numbers of one value vary in one term"), "{message}");
    let message = wrong("gravity=(0, {})");
    assert!(message.contains("`{}` has no number") && message.contains("{0.1}"), "{message}");
    assert_eq!(wrong("gravity=(0, {-9)"), "there is no `}` behind `{`");
}

/// A rope that falls from a slope, with a length that differs from its start.
fn slack(length: f64, frames: u64) -> Scene {
    scene_of(&format!(
        "Scene(base: (frames: {frames}, frame_time: 1.0, substeps: 32, gravity: (0, -1), \
         integrator: SemiImplicitEuler, drag: 0.02, rope: (start: (0, 200), end: (-400, 200), \
         nodes: 6, stiffness: 100, length: {length})))"
    ))
}

/// A program without any rest length: the command contains the length that explains it, and the
/// fault is named.
#[test]
fn a_forgotten_rest_length_is_told() {
    let text = path(&slack(1e-6, 20), 0.0, &mut Random::new(1));
    for vary in ["rope.length=10", "rope.length=1", "rope.length=0.001,drag"] {
        let found = fitted(&slack(400.0, 20), &text, vary).unwrap();
        assert!(found.set.iter().any(|it| it.contains("rope.length=")), "{vary}: {:?}", found.set);
        let is_warning = |text: &String| text.contains("forgets the rest length");
        assert!(found.warnings().iter().any(is_warning), "{vary}: {:?}", found.warnings());
        assert!(!found.warnings().iter().any(|it| it.contains("leave it out")), "{vary}");
    }
    let text = path(&slack(390.0, 20), 0.0, &mut Random::new(1));
    let found = fitted(&slack(400.0, 20), &text, "rope.length").unwrap();
    assert!(!found.warnings().iter().any(|text| text.contains("forgets")));
}

/// Fits lengths to noisy data from distant start values. Returns the length and its estimate per
/// seed.
fn fitted_lengths(seeds: u64, frames: u64) -> Vec<(f64, Estimate)> {
    let one = |seed| {
        let mut random = Random::new(seed);
        let length = 400.0 + 60.0 * random.signed();
        let text = path(&slack(length, frames), 1.0, &mut random);
        let begin = 400.0 + 60.0 * random.signed();
        let found = fitted(&slack(begin, frames), &text, "rope.length").expect("a fit");
        (length, found.fitted.estimates[0].clone())
    };
    (0..seeds).map(one).collect()
}

/// Searches from distant start values end in other minima. A search over the whole range finds the
/// right one, and the intervals include other minima that fit as well.
#[test]
fn lengths_are_found_among_many_minima_with_intervals_that_cover_them() {
    // A hundred cases: half of them with 8 frames, and half with 40. The nightly job has a hundred
    // of each.
    let [short, long] = [8, 40].map(|frames| match crate::is_thorough() {
        true => fitted_lengths(100, frames),
        false => fitted_lengths(50, frames),
    });
    let groups =
        if crate::is_thorough() { vec![short, long] } else { vec![[short, long].concat()] };
    for found in groups {
        let covers = |(length, it): &&(f64, Estimate)| {
            it.interval.is_some_and(|[low, high]| (low..=high).contains(length))
        };
        let covered = found.iter().filter(covers).count();
        // Of 100 cases that each have a probability of 0.95, 90 to 99 occur with a probability of
        // 0.97.
        assert!((90..=99).contains(&covered), "{covered}");
        let is_found = |(length, it): &&(f64, Estimate)| (it.value / length - 1.0).abs() < 0.01;
        let count = found.iter().filter(is_found).count();
        assert!(count >= 99, "{count}");
    }
}

#[test]
fn ranges_of_fields_are_kept() {
    // Data that gain energy require a negative drag.
    let mut text = "t,x,y\n".to_owned();
    let scene = pendulum(0.0);
    for line in path(&scene, 0.0, &mut Random::new(1)).lines().skip(1) {
        let [t, x, y]: [f64; 3] = line
            .split(',')
            .map(|cell| cell.parse().expect("a number"))
            .collect::<Vec<_>>()
            .try_into()
            .expect("three numbers");
        let _ = writeln!(text, "{t},{},{}", x * (1.0 + 0.02 * t), y);
    }
    let found = fitted(&pendulum(0.2), &text, "drag").expect("a fit");
    let drag = &found.fitted.estimates[0];
    assert!(drag.is_at_bound && drag.value == 0.0 && drag.interval.is_none(), "{drag:?}");
    let [pattern, bound] = &found.warnings()[..] else { panic!("{:?}", found.warnings()) };
    assert!(pattern.starts_with("the model does not fit the data"), "{pattern}");
    assert_eq!(bound, "`drag` is at the end of its range, so it has no interval");
}

#[test]
fn wrong_fields_and_data_are_told() {
    let text = path(&pendulum(0.1), 0.0, &mut Random::new(1));
    let wrong = |vary: &str| fitted(&pendulum(0.1), &text, vary).map(|_| ()).expect_err(vary);
    assert_eq!(wrong("drga"), "a scene has no field `drga`; did you mean drag?");
    assert_eq!(wrong("rope"), "`rope` has several fields; name one of them, such as rope.start");
    assert_eq!(
        wrong("substeps"),
        "`substeps` is a whole number, which a fit cannot vary; `catena sweep` tries its values"
    );
    assert_eq!(
        wrong("gravity"),
        "`gravity` is (0, -9.81), not a number; --vary 'gravity=(0, {-9.81})' varies the number in \
         braces"
    );
    assert_eq!(
        wrong("rope.breaks_at"),
        "`rope.breaks_at` has no value in the scene; say where to begin: rope.breaks_at=START"
    );
    assert_eq!(wrong("drag,drag"), "`drag` is varied twice");
    assert_eq!(
        wrong("frame_time"),
        "`frame_time` cannot be varied: it assigns the times of the file to frames"
    );
    // Frame numbers do not determine time, so the frame time is a value like any other.
    let counted = path(&pendulum(0.1), 0.0, &mut Random::new(1));
    let rows = counted.lines().skip(1).enumerate();
    let rows = rows.map(|(index, row)| format!("{index},{}", row.split_once(',').unwrap().1));
    let counted = format!("frame,x,y\n{}", rows.collect::<Vec<_>>().join("\n"));
    let found = fitted(&pendulum(0.1), &counted, "frame_time=0.06").expect("a fit");
    assert!((found.fitted.estimates[0].value / 0.05 - 1.0).abs() < 1e-9);
    // Data that end far beyond any run are refused before they are read frame by frame.
    let endless = fitted(&pendulum(0.1), "frame,x,y\n0,1,2\n4503599627370495,1,2\n", "drag");
    assert!(endless.is_err_and(|message| message.contains("frame")));
    assert_eq!(wrong("drag=much"), "expected a number as the start, found `much`");
    let none = fitted(&pendulum(0.1), "t,x,y\n0,1,-0.2\n", "drag").map(|_| ()).expect_err("no");
    assert!(none.contains("the only compared frame is the start"), "{none}");
    // A method with rigid lengths ignores stiffness.
    let held = scene_of(
        "Scene(base: (frames: 60, frame_time: 0.05, substeps: 4, gravity: (0, -9.81), integrator: \
         ConstraintVerlet, rope: (start: (0, 0), end: (1, -0.2), nodes: 2)))",
    );
    let none = fitted(&held, "t,x,y\n0,1,-0.2\n0.05,1,-0.2\n0.1,0.9,-0.2\n", "rope.stiffness");
    let none = none.map(|_| ()).expect_err("no");
    assert!(none.contains("ignores their stiffness; vary another field, such as --vary"), "{none}");
}

#[test]
fn quantiles_of_students_distribution_are_those_of_tables() {
    use catena::analysis::fit::student::two_sided;
    let table = [(1.0, 12.706_2), (2.0, 4.302_7), (5.0, 2.570_6), (30.0, 2.042_3), (1e6, 1.959_97)];
    for (freedom, known) in table {
        let found = two_sided(0.95, freedom);
        assert!((found - known).abs() < 5e-5, "{freedom}: {found}, not {known}");
    }
}

#[test]
fn panels_that_become_equal_keep_their_indices() {
    let scene = scene_of(
        "Scene(base: (frames: 40, frame_time: 0.05, substeps: 4, integrator: Rk4, rope: (start: \
         (0, 0), end: (1, -0.2), nodes: 2, stiffness: 80)), panels: [(label: \"A\", with: (drag: \
         0.01)), (label: \"B\", with: (drag: 0.02)), (label: \"C\", with: (drag: 0.02, rope: \
         (stiffness: 50)))])",
    );
    let truth = {
        let mut scene = scene.clone();
        scene.panels.swap(0, 1);
        path(&scene, 0.0, &mut Random::new(1))
    };
    let data = FitData {
        name: "points.csv",
        bytes: truth.as_bytes(),
        columns: None,
        placement: Placement::default(),
    };
    let vary = FitTerm::list("drag=0.3").expect("a field");
    let options = FitOptions { vary, panel: 1, ..FitOptions::default() };
    let found = fit(&scene, Some(data), &options, &()).expect("a fit");
    assert_eq!(found.label, "B");
    assert!((found.fitted.estimates[0].value - 0.02).abs() < 1e-9);
    assert!(found.fitted.rms < 1e-9, "{}", found.fitted.rms);
}

#[test]
fn another_reading_of_the_data_is_proposed() {
    // Only frames from 30 on, so that the start of the scene tells nothing about y.
    let late = |text: &str| {
        let lines = text.lines().enumerate();
        let kept = lines.filter(|(line, _)| *line == 0 || *line > 30).map(|(_, line)| line);
        kept.collect::<Vec<_>>().join("\n")
    };
    let text = late(&path(&pendulum(0.3), 0.0, &mut Random::new(1)));
    let turned: Vec<String> = text
        .lines()
        .map(|line| match line.rsplit_once(',') {
            Some((before, y)) if y != "y" => match y.strip_prefix('-') {
                Some(y) => format!("{before},{y}"),
                None => format!("{before},-{y}"),
            },
            _ => line.to_owned(),
        })
        .collect();
    let found = fitted(&pendulum(0.29), &turned.join("\n"), "drag").expect("a fit");
    let hint = found.hint.clone().unwrap_or_default();
    assert!(hint.contains("as if y pointed down") && hint.ends_with("add --y down"), "{hint}");
    assert_eq!(found.warnings().first(), Some(&hint));
    let right = fitted(&pendulum(0.29), &text, "drag").expect("a fit");
    assert_eq!(right.hint, None);
}

#[test]
fn a_motion_that_depends_strongly_on_its_start_is_fitted_from_its_beginning() {
    // A rope that falls freely and cracks like a whip. From these start values, a fit of all frames
    // at once makes no progress.
    let scene = |drag: f64, stiffness: f64| {
        scene_of(&format!(
            "Scene(base: (frames: 160, frame_time: 0.02, substeps: 20, gravity: (0, -9.81), \
             integrator: SemiImplicitEuler, drag: {drag}, rope: (start: (0, 0), end: (3, 0.5), \
             nodes: 20, stiffness: {stiffness}, mass: 0.05)))"
        ))
    };
    let text = path(&scene(0.02, 2000.0), 0.0, &mut Random::new(1));
    let found = fitted(&scene(0.01, 1500.0), &text, "drag,rope.stiffness").expect("a fit");
    let [drag, stiffness] = &found.fitted.estimates[..] else { panic!("two estimates") };
    assert!((drag.value / 0.02 - 1.0).abs() < 1e-6, "{drag:?}");
    assert!((stiffness.value / 2000.0 - 1.0).abs() < 1e-6, "{stiffness:?}");
}

/// The path with each row changed by `change`: `t,x,y`.
fn changed(text: &str, change: &mut dyn FnMut(f64, [f64; 2]) -> [f64; 2]) -> String {
    let mut all = "t,x,y\n".to_owned();
    for line in text.lines().skip(1) {
        let numbers: Vec<f64> =
            line.split(',').map(|cell| cell.parse().expect("a number")).collect();
        let [x, y] = change(numbers[0], [numbers[1], numbers[2]]);
        let _ = writeln!(all, "{},{x},{y}", numbers[0]);
    }
    all
}

#[test]
fn residuals_that_are_no_noise_are_told_with_their_size() {
    // The program uses another gravity, for which no drag can compensate.
    let scene = |gravity: f64| {
        scene_of(&format!(
            "Scene(base: (frames: 60, frame_time: 0.05, substeps: 4, gravity: (0, {gravity}), \
             integrator: Rk4, rope: (start: (0, 0), end: (1, -0.2), nodes: 2, stiffness: 200), \
             drag: 0.3))"
        ))
    };
    let mut random = Random::new(3);
    let text = path(&scene(-9.81), 0.01, &mut random);
    let found = fitted(&scene(-9.3), &text, "drag").expect("a fit");
    assert!(!found.quality.fits() && !found.is_usable(), "{:?}", found.quality);
    let noise = found.quality.noise.expect("a noise");
    assert!((0.007..0.03).contains(&noise), "{noise}");
    assert!(found.quality.rms > 3.0 * noise, "{:?}", found.quality);
    let it = &found.fitted.estimates[0];
    assert!(it.interval.is_none() && it.error.is_none());
    let remark = found.quality.residual_remark().expect("a warning");
    assert!(remark.contains("times the noise of the data"), "{remark}");
    assert!(found.json().expect("text").contains("\"fits\": false"));
    // With the right gravity, only noise remains.
    let found = fitted(&scene(-9.81), &text, "drag").expect("a fit");
    assert!(found.is_usable() && found.quality.residual_remark().is_none(), "{:?}", found.quality);
    assert!((found.quality.rms / 0.01 - 1.0).abs() < 0.25, "{:?}", found.quality);
}

#[test]
fn noise_alone_is_no_misfit_and_correlated_noise_widens_intervals() {
    let mut misfits = 0;
    let (mut widths, mut factors) = (0.0, 0.0);
    for seed in 0..40 {
        let text = path(&pendulum(0.3), 0.0, &mut Random::new(seed));
        let mut random = Random::new(seed + 100);
        let plain = changed(&text, &mut |_, place| place.map(|it| it + 0.02 * normal(&mut random)));
        let found = fitted(&pendulum(0.2), &plain, "drag").expect("a fit");
        misfits += u32::from(!found.quality.fits());
        // Noise with a correlation of a half between frames.
        let mut last = [0.0; 2];
        let correlated = changed(&text, &mut |_, place| {
            last = last.map(|it| 0.5 * it + 0.02 * normal(&mut random));
            [place[0] + last[0], place[1] + last[1]]
        });
        let other = fitted(&pendulum(0.2), &correlated, "drag").expect("a fit");
        widths += f64::from(u8::from(other.quality.has_pattern[0]));
        factors += other.quality.widening();
        misfits += u32::from(!other.quality.fits() && other.quality.in_time < 0.6);
    }
    assert!(misfits <= 2, "{misfits}");
    assert!(widths >= 20.0, "{widths}");
    // For a correlation of a half, intervals are wider by √3.
    assert!((1.3..1.9).contains(&(factors / 40.0)), "{}", factors / 40.0);
}

#[test]
fn deviations_that_neighbouring_nodes_share_are_a_pattern() {
    let scene = scene_of(
        "Scene(base: (frames: 8, frame_time: 0.5, substeps: 40, integrator: Rk4, rope: (start: (0, \
         0), end: (9, 0), nodes: 10, stiffness: 900)))",
    );
    let setup = &scene.panels[0].bodies[0].setup;
    let (mut run, n) = (Simulation::new(Arc::clone(setup)), setup.model.nodes());
    let mut text = "frame,node,x,y\n".to_owned();
    let mut random = Random::new(5);
    for frame in 0..8 {
        if frame > 0 {
            run.advance_frame();
        }
        // All nodes of a frame are shifted by the same amount, as by a shaking camera.
        let off = 0.3 * random.signed();
        for node in 0..n {
            let [x, y, _] = run.state().position(n, node);
            let _ = writeln!(text, "{frame},{node},{},{}", x + off, y - off);
        }
    }
    let found = fitted(&scene, &text, "drag=0.01,rope.stiffness").expect("a fit");
    assert!(found.quality.has_pattern[1] && found.quality.from_node_to_node > 0.6);
    assert!(
        !found.quality.fits()
            && found.quality.residual_remark().expect("a warning").contains("neighbouring")
    );
}

#[test]
fn rounding_of_a_float_is_no_misfit() {
    let text = path(&pendulum(0.3), 0.0, &mut Random::new(1));
    // A float error that grows slowly, and a model error that does the same.
    let float = |size: f64| {
        changed(&text, &mut |t, place| {
            place.map(|it| f64::from((it + size * t * libm::sin(3.0 * t)) as f32))
        })
    };
    let found = fitted(&pendulum(0.2), &float(1e-6), "drag").expect("a fit");
    assert!(found.is_usable(), "{:?}", found.quality);
    let found = fitted(&pendulum(0.2), &float(1e-2), "drag").expect("a fit");
    assert!(!found.is_usable(), "{:?}", found.quality);
}
