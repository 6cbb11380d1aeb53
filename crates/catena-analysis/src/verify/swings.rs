//! Checks of rigid links: a pendulum at any angle, and small oscillations of a hanging chain.

use super::{
    Check,
    Tolerance::Relative,
    bodies::CheckBody,
    check::{CheckList, CheckSetups},
    formula::{bessel_zero, chain_swing, laguerre, pendulum},
    readings::measure_frequency,
};
use catena_sim::{Setup, method::Shake};
use std::{f64::consts::PI, sync::Arc};

/// Acceleration of gravity, in m/s².
const G: f64 = 9.81;

/// Number of links of the hanging chain, which is 1 m long.
const LINKS: usize = 10;
/// Length of a link in metres.
const LINK: f64 = 0.1;

pub(super) fn checks() -> Vec<Check> {
    let mut list = CheckList::new("swings");
    list.set_reference(
        "pendulum: T/T₀ = 1/AGM(1, cos(θ/2)), T₀ = 2π√(l/g) (Gauss); SHAKE, one rigid rod",
    );
    list.add_printed("T/T₀ from 90°, as printed", 1.180_340_6, 5e-8, pendulum(0.5 * PI));
    for degrees in [1.0, 45.0, 90.0] {
        let angle = degrees * PI / 180.0;
        list.add(
            format!("T/T₀ from {degrees}°"),
            pendulum(angle),
            Relative(1e-6),
            move |setups| period(setups, angle),
        );
    }
    list.set_reference("hanging chain of N links of length l: ω² = (g/l) × zeros of the Laguerre polynomial L_N; SHAKE");
    let printed = [3.676_621, 8.459_284, 13.319_101];
    for (mode, printed) in (1..).zip(printed) {
        let expected = chain_swing(LINKS, mode, G / LINK);
        list.add_printed(
            format!("frequency {mode} of 10 links, as printed"),
            printed,
            5e-7,
            expected,
        );
        list.add(
            format!("frequency {mode} of 10 links"),
            expected,
            Relative(5e-5),
            move |setups| chain(setups, expected),
        );
    }
    list.set_reference(
        "the chain as a continuum: ω = (j/2)√(g/L), j zeros of J₀ (Daniel Bernoulli 1732)",
    );
    for (mode, printed) in [(1, 2.404_826), (2, 5.520_078)] {
        let j = bessel_zero(mode);
        list.add_printed(format!("zero {mode} of J₀, as printed"), printed, 5e-7, j);
        let expected = 0.5 * j * (G / (LINKS as f64 * LINK)).sqrt();
        let discrete = chain_swing(LINKS, mode, G / LINK);
        list.add_information(
            format!("frequency {mode} of 10 links and the continuum"),
            expected,
            move |setups| chain(setups, discrete),
        );
    }
    list.done()
}

fn rod(angle: f64) -> CheckBody {
    let length = 0.7;
    CheckBody {
        ends: [[0.0, 0.0], [length * libm::sin(angle), -length * libm::cos(angle)]],
        gravity: G,
        method: Arc::new(Shake { tolerance: 1e-12, ..Shake::default() }),
        frame_time: 1.0 / 2048.0,
        ..CheckBody::classroom(2, 1)
    }
}

fn period(setups: &CheckSetups<'_>, angle: f64) -> Option<f64> {
    let mut run = setups.start(rod(angle).setup());
    let found = measure_frequency(&mut run, 12, |state| state.x[1])?;
    Some((G / 0.7_f64).sqrt() / found)
}

/// Bends a chain into a mode: node k, counted from the lower end, moves sideways in proportion to
/// the Laguerre polynomial L_k, and links keep their length.
fn bend(setup: &mut Setup, frequency: f64) {
    let shape = laguerre(LINKS, frequency * frequency * LINK / G);
    let x = &mut setup.initial.x;
    for i in 1..=LINKS {
        let above = if i == 1 { 0.0 } else { shape[LINKS + 1 - i] };
        let across = 1e-4 * LINK * (shape[LINKS - i] - above);
        x[i] = x[i - 1] + across;
        x[LINKS + 1 + i] = x[LINKS + i] - (LINK * LINK - across * across).sqrt();
    }
}

fn chain(setups: &CheckSetups<'_>, mode: f64) -> Option<f64> {
    let body = CheckBody {
        gravity: G,
        method: Arc::new(Shake { tolerance: 1e-13, ..Shake::default() }),
        frame_time: 0.001,
        substeps: 1,
        ..CheckBody::hanging(LINKS + 1, LINKS as f64 * LINK, 1.0)
    };
    let mut setup = body.setup();
    bend(&mut setup, mode);
    measure_frequency(&mut setups.start(setup), 4, |state| state.x[LINKS])
}
