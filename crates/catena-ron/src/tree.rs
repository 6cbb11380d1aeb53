//! The syntax tree: values with their names, their places and the values in their brackets.

use crate::token::{TokenKind, bare, tokens};
use std::{ops::Range, sync::Arc};

/// An entry of a bracket: a value, and its name if it has one.
#[derive(Clone, Debug, Default)]
struct Entry {
    name: Option<Range<usize>>,
    /// Word right before the first bracket of the value.
    head: Option<Range<usize>>,
    /// Place of the first bracket of the value.
    open: Option<usize>,
    value: Range<usize>,
    /// Index behind the entries inside.
    end: usize,
}

/// A bracket that is open, or the text as a whole, and how far the entry there has come.
#[derive(Clone, Debug, Default)]
pub struct Level {
    /// The bracket and its place; `None` for the text as a whole.
    pub bracket: Option<(char, usize)>,
    /// Word right before the bracket.
    pub head: Option<Range<usize>>,
    /// Number of entries before the current one.
    pub index: usize,
    /// Start of the current entry; `None` before its first token.
    pub start: Option<usize>,
    /// Name of the current entry, once a colon follows.
    pub name: Option<Range<usize>>,
    /// End of that colon.
    pub(crate) colon: Option<usize>,
    /// Last word, text or closed bracket behind the colon.
    pub(crate) last: Option<(TokenKind, Range<usize>)>,
    /// Whether any entry has a name.
    pub(crate) is_named: bool,
    /// Last token of the first entry that has no name.
    pub(crate) nameless: Option<Range<usize>>,
    /// The line in which the bracket is.
    pub(crate) line: Line,
    /// Index of the current entry in the tree.
    entry: usize,
}

/// A line of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) start: usize,
    /// Number of spaces and tabs at its beginning.
    pub(crate) indent: usize,
}

impl Line {
    fn at(text: &str, start: usize) -> Self {
        let line = &text[start..];
        Self { start, indent: line.len() - line.trim_start_matches([' ', '\t']).len() }
    }
}

impl Level {
    /// Whether the current entry has a value, as far as it was read.
    pub fn has_value(&self) -> bool {
        self.last.is_some()
    }

    /// The last token: a word, number or text, a closing bracket, or a name before a colon.
    pub(crate) fn last_token(&self) -> Option<Range<usize>> {
        match &self.last {
            Some((TokenKind::Close, place)) => Some(place.end - 1..place.end),
            Some((_, place)) => Some(place.clone()),
            None => self.name.clone(),
        }
    }
}

/// Reads a text token by token. A closing bracket closes the innermost one of its kind and all that
/// are open inside; one that closes nothing is passed by.
#[derive(Debug)]
pub(crate) struct Parser<'a> {
    text: &'a str,
    entries: Vec<Entry>,
    /// The brackets that are open, from the text as a whole inwards; never empty.
    pub(crate) levels: Vec<Level>,
    /// The line in which the next token begins.
    pub(crate) line: Line,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let (entries, levels) = (vec![Entry::default()], vec![Level::default()]);
        Self { text, entries, levels, line: Line::at(text, 0) }
    }

    /// Takes the next token.
    pub(crate) fn take(&mut self, kind: TokenKind, place: Range<usize>) {
        if let Some(found) = self.text[place.clone()].rfind('\n') {
            self.line = Line::at(self.text, place.start + found + 1);
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
        let begins = level.last.is_none();
        if is_first {
            (level.start, level.entry) = (Some(place.start), new);
        }
        level.last = Some((kind, place.clone()));
        let entry = level.entry;
        if is_first {
            self.entries.push(Entry { value: place, ..Entry::default() });
        } else if begins {
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
        let bracket = Some((bracket, place.start));
        self.levels.push(Level { bracket, head, line, ..Level::default() });
    }

    fn close(&mut self, place: Range<usize>) {
        let opening = match &self.text[place.clone()] {
            ")" => '(',
            "]" => '[',
            _ => '{',
        };
        let is_it = |level: &Level| level.bracket.is_some_and(|(bracket, _)| bracket == opening);
        let Some(found) = self.levels.iter().rposition(is_it) else { return };
        let mut start = place.start;
        while self.levels.len() > found.max(1) {
            self.end_entry();
            start = self.levels.pop().and_then(|level| level.bracket).map_or(start, |(_, at)| at);
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

    /// The entries, of which the first is the text as a whole and the next its first value.
    fn finish(mut self, from: usize) -> Vec<Entry> {
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
        // The value of the whole text has what stands around it.
        self.entries.iter_mut().take(2).for_each(|entry| entry.value = from..self.text.len());
        self.entries
    }
}

/// A text with its syntax tree. Clones share both.
#[derive(Clone, Debug)]
pub struct Tree(Arc<Parsed>);

#[derive(Debug)]
struct Parsed {
    text: Arc<str>,
    entries: Vec<Entry>,
}

impl Tree {
    /// The tree of any text, in time and memory proportional to its length.
    pub fn parse(text: impl Into<Arc<str>>) -> Self {
        Self::parse_from(text, 0)
    }

    /// The tree of what stands behind a byte of a text. Places count from the start of the text.
    pub fn parse_from(text: impl Into<Arc<str>>, from: usize) -> Self {
        let text = text.into();
        let mut parser = Parser::new(&text);
        tokens(&text, from).for_each(|(kind, place)| parser.take(kind, place));
        let entries = parser.finish(from);
        Self(Arc::new(Parsed { text, entries }))
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// The value that has an id, which must be of this tree.
    pub fn node(&self, NodeId(index): NodeId) -> Node<'_> {
        Node { tree: &self.0, index, is_headless: false }
    }

    /// The first value of the text, with all that stands around it.
    pub fn root(&self) -> Node<'_> {
        self.node(NodeId(usize::from(self.0.entries.len() > 1)))
    }
}

/// Which value of a tree it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId(usize);

/// A value in a tree.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    tree: &'a Parsed,
    index: usize,
    /// Whether it is taken without the word before its parentheses.
    is_headless: bool,
}

impl<'a> Node<'a> {
    fn entry(self) -> &'a Entry {
        &self.tree.entries[self.index]
    }

    fn at(self, place: Range<usize>) -> &'a str {
        &self.tree.text[place]
    }

    /// Its id, by which its tree finds it again.
    pub fn id(self) -> NodeId {
        NodeId(self.index)
    }

    /// The text of the value.
    pub fn text(self) -> &'a str {
        self.at(self.span())
    }

    /// Place of the value in the text of the tree.
    pub fn span(self) -> Range<usize> {
        self.start()..self.entry().value.end
    }

    /// Start of the value.
    pub fn start(self) -> usize {
        let Entry { open, value, .. } = self.entry();
        if self.is_headless { open.unwrap_or(value.end) } else { value.start }
    }

    /// Place of the value without spaces and comments before it.
    pub fn bare_span(self) -> Range<usize> {
        let end = self.entry().value.end;
        end - self.bare_text().len()..end
    }

    /// The text of the value without spaces and comments before it.
    pub fn bare_text(self) -> &'a str {
        bare(self.text())
    }

    /// First character of the value that is neither space nor comment.
    pub fn first(self) -> Option<char> {
        self.bare_text().chars().next()
    }

    /// Place of the name, without quotes; empty and at the value if there is none.
    pub fn name_place(self) -> Range<usize> {
        let Some(name) = self.entry().name.clone() else { return self.start()..self.start() };
        match self.at(name.clone()).strip_prefix('"').is_some_and(|rest| rest.ends_with('"')) {
            true => name.start + 1..name.end - 1,
            false => name,
        }
    }

    /// The name as it is written, without quotes; empty if there is none.
    pub fn name(self) -> &'a str {
        self.at(self.name_place())
    }

    /// The name with its quotes, and where it begins.
    pub fn written_name(self) -> (&'a str, usize) {
        self.entry()
            .name
            .clone()
            .map_or(("", self.start()), |name| (self.at(name.clone()), name.start))
    }

    /// The word before the parentheses; empty if there is none.
    pub fn head(self) -> &'a str {
        let head = self.entry().head.clone().filter(|_| !self.is_headless);
        head.map_or("", |head| self.at(head))
    }

    /// The first bracket of the value, also behind a word.
    pub fn bracket(self) -> Option<char> {
        self.at(self.entry().open?..self.entry().value.end).chars().next()
    }

    /// Whether the value begins with this bracket.
    pub fn opens(self, bracket: char) -> bool {
        self.head().is_empty() && self.bracket() == Some(bracket)
    }

    /// The value without the word before its parentheses; empty if there are none.
    pub fn options(self) -> Self {
        Self { is_headless: true, ..self }
    }

    /// The entries in its brackets. RON's `Some(…)` is one value without entries.
    pub fn entries(self) -> impl Iterator<Item = Node<'a>> {
        let (tree, entry) = (self.tree, self.entry());
        let mut at = if self.head() == "Some" { entry.end } else { self.index + 1 };
        std::iter::from_fn(move || {
            let index = (at < entry.end).then_some(at)?;
            at = tree.entries[index].end.max(index + 1);
            Some(Self { tree, index, is_headless: false })
        })
    }

    /// The entry of a name.
    pub fn get(self, name: &str) -> Option<Self> {
        self.entries().find(|entry| entry.name() == name)
    }

    /// The value at `path`, such as `panels[1].with.rope.pins[0]`; `None` if it is not set.
    pub fn locate(self, path: &str) -> Option<Self> {
        let mut parts = path.split(['.', '[']).filter(|part| !part.is_empty());
        parts.try_fold(self, |node, part| match part.strip_suffix(']') {
            Some(index) => node.entries().nth(index.parse().ok()?),
            None => node.get(part),
        })
    }

    /// The path of the innermost value around a byte, such as `base.rope.pins[0]`.
    pub fn path_at(self, offset: usize) -> String {
        let (mut path, mut node) = (String::new(), self);
        let holds = |(_, entry): &(usize, Self)| {
            let start = entry.name_place().start;
            (start..entry.span().end.max(start + 1)).contains(&offset)
        };
        while let Some((index, entry)) = node.entries().enumerate().find(holds) {
            match entry.name() {
                "" => path += &format!("[{index}]"),
                name if path.is_empty() => path += name,
                name => path += &format!(".{name}"),
            }
            node = entry;
        }
        path
    }
}

/// The place of the value at `path` in a text; `None` if the text does not set it.
pub fn locate(text: &str, path: &str) -> Option<Range<usize>> {
    Tree::parse(text).root().locate(path).map(Node::span)
}

/// The path of the innermost value around a byte of a text.
pub fn path_at(text: &str, offset: usize) -> String {
    Tree::parse(text).root().path_at(offset)
}

#[cfg(test)]
mod tests {
    use super::{locate, path_at};

    #[test]
    fn finds_what_is_written_and_nothing_else() {
        let text = "// α\nScene(base: (rope: (pins: [0, 7 /* last */], mass: /* kg */ 2)), panels: [(with: (m: V(d: 1)))])";
        for (path, expected) in [
            ("base.rope.pins[1]", Some("7")),
            ("base.rope.pins", Some("[0, 7 /* last */]")),
            ("base.rope.mass", Some("2")),
            ("panels[0].with.m", Some("V(d: 1)")),
            ("base.rope.nodes", None),
            ("panels[1]", None),
        ] {
            assert_eq!(locate(text, path).map(|span| &text[span]), expected, "{path}");
            if let Some(span) = locate(text, path) {
                assert!(path_at(text, span.start).starts_with(path), "{path}");
            }
        }
    }

    #[test]
    fn reads_texts_that_are_not_yet_whole() {
        for (text, path, expected) in [
            ("(a: (b: 1, c: [2", "a.c[0]", Some("2")),
            ("(a: (b: [1), d: 4)", "d", Some("4")),
            ("(a: 1 b: 2, c: 3)", "c", Some("3")),
            (")(a: '(', b: 2", "b", Some("2")),
            ("(a: {1: 2}, b: \"(\", c: /* ) */ 3)", "c", Some("3")),
            ("", "a", None),
            (":,,(:", "a", None),
        ] {
            assert_eq!(locate(text, path).map(|span| &text[span]), expected, "{text}");
        }
    }
}
