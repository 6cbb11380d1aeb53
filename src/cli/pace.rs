//! Rate and remaining time of work that is counted in frames, and the timing of its messages.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// Seconds after which a rate is meaningful.
const LEAST_MEASURED: f64 = 0.2;

/// Progress of work that is counted in frames.
pub(super) struct Pace {
    total: AtomicU64,
    done: AtomicU64,
    passed_over: AtomicU64,
    /// Time of the start, and of the last message.
    times: Mutex<[Instant; 2]>,
    /// Last message.
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

    /// Whether a message is due, or `always`. If so, restarts the period.
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
        (done > 0 && seconds >= LEAST_MEASURED).then(|| done as f64 / seconds)
    }

    /// Rate as text, such as `12 frames/s` or `3.4 s a frame`. Empty until it is measured.
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

    /// Remaining time at the current rate, of at least one second. Empty until the rate is
    /// measured.
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

/// Joins the parts that are not empty by commas.
pub(super) fn joined<const N: usize>(parts: [String; N]) -> String {
    let said: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    said.join(", ")
}
