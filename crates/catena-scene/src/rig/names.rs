//! Names of bones and clips in messages: unknown names, and what may be meant by them.
//!
//! A figure outside of the scene's folder keeps its names to itself: messages show numbers instead.

use crate::diagnostic::{Fault, nearest};

/// Names that a message lists, if there are more.
const MOST_NAMES: usize = 20;

/// Advice on a name that is unknown to a figure whose names are hidden.
const HIDDEN: &str =
    "the figure's file is outside of the scene's folder, so its names are not shown";

/// Names that a message may have to choose from.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) names: &'a [String],
    /// Whether the names come from a file outside of the scene's folder.
    pub(super) is_outside: bool,
}

/// The fault of a bone that there is not.
pub(super) fn no_bone(name: &str, known: Known<'_>) -> Fault {
    no("bone", name, known)
}

/// The fault of a thing of some kind that there is not, with the name that may be meant, or with
/// those that there are.
pub(super) fn no(kind: &str, name: &str, Known { names, is_outside }: Known<'_>) -> Fault {
    let fault = Fault::new(format!("there is no {kind} “{name}”"));
    if is_outside {
        return fault.help(HIDDEN);
    }
    if let Some((_, meant)) = nearest(name, names.iter().map(String::as_str)) {
        return fault.help(format!("did you mean {meant:?}?"));
    }
    let listed: Vec<String> =
        names.iter().take(MOST_NAMES).map(|name| format!("{name:?}")).collect();
    let more = match names.len() - listed.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match names.len() {
        0 => fault.help(format!("the rig has no {kind}s: write `{kind}s`")),
        _ => fault.help(format!("there are {}{more}", listed.join(", "))),
    }
}

/// A bone in a message: by its name, or by its number where names are hidden.
pub(super) fn shown_bone(index: usize, name: &str, is_outside: bool) -> String {
    if is_outside { format!("bone {index}") } else { format!("bone “{name}”") }
}
