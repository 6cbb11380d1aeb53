//! Rotations as scenes write them: degrees about z or an axis, or quaternions; constant or
//! animated.
//!
//! Between two keys less than 180° apart, a rotation takes the shorter path. If all keys are angles
//! about one axis, they may be farther apart. The angle itself is then interpolated, and 360 is a
//! full turn.

use crate::diagnostic::Fault;
use crate::entry::Entry;
use crate::grammar::{Grammar, Inside, Thing};
use crate::layered::FieldValue;
use crate::over_time::{CURVE, OverTime, WrittenCurve, curve_grammar, refused};
use crate::read::FromRon;
use crate::values::{Finite, Vector};
use catena_ron::{Node, Tree};
use catena_sim::drive::rig::RotationTrack;
use catena_sim::drive::track::{
    Animated, Extent, Interpolation, Piece, Track, WrittenKey, WrittenTrack,
};
use catena_sim::glam::{DQuat, DVec3};
use catena_sim::named::BadOption;
use ron::value::RawValue;
use serde::{Deserialize, Deserializer, de};
use std::f64::consts::PI;

/// Description of allowed values in messages.
const EXPECTED: &str =
    "degrees about z, About(axis: (x, y, z), angle: degrees) or Quaternion(x, y, z, w)";

/// Constant rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// Rotation as a quaternion.
    quaternion: DQuat,
    /// Unit axis and degrees, if the rotation is written as an angle.
    angle: Option<(DVec3, f64)>,
}

/// Rotation about an axis by an angle in degrees, constant or animated.
#[derive(Clone, Debug)]
struct About {
    axis: DVec3,
    angle: Animated<1>,
}

readable! {
    /// Axis and angle as written.
    pub struct AboutText {
        /// Axis of the rotation.
        axis: crate::read::Optional<Vector>,
        /// Angle of the rotation.
        angle: crate::read::Optional<OverTime<Finite>>,
    }
}

impl About {
    /// Reads the text after `About`.
    fn read(node: Node<'_>) -> Result<Self, Fault> {
        let node = node.options();
        let AboutText { axis, angle } = AboutText::from_ron(node)?;
        let (Some(axis), Some(OverTime { track: angle, .. })) = (axis.0, angle.0) else {
            let fault =
                Fault::new("a rotation about an axis needs `axis` and `angle`").of_missing_field();
            return Err(fault.help("write About(axis: (0, 1, 0), angle: 90)").at(node.span()));
        };
        let axis = DVec3::from_array(axis.xyz());
        if axis.length() > 0.0 && axis.length().is_finite() {
            return Ok(Self { axis, angle });
        }
        Err(Fault::new("the axis has no direction: it is zero").at(node.span()))
    }

    /// Returns the rotation if it is constant.
    fn constant(&self) -> Option<Turn> {
        let Animated::Constant([angle]) = self.angle else { return None };
        let (sine, cosine) = libm::sincos(angle * PI / 360.0);
        let v = self.axis * (sine / self.axis.length());
        let quaternion = DQuat::from_xyzw(v.x, v.y, v.z, cosine);
        Some(Turn { quaternion, angle: Some((self.axis / self.axis.length(), angle)) })
    }
}

/// Whether a value has this name, also without options.
fn is_called(name: &str, node: Node<'_>) -> bool {
    node.head() == name || node.text() == name
}

impl Turn {
    /// Reads a constant rotation.
    fn read(node: Node<'_>) -> Result<Self, Fault> {
        if is_called("About", node) {
            let fault = || Fault::new("the angle must be constant here").at(node.span());
            return About::read(node)?.constant().ok_or_else(fault);
        }
        if is_called("Quaternion", node) {
            let read = <(Finite, Finite, Finite, Finite)>::from_ron(node.options());
            let (x, y, z, w) = read?;
            let turn = DQuat::from_xyzw(x.0, y.0, z.0, w.0);
            let fault = || Fault::new("the quaternion must have a length above 0").at(node.span());
            let quaternion = catena_sim::drive::rig::normalised(turn).ok_or_else(fault)?;
            return Ok(Self { quaternion, angle: None });
        }
        let number = Finite::from_ron(node).map_err(|fault| {
            match node.first().is_some_and(|c| c.is_ascii_digit() || "+-.".contains(c)) {
                true => fault,
                false => Fault::new(format!("expected {EXPECTED}")).at(node.span()),
            }
        })?;
        let (sine, cosine) = libm::sincos(number.0 * PI / 360.0);
        let quaternion = DQuat::from_xyzw(0.0, 0.0, sine, cosine);
        Ok(Self { quaternion, angle: Some((DVec3::Z, number.0)) })
    }

    /// Returns the degrees about a unit axis, or `None` if the rotation has another axis or is not
    /// written as an angle.
    fn degrees_about(&self, axis: DVec3) -> Option<f64> {
        let (own, degrees) = self.angle?;
        match () {
            () if degrees == 0.0 => Some(0.0),
            () if own.cross(axis).length() > 1e-12 => None,
            () if own.dot(axis) < 0.0 => Some(-degrees),
            () => Some(degrees),
        }
    }

    /// Returns the angle in degrees between two rotations that are written as angles about one
    /// axis.
    fn degrees_to(&self, next: &Self) -> Option<f64> {
        let turns = |turn: &&Self| turn.angle.is_some_and(|(_, degrees)| degrees != 0.0);
        let (axis, _) = [self, next].into_iter().find(turns).unwrap_or(self).angle?;
        Some((next.degrees_about(axis)? - self.degrees_about(axis)?).abs())
    }
}

impl<'de> Deserialize<'de> for Turn {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <Box<RawValue>>::deserialize(deserializer)?;
        let tree = Tree::parse(text.trim().get_ron());
        Self::read(tree.root()).map_err(|fault| de::Error::custom(fault.message))
    }
}

/// Rotation, constant or animated.
#[derive(Clone, Debug)]
pub enum TurnTrack {
    /// Constant rotation.
    Constant(DQuat),
    /// Rotation over time.
    Moving(RotationTrack),
}

impl FromRon for TurnTrack {
    fn from_ron(node: Node<'_>) -> Result<Self, Fault> {
        if is_called("About", node) {
            let about = About::read(node)?;
            if let Some(turn) = about.constant() {
                return Ok(Self::Constant(turn.quaternion));
            }
            return Self::about(about.axis, about.angle, node);
        }
        let Some(curve) = WrittenCurve::<Turn>::read(node)? else {
            return Turn::read(node).map(|turn| Self::Constant(turn.quaternion));
        };
        if let Some((axis, angle)) = wide_angle(&curve) {
            return Self::about(axis, angle.map_err(|bad| refused(&bad, node))?, node);
        }
        check_angles(&curve).map_err(|bad| refused(&bad, node).help(FAR))?;
        if let WrittenCurve::Keys(written) = &curve {
            check_pieces(written).map_err(|bad| refused(&bad, node).help(RATES))?;
        }
        track(&curve).map(Self::Moving).map_err(|bad| refused(&bad, node))
    }
}

impl TurnTrack {
    /// Returns a rotation about an axis by animated degrees. Faults refer to `node`.
    fn about(axis: DVec3, degrees: Animated<1>, node: Node<'_>) -> Result<Self, Fault> {
        let track = RotationTrack::about(axis, Animated::moving(Radians(degrees)));
        track.map(Self::Moving).map_err(|bad| Fault::new(bad.message).at(node.span()))
    }
}

/// Returns axis and angle of a curve about one axis, if the shorter path between its keys would
/// distort it. This applies to keys or control points at least 180° apart, and to keys with rates.
/// Returns `None` for any other curve.
fn wide_angle(curve: &WrittenCurve<Turn>) -> Option<(DVec3, Result<Animated<1>, BadOption>)> {
    let (main, all): (Vec<&Turn>, Vec<&Turn>) = match curve {
        WrittenCurve::Keys(written) => (
            written.keys.iter().map(|key| &key.value).collect(),
            written.keys.iter().flat_map(WrittenKey::values).collect(),
        ),
        WrittenCurve::Spline(written) => {
            (written.points.iter().collect(), written.points.iter().collect())
        }
    };
    let turns = |turn: &&&Turn| turn.angle.is_some_and(|(_, degrees)| degrees != 0.0);
    let (axis, _) = all.iter().find(turns)?.angle?;
    if !all.iter().all(|turn| turn.degrees_about(axis).is_some()) {
        return None;
    }
    let degrees = |turn: &Turn| turn.degrees_about(axis).unwrap_or_default();
    let is_far = |pair: &[&Turn]| (degrees(pair[1]) - degrees(pair[0])).abs() >= 180.0;
    let has_rates = matches!(curve, WrittenCurve::Keys(written) if rates(written).is_some());
    if !has_rates && !main.windows(2).any(is_far) {
        return None;
    }
    let mut curve = curve.clone();
    if let WrittenCurve::Keys(written) = &mut curve {
        let slerps = |key: &&mut WrittenKey<Turn>| key.piece == Some(Piece::Slerp);
        written.keys.iter_mut().filter(slerps).for_each(|key| key.piece = Some(Piece::Linear));
    }
    Some((axis, curve.track(|turn| [degrees(turn)])))
}

/// Advice for keys more than half a turn apart.
const FAR: &str = "write all keys as angles about one axis, as in About(axis: (0, 0, 1), angle: [(0, 0), (3, 360)]), or add keys between them";

/// Rejects neighbouring keys that are angles about one axis more than 180° apart, because such a
/// curve takes the shorter path.
fn check_angles(curve: &WrittenCurve<Turn>) -> Result<(), BadOption> {
    let is_far = |a: &Turn, b: &Turn| a.degrees_to(b).is_some_and(|degrees| degrees > 180.0);
    let expected = "at most 180° from one to the next, because a rotation takes the shorter path";
    let (option, found) = match curve {
        WrittenCurve::Keys(WrittenTrack { keys, .. }) => {
            let jumps = |key: &WrittenKey<Turn>| key.piece == Some(Piece::Step);
            let mut pairs = keys.windows(2);
            let is_bad = |pair: &[WrittenKey<Turn>]| {
                !jumps(&pair[0]) && is_far(&pair[0].value, &pair[1].value)
            };
            ("keys", pairs.position(is_bad))
        }
        WrittenCurve::Spline(written) => {
            let mut pairs = written.points.windows(2);
            ("points", pairs.position(|pair| is_far(&pair[0], &pair[1])))
        }
    };
    let Some(index) = found else { return Ok(()) };
    BadOption::unless(false, option, expected).map_err(|bad| bad.of_entry(index + 1))
}

/// Returns the index of the first key with rates.
fn rates(written: &WrittenTrack<Turn>) -> Option<usize> {
    let has_rates = |key: &WrittenKey<Turn>| matches!(key.piece, Some(Piece::Hermite { .. }));
    written.keys.iter().position(has_rates)
}

/// Advice for rotations with rates.
const RATES: &str = "write About(axis: (0, 0, 1), angle: [(0, 0, Hermite(leave: 90)), (2, 45)]), \
                     whose rates are in degrees per unit of time";

/// Rejects pieces with rates, because a rate of change cannot be written as a rotation.
fn check_pieces(written: &WrittenTrack<Turn>) -> Result<(), BadOption> {
    let Some(entry) = rates(written) else { return Ok(()) };
    let expected = "a piece other than Hermite, because rates are not rotations";
    BadOption::unless(false, "keys", expected).map_err(|bad| bad.of_entry(entry))
}

/// Returns the track of a curve of rotations.
fn track(curve: &WrittenCurve<Turn>) -> Result<RotationTrack, BadOption> {
    let components = |turn: &Turn| turn.quaternion.to_array();
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

/// Returns the grammar of named rotations.
pub(crate) fn turns_grammar() -> Grammar {
    const OWN: [Thing; 2] = [
        Thing {
            name: "About",
            summary: "rotation about an axis by an angle in degrees, which may be a curve",
            inside: Inside::Grammar(Grammar::Fields(|| {
                let all = AboutText::inside().members().into_iter();
                all.map(|member| member.in_units(&[("angle", "degrees")])).collect()
            })),
        },
        Thing {
            name: "Quaternion",
            summary: "quaternion (x, y, z, w)",
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

/// Angle in radians, converted from degrees.
#[derive(Clone, Debug)]
struct Radians(Animated<1>);
catena_sim::identity!(Radians(value));

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
