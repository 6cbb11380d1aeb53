//! Drag of a fluid on one node, quadratic in the speed: a buoy, a clump weight, a climber.
//!
//! The fluid at the node moves with w relative to it. The force is ½ ρ C A |w| w. C A is the drag
//! coefficient times the area across the flow; it is the same in all directions.

use super::AppliedForce;
use super::line_drag::{
    DENSITY, FLOW, Fluid, account, bill, changes_with_time, check_flow, combined, fits_flow,
    medium, product,
};
use crate::body::vector::{norm, scaled, sub};
use crate::body::{Body, Model, State};
use crate::budget::{Bill, Item};
use crate::force::flow::Flow;
use crate::force::jacobian::{Block, Entry};
use crate::force::{AtRest, Blocks, Force, ForceEnergy};
use crate::named::{BadOption, Info, Named, OptionInfo, OptionKind};
use serde::Deserialize;

/// Drag of a fluid on one node.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointDrag {
    /// Index of the node.
    pub node: usize,
    /// ρ of the fluid, mass/volume.
    pub density: f64,
    /// C A, drag coefficient times area, length².
    pub area: f64,
    /// Velocity of the fluid; `None` for a fluid at rest.
    #[serde(default)]
    pub flow: Option<Named<dyn Flow>>,
}
crate::identity!(PointDrag { node, density, area, flow });

const NODE: OptionInfo = OptionInfo {
    name: "node",
    summary: "node on which the force acts",
    default: OptionInfo::NEEDED,
    range: OptionInfo::NODE,
    kind: OptionKind::Node,
    ..OptionInfo::PLAIN
};

const AREA: OptionInfo = OptionInfo {
    name: "area",
    summary: "drag coefficient times area across the flow: C A",
    default: OptionInfo::NEEDED,
    range: "a finite number above 0",
    unit: "length²",
    ..OptionInfo::PLAIN
};

impl PointDrag {
    pub(super) const INFO: Info = Info {
        name: "PointDrag",
        summary: "drag of air or water on one node, such as a buoy or a weight, proportional to \
                  the square of the speed",
        options: &[NODE, DENSITY, AREA, FLOW],
    };

    /// ½ ρ C A.
    fn factor(&self) -> f64 {
        0.5 * self.density * self.area
    }

    /// Position of the node, and the velocity of the fluid relative to the node.
    fn relative(&self, body: &Body<'_>, state: &State) -> ([f64; 3], [f64; 3]) {
        let n = body.model.nodes();
        let place = state.position(n, self.node);
        let fluid = Fluid::new(self.flow.as_ref(), state.t).at(place);
        (place, sub(fluid, state.velocity(n, self.node)))
    }
}

impl AppliedForce for PointDrag {
    fn info(&self) -> Info {
        Self::INFO
    }
}

impl Force for PointDrag {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let (_, relative) = self.relative(body, state);
        let force = scaled(relative, self.factor() * norm(relative));
        for (axis, force) in f.chunks_exact_mut(body.model.nodes()).zip(force) {
            axis[self.node] += force;
        }
    }

    /// Omits the derivatives with respect to positions if the matrix must be positive definite.
    fn add_jacobian(&self, body: &Body<'_>, state: &State, blocks: &mut Blocks<'_>) {
        let (place, w) = self.relative(body, state);
        let (size, factor) = (norm(w), self.factor());
        let ratio = if size > 0.0 { 1.0 / size } else { 0.0 };
        let entry = |p: usize, q: usize| f64::from(p == q) * size + w[p] * w[q] * ratio;
        let by_flow: Block = [0, 1, 2].map(|p| [0, 1, 2].map(|q| factor * entry(p, q)));
        let axes = body.model.axes;
        let by_v = combined(axes, -1.0, &by_flow, 0.0, &by_flow);
        let gradient = self.flow.as_ref().filter(|_| !blocks.is_definite());
        let by_x = gradient.map_or([[0.0; 3]; 3], |flow| {
            let carried = product(&by_flow, &flow.0.gradient(place, state.t));
            combined(axes, 1.0, &carried, 0.0, &carried)
        });
        blocks.add(&Entry { i: self.node, j: self.node, by_x, by_v });
    }

    /// Returns an upper bound: the force of the fluid at maximum speed on a node at rest.
    fn load(&self, _model: &Model) -> f64 {
        let fastest = self.flow.as_ref().map_or(0.0, |flow| flow.0.fastest());
        self.factor() * fastest * fastest
    }

    fn at_rest(&self) -> AtRest<'_> {
        match self.flow.as_ref().map(|flow| flow.0.fastest()) {
            None | Some(0.0) => AtRest::Nothing,
            Some(_) => AtRest::Other,
        }
    }

    // Methods that hold lengths ask in every step, and `at_rest` samples the curve of a flow.
    fn is_elastic(&self) -> bool {
        false
    }

    fn bill(&self, _model: &Model) -> Option<Bill> {
        Some(bill(Item::DragNode, self.flow.as_ref(), 1))
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Booked(account(self.flow.as_ref()))
    }

    fn medium(&self, t: f64) -> Option<[f64; 3]> {
        medium(self.flow.as_ref(), t)
    }

    fn changes_with_time(&self) -> bool {
        changes_with_time(self.flow.as_ref())
    }

    fn check(&self) -> Result<(), BadOption> {
        let above_0 = |value: f64| value > 0.0 && value.is_finite();
        DENSITY.check(above_0(self.density))?;
        AREA.check(above_0(self.area))?;
        check_flow(self.flow.as_ref())
    }

    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption> {
        NODE.check(self.node < nodes)?;
        fits_flow(self.flow.as_ref(), axes)
    }
}
