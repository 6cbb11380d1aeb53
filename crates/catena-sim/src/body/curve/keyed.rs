//! Curves with a separate interpolation for each piece between keys; played once, repeatedly, or
//! back and forth. `drive/track/keyed.rs` defines the interpolations.

use super::places::places_over;
use super::{Curve, keys};
use crate::body::curve::spans::PlaceAndRate;
use crate::drive::track::{Animated, Extent, Extremes, Piece, Track, WrittenKey, WrittenTrack};
use crate::named::{BadOption, Components, Info, OptionInfo, OptionKind};
use serde::Deserialize;

/// Curve with an interpolation per key. [`Curve::check`] validates the options; an invalid curve
/// stays at 0.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "WrittenTrack<Components>")]
pub struct Keys {
    written: WrittenTrack<Components>,
    track: Result<Animated<3>, BadOption>,
}
crate::identity!(Keys { written; track });

impl From<WrittenTrack<Components>> for Keys {
    fn from(written: WrittenTrack<Components>) -> Self {
        let track = written.track(Components::xyz);
        Self { written, track }
    }
}

const KEYS: OptionInfo = OptionInfo {
    name: "keys",
    summary: "times and positions, each with the interpolation that follows: [(0, (0, 0), Step), (2.5, (100, 0))]",
    default: OptionInfo::NEEDED,
    range: "(time, place) or (time, place, piece), a piece being Step, Linear, CatmullRom, Hermite(arrive: rate, leave: rate) or Bezier(before: (time, place), after: (time, place))",
    unit: OptionInfo::OF_KEYS,
    ..OptionInfo::PLAIN
};

pub(super) const REPEAT: OptionInfo = OptionInfo {
    name: "repeat",
    summary: "behaviour after the end",
    default: "Once",
    range: "Once, Loop or PingPong",
    kind: OptionKind::Words(&["Once", "Loop", "PingPong"]),
    ..OptionInfo::PLAIN
};

pub(super) const SPEED: OptionInfo = OptionInfo {
    name: "speed",
    summary: "playback speed, relative to the times of the keys; negative values play backwards",
    default: "1",
    range: "a finite number",
    ..OptionInfo::PLAIN
};

pub(super) const OFFSET: OptionInfo = OptionInfo {
    name: "offset",
    summary: "delay, added to the times of the keys",
    default: "0",
    range: "a finite number",
    unit: "time",
    ..OptionInfo::PLAIN
};

impl Keys {
    pub(super) const INFO: Info = Info {
        name: "Keys",
        summary: "keys, each with its own interpolation; the curve may repeat",
        options: &[KEYS, REPEAT, SPEED, OFFSET],
    };
}

impl Curve for Keys {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        self.track.as_ref().map(|_| ()).map_err(Clone::clone)
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        keys::check_points(&KEYS, self.written.keys.iter().map(WrittenKey::values), axes)
    }

    fn at(&self, t: f64) -> PlaceAndRate {
        self.track.as_ref().map_or_else(|_| PlaceAndRate::default(), |track| track.at(t))
    }

    fn places(&self) -> Vec<(f64, [f64; 3])> {
        let is_straight = |key: &WrittenKey<Components>| {
            matches!(key.piece, None | Some(Piece::Step | Piece::Linear))
        };
        let keys = &self.written.keys;
        if keys.iter().all(is_straight) && matches!(self.written.playback(), Ok(None)) {
            return keys.iter().map(|key| (key.time, key.value.xyz())).collect();
        }
        places_over(self.extent(), |t| self.at(t))
    }

    fn extent(&self) -> Extent {
        self.written.extent()
    }

    fn extremes(&self) -> Option<[Extremes; 3]> {
        self.track.as_ref().ok()?.extremes()
    }

    fn jumps(&self) -> bool {
        self.written.jumps()
    }
}
