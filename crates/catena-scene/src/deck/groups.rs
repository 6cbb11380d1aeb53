//! Groups of lines joined at free points. Each group is a body of the scene.

use super::line_types::{LineType, Stretching};
use super::lines::DeckLine;
use super::points::{DeckPoint, Holder};
use crate::diagnostic::Fault;

/// Indices of lines joined at free points, in the order of the deck.
pub(super) type Group = Vec<usize>;

/// Divides lines into groups, in the order of their first lines.
///
/// # Errors
/// Returns a fault when a free point has no line, no line of a group ends at a fixed or coupled
/// point, or joined lines have different spring laws.
pub(super) fn of(
    points: &[DeckPoint],
    lines: &[DeckLine],
    types: &[LineType],
) -> Result<Vec<Group>, Fault> {
    let groups = divided(points, lines)?;
    groups.iter().try_for_each(|group| check_laws(group, lines, types))?;
    Ok(groups)
}

/// Rejects joined lines with different spring laws, because a body has one law.
fn check_laws(group: &Group, lines: &[DeckLine], types: &[LineType]) -> Result<(), Fault> {
    let kind = |line: &DeckLine| &types[line.kind].stretching;
    let Some((first, others)) = group.split_first() else { return Ok(()) };
    let first = &lines[*first];
    let is_linear = |stretching: &Stretching| matches!(stretching, Stretching::Linear(_));
    let other = others.iter().map(|line| &lines[*line]).find(|line| {
        // Linear laws differ only in stiffness, which each line sets itself.
        kind(line) != kind(first) && !(is_linear(kind(line)) && is_linear(kind(first)))
    });
    let Some(other) = other else { return Ok(()) };
    let message = format!(
        "free points join {} and {}, which have different spring laws",
        other.name(),
        first.name()
    );
    let help = "joined lines are one body with one spring law: write EA of both as numbers, or fix \
                the point between them";
    Err(Fault::with_help(other.span.clone(), message, help))
}

fn divided(points: &[DeckPoint], lines: &[DeckLine]) -> Result<Vec<Group>, Fault> {
    // `group` maps each line to the index of the first line of its group.
    let mut group: Vec<usize> = (0..lines.len()).collect();
    for (index, point) in points.iter().enumerate() {
        let ending = |line: &usize| lines[*line].ends.contains(&index);
        let joined: Vec<usize> = (0..lines.len()).filter(ending).collect();
        if point.holder != Holder::Free {
            continue;
        }
        let Some(first) = joined.iter().map(|line| group[*line]).min() else {
            let message = format!("no line is attached to the free point {}", point.number);
            let help = "attach a line to it, make it Fixed, or remove it";
            return Err(Fault::with_help(point.span.clone(), message, help));
        };
        let merged: Vec<usize> = joined.iter().map(|line| group[*line]).collect();
        group.iter_mut().filter(|own| merged.contains(own)).for_each(|own| *own = first);
    }
    let mut all: Vec<Group> = Vec::new();
    for first in 0..lines.len() {
        let members: Group = (0..lines.len()).filter(|line| group[*line] == first).collect();
        if members.is_empty() {
            continue;
        }
        let mut ends = members.iter().flat_map(|line| lines[*line].ends);
        if ends.all(|end| points[end].holder == Holder::Free) {
            let message = format!("line {} is not held at any point", lines[first].number);
            let help =
                "set an end point of this line, or of a line joined to it, to Fixed or Coupled";
            return Err(Fault::with_help(lines[first].span.clone(), message, help));
        }
        all.push(members);
    }
    Ok(all)
}
