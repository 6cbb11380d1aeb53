//! Formats of live numbers: one per quantity for a whole film, chosen from the scene alone, so that
//! a number does not change its form from frame to frame.

use catena_scene::{Body, Scene};
use catena_sim::body::measure;
use catena_sim::{Setup, State};

/// Number of significant digits for a value of the size expected from the scene.
const DIGITS: i32 = 5;

/// Number of significant digits of strains, which are shown in percent.
const STRAIN_DIGITS: i32 = 3;

/// Maximum number of decimals that a fixed format shows.
const MAX_DECIMALS: i32 = 6;
/// Maximum number of decimals that the significant digits of a quantity may need in a fixed format.
/// A smaller quantity is written with a power of ten.
const MIN_SIZE: i32 = 8;
/// Minimum number of decimals that the significant digits of a quantity may need in a fixed format.
/// With -3, the last significant digit counts thousands. A larger quantity is written with a power
/// of ten.
const GREATEST_SIZE: i32 = -3;

/// Maximum number of characters of a number in a fixed format, without its minus sign.
const WIDTH: usize = 9;

/// Maximum number of digits before the decimal point.
const MAX_WHOLE: usize = 7;

/// Form of all values of a quantity in a film.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberFormat {
    /// A fixed number of decimals.
    Fixed(usize),
    /// Three digits and a power of ten.
    Scientific,
}

impl NumberFormat {
    /// Format that shows a value of magnitude `size` with `digits` significant digits.
    fn of_size(size: f64, digits: i32) -> Self {
        if !size.is_finite() || size <= 0.0 {
            return Self::Fixed(digits.max(2) as usize - 1);
        }
        let decimals = digits - 1 - libm::floor(libm::log10(size)) as i32;
        match decimals {
            GREATEST_SIZE..=MIN_SIZE => Self::Fixed(decimals.clamp(0, MAX_DECIMALS) as usize),
            _ => Self::Scientific,
        }
    }

    /// Text of a value. A value that is too long for a fixed format is replaced by a bound.
    pub fn text(self, value: f64) -> String {
        let decimals = match self {
            Self::Scientific => return format!("{value:.2e}"),
            Self::Fixed(decimals) => decimals,
        };
        let text = format!("{value:.decimals$}");
        let integer_digits = (WIDTH - 1).saturating_sub(decimals).min(MAX_WHOLE);
        if text
            .trim_start_matches('-')
            .split('.')
            .next()
            .is_none_or(|it| it.len() <= integer_digits)
        {
            return text;
        }
        format!("{}1{}", if value < 0.0 { "<-" } else { ">" }, "0".repeat(integer_digits))
    }

    /// Text as wide as the widest formatted value.
    pub(super) fn widest(self) -> String {
        "0".repeat(WIDTH)
    }
}

/// Formats of all quantities of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberFormats {
    /// Number of decimals of the time, enough to distinguish adjacent frames.
    pub time: usize,
    /// Format of lengths and distances.
    pub length: NumberFormat,
    /// Format of strains in percent.
    pub strain: NumberFormat,
    /// Format of kinetic energies.
    pub energy: NumberFormat,
}

impl NumberFormats {
    /// Formats for the sizes of the bodies of a scene.
    pub fn of(scene: &Scene) -> Self {
        let bodies = || scene.panels.iter().flat_map(|panel| &panel.bodies);
        let maximum = |of: &dyn Fn(&Body) -> f64| bodies().map(of).fold(0.0_f64, f64::max);
        let frame_time = bodies().map(|body| body.setup.frame_time).fold(f64::INFINITY, f64::min);
        let time = scene.frames as f64 * frame_time;
        Self {
            time: decimals(frame_time),
            length: NumberFormat::of_size(maximum(&|body| size(&body.setup)), DIGITS),
            strain: NumberFormat::of_size(maximum(&|body| strain(&body.setup)), STRAIN_DIGITS),
            energy: NumberFormat::of_size(maximum(&|body| energy(&body.setup, time)), DIGITS),
        }
    }
}

/// Number of decimals, at least 2, that distinguishes the times of adjacent frames.
fn decimals(frame_time: f64) -> usize {
    let steps = [1e-2, 1e-3, 1e-4, 1e-5];
    2 + steps.iter().filter(|step| frame_time < **step).count()
}

/// Rest length of a body or the longest side of its initial bounding box, whichever is longer.
fn size(setup: &Setup) -> f64 {
    let n = setup.model.nodes();
    let side = |axis: usize| {
        let along = |state: &State| {
            let all = (0..n).map(|i| state.position(n, i)[axis]);
            all.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], at| [a.min(at), b.max(at)])
        };
        let [low, high] = along(&setup.initial);
        high - low
    };
    (0..3).map(side).fold(setup.model.rest_length(), f64::max)
}

/// Approximate strain of a body under its own weight, in percent.
fn strain(setup: &Setup) -> f64 {
    let model = &setup.model;
    let weight = model.mass.iter().sum::<f64>() * setup.gravity_strength();
    let springs = model.structural().iter();
    let stiffest = springs.map(|it| it.stiffness * it.rest_length).fold(0.0_f64, f64::max);
    if stiffest > 0.0 { 100.0 * weight / stiffest } else { 0.0 }
}

/// Typical energy of a body: the gain in a fall through its own size or its initial kinetic energy,
/// whichever is larger. If both are 0, the energy of moving by its own size during the film.
fn energy(setup: &Setup, time: f64) -> f64 {
    let mass = setup.model.mass.iter().sum::<f64>();
    let fall = mass * setup.gravity_strength() * size(setup);
    let start = measure::kinetic_energy(&setup.model, &setup.initial);
    let speed = size(setup) / time.max(f64::MIN_POSITIVE);
    let known = fall.max(start);
    if known > 0.0 { known } else { 0.5 * mass * speed * speed }
}
