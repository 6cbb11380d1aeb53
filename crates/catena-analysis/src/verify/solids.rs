//! Checks of rigid bodies: a rod on a pivot, and a free box that tumbles.

use super::{
    Check,
    Tolerance::Relative,
    check::{CheckList, CheckSetups},
    formula::pendulum,
    readings::{advance_frames, measure_frequency},
};
use catena_sim::{
    Setup,
    body::{SolidKind, shape::Solid},
    method::{Rk4, SemiImplicitEuler},
    vector::{Vec3, add, cross, norm, scaled},
};

/// Acceleration of gravity, in m/s².
const G: f64 = 9.81;
/// Lengths of the box's sides along its own axes, in metres.
const SIDES: Vec3 = [0.2, 1.0, 0.6];
/// Mass of the box in kilograms.
const MASS: f64 = 2.0;

pub(super) fn checks() -> Vec<Check> {
    let mut list = CheckList::new("solids");
    list.set_reference("rod on a pivot: T = 2π √(I/(m g d))/AGM(1, cos(θ/2)); Rk4, order 1");
    let (angle, about) = (0.1, (SIDES[0] * SIDES[0] + SIDES[1] * SIDES[1]) / 12.0 + 0.25);
    let omega = (G * 0.5 / about).sqrt() / pendulum(angle);
    list.add("frequency of a rod on a pivot", omega, Relative(2e-4), move |setups| {
        swing(setups, angle)
    });
    list.set_reference("free box: initial angular momentum I ω; method: semi-implicit Euler");
    let spin: Vec3 = [1.0, 2.0, 0.3];
    let moment = |k: usize| {
        let square: f64 =
            (0..3).filter(|axis| *axis != k).map(|axis| SIDES[axis] * SIDES[axis]).sum();
        MASS * square / 12.0
    };
    let momentum = norm([0, 1, 2].map(|k| moment(k) * spin[k]));
    list.add("angular momentum of a box that tumbles", momentum, Relative(1e-11), move |setups| {
        tumble(setups, spin)
    });
    list.done()
}

/// A box, rotated by an angle about z. Its pivot, if any, is in the middle of its upper side.
fn solid(axes: usize, angle: f64, spin: Vec3, pins: Vec<usize>) -> Solid {
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    let at = [0.5 * SIDES[1] * sin, -0.5 * SIDES[1] * cos, 0.0];
    Solid {
        kind: SolidKind::Box,
        sizes: SIDES,
        mass: MASS,
        at: at[..axes].to_vec(),
        axes: [[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]],
        points: vec![[0.0, 0.5 * SIDES[1], 0.0]],
        velocity: [0.0; 3],
        spin,
        stiffness: 2000.0,
        pins,
    }
}

/// Angular frequency of a rod that is released at an angle.
fn swing(setups: &CheckSetups<'_>, angle: f64) -> Option<f64> {
    let rod = solid(2, angle, [0.0; 3], vec![1]);
    let setup =
        Setup::new(&rod).gravity([0.0, -G]).method(Rk4 {}).frames(0.001, 10).build().ok()?;
    measure_frequency(&mut setups.start(setup), 8, |state| state.x[0])
}

/// Angular momentum of a box after 30 s, about ten turns.
fn tumble(setups: &CheckSetups<'_>, spin: Vec3) -> Option<f64> {
    let free = solid(3, 0.0, spin, Vec::new());
    let setup = Setup::new(&free).gravity([0.0; 3]).method(SemiImplicitEuler {});
    let mut run = setups.start(setup.frames(0.01, 20).build().ok()?);
    advance_frames(&mut run, 3000);
    let (state, mass) = (run.state(), &run.setup().model.mass);
    let n = mass.len();
    let whole = scaled(
        (0..n).fold([0.0; 3], |sum, i| add(sum, scaled(state.position(n, i), mass[i]))),
        1.0 / MASS,
    );
    let own = |i: usize| {
        let arm = add(state.position(n, i), scaled(whole, -1.0));
        scaled(cross(arm, state.velocity(n, i)), mass[i])
    };
    Some(norm((0..n).fold([0.0; 3], |sum, i| add(sum, own(i)))))
}
