//! The longest stable step of a body.

use catena::analysis::stability::{self, predict::LimitReach};
use pyo3::prelude::*;

/// What is known about the longest stable step of a body. Steps are in the scene's unit of time.
#[pyclass(frozen, get_all, module = "catena")]
pub(crate) struct Stability {
    /// What messages call the body.
    label: String,
    /// The name of its method.
    method: &'static str,
    /// The step that the scene takes.
    dt: f64,
    /// The longest stable step by the spectrum: inf where every step is stable, 0 where none is;
    /// None where there is no limit to predict.
    predicted: Option<f64>,
    /// Angular frequency of the highest mode; None without a prediction.
    omega: Option<f64>,
    /// How far the prediction holds: whole, until (the budget was spent at some time) or too_long;
    /// None without one.
    reach: Option<&'static str>,
    /// The longest step that a run survived; None where none did, or none was run.
    measured: Option<f64>,
    /// The shortest longer step that was lost; None where none was.
    lost: Option<f64>,
    /// Whether a run of all frames with the scene's own step does not diverge; None where that is
    /// not known.
    film_survives: Option<bool>,
    /// 2/√(k/m), which is right for one mass on one spring.
    one_spring: f64,
}

impl Stability {
    pub(crate) fn new(label: String, method: &'static str, found: &stability::Stability) -> Self {
        let reach = |reach| match reach {
            LimitReach::Whole => "whole",
            LimitReach::Until(_) => "until",
            LimitReach::TooLong => "too_long",
        };
        Self {
            label,
            method,
            dt: found.dt,
            predicted: found.predicted.map(|it| it.longest_step.unwrap_or(0.0)),
            omega: found.predicted.map(|it| it.highest.omega),
            reach: found.predicted.map(|it| reach(it.reach)),
            measured: found.measured.and_then(|it| it.survived),
            lost: found.measured.and_then(|it| it.lost),
            film_survives: found.film,
            one_spring: found.textbook.one_spring,
        }
    }
}

#[pymethods]
impl Stability {
    fn __repr__(&self) -> String {
        let said = |step: Option<f64>| step.map_or("None".into(), |step| format!("{step:?}"));
        let (predicted, measured) = (said(self.predicted), said(self.measured));
        let Self { label, dt, .. } = self;
        format!("<catena.Stability {label}: dt={dt:?}, predicted={predicted}, measured={measured}>")
    }
}
