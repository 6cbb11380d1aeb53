//! Checks of the energy balance: kinetic, gravitational and spring energy change by the work of
//! anchors minus the loss to drag.
//!
//! With short steps, Runge-Kutta 4 adds almost no energy, so the balance is 0.

use super::Check;
use super::Tolerance::Absolute;
use super::bodies::CheckBody;
use super::check::CheckList;
use catena_sim::{
    Curve, Setup, Simulation,
    body::{measure, shape::rope::Matter},
    drive::{Anchor, curve},
    method::Rk4,
};
use serde_json::json;
use std::sync::Arc;

/// Number of steps of a run, 8 s in total.
const STEPS: usize = 32_768;
/// Time step in seconds.
const DT: f64 = 1.0 / 4096.0;
/// Drag coefficient c of each node in kg/s: the drag is -c v.
const DRAG: f64 = 0.3;
/// Speed of the moving pin in m/s.
const SPEED: f64 = 0.25;

pub(super) fn checks() -> Vec<Check> {
    let mut list = CheckList::new("energy");
    list.set_reference("change of (kinetic + gravity + spring) energy = work of anchors - loss by damping + gain by the method");
    list.add(
        "undamped rope: energy change over maximum kinetic energy",
        0.0,
        Absolute(1e-9),
        |setups| {
            let found = run_balance(&mut setups.start(body(0.0)), 0.0);
            Some((found.change / found.kinetic).abs())
        },
    );
    list.add(
        "rope with drag: (energy change + loss) over the loss",
        0.0,
        Absolute(1e-5),
        |setups| {
            let found = run_balance(&mut setups.start(body(DRAG)), DRAG);
            Some(((found.change + found.lost) / found.lost).abs())
        },
    );
    list.add(
        "rope moved by its pin: (energy change - work) over the work",
        0.0,
        Absolute(1e-5),
        |setups| {
            let mut setup = body(0.0);
            setup.anchors = vec![Anchor { node: 0, curve: moving_pin()? }];
            let found = run_balance(&mut setups.start(setup), 0.0);
            Some(((found.change - found.work) / found.work).abs())
        },
    );
    list.done()
}

/// Rope released from the horizontal.
fn body(drag: f64) -> Setup {
    let body = CheckBody {
        ends: [[0.0, 0.0], [2.0, 0.0]],
        matter: Matter::Nodes { mass: 0.5, stiffness: 400.0 },
        gravity: 9.81,
        drag,
        method: Arc::new(Rk4 {}),
        frame_time: DT,
        ..CheckBody::classroom(6, 1)
    };
    body.setup()
}

/// Motion of the moving pin.
fn moving_pin() -> Option<Arc<dyn Curve>> {
    let keys = json!({ "keys": [[0.0, [0.0, 0.0]], [100.0, [100.0 * SPEED, 0.0]]] });
    curve::read("Linear", keys)?.ok().map(Arc::from)
}

#[derive(Default)]
struct EnergyBalance {
    change: f64,
    lost: f64,
    work: f64,
    /// Maximum kinetic energy.
    kinetic: f64,
}

/// Runs a body and integrates powers by the trapezoidal rule.
fn run_balance(run: &mut Simulation, drag: f64) -> EnergyBalance {
    let energy = |run: &Simulation| {
        measure::kinetic_energy(&run.setup().model, run.state()) + run.potential()
    };
    let mut found = EnergyBalance::default();
    let start = energy(run);
    let mut before = powers(run, drag);
    for _ in 0..STEPS {
        run.step();
        let now = powers(run, drag);
        found.lost += 0.5 * DT * (before[0] + now[0]);
        found.work += 0.5 * DT * (before[1] + now[1]);
        found.kinetic = found.kinetic.max(measure::kinetic_energy(&run.setup().model, run.state()));
        before = now;
    }
    found.change = energy(run) - start;
    found
}

/// Power lost to drag, c Σ v² over free nodes, and power of the pin: its velocity times the force
/// on it.
fn powers(run: &Simulation, drag: f64) -> [f64; 2] {
    let (model, state) = (&run.setup().model, run.state());
    let n = model.nodes();
    let free = state.v.iter().enumerate().filter(|(index, _)| !model.pinned[index % n]);
    let spring = &model.springs[0];
    let (d, length) = model.span(&state.x, spring);
    let pull = spring.stiffness * (length - spring.rest_length) * d[0] / length;
    [drag * free.map(|(_, v)| v * v).sum::<f64>(), -pull * state.v[0]]
}
