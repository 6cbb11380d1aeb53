//! Statements of forces are correct: derivative, energy, load and declaration at rest agree with
//! the added force.

use catena::sim::{
    Arrangement, Blocks, Body, Force, Model, Spring, SpringMemory, State,
    drive::{curve, track::Animated},
    force::{
        AtRest, ChangingDrag, ChangingGravity, Drag, ElasticSprings, ForceEnergy, Gravity, Part,
        SpringCoefficient, SpringDamping, SpringFriction, Store, applied,
        law::{self, SpringLaw},
    },
};
use ron::Options;
use std::sync::Arc;

/// A sample of each force of a scene, with its options. Node 1 is free.
const APPLIED: &[(&str, &str)] = &[
    ("PointForce", "(node: 1, force: (1, 2, -0.5))"),
    ("PenaltyGround", "(height: 0.5, repulsion: 7, friction: 0.2, absorption: 0.5)"),
    (
        "LineDrag",
        "(density: 2, diameter: 0.3, along: 0.5, flow: Some(Profile(points: [(-9, (1, 0, 0.5)), (9, (3, 1, 0))])))",
    ),
    (
        "FacetDrag",
        "(density: 2, friction: 0.3, lift: 0.7, flow: Some(Uniform(velocity: (1, 2, 0.3))))",
    ),
    ("Buoyancy", "(density: 2, diameter: 3, surface: Some(0.5))"),
    (
        "Route",
        "(from: Some(1), to: Some(3), axial: 50, length: Some(4), via: [Ring(at: Some((0.5, 3, 0.2))), Ring(node: Some(2))])",
    ),
    (
        "PointDrag",
        "(node: 1, density: 2, area: 0.4, flow: Some(Profile(points: [(-9, (1, 0, 0.5)), (9, (3, 1, 0))])))",
    ),
];

/// Forces whose load is an upper bound.
const FLUIDS: [&str; 4] = ["LineDrag", "FacetDrag", "Buoyancy", "PointDrag"];

/// A sample of each spring law.
const LAWS: &[(&str, &str)] = &[
    ("Hooke", "()"),
    ("Exponential", "(alpha: 2)"),
    ("PiecewiseLinear", "(points: [(0.05, 0.02), (2, 6)])"),
    ("Plastic", "(yield_strain: 0.5, hardening: 0.2)"),
    ("Dahl", "(yield_strain: 0.5, hardening: 0.2)"),
    ("StrainExponential", "(alpha: 2)"),
    ("TensionOnly", "()"),
    ("Viscoelastic", "(creep: 0.5, time: 2)"),
];

fn read<T: ?Sized>(
    samples: &[(&str, &str)],
    name: &str,
    file: &str,
    read: impl Fn(&str, &mut ron::Deserializer<'_>) -> Option<Result<Box<T>, ron::Error>>,
) -> Box<T> {
    let sample = samples.iter().find(|(known, _)| *known == name);
    let (_, options) = sample.unwrap_or_else(|| panic!("{file}: add a sample of {name}"));
    let mut text = ron::Deserializer::from_str_with_options(options, &Options::default()).unwrap();
    read(name, &mut text)
        .unwrap()
        .unwrap_or_else(|error| panic!("{file}: {name}{options}: {error}"))
}

/// Every force, with every law.
fn forces(model: &Model) -> Vec<Arc<dyn Force>> {
    const HERE: &str = "crates/catena-tests/suite/physics/forces.rs";
    let coefficient = SpringCoefficient::new(0.3, model);
    let mut forces: Vec<Arc<dyn Force>> = vec![
        Arc::new(Gravity { acceleration: vec![0.5, -9.81, 0.25] }),
        Arc::new(Drag { coefficient: 0.3, wind: vec![0.0; 3] }),
        Arc::new(Drag { coefficient: 0.3, wind: vec![2.0, 0.0, 1.0] }),
        Arc::new(ChangingGravity { acceleration: curve::constant(&[0.5, -9.81, 0.25]) }),
        Arc::new(ChangingDrag::new(Animated::number(0.3), curve::constant(&[2.0, 0.0, 1.0]))),
        Arc::new(SpringDamping { coefficient: coefficient.clone() }),
        Arc::new(SpringFriction { coefficient }),
    ];
    for name in law::LAW_NAMES {
        let law: Arc<dyn SpringLaw> =
            read(LAWS, name, HERE, |name, options| law::read(name, options)).into();
        for part in [Part::Held, Part::Bending] {
            forces.push(Arc::new(ElasticSprings { law: Arc::clone(&law), part }));
        }
    }
    for name in applied::FORCE_NAMES {
        let force = read(APPLIED, name, HERE, |name, options| applied::read(name, options));
        forces.push(Arc::from(force as Box<dyn Force>));
    }
    forces
}

/// A chain of four nodes in space with bending springs.
fn model() -> Model {
    let spring = |a: usize, b: usize| Spring { a, b, stiffness: 20.0, rest_length: (b - a) as f64 };
    Model {
        axes: 3,
        mass: vec![0.5, 1.0, 2.0, 1.5],
        pinned: vec![true, false, false, false],
        springs: vec![spring(0, 1), spring(1, 2), spring(2, 3), spring(0, 2), spring(1, 3)],
        structural: 3,
        held: 3,
        arrangement: Arrangement::Chain,
        parts: Vec::new(),
    }
}

/// Nodes that are not collinear, above and below y = 0.5; moving or not.
fn state(is_moving: bool) -> State {
    let n = 4;
    let at = |index: usize| {
        let (axis, i) = (index / n, index % n);
        let along = if axis == 0 { 1.1 * i as f64 } else { 0.0 };
        along + ((index * 7919) % 13) as f64 / 13.0
    };
    let v = |index: usize| {
        if is_moving { ((index * 6007) % 11) as f64 / 11.0 - 0.5 } else { 0.0 }
    };
    State { t: 0.0, x: (0..3 * n).map(at).collect(), v: (0..3 * n).map(v).collect() }
}

fn force_at(force: &dyn Force, body: &Body<'_>, state: &State) -> Vec<f64> {
    let mut f = vec![0.0; state.x.len()];
    force.add_to(body, state, &mut f);
    f
}

/// (f(+h) - f(-h)) / 2h for one coordinate of positions or velocities.
fn difference(
    force: &dyn Force,
    body: &Body<'_>,
    state: &State,
    coordinate: impl Fn(&mut State) -> &mut f64,
) -> Vec<f64> {
    const H: f64 = 1e-6;
    let at = |by: f64| {
        let mut state = state.clone();
        *coordinate(&mut state) += by;
        force_at(force, body, &state)
    };
    at(H).iter().zip(at(-H)).map(|(more, less)| (more - less) / (2.0 * H)).collect()
}

/// Derivatives by positions (at rest) or by velocities (moving), as stated by the force, by row and
/// column.
fn jacobian(force: &dyn Force, body: &Body<'_>, state: &State, by_x: bool) -> Vec<Vec<f64>> {
    let n = body.model.nodes();
    let mut found = vec![vec![0.0; 3 * n]; 3 * n];
    let mut take = |entry: &catena::sim::Entry| {
        let block = if by_x { entry.by_x } else { entry.by_v };
        for (row, values) in block.iter().enumerate() {
            for (column, value) in values.iter().enumerate() {
                found[row * n + entry.i][column * n + entry.j] += value;
            }
        }
    };
    force.add_jacobian(body, state, &mut Blocks::new(false, &mut take));
    found
}

#[test]
fn every_derivative_is_that_of_the_force() {
    let (model, springs) = (model(), SpringMemory::default());
    let body = Body { model: &model, springs: &springs };
    for force in forces(&model) {
        // The derivative of friction along springs omits the rotation of their direction, which is
        // zero at rest.
        for (state, by_x) in [(state(false), true), (state(true), false)] {
            let analytic = jacobian(force.as_ref(), &body, &state, by_x);
            let count = state.x.len();
            for (row, column) in (0..count * count).map(|place| (place / count, place % count)) {
                let found = difference(force.as_ref(), &body, &state, |state| {
                    if by_x { &mut state.x[column] } else { &mut state.v[column] }
                })[row];
                let analytic = analytic[row][column];
                assert!(
                    (analytic - found).abs() < 1e-5 * (1.0 + found.abs()),
                    "{force:?}: the derivative of {row} by {column} is {found}, \
                     add_jacobian says {analytic}"
                );
            }
        }
    }
}

#[test]
fn what_is_stored_is_the_potential_of_the_force() {
    let (model, springs) = (model(), SpringMemory::default());
    let body = Body { model: &model, springs: &springs };
    let state = state(true);
    for force in forces(&model) {
        let energy = force.energy();
        let whole = force_at(force.as_ref(), &body, &state);
        let mut rest = vec![0.0; whole.len()];
        match energy {
            ForceEnergy::Stored(_) => {}
            ForceEnergy::Booked(_) => rest.clone_from(&whole),
            ForceEnergy::Split(_, unstored) => {
                unstored.add_unstored(&body, &state, &mut rest);
                assert!(rest.iter().any(|f| *f != 0.0), "{force:?} stores all of it");
            }
        }
        for (index, (whole, rest)) in whole.iter().zip(&rest).enumerate() {
            let at = |by: f64| {
                let mut state = state.clone();
                state.x[index] += by;
                energy.potential(&body, &state)
            };
            let stored = (at(-1e-5) - at(1e-5)) / 2e-5;
            let off = (whole - rest - stored).abs();
            assert!(off < 1e-5 * (1.0 + stored.abs()), "{force:?} on {index}: off by {off:e}");
        }
    }
}

#[test]
fn load_and_rest_are_those_of_the_force() {
    let (model, springs) = (model(), SpringMemory::default());
    let body = Body { model: &model, springs: &springs };
    let (n, state) = (model.nodes(), state(false));
    for force in forces(&model) {
        let f = force_at(force.as_ref(), &body, &state);
        let sum = |axis: usize| f[axis * n..][..n].iter().sum::<f64>();
        let total = (0..3).map(|axis| sum(axis) * sum(axis)).sum::<f64>().sqrt();
        let load = force.load(&model);
        match force.at_rest() {
            AtRest::Nothing => {
                assert!(f.iter().all(|f| *f == 0.0), "{force:?} acts on a body at rest");
                assert_eq!(load, 0.0, "{force:?}");
            }
            AtRest::Weight(g) => {
                for (index, f) in f.iter().enumerate() {
                    assert_eq!(*f, model.mass[index % n] * g[index / n], "{force:?}");
                }
                assert!((load - total).abs() < 1e-12 * total, "{force:?}: {load} for {total}");
            }
            AtRest::Springs { .. } => {
                assert!(total < 1e-12, "{force:?} pulls the whole body");
                assert_eq!(load, 0.0, "{force:?}");
            }
            // An elastic force only reacts: it is at most as large as the forces on it.
            AtRest::Other if force.energy().store() == Some(Store::Elastic) => {
                assert_eq!(load, 0.0, "{force:?}");
            }
            // The force of a fluid depends on the position, and its load is the force at the worst
            // position.
            AtRest::Other if FLUIDS.contains(&force.name()) => {
                assert!(load.is_finite() && load >= total, "{force:?}: {load} for {total}");
            }
            AtRest::Other => {
                assert!((load - total).abs() < 1e-12 * total, "{force:?}: {load} for {total}");
                assert!(load > 0.0, "{force:?}");
            }
        }
    }
}

#[test]
fn resistance_is_what_every_node_feels() {
    let (model, springs) = (model(), SpringMemory::default());
    let body = Body { model: &model, springs: &springs };
    for force in forces(&model).iter().filter(|force| force.resistance() != 0.0) {
        let analytic = jacobian(force.as_ref(), &body, &state(true), false);
        for (row, values) in analytic.iter().enumerate() {
            for (column, value) in values.iter().enumerate() {
                let expected = if row == column { -force.resistance() } else { 0.0 };
                assert_eq!(*value, expected, "{force:?}");
            }
        }
    }
}
