//! Longest steps of methods on an oscillator, of bodies from their spectrum, and of bodies in runs.

use crate::{catena, repository, scene, scene_of};
use catena::analysis::stability::{
    Stability, StabilityTimes, TextbookBounds,
    map::{StabilityMap, stiffened},
    oscillator::Oscillator,
    predict::predict,
    stability, warning, warning_amount,
};
use catena::scene::Scene;
use catena::sim::{
    linear::spectrum::semi_implicit_limit,
    method::{METHODS, with_defaults},
};

const UNIT: Oscillator = Oscillator::new(1.0, 0.0);

fn of(scene: &Scene, panel: usize) -> Stability {
    let body = &scene.panels[panel].bodies[0];
    let film = scene.frames as f64 * body.setup.frame_time;
    stability(&body.setup, film, StabilityTimes::ONE)
}

#[test]
fn every_method_has_the_limit_that_its_table_states() {
    let (mut count, mut off) = (0, Vec::new());
    for info in METHODS {
        let method = with_defaults(info.name).unwrap();
        let Some(limit) = info.limit.filter(|_| !method.chooses_steps()) else { continue };
        let found = UNIT.longest_step(&method);
        let is_right = match found {
            None => limit == 0.0,
            // Both methods grow at short steps and are damped at some longer ones, so they have no
            // meaningful longest step.
            Some(_) if matches!(info.name, "AdamsBashforthMoulton3" | "AdamsBashforthMoulton4") => {
                limit == 0.0 && !UNIT.is_bounded(&method, 0.25)
            }
            Some(found) if limit.is_finite() => {
                // Second-order Runge-Kutta methods grow by x⁴/8 per step, which is less than
                // rounding below x = 0.01. A run of Adams-Bashforth 4 starts without the root that
                // becomes unstable, so its growth appears late.
                let slack = match info.name {
                    _ if limit == 0.0 => 0.02,
                    "AdamsBashforth4" => 2e-3 * limit,
                    _ => 3e-4 * limit,
                };
                (found - limit).abs() < slack
            }
            Some(found) => found == limit,
        };
        if !is_right {
            off.push(format!("{}: {found:?}, not {limit}", info.name));
        }
        count += 1;
    }
    assert!(off.is_empty(), "{off:#?}");
    assert!(count >= 19);
}

#[test]
fn damping_moves_the_limit_as_theory_says() {
    let method = with_defaults("SemiImplicitEuler").unwrap();
    for (omega, damping) in [(1.0, 0.1), (894.0, 16.4), (3.0, 5.0)] {
        let found = Oscillator::new(omega, damping).longest_step(&method).unwrap();
        let expected = semi_implicit_limit(omega, damping);
        assert!((found / expected - 1.0).abs() < 2e-5, "{omega} {damping}: {found} {expected}");
    }
    // Explicit Euler: h < γ/ω² where that is the slower of the two.
    let method = with_defaults("ExplicitEuler").unwrap();
    for (omega, damping) in [(2.0, 0.5), (1.0, 1e-3), (16.2, 0.01)] {
        let found = Oscillator::new(omega, damping).longest_step(&method).unwrap();
        let expected = damping / (omega * omega);
        assert!((found / expected - 1.0).abs() < 1e-3, "{omega} {damping}: {found} {expected}");
    }
    // A velocity factor also damps, at a rate that depends on the step.
    let factored = Oscillator { factors: [0.99, 1.0], ..Oscillator::new(1.0, 0.0) };
    let found = factored.longest_step(&method).unwrap();
    assert!((found - (1.0_f64 / 0.99 - 1.0).sqrt()).abs() < 1e-4, "{found}");
}

#[test]
fn frequency_and_growth_are_read_off_a_run() {
    let x = 0.5;
    let verlet = UNIT.motion(&with_defaults("PositionVerlet").unwrap(), x).unwrap();
    assert!((verlet.frequency - 1.010_721_0).abs() < 1e-7, "{verlet:?}");
    assert!((verlet.growth - 1.0).abs() < 1e-9);
    let explicit = UNIT.motion(&with_defaults("ExplicitEuler").unwrap(), x).unwrap();
    assert!((explicit.growth - (1.0 + x * x).sqrt()).abs() < 1e-9, "{explicit:?}");
    // Beyond the limit, no frequency can be measured.
    assert!(UNIT.motion(&with_defaults("SemiImplicitEuler").unwrap(), 2.5).is_none());
}

#[test]
fn limits_of_the_classroom_ropes_are_predicted_and_measured() {
    for (file, substeps) in [("limit_16_nodes", 10), ("limit_3_nodes", 9)] {
        let found = of(&scene(file, &[]), 0);
        let predicted = found.predicted.unwrap().longest_step.unwrap();
        let measured = found.measured.unwrap();
        assert_eq!((1.0 / predicted).ceil() as u64, substeps, "{file}");
        assert_eq!(measured.substeps, Some(substeps), "{file}: {measured:?}");
        // The step and the number of substeps are consistent.
        let [survived, lost] = [measured.survived, measured.lost].map(Option::unwrap);
        let [own, less] = [substeps, substeps - 1].map(|count| 1.0 / count as f64);
        assert!(own <= survived && survived < lost && lost <= less, "{file}: {measured:?}");
        let ratio = measured.survived.unwrap() / predicted;
        assert!((ratio - 1.0).abs() < 5e-3, "{file}: {ratio}");
    }
}

#[test]
fn limit_of_the_workshop_rope_is_predicted_and_measured() {
    let found = of(&scene("workshop", &["frames=300"]), 0);
    let predicted = found.predicted.unwrap().longest_step.unwrap();
    assert!((predicted / 0.002_216 - 1.0).abs() < 1e-3, "{predicted}");
    let measured = found.measured.unwrap();
    let survived = measured.survived.unwrap();
    assert!((survived / 0.002_216 - 1.0).abs() < 5e-3, "{measured:?}");
    assert!(measured.lost.unwrap() / survived < 1.001);
    // The bounds of textbooks, by their numbers.
    let TextbookBounds { one_spring, wave } = found.textbook;
    assert!((one_spring - 2.0 * (0.05_f64 / 10_000.0).sqrt()).abs() < 1e-12);
    assert!((wave - 0.05 / (10_000.0_f64 / 1.0).sqrt()).abs() < 1e-12);
}

#[test]
fn methods_without_a_limit_and_with_none_say_so() {
    let held = of(&scene_of("Scene(base: (frames: 20, integrator: ConstraintVerlet))"), 0);
    assert!(held.predicted.is_none() && held.measured.unwrap().survived.is_some());
    let grows =
        of(&scene_of("Scene(base: (frames: 20, substeps: 64, integrator: ExplicitEuler))"), 0);
    assert_eq!(grows.predicted.unwrap().longest_step, None);
    let adaptive = of(&scene_of("Scene(base: (frames: 20, integrator: DormandPrince))"), 0);
    assert!(adaptive.predicted.is_none() && adaptive.measured.is_none());
    let always = of(&scene_of("Scene(base: (frames: 20, integrator: ImplicitEuler))"), 0);
    assert_eq!(always.predicted.unwrap().longest_step, Some(f64::INFINITY));
}

#[test]
fn the_map_lies_where_the_spectrum_says() {
    let scene = scene_of("Scene(base: (rope: (nodes: 8)))");
    let body = &scene.panels[0].bodies[0];
    let factors = [0.25, 1.0, 4.0];
    let map = StabilityMap::measure(
        &body.setup,
        vec![4, 8, 12, 16, 24],
        &factors,
        300.0,
        StabilityTimes::ONE,
        &|| (),
    )
    .unwrap();
    for (row, predicted) in map.predicted.iter().enumerate() {
        let predicted = predicted.unwrap();
        for (column, &substeps) in map.substeps.iter().enumerate() {
            let survived = map.survived[row * map.substeps.len() + column];
            let n = substeps as f64;
            // Cells next to the line may be on either side of it.
            if (n / predicted - 1.0).abs() > 0.02 {
                assert_eq!(survived, n > predicted, "{} {n} {predicted}", map.stiffness[row]);
            }
        }
    }
    assert_eq!(map.stiffness, [25.0, 100.0, 400.0]);
    let stiff = stiffened(&body.setup, 4.0);
    assert_eq!(stiff.model.springs[0].stiffness, 400.0);
}

#[test]
fn a_step_over_its_limit_is_told() {
    let warning_of =
        |text: &str| warning(&scene_of(text).panels[0].bodies[0].setup, 600, warning_amount(1));
    let lost = warning_of("Scene(base: (substeps: 9))").unwrap();
    assert!(
        lost.contains("exceeds the stability limit") && lost.contains("substeps: 10"),
        "{lost}"
    );
    assert_eq!(warning_of("Scene(base: (substeps: 10))"), None);
    assert!(
        warning_of("Scene(base: (integrator: ExplicitEuler))")
            .unwrap()
            .contains("gains energy at every step size")
    );
    assert_eq!(warning_of("Scene(base: (integrator: ConstraintVerlet, substeps: 1))"), None);
    // A long chain is judged by a bound, which equals the limit to six digits.
    let long = warning_of("Scene(base: (substeps: 9, rope: (nodes: 5000)))").unwrap();
    assert!(long.contains("exceeds the stability limit"), "{long}");
    assert_eq!(warning_of("Scene(base: (substeps: 11, rope: (nodes: 5000)))"), None);
}

#[test]
fn the_command_prints_sentences_or_a_table() {
    let run = |args: &[&str]| {
        let path = repository("scenes/limit_16_nodes.ron");
        let run = catena().arg("stability").arg(path).args(args).assert().success();
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    };
    let text = run(&[]);
    assert!(
        text.contains("ω = 19.897") && text.contains("10 substeps survive, 9 do not"),
        "{text}"
    );
    assert!(text.contains("over the limit") && text.contains("within the limit"), "{text}");
    let table = run(&["--csv", "--threads", "1"]);
    assert_eq!(table, run(&["--csv", "--threads", "2"]));
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{table}");
    let at = rows[0].iter().position(|name| *name == "omega").unwrap();
    assert!((rows[1][at].parse::<f64>().unwrap() - 19.8974).abs() < 1e-4);
}

#[test]
fn rendering_warns_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let run = catena()
        .args(["render", "--frames", "1", "--no-steady", "--out"])
        .arg(folder.path())
        .arg(repository("scenes/limit_16_nodes.ron"))
        .assert()
        .success();
    let stderr = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    let lines: Vec<&str> = stderr.lines().filter(|line| line.starts_with("warning:")).collect();
    assert!(matches!(lines[..], [line] if line.contains("9 substeps")), "{stderr}");
}

/// A step must be stable at the minimum and at the maximum of the drag, at any time.
#[test]
fn limits_hold_for_all_times_of_a_drag_that_changes() {
    let found = |method: &str, drag: &str| {
        let scene = scene_of(&format!(
            "Scene(base: (frame_time: 0.5, substeps: 20, integrator: {method}, drag: {drag},
                rope: (start: (0, 0), end: (4, 0), nodes: 5, stiffness: 40)))"
        ));
        let setup = &scene.panels[0].bodies[0].setup;
        let longest = predict(setup).unwrap().longest_step;
        (longest.unwrap_or(0.0), warning(setup, scene.frames, warning_amount(1)))
    };
    for method in ["SemiImplicitEuler", "ExplicitEuler", "Rk4", "AdamsBashforth2"] {
        let [weak, strong] = ["0.5", "60"].map(|drag| found(method, drag).0);
        let minimum = weak.min(strong);
        assert!(weak != strong, "{method}: {weak}");
        for drag in ["[(0, 0.5), (5, 60)]", "[(0, 60, Step), (5, 0.5)]"] {
            assert_eq!(found(method, drag).0, minimum, "{method} {drag}");
        }
        // Between equal keys, the curve rises from 1.5 by 4/27 of 8 times the duration.
        let bump = "[(0, 1.5, Hermite(leave: 8)), (1, 1.5)]";
        let top = found(method, &format!("{}", 1.5 + 8.0 * 4.0 / 27.0)).0;
        let expected = top.min(found(method, "1.5").0);
        let bumped = found(method, bump).0;
        assert!((bumped - expected).abs() <= 1e-9 * expected, "{method}: {bumped}, {expected}");
    }
    let (longest, line) = found("SemiImplicitEuler", "[(0, 0.5), (5, 100)]");
    assert!(longest < 0.025, "{longest}");
    let line = line.unwrap();
    assert!(
        line.starts_with("while drag is 100, dt = 0.025 exceeds the stability limit"),
        "{line}"
    );
    assert_eq!(found("SemiImplicitEuler", "[(0, 0.5), (5, 1)]").1, None);
}

/// A run at the predicted limit of a damped explicit Euler takes thousands of steps per frame. The
/// search begins with cheaper runs, and stays within its budget.
#[test]
fn a_limit_far_below_the_scenes_step_is_measured_within_the_budget() {
    let scene = scene_of(
        "Scene(base: (frames: 60, frame_time: 1, substeps: 64, integrator: ExplicitEuler, drag: 0.01,
            rope: (start: (0, 200), end: (-400, 200), nodes: 4, stiffness: 100, mass: 1)))",
    );
    let setup = &scene.panels[0].bodies[0].setup;
    let found = stability(setup, 60.0, StabilityTimes::of_seconds(0.4));
    let predicted = found.predicted.unwrap();
    let limit = predicted.longest_step.unwrap();
    let measured = found.measured.unwrap();
    let [survived, lost] = [measured.survived, measured.lost].map(Option::unwrap);
    assert!(limit < 0.01 * setup.dt() && survived > limit, "{limit} {survived}");
    assert!(lost < 1.02 * survived, "{survived} to {lost}");
    // |1 + i ω dt| for a weak damping.
    let growth = predicted.growth(setup);
    let omega = predicted.highest.omega * setup.dt();
    assert!((growth - (1.0 + omega * omega).sqrt()).abs() < 2e-4, "{growth}");
    let tenfold = predicted.tenfold_time(setup).unwrap();
    assert!((libm::pow(growth, tenfold / setup.dt()) - 10.0).abs() < 1e-6, "{tenfold}");
    // A study within the time that is reported as enough is complete.
    let enough = StabilityTimes::of_seconds(found.enough(setup).unwrap());
    let second = stability(setup, 60.0, enough).measured.unwrap();
    let [minimum, maximum] = [second.survived, second.lost].map(Option::unwrap);
    assert!(
        minimum <= lost && maximum >= survived && maximum < 1.1 * minimum,
        "{minimum} to {maximum}"
    );
}
