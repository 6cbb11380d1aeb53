//! Bodies at rest stay in place up to rounding, with constant tensions: on every collider and on
//! other ropes, at any step, with every method, by contact of nodes and drawn contact.

mod cases;

use cases::{Case, MASS, Of};
use catena::sim::drive::motion::Motion;
use catena::sim::method::{METHODS, MethodInfo, with_defaults};
use catena::sim::{Method, Simulation};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Weight of a rope, the unit in which tensions are compared.
const WEIGHT: f64 = 12.0 * MASS * 9.81;
/// Rounding of lengths: methods with rigid lengths have tension errors of this value times m/dt².
const ROUNDING: f64 = 1e-15;

/// Maximum displacement, speed and change of tension, relative to the supports of a body.
#[derive(Clone, Copy, Debug, Default)]
struct Moved {
    displacement: f64,
    speed: f64,
    tension: f64,
}

/// Starts a simulation of a case with a method.
fn begin(case: &Case, method: Arc<dyn Method>, (frame_time, substeps): (f64, u64)) -> Simulation {
    let holds = method.holds_lengths() || method.info().name == "Xpbd";
    let setup = case.setup.clone().method_of(method).frames(frame_time, substeps);
    let mut run = Simulation::new(setup.build().unwrap());
    if holds {
        run.keep_tensions();
    }
    run
}

fn tensions(run: &Simulation) -> Vec<f64> {
    if let Some(tensions) = run.tensions() {
        return tensions.to_vec();
    }
    let model = &run.setup().model;
    let stretch = |spring| model.span(&run.state().x, spring).1 - spring.rest_length;
    model.springs.iter().map(|spring| spring.stiffness * stretch(spring)).collect()
}

/// Motion of a run over `steps` steps after `before` steps, observed every `stride` steps, and its
/// maximum tension.
fn motion(
    case: &Case,
    run: &mut Simulation,
    (before, steps, stride): (u64, u64, u64),
) -> (Moved, f64) {
    (0..before).for_each(|_| run.step());
    let places = |run: &Simulation| -> Vec<[f64; 3]> {
        let frame = case.reference.at(run.state().t);
        run.positions().map(|at| frame.inverse(at)).collect()
    };
    let (begun, begun_tensions, mut moved) = (places(run), tensions(run), Moved::default());
    let greatest = |maximum: f64, value: f64| if value <= maximum { maximum } else { value };
    for step in 1..=steps {
        run.step();
        if step % stride > 0 && step < steps {
            continue;
        }
        let frame = case.reference.at(run.state().t);
        for (i, (now, begun)) in places(run).iter().zip(&begun).enumerate() {
            let (v, at) = (run.velocity(i).unwrap(), run.position(i).unwrap());
            let carrier = frame.velocity_at(at);
            for k in 0..3 {
                moved.displacement = greatest(moved.displacement, (now[k] - begun[k]).abs());
                moved.speed = greatest(moved.speed, (v[k] - carrier[k]).abs());
            }
        }
        for (now, begun) in tensions(run).iter().zip(&begun_tensions) {
            moved.tension = greatest(moved.tension, (now - begun).abs());
        }
    }
    (moved, begun_tensions.iter().fold(0.0, |maximum, tension| tension.abs().max(maximum)))
}

/// Bounds for motion that counts as rest: rounding, which is larger for larger numbers.
fn bounds(case: &Case, method: &MethodInfo, dt: f64, tension: f64) -> Moved {
    let is_pulled = case.name.ends_with("bollard");
    let displacement = if case.moves || is_pulled { 1e-13 } else { 1e-14 };
    let speed = match case.name {
        // A node moves by the gravity of one step until its contact is found in the next step.
        _ if method.name == "ExplicitEuler" && (case.of == Of::Nodes || case.moves) => 9.82 * dt,
        // Velocities between ropes are accurate to a billionth of the change per step.
        "ropes" | "moving box" => 1e-10,
        "loaded bollard" if method.holds_lengths => 1e-9,
        _ => 1e-11,
    };
    let rounding = if method.holds_lengths { ROUNDING * MASS / (dt * dt) } else { 0.0 };
    Moved { displacement, speed, tension: 1e-9 * tension.max(WEIGHT) + rounding }
}

/// The reason why a method cannot rest in a case regardless of contact.
fn cannot_rest(case: &Case, method: &MethodInfo, substeps: u64) -> Option<&'static str> {
    let is_stretched = matches!(case.name, "loaded bollard" | "held bollard" | "turning drum");
    match method.name {
        "ExplicitEuler" if is_stretched => Some("it grows at any step"),
        "ExplicitEuler" if case.name == "turning table" => Some("it leaves every circle"),
        "ExplicitEuler" if case.of == Of::Drawn => {
            let grows = case.name == "ropes" || (case.name == "ball" && substeps == 10);
            grows.then_some("it grows at any step")
        }
        "ConstraintVerlet" if matches!(case.name, "held bollard" | "turning drum") => {
            Some("the pins are farther apart than the lengths that it holds")
        }
        // One sweep over the lengths leaves a stretch of 10 %, and the rope never settles.
        "ConstraintVerlet" if case.name == "loaded bollard" && case.of == Of::Drawn => {
            (substeps == 10).then_some("its one sweep is too few for long steps")
        }
        _ => None,
    }
}

/// Whether a method runs in a case with the steps of this index. Every method runs in every case
/// with one of the steps, such that each method and each case has all of them.
fn is_chosen(method: usize, case: usize, steps: usize) -> bool {
    crate::is_thorough() || (method + case + steps).is_multiple_of(3)
}

/// Every method runs in each case with one of the steps; the nightly job runs all combinations.
#[test]
fn what_lies_still_stays_where_it_is_with_every_method() {
    let (mut failed, mut skipped) = (Vec::new(), BTreeMap::new());
    let (mut of_case, mut of_method, mut all_of_method) =
        (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for (number, method) in METHODS.iter().enumerate() {
        for (place, case) in cases::all(method.holds_lengths).into_iter().enumerate() {
            for (index, substeps) in [10, 100, 4000].into_iter().enumerate() {
                if let Some(why) = cannot_rest(&case, method, substeps) {
                    *skipped.entry((method.name, why)).or_insert(0) += 1;
                    continue;
                }
                *all_of_method.entry(method.name).or_insert(0) += 1;
                if !is_chosen(number, place, index) {
                    continue;
                }
                let frames = (1.0 / 60.0, substeps);
                let mut run = begin(&case, with_defaults(method.name).unwrap(), frames);
                let (moved, tension) = motion(&case, &mut run, (150, 50, 1));
                let bounds = bounds(&case, method, run.setup().dt(), tension);
                let is_still = moved.displacement <= bounds.displacement
                    && moved.speed <= bounds.speed
                    && moved.tension <= bounds.tension;
                if !is_still || run.is_out_of_order() {
                    let name = format!("{} on {}, {:?}", method.name, case.name, case.of);
                    failed.push(format!("{name}, {substeps} substeps: {moved:?} of {tension:e}"));
                }
                *of_case.entry((case.of, case.name, substeps)).or_insert(0) += 1;
                *of_method.entry((method.name, substeps)).or_insert(0) += 1;
            }
        }
    }
    assert!(failed.is_empty(), "{}\nskipped: {skipped:#?}", failed.join("\n"));
    let expected = [
        (("ConstraintVerlet", "the pins are farther apart than the lengths that it holds"), 12),
        (("ConstraintVerlet", "its one sweep is too few for long steps"), 1),
        (("ExplicitEuler", "it grows at any step"), 22),
        (("ExplicitEuler", "it leaves every circle"), 6),
    ];
    assert_eq!(skipped, BTreeMap::from(expected));
    // 11 cases, two kinds of contact, three steps.
    assert_eq!((of_case.len(), of_method.len()), (66, 3 * METHODS.len()));
    let share = if crate::is_thorough() { 1 } else { 3 };
    assert!(of_case.values().all(|ran| *ran >= METHODS.len() / share - 2), "{of_case:?}");
    let fewer = |name: &str| match name {
        "ExplicitEuler" => 28,
        "ConstraintVerlet" => 13,
        _ => 0,
    };
    assert!(all_of_method.iter().all(|(name, ran)| *ran == 66 - fewer(name)), "{all_of_method:?}");
}

/// Uses an explicit, an implicit and a constraint method. Each runs in every case, alternating
/// between contact of nodes and drawn contact; the nightly job runs both in each case. Frames have
/// 10 steps, or one step of the same length.
#[test]
fn ten_thousand_frames_move_nothing() {
    let mut ran = 0;
    for (number, name) in ["SemiImplicitEuler", "ImplicitEuler", "Shake"].into_iter().enumerate() {
        let method = METHODS.iter().find(|method| method.name == name).unwrap();
        for (place, case) in cases::all(method.holds_lengths).into_iter().enumerate() {
            // Cases 0 to 10 use contact of nodes, and 11 to 21 are the same cases with drawn
            // contact.
            let is_other = (number + place) % 2 == 1;
            if is_other && !crate::is_thorough() {
                continue;
            }
            let frames = match case.name {
                "slope" if name == "SemiImplicitEuler" => (1.0 / 60.0, 10),
                "ropes" if name == "ImplicitEuler" => continue,
                "slope" | "ball" | "ropes" => (1.0 / 600.0, 1),
                "held bollard" | "moving box" | "turning drum" => (1.0 / 600.0, 1),
                _ => continue,
            };
            let mut run = begin(&case, with_defaults(name).unwrap(), frames);
            let (moved, tension) = motion(&case, &mut run, (150, 10_000 * frames.1, 7));
            let name = format!("{name} on {}, {:?}: {moved:?} of {tension:e}", case.name, case.of);
            // Rounding accumulates if bodies move.
            let maximum = bounds(&case, method, run.setup().dt(), tension);
            let share = if case.moves { 10.0 } else { 1.0 };
            assert!(
                moved.displacement <= share * maximum.displacement && moved.speed <= maximum.speed,
                "{name}"
            );
            assert!(moved.tension <= share * maximum.tension, "{name}");
            ran += 1;
        }
    }
    assert_eq!(ran, (3 * 2 * 6 - 2) / if crate::is_thorough() { 1 } else { 2 });
}
