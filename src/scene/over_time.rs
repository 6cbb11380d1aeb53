//! Values that are constant or change with time: gravity, wind and drag.

use super::choice::{Choice, Curves};
use super::diagnostic::Fault;
use super::layered::FieldValue;
use super::read::FromRon;
use super::values::{NonNegative, Vector};
use crate::sim::{Curve, drive::Series};
use std::sync::Arc;

/// A vector, or a curve of vectors.
#[derive(Clone, Debug)]
pub enum VectorOverTime {
    /// The same at all times.
    Constant(Vector),
    /// Along a curve.
    Curve(Choice<Curves>),
}

impl FromRon for VectorOverTime {
    fn from_ron(text: &str) -> Result<Self, Fault> {
        match text.trim_start().starts_with(char::is_alphabetic) {
            true => Choice::from_ron(text).map(Self::Curve),
            false => Vector::from_ron(text).map(Self::Constant),
        }
    }
}

impl FieldValue for VectorOverTime {
    fn expected() -> String {
        format!("{}; or a curve, listed by `catena methods`", Vector::expected())
    }

    fn vectors(&self, path: &str, all: &mut Vec<(String, usize)>) {
        if let Self::Constant(vector) = self {
            vector.vectors(path, all);
        }
    }

    fn check_choices(&self, path: &str, faults: &mut Vec<(String, Fault)>) {
        if let Self::Curve(curve) = self {
            curve.check_choices(path, faults);
        }
    }
}

impl VectorOverTime {
    /// The constant, one number an axis, or the curve.
    ///
    /// # Errors
    /// Where the curve does not fit a space of so many axes.
    pub(super) fn on(&self, axes: usize) -> Result<Changing<Vec<f64>, Arc<dyn Curve>>, Fault> {
        Ok(match self {
            Self::Constant(vector) => Changing::Never(vector.on(axes)),
            Self::Curve(curve) => Changing::OverTime(curve.read_for(axes, 0)?.into()),
        })
    }

    /// The value at time 0, one number an axis.
    ///
    /// # Errors
    /// Where the curve does not fit a space of so many axes.
    pub(super) fn at_start(&self, axes: usize) -> Result<Vec<f64>, Fault> {
        Ok(match self.on(axes)? {
            Changing::Never(vector) => vector,
            Changing::OverTime(curve) => curve.at(0.0).0[..axes].to_vec(),
        })
    }
}

/// A value that is constant, or what it is over time.
pub(super) enum Changing<C, T> {
    Never(C),
    OverTime(T),
}

/// A number of at least 0, or keys of one.
#[derive(Clone, Debug)]
pub enum NumberOverTime {
    /// The same at all times.
    Constant(NonNegative),
    /// Straight from key to key.
    Keys(Series),
}

impl FromRon for NumberOverTime {
    fn from_ron(text: &str) -> Result<Self, Fault> {
        if !text.trim_start().starts_with('[') {
            return NonNegative::from_ron(text).map(Self::Constant);
        }
        let keys = Vec::<(f64, NonNegative)>::from_ron(text)?;
        let series = Series { keys: keys.into_iter().map(|(t, value)| (t, value.0)).collect() };
        if series.is_sound(|_| true) {
            return Ok(Self::Keys(series));
        }
        let fault = Fault::new("expected at least one (time, value), each later than the last");
        Err(fault.help("sort the keys by time: [(0, 0.1), (2, 0.5)]").at(0..text.len()))
    }
}

impl FieldValue for NumberOverTime {
    fn expected() -> String {
        format!("{}; or a list of (time, value), straight in between", NonNegative::expected())
    }
}
