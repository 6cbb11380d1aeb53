//! When a body comes to rest.

use super::{Measure, Measuring, RunEnd, Shape};
use crate::analysis::settle::{Ending, settle};
use crate::sim::Setup;
use crate::sweep::table::{Column, Value};
use std::sync::Arc;

/// The measure. It runs the body anew, up to the limit of its rest rather than the last frame.
pub(super) struct Settled;

struct Waiting(Arc<Setup>);

impl Measure for Settled {
    fn columns(&self, _shape: Shape) -> Vec<Column> {
        vec![Column::whole("settled_frame")]
    }

    fn begin(&self, setup: &Arc<Setup>) -> Box<dyn Measuring> {
        Box::new(Waiting(Arc::clone(setup)))
    }
}

impl Measuring for Waiting {
    fn values(&mut self, end: &RunEnd<'_>) -> Vec<Value> {
        let frame = match settle(&self.0, end.rest, &|_| true).ending {
            Ending::AtRest { frame } => Some(frame),
            Ending::Moving { .. } | Ending::Diverged { .. } => None,
        };
        vec![Value::whole(frame)]
    }
}
