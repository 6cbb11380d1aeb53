//! Shared grammar of curves of all value types.

use crate::choice::{Curves, Table};
use crate::diagnostic::Fault;
use crate::grammar::Grammar;
use crate::locate::locate;
use crate::read::{FromRon, bare};
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
    pub(crate) fn read(text: &str) -> Result<Option<Self>, Fault> {
        if bare(text).starts_with('[') {
            let keys = Vec::<WrittenKey<V>>::from_ron(text)?;
            return Ok(Some(Self::Keys(WrittenTrack::new(keys))));
        }
        let start = start_of_options(text);
        let options = &text[start..];
        let moved = |fault: Fault| fault.moved(start);
        Ok(match name_of(text) {
            "Keys" => Some(Self::Keys(WrittenTrack::from_ron(options).map_err(moved)?)),
            "BSpline" => Some(Self::Spline(WrittenSpline::from_ron(options).map_err(moved)?)),
            _ => None,
        })
    }

    /// Returns the span of the key that precedes a time of the curve, or of all control points.
    pub(super) fn place_at(&self, t: f64, text: &str) -> Range<usize> {
        let (option, entry) = match self {
            Self::Keys(track) => {
                let behind = track.keys.partition_point(|key| key.time <= t);
                ("keys", Some(behind.saturating_sub(1)))
            }
            Self::Spline(_) => ("points", None),
        };
        place_of(&BadOption { option, entry, expected: "".into() }, text)
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

/// Returns the name before parentheses, or an empty text if there is none.
pub(super) fn name_of(text: &str) -> &str {
    let text = bare(text);
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    if text[end..].trim_start().starts_with('(') { &text[..end] } else { "" }
}

/// Returns the byte offset of the text after the name.
pub(super) fn start_of_options(text: &str) -> usize {
    text.len() - bare(text).len() + name_of(text).len()
}

/// Returns the fault of an unknown curve name, or `None` if there is no name.
pub(super) fn unknown_name(text: &str, more: &[&str]) -> Option<Fault> {
    let name = name_of(text);
    let start = start_of_options(text);
    let allowed = [&NAMES[..], more].concat();
    let fault = || Fault::unknown("curve", name, &allowed).at(start - name.len()..start);
    (!name.is_empty()).then(fault)
}

/// Returns the fault of an invalid curve.
pub(crate) fn refused(bad: &BadOption, text: &str) -> Fault {
    let message = format!("`{}` of the curve: expected {}", bad.path(), bad.expected);
    Fault::new(message).at(place_of(bad, text))
}

/// Returns the span of a curve's option, or of an entry of the option.
fn place_of(bad: &BadOption, text: &str) -> Range<usize> {
    let start = start_of_options(text);
    let is_list = bare(text).starts_with('[');
    let inner = match bad.entry {
        Some(entry) if is_list => locate(text, &format!("[{entry}]")),
        _ if is_list => None,
        _ => locate(&text[start..], &bad.path()).map(|span| span.start + start..span.end + start),
    };
    inner.unwrap_or(0..text.len())
}
