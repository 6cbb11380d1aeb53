//! Steps: the highest frequency of a rope and the resulting limits, and steps chosen by error or by
//! limit.

use crate::{scene, scene_of};
use catena::scene::{Scene, SceneText, load};
use catena::sim::{
    Outcome, Setup, Simulation, State, System,
    drive::Anchors,
    linear::spectrum::{
        Spectrum, largest_frequency, search_largest_frequency, semi_implicit_limit, spectrum_bound,
    },
};
use std::sync::Arc;

fn setup(scene: &Scene) -> Arc<Setup> {
    Arc::clone(&scene.panels[0].bodies[0].setup)
}

fn simulation(text: &str) -> Simulation {
    Simulation::new(setup(&scene_of(text)))
}

fn spectrum(simulation: &Simulation) -> Spectrum {
    let Setup { model, forces, initial, anchors, .. } = &**simulation.setup();
    let anchors = Anchors::new(model, initial, anchors);
    let system = System::new(model, simulation.springs(), forces, &anchors);
    largest_frequency(&system, simulation.state())
}

fn bits(state: &State) -> Vec<u64> {
    std::iter::once(&state.t).chain(&state.x).chain(&state.v).map(|value| value.to_bits()).collect()
}

#[test]
fn the_highest_frequency_is_the_known_one() {
    let files = [("limit_16_nodes", 19.897_386_467_837_9), ("limit_3_nodes", 16.180_339_887_498_9)];
    for (file, expected) in files {
        let found = spectrum(&Simulation::new(setup(&scene(file, &[])))).omega;
        assert!((found / expected - 1.0).abs() < 1e-9, "{file}: {found}");
    }
    // A uniform chain of N free masses, held at one end.
    for free in [1, 2, 5, 40, 300] {
        let nodes = free + 1;
        let found = spectrum(&simulation(&format!(
            "Scene(base: (rope: (nodes: {nodes}, stiffness: 70, mass: 0.3)))"
        )));
        let angle = std::f64::consts::FRAC_PI_2 * f64::from(2 * free - 1) / f64::from(2 * free + 1);
        let expected = 2.0 * (70.0_f64 / 0.3).sqrt() * libm::sin(angle);
        assert!((found.omega / expected - 1.0).abs() < 1e-8, "{free}: {} {expected}", found.omega);
        assert!(found.damping.abs() < 1e-12);
    }
}

/// M^-½ K M^-½ with K = -∂f/∂x among the free nodes, as a full matrix.
fn scaled_stiffness(system: &System<'_>, state: &State) -> Vec<Vec<f64>> {
    let (model, size) = (system.model, state.x.len());
    let n = model.nodes();
    let mut matrix = vec![vec![0.0; size]; size];
    let mut take = |entry: &catena::sim::Entry| {
        if model.pinned[entry.i] || model.pinned[entry.j] {
            return;
        }
        let scale = 1.0 / (model.mass[entry.i] * model.mass[entry.j]).sqrt();
        for row in 0..model.axes {
            for column in 0..model.axes {
                let (i, j) = (row * n + entry.i, column * n + entry.j);
                matrix[i][j] -= scale * entry.by_x[row][column];
            }
        }
    };
    system.each_coupling(state, false, &mut take, &mut |_| panic!("only pairs of nodes"));
    matrix
}

/// Maximum of uᵀAu/uᵀu, by power iteration. `above` is at least the absolute value of all
/// eigenvalues.
fn maximum_of(matrix: &[Vec<f64>], above: f64) -> f64 {
    let mut u: Vec<f64> = (0..matrix.len()).map(|i| 1.0 + 0.1 * (i % 7) as f64).collect();
    let mut quotient = 0.0;
    for _ in 0..3000 {
        let product = |row: &Vec<f64>| row.iter().zip(&u).map(|(a, u)| a * u).sum::<f64>();
        let next: Vec<f64> = matrix.iter().map(product).collect();
        let square: f64 = u.iter().map(|u| u * u).sum();
        quotient = u.iter().zip(&next).map(|(u, next)| u * next).sum::<f64>() / square;
        let scale = 1.0 / (2.0 * above * square.sqrt());
        u = u.iter().zip(next).map(|(u, next)| scale * (next + above * u)).collect();
    }
    quotient
}

/// The pressure of a fluid has no potential, so the derivative of the forces is not symmetric, and
/// a search that takes it for symmetric does not end.
#[test]
fn forces_without_a_potential_have_a_highest_frequency() {
    for law in ["Hooke", "TensionOnly"] {
        let run = simulation(&format!(
            "Scene(base: (cloth: (corner: (0, 0, 0), across: (1, 0.2, 0), down: (0, -1, 0.3), rows: 6, \
             columns: 6, stiffness: 100, mass: 0.01, law: {law}, pins: TopCorners), \
             forces: [FacetDrag(density: 1.2, flow: Uniform(velocity: (3, 1, 8)))]))"
        ));
        let (system, state) = (run.system(), run.state());
        let search = search_largest_frequency(&system, state, 1e-10, 1_000_000);
        let found = search.spectrum;
        let bound = spectrum_bound(&system, state).omega;
        assert!(found.omega <= bound, "{law}: {} {bound}", found.omega);
        let matrix = scaled_stiffness(&system, state);
        let mean = |i: usize, j: usize| 0.5 * (matrix[i][j] + matrix[j][i]);
        let indices = 0..matrix.len();
        let symmetric: Vec<Vec<f64>> =
            indices.clone().map(|i| indices.clone().map(|j| mean(i, j)).collect()).collect();
        let differs = |i: usize| {
            indices.clone().any(|j| (matrix[i][j] - mean(i, j)).abs() > 1e-6 * bound * bound)
        };
        assert!(indices.clone().any(differs), "{law}: the derivative is symmetric");
        let exact = maximum_of(&symmetric, bound * bound).sqrt();
        assert!((found.omega / exact - 1.0).abs() < 1e-4, "{law}: {} {exact}", found.omega);
        assert!(search.is_complete && search.work < 1_000_000, "{law}: {} ns", search.work);
    }
}

#[test]
fn damping_of_the_highest_mode_is_the_known_one() {
    // Friction proportional to the springs: γ = c_f ω²/k + c/m.
    let found = spectrum(&simulation(
        "Scene(base: (drag: 0.6, rope: (nodes: 9, stiffness: 50, mass: 2, friction: 0.5)))",
    ));
    let expected = 0.5 * found.omega * found.omega / 50.0 + 0.3;
    assert!((found.damping / expected - 1.0).abs() < 1e-6, "{} {expected}", found.damping);
}

#[test]
fn a_body_that_nothing_holds_has_no_frequency() {
    let all_pinned = simulation("Scene(base: (rope: (nodes: 3, pins: [0, 1, 2])))");
    assert_eq!(spectrum(&all_pinned), Spectrum { omega: 0.0, damping: 0.0 });
    let mut lost = simulation("Scene()");
    let mut checkpoint = lost.checkpoint();
    checkpoint.state.x[3] = f64::NAN;
    lost.restore(&checkpoint);
    assert!(spectrum(&lost).omega.is_nan());
    assert_eq!(semi_implicit_limit(0.0, 0.0), f64::INFINITY);
}

/// Step controls with methods, on a rope whose pin moves and whose tip gets an impulse.
const PAIRS: &[(&str, &str)] = &[
    ("Fixed", "DormandPrince"),
    ("Fixed", "DormandPrince(tolerance: 0.001)"),
    ("Fixed", "DormandPrince8"),
    ("Fixed", "DormandPrince8(tolerance: 0.001)"),
    ("StepDoubling", "SemiImplicitEuler"),
    ("StepDoubling", "ExplicitEuler"),
    ("StepDoubling", "Rk4"),
    ("StepDoubling", "Leapfrog"),
    ("StepDoubling", "AdamsBashforth3"),
    ("StepDoubling(tolerance: 0.0001)", "ForceVerlet"),
    ("StabilityLimit", "SemiImplicitEuler"),
    // Springs of this law stiffen as they stretch, and the limit is computed once per step.
    ("StabilityLimit(safety: 0.5)", "PositionVerlet"),
    ("StabilityLimit", "AdamsBashforth4"),
    ("StabilityLimit(safety: 0.5)", "Yoshida4"),
    ("Fixed", "DormandPrince(safety: 0.8, min_dt: 0.001, max_dt: 0.1)"),
    ("Fixed", "DormandPrince8(safety: 0.8, max_dt: 0.1)"),
    ("StepDoubling(safety: 0.8, max_dt: 0.1)", "LecturePredictorCorrector"),
    ("Cfl", "LectureAdamsBashforth3"),
    ("Cfl(number: 0.25, speed: Faster)", "ForceVerlet(damping: 0.01, damping_of: Step)"),
    ("Cfl(number: 0.05, speed: Nodes)", "VelocityVerlet"),
];

fn under((control, method): (&str, &str)) -> Simulation {
    simulation(&format!(
        "Scene(base: (step_control: {control}, integrator: {method}, drag: 0.05, frame_time: 0.5, substeps: 2,
            rope: (start: (0, 0), end: (60, 0), nodes: 7, stiffness: 80, law: Exponential(alpha: 2)),
            anchors: [(node: 0, curve: CatmullRom(keys: [(0, (0, 0)), (2, (10, 5)), (4, (-10, 0))]))],
            impulses: [(node: 6, at: 3, impulse: (0, 20))]))"
    ))
}

#[test]
fn steps_that_are_chosen_give_the_same_bits() {
    for &pair in PAIRS {
        let run = || {
            let mut simulation = under(pair);
            (0..20).for_each(|_| simulation.advance_frame());
            assert_eq!(simulation.outcome(), Outcome::Fine, "{pair:?}");
            bits(simulation.state())
        };
        assert_eq!(run(), run(), "{pair:?}");
    }
}

#[test]
fn a_resumed_run_is_the_unbroken_one_under_control() {
    for &pair in PAIRS {
        for stop in [1, 5, 13] {
            let mut unbroken = under(pair);
            (0..stop).for_each(|_| unbroken.step());
            let checkpoint = unbroken.checkpoint();
            (0..15).for_each(|_| unbroken.step());
            let mut resumed = under(pair);
            resumed.restore(&checkpoint);
            assert_eq!(resumed.checkpoint(), checkpoint, "{pair:?}");
            (0..15).for_each(|_| resumed.step());
            assert_eq!(bits(resumed.state()), bits(unbroken.state()), "{pair:?} at {stop}");
            assert_eq!(resumed.checkpoint(), unbroken.checkpoint(), "{pair:?} at {stop}");
        }
    }
}

#[test]
fn the_report_is_of_the_steps_that_were_taken() {
    for &pair in PAIRS {
        let mut simulation = under(pair);
        for _ in 0..15 {
            simulation.advance_frame();
            let report = simulation.report();
            assert!(report.least_dt > 0.0 && report.least_dt <= report.greatest_dt, "{pair:?}");
            assert!(report.greatest_dt <= 0.25, "{pair:?}");
            // A frame has this number of steps, between the shortest and the longest.
            let count = report.count as f64;
            let (minimum, maximum) = (count * report.least_dt, count * report.greatest_dt);
            assert!(minimum <= 0.5 + 1e-12 && maximum >= 0.5 - 1e-12, "{pair:?}: {report:?}");
            assert_eq!(report.unconverged, 0, "{pair:?}: {report:?}");
        }
    }
    // Equal substeps add up exactly.
    let mut simulation = under(("StabilityLimit", "SemiImplicitEuler"));
    simulation.step();
    let report = simulation.report();
    assert_eq!(report.least_dt, report.greatest_dt);
    assert!(report.count > 1 && (report.count as f64 * report.least_dt - 0.25).abs() < 1e-15);
}

/// Positions of a swinging rope with a moving pin after 3 units of time.
fn swung(substeps: u32, control: &str, method: &str) -> Vec<f64> {
    let mut simulation = simulation(&format!(
        "Scene(base: (step_control: {control}, integrator: {method}, frame_time: 3, substeps: {substeps},
            gravity: (0, -10), rope: (start: (0, 0), end: (2, 0), nodes: 4, stiffness: 60, mass: 0.5),
            anchors: [(node: 0, curve: Hermite(keys: [(0, (0, 0), (0, 0)), (3, (1, 1), (1, 0))]))]))"
    ));
    simulation.advance_frame();
    simulation.state().x.clone()
}

/// Maximum distance of a node from its position with tiny steps of Runge-Kutta 4.
fn apart(found: &[f64], exact: &[f64]) -> f64 {
    found.iter().zip(exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn errors(pairs: &[(String, &str)]) -> Vec<f64> {
    let exact = swung(30_000, "Fixed", "Rk4");
    pairs.iter().map(|(control, method)| apart(&swung(4, control, method), &exact)).collect()
}

#[test]
fn inner_steps_have_the_order_of_their_method() {
    let exact = swung(30_000, "Fixed", "Rk4");
    for (method, order, steps) in [("DormandPrince", 5.0, 960), ("DormandPrince8", 8.0, 80)] {
        // Every step is within this tolerance, so none is divided.
        let method = format!("{method}(tolerance: 1e300)");
        let error = |steps| apart(&swung(steps, "Fixed", &method), &exact);
        let (coarse, fine) = (error(steps), error(2 * steps));
        let fitted = libm::log2(coarse / fine);
        assert!((fitted - order).abs() < 0.5, "{method}: {fitted}: {coarse:e} {fine:e}");
    }
}

#[test]
fn errors_fall_with_the_tolerance() {
    let tolerances = ["1e-4", "1e-6", "1e-8"];
    for method in ["SemiImplicitEuler", "VelocityVerlet", "Rk4"] {
        let pairs = tolerances.map(|tol| (format!("StepDoubling(tolerance: {tol})"), method));
        let errors = errors(&pairs);
        assert!(
            errors[0] < 1.0 && errors.is_sorted_by(|a, b| *a > 3.0 * b),
            "{method}: {errors:?}"
        );
    }
    for method in ["DormandPrince", "DormandPrince8"] {
        let methods = tolerances.map(|tol| format!("{method}(tolerance: {tol})"));
        let pairs: Vec<_> = methods.iter().map(|m| ("Fixed".into(), m.as_str())).collect();
        let errors = errors(&pairs);
        assert!(errors.is_sorted_by(|a, b| *a > 20.0 * b) && errors[2] < 1e-6, "{errors:?}");
    }
}

#[test]
fn a_stiff_rope_is_bounded_under_the_stability_limit() {
    let run = |control: &str| {
        let mut simulation = simulation(&format!(
            "Scene(base: (step_control: {control}, substeps: 16, drag: 0.01, rope: (nodes: 8, stiffness: 1e6)))"
        ));
        (0..60).for_each(|_| simulation.advance_frame());
        simulation
    };
    assert!(matches!(run("Fixed").outcome(), Outcome::Diverged { .. }));
    let bounded = run("StabilityLimit");
    assert_eq!(bounded.outcome(), Outcome::Fine);
    // 2000 sin(13π/30)/2 from the highest frequency, plus 10 % for safety.
    let substeps =
        (1.0 / 16.0 * 1000.0 * libm::sin(13.0 * std::f64::consts::PI / 30.0) / 0.9_f64).ceil();
    let maximum = bounded.report().count as f64;
    assert!((maximum / (16.0 * substeps) - 1.0).abs() < 0.02, "{maximum} {substeps}");
}

#[test]
fn a_control_that_changes_nothing_changes_no_bit() {
    let run = |control: &str| {
        let mut simulation = simulation(&format!(
            "Scene(base: (step_control: {control}, integrator: Leapfrog, drag: 0.01))"
        ));
        (0..10).for_each(|_| simulation.advance_frame());
        assert_eq!(simulation.report().count, 64);
        bits(simulation.state())
    };
    assert_eq!(run("StabilityLimit"), run("Fixed"));
}

#[test]
fn controls_refuse_what_they_cannot_do() {
    for (settings, why) in [
        ("step_control: StabilityLimit, integrator: ExplicitEuler", "no step is short enough"),
        ("step_control: StabilityLimit, integrator: ConstraintVerlet", "no stability limit"),
        ("step_control: StepDoubling, integrator: ConstraintVerlet", "includes the projection"),
        ("step_control: StabilityLimit, integrator: ImplicitEuler", "would have no effect"),
        ("step_control: StabilityLimit, integrator: ImplicitMidpoint", "would have no effect"),
        ("step_control: StabilityLimit, integrator: DormandPrince", "chooses its own steps"),
        ("step_control: StepDoubling, integrator: DormandPrince", "chooses its own steps"),
        ("step_control: StabilityLimit, integrator: DormandPrince8", "chooses its own steps"),
        ("step_control: StepDoubling, integrator: DormandPrince8", "chooses its own steps"),
        ("step_control: StabilityLimit(safety: 0)", "above 0, at most 1"),
        ("step_control: StabilityLimit(safety: 1.5)", "above 0, at most 1"),
        ("step_control: StepDoubling(tolerance: -1)", "above 0"),
        ("integrator: DormandPrince(tolerance: 0)", "above 0"),
        ("integrator: DormandPrince(tolerance: NaN)", "above 0"),
        ("integrator: DormandPrince8(tolerance: 0)", "above 0"),
    ] {
        let text = format!("Scene(base: ({settings}))");
        let text = SceneText { origin: "test".into(), name: "test".into(), text };
        let message = load(&text, &[]).expect_err(settings).report(false);
        assert!(message.contains(why), "{settings}: {message}");
        if message.contains("cannot be combined with") {
            for part in ["test:1:", "base.step_control", "help: remove `step_control`"] {
                assert!(message.contains(part), "{settings}: no {part}: {message}");
            }
        }
    }
}

#[test]
fn numbers_that_run_away_do_not_hang() {
    for (control, method, steps) in [
        ("Fixed", "DormandPrince", 1),
        ("Fixed", "DormandPrince8", 1),
        ("StepDoubling", "ExplicitEuler", 2),
        ("StabilityLimit", "Rk4", 1),
    ] {
        let mut simulation = simulation(&format!(
            "Scene(base: (step_control: {control}, integrator: {method}, substeps: 2))"
        ));
        let mut checkpoint = simulation.checkpoint();
        checkpoint.state.v[5] = f64::INFINITY;
        simulation.restore(&checkpoint);
        (0..50).for_each(|_| simulation.advance_frame());
        assert!(matches!(simulation.outcome(), Outcome::Diverged { .. }), "{control}, {method}");
        assert_eq!(simulation.report().count, 2 * steps, "{control}, {method}");
    }
    // A tolerance that no step meets ends at the shortest step, 2⁻¹⁴ of the scene's step.
    for method in ["DormandPrince", "DormandPrince8"] {
        let mut simulation = simulation(&format!(
            "Scene(base: (integrator: {method}(tolerance: 1e-300), substeps: 1, rope: (nodes: 2)))"
        ));
        simulation.advance_frame();
        let report = simulation.report();
        assert!((16384..16400).contains(&report.count), "{report:?}");
        assert!(report.unconverged > 16000, "{report:?}");
    }
}
