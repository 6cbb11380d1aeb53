//! Patterns: which variants of a sweep are left out.

use super::super::diagnostic::Fault;
use super::super::read::{Child, FromRon, bare, children, name_place, start_in};
use super::axis::plain;

/// Values that lead to a variant being left out, if all of them match.
#[derive(Clone, Debug)]
pub(super) struct Pattern(Vec<(String, Test)>);

#[derive(Clone, Debug)]
enum Test {
    /// One of these values.
    Among(Vec<String>),
    Below(f64),
    Above(f64),
}

impl Pattern {
    /// Reads `{"substeps": 16, "integrator": [Rk4, Heun], "rope.stiffness": Above(1e3)}`, whose
    /// keys are fields of axes.
    pub(super) fn read(text: &str, known: &[&str]) -> Result<Self, Fault> {
        let refused = |message: &str| {
            let help = "expected {\"substeps\": 16, \"rope.stiffness\": Above(1e3)}: fields of axes with a value, a list of values, Below(…) or Above(…)";
            Fault::new(message).help(help).at(0..text.len())
        };
        if !bare(text).starts_with('{') {
            return Err(refused("this is no pattern"));
        }
        let all = children(text)?;
        if all.is_empty() {
            return Err(refused("a pattern without fields would leave out every variant"));
        }
        let test = |Child { name, value }: Child<'_>| {
            if !known.contains(&name.as_str()) {
                return Err(Fault::unknown("axis", &name, known).at(name_place(text, &name, value)));
            }
            let start = start_in(text, value);
            Ok((name, Test::read(value).map_err(|fault| fault.moved(start))?))
        };
        all.into_iter().map(test).collect::<Result<_, Fault>>().map(Self)
    }

    /// Whether a variant is left out, of which `value` gives the value of a field.
    pub(super) fn matches<'a>(&self, value: impl Fn(&str) -> Option<&'a str>) -> bool {
        self.0.iter().all(|(path, test)| value(path).is_some_and(|value| test.is_met(value)))
    }

    /// The pattern in words.
    pub(super) fn canonical(&self) -> String {
        let test = |(path, test): &(String, Test)| format!("{path}:{}", test.canonical());
        self.0.iter().map(test).collect::<Vec<_>>().join(",")
    }
}

impl Test {
    fn read(text: &str) -> Result<Self, Fault> {
        let body = bare(text);
        for (name, make) in [("Below", Self::Below as fn(f64) -> Self), ("Above", Self::Above)] {
            let Some(rest) = body.strip_prefix(name).filter(|rest| rest.starts_with('(')) else {
                continue;
            };
            let inside = rest.trim_start_matches('(').trim_end_matches(')');
            let start = start_in(text, inside);
            return f64::from_ron(inside).map(make).map_err(|fault| fault.moved(start));
        }
        if body.starts_with('[') {
            let all = children(text)?;
            return Ok(Self::Among(all.iter().map(|child| plain(child.value)).collect()));
        }
        Ok(Self::Among(vec![plain(text)]))
    }

    fn is_met(&self, value: &str) -> bool {
        let number = || f64::from_ron(value).ok();
        match self {
            Self::Among(values) => values.contains(&plain(value)),
            Self::Below(limit) => number().is_some_and(|number| number < *limit),
            Self::Above(limit) => number().is_some_and(|number| number > *limit),
        }
    }

    fn canonical(&self) -> String {
        match self {
            Self::Among(values) => values.join("\u{1f}"),
            Self::Below(limit) => format!("<{limit:?}"),
            Self::Above(limit) => format!(">{limit:?}"),
        }
    }
}
