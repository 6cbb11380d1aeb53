//! Value types of scenes. Each checks its range while it is read, so that messages point at the
//! value.

use super::diagnostic::Fault;
use super::grammar::Grammar;
use super::layered::FieldValue;
use super::node::NodeName;
use super::over_time::Movable;
use super::read::{FromRon, List};
pub use super::words::{
    Arrows, ClothEdge, ColorBy, Decoration, Fit, LastNodeWord, MeshWord, NodeShape, Pattern,
    Projection, SurfaceStyle, Touching, YAxis,
};
use catena_ron::Node;
use catena_sim::Components;
use serde::{Deserialize, Deserializer, de};
use std::fmt;

/// Magnitude from which messages write a number with an exponent.
const LONG: f64 = 1e15;
/// Magnitude below which messages write a number other than 0 with an exponent.
const SHORT: f64 = 1e-6;

/// Reads a finite number that `is_fine` accepts; the error describes what was expected.
fn number<'de, D: Deserializer<'de>>(
    deserializer: D,
    expected: &str,
    is_fine: impl Fn(f64) -> bool,
) -> Result<f64, D::Error> {
    let value = f64::deserialize(deserializer)?;
    if value.is_finite() && is_fine(value) {
        Ok(value)
    } else {
        let found = match value.abs() >= LONG || (value != 0.0 && value.abs() < SHORT) {
            true => format!("{value:e}"),
            false => value.to_string(),
        };
        Err(de::Error::custom(format!("expected {expected}, found {found}")))
    }
}

/// Defines a newtype of f64 with a range.
macro_rules! number_type {
    ($(#[$meta:meta])* $name:ident, $expected:literal, $is_fine:expr) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct $name(pub f64);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                number(deserializer, $expected, $is_fine).map(Self)
            }
        }

        impl FieldValue for $name {
            fn expected() -> String {
                $expected.into()
            }
        }

        impl Movable<1> for $name {
            type Written = Finite;

            fn written(written: &Finite) -> [f64; 1] {
                [written.0]
            }

            fn components(&self) -> [f64; 1] {
                [self.0]
            }

            fn allows(component: f64) -> bool {
                let is_fine: fn(f64) -> bool = $is_fine;
                component.is_finite() && is_fine(component)
            }
        }
    };
}

// The maximum magnitude is far above anything drawn and far below numbers whose squares overflow.
number_type!(/// Finite number.
    Finite, "a number from -1e100 to 1e100", |value| value.abs() <= 1e100);
number_type!(/// Number above zero.
    Positive, "a number above 0, at most 1e100", |value| value > 0.0 && value <= 1e100);
number_type!(/// Field of view in degrees.
    ViewAngle, "a number of degrees above 0 and below 180", |value| value > 0.0 && value < 180.0);
number_type!(/// Fraction from 0 to 1.
    Share, "a number from 0 to 1", |value| (0.0..=1.0).contains(&value));
number_type!(/// Number of at least zero.
    NonNegative, "a number of at least 0, at most 1e100", |value| (0.0..=1e100).contains(&value));
number_type!(/// Poisson's ratio, above -1 and at most 0.5.
    Poisson, "a number above -1, at most 0.5", |value| value > -1.0 && value <= 0.5);
number_type!(/// Damping factor, above 0 and at most 1.
    Factor, "a number above 0, at most 1", |value| value > 0.0 && value <= 1.0);
number_type!(/// Length in the picture in pixels.
    Pixels, "a number above 0, at most 100", |value| value > 0.0 && value <= 100.0);

/// Whole number from MIN to MAX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole<const MIN: u64, const MAX: u64>(pub u64);

impl<'de, const MIN: u64, const MAX: u64> Deserialize<'de> for Whole<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor<const MIN: u64, const MAX: u64>;

        impl<const MIN: u64, const MAX: u64> de::Visitor<'_> for Visitor<MIN, MAX> {
            type Value = Whole<MIN, MAX>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&Whole::<MIN, MAX>::expected())
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
                if (MIN..=MAX).contains(&value) { Ok(Whole(value)) } else { refuse(value, &self) }
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
                u64::try_from(value)
                    .or_else(|_| refuse(value, &self))
                    .and_then(|v| self.visit_u64(v))
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Self::Value, E> {
                // The debug format shows the decimal point of 16.0, which is the reason for the
                // error.
                refuse(format_args!("{value:?}"), &self)
            }
        }

        fn refuse<T, E: de::Error>(
            found: impl fmt::Display,
            expected: &dyn de::Expected,
        ) -> Result<T, E> {
            Err(E::custom(format!("expected {expected}, found {found}")))
        }

        deserializer.deserialize_any(Visitor)
    }
}

impl<const MIN: u64, const MAX: u64> FieldValue for Whole<MIN, MAX> {
    fn expected() -> String {
        format!("a whole number from {MIN} to {MAX}")
    }
}

/// Point or vector with one component per axis of the scene.
pub type Vector = Components;

impl FieldValue for Vector {
    fn expected() -> String {
        Components::EXPECTED.into()
    }

    fn vectors(&self, path: &str, all: &mut Vec<(String, usize)>) {
        all.push((path.into(), self.count()));
    }
}

/// Point of the plane, written `(x, y)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point(pub [f64; 2]);

impl<'de> Deserialize<'de> for Point {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (x, y) = <(Finite, Finite)>::deserialize(deserializer)?;
        Ok(Self([x.0, y.0]))
    }
}

impl FieldValue for Point {
    fn expected() -> String {
        "(x, y), each a number from -1e100 to 1e100".into()
    }
}

/// Width and height of a part of the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent(pub [f64; 2]);

impl<'de> Deserialize<'de> for Extent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (width, height) = <(Positive, Positive)>::deserialize(deserializer)?;
        Ok(Self([width.0, height.0]))
    }
}

impl FieldValue for Extent {
    fn expected() -> String {
        "(width, height), each a number above 0".into()
    }
}

impl Movable<2> for Extent {
    type Written = (Finite, Finite);

    fn written((width, height): &(Finite, Finite)) -> [f64; 2] {
        [width.0, height.0]
    }

    fn components(&self) -> [f64; 2] {
        self.0
    }

    fn allows(component: f64) -> bool {
        Positive::allows(component)
    }
}

/// Curvature of a rod at rest, in the two directions of its section.
#[derive(Clone, Debug, PartialEq)]
pub enum RestCurvature {
    /// One curvature at all nodes.
    Everywhere([f64; 2]),
    /// One entry per node.
    Each(Vec<[f64; 2]>),
    /// Curvature of the initial shape.
    AsStart,
}

impl RestCurvature {
    /// Reads a number or a pair of numbers.
    fn one(node: Node<'_>) -> Result<[f64; 2], Fault> {
        if node.opens('(') {
            let (normal, across) = <(Finite, Finite)>::from_ron(node)?;
            return Ok([normal.0, across.0]);
        }
        Finite::from_ron(node).map(|value| [value.0, 0.0])
    }
}

impl FromRon for RestCurvature {
    fn from_ron(node: Node<'_>) -> Result<Self, Fault> {
        if node.text().trim() == "AsStart" {
            return Ok(Self::AsStart);
        }
        if node.opens('[') {
            return node.entries().map(Self::one).collect::<Result<_, _>>().map(Self::Each);
        }
        if node.first().is_some_and(char::is_alphabetic) {
            let message = format!("expected {}, found {}", Self::expected(), node.text());
            return Err(Fault::new(message).at(node.span()));
        }
        Self::one(node).map(Self::Everywhere)
    }
}

impl FieldValue for RestCurvature {
    fn expected() -> String {
        "a number, (a, b), a list of these with one entry per node, or AsStart".into()
    }
}

/// Rotational inertia of the sections of a rod, per length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RodInertia {
    /// Inertia that follows from the section and the density of the rod.
    Section,
    /// Given inertia.
    Number(f64),
}

impl FromRon for RodInertia {
    fn from_ron(node: Node<'_>) -> Result<Self, Fault> {
        if node.text().trim() == "Section" {
            return Ok(Self::Section);
        }
        if node.first().is_some_and(char::is_alphabetic) {
            let message = format!("expected {}, found {}", Self::expected(), node.text());
            return Err(Fault::new(message).at(node.span()));
        }
        Positive::from_ron(node).map(|value| Self::Number(value.0))
    }
}

impl FieldValue for RodInertia {
    fn expected() -> String {
        format!("{}, or Section", Positive::expected())
    }
}

/// Lower and upper end of a scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range(pub [f64; 2]);

impl<'de> Deserialize<'de> for Range {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (low, high) = <(Finite, Finite)>::deserialize(deserializer)?;
        if low.0 < high.0 {
            return Ok(Self([low.0, high.0]));
        }
        Err(de::Error::custom("the first number of a range must be below the second"))
    }
}

impl FieldValue for Range {
    fn expected() -> String {
        "(lowest, highest), two numbers of which the first is the lower".into()
    }
}

/// Width and height of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureSize(pub [u32; 2]);

/// Minimum side of a picture in pixels.
pub const MIN_SIDE: u64 = 64;
/// Maximum side that the default [`crate::Limits`] allow, in pixels.
pub const GREATEST_SIDE: u64 = 8192;
/// Maximum side with `--unlimited`, in pixels.
pub const GREATEST_SIDE_UNLIMITED: u64 = 16_384;

/// Returns the range of picture sides in words.
pub fn picture_sides() -> String {
    format!(
        "from {MIN_SIDE} to {GREATEST_SIDE}, or up to {GREATEST_SIDE_UNLIMITED} with --unlimited"
    )
}

impl<'de> Deserialize<'de> for PictureSize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        type Side = Whole<MIN_SIDE, GREATEST_SIDE_UNLIMITED>;
        let (w, h) = <(Side, Side)>::deserialize(deserializer)?;
        Ok(Self([w.0 as u32, h.0 as u32]))
    }
}

impl FieldValue for PictureSize {
    fn expected() -> String {
        format!("(width, height), each a whole number {}", picture_sides())
    }
}

impl FieldValue for String {
    fn expected() -> String {
        "text in quotes".into()
    }
}

/// Name of a Wavefront OBJ file, relative to the scene.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct MeshFile(pub String);

impl FieldValue for MeshFile {
    fn expected() -> String {
        String::expected()
    }

    fn grammar() -> Grammar {
        Grammar::File(&["obj", "stl", "ply"])
    }
}

/// Name of a file of positions, relative to the scene.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct MotionFile(pub String);

impl FieldValue for MotionFile {
    fn expected() -> String {
        String::expected()
    }

    fn grammar() -> Grammar {
        Grammar::File(&["csv", "tsv", "txt"])
    }
}

impl FieldValue for bool {
    fn expected() -> String {
        Self::grammar().choice_in_words()
    }

    fn grammar() -> Grammar {
        Grammar::BOOLEAN
    }
}

/// List of nodes.
pub type Nodes = List<NodeName>;

/// Pinned nodes of a cloth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClothPins {
    /// Group of nodes at the edges of the cloth.
    At(ClothEdge),
    /// Nodes by name; node (row, column) has the index row * columns + column.
    Nodes(Nodes),
}

impl FromRon for ClothPins {
    fn from_ron(node: Node<'_>) -> Result<Self, Fault> {
        match node.opens('[') {
            true => Nodes::from_ron(node).map(Self::Nodes),
            false => ClothEdge::from_ron(node).map(Self::At),
        }
    }
}

impl FieldValue for ClothPins {
    fn expected() -> String {
        format!("{}, or a list of nodes: [(0, 0), (0, -1), 7]", ClothEdge::expected())
    }

    fn grammar() -> Grammar {
        Grammar::Either(|| vec![ClothEdge::grammar(), Nodes::grammar()])
    }
}

/// Pinned nodes of a net, which has no rows and columns of nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetPins(pub ClothPins);

impl FromRon for NetPins {
    fn from_ron(node: Node<'_>) -> Result<Self, Fault> {
        ClothPins::from_ron(node).map(Self)
    }
}

impl FieldValue for NetPins {
    fn expected() -> String {
        format!("{}, or a list of nodes: [0, 7, Last]", ClothEdge::expected())
    }

    fn grammar() -> Grammar {
        ClothPins::grammar()
    }
}

impl FieldValue for Nodes {
    fn expected() -> String {
        "a list of nodes: [0], [First, Last], [0, -1], [Middle], []".into()
    }

    fn grammar() -> Grammar {
        Grammar::List(NodeName::grammar)
    }
}
