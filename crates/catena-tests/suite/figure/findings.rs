//! Findings of a report: exact sentences about different scenes, which follow from the studies.

use super::report::{SMALL, page};
use crate::{catena, scene};
use catena::figure::findings::{HEADINGS, divided};
use catena::job::{self, ReportOptions};
use catena::scene::Scene;
use std::fs;

/// Nine panels: three steps, three methods.
const GRID: &str = "Scene(
    base: (frames: 60, rest: (limit: 300), rope: (nodes: 6)),
    grid: (
        rows: [(label: \"8\", with: (substeps: 8)), (label: \"16\", with: (substeps: 16)), (label: \"64\", with: (substeps: 64))],
        columns: [
            (label: \"explicit\", with: (integrator: ExplicitEuler)),
            (label: \"semi-implicit\", with: (integrator: SemiImplicitEuler)),
            (label: \"RK4\", with: (integrator: Rk4)),
        ],
    ))";

/// A scene with a single panel, and therefore without differences.
const ALONE: &str = "Scene(base: (frames: 40, drag: 0.2, rest: (limit: 400), rope: (nodes: 4)))";

/// A body without gravity and motion.
const STILL: &str =
    "Scene(base: (frames: 20, gravity: (0, 0), rest: (limit: 200), rope: (nodes: 4)))";

/// Sentences about a scene, with small budgets.
fn sentences(mut scene: Scene) -> [Vec<String>; 2] {
    scene.size = [640, 360];
    let folder = tempfile::tempdir().unwrap();
    let options = ReportOptions {
        frames: Some(scene.frames.min(40)),
        study_time: Some(1.0),
        player_frames: 1,
        strip: Some(vec![0]),
        ..ReportOptions::default()
    };
    let made = job::report(&scene, &folder.path().join("report"), &options, &(), &()).unwrap();
    divided(&made.findings)
}

#[test]
fn findings_are_these_sentences() {
    let files = [
        "explicit_64",
        "compare",
        "classroom",
        "one_explodes",
        "step_control",
        "cloth_hanging",
        "slack_rope",
        "limit_3_nodes",
    ];
    let scenes = files.map(|name| (name, scene(name, &[])));
    let own = [("grid_of_nine", GRID), ("alone", ALONE), ("still", STILL)];
    let own = own.map(|(name, text)| (name, text.parse::<Scene>().unwrap()));
    let mut found = String::new();
    for (name, scene) in scenes.into_iter().chain(own) {
        found += &format!("# {name}\n");
        for (heading, part) in HEADINGS.into_iter().zip(sentences(scene)) {
            found += &format!("{heading}:\n");
            part.iter().for_each(|sentence| found += &format!("- {sentence}\n"));
        }
        found += "\n";
    }
    insta::assert_snapshot!("findings", found);
}

/// The reported frame of a divergence is that of the run, and four times the stiffness halves the
/// limit.
#[test]
fn findings_follow_the_scene() {
    let rope = |stiffness: u64, substeps: u64| -> Scene {
        let text = format!(
            "Scene(base: (frames: 60, substeps: {substeps}, rest: (limit: 60), rope: (nodes: 3, stiffness: {stiffness})))"
        );
        text.parse().unwrap()
    };
    let first = |stiffness, substeps| {
        let scene = rope(stiffness, substeps);
        let mut run = catena::sim::Simulation::new(scene.panels[0].bodies[0].setup.clone());
        while run.frame() < 59 {
            run.advance_frame();
        }
        let sentence = sentences(scene)[0][0].clone();
        (run.outcome(), sentence)
    };
    // ω = √(k/m) · 1.618, and the limit of semi-implicit Euler is 2/ω.
    let omega = |stiffness: f64| stiffness.sqrt() * (0.5 + 1.25_f64.sqrt());
    for (stiffness, limit, omega_text) in [(100, "0.124", "16.2"), (400, "0.0618", "32.4")] {
        let expected = 2.0 / omega(stiffness as f64);
        assert!((expected - limit.parse::<f64>().unwrap()).abs() < 1e-4 * 5.0);
        let substeps = (0.9 / expected) as u64;
        let (outcome, sentence) = first(stiffness, substeps);
        let catena::sim::Outcome::Diverged { frame, .. } = outcome else { panic!("{sentence}") };
        let ratio = 1.0 / substeps as f64 / expected;
        let ratio = format!("{ratio:.2} times");
        let part =
            format!("the longest stable step {limit} of its stiffest mode (ω = {omega_text})");
        assert!(
            sentence.contains(&format!("diverged at frame {frame} (t = {frame})")),
            "{sentence}"
        );
        assert!(sentence.contains(&part) && sentence.contains(&ratio), "{sentence}");
    }
}

#[test]
fn findings_come_first_on_the_page_and_stand_in_a_file_and_on_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("small.ron"), SMALL).unwrap();
    let options = ["--out", "report", "--strip", "0", "--study-time", "1"];
    let run = catena().current_dir(&folder).args(["report", "small.ron"]).args(options).assert();
    let printed = String::from_utf8(run.success().get_output().stdout.clone()).unwrap();
    let page = page(folder.path());
    let file = fs::read_to_string(folder.path().join("report/findings.md")).unwrap();
    let at = |part: &str| page.find(part).unwrap_or_else(|| panic!("{part}"));
    assert!(at("What was found") < at("What cannot be concluded"));
    assert!(at("What cannot be concluded") < at("id=\"player\""));
    assert!(file.starts_with("# Two <small> ropes & more\n\n## What was found\n\n- "), "{file}");
    let sentences: Vec<&str> = file.lines().filter_map(|line| line.strip_prefix("- ")).collect();
    assert!(sentences.len() > 3);
    for sentence in &sentences {
        let shown = sentence.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
        let plain = shown.split('`').next().unwrap();
        assert!(page.contains(plain), "{plain}");
    }
    assert!(printed.lines().all(|line| line.chars().count() <= 80), "{printed}");
    let words = printed.split_whitespace().collect::<Vec<_>>().join(" ");
    for sentence in &sentences[..3] {
        assert!(words.contains(sentence), "{sentence}: {printed}");
    }
}
