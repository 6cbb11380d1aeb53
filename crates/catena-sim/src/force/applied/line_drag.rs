//! Drag of a fluid on the segments of ropes and the threads of nets, quadratic in the speed.
//!
//! A segment has the rest length l and the diameter d. The fluid at its middle moves with w
//! relative to the segment, w_t along the segment and w_n across. The force is ½ ρ d l C_n |w_n|
//! w_n + ½ ρ π d l C_t |w_t| w_t. Each end gets half of that. Source: Morison's equation without
//! inertia, as in Hall and Goupee 2015, "Validation of a lumped-mass mooring line model". No drag
//! acts on broken segments.

use super::AppliedForce;
use super::of_part::{self, PART};
use crate::body::vector::{Vec3, add, along, dot, norm, scaled, sub};
use crate::body::{Body, Model, Spring, State};
use crate::budget::{Bill, Item};
use crate::force::flow::Flow;
use crate::force::jacobian::{Block, Entry};
use crate::force::{Account, Blocks, Force, ForceEnergy};
use crate::named::{BadOption, Info, Named, OptionInfo, OptionKind};
use serde::Deserialize;

/// Drag of a fluid on round lines.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineDrag {
    /// ρ of the fluid, mass/volume.
    pub density: f64,
    /// d of the line, length.
    pub diameter: f64,
    /// C_n, dimensionless.
    #[serde(default = "across")]
    pub across: f64,
    /// C_t, dimensionless.
    #[serde(default = "along_line")]
    pub along: f64,
    /// Velocity of the fluid; `None` for a fluid at rest.
    #[serde(default)]
    pub flow: Option<Named<dyn Flow>>,
    /// Name of the part on whose segments the force acts; `None` for all parts.
    #[serde(default)]
    pub part: Option<String>,
}
crate::identity!(LineDrag { density, diameter, across, along, flow, part });

fn across() -> f64 {
    1.2
}

fn along_line() -> f64 {
    0.01
}

pub(super) const DENSITY: OptionInfo = OptionInfo {
    name: "density",
    summary: "density of the fluid: 1025 for sea water, 1.225 for air, in kg/m³",
    default: OptionInfo::NEEDED,
    range: "a finite number above 0",
    unit: "mass/length³",
    ..OptionInfo::PLAIN
};

pub(super) const DIAMETER: OptionInfo = OptionInfo {
    name: "diameter",
    summary: "diameter of the line",
    default: OptionInfo::NEEDED,
    range: "a finite number above 0",
    unit: "length",
    ..OptionInfo::PLAIN
};

const ACROSS: OptionInfo = OptionInfo {
    name: "across",
    summary: "drag coefficient across the line",
    default: "1.2",
    range: "a number from 0 to 1000",
    ..OptionInfo::PLAIN
};

const ALONG: OptionInfo = OptionInfo {
    name: "along",
    summary: "drag coefficient along the line, for surface friction",
    default: "0.01",
    range: "a number from 0 to 1000",
    ..OptionInfo::PLAIN
};

pub(super) const FLOW: OptionInfo = OptionInfo {
    name: "flow",
    summary: "velocity of the fluid: Uniform(velocity: (1, 0))",
    default: "at rest",
    range: "a flow that fits the scene",
    kind: OptionKind::Flow,
    ..OptionInfo::PLAIN
};

/// Account of the work of a fluid. If the velocity is the same everywhere, the ledger separates the
/// work of the fluid's motion.
pub(super) fn account(flow: Option<&Named<dyn Flow>>) -> Account {
    match flow {
        Some(flow) if flow.0.everywhere(0.0).is_none() => Account::External,
        _ => Account::Damping,
    }
}

/// A fluid at one time. A velocity that is the same everywhere is computed once.
pub(super) struct Fluid<'a> {
    flow: Option<&'a dyn Flow>,
    everywhere: Option<Vec3>,
    t: f64,
}

impl<'a> Fluid<'a> {
    /// Returns the fluid of a flow at a time; a fluid at rest without a flow.
    pub(super) fn new(flow: Option<&'a Named<dyn Flow>>, t: f64) -> Self {
        let flow = flow.map(|flow| flow.0.as_ref());
        let everywhere = flow.map_or(Some([0.0; 3]), |flow| flow.everywhere(t));
        Self { flow, everywhere, t }
    }

    /// Velocity at a place.
    #[inline]
    pub(super) fn at(&self, place: Vec3) -> Vec3 {
        match (self.everywhere, self.flow) {
            (Some(velocity), _) => velocity,
            (None, Some(flow)) => flow.at(place, self.t),
            (None, None) => [0.0; 3],
        }
    }
}

/// Operations for a number of parts, including the velocity of the flow at each part.
pub(super) fn bill(part: Item, flow: Option<&Named<dyn Flow>>, parts: u64) -> Bill {
    let Some(Named(flow)) = flow else { return Bill::of(part, parts) };
    let bill = match flow.everywhere(0.0) {
        Some(_) => flow.everywhere_bill(),
        None => {
            let (item, count) = flow.at_a_place();
            Bill::of(item, count.saturating_mul(parts))
        }
    };
    bill.and(part, parts)
}

/// Velocity of a fluid that is the same everywhere; `None` for a fluid at rest and other flows.
pub(super) fn medium(flow: Option<&Named<dyn Flow>>, t: f64) -> Option<Vec3> {
    let velocity = flow?.0.everywhere(t)?;
    (flow?.0.changes_with_time() || velocity != [0.0; 3]).then_some(velocity)
}

/// Whether the velocity of a fluid changes with time.
pub(super) fn changes_with_time(flow: Option<&Named<dyn Flow>>) -> bool {
    flow.is_some_and(|flow| flow.0.changes_with_time())
}

/// Refuses a flow with options out of range.
pub(super) fn check_flow(flow: Option<&Named<dyn Flow>>) -> Result<(), BadOption> {
    flow.map_or(Ok(()), |flow| flow.0.check().map_err(|bad| within("flow", &bad)))
}

/// Refuses a flow whose vectors do not fit the scene.
pub(super) fn fits_flow(flow: Option<&Named<dyn Flow>>, axes: usize) -> Result<(), BadOption> {
    flow.map_or(Ok(()), |flow| flow.0.fits(axes, 0).map_err(|bad| within("flow", &bad)))
}

/// Returns an error about an option nested in another option.
fn within(option: &'static str, bad: &BadOption) -> BadOption {
    let expected = format!("as `{}` {}", bad.path(), bad.expected);
    BadOption { option, entry: None, expected: expected.into() }
}

/// A segment in the fluid.
struct Segment {
    /// Nodes at its ends.
    ends: [usize; 2],
    /// Unit vector from the first to the second end.
    direction: Vec3,
    /// Distance between the ends.
    length: f64,
    /// Middle of the segment.
    middle: Vec3,
    /// Velocity of the fluid relative to the segment, along it.
    speed: f64,
    /// Velocity of the fluid relative to the segment, across it.
    across: Vec3,
    /// ½ ρ d l C_n.
    of_across: f64,
    /// ½ ρ π d l C_t.
    of_along: f64,
}

impl LineDrag {
    pub(super) const INFO: Info = Info {
        name: "LineDrag",
        summary: "drag of air or water on ropes and threads, across and along each segment, \
                  proportional to the square of the speed",
        options: &[DENSITY, DIAMETER, ACROSS, ALONG, FLOW, PART],
    };

    /// ½ ρ d C_n and ½ ρ π d C_t.
    fn per_length(&self) -> (f64, f64) {
        let half = 0.5 * self.density * self.diameter;
        (half * self.across, half * std::f64::consts::PI * self.along)
    }

    #[inline]
    fn segment(
        n: usize,
        spring: &Spring,
        state: &State,
        rates: (f64, f64),
        fluid: &Fluid<'_>,
    ) -> Segment {
        let Spring { a, b, rest_length, .. } = *spring;
        let (first, second) = (state.position(n, a), state.position(n, b));
        let offset = sub(second, first);
        let length = norm(offset);
        let direction = scaled(offset, 1.0 / length);
        let middle = scaled(add(first, second), 0.5);
        let own = scaled(add(state.velocity(n, a), state.velocity(n, b)), 0.5);
        let relative = sub(fluid.at(middle), own);
        let speed = dot(relative, direction);
        Segment {
            ends: [a, b],
            direction,
            length,
            middle,
            speed,
            across: along(relative, -speed, direction),
            of_across: rates.0 * rest_length,
            of_along: rates.1 * rest_length,
        }
    }

    /// Unbroken segments of a length above 0 in the fluid.
    fn segments<'a>(
        &'a self,
        body: &'a Body<'_>,
        state: &'a State,
    ) -> impl Iterator<Item = Segment> + 'a {
        let (n, rates) = (body.model.nodes(), self.per_length());
        let fluid = Fluid::new(self.flow.as_ref(), state.t);
        let springs = of_part::springs(body.model, self.part.as_deref());
        springs
            .filter(|(j, _)| !body.springs.is_broken(*j))
            .map(move |(_, spring)| Self::segment(n, spring, state, rates, &fluid))
            .filter(|segment| segment.length > 0.0)
    }
}

impl Segment {
    /// Force of the fluid on the segment.
    fn force(&self) -> Vec3 {
        let across = scaled(self.across, self.of_across * norm(self.across));
        along(across, self.of_along * self.speed.abs() * self.speed, self.direction)
    }

    /// Derivatives of the force with respect to the relative velocity, and to the vector from the
    /// first to the second end.
    fn derivatives(&self) -> (Block, Block) {
        let (u, s, c) = (self.direction, self.speed, self.across);
        let size = norm(c);
        let ratio = if size > 0.0 { 1.0 / size } else { 0.0 };
        let (mut by_flow, mut by_offset) = ([[0.0; 3]; 3], [[0.0; 3]; 3]);
        // d|c|c = m dc with m = |c| + c cᵀ/|c|, and dc = -(u cᵀ + s P) dw/L.
        let m = |p: usize, q: usize| f64::from(p == q) * size + c[p] * c[q] * ratio;
        let turned = |p: usize, q: usize| u[p] * c[q] + s * (f64::from(p == q) - u[p] * u[q]);
        for p in 0..3 {
            for q in 0..3 {
                let onto = f64::from(p == q) - u[p] * u[q];
                by_flow[p][q] = self.of_across * (size * onto + c[p] * c[q] * ratio)
                    + 2.0 * self.of_along * s.abs() * u[p] * u[q];
                let of_across: f64 = (0..3).map(|r| m(p, r) * turned(r, q)).sum();
                let of_along = 2.0 * s.abs() * u[p] * c[q] + s.abs() * s * onto;
                by_offset[p][q] =
                    (self.of_along * of_along - self.of_across * of_across) / self.length;
            }
        }
        (by_flow, by_offset)
    }
}

/// Product of two blocks.
pub(super) fn product(a: &Block, b: &Block) -> Block {
    let entry = |p: usize, q: usize| (0..3).map(|r| a[p][r] * b[r][q]).sum();
    [0, 1, 2].map(|p| [0, 1, 2].map(|q| entry(p, q)))
}

/// Returns a · first + b · second, on the first `axes` axes.
pub(super) fn combined(axes: usize, a: f64, first: &Block, b: f64, second: &Block) -> Block {
    let mut sum = [[0.0; 3]; 3];
    for p in 0..axes {
        for q in 0..axes {
            sum[p][q] = a * first[p][q] + b * second[p][q];
        }
    }
    sum
}

impl AppliedForce for LineDrag {
    fn info(&self) -> Info {
        Self::INFO
    }
}

impl Force for LineDrag {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let n = body.model.nodes();
        for segment in self.segments(body, state) {
            let half = scaled(segment.force(), 0.5);
            for (axis, half) in f.chunks_exact_mut(n).zip(half) {
                segment.ends.into_iter().for_each(|end| axis[end] += half);
            }
        }
    }

    /// Omits the derivatives with respect to positions if the matrix must be positive definite.
    fn add_jacobian(&self, body: &Body<'_>, state: &State, blocks: &mut Blocks<'_>) {
        let axes = body.model.axes;
        for segment in self.segments(body, state) {
            let (by_flow, by_offset) = segment.derivatives();
            let gradient = self.flow.as_ref().map(|flow| flow.0.gradient(segment.middle, state.t));
            let carried = gradient.map_or([[0.0; 3]; 3], |gradient| product(&by_flow, &gradient));
            let by_v = combined(axes, -0.25, &by_flow, 0.0, &by_flow);
            for i in segment.ends {
                for (j, sign) in segment.ends.into_iter().zip([-0.5, 0.5]) {
                    let by_x = match blocks.is_definite() {
                        true => [[0.0; 3]; 3],
                        false => combined(axes, sign, &by_offset, 0.25, &carried),
                    };
                    blocks.add(&Entry { i, j, by_x, by_v });
                }
            }
        }
    }

    /// Returns an upper bound: the force of the fluid at maximum speed on a body at rest.
    fn load(&self, model: &Model) -> f64 {
        let fastest = self.flow.as_ref().map_or(0.0, |flow| flow.0.fastest());
        let (across, along) = self.per_length();
        let springs = of_part::springs(model, self.part.as_deref());
        let length: f64 = springs.map(|(_, spring)| spring.rest_length).sum();
        across.max(along) * length * fastest * fastest
    }

    fn at_rest(&self) -> crate::force::AtRest<'_> {
        match self.flow.as_ref().map(|flow| flow.0.fastest()) {
            None | Some(0.0) => crate::force::AtRest::Nothing,
            Some(_) => crate::force::AtRest::Other,
        }
    }

    // Methods that hold lengths ask in every step, and `at_rest` samples the curve of a flow.
    fn is_elastic(&self) -> bool {
        false
    }

    fn bill(&self, model: &Model) -> Option<Bill> {
        let segments = of_part::springs(model, self.part.as_deref()).count() as u64;
        Some(bill(Item::DragSegment, self.flow.as_ref(), segments))
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
        DIAMETER.check(above_0(self.diameter))?;
        ACROSS.check((0.0..=1000.0).contains(&self.across))?;
        ALONG.check((0.0..=1000.0).contains(&self.along))?;
        check_flow(self.flow.as_ref())
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        fits_flow(self.flow.as_ref(), axes)
    }

    fn check_start(&self, model: &Model, _initial: &State) -> Result<(), BadOption> {
        of_part::check(model, self.part.as_deref())
    }
}
