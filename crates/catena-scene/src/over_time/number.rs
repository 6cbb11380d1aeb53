//! Numbers and pairs of numbers with a range, constant or animated.

use super::written::{CURVE, WrittenCurve, curve_grammar, refused, unknown_name};
use crate::diagnostic::Fault;
use crate::grammar::Grammar;
use crate::layered::FieldValue;
use crate::read::FromRon;
use catena_base::text::number::short;
use catena_ron::Node;
use catena_sim::drive::track::{Animated, Extremes, Track};
use serde::de::DeserializeOwned;
use std::marker::PhantomData;

/// Value of D components that may be animated while each component stays in its range.
pub trait Movable<const D: usize>: FieldValue {
    /// Element of a curve: a value, rate or handle, which may be out of range.
    type Written: DeserializeOwned;

    /// Returns the components of a curve element.
    fn written(written: &Self::Written) -> [f64; D];

    /// Returns the components of a constant value.
    fn components(&self) -> [f64; D];

    /// Whether a component is in its range.
    fn allows(component: f64) -> bool;
}

/// Constant or animated value.
#[derive(Clone, Debug)]
pub struct OverTime<T, const D: usize = 1> {
    /// Value over time.
    pub track: Animated<D>,
    /// Length of the curve's text in bytes; 0 for a constant.
    pub length: usize,
    kind: PhantomData<T>,
}

impl<T: Movable<D>, const D: usize> FromRon for OverTime<T, D> {
    fn from_ron(node: Node<'_>) -> Result<Self, Fault> {
        let kind = PhantomData;
        let Some(curve) = WrittenCurve::<T::Written>::read(node)? else {
            let value =
                T::from_ron(node).map_err(|fault| unknown_name(node, &[]).unwrap_or(fault))?;
            return Ok(Self { track: Animated::Constant(value.components()), length: 0, kind });
        };
        let track = curve.track(T::written).map_err(|bad| refused(&bad, node))?;
        for extremes in track.extremes().iter().flatten() {
            in_range::<T, D>(extremes).map_err(|(t, fault)| fault.at(curve.place_at(t, node)))?;
        }
        Ok(Self { track, length: node.text().len(), kind })
    }
}

/// Rejects a component that leaves its range. The error has the time of the extreme value.
fn in_range<T: Movable<D>, const D: usize>(extremes: &Extremes) -> Result<(), (f64, Fault)> {
    let (low, high) = extremes.range();
    let out = match () {
        () if !T::allows(low) => extremes.minimum,
        () if !T::allows(high) => extremes.greatest,
        () => return Ok(()),
    };
    let message = format!("the curve reaches {} at its time {}", short(out.value), short(out.t));
    let help = format!("expected at all times: {}", T::expected());
    Err((out.t, Fault::new(message).help(help)))
}

impl<T: Movable<D>, const D: usize> FieldValue for OverTime<T, D> {
    fn grammar() -> Grammar {
        Grammar::Either(|| vec![T::grammar(), curve_grammar()])
    }

    fn expected() -> String {
        format!("{}; or a curve: {CURVE}", T::expected())
    }
}
