//! What may stand at each place of a scene, as data: for editors that complete and explain.

use super::choice::{Choice, Colliders, Curves};
use super::entries::Entry;
use super::layered::{FieldValue, Scope};
use super::node::NodeName;
use super::schema::SceneFile;
use catena_sim::named::{OptionInfo, OptionKind};

pub use super::assembly::PART_FIELDS;

/// What may stand at a place.
#[derive(Clone, Copy, Debug)]
pub enum Grammar {
    /// Numbers, texts, vectors: nothing that has a name.
    Plain,
    /// Bare words.
    Words(&'static [Word]),
    /// Bare words without a meaning of their own.
    Names(&'static [&'static str]),
    /// Fields in parentheses.
    Fields(fn() -> Vec<Member>),
    /// A list in brackets, and what its elements are.
    List(fn() -> Grammar),
    /// Names with options in parentheses.
    Things(fn() -> Vec<Thing>),
    /// The name of a file in quotes, relative to the scene, and the endings that it may have.
    File(&'static [&'static str]),
    /// A colour in quotes.
    Color,
    /// Paths of fields in quotes, each with values, in braces.
    Axes,
    /// One of several.
    Either(fn() -> Vec<Grammar>),
}

/// A bare word.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// What scenes write.
    pub name: &'static str,
    /// What it means.
    pub summary: &'static str,
}

/// A field in parentheses.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// What it sets.
    pub summary: String,
    /// Type and range.
    pub expected: String,
    /// Its unit, or `-`.
    pub unit: &'static str,
    /// Where it may be written, of fields of settings.
    pub scope: Option<Scope>,
    /// Its value when left out, of options.
    pub default: Option<&'static str>,
    /// What its value is.
    pub grammar: Grammar,
}

impl Member {
    /// A field of an entry.
    pub(super) fn of_entry<T: Entry>(name: &'static str, summary: &'static str) -> Self {
        let (name, summary) = (name.trim_start_matches("r#"), summary.trim().into());
        let (expected, grammar) = (T::in_words(), T::inside());
        Self { name, summary, expected, unit: "-", scope: None, default: None, grammar }
    }

    /// The field with a unit if it is among these.
    pub(super) fn in_units(self, units: &[(&str, &'static str)]) -> Self {
        let found = units.iter().find(|(name, _)| *name == self.name);
        Self { unit: found.map_or(self.unit, |(_, unit)| unit), ..self }
    }

    /// An option of a thing.
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

/// A name with options.
#[derive(Clone, Copy, Debug)]
pub struct Thing {
    /// What scenes write.
    pub name: &'static str,
    /// What it does.
    pub summary: &'static str,
    /// What stands in the parentheses behind it.
    pub inside: Inside,
}

/// What stands in parentheses behind a name.
#[derive(Clone, Copy, Debug)]
pub enum Inside {
    /// Options of a thing of the physics.
    Options(&'static [OptionInfo]),
    /// Something else.
    Grammar(Grammar),
}

impl Thing {
    /// Its options.
    pub fn members(&self) -> Vec<Member> {
        match self.inside {
            Inside::Options(options) => options.iter().map(Member::of_option).collect(),
            Inside::Grammar(grammar) => grammar.members(),
        }
    }
}

const BOOLEANS: &[Word] =
    &[Word { name: "true", summary: "yes" }, Word { name: "false", summary: "no" }];

impl Grammar {
    /// A scene.
    pub fn scene() -> Self {
        SceneFile::inside()
    }

    /// true or false.
    pub(super) const BOOLEAN: Self = Self::Words(BOOLEANS);

    /// All that it may be, one by one.
    pub fn alternatives(self) -> Vec<Self> {
        match self {
            Self::Either(all) => all().into_iter().flat_map(Self::alternatives).collect(),
            one => vec![one],
        }
    }

    /// The fields that parentheses without a name may have.
    pub fn members(self) -> Vec<Member> {
        let of = |one| if let Self::Fields(members) = one { members() } else { Vec::new() };
        self.alternatives().into_iter().flat_map(of).collect()
    }

    /// The names that may stand here, with their options.
    pub fn things(self) -> Vec<Thing> {
        let of = |one| if let Self::Things(things) = one { things() } else { Vec::new() };
        self.alternatives().into_iter().flat_map(of).collect()
    }

    /// The bare words that may stand here.
    pub fn words(self) -> Vec<Word> {
        let word = |name: &&'static str| Word { name, summary: "" };
        let of = |one| match one {
            Self::Words(words) => words.to_vec(),
            Self::Names(names) => names.iter().map(word).collect(),
            _ => Vec::new(),
        };
        self.alternatives().into_iter().flat_map(of).collect()
    }

    /// All names that may stand here.
    pub fn names(self) -> Vec<Word> {
        let thing = |thing: Thing| Word { name: thing.name, summary: thing.summary };
        self.words().into_iter().chain(self.things().into_iter().map(thing)).collect()
    }

    /// Whether it may be something without a name, as a number is.
    pub fn is_plain(self) -> bool {
        self.alternatives().iter().any(|one| matches!(one, Self::Plain))
    }

    /// The names of what is one of these or a list; none of what may be a number or a text.
    pub fn choices(self) -> Vec<Word> {
        let is_named = |one: &Self| {
            matches!(one, Self::Words(_) | Self::Names(_) | Self::Things(_) | Self::List(_))
        };
        if self.alternatives().iter().all(is_named) { self.names() } else { Vec::new() }
    }

    /// The bare words that may stand here, with `or` between them.
    pub(super) fn choice_in_words(self) -> String {
        self.words().iter().map(|word| word.name).collect::<Vec<_>>().join(" or ")
    }

    /// What the elements of a list here are.
    pub fn element(self) -> Self {
        self.element_of_list().unwrap_or(Self::Plain)
    }

    /// The same; `None` where there may be no list.
    pub(super) fn element_of_list(self) -> Option<Self> {
        let of = |one| if let Self::List(element) = one { Some(element()) } else { None };
        self.alternatives().into_iter().find_map(of)
    }

    /// The grammar of an option of this kind.
    fn of_option(kind: OptionKind) -> Self {
        match kind {
            OptionKind::Plain => Self::Plain,
            OptionKind::Boolean => Self::BOOLEAN,
            OptionKind::Words(names) => Self::Names(names),
            OptionKind::Node => NodeName::grammar(),
            OptionKind::Curve => Choice::<Curves>::grammar(),
            OptionKind::Collider => Choice::<Colliders>::grammar(),
            OptionKind::File(endings) => Self::File(endings),
        }
    }
}
