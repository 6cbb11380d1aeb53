//! Names of bones and clips in messages, with suggestions for unknown names.
//!
//! Names of a figure outside the scene's folder are hidden: messages show indices instead.

use crate::diagnostic::{Fault, nearest};

/// Maximum number of names that a message lists.
const MAX_NAMES: usize = 20;

/// Advice on an unknown name in a figure whose names are hidden.
const HIDDEN: &str = "the figure's file is outside the scene's folder, so its names are not shown";

/// Known names for suggestions in messages.
#[derive(Clone, Copy)]
pub(super) struct KnownNames<'a> {
    pub(super) names: &'a [String],
    /// Whether the names come from a file outside the scene's folder.
    pub(super) is_outside: bool,
}

/// Returns the fault of an unknown bone.
pub(super) fn unknown_bone(name: &str, known: KnownNames<'_>) -> Fault {
    unknown_name("bone", name, known)
}

/// Returns the fault of an unknown name, with a similar name or the list of known names as advice.
pub(super) fn unknown_name(
    kind: &str,
    name: &str,
    KnownNames { names, is_outside }: KnownNames<'_>,
) -> Fault {
    let fault = Fault::new(format!("there is no {kind} “{name}”"));
    if is_outside {
        return fault.help(HIDDEN);
    }
    if let Some((_, meant)) = nearest(name, names.iter().map(String::as_str)) {
        return fault.help(format!("did you mean {meant:?}?"));
    }
    let listed: Vec<String> =
        names.iter().take(MAX_NAMES).map(|name| format!("{name:?}")).collect();
    let more = match names.len() - listed.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match names.len() {
        0 => fault.help(format!("the rig has no {kind}s: write `{kind}s`")),
        _ => fault.help(format!("there are {}{more}", listed.join(", "))),
    }
}

/// Describes a bone in a message by its name, or by its index if names are hidden.
pub(super) fn shown_bone(index: usize, name: &str, is_outside: bool) -> String {
    if is_outside { format!("bone {index}") } else { format!("bone “{name}”") }
}
