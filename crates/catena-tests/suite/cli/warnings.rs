//! Warnings about a scene before it is rendered: `check` and `render` print the same.

use crate::rendered::Bench;

/// A scene with the smallest picture, with more fields in `base` and more fields next to it.
fn scene(base: &str, panels: &str) -> String {
    format!(
        "Scene({panels} base: (size: (96, 64), frames: 3, decoration: Bare, rest: (limit: 3), {base}))"
    )
}

const VIEW: &str = "view: (center: (0, 0), extent: (1200, 1200)),";

/// The notes and warnings among lines.
fn cautions(message: &[u8]) -> Vec<String> {
    let message = String::from_utf8_lossy(message);
    let lines = message.lines().map(str::trim);
    let is_caution = |line: &&str| line.starts_with("note: ") || line.starts_with("warning: ");
    lines.filter(is_caution).map(String::from).collect()
}

#[test]
fn check_and_render_say_the_same_of_a_scene() {
    let rope = format!("{VIEW} rope: (nodes: 4)");
    for (scene, parts) in [
        (scene(&format!("integrator: ExplicitEuler, {rope}"), ""), &["warning: "][..]),
        (
            scene(&format!("{VIEW} substeps: 1, rope: (nodes: 4, stiffness: 1e5)"), ""),
            &["warning: ", "step"],
        ),
        (scene(&rope, "title: \"綱\","), &["note: no font contains the characters 綱"]),
        (scene(&rope, "panels: [(with: (drag: 0.5)), (with: (drag: 0.1))],"), &["note: ", "drag"]),
        (scene(&format!("wind: (3, 0), {rope}"), ""), &["note: wind has no effect without drag"]),
        (
            scene(&format!("{VIEW} rope: (nodes: 4, length: 500)"), ""),
            &["note: rope.end is not set, so the rope ends at the default position, (-400, 200)"],
        ),
        (
            scene(
                &format!(
                    "{VIEW} integrator: Shake, cloth: (corner: (0, 0), across: (100, 0), down: (0, -100), rows: 6, columns: 6)"
                ),
                "",
            ),
            &["warning: ", "SHAKE cannot hold all springs"],
        ),
        (
            scene(
                &format!(
                    "{VIEW} contact: (radius: 1), colliders: [Plane(point: (0, -900), normal: (0, 1))], solid: (shape: Box(size: (9, 9)))"
                ),
                "",
            ),
            &["note: ", "the box makes contact only at 4 points"],
        ),
        (
            scene(
                &format!(
                    "{VIEW} colliders: [Plane(point: (0, -900), normal: (0, 1))], solid: (shape: Ball(radius: 9))"
                ),
                "",
            ),
            &["note: ", "the ball makes contact only at 4 points"],
        ),
        (
            scene("frames: 1000000, substeps: 1000, rope: (nodes: 40)", "")
                .replace("frames: 3, ", ""),
            &["note: the view contains everything that bodies can reach"],
        ),
    ] {
        check_and_render_say(&scene, parts);
    }
}

/// Both commands print the same cautions, which contain all `parts`.
fn check_and_render_say(scene: &str, parts: &[&str]) {
    let bench = Bench::new(scene);
    let frames = ["--frames", "3"];
    let checked = bench.run(["check", "scene.ron"].iter().chain(&frames));
    let args = ["render", "scene.ron", "--out", "out", "--progress", "plain", "--no-steady"];
    let rendered = bench.run(args.iter().chain(&frames));
    let (before, after) = (cautions(&checked.stdout), cautions(&rendered.stderr));
    assert!(!before.is_empty(), "{scene}");
    assert_eq!(before, after, "{scene}");
    let message = before.join("\n");
    assert!(parts.iter().all(|part| message.contains(part)), "{scene}:\n{message}");
}

#[test]
fn a_reel_that_another_one_interrupts_is_noted() {
    let reels = "(at: 1, do: Reel(length: 900, over: 2)), (at: 2, do: Reel(length: 950, over: 1))";
    let note = "note: events[1] changes the length of the rope before events[0] is complete, \
                which ends early";
    let scene = scene(&format!("{VIEW} rope: (nodes: 4), events: [{reels}]"), "");
    check_and_render_say(&scene, &[note]);
    // 0.1 + 0.2 is above 0.3 in floating point.
    let reels =
        "(at: 0.1, do: Reel(length: 900, over: 0.2)), (at: 0.3, do: Reel(length: 950, over: 1))";
    let bench =
        Bench::new(&self::scene(&format!("{VIEW} rope: (nodes: 4), events: [{reels}]"), ""));
    let stdout = String::from_utf8(bench.run(["check", "scene.ron"]).stdout).unwrap();
    assert!(stdout.contains("fine") && !stdout.contains("is complete"), "{stdout}");
}

#[test]
fn a_check_says_what_a_render_takes() {
    let bench = Bench::new(&scene(&format!("{VIEW} rope: (nodes: 4)"), ""));
    let check = |more: &[&str]| {
        let output = bench.run(["check", "scene.ron"].iter().chain(more));
        String::from_utf8(output.stdout).unwrap()
    };
    let message = check(&[]);
    for part in [
        "3 frames of 96x64, frame_00000.png to frame_00002.png",
        "of CPU time to simulate",
        "to draw; the frames take 4.5 KiB",
        "of memory, and 4.1 MiB for each thread",
    ] {
        assert!(message.contains(part), "{part}:\n{message}");
    }
    let message = check(&["--frames", "1", "--set", "rope.nodes=2"]);
    for part in ["  1 frame of 96x64, frame_00000.png, into", "2 nodes, 1 spring, dt"] {
        assert!(message.contains(part), "{part}:\n{message}");
    }
    let message = check(&["--frames", "600", "--size", "1280x720"]);
    for part in ["600 frames of 1280x720", "the frames take 131.8 MiB", "14.5 MiB for each thread"]
    {
        assert!(message.contains(part), "{part}:\n{message}");
    }
}

#[test]
fn changes_above_what_panels_choose_are_warned_of() {
    let panels = "panels: [(label: \"a\", with: (integrator: SemiImplicitEuler)), (label: \"b\", with: (integrator: VelocityVerlet, drag: 0.1))],";
    let bench = Bench::new(&scene(&format!("{VIEW} rope: (nodes: 4)"), panels));
    let warnings = |words: &str| {
        let words = words.split_whitespace();
        let output = bench.run(words.clone());
        let all = [cautions(&output.stdout), cautions(&output.stderr)].concat();
        all.into_iter().filter(|line| line.starts_with("warning: --")).collect::<Vec<_>>()
    };
    let own = "overrides the panels' own values: `integrator`.";
    let renamed = "Renamed: \"b\" to \"Semi-implicit Euler, drag = 0.1\".";
    let remedy = "To change one panel alone, edit its `with` in the scene file.";
    let expected = format!("warning: --set {own} {renamed} {remedy}");
    for command in ["check", "stability", "render --no-steady --out out --progress plain"] {
        let words = format!("{command} scene.ron --set integrator=SemiImplicitEuler");
        assert_eq!(warnings(&words), std::slice::from_ref(&expected), "{words}");
    }
    let words = "sweep scene.ron --axis integrator=[Rk4,Heun] --measure Diverged --out swept";
    assert_eq!(warnings(words), [format!("warning: --axis {own} {remedy}")]);
    assert_eq!(warnings("check scene.ron --set substeps=16"), [""; 0]);
    let words = "sweep scene.ron --axis integrator=[Rk4,Heun] --axis drag=[0,1] --out two";
    let rows = "\"a\" and \"b\" are therefore the same run, simulated once; their rows in the table are equal.";
    let both = "overrides the panels' own values: `integrator` and `drag`.";
    assert_eq!(warnings(words), [format!("warning: --axis {both} {rows} {remedy}")]);
    let words = "check scene.ron --set integrator=Rk4 --set drag=0";
    let equal = "\"a\" and \"b\" are therefore the same run, drawn once.";
    let renamed = "Renamed: \"a\" to \"Runge-Kutta 4\".";
    let own = "overrides the panels' own values: `integrator` and `drag`.";
    assert_eq!(warnings(words), [format!("warning: --set {own} {equal} {renamed} {remedy}")]);
}

/// A panel keeps its name if an override replaces a list of forces, unless its name contains a
/// value of the list.
#[test]
fn a_panel_keeps_its_name_under_other_forces() {
    let panel = |label: &str| {
        format!("(label: \"{label}\", with: (forces: [PointForce(node: Last, force: (0, -2.2))])),")
    };
    for (label, value, expected) in [
        ("pulled down", "[]", "\"pulled down\" to \"pulled down, forces = []\""),
        (
            "pulled down",
            "[PointForce(node:Last,force:(0,-1000000))]",
            "\"pulled down\" to \"pulled down, other forces\"",
        ),
        ("P = 2.2", "[]", "\"P = 2.2\" to \"Semi-implicit Euler, forces = []"),
    ] {
        let panels = format!("panels: [{}(label: \"free\", with: (drag: 0.5))],", panel(label));
        let bench = Bench::new(&scene(&format!("{VIEW} rope: (nodes: 4)"), &panels));
        let output = bench.run(["check", "scene.ron", "--set", &format!("forces={value}")]);
        let text = [cautions(&output.stdout), cautions(&output.stderr)].concat().join("\n");
        assert!(text.contains(expected), "{label}: {text}");
    }
}

#[test]
fn two_notes_are_printed_and_the_others_on_request() {
    let many = "drag: 0.1, substeps: 16, gravity: (0, -3), position_factor: 0.9, rope: (mass: 3)";
    let panels = format!("panels: [(label: \"A\"), (label: \"B\", with: ({many}))],");
    let bench = Bench::new(&scene(&format!("{VIEW} rope: (nodes: 4)"), &panels));
    for command in ["check", "render --no-steady --out out --progress plain"] {
        let run = |more: &str| {
            let words = format!("{command} scene.ron{more}");
            let output = bench.run(words.split_whitespace());
            let all = [output.stdout, output.stderr].concat();
            let held_back = String::from_utf8_lossy(&all).contains(
                "3 more notes; --notes prints \
                all",
            );
            (cautions(&all), held_back)
        };
        let (few, is_hinted) = run("");
        let (all, is_hinted_by_all) = run(" --notes");
        assert!(is_hinted && !is_hinted_by_all, "{command}");
        assert_eq!((few.len(), all.len()), (2, 5), "{command}: {all:#?}");
        assert_eq!(few, all[..2], "{command}");
    }
    // Three methods, each named by its label: nothing to note.
    let methods = ["ExplicitEuler", "SemiImplicitEuler", "ConstraintVerlet"];
    let panels = methods.map(|method| format!("(with: (integrator: {method}))")).join(", ");
    let bench =
        Bench::new(&scene(&format!("{VIEW} rope: (nodes: 4)"), &format!("panels: [{panels}],")));
    let stdout = cautions(&bench.run(["check", "scene.ron"]).stdout);
    assert!(stdout.iter().all(|line| line.starts_with("warning: ")), "{stdout:?}");
}

/// A triangle grid as an OBJ file.
fn grid(side: usize) -> String {
    let at = |index: usize| index as f64 / side as f64;
    let places = (0..side).flat_map(|i| (0..side).map(move |j| (i, j)));
    let vertices = places.map(|(i, j)| format!("v {} {} 0\n", at(j), -at(i)));
    let cells = (0..side - 1).flat_map(|i| (0..side - 1).map(move |j| i * side + j + 1));
    let facets = cells.map(|a| {
        let (right, below) = (a + 1, a + side);
        format!("f {a} {right} {below}\nf {right} {} {below}\n", below + 1)
    });
    vertices.chain(facets).collect()
}

#[test]
fn a_large_mesh_of_wires_gets_the_advice_to_draw_facets() {
    let folder = tempfile::tempdir().unwrap();
    let scene =
        "(base: (size: (1280, 720), frames: 1, gravity: (0, -1, 0), integrator: ConstraintVerlet,
        mesh: (file: \"grid.obj\", pins: [0])))";
    std::fs::write(folder.path().join("s.ron"), scene).unwrap();
    let checked = |side, options: &[&str]| {
        std::fs::write(folder.path().join("grid.obj"), grid(side)).unwrap();
        let run =
            crate::catena().current_dir(&folder).args(["check", "s.ron"]).args(options).assert();
        String::from_utf8_lossy(&run.success().get_output().stdout).into_owned()
    };
    let advice = "to draw facets, set `style: (surface: Facets)`";
    const WIRES: [&str; 2] = ["--set", "style.surface=Wires"];
    const LARGE: [&str; 2] = ["--size", "3840x2160"];
    let slow = checked(150, &[WIRES, LARGE].concat());
    assert!(slow.contains(advice) && slow.contains(" s with wires, but 0."), "{slow}");
    assert!(!checked(150, &LARGE).contains(advice), "facets are usual in space");
    for small in [8, 70] {
        assert!(!checked(small, &WIRES).contains(advice), "{small}");
    }
    // Seconds of one core (user and system time) of `render --frames 1 --no-steady --threads 1`,
    // without start and simulation. Advice begins at an estimate of one second.
    for (side, size, measured, is_advised) in [
        (70, "320x240", 0.034, false),
        (70, "1280x720", 0.089, false),
        (110, "1920x1080", 0.25, false),
        (150, "320x240", 0.11, false),
        (150, "1280x720", 0.27, false),
        (150, "3840x2160", 1.96, true),
        (200, "3840x2160", 0.71, false),
    ] {
        let stdout = checked(side, &["--size", size, "--set", "style.surface=Wires"]);
        let estimate = stdout.split(" seconds to draw").next().unwrap();
        let estimate: f64 = estimate.rsplit(' ').next().unwrap().parse().unwrap();
        let share = estimate / measured;
        assert!((0.5..2.0).contains(&share), "{side} at {size}: {stdout}");
        assert_eq!(stdout.contains(advice), is_advised, "{stdout}");
    }
}
