//! Contents of a deck from which a scene is written, and formatting of numbers and comments.

use crate::deck::line_types::LineType;
use crate::deck::options::Options;
use crate::deck::points::{DeckPoint, Holder};
use crate::deck::rows::DeckText;
use catena_base::text::printable;

/// Maximum width of comments in columns.
const WIDTH: usize = 98;

/// Maximum product of step and rate at which explicit methods are assumed to be stable.
pub(crate) const LIMIT: f64 = 1.7;

/// Contents of a deck.
pub(crate) struct Parts<'a> {
    pub text: &'a DeckText<'a>,
    pub options: &'a Options,
    pub types: &'a [LineType],
    pub points: &'a [DeckPoint],
}

/// Formats a number with at most nine digits in scene syntax.
pub(crate) fn number(value: f64) -> String {
    let rounded: f64 = format!("{value:.8e}").parse().unwrap_or(value);
    match rounded.abs() {
        0.0 => "0".into(),
        size if (1e-3..1e6).contains(&size) => format!("{rounded}"),
        _ => format!("{rounded:e}"),
    }
}

/// Returns the deck's axis for each axis of the scene: x and z in the plane. In space, the axes are
/// permuted cyclically, so that y points upwards and the axes stay right-handed.
pub(crate) fn axes(is_planar: bool) -> &'static [usize] {
    if is_planar { &[0, 2] } else { &[1, 2, 0] }
}

/// Formats a vector of the deck in the axes of the scene.
pub(crate) fn vector(is_planar: bool, of_deck: [f64; 3]) -> String {
    let all: Vec<String> = axes(is_planar).iter().map(|axis| number(of_deck[*axis])).collect();
    format!("({})", all.join(", "))
}

/// Formats a number with at most four digits, for comments and notes.
pub(crate) fn digits(value: f64) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    number(rounded)
}

/// Returns the lines of a comment, at most [`WIDTH`] columns wide and indented by `level` levels.
/// Control characters are escaped.
pub(crate) fn comment(text: &str, level: usize) -> Vec<String> {
    let text = printable::text(text);
    let indent = "    ".repeat(level);
    let maximum = WIDTH.saturating_sub(indent.len() + 3);
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > maximum {
            lines.push(format!("{indent}// {line}"));
            line = String::new();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += word;
    }
    lines.push(format!("{indent}// {line}"));
    lines
}

/// Whether a point is free.
pub(crate) fn is_free(point: &DeckPoint) -> bool {
    point.holder == Holder::Free
}
