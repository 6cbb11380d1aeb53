//! Maximum stable step of a body.

use catena::analysis::stability::{self, predict::LimitReach};
use pyo3::prelude::*;

/// Maximum stable step of a body. Steps are in the scene's unit of time.
#[pyclass(frozen, get_all, module = "catena")]
pub(crate) struct Stability {
    /// Label of the body in messages.
    label: String,
    /// Name of the method.
    method: &'static str,
    /// Step of the scene.
    dt: f64,
    /// Maximum stable step according to the spectrum: inf if every step is stable, 0 if none is.
    /// None if there is no limit to predict.
    predicted: Option<f64>,
    /// Angular frequency of the highest mode; None if there is no prediction.
    omega: Option<f64>,
    /// Validity of the prediction: whole, until (up to the time at which the budget was spent),
    /// uncorrected (within the budget, the forces of held lengths could not be considered) or
    /// too_long. None if there is no prediction.
    reach: Option<&'static str>,
    /// Longest step that a run survived; None if no run survived, or none was made.
    measured: Option<f64>,
    /// Shortest step above measured with which a run failed; None if no run failed.
    lost: Option<f64>,
    /// Whether a run of all frames survives with the scene's own step; None if unknown.
    film_survives: Option<bool>,
    /// 2/√(k/m), which is exact for one mass on one spring.
    one_spring: f64,
}

impl Stability {
    pub(crate) fn new(label: String, method: &'static str, found: &stability::Stability) -> Self {
        let reach = |reach| match reach {
            LimitReach::Whole => "whole",
            LimitReach::Until(_) => "until",
            LimitReach::Uncorrected => "uncorrected",
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
        let text = |step: Option<f64>| step.map_or("None".into(), |step| format!("{step:?}"));
        let (predicted, measured) = (text(self.predicted), text(self.measured));
        let Self { label, dt, .. } = self;
        format!("<catena.Stability {label}: dt={dt:?}, predicted={predicted}, measured={measured}>")
    }
}
