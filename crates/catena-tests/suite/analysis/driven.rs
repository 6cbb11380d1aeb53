//! Driven bodies: they cannot rest before their drive ends, and a report says how their runs end.

use crate::scene_of;
use catena::analysis::settle::{Ending, RestRule, settle, settle_all};
use catena::sim::{Budget, Setup};
use std::sync::Arc;

/// A rod between two clamps. The last clamp has the field `turn`, and possibly more fields.
fn rod(turn: &str, more: &str) -> String {
    format!(
        "Scene(base: (gravity: (0, 0, 0), frames: 60, frame_time: 0.02, integrator: ImplicitEuler,
            substeps: 4, drag: 0.5,
            rope: (start: (0, 0, 0), end: (2, 0, 0), nodes: 11, mass: 0.1,
                rod: (bending: 1, torsion: 1, axial: 1e4,
                    clamps: [(node: First), (node: Last{turn})])){more}))"
    )
}

#[test]
fn a_body_rests_once_nothing_drives_it() {
    let spinning =
        rod(", turn: [(0, 0), (1, 0.2)]", "").replace("axial: 1e4", "axial: 1e4, inertia: 1e-4");
    let pulled = "Scene(base: (gravity: (0, 0), frames: 60, frame_time: 0.02, substeps: 8, drag: 1,
        rope: (start: (0, 0), end: (1, 0), nodes: 5, pins: [First, Last]),
        anchors: [(node: Last, curve: Linear(keys: [(0, (1, 0)), (1, (1, 0)), (1.5, (1.01, 0))]))]))";
    // Time of the last motion; `None` for a motion without end.
    for (scene, until) in [
        (rod("", ""), Some(0.0)),
        (rod(", turn: [(0, 0), (1, 0.5)]", ""), Some(1.0)),
        (rod(", turn: Keys(keys: [(0, 0), (0.5, 0.2), (1, 0)], repeat: Loop)", ""), None),
        // No damping acts on waves of torsion.
        (spinning, None),
        (pulled.to_owned(), Some(1.5)),
    ] {
        let scene = scene_of(&scene);
        let setup = Arc::clone(&scene.panels[0].bodies[0].setup);
        let rule = RestRule { speed: 5e-3, frames: 10, limit: 300 };
        let settled = settle(&setup, rule, &|_| true);
        match (settled.ending, until) {
            (Ending::AtRest { frame }, Some(until)) => {
                assert!(frame as f64 * setup.frame_time >= until - 1e-9, "{frame} {until}");
            }
            (Ending::Moving { frame: 300, .. }, None) => {}
            (ending, _) => panic!("{ending:?} {until:?}"),
        }
    }
}

#[test]
fn a_reel_that_another_one_replaces_no_longer_drives() {
    // The first change of length would last until frame 400.
    let scene = scene_of(
        "Scene(base: (frame_time: 0.05, substeps: 40, gravity: (0, -9.81), drag: 1,
            events: [(when: Length(above: 1.0001), do: Reel(length: 1.2, over: 20)),
                (when: Length(above: 1.05), do: Reel(length: 1.05, over: 0.1))],
            rope: (start: (0, 0), end: (0, -1), nodes: 11, mass: 0.01, stiffness: 2000, pins: [First])))",
    );
    let setup = &scene.panels[0].bodies[0].setup;
    let rule = RestRule::for_body(setup, None, None, 2000);
    let settled = [settle(setup, rule, &|_| true)];
    let together = settle_all(&[(Arc::clone(setup), rule)]);
    for settled in [&settled, &together[..]] {
        let Ending::AtRest { frame } = settled[0].ending else { panic!("{:?}", settled[0].ending) };
        assert!((90..300).contains(&frame), "{frame}");
    }
}

#[test]
fn bodies_settle_together_as_they_do_alone() {
    let rope = |method: &str, drag: f64, more: &str| {
        format!(
            "Scene(base: (gravity: (0, -9.81), frames: 60, frame_time: 0.02, substeps: 16,
                integrator: {method}, drag: {drag},
                rope: (start: (0, 0), end: (1, 0), nodes: 9, stiffness: 400, pins: [First]){more}))"
        )
    };
    let mut scenes = Vec::new();
    for method in ["VelocityVerlet", "SemiImplicitEuler", "ImplicitEuler", "Xpbd"] {
        scenes.extend([0.0, 0.3, 1.0, 3.0, 3.0, 9.0].map(|drag| rope(method, drag, "")));
    }
    // One body diverges, one gives up its budget, and events change one.
    scenes.push(rope("ExplicitEuler", 0.0, "").replace("stiffness: 400", "stiffness: 40000"));
    let spent = scenes.len();
    scenes.push(rope("DormandPrince", 2.0, ""));
    scenes.push(rope("Rk4", 2.0, ", events: [(at: 0.3, do: Cut(a: 4, b: 5))]"));
    scenes.push(rod(", turn: [(0, 0), (1, 0.5)]", ""));
    let mut subjects: Vec<_> = scenes
        .iter()
        .map(|scene| {
            let setup = Arc::clone(&scene_of(scene).panels[0].bodies[0].setup);
            (setup, RestRule { speed: 5e-3, frames: 10, limit: 300 })
        })
        .collect();
    let budget = Budget { work: 1_000_000, ..Budget::UNLIMITED };
    subjects[spent].0 = Arc::new(Setup { budget, ..(*subjects[spent].0).clone() });
    let together = settle_all(&subjects);
    let alone = subjects.iter().map(|(setup, rule)| settle(setup, *rule, &|_| true));
    for ((number, one), other) in alone.enumerate().zip(&together) {
        assert_eq!(&one, other, "{}", scenes[number]);
    }
    let is = |kind: fn(&Ending) -> bool| together.iter().filter(|it| kind(&it.ending)).count();
    assert!(is(|it| matches!(it, Ending::AtRest { .. })) > 3);
    assert!(is(|it| matches!(it, Ending::Moving { .. })) > 3);
    assert!(is(|it| matches!(it, Ending::Diverged { .. })) > 0);
    let gave_up = together[spent].ending;
    assert!(matches!(gave_up, Ending::Moving { frame: 2..200, .. }), "{gave_up:?}");
    assert!(settle_all(&[]).is_empty());
}

/// Findings of a report with only some figures.
fn found(scene: &str, only: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("s.ron"), scene).unwrap();
    let mut command = crate::catena();
    command.current_dir(folder.path()).args(["report", "s.ron", "--out", "r", "--only", only]);
    let output = command.output().unwrap();
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_rod_that_stays_straight_beyond_its_greatest_twist_is_told() {
    // A rod between clamps buckles at 8.987 EI/GJ, which is 1.43 turns here.
    for (turns, inertia, is_warned) in
        [(0.5, "", false), (2.0, "", true), (2.0, "inertia: 1e-4, ", true)]
    {
        let scene = rod(&format!(", turn: [(0, 0), (0.5, {turns})]"), "");
        let message = found(&scene.replace("clamps:", &format!("{inertia}clamps:")), "shape");
        assert_eq!(message.contains("In an unstable equilibrium"), is_warned, "{message}");
        assert!(!message.contains("at frame 1 "), "{message}");
    }
}

#[test]
fn a_report_explains_divergence_of_rods_as_a_check_does() {
    for method in ["Xpbd", "ConstraintVerlet"] {
        let scene = format!(
            "Scene(base: (gravity: (0, -9.81), frames: 10, frame_time: 0.05, substeps: 20,
                integrator: {method}, rope: (start: (0, 0), end: (2, 0), nodes: 21,
                    material: Steel, rod: (radius: 0.005, clamps: [(node: First)]))))"
        );
        let mut command = crate::catena();
        let checked = command.args(["check", "-"]).write_stdin(scene.clone()).output().unwrap();
        let checked = String::from_utf8([checked.stdout, checked.stderr].concat()).unwrap();
        let cause = "adds explicitly, such as bending of the rod";
        assert!(checked.contains("of forces that") && checked.contains(cause), "{checked}");
        let message = found(&scene, "energy,stability_map");
        assert!(message.contains("diverged at frame"), "{message}");
        assert!(
            message.contains("times the longest stable step") && message.contains(cause),
            "{message}"
        );
        assert!(!message.contains("no stability limit explains the divergence"), "{message}");
    }
}
