//! Pictures in memory for a page in a browser.

use super::{Pictures, words};
use crate::job::{
    FrameError, FrameOptions, FrameOrder, Interruption, Progress, RenderError, Rendered, RunError,
    cautions, pictures,
};
use catena_base::text::{number::bytes, printable};
use catena_draw::theme::Theme;
use catena_scene::Scene;
use serde::Serialize;
use std::{
    collections::BTreeMap,
    ops::RangeInclusive,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// Default limit on the bytes of all pictures of an edition. Further pictures are not rendered.
pub const MAX_BYTES: u64 = 512 << 20;

/// Pictures and messages for a page. Clones share the same pictures.
#[derive(Clone)]
pub struct ShownPictures {
    shared: Arc<SharedPage>,
    options: FrameOptions,
    max_bytes: u64,
}

#[derive(Default)]
struct SharedPage {
    state: Mutex<PageState>,
    changed: Condvar,
}

/// Current state of the pictures.
#[derive(Default)]
struct PageState {
    /// Number of changes so far.
    version: u64,
    shown: Option<Shown>,
    /// Error that makes the newest edition unusable.
    error: Option<String>,
    is_busy: bool,
    /// Frame that a page requested last.
    looked_at: u64,
    /// Whether a page has changed a number. A few frames from the whole range then show the effect
    /// best.
    is_tuned: bool,
    is_over: bool,
}

/// The pictures of one edition.
struct Shown {
    edition: u64,
    title: String,
    size: [u32; 2],
    is_light: bool,
    /// Number of frames, and simulated time between frames in seconds.
    count: u64,
    seconds: f64,
    frames: BTreeMap<u64, Arc<[u8]>>,
    bytes: u64,
    note: Option<String>,
}

/// State for a page, serialized as JSON.
#[derive(Serialize)]
struct PageStateJson<'a> {
    /// Edition that the pictures belong to. 0 if there are no pictures.
    edition: u64,
    title: &'a str,
    size: [u32; 2],
    light: bool,
    /// Number of frames of the edition.
    count: u64,
    /// Simulated time between frames in seconds.
    seconds: f64,
    /// Ranges of finished frames, as first and last frame.
    there: Vec<[u64; 2]>,
    busy: bool,
    error: Option<&'a str>,
    note: Option<&'a str>,
}

impl PageState {
    fn to_json(&self) -> String {
        let shown = self.shown.as_ref();
        let page_state = PageStateJson {
            edition: shown.map_or(0, |shown| shown.edition),
            title: shown.map_or("catena watch", |shown| &shown.title),
            size: shown.map_or([0; 2], |shown| shown.size),
            light: shown.is_some_and(|shown| shown.is_light),
            count: shown.map_or(0, |shown| shown.count),
            seconds: shown.map_or(0.0, |shown| shown.seconds),
            there: shown.map(|shown| runs(shown.frames.keys().copied())).unwrap_or_default(),
            busy: self.is_busy,
            error: self.error.as_deref(),
            note: shown.and_then(|shown| shown.note.as_deref()),
        };
        serde_json::to_string(&page_state).unwrap_or_default()
    }
}

/// Groups consecutive numbers into ranges, as first and last number.
fn runs(numbers: impl Iterator<Item = u64>) -> Vec<[u64; 2]> {
    let mut runs: Vec<[u64; 2]> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some([_, last]) if *last + 1 == number => *last = number,
            _ => runs.push([number; 2]),
        }
    }
    runs
}

impl ShownPictures {
    /// Creates an empty set of pictures. `options` apply to all frames. `max_bytes` limits the
    /// bytes per edition, for example [`MAX_BYTES`].
    pub fn new(options: &FrameOptions, max_bytes: u64) -> Self {
        Self { shared: Arc::default(), options: options.clone(), max_bytes }
    }

    fn state(&self) -> MutexGuard<'_, PageState> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<R>(&self, change: impl FnOnce(&mut PageState) -> R) -> R {
        let mut state = self.state();
        let result = change(&mut state);
        state.version += 1;
        drop(state);
        self.shared.changed.notify_all();
        result
    }

    /// Returns the number of the current state, and the state as JSON.
    pub fn numbered_json(&self) -> (u64, String) {
        let state = self.state();
        (state.version, state.to_json())
    }

    /// Waits at most `time` for a state other than `version`. `None` if no such state is reported
    /// in that time, or if the server ends.
    pub(super) fn state_after(&self, version: u64, time: Duration) -> Option<(u64, String)> {
        let is_same = |state: &mut PageState| state.version == version && !state.is_over;
        let waited = self.shared.changed.wait_timeout_while(self.state(), time, is_same);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let is_new = state.version != version && !state.is_over;
        is_new.then(|| (state.version, state.to_json()))
    }

    /// Returns the PNG file of a frame if it exists. Records that the page shows this frame.
    pub fn picture(&self, edition: u64, frame: u64) -> Option<Arc<[u8]>> {
        let mut state = self.state();
        let shown = state.shown.as_ref().filter(|shown| shown.edition == edition)?;
        let picture = shown.frames.get(&frame).cloned()?;
        state.looked_at = frame;
        Some(picture)
    }

    /// Number and total bytes of the stored pictures.
    pub fn kept(&self) -> (usize, u64) {
        self.state().shown.as_ref().map_or((0, 0), |shown| (shown.frames.len(), shown.bytes))
    }

    /// Records whether a page has changed numbers of the scene.
    pub(super) fn tune(&self, is_tuned: bool) {
        self.change(|state| state.is_tuned = is_tuned);
    }

    /// Ends all waits. No further state is reported.
    pub(super) fn end(&self) {
        self.change(|state| state.is_over = true);
    }

    /// Stores a picture. The first picture of an edition discards the pictures of the previous
    /// edition. Returns whether another picture is within the limit on bytes.
    fn take(&self, edition: u64, scene: &Scene, count: u64, frame: u64, picture: &[u8]) -> bool {
        let size = self.options.size.unwrap_or(scene.size);
        let new = || Shown {
            edition,
            title: printable::line(scene.title.as_deref().unwrap_or(&scene.name)).into_owned(),
            size,
            is_light: Theme::of(scene).is_light(),
            count,
            seconds: scene.frame_time(),
            frames: BTreeMap::new(),
            bytes: 0,
            note: None,
        };
        self.change(|state| {
            let shown = match &mut state.shown {
                Some(shown) if shown.edition == edition => shown,
                other => other.insert(new()),
            };
            let earlier = shown.frames.insert(frame, picture.into());
            let earlier = earlier.map_or(0, |earlier| earlier.len() as u64);
            shown.bytes = (shown.bytes + picture.len() as u64).saturating_sub(earlier);
            shown.bytes < self.max_bytes
        })
    }

    /// Range of the requested frames.
    fn range(&self, scene: &Scene) -> Result<RangeInclusive<u64>, RunError> {
        let range = self.options.frames.of(scene)?;
        Ok(range.start..=range.end.saturating_sub(1))
    }

    /// Adds the warnings about a scene to the page, whose readers do not see the terminal. An
    /// example is a step above the stability limit.
    fn warn(&self, scene: &Scene, count: u64) {
        let cautions = cautions(scene, count, &self.options.fonts).unwrap_or_default();
        let warnings = cautions.into_iter().filter(|it| it.is_warning).map(|it| it.text);
        let note = warnings.collect::<Vec<_>>().join("\n");
        self.change(|state| {
            if let Some(shown) = &mut state.shown {
                shown.note = Some(note).filter(|note| !note.is_empty());
            }
        });
    }

    /// Adds a note to the page that the limit on bytes is reached, and returns the result of the
    /// edition.
    fn stop_when_full(&self, count: u64) -> Rendered {
        let there = self.change(|state| {
            let shown = state.shown.as_mut()?;
            let there = shown.frames.len() as u64;
            shown.note = Some(format!(
                "Only {there} of {count} frames are shown, because pictures may take at most {}. \
                 Use --frames for fewer frames, or --size for smaller ones.",
                bytes(self.max_bytes.into())
            ));
            Some(there)
        });
        let frames = there.unwrap_or_default();
        Rendered { frames, has_steady: false, note: None, bodies: Vec::new() }
    }
}

impl Pictures for ShownPictures {
    fn make(
        &mut self,
        edition: u64,
        scene: &Scene,
        progress: &dyn Progress,
        interruption: &dyn Interruption,
    ) -> Result<Rendered, RenderError> {
        let range = self.range(scene)?;
        let count = range.end() + 1;
        let order = self.change(|state| {
            state.is_busy = true;
            let first = state.looked_at.min(*range.end());
            if state.is_tuned { FrameOrder::CoarseFrom(first) } else { FrameOrder::From(first) }
        });
        let is_full = AtomicBool::new(false);
        let end = Until { interruption, is_full: &is_full };
        let made = pictures(scene, &self.options, order, progress, &end, |frame, picture| {
            if !self.take(edition, scene, count, frame, picture) {
                is_full.store(true, Ordering::Relaxed);
            }
        });
        self.change(|state| state.is_busy = false);
        match made {
            Ok(bodies) => {
                self.warn(scene, count);
                Ok(Rendered { frames: count, has_steady: false, note: None, bodies })
            }
            Err(FrameError::Interrupted) if is_full.load(Ordering::Relaxed) => {
                Ok(self.stop_when_full(count))
            }
            Err(FrameError::Interrupted) => {
                Err(RenderError::Interrupted { there: self.kept().0 as u64, frames: count })
            }
            Err(FrameError::Run(error)) => Err(error.into()),
        }
    }

    fn refuse(&mut self, error: &RunError) {
        self.change(|state| state.error = Some(printable::text(&words(error)).into_owned()));
    }

    fn started(&mut self) {
        self.change(|state| (state.error, state.is_busy) = (None, true));
    }
}

/// Interruption by the caller or by a full store.
struct Until<'a> {
    interruption: &'a dyn Interruption,
    is_full: &'a AtomicBool,
}

impl Interruption for Until<'_> {
    fn is_set(&self) -> bool {
        self.is_full.load(Ordering::Relaxed) || self.interruption.is_set()
    }

    fn started(&self) {
        self.interruption.started();
    }
}
