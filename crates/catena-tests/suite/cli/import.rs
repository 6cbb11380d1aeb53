//! `catena import`: decks as their authors write them, and messages about invalid decks.

use crate::{catena, repository};
use std::{fs, path::Path};
use tempfile::TempDir;

/// The deck of the documentation: a chain between the seabed and a ship.
const CHAIN: &str = "mooring.txt";

/// Text of one of the repository's decks.
fn deck(name: &str) -> String {
    let folder = if name == CHAIN { "scenes" } else { "tests/decks" };
    fs::read_to_string(repository(folder).join(name)).unwrap()
}

/// A folder with a deck called `lines.txt`, and the file of tensions that one deck refers to.
fn folder(text: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lines.txt"), text).unwrap();
    fs::write(folder.path().join("rope.txt"), deck("rope.txt")).unwrap();
    folder
}

/// Exit code, standard output and standard error.
fn run(folder: &Path, words: &str) -> (i32, String, String) {
    let output = catena().current_dir(folder).args(words.split_whitespace()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

/// Scene of a deck, as printed.
fn scene(text: &str) -> String {
    let folder = folder(text);
    let (code, scene, message) = run(folder.path(), "import lines.txt");
    assert_eq!(code, 0, "{message}");
    scene
}

/// Bodies at rest of the scene of a deck.
fn statics(text: &str) -> Vec<serde_json::Value> {
    let folder = folder(text);
    let (code, _, message) = run(folder.path(), "import lines.txt -o scene.ron");
    assert_eq!(code, 0, "{message}");
    let (code, json, message) = run(folder.path(), "statics scene.ron --json");
    assert_eq!(code, 0, "{message}");
    let found: serde_json::Value = serde_json::from_str(&json).unwrap();
    found["bodies"].as_array().unwrap().clone()
}

/// Tensions of the last and the first segment.
fn tensions(body: &serde_json::Value) -> [f64; 2] {
    let all = body["tensions"].as_array().unwrap();
    [all.last().unwrap(), &all[0]].map(|tension| tension.as_f64().unwrap())
}

/// Tensions in kN at the fairlead and the anchor. Reference: MoorDyn 2.7.2 from pip,
/// `GetLineFairTen` and `GetLineNodeTen` after a simulation of 400 s.
#[test]
fn tensions_at_rest_are_those_of_moordyn() {
    for (name, expected) in [
        (CHAIN, [996.62, 839.33]),
        ("wd0200.txt", [2059.91, 1408.04]),
        ("wd0600.txt", [5223.59, 3247.78]),
    ] {
        let bodies = statics(&deck(name));
        for (found, expected) in tensions(&bodies[0]).into_iter().zip(expected) {
            let found = found / 1e3;
            assert!((found / expected - 1.0).abs() < 0.01, "{name}: {found}, not {expected}");
        }
    }
}

/// Forces on the ends of a line with bending stiffness in kN (Lowe and Langley 2006). The fairlead
/// of OC3 carries 911.1 kN.
#[test]
fn lines_at_rest_carry_what_is_published() {
    let force = |body: &serde_json::Value, pin: usize| {
        let force = body["pins"][pin]["force"].as_array().unwrap().clone();
        force.iter().map(|value| value.as_f64().unwrap() / 1e3).collect::<Vec<_>>()
    };
    let jumper = statics(&deck("jumper.txt"));
    for (pin, expected) in [(0, [11.40, -24.04]), (1, [-11.40, -45.71])] {
        for (found, expected) in force(&jumper[0], pin).into_iter().zip(expected) {
            assert!((found - expected).abs() < 0.01, "pin {pin}: {found}, not {expected}");
        }
    }
    let lines = statics(&deck("three_lines.txt"));
    assert_eq!(lines.len(), 3);
    for body in &lines {
        let size = force(body, 1).iter().map(|part| part * part).sum::<f64>().sqrt();
        assert!((size / 911.1 - 1.0).abs() < 0.01, "{size}");
    }
}

/// A weight, a buoy and three line types form one body with balanced forces.
#[test]
fn free_points_join_lines_to_one_body() {
    let bodies = statics(&deck("buoy.txt"));
    let [body] = bodies.as_slice() else { panic!("{} bodies", bodies.len()) };
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    let pins = body["pins"].as_array().unwrap();
    let contacts = body["contacts"].as_array().unwrap();
    let held: f64 = pins.iter().map(|pin| number(&pin["force"][1])).sum();
    let laid: f64 = contacts.iter().map(|contact| number(&contact["force"])).sum();
    // Weight in water: lines, then the weight and the buoy.
    let area = |diameter: f64| 0.25 * std::f64::consts::PI * diameter * diameter;
    let line = |mass: f64, diameter: f64, length: f64| (mass - 1025.0 * area(diameter)) * length;
    let lines = line(140.0, 0.12, 120.0) + line(18.0, 0.06, 70.0) + line(6.0, 0.1, 80.0);
    let points = 2000.0 - 1025.0 * 0.25 + 300.0 - 1025.0 * 1.5;
    let weight = 9.81 * (lines + points);
    // Pins report the force of the body on them; the seabed pushes upwards.
    assert!((laid - held - weight).abs() < 1e-5 * weight, "{laid} {held} {weight}");
}

/// With a file of tensions, the stretch follows its rows.
#[test]
fn tensions_may_come_from_a_file() {
    let bodies = statics(&deck("fibre.txt"));
    let stretch = bodies[0]["length"].as_f64().unwrap() / 305.0 - 1.0;
    let mean = {
        let all = bodies[0]["tensions"].as_array().unwrap();
        all.iter().map(|tension| tension.as_f64().unwrap()).sum::<f64>() / all.len() as f64
    };
    // 2e5 N at 3 % and 1.2e6 N at 10 %.
    let expected = 0.03 + 0.07 * (mean - 2e5) / 1e6;
    assert!((stretch - expected).abs() < 1e-6, "{stretch}, not {expected}");
}

/// Both versions of a deck give equal scenes, except for the lines with the deck's name.
#[test]
fn both_versions_make_one_scene() {
    let body = |text: &str| {
        let scene = scene(text);
        let from = scene.find("    base: (").unwrap();
        scene[from..].to_owned()
    };
    assert_eq!(body(&deck("version_1.txt")), body(&deck(CHAIN)));
}

/// Changes of a deck, and their effects on the scene.
#[test]
fn each_column_and_option_has_its_place_in_the_scene() {
    let base = deck(CHAIN);
    for (old, new, expected) in [
        ("", "", "length: 410, nodes: 42,"),
        ("", "", "damping: 807997.525,"),
        ("", "", "Plane(point: (0, -50), normal: (0, 1), friction: 0.5)"),
        ("", "", "starts_at_rest: true,"),
        ("", "", "panels: [(label: \"line 1: chain\")],"),
        ("-1        0   ", "2e6       0   ", "law: TensionOnly, damping: 200000,"),
        ("-1        0   ", "0         0   ", "law: TensionOnly,\n"),
        ("-1        0   ", "-1        5e3 ", "rod: (bending: 5000),"),
        ("1.674e9  -1 ", "1e9|1.5e9 4e9|1e7 ", "law: Viscoelastic(creep: 0.5, time: 1.33333333)"),
        ("1.37  1    0.64", "1.1   0    0.2 ", "across: 1.1, along: 0.2)"),
        ("1.37  1    0.64", "0     1    0   ", "forces: [\n            Buoyancy("),
        ("0.1   cfl ", "0.0005 dtM ", "frames: 600, frame_time: 0.1, substeps: 200,"),
        ("0.1   cfl ", "0.0005 DT ", "// Steps of at most 5e-4 s: dtM. tScheme RK2."),
        ("0.1   cfl ", "0.1 dtM ", "and Midpoint is unstable there."),
        ("0.1   cfl ", "rk4 tScheme ", "integrator: Rk4,"),
        ("0.1   cfl ", "Midpoint20 tScheme ", "integrator: ImplicitMidpoint,"),
        ("0.1   cfl ", "9.8 g ", "gravity: (0, -9.8), drag: 0,"),
        ("0.1   cfl ", "1000 WtrDnsty ", "Buoyancy(density: 2000,"),
        ("0.1   cfl ", "0 rhoW ", "starts_at_rest: true,\n    ),"),
        ("50    WtrDpth", "70    WtrDpth", "Plane(point: (0, -70)"),
        ("50    WtrDpth", "20    WtrDpth", "Plane(point: (0, -50)"),
        ("0.5   FrictionCoefficient", "0.3 MU_KT\n0.3 MU_KA", "friction: 0.3)"),
        ("1    Fixed       400  0  ", "1    Fixed       400  30 ", "start: (30, -50, 400)"),
        (
            "2    Coupled     0    0  0    0     0  ",
            "2    Free        0    0  -9   50    0.1",
            "weights: [(node: Last, mass: 50)],",
        ),
        (
            "2    Coupled     0    0  0    0     0       0      0",
            "2    Free        0    0  -9   50    0.1     0.7    1",
            "PointDrag(node: Last, density: 1025, area: 0.7)",
        ),
        (
            "2    Coupled     0    0  0    0     0       0      0",
            "2    Free        0    0  -9   50    0.1     0.7    1",
            "mass: 152.5)",
        ),
    ] {
        let text = base.replacen(old, new, 1);
        assert!(old.is_empty() || text != base, "`{old}` is not in the deck");
        let made = scene(&text);
        assert!(made.contains(expected), "{new}: no `{expected}` in\n{made}");
    }
}

/// Changes of a deck that cannot be expressed: old and new text, the place, and words of the
/// message.
const REFUSED: &[(&str, &str, &str, &str)] = &[
    ("0.1   cfl", "0.1   cfd", "17:7", "there is no option `cfd`"),
    ("0.1   cfl", "x     cfl", "17:1", "cfl is `x`, which is not a number"),
    ("0.1   cfl", "0.1", "17:22", "there is no option `step`"),
    ("0.1   cfl", "rk9   tScheme", "17:1", "support the time scheme `rk9`"),
    ("0.1   cfl", "3     WaveKin", "17:1", "files of waves"),
    ("0.1   cfl", "bed.txt SeafloorFile", "17:1", "only a flat bed"),
    ("1e4   cBot", "1e4   kb  ", "19:7", "sets the same option as `kBot` above"),
    ("0.1   cfl", "0.3 mu_kt\n0.2 mu_ka", "18:5", "sets the same option as `mu_kt` above"),
    ("CdAx  CaAx", "CdAx  Cxyz", "4:71", "column 10 of LINE TYPES is called `Cxyz`"),
    ("EI       Cd ", "EI       Can", "4:54", "MoorDyn reads it as Cd"),
    ("  CdAx  CaAx", "", "4:1", "the next one, CdAx, is missing"),
    ("0.64  0\n", "0.64\n", "6:1", "CaAx is missing"),
    ("0.64  0\n", "0.64  0  7\n", "6:74", "`7` is value 11 in a row for 10 columns"),
    ("1.674e9", "none.txt", "6:26", "none.txt does not exist"),
    ("1.674e9", "../a.txt", "6:26", "in its own folder and below it"),
    ("1.674e9", "1e9|2e9|0.4", "6:26", "grows with the mean load"),
    ("1.674e9", "SYROPE:a|1|2", "6:26", "Syrope"),
    ("0.252  390", "0      390", "6:11", "the diameter is 0"),
    ("0.252  390", "0.252  0  ", "6:18", "the mass per length is 0"),
    ("1    Fixed", "1    Fixd ", "10:6", "there is no attachment `Fixd`"),
    ("1    Fixed   ", "1    Turbine3", "10:6", "there is no attachment `Turbine3`"),
    ("1    Fixed", "1    Body1", "10:6", "there is no body `Body1`"),
    ("2    Coupled", "3    Coupled", "11:1", "expected point 2, found point 3"),
    ("1    chain ", "1    wire  ", "15:6", "there is no line type `wire`"),
    ("1        2        410", "1        3        410", "15:25", "there is no point `3`"),
    ("1        2        410", "1        R1A      410", "15:25", "the end of a rod"),
    (
        "1        2        410",
        "1        1        410",
        "15:1",
        "starts and ends at the same position",
    ),
    ("410       41", "410       0 ", "15:44", "number of segments is `0`"),
    ("410       41", "-410      41", "15:34", "the unstretched length is -410"),
    ("-------- OUTPUTS", "-------- OUTLETS", "25:10", "there is no section `OUTLETS`"),
    ("-------- OUTPUTS", "-------- LINES", "25:10", "occurs twice"),
    ("FairTen1", "FareTen1", "26:1", "there is no output channel `FareTen1`"),
    ("FairTen1", "Rod1PX", "26:1", "`Rod1PX` is an output of a rod or body"),
    (
        "-------- LINES",
        "-------- FAILURE --------\na b c d\n() () () ()\n1 1 1 0\n-------- LINES",
        "15:1",
        "cannot express failures",
    ),
    (
        "-------- LINES",
        "-------- CONTROL --------\na b\n() ()\n1 1\n-------- LINES",
        "15:1",
        "control channels",
    ),
    (
        "-------- LINES",
        "-------- RODS --------\na b\n() ()\n1 Can\n-------- LINES",
        "15:1",
        "six degrees of freedom",
    ),
    (
        "(name)    (m)    (kg/m)  (N)      (N-s/-)   (N-m^2)  (-)   (-)  (-)   (-)\n",
        "",
        "5:1",
        "the second row of a section must contain units",
    ),
];

/// Each message has its place.
#[test]
fn what_cannot_be_expressed_is_named_with_its_place() {
    let base = deck(CHAIN);
    for (old, new, place, words) in REFUSED {
        let text = base.replacen(old, new, 1);
        assert!(text != base, "`{old}` is not in the deck");
        let folder = folder(&text);
        let (code, printed, message) = run(folder.path(), "import lines.txt -o scene.ron");
        assert_eq!(code, 3, "{new}: {printed}{message}");
        let first = message.lines().next().unwrap();
        assert!(first.contains(&format!("lines.txt:{place}: ")), "{new}: {message}");
        assert!(message.contains(words), "{new}: {message}");
        assert!(!folder.path().join("scene.ron").exists());
    }
}

/// Whole sections may be missing or empty.
#[test]
fn decks_without_lines_are_refused() {
    for (text, words) in [
        ("", "the deck has no section LINE TYPES"),
        ("---- LINE TYPES ----\n", "the deck has no section POINTS"),
        ("---- LINE TYPES ----\n---- POINTS ----\n---- LINES ----\n", "LINE TYPES is empty"),
    ] {
        let folder = folder(text);
        let (code, _, message) = run(folder.path(), "import lines.txt");
        assert_eq!(code, 3, "{message}");
        assert!(message.contains(words), "{message}");
    }
}

/// Differences between the two programs are reported, and written at the top of the scene.
#[test]
fn notes_are_told_and_written_down() {
    let folder = folder(&deck(CHAIN));
    let (_, _, message) = run(folder.path(), "import lines.txt -o scene.ron");
    let scene = fs::read_to_string(folder.path().join("scene.ron")).unwrap();
    let head: String = scene
        .lines()
        .take_while(|line| line.starts_with("//"))
        .flat_map(|line| [line.trim_start_matches("//").trim(), " "])
        .collect();
    for words in [
        "threshIC, dtIC: ignored, because it is about MoorDyn's search for an equilibrium",
        "kBot, cBot: ignored, because the bed is rigid; in MoorDyn a line at rest sinks into it by 0.1319 m",
        "added mass is equal in all directions",
        "FairTen1, AnchTen1: output channels are not imported; `catena statics` prints tensions at rest",
    ] {
        assert!(message.contains(words), "{message}");
        assert!(head.contains(words), "{head}");
    }
}

#[test]
fn an_import_never_replaces_a_file_and_is_laid_out() {
    for name in [CHAIN, "three_lines.txt", "buoy.txt", "fibre.txt", "polyester.txt"] {
        let folder = folder(&deck(name));
        let (code, message, _) = run(folder.path(), "import lines.txt -o deep/scene.ron");
        assert_eq!((code, message.contains("wrote ")), (0, true), "{name}: {message}");
        let path = folder.path().join("deep/scene.ron");
        let made = fs::read_to_string(&path).unwrap();
        let (code, message, _) = run(folder.path(), "fmt --check deep/scene.ron");
        assert_eq!(code, 0, "{name}: {message}");
        let (code, _, message) = run(folder.path(), "import lines.txt -o deep/scene.ron");
        assert_eq!(code, 2, "{message}");
        assert!(message.contains("exists already and was not changed"), "{message}");
        assert_eq!(fs::read_to_string(&path).unwrap(), made);
        let printed = run(folder.path(), "import lines.txt -o -").1;
        assert_eq!(printed, made, "{name}");
    }
}

/// Coupled points follow their own positions, or the displacement of a vessel.
#[test]
fn no_deck_commands_the_terminal() {
    let hostile = deck("wd0200.txt").replace("chain", "ch\u{1b}[31main\u{202e}");
    let folder = folder(&hostile.replace("Chain of", "\u{9b}2J"));
    let (code, scene, notes) = run(folder.path(), "import lines.txt");
    assert_eq!(code, 0, "{notes}");
    for text in [scene, notes] {
        let hidden = |c: &char| c.is_control() && *c != '\n' || *c == '\u{202e}';
        assert_eq!(text.chars().filter(hidden).count(), 0, "{text:?}");
    }
}

#[test]
fn coupled_points_follow_a_file() {
    let rows = |y: &str| format!("0 0 {y} 0\n1 2 {y} 1\n9 2 {y} 1\n");
    let vessel = |turn: &str| format!("time,surge,sway,heave,roll\n0,0,0,0,0\n1,2,0,1,{turn}\n");
    for (text, code, words) in [
        (rows("0"), 0, "columns: [\"2\", \"4\"], smooth: true)"),
        (rows("3"), 0, "columns: [\"3\", \"4\", \"2\"], smooth: true)"),
        (vessel("0"), 0, "columns: [\"2\", \"4\"], shift: (0, 0), smooth: true)"),
        (vessel("0.1"), 3, "the vessel rotates at time 1, but only surge, sway and heave"),
        ("0 1\n1 2\n".to_owned(), 3, "has 2 columns, but the deck has 1 coupled point"),
        ("time\n".to_owned(), 3, "has no rows of numbers"),
    ] {
        let folder = folder(&deck(CHAIN));
        fs::write(folder.path().join("motion.csv"), &text).unwrap();
        let (found, _, message) =
            run(folder.path(), "import lines.txt --motion motion.csv -o a.ron");
        assert_eq!(found, code, "{text}: {message}");
        let scene = fs::read_to_string(folder.path().join("a.ron")).unwrap_or_default();
        assert!(scene.contains(words) || message.contains(words), "{text}: {scene}{message}");
    }
    let folder = folder(&deck(CHAIN));
    fs::write(folder.path().join("motion.csv"), rows("0")).unwrap();
    let (code, _, message) = run(folder.path(), "import lines.txt --motion motion.csv -o b/a.ron");
    assert_eq!(code, 2, "{message}");
    assert!(message.contains("not in the folder of the scene"), "{message}");
    let (code, _, message) = run(folder.path(), "import lines.txt --motion lines.txt -o lines.txt");
    assert_eq!(code, 2, "{message}");
}
