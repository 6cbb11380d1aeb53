//! Context of a position in a text, for completion: the open brackets around it and the entry that
//! contains it. Texts may be incomplete, as in editors.

use crate::parser::{Level, Parser};
use crate::token::{TokenKind, tokens, words};
use std::ops::Range;

/// A position in a text.
#[derive(Debug)]
pub struct Context<'a> {
    text: &'a str,
    parser: Parser<'a>,
    /// Range of the word or string that contains or touches the position.
    pub touched: Option<Range<usize>>,
    /// Whether the position is in a comment.
    pub is_comment: bool,
}

/// Kind of text that is allowed at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// The name of a field.
    Name,
    /// A value.
    Value,
    /// Only a comma or a closing bracket.
    Nothing,
}

impl<'a> Context<'a> {
    /// Computes the context of a byte offset, in time proportional to the offset.
    pub fn at(text: &'a str, offset: usize) -> Self {
        let offset = text.floor_char_boundary(offset.min(text.len()));
        let mut context =
            Self { text, parser: Parser::new(text), touched: None, is_comment: false };
        for (kind, place) in tokens(text, 0) {
            let is_comment = kind == TokenKind::Trivia && text[place.start..].starts_with('/');
            let is_word = matches!(kind, TokenKind::Word | TokenKind::Text);
            if place.start <= offset && offset <= place.end && is_word {
                context.touched = Some(place);
                break;
            }
            if place.start >= offset || place.end > offset {
                context.is_comment |= is_comment && place.start < offset;
                break;
            }
            // A line comment includes the position at the end of its line.
            let is_line = is_comment && text[place.clone()].starts_with("//");
            context.is_comment = is_line && place.end == offset;
            context.parser.take(kind, place);
        }
        context
    }

    /// Open brackets, starting with the whole text; never empty.
    pub fn levels(&self) -> &[Level] {
        &self.parser.levels
    }

    /// Innermost level.
    pub fn inner(&self) -> &Level {
        let levels = self.levels();
        &levels[levels.len() - 1]
    }

    /// Kind of text that is allowed at the position.
    pub fn slot(&self) -> Slot {
        let inner = self.inner();
        let is_named = inner.bracket.is_some_and(|(bracket, _)| bracket != '[');
        let is_on_new_line = |last: &Range<usize>| {
            let start = self.touched.as_ref().map_or(self.text.len(), |place| place.start);
            self.text.get(last.end..start).is_some_and(|between| between.contains('\n'))
        };
        match &inner.last {
            None if inner.name.is_some() => Slot::Value,
            None if is_named => Slot::Name,
            None => Slot::Value,
            // A comma is missing at the end of the previous line.
            Some((_, last)) if is_named && self.touched.is_some() && is_on_new_line(last) => {
                Slot::Name
            }
            Some(_) => Slot::Nothing,
        }
    }

    /// Names of all other entries of the innermost bracket.
    pub fn siblings(&self) -> Vec<&'a str> {
        let inner = self.inner();
        let mut all = self.parser.names_before();
        all.extend(inner.name.clone());
        let innermost = inner.bracket.map_or(0, |(_, at)| at + 1);
        let last = inner.last.as_ref().map_or(innermost, |(_, last)| last.end);
        let from = self.touched.as_ref().map_or(last, |place| place.end);
        let (mut depth, mut last) = (0_usize, None);
        for (kind, place) in tokens(self.text, from.min(self.text.len())) {
            match kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close if depth == 0 => break,
                TokenKind::Close => depth -= 1,
                TokenKind::Colon if depth == 0 => all.extend(last.take()),
                TokenKind::Word if depth == 0 => last = Some(place),
                _ => {}
            }
        }
        all.into_iter().filter_map(|place| self.text.get(place)).collect()
    }

    /// Range of the innermost field or list element around this position, including a comma after
    /// it.
    pub fn entry(&self) -> Option<Range<usize>> {
        let touched = self.touched.as_ref().map(|place| place.start);
        let is_whole = |level: &&Level| {
            level.name.is_some() || level.bracket.is_some_and(|(bracket, _)| bracket != '(')
        };
        let is_name = |place: &usize| {
            words(self.text, *place).nth(1).is_some_and(|(kind, _)| kind == TokenKind::Colon)
        };
        let start = match touched.filter(is_name) {
            Some(place) => place,
            None => self.levels().iter().rev().find(is_whole)?.start.or(touched)?,
        };
        let mut depth = 0_usize;
        for (kind, place) in tokens(self.text, start) {
            match kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close if depth == 0 => return Some(start..place.start),
                TokenKind::Close => depth -= 1,
                TokenKind::Comma if depth == 0 => return Some(start..place.end),
                _ => {}
            }
        }
        Some(start..self.text.len())
    }
}
