//! Scales, uniform or per axis, constant or animated.

use super::number::OverTime;
use super::vector::VectorOverTime;
use super::written::{CURVE, name_of, start_of_options};
use crate::diagnostic::Fault;
use crate::grammar::Grammar;
use crate::layered::FieldValue;
use crate::locate::locate;
use crate::read::{FromRon, bare};
use crate::values::Positive;
use catena_sim::drive::track::Animated;

/// Scale, uniform or per axis; it may be animated.
#[derive(Clone, Debug)]
pub enum ScaleTrack {
    /// Uniform scale.
    Even(Animated<1>),
    /// Scale per axis.
    Each(VectorOverTime),
}

/// Whether a scale is written as vectors.
fn is_of_vectors(text: &str) -> bool {
    let options = &text[start_of_options(text)..];
    let first = match name_of(text) {
        "" => locate(text, "[0][1]").map(|span| &text[span]),
        "Keys" => locate(options, "keys[0][1]").map(|span| &options[span]),
        "BSpline" => locate(options, "points[0]").map(|span| &options[span]),
        _ => return true,
    };
    bare(text).starts_with('(') || first.is_some_and(|first| first.starts_with('('))
}

impl FromRon for ScaleTrack {
    fn from_ron(text: &str) -> Result<Self, Fault> {
        match is_of_vectors(text) {
            true => VectorOverTime::from_ron(text).map(Self::Each),
            false => OverTime::<Positive>::from_ron(text).map(|scale| Self::Even(scale.track)),
        }
    }
}

impl FieldValue for ScaleTrack {
    fn grammar() -> Grammar {
        VectorOverTime::grammar()
    }

    fn expected() -> String {
        format!("{}, or a vector of them; or a curve: {CURVE}", Positive::expected())
    }

    fn vectors(&self, path: &str, all: &mut Vec<(String, usize)>) {
        if let Self::Each(vector) = self {
            vector.vectors(path, all);
        }
    }

    fn check_choices(&self, path: &str, faults: &mut Vec<(String, Fault)>) {
        if let Self::Each(vector) = self {
            vector.check_choices(path, faults);
        }
    }
}
