//! The public interface of the physics, as seen by a program that only uses catena-sim. Invalid
//! input is an error with a message, and a setup that is made invalid by hand does not move and
//! gives the reason.

use catena::sim::{
    BadSetup, Budget, Cloth, Rope, Setup, SetupBuilder, Simulation,
    body::{Model, State},
    contact::{
        SelfContact,
        collider::{Sphere, Surface},
    },
    drive::curve::Linear,
    force::{Drag, Gravity, applied::PointForce, law::Exponential},
    method::{ConstraintVerlet, Pbd, Shake, Xpbd},
};
use std::sync::Arc;

fn rope() -> Rope {
    Rope::new([0.0, 0.0], [1.0, 0.0], 16).of(0.01, 1000.0).pin(0)
}

fn sphere(center: [f64; 3], radius: f64) -> Sphere {
    Sphere { center: center.into(), radius, restitution: 0.0, friction: 0.0 }
}

fn begun() -> SetupBuilder {
    Setup::new(&rope())
}

/// The fault, a setup that has it, and the start of the message.
type Wrong = (&'static str, SetupBuilder, &'static str);

fn wrong_ropes() -> Vec<Wrong> {
    vec![
        (
            "a pin too far",
            Setup::new(&rope().pin(99)),
            "pins[1]: there is no node 99: nodes are numbered from 0 to 15",
        ),
        (
            "one node",
            Setup::new(&Rope::new([0.0, 0.0], [1.0, 0.0], 1)),
            "nodes: expected from 2 to",
        ),
        (
            "no nodes",
            Setup::new(&Rope::new([0.0, 0.0], [1.0, 0.0], 0)),
            "nodes: expected from 2 to",
        ),
        (
            "too many nodes",
            Setup::new(&Rope::new([0.0, 0.0], [1.0, 0.0], usize::MAX)),
            "nodes: expected from 2 to",
        ),
        (
            "one dimension",
            Setup::new(&Rope::new([0.0], [1.0], 4)),
            "start: expected 2 components, or 3 in all vectors, found 1",
        ),
        (
            "ends of plane and space",
            Setup::new(&Rope::new([0.0, 0.0], [1.0, 0.0, 0.0], 4)),
            "end: expected 2 components",
        ),
        (
            "an end that is no number",
            Setup::new(&Rope::new([0.0, f64::NAN], [1.0, 0.0], 4)),
            "start: expected finite numbers, found NaN",
        ),
    ]
}

fn wrong_materials() -> Vec<Wrong> {
    vec![
        (
            "no length",
            Setup::new(&Rope::new([1.0, 0.0], [1.0, 0.0], 4)),
            "springs[0].rest_length: expected a finite number above 0, found 0",
        ),
        (
            "no mass",
            Setup::new(&rope().of(0.0, 1.0)),
            "mass[0]: expected a finite number above 0, found 0",
        ),
        (
            "a mass that is no number",
            Setup::new(&rope().of(f64::NAN, 1.0)),
            "mass[0]: expected a finite number above 0, found NaN",
        ),
        (
            "stiffness below 0",
            Setup::new(&rope().of(1.0, -1.0)),
            "springs[0].stiffness: expected a finite number above 0, found -1",
        ),
        (
            "bending that is no number",
            Setup::new(&rope().bending(f64::NAN)),
            "bending: expected a finite number of at least 0, found NaN",
        ),
    ]
}

fn wrong_cloths() -> Vec<Wrong> {
    vec![
        (
            "a cloth of one row",
            Setup::new(&Cloth::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], (1, 5))),
            "rows, columns: expected at least 2 by 2",
        ),
        (
            "a cloth without end",
            Setup::new(&Cloth::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], (usize::MAX, 2))),
            "rows, columns: expected at least 2 by 2",
        ),
        (
            "a cloth of other sides",
            Setup::new(&Cloth::new([0.0; 3], [1.0, 0.0], [0.0, 1.0, 0.0], (5, 5))),
            "across: expected 2 components",
        ),
        (
            "a pin beside the cloth",
            Setup::new(&Cloth::new([0.0; 2], [1.0, 0.0], [0.0, 1.0], (2, 2)).pin(4)),
            "pins[0]: there is no node 4",
        ),
    ]
}

fn wrong_forces_and_laws() -> Vec<Wrong> {
    vec![
        (
            "gravity of space in the plane",
            begun().gravity([0.0, -9.81, 0.0]),
            "gravity: expected 2 finite components, found [0.0, -9.81, 0.0]",
        ),
        (
            "gravity without end",
            begun().gravity([0.0, f64::NEG_INFINITY]),
            "gravity: expected 2 finite components",
        ),
        (
            "drag below 0",
            begun().drag(-1.0),
            "drag: expected a finite number of at least 0, found -1",
        ),
        ("drag that is no number", begun().drag(f64::NAN), "drag: expected a finite number"),
        ("wind without drag", begun().wind([1.0, 0.0]), "wind: wind has no effect without drag"),
        (
            "wind of space",
            begun().drag(1.0).wind([1.0, 0.0, 0.0]),
            "wind: expected 2 finite components",
        ),
        (
            "friction in springs below 0",
            begun().spring_damping(-1.0),
            "spring_damping: expected a finite number",
        ),
        ("a law out of range", begun().law(Exponential { alpha: f64::NAN }), "forces[0].alpha"),
        (
            "a push on no node",
            begun().force(PointForce { node: 16, force: [1.0, 0.0].into(), from: 0.0, until: 1.0 }),
            "forces[2].node",
        ),
        (
            "a force of space",
            begun().force(Gravity { acceleration: vec![0.0; 3] }),
            "forces[2].acceleration",
        ),
        (
            "a wind of no axis",
            begun().force(Drag { coefficient: 1.0, wind: vec![] }),
            "forces[2].wind",
        ),
    ]
}

fn wrong_impulses_velocities_and_curves() -> Vec<Wrong> {
    vec![
        (
            "an impulse on no node",
            begun().impulse(16, 0.0, [1.0, 0.0, 0.0]),
            "impulses[0].node: there is no node 16",
        ),
        (
            "an impulse that is no number",
            begun().impulse(1, 0.0, [f64::NAN, 0.0, 0.0]),
            "impulses[0].impulse[0]: expected a finite number, found NaN",
        ),
        (
            "a velocity of no node",
            begun().velocity(16, [0.0, 0.0]),
            "velocity[0]: expected a node below 16 and 2 components, found node 16 and 2",
        ),
        (
            "a velocity of space",
            begun().velocity(1, [0.0, 0.0, 1.0]),
            "velocity[0]: expected a node below 16",
        ),
        (
            "a curve of a free node",
            begun().anchor(3, Linear { keys: vec![(0.0, [0.0, 0.0].into())] }),
            "anchors[0].node: node 3 cannot be moved: it is not pinned",
        ),
        (
            "a curve of no node",
            begun().anchor(99, Linear { keys: vec![(0.0, [0.0, 0.0].into())] }),
            "anchors[0].node: there is no node 99",
        ),
        (
            "a curve without keys",
            begun().anchor(0, Linear { keys: vec![] }),
            "anchors[0].curve.keys",
        ),
    ]
}

fn wrong_contacts() -> Vec<Wrong> {
    let surface = Surface { restitution: 2.0, friction: 0.0 };
    vec![
        (
            "a ball at no place",
            Setup::new(&Rope::new([0.0; 3], [1.0, 0.0, 0.0], 4))
                .collider(sphere([0.0, f64::NAN, 0.0], 1.0)),
            "colliders[0].center: expected (x, y) or (x, y, z), each a number",
        ),
        (
            "thicker than its springs",
            begun().self_contact(SelfContact { thickness: 0.5, surface }),
            "contact.thickness: 0.5 is more than the length of the shortest spring",
        ),
        ("a ball of space", begun().collider(sphere([0.0; 3], 1.0)), "colliders[0].center"),
        ("a radius below 0", begun().radius(-1.0), "contact.radius"),
        (
            "no thickness",
            begun().self_contact(SelfContact { thickness: 0.0, surface }),
            "contact.thickness",
        ),
        (
            "too much comes back",
            begun().self_contact(SelfContact { thickness: 0.05, surface }),
            "contact.restitution: expected a number from 0 to 1, found 2",
        ),
    ]
}

fn wrong_methods_and_steps() -> Vec<Wrong> {
    vec![
        (
            "no substeps",
            begun().frames(0.1, 0),
            "substeps: expected at least 1 step per frame, found 0",
        ),
        (
            "no time",
            begun().frames(0.0, 1),
            "frame_time: expected a finite number above 0, found 0",
        ),
        (
            "a step too short",
            begun().frames(5e-324, 2),
            "frame_time: frame_time / substeps is too small to be distinguished from 0",
        ),
        (
            "an option out of range",
            begun().method(Pbd { iterations: 0, ..Pbd::default() }),
            "Pbd.iterations: expected a whole number of at least 1",
        ),
        (
            "a tolerance of nothing",
            begun().method(Shake { tolerance: 0.0, ..Shake::default() }),
            "Shake.tolerance",
        ),
        (
            "a compliance below 0",
            begun().method(Xpbd { compliance: Some(-1.0), ..Xpbd::default() }),
            "Xpbd.compliance",
        ),
        (
            "a law that changes nothing",
            begun().law(Exponential { alpha: 1.0 }).method(Shake::default()),
            "law: Shake holds lengths, so the law Exponential would have no effect",
        ),
        (
            "a factor that changes nothing",
            begun().velocity_factor(0.5).method(ConstraintVerlet::default()),
            "velocity_factor: ConstraintVerlet stores motion as positions",
        ),
        (
            "a factor that is no number",
            begun().position_factor(f64::NAN),
            "position_factor: expected a finite number, found NaN",
        ),
        (
            "a spring that breaks at nothing",
            begun().breaks_at(0.0),
            "breaks_at: expected a finite number above 0, found 0",
        ),
    ]
}

#[test]
fn wrong_input_is_an_error_with_words() {
    let tables = [
        wrong_ropes(),
        wrong_materials(),
        wrong_cloths(),
        wrong_forces_and_laws(),
        wrong_impulses_velocities_and_curves(),
        wrong_contacts(),
        wrong_methods_and_steps(),
    ];
    for (name, builder, expected) in tables.into_iter().flatten() {
        let error = builder.check().expect_err(name).to_string();
        assert!(error.starts_with(expected), "{name}: {error}");
    }
}

#[test]
fn a_setup_made_wrong_by_hand_does_not_move_and_says_why() {
    let cases: [(&str, fn(&mut Setup)); 8] = [
        ("substeps", |setup| setup.substeps = 0),
        ("strain_limit", |setup| setup.strain_limit = f64::NAN),
        ("springs[2].b", |setup| setup.model.springs[2].b = 99),
        ("springs[1]", |setup| setup.model.springs[1].b = 1),
        ("pinned", |setup| setup.model.pinned = Vec::new()),
        ("initial.x", |setup| setup.initial = State::default()),
        ("structural, held", |setup| setup.model.held = 99),
        ("mass", |setup| setup.model = Model { axes: 2, ..Model::default() }),
    ];
    for (field, spoil) in cases {
        let mut setup = begun().build().unwrap();
        spoil(&mut setup);
        let mut simulation = Simulation::new(setup);
        simulation.keep_ledger();
        simulation.advance_frame();
        simulation.step();
        let bad: &BadSetup = simulation.bad_setup().expect(field);
        assert_eq!(bad.field, field, "{bad}");
        assert!(simulation.refusal().is_some() && simulation.position(1).is_none(), "{field}");
    }
}

#[test]
fn what_is_not_said_has_defaults_and_positions_go_by_node() {
    let setup = begun().gravity([0.0, -9.81]).check().unwrap();
    assert_eq!((setup.substeps, setup.gravity()), (64, vec![0.0, -9.81]));
    assert!(setup.hangs_as_chain() && setup.strain_limit.is_finite());
    let mut simulation = Simulation::new(Arc::clone(&setup));
    simulation.advance_frame();
    assert!(simulation.bad_setup().is_none() && simulation.refusal().is_none());
    assert_eq!(simulation.positions().len(), 16);
    for (node, position) in simulation.positions().enumerate() {
        assert_eq!(simulation.position(node), Some(position));
        assert_eq!(position, simulation.state().position(16, node));
    }
    assert_eq!((simulation.position(16), simulation.velocity(16)), (None, None));
    assert!(simulation.velocity(15).unwrap()[1] < 0.0);
}

#[test]
fn a_checkpoint_of_another_setup_ends_the_run_in_words() {
    let short = Rope::new([0.0, 0.0], [1.0, 0.0], 8).of(0.01, 1000.0).pin(0);
    let verlet = || begun().method(ConstraintVerlet::default());
    let others = [
        Setup::new(&short).check().unwrap(),
        verlet().check().unwrap(),
        Setup::new(&short).method(ConstraintVerlet::default()).check().unwrap(),
    ];
    for (number, other) in others.into_iter().enumerate() {
        let checkpoint = Simulation::new(other).checkpoint();
        let setup =
            if number < 2 { begun() } else { verlet() }.gravity([0.0, -1.0]).check().unwrap();
        let mut simulation = Simulation::new(setup);
        assert!(!simulation.fits(&checkpoint), "{number}");
        let before = simulation.state().clone();
        simulation.restore(&checkpoint);
        simulation.resume(&checkpoint, 0);
        simulation.advance_frame();
        assert_eq!(simulation.state(), &before, "{number}");
        assert_eq!(simulation.bad_setup().unwrap().field, "checkpoint", "{number}");
        assert!(simulation.refusal().is_some(), "{number}");
    }
}

#[test]
fn steps_of_a_frame_may_be_as_many_as_there_are_numbers() {
    let budget = Budget { work: 1_000_000, pairs: 0 };
    let setup = begun().frames(0.01, u64::MAX).budget(budget).check().unwrap();
    let mut simulation = Simulation::new(setup);
    (0..3).for_each(|_| simulation.advance_frame());
    assert!(simulation.refusal().is_some());
}
