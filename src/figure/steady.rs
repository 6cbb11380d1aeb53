//! The steady-state comparison: where every body came to rest, side by side in one scale, with the length of every
//! segment, and the hanging chain that the balance of forces gives.

use crate::analysis::{
    hanging::{Law, hanging_chain},
    settle::{Ending, Settled},
};
use crate::render::{
    Look, body_inks,
    camera::Camera,
    canvas::Canvas,
    draw_rope,
    layout::{Rect, Sizes},
    short,
    text::{Align, BrokenFont, Font},
    theme::{Ink, Theme},
};
use crate::scene::{Body, Scene, Style, View};
use crate::sim::{Model, SpringMemory, measure};
use image::RgbImage;

/// One column of the comparison.
#[derive(Clone, Debug)]
pub struct Column<'a> {
    title: String,
    ink: Ink,
    model: &'a Model,
    style: Style,
    /// Positions at the end, flat by axis.
    x: Vec<f64>,
    /// What its springs have been through.
    springs: SpringMemory,
    /// Length of each segment, the gap where it has broken.
    pub lengths: Vec<f64>,
    /// Length of each segment of the hanging chain for the same rope.
    pub reference: Option<Vec<f64>>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Run(Ending),
    Reference,
}

/// Everything that the comparison shows: a column a body, then the hanging chains they should match.
pub fn columns<'a>(scene: &'a Scene, settled: &[Settled]) -> Vec<Column<'a>> {
    let theme = Theme::of(scene);
    let mut runs = Vec::new();
    // Each with the label of the first body that it is for.
    let mut references: Vec<(Column<'a>, String)> = Vec::new();
    let bodies = scene.panels.iter().flat_map(|panel| {
        panel.bodies.iter().zip(body_inks(panel)).map(move |(body, ink)| (panel, body, ink))
    });
    for ((panel, body, ink), settled) in bodies.zip(settled) {
        let title = match panel.bodies.len() {
            1 => panel.label.clone(),
            _ if panel.is_named => format!("{}: {}", panel.label, body.label),
            _ => body.label.clone(),
        };
        let reference = reference(body, &theme);
        runs.push(Column {
            title: title.clone(),
            ink,
            model: &body.setup.model,
            style: body.style,
            lengths: measure::segment_lengths(&body.setup.model, &settled.state.x),
            springs: settled.springs.clone(),
            x: settled.state.x.clone(),
            // A rope that broke is no hanging chain any more.
            reference: reference
                .as_ref()
                .filter(|_| !settled.springs.broken.contains(&true))
                .map(|column| column.lengths.clone()),
            kind: Kind::Run(settled.ending),
        });
        if let Some(new) = reference {
            let is_known = |(old, _): &(Column<'_>, _)| old.title == new.title && old.x == new.x;
            if !references.iter().any(is_known) {
                references.push((new, title));
            }
        }
    }
    runs.extend(told_apart(references));
    runs
}

/// Adds the label to the titles that would be the same.
fn told_apart(columns: Vec<(Column<'_>, String)>) -> Vec<Column<'_>> {
    let titles: Vec<String> = columns.iter().map(|(column, _)| column.title.clone()).collect();
    let is_shared = |title: &String| titles.iter().filter(|other| *other == title).count() > 1;
    let renamed = columns.into_iter().map(|(column, label)| match is_shared(&column.title) {
        true => Column { title: format!("{}: {label}", column.title), ..column },
        false => column,
    });
    renamed.collect()
}

/// The hanging chain for a body: rigid where its method holds lengths, elastic otherwise.
fn reference<'a>(body: &'a Body, theme: &Theme) -> Option<Column<'a>> {
    let (model, method) = (&body.setup.model, &body.setup.method);
    if !body.has_reference {
        return None;
    }
    let (law, name) = if method.holds_lengths() {
        (Law::Rigid, "Hanging chain, rigid")
    } else {
        (Law::Elastic, "Hanging chain, elastic")
    };
    let mut stiff = model.clone();
    stiff.springs.iter_mut().for_each(|spring| spring.stiffness = method.stiffness_of(spring));
    let x = hanging_chain(&stiff, &body.setup.initial.x, &body.gravity, law)?;
    Some(Column {
        title: name.into(),
        ink: theme.muted,
        springs: SpringMemory::default(),
        model,
        style: body.style,
        lengths: measure::segment_lengths(model, &x),
        x,
        reference: None,
        kind: Kind::Reference,
    })
}

/// More columns than this are left out of the picture (and said so); the manifest has them all.
const MOST_COLUMNS: usize = 60;

/// The picture is about as high as this at the most, in pixels.
const MOST_HEIGHT: i32 = 12_000;

/// More segments than this are shown as the first and the last.
const MOST_LINES: usize = 40;

/// Sizes of a column, in pixels.
struct Measures {
    sizes: Sizes,
    line: i32,
    table: i32,
    cell: [i32; 2],
    per_row: usize,
    /// Height of the title, of it and the lines below it, and of the sums.
    title: i32,
    header: i32,
    footer: i32,
}

/// Draws the comparison.
///
/// # Errors
/// Only with a broken typeface.
pub fn draw(scene: &Scene, columns: &[Column<'_>]) -> Result<RgbImage, BrokenFont> {
    let font = Font::built_in()?;
    let theme = Theme::of(scene);
    let mut shown = &columns[..columns.len().min(MOST_COLUMNS)];
    let view = common_view(shown);
    let m = measures(scene, &font, shown, view);
    let most_rows = (MOST_HEIGHT / m.cell[1]).max(1) as usize;
    shown = &shown[..shown.len().min(most_rows * m.per_row)];

    let rows = shown.len().div_ceil(m.per_row);
    let gap = m.sizes.gap;
    let top = Sizes::strip(m.sizes.title) + gap + gap / 3;
    let left_out = columns.len() - shown.len();
    let width = m.per_row as i32 * (m.cell[0] + gap) + gap;
    let bottom = if left_out > 0 { Sizes::strip(m.sizes.number) } else { 0 };
    let height = top + rows as i32 * (m.cell[1] + gap) + bottom;
    let mut canvas = Canvas::new(RgbImage::from_pixel(width as u32, height as u32, theme.page));

    let title = format!("Steady state: {}", scene.title.as_ref().unwrap_or(&scene.name));
    let title = font.fit(&title, m.sizes.title, width - 2 * gap);
    font.draw(canvas.image_mut(), (gap, gap), Align::Left, m.sizes.title, theme.text, &title);
    for (index, column) in shown.iter().enumerate() {
        let (row, place) = ((index / m.per_row) as i32, (index % m.per_row) as i32);
        let (x, y) = (gap + place * (m.cell[0] + gap), top + row * (m.cell[1] + gap));
        let cell = Rect { x, y, w: m.cell[0], h: m.cell[1] };
        draw_column(&mut canvas, &font, &theme, &m, cell, view, column);
    }
    if left_out > 0 {
        let note = format!("and {left_out} more: manifest.json has the lengths of all");
        let at = (gap, height - bottom);
        font.draw(canvas.image_mut(), at, Align::Left, m.sizes.number, theme.muted, &note);
    }
    Ok(canvas.into_image())
}

/// The view that holds all shapes. What diverged or still moves counts only while it is not much larger than the
/// others; where it is, it leaves the picture rather than making the others tiny.
fn common_view(columns: &[Column<'_>]) -> View {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    let is_lost = |column: &&Column<'_>| {
        !matches!(column.kind, Kind::Reference | Kind::Run(Ending::AtRest { .. }))
    };
    let (lost, sound): (Vec<_>, Vec<_>) = columns.iter().partition(is_lost);
    for column in sound.into_iter().chain(lost) {
        let (mut new_low, mut new_high) = (low, high);
        for (axis, values) in column.x.chunks_exact(column.model.nodes()).enumerate().take(2) {
            new_low[axis] = values.iter().copied().fold(low[axis], f64::min);
            new_high[axis] = values.iter().copied().fold(high[axis], f64::max);
        }
        let side = |low: [f64; 2], high: [f64; 2]| (high[0] - low[0]).max(high[1] - low[1]);
        if is_lost(&column)
            && side(low, high) > 0.0
            && side(new_low, new_high) > 2.5 * side(low, high)
        {
            continue;
        }
        (low, high) = (new_low, new_high);
    }
    let size = [0, 1].map(|axis| high[axis] - low[axis]);
    let largest = size[0].max(size[1]).max(f64::MIN_POSITIVE);
    View {
        center: [0, 1].map(|axis| low[axis] + size[axis] / 2.0),
        // A rope that hangs straight has no width of its own.
        extent: size.map(|side| side.max(0.16 * largest) + 0.08 * largest),
    }
}

fn measures(scene: &Scene, font: &Font, columns: &[Column<'_>], view: View) -> Measures {
    let sizes = Sizes::of(scene.size);
    let line = (sizes.number * 1.25).round() as i32;
    let lines = columns.iter().map(|column| table(column).len()).max().unwrap_or(0) as i32;
    let widest = columns.iter().flat_map(table).map(|text| font.width(&text, sizes.number)).max();
    let table = widest.unwrap_or(0) + sizes.gap;
    let footer = 2 * line + sizes.gap / 2;

    // Tall shapes get a fixed height, wide ones a fixed width.
    let aspect = view.extent[0] / view.extent[1];
    let tall = sizes.title * 15.0;
    let plot_w = (tall * aspect).min(tall * 1.1);
    let plot_h = ((plot_w / aspect) as i32).max(lines * line);
    // The lines under the title need their room too.
    let words = font.width("still moving at frame 00000", sizes.number) + 2 * sizes.gap;
    let cell_w = (plot_w as i32 + table + 2 * sizes.gap).max(words);
    let per_row = match &scene.arrangement {
        crate::scene::Arrangement::Grid { columns, .. } if columns.len() > 1 => columns.len(),
        _ => columns.len(),
    };
    let is_long = |column: &Column<'_>| font.width(&column.title, sizes.label) > cell_w - sizes.gap;
    let second = if columns.iter().any(is_long) { (sizes.label * 1.2) as i32 } else { 0 };
    let title = Sizes::strip(sizes.label) + second;
    let header = title + 2 * line;
    let cell = [cell_w, header + plot_h + footer];
    let most = ((sizes.title * 80.0) as i32 / (cell[0] + sizes.gap)).max(1) as usize;
    Measures { sizes, line, table, cell, per_row: per_row.clamp(1, most), title, header, footer }
}

/// The lines of the table: number, length and strain of each segment.
fn table(column: &Column<'_>) -> Vec<String> {
    let count = column.lengths.len();
    let line = |j: usize| {
        if column.springs.is_broken(j) {
            return format!("{:>3} {:>10} {:>10}", j + 1, "broken", "");
        }
        let rest = column.model.springs[j].rest_length;
        let strain = 100.0 * (column.lengths[j] - rest) / rest;
        format!("{:>3} {:>10} {:>9}%", j + 1, exact(column.lengths[j]), signed(strain))
    };
    if count <= MOST_LINES {
        return (0..count).map(line).collect();
    }
    let half = MOST_LINES / 2;
    let skipped = std::iter::once(format!("    … {} more …", count - 2 * half));
    (0..half).map(line).chain(skipped).chain((count - half..count).map(line)).collect()
}

/// Splits a text at a space so that the first line fits and is as long as it can be.
fn two_lines(text: &str, fits: impl Fn(&str) -> bool) -> [String; 2] {
    if fits(text) {
        return [text.into(), String::new()];
    }
    let split =
        text.match_indices(' ').map(|(at, _)| at).take_while(|&at| fits(&text[..at])).last();
    let (first, second) = split.map_or((text, ""), |at| (&text[..at], &text[at + 1..]));
    [first.into(), second.into()]
}

/// A length with six digits.
fn exact(value: f64) -> String {
    match value.abs() {
        size if (1e-3..1.0).contains(&size) => format!("{value:.6}"),
        size if (1.0..10.0).contains(&size) => format!("{value:.5}"),
        size if (10.0..100.0).contains(&size) => format!("{value:.4}"),
        size if (100.0..1e5).contains(&size) => format!("{value:.3}"),
        _ => format!("{value:.4e}"),
    }
}

/// A percentage with its sign; a zero has none.
fn signed(percent: f64) -> String {
    match percent {
        _ if percent.abs() < 5e-5 => "0.0000".into(),
        _ if percent.abs() < 1e3 => format!("{percent:+.4}"),
        _ => format!("{percent:+.1e}"),
    }
}

fn draw_column(
    canvas: &mut Canvas,
    font: &Font,
    theme: &Theme,
    m: &Measures,
    cell: Rect,
    view: View,
    column: &Column<'_>,
) {
    let (sizes, gap) = (m.sizes, m.sizes.gap);
    canvas.fill(cell, theme.panel);
    canvas.frame(cell, theme.border);
    let left = cell.x + gap * 2 / 3;
    let inner = cell.w - gap;

    // Title, how it ended, and what the table shows.
    let mut write = |(x, y): (i32, i32), size: f64, ink: Ink, text: &str, room: i32| {
        let text = font.fit(text, size, room);
        font.draw(canvas.image_mut(), (x, y), Align::Left, size, ink, &text);
    };
    let y = cell.y + gap / 2;
    let [first, second] = two_lines(&column.title, |text| font.width(text, sizes.label) <= inner);
    write((left, y), sizes.label, theme.text, &first, inner);
    write((left, y + (sizes.label * 1.2) as i32), sizes.label, theme.text, &second, inner);
    let (status, ink) = status(column, theme);
    let y = cell.y + m.title;
    write((left, y), sizes.number, ink, &status, inner);
    let table_x = cell.right() - m.table;
    let y = y + m.line;
    write(
        (table_x, y),
        sizes.number,
        theme.muted,
        &format!("{:>3} {:>10} {:>10}", "#", "length", "strain"),
        m.table,
    );

    // The table.
    let has_diverged = matches!(column.kind, Kind::Run(Ending::Diverged { .. }));
    let ink = if has_diverged { theme.grey } else { theme.text };
    for (index, text) in table(column).iter().enumerate() {
        let y = cell.y + m.header + index as i32 * m.line;
        write((table_x, y), sizes.number, ink, text, m.table);
    }

    // The sums.
    let total = measure::length(column.model, &column.springs, &column.x);
    let y = cell.bottom() - m.footer + gap / 4;
    write((left, y), sizes.number, theme.text, &format!("total length {}", short(total)), inner);
    if let Some(reference) = &column.reference {
        let should: f64 = reference.iter().sum();
        let text = match 100.0 * (total - should) / should {
            _ if has_diverged => "in its last frame before that".into(),
            _ if matches!(column.kind, Kind::Run(Ending::Moving { .. })) => "in that frame".into(),
            excess if excess.abs() < 5e-4 => "as long as the hanging chain".into(),
            excess if excess < 0.0 => format!("{:.3}% shorter than the chain", -excess),
            excess if excess > 1e6 => "far longer than the chain".into(),
            excess => format!("{excess:.3}% longer than the chain"),
        };
        write((left, y + m.line), sizes.number, theme.muted, &text, inner);
    } else {
        let text = match column.kind {
            Kind::Reference => "from the balance of forces",
            Kind::Run(_) => "no hanging chain to compare with",
        };
        write((left, y + m.line), sizes.number, theme.muted, text, inner);
    }

    // The shape.
    let plot = Rect {
        x: cell.x + 1,
        y: cell.y + m.header - m.line,
        w: table_x - cell.x - 1,
        h: cell.h - m.header + m.line - m.footer,
    };
    let ink = if has_diverged { theme.grey } else { column.ink };
    let look = Look { ink, pin: theme.text, pin_inside: theme.panel, style: column.style };
    draw_rope(
        canvas,
        plot,
        &Camera::new(view, plot),
        column.model,
        (&column.x, &column.springs),
        &look,
    );
}

fn status(column: &Column<'_>, theme: &Theme) -> (String, Ink) {
    match column.kind {
        Kind::Run(Ending::AtRest { frame }) => (format!("at rest from frame {frame}"), theme.muted),
        Kind::Run(Ending::Moving { frame, .. }) => {
            (format!("still moving at frame {frame}"), theme.alarm)
        }
        Kind::Run(Ending::Diverged { frame }) => {
            (format!("diverged at frame {frame}"), theme.alarm)
        }
        Kind::Reference => ("analytic".into(), theme.muted),
    }
}
