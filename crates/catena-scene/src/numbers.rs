//! Numbers in the text of a scene, each with the command-line change that sets it.
//!
//! Web pages show a slider for each number. A change by `--set` is above all layers, so a number
//! has such a change only if no panel and no body sets the same field. Sliders of other numbers
//! edit the text.

use super::grammar::{Grammar, Member};
use super::schema::fields;
use catena_ron::{Node, TokenKind, Tree, tokens};
use std::ops::Range;

/// Maximum number of listed numbers. Long lists of points contain more.
const MAX_NUMBERS: usize = 500;

/// Number in the text of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenNumber {
    /// Path from the start of the text, such as `base.rope.pins[0]`.
    pub path: String,
    /// Byte range of the number in the text.
    pub span: Range<usize>,
    /// Value of the number.
    pub value: f64,
    /// Whether only whole numbers are allowed, as for counts and nodes.
    pub is_whole: bool,
    /// Command-line change that sets the number. `None` if a change would affect more than this
    /// number.
    pub set: Option<NumberChange>,
}

/// Command-line change that contains one number.
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

/// Returns the numbers in a scene text in order, up to a maximum count.
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
    let root = Around { path: String::new(), field: None, grammar: Grammar::scene(), expected: "" };
    listing.walk(tree.root(), &root);
    listing.all
}

/// Context of an entry: the value that contains it.
struct Around<'a> {
    path: String,
    /// Innermost field of `base`, with its value.
    field: Option<(String, Node<'a>)>,
    grammar: Grammar,
    /// Type and range of the innermost named value, in words.
    expected: &'a str,
}

/// Returns the fields or options of a value.
fn members_of(node: Node<'_>, grammar: Grammar) -> Vec<Member> {
    match node.head() {
        "" | "Scene" => grammar.members(),
        head => {
            let thing = grammar.things().into_iter().find(|thing| thing.name == head);
            thing.map(|thing| thing.members()).unwrap_or_default()
        }
    }
}

/// Collects the settings of panels, rows, columns, bodies and parts, in the order of the text.
fn collect_settings<'a>(node: Node<'a>, all: &mut Vec<Node<'a>>) {
    for entry in node.entries() {
        if entry.name() == "with" {
            all.push(entry);
        }
        collect_settings(entry, all);
    }
}

/// State of a traversal of a text.
struct Listing<'a> {
    text: &'a str,
    /// Paths of all fields of settings.
    known: Vec<String>,
    /// Settings in layers above `base`.
    own: Vec<Node<'a>>,
    all: Vec<WrittenNumber>,
}

impl<'a> Listing<'a> {
    /// Visits the entries of a value.
    fn walk(&mut self, node: Node<'a>, around: &Around<'_>) {
        let members = members_of(node, around.grammar);
        for (index, entry) in node.entries().enumerate() {
            if self.all.len() >= MAX_NUMBERS {
                return;
            }
            let (name, outer) = (entry.name(), &around.path);
            let path = match name {
                "" => format!("{outer}[{index}]"),
                name if outer.is_empty() => name.into(),
                name => format!("{outer}.{name}"),
            };
            let member = members.iter().find(|member| member.name == name);
            let (grammar, expected) = match member {
                Some(member) => (member.grammar, member.expected.as_str()),
                None => (around.grammar.element(), around.expected),
            };
            let inside = path.strip_prefix("base.").map(str::to_owned);
            let field = match inside.filter(|inside| self.known.contains(inside)) {
                Some(inside) => Some((inside, entry)),
                None => around.field.clone(),
            };
            let own = Around { path, field, grammar, expected };
            self.take(entry, &own);
            self.walk(entry, &own);
        }
    }

    /// Adds a value to the list if it is a number.
    fn take(&mut self, entry: Node<'a>, own: &Around<'_>) {
        let span = entry.bare_span();
        let Some(written) = self.text.get(span.clone()) else { return };
        let is_numeric = written.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
        let Some(value) = number(written).filter(|_| is_numeric) else { return };
        let is_whole = ["whole", "node"].iter().any(|word| own.expected.contains(word))
            && value.fract() == 0.0;
        let field = own.field.as_ref().filter(|(name, _)| !self.is_set_above(name));
        let set = field.and_then(|(name, around)| {
            let whole = around.bare_span();
            let before = without_breaks(self.text.get(whole.start..span.start)?);
            let after = without_breaks(self.text.get(span.end..whole.end)?);
            Some(NumberChange { field: name.clone(), before, after })
        });
        self.all.push(WrittenNumber { path: own.path.clone(), span, value, is_whole, set });
    }

    /// Whether settings above `base` set a field, a group that contains it, or a part of it.
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
/// a part of the result for the whole text.
fn without_breaks(text: &str) -> String {
    let piece = |(kind, place): (TokenKind, Range<usize>)| match kind {
        TokenKind::Trivia => " ",
        _ => text.get(place).unwrap_or_default(),
    };
    let mut all = String::new();
    for piece in tokens(text, 0).map(piece) {
        // A comment is a separate token between two tokens of spaces.
        if piece != " " || !all.ends_with(' ') {
            all += piece;
        }
    }
    all
}

/// Parses a number in the syntax of RON, which allows underscores between digits.
fn number(written: &str) -> Option<f64> {
    let plain: String = written.chars().filter(|c| *c != '_').collect();
    plain.parse().ok().filter(|value: &f64| value.is_finite())
}
