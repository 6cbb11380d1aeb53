//! Readings of data under which they would fit far better: y downwards, frames that are counted
//! from another number, steps in place of frames, other units.
//!
//! A reading is proposed with the text that asks for it, and never taken silently.

use catena_base::text::number::short;
use std::collections::BTreeMap;

/// Positions by frame and node.
pub(super) type Places = BTreeMap<(u64, u64), [f64; 3]>;

/// Another reading of data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Other {
    YDown,
    /// First frame of the data.
    FirstFrame(u64),
    /// Number of steps per frame, where the data count steps.
    Steps(u64),
    /// Factor of the positions.
    Scale(f64),
}

/// Share of the root mean square distance below which another reading fits far better.
const FAR_BETTER: f64 = 0.1;
/// Minimum share of the data that another reading has to match.
const MATCHED: f64 = 0.5;
/// Relative deviation of a factor from 1 that counts.
const FACTOR: f64 = 0.01;

/// A better reading, with the root mean square distances of the present one and of this one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Better {
    pub(super) other: Other,
    rms: [f64; 2],
}

impl Better {
    /// Describes the reading: `options` returns the text to add for it.
    pub(super) fn told(&self, options: impl Fn(Other) -> String) -> String {
        let looks = match self.other {
            Other::YDown => "as if y pointed down".into(),
            Other::FirstFrame(first) => format!("as if their first frame were frame {first}"),
            Other::Steps(each) => format!("as if they counted steps, {each} per frame"),
            Other::Scale(factor) => format!("{} times as large", short(1.0 / factor)),
        };
        let [now, then] = self.rms.map(short);
        let add = options(self.other);
        format!("the data look {looks} (rms distance {then} in place of {now}): add {add}")
    }
}

/// Root mean square distance of data from known positions. `read` returns the frame and the
/// position that a datum means. `None` if too few of the data have a known position.
fn rms(
    known: &Places,
    data: &Places,
    read: impl Fn(u64, [f64; 3]) -> Option<(u64, [f64; 3])>,
) -> Option<f64> {
    let (mut squares, mut count) = (0.0, 0_usize);
    for ((frame, node), place) in data {
        let Some((frame, place)) = read(*frame, *place) else { continue };
        let Some(other) = known.get(&(frame, *node)) else { continue };
        squares += (0..3).map(|k| (place[k] - other[k]) * (place[k] - other[k])).sum::<f64>();
        count += 1;
    }
    let is_enough = count > 1 && count as f64 >= MATCHED * data.len() as f64;
    is_enough.then(|| f64::sqrt(squares / count as f64)).filter(|rms| rms.is_finite())
}

/// Finds the reading of data that fits far better than the present one.
pub(super) fn better(known: &Places, data: &Places) -> Option<Better> {
    let first = data.keys().next()?.0;
    let now = rms(known, data, |frame, place| Some((frame, place)));
    let mut all =
        vec![(Other::YDown, rms(known, data, |frame, [x, y, z]| Some((frame, [x, -y, z]))))];
    for shift in [-1, 1] {
        let Some(begin) = first.checked_add_signed(shift) else { continue };
        let read = |frame: u64, place| Some((frame.checked_add_signed(shift)?, place));
        all.push((Other::FirstFrame(begin), rms(known, data, read)));
    }
    if let Some(each @ 2..) = common_divisor(data) {
        all.push((
            Other::Steps(each),
            rms(known, data, |frame, place| Some((frame / each, place))),
        ));
    }
    if let Some(factor) = factor(known, data) {
        let read = |frame: u64, place: [f64; 3]| Some((frame, place.map(|it| it * factor)));
        all.push((Other::Scale(factor), rms(known, data, read)));
    }
    let found = all.into_iter().filter_map(|(other, rms)| Some((other, rms?)));
    let (other, then) = found.min_by(|a, b| a.1.total_cmp(&b.1))?;
    let size = known.values().flatten().fold(0.0, |most: f64, it| most.max(it.abs()));
    // Without a match at present, the other reading has to agree with the motion itself.
    let now = now.unwrap_or(size);
    (then <= FAR_BETTER * now && now > 1e-9 * size).then_some(Better { other, rms: [now, then] })
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

/// Factor that brings data nearest to known positions, if it is not 1.
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
