//! Names of bones and clips that a rig does not have, and what may be meant by them.

use crate::scene::diagnostic::{Fault, nearest};

/// Names that a message lists, if there are more.
const MOST_NAMES: usize = 20;

/// The fault of a bone that there is not.
pub(super) fn no_bone(name: &str, names: &[String]) -> Fault {
    no("bone", name, names.iter().map(String::as_str))
}

/// The fault of a thing of some kind that there is not, with the name that may be meant, or with
/// those that there are.
pub(super) fn no<'a>(
    kind: &str,
    name: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Fault {
    let fault = Fault::new(format!("there is no {kind} “{name}”"));
    if let Some((_, meant)) = nearest(name, names.clone()) {
        return fault.help(format!("did you mean {meant:?}?"));
    }
    let count = names.clone().count();
    let listed: Vec<String> = names.take(MOST_NAMES).map(|name| format!("{name:?}")).collect();
    let more = match count - listed.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match count {
        0 => fault.help(format!("the rig has no {kind}s: write `{kind}s`")),
        _ => fault.help(format!("there are {}{more}", listed.join(", "))),
    }
}
