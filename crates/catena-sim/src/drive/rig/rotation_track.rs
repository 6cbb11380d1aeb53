//! Rotations over time: between keys, along a spline, or about an axis by a varying angle.

use super::rotation::{MovingRotation, angle_between, normalised, toward};
use crate::body::curve::spans::Location;
use crate::drive::track::{
    Animated, Extent, Interpolation, Key, Keys, Playback, SplineTrack, Track,
};
use crate::named::{BadOption, BadSetup};
use glam::{DQuat, DVec3};

/// A rotation at every time, and its derivative.
///
/// Keys are quaternions (x, y, z, w). Slerp pieces have a constant angular velocity and take the
/// shorter arc, as do Linear and Catmull-Rom pieces. Hermite and Bézier pieces use the signs of the
/// keys as written, as in glTF. A track rests before its first key and after its last one.
#[derive(Clone, Debug)]
pub struct RotationTrack {
    kind: Kind,
    /// Playback of the track; `None` to play it as written.
    playback: Option<Playback>,
}
crate::identity!(RotationTrack { kind, playback });

#[derive(Clone, Debug)]
enum Kind {
    Keys(Turns),
    Spline(SplineTrack<4>),
    Axis(DVec3, Animated<1>),
}
crate::identity!(
    enum Kind {
        Keys(value),
        Spline(value),
        Axis(a, b),
    }
);

/// Converts four components to a quaternion.
fn quaternion(value: [f64; 4]) -> DQuat {
    DQuat::from_array(value)
}

impl RotationTrack {
    /// Creates a constant rotation.
    ///
    /// # Errors
    /// Returns an error if the quaternion has no length or is not finite.
    pub fn constant(turn: DQuat) -> Result<Self, BadSetup> {
        Ok(Self::new(vec![Key::new(0.0, turn.to_array())])?)
    }

    /// Creates a track from keys and normalises them. Unit quaternions stay unchanged.
    ///
    /// # Errors
    /// Returns an error if there is no key, a number is not finite, or times do not increase. A
    /// quaternion without length, or a Bézier piece without a handle between its keys, is also an
    /// error.
    pub fn new(mut keys: Vec<Key<4>>) -> Result<Self, BadOption> {
        for (i, key) in keys.iter_mut().enumerate() {
            let Some(turn) = normalised(quaternion(key.value)) else {
                let expected = "a finite rotation that is not of length 0";
                return Err(BadOption {
                    option: "keys",
                    entry: Some(i),
                    expected: expected.into(),
                });
            };
            key.value = turn.to_array();
        }
        Ok(Self::of(Kind::Keys(Turns::new(&keys)?)))
    }

    /// Creates a track with Slerp pieces between times and rotations.
    ///
    /// # Errors
    /// Returns the errors of [`RotationTrack::new`].
    pub fn slerps(keys: &[(f64, DQuat)]) -> Result<Self, BadOption> {
        let key = |&(time, turn): &(f64, DQuat)| {
            Key::new(time, turn.to_array()).to_next(Interpolation::Slerp)
        };
        Self::new(keys.iter().map(key).collect())
    }

    /// Creates a track from a spline of quaternions, whose values are normalised.
    pub fn spline(spline: SplineTrack<4>) -> Self {
        Self::of(Kind::Spline(spline))
    }

    /// Creates a rotation about an axis by an angle in radians, which may vary.
    ///
    /// # Errors
    /// Returns an error if the axis has no length or is not finite.
    pub fn about(axis: DVec3, angle: Animated<1>) -> Result<Self, BadSetup> {
        let length = axis.length();
        let is_fine = length > 0.0 && length.is_finite();
        BadSetup::unless(is_fine, "axis", "expected a finite vector that is not zero")?;
        Ok(Self::of(Kind::Axis(axis / length, angle)))
    }

    fn of(kind: Kind) -> Self {
        Self { kind, playback: None }
    }

    /// Sets the playback of the track.
    pub fn played(self, playback: Playback) -> Self {
        Self { playback: Some(playback), ..self }
    }

    /// Returns the rotation at a time, and its derivative.
    pub fn at(&self, t: f64) -> MovingRotation {
        let Some(playback) = &self.playback else { return self.written_at(t) };
        let (local, speed) = playback.local(t);
        let MovingRotation { turn, rate } = self.written_at(local);
        MovingRotation { turn, rate: rate * speed }
    }

    /// Returns the rotation at a time of the track itself.
    fn written_at(&self, t: f64) -> MovingRotation {
        match &self.kind {
            Kind::Keys(turns) => turns.at(t),
            Kind::Spline(spline) => {
                let (value, rate) = spline.at(t);
                unit(value, rate, DQuat::IDENTITY)
            }
            Kind::Axis(axis, angle) => {
                let ([angle], [rate]) = angle.at(t);
                let (sine, cosine) = libm::sincos(0.5 * angle);
                let v = *axis * sine;
                let turn = DQuat::from_xyzw(v.x, v.y, v.z, cosine);
                MovingRotation::turning(turn, *axis * rate)
            }
        }
    }

    /// Returns the time range in which the rotation changes.
    pub fn extent(&self) -> Extent {
        match (&self.playback, &self.kind) {
            (Some(playback), _) => playback.extent(),
            (None, Kind::Keys(turns)) => turns.keys.extent(),
            (None, Kind::Spline(spline)) => spline.extent(),
            (None, Kind::Axis(_, angle)) => angle.extent(),
        }
    }

    /// Whether all keys rotate about z only, which keeps the plane z = 0 in place.
    pub fn is_about_z(&self) -> bool {
        match &self.kind {
            Kind::Keys(turns) => turns.keys.vanishes(0) && turns.keys.vanishes(1),
            Kind::Spline(spline) => spline.vanishes(0) && spline.vanishes(1),
            Kind::Axis(axis, angle) => axis.x == 0.0 && axis.y == 0.0 || angle.vanishes(0),
        }
    }
}

/// Normalises four components with their rates; returns `other` if they have no length.
fn unit(value: [f64; 4], rate: [f64; 4], other: DQuat) -> MovingRotation {
    let moving = MovingRotation::of(quaternion(value), quaternion(rate));
    moving.unwrap_or(MovingRotation::resting(other))
}

/// A great-circle arc from a rotation a: a cos(sφ) + e sin(sφ). e is perpendicular to a, and φ is
/// the angle between both ends.
#[derive(Clone, Copy, Debug)]
struct GreatArc {
    across: DQuat,
    angle: f64,
}

impl GreatArc {
    fn new(a: DQuat, b: DQuat) -> Self {
        let b = toward(a, b);
        let across = normalised(b - a * a.dot(b)).unwrap_or(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
        Self { across, angle: angle_between(a, b) }
    }
}

/// Rotation keys, and the great-circle arcs between them.
#[derive(Clone, Debug)]
struct Turns {
    keys: Keys<4>,
    /// One arc per key except the last; empty if there are no Slerp pieces.
    arcs: Vec<GreatArc>,
}
crate::identity!(Turns { keys; arcs });

impl Turns {
    fn new(keys: &[Key<4>]) -> Result<Self, BadOption> {
        let arc =
            |pair: &[Key<4>]| GreatArc::new(quaternion(pair[0].value), quaternion(pair[1].value));
        let slerps = keys.iter().any(|key| key.interpolation == Interpolation::Slerp);
        let pairs = keys.windows(2).filter(|_| slerps);
        Ok(Self { keys: Keys::new(keys)?, arcs: pairs.map(arc).collect() })
    }

    /// Returns the rotation of a key.
    fn turn(&self, i: usize) -> DQuat {
        quaternion(self.keys.values()[i])
    }

    /// Returns the rotation between two keys, or the rotation of the outermost key.
    fn at(&self, t: f64) -> MovingRotation {
        let i = match self.keys.find(t) {
            Location::Key(i) => return MovingRotation::resting(self.turn(i)),
            Location::Behind(i) => i,
        };
        let pivot = self.turn(i);
        let moving = match self.keys.kind(i) {
            Interpolation::Slerp => self.along_arc(i, t),
            Interpolation::Linear | Interpolation::CatmullRom => {
                let near = toward(pivot, self.turn(i + 1));
                // The second neighbour uses the hemisphere of the first one, which may be far from
                // the pivot.
                let value = |k| {
                    let pivot = if k > i + 1 { near } else { pivot };
                    toward(pivot, self.turn(k)).to_array()
                };
                let (value, rate) = self.keys.piece(i, t, value);
                unit(value, rate, pivot)
            }
            Interpolation::Step | Interpolation::Hermite | Interpolation::Bezier => {
                let (value, rate) = self.keys.piece(i, t, |k| self.keys.values()[k]);
                unit(value, rate, pivot)
            }
        };
        let is_key = self.keys.times()[i] == t;
        if is_key { MovingRotation { turn: pivot, ..moving } } else { moving }
    }

    fn along_arc(&self, i: usize, t: f64) -> MovingRotation {
        let (from, GreatArc { across, angle }) = (self.turn(i), self.arcs[i]);
        let rate = angle / (self.keys.times()[i + 1] - self.keys.times()[i]);
        let (sine, cosine) = libm::sincos((t - self.keys.times()[i]) * rate);
        MovingRotation {
            turn: from * cosine + across * sine,
            rate: from * (-rate * sine) + across * (rate * cosine),
        }
    }
}
