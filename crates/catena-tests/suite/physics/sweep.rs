//! The order in which length-correcting methods visit springs, as described in docs/physics.md.

use crate::scene_of;
use catena::sim::{Model, Setup, Simulation};
use std::sync::Arc;

const ROPE: &str = "gravity: (0, 0), rope: (start: (0, 0), end: (6, 1), nodes: 8, pins";
const CLOTH: &str = "gravity: (0, 0, 0), cloth: (corner: (0, 0, 0), across: (3, 0, 0), down: (0, 0, 2), rows: 3, columns: 4, pins";

/// Methods with options that reduce a step to one sweep.
const METHODS: [&str; 4] = [
    "ConstraintVerlet(damping: 1)",
    "Pbd(iterations: 1)",
    "Xpbd(iterations: 1, compliance: 0)",
    "Shake(iterations: 1)",
];

/// A deformed body at rest.
fn setup(method: &str, body: &str) -> Setup {
    let scene = scene_of(&format!(
        "Scene(base: (integrator: {method}, frame_time: 1e-8, substeps: 1, {body})))"
    ));
    let mut setup = (*scene.panels[0].bodies[0].setup).clone();
    let stir = |(index, x): (usize, &mut f64)| *x += 0.2 * libm::sin(1.0 + 7.0 * index as f64);
    setup.initial.x.iter_mut().enumerate().for_each(stir);
    setup
}

/// One sweep over these springs.
fn swept(setup: &Setup, method: &str, order: impl Iterator<Item = usize>) -> Vec<f64> {
    let Setup { model, initial, .. } = setup;
    let n = model.nodes();
    let weight = |i: usize| if model.pinned[i] { 0.0 } else { 1.0 / model.mass[i] };
    let offset = |x: &[f64], a: usize, b: usize| -> Vec<f64> {
        (0..model.axes).map(|axis| x[axis * n + b] - x[axis * n + a]).collect()
    };
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut x = initial.x.clone();
    for spring in order.map(|j| &model.springs[j]) {
        let (a, b, l) = (spring.a, spring.b, spring.rest_length);
        let both = weight(a) + weight(b);
        if both == 0.0 {
            continue;
        }
        let (s, r) = (offset(&x, a, b), offset(&initial.x, a, b));
        let length = dot(&s, &s).sqrt();
        let (along, amount) = match method.starts_with("Shake") {
            true => (&r, (length * length - l * l) / (2.0 * both * dot(&s, &r))),
            false => (&s, (length - l) / (both * length)),
        };
        for axis in 0..model.axes {
            x[axis * n + a] += weight(a) * amount * along[axis];
            x[axis * n + b] -= weight(b) * amount * along[axis];
        }
    }
    x
}

fn distance(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn springs_are_gone_over_from_the_first_unless_the_last_node_is_pinned_and_node_0_is_not() {
    for (body, pins, is_from_the_end) in [
        (ROPE, "[]", false),
        (ROPE, "[0]", false),
        (ROPE, "[7]", true),
        (ROPE, "[0, 7]", false),
        (ROPE, "[3]", false),
        (ROPE, "[3, 7]", true),
        (ROPE, "[0, 3]", false),
        (ROPE, "[6]", false),
        (CLOTH, "None", false),
        (CLOTH, "TopCorners", false),
        (CLOTH, "Corners", false),
        (CLOTH, "[11]", true),
        (CLOTH, "[3, 8, 11]", true),
        (CLOTH, "[8]", false),
    ] {
        for method in METHODS {
            let setup = setup(method, &format!("{body}: {pins}"));
            // SHAKE computes all corrections together if there are at most as many rods as
            // coordinates.
            let free = setup.model.pinned.iter().filter(|is_pinned| !**is_pinned).count();
            if method.starts_with("Shake") && setup.model.held <= setup.model.axes * free {
                continue;
            }
            let mut run = Simulation::new(Arc::new(setup.clone()));
            run.step();
            let count = setup.model.held;
            let forwards = distance(&run.state().x, &swept(&setup, method, 0..count));
            let backwards = distance(&run.state().x, &swept(&setup, method, (0..count).rev()));
            let (is, is_not) =
                if is_from_the_end { (backwards, forwards) } else { (forwards, backwards) };
            assert!(is < 1e-13 && is_not > 1e-3, "{method}, {pins}: {is:e}, {is_not:e}");
        }
    }
}

/// Springs of a cloth are numbered row by row: along rows, along columns, then along the two
/// diagonals of cells.
#[test]
fn springs_of_a_cloth_are_numbered_row_by_row() {
    let Model { springs, structural, held, .. } =
        setup(METHODS[0], &format!("{CLOTH}: None")).model;
    let kinds =
        [(0..9, 1), (9..structural, 4), (structural..structural + 6, 5), (structural + 6..held, 3)];
    for (range, apart) in kinds {
        let kind = &springs[range];
        assert!(!kind.is_empty() && kind.iter().all(|spring| spring.b - spring.a == apart));
        assert!(kind.is_sorted_by(|one, other| one.a < other.a));
    }
}
