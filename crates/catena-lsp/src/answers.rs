//! Answers about one text without a server, for editors that have no process to talk to, such as
//! that of a page.

use super::completion::{self, CompletionStyle};
use super::diagnostics;
use super::documents::{Document, Documents};
use super::place::Place;
use catena_scene::{GivenFiles, Limits};
use lsp_types::{CompletionItem, Diagnostic, Position, TextDocumentItem, Uri};

/// Name of the text in messages.
const NAME: &str = "file:///scene.ron";

/// Returns every independent error of a scene or sweep. Its files are given as bytes.
pub fn faults_of(text: &str, limits: &Limits, files: &GivenFiles) -> Vec<Diagnostic> {
    document(text).map_or(Vec::new(), |document| diagnostics::faults_given(&document, limits, files))
}

/// Returns the completion items at a position of a scene or sweep.
pub fn completions_at(text: &str, position: Position, has_snippets: bool) -> Vec<CompletionItem> {
    let Some(document) = document(text).filter(Document::is_small) else { return Vec::new() };
    let place = Place::at(document.text(), document.offset(position));
    let range = document.range(&place.replaced());
    completion::items(&place, &CompletionStyle { has_snippets, range }, None)
}

fn document(text: &str) -> Option<Document> {
    let uri: Uri = NAME.parse().ok()?;
    let item = TextDocumentItem { uri, language_id: "ron".into(), version: 0, text: text.into() };
    Some(Documents::default().open(item))
}
