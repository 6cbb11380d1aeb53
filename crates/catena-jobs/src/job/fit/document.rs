//! Result of a fit for programs, and warnings for people.

use super::Fit;
use catena_analysis::fit::{Alike, Estimate, Fitted};
use catena_base::text::number::short;
use catena_base::text::shell;
use serde::Serialize;
use std::io;

/// Contents of the JSON file.
#[derive(Serialize)]
struct FitDocument<'a> {
    program: String,
    body: &'a str,
    data: &'a str,
    parameters: Vec<ParameterEntry<'a>>,
    numbers: usize,
    degrees_of_freedom: usize,
    rms: f64,
    rms_at_start: f64,
    iterations: u64,
    converged: bool,
    /// Whether the residuals are noise.
    fits: bool,
    /// Noise of the data, if it can be estimated.
    noise: Option<f64>,
    /// Ratio of the root mean square of the residuals to the root mean square of the rounding of
    /// printed digits. Set only if nothing explains the residuals.
    beyond_digits: Option<f64>,
    /// Correlation of successive residuals in time.
    correlation_in_time: f64,
    /// Correlation of residuals of neighbouring nodes.
    correlation_of_nodes: f64,
    warnings: Vec<String>,
    set: &'a [String],
}

#[derive(Serialize)]
struct ParameterEntry<'a> {
    field: &'a str,
    start: f64,
    estimate: f64,
    standard_error: Option<f64>,
    interval_95: Option<[f64; 2]>,
    at_bound: bool,
}

impl Fit {
    /// Whether the model fits the data, so that the estimates may be used.
    pub fn is_usable(&self) -> bool {
        self.fitted.has_converged && self.quality.fits()
    }

    /// Returns the result as JSON.
    ///
    /// # Errors
    /// The text does not fit into memory.
    pub fn json(&self) -> io::Result<String> {
        let fitted = &self.fitted;
        let document = FitDocument {
            program: format!("catena {}", env!("CARGO_PKG_VERSION")),
            body: &self.label,
            data: &self.understood,
            parameters: fitted.estimates.iter().map(entry_of).collect(),
            numbers: fitted.numbers,
            degrees_of_freedom: fitted.freedom,
            rms: fitted.rms,
            rms_at_start: fitted.start_rms,
            iterations: fitted.iterations,
            converged: fitted.has_converged,
            fits: self.quality.fits(),
            noise: self.quality.noise,
            beyond_digits: self.quality.beyond_digits,
            correlation_in_time: self.quality.in_time,
            correlation_of_nodes: self.quality.from_node_to_node,
            warnings: self.warnings(),
            set: &self.set,
        };
        let text = serde_json::to_string_pretty(&document).map_err(io::Error::other)?;
        Ok(text + "\n")
    }

    /// Facts that a user should know before the estimates are trusted.
    pub fn warnings(&self) -> Vec<String> {
        let mut all: Vec<String> = self.hint.clone().into_iter().collect();
        // Estimates from a wrong reading are not evidence about the model.
        if self.hint.is_some() && !self.is_usable() {
            return all;
        }
        if !self.fitted.has_converged {
            let begin = shell::quoted(&self.begin);
            all.push(format!(
                "the search did not converge, so no interval is given; begin nearer, as in --vary \
                 {begin}"
            ));
        }
        all.extend(self.rival.clone());
        all.extend(self.remarks.iter().cloned());
        all.extend(self.quality.residual_remark());
        all.extend(self.quality.digits_remark());
        all.extend(warnings(&self.fitted));
        all
    }
}

fn entry_of(it: &Estimate) -> ParameterEntry<'_> {
    ParameterEntry {
        field: &it.name,
        start: it.start,
        estimate: it.value,
        standard_error: it.error,
        interval_95: it.interval,
        at_bound: it.is_at_bound,
    }
}

/// Whether an estimate differs from its start value.
pub(super) fn has_moved(it: &Estimate) -> bool {
    (it.value - it.start).abs() > 0.0
}

/// Warnings about single estimates, and about estimates that depend on each other.
fn warnings(fitted: &Fitted) -> Vec<String> {
    let mut all = Vec::new();
    for name in &fitted.without_effect {
        let own = fitted.estimates.iter().find(|it| it.name == *name);
        all.push(match own.filter(|it| has_moved(it)) {
            Some(it) => format!(
                "small changes of `{name}` around {} have no effect on the data, so it has no \
                 interval; other values have an effect: keep this one",
                short(it.value)
            ),
            None => format!("`{name}` has no effect on the data; leave it out"),
        });
    }
    all.extend(fitted.alike.iter().filter_map(alike));
    for it in &fitted.correlated {
        let [a, b] = &it.names;
        all.push(format!(
            "the estimates of `{a}` and `{b}` depend on each other (correlation {:.4}): data of a different motion would distinguish them",
            it.coefficient
        ));
    }
    for it in fitted.estimates.iter().filter(|it| it.is_at_bound) {
        all.push(format!("`{}` is at the end of its range, so it has no interval", it.name));
    }
    all
}

/// Describes parameters whose effects the data do not distinguish.
fn alike(it: &Alike) -> Option<String> {
    let names: Vec<String> = it.changes.iter().map(|(name, _)| format!("`{name}`")).collect();
    let changes: Vec<String> = it
        .changes
        .iter()
        .map(|(name, change)| {
            format!("{name} by {}{} %", if *change < 0.0 { "-" } else { "+" }, short(change.abs()))
        })
        .collect();
    (names.len() > 1).then(|| {
        format!(
            "the data cannot distinguish {}: a change of {} does not change the motion; fix one of them",
            names.join(" and "),
            changes.join(" and ")
        )
    })
}
