//! `rest: Solve`: the steady-state comparison shows the solved rest, and the render does not wait.

use crate::{repository, scene_of};
use catena::analysis::{shape::farthest, statics::equilibrium};
use catena::scene::{RestBy, Scene};
use serde_json::Value;
use std::{fs, process::Output};

/// Panels with a solved rest; in the last one, a pin moves forever.
const SCENE: &str = r#"Scene(
    base: (frames: 8, size: (320, 240), frame_time: 0.1, drag: 0.1, gravity: (0, -10), rest: Solve,
        rope: (start: (0, 0), end: (1, 0), nodes: 6, stiffness: 500, mass: 0.1)),
    panels: [
        (label: "springs", with: ()),
        (label: "lengths", with: (integrator: ConstraintVerlet)),
        (label: "waits", with: (rest: (by: Wait, limit: 30))),
        (label: "moves", with: (rest: (limit: 20), anchors: [
            (node: 0, curve: Keys(keys: [(0, (0, 0)), (1, (1, 0))], repeat: PingPong)),
        ])),
    ],
)"#;

fn render(text: &str, args: &[&str]) -> (Output, Value, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("scene.ron"), text).unwrap();
    let mut command = crate::catena();
    command.current_dir(folder.path()).args(["render", "scene.ron", "--out", "out"]).args(args);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = |name: &str| fs::read(folder.path().join("out").join(name)).unwrap();
    let manifest: Value = serde_json::from_slice(&read("manifest.json")).unwrap();
    (output, manifest["steady"]["bodies"].clone(), read("steady.png"))
}

#[test]
fn a_solved_rest_needs_no_wait_and_other_bodies_wait() {
    let scene = scene_of(SCENE);
    let (output, bodies, _) = render(SCENE, &[]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    for (index, name) in ["springs", "lengths"].into_iter().enumerate() {
        let body = &bodies[index];
        // Frame 7 is the last rendered frame.
        assert_eq!((&body["ending"], &body["frame"]), (&"moving".into(), &7.into()), "{name}");
        assert_eq!(body["no_rest"], Value::Null);
        let setup = &scene.panels[index].bodies[0].setup;
        let rest = equilibrium(setup).unwrap();
        let mut run = catena::sim::Simulation::new(setup.clone());
        (0..7).for_each(|_| run.advance_frame());
        let distance = farthest(&setup.model, &run.state().x, &rest.x);
        assert_eq!(body["solved"]["distance"].as_f64(), Some(distance), "{name}");
        assert!(distance > 0.01, "{name}: {distance}");
        assert_eq!(body["solved"]["steps"], rest.iterations, "{name}");
        assert!(stderr.contains(&format!("\"{name}\": at frame 7, ")), "{stderr}");
    }
    // A panel that waits for rest runs up to its limit; a body that never rests ends with the last
    // frame.
    for (index, frame, reason) in [(2, 30, false), (3, 7, true)] {
        let body = &bodies[index];
        assert_eq!((&body["frame"], &body["solved"]), (&frame.into(), &Value::Null));
        assert_eq!(body["no_rest"].is_string(), reason, "{body}");
    }
    let note = "note: \"moves\": pin 0 never stops moving, so it never comes to rest: steady.png \
                shows it at frame 7";
    assert!(stderr.contains(note) && !stderr.contains("waits for it"), "{stderr}");
    assert!(!stderr.contains("note: \"waits\""), "{stderr}");
}

#[test]
fn waiting_is_the_default_and_each_word_sets_the_way_alone() {
    let by = |scene: &Scene| {
        scene.panels.iter().map(|it| (it.rest.by, it.rest.limit)).collect::<Vec<_>>()
    };
    let (wait, solve) = (RestBy::Wait, RestBy::Solve);
    assert_eq!(by(&scene_of(SCENE)), [(solve, 20_000), (solve, 20_000), (wait, 30), (solve, 20)]);
    let compare = fs::read_to_string(repository("scenes/compare.ron")).unwrap();
    assert!(by(&scene_of(&compare)).iter().all(|(by, _)| *by == wait));
    let waiting = SCENE.replace("rest: Solve,", "rest: (limit: 9),");
    let (_, bodies, waited) = render(&waiting, &["--frames", "2"]);
    let (_, typed, solved) = render(&waiting, &["--frames", "2", "--set", "rest=Solve"]);
    assert_eq!((&bodies[0]["solved"], &bodies[0]["frame"]), (&Value::Null, &9.into()));
    assert_eq!((typed[0]["solved"].is_object(), &typed[0]["frame"]), (true, &1.into()));
    assert!(waited != solved, "steady.png shows the same");
}

#[test]
fn a_report_compares_the_waited_rest_with_the_solved_one() {
    let folder = tempfile::tempdir().unwrap();
    let text = SCENE.replace("rest: Solve,", "").replace("drag: 0.1", "drag: 0.5");
    fs::write(folder.path().join("scene.ron"), text).unwrap();
    let mut command = crate::catena();
    command.current_dir(folder.path()).args(["figure", "scene.ron", "shape"]);
    let output = command.output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let is_heading =
        |line: &&str| line.starts_with("body") && line.contains("from the solved rest");
    let mut lines = stdout.lines().skip_while(|line| !is_heading(line));
    let row = lines.find(|line| line.starts_with("springs"));
    let row = row.unwrap_or_else(|| panic!("{stdout}"));
    let away: f64 = row.split_whitespace().last().unwrap().parse().unwrap();
    assert!(away > 0.0 && away < 1e-3, "{stdout}");
}
