//! Patterns of the variants that a sweep excludes.

use super::super::diagnostic::Fault;
use super::super::read::{children, deserialised, key, read_text};
use super::axis::{Axis, plain};
use catena_ron::Node;

/// Maximum number of axis values that a message lists.
const SHOWN: usize = 12;

/// Conditions on values. A variant that meets all conditions is excluded.
#[derive(Clone, Debug)]
pub(super) struct Pattern(Vec<(String, Test)>);

#[derive(Clone, Debug)]
enum Test {
    /// Equal to a value of the list.
    Among(Vec<String>),
    Below(f64),
    Above(f64),
}

impl Pattern {
    /// Reads `{"substeps": 16, "integrator": [Rk4, Heun], "rope.stiffness": Above(1e3)}`, whose
    /// keys are fields of axes.
    ///
    /// # Errors
    /// Returns a fault when the text is not a pattern, or no value of an axis meets one of its
    /// conditions.
    pub(super) fn read(node: Node<'_>, axes: &[Axis]) -> Result<Self, Fault> {
        let paths = axes.iter().flat_map(|axis| &axis.paths);
        let known: Vec<&str> = paths.map(|(path, _)| path.as_str()).collect();
        let refused = |message: &str| {
            let help = "expected {\"substeps\": 16, \"rope.stiffness\": Above(1e3)}: fields of axes with a value, a list of values, Below(…) or Above(…)";
            Fault::with_help(node.span(), message, help)
        };
        if !node.opens('{') {
            return Err(refused("invalid pattern"));
        }
        let all = children(node)?;
        if all.is_empty() {
            return Err(refused("a pattern without fields would exclude every variant"));
        }
        let keys = all.iter().map(|child| key(*child)).collect::<Result<Vec<_>, _>>()?;
        let test = |(name, child): (String, Node<'_>)| {
            if !known.contains(&name.as_str()) {
                return Err(Fault::unknown("axis", &name, &known).at(child.name_place()));
            }
            let test = Test::read(child)?;
            let values = axes.iter().find_map(|axis| axis.texts_of(&name));
            let unmet = values.and_then(|values| test.unmet(&name, &values));
            match unmet {
                Some(fault) => Err(fault.at(child.span())),
                None => Ok((name, test)),
            }
        };
        keys.into_iter().zip(all).map(test).collect::<Result<_, Fault>>().map(Self)
    }

    /// Whether the pattern excludes a variant. `value` returns the variant's value of a field.
    pub(super) fn matches<'a>(&self, value: impl Fn(&str) -> Option<&'a str>) -> bool {
        self.0.iter().all(|(path, test)| value(path).is_some_and(|value| test.is_met(value)))
    }

    /// Returns a normalized text of the pattern.
    pub(super) fn canonical(&self) -> String {
        let test = |(path, test): &(String, Test)| format!("{path}:{}", test.canonical());
        self.0.iter().map(test).collect::<Vec<_>>().join(",")
    }
}

impl Test {
    fn read(node: Node<'_>) -> Result<Self, Fault> {
        for (name, make) in [("Below", Self::Below as fn(f64) -> Self), ("Above", Self::Above)] {
            let Some(rest) = node.text().strip_prefix(name).filter(|rest| rest.starts_with('('))
            else {
                continue;
            };
            let inside = rest.trim_start_matches('(').trim_end_matches(')');
            let start = node.span().end - rest.trim_start_matches('(').len();
            return deserialised(inside, start).map(make);
        }
        if node.opens('[') {
            return Ok(Self::Among(node.entries().map(|child| plain(child.text())).collect()));
        }
        Ok(Self::Among(vec![plain(node.text())]))
    }

    /// Returns a fault if no value of a field meets the condition, or if a listed value never
    /// occurs.
    fn unmet(&self, path: &str, values: &[String]) -> Option<Fault> {
        let is_met = |test: &Self| values.iter().any(|value| test.is_met(value));
        let never = match self {
            Self::Among(wanted) => {
                let missing = |value: &&String| !is_met(&Self::Among(vec![(*value).clone()]));
                wanted.iter().find(missing)?.clone()
            }
            test if is_met(test) => return None,
            Self::Below(limit) => format!("below {limit}"),
            Self::Above(limit) => format!("above {limit}"),
        };
        let fault = Fault::new(format!("`{path}` is never {never}"));
        for name in ["Below", "Above"] {
            let inside = never.get(name.len()..).filter(|rest| rest.starts_with('('));
            let start = &never[..never.floor_char_boundary(name.len())];
            if let Some(inside) = inside.filter(|_| start.eq_ignore_ascii_case(name)) {
                return Some(fault.help(format!("did you mean {name}{inside}?")));
            }
        }
        let first: Vec<&str> = values.iter().take(SHOWN).map(String::as_str).collect();
        let more = if values.len() > SHOWN { ", …" } else { "" };
        Some(fault.help(format!("its values are {}{more}", first.join(", "))))
    }

    fn is_met(&self, value: &str) -> bool {
        let number = || read_text::<f64>(value).ok();
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
