//! Source texts of layers: scene files, and options of the command line.

use super::diagnostic::Fault;
use super::error::SceneError;
use super::files::Files;
use catena_ron::{Node, Tree};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Text of one or more layers.
#[derive(Clone, Debug)]
pub(super) struct Source {
    /// Origin in messages: a path, or the option.
    pub(super) origin: String,
    pub(super) text: Arc<str>,
    /// Files that the scene refers to.
    pub(super) files: Arc<Files>,
    /// Option that the user typed, if the text was generated from an option.
    pub(super) option: Option<TypedOption>,
    /// Syntax tree of the text. Clones share the tree, so all variants of a sweep parse a text
    /// once.
    tree: Arc<OnceLock<Tree>>,
}

impl Source {
    /// Creates a source with an origin for messages and the files of its scene.
    pub(super) fn new(
        origin: impl Into<String>,
        text: impl Into<Arc<str>>,
        files: &Arc<Files>,
    ) -> Self {
        let (origin, text, files) = (origin.into(), text.into(), Arc::clone(files));
        Self { origin, text, files, option: None, tree: Arc::default() }
    }

    /// Returns the source with the option from which its text was generated.
    pub(super) fn typed(self, option: TypedOption) -> Self {
        Self { option: Some(option), ..self }
    }

    /// Returns the root of the syntax tree. Limits must be checked before the text is parsed.
    pub(super) fn root(&self) -> Node<'_> {
        self.tree.get_or_init(|| Tree::parse(Arc::clone(&self.text))).root()
    }

    /// Creates the error of a fault in the text.
    pub(super) fn error(&self, fault: Fault) -> SceneError {
        match &self.option {
            Some(option) => option.error(&self.origin, fault),
            None => SceneError::new(&self.origin, &self.text, fault),
        }
    }
}

/// Option as typed, or axis of a sweep as in its file. Maps positions of the generated text to
/// positions of the original.
#[derive(Clone, Debug)]
pub(super) struct TypedOption {
    /// The typed text, or the text of the file.
    pub(super) text: Arc<str>,
    /// The change as `PATH=VALUE`.
    pub(super) change: String,
    /// Names and value: their byte range in the generated text, and the start of each in the
    /// original.
    pub(super) parts: Vec<(Range<usize>, usize)>,
    /// Whether messages refer to lines of the text, as for files.
    pub(super) has_lines: bool,
}

impl TypedOption {
    /// Creates the error of a fault in the generated text, with a span in the original.
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

    /// Maps a byte of the generated text to the original. Brackets were not typed, so they map to
    /// the text after them.
    fn typed_at(&self, at: usize) -> usize {
        let part = self.parts.iter().find(|(part, _)| at <= part.end);
        part.map_or(self.text.len(), |(part, start)| start + at.saturating_sub(part.start))
    }
}
