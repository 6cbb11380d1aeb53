//! Bare words of scenes with their meanings and positions.

use crate::grammar::Grammar;
use crate::schema::fields;
use std::collections::BTreeSet;

/// Bare word with one of its meanings.
#[derive(Clone, Debug)]
pub struct NamedWord {
    /// Word as scenes write it.
    pub name: &'static str,
    /// Meaning; empty if the field explains it.
    pub summary: &'static str,
    /// Positions: paths of fields, and options as in `Keys(repeat: …)`.
    pub places: Vec<String>,
}

/// Returns all words except `true` and `false`, in the order of the fields. A word with several
/// meanings is repeated.
pub fn words() -> Vec<NamedWord> {
    let mut search = WordSearch::default();
    for field in fields() {
        search.visit(field.grammar, &field.path);
    }
    search.found
}

/// Returns all words with a name, ignoring case.
pub fn words_called(name: &str) -> Vec<NamedWord> {
    let mut all = words();
    all.retain(|word| word.name.eq_ignore_ascii_case(name));
    all
}

#[derive(Default)]
struct WordSearch {
    found: Vec<NamedWord>,
    /// Things whose options have been visited. Each thing is visited once, because some things
    /// contain things of the same kind.
    things: BTreeSet<&'static str>,
}

impl WordSearch {
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
        // Nested settings would repeat the outer ones.
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
