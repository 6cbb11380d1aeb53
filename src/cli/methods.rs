//! `catena methods`: the named values of a scene, as tables or one by one.

use super::{Failure, args::MethodsArgs, mentions, say};
use crate::analysis::stability::region::{Eigenvalue, growth, is_stable, treats_alike};
use crate::scene::grammar::Member;
use crate::scene::reference::{
    KINDS, Kind, NamedWord, Thing, field_elsewhere, fields_at, fields_called, kind_called,
    option_elsewhere, thing_elsewhere, things_called, things_like, words_called, written,
};
use crate::sim::method::{METHODS, MethodInfo, with_defaults};
use crate::sim::named::OptionInfo;
use crate::text::{number::digits, wrap::wrapped};
use serde_json::{Value, json};

pub(super) fn run(args: &MethodsArgs) -> Result<(), Failure> {
    if let (Some(at), Some(name)) = (args.at, &args.name) {
        return print_stability_at(name, at, args);
    }
    let words = args.name.as_deref().map(words_called).unwrap_or_default();
    let (kinds, things, words) = match &args.name {
        None => (KINDS.iter().collect(), Vec::new(), words),
        Some(name) => match (things_called(name), kind_called(name)) {
            (things, None) if things.is_empty() && words.is_empty() => return Err(unknown(name)),
            (things, Some(kind)) if things.is_empty() => (vec![kind], things, Vec::new()),
            (things, _) => (Vec::new(), things, words),
        },
    };
    if args.json {
        let listed = kinds.iter().flat_map(|kind| kind.things());
        let things = listed.chain(things).map(|thing| as_json(&thing));
        let all: Vec<Value> = things.chain(words.iter().map(word_as_json)).collect();
        return say::json(&format!("{:#}\n", Value::Array(all)));
    }
    let mut blocks: Vec<Vec<String>> = kinds.into_iter().map(table).collect();
    blocks.extend(things.iter().map(page));
    blocks.extend(words.iter().map(word_page));
    say::lines(blocks.join(&String::new()))
}

/// Error about an unknown name.
fn unknown(name: &str) -> Failure {
    let near = things_like(name);
    let called = fields_called(name);
    let advice = if !fields_at(name).is_empty() {
        format!("`{name}` is a field: see catena fields {name}")
    } else if let Some(advice) = thing_elsewhere(name) {
        advice
    } else if let [path, ..] = &called[..] {
        format!("`{name}` is a field: see catena fields {path}")
    } else if !near.is_empty() {
        format!("did you mean {}?", near.join(" or "))
    } else if let Some(advice) = field_elsewhere(name).or_else(|| option_elsewhere(name)) {
        advice
    } else if let Some(advice) = mentions::advice(name) {
        advice
    } else {
        "`catena methods` lists all names".into()
    };
    Failure::Usage(format!("unknown name `{name}`; {advice}"))
}

/// Prints whether a step of a method is stable for an eigenvalue.
fn print_stability_at(name: &str, [re, im]: [f64; 2], args: &MethodsArgs) -> Result<(), Failure> {
    let known = METHODS.iter().find(|info| info.name.eq_ignore_ascii_case(name));
    let info = known.ok_or_else(|| match things_called(name).is_empty() {
        true => unknown(name),
        false => Failure::Usage(format!("--at needs a method, but {name} is not a method")),
    })?;
    let (lambda, dt) = (Eigenvalue { re, im }, args.dt);
    let method = with_defaults(info.name).ok_or_else(|| unknown(name))?;
    let (Some(growth), Some(is_stable), Some(is_alike)) =
        (growth(&method, lambda, dt), is_stable(&method, lambda, dt), treats_alike(&method))
    else {
        let reason = match info.limit {
            None => "it corrects lengths instead of integrating springs",
            Some(_) => "its steps are adaptive",
        };
        let what = format!("{} has no stability region: {reason}", info.name);
        return Err(Failure::Usage(what));
    };
    if args.json {
        let value = json!({
            "method": info.name, "re": re, "im": im, "dt": dt, "growth": growth, "stable": is_stable,
        });
        return say::json(&format!("{value:#}\n"));
    }
    let verdict = if is_stable { "stable" } else { "unstable" };
    let sign = if im < 0.0 { "-" } else { "+" };
    let at = lambda.times(dt);
    let point = format!("{} {sign} {} i", digits(at.re, 5), digits(at.im.abs(), 5));
    let mut lines = vec![format!(
        "{}: {verdict} at hλ = {point}; a step multiplies the motion by {}",
        info.name,
        digits(growth, 6)
    )];
    if !is_alike {
        let note = "The method is for x'' = a: λ stands for an oscillator with λ and its \
                    conjugate, and a real λ for critical damping.";
        lines.extend(wrapped("", note, 0));
    }
    say::lines(lines)
}

/// Table of a kind.
fn table(kind: &'static Kind) -> Vec<String> {
    let mut lines = wrapped(&format!("{} (", kind.title), &format!("{})", kind.place), 0);
    lines = vec![lines.concat()];
    for thing in kind.things() {
        lines.extend(wrapped(&format!("  {}", thing.name), &summary(&thing), 26));
        for option in &thing.options {
            let Member { name, summary, expected, .. } = option;
            let facts = [Some(expected.clone()), default(option)];
            let facts: Vec<String> = facts.into_iter().flatten().collect();
            let text = format!("{summary} ({})", facts.join("; "));
            lines.extend(wrapped(&format!("      {name}:"), &text, 20));
        }
    }
    lines
}

/// Summary of a named value, with the order of a method.
fn summary(thing: &Thing) -> String {
    let Some(method) = thing.method else { return thing.summary.into() };
    match method.order {
        Some(order) => format!("{}; order {order}{}", thing.summary, damped(method)),
        None => thing.summary.into(),
    }
}

/// Order under drag, if it differs.
fn damped(method: &MethodInfo) -> String {
    match method.damped_order {
        Some(damped) if method.order != Some(damped) => {
            format!(", {damped} with drag or friction in springs")
        }
        _ => String::new(),
    }
}

/// Default of an option. `None` if the summary mentions it.
fn default(option: &Member) -> Option<String> {
    Some(match option.default? {
        OptionInfo::NEEDED => OptionInfo::NEEDED.into(),
        default => format!("default {default}"),
    })
}

/// Full description of a word.
fn word_page(word: &NamedWord) -> Vec<String> {
    /// Maximum number of listed places, since some words are allowed in many.
    const MAX_PLACES: usize = 8;
    let NamedWord { name, summary, places } = word;
    let mut lines = vec![format!("{name}: a word"), String::new()];
    if !summary.is_empty() {
        lines.extend(wrapped("", summary, 2));
        lines.push(String::new());
    }
    let listed: Vec<&str> = places.iter().take(MAX_PLACES).map(String::as_str).collect();
    let more = places.len() - listed.len();
    let more = if more == 0 { String::new() } else { format!(", and {more} other places") };
    lines.extend(wrapped("  used in", &format!("{}{more}", listed.join(", ")), 16));
    lines
}

/// Full description of a named value.
fn page(thing: &Thing) -> Vec<String> {
    let Thing { kind, name, summary, .. } = thing;
    let mut lines = vec![format!("{name}: a {}", kind.name).replace(": a action", ": an action")];
    lines.push(String::new());
    lines.extend(wrapped("", summary, 2));
    lines.push(String::new());
    let also = match kind.also {
        "" => String::new(),
        also => format!("; also {also}"),
    };
    lines.extend(wrapped("  used in", &format!("{}{also}", kind.place), 16));
    if let Some(method) = thing.method {
        for (what, text) in properties(method) {
            lines.extend(wrapped(&format!("  {what}"), &text, 16));
        }
    }
    if let Some(slip) = thing.slip {
        for (what, text) in [("symptom", slip.symptom), ("correct", slip.correct)] {
            lines.extend(wrapped(&format!("  {what}"), text, 16));
        }
    }
    if !thing.options.is_empty() {
        lines.extend([String::new(), "Options".into()]);
    }
    for option in &thing.options {
        lines.extend(wrapped(&format!("  {}", option.name), &option.summary, 16));
        lines.extend(wrapped("", &format!("value: {}", option.expected), 16));
        if option.unit != "-" {
            lines.extend(wrapped("", &format!("unit: {}", option.unit), 16));
        }
        lines.extend(default(option).iter().flat_map(|default| wrapped("", default, 16)));
    }
    lines.extend([String::new(), "Example".into()]);
    lines.extend(written(&thing.example()).iter().map(|line| format!("  {line}")));
    lines
}

/// Properties of a method.
fn properties(method: &MethodInfo) -> Vec<(&'static str, String)> {
    let order =
        method.order.map_or("none: the method does not integrate spring forces".into(), |order| {
            format!("{order}{}", damped(method))
        });
    let limit = match method.limit {
        None => "any: the method does not integrate spring forces".into(),
        Some(0.0) => "none: undamped motion gains energy at every step size".into(),
        Some(limit) if limit.is_infinite() => "any: the method is stable at every step size".into(),
        Some(limit) => format!(
            "dt < {limit:.3}/ω, with the highest frequency ω of the body; catena stability finds it"
        ),
    };
    let mut all =
        vec![("in pictures", method.title.into()), ("order", order), ("stable step", limit)];
    if method.holds_lengths {
        all.push((
            "lengths",
            "rigid: springs keep their rest length, and stiffness is ignored".into(),
        ));
    }
    all
}

fn word_as_json(word: &NamedWord) -> Value {
    json!({"kind": "word", "name": word.name, "summary": word.summary, "place": word.places.join(", ")})
}

fn as_json(thing: &Thing) -> Value {
    let options: Vec<Value> = thing
        .options
        .iter()
        .map(|Member { name, summary, default, expected, unit, .. }| {
            let unit = Some(unit).filter(|unit| **unit != "-");
            json!({
                "name": name,
                "summary": summary,
                "default": default,
                "range": expected,
                "unit": unit,
            })
        })
        .collect();
    let mut value = json!({
        "kind": thing.kind.name,
        "name": thing.name,
        "summary": thing.summary,
        "place": thing.kind.place,
        "options": options,
        "example": written(&thing.example()).join("\n"),
    });
    if let Some(slip) = thing.slip {
        value["symptom"] = json!(slip.symptom);
        value["correct"] = json!(slip.correct);
    }
    if let Some(method) = thing.method {
        value["order"] = json!(method.order);
        value["damped_order"] = json!(method.damped_order);
        // JSON has no infinity. `null` means stable at every step, and 0 at none.
        value["limit"] = json!(method.limit.filter(|limit| limit.is_finite()));
        value["holds_lengths"] = json!(method.holds_lengths);
    }
    value
}
