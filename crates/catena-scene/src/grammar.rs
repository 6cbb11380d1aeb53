//! Grammar of scenes as data: the allowed content of each position, for completion and hover texts
//! in editors.

use catena_sim::named::OptionInfo;

/// Fields that may differ between parts. A body has every other field only once.
pub const PART_FIELDS: [&str; 8] =
    ["rope", "cloth", "net", "mesh", "graph", "solid", "style", "contact"];

/// Allowed content of a position.
#[derive(Clone, Copy, Debug)]
pub enum Grammar {
    /// Numbers, strings, vectors: anything without a name.
    Plain,
    /// Bare words.
    Words(&'static [Word]),
    /// Bare words without descriptions.
    Names(&'static [&'static str]),
    /// Fields in parentheses.
    Fields(fn() -> Vec<Member>),
    /// A list in brackets, with the grammar of its elements.
    List(fn() -> Grammar),
    /// Names with options in parentheses.
    Things(fn() -> Vec<Thing>),
    /// The name of a file in quotes, relative to the scene, with the allowed extensions.
    File(&'static [&'static str]),
    /// A colour in quotes.
    Color,
    /// Field paths in quotes with values each, in braces.
    Axes,
    /// One of several alternatives.
    Either(fn() -> Vec<Grammar>),
}

/// A bare word.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// Word in scenes.
    pub name: &'static str,
    /// Meaning of the word.
    pub summary: &'static str,
}

/// A field in parentheses.
#[derive(Clone, Debug)]
pub struct Member {
    /// Name of the field.
    pub name: &'static str,
    /// Effect of the field.
    pub summary: String,
    /// Expected type and range.
    pub expected: String,
    /// Unit of the value, or `-`.
    pub unit: &'static str,
    /// Layers in which a field of settings is allowed; `None` for other fields.
    pub scope: Option<Scope>,
    /// Default of an option, if it may be omitted.
    pub default: Option<&'static str>,
    /// Grammar of the value.
    pub grammar: Grammar,
}

/// A name with options.
#[derive(Clone, Copy, Debug)]
pub struct Thing {
    /// Name in scenes.
    pub name: &'static str,
    /// Description of the thing.
    pub summary: &'static str,
    /// Content of the parentheses after the name.
    pub inside: Inside,
}

/// Content of the parentheses after a name.
#[derive(Clone, Copy, Debug)]
pub enum Inside {
    /// Options of a thing in the simulation.
    Options(&'static [OptionInfo]),
    /// Any other content.
    Grammar(Grammar),
}

const BOOLEANS: &[Word] =
    &[Word { name: "true", summary: "yes" }, Word { name: "false", summary: "no" }];

impl Grammar {
    /// `true` or `false`.
    pub(super) const BOOLEAN: Self = Self::Words(BOOLEANS);

    /// Returns all alternatives as a list.
    pub fn alternatives(self) -> Vec<Self> {
        match self {
            Self::Either(all) => all().into_iter().flat_map(Self::alternatives).collect(),
            one => vec![one],
        }
    }

    /// Returns the fields in parentheses without a name.
    pub fn members(self) -> Vec<Member> {
        let of = |one| if let Self::Fields(members) = one { members() } else { Vec::new() };
        self.alternatives().into_iter().flat_map(of).collect()
    }

    /// Returns the allowed names with their options.
    pub fn things(self) -> Vec<Thing> {
        let of = |one| if let Self::Things(things) = one { things() } else { Vec::new() };
        self.alternatives().into_iter().flat_map(of).collect()
    }

    /// Returns the allowed bare words.
    pub fn words(self) -> Vec<Word> {
        let word = |name: &&'static str| Word { name, summary: "" };
        let of = |one| match one {
            Self::Words(words) => words.to_vec(),
            Self::Names(names) => names.iter().map(word).collect(),
            _ => Vec::new(),
        };
        self.alternatives().into_iter().flat_map(of).collect()
    }

    /// Returns all allowed names.
    pub fn names(self) -> Vec<Word> {
        let thing = |thing: Thing| Word { name: thing.name, summary: thing.summary };
        self.words().into_iter().chain(self.things().into_iter().map(thing)).collect()
    }

    /// Whether a value without a name, such as a number, is allowed.
    pub fn is_plain(self) -> bool {
        self.alternatives().iter().any(|one| matches!(one, Self::Plain))
    }

    /// Returns the allowed names of a value or of list elements. The result is empty if a value
    /// without a name is allowed.
    pub fn choices(self) -> Vec<Word> {
        let is_named = |one: &Self| {
            matches!(one, Self::Words(_) | Self::Names(_) | Self::Things(_) | Self::List(_))
        };
        if self.alternatives().iter().all(is_named) { self.names() } else { Vec::new() }
    }

    /// Returns the allowed bare words, joined by `or`.
    pub(super) fn choice_in_words(self) -> String {
        self.words().iter().map(|word| word.name).collect::<Vec<_>>().join(" or ")
    }

    /// Returns the grammar of the elements of a list.
    pub fn element(self) -> Self {
        self.element_of_list().unwrap_or(Self::Plain)
    }

    /// Returns the grammar of the elements of a list; `None` if no list is allowed.
    pub(super) fn element_of_list(self) -> Option<Self> {
        let of = |one| if let Self::List(element) = one { Some(element()) } else { None };
        self.alternatives().into_iter().find_map(of)
    }
}

/// Part of a scene that a field affects, which determines where the field is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Whole picture: allowed in `base` and on the command line.
    Scene,
    /// One panel: not allowed in a body.
    Panel,
    /// One body: allowed everywhere.
    Body,
}
