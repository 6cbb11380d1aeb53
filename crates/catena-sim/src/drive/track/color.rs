//! Colours over time: keys are sRGB, and what lies between two keys is mixed in a space of choice.
//!
//! sRGB is mixed as it is written, linear light after IEC 61966-2-1, Oklab after Ottosson 2020, "A
//! perceptual color space for image processing". Opacity is mixed as it is, and not multiplied in.

use super::color_space::{CONES, CONES_OF_LAB, LAB, LIGHT, decode, encode, product};
use super::{Extent, Key, KeyTrack, SplineTrack, Track};
use crate::body::curve::keys::Place;
use crate::named::BadOption;
use serde::Deserialize;
use std::array::from_fn;

/// A space in which colours are mixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum ColorSpace {
    /// Values as files and screens have them.
    #[default]
    Srgb,
    /// Amounts of light.
    Linear,
    /// Even steps of lightness and hue to the eye.
    Oklab,
}

impl ColorSpace {
    /// The coordinates in this space of a colour in sRGB; opacity stays.
    pub fn of_srgb(self, colour: [f64; 4]) -> [f64; 4] {
        into_space(self, (colour, [0.0; 4])).0
    }
}

/// A colour over time: red, green, blue and opacity, each 1 at its full amount. Between keys of a
/// wide space components may lie outside of 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct ColorTrack {
    space: ColorSpace,
    mixed: Mixed,
}

/// How colours are mixed in their space.
#[derive(Clone, Debug, PartialEq)]
enum Mixed {
    /// From key to key; the keys as they are in sRGB.
    Keys(KeyTrack<4>, Vec<[f64; 4]>),
    /// Near control points.
    Spline(SplineTrack<4>),
}

impl ColorTrack {
    /// A track along keys in sRGB, mixed in a space. Handles are colours in sRGB too, and rates are
    /// rates of sRGB components; the rate of black in Oklab, which is infinite, counts as 0.
    ///
    /// # Errors
    /// As [`KeyTrack::new`].
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

    /// A track along a spline whose points have coordinates of the space, by
    /// [`ColorSpace::of_srgb`].
    pub fn spline(space: ColorSpace, spline: SplineTrack<4>) -> Self {
        Self { space, mixed: Mixed::Spline(spline) }
    }
}

impl Track<4> for ColorTrack {
    fn at(&self, t: f64) -> Place<4> {
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

/// From sRGB to the space, with the rate.
fn into_space(space: ColorSpace, colour: Place<4>) -> Place<4> {
    match space {
        ColorSpace::Srgb => colour,
        ColorSpace::Linear => each(colour, decode),
        ColorSpace::Oklab => {
            let cones = multiplied(&CONES, each(colour, decode));
            multiplied(&LAB, each(cones, cube_root))
        }
    }
}

/// From the space to sRGB, with the rate.
fn from_space(space: ColorSpace, colour: Place<4>) -> Place<4> {
    match space {
        ColorSpace::Srgb => colour,
        ColorSpace::Linear => each(colour, encode),
        ColorSpace::Oklab => {
            let cones = each(multiplied(&CONES_OF_LAB, colour), |x| (x * x * x, 3.0 * x * x));
            each(multiplied(&LIGHT, cones), encode)
        }
    }
}

/// Applies a function, which gives value and derivative, to the three colours but not to opacity.
fn each((value, rate): Place<4>, function: impl Fn(f64) -> (f64, f64)) -> Place<4> {
    let done = from_fn::<_, 3, _>(|k| function(value[k]));
    let value = [done[0].0, done[1].0, done[2].0, value[3]];
    let moved = |k: usize| if rate[k] == 0.0 { 0.0 } else { done[k].1 * rate[k] };
    (value, [moved(0), moved(1), moved(2), rate[3]])
}

/// A matrix times the three colours; opacity stays.
fn multiplied(matrix: &[[f64; 3]; 3], (value, rate): Place<4>) -> Place<4> {
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
