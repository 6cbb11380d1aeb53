//! Where the energy of each body came from and went to, over time: a plot a panel, all on one scale.

use super::{Study, Subject};
use crate::figure::chart::{Axis, Chart, Dash, Mark, Plot};
use crate::render::theme::{Ink, nth_color};
use crate::sim::run::ledger::Gains;
use crate::text::number::short;
use image::Rgb;

/// The ledger of a body, summed from the start.
pub struct Account<'a> {
    /// The body.
    pub subject: Subject<'a>,
    /// Time, change of the energy since the start, and what came from where by then; frame by frame.
    pub moments: Vec<(f64, f64, Gains)>,
    /// The greatest residual, as a share of the energy turned over.
    pub residual: f64,
}

const CHANGE: Ink = Rgb([17, 24, 32]);

/// Name, colour and value of a part.
type Part = (&'static str, Ink, fn(&Gains) -> f64);

/// All parts, in the order in which they are stacked.
fn parts() -> [Part; 6] {
    [
        ("method", nth_color(0), |gains| gains.method),
        ("damping", nth_color(1), |gains| gains.damping),
        ("anchors", nth_color(3), |gains| gains.anchors),
        ("contact", nth_color(2), |gains| gains.contact),
        ("external", nth_color(4), |gains| gains.external),
        ("yielding", nth_color(5), |gains| gains.yielding),
    ]
}

/// Stacked areas of what was gained and lost since the start, with the change of energy as a line; `None` where nothing moved.
pub fn study(accounts: &[Account<'_>]) -> Option<Study> {
    if accounts.iter().all(|account| account.moments.len() < 2) {
        return None;
    }
    // A part that is nothing anywhere has no area and no name.
    let most = |of: fn(&Gains) -> f64| {
        let all = accounts.iter().flat_map(|account| &account.moments);
        all.map(|(_, _, gains)| of(gains).abs()).fold(0.0, f64::max)
    };
    let greatest = parts().iter().map(|part| most(part.2)).fold(0.0, f64::max);
    let used: Vec<_> = parts()
        .into_iter()
        .filter(|part| most(part.2) > 1e-6 * greatest && greatest > 0.0)
        .collect();
    let plots = accounts.iter().map(|account| plot(account, &used)).collect();
    let worst = accounts.iter().map(|account| account.residual).fold(0.0, f64::max);
    let sentences: Vec<String> = accounts.iter().map(sentence).collect();
    let finding = format!(
        "What has changed the energy since the start: areas above 0 were gained, areas below it lost, and the line is their sum, the change of kinetic, gravitational and \
         elastic energy. {} The ledger closes to {} of the energy turned over.",
        sentences.join(" "),
        short(worst)
    );
    let chart = Chart {
        title: "Where the energy went".into(),
        caption: finding.clone(),
        columns: accounts.len().min(2),
        plots,
        plot_size: [400.0, 280.0],
        one_scale: true,
    };
    Some(Study { name: "energy".into(), chart, finding })
}

/// Gains are stacked upwards, losses downwards.
fn plot(account: &Account<'_>, used: &[Part]) -> Plot {
    let moments = &account.moments;
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
    marks.push(Mark::Line { points: line, color: CHANGE, label, dash: Dash::Solid, width: 1.6 });
    Plot {
        title: Some(account.subject.label.clone()),
        x: Axis { label: "time".into(), ..Axis::default() },
        y: Axis { label: "energy since the start".into(), ..Axis::default() },
        marks,
        ..Plot::default()
    }
}

fn sentence(account: &Account<'_>) -> String {
    let Some((t, change, gains)) = account.moments.last() else { return String::new() };
    let part = |(name, _, of): Part| {
        let value = of(gains);
        (value != 0.0).then(|| format!("{name} {}", short(value)))
    };
    let parts: Vec<String> = parts().into_iter().filter_map(part).collect();
    let label = &account.subject.label;
    if account.moments.len() < 2 {
        return format!("{label}: there is no second frame in order.");
    }
    if parts.is_empty() {
        return format!("{label}: nothing came or went by t = {}.", short(*t));
    }
    format!("{label}: {} by t = {} ({}).", short(*change), short(*t), parts.join(", "))
}
