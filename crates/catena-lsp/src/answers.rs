//! Answers about one text without a server, for editors without a server process, such as the
//! editor of a page.

use super::completion::{self, CompletionStyle};
use super::messages::{message, place_of};
use super::place::Place;
use super::text::Text;
use catena_scene::{GivenFiles, Limits, SceneText, faults};
use lsp_types::{CompletionItem, Diagnostic, DiagnosticSeverity, Position};
use std::path::Path;

/// Name of the text in messages.
const NAME: &str = "scene.ron";

/// Returns every independent error of a scene. Its files are given as bytes.
pub fn faults_of(text: &str, limits: &Limits, files: &GivenFiles) -> Vec<Diagnostic> {
    let read = || {
        let text = SceneText::of_text(Path::new(NAME), text, limits);
        let text = text.map_err(|fault| vec![fault])?;
        faults::check_with_given(&text, limits, files.clone())
    };
    let Err(found) = read() else { return Vec::new() };
    let lines = Text::new(text.into());
    let one = |fault| {
        let range = lines.range(&place_of(text, fault));
        message(range, DiagnosticSeverity::ERROR, fault.message().into(), fault.help())
    };
    found.iter().map(one).collect()
}

/// Returns the completion items at a position of a scene or sweep. A text above the size limit of
/// scenes has none.
pub fn completions_at(text: &str, position: Position, has_snippets: bool) -> Vec<CompletionItem> {
    if text.len() as u64 > Limits::default().file_bytes {
        return Vec::new();
    }
    let lines = Text::new(text.into());
    let place = Place::at(text, lines.offset(position));
    let range = lines.range(&place.replaced());
    completion::items(&place, &CompletionStyle { has_snippets, range }, None)
}
