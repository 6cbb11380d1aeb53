//! Detects lines that are hidden under others.

use super::frame::PlotFrame;
use super::path::Point;
use super::plot::Mark;
use catena_base::text::list::listed;

/// Maximum distance of indistinguishable lines, in pixels.
const NEAR: f64 = 0.8;

/// Maximum number of points of a line that are checked.
const LOOKS: usize = 60;

/// Note about lines that are completely hidden under others.
pub(super) fn note(panel: &PlotFrame<'_>) -> Option<String> {
    let lines: Vec<(&str, Vec<Option<Point>>)> = panel
        .plot
        .marks
        .iter()
        .filter_map(|mark| match mark {
            Mark::Line { points, label: Some(label), .. } => Some((&**label, panel.line(points))),
            _ => None,
        })
        .collect();
    // Each covering line, with the lines under it.
    let mut said: Vec<(&str, Vec<String>)> = Vec::new();
    for (index, (name, line)) in lines.iter().enumerate() {
        let over = lines[index + 1..].iter().rev().find(|(_, other)| covers(panel, other, line));
        let Some((over, _)) = over else { continue };
        match said.iter_mut().find(|(known, _)| known == over) {
            Some((_, under)) => under.push(without_number(name)),
            None => said.push((over, vec![without_number(name)])),
        }
    }
    let said = said.iter().map(|(over, under)| {
        let lie = if under.len() == 1 { "lies" } else { "lie" };
        format!("{} {lie} under {}", listed(under), without_number(over))
    });
    let said: Vec<String> = said.collect();
    (!said.is_empty()).then(|| format!("Hidden: {}.", said.join("; ")))
}

/// Name without the number that a chart appends after a colon.
fn without_number(name: &str) -> String {
    name.split(": ").next().unwrap_or(name).into()
}

/// Whether a line covers the whole visible part of another one.
fn covers(panel: &PlotFrame<'_>, over: &[Option<Point>], under: &[Option<Point>]) -> bool {
    let shown: Vec<Point> =
        under.iter().copied().flatten().filter(|point| panel.holds(*point)).collect();
    let every = shown.len().div_ceil(LOOKS).max(1);
    let is_near = |point: &Point| {
        over.windows(2).any(|pair| match pair {
            [Some(a), Some(b)] => distance_squared(*point, *a, *b) <= NEAR * NEAR,
            _ => false,
        })
    };
    shown.len() > 1 && shown.iter().step_by(every).chain(shown.last()).all(is_near)
}

/// Squared distance of a point from a segment.
fn distance_squared(p: Point, a: Point, b: Point) -> f64 {
    let (along, to) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
    let square = along[0] * along[0] + along[1] * along[1];
    let share = if square > 0.0 {
        ((along[0] * to[0] + along[1] * to[1]) / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let [x, y] = [to[0] - share * along[0], to[1] - share * along[1]];
    x * x + y * y
}
