//! Steps that are chosen: by error, and by the stability limit.

use super::Check;
use super::Tolerance::{Absolute, AtMost};
use super::bodies::{method, spring};
use super::check::List;
use super::lab::Lab;
use super::order::{exact, pendulum};
use super::watch::{apart, differing_bits};
use crate::analysis::stability::oscillator::Oscillator;
use crate::sim::{
    Simulation, StepControl,
    method::{
        DormandPrince, Rk4,
        control::{Fixed, StabilityLimit, StepDoubling},
    },
};
use std::sync::Arc;

pub(super) fn checks() -> Vec<Check> {
    let mut list = List::new("chosen steps");
    list.reference("steps chosen by error keep it near the tolerance, and are the same each run");
    let cases = [("Dormand-Prince 5(4)", false), ("step doubling around Rk4", true)];
    for (name, doubles) in cases {
        list.add(format!("{name}: error at t = 1, tolerance 1e-8"), 1e-6, AtMost, move |lab| {
            Some(apart(&chosen(lab, doubles).state().x, exact()))
        });
        list.add(format!("{name}: error over that of tolerance 1e-5"), 0.1, AtMost, move |lab| {
            let error = |run: Simulation| apart(&run.state().x, exact());
            Some(error(chosen(lab, doubles)) / error(chosen_within(lab, doubles, 1e-5)))
        });
        list.add(
            format!("{name}: numbers that differ when run twice"),
            0.0,
            Absolute(0.0),
            move |lab| {
                Some(differing_bits(chosen(lab, doubles).state(), chosen(lab, doubles).state()))
            },
        );
    }
    list.reference(
        "stability limit: as many equal steps as safety · 2/ω asks for, ⌈ωh / (2 · 0.9)⌉",
    );
    list.add("steps of semi-implicit Euler within one of ωh = 50", 28.0, Absolute(0.0), limited);
    list.done()
}

fn chosen(lab: &Lab<'_>, doubles: bool) -> Simulation {
    chosen_within(lab, doubles, 1e-8)
}

fn chosen_within(lab: &Lab<'_>, doubles: bool, tolerance: f64) -> Simulation {
    let (mut setup, control): (_, Arc<dyn StepControl>) = if doubles {
        (pendulum(Arc::new(Rk4 {}), 4).setup(), Arc::new(StepDoubling { tolerance }))
    } else {
        (pendulum(Arc::new(DormandPrince { tolerance }), 4).setup(), Arc::new(Fixed {}))
    };
    setup.step_control = control;
    let mut run = lab.start(setup);
    run.advance_frame();
    run
}

fn limited(lab: &Lab<'_>) -> Option<f64> {
    let problem = Oscillator::new(50.0, 0.0);
    let mut setup = spring(method("SemiImplicitEuler")?, problem, 1.0);
    setup.step_control = Arc::new(StabilityLimit::default());
    let mut run = lab.start(setup);
    run.step();
    Some(run.report().count as f64)
}
