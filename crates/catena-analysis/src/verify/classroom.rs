//! Checks of the classroom rope under Euler's methods: 16 nodes, a frame time of 1, GAMES101
//! assignment 8.

use super::{
    Check,
    Tolerance::{Absolute, AtLeast, AtMost, Relative},
    bodies::CheckBody,
    check::{CheckList, CheckSetups},
    readings::{advance_frames, apart, farthest, find_first_frame, greater, rest},
};
use catena_sim::{
    Setup, Simulation,
    body::measure,
    method::{ExplicitEuler, ForceVerlet},
};
use std::sync::Arc;

pub(super) fn checks() -> Vec<Check> {
    let mut list = CheckList::new("classroom rope, Euler");
    add_explicit_checks(&mut list);
    add_settling_checks(&mut list);
    add_drag_checks(&mut list);
    add_damping_checks(&mut list);
    list.done()
}

fn run(setups: &CheckSetups<'_>, substeps: u64) -> Simulation {
    let method = Arc::new(ExplicitEuler {});
    setups.start(CheckBody { method, ..CheckBody::classroom(16, substeps) }.setup())
}

fn add_explicit_checks(list: &mut CheckList) {
    list.set_reference(
        "explicit Euler: motions grow at every step size; more steps only delay the divergence",
    );
    list.add(
        "64 substeps: first frame with a node beyond 1e4, 10 or 11",
        10.5,
        Absolute(0.5),
        |setups| find_first_frame(&mut run(setups, 64), 600, |state| farthest(state) > 1e4),
    );
    list.add("64 substeps: steps from the first inf to the first NaN", 1.0, AtLeast, |setups| {
        steps_from_inf_to_nan(&mut run(setups, 64))
    });
    list.add("1024 substeps: farthest node of the first 100 frames", 1e3, AtMost, |setups| {
        let mut run = run(setups, 1024);
        Some((0..100).fold(0.0, |maximum, _| {
            run.advance_frame();
            greater(farthest(run.state()), maximum)
        }))
    });
    list.add("1024 substeps: first frame with a node beyond 1e4", 200.0, AtMost, |setups| {
        find_first_frame(&mut run(setups, 1024), 1000, |state| farthest(state) > 1e4)
    });
}

fn steps_from_inf_to_nan(run: &mut Simulation) -> Option<f64> {
    let mut infinite = None;
    for step in 0..100_000_u32 {
        run.step();
        let (setup, x) = (run.setup(), &run.state().x);
        if infinite.is_none() && measure::length(&setup.model, run.springs(), x).is_infinite() {
            infinite = Some(step);
        }
        if x.iter().any(|x| x.is_nan()) {
            return infinite.map(|first| f64::from(step - first));
        }
    }
    None
}

fn add_settling_checks(list: &mut CheckList) {
    list.set_reference(
        "semi-implicit Euler, c = 0.001: stable with these substeps, settles towards the vertical",
    );
    for substeps in [16, 64, 256, 1024] {
        list.add(
            format!("{substeps} substeps: amplitude in frame 4000 over the start"),
            0.3,
            AtMost,
            move |setups| {
                let mut run = setups
                    .start(CheckBody { drag: 0.001, ..CheckBody::classroom(16, substeps) }.setup());
                let before = measure_swing(&mut run);
                advance_frames(&mut run, 4000);
                Some(measure_swing(&mut run) / before)
            },
        );
    }
}

/// Runs 110 frames, about a period, and returns the maximum horizontal distance from the pin.
fn measure_swing(run: &mut Simulation) -> f64 {
    (0..110).fold(0.0, |widest, _| {
        run.advance_frame();
        let x = &run.state().x;
        x[..x.len() / 2].iter().fold(widest, |widest, x| greater(x.abs(), widest))
    })
}

fn rest_with(setups: &CheckSetups<'_>, drag: f64) -> Option<(f64, Vec<f64>)> {
    let setup: Arc<Setup> =
        setups.ready(CheckBody { drag, ..CheckBody::classroom(16, 64) }.setup());
    let (frame, settled) = rest(&setup, 40_000)?;
    Some((frame, settled.state.x))
}

fn add_drag_checks(list: &mut CheckList) {
    list.set_reference("drag: amplitudes decay as exp(-ct/2m), so the time to rest is proportional to 1/c; without drag there is no rest");
    list.add("c = 0: maximum speed in frames 4000 to 4110", 1.0, AtLeast, |setups| {
        let mut run = setups.start(CheckBody::classroom(16, 64).setup());
        advance_frames(&mut run, 4000);
        Some((0..110).fold(0.0, |maximum, _| {
            run.advance_frame();
            greater(measure::greatest_speed(&run.setup().model, run.state()), maximum)
        }))
    });
    for (little, much) in [(0.001, 0.01), (0.01, 0.1)] {
        list.add(
            format!("time to rest with c = {little} over that with c = {much}"),
            10.0,
            Relative(0.1),
            move |setups| Some(rest_with(setups, little)?.0 / rest_with(setups, much)?.0),
        );
    }
    list.add("c = 0.1: frame of rest, about 200", 200.0, Relative(0.1), |setups| {
        Some(rest_with(setups, 0.1)?.0)
    });
    list.set_reference("at rest the tip is at 200 - 400 - Σ j m g/k = -201.20");
    let tip = 200.0 - 400.0 - (1..=15).map(f64::from).sum::<f64>() / 100.0;
    list.add_printed("y of the tip at rest, as printed", -201.20, 5e-3, tip);
    list.add("y of the tip at rest, c = 0.1", tip, Absolute(5e-3), |setups| {
        rest_with(setups, 0.1)?.1.last().copied()
    });
}

fn add_damping_checks(list: &mut CheckList) {
    list.set_reference("a Verlet damping factor d per step is a drag of c/m = d/dt");
    list.add_printed(
        "d = 0.00005 at 64 substeps as c/m, as printed",
        0.0032,
        5e-9,
        0.000_05 * 64.0,
    );
    list.add(
        "force Verlet, d = c dt, minus semi-implicit Euler, c",
        0.0,
        Absolute(1e-8),
        |setups| {
            let drag = 0.01;
            let verlet = ForceVerlet { damping: drag / 64.0, ..ForceVerlet::default() };
            let mut a = setups.start(CheckBody { drag, ..CheckBody::classroom(16, 64) }.setup());
            let mut b = setups.start(
                CheckBody { method: Arc::new(verlet), ..CheckBody::classroom(16, 64) }.setup(),
            );
            Some((0..60).fold(0.0, |maximum, _| {
                a.advance_frame();
                b.advance_frame();
                greater(apart(&a.state().x, &b.state().x), maximum)
            }))
        },
    );
}

/// Number of nodes of the rope in the classroom.
const NODES: usize = 16;
/// Rest length of a spring of the rope in the classroom.
const SPACING: f64 = 400.0 / 15.0;
/// Damping d in the classroom.
const DAMPING: f64 = 0.000_05;

pub(super) fn verlet_checks() -> Vec<Check> {
    let mut list = CheckList::new("classroom rope, Verlet");
    list.set_reference("one projection per frame of 1: below the top link, which is (n-1) g dt² too long, link i is (n-2-i) g dt² too long");
    let below = (0..NODES - 2).sum::<usize>() as f64;
    let top = (NODES - 1) as f64;
    list.add_printed("length with 1 substep, about 506", 506.0, 0.5, 400.0 + top + below);
    list.add("length with 1 substep", 400.0 + top + below, Absolute(0.05), |setups| {
        Some(lengths(setups, 1)?.iter().sum())
    });
    list.add("top link with 1 substep", SPACING + top, Absolute(0.01), |setups| {
        lengths(setups, 1)?.first().copied()
    });
    list.add("lowest link with 1 substep", SPACING, Absolute(0.01), |setups| {
        lengths(setups, 1)?.last().copied()
    });
    list.set_reference("many projections per frame keep all lengths");
    list.add("length with 1024 substeps", 400.0, Absolute(1e-3), |setups| {
        Some(lengths(setups, 1024)?.iter().sum())
    });
    list.add("longest link with 1024 substeps", SPACING, Absolute(1e-4), |setups| {
        Some(lengths(setups, 1024)?.into_iter().fold(0.0, greater))
    });
    list.set_reference(
        "d acts once per step, so more substeps bring rest sooner; with d = 0 the projection \
         removes the energy",
    );
    for (few, many) in [(16, 64), (64, 256), (256, 1024)] {
        list.add(
            format!("time to rest with {many} substeps over that with {few} substeps"),
            1.0,
            AtMost,
            move |setups| {
                Some(
                    at_rest(setups, many, DAMPING, 20_000)?.0
                        / at_rest(setups, few, DAMPING, 20_000)?.0,
                )
            },
        );
    }
    list.add("d = 0, 16 substeps: frame of rest", 100_000.0, AtMost, |setups| {
        Some(at_rest(setups, 16, 0.0, 100_000)?.0)
    });
    add_slower_motion_checks(&mut list);
    list.done()
}

fn at_rest(
    setups: &CheckSetups<'_>,
    substeps: u64,
    damping: f64,
    limit: u64,
) -> Option<(f64, Vec<f64>)> {
    let setup = setups.ready(CheckBody::classroom_verlet(substeps, damping).setup());
    let (frame, settled) = rest(&setup, limit)?;
    Some((frame, measure::segment_lengths(&setup.model, &settled.state.x)))
}

fn lengths(setups: &CheckSetups<'_>, substeps: u64) -> Option<Vec<f64>> {
    Some(at_rest(setups, substeps, DAMPING, 20_000)?.1)
}

fn add_slower_motion_checks(list: &mut CheckList) {
    list.set_reference("more damping means slower motion; at d = 5e-3 the rope sinks slowly and never swings past its pin");
    for (little, much) in [(0.0, 5e-5), (5e-5, 5e-4), (5e-4, 5e-3)] {
        list.add(
            format!("maximum speed with d = {much} over that with d = {little}"),
            1.0,
            AtMost,
            move |setups| Some(greatest_speed(setups, much) / greatest_speed(setups, little)),
        );
    }
    list.add("d = 0.005: maximum x of the tip beyond the pin", 1e-3, AtMost, |setups| {
        let mut run = setups.start(CheckBody::classroom_verlet(64, 5e-3).setup());
        Some((0..1000).fold(f64::NEG_INFINITY, |maximum, _| {
            run.advance_frame();
            greater(run.state().x[NODES - 1], maximum)
        }))
    });
}

/// Maximum speed in 200 frames with 64 substeps.
fn greatest_speed(setups: &CheckSetups<'_>, damping: f64) -> f64 {
    let mut run = setups.start(CheckBody::classroom_verlet(64, damping).setup());
    (0..200).fold(0.0, |maximum, _| {
        run.advance_frame();
        greater(measure::greatest_speed(&run.setup().model, run.state()), maximum)
    })
}
