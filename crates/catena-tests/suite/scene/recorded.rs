//! Motions of other programs: the variants in which people write CSV, and the messages about them.

use catena::scene::recorded::{Hint, Placed, Placement, Recorded, Width, YAxis};
use catena::scene::{Scene, SceneText, load};
use std::fmt::Write;

/// A rope of three nodes, described by the files below. Node 0 is pinned.
fn scene(set: &[&str]) -> Scene {
    let text = "Scene(base: (frame_time: 0.5, rope: (start: (0, 2), end: (-2, 2), nodes: 3)))";
    let (origin, name) = ("rope.ron".into(), "rope".into());
    let set: Vec<_> = set.iter().map(|it| it.parse().expect("a change")).collect();
    load(&SceneText { origin, name, text: text.into() }, &set).expect("a scene")
}

/// Position of a node in a frame.
fn place(frame: u64, node: usize) -> [f64; 3] {
    [-(node as f64), 2.0 - 0.25 * (frame as f64) * node as f64, 0.0]
}

/// Reads a text as positions of the rope.
fn placed(text: &[u8], columns: Option<&str>, placement: &Placement) -> Result<Placed, String> {
    let scene = scene(&[]);
    let setup = &scene.panels[0].bodies[0].setup;
    let recorded = Recorded::read(text, "mine.csv", columns, Hint::of(setup));
    let placed = recorded.and_then(|recorded| recorded.place(setup, placement));
    placed.map_err(|error| error.to_string())
}

/// Writes one row per node and frame.
fn long(header: &str, row: impl Fn(u64, usize, [f64; 3]) -> String) -> String {
    let mut text = header.to_owned();
    for frame in 0..3 {
        for node in 0..3 {
            let _ = writeln!(text, "{}", row(frame, node, place(frame, node)));
        }
    }
    text
}

/// Writes one row per frame.
fn wide(header: &str, row: impl Fn(u64, [[f64; 3]; 3]) -> String) -> String {
    let mut text = header.to_owned();
    for frame in 0..3 {
        let _ = writeln!(text, "{}", row(frame, [0, 1, 2].map(|node| place(frame, node))));
    }
    text
}

/// A number with a decimal comma.
fn comma(value: f64) -> String {
    value.to_string().replace('.', ",")
}

/// Texts of one motion with one row per node and a header, with the interpretation of each.
fn named() -> Vec<(String, &'static str)> {
    let plain = |f: u64, i: usize, [x, y, _]: [f64; 3]| format!("{f},{i},{x},{y}");
    vec![
        (
            long("frame,node,x,y\n", plain),
            "read 3 frames x 3 nodes, columns frame,node,x,y; frames from 0; y points up",
        ),
        (
            long("frame,node,x,y\n", |f, i, [x, y, _]| format!("{},{i},{x},{}", f + 1, -y)),
            "read 3 frames x 3 nodes, columns frame,node,x,y; frames from 1; y points down",
        ),
        (
            long(",frame,node,x,y\n", |f, i, [x, y, _]| {
                format!("{},{f},{i},{x},{y}", 3 * f + i as u64)
            }),
            "read 3 frames x 3 nodes, columns frame,node,x,y, not used: (no name); frames from 0; \
             y points up",
        ),
        (
            long("\u{feff}Frame;Mass;Pos X;Pos Y\r\n", |f, i, [x, y, _]| {
                format!("{f};{i};{};{}\r", comma(x), comma(y))
            }),
            "read 3 frames x 3 nodes, columns frame,node,x,y (called Frame, Mass, Pos X, Pos Y), \
             separated by semicolons, with decimal commas; frames from 0; y points up",
        ),
    ]
}

/// The same texts with other column names, separators and gaps.
fn foreign() -> Vec<(String, &'static str)> {
    vec![
        (
            long("sep=\t\n\"time [ms]\"\tnode_id\tpx\tpy\tvx\n", |f, i, [x, y, _]| {
                format!("{}\t{i}\t{x}\t{y}\t0", 500 * f)
            }),
            "read 3 times x 3 nodes, columns t,node,x,y (called time [ms], node_id, px, py), not \
             used: vx, separated by tabs; times in ms; times match frames of 0.5; y points up",
        ),
        (
            long("# my rope, 2026\n# frame node x y\n\n", |f, i, [x, y, _]| {
                format!("  {f}  {i}   {x} {y}  ")
            }),
            "read 3 frames x 3 nodes, columns frame,node,x,y, separated by spaces; frames from 0; \
             y points up",
        ),
        (
            long("frame,node,x,y\n", |f, i, [x, y, _]| match (f, i) {
                (1, 2) => "1,2,nan,inf".into(),
                (2, 0) => "2,0,,".into(),
                _ => format!("{f},{i},{x},{y}"),
            }),
            "read 3 frames x 3 nodes, columns frame,node,x,y; 2 positions left out, with empty or \
             infinite cells; frames from 0; y points up",
        ),
        (
            long("node,x,y\n", |_, i, [x, y, _]| format!("{i},{x},{y}")),
            "read 3 frames x 3 nodes, columns node,x,y; no column numbers the frames: they are counted from 0; frames from 0; y points up",
        ),
        (
            long("step,i,x,y,z\n", |f, i, [x, y, z]| format!("{},{i},{x},{y},{z}", 64 * f)),
            "read 3 steps x 3 nodes, columns step,node,x,y,z (called step, i, x, y, z); frames from \
             0; 64 steps per frame; z ignored, since the scene is planar; y points up",
        ),
    ]
}

/// The same texts without a header.
fn bare() -> Vec<(String, &'static str)> {
    let plain = |f: u64, i: usize, [x, y, _]: [f64; 3]| format!("{f},{i},{x},{y}");
    vec![
        (
            long("", plain),
            "read 3 frames x 3 nodes, columns frame,node,x,y (guessed from the numbers: there are \
             no names); frames from 0; y points up",
        ),
        (
            long("", |f, i, [x, y, _]| format!("{f},{},{x},{y},", i + 1)),
            "read 3 frames x 3 nodes, columns frame,node,x,y (guessed from the numbers: there are \
             no names); frames from 0; nodes from 1; y points up",
        ),
        (
            long("", |f, _, [x, y, _]| format!("{f},{x},{y}")),
            "read 3 frames x 3 nodes, columns frame,x,y (guessed from the numbers: there are no \
             names); the rows of a frame are the nodes in order; frames from 0; y points up",
        ),
    ]
}

/// Texts with one row per frame.
fn rows_of_frames() -> Vec<(String, &'static str)> {
    let flat = |p: [[f64; 3]; 3]| p.map(|[x, y, _]| format!("{x},{y}")).join(",");
    vec![
        (
            wide("t,x0,y0,x1,y1,x2,y2\n", |f, p| format!("{},{}", 0.5 * f as f64, flat(p))),
            "read 3 times x 3 nodes, columns t,x0,y0,x1,y1,x2,y2; times match frames of 0.5; y \
             points up",
        ),
        (
            wide("", |f, p| format!("{f},{}", flat(p))),
            "read 3 frames x 3 nodes, columns frame,x0,y0,x1,y1,x2,y2 (guessed from the numbers: \
             there are no names); frames from 0; y points up",
        ),
        (
            wide("", |_, p| flat(p)),
            "read 3 frames x 3 nodes, columns x0,y0,x1,y1,x2,y2 (guessed from the numbers: there \
             are no names); no column numbers the frames: they are counted from 0; frames from \
             0; y points up",
        ),
        (
            wide("frame;node1.x;node2.x;node3.x;node1.y;node2.y;node3.y\n", |f, [a, b, c]| {
                let row = [a[0], b[0], c[0], a[1], b[1], c[1]].map(comma).join(";");
                format!("{f};{row}")
            }),
            "read 3 frames x 3 nodes, columns frame,x1,x2,x3,y1,y2,y3 (called frame, node1.x, \
             node2.x, node3.x, node1.y, node2.y, node3.y), separated by semicolons, with decimal \
             commas; frames from 0; nodes from 1; y points up",
        ),
    ]
}

/// Texts that have more or less than rows of numbers.
fn odd() -> Vec<(String, &'static str)> {
    let plain = |f: u64, i: usize, [x, y, _]: [f64; 3]| format!("{f},{i},{x},{y}");
    let fortran = |value: f64| format!("{value:.6E}").replace('E', "D+0");
    vec![
        (
            long("My rope\nwritten in 2026\n\nframe,node,x,y\n-,-,m,m\n", plain),
            "read 3 frames x 3 nodes, columns frame,node,x,y; 2 lines above the names ignored; \
             the line of units below the names ignored; frames from 0; y points up",
        ),
        (
            long("frame,particle,x,y\n", |f, i, [x, y, _]| format!("{f},m{i},{x},{y}")),
            "read 3 frames x 3 nodes, columns frame,node,x,y (called frame, particle, x, y); nodes \
             by name, as they appear: m0 is 0, m1 is 1, m2 is 2; frames from 0; y points up",
        ),
        (
            long("frame node x y\n", |f, i, [x, y, _]| {
                format!("{f} {i} {} {}", fortran(x), fortran(y))
            }),
            "read 3 frames x 3 nodes, columns frame,node,x,y, separated by spaces; frames from 0; \
             y points up",
        ),
        (
            long("", |f, i, [x, y, _]| {
                let gap = if f > 0 && i == 0 { "\n" } else { "" };
                format!("{gap}{x} {y}")
            }),
            "read 3 frames x 3 nodes, columns x,y (guessed from the numbers: there are no names), \
             separated by spaces; the rows of a frame are the nodes in order; empty lines divide \
             frames, from 0; frames from 0; y points up",
        ),
        (
            long("frame,node,x,y\n", |f, i, p| format!("{0}\n{0}", plain(f, i, p))),
            "read 3 frames x 3 nodes, columns frame,node,x,y; 9 positions found twice, used once; frames \
             from 0; y points up",
        ),
    ]
}

#[test]
fn text_in_utf_16_is_read() {
    let text = long("frame,node,x,y\n", |f, i, [x, y, _]| format!("{f},{i},{x},{y}"));
    let plain = placed(text.as_bytes(), None, &Placement::default()).expect("a motion");
    let read: [fn(u16) -> [u8; 2]; 2] = [u16::to_le_bytes, u16::to_be_bytes];
    for bytes in read {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        let wide: Vec<u8> = units.flat_map(bytes).collect();
        let found = placed(&wide, None, &Placement::default()).expect("a motion");
        assert_eq!((found.description(), found.at(2)), (plain.description(), plain.at(2)));
    }
}

#[test]
fn other_units_and_steps_are_told_with_what_to_add() {
    let text = long("frame,node,x_mm,y_mm\n", |f, i, [x, y, _]| {
        format!("{f},{i},{},{}", 1000.0 * x, -1000.0 * y)
    });
    let found = placed(text.as_bytes(), None, &Placement::default()).expect("a motion");
    let expected =
        "the data seem to be 1000 times as large as the scene: add `scale: 0.001` and `y: Down`";
    assert!(found.description().ends_with(expected), "{}", found.description());
    let placement = Placement { scale: 0.001, y: Some(YAxis::Down), ..Placement::default() };
    let found = placed(text.as_bytes(), None, &placement).expect("a motion");
    assert_eq!(found.at(1)[2].1, place(1, 2));
    let text = long("frame,node,x,y\n", |f, i, [x, y, _]| format!("{},{i},{x},{y}", 64 * f));
    let found = placed(text.as_bytes(), None, &Placement::default()).expect("a motion");
    let expected = "its frame numbers are multiples of 64, the number of substeps: if they count steps, add `columns: \
                \"step,node,x,y\"`";
    assert!(found.description().contains(expected), "{}", found.description());
    let steps = placed(text.as_bytes(), Some("step,node,x,y"), &Placement::default());
    assert_eq!(steps.expect("a motion").frames(), 0..=2);
}

#[test]
fn every_way_to_write_a_motion_is_understood_and_told() {
    let all = [named(), foreign(), bare(), rows_of_frames(), odd()].concat();
    for (text, description) in all {
        let placed = placed(text.as_bytes(), None, &Placement::default());
        let placed = placed.unwrap_or_else(|error| panic!("{text}\n{error}"));
        assert_eq!(placed.description(), format!("mine.csv: {description}"), "{text}");
        assert_eq!(placed.frames(), 0..=2, "{text}");
        let has_gaps = description.contains("left out");
        for frame in 0..3 {
            let all = [0, 1, 2].map(|node| (node, place(frame, node)));
            let is_there =
                |(node, _): &(usize, _)| !(has_gaps && matches!((frame, node), (1, 2) | (2, 0)));
            let expected: Vec<_> = all.into_iter().filter(is_there).collect();
            assert_eq!(placed.at(frame), expected, "frame {frame} of {text}");
        }
        assert_eq!(placed.at(3), []);
    }
}

#[test]
fn a_point_is_the_last_node_and_times_between_frames_are_interpolated() {
    let mut text = "t x y\n".to_owned();
    for k in 0..6 {
        let t = 0.2 * f64::from(k);
        let _ = writeln!(text, "{t} -2 {}", 2.0 - t);
    }
    let as_given = placed(text.as_bytes(), None, &Placement::default()).expect("a motion");
    assert_eq!(
        as_given.description(),
        "mine.csv: read 6 times of one point, columns t,x,y, separated by spaces; times \
         interpolated linearly to frames of 0.5; its times are 0.2 apart, but frames are 0.5 \
         apart: if each time is a frame, add `columns: \"-,x,y\"`; y points up; the point is node 2, the last"
    );
    assert_eq!(as_given.frames(), 0..=2);
    let [(node, [x, y, _])] = as_given.at(1)[..] else { panic!("one point") };
    assert_eq!((node, x), (2, -2.0));
    assert!((y - 1.5).abs() < 1e-15, "{y}");

    // The middle node, whose start is in the file.
    let text = "t,x,y\n0,-1,2\n0.5,-1,1.5\n";
    let guessed = placed(text.as_bytes(), None, &Placement::default()).expect("a motion");
    let hint = "the point is assumed to be the last node, 2, but starts at node 1: to use that node, set `node: 1`";
    assert!(guessed.description().ends_with(hint), "{}", guessed.description());
    let middle = Placement { node: Some(1), ..Placement::default() };
    let middle = placed(text.as_bytes(), None, &middle).expect("a motion");
    assert!(middle.description().ends_with("the point is node 1, as given"));
    assert_eq!(middle.at(1), [(1, [-1.0, 1.5, 0.0])]);
}

#[test]
fn what_the_start_does_not_decide_is_told_and_can_be_said() {
    // A rope at y = 0 looks the same with either direction of y.
    let flat = scene(&["rope.start=(0, 0)", "rope.end=(-2, 0)"]);
    let setup = &flat.panels[0].bodies[0].setup;
    let text = b"frame,node,x,y\n0,0,0,0\n0,1,-1,0\n0,2,-2,0\n1,2,-2,0.5\n";
    let recorded = Recorded::read(text, "mine.csv", None, Hint::of(setup)).expect("a motion");
    let up = recorded.place(setup, &Placement::default()).expect("a motion");
    let expected =
        "y seems to point down in the data, since they move against gravity: add `y: Down`";
    assert!(up.description().ends_with(expected), "{}", up.description());
    let falling = b"frame,node,x,y\n0,0,0,0\n0,1,-1,0\n0,2,-2,0\n1,2,-2,-0.5\n";
    let falling = Recorded::read(falling, "mine.csv", None, Hint::of(setup)).expect("a motion");
    let falling = falling.place(setup, &Placement::default()).expect("a motion");
    let expected =
        "y is assumed to point up: the start fits both directions (`y: Down` reverses it)";
    assert!(falling.description().ends_with(expected), "{}", falling.description());
    assert_eq!(up.at(1), [(2, [-2.0, 0.5, 0.0])]);
    let placement = Placement { y: Some(YAxis::Down), ..Placement::default() };
    let down = recorded.place(setup, &placement).expect("a motion");
    assert!(down.description().ends_with("y points down, as given"));
    assert_eq!(down.at(1), [(2, [-2.0, -0.5, 0.0])]);

    // A file that begins after the first frame, counted from 1: its numbers are kept.
    let text = long("frame,node,x,y\n", |f, i, _| {
        let [x, y, _] = place(f + 1, i);
        format!("{},{i},{x},{y}", f + 1)
    });
    let late = placed(text.as_bytes(), None, &Placement::default()).expect("a motion");
    let expected = "frames as numbered, 1 to 3; the first frame differs from the start by 0.5";
    assert!(late.description().contains(expected), "{}", late.description());
    assert_eq!(late.at(1), [0, 1, 2].map(|node| (node, place(1, node))));
    // If it counts from 0, only the user can say so.
    let text = long("frame,node,x,y\n", |f, i, _| {
        let [x, y, _] = place(f + 1, i);
        format!("{f},{i},{x},{y}")
    });
    let placement = Placement { first_frame: Some(1), ..Placement::default() };
    let late = placed(text.as_bytes(), None, &placement).expect("a motion");
    assert!(late.description().contains("its first frame (0) is frame 1, as given"));
    assert_eq!(late.frames(), 1..=3);
    assert_eq!(late.at(1), [0, 1, 2].map(|node| (node, place(1, node))));
}

#[test]
fn columns_can_be_listed_by_position_and_by_name() {
    let text = long("A,B,C,D\n", |f, i, [x, y, _]| format!("{y},{x},{i},{f}"));
    for columns in ["y,x,node,frame", "frame=D,node=C,x=B,y=A", "y, x, i, f"] {
        let placed = placed(text.as_bytes(), Some(columns), &Placement::default());
        let placed = placed.unwrap_or_else(|error| panic!("{columns}: {error}"));
        assert_eq!(placed.at(2), [0, 1, 2].map(|node| (node, place(2, node))), "{columns}");
        let expected = "columns y,x,node,frame (as given, over A, B, C, D)";
        assert!(placed.description().contains(expected), "{}", placed.description());
    }
    let text =
        wide("", |f, p| format!("run,{f},{}", p.map(|[x, y, _]| format!("{x},{y}")).join(",")));
    let listed = placed(text.as_bytes(), Some("-,frame,x0,y0,..."), &Placement::default());
    let listed = listed.expect("a motion");
    assert_eq!(listed.at(2), [0, 1, 2].map(|node| (node, place(2, node))));
}

#[test]
fn pixels_are_scaled_and_moved() {
    // A window of 100 by 100 pixels with its origin in the upper left corner.
    let text = long("frame,node,x,y\n", |f, i, [x, y, _]| {
        format!("{f},{i},{},{}", 100.0 + 10.0 * x, 60.0 - 10.0 * y)
    });
    let placement = Placement { scale: 0.1, translate: [-10.0, 6.0, 0.0], ..Placement::default() };
    let placed = placed(text.as_bytes(), None, &placement).expect("a motion");
    assert!(placed.description().ends_with("y points down"), "{}", placed.description());
    for (node, [x, y, _]) in placed.at(2) {
        let [u, v, _] = place(2, node);
        assert!((x - u).abs() < 1e-12 && (y - v).abs() < 1e-12);
    }
}

#[test]
fn other_origins_directions_and_columns_are_proposed() {
    type Row = fn(u64, usize, [f64; 3]) -> String;
    let cases: [(&str, Row, &str); 6] = [
        // A straight rope fits both directions of y, but it falls in only one.
        (
            "frame,node,x,y\n",
            |f, i, [x, y, _]| format!("{f},{i},{},{}", 100.0 + 10.0 * x, 60.0 - 10.0 * y),
            "add `y: Down`, `scale: 0.1` and `translate: (-10, 6)`",
        ),
        (
            "frame,node,x,y\n",
            |f, i, [x, y, _]| format!("{f},{i},{},{}", 3.0 + x, y - 7.0),
            "add `translate: (-3, 7)`",
        ),
        // Pixels are integers.
        (
            "frame,node,x,y\n",
            |f, i, [x, y, _]| format!("{f},{i},{:.0},{:.0}", 320.0 + 37.4 * x, 240.0 - 37.4 * y),
            "add `y: Down`, `scale: 0.0267` and `translate: (-8.55, 6.41)`",
        ),
        (
            "frame,node,x,y\n",
            |f, i, [x, y, _]| format!("{f},{i},{y},{x}"),
            "x and y seem to be swapped in the data: add `columns: \"frame,node,y,x\"`",
        ),
        (
            "frame,a,node,x,y,b\n",
            |f, i, [x, y, _]| format!("{f},9,{i},{y},{x},9"),
            "x and y seem to be swapped in the data: add `columns: \"frame,-,node,y,x\"`",
        ),
        (
            "frame,node,x,y\n",
            |f, i, [x, y, _]| {
                let i = i as f64;
                format!("{f},{i},{x},{}", if f == 0 { y } else { y - 0.01 * i })
            },
            "y points up",
        ),
    ];
    for (names, row, expected) in cases {
        let text = long(names, row);
        let found = placed(text.as_bytes(), None, &Placement::default()).expect("a motion");
        assert!(found.description().contains(expected), "{expected}: {}", found.description());
    }
    // Commands have options for these.
    let text = long(cases[0].0, cases[0].1);
    let found = placed(text.as_bytes(), None, &Placement::default()).expect("a motion");
    let expected = "add `--y down`, `--scale 0.1` and `--translate=-10,6`";
    assert!(found.description_with_options().contains(expected));
    let placement = Placement {
        scale: 0.1,
        translate: [-10.0, 6.0, 0.0],
        y: Some(YAxis::Down),
        ..Placement::default()
    };
    let found = placed(text.as_bytes(), None, &placement).expect("a motion");
    assert!(!found.description().contains("add `"), "{}", found.description());
}

#[test]
fn rows_of_all_nodes_without_frames_are_divided_by_a_node_that_stands_still() {
    for names in ["", "x,y\n"] {
        let text = long(names, |_, _, [x, y, _]| format!("{x},{y}"));
        let found = placed(text.as_bytes(), None, &Placement::default()).expect("a motion");
        let expected =
            "every 3 rows are a frame, counted from 0, since one node is at rest in them";
        assert!(found.description().contains(expected), "{}", found.description());
        for frame in 0..3 {
            assert_eq!(found.at(frame), [0, 1, 2].map(|node| (node, place(frame, node))));
        }
    }
    // A single point: 9 rows are 9 frames.
    let text = long("x,y\n", |f, i, [x, y, _]| format!("{},{}", x + f as f64, y + i as f64));
    let found = placed(text.as_bytes(), None, &Placement::default()).expect("a motion");
    assert!(found.description().contains("9 frames of one point"), "{}", found.description());
}

#[test]
fn swapped_columns_of_many_nodes_are_listed_in_short() {
    let wide = wide("frame,x0,y0,x1,y1,x2,y2\n", |f, all| {
        let cells = all.map(|[x, y, _]| format!("{y},{x}"));
        format!("{f},{}", cells.join(","))
    });
    let found = placed(wide.as_bytes(), None, &Placement::default()).expect("a motion");
    let expected = "add `columns: \"frame,y0,x0,...\"`";
    assert!(found.description().contains(expected), "{}", found.description());
    let right = placed(wide.as_bytes(), Some("frame,y0,x0,..."), &Placement::default());
    assert_eq!(right.expect("a motion").at(1)[2].1, place(1, 2));
}

#[test]
fn nodes_without_data_and_a_start_that_is_missing_are_told() {
    let text = long("frame,node,x,y\n", |f, i, [x, y, _]| format!("{f},{i},{x},{y}"));
    let whole = placed(text.as_bytes(), None, &Placement::default()).expect("a motion");
    assert!(!whole.description().contains("no data"), "{}", whole.description());
    assert_eq!(whole.missing_frames(3), None);
    assert_eq!(
        whole.missing_frames(9).as_deref(),
        Some("the data end at frame 2, but the scene ends at 8")
    );
    let beyond = "the data continue to frame 2, but the scene ends at 1: add --frames 3";
    assert_eq!(whole.missing_frames(2).as_deref(), Some(beyond));
    let without = |node: &str| -> String {
        let kept = text.lines().filter(|line| line.split(',').nth(1) != Some(node));
        kept.collect::<Vec<_>>().join("\n")
    };
    for (node, expected) in [
        ("2", "; 2 of the scene's 3 nodes: no data for node 2"),
        ("1", "; 2 of the scene's 3 nodes: no data for node 1"),
    ] {
        let found = placed(without(node).as_bytes(), None, &Placement::default());
        let found = found.expect("a motion").description();
        assert!(found.ends_with(expected), "{found}");
    }
    // The file begins one frame late, with its pin in place.
    let late = long("frame,node,x,y\n", |f, i, _| {
        let [x, y, _] = [-(i as f64), 2.0 - 0.05 * (f + 1) as f64 * i as f64, 0.0];
        format!("{f},{i},{x},{y}")
    });
    let found = placed(late.as_bytes(), None, &Placement::default()).expect("a motion");
    let expected =
        "differs from the start by 0.1 (if the start is not in the file, add `first_frame: 1`)";
    assert!(found.description().contains(expected), "{}", found.description());
    // A file that counts from 1 keeps its numbers; the other reading is based on its start.
    let numbered = long("frame,node,x,y\n", |f, i, _| {
        let [x, y, _] = [-(i as f64), 2.0 - 0.05 * (f + 1) as f64 * i as f64, 0.0];
        format!("{},{i},{x},{y}", f + 1)
    });
    let found = placed(numbered.as_bytes(), None, &Placement::default()).expect("a motion");
    let expected = "differs from the start by 0.1 (if it is the start, add `first_frame: 0`)";
    assert!(found.description().contains(expected), "{}", found.description());
    assert!(!found.description().contains("first_frame: 1"), "{}", found.description());
}

/// Numbers with a fixed number of decimals reveal a float if they are large, however few digits the
/// small ones have.
#[test]
fn fixed_decimals_of_large_numbers_tell_float_from_double() {
    let text = |print: fn(f64) -> f64| {
        long("frame,node,x,y\n", |frame, node, [x, y, _]| {
            // A motion that diverges, and is not a float.
            let grown = |value: f64| value / 3.0 * [1.0, 1e5, 1e12][frame as usize];
            let [x, y] = [x, y].map(|value| print(grown(value)));
            format!("{frame},{node},{x:.4},{y:.4}")
        })
    };
    let width = |print| {
        let found = placed(text(print).as_bytes(), None, &Placement::default());
        found.expect("a motion").precision().width
    };
    assert_eq!(width(|value| f64::from(value as f32)), Width::Single);
    assert_eq!(width(|value| value), Width::Double);
}

/// Texts that cannot be used, with the list of columns, and the message.
const FAULTS: [(&str, Option<&str>, &str); 26] = [
    (
        "frame,node,x,y\n0,0,0,2\n0,1,-1,5,2\n0,2,-2,5,2,5\n",
        None,
        "mine.csv:3: 5 cells, expected 4 as in line 1\n  help: commas seem to separate both columns and decimals: use decimal points, or semicolons between columns",
    ),
    (
        "frame,node,x,y\n0,0,0,5,2,0\n0,1,-1,5,2,0\n",
        None,
        "mine.csv:2: 6 cells, but line 1 names 4 columns\n  help: commas seem to separate both columns and decimals: use decimal points, or semicolons between columns",
    ),
    (
        "0 2\n-1 2\n\n0 2\n-1 1\n",
        None,
        "mine.csv: empty lines divide blocks of 2 rows, but the body has 3 nodes\n  help: change the number of nodes in the scene, for example with --set rope.nodes=N",
    ),
    (
        "",
        None,
        "mine.csv: there are no numbers in this file\n  help: write a row per node and frame, such as 0,15,-400,200",
    ),
    (
        "frame,node,x,y\n",
        None,
        "mine.csv: there are no numbers in this file\n  help: write a row per node and frame, such as 0,15,-400,200",
    ),
    (
        "frame,node,x,y\n0,0,0,2\n0,1,abc,2\n",
        None,
        "mine.csv:3:5: column 3 (x): expected a number from -1e100 to 1e100, found \"abc\"",
    ),
    (
        "frame;node;x;y\n0;0;0;2\n0;one;0;2\n",
        None,
        "mine.csv:3:3: column 2 (node): expected a whole number from 0 to 4294967295, found \"one\"\n  help: columns are separated by semicolons in this file",
    ),
    (
        "frame,node,x,y\n0,0,0,2\n0.5,1,-1,2\n",
        None,
        "mine.csv:3:1: column 1 (frame): expected a whole number from 0 to 4503599627370496, found \"0.5\"",
    ),
    ("frame,node,x,y\n0,0,0,2\n0,1,-1\n", None, "mine.csv:3: 3 cells, expected 4 as in line 1"),
    (
        "frame,node,x\n0,0,0,2\n",
        None,
        "mine.csv:1: no column has the role y: (no name), frame, node, x\n  help: list the columns, such as --columns frame,node,x,y, with - for one to skip",
    ),
    (
        "frame,node,x\n0,0,0\n",
        None,
        "mine.csv:1: no column has the role y: frame, node, x\n  help: list the columns, such as --columns frame,node,x,y, with - for one to skip",
    ),
    (
        "frame,node,a,b\n0,0,0,2\n",
        None,
        "mine.csv:1: no column is called x or y: frame, node, a, b\n  help: add --columns frame,node,x,y",
    ),
    (
        "frame,node,x,y,x\n0,0,0,2,3\n",
        None,
        "mine.csv:1: two columns have the role x\n  help: list the columns, such as --columns frame,node,x,y, with - for one to skip",
    ),
    (
        "frame,node,x,y\n0,0,0,2\n0,0,0,3\n",
        None,
        "mine.csv:3: the same node and time as in line 2\n  help: a file may have each node only once per frame; were two runs appended?",
    ),
    (
        "frame,node,x,y\n0,0,0,2\n0,7,0,2\n",
        None,
        "mine.csv:3: node 7, but the body has only 3 nodes, numbered from 0 to 2\n  help: change the number of nodes in the scene, or remove rows",
    ),
    (
        "0,1,2\n5,1,3\n2,1,1\n",
        None,
        "mine.csv: the 3 columns have no names, and their meaning is ambiguous\n  help: add --columns frame,x,y",
    ),
    (
        "0,0,0,2\n",
        Some("frame,nod,x,y"),
        "mine.csv, columns: `nod` is not a column role\n  help: allowed: frame, t, step, node, panel, body, x, y, z, x0, y0, …, and - for a column to skip",
    ),
    (
        "0,0,0,2\n",
        Some("frame,node,x,y,z"),
        "mine.csv, columns: 5 columns are listed, but the file has 4",
    ),
    (
        "0,0,0,2\n",
        Some("frame=a,node=b"),
        "mine.csv, columns: the file has no column names\n  help: list the columns by position, such as \"frame,node,x,y\"",
    ),
    (
        "a,b,c\n0,0,2\n",
        Some("t=a,x=u,y=c"),
        "mine.csv, columns: no column is called `u`: the file has a, b, c",
    ),
    (
        "frame,node,x,y,z\n0,0,0,2,0\n1,0,0,2,1\n",
        None,
        "mine.csv:3: the scene is planar, but z changes in the file\n  help: give a vector of the scene three components, or list only two coordinates to compare: --columns frame,node,x,y",
    ),
    (
        "frame,a_x,a_y,b_x,b_y,c_x,c_y\n0,0,2,-1,2,-2,2\n",
        None,
        "mine.csv:1: no column is called x or y: frame, a_x, a_y, b_x, b_y, c_x, c_y\n  help: add --columns frame,x0,y0,...",
    ),
    (
        "frame,node,pos\n0,0,\"(0, 2)\"\n0,1,\"(-1, 2)\"\n",
        None,
        "mine.csv:1: no column is called x or y: frame, node, pos\n  help: write each number in a column of its own, without brackets",
    ),
    (
        "frame: 0 node: 0 x: 0 y: 2\nframe: 0 node: 1 x: -1 y: 2\n",
        None,
        "mine.csv: the 8 columns have no names, and their meaning is ambiguous\n  help: add --columns -,frame,-,node,-,x,-,y",
    ),
    (
        "frame|node|x|y\n0|0|0|2\n",
        None,
        "mine.csv: there are no numbers in this file\n  help: separate columns by commas, semicolons, tabs or spaces instead of |",
    ),
    (
        "PK\u{3}\u{4}",
        None,
        "mine.csv: this is a zip file, not a text file\n  help: specify a CSV file",
    ),
];

#[test]
fn faults_have_a_place_and_say_what_is_allowed() {
    for (text, columns, expected) in FAULTS {
        let fault = placed(text.as_bytes(), columns, &Placement::default());
        let fault = fault.map(|placed| placed.description()).expect_err(text);
        assert_eq!(fault, expected, "{text}");
    }
}

#[test]
fn a_file_of_several_bodies_is_divided_by_panel_and_body() {
    let row = |panel: usize| {
        move |f, i, [x, y, _]: [f64; 3]| format!("{f},{panel},0,{i},{x},{}", y - panel as f64)
    };
    let text = long("frame,panel,body,node,x,y\n", row(0)) + &long("", row(1));
    let of = |own: [u64; 2], panel: Option<u64>| {
        let placement = Placement { own, panel, y: Some(YAxis::Up), ..Placement::default() };
        placed(text.as_bytes(), None, &placement)
    };
    assert_eq!(of([0, 0], None).expect("a motion").at(0)[2].1, [-2.0, 2.0, 0.0]);
    assert_eq!(of([1, 0], None).expect("a motion").at(0)[2].1, [-2.0, 1.0, 0.0]);
    let other = of([0, 0], Some(1)).expect("a motion");
    assert_eq!(other.at(0)[2].1, [-2.0, 1.0, 0.0]);
    assert!(other.description().contains("chosen: panel 1, body 0"), "{}", other.description());
    let fault = of([2, 0], None).map(|placed| placed.description()).expect_err("no such panel");
    let expected = "mine.csv: the file describes several bodies: panel 0, body 0; panel 1, body 0\n  \
                help: choose one with reference: (panel: …, body: …)";
    assert_eq!(fault, expected);
}
