//! Words, rows and sections of a deck.

use super::columns::{self, ColumnLayout};
use crate::deck::row::{Row, Word};
use crate::diagnostic::Fault;

/// Kind of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SectionKind {
    LineTypes,
    RodTypes,
    Bodies,
    Rods,
    Points,
    Lines,
    SyropeStart,
    Failure,
    Control,
    ExternalLoads,
    Options,
    Outputs,
}

/// Words in the header of each kind of section. If a header contains the words of another kind, its
/// own kind precedes that kind.
const KINDS: [(&str, SectionKind); 26] = [
    ("LINE DICTIONARY", SectionKind::LineTypes),
    ("LINE TYPES", SectionKind::LineTypes),
    ("ROD DICTIONARY", SectionKind::RodTypes),
    ("ROD TYPES", SectionKind::RodTypes),
    ("BODIES", SectionKind::Bodies),
    ("BODY LIST", SectionKind::Bodies),
    ("BODY PROPERTIES", SectionKind::Bodies),
    ("RODS", SectionKind::Rods),
    ("ROD LIST", SectionKind::Rods),
    ("ROD PROPERTIES", SectionKind::Rods),
    ("POINTS", SectionKind::Points),
    ("POINT LIST", SectionKind::Points),
    ("POINT PROPERTIES", SectionKind::Points),
    ("CONNECTION PROPERTIES", SectionKind::Points),
    ("CONNECT PROPERTIES", SectionKind::Points),
    ("NODE PROPERTIES", SectionKind::Points),
    ("LINES", SectionKind::Lines),
    ("LINE LIST", SectionKind::Lines),
    ("LINE PROPERTIES", SectionKind::Lines),
    ("SYROPE IC", SectionKind::SyropeStart),
    ("FAILURE", SectionKind::Failure),
    ("CONTROL", SectionKind::Control),
    ("EXTERNAL LOADS", SectionKind::ExternalLoads),
    ("SOLVER OPTIONS", SectionKind::Options),
    ("OPTIONS", SectionKind::Options),
    ("OUTPUT", SectionKind::Outputs),
];

/// Names of sections in messages.
const NAMES: [&str; 12] = [
    "LINE TYPES",
    "ROD TYPES",
    "BODIES",
    "RODS",
    "POINTS",
    "LINES",
    "SYROPE IC",
    "FAILURE",
    "CONTROL",
    "EXTERNAL LOADS",
    "OPTIONS",
    "OUTPUTS",
];

/// Section of a deck.
#[derive(Clone, Debug)]
pub(super) struct Section<'a> {
    pub kind: SectionKind,
    /// Words of the header.
    pub title: Word<'a>,
    pub rows: Vec<Row<'a>>,
}

/// Deck divided into sections of rows.
pub(super) struct DeckText<'a> {
    /// Description of the deck above its first section, if any.
    pub title: Option<String>,
    pub sections: Vec<Section<'a>>,
    /// Notes about the text as a whole.
    pub notes: Vec<String>,
}

/// Prefix of headers.
const DASHES: &str = "---";

/// Returns the name in a header, which is the text between its dashes.
fn header<'a>(line: &'a str, start: usize) -> Option<Word<'a>> {
    line.contains(DASHES).then(|| {
        let name = line.trim_matches(|c: char| c == '-' || c.is_whitespace());
        // `name` is a slice of `line`, so the difference of their addresses is an offset.
        let at = start + (name.as_ptr() as usize - line.as_ptr() as usize);
        Word { text: name, span: at..at + name.len() }
    })
}

/// Returns the words of a line without its comment, which starts at a word that begins with `#`.
fn words(line: &str, start: usize) -> Vec<Word<'_>> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(begin) = rest.find(|c: char| !c.is_whitespace()) {
        let word = &rest[begin..];
        let length = word.find(char::is_whitespace).unwrap_or(word.len());
        if word.starts_with('#') {
            break;
        }
        let at = start + (line.len() - rest.len()) + begin;
        found.push(Word { text: &word[..length], span: at..at + length });
        rest = &word[length..];
    }
    found
}

impl<'a> DeckText<'a> {
    /// Divides a text into sections.
    pub fn read(text: &'a str) -> Result<Self, Fault> {
        let mut deck = Self { title: None, sections: Vec::new(), notes: Vec::new() };
        let (mut at, mut is_over) = (0, false);
        for line in text.split_inclusive('\n') {
            let start = at;
            at += line.len();
            let line = line.trim_end();
            match header(line, start) {
                _ if is_over => deck.after_end(line),
                Some(name) => is_over = deck.begin(name)?,
                None => deck.add(line, start)?,
            }
        }
        deck.check_sections()?;
        Ok(deck)
    }

    /// Begins a section. Returns whether the header ends the deck.
    fn begin(&mut self, name: Word<'a>) -> Result<bool, Fault> {
        let upper = name.text.to_uppercase();
        if upper.contains("NEED THIS LINE") || (upper == "END" && !self.sections.is_empty()) {
            return Ok(true);
        }
        let Some((_, kind)) = KINDS.iter().find(|(words, _)| upper.contains(words)) else {
            // Headers above the first section are decoration.
            if self.sections.is_empty() || upper.is_empty() {
                return Ok(false);
            }
            let fault = Fault::unknown("section", name.text, &NAMES);
            return Err(fault.at(name.span));
        };
        if let Some(earlier) = self.sections.iter().find(|section| section.kind == *kind) {
            let message = format!("the section `{}` occurs twice", name.text);
            let help = format!("MoorDyn reads only the first, `{}`", earlier.title.text);
            return Err(name.fault(message, help));
        }
        self.sections.push(Section { kind: *kind, title: name, rows: Vec::new() });
        Ok(false)
    }

    /// Adds a line to the current section, or to the text above the first section.
    fn add(&mut self, line: &'a str, start: usize) -> Result<(), Fault> {
        let words = words(line, start);
        match self.sections.last_mut() {
            _ if words.is_empty() => {}
            Some(section) => section.rows.push(Row { words }),
            None if self.title.is_none() && !line.to_lowercase().contains("echo") => {
                let words: Vec<&str> = words.iter().map(|word| word.text).collect();
                self.title = Some(words.join(" "));
            }
            None => {}
        }
        Ok(())
    }

    fn after_end(&mut self, line: &str) {
        let text = "text below the last header of the deck is ignored, as in MoorDyn";
        if !line.is_empty() && self.notes.is_empty() {
            self.notes.push(text.into());
        }
    }

    /// Rejects a deck without a required section, and rows in sections that catena cannot express.
    fn check_sections(&self) -> Result<(), Fault> {
        for (kind, name) in [
            (SectionKind::LineTypes, "LINE TYPES"),
            (SectionKind::Points, "POINTS"),
            (SectionKind::Lines, "LINES"),
        ] {
            if self.section(kind).is_none() {
                let message = format!("the deck has no section {name}");
                let help = "a header is a line with dashes, such as `----- LINE TYPES -----`; \
                            a deck needs LINE TYPES, POINTS and LINES";
                return Err(Fault::new(message).help(help));
            }
        }
        for (kind, why, help) in REFUSED {
            let rows = self.section(*kind).map_or(&[][..], |section| &section.rows);
            if let Some(row) = rows.get(2) {
                return Err(Fault::with_help(row.span(), *why, *help));
            }
        }
        Ok(())
    }

    /// Returns the section of a kind, if the deck has it.
    pub fn section(&self, kind: SectionKind) -> Option<&Section<'a>> {
        self.sections.iter().find(|section| section.kind == kind)
    }

    /// Returns the rows of a table, and checks that each has a word for every column. Returns
    /// `None` if the deck has no such section.
    pub fn table(
        &self,
        kind: SectionKind,
        layouts: &'static [ColumnLayout],
    ) -> Result<Option<(&'static ColumnLayout, Vec<&Row<'a>>)>, Fault> {
        let Some(section) = self.section(kind) else { return Ok(None) };
        let Some((names, rest)) = section.rows.split_first() else {
            let message = format!("the section {} is empty", section.title.text);
            let help = "add a row of names, a row of units, and rows of values";
            return Err(section.title.fault(message, help));
        };
        let layout = columns::layout_of(section.title.text, names, layouts)?;
        let rows = columns::below_units(rest)?;
        rows.iter().try_for_each(|row| layout.check(names.words.len(), row))?;
        Ok(Some((layout, rows.iter().collect())))
    }
}

/// Sections whose rows catena cannot express, with the reason and advice.
const REFUSED: &[(SectionKind, &str, &str)] = &[
    (
        SectionKind::Rods,
        "a rod of MoorDyn is a rigid body with six degrees of freedom, which an import cannot express",
        "a line with `EI` bends as an elastic rod; docs/bodies.md describes rigid bodies in catena",
    ),
    (
        SectionKind::SyropeStart,
        "catena does not support the Syrope model of polyester",
        "write EA_s|EA_d in LINE TYPES, the stiffnesses at the expected mean load",
    ),
    (
        SectionKind::Failure,
        "an import cannot express failures",
        "remove the section, and add to the scene: events: [(when: Tension(a: 0, b: 1, above: 1.2e6), do: Cut(a: 0, b: 1))]",
    ),
    (
        SectionKind::Control,
        "control channels come from a coupled program, which catena does not support",
        "remove the section, and use a `Route` in the scene to pay out and reel in",
    ),
    (
        SectionKind::ExternalLoads,
        "an import cannot express external loads",
        "remove the section, and add to the scene: forces: [PointForce(node: Last, force: (0, 1e3))]",
    ),
];

/// Formats increasing numbers as a list of ranges, such as `1, 3 to 5`.
pub(crate) fn in_words(numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|one, next| one + 1 == *next);
    let words = runs.map(|run| match run {
        [first, .., last] if run.len() > 2 => format!("{first} to {last}"),
        _ => run.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
    });
    words.collect::<Vec<_>>().join(", ")
}
