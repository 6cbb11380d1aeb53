//! Events in scene files: node names, refusals with their positions, and the effects in traces and
//! pictures.

use crate::{catena, scene, scene_of};
use catena::render::{PanelRun, events::BodyChanges};
use std::fs;

#[test]
fn nodes_of_events_have_words() {
    let scene = scene_of(
        "Scene(base: (rope: (nodes: 17, pins: [0, 16]), frame_time: 0.1, events: [
            (at: 1, do: Release(node: Last)),
            (when: Length(above: 1000), do: Cut(a: Middle, b: -8)),
            (at: 2, do: Pin(node: Middle)), (at: 2, do: Join(a: First, b: -1)),
        ]), panels: [()])",
    );
    let setup = &scene.panels[0].bodies[0].setup;
    let words: Vec<String> = setup.events.iter().map(|event| event.action.words()).collect();
    let expected = ["Release(node: 16)", "Cut(a: 8, b: 9)", "Pin(node: 8)", "Join(a: 0, b: 16)"];
    assert_eq!(words, expected);
    assert_eq!(setup.joints(), 1);
    let cloth = "Scene(base: (cloth: (corner: (0, 0), across: (1, 0), down: (0, -1), rows: 3,
        columns: 4, pins: TopEdge), events: [(at: 1, do: Release(node: (0, -1)))]), panels: [()])";
    let scene = scene_of(cloth);
    assert_eq!(scene.panels[0].bodies[0].setup.events[0].action.words(), "Release(node: 3)");
}

/// The list of events, the column of the fault, and words that the message must contain.
const BAD: &[(&str, usize, &[&str])] = &[
    ("[(at: 1, do: Relase(node: 0))]", 35, &["there is no action", "did you mean `Release`?"]),
    ("[(at: 1, do: Release(node: Lst))]", 49, &["`node` of Release", "First, Last, Middle"]),
    ("[(at: 1, do: Release(node: 99))]", 49, &["there is no node 99", "events[0].do"]),
    ("[(at: 1, do: Release(node: Middle))]", 49, &["16 nodes have no middle node"]),
    ("[(at: 1, do: Release(node: (0, 0)))]", 49, &["only a cloth has rows and columns"]),
    ("[(at: 1, do: Release(node: (\"a\", 0)))]", 49, &["no part called \"a\""]),
    ("[(at: 1, do: Release(node: 5))]", 35, &["node 5 is not pinned", "events[0].do"]),
    ("[(at: 1, do: Release())]", 43, &["node"]),
    ("[(at: 1, do: Join(a: First, b: Last, stiffness: -1))]", 70, &["above 0"]),
    ("[(do: Release(node: 0))]", 23, &["neither a time nor a condition", "`at` or `when`"]),
    (
        "[(at: 1, when: Length(above: 2), do: Release(node: 0))]",
        23,
        &["both a time and a condition"],
    ),
    ("[(when: Length(), do: Release(node: 0))]", 36, &["`above` of Length", "one of"]),
    ("[(when: Lenth(above: 1), do: Release(node: 0))]", 30, &["did you mean `Length`?"]),
    ("[(at: 1, do: Cut(a: 3, b: 9))]", 35, &["no structural spring joins nodes 3 and 9"]),
    ("[(at: 1e999, do: Release(node: 0))]", 28, &["number"]),
    ("[(at: 1, do: Winch(speed: 1))]", 35, &["the body has no Route that a winch could feed"]),
    ("[(at: 1, do: Reel(length: 0, over: 1))]", 48, &["`length` of Reel", "above 0"]),
    ("[(at: 1, do: Reel(length: 3, over: -1))]", 57, &["`over` of Reel", "above 0"]),
    ("[(at: 1, do: Reel(length: 3, over: 1, node: 99))]", 66, &["there is no node 99"]),
    ("[(at: 1, do: Wind(velocity: (1, 0)))]", 35, &["wind has no effect without drag"]),
    ("[(at: 1, do: Gravity(acceleration: (1, 0, 3)))]", 57, &["two components"]),
];

/// Other fields that change with time, used instead of the events.
const BAD_OVER_TIME: &[(&str, &[&str])] = &[
    ("gravity: Liner(keys: [(0, (0, 1))])", &["no curve", "did you mean `Linear`?"]),
    ("gravity: Linear(keys: [])", &["`keys` of Linear"]),
    ("wind: Gusts(mean: (1, 0), strength: -1)", &["`strength` of Gusts", "at least 0"]),
    ("wind: Gusts(mean: (1, 0), strength: 1, period: 0)", &["`period` of Gusts"]),
    ("wind: Gusts(mean: (1, 0, 0), strength: 1)", &["two components"]),
    ("wind: Gusts(strength: 1)", &["mean"]),
    ("drag: [(1, 0.5), (0, 0.5)]", &["a time later than the time of the previous key"]),
    ("drag: []", &["at least one"]),
    ("drag: [(0, -1)]", &["reaches -1 at its time 0", "at least 0"]),
];

#[test]
fn bad_events_are_refused_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scene.ron");
    let message = |text: &str| {
        fs::write(&file, text).unwrap();
        let output = catena().arg("check").arg(&file).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{text}: {message}");
        message
    };
    for (events, column, words) in BAD {
        let printed = message(&format!("Scene(base: (events: {events}), panels: [()])"));
        assert!(printed.contains(&format!(":1:{column}")), "{events}: not at {column}: {printed}");
        for word in *words {
            assert!(printed.contains(word), "{events}: `{word}` is not in {printed}");
        }
    }
    for (field, words) in BAD_OVER_TIME {
        let printed = message(&format!("Scene(base: ({field}), panels: [()])"));
        for word in *words {
            assert!(printed.contains(word), "{field}: `{word}` is not in {printed}");
        }
    }
    let many = "(at: 1, do: Gravity(acceleration: (0, 1))),".repeat(1001);
    let printed = message(&format!("Scene(base: (events: [{many}]), panels: [()])"));
    assert!(printed.contains("1001 events"), "{printed}");
}

#[test]
fn events_stand_in_the_trace_and_in_pictures() {
    let scene = scene("cut_chain", &[]);
    let mut run = PanelRun::new(&scene.panels[0]);
    let changes = |run: &PanelRun| run.current().bodies[0].changes.clone();
    assert_eq!(changes(&run), BodyChanges::NONE);
    let cut = 120;
    (0..cut).for_each(|_| run.advance_frame());
    let mark = changes(&run).marks[0];
    assert_eq!((mark.age, changes(&run).marks.len()), (0, 1));
    (0..10).for_each(|_| run.advance_frame());
    assert_eq!(changes(&run).marks[0].age, 10);
    (0..40).for_each(|_| run.advance_frame());
    assert!(changes(&run).marks.is_empty(), "a mark does not stay");
    (0..60).for_each(|_| run.advance_frame());
    assert_eq!(changes(&run).pinned.last(), Some(&false), "a released pin has no ring");

    let path = crate::repository("scenes/cut_chain.ron");
    let trace = |arguments: &[&str]| {
        catena().arg("trace").arg(&path).arg("--events").args(arguments).output().unwrap()
    };
    let output = trace(&[]);
    let table = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "frame,time,panel,body,event,step,at,x,y,nodes,what,note");
    assert_eq!(lines.len(), 5, "{table}");
    assert!(lines[1].starts_with("120,2.0,0,0,0,7680,2.0,"), "{table}");
    assert!(lines[1].contains(",20 21,\"Cut(a: 20, b: 21)\","), "{table}");
    let refused = trace(&["--format", "npy"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("write it as csv"));
    assert!(!refused.status.success());
}
