//! Duration for which the steady-state comparison waits: by estimated work, so that the picture is
//! the same everywhere.

use crate::{job::signals::RESTLESS, rendered::Bench};
use catena::output::manifest::Manifest;

/// The frame at which waiting ended, by the manifest.
fn limit(bench: &Bench, out: &str) -> u64 {
    let steady = Manifest::read(&bench.path(out)).unwrap().unwrap().steady.unwrap();
    assert_eq!((steady.bodies[0].ending.as_str(), steady.limits.len()), ("moving", 1));
    // The estimate bounds the wait, and the counted work may end it before.
    assert!(steady.bodies[0].frame <= steady.limits[0]);
    steady.bodies[0].frame
}

#[test]
fn the_wait_for_rest_ends_by_work_and_says_how_to_go_on() {
    let bench = Bench::new(RESTLESS);
    let said = bench.render("a", &["--steady-time", "0.005"], 0);
    let first = limit(&bench, "a");
    let note = format!(
        "note: waiting for rest ended at frame {first}, so steady.png shows what moved there; --steady-time "
    );
    assert!(said.contains(&note), "{said}");
    assert!(
        said.contains("waits up to about frame 1000000000, the rest.limit of the scene"),
        "{said}"
    );
    bench.render("b", &["-q", "--steady-time", "0.01", "--threads", "1"], 0);
    // Twice the work is twice the frames, whatever the machine.
    assert!((2 * first).abs_diff(limit(&bench, "b")) <= 1, "{first}");
    // The last frame that is rendered is waited for in any case.
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
    let said = bench.run(["check", "scene.ron"]).stdout;
    let said = String::from_utf8(said).unwrap();
    for part in [
        "for at most 5 s of CPU time or the time spent on the frames",
        "--steady-time asks for more",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn a_wait_without_sense_is_refused() {
    let bench = Bench::new(RESTLESS);
    for words in ["-1", "nan", "long"] {
        let said = bench.render("out", &["-q", &format!("--steady-time={words}")], 2);
        assert!(said.contains("expected a number of seconds such as 60, or inf"), "{said}");
    }
    bench.render("out", &["-q", "--steady-time", "1", "--no-steady"], 2);
}

#[test]
fn the_wait_ends_by_what_was_counted_and_not_by_what_was_estimated() {
    // A plane that meets the rope takes more than the minimum of a step.
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
        let most = (1e9 * seconds) as u64;
        let [.., before, there] = spent[..] else { panic!("{spent:?}") };
        let steady = Manifest::read(&bench.path("out")).unwrap().unwrap().steady.unwrap();
        assert_eq!(ended == steady.limits[0], is_estimate, "{ended} {:?}", steady.limits);
        assert!(before < most && (there >= most || is_estimate), "{before} {there} {most}");
        assert!(ended > last, "{ended}");
        assert_eq!(steady.waited, format!("{seconds} s of one core"));
    }
}
