//! Several faults of one text in one message, and other programs' names for fields of rods.

/// Output of `catena check` for a scene, with further arguments.
fn checked(scene: &str, more: &[&str]) -> String {
    let mut command = crate::catena();
    let output = command.args(["check", "-"]).args(more).write_stdin(scene).output().unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

const ROD: &str = "Scene(base: (gravity: (0, 0, 0), integrator: ImplicitEuler, frames: 5,
    rope: (start: (0, 0, 0), end: (1, 0, 0), nodes: 9, rod: (FIELDS))))";

#[test]
fn all_fields_at_fault_are_told_at_once() {
    for (scene, places) in [
        (
            "Scene(base: (gravity: -9.81, substeps: 12.5,\n rope: (start: (-1, 0), end: (1, 0),
             nodes: \"24\")))",
            &["1:23: expected parentheses", "1:40: expected a whole number", ":3:"][..],
        ),
        (
            "Scene(base: (rope: (bendng: 3, rod: (bending: -1, clamp: []))), panel: [])",
            &["`bendng`", "`clamp`", "there is no field `panel`", "at least 0"],
        ),
        // A missing field is reported only if it was not removed to find other faults.
        (
            "Scene(base: (rope: (weights: [(node: 1, mass: \"x\")]), frames: 1.5))",
            &["1:47: expected a number", "expected a whole number"],
        ),
    ] {
        let message = checked(scene, &[]);
        assert!(places.iter().all(|part| message.contains(part)), "{places:?}: {message}");
        assert_eq!(message.matches("error: ").count(), places.len(), "{message}");
        assert!(!message.contains(" needs `"), "{message}");
    }
    // A very large number of faults is truncated.
    let many: Vec<String> = (0..40).map(|index| format!("wrong{index}: 1")).collect();
    let message = checked(&format!("Scene(base: ({}))", many.join(", ")), &[]);
    assert_eq!(message.matches("error: ").count(), 8, "{message}");
}

#[test]
fn names_of_other_programs_lead_to_fields_of_rods() {
    for (name, meant) in [
        ("EI", "bending"),
        ("GJ", "torsion"),
        ("EA", "axial"),
        ("inner_radius", "inner"),
        ("flexural_rigidity", "bending"),
    ] {
        let words = format!("is called `{meant}`");
        let message = checked(&ROD.replace("FIELDS", &format!("{name}: 1")), &[]);
        assert!(message.contains(&words), "{message}");
        let set = format!("rope.rod.{name}=1");
        let message = checked(&ROD.replace("FIELDS", "bending: 1"), &["--set", &set]);
        let here = format!("--set rope.rod.{meant}=1");
        assert!(message.contains(&words) && message.contains(&here), "{message}");
    }
    let tube = checked(&ROD.replace("FIELDS", "radius: 0.1, inner: 0.2"), &[]);
    assert!(tube.contains("the inner radius 0.2 must be less than the outer radius 0.1"), "{tube}");
    let panel = checked("Scene(base: (), panel: [])", &[]);
    assert!(panel.contains("did you mean `panels`?"), "{panel}");
    let near = checked(&ROD.replace("FIELDS", "bending: 1"), &["--set", "nope=1"]);
    assert!(near.contains("a field of `rope`, which `catena fields rope` lists"), "{near}");
}

#[test]
fn twist_beyond_half_a_turn_of_a_segment_is_told() {
    let ring = |turns: u32| {
        format!(
            "Scene(base: (gravity: (0, 0, 0), integrator: ImplicitEuler, frames: 5,
                rope: (start: (-1, 0, 0), end: (1, 0, 0), shape: Ring, nodes: 24, pins: [],
                    rod: (bending: 1, torsion: 1, axial: 1000, turns: {turns}))))"
        )
    };
    let clamped = |turns: f64, middle: &str| {
        let clamps = format!(
            "bending: 1, torsion: 1, axial: 1000,
             clamps: [(node: First), {middle}(node: Last, turn: [(0, 0), (0.05, {turns})])]"
        );
        ROD.replace("FIELDS", &clamps)
    };
    for (scene, words) in [
        (ring(12), None),
        (ring(13), Some("use at least 26 segments")),
        (ring(40), Some("40 turns on 24 segments are 1.67 turns per segment")),
        (clamped(3.9, ""), None),
        (clamped(5.0, ""), Some("5 turns on 8 segments are 0.625 turns per segment")),
        (clamped(3.9, "(node: 5), "), Some("on 3 segments are 1.3 turns per segment")),
    ] {
        let message = checked(&scene, &[]);
        match words {
            Some(words) => {
                assert!(message.contains(words) && message.contains("warning"), "{message}");
            }
            None => assert!(!message.contains("turns per segment"), "{message}"),
        }
    }
}
