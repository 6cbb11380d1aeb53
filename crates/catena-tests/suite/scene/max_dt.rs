//! `max_dt`: the resulting number of steps, and whether `max_dt` or `substeps` decides.

use crate::scene_of;
use catena::scene::{Patch, Scene, SceneText, comparability::remedies, load};

fn with(text: &str, set: &[&str]) -> Scene {
    let set: Vec<Patch> = set.iter().map(|it| it.parse().unwrap()).collect();
    load(&written(text), &set).unwrap()
}

fn written(text: &str) -> SceneText {
    SceneText { origin: "scene.ron".into(), name: "scene".into(), text: text.into() }
}

fn refused(text: &str) -> String {
    load(&written(text), &[]).unwrap_err().to_string()
}

fn substeps(scene: &Scene) -> Vec<u64> {
    let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    bodies.map(|body| body.setup.substeps).collect()
}

#[test]
fn the_number_of_steps_is_that_of_nehe() {
    for (frame_time, max_dt) in
        [(0.016, 0.002), (0.0166667, 0.002), (0.001, 0.002), (1.0, 0.3), (1.0, 1.0), (2.5, 1e-3)]
    {
        let text = format!("Scene(base: (frame_time: {frame_time}, max_dt: {max_dt}))");
        let scene = scene_of(&text);
        let expected = (frame_time / max_dt) as u64 + 1;
        assert_eq!(substeps(&scene), [expected], "{text}");
        let setup = &scene.panels[0].bodies[0].setup;
        assert_eq!(setup.dt(), frame_time / expected as f64);
        assert!(setup.dt() < max_dt, "{text}");
    }
}

#[test]
fn the_higher_layer_decides() {
    for (text, set, expected) in [
        ("Scene(base: (max_dt: 0.3))", &[][..], &[4][..]),
        ("Scene(base: (max_dt: 0.3), panels: [(), (with: (substeps: 7))])", &[], &[4, 7]),
        ("Scene(base: (substeps: 7), panels: [(), (with: (max_dt: 0.3))])", &[], &[7, 4]),
        ("Scene(base: (max_dt: 0.3))", &["substeps=9"], &[9]),
        ("Scene(base: (substeps: 9))", &["max_dt=0.3"], &[4]),
        ("Scene()", &["substeps=9", "max_dt=0.3"], &[4]),
        ("Scene()", &["max_dt=0.3", "substeps=9"], &[9]),
        (
            "Scene(base: (max_dt: 0.3, bodies: [(with: (substeps: 2)), (with: (max_dt: 0.5)), ()]))",
            &[],
            &[2, 3, 4],
        ),
        (
            "Scene(grid: (rows: [(with: (substeps: 2))], columns: [(), (with: (max_dt: 0.3))]))",
            &[],
            &[2, 4],
        ),
    ] {
        assert_eq!(substeps(&with(text, set)), expected, "{text} {set:?}");
    }
}

#[test]
fn both_in_one_layer_are_refused_where_they_stand() {
    for text in [
        "Scene(base: (substeps: 8, max_dt: 0.3))",
        "Scene(panels: [(with: (max_dt: 0.3, substeps: 8))])",
        "Scene(base: (bodies: [(with: (max_dt: 0.3, substeps: 8))]))",
        "Scene(base: (bodies: [(with: (max_dt: 0.3, substeps: 8))]), panels: [(with: (substeps: 2))])",
    ] {
        let error = refused(text);
        let place = format!("scene.ron:1:{}: ", text.find("0.3").unwrap() + 1);
        let expected = format!("{place}`substeps` and `max_dt` both set the time step");
        assert_eq!(error, expected, "{text}");
    }
    let error = refused("Scene(base: (max_dt: 1e-9))");
    assert!(error.starts_with("scene.ron:1:") && error.contains("more than a million"), "{error}");
}

#[test]
fn labels_say_which_of_both_runs() {
    let two = "Scene(panels: [(label: \"16 substeps\", with: (substeps: 16)), (label: \"dt = 0.3\", with: (max_dt: 0.3))])";
    for (set, expected) in [
        (&["max_dt=0.5"][..], &["Semi-implicit Euler, max_dt = 0.5"][..]),
        (&["substeps=5"], &["Semi-implicit Euler, 5 substeps"]),
        (&["drag=0.1"], &["16 substeps", "dt = 0.3"]),
    ] {
        let scene = with(two, set);
        let labels: Vec<&str> = scene.panels.iter().map(|panel| panel.label.as_str()).collect();
        assert_eq!(labels, expected, "{set:?}");
    }
}

#[test]
fn advice_for_equal_steps_can_be_followed() {
    let of = |base: &str, with: &str| {
        scene_of(&format!(
            "Scene(base: ({base}), panels: [(with: (substeps: 16)), (label: \"b\", with: ({with}))])"
        ))
    };
    for (base, with, left_out, followed) in [
        ("", "max_dt: 0.03", &["max_dt"][..], "substeps: 16"),
        ("max_dt: 0.03", "", &[], "substeps: 16"),
        ("", "max_dt: 0.03, drag: 0", &["max_dt"], "drag: 0, substeps: 16"),
    ] {
        let advice = remedies(&of(base, with));
        let [remedy] = &advice[..] else { panic!("{base}, {with}: {advice:?}") };
        let left_out: Vec<String> = left_out.iter().map(|path| (*path).to_owned()).collect();
        assert_eq!((&*remedy.settings, &remedy.left_out), ("substeps: 16", &left_out));
        assert_eq!(remedies(&of(base, followed)), [], "{base}, {with}");
    }
}

/// Panels without labels that differ in one option of a method.
#[test]
fn options_tell_panels_without_labels_apart() {
    for (method, options, expected) in [
        ("ConstraintVerlet", "correction: HalfBesidePin", ", correction = HalfBesidePin"),
        ("ConstraintVerlet", "damping_of: Step", ", damping_of = Step"),
        ("ForceVerlet", "damping_of: Step", ", damping_of = Step"),
        ("Pbd", "stiffness_per: Iteration", ", stiffness_per = Iteration"),
        ("DormandPrince", "safety: 0.8", ", safety = 0.8"),
    ] {
        let text = format!(
            "Scene(panels: [(with: (integrator: {method})), (with: (integrator: {method}({options}))),
                (with: (integrator: {method}, max_dt: 0.3))])"
        );
        let scene = scene_of(&text);
        let title = scene.panels[0].bodies[0].method.title;
        let labels: Vec<String> = scene.panels.iter().map(|it| it.label.clone()).collect();
        let wanted =
            [title.to_owned(), format!("{title}{expected}"), format!("{title}, max_dt = 0.3")];
        assert_eq!(labels, wanted, "{method}");
        assert_eq!(scene.body_labels(), wanted, "{method}");
        let bodies = text.replace("panels: [", "base: (bodies: [").replace("])", "]))");
        let scene = scene_of(&bodies);
        assert_eq!(scene.body_labels(), wanted, "{method}");
    }
}
