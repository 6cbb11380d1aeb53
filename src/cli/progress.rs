//! What is said on standard error while a command works.

use super::args::{ProgressArgs, ProgressKind};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    io::{self, IsTerminal, Write},
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// How often a plain or JSON line is written at the most.
const PLAIN_PERIOD: Duration = Duration::from_secs(2);
const JSON_PERIOD: Duration = Duration::from_millis(200);

/// What is told, each at its own times.
const FRAMES: usize = 0;
const STEADY: usize = 1;

/// Reports to the person, or the program, that waits.
pub(super) struct Progress {
    voice: Voice,
    total: u64,
    written: AtomicU64,
    start: Instant,
    /// When something was last said of frames, and of the steady state.
    last: [Mutex<Instant>; 2],
}

enum Voice {
    Silent,
    Bar(ProgressBar),
    Plain,
    Json,
}

impl Progress {
    /// For a render of `total` frames.
    pub(super) fn new(args: &ProgressArgs, total: u64) -> Self {
        let voice = match args.progress {
            _ if args.quiet => Voice::Silent,
            ProgressKind::Json => Voice::Json,
            ProgressKind::Auto if io::stderr().is_terminal() => Voice::Bar(bar(total)),
            ProgressKind::Auto | ProgressKind::Plain => Voice::Plain,
        };
        let start = Instant::now();
        Self { voice, total, written: AtomicU64::new(0), start, last: [start; 2].map(Mutex::new) }
    }

    /// Something that should be known before the end.
    pub(super) fn note(&self, note: &str) {
        match &self.voice {
            Voice::Silent => {}
            Voice::Bar(bar) => bar.println(note),
            Voice::Plain => say(note),
            Voice::Json => say(&serde_json::json!({ "event": "note", "note": note }).to_string()),
        }
    }

    /// One more frame is written.
    pub(super) fn frame(&self) {
        self.frames(self.written.fetch_add(1, Ordering::Relaxed) + 1);
    }

    /// So many frames are written.
    fn frames(&self, done: u64) {
        let is_last = done == self.total;
        let seconds = self.start.elapsed().as_secs_f64().max(1e-9);
        let rate = done as f64 / seconds;
        match &self.voice {
            Voice::Silent => {}
            Voice::Bar(bar) => bar.set_position(done),
            Voice::Plain if self.is_due(FRAMES, PLAIN_PERIOD, false) => {
                let left = self.total.saturating_sub(done) as f64 / rate;
                say(&format!(
                    "{done} of {} frames, {rate:.0} frames/s, {left:.0} s left",
                    self.total
                ));
            }
            Voice::Json if self.is_due(FRAMES, JSON_PERIOD, is_last) => say(&format!(
                r#"{{"event":"frames","done":{done},"total":{},"frames_per_second":{rate:.1},"seconds":{seconds:.3}}}"#,
                self.total
            )),
            Voice::Plain | Voice::Json => {}
        }
    }

    /// The bodies are run until they rest; one of them is at this frame.
    pub(super) fn settling(&self, frame: u64) {
        match &self.voice {
            Voice::Silent => {}
            Voice::Bar(bar) => {
                if frame % 256 == 1 {
                    bar.set_message(format!("  steady state: frame {frame}"));
                }
            }
            Voice::Plain if self.is_due(STEADY, PLAIN_PERIOD, false) => {
                say(&format!("steady state: frame {frame}"));
            }
            Voice::Json if self.is_due(STEADY, JSON_PERIOD, false) => {
                say(&format!(r#"{{"event":"settling","frame":{frame}}}"#));
            }
            Voice::Plain | Voice::Json => {}
        }
    }

    /// No body is waited for any more.
    pub(super) fn settled(&self) {
        if let Voice::Bar(bar) = &self.voice {
            bar.set_message("");
        }
    }

    /// Everything is done: so many frames in all, others among them that were there already. `what` follows the number of frames,
    /// `place` says where all is.
    pub(super) fn done(&self, total: u64, what: &str, place: &str, notes: &[String]) {
        let seconds = self.start.elapsed().as_secs_f64();
        let drawn = self.written.load(Ordering::Relaxed);
        match &self.voice {
            Voice::Silent => return,
            Voice::Json => {
                let event = serde_json::json!({
                    "event": "done", "frames": total, "drawn": drawn, "folder": place, "notes": notes,
                });
                say(&event.to_string());
                return;
            }
            Voice::Bar(bar) => bar.finish_and_clear(),
            Voice::Plain => {}
        }
        notes.iter().for_each(|note| say(note));
        let there = match total - drawn.min(total) {
            0 => String::new(),
            there if there == total => " (all were there already)".into(),
            there => format!(" ({there} were there already)"),
        };
        let frames = if total == 1 { "frame" } else { "frames" };
        say(&format!("{total} {frames}{there}{what} in {place} ({seconds:.1} s)"));
    }

    /// A table that was asked for, even where everything else is quiet.
    pub(super) fn table(&self, table: &str) {
        say(table);
    }

    /// Whether it is time to say something again.
    fn is_due(&self, what: usize, period: Duration, always: bool) -> bool {
        let Ok(mut last) = self.last[what].lock() else { return false };
        let is_due = always || last.elapsed() >= period;
        if is_due {
            *last = Instant::now();
        }
        is_due
    }
}

fn bar(total: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
    let template = "{bar:32} {pos}/{len} frames  {per_sec}  {eta} left{msg}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("━╸─"));
    }
    bar
}

/// Writes a line to standard error; when that is closed there is nobody to tell.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
