//! Shared grammar of curves of all value types.

use crate::choice::{Curves, Table};
use crate::diagnostic::Fault;
use crate::grammar::Grammar;
use crate::read::FromRon;
use catena_ron::Node;
use catena_sim::drive::track::{Animated, WrittenKey, WrittenSpline, WrittenTrack};
use catena_sim::named::BadOption;
use serde::de::DeserializeOwned;
use std::ops::Range;

/// Description of the curve syntax in messages.
pub(crate) const CURVE: &str = "[(time, value, piece), …], Keys(…) or BSpline(…)";

/// Names that may precede parentheses.
const NAMES: [&str; 2] = ["Keys", "BSpline"];

/// Returns the grammar of curves of all value types.
pub(crate) fn curve_grammar() -> Grammar {
    Grammar::Things(|| {
        Curves::things().into_iter().filter(|thing| NAMES.contains(&thing.name)).collect()
    })
}

/// Curve of values as written in a scene.
#[derive(Clone, Debug)]
pub(crate) enum WrittenCurve<V> {
    /// Interpolation between keys.
    Keys(WrittenTrack<V>),
    /// B-spline with control points.
    Spline(WrittenSpline<V>),
}

impl<V: DeserializeOwned> WrittenCurve<V> {
    /// Reads a curve, or returns `None` if the text is a plain value.
    pub(crate) fn read(node: Node<'_>) -> Result<Option<Self>, Fault> {
        if node.opens('[') {
            let keys = Vec::<WrittenKey<V>>::from_ron(node)?;
            return Ok(Some(Self::Keys(WrittenTrack::new(keys))));
        }
        Ok(match node.head() {
            "Keys" => Some(Self::Keys(WrittenTrack::from_ron(node.options())?)),
            "BSpline" => Some(Self::Spline(WrittenSpline::from_ron(node.options())?)),
            _ => None,
        })
    }

    /// Returns the span of the key that precedes a time of the curve, or of all control points.
    pub(super) fn place_at(&self, t: f64, node: Node<'_>) -> Range<usize> {
        let (option, entry) = match self {
            Self::Keys(track) => {
                let after = track.keys.partition_point(|key| key.time <= t);
                ("keys", Some(after.saturating_sub(1)))
            }
            Self::Spline(_) => ("points", None),
        };
        place_of(&BadOption { option, entry, expected: "".into() }, node)
    }

    /// Returns the track of the curve with values of D components.
    pub(crate) fn track<const D: usize>(
        &self,
        value: impl Fn(&V) -> [f64; D],
    ) -> Result<Animated<D>, BadOption> {
        match self {
            Self::Keys(keys) => keys.track(value),
            Self::Spline(spline) => spline.play(spline.spline(value)?),
        }
    }
}

/// Returns the fault of an unknown curve name before parentheses. The message lists the known names
/// and `more`. `None` if there is no name.
pub(super) fn unknown_name(node: Node<'_>, more: &[&str]) -> Option<Fault> {
    let name = node.head();
    let allowed = [&NAMES[..], more].concat();
    let end = node.options().start();
    let fault = || Fault::unknown("curve", name, &allowed).at(end - name.len()..end);
    (!name.is_empty()).then(fault)
}

/// Returns the fault of an invalid curve.
pub(crate) fn refused(bad: &BadOption, node: Node<'_>) -> Fault {
    let message = format!("`{}` of the curve: expected {}", bad.path(), bad.expected);
    Fault::new(message).at(place_of(bad, node))
}

/// Returns the span of a curve's option, or of an entry of the option.
fn place_of(bad: &BadOption, node: Node<'_>) -> Range<usize> {
    let inner = match bad.entry {
        Some(entry) if node.opens('[') => node.entries().nth(entry),
        _ if node.opens('[') => None,
        _ => node.locate(&bad.path()),
    };
    inner.unwrap_or(node).span()
}
