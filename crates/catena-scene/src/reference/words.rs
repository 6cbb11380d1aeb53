//! The bare words that scenes may write, with what they mean and where they stand.

use crate::grammar::Grammar;
use crate::schema::fields;
use std::collections::BTreeSet;

/// A bare word with one of its meanings.
#[derive(Clone, Debug)]
pub struct NamedWord {
    /// What scenes write.
    pub name: &'static str,
    /// What it means; empty where the field says so.
    pub summary: &'static str,
    /// Where it stands: paths of fields, and options as in `Keys(repeat: …)`.
    pub places: Vec<String>,
}

/// All words but `true` and `false`, in the order of the fields; one with several meanings is there
/// several times.
pub fn words() -> Vec<NamedWord> {
    let mut search = Search::default();
    for field in fields() {
        search.visit(field.grammar, &field.path);
    }
    search.found
}

/// All words of this name, in whatever letters it is written.
pub fn words_called(name: &str) -> Vec<NamedWord> {
    let mut all = words();
    all.retain(|word| word.name.eq_ignore_ascii_case(name));
    all
}

#[derive(Default)]
struct Search {
    found: Vec<NamedWord>,
    /// The things whose options have been seen: some of them have others of their kind inside.
    things: BTreeSet<&'static str>,
}

impl Search {
    fn visit(&mut self, grammar: Grammar, place: &str) {
        for word in grammar.words() {
            if word.name.starts_with(char::is_uppercase) {
                self.add(word.name, word.summary.trim(), place);
            }
        }
        for thing in grammar.things() {
            if self.things.insert(thing.name) {
                for option in thing.members() {
                    let place = format!("{}({}: …)", thing.name, option.name);
                    self.visit(option.grammar, &place);
                }
            }
        }
        // Settings within settings are the same once more.
        for member in grammar.members().iter().filter(|member| member.name != "with") {
            self.visit(member.grammar, &format!("{place}.{}", member.name));
        }
        if let Some(element) = grammar.element_of_list() {
            self.visit(element, &format!("{place}[…]"));
        }
    }

    fn add(&mut self, name: &'static str, summary: &'static str, place: &str) {
        let is_it = |word: &&mut NamedWord| word.name == name && word.summary == summary;
        match self.found.iter_mut().find(is_it) {
            Some(word) => word.places.push(place.into()),
            None => self.found.push(NamedWord { name, summary, places: vec![place.into()] }),
        }
    }
}
