//! Where a place of a text lies: in which brackets, in which entry. It reads texts that are not yet
//! whole, as editors have them.

use super::token::{TokenKind, tokens};
use std::ops::Range;

/// What is open around a place, and how far the entry there has come.
#[derive(Clone, Debug, Default)]
pub struct Opened {
    /// The bracket and its place; `None` for the text as a whole.
    pub bracket: Option<(char, usize)>,
    /// The word right before the bracket.
    pub head: Option<Range<usize>>,
    /// How many entries came before.
    pub index: usize,
    /// Where the entry begins; `None` before its first word.
    pub start: Option<usize>,
    /// Its name, once a colon follows.
    pub name: Option<Range<usize>>,
    /// The names of the entries before.
    pub written: Vec<Range<usize>>,
    /// The last word, text or closed bracket of the entry.
    last: Option<Range<usize>>,
    /// Whether something stands behind the colon, or where there is no name at all.
    has_value: bool,
}

/// A place of a text.
#[derive(Clone, Debug)]
pub struct Cursor {
    /// What is open, from the text as a whole inwards; it is never empty.
    pub open: Vec<Opened>,
    /// The word or text that the place is in, or touches.
    pub touched: Option<Range<usize>>,
    /// Whether the place is in a comment.
    pub is_comment: bool,
}

/// What may be written at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// The name of a field.
    Name,
    /// A value.
    Value,
    /// Nothing before a comma.
    Nothing,
}

impl Cursor {
    /// The place of a byte, in time proportional to it.
    pub fn at(text: &str, offset: usize) -> Self {
        let offset = text.floor_char_boundary(offset.min(text.len()));
        let mut cursor = Self { open: vec![Opened::default()], touched: None, is_comment: false };
        for (kind, place) in tokens(text, 0) {
            if place.start > offset {
                break;
            }
            let is_word = matches!(kind, TokenKind::Word | TokenKind::Text);
            if is_word && offset <= place.end {
                cursor.touched = Some(place);
                break;
            }
            if place.end > offset || place.start == offset {
                let is_comment = kind == TokenKind::Trivia && text[place.start..].starts_with('/');
                cursor.is_comment |= is_comment && place.start < offset;
                break;
            }
            cursor.is_comment = text[place.clone()].starts_with("//") && place.end == offset;
            cursor.take(text, kind, place);
        }
        cursor
    }

    fn take(&mut self, text: &str, kind: TokenKind, place: Range<usize>) {
        let Some(inner) = self.open.last_mut() else { return };
        match kind {
            TokenKind::Trivia => {}
            TokenKind::Word | TokenKind::Text | TokenKind::Other => inner.value(place),
            TokenKind::Colon => inner.colon(),
            TokenKind::Comma => inner.comma(),
            TokenKind::Open => {
                let bracket = text[place.clone()].chars().next().map(|it| (it, place.start));
                let is_head = |last: &Range<usize>| {
                    let word = text.get(last.clone()).unwrap_or_default();
                    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
                        && bracket.is_some_and(|(bracket, _)| bracket == '(')
                };
                let head = inner.last.clone().filter(is_head).filter(|_| inner.has_value);
                if head.is_none() {
                    inner.value(place.clone());
                }
                self.open.push(Opened { bracket, head, ..Opened::default() });
            }
            TokenKind::Close => {
                let opening = match &text[place.clone()] {
                    ")" => '(',
                    "]" => '[',
                    _ => '{',
                };
                let is_it = |open: &Opened| open.bracket.is_some_and(|(it, _)| it == opening);
                let Some(found) = self.open.iter().rposition(is_it) else { return };
                let start = self.open[found].bracket.map_or(place.start, |(_, at)| at);
                self.open.truncate(found.max(1));
                if let Some(outer) = self.open.last_mut() {
                    (outer.last, outer.has_value) = (Some(start..place.end), true);
                }
            }
        }
    }

    /// The innermost bracket.
    pub fn inner(&self) -> &Opened {
        const NONE: &Opened = &Opened {
            bracket: None,
            head: None,
            index: 0,
            start: None,
            name: None,
            written: Vec::new(),
            last: None,
            has_value: false,
        };
        self.open.last().unwrap_or(NONE)
    }

    /// What may be written at the place.
    pub fn slot(&self, text: &str) -> Slot {
        let inner = self.inner();
        let is_named = inner.bracket.is_some_and(|(bracket, _)| bracket != '[');
        let begins = |last: &Range<usize>| {
            let start = self.touched.as_ref().map_or(text.len(), |place| place.start);
            text.get(last.end..start).is_some_and(|between| between.contains('\n'))
        };
        match () {
            () if inner.name.is_some() && !inner.has_value => Slot::Value,
            () if inner.start.is_none() && is_named => Slot::Name,
            () if inner.start.is_none() => Slot::Value,
            // A comma is missing at the end of the line above.
            () if is_named && self.touched.is_some() && inner.last.as_ref().is_some_and(begins) => {
                Slot::Name
            }
            () => Slot::Nothing,
        }
    }

    /// The names of all other entries of the innermost bracket.
    pub fn siblings<'a>(&self, text: &'a str) -> Vec<&'a str> {
        let inner = self.inner();
        let before = inner.written.iter().chain(&inner.name).cloned();
        let mut all: Vec<Range<usize>> = before.collect();
        let from = self.touched.as_ref().map_or_else(
            || inner.last.as_ref().map_or(self.innermost_start(), |last| last.end),
            |place| place.end,
        );
        let (mut depth, mut last) = (0_usize, None);
        for (kind, place) in tokens(text, from.min(text.len())) {
            match kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close if depth == 0 => break,
                TokenKind::Close => depth -= 1,
                TokenKind::Colon if depth == 0 => all.extend(last.take()),
                TokenKind::Word if depth == 0 => last = Some(place),
                _ => {}
            }
        }
        all.into_iter().filter_map(|place| text.get(place)).collect()
    }

    fn innermost_start(&self) -> usize {
        self.inner().bracket.map_or(0, |(_, at)| at + 1)
    }

    /// The place of the innermost field or element of a list around the cursor, with the comma
    /// behind it.
    pub fn entry(&self, text: &str) -> Option<Range<usize>> {
        let touched = self.touched.as_ref().map(|place| place.start);
        let is_whole = |open: &&Opened| {
            open.name.is_some() || open.bracket.is_some_and(|(bracket, _)| bracket != '(')
        };
        let names_one = |place: &usize| {
            let mut behind = tokens(text, *place).skip(1);
            let next = behind.find(|(kind, _)| *kind != TokenKind::Trivia);
            next.is_some_and(|(kind, _)| kind == TokenKind::Colon)
        };
        let start = match touched.filter(names_one) {
            Some(place) => place,
            None => {
                let open = self.open.iter().rev().find(is_whole)?;
                open.start.or(touched)?
            }
        };
        let mut depth = 0_usize;
        for (kind, place) in tokens(text, start) {
            match kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close if depth == 0 => return Some(start..place.start),
                TokenKind::Close => depth -= 1,
                TokenKind::Comma if depth == 0 => return Some(start..place.end),
                _ => {}
            }
        }
        Some(start..text.len())
    }
}

impl Opened {
    fn value(&mut self, place: Range<usize>) {
        self.start.get_or_insert(place.start);
        self.has_value = true;
        self.last = Some(place);
    }

    fn colon(&mut self) {
        if self.name.is_none() {
            self.name = self.last.take();
            self.has_value = false;
        }
    }

    fn comma(&mut self) {
        self.written.extend(self.name.take());
        self.index += 1;
        (self.start, self.last, self.has_value) = (None, None, false);
    }
}
