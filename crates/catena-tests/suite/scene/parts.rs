//! Bodies of parts in scenes: refusals with their positions and advice.

use crate::scene_of;
use catena::scene::{SceneText, load};

/// Parts and joins of a body, the path in the error, and words of the error.
const REFUSED: &[(&str, &str, &[&str])] = &[
    (
        "solid: (shape: Ball(radius: 0.1), mass: 1, points: [(0.1, 0), (0, 0)])",
        "solid.points",
        &["point 1 is at the solid's centre of mass", "remove it"],
    ),
    (
        "parts: [(with: (gravity: (0, 1)))]",
        "parts[0].with.gravity",
        &["must be the same for all parts"],
    ),
    (
        "parts: [(with: (rope: (nodes: 4), net: (rows: 2)))]",
        "parts[0].with.net",
        &["both a rope and a net"],
    ),
    (
        "parts: [(name: \"a\", with: ()), (name: \"a\", with: ())]",
        "parts",
        &["two parts are called \"a\""],
    ),
    ("parts: [(name: \"joins\", with: ())]", "parts[0].name", &["springs of joins"]),
    ("parts: [(name: \" \", with: ())]", "parts[0].name", &["must not be empty"]),
    ("parts: [(with: (), repeat: 3)]", "parts[0].repeat", &["coincide", "shift: (0, -1)"]),
    (
        "parts: [(with: (), repeat: 3, shift: (0, -0.0))]",
        "parts[0].shift",
        &["coincide", "shift: (0, -1)"],
    ),
    ("parts: [(with: (), shift: (1, 0))]", "parts[0].shift", &["without copies"]),
    (
        "parts: [(with: (rope: (law: Exponential))), (with: ())]",
        "parts[1].with",
        &["the same spring law"],
    ),
    (
        "parts: [(name: \"a\", with: (contact: (friction: 1)))]",
        "parts[0].with.contact",
        &["of: Drawn"],
    ),
    (
        "PAIR, joins: [(from: (\"a\", 0), to: (\"c\", 0))]",
        "joins[0].to",
        &["no part called \"c\"", "\"a\", \"b\""],
    ),
    (
        "parts: [(name: \"a\", with: (), repeat: 1000, shift: (0, -1))],
         joins: [(from: \"a\", to: \"a 1\")]",
        "joins[0].from",
        &["no part called \"a\"", "\"a 11\", \"a 12\", … and 988 more"],
    ),
    ("PAIR, joins: [(from: (\"a\", 99), to: (\"b\", 0))]", "joins[0].from", &["no node 99"]),
    (
        "PAIR, joins: [(from: (\"a\", 0), to: (\"b\", 0), stiffness: 1), Touching]",
        "joins[1]",
        &["have the same position", "`from` and `to`"],
    ),
    (
        "BALL, joins: [(from: (\"a\", 0), to: (\"ball\", 2))]",
        "joins[0].to",
        &["no node 2", "node 1, its point"],
    ),
    ("BALL, joins: [(from: (\"a\", 0), to: (\"ball\", -3))]", "joins[0].to", &["no node -3"]),
    (
        "BALL, joins: [(from: (\"a\", 0), to: (\"ball\", Middle))]",
        "joins[0].to",
        &["no node Middle"],
    ),
    (
        "BALL, joins: [(from: (\"a\", 0), to: \"ball\")]",
        "joins[0].to",
        &["its centre or one of its points", "(\"ball\", 0)"],
    ),
    (
        "BALL, joins: [(from: (\"a\", 0), to: (\"bell\", 0))]",
        "joins[0].to",
        &["no part called \"bell\""],
    ),
    (
        "parts: [(name: \"ball\", with: (solid: (shape: Ball(radius: 1), pins: [1])))]",
        "parts[0].with.solid.pins[0]",
        &["no node 1", "list positions in its `points`"],
    ),
    (
        "BALL, part_changes: [(name: \"bell\", with: ())]",
        "part_changes[0]",
        &["no part called \"bell\""],
    ),
    (
        "BALL, part_changes: [(name: \"ball\", with: (rope: (mass: 1)))]",
        "part_changes[0]",
        &["\"ball\" is a solid, not a rope"],
    ),
    (
        "BALL, part_changes: [(name: \"ball\", with: (gravity: (0, 1)))]",
        "part_changes[0].with.gravity",
        &["must be the same for all parts"],
    ),
    ("part_changes: [(name: \"ball\", with: ())]", "part_changes", &["has no parts"]),
    ("joins: [Touching]", "joins", &["has no parts"]),
    ("parts: [], joins: [Touching]", "joins", &["has no parts"]),
    ("parts: [], joins: []", "parts", &["list of parts is empty"]),
    (
        "PAIR, joins: [(from: 3, to: (\"b\", 0))]",
        "joins[0].from",
        &["must name the part of each node"],
    ),
    (
        "PAIR, joins: [(from: (\"a\", 0), to: (\"b\", 0))]",
        "joins[0]",
        &["apart", "set `stiffness`"],
    ),
    (
        "PAIR, joins: [(from: (\"a\", 0), to: (\"b\", 0), length: 1)]",
        "joins[0].length",
        &["`length` has no effect"],
    ),
    (
        "PAIR, joins: [(from: \"a\", to: \"b\", stiffness: 1)]",
        "joins[0].to",
        &["16 nodes cannot be joined to 8"],
    ),
    (
        "PAIR, impulses: [(node: 3, impulse: (0, 1))]",
        "impulses[0].node",
        &["needs a part name", "(\"part\", node)"],
    ),
    ("TOUCHING", "parts[1].with.contact.thickness", &["900 is more than the length of the part"]),
    (
        "PAIR, events: [(at: 1, do: Release(node: (\"b\", Last)))]",
        "events[0].do",
        &["node (\"b\", Last) is not pinned"],
    ),
    (
        "PAIR, events: [(at: 1, do: Cut(a: (\"a\", 2), b: (\"b\", -1)))]",
        "events[0].do",
        &["joins nodes (\"a\", 2) and (\"b\", -1)"],
    ),
    (
        "PAIR, events: [(at: 1, do: Join(a: (\"a\", 2), b: (\"a\", 2)))]",
        "events[0].do",
        &["`b` of Join", "another node than `a`"],
    ),
    (
        "PAIR, anchors: [(node: (\"b\", 3), curve: Linear(keys: [(0, (0, 0))]))]",
        "anchors[0].node",
        &["node (\"b\", 3) cannot be moved"],
    ),
    (
        "PAIR, colliders: [Sphere(center: (-100, 0), radius: 1)]",
        "colliders[0]",
        &["node (\"b\", 7) starts inside"],
    ),
];

/// Two ropes in one body. The second one has its own thickness.
const TOUCHING: &str = "contact: (of: Drawn, thickness: 1), parts: [
    (name: \"a\", with: (), repeat: 2, shift: (0, 50)),
    (name: \"b\", with: (rope: (start: (0, 20), end: (-100, 20), nodes: 8), contact: (thickness: 900))),
]";

const PAIR: &str = "parts: [
    (name: \"a\", with: ()),
    (name: \"b\", with: (rope: (start: (0, 0), end: (-100, 0), nodes: 8))),
]";

/// A rope and a ball with a point.
const BALL: &str = "parts: [
    (name: \"a\", with: ()),
    (name: \"ball\", with: (solid: (shape: Ball(radius: 10), points: [(0, 10)]))),
]";

/// Masses of all solids, or of one by name, from the command line, an axis and a panel.
#[test]
fn settings_of_one_part_change_it_alone() {
    let text = "Scene(base: (parts: [
        (name: \"one\", with: (solid: (shape: Ball(radius: 1), mass: 3))),
        (name: \"two\", repeat: 2, shift: (5, 0), with: (solid: (shape: Ball(radius: 1), mass: 5))),
        ]), panels: [(), (with: (part_changes: [(name: \"one\", with: (solid: (mass: 7)))]))])";
    let masses = |set: &[&str]| -> Vec<[f64; 3]> {
        let set: Vec<_> = set.iter().map(|change| change.parse().unwrap()).collect();
        let text = SceneText { origin: "test".into(), name: "test".into(), text: text.into() };
        let scene = load(&text, &set).unwrap();
        let of_panel = |panel: &catena::scene::Panel| {
            let model = &panel.bodies[0].setup.model;
            let mass = |part: usize| model.parts[part].nodes.iter().map(|i| model.mass[*i]).sum();
            [mass(0), mass(1), mass(2)].map(|mass: f64| (1e9 * mass).round() / 1e9)
        };
        scene.panels.iter().map(of_panel).collect()
    };
    assert_eq!(masses(&[]), [[3.0, 5.0, 5.0], [7.0, 5.0, 5.0]]);
    assert_eq!(masses(&["solid.mass=2"]), [[2.0, 2.0, 2.0], [7.0, 2.0, 2.0]]);
    assert_eq!(masses(&["parts.two.solid.mass=2"]), [[3.0, 2.0, 2.0], [7.0, 2.0, 2.0]]);
    let both = ["parts.one.solid.mass=1", "solid.mass=2"];
    assert!(masses(&both).iter().all(|masses| *masses == [1.0, 2.0, 2.0]));
    let wrong = "parts.three.solid.mass=1".parse().unwrap();
    let text = SceneText { origin: "test".into(), name: "test".into(), text: text.into() };
    let message = load(&text, &[wrong]).unwrap_err().to_string();
    assert!(message.contains("--set parts.three.solid.mass=1"), "{message}");
    assert!(message.contains("no part called \"three\""), "{message}");
}

#[test]
fn parts_and_joins_that_cannot_be_are_refused_with_their_place() {
    for (body, path, words) in REFUSED {
        let body = body.replace("PAIR", PAIR).replace("TOUCHING", TOUCHING);
        let body = body.replace("BALL", BALL);
        let text = format!("Scene(base: ({body}))");
        let text = SceneText { origin: "test".into(), name: "test".into(), text };
        let error = load(&text, &[]).expect_err(&body);
        assert!(error.to_string().starts_with("test:"), "{body}: {error}");
        // The field and the advice are in the message.
        let error = format!("{error:?}").replace("\\\"", "\"");
        assert!(error.contains(&format!("Some(\"base.{path}\")")), "{body}: {error}");
        for word in *words {
            assert!(error.contains(word), "{body}: {error}");
        }
    }
}

#[test]
fn an_empty_list_takes_the_place_of_parts() {
    let one_piece = "(with: (parts: [], joins: []))";
    let joined = "joins: [(from: (\"a\", 0), to: (\"b\", 0), stiffness: 1)]";
    let scene = scene_of(&format!("Scene(base: ({PAIR}, {joined}), panels: [(), {one_piece}])"));
    let parts = |panel: usize| scene.panels[panel].bodies[0].setup.model.parts.len();
    assert_eq!((parts(0), parts(1)), (3, 0));
}

#[test]
fn parts_have_what_their_body_says_and_their_own() {
    let scene = scene_of(
        "Scene(base: (
            rope: (mass: 3, nodes: 4, pins: []),
            style: (line_width: 2),
            parts: [
                (name: \"a\", with: (), repeat: 2, shift: (0, 50)),
                (name: \"b\", with: (cloth: (corner: (0, 0), across: (9, 0), down: (0, -9), rows: 2, columns: 3), style: (line_width: 7))),
            ],
            joins: [(from: (\"a 1\", Last), to: (\"b\", (1, -1)), stiffness: 5)],
            forces: [PointForce(node: (\"b\", Last), force: (1, 0))],
        ))",
    );
    let body = &scene.panels[0].bodies[0];
    let model = &body.setup.model;
    let names: Vec<&str> = model.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["a 1", "a 2", "b", "joins"]);
    assert_eq!(model.mass, [[3.0; 8].as_slice(), [1.0; 6].as_slice()].concat());
    let widths: Vec<f64> = body.part_styles.iter().map(|style| style.line_width).collect();
    assert_eq!(widths, [2.0, 2.0, 7.0, 2.0]);
    let join = model.springs[model.parts[3].springs[0]];
    assert_eq!((join.a, join.b, join.stiffness), (3, 13, 5.0));
    assert!(format!("{:?}", body.setup.forces.last()).contains("node: 13"));
    let shift = body.setup.initial.position(14, 4)[1] - body.setup.initial.position(14, 0)[1];
    assert_eq!(shift, 50.0);
}
