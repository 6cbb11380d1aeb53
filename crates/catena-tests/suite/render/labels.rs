//! Labels of bodies, by one rule.

use crate::{catena, scene_of};
use catena::render::{layout::layout, text::Font};

#[test]
fn a_body_is_called_the_same_everywhere() {
    // A body's own label, and its panel's before it where something else has that label too.
    for (panels, expected) in [
        ("(label: \"P\")", &["P"][..]),
        ("(with: (bodies: [(label: \"A\"), (label: \"B\")]))", &["A", "B"]),
        ("(label: \"P\", with: (bodies: [(label: \"A\"), (label: \"B\")]))", &["A", "B"]),
        (
            "(label: \"P\", with: (bodies: [(label: \"A\"), (label: \"B\")])),
             (label: \"Q\", with: (bodies: [(label: \"A\"), (label: \"C\")]))",
            &["P: A", "B", "Q: A", "C"],
        ),
        (
            "(label: \"A\"), (label: \"Q\", with: (bodies: [(label: \"A\"), (label: \"Q\")]))",
            &["A", "Q: A", "Q"],
        ),
        ("(), ()", &["Semi-implicit Euler", "Semi-implicit Euler"]),
    ] {
        assert_eq!(scene_of(&format!("Scene(panels: [{panels}])")).body_labels(), expected);
    }
}

#[test]
fn messages_and_tables_use_that_label() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("two.ron");
    let text = "Scene(base: (frames: 2, size: (200, 150), rope: (nodes: 3), rest: (limit: 3)), panels: [
        (label: \"P\", with: (bodies: [(label: \"A\", with: (integrator: ExplicitEuler, substeps: 1, rope: (stiffness: 1e6))), (label: \"B\")]))])";
    std::fs::write(&file, text).unwrap();
    let said = |words: &[&str]| {
        let out = catena().args(words).arg(&file).current_dir(folder.path()).output().unwrap();
        String::from_utf8(out.stdout).unwrap() + &String::from_utf8(out.stderr).unwrap()
    };
    let render = said(&["render"]);
    assert!(render.contains("\n\"B\": ") && render.contains("in \"A\", "), "{render}");
    let stability = said(&["stability", "--csv"]);
    assert!(stability.contains("0,0,A,") && stability.contains("0,1,B,"), "{stability}");
    let stability = said(&["stability"]);
    assert!(stability.contains("panel 1: A (") && stability.contains("panel 1: B ("));
    for said in [render, said(&["report", "--study-time", "0.5"])] {
        assert!(!said.contains("P: A"), "{said}");
    }
}

#[test]
fn a_picture_of_one_method_has_a_label_only_if_that_says_something() {
    let rope = "rope: (nodes: 3)";
    let two = "with: (bodies: [(label: \"A\"), (label: \"B\")])";
    for (scene, has_label, has_legend) in [
        (format!("Scene(title: \"T\", base: ({rope}))"), false, false),
        (
            "Scene(title: \"T\", base: (gravity: (0, -1, 0), rope: (start: (0, 0, 0), end: (1, 0, 0))))".to_owned(),
            false,
            false,
        ),
        // Without a title, the label is all that the picture says about itself.
        (format!("Scene(base: ({rope}))"), true, false),
        (format!("Scene(title: \"T\", base: ({rope}), panels: [(label: \"P\")])"), true, false),
        (format!("Scene(title: \"T\", base: ({rope}), panels: [({two})])"), false, true),
        (format!("Scene(title: \"T\", base: ({rope}), panels: [(), ()])"), true, false),
    ] {
        let scene_read = scene_of(&scene);
        let found = layout(&scene_read, [640, 480], &Font::built_in().unwrap(), 1.5).unwrap();
        let panel = &found.panels[0];
        assert_eq!(
            (panel.label.is_some(), panel.legend.is_some()),
            (has_label, has_legend),
            "{scene}"
        );
    }
}
