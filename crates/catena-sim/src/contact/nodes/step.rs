//! Step during which contacts are resolved.

use crate::body::{Model, State};
use crate::budget::Meter;

/// Model, start and meter of a step.
#[derive(Clone, Copy)]
pub(crate) struct Step<'a> {
    pub(crate) model: &'a Model,
    pub(crate) start: &'a State,
    pub(crate) meter: &'a Meter,
}
