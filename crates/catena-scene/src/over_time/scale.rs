//! Scales, uniform or per axis, constant or animated.

use super::number::OverTime;
use super::vector::VectorOverTime;
use super::written::CURVE;
use crate::diagnostic::Fault;
use crate::grammar::Grammar;
use crate::layered::FieldValue;
use crate::read::FromRon;
use crate::values::Positive;
use catena_ron::Node;
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
fn is_of_vectors(node: Node<'_>) -> bool {
    let first = match node.head() {
        "" => node.locate("[0][1]"),
        "Keys" => node.locate("keys[0][1]"),
        "BSpline" => node.locate("points[0]"),
        _ => return true,
    };
    node.opens('(') || first.is_some_and(|first| first.opens('('))
}

impl FromRon for ScaleTrack {
    fn from_ron(node: Node<'_>) -> Result<Self, Fault> {
        match is_of_vectors(node) {
            true => VectorOverTime::from_ron(node).map(Self::Each),
            false => OverTime::<Positive>::from_ron(node).map(|scale| Self::Even(scale.track)),
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
