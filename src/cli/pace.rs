//! Work that is counted in frames: how fast it goes, how long the rest takes, and when something
//! is said of it again.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// After so many seconds a rate says something.
const LEAST_MEASURED: f64 = 0.2;

/// Work that is counted in frames.
pub(super) struct Pace {
    total: AtomicU64,
    done: AtomicU64,
    passed_over: AtomicU64,
    /// When it began, and when something was last said of it.
    times: Mutex<[Instant; 2]>,
    /// What was last said of it.
    pub(super) said: Mutex<String>,
}

impl Pace {
    pub(super) fn new() -> Self {
        Self {
            total: AtomicU64::new(0),
            done: AtomicU64::new(0),
            passed_over: AtomicU64::new(0),
            times: Mutex::new([Instant::now(); 2]),
            said: Mutex::default(),
        }
    }

    /// So many frames begin now.
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

    /// So many more frames are done; how many are now.
    pub(super) fn add(&self, frames: u64) -> u64 {
        self.done.fetch_add(frames, Ordering::Relaxed) + frames
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.times.lock().map_or(Duration::ZERO, |times| times[0].elapsed())
    }

    /// Whether it is time to say something again, or in any case.
    pub(super) fn is_due(&self, period: Duration, always: bool) -> bool {
        let Ok(mut times) = self.times.lock() else { return false };
        let is_due = always || times[1].elapsed() >= period;
        if is_due {
            times[1] = Instant::now();
        }
        is_due
    }

    /// So many frames of the total need not be done.
    pub(super) fn pass_over(&self, frames: u64) {
        self.passed_over.fetch_add(frames, Ordering::Relaxed);
    }

    /// How many frames are done in a second; `None` until something is measured.
    pub(super) fn rate(&self) -> Option<f64> {
        let (done, seconds) = (self.done(), self.elapsed().as_secs_f64());
        (done > 0 && seconds >= LEAST_MEASURED).then(|| done as f64 / seconds)
    }

    /// The rate in words, of frames or whatever is counted: `12 frames/s`, `3.4 s a frame`; empty
    /// until something is measured.
    pub(super) fn rate_in_words(&self, what: &str) -> String {
        let one = what.strip_suffix('s').unwrap_or(what);
        match self.rate() {
            None => String::new(),
            Some(rate @ 10.0..) => format!("{rate:.0} {what}/s"),
            Some(rate @ 1.0..) => format!("{rate:.1} {what}/s"),
            Some(rate) if rate > 1.0 / 60.0 => format!("{:.1} s a {one}", 1.0 / rate),
            Some(rate) => format!("{:.1} min a {one}", 1.0 / (60.0 * rate)),
        }
    }

    /// How long the rest takes at the rate so far; empty until something is measured. There is
    /// always some time left while work goes on.
    pub(super) fn left(&self) -> String {
        let Some(rate) = self.rate() else { return String::new() };
        let behind = self.done() + self.passed_over.load(Ordering::Relaxed);
        let left = self.total().saturating_sub(behind);
        let seconds = (left as f64 / rate).ceil().max(1.0);
        match seconds {
            ..=120.0 => format!("{seconds} s left"),
            ..=7200.0 => format!("{} min left", (seconds / 60.0).ceil()),
            ..=172_800.0 => format!("{} h left", (seconds / 3600.0).ceil()),
            _ => format!("{} days left", (seconds / 86_400.0).ceil()),
        }
    }
}

/// Parts of a sentence with commas between them, those left out that are empty.
pub(super) fn joined<const N: usize>(parts: [String; N]) -> String {
    let said: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    said.join(", ")
}
