//! Parts of a deck that are written as one scene, and how numbers and comments are written.

use crate::deck::line_types::LineType;
use crate::deck::options::Options;
use crate::deck::points::{DeckPoint, Holder};
use crate::deck::rows::DeckText;
use catena_base::text::printable;

/// Maximum width of comments.
const WIDTH: usize = 98;

/// Product of step and rate up to which explicit methods are taken to be stable.
pub(crate) const LIMIT: f64 = 1.7;

/// Contents of a deck.
pub(crate) struct Parts<'a> {
    pub text: &'a DeckText<'a>,
    pub options: &'a Options,
    pub types: &'a [LineType],
    pub points: &'a [DeckPoint],
}

/// A number with at most nine digits, as scenes write it.
pub(crate) fn number(value: f64) -> String {
    let rounded: f64 = format!("{value:.8e}").parse().unwrap_or(value);
    match rounded.abs() {
        0.0 => "0".into(),
        size if (1e-3..1e6).contains(&size) => format!("{rounded}"),
        _ => format!("{rounded:e}"),
    }
}

/// Axes of the deck that the scene has, in its order: x and z in the plane. In space the axes are
/// exchanged in turn, so that y is upwards and right-handed axes stay so.
pub(crate) fn axes(is_planar: bool) -> &'static [usize] {
    if is_planar { &[0, 2] } else { &[1, 2, 0] }
}

/// A vector of the deck in the scene.
pub(crate) fn vector(is_planar: bool, of_deck: [f64; 3]) -> String {
    let all: Vec<String> = axes(is_planar).iter().map(|axis| number(of_deck[*axis])).collect();
    format!("({})", all.join(", "))
}

/// A number with at most four digits for comments and notes.
pub(crate) fn digits(value: f64) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    number(rounded)
}

/// A comment in lines of limited width, indented by a number of levels. Characters that command a
/// terminal are written as escapes.
pub(crate) fn comment(text: &str, level: usize) -> Vec<String> {
    let text = printable::text(text);
    let indent = "    ".repeat(level);
    let most = WIDTH.saturating_sub(indent.len() + 3);
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > most {
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
