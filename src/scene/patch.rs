//! Changes of a scene from the command line: `--set rope.nodes=8`.

use super::diagnostic::{Fault, nearest};
use super::error::SceneError;
use super::load::Source;
use super::schema::fields;
use super::slips::slip;
use crate::text::shell;
use std::{ops::Range, str::FromStr};

/// A change of one field, laid over everything in the scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// The field's path, such as `rope.nodes`.
    path: String,
    value: String,
}

impl FromStr for Patch {
    type Err = String;

    /// Reads `PATH=VALUE`.
    fn from_str(text: &str) -> Result<Self, String> {
        let Some((path, value)) = text.split_once('=') else {
            return Err("expected PATH=VALUE, such as rope.nodes=8".into());
        };
        let path = path.trim();
        let is_name =
            |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
        if !path.split('.').all(is_name) {
            return Err(format!(
                "`{path}` is not a path of names joined by dots, such as rope.nodes"
            ));
        }
        if ["title.", "panels.", "grid."].iter().any(|group| path.starts_with(group)) {
            return Err(BESIDE_BASE.into());
        }
        if value.trim().is_empty() {
            return Err(format!("there is no value behind `{path}=`"));
        }
        // Text such as `1, b: 2` would set more than one field.
        if let Err(error) = ron::value::RawValue::from_ron(value) {
            return Err(match slip(value) {
                Some(Fault { message, help: Some(help), .. }) => format!("{message}; {help}"),
                Some(Fault { message, .. }) => message,
                None if value.contains(',') => {
                    format!(
                        "`{value}` is more than one value; a vector stands in brackets: '{path}=({value})'"
                    )
                }
                None => format!("`{value}` is not one value: {}", error.code),
            });
        }
        Ok(Self { path: path.into(), value: value.into() })
    }
}

/// What is said of paths that do not lead into `base`.
const BESIDE_BASE: &str =
    "--set changes a field of `base`; what stands beside `base` is changed in the file";

impl Patch {
    /// `PATH=VALUE`, as it was given.
    pub fn text(&self) -> String {
        format!("{}={}", self.path, self.value)
    }

    /// As the text of a layer: `rope.nodes=8` is `(rope: (nodes: 8))`.
    pub(super) fn source(&self) -> Source {
        let (mut text, mut typed) = (String::new(), Vec::new());
        let mut at = 0;
        for part in self.path.split('.') {
            text.push('(');
            typed.push((text.len()..text.len() + part.len(), at));
            text += part;
            text += ": ";
            at += part.len() + 1;
        }
        typed.push((text.len()..text.len() + self.value.len(), at));
        text += &self.value;
        text += &")".repeat(self.path.split('.').count());
        let typed = Some(Typed { text: self.text(), pieces: typed });
        Source { origin: format!("--set {}", self.text()), text, typed }
    }

    /// What is wrong with it, with advice for the command line where that is better than advice for
    /// a file.
    pub(super) fn advise(&self, fault: Fault, is_read: impl Fn(&str) -> bool) -> Fault {
        let in_quotes = Self { value: format!("{:?}", self.value.trim()), ..self.clone() };
        if is_read(&in_quotes.source().text) {
            let help = format!("in a shell: --set {}", shell::quoted(in_quotes.text()));
            return Fault { message: "expected text in quotes".into(), ..fault }.help(help);
        }
        match self.meant(&fault) {
            Some(help) => fault.help(help),
            None => fault,
        }
    }

    /// The paths that may have been meant by one that there is not.
    fn meant(&self, fault: &Fault) -> Option<String> {
        if !fault.message.starts_with("there is no field") {
            return None;
        }
        let all: Vec<String> = fields().into_iter().map(|field| field.path).collect();
        if let Some(inside) = self.path.strip_prefix("base.").filter(|_| self.path.contains('.')) {
            return Some(format!("leave `base.` out: --set {}={}", inside, self.value));
        }
        if ["title", "panels", "grid", "base"].contains(&&*self.path) {
            return Some(BESIDE_BASE.into());
        }
        let found = fault.field.as_deref().unwrap_or(&self.path);
        // Inside of the value the fault's own advice is right.
        if found.strip_prefix(&self.path).is_some_and(|inside| inside.starts_with('.')) {
            return None;
        }
        let last = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
        let above = |path: &str| path.rsplit_once('.').map_or("", |(above, _)| above).to_owned();
        let names: Vec<String> = all.iter().map(|path| last(path)).collect();
        let (_, name) = nearest(&last(found), names.iter().map(String::as_str))?;
        let (beside, elsewhere): (Vec<&String>, Vec<&String>) = all
            .iter()
            .filter(|path| last(path) == name)
            .partition(|path| above(path) == above(&self.path));
        let meant = if beside.is_empty() { elsewhere } else { beside };
        let meant = meant.into_iter().map(|path| format!("--set {path}={}", self.value));
        Some(format!("did you mean {}?", meant.collect::<Vec<_>>().join(" or ")))
    }
}

/// What was typed, and where parts of the text that is read stand in it.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    text: String,
    /// Names and value: where they are in the text that is read, and where they begin in what was
    /// typed.
    pieces: Vec<(Range<usize>, usize)>,
}

impl Typed {
    /// `PATH=VALUE`, as it was given.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The error for a fault in the text that is read.
    pub(super) fn error(&self, origin: &str, fault: Fault) -> SceneError {
        let span = fault.span.clone().map(|span| {
            let start = self.place(span.start);
            start..self.place(span.end).max(start)
        });
        SceneError::of_option(origin, &self.text, Fault { span, ..fault })
    }

    /// Where a byte of the text that is read stands in what was typed; brackets stand at what
    /// follows them.
    fn place(&self, at: usize) -> usize {
        let piece = self.pieces.iter().find(|(piece, _)| at <= piece.end);
        piece.map_or(self.text.len(), |(piece, start)| start + at.saturating_sub(piece.start))
    }
}
