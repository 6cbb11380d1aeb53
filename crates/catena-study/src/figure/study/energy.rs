//! Energy of each body over time, with its gains and losses: one plot per body, all at one scale.

use super::{DARK, NumberTable, Study, Subject, TIME, multiples};
use crate::figure::chart::{Axis, Chart, Dash, Mark, Plot};
use catena_base::text::number::short;
use catena_draw::palette::nth_color;
use catena_draw::theme::{Ink, mix};
use catena_sim::run::ledger::Gains;
use image::Rgb;

/// Time, change of energy since the start, and accumulated accounts.
pub type Moment = (f64, f64, Gains);

/// Energy ledger of a body over time, summed from the start.
pub struct EnergyHistory<'a> {
    /// Body that the ledger belongs to.
    pub subject: Subject<'a>,
    /// One moment per frame.
    pub moments: Vec<Moment>,
    /// Maximum kinetic energy before the run diverged, the reference of ranges in percent.
    pub max_kinetic: f64,
    /// Maximum residual of the ledger, as a share of the energy turnover.
    pub residual: f64,
    /// Frame at which the body diverged.
    pub diverged: Option<u64>,
    /// Whether the moments end before the run does because values are no longer finite.
    pub is_cut: bool,
    /// Number of moments that are drawn. An exploding body is cut, since it would flatten all
    /// others.
    pub shown: usize,
}

impl EnergyHistory<'_> {
    /// Moments that are drawn.
    fn drawn(&self) -> &[Moment] {
        &self.moments[..self.shown.min(self.moments.len())]
    }
}

/// Name, colour and value of an account.
type EnergyPart = (&'static str, Ink, fn(&Gains) -> f64);

/// Minimum share of a body's largest account at which an account is significant for that body.
const MIN_SHARE: f64 = 1e-6;

/// Share of all drawn values below which an account is a rounding error.
const ROUNDING: f64 = 1e-13;

/// All accounts, in stacking order. Their colours differ in lightness, so that areas can be
/// distinguished without hue.
fn parts() -> [EnergyPart; 7] {
    let (black, white) = (Rgb([0; 3]), Rgb([255; 3]));
    [
        ("method", nth_color(0), |gains| gains.method),
        ("damping", mix(nth_color(1), white, 120), |gains| gains.damping),
        ("anchors", mix(nth_color(3), black, 110), |gains| gains.anchors),
        ("colliders", nth_color(6), |gains| gains.colliders),
        ("contact", mix(nth_color(2), white, 140), |gains| gains.contact),
        ("external", mix(nth_color(4), black, 110), |gains| gains.external),
        ("yielding", Rgb([190; 3]), |gains| gains.yielding),
    ]
}

/// Figure of stacked gains and losses since the start, with the change of energy as a line. Returns
/// `None` if no run has a second frame.
pub fn study(accounts: &[EnergyHistory<'_>]) -> Option<Study> {
    if accounts.iter().all(|account| account.moments.len() < 2) {
        return None;
    }
    let used = used(accounts);
    let plots = accounts.iter().map(|account| plot(account, &used)).collect();
    let worst = accounts.iter().map(|account| account.residual).fold(0.0, f64::max);
    let caption = "Causes of the change of energy since the start: areas above 0 are gains, areas \
                   below 0 are losses, and the line is their sum.";
    let remarks = format!(
        "The sum is the change of kinetic, gravitational and elastic energy. {}",
        closing(worst)
    );
    let grid = accounts.first().and_then(|account| account.subject.grid_columns);
    let (columns, plot_size) = multiples(accounts.len(), 2, [400.0, 280.0], grid);
    let chart = Chart {
        title: "Where the energy went".into(),
        caption: caption.into(),
        columns,
        plots,
        plot_size,
        one_scale: true,
        ..Chart::default()
    };
    let table = table(accounts, &used);
    Some(Study { name: "energy".into(), chart, caption: caption.into(), remarks, table })
}

/// Accounts that get an area and a name: the accounts that are significant for at least one body,
/// in the drawn part or in the whole run.
///
/// Significance is relative to each body, since an exploding body would make all accounts of the
/// others negligible. Rounding errors relative to all drawn values are never significant.
fn used(accounts: &[EnergyHistory<'_>]) -> Vec<EnergyPart> {
    let maximum = |moments: &[Moment], of: fn(&Gains) -> f64| {
        moments.iter().map(|(_, _, gains)| of(gains).abs()).fold(0.0, f64::max)
    };
    let greatest = |moments: &[Moment]| {
        parts().iter().map(|part| maximum(moments, part.2)).fold(0.0, f64::max)
    };
    let drawn = accounts.iter().map(|account| greatest(account.drawn())).fold(0.0, f64::max);
    let is_used = |(_, _, of): &EnergyPart| {
        let mut spans = accounts.iter().flat_map(|it| [it.drawn(), &it.moments[..]]);
        spans.any(|moments| {
            maximum(moments, *of) > (MIN_SHARE * greatest(moments)).max(ROUNDING * drawn)
        })
    };
    parts().into_iter().filter(is_used).collect()
}

/// Sentence about the energy that the ledger cannot explain; `worst` is a share of the energy
/// turnover.
fn closing(worst: f64) -> String {
    if worst < 1e-12 {
        return "The ledger is complete: its accounts explain the whole change.".into();
    }
    format!("The ledger explains all but a share of {} of the energy turnover.", short(worst))
}

/// Plot of a body: gains stacked upwards, losses downwards.
fn plot(account: &EnergyHistory<'_>, used: &[EnergyPart]) -> Plot {
    let moments = account.drawn();
    let mut tops = vec![[0.0; 2]; moments.len()];
    let mut marks = Vec::new();
    for (name, color, of) in used {
        let (mut upper, mut lower) = (Vec::new(), Vec::new());
        for ((t, _, gains), [above, below]) in moments.iter().zip(&mut tops) {
            let value = of(gains);
            let stack = if value >= 0.0 { above } else { below };
            let before = *stack;
            *stack += value;
            upper.push([*t, before.max(*stack)]);
            lower.push([*t, before.min(*stack)]);
        }
        marks.push(Mark::Area { upper, lower, color: *color, label: Some((*name).into()) });
    }
    let line = moments.iter().map(|(t, change, _)| [*t, *change]).collect();
    let label = Some("change of energy".to_string());
    marks.push(Mark::Line { points: line, color: DARK, label, dash: Dash::Solid, width: 1.6 });
    let (end, notes) = ending(account, moments);
    marks.extend(end);
    Plot {
        title: Some(account.subject.label.clone()),
        x: Axis { label: TIME.into(), ..Axis::default() },
        y: Axis { label: "energy since the start, units of energy".into(), ..Axis::default() },
        marks,
        notes,
        ..Plot::default()
    }
}

/// Line and notes about the end of a body's areas, if it is before the end of its run.
fn ending(account: &EnergyHistory<'_>, shown: &[Moment]) -> (Option<Mark>, Vec<String>) {
    let lost = account.diverged.map(|frame| format!("Diverges at frame {frame}."));
    let is_cut = account.is_cut || shown.len() < account.moments.len();
    let end = shown.last().filter(|_| is_cut).map(|moment| moment.0);
    let rule = end.map(|at| Mark::Rule {
        at,
        is_horizontal: false,
        color: DARK,
        label: None,
        dash: Dash::Dashed,
    });
    let cut =
        end.map(|t| format!("Cut off at t = {}, the dashed line; the run goes on.", short(t)));
    (rule, lost.into_iter().chain(cut).collect())
}

/// Table of gains and losses until the last frame of each body.
fn table(accounts: &[EnergyHistory<'_>], used: &[EnergyPart]) -> NumberTable {
    let mut table = NumberTable::new(&["body", "by t", "change"]);
    table.head.extend(used.iter().map(|part| part.0.to_string()));
    for account in accounts {
        let Some((t, change, gains)) = account.moments.last() else { continue };
        let mut row = vec![account.subject.label.clone(), short(*t), short(*change)];
        row.extend(used.iter().map(|part| short(part.2(gains))));
        table.rows.push(row);
    }
    table
}
