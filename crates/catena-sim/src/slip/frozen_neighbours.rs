//! A Runge-Kutta method that is applied to one mass after another while all other masses are frozen
//! at the start of the step. The stages of a mass ignore the motion of its neighbours, so the order
//! is 1.
//!
//! Masses that no spring joins do not affect each other. Such masses are moved together, colour by
//! colour, with the same result as a loop over single masses at a lower cost.

use super::slipped::SlippedSteps;
use super::{Slip, SlipInfo, SlipTarget};
use crate::body::{Model, State};
use crate::budget::Cost;
use crate::force::System;
use crate::method::{HEUN, Integrator, MIDPOINT, Method, RK4, Tableau};
use serde::Deserialize;
use std::sync::Arc;

/// Freezes all other masses during the stages of a mass.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrozenNeighbours {}
crate::identity!(FrozenNeighbours {});

impl FrozenNeighbours {
    pub(crate) const INFO: SlipInfo = SlipInfo {
        name: "FrozenNeighbours",
        title: "frozen neighbours",
        summary: "each mass takes its own Runge-Kutta step while its neighbours stand still; order 1",
        symptom: "my RK4 is no better than Euler; halving dt only halves the error",
        correct: "All masses move to a stage before any force of the next stage is computed.",
        options: &[],
    };
}

/// Methods that support the slip, with their tableaus.
const TABLEAUS: [(&str, Tableau); 3] = [("Rk4", RK4), ("Midpoint", MIDPOINT), ("Heun", HEUN)];

impl Slip for FrozenNeighbours {
    fn info(&self) -> SlipInfo {
        Self::INFO
    }

    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String> {
        let slip = Self::INFO.name;
        target.only(slip, &TABLEAUS.map(|(name, _)| name))?;
        target.needs_fixed_steps(slip)?;
        let name = target.method.info().name;
        let tableau = TABLEAUS.iter().find(|row| row.0 == name).map_or(RK4, |row| row.1);
        let colors = colors(target.model);
        target.replace_steps(slip, Frozen { tableau, colors: colors.len() })
    }
}

/// Returns groups of free masses. No spring joins two masses of a group.
fn colors(model: &Model) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); model.nodes()];
    for spring in &model.springs {
        neighbours[spring.a].push(spring.b);
        neighbours[spring.b].push(spring.a);
    }
    let mut color_of = vec![usize::MAX; model.nodes()];
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for node in (0..model.nodes()).filter(|node| !model.pinned[*node]) {
        let is_taken = |color: usize| neighbours[node].iter().any(|&it| color_of[it] == color);
        let color = (0..groups.len()).find(|color| !is_taken(*color)).unwrap_or(groups.len());
        color_of[node] = color;
        match groups.get_mut(color) {
            Some(group) => group.push(node),
            None => groups.push(vec![node]),
        }
    }
    groups
}

#[derive(Debug)]
struct Frozen {
    tableau: Tableau,
    /// Number of groups into which the masses are divided.
    colors: usize,
}
crate::identity!(Frozen { tableau, colors });

impl SlippedSteps for Frozen {
    /// The first stage needs one evaluation, each further stage one evaluation per colour.
    fn cost(&self, original: Cost) -> Cost {
        let stages = self.tableau.c.len() as u64;
        Cost { evaluations: 1 + (stages - 1) * self.colors as u64, ..original }
    }

    fn start(
        &self,
        _original: &Arc<dyn Method>,
        model: &Model,
        initial: &State,
        _dt: f64,
    ) -> Box<dyn Integrator> {
        let slopes = vec![vec![0.0; initial.x.len()]; self.tableau.c.len()];
        Box::new(FrozenState {
            tableau: self.tableau,
            colors: colors(model),
            stage: initial.clone(),
            v: slopes.clone(),
            a: slopes,
            forces: vec![0.0; initial.x.len()],
        })
    }
}

struct FrozenState {
    tableau: Tableau,
    colors: Vec<Vec<usize>>,
    /// State at the start of the step, with the masses of one colour moved to a stage.
    stage: State,
    /// Velocities and accelerations of the stages.
    v: Vec<Vec<f64>>,
    a: Vec<Vec<f64>>,
    /// Buffer for accelerations.
    forces: Vec<f64>,
}

impl FrozenState {
    /// Computes the slopes of a stage for the masses of one colour.
    fn move_color(
        &mut self,
        color: usize,
        stage: usize,
        system: &System<'_>,
        from: &State,
        dt: f64,
    ) {
        let Self { tableau, colors, stage: trial, v, a, forces } = self;
        let (n, weights) = (system.model.nodes(), tableau.a[stage]);
        let places = || {
            colors[color]
                .iter()
                .flat_map(move |node| (0..system.model.axes).map(move |axis| axis * n + node))
        };
        for at in places() {
            let sum = |slopes: &[Vec<f64>]| -> f64 {
                weights.iter().zip(slopes).map(|(weight, slope)| weight * slope[at]).sum()
            };
            trial.x[at] = from.x[at] + dt * sum(v);
            trial.v[at] = from.v[at] + dt * sum(a);
        }
        system.accelerations(trial, forces);
        for at in places() {
            v[stage][at] = trial.v[at];
            a[stage][at] = forces[at];
            (trial.x[at], trial.v[at]) = (from.x[at], from.v[at]);
        }
    }
}

impl Integrator for FrozenState {
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64) {
        self.stage.clone_from(state);
        self.v[0].clone_from(&state.v);
        system.accelerations(state, &mut self.a[0]);
        for stage in 1..self.tableau.c.len() {
            self.stage.t = state.t + self.tableau.c[stage] * dt;
            for color in 0..self.colors.len() {
                self.move_color(color, stage, system, state, dt);
            }
        }
        let n = system.model.nodes();
        for node in self.colors.iter().flatten() {
            for at in (0..system.model.axes).map(|axis| axis * n + node) {
                for (weight, (v, a)) in self.tableau.b.iter().zip(self.v.iter().zip(&self.a)) {
                    state.x[at] += dt * weight * v[at];
                    state.v[at] += dt * weight * a[at];
                }
            }
        }
    }
}
