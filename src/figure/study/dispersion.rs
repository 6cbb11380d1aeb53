//! The frequencies that methods give an oscillator.

use super::{Study, Subject, modes::NATURAL};
use crate::analysis::modes::dispersion;
use crate::figure::chart::{Axis, Chart, Dash, Mark, Marker, Plot};
use crate::render::theme::method_color;
use crate::sim::method::{METHODS, with_defaults};
use crate::text::list::listed;

/// A curve of numerical over exact frequency, and the methods that share it.
struct DispersionCurve {
    titles: Vec<&'static str>,
    /// The name of the first method.
    name: &'static str,
    points: Vec<[f64; 2]>,
}

impl DispersionCurve {
    fn mark(&self) -> Mark {
        let label = match self.titles.len() {
            1 => self.titles[0].to_string(),
            many => format!("{} and {} alike", self.titles[0], many - 1),
        };
        Mark::Line {
            points: self.points.clone(),
            color: method_color(self.name),
            label: Some(label),
            dash: Dash::Solid,
            width: 1.4,
        }
    }
}

/// Numerical frequency over exact against ωdt, for every method that oscillates; rings mark the
/// bodies of the scene at their highest mode, given in rad per time.
pub fn study(found: &[(Subject<'_>, f64)]) -> Study {
    let curves = dispersion_curves();
    let exact = Mark::Rule {
        at: 1.0,
        is_horizontal: true,
        color: NATURAL,
        label: Some("exact".into()),
        dash: Dash::Dashed,
    };
    let steps_of_scene = found.iter().filter(|(it, _)| !it.body.setup.chooses_its_step());
    let ring = |(subject, omega): &(Subject<'_>, f64)| Mark::Points {
        points: vec![[omega * subject.body.setup.dt(), 1.0]],
        color: subject.color,
        label: None,
        shape: Marker::Ring,
        size: 9.0,
    };
    let lines = curves.iter().map(DispersionCurve::mark);
    let marks: Vec<Mark> =
        [exact].into_iter().chain(lines).chain(steps_of_scene.map(ring)).collect();
    let finding = format!(
        "The frequency that a method gives an undamped oscillator, over the exact one, fitted to a run of the method itself. \
         Rings mark the highest mode of the scene's bodies at their own step.{}{}",
        extremes(&curves),
        groups(&curves)
    );
    let chart = Chart {
        title: "What methods make of a frequency".into(),
        caption: finding.clone(),
        columns: 1,
        plots: vec![Plot {
            x: Axis { label: "ωdt, rad".into(), range: Some([0.0, 3.2]), ..Axis::default() },
            y: Axis {
                label: "numerical frequency / exact".into(),
                range: Some([0.5, 1.5]),
                ..Axis::default()
            },
            marks,
            ..Plot::default()
        }],
        plot_size: [620.0, 420.0],
        one_scale: false,
    };
    Study { name: "dispersion".into(), chart, finding }
}

/// A curve for every method that has a stability limit and does not choose its own steps; methods
/// whose frequencies agree to 1e-6 share one.
fn dispersion_curves() -> Vec<DispersionCurve> {
    let steps: Vec<f64> = (1..=64).map(|i| 0.05 * f64::from(i)).collect();
    let mut curves: Vec<DispersionCurve> = Vec::new();
    for info in METHODS.iter().filter(|info| info.limit.is_some()) {
        let Some(method) = with_defaults(info.name).filter(|method| !method.chooses_steps()) else {
            continue;
        };
        let limit = info.limit.filter(|limit| *limit > 0.0).unwrap_or(1.0);
        let steps: Vec<f64> = steps.iter().copied().filter(|x| *x < limit).collect();
        let points: Vec<[f64; 2]> =
            dispersion(&method, &steps).iter().map(|(x, motion)| [*x, motion.frequency]).collect();
        let is_alike = |curve: &&mut DispersionCurve| {
            curve.points.len() == points.len()
                && curve.points.iter().zip(&points).all(|(a, b)| (a[1] - b[1]).abs() < 1e-6)
        };
        match curves.iter_mut().find(is_alike) {
            Some(curve) => curve.titles.push(info.title),
            None => {
                let (titles, name) = (vec![info.title], info.name);
                curves.push(DispersionCurve { titles, name, points });
            }
        }
    }
    curves
}

/// Names the methods with the highest and the lowest frequency at ωdt = 0.5.
fn extremes(curves: &[DispersionCurve]) -> String {
    let at_half = |curve: &DispersionCurve| {
        let point = curve.points.iter().find(|point| (point[0] - 0.5).abs() < 1e-9)?;
        Some((curve.titles[0], point[1]))
    };
    let at_half: Vec<(&str, f64)> = curves.iter().filter_map(at_half).collect();
    let fast = at_half.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    let slow = at_half.iter().min_by(|a, b| a.1.total_cmp(&b.1));
    fast.zip(slow).map_or(String::new(), |(fast, slow)| {
        format!(
            " At ωdt = 0.5 {} is fastest with {:.5} times the exact frequency, {} slowest with {:.5}.",
            fast.0, fast.1, slow.0, slow.1
        )
    })
}

/// Lists the methods that share a curve.
fn groups(curves: &[DispersionCurve]) -> String {
    let shared = curves.iter().filter(|curve| curve.titles.len() > 1);
    let group = |curve: &DispersionCurve| {
        let titles: Vec<String> = curve.titles.iter().map(ToString::to_string).collect();
        format!(" Alike are {}.", listed(&titles))
    };
    shared.map(group).collect()
}
