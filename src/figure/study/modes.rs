//! Natural frequencies beside those of a run, and what methods make of a frequency.

use super::{Study, Subject, listed};
use crate::analysis::modes::{Comparison, Missing, SLOW_BINS, Tone, dispersion};
use crate::figure::chart::{Axis, Chart, Dash, Mark, Marker, Plot, Scale};
use crate::render::theme::{Ink, method_color};
use crate::sim::method::{METHODS, with_defaults};
use crate::text::number::short;
use image::Rgb;

const NATURAL: Ink = Rgb([120, 130, 140]);
/// So many peaks are told in words.
const PEAKS: usize = 4;
/// A frequency that is off by more than this is worth a word.
const SHIFT: f64 = 1e-3;

/// The spectrum of the tip of each body, with its natural frequencies; `None` where there is none.
pub fn spectra(found: &[(Subject<'_>, Comparison)]) -> Option<Study> {
    if found.is_empty() {
        return None;
    }
    let plots = found.iter().map(|(subject, comparison)| spectrum(subject, comparison)).collect();
    let sentences: Vec<String> = found.iter().map(sentence).collect();
    let finding = format!(
        "How the node that moves most swings a little about rest, as a Fourier spectrum; vertical lines are the natural frequencies, from the spectrum \
         of M⁻¹K. {}",
        sentences.join(" ")
    );
    let chart = Chart {
        title: "Natural frequencies and those of the run".into(),
        caption: finding.clone(),
        columns: found.len().min(2),
        plots,
        plot_size: [400.0, 240.0],
        one_scale: false,
    };
    Some(Study { name: "modes".into(), chart, finding })
}

/// Why a body has no spectrum.
pub fn missing(missing: Missing) -> &'static str {
    match missing {
        Missing::Yielding => "springs that flow or break have no modes that last",
        Missing::NoMode => "none of its modes swings",
        Missing::Work => {
            "its steps are too short for a run of many periods within the work of this figure"
        }
        Missing::Lost => "its run diverges, or nothing moves in it",
    }
}

/// The first peaks of a body, each beside the modes that it belongs to.
fn sentence((subject, comparison): &(Subject<'_>, Comparison)) -> String {
    let Comparison { node, overdamped, .. } = comparison;
    let peaks: Vec<String> = comparison
        .peaks
        .iter()
        .filter_map(|peak| {
            Some(beside(&comparison.tones[peak.tones.clone()], peak.width, peak.measured?))
        })
        .take(PEAKS)
        .collect();
    let mut text = match &peaks[..] {
        [] => format!("{}: no peak of node {node} lies near a natural frequency.", subject.label),
        _ => format!("{}: node {node} swings with {} rad per time.", subject.label, listed(&peaks)),
    };
    let silent = comparison.peaks.iter().filter(|peak| peak.measured.is_none());
    let silent: Vec<String> = silent
        .flat_map(|peak| &comparison.tones[peak.tones.clone()])
        .map(|tone| short(tone.natural))
        .collect();
    if !silent.is_empty() && !peaks.is_empty() {
        text += &format!(" There is no peak for {}.", listed(&silent));
    }
    if *overdamped > 0 {
        text += &format!(" Damping keeps {overdamped} slow modes from swinging.");
    }
    text
}

/// A peak beside its mode, or beside modes that it cannot tell apart.
fn beside(tones: &[Tone], width: f64, measured: f64) -> String {
    let natural: Vec<String> = tones.iter().map(|tone| short(tone.natural)).collect();
    match tones {
        [tone] if (tone.expected / tone.natural - 1.0).abs() < SHIFT => {
            format!("{} beside {}", short(measured), natural[0])
        }
        [tone] => format!(
            "{} beside {} (which damping and step make {})",
            short(measured),
            natural[0],
            short(tone.expected)
        ),
        _ => format!(
            "{} beside the modes {} together (by the run's length and damping, modes closer than {} share a peak)",
            short(measured),
            listed(&natural),
            short(width)
        ),
    }
}

fn spectrum(subject: &Subject<'_>, comparison: &Comparison) -> Plot {
    let highest = comparison.tones.last().map_or(1.0, |tone| 1.25 * tone.natural);
    let points: Vec<[f64; 2]> = comparison
        .frequencies
        .iter()
        .zip(&comparison.magnitudes)
        .skip(SLOW_BINS)
        .take_while(|(frequency, _)| **frequency <= highest)
        .map(|(frequency, magnitude)| [*frequency, *magnitude])
        .collect();
    let rule = |tone: &Tone| Mark::Rule {
        at: tone.natural,
        is_horizontal: false,
        color: NATURAL,
        label: None,
        dash: Dash::Dotted,
    };
    let mut marks: Vec<Mark> = comparison.tones.iter().map(rule).collect();
    marks.push(Mark::Line {
        points,
        color: subject.color,
        label: None,
        dash: Dash::Solid,
        width: 1.4,
    });
    Plot {
        title: Some(subject.label.clone()),
        x: Axis {
            label: "ω, rad per time".into(), range: Some([0.0, highest]), ..Axis::default()
        },
        y: Axis {
            label: "amplitude, greatest = 1".into(),
            scale: Scale::Log,
            range: Some([1e-6, 2.0]),
            ..Axis::default()
        },
        marks,
        ..Plot::default()
    }
}

/// What methods that share it make of a frequency.
struct DispersionCurve {
    titles: Vec<&'static str>,
    /// Name of the first of them.
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

/// Numerical frequency over exact against ωdt, for every method that oscillates; the bodies of the scene are dots at their highest mode.
pub fn dispersions(found: &[(Subject<'_>, f64)]) -> Study {
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
    let mut at_half = Vec::new();
    for curve in &curves {
        if let Some(point) = curve.points.iter().find(|point| (point[0] - 0.5).abs() < 1e-9) {
            at_half.push((curve.titles[0], point[1]));
        }
    }
    let alike: Vec<String> = curves
        .iter()
        .filter(|curve| curve.titles.len() > 1)
        .map(|curve| {
            let titles: Vec<String> = curve.titles.iter().map(ToString::to_string).collect();
            format!(" Alike are {}.", listed(&titles))
        })
        .collect();
    let mut marks: Vec<Mark> = curves.iter().map(DispersionCurve::mark).collect();
    let exact = Mark::Rule {
        at: 1.0,
        is_horizontal: true,
        color: NATURAL,
        label: Some("exact".into()),
        dash: Dash::Dashed,
    };
    marks.insert(0, exact);
    for (subject, omega) in found.iter().filter(|(it, _)| !it.body.setup.chooses_its_step()) {
        let x = omega * subject.body.setup.dt();
        marks.push(Mark::Points {
            points: vec![[x, 1.0]],
            color: subject.color,
            label: None,
            shape: Marker::Ring,
            size: 9.0,
        });
    }
    let fast = at_half.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    let slow = at_half.iter().min_by(|a, b| a.1.total_cmp(&b.1));
    let extremes = fast.zip(slow).map_or(String::new(), |(fast, slow)| {
        format!(
            " At ωdt = 0.5 {} is fastest with {:.5} times the exact frequency, {} slowest with {:.5}.",
            fast.0, fast.1, slow.0, slow.1
        )
    });
    let finding = format!(
        "The frequency that a method gives an undamped oscillator, over the exact one, fitted to a run of the method itself. \
         Rings mark the highest mode of the scene's bodies at their own step.{extremes}{}",
        alike.concat()
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
