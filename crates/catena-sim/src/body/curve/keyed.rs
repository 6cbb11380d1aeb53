//! From key to key, each piece with an interpolation of its own; once, over and over, or back and
//! forth. The interpolations are those of `drive/track/keyed.rs`.

use super::Curve;
use super::keys::{self, KEYS, Place};
use crate::drive::track::{Animated, Track, WrittenKey, WrittenTrack, places_over};
use crate::named::{BadOption, BadSetup, Components, Info, OptionInfo};
use serde::Deserialize;

/// The curve and its keys.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "WrittenTrack<Components>")]
pub struct Keys {
    written: WrittenTrack<Components>,
    track: Animated<3>,
}

impl TryFrom<WrittenTrack<Components>> for Keys {
    type Error = BadSetup;

    fn try_from(written: WrittenTrack<Components>) -> Result<Self, BadSetup> {
        let track = written.track(Components::xyz)?;
        Ok(Self { written, track })
    }
}

const PIECES: OptionInfo = OptionInfo {
    name: "keys",
    summary: "times and places, each with how it goes on: [(0, (0, 0), Step), (2.5, (100, 0))]",
    default: OptionInfo::NEEDED,
    range: "(time, place) or (time, place, piece), a piece being Step, Linear, CatmullRom, Hermite(arrive: rate, leave: rate) or Bezier(before: (time, place), after: (time, place))",
};

const REPEAT: OptionInfo = OptionInfo {
    name: "repeat",
    summary: "what happens after the last key",
    default: "Once",
    range: "Once, Loop or PingPong",
};

const SPEED: OptionInfo = OptionInfo {
    name: "speed",
    summary: "how many times as fast as written it goes; below 0 backwards",
    default: "1",
    range: "a finite number",
};

const OFFSET: OptionInfo = OptionInfo {
    name: "offset",
    summary: "how much later than written it begins",
    default: "0",
    range: "a finite number",
};

impl Keys {
    pub(super) const INFO: Info = Info {
        name: "Keys",
        summary: "from key to key, each with its own interpolation; it may repeat",
        options: &[PIECES, REPEAT, SPEED, OFFSET],
    };
}

impl Curve for Keys {
    fn info(&self) -> Info {
        Self::INFO
    }

    /// It was checked as a whole when it was read.
    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        keys::check_points(&KEYS, self.written.keys.iter().flat_map(WrittenKey::values), axes)
    }

    fn at(&self, t: f64) -> Place {
        self.track.at(t)
    }

    fn places(&self) -> Vec<(f64, [f64; 3])> {
        places_over(self.written.span(), |t| self.at(t))
    }

    fn jumps(&self) -> bool {
        self.written.jumps()
    }
}
