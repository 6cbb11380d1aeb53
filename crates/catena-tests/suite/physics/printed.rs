//! Methods, options and step controls as printed by courses, compared with theory: roots of
//! recurrences, rest lengths, fractions of an error, step counts.

use crate::scene_of;
use catena::analysis::stability::oscillator::Oscillator;
use catena::scene::{SceneText, load};
use catena::sim::{
    Method, Outcome, Simulation, State,
    body::measure,
    method::{DampingOf, ForceVerlet, with_defaults},
};
use std::sync::Arc;

const UNIT: Oscillator = Oscillator::new(1.0, 0.0);

fn simulation(base: &str) -> Simulation {
    let scene = scene_of(&format!("Scene(base: ({base}))"));
    Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup))
}

/// Length of a rope along its segments.
fn length(simulation: &Simulation) -> f64 {
    measure::segment_lengths(&simulation.setup().model, &simulation.state().x).iter().sum()
}

/// Maximum modulus of the roots of z² + b z + c, or of z³ + a z² + b z + c by its real root.
fn largest(coefficients: &[f64]) -> f64 {
    let of_square = |b: f64, c: f64| match b * b - 4.0 * c {
        discriminant if discriminant < 0.0 => c.sqrt(),
        discriminant => 0.5 * (b.abs() + discriminant.sqrt()),
    };
    match *coefficients {
        [b, c] => of_square(b, c),
        [a, b, c] => {
            let (mut low, mut high) = (-10.0, 10.0);
            for _ in 0..200 {
                let z = 0.5 * (low + high);
                if ((z + a) * z + b) * z + c > 0.0 { high = z } else { low = z }
            }
            // z³ + a z² + b z + c = (z - r)(z² + (a + r) z + b + r (a + r)).
            let r: f64 = 0.5 * (low + high);
            r.abs().max(of_square(a + r, b + r * (a + r)))
        }
        _ => unreachable!("of no method here"),
    }
}

/// A method with the recurrence of an undamped oscillator at (ωdt)² = u, and its limit.
struct Printed {
    name: &'static str,
    method: Arc<dyn Method>,
    recurrence: fn(f64) -> Vec<f64>,
    limit: f64,
}

fn printed() -> Vec<Printed> {
    let named = |name| with_defaults(name).unwrap();
    let damped = |damping_of| Arc::new(ForceVerlet { damping: 0.2, damping_of }) as Arc<dyn Method>;
    vec![
        Printed {
            name: "Adams-Bashforth 2 for the velocity",
            method: named("LectureAdamsBashforth2"),
            recurrence: |u| vec![1.5 * u - 2.0, 1.0 - 0.5 * u],
            limit: 2.0_f64.sqrt(),
        },
        Printed {
            name: "Adams-Bashforth 3 for the velocity",
            method: named("LectureAdamsBashforth3"),
            recurrence: |u| vec![23.0 / 12.0 * u - 2.0, 1.0 - 16.0 / 12.0 * u, 5.0 / 12.0 * u],
            limit: (12.0_f64 / 11.0).sqrt(),
        },
        Printed {
            name: "predictor-corrector",
            method: named("LecturePredictorCorrector"),
            recurrence: |u| vec![u - 2.0 - 0.25 * u * u, 1.0 - 0.25 * u * u],
            limit: 2.0_f64.sqrt(),
        },
        Printed {
            name: "Verlet, the last displacement damped",
            method: damped(DampingOf::Displacement),
            recurrence: |u| vec![u - 1.8, 0.8],
            limit: 3.6_f64.sqrt(),
        },
        Printed {
            name: "Verlet, the whole step damped",
            method: damped(DampingOf::Step),
            recurrence: |u| vec![0.8 * u - 1.8, 0.8],
            limit: (3.6_f64 / 0.8).sqrt(),
        },
    ]
}

#[test]
fn growth_and_limit_are_those_of_the_recurrence() {
    for Printed { name, method, recurrence, limit } in printed() {
        for x in [0.3, 0.5] {
            let expected = largest(&recurrence(x * x));
            let found = UNIT.motion(&method, x).unwrap().growth;
            assert!((found - expected).abs() < 1e-7, "{name} at {x}: {found} is not {expected}");
        }
        let [within, beyond] =
            [0.9999, 1.0001].map(|of| largest(&recurrence(libm::pow(of * limit, 2.0))));
        assert!(within <= 1.0 + 1e-12 && beyond > 1.0, "{name}: {within}, {beyond}");
        let found = UNIT.longest_step(&method).unwrap();
        assert!((found / limit - 1.0).abs() < 3e-4, "{name}: {found} is not {limit}");
    }
    let growth = UNIT.motion(&with_defaults("LecturePredictorCorrector").unwrap(), 0.5);
    assert!((growth.unwrap().growth - 0.99216).abs() < 5e-6);
}

/// Error of a swinging mass at t = 1 after `steps` steps, compared with the cosine.
fn error(method: &Arc<dyn Method>, steps: u32) -> f64 {
    let text = format!(
        "gravity: (0, 0), frame_time: 1, substeps: {steps}, integrator: {},
            rope: (start: (0, 0), end: (0, -1), nodes: 2, stiffness: 1, mass: 1)",
        method.info().name
    );
    let mut run = simulation(&text);
    let mut start = run.checkpoint();
    start.state.x[3] = -1.1;
    run.restore(&start);
    run.advance_frame();
    (run.state().x[3] + 1.0 + 0.1 * libm::cos(1.0)).abs()
}

#[test]
fn errors_fall_with_the_order_that_is_said() {
    for (name, order) in [
        ("LectureAdamsBashforth2", 1.0),
        ("LectureAdamsBashforth3", 1.0),
        ("LecturePredictorCorrector", 2.0),
    ] {
        let method = with_defaults(name).unwrap();
        assert_eq!(method.info().order, Some(order as u32), "{name}");
        let fitted = libm::log2(error(&method, 1000) / error(&method, 2000));
        assert!((fitted - order).abs() < 0.02, "{name}: {fitted}");
    }
}

#[test]
fn the_whole_step_damped_falls_slower() {
    // v' = (1 - d)(v + g dt) rests at v = g dt (1 - d)/d, v' = (1 - d) v + g dt at v = g dt/d.
    for (damping_of, expected) in [("Displacement", 20.0), ("Step", 19.0)] {
        for method in ["ForceVerlet", "ConstraintVerlet"] {
            let mut run = simulation(&format!(
                "integrator: {method}(damping: 0.05, damping_of: {damping_of}), substeps: 1,
                    rope: (start: (0, 0), end: (0, -1), nodes: 2, stiffness: 0.1, pins: [])"
            ));
            (0..1000).for_each(|_| run.advance_frame());
            let speed = -run.state().v[3];
            assert!((speed - expected).abs() < 1e-9, "{method}, {damping_of}: {speed}");
            let rate = run.setup().method.drag_rate(1.0);
            assert!((1.0 / rate - expected).abs() < 1e-12, "{method}, {damping_of}: {rate}");
        }
    }
    let refused = scene_error("integrator: ForceVerlet(damping: 1, damping_of: Step)");
    assert!(refused.contains("below 1, with `damping_of: Step`"), "{refused}");
}

fn scene_error(base: &str) -> String {
    let text = format!("Scene(base: ({base}))");
    let text = SceneText { origin: "scene.ron".into(), name: "scene".into(), text };
    load(&text, &[]).unwrap_err().to_string()
}

/// Length of a hanging rope of 16 nodes at rest, for a correction that removes the fraction `pin`
/// of an error next to the pin and moves each free end by the fraction `end`. Each node moves down
/// by `push` per step, and the sweep lifts it by the same distance.
fn at_rest(push: f64, pin: f64, end: f64) -> f64 {
    // Excess of each spring when the sweep reaches it, and the contribution of the previous spring.
    let met = |spring: i32| match spring {
        0 => 15.0 * push / pin,
        _ => f64::from(15 - spring) * push / end,
    };
    let added = |spring: i32| match spring {
        0 => 0.0,
        1 => pin * met(0),
        _ => end * met(spring - 1),
    };
    400.0 + (0..15).map(|spring| met(spring) - added(spring)).sum::<f64>()
}

#[test]
fn partial_corrections_rest_at_the_length_of_theory() {
    // Numbers from lecture notes: 504.94 with full corrections, 519.79 with halves next to a pin.
    assert!((at_rest(0.99, 1.0, 0.5) - 504.94).abs() < 1e-9);
    assert!((at_rest(0.99, 0.5, 0.5) - 519.79).abs() < 1e-9);
    for (damping_of, push) in [("Displacement", 1.0), ("Step", 0.99)] {
        for (correction, pin, end) in
            [("Full", 1.0, 0.5), ("HalfBesidePin", 0.5, 0.5), ("HalfShare", 0.5, 0.25)]
        {
            let method = format!(
                "ConstraintVerlet(damping: 0.01, damping_of: {damping_of}, correction: {correction})"
            );
            // The classroom rope, hanging at the start: by kernels, step by step, and from its
            // other end.
            for (pins, start, is_burst) in
                [(0, (200, -200), true), (0, (200, -200), false), (15, (-200, 200), true)]
            {
                let (from, to) = start;
                let mut run = simulation(&format!(
                    "integrator: {method}, substeps: 1,
                        rope: (start: (0, {from}), end: (0, {to}), pins: [{pins}])"
                ));
                for _ in 0..3000 {
                    if is_burst { run.advance_frame() } else { run.step() }
                }
                let (found, expected) = (length(&run), at_rest(push, pin, end));
                assert!((found - expected).abs() < 1e-6, "{method}: {found} is not {expected}");
            }
        }
    }
}

#[test]
fn a_projection_after_the_step_shows_the_corrected_lengths() {
    // From an unstretched start, frame n equals the frame of the other order after one more
    // projection. Cases: a chain from each end, a cloth with shear springs, several iterations.
    for (options, body) in [
        ("", "rope: (nodes: 9)"),
        ("iterations: 3, damping: 0.01", "rope: (nodes: 9, pins: [8])"),
        ("iterations: 2, correction: HalfShare", "rope: (nodes: 5)"),
        (
            "damping: 0.1, damping_of: Step",
            "cloth: (corner: (0, 0), across: (4, 0), down: (0, -3), rows: 4, columns: 5, pins: TopCorners)",
        ),
    ] {
        let run = |projection: &str, steps: u64| {
            let mut run = simulation(&format!(
                "integrator: ConstraintVerlet(projection: {projection}, {options}), {body}"
            ));
            (0..steps).for_each(|_| run.step());
            run
        };
        let last = run("Last", 40);
        // The next step of the other order begins with the projection. Its previous positions are
        // the results of the projection.
        let next = run("First", 41).checkpoint().method;
        let (found, expected) = (&last.state().x, &next);
        let pairs = found.iter().zip(expected);
        let farthest = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(farthest < 1e-10, "{options}, {body}: {farthest}");
        let other = run("First", 40);
        let pairs = found.iter().zip(&other.state().x);
        let moved = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(moved > 1e-6, "{options}, {body}: both orders show the same lengths");
    }
}

#[test]
fn a_projection_after_the_step_is_pbd_with_a_drag() {
    let end = |method: &str, drag: f64| {
        let mut run = simulation(&format!(
            "integrator: {method}, substeps: 32, drag: {drag}, rope: (nodes: 7)"
        ));
        (0..40).for_each(|_| run.advance_frame());
        run.state().x.clone()
    };
    let verlet = end("ConstraintVerlet(projection: Last, iterations: 4, damping: 0.001)", 0.0);
    let pbd = end("Pbd(iterations: 4)", 0.032);
    let apart = verlet.iter().zip(&pbd).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(apart < 1e-7, "{apart}");
}

/// Excess of a spring of length 1 next to a pin after a step, initially stretched to 1.5.
fn left(method: &str, pins: &str) -> f64 {
    let mut run = simulation(&format!(
        "gravity: (0, 0), substeps: 1, integrator: {method},
            rope: (start: (0, 0), end: (0, -1), nodes: 2, mass: 1, pins: {pins})"
    ));
    let mut start = run.checkpoint();
    start.state = State { x: vec![0.0, 0.0, 0.0, -1.5], ..start.state };
    // Constraint Verlet stores the positions of the previous step: here, of a rope at rest.
    if !start.method.is_empty() {
        start.method.clone_from(&start.state.x);
    }
    run.restore(&start);
    run.step();
    (length(&run) - 1.0) / 0.5
}

#[test]
fn a_correction_leaves_the_share_of_an_error_that_is_said() {
    let solve = |s: f64, factor: f64, n: f64| {
        libm::pow(1.0 - factor * (1.0 - libm::pow(1.0 - s, 1.0 / n)), n)
    };
    let free = |share: f64| 1.0 - share;
    for (options, at_pin, between_free) in [
        ("stiffness: 0.3, iterations: 4", 0.7, 0.7),
        (
            "stiffness: 0.3, iterations: 4, stiffness_per: Iteration",
            libm::pow(0.7, 4.0),
            libm::pow(0.7, 4.0),
        ),
        ("stiffness: 0.3, iterations: 1, stiffness_per: Iteration", 0.7, 0.7),
        ("iterations: 3, correction: HalfShare", 0.125, 0.125),
        ("iterations: 3, correction: HalfBesidePin", 0.125, 0.0),
        ("iterations: 3, correction: WholeAtBothEnds", 0.0, -1.0),
        (
            "stiffness: 0.3, iterations: 4, correction: HalfBesidePin",
            solve(0.3, 0.5, 4.0),
            solve(0.3, 1.0, 4.0),
        ),
    ] {
        for (pins, expected) in [("[0]", at_pin), ("[]", between_free)] {
            let found = left(&format!("Pbd({options})"), pins);
            assert!((found - expected).abs() < 1e-12, "{options}, pins {pins}: {found}");
        }
    }
    // Constraint Verlet keeps moving by the correction of the previous step, so one step leaves
    // less.
    for (correction, at_pin, between_free) in [
        ("Full", free(1.0), free(1.0)),
        ("HalfBesidePin", free(0.5), free(1.0)),
        ("HalfShare", free(0.5), free(0.5)),
        ("WholeAtBothEnds", free(1.0), free(2.0)),
        ("HalfShare, iterations: 3", free(0.875), free(0.875)),
        ("HalfBesidePin, iterations: 2", free(0.75), free(1.0)),
    ] {
        let method = format!("ConstraintVerlet(damping: 1, correction: {correction})");
        for (pins, expected) in [("[0]", at_pin), ("[]", between_free)] {
            let found = left(&method, pins);
            assert!((found - expected).abs() < 1e-12, "{method}, pins {pins}: {found}");
        }
    }
}

/// A rope that swings from the horizontal.
fn swinging(method: &str, control: &str) -> Simulation {
    simulation(&format!(
        "integrator: {method}, step_control: {control}, frame_time: 0.5, substeps: 1,
            gravity: (0, -10), rope: (start: (0, 0), end: (2, 0), nodes: 4, stiffness: 60, mass: 0.5)"
    ))
}

#[test]
fn chosen_steps_keep_to_their_bounds_and_report_what_was_too_large() {
    let under = |options: &str| {
        [
            swinging(&format!("DormandPrince({options})"), "Fixed"),
            swinging(&format!("DormandPrince8({options})"), "Fixed"),
            swinging("Rk4", &format!("StepDoubling({options})")),
        ]
    };
    let reports = |options: &str| {
        under(options).map(|mut run| {
            let mut all = Vec::new();
            for _ in 0..8 {
                run.advance_frame();
                all.push(run.report());
            }
            (all, run)
        })
    };
    let count =
        |options: &str| reports(options).map(|(all, _)| all.iter().map(|it| it.count).sum());
    let [one, eight, doubling]: [u64; 3] = count("safety: 0.8");
    let [usual_one, usual_eight, usual_doubling]: [u64; 3] = count("safety: 0.9");
    assert!(one > usual_one && eight > usual_eight && doubling > usual_doubling);
    assert_eq!(count(""), [usual_one, usual_eight, usual_doubling]);
    // Step doubling keeps its half steps.
    for (at, (all, run)) in reports("tolerance: 0.1, max_dt: 0.04").into_iter().enumerate() {
        let longest = if at == 2 { 0.02 } else { 0.04 };
        assert!(all.iter().all(|it| it.greatest_dt <= longest && it.unconverged == 0), "{at}");
        assert_eq!(run.outcome(), Outcome::Fine);
    }
    // No step is within this tolerance. The last two steps of a frame may be shorter, by at most a
    // factor of 2.
    for (at, (all, run)) in reports("tolerance: 1e-13, min_dt: 0.05").into_iter().enumerate() {
        let shortest = if at == 2 { 0.025 } else { 0.05 };
        for report in all {
            assert!(report.least_dt >= 0.5 * shortest * (1.0 - 1e-9), "{at}: {report:?}");
            assert!(report.unconverged > 0, "{at}: {report:?}");
        }
        assert_eq!(run.outcome(), Outcome::Fine);
    }
}

#[test]
fn bounds_of_steps_are_checked_and_noted() {
    for (options, count) in [("min_dt: 0.4", 0), ("min_dt: 0.5", 1), ("", 0)] {
        let text = format!(
            "Scene(base: (frame_time: 0.5, substeps: 1, integrator: DormandPrince({options})))"
        );
        assert_eq!(scene_of(&text).panels[0].bodies[0].notes.len(), count, "{options}");
    }
    for (options, expected) in [
        ("safety: 1", "0.99"),
        ("safety: 0", "0.99"),
        ("max_dt: 0", "above 0"),
        ("min_dt: -1", "`max_dt`"),
        ("min_dt: 0.2, max_dt: 0.1", "`max_dt`"),
    ] {
        for scene in [
            format!("integrator: DormandPrince({options})"),
            format!("integrator: DormandPrince8({options})"),
            format!("integrator: Rk4, step_control: StepDoubling({options})"),
        ] {
            let refused = scene_error(&scene);
            assert!(refused.contains(expected), "{scene}: {refused}");
        }
    }
}

/// Number of substeps in the first step of a rope with 9 nodes, l = 10, k = 50 and m = 2 that moves
/// sideways at a speed; dt = 1.
fn substeps(control: &str, speed: f64, pins: &str) -> u64 {
    let mut run = simulation(&format!(
        "step_control: {control}, substeps: 1, velocities: [(velocity: ({speed}, 0))],
            rope: (start: (0, 0), end: (0, -80), nodes: 9, stiffness: 50, mass: 2, pins: {pins})"
    ));
    run.step();
    run.report().count
}

#[test]
fn the_condition_of_courant_counts_steps_as_printed() {
    // √(k/m) = 5, so a wave crosses a spring in 0.2. |v|/l = 7.
    for (control, speed, expected) in [
        ("Cfl(number: 0.51)", 0.0, 10),
        ("Cfl", 0.0, 10),
        ("Cfl(number: 0.99)", 70.0, 6),
        ("Cfl(number: 0.51, speed: Wave)", 70.0, 10),
        ("Cfl(number: 0.51, speed: Nodes)", 70.0, 14),
        ("Cfl(number: 0.51, speed: Nodes)", 0.0, 1),
        ("Cfl(number: 0.51, speed: Faster)", 70.0, 14),
        ("Cfl(number: 0.51, speed: Faster)", 30.0, 10),
    ] {
        for pins in ["[]", "[0]"] {
            let found = substeps(control, speed, pins);
            assert_eq!(found, expected, "{control} at {speed}, pins {pins}");
        }
    }
    // The wave speed bounds ωdt by 2 C; the speed of nodes, which is zero at the start, bounds
    // nothing.
    for (control, expected) in [("Wave", true), ("Nodes", false)] {
        let mut run = simulation(&format!(
            "step_control: Cfl(number: 0.99, speed: {control}), substeps: 1,
                rope: (start: (0, 0), end: (80, 0), nodes: 9, stiffness: 500)"
        ));
        (0..200).for_each(|_| run.advance_frame());
        assert_eq!(run.outcome() == Outcome::Fine, expected, "{control}");
    }
    for (scene, expected) in [
        ("integrator: ConstraintVerlet, step_control: Cfl", "cannot restart within a step"),
        ("integrator: Pbd, step_control: Cfl", "no waves run along springs"),
        ("step_control: Cfl(number: 0)", "above 0"),
        ("step_control: Cfl(speed: Sound)", "cannot be `Sound`"),
    ] {
        let refused = scene_error(scene);
        assert!(refused.contains(expected), "{scene}: {refused}");
    }
    assert_eq!(substeps("Cfl(number: 0.51, speed: Nodes), integrator: Pbd", 70.0, "[]"), 14);
}
