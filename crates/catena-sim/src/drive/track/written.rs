//! Tracks as written in scenes: keys with interpolations, and their playback.

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
    /// Time of the key.
    pub time: f64,
    /// Value at that time.
    pub value: V,
    /// Interpolation of the piece that begins here; `None` for the default of the value type.
    pub piece: Option<Piece<V>>,
}
crate::identity!([V: crate::identity::Identity] WrittenKey[V] { time, value, piece });

/// Interpolation of the piece that begins at a key, with rates or handles of the key.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "V: Deserialize<'de>"))]
pub enum Piece<V> {
    /// Constant until the next key.
    Step,
    /// Linear; for rotations on the shorter arc, at nearly constant speed.
    Linear,
    /// For rotations: on the shorter arc at constant speed.
    Slerp,
    /// Cubic with rates from the neighbouring keys.
    CatmullRom,
    /// Cubic with the rates per time before and after the key, by default 0.
    Hermite {
        /// Rate at the end of the previous piece.
        #[serde(default, deserialize_with = "written")]
        arrive: Option<V>,
        /// Rate at the start of the next piece.
        #[serde(default, deserialize_with = "written")]
        leave: Option<V>,
    },
    /// Cubic with handles, each a time and a value. The first key needs no handle before it, and
    /// the last one none after it.
    Bezier {
        /// Handle in the previous piece.
        #[serde(default, deserialize_with = "written")]
        before: Option<(f64, V)>,
        /// Handle in the next piece.
        #[serde(default, deserialize_with = "written")]
        after: Option<(f64, V)>,
    },
}
crate::identity!(enum [V: crate::identity::Identity] Piece[V] {
    Step, Linear, Slerp, CatmullRom, Hermite { arrive, leave }, Bezier { before, after },
});

impl<'de, V: Deserialize<'de>> Deserialize<'de> for WrittenKey<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor<V>(PhantomData<V>);

        impl<'de, V: Deserialize<'de>> de::Visitor<'de> for Visitor<V> {
            type Value = WrittenKey<V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("(time, value) or (time, value, interpolation to the next key)")
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

/// Keys and their playback.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "V: Deserialize<'de>"))]
pub struct WrittenTrack<V> {
    /// Keys in order of time.
    pub keys: Vec<WrittenKey<V>>,
    /// Behaviour after the last key.
    #[serde(default)]
    pub repeat: Repeat,
    /// Factor by which the track is faster than written.
    #[serde(default = "one")]
    pub speed: f64,
    /// Time by which the track is delayed.
    #[serde(default)]
    pub offset: f64,
}
crate::identity!([V: crate::identity::Identity] WrittenTrack[V] { keys, repeat, speed, offset });

fn one() -> f64 {
    1.0
}

impl<V> WrittenTrack<V> {
    /// Creates a track that plays its keys once as written.
    pub fn new(keys: Vec<WrittenKey<V>>) -> Self {
        Self { keys, repeat: Repeat::Once, speed: 1.0, offset: 0.0 }
    }

    /// Converts the keys to D components. `usual` is the interpolation of keys without one.
    pub fn keys<const D: usize>(
        &self,
        usual: Interpolation,
        value: impl Fn(&V) -> [f64; D],
    ) -> Vec<Key<D>> {
        self.keys.iter().map(|key| key.read(usual, &value)).collect()
    }

    /// Returns the time range in which the value changes.
    pub fn extent(&self) -> Extent {
        let Some((first, last)) = self.keys.first().zip(self.keys.last()) else {
            return Extent::Still;
        };
        match self.playback() {
            Ok(Some(playback)) => playback.extent(),
            _ => Extent::Bounded(first.time, last.time),
        }
    }

    /// Returns the playback; `None` to play the keys as written.
    ///
    /// # Errors
    /// Returns an error if a number is not finite, or if a playback is set for a single key.
    pub fn playback(&self) -> Result<Option<Playback>, BadOption> {
        let ends = self.keys.first().zip(self.keys.last());
        let part = ends.map_or((0.0, 0.0), |(first, last)| (first.time, last.time));
        Playback::of_whole(part, self.offset, self.speed, self.repeat)
    }

    /// Creates the track of values with D components.
    ///
    /// # Errors
    /// Returns the errors of [`KeyTrack::new`] and [`WrittenTrack::playback`].
    pub fn track<const D: usize>(
        &self,
        value: impl Fn(&V) -> [f64; D],
    ) -> Result<Animated<D>, BadOption> {
        self.play(KeyTrack::new(self.keys(Interpolation::Linear, value))?)
    }

    /// Applies the playback to a track of these keys.
    ///
    /// # Errors
    /// Returns the errors of [`WrittenTrack::playback`].
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
    /// Whether the value jumps: at the end of a step piece, or at a restart.
    pub fn jumps(&self) -> bool {
        let steps = self.keys.iter().any(|key| key.piece == Some(Piece::Step));
        let ends = self.keys.first().zip(self.keys.last());
        let is_open = ends.is_some_and(|(first, last)| first.value != last.value);
        steps || self.repeat == Repeat::Loop && is_open
    }
}

impl<V> WrittenKey<V> {
    /// Iterates over all values of the key: its own value, its rates, and the values of its
    /// handles.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        let others = match &self.piece {
            Some(Piece::Hermite { arrive, leave }) => [arrive.as_ref(), leave.as_ref()],
            Some(Piece::Bezier { before, after }) => {
                [before, after].map(|handle| handle.as_ref().map(|(_, value)| value))
            }
            _ => [None, None],
        };
        [Some(&self.value)].into_iter().chain(others).flatten()
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
