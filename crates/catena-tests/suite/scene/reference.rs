//! The field `reference`: distances between bodies and files, in traces, pictures and limits.

use crate::repository;
use catena::job::{Trace, TraceFormat, TraceOptions};
use catena::scene::{GivenFiles, Limits, Patch, Scene, SceneText, load, load_with_given};

/// Two ropes that differ in their method.
const ROPES: &str = "Scene(base: (frames: 5, rope: (nodes: 4)), panels: [\
                     (label: \"a\", with: (integrator: Rk4)), \
                     (label: \"b\", with: (integrator: SemiImplicitEuler))])";

/// Reads a scene with the file `mine.csv`.
fn scene(text: &str, csv: &str, set: &[&str]) -> Result<Scene, String> {
    let origin = repository("given.ron").display().to_string();
    let text = SceneText { origin, name: "given".into(), text: text.into() };
    let set: Vec<Patch> = set.iter().map(|it| it.parse().expect("a change")).collect();
    let files = GivenFiles::from([("mine.csv".into(), csv.as_bytes().into())]);
    let scene = load_with_given(&text, &set, &Limits::default(), files);
    scene.map_err(|error| error.report(false))
}

fn trace(scene: &Scene) -> String {
    let mut out = Vec::new();
    let options = TraceOptions { format: TraceFormat::Csv, ..TraceOptions::default() };
    let trace = Trace::new(scene, &options).expect("a trace");
    trace.write(&mut out, &()).expect("rows");
    String::from_utf8(out).expect("text")
}

/// Column `distance` of a trace with panel, frame and node of each row.
fn distances(trace: &str) -> Vec<([u64; 3], f64)> {
    let mut lines = trace.lines();
    assert_eq!(lines.next(), Some("frame,time,panel,body,node,x,y,vx,vy,dt,distance"));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let whole = |index: usize| cells[index].parse().expect("a whole number");
        // A node without data has an empty cell.
        let distance = match cells[10] {
            "" => f64::NAN,
            cell => cell.parse().expect("a number"),
        };
        ([whole(2), whole(0), whole(4)], distance)
    };
    lines.map(row).collect()
}

const FILE: &str = "reference=(file: \"mine.csv\")";

#[test]
fn the_own_trace_is_at_distance_0_and_a_shifted_one_at_the_shift() {
    let own = trace(&scene(ROPES, "", &[]).expect("a scene"));
    let compared = scene(ROPES, &own, &[FILE]).expect("a scene");
    let zero = distances(&trace(&compared));
    assert_eq!(zero.len(), 2 * 5 * 4);
    assert!(zero.iter().all(|(_, distance)| *distance == 0.0), "{zero:?}");
    // 3, 4 and 5 have exact squares and roots, and the initial positions are small integers.
    let shift = "reference=(file: \"mine.csv\", translate: (3, -4))";
    let shifted = distances(&trace(&scene(ROPES, &own, &[shift]).expect("a scene")));
    assert!(shifted.iter().all(|(_, distance)| (distance - 5.0).abs() < 1e-12), "{shifted:?}");
    // The rows of the other panel come from another method.
    let crossed = "reference=(file: \"mine.csv\", panel: 1)";
    let crossed = distances(&trace(&scene(ROPES, &own, &[crossed]).expect("a scene")));
    let of = |panel: u64| {
        let own = crossed.iter().filter(|(place, _)| place[0] == panel);
        own.map(|(_, distance)| *distance).fold(0.0, f64::max)
    };
    assert!(of(0) > 1e-3 && of(1) == 0.0, "{} {}", of(0), of(1));
}

#[test]
fn frames_and_nodes_without_data_have_no_distance() {
    let csv = "frame,node,x,y\n0,3,-400,200\n2,3,-400,200\n2,0,0,200\n";
    let rows = distances(&trace(&scene(ROPES, csv, &[FILE]).expect("a scene")));
    for ([_, frame, node], distance) in rows {
        let has_data = matches!((frame, node), (0 | 2, 3) | (2, 0));
        assert_eq!(distance.is_nan(), !has_data, "frame {frame}, node {node}: {distance}");
    }
}

#[test]
fn a_space_scene_is_compared_in_space() {
    let text = "Scene(base: (frames: 2, gravity: (0, -1, 0), rope: (nodes: 2, start: (0, 0, 0), end: (1, 0, 0), pins: [0, 1])))";
    let csv = "frame,node,x,y,z\n0,1,1,0,0\n1,1,3,3,6\n";
    let scene = scene(text, csv, &[FILE]).expect("a scene");
    let reference = scene.panels[0].bodies[0].reference.as_ref().expect("a reference");
    let x = &scene.panels[0].bodies[0].setup.initial.x;
    assert_eq!(reference.motion.compare(0, x, 2).largest, 0.0);
    assert_eq!(reference.motion.compare(1, x, 2).largest, 7.0);
    assert_eq!(reference.motion.compare(1, x, 2).rms(), Some(7.0));
}

#[test]
fn pictures_show_the_reference_and_others_stay_as_they_are() {
    let text = "Scene(base: (frames: 3, size: (960, 540), rope: (nodes: 4)))";
    let csv = trace(&scene(text, "", &[]).expect("a scene"));
    let plain = scene(text, &csv, &[]).expect("a scene");
    let drawn = |scene: &Scene| catena::job::draw(scene, 2).expect("a picture");
    let shifted = "reference=(file: \"mine.csv\", label: \"mine\", translate: (20, 30))";
    let shown = scene(text, &csv, &[shifted, "decoration=Bare"]).expect("a scene");
    let bare = scene(text, &csv, &["decoration=Bare", "fit=Reach"]).expect("a scene");
    let reached = scene(text, &csv, &[shifted, "decoration=Bare", "fit=Reach"]).expect("a scene");
    assert_ne!(drawn(&bare), drawn(&reached), "the reference is not drawn");
    // Without a shift, the reference is drawn over its body and only visible there.
    let own = scene(text, &csv, &[FILE, "decoration=Bare", "fit=Reach"]).expect("a scene");
    let changed = |scene: &Scene| -> Vec<(u32, u32)> {
        let (new, old) = (drawn(scene), drawn(&bare));
        let pixels = new.enumerate_pixels();
        pixels.filter(|(x, y, new)| *new != old.get_pixel(*x, *y)).map(|(x, y, _)| (x, y)).collect()
    };
    let body = drawn(&bare);
    let background = *body.get_pixel(0, 0);
    // The ring of a pin is hollow.
    let is_body = |(x, y): &(u32, u32)| {
        let near = |at: u32, maximum: u32| at.saturating_sub(4)..(at + 5).min(maximum);
        near(*x, body.width())
            .any(|x| near(*y, body.height()).any(|y| *body.get_pixel(x, y) != background))
    };
    let over = changed(&own);
    assert!(over.len() > 500, "{} pixels of a reference over its body", over.len());
    assert!(over.iter().all(is_body), "a reference without a shift leaves its body");
    assert!(!changed(&reached).iter().all(is_body), "a shifted reference stays at its body");
    assert_eq!(drawn(&shown).dimensions(), drawn(&plain).dimensions());
}

#[test]
fn a_wrong_reference_is_told_with_its_place() {
    let wrong = |csv: &str, set: &str| scene(ROPES, csv, &[set]).expect_err("a fault");
    let fault = wrong("frame,node,x,y\n0,0,zero,1\n", FILE);
    let expected =
        "mine.csv:2:5: column 3 (x): expected a number from -1e100 to 1e100, found \"zero\"";
    assert!(fault.contains(expected), "{fault}");
    let fault = wrong("frame,node,x,y\n0,9,0,1\n", FILE);
    assert!(
        fault.contains("mine.csv:2: node 9, but the body has only 4 nodes, numbered from 0 to 3"),
        "{fault}"
    );
    let fault = wrong("", "reference=(file: \"other.csv\")");
    assert!(fault.contains("other.csv cannot be read: it was not provided"), "{fault}");
    let fault = wrong("", "reference.label=\"mine\"");
    assert!(fault.contains("the reference has no `file`"), "{fault}");
}

#[test]
fn a_reference_reads_at_and_below_the_folder_of_the_scene() {
    let folder = tempfile::tempdir().expect("a folder");
    let inner = folder.path().join("inner");
    std::fs::create_dir(&inner).expect("a folder");
    std::fs::write(folder.path().join("mine.csv"), "frame,node,x,y\n0,0,secret,1\n")
        .expect("a file");
    let text = SceneText {
        origin: inner.join("scene.ron").display().to_string(),
        name: "scene".into(),
        text: "Scene(base: (reference: (file: \"../mine.csv\")))".into(),
    };
    let fault = load(&text, &[]).expect_err("a fault").report(false);
    assert!(fault.contains("is outside the folder"), "{fault}");
    assert!(!fault.contains("secret"), "{fault}");
}
