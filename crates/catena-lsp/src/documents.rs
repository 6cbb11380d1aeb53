//! The documents that are open in the editor.

use super::{text::Text, uri};
use catena_scene::{Limits, SceneError, SceneText};
use lsp_types::{TextDocumentContentChangeEvent, TextDocumentItem, Uri};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The letter that may begin a file to say that it is UTF-8.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// How long a text may become, in bytes. It may be longer than a scene for a while, as between a
/// paste and its undoing; a longer one is forgotten until the editor sends it as a whole.
const MOST_BYTES: usize = 16 << 20;

/// An open document.
#[derive(Clone, Debug)]
pub(super) struct Document {
    pub(super) uri: Uri,
    /// Its version, as the editor counts.
    pub(super) version: i32,
    /// Its text, as the editor has it; `None` where it has become too long.
    text: Option<Arc<Text>>,
}

impl Document {
    /// Its text with a byte-order mark, if there is one; empty where it has become too long.
    fn whole(&self) -> &str {
        self.text.as_ref().map_or("", |text| text.as_str())
    }

    /// Its text, without a byte-order mark.
    pub(super) fn text(&self) -> &str {
        self.whole().strip_prefix(BYTE_ORDER_MARK).unwrap_or(self.whole())
    }

    /// How many bytes stand before [`Self::text`].
    fn lead(&self) -> usize {
        self.whole().len() - self.text().len()
    }

    /// Whether it is as short as scenes are.
    pub(super) fn is_small(&self) -> bool {
        self.text.is_some() && self.text().len() as u64 <= Limits::default().file_bytes
    }

    /// The byte of [`Self::text`] at a place.
    pub(super) fn offset(&self, place: lsp_types::Position) -> usize {
        let at = self.text.as_ref().map_or(0, |text| text.offset(place));
        at.saturating_sub(self.lead())
    }

    /// The place of bytes of [`Self::text`].
    pub(super) fn range(&self, bytes: &std::ops::Range<usize>) -> lsp_types::Range {
        let lead = self.lead();
        let place = |text: &Arc<Text>| text.range(&(bytes.start + lead..bytes.end + lead));
        self.text.as_ref().map(place).unwrap_or_default()
    }

    /// The path of its file, if it has one.
    pub(super) fn path(&self) -> Option<PathBuf> {
        uri::path(&self.uri)
    }

    /// What messages call it.
    fn name(&self) -> PathBuf {
        self.path().unwrap_or_else(|| Path::new(self.uri.as_str()).to_owned())
    }

    /// What messages call the text of the document.
    pub(super) fn origin(&self) -> String {
        self.name().display().to_string()
    }

    /// The text as a scene.
    ///
    /// # Errors
    /// When it is empty, or longer than the limit.
    pub(super) fn scene_text(&self, limits: &Limits) -> Result<SceneText, SceneError> {
        match &self.text {
            Some(_) => SceneText::of_text(&self.name(), self.text(), limits),
            None => Err(SceneText::too_long(&self.origin(), limits.file_bytes)),
        }
    }
}

/// All open documents.
#[derive(Debug, Default)]
pub(super) struct Documents(BTreeMap<String, Document>);

impl Documents {
    pub(super) fn open(&mut self, item: TextDocumentItem) -> Document {
        let TextDocumentItem { uri, version, text, .. } = item;
        let document = Document { uri, version, text: kept(text) };
        self.0.insert(document.uri.as_str().to_owned(), document.clone());
        document
    }

    pub(super) fn close(&mut self, uri: &Uri) {
        self.0.remove(uri.as_str());
    }

    pub(super) fn get(&self, uri: &Uri) -> Option<&Document> {
        self.0.get(uri.as_str())
    }

    /// Makes changes in their order; `None` where the document is not open. Where nobody else holds
    /// the text, it is changed in its place.
    pub(super) fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
    ) -> Option<Document> {
        let document = self.0.get_mut(uri.as_str())?;
        for TextDocumentContentChangeEvent { range, text: new, .. } in changes {
            match (range, &mut document.text) {
                (None, text) => *text = kept(new),
                (Some(range), Some(text)) => {
                    let text = Arc::make_mut(text);
                    text.replace(&range, &new);
                    if text.as_str().len() > MOST_BYTES {
                        document.text = None;
                    }
                }
                (Some(_), None) => {}
            }
        }
        document.version = version;
        Some(document.clone())
    }
}

/// A text with its lines, unless it is too long.
fn kept(text: String) -> Option<Arc<Text>> {
    (text.len() <= MOST_BYTES).then(|| Arc::new(Text::new(text)))
}
