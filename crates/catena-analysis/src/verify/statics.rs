//! Checks of the rest state that Newton's method finds from the balance of forces.

use super::{
    Check,
    Tolerance::{Absolute, Relative},
    bodies::{bare, method},
    catenary::{SPAN, body, links},
    check::{CheckList, CheckSetups},
    readings::greater,
};
use crate::statics::{
    Equilibrium, Friction, MINUTE, NoRest, Path, Stability, equilibrium, equilibrium_with, follow,
};
use catena_sim::{
    Arrangement, Model, Setup, Spring, State, body::hanging::LinkLaw, contact::collider::Plane,
    force::Gravity, method::Shake,
};
use std::sync::Arc;

/// Numbers of links of the chains.
const COUNTS: [usize; 2] = [16, 200];
/// Half the span of the truss.
const HALF: f64 = 1.0;
/// Height of the truss's unloaded apex above its supports.
const HEIGHT: f64 = 0.2;
/// Stiffness of each of the truss's two bars, in force per length.
const STIFFNESS: f64 = 1000.0;
/// Number of segments of the mooring line.
const MOORED: usize = 400;

pub(super) fn checks() -> Vec<Check> {
    let mut list = CheckList::new("statics");
    list.set_reference("discrete chain: each link points along its tension, which changes by a node's weight per link (funicular polygon)");
    for (law, name) in [(LinkLaw::Rigid, "rigid"), (LinkLaw::Elastic, "elastic")] {
        for count in COUNTS {
            let expected = links(count, law).sag();
            list.add(
                format!("sag of {count} {name} links, solved from a straight line"),
                expected,
                Relative(1e-10),
                move |setups| {
                    let rest = chain(setups, count, law)?;
                    Some(-rest.x[count + 1 + count / 2])
                },
            );
        }
    }
    let weight = links(COUNTS[0], LinkLaw::Elastic).weight * (COUNTS[0] - 1) as f64;
    list.set_reference("balance of the whole chain: its pins carry the weight of all free nodes");
    list.add("force of 16 elastic links on their pins", -weight, Relative(1e-12), |setups| {
        let rest = chain(setups, COUNTS[0], LinkLaw::Elastic)?;
        let own = body(COUNTS[0]).setup();
        let pinned = rest.pins.iter().map(|pin| own.model.mass[pin.node]).sum::<f64>();
        let carried: f64 = rest.pins.iter().map(|pin| pin.force[1]).sum();
        Some(carried + pinned * own.gravity_strength())
    });
    list.add(
        "residual forces on 200 elastic links over the weight",
        0.0,
        Absolute(1e-11),
        |setups| {
            let own = body(200).setup();
            Some(left(&own, &chain(setups, 200, LinkLaw::Elastic)?.x))
        },
    );
    list.set_reference("shallow truss (von Mises 1923): P = 2k y (L₀/√(b² + y²) - 1), maximum at b² + y² = (L₀ b²)^⅔");
    for share in [0.5, 0.99] {
        list.add(
            format!("height of the apex at {share} of the limit load"),
            apex(share * limit()),
            Relative(1e-9),
            move |setups| Some(truss(setups, share * limit())?.x[4]),
        );
    }
    list.add("side of the apex beyond the limit load", -1.0, Absolute(0.0), |setups| {
        Some(truss(setups, 1.01 * limit())?.x[4].signum())
    });
    add_path(&mut list);
    add_moored(&mut list);
    list.done()
}

/// Adds the path of the truss over its load, past both limits.
fn add_path(list: &mut CheckList) {
    for (index, name, sign) in [(0, "first", 1.0), (1, "second", -1.0)] {
        let name = format!("load at the {name} limit of the path of the truss");
        list.add(name, sign * limit(), Relative(1e-9), move |setups| {
            path(setups)?.limits().nth(index).map(|point| point.load)
        });
    }
    list.add("unstable branch of the truss: maximum error of P", 0.0, Absolute(1e-9), |setups| {
        let path = path(setups)?;
        let mut branch = path.points.iter().filter(|it| it.stability == Stability::Unstable);
        let errors = branch.clone().map(|it| (load_at(it.x[4]) - it.load).abs() / limit());
        // The branch has a few points at least, one of them in its middle.
        let is_whole = branch.any(|it| it.x[4].abs() < 0.5 * critical());
        is_whole.then(|| errors.fold(0.0, greater))
    });
}

/// Adds the forces at both ends of a mooring line.
fn add_moored(list: &mut CheckList) {
    list.set_reference(
        "catenary on a bed, H (cosh((X - b)/a) - 1) = w Z, values from MoorPy's table",
    );
    for (name, pin, axis, exact) in [
        ("horizontal force on its anchor", 0, 0, 96_643.43),
        ("horizontal force on its fairlead", 1, 0, -96_643.43),
        ("vertical force on its fairlead", 1, 1, -237_751.76),
    ] {
        let name = format!("mooring line: {name}");
        list.add(name, exact, Relative(5e-5), move |setups| {
            Some(TABLE.rest(setups, 0.0)?.pins.get(pin)?.force[axis])
        });
    }
    list.add("mooring line: length on the bed", 202.8103, Relative(5e-5), |setups| {
        let pushes = TABLE.rest(setups, 0.0)?.contacts.into_iter().map(|contact| contact.force);
        // The pinned anchor carries half a segment.
        Some(pushes.sum::<f64>() / TABLE.weight + 0.5 * TABLE.length / MOORED as f64)
    });
    list.set_reference(
        "MoorPy's table with bed friction 0.1: the force falls by μ w along the bed",
    );
    list.add(
        "mooring line on a rough bed: force along it on its anchor",
        80_418.60,
        Relative(5e-5),
        |setups| {
            // The half of the first segment that belongs to the pin also has friction.
            let rubbed = 0.1 * TABLE.weight * 0.5 * TABLE.length / MOORED as f64;
            Some(TABLE.rest(setups, 0.1)?.pins.first()?.force[0] - rubbed)
        },
    );
    list.set_reference(
        "MoorDyn 2.7.2, tests WD0050, WD0200 and WD0600; WD0050 without its friction",
    );
    for (name, span, depth, length, [fairlead, anchor]) in [
        ("WD0050", 400.0, 50.0, 410.0, [1_001.7e3, 835.6e3]),
        ("WD0200", 700.0, 200.0, 760.0, [2_065.4e3, 1_402.2e3]),
        ("WD0600", 1500.0, 600.0, 1700.0, [5_232.6e3, 3_244.2e3]),
    ] {
        let line = HungLine { ends: [span, depth], length, ..CHAIN };
        for (end, spring, exact) in [("fairlead", MOORED - 1, fairlead), ("anchor", 0, anchor)] {
            let name = format!("mooring line {name}: tension at its {end}");
            list.add(name, exact, Relative(5e-3), move |setups| {
                line.rest(setups, 0.0)?.tensions.get(spring).copied()
            });
        }
    }
    list.set_reference(
        "mooring line of the OC3 spar at rest: Jonkman 2010, NREL/TP-500-47535; MoorDyn",
    );
    list.add("mooring line OC3: tension at its fairlead", 911.1e3, Relative(5e-3), |setups| {
        OC3.rest(setups, 0.0)?.tensions.last().copied()
    });
}

/// A line from an anchor on a bed to a fairlead above it.
#[derive(Clone, Copy)]
struct HungLine {
    /// Position of the fairlead relative to the anchor.
    ends: [f64; 2],
    length: f64,
    /// EA.
    axial: f64,
    /// Weight per length.
    weight: f64,
}

/// The line of MoorPy's table.
const TABLE: HungLine =
    HungLine { ends: [400.0, 200.0], length: 500.0, axial: 7.51e12, weight: 800.0 };

/// The mooring line of the OC3 spar, from the sea bed at 320 m to the fairlead at 70 m.
const OC3: HungLine =
    HungLine { ends: [848.67, 250.0], length: 902.2, axial: 384.243e6, weight: 698.094 };

/// The chain of MoorDyn's tests, 390 kg/m of 0.252 m in sea water of 1025 kg/m³.
const CHAIN: HungLine = HungLine {
    ends: [0.0; 2],
    length: 0.0,
    axial: 1.674e9,
    weight: (390.0 - 1025.0 * 0.25 * std::f64::consts::PI * 0.252 * 0.252) * 9.806_65,
};

impl HungLine {
    /// Rest state of the line on a bed with a coefficient of friction.
    fn rest(self, setups: &CheckSetups<'_>, friction: f64) -> Option<Equilibrium> {
        let Self { ends, length, axial: stiffness, weight } = self;
        let own = length / MOORED as f64;
        let springs: Vec<Spring> = (0..MOORED)
            .map(|a| Spring { a, b: a + 1, stiffness: stiffness / own, rest_length: own })
            .collect();
        // Each node has half the mass of its segments.
        let is_end = |node: usize| node.is_multiple_of(MOORED);
        let mass = |node: usize| if is_end(node) { 0.5 * weight * own } else { weight * own };
        let n = MOORED + 1;
        let model = Model {
            axes: 2,
            mass: (0..n).map(mass).collect(),
            pinned: (0..n).map(is_end).collect(),
            springs,
            structural: MOORED,
            held: MOORED,
            arrangement: Arrangement::Chain,
            parts: Vec::new(),
        };
        let at = |index: usize| ends[index / n] * (index % n) as f64 / MOORED as f64;
        let start = State::at_rest((0..2 * n).map(at).collect());
        let mut setup = bare(model, start, method("SemiImplicitEuler")?, 0.01);
        setup.forces.push(Arc::new(Gravity { acceleration: vec![0.0, -1.0] }));
        let bed = Plane {
            point: [0.0, 0.0].into(),
            normal: [0.0, 1.0].into(),
            restitution: 0.0,
            friction,
        };
        setup.contacts.colliders.push(Arc::new(bed));
        let choice = if friction > 0.0 { Friction::Limit } else { Friction::LeftOut };
        equilibrium_with(&setups.ready(setup), MINUTE, choice).ok()
    }
}

/// Rest state of a chain between two supports, searched from a straight line.
fn chain(setups: &CheckSetups<'_>, count: usize, law: LinkLaw) -> Option<Equilibrium> {
    let mut body = body(count);
    body.method = match law {
        LinkLaw::Rigid => Arc::new(Shake::default()),
        LinkLaw::Elastic => method("VelocityVerlet")?,
    };
    let mut setup = body.setup();
    for node in 0..=count {
        setup.initial.x[node] = SPAN * node as f64 / count as f64;
    }
    equilibrium(&setups.ready(setup)).ok()
}

/// Norm of the forces of springs and gravity on the free nodes of a rope, as a share of its weight.
fn left(own: &Setup, x: &[f64]) -> f64 {
    let (model, g) = (&own.model, own.gravity_strength());
    let n = model.nodes();
    let mut force: Vec<f64> = vec![0.0; 2 * n];
    force[n..].iter_mut().zip(&model.mass).for_each(|(force, mass)| *force = -mass * g);
    for spring in &model.springs {
        let (offset, length) = model.span(x, spring);
        let pull = spring.stiffness * (length - spring.rest_length) / length;
        for axis in 0..2 {
            force[axis * n + spring.a] += pull * offset[axis];
            force[axis * n + spring.b] -= pull * offset[axis];
        }
    }
    let free = (0..2 * n).filter(|index| !model.pinned[index % n]);
    let square: f64 = free.map(|index| force[index] * force[index]).sum();
    square.sqrt() / (g * model.mass.iter().sum::<f64>())
}

/// Rest state of the truss under a load on its apex.
fn truss(setups: &CheckSetups<'_>, load: f64) -> Option<Equilibrium> {
    equilibrium(&*loaded(setups, load)?).ok()
}

/// Two bars under a load on their apex, which is node 1.
fn loaded(setups: &CheckSetups<'_>, load: f64) -> Option<Arc<Setup>> {
    let bar = |a, b| Spring { a, b, stiffness: STIFFNESS, rest_length: bar_length() };
    let model = Model {
        axes: 2,
        mass: vec![1.0; 3],
        pinned: vec![true, false, true],
        springs: vec![bar(0, 1), bar(1, 2)],
        structural: 2,
        held: 2,
        arrangement: Arrangement::Chain,
        parts: Vec::new(),
    };
    let start = State::at_rest(vec![-HALF, 0.0, HALF, 0.0, HEIGHT, 0.0]);
    let mut setup = bare(model, start, method("SemiImplicitEuler")?, 0.01);
    setup.forces.push(Arc::new(Gravity { acceleration: vec![0.0, -load] }));
    Some(setups.ready(setup))
}

/// Equilibria of the truss up to a load above its limit.
fn path(setups: &CheckSetups<'_>) -> Option<Path> {
    let at = |load: f64| loaded(setups, load).ok_or(None);
    follow::<Option<NoRest>>(at, [0.1 * limit(), 1.5 * limit()], 2000)
        .ok()
        .filter(Path::is_complete)
}

fn bar_length() -> f64 {
    (HALF * HALF + HEIGHT * HEIGHT).sqrt()
}

/// Load that holds the apex at a height.
fn load_at(height: f64) -> f64 {
    let length = (HALF * HALF + height * height).sqrt();
    2.0 * STIFFNESS * height * (bar_length() / length - 1.0)
}

/// Height of the apex at the limit load.
fn critical() -> f64 {
    let length = libm::cbrt(bar_length() * HALF * HALF);
    (length * length - HALF * HALF).sqrt()
}

fn limit() -> f64 {
    load_at(critical())
}

/// Height of the apex under a load below the limit, by bisection.
fn apex(load: f64) -> f64 {
    let (mut low, mut high) = (critical(), HEIGHT);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        // Above the limit point, the load that the truss carries decreases with the height.
        if load_at(middle) > load { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}
