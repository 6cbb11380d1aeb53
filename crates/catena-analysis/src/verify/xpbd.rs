//! Checks of XPBD. Its multipliers persist over the iterations of a step, so elongation does not
//! depend on the number of iterations.

use super::{
    Check,
    Tolerance::Relative,
    bodies::CheckBody,
    check::{CheckList, CheckSetups},
    readings::{advance_frames, stretches},
};
use catena_sim::{Simulation, method::Xpbd};
use std::sync::Arc;

/// Number of nodes.
const NODES: usize = 16;
/// Number of nodes that are not pinned.
const FREE: f64 = (NODES - 1) as f64;

pub(super) fn checks() -> Vec<Check> {
    let mut list = CheckList::new("XPBD");
    list.set_reference(
        "converged XPBD hangs like the elastic chain: Σ j m g/k (Macklin, Müller, Chentanez 2016)",
    );
    let total = 0.5 * FREE * (FREE + 1.0) / 100.0;
    for iterations in [50, 500] {
        list.add(
            format!("stretch at rest with {iterations} iterations"),
            total,
            Relative(1e-9),
            move |setups| Some(stretch(&hanging(setups, iterations, 16, 100.0))),
        );
    }
    list.set_reference(
        "at rest the top tension λ/h² is the weight below, 15 m g, for any number of iterations",
    );
    for iterations in [1, 2, 10, 200] {
        let name = format!("top tension, iterations: {iterations}");
        list.add(name, FREE, Relative(1e-8), move |setups| {
            // Stiff springs and long steps are far from converged.
            hanging(setups, iterations, 4, 1000.0).tensions()?.first().copied()
        });
    }
    list.done()
}

/// Rope that starts along gravity, after 150 frames.
fn hanging(setups: &CheckSetups<'_>, iterations: u32, substeps: u64, stiffness: f64) -> Simulation {
    let method = Arc::new(Xpbd { iterations, ..Xpbd::default() });
    let body =
        CheckBody { method, drag: 0.5, substeps, ..CheckBody::hanging(NODES, 400.0, stiffness) };
    let mut run = setups.start(body.setup());
    advance_frames(&mut run, 150);
    run
}

fn stretch(run: &Simulation) -> f64 {
    stretches(&run.setup().model, &run.state().x).iter().sum()
}
