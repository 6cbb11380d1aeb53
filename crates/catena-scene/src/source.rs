//! The texts that layers are read from: scene files, and options of the command line.

use super::diagnostic::Fault;
use super::error::SceneError;
use super::files::Files;
use catena_ron::{Node, Tree};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The text of one or more layers.
#[derive(Clone, Debug)]
pub(super) struct Source {
    /// What messages call it: a path, or the option.
    pub(super) origin: String,
    pub(super) text: Arc<str>,
    /// The files that the scene names.
    pub(super) files: Arc<Files>,
    /// What the user typed, if the text was made from an option.
    pub(super) option: Option<TypedOption>,
    /// The syntax tree of the text. Clones share it, so all variants of a sweep parse a text once.
    tree: Arc<OnceLock<Tree>>,
}

impl Source {
    /// A text that `origin` names, beside the files of its scene.
    pub(super) fn new(
        origin: impl Into<String>,
        text: impl Into<Arc<str>>,
        files: &Arc<Files>,
    ) -> Self {
        let (origin, text, files) = (origin.into(), text.into(), Arc::clone(files));
        Self { origin, text, files, option: None, tree: Arc::default() }
    }

    /// The source with the option that its text was made from.
    pub(super) fn typed(self, option: TypedOption) -> Self {
        Self { option: Some(option), ..self }
    }

    /// The value that the text is. Limits are checked before it is parsed.
    pub(super) fn root(&self) -> Node<'_> {
        self.tree.get_or_init(|| Tree::parse(Arc::clone(&self.text))).root()
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
