//! Checks of lines in water against published values: a jumper with bending stiffness at rest,
//! measured forces of a chain that moves in circles, and a snap load.

use super::{
    Check,
    Tolerance::{Absolute, AtMost, Relative},
    bodies::method,
    check::{CheckList, CheckSetups},
};
use crate::statics::{equilibrium, rest_at_start};
use catena_sim::{
    Method, Rope, Setup, SetupBuilder, Simulation, State,
    body::shape::Topology,
    contact::collider::Plane,
    drive::curve::{Hermite, Sine},
    force::{
        applied::{Buoyancy, LineDrag},
        law::TensionOnly,
        rod::{Rod, Rods, Section},
    },
    method::SemiImplicitEuler,
};
use std::{
    f64::consts::{PI, TAU},
    sync::Arc,
};

/// Acceleration of gravity in the decks, in m/s².
const G: f64 = 9.806_65;

pub(super) fn checks() -> Vec<Check> {
    let mut list = CheckList::new("lines");
    list.set_reference(
        "flexible jumper at rest: 170 m, 165 kg/m, EI 120.8 kN m² (Lowe, Langley 2006)",
    );
    for (end, pin, [along, up]) in
        [("lower end", 0, [11.40, -24.04]), ("upper end", 1, [-11.40, -45.71])]
    {
        for (axis, direction, force) in [(0, "horizontal", along), (1, "vertical", up)] {
            let name = format!("jumper: {direction} force on its {end}, kN");
            list.add(name, force, Absolute(0.01), move |setups| {
                Some(jumper(setups)?.get(pin)?[axis] / 1e3)
            });
        }
    }
    add_circles(&mut list);
    add_snaps(&mut list);
    list.done()
}

/// Adds the chain whose upper end moves in circles.
fn add_circles(list: &mut CheckList) {
    list.set_reference(
        "chain of 33 m, end moved in circles, measured (Bergdahl et al. 2016, table 8)",
    );
    for Circle { period, radius, measured } in circles() {
        let name = format!("chain, {period} s per turn, radius {radius} m: force, N");
        list.add(name, measured, Absolute(3.0), move |setups| whirled(setups, period, radius));
    }
    list.set_reference("root mean square error of CableDyn over 30 such measurements: 1.58 N");
    list.add("forces of the ten chains: root mean square error, N", 1.58, AtMost, |setups| {
        let errors = circles().map(|Circle { period, radius, measured }| {
            Some(whirled(setups, period, radius)? - measured)
        });
        let errors: Vec<f64> = errors.collect::<Option<_>>()?;
        let squares = errors.iter().map(|error| error * error).sum::<f64>();
        Some((squares / errors.len() as f64).sqrt())
    });
}

/// Adds the peak tension of a chain that goes slack and snaps tight. Published peaks differ, since
/// the benchmark does not state the damping along the chain: see `docs/snap_load.md`.
fn add_snaps(list: &mut CheckList) {
    list.set_reference("chain whose end heaves by 4 m: published peaks, and catena by damping");
    for (name, damping, published) in [
        ("MoorDyn, critical damping", CRITICAL, 4.86),
        ("OrcaFlex, 10 % of it", 0.1 * CRITICAL, 6.32),
        ("CableDyn, no damping", 0.0, 10.22),
    ] {
        list.add_information(format!("snap load, MN: {name}"), published, move |setups| {
            snap(setups, setups.method(method("VelocityVerlet")?), damping)
        });
    }
    list.set_reference("with 10 % of the critical damping, methods of order 2 and 4 agree");
    list.add("snap load by Rk4 over that by VelocityVerlet", 1.0, Relative(0.01), |setups| {
        let peaks =
            ["Rk4", "VelocityVerlet"].map(|name| snap(setups, method(name)?, 0.1 * CRITICAL));
        Some(peaks[0]? / peaks[1]?)
    });
}

/// Forces of the jumper on its ends in N, the lower one first.
fn jumper(setups: &CheckSetups<'_>) -> Option<Vec<[f64; 3]>> {
    const SEGMENTS: usize = 68;
    let (length, mass) = (170.0, 165.0);
    let line = Rope::new([-100.0, -55.0], [0.0, -5.0], SEGMENTS + 1).of_material(5e8, mass);
    let (model, mut state) = slack(&line.pin(0).pin(SEGMENTS), length)?;
    // A parabola that is about as long as the line.
    for node in 0..=SEGMENTS {
        let share = node as f64 / SEGMENTS as f64;
        state.x[SEGMENTS + 1 + node] -= 240.0 * share * (1.0 - share);
    }
    let rod = Rod::along(&model, 0, Section::round(120.8e3, 0.0)).ok()?;
    let rods = Rods::new(&model, &state, vec![rod]).ok()?;
    let g = 9.807;
    let water =
        Buoyancy { density: 1000.0, diameter: 0.396, gravity: g, surface: None, part: None };
    let setup = Setup::of_body(model, state).gravity([0.0, -g]).force(water).force(rods);
    let rest = equilibrium(&setups.ready(setup.build().ok()?)).ok()?;
    Some(rest.pins.iter().map(|pin| pin.force).collect())
}

/// A rope with another rest length, straight between its ends.
fn slack(rope: &Rope, length: f64) -> Option<(catena_sim::Model, State)> {
    let (mut model, state) = rope.build().ok()?;
    let change = length / model.rest_length();
    for spring in &mut model.springs {
        spring.stiffness /= change;
        spring.rest_length *= change;
    }
    model.mass.iter_mut().for_each(|mass| *mass *= change);
    Some((model, state))
}

/// Periods in seconds, and the mean of the maximum force per turn in newtons for each of [`RADII`].
const MEASURED: [(f64, [f64; 5]); 2] =
    [(1.25, [42.5, 46.8, 54.1, 60.4, 70.3]), (3.5, [27.8, 31.5, 37.5, 42.5, 50.1])];
/// Radii of the circles in metres.
const RADII: [f64; 5] = [0.075, 0.1, 0.125, 0.15, 0.2];

/// A circle of the measurement.
#[derive(Clone, Copy)]
struct Circle {
    period: f64,
    radius: f64,
    measured: f64,
}

/// All measured circles.
fn circles() -> impl Iterator<Item = Circle> {
    MEASURED.into_iter().flat_map(|(period, forces)| {
        let of = move |(radius, measured)| Circle { period, radius, measured };
        RADII.into_iter().zip(forces).map(of)
    })
}

/// Number of segments of the chain in the basin; `scenes/chain_in_circles.ron` has 83.
const LINKS: usize = 55;
/// Position of the centre of the circles; the bed is at y = -3.
const CENTRE: [f64; 2] = [32.554, 0.3];
/// Number of samples of the tension per turn. In the case with a slack chain, the maximum over all
/// steps is up to 3 N higher, and depends on the number of segments.
const FRAMES: u32 = 200;
/// Number of turns. The circle grows in the first three, and the last five are evaluated.
const TURNS: u32 = 10;

/// Mean of the maximum tension at the upper end in the last five turns. Mass, drag and friction are
/// from the article, and nothing is fitted. Added mass acts in all directions.
fn whirled(setups: &CheckSetups<'_>, period: f64, radius: f64) -> Option<f64> {
    let chain = Rope::new([0.0, -3.0], CENTRE, LINKS + 1).of_material(1e4, 0.0818 + 0.039_851);
    let (model, state) = slack(&chain.pin(0).pin(LINKS), 33.0)?;
    let drag = LineDrag {
        density: 1000.0,
        diameter: 0.0022,
        across: 2.5,
        along: 0.5,
        flow: None,
        part: None,
    };
    // The added water has no weight, so the buoyancy includes it.
    let water = Buoyancy {
        density: 4800.0,
        diameter: 0.003_654_129,
        gravity: G,
        surface: Some(0.0),
        part: None,
    };
    let frame = period / f64::from(FRAMES);
    let substeps = (frame / 1.5e-3).ceil() as u64;
    let setup = Setup::of_body(model, state).law(TensionOnly {}).force(drag).force(water);
    let setup = setup
        .collider(bed(-3.0, 0.3))
        .anchor(LINKS, circle(period, radius))
        .method(SemiImplicitEuler {})
        .frames(frame, substeps);
    let mut run = from_rest(setups, setup)?;
    let mut maxima = [0.0_f64; TURNS as usize];
    for maximum in &mut maxima {
        for _ in 0..FRAMES {
            run.advance_frame();
            *maximum = maximum.max(tension(&run, LINKS - 1));
        }
    }
    Some(maxima[5..].iter().sum::<f64>() / 5.0)
}

/// Circle about [`CENTRE`] whose radius grows from 0 in three turns, by 10u³ - 15u⁴ + 6u⁵.
fn circle(period: f64, radius: f64) -> Hermite {
    const PIECES: u32 = 48;
    let key = |index: u32| {
        let turns = f64::from(index) / f64::from(PIECES);
        let u = (turns / 3.0).min(1.0);
        let size = radius * u * u * u * (10.0 + u * (6.0 * u - 15.0));
        let growth = radius * 30.0 * u * u * (1.0 - u) * (1.0 - u) / (3.0 * period);
        let (sin, cos) = libm::sincos(TAU * turns);
        let speed = TAU / period * size;
        let at = [CENTRE[0] + size * sin, CENTRE[1] + size * cos];
        let rate = [growth * sin + speed * cos, growth * cos - speed * sin];
        (period * turns, at.into(), rate.into())
    };
    Hermite { keys: (0..=TURNS * PIECES).map(key).collect() }
}

/// A horizontal bed at a height.
fn bed(height: f64, friction: f64) -> Plane {
    Plane { point: [0.0, height].into(), normal: [0.0, 1.0].into(), restitution: 0.0, friction }
}

/// Run of a line under gravity that starts at rest.
fn from_rest(setups: &CheckSetups<'_>, setup: SetupBuilder) -> Option<Simulation> {
    let setup = setup.gravity([0.0, -G]).build().ok()?;
    let x = rest_at_start(&setup).ok()?.x;
    Some(setups.start(setup.starting_at(State::at_rest(x)).ok()?))
}

/// Tension of a spring, from its strain.
fn tension(run: &Simulation, spring: usize) -> f64 {
    let model = &run.setup().model;
    let spring = &model.springs[spring];
    spring.stiffness * (model.span(&run.state().x, spring).1 - spring.rest_length)
}

/// Critical damping of a segment of the heaving chain, in N s/m.
const CRITICAL: f64 = 8e5;

/// Maximum tension in MN of the chain of `sweeps/snap_load.ron` in 8 s, with steps of 1 ms.
fn snap(setups: &CheckSetups<'_>, method: Arc<dyn Method>, damping: f64) -> Option<f64> {
    const SEGMENTS: usize = 20;
    const WATER: f64 = 1025.0;
    let (axial, diameter) = (1.674e9, 0.252);
    let displaced = WATER * 0.25 * PI * diameter * diameter;
    let chain = Rope::new([120.0, -50.0], [0.0, -9.0], SEGMENTS + 1);
    let chain = chain.of_material(axial, 390.0 + displaced).pin(0).pin(SEGMENTS);
    let (model, state) = slack(&chain, 130.722)?;
    let drag =
        LineDrag { density: WATER, diameter, across: 1.37, along: 0.64, flow: None, part: None };
    // The added mass of the water has no weight, so the buoyancy includes it.
    let water = Buoyancy { density: 2.0 * WATER, diameter, gravity: G, surface: None, part: None };
    let [center, amplitude] = [[0.0, -5.0], [0.0, 4.0]].map(Into::into);
    let setup = Setup::of_body(model, state).law(TensionOnly {}).force(drag).force(water);
    let setup = setup
        .spring_damping(damping)
        .collider(bed(-50.0, 0.0))
        .anchor(SEGMENTS, Sine { center, amplitude, period: 4.0, phase: -90.0 })
        .method_of(method)
        .frames(1e-3, 1);
    let mut run = from_rest(setups, setup)?;
    let mut peak = 0.0_f64;
    for _ in 0..8000 {
        run.step();
        peak = (0..SEGMENTS).map(|spring| tension(&run, spring)).fold(peak, f64::max);
    }
    run.state().is_finite().then_some(peak / 1e6)
}
