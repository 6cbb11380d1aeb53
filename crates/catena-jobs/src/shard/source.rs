//! Source of a shard.

use catena_output::hash::sha256;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything that the results of a shard depend on, as names and values: the build of catena, the
/// scene and its options. Shards with equal sources can be merged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ShardSource(BTreeMap<String, String>);

impl ShardSource {
    /// Source with the version and the build of this program.
    pub fn new() -> Self {
        let version =
            [("catena", env!("CARGO_PKG_VERSION")), ("build of catena", env!("CATENA_BUILD"))];
        let named = version.map(|(name, value)| (name.to_owned(), value.to_owned()));
        Self(named.into_iter().collect())
    }

    /// Returns the source with one more value. Messages show `name`, so it is a name that users
    /// know, such as `--size`.
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.0.insert(name.into(), value.into());
        self
    }

    /// Key: SHA-256 of all names and values.
    pub fn key(&self) -> String {
        // A map of strings can always be serialized as JSON.
        sha256(&serde_json::to_vec(self).unwrap_or_default())
    }

    /// Value of this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Names whose values differ between two sources, in alphabetical order.
    pub fn differences<'a>(&'a self, other: &'a Self) -> Vec<&'a str> {
        let names = self.0.keys().chain(other.0.keys().filter(|name| self.get(name).is_none()));
        let mut names: Vec<&str> = names.map(String::as_str).collect();
        names.retain(|name| self.get(name) != other.get(name));
        names.sort_unstable();
        names
    }
}
