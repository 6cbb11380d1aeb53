//! Checks of a rope's highest frequency, and of the longest stable steps that follow from it.

use super::{
    Check,
    Tolerance::{Absolute, AtLeast, AtMost, Relative},
    bodies::{CheckBody, bare},
    check::{CheckList, CheckSetups},
    formula::chain_frequency,
    readings::greater,
};
use crate::stability::{
    StabilityTimes, TextbookBounds,
    measure::{self, SurvivalTest, Trials},
    predict::spectrum_at,
};
use catena_sim::{
    Setup,
    body::{
        hanging::{LinkLaw, hanging_chain},
        measure::segment_lengths,
        shape::{
            Topology,
            rope::{LastNode, Matter, Rope},
        },
    },
    drive::Impulse,
    force::{Drag, Gravity, SpringCoefficient, SpringFriction, applied::PenaltyGround},
    linear::spectrum::{Spectrum, semi_implicit_limit},
    method::SemiImplicitEuler,
};
use std::sync::Arc;

pub(super) fn checks() -> Vec<Check> {
    let mut list = CheckList::new("limits of a rope");
    list.set_reference(
        "uniform chain of N free masses, fixed at one end: ω_max = 2√(k/m) sin((2N-1)π/2(2N+1))",
    );
    for (nodes, printed) in [(16, 19.8974), (3, 16.1803)] {
        let expected = chain_frequency(nodes - 1, 100.0);
        list.add_printed(format!("ω_max of {nodes} nodes, as printed"), printed, 5e-5, expected);
    }
    for nodes in [3, 16, 301] {
        let expected = chain_frequency(nodes - 1, 100.0);
        list.add(format!("ω_max of {nodes} nodes"), expected, Relative(1e-8), move |setups| {
            Some(spectrum(&setups.ready(CheckBody::classroom(nodes, 10).setup())).omega)
        });
    }
    add_classroom_checks(&mut list);
    add_damped_checks(&mut list);
    add_workshop_checks(&mut list);
    add_textbook_checks(&mut list);
    list.done()
}

fn spectrum(setup: &Setup) -> Spectrum {
    spectrum_at(setup, &setup.initial, 1e-12)
}

fn add_classroom_checks(list: &mut CheckList) {
    list.set_reference(
        "semi-implicit Euler: dt < 2/ω_max, so a frame of 1 needs at least ⌈ω_max/2⌉ substeps",
    );
    for nodes in [16, 3] {
        let expected = (0.5 * chain_frequency(nodes - 1, 100.0)).ceil();
        let name = format!("minimum substeps with which {nodes} nodes survive 600 frames");
        list.add(name, expected, Absolute(0.0), move |setups| {
            let setup = setups.ready(CheckBody::classroom(nodes, 10).setup());
            let trial = SurvivalTest { time: 600.0, strain: setup.strain_limit };
            let mut trials = Trials::within(StabilityTimes::ONE.measuring);
            let survives = |&n: &u64| trial.survives_with(&setup, n, &mut trials) == Some(true);
            (1..100).find(survives).map(|n| n as f64)
        });
    }
}

fn add_damped_checks(list: &mut CheckList) {
    list.set_reference(
        "u'' + γu' + ω²u = 0 under semi-implicit Euler: dt < 4/(γ + √(γ² + 4ω²)); measured by runs",
    );
    for drag in [0.0, 0.5] {
        let expected = semi_implicit_limit(chain_frequency(15, 100.0), drag);
        list.add(
            format!("longest step of 16 hanging nodes, c = {drag}"),
            expected,
            Relative(1e-3),
            move |setups| {
                let setup = setups.ready(disturbed(drag)?);
                let trial = SurvivalTest { time: 2000.0, strain: setup.strain_limit };
                measure::measure(
                    &setup,
                    measure::Guess::Predicted(expected),
                    trial,
                    &mut Trials::within(StabilityTimes::ONE.measuring),
                )
                .survived
            },
        );
    }
}

/// Hanging rope at rest, with nodes displaced slightly up and down in alternation.
fn disturbed(drag: f64) -> Option<Setup> {
    let mut setup = CheckBody { drag, ..CheckBody::hanging(16, 400.0, 100.0) }.setup();
    setup.initial.x =
        hanging_chain(&setup.model, &setup.initial.x, &[0.0, -1.0], LinkLaw::Elastic)?;
    for (i, y) in setup.initial.x[16..].iter_mut().enumerate().skip(1) {
        *y += if i % 2 == 0 { 1e-6 } else { -1e-6 };
    }
    // A run that diverges soon exceeds this strain.
    setup.strain_limit = 0.5;
    Some(setup)
}

/// Coefficient c_f of friction along the springs, in the workshop.
const FRICTION: f64 = 0.2;
/// Coefficient c of air drag, in the workshop.
const AIR: f64 = 0.02;
/// Stiffness k of a spring, in the workshop.
const STIFFNESS: f64 = 10_000.0;
/// Mass m of a node, in the workshop.
const MASS: f64 = 0.05;

fn add_workshop_checks(list: &mut CheckList) {
    list.set_reference("workshop rope (NeHe, lesson 40): the same with γ = c_f ω²/k + c/m, since friction acts along springs");
    let omega = chain_frequency(79, STIFFNESS / MASS);
    let undamped = semi_implicit_limit(omega, 0.0);
    let gamma = FRICTION * omega * omega / STIFFNESS + AIR / MASS;
    let damped = semi_implicit_limit(omega, gamma);
    list.add_printed(
        "limit of the workshop rope, undamped, as printed",
        0.002_236_5,
        5e-8,
        undamped,
    );
    list.add_printed("limit of the workshop rope, damped, as printed", 0.002_216, 5e-7, damped);
    list.add("limit of the workshop rope, undamped", undamped, Relative(1e-8), |setups| {
        Some(semi_implicit_limit(spectrum(&setups.ready(workshop(0.002))).omega, 0.0))
    });
    list.add("limit of the workshop rope, damped", damped, Relative(1e-6), |setups| {
        let Spectrum { omega, damping } = spectrum(&setups.ready(workshop(0.002)));
        Some(semi_implicit_limit(omega, damping))
    });
    list.add("workshop rope: maximum strain at 5 s, dt = 0.00221, stable", 0.1, AtMost, |setups| {
        Some(strain_after(setups, 0.002_21))
    });
    list.add(
        "workshop rope: maximum strain at 5 s, dt = 0.00222, unstable",
        3.0,
        AtLeast,
        |setups| Some(strain_after(setups, 0.002_22)),
    );
}

/// 80 masses 5 cm apart over soft ground, the last of them thrown sideways with 10 m/s.
fn workshop(dt: f64) -> Setup {
    let rope = Rope {
        start: vec![0.0; 3],
        end: vec![3.95, 0.0, 0.0],
        nodes: 80,
        matter: Matter::Nodes { mass: MASS, stiffness: STIFFNESS },
        bending: 0.0,
        pins: vec![0],
        last_node: LastNode::AtEnd,
    };
    let (model, initial) = rope.build().unwrap_or_default();
    let mut setup = bare(model, initial, Arc::new(SemiImplicitEuler {}), dt);
    setup.forces.push(Arc::new(SpringFriction {
        coefficient: SpringCoefficient::new(FRICTION, &setup.model),
    }));
    setup.forces.push(Arc::new(Gravity { acceleration: vec![0.0, -9.81, 0.0] }));
    setup.forces.push(Arc::new(Drag { coefficient: AIR, wind: vec![0.0; 3] }));
    let ground = PenaltyGround { height: -1.5, repulsion: 100.0, friction: 0.2, absorption: 2.0 };
    setup.forces.push(Arc::new(ground));
    setup.impulses = vec![Impulse { node: 79, at: 0.0, impulse: [0.0, 0.0, 10.0 * MASS] }];
    setup
}

/// Maximum strain at 5 s; infinite if it is NaN.
fn strain_after(setups: &CheckSetups<'_>, dt: f64) -> f64 {
    let mut run = setups.start(workshop(dt));
    while run.state().t < 5.0 {
        run.step();
    }
    let model = &run.setup().model;
    let strains = segment_lengths(model, &run.state().x)
        .into_iter()
        .zip(&model.springs)
        .map(|(length, spring)| length / spring.rest_length - 1.0);
    let greatest = strains.fold(0.0, greater);
    if greatest.is_nan() { f64::INFINITY } else { greatest }
}

fn add_textbook_checks(list: &mut CheckList) {
    list.set_reference("bounds of lecture notes, and the exact 2/ω_max: one mass on one spring; a wave over one segment");
    for nodes in [3, 16] {
        let limit = 2.0 / chain_frequency(nodes - 1, 100.0);
        let textbook = move |setups: &CheckSetups<'_>| {
            TextbookBounds::of(&setups.ready(CheckBody::classroom(nodes, 10).setup()))
        };
        list.add_information(
            format!("2/√(k/m) for {nodes} nodes and 2/ω_max"),
            limit,
            move |setups| Some(textbook(setups).one_spring),
        );
        list.add_information(
            format!("l/√(k/μ) for {nodes} nodes and 2/ω_max"),
            limit,
            move |setups| Some(textbook(setups).wave),
        );
    }
}
