//! Playback of a track: its start, speed, range and repetition.

use super::{Extent, Extremes, Track};
use crate::named::BadOption;
use serde::Deserialize;
use std::sync::Arc;

/// Behaviour after the end of the played part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum Repeat {
    /// Keeps the last value.
    #[default]
    Once,
    /// Restarts from the beginning.
    Loop,
    /// Alternates between backward and forward.
    PingPong,
}
crate::identity!(
    enum Repeat {
        Once,
        Loop,
        PingPong,
    }
);

/// Map from the time of a scene to the time of a track: from + speed (t - offset). The result is
/// limited to the played part, unless `is_extended` is set. A negative speed starts at the end of
/// the part. Loop and ping-pong also apply before the offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playback {
    offset: f64,
    speed: f64,
    repeat: Repeat,
    part: (f64, f64),
    /// Whether the track's time continues outside of the part.
    is_extended: bool,
}
crate::identity!(Playback { offset, speed, repeat, part, is_extended });

impl Playback {
    /// Plays the part between two times of a track, from time `offset` on, at `speed` times its
    /// speed.
    ///
    /// # Errors
    /// Returns an error if a number is not finite, or if the part does not end after its start.
    pub fn new(
        part: (f64, f64),
        offset: f64,
        speed: f64,
        repeat: Repeat,
    ) -> Result<Self, BadOption> {
        BadOption::unless(offset.is_finite(), "offset", "a finite number")?;
        BadOption::unless(speed.is_finite(), "speed", "a finite number")?;
        let is_fine = part.0.is_finite() && part.1.is_finite() && part.0 < part.1;
        let expected = "a finite start time and a later, finite end time";
        BadOption::unless(is_fine && (part.1 - part.0).is_finite(), "part", expected)?;
        Ok(Self { offset, speed, repeat, part, is_extended: false })
    }

    /// Lets the track's time continue before and after the part, unless it repeats. Use it for
    /// tracks that change outside of their part.
    pub fn going_on(self) -> Self {
        Self { is_extended: true, ..self }
    }

    /// Plays a whole track, whose time range is `part`, starting `offset` later than written.
    /// Returns `None` if this playback changes nothing.
    ///
    /// # Errors
    /// Returns the errors of [`Playback::new`].
    pub(super) fn of_whole(
        part: (f64, f64),
        offset: f64,
        speed: f64,
        repeat: Repeat,
    ) -> Result<Option<Self>, BadOption> {
        if repeat == Repeat::Once && speed == 1.0 && offset == 0.0 {
            return Ok(None);
        }
        let expected = "at least two keys, to repeat them or play them at another speed";
        BadOption::unless(part.0 < part.1, "keys", expected)?;
        Self::new(part, offset + part.0, speed, repeat).map(Some)
    }

    /// Returns the time range in which the played value changes; at speed 0 it never does.
    pub fn extent(&self) -> Extent {
        let parts = if self.repeat == Repeat::PingPong { 2.0 } else { 1.0 };
        let end = self.offset + parts * (self.part.1 - self.part.0) / self.speed.abs();
        match self.repeat {
            _ if !end.is_finite() => Extent::Still,
            Repeat::Once if !self.is_extended => Extent::Bounded(self.offset, end),
            _ => Extent::Endless(self.offset, end),
        }
    }

    /// Returns the time of the track at a time of the scene, and its derivative.
    pub fn local(&self, t: f64) -> (f64, f64) {
        let (from, until) = self.part;
        let length = until - from;
        let begin = if self.speed < 0.0 { length } else { 0.0 };
        let along = begin + self.speed * (t - self.offset);
        match self.repeat {
            Repeat::Once if self.is_extended => (from + along, self.speed),
            Repeat::Once if along < 0.0 => (from, 0.0),
            Repeat::Once if along >= length => (until, 0.0),
            Repeat::Once => (from + along, self.speed),
            Repeat::Loop => (from + remainder(along, length), self.speed),
            Repeat::PingPong => {
                let along = remainder(along, 2.0 * length);
                if along < length {
                    (from + along, self.speed)
                } else {
                    (from + (2.0 * length - along), -self.speed)
                }
            }
        }
    }
}

/// Returns the remainder of a division, from 0 up to but not including the divisor.
fn remainder(a: f64, divisor: f64) -> f64 {
    let rest = libm::fmod(a, divisor);
    let rest = if rest < 0.0 { rest + divisor } else { rest };
    if rest < divisor { rest } else { 0.0 }
}

/// A track with a playback.
#[derive(Clone, Debug)]
pub struct Played<const D: usize> {
    /// Track that is played.
    pub track: Arc<dyn Track<D>>,
    /// Playback of the track.
    pub playback: Playback,
}
crate::identity!([const D: usize] Played[D] { track, playback });

impl<const D: usize> Track<D> for Played<D> {
    fn at(&self, t: f64) -> ([f64; D], [f64; D]) {
        let (local, speed) = self.playback.local(t);
        let (value, rate) = self.track.at(local);
        (value, rate.map(|component| component * speed))
    }

    fn extent(&self) -> Extent {
        self.playback.extent()
    }

    fn extremes(&self) -> Option<[Extremes; D]> {
        self.track.extremes()
    }

    fn vanishes(&self, component: usize) -> bool {
        self.track.vanishes(component)
    }
}
