//! Checks of rigid bodies: a rod on a pivot, a free box that tumbles, a plate on three cords, and a
//! heavy ball on a light rope.

use super::{
    Check,
    Tolerance::Relative,
    check::{CheckList, CheckSetups},
    formula::pendulum,
    readings::{advance_frames, measure_frequency},
};
use catena_sim::{
    Assembly, Rope, Setup,
    body::{SolidKind, shape::Solid},
    force::applied::{Amount, Guide, Route},
    method::{Rk4, SemiImplicitEuler, VelocityVerlet},
    vector::{Vec3, add, cross, norm, scaled},
};
use std::f64::consts::TAU;

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
    list.set_reference(
        "plate on three cords of length L: T = 2π √(I L/(m g r²)) (trifilar pendulum)",
    );
    let about = 2.0 * PLATE * PLATE / 12.0;
    let omega = (G * ARM * ARM / about).sqrt();
    list.add("frequency of a plate on three cords", omega, Relative(2e-5), trifilar);
    list.set_reference("ball of mass M on n springs k with nodes m: ω² = k/(n (M + Σ m i²/n²))");
    let share = |i: usize| (i * i) as f64 / (LINKS * LINKS) as f64;
    let moved = BALL + (1..=LINKS).map(|i| LINK_MASS * share(i)).sum::<f64>();
    let omega = (STIFFNESS / (LINKS as f64 * moved)).sqrt();
    list.add(
        "frequency of a ball on a rope of a thousandth of its mass",
        omega,
        Relative(1e-5),
        heavy,
    );
    list.done()
}

/// Side of the square plate, in metres.
const PLATE: f64 = 0.8;
/// Distance of the cords from the axis of the plate, in metres.
const ARM: f64 = 0.3;
/// EA of a cord of length 1, in newtons.
const AXIAL: f64 = 1e5;
/// Mass of the ball in kilograms.
const BALL: f64 = 11.0;
/// Number of segments of the rope that carries the ball.
const LINKS: usize = 10;
/// Mass of a node of this rope, in kilograms.
const LINK_MASS: f64 = 0.001;
/// Stiffness of a segment of this rope, in N/m.
const STIFFNESS: f64 = 20_000.0;

/// Angular frequency of a plate of mass 1 that turns on three cords of length 1.
fn trifilar(setups: &CheckSetups<'_>) -> Option<f64> {
    let points = [0.0, 1.0, 2.0].map(|third| {
        let (sin, cos) = libm::sincos(TAU * third / 3.0);
        [ARM * cos, 0.0, ARM * sin]
    });
    let plate = Solid {
        sizes: [PLATE, 0.02, PLATE],
        mass: 1.0,
        points: points.to_vec(),
        spin: [0.0, 0.02, 0.0],
        at: vec![0.0; 3],
        pins: Vec::new(),
        ..solid(3, 0.0, [0.0; 3], Vec::new())
    };
    let mut setup = Setup::new(&plate).gravity([0.0, -G, 0.0]);
    for (index, [x, _, z]) in points.into_iter().enumerate() {
        let ring = Guide::Ring {
            at: Some([x, 1.0, z].into()),
            along: None,
            node: None,
            bone: None,
            offset: None,
            friction: 0.0,
        };
        // Each cord carries a third of the weight at its length of 1.
        let length = Some(Amount::constant(1.0 / (1.0 + G / 3.0 / AXIAL)));
        setup = setup.force(Route {
            via: vec![ring],
            to: Some(index + 1),
            length,
            ..Route::new(AXIAL)
        });
    }
    let setup = setup.method(VelocityVerlet::default()).frames(2.5e-4, 1).build().ok()?;
    let n = setup.model.nodes();
    measure_frequency(&mut setups.start(setup), 3, |state| state.x[2 * n + 1])
}

/// Angular frequency of a ball that falls into a rope.
fn heavy(setups: &CheckSetups<'_>) -> Option<f64> {
    let rope = Rope::new([0.0, 0.0], [0.0, -1.0], LINKS + 1).of(LINK_MASS, STIFFNESS).pin(0);
    let ball = Solid {
        kind: SolidKind::Ball,
        sizes: [0.2, 0.0, 0.0],
        mass: BALL,
        at: vec![0.0, -1.2],
        points: vec![[0.0, 0.2, 0.0]],
        ..solid(2, 0.0, [0.0; 3], Vec::new())
    };
    let body = Assembly::new().part("rope", &rope).part("ball", &ball);
    let body = body.weld((0, LINKS), (1, 1));
    let setup = Setup::new(&body).gravity([0.0, -G]).method(Rk4 {}).frames(1e-4, 1);
    let setup = setup.build().ok()?;
    let above = |i: usize| BALL + LINK_MASS * (LINKS - i) as f64;
    let rest = -1.2 - (0..LINKS).map(above).sum::<f64>() * G / STIFFNESS;
    let (n, centre) = (setup.model.nodes(), LINKS + 1);
    measure_frequency(&mut setups.start(setup), 8, |state| state.x[n + centre] - rest)
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
