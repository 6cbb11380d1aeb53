//! The words of a text with the line breaks before them, and commas where they belong.

use crate::diagnostic::Fault;
use crate::token::{TokenKind, tokens};

/// What a piece is, as far as spaces depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceKind {
    Open,
    Close,
    Comma,
    Colon,
    /// A word, number or text.
    Value,
    /// A comment up to the end of its line.
    LineComment,
    /// A comment with an end of its own.
    BlockComment,
}

impl PieceKind {
    pub(super) fn is_comment(self) -> bool {
        matches!(self, Self::LineComment | Self::BlockComment)
    }
}

/// A word of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'a> {
    pub(super) kind: PieceKind,
    pub(super) text: &'a str,
    /// Line breaks before it: none, one, or two for an empty line.
    pub(super) breaks: usize,
    /// Whether it follows the piece before without a space, as a text follows the `b` of bytes.
    pub(super) is_glued: bool,
}

/// A comma that is added.
pub(super) const COMMA: Piece<'static> =
    Piece { kind: PieceKind::Comma, text: ",", breaks: 0, is_glued: true };

/// The pieces of a text.
///
/// # Errors
/// At a character that scenes do not use.
pub(super) fn pieces(text: &str) -> Result<Vec<Piece<'_>>, Fault> {
    let mut all: Vec<Piece<'_>> = Vec::new();
    let (mut breaks, mut end) = (0, 0);
    for (kind, place) in tokens(text, 0) {
        let word = &text[place.clone()];
        let kind = match kind {
            TokenKind::Trivia if word.starts_with("//") => PieceKind::LineComment,
            TokenKind::Trivia if word.starts_with("/*") => PieceKind::BlockComment,
            TokenKind::Trivia => {
                breaks += word.matches('\n').count();
                continue;
            }
            TokenKind::Open => PieceKind::Open,
            TokenKind::Close => PieceKind::Close,
            TokenKind::Comma => PieceKind::Comma,
            TokenKind::Colon => PieceKind::Colon,
            TokenKind::Word | TokenKind::Text => PieceKind::Value,
            TokenKind::Other => {
                let fault = Fault::new(format!("a text with `{word}` cannot be laid out"));
                return Err(fault.at(place));
            }
        };
        let after = all.last().map(|piece| piece.kind);
        let least = usize::from(after == Some(PieceKind::LineComment));
        let is_glued = place.start == end;
        end = place.end;
        let piece = Piece { kind, text: word.trim_end(), breaks: breaks.clamp(least, 2), is_glued };
        // Lines that end before a comma end behind it.
        breaks = if kind == PieceKind::Comma { breaks } else { 0 };
        match kind {
            PieceKind::Comma => add_comma(&mut all),
            PieceKind::Close => close(&mut all, piece),
            _ => all.push(fitted(piece, after)),
        }
    }
    Ok(all)
}

/// A comma stands right behind what it follows, before any comment there.
fn add_comma(all: &mut Vec<Piece<'_>>) {
    let value = all.iter().rposition(|piece| !piece.kind.is_comment());
    let at = value.map_or(all.len(), |value| value + 1);
    all.insert(at, COMMA);
}

/// Before a closing bracket there is a comma just where it begins a line.
fn close<'a>(all: &mut Vec<Piece<'a>>, piece: Piece<'a>) {
    let last = all.iter().rposition(|piece| !piece.kind.is_comment());
    let kind = last.map(|last| all[last].kind);
    let is_empty =
        kind == Some(PieceKind::Open) && all.last().is_some_and(|it| !it.kind.is_comment());
    let breaks = if is_empty { 0 } else { piece.breaks.min(1) };
    match (kind, last) {
        (Some(PieceKind::Comma), Some(last)) if breaks == 0 => {
            all.remove(last);
        }
        (Some(PieceKind::Value | PieceKind::Close), _) if breaks > 0 => add_comma(all),
        _ => {}
    }
    all.push(Piece { breaks, ..piece });
}

/// The piece with the line breaks that it may have behind what stands before it.
fn fitted(piece: Piece<'_>, after: Option<PieceKind>) -> Piece<'_> {
    let most = match after {
        None => 0,
        // No empty line at the beginning of brackets.
        Some(PieceKind::Open) => 1,
        // A value follows its name, and what stands behind a name follows it.
        Some(PieceKind::Colon) if !piece.kind.is_comment() => 0,
        Some(PieceKind::Value) if matches!(piece.kind, PieceKind::Open | PieceKind::Colon) => 0,
        _ => 2,
    };
    Piece { breaks: piece.breaks.min(most), ..piece }
}
