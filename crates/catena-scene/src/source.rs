//! The texts that layers are read from: scene files, and options of the command line.

use super::diagnostic::Fault;
use super::error::SceneError;
use super::files::Files;
use super::layered::join;
use super::locate::locate;
use super::read::{children, start_in};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// The text of one or more layers.
#[derive(Clone, Debug)]
pub(super) struct Source {
    /// What messages call it: a path, or the option.
    pub(super) origin: String,
    pub(super) text: String,
    /// The files that the scene names.
    pub(super) files: Arc<Files>,
    /// What the user typed, if the text was made from an option.
    pub(super) option: Option<TypedOption>,
    /// Spans that were asked for; clones share them, so each is found once for a scene or sweep.
    pub(super) spans: KnownSpans,
}

/// Spans of fields in parts of a text, by the part's first and last byte.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownSpans(Arc<Mutex<SpansByPart>>);

#[derive(Debug, Default)]
struct SpansByPart {
    /// Spans by the field's path too; `None` if the part does not set the field.
    fields: BTreeMap<(usize, usize, String), Option<Range<usize>>>,
    /// Spans of all fields that the part sets.
    all: BTreeMap<(usize, usize), Arc<SpansByPath>>,
}

/// Spans of fields, and of those in groups, such as `rope.nodes`, by their paths.
pub(super) type SpansByPath = BTreeMap<String, Range<usize>>;

/// A value in the text of a source.
#[derive(Clone)]
pub(super) struct Part<'a> {
    source: &'a Source,
    span: Range<usize>,
}

impl<'a> Part<'a> {
    /// The text of the value.
    pub(super) fn text(&self) -> &'a str {
        &self.source.text[self.span.clone()]
    }

    /// The value at a path below it; `None` if it does not set that path.
    pub(super) fn part(&self, path: &str) -> Option<Self> {
        let key = (self.span.start, self.span.end, path.to_owned());
        let mut known = self.source.spans.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.fields.entry(key).or_insert_with(|| {
            let span = locate(self.text(), path)?;
            Some(span.start + self.span.start..span.end + self.span.start)
        });
        found.clone().map(|span| Self { source: self.source, span })
    }

    /// The spans of all fields below it in the text of the source.
    pub(super) fn fields(&self) -> Arc<SpansByPath> {
        let key = (self.span.start, self.span.end);
        let mut known = self.source.spans.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.all.entry(key).or_insert_with(|| {
            let mut all = SpansByPath::new();
            collect(&self.source.text, self.text(), "", &mut all);
            Arc::new(all)
        });
        Arc::clone(found)
    }
}

/// Adds the fields of a part of a text and of the groups in it by their paths.
fn collect(whole: &str, part: &str, prefix: &str, all: &mut SpansByPath) {
    for child in children(part).unwrap_or_default().into_iter().filter(|it| !it.name.is_empty()) {
        let path = join(prefix, &child.name);
        if child.value.starts_with('(') {
            collect(whole, child.value, &path, all);
        }
        let start = start_in(whole, child.value);
        all.insert(path, start..start + child.value.len());
    }
}

impl Source {
    /// The whole text.
    pub(super) fn whole(&self) -> Part<'_> {
        Part { source: self, span: 0..self.text.len() }
    }

    /// The error for a fault in the text.
    pub(super) fn error(&self, fault: Fault) -> SceneError {
        match &self.option {
            Some(option) => option.error(&self.origin, fault),
            None => SceneError::new(&self.origin, &self.text, fault),
        }
    }
}

/// An option as it was typed, or an axis of a sweep as it stands in its file, and where the parts
/// of the text made from it stand in it.
#[derive(Clone, Debug)]
pub(super) struct TypedOption {
    /// What was typed, or the text of the file that it stands in.
    pub(super) text: Arc<str>,
    /// The change that it is, as `PATH=VALUE`.
    pub(super) change: String,
    /// Names and value: their bytes in the text that is read, and where each begins in what was
    /// typed.
    pub(super) parts: Vec<(Range<usize>, usize)>,
    /// Whether messages name lines of the text, as they do of files.
    pub(super) has_lines: bool,
}

impl TypedOption {
    /// The error for a fault in the text that is read, pointing into what was typed.
    fn error(&self, origin: &str, fault: Fault) -> SceneError {
        let span = fault.span.clone().map(|span| {
            let start = self.typed_at(span.start);
            start..self.typed_at(span.end).max(start)
        });
        let fault = Fault { span, ..fault };
        match self.has_lines {
            true => SceneError::new(origin, &self.text, fault),
            false => SceneError::of_option(origin, &self.text, fault),
        }
    }

    /// Maps a byte of the text that is read to what was typed. Brackets were not typed: they map to
    /// what follows them.
    fn typed_at(&self, at: usize) -> usize {
        let part = self.parts.iter().find(|(part, _)| at <= part.end);
        part.map_or(self.text.len(), |(part, start)| start + at.saturating_sub(part.start))
    }
}
