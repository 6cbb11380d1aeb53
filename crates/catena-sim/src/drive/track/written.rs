//! Tracks as scenes write them: keys with an interpolation each, and how they are played.

use super::written_spline::written;
use super::{Animated, Extent, Interpolation, Key, KeyTrack, Playback, Played, Repeat, Track};
use crate::named::BadOption;
use serde::{Deserialize, Deserializer, de};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// A key: `(time, value)`, or `(time, value, piece)`.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenKey<V> {
    /// When.
    pub time: f64,
    /// The value then.
    pub value: V,
    /// How the piece that begins here goes on; `None` leaves it to the kind of value.
    pub piece: Option<Piece<V>>,
}

/// How a piece goes on from its key, and what leads to and from the key.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "V: Deserialize<'de>"))]
pub enum Piece<V> {
    /// Holds the value of the key until the next one.
    Step,
    /// Straight; of rotations the short way, at a speed that changes a little.
    Linear,
    /// Of rotations: the short way at constant speed.
    Slerp,
    /// A cubic with rates that follow from the neighbours.
    CatmullRom,
    /// A cubic with the rates by time at which it arrives at the key and leaves it; what is left
    /// out is 0.
    Hermite {
        /// The rate at which the piece before arrives.
        #[serde(default, deserialize_with = "written")]
        arrive: Option<V>,
        /// The rate at which the piece behind leaves.
        #[serde(default, deserialize_with = "written")]
        leave: Option<V>,
    },
    /// A cubic with handles, each a time and a value; the first key needs none before it, the last
    /// one none after it.
    Bezier {
        /// The handle of the piece before.
        #[serde(default, deserialize_with = "written")]
        before: Option<(f64, V)>,
        /// The handle of the piece behind.
        #[serde(default, deserialize_with = "written")]
        after: Option<(f64, V)>,
    },
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for WrittenKey<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor<V>(PhantomData<V>);

        impl<'de, V: Deserialize<'de>> de::Visitor<'de> for Visitor<V> {
            type Value = WrittenKey<V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("(time, value) or (time, value, how it goes on to the next key)")
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let missing = |count| de::Error::invalid_length(count, &self);
                let time = seq.next_element()?.ok_or_else(|| missing(0))?;
                let value = seq.next_element()?.ok_or_else(|| missing(1))?;
                Ok(WrittenKey { time, value, piece: seq.next_element()? })
            }
        }

        deserializer.deserialize_tuple(3, Visitor(PhantomData))
    }
}

/// Keys, and how they are played.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "V: Deserialize<'de>"))]
pub struct WrittenTrack<V> {
    /// The keys, in order of time.
    pub keys: Vec<WrittenKey<V>>,
    /// What happens after the last key.
    #[serde(default)]
    pub repeat: Repeat,
    /// How many times as fast it goes.
    #[serde(default = "one")]
    pub speed: f64,
    /// When it begins.
    #[serde(default)]
    pub offset: f64,
}

fn one() -> f64 {
    1.0
}

impl<V> WrittenTrack<V> {
    /// Keys that are played once as they are written.
    pub fn new(keys: Vec<WrittenKey<V>>) -> Self {
        Self { keys, repeat: Repeat::Once, speed: 1.0, offset: 0.0 }
    }

    /// The keys with their values and rates as components; `usual` is how a piece goes on of which
    /// nothing is written.
    pub fn keys<const D: usize>(
        &self,
        usual: Interpolation,
        value: impl Fn(&V) -> [f64; D],
    ) -> Vec<Key<D>> {
        self.keys.iter().map(|key| key.read(usual, &value)).collect()
    }

    /// When it changes.
    pub fn extent(&self) -> Extent {
        let Some((first, last)) = self.keys.first().zip(self.keys.last()) else {
            return Extent::Still;
        };
        match self.playback() {
            Ok(Some(playback)) => playback.extent(),
            _ => Extent::Bounded(first.time, last.time),
        }
    }

    /// How it is played; `None` where it is played as it is written.
    ///
    /// # Errors
    /// Where a number is not finite, or one key is to be played otherwise than once.
    pub fn playback(&self) -> Result<Option<Playback>, BadOption> {
        let ends = self.keys.first().zip(self.keys.last());
        let part = ends.map_or((0.0, 0.0), |(first, last)| (first.time, last.time));
        Playback::of_whole(part, self.offset, self.speed, self.repeat)
    }

    /// The track of values of D components.
    ///
    /// # Errors
    /// As [`KeyTrack::new`] and [`WrittenTrack::playback`].
    pub fn track<const D: usize>(
        &self,
        value: impl Fn(&V) -> [f64; D],
    ) -> Result<Animated<D>, BadOption> {
        self.play(KeyTrack::new(self.keys(Interpolation::Linear, value))?)
    }

    /// A track along the keys, played as it is written.
    ///
    /// # Errors
    /// As [`WrittenTrack::playback`].
    pub fn play<const D: usize>(
        &self,
        track: impl Track<D> + 'static,
    ) -> Result<Animated<D>, BadOption> {
        Ok(match self.playback()? {
            None => Animated::moving(track),
            Some(playback) => Animated::moving(Played { track: Arc::new(track), playback }),
        })
    }
}

impl<V: PartialEq> WrittenTrack<V> {
    /// Whether its value jumps somewhere: behind a step, or where it begins anew.
    pub fn jumps(&self) -> bool {
        let steps = self.keys.iter().any(|key| key.piece == Some(Piece::Step));
        let ends = self.keys.first().zip(self.keys.last());
        let is_open = ends.is_some_and(|(first, last)| first.value != last.value);
        steps || self.repeat == Repeat::Loop && is_open
    }
}

impl<V> WrittenKey<V> {
    /// All values that stand in it: its own, rates and those of handles.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        let beside = match &self.piece {
            Some(Piece::Hermite { arrive, leave }) => [arrive.as_ref(), leave.as_ref()],
            Some(Piece::Bezier { before, after }) => {
                [before, after].map(|handle| handle.as_ref().map(|(_, value)| value))
            }
            _ => [None, None],
        };
        [Some(&self.value)].into_iter().chain(beside).flatten()
    }

    fn read<const D: usize>(
        &self,
        usual: Interpolation,
        value: &impl Fn(&V) -> [f64; D],
    ) -> Key<D> {
        let key = Key::new(self.time, value(&self.value)).to_next(usual);
        let rate = |rate: &Option<V>| rate.as_ref().map_or([0.0; D], value);
        let handle = |handle: &Option<(f64, V)>| handle.as_ref().map(|(t, at)| (*t, value(at)));
        match &self.piece {
            None => key,
            Some(Piece::Step) => key.to_next(Interpolation::Step),
            Some(Piece::Linear) => key.to_next(Interpolation::Linear),
            Some(Piece::Slerp) => key.to_next(Interpolation::Slerp),
            Some(Piece::CatmullRom) => key.to_next(Interpolation::CatmullRom),
            Some(Piece::Hermite { arrive, leave }) => key.rates(rate(arrive), rate(leave)),
            Some(Piece::Bezier { before, after }) => {
                let handles = [handle(before), handle(after)];
                Key { handles, ..key.to_next(Interpolation::Bezier) }
            }
        }
    }
}
