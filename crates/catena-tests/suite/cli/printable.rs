//! Text from scenes, files and arguments, as seen by people and spreadsheets: it cannot send
//! terminal commands, break a line, change the text direction around it, or run as a formula.

use crate::{catena, repository};
use catena::text::{csv, printable, shell};
use std::{fs, path::Path, process::Command};

/// Colours, a bell, a carriage return, a line break, NUL, C1, each kind of bidirectional mark, and
/// zero-width characters.
const HOSTILE: &str = "=a\u{1b}[31mred\u{7}\rb\nc\td\0e\u{7f}\u{9b}2J\u{202e}f\u{2066}g\u{200f}h\u{61c}\u{2028}i\
    \u{ad}j\u{200b}k\u{200d}l\u{2060}m\u{feff}n\u{e0041}o";

/// The expected visible text.
const SEEN: &str = concat!(
    r"=a\u{1b}[31mred\u{7}\rb\nc\td\u{0}e\u{7f}\u{9b}2J\u{202e}f\u{2066}g\u{200f}h\u{61c}\u{2028}i",
    r"\u{ad}j\u{200b}k\u{200d}l\u{2060}m\u{feff}n\u{e0041}o"
);

/// A scene of two panels with hostile texts; its second rope diverges.
fn scene() -> String {
    format!(
        "Scene(title: \"{HOSTILE}\", base: (frames: 3, size: (320, 200), rest: (limit: 4),\n  \
         rope: (nodes: 4, start: (0, 0), end: (3, 0))),\n  panels: [(label: \"{HOSTILE}\", with: (drag: 0.1)),\n  \
         (with: (integrator: ExplicitEuler, rope: (stiffness: 1e9), bodies: [(label: \"{HOSTILE}\")]))])"
    )
}

/// Characters of a text that must not reach a terminal.
fn hidden(text: &str) -> Vec<char> {
    let is_turning = |c: char| matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let has_no_width = |c: char| matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
    let is_hidden = |c: char| c.is_control() || is_turning(c) || has_no_width(c);
    text.chars().filter(|c| *c != '\n' && is_hidden(*c)).collect()
}

/// Runs a command in a folder. Returns standard output, standard error (both must be clean) and the
/// exit code.
fn run(folder: &Path, words: &[&str]) -> (String, String, Option<i32>) {
    let output = catena().current_dir(folder).args(words).output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    for text in [&out, &err] {
        assert_eq!(hidden(text), [], "{words:?}: {text:?}");
    }
    (out, err, output.status.code())
}

#[test]
fn no_command_lets_a_scene_command_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    fs::write(place.join("s.ron"), scene()).unwrap();
    // No argument can hold NUL.
    let hostile = HOSTILE.replace('\0', "");
    // Each command, its exit code, and whether it must show the label.
    let cases: [(&[&str], i32, bool); 15] = [
        (&["check", "s.ron"], 0, true),
        (&["export", "s.ron", "-o", "e.glb"], 0, true),
        (&["export", "s.ron", "-o", "e.usda", "--panel", "3"], 2, true),
        (&["render", "s.ron", "--out", "a"], 0, true),
        (&["render", "s.ron", "--out", "b", "--progress", "plain", "--timings"], 0, true),
        (&["render", "s.ron", "--out", "c", "--no-steady", "--strict", "-q"], 4, true),
        (&["render", "s.ron", "--film", "f.gif"], 0, true),
        (&["report", "s.ron", "--out", "r", "--player-frames", "1", "--frames", "3"], 0, false),
        (&["stability", "s.ron", "--frames", "2"], 0, true),
        (&["trace", "s.ron"], 0, false),
        (&["trace", "s.ron", "--energy", "--strict", "-o", "e.csv"], 4, false),
        (&["film", "a", "-o", "g.gif"], 0, false),
        (&["diff", "a", "b"], 0, false),
        (&["methods"], 0, false),
        (&["verify", "--only", &hostile], 2, true),
    ];
    for (words, code, shows) in cases {
        let (out, err, found) = run(place, words);
        assert_eq!(found, Some(code), "{words:?}: {err}");
        assert!(
            !shows
                || [SEEN, &SEEN.replace(r"\u{0}", "")]
                    .iter()
                    .any(|seen| format!("{out}{err}").contains(seen)),
            "{words:?}: {out}{err}"
        );
        // A label with a line break is printed on one line.
        let is_it = |line: &&str| line.starts_with("c\\td");
        assert_eq!(out.lines().chain(err.lines()).find(is_it), None, "{words:?}");
    }
}

#[test]
fn json_stays_json_and_means_the_same() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.ron"), scene()).unwrap();
    let words = ["render", "s.ron", "--out", "a", "--progress", "json"];
    let (_, err, _) = run(folder.path(), &words);
    let mut notes = String::new();
    for line in err.lines() {
        let event: serde_json::Value = serde_json::from_str(line).unwrap();
        if let Some(all) = event["notes"].as_array() {
            notes = all.iter().map(|note| note.as_str().unwrap()).collect();
        }
    }
    assert!(notes.contains(HOSTILE), "{notes:?}");
    let manifest = fs::read_to_string(folder.path().join("a/manifest.json")).unwrap();
    assert_eq!(hidden(&manifest), []);
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["steady"]["bodies"][0]["panel"], HOSTILE);
    assert_eq!(manifest["source"]["scene_text"], scene().as_str());
    let same = "[\"\u{7f}\u{202e}\u{e0001}\",\n \"ä漢😀\"]";
    let json = printable::json(same);
    assert_eq!(json, "[\"\\u007f\\u202e\\udb40\\udc01\",\n \"ä漢😀\"]");
    let values = [same, &json].map(|json| serde_json::from_str::<Vec<String>>(json).unwrap());
    assert_eq!(values[0], values[1]);
}

#[test]
fn errors_show_what_is_wrong_and_do_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let hostile = HOSTILE.replace('\0', "");
    fs::write(place.join("field.ron"), format!("Scene(/* {HOSTILE} */ bas\u{202e}e: ())")).unwrap();
    fs::write(place.join("text.ron"), format!("Scene(base: (background: \"{HOSTILE}\"))")).unwrap();
    fs::write(place.join("bytes.ron"), b"Scene(title: \"\x1b[31m\xff\")").unwrap();
    fs::write(place.join("tab.ron"), "Scene(\n\t\tbase: (drag: -1),\n)").unwrap();
    fs::write(place.join("s.ron"), "Scene()").unwrap();
    // An unlikely file name, which some systems refuse.
    let named = format!("{}.ron", hostile.replace('/', ""));
    let has_name = fs::write(place.join(&named), "Scene(bse: ())").is_ok();
    let set = format!("drag={hostile}");
    let color = format!("style.color=\"{hostile}\"");
    let cases: [(&[&str], i32); 13] = [
        (&["check", "field.ron"], 3),
        (&["check", "text.ron"], 3),
        (&["check", "bytes.ron"], 3),
        (&["check", "tab.ron"], 3),
        (&["check", &named], 3),
        (&["check", &hostile], 3),
        (&["check", "s.ron", "--set", &set], 2),
        (&["check", "s.ron", "--set", &color], 3),
        (&["check", "s.ron", &format!("--{hostile}")], 2),
        (&["render", "s.ron", "--frames", &hostile], 2),
        (&["report", "s.ron", "--out", "r", "--font", &hostile], 5),
        (&["film", &hostile, "-o", &format!("{hostile}.avi")], 2),
        (&["diff", &hostile, &hostile], 5),
    ];
    for (words, code) in cases {
        let (_, err, found) = run(place, words);
        assert_eq!(found, Some(code), "{words:?}: {err}");
        assert!(err.starts_with("error: "), "{words:?}: {err}");
    }
    let (_, err, _) = run(place, &["check", "tab.ron"]);
    assert!(err.contains("2 │         base: (drag: -1),\n"), "{err}");
    if has_name {
        let (_, err, _) = run(place, &["check", &named]);
        assert!(err.contains(r"=a\u{1b}[31mred\u{7}\rb\nc\td"), "{err}");
    }
}

#[test]
fn cells_of_text_are_not_run() {
    for (text, cell) in [
        ("", ""),
        ("plain, \"quoted\"", "\"plain, \"\"quoted\"\"\""),
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("＝1", "'＝1"),
        ("=HYPERLINK(\"x\",1)", "\"'=HYPERLINK(\"\"x\"\",1)\""),
        ("\t=1", r"\t=1"),
        ("\r=1", r"\r=1"),
        ("a\0b\nc", r"a\u{0}b\nc"),
        ("a;=1", "\"a;=1\""),
    ] {
        assert_eq!(csv::cell(text), cell, "{text:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.ron"), scene()).unwrap();
    let (out, ..) = run(folder.path(), &["stability", "s.ron", "--frames", "2", "--csv"]);
    assert!(out.contains(&format!(",'{SEEN},")), "{out}");
    // Numbers stay numbers, even negative ones.
    let (out, ..) = run(folder.path(), &["trace", "s.ron"]);
    assert!(out.contains(",-"), "{out}");
    assert!(!out.contains('\''), "{out}");
}

#[test]
fn a_shell_reads_back_every_word() {
    let words = [
        "plain.ron",
        "",
        "it's",
        "a b",
        "$HOME",
        "\u{1b}[31m",
        "a\n",
        "\n\n",
        "ä\u{202e}b",
        "%s\\n",
    ];
    for word in words {
        let quoted = shell::quoted(word);
        assert_eq!(hidden(&quoted), [], "{quoted:?}");
        let script = format!("printf %s {quoted}; printf .");
        let output = Command::new("sh").arg("-c").arg(script).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{word}."), "{quoted}");
    }
}

/// Files that write to standard output or error. Text goes through `cli/say.rs`, tables and films
/// through `output/stdout.rs`.
// The language server speaks JSON to an editor.
const WRITERS: [&str; 3] =
    ["src/cli/lsp.rs", "src/cli/say.rs", "crates/catena-output/src/stdout.rs"];

#[test]
fn words_go_one_way_to_the_terminal() {
    let mut folders = vec![repository("src"), repository("crates")];
    let root = repository("");
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                let is_code =
                    !["examples", "tests", "target", "catena-tests", "catena-fingerprint"]
                        .iter()
                        .any(|it| path.ends_with(it));
                folders.extend(is_code.then_some(path));
                continue;
            }
            // Build scripts, and their helpers, print to Cargo.
            if path.extension().is_none_or(|ending| ending != "rs")
                || path.file_name().is_some_and(|name| name == "build.rs")
            {
                continue;
            }
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
            let text = fs::read_to_string(&path).unwrap();
            // Every module may ask whether a stream is a terminal.
            let text = text.replace("stdout().is_terminal", "").replace("stderr().is_terminal", "");
            // Help contains only text of the program.
            let text = text.replace("error.print()", "").replace("io::stdout().flush()", "");
            let text = text.replace("use_stderr()", "");
            let writes =
                ["stdout()", "stderr()", "print!(", "println!("].iter().any(|w| text.contains(w));
            let is_bar = name == "src/cli/progress.rs" && text.matches("stderr()").count() == 1;
            assert!(
                !writes || is_bar || WRITERS.contains(&&*name),
                "{name} writes to the terminal"
            );
        }
    }
}

#[test]
fn line_breaks_of_a_title_do_not_break_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let draw = |name: &str, title: &str| {
        let text = format!(
            "Scene(title: \"{title}\", base: (frames: 1, size: (200, 120)), panels: [(label: \"{title}\")])"
        );
        fs::write(folder.path().join(format!("{name}.ron")), text).unwrap();
        let scene = format!("{name}.ron");
        let (_, _, code) = run(folder.path(), &["render", &scene, "--no-steady", "--out", name]);
        assert_eq!(code, Some(0));
        fs::read(folder.path().join(name).join("frame_00000.png")).unwrap()
    };
    let spaced = draw("spaced", "one  two three");
    assert!(draw("broken", "one\\r\\ntwo\\tthree") == spaced, "a line break is drawn as a space");
    assert!(draw("other", "one two three") != spaced);
}
