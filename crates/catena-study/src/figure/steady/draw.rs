//! Draws the comparison, in views of the plane or of space that contain all its states.

use super::columns::{ColumnKind, SteadyColumn, heading, table, two_lines};
use super::strains::{StrainPlot, StrainScale, exaggerated, exaggeration};
use catena_analysis::settle::Ending;
use catena_base::text::number::{short, tabular};
use catena_draw::{
    BodyLook, DrawnRig, PanelObjects, PanelPainter, Rect, Sizes,
    camera::{self, Camera},
    canvas::Canvas,
    drawn_parts, moving_solids, spokes,
    text::{Align, Font},
    theme::{Ink, Theme},
    weight_scale,
};
use catena_scene::{Scene, View};
use catena_sim::{Arrangement, body::measure};
use image::{Rgb, RgbImage};

/// Maximum number of columns in the picture. A note counts the omitted columns; the manifest has
/// all.
const MAX_COLUMNS: usize = 60;

/// Approximate maximum height of the picture in pixels.
const MAX_HEIGHT: i32 = 12_000;

/// Minimum height of a cell in lines of text.
const MIN_LINES: i32 = 12;
/// Width of a plot of strains, relative to the text size.
const STRAINS_WIDTH: f64 = 17.0;

/// Sizes of a column in pixels.
struct ColumnSizes {
    sizes: Sizes,
    line: i32,
    table: i32,
    cell: [i32; 2],
    per_row: usize,
    /// Height of the title, of the title with the lines below it, and of the sums.
    title: i32,
    header: i32,
    footer: i32,
}

impl ColumnSizes {
    /// Rectangle of the shape in a cell.
    fn plot(&self, cell: Rect) -> Rect {
        Rect {
            x: cell.x + 1,
            y: cell.y + self.header - self.line,
            w: cell.w - self.table - 1,
            h: cell.h - self.header + self.line - self.footer,
        }
    }
}

impl ColumnSizes {
    /// Corner of a cell below the title. A last row with fewer cells is centred.
    fn corner(&self, index: usize, count: usize) -> (i32, i32) {
        let (row, place) = (index / self.per_row, index % self.per_row);
        let missing = self.per_row - (count - row * self.per_row).min(self.per_row);
        let [w, h] = self.cell.map(|size| size + self.sizes.gap);
        (self.sizes.gap + place as i32 * w + missing as i32 * w / 2, row as i32 * h)
    }

    /// Rectangle of the strains in a cell.
    fn strains(&self, cell: Rect) -> Rect {
        let y = cell.y + self.header;
        let h = cell.h - self.header - self.footer;
        Rect { x: cell.right() - self.table, y, w: self.table - self.sizes.gap / 2, h }
    }
}

/// Draws the comparison.
pub fn draw(scene: &Scene, columns: &[SteadyColumn<'_>], font: &Font) -> RgbImage {
    let theme = Theme::of(scene);
    let mut shown = &columns[..columns.len().min(MAX_COLUMNS)];
    let factor = exaggeration(shown);
    let shapes: Vec<SteadyColumn<'_>> = shown.iter().map(|it| shape(it, factor)).collect();
    let scale = StrainScale::of(shown);
    let sight = SharedView::of(scene, &shapes);
    let m = measures(scene, font, shown, &sight);
    let max_rows = (MAX_HEIGHT / m.cell[1]).max(1) as usize;
    shown = &shown[..shown.len().min(max_rows * m.per_row)];

    let rows = shown.len().div_ceil(m.per_row);
    let gap = m.sizes.gap;
    let note = factor.map(|factor| format!("strains of the shapes are exaggerated {factor} times"));
    let below = if note.is_some() { m.line } else { 0 };
    let top = Sizes::strip(m.sizes.title) + gap + gap / 3 + below;
    let left_out = columns.len() - shown.len();
    let width = m.per_row as i32 * (m.cell[0] + gap) + gap;
    let bottom = if left_out > 0 { Sizes::strip(m.sizes.number) } else { 0 };
    let height = top + rows as i32 * (m.cell[1] + gap) + bottom;
    let mut canvas = Canvas::plain([width as u32, height as u32], theme.page);

    let title = format!("Steady state: {}", scene.title.as_ref().unwrap_or(&scene.name));
    let title = font.fit(&title, m.sizes.title, width - 2 * gap);
    font.draw(&mut canvas, (gap, gap), Align::Left, m.sizes.title, theme.text, &title);
    if let Some(note) = note {
        let at = (gap, gap + Sizes::strip(m.sizes.title));
        let note = font.fit(&note, m.sizes.number, width - 2 * gap);
        font.draw(&mut canvas, at, Align::Left, m.sizes.number, theme.muted, &note);
    }
    for (index, (column, shape)) in shown.iter().zip(&shapes).enumerate() {
        let (x, y) = m.corner(index, shown.len());
        let cell = Rect { x, y: top + y, w: m.cell[0], h: m.cell[1] };
        let plot = m.plot(cell);
        let painter = sight.painter(scene, column, plot, &theme);
        draw_words(&mut canvas, font, &theme, &m, cell, column);
        draw_shape(&mut canvas, scene, &theme, &painter, plot, m.sizes.stroke, shape);
        if let Some(scale) = scale.filter(|_| !column.is_sheet()) {
            let (theme, sizes, area) = (&theme, m.sizes, m.strains(cell));
            let ink = if column.has_diverged() { theme.grey } else { column.ink };
            StrainPlot { font, theme, sizes, scale, area }.draw(&mut canvas, column, ink);
        }
    }
    if left_out > 0 {
        let note = format!("and {left_out} more: manifest.json has the lengths of all");
        let at = (gap, height - bottom);
        font.draw(&mut canvas, at, Align::Left, m.sizes.number, theme.muted, &note);
    }
    canvas.into_image()
}

/// Column whose strains are exaggerated by a factor.
fn shape<'a>(column: &SteadyColumn<'a>, factor: Option<f64>) -> SteadyColumn<'a> {
    let x = factor.map_or_else(|| column.x.clone(), |factor| exaggerated(column, factor));
    SteadyColumn { x, ..column.clone() }
}

fn measures(
    scene: &Scene,
    font: &Font,
    columns: &[SteadyColumn<'_>],
    sight: &SharedView,
) -> ColumnSizes {
    let sizes = Sizes::of(scene.size);
    let line = (sizes.number * 1.25).round() as i32;
    let lines = columns.iter().map(|column| table(column).len()).max().unwrap_or(0) as i32;
    let lines = lines.max(MIN_LINES);
    let widest = columns.iter().flat_map(table).map(|text| font.width(&text, sizes.number)).max();
    let has_ropes = columns.iter().any(|column| !column.is_sheet());
    let plot = if has_ropes { (sizes.number * STRAINS_WIDTH) as i32 } else { 0 };
    let table = widest.unwrap_or(0).max(plot) + sizes.gap;
    let footer = 2 * line + sizes.gap / 2;

    // Tall shapes get a fixed height and wide ones a fixed width.
    let aspect = sight.aspect();
    let tall = sizes.title * 15.0;
    let plot_w = (tall * aspect).min(tall * 1.1);
    let plot_h = ((plot_w / aspect) as i32).max(lines * line);
    // Spatial views fix the height, so a plot that is too narrow for it would be cropped at its
    // sides.
    let plot_w = match sight {
        SharedView::Plane(_) => plot_w,
        SharedView::Space(_) => f64::from(plot_h) * aspect,
    };
    // The lines below the title also need space.
    let words = font.width("still moving at frame 00000", sizes.number) + 2 * sizes.gap;
    let cell_w = (plot_w as i32 + table + 2 * sizes.gap).max(words);
    let per_row = match &scene.arrangement {
        catena_scene::Arrangement::Grid { columns, .. } if columns.len() > 1 => columns.len(),
        _ => columns.len(),
    };
    let is_long =
        |column: &SteadyColumn<'_>| font.width(&column.title, sizes.label) > cell_w - sizes.gap;
    let second = if columns.iter().any(is_long) { (sizes.label * 1.2) as i32 } else { 0 };
    let title = Sizes::strip(sizes.label) + second;
    let header = title + 2 * line;
    let cell = [cell_w, header + plot_h + footer];
    let maximum = ((sizes.title * 80.0) as i32 / (cell[0] + sizes.gap)).max(1) as usize;
    // Rows of equal length, if the scene has no grid.
    let rows = per_row.div_ceil(maximum).max(1);
    let per_row =
        if per_row == columns.len() { per_row.div_ceil(rows) } else { per_row.min(maximum) };
    ColumnSizes { sizes, line, table, cell, per_row: per_row.max(1), title, header, footer }
}

/// Draws all text of a column.
fn draw_words(
    canvas: &mut Canvas,
    font: &Font,
    theme: &Theme,
    m: &ColumnSizes,
    cell: Rect,
    column: &SteadyColumn<'_>,
) {
    let (sizes, gap) = (m.sizes, m.sizes.gap);
    canvas.fill(cell, theme.panel);
    canvas.frame(cell, theme.border);
    let left = cell.x + gap * 2 / 3;
    let inner = cell.w - gap;

    // Title, status and heading of the table.
    let mut write = |(x, y): (i32, i32), size: f64, ink: Ink, text: &str, room: i32| {
        let text = font.fit(text, size, room);
        font.draw(canvas, (x, y), Align::Left, size, ink, &text);
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
    write((table_x, y), sizes.number, theme.muted, &heading(column), m.table);

    // Table of strains of a sheet.
    let ink = if column.has_diverged() { theme.grey } else { theme.text };
    for (index, text) in table(column).iter().enumerate() {
        let y = cell.y + m.header + index as i32 * m.line;
        write((table_x, y), sizes.number, ink, text, m.table);
    }

    let y = cell.bottom() - m.footer + gap / 4;
    let [first, second] = sums(column);
    write((left, y), sizes.number, theme.text, &first, inner);
    write((left, y + m.line), sizes.number, theme.muted, &second, inner);
}

/// Two lines below the shape.
fn sums(column: &SteadyColumn<'_>) -> [String; 2] {
    if let Arrangement::Sheet { rows, columns } = column.model.arrangement {
        let away = match column.kind {
            ColumnKind::Compared(_, distance) => {
                format!("{} from the solved rest", short(distance))
            }
            ColumnKind::Solved => "from the balance of forces".into(),
            ColumnKind::Run(_) | ColumnKind::Reference => String::new(),
        };
        return [format!("{rows} x {columns} nodes"), away];
    }
    let total = measure::length(column.model, &column.springs, &column.x);
    let second = match (&column.reference, column.kind) {
        (_, ColumnKind::Compared(ending, distance))
            if !matches!(ending, Ending::Diverged { .. }) =>
        {
            format!("{} from the solved rest", short(distance))
        }
        (Some(reference), kind) => {
            let should: f64 = reference.iter().sum();
            match 100.0 * (total - should) / should {
                _ if column.has_diverged() => "in its last frame before that".into(),
                _ if matches!(kind, ColumnKind::Run(Ending::Moving { .. })) => {
                    "in that frame".into()
                }
                excess if excess.abs() < 5e-4 => "as long as the hanging chain".into(),
                excess if excess < 0.0 => format!("{:.3}% shorter than the chain", -excess),
                excess if excess > 1e6 => "far longer than the chain".into(),
                excess => format!("{excess:.3}% longer than the chain"),
            }
        }
        (None, ColumnKind::Reference | ColumnKind::Solved) => "from the balance of forces".into(),
        (None, ColumnKind::Compared(..)) => "in its last frame before that".into(),
        (None, ColumnKind::Run(_)) => "no hanging chain to compare with".into(),
    };
    [format!("total length {}", tabular(total)), second]
}

fn draw_shape(
    canvas: &mut Canvas,
    scene: &Scene,
    theme: &Theme,
    painter: &PanelPainter,
    plot: Rect,
    stroke: f64,
    column: &SteadyColumn<'_>,
) {
    let ink = if column.has_diverged() { theme.grey } else { column.ink };
    let weight_scale = weight_scale(scene);
    let looks = column.styles.iter().map(|&style| {
        let own = style.color.filter(|_| column.styles.len() > 1 && !column.has_diverged());
        let ink = own.map_or(ink, |color| Rgb(color.0));
        let look = BodyLook::new(ink, [theme.text, theme.panel], style, stroke);
        BodyLook { weight_scale, ..look }
    });
    let SteadyColumn { model, x, springs, changes, rig, t, .. } = column;
    painter.draw_surroundings(canvas, plot, theme);
    let figures: Vec<_> = drawn_parts(model, x, springs, changes, looks).collect();
    // Moving objects around the body are drawn where they were at that time.
    let rigs = rig.zip(*t).map(|(rig, t)| DrawnRig::new(rig, t, theme));
    let moving = t.map_or(Vec::new(), |t| moving_solids(column.panel, t));
    let spokes = t.map_or(Vec::new(), |t| spokes(column.panel, t));
    let objects = PanelObjects {
        parts: &figures,
        trails: &[],
        over: &[],
        rigs: rigs.as_slice(),
        moving: &moving,
        spokes: &spokes,
    };
    painter.draw_bodies(canvas, plot, theme, objects);
}

fn status(column: &SteadyColumn<'_>, theme: &Theme) -> (String, Ink) {
    match column.kind {
        ColumnKind::Compared(Ending::Moving { frame, .. }, _) => {
            (format!("at frame {frame}"), theme.muted)
        }
        ColumnKind::Solved => ("balance of forces".into(), theme.muted),
        ColumnKind::Run(Ending::AtRest { frame })
        | ColumnKind::Compared(Ending::AtRest { frame }, _) => {
            (format!("at rest from frame {frame}"), theme.muted)
        }
        ColumnKind::Run(Ending::Moving { frame, .. }) => {
            (format!("still moving at frame {frame}"), theme.alarm)
        }
        ColumnKind::Run(Ending::Diverged { frame })
        | ColumnKind::Compared(Ending::Diverged { frame }, _) => {
            (format!("diverged at frame {frame}"), theme.alarm)
        }
        ColumnKind::Reference => ("analytic".into(), theme.muted),
    }
}

/// Common properties of the columns' views.
enum SharedView {
    /// All columns show the same part of the plane.
    Plane(View),
    /// Each column shows space with the view of its panel, at this aspect ratio (width over
    /// height).
    Space(f64),
}

impl SharedView {
    /// Chooses the view for these columns of a scene.
    pub(super) fn of(scene: &Scene, columns: &[SteadyColumn<'_>]) -> Self {
        if scene.axes < 3 {
            return Self::Plane(common_view(columns));
        }
        let is_given = columns.iter().any(|column| column.panel.viewpoint.is_some());
        let fitted = || camera::fit_viewpoint(scene, 1.0).1.clamp(0.5, 2.0);
        Self::Space(if is_given { 4.0 / 3.0 } else { fitted() })
    }

    /// Ratio of a view's width to its height.
    pub(super) fn aspect(&self) -> f64 {
        match self {
            Self::Plane(view) => view.extent[0] / view.extent[1],
            Self::Space(aspect) => *aspect,
        }
    }

    /// Creates the painter that draws a column into a rectangle.
    fn painter(
        &self,
        scene: &Scene,
        column: &SteadyColumn<'_>,
        plot: Rect,
        theme: &Theme,
    ) -> PanelPainter {
        match self {
            Self::Plane(view) => PanelPainter::planar(column.panel, Camera::planar(*view, plot)),
            Self::Space(_) => {
                let aspect = f64::from(plot.w) / f64::from(plot.h);
                let fitted = || camera::fit_viewpoint(scene, aspect).0;
                let own = column.panel.viewpoint.map(|own| own.upright(aspect));
                let viewpoint = own.unwrap_or_else(fitted);
                PanelPainter::spatial(column.panel, &viewpoint, plot, theme, theme.panel)
            }
        }
    }
}

/// View that contains all shapes. Bodies that diverged or still move count only if they are not
/// much larger than the others. Otherwise they extend beyond the picture, which keeps the others
/// visible.
fn common_view(columns: &[SteadyColumn<'_>]) -> View {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    let is_lost = |column: &&SteadyColumn<'_>| {
        column.ending().is_some_and(|ending| !matches!(ending, Ending::AtRest { .. }))
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
        // A rope that hangs straight has no width.
        extent: size.map(|side| side.max(0.16 * largest) + 0.08 * largest),
    }
}
