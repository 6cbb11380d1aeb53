//! The field `slips`: labels, refusals, comparison of panels, and messages about stability.

use crate::{scene, scene_of};
use catena::analysis::stability::{predict::predict, warning, warning_amount};
use catena::scene::{Patch, Scene, SceneText, comparability::notes, load};
use catena::sim::{Setup, Simulation};
use std::sync::Arc;

/// Labels of the panels of a scene under changes from the command line.
fn labels(name: &str, patches: &[&str]) -> Vec<String> {
    scene(name, patches).panels.into_iter().map(|panel| panel.label).collect()
}

#[test]
fn labels_name_the_slips() {
    for (name, patches, expected) in [
        (
            "compare",
            &["slips=[ForcesNotCleared]"][..],
            &["Semi-implicit Euler, forces not cleared", "Constraint Verlet, forces not cleared"][..],
        ),
        (
            "limit_16_nodes",
            &["slips=[InPlace, Float32]"],
            &["9 substeps, updated in place, float32", "10 substeps, updated in place, float32"],
        ),
        // A label that already names the slip stays unchanged.
        ("slip_float32", &["slips=[Float32]"], &["float, float32"]),
        ("slip_gravity_as_force", &["slips=[]"], &["forces += mass * gravity"]),
        (
            "eight_methods",
            &["integrator=Rk4", "slips=[FrozenNeighbours]"],
            &["Runge-Kutta 4, frozen neighbours"],
        ),
    ] {
        assert_eq!(labels(name, patches), expected, "{name} {patches:?}");
    }
    let scene = scene_of("Scene(base: (slips: [Float32]), panels: [(with: (integrator: Rk4))])");
    assert_eq!(scene.panels[0].label, "Runge-Kutta 4, float32");
}

/// Settings to which a slip does not apply, and words of the message.
const REFUSED: &[(&str, &str)] = &[
    ("slips: [GravityAsForce]", "with masses of 1, gravity as a force changes nothing"),
    ("slips: [DampingReversed]", "there is no damping inside springs: set `damping`"),
    (
        "rope: (damping: 1), slips: [DampingReversed(reversed: false, by_component: false)]",
        "`reversed` of DampingReversed is out of range: expected true or false; `reversed` and `by_component` must not both be false",
    ),
    (
        "integrator: Rk4, step_control: StepDoubling, slips: [ForcesNotCleared]",
        "ForcesNotCleared needs fixed steps: remove `step_control`, which is StepDoubling here",
    ),
    (
        "integrator: Shake, slips: [StrainAsForce]",
        "StrainAsForce is a slip of spring forces, but Shake corrects lengths instead",
    ),
    (
        "rope: (end: (-15, 200)), slips: [StrainAsForce]",
        "with springs of rest length 1, strain and elongation are equal",
    ),
    (
        "integrator: Shake, slips: [DirectionNotNormalized]",
        "DirectionNotNormalized is a slip of spring forces, but Shake corrects lengths instead",
    ),
    (
        "rope: (law: TensionOnly), slips: [DirectionNotNormalized]",
        "DirectionNotNormalized is a slip of springs with law: Hooke, but the law here is TensionOnly",
    ),
    ("drag: 0, slips: [DragPerSpring]", "there is no drag: set `drag`"),
    (
        "rope: (nodes: 2), slips: [GravityPerSpring]",
        "GravityPerSpring needs a free node with more than one spring, but here each has only one",
    ),
    (
        "integrator: Shake, slips: [SpringSignReversed]",
        "SpringSignReversed is a slip of spring forces, but Shake corrects lengths instead",
    ),
    (
        "rope: (law: TensionOnly), slips: [ReactionForgotten]",
        "ReactionForgotten is a slip of springs with law: Hooke, but the law here is TensionOnly",
    ),
    (
        "integrator: ImplicitEuler, slips: [ReactionForgotten]",
        "ReactionForgotten is a slip of explicit methods, but ImplicitEuler is implicit",
    ),
    (
        "slips: [SpringSignReversed, ReactionForgotten]",
        "there are no linear springs for ReactionForgotten, or another slip has replaced them",
    ),
    (
        "integrator: Rk4, slips: [LastIsNew]",
        "LastIsNew is a slip of ForceVerlet and ConstraintVerlet, but the method here is Rk4",
    ),
    ("drag: 0, slips: [DragReversed]", "there is no drag: set `drag`"),
    (
        "integrator: Rk4, slips: [VerletDampingReversed]",
        "VerletDampingReversed is a slip of ForceVerlet and ConstraintVerlet, but the method here is Rk4",
    ),
    (
        "integrator: ForceVerlet, slips: [VerletDampingReversed]",
        "the method has no damping: set the option `damping` of the method",
    ),
    (
        "integrator: ForceVerlet(damping: 0.1), slips: [Float32, VerletDampingReversed]",
        "VerletDampingReversed replaces the steps of the method, which Float32 changes too",
    ),
    (
        "slips: [FrozenNeighbours]",
        "FrozenNeighbours is a slip of Rk4, Midpoint and Heun, but the method here is SemiImplicitEuler",
    ),
    ("slips: [NoSpringForces]", "NoSpringForces is a slip of ImplicitEuler"),
    (
        "integrator: Rk4, slips: [InPlace]",
        "InPlace is a slip of ExplicitEuler and SemiImplicitEuler",
    ),
    ("rope: (nodes: 1025), slips: [InPlace]", "at most 1024 nodes, not 1025"),
    ("slips: [OldAcceleration]", "OldAcceleration is a slip of VelocityVerlet"),
    ("slips: [SharedHistory]", "SharedHistory is a slip of AdamsBashforth2, AdamsBashforth3,"),
    ("slips: [DtInFrames]", "with a frame_time of 1, a frame is already a unit of time"),
    ("slips: [NewDirection]", "NewDirection is a slip of Shake"),
    ("slips: [GrowthExponent]", "GrowthExponent is a slip of step_control: StepDoubling"),
    (
        "integrator: Rk4, step_control: StepDoubling, slips: [GrowthExponent]",
        "0.2 is the right exponent for Rk4, which has order 4",
    ),
    ("slips: [GridByTruncation]", "there is no contact of nodes with each other"),
    (
        "contact: (thickness: 5), slips: [GridByTruncation, LaterRoot]",
        "the list has another slip of self-contact",
    ),
    ("slips: [Float32, Float32]", "Float32 is in the list twice"),
    (
        "slips: [ForcesNotCleared, InPlace]",
        "InPlace replaces the steps of the method, which ForcesNotCleared changes too",
    ),
    ("slips: [GravityAsForc]", "there is no slip `GravityAsForc`"),
];

#[test]
fn slips_that_do_not_fit_are_refused_with_what_fits() {
    for (settings, expected) in REFUSED {
        let text = format!("Scene(base: ({settings}))");
        let text = SceneText { origin: "test.ron".into(), name: "test".into(), text };
        let error = load(&text, &[] as &[Patch]).unwrap_err().to_string();
        assert!(error.contains(expected), "{settings}: {error}");
        assert!(error.contains("test.ron:1:"), "{settings}: {error}");
    }
}

#[test]
fn panels_with_slips_are_not_of_equal_physics() {
    let message = notes(&scene("slip_forces_not_cleared", &[])).join("\n");
    let expected = "Slips differ: ForcesNotCleared in \"forces += … for ever\", \
                    none in \"forces = 0 in each step\". A slip is a deliberate mistake";
    assert!(message.contains(expected), "{message}");
}

#[test]
fn no_limit_is_predicted_for_a_slip_that_changes_it() {
    let setup = |settings: &str| {
        scene_of(&format!("Scene(base: ({settings}))")).panels[0].bodies[0].setup.clone()
    };
    let (correct, slipped) = (
        setup("integrator: Rk4, substeps: 1"),
        setup("integrator: Rk4, substeps: 1, slips: [FrozenNeighbours]"),
    );
    assert!(predict(&correct).is_some() && predict(&slipped).is_none());
    let warned = |setup| warning(setup, 10, warning_amount(1));
    assert!(warned(&correct).is_some() && warned(&slipped).is_none());
    // Springs of stiffness k/l have the limit for this stiffness.
    let [soft, strain] =
        ["rope: (stiffness: 5, nodes: 21)", "rope: (nodes: 21), slips: [StrainAsForce]"]
            .map(|settings| predict(&setup(settings)).unwrap().longest_step.unwrap());
    assert!((soft / strain - 1.0).abs() < 1e-9, "{soft} {strain}");
}

#[test]
fn a_step_in_frames_leaves_the_frame_time_of_the_scene() {
    let scene = scene("slip_dt_in_frames", &[]);
    assert_eq!(scene.panels[0].bodies[0].setup.frame_time, 1.0);
    assert!((scene.frame_time() - 1.0 / 60.0).abs() < 1e-15);
}

#[test]
fn what_depends_on_the_step_follows_a_slip_and_a_change_of_it() {
    let body = "gravity: (0, -1), substeps: 4, contact: (viscous: 1), \
                colliders: [Plane(point: (0, -1), normal: (0.3, 1))], \
                anchors: [(node: 0, velocity: (0.3, -1), stops_at_colliders: true)], \
                rope: (start: (0, 0), end: (2, 0), nodes: 6, stiffness: 1, pins: [0])";
    let end = |setup: Setup| {
        let mut simulation = Simulation::new(Arc::new(setup));
        (0..30).for_each(|_| simulation.advance_frame());
        assert!(simulation.state().is_finite());
        simulation.state().x.clone()
    };
    let setup = |more: &str| {
        let scene: Scene = format!("Scene(base: ({body}, {more}))").parse().unwrap();
        Setup::clone(&scene.panels[0].bodies[0].setup)
    };
    let [plain, slipped] = ["frame_time: 1.0", "frame_time: 0.1, slips: [DtInFrames]"].map(setup);
    assert_eq!(end(slipped), end(plain.clone()));
    let fine = setup("frame_time: 0.1");
    assert_eq!(end(fine.clone().with_steps(1.0, 4)), end(plain.clone()));
    assert_ne!(end(Setup { frame_time: 1.0, ..fine }), end(plain), "both depend on the step");
}
