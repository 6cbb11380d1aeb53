//! Duration of the steady-state comparison, limited by estimated work, so that the picture is the
//! same on every machine.

use crate::{job::signals::RESTLESS, rendered::Bench};
use catena::{
    analysis::settle::{RestRule, Unrest, unrest},
    output::manifest::Manifest,
};

/// Frame limit of the comparison, from the manifest.
fn limit(bench: &Bench, out: &str) -> u64 {
    let steady = Manifest::read(&bench.path(out)).unwrap().unwrap().steady.unwrap();
    assert_eq!((steady.bodies[0].ending.as_str(), steady.limits.len()), ("moving", 1));
    // The estimate limits the wait, and the counted work may end it earlier.
    assert!(steady.bodies[0].frame <= steady.limits[0]);
    steady.bodies[0].frame
}

#[test]
fn the_wait_for_rest_ends_by_work_and_says_how_to_go_on() {
    let bench = Bench::new(RESTLESS);
    let message = bench.render("a", &["--steady-time", "0.005"], 0);
    let first = limit(&bench, "a");
    let note = format!(
        "note: waiting for rest ended at frame {first}, so steady.png shows bodies that were still \
         moving; --steady-time "
    );
    assert!(message.contains(&note), "{message}");
    assert!(
        message.contains("waits up to about frame 1000000000, the rest.limit of the scene"),
        "{message}"
    );
    bench.render("b", &["-q", "--steady-time", "0.01", "--threads", "1"], 0);
    // Twice the work gives twice the frames on any machine.
    assert!((2 * first).abs_diff(limit(&bench, "b")) <= 1, "{first}");
    // The comparison always includes the last rendered frame.
    bench.render("c", &["-q", "--steady-time", "0"], 0);
    assert_eq!(limit(&bench, "c"), 2);
}

#[test]
fn what_is_asked_for_takes_over_the_frames_and_only_goes_on_waiting() {
    let bench = Bench::new(RESTLESS);
    bench.render("out", &["-q", "--steady-time", "0.002"], 0);
    let (drawn, _) = bench.drawn("out", &["--steady-time", "0.004"]);
    assert_eq!(drawn, 0);
    bench.render("other", &["-q", "--steady-time", "0.004"], 0);
    assert_eq!(bench.tree("out"), bench.tree("other"));
}

#[test]
fn a_check_says_how_long_the_wait_is() {
    let bench = Bench::new(RESTLESS);
    let stdout = bench.run(["check", "scene.ron"]).stdout;
    let stdout = String::from_utf8(stdout).unwrap();
    for part in
        ["for at most 5 s of CPU time or the time spent on the frames", "--steady-time allows more"]
    {
        assert!(stdout.contains(part), "{part}: {stdout}");
    }
}

#[test]
fn a_wait_without_sense_is_refused() {
    let bench = Bench::new(RESTLESS);
    for words in ["-1", "nan", "long"] {
        let message = bench.render("out", &["-q", &format!("--steady-time={words}")], 2);
        assert!(message.contains("expected a number of seconds such as 60, or inf"), "{message}");
    }
    bench.render("out", &["-q", "--steady-time", "1", "--no-steady"], 2);
}

#[test]
fn the_wait_ends_by_what_was_counted_and_not_by_what_was_estimated() {
    // A plane that meets the rope makes a step more expensive than the minimum.
    let plane = "rope: (nodes: 4), colliders: [Plane(point: (0, 0), normal: (0, 1))]";
    let on_plane = RESTLESS.replace("rope: (nodes: 4)", plane);
    for (scene, is_estimate) in [(RESTLESS, true), (&*on_plane, false)] {
        let seconds = 0.002;
        let bench = Bench::new(scene);
        bench.render("out", &["-q", "--steady-time", &seconds.to_string()], 0);
        let ended = limit(&bench, "out");
        let parsed: catena::scene::Scene = scene.parse().unwrap();
        let setup = parsed.panels[0].bodies[0].setup.clone();
        let last = parsed.frames - 1;
        let mut run = catena::sim::Simulation::new(setup);
        let mut spent = vec![0];
        while run.frame() < ended {
            run.advance_frame();
            spent.push(run.spent());
        }
        let maximum = (1e9 * seconds) as u64;
        let [.., before, there] = spent[..] else { panic!("{spent:?}") };
        let steady = Manifest::read(&bench.path("out")).unwrap().unwrap().steady.unwrap();
        assert_eq!(ended == steady.limits[0], is_estimate, "{ended} {:?}", steady.limits);
        assert!(
            before < maximum && (there >= maximum || is_estimate),
            "{before} {there} {maximum}"
        );
        assert!(ended > last, "{ended}");
        assert_eq!(steady.waited, format!("{seconds} s of one core"));
    }
}

/// A scene whose first node moves along a curve; `more` are fields of its base.
fn on_a_curve(curve: &str, more: &str) -> String {
    let anchors = format!("{more} anchors: [(node: 0, curve: {curve})], rope: (nodes: 4)");
    RESTLESS.replace("rope: (nodes: 4)", &anchors)
}

const SWINGS: &str = "Sine(center: (-200, 200), amplitude: (50, 0), period: 2)";

#[test]
fn only_bodies_that_never_rest_are_known_as_such() {
    let keys = |pause: u32| {
        let end = 2 + pause;
        let keys = format!("[(0, (0, 0)), (1.5, (90, 0)), (2, (0, 0)), ({end}, (0, 0))]");
        format!("Keys(keys: {keys}, repeat: Loop)")
    };
    let release = "events: [(at: 1, do: Release(node: 0))],";
    let sine = |rest: &str| on_a_curve(&format!("Sine(center: (-200, 200), {rest})"), "");
    let pin = Some(Unrest::Pin { node: 0 });
    let cases = [
        (on_a_curve(SWINGS, ""), pin),
        // Every frame is at a turning point.
        (sine("amplitude: (50, 0), period: 2, phase: 90"), None),
        (sine("amplitude: (50, 0), period: 2.5, phase: 90"), pin),
        // The speed is below the threshold of rest.
        (sine("amplitude: (1e-6, 0), period: 2"), None),
        // An event releases the pin.
        (on_a_curve(SWINGS, release), None),
        // The motion ends.
        (on_a_curve("Linear(keys: [(0, (-200, 200)), (1, (50, 0))])", ""), None),
        // A body may rest during long pauses, but not during short ones.
        (on_a_curve(&keys(3), ""), pin),
        (on_a_curve(&keys(300), ""), None),
        (RESTLESS.into(), None),
    ];
    for (text, expected) in cases {
        let scene: catena::scene::Scene = text.parse().unwrap_or_else(|it| panic!("{text}: {it}"));
        let rest = scene.panels[0].rest;
        let setup = &scene.panels[0].bodies[0].setup;
        let rule = RestRule::for_body(setup, rest.speed, rest.frames, rest.limit);
        assert_eq!(unrest(setup, rule), expected, "{text}");
    }
}

#[test]
fn what_never_rests_is_not_waited_for() {
    let bench = Bench::new(&on_a_curve(SWINGS, ""));
    // An infinite wait would never end.
    let message = bench.render("out", &["--steady-time", "inf"], 0);
    let note = "pin 0 never stops moving, so it never comes to rest: steady.png shows it at frame \
                2";
    assert!(message.contains(note) && !message.contains("waiting for rest ended"), "{message}");
    assert_eq!(limit(&bench, "out"), 2);
    // The picture shows the last frame, so another last frame gives another picture.
    bench.render("out", &["-q", "--steady-time", "inf", "--frames", "5"], 0);
    assert_eq!(limit(&bench, "out"), 4);
    let reported = bench.run(["report", "scene.ron", "--frames", "5", "--out", "report"]);
    let findings = std::fs::read_to_string(bench.path("report/findings.md")).unwrap();
    let sentence = "Never at rest: \"Velocity Verlet\" (pin 0 never stops moving).";
    assert!(findings.replace('\n', " ").contains(sentence), "{findings} {reported:?}");
}

#[test]
fn variants_of_a_body_that_chooses_its_step_share_the_budget_equally() {
    // Number of frames after which each variant ends, from the note of the report.
    let frames = |control: &str| -> u64 {
        let bench = Bench::new(&RESTLESS.replacen("base: (", &format!("base: ({control}"), 1));
        let options = ["--only", "settling", "--study-time", "0.5", "--out", "report"];
        let output = bench.run(["report", "scene.ron"].into_iter().chain(options));
        let message = String::from_utf8(output.stderr).unwrap();
        let (_, note) = message.split_once("ends each variant after ").unwrap();
        note.split(' ').next().unwrap().parse().unwrap()
    };
    // With a fixed step, the variant with the shortest step has a third of all work. Otherwise each
    // of the 15 variants may need as much.
    let (fixed, chosen) = (frames(""), frames("step_control: StabilityLimit, "));
    assert!(chosen > 0 && 5 * chosen <= fixed + 5, "{fixed} {chosen}");
}
