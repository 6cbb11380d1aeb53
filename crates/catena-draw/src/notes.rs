//! Notes about different physics in pictures: notes of each panel, and a legend of the notes that a
//! whole sweep shares.

use super::reference;
use crate::font::Font;
use catena_base::text::number::counted;
use catena_scene::{
    Arrangement, Panel, Scene,
    comparability::{self, Difference},
};

/// Maximum number of note lines in a panel.
pub(super) const MAX_LINES: usize = 4;

/// Maximum number of notes that are considered per line.
const NOTES_A_LINE: usize = 8;

/// Maximum number of lines per note.
const LINES_A_NOTE: usize = 2;

/// Separator between two notes of a line.
const BETWEEN: &str = " · ";

/// Notes of a scene.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Notes shared by all panels except the reference.
    pub common: Vec<String>,
    /// Notes of individual panels, the most important first.
    pub panels: Vec<Vec<String>>,
}

/// The panels that a sweep distinguishes from its first ones.
#[derive(Clone, Copy)]
enum Sweep {
    Panels,
    Rows,
    Columns,
}

/// Quantities with notes in pictures: a method may set them itself, or they change the speed of the
/// whole motion. The report lists all other quantities.
const IN_PICTURES: [&str; 9] = [
    "c/m",
    "dt",
    "law",
    "rest length",
    "gravity",
    "k",
    "mass of a node",
    "spring damping",
    "bending k",
];

/// Quantities with notes in pictures that compare a rope with a cloth or a net.
const OF_ALL_KINDS: [&str; 3] = ["c/m", "dt", "gravity"];

/// Differences that a picture should explain, because neither labels nor a grid show them.
fn shown(scene: &Scene) -> Vec<Difference> {
    let kinds = scene.panels.iter().flat_map(|panel| &panel.bodies);
    let kinds = kinds.map(|body| std::mem::discriminant(&body.setup.model.arrangement));
    let kinds: Vec<_> = kinds.collect();
    let listed = match kinds.windows(2).all(|pair| pair[0] == pair[1]) {
        true => &IN_PICTURES[..],
        false => &OF_ALL_KINDS,
    };
    let mut all = comparability::unexplained(scene);
    all.retain(|difference| listed.contains(&difference.quantity.name));
    all
}

impl Notes {
    /// Notes of a scene.
    pub fn of(scene: &Scene) -> Self {
        let all = shown(scene);
        let mut notes = Self { common: Vec::new(), panels: vec![Vec::new(); scene.panels.len()] };
        notes.add_references(scene);
        for group in all.chunk_by(|a, b| a.quantity == b.quantity) {
            if let Some(sweep) = sweep(scene, group) {
                notes.common.push(common_note(sweep, scene, group));
                continue;
            }
            for difference in group {
                let (lines, line) = (&mut notes.panels[difference.panel], difference.line());
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
        notes
    }
}

impl Notes {
    /// Explains the dashed lines: for all panels at once if they have the same references.
    fn add_references(&mut self, scene: &Scene) {
        let line = |panel: &Panel| -> Option<String> {
            let labels = reference::labels(panel);
            (!labels.is_empty()).then(|| format!("{LABELS}{}", labels.join(", ")))
        };
        let lines: Vec<Option<String>> = scene.panels.iter().map(line).collect();
        match &lines[..] {
            [Some(first), others @ ..]
                if !others.is_empty() && others.iter().all(|it| it.as_ref() == Some(first)) =>
            {
                self.common.push(first.clone());
            }
            _ => {
                for (notes, line) in self.panels.iter_mut().zip(lines) {
                    notes.extend(line);
                }
            }
        }
    }
}

/// Sweep in which all panels except the first ones have a difference of this group.
fn sweep(scene: &Scene, group: &[Difference]) -> Option<Sweep> {
    let mut differs = vec![false; scene.panels.len()];
    group.iter().for_each(|difference| differs[difference.panel] = true);
    let differ_exactly = |is_other: &dyn Fn(usize) -> bool| {
        let others = (0..differs.len()).filter(|&panel| is_other(panel));
        let mut first = (0..differs.len()).filter(|&panel| !is_other(panel));
        others.clone().count() > 1
            && others.into_iter().all(|panel| differs[panel])
            && first.all(|panel| !differs[panel])
    };
    match &scene.arrangement {
        Arrangement::Flow { .. } => differ_exactly(&|panel| panel > 0).then_some(Sweep::Panels),
        Arrangement::Grid { columns, .. } => {
            let count = columns.len().max(1);
            let rows = differ_exactly(&|panel| panel >= count).then_some(Sweep::Rows);
            rows.or_else(|| differ_exactly(&|panel| panel % count > 0).then_some(Sweep::Columns))
        }
    }
}

/// Note about a quantity in which all panels, rows or columns differ from the first one.
fn common_note(sweep: Sweep, scene: &Scene, group: &[Difference]) -> String {
    let columns = match &scene.arrangement {
        Arrangement::Flow { .. } => 1,
        Arrangement::Grid { columns, .. } => columns.len().max(1),
    };
    let (each, count) = match sweep {
        Sweep::Panels => ("panel", scene.panels.len()),
        Sweep::Rows => ("row", scene.panels.len() / columns),
        Sweep::Columns => ("column", columns),
    };
    let others = if count == 2 { "the second" } else { "the others" };
    let line =
        |difference: &Difference| difference.line_between(&format!("the first {each}"), others);
    let first = line(&group[0]);
    if group.iter().all(|difference| line(difference) == first) {
        first
    } else {
        format!("{} from {each} to {each}", group[0].quantity.differs())
    }
}

/// Words before the value of the reference in a note of a panel. If a line is too short, the note
/// ends before them.
const REFERENCE: &str = " instead of ";

/// Words before places in a note that all panels share, without which it would be wrong.
const PLACE: &str = " in ";

/// Begin of a note that lists labels, which may be cut.
const LABELS: &str = "dashed: ";

/// Arranges notes side by side in at most `maximum` lines of the given width. Notes about physics
/// are shortened if they do not fit, but no word or number is cut. The last line states how many
/// notes are missing. There are no lines if even that does not fit.
pub(super) fn lines_of(
    notes: &[String],
    font: &Font,
    size: f64,
    width: i32,
    maximum: usize,
) -> Vec<String> {
    for shown in (0..=notes.len().min(NOTES_A_LINE * maximum)).rev() {
        let mut all = notes[..shown].to_vec();
        match notes.len() - shown {
            0 => {}
            hidden if shown == 0 => all.push(counted(hidden as u64, "difference")),
            hidden => all.push(format!("and {hidden} more")),
        }
        if let Some(lines) = side_by_side(&all, font, size, width, maximum) {
            return lines;
        }
        let brief = |text: &String| match text.split_once(REFERENCE) {
            Some((brief, reference)) if !reference.contains(PLACE) => brief.to_owned(),
            _ => text.clone(),
        };
        let brief: Vec<String> = all.iter().map(brief).collect();
        if let Some(lines) = side_by_side(&brief, font, size, width, maximum) {
            return lines;
        }
    }
    Vec::new()
}

/// Arranges texts side by side, as many per line as fit. A longer text continues on the next line
/// if more lines are allowed. `None` if the texts need more than `maximum` lines, or a line is too
/// short for its text.
fn side_by_side(
    texts: &[String],
    font: &Font,
    size: f64,
    width: i32,
    maximum: usize,
) -> Option<Vec<String>> {
    let mut lines: Vec<String> = Vec::new();
    for text in texts {
        let longer = lines.last().map(|line| format!("{line}{BETWEEN}{text}"));
        match longer.filter(|line| font.width(line, size) <= width) {
            Some(longer) => {
                lines.pop();
                lines.push(longer);
            }
            None => {
                let added = font.wrap(text, size, width, maximum.clamp(1, LINES_A_NOTE));
                let is_cut = added.last()?.ends_with('…') && !text.ends_with('…');
                let is_too_wide = |line: &String| line.is_empty() || font.width(line, size) > width;
                if added.iter().any(is_too_wide) || is_cut && !text.starts_with(LABELS) {
                    return None;
                }
                lines.extend(added);
            }
        }
    }
    (lines.len() <= maximum).then_some(lines)
}
