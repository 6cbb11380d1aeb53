//! Curves of any value as scenes write them, by one grammar.

use crate::choice::{Curves, Table};
use crate::diagnostic::Fault;
use crate::grammar::Grammar;
use crate::read::FromRon;
use catena_ron::Node;
use catena_sim::drive::track::{Animated, WrittenKey, WrittenSpline, WrittenTrack};
use catena_sim::named::BadOption;
use serde::de::DeserializeOwned;
use std::ops::Range;

/// How curves of any value are written.
pub(crate) const CURVE: &str = "[(time, value, piece), …], Keys(…) or BSpline(…)";

/// The names of what stands in parentheses.
const NAMES: [&str; 2] = ["Keys", "BSpline"];

/// What editors know of curves of any value.
pub(crate) fn curve_grammar() -> Grammar {
    Grammar::Things(|| {
        Curves::things().into_iter().filter(|thing| NAMES.contains(&thing.name)).collect()
    })
}

/// A curve of values as it is written.
#[derive(Clone, Debug)]
pub(crate) enum WrittenCurve<V> {
    /// From key to key.
    Keys(WrittenTrack<V>),
    /// Near control points.
    Spline(WrittenSpline<V>),
}

impl<V: DeserializeOwned> WrittenCurve<V> {
    /// Reads a curve; `None` where the node is none, but a value.
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

    /// Where the text has what leads to the value at a time of the curve: a key, or all points.
    pub(super) fn place_at(&self, t: f64, node: Node<'_>) -> Range<usize> {
        let (option, entry) = match self {
            Self::Keys(track) => {
                let behind = track.keys.partition_point(|key| key.time <= t);
                ("keys", Some(behind.saturating_sub(1)))
            }
            Self::Spline(_) => ("points", None),
        };
        place_of(&BadOption { option, entry, expected: "".into() }, node)
    }

    /// The curve of values of D components.
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

/// The fault of a name that no curve has; `None` where there is no name.
pub(super) fn unknown_name(node: Node<'_>, more: &[&str]) -> Option<Fault> {
    let name = node.head();
    let allowed = [&NAMES[..], more].concat();
    let end = node.options().start();
    let fault = || Fault::unknown("curve", name, &allowed).at(end - name.len()..end);
    (!name.is_empty()).then(fault)
}

/// The fault of a curve that cannot be.
pub(crate) fn refused(bad: &BadOption, node: Node<'_>) -> Fault {
    let message = format!("`{}` of the curve: expected {}", bad.path(), bad.expected);
    Fault::new(message).at(place_of(bad, node))
}

/// Place of an option of a curve, or of an entry of the option.
fn place_of(bad: &BadOption, node: Node<'_>) -> Range<usize> {
    let inner = match bad.entry {
        Some(entry) if node.opens('[') => node.entries().nth(entry),
        _ if node.opens('[') => None,
        _ => node.locate(&bad.path()),
    };
    inner.unwrap_or(node).span()
}
