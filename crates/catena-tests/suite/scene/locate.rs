//! Places in the text of a scene.

use catena::scene::locate::{locate, path_at};

#[test]
fn finds_what_is_written_and_nothing_else() {
    let text = "// α\nScene(base: (rope: (pins: [0, 7 /* last */], mass: /* kg */ 2)), panels: [(with: (m: V(d: 1)))])";
    for (path, expected) in [
        ("base.rope.pins[1]", Some("7")),
        ("base.rope.pins", Some("[0, 7 /* last */]")),
        ("base.rope.mass", Some("2")),
        ("panels[0].with.m", Some("V(d: 1)")),
        ("base.rope.nodes", None),
        ("panels[1]", None),
    ] {
        assert_eq!(locate(text, path).map(|span| &text[span]), expected, "{path}");
        if let Some(span) = locate(text, path) {
            assert!(path_at(text, span.start).starts_with(path), "{path}");
        }
    }
}
