//! Checks of the classroom rope under constraint Verlet.

use super::Check;
use super::Tolerance::{Absolute, AtMost};
use super::bodies::CheckBody;
use super::check::CheckList;
use super::readings::{greater, rest};
use super::setups::CheckSetups;
use catena_sim::body::measure;

const NODES: usize = 16;
const SPACING: f64 = 400.0 / 15.0;
/// Damping d in the classroom.
const DAMPING: f64 = 0.000_05;

pub(super) fn checks() -> Vec<Check> {
    let mut list = CheckList::new("classroom rope, Verlet");
    list.reference("one projection a frame of 1: below the top link, which is (n-1) g dt² too long, link i is (n-2-i) g dt² too long");
    let below = (0..NODES - 2).sum::<usize>() as f64;
    let top = (NODES - 1) as f64;
    list.printed("length with 1 substep, about 506", 506.0, 0.5, 400.0 + top + below);
    list.add("length with 1 substep", 400.0 + top + below, Absolute(0.05), |setups| {
        Some(lengths(setups, 1)?.iter().sum())
    });
    list.add("top link with 1 substep", SPACING + top, Absolute(0.01), |setups| {
        lengths(setups, 1)?.first().copied()
    });
    list.add("lowest link with 1 substep", SPACING, Absolute(0.01), |setups| {
        lengths(setups, 1)?.last().copied()
    });
    list.reference("many projections a frame keep every length");
    list.add("length with 1024 substeps", 400.0, Absolute(1e-3), |setups| {
        Some(lengths(setups, 1024)?.iter().sum())
    });
    list.add("longest link with 1024 substeps", SPACING, Absolute(1e-4), |setups| {
        Some(lengths(setups, 1024)?.into_iter().fold(0.0, greater))
    });
    list.reference("d acts once a step, so more substeps rest sooner; and d = 0 rests too: the projection takes energy out");
    for (few, many) in [(16, 64), (64, 256), (256, 1024)] {
        list.add(
            format!("time to rest with {many} substeps over that with {few}"),
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
    slower_motion_checks(&mut list);
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

fn slower_motion_checks(list: &mut CheckList) {
    list.reference("more damping is slower motion; at d = 5e-3 the rope sinks like a feather and never swings across");
    for (little, much) in [(0.0, 5e-5), (5e-5, 5e-4), (5e-4, 5e-3)] {
        list.add(
            format!("greatest speed with d = {much} over that with {little}"),
            1.0,
            AtMost,
            move |setups| Some(greatest_speed(setups, much) / greatest_speed(setups, little)),
        );
    }
    list.add("d = 0.005: farthest x of the tip beyond the pin", 1e-3, AtMost, |setups| {
        let mut run = setups.start(CheckBody::classroom_verlet(64, 5e-3).setup());
        Some((0..1000).fold(f64::NEG_INFINITY, |most, _| {
            run.advance_frame();
            greater(run.state().x[NODES - 1], most)
        }))
    });
}

/// Maximum speed in 200 frames with 64 substeps.
fn greatest_speed(setups: &CheckSetups<'_>, damping: f64) -> f64 {
    let mut run = setups.start(CheckBody::classroom_verlet(64, damping).setup());
    (0..200).fold(0.0, |most, _| {
        run.advance_frame();
        greater(measure::greatest_speed(&run.setup().model, run.state()), most)
    })
}
