//! The cases: setups to time, their references and their goals.

use crate::bodies::{self, NODES};
use crate::{topologies, touching};
use catena_sim::body::Body;
use catena_sim::body::shape::Topology;
use catena_sim::contact::collider::{COLLIDER_NAMES, Capsule, Moving, Plane, Sphere, Surface};
use catena_sim::contact::{DrawnContact, PartContact, SelfContact};
use catena_sim::drive::curve::Linear;
use catena_sim::drive::motion::Travel;
use catena_sim::drive::rig::RotationTrack;
use catena_sim::drive::track::{Animated, KeyTrack};
use catena_sim::force::applied::{
    Buoyancy, FORCE_NAMES, FacetDrag, LineDrag, PenaltyGround, PointDrag, PointForce,
};
use catena_sim::force::law::{self, LAW_NAMES};
use catena_sim::glam::DVec3;
use catena_sim::method::{
    METHODS, Midpoint, Rk4, SemiImplicitEuler, VelocityVerlet, with_defaults,
};
use catena_sim::run::SetupBuilder;
use catena_sim::{Components, Curve, Force, Setup, State};
use serde::de::value::{Error, MapDeserializer};
use std::sync::Arc;

/// Steps per frame, and the duration of a frame.
const SUBSTEPS: u64 = 64;
const FRAME: f64 = 1.0 / 240.0;

/// A setup to time, with its reference.
pub struct Case {
    pub group: &'static str,
    pub name: String,
    pub setup: Arc<Setup>,
    /// Number of force evaluations per step, or 1 for methods whose cost is not in force
    /// evaluations.
    pub evaluations: u64,
    /// The setup to compare with: by default semi-implicit Euler on the same body, without extras.
    pub reference: Arc<Setup>,
    /// Maximum ratio.
    pub goal: Option<f64>,
}

/// A setup of a body without any extras.
pub fn plain(shape: &dyn Topology) -> SetupBuilder {
    let axes = shape.build().unwrap().0.axes;
    let gravity = [0.0, -9.81, 0.0][..axes].to_vec();
    Setup::new(shape).gravity(gravity).frames(FRAME, SUBSTEPS)
}

pub fn case(
    group: &'static str,
    name: impl Into<String>,
    shape: &dyn Topology,
    goal: impl Into<Option<f64>>,
    with: impl FnOnce(SetupBuilder) -> SetupBuilder,
) -> Case {
    let setup = with(plain(shape)).check().unwrap();
    let cost = setup.method.cost();
    let evaluations = if cost.sweeps + cost.solutions > 0 { 1 } else { cost.evaluations };
    let reference = plain(shape).check().unwrap();
    Case { group, name: name.into(), setup, evaluations, reference, goal: goal.into() }
}

/// All cases, in the order of the table.
pub fn all() -> Vec<Case> {
    let groups = [
        methods,
        features,
        contacts,
        moving,
        laws_and_forces,
        cloths,
        cloth_methods,
        bodies_of_parts,
        touching::all,
        topologies::all,
    ];
    groups.iter().flat_map(|group| group()).collect()
}

/// Maximum ratio of a method on a rope.
fn goal(method: &str) -> Option<f64> {
    Some(match method {
        "ExplicitEuler" | "SemiImplicitEuler" => 1.05,
        "VelocityVerlet" | "PositionVerlet" | "Leapfrog" => 1.5,
        "StormerVerlet" | "ForceVerlet" | "Midpoint" | "Heun" | "Rk4" | "Yoshida4" => 2.0,
        name if name.starts_with("Adams") || name.starts_with("LectureAdams") => 2.0,
        "ConstraintVerlet" => 2.0,
        "Pbd" => 20.0,
        "Xpbd" => 25.0,
        "Shake" => 60.0,
        "ImplicitEuler" => 10.0,
        "ImplicitMidpoint" => 40.0,
        _ => return None,
    })
}

fn methods() -> Vec<Case> {
    let method = |group: &'static str, name: &'static str, shape: &dyn Topology| {
        case(group, name, shape, goal(name), |setup| setup.method_of(with_defaults(name).unwrap()))
    };
    let names = METHODS.iter().map(|info| info.name);
    let in_plane = names.clone().map(|name| method("rope", name, &bodies::rope(NODES)));
    let in_space = ["VelocityVerlet", "Rk4"].into_iter();
    let in_space =
        in_space.map(|name| method("rope in space", name, &bodies::rope_in_space(NODES)));
    in_plane.chain(in_space).collect()
}

fn features() -> Vec<Case> {
    let rope = bodies::rope(NODES);
    vec![
        case("rope", "drag", &rope, 1.1, |setup| setup.drag(0.01)),
        case("rope", "wind", &rope, 1.1, |setup| setup.drag(0.01).wind([1.0, 0.5])),
        case("rope", "friction along springs", &rope, 2.5, |setup| setup.spring_damping(0.01)),
        case("rope", "whole friction", &rope, 2.5, |setup| setup.spring_friction(0.01)),
        case("rope", "bending springs", &rope, 2.5, |_| plain(&bodies::rope(NODES).bending(0.5))),
        case("rope", "breaking springs", &rope, None, |setup| setup.breaks_at(10.0)),
        case("rope", "velocity factor", &rope, None, |setup| setup.velocity_factor(0.999)),
        case("rope", "a force of one's own", &rope, None, |setup| setup.force(Own {})),
        case("rope", "ledger-free velocity Verlet with friction", &rope, None, |setup| {
            setup.method(VelocityVerlet::default()).spring_damping(0.01)
        }),
    ]
}

/// A force that no kernel supports. It acts on the last node only.
#[derive(Debug)]
struct Own {}
catena_sim::identity!(Own {});

impl Force for Own {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let last = body.model.nodes() - 1;
        f[last] += 0.001 * state.x[last];
    }

    fn add_jacobian(&self, _: &Body<'_>, _: &State, _: &mut catena_sim::Blocks<'_>) {}

    fn load(&self, _: &catena_sim::Model) -> f64 {
        0.0
    }

    fn at_rest(&self) -> catena_sim::force::AtRest<'_> {
        catena_sim::force::AtRest::Nothing
    }

    fn energy(&self) -> catena_sim::force::ForceEnergy<'_> {
        catena_sim::force::ForceEnergy::Booked(catena_sim::force::Account::External)
    }
}

/// One case for each name in the tables of laws and of listed forces.
fn laws_and_forces() -> Vec<Case> {
    let (rope, cloth) = (bodies::rope(NODES), bodies::cloth());
    let law = |name: &'static str| {
        let options: &[(&str, f64)] = match name {
            "Viscoelastic" => &[("creep", 0.5), ("time", 1.0)],
            _ => &[],
        };
        let options = || MapDeserializer::<_, Error>::new(options.iter().copied());
        let goal = if name == "Hooke" { 1.05 } else { 3.5 };
        case("rope", format!("law {name}"), &rope, goal, |setup| {
            setup.law_of(law::read(name, options()).unwrap().unwrap().into())
        })
    };
    let force = |name: &&'static str| {
        let shape: &dyn Topology = if *name == "FacetDrag" { &cloth } else { &rope };
        let group = if *name == "FacetDrag" { "cloth" } else { "rope" };
        let force = applied(name, NODES);
        case(group, format!("force {name}"), shape, 2.0, |setup| setup.force_of(force))
    };
    // A route needs guides, and `benches/prices.py` has some.
    let forces = FORCE_NAMES.iter().filter(|name| **name != "Route");
    LAW_NAMES.iter().map(|name| law(name)).chain(forces.map(force)).collect()
}

/// A listed force on a body of `nodes` nodes, with usual options. The force acts on few nodes or is
/// far away.
pub fn applied(name: &str, nodes: usize) -> Arc<dyn Force> {
    let (density, diameter) = (1.2, 0.01);
    match name {
        "PointForce" => Arc::new(PointForce {
            node: nodes - 1,
            force: Components::from([0.1, 0.0]),
            from: 0.0,
            until: f64::INFINITY,
        }),
        "PenaltyGround" => Arc::new(PenaltyGround {
            height: -1e3,
            repulsion: 100.0,
            friction: 0.1,
            absorption: 0.1,
        }),
        "LineDrag" => {
            let (across, along) = (1.2, 0.02);
            Arc::new(LineDrag { density, diameter, across, along, flow: None, part: None })
        }
        "FacetDrag" => {
            let (pressure, friction, lift) = (1.0, 0.0, 0.0);
            Arc::new(FacetDrag { density, pressure, friction, lift, flow: None })
        }
        "Buoyancy" => {
            let (gravity, surface) = (9.81, None);
            Arc::new(Buoyancy { density, diameter, gravity, surface, part: None })
        }
        "PointDrag" => Arc::new(PointDrag { node: nodes - 1, density, area: 0.01, flow: None }),
        name => panic!("the force {name} has no case"),
    }
}

pub const SMOOTH: Surface = Surface { restitution: 0.0, friction: 0.0 };

fn contacts() -> Vec<Case> {
    let (rope, in_space) = (bodies::rope(NODES), bodies::rope_in_space(NODES));
    assert!(COLLIDER_NAMES.contains(&"Plane") && COLLIDER_NAMES.contains(&"Sphere"));
    let plane = || Plane {
        point: Components::from([0.0, -5.0]),
        normal: Components::from([0.0, 1.0]),
        restitution: 0.0,
        friction: 0.0,
    };
    let ball = |center: [f64; 3], radius| Sphere {
        center: Components::from(center),
        radius,
        restitution: 0.0,
        friction: 0.0,
    };
    let own = SelfContact { thickness: 0.0005, surface: SMOOTH };
    let drawn = |parts: usize, thickness| DrawnContact {
        parts: vec![PartContact { thickness, surface: SMOOTH }; parts],
    };
    vec![
        case("rope", "a plane that nothing touches", &rope, 1.5, |s| s.collider(plane())),
        case("rope in space", "a ball that nothing touches", &in_space, 1.5, |s| {
            s.collider(ball([3.0, 0.0, 0.0], 1.0))
        }),
        case("rope", "self-contact that nothing touches", &rope, 5.0, |s| s.self_contact(own)),
        case("rope in space", "self-contact that nothing touches", &in_space, 5.0, |s| {
            s.self_contact(own)
        }),
        case("rope", "segments that nothing touches", &rope, 3.0, |s| {
            s.drawn_contact(drawn(1, 0.0005))
        }),
        case("rope in space", "segments that nothing touches", &in_space, 3.0, |s| {
            s.drawn_contact(drawn(1, 0.0005))
        }),
        case("cloth", "facets that nothing touches", &bodies::cloth(), 3.0, |s| {
            s.drawn_contact(drawn(1, 0.005))
        }),
        case("cloth", "over a ball", &bodies::cloth(), 2.5, |s| {
            s.collider(ball([0.5, -0.25, 0.5], 0.2))
        }),
    ]
}

/// Rotating colliders, each compared with the same collider at rest.
fn moving() -> Vec<Case> {
    let (rope, in_space) = (bodies::rope(NODES), bodies::rope_in_space(NODES));
    let cloth = bodies::cloth();
    let pair = |name, body, shape: &dyn Topology, goal: Option<f64>, place: [f64; 3]| {
        let axes = shape.build().unwrap().0.axes;
        let at = |point: [f64; 3]| match axes {
            2 => Components::from([point[0], point[1]]),
            _ => Components::from(point),
        };
        let (a, b) = (at([-0.3, 0.0, 0.0]), at([0.3, 0.0, 0.0]));
        let rod = || Capsule { a, b, radius: 0.05, restitution: 0.0, friction: 0.0 };
        let turning = |rate: f64| {
            let angle = KeyTrack::linear(&[(0.0, [0.0]), (1e6, [rate * 1e6])]).unwrap();
            let axis = if axes == 2 { DVec3::Z } else { DVec3::new(0.2, 1.0, 0.1) };
            let turn = RotationTrack::about(axis, Animated::moving(angle)).unwrap();
            let along: Arc<dyn Curve> = Arc::new(Linear { keys: vec![(0.0, at(place))] });
            Moving::new(rod(), Travel { along: Some(along), turn: Some(turn) })
        };
        let [x, y, z] = place;
        let standing = Capsule { a: at([x - 0.3, y, z]), b: at([x + 0.3, y, z]), ..rod() };
        let reference = plain(shape).collider(standing).check().unwrap();
        let case = case(body, name, shape, goal, |setup| setup.collider(turning(3.0)));
        Case { reference, ..case }
    };
    let (far, close) = ("a capsule that turns far away", "a capsule that turns close by");
    vec![
        pair(far, "rope", &rope, Some(1.5), [3.0, 0.0, 0.0]),
        pair(far, "rope in space", &in_space, Some(1.5), [3.0, 0.0, 0.0]),
        pair(far, "cloth", &cloth, Some(1.5), [3.0, 0.0, 0.0]),
        pair(close, "rope", &rope, None, [0.0, -0.7, 0.0]),
        pair(close, "cloth", &cloth, None, [0.5, -1.0, 0.5]),
    ]
}

fn cloths() -> Vec<Case> {
    let cloth = bodies::cloth();
    vec![
        case("cloth", "friction along springs", &cloth, 2.0, |s| s.spring_damping(0.01)),
        case("cloth", "whole friction", &cloth, 2.0, |s| s.spring_friction(0.01)),
        case("cloth", "drag", &cloth, 1.1, |s| s.drag(0.01)),
    ]
}

fn cloth_methods() -> Vec<Case> {
    let cloth = bodies::cloth();
    let goal = |name: &str| match name {
        "VelocityVerlet" => Some(2.0),
        "Xpbd" => Some(12.0),
        "ImplicitEuler" => Some(30.0),
        _ => None,
    };
    let names = METHODS.iter().map(|info| info.name).filter(|name| *name != "Shake");
    let method = |name: &'static str| {
        case("cloth", name, &cloth, goal(name), |setup| {
            setup.method_of(with_defaults(name).unwrap())
        })
    };
    names.map(method).collect()
}

fn bodies_of_parts() -> Vec<Case> {
    let part = plain(&bodies::rope(NODES)).check().unwrap();
    let against_rope = |case: Case| Case { reference: Arc::clone(&part), ..case };
    let parts = |name: &str, with: fn(SetupBuilder) -> SetupBuilder| {
        let (three, one) = (bodies::three_ropes(), bodies::rope(NODES));
        let reference = with(plain(&one)).check().unwrap();
        // Both setups take the same number of evaluations, so steps are compared.
        Case { evaluations: 1, reference, ..case("three ropes", name, &three, 1.3, with) }
    };
    vec![
        parts("beside one, semi-implicit Euler", |s| s.method(SemiImplicitEuler {})),
        parts("beside one, midpoint", |s| s.method(Midpoint {})),
        parts("beside one, Runge-Kutta 4", |s| s.method(Rk4 {})),
        against_rope(case("graph", "springs in no order", &bodies::tree(NODES), 4.0, |s| s)),
    ]
}
