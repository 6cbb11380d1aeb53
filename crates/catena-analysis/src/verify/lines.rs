//! Checks of lines: added mass and drag of water, ropes that are paid out, falls, and materials
//! that creep or lose energy.

use super::{
    Check,
    Tolerance::Relative,
    check::{CheckList, CheckSetups},
    readings::{advance_frames, measure_frequency},
};
use catena_sim::{
    Curve, Rope, Setup,
    drive::{
        Anchor, curve,
        track::{Animated, KeyTrack},
    },
    force::{
        SoftPin,
        applied::{Buoyancy, LineDrag},
        law::{Dahl, TensionOnly, Viscoelastic},
    },
    method::Rk4,
    run::LengthOverTime,
};
use serde_json::json;
use std::{f64::consts::PI, sync::Arc};

/// Acceleration of gravity, in m/s².
const G: f64 = 9.81;

pub(super) fn checks() -> Vec<Check> {
    let mut list = CheckList::new("lines");
    list.set_reference("line of mass m and volume V on springs in water: ω² = k/(m + C_a ρ V), mean position -(m - ρ V) g/k; Rk4");
    for added in [0.0, 1.0] {
        let Water { omega, sag, .. } = Water::new(added);
        list.add(format!("frequency with C_a = {added}"), omega, Relative(1e-9), move |setups| {
            let water = Water::new(added);
            measure_frequency(&mut setups.start(water.setup()?), 20, |it| it.x[2] + water.sag)
        });
        list.add(format!("lowest point with C_a = {added}"), -2.0 * sag, Relative(1e-8), {
            move |setups| lowest(setups, &Water::new(added))
        });
    }
    list.set_reference(
        "weight on a cord that is paid out at speed v: y = l + m g/k + v t - (v/ω) sin ωt; Rk4",
    );
    let (omega, speed, time) = (20.0, 0.5, 1.3);
    let offset = 1.0 + G / 400.0 + speed * time - speed / omega * libm::sin(omega * time);
    list.add(
        "distance of a weight whose cord is paid out",
        offset,
        Relative(1e-6),
        move |setups| paid_out(setups, speed, time),
    );
    list.set_reference("loop of Dahl's law between -A and A: 4 k l² y (A - y tanh(A/y))/(1 + h)");
    let (law, maximum) = (Dahl { yield_strain: 0.02, hardening: 0.2 }, 0.06);
    let (y, h) = (law.yield_strain, law.hardening);
    let heat = 4.0 * 50.0 * y * (maximum - y * libm::tanh(maximum / y)) / (1.0 + h);
    list.add("energy loss of a hysteresis loop", heat, Relative(2e-3), move |setups| {
        heat_of_loop(setups, &law, maximum)
    });
    add_falls(&mut list);
    add_relaxation(&mut list);
    list.done()
}

/// Adds lines that sink, and a climber who falls into a cord.
fn add_falls(list: &mut CheckList) {
    list.set_reference(
        "terminal speed of a line of mass m per length: √(2 m g/(ρ d C_n)) across, \
         √(2 m g/(ρ π d C_t)) along",
    );
    let speed = |width: f64| (2.0 * 0.2 * G / (1.2 * 0.05 * width)).sqrt();
    for (name, end, expected) in
        [("across", [2.0, 0.0], speed(1.3)), ("along", [0.0, -2.0], speed(PI * 0.2))]
    {
        let name = format!("terminal speed of a line that falls {name} its direction");
        list.add(name, expected, Relative(1e-9), move |setups| sinking(setups, end));
    }
    list.set_reference("fall of a climber on a cord: peak m g (1 + √(1 + 2 f EA/(m g)))");
    let weight = MASS * G;
    let peak = weight * (1.0 + (1.0 + 2.0 * FALL * AXIAL / weight).sqrt());
    list.add("maximum tension of a cord that stops a fall", peak, Relative(1e-5), climber);
}

/// Adds the creep of a loaded cord, and the relaxation of a stretched one.
fn add_relaxation(list: &mut CheckList) {
    list.set_reference(
        "standard linear solid under a constant force: ε = σ/E₁ + σ/E₂ (1 - e^(-E₂ t/η))",
    );
    let (creep, time, end) = (0.8, 4.0, 3.0);
    let crept = (1.0 + creep * (1.0 - libm::exp(-end / time))) * G / STIFF;
    list.add("creep of a cord under a weight", crept, Relative(1e-5), move |setups| {
        let cord = Rope::new([0.0, 0.0], [0.0, -1.0], 2).of(1.0, STIFF).pin(0);
        let setup = Setup::new(&cord).gravity([0.0, -G]).law(Viscoelastic { creep, time });
        let mut setup = setup.method(Rk4 {}).frames(0.01, 50).build().ok()?;
        // The weight starts in balance with the spring E₁, at the speed of the creep.
        setup.initial.x[3] = -1.0 - G / STIFF;
        setup.initial.v[3] = -creep * G / STIFF / time;
        let mut run = setups.start(setup);
        advance_frames(&mut run, 300);
        Some(-1.0 - run.state().x[3])
    });
    list.set_reference(
        "standard linear solid at constant length: creep strain ε c/(1 + c) (1 - e^(-(1 + c) t/τ))",
    );
    let (creep, time, strain, end) = (0.8, 4.0, 0.1, 3.0);
    let share = creep / (1.0 + creep) * (1.0 - libm::exp(-(1.0 + creep) * end / time));
    list.add("creep strain of a cord held at a length", strain * share, Relative(1e-12), {
        move |setups| {
            let cord = Rope::new([0.0, 0.0], [1.0, 0.0], 2).of(1.0, 50.0).pin(0).pin(1);
            let setup = Setup::new(&cord).law(Viscoelastic { creep, time }).method(Rk4 {});
            let mut setup = setup.frames(0.1, 10).build().ok()?;
            setup.initial.x[1] = 1.0 + strain;
            let mut run = setups.start(setup);
            advance_frames(&mut run, 30);
            Some(run.springs().plastic(0))
        }
    });
}

/// Stiffness E₁ of the cord that creeps; E₂ is E₁ over its `creep`.
const STIFF: f64 = 1e4;
/// Mass of the climber.
const MASS: f64 = 80.0;
/// EA of the cord, whose length is 1.
const AXIAL: f64 = 20_000.0;
/// Height of the fall per length of the cord.
const FALL: f64 = 0.5;

/// Speed of a line after 80 s, broadside or lengthways from its start to `end`.
fn sinking(setups: &CheckSetups<'_>, end: [f64; 2]) -> Option<f64> {
    let drag =
        LineDrag { density: 1.2, diameter: 0.05, across: 1.3, along: 0.2, flow: None, part: None };
    let line = Rope::new([0.0, 0.0], end, 2).of(0.2, 1000.0);
    let setup = Setup::new(&line).gravity([0.0, -G]).force(drag).method(Rk4 {});
    let mut run = setups.start(setup.frames(0.1, 50).build().ok()?);
    advance_frames(&mut run, 800);
    Some(-run.state().v[2])
}

/// Maximum tension of a cord that only pulls and stops a fall.
fn climber(setups: &CheckSetups<'_>) -> Option<f64> {
    let cord = Rope::new([0.0, 0.0], [0.0, -1.0], 2).of(MASS, AXIAL).pin(0);
    let setup = Setup::new(&cord).gravity([0.0, -G]).law(TensionOnly {});
    let mut setup = setup.method(Rk4 {}).frames(1e-3, 20).build().ok()?;
    setup.initial.x[3] = -1.0 + FALL;
    let mut run = setups.start(setup);
    let mut longest = 0.0_f64;
    for _ in 0..20_000 {
        run.step();
        longest = longest.max(-run.state().x[3]);
    }
    Some(AXIAL * (longest - 1.0))
}

/// A horizontal line under water whose two ends hang on springs.
struct Water {
    added: f64,
    omega: f64,
    sag: f64,
}

impl Water {
    /// Density of the water, in kg/m³.
    const DENSITY: f64 = 1000.0;
    /// Diameter of the line, in metres.
    const DIAMETER: f64 = 0.1;
    /// Mass of the line, in kilograms.
    const MASS: f64 = 20.0;
    /// Stiffness of each of the two springs, in N/m.
    const STIFFNESS: f64 = 800.0;

    fn new(added: f64) -> Self {
        let displaced = Self::DENSITY * 0.25 * PI * Self::DIAMETER * Self::DIAMETER;
        let moved = Self::MASS + added * displaced;
        let omega = (2.0 * Self::STIFFNESS / moved).sqrt();
        Self { added, omega, sag: (Self::MASS - displaced) * G / (2.0 * Self::STIFFNESS) }
    }

    fn setup(&self) -> Option<Setup> {
        let displaced = Self::DENSITY * 0.25 * PI * Self::DIAMETER * Self::DIAMETER;
        let mass = 0.5 * (Self::MASS + self.added * displaced);
        let pin = |node: usize| SoftPin {
            node,
            stiffness: Self::STIFFNESS,
            damping: 0.0,
            target: curve::constant(&[node as f64, 0.0]),
        };
        let water = Buoyancy {
            density: (1.0 + self.added) * Self::DENSITY,
            diameter: Self::DIAMETER,
            gravity: G,
            surface: None,
            part: None,
        };
        let line = Rope::new([0.0, 0.0], [1.0, 0.0], 2).of(mass, 1000.0);
        let setup = Setup::new(&line).gravity([0.0, -G]).force(pin(0)).force(pin(1)).force(water);
        setup.method(Rk4 {}).frames(0.01, 10).build().ok()
    }
}

/// Lowest position of a line that starts where its springs are unstrained. It is the minimum of
/// parabolas through three steps each, since the steps alone miss it by up to (ω dt)²/16 of its
/// depth.
fn lowest(setups: &CheckSetups<'_>, water: &Water) -> Option<f64> {
    let mut run = setups.start(water.setup()?);
    let mut last = [0.0_f64; 3];
    let mut lowest = 0.0_f64;
    for _ in 0..10_000 {
        run.step();
        last = [last[1], last[2], run.state().x[2]];
        let [before, middle, after] = last;
        if middle <= before && middle < after {
            let (slope, bend) = (after - before, before - 2.0 * middle + after);
            lowest = lowest.min(middle - slope * slope / (8.0 * bend));
        }
    }
    Some(lowest)
}

/// Distance of a weight of mass 1 below the pin of its cord, after a time.
fn paid_out(setups: &CheckSetups<'_>, speed: f64, time: f64) -> Option<f64> {
    let cord = Rope::new([0.0, 0.0], [0.0, -1.0], 2).of(1.0, 400.0).pin(0);
    let length = KeyTrack::linear(&[(0.0, [1.0]), (100.0, [1.0 + 100.0 * speed])]).ok()?;
    let length =
        LengthOverTime { springs: vec![0], length: Animated::moving(length), keeps_axial: false };
    let setup = Setup::new(&cord).gravity([0.0, -G]).lengths_over([length]);
    let mut setup = setup.method(Rk4 {}).frames(0.001 * time, 10).build().ok()?;
    setup.initial.x[3] = -1.0 - G / 400.0;
    let mut run = setups.start(setup);
    (0..1000).for_each(|_| run.advance_frame());
    Some(-run.state().x[3])
}

/// Energy that a spring of length 1 and stiffness 50 loses in the fourth cycle of its moving end.
fn heat_of_loop(setups: &CheckSetups<'_>, law: &Dahl, maximum: f64) -> Option<f64> {
    let motion = json!({ "center": [1.0, 0.0], "amplitude": [maximum, 0.0], "period": 1.0 });
    let curve: Arc<dyn Curve> = curve::read("Sine", motion)?.ok().map(Arc::from)?;
    let spring = Rope::new([0.0, 0.0], [1.0, 0.0], 2).of(1.0, 50.0).pin(0).pin(1);
    let setup = Setup::new(&spring).law(law.clone()).anchors([Anchor { node: 1, curve }]);
    let setup = setup.method(Rk4 {}).frames(1.0, 8000).build().ok()?;
    let mut run = setups.start(setup);
    run.keep_ledger();
    (0..4).for_each(|_| run.advance_frame());
    Some(-run.ledger()?.frame.gains.yielding)
}
