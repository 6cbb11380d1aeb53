//! Spectra of runs, compared with natural frequencies.

use super::{NumberTable, Study, Subject, multiples};
use crate::figure::chart::{Axis, Chart, Dash, Mark, Plot, Scale};
use catena_analysis::modes::{ModeComparison, NoComparison, NumericalMode, Peak, SLOW_BINS};
use catena_analysis::statics::{TorsionalMode, torsional_modes};
use catena_base::text::{list::listed, number::short};
use catena_draw::theme::Ink;
use image::Rgb;

/// Colour of theoretical values.
pub(super) const NATURAL: Ink = Rgb([120, 130, 140]);
/// Maximum number of peaks per body in the table.
const PEAKS: usize = 4;

/// Figure of each body's spectrum with its natural frequencies. Returns `None` if there are no
/// bodies.
pub fn spectra(found: &[(Subject<'_>, ModeComparison)]) -> Option<Study> {
    if found.is_empty() {
        return None;
    }
    let plots = found.iter().map(|(subject, comparison)| spectrum(subject, comparison)).collect();
    let caption = "Fourier spectrum of small oscillations about rest, of the node that moves most. \
                   Vertical lines are the natural frequencies, from the spectrum of M⁻¹K.";
    let (columns, plot_size) = multiples(found.len(), 2, [400.0, 240.0], None);
    let chart = Chart {
        title: "Natural frequencies and those of the run".into(),
        caption: caption.into(),
        columns,
        plots,
        plot_size,
        ..Chart::default()
    };
    let remarks: Vec<String> =
        found.iter().filter_map(|(subject, comparison)| remark(subject, comparison)).collect();
    let mut table =
        NumberTable::new(&["body", "node", "natural ω", "with damping and step", "in the run"]);
    table.rows = found.iter().flat_map(|(subject, comparison)| rows(subject, comparison)).collect();
    Some(Study {
        name: "modes".into(),
        chart,
        caption: caption.into(),
        remarks: remarks.join(" "),
        table,
    })
}

/// Reason why a body has no spectrum.
pub fn missing(missing: NoComparison) -> &'static str {
    match missing {
        NoComparison::Yielding => "its springs yield or break, so it has no permanent modes",
        NoComparison::NoMode => "none of its modes oscillates",
        NoComparison::Work => {
            "its steps are too short for a run of many periods within the work limit of this figure"
        }
        NoComparison::Lost => "its run diverges, or nothing moves",
    }
}

/// Table rows of a body's first peaks, each with its mode or modes.
fn rows(subject: &Subject<'_>, comparison: &ModeComparison) -> Vec<Vec<String>> {
    let all = |modes: &[NumericalMode], of: fn(&NumericalMode) -> f64| {
        listed(&modes.iter().map(|mode| short(of(mode))).collect::<Vec<_>>())
    };
    let row = |peak: &Peak| {
        let modes = &comparison.modes[peak.modes.clone()];
        vec![
            subject.label.clone(),
            comparison.node.to_string(),
            all(modes, |mode| mode.natural),
            all(modes, |mode| mode.expected),
            match (peak.measured, modes.len()) {
                (None, _) => "no peak".into(),
                (Some(measured), 1) => short(measured),
                (Some(measured), _) => format!("{} for all", short(measured)),
            },
        ]
    };
    comparison.peaks.iter().take(PEAKS).map(row).chain(torsion(subject)).collect()
}

/// Returns the table rows of the slowest torsional modes, which move no node of a straight rod. The
/// implicit midpoint rule of the sections turns ω into (2/dt) atan(ωdt/2).
fn torsion(subject: &Subject<'_>) -> Vec<Vec<String>> {
    let (setup, dt) = (&subject.body.setup, subject.body.setup.dt());
    let row = |mode: &TorsionalMode| {
        let omega = mode.omega_squared.sqrt();
        let by_step = 2.0 / dt * libm::atan(0.5 * omega * dt);
        let words = ["sections".into(), short(omega), short(by_step), "moves no node".into()];
        std::iter::once(subject.label.clone()).chain(words).collect()
    };
    torsional_modes(setup, &setup.initial).iter().take(PEAKS).map(row).collect()
}

/// Remark about shared peaks and damped modes of a body.
fn remark(subject: &Subject<'_>, comparison: &ModeComparison) -> Option<String> {
    let shared = comparison.peaks.iter().find(|peak| peak.modes.len() > 1);
    let mut text = shared.map_or(String::new(), |peak| {
        format!(
            "Because of the length and damping of the run, modes of {} that are closer than {} \
             share a peak.",
            subject.label,
            short(peak.width)
        )
    });
    if comparison.overdamped > 0 {
        let (count, label) = (comparison.overdamped, &subject.label);
        text += &format!(" Damping prevents {count} slow modes of {label} from oscillating.");
    }
    (!text.is_empty()).then(|| text.trim_start().to_string())
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
        color: subject.look.color,
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
