//! Colours over time: keys are sRGB, interpolated in a selectable colour space.
//!
//! sRGB is interpolated as written, linear light as defined in IEC 61966-2-1, and Oklab as in
//! Ottosson 2020, "A perceptual color space for image processing". Opacity is interpolated
//! separately and not premultiplied.

use super::color_space::{CONES, CONES_OF_LAB, LAB, LIGHT, decode, encode, product};
use super::{Extent, Key, KeyTrack, SplineTrack, Track};
use crate::body::curve::spans::PlaceAndRate;
use crate::named::BadOption;
use serde::Deserialize;
use std::array::from_fn;

/// A colour space for interpolation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum ColorSpace {
    /// Encoded values, as in files and on screens.
    #[default]
    Srgb,
    /// Linear light, proportional to intensity.
    Linear,
    /// Perceptually uniform lightness and hue.
    Oklab,
}
crate::identity!(
    enum ColorSpace {
        Srgb,
        Linear,
        Oklab,
    }
);

impl ColorSpace {
    /// Converts a colour from sRGB to this space. Opacity does not change.
    pub fn of_srgb(self, colour: [f64; 4]) -> [f64; 4] {
        into_space(self, (colour, [0.0; 4])).0
    }
}

/// A colour over time: red, green, blue and opacity, nominally 0 to 1. Colours interpolated in a
/// wider space may be outside of that range.
#[derive(Clone, Debug, PartialEq)]
pub struct ColorTrack {
    space: ColorSpace,
    mixed: Mixed,
}
crate::identity!(ColorTrack { space, mixed });

/// Interpolated colours in their space.
#[derive(Clone, Debug, PartialEq)]
enum Mixed {
    /// Keys in the space, and the same keys in sRGB.
    Keys(KeyTrack<4>, Vec<[f64; 4]>),
    /// A spline with control points in the space.
    Spline(SplineTrack<4>),
}
crate::identity!(
    enum Mixed {
        Keys(a, b),
        Spline(value),
    }
);

impl ColorTrack {
    /// Creates a track from keys in sRGB, interpolated in a space. Handles are colours in sRGB, and
    /// rates are rates of sRGB components. In Oklab the rate of black is infinite and counts as 0.
    ///
    /// # Errors
    /// Returns the errors of [`KeyTrack::new`].
    pub fn new(space: ColorSpace, keys: Vec<Key<4>>) -> Result<Self, BadOption> {
        let colours = keys.iter().map(|key| key.value).collect();
        let into = |key: Key<4>| Key {
            value: space.of_srgb(key.value),
            rates: key.rates.map(|rate| into_space(space, (key.value, rate)).1),
            handles: key
                .handles
                .map(|handle| handle.map(|(time, colour)| (time, space.of_srgb(colour)))),
            ..key
        };
        let mixed = KeyTrack::new(keys.into_iter().map(into).collect())?;
        Ok(Self { space, mixed: Mixed::Keys(mixed, colours) })
    }

    /// Creates a track from a spline whose points are in the space; see [`ColorSpace::of_srgb`].
    pub fn spline(space: ColorSpace, spline: SplineTrack<4>) -> Self {
        Self { space, mixed: Mixed::Spline(spline) }
    }
}

impl Track<4> for ColorTrack {
    fn at(&self, t: f64) -> PlaceAndRate<4> {
        match &self.mixed {
            Mixed::Keys(mixed, colours) => {
                let (colour, rate) = from_space(self.space, mixed.at(t));
                (mixed.resting(t).map_or(colour, |index| colours[index]), rate)
            }
            Mixed::Spline(mixed) => from_space(self.space, mixed.at(t)),
        }
    }

    fn extent(&self) -> Extent {
        match &self.mixed {
            Mixed::Keys(mixed, _) => mixed.extent(),
            Mixed::Spline(mixed) => mixed.extent(),
        }
    }
}

/// Converts a colour and its rate from sRGB to the space.
fn into_space(space: ColorSpace, colour: PlaceAndRate<4>) -> PlaceAndRate<4> {
    match space {
        ColorSpace::Srgb => colour,
        ColorSpace::Linear => each(colour, decode),
        ColorSpace::Oklab => {
            let cones = multiplied(&CONES, each(colour, decode));
            multiplied(&LAB, each(cones, cube_root))
        }
    }
}

/// Converts a colour and its rate from the space to sRGB.
fn from_space(space: ColorSpace, colour: PlaceAndRate<4>) -> PlaceAndRate<4> {
    match space {
        ColorSpace::Srgb => colour,
        ColorSpace::Linear => each(colour, encode),
        ColorSpace::Oklab => {
            let cones = each(multiplied(&CONES_OF_LAB, colour), |x| (x * x * x, 3.0 * x * x));
            each(multiplied(&LIGHT, cones), encode)
        }
    }
}

/// Applies a function to the three colour components but not to opacity. The function returns its
/// value and derivative.
fn each((value, rate): PlaceAndRate<4>, function: impl Fn(f64) -> (f64, f64)) -> PlaceAndRate<4> {
    let done = from_fn::<_, 3, _>(|k| function(value[k]));
    let value = [done[0].0, done[1].0, done[2].0, value[3]];
    let moved = |k: usize| if rate[k] == 0.0 { 0.0 } else { done[k].1 * rate[k] };
    (value, [moved(0), moved(1), moved(2), rate[3]])
}

/// Multiplies the three colour components by a matrix. Opacity does not change.
fn multiplied(matrix: &[[f64; 3]; 3], (value, rate): PlaceAndRate<4>) -> PlaceAndRate<4> {
    let times = |a: [f64; 4]| {
        let [x, y, z] = product(matrix, [a[0], a[1], a[2]]);
        [x, y, z, a[3]]
    };
    (times(value), times(rate))
}

fn cube_root(x: f64) -> (f64, f64) {
    let root = libm::cbrt(x);
    (root, if x == 0.0 { 0.0 } else { root / (3.0 * x) })
}
