//! Formats the text of a scene: indentation, spaces, commas and comments.
//!
//! Manual line breaks are preserved. If the outermost brackets do not fit on a line, they are
//! opened. Comments keep their places, and no word changes.

use crate::fault::Fault;
use crate::token::{TokenKind, tokens};

/// Formats valid RON. Formatting is idempotent.
///
/// # Errors
/// A character that scenes do not use.
pub fn format(text: &str) -> Result<String, Fault> {
    // The first line determines the line endings.
    let is_crlf = text.find('\n').is_some_and(|at| text[..at].ends_with('\r'));
    let formatted = lines(pieces(text)?, if is_crlf { "\r\n" } else { "\n" });
    if meaning(&formatted) == meaning(text) {
        return Ok(formatted);
    }
    let fault = Fault::new("this text cannot be formatted without changing its meaning");
    Err(fault.help("keep it as it is, and report this as a bug in catena"))
}

/// Returns all meaningful tokens and, separately, the comments.
fn meaning(text: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut words, mut comments) = (Vec::new(), Vec::new());
    for (kind, place) in tokens(text, 0) {
        let word = &text[place];
        match kind {
            TokenKind::Trivia if word.starts_with('/') => comments.push(word.trim_end()),
            TokenKind::Trivia => {}
            TokenKind::Close => {
                words.pop_if(|last| *last == ",");
                words.push(word);
            }
            _ => words.push(word),
        }
    }
    (words, comments)
}

/// A word or a comment of a text.
#[derive(Clone, Copy, Debug)]
struct Piece<'a> {
    /// Kind of the piece; strings count as words and comments as trivia.
    kind: TokenKind,
    text: &'a str,
    /// Number of line breaks before the piece: none, one, or two for an empty line.
    breaks: usize,
    /// Whether the piece follows the previous one without a space, like a string after the `b` of
    /// bytes.
    is_glued: bool,
}

impl Piece<'_> {
    fn is_comment(&self) -> bool {
        self.kind == TokenKind::Trivia
    }

    fn is_line_comment(&self) -> bool {
        self.is_comment() && self.text.starts_with("//")
    }
}

/// A comma that the formatter adds.
const COMMA: Piece<'static> =
    Piece { kind: TokenKind::Comma, text: ",", breaks: 0, is_glued: true };

/// Splits a text into pieces and adds missing commas.
fn pieces(text: &str) -> Result<Vec<Piece<'_>>, Fault> {
    let mut all: Vec<Piece<'_>> = Vec::new();
    let (mut breaks, mut end) = (0, 0);
    for (kind, place) in tokens(text, 0) {
        let word = &text[place.clone()];
        let kind = match kind {
            TokenKind::Trivia if !word.starts_with('/') => {
                breaks += word.matches('\n').count();
                continue;
            }
            TokenKind::Text => TokenKind::Word,
            TokenKind::Other => {
                let sign = word.chars().next().unwrap_or_default();
                let fault = Fault::new(format!("text that contains `{sign}` cannot be formatted"));
                return Err(fault.at(place.start..place.start + sign.len_utf8()));
            }
            kind => kind,
        };
        let after = all.last();
        let minimum = usize::from(after.is_some_and(Piece::is_line_comment));
        let is_glued = place.start == end;
        end = place.end;
        let breaks_before = breaks.clamp(minimum, 2);
        let piece = Piece { kind, text: word.trim_end(), breaks: breaks_before, is_glued };
        // If a line ends before a comma, the line break moves after the comma.
        breaks = if kind == TokenKind::Comma { breaks } else { 0 };
        match kind {
            TokenKind::Comma => add_comma(&mut all),
            TokenKind::Close => close(&mut all, piece),
            _ => all.push(fitted(piece, after.map(|piece| piece.kind))),
        }
    }
    Ok(all)
}

/// Adds a comma directly after the last value, before any comment there.
fn add_comma(all: &mut Vec<Piece<'_>>) {
    let value = all.iter().rposition(|piece| !piece.is_comment());
    all.insert(value.map_or(all.len(), |value| value + 1), COMMA);
}

/// Adds a closing bracket. A comma precedes it if and only if the bracket starts a line.
fn close<'a>(all: &mut Vec<Piece<'a>>, piece: Piece<'a>) {
    let last = all.iter().rposition(|piece| !piece.is_comment());
    let kind = last.map(|last| all[last].kind);
    let is_empty = kind == Some(TokenKind::Open) && all.last().is_some_and(|it| !it.is_comment());
    let breaks = if is_empty { 0 } else { piece.breaks.min(1) };
    match (kind, last) {
        (Some(TokenKind::Comma), Some(last)) if breaks == 0 => {
            all.remove(last);
        }
        (Some(TokenKind::Word | TokenKind::Close), _) if breaks > 0 => add_comma(all),
        _ => {}
    }
    all.push(Piece { breaks, ..piece });
}

/// Limits the line breaks of a piece to those that are allowed after the previous token.
fn fitted(piece: Piece<'_>, after: Option<TokenKind>) -> Piece<'_> {
    let maximum = match after {
        None => 0,
        // No empty line at the start of brackets.
        Some(TokenKind::Open) => 1,
        // A value follows its name on the same line, and so does the token after a name.
        Some(TokenKind::Colon) if !piece.is_comment() => 0,
        Some(TokenKind::Word) if matches!(piece.kind, TokenKind::Open | TokenKind::Colon) => 0,
        _ => 2,
    };
    Piece { breaks: piece.breaks.min(maximum), ..piece }
}

/// Maximum number of columns before the outermost brackets of a line are opened.
const WIDTH: usize = 120;
/// Number of spaces per level.
const STEP: usize = 4;
/// Number of bracket levels that are opened if they do not fit: the scene and its fields.
const LEVELS: usize = 2;

/// A formatted line.
#[derive(Default)]
struct LayoutLine {
    indent: usize,
    code: String,
    /// Comment after the code.
    comment: String,
    /// Whether an empty line precedes the line.
    is_apart: bool,
}

/// Returns the formatted text with these line endings.
fn lines(mut pieces: Vec<Piece<'_>>, ending: &str) -> String {
    for level in 0..LEVELS {
        open_wide(&mut pieces, level);
    }
    let mut lines = laid_out(&pieces);
    align(&mut lines);
    let mut text = String::new();
    for line in lines {
        if line.is_apart {
            text += ending;
        }
        text.extend(std::iter::repeat_n(' ', line.indent));
        text += &line.code;
        text += &line.comment;
        text += ending;
    }
    text
}

/// Opens brackets of a level on lines that are too wide: one entry per line.
fn open_wide(pieces: &mut Vec<Piece<'_>>, level: usize) {
    let lines = laid_out(pieces);
    let wide: Vec<bool> =
        lines.iter().map(|line| line.indent + width(&line.code) > WIDTH).collect();
    let (mut depth, mut line, mut opened) = (0_usize, 0_usize, None);
    let mut groups: Vec<(usize, usize)> = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        line += usize::from(piece.breaks > 0 && index > 0);
        match piece.kind {
            TokenKind::Open => {
                if depth == level {
                    opened = Some((index, line));
                }
                depth += 1;
            }
            TokenKind::Close => {
                depth = depth.saturating_sub(1);
                if let Some((start, first)) = opened.take_if(|_| depth == level)
                    && first == line
                    && wide.get(line) == Some(&true)
                    && start + 1 < index
                {
                    groups.push((start, index));
                }
            }
            _ => {}
        }
    }
    for (start, end) in groups.into_iter().rev() {
        open(pieces, start, end);
    }
}

/// Splits the content of two brackets into one entry per line.
fn open(pieces: &mut Vec<Piece<'_>>, start: usize, end: usize) {
    let mut depth = 0_usize;
    for index in start + 1..end {
        let before = pieces[index - 1].kind;
        if depth == 0 && (index == start + 1 || before == TokenKind::Comma) {
            pieces[index].breaks = 1;
        }
        match pieces[index].kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    pieces[end].breaks = 1;
    if !matches!(pieces[end - 1].kind, TokenKind::Comma | TokenKind::Trivia) {
        pieces.insert(end, COMMA);
    }
}

/// Arranges pieces into lines.
fn laid_out(pieces: &[Piece<'_>]) -> Vec<LayoutLine> {
    let mut lines: Vec<LayoutLine> = Vec::new();
    // Indentation of the line of each open bracket.
    let mut open: Vec<usize> = Vec::new();
    let mut before: Option<Piece<'_>> = None;
    let mut leads = false;
    for piece in pieces {
        if before.is_none() || piece.breaks > 0 {
            let indent = open.last().map_or(0, |indent| indent + STEP);
            lines.push(LayoutLine { indent, is_apart: piece.breaks > 1, ..LayoutLine::default() });
            (before, leads) = (None, true);
        }
        let Some(line) = lines.last_mut() else { continue };
        leads &= piece.kind == TokenKind::Close;
        match piece.kind {
            TokenKind::Open => open.push(line.indent),
            TokenKind::Close => {
                let indent = open.pop().unwrap_or_default();
                // Closing brackets at the start of a line align with the line that they close.
                if leads {
                    line.indent = indent;
                }
            }
            _ => {}
        }
        if before.is_some_and(|before| is_spaced(before.kind, piece)) {
            line.code.push(' ');
        }
        match piece.is_line_comment() && before.is_some() {
            true => {
                line.code.truncate(line.code.trim_end().len());
                line.comment = piece.text.into();
            }
            false => line.code += piece.text,
        }
        before = Some(*piece);
    }
    lines
}

/// Whether a space separates two pieces of one line.
fn is_spaced(before: TokenKind, piece: &Piece<'_>) -> bool {
    use TokenKind::{Close, Colon, Comma, Open, Trivia, Word};
    match (before, piece.kind) {
        (_, Trivia) => true,
        (Open, _) | (_, Close | Comma | Colon) | (Word, Open) => false,
        (Word, Word) => !piece.is_glued,
        _ => true,
    }
}

/// Aligns comments after code: adjacent lines with equal indentation share a column.
fn align(lines: &mut [LayoutLine]) {
    let is_next = |a: &LayoutLine, b: &LayoutLine| {
        a.indent == b.indent && a.comment.is_empty() == b.comment.is_empty() && !b.is_apart
    };
    for run in lines.chunk_by_mut(is_next) {
        let widest = run.iter().map(|line| width(last_line(&line.code))).max().unwrap_or_default();
        for line in run.iter_mut().filter(|line| !line.comment.is_empty()) {
            let gap = widest - width(last_line(&line.code)) + 1;
            line.code.extend(std::iter::repeat_n(' ', gap));
        }
    }
}

/// Part of a word after its last line break.
fn last_line(code: &str) -> &str {
    code.rsplit('\n').next().unwrap_or(code)
}

fn width(text: &str) -> usize {
    text.chars().count()
}
