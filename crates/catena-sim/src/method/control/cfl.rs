//! Divides steps into equal substeps by the condition of Courant, Friedrichs and Lewy in the form
//! of courses: dt = C l/c, with a rest length l and a speed c.
//!
//! `speed: Wave` takes the speed of waves along springs, c = l √(k/m), so dt = C √(m/k): the
//! minimum over all springs with a free end, m being the lighter free end. The highest frequency of
//! a long uniform rope is 2 √(k/m). C = 1 is therefore the limit ωdt = 2 of semi-implicit Euler and
//! Verlet; a method with the limit λ needs C < λ/2. Nodes with more than two springs, friction in
//! springs, and bending need a smaller C. [`StabilityLimit`](super::StabilityLimit) measures the
//! frequency instead, and is the correct form of this rule for stability.
//!
//! `speed: Nodes` takes the speed of a spring's faster end: no node moves farther than C l in a
//! step. Some programs use this rule for particles; it originates from flows through grids. The
//! rule keeps nodes from passing each other within a step, but ignores stiffness: a rope that
//! begins at rest gets one long step, even if that step diverges. `speed: Faster` takes the shorter
//! of the two steps.
//!
//! equal_substeps.rs takes the substeps. Source: Courant, Friedrichs, Lewy 1928.

use super::equal_substeps::{EqualSubsteps, SubstepRule};
use super::{Misfit, StepControl};
use crate::body::{Model, Spring, State};
use crate::force::System;
use crate::method::{Integrator, Method};
use crate::named::{BadOption, Info, OptionInfo, OptionKind};
use serde::Deserialize;
use std::sync::Arc;

/// The condition with its Courant number.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cfl {
    /// Courant number C, above 0.
    pub number: f64,
    /// Speed in the condition.
    pub speed: CflSpeed,
}
crate::identity!(Cfl { number, speed });

impl Default for Cfl {
    fn default() -> Self {
        Self { number: 0.5, speed: CflSpeed::default() }
    }
}

/// Speed in the condition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum CflSpeed {
    /// Speed of waves along springs, l √(k/m).
    #[default]
    Wave,
    /// Speed of the nodes.
    Nodes,
    /// The larger of both speeds.
    Faster,
}
crate::identity!(
    enum CflSpeed {
        Wave,
        Nodes,
        Faster,
    }
);

const NUMBER: OptionInfo = OptionInfo {
    name: "number",
    summary: "C in dt = C l/c; for waves semi-implicit Euler and Verlet need C below 1",
    default: "0.5",
    range: "a number above 0",
    ..OptionInfo::PLAIN
};

const SPEED: OptionInfo = OptionInfo {
    name: "speed",
    summary: "c in dt = C l/c. Wave: speed of waves along springs, l √(k/m), which bounds ωdt; \
              Nodes: speed |v| of the nodes, as printed for particles, which ignores stiffness; \
              Faster: the higher of the two",
    default: "Wave",
    range: "Wave, Nodes or Faster",
    kind: OptionKind::Words(&["Wave", "Nodes", "Faster"]),
    ..OptionInfo::PLAIN
};

impl Cfl {
    pub(crate) const INFO: Info = Info {
        name: "Cfl",
        summary: "equal substeps, in each of which waves, or nodes, cross at most a given fraction \
                  of a spring",
        options: &[NUMBER, SPEED],
    };
}

impl StepControl for Cfl {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        NUMBER.check(self.number > 0.0 && self.number.is_finite())
    }

    fn allows(&self, method: &dyn Method) -> Result<(), Misfit> {
        if method.info().holds_lengths && !method.info().velocity_carries {
            return Err(Misfit {
                why: "the method's velocity includes the projection, so it cannot restart within a step",
                help: "remove `step_control` and set `substeps`, or choose another method",
            });
        }
        if method.holds_lengths() && self.speed != CflSpeed::Nodes {
            return Err(Misfit {
                why: "the method holds lengths, so no waves run along springs",
                help: "write `speed: Nodes`, or choose a method that integrates springs",
            });
        }
        Ok(())
    }

    fn start(
        &self,
        method: &Arc<dyn Method>,
        model: &Model,
        initial: &State,
        dt: f64,
    ) -> Box<dyn Integrator> {
        let rule = CflRule { control: self.clone(), method: Arc::clone(method) };
        Box::new(EqualSubsteps::new(rule, method, model, initial, dt))
    }
}

/// The condition for a method, which decides how stiff springs are.
struct CflRule {
    control: Cfl,
    method: Arc<dyn Method>,
}

impl CflRule {
    /// Square of the wave speed relative to the rest length: k/m.
    fn wave_rate(&self, model: &Model, spring: &Spring) -> f64 {
        let free = [spring.a, spring.b].into_iter().filter(|&node| !model.pinned[node]);
        let mass = free.map(|node| model.mass[node]).fold(f64::INFINITY, f64::min);
        self.method.stiffness_of(spring) / mass
    }

    /// Square of the speed of the faster end relative to the rest length; NaN if one is NaN.
    fn node_rate(model: &Model, state: &State, spring: &Spring) -> f64 {
        let n = model.nodes();
        let square =
            |node: usize| (0..model.axes).map(|axis| state.v[axis * n + node]).map(|v| v * v).sum();
        let (a, b): (f64, f64) = (square(spring.a), square(spring.b));
        let faster = if a > b || a.is_nan() { a } else { b };
        faster / (spring.rest_length * spring.rest_length)
    }
}

impl SubstepRule for CflRule {
    fn wanted(&self, system: &System<'_>, state: &State, dt: f64) -> f64 {
        let (model, speed) = (system.model, self.control.speed);
        let mut greatest = 0.0;
        for (j, spring) in model.held().iter().enumerate() {
            if system.springs.is_broken(j) || (model.pinned[spring.a] && model.pinned[spring.b]) {
                continue;
            }
            let mut consider = |rate: f64| {
                greatest = if rate > greatest || rate.is_nan() { rate } else { greatest };
            };
            if speed != CflSpeed::Nodes {
                consider(self.wave_rate(model, spring));
            }
            // A spring of rest length 0 gives no distance.
            if speed != CflSpeed::Wave && spring.rest_length > 0.0 {
                consider(Self::node_rate(model, state, spring));
            }
        }
        dt * greatest.sqrt() / self.control.number
    }
}
