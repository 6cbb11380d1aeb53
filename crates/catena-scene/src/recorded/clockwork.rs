//! Conversion of the times in a file to frames of a scene.

use super::samples::{Clock, Recorded, Sample};
use catena_base::text::number::{counted, short};
use catena_sim::Setup;

/// Maximum difference between a time and a frame, in frames, at which they agree.
pub(super) const AGREES: f64 = 0.02;

/// Relation between the times of a file and frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Times {
    /// Numbers of frames or steps: the number at frame 0, and the difference between frames.
    Counted { zero: f64, each: f64 },
    /// Times that agree with frames: the time at frame 0, and the difference between frames.
    Matched { zero: f64, each: f64 },
    /// Times between which positions are interpolated: the time at frame 0, and the difference
    /// between frames.
    Interpolated { zero: f64, each: f64 },
}

/// Times of a file before its first frame is determined.
pub(super) struct Clockwork {
    kind: Times,
    first: f64,
    last: f64,
    /// Whether the first time may be the time of the initial state.
    pub(super) may_be_start: bool,
    pub(super) unit: &'static str,
    /// Remarks about the relation between times and frames.
    remark: Option<String>,
    is_counted: bool,
    /// Other meaning of the times, if they do not seem to be seconds.
    pub(super) other: Option<OtherTimes>,
}

/// Times of a file whose spacing differs from the frame spacing, and their probable meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherTimes {
    /// Distance between two times of the file, in frames.
    pub per_frame: f64,
    /// List of columns that reads each time of the file as a frame.
    pub columns: String,
    /// Description of the times, with a field to add.
    description: String,
    /// Whether the times alone show the meaning, as frame numbers and milliseconds do.
    is_likely: bool,
}

/// Maximum relative deviation of distances between times that count as equal.
const EVEN: f64 = 0.02;
/// Maximum relative deviation from a distance of 10³ or 10⁶ frames at which times are assumed to be
/// milliseconds or microseconds.
const THOUSAND: f64 = 0.02;

impl OtherTimes {
    /// Determines the meaning of times from their distance, if it is constant and not one frame.
    fn of(recorded: &Recorded, samples: &[Sample], frame_time: f64) -> Option<Self> {
        let each = spacing(samples)?;
        let per_frame = each / frame_time;
        if (per_frame - 1.0).abs() <= EVEN {
            return None;
        }
        let with = |word: &str| with_time_as(&recorded.columns, word);
        let is_whole = samples.iter().all(|sample| sample.at.fract() == 0.0);
        let counts = is_whole && each == 1.0 && samples.len() > 2;
        let unit = [("t [ms]", 1e3, "milliseconds"), ("t [us]", 1e6, "microseconds")]
            .into_iter()
            .find(|(_, factor, _)| (per_frame / factor - 1.0).abs() <= THOUSAND);
        let description = match unit {
            Some((word, _, name)) => {
                format!("the times look like {name}: add `columns: \"{}\"`", with(word)?)
            }
            None if counts => {
                let columns = with("frame")?;
                format!("the times look like frame numbers: add `columns: \"{columns}\"`")
            }
            None => {
                let [own, scene] = [each, frame_time].map(short);
                let columns = with("-")?;
                format!(
                    "its times are {own} apart, but frames are {scene} apart: if each time is a \
                     frame, add `columns: \"{columns}\"`"
                )
            }
        };
        let is_likely = counts || unit.is_some();
        Some(Self { per_frame, columns: with("-")?, description, is_likely })
    }
}

impl OtherTimes {
    /// Describes the times, with the command-line options that change their meaning.
    pub fn description_with_options(&self) -> String {
        super::options::of_fields(&self.description)
    }

    /// Returns the description of the times if they alone show their meaning.
    pub(super) fn proposal(&self) -> Option<String> {
        self.is_likely.then(|| self.description.clone())
    }
}

/// Returns the distance between the times of a file, if it is about constant.
fn spacing(samples: &[Sample]) -> Option<f64> {
    let steps = || {
        let pairs = samples.windows(2).map(|pair| pair[1].at - pair[0].at);
        pairs.filter(|step| *step > 0.0)
    };
    let count = steps().count();
    let mean = steps().sum::<f64>() / count as f64;
    let is_even = steps().all(|step| (step / mean - 1.0).abs() <= EVEN);
    (count > 1 && is_even && mean.is_finite()).then_some(mean)
}

/// Returns a list of columns with another word for the time.
pub fn with_time_as(columns: &str, word: &str) -> Option<String> {
    let is_time = |known: &str| known == "t" || known.starts_with("t [");
    let mut words: Vec<&str> = columns.split(',').collect();
    let place = words.iter().position(|known| is_time(known))?;
    words[place] = word;
    Some(words.join(","))
}

impl Clockwork {
    pub(super) fn of(recorded: &Recorded, samples: &[Sample], setup: &Setup) -> Self {
        let frame_time = setup.frame_time;
        let (first, last) = (samples[0].at, samples[samples.len() - 1].at);
        let mut remark;
        let mut unit = "frame";
        let (zero, each) = (setup.start_time, frame_time);
        let kind = match recorded.clock {
            Clock::Frames | Clock::Rows => {
                let each =
                    recorded.frame_time.filter(|each| (each / frame_time - 1.0).abs() > 1e-3);
                remark = each.map(|each| {
                    let (file, scene) = (short(each), short(frame_time));
                    format!(
                        "its times imply {file} per frame, but the scene has {scene}: rows are \
                         matched by frame, not by time"
                    )
                });
                let remark_on_steps = looks_like_steps(recorded, samples, setup.substeps);
                remark = remark.or(remark_on_steps);
                Times::Counted { zero: 0.0, each: 1.0 }
            }
            Clock::Steps => {
                let (each, words) = steps_per_frame(samples, setup.substeps);
                remark = Some(words);
                Times::Counted { zero: 0.0, each }
            }
            Clock::Times => {
                unit = "time";
                let frames = samples.iter().map(|sample| (sample.at - zero) / each);
                let is_near = |frame: &f64| (frame - frame.round()).abs() <= AGREES;
                let mut rounded: Vec<f64> = frames.clone().map(f64::round).collect();
                rounded.dedup();
                let is_one_each = rounded.len() == moments(samples);
                let scene = short(frame_time);
                if frames.clone().all(|frame| is_near(&frame)) && is_one_each {
                    remark = Some(format!("times match frames of {scene}"));
                    Times::Matched { zero, each }
                } else {
                    remark = Some(format!("times interpolated linearly to frames of {scene}"));
                    Times::Interpolated { zero, each }
                }
            }
        };
        let is_counted = matches!(kind, Times::Counted { .. });
        let step = match kind {
            Times::Counted { each, .. }
            | Times::Matched { each, .. }
            | Times::Interpolated { each, .. } => each,
        };
        let beginning = if is_counted { 0.0 } else { zero };
        let may_be_start = (first - beginning).abs() <= 1.5 * step;
        let is_timed = recorded.clock == Clock::Times;
        let other = is_timed.then(|| OtherTimes::of(recorded, samples, frame_time)).flatten();
        Self { kind, first, last, may_be_start, unit, remark, is_counted, other }
    }

    /// Returns the number or time of the file at frame 0.
    pub(super) fn zero(
        &self,
        first_frame: Option<u64>,
        is_start: bool,
        words: &mut Vec<String>,
    ) -> f64 {
        let (Times::Counted { zero, each }
        | Times::Matched { zero, each }
        | Times::Interpolated { zero, each }) = self.kind;
        let first = short(self.first);
        let found = match first_frame {
            Some(frame) => {
                words.push(format!("its first {} ({first}) is frame {frame}, as given", self.unit));
                self.first - frame as f64 * each
            }
            None if !self.is_counted => zero,
            None if self.first == 0.0 => {
                words.push("frames from 0".into());
                zero
            }
            None if self.first == each && is_start => {
                words.push(format!("frames from {first}"));
                self.first
            }
            None => {
                words.push(format!("frames as numbered, {first} to {}", short(self.last)));
                zero
            }
        };
        words.extend(self.remark.clone());
        words.extend(self.other.iter().map(|other| other.description.clone()));
        found
    }

    /// Returns the frame of the first number or time of the file. `zero` is the number or time at
    /// frame 0.
    pub(super) fn frame_of_first(&self, zero: f64) -> i64 {
        let (Times::Counted { each, .. }
        | Times::Matched { each, .. }
        | Times::Interpolated { each, .. }) = self.kind;
        ((self.first - zero) / each).round() as i64
    }

    pub(super) fn of_zero(&self, zero: f64) -> Times {
        match self.kind {
            Times::Counted { each, .. } => Times::Counted { zero, each },
            Times::Matched { each, .. } => Times::Matched { zero, each },
            Times::Interpolated { each, .. } => Times::Interpolated { zero, each },
        }
    }
}

/// Returns the number of steps per frame in a file, with a description. This is the number of
/// substeps of the scene if it divides all step numbers, otherwise the distance between two rows.
fn steps_per_frame(samples: &[Sample], substeps: u64) -> (f64, String) {
    let is_multiple = |sample: &Sample| sample.at % substeps as f64 == 0.0;
    let is_moving = samples[0].at < samples[samples.len() - 1].at;
    if substeps > 1 && is_moving && samples.iter().all(is_multiple) {
        return (substeps as f64, format!("{substeps} steps per frame"));
    }
    match steps_apart(samples).filter(|_| substeps > 1) {
        None => (1.0, "one step per frame".into()),
        Some(each) => {
            let own = counted(substeps, "substep");
            let apart = "which is the distance between its rows";
            (each, format!("{each} steps per frame, {apart}; the scene has {own}"))
        }
    }
}

/// Returns the distance between the numbers of a file, if it is constant and above 1, and all
/// numbers are multiples of it.
fn steps_apart(samples: &[Sample]) -> Option<f64> {
    let first = samples.first()?.at;
    let each = samples.iter().map(|sample| sample.at - first).find(|apart| *apart > 0.0)?;
    let is_whole = samples.iter().all(|sample| sample.at % each == 0.0);
    (each > 1.0 && is_whole && spacing(samples) == Some(each)).then_some(each)
}

/// Describes frame numbers that are probably step numbers: they are multiples of the substeps, or
/// have a constant distance above 1.
fn looks_like_steps(recorded: &Recorded, samples: &[Sample], substeps: u64) -> Option<String> {
    let (each, last) = (substeps as f64, samples.last()?.at);
    let divides = samples.iter().all(|sample| sample.at % each == 0.0);
    let list = recorded.columns.replacen("frame", "step", 1);
    let add = format!("if they count steps, add `columns: \"{list}\"`");
    let apart = steps_apart(samples);
    match recorded.clock == Clock::Frames && substeps > 1 && last > 0.0 {
        true if divides => Some(format!(
            "its frame numbers are multiples of {substeps}, the number of substeps: {add}"
        )),
        true => apart.map(|apart| format!("its frame numbers are {apart} apart: {add}")),
        false => None,
    }
}

/// Returns the number of different times. Samples must be in order of time.
pub(super) fn moments(samples: &[Sample]) -> usize {
    1 + samples.windows(2).filter(|pair| pair[0].at != pair[1].at).count()
}
