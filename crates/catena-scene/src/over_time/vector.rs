//! Vectors and points that are constant, or follow a curve of the table of curves.

use super::written::CURVE;
use crate::choice::{Choice, Curves};
use crate::diagnostic::Fault;
use crate::grammar::Grammar;
use crate::layered::FieldValue;
use crate::read::FromRon;
use crate::values::{Point, Vector};
use catena_ron::Node;
use catena_sim::Curve;
use std::sync::Arc;

/// A vector, or a curve of vectors.
#[derive(Clone, Debug)]
pub enum VectorOverTime {
    /// The same at all times.
    Constant(Vector),
    /// Along a curve.
    Curve(Choice<Curves>),
}

/// Whether a value is a curve and not a vector.
fn is_curve(node: Node<'_>) -> bool {
    node.first().is_some_and(|c| c.is_alphabetic() || c == '[')
}

/// Refuses a vector in brackets, which would be a curve.
fn refuse_brackets(node: Node<'_>) -> Result<(), Fault> {
    let is_number = |child: Node<'_>| f64::from_ron(child).is_ok();
    let is_empty = node.entries().next().is_none();
    if !node.opens('[') || is_empty || !node.entries().all(is_number) {
        return Ok(());
    }
    let numbers: Vec<&str> = node.entries().take(3).map(Node::text).collect();
    let help = format!("write ({})", numbers.join(", "));
    Err(Fault::told(node.span(), "a vector stands in parentheses, not in brackets", help))
}

impl FromRon for VectorOverTime {
    fn from_ron(node: Node<'_>) -> Result<Self, Fault> {
        refuse_brackets(node)?;
        match is_curve(node) {
            true => Choice::from_ron(node).map(Self::Curve),
            false => Vector::from_ron(node).map(Self::Constant),
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
    /// The constant, one number an axis, or the curve.
    ///
    /// # Errors
    /// Where the curve does not fit a space of so many axes.
    pub(crate) fn on(&self, axes: usize) -> Result<Changing<Vec<f64>, Arc<dyn Curve>>, Fault> {
        Ok(match self {
            Self::Constant(vector) => Changing::Never(vector.on(axes)),
            Self::Curve(curve) => Changing::OverTime(curve.read_for(axes, 0)?.into()),
        })
    }

    /// The value at time 0, one number an axis.
    ///
    /// # Errors
    /// Where the curve does not fit a space of so many axes.
    pub(crate) fn at_start(&self, axes: usize) -> Result<Vec<f64>, Fault> {
        Ok(match self.on(axes)? {
            Changing::Never(vector) => vector,
            Changing::OverTime(curve) => curve.at(0.0).0[..axes].to_vec(),
        })
    }
}

/// A value that is constant, or what it is over time.
pub(crate) enum Changing<C, T> {
    Never(C),
    OverTime(T),
}

/// A point of the plane that stays where it is, or that a curve moves.
#[derive(Clone, Debug)]
pub struct PointOverTime(pub VectorOverTime);

impl FromRon for PointOverTime {
    fn from_ron(node: Node<'_>) -> Result<Self, Fault> {
        match is_curve(node) {
            true => VectorOverTime::from_ron(node).map(Self),
            false => {
                Point::from_ron(node).map(|Point(at)| Self(VectorOverTime::Constant(at.into())))
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
