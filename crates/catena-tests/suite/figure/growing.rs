//! A report in progress: figures appear as they are completed, and budgets end slow ones.

use super::report::{SMALL, page, report};
use crate::{catena, scene_of};
use catena::job::{self, Progress, ReportError, ReportOptions};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Mutex,
};

/// Figures that a page shows.
pub fn shown(page: &str) -> Vec<String> {
    let ids = page.split("<figure id=\"").skip(1);
    ids.map(|rest| rest.split('"').next().unwrap().to_string()).collect()
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.filter(|path| path.is_file());
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_string();
    files.map(|path| (name(&path), fs::read(&path).unwrap())).collect()
}

/// Checks the folder at the start of each part.
struct Looker {
    folder: PathBuf,
    seen: Mutex<Vec<(String, Vec<String>)>>,
}

impl Progress for Looker {
    fn part(&self, name: &str, number: u64, of: u64) {
        assert!((1..=of).contains(&number));
        let mut seen = self.seen.lock().unwrap();
        let Ok(page) = fs::read_to_string(self.folder.join("index.html")) else {
            assert!(seen.is_empty(), "a page that was there is gone");
            return;
        };
        let (shown, there) = (shown(&page), files(&self.folder));
        for ending in ["csv", "pdf", "png", "svg"] {
            assert!(shown.iter().all(|name| there.contains_key(&format!("{name}.{ending}"))));
        }
        // The page shows every file in the folder, and no file is from an older report: the page
        // with its style and script, figures, and the pictures of two panels in the contact sheet.
        let pictures = if shown.iter().any(|name| name == "strip") { 2 } else { 0 };
        assert_eq!(there.len(), 3 + 4 * shown.len() + pictures, "{name}");
        let frames = fs::read_dir(self.folder.join("player")).unwrap();
        assert_eq!(frames.count(), 3, "{name}");
        let note = page.split("Still to come: ").nth(1).unwrap().split('.').next().unwrap();
        assert!(note.starts_with(name), "{name}: {note}");
        seen.push((name.into(), shown));
    }

    fn part_reached(&self, done: u64, all: u64) {
        assert!(done <= all);
    }
}

#[test]
fn figures_appear_as_they_are_done() {
    let (scene, folder) = (scene_of(SMALL), tempfile::tempdir().unwrap());
    let out = folder.path().join("report");
    let options =
        ReportOptions { player_frames: 3, study_time: Some(0.3), ..ReportOptions::default() };
    for _ in ["first", "in place of the first"] {
        let looker = Looker { folder: out.clone(), seen: Mutex::default() };
        if out.exists() {
            // The checker tests whether all files belong to the new page.
            fs::remove_file(out.join("index.html")).unwrap();
        }
        let count = job::report(&scene, &out, &options, &looker, &()).unwrap().figures;
        let seen = looker.seen.into_inner().unwrap();
        let counts: Vec<usize> = seen.iter().map(|(_, shown)| shown.len()).collect();
        assert_eq!(counts[0], 0, "the player is there before the first figure");
        assert!(counts.is_sorted() && counts.len() == 13, "{counts:?}");
        let text = fs::read_to_string(out.join("index.html")).unwrap();
        assert_eq!(shown(&text).len(), count);
        assert!(!text.contains("Still to come"));
    }
}

#[test]
fn an_ended_report_says_what_is_missing_and_is_made_whole_by_the_next() {
    let (scene, folder) = (scene_of(SMALL), tempfile::tempdir().unwrap());
    let out = folder.path().join("report");
    let options = ReportOptions { study_time: Some(0.3), ..ReportOptions::default() };
    let has_two = || {
        let page = fs::read_to_string(out.join("index.html")).unwrap_or_default();
        shown(&page).len() >= 2
    };
    let ended = job::report(&scene, &out, &options, &(), &has_two);
    assert!(matches!(ended, Err(ReportError::Interrupted)));
    let text = fs::read_to_string(out.join("index.html")).unwrap();
    assert!(text.contains("Still to come: stability_map, stability_regions, reversal, "));
    job::report(&scene, &out, &options, &(), &()).unwrap();
    let whole = folder.path().join("whole");
    job::report(&scene, &whole, &options, &(), &()).unwrap();
    assert!(files(&out) == files(&whole));
}

/// A rope of 60 nodes that falls in space onto the ground and onto itself.
const ROPE: &str = "Scene(
    base: (
        size: (320, 240), frames: 60, frame_time: 0.02, substeps: 48, gravity: (0, -9.81, 0), rest: (limit: 200),
        colliders: [Plane(point: (0, 0, 0), normal: (0, 1, 0), friction: 0.6)],
        contact: (of: Drawn, thickness: 0.035, friction: 0.4),
        rope: (start: (0.03, 0.1, 0.01), end: (-0.03, 2.6, 0), nodes: 60, stiffness: 800, mass: 0.01, bending: 120, pins: []),
        camera: (eye: (0.4, 0.7, 1.15), target: (0, 0.2, 0)),
    ))";

#[test]
fn budgets_end_what_takes_too_long_and_all_of_it_is_said() {
    let little = ["--study-time", "0.4"];
    let folder = report(ROPE, &[&little[..], &["--threads", "1"]].concat());
    let text = page(folder.path());
    let caption = |name: &str| {
        let figure = text.split(&format!("<figure id=\"{name}\">")).nth(1).unwrap();
        figure.split("</figure>").next().unwrap().split("left-out").nth(1).map(str::to_string)
    };
    for name in ["strip", "energy_over_time", "path"] {
        assert!(
            caption(name).is_some_and(|text| text.contains("work limit of the figure")),
            "{name}"
        );
    }
    assert!(text.contains("The player ends at frame"));
    assert!(text.contains("in total 0.4 s"), "the budget is said");
    assert!(text.contains("catena report 'my scenes/small.ron' --study-time 0.4 --out report"));
    // The page contains the command with its output path, so both reports need the same path.
    fs::rename(folder.path().join("report"), folder.path().join("one")).unwrap();
    let run = catena()
        .current_dir(&folder)
        .args(["report", "my scenes/small.ron", "--out", "report", "--threads", "2"])
        .args(little)
        .assert()
        .success();
    let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    for part in
        ["1 of 14: player", "13 of 14: path", "note: The player ends", "note: Chosen frames"]
    {
        assert!(stderr.contains(part), "{part}: {stderr}");
    }
    let [one, two] = ["one", "report"].map(|name| files(&folder.path().join(name)));
    assert!(one == two, "the end of a budget depends on the number of threads");
}

#[test]
fn no_study_time_is_as_good_as_little() {
    let folder = report(SMALL, &["--study-time", "0", "--quiet"]);
    assert!(page(folder.path()).contains("The player ends at frame 0 instead of 11"));
    let folder = report(SMALL, &["--study-time", "inf", "--quiet"]);
    assert!(page(folder.path()).contains("The simulations for the figures have no time limit"));
    let run = catena().args(["report", "x.ron", "--study-time=-1"]).assert().code(2);
    let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(stderr.contains("seconds"), "{stderr}");
}
