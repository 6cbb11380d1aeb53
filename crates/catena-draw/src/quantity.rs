//! Quantities that colours show: strain, tension, speed and energy of every spring and node,
//! curvature and twist of rods.

use catena_scene::{Body, ColorBy};
use catena_sim::body::{Model, vector::greatest};
use catena_sim::force::rod::{Reading, Rod};
use catena_sim::force::{AtRest, Part};
use catena_sim::{Body as SimulatedBody, Simulation, Spring};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// Maximum angle in radians between neighbouring sections of a rod that counts as a rounding error.
const ANGLE_ROUNDING: f64 = 1e-12;

/// Rounding error of a length, as a share of the coordinates of its ends.
const LENGTH_ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Values of a quantity for a body in a frame. Empty if none is shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Values {
    /// One value per node.
    pub nodes: Vec<f64>,
    /// One value per spring.
    pub springs: Vec<f64>,
}

impl Values {
    /// Values that the colours of a body show.
    pub fn of(body: &Body, simulation: &Simulation) -> Self {
        match body.style.color_by {
            ColorBy::None => Self::default(),
            ColorBy::Strain => Self::of_springs(simulation, |_, spring, length| {
                (length - spring.rest_length) / spring.rest_length
            }),
            ColorBy::Tension => {
                let law = law(simulation);
                let solved = simulation.tensions().unwrap_or_default();
                Self::of_springs(simulation, |j, spring, length| match solved.get(j) {
                    Some(tension) => *tension,
                    None => {
                        let plastic = simulation.springs().plastic(j);
                        law.map_or(0.0, |law| law.tension(spring, length, plastic))
                    }
                })
            }
            ColorBy::Speed => Self::of_nodes(simulation, speeds(simulation)),
            ColorBy::Energy => Self::of_nodes(simulation, energies(simulation)),
            ColorBy::Curvature => Self::of_nodes(simulation, curvatures(simulation)),
            ColorBy::Twist => {
                let twists = twists(simulation);
                Self::of_springs(simulation, |j, _, _| twists[j])
            }
        }
    }

    /// Minimum and maximum finite value of the nodes. `None` if there is none.
    pub fn range(&self) -> Option<[f64; 2]> {
        let finite = self.nodes.iter().filter(|value| value.is_finite());
        finite.fold(None, |range, &value| match range {
            None => Some([value, value]),
            Some([low, high]) => Some([low.min(value), high.max(value)]),
        })
    }

    /// Values of a quantity of springs, given by index and length. A node has the mean of its
    /// structural springs.
    fn of_springs(simulation: &Simulation, of: impl Fn(usize, &Spring, f64) -> f64) -> Self {
        let (model, memory) = (&simulation.setup().model, simulation.springs());
        let x = &simulation.state().x;
        let value = |(j, spring): (usize, &Spring)| of(j, spring, length(model, x, spring));
        let springs: Vec<f64> = model.springs.iter().enumerate().map(value).collect();
        let mut sums = vec![(0.0, 0.0); model.nodes()];
        for (j, spring) in model.structural().iter().enumerate() {
            if !memory.is_broken(j) {
                for node in [spring.a, spring.b] {
                    sums[node].0 += springs[j];
                    sums[node].1 += 1.0;
                }
            }
        }
        let mean = |(sum, count): (f64, f64)| if count > 0.0 { sum / count } else { 0.0 };
        Self { nodes: sums.into_iter().map(mean).collect(), springs }
    }

    /// Values of a quantity of nodes. A spring has the mean of its ends.
    fn of_nodes(simulation: &Simulation, nodes: Vec<f64>) -> Self {
        let springs = simulation.setup().model.springs.iter();
        let springs = springs.map(|spring| 0.5 * (nodes[spring.a] + nodes[spring.b])).collect();
        Self { nodes, springs }
    }
}

/// Length of a spring, or its rest length if the two differ only by a rounding error. A colour
/// scale would otherwise amplify the error.
fn length(model: &Model, x: &[f64], spring: &Spring) -> f64 {
    let length = model.span(x, spring).1;
    let (a, b) = (position(model, x, spring.a), position(model, x, spring.b));
    let rounding = LENGTH_ROUNDING * (greatest(a) + greatest(b) + spring.rest_length);
    if (length - spring.rest_length).abs() <= rounding { spring.rest_length } else { length }
}

/// Position of a node. The third coordinate is 0 in the plane.
fn position(model: &Model, x: &[f64], node: usize) -> [f64; 3] {
    let coordinate = |axis: usize| x.get(axis * model.nodes() + node).copied().unwrap_or(0.0);
    [coordinate(0), coordinate(1), if model.axes == 3 { coordinate(2) } else { 0.0 }]
}

/// Value of a rod between two sections; 0 if the angle over `length` is a rounding error.
fn without_rounding(value: f64, length: f64) -> f64 {
    if (value * length).abs() <= ANGLE_ROUNDING { 0.0 } else { value }
}

/// Spring law of a body, if it has one.
fn law(simulation: &Simulation) -> Option<&dyn catena_sim::SpringLaw> {
    simulation.setup().forces.iter().find_map(|force| match force.at_rest() {
        AtRest::Springs { law, part: Part::Held } => Some(law),
        _ => None,
    })
}

/// Readings of the rods of a body, with the rods.
fn readings(simulation: &Simulation) -> Vec<(&Rod, Reading)> {
    let setup = simulation.setup();
    let Some(rods) = setup.rods() else { return Vec::new() };
    let body = SimulatedBody { model: &setup.model, springs: simulation.springs() };
    rods.rods().zip(rods.readings(&body, simulation.state())).collect()
}

/// Curvature at each node; 0 except on rods.
fn curvatures(simulation: &Simulation) -> Vec<f64> {
    let model = &simulation.setup().model;
    let mut curvatures = vec![0.0; model.nodes()];
    for (rod, reading) in readings(simulation) {
        let segment = rod.springs.first().map_or(0.0, |first| model.springs[*first].rest_length);
        for (node, curvature) in rod.nodes.iter().zip(reading.curvature) {
            curvatures[*node] = without_rounding(curvature, segment);
        }
    }
    curvatures
}

/// Twist of each spring in turns per length; 0 except on rods.
fn twists(simulation: &Simulation) -> Vec<f64> {
    let springs = &simulation.setup().model.springs;
    let mut twists = vec![0.0; springs.len()];
    for (rod, reading) in readings(simulation) {
        for (spring, twist) in rod.springs.iter().zip(reading.twist) {
            twists[*spring] = without_rounding(twist, springs[*spring].rest_length) / TAU;
        }
    }
    twists
}

/// |v| of each node.
fn speeds(simulation: &Simulation) -> Vec<f64> {
    squares(simulation).into_iter().map(f64::sqrt).collect()
}

/// v² of each node.
fn squares(simulation: &Simulation) -> Vec<f64> {
    let (n, v) = (simulation.setup().model.nodes(), &simulation.state().v);
    (0..n).map(|i| v.iter().skip(i).step_by(n).map(|v| v * v).sum()).collect()
}

/// Energy of each node: ½ m v², and half of the energy stored in each of its springs.
fn energies(simulation: &Simulation) -> Vec<f64> {
    let (model, memory) = (&simulation.setup().model, simulation.springs());
    let kinetic = squares(simulation).into_iter().zip(&model.mass);
    let mut energies: Vec<f64> = kinetic.map(|(square, mass)| 0.5 * mass * square).collect();
    let Some(law) = law(simulation) else { return energies };
    for (j, spring) in model.springs.iter().enumerate().filter(|(j, _)| !memory.is_broken(*j)) {
        let length = model.span(&simulation.state().x, spring).1;
        let half = 0.5 * law.energy(spring, length, memory.plastic(j));
        energies[spring.a] += half;
        energies[spring.b] += half;
    }
    energies
}
