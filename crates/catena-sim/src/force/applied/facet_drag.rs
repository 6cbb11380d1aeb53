//! Pressure, friction and lift of a fluid on the facets of cloths and meshes.
//!
//! A facet has the area A and the unit normal n. The fluid at its middle moves with w relative to
//! the facet, s = w·n along the normal and w_t within the facet. The force is ½ ρ A (C_p |s| s n +
//! C_f |w_t| w_t + C_l (s |w| n - s² w/|w|)). Each corner gets a third. The pressure pushes along
//! the normal, away from the side that the fluid comes from; a flag therefore flutters. The lift
//! acts across the flow. Its size is C_l |w|² sin α cos α at the angle of attack α.

use super::AppliedForce;
use super::line_drag::{
    DENSITY, FLOW, Fluid, account, bill, changes_with_time, check_flow, combined, fits_flow, medium,
};
use crate::body::vector::{Vec3, add, along, cross, dot, norm, scaled, sub};
use crate::body::{Arrangement, Body, Form, Model, State};
use crate::budget::{Bill, Item};
use crate::force::flow::Flow;
use crate::force::jacobian::{Block, Entry};
use crate::force::{AtRest, Blocks, Force, ForceEnergy};
use crate::named::{BadOption, Info, Named, OptionInfo};
use serde::Deserialize;

/// Force of a fluid on surfaces.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FacetDrag {
    /// ρ of the fluid, mass/volume.
    pub density: f64,
    /// C_p, dimensionless.
    #[serde(default = "pressure")]
    pub pressure: f64,
    /// C_f, dimensionless.
    #[serde(default)]
    pub friction: f64,
    /// C_l, dimensionless.
    #[serde(default)]
    pub lift: f64,
    /// Velocity of the fluid; `None` for a fluid at rest.
    #[serde(default)]
    pub flow: Option<Named<dyn Flow>>,
}
crate::identity!(FacetDrag { density, pressure, friction, lift, flow });

fn pressure() -> f64 {
    1.2
}

const PRESSURE: OptionInfo = OptionInfo {
    name: "pressure",
    summary: "coefficient of the pressure along the normal",
    default: "1.2",
    range: "a number from 0 to 1000",
    ..OptionInfo::PLAIN
};

const FRICTION: OptionInfo = OptionInfo {
    name: "friction",
    summary: "coefficient of the friction along the surface",
    default: "0",
    range: "a number from 0 to 1000",
    ..OptionInfo::PLAIN
};

const LIFT: OptionInfo = OptionInfo {
    name: "lift",
    summary: "coefficient of the lift across the flow",
    default: "0",
    range: "a number from 0 to 1000",
    ..OptionInfo::PLAIN
};

/// A facet in the fluid.
struct Facet {
    corners: [usize; 3],
    places: [Vec3; 3],
    middle: Vec3,
    /// Area times normal.
    vector: Vec3,
    area: f64,
    /// Velocity of the fluid relative to the facet.
    relative: Vec3,
}

/// Calls `f` with the corners of each facet of a body.
fn for_each_facet(model: &Model, mut f: impl FnMut([usize; 3])) {
    let sheet = |rows: usize, columns: usize, f: &mut dyn FnMut([usize; 3])| {
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let corner = row * columns + column;
                let below = corner + columns;
                f([corner, below, below + 1]);
                f([corner, below + 1, corner + 1]);
            }
        }
    };
    match model.arrangement {
        Arrangement::Chain => {}
        Arrangement::Sheet { rows, columns } => sheet(rows, columns, &mut f),
        Arrangement::Parts => {
            for part in &model.parts {
                match &part.form {
                    Form::Rope { .. } | Form::Graph | Form::Solid(_) => {}
                    Form::Sheet { rows, columns } => {
                        sheet(*rows, *columns, &mut |facet| f(facet.map(|i| part.nodes[i])));
                    }
                    Form::Mesh { facets } => {
                        facets.iter().for_each(|facet| f(facet.map(|i| part.nodes[i])));
                    }
                }
            }
        }
    }
}

impl FacetDrag {
    pub(super) const INFO: Info = Info {
        name: "FacetDrag",
        summary: "pressure, friction and lift of air or water on the facets of cloths and meshes, \
                  proportional to the square of the speed",
        options: &[DENSITY, PRESSURE, FRICTION, LIFT, FLOW],
    };

    fn facet(n: usize, corners: [usize; 3], state: &State, fluid: &Fluid<'_>) -> Facet {
        let places = corners.map(|corner| state.position(n, corner));
        let third = |sum: [Vec3; 3]| scaled(add(add(sum[0], sum[1]), sum[2]), 1.0 / 3.0);
        let middle = third(places);
        let own = third(corners.map(|corner| state.velocity(n, corner)));
        let [a, b, c] = places;
        let vector = scaled(cross(sub(b, a), sub(c, a)), 0.5);
        let relative = sub(fluid.at(middle), own);
        Facet { corners, places, middle, vector, area: norm(vector), relative }
    }

    /// Force of the fluid on a facet of an area above 0.
    fn force(&self, facet: &Facet) -> Vec3 {
        let Facet { vector, area, relative, .. } = *facet;
        let half = 0.5 * self.density;
        let flux = dot(relative, vector);
        let mut force = scaled(vector, half * self.pressure * flux.abs() * flux / (area * area));
        if self.friction > 0.0 {
            let tangent = along(relative, -flux / (area * area), vector);
            force = along(force, half * self.friction * area * norm(tangent), tangent);
        }
        let speed = norm(relative);
        if self.lift > 0.0 && speed > 0.0 {
            let lift = half * self.lift;
            force = along(force, lift * flux * speed / area, vector);
            force = along(force, -lift * flux * flux / (area * speed), relative);
        }
        force
    }

    /// Derivatives of the force with respect to the relative velocity and the area vector.
    fn derivatives(&self, facet: &Facet) -> (Block, Block) {
        let Facet { vector: a, area, relative: w, .. } = *facet;
        let half = 0.5 * self.density;
        let (square, flux) = (area * area, dot(w, a));
        let t = along(w, -flux / square, a);
        let (slip, speed) = (norm(t), norm(w));
        let per_slip = if slip > 0.0 { 1.0 / slip } else { 0.0 };
        let per_speed = if speed > 0.0 { 1.0 / speed } else { 0.0 };
        let same = |p: usize, q: usize| f64::from(p == q);
        let by = |entry: &dyn Fn(usize, usize) -> f64| -> Block {
            [0, 1, 2].map(|p| [0, 1, 2].map(|q| half * entry(p, q)))
        };
        // Derivatives of the tangential velocity with respect to the velocity and the area vector.
        let t_by_w = |p: usize, q: usize| same(p, q) - a[p] * a[q] / square;
        let t_by_a = |p: usize, q: usize| {
            -(a[p] * w[q] + flux * same(p, q)) / square
                + 2.0 * flux * a[p] * a[q] / (square * square)
        };
        let grown = |p: usize, r: usize| same(p, r) * slip + t[p] * t[r] * per_slip;
        let by_flow = |p: usize, q: usize| {
            let pressed = 2.0 * flux.abs() * a[p] * a[q] / square;
            let rubbed: f64 = (0..3).map(|r| grown(p, r) * t_by_w(r, q)).sum();
            let lifted = a[p] * (speed * a[q] + flux * w[q] * per_speed)
                - 2.0 * flux * w[p] * a[q] * per_speed
                - flux
                    * flux
                    * (same(p, q) * per_speed - w[p] * w[q] * per_speed * per_speed * per_speed);
            self.pressure * pressed + self.friction * area * rubbed + self.lift * lifted / area
        };
        let by_vector = |p: usize, q: usize| {
            let pressed = (2.0 * flux.abs() * a[p] * w[q] + flux.abs() * flux * same(p, q))
                / square
                - 2.0 * flux.abs() * flux * a[p] * a[q] / (square * square);
            let rubbed: f64 = (0..3).map(|r| grown(p, r) * t_by_a(r, q)).sum();
            let rubbed = area * rubbed + slip * t[p] * a[q] / area;
            let lifted = speed * (a[p] * w[q] + flux * same(p, q)) / area
                - flux * speed * a[p] * a[q] / (area * square)
                - 2.0 * flux * w[p] * w[q] * per_speed / area
                + flux * flux * w[p] * a[q] * per_speed / (area * square);
            self.pressure * pressed + self.friction * rubbed + self.lift * lifted
        };
        (by(&by_flow), by(&by_vector))
    }
}

/// Derivative of the area vector with respect to the position of a corner: -½ [e]×, with the edge e
/// from the corner before to the corner after it.
fn vector_by_corner(places: &[Vec3; 3], corner: usize) -> Block {
    let e = scaled(sub(places[(corner + 1) % 3], places[(corner + 2) % 3]), 0.5);
    [[0.0, e[2], -e[1]], [-e[2], 0.0, e[0]], [e[1], -e[0], 0.0]]
}

impl AppliedForce for FacetDrag {
    fn info(&self) -> Info {
        Self::INFO
    }
}

impl Force for FacetDrag {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let (n, fluid) = (body.model.nodes(), Fluid::new(self.flow.as_ref(), state.t));
        for_each_facet(body.model, |corners| {
            let facet = Self::facet(n, corners, state, &fluid);
            if facet.area > 0.0 {
                let third = scaled(self.force(&facet), 1.0 / 3.0);
                for (axis, third) in f.chunks_exact_mut(n).zip(third) {
                    corners.into_iter().for_each(|corner| axis[corner] += third);
                }
            }
        });
    }

    /// Omits the derivatives with respect to positions if the matrix must be positive definite.
    fn add_jacobian(&self, body: &Body<'_>, state: &State, blocks: &mut Blocks<'_>) {
        let (axes, n) = (body.model.axes, body.model.nodes());
        let fluid = Fluid::new(self.flow.as_ref(), state.t);
        for_each_facet(body.model, |corners| {
            let facet = Self::facet(n, corners, state, &fluid);
            if facet.area == 0.0 {
                return;
            }
            let (by_flow, by_vector) = self.derivatives(&facet);
            let gradient = self.flow.as_ref().map(|flow| flow.0.gradient(facet.middle, state.t));
            let carried = gradient
                .map_or([[0.0; 3]; 3], |gradient| super::line_drag::product(&by_flow, &gradient));
            let by_v = combined(axes, -1.0 / 9.0, &by_flow, 0.0, &by_flow);
            for (index, j) in facet.corners.into_iter().enumerate() {
                let turned = vector_by_corner(&facet.places, index);
                let turned = super::line_drag::product(&by_vector, &turned);
                let by_x = match blocks.is_definite() {
                    true => [[0.0; 3]; 3],
                    false => combined(axes, 1.0 / 3.0, &turned, 1.0 / 9.0, &carried),
                };
                for i in facet.corners {
                    blocks.add(&Entry { i, j, by_x, by_v });
                }
            }
        });
    }

    /// Returns an upper bound: the force of the fluid at maximum speed, on facets with the side
    /// length of the longest spring.
    fn load(&self, model: &Model) -> f64 {
        let fastest = self.flow.as_ref().map_or(0.0, |flow| flow.0.fastest());
        // A facet's area is at most half of the square of its longest side.
        let longest = model.springs.iter().map(|spring| spring.rest_length).fold(0.0, f64::max);
        let mut count = 0_usize;
        for_each_facet(model, |_| count += 1);
        let coefficient = self.pressure + self.friction + self.lift;
        0.25 * self.density * coefficient * count as f64 * longest * longest * fastest * fastest
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

    fn bill(&self, model: &Model) -> Option<Bill> {
        let mut facets = 0;
        for_each_facet(model, |_| facets += 1);
        Some(bill(Item::DragFacet, self.flow.as_ref(), facets))
    }

    fn jacobian_bill(&self, model: &Model) -> Bill {
        let mut facets = 0;
        for_each_facet(model, |_| facets += 1);
        Bill::of(Item::FacetSlope, facets)
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
        let is_coefficient = |value: f64| (0.0..=1000.0).contains(&value);
        DENSITY.check(self.density > 0.0 && self.density.is_finite())?;
        PRESSURE.check(is_coefficient(self.pressure))?;
        FRICTION.check(is_coefficient(self.friction))?;
        LIFT.check(is_coefficient(self.lift))?;
        check_flow(self.flow.as_ref())
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        let expected =
            "a scene in space, since bodies in the plane have no facets; `LineDrag` is for ropes";
        BadOption::unless(axes == 3, BadOption::WHOLE, expected)?;
        fits_flow(self.flow.as_ref(), axes)
    }
}
