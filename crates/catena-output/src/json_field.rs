//! Tests whether JSON of any size and shape has a field, without storing it in memory.

use serde::{
    Deserializer,
    de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use std::fmt;

/// Whether these bytes are a JSON object with a string at this path of fields.
///
/// # Errors
/// Returned if the bytes are not JSON.
pub(super) fn has_text(bytes: &[u8], path: &[&str]) -> serde_json::Result<bool> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let has_text = FieldPath(path).deserialize(&mut json)?;
    json.end().map(|()| has_text)
}

/// Names of the fields that lead to a value.
struct FieldPath<'a>(&'a [&'a str]);

impl<'de> DeserializeSeed<'de> for FieldPath<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for FieldPath<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_str<E>(self, _text: &str) -> Result<bool, E> {
        Ok(self.0.is_empty())
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<bool, M::Error> {
        let mut has_text = false;
        while let Some(name) = map.next_key::<String>()? {
            match self.0.split_first() {
                // If a field name occurs more than once, the last one counts.
                Some((first, rest)) if *first == name => {
                    has_text = map.next_value_seed(FieldPath(rest))?;
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(has_text)
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<bool, S::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(false)
    }

    fn visit_bool<E>(self, _value: bool) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_i64<E>(self, _value: i64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_u64<E>(self, _value: u64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_f64<E>(self, _value: f64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_unit<E>(self) -> Result<bool, E> {
        Ok(false)
    }
}
