//! The syntax tree: values with their names, their spans and the values in their brackets.

use crate::parser::{Entry, Parser};
use crate::token::{bare, tokens};
use std::{ops::Range, sync::Arc};

/// A text with its syntax tree. Clones share both.
#[derive(Clone, Debug)]
pub struct Tree(Arc<Parsed>);

#[derive(Debug)]
struct Parsed {
    text: Arc<str>,
    entries: Vec<Entry>,
}

impl Tree {
    /// Parses any text, in time and memory proportional to its length.
    pub fn parse(text: impl Into<Arc<str>>) -> Self {
        Self::parse_from(text, 0)
    }

    /// Parses the part of a text after a byte. Spans count from the start of the text.
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

    /// Returns the value that an id refers to. The id must come from this tree.
    pub fn node(&self, NodeId(index): NodeId) -> Node<'_> {
        Node { tree: &self.0, index, is_headless: false }
    }

    /// First value of the text, including everything around it.
    pub fn root(&self) -> Node<'_> {
        self.node(NodeId(usize::from(self.0.entries.len() > 1)))
    }
}

/// Identifies a value of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId(usize);

/// A value in a tree.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    tree: &'a Parsed,
    index: usize,
    /// Whether the word before the parentheses is excluded.
    is_headless: bool,
}

impl<'a> Node<'a> {
    fn entry(self) -> &'a Entry {
        &self.tree.entries[self.index]
    }

    fn at(self, place: Range<usize>) -> &'a str {
        &self.tree.text[place]
    }

    /// Id of this value in its tree.
    pub fn id(self) -> NodeId {
        NodeId(self.index)
    }

    /// The text of the value.
    pub fn text(self) -> &'a str {
        self.at(self.span())
    }

    /// Span of the value in the text of the tree.
    pub fn span(self) -> Range<usize> {
        self.start()..self.entry().value.end
    }

    /// Start of the value.
    pub fn start(self) -> usize {
        let Entry { open, value, .. } = self.entry();
        if self.is_headless { open.unwrap_or(value.end) } else { value.start }
    }

    /// Span of the value without spaces and comments before it.
    pub fn bare_span(self) -> Range<usize> {
        let Range { start, end } = self.span();
        start + self.text().len() - bare(self.text()).len()..end
    }

    /// First character of the value except spaces and comments.
    pub fn first(self) -> Option<char> {
        bare(self.text()).chars().next()
    }

    /// Span of the name, without quotes. If there is no name, an empty span at the value.
    pub fn name_place(self) -> Range<usize> {
        let Some(name) = self.entry().name.clone() else { return self.start()..self.start() };
        match self.at(name.clone()).strip_prefix('"').is_some_and(|rest| rest.ends_with('"')) {
            true => name.start + 1..name.end - 1,
            false => name,
        }
    }

    /// Name as written, without quotes; empty if there is none.
    pub fn name(self) -> &'a str {
        self.at(self.name_place())
    }

    /// Name with its quotes, and its offset.
    pub fn written_name(self) -> (&'a str, usize) {
        self.entry()
            .name
            .clone()
            .map_or(("", self.start()), |name| (self.at(name.clone()), name.start))
    }

    /// Word before the parentheses; empty if there is none.
    pub fn head(self) -> &'a str {
        let head = self.entry().head.clone().filter(|_| !self.is_headless);
        head.map_or("", |head| self.at(head))
    }

    /// First bracket of the value, which may follow a word.
    pub fn bracket(self) -> Option<char> {
        self.at(self.entry().open?..self.entry().value.end).chars().next()
    }

    /// Whether the value starts with this bracket.
    pub fn opens(self, bracket: char) -> bool {
        self.first() == Some(bracket)
    }

    /// Value without the word before its parentheses; empty if there are none.
    pub fn options(self) -> Self {
        Self { is_headless: true, ..self }
    }

    /// Entries in the brackets. RON's `Some(…)` is one value without entries.
    pub fn entries(self) -> impl Iterator<Item = Node<'a>> {
        let (tree, entry) = (self.tree, self.entry());
        let mut at = if self.head() == "Some" { entry.end } else { self.index + 1 };
        std::iter::from_fn(move || {
            let index = (at < entry.end).then_some(at)?;
            at = tree.entries[index].end.max(index + 1);
            Some(Self { tree, index, is_headless: false })
        })
    }

    /// Returns the entry with the given name.
    pub fn get(self, name: &str) -> Option<Self> {
        self.entries().find(|entry| entry.name() == name)
    }

    /// Returns the value at `path`, such as `panels[1].with.rope.pins[0]`; `None` if it is not set.
    pub fn locate(self, path: &str) -> Option<Self> {
        let mut parts = path.split(['.', '[']).filter(|part| !part.is_empty());
        parts.try_fold(self, |node, part| match part.strip_suffix(']') {
            Some(index) => node.entries().nth(index.parse().ok()?),
            None => node.get(part),
        })
    }

    /// Returns the path of the innermost value around a byte, such as `base.rope.pins[0]`.
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

/// Returns the span of the value at `path` in a text; `None` if the text does not set it.
pub fn locate(text: &str, path: &str) -> Option<Range<usize>> {
    Tree::parse(text).root().locate(path).map(Node::span)
}

/// Returns the path of the innermost value around a byte of a text.
pub fn path_at(text: &str, offset: usize) -> String {
    Tree::parse(text).root().path_at(offset)
}
