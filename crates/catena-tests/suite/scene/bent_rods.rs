//! Rods in scenes: refusals with their positions, and the effects of settings.

use crate::{catena, scene_of};

/// A base and words of the message.
const BAD: &[(&str, &[&str])] = &[
    ("rope: (rod: (bending: -1))", &["at least 0", "base.rope.rod.bending"]),
    ("rope: (rod: ())", &["neither bending nor twist", "base.rope.rod"]),
    ("rope: (rod: (radius: 1))", &["a section needs a material", "material: Steel"]),
    (
        "rope: (material: Steel, area: 1, rod: (torsion: 1))",
        &["needs a radius or another section", "base.rope.rod"],
    ),
    ("rope: (material: Steel, rod: (radius: 1, bending: 2))", &["is determined by the section"]),
    (
        "rope: (material: Steel, area: 3, rod: (radius: 1))",
        &["area is determined", "base.rope.area"],
    ),
    ("rope: (material: Steel, rod: (radius: 1, inner: 2))", &["less than the outer radius"]),
    ("rope: (material: Steel, rod: (inner: 2))", &["needs an outer radius"]),
    ("rope: (material: Steel, rod: (width: 2))", &["needs a height"]),
    ("rope: (material: Steel, rod: (radius: 1, width: 2))", &["both round and rectangular"]),
    ("rope: (material: Steel, rod: (radius: 1, poisson: 0.7))", &["at most 0.5"]),
    ("rope: (bending: 1, rod: (bending: 1))", &["remove `rope.bending`", "base.rope.bending"]),
    ("rope: (rod: (bending: 1, clamps: [(node: 16)]))", &["no node 16", "clamps[0].node"]),
    ("rope: (rod: (bending: 1, clamps: [(turn: 1)]))", &["the clamp has no `node`", "clamps[0]"]),
    ("rope: (rod: (bending: 1, clamps: [(node: 3), (node: 3)]))", &["two clamps"]),
    (
        "rope: (rod: (bending: 1, clamps: [(node: 3, tangent: (0, 0))]))",
        &["length above 0", "clamps[0].tangent"],
    ),
    ("rope: (rod: (bending: 1, clamps: [(node: 3, turn: 1)]))", &["in the plane does not twist"]),
    (
        "gravity: (0, 0, 0), rope: (start: (0, 0, 0), end: (1, 0, 0), rod: (bending: 1, clamps: [(node: 3, turn: 1)]))",
        &["does not resist twist", "clamps[0].turn"],
    ),
    (
        "rope: (rod: (bending: 1, clamps: [(node: 0, tangent: Linear(keys: [(0, (1, 0)), (1, (-1, 0))]))]))",
        &["half a turn between two keys", "clamps[0].tangent"],
    ),
    (
        "gravity: (0, 0, 0), rope: (start: (0, 0, 0), end: (1, 0, 0), rod: (bending: 1, torsion: 1, turns: 1))",
        &["only for a closed rope", "clamps"],
    ),
    (
        "gravity: (0, 0, 0), rope: (start: (0, 0, 0), end: (1, 0, 0), shape: Ring, pins: [], \
         rod: (bending: 1, bending_across: 2, torsion: 1, turns: 0.5))",
        &["whole turns", "base.rope.rod.turns"],
    ),
    ("rope: (rod: (bending: 1, curvature: [1, 2]))", &["one curvature per node, 16, found 2"]),
    ("rope: (rod: (bending: NaN))", &["at least 0", "found NaN", "base.rope.rod.bending"]),
    ("rope: (rod: (bending: inf))", &["at least 0", "found inf", "base.rope.rod.bending"]),
    ("rope: (rod: (bending: 1e300))", &["at most 1e100", "base.rope.rod.bending"]),
    ("rope: (rod: (bending: 1, bending_across: -2))", &["at least 0", "bending_across"]),
    ("rope: (rod: (bending: 1, torsion: -2))", &["at least 0", "base.rope.rod.torsion"]),
    ("rope: (rod: (bending: 1, inertia: 1))", &["in the plane does not twist", "rod.inertia"]),
    ("rope: (rod: (bending: 1, torsion: 1))", &["in the plane does not twist", "rod.torsion"]),
    ("rope: (rod: (bending: 1, bending_across: 3))", &["only in the plane", "bending_across"]),
    ("rope: (rod: (bending: 1, normal: (0, 1)))", &["only in the plane", "rod.normal"]),
    (
        "gravity: (0, 0, 0), rope: (start: (0, 0, 0), end: (1, 0, 0), rod: (bending: 1, inertia: 1))",
        &["does not resist twist", "set GJ as `torsion`", "rod.inertia"],
    ),
    ("rope: (rod: (bending: 1, axial: 0))", &["above 0", "base.rope.rod.axial"]),
    (
        "rope: (stiffness: 3, rod: (bending: 1, axial: 5))",
        &["EA in `axial`", "remove one of the two", "base.rope.stiffness"],
    ),
    ("rope: (material: Steel, rod: (radius: 0))", &["above 0", "base.rope.rod.radius"]),
    ("rope: (material: Steel, rod: (width: 0, height: 1))", &["above 0", "base.rope.rod.width"]),
    ("rope: (material: Steel, rod: (radius: 1e90))", &["infinite", "base.rope.rod.radius"]),
    ("rope: (material: Steel, rod: (width: 1e-99, height: 1e-99))", &["is 0", "rope.rod.width"]),
    ("rope: (material: Steel, rod: (torsion: 1))", &["needs a radius", "rod: (radius: 0.01)"]),
    ("rope: (rod: (bending: 1, clamps: [(node: 3, turn: NaN)]))", &["found NaN", "clamps[0].turn"]),
    (
        "rope: (rod: (bending: 1, clamps: [(node: 3, turn: [(1, 0), (0, 1)])]))",
        &["a time later than the time of the previous key", "clamps[0].turn[1]"],
    ),
    (
        "rope: (start: (0, 0), end: (1, 0), rod: (bending: 1, clamps: [(node: 2), (node: 0, tangent: (-1, 0))]))",
        &["folds back on itself", "remove `tangent`", "clamps[1].tangent"],
    ),
    (
        "gravity: (0, 0, 0), rope: (start: (0, 0, 0), end: (1, 0, 0), rod: (bending: 1, normal: (2, 0, 0)))",
        &["parallel to the rod where it starts", "use (0, 1, 0)", "base.rope.rod.normal"],
    ),
    (
        "gravity: (0, 0, 0), rope: (start: (0, 0, 0), end: (1, 0, 0), \
         rod: (bending: 1, clamps: [(node: 0, tangent: (0, 0, 0))]))",
        &["length above 0", "write (1, 0, 0)", "clamps[0].tangent"],
    ),
    (
        "gravity: (0, 0, 0), rope: (start: (0, 0, 0), end: (1, 0, 0), shape: Ring, pins: [], \
         rod: (bending: 1, curvature: 0.5, torsion: 1, turns: 0.3))",
        &["whole turns", "base.rope.rod.turns"],
    ),
    (
        "parts: [(name: \"a\", with: (rope: (start: (0, 0), end: (1, 0), rod: (bending: 1)))), \
         (name: \"b\", with: (rope: (start: (1, 0), end: (2, 0))))], \
         joins: [(from: (\"a\", Last), to: (\"b\", First), joint: Rigid)]",
        &["joins two rods", "rod: (…)", "joins[0].joint"],
    ),
    (
        "parts: [(name: \"a\", with: (rope: (start: (0, 0), end: (1, 0), rod: (bending: 1)))), \
         (name: \"b\", with: (rope: (start: (2, 0), end: (1, 0), rod: (bending: 1))))], \
         joins: [(from: (\"a\", Last), to: (\"b\", Last), joint: Rigid)]",
        &["the last node of a rod to the first node of another", "joins[0].joint"],
    ),
    (
        "parts: [(name: \"a\", with: (rope: (start: (0, 0), end: (1, 0), rod: (bending: 1)))), \
         (name: \"b\", with: (rope: (start: (1, 0), end: (2, 0), rod: (bending: 1))))], \
         joins: [(from: (\"a\", Last), to: (\"b\", First), stiffness: 5, joint: Rigid)]",
        &["merges two nodes", "remove `stiffness`", "joins[0].joint"],
    ),
    (
        "parts: [(name: \"a\", with: (rope: (start: (0, 0), end: (1, 0), rod: (bending: 1)))), \
         (name: \"b\", with: (rope: (start: (1, 0), end: (2, 0), pins: [], \
         rod: (bending: 1, clamps: [(node: 1), (node: 15, tangent: (-1, 0))]))))], \
         joins: [(from: (\"a\", Last), to: (\"b\", First), joint: Rigid)]",
        &["folds back on itself", "parts[1].with.rope.rod.clamps[1].tangent"],
    ),
    (
        "parts: [(name: \"a\", with: (rope: (start: (0, 0), end: (1, 0), rod: (bending: 1)))), \
         (name: \"b\", with: (rope: (start: (1, 0), end: (0, 0), rod: (bending: 1))))], \
         joins: [(from: (\"a\", Last), to: (\"b\", First), joint: Rigid)]",
        &["folds back on the first one", "joins[0].joint"],
    ),
    ("cloth: (rod: (bending: 1))", &["`rod` is a field of `rope`"]),
    ("rope: (rod: (bending: 1, curvature: Bent))", &["AsStart"]),
];

#[test]
fn what_is_wrong_with_a_rod_is_said_with_its_place() {
    for (base, words) in BAD {
        let text = format!("Scene(base: ({base}))");
        let output = catena().args(["check", "-"]).write_stdin(text).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{base}: {message}");
        for word in *words {
            assert!(message.contains(word), "{base}: {word:?} is not in {message}");
        }
    }
}

#[test]
fn a_section_and_a_material_give_the_stiffness() {
    let text = "Scene(base: (gravity: (0, 0, 0), rope: (start: (0, 0, 0), end: (1, 0, 0), nodes: 11, \
        material: Steel, rod: (radius: 0.01, poisson: 0.25, clamps: [(node: Last)]))))";
    let scene = scene_of(text);
    let body = &scene.panels[0].bodies[0];
    let rod = body.rods().next().unwrap();
    let moment = 0.25 * std::f64::consts::PI * 1e-8;
    let [bending, across] = rod.section.bending;
    assert!((bending / (200e9 * moment) - 1.0).abs() < 1e-12 && bending == across, "{bending}");
    let torsion = rod.section.torsion;
    assert!((torsion / (80e9 * 2.0 * moment) - 1.0).abs() < 1e-12, "{torsion}");
    let model = &body.setup.model;
    let stiffness = 200e9 * std::f64::consts::PI * 1e-4 / 0.1;
    assert!((model.springs[0].stiffness / stiffness - 1.0).abs() < 1e-12);
    assert!(model.pinned[0] && model.pinned[10], "a clamp is a pin");
}

#[test]
fn a_turn_that_twists_nothing_is_noted() {
    let words = "the `turn` of the clamp on node 0 rotates sections, but does not twist the rod";
    for (rod, is_idle) in [
        ("clamps: [(node: First, turn: 3)]", true),
        ("clamps: [(node: First, turn: [(0, 0), (1, 3)])]", true),
        ("clamps: [(node: First)]", false),
        ("clamps: [(node: First, turn: 3), (node: Last)]", false),
        ("bending_across: 2, clamps: [(node: First, turn: 3)]", false),
        ("curvature: 1, clamps: [(node: First, turn: 3)]", false),
        ("inertia: 1, clamps: [(node: First, turn: 3)]", false),
    ] {
        let text = format!(
            "Scene(base: (gravity: (0, 0, 0), rope: (start: (0, 0, 0), end: (1, 0, 0), \
             rod: (bending: 1, torsion: 1, {rod}))))"
        );
        let output = catena().args(["check", "-"]).write_stdin(text).output().unwrap();
        let message = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(0), "{rod}: {message}");
        assert_eq!(message.contains(words), is_idle, "{rod}: {message}");
    }
}
