//! Differences between panels other than the method, and the messages about them.

use crate::{repository, scene};
use catena::figure::{page::settings, study::subjects};
use catena::scene::{
    Scene, SceneText,
    comparability::{NOT_PHYSICS, QUANTITIES, differences, notes},
    fields, load,
};

/// Names of a panel's differences, in order.
pub(super) fn differing(scene: &Scene, panel: usize) -> Vec<&'static str> {
    let all = differences(scene);
    let here = all.iter().filter(|difference| difference.panel == panel);
    here.map(|difference| difference.quantity.name).collect()
}

/// A scene of tests/defects.
pub(super) fn defect(name: &str) -> Scene {
    let path = repository("tests/defects").join(name).with_extension("ron");
    load(&SceneText::read(&path).unwrap(), &[]).unwrap()
}

/// A scene of panels with these settings.
pub(super) fn panels(base: &str, all: &[&str]) -> Scene {
    let panel = |(index, with): (usize, &&str)| format!("(label: \"{index}\", with: ({with}))");
    let all: Vec<String> = all.iter().enumerate().map(panel).collect();
    crate::scene_of(&format!("Scene(base: ({base}), panels: [{}])", all.join(", ")))
}

#[test]
fn panels_that_are_not_equal_physics_are_told_so() {
    let scene = scene("compare", &[]);
    let notes = notes(&scene);
    // The labels name methods, and a method with rigid lengths has no springs.
    assert_eq!(
        notes,
        [
            "Damping differs: c/m = 0.01 in \"Semi-implicit Euler\", 0.0032 in \"Constraint Verlet\". \
          To compare like with like, set `integrator: ConstraintVerlet(damping: 0.00015625)` in \"Constraint Verlet\"."
        ]
    );
    let law =
        catena::scene::comparability::notes(&panels("", &["", "integrator: ConstraintVerlet"]));
    assert_eq!(
        law,
        ["Spring law differs: Hooke in \"0\", rigid segments instead of springs in \"1\". \
          No setting of \"1\" makes the values equal."]
    );
}

/// For each field that affects the physics: a setting that the first panel lacks, and the
/// quantities that then differ.
const ALONE: &[(&str, &str, &[&str])] = &[
    ("drag", "drag: 0.1", &["c/m"]),
    ("velocity_factor", "velocity_factor: 0.99", &["c/m"]),
    ("substeps", "substeps: 16", &["dt"]),
    ("max_dt", "max_dt: 0.03", &["dt"]),
    ("step_control", "step_control: StepDoubling", &["dt"]),
    ("integrator", "integrator: DormandPrince", &["dt"]),
    ("rope.law", "rope: (law: Exponential)", &["law"]),
    ("rope.end", "rope: (end: (-300, 200))", &["rest length"]),
    ("rope.end", "rope: (end: (0, -200))", &["direction"]),
    ("rope.start", "rope: (start: (100, 200))", &["rest length"]),
    ("rope.last_node", "rope: (last_node: OneSpacingShort)", &["rest length"]),
    ("rope.nodes", "rope: (nodes: 8)", &["nodes"]),
    ("rope.shape", "rope: (shape: Arc(height: 50))", &["rest length", "shape"]),
    ("rope.length", "rope: (length: 500)", &["rest length", "shape"]),
    ("rope.taper.mass", "rope: (taper: (mass: (1, 0.5)))", &["mass of a node"]),
    ("rope.taper.stiffness", "rope: (taper: (stiffness: (1, 0.5)))", &["k"]),
    ("rope.ranges", "rope: (ranges: [(from: 3, to: 5, mass: 2)])", &["mass of a node"]),
    ("rope.weights", "rope: (weights: [(node: 3, mass: 2)])", &["mass of a node"]),
    ("starts_at_rest", "starts_at_rest: true", &["direction", "shape"]),
    ("velocities", "velocities: [(velocity: (1, 0))]", &["velocities"]),
    ("gravity", "gravity: (0, -2)", &["gravity"]),
    ("rope.stiffness", "rope: (stiffness: 200)", &["k"]),
    ("rope.mass", "rope: (mass: 2)", &["mass of a node"]),
    ("rope.pins", "rope: (pins: [0, 15])", &["pins"]),
    ("rope.bending", "rope: (bending: 1)", &["bending k"]),
    ("rope.damping", "rope: (damping: 1)", &["spring damping"]),
    ("rope.friction", "rope: (friction: 1)", &["spring friction"]),
    ("rope.breaks_at", "rope: (breaks_at: 1)", &["breaking strain"]),
    ("forces", "forces: [PointForce(force: (1, 0), node: 3)]", &["forces"]),
    ("slips", "slips: [ForcesNotCleared]", &["slips"]),
    ("impulses", "impulses: [(node: 3, impulse: (1, 0))]", &["impulses"]),
    ("events", "events: [(at: 1, do: Cut(a: 3, b: 4))]", &["events"]),
    ("gravity", "gravity: Step(keys: [(0, (0, -1)), (1, (0, -2))])", &["gravity"]),
    ("drag", "drag: [(0, 0.01), (1, 0.5)]", &["c/m"]),
    ("contact.thickness", "contact: (thickness: 1)", &["self-contact"]),
];

/// Differences of a cloth; fields are given without `cloth.`.
const CLOTH_ALONE: &[(&str, &str, &[&str])] = &[
    ("across", "(6, 0)", &["rest length", "proportions"]),
    ("down", "(0, -6)", &["rest length", "proportions"]),
    ("rows", "4", &["nodes"]),
    ("columns", "4", &["nodes"]),
    ("stiffness", "50", &["k", "bending k"]),
    ("mass", "2", &["mass of a node"]),
    ("pins", "Corners", &["pins"]),
    ("weights", "[(node: 3, mass: 2)]", &["mass of a node"]),
    ("damping", "2", &["spring damping"]),
    ("law", "Exponential", &["law"]),
    ("breaks_at", "2", &["breaking strain"]),
];

/// Differences of a net.
const NET_ALONE: &[(&str, &str, &[&str])] = &[
    ("across", "(6, 0)", &["rest length", "proportions"]),
    ("down", "(0, -6)", &["rest length", "proportions"]),
    ("rows", "4", &["rest length", "nodes"]),
    ("columns", "4", &["rest length", "nodes"]),
    ("mesh", "Diamond", &["rest length", "nodes"]),
    ("strands", "2", &["nodes"]),
    ("stiffness", "50", &["k"]),
    ("mass", "2", &["mass of a node"]),
    ("pins", "Corners", &["pins"]),
    ("damping", "2", &["spring damping"]),
    ("law", "Exponential", &["law"]),
    ("breaks_at", "2", &["breaking strain"]),
];

/// Differences of a mesh; fields are given without `mesh.`.
const MESH_ALONE: &[(&str, &str, &[&str])] = &[
    ("file", "\"tests/meshes/kite.obj\"", &["rest length"]),
    ("scale", "2", &["rest length"]),
    ("stiffness", "50", &["k"]),
    ("mass", "2", &["mass of a node"]),
    ("density", "6", &["mass of a node"]),
    ("bending", "5", &["bending k"]),
    ("pins", "[0]", &["pins"]),
    ("weights", "[(node: 1, mass: 2)]", &["mass of a node"]),
    ("damping", "2", &["spring damping"]),
    ("law", "Exponential", &["law"]),
    ("breaks_at", "2", &["breaking strain"]),
];

/// Differences of a graph; fields are given without `graph.`.
const GRAPH_ALONE: &[(&str, &str, &[&str])] = &[
    ("nodes", "[(0, 0), (2, 0), (0, 1)]", &["rest length", "proportions"]),
    ("springs", "[(0, 1), (1, 2, 50)]", &["k"]),
    ("adjacency", "[[0, 0, 2], [0, 0, 0], [2, 0, 0]]", &["rest length", "k"]),
    ("stiffness", "50", &["k"]),
    ("mass", "2", &["mass of a node"]),
    ("pins", "[0]", &["pins"]),
    ("weights", "[(node: 1, mass: 2)]", &["mass of a node"]),
    ("damping", "2", &["spring damping"]),
    ("law", "Exponential", &["law"]),
    ("breaks_at", "2", &["breaking strain"]),
];

/// Differences of a solid; fields are given without `solid.`.
const SOLID_ALONE: &[(&str, &str, &[&str])] = &[
    ("shape", "Ball(radius: 2)", &["rest length", "proportions"]),
    ("mass", "2", &["mass of a node"]),
    ("stiffness", "50", &["k"]),
    ("velocity", "(1, 0, 0)", &["velocities"]),
    ("spin", "2", &["velocities"]),
    ("points", "[(0, 1, 0)]", &["rest length", "mass of a node", "nodes", "proportions"]),
    ("turn", "30", &["proportions"]),
];

/// Fields that matter only with others: settings of both panels, of the first and of the second
/// panel, and the quantities that then differ.
const WITH_OTHERS: &[(&str, &str, &str, &str, &[&str])] = &[
    (
        "rope.material_damping",
        "rope: (material: Rubber, area: 0.001)",
        "",
        "rope: (material_damping: true)",
        &["spring damping"],
    ),
    ("cloth.poisson", "C", "", "cloth: (poisson: 0.5)", &["k"]),
    (
        "cloth.material",
        "C",
        "cloth: (material: Steel, thickness: 0.001)",
        "cloth: (material: Rubber, thickness: 0.001)",
        &["k", "mass of a node", "bending k"],
    ),
    (
        "cloth.thickness",
        "C",
        "cloth: (material: Steel, thickness: 0.001)",
        "cloth: (material: Steel, thickness: 0.002)",
        &["k", "mass of a node", "bending k"],
    ),
    (
        "contact.viscous",
        "colliders: [Sphere(center: (0, 0), radius: 5)]",
        "",
        "contact: (viscous: 1)",
        &["colliders"],
    ),
    (
        "graph.lengths",
        "graph: (nodes: [(0, 0), (1, 0)], adjacency: [[0, 1], [1, 0]])",
        "",
        "graph: (lengths: [[0, 2], [2, 0]])",
        &["rest length", "shape"],
    ),
    ("integrator", "", "integrator: Xpbd", "integrator: Xpbd(substeps: 2)", &["dt"]),
    ("integrator", "", "integrator: Xpbd", "integrator: Xpbd(compliance: 0.1)", &["k"]),
    ("integrator", "", "integrator: Xpbd", "integrator: Xpbd(tethers: true)", &["law"]),
    (
        "integrator",
        "",
        "integrator: ForceVerlet",
        "integrator: ForceVerlet(damping: 0.1)",
        &["c/m"],
    ),
    ("rope.start", "position_factor: 0.9", "", "rope: (start: (0, 0), end: (-400, 0))", &["place"]),
    (
        "rope.material",
        "rope: (area: 0.1)",
        "rope: (material: Rubber)",
        "rope: (material: Cotton)",
        &["k", "mass of a node"],
    ),
    (
        "rope.area",
        "rope: (material: Rubber, area: 0.1)",
        "",
        "rope: (area: 0.2)",
        &["k", "mass of a node"],
    ),
    ("net.corner", "N, position_factor: 0.9", "", "net: (corner: (0, 5))", &["place"]),
    ("cloth.corner", "C, position_factor: 0.9", "", "cloth: (corner: (0, 5))", &["place"]),
    (
        "solid.at",
        "gravity: (0, -1, 0), position_factor: 0.9, solid: (shape: Box(size: (1, 2, 3)))",
        "",
        "solid: (at: (0, 1, 0))",
        &["place"],
    ),
    (
        "solid.pins",
        "gravity: (0, -1, 0), solid: (shape: Box(size: (1, 2, 3)), points: [(0, 1, 0), (0, -1, 0)])",
        "solid: (pins: [1])",
        "solid: (pins: [2])",
        &["pins"],
    ),
    (
        "solid.axis",
        "gravity: (0, -1, 0), solid: (shape: Box(size: (1, 2, 3)), turn: 30)",
        "",
        "solid: (axis: (1, 0, 0))",
        &["proportions"],
    ),
    (
        "solid.spin_axis",
        "gravity: (0, -1, 0), solid: (shape: Box(size: (1, 2, 3)), spin: 2)",
        "",
        "solid: (spin_axis: (1, 0, 0))",
        &["velocities"],
    ),
    (
        "mesh.translate",
        "gravity: (0, -1, 0), position_factor: 0.9, mesh: (file: \"tests/meshes/square.obj\")",
        "",
        "mesh: (translate: (0, 1, 0))",
        &["place"],
    ),
    ("wind", "drag: 0.1", "", "wind: (1, 0)", &["wind"]),
    ("wind", "drag: 0.1", "", "wind: Gusts(mean: (1, 0), strength: 1)", &["wind"]),
    ("position_factor", "", "position_factor: 0.9", "position_factor: 0.99", &["position factor"]),
    (
        "anchors",
        "",
        "anchors: [(node: 0, curve: Linear(keys: [(0, (0, 200)), (5, (9, 200))]))]",
        "anchors: [(node: 0, curve: Linear(keys: [(0, (0, 200)), (5, (8, 200))]))]",
        &["moving pins"],
    ),
    (
        "colliders",
        "",
        "colliders: [Sphere(center: (0, 0), radius: 5)]",
        "colliders: [Sphere(center: (0, 1), radius: 5)]",
        &["colliders"],
    ),
    (
        "contact.radius",
        "colliders: [Sphere(center: (0, 0), radius: 5)]",
        "",
        "contact: (radius: 1)",
        &["colliders"],
    ),
    ("contact.of", OWN, "", "contact: (of: Drawn)", &["self-contact"]),
    ("contact.restitution", OWN, "", "contact: (restitution: 1)", &["self-contact"]),
    ("contact.friction", OWN, "", "contact: (friction: 1)", &["self-contact"]),
    ("rope.rod.axial", ROD, "", "rope: (rod: (axial: 1e4))", &["k"]),
    ("rope.rod.bending", ROD, "", "rope: (rod: (bending: 7))", &["rod"]),
    ("rope.rod.bending_across", ROD, "", "rope: (rod: (bending_across: 7))", &["rod"]),
    ("rope.rod.torsion", ROD, "", "rope: (rod: (torsion: 7))", &["rod"]),
    ("rope.rod.normal", ROD, "", "rope: (rod: (normal: (0, 0, 1)))", &["rod"]),
    ("rope.rod.curvature", ROD, "", "rope: (rod: (curvature: 0.01))", &["rod"]),
    ("rope.rod.twist", ROD, "", "rope: (rod: (twist: 0.01))", &["rod"]),
    ("rope.rod.inertia", ROD, "", "rope: (rod: (inertia: 0.01))", &["rod"]),
    ("rope.rod.clamps", ROD, "", "rope: (rod: (clamps: [(node: First)]))", &["rod"]),
    ("rope.rod.turns", ROD_RING, "", "rope: (rod: (turns: 2))", &["rod"]),
    ("rope.rod.radius", ROUND, "", "rope: (rod: (radius: 2))", &["k", "mass of a node", "rod"]),
    ("rope.rod.inner", ROUND, "", "rope: (rod: (inner: 0.5))", &["k", "mass of a node", "rod"]),
    ("rope.rod.poisson", ROUND, "", "rope: (rod: (poisson: 0.1))", &["rod"]),
    ("rope.rod.width", FLAT, "", "rope: (rod: (width: 3))", &["k", "mass of a node", "rod"]),
    ("rope.rod.height", FLAT, "", "rope: (rod: (height: 3))", &["k", "mass of a node", "rod"]),
];

const ROD: &str = "gravity: (0, -1, 0), \
    rope: (start: (0, 0, 0), end: (400, 0, 0), rod: (bending: 5, torsion: 1))";

const ROD_RING: &str = "gravity: (0, -1, 0), rope: (start: (0, 0, 0), end: (400, 0, 0), \
    shape: Ring, rod: (bending: 5, torsion: 1))";

const ROUND: &str = "gravity: (0, -1, 0), \
    rope: (start: (0, 0, 0), end: (400, 0, 0), material: Steel, rod: (radius: 1))";

const FLAT: &str = "gravity: (0, -1, 0), \
    rope: (start: (0, 0, 0), end: (400, 0, 0), material: Steel, rod: (width: 2, height: 1))";

const OWN: &str = "contact: (thickness: 1)";

const CLOTH: &str = "cloth: (corner: (0, 0), across: (5, 0), down: (0, -5), rows: 3, columns: 3)";

const NET: &str = "net: (corner: (0, 0), across: (5, 0), down: (0, -5), rows: 3, columns: 3)";

const MESH: &str = "gravity: (0, -1, 0), mesh: (file: \"tests/meshes/square.obj\")";

const SOLID: &str = "gravity: (0, -1, 0), solid: (shape: Box(size: (1, 2, 3)))";
const GRAPH: &str = "graph: (nodes: [(0, 0), (1, 0), (0, 1)], springs: [(0, 1), (1, 2)])";

/// Rows of all tables, in the format of [`WITH_OTHERS`].
pub(super) fn rows() -> Vec<(String, String, &'static str, String, &'static [&'static str])> {
    let of_rope = ALONE.iter().map(|(field, second, names)| {
        ((*field).into(), String::new(), "", (*second).into(), *names)
    });
    let of_cloth = CLOTH_ALONE.iter().map(|(field, value, names)| {
        (format!("cloth.{field}"), CLOTH.into(), "", format!("cloth: ({field}: {value})"), *names)
    });
    let of_net = NET_ALONE.iter().map(|(field, value, names)| {
        (format!("net.{field}"), NET.into(), "", format!("net: ({field}: {value})"), *names)
    });
    let with_others = WITH_OTHERS.iter().map(|(field, base, first, second, names)| {
        let base = base.replacen('C', CLOTH, usize::from(base.starts_with('C')));
        let base = base.replacen('N', NET, usize::from(base.starts_with('N')));
        ((*field).into(), base, *first, (*second).into(), *names)
    });
    let of = |kind: &'static str, base: &'static str, rows: &'static [(&str, &str, &[&str])]| {
        rows.iter().map(move |(field, value, names)| {
            (
                format!("{kind}.{field}"),
                base.into(),
                "",
                format!("{kind}: ({field}: {value})"),
                *names,
            )
        })
    };
    let of_mesh = of("mesh", MESH, MESH_ALONE);
    let of_graph = of("graph", GRAPH, GRAPH_ALONE);
    let of_solid = of("solid", SOLID, SOLID_ALONE);
    let all = of_rope.chain(of_cloth).chain(of_net).chain(of_mesh).chain(of_graph);
    all.chain(of_solid).chain(with_others).collect()
}

#[test]
fn every_setting_that_enters_the_physics_is_noticed() {
    let rows = rows();
    for (field, base, first, second, expected) in &rows {
        let scene = panels(base, &[first, second]);
        assert_eq!(differing(&scene, 1), *expected, "{field}: {second}");
        assert_eq!(differing(&panels(base, &[second, first]), 1), *expected, "{field}: {second}");
        assert!(!notes(&scene).is_empty(), "{field}");
        assert_eq!(differing(&panels(base, &[second, second]), 1), [""; 0], "{field}: {second}");
    }
    for quantity in QUANTITIES {
        for field in quantity.fields {
            let is_tried = rows.iter().any(|(other, ..)| other == field);
            let here = "crates/catena-tests/suite/scene/comparability.rs";
            assert!(is_tried, "{here}: add a row for `{field}` to ALONE");
        }
    }
}

#[test]
fn every_field_is_named_as_physics_or_beside_it() {
    const FILE: &str = "crates/catena-scene/src/comparability/quantity.rs";
    let covers = |name: &str, path: &str| match name.strip_suffix('*') {
        Some(head) => path.starts_with(head),
        None => name == path,
    };
    let all = fields();
    for field in &all {
        let path = &*field.path;
        let in_physics = QUANTITIES.iter().any(|quantity| quantity.fields.contains(&path));
        let is_excluded = NOT_PHYSICS.iter().any(|(name, _)| covers(name, path));
        assert!(
            in_physics != is_excluded,
            "`{path}` must stand in {FILE}: in the fields of each quantity that it sets, or in NOT_PHYSICS"
        );
    }
    // No row names a removed field.
    let named = QUANTITIES.iter().flat_map(|quantity| quantity.fields.iter().copied());
    for name in named.chain(NOT_PHYSICS.iter().map(|(name, _)| *name)) {
        assert!(
            all.iter().any(|field| covers(name, &field.path)),
            "`{name}` in {FILE}: no such field"
        );
    }
}

#[test]
fn a_person_does_not_drown_in_notes() {
    let many = "drag: 1, substeps: 16, gravity: (0, -3), wind: (1, 0), position_factor: 0.9, rope: (nodes: 8, mass: 3, stiffness: 50, bending: 1)";
    let notes = notes(&panels("", &["", many]));
    assert_eq!(notes.len(), 5, "{notes:#?}");
    assert_eq!(
        notes[4],
        "5 more differ: mass of a node, nodes, wind, bending k, position factor; see the table of `catena report`"
    );
    assert!(notes.iter().all(|note| note.len() < 250), "{notes:#?}");
}

/// Text of a cell in the report's table of settings, and whether it is marked.
fn cell(scene: &Scene, row: usize, column: &str) -> (String, bool) {
    let (columns, rows) = settings(&subjects(scene));
    let place =
        columns.iter().position(|name| *name == column).unwrap_or_else(|| panic!("{column}"));
    let cell = &rows[row].cells[place];
    (cell.text.clone(), cell.differs)
}

#[test]
fn the_table_of_settings_says_what_is_simulated() {
    let says = |text: &str, differs| (text.to_owned(), differs);
    // XPBD has its own compliance, and takes five steps per substep.
    let scene = defect("09_xpbd_table");
    assert_eq!(cell(&scene, 0, "k"), says("300", false));
    assert_eq!(cell(&scene, 1, "k"), says("10", true));
    assert_eq!(cell(&scene, 0, "dt"), says("0.0025", false));
    assert_eq!(cell(&scene, 1, "dt"), says("0.0005", true));
    assert_eq!(cell(&scene, 1, "substeps"), says("20 × 5", true));
    assert_eq!(cell(&scene, 1, "frame time"), says("0.05", false));
    let message = notes(&scene);
    assert!(
        message
            .iter()
            .any(|note| note
                .starts_with("Time step differs: dt = 0.0025 in \"A\", 0.0005 in \"xpbd\"")),
        "{message:?}"
    );
    assert!(
        message
            .iter()
            .any(|note| note.starts_with("Stiffness differs: k = 300 in \"A\", 10 in \"xpbd\"")),
        "{message:?}"
    );
    // Chosen steps are labelled as such, with the known bounds.
    for (with, expected) in [
        ("integrator: DormandPrince", "chosen by DormandPrince, at most 0.01562"),
        ("step_control: StepDoubling", "chosen by StepDoubling, at most 0.007812"),
        (
            "integrator: Rk4, step_control: StabilityLimit",
            "chosen by StabilityLimit, at most 0.01562",
        ),
    ] {
        assert_eq!(cell(&panels("", &["", with]), 1, "dt"), says(expected, true));
    }
    // A damping that acts once per chosen step has at least its value for the longest step.
    let scene = panels(
        "drag: 0",
        &["drag: 0.032", "integrator: ForceVerlet(damping: 0.001), step_control: StepDoubling"],
    );
    assert_eq!(cell(&scene, 1, "c/m"), says("at least 0.128", true));
    // Rigid lengths have no stiffness; the first body with a stiffness is the reference.
    let scene = panels("", &["integrator: Shake", "", "rope: (stiffness: 200)"]);
    let column = [0, 1, 2].map(|row| cell(&scene, row, "k"));
    assert_eq!(column, [says("-", false), says("100", false), says("200", true)]);
    // A quantity that no body has is omitted; a quantity of at least one body is shown.
    let columns = |with| settings(&subjects(&panels("", &["", with]))).0;
    assert!(!columns("").contains(&"wind") && columns("drag: 1, wind: (1, 0)").contains(&"wind"));
}

#[test]
fn a_direction_has_no_length() {
    // Both are from (0, 0) to (1.5, 0.2); one is slack.
    let long = panels("rope: (start: (0, 0), end: (1.5, 0.2))", &["", "rope: (length: 2)"]);
    assert_eq!(differing(&long, 1), ["rest length", "shape"]);
    // A cloth with sides of other lengths in the same directions.
    let cloth = "rope: (end: (1, 0)), cloth: (corner: (0, 0), across: (3, 0), down: (0, -2), rows: 3, columns: 3)";
    let turned = panels(cloth, &["", "cloth: (across: (0, 3), down: (2, 0))"]);
    assert_eq!(differing(&turned, 1), ["direction"]);
    let wide = panels(cloth, &["", "cloth: (across: (2, 0), down: (0, -3))"]);
    assert_eq!(differing(&wide, 1), ["proportions"]);
}
