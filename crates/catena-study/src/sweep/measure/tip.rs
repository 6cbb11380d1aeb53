//! Measure: final position, extremes and maximum speed of one node.

use super::{Measure, Measuring, RunEnd, Shape};
use crate::sweep::table::{Column, Value};
use catena_sim::{Setup, Simulation};
use std::sync::Arc;

/// Measure of a node's position.
#[derive(Clone, Copy)]
pub(super) struct Tip {
    /// Index of the node; `None` selects the last one.
    node: Option<usize>,
}

/// Position and extremes of the node so far.
struct Path {
    node: Option<usize>,
    axes: usize,
    now: [f64; 3],
    least: [f64; 3],
    greatest: [f64; 3],
    speed: f64,
}

/// Names of the axes.
pub(super) const NAMES: [&str; 3] = ["x", "y", "z"];

impl Tip {
    pub(super) fn read(options: &[(String, String)]) -> Result<Self, String> {
        let mut tip = Self { node: None };
        for (name, value) in options {
            match (name.as_str(), value.parse()) {
                ("node", Ok(node)) => tip.node = Some(node),
                ("node", Err(_)) => {
                    return Err(format!("expected the number of a node, found {value}"));
                }
                _ => return Err(format!("this measure has no option `{name}`")),
            }
        }
        Ok(tip)
    }
}

impl Measure for Tip {
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
        Box::new(Path { node, axes, now: [0.0; 3], least: low, greatest: high, speed: 0.0 })
    }
}

impl Measuring for Path {
    fn frame(&mut self, simulation: &Simulation) {
        let Some(node) = self.node else { return };
        let (state, n) = (simulation.state(), simulation.setup().model.nodes());
        self.now = state.position(n, node);
        for axis in 0..3 {
            self.least[axis] = self.least[axis].min(self.now[axis]);
            self.greatest[axis] = self.greatest[axis].max(self.now[axis]);
        }
        let [x, y, z] = state.velocity(n, node);
        self.speed = self.speed.max((x * x + y * y + z * z).sqrt());
    }

    fn values(&mut self, _end: &RunEnd<'_>) -> Vec<Value> {
        let axes = 0..self.axes;
        let ends = axes.clone().flat_map(|axis| [self.least[axis], self.greatest[axis]]);
        let all = axes.map(|axis| self.now[axis]).chain(ends).chain([self.speed]);
        // A body may have fewer nodes than the requested index.
        let value = |number| Value::real(self.node.map(|_| number));
        all.map(value).collect()
    }
}
