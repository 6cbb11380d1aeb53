//! Points at the ends of lines, and bodies to which points are attached.

use super::columns::{BODIES, POINTS};
use super::rows::{DeckText, SectionKind};
use crate::deck::row::{Row, Word};
use crate::deck::rows::in_words;
use crate::diagnostic::Fault;
use std::ops::Range;

/// Support of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    /// Fixed to the ground.
    Fixed,
    /// Attached to a vessel, which may move.
    Coupled,
    /// Held only by lines.
    Free,
}

/// Point of a deck. Positions are in the axes of the deck, with z upwards.
#[derive(Clone, Debug)]
pub(super) struct DeckPoint {
    /// Number of the point in the deck.
    pub number: usize,
    pub holder: Holder,
    pub place: [f64; 3],
    pub mass: f64,
    pub volume: f64,
    /// Drag coefficient times area.
    pub drag: f64,
    /// Added mass as a fraction of the displaced water's mass.
    pub added: f64,
    /// Constant force.
    pub force: [f64; 3],
    /// Byte range of the row in the deck.
    pub span: Range<usize>,
}

const FIXED: [&str; 3] = ["fixed", "fix", "anchor"];
const COUPLED: [&str; 5] = ["coupled", "cpld", "vessel", "ves", "fairlead"];
const FREE: [&str; 4] = ["free", "connect", "con", "point"];

/// Returns the support that a word of the deck names; `None` for other words.
fn holder(word: &str) -> Option<Holder> {
    let lower = word.to_lowercase();
    let is_in = |words: &[&str]| words.contains(&lower.as_str());
    match () {
        () if is_in(&FIXED) => Some(Holder::Fixed),
        () if is_in(&COUPLED) => Some(Holder::Coupled),
        () if is_in(&FREE) => Some(Holder::Free),
        () => None,
    }
}

/// Parses three words as a position.
fn place(words: &[Word<'_>]) -> Result<[f64; 3], Fault> {
    let [x, y, z] = words else { return Ok([0.0; 3]) };
    Ok([x.number("x")?, y.number("y")?, z.number("z")?])
}

/// Body that does not turn, so that it only gives its points a position and a support.
struct Carrier {
    holder: Holder,
    place: [f64; 3],
}

fn carriers(text: &DeckText<'_>) -> Result<Vec<Carrier>, Fault> {
    let Some((_, rows)) = text.table(SectionKind::Bodies, BODIES)? else { return Ok(Vec::new()) };
    rows.into_iter().map(carrier).collect()
}

fn carrier(row: &Row<'_>) -> Result<Carrier, Fault> {
    let held = &row.words[1];
    let Some(holder @ (Holder::Fixed | Holder::Coupled)) = holder(held.text) else {
        let message = format!("a body that is `{}` has six degrees of freedom", held.text);
        let help = "only bodies that are Fixed or Coupled and do not rotate can be imported; \
                    docs/bodies.md describes rigid bodies in catena";
        return Err(held.fault(message, help));
    };
    for word in &row.words[5..8] {
        if word.number("an angle of the body")? != 0.0 {
            let help = "set the angles to 0, and write the rotated positions of its points";
            return Err(word.fault("a rotated body cannot be imported", help));
        }
    }
    Ok(Carrier { holder, place: place(&row.words[2..5])? })
}

/// Reads all points.
pub(super) fn read(text: &DeckText<'_>, notes: &mut Vec<String>) -> Result<Vec<DeckPoint>, Fault> {
    let carriers = carriers(text)?;
    let mut points: Vec<DeckPoint> = Vec::new();
    let Some((layout, rows)) = text.table(SectionKind::Points, POINTS)? else { return Ok(points) };
    for row in rows {
        points.push(point(row, layout.version, &carriers, points.len() + 1)?);
    }
    let is_idle = |point: &&DeckPoint| {
        let physics = [point.mass, point.volume, point.drag, point.added];
        point.holder != Holder::Free && physics.iter().any(|value| *value != 0.0)
    };
    let idle: Vec<usize> = points.iter().filter(is_idle).map(|point| point.number).collect();
    if !idle.is_empty() {
        notes.push(format!(
            "mass, volume and drag of fixed and coupled points have no effect, so these values of \
             points {} are ignored",
            in_words(&idle)
        ));
    }
    Ok(points)
}

/// Rejects a row whose number is not `next`, because MoorDyn ignores the numbers and counts rows.
pub(super) fn check_number(word: &Word<'_>, what: &str, next: usize) -> Result<(), Fault> {
    let number = word.count(&format!("the number of a {what}"))?;
    if number == next {
        return Ok(());
    }
    let message = format!("expected {what} {next}, found {what} {number}");
    Err(word.fault(message, format!("number the {what}s in order, starting from 1")))
}

fn point(
    row: &Row<'_>,
    version: u8,
    carriers: &[Carrier],
    next: usize,
) -> Result<DeckPoint, Fault> {
    let words = &row.words;
    check_number(&words[0], "point", next)?;
    let own = place(&words[2..5])?;
    let (holder, place) = match carrier_of(&words[1], carriers)? {
        Some(body) => (body.holder, [0, 1, 2].map(|axis| body.place[axis] + own[axis])),
        None => (held(&words[1])?, own),
    };
    let (force, rest) = match version {
        1 => (self::place(&words[7..10])?, &words[10..12]),
        _ => ([0.0; 3], &words[7..9]),
    };
    Ok(DeckPoint {
        number: next,
        holder,
        place,
        mass: words[5].at_least_0("the mass")?,
        volume: words[6].at_least_0("the volume")?,
        drag: rest[0].at_least_0("CdA")?,
        added: rest[1].at_least_0("the added mass Ca")?,
        force,
        span: row.span(),
    })
}

/// Returns the body of an attachment such as `Body2`; `None` for other words.
fn carrier_of<'c>(word: &Word<'_>, carriers: &'c [Carrier]) -> Result<Option<&'c Carrier>, Fault> {
    let lower = word.text.to_lowercase();
    let Some(number) = lower.strip_prefix("body") else { return Ok(None) };
    let index = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    match index.and_then(|index| carriers.get(index)) {
        Some(carrier) => Ok(Some(carrier)),
        None => {
            let help = match carriers.len() {
                0 => "the deck has no BODIES".into(),
                count => format!("the deck has the bodies 1 to {count}"),
            };
            Err(word.fault(format!("there is no body `{}`", word.text), help))
        }
    }
}

fn held(word: &Word<'_>) -> Result<Holder, Fault> {
    holder(word.text).ok_or_else(|| {
        let is_turbine = word.text.to_lowercase().starts_with("turbine");
        let help = match is_turbine {
            true => "write Coupled, and the position in the coordinates of the whole wind farm; \
                     --motion moves the point",
            false => "allowed here: Fixed, Anchor, Coupled, Vessel, Fairlead, Free, Connect, and Body1, Body2, …",
        };
        word.fault(format!("there is no attachment `{}`", word.text), help)
    })
}
