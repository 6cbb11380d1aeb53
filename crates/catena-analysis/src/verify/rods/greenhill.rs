//! Checks of the moments at which twisted shafts leave their axis.

use super::balance::{Balance, clamp, line, onset};
use super::buckling::over_meshes;
use crate::verify::{
    Tolerance::Relative,
    check::{CheckList, CheckSetups},
};
use catena_sim::force::rod::Section;
use std::f64::consts::{PI, TAU};

/// Moment of a clamped shaft without tension, ML/EI.
const CLAMPED: f64 = 8.986_818_915_818_128;
/// Tension of the shaft under tension, TL²/EI.
const TENSION: f64 = 100.0;
/// Tension of the long shaft, TL²/EI.
const LONG: f64 = 1600.0;
/// EA L²/EI.
const AXIAL: f64 = 1e8;

pub(super) fn add(list: &mut CheckList) {
    list.set_reference("shaft between clamps: tan(ML/2EI) = ML/2EI (Greenhill 1883)");
    list.add("moment of a clamped shaft", CLAMPED, Relative(1e-3), |setups| {
        over_meshes(|segments| shaft(setups, segments, 0.0, CLAMPED))
    });
    list.set_reference("EI w'''' - iM w''' - T w'' = 0 between clamps (Greenhill 1883)");
    let pulled = clamped_moment(TENSION);
    list.add("moment of a shaft under TL²/EI = 100", pulled, Relative(1e-3), move |setups| {
        over_meshes(|segments| shaft(setups, 2 * segments, TENSION, pulled))
    });
    list.set_reference(
        "long shaft: M² = 4 EI T (Greenhill 1883); clamps raise M²/4EI T by about π²/TL²",
    );
    list.add("M²/4EI T of a long shaft, TL²/EI = 1600", 1.0, Relative(1e-2), |setups| {
        let moment = over_meshes(|segments| shaft(setups, 8 * segments, LONG, 2.0 * LONG.sqrt()))?;
        Some(moment * moment / (4.0 * LONG))
    });
    list.set_reference("hinged shaft: (M/2EI)² + P/EI = (π/L)² (Greenhill 1883)");
    for (name, tension) in
        [("", 0.0), (" under PL²/EI = 5", -5.0), (" under TL²/EI = 100", TENSION)]
    {
        let expected = 2.0 * (PI * PI + tension).sqrt();
        let name = format!("moment of a hinged shaft{name}");
        list.add(name, expected, Relative(1e-4), move |setups| {
            over_meshes(|segments| hinged(setups, 8 * segments, tension, expected))
        });
    }
}

/// Moment at which a shaft of length 1 and EI = 1 between clamps buckles under a tension. The
/// search is near the expected moment.
fn shaft(setups: &CheckSetups<'_>, segments: usize, tension: f64, expected: f64) -> Option<f64> {
    onset(0.8 * expected, 1.2 * expected, |moment| {
        Some(twisted(setups, segments, tension, moment)?.is_unstable(0.0))
    })
}

/// A straight shaft of length 1 and EI = 1 between clamps.
fn twisted(
    setups: &CheckSetups<'_>,
    segments: usize,
    tension: f64,
    moment: f64,
) -> Option<Balance> {
    let mut rope = line(3, segments, AXIAL)?;
    for spring in &mut rope.model.springs {
        spring.rest_length /= 1.0 + tension / AXIAL;
    }
    let turns = moment / TAU;
    let setup = rope.with_rod(Section::round(1.0, 1.0), |rod| {
        rod.clamp(clamp(0, 0.0)).clamp(clamp(segments, turns))
    })?;
    Some(Balance::new(setups, setup))
}

/// Moment M l/EI at which the middle half of a shaft leaves its axis as between hinges, where l is
/// the length of the span. `tension` is T l²/EI.
///
/// A clamp always holds a direction, so no hinge of a rod transmits a moment. The mode of
/// Greenhill's shaft is known: y + iz = exp(iαs) - exp(iβs) with α, β = M/2EI ± π/L. The
/// displacement is 0 at both hinges, and the bending moment there is that of a moment along the
/// axis. The rod is displaced by this mode also beyond the hinges, and the work of its forces on
/// the nodes between them is above 0 if the mode grows.
fn hinged(setups: &CheckSetups<'_>, segments: usize, tension: f64, expected: f64) -> Option<f64> {
    let span = 0.5;
    onset(0.8 * expected, 1.2 * expected, |moment| {
        let rod = twisted(setups, segments, tension / (span * span), moment / span)?;
        let [alpha, beta] = [PI, -PI].map(|shift| (0.5 * moment + shift) / span);
        // The sense of the twist decides which of two mirrored modes grows.
        let works = [1.0, -1.0].map(|sense| {
            let mode: Vec<[f64; 3]> = (0..=segments)
                .map(|node| {
                    let s = node as f64 / segments as f64 - 0.25;
                    let [a, b] = [alpha, beta].map(|rate| libm::sincos(rate * s));
                    [0.0, a.1 - b.1, sense * (a.0 - b.0)]
                })
                .collect();
            rod.work(&mode, segments / 4..=3 * segments / 4)
        });
        Some(works.into_iter().any(|work| work > 0.0))
    })
}

/// Smallest moment at which w = A + Bs + C exp(iαs) + D exp(iβs) fits between two clamps. Here α
/// and β are M/2 ± δ, and δ² = M²/4 - T, for L = EI = 1. After removing a common phase, the
/// determinant of the conditions is real.
fn clamped_moment(tension: f64) -> f64 {
    let moment = |delta: f64| 2.0 * (tension + delta * delta).sqrt();
    let fit = |delta: f64| {
        let mean = 0.5 * moment(delta);
        let (alpha, beta) = (mean + delta, mean - delta);
        4.0 * delta * libm::sin(0.5 * alpha) * libm::sin(0.5 * beta)
            - alpha * beta * libm::sin(delta)
    };
    let (mut low, step) = (0.1, 0.01);
    while fit(low) * fit(low + step) > 0.0 {
        low += step;
    }
    let mut high = low + step;
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if fit(low) * fit(middle) > 0.0 { low = middle } else { high = middle }
    }
    moment(0.5 * (low + high))
}
