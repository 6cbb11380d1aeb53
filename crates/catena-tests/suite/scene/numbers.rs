//! Numbers in a scene's text, and the command-line change that sets each of them.

use catena::scene::numbers::{WrittenNumber, written_numbers};
use catena::scene::{Limits, SceneText, load_within};
use std::fs;

fn found(text: &str, path: &str) -> WrittenNumber {
    let all = written_numbers(text);
    all.into_iter().find(|number| number.path == path).unwrap_or_else(|| panic!("{path}: {text}"))
}

#[test]
fn a_number_has_its_place_its_value_and_a_change() {
    let text = "Scene(title: \"8\", base: (rope: (nodes: 1_6, pins: [0, 3]), // 9
        gravity: (0,-9.8), integrator: Xpbd(iterations: 4, compliance: 1e-3)))";
    let written = |path: &str| {
        let number = found(text, path);
        (text[number.span.clone()].to_owned(), number.value, number.is_whole)
    };
    assert_eq!(written("base.rope.nodes"), ("1_6".into(), 16.0, true));
    assert_eq!(written("base.rope.pins[1]"), ("3".into(), 3.0, true));
    assert_eq!(written("base.gravity[0]"), ("0".into(), 0.0, false));
    assert_eq!(written("base.gravity[1]"), ("-9.8".into(), -9.8, false));
    assert_eq!(written("base.integrator.iterations"), ("4".into(), 4.0, true));
    assert_eq!(written("base.integrator.compliance"), ("1e-3".into(), 0.001, false));
    assert_eq!(written_numbers(text).len(), 7, "neither titles nor comments");
    let change = |path: &str, number: &str| found(text, path).set.unwrap().to(number);
    assert_eq!(change("base.rope.nodes", "9"), "rope.nodes=9");
    assert_eq!(change("base.rope.pins[1]", "2"), "rope.pins=[0, 2]");
    assert_eq!(change("base.gravity[1]", "1"), "gravity=(0,1)");
    assert_eq!(
        change("base.integrator.iterations", "5"),
        "integrator=Xpbd(iterations: 5, compliance: 1e-3)"
    );
}

#[test]
fn a_change_that_would_reach_other_panels_is_not_offered() {
    let text = "Scene(base: (substeps: 8, rope: (nodes: 4, mass: 2), drag: 1),
        panels: [(with: (substeps: 16)), (with: (rope: (nodes: 5)))])";
    for (path, is_offered) in [
        ("base.substeps", false),
        ("base.rope.nodes", false),
        ("base.rope.mass", true),
        ("base.drag", true),
        ("panels[0].with.substeps", false),
        ("panels[1].with.rope.nodes", false),
    ] {
        assert_eq!(found(text, path).set.is_some(), is_offered, "{path}");
    }
}

#[test]
fn every_number_of_every_scene_is_set_to_itself() {
    let (mut scenes, mut count) = (0, 0);
    for entry in fs::read_dir(crate::repository("scenes")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "ron") {
            continue;
        }
        let text = SceneText::read(&path).unwrap();
        scenes += 1;
        let changes = written_numbers(&text.text).into_iter().filter_map(|number| {
            let own = text.text[number.span.clone()].to_owned();
            Some(number.set?.to(&own).parse().unwrap())
        });
        // All at once: each change sets a field to its value in the text.
        let changes: Vec<_> = changes.collect();
        count += changes.len();
        let scene = load_within(&text, &changes, &Limits::unlimited());
        let scene = scene.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let plain = load_within(&text, &[], &Limits::unlimited()).unwrap();
        for (panel, other) in scene.panels.iter().zip(&plain.panels) {
            for (body, other) in panel.bodies.iter().zip(&other.bodies) {
                assert_eq!(body.setup.initial, other.setup.initial, "{}", path.display());
                assert_eq!(body.setup.substeps, other.setup.substeps, "{}", path.display());
            }
        }
    }
    assert!(scenes > 50 && count > 300, "{scenes} scenes, {count} changes");
}
