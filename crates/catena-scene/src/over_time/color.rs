//! Constant colours, and colours that a curve animates in a colour space.

use super::written::{CURVE, WrittenCurve, curve_grammar, refused, unknown_name};
use crate::color::{Color, Tint};
use crate::diagnostic::Fault;
use crate::grammar::{Grammar, Inside, Thing};
use crate::layered::FieldValue;
use crate::read::FromRon;
use crate::values::Finite;
use catena_ron::Node;
use catena_sim::drive::track::{
    Animated, ColorSpace, ColorTrack, Interpolation, Piece, Repeat, Track, WrittenKey,
    WrittenSpline, WrittenTrack,
};
use catena_sim::named::BadOption;
use serde::{Deserialize, Deserializer, de};
use std::{fmt, ops::Range};

/// Name of a curve with a colour space.
const COLORS: &str = "Colors";

/// Colour, constant or animated.
#[derive(Clone, Debug)]
pub struct ColorOverTime {
    /// Colour at time 0.
    pub start: Tint,
    /// Red, green, blue and opacity over time, each from 0 to 1; `None` for a constant colour.
    pub track: Option<Animated<4>>,
    /// Length of the curve's text in bytes; 0 for a constant.
    pub length: usize,
}

/// Element of a curve of colours.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shade {
    /// Colour of a key, a handle or a control point.
    Color(Tint),
    /// Rates of change of red, green and blue per time; 1 is the full range of a component.
    Rate([f64; 3]),
    /// Red, green, blue and opacity: a colour, or in a Hermite piece their rates.
    Numbers([f64; 4]),
}

impl<'de> Deserialize<'de> for Shade {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Shade;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a colour in quotes")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Shade, E> {
                Tint::read(text).map(Shade::Color).map_err(|fault| {
                    let help = fault.help.map(|help| format!(": {help}")).unwrap_or_default();
                    E::custom(format!("{}{help}", fault.message))
                })
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<Shade, A::Error> {
                let mut all = [0.0; 4];
                for (index, component) in all.iter_mut().enumerate().take(3) {
                    let expected = "a rate of red, green and blue: (0.5, 0, -0.5)";
                    let missing = || de::Error::invalid_length(index, &expected);
                    *component = seq.next_element::<Finite>()?.ok_or_else(missing)?.0;
                }
                let [r, g, b, _] = all;
                Ok(match seq.next_element::<Finite>()? {
                    Some(alpha) => Shade::Numbers([r, g, b, alpha.0]),
                    None => Shade::Rate([r, g, b]),
                })
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

impl Shade {
    fn components(&self) -> [f64; 4] {
        match *self {
            Self::Color(Tint { color: Color([r, g, b]), alpha }) => {
                [r, g, b, alpha].map(|part| f64::from(part) / 255.0)
            }
            Self::Rate([r, g, b]) => [r, g, b, 0.0],
            Self::Numbers(all) => all,
        }
    }

    fn is_color(&self) -> bool {
        match self {
            Self::Color(_) => true,
            Self::Rate(_) => false,
            Self::Numbers(all) => all.iter().all(|part| (0.0..=1.0).contains(part)),
        }
    }

    fn is_rate(&self) -> bool {
        !matches!(self, Self::Color(_))
    }
}

/// Curve with a colour space as written: the fields of a track or a spline, and the space.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenColors {
    #[serde(default)]
    space: ColorSpace,
    #[serde(default)]
    keys: Option<Vec<WrittenKey<Shade>>>,
    #[serde(default)]
    points: Option<Vec<Shade>>,
    #[serde(default)]
    degree: Option<usize>,
    #[serde(default)]
    knots: Option<Vec<f64>>,
    #[serde(default)]
    start: Option<f64>,
    #[serde(default)]
    end: Option<f64>,
    #[serde(default)]
    clamped: Option<bool>,
    #[serde(default)]
    repeat: Repeat,
    #[serde(default)]
    speed: Option<f64>,
    #[serde(default)]
    offset: f64,
}

impl WrittenColors {
    /// Returns the curve without its colour space.
    fn curve(self) -> Result<WrittenCurve<Shade>, BadOption> {
        let Self { keys, points, degree, knots, start, end, clamped, repeat, offset, .. } = self;
        let speed = self.speed.unwrap_or(1.0);
        const ALONE: &str = "`keys` without any of `degree`, `knots`, `start`, `end` and `clamped`";
        const EITHER: &str = "either `keys`, or the `points` of a B-spline";
        let is_one = keys.is_some() != points.is_some();
        BadOption::unless(is_one, "keys", EITHER)?;
        match (keys, points) {
            (Some(keys), None) => {
                let of_spline = [degree.is_some(), knots.is_some(), clamped.is_some()];
                let is_alone = !of_spline.contains(&true) && start.is_none() && end.is_none();
                BadOption::unless(is_alone, "keys", ALONE)?;
                Ok(WrittenCurve::Keys(WrittenTrack { keys, repeat, speed, offset }))
            }
            (_, points) => Ok(WrittenCurve::Spline(WrittenSpline {
                degree: degree.unwrap_or(3),
                points: points.unwrap_or_default(),
                knots,
                start,
                end,
                clamped: clamped.unwrap_or(false),
                repeat,
                speed,
                offset,
            })),
        }
    }
}

/// Rejects colours in place of rates, and rates in place of colours.
fn check_kinds(curve: &WrittenCurve<Shade>) -> Result<(), BadOption> {
    const COLOR: &str =
        "a colour in quotes, or four numbers from 0 to 1; rates belong in Hermite pieces";
    const RATE: &str = "rates of red, green and blue in a Hermite piece, such as leave: (0.5, 0, \
                        -0.5)";
    let check = |option: &'static str, entry: usize, is_fine: bool, expected: &'static str| {
        BadOption::unless(is_fine, option, expected).map_err(|bad| bad.of_entry(entry))
    };
    match curve {
        WrittenCurve::Spline(spline) => spline
            .points
            .iter()
            .enumerate()
            .try_for_each(|(i, point)| check("points", i, point.is_color(), COLOR)),
        WrittenCurve::Keys(track) => track.keys.iter().enumerate().try_for_each(|(i, key)| {
            check("keys", i, key.value.is_color(), COLOR)?;
            let is_rate = matches!(key.piece, Some(Piece::Hermite { .. }));
            let expected = if is_rate { RATE } else { COLOR };
            key.values().skip(1).try_for_each(|other| {
                let is_fine = if is_rate { other.is_rate() } else { other.is_color() };
                check("keys", i, is_fine, expected)
            })
        }),
    }
}

/// Returns the track of a curve in a colour space.
fn track(curve: &WrittenCurve<Shade>, space: ColorSpace) -> Result<Animated<4>, BadOption> {
    check_kinds(curve)?;
    match curve {
        WrittenCurve::Keys(written) => {
            let keys = written.keys(Interpolation::Linear, Shade::components);
            written.play(ColorTrack::new(space, keys)?)
        }
        WrittenCurve::Spline(written) => {
            let spline = written.spline(|point| space.of_srgb(point.components()))?;
            written.play(ColorTrack::spline(space, spline))
        }
    }
}

/// Adds advice to the fault of a colour without quotes.
fn unquoted(fault: Fault, node: Node<'_>) -> Fault {
    let within = |span: &Range<usize>| {
        node.text().get(span.start.checked_sub(node.start())?..span.end - node.start())
    };
    let word = fault.span.as_ref().and_then(within).unwrap_or_default();
    let is_word = word.starts_with(char::is_alphabetic) && fault.help.is_none();
    if is_word && word.chars().all(char::is_alphanumeric) {
        let help = Color::quoted(word);
        return fault.help(help);
    }
    fault
}

impl FromRon for ColorOverTime {
    fn from_ron(node: Node<'_>) -> Result<Self, Fault> {
        let bad = |bad: BadOption| refused(&bad, node);
        let unquoted = |fault| unquoted(fault, node);
        let (curve, space) = if node.head() == COLORS {
            let written = WrittenColors::from_ron(node.options()).map_err(unquoted)?;
            let space = written.space;
            (Some(written.curve().map_err(bad)?), space)
        } else {
            (WrittenCurve::read(node).map_err(unquoted)?, ColorSpace::default())
        };
        let Some(curve) = curve else {
            let color = Tint::from_ron(node);
            let start = color.map_err(|fault| unknown_name(node, &[COLORS]).unwrap_or(fault))?;
            return Ok(Self { start, track: None, length: 0 });
        };
        let track = track(&curve, space).map_err(bad)?;
        Ok(Self { start: Tint::at(&track, 0.0), track: Some(track), length: node.text().len() })
    }
}

impl Tint {
    /// Returns the colour of a track at a time, rounded to 8 bits per component.
    pub(crate) fn at(track: &Animated<4>, t: f64) -> Self {
        Self::of_shares(track.at(t).0)
    }
}

/// Returns the grammar of curves with a colour space.
pub(crate) fn colors_grammar() -> Grammar {
    const MIXED: Thing = Thing {
        name: COLORS,
        summary: "a curve of colours, mixed in a colour space: Colors(space: Oklab, keys: […])",
        inside: Inside::Grammar(Grammar::Plain),
    };
    Grammar::Things(|| vec![MIXED])
}

impl FieldValue for ColorOverTime {
    fn grammar() -> Grammar {
        Grammar::Either(|| vec![Tint::grammar(), colors_grammar(), curve_grammar()])
    }

    fn expected() -> String {
        format!(
            "{}; or a curve: {CURVE}, or Colors(space: Srgb, Linear or Oklab, keys: …)",
            Tint::expected()
        )
    }
}
