//! Progress messages on standard error: rates, remaining time, and the table of `--timings`.

use super::args::{ProgressArgs, ProgressKind};
use super::say;
use crate::instructions::Instructions;
use crate::job::{Progress, Stage};
use crate::sim::run::Path;
use crate::text::printable;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Minimum time between two updates of the bar's message about one kind of work.
const BAR_PERIOD: Duration = Duration::from_millis(100);
/// Minimum time between two plain lines about one kind of work.
const PLAIN_PERIOD: Duration = Duration::from_secs(2);
/// Minimum time between two JSON lines about one kind of work. The line about the last frame is not
/// delayed.
const JSON_PERIOD: Duration = Duration::from_millis(200);

/// Default noun of the counted items.
pub(super) const FRAMES: &str = "frames";

/// Reporter of progress to the user or a calling program.
pub(super) struct Reporter {
    voice: Voice,
    /// Progress of the frames that have to be made.
    frames: Pace,
    /// Number of finished frames and their total.
    position: Arc<Position>,
    /// Progress of all settling bodies, in frames.
    steady: Pace,
    timings: Timings,
}

enum Voice {
    Silent,
    /// The bar is created when the frames begin.
    Bar(OnceLock<ProgressBar>),
    Plain,
    Json,
}

/// State of a render, which outlives the reporter.
#[derive(Default)]
pub(super) struct Position {
    /// Number of finished frames, including those that already existed.
    there: AtomicU64,
    /// Number of frames; 0 until the frames begin.
    all: AtomicU64,
    /// Plural noun of the counted items, such as `frames`.
    what: Mutex<&'static str>,
}

impl Position {
    /// Plural noun of the counted items.
    pub(super) fn what(&self) -> &'static str {
        *self.what.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Number of finished frames and their total. `None` before the frames begin.
    pub(super) fn reached(&self) -> Option<[u64; 2]> {
        let all = self.all.load(Ordering::Relaxed);
        (all > 0).then(|| [self.there.load(Ordering::Relaxed), all])
    }
}

impl Reporter {
    pub(super) fn new(args: &ProgressArgs) -> Self {
        Self::of(args, FRAMES)
    }

    /// Creates a reporter for items other than frames. `what` is their plural noun.
    pub(super) fn of(args: &ProgressArgs, what: &'static str) -> Self {
        let voice = match args.progress {
            _ if args.quiet => Voice::Silent,
            ProgressKind::Json => Voice::Json,
            ProgressKind::Auto if io::stderr().is_terminal() => Voice::Bar(OnceLock::new()),
            ProgressKind::Auto | ProgressKind::Plain => Voice::Plain,
        };
        let (frames, steady) = (Pace::new(), Pace::new());
        let position = Arc::new(Position { what: Mutex::new(what), ..Position::default() });
        let timings = Timings::new();
        Self { voice, frames, position, steady, timings }
    }

    /// Shared state of the render.
    pub(super) fn position(&self) -> Arc<Position> {
        Arc::clone(&self.position)
    }

    /// Replaces the message about one kind of work after the bar, and keeps the message about the
    /// other kind.
    fn show(&self, bar: &OnceLock<ProgressBar>, what: &Pace, message: String) {
        if let Ok(mut last) = what.message.lock() {
            *last = message;
        }
        let both = [&self.frames, &self.steady];
        let message =
            both.map(|what| what.message.lock().map(|message| message.clone()).unwrap_or_default());
        if let Some(bar) = bar.get() {
            bar.set_message(message.concat());
        }
    }

    /// Reports the end of the work, with `total` frames including those that already existed, and
    /// the time since the reporter was created. `what` follows the number of frames. `place` is the
    /// destination.
    pub(super) fn done(&self, total: u64, what: &str, place: &str, notes: &[String]) {
        let seconds = self.timings.start.elapsed().as_secs_f64();
        let drawn = self.frames.done();
        match &self.voice {
            Voice::Silent => return,
            Voice::Json => {
                let event = serde_json::json!({
                    "event": "done", "frames": total, "drawn": drawn, "folder": place, "notes": notes,
                });
                say::aside_json(&event.to_string());
                return;
            }
            Voice::Bar(bar) => bar.get().into_iter().for_each(ProgressBar::finish_and_clear),
            Voice::Plain => {}
        }
        notes.iter().for_each(|note| say::aside(note));
        let there = match total - drawn.min(total) {
            0 => String::new(),
            there if there == total => " (all existed already)".into(),
            there => format!(" ({there} existed already)"),
        };
        let frames = if total == 1 { "frame" } else { "frames" };
        say::aside(&format!("{total} {frames}{there}{what} in {place} ({seconds:.1} s)"));
    }

    /// Removes the bar of abandoned work.
    pub(super) fn dismiss(&self) {
        if let Voice::Bar(bar) = &self.voice {
            bar.get().into_iter().for_each(ProgressBar::finish_and_clear);
        }
    }

    /// Reports the end of the work with one sentence.
    pub(super) fn finish(&self, message: impl FnOnce() -> String) {
        match &self.voice {
            Voice::Silent => {}
            Voice::Json => {
                let event = serde_json::json!({ "event": "done", "said": message() });
                say::aside_json(&event.to_string());
            }
            Voice::Bar(bar) => {
                bar.get().into_iter().for_each(ProgressBar::finish_and_clear);
                say::aside(&message());
            }
            Voice::Plain => say::aside(&message()),
        }
    }

    /// Prints the times of all stages, per frame, even in quiet mode.
    pub(super) fn timings(&self, frames: u64) {
        self.timings.table(frames).lines().for_each(say::aside);
    }
}

impl Progress for Reporter {
    fn begin(&self, total: u64, there: u64) {
        self.position.there.store(there, Ordering::Relaxed);
        self.position.all.store(total, Ordering::Relaxed);
        self.frames.begin(total.saturating_sub(there));
        if let Voice::Bar(cell) = &self.voice {
            cell.get_or_init(|| bar(total, there, self.position.what()));
        }
    }

    fn note(&self, text: &str) {
        match &self.voice {
            Voice::Silent => {}
            Voice::Bar(bar) => match bar.get() {
                Some(bar) => bar.println(printable::line(text)),
                None => say::aside(text),
            },
            Voice::Plain => say::aside(text),
            Voice::Json => {
                say::aside_json(&serde_json::json!({ "event": "note", "note": text }).to_string());
            }
        }
    }

    fn counts(&self, what: &'static str) {
        *self.position.what.lock().unwrap_or_else(PoisonError::into_inner) = what;
    }

    fn frame(&self) {
        let (frames, what) = (&self.frames, self.position.what());
        let drawn = frames.add(1);
        let done = self.position.there.fetch_add(1, Ordering::Relaxed) + 1;
        let total = self.position.all.load(Ordering::Relaxed);
        let is_last = done == total;
        match &self.voice {
            Voice::Silent => {}
            Voice::Bar(bar) => {
                bar.get().into_iter().for_each(|bar| bar.set_position(done));
                if is_last {
                    self.show(bar, frames, String::new());
                } else if frames.restart_if_due(BAR_PERIOD, drawn == 1) {
                    let message = joined([frames.rate_in_words(what), frames.left()]);
                    self.show(bar, frames, format!("  {message}"));
                }
            }
            Voice::Plain if frames.restart_if_due(PLAIN_PERIOD, false) && !is_last => {
                let reached = format!("{done} of {total} {what}");
                say::aside(&joined([reached, frames.rate_in_words(what), frames.left()]));
            }
            Voice::Json if frames.restart_if_due(JSON_PERIOD, is_last) => {
                say::aside_json(&format!(
                    r#"{{"event":"{what}","done":{done},"total":{total},"{what}_per_second":{:.1},"seconds":{:.3}}}"#,
                    frames.rate().unwrap_or(0.0),
                    frames.elapsed().as_secs_f64()
                ));
            }
            Voice::Plain | Voice::Json => {}
        }
    }

    fn settling_started(&self, frames: u64) {
        self.steady.begin(frames);
    }

    fn settling(&self, frame: u64, limit: u64) {
        let steady = &self.steady;
        let (done, all) = (steady.add(1), steady.total());
        let message = || {
            let left = steady.left();
            let left = if left.is_empty() { left } else { format!("at most {left}") };
            // Bodies run in parallel, so the frames of all bodies are counted.
            let reached = format!(
                "waiting for rest: frame {done} of at most {all}, summed over \
                                   all bodies"
            );
            joined([reached, left])
        };
        match &self.voice {
            Voice::Silent => {}
            Voice::Bar(bar) if steady.restart_if_due(BAR_PERIOD, done == 1) => {
                self.show(bar, steady, format!("  {}", message()));
            }
            Voice::Plain if steady.restart_if_due(PLAIN_PERIOD, false) => say::aside(&message()),
            Voice::Json if steady.restart_if_due(JSON_PERIOD, false) => {
                say::aside_json(&format!(
                    r#"{{"event":"settling","frame":{frame},"limit":{limit},"done":{done},"total":{all}}}"#
                ));
            }
            Voice::Bar(_) | Voice::Plain | Voice::Json => {}
        }
    }

    fn settled(&self, saved: u64) {
        self.steady.pass_over(saved);
    }

    fn settling_ended(&self) {
        if let Voice::Bar(bar) = &self.voice {
            self.show(bar, &self.steady, String::new());
        }
    }

    fn path(&self, body: &str, path: &Path) {
        self.timings.record_path(body, path);
    }

    fn spent(&self, stage: Stage, time: Duration) {
        self.timings.add(stage, time);
    }
}

fn bar(total: u64, there: u64, what: &str) -> ProgressBar {
    let bar = terminal_bar(Some(total), &format!("{{bar:32}} {{pos}}/{{len}} {what}{{msg}}"));
    bar.set_position(there);
    bar
}

/// Creates a bar on the terminal. `template` has the syntax of indicatif.
pub(super) fn terminal_bar(total: Option<u64>, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("━╸─"));
    }
    bar
}

/// Minimum time of a meaningful rate, in seconds.
const MIN_MEASURED: f64 = 0.2;

/// Progress of work that is counted in frames.
pub(super) struct Pace {
    total: AtomicU64,
    done: AtomicU64,
    passed_over: AtomicU64,
    /// Times of the start and of the last message.
    times: Mutex<[Instant; 2]>,
    /// Last message.
    pub(super) message: Mutex<String>,
}

impl Pace {
    pub(super) fn new() -> Self {
        Self {
            total: AtomicU64::new(0),
            done: AtomicU64::new(0),
            passed_over: AtomicU64::new(0),
            times: Mutex::new([Instant::now(); 2]),
            message: Mutex::default(),
        }
    }

    /// Starts work of `total` frames.
    pub(super) fn begin(&self, total: u64) {
        self.total.store(total, Ordering::Relaxed);
        if let Ok(mut times) = self.times.lock() {
            *times = [Instant::now(); 2];
        }
    }

    pub(super) fn total(&self) -> u64 {
        self.total.load(Ordering::Relaxed)
    }

    pub(super) fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Counts further frames, and returns the new total of finished ones.
    pub(super) fn add(&self, frames: u64) -> u64 {
        self.done.fetch_add(frames, Ordering::Relaxed) + frames
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.times.lock().map_or(Duration::ZERO, |times| times[0].elapsed())
    }

    /// Returns whether a message is due or `always` is set. If so, restarts the period.
    pub(super) fn restart_if_due(&self, period: Duration, always: bool) -> bool {
        let Ok(mut times) = self.times.lock() else { return false };
        let is_due = always || times[1].elapsed() >= period;
        if is_due {
            times[1] = Instant::now();
        }
        is_due
    }

    /// Marks frames of the total as not needed.
    pub(super) fn pass_over(&self, frames: u64) {
        self.passed_over.fetch_add(frames, Ordering::Relaxed);
    }

    /// Frames per second. `None` until the measurement is meaningful.
    pub(super) fn rate(&self) -> Option<f64> {
        let (done, seconds) = (self.done(), self.elapsed().as_secs_f64());
        (done > 0 && seconds >= MIN_MEASURED).then(|| done as f64 / seconds)
    }

    /// Rate as text, such as `12 frames/s` or `3.4 s per frame`. Empty until it is measured.
    pub(super) fn rate_in_words(&self, what: &str) -> String {
        let one = what.strip_suffix('s').unwrap_or(what);
        match self.rate() {
            None => String::new(),
            Some(rate @ 10.0..) => format!("{rate:.0} {what}/s"),
            Some(rate @ 1.0..) => format!("{rate:.1} {what}/s"),
            Some(rate) if rate > 1.0 / 60.0 => format!("{:.1} s per {one}", 1.0 / rate),
            Some(rate) => format!("{:.1} min per {one}", 1.0 / (60.0 * rate)),
        }
    }

    /// Remaining time at the current rate, at least one second. Empty until the rate is measured.
    pub(super) fn left(&self) -> String {
        let Some(rate) = self.rate() else { return String::new() };
        let reached = self.done() + self.passed_over.load(Ordering::Relaxed);
        let left = self.total().saturating_sub(reached);
        let seconds = (left as f64 / rate).ceil().max(1.0);
        match seconds {
            ..=120.0 => format!("{seconds} s left"),
            ..=7200.0 => format!("{} min left", (seconds / 60.0).ceil()),
            ..=172_800.0 => format!("{} h left", (seconds / 3600.0).ceil()),
            _ => format!("{} days left", (seconds / 86_400.0).ceil()),
        }
    }
}

/// Joins the non-empty parts with commas.
pub(super) fn joined<const N: usize>(parts: [String; N]) -> String {
    let message: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    message.join(", ")
}

/// Stages and their names in the table.
const STAGES: [(Stage, &str); 8] = [
    (Stage::Prepare, "prepare"),
    (Stage::Simulate, "simulate"),
    (Stage::Draw, "draw"),
    (Stage::Encode, "encode"),
    (Stage::Hash, "hash"),
    (Stage::Write, "write"),
    (Stage::Settle, "settle"),
    (Stage::Steady, "steady.png"),
];

/// Time spent in each stage, summed over all threads.
pub(super) struct Timings {
    start: Instant,
    nanoseconds: [AtomicU64; STAGES.len()],
    /// Execution path of each body's steps.
    paths: Mutex<Vec<(String, String)>>,
}

impl Timings {
    pub(super) fn new() -> Self {
        Self { start: Instant::now(), nanoseconds: Default::default(), paths: Mutex::default() }
    }

    /// Adds time to a stage.
    pub(super) fn add(&self, stage: Stage, time: Duration) {
        self.nanoseconds[stage as usize].fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }

    /// Stores the execution path of a body's steps.
    pub(super) fn record_path(&self, body: &str, path: &Path) {
        if let Ok(mut paths) = self.paths.lock() {
            let body = printable::line(body).into_owned();
            paths.retain(|(known, _)| *known != body);
            paths.push((body, path.to_string()));
        }
    }

    /// Table with the milliseconds of each stage, the microseconds per frame, and the share of the
    /// total. Further lines show the elapsed time, the vector instructions, and the execution path
    /// of each body's steps.
    pub(super) fn table(&self, frames: u64) -> String {
        let spent = |stage: Stage| self.nanoseconds[stage as usize].load(Ordering::Relaxed);
        let all: u64 = STAGES.into_iter().map(|(stage, _)| spent(stage)).sum();
        let mut table = format!("{:<12}{:>12}{:>14}{:>9}", "stage", "ms", "us per frame", "share");
        for (stage, name) in STAGES {
            let nanoseconds = spent(stage) as f64;
            // Writing to a string cannot fail.
            let _ = write!(
                table,
                "\n{:<12}{:>12.1}{:>14.1}{:>8.1}%",
                name,
                nanoseconds / 1e6,
                nanoseconds / 1e3 / frames.max(1) as f64,
                100.0 * nanoseconds / all.max(1) as f64,
            );
        }
        let wall = self.start.elapsed().as_secs_f64() * 1e3;
        let _ = write!(table, "\n{:<12}{wall:>12.1}", "elapsed");
        let _ = write!(table, "\n{:<12}{:>12}", "instructions", Instructions::best().name());
        for (body, path) in self.paths.lock().iter().flat_map(|paths| paths.iter()) {
            let _ = write!(table, "\n{body}: {path}");
        }
        table
    }
}
