//! Checks of step controls: by error, and by the stability limit.

use super::{
    Check,
    Tolerance::{Absolute, AtMost},
    bodies::{method, spring},
    check::{CheckList, CheckSetups},
    order::{exact, pendulum},
    readings::{apart, differing_bits},
};
use crate::stability::oscillator::Oscillator;
use catena_sim::{
    Method, Simulation, StepControl,
    method::{
        DormandPrince, DormandPrince8, Rk4,
        control::{Fixed, StabilityLimit, StepDoubling},
    },
};
use std::sync::Arc;

pub(super) fn checks() -> Vec<Check> {
    let mut list = CheckList::new("chosen steps");
    list.set_reference(
        "steps chosen by the error keep it near the tolerance, and are the same in every run",
    );
    let cases = [
        ("Dormand-Prince 5(4)", Chooser::Five),
        ("Dormand-Prince 8(5,3)", Chooser::Eight),
        ("step doubling around Rk4", Chooser::Doubling),
    ];
    for (name, chooser) in cases {
        list.add(format!("{name}: error at t = 1, tolerance 1e-8"), 1e-6, AtMost, move |setups| {
            Some(apart(&chosen(setups, chooser).state().x, exact()))
        });
        list.add(
            format!("{name}: error / error with tolerance 1e-5"),
            0.1,
            AtMost,
            move |setups| {
                let error = |run: Simulation| apart(&run.state().x, exact());
                Some(error(chosen(setups, chooser)) / error(chosen_within(setups, chooser, 1e-5)))
            },
        );
        list.add(
            format!("{name}: numbers that differ in two runs"),
            0.0,
            Absolute(0.0),
            move |setups| {
                Some(differing_bits(
                    chosen(setups, chooser).state(),
                    chosen(setups, chooser).state(),
                ))
            },
        );
    }
    list.set_reference(
        "stability limit: equal steps, at most safety · 2/ω each: ⌈ωh / (2 · 0.9)⌉ steps",
    );
    list.add("steps of semi-implicit Euler in a step of ωh = 50", 28.0, Absolute(0.0), limited);
    list.done()
}

/// Controller that chooses the steps.
#[derive(Clone, Copy)]
enum Chooser {
    Five,
    Eight,
    Doubling,
}

fn chosen(setups: &CheckSetups<'_>, chooser: Chooser) -> Simulation {
    chosen_within(setups, chooser, 1e-8)
}

fn chosen_within(setups: &CheckSetups<'_>, chooser: Chooser, tolerance: f64) -> Simulation {
    let (method, control): (Arc<dyn Method>, Arc<dyn StepControl>) = match chooser {
        Chooser::Five => {
            (Arc::new(DormandPrince { tolerance, ..DormandPrince::default() }), Arc::new(Fixed {}))
        }
        Chooser::Eight => (
            Arc::new(DormandPrince8 { tolerance, ..DormandPrince8::default() }),
            Arc::new(Fixed {}),
        ),
        Chooser::Doubling => {
            (Arc::new(Rk4 {}), Arc::new(StepDoubling { tolerance, ..StepDoubling::default() }))
        }
    };
    let mut setup = pendulum(method, 4).setup();
    setup.step_control = control;
    let mut run = setups.start(setup);
    run.advance_frame();
    run
}

fn limited(setups: &CheckSetups<'_>) -> Option<f64> {
    let problem = Oscillator::new(50.0, 0.0);
    let mut setup = spring(method("SemiImplicitEuler")?, problem, 1.0);
    setup.step_control = Arc::new(StabilityLimit::default());
    let mut run = setups.start(setup);
    run.step();
    Some(run.report().count as f64)
}
