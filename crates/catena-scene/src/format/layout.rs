//! From pieces to lines: indentation, spaces, comments in columns.

use super::piece::{COMMA, Piece, PieceKind};

/// Columns that a line may have before its outermost brackets are opened.
const WIDTH: usize = 120;
/// Spaces of a level.
const STEP: usize = 4;
/// How many levels of brackets are opened where they do not fit: the scene, and what stands in it.
const LEVELS: usize = 2;

/// A line that is laid out.
#[derive(Default)]
struct Line {
    indent: usize,
    code: String,
    /// The comment behind the code.
    comment: String,
    /// Whether an empty line stands before it.
    is_apart: bool,
}

/// The lines of a text, each with its ending.
pub(super) fn lines(mut pieces: Vec<Piece<'_>>, ending: &str) -> String {
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

/// Opens brackets of a level that stand on a line which is too wide: one entry a line.
fn open_wide(pieces: &mut Vec<Piece<'_>>, level: usize) {
    let lines = laid_out(pieces);
    let wide: Vec<bool> =
        lines.iter().map(|line| line.indent + width(&line.code) > WIDTH).collect();
    let (mut depth, mut line, mut opened) = (0_usize, 0_usize, None);
    let mut groups: Vec<(usize, usize)> = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        line += usize::from(piece.breaks > 0 && index > 0);
        match piece.kind {
            PieceKind::Open => {
                if depth == level {
                    opened = Some((index, line));
                }
                depth += 1;
            }
            PieceKind::Close => {
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

/// Divides what stands between two brackets into one entry a line.
fn open(pieces: &mut Vec<Piece<'_>>, start: usize, end: usize) {
    let mut depth = 0_usize;
    for index in start + 1..end {
        let before = pieces[index - 1].kind;
        if depth == 0 && (index == start + 1 || before == PieceKind::Comma) {
            pieces[index].breaks = 1;
        }
        match pieces[index].kind {
            PieceKind::Open => depth += 1,
            PieceKind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    pieces[end].breaks = 1;
    if !matches!(pieces[end - 1].kind, PieceKind::Comma | PieceKind::BlockComment) {
        pieces.insert(end, COMMA);
    }
}

/// The lines of pieces.
fn laid_out(pieces: &[Piece<'_>]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    // The indentation of the line in which each open bracket stands.
    let mut open: Vec<usize> = Vec::new();
    let mut before: Option<Piece<'_>> = None;
    let mut leads = false;
    for piece in pieces {
        if before.is_none() || piece.breaks > 0 {
            let indent = open.last().map_or(0, |indent| indent + STEP);
            lines.push(Line { indent, is_apart: piece.breaks > 1, ..Line::default() });
            (before, leads) = (None, true);
        }
        let Some(line) = lines.last_mut() else { continue };
        leads &= piece.kind == PieceKind::Close;
        match piece.kind {
            PieceKind::Open => open.push(line.indent),
            PieceKind::Close => {
                let indent = open.pop().unwrap_or_default();
                // Closing brackets at the beginning of a line stand below the line that they close.
                if leads {
                    line.indent = indent;
                }
            }
            _ => {}
        }
        if before.is_some_and(|before| is_spaced(before.kind, piece)) {
            line.code.push(' ');
        }
        match piece.kind {
            PieceKind::LineComment if before.is_some() => {
                line.code.truncate(line.code.trim_end().len());
                line.comment = piece.text.into();
            }
            _ => line.code += piece.text,
        }
        before = Some(*piece);
    }
    lines
}

/// Whether a space stands between two pieces of one line.
fn is_spaced(before: PieceKind, piece: &Piece<'_>) -> bool {
    use PieceKind::{BlockComment, Close, Colon, Comma, LineComment, Open, Value};
    match (before, piece.kind) {
        (_, LineComment | BlockComment) => true,
        (Open, _) | (_, Close | Comma | Colon) | (Value, Open) => false,
        (Value, Value) => !piece.is_glued,
        _ => true,
    }
}

/// Puts comments behind code into columns: those of lines below each other that are indented alike
/// stand in one.
fn align(lines: &mut [Line]) {
    let is_next = |a: &Line, b: &Line| {
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

/// What stands behind the last line break within a word.
fn last_line(code: &str) -> &str {
    code.rsplit('\n').next().unwrap_or(code)
}

fn width(text: &str) -> usize {
    text.chars().count()
}
