//! Documents that are open in the editor, and conversion between file paths and URIs.

use super::text::Text;
use catena_base::text::link::{decoded, encoded};
use catena_scene::{Limits, SceneError, SceneText};
use lsp_types::{TextDocumentContentChangeEvent, TextDocumentItem, Uri};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Byte-order mark that may begin a UTF-8 file.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Maximum length of a text in bytes. The limit is larger than the limit of a scene, because a text
/// may be too long for a short time while it is edited. A longer text is dropped until the editor
/// sends the whole document again.
const MAX_BYTES: usize = 16 << 20;

/// An open document.
#[derive(Clone, Debug)]
pub(super) struct Document {
    pub(super) uri: Uri,
    /// Version number that the editor assigned.
    pub(super) version: i32,
    /// Text in the editor, or `None` if it has become too long.
    text: Option<Arc<Text>>,
}

impl Document {
    /// Returns the text including a byte-order mark, or an empty text if it has become too long.
    fn whole(&self) -> &str {
        self.text.as_ref().map_or("", |text| text.as_str())
    }

    /// Returns the text without a byte-order mark.
    pub(super) fn text(&self) -> &str {
        self.whole().strip_prefix(BYTE_ORDER_MARK).unwrap_or(self.whole())
    }

    /// Number of bytes before [`Self::text`].
    fn lead(&self) -> usize {
        self.whole().len() - self.text().len()
    }

    /// Whether the text is within the size limit of scenes.
    pub(super) fn is_small(&self) -> bool {
        self.text.is_some() && self.text().len() as u64 <= Limits::default().file_bytes
    }

    /// Converts a position of the editor to a byte offset in [`Self::text`].
    pub(super) fn offset(&self, place: lsp_types::Position) -> usize {
        let at = self.text.as_ref().map_or(0, |text| text.offset(place));
        at.saturating_sub(self.lead())
    }

    /// Converts a byte range of [`Self::text`] to a range of the editor.
    pub(super) fn range(&self, bytes: &std::ops::Range<usize>) -> lsp_types::Range {
        let lead = self.lead();
        let place = |text: &Arc<Text>| text.range(&(bytes.start + lead..bytes.end + lead));
        self.text.as_ref().map(place).unwrap_or_default()
    }

    /// Returns the path of the document's file, if it has one.
    pub(super) fn path(&self) -> Option<PathBuf> {
        path_of_uri(&self.uri)
    }

    /// Returns the path or URI that messages use for the document.
    fn name(&self) -> PathBuf {
        self.path().unwrap_or_else(|| Path::new(self.uri.as_str()).to_owned())
    }

    /// Returns the name that messages use for the text of the document.
    pub(super) fn origin(&self) -> String {
        self.name().display().to_string()
    }

    /// Returns the text as the text of a scene.
    ///
    /// # Errors
    /// Returns an error when the text is empty or longer than the limit.
    pub(super) fn scene_text(&self, limits: &Limits) -> Result<SceneText, SceneError> {
        match &self.text {
            Some(_) => SceneText::of_text(&self.name(), self.text(), limits),
            None => Err(SceneText::too_long(&self.origin(), limits.file_bytes)),
        }
    }
}

/// All open documents, by URI.
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

    /// Applies changes in order and returns the new document, or `None` if it is not open. A text
    /// without other references is changed in place.
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
                    if text.as_str().len() > MAX_BYTES {
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

/// Returns a text with its line index, or `None` if it is too long.
fn kept(text: String) -> Option<Arc<Text>> {
    (text.len() <= MAX_BYTES).then(|| Arc::new(Text::new(text)))
}

/// Returns the path of a `file://` URI, or `None` for any other URI.
fn path_of_uri(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest).strip_prefix('/')?;
    if cfg!(windows)
        && let Some((drive, rest)) = rest.split_once('/')
    {
        let drive = drive.replace("%3A", ":").replace("%3a", ":");
        return drive
            .ends_with(':')
            .then(|| Some(Path::new(&format!("{drive}\\")).join(decoded(rest)?)))?;
    }
    Some(Path::new("/").join(decoded(rest)?))
}

/// Returns the URI of an absolute path.
pub(super) fn uri_of_path(path: &Path) -> Option<Uri> {
    let drive = path.components().find_map(|part| match part {
        Component::Prefix(drive) => drive.as_os_str().to_str(),
        _ => None,
    });
    let drive = drive.map(|drive| format!("{}/", drive.replace(':', "%3A"))).unwrap_or_default();
    path.is_absolute().then(|| format!("file:///{drive}{}", encoded(path)).parse().ok())?
}
