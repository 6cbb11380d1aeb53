//! Checks of the methods on one oscillator: growth, frequency, limit on the imaginary axis,
//! invariant.

use super::{
    Check,
    Tolerance::{Absolute, Relative},
    bodies::{method, spring},
    check::{CheckList, CheckSetups},
    formula::bisect,
    recurrence::{METHODS, Recurrence},
};
use crate::stability::oscillator::{NumericalMotion, Oscillator};
use catena_sim::{
    Method,
    method::{DormandPrince, DormandPrince8},
};
use std::sync::Arc;

/// Undamped oscillator with angular frequency 1.
const UNIT: Oscillator = Oscillator::new(1.0, 0.0);

/// Methods with the recurrence of Verlet.
const VERLETS: &[&str] = &[
    "SemiImplicitEuler",
    "ForceVerlet",
    "PositionVerlet",
    "VelocityVerlet",
    "Leapfrog",
    "StormerVerlet",
];

pub(super) fn checks() -> Vec<Check> {
    let mut list = CheckList::new("methods");
    list.set_reference(
        "growth per step on u'' + ω²u = 0, x = ωh: the largest root of the method's recurrence",
    );
    for row in METHODS {
        let Recurrence { name, at, .. } = *row;
        list.add(
            format!("growth of {name}, x = {at}"),
            row.growth(at),
            Relative(1e-9),
            move |setups| Some(motion(setups, name, at)?.growth),
        );
    }
    let rk4 = (1.0_f64 - 1.0 / 72.0 + 1.0 / 576.0).sqrt();
    list.add_printed("growth of Rk4 at x = 1, as printed", 0.993_905_0, 5e-8, rk4);
    add_frequency_checks(&mut list);
    add_limit_checks(&mut list);
    list.set_reference("semi-implicit Euler preserves v² + ω²x² - ω²h x v (its modified energy)");
    list.add(
        "drift of the invariant over 10000 steps, ωh = 0.156",
        0.0,
        Absolute(1e-12),
        invariant,
    );
    list.done()
}

fn add_frequency_checks(list: &mut CheckList) {
    list.set_reference("frequency of the recurrence of Verlet: ω' / ω = (2/x) asin(x/2)");
    let ratio = |x: f64| 2.0 / x * libm::asin(0.5 * x);
    list.add_printed("frequency of Verlet at x = 0.5, as printed", 1.010_721_0, 5e-8, ratio(0.5));
    for &name in VERLETS {
        for x in [0.5, 1.5] {
            list.add(
                format!("frequency of {name}, x = {x}"),
                ratio(x),
                Relative(1e-9),
                move |setups| Some(motion(setups, name, x)?.frequency),
            );
        }
    }
}

fn add_limit_checks(list: &mut CheckList) {
    list.set_reference("limit on the imaginary axis: the largest x = ωh at which no root of the recurrence exceeds 1");
    for row in METHODS {
        let name = row.name;
        if row.always_grows {
            let expected = row.growth(0.25) - 1.0;
            let title = format!("{name}: growth minus 1 at x = 0.25, limit 0");
            list.add(title, expected, Relative(1e-4), move |setups| {
                Some(motion(setups, name, 0.25)?.growth - 1.0)
            });
            continue;
        }
        let found = row.limit();
        for (_, printed, unit) in PRINTED.iter().filter(|printed| printed.0 == name) {
            list.add_printed(format!("limit of {name}, as printed"), *printed, *unit, found);
        }
        // A run of Adams-Bashforth 4 starts without a component of the unstable root, so
        // instability takes long to appear.
        let tolerance = Relative(if name == "AdamsBashforth4" { 2e-3 } else { 1e-4 });
        list.add(format!("limit of {name}"), found, tolerance, move |setups| longest(setups, name));
    }
}

/// Limits as printed in docs/physics.md, truncated after the last digit, and the unit of that
/// digit.
const PRINTED: &[(&str, f64, f64)] = &[
    ("Yoshida4", 1.573, 1e-3),
    ("Rk4", 2.8284, 1e-4),
    ("DormandPrince", 0.9972, 1e-4),
    ("DormandPrince8", 5.9603, 1e-4),
    ("AdamsBashforth3", 0.7236, 1e-4),
    ("AdamsBashforth4", 0.4299, 1e-4),
    ("AdamsBashforthMoulton2", 1.2871, 1e-4),
    ("LectureAdamsBashforth2", std::f64::consts::SQRT_2, 1e-9),
    ("LectureAdamsBashforth3", 1.0444, 1e-4),
    ("LecturePredictorCorrector", std::f64::consts::SQRT_2, 1e-9),
];

/// Method that takes the steps of its setup. The methods of Dormand and Prince need a huge
/// tolerance for that.
pub(super) fn plain(name: &str) -> Option<Arc<dyn Method>> {
    match name {
        "DormandPrince" => {
            Some(Arc::new(DormandPrince { tolerance: 1e300, ..DormandPrince::default() }))
        }
        "DormandPrince8" => {
            Some(Arc::new(DormandPrince8 { tolerance: 1e300, ..DormandPrince8::default() }))
        }
        _ => method(name),
    }
}

fn motion(setups: &CheckSetups<'_>, name: &str, x: f64) -> Option<NumericalMotion> {
    UNIT.motion(&setups.method(plain(name)?), x)
}

fn longest(setups: &CheckSetups<'_>, name: &str) -> Option<f64> {
    let method = setups.method(plain(name)?);
    // Just above its limit, the method of order 5 grows too slowly to be visible in a few thousand
    // steps. The search for a longest step ends below the limit of order 8. So the growth itself is
    // used.
    let (minimum, maximum) = match name {
        "DormandPrince" => (0.9, 1.1),
        "DormandPrince8" => (5.5, 6.5),
        _ => return UNIT.longest_step(&method),
    };
    let excess = |x: f64| UNIT.motion(&method, x).map_or(f64::NAN, |motion| motion.growth - 1.0);
    Some(bisect(minimum, maximum, excess))
}

fn invariant(setups: &CheckSetups<'_>) -> Option<f64> {
    let (omega, h) = (10.0, 1.0 / 64.0);
    let method = method("SemiImplicitEuler")?;
    let mut run = setups.start(spring(method, Oscillator::new(omega, 0.0), h));
    let mut value = |steps: usize| {
        (0..steps).for_each(|_| run.step());
        let (x, v) = (run.state().x[1] - 1.0, run.state().v[1]);
        v * v + omega * omega * (x * x - h * x * v)
    };
    let before = value(0);
    Some((value(10_000) / before - 1.0).abs())
}
