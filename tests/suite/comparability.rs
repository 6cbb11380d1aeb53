//! What differs between panels beside the method, and what is said to make it equal.

use crate::{repository, scene, scene_of};
use catena::figure::{page::settings, study::subjects};
use catena::scene::{
    Scene, SceneText,
    comparability::{BESIDE_PHYSICS, QUANTITIES, cures, differences, notes},
    fields, load,
};

/// The names of what differs in a panel, in order.
fn differing(scene: &Scene, panel: usize) -> Vec<&'static str> {
    let all = differences(scene);
    let here = all.iter().filter(|difference| difference.panel == panel);
    here.map(|difference| difference.quantity.name).collect()
}

/// A scene of tests/defects.
fn defect(name: &str) -> Scene {
    let path = repository("tests/defects").join(name).with_extension("ron");
    load(&SceneText::read(&path).unwrap(), &[]).unwrap()
}

/// A scene of panels with these settings.
fn panels(base: &str, all: &[&str]) -> Scene {
    let panel = |(index, with): (usize, &&str)| format!("(label: \"{index}\", with: ({with}))");
    let all: Vec<String> = all.iter().enumerate().map(panel).collect();
    scene_of(&format!("Scene(base: ({base}), panels: [{}])", all.join(", ")))
}

/// The scene with all cures that are said of it written into its bodies, as printed. Each panel has
/// one body and gets a list of bodies with one that has the cures; fields that two cures both name
/// have the same value in both.
fn cured(base: &str, all: &[&str]) -> Scene {
    let sick = panels(base, all);
    let cures = cures(&sick);
    let panel = |(index, with): (usize, &&str)| {
        // One cure a layer: a panel of the panel's body would be one too few, so that they are
        // joined by hand.
        let mine = cures.iter().filter(|cure| cure.panel == index).map(|cure| &*cure.settings);
        let joined = joined(mine);
        format!("(label: \"{index}\", with: ({with}{}bodies: [(with: ({joined}))]))", comma(with))
    };
    let all: Vec<String> = all.iter().enumerate().map(panel).collect();
    scene_of(&format!("Scene(base: ({base}), panels: [{}])", all.join(", ")))
}

fn comma(with: &str) -> &str {
    if with.trim().is_empty() { "" } else { ", " }
}

/// The fields of a text at its top level.
fn fields_of(text: &str) -> Vec<(String, String)> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for letter in text.chars() {
        depth += i32::from("([".contains(letter)) - i32::from(")]".contains(letter));
        match letter {
            ',' if depth == 0 => parts.push(String::new()),
            letter => parts.last_mut().unwrap().push(letter),
        }
    }
    let named = parts.iter().filter_map(|part| part.split_once(':'));
    named.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect()
}

/// Settings that are one text, each field once. The same field may not have two values.
fn joined<'a>(all: impl Iterator<Item = &'a str>) -> String {
    let mut found: Vec<(String, String)> = Vec::new();
    for (name, value) in all.flat_map(fields_of) {
        let is_group = ["rope", "cloth", "contact"].contains(&&*name);
        match found.iter_mut().find(|(other, _)| *other == name) {
            None => found.push((name, value)),
            Some((_, old)) if is_group => {
                let inside = |text: &str| text[1..text.len() - 1].to_owned();
                let both = [inside(old), inside(&value)];
                *old = format!("({})", joined(both.iter().map(String::as_str)));
            }
            Some((_, old)) => assert_eq!(*old, value, "{name}"),
        }
    }
    let texts: Vec<String> = found.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    texts.join(", ")
}

#[test]
fn panels_that_are_not_equal_physics_are_told_so() {
    let scene = scene("compare", &[]);
    let notes = notes(&scene);
    let damping = notes.iter().find(|note| note.starts_with("c/m")).unwrap();
    for part in [
        "0.01 in Semi-implicit Euler",
        "0.0032 in Constraint Verlet",
        "0.32 times",
        "damping: 0.00015625",
    ] {
        assert!(damping.contains(part), "{damping}");
    }
    let law = notes.iter().find(|note| note.starts_with("law")).unwrap();
    assert!(
        law.ends_with("no setting of Constraint Verlet was found that makes it equal"),
        "{law}"
    );
}

/// A body beside the first one, in what it differs, and what would make it equal.
#[test]
fn cures_are_the_settings_that_do_it() {
    for (base, first, second, quantity, cure) in [
        ("drag: 0.01", "", "integrator: ConstraintVerlet(damping: 5e-5)", "law", None),
        ("drag: 0.01", "", "drag: 0.03", "c/m", Some("drag: 0.01")),
        (
            "drag: 0.01",
            "",
            "drag: 0, velocity_factor: 0.999",
            "c/m",
            Some("velocity_factor: 0.99984375"),
        ),
        // A drag with a factor: either of the two does.
        ("", "drag: 0.5", "drag: 0.1, velocity_factor: 0.999", "c/m", Some("drag: 0.436")),
        (
            "",
            "drag: 0.01",
            "drag: 0.1, velocity_factor: 0.99",
            "c/m",
            Some("drag: 0.01, velocity_factor: 1"),
        ),
        ("", "", "substeps: 16", "dt", Some("substeps: 64")),
        ("", "", "step_control: StabilityLimit", "dt", Some("step_control: Fixed, substeps: 64")),
        ("", "", "integrator: DormandPrince", "dt", None),
        ("", "", "rope: (law: Exponential)", "law", Some("rope: (law: Hooke)")),
        (
            "",
            "",
            "rope: (last_node: OneSpacingShort)",
            "rest length",
            Some("rope: (last_node: AtEnd)"),
        ),
        ("", "", "rope: (end: (-300, 200))", "rest length", Some("rope: (end: (-400, 200))")),
        (
            "",
            "",
            "rope: (start: (0, 100), end: (-300, 100))",
            "rest length",
            Some("rope: (end: (-400, 100))"),
        ),
        ("", "rope: (breaks_at: 0.5)", "", "breaking strain", Some("rope: (breaks_at: 0.5)")),
        ("", "", "rope: (breaks_at: 0.5)", "breaking strain", None),
        (
            "",
            "",
            "forces: [PenaltyGround(height: -900, repulsion: 100, friction: 0.2, absorption: 2)]",
            "forces",
            Some("forces: []"),
        ),
        ("", "wind: (3, 0)", "wind: (1, 0)", "", None),
        ("drag: 0.1", "wind: (3, 0)", "wind: (1, 0)", "wind", Some("wind: (3, 0)")),
        (
            "integrator: Xpbd(iterations: 20)",
            "",
            "integrator: Xpbd(iterations: 30, compliance: 0.1)",
            "k",
            Some("integrator: Xpbd(iterations: 30, compliance: 0.01)"),
        ),
        // A stiffness beside a material is refused, a material of that stiffness is not.
        (
            "",
            "rope: (nodes: 3, stiffness: 3)",
            "rope: (nodes: 3, material: Elastic(young: 200, density: 2), area: 2)",
            "k",
            Some("rope: (material: Elastic(young: 300, density: 2))"),
        ),
        (
            "",
            "rope: (nodes: 8, pins: [0, 7])",
            "rope: (nodes: 16)",
            "pins",
            Some("rope: (pins: [0, 15])"),
        ),
    ] {
        let scene = panels(base, &[first, second]);
        let (all, cures) = (differences(&scene), cures(&scene));
        let found = all.iter().find(|found| found.quantity.name == quantity);
        assert_eq!(found.is_some(), !quantity.is_empty(), "{second}: {all:?}");
        let Some(found) = found else { continue };
        assert_eq!(found.panel, 1, "{second}");
        let said = cures.iter().find(|cure| cure.quantity.name == quantity);
        assert_eq!(said.map(|cure| &*cure.settings), cure, "{base} {first} {second}: {cures:?}");
    }
}

#[test]
fn cures_that_were_none_are_mended() {
    // Rest length: more nodes do not make a rope longer.
    let notes_of = |name: &str| notes(&defect(name)).join("\n");
    let said = notes_of("05_cure_rest_length");
    assert!(said.contains("`rope: (end: (-400, 200))` in B would make it equal"), "{said}");
    // A damping that acts once a step: both cures hold together, and the one of c/m alone.
    let said = notes_of("06_cures_together");
    assert!(said.contains("`substeps: 64, integrator: ForceVerlet(damping: 0.001)`"), "{said}");
    // Tethers stay.
    let said = notes_of("07_cure_drops_tethers");
    assert!(said.contains("ConstraintVerlet(damping: 0.00015625, tethers: true)`"), "{said}");
    // One setting that does it, for each.
    let said = notes_of("08_no_one_setting");
    assert!(said.contains("`rope: (last_node: AtEnd)` in B would make it equal"), "{said}");
    assert!(!said.contains("no setting"), "{said}");
}

#[test]
fn all_cures_of_a_scene_hold_together() {
    let b = "integrator: ForceVerlet(damping: 0.002), substeps: 16";
    let scene = cured("", &["integrator: ForceVerlet(damping: 0.001), substeps: 64", b]);
    assert_eq!(differing(&scene, 1), [""; 0]);
    // The third body differs in more than the second, which is the first to differ in dt.
    let all = ["", "substeps: 16", "substeps: 32, drag: 0.1, gravity: (0, -2)"];
    assert_eq!(differing(&panels("", &all), 2), ["c/m", "dt", "gravity"]);
    assert_eq!(differing(&cured("", &all), 1), [""; 0]);
    assert_eq!(differing(&cured("", &all), 2), ["dt"]);
}

/// SplitMix64: the same numbers every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }
}

/// One setting of each kind at random, or none; a kind is there so many times of 100.
fn some_of(random: &mut Random, kinds: &[&[&str]], percent: usize) -> Vec<String> {
    let mut chosen = Vec::new();
    for kind in kinds {
        if random.below(100) < percent {
            chosen.push(kind[random.below(kind.len())].to_owned());
        }
    }
    chosen
}

/// The settings of a random rope.
fn random_rope(random: &mut Random) -> String {
    const METHODS: &[&str] = &[
        "integrator: ForceVerlet",
        "integrator: ForceVerlet(damping: 0.001)",
        "integrator: ConstraintVerlet(damping: 0.0004, tethers: true)",
        "integrator: ConstraintVerlet(tethers: false)",
        "integrator: Xpbd",
        "integrator: Xpbd(compliance: 0.02, substeps: 4)",
        "integrator: Xpbd(substeps: 2, iterations: 20)",
        "integrator: Shake",
        "integrator: Rk4",
        "integrator: DormandPrince(tolerance: 1e-5)",
        "integrator: Pbd(iterations: 3, tethers: true)",
    ];
    let kinds: &[&[&str]] = &[
        METHODS,
        &["substeps: 16", "substeps: 64", "substeps: 60"],
        &["step_control: StepDoubling", "step_control: StepDoubling(tolerance: 0.01)"],
        &["drag: 0.02", "drag: 0", "drag: 1.37"],
        &["gravity: (0, -2)", "gravity: (1, -1)"],
        &["wind: (3, 0)", "wind: (0, 1)"],
        &["position_factor: 0.9999"],
        &["impulses: [(node: 2, at: 1.5, impulse: (0, 3))]", "impulses: []"],
        &["anchors: [(node: 0, curve: Linear(keys: [(0, (0, 200)), (9, (5, 200))]))]"],
        &[
            "forces: [PenaltyGround(height: -900, repulsion: 100, friction: 0.2, absorption: 2)]",
            "forces: []",
        ],
        &["colliders: [Plane(point: (0, -900), normal: (0, 1))]"],
        &["contact: (radius: 1)", "contact: (thickness: 2, friction: 0.5)"],
    ];
    let rope: &[&[&str]] = &[
        &["nodes: 8", "nodes: 16", "nodes: 11"],
        &["end: (-300, 200)", "start: (0, 100)", "start: (10, 0), end: (90, 50)"],
        &["stiffness: 50", "material: Rubber, area: 0.001"],
        &["mass: 0.3", "mass: 2"],
        &["bending: 1"],
        &["pins: [0, 7]", "pins: []"],
        &["damping: 0.1"],
        &["friction: 0.2"],
        &["breaks_at: 3"],
        &["last_node: OneSpacingShort"],
        &["law: Exponential", "law: Plastic(yield_strain: 0.1)"],
    ];
    let mut all = some_of(random, kinds, 25);
    let inside = some_of(random, rope, 20);
    if !inside.is_empty() {
        all.push(format!("rope: ({})", inside.join(", ")));
    }
    all.join(", ")
}

/// A random rope that can be built.
fn sound_rope(random: &mut Random) -> String {
    loop {
        let with = random_rope(random);
        let text = format!("Scene(base: ({with}))");
        let text = SceneText { origin: "test".into(), name: "test".into(), text };
        if load(&text, &[]).is_ok() {
            return with;
        }
    }
}

#[test]
fn random_pairs_are_equal_in_what_their_cures_say() {
    let mut random = Random(18);
    let (mut unequal, mut said, mut left) = (0, 0, 0);
    for pair in 0..200 {
        let all = [sound_rope(&mut random), sound_rope(&mut random)];
        let all = [&*all[0], &*all[1]];
        let sick = panels("", &all);
        let (before, cures) = (differing(&sick, 1), cures(&sick));
        unequal += usize::from(!before.is_empty());
        said += cures.len();
        left += before.len() - cures.len();
        let cured = cured("", &all);
        let after = differing(&cured, 1);
        for cure in &cures {
            let name = cure.quantity.name;
            assert!(before.contains(&name), "{pair}: {name} did not differ in {all:?}");
            assert!(!after.contains(&name), "{pair}: `{}` for {name} in {all:?}", cure.settings);
            // Alone it does it too.
            let alone = sick.body_with(1, 0, &cure.settings).unwrap();
            let lead = &sick.panels[0].bodies[0];
            assert!(cure.quantity.of(&alone).equals(&cure.quantity.of(lead)), "{pair}: {cure:?}");
        }
        // Nothing that was equal is unequal now.
        let new: Vec<_> = after.iter().filter(|name| !before.contains(name)).collect();
        assert!(new.is_empty(), "{pair}: {new:?} after {cures:?} in {all:?}");
    }
    assert!(unequal > 150 && said > 300, "{unequal} {said}");
    // What is left are laws and steps that methods have by nature, and settings that nothing added
    // takes away.
    assert!(left < said, "{left} of {said}");
}

/// For each field that enters the physics: what two panels have, beside this base, and the
/// quantities that then differ.
const ALONE: &[(&str, &str, &str, &str, &[&str])] = &[
    ("drag", "", "", "drag: 0.1", &["c/m"]),
    ("velocity_factor", "", "", "velocity_factor: 0.99", &["c/m"]),
    ("substeps", "", "", "substeps: 16", &["dt"]),
    ("step_control", "", "", "step_control: StepDoubling", &["dt"]),
    ("integrator", "", "integrator: Xpbd", "integrator: Xpbd(substeps: 2)", &["dt"]),
    ("integrator", "", "integrator: Xpbd", "integrator: Xpbd(compliance: 0.1)", &["k"]),
    (
        "integrator",
        "",
        "integrator: ForceVerlet",
        "integrator: ForceVerlet(damping: 0.1)",
        &["c/m"],
    ),
    ("integrator", "", "", "integrator: DormandPrince", &["dt"]),
    ("integrator", "", "integrator: Xpbd", "integrator: Xpbd(tethers: true)", &["law"]),
    ("rope.law", "", "", "rope: (law: Exponential)", &["law"]),
    ("rope.end", "", "", "rope: (end: (-300, 200))", &["rest length"]),
    ("rope.end", "", "", "rope: (end: (0, -200))", &["direction"]),
    ("rope.start", "", "", "rope: (start: (100, 200))", &["rest length"]),
    ("rope.start", "position_factor: 0.9", "", "rope: (start: (0, 0), end: (-400, 0))", &["place"]),
    ("rope.last_node", "", "", "rope: (last_node: OneSpacingShort)", &["rest length"]),
    ("rope.nodes", "", "", "rope: (nodes: 8)", &["nodes"]),
    ("gravity", "", "", "gravity: (0, -2)", &["gravity"]),
    ("rope.stiffness", "", "", "rope: (stiffness: 200)", &["k"]),
    ("rope.mass", "", "", "rope: (mass: 2)", &["mass of a node"]),
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
    ("rope.pins", "", "", "rope: (pins: [0, 15])", &["pins"]),
    ("rope.bending", "", "", "rope: (bending: 1)", &["bending k"]),
    ("rope.damping", "", "", "rope: (damping: 1)", &["spring damping"]),
    ("rope.friction", "", "", "rope: (friction: 1)", &["spring friction"]),
    ("rope.breaks_at", "", "", "rope: (breaks_at: 1)", &["breaking strain"]),
    ("cloth.corner", "C, position_factor: 0.9", "", "cloth: (corner: (0, 5))", &["place"]),
    ("cloth.across", "C", "", "cloth: (across: (6, 0))", &["rest length", "direction"]),
    ("cloth.down", "C", "", "cloth: (down: (0, -6))", &["rest length", "direction"]),
    ("cloth.rows", "C", "", "cloth: (rows: 4)", &["nodes"]),
    ("cloth.columns", "C", "", "cloth: (columns: 4)", &["nodes"]),
    ("cloth.stiffness", "C", "", "cloth: (stiffness: 50)", &["k", "bending k"]),
    ("cloth.mass", "C", "", "cloth: (mass: 2)", &["mass of a node"]),
    ("cloth.pins", "C", "", "cloth: (pins: Corners)", &["pins"]),
    ("cloth.damping", "C", "", "cloth: (damping: 2)", &["spring damping"]),
    ("cloth.law", "C", "", "cloth: (law: Exponential)", &["law"]),
    ("cloth.breaks_at", "C", "", "cloth: (breaks_at: 2)", &["breaking strain"]),
    ("wind", "drag: 0.1", "", "wind: (1, 0)", &["wind"]),
    ("position_factor", "", "position_factor: 0.9", "position_factor: 0.99", &["position factor"]),
    ("forces", "", "", "forces: [PointForce(force: (1, 0), node: 3)]", &["forces"]),
    ("impulses", "", "", "impulses: [(node: 3, impulse: (1, 0))]", &["impulses"]),
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
    ("contact.thickness", "", "", "contact: (thickness: 1)", &["self-contact"]),
    (
        "contact.restitution",
        "contact: (thickness: 1)",
        "",
        "contact: (restitution: 1)",
        &["self-contact"],
    ),
    (
        "contact.friction",
        "contact: (thickness: 1)",
        "",
        "contact: (friction: 1)",
        &["self-contact"],
    ),
];

const CLOTH: &str = "cloth: (corner: (0, 0), across: (5, 0), down: (0, -5), rows: 3, columns: 3)";

#[test]
fn every_setting_that_enters_the_physics_is_noticed() {
    for (field, base, first, second, expected) in ALONE {
        let base = base.replacen('C', CLOTH, usize::from(base.starts_with('C')));
        let scene = panels(&base, &[first, second]);
        assert_eq!(differing(&scene, 1), *expected, "{field}: {second}");
        assert_eq!(differing(&panels(&base, &[second, first]), 1), *expected, "{field}: {second}");
        assert!(!notes(&scene).is_empty(), "{field}");
        assert_eq!(differing(&panels(&base, &[second, second]), 1), [""; 0], "{field}: {second}");
    }
    for quantity in QUANTITIES {
        for field in quantity.fields {
            let is_tried = ALONE.iter().any(|(other, ..)| other == field);
            assert!(is_tried, "add a row for `{field}` to ALONE in tests/suite/comparability.rs");
        }
    }
}

#[test]
fn every_field_is_named_as_physics_or_beside_it() {
    const FILE: &str = "src/scene/comparability/quantities.rs";
    let covers = |name: &str, path: &str| match name.strip_suffix('*') {
        Some(head) => path.starts_with(head),
        None => name == path,
    };
    let all = fields();
    for field in &all {
        let path = &*field.path;
        let in_physics = QUANTITIES.iter().any(|quantity| quantity.fields.contains(&path));
        let beside = BESIDE_PHYSICS.iter().any(|(name, _)| covers(name, path));
        assert!(
            in_physics != beside,
            "`{path}` must stand in {FILE}: in the fields of each quantity that it sets, or in BESIDE_PHYSICS"
        );
    }
    // No row names a field that is gone.
    let named = QUANTITIES.iter().flat_map(|quantity| quantity.fields.iter().copied());
    for name in named.chain(BESIDE_PHYSICS.iter().map(|(name, _)| *name)) {
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
        "5 more differ: mass of a node, nodes, wind, bending k, position factor; the table of `catena report` shows them"
    );
    assert!(notes.iter().all(|note| note.len() < 250), "{notes:#?}");
}

/// The text of a cell of the report's table of settings, and whether it is marked.
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
    // XPBD has a compliance of its own, and takes five steps in each.
    let scene = defect("09_xpbd_table");
    assert_eq!(cell(&scene, 0, "k"), says("300", false));
    assert_eq!(cell(&scene, 1, "k"), says("10", true));
    assert_eq!(cell(&scene, 0, "dt"), says("0.0025", false));
    assert_eq!(cell(&scene, 1, "dt"), says("0.0005", true));
    assert_eq!(cell(&scene, 1, "substeps"), says("20 × 5", true));
    assert_eq!(cell(&scene, 1, "frame time"), says("0.05", false));
    let said = notes(&scene);
    assert!(
        said.iter().any(|note| note.starts_with("dt differs: 0.0025 in A, 0.0005 in xpbd")),
        "{said:?}"
    );
    assert!(
        said.iter().any(|note| note.starts_with("k differs: 300 in A, 10 in xpbd")),
        "{said:?}"
    );
    // Steps that are chosen say so, and what is known of them.
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
    // A damping that acts once in each chosen step is at least what it is in the longest.
    let scene = panels(
        "drag: 0",
        &["drag: 0.032", "integrator: ForceVerlet(damping: 0.001), step_control: StepDoubling"],
    );
    assert_eq!(cell(&scene, 1, "c/m"), says("at least 0.128", true));
    // Held lengths have no stiffness, and the first body that has one leads.
    let scene = panels("", &["integrator: Shake", "", "rope: (stiffness: 200)"]);
    let column = [0, 1, 2].map(|row| cell(&scene, row, "k"));
    assert_eq!(column, [says("-", false), says("100", false), says("200", true)]);
    // What no body has is left out, and what one has is not.
    let columns = |with| settings(&subjects(&panels("", &["", with]))).0;
    assert!(!columns("").contains(&"wind") && columns("drag: 1, wind: (1, 0)").contains(&"wind"));
}
