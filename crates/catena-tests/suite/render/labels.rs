//! Labels of bodies, by one rule.

use crate::{catena, scene_of};

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
    for said in [render, said(&["report"])] {
        assert!(!said.contains("P: A"), "{said}");
    }
}
