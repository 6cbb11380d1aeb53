//! Grammar of a whole scene and of the options of the things that it names, from the tables of
//! names.

use crate::choice::{Choice, Colliders, Curves, Flows};
use crate::entry::Entry;
use crate::grammar::{Grammar, Inside, Member, Thing};
use crate::layered::FieldValue;
use crate::node::NodeName;
use crate::schema::SceneFile;
use catena_sim::named::{OptionInfo, OptionKind};

impl Member {
    /// Describes a field of an entry.
    pub(crate) fn of_entry<T: Entry>(name: &'static str, summary: &'static str) -> Self {
        let (name, summary) = (name.trim_start_matches("r#"), summary.trim().into());
        let (expected, grammar) = (T::in_words(), T::inside());
        Self { name, summary, expected, unit: "-", scope: None, default: None, grammar }
    }

    /// Adds a unit to the field, if the list contains its name.
    pub(crate) fn in_units(self, units: &[(&str, &'static str)]) -> Self {
        let found = units.iter().find(|(name, _)| *name == self.name);
        Self { unit: found.map_or(self.unit, |(_, unit)| unit), ..self }
    }

    /// Describes an option of a thing.
    fn of_option(option: &'static OptionInfo) -> Self {
        Self {
            name: option.name,
            summary: option.summary.into(),
            expected: option.range.into(),
            unit: option.unit,
            scope: None,
            default: Some(option.default),
            grammar: Grammar::of_option(option.kind),
        }
    }
}

impl Thing {
    /// Returns the options of the thing as fields.
    pub fn members(&self) -> Vec<Member> {
        match self.inside {
            Inside::Options(options) => options.iter().map(Member::of_option).collect(),
            Inside::Grammar(grammar) => grammar.members(),
        }
    }
}

impl Grammar {
    /// Returns the grammar of a scene.
    pub fn scene() -> Self {
        SceneFile::inside()
    }

    /// Returns the grammar of an option of this kind.
    fn of_option(kind: OptionKind) -> Self {
        match kind {
            OptionKind::Plain | OptionKind::Guides => Self::Plain,
            OptionKind::Boolean => Self::BOOLEAN,
            OptionKind::Words(names) => Self::Names(names),
            OptionKind::Node => NodeName::grammar(),
            OptionKind::Curve => Choice::<Curves>::grammar(),
            OptionKind::Collider => Choice::<Colliders>::grammar(),
            OptionKind::Flow => Choice::<Flows>::grammar(),
            OptionKind::File(endings) => Self::File(endings),
        }
    }
}
