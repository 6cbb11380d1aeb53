//! Options for reading a file of numbers, and advice on them for a comparison with another file.

use super::likeness::{Now, Other, Places, better};
use catena_base::text::number::short;
use catena_scene::recorded::{NumberRows, RowKey, with_time_as};
use std::collections::{BTreeMap, BTreeSet};

/// Options for reading the second file of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberReading {
    /// Whether y points down in the file.
    pub is_y_down: bool,
    /// Frame number that replaces the lowest number in the file. `None` keeps the numbers.
    pub first_frame: Option<u64>,
    /// Node number that replaces the lowest node number in the file. `None` keeps the numbers.
    pub first_node: Option<u32>,
    /// Whether the file counts nodes from the other end.
    pub is_reversed: bool,
    /// Number of steps per frame if the file counts steps, otherwise 1.
    pub steps: u64,
    /// Factor for positions and velocities in the file.
    pub scale: f64,
    /// Position of the origin of this file in the first file.
    pub translate: [f64; 3],
}

impl Default for NumberReading {
    fn default() -> Self {
        Self {
            is_y_down: false,
            first_frame: None,
            first_node: None,
            is_reversed: false,
            steps: 1,
            scale: 1.0,
            translate: [0.0; 3],
        }
    }
}

/// Columns that contain lengths, or lengths per time.
const LENGTHS: [&str; 6] = ["x", "y", "z", "vx", "vy", "vz"];

impl NumberReading {
    /// Returns the numbers of a file, read with these options. Rows between two frames are omitted.
    pub fn of(&self, rows: NumberRows) -> NumberRows {
        if *self == Self::default() {
            return rows;
        }
        let each = self.steps.max(1);
        let first = rows.keys.iter().map(|(key, _)| key.at).min().unwrap_or(0) / each;
        let nodes = || rows.keys.iter().filter_map(|(key, _)| key.node);
        let (lowest, highest) = (nodes().min().unwrap_or(0), nodes().max().unwrap_or(0));
        let first_node = self.first_node.unwrap_or(lowest);
        let node_of = |node: u32| {
            let index = if self.is_reversed { highest - node } else { node - lowest };
            index.saturating_add(first_node)
        };
        let move_key = |key: RowKey| {
            let is_between = !key.at.is_multiple_of(each);
            let at = key.at / each;
            let at = match self.first_frame {
                Some(begin) => begin + (at - first),
                None => at,
            };
            (!is_between).then_some(RowKey { at, node: key.node.map(node_of), ..key })
        };
        let factor = |name: &str| {
            let size = if LENGTHS.contains(&name) { self.scale } else { 1.0 };
            let is_turned = self.is_y_down && ["y", "vy"].contains(&name);
            if is_turned { -size } else { size }
        };
        let shift = |name: &str| match name {
            "x" => self.translate[0],
            "y" => self.translate[1],
            "z" => self.translate[2],
            _ => 0.0,
        };
        let mut changed = rows.changed(move_key, |name| [factor(name), shift(name)]);
        if each > 1 {
            changed.unit = "frame";
        }
        changed
    }
}

/// Positions in a file, by moment and node. A file without nodes has one position per moment.
fn places(rows: &NumberRows, names_bodies: bool) -> Option<Places> {
    let column = |name: &str| rows.columns.iter().position(|known| known == name);
    let (x, y, z) = (column("x")?, column("y")?, column("z"));
    let place = |(index, (key, _)): (usize, &(RowKey, usize))| {
        let row = rows.row(index);
        let place = [row[x], row[y], z.map_or(0.0, |z| row[z])];
        // A row per panel, body and node; their numbers are small.
        let body = match names_bodies {
            true => key.panel.unwrap_or(0) << 48 | key.body.unwrap_or(0) << 32,
            false => 0,
        };
        let own = body | u64::from(key.node.unwrap_or(0));
        place.iter().all(|it| it.is_finite()).then_some(((key.at, own), place))
    };
    Some(rows.keys.iter().enumerate().filter_map(place).collect())
}

/// Advice on options that bring the second file far nearer to the first one. Returns `None` unless
/// `are_apart`.
pub(super) fn hint(expected: &NumberRows, actual: &NumberRows, are_apart: bool) -> Option<String> {
    if !are_apart {
        return None;
    }
    let names_bodies = [expected, actual].map(has_many_bodies).contains(&true);
    let axes = if actual.columns.iter().any(|name| name == "z") { 3 } else { 2 };
    let (points_down, scale, translate, columns, times) = (false, 1.0, [0.0; 3], None, None);
    let now = Now { points_down, scale, translate, columns, axes, times };
    let ratio = ratio_of_times(expected, actual);
    let steps = ratio.map(f64::recip).filter(|it| (it - it.round()).abs() <= EVEN * it);
    let steps = steps.map(|it| it.round() as u64).filter(|each| *each > 1).map(Other::Steps);
    let found = places(expected, names_bodies)
        .zip(places(actual, names_bodies))
        .and_then(|(expected, actual)| better(&expected, &actual, steps.as_slice()));
    let of_times = || ratio.and_then(|ratio| times_description(ratio, [expected, actual]));
    // Equal starts can determine several options at once.
    let of_start = from_start(expected, actual);
    of_start.or_else(|| Some(found?.description(&now))).or_else(of_times)
}

/// Number of the first moment of a file, and the positions at this moment by node.
fn first_places(rows: &NumberRows) -> Option<(u64, BTreeMap<u64, [f64; 3]>)> {
    let places = places(rows, has_many_bodies(rows))?;
    let first = places.keys().next()?.0;
    let at_first = places.range(..=(first, u64::MAX)).map(|((_, own), place)| (*own, *place));
    Some((first, at_first.collect()))
}

/// Maximum distance between two equal starts, as a share of the largest coordinate.
const SAME_START: f64 = 1e-4;

/// Advice on options with which both files begin at the same positions, whatever motion follows: y
/// downwards, other numbers of the first frame and node, or nodes in reverse order.
fn from_start(expected: &NumberRows, actual: &NumberRows) -> Option<String> {
    let ((frame, known), (own_frame, start)) = (first_places(expected)?, first_places(actual)?);
    let (node, own_node) = (*known.keys().next()?, *start.keys().next()?);
    let size = known.values().flatten().fold(0.0, |maximum: f64, it| maximum.max(it.abs()));
    let own_last = *start.keys().next_back()?;
    let is_start = |first: u64, by: f64, is_reversed: bool| {
        start.len() > 1
            && start.iter().all(|(own, [x, y, z])| {
                let index = if is_reversed { own_last - own } else { own - own_node };
                let Some(there) = known.get(&(index + first)) else { return false };
                let pairs = there.iter().zip([*x, by * y, *z]);
                pairs.into_iter().all(|(a, b)| (a - b).abs() <= SAME_START * size)
            })
    };
    // The simpler readings come first.
    let readings = [(own_node, 1.0), (own_node, -1.0), (node, 1.0), (node, -1.0)];
    let all = [false, true].into_iter();
    let mut all = all.flat_map(|turned| readings.map(|(first, by)| (first, by, turned)));
    let (first, by, is_reversed) =
        all.find(|(first, by, turned)| is_start(*first, *by, *turned))?;
    let (mut guesses, mut add) = (Vec::new(), Vec::new());
    if by < 0.0 {
        guesses.push("as if y pointed down".to_owned());
        add.push("--y down".to_owned());
    }
    if own_frame != frame {
        guesses.push(format!("as if its first {} were {frame}", actual.unit));
        add.push(format!("--first-frame {frame}"));
    }
    if first != own_node {
        guesses.push(format!("as if its first node were {first}"));
        add.push(format!("--first-node {first}"));
    }
    if is_reversed {
        guesses.push("as if its nodes were in reverse order".to_owned());
        add.push("--node-order reversed".to_owned());
    }
    let (guesses, add) = (guesses.join(", and "), add.join(" "));
    (!add.is_empty()).then(|| format!("the start of {} looks {guesses}: add {add}", actual.name))
}

/// Maximum relative deviation between equal time steps.
const EVEN: f64 = 0.01;

/// Returns the ratio of the time between rows in the second file to the time between rows in the
/// first file. Returns `None` if the ratio is 1, or if the rows of a file are not evenly spaced.
fn ratio_of_times(expected: &NumberRows, actual: &NumberRows) -> Option<f64> {
    let [first, second] = [spacing(expected)?, spacing(actual)?];
    let ratio = second / first;
    ((ratio - 1.0).abs() > EVEN && ratio.is_finite()).then_some(ratio)
}

/// Returns the time between rows of a file. Returns `None` unless the rows are about evenly spaced.
fn spacing(rows: &NumberRows) -> Option<f64> {
    let time = rows.columns.iter().position(|name| name == "time")?;
    let mut times: Vec<f64> = (0..rows.keys.len()).map(|row| rows.row(row)[time]).collect();
    times.retain(|time| time.is_finite());
    times.sort_by(f64::total_cmp);
    times.dedup();
    let (first, last) = (times.first()?, times.last()?);
    let mean = (last - first) / (times.len() as f64 - 1.0);
    let steps = times.windows(2).map(|pair| pair[1] - pair[0]);
    let is_even = steps.into_iter().all(|step| (step / mean - 1.0).abs() <= 2.0 * EVEN);
    (times.len() > 2 && is_even).then_some(mean)
}

/// Advice about times that are in another unit.
fn times_description(ratio: f64, [expected, actual]: [&NumberRows; 2]) -> Option<String> {
    let is_near = |factor: f64| (ratio / factor - 1.0).abs() <= EVEN;
    let times = short(ratio);
    let with = |word: &str| with_time_as(&actual.list, word);
    Some(if is_near(1e3) {
        format!("the times look like milliseconds: add --columns '{}'", with("t [ms]")?)
    } else if is_near(1e-3) {
        format!(
            "the times of {0} look like milliseconds: pass this file second, and add --columns \
             '{1}'",
            expected.name,
            with_time_as(&expected.list, "t [ms]")?
        )
    } else {
        format!(
            "the times of {} are {times} times as far apart, but rows are matched in order: if the \
             times have another unit, --columns={} ignores them",
            actual.name,
            with("-")?
        )
    })
}

/// Whether a file describes several bodies.
pub(crate) fn has_many_bodies(rows: &NumberRows) -> bool {
    let bodies: BTreeSet<_> = rows.keys.iter().map(|(key, _)| (key.panel, key.body)).collect();
    bodies.len() > 1
}
