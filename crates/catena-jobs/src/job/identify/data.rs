//! Frames of the file, with the rounding of each position.

use super::super::likeness::Now;
use super::super::rounding::SINGLE;
use super::{IdentifyError, IdentifyOptions};
use catena_base::text::number::short;
use catena_scene::recorded::{Placed, Precision, Width, proportion};
use catena_sim::vector::{Vec3, norm, sub};
use catena_sim::{Setup, State};
use std::collections::BTreeMap;

/// Default number of frames to compare.
pub(super) const FRAMES: u64 = 600;
/// Size of positions, in extents of the initial state, beyond which a motion has diverged.
const DIVERGED: f64 = 1e3;
/// Maximum distance from the start that counts as rounding, in units of the last of 24 bits.
const EXACT: f64 = 8.0;

/// Position of a node in a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct DataPoint {
    pub(super) node: usize,
    pub(super) place: Vec3,
    /// Maximum distance between the printed position and the position before printing.
    pub(super) rounding: f64,
}

/// Positions in a frame of the file.
#[derive(Clone, Debug)]
pub(super) struct DataFrame {
    pub(super) points: Vec<DataPoint>,
    /// Largest coordinate of the frame and of the initial state.
    pub(super) size: f64,
}

/// The file, read as a motion of a body.
#[derive(Clone, Debug)]
pub(super) struct Data {
    /// Frames with data, by number.
    pub(super) frames: BTreeMap<u64, DataFrame>,
    pub(super) description: String,
    /// Current reading of the file, which advice extends.
    pub(super) now: Now,
    /// Advice on another reading that the first positions suggest.
    pub(super) proposal: Option<String>,
    pub(super) precision: Precision,
    /// Largest distance of a node in frame 0 of the file from its start in the scene. `None` if the
    /// file has no frame 0.
    pub(super) from_start: Option<f64>,
    /// Whether frame 0 is the start of the scene, within rounding.
    pub(super) is_start: bool,
    /// Factor that converts positions of the file to the size of the scene, if there is one.
    pub(super) factor: Option<f64>,
    /// Largest extent of the initial state.
    pub(super) extent: f64,
    /// Largest coordinate of the initial state.
    start_size: f64,
    /// Whether the first frame of the file is the start of the scene, even if its number is not 0.
    pub(super) starts_as_scene: bool,
    /// Possible differences between frame numbers of a run and of the file.
    pub(super) offsets: Vec<i64>,
    /// Number of frames of the file that are not compared.
    pub(super) left_out: u64,
    /// Whether the file has frame numbers and no times.
    pub(super) counts_frames: bool,
}

impl Data {
    /// # Errors
    /// No frame of the file has data.
    pub(super) fn of(
        placed: &Placed,
        setup: &Setup,
        options: &IdentifyOptions,
    ) -> Result<Self, IdentifyError> {
        let precision = placed.precision();
        let (nodes, initial) = (setup.model.nodes(), &setup.initial);
        let range = placed.frames();
        let (first, last) = (*range.start(), *range.end());
        let end = last.min(first.saturating_add(options.frames.unwrap_or(FRAMES)));
        let scale = options.scale.abs();
        let start_size = initial.x.iter().fold(0.0, |maximum: f64, x| maximum.max(x.abs()));
        let mut frames = BTreeMap::new();
        for number in first..=end {
            let point = |(node, place): (usize, Vec3)| {
                let each = place.map(|value| scale * precision.rounding(value / scale));
                let axes = &each[..setup.model.axes];
                let rounding = axes.iter().map(|it| it * it).sum::<f64>().sqrt();
                DataPoint { node, place, rounding }
            };
            let points: Vec<DataPoint> = placed.at(number).into_iter().map(point).collect();
            let places = points.iter().flat_map(|point| point.place);
            let size = places.fold(start_size, |maximum, value| maximum.max(value.abs()));
            if !points.is_empty() {
                frames.insert(number, DataFrame { points, size });
            }
        }
        if frames.keys().all(|number| *number == 0) {
            return Err(IdentifyError::Data(without_motion(placed, end)));
        }
        if let Some(what) = only_pins(placed, &frames, &setup.model.pinned) {
            return Err(IdentifyError::Data(what));
        }
        if placed.is_interpolated() {
            widen(&mut frames);
        }
        let extent = (0..setup.model.axes).fold(0.0, |maximum: f64, axis| {
            let values = &initial.x[axis * nodes..(axis + 1) * nodes];
            let minimum = values.iter().copied().fold(f64::INFINITY, f64::min);
            maximum.max(values.iter().copied().fold(f64::NEG_INFINITY, f64::max) - minimum)
        });
        let mut data = Self {
            frames,
            description: placed.description_with_options(),
            now: Now::of(placed, setup.model.axes),
            proposal: placed.proposal_with_options(),
            precision,
            from_start: None,
            is_start: false,
            factor: None,
            extent: if extent > 0.0 { extent } else { start_size },
            start_size,
            starts_as_scene: false,
            offsets: vec![0],
            left_out: last - end,
            counts_frames: placed.counts_frames(),
        };
        data.compare_start(initial, nodes);
        Ok(data)
    }

    /// Compares frame 0, or else the first frame, with the start of the scene.
    fn compare_start(&mut self, initial: &State, nodes: usize) {
        let beyond = |point: &DataPoint, size: f64| {
            let distance = norm(sub(initial.position(nodes, point.node), point.place));
            (distance, distance <= point.rounding + EXACT * SINGLE * size)
        };
        let first = self.frames.values().next();
        self.starts_as_scene =
            first.is_some_and(|it| it.points.iter().all(|point| beyond(point, it.size).1));
        let Some(first) = self.frames.get(&0) else {
            self.offsets = vec![0, 1, -1];
            return;
        };
        let largest =
            first.points.iter().map(|point| beyond(point, first.size).0).fold(0.0, f64::max);
        self.is_start = self.starts_as_scene;
        self.from_start = Some(largest);
        let stands_still = self.frames.get(&1).is_some_and(|next| {
            let pairs = first.points.iter().zip(&next.points);
            pairs
                .into_iter()
                .all(|(a, b)| a.node == b.node && norm(sub(a.place, b.place)) <= a.rounding)
        });
        self.offsets = match (self.is_start, stands_still) {
            (true, true) => vec![0, -1],
            (true, false) => vec![0],
            (false, _) => vec![0, 1],
        };
        if !self.is_start {
            self.factor = factor(&first.points, initial, nodes);
        }
    }

    /// Returns a setup that begins at the positions of frame 0. `None` if a position is missing, or
    /// if all positions equal the positions of the scene.
    pub(super) fn start_of(&self, setup: &Setup) -> Option<Setup> {
        let nodes = setup.model.nodes();
        let first = self.frames.get(&0).filter(|first| first.points.len() == nodes)?;
        if self.is_start {
            return None;
        }
        let mut initial = setup.initial.clone();
        for point in &first.points {
            for axis in 0..setup.model.axes {
                initial.x[axis * nodes + point.node] = point.place[axis];
            }
        }
        Some(Setup { initial, ..setup.clone() })
    }

    /// Relative distance within which candidates count as equally near: the last place of 24 bits,
    /// or less if the numbers of the file have 53 bits.
    pub(super) fn unit(&self) -> f64 {
        match self.precision.width {
            Width::Double => SINGLE / 65_536.0,
            Width::Single | Width::Unknown => SINGLE,
        }
    }

    /// First frame after the start.
    pub(super) fn first_moving(&self) -> u64 {
        self.frames.keys().copied().find(|number| *number > 0).unwrap_or(1)
    }

    /// Last frame with data.
    pub(super) fn last(&self) -> u64 {
        self.frames.keys().copied().next_back().unwrap_or(1)
    }

    /// Whether a position of this size belongs to a motion that has diverged.
    pub(super) fn is_diverged(&self, size: f64) -> bool {
        size > DIVERGED * self.extent.max(self.start_size)
    }

    /// First frame in which the motion has diverged.
    pub(super) fn diverges_at(&self) -> Option<u64> {
        let found = self.frames.iter().find(|(_, frame)| self.is_diverged(frame.size));
        found.map(|(number, _)| *number)
    }

    /// Describes the digits of the file, up to the frame in which its motion diverges.
    /// `is_of_float` states whether a float computed the motion.
    pub(super) fn digits(&self, is_of_float: bool) -> String {
        let before = |frame: &&DataFrame| !self.is_diverged(frame.size);
        let rounding = self.frames.values().filter(before).flat_map(|frame| &frame.points);
        let rounding = rounding.map(|point| point.rounding).fold(0.0, f64::max);
        let width = match self.precision.width {
            Width::Single => "all numbers are exact in float",
            Width::Double => "numbers need a double",
            Width::Unknown if is_of_float => {
                "the digits alone do not distinguish float from double, but the motion is that of a float"
            }
            Width::Unknown => "the digits alone do not distinguish float from double",
        };
        let digits = self.precision.digits;
        format!("up to {digits} digits, so positions are known within {}; {width}", short(rounding))
    }
}

/// Message about a file without a frame after the start, up to frame `end`. Usual causes are times
/// in another unit, and step numbers.
fn without_motion(placed: &Placed, end: u64) -> String {
    let description = placed.description_with_options();
    let why = "nothing can be identified without a frame after the start";
    let last = *placed.frames().end();
    match placed.other_times() {
        None if last > end => {
            let next = (end + 1..=last).find(|frame| !placed.at(*frame).is_empty());
            let next = next.unwrap_or(last);
            let steps = placed.columns_with_steps().map_or(String::new(), |columns| {
                format!("if its numbers count steps, --columns {columns} says so; ")
            });
            format!(
                "{}: the first frame after the start is {next}, and frames up to {end} are \
                 compared\n  help: {steps}if they are frames, --frames {last} compares all of \
                 them\n  note: {description}",
                placed.name()
            )
        }
        Some(times) => format!(
            "{}: {}\n  help: as the times are read now, all are those of the start, and {why}\n  \
             note: {description}",
            placed.name(),
            times.description_with_options()
        ),
        None => format!("{description}\n  help: {why}"),
    }
}

/// Message about a file that contains only pinned nodes, which do not move and therefore agree with
/// every run.
fn only_pins(
    placed: &Placed,
    frames: &BTreeMap<u64, DataFrame>,
    pinned: &[bool],
) -> Option<String> {
    let mut begun = BTreeMap::new();
    for point in frames.values().flat_map(|frame| &frame.points) {
        let first = *begun.entry(point.node).or_insert(point.place);
        if !pinned[point.node] || norm(sub(first, point.place)) > 2.0 * point.rounding {
            return None;
        }
    }
    let nodes: Vec<String> = begun.keys().map(ToString::to_string).collect();
    let (are, has) = match nodes.len() {
        1 => (format!("node {} is pinned and does", nodes[0]), "this node"),
        _ => (format!("the nodes {} are pinned and do", nodes.join(", ")), "these nodes"),
    };
    Some(format!(
        "{}: {are} not move, and the file contains only {has}, so every run agrees with it\n  help: \
         write the positions of nodes that move\n  note: {}",
        placed.name(),
        placed.description_with_options()
    ))
}

/// Adds the error of linear interpolation to the rounding of each position: an eighth of the second
/// difference.
fn widen(frames: &mut BTreeMap<u64, DataFrame>) {
    let place = |number: u64, node: usize| {
        let frame = frames.get(&number)?;
        let index = frame.points.binary_search_by_key(&node, |point| point.node).ok()?;
        Some(frame.points[index].place)
    };
    let mut errors = BTreeMap::new();
    for (number, frame) in frames.iter() {
        for point in &frame.points {
            let near = (number.checked_sub(1).and_then(|before| place(before, point.node)))
                .zip(place(number + 1, point.node));
            let bend = near.map(|(before, after)| {
                [0, 1, 2].map(|axis| before[axis] - 2.0 * point.place[axis] + after[axis])
            });
            errors.insert((*number, point.node), 0.125 * bend.map_or(0.0, norm));
        }
    }
    for (number, frame) in frames.iter_mut() {
        for point in &mut frame.points {
            point.rounding += errors.get(&(*number, point.node)).copied().unwrap_or(0.0);
        }
    }
}

/// Finds the factor that converts positions of a file to positions of a scene.
fn factor(points: &[DataPoint], initial: &State, nodes: usize) -> Option<f64> {
    let pair = |point: &DataPoint| (point.place, initial.position(nodes, point.node));
    let pairs: Vec<(Vec3, Vec3)> = points.iter().map(pair).collect();
    let size = pairs.iter().map(|(_, scene)| norm(*scene)).fold(0.0, f64::max);
    proportion(&pairs, size)
}
