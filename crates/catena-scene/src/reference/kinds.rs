//! Kinds of named things with options, such as methods and curves. The grammar of a position in a
//! scene defines the things of each kind.

use super::examples::THING_EXAMPLES;
use super::words::words;
use crate::choice::{
    Actions, Choice, Conditions, Curves, Flows, Forces, Laws, Materials, Methods, Shapes, Slips,
    StepControls,
};
use crate::colliders::ColliderList;
use crate::color::Background;
use crate::diagnostic::similar;
use crate::grammar::{self, Grammar, Member};
use crate::layered::FieldValue;
use crate::other_names::other_thing;
use crate::over_time::colors_grammar;
use crate::rig::{SkinShape, turns_grammar};
use crate::solid_shape::SolidShape;
use catena_sim::method::{METHODS, MethodInfo};
use catena_sim::named::OptionInfo;
use catena_sim::slip::{SLIPS, SlipInfo};
use std::collections::BTreeSet;

/// Kind of things that scenes name.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Name of one thing.
    pub name: &'static str,
    /// Title of all things.
    pub title: &'static str,
    /// Position in a scene, for a heading.
    pub place: &'static str,
    /// Other positions; empty if there are none.
    pub also: &'static str,
    /// Grammar of the position.
    grammar: fn() -> Grammar,
}

/// Thing that scenes name.
#[derive(Clone, Debug)]
pub struct Thing {
    /// Kind of the thing.
    pub kind: &'static Kind,
    /// Name in scenes.
    pub name: &'static str,
    /// Summary in one line.
    pub summary: &'static str,
    /// Options that a scene may write in parentheses after the name.
    pub options: Vec<Member>,
    /// More information about a method; `None` for other kinds.
    pub method: Option<&'static MethodInfo>,
    /// More information about a slip; `None` for other kinds.
    pub slip: Option<&'static SlipInfo>,
}

const fn kind(
    name: &'static str,
    title: &'static str,
    place: &'static str,
    also: &'static str,
    grammar: fn() -> Grammar,
) -> Kind {
    Kind { name, title, place, also, grammar }
}

/// All kinds, in the order in which commands list them.
pub static KINDS: &[Kind] = &[
    kind("method", "Methods", "integrator: …", "", Choice::<Methods>::grammar),
    kind("shape", "Shapes", "rope: (shape: …)", "", Choice::<Shapes>::grammar),
    kind("step control", "Step controls", "step_control: …", "", Choice::<StepControls>::grammar),
    kind(
        "spring law",
        "Spring laws",
        "rope: (law: …)",
        "law of a cloth, net, mesh or graph",
        Choice::<Laws>::grammar,
    ),
    kind("material", "Materials", "rope: (material: …, area: …)", "", Choice::<Materials>::grammar),
    kind("force", "Forces", "forces: [ … ]", "", Choice::<Forces>::grammar),
    kind(
        "flow",
        "Flows",
        "forces: [LineDrag(flow: …)]",
        "flow of FacetDrag",
        Choice::<Flows>::grammar,
    ),
    kind(
        "collider",
        "Colliders",
        "colliders: [ … ]",
        "OnBone(bone: \"…\", of: …), which is attached to a bone, Painted(of: …, color: \"…\"), and \
         Skin(friction: …), the skin of the body's rig",
        || ColliderList::grammar().element(),
    ),
    kind(
        "curve",
        "Curves",
        "anchors: [(node: …, curve: …)], gravity: …, wind: …",
        "every other field that accepts a curve (see catena fields PATH)",
        Choice::<Curves>::grammar,
    ),
    kind("action", "Actions", "events: [(at: …, do: …)]", "", Choice::<Actions>::grammar),
    kind(
        "condition",
        "Conditions",
        "events: [(when: …, do: …)]",
        "",
        Choice::<Conditions>::grammar,
    ),
    kind("rotation", "Rotations", "rig: (turn: …)", "turn of bones and of keys", turns_grammar),
    kind("skin", "Skins", "rig: (bones: […], skin: …)", "", SkinShape::grammar),
    kind("solid", "Solids", "solid: (shape: …)", "", SolidShape::grammar),
    kind("slip", "Slips", "slips: [ … ]", "", Choice::<Slips>::grammar),
    kind("background", "Backgrounds", "background: …", "", Background::grammar),
    kind("curve of colours", "Curves of colours", "style: (color: …)", "", colors_grammar),
];

impl Kind {
    /// Returns the things of this kind in table order.
    pub fn things(&'static self) -> Vec<Thing> {
        let thing = |thing: grammar::Thing| {
            let options = thing.members();
            let grammar::Thing { name, summary, .. } = thing;
            let method = METHODS.iter().find(|info| info.name == name);
            let method = method.filter(|_| self.name == "method");
            let slip = SLIPS.iter().find(|info| info.name == name);
            let slip = slip.filter(|_| self.name == "slip");
            Thing { kind: self, name, summary, options, method, slip }
        };
        (self.grammar)().things().into_iter().map(thing).collect()
    }

    /// Whether a word means the kind: `curve`, `Curves`, `laws` or `spring laws`.
    fn is_called(&self, word: &str) -> bool {
        let (one, all) = (self.name, self.title.to_lowercase());
        let last = |words: &str| words.rsplit(' ').next().unwrap_or_default().to_owned();
        [one.into(), last(one), last(&all), all].contains(&word.to_lowercase())
    }
}

impl Thing {
    /// Returns the contents of `base: (…)` for a scene that uses the thing with most of its
    /// options. File names refer to files in `scenes/`.
    pub fn example(&self) -> String {
        let is_it = |row: &&(&str, &str, &str)| row.0 == self.kind.name && row.1 == self.name;
        match THING_EXAMPLES.iter().find(is_it) {
            Some((_, _, text)) => (*text).to_owned(),
            None => {
                let place = self.kind.place.strip_suffix('…').unwrap_or(self.kind.place);
                format!("{place}{}", self.with_defaults())
            }
        }
    }

    /// Returns the name of the thing with all options that have a default.
    fn with_defaults(&self) -> String {
        let with_default = |option: &Member| {
            let default = option.default?;
            let is_written = ![OptionInfo::NEEDED, OptionInfo::LEFT_OUT].contains(&default);
            is_written.then(|| format!("{}: {default}", option.name))
        };
        let options: Vec<String> = self.options.iter().filter_map(with_default).collect();
        match options.is_empty() {
            true => self.name.into(),
            false => format!("{}({})", self.name, options.join(", ")),
        }
    }
}

/// Returns all things with a name, ignoring case.
pub fn things_called(name: &str) -> Vec<Thing> {
    let all = KINDS.iter().flat_map(Kind::things);
    all.filter(|thing| thing.name.eq_ignore_ascii_case(name)).collect()
}

/// Returns the kind that a word means.
pub fn kind_called(word: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.is_called(word))
}

/// Returns known names similar to an unknown one, at most `MAX_LIKE`. Bare words are similar
/// only if they are long, since short ones are close to many names.
pub fn things_like(name: &str) -> Vec<&'static str> {
    let things = KINDS.iter().flat_map(Kind::things).map(|thing| thing.name);
    let things: Vec<&'static str> = things.collect();
    let words = words();
    let words: Vec<&'static str> =
        words.iter().map(|word| word.name).filter(|word| word.len() >= LONG).collect();
    let mut near = similar(name, &things);
    if near.is_empty() {
        near = similar(name, &words);
    }
    let mut seen = BTreeSet::new();
    near.retain(|name| seen.insert(*name));
    near.truncate(MAX_LIKE);
    near
}

/// Maximum number of similar names.
const MAX_LIKE: usize = 8;

/// Minimum length of a bare word that is suggested as a similar name.
const LONG: usize = 5;

/// Returns advice on a name that courses and other programs use for a thing.
pub fn thing_elsewhere(name: &str) -> Option<String> {
    // Names in the table of forces are fields, and fields have their own advice.
    let kinds = KINDS.iter().map(|kind| kind.name).filter(|kind| *kind != "force");
    let advice = kinds.filter_map(|kind| Some((kind, other_thing(kind, name)?)));
    let all: Vec<String> = advice
        .map(|(kind, advice)| match kind {
            "method" => advice,
            kind => format!("as a {kind}, {advice}"),
        })
        .collect();
    (!all.is_empty()).then(|| all.join("; "))
}
