//! Energy of all bodies over time, in one plot.

use super::{DARK, Look, NumberTable, Study, TIME, energy::EnergyHistory, marked_line, nth_look};
use crate::figure::chart::{Axis, Chart, Dash, Mark, Marker, Plot, Scale};
use catena_analysis::energy_spread::EnergySpread;
use catena_base::text::{
    list::{listed, quoted},
    number::short,
};

/// Number of bodies above which they are drawn as a band.
const MAX_LINES: usize = 12;

/// Ratio to the scale of valid bodies above which the axis becomes symmetric logarithmic.
const FAR: f64 = 20.0;

/// Ratio to the scale of valid bodies at which a curve ends.
const CUT: f64 = 1e6;

/// Figure of every body's change of energy since the start. Returns `None` if no run has a second
/// frame.
pub fn study(accounts: &[EnergyHistory<'_>]) -> Option<Study> {
    let shown: Vec<&EnergyHistory<'_>> =
        accounts.iter().filter(|account| account.moments.len() > 1).collect();
    if shown.is_empty() {
        return None;
    }
    let scale = natural_scale(&shown);
    let curves: Vec<EnergyCurve<'_>> =
        shown.iter().map(|account| EnergyCurve::new(account, scale)).collect();
    let greatest = curves.iter().flat_map(|curve| &curve.points).map(|p| p[1].abs());
    let is_far = greatest.fold(0.0, f64::max) > FAR * scale;
    let is_band = curves.len() > MAX_LINES && have_equal_times(&shown);
    let marks = if is_band { band(&curves) } else { lines(&curves) };
    let decade = libm::log10(scale).floor() as i32 - 1;
    let y = Axis {
        label: "change of energy, units of energy".into(),
        scale: if is_far { Scale::SymLog(decade) } else { Scale::Linear },
        ..Axis::default()
    };
    let linear = format!("Linear within ±{}, logarithmic beyond.", power(decade));
    let plot = Plot {
        x: Axis { label: TIME.into(), ..Axis::default() },
        y,
        marks,
        notes: is_far.then_some(linear).into_iter().collect(),
        ..Plot::default()
    };
    let caption = caption(&curves, is_band, is_far);
    let chart = Chart {
        title: "Energy over time".into(),
        caption: caption.clone(),
        columns: 1,
        plots: vec![plot],
        plot_size: [620.0, 380.0],
        ..Chart::default()
    };
    let remarks = format!(
        "The sum of kinetic, gravitational and elastic energy minus its value at the start. {}",
        spreads(&shown)
    )
    .trim_end()
    .to_string();
    let table = table(&curves);
    Some(Study { name: "energy_over_time".into(), chart, caption, remarks, table })
}

fn power(decade: i32) -> String {
    short(libm::pow(10.0, f64::from(decade)))
}

/// Maximum change of a body that did not diverge. If all diverged, the work of gravity over the
/// length of a body.
fn natural_scale(accounts: &[&EnergyHistory<'_>]) -> f64 {
    let greatest = |account: &EnergyHistory<'_>| {
        account.moments.iter().map(|moment| moment.1.abs()).fold(0.0, f64::max)
    };
    let calm = accounts.iter().filter(|account| account.diverged.is_none());
    let calm = calm.map(|account| greatest(account)).fold(0.0, f64::max);
    let fall = |account: &&EnergyHistory<'_>| {
        let setup = &account.subject.body.setup;
        let mass: f64 = setup.model.mass.iter().sum();
        mass * setup.gravity_strength() * setup.model.rest_length()
    };
    let falls = accounts.iter().map(fall).fold(0.0, f64::max);
    // Bodies that hardly change are measured by a share of the energy of a fall.
    [calm, 1e-3 * falls].into_iter().fold(f64::MIN_POSITIVE.sqrt(), f64::max)
}

/// Whether frames of all bodies have the same times, which a band needs.
fn have_equal_times(accounts: &[&EnergyHistory<'_>]) -> bool {
    let frame = |account: &EnergyHistory<'_>| account.subject.body.setup.frame_time;
    accounts.windows(2).all(|pair| frame(pair[0]) == frame(pair[1]))
}

/// Drawn part of a body's energy.
struct EnergyCurve<'a> {
    account: &'a EnergyHistory<'a>,
    points: Vec<[f64; 2]>,
    /// Point where the body diverges.
    lost: Option<[f64; 2]>,
    /// Point where the curve ends before the run does.
    cut: Option<[f64; 2]>,
}

impl<'a> EnergyCurve<'a> {
    /// Creates the curve of a body. If it diverged, the curve ends once it is far off.
    fn new(account: &'a EnergyHistory<'a>, scale: f64) -> Self {
        let lost = account.diverged.map(|frame| frame as usize);
        let is_over = |frame: usize, point: &[f64; 2]| {
            lost.is_some_and(|lost| frame > lost) && point[1].abs() > CUT * scale
        };
        let mut points: Vec<[f64; 2]> =
            account.moments.iter().map(|moment| [moment.0, moment.1]).collect();
        let end = (0..points.len()).find(|&frame| is_over(frame, &points[frame]));
        let is_cut = end.is_some() || account.is_cut;
        points.truncate(end.unwrap_or(points.len()));
        let cut = points.last().copied().filter(|_| is_cut);
        let lost = lost.and_then(|frame| points.get(frame)).copied();
        Self { account, points, lost, cut }
    }
}

fn lines(curves: &[EnergyCurve<'_>]) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    for (index, curve) in curves.iter().enumerate() {
        let subject = &curve.account.subject;
        marks.extend(marked_line(curve.points.clone(), subject.look, &subject.label, index));
    }
    marks.extend(end_marks(curves));
    marks
}

/// Marks where bodies diverge, and where their curves are cut.
fn end_marks(curves: &[EnergyCurve<'_>]) -> Vec<Mark> {
    let lost: Vec<[f64; 2]> = curves.iter().filter_map(|curve| curve.lost).collect();
    // A cross at the end suffices.
    let cut = curves.iter().filter(|curve| curve.cut != curve.lost);
    let cut: Vec<[f64; 2]> = cut.filter_map(|curve| curve.cut).collect();
    let mark = |points: Vec<[f64; 2]>, label: &str, shape| {
        let look = Look { color: DARK, dash: Dash::Solid, marker: shape };
        (!points.is_empty()).then(|| look.points(points, Some(label.into()), 8.0))
    };
    let marks = [mark(lost, "diverged", Marker::Cross), mark(cut, "cut off", Marker::OpenWedge)];
    marks.into_iter().flatten().collect()
}

/// Band from the minimum to the maximum change of bodies that did not diverge, with their median.
/// Diverged bodies are thin lines.
fn band(curves: &[EnergyCurve<'_>]) -> Vec<Mark> {
    let (lost, calm): (Vec<&EnergyCurve<'_>>, Vec<&EnergyCurve<'_>>) =
        curves.iter().partition(|curve| curve.account.diverged.is_some());
    let frames = calm.iter().map(|curve| curve.points.len()).max().unwrap_or(0);
    let (mut upper, mut lower, mut middle) = (Vec::new(), Vec::new(), Vec::new());
    for frame in 0..frames {
        let mut points: Vec<[f64; 2]> =
            calm.iter().filter_map(|curve| curve.points.get(frame).copied()).collect();
        points.sort_by(|a, b| a[1].total_cmp(&b[1]));
        if let ([minimum, ..], [.., maximum]) = (&points[..], &points[..]) {
            lower.push(*minimum);
            upper.push(*maximum);
            middle.push(points[points.len() / 2]);
        }
    }
    let label = Some("least to greatest".into());
    let mut marks = vec![Mark::Area { upper, lower, color: nth_look(1).color, label }];
    let thin = Look { dash: Dash::Dashed, ..nth_look(0).grey() };
    let lines = lost.iter().map(|curve| thin.line(curve.points.clone(), None, 1.0));
    marks.extend(lines);
    let median = Look { color: DARK, ..nth_look(0) };
    marks.push(Look { dash: Dash::Solid, ..median }.line(middle, Some("median".into()), 1.6));
    marks.extend(end_marks(curves));
    marks
}

fn caption(curves: &[EnergyCurve<'_>], is_band: bool, is_far: bool) -> String {
    let lost: Vec<String> = curves
        .iter()
        .filter_map(|curve| {
            let frame = curve.account.diverged?;
            let label = &curve.account.subject.label;
            let end = curve.cut.map_or(String::new(), |[t, _]| {
                format!(" (cut off after t = {}, although the run continues)", short(t))
            });
            Some(format!("{label} diverges at frame {frame}{end}"))
        })
        .collect();
    let mut text = match (is_band, curves.len()) {
        (true, count) => {
            format!("The change of energy of {count} bodies: minimum to maximum, and the median.")
        }
        (false, 1) => "The change of energy since the start.".into(),
        (false, count) => format!("The change of energy of {count} bodies since the start."),
    };
    if is_band && !lost.is_empty() {
        text += &format!(
            " {} of them diverge and are drawn as dashed lines outside the band.",
            lost.len()
        );
    } else if !lost.is_empty() {
        text += &format!(" {}.", listed(&lost));
    }
    if is_far && !is_band {
        text += " The axis is linear near 0 and logarithmic beyond.";
    }
    text
}

/// Spread of a body's energy before it diverged, in percent of its maximum kinetic energy. `None`
/// if nothing moves, or for fewer than three frames.
fn spread(account: &EnergyHistory<'_>) -> Option<EnergySpread> {
    let until = account.diverged.map_or(account.moments.len(), |frame| frame as usize);
    let moments: Vec<[f64; 2]> =
        account.moments.iter().take(until).map(|moment| [moment.0, moment.1]).collect();
    let spread = EnergySpread::of(&moments).filter(|_| account.max_kinetic > 0.0)?;
    Some(spread.per_cent_of(account.max_kinetic))
}

/// Sentence about the narrowest and the widest range of energy.
fn spreads(accounts: &[&EnergyHistory<'_>]) -> String {
    let mut all: Vec<(String, EnergySpread)> = accounts
        .iter()
        .filter_map(|account| Some((quoted(&account.subject.label), spread(account)?)))
        .collect();
    all.sort_by(|a, b| a.1.range.total_cmp(&b.1.range));
    let sentence = |(label, spread): &(String, EnergySpread)| {
        format!(
            "the energy of {label} spans {} %, drifts by {} % and oscillates about this drift by \
             ±{} %",
            short(spread.range),
            short(spread.drift),
            short(spread.oscillation)
        )
    };
    let parts: Vec<String> = match &all[..] {
        [] => return String::new(),
        [one] => vec![sentence(one)],
        [narrow, .., wide] => vec![sentence(narrow), sentence(wide)],
    };
    let until = match accounts.iter().any(|account| account.diverged.is_some()) {
        true => " before it diverges",
        false => "",
    };
    format!("Relative to the body's maximum kinetic energy{until}: {}.", parts.join("; "))
}

fn table(curves: &[EnergyCurve<'_>]) -> NumberTable {
    let mut table = NumberTable::new(&[
        "body",
        "at the end",
        "greatest gain",
        "greatest loss",
        "divergence, frame",
        "range, %",
        "oscillation, %",
        "drift, %",
    ]);
    for curve in curves {
        let account = curve.account;
        let spread = spread(account);
        let per_cent =
            |of: fn(&EnergySpread) -> f64| spread.as_ref().map_or("-".into(), |it| short(of(it)));
        let changes = || account.moments.iter().map(|moment| moment.1);
        let last = account.moments.last().map_or(0.0, |moment| moment.1);
        table.rows.push(vec![
            account.subject.label.clone(),
            short(last),
            short(changes().fold(0.0, f64::max)),
            short(changes().fold(0.0, f64::min)),
            account.diverged.map_or("-".into(), |frame| frame.to_string()),
            per_cent(|spread| spread.range),
            per_cent(|spread| spread.oscillation),
            per_cent(|spread| spread.drift),
        ]);
    }
    table
}
