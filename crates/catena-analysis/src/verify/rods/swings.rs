//! Checks of the natural frequencies of a clamped beam.

use super::balance::{clamp, line};
use super::extrapolated;
use crate::modes::natural::natural_modes;
use crate::verify::{
    Tolerance::Relative,
    check::{CheckList, CheckSetups},
};
use catena_sim::force::rod::Section;

/// First three positive roots of cosh(x) cos(x) = -1.
const ROOTS: [f64; 3] = [1.875_104_068_711_961, 4.694_091_132_974_175, 7.854_757_438_237_613];
/// Numbers of segments from whose results a frequency is extrapolated.
const MESHES: [usize; 3] = [8, 16, 32];

pub(super) fn add(list: &mut CheckList) {
    list.set_reference(
        "beam clamped at one end: ω = x²√(EI/ρA)/L², cosh x cos x = -1 (Bernoulli 1735, Euler)",
    );
    for (mode, root) in ROOTS.into_iter().enumerate() {
        let name = format!("frequency {} of a clamped beam", mode + 1);
        list.add(name, root * root, Relative(2e-4), move |setups| {
            let values = MESHES.iter().map(|&segments| frequency(setups, segments, mode));
            let values: Vec<f64> = values.collect::<Option<_>>()?;
            Some(extrapolated(&values))
        });
    }
}

/// Frequency of a mode of a beam whose length, mass and EI are 1.
fn frequency(setups: &CheckSetups<'_>, segments: usize, mode: usize) -> Option<f64> {
    let section = Section::round(1.0, 0.0);
    let setup = line(2, segments, 1e7)?.with_rod(section, |rod| rod.clamp(clamp(0, 0.0)))?;
    let setup = setups.ready(setup);
    let modes = natural_modes(&setup, &setup.initial)?;
    Some(modes.get(mode)?.omega())
}
