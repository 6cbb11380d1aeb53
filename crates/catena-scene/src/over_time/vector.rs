//! Vectors and points, constant or on a curve.

use super::written::CURVE;
use crate::choice::{Choice, Curves};
use crate::diagnostic::Fault;
use crate::grammar::Grammar;
use crate::layered::FieldValue;
use crate::read::FromRon;
use crate::recorded::series;
use crate::stack::Stack;
use crate::values::{Point, Vector};
use catena_ron::Node;
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
fn is_curve(node: Node<'_>) -> bool {
    node.first().is_some_and(|c| c.is_alphabetic() || c == '[')
}

/// Rejects a vector in brackets, which would be read as a curve.
fn refuse_brackets(node: Node<'_>) -> Result<(), Fault> {
    let is_number = |child: Node<'_>| f64::from_ron(child).is_ok();
    let is_empty = node.entries().next().is_none();
    if !node.opens('[') || is_empty || !node.entries().all(is_number) {
        return Ok(());
    }
    let numbers: Vec<&str> = node.entries().take(3).map(Node::text).collect();
    let help = format!("write ({})", numbers.join(", "));
    Err(Fault::with_help(node.span(), "a vector needs parentheses, not brackets", help))
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
    /// Returns the constant with one number per axis, or the curve.
    ///
    /// # Errors
    /// Returns a fault when the curve does not fit a space of `axes` axes, or its file is bad.
    pub(crate) fn on(
        &self,
        axes: usize,
        stack: &Stack<'_>,
    ) -> Result<Changing<Vec<f64>, Arc<dyn Curve>>, Fault> {
        Ok(match self {
            Self::Constant(vector) => Changing::Never(vector.on(axes)),
            Self::Curve(curve) => {
                let curve = curve.read_for(axes, 0)?;
                Changing::OverTime(with_rows(curve.into(), axes, stack)?)
            }
        })
    }

    /// Returns the value at time 0, one number per axis.
    ///
    /// # Errors
    /// Returns a fault when the curve does not fit a space of `axes` axes, or its file is bad.
    pub(crate) fn at_start(&self, axes: usize, stack: &Stack<'_>) -> Result<Vec<f64>, Fault> {
        Ok(match self.on(axes, stack)? {
            Changing::Never(vector) => vector,
            Changing::OverTime(curve) => curve.at(0.0).0[..axes].to_vec(),
        })
    }
}

/// Returns a curve with the rows of its file, if it is a series.
///
/// # Errors
/// Returns a fault when the file cannot be read as a series.
pub(crate) fn with_rows(
    curve: Arc<dyn Curve>,
    axes: usize,
    stack: &Stack<'_>,
) -> Result<Arc<dyn Curve>, Fault> {
    let Some(own) = curve.series() else { return Ok(curve) };
    let Some(layer) = stack.last() else { return Ok(curve) };
    let keys = own.with_rows(&series(&layer.source.files, &own.source(), axes, &|_| None)?);
    match keys.check() {
        Ok(()) => Ok(Arc::new(keys)),
        Err(bad) => Err(Fault::new(format!("{}: expected {}", own.file, bad.expected))),
    }
}

/// Constant value, or value over time.
pub(crate) enum Changing<C, T> {
    Never(C),
    OverTime(T),
}

/// Point of the plane, constant or on a curve.
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
