//! Solids, and colliders of triangles, satisfy the same properties as ropes: the ledger closes and
//! changes no bit, resumed runs and runs on threads give the same bytes, and statics supports
//! triangles.

use crate::rendered::Bench;
use crate::shard::{merge, merged};
use catena::{
    analysis::statics::equilibrium,
    scene::{SceneText, load},
    sim::{Setup, Simulation, State},
};
use std::{fs, sync::Arc};

/// A tetrahedron below the origin; its upper corner is at y = -0.2.
const TETRAHEDRON: &str =
    "v -1 -1 -1\nv 1 -1 -1\nv 0 -1 1\nv 0 -0.2 0\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n";

/// A name, the last component of vectors, and the settings of a panel.
const CASES: &[(&str, &str, &str)] = &[
    (
        "ball on a rope, on the ground",
        "",
        "contact: (of: Drawn, thickness: 0.04, friction: 0.4, restitution: 0.3),
         colliders: [Plane(point: (0, -0.75), normal: (0.1, 1), friction: 0.5, restitution: 0.2)],
         parts: [(name: \"rope\", with: (rope: (start: (-0.4, 0), end: (0, -0.2), nodes: 6, pins: [0], mass: 0.05, stiffness: 900))),
                 (name: \"ball\", with: (solid: (shape: Ball(radius: 0.2), mass: 1, at: (0, -0.4), points: [(0, 0.2)], stiffness: 900))),
                 (name: \"other\", with: (solid: (shape: Ball(radius: 0.15), mass: 0.5, at: (0.5, -0.5), velocity: (-2, 0), stiffness: 900)))],
         joins: [(from: (\"rope\", Last), to: (\"ball\", 1))]",
    ),
    (
        "box on a rope",
        ", 0",
        "parts: [(name: \"rope\", with: (rope: (start: (-0.4, 0, 0), end: (0.1, -0.2, 0.1), nodes: 6, pins: [0], mass: 0.05, stiffness: 900))),
                 (name: \"box\", with: (solid: (shape: Box(size: (0.2, 0.4, 0.3)), mass: 1, at: (0, -0.4, 0), points: [(0.1, 0.2, 0.1)],
                  spin: 3, spin_axis: (1, 1, 0.2), stiffness: 900)))],
         joins: [(from: (\"rope\", Last), to: (\"box\", 1))]",
    ),
    (
        "box and capsule on the ground",
        "",
        "contact: (of: Drawn, thickness: 0.04, friction: 0.4, restitution: 0.3),
         colliders: [Plane(point: (0, -0.75), normal: (0.1, 1), friction: 0.5, restitution: 0.2)],
         parts: [(name: \"rope\", with: (rope: (start: (-0.6, -0.1), end: (0.6, -0.1), nodes: 7, pins: [First, Last], mass: 0.05, stiffness: 900))),
                 (name: \"box\", with: (solid: (shape: Box(size: (0.3, 0.2)), mass: 1, at: (0, -0.5), turn: 20, spin: 2, stiffness: 900))),
                 (name: \"rod\", with: (solid: (shape: Capsule(radius: 0.1, length: 0.3), mass: 0.5, at: (0.1, 0.2), turn: 10, stiffness: 900)))]",
    ),
    (
        "box and capsule on a mesh, under a cloth",
        ", 0",
        "contact: (of: Drawn, thickness: 0.04, friction: 0.4), colliders: [Mesh(file: \"solid.obj\", friction: 0.3, restitution: 0.2)],
         parts: [(name: \"cloth\", with: (cloth: (corner: (-0.4, 0.7, -0.4), across: (0.8, 0, 0), down: (0, 0, 0.8), rows: 3, columns: 3, pins: [], mass: 0.02, stiffness: 300))),
                 (name: \"box\", with: (solid: (shape: Box(size: (0.3, 0.2, 0.2)), mass: 1, at: (0.02, 0, 0.01), turn: 20, stiffness: 900))),
                 (name: \"rod\", with: (solid: (shape: Capsule(radius: 0.1, length: 0.3), mass: 0.5, at: (0.1, 0.4, 0), turn: 10, stiffness: 900)))]",
    ),
    (
        "ball on a mesh",
        ", 0",
        "contact: (of: Drawn, thickness: 0.04, friction: 0.4),
         colliders: [Mesh(file: \"solid.obj\", friction: 0.3, restitution: 0.2)],
         solid: (shape: Ball(radius: 0.2), mass: 1, at: (0.05, 0.05, 0), stiffness: 900)",
    ),
    (
        "nodes on a mesh",
        ", 0",
        "contact: (radius: 0.02), colliders: [Mesh(file: \"solid.obj\", friction: 0.3, restitution: 0.2)],
         rope: (start: (-0.5, 0, 0.02), end: (0.5, 0.1, -0.02), nodes: 9, pins: [], mass: 0.05, stiffness: 300)",
    ),
    (
        "drawn rope on a mesh that turns",
        ", 0",
        "contact: (of: Drawn, thickness: 0.04, friction: 0.4),
         colliders: [Moving(of: Mesh(file: \"solid.obj\", friction: 0.3), turn: [(0, 0), (1, 90)], axis: (0, 1, 0))],
         rope: (start: (-0.5, 0, 0.02), end: (0.5, 0.1, -0.02), nodes: 9, pins: [], mass: 0.05, stiffness: 300)",
    ),
    (
        "nodes on a skin that bends",
        ", 0",
        "contact: (radius: 0.02), colliders: [Skin(friction: 0.3)],
         rig: (bones: [(name: \"arm\", place: (-0.4, -0.3, 0), length: 0.4), (name: \"hand\", parent: \"arm\", place: (0.4, 0, 0),
               turn: About(axis: (0, 0, 1), angle: [(0, 0), (0.6, 50)]), length: 0.4)], skin: Tube(radius: 0.1)),
         rope: (start: (-0.5, 0, 0.02), end: (0.5, 0.1, -0.02), nodes: 9, pins: [], mass: 0.05, stiffness: 300)",
    ),
    (
        "ball on a winch, over a pulley with friction",
        "",
        "contact: (of: Drawn, thickness: 0.04, friction: 0.4),
         colliders: [Plane(point: (0, -0.75), normal: (0.1, 1), friction: 0.5, restitution: 0.2)],
         solid: (shape: Ball(radius: 0.2), mass: 1, at: (0, -0.4), points: [(0, 0.2)], stiffness: 900),
         forces: [Route(from: 1, axial: 900, damping: 5, speed: [(0, 0), (0.1, -3)], pull: 60,
             via: [Pulley(at: (-0.1, 0.3), radius: 0.1, friction: 0.2), Drum(at: (0.5, 0.2), radius: 0.1)])]",
    ),
    (
        "box on a route beside a mesh",
        ", 0",
        "contact: (of: Drawn, thickness: 0.04, friction: 0.4),
         colliders: [Mesh(file: \"solid.obj\", friction: 0.3, restitution: 0.2)],
         solid: (shape: Box(size: (0.2, 0.2, 0.2)), mass: 1, at: (0.3, 0.2, 0), points: [(0.1, 0.1, 0.1)], stiffness: 900),
         forces: [Route(from: 1, axial: 900, damping: 5, length: [(0, 1.2), (0.5, 0.3)],
             via: [Ring(at: (0, 0.6, 0.1), friction: 0.2), Ring(at: (0.4, 0.7, -0.2))])]",
    ),
    (
        "terrain",
        "",
        "contact: (radius: 0.02),
         colliders: [HeightField(heights: [[0, 0.3, 0.1, 0.2]], spacing: 0.4, place: (-0.6, -0.5), friction: 0.3, restitution: 0.2)],
         rope: (start: (-0.5, 0), end: (0.5, 0.1), nodes: 9, pins: [], mass: 0.05, stiffness: 300)",
    ),
];

/// A folder with the mesh, and with a scene of the cases whose vectors have this ending.
fn bench(third: &str) -> Bench {
    let view = if third.is_empty() {
        "view: (center: (0, -0.4), extent: (2, 2))"
    } else {
        "camera: (eye: (1, 0.4, 2), target: (0, -0.4, 0))"
    };
    let panels = CASES
        .iter()
        .filter(|case| case.1 == third)
        .map(|(name, _, settings)| format!("(label: \"{name}\", with: ({settings}))"));
    let bench = Bench::new(&format!(
        "Scene(base: (size: (240, 64), frames: 20, frame_time: 0.03, substeps: 24, drag: 0.01,
         gravity: (0, -9.81{third}), decoration: Bare, rest: (limit: 30), {view}), panels: [{}])",
        panels.collect::<Vec<_>>().join(", ")
    ));
    fs::write(bench.path("solid.obj"), TETRAHEDRON).unwrap();
    bench
}

/// The setup of each case in a folder, with a method.
fn setups(bench: &Bench, method: &str) -> Vec<(String, Arc<Setup>)> {
    let path = bench.path("scene.ron");
    let text = fs::read_to_string(&path).unwrap();
    let text = text.replace("drag: 0.01", &format!("integrator: {method}, drag: 0.01"));
    let text = SceneText { origin: path.display().to_string(), name: "test".into(), text };
    let scene = load(&text, &[]).unwrap_or_else(|error| panic!("{}", error.report(false)));
    let of_panel = scene.panels.iter();
    of_panel.map(|it| (it.label.clone(), Arc::clone(&it.bodies[0].setup))).collect()
}

/// Checks that no node is inside a collider, with contact of nodes.
fn nothing_is_inside(simulation: &Simulation, what: &str) {
    let Setup { model, contacts, .. } = &**simulation.setup();
    let state = simulation.state();
    for collider in contacts.colliders.iter().filter(|_| contacts.drawn.is_none()) {
        for node in 0..model.nodes() {
            let at = state.position(model.nodes(), node);
            let gap = collider.distance_at(state.t, at).0 - contacts.radius;
            assert!(gap >= -1e-9, "{what}, node {node} at {}: {gap}", state.t);
        }
    }
}

#[test]
fn the_ledger_closes_and_resumed_runs_of_solids_and_meshes_have_the_same_bits() {
    for third in ["", ", 0"] {
        let bench = bench(third);
        for method in ["SemiImplicitEuler", "Rk4", "AdamsBashforth3", "ImplicitEuler"] {
            for (name, setup) in setups(&bench, method) {
                let what = format!("{name}, {method}");
                let mut plain = Simulation::new(Arc::clone(&setup));
                let mut kept = Simulation::new(Arc::clone(&setup));
                kept.keep_ledger();
                let mut middle = None;
                for frame in 0..20 {
                    if frame == 11 {
                        (0..7).for_each(|_| plain.step());
                        (0..7).for_each(|_| kept.step());
                        middle = Some(kept.checkpoint());
                    }
                    plain.advance_frame();
                    kept.advance_frame();
                    let balance = kept.ledger().unwrap().run;
                    let residual = balance.residual().abs();
                    assert!(residual <= 1e-9 * balance.turned_over, "{what}: {balance:?}");
                    nothing_is_inside(&kept, &what);
                }
                assert_eq!(kept.state(), plain.state(), "{what}");
                let mut resumed = Simulation::new(setup);
                resumed.keep_ledger();
                resumed.restore(&middle.unwrap());
                (11..20).for_each(|_| resumed.advance_frame());
                assert_eq!(resumed.state(), plain.state(), "{what}");
                assert_eq!(resumed.ledger(), kept.ledger(), "{what}");
            }
        }
    }
}

#[test]
fn pictures_of_solids_and_meshes_depend_neither_on_threads_nor_on_interruptions() {
    for third in ["", ", 0"] {
        let bench = bench(third);
        bench.render("one", &["-q", "--threads", "1"], 0);
        bench.render("three", &["-q", "--threads", "3"], 0);
        bench.render("parts", &["-q", "--frames", "9", "--checkpoint-every", "4"], 0);
        let (drawn, _) = bench.drawn("parts", &[]);
        assert_eq!(drawn, 11, "the second render did not resume");
        let whole = bench.tree("one");
        assert_eq!(whole.len(), 22);
        assert_eq!(bench.tree("three"), whole);
        assert_eq!(bench.tree("parts"), whole);
    }
}

#[test]
fn shards_of_solids_meshes_and_routes_merge_to_the_same_pictures() {
    for third in ["", ", 0"] {
        let bench = bench(third);
        for options in [&[][..], &["--set", "substeps=20", "--threads", "2"]] {
            bench.render("whole", &[&["-q"], options].concat(), 0);
            for number in 1..=3 {
                let shard = format!("{number}/3");
                bench.render("out", &[&["-q", "--shard", &shard], options].concat(), 0);
            }
            merge(&bench, "out", 0);
            assert_eq!(merged(&bench, "out"), bench.tree("whole"), "{options:?}");
            bench.remove(&["out", "whole"]);
        }
    }
}

#[test]
fn a_sweep_over_solids_meshes_and_routes_does_not_depend_on_threads_or_shards() {
    for third in ["", ", 0"] {
        let bench = bench(third);
        let axes = ["--axis", "integrator=[SemiImplicitEuler, Rk4]", "--axis", "substeps=[20, 24]"];
        let sweep = |out: &str, more: &[&str]| {
            let fixed = ["sweep", "scene.ron", "-q", "--measure", "Diverged,Energy", "--out", out];
            let output = bench.run([&fixed[..], &axes, more].concat());
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(0), "{stderr}");
        };
        let table = |out: &str| fs::read(bench.path(out).join("table.csv")).unwrap();
        sweep("one", &["--threads", "1"]);
        sweep("three", &["--threads", "3"]);
        assert!(table("one") == table("three"), "threads");
        (1..=3).for_each(|number| sweep("parts", &["--shard", &format!("{number}/3")]));
        merge(&bench, "parts", 0);
        assert!(table("one") == table("parts"), "shards");
    }
}

const CUBE: &str = "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n\
    f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

/// A rope over a collider, with this contact.
fn over(collider: &str, contact: &str) -> Arc<Setup> {
    let bench = Bench::new(&format!(
        "Scene(base: (gravity: (0, -9.81, 0), frame_time: 0.05, substeps: 100, drag: 0.01,
         colliders: [{collider}], contact: ({contact}),
         rope: (start: (-1.6, 1.3, 0.05), end: (1.7, 1.2, 0.1), nodes: 21, pins: [First, Last],
                length: 3.9, stiffness: 4000, mass: 0.05)))"
    ));
    fs::write(bench.path("solid.obj"), CUBE).unwrap();
    let (_, setup) = setups(&bench, "SemiImplicitEuler").swap_remove(0);
    setup
}

#[test]
fn a_rope_rests_on_a_cube_of_triangles_as_on_a_box() {
    let mesh = "Mesh(file: \"solid.obj\")";
    let of_box = over("Box(center: (0, 0, 0), size: (2, 2, 2))", "radius: 0.02");
    let [of_box, of_mesh] =
        [of_box, over(mesh, "radius: 0.02")].map(|setup| equilibrium(&setup).unwrap().x);
    for (a, b) in of_box.iter().zip(&of_mesh) {
        assert!((a - b).abs() < 1e-9, "{of_box:?}\n{of_mesh:?}");
    }
    // With drawn contact there are several equilibria; the search finds one of them.
    let setup = over(mesh, "of: Drawn, thickness: 0.04");
    let rest = equilibrium(&setup).unwrap().x;
    let start = State { x: rest.clone(), ..setup.initial.clone() };
    let setup = Arc::unwrap_or_clone(setup).starting_at(start).unwrap();
    let mut simulation = Simulation::new(setup);
    (0..30).for_each(|_| simulation.advance_frame());
    for (a, b) in rest.iter().zip(&simulation.state().x) {
        assert!((a - b).abs() < 1e-4, "{rest:?}\n{:?}", simulation.state().x);
    }
}
