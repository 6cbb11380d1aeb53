//! Measures of one node: final position, extremes and maximum speed; or its positions over time.

use super::{Measure, Measuring, Options, RunEnd, Shape};
use crate::sweep::table::{Column, Value};
use catena_sim::{Setup, Simulation};
use std::sync::Arc;

/// Measure of a node's position.
#[derive(Clone, Copy)]
pub(super) struct TipMeasure {
    /// Index of the node; `None` selects the last one.
    node: Option<usize>,
}

/// Position and extremes of the node so far.
struct TipExtremes {
    node: Option<usize>,
    axes: usize,
    now: [f64; 3],
    minimum: [f64; 3],
    greatest: [f64; 3],
    speed: f64,
}

/// Names of the axes.
pub(super) const NAMES: [&str; 3] = ["x", "y", "z"];

impl TipMeasure {
    pub(super) fn read(options: &[(String, String)]) -> Result<Self, String> {
        let mut tip = Self { node: None };
        for (name, value) in options {
            match (name.as_str(), value.parse()) {
                ("node", Ok(node)) => tip.node = Some(node),
                ("node", Err(_)) => return Err(not_whole("node", 0, value)),
                _ => return Err(format!("this measure has no option `{name}`")),
            }
        }
        Ok(tip)
    }
}

/// Message about an option that is not a whole number of at least `minimum`.
fn not_whole(option: &str, minimum: u64, found: &str) -> String {
    format!("expected a whole number of at least {minimum} for `{option}`, found {found}")
}

impl Measure for TipMeasure {
    fn check(&self, shape: Shape) -> Result<(), String> {
        shape.check_node(self.node)
    }

    fn columns(&self, shape: Shape) -> Vec<Column> {
        let names = &NAMES[..shape.axes];
        let end = names.iter().map(|name| format!("tip_{name}"));
        let ends = names.iter().flat_map(|it| [format!("tip_{it}_min"), format!("tip_{it}_max")]);
        end.chain(ends).chain(["tip_speed_max".into()]).map(Column::real).collect()
    }

    fn begin(&self, setup: &Arc<Setup>) -> Box<dyn Measuring> {
        let last = setup.model.nodes() - 1;
        let node = Some(self.node.unwrap_or(last)).filter(|node| *node <= last);
        let (low, high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let axes = setup.model.axes;
        Box::new(TipExtremes {
            node,
            axes,
            now: [0.0; 3],
            minimum: low,
            greatest: high,
            speed: 0.0,
        })
    }
}

impl Measuring for TipExtremes {
    fn observe_frame(&mut self, simulation: &Simulation) {
        let Some(node) = self.node else { return };
        let (state, n) = (simulation.state(), simulation.setup().model.nodes());
        self.now = state.position(n, node);
        for axis in 0..3 {
            self.minimum[axis] = self.minimum[axis].min(self.now[axis]);
            self.greatest[axis] = self.greatest[axis].max(self.now[axis]);
        }
        let [x, y, z] = state.velocity(n, node);
        self.speed = self.speed.max((x * x + y * y + z * z).sqrt());
    }

    fn values(&mut self, _end: &RunEnd<'_>) -> Vec<Value> {
        let axes = 0..self.axes;
        let ends = axes.clone().flat_map(|axis| [self.minimum[axis], self.greatest[axis]]);
        let all = axes.map(|axis| self.now[axis]).chain(ends).chain([self.speed]);
        // A body may have fewer nodes than the requested index.
        let value = |number| Value::real(self.node.map(|_| number));
        all.map(value).collect()
    }
}

/// Maximum number of moments, and therefore of columns per axis.
const MAX: u64 = 1000;

/// Measure of a node's path.
#[derive(Clone, Copy)]
pub(super) struct TraceMeasure {
    every: u64,
    /// Index of the node; `None` selects the last one.
    node: Option<usize>,
}

/// Positions so far.
struct TracePositions {
    trace: TraceMeasure,
    node: Option<usize>,
    axes: usize,
    values: Vec<Value>,
}

impl TraceMeasure {
    pub(super) fn read(options: &Options) -> Result<Self, String> {
        let (mut every, mut node) = (None, None);
        for (name, value) in options {
            let number: Option<u64> = value.parse().ok();
            match (name.as_str(), number) {
                ("every", Some(1..)) => every = number,
                ("node", Some(number)) => node = usize::try_from(number).ok(),
                ("every", _) => return Err(not_whole(name, 1, value)),
                ("node", _) => return Err(not_whole(name, 0, value)),
                _ => return Err(format!("this measure has no option `{name}`")),
            }
        }
        let every = every.ok_or("this measure needs `every`, a number of frames of at least 1")?;
        Ok(Self { every, node })
    }
}

impl Measure for TraceMeasure {
    fn check(&self, shape: Shape) -> Result<(), String> {
        shape.check_node(self.node)?;
        let moments = shape.frames.div_ceil(self.every);
        if moments <= MAX {
            return Ok(());
        }
        Err(format!(
            "{moments} samples exceed the limit of {MAX}; increase `every` to at least {} frames",
            shape.frames.div_ceil(MAX)
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
        Box::new(TracePositions { trace: *self, node, axes, values })
    }
}

impl Measuring for TracePositions {
    fn observe_frame(&mut self, simulation: &Simulation) {
        if !simulation.frame().is_multiple_of(self.trace.every) {
            return;
        }
        let n = simulation.setup().model.nodes();
        let place = self.node.map(|node| simulation.state().position(n, node));
        self.values.extend((0..self.axes).map(|axis| Value::real(place.map(|place| place[axis]))));
    }

    fn values(&mut self, end: &RunEnd<'_>) -> Vec<Value> {
        let count = end.frames.div_ceil(self.trace.every) as usize * self.axes;
        // A diverged run has no positions after the divergence.
        self.values.resize(count, Value::None);
        std::mem::take(&mut self.values)
    }
}
