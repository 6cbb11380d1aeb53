//! Tracks: values of any number of components over time, with their exact derivatives. Numbers have
//! one component, places three, colours and rotations four.
//!
//! [`KeyTrack`] goes from key to key, [`SplineTrack`] follows control points, [`Played`] shifts,
//! speeds up and repeats another track. [`Followed`] makes a track of a curve that scenes name, and
//! [`TrackCurve`] a curve of a track.

mod color;
pub mod color_space;
mod curves;
mod extent;
mod extremes;
mod handles;
mod keyed;
mod playback;
mod spline;
mod written;
mod written_spline;

pub use color::{ColorSpace, ColorTrack};
pub(crate) use curves::places_over;
pub use curves::{Followed, TrackCurve};
pub use extent::Extent;
pub use extremes::{Extremes, Moment};
pub(crate) use keyed::Keys;
pub use keyed::{Interpolation, Key, KeyTrack};
pub use playback::{Playback, Played, Repeat};
pub use spline::SplineTrack;
pub use written::{Piece, WrittenKey, WrittenTrack};
pub(crate) use written_spline::SPLINE_END;
pub use written_spline::WrittenSpline;

use std::{fmt::Debug, sync::Arc};

/// A value of D components for every time, and its derivative.
pub trait Track<const D: usize>: Debug + Send + Sync {
    /// The value and its derivative by time, at any finite time.
    fn at(&self, t: f64) -> ([f64; D], [f64; D]);

    /// When it changes.
    fn extent(&self) -> Extent;

    /// The least and the greatest value of each component over all times, where they are known.
    /// Those of a track that is played otherwise than it is written have the times of its keys.
    fn extremes(&self) -> Option<[Extremes; D]> {
        None
    }

    /// Whether all that is written of a component is 0, so that it is 0 at all times. `false` also
    /// where that is not known.
    fn vanishes(&self, _component: usize) -> bool {
        false
    }
}

/// A value that stays as it is, or that a track moves.
#[derive(Clone, Debug)]
pub enum Animated<const D: usize> {
    /// The value at every time.
    Constant([f64; D]),
    /// The track that says it.
    Moving(Arc<dyn Track<D>>),
}

impl Animated<1> {
    /// A number that stays as it is.
    pub fn number(value: f64) -> Self {
        Self::Constant([value])
    }
}

impl<const D: usize> Animated<D> {
    /// A value that a track moves.
    pub fn moving(track: impl Track<D> + 'static) -> Self {
        Self::Moving(Arc::new(track))
    }
}

impl<const D: usize> Track<D> for Animated<D> {
    fn at(&self, t: f64) -> ([f64; D], [f64; D]) {
        match self {
            Self::Constant(value) => (*value, [0.0; D]),
            Self::Moving(track) => track.at(t),
        }
    }

    fn extent(&self) -> Extent {
        match self {
            Self::Constant(_) => Extent::Still,
            Self::Moving(track) => track.extent(),
        }
    }

    fn extremes(&self) -> Option<[Extremes; D]> {
        match self {
            Self::Constant(value) => Some(value.map(|value| Extremes::constant(0.0, value))),
            Self::Moving(track) => track.extremes(),
        }
    }

    fn vanishes(&self, component: usize) -> bool {
        match self {
            Self::Constant(value) => value.get(component) == Some(&0.0),
            Self::Moving(track) => track.vanishes(component),
        }
    }
}
