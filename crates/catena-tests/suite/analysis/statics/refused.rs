//! Messages of searches that end early or fail, and bodies that need a second start.

use super::{farthest, panel, rope, solved};
use crate::scene_of;
use catena::analysis::statics::{Hint, NoRest, PathEnd, Stability, equilibrium, follow_within};
use catena::job::{self, LoadRange};
use std::sync::Arc;

/// Standard output and standard error of the command for a scene.
fn printed(scene: &str, args: &[&str]) -> String {
    let mut command = crate::catena();
    let run = command.args(["statics", "-"]).args(args).write_stdin(scene.to_owned());
    let output = run.output().unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

#[test]
fn springs_that_a_slip_wraps_have_their_tensions() {
    for scene in ["slip_float32.ron", "slip_forces_not_cleared.ron"] {
        let [wrapped, plain] = [0, 1].map(|index| solved(&panel(scene, index)));
        assert!(plain.tensions[0] > 4.9, "{scene}: {:?}", plain.tensions);
        let apart = farthest(&wrapped.tensions, &plain.tensions);
        assert!(apart < 1e-9 * plain.tensions[0], "{scene}: {:?}", wrapped.tensions);
    }
}

#[test]
fn long_chains_hang_from_any_start() {
    let chain = |rope: &str| {
        let scene =
            scene_of(&format!("Scene(base: (gravity: (0, -1), rope: ({rope}, mass: 0.1)))"));
        Arc::clone(&scene.panels[0].bodies[0].setup)
    };
    let slack = "start: (0, 0), end: (300, 0), nodes: 1000, pins: [First, Last]";
    let standing = "start: (0, 0), end: (0, 10), stiffness: 1e5, pins: [First]";
    for (rope, lowest) in [
        (format!("{slack}, length: 900, stiffness: 1e5"), -400.2),
        (format!("{slack}, length: 1200, stiffness: 1e6"), -555.8),
        (format!("{slack}, length: 1500, stiffness: 1e7"), -709.2),
        (format!("{standing}, nodes: 20"), -10.0),
        (format!("{standing}, nodes: 100"), -10.0),
    ] {
        let rest = solved(&chain(&rope));
        assert_eq!(rest.stability, Stability::Stable, "{rope}");
        assert!(rest.residual <= rest.rounding.max(1e-12), "{rope}: {}", rest.residual);
        let found = rest.x.iter().copied().fold(0.0, f64::min);
        // a (cosh u - 1) with a = 150/u and sinh u / u = length/300, for an inelastic chain.
        assert!((found / lowest - 1.0_f64).abs() < 5e-3, "{rope}: {found}");
    }
}

#[test]
fn a_path_ends_where_its_work_does() {
    let at = |g: f64| Ok::<_, NoRest>(Arc::new(rope([1.0, 0.0], 20, &[0, 19], g)));
    for (effort, end) in [(1e-4, PathEnd::Work), (1.0, PathEnd::Complete)] {
        let path = follow_within(at, [1.0, 20.0], 2000, effort).unwrap();
        assert_eq!(path.end, end, "{effort}");
        assert!(!path.points.is_empty(), "{effort}");
    }
}

#[test]
fn pictures_say_which_bodies_have_no_rest() {
    let scene = |label: &str| {
        scene_of(&format!(
            "Scene(base: (size: (300, 200), gravity: (0, -1), rope: (start: (0, 0), end: (1, 0),
              nodes: 5, pins: [])), panels: [(label: \"{label}\")])"
        ))
    };
    let free = scene("free");
    let reason = equilibrium(&free.panels[0].bodies[0].setup).unwrap_err();
    let noted = job::rest_picture(&free, &[Some(Err(reason))]).unwrap();
    let expected = job::rest_picture(&scene("free: no rest, start shown"), &[None]).unwrap();
    assert!(noted == expected);
    assert!(noted != job::rest_picture(&free, &[None]).unwrap());
}

#[test]
fn failures_name_what_is_not_met_and_what_may_help() {
    let of = "the load";
    for (residual, length, gaps, hint, words, help) in [
        (
            7.3e-15,
            1.4e-11,
            1.4e-11,
            Hint::Contact,
            "Newton's method: the forces cancel, but overlaps or gaps at contacts of 1.4e-11",
            "contacts keep opening and closing",
        ),
        (
            1e-3,
            0.0,
            0.0,
            Hint::Chain,
            "Newton's method: forces of 1.0e-3 of the load remain",
            "shape: Hanging",
        ),
        (
            1e-3,
            2e-4,
            0.0,
            Hint::Twist,
            "forces of 1.0e-3 of the load and length errors of 2.0e-4 of the body's length remain",
            "too few segments",
        ),
        (1e-3, 2e-4, 0.0, Hint::Lengths, "length errors", "make the rope longer"),
    ] {
        let iterations = 3;
        let reason = NoRest::NotFound { iterations, residual, length, gaps, of, hint };
        assert!(reason.to_string().contains(words), "{reason}");
        assert!(reason.help().contains(help), "{}", reason.help());
    }
}

#[test]
fn numbers_that_rounding_makes_are_none() {
    let ring = |turns: u32| {
        format!(
            "Scene(base: (gravity: (0, 0, 0), rope: (start: (-1, 0, 0), end: (1, 0, 0), shape: Ring,
              nodes: 24, mass: 0.1, pins: [],
              rod: (bending: 1, torsion: 1, axial: 2000, turns: {turns}))))"
        )
    };
    let still = "Scene(base: (gravity: (0, 0), rope: (start: (0, 0), end: (1, 0), nodes: 5)))";
    for (scene, with, without) in [
        (still.to_owned(), vec!["tension      none", ", 0 % longer"], vec!["a pull", "a push"]),
        (
            ring(1),
            vec!["link         1 turns requested, 1 at rest"],
            vec![
                "the linking number was \
            not preserved",
            ],
        ),
        (
            ring(3),
            vec![
                "link         3 turns requested, 1 at rest",
                "the linking number was not \
                preserved",
            ],
            vec![],
        ),
    ] {
        let table = printed(&scene, &[]);
        assert!(with.iter().all(|part| table.contains(part)), "{with:?}: {table}");
        assert!(!without.iter().any(|part| table.contains(part)), "{without:?}: {table}");
        assert!(!table.contains("of the weight"), "{table}");
    }
}

#[test]
fn a_load_of_an_entry_of_a_list_names_what_works() {
    let error = "forces[0].force=(0,0):(0,-4)".parse::<LoadRange>().unwrap_err();
    assert!(error.contains("write both values of `forces`"), "{error}");
    let example = error.split('\'').nth(1).unwrap();
    assert!(example.parse::<LoadRange>().is_ok(), "{example}");
}

#[test]
fn crushed_segments_of_fixed_length_are_no_rest() {
    // Nothing stretches the rope to its rest length without gravity.
    let scene = scene_of(
        "Scene(base: (gravity: (0, 0), integrator: Shake(iterations: 10),
         rope: (start: (0, 0), end: (10, 0), length: 14, nodes: 20, pins: [First, Last])))",
    );
    let found = equilibrium(&scene.panels[0].bodies[0].setup);
    let shown = found.as_ref().map(|rest| (rest.stability, rest.smallest()));
    assert!(found.is_err(), "{shown:?}");
}

#[test]
fn paths_that_begin_without_load_say_where_to_begin() {
    let rope = "Scene(base: (gravity: (0, -9.81), integrator: ImplicitEuler, rope: (start: (0, 0),
        end: (10, 0), length: 14, nodes: 41, stiffness: 1e5, mass: 0.1, pins: [First, Last])))";
    let over = "Scene(base: (gravity: (0, -9.81), integrator: ImplicitEuler,
        colliders: [Sphere(center: (0, 0), radius: 0.5)],
        rope: (nodes: 21, mass: 0.05, stiffness: 5000, length: 6, pins: [First, Last],
            shape: Points(points: [(-0.6, -2), (-0.6, 0.6), (0.6, 0.6), (0.6, -2)]))))";
    let back = "--load 'gravity=(0,-9.81):(0,0)'";
    for (scene, words) in [
        (rope, "warning      the path starts at an unstable equilibrium"),
        (over, "warning      at 0 a displacement costs no energy"),
    ] {
        let table = printed(scene, &["--load", "gravity=(0,0):(0,-9.81)"]);
        assert!(table.contains(words) && table.contains(back), "{table}");
        assert!(!table.contains("has no influence"), "{table}");
    }
    let backwards = printed(rope, &["--load", "gravity=(0,-9.81):(0,0)"]);
    assert!(backwards.contains("neutral    (5, -4.38"), "{backwards}");
    assert!(!backwards.contains("warning"), "{backwards}");
}

#[test]
fn held_lengths_without_load_are_neutral() {
    let rope = "Scene(base: (gravity: (0, 0), integrator: Shake(iterations: 10), rope: (
        shape: Points(points: [(0, 0), (5, -4.898979485566356), (10, 0)]), nodes: 21,
        mass: 0.1, pins: [First, Last])))";
    let table = printed(rope, &[]);
    assert!(table.contains("neutral: a displacement costs no energy"), "{table}");
}

#[test]
fn advice_names_what_the_place_allows() {
    let slope = "graph: (nodes: [(0, 1)], springs: [], mass: 1, stiffness: 1),
        colliders: [Plane(point: (0, 0), normal: (0.2, 1), friction: 0.5)]";
    let rope = "rope: (nodes: 5, pins: [First])";
    let scene = |body: &str| format!("Scene(base: ({body}))");
    for (body, args, has, has_not) in [
        (
            slope,
            vec!["--set", "starts_at_rest=true"],
            "a start at rest is computed without friction",
            "--friction",
        ),
        (slope, vec![], "--friction", "starts_at_rest"),
        (rope, vec!["--load", "rope.length=-1e308:1e308"], "too far apart", "NaN"),
        (rope, vec!["--set", "gravity=(0,-1e-200)"], "choose other units", "no force acts"),
        (rope, vec!["--set", "gravity=(0,-1e-163)"], "choose other units", "no force acts"),
        (rope, vec!["--set", "gravity=(0,0)"], "no force acts", "other units"),
    ] {
        let output = printed(&scene(body), &args);
        assert!(output.contains(has) && !output.contains(has_not), "{args:?}: {output}");
    }
}

#[test]
fn a_path_of_a_slack_chain_begins_with_its_first_load() {
    let scene = "Scene(base: (rope: (start: (0, 0), end: (1, 0), nodes: 6, mass: 0.1,
        stiffness: 100, pins: [First])))";
    let load = "gravity=(0,0):(0,-1)";
    let text = printed(scene, &["--load", load]);
    assert!(text.contains("and begins at -0.01 instead"), "{text}");
    assert!(!text.contains("no next equilibrium"), "{text}");
    let path = printed(scene, &["--load", load, "--json"]);
    let path: serde_json::Value = serde_json::from_str(&path).unwrap();
    let body = &path["bodies"][0];
    assert_eq!(body["complete"], true, "{text}");
    assert!(body["points"].as_array().unwrap().iter().all(|it| it["stability"] == "stable"));
}
