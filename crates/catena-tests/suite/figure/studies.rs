//! Budgets of the runs of studies: they are shared, they limit costs that are only known during a
//! run, and a run that exceeds its budget makes no statement.

use crate::scene_of;
use catena::analysis::{
    budget::CoreTime,
    modes::{self, NoComparison},
    node_path::{PathEnd, node_paths},
    settle::{Ending, rest_state},
    stability::{
        StabilityTimes, longest_steps_of_all,
        measure::{SurvivalTest, Trials},
        stability, stability_of_all, warning_amount,
    },
};
use catena::sim::{Setup, Simulation};
use std::sync::Arc;

/// A step whose minimum cost is small, and whose actual cost is a thousand times the minimum.
const ITERATES: &str =
    "Scene(base: (integrator: Shake(tolerance: 1e-300, iterations: 100000), rope: (nodes: 8)))";
const LITTLE: CoreTime = CoreTime { seconds: 0.01 };

fn setup(text: &str) -> Arc<Setup> {
    Arc::clone(&scene_of(text).panels[0].bodies[0].setup)
}

#[test]
fn a_run_that_is_refused_has_not_survived() {
    let setup = setup(ITERATES);
    let trial = SurvivalTest { time: 50.0, strain: f64::INFINITY };
    let mut trials = Trials::within(LITTLE);
    assert_eq!(trial.survives_with(&setup, setup.substeps, &mut trials), None);
    assert_eq!(trials.left().seconds, 0.0, "what it took is counted");
    let mut trials = Trials::within(CoreTime { seconds: 1000.0 });
    let few = SurvivalTest { time: 1.0, ..trial };
    assert_eq!(few.survives_with(&setup, 1, &mut trials), Some(true));
    // A step that cannot become exact ends after some microseconds.
    assert!(trials.left().seconds < 1000.0, "{:?}", trials.left());
}

#[test]
fn what_was_not_simulated_is_no_result() {
    let setup = LITTLE.bound(&setup(ITERATES));
    let (moments, end) = node_paths(&Arc::new(setup.clone()), &[3], 600);
    assert_eq!(end, PathEnd::Refused);
    assert!(moments[0].len() < 600, "{}", moments[0].len());
    let loose = LITTLE.bound(&self::setup(
        "Scene(base: (integrator: DormandPrince(tolerance: 1e-14), rope: (nodes: 8, bending: 0.1)))",
    ));
    let rest = rest_state(&loose, 600);
    assert!(matches!(rest, Err(Ending::Moving { frame, .. }) if frame < 600), "{rest:?}");
    // A constant motion has no spectrum.
    let body = scene_of("Scene(base: (rope: (nodes: 8)))").panels.remove(0).bodies.remove(0);
    let rest = rest_state(&body.setup, 600).unwrap();
    let natural = modes::natural_about(&body.setup, &rest).unwrap();
    let found = modes::compare(&body.setup, &rest, natural, CoreTime { seconds: 1e-6 });
    assert_eq!(found.unwrap_err(), NoComparison::Work);
}

#[test]
fn many_bodies_share_what_few_may_take() {
    for bodies in [1, 12, 13, 4096] {
        let StabilityTimes { predicting, measuring } = StabilityTimes::among(bodies);
        let all = [predicting, measuring, warning_amount(bodies)].map(|it| it.times(bodies as f64));
        assert!(all[0].seconds <= 12.0 + 1e-9 && all[1].seconds <= 36.0 + 1e-9, "{all:?}");
        assert!(all[2].seconds <= 4.0 + 1e-9, "{all:?}");
    }
    assert_eq!(StabilityTimes::among(12), StabilityTimes::ONE);
    assert_eq!(warning_amount(20), warning_amount(1));
}

/// Runs of many bodies advance in parallel. Runs that end early, are cut short or are not needed do
/// not affect the others.
#[test]
fn bodies_studied_together_find_what_each_finds_alone() {
    let methods = ["ImplicitEuler", "Rk4", "ConstraintVerlet", "SemiImplicitEuler", "Shake"];
    let texts = (0..20).map(|number| {
        let (method, drag) = (methods[number % 5], if number % 3 == 0 { 0.02 } else { 0.0 });
        let rope = format!("rope: (nodes: 5, stiffness: {}, mass: 1)", 100 + 10 * number);
        format!("Scene(base: (integrator: {method}, drag: {drag}, substeps: 8, {rope}))")
    });
    let mut setups: Vec<Arc<Setup>> = texts.map(|text| setup(&text)).collect();
    let chooses = "Scene(base: (integrator: DormandPrince, rope: (nodes: 5)))";
    setups.push(setup(chooses));
    let subjects: Vec<(&Setup, f64)> = setups.iter().map(|setup| (&**setup, 20.0)).collect();
    let few = StabilityTimes { measuring: CoreTime { seconds: 2e-3 }, ..StabilityTimes::ONE };
    for amounts in [StabilityTimes::ONE, few] {
        let alone = subjects.iter().map(|(setup, film)| stability(setup, *film, amounts));
        let alone: Vec<_> = alone.collect();
        assert_eq!(stability_of_all(&subjects, amounts), alone);
        let cut_short =
            alone.iter().filter(|found| found.measured.is_none_or(|it| it.is_cut_short)).count();
        let expected = if amounts == few { 5..=21 } else { 1..=1 };
        assert!(expected.contains(&cut_short), "{cut_short} were cut short");
        assert!(alone.iter().filter(|it| it.measured.is_some()).count() > 2);
        // A caller that asks only for the step gets an equal step, unless a budget ends the search.
        if amounts == StabilityTimes::ONE {
            let steps = alone.iter().map(|found| found.measured.and_then(|it| it.survived));
            let steps: Vec<_> = steps.collect();
            assert!(steps.iter().flatten().count() > 15, "{steps:?}");
            assert_eq!(longest_steps_of_all(&subjects, amounts), steps);
        }
    }
}

/// Continues an interrupted run, and is refused at the same frame as an uninterrupted run.
#[test]
fn a_run_that_goes_on_is_refused_at_the_same_frame() {
    let setup =
        Arc::new(CoreTime { seconds: 0.05 }.bound(&setup(
            "Scene(base: (integrator: DormandPrince, rope: (nodes: 8), substeps: 3))",
        )));
    let refused = |mut run: Simulation| loop {
        run.advance_frame();
        if let Some(refusal) = run.refusal() {
            return refusal;
        }
        assert!(run.frame() < 100_000);
    };
    let whole = refused(Simulation::new(Arc::clone(&setup)));
    let mut first = Simulation::new(Arc::clone(&setup));
    (0..whole.frame / 2).for_each(|_| first.advance_frame());
    let mut second = Simulation::new(setup);
    second.resume(&first.checkpoint(), first.spent());
    assert_eq!(refused(second), whole);
}
