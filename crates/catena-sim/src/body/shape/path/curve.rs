//! The path of a curve that anchors know, from its first key to its last.

use super::{Line, RopeShape, Way};
use crate::body::curve::{self, CURVE_NAMES};
use crate::body::vector::Vec3;
use crate::named::{BadOption, Info, OptionInfo};
use serde::de::{self, EnumAccess, MapAccess, VariantAccess, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer};
use std::{fmt, sync::Arc};

/// The path of a curve.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Curve {
    /// The curve.
    pub curve: NamedCurve,
}

/// A curve, as a scene names it.
#[derive(Clone, Debug)]
pub struct NamedCurve(pub Arc<dyn curve::Curve>);

const CURVE: OptionInfo = OptionInfo {
    name: "curve",
    summary: "one of the curves that anchors have: CatmullRom(keys: [(0, (0, 0)), (1, (2, 1))])",
    default: OptionInfo::NEEDED,
    range: "a curve that fits the scene, without jumps and with at least 2 different times",
};

impl Curve {
    pub(super) const INFO: Info = Info {
        name: "Curve",
        summary: "the path of a curve; the rope has no start and end of its own",
        options: &[CURVE],
    };
}

impl RopeShape for Curve {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        CURVE.check(self.curve.0.check().is_ok() && !self.curve.0.jumps())?;
        CURVE.check(self.curve.0.places().len() >= 2)
    }

    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption> {
        CURVE.check(self.curve.0.fits(axes, nodes).is_ok())
    }

    fn line(&self, _ends: [Vec3; 2]) -> Result<Line, String> {
        let curve = Arc::clone(&self.curve.0);
        let places = curve.places();
        let (Some((from, _)), Some((until, _))) = (places.first(), places.last()) else {
            return Err("a curve without keys has no path".into());
        };
        let (from, until) = (*from, *until);
        Ok(Line::open(Way::Smooth(Box::new(move |share| {
            curve.at(from + (until - from) * share).0
        }))))
    }

    fn has_own_ends(&self) -> bool {
        true
    }
}

impl<'de> Deserialize<'de> for NamedCurve {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum("Curve", CURVE_NAMES, NameVisitor)
    }
}

/// Reads the name of a curve, then its options.
struct NameVisitor;

impl<'de> de::Visitor<'de> for NameVisitor {
    type Value = NamedCurve;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a curve and its options")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<NamedCurve, A::Error> {
        let (name, options) = access.variant::<Name>()?;
        options.struct_variant(&[], OptionsVisitor(name.0))
    }
}

/// The name of a curve.
struct Name(String);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl de::Visitor<'_> for Visitor {
            type Value = Name;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a curve")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<Name, E> {
                match CURVE_NAMES.contains(&name) {
                    true => Ok(Name(name.into())),
                    false => Err(E::unknown_variant(name, CURVE_NAMES)),
                }
            }
        }

        deserializer.deserialize_identifier(Visitor)
    }
}

/// Reads the options of the curve of this name.
struct OptionsVisitor(String);

impl<'de> de::Visitor<'de> for OptionsVisitor {
    type Value = NamedCurve;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the options of a curve in parentheses")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<NamedCurve, A::Error> {
        match curve::read(&self.0, MapAccessDeserializer::new(map)) {
            Some(curve) => curve.map(|curve| NamedCurve(curve.into())),
            None => Err(de::Error::unknown_variant(&self.0, CURVE_NAMES)),
        }
    }
}
