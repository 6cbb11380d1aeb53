//! Edit that formats a document.

use super::documents::Document;
use catena_scene::{Limits, format::format};
use lsp_types::TextEdit;

/// Returns the edits that format a document: none or one. Returns `None` if the text cannot be
/// parsed.
pub(super) fn edits(document: &Document) -> Option<Vec<TextEdit>> {
    let limits = Limits::default();
    let scene = document.scene_text(&limits).ok()?;
    let new = format(&scene, &limits).ok()?;
    let old = document.text();
    if new == old {
        return Some(Vec::new());
    }
    // Equal lines at both ends are left out of the edit, so that cursors there do not move.
    let same = |a: &str, b: &str| a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let start = old.floor_char_boundary(same(old, &new));
    let start = old[..start].rfind('\n').map_or(0, |at| at + 1);
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let both = old_rest.bytes().rev().zip(new_rest.bytes().rev());
    let end = both.take_while(|(a, b)| a == b).count();
    // The edit covers whole lines, so that it splits neither characters nor line ends.
    let rough = (old_rest.len() - end).saturating_sub(1);
    let behind = old_rest.bytes().skip(rough).position(|byte| byte == b'\n');
    let old_end = behind.map_or(old_rest.len(), |at| rough + at + 1);
    let new_end = new_rest.len().saturating_sub(old_rest.len() - old_end);
    let new_text = new_rest.get(..new_end)?.to_owned();
    Some(vec![TextEdit { range: document.range(&(start..start + old_end)), new_text }])
}
