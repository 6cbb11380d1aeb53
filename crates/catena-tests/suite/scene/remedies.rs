//! Advice that is said to make panels equal does so.

use crate::scene::comparability::{defect, differing, panels};
use crate::scene_of;
use catena::scene::{
    Scene, SceneText,
    comparability::{MAX_BUILT, Remedy, differences, notes, remedies, search},
    load,
};
use catena_tests::Random;

/// The scene with all remedies of its notes applied to its bodies, as printed. Each panel has one
/// body and gets a list of bodies with one that has the remedies; fields that two remedies both
/// name have the same value in both.
fn remedied(base: &str, all: &[&str]) -> Scene {
    let remedies = remedies(&panels(base, all));
    let panel = |(index, with): (usize, &&str)| {
        let here: Vec<&Remedy> = remedies.iter().filter(|it| it.panel == index).collect();
        let more = joined(here.iter().map(|remedy| &*remedy.settings));
        let left_out = here.iter().flat_map(|remedy| &remedy.left_out);
        let with = left_out.fold((*with).to_owned(), |with, path| without(&with, path));
        let comma = if with.trim().is_empty() { "" } else { ", " };
        format!("(label: \"{index}\", with: ({with}{comma}bodies: [(with: ({more}))]))")
    };
    let all: Vec<String> = all.iter().enumerate().map(panel).collect();
    scene_of(&format!("Scene(base: ({base}), panels: [{}])", all.join(", ")))
}

/// Settings without the field at a path such as `rope.breaks_at`.
fn without(settings: &str, path: &str) -> String {
    let (name, rest) = path.split_once('.').unwrap_or((path, ""));
    let keep = |(field, value): (String, String)| match (field == name, rest) {
        (false, _) => Some(format!("{field}: {value}")),
        (true, "") => None,
        (true, rest) => Some(format!("{field}: ({})", without(&value[1..value.len() - 1], rest))),
    };
    fields_of(settings).into_iter().filter_map(keep).collect::<Vec<_>>().join(", ")
}

/// Top-level fields of a text.
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

/// Combines settings into one text, with each field once. A field must not have two values.
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

const CLOTH: &str = "cloth: (corner: (0, 0), across: (5, 0), down: (0, -5), rows: 3, columns: 3)";

/// Settings to add, or fields to remove.
fn words(remedy: &Remedy) -> String {
    match &remedy.left_out[..] {
        [] => remedy.settings.clone(),
        paths => format!("{} without {}", remedy.settings, paths.join(", ")).trim().to_owned(),
    }
}

/// Settings of all panels, of the first panel and of the second panel, the difference of the second
/// panel, and the setting that would make it equal.
const REMEDIES: &[(&str, &str, &str, &str, Option<&str>)] = &[
    ("drag: 0.01", "", "integrator: ConstraintVerlet(damping: 5e-5)", "law", None),
    ("drag: 0.01", "", "drag: 0.03", "c/m", Some("drag: 0.01")),
    (
        "drag: 0.01",
        "",
        "drag: 0, velocity_factor: 0.999",
        "c/m",
        Some("velocity_factor: 0.99984375"),
    ),
    // A drag with a factor: changing either of the two is enough.
    ("", "drag: 0.5", "drag: 0.1, velocity_factor: 0.999", "c/m", Some("drag: 0.436")),
    (
        "",
        "drag: 0.01",
        "drag: 0.1, velocity_factor: 0.99",
        "c/m",
        Some("drag: 0.01, velocity_factor: 1"),
    ),
    ("", "", "substeps: 16", "dt", Some("substeps: 64")),
    ("", "", "step_control: StabilityLimit", "dt", Some("step_control: Fixed")),
    ("", "", "integrator: DormandPrince", "dt", None),
    ("", "", "rope: (law: Exponential)", "law", Some("rope: (law: Hooke)")),
    ("", "", "rope: (last_node: OneSpacingShort)", "rest length", Some("rope: (last_node: AtEnd)")),
    ("", "", "rope: (end: (-300, 200))", "rest length", Some("rope: (end: (-400, 200))")),
    (
        "",
        "",
        "rope: (start: (0, 100), end: (-300, 100))",
        "rest length",
        Some("rope: (end: (-400, 100))"),
    ),
    ("", "rope: (breaks_at: 0.5)", "", "breaking strain", Some("rope: (breaks_at: 0.5)")),
    ("", "", "rope: (breaks_at: 0.5)", "breaking strain", Some("without rope.breaks_at")),
    (
        "rope: (mass: 2), contact: (friction: 0.1)",
        "",
        "contact: (thickness: 1)",
        "self-contact",
        Some("without contact.thickness"),
    ),
    (CLOTH, "", "cloth: (breaks_at: 0.5)", "breaking strain", Some("without cloth.breaks_at")),
    (CLOTH, "", "cloth: (mass: 3)", "mass of a node", Some("cloth: (mass: 1)")),
    (CLOTH, "", "cloth: (stiffness: 3)", "k", Some("cloth: (stiffness: 100)")),
    (CLOTH, "", "cloth: (damping: 3)", "spring damping", Some("cloth: (damping: 0)")),
    (CLOTH, "", "cloth: (law: Exponential)", "law", Some("cloth: (law: Hooke)")),
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
    // Next to a stiffness of the same layer, a material is refused.
    (
        "rope: (area: 1)",
        "rope: (material: Rubber)",
        "rope: (stiffness: 1000)",
        "k",
        Some("rope: (material: Rubber) without rope.stiffness"),
    ),
    // A stiffness next to a material is refused; without the material, or as a material of this
    // stiffness, it is accepted.
    (
        "",
        "rope: (nodes: 3, stiffness: 3)",
        "rope: (nodes: 3, material: Elastic(young: 200, density: 2), area: 2)",
        "k",
        Some("rope: (stiffness: 3) without rope.material"),
    ),
    (
        "rope: (nodes: 3, material: Elastic(young: 200, density: 2), area: 2)",
        "integrator: Xpbd(compliance: 0.25)",
        "",
        "k",
        Some("rope: (material: Elastic(young: 400, density: 2))"),
    ),
    (
        "",
        "rope: (nodes: 8, pins: [0, 7])",
        "rope: (nodes: 16)",
        "pins",
        Some("rope: (pins: [0, 15])"),
    ),
];

#[test]
fn remedies_are_the_settings_that_do_it() {
    for (base, first, second, quantity, expected) in REMEDIES {
        let scene = panels(base, &[first, second]);
        let (all, remedies) = (differences(&scene), remedies(&scene));
        let found = all.iter().find(|found| found.quantity.name == *quantity);
        assert_eq!(found.is_some(), !quantity.is_empty(), "{second}: {all:?}");
        let Some(found) = found else { continue };
        assert_eq!(found.panel, 1, "{second}");
        let message = remedies.iter().find(|remedy| remedy.quantity.name == *quantity);
        let message = message.map(words);
        assert_eq!(message.as_deref(), *expected, "{base} {first} {second}: {remedies:?}");
    }
}

/// Scenes of tests/defects, and the required text of their notes.
const REQUIRED: &[(&str, &str)] = &[
    // A rope does not get longer with more nodes.
    ("05_remedy_rest_length", "set `rope: (end: (-400, 200))` in \"B\"."),
    // A damping that acts once per step: both remedies work together, and the c/m remedy works
    // alone.
    ("06_remedies_together", "`substeps: 64, integrator: ForceVerlet(damping: 0.001)`"),
    // Tethers are kept.
    ("07_remedy_drops_tethers", "ConstraintVerlet(damping: 0.00015625, tethers: true)`"),
    // A single setting is enough for each.
    ("08_no_one_setting", "set `rope: (last_node: AtEnd)` in \"B\"."),
];

#[test]
fn what_notes_say_makes_panels_equal() {
    for (name, part) in REQUIRED {
        let message = notes(&defect(name)).join("\n");
        assert!(message.contains(part), "{name}: {message}");
        assert!(!message.contains("No setting"), "{name}: {message}");
    }
}

#[test]
fn all_remedies_of_a_scene_hold_together() {
    let b = "integrator: ForceVerlet(damping: 0.002), substeps: 16";
    let scene = remedied("", &["integrator: ForceVerlet(damping: 0.001), substeps: 64", b]);
    assert_eq!(differing(&scene, 1), [""; 0]);
    // The third body has more differences than the second one, which is the first to differ in dt.
    let all = ["", "substeps: 16", "substeps: 32, drag: 0.1, gravity: (0, -2)"];
    assert_eq!(differing(&panels("", &all), 2), ["c/m", "dt", "gravity"]);
    assert_eq!(differing(&remedied("", &all), 1), [""; 0]);
    assert_eq!(differing(&remedied("", &all), 2), ["dt"]);
}

/// One random setting of each kind, or none. Each kind is included in `percent` per cent of cases.
fn evenly_spaced(random: &mut Random, kinds: &[&[&str]], percent: usize) -> Vec<String> {
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
    let mut all = evenly_spaced(random, kinds, 25);
    let inside = evenly_spaced(random, rope, 20);
    if !inside.is_empty() {
        all.push(format!("rope: ({})", inside.join(", ")));
    }
    all.join(", ")
}

/// A random rope that is valid.
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
fn random_pairs_are_equal_in_what_their_remedies_say() {
    let mut random = Random::new(18);
    let (mut unequal, mut message, mut gone, mut left, mut maximum) = (0, 0, 0, 0, 0);
    for pair in 0..200 {
        let all = [sound_rope(&mut random), sound_rope(&mut random)];
        let all = [&*all[0], &*all[1]];
        let pair_of = panels("", &all);
        let (before, search) = (differing(&pair_of, 1), search(&pair_of, MAX_BUILT));
        let remedies = search.remedies;
        maximum = maximum.max(search.built);
        unequal += usize::from(!before.is_empty());
        message += remedies.len();
        gone += remedies.iter().filter(|remedy| !remedy.left_out.is_empty()).count();
        left += before.len() - remedies.len();
        let remedied = remedied("", &all);
        let after = differing(&remedied, 1);
        for remedy in &remedies {
            let name = remedy.quantity.name;
            assert!(before.contains(&name), "{pair}: {name} did not differ in {all:?}");
            assert!(!after.contains(&name), "{pair}: {remedy:?} in {all:?}");
            // The remedy also works alone.
            let alone = pair_of.body_with(1, 0, &remedy.settings, &remedy.left_out).unwrap();
            let lead = &pair_of.panels[0].bodies[0];
            let (here, there) = (remedy.quantity.of(&alone), remedy.quantity.of(lead));
            assert!(here.equals(&there), "{pair}: {remedy:?}");
        }
        // No new difference appears.
        let new: Vec<_> = after.iter().filter(|name| !before.contains(name)).collect();
        assert!(new.is_empty(), "{pair}: {new:?} after {remedies:?} in {all:?}");
    }
    assert!(unequal > 150 && message > 300 && gone > 10, "{unequal} {message} {gone}");
    // The remaining differences are laws and steps that methods have by nature.
    assert!(left < message, "{left} of {message}");
    // No search over two small bodies comes near its limit.
    assert!(maximum < MAX_BUILT / 100, "{maximum}");
}
