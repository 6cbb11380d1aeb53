//! Separation of the bodies that a chart shows from those that it cannot show, with reasons.

use catena_base::text::list::{listed, quoted};
use catena_study::figure::study::Subject;

/// Separates the results of bodies from the reasons for missing results. `what` begins the
/// sentences.
pub(crate) fn split<'a, T>(
    all: Vec<(Subject<'a>, Result<T, String>)>,
    what: &str,
) -> (Vec<(Subject<'a>, T)>, Vec<String>) {
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for (subject, part) in all {
        match part {
            Ok(part) => found.push((subject, part)),
            Err(reason) => missing.push((subject.label, reason)),
        }
    }
    (found, grouped(what, missing))
}

/// Returns sentences about bodies without a result, one sentence per reason. `what` begins them.
pub(crate) fn grouped(what: &str, mut missing: Vec<(String, String)>) -> Vec<String> {
    let mut sentences = Vec::new();
    while let Some((_, reason)) = missing.first().cloned() {
        let (same, others): (Vec<_>, Vec<_>) =
            missing.into_iter().partition(|(_, other)| *other == reason);
        let labels: Vec<String> = same.into_iter().map(|(label, _)| quoted(&label)).collect();
        let reason = match (labels.len(), reason.strip_prefix("it "), reason.strip_prefix("its ")) {
            (2.., Some(does), _) => format!("each body {does}"),
            (2.., _, Some(part)) => format!("each body's {part}"),
            _ => reason,
        };
        sentences.push(format!("{what} of {}: {reason}.", listed(&labels)));
        missing = others;
    }
    sentences
}
