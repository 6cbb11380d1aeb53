//! `catena report`: its files, its page, and both read by other programs.

use crate::{catena, repository};
use catena::figure::study::NAMES;
use std::{fs, path::Path, process::Command};

pub(super) const SMALL: &str = "Scene(
    title: \"Two <small> ropes & more\",
    base: (size: (320, 240), frames: 12, substeps: 16, rest: (limit: 300), rope: (nodes: 4)),
    panels: [(label: \"Euler\", with: (drag: 0.1)), (label: \"Verlet\", with: (integrator: ConstraintVerlet))])";

/// Makes a report of a scene in its own folder.
pub(super) fn report(scene: &str, args: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("my scenes")).unwrap();
    fs::write(folder.path().join("my scenes/small.ron"), scene).unwrap();
    let run = catena()
        .current_dir(&folder)
        .args(["report", "my scenes/small.ron", "--out", "report"])
        .args(args)
        .assert()
        .success();
    let printed = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    assert_eq!(printed.is_empty(), args.contains(&"--quiet"), "{printed}");
    folder
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder.join("report"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| {
            (path.file_name().unwrap().to_str().unwrap().to_string(), fs::read(&path).unwrap())
        })
        .collect();
    files.sort();
    files
}

pub(super) fn page(folder: &Path) -> String {
    fs::read_to_string(folder.join("report/index.html")).unwrap()
}

#[test]
fn a_report_has_all_figures_in_four_kinds_and_the_same_bytes_each_time() {
    let one = report(SMALL, &["--threads", "1"]);
    let found = files(one.path());
    for name in NAMES {
        for ending in ["csv", "pdf", "png", "svg"] {
            let file = format!("{name}.{ending}");
            let (_, bytes) = found.iter().find(|(name, _)| *name == file).unwrap_or_else(|| {
                panic!("no {file}: crates/catena-jobs/src/job/report/studies.rs has the list of what makes figures")
            });
            let is_right = match ending {
                "pdf" => bytes.starts_with(b"%PDF-") && bytes.trim_ascii_end().ends_with(b"%%EOF"),
                "png" => image::load_from_memory(bytes).is_ok(),
                "svg" => bytes.starts_with(b"<svg ") && bytes.ends_with(b"</svg>\n"),
                _ => bytes.starts_with(b"plot,title,mark,kind,label,x,y,x2,y2\n"),
            };
            assert!(is_right, "{file}");
        }
    }
    for name in found.iter().filter_map(|(file, _)| file.strip_suffix(".svg")) {
        assert!(
            NAMES.contains(&name),
            "crates/catena-study/src/figure/study/mod.rs: add `{name}` to NAMES"
        );
    }
    let two = report(SMALL, &["--threads", "2"]);
    assert!(found == files(two.path()), "bytes depend on the number of threads");
    other_programs_read_the_pdf(one.path());
    the_page_works_in_chromium(two.path());
}

#[test]
fn the_page_stands_alone_and_says_what_matters() {
    let folder = report(SMALL, &["--strip", "0,5,11", "--minutes", "2.5"]);
    let page = page(folder.path());
    for part in [
        "<title>Two &lt;small&gt; ropes &amp; more</title>",
        "Damping differs: c/m = 0.1 in &quot;Euler&quot;, 0 in &quot;Verlet&quot;.",
        "class=\"differs\"",
        "catena report 'my scenes/small.ron' --strip 0,5,11 --minutes 2.5",
        "Frames 0, 5 and 11 of each panel",
    ] {
        assert!(page.contains(part), "{part}");
    }
    let style = fs::read_to_string(folder.path().join("report/page.css")).unwrap();
    for part in ["prefers-color-scheme: dark", "@media print"] {
        assert!(style.contains(part), "{part}");
    }
    // Namespace names are addresses that no browser requests.
    let addresses =
        page.match_indices("http").filter(|(at, _)| !page[at - 40..*at].contains("xmlns"));
    assert_eq!(addresses.count(), 0, "the page asks the network for something");
}

/// A page without its PNG files, because their base64 may contain any word.
fn without_pictures(page: &str) -> String {
    let is_text = |part: &&str| !part.contains("iVBORw0K");
    page.split('"').filter(is_text).collect::<Vec<_>>().join("\"")
}

#[test]
fn unusual_scenes_have_sensible_reports() {
    let cases = [
        ("one panel", "Scene(base: (size: (320, 240), frames: 8, rest: (limit: 50), rope: (nodes: 3)))"),
        (
            "all diverge",
            "Scene(base: (size: (320, 240), frames: 30, substeps: 2, rest: (limit: 50), rope: (nodes: 6)),
              panels: [(with: (integrator: ExplicitEuler)), (with: (integrator: Rk4))])",
        ),
        (
            "many panels",
            "Scene(base: (size: (1600, 1200), frames: 4, rest: (limit: 20), rope: (nodes: 2), decoration: Bare, integrator: Pbd),
              grid: (rows: [(with: (drag: 0)), (with: (drag: 0.1)), (with: (drag: 0.2)), (with: (drag: 0.3))],
                     columns: [(with: (substeps: 64)), (with: (substeps: 65)), (with: (substeps: 66)),
                               (with: (substeps: 67)), (with: (substeps: 68)), (with: (substeps: 69))]))",
        ),
        ("one frame", "Scene(base: (size: (320, 240), frames: 1, rest: (limit: 50), rope: (nodes: 3)))"),
        (
            "in space",
            "Scene(base: (size: (320, 240), frames: 3, gravity: (0, -1, 0), frame_time: 0.05, substeps: 8, rest: (limit: 20),
              cloth: (corner: (0, 0, 0), across: (3, 0, 0), down: (0, 0, 3), rows: 4, columns: 4, pins: TopCorners)))",
        ),
    ];
    for (name, scene) in cases {
        let folder = report(scene, &["--quiet", "--study-time", "0.5"]);
        let page = page(folder.path());
        assert!(page.contains("<figure id=\"strip\">"), "{name}");
        assert!(page.contains("id=\"player\""), "{name}");
        let until_scene = page.split("aria-label=\"text of the scene\"").next().unwrap();
        let shown = without_pictures(until_scene);
        for word in ["NaN", " inf", "()"] {
            assert!(!shown.contains(word), "{name}: {word}");
        }
        if name == "many panels" {
            assert!(!page.contains("show only the first"), "no body is left out");
            for figure in ["energy", "path", "phase_portrait", "spectrum"] {
                let csv = folder.path().join(format!("report/{figure}.csv"));
                let csv = fs::read_to_string(csv).unwrap();
                assert!(csv.lines().any(|row| row.starts_with("24,")), "{figure}");
            }
        }
        let lost = page.contains("diverged at frame");
        assert_eq!(lost, name == "all diverge", "{name}");
    }
}

/// A font file with letters that the built-in font lacks, if this machine has one.
fn other_font() -> Option<std::path::PathBuf> {
    let found = Command::new("fc-list").args([":lang=zh", "file"]).output().ok()?;
    let text = String::from_utf8_lossy(&found.stdout).into_owned();
    let path = text.lines().next()?.trim_end().trim_end_matches(':').to_string();
    Some(path.into())
}

#[test]
fn letters_that_no_face_has_are_told() {
    let chinese = SMALL.replace("label: \"Euler\"", "label: \"绳子\"");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("small.ron"), &chinese).unwrap();
    let run = |args: &[&str]| catena().current_dir(&folder).args(args).assert();
    let stderr = run(&["report", "small.ron", "--out", "report"]).success();
    let stderr = String::from_utf8_lossy(&stderr.get_output().stderr).into_owned();
    assert!(stderr.contains("boxes instead: 子绳"), "{stderr}");
    let page = page(folder.path());
    assert!(page.contains("boxes instead: 子绳") && page.contains("绳子"));
    let stderr =
        run(&["render", "small.ron", "--frames", "1", "--no-steady", "--out", "out"]).success();
    let stderr = String::from_utf8_lossy(&stderr.get_output().stderr).into_owned();
    assert!(stderr.contains("no font contains the characters 子绳"), "{stderr}");

    run(&["report", "small.ron", "--out", "report", "--font", "nowhere.ttf"]).code(5);
    run(&["report", "small.ron", "--out", "report", "--font", "small.ron"]).code(5);
    if let Some(font) = other_font() {
        run(&["report", "small.ron", "--out", "report", "--font", font.to_str().unwrap()])
            .success();
        assert!(!self::page(folder.path()).contains("boxes instead"));
    }
}

#[test]
fn a_font_file_draws_what_the_built_in_face_lacks() {
    let folder = tempfile::tempdir().unwrap();
    // Ubuntu has this letter, Hack does not.
    fs::write(folder.path().join("small.ron"), SMALL.replace("label: \"Euler\"", "label: \"Ə\""))
        .unwrap();
    fs::write(folder.path().join("other.ttf"), epaint_default_fonts::UBUNTU_LIGHT).unwrap();
    let render = |args: &[&str]| {
        let first = ["render", "small.ron", "--frame-range", "0-0", "--out", "out"];
        let run = catena().current_dir(&folder).args(first).args(args).assert().success();
        let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        let read = |name: &str| fs::read(folder.path().join("out").join(name)).unwrap();
        (
            stderr.contains("no font contains the characters Ə"),
            read("frame_00000.png"),
            read("steady.png"),
        )
    };
    let [without, with, last] = [&[][..], &["--font", "other.ttf"], &[]].map(render);
    assert!(without.0 && !with.0);
    assert!(without.1 != with.1 && without.2 != with.2, "the letter is drawn");
    assert!(without == last, "frames of another typeface do not stay");
}

fn other_programs_read_the_pdf(folder: &Path) {
    let is_needed = std::env::var_os("CATENA_REQUIRE_PDFINFO").is_some();
    let has = Command::new("pdfinfo").arg("-v").output().is_ok();
    assert!(has || !is_needed, "pdfinfo is missing");
    if !has {
        return;
    }
    for name in NAMES {
        let path = folder.join(format!("report/{name}.pdf"));
        let run = Command::new("pdfinfo").arg(&path).output().unwrap();
        let text = String::from_utf8_lossy(&run.stdout).into_owned();
        assert!(run.status.success() && run.stderr.is_empty(), "{name}: {run:?}");
        assert!(text.contains("Pages:           1"), "{text}");
    }
}

/// Headless Chromium, if it is installed, with its files in `profile`.
pub fn chromium(profile: &Path) -> Option<Command> {
    let is_needed = std::env::var_os("CATENA_REQUIRE_CHROMIUM").is_some();
    let chromium = ["chromium", "chromium-browser"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok());
    assert!(chromium.is_some() || !is_needed, "Chromium is missing");
    let mut command = Command::new(chromium?);
    command
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        // Even on a busy machine, the picture must be taken after the whole page is drawn.
        .args(["--run-all-compositor-stages-before-draw", "--disable-checker-imaging"])
        .arg("--disable-new-content-rendering-timeout")
        .arg(format!("--user-data-dir={}", profile.display()));
    Some(command)
}

/// The page after its own script and then `script` have run.
pub(super) fn browse(page: &Path, script: &str, options: &[&str]) -> Option<String> {
    let text = fs::read_to_string(page)
        .unwrap()
        .replace("</body>", &format!("<script>{script}</script></body>"));
    let copy = page.with_file_name("driven.html");
    fs::write(&copy, text).unwrap();
    let profile = tempfile::tempdir().unwrap();
    let run = chromium(profile.path())?
        .args(options)
        .args(["--virtual-time-budget=60000", "--dump-dom"])
        .arg(format!("file://{}", copy.display()))
        .output()
        .unwrap();
    Some(String::from_utf8_lossy(&run.stdout).into_owned())
}

/// Controls the page by keyboard and by its buttons, and records what it shows after each action.
const DRIVE: &str = "
    const seen = [];
    const note = () => seen.push(document.getElementById('number').textContent.replace('frame ', '').split(',')[0]);
    const body = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    note();
    body('ArrowRight'); note();
    body('End'); note();
    body('ArrowLeft'); note();
    body('Home'); note();
    document.getElementById('on').click(); note();
    document.getElementById('back').click(); note();
    const slider = document.getElementById('slider');
    slider.value = 3; slider.dispatchEvent(new Event('input')); note();
    body(' ');
    seen.push(document.getElementById('play').textContent);
    const played = setInterval(() => {
      if (document.getElementById('play').textContent === 'pause') return;
      clearInterval(played);
      note();
      seen.push(document.documentElement.scrollWidth <= innerWidth ? 'fits' : 'too wide');
      document.title = seen.join(' ');
    }, 100);
";

fn the_page_works_in_chromium(folder: &Path) {
    let Some(dom) = browse(&folder.join("report/index.html"), DRIVE, &[]) else { return };
    let title = dom.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next());
    assert_eq!(title, Some("0 1 11 10 0 1 0 3 pause 11 fits"));
}

#[test]
fn a_report_of_a_scene_that_is_wrong_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad.ron"), "Scene(base: (substep: 3))").unwrap();
    catena().current_dir(&folder).args(["report", "bad.ron"]).assert().code(3);
    let scene = repository("scenes/compare.ron");
    for (args, allowed) in [
        (["--nodes", "x"], "invalid"),
        (["--nodes", "3,16"], "0 to 15"),
        (["--nodes", "0,1,2,3,4,5,6"], "at most 6"),
        (["--strip", "0,600"], "0 to 599"),
    ] {
        let run = catena().arg("report").arg(&scene).args(args).assert().code(2);
        let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(stderr.contains(allowed), "{stderr}");
    }
}
