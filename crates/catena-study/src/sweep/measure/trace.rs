//! Measure: position of a node every few frames, in one column per moment and axis.

use super::{Measure, Measuring, Options, RunEnd, Shape, tip::NAMES};
use crate::sweep::table::{Column, Value};
use catena_sim::{Setup, Simulation};
use std::sync::Arc;

/// Maximum number of moments, and so of columns per axis.
const MOST: u64 = 1000;

/// Measure of a node's path.
#[derive(Clone, Copy)]
pub(super) struct Trace {
    every: u64,
    /// Index of the node; `None` selects the last one.
    node: Option<usize>,
}

/// Positions so far.
struct Places {
    trace: Trace,
    node: Option<usize>,
    axes: usize,
    values: Vec<Value>,
}

impl Trace {
    pub(super) fn read(options: &Options) -> Result<Self, String> {
        let (mut every, mut node) = (None, None);
        for (name, value) in options {
            let number: Option<u64> = value.parse().ok();
            match (name.as_str(), number) {
                ("every", Some(1..)) => every = number,
                ("node", Some(number)) => node = usize::try_from(number).ok(),
                ("every" | "node", _) => {
                    return Err(format!("`{name}` is no such number: {value}"));
                }
                _ => return Err(format!("this measure has no option `{name}`")),
            }
        }
        let every = every.ok_or("this measure needs `every`, a number of frames of at least 1")?;
        Ok(Self { every, node })
    }
}

impl Measure for Trace {
    fn check(&self, shape: Shape) -> Result<(), String> {
        shape.check_node(self.node)?;
        let moments = shape.frames.div_ceil(self.every);
        if moments <= MOST {
            return Ok(());
        }
        Err(format!(
            "{moments} moments are more than the limit of {MOST}; every {} frames is as much as there is room for",
            shape.frames.div_ceil(MOST)
        ))
    }

    fn columns(&self, shape: Shape) -> Vec<Column> {
        let frames = (0..shape.frames).step_by(self.every.try_into().unwrap_or(usize::MAX));
        let names = frames.flat_map(|frame| {
            NAMES[..shape.axes].iter().map(move |axis| format!("{axis}_at_frame_{frame}"))
        });
        names.map(Column::real).collect()
    }

    fn begin(&self, setup: &Arc<Setup>) -> Box<dyn Measuring> {
        let last = setup.model.nodes() - 1;
        let node = Some(self.node.unwrap_or(last)).filter(|node| *node <= last);
        let (axes, values) = (setup.model.axes, Vec::new());
        Box::new(Places { trace: *self, node, axes, values })
    }
}

impl Measuring for Places {
    fn frame(&mut self, simulation: &Simulation) {
        if !simulation.frame().is_multiple_of(self.trace.every) {
            return;
        }
        let n = simulation.setup().model.nodes();
        let place = self.node.map(|node| simulation.state().position(n, node));
        self.values.extend((0..self.axes).map(|axis| Value::real(place.map(|place| place[axis]))));
    }

    fn values(&mut self, end: &RunEnd<'_>) -> Vec<Value> {
        let count = end.frames.div_ceil(self.trace.every) as usize * self.axes;
        // A diverged run has no positions after that.
        self.values.resize(count, Value::None);
        std::mem::take(&mut self.values)
    }
}
