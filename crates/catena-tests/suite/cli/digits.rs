//! `catena identify` and `catena fit` for programs that print six digits: information in the
//! digits, distances that float rounding would also explain, and runs that rounding separates.

use crate::{catena, cli::folder};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// A rope that swings freely.
const SCENE: &str = "Scene(base: (frames: 30, frame_time: 1.0, gravity: (0, -1), substeps: 16, \
    rope: (start: (0, 200), end: (-400, 200), nodes: 4, stiffness: 100)), panels: [(label: \
    \"Euler\", with: (integrator: SemiImplicitEuler, drag: 0.02)), (label: \"Verlet\", with: \
    (integrator: ConstraintVerlet(damping: 0.00005)))])";

/// Runs a command, and returns its exit code and what it prints on both streams.
fn printed(folder: &Path, words: &[&str]) -> (i32, String) {
    let run = catena().current_dir(folder).args(words).output().unwrap();
    let [out, err] =
        [run.stdout, run.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    (run.status.code().unwrap(), out + &err)
}

/// A number with six significant digits, as C++ prints it.
fn six(number: &str) -> String {
    format!("{:.5e}", number.parse::<f64>().unwrap())
}

/// Writes the first panel with these settings, in six digits.
fn write(folder: &Path, frames: &str, set: &[&str]) {
    let set = set.iter().flat_map(|it| ["--set", it]);
    let run = catena()
        .current_dir(folder)
        .args(["trace", "small.ron", "--panel", "1", "--frames", frames])
        .args(set)
        .output()
        .unwrap();
    let mut text = "frame,node,x,y\n".to_owned();
    for line in String::from_utf8(run.stdout).unwrap().lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let [x, y] = [cells[5], cells[6]].map(six);
        writeln!(text, "{},{},{x},{y}", cells[0], cells[4]).unwrap();
    }
    fs::write(folder.join("mine.csv"), text).unwrap();
}

/// Settings of a long rope, whose runs rounding separates after some 160 frames.
const LONG: [&str; 4] = ["drag=0", "rope.nodes=24", "substeps=24", "rope.stiffness=60"];
/// Settings of a rope that is almost unaffected by damping inside springs.
const STIFF: [&str; 4] = ["rope.nodes=24", "substeps=100", "rope.stiffness=300", "rope.mass=0.5"];
/// A start with a rounding error, as from a program that adds in another order.
const MOVED: &str = "rope.start=(1e-13, 200)";

/// A program in six digits: frames and settings of its file, settings of the scene, further
/// arguments, exit code, and expected and forbidden parts of the result.
struct Case {
    frames: &'static str,
    of_file: Vec<&'static str>,
    of_scene: Vec<&'static str>,
    arguments: &'static str,
    code: i32,
    has: &'static [&'static str],
    has_not: &'static [&'static str],
}

fn cases() -> Vec<Case> {
    let case = |frames, of_file: &[&'static str], of_scene: &[&'static str], arguments| Case {
        frames,
        of_file: of_file.to_vec(),
        of_scene: of_scene.to_vec(),
        arguments,
        code: 0,
        has: &[],
        has_not: &[],
    };
    let long = [&LONG[..], &[MOVED]].concat();
    let inner = [&STIFF[..], &["rope.damping=0.3"]].concat();
    vec![
        // Frames dominated by rounding change no verdict, however many follow.
        Case {
            has: &["\nSemi-implicit Euler, 24 substeps\n", "compared up to frame 1"],
            ..case("500", &long, &LONG, "--only --panel 1")
        },
        Case {
            has: &["\nSemi-implicit Euler, 24 substeps\n"],
            ..case("500", &long, &LONG, "--only --panel 1 --frames 200")
        },
        // Another number of substeps is identified within the digits, even if float rounding would
        // also explain the distance.
        Case {
            has: &["\nSemi-implicit Euler, 15 substeps\n", "the printed digits explain"],
            ..case("14", &["substeps=15"], &[], "--panel 1")
        },
        // A small force that the scene lacks is not mistaken for rounding.
        Case {
            code: 1,
            has: &["undecided", "times the printed digits", "write 9 digits"],
            ..case("40", &inner, &STIFF, "--only --panel 1")
        },
        // Another drag: its nearest methods are compared in all frames, like the scene's own.
        Case {
            code: 1,
            has: &["none:", "of the scene"],
            has_not: &["after which rounding dominates", "to see it"],
            ..case("20", &["drag=0.06"], &[], "--only --substeps 1,2,4,8,10,12,14,18,20,24,32")
        },
        // A field that only another panel has is included in the explanation and in the command.
        Case {
            has: &["\nSemi-implicit Euler, 16 substeps, drag 0\n", "--set drag=0 "],
            ..case("30", &["drag=0"], &[], "--only")
        },
    ]
}

#[test]
fn six_digits_tell_what_a_program_does() {
    let folder = folder(SCENE);
    let folder = folder.path();
    for case in cases() {
        write(folder, case.frames, &case.of_file);
        let set = case.of_scene.iter().flat_map(|it| ["--set", it]);
        let words = ["identify", "mine.csv", "small.ron"].into_iter().chain(set);
        let words: Vec<&str> = words.chain(case.arguments.split_whitespace()).collect();
        let (code, text) = printed(folder, &words);
        assert_eq!(code, case.code, "{words:?}: {text}");
        assert!(case.has.iter().all(|part| text.contains(part)), "{words:?}: {text}");
        assert!(!case.has_not.iter().any(|part| text.contains(part)), "{words:?}: {text}");
    }
}

#[test]
fn a_fit_says_what_digits_and_rounding_explain() {
    let folder = folder(SCENE);
    let folder = folder.path();
    let run = |frames: &str, of_file: &[&str], of_scene: &[&str], vary: &str| {
        write(folder, frames, of_file);
        let set = of_scene.iter().flat_map(|it| ["--set", it]);
        let words = ["fit", "small.ron", "--panel", "1", "--data", "mine.csv", "--vary", vary];
        printed(folder, &words.into_iter().chain(set).collect::<Vec<_>>())
    };
    let rest = "times the rounding of the printed digits";
    // Frames after the onset of rounding are ignored, and more frames than the scene has are used.
    let of_file = ["rope.nodes=24", "substeps=24", "rope.stiffness=60", "drag=0.001", MOVED];
    let of_scene = ["rope.nodes=24", "substeps=24", "drag=0.001"];
    let (code, text) = run("300", &of_file, &of_scene, "rope.stiffness=61,drag=0.0012");
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("compared up to frame 1") && text.contains("rounding alone"), "{text}");
    assert!(
        text.contains("use these values: --set rope.stiffness=") && !text.contains(rest),
        "{text}"
    );
    assert!(!text.contains("add --frames"), "{text}");
    // The right model fits within the digits; another number of substeps does not.
    let vary = "rope.stiffness,drag";
    let (code, text) = run("14", &["drag=0.03"], &[], vary);
    assert!(code == 0 && !text.contains(rest), "{text}");
    let (_, text) = run("14", &["substeps=17"], &[], "rope.stiffness,drag,gravity=(0, {-1})");
    assert!(text.contains(rest) || text.contains("the model does not fit"), "{text}");
    let inner = [&STIFF[..], &["rope.damping=0.3"]].concat();
    let (_, text) = run("40", &inner, &STIFF, vary);
    assert!(text.contains(rest) || text.contains("the model does not fit"), "{text}");
}

/// Numbers in the line of an estimate: its value, and the ends of its interval.
fn estimate(text: &str, name: &str) -> Vec<f64> {
    let line = text.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or_default();
    line.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn a_fit_of_an_explosion_ends_before_rounding_tells_more_than_the_data() {
    let folder = folder(SCENE);
    let folder = folder.path();
    let set = ["integrator=ExplicitEuler", "rope.nodes=16", "substeps=64"];
    write(folder, "9", &[&set[..], &["drag=0.01", MOVED]].concat());
    for start in ["drag=0.0105", "drag=0.005", "drag=0.01"] {
        let words = ["fit", "small.ron", "--panel", "1", "--data", "mine.csv", "--vary", start];
        let set = set.iter().flat_map(|it| ["--set", it]);
        let (code, text) = printed(folder, &words.into_iter().chain(set).collect::<Vec<_>>());
        assert!(code == 0 && text.contains("rounding alone separates"), "{start}: {text}");
        let [value, low, high] = estimate(&text, "drag")[..] else { panic!("{start}: {text}") };
        // Half the interval is two standard errors. The probability of an error three times as
        // large is below one in a million.
        assert!((value - 0.01).abs() < 1.5 * (high - low), "{start}: {text}");
        assert!(high - low < 1e-3, "{start}: {text}");
    }
}
