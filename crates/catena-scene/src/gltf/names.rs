//! Unique names for items whose names are missing or repeated in a file.

use super::messages::{NoteKind, NoteList};
use std::collections::{BTreeMap, BTreeSet};

/// Gives each item a unique name, in the order of `ranks` and then of the list. The first item with
/// a name keeps it, and later ones get `_1`, `_2` and so on. Unnamed items are called by `what` and
/// their index. A generated name never equals a name in the file.
pub(super) fn unique(wanted: &[Option<&str>], what: &str, ranks: &[u8]) -> Vec<String> {
    let wanted: Vec<Option<&str>> =
        wanted.iter().map(|name| name.filter(|name| !name.is_empty())).collect();
    let asked: BTreeSet<&str> = wanted.iter().copied().flatten().collect();
    let rank = |index: usize| ranks.get(index).copied().unwrap_or_default();
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by_key(|&index| (wanted[index].is_none(), rank(index), index));

    let mut names = vec![String::new(); wanted.len()];
    let mut made: BTreeSet<String> = BTreeSet::new();
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for index in order {
        let base = wanted[index].map_or_else(|| format!("{what} {index}"), str::to_owned);
        let is_first = wanted[index].is_some() && !made.contains(&base);
        let count = uses.entry(base.clone()).or_insert(0);
        let mut name = base.clone();
        while !is_first && (asked.contains(name.as_str()) || made.contains(&name)) {
            *count += 1;
            name = format!("{base}_{count}");
        }
        made.insert(name.clone());
        names[index] = name;
    }
    names
}

/// Adds notes about the items of a list whose names differ from the names in the file.
pub(super) fn note_renamed(
    about: NoteKind,
    list: &str,
    wanted: &[Option<&str>],
    names: &[String],
    notes: &mut NoteList,
) {
    for (index, (wanted, name)) in wanted.iter().zip(names).enumerate() {
        let wanted = wanted.filter(|wanted| !wanted.is_empty() && *wanted != name.as_str());
        if let Some(wanted) = wanted {
            notes.add(about, || {
                format!("{list}[{index}] is called “{name}”, since another is called “{wanted}”")
            });
        }
    }
}
