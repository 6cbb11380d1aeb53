//! Variation of mass and stiffness along a rope: a taper, ranges with their own values, and weights
//! on nodes of any shape.

use super::Topology;
use crate::body::{Model, State};
use crate::named::BadSetup;

/// Variations along a rope, applied in the order of the fields. The default has none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// Mass factors at the first and the last node, above zero; linear in between.
    pub mass: Option<[f64; 2]>,
    /// Stiffness factors at the first and the last spring, above zero; linear in between.
    pub stiffness: Option<[f64; 2]>,
    /// Ranges with their own values. If two overlap, the later one applies.
    pub ranges: Vec<Range>,
    /// Nodes and the masses added to them, above zero.
    pub weights: Vec<(usize, f64)>,
}

/// A range of a rope with its own values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Index of the first node.
    pub from: usize,
    /// Index of the last node; equal to the first for a range of one node.
    pub to: usize,
    /// Mass of each node in the range, above zero; `None` for the mass that the rope has there.
    pub mass: Option<f64>,
    /// Stiffness of each spring in the range, above zero; `None` for the stiffness that the rope
    /// has there. A range of one node has no springs.
    pub stiffness: Option<f64>,
}

/// Returns the value at index `i` of `count`, interpolated linearly from one end to the other.
fn between([from, to]: [f64; 2], i: usize, count: usize) -> f64 {
    if count < 2 { from } else { from + (to - from) * i as f64 / (count - 1) as f64 }
}

impl Profile {
    /// Whether the profile changes nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Applies the profile to a rope or a ring. A bending spring gets the mean of the factors of
    /// the two springs that it spans.
    ///
    /// # Errors
    /// Nodes that the rope does not have, ranges with decreasing nodes, and numbers that are not
    /// above zero.
    pub fn apply(&self, model: &mut Model) -> Result<(), BadSetup> {
        if self.is_empty() {
            return Ok(());
        }
        self.check(model.nodes())?;
        let (n, structural) = (model.nodes(), model.structural);
        for (i, mass) in model.mass.iter_mut().enumerate() {
            *mass *= self.mass.map_or(1.0, |ends| between(ends, i, n));
        }
        let original: Vec<f64> = model.structural().iter().map(|spring| spring.stiffness).collect();
        for (j, spring) in model.springs[..structural].iter_mut().enumerate() {
            spring.stiffness *= self.stiffness.map_or(1.0, |ends| between(ends, j, structural));
        }
        for range in &self.ranges {
            if let Some(mass) = range.mass {
                model.mass[range.from..=range.to].fill(mass);
            }
            if let Some(stiffness) = range.stiffness {
                for spring in &mut model.springs[range.from..range.to] {
                    spring.stiffness = stiffness;
                }
            }
        }
        let factors =
            model.structural().iter().zip(&original).map(|(new, old)| new.stiffness / old);
        let factors: Vec<f64> = factors.collect();
        for spring in &mut model.springs[structural..] {
            spring.stiffness *= 0.5 * (factors[spring.a] + factors[(spring.a + 1) % structural]);
        }
        add_weights(model, &self.weights)
    }

    fn check(&self, nodes: usize) -> Result<(), BadSetup> {
        let positive = |value: f64| value > 0.0 && value.is_finite();
        let message = "expected finite numbers above 0";
        for (field, ends) in [("taper.mass", self.mass), ("taper.stiffness", self.stiffness)] {
            BadSetup::unless(
                ends.is_none_or(|ends| ends.into_iter().all(positive)),
                field,
                message,
            )?;
        }
        for (index, Range { from, to, mass, stiffness }) in self.ranges.iter().enumerate() {
            let message = format!(
                "expected a range of nodes from 0 to {}, the first not after the last, found {from} to {to}",
                nodes - 1
            );
            BadSetup::unless(from <= to && *to < nodes, format!("ranges[{index}]"), message)?;
            let message = "a range of one node contains no spring";
            let is_fine = from < to || stiffness.is_none();
            BadSetup::unless(is_fine, format!("ranges[{index}]"), message)?;
            let is_fine = [mass, stiffness].iter().all(|value| value.is_none_or(positive));
            let message = "expected a mass and a stiffness above 0";
            BadSetup::unless(is_fine, format!("ranges[{index}]"), message)?;
        }
        Ok(())
    }
}

/// Adds masses to nodes.
///
/// # Errors
/// Nodes that the body does not have, and masses that are not above zero.
pub fn add_weights(model: &mut Model, weights: &[(usize, f64)]) -> Result<(), BadSetup> {
    let nodes = model.nodes();
    for (index, (node, mass)) in weights.iter().enumerate() {
        let is_fine = *node < nodes && *mass > 0.0 && mass.is_finite();
        let message = format!(
            "expected a node from 0 to {} and a finite mass above 0, found node {node} and mass {mass}",
            nodes.saturating_sub(1)
        );
        BadSetup::unless(is_fine, format!("weights[{index}]"), message)?;
        model.mass[*node] += mass;
    }
    Ok(())
}

/// A shape and its additional weights.
pub struct Weighted {
    /// Shape without the additional weights.
    pub topology: Box<dyn Topology>,
    /// Nodes and the masses added to them, above zero.
    pub weights: Vec<(usize, f64)>,
}

impl Topology for Weighted {
    fn build(&self) -> Result<(Model, State), BadSetup> {
        let (mut model, state) = self.topology.build()?;
        add_weights(&mut model, &self.weights)?;
        Ok((model, state))
    }
}
