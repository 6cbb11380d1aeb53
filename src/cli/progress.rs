//! What is said on standard error while a command works.

use super::{
    args::{ProgressArgs, ProgressKind},
    say,
};
use crate::text::{number::counted, printable};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    io::{self, IsTerminal},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// How often something is said of a matter at the most: on a bar, as a plain line, as a line of JSON.
const BAR_PERIOD: Duration = Duration::from_millis(100);
const PLAIN_PERIOD: Duration = Duration::from_secs(2);
const JSON_PERIOD: Duration = Duration::from_millis(200);

/// Reports to the person, or the program, that waits.
pub(super) struct Progress {
    voice: Voice,
    frames: Counted,
    /// Frames that were there when the render began.
    there: u64,
    /// Frames of all bodies on their way to rest.
    steady: Counted,
}

enum Voice {
    Silent,
    Bar(ProgressBar),
    Plain,
    Json,
}

/// Work that is counted, in frames.
struct Counted {
    total: AtomicU64,
    done: Arc<AtomicU64>,
    /// When it began, and when something was last said of it.
    times: Mutex<[Instant; 2]>,
    /// What was last said of it.
    said: Mutex<String>,
}

impl Counted {
    fn new(total: u64) -> Self {
        let (total, done) = (AtomicU64::new(total), Arc::default());
        Self { total, done, times: Mutex::new([Instant::now(); 2]), said: Mutex::default() }
    }

    fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    fn elapsed(&self) -> Duration {
        self.times.lock().map_or(Duration::ZERO, |times| times[0].elapsed())
    }

    /// Whether it is time to say something again, or in any case.
    fn is_due(&self, period: Duration, always: bool) -> bool {
        let Ok(mut times) = self.times.lock() else { return false };
        let is_due = always || times[1].elapsed() >= period;
        if is_due {
            times[1] = Instant::now();
        }
        is_due
    }

    /// How many are done in a second.
    fn rate(&self) -> f64 {
        self.done() as f64 / self.elapsed().as_secs_f64().max(1e-9)
    }

    /// How long the rest takes at the rate so far. There is always some time left while work goes on.
    fn left(&self) -> String {
        let left = self.total.load(Ordering::Relaxed).saturating_sub(self.done());
        let seconds = (left as f64 / self.rate()).ceil().max(1.0);
        match seconds {
            ..=120.0 => format!("{seconds} s left"),
            ..=7200.0 => format!("{} min left", (seconds / 60.0).ceil()),
            ..=172_800.0 => format!("{} h left", (seconds / 3600.0).ceil()),
            _ => format!("{} days left", (seconds / 86_400.0).ceil()),
        }
    }
}

impl Progress {
    /// For a render of `total` frames, of which so many are there already.
    pub(super) fn new(args: &ProgressArgs, total: u64, there: u64) -> Self {
        let voice = match args.progress {
            _ if args.quiet => Voice::Silent,
            ProgressKind::Json => Voice::Json,
            ProgressKind::Auto if io::stderr().is_terminal() => Voice::Bar(bar(total, there)),
            ProgressKind::Auto | ProgressKind::Plain => Voice::Plain,
        };
        let frames = Counted::new(total.saturating_sub(there));
        Self { voice, frames, there, steady: Counted::new(0) }
    }

    /// Tells how many frames are written, however long it lives.
    pub(super) fn counter(&self) -> impl Fn() -> u64 + Send + 'static {
        let (done, there) = (Arc::clone(&self.frames.done), self.there);
        move || there + done.load(Ordering::Relaxed)
    }

    /// Something that should be known before the end.
    pub(super) fn note(&self, note: &str) {
        match &self.voice {
            Voice::Silent => {}
            Voice::Bar(bar) => bar.println(printable::line(note)),
            Voice::Plain => say::aside(note),
            Voice::Json => {
                say::aside_json(&serde_json::json!({ "event": "note", "note": note }).to_string());
            }
        }
    }

    /// One more frame is written.
    pub(super) fn frame(&self) {
        let frames = &self.frames;
        let drawn = frames.done.fetch_add(1, Ordering::Relaxed) + 1;
        let (done, total) = (self.there + drawn, self.there + frames.total.load(Ordering::Relaxed));
        let is_last = done == total;
        match &self.voice {
            Voice::Silent => {}
            Voice::Bar(bar) => {
                bar.set_position(done);
                if is_last {
                    self.show(bar, frames, String::new());
                } else if frames.is_due(BAR_PERIOD, drawn == 1) {
                    let said = format!("  {:.0} frames/s, {}", frames.rate(), frames.left());
                    self.show(bar, frames, said);
                }
            }
            Voice::Plain if frames.is_due(PLAIN_PERIOD, false) && !is_last => say::aside(&format!(
                "{done} of {total} frames, {:.0} frames/s, {}",
                frames.rate(),
                frames.left()
            )),
            Voice::Json if frames.is_due(JSON_PERIOD, is_last) => say::aside_json(&format!(
                r#"{{"event":"frames","done":{done},"total":{total},"frames_per_second":{:.1},"seconds":{:.3}}}"#,
                frames.rate(),
                frames.elapsed().as_secs_f64()
            )),
            Voice::Plain | Voice::Json => {}
        }
    }

    /// From now on bodies are run until they rest, for so many frames in all at the most.
    pub(super) fn settle(&self, frames: u64) {
        self.steady.total.store(frames, Ordering::Relaxed);
        if let Ok(mut times) = self.steady.times.lock() {
            *times = [Instant::now(); 2];
        }
    }

    /// One of them has come to this frame of at most `limit`.
    pub(super) fn settling(&self, frame: u64, limit: u64) {
        let steady = &self.steady;
        let done = steady.done.fetch_add(1, Ordering::Relaxed) + 1;
        let said =
            || format!("steady state: frame {frame} of at most {limit}, at most {}", steady.left());
        match &self.voice {
            Voice::Silent => {}
            Voice::Bar(bar) if steady.is_due(BAR_PERIOD, done == 1) => {
                self.show(bar, steady, format!("  {}", said()));
            }
            Voice::Plain if steady.is_due(PLAIN_PERIOD, false) => say::aside(&said()),
            Voice::Json if steady.is_due(JSON_PERIOD, false) => {
                say::aside_json(&format!(
                    r#"{{"event":"settling","frame":{frame},"limit":{limit}}}"#
                ));
            }
            Voice::Bar(_) | Voice::Plain | Voice::Json => {}
        }
    }

    /// One of them is through, so many frames before its limit.
    pub(super) fn has_settled(&self, early: u64) {
        self.steady.done.fetch_add(early, Ordering::Relaxed);
    }

    /// No body is waited for any more.
    pub(super) fn settled(&self) {
        if let Voice::Bar(bar) = &self.voice {
            self.show(bar, &self.steady, String::new());
        }
    }

    /// Puts what is said of one matter behind the bar, beside what was said of the other one.
    fn show(&self, bar: &ProgressBar, what: &Counted, said: String) {
        if let Ok(mut last) = what.said.lock() {
            *last = said;
        }
        let both = [&self.frames, &self.steady];
        let said = both.map(|what| what.said.lock().map(|said| said.clone()).unwrap_or_default());
        bar.set_message(said.concat());
    }

    /// Everything is done: so many frames in all, others among them that were there already. `what` follows the number of frames,
    /// `place` says where all is.
    pub(super) fn done(&self, total: u64, what: &str, place: &str, notes: &[String]) {
        let seconds = self.frames.elapsed().as_secs_f64();
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
            Voice::Bar(bar) => bar.finish_and_clear(),
            Voice::Plain => {}
        }
        notes.iter().for_each(|note| say::aside(note));
        let there = match total - drawn.min(total) {
            0 => String::new(),
            there if there == total => " (all were there already)".into(),
            there => format!(" ({there} were there already)"),
        };
        let frames = counted(total, "frame");
        say::aside(&format!("{frames}{there}{what} in {place} ({seconds:.1} s)"));
    }

    /// A table that was asked for, even where everything else is quiet.
    pub(super) fn table(&self, table: &str) {
        table.lines().for_each(say::aside);
    }
}

fn bar(total: u64, there: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
    bar.set_position(there);
    let template = "{bar:32} {pos}/{len} frames{msg}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("━╸─"));
    }
    bar
}
