//! Every invalid scene gives exit code 3 and a message that says where the fault is, what was
//! expected and what to do.

use crate::catena;
use std::fs;

/// The text, the position in it, and words that the message must contain.
const CASES: &[(&str, &str, &[&str])] = &[
    (
        "Scene(\n  base: (\n    rope: (stifness: 1),\n  ),\n)",
        "3:12",
        &["there is no field `stifness`", "base.rope.stifness", "did you mean `stiffness`?"],
    ),
    ("Scene(bse: ())", "1:7", &["`bse`", "did you mean `base`?"]),
    (
        "Scene(base: (graph: (nodes: [(0, 0), (1, 0)],\n adjacency: [[0, 1],\n  [1]])))",
        "3:3",
        &["row 1 has 1 entries, expected 2", "2 rows of 2 entries"],
    ),
    (
        "Scene(base: (graph: (nodes: [(0, 0), (1, 0)], adjacency: [[0, 1]])))",
        "1:58",
        &["a row for each of 2 nodes, found 1"],
    ),
    (
        "Scene(base: (graph: (nodes: [(0, 0), (1, 0)], adjacency: [[0, 1], [2, 0]])))",
        "1:68",
        &["entry (1, 0) is 2, but entry (0, 1) is 1", "symmetric"],
    ),
    (
        "Scene(base: (graph: (nodes: [(0, 0), (1, 0)], adjacency: [[0, 1], [1, 3]])))",
        "1:71",
        &["joins node 1 to itself", "the diagonal"],
    ),
    (
        "Scene(base: (graph: (nodes: [(0, 0), (1, 0)], adjacency: [[0, -1], [-1, 0]])))",
        "1:63",
        &["at least 0", "found -1"],
    ),
    (
        "Scene(base: (graph: (nodes: [(0, 0), (1, 0)], lengths: [[0, 1], [1, 0]])))",
        "1:56",
        &["`lengths` needs `adjacency`"],
    ),
    (
        "Scene(base: (graph: (nodes: [(0, 0), (1, 0)], adjacency: [[0, 0], [0, 0]],\n lengths: [[0, 1], [1, 0]])))",
        "2:16",
        &["there is no spring for the length 1", "adjacency[0][1]"],
    ),
    (
        "Scene(base: (anchors: [(node: 0, until: 3, curve: [(0, (0, 0))])]))",
        "1:41",
        &["`until` needs `velocity`, which is not set"],
    ),
    (
        "Scene(base: (anchors: [(node: 0, velocity: (1, 0), from: 3, until: 2)]))",
        "1:68",
        &["a finite time after `from`"],
    ),
    (
        "Scene(base: (anchors: [(node: 0, velocity: (1, 0), curve: [(0, (0, 0))])]))",
        "1:44",
        &["only one of `velocity`, `curve` and `bone`"],
    ),
    ("Scene(base: (anchors: [(node: 0)]))", "1:24", &["`velocity: …`"]),
    (
        "Scene(base: (gravity: (0, -1), anchors: [(node: 0, velocity: (1, 0, 0))]))",
        "1:23",
        &["2 components, but the scene is three-dimensional"],
    ),
    (
        "Scene(base: (anchors: [(node: 0, velocity: (1, 0),\n stops_at_colliders: true)]))",
        "2:22",
        &["the body has no colliders"],
    ),
    ("Scene(base: (contact: (viscous: 1)))", "1:33", &["there are no colliders", "PenaltyGround"]),
    (
        "Scene(base: (rope: (law: PiecewiseLinear(points: [(0.1, 0.2), (0.2, 0.1)]))))",
        "1:50",
        &["out of range", "decreasing only in jumps"],
    ),
    ("Scene(base: (style: (color: (1, 0, 0))))", "1:37", &["(red, green, blue, opacity)"]),
    ("Scene(base: (style: (color: (1, 0, 0, 2))))", "1:39", &["from 0 to 1"]),
    ("Scene(base: (background: transparent))", "1:26", &["write Transparent"]),
    ("Scene(base: (ground: (height: 0, near: \"#00000080\")))", "1:40", &["not an opaque colour"]),
    (
        "Scene(base: (rope: (material_damping: true)))",
        "1:39",
        &["material_damping needs a material"],
    ),
    (
        "Scene(base: (cloth: (corner: (0, 0), across: (2, 0), down: (0, -1), rows: 3,\n columns: 3, material: Steel, thickness: 1)))",
        "2:24",
        &["square cells, found 1 by 0.5"],
    ),
    (
        "Scene(base: (cloth: (corner: (0, 0), across: (1, 0), down: (0, -1), rows: 3,\n columns: 3, material: Steel)))",
        "2:24",
        &["a cloth of Steel needs a thickness"],
    ),
    (
        "Scene(base: (integrator: SemiImplictEuler))",
        "1:26",
        &["there is no method", "did you mean `SemiImplicitEuler`?", "base.integrator"],
    ),
    (
        "Scene(base: (integrator: ConstraintVerlet(dampng: 1)))",
        "1:43",
        &["`dampng`", "did you mean `damping`?"],
    ),
    (
        "Scene(base: (integrator: ConstraintVerlet(damping: 2)))",
        "1:52",
        &["out of range", "from 0 to 1"],
    ),
    ("Scene(base: (integrator: ConstraintVerlet(damping: NaN)))", "1:52", &["from 0 to 1"]),
    ("Scene(base: (integrator: \"ExplicitEuler\"))", "1:26", &["without quotes"]),
    (
        "Scene(base: (integrator: Verlet))",
        "1:26",
        &["five methods have this name: `ForceVerlet` (", "assignment 8 of GAMES101"],
    ),
    ("Scene(base: (decoration: Ful))", "1:26", &["did you mean `Full`?"]),
    (
        "Scene(base: (rope: (mass: \"heavy\")))",
        "1:27",
        &["expected a number", "base.rope.mass", "above 0"],
    ),
    ("Scene(base: (rope: (nodes: 16.5)))", "1:28", &["whole number from 2", "found 16.5"]),
    ("Scene(base: (rope: (nodes: 16.0)))", "1:28", &["whole number from 2", "found 16.0"]),
    ("Scene(base: (pins: [0]))", "1:14", &["`pins` is a field of `rope`: write `rope: (pins: …)`"]),
    (
        "Scene(with: (substeps: 4))",
        "1:7",
        &["`with` and `label` are fields of a panel", "shared settings belong in `base`"],
    ),
    ("Scene(base: (method: Rk4))", "1:14", &["`method` is called `integrator` here"]),
    (
        "Scene(base: (k: 20))",
        "1:14",
        &["`k` is called `stiffness` here: write `rope: (stiffness: …)`"],
    ),
    ("Scene(base: (dt: 0.01))", "1:14", &["dt = frame_time / substeps; set one of them"]),
    (
        "Scene(gravity: (0, -1))",
        "1:7",
        &["`gravity` is a field of `base`: write `base: (gravity: …)`"],
    ),
    (
        "Scene(base: (integrator: Xpbd(iterations: 5.5)))",
        "1:43",
        &["`iterations` of Xpbd cannot be `5.5`", "base.integrator"],
    ),
    (
        "Scene(base: (anchors: [(node: 0,\n curve: Linear(keys: [(0, (0, 0)), (2, (1, 0)), (1, (1, 0))]))]))",
        "2:49",
        &["`keys[2]` of Linear is out of range"],
    ),
    ("Scene(base: (gravity: 5))", "1:23", &["base.gravity", "(x, y)"]),
    ("Scene(base: (gravity: (0, -1, 0, 0)))", "1:34", &["base.gravity"]),
    (
        "Scene(\n  base: (gravity: (0, -1, 0), rope: (end: (1, 2))),\n)",
        "2:43",
        &["2 components, but the scene is three-dimensional", "base.rope.end"],
    ),
    (
        "Scene(base: (gravity: (0, -1, 0), impulses: [(node: 1, impulse: (0, 1))]))",
        "1:65",
        &["three-dimensional", "base.impulses[0].impulse"],
    ),
    (
        "Scene(base: (gravity: (0, -1, 0), forces: [PointForce(node: 1, force: (1, 2))]))",
        "1:71",
        &["three components (x, y, z)", "base.forces[0]"],
    ),
    (
        "Scene(base: (colliders: [Plane(point: (0, 0), normal: (0, 1, 0))]))",
        "1:55",
        &["two components (x, y)", "base.colliders[0]"],
    ),
    ("Scene(base: (colliders: [Plane(point: (0, 0), normal: (0, 0))]))", "1:55", &["not zero"]),
    (
        "Scene(base: (colliders: [Plane(point: (0, 300), normal: (0, 1))]))",
        "1:26",
        &["node 1 starts inside", "contact.radius"],
    ),
    (
        "Scene(base: (colliders: [Sphere(center: (0, -300), radius: 0)]))",
        "1:60",
        &["`radius` of Sphere is out of range", "above 0"],
    ),
    (
        "Scene(base: (\ncolliders: [Moving(of: Moving(of: Sphere(center: (0, -300), radius: 1)))]))",
        "2:24",
        &["`of` of Moving is out of range", "a collider other than Moving", "base.colliders[0]"],
    ),
    (
        "Scene(base: (\ncolliders: [Moving(of: Spere(center: (0, -300), radius: 1))]))",
        "2:24",
        &["`of` of Moving cannot be", "did you mean `Sphere`?"],
    ),
    (
        "Scene(base: (\ncolliders: [Moving(along: Linear(keys: [(0, (0, 300))]))]))",
        "2:56",
        &["`Moving` needs `of`"],
    ),
    (
        "Scene(base: (\ncolliders: [Moving(of: Sphere(center: (0, -300), radius: 1), along: Step(keys: [(0, (0, 0))]))]))",
        "2:69",
        &["`along` of Moving is out of range", "without jumps"],
    ),
    (
        "Scene(base: (\ncolliders: [Moving(of: Sphere(center: (0, -300), radius: 1), turn: [(0, 0), (0, 90)])]))",
        "2:68",
        &["`turn` of Moving is out of range", "each time later"],
    ),
    (
        "Scene(base: (\ncolliders: [Moving(of: Sphere(center: (0, -300), radius: 1), axis: (0, 1))]))",
        "2:68",
        &["`axis` of Moving is out of range", "together with `turn`"],
    ),
    (
        "Scene(base: (colliders: [\nMoving(of: Plane(point: (0, 0), normal: (0, 1)),\nalong: Linear(keys: [(0, (0, 300))]))]))",
        "2:1",
        &["node 1 starts inside", "contact.radius"],
    ),
    (
        "Scene(base: (\nanchors: [(node: 0, curve: Linear(keys: [(0, (0, 0))]), stiffness: 3)]))",
        "2:68",
        &["node 0 is pinned, so a spring cannot pull it", "base.anchors[0].stiffness", "`pins`"],
    ),
    (
        "Scene(base: (\nanchors: [(node: 0, curve: Linear(keys: [(0, (0, 0))]), damping: 3)]))",
        "2:66",
        &["`damping` needs `stiffness`", "base.anchors[0].damping"],
    ),
    ("Scene(base: (colliders: [Cone(point: (0, 0))]))", "1:26", &["there is no collider", "Plane"]),
    (
        "Scene(base: (\nanchors: [(node: 0, curve: Linear(keys: [(1, (0, 0)), (1, (1, 0))]))]))",
        "2:55",
        &["each later than the one before it", "base.anchors[0].curve", "`keys[1]` of Linear"],
    ),
    (
        "Scene(base: (anchors: [(node: 3, curve: Linear(keys: [(0, (0, 0))]))]))",
        "1:31",
        &["node 3 cannot be moved", "`pins`"],
    ),
    ("Scene(base: (integrator: Rk4(damping: 0.1)))", "1:30", &["`damping`"]),
    ("Scene(base: (rope: (material: Steel)))", "1:31", &["Steel needs a cross-section", "area"]),
    (
        "Scene(base: (rope: (material: Steel, area: 1e-4, mass: 1)))",
        "1:56",
        &["is determined by the rope's material"],
    ),
    ("Scene(base: (rope: (material: Stel, area: 1)))", "1:31", &["did you mean `Steel`?"]),
    (
        "Scene(base: (cloth: (\n  corner: (0, 0), across: (1, 0), down: (0, 1), rows: 1, columns: 4,\n)))",
        "2:55",
        &["found 1", "from 2 to"],
    ),
    (
        "Scene(base: (cloth: (corner: (0, 0), across: (1, 0), down: (2, 0), rows: 3, columns: 4)))",
        "1:60",
        &["no area"],
    ),
    (
        "Scene(base: (cloth: (across: (1, 0), down: (0, 1), rows: 3, columns: 4)))",
        "1:21",
        &["has no `corner`"],
    ),
    (
        "Scene(base: (contact: (thickness: 30)))",
        "1:35",
        &["more than the length of the shortest spring"],
    ),
    ("Scene(base: (forces: [PointForce(node: 16, force: (1, 0))]))", "1:40", &["no node 16"]),
    ("Scene(base: (impulses: [(node: 16, impulse: (1, 0))]))", "1:32", &["no node 16"]),
    (
        "Scene(base: (camera: (eye: (0, 0, 4), target: (0, 0, 4))))",
        "1:28",
        &["the camera is at the point that it looks at"],
    ),
    ("Scene(base: (camera: (field_of_view: 60)))", "1:22", &["this one is planar"]),
    ("Scene(base: (rope: (mass: NaN)))", "1:27", &["found NaN", "above 0"]),
    ("Scene(base: (gravity: (0, inf)))", "1:27", &["found inf", "base.gravity[1]"]),
    ("Scene(base: (rope: (stiffness: 1e999)))", "1:32", &["found inf", "base.rope.stiffness"]),
    (
        "Scene(panels: [(), (with: (rope: (mass: -1)))])",
        "1:41",
        &["found -1", "panels[1].with.rope.mass"],
    ),
    ("Scene(base: (rope: (mass: 0)))", "1:27", &["found 0", "above 0"]),
    ("Scene(base: (rope: (mass: 1e200)))", "1:27", &["found 1e200", "at most 1e100"]),
    ("Scene(base: (rope: (nodes: 1)))", "1:28", &["found 1", "from 2 to"]),
    ("Scene(base: (rope: (start: (1, 2), end: (1, 2))))", "1:41", &["no length", "base.rope.end"]),
    (
        "Scene(base: (rope: (start: (1e9, 0), end: (1000000000.0000001, 0))))",
        "1:43",
        &["too short"],
    ),
    (
        "Scene(base: (rope: (start: (1e9, 0), end: (1000000000.00001, 0), nodes: 1000)))",
        "1:43",
        &["too short"],
    ),
    (
        "Scene(base: (rope: (nodes: 4, pins: [0, 4])))",
        "1:41",
        &["node 4", "base.rope.pins[1]", "from 0 to 3"],
    ),
    (
        "Scene(base: (rope: (pins: [-17])))",
        "1:28",
        &["there is no node -17", "base.rope.pins[0]", "from -1"],
    ),
    ("Scene(base: (rope: (pins: [Last, Midle])))", "1:34", &["expected a node", "found Midle"]),
    ("Scene(base: (rope: (pins: [Middle])))", "1:28", &["16 nodes have no middle node"]),
    ("Scene(base: (rope: (pins: [(0, 0)])))", "1:28", &["only a cloth has rows"]),
    ("Scene(base: (substeps: 0))", "1:24", &["found 0", "from 1"]),
    ("Scene(base: (rope: (nodes: 2000000000)))", "1:28", &["from 2 to 1000000000"]),
    (
        "Scene(base: (rope: (nodes: 9000000)), panels: [(), (), ()])",
        "1:28",
        &["9000000 nodes", "GiB", "limit of 1000000", "--unlimited"],
    ),
    ("Scene(base: (drag: 1, drag: 2))", "1:23", &["written twice"]),
    ("Scene(panels: [(with: (size: (100, 100)))])", "1:30", &["cannot be set here", "`base`"]),
    (
        "Scene(base: (bodies: [(with: (view: (center: (0, 0), extent: (1, 1))))]))",
        "1:46",
        &["cannot be set here"],
    ),
    (
        "Scene(base: (velocity_factor: 0.9, integrator: ConstraintVerlet))",
        "1:31",
        &["have no effect"],
    ),
    (
        "Scene(base: (integrator: Xpbd, rope: (law: Plastic(yield_strain: 0.01))))",
        "1:44",
        &[
            "Xpbd has rigid segments instead of springs, so Plastic would have no effect",
            "rope.law",
        ],
    ),
    ("Scene(base: (view: (center: (0, 0))))", "1:20", &["view.extent"]),
    ("Scene(base: (background: \"blurple\"))", "1:26", &["CSS colour", "blurple"]),
    ("Scene(panels: [()], grid: (rows: [()]))", "1:27", &["both `panels` and a `grid`"]),
    ("Scene(grid: ())", "1:13", &["no rows and no columns"]),
    ("Scene(base: (drag: 1)", "1:6", &["this `(` is never closed"]),
    ("Scene() rope", "1:9", &["more text follows"]),
    ("", "1:1", &["the file is empty"]),
    ("  \n\t\n", "1:1", &["the file is empty"]),
];

fn refused(name: &str, bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    let output = catena().arg("check").arg(&path).env("NO_COLOR", "1").output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{message}");
    assert!(output.stdout.is_empty());
    message
}

#[test]
fn bad_scenes_are_refused_with_place_and_advice() {
    let mut faults = String::new();
    for (text, place, parts) in CASES {
        let message = refused("bad.ron", text.as_bytes());
        let line = place.split(':').next().unwrap().parse::<usize>().unwrap();
        let quoted = text.lines().nth(line - 1).unwrap_or_default().trim();
        let at = format!("bad.ron:{place}: ");
        let needed = [at.as_str(), quoted].into_iter().chain(parts.iter().copied());
        for part in needed.filter(|part| !message.contains(part)) {
            faults += &format!("{text}\nlacks `{part}`:\n{message}\n");
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn huge_scenes_are_refused_quickly_and_quoted_in_part() {
    let rows = "(),".repeat(100);
    let grid = format!("Scene(grid: (rows: [{rows}], columns: [{rows}]))");
    let nested = format!("Scene(base: (integrator: {}", "[".repeat(100_000));
    let brackets = "(".repeat(100_000);
    for (text, part) in
        [(&grid, "10000 panels"), (&nested, "nested too deeply"), (&brackets, "nested too deeply")]
    {
        let message = refused("huge.ron", text.as_bytes());
        assert!(message.contains(part), "{message}");
        assert!(message.len() < 2000, "the message is {} bytes long", message.len());
    }
}

#[test]
fn what_is_no_text_is_refused() {
    assert!(
        refused("bytes.ron", b"Scene(\n  title: \"\xff\")")
            .contains("bytes.ron:2:11: the file is not UTF-8")
    );
    assert!(refused("large.ron", &vec![b' '; 5 << 20]).contains("limit of 1048576 bytes"));
    let output = catena().args(["check", "."]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("is a folder"));
    let output = catena().args(["check", "nothing/here.ron"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("nothing/here.ron: cannot be read"));
}

#[test]
fn a_byte_order_mark_is_accepted() {
    catena().args(["check", "-"]).write_stdin("\u{feff}Scene()").assert().success();
}

#[test]
fn a_bad_patch_is_pointed_at() {
    for (patch, code, part) in [
        ("rope.nods=3", 3, "did you mean --set rope.nodes=3?"),
        ("rope=(nods: 3)", 3, "did you mean `nodes`?"),
        ("rope.nodes=1", 3, "from 2 to"),
        ("integrator=ConstraintVerlet(damping: -1)", 3, "from 0 to 1"),
        ("rope.pins=[99]", 3, "--set rope.pins=[99]"),
        ("gravity=0,-1", 2, "a vector needs parentheses: 'gravity=(0,-1)'"),
        ("panels.0.substeps=3", 2, "--set changes a field of `base`"),
    ] {
        let output =
            catena().args(["check", "-", "--set", patch]).write_stdin("Scene()").output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{message}");
        assert!(message.contains(part), "{patch}: {message}");
    }
}
