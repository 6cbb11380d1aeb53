//! Checks of a whole sweep: contradicting axes, and the number of variants.

use super::super::diagnostic::Fault;
use super::super::error::SceneError;
use super::super::patch::Patch;
use super::super::rivals::rival;
use super::axis::{Axis, AxisPlace, Steps};
use super::sample::Sample;
use super::{MAX_VARIANTS, Sweep};
use std::ops::Range;

/// Maximum number of variants that are checked against the patterns.
const MAX_CHECKED: u64 = 100_000;

/// Sample with its position in a text.
pub(super) struct PlacedSample {
    pub(super) sample: Sample,
    pub(super) place: AxisPlace,
    pub(super) span: Range<usize>,
}

/// Rejects two axes that vary one field, and a `--set` option for a field that an axis varies.
pub(super) fn check_axes(axes: &[Axis], set: &[Patch]) -> Result<(), SceneError> {
    let is_inside = |inner: &str, outer: &str| {
        inner == outer
            || rival(inner) == Some(outer)
            || inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('.'))
    };
    let mut seen: Vec<(&str, &AxisPlace)> = Vec::new();
    for axis in axes {
        let mut own = Vec::new();
        for (path, at) in &axis.paths {
            let fault = |message: String| Fault::new(message).at(*at..at + path.len());
            if path == "frames" {
                let fault =
                    fault("all variants of a sweep must have the same number of frames".into());
                let help = "set it with `frames` of the sweep or with --frames; to measure during \
                            the run, use Trace(every: 60)";
                return Err(error(&axis.place, fault.help(help)));
            }
            let meets = |other: &str| is_inside(path, other) || is_inside(other, path);
            if let Some((other, there)) = seen.iter().find(|(other, _)| meets(other)) {
                return Err(met(axis, path, *at, other, there));
            }
            if let Some(patch) = set.iter().find(|patch| meets(patch.path())) {
                let fault = fault(format!("--set {} would override this axis", patch.text()));
                return Err(error(&axis.place, fault.help("remove the axis or the --set")));
            }
            own.push((path.as_str(), &axis.place));
        }
        seen.extend(own);
    }
    Ok(())
}

/// Returns the error of an axis that sets a field of another axis.
fn met(axis: &Axis, path: &str, at: usize, other: &str, there: &AxisPlace) -> SceneError {
    if there.has_lines && !axis.place.has_lines {
        let file = &there.origin;
        let message = format!("`{other}` is already an axis of {file}");
        let help = format!("omit this --axis, or remove the axis from {file}");
        return error(&axis.place, Fault::new(message).help(help).at(at..at + path.len()));
    }
    let message = match path == other {
        true => format!("two axes set `{path}`"),
        false => format!("two axes set `{path}` and `{other}`"),
    };
    let help = "remove one of them; fields that vary together form one axis: \"rope.nodes, substeps\": [(8, 16), (16, 64)]";
    error(&axis.place, Fault::new(message).help(help).at(at..at + path.len()))
}

/// Returns the number of variants.
pub(super) fn count(axes: &[Axis], sample: Option<&PlacedSample>) -> Result<u64, SceneError> {
    let sampled: Vec<&Axis> =
        axes.iter().filter(|axis| matches!(axis.steps, Steps::Sampled(_))).collect();
    let of_axis = |axis: &Axis, message: String, help: &str| {
        error(&axis.place, Fault::new(message).help(help).at(axis.span.clone()))
    };
    let of_sample = |placed: &PlacedSample, message: String, help: &str| {
        error(&placed.place, Fault::new(message).help(help).at(placed.span.clone()))
    };
    match (sample, sampled.first()) {
        (None, Some(axis)) => {
            let path = axis.paths.first().map_or("", |(path, _)| path);
            let message =
                format!("the axis of `{path}` needs a count, because the sweep has no sample");
            let help = "write Linear(from, to, count), or a sample such as Sobol(1000)";
            return Err(of_axis(axis, message, help));
        }
        (Some(placed), None) => {
            let message =
                format!("the sample {} has no effect: no axis is sampled", placed.sample.name());
            let help = "to sample an axis, remove its count: Log(1, 1e4)";
            return Err(of_sample(placed, message, help));
        }
        (Some(placed), Some(_)) if sampled.len() > placed.sample.max_sides() => {
            let (name, maximum) = (placed.sample.name(), placed.sample.max_sides());
            let message = format!(
                "{} axes are sampled, but {name} supports at most {maximum}",
                sampled.len()
            );
            return Err(of_sample(placed, message, "use LatinHypercube or Random for more axes"));
        }
        _ => {}
    }
    let points = sample.map_or(1, |placed| u128::from(placed.sample.count));
    let all = axes
        .iter()
        .filter_map(Axis::count)
        .fold(points, |product, count| product.saturating_mul(u128::from(count)));
    if all > u128::from(MAX_VARIANTS) {
        let message = format!("{all} variants are more than the limit of {MAX_VARIANTS}");
        let help = "use fewer values, a smaller sample, or several sweeps";
        return Err(match (sample, axes.iter().max_by_key(|axis| axis.count())) {
            (Some(placed), _) => of_sample(placed, message, help),
            (None, Some(axis)) => of_axis(axis, message, help),
            (None, None) => SceneError::new("", "", Fault::new(message).help(help)),
        });
    }
    Ok(all as u64)
}

/// Rejects a sweep whose patterns exclude all variants, if it has at most [`MAX_CHECKED`] variants.
pub(super) fn check_kept(sweep: &Sweep) -> Result<(), Fault> {
    let mut first = 0..sweep.variants().min(MAX_CHECKED);
    let is_kept = first.any(|number| !sweep.leaves_out(&sweep.variant(number)));
    if is_kept || sweep.variants() > MAX_CHECKED {
        return Ok(());
    }
    let fault = Fault::new("the patterns exclude every variant");
    Err(fault.help("remove one of the patterns, or give the axes more values"))
}

pub(crate) fn error(place: &AxisPlace, fault: Fault) -> SceneError {
    match place.has_lines {
        true => SceneError::new(&place.origin, &place.text, fault),
        false => SceneError::of_option(&place.origin, &place.text, fault),
    }
}
