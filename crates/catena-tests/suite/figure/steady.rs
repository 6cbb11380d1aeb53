//! The steady-state comparison shows bodies at its end, with the pins that remain after events, and
//! with moving surroundings.

use crate::scene_of;
use catena::analysis::settle::{Ending, RestRule, Settled, settle};
use catena::figure::steady::{columns, draw};
use catena::render::text::Font;
use catena::scene::Scene;
use image::RgbImage;

/// Number of frames after which a body counts as moving.
const LIMIT: u64 = 2;

fn settled(scene: &Scene) -> Vec<Settled> {
    let rule = RestRule { speed: 0.0, frames: LIMIT + 1, limit: LIMIT };
    let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    bodies.map(|body| settle(&body.setup, rule, &|_| true)).collect()
}

fn picture(scene: &Scene, settled: &[Settled]) -> RgbImage {
    draw(scene, &columns(scene, settled), &Font::built_in().unwrap())
}

#[test]
fn pins_that_events_have_released_are_not_marked() {
    let scene = scene_of(
        "Scene(base: (size: (320, 240), frame_time: 1, gravity: (0, -1), drag: 0.1,
            events: [(at: 1, do: Release(node: 4))],
            rope: (start: (-1, 0), end: (1, 0), nodes: 5, stiffness: 10, mass: 0.1, pins: [0, 4])))",
    );
    let now = settled(&scene);
    assert_eq!(now[0].pinned, [true, false, false, false, false]);
    let with =
        |pinned: &[bool]| picture(&scene, &[Settled { pinned: pinned.to_vec(), ..now[0].clone() }]);
    assert!(picture(&scene, &now) != with(&[]), "pins of the start are marked");
    assert!(picture(&scene, &now) != with(&[false; 5]), "no pin is marked");
}

/// Strains are those beside the rest lengths at the end, after curves and events.
#[test]
fn strains_of_ropes_that_were_paid_out_count_from_their_last_length() {
    for (length, events) in [
        ("[(0, 1), (1, 2)]", "[]"),
        ("1", "[(at: 0.5, do: Reel(length: 2, over: 0.5))]"),
        ("1", "[(when: Length(above: 1.0001), do: Reel(length: 2, over: 3))]"),
    ] {
        let scene = scene_of(&format!(
            "Scene(base: (frame_time: 0.05, substeps: 40, gravity: (0, -9.81), drag: 1, events: {events},
                rope: (start: (0, 0), end: (0, -1), nodes: 11, mass: 0.01, stiffness: 2000, pins: [First],
                length: {length})))"
        ));
        let setup = &scene.panels[0].bodies[0].setup;
        let rule = RestRule::for_body(setup, None, None, 2000);
        let settled = [settle(setup, rule, &|_| true)];
        assert!(matches!(settled[0].ending, Ending::AtRest { .. }), "{events}");
        let columns = columns(&scene, &settled);
        let [rest, whole] =
            [&columns[0].rests, &columns[0].lengths].map(|all| all.iter().sum::<f64>());
        assert!((rest - 2.0).abs() < 1e-12, "{events}: {rest}");
        assert!(whole > 2.0 && whole < 2.01, "{events}: {whole}");
    }
}

#[test]
fn what_moves_stands_where_it_is_at_the_end() {
    let plane =
        "gravity: (0, -1), rope: (start: (-1, 0), end: (1, 0), nodes: 5, stiffness: 10, mass: 0.1)";
    let space = "camera: (eye: (0, 1, 8)), gravity: (0, -1, 0),
        rope: (start: (-1, -1, 0), end: (1, -1, 0), nodes: 5, stiffness: 10, mass: 0.1)";
    let table = [
        (
            plane,
            "Moving(of: Sphere(center: (0, 1), radius: 0.2), along: Linear(keys: [(0, (-1, 0)), (4, (1, 0))]))",
            "Sphere(center: (0, 1), radius: 0.2)",
        ),
        (
            space,
            "Moving(of: Capsule(a: (1, 0, 0), b: (2, 0, 0), radius: 0.25), axis: (0, 0, 1), turn: [(0, 0), (4, 180)])",
            "Capsule(a: (0, 1, 0), b: (0, 2, 0), radius: 0.25)",
        ),
    ];
    for (base, moving, standing) in table {
        let of = |collider: &str| {
            let scene = scene_of(&format!(
                "Scene(base: (size: (320, 240), frame_time: 1, drag: 0.1, {base}, colliders: [{collider}]))"
            ));
            // The position of a collider may change the motion, so all pictures show one state.
            let rest = settled(&scene_of(&format!(
                "Scene(base: (size: (320, 240), frame_time: 1, drag: 0.1, {base}))"
            )));
            picture(&scene, &rest)
        };
        let apart = |other: &str| {
            let (found, expected) = (of(moving), of(other));
            // The rotation is rounded, which may be visible at edges.
            let differs = |(a, b): &(&image::Rgb<u8>, &image::Rgb<u8>)| {
                a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > 3)
            };
            found.pixels().zip(expected.pixels()).filter(differs).count()
        };
        assert!(apart(standing) <= 12, "{moving}: {} pixels differ", apart(standing));
        assert!(apart("") > 200, "{moving}: {} pixels differ", apart(""));
    }
}

/// Straight hanging ropes differ by strains of 1 %, which are exaggerated: in one picture the soft
/// rope is clearly longer than the stiff one, and both are at most a quarter longer than without
/// strain.
#[test]
fn strains_of_hanging_ropes_are_seen() {
    let rope = |stiffness: &str, color: &str| {
        format!(
            "(with: (rope: (start: (0, 0), end: (0, -4), nodes: 9, stiffness: {stiffness}, mass: 0.1,
                pins: [First]), style: (color: \"{color}\")))"
        )
    };
    let panels = [rope("200", "#ff0000"), rope("1e9", "#0000ff")].join(", ");
    let scene = scene_of(&format!(
        "Scene(base: (gravity: (0, -1), frame_time: 0.1, starts_at_rest: true, integrator: ImplicitEuler),
            panels: [{panels}])"
    ));
    let rule = RestRule { speed: 1e3, frames: 1, limit: 1 };
    let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    let settled: Vec<Settled> = bodies.map(|body| settle(&body.setup, rule, &|_| true)).collect();
    let image = picture(&scene, &settled);
    // The rope is to the left of the plot of its strains.
    let length = |ink: [u8; 3]| {
        let of_ink = || image.enumerate_pixels().filter(|(.., pixel)| pixel.0 == ink);
        let left = of_ink().map(|(x, ..)| x).min().unwrap();
        let rows = of_ink().filter(|(x, ..)| *x < left + 8).map(|(_, y, _)| y);
        let rows: std::collections::BTreeSet<u32> = rows.collect();
        f64::from(rows.last().unwrap() - rows.first().unwrap())
    };
    let (soft, stiff) = (length([255, 0, 0]), length([0, 0, 255]));
    assert!(soft > 1.04 * stiff && soft < 1.3 * stiff, "{soft} and {stiff} pixels");
}
