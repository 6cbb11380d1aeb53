//! Jobs called as functions: options are checked, interruptions are respected, and return values
//! are correct.

use crate::rendered::{TINY, tree};
use catena::film::FilmError;
use catena::job::{
    self, DiffOptions, FilmOptions, FrameChoice, FrameError, FrameOptions, MAX_FRAMES, Progress,
    RenderError, RenderOptions, ReportOptions, RunError, SceneFilmOptions, StabilityOptions, Trace,
    TraceFormat, TraceOptions, TraceTable,
};
use catena::scene::{Limits, Scene};
use image::RgbImage;
use std::{
    ffi::OsStr,
    fs,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

fn tiny() -> Scene {
    TINY.parse().unwrap()
}

/// All frames, in memory.
fn pictures(scene: &Scene, options: &FrameOptions) -> Result<Vec<(u64, RgbImage)>, FrameError> {
    let mut pictures = Vec::new();
    job::frames(scene, options, &(), &(), |frame, image| {
        pictures.push((frame, image.clone()));
        Ok::<(), FrameError>(())
    })?;
    Ok(pictures)
}

#[test]
fn frames_in_memory_are_those_of_a_folder_whatever_the_threads() {
    let (scene, folder) = (tiny(), tempfile::tempdir().unwrap());
    let out = folder.path().join("out");
    let options = RenderOptions { steady: false, ..RenderOptions::default() };
    let rendered = job::render(&scene, &out, &options, &(), &()).unwrap();
    assert_eq!((rendered.frames, rendered.has_steady), (20, false));
    for threads in [None, Some(1), Some(3)] {
        let options = FrameOptions { threads, ..FrameOptions::default() };
        let all = pictures(&scene, &options).unwrap();
        assert!(all.iter().map(|(frame, _)| *frame).eq(0..20));
        for (frame, picture) in &all {
            let file = image::open(out.join(format!("frame_{frame:05}.png"))).unwrap();
            assert_eq!(file.as_bytes(), picture.as_raw().as_slice(), "{threads:?} {frame}");
        }
    }
    let part = FrameOptions { frames: FrameChoice::Part(7..9), ..FrameOptions::default() };
    let part = pictures(&scene, &part).unwrap();
    assert_eq!(part[1], (8, job::draw(&scene, 8).unwrap()));
}

#[test]
fn a_scene_is_read_from_text_or_refused_with_words() {
    assert_eq!(tiny().name, "scene");
    for (text, expected) in [("", "empty"), ("Scene(base: (drag: -1))", "drag"), ("Scene(", "")] {
        let error = text.parse::<Scene>().unwrap_err();
        assert!(error.report(false).contains(expected), "{text}: {error}");
    }
}

/// Message about a refused option.
fn refused(error: impl std::fmt::Display, words: &[&str]) {
    let message = error.to_string();
    assert!(words.iter().all(|word| message.contains(word)), "{message}: {words:?}");
}

#[test]
fn frames_out_of_range_are_refused_with_words() {
    let mut scene = tiny();
    for frame in [MAX_FRAMES, u64::MAX] {
        refused(job::draw(&scene, frame).unwrap_err(), &["frames", "1000000000"]);
    }
    // Within the range of names and tables, but above the limits of a run.
    refused(job::draw(&scene, MAX_FRAMES - 1).unwrap_err(), &["more than the limit"]);
    let none = |frames| {
        let options = FrameOptions { frames, ..FrameOptions::default() };
        pictures(&scene, &options).unwrap_err()
    };
    refused(none(FrameChoice::First(0)), &["frames: 0"]);
    refused(none(FrameChoice::Part(5..5)), &["5..5"]);
    let options = |size| FrameOptions { size: Some(size), ..FrameOptions::default() };
    refused(
        pictures(&scene, &options([0, 64])).unwrap_err(),
        &["size: each side of 0x64", "from 64"],
    );
    refused(pictures(&scene, &options([9000, 64])).unwrap_err(), &["9000 pixels", "8192"]);
    let threads = FrameOptions { threads: Some(0), ..FrameOptions::default() };
    refused(pictures(&scene, &threads).unwrap_err(), &["threads: 0"]);
    let font = FrameOptions { fonts: vec!["/no/font".into()], ..FrameOptions::default() };
    refused(pictures(&scene, &font).unwrap_err(), &["cannot use the font file /no/font"]);
    let limits = Limits::default().with_minutes(1e-9);
    let limited = FrameOptions { limits, ..FrameOptions::default() };
    refused(pictures(&scene, &limited).unwrap_err(), &["would take"]);
    let mut changed = scene.clone();
    changed.panels.clear();
    refused(job::draw(&changed, 0).unwrap_err(), &["panels"]);
    scene.frames = 0;
    refused(pictures(&scene, &FrameOptions::default()).unwrap_err(), &["frames: 0"]);
    let grid: String = "(label: \"A\"), ".repeat(60);
    let crowd: Scene = format!("Scene(base: (size: (64, 64)), panels: [{grid}])").parse().unwrap();
    refused(job::draw(&crowd, 0).unwrap_err(), &["scene: a picture of 64x64 is too small"]);
}

#[test]
fn options_of_every_job_are_checked() {
    let (scene, folder) = (tiny(), tempfile::tempdir().unwrap());
    let out = folder.path().join("out");
    let usual = RenderOptions::default();
    for (options, word) in [
        (RenderOptions { shared: Some(Duration::ZERO), ..usual.clone() }, "shared"),
        (RenderOptions { checkpoint_every: Some(0), ..usual.clone() }, "checkpoint_every"),
        (RenderOptions { steady_time: Some(f64::NAN), ..usual.clone() }, "steady_time"),
        (RenderOptions { size: Some([64, 1]), ..usual.clone() }, "size"),
        (RenderOptions { threads: Some(2000), ..usual }, "threads"),
    ] {
        let error = job::render(&scene, &out, &options, &(), &()).unwrap_err();
        assert!(matches!(error, RenderError::Run(RunError::Option(_))), "{error}");
        refused(error, &[word]);
    }
    let usual = ReportOptions::default();
    for (options, word) in [
        (ReportOptions { strip: Some(vec![20]), ..usual.clone() }, "--strip 20"),
        (ReportOptions { nodes: Some(vec![4]), ..usual.clone() }, "--nodes 4"),
        (ReportOptions { player_frames: 0, ..usual }, "player_frames"),
    ] {
        refused(job::report(&scene, &out, &options, &(), &()).unwrap_err(), &[word]);
    }
    for (film, word) in [
        (FilmOptions { quality: Some(52), ..FilmOptions::default() }, "quality"),
        (FilmOptions { preset: Some("quick".into()), ..FilmOptions::default() }, "preset"),
        (FilmOptions { threads: Some(0), ..FilmOptions::default() }, "threads"),
        (FilmOptions { patience: Duration::ZERO, ..FilmOptions::default() }, "patience"),
    ] {
        let options = SceneFilmOptions { film, ..SceneFilmOptions::default() };
        let output = folder.path().join("film.gif");
        let made = job::film_scene(&scene, output.as_os_str(), &options, &(), &());
        refused(made.unwrap_err(), &[word]);
    }
    let options = StabilityOptions { frames: Some(0), ..StabilityOptions::default() };
    refused(job::stable_steps(&scene, &options).unwrap_err(), &["frames: 0"]);
    let options = TraceOptions { frames: Some(0), ..TraceOptions::default() };
    refused(Trace::new(&scene, &options).err().unwrap(), &["frames: 0"]);
    let mut options = DiffOptions::default();
    options.tolerance.max_pixels = 2.0;
    refused(job::diff(&out, &out, &options).unwrap_err(), &["max_pixels"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was begun");
}

/// Counts calls.
#[derive(Default)]
struct Counter {
    frames: AtomicU64,
    begun: Mutex<Vec<[u64; 2]>>,
}

impl Progress for Counter {
    fn begin(&self, total: u64, there: u64) {
        self.begun.lock().unwrap().push([total, there]);
    }

    fn frame(&self) {
        self.frames.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn an_interrupted_render_goes_on_where_it_was() {
    let (scene, folder) = (tiny(), tempfile::tempdir().unwrap());
    let whole = folder.path().join("whole");
    let options = RenderOptions { threads: Some(1), ..RenderOptions::default() };
    job::render(&scene, &whole, &options, &(), &()).unwrap();
    for shared in [None, Some(Duration::from_secs(60))] {
        let out = folder.path().join(if shared.is_some() { "shared" } else { "own" });
        let options = RenderOptions { shared, ..options.clone() };
        let counter = Counter::default();
        let is_enough = || counter.frames.load(Ordering::Relaxed) >= 5;
        let error = job::render(&scene, &out, &options, &counter, &is_enough).unwrap_err();
        let RenderError::Interrupted { there, frames: 20 } = error else { panic!("{error}") };
        assert_eq!(there, counter.frames.load(Ordering::Relaxed), "{shared:?}");
        assert!((5..20).contains(&there), "{there}");
        let second = Counter::default();
        let rendered = job::render(&scene, &out, &options, &second, &()).unwrap();
        assert!(rendered.has_steady && rendered.bodies.iter().all(|body| body.ending.is_some()));
        assert_eq!(*second.begun.lock().unwrap(), [[20, there]]);
        assert_eq!(second.frames.load(Ordering::Relaxed), 20 - there);
        assert_eq!(tree(&out), tree(&whole), "{shared:?}");
    }
}

#[test]
fn an_interruption_ends_every_job_that_takes_one() {
    let (scene, folder) = (tiny(), tempfile::tempdir().unwrap());
    let now = || true;
    let show = |_, _: &RgbImage| Ok::<(), FrameError>(());
    let shown = job::frames(&scene, &FrameOptions::default(), &(), &now, show);
    assert!(matches!(shown, Err(FrameError::Interrupted)));
    let film = folder.path().join("film.gif");
    let options = SceneFilmOptions::default();
    let made = job::film_scene(&scene, film.as_os_str(), &options, &(), &now);
    refused(made.unwrap_err(), &["interrupted"]);
    let out = folder.path().join("out");
    let options = ReportOptions::default();
    refused(job::report(&scene, &out, &options, &(), &now).unwrap_err(), &["interrupted"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    job::render(&scene, &out, &RenderOptions::default(), &(), &()).unwrap();
    let options = FilmOptions::default();
    let made = job::film_folder(&out, None, film.as_os_str(), &options, &(), &now);
    assert!(matches!(made, Err(FilmError::Stopped)));
    assert!(!film.exists());
    let mut table = Vec::new();
    let trace = Trace::new(&scene, &TraceOptions::default()).unwrap();
    assert!(trace.write(&mut table, &now).unwrap().diverged.is_empty());
    assert_eq!(String::from_utf8(table).unwrap().lines().count(), 1, "the names of the columns");
}

#[test]
fn the_first_error_of_a_callback_ends_the_frames() {
    let mut seen = 0;
    let error = job::frames(&tiny(), &FrameOptions::default(), &(), &(), |frame, _| {
        seen += 1;
        match frame {
            3 => Err(Box::<dyn std::error::Error + Send + Sync>::from("enough")),
            _ => Ok(()),
        }
    });
    assert_eq!((error.unwrap_err().to_string().as_str(), seen), ("enough", 4));
}

#[test]
fn traces_checks_and_stable_steps_tell_what_the_command_line_prints() {
    let scene = tiny();
    let options = TraceOptions {
        frames: Some(3),
        table: TraceTable::Energy,
        format: TraceFormat::Csv,
        ..TraceOptions::default()
    };
    let mut table = Vec::new();
    Trace::new(&scene, &options).unwrap().write(&mut table, &()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("scene.ron"), TINY).unwrap();
    let printed = |words: &str| {
        let run = crate::catena().current_dir(&folder).args(words.split(' ')).output().unwrap();
        String::from_utf8(run.stdout).unwrap()
    };
    let expected = printed("trace scene.ron --frames 3 --energy");
    assert_eq!(String::from_utf8(table).unwrap(), expected);
    let found = job::stable_steps(&scene, &StabilityOptions::default()).unwrap();
    let expected = printed("stability scene.ron --csv");
    for (found, line) in found.iter().zip(expected.lines().skip(1)) {
        assert!(line.contains(&format!(",{:?},32.0,", found.dt)), "{line}");
    }
    let checked = job::check(&scene, &Limits::default(), &[]).unwrap();
    let expected = printed("check scene.ron");
    assert!(checked.cautions.iter().all(|caution| expected.contains(&caution.to_string())));
    assert_eq!(checked.estimate.frames, 20);
    let same = job::diff(folder.path(), folder.path(), &DiffOptions::default());
    refused(same.unwrap_err(), &["no *.png"]);
}

#[test]
fn a_film_of_a_folder_is_that_of_the_scene() {
    let (scene, folder) = (tiny(), tempfile::tempdir().unwrap());
    let [out, one, two] = ["out", "one.apng", "two.apng"].map(|name| folder.path().join(name));
    let options = RenderOptions { steady: false, ..RenderOptions::default() };
    job::render(&scene, &out, &options, &(), &()).unwrap();
    let film = |path: &Path| path.as_os_str().to_owned();
    let options = FilmOptions::default();
    let made = job::film_folder(&out, None, &film(&one), &options, &(), &()).unwrap();
    assert_eq!(made.frames, 20);
    let options = SceneFilmOptions::default();
    let made = job::film_scene(&scene, &film(&two), &options, &(), &()).unwrap();
    assert_eq!(made.film.map(|film| film.frames), Some(20));
    assert_eq!(fs::read(one).unwrap(), fs::read(two).unwrap());
    let frame = film(&out.join("manifest.json"));
    let options =
        FilmOptions { format: Some(catena::film::FilmFormat::Gif), ..FilmOptions::default() };
    let of_scene = SceneFilmOptions { film: options.clone(), ..SceneFilmOptions::default() };
    let made = job::film_scene(&scene, &frame, &of_scene, &(), &());
    refused(made.unwrap_err(), &["belongs to the frames"]);
    let made = job::film_folder(&out, None, &frame, &options, &(), &());
    refused(made.unwrap_err(), &["belongs to the frames"]);
    let made = job::film_folder(&out, None, OsStr::new("film"), &FilmOptions::default(), &(), &());
    refused(made.unwrap_err(), &["has no known film format"]);
}

#[test]
fn a_trace_of_one_panel_has_the_rows_of_that_panel() {
    let scene = crate::scene_of(
        "Scene(base: (frames: 3, rope: (nodes: 3)), panels: [(label: \"A\"), (label: \"B\", \
         with: (substeps: 8, bodies: [(), (with: (drag: 0.1))])), (label: \"C\")])",
    );
    let trace = |panel: Option<&str>| {
        let panel = panel.map(str::to_owned);
        let options = TraceOptions { panel, ..TraceOptions::default() };
        let mut table = Vec::new();
        Trace::new(&scene, &options)?.write(&mut table, &()).map_err(|it| {
            it.of_output(|cause| catena::output::OutputError::new("write", "it", cause))
        })?;
        Ok::<_, RunError>(String::from_utf8(table).unwrap())
    };
    let all = trace(None).unwrap();
    let own = |line: &&str| line.starts_with("frame") || line.split(',').nth(2) == Some("1");
    let expected: Vec<&str> = all.lines().filter(own).collect();
    assert_eq!(expected.len(), 1 + 3 * 2 * 3);
    for name in ["B", "2"] {
        assert_eq!(trace(Some(name)).unwrap().lines().collect::<Vec<_>>(), expected);
    }
    let error = trace(Some("D")).unwrap_err().to_string();
    assert!(error.contains("the panels are 1 “A”, 2 “B”, 3 “C”"), "{error}");
}
