//! Vectors as written in scenes: two components in the plane, three in space.

use super::{BadOption, OptionInfo};
use serde::{Deserialize, Deserializer, de};
use std::fmt;

/// Maximum absolute value of a component. Its square is far from an overflow.
const LARGEST: f64 = 1e100;

/// Two or three finite components, written `(x, y)` or `(x, y, z)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Components {
    values: [f64; 3],
    count: usize,
}
crate::identity!(Components { values, count });

impl Components {
    /// Description of a vector for messages.
    pub const EXPECTED: &'static str = "(x, y) or (x, y, z), each a number from -1e100 to 1e100";

    /// Returns the number of components, 2 or 3.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns three components. z is 0 if it was not written.
    pub fn xyz(&self) -> [f64; 3] {
        self.values
    }

    /// Returns the first `axes` components, 2 or 3. z is 0 if it was not written.
    pub fn on(&self, axes: usize) -> Vec<f64> {
        self.values[..axes].to_vec()
    }

    /// Returns a vector of as many components with other values.
    #[must_use]
    pub fn with(self, values: [f64; 3]) -> Self {
        Self { values, ..self }
    }

    /// Checks that the vector has one component per axis, each in range.
    ///
    /// # Errors
    /// An error about `option` if it does not.
    pub fn check(&self, option: &OptionInfo, axes: usize) -> Result<(), BadOption> {
        let expected = match axes {
            2 => "two components (x, y), since the scene is planar",
            _ => "three components (x, y, z), since the scene is three-dimensional",
        };
        let is_finite = self.values.iter().all(|value| value.abs() <= LARGEST);
        if self.count == axes && !is_finite {
            return Err(BadOption {
                option: option.name,
                entry: None,
                expected: Self::EXPECTED.into(),
            });
        }
        if self.count == axes {
            Ok(())
        } else {
            Err(BadOption { option: option.name, entry: None, expected: expected.into() })
        }
    }
}

impl fmt::Display for Components {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.values;
        if self.count == 2 { write!(f, "({x}, {y})") } else { write!(f, "({x}, {y}, {z})") }
    }
}

impl<const N: usize> From<[f64; N]> for Components {
    /// Converts the first three of at least two components.
    fn from(from: [f64; N]) -> Self {
        let mut values = [0.0; 3];
        let count = N.min(3);
        values[..count].copy_from_slice(&from[..count]);
        Self { values, count }
    }
}

impl<'de> Deserialize<'de> for Components {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Components;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(Components::EXPECTED)
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<Components, A::Error> {
                let mut values = [0.0; 3];
                let mut count = 0;
                while count < 3 {
                    let Some(value) = seq.next_element::<Component>()? else { break };
                    values[count] = value.0;
                    count += 1;
                }
                if count < 2 {
                    return Err(de::Error::invalid_length(count, &self));
                }
                Ok(Components { values, count })
            }
        }

        deserializer.deserialize_tuple(3, Visitor)
    }
}

/// A finite number within range.
struct Component(f64);

impl<'de> Deserialize<'de> for Component {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        if value.is_finite() && value.abs() <= LARGEST {
            Ok(Self(value))
        } else {
            let message = format!("expected a number from -1e100 to 1e100, found {value:?}");
            Err(de::Error::custom(message))
        }
    }
}
