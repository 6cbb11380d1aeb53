//! Vectors and points, constant or on a curve.

use super::written::CURVE;
use crate::choice::{Choice, Curves};
use crate::diagnostic::Fault;
use crate::grammar::Grammar;
use crate::layered::FieldValue;
use crate::read::{Child, FromRon, bare, children};
use crate::values::{Point, Vector};
use catena_sim::Curve;
use std::sync::Arc;

/// Vector, constant or on a curve.
#[derive(Clone, Debug)]
pub enum VectorOverTime {
    /// Constant vector.
    Constant(Vector),
    /// Vector on a curve.
    Curve(Choice<Curves>),
}

/// Whether a text is a curve rather than a vector.
fn is_curve(text: &str) -> bool {
    bare(text).starts_with(|c: char| c.is_alphabetic() || c == '[')
}

/// Rejects a vector in brackets, which would be read as a curve.
fn refuse_brackets(text: &str) -> Result<(), Fault> {
    let is_number = |child: &Child<'_>| f64::from_ron(child.value).is_ok();
    let Ok(all) = children(text) else { return Ok(()) };
    if !bare(text).starts_with('[') || all.is_empty() || !all.iter().all(is_number) {
        return Ok(());
    }
    let numbers: Vec<&str> = all.iter().take(3).map(|child| child.value).collect();
    let fault = Fault::new("a vector stands in parentheses, not in brackets").at(0..text.len());
    Err(fault.help(format!("write ({})", numbers.join(", "))))
}

impl FromRon for VectorOverTime {
    fn from_ron(text: &str) -> Result<Self, Fault> {
        refuse_brackets(text)?;
        match is_curve(text) {
            true => Choice::from_ron(text).map(Self::Curve),
            false => Vector::from_ron(text).map(Self::Constant),
        }
    }
}

impl FieldValue for VectorOverTime {
    fn grammar() -> Grammar {
        Grammar::Either(|| vec![Vector::grammar(), Choice::<Curves>::grammar()])
    }

    fn expected() -> String {
        format!("{}; or a curve: {CURVE}, or another of `catena methods`", Vector::expected())
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
    /// Returns the constant with one number per axis, or the curve.
    ///
    /// # Errors
    /// Returns a fault when the curve does not fit a space of `axes` axes.
    pub(crate) fn on(&self, axes: usize) -> Result<Changing<Vec<f64>, Arc<dyn Curve>>, Fault> {
        Ok(match self {
            Self::Constant(vector) => Changing::Never(vector.on(axes)),
            Self::Curve(curve) => Changing::OverTime(curve.read_for(axes, 0)?.into()),
        })
    }

    /// Returns the value at time 0, one number per axis.
    ///
    /// # Errors
    /// Returns a fault when the curve does not fit a space of `axes` axes.
    pub(crate) fn at_start(&self, axes: usize) -> Result<Vec<f64>, Fault> {
        Ok(match self.on(axes)? {
            Changing::Never(vector) => vector,
            Changing::OverTime(curve) => curve.at(0.0).0[..axes].to_vec(),
        })
    }
}

/// Constant value, or a value over time.
pub(crate) enum Changing<C, T> {
    Never(C),
    OverTime(T),
}

/// Point of the plane, constant or on a curve.
#[derive(Clone, Debug)]
pub struct PointOverTime(pub VectorOverTime);

impl FromRon for PointOverTime {
    fn from_ron(text: &str) -> Result<Self, Fault> {
        match is_curve(text) {
            true => VectorOverTime::from_ron(text).map(Self),
            false => {
                Point::from_ron(text).map(|Point(at)| Self(VectorOverTime::Constant(at.into())))
            }
        }
    }
}

impl FieldValue for PointOverTime {
    fn grammar() -> Grammar {
        VectorOverTime::grammar()
    }

    fn expected() -> String {
        format!("{}; or a curve: {CURVE}, or another of `catena methods`", Point::expected())
    }

    fn check_choices(&self, path: &str, faults: &mut Vec<(String, Fault)>) {
        self.0.check_choices(path, faults);
    }
}
