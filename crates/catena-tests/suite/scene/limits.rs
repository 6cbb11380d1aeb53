//! Scenes that are too large are refused before they are built, each with its own message. No input
//! takes more than a little memory.

use crate::catena;
use catena::scene::{
    Limits, Scene, SceneText,
    limits::{Estimate, PlannedRun, Product},
    load_within,
};
use catena::text::number::duration;
use std::{fs, time::Duration};

fn text_of(text: &str) -> SceneText {
    SceneText { origin: "test".into(), name: "test".into(), text: text.into() }
}

/// Reads a scene and checks the run, as the commands do.
fn check(text: &str, limits: &Limits, run: fn(&Scene) -> PlannedRun) -> Result<Scene, String> {
    let text = text_of(text);
    let scene = load_within(&text, &[], limits).map_err(|error| error.report(false))?;
    limits.check_run(&text, &scene, &run(&scene)).map_err(|error| error.report(false))?;
    Ok(scene)
}

fn pictures(scene: &Scene) -> PlannedRun {
    let product = Product::Pictures { size: scene.size, settles: false };
    PlannedRun { product, ..PlannedRun::of(scene) }
}

fn rows(scene: &Scene) -> PlannedRun {
    PlannedRun { product: Product::Rows, ..PlannedRun::of(scene) }
}

/// A scene, its run, and parts of the message if it exceeds the limit of work.
const TOO_LONG: &[(&str, fn(&Scene) -> PlannedRun, &[&str])] = &[
    (
        "Scene()",
        pictures,
        &["600 frames would take about", "of one core, mostly for drawing", "`size`"],
    ),
    (
        "Scene(base: (substeps: 65536))",
        PlannedRun::of,
        &["600 frames would take about", "`substeps`", "--minutes 1 allows it"],
    ),
    (
        "Scene(base: (integrator: Xpbd(iterations: 7, substeps: 3, tethers: true)))",
        rows,
        &["substeps"],
    ),
];

/// A scene, a limit, the scene's value, and parts of the message if the value exceeds the limit.
const CAPS: &[(&str, fn(&mut Limits, u64), u64, fn(&Scene) -> PlannedRun, &[&str])] = &[
    (
        "Scene(/* ( */)",
        |l, n| l.tokens = n,
        3,
        PlannedRun::of,
        &["words, numbers, texts and brackets"],
    ),
    (
        "Scene(base: (rope: (pins: [0, /* 1, */ 3, 5,])))",
        |l, n| l.list = n,
        3,
        PlannedRun::of,
        &["3 entries of one list", "test:1:43"],
    ),
    (
        "Scene(title: \"a\\\"b\")",
        |l, n| l.text = n,
        6,
        PlannedRun::of,
        &["6 bytes of one text", "1:14"],
    ),
    ("Scene(title: r#\"a\"b\"#)", |l, n| l.text = n, 8, PlannedRun::of, &["8 bytes of one text"]),
    ("Scene(base: (drag: 0.0000))", |l, n| l.word = n, 6, PlannedRun::of, &["one word or number"]),
    ("Scene(panels: [(), (), ()])", |l, n| l.panels = n, 3, PlannedRun::of, &["3 panels"]),
    (
        "Scene(grid: (rows: [(), ()], columns: [(), ()]))",
        |l, n| l.panels = n,
        4,
        PlannedRun::of,
        &["4 panels"],
    ),
    (
        "Scene(base: (bodies: [(), ()]), panels: [(), (), ()])",
        |l, n| l.bodies = n,
        2,
        PlannedRun::of,
        &["2 bodies of one panel", "base.bodies"],
    ),
    (
        "Scene(base: (bodies: [(), ()]), panels: [(), (), ()])",
        |l, n| l.all_bodies = n,
        6,
        PlannedRun::of,
        &["6 bodies in all panels"],
    ),
    (
        "Scene(base: (bodies: [(label: \"abc\"), ()]), panels: [(label: \"de\"), ()])",
        |l, n| l.labels = n,
        8,
        PlannedRun::of,
        &["8 bytes of labels"],
    ),
    (
        "Scene(base: (rope: (nodes: 5)), panels: [(), (with: (rope: (nodes: 7)))])",
        |l, n| l.nodes = n,
        12,
        PlannedRun::of,
        &["12 nodes of all bodies", "lower `rope.nodes`", "panels[1].with.rope.nodes"],
    ),
    (
        "Scene(base: (rope: (bending: 1)))",
        |l, n| l.springs = n,
        29,
        PlannedRun::of,
        &["29 springs"],
    ),
    (
        "Scene(base: (cloth: (corner: (0, 0), across: (1, 0), down: (0, 1), rows: 3, columns: 4)))",
        |l, n| l.springs = n,
        39,
        PlannedRun::of,
        &["39 springs", "base.cloth.rows"],
    ),
    (
        "Scene(base: (colliders: [Plane(point: (0, -9), normal: (0, 1))]), panels: [(), ()])",
        |l, n| l.colliders = n,
        2,
        PlannedRun::of,
        &["2 colliders of all bodies"],
    ),
    (
        "Scene(base: (forces: [PointForce(node: 0, force: (1, 0))], bodies: [(), ()]))",
        |l, n| l.encounters = n,
        32,
        PlannedRun::of,
        &["32 pairs of a node", "base.forces"],
    ),
    (
        "Scene(base: (impulses: [(node: 1, impulse: (0, 1)), (node: 2, impulse: (0, 1)), (node: 1, impulse: (0, 1)), (node: 1, impulse: (0, 1))]))",
        |l, n| l.entries = n,
        // The impulses, the pin, the law, and the method with its 17 bytes.
        4 + 1 + 1 + 3,
        PlannedRun::of,
        &["9 entries", "base.impulses"],
    ),
    (
        "Scene(base: (frames: 700))",
        |l, n| l.frames = n,
        700,
        PlannedRun::of,
        &["700 frames", "`frames`"],
    ),
    ("Scene()", |l, n| l.side = n, 1280, PlannedRun::of, &["1280 pixels along a side", "`size`"]),
    ("Scene()", |l, n| l.pixels = n, 1280 * 720, PlannedRun::of, &["921600 pixels"]),
    (
        "Scene()",
        |l, n| l.bytes_out = n.into(),
        1280 * 720 / 4 * 600,
        PlannedRun::of,
        &["about 131.8", " MiB on disk, more than the limit of 131.8"],
    ),
    (
        "Scene()",
        |l, n| l.bytes_out = n.into(),
        16 * 600 * 150,
        rows,
        &["about 1.373", " MiB on disk, more than the limit of 1.373"],
    ),
];

#[test]
fn what_is_at_a_limit_passes_and_one_more_is_refused_with_its_own_message() {
    for (text, set, found, run, parts) in CAPS {
        let mut limits = Limits::default();
        set(&mut limits, *found);
        check(text, &limits, *run).unwrap_or_else(|error| panic!("{text}\n{error}"));
        set(&mut limits, found - 1);
        let message = check(text, &limits, *run).expect_err(text);
        for part in parts.iter().chain(&["--unlimited lifts this limit"]) {
            assert!(message.contains(part), "{text} lacks `{part}`\n{message}");
        }
    }
}

/// The limit of work is exact, and every estimate lists the operations that it counts.
#[test]
fn work_at_its_limit_passes_and_one_nanosecond_more_is_refused() {
    for (text, run, parts) in TOO_LONG {
        let scene = check(text, &Limits::default(), *run).unwrap();
        let estimate = Estimate::of(&scene, &run(&scene));
        let work = estimate.work();
        // Each of the three parts is rounded down.
        assert!(estimate.bill.nanoseconds().abs_diff(work) <= 3, "{text}");
        let limited = |work| Limits { work, ..Limits::default() };
        check(text, &limited(work), *run).unwrap_or_else(|error| panic!("{text}\n{error}"));
        let message = check(text, &limited(work - 1), *run).expect_err(text);
        for part in parts.iter().chain(&["--unlimited lifts this limit"]) {
            assert!(message.contains(part), "{text} lacks `{part}`\n{message}");
        }
    }
}

#[test]
fn options_count_as_the_scene_does_and_are_named() {
    let text = text_of("Scene()");
    let limits = Limits::default();
    let scene = load_within(&text, &[], &limits).unwrap();
    let refused = |run: PlannedRun, part: &str| {
        let message = limits.check_run(&text, &scene, &run).expect_err(part).report(false);
        assert!(message.contains(part), "{message}");
    };
    let whole = PlannedRun::of(&scene);
    refused(PlannedRun { frames: 1_000_001, ..whole }, "lower `--frames`");
    let product = Product::Pictures { size: [9000, 100], settles: true };
    refused(PlannedRun { product, ..whole }, "lower `--size`");
    limits.check_run(&text, &scene, &PlannedRun { frames: 100_000, ..whole }).unwrap();
    let long = PlannedRun { frames: 1_000_000, ..whole };
    let minutes = Estimate::of(&scene, &long).work().div_ceil(60_000_000_000);
    refused(long, &format!("--minutes {minutes} allows it"));
    let all = PlannedRun::up_to(u64::MAX, Product::Pictures { size: [16_384; 2], settles: true });
    Limits::unlimited().check_run(&text, &scene, &all).unwrap();
}

#[test]
fn the_census_counts_what_is_made() {
    for (rows, columns) in [(2, 2), (2, 5), (7, 3)] {
        let text = format!(
            "Scene(base: (cloth: (corner: (0, 0), across: (1, 0), down: (0, 1), rows: {rows}, columns: {columns})))"
        );
        let scene = check(&text, &Limits::default(), PlannedRun::of).unwrap();
        let Estimate { nodes, springs, .. } = Estimate::of(&scene, &PlannedRun::of(&scene));
        check(&text, &Limits { nodes, springs, ..Limits::default() }, PlannedRun::of).unwrap();
        let limits = Limits { springs: springs - 1, ..Limits::default() };
        check(&text, &limits, PlannedRun::of).unwrap_err();
    }
}

#[test]
fn the_commands_know_the_limits() {
    let scene = format!("Scene(title: \"{}\")", "x".repeat(5000));
    let export = ["export", "--frames=1", "-o", "-", "-q"];
    for command in [&["check"][..], &["trace", "--frames=1"], &["stability", "--frames=1"], &export]
    {
        let run = |more: &[&str]| {
            let mut catena = catena();
            catena.args(command).arg("-").args(more).write_stdin(scene.as_str()).output().unwrap()
        };
        let refused = run(&[]);
        assert_eq!(refused.status.code(), Some(3));
        assert!(String::from_utf8_lossy(&refused.stderr).contains("5002 bytes of one text"));
        let lifted = run(&["--unlimited"]);
        assert!(lifted.status.success(), "{}", String::from_utf8_lossy(&lifted.stderr));
    }
    // Near a limit, the description mentions it.
    let scene = "Scene(base: (frames: 140000, substeps: 1400))";
    let output = catena().args(["check", "-"]).write_stdin(scene).output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let scene = load_within(&text_of(scene), &[], &Limits::default()).unwrap();
    let estimate = Estimate::of(&scene, &PlannedRun::of(&scene));
    let [simulation, drawing, work] =
        [estimate.simulation, estimate.drawing, estimate.work()].map(duration);
    let line = format!(
        "16 nodes, 15 springs; about {simulation} of CPU time to simulate and {drawing} to draw"
    );
    assert!(stdout.contains(&line), "{stdout}");
    assert!(
        stdout.contains(&format!("near its limit: work: {work} of at most 1 minute")),
        "{stdout}"
    );
}

#[test]
fn a_file_may_be_as_long_as_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.ron");
    fs::write(&path, "Scene() ").unwrap();
    let read =
        |file_bytes| SceneText::read_within(&path, &Limits { file_bytes, ..Limits::default() });
    read(8).unwrap();
    let message = read(7).unwrap_err().report(false);
    assert!(message.contains("larger than the limit of 7 bytes"), "{message}");
}

#[cfg(unix)]
#[test]
fn no_name_of_a_scene_leads_out_of_the_output_folder() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    let folder = tempfile::tempdir().unwrap();
    let long = "ä".repeat(120);
    let cases: &[(&[u8], &str)] = &[
        (b"rope.ron", "rope"),
        (b"two words.ron", "two words"),
        ("绳子.ron".as_bytes(), "绳子"),
        (b"...", "scene"),
        (b"..ron", "scene"),
        (b"....ron", "scene"),
        (b".hidden.ron", "hidden"),
        (b"..\\..\\up.ron", "_.._up"),
        (b"C:evil.ron", "C_evil"),
        (b"a\nb\x1b.ron", "a_b_"),
        (b"end. .ron", "end"),
        (b" . .ron", "scene"),
        (b"con.ron", "con_"),
        (b"LPT1.tar.ron", "LPT1.tar_"),
        (b"com10.ron", "com10"),
        (b"a\xffb.ron", "a_b"),
        (long.as_bytes(), &long[..200]),
    ];
    for (file, name) in cases {
        let path = folder.path().join(OsStr::from_bytes(file));
        fs::write(&path, "Scene()").unwrap();
        assert_eq!(SceneText::read(&path).unwrap().name, *name, "{file:?}");
    }
}

/// A scene with these settings.
fn base(settings: &str) -> Vec<u8> {
    format!("Scene(base: ({settings}))").into_bytes()
}

/// Texts that would take much time or memory to read if their numbers were trusted.
fn hostile_texts() -> Vec<(&'static str, Vec<u8>)> {
    let mib = (1 << 20) - 100;
    let deep = |inner: &str| {
        format!("Scene(panels: [(with: (bodies: [(with: (rope: (pins: [{inner}])))]))])")
            .into_bytes()
    };
    vec![
        ("open brackets", vec![b'['; mib]),
        ("open parentheses", vec![b'('; mib]),
        ("digits", vec![b'1'; mib]),
        ("quotes", vec![b'"'; mib]),
        ("comments", b"/*".repeat(mib / 2)),
        ("raw texts", b"r#\"".repeat(mib / 3)),
        ("no text", vec![0xff; mib]),
        ("zeros", vec![0; mib]),
        ("too large", vec![b' '; 2 << 20]),
        ("a cut character", b"Scene(title: \"\xe4".to_vec()),
        ("a field in letters of many bytes", "Scene(ä: 1)".into()),
        ("spaces deep inside", deep(&" ".repeat(mib))),
        ("a wrong pin behind many", deep(&format!("{}-1", "0, ".repeat(20_000)))),
        ("a long field", format!("Scene({}: 1)", "a".repeat(mib)).into_bytes()),
        ("a long method", base(&format!("integrator: {}", "a".repeat(mib)))),
        ("a long label", format!("Scene(panels: [(label: \"{}\")])", "x".repeat(mib)).into_bytes()),
        ("many fields", base(&"drag: 1, ".repeat(20_000))),
        ("many panels", format!("Scene(panels: [{}])", "(),".repeat(60_000)).into_bytes()),
        ("bodies in bodies", base(&format!("{}()", "bodies: [(with: (".repeat(40)))),
        (
            "bodies in all panels",
            format!(
                "Scene(base: (bodies: [{}]), panels: [{}])",
                "(),".repeat(64),
                "(),".repeat(2048)
            )
            .into_bytes(),
        ),
        (
            "keys in all panels",
            format!(
                "Scene(base: (anchors: [(node: 0, curve: Linear(keys: [{}]))]), panels: [{}])",
                (0..5000).map(|i| format!("({i}, (0, 0)),")).collect::<String>(),
                "(),".repeat(2000)
            )
            .into_bytes(),
        ),
    ]
}

/// Texts that would take much time or memory to simulate or draw.
fn hostile_sizes() -> Vec<(&'static str, Vec<u8>)> {
    let space = |settings: &str| {
        base(&format!(
            "gravity: (0, -1, 0), wind: (0, 0, 0), rope: (start: (0, 0, 0), end: (1, 0, 0)), {settings}"
        ))
    };
    let sheet = "cloth: (corner: (0, 0, 0), across: (1, 0, 0), down: (0, 0, 1), pins: LeftEdge, ";
    vec![
        ("many nodes", base("rope: (nodes: 1000000000)")),
        ("as many nodes as may be", base("rope: (nodes: 1000000)")),
        ("many threads", space(&format!("{sheet} rows: 10000, columns: 10000)"))),
        ("as many threads as may be", space(&format!("{sheet} rows: 1000, columns: 1000)"))),
        ("a large picture", base("size: (16384, 16384)")),
        ("as large a picture as may be", base("size: (4096, 4096)")),
        ("many frames", base("frames: 1000000000, substeps: 1000000")),
        (
            "colliders times nodes",
            base(&format!(
                "rope: (nodes: 200000), colliders: [{}]",
                "Plane(point: (0, -9), normal: (0, 1)),".repeat(1000)
            )),
        ),
    ]
}

#[cfg(target_os = "linux")]
#[test]
fn hostile_scenes_end_with_0_or_3_in_little_memory() {
    let program = catena().get_program().to_owned();
    for (name, bytes) in hostile_texts().into_iter().chain(hostile_sizes()) {
        let output = assert_cmd::Command::new("sh")
            .args(["-c", "ulimit -v 1600000; exec \"$0\" \"$@\""])
            .arg(&program)
            .args(["check", "-"])
            .write_stdin(bytes)
            // Not a measurement: a hanging program must not block the tests.
            .timeout(Duration::from_secs(60))
            .output()
            .unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 3)), "{name}: {message}");
        assert!(message.len() < 20_000, "{name}: the message has {} bytes", message.len());
    }
}
