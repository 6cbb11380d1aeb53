//! Maps over the two axes with the most numbers: one plot per combination of the others.

use super::super::{FEW, NumberTable, PAPER, Study, multiples};
use super::data::{Factor, STATUSES, SweepData, groups};
use super::{ShownQuantity, gaps, others, plotted, why_empty};
use crate::figure::chart::{Axis, CellClass, CellLook, Chart, ColorBar, Mark, Plot, Scale};
use catena_base::text::{
    list::listed,
    number::{percent, short},
};
use catena_draw::theme::Ink;
use image::Rgb;

/// Colours of the statuses.
const STATUS_INKS: [Ink; STATUSES.len()] =
    [Rgb([222, 236, 246]), Rgb([214, 140, 105]), Rgb([150, 120, 170]), Rgb([200, 200, 200])];

/// Maximum number of values of an axis whose cells have equal sizes, each labelled with its number.
const MAX_NAMED: usize = 12;

/// Number of colours of a quantity.
const SHADES: usize = 64;

/// Colour of the hatching of lost runs.
const LOST: Ink = Rgb([150, 92, 66]);

/// Ratio of the largest magnitude to the median above which values of both signs get a logarithmic
/// scale.
const FAR: f64 = 30.0;

/// Two axes of maps: the axes with the most numbers, x first. `None` if there are fewer.
fn axes(data: &SweepData) -> Option<[&Factor; 2]> {
    let mut gridded: Vec<&Factor> = data.factors.iter().filter(|it| it.is_gridded()).collect();
    // A stable sort: among axes with equally many numbers the first is x.
    gridded.sort_by_key(|factor| std::cmp::Reverse(factor.levels.len()));
    match gridded[..] {
        [x, y, ..] if x.levels.len() > 2 => Some([x, y]),
        _ => None,
    }
}

/// Figure of the surviving variants. Returns `None` if all survive, or there are fewer than two
/// axes.
pub(super) fn statuses(data: &SweepData) -> Option<Study> {
    if data.statuses.iter().all(|status| *status == 0) {
        return None;
    }
    let class = |(index, (name, ink)): (usize, (&&str, Ink))| match index {
        0 => CellClass::named(*name, ink),
        _ => CellClass::hatched(*name, ink),
    };
    let classes = STATUSES.iter().zip(STATUS_INKS).enumerate().map(class);
    // If a cell has several rows, for example from several samples, the worst is shown.
    let worst = |rows: &[usize]| rows.iter().map(|row| usize::from(data.statuses[*row])).max();
    let caption =
        "Status of the variants: each cell is a variant of the sweep, or the worst of several.";
    // A status without rows would only add a colour to look for.
    let occurs: Vec<bool> =
        (0..).take(STATUSES.len()).map(|index| data.statuses.contains(&index)).collect();
    let place = |index: usize| occurs[..index].iter().filter(|occurs| **occurs).count();
    let of_cell = |rows: &[usize]| worst(rows).map(place);
    let title = "Which variants survive";
    let map = MapFigure {
        name: "status",
        title,
        caption,
        of_cell: &of_cell,
        has_plot: &|_| true,
        reason: &|_| "",
    };
    let classes = classes.zip(&occurs).filter(|(_, occurs)| **occurs).map(|(class, _)| class);
    let mut study = map.study(data, classes.collect())?;
    study.table = status_table(data);
    Some(study)
}

/// Table of the number of rows per status.
pub(super) fn status_table(data: &SweepData) -> NumberTable {
    let mut table = NumberTable::new(&["status", "rows", "share"]);
    for (index, name) in STATUSES.iter().enumerate() {
        let rows = data.statuses.iter().filter(|it| usize::from(**it) == index).count() as u64;
        if rows > 0 {
            let share = percent(rows, data.rows() as u64);
            table.rows.push(vec![(*name).into(), rows.to_string(), share]);
        }
    }
    table
}

/// Figure of a quantity as colours. Cells whose runs are all lost are hatched.
pub(super) fn quantity(data: &SweepData, quantity: &ShownQuantity) -> Option<Study> {
    let bar = color_bar(quantity);
    let is_lost = |row: &usize| data.statuses[*row] != 0;
    let mean = |rows: &[usize]| {
        let values = rows.iter().map(|row| quantity.values[*row]).filter(|it| it.is_finite());
        let (sum, count) = values.fold((0.0, 0.0), |(sum, count), it| (sum + it, count + 1.0));
        match count > 0.0 {
            true => bar.place(sum / count),
            false if rows.is_empty() => None,
            false if rows.iter().all(is_lost) => Some(SHADES + 1),
            false => Some(SHADES),
        }
    };
    let has_plot = |rows: &[usize]| quantity.is_in(rows);
    let reason = |rows: &[usize]| why_empty(data, quantity, rows);
    let (title, name) =
        (upper_first(&quantity.measured.axis_label()), format!("{}_map", quantity.measured.name));
    let mut caption = format!("{} of each variant.", quantity.title());
    let axes = axes(data)?;
    let (groups, _) = plotted(data, &others(data, &axes), has_plot, reason);
    let is_in_plot = |row: usize| groups.iter().any(|it| it.rows.binary_search(&row).is_ok());
    let is_gap = |row: &usize| is_in_plot(*row) && !quantity.values[*row].is_finite();
    let has_hatched = (0..data.rows()).filter(is_gap).any(|row| is_lost(&row));
    if let Some(runs) = gaps(data, quantity, |row| is_in_plot(row) && !is_lost(&row)) {
        caption += &format!(" Cells of {} are empty.", runs.trim_end_matches(','));
    }
    let idle = axes.iter().filter(|axis| is_idle(data, quantity, axis));
    let idle: Vec<String> = idle.map(|axis| axis.name.clone()).collect();
    if !idle.is_empty() {
        caption += &format!(" It does not depend on {}.", listed(&idle));
    }
    let map = MapFigure {
        name: &name,
        title: &title,
        caption: &caption,
        of_cell: &mean,
        has_plot: &has_plot,
        reason: &reason,
    };
    let shade = |(index, ink): (usize, &Ink)| {
        let [from, to] = bar.values_of(index).map(short);
        CellClass { name: format!("{from} to {to}"), ink: *ink, look: CellLook::Shade }
    };
    let mut classes: Vec<CellClass> = bar.inks.iter().enumerate().map(shade).collect();
    classes.push(CellClass { name: String::new(), ink: PAPER, look: CellLook::Shade });
    if has_hatched {
        let kinds = STATUSES.iter().enumerate().skip(1);
        let occurs = |index: &usize| data.statuses.iter().any(|it| usize::from(*it) == *index);
        let kinds: Vec<String> =
            kinds.filter(|(index, _)| occurs(index)).map(|(_, name)| (*name).into()).collect();
        classes.push(CellClass::hatched(listed(&kinds), LOST));
    }
    let mut study = map.study(data, classes)?;
    study.chart.color_bar = Some(bar);
    Some(study)
}

/// Colour bar of a quantity: logarithmic over more than a decade, also for values of both signs.
fn color_bar(quantity: &ShownQuantity) -> ColorBar {
    let finite = || quantity.values.iter().copied().filter(|value| value.is_finite());
    let ink = |index: usize| {
        let color = colorous::VIRIDIS.eval_rational(index, SHADES);
        Rgb([color.r, color.g, color.b])
    };
    let [low, high] = quantity.range();
    let scale = match low > 0.0 {
        true if high > 10.0 * low => Scale::Log,
        true => Scale::Linear,
        false => scale_of_both_signs(finite().map(f64::abs).collect()),
    };
    let inks = (0..SHADES).map(ink).collect();
    let is_whole = finite().all(|value| value.fract() == 0.0);
    let bar = ColorBar::new(quantity.measured.axis_label(), scale, [low, high], inks);
    ColorBar { is_whole, ..bar }
}

/// Scale of values of both signs, given their magnitudes: linear, unless the largest is far above
/// the median.
fn scale_of_both_signs(mut sizes: Vec<f64>) -> Scale {
    sizes.retain(|size| *size > 0.0);
    sizes.sort_by(f64::total_cmp);
    match (sizes.get(sizes.len() / 2), sizes.last()) {
        (Some(median), Some(largest)) if *largest > FAR * median => {
            Scale::SymLog(libm::log10(*median).floor() as i32)
        }
        _ => Scale::Linear,
    }
}

/// Whether an axis has no effect on a quantity: rows that differ only in this axis have equal
/// values, and such rows exist.
fn is_idle(data: &SweepData, quantity: &ShownQuantity, axis: &Factor) -> bool {
    let mut all = groups(data, &others(data, &[axis])).into_iter().map(|group| {
        let values = group.rows.iter().map(|row| quantity.values[*row]);
        values.filter(|value| value.is_finite()).collect::<Vec<f64>>()
    });
    let mut is_compared = false;
    let is_constant = all.all(|values| {
        is_compared |= values.len() > 1;
        values.windows(2).all(|pair| pair[0] == pair[1])
    });
    is_constant && is_compared
}

pub(super) fn upper_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Figure of maps, and the functions that fill its cells.
struct MapFigure<'a> {
    name: &'a str,
    title: &'a str,
    caption: &'a str,
    /// Class of a cell with these rows; `None` leaves it empty.
    of_cell: &'a dyn Fn(&[usize]) -> Option<usize>,
    /// Whether rows have anything to draw, and the reason if they do not.
    has_plot: &'a dyn Fn(&[usize]) -> bool,
    reason: &'a dyn Fn(&[usize]) -> &'static str,
}

impl MapFigure<'_> {
    fn study(&self, data: &SweepData, classes: Vec<CellClass>) -> Option<Study> {
        let axes = axes(data)?;
        let (groups, remarks) = plotted(data, &others(data, &axes), self.has_plot, self.reason);
        let [columns, rows] = axes.map(|axis| axis.levels.len());
        let plots = groups.iter().map(|group| {
            let mut cells: Vec<Vec<usize>> = vec![Vec::new(); columns * rows];
            for row in &group.rows {
                let place = axes.map(|axis| {
                    axis.levels.binary_search_by(|level| level.total_cmp(&axis.values[*row]))
                });
                if let [Ok(x), Ok(y)] = place {
                    cells[y * columns + x].push(*row);
                }
            }
            let class = |rows: &Vec<usize>| (self.of_cell)(rows).unwrap_or(usize::MAX);
            let [(x, x_edges), (y, y_edges)] = axes.map(axis);
            let values = cells.iter().map(class).collect();
            let marks = vec![Mark::Cells { x_edges, y_edges, values, classes: classes.clone() }];
            let title = Some(group.name.clone()).filter(|name| !name.is_empty());
            Plot { title, x, y, marks, ..Plot::default() }
        });
        let (columns, plot_size) = multiples(groups.len(), 2, [360.0, 260.0], None);
        let caption = format!("{} {remarks}", self.caption).trim_end().to_string();
        let chart = Chart {
            title: self.title.into(),
            caption: caption.clone(),
            columns,
            plots: plots.collect(),
            plot_size,
            // A few plots each have the numbers of their axes; many small ones share them.
            one_scale: groups.len() > FEW,
            ..Chart::default()
        };
        let (remarks, table) = (String::new(), NumberTable::default());
        Some(Study { name: self.name.into(), chart, caption, remarks, table })
    }
}

/// Axis of a factor, and the edges of the cells around its numbers. A few numbers get cells of
/// equal size with names, whatever their distances.
fn axis(factor: &Factor) -> (Axis, Vec<f64>) {
    let count = factor.levels.len();
    if count <= MAX_NAMED {
        let categories = factor.levels.iter().map(|level| factor.level_name(*level)).collect();
        let axis = Axis { label: factor.name.clone(), categories, ..Axis::default() };
        return (axis, (0..=count).map(|edge| edge as f64).collect());
    }
    let scale = factor.scale();
    let is_log = scale == Scale::Log;
    let middle = |a: f64, b: f64| if is_log { (a * b).sqrt() } else { 0.5 * (a + b) };
    let beyond = |end: f64, edge: f64| if is_log { end * end / edge } else { 2.0 * end - edge };
    let inner: Vec<f64> = factor.levels.windows(2).map(|pair| middle(pair[0], pair[1])).collect();
    let mut edges = Vec::with_capacity(inner.len() + 2);
    if let ([low, .., high], [first, .., last]) =
        (&factor.levels[..], &[&inner[..], &inner].concat()[..])
    {
        edges.push(beyond(*low, *first));
        edges.extend(&inner);
        edges.push(beyond(*high, *last));
    }
    let range = edges.first().zip(edges.last()).map(|(low, high)| [*low, *high]);
    let label = factor.name.clone();
    (Axis { label, scale, range, ..Axis::default() }, edges)
}
