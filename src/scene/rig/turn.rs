//! Rotations as scenes write them: degrees about z, about an axis, quaternions; constant or moving.

use crate::scene::diagnostic::Fault;
use crate::scene::entries::Entry;
use crate::scene::grammar::{Grammar, Inside, Thing};
use crate::scene::layered::FieldValue;
use crate::scene::over_time::{CURVE, OverTime, WrittenCurve, curve_grammar, refused};
use crate::scene::read::FromRon;
use crate::scene::values::{Finite, Vector};
use crate::sim::drive::rig::RotationTrack;
use crate::sim::drive::track::{
    Animated, Extent, Interpolation, Piece, Track, WrittenKey, WrittenTrack,
};
use crate::sim::glam::{DQuat, DVec3};
use crate::sim::named::BadOption;
use ron::value::RawValue;
use serde::{Deserialize, Deserializer, de};
use std::f64::consts::PI;

/// What people are told to write.
const EXPECTED: &str =
    "degrees about z, About(axis: (x, y, z), angle: degrees) or Quaternion(x, y, z, w)";

/// A rotation, as a quaternion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn(pub DQuat);

/// A rotation about an axis, by an angle in degrees that may move.
#[derive(Clone, Debug)]
struct About {
    axis: DVec3,
    angle: Animated<1>,
}

readable! {
    /// Axis and angle as they are written.
    pub struct AboutText {
        /// The axis.
        axis: crate::scene::read::Optional<Vector>,
        /// The angle.
        angle: crate::scene::read::Optional<OverTime<Finite>>,
    }
}

impl About {
    /// Reads what stands behind the word.
    fn from_ron(text: &str) -> Result<Self, Fault> {
        let AboutText { axis, angle } = AboutText::from_ron(text)?;
        let (Some(axis), Some(OverTime { track: angle, .. })) = (axis.0, angle.0) else {
            let fault = Fault::new("a rotation about an axis needs `axis` and `angle`");
            return Err(fault.help("write About(axis: (0, 1, 0), angle: 90)").at(0..text.len()));
        };
        let axis = DVec3::from_array(axis.xyz());
        if axis.length() > 0.0 && axis.length().is_finite() {
            return Ok(Self { axis, angle });
        }
        Err(Fault::new("the axis has no direction: it is zero").at(0..text.len()))
    }

    /// The rotation that it is where it does not move.
    fn constant(&self) -> Option<DQuat> {
        let Animated::Constant([angle]) = self.angle else { return None };
        let (sine, cosine) = libm::sincos(angle * PI / 360.0);
        let v = self.axis * (sine / self.axis.length());
        Some(DQuat::from_xyzw(v.x, v.y, v.z, cosine))
    }
}

impl Turn {
    /// Reads a rotation that does not move; a fault's span counts from the start of the text.
    fn read(text: &str) -> Result<Self, Fault> {
        let bare = text.trim_start();
        let moved = |name: &str, fault: Fault| fault.moved(text.len() - bare.len() + name.len());
        if let Some(rest) = bare.strip_prefix("About") {
            let about = About::from_ron(rest).map_err(|fault| moved("About", fault))?;
            let fault = || Fault::new("the angle cannot move here").at(0..text.len());
            return about.constant().map(Self).ok_or_else(fault);
        }
        if let Some(rest) = bare.strip_prefix("Quaternion") {
            let read = <(Finite, Finite, Finite, Finite)>::from_ron(rest);
            let (x, y, z, w) = read.map_err(|fault| moved("Quaternion", fault))?;
            let turn = DQuat::from_xyzw(x.0, y.0, z.0, w.0);
            let fault = || Fault::new("the quaternion has no length").at(0..text.len());
            return crate::sim::drive::rig::normalised(turn).map(Self).ok_or_else(fault);
        }
        let number = Finite::from_ron(text).map_err(|fault| {
            let starts_like_number =
                bare.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
            if starts_like_number {
                fault
            } else {
                Fault::new(format!("expected {EXPECTED}")).at(0..text.len())
            }
        })?;
        let (sine, cosine) = libm::sincos(number.0 * PI / 360.0);
        Ok(Self(DQuat::from_xyzw(0.0, 0.0, sine, cosine)))
    }
}

impl<'de> Deserialize<'de> for Turn {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <Box<RawValue>>::deserialize(deserializer)?;
        Self::read(text.trim().get_ron()).map_err(|fault| de::Error::custom(fault.message))
    }
}

/// A rotation that stays as it is, or that a curve moves.
#[derive(Clone, Debug)]
pub enum TurnTrack {
    /// The same at all times.
    Constant(DQuat),
    /// Over time.
    Moving(RotationTrack),
}

impl FromRon for TurnTrack {
    fn from_ron(text: &str) -> Result<Self, Fault> {
        let bare = text.trim_start();
        if let Some(rest) = bare.strip_prefix("About") {
            let start = text.len() - bare.len() + "About".len();
            let about = About::from_ron(rest).map_err(|fault| fault.moved(start))?;
            if let Some(turn) = about.constant() {
                return Ok(Self::Constant(turn));
            }
            let angle = Animated::moving(Radians(about.angle));
            let track = RotationTrack::about(about.axis, angle);
            return track
                .map(Self::Moving)
                .map_err(|bad| Fault::new(bad.message).at(0..text.len()));
        }
        let Some(curve) = WrittenCurve::<Turn>::read(text)? else {
            return Turn::read(text).map(|turn| Self::Constant(turn.0));
        };
        if let WrittenCurve::Keys(written) = &curve {
            check_pieces(written).map_err(|bad| refused(&bad, text).help(RATES))?;
        }
        track(&curve).map(Self::Moving).map_err(|bad| refused(&bad, text))
    }
}

/// What to write where rotations are to have rates.
const RATES: &str = "write About(axis: (0, 0, 1), angle: [(0, 0, Hermite(leave: 90)), (2, 45)]), whose rates are degrees by time";

/// Refuses pieces with rates, which would be written as rotations and are none.
fn check_pieces(written: &WrittenTrack<Turn>) -> Result<(), BadOption> {
    let has_rates = |key: &WrittenKey<Turn>| matches!(key.piece, Some(Piece::Hermite { .. }));
    let Some(entry) = written.keys.iter().position(has_rates) else { return Ok(()) };
    let expected = "another piece than Hermite, since rates are no rotations";
    BadOption::unless(false, "keys", expected).map_err(|bad| bad.of_entry(entry))
}

/// The track of a curve of rotations.
fn track(curve: &WrittenCurve<Turn>) -> Result<RotationTrack, BadOption> {
    let components = |turn: &Turn| turn.0.to_array();
    let (track, playback) = match curve {
        WrittenCurve::Spline(written) => {
            let spline = written.spline(components)?;
            let playback = written.playback(spline.extent().window())?;
            (RotationTrack::spline(spline), playback)
        }
        WrittenCurve::Keys(written) => {
            let keys = written.keys(Interpolation::Slerp, components);
            (RotationTrack::new(keys)?, written.playback()?)
        }
    };
    Ok(match playback {
        None => track,
        Some(playback) => track.played(playback),
    })
}

/// What editors know of rotations that have names.
pub(in crate::scene) fn turns_grammar() -> Grammar {
    const OWN: [Thing; 2] = [
        Thing {
            name: "About",
            summary: "about an axis, by an angle in degrees that may move",
            inside: Inside::Grammar(Grammar::Fields(|| AboutText::inside().members())),
        },
        Thing {
            name: "Quaternion",
            summary: "a quaternion: (x, y, z, w)",
            inside: Inside::Grammar(Grammar::Plain),
        },
    ];
    Grammar::Things(|| OWN.to_vec())
}

impl FieldValue for TurnTrack {
    fn grammar() -> Grammar {
        Grammar::Either(|| vec![Grammar::Plain, turns_grammar(), curve_grammar()])
    }

    fn expected() -> String {
        format!("{EXPECTED}; or a curve: {CURVE}, or an angle that is a curve")
    }
}

/// An angle in radians of one in degrees.
#[derive(Clone, Debug)]
struct Radians(Animated<1>);

impl Track<1> for Radians {
    fn at(&self, t: f64) -> ([f64; 1], [f64; 1]) {
        let ([angle], [rate]) = self.0.at(t);
        ([angle * PI / 180.0], [rate * PI / 180.0])
    }

    fn extent(&self) -> Extent {
        self.0.extent()
    }

    fn vanishes(&self, component: usize) -> bool {
        self.0.vanishes(component)
    }
}
