//! Frequencies of an oscillator under each method.

use super::{Look, NumberTable, Study, Subject, marked_line, method_look, modes::NATURAL};
use crate::figure::chart::{Axis, Chart, Dash, Mark, Marker, Plot};
use catena_analysis::modes::dispersion;
use catena_analysis::statics::fastest_torsion;
use catena_base::text::list::listed;
use catena_sim::method::{METHODS, MethodInfo, with_defaults};

/// Curve of numerical over exact frequency, and the methods that share it.
struct DispersionCurve {
    methods: Vec<MethodInfo>,
    points: Vec<[f64; 2]>,
}

impl DispersionCurve {
    /// Line and markers of the curve, in the look of its first method that the scene uses. The flag
    /// is true if there is such a method.
    fn marks(&self, subjects: &[Subject<'_>], index: usize) -> (bool, [Mark; 2]) {
        let own = self.methods.iter().find_map(|method| own_look(subjects, method.name));
        let lead = self.methods.iter().find(|it| own_look(subjects, it.name).is_some());
        let title = lead.unwrap_or(&self.methods[0]).title;
        let label = match self.methods.len() {
            1 => title.to_string(),
            many => format!("{title} and {} alike", many - 1),
        };
        let look = own.unwrap_or_else(|| method_look(self.methods[0].name).grey());
        (own.is_some(), marked_line(self.points.clone(), look, &label, index))
    }
}

/// Figure of numerical over exact frequency against ωdt, for every method that oscillates. Rings
/// mark the bodies in `found` at the given angular frequency of their highest mode, in radians per
/// unit of time.
pub fn study(subjects: &[Subject<'_>], found: &[(Subject<'_>, f64)]) -> Study {
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
        color: subject.look.color,
        label: None,
        shape: Marker::Ring,
        size: 9.0,
    };
    // The scene's own methods are drawn above all others.
    let numbered = curves.iter().enumerate();
    let (own, others): (Vec<_>, Vec<_>) = numbered
        .map(|(index, curve)| curve.marks(subjects, index))
        .partition(|(is_own, _)| *is_own);
    let lines = others.into_iter().chain(own).flat_map(|(_, marks)| marks);
    let torsion: Vec<Mark> = subjects.iter().filter_map(torsion).collect();
    let rings = steps_of_scene.map(ring);
    let sections = if torsion.is_empty() { "" } else { SECTIONS };
    let marks: Vec<Mark> = [exact].into_iter().chain(lines).chain(rings).chain(torsion).collect();
    let caption = "Ratio of the numerical to the exact frequency of an undamped oscillator: the \
                   scene's methods in colour, all others in grey. Rings mark the highest mode of \
                   the scene's bodies at their own step.";
    let caption = format!("{caption}{sections}");
    let chart = Chart {
        title: "What methods make of a frequency".into(),
        caption: caption.clone(),
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
        ..Chart::default()
    };
    let remarks = "Each frequency is fitted to a run with the method.".into();
    let table = table(&curves);
    Study { name: "dispersion".into(), chart, caption, remarks, table }
}

/// Sentences that describe the marks of [`torsion`].
const SECTIONS: &str = " Diamonds mark the fastest torsion of rods whose sections have inertia: \
                        the implicit midpoint rule rotates them with every method.";

/// Returns the mark of the fastest torsion of a body at its own step, on the curve of the implicit
/// midpoint rule. `None` if the sections of the body have no inertia.
fn torsion(subject: &Subject<'_>) -> Option<Mark> {
    let setup = &subject.body.setup;
    let x = fastest_torsion(setup, &setup.initial)? * setup.dt();
    let share = 2.0 / x * libm::atan(0.5 * x);
    (!setup.chooses_its_step()).then(|| Mark::Points {
        points: vec![[x, share]],
        color: subject.look.color,
        label: None,
        shape: Marker::Diamond,
        size: 9.0,
    })
}

/// Look of a method in a scene, if a body uses it.
pub(super) fn own_look(subjects: &[Subject<'_>], method: &str) -> Option<Look> {
    let mut own = subjects.iter().filter(|subject| subject.body.method.name == method);
    let first = own.next()?;
    // Several bodies of one method have individual looks, so the method gets the look of its
    // family.
    Some(if own.next().is_none() { first.look } else { method_look(method) })
}

/// Curves of all methods that have a stability limit and do not choose their own steps. Methods
/// whose frequencies agree to 1e-6 share a curve.
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
            Some(curve) => curve.methods.push(*info),
            None => curves.push(DispersionCurve { methods: vec![*info], points }),
        }
    }
    curves
}

/// Table of the frequency of each method at three steps.
fn table(curves: &[DispersionCurve]) -> NumberTable {
    let mut table = NumberTable::new(&["methods", "ωdt = 0.1", "ωdt = 0.5", "ωdt = 1"]);
    for curve in curves {
        let at = |step: f64| {
            let point = curve.points.iter().find(|point| (point[0] - step).abs() < 1e-9);
            point.map_or("-".into(), |point| format!("{:.5}", point[1]))
        };
        let titles: Vec<String> =
            curve.methods.iter().map(|method| method.title.to_string()).collect();
        table.rows.push(vec![listed(&titles), at(0.1), at(0.5), at(1.0)]);
    }
    table
}
