//! `catena identify` identifies homework programs, with different slips, digits and layouts, by
//! their numbers. tests/lecture has the programs, and `run` in that folder writes the files.

use crate::{catena, repository};
use serde_json::Value;
use std::collections::BTreeSet;

/// A program: its file, its scene, its behaviour, and further arguments.
struct Program {
    file: &'static str,
    scene: &'static str,
    /// Method, parts of the phrase, slips and steps per frame of the best explanation.
    found: (&'static str, &'static [&'static str], &'static [&'static str], u64),
    arguments: &'static str,
    /// Minimum margin over the second-best candidate.
    margin: f64,
}

const fn program(
    file: &'static str,
    found: (&'static str, &'static [&'static str], &'static [&'static str], u64),
    arguments: &'static str,
    margin: f64,
) -> Program {
    Program { file, scene: "rope.ron", found, arguments, margin }
}

const NOTHING: &[&str] = &[];

const PROGRAMS: &[Program] = &[
    program("semi_implicit", ("SemiImplicitEuler", NOTHING, NOTHING, 16), "", 100.0),
    program("explicit", ("ExplicitEuler", NOTHING, NOTHING, 64), "", 1e3),
    program(
        "verlet_half",
        ("ConstraintVerlet", &["damping 0.00005", "correction HalfBesidePin"], NOTHING, 64),
        "",
        // The second-best candidate corrects after the step instead of before it.
        5.0,
    ),
    program(
        "verlet_blend",
        ("ForceVerlet", &["damping 0.01", "damping_of Step"], NOTHING, 16),
        "",
        100.0,
    ),
    program("verlet_float", ("ConstraintVerlet", &["damping 0.00005"], NOTHING, 4), "", 100.0),
    program(
        "gravity_as_force",
        ("SemiImplicitEuler", NOTHING, &["GravityAsForce"], 16),
        "--set rope.mass=2",
        1e3,
    ),
    program("not_cleared", ("SemiImplicitEuler", NOTHING, &["ForcesNotCleared"], 64), "", 1e3),
    program("frozen_rk4", ("Rk4", NOTHING, &["FrozenNeighbours"], 64), "", 100.0),
    program(
        "shared_history",
        ("LectureAdamsBashforth2", NOTHING, &["SharedHistory"], 128),
        "",
        100.0,
    ),
    program(
        "damping_reversed",
        ("SemiImplicitEuler", NOTHING, &["DampingReversed"], 64),
        "--set rope.damping=0.1",
        100.0,
    ),
    program(
        "pbd",
        ("Pbd", &["iterations 5", "stiffness_per Iteration"], NOTHING, 10),
        "--set integrator=Pbd(stiffness:0.3)",
        100.0,
    ),
    program("in_place", ("SemiImplicitEuler", NOTHING, &["InPlace"], 32), "", 1e3),
    program("rk4", ("Rk4", NOTHING, NOTHING, 8), "", 100.0),
    // Without damping, Verlet and semi-implicit Euler have the same positions, so both are named.
    program("strain", ("SemiImplicitEuler", NOTHING, &["StrainAsForce"], 20), "", 100.0),
    program("implicit_fall", ("ImplicitEuler", NOTHING, &["NoSpringForces"], 16), "", 100.0),
    // In float, with seven digits: only the order of operations decides.
    program("verlet_seven", ("ConstraintVerlet", &["damping 0.00005"], NOTHING, 64), "", 3.0),
    program(
        "verlet_ratio",
        ("ConstraintVerlet", &["damping 0.00005"], NOTHING, 16),
        "--set rope.nodes=9",
        3.0,
    ),
    program("midpoint", ("Midpoint", NOTHING, NOTHING, 32), "", 1e3),
    // Kick-drift-kick has the same positions as three other Verlet variants.
    program("leapfrog", ("VelocityVerlet", NOTHING, NOTHING, 16), "", 3.0),
    program("rk4_float", ("Rk4", NOTHING, NOTHING, 8), "", 3.0),
    program(
        "verlet_30",
        ("ForceVerlet", &["damping 0.01"], NOTHING, 16),
        "--set rope.nodes=30",
        100.0,
    ),
    program(
        "two_slips",
        ("SemiImplicitEuler", NOTHING, &["GravityAsForce", "InPlace"], 32),
        "--set rope.mass=2",
        1e3,
    ),
    program(
        "jakobsen",
        ("Pbd", NOTHING, NOTHING, 10),
        "--set rope.nodes=3 --columns frame=Bild,node=Knoten,x,y",
        1e3,
    ),
    program("heun", ("Heun", NOTHING, NOTHING, 100), "", 1e3),
    program("stormer_float", ("StormerVerlet", NOTHING, NOTHING, 16), "", 3.0),
    program(
        "direction",
        ("SemiImplicitEuler", NOTHING, &["DirectionNotNormalized"], 128),
        "",
        100.0,
    ),
    program(
        "verlet_gain",
        ("ConstraintVerlet", &["damping 0.00005"], &["VerletDampingReversed"], 64),
        "",
        100.0,
    ),
    program("drag_sign", ("SemiImplicitEuler", NOTHING, &["DragReversed"], 32), "", 1e3),
    Program {
        file: "dt_in_frames",
        scene: "si.ron",
        found: ("SemiImplicitEuler", NOTHING, &["DtInFrames"], 64),
        arguments: "",
        margin: 100.0,
    },
    program(
        "relax_last",
        ("ConstraintVerlet", &["projection Last", "damping 0.00005"], NOTHING, 64),
        "",
        3.0,
    ),
    // A number of iterations that is not in the method's table.
    program(
        "nine_passes",
        ("ConstraintVerlet", &["iterations 9", "damping 0.00005"], NOTHING, 64),
        "",
        1.005,
    ),
];

/// Programs that match no candidate.
const OTHERS: &[&str] =
    &["quadratic_drag", "sequential_rk4", "cubic_spring", "heavy_tip", "relax_back"];

/// A program with other values than the scene: its file, the outcome, the messages about the
/// program and its values, and the values.
type OtherValues =
    (&'static str, &'static str, &'static [&'static str], &'static [(&'static str, f64)]);

/// Programs with other values than the scene.
const OTHER_VALUES: &[OtherValues] = &[
    (
        "other_values",
        "none",
        &["Semi-implicit Euler, 50 substeps", "rope.stiffness 110 instead of 100"],
        &[("rope.stiffness", 110.0), ("drag", 0.02)],
    ),
    (
        "other_damping",
        "none",
        &["Constraint Verlet, 64 substeps", "damping 0.0005 instead of 5e-5", "--panel 2 "],
        &[("ConstraintVerlet.damping", 0.0005)],
    ),
    (
        "rest_length",
        "none",
        &["Semi-implicit Euler, 64 substeps", "rope.length 380 instead of 400"],
        &[("rope.length", 380.0)],
    ),
    // Float rounding would also explain the distance from the scene.
    (
        "inner_damping",
        "undecided",
        &["Semi-implicit Euler, 64 substeps", "rope.damping 0.1 instead of 0"],
        &[("rope.damping", 0.1)],
    ),
    (
        "gravity_two",
        "none",
        &["Semi-implicit Euler, 64 substeps", "gravity -2 instead of -1"],
        &[("gravity", -2.0)],
    ),
    (
        "textbook",
        "none",
        &[
            "Semi-implicit Euler, 64 substeps",
            "drag 0 instead of 0.01, gravity -9.81 instead of -1",
        ],
        &[("gravity", -9.81)],
    ),
    (
        "gravity_dt",
        "none",
        &["Constraint Verlet, 64 substeps", "gravity -64 instead of -1", "by dt in place of dt²"],
        &[("gravity", -64.0)],
    ),
    (
        "heavy",
        "none",
        &["Semi-implicit Euler, 64 substeps", "rope.mass 2 instead of 1"],
        &[("rope.mass", 2.0)],
    ),
    (
        "damped_velocity",
        "none",
        &["Force Verlet, 64 substeps", "ForceVerlet.damping 0.000156"],
        &[("ForceVerlet.damping", 0.00015625)],
    ),
];

/// Runs the command with `--json` and returns its exit code and its result.
pub(super) fn identify(file: &str, scene: &str, arguments: &str) -> (i32, Value) {
    let folder = repository("tests/lecture");
    let run = catena()
        .current_dir(folder)
        .args(["identify", &format!("{file}.csv"), scene, "--json"])
        .args(arguments.split_whitespace())
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&run.stderr);
    let code = run.status.code().unwrap();
    assert!(code < 2, "{file}: {stderr}");
    (code, serde_json::from_slice(&run.stdout).unwrap())
}

fn names(of: &Value) -> Vec<&str> {
    of.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

/// Options for all methods and slips, with the steps per frame of a program and with half and twice
/// as many, which have the most similar motions. The nightly job uses all common numbers up to 128.
fn rivals(substeps: u64) -> String {
    let mut all = BTreeSet::from([substeps / 2, substeps, 2 * substeps]);
    all.extend([2, 4, 8, 10, 16, 20, 32, 64, 128].iter().filter(|_| crate::is_thorough()));
    let all: Vec<String> = all.iter().map(u64::to_string).collect();
    format!("--only --substeps {}", all.join(","))
}

/// The search covers all methods and slips, and for the first program also all common numbers of
/// substeps.
#[test]
fn programs_of_a_homework_are_found_by_their_numbers() {
    for (index, Program { file, scene, found, arguments, margin }) in PROGRAMS.iter().enumerate() {
        let few = if index == 0 { String::new() } else { rivals(found.3) };
        let (code, result) = identify(file, scene, &format!("{arguments} {few}"));
        let best = &result["matches"][0];
        let label = format!("{file}: {result:#}");
        assert_eq!((code, result["outcome"].as_str()), (0, Some("identified")), "{label}");
        let (method, parts, slips, substeps) = found;
        assert_eq!(best["method"].as_str(), Some(*method), "{label}");
        let own: Vec<&str> =
            names(&best["slips"]).into_iter().filter(|slip| *slip != "Float32").collect();
        assert_eq!(own, *slips, "{label}");
        assert_eq!(best["substeps"].as_u64(), Some(*substeps), "{label}");
        let phrase = best["phrase"].as_str().unwrap();
        assert!(parts.iter().all(|part| phrase.contains(part)), "{label}");
        assert!(
            best["largest"].as_f64().unwrap() <= best["tolerance"].as_f64().unwrap(),
            "{label}"
        );
        // At a distance of 0, the margin is infinite.
        let is_exact = best["largest"].as_f64() == Some(0.0);
        assert!(is_exact || result["margin"].as_f64().unwrap() >= *margin, "{label}");
    }
}

#[test]
fn methods_of_one_motion_are_named_together() {
    let (_, result) = identify("strain", "rope.ron", "--only --substeps 20");
    let matches = result["matches"].as_array().unwrap();
    let methods: Vec<&str> = matches.iter().map(|it| it["method"].as_str().unwrap()).collect();
    assert!(
        methods.contains(&"SemiImplicitEuler") && methods.contains(&"ForceVerlet"),
        "{methods:?}"
    );
}

#[test]
fn programs_that_do_something_else_are_not_found() {
    for (index, file) in OTHERS.iter().enumerate() {
        // The first program uses all common numbers of substeps; the nightly job does so for all
        // programs.
        let has_all = index == 0 || crate::is_thorough();
        let few = if has_all { "--only" } else { "--only --substeps 4,16,64" };
        let (code, result) = identify(file, "rope.ron", few);
        assert_eq!((code, result["outcome"].as_str()), (1, Some("none")), "{file}: {result:#}");
        assert!(!result["matches"].as_array().unwrap().is_empty(), "{file}");
        assert!(result["matches"][0]["parts_at"].as_u64().is_some(), "{file}: {result:#}");
        assert!(!result["advice"].as_array().unwrap().is_empty(), "{file}");
    }
}

/// Sums of several forces in float have more orders of operations than the search tries: the
/// program is not identified, but it is the nearest.
#[test]
fn a_float_program_with_another_order_of_sums_is_the_nearest() {
    let more = "--set rope.nodes=11 --substeps 32";
    let (code, result) = identify("verlet_spring", "rope.ron", more);
    assert_eq!((code, result["outcome"].as_str()), (1, Some("none")), "{result:#}");
    let nearest = &result["matches"][0];
    let expected = "Force Verlet, damping 0.01, float32, 32 substeps";
    assert_eq!(nearest["phrase"].as_str(), Some(expected), "{result:#}");
    assert!(nearest["largest"].as_f64().unwrap() < 0.02, "{nearest:#}");
}

/// Splits a command line into words, some of which are quoted.
pub(super) fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    let words = parts.flat_map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

/// The proposed fit runs and finds the values. With these values the program is identified, so the
/// advice works.
#[test]
fn programs_with_other_values_are_found_with_a_fit_that_works() {
    let folder = repository("tests/lecture");
    let run = |arguments: &[&str]| {
        let run = catena().current_dir(&folder).args(arguments).output().unwrap();
        (run.status.code().unwrap(), String::from_utf8(run.stdout).unwrap())
    };
    for (file, outcome, parts, values) in OTHER_VALUES {
        let csv = format!("{file}.csv");
        let few = ["--only", "--substeps", "20,50,64"];
        let (code, text) = run(&[&["identify", &csv, "rope.ron"][..], &few].concat());
        assert_eq!(code, 1, "{text}");
        assert!(text.contains(&format!("\n{outcome}")), "{text}");
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
        let line = text.lines().find_map(|line| line.split_once("catena fit ")).unwrap().1;
        let line = words(line);
        let fit: Vec<&str> = ["fit"].into_iter().chain(line.iter().map(String::as_str)).collect();
        let (code, message) = run(&fit);
        assert_eq!(code, 0, "{message}");
        let used =
            message.lines().find_map(|line| line.strip_prefix("use these values: ")).unwrap();
        for (field, value) in *values {
            let row = message
                .lines()
                .find(|line| line.trim_start().starts_with(&format!("{field} ")))
                .unwrap();
            let found: f64 = row.split_whitespace().nth(1).unwrap().parse().unwrap();
            assert!((found / value - 1.0).abs() < 0.01, "{field}: {message}");
        }
        let changes = fit.windows(2).filter(|pair| pair[0] == "--set").flatten().copied();
        let fitted = words(used);
        let all = changes.chain(fitted.iter().map(String::as_str));
        let identify: Vec<&str> = ["identify", &csv, "rope.ron"].into_iter().chain(all).collect();
        let (code, message) = run(&[&identify[..], &few].concat());
        assert_eq!(code, 0, "{message}");
        // Options, such as damping, are between the method and its steps.
        let (method, steps) = parts[0].split_once(", ").unwrap();
        let is_it = |line: &str| line.starts_with(method) && line.ends_with(steps);
        assert!(message.lines().any(is_it), "{message}");
    }
}
