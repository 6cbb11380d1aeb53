//! Meaning of columns, from their names, from a list by the user, or from the numbers.

use super::guess::{Hint, guess};
use super::table::{Header, Table};
use crate::recorded::role::{AXES, LIST, Role, RoleOrder};
use crate::shape::data_file::DataError;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Names of columns by their meaning, in lower case without separators. A name counts only if no
/// column has an earlier name for the same meaning.
const NAMES: [(Role, &[&str]); 6] = [
    (
        Role::Frame,
        &[
            "frame",
            "frames",
            "frameno",
            "framenr",
            "framenumber",
            "frameid",
            "frameindex",
            "frameidx",
            "f",
            "bild",
            "bildnr",
            "帧",
            "帧数",
        ],
    ),
    (
        Role::Time(1.0),
        &[
            "time",
            "t",
            "times",
            "simtime",
            "simulationtime",
            "timestamp",
            "seconds",
            "secs",
            "sec",
            "zeit",
            "时间",
        ],
    ),
    (
        Role::Step,
        &["step", "steps", "stepno", "stepnumber", "stepindex", "timestep", "iteration", "iter"],
    ),
    (
        Role::Node,
        &[
            "node",
            "nodeid",
            "nodeno",
            "nodenr",
            "nodenumber",
            "nodeindex",
            "nodeidx",
            "nodes",
            "massid",
            "massno",
            "massindex",
            "massidx",
            "massnumber",
            "particle",
            "particleid",
            "particleindex",
            "particleidx",
            "particlename",
            "nodename",
            "massname",
            "pointname",
            "point",
            "pointid",
            "pointindex",
            "pointidx",
            "vertex",
            "vertexid",
            "vertexindex",
            "knoten",
            "节点",
            "质点",
            "粒子",
            "mass",
            "i",
            "j",
            "id",
            "idx",
            "index",
        ],
    ),
    (Role::Panel, &["panel"]),
    (Role::Body, &["body"]),
];

/// Words before or after an axis in the name of a coordinate.
const OF_PLACES: [&str; 9] =
    ["", "pos", "position", "p", "coord", "coordinate", "r", "loc", "location"];
/// Words before or after an axis that name an object or a frame of reference. They count only if no
/// column has a word of [`OF_PLACES`].
const OF_THINGS: [&str; 30] = [
    "screen", "scr", "window", "win", "pixel", "pixels", "px", "canvas", "image", "img", "view",
    "world", "global", "abs", "node", "mass", "point", "particle", "vertex", "tip", "end", "bob",
    "ball", "center", "centre", "com", "sim", "cur", "current", "屏幕",
];
/// Words before the number of a node in the name of a coordinate.
const OF_NODES: [&str; 11] =
    ["", "n", "node", "nodes", "m", "mass", "p", "point", "particle", "pos", "i"];

/// Splits a name such as `t [ms]` into the name and the unit in brackets.
pub(super) fn without_unit(name: &str) -> (&str, &str) {
    let name = name.trim();
    let split = |open: char, close: char| {
        let inner = name.strip_suffix(close)?;
        let at = inner.rfind(open)?;
        let unit = inner[at + open.len_utf8()..].trim();
        let is_number = unit.chars().all(|c| c.is_ascii_digit());
        (!is_number && at > 0).then(|| (inner[..at].trim(), unit))
    };
    split('[', ']').or_else(|| split('(', ')')).unwrap_or((name, ""))
}

/// Returns the number of seconds in a unit of time. For any other unit, returns 1, because scenes
/// have no fixed units.
pub(super) fn seconds(unit: &str) -> f64 {
    match unit {
        "ms" | "msec" | "milliseconds" => 1e-3,
        "us" | "µs" | "μs" => 1e-6,
        _ => 1.0,
    }
}

/// Returns the role of a column by its name, and the rank of the name among the names of its role.
/// Returns `None` for unknown names.
fn role_of(name: &str) -> Option<(Role, usize)> {
    let (name, unit) = without_unit(name);
    let lower = name.to_lowercase();
    let plain: String = lower.chars().filter(|c| c.is_alphanumeric()).collect();
    let known = |word: &str| {
        NAMES
            .iter()
            .find_map(|(role, names)| Some((*role, names.iter().position(|name| *name == word)?)))
    };
    let factor = |role, unit: &str| match role {
        Role::Time(_) if seconds(unit) != 1.0 => Role::Time(seconds(unit)),
        role => role,
    };
    if let Some((role, rank)) = known(&plain) {
        return Some((factor(role, unit), rank));
    }
    // A unit may follow an underscore: time_s.
    let units = ["ms", "us", "s", "sec", "m", "cm", "mm", "px"];
    if let Some((first, unit)) = lower.rsplit_once('_').filter(|(_, unit)| units.contains(unit)) {
        let first: String = first.chars().filter(|c| c.is_alphanumeric()).collect();
        if let Some((role @ Role::Time(_), rank)) = known(&first) {
            return Some((factor(role, unit), rank));
        }
        if let Some(axis) = axis_of(&first) {
            return Some((Role::Coordinate { axis, node: None }, 0));
        }
        if let Some(axis) = axis_next_to(&first, &OF_THINGS) {
            return Some((Role::Coordinate { axis, node: None }, 1));
        }
    }
    let of_thing = || {
        let axis = axis_next_to(&plain, &OF_THINGS)?;
        Some((Role::Coordinate { axis, node: None }, 1))
    };
    coordinate(&plain).map(|role| (role, 0)).or_else(of_thing)
}

/// Returns the axis that a word names: `x`, `pos_x`, `xpos`.
fn axis_of(word: &str) -> Option<usize> {
    axis_next_to(word, &OF_PLACES)
}

/// Returns the axis of a name that consists of an axis and one of `words`, in either order.
fn axis_next_to(name: &str, words: &[&str]) -> Option<usize> {
    (0..3).find(|&axis| {
        let of = |rest: Option<&str>| rest.is_some_and(|rest| words.contains(&rest));
        of(name.strip_prefix(AXES[axis])) || of(name.strip_suffix(AXES[axis]))
    })
}

/// Returns the coordinate that a name without separators means: `x`, `x0`, `node0x`, `pos0x`.
fn coordinate(plain: &str) -> Option<Role> {
    let Some(start) = plain.find(|c: char| c.is_ascii_digit()) else {
        return axis_of(plain).map(|axis| Role::Coordinate { axis, node: None });
    };
    let (before, rest) = plain.split_at(start);
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (digits, after) = rest.split_at(end);
    let node = Some(digits.parse().ok()?);
    let axis = match after {
        // The axis follows the number, or precedes it.
        "" => axis_of(before).or_else(|| {
            let inner = OF_NODES
                .iter()
                .find_map(|word| before.strip_suffix(word).filter(|_| !word.is_empty()));
            inner.and_then(axis_of)
        })?,
        _ if OF_NODES.contains(&before) => axis_of(after)?,
        _ => return None,
    };
    Some(Role::Coordinate { axis, node })
}

/// Whether words are column names, which is the case if one of several words is a coordinate.
pub(super) fn are_names(words: &[String]) -> bool {
    let is_coordinate = |word: &String| matches!(role_of(word), Some((Role::Coordinate { .. }, _)));
    words.len() > 1 && words.iter().any(is_coordinate)
}

/// Source of the meaning of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Names,
    Given,
    Numbers,
}

/// Returns the role of each column, and the source of the roles.
///
/// # Errors
/// Returns an error when roles are ambiguous, or coordinates are missing.
pub(super) fn roles(
    table: &Table<'_>,
    given: Option<&str>,
    hint: Hint,
) -> Result<(Vec<Role>, Source), DataError> {
    found_roles(table, given, hint).map_err(|wrong| match advice(table, hint) {
        Some(advice) => wrong.in_place_of(LIST, &advice),
        None => wrong,
    })
}

fn found_roles(
    table: &Table<'_>,
    given: Option<&str>,
    hint: Hint,
) -> Result<(Vec<Role>, Source), DataError> {
    let (roles, source) = match (given, &table.header) {
        (Some(given), header) => (of_list(given, table.width, header.as_ref())?, Source::Given),
        (None, Some(header)) => (of_names(header)?, Source::Names),
        (None, None) => (guess(table, hint)?, Source::Numbers),
    };
    check(&roles, table)?;
    Ok((roles, source))
}

/// Returns advice about columns of unknown meaning: a list of columns that fits their number and
/// their labels.
fn advice(table: &Table<'_>, hint: Hint) -> Option<String> {
    let (mut cells, width) = (Vec::new(), table.width);
    table.cells(table.rows().next()?, &mut cells).ok()?;
    let cells = &cells[..width.min(cells.len())];
    if cells.iter().any(|cell| cell.contains(['(', '['])) {
        return Some("write each number in a column of its own, without brackets".into());
    }
    let list = labelled(cells).or_else(|| listed_by_count(width, hint));
    let list = list.filter(|list| agrees_with_names(list, table.header.as_ref()));
    if list.is_none() && hint.axes == Some(width) {
        let what = "write frame,node,x,y in each row, or add an empty line after each frame";
        return Some(what.into());
    }
    Some(format!("list the columns: columns: \"{}\"", list?))
}

/// Whether a list gives frames, times and nodes the same meaning as the names of the columns.
fn agrees_with_names(list: &str, header: Option<&Header>) -> bool {
    let names = header.iter().flat_map(|header| &header.names);
    list.split(',').zip(names).all(|(word, name)| match role_of(name) {
        None | Some((Role::Coordinate { .. }, _)) => true,
        Some((role, _)) => role.word() == word,
    })
}

/// Returns the list of columns of a row with labels, such as `frame: 3 node: 1 x: 0.5 y: 2`.
fn labelled(cells: &[&str]) -> Option<String> {
    let mut list = Vec::new();
    for pair in cells.chunks(2) {
        let [label, number] = pair else { return None };
        let (role, _) = role_of(label.trim_end_matches([':', '=']))?;
        number.parse::<f64>().ok()?;
        list.extend(["-".to_owned(), role.word()]);
    }
    let has_place = list.iter().any(|word| word == "x");
    has_place.then(|| list.join(","))
}

/// Returns the list of columns that fits their number and the nodes of the body.
fn listed_by_count(width: usize, hint: Hint) -> Option<String> {
    let (nodes, axes) = (hint.nodes?, hint.axes?);
    let [one, wide] = match axes {
        2 => ["x,y", "x0,y0,..."],
        _ => ["x,y,z", "x0,y0,z0,..."],
    };
    match width {
        _ if nodes > 1 && width == nodes * axes => Some(wide.into()),
        _ if nodes > 1 && width == nodes * axes + 1 => Some(format!("frame,{wide}")),
        _ if width == axes + 1 => Some(format!("frame,{one}")),
        _ if width == axes + 2 => Some(format!("frame,node,{one}")),
        _ => None,
    }
}

/// Maximum number of names that a message lists.
const MAX_NAMES: usize = 24;

/// Returns the roles of named columns.
pub(super) fn of_names(header: &Header) -> Result<Vec<Role>, DataError> {
    let found: Vec<_> = header.names.iter().map(|name| role_of(name)).collect();
    // The minimum rank of each role, and the number of columns that have this rank.
    let mut best: BTreeMap<RoleOrder, (usize, u64)> = BTreeMap::new();
    for (role, rank) in found.iter().flatten() {
        let (minimum, count) = best.entry(role.order()).or_insert((*rank, 0));
        match (*rank).cmp(minimum) {
            Ordering::Less => (*minimum, *count) = (*rank, 1),
            Ordering::Equal => *count += 1,
            Ordering::Greater => {}
        }
    }
    let mut roles = vec![Role::Ignored; found.len()];
    for (index, role) in found.iter().enumerate() {
        let Some((role, rank)) = *role else { continue };
        let (minimum, count) = best[&role.order()];
        if minimum < rank {
            continue;
        }
        if count > 1 {
            let what = format!("two columns have the role {}", role.word());
            return Err(DataError::new(header.line, what).help(LIST));
        }
        roles[index] = role;
    }
    Ok(roles)
}

/// Returns the roles that a list gives by position, or by `role=name`.
pub(super) fn of_list(
    given: &str,
    width: usize,
    header: Option<&Header>,
) -> Result<Vec<Role>, DataError> {
    let words: Vec<&str> = given.split(',').map(str::trim).collect();
    let wrong = |what: String| DataError::at(", columns".into(), what);
    let role = |word: &str| match word {
        "-" | "_" | "" => Ok(Role::Ignored),
        _ => role_of(word).map(|(role, _)| role).ok_or_else(|| {
            let what = format!("`{word}` is not a column role");
            wrong(what).help(
                "allowed: frame, t, step, node, panel, body, x, y, z, x0, y0, …, and - for a \
                 column to skip",
            )
        }),
    };
    if words.iter().any(|word| word.contains('=')) {
        return by_name(&words, header, role, wrong);
    }
    let (words, repeats) = match words.split_last() {
        Some((&("..." | "…"), words)) => (words, true),
        _ => (&words[..], false),
    };
    let mut roles = words.iter().map(|word| role(word)).collect::<Result<Vec<_>, _>>()?;
    if roles.len() > width {
        let what = format!("{} columns are listed, but the file has {width}", roles.len());
        return Err(wrong(what));
    }
    if repeats {
        append_nodes(&mut roles, width).ok_or_else(|| {
            wrong("`...` must follow the coordinates of one node".into())
                .help("write a list such as \"t,x0,y0,...\"")
        })?;
    }
    roles.resize(width, Role::Ignored);
    Ok(roles)
}

/// Returns the list of columns by position for these roles. Coordinates of further nodes become
/// `...` if they follow the coordinates of the first node in order.
pub(super) fn by_position(roles: &[Role]) -> String {
    let used = roles.iter().rposition(|role| *role != Role::Ignored).map_or(0, |last| last + 1);
    let word = |role: &Role| match role {
        Role::Time(1e-3) => "t [ms]".into(),
        Role::Time(1e-6) => "t [us]".into(),
        role => role.word(),
    };
    let words = |roles: &[Role]| roles.iter().map(word).collect::<Vec<_>>().join(",");
    let is_first = |role: &Role| matches!(role, Role::Coordinate { node: Some(_), .. });
    let begin = roles.iter().position(is_first);
    let short = begin.and_then(|begin| {
        let Role::Coordinate { node: first, .. } = roles[begin] else { return None };
        let is_of_first =
            |role: &&Role| matches!(role, Role::Coordinate { node, .. } if *node == first);
        let end = begin + roles[begin..].iter().take_while(is_of_first).count();
        let list = format!("{},...", words(&roles[..end]));
        let found = of_list(&list, roles.len(), None).ok()?;
        let is_same = |(a, b): (&Role, &Role)| a.order() == b.order();
        (end < used && found.iter().zip(roles).all(is_same)).then_some(list)
    });
    short.unwrap_or_else(|| words(&roles[..used]))
}

/// Appends coordinates of further nodes up to `width` columns, in the axis order of the last node.
fn append_nodes(roles: &mut Vec<Role>, width: usize) -> Option<()> {
    let node_of = |role: &Role| match role {
        Role::Coordinate { node: Some(node), .. } => Some(*node),
        _ => None,
    };
    let last = roles.last().and_then(node_of)?;
    let one: Vec<Role> = roles.iter().copied().filter(|role| node_of(role) == Some(last)).collect();
    for node in last.checked_add(1)?.. {
        if roles.len() + one.len() > width {
            break;
        }
        roles.extend(one.iter().map(|role| match *role {
            Role::Coordinate { axis, .. } => Role::Coordinate { axis, node: Some(node) },
            other => other,
        }));
    }
    Some(())
}

/// Returns the roles of a list such as `frame=Bild,x=px`.
fn by_name(
    words: &[&str],
    header: Option<&Header>,
    role: impl Fn(&str) -> Result<Role, DataError>,
    wrong: impl Fn(String) -> DataError,
) -> Result<Vec<Role>, DataError> {
    let Some(header) = header else {
        let wrong = wrong("the file has no column names".into());
        return Err(wrong.help("list the columns by position, such as \"frame,node,x,y\""));
    };
    let mut roles = vec![Role::Ignored; header.names.len()];
    for word in words {
        let (meaning, name) = word.split_once('=').unwrap_or((word, word));
        let (meaning, name) = (meaning.trim(), name.trim());
        let place = header.names.iter().position(|known| known == name);
        let Some(place) = place else {
            let names = header.names.iter().take(MAX_NAMES).cloned().collect::<Vec<_>>().join(", ");
            let what = format!("no column is called `{name}`");
            return Err(wrong(what).detail(&format!("the file has {names}")));
        };
        roles[place] = role(meaning)?;
    }
    Ok(roles)
}

/// Checks that the roles determine the positions of nodes without ambiguity.
fn check(roles: &[Role], table: &Table<'_>) -> Result<(), DataError> {
    let wrong = |what: String| match &table.header {
        Some(header) => {
            let name = |name: &String| if name.is_empty() { "(no name)" } else { name }.to_owned();
            let names: Vec<String> = header.names.iter().take(MAX_NAMES).map(name).collect();
            DataError::new(header.line, what).detail(&names.join(", "))
        }
        None => DataError::at(", columns".into(), what),
    };
    let mut seen: Vec<Role> = roles.iter().copied().filter(|role| *role != Role::Ignored).collect();
    seen.sort_by_key(|role| role.order());
    if let Some(pair) = seen.windows(2).find(|pair| pair[0].order() == pair[1].order()) {
        return Err(wrong(format!("two columns have the role {}", pair[0].word())).help(LIST));
    }
    let mut nodes: Vec<Option<u32>> = seen
        .iter()
        .filter_map(|role| match role {
            Role::Coordinate { node, .. } => Some(*node),
            _ => None,
        })
        .collect();
    nodes.dedup();
    let is_wide = nodes.iter().any(Option::is_some);
    if nodes.is_empty() {
        return Err(wrong("no column is called x or y".into()).help(LIST));
    }
    if is_wide && (nodes.contains(&None) || seen.contains(&Role::Node)) {
        let what = "some coordinate columns contain a node number, such as x0, but others belong \
                    to the node of the row";
        return Err(wrong(what.into()).help(LIST));
    }
    let has = |axis, node| {
        let order = Role::Coordinate { axis, node }.order();
        seen.binary_search_by_key(&order, |role| role.order()).is_ok()
    };
    let has_depth = seen.iter().any(|role| matches!(role, Role::Coordinate { axis: 2, .. }));
    for node in &nodes {
        for axis in 0..if has_depth { 3 } else { 2 } {
            if !has(axis, *node) {
                let name = Role::Coordinate { axis, node: *node }.word();
                return Err(wrong(format!("no column has the role {name}")).help(LIST));
            }
        }
    }
    Ok(())
}
