//! Diagnostics of a document: errors, and cautions about its scene.

use super::documents::Document;
use super::messages::{first_word, message, place_of};
use catena_jobs::job::{self, Caution, RunError};
use catena_ron::{Node, TokenKind, Tree, words};
use catena_scene::{
    Limits, Scene, SceneError, SceneText, faults,
    sweep::{Content, SweepOptions, content_of, is_sweep, load_sweep},
};
use catena_study::sweep::measure::{Shape, measures};
use lsp_types::{Diagnostic, DiagnosticSeverity};
use std::ops::Range;

/// Returns every independent error of a document.
pub(super) fn faults(document: &Document, limits: &Limits) -> Vec<Diagnostic> {
    match read(document, limits) {
        Ok(_) => Vec::new(),
        Err(all) => all.iter().map(|fault| of_fault(document, fault)).collect(),
    }
}

/// Returns errors that appear only when a scene is rendered, and cautions about its results. The
/// required simulations have a time limit.
pub(super) fn cautions(document: &Document, limits: &Limits) -> Vec<Diagnostic> {
    let Ok(Some(scene)) = read(document, limits) else { return Vec::new() };
    match job::check(&scene, limits, &[]) {
        Ok(checked) => checked.cautions.iter().map(|it| of_caution(document, it)).collect(),
        Err(RunError::Scene(fault)) => vec![of_fault(document, &fault)],
        Err(other) => {
            let place = document.range(&first_word(document.text()));
            vec![message(place, DiagnosticSeverity::ERROR, other.to_string(), None)]
        }
    }
}

/// Reads the scene of a document. Returns `None` for a sweep, which has many scenes.
fn read(document: &Document, limits: &Limits) -> Result<Option<Scene>, Vec<SceneError>> {
    let text = document.scene_text(limits).map_err(|fault| vec![fault])?;
    match is_sweep(&text) {
        true => sweep(&text, limits).map(|()| None),
        false => faults::check(&text, limits).map(Some),
    }
}

/// Reads a sweep with its measures.
fn sweep(text: &SceneText, limits: &Limits) -> Result<(), Vec<SceneError>> {
    let read = |text: &SceneText, is_whole: bool| {
        let sweep = load_sweep(text, &SweepOptions::default(), limits)?;
        let (base, frames) = sweep.example()?;
        let mut shape = Shape::new(&sweep, &base, frames);
        // Without the axes, the number of nodes may be unknown.
        shape.nodes = shape.nodes.filter(|_| is_whole);
        measures(&sweep.measures, shape).map(drop)
    };
    // An error in one field may cause another: axes without a count need a sample, a sample needs
    // axes, and patterns name axes.
    let follows = |field: &str, covered: &[String]| {
        let is_covered = |content| covered.iter().any(|name| content_of(name) == Some(content));
        match content_of(field) {
            Some(Content::Axes) => is_covered(Content::Sample),
            Some(Content::Sample) => is_covered(Content::Axes),
            Some(Content::Patterns) => is_covered(Content::Axes),
            Some(Content::Scene | Content::Count | Content::Measures) | None => false,
        }
    };
    read(text, true)
        .map_err(|first| faults::one_by_one(text, first, |text| read(text, false), follows).0)
}

fn of_fault(document: &Document, fault: &SceneError) -> Diagnostic {
    let (text, origin) = fault.text();
    // The scene that a sweep names may be in another file.
    if origin != document.origin() && !text.is_empty() {
        let (line, column) = fault.position();
        let what = format!("{origin}:{line}:{column}: {}", fault.message());
        let place = document.range(&scene_name(document.text()));
        return message(place, DiagnosticSeverity::ERROR, what, fault.help());
    }
    let place = place_of(document.text(), fault);
    message(document.range(&place), DiagnosticSeverity::ERROR, fault.message().into(), fault.help())
}

fn of_caution(document: &Document, caution: &Caution) -> Diagnostic {
    let severity = match caution.is_warning {
        true => DiagnosticSeverity::WARNING,
        false => DiagnosticSeverity::INFORMATION,
    };
    let place = label(document.text(), &caution.text);
    let place = place.unwrap_or_else(|| first_word(document.text()));
    message(document.range(&place), severity, caution.text.clone(), None)
}

/// Returns the span of the panel or body label that a caution begins with.
fn label(text: &str, caution: &str) -> Option<Range<usize>> {
    let is_it = |place: &Range<usize>| {
        let label = text[place.clone()].trim_matches('"');
        let rest = caution.strip_prefix('"').and_then(|rest| rest.strip_prefix(label));
        !label.is_empty() && rest.is_some_and(|rest| rest.starts_with("\":"))
    };
    let texts = words(text, 0).filter(|(kind, _)| *kind == TokenKind::Text);
    texts.map(|(_, place)| place).find(is_it)
}

/// Returns the span of the scene's file name in a sweep.
fn scene_name(text: &str) -> Range<usize> {
    let tree = Tree::parse(text);
    tree.root().get("scene").map_or_else(|| first_word(text), Node::span)
}
