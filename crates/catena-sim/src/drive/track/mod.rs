//! Tracks: values with any number of components over time, with exact derivatives. Numbers have one
//! component, positions three, colours and rotations four.
//!
//! [`KeyTrack`] interpolates keys, [`SplineTrack`] follows control points, and [`Played`] shifts,
//! scales and repeats another track. [`Followed`] converts a curve of a scene to a track, and
//! [`TrackCurve`] a track to a curve.

mod color;
pub mod color_space;
mod curves;
mod extent;
mod extremes;
mod keyed;
mod playback;
mod spline;
mod written;
mod written_spline;

pub use color::{ColorSpace, ColorTrack};
pub use curves::{Followed, TrackCurve};
pub use extent::Extent;
pub use extremes::{Extremes, Moment};
pub(crate) use keyed::Keys;
pub use keyed::{Handle, Interpolation, Key, KeyTrack};
pub use playback::{Playback, Played, Repeat};
pub use spline::SplineTrack;
pub use written::{Piece, WrittenKey, WrittenTrack};
pub(crate) use written_spline::SPLINE_END;
pub use written_spline::WrittenSpline;

use crate::identity::Identity;
use std::{fmt::Debug, sync::Arc};

/// A value with D components at every time, and its derivative.
pub trait Track<const D: usize>: Debug + Identity + Send + Sync {
    /// Returns the value and its time derivative, at any finite time.
    fn at(&self, t: f64) -> ([f64; D], [f64; D]);

    /// Returns the time range in which the value changes.
    fn extent(&self) -> Extent;

    /// Returns the minimum and the maximum of each component over all times; `None` if unknown. If
    /// a playback changes the track's time, the extremes have track times, not scene times.
    fn extremes(&self) -> Option<[Extremes; D]> {
        None
    }

    /// Whether a component is 0 in all keys or points, and therefore at all times. `false` also if
    /// unknown.
    fn vanishes(&self, _component: usize) -> bool {
        false
    }
}

/// A value that is constant or given by a track.
#[derive(Clone, Debug)]
pub enum Animated<const D: usize> {
    /// Constant value at all times.
    Constant([f64; D]),
    /// A value given by a track.
    Moving(Arc<dyn Track<D>>),
}
crate::identity!(enum [const D: usize] Animated[D] { Constant(value), Moving(value) });

impl Animated<1> {
    /// Creates a constant number.
    pub fn number(value: f64) -> Self {
        Self::Constant([value])
    }
}

impl<const D: usize> Animated<D> {
    /// Creates a value given by a track.
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
