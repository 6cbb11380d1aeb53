//! The spectra of runs beside natural frequencies.

use super::{Study, Subject};
use crate::analysis::modes::{ModeComparison, NoComparison, NumericalMode, SLOW_BINS};
use crate::figure::chart::{Axis, Chart, Dash, Mark, Plot, Scale};
use crate::render::theme::Ink;
use crate::text::{list::listed, number::short};
use image::Rgb;

/// Colour of what theory gives.
pub(super) const NATURAL: Ink = Rgb([120, 130, 140]);
/// The number of peaks that the finding names.
const PEAKS: usize = 4;
/// The relative shift of a frequency that the finding mentions.
const SHIFT: f64 = 1e-3;

/// The spectrum of each body with its natural frequencies; `None` without bodies.
pub fn spectra(found: &[(Subject<'_>, ModeComparison)]) -> Option<Study> {
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
pub fn missing(missing: NoComparison) -> &'static str {
    match missing {
        NoComparison::Yielding => "springs that flow or break have no modes that last",
        NoComparison::NoMode => "none of its modes swings",
        NoComparison::Work => {
            "its steps are too short for a run of many periods within the work of this figure"
        }
        NoComparison::Lost => "its run diverges, or nothing moves in it",
    }
}

/// Names the first peaks of a body, each beside its modes.
fn sentence((subject, comparison): &(Subject<'_>, ModeComparison)) -> String {
    let ModeComparison { node, overdamped, .. } = comparison;
    let peaks: Vec<String> = comparison
        .peaks
        .iter()
        .filter_map(|peak| {
            Some(peak_beside_modes(
                &comparison.modes[peak.modes.clone()],
                peak.width,
                peak.measured?,
            ))
        })
        .take(PEAKS)
        .collect();
    let mut text = match &peaks[..] {
        [] => format!("{}: no peak of node {node} lies near a natural frequency.", subject.label),
        _ => format!("{}: node {node} swings with {} rad per time.", subject.label, listed(&peaks)),
    };
    let silent = comparison.peaks.iter().filter(|peak| peak.measured.is_none());
    let silent: Vec<String> = silent
        .flat_map(|peak| &comparison.modes[peak.modes.clone()])
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

/// Names a peak beside its mode, or beside several that share the peak.
fn peak_beside_modes(tones: &[NumericalMode], width: f64, measured: f64) -> String {
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

fn spectrum(subject: &Subject<'_>, comparison: &ModeComparison) -> Plot {
    let highest = comparison.modes.last().map_or(1.0, |tone| 1.25 * tone.natural);
    let points: Vec<[f64; 2]> = comparison
        .frequencies
        .iter()
        .zip(&comparison.magnitudes)
        .skip(SLOW_BINS)
        .take_while(|(frequency, _)| **frequency <= highest)
        .map(|(frequency, magnitude)| [*frequency, *magnitude])
        .collect();
    let rule = |tone: &NumericalMode| Mark::Rule {
        at: tone.natural,
        is_horizontal: false,
        color: NATURAL,
        label: None,
        dash: Dash::Dotted,
    };
    let mut marks: Vec<Mark> = comparison.modes.iter().map(rule).collect();
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
