//! Alternative readings of data that fit far better: y downwards, another number of the first
//! frame, steps instead of frames, other units, another origin, or swapped coordinates.
//!
//! A reading is proposed together with the options that select it, and never applied silently.

use catena_base::text::number::{digits, short};
use catena_scene::recorded::{OtherTimes, Placed, Placement, Similarity, with_swapped};
use std::collections::BTreeMap;

/// Positions by frame and node.
pub(super) type Places = BTreeMap<(u64, u64), [f64; 3]>;

/// An alternative reading of data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Other {
    YDown,
    /// First frame of the data.
    FirstFrame(u64),
    /// Number of steps per frame if the data count steps.
    Steps(u64),
    /// Each time of the data is a frame. The number is the interval between times in current
    /// frames.
    EachTime(f64),
    /// Factor of the positions.
    Scale(f64),
    /// x and y are swapped.
    Swapped,
    /// Another origin and unit. The boolean states whether y is turned first.
    Moved(bool, Similarity),
}

/// Current reading of data, which advice extends.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Now {
    pub(super) points_down: bool,
    pub(super) scale: f64,
    pub(super) translate: [f64; 3],
    /// Columns of the file, if they are given as an option.
    pub(super) columns: Option<String>,
    /// Number of coordinates.
    pub(super) axes: usize,
    /// Times of the file, if their intervals differ from the time per frame.
    pub(super) times: Option<OtherTimes>,
}

impl Now {
    /// Returns the reading of a file that was matched with a body.
    pub(super) fn of(placed: &Placed, axes: usize) -> Self {
        let Placement { scale, translate, .. } = *placed.placement();
        let columns = Some(placed.columns().to_owned());
        let times = placed.other_times().cloned();
        Self { points_down: placed.points_down(), scale, translate, columns, axes, times }
    }

    /// Returns the reading that the times of the file suggest.
    pub(super) fn of_times(&self) -> Option<Other> {
        self.times.as_ref().map(|times| Other::EachTime(times.per_frame))
    }

    /// Returns advice that selects another reading: options to add, or a change of the file.
    fn advice(&self, other: Other) -> String {
        let listed = |change: fn(&str) -> String| {
            self.columns.as_deref().map(|columns| format!("--columns {}", change(columns)))
        };
        let turned = if self.points_down { "--y up" } else { "--y down" };
        let add = match other {
            Other::YDown => turned.into(),
            Other::FirstFrame(first) => format!("--first-frame {first}"),
            Other::Steps(each) => listed(|columns| columns.replacen("frame", "step", 1))
                .unwrap_or_else(|| format!("--steps {each}")),
            Other::EachTime(_) => {
                let columns = self.times.as_ref().map_or("-", |times| times.columns.as_str());
                format!("--columns={columns}")
            }
            Other::Scale(factor) => format!("--scale {}", short(factor * self.scale)),
            Other::Swapped => match listed(with_swapped) {
                Some(columns) => columns,
                None => return "swap the names of these columns in the file".into(),
            },
            Other::Moved(is_turned, Similarity { scale, translate }) => {
                let [x, y, z] = self.translate;
                let before = [x, if is_turned { -y } else { y }, z];
                let origin: Vec<String> = (0..self.axes)
                    .map(|axis| digits(scale * before[axis] + translate[axis], 6))
                    .collect();
                let scale = digits(scale * self.scale, 6);
                let down = self.points_down != is_turned;
                let y = if down { "--y down" } else { "--y up" };
                let scale = if scale == "1" { String::new() } else { format!(" --scale {scale}") };
                format!("{y}{scale} --translate={}", origin.join(","))
            }
        };
        format!("add {add}")
    }
}

/// Maximum ratio between the root mean square distances of a far better reading and the current
/// one.
const FAR_BETTER: f64 = 0.1;
/// Maximum root mean square distance of a far better reading, as a share of the spread of the known
/// positions.
const LIKE: f64 = 0.3;
/// Maximum ratio between the distances of two readings for which the simpler one is chosen.
const ALIKE: f64 = 1.5;
/// Maximum ratio between the distances in the first frames that makes other units plausible.
const EARLY: f64 = 0.5;
/// Minimum share of the data that another reading has to match.
const MATCHED: f64 = 0.5;
/// Minimum share if each time is a frame, since the current reading uses few of the times.
const MATCHED_TIMES: f64 = 0.2;
/// Maximum deviation of a whole number of frames.
const WHOLE: f64 = 0.02;
/// Minimum relative deviation of a factor from 1.
const FACTOR: f64 = 0.01;

/// A better reading, with the root mean square distances of the current reading and of this one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Better {
    pub(super) other: Other,
    pub(super) rms: [f64; 2],
}

impl Better {
    /// Describes the reading and how to select it.
    pub(super) fn description(&self, now: &Now) -> String {
        let appearance = match self.other {
            Other::YDown => {
                format!("as if y pointed {}", if now.points_down { "up" } else { "down" })
            }
            Other::FirstFrame(first) => format!("as if their first frame were frame {first}"),
            Other::Steps(each) => format!("as if they counted steps, {each} per frame"),
            Other::EachTime(_) => "as if each of their times were one frame".into(),
            Other::Scale(factor) => {
                format!("as if they were {} times as large", short(1.0 / factor))
            }
            Other::Swapped => "as if x and y were swapped".into(),
            Other::Moved(..) => "as if they had another origin, such as pixels".into(),
        };
        let advice = now.advice(self.other);
        let [now, then] = self.rms.map(short);
        format!("the data look {appearance} (rms distance {then} instead of {now}): {advice}")
    }
}

/// Returns the root mean square distance of data from known positions. `read` returns the frame and
/// the position of a datum in a reading. `None` if too small a share of the data has a known
/// position.
fn rms(
    known: &Places,
    data: &Places,
    minimum: f64,
    read: impl Fn(u64, [f64; 3]) -> Option<(u64, [f64; 3])>,
) -> Option<f64> {
    let (mut squares, mut count) = (0.0, 0_usize);
    for ((frame, node), place) in data {
        let Some((frame, place)) = read(*frame, *place) else { continue };
        let Some(other) = known.get(&(frame, *node)) else { continue };
        squares += (0..3).map(|k| (place[k] - other[k]) * (place[k] - other[k])).sum::<f64>();
        count += 1;
    }
    let is_enough = count > 1 && count as f64 >= minimum * data.len() as f64;
    is_enough.then(|| f64::sqrt(squares / count as f64)).filter(|rms| rms.is_finite())
}

impl Other {
    /// Returns the frame and position of a datum in this reading. `first` is the first frame of the
    /// data in the current reading.
    fn read(self, first: u64, frame: u64, place: [f64; 3]) -> Option<(u64, [f64; 3])> {
        let [x, y, z] = place;
        Some(match self {
            Self::YDown => (frame, [x, -y, z]),
            Self::FirstFrame(begin) => ((frame + begin).checked_sub(first)?, place),
            Self::Steps(each) => (frame / each, place),
            Self::EachTime(distance) => {
                let index = frame as f64 / distance;
                let rounded = index.round();
                ((index - rounded).abs() < WHOLE).then_some((rounded as u64, place))?
            }
            Self::Scale(factor) => (frame, place.map(|it| it * factor)),
            Self::Swapped => (frame, [y, x, z]),
            Self::Moved(is_turned, found) => (frame, found.place(turn(place, is_turned))),
        })
    }
}

/// Finds a reading of data that fits far better than the current one. `more` contains readings that
/// the positions alone do not suggest.
pub(super) fn better(known: &Places, data: &Places, more: &[Other]) -> Option<Better> {
    let (first, last) = (data.keys().next()?.0, data.keys().next_back()?.0);
    let now = rms(known, data, MATCHED, |frame, place| Some((frame, place)));
    // The simpler readings come first.
    let mut all = vec![Other::YDown];
    let shifts = [-1, 1].into_iter().filter_map(|shift| first.checked_add_signed(shift));
    all.extend(shifts.map(Other::FirstFrame));
    all.extend(common_divisor(data).filter(|each| *each > 1).map(Other::Steps));
    all.extend(more);
    all.extend(factor(known, data).map(Other::Scale));
    all.push(Other::Swapped);
    let moved = |turned: bool| similarity(known, data, turned).map(|it| Other::Moved(turned, it));
    all.extend([false, true].into_iter().filter_map(moved));
    let of = |other: Other, data: &Places| {
        let minimum = match other {
            Other::EachTime(_) => MATCHED_TIMES,
            _ => MATCHED,
        };
        rms(known, data, minimum, |frame, place| other.read(first, frame, place))
    };
    let found: Vec<_> = all.into_iter().filter_map(|it| Some((it, of(it, data)?))).collect();
    let minimum = found.iter().map(|(_, rms)| *rms).min_by(f64::total_cmp)?;
    let (other, then) = found.into_iter().find(|(_, rms)| *rms <= ALIKE * minimum)?;
    let size = known.values().flatten().fold(0.0, |maximum: f64, it| maximum.max(it.abs()));
    // Another unit is visible from the beginning. A motion that explodes is not.
    let begin = first + (last - first) / 4;
    let early: Places =
        data.range(..=(begin, u64::MAX)).map(|(key, place)| (*key, *place)).collect();
    let before = rms(known, &early, MATCHED, |frame, place| Some((frame, place)));
    let is_early = match (other, before, of(other, &early)) {
        (Other::Scale(_) | Other::Moved(..), Some(before), Some(then)) => then <= EARLY * before,
        _ => true,
    };
    // If nothing matches in the current reading, the other reading has to agree with the motion
    // itself.
    let now = now.unwrap_or(size);
    // A scale that shrinks the data to a point leaves a distance as large as the known motion.
    let is_like = then <= LIKE * spread(known);
    let is_better = then <= FAR_BETTER * now && now > 1e-9 * size && is_early && is_like;
    is_better.then_some(Better { other, rms: [now, then] })
}

/// Root mean square distance of positions from their mean.
fn spread(known: &Places) -> f64 {
    let count = known.len().max(1) as f64;
    let mean = [0, 1, 2].map(|axis| known.values().map(|it| it[axis]).sum::<f64>() / count);
    let square = |place: &[f64; 3]| {
        place.iter().zip(mean).map(|(it, mean)| (it - mean) * (it - mean)).sum::<f64>()
    };
    (known.values().map(square).sum::<f64>() / count).sqrt()
}

/// Inverts y if `is_turned`.
fn turn([x, y, z]: [f64; 3], is_turned: bool) -> [f64; 3] {
    [x, if is_turned { -y } else { y }, z]
}

/// Returns the origin and unit that bring data nearest to known positions. `None` if the origin
/// stays the same.
fn similarity(known: &Places, data: &Places, is_turned: bool) -> Option<Similarity> {
    let pair =
        |(key, place): (&(u64, u64), &[f64; 3])| Some((turn(*place, is_turned), *known.get(key)?));
    let pairs: Vec<_> = data.iter().filter_map(pair).collect();
    let found = Similarity::of(&pairs)?.rounded(&pairs);
    let extent = |axis: usize| {
        let values = pairs.iter().map(|(_, place)| place[axis]);
        let low = values.clone().fold(f64::INFINITY, f64::min);
        values.fold(f64::NEG_INFINITY, f64::max) - low
    };
    let extent = (0..3).map(extent).fold(0.0, f64::max);
    let is_other = found.translate.iter().any(|value| value.abs() > FACTOR * extent);
    (pairs.len() > 2 && is_other).then_some(found)
}

/// Greatest common divisor of the numbers of frames.
fn common_divisor(data: &Places) -> Option<u64> {
    let frames = data.keys().map(|(frame, _)| *frame);
    frames.reduce(|mut a, mut b| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    })
}

/// Returns the factor that brings data nearest to known positions. `None` if the factor is 1.
fn factor(known: &Places, data: &Places) -> Option<f64> {
    let (mut product, mut squares) = (0.0, 0.0);
    for (key, place) in data {
        let Some(other) = known.get(key) else { continue };
        product += (0..3).map(|k| place[k] * other[k]).sum::<f64>();
        squares += (0..3).map(|k| place[k] * place[k]).sum::<f64>();
    }
    let factor = product / squares;
    (factor.is_finite() && factor > 0.0 && (factor - 1.0).abs() > FACTOR).then_some(factor)
}
