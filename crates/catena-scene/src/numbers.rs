//! Numbers that a scene text writes, each with the change of the command line that sets it.
//!
//! A page makes a slider of each. A change under `--set` is above all layers, so a number has one
//! only if no panel and no body sets the same field. Other numbers are changed in the text.

use super::schema::fields;
use catena_ron::{Node, TokenKind, Tree, tokens};
use std::ops::Range;

/// Maximum number of numbers that are listed. Long lists of points hold more.
const MOST: usize = 500;

/// A number in the text of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenNumber {
    /// Path from the start of the text, such as `base.rope.pins[0]`.
    pub path: String,
    /// Bytes of the number in the text.
    pub span: Range<usize>,
    /// Its value.
    pub value: f64,
    /// Whether the text writes it without a fraction.
    pub is_whole: bool,
    /// Change that sets it. `None` if a change would reach more than this number.
    pub set: Option<NumberChange>,
}

/// A change of the command line with one number in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberChange {
    /// Path of the field that is set.
    pub field: String,
    /// Text of the value before the number.
    pub before: String,
    /// Text of the value after the number.
    pub after: String,
}

impl NumberChange {
    /// Returns the change to another number as `PATH=VALUE`.
    pub fn to(&self, number: &str) -> String {
        format!("{}={}{number}{}", self.field, self.before, self.after)
    }
}

/// Lists the numbers of a scene text in their order, up to a maximum number.
///
/// ```
/// use catena_scene::numbers::written_numbers;
///
/// let text = "Scene(base: (rope: (nodes: 8), gravity: (0, -9.8)))";
/// let all = written_numbers(text);
/// let gravity = all.iter().find(|number| number.path == "base.gravity[1]").unwrap();
/// assert_eq!(gravity.set.as_ref().unwrap().to("-1.6"), "gravity=(0, -1.6)");
/// ```
pub fn written_numbers(text: &str) -> Vec<WrittenNumber> {
    let tree = Tree::parse(text);
    let known: Vec<String> = fields().into_iter().map(|field| field.path).collect();
    let mut own = Vec::new();
    collect_settings(tree.root(), &mut own);
    let mut listing = Listing { text, known, own, all: Vec::new() };
    listing.walk(tree.root(), "", None);
    listing.all
}

/// Settings of panels, rows, columns, bodies and parts, in the order of the text.
fn collect_settings<'a>(node: Node<'a>, all: &mut Vec<Node<'a>>) {
    for entry in node.entries() {
        if entry.name() == "with" {
            all.push(entry);
        }
        collect_settings(entry, all);
    }
}

/// Walk over a text.
struct Listing<'a> {
    text: &'a str,
    /// Paths of all fields of settings.
    known: Vec<String>,
    /// Settings that lie above `base`.
    own: Vec<Node<'a>>,
    all: Vec<WrittenNumber>,
}

impl<'a> Listing<'a> {
    /// Visits the entries of a value. `field` is the innermost field of `base` around it.
    fn walk(&mut self, node: Node<'a>, path: &str, field: Option<(&str, Node<'a>)>) {
        for (index, entry) in node.entries().enumerate() {
            if self.all.len() >= MOST {
                return;
            }
            let path = match entry.name() {
                "" => format!("{path}[{index}]"),
                name if path.is_empty() => name.into(),
                name => format!("{path}.{name}"),
            };
            let inside = path.strip_prefix("base.").map(str::to_owned);
            let is_field = inside.as_ref().is_some_and(|inside| self.known.contains(inside));
            let field = match &inside {
                Some(inside) if is_field => Some((inside.as_str(), entry)),
                _ => field,
            };
            self.take(entry, &path, field);
            self.walk(entry, &path, field);
        }
    }

    /// Lists a value if it is a number.
    fn take(&mut self, entry: Node<'a>, path: &str, field: Option<(&str, Node<'a>)>) {
        let span = entry.bare_span();
        let Some(written) = self.text.get(span.clone()) else { return };
        let begins = written.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
        let Some(value) = number(written).filter(|_| begins) else { return };
        let is_whole = !written.contains(['.', 'e', 'E']);
        let set = field.filter(|(name, _)| !self.is_set_above(name)).and_then(|(name, around)| {
            let whole = around.bare_span();
            let before = without_breaks(self.text.get(whole.start..span.start)?);
            let after = without_breaks(self.text.get(span.end..whole.end)?);
            Some(NumberChange { field: name.into(), before, after })
        });
        self.all.push(WrittenNumber { path: path.into(), span, value, is_whole, set });
    }

    /// Whether settings above `base` set this field, a group around it or a part of it.
    fn is_set_above(&self, field: &str) -> bool {
        self.own.iter().any(|with| {
            let mut node = *with;
            for part in field.split('.') {
                match node.get(part) {
                    Some(inner) => node = inner,
                    None => return false,
                }
                if node.entries().next().is_none() {
                    return true;
                }
            }
            true
        })
    }
}

/// Replaces spaces, line breaks and comments by single spaces. The result for a part of a text is
/// that part of the result.
fn without_breaks(text: &str) -> String {
    let piece = |(kind, place): (TokenKind, Range<usize>)| match kind {
        TokenKind::Trivia => " ",
        _ => text.get(place).unwrap_or_default(),
    };
    let mut all = String::new();
    for piece in tokens(text, 0).map(piece) {
        // A comment is a token of its own between two of spaces.
        if piece != " " || !all.ends_with(' ') {
            all += piece;
        }
    }
    all
}

/// Reads a number as RON does, with underscores between digits.
fn number(written: &str) -> Option<f64> {
    let plain: String = written.chars().filter(|c| *c != '_').collect();
    plain.parse().ok().filter(|value: &f64| value.is_finite())
}
