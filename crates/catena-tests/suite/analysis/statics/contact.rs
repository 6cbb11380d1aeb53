//! Rest with contact: contact forces only push, nothing overlaps, and a run that waits for rest has
//! the same result.

use super::{farthest, rope, solved, waited_until_below};
use crate::scene_of;
use catena::analysis::statics::{
    EXACT_FORCE, Equilibrium, Friction, NoRest, Stability, equilibrium_with,
};
use catena::sim::{Collider, Setup, contact::collider::Plane, contact::gaps::Gaps};
use std::sync::Arc;

/// Start of a scene with one rope in the plane.
const PLANE: &str = "gravity: (0, -9.81), frame_time: 0.0166667, substeps: 64,";
/// Start of a scene with one body in space.
const SPACE: &str = "gravity: (0, -9.81, 0), frame_time: 0.0166667, substeps: 64,";

/// Name, fields of the scene, and whether drawn shapes touch.
const CASES: [(&str, &str, &str, bool); 11] = [
    (
        "a line that starts on the floor",
        PLANE,
        "colliders: [Plane(point: (0, 0), normal: (0, 1))],
         rope: (start: (0, 0), end: (2, 1), length: 2.7, nodes: 31, mass: 0.1, stiffness: 2e4, pins: [First, Last]),",
        false,
    ),
    (
        "a rope over a bollard",
        PLANE,
        "colliders: [Sphere(center: (0, 1), radius: 0.5)], contact: (radius: 0.02),
         rope: (shape: Arc(height: 1.9), start: (-1, 0), end: (1, 0.5), nodes: 41, mass: 0.1, stiffness: 2e4, pins: [First, Last]),",
        false,
    ),
    (
        "a rope over a capsule and the floor",
        PLANE,
        "colliders: [Capsule(a: (-0.2, 1), b: (0.4, 1.1), radius: 0.3), Plane(point: (0, 0), normal: (0, 1))],
         contact: (radius: 0.02),
         rope: (shape: Arc(height: 1.8), length: 4.9, start: (-1.8, 0.1), end: (1.9, 0.2), nodes: 41, mass: 0.1, stiffness: 2e4, pins: [First, Last]),",
        false,
    ),
    (
        "a rope with a weight over the edge of a box",
        PLANE,
        "colliders: [Box(center: (0.5, 0), size: (1.4, 0.4))], contact: (radius: 0.05),
         rope: (start: (0.3, 0.5), end: (1.7, 0.5), length: 1.5, nodes: 16, mass: 0.1, weights: [(node: Last, mass: 2)], stiffness: 2e4, pins: [First]),",
        false,
    ),
    (
        "a rope over a ball in space",
        SPACE,
        "colliders: [Capsule(a: (0, 1, -1), b: (0, 1, 1), radius: 0.5)], contact: (radius: 0.02),
         rope: (shape: Arc(height: 1.9), start: (-1, 0, 0), end: (1, 0.5, 0.1), nodes: 31, mass: 0.1, stiffness: 2e4, pins: [First, Last]),",
        false,
    ),
    (
        "a drawn rope over a disc, whose segments touch it",
        PLANE,
        "colliders: [Sphere(center: (0, 1), radius: 0.2)], contact: (of: Drawn, thickness: 0.04),
         rope: (shape: Arc(height: 1.9), start: (-1, 0), end: (1, 0.5), nodes: 21, mass: 0.1, stiffness: 2e4, pins: [First, Last]),",
        true,
    ),
    (
        "a rope on top of a peg, which slides to a side",
        PLANE,
        "colliders: [Sphere(center: (0, 1.5), radius: 0.3)],
         rope: (shape: Points(points: [(-1, 0), (-0.6, 1.5), (0, 2), (0.6, 1.5), (1, 0)]), length: 5, nodes: 41, mass: 0.04, stiffness: 2500, pins: [First, Last]),",
        false,
    ),
    (
        "a rope on top of a ball in space, which slides to a side",
        SPACE,
        "colliders: [Sphere(center: (0, -0.5, 0), radius: 0.4)],
         rope: (start: (-1, 0.2, 0), end: (1, 0.2, 0), length: 2.6, nodes: 31, mass: 0.04, stiffness: 5000, pins: [First, Last]),",
        false,
    ),
    (
        "a clamped rod over a ball",
        PLANE,
        "colliders: [Sphere(center: (0.3, -0.6), radius: 0.4)],
         rope: (start: (-1, 0), end: (1, 0), nodes: 31, mass: 0.04, rod: (bending: 0.5, axial: 2e3, clamps: [(node: First)])),",
        false,
    ),
    (
        "a clamped rod whose end lies on a floor",
        PLANE,
        "colliders: [Plane(point: (0, -0.3), normal: (0, 1))],
         rope: (start: (-1, 0), end: (1, 0), nodes: 31, mass: 0.04, rod: (bending: 0.5, axial: 2e3, clamps: [(node: First)])),",
        false,
    ),
    (
        "a clamped rod over a capsule in space",
        SPACE,
        "colliders: [Capsule(a: (0.3, -0.5, -1), b: (0.3, -0.5, 1), radius: 0.2)],
         rope: (start: (-1, 0, 0), end: (1, 0, 0), nodes: 31, mass: 0.04, rod: (bending: 0.5, torsion: 0.4, axial: 2e3, clamps: [(node: First)])),",
        false,
    ),
];

fn scene(base: &str, fields: &str) -> Arc<Setup> {
    let scene = scene_of(&format!("Scene(base: ({base} {fields}))"));
    Arc::clone(&scene.panels[0].bodies[0].setup)
}

/// Checks the conditions of contact with gaps that are measured independently.
fn check(setup: &Setup, rest: &Equilibrium, name: &str) {
    let size = setup.model.rest_length();
    assert!(rest.residual <= EXACT_FORCE, "{name}: {}", rest.residual);
    assert!(!rest.contacts.is_empty(), "{name}");
    for contact in &rest.contacts {
        assert!(contact.force > 0.0, "{name}: {contact:?}");
        let missed = contact.force / rest.weight * (contact.gap / size);
        assert!(missed.abs() <= 1e-12 && contact.gap.abs() <= 1e-12 * size, "{name}: {contact:?}");
    }
    let gaps = Gaps::new(&setup.contacts, &setup.model, rest.time);
    let deepest = gaps.near(&rest.x, 0.0, &[]);
    assert!(deepest.iter().all(|gap| gap.gap >= -1e-12 * size), "{name}: {deepest:?}");
}

/// The setup, with a start above its rest position.
fn lifted(setup: &Setup, rest: &Equilibrium) -> Setup {
    let (mut lifted, n) = (setup.clone(), setup.model.nodes());
    lifted.initial.x.clone_from(&rest.x);
    for node in (0..n).filter(|&node| !setup.model.pinned[node]) {
        let share = node as f64 / (n - 1) as f64;
        let height = 0.03 * setup.model.rest_length();
        lifted.initial.x[n + node] += height * libm::sin(std::f64::consts::PI * share);
    }
    lifted
}

#[test]
fn contact_pushes_and_nothing_overlaps_as_in_a_run_that_waits() {
    for (name, base, fields, is_drawn) in CASES {
        let setup = scene(base, fields);
        let rest = solved(&setup);
        check(&setup, &rest, name);
        assert_eq!(rest.stability, Stability::Stable, "{name}");
        assert_eq!(rest.left.is_some(), name.contains("on top of"), "{name}");
        // A straight rope that is too long folds in a run; a lifted one comes to rest. In a run,
        // drawn pieces may overlap by a fraction of their thickness, and then tremble.
        let (speed, maximum) = if is_drawn { (1e-8, 1e-5) } else { (1e-11, 1e-9) };
        let apart = farthest(&rest.x, &waited_until_below(&lifted(&setup, &rest), &rest, speed));
        let apart = apart / setup.model.rest_length();
        assert!(apart < maximum, "{name}: {apart:e}");
    }
}

/// A run separates nodes at the end of each step, after gravity has moved them together by g dt².
#[test]
fn nodes_that_keep_apart_rest_where_runs_of_shorter_steps_come_to() {
    let fields = "contact: (thickness: 0.09),
         rope: (start: (-0.02, 1), end: (0.02, 1), length: 2, nodes: 21, mass: 0.1, stiffness: 2e4, pins: [First, Last]),";
    let apart = [64, 128, 256].map(|substeps| {
        let base = PLANE.replace("substeps: 64", &format!("substeps: {substeps}"));
        let setup = scene(&base, fields);
        let rest = solved(&setup);
        check(&setup, &rest, "nodes");
        farthest(&rest.x, &waited_until_below(&lifted(&setup, &rest), &rest, 1e-11))
    });
    for pair in apart.windows(2) {
        assert!((3.5..4.5).contains(&(pair[0] / pair[1])), "{apart:?}");
    }
}

/// The mooring line of MoorPy's examples with a number of segments: horizontal force, and vertical
/// force at the fairlead.
fn mooring(segments: usize) -> [f64; 2] {
    let (x, z, length, stiffness, weight) = (400.0, 200.0, 500.0, 7.51e12, 800.0);
    let mut setup = rope([x, z], segments + 1, &[0, segments], 1.0);
    let own = length / segments as f64;
    for spring in &mut setup.model.springs {
        (spring.rest_length, spring.stiffness) = (own, stiffness / own);
    }
    // Each node carries half of its segments.
    setup.model.mass.fill(weight * own);
    for end in [0, segments] {
        setup.model.mass[end] *= 0.5;
    }
    let bed: Arc<dyn Collider> = Arc::new(Plane {
        point: [0.0, 0.0].into(),
        normal: [0.0, 1.0].into(),
        restitution: 0.0,
        friction: 0.0,
    });
    setup.contacts.colliders = vec![bed];
    let rest = solved(&setup);
    check(&setup, &rest, "mooring");
    let fairlead = rest.pins[1].force;
    assert!((rest.pins[0].force[0] + fairlead[0]).abs() < 1e-6);
    [-fairlead[0], -fairlead[1]]
}

#[test]
fn a_mooring_line_converges_to_that_of_moorpy() {
    // MoorPy: 202.8103 m of the line are on the seabed, so V = 800 (500 - 202.8103).
    let exact = [96_643.43, 237_751.76];
    let errors = |segments: usize| {
        let found = mooring(segments);
        [0, 1].map(|k| (found[k] / exact[k] - 1.0).abs())
    };
    // No node is at the touchdown point, so the errors scatter about a line of order 2.
    for (segments, maximum) in [(25, 4e-3), (100, 4e-4), (400, 2e-5)] {
        let found = errors(segments);
        assert!(found.iter().all(|error| *error < maximum), "{segments}: {found:?}");
    }
}

/// A mass on a slope of 30°, held by an initially unstretched spring along the slope.
fn on_slope(friction: f64) -> Arc<Setup> {
    scene(
        "gravity: (0, -10), ",
        &format!(
            "colliders: [Plane(point: (0, 0), normal: (0.5, 0.8660254037844386), friction: {friction})],
             graph: (nodes: [(0, 0), (0.8660254037844386, -0.5)], springs: [(0, 1)], mass: 2,
                 stiffness: 100, pins: [First]),"
        ),
    )
}

#[test]
fn friction_at_its_limit_acts_against_the_way_from_the_start_and_holds_what_does_not_slide() {
    let weight = 20.0;
    for (friction, expected) in [
        (0.0, 0.5 * weight / 100.0),
        (0.2, (0.5 - 0.2 * 0.866_025_403_784_438_6) * weight / 100.0),
        (0.8, 0.0),
    ] {
        let setup = on_slope(friction);
        let rest = equilibrium_with(&setup, 1.0, Friction::Limit).unwrap();
        let slid = (rest.x[1] - setup.initial.x[1]) / 0.866_025_403_784_438_6;
        assert!((slid - expected).abs() < 2e-6, "{friction}: {slid} {expected}");
        assert!(rest.residual <= rest.rounding.max(EXACT_FORCE), "{friction}: {}", rest.residual);
        let contact = &rest.contacts[0];
        assert_eq!(contact.slides(), friction < 0.5, "{friction}: {contact:?}");
        assert!(!rest.leaves_out_friction());
    }
    // Without the option, friction is ignored, and the result says so.
    let rest = solved(&on_slope(0.8));
    assert!((rest.x[1] - 0.866_025_403_784_438_6).abs() > 0.05 && rest.leaves_out_friction());
}

#[test]
fn friction_holds_a_line_on_a_slope_that_slides_without_it() {
    let line = |friction: f64| {
        let base = format!(
            "{PLANE} integrator: ImplicitEuler,
             colliders: [Plane(point: (0, 0), normal: (-0.2, 1), friction: {friction})],
             rope: (start: (0, 0), end: (2, 0.4), nodes: 21, mass: 0.01, stiffness: 1e4, pins: []),"
        );
        let scene = scene_of(&format!("Scene(base: ({base}))"));
        Arc::clone(&scene.panels[0].bodies[0].setup)
    };
    let lies = equilibrium_with(&line(0.5), 1.0, Friction::LeftOut).unwrap_err();
    assert_eq!(lies, NoRest::Lies { node: 0 });
    assert!(lies.help().contains("--friction"));
    // The slope has the gradient 0.2.
    for friction in [0.25, 0.5] {
        let setup = line(friction);
        let rest = equilibrium_with(&setup, 1.0, Friction::Limit)
            .unwrap_or_else(|reason| panic!("{friction}: {reason}"));
        assert!(rest.residual <= rest.rounding.max(EXACT_FORCE), "{friction}: {}", rest.residual);
        assert!(farthest(&rest.x, &setup.initial.x) < 1e-5, "{friction}: {:?}", rest.x);
        assert_eq!(rest.contacts.len(), 21);
        let along = |held: [f64; 3]| (held[0] + 0.2 * held[1]) / 1.04_f64.sqrt();
        let held: f64 = rest.contacts.iter().map(|contact| along(contact.held)).sum();
        let weight = 21.0 * 0.01 * 9.81;
        assert!((held - weight * 0.2 / 1.04_f64.sqrt()).abs() < 1e-9 * weight, "{held}");
        assert!(rest.contacts.iter().all(|contact| !contact.slides()), "{friction}");
    }
    let slides = equilibrium_with(&line(0.15), 1.0, Friction::Limit).unwrap_err();
    assert_eq!(slides, NoRest::Slides { node: 0 });
}
