//! Files of points and meshes with hostile rows: they are refused with their position, in little
//! memory.

use crate::rendered::{Bench, shell};
use std::fs;

const MIB: usize = 1 << 20;

/// Scenes that read points and a mesh.
const ROPE: &str = "Scene(base: (rope: (shape: File(file: \"FILE\"), nodes: 8)))";
const MESH: &str = "Scene(base: (gravity: (0, 0, -9.81), mesh: (file: \"FILE\")))";

/// A name, the start of the file, the text that is repeated up to 24 MiB, and the message.
const HOSTILE: [(&str, &str, &str, &str); 13] = [
    ("row.csv", "", "1,", "row.csv:1: a row has more than 1048576 bytes"),
    ("later.csv", "0,0\n1,1\n", "1,", "later.csv:3: a row has more than 1048576 bytes"),
    ("quoted.csv", "0,0\n\"", "1\n", "quoted.csv:2: expected numbers"),
    ("fields.csv", "0,0\n", "\"\n\",", "fields.csv:2: expected numbers"),
    ("comment.csv", "#", "x", "a row has more than 1048576 bytes"),
    ("points.csv", "", "1,2\n", "points.csv: more than 1000000 points"),
    ("points.json", "[[0,0]", ",[1,2]", "points.json: more than 1000000 points"),
    ("row.json", "[[0,0],[1", ",1", "row.json:1:"),
    ("row.obj", "v 0 0 0\nv 1", " 1", "row.obj:2: a row has more than 1048576 bytes"),
    ("face.obj", "v 0 0 0\nf 1", " 1", "face.obj:2: a row has more than 1048576 bytes"),
    (
        "continued.obj",
        "v 0 0 0\nf 1",
        " 1\\\n",
        "continued.obj:2: a row has more than 1048576 bytes",
    ),
    ("returns.obj", "v 0 0 0\rg", " a \\\r", "returns.obj:2: a row has more than 1048576 bytes"),
    ("comment.obj", "v 0 0 0\n#", "x", "comment.obj:2: a row has more than 1048576 bytes"),
];

#[cfg(target_os = "linux")]
#[test]
fn hostile_rows_are_refused_in_little_memory() {
    let bench = Bench::new("");
    for (name, start, part, expected) in HOSTILE {
        let text = start.to_owned() + &part.repeat(24 * MIB / part.len());
        fs::write(bench.path(name), text).unwrap();
        let scene = if name.ends_with(".obj") { MESH } else { ROPE };
        fs::write(bench.path("scene.ron"), scene.replace("FILE", name)).unwrap();
        // While it is read, the file is in memory up to three times.
        let run = shell(&bench, "ulimit -v 310000; catena check scene.ron");
        let found = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(3), "{name}: {found}");
        assert!(found.contains(expected), "{name}: {found}");
        assert!(found.len() < 4000, "{name}: {} bytes", found.len());
        fs::remove_file(bench.path(name)).unwrap();
    }
}

#[test]
fn rows_that_end_with_a_carriage_return_have_a_length_each() {
    let bench = Bench::new("");
    let files = [
        ("points.csv", ROPE, "0,0\r".repeat(MIB / 2)),
        (
            "cloth.obj",
            MESH,
            "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r".to_owned() + &"g a\r".repeat(MIB),
        ),
    ];
    for (name, scene, text) in files {
        fs::write(bench.path(name), text).unwrap();
        fs::write(bench.path("scene.ron"), scene.replace("FILE", name)).unwrap();
        let run = bench.run(["check", "scene.ron"]);
        let found = String::from_utf8_lossy(&run.stderr);
        assert!(!found.contains("a row has more than"), "{name}: {found}");
    }
}

#[test]
fn points_at_a_limit_are_read() {
    let bench = Bench::new(&ROPE.replace("FILE", "points.csv"));
    let comment = format!("# {}\n", "x".repeat(MIB / 2));
    fs::write(bench.path("points.csv"), comment + "x,y\n0,0\n\"1\",2\n3, 4\n").unwrap();
    let run = bench.run(["check", "scene.ron"]);
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    let json =
        [("[[0, 0], [1, 2], [3, 4]]", "fine"), ("[[0, 0], [1, 2, 3]]", "point 1: expected 2")];
    for (text, expected) in json {
        fs::write(bench.path("points.json"), text).unwrap();
        fs::write(bench.path("scene.ron"), ROPE.replace("FILE", "points.json")).unwrap();
        let run = bench.run(["check", "scene.ron"]);
        let all = [run.stdout, run.stderr].concat();
        let found = String::from_utf8_lossy(&all);
        assert!(found.contains(expected), "{text}: {found}");
    }
    for text in ["[[0, 0], [1, \"x\"]]", "[[0, 0], 3]", "{}", "[[0, 0]] 1", "[[0, 0], [1, null]]"] {
        fs::write(bench.path("points.json"), text).unwrap();
        let run = bench.run(["check", "scene.ron"]);
        let found = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(3), "{text}");
        assert!(found.contains("points.json:1:"), "{text}: {found}");
        assert!(found.contains("[[0, 0], [1, 0.5]]"), "{text}: {found}");
    }
}
