//! Parser, which stores the open brackets and the entries read so far.

use crate::token::TokenKind;
use std::ops::Range;

/// An entry of a bracket: a value with an optional name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entry {
    /// Span of the name, including quotes.
    pub(crate) name: Option<Range<usize>>,
    /// Word directly before the first bracket of the value.
    pub(crate) head: Option<Range<usize>>,
    /// Offset of the first bracket of the value.
    pub(crate) open: Option<usize>,
    pub(crate) value: Range<usize>,
    /// Index after the last inner entry.
    pub(crate) end: usize,
}

/// An open bracket or the whole text, with the state of its current entry.
#[derive(Clone, Debug, Default)]
pub struct Level {
    /// The bracket and its offset; `None` for the whole text.
    pub bracket: Option<(char, usize)>,
    /// Word directly before the bracket.
    pub head: Option<Range<usize>>,
    /// Number of entries before the current one.
    pub index: usize,
    /// Start of the current entry; `None` before its first token.
    pub start: Option<usize>,
    /// Name of the current entry, once a colon follows.
    pub name: Option<Range<usize>>,
    /// End of the colon after the name.
    pub(crate) colon: Option<usize>,
    /// Last word, string or closed bracket after the colon.
    pub(crate) last: Option<(TokenKind, Range<usize>)>,
    /// Whether any entry has a name.
    pub(crate) is_named: bool,
    /// Last token of the first entry without a name.
    pub(crate) nameless: Option<Range<usize>>,
    /// Line of the bracket.
    pub(crate) line: LineStart,
    /// Index of the current entry in the tree.
    entry: usize,
}

/// A line of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineStart {
    pub(crate) start: usize,
    /// Number of spaces and tabs at its start.
    pub(crate) indent: usize,
}

impl LineStart {
    fn at(text: &str, start: usize) -> Self {
        let line = &text[start..];
        Self { start, indent: line.len() - line.trim_start_matches([' ', '\t']).len() }
    }
}

impl Level {
    /// Last token: a word, number or string, a closing bracket, or a name before a colon.
    pub(crate) fn last_token(&self) -> Option<Range<usize>> {
        match &self.last {
            Some((TokenKind::Close, place)) => Some(place.end - 1..place.end),
            Some((_, place)) => Some(place.clone()),
            None => self.name.clone(),
        }
    }
}

/// Reads a text token by token. A closing bracket closes the innermost open bracket of its kind and
/// all brackets inside it. If no bracket of its kind is open, it is ignored.
#[derive(Debug)]
pub(crate) struct Parser<'a> {
    text: &'a str,
    entries: Vec<Entry>,
    /// Levels of open brackets. The first is the whole text, so the list is never empty.
    pub(crate) levels: Vec<Level>,
    /// Numbers of open round, square and curly brackets.
    open_counts: [usize; 3],
    /// Line in which the next token starts.
    pub(crate) line: LineStart,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let (entries, levels) = (vec![Entry::default()], vec![Level::default()]);
        Self { text, entries, levels, open_counts: [0; 3], line: LineStart::at(text, 0) }
    }

    /// Processes the next token.
    pub(crate) fn take(&mut self, kind: TokenKind, place: Range<usize>) {
        if let Some(found) = self.text[place.clone()].rfind('\n') {
            self.line = LineStart::at(self.text, place.start + found + 1);
        }
        match kind {
            TokenKind::Trivia => {}
            TokenKind::Word | TokenKind::Text | TokenKind::Other => self.value(kind, place),
            TokenKind::Colon => self.colon(place),
            TokenKind::Comma => {
                self.end_entry();
                let level = self.level();
                (level.index, level.start, level.last) = (level.index + 1, None, None);
                (level.name, level.colon) = (None, None);
            }
            TokenKind::Open => self.open(place),
            TokenKind::Close => self.close(place),
        }
    }

    fn level(&mut self) -> &mut Level {
        if self.levels.is_empty() {
            self.levels.push(Level::default());
        }
        let last = self.levels.len() - 1;
        &mut self.levels[last]
    }

    fn value(&mut self, kind: TokenKind, place: Range<usize>) {
        let new = self.entries.len();
        let level = self.level();
        let is_first = level.start.is_none();
        let is_empty = level.last.is_none();
        if is_first {
            (level.start, level.entry) = (Some(place.start), new);
        }
        level.last = Some((kind, place.clone()));
        let entry = level.entry;
        if is_first {
            self.entries.push(Entry { value: place, ..Entry::default() });
        } else if is_empty {
            self.entries[entry].value = place;
        } else {
            self.entries[entry].value.end = place.end;
        }
    }

    fn colon(&mut self, place: Range<usize>) {
        let level = self.level();
        if level.name.is_some() {
            return;
        }
        level.name = level.last.take().map(|(_, name)| name);
        if let Some(name) = level.name.clone() {
            (level.colon, level.is_named) = (Some(place.end), true);
            let entry = level.entry;
            self.entries.truncate(entry + 1);
            self.entries[entry] =
                Entry { name: Some(name), value: place.end..place.end, ..Entry::default() };
        }
    }

    fn open(&mut self, place: Range<usize>) {
        let bracket = self.text[place.clone()].chars().next().unwrap_or('(');
        let is_head = |word: &Range<usize>| {
            let word = &self.text[word.clone()];
            bracket == '(' && word.starts_with(|c: char| c.is_alphabetic() || c == '_')
        };
        let before = self.levels.last().and_then(|level| level.last.clone());
        let head = before.map(|(_, place)| place).filter(is_head);
        if head.is_none() {
            self.value(TokenKind::Open, place.clone());
        }
        let (line, owner) = (self.line, self.level().entry);
        let entry = &mut self.entries[owner];
        if entry.open.is_none() {
            (entry.open, entry.head) = (Some(place.start), head.clone());
        }
        *self.open_count(bracket) += 1;
        let bracket = Some((bracket, place.start));
        self.levels.push(Level { bracket, head, line, ..Level::default() });
    }

    /// Number of open brackets of a kind.
    fn open_count(&mut self, bracket: char) -> &mut usize {
        let [round, square, curly] = &mut self.open_counts;
        match bracket {
            '(' => round,
            '[' => square,
            _ => curly,
        }
    }

    fn close(&mut self, place: Range<usize>) {
        let opening = match &self.text[place.clone()] {
            ")" => '(',
            "]" => '[',
            _ => '{',
        };
        // Without this, a row of unmatched brackets would search all open levels again and again.
        if *self.open_count(opening) == 0 {
            return;
        }
        let is_it = |level: &Level| level.bracket.is_some_and(|(bracket, _)| bracket == opening);
        let Some(found) = self.levels.iter().rposition(is_it) else { return };
        let mut start = place.start;
        while self.levels.len() > found.max(1) {
            self.end_entry();
            if let Some((bracket, at)) = self.levels.pop().and_then(|level| level.bracket) {
                *self.open_count(bracket) -= 1;
                start = at;
            }
            let owner = self.level().entry;
            self.entries[owner].value.end = place.start;
        }
        let level = self.level();
        level.last = Some((TokenKind::Close, start..place.end));
        let entry = level.entry;
        self.entries[entry].value.end = place.end;
    }

    fn end_entry(&mut self) {
        let end = self.entries.len();
        let level = self.level();
        if level.start.is_some() {
            if level.name.is_none() && level.nameless.is_none() {
                level.nameless = level.last_token();
            }
            let entry = level.entry;
            self.entries[entry].end = end;
        }
    }

    /// Names of the entries before the current one in the innermost bracket.
    pub(crate) fn names_before(&self) -> Vec<Range<usize>> {
        let owner = self.levels.iter().rev().nth(1).map_or(0, |outer| outer.entry);
        let current = self.levels.last().filter(|level| level.start.is_some());
        let last = current.map_or(self.entries.len(), |level| level.entry);
        let (mut names, mut at) = (Vec::new(), owner + 1);
        while at < last {
            names.extend(self.entries[at].name.clone());
            at = self.entries[at].end.max(at + 1);
        }
        names
    }

    /// Returns the entries: first the whole text, then its first value, then the others.
    pub(crate) fn finish(mut self, from: usize) -> Vec<Entry> {
        while !self.levels.is_empty() {
            self.end_entry();
            let end = self.text.len();
            if let Some(level) = self.levels.pop().filter(|level| level.bracket.is_some()) {
                let outer = self.levels.last().map_or(level.entry, |outer| outer.entry);
                self.entries[outer].value.end = end;
            }
        }
        let end = self.entries.len();
        self.entries[0].end = end;
        // The first value of the text includes everything around it.
        self.entries.iter_mut().take(2).for_each(|entry| entry.value = from..self.text.len());
        self.entries
    }
}
