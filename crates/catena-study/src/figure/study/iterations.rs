//! Convergence of the iterations of one step, for methods that correct lengths.

use super::{Look, NumberTable, Study, Subject};
use crate::figure::chart::{Axis, Chart, Mark, Plot, Scale};
use catena_analysis::iterations::{Convergence, IterationPoint};
use catena_base::text::{
    list::quoted,
    number::{counted, short},
};

/// Maximum number of bodies with a sentence each.
const SENTENCES: usize = 8;
/// Minimum error that is drawn.
const FLOOR: f64 = 1e-16;

/// Figure of all bodies in one plot. Returns `None` if there are no bodies.
pub fn study(bodies: &[(Subject<'_>, Convergence)]) -> Option<Study> {
    if bodies.is_empty() {
        return None;
    }
    let caption = "Convergence of the iterations of one step: the maximum error of a length, \
                   relative to its limit, after each iteration. A ring marks the number of \
                   iterations of the scene.";
    let plot = Plot {
        x: Axis { label: "iterations".into(), scale: Scale::Log, ..Axis::default() },
        y: Axis {
            label: "error of a length / rest length".into(),
            scale: Scale::Log,
            ..Axis::default()
        },
        marks: bodies.iter().flat_map(|(subject, found)| marks(subject, found)).collect(),
        ..Plot::default()
    };
    let chart = Chart {
        title: "Convergence of iterations".into(),
        caption: caption.into(),
        columns: 1,
        plots: vec![plot],
        plot_size: [620.0, 380.0],
        ..Chart::default()
    };
    Some(Study {
        name: "iterations".into(),
        chart,
        caption: caption.into(),
        remarks: remarks(bodies),
        table: table(bodies),
    })
}

fn place(point: &IterationPoint) -> [f64; 2] {
    [f64::from(point.iterations), point.error.max(FLOOR)]
}

fn marks(subject: &Subject<'_>, found: &Convergence) -> Vec<Mark> {
    let points: Vec<[f64; 2]> = found.points.iter().map(place).collect();
    let mut marks: Vec<Mark> =
        subject.look.line_with(points.clone(), points, &subject.label, 1.6).into();
    let own = found.points.iter().find(|point| point.iterations == found.own).map(place);
    if let Some(own) = own {
        let ring = Look { marker: crate::figure::chart::Marker::Ring, ..subject.look };
        marks.push(ring.points(vec![own], None, 10.0));
    }
    marks
}

/// Error after the scene's own number of iterations, if it was tried.
fn own(found: &Convergence) -> Option<f64> {
    let tried = found.points.iter().find(|point| point.iterations == found.own);
    // Iterations beyond convergence are not tried.
    let done = found.points.last().filter(|last| last.iterations <= found.own);
    tried.or(done).map(|point| point.error)
}

fn remarks(bodies: &[(Subject<'_>, Convergence)]) -> String {
    let sentence = |(subject, found): &(Subject<'_>, Convergence)| {
        let label = quoted(&subject.label);
        let pace = match found.rate {
            Some(rate) if rate < 1.0 => {
                let digit = -libm::log(10.0) / libm::log(rate);
                format!(
                    "each iteration leaves a share of {} of the error, so each digit takes {} \
                     iterations",
                    short(rate),
                    short(digit)
                )
            }
            Some(_) => "more iterations do not reduce the error".into(),
            None => {
                let last = found.points.last().map_or(0, |point| point.iterations);
                let iterations = counted(u64::from(last), "iteration");
                format!("too few errors above rounding, within {iterations}, to fit a rate")
            }
        };
        let own = own(found).map_or(String::new(), |error| {
            format!(
                "; after the scene's number of iterations, {}, the error is {} rest lengths",
                found.own,
                short(error)
            )
        });
        format!("{label}: {pace}{own}.")
    };
    let mut all: Vec<String> = bodies.iter().take(SENTENCES).map(sentence).collect();
    if let Some((_, found)) = bodies.first() {
        all.push(format!(
            "The step begins at t = {}, and is repeated for each number of iterations.",
            short(found.time)
        ));
    }
    all.join(" ")
}

fn table(bodies: &[(Subject<'_>, Convergence)]) -> NumberTable {
    const SHOWN: [u32; 5] = [1, 4, 16, 64, 192];
    let mut table = NumberTable::new(&["body", "error left per iteration"]);
    table.head.extend(SHOWN.iter().map(|count| format!("error after {count}")));
    table.head.extend(
        ["iterations of the scene", "error there", "off the rest length, limit"].map(String::from),
    );
    for (subject, found) in bodies {
        let mut row = vec![subject.label.clone(), found.rate.map_or("-".into(), short)];
        row.extend(SHOWN.iter().map(|count| {
            let point = found.points.iter().find(|point| point.iterations == *count);
            point.map_or("-".into(), |point| short(point.error))
        }));
        row.push(found.own.to_string());
        row.push(own(found).map_or("-".into(), short));
        row.push(short(found.left));
        table.rows.push(row);
    }
    table
}
