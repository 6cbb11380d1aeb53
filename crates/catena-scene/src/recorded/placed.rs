//! Recorded motions matched with the nodes and frames of a body.

use super::clockwork::{AGREES, Clockwork, OtherTimes, Times};
use super::likely;
use super::numbering::{Numbers, Reading, point_description};
use super::placement::Placement;
use super::precision::Precision;
use super::samples::{Recorded, Sample};
use super::start::{Start, first};
use crate::shape::data_file::DataError;
use catena_base::text::list::listed;
use catena_base::text::number::short;
use catena_sim::Setup;
use catena_sim::vector::{Vec3, norm, sub};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Maximum distance of the first positions from the start that the motion of one frame may explain,
/// relative to the extent of the body.
const LATER: f64 = 0.1;

/// Maximum number of frames per time of a file that is not sparse.
const SPARSE: u64 = 10;

/// Empty range of frames.
const EMPTY: RangeInclusive<u64> = RangeInclusive::new(1, 0);

/// Samples of one time.
#[derive(Clone, Debug)]
struct PlacedMoment {
    at: f64,
    /// Node and position, by node.
    nodes: Vec<(usize, Vec3)>,
}

/// Recorded motion of a body, by nodes and frames of a scene.
#[derive(Clone, Debug)]
pub struct Placed {
    recorded: Arc<Recorded>,
    times: Times,
    moments: Vec<PlacedMoment>,
    nodes: Vec<usize>,
    /// Statements of the user about the file.
    placement: Placement,
    points_down: bool,
    /// Description of all conclusions.
    text: String,
    /// Proposed other reading, which `text` also contains.
    proposal: Option<String>,
    /// Other meaning of the times, if they do not seem to be seconds.
    other_times: Option<OtherTimes>,
}

/// Distances between a body and its recorded motion in one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Distances {
    /// Maximum distance of a node.
    pub largest: f64,
    /// Sum of the squared distances.
    pub squares: f64,
    /// Number of nodes with data.
    pub count: u64,
}

impl Distances {
    /// Root of the mean squared distance. `None` if there are no data.
    pub fn rms(&self) -> Option<f64> {
        (self.count > 0).then(|| (self.squares / self.count as f64).sqrt())
    }

    /// Adds the distances of another frame.
    pub fn add(&mut self, other: &Self) {
        // A diverged body has infinite or undefined distances, which must not disappear.
        if other.largest > self.largest || other.largest.is_nan() {
            self.largest = other.largest;
        }
        self.squares += other.squares;
        self.count += other.count;
    }
}

impl Placed {
    /// Returns the name of the file and a description of how it was read.
    pub fn description(&self) -> String {
        format!("{}: {}", self.recorded.name, self.text)
    }

    /// Returns [`Self::description`] with command-line options in place of fields of a scene, such
    /// as `--y down` for `y: Down`.
    pub fn description_with_options(&self) -> String {
        super::options::of_fields(&self.description())
    }

    /// Proposes another reading under which the first positions match the positions of the body, as
    /// command-line options.
    pub fn proposal_with_options(&self) -> Option<String> {
        self.proposal.as_deref().map(super::options::of_fields)
    }

    /// Returns the probable meaning of times whose spacing differs from the frame spacing.
    pub fn other_times(&self) -> Option<&OtherTimes> {
        self.other_times.as_ref()
    }

    /// Describes the frames of a scene without data, and the data after its last frame.
    pub fn missing_frames(&self, scene_frames: u64) -> Option<String> {
        missing_frames(&self.frames(), scene_frames)
    }

    /// Returns the statements of the user about the file.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// Returns a text that is different for two different motions of a body if files do not change.
    pub fn identity(&self) -> String {
        format!("{} {:?}", self.description(), self.placement)
    }

    /// Returns the name of the file.
    pub fn name(&self) -> &str {
        &self.recorded.name
    }

    /// Returns the list of the columns of the file.
    pub fn columns(&self) -> &str {
        &self.recorded.columns
    }

    /// Returns the list of the columns with `step` in place of `frame`. Returns `None` if the file
    /// has no frame numbers.
    pub fn columns_with_steps(&self) -> Option<String> {
        let mut words: Vec<&str> = self.recorded.columns.split(',').collect();
        *words.iter_mut().find(|word| **word == "frame")? = "step";
        Some(words.join(","))
    }

    /// Whether frames with data are sparse: more than ten frames per time of the file.
    pub fn is_sparse(&self) -> bool {
        let frames = self.frames();
        let count = frames.end().saturating_sub(*frames.start());
        count > SPARSE * self.moments.len() as u64
    }

    /// Whether the file has numbers of frames or steps and no times.
    pub fn counts_frames(&self) -> bool {
        matches!(self.times, Times::Counted { .. })
    }

    /// Whether y of the file is read as pointing down.
    pub fn points_down(&self) -> bool {
        self.points_down
    }

    /// Returns the precision of the coordinates in the file.
    pub fn precision(&self) -> Precision {
        self.recorded.precision()
    }

    /// Whether positions in frames are interpolated between times of the file.
    pub fn is_interpolated(&self) -> bool {
        matches!(self.times, Times::Interpolated { .. })
    }

    /// Returns the nodes with data in any frame, in order.
    pub fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    /// Returns the range from the first to the last frame with data. The range is empty if the file
    /// ends before frame 0.
    pub fn frames(&self) -> RangeInclusive<u64> {
        let (zero, each) = self.line();
        let slack = if matches!(self.times, Times::Interpolated { .. }) { 0.0 } else { AGREES };
        let frame = |at: f64| (at - zero) / each;
        let (Some(first), Some(last)) = (self.moments.first(), self.moments.last()) else {
            return EMPTY;
        };
        let last = (frame(last.at) + slack).floor();
        if last < 0.0 {
            return EMPTY;
        }
        (frame(first.at) - slack).ceil().max(0.0) as u64..=last as u64
    }

    fn line(&self) -> (f64, f64) {
        match self.times {
            Times::Counted { zero, each }
            | Times::Matched { zero, each }
            | Times::Interpolated { zero, each } => (zero, each),
        }
    }

    /// Returns the nodes with data in a frame and their positions, by node.
    pub fn at(&self, frame: u64) -> Vec<(usize, Vec3)> {
        let (zero, each) = self.line();
        let at = zero + frame as f64 * each;
        let after = self.moments.partition_point(|moment| moment.at < at);
        let near = |index: Option<usize>| index.and_then(|index| self.moments.get(index));
        if !matches!(self.times, Times::Interpolated { .. }) {
            let both = [near(after.checked_sub(1)), near(Some(after))];
            let nearest = both
                .into_iter()
                .flatten()
                .min_by(|a, b| (a.at - at).abs().total_cmp(&(b.at - at).abs()));
            let found = nearest.filter(|moment| (moment.at - at).abs() <= AGREES * each);
            return found.map_or_else(Vec::new, |moment| moment.nodes.clone());
        }
        match (near(after.checked_sub(1)), near(Some(after))) {
            (_, Some(next)) if next.at == at => next.nodes.clone(),
            (Some(before), Some(next)) => between(before, next, at),
            _ => Vec::new(),
        }
    }

    /// Returns node and distance for each node with data in a frame. `x` holds the positions of the
    /// state, axis by axis.
    pub fn distances(&self, frame: u64, x: &[f64], nodes: usize) -> Vec<(usize, f64)> {
        let place =
            |node: usize| [0, 1, 2].map(|axis| x.get(axis * nodes + node).copied().unwrap_or(0.0));
        let at = self.at(frame).into_iter();
        at.map(|(node, data)| (node, norm(sub(place(node), data)))).collect()
    }

    /// Returns the distances between a state and the motion in a frame.
    pub fn compare(&self, frame: u64, x: &[f64], nodes: usize) -> Distances {
        let mut all = Distances::default();
        for (_, distance) in self.distances(frame, x, nodes) {
            all.add(&Distances { largest: distance, squares: distance * distance, count: 1 });
        }
        all
    }
}

/// Interpolates linearly between two times, for the nodes with data at both times.
fn between(before: &PlacedMoment, next: &PlacedMoment, at: f64) -> Vec<(usize, Vec3)> {
    let share = (at - before.at) / (next.at - before.at);
    let place = |(node, a): &(usize, Vec3)| {
        let index = next.nodes.binary_search_by_key(node, |(node, _)| *node).ok()?;
        let b = next.nodes[index].1;
        Some((*node, [0, 1, 2].map(|axis| a[axis] + share * (b[axis] - a[axis]))))
    };
    before.nodes.iter().filter_map(place).collect()
}

/// Matches a file with a body.
pub(super) fn place(
    recorded: &Arc<Recorded>,
    setup: &Setup,
    placement: &Placement,
) -> Result<Placed, DataError> {
    let mut words = vec![recorded.layout.clone()];
    let samples = group(recorded, placement, &mut words)?;
    let start = Start::of(setup);
    let numbers = Numbers::of(recorded, samples, setup, placement)?;
    let times = Clockwork::of(recorded, samples, setup);
    let is_start = times.may_be_start && placement.first_frame.is_none_or(|first| first == 0);
    let reading = Reading::decide(&numbers, samples, &start, placement, is_start);
    let exact = is_start && start.is_exact(reading.distance);
    let zero = times.zero(placement.first_frame, exact, &mut words);
    check_axes(recorded, samples, setup.model.axes, &mut words)?;
    if is_start && !exact {
        let may_count_otherwise = placement.first_frame.is_none()
            && reading.distance <= LATER * start.extent
            && pins_are_at_start(&reading, &numbers, samples, &start);
        let otherwise = match times.frame_of_first(zero) {
            _ if !may_count_otherwise => "",
            0 => " (if the start is not in the file, add `first_frame: 1`)",
            _ => " (if it is the start, add `first_frame: 0`)",
        };
        let (unit, distance) = (times.unit, short(reading.distance));
        words.push(format!("the first {unit} differs from the start by {distance}{otherwise}"));
    }
    let falls_up = likely::moves_against_gravity(samples, setup);
    reading.describe(&numbers, placement, is_start, falls_up, &mut words);
    let mut proposal = None;
    if is_start && !exact && placement.scale == 1.0 && placement.translate == [0.0; 3] {
        let columns = &recorded.columns;
        proposal = likely::describe(&reading, &numbers, samples, &start, columns);
        words.extend(proposal.clone());
    }
    let other_times = times.other.clone();
    let proposal = proposal.or_else(|| other_times.as_ref()?.proposal());
    if recorded.is_point {
        words.push(point_description(&numbers, &reading, samples, &start, exact));
    }
    let moments = moments(samples, &numbers, &reading, setup.model.axes);
    let nodes = nodes_of(&moments);
    if !recorded.is_point {
        words.extend(missing_nodes(&nodes, setup.model.nodes()));
    }
    let text = words.join("; ");
    let (recorded, times, placement) = (Arc::clone(recorded), times.of_zero(zero), *placement);
    let points_down = reading.points_down();
    Ok(Placed {
        recorded,
        times,
        moments,
        nodes,
        placement,
        points_down,
        text,
        proposal,
        other_times,
    })
}

/// Returns the nodes with data at any time, in order.
fn nodes_of(moments: &[PlacedMoment]) -> Vec<usize> {
    let all = moments.iter().flat_map(|moment| moment.nodes.iter().map(|(node, _)| *node));
    let mut nodes: Vec<usize> = all.collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// Returns the positions of the nodes by time.
fn moments(
    samples: &[Sample],
    numbers: &Numbers,
    reading: &Reading,
    axes: usize,
) -> Vec<PlacedMoment> {
    let mut moments: Vec<PlacedMoment> = Vec::new();
    for sample in samples {
        let place = reading.place(sample.place, axes);
        let node = numbers.node(sample.node, reading.counting);
        match moments.last_mut().filter(|last| last.at == sample.at) {
            Some(last) => last.nodes.push((node, place)),
            None => moments.push(PlacedMoment { at: sample.at, nodes: vec![(node, place)] }),
        }
    }
    // A file may count nodes from the other end, so the nodes may be in reverse order.
    moments.iter_mut().for_each(|moment| moment.nodes.sort_by_key(|(node, _)| *node));
    moments
}

/// Whether the file has pinned nodes, and all are at their initial positions. If so, noise does not
/// explain the distance of the other nodes.
fn pins_are_at_start(
    reading: &Reading,
    numbers: &Numbers,
    samples: &[Sample],
    start: &Start<'_>,
) -> bool {
    let model = &start.setup.model;
    let place = |sample: &Sample| {
        (numbers.node(sample.node, reading.counting), reading.place(sample.place, model.axes))
    };
    let is_pinned = |node: usize| model.pinned.get(node).copied().unwrap_or(false);
    let pins = first(samples).iter().map(place).filter(|(node, _)| is_pinned(*node));
    let pins: Vec<(usize, Vec3)> = pins.collect();
    !pins.is_empty() && start.is_exact(start.distance(pins.into_iter()))
}

/// Returns the samples of the chosen panel and body.
fn group<'a>(
    recorded: &'a Recorded,
    placement: &Placement,
    words: &mut Vec<String>,
) -> Result<&'a [Sample], DataError> {
    let groups = &recorded.groups;
    let wanted = [placement.panel, placement.body];
    let fits = |group: &&[Option<u64>; 2], of: [Option<u64>; 2]| {
        (0..2).all(|k| of[k].is_none() || group[k].is_none() || group[k] == of[k])
    };
    let chosen: Vec<_> = groups.iter().filter(|group| fits(group, wanted)).collect();
    let own = placement.own.map(Some);
    let of_own = chosen.iter().copied().find(|group| fits(group, own));
    let found = if let [one] = chosen[..] { Some(one) } else { of_own };
    let Some(found) = found else {
        let name = |group: &[Option<u64>; 2]| {
            let part = |word: &str, number: Option<u64>| number.map(|it| format!("{word} {it}"));
            let parts = [part("panel", group[0]), part("body", group[1])];
            parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
        };
        let all: Vec<String> = groups.iter().take(8).map(name).collect();
        let what = format!("the file describes several bodies: {}", all.join("; "));
        let wrong = DataError::at(String::new(), what);
        return Err(wrong.help("choose one with reference: (panel: …, body: …)"));
    };
    if groups.len() > 1 {
        let name = |word: &str, number: Option<u64>| number.map(|it| format!("{word} {it}"));
        let parts = [name("panel", found[0]), name("body", found[1])];
        words.push(format!(
            "chosen: {}",
            parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
        ));
    }
    let index = groups.iter().position(|group| group == found).unwrap_or(0) as u32;
    let first = recorded.samples.partition_point(|sample| sample.group < index);
    let end = recorded.samples.partition_point(|sample| sample.group <= index);
    Ok(&recorded.samples[first..end])
}

/// Compares the number of coordinates with the number of axes of the scene.
fn check_axes(
    recorded: &Recorded,
    samples: &[Sample],
    axes: usize,
    words: &mut Vec<String>,
) -> Result<(), DataError> {
    match (recorded.axes, axes) {
        (3, 2) => match samples.iter().find(|sample| sample.place[2] != samples[0].place[2]) {
            None => words.push("z ignored, since the scene is planar".into()),
            Some(sample) => {
                let wrong = DataError::new(
                    sample.line as usize,
                    "the scene is planar, but z changes in the file",
                );
                return Err(wrong.help(
                    "give a vector of the scene three components, or list only two coordinates to \
                     compare: columns: \"frame,node,x,y\"",
                ));
            }
        },
        (2, 3) => words.push("no z: assumed to be 0".into()),
        _ => {}
    }
    Ok(())
}

/// Maximum number of ranges that are listed.
const MAX_RANGES: usize = 6;

/// Describes the nodes of a body without data. `nodes` has the nodes with data, in order.
fn missing_nodes(nodes: &[usize], count: usize) -> Option<String> {
    let mut ranges: Vec<[usize; 2]> = Vec::new();
    let mut next = 0;
    for node in nodes.iter().copied().chain([count]) {
        if node > next {
            ranges.push([next, node - 1]);
        }
        next = node + 1;
    }
    let missing: usize = ranges.iter().map(|[first, last]| last - first + 1).sum();
    if missing == 0 {
        return None;
    }
    let range = |[first, last]: &[usize; 2]| match first == last {
        true => first.to_string(),
        false => format!("{first} to {last}"),
    };
    let shown: Vec<String> = ranges.iter().take(MAX_RANGES).map(range).collect();
    let which = match ranges.len() > MAX_RANGES {
        true => format!("s {}, …", shown.join(", ")),
        false => format!("{} {}", if missing == 1 { "" } else { "s" }, listed(&shown)),
    };
    let has = count - missing;
    Some(format!("{has} of the scene's {count} nodes: no data for node{which}"))
}

/// Describes the frames of a scene before the first and after the last frame with data, and the
/// data after the last frame of the scene.
fn missing_frames(data: &RangeInclusive<u64>, scene_frames: u64) -> Option<String> {
    let last = scene_frames.checked_sub(1)?;
    if data.is_empty() {
        return Some("no frame of the scene has data".into());
    }
    match *data.end() {
        end if end < last => Some(format!(
            "the data end at frame {end}, but the scene ends at \
                                           {last}"
        )),
        end if end > last => Some(format!(
            "the data continue to frame {end}, but the scene ends at {last}: add --frames {}",
            end + 1
        )),
        _ => None,
    }
}
