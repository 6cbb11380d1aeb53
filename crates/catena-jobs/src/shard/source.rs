//! What a shard was made from.

use catena_output::hash::sha256;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// All that the results of a shard depend on, as names and values: the build of catena, the scene,
/// its options. Shards of one source can be put together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ShardSource(BTreeMap<String, String>);

impl ShardSource {
    /// A source with the version and the build of this program.
    pub fn new() -> Self {
        let version =
            [("catena", env!("CARGO_PKG_VERSION")), ("build of catena", env!("CATENA_BUILD"))];
        let named = version.map(|(name, value)| (name.to_owned(), value.to_owned()));
        Self(named.into_iter().collect())
    }

    /// The same with one more value. Messages name it, so the name is one that people know, such as
    /// `--size`.
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.0.insert(name.into(), value.into());
        self
    }

    /// The key: SHA-256 of all names and values.
    pub fn key(&self) -> String {
        // A map of strings can always be written as JSON.
        sha256(&serde_json::to_vec(self).unwrap_or_default())
    }

    /// The value of this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The names whose values differ between two sources, in the order of the alphabet.
    pub fn differences<'a>(&'a self, other: &'a Self) -> Vec<&'a str> {
        let names = self.0.keys().chain(other.0.keys().filter(|name| self.get(name).is_none()));
        let mut names: Vec<&str> = names.map(String::as_str).collect();
        names.retain(|name| self.get(name) != other.get(name));
        names.sort_unstable();
        names
    }
}
