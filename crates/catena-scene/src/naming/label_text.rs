//! Labels and the values that they describe: fields that a label mentions, and replacements for
//! stale labels.
//!
//! A label is free text. A field is mentioned by its name or symbol, by a name from its value, or
//! by a number from its value. A number counts only if no other name in the label claims it.

use super::super::rivals::rival;
use super::layer_text::{LayerText, SceneTexts};
use catena_base::text::number::counted;
use catena_sim::method::{METHODS, MethodInfo};

/// Fields by the last name of their path, their synonyms, and their symbols before `=`.
const WORDS: &[(&str, &[&str], &[&str])] = &[
    ("substeps", &["substep", "substeps"], &["dt", "Δt", "h"]),
    ("max_dt", &[], &["dt", "Δt", "h"]),
    ("frame_time", &[], &["dt", "Δt", "h"]),
    ("step_control", &["control", "limit"], &["dt", "Δt"]),
    ("drag", &["damping", "damped", "undamped"], &["c", "c/m", "ζ"]),
    ("velocity_factor", &["damping", "damped", "undamped"], &["c/m", "ζ"]),
    ("nodes", &["node"], &["n", "N"]),
    ("stiffness", &["stiff", "soft"], &["k"]),
    ("mass", &["heavy", "light"], &["m", "c/m"]),
    ("material", &[], &["E"]),
    ("area", &[], &["A"]),
    ("law", &["elastic", "plastic", "springs", "rigid", "held"], &[]),
    ("breaks_at", &["breaks", "breaking", "tears"], &["strain"]),
    ("pins", &["pin", "pinned", "nail", "nails"], &[]),
    ("weights", &["weight", "heavy"], &[]),
    ("gravity", &["weightless"], &["g"]),
    ("colliders", &["collider", "friction", "restitution"], &["e", "μ"]),
    ("restitution", &[], &["e"]),
    ("friction", &[], &["μ"]),
    ("wind", &["windy", "gust", "gusts"], &["w"]),
    ("slips", &["slip", "slipped"], &[]),
    ("rows", &["row"], &[]),
    ("columns", &["column"], &[]),
];

/// Synonyms and symbols of method options.
const OPTION_WORDS: (&[&str], &[&str]) =
    (&["damping", "undamped", "iteration", "iterations", "compliance", "tethers"], &["d", "c/m"]);

/// One-letter symbols that may precede a number without `=`, as in `k 300`. Other letters are
/// names.
const LETTERS: &str = "hkmgcndμζ";

/// Units of the time step after a number.
const STEP_UNITS: [&str; 5] = ["ms", "µs", "μs", "us", "hz"];

/// Units that may follow a number without a space.
const UNITS: [&str; 13] =
    ["s", "ms", "µs", "μs", "us", "hz", "kg", "g", "m", "cm", "mm", "n", "fps"];

/// Words that count steps after a number.
const STEPS: [&str; 2] = ["step", "steps"];

/// Names of fields that are everyday words.
const EVERYDAY: [&str; 6] = ["start", "end", "of", "size", "at", "file"];

/// Label split into words, numbers and symbols.
pub(crate) struct LabelText {
    words: Vec<String>,
    /// Words before `=`, in their original case.
    symbols: Vec<String>,
    numbers: Vec<LabelNumber>,
}

/// Number in a label.
struct LabelNumber {
    value: f64,
    /// Whether a neighbouring word or symbol gives the number a meaning.
    is_claimed: bool,
    /// Whether the number is a count of steps.
    counts_steps: bool,
}

impl LabelText {
    /// Parses a label.
    pub(crate) fn new(label: &str) -> Self {
        let pieces: Vec<&str> = label
            .split(|c: char| c.is_whitespace() || ",;:()[]\"".contains(c))
            .filter(|piece| !piece.is_empty())
            .collect();
        let joined = pieces.join(" ").replace(['=', '≈'], " = ");
        let tokens: Vec<&str> = joined.split_whitespace().collect();
        let mut text = Self { words: Vec::new(), symbols: Vec::new(), numbers: Vec::new() };
        for (at, token) in tokens.iter().enumerate() {
            let before = at.checked_sub(1).map(|at| tokens[at]);
            let after = tokens.get(at + 1).copied();
            let (value, unit) = without_unit(token);
            let unit = unit.or(after).unwrap_or_default();
            match number(value) {
                Some(value) => {
                    let neighbours = [before, after].map(Option::unwrap_or_default);
                    let counts_steps = STEPS.contains(&neighbours[1].to_lowercase().as_str());
                    let is_of_step = STEP_UNITS.contains(&unit.to_lowercase().as_str());
                    text.symbols.extend(is_of_step.then(|| "dt".to_owned()));
                    let is_claimed = counts_steps
                        || is_of_step
                        || before.is_some_and(|before| before == "=" || is_symbol(before))
                        || neighbours.iter().any(|word| is_known(&word.to_lowercase()));
                    // A small integer alone may be the number of a panel.
                    let is_index = tokens.len() == 1 && value.fract() == 0.0 && value < 100.0;
                    let is_claimed = is_claimed || is_index;
                    text.numbers.push(LabelNumber { value, is_claimed, counts_steps });
                }
                None if after == Some("=") => text.symbols.push((*token).to_owned()),
                None if is_symbol(token) && after.is_some_and(is_number) => {
                    text.symbols.push((*token).to_owned());
                }
                None => {}
            }
            text.words.extend(words(token));
        }
        text
    }

    /// Whether the label contains all of the words.
    fn has_all(&self, words: &[String]) -> bool {
        !words.is_empty() && words.iter().all(|word| self.words.contains(word))
    }

    fn has_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.words.iter().any(|own| own == word))
    }

    fn has_symbol(&self, symbols: &[&str]) -> bool {
        symbols.iter().any(|symbol| self.symbols.iter().any(|own| own == symbol))
    }

    /// Whether the label contains a number of the value that no other field claims.
    fn has_number_of(&self, value: &str) -> bool {
        let of_value = numbers(value);
        let is_in = |number: f64| of_value.iter().any(|own| is_same_number(*own, number));
        let free = self.numbers.iter().filter(|number| !number.is_claimed);
        free.map(|number| number.value).any(|number| is_in(number) || is_in(number / 100.0))
    }

    /// Whether the label mentions the field at a path with this value.
    pub(crate) fn mentions(&self, path: &str, value: &str) -> bool {
        if path == "integrator" {
            return self.mentions_method(value) || self.mentions_options(value);
        }
        let last = path.rsplit('.').next().unwrap_or(path);
        let name: Vec<String> = last.split('_').map(String::from).collect();
        let known = WORDS.iter().filter(|(end, ..)| *end == last);
        let is_named = known.clone().any(|(_, words, _)| self.has_any(words))
            || known.clone().any(|(.., symbols)| self.has_symbol(symbols));
        is_named
            || (!EVERYDAY.contains(&last) && self.has_all(&name))
            || (last == "substeps" && self.numbers.iter().any(|number| number.counts_steps))
            || names(value).any(|name| self.has_all(&words(name)))
            || self.has_number_of(value)
    }

    /// Whether the label contains a number of a value, regardless of sign.
    fn has_size_of(&self, value: &str) -> bool {
        let sizes: Vec<f64> = numbers(value).into_iter().map(f64::abs).collect();
        let is_size = |number: &LabelNumber| {
            sizes.iter().any(|size| is_same_number(*size, number.value.abs()))
        };
        self.numbers.iter().any(is_size)
    }

    /// Whether the label contains the name or symbol of a field. For `integrator`, the name of any
    /// method counts.
    pub(crate) fn names(&self, path: &str) -> bool {
        match path {
            "integrator" => METHODS.iter().any(|info| self.mentions_method(info.name)),
            _ => self.mentions(path, ""),
        }
    }

    /// Whether the label names the method of an `integrator`, in full or in part.
    pub(crate) fn mentions_method(&self, integrator: &str) -> bool {
        let named = method(integrator).is_some_and(|info| {
            let all = [words(info.title), words(info.name)].concat();
            all.iter().any(|word| word.parse::<f64>().is_err() && self.words.contains(word))
        });
        named || self.has_any(&["method", "methods", "integrator", "integrators"])
    }

    /// Whether the label mentions an option of the method of an `integrator`.
    pub(crate) fn mentions_options(&self, integrator: &str) -> bool {
        let options = method(integrator).map_or(&[][..], |info| info.options);
        let (names, symbols) = OPTION_WORDS;
        let is_option = |word: &str| {
            options.iter().any(|option| option.name.starts_with(word.trim_end_matches('s')))
        };
        let named: Vec<&str> = names
            .iter()
            .copied()
            .filter(|word| is_option(word) || (*word == "undamped" && is_option("damping")))
            .collect();
        let has_options = !options.is_empty();
        self.has_any(&named)
            || (has_options && self.has_symbol(symbols))
            || self.has_number_of(options_of(integrator))
    }
}

/// Returns the method that an `integrator` names.
pub(super) fn method(integrator: &str) -> Option<&'static MethodInfo> {
    let name = integrator.split('(').next().unwrap_or(integrator).trim();
    METHODS.iter().find(|info| info.name == name)
}

/// Returns the options of an `integrator` without their parentheses.
pub(super) fn options_of(integrator: &str) -> &str {
    let (_, options) = integrator.split_once('(').unwrap_or_default();
    options.trim().strip_suffix(')').unwrap_or(options).trim()
}

/// Whether a word names a field or an option. Such a word gives a meaning to an adjacent number.
fn is_known(word: &str) -> bool {
    let is_one = |one: &(&str, &[&str], &[&str])| one.0 == word || one.1.contains(&word);
    WORDS.iter().any(is_one) || OPTION_WORDS.0.contains(&word)
}

/// Whether a word is a symbol that may precede a number without `=`.
fn is_symbol(word: &str) -> bool {
    let is_short = word.chars().count() == 1;
    let mut all = WORDS.iter().flat_map(|one| one.2);
    all.any(|symbol| *symbol == word) && (!is_short || LETTERS.contains(word))
}

/// Whether a word is a number, with a unit or without.
fn is_number(word: &str) -> bool {
    number(without_unit(word).0).is_some()
}

/// Divides `0.02s` or `20ms` into the number and its unit. Other words stay whole.
fn without_unit(word: &str) -> (&str, Option<&str>) {
    let is_unit = |c: char| c.is_alphabetic();
    let end = word.trim_end_matches(is_unit).len();
    let (value, unit) = word.split_at(end);
    match number(value) {
        Some(_) if UNITS.contains(&unit.to_lowercase().as_str()) => (value, Some(unit)),
        _ => (word, None),
    }
}

/// Splits a text into lower-case words. Names such as `SemiImplicitEuler` have several.
fn words(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for piece in text.split(|c: char| !c.is_alphanumeric()).filter(|piece| !piece.is_empty()) {
        let mut word = String::new();
        let mut was_lower = false;
        for letter in piece.chars() {
            if letter.is_uppercase() && was_lower {
                all.push(std::mem::take(&mut word));
            }
            was_lower = letter.is_lowercase();
            word.extend(letter.to_lowercase());
        }
        all.push(word);
    }
    all
}

/// Returns the identifiers of at least three bytes in the text of a value.
fn names(value: &str) -> impl Iterator<Item = &str> {
    let pieces = value.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    pieces.filter(|piece| piece.len() > 2 && piece.starts_with(char::is_alphabetic))
}

/// Returns the numbers in the text of a value.
fn numbers(value: &str) -> Vec<f64> {
    let is_between = |c: char| !(c.is_ascii_alphanumeric() || "+-._".contains(c));
    value.split(is_between).filter_map(|piece| piece.parse().ok()).collect()
}

/// Parses a word of a label as a number, such as `16`, `1/64` or `15%`.
fn number(word: &str) -> Option<f64> {
    let word = word.trim_end_matches(['%', '°', '.']);
    match word.split_once('/') {
        Some((numerator, denominator)) => {
            let (numerator, denominator): (f64, f64) =
                (numerator.parse().ok()?, denominator.parse().ok()?);
            (denominator != 0.0).then(|| numerator / denominator)
        }
        None if word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) => {
            word.parse().ok()
        }
        None => None,
    }
}

/// Whether two numbers are equal except for rounding.
fn is_same_number(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

/// Maximum length of a value in a label, in characters.
const MAX_VALUE_LENGTH: usize = 32;

/// Layers that a label describes.
pub(super) struct Described<'a, 't> {
    pub(super) texts: &'t SceneTexts<'a>,
    /// Layers below the label's own, from lowest to highest.
    pub(super) lower: Vec<&'t LayerText<'a>>,
    /// Layers that the label belongs to.
    pub(super) own: Vec<&'t LayerText<'a>>,
    /// Layers of bodies, which a panel's label may also describe.
    pub(super) inner: Vec<&'t LayerText<'a>>,
}

/// Parts of a label that is generated from values.
pub(super) struct LabelParts<'p> {
    /// Title of the method, the first part of the label.
    pub(super) title: Option<&'p str>,
    /// Label that is replaced.
    pub(super) given: Option<&'p str>,
    /// Fields whose values differ from the neighbouring entries.
    pub(super) differing: &'p [String],
    /// Whether the values of axes are left out.
    pub(super) without_axes: bool,
}

impl Described<'_, '_> {
    /// Returns the value of a field without overrides.
    pub(super) fn replaced(&self, path: &str) -> Option<String> {
        let layers = self.own.iter().rev().chain(self.lower.iter().rev());
        deciding(layers.copied(), path)?.get(path)
    }

    /// Returns the value of a field that is simulated.
    pub(super) fn running(&self, path: &str) -> Option<String> {
        match deciding(self.texts.above.iter().rev(), path) {
            Some(layer) => layer.get(path),
            None => self.replaced(path),
        }
    }

    /// Returns the field that sets the quantity of `path` in the simulation: `path` or its rival.
    fn in_effect<'p>(&self, path: &'p str) -> &'p str {
        let rival = rival(path).filter(|rival| self.running(rival).is_some());
        rival.filter(|_| self.running(path).is_none()).unwrap_or(path)
    }

    /// Returns the fields in effect instead of the fields at `paths`, without duplicates.
    pub(super) fn all_in_effect<'p>(&self, paths: &[&'p str]) -> Vec<&'p str> {
        let mut all: Vec<&str> = Vec::with_capacity(paths.len());
        for path in paths.iter().map(|path| self.in_effect(path)) {
            if !all.contains(&path) {
                all.push(path);
            }
        }
        all
    }

    /// Returns the fields whose value an override changes, with their old values.
    fn changed(&self) -> Vec<(&str, String)> {
        let all = self.texts.overridden().into_iter();
        all.filter_map(|path| {
            let old = self.replaced(path).unwrap_or_default();
            let differs = !is_same(&old, &self.running(path).unwrap_or_default());
            differs.then_some((path, old))
        })
        .collect()
    }

    /// Returns the fields of the own layers whose value an override changes.
    pub(super) fn own_changed(&self) -> Vec<&str> {
        let changed = self.changed().into_iter().map(|(path, _)| path);
        changed.filter(|path| self.sets(path)).collect()
    }

    /// Whether the own layers set a field.
    fn sets(&self, path: &str) -> bool {
        self.own.iter().any(|layer| layer.paths.iter().any(|own| own == path))
    }

    /// Returns the fields of the own layers, without duplicates.
    pub(super) fn own_paths(&self) -> Vec<&str> {
        let mut all: Vec<&str> = Vec::new();
        for path in self.own.iter().flat_map(|layer| &layer.paths) {
            if path != "bodies" && !all.contains(&path.as_str()) {
                all.push(path);
            }
        }
        all
    }

    /// Whether a label contradicts the values that are simulated.
    pub(super) fn is_stale(&self, label: &str) -> bool {
        let (text, changed) = (LabelText::new(label), self.changed());
        self.is_contradicted(&text, &changed) || self.is_stale_name(&text, &changed)
    }

    /// Returns the label of a panel followed by the lists that an override sets, because a list of
    /// forces describes a panel less well than its label. Returns `None` if the label mentions a
    /// changed value, or if the override changes a field that is not a list.
    pub(super) fn named_with_lists(&self, label: &str) -> Option<String> {
        let (text, changed) = (LabelText::new(label), self.changed());
        let own: Vec<&(&str, String)> =
            changed.iter().filter(|(path, _)| self.sets(path) && !is_drawing(path)).collect();
        let are_lists = !own.is_empty() && own.iter().all(|(_, old)| old.starts_with('['));
        // A label may contain the magnitude of a force that has a negative component.
        let is_mentioned = own.iter().any(|(_, old)| text.has_size_of(old));
        if !are_lists || is_mentioned || self.is_contradicted(&text, &changed) {
            return None;
        }
        let lists = own
            .into_iter()
            .flat_map(|(path, _)| in_words(path, &self.running(path).unwrap_or_default(), true));
        Some([label.to_owned()].into_iter().chain(lists).collect::<Vec<_>>().join(", "))
    }

    /// Whether a label mentions the old value of a field that an override changes.
    fn is_contradicted(&self, text: &LabelText, changed: &[(&str, String)]) -> bool {
        let is_mentioned = |path: &str, old: &str| match path {
            "integrator" => self.mentions_change(text, old),
            _ => text.mentions(path, old),
        };
        let of_bodies = |path: &str| {
            let new = self.running(path).unwrap_or_default();
            let old = self.inner.iter().filter_map(|layer| layer.get(path));
            old.filter(|old| !is_same(old, &new)).any(|old| is_mentioned(path, &old))
        };
        changed.iter().any(|(path, old)| is_mentioned(path, old))
            || self.texts.overridden().into_iter().any(of_bodies)
    }

    /// Whether a label names what an override changes. A label that mentions no field is assumed to
    /// describe all fields that its layers set.
    fn is_stale_name(&self, text: &LabelText, changed: &[(&str, String)]) -> bool {
        let own = self.own_paths();
        let mentions =
            |path: &&str| self.replaced(path).is_some_and(|old| text.mentions(path, &old));
        let is_about = |path: &str| !is_drawing(path) || own.iter().all(|path| is_drawing(path));
        let stands_for = |path: &str| self.sets(path) && is_about(path);
        changed.iter().any(|(path, _)| stands_for(path)) && !own.iter().any(mentions)
    }

    /// Whether a label mentions a change of the method or its options.
    fn mentions_change(&self, text: &LabelText, old: &str) -> bool {
        let new = self.running("integrator").unwrap_or_default();
        let is_other = method(old).map(|info| info.name) != method(&new).map(|info| info.name);
        text.mentions_options(old) || (is_other && text.mentions_method(old))
    }

    /// Whether a label describes a field that an axis varies, explicitly or as a whole.
    pub(super) fn is_on_axis(&self, label: Option<&str>) -> bool {
        let on_axes: Vec<&str> = self
            .texts
            .overridden()
            .into_iter()
            .filter(|path| self.texts.is_on_axis(path))
            .collect();
        let Some(label) = label else { return on_axes.contains(&"integrator") };
        let text = LabelText::new(label);
        let mentions =
            |path: &&str| self.replaced(path).is_some_and(|old| text.mentions(path, &old));
        let of_bodies = |path: &&str| {
            self.inner.iter().filter_map(|it| it.get(path)).any(|old| text.mentions(path, &old))
        };
        on_axes.iter().any(|path| mentions(path) || of_bodies(path))
            || (on_axes.iter().any(|path| self.sets(path) && !is_drawing(path))
                && !self.own_paths().iter().any(mentions))
    }

    /// Generates a label of the simulated values. The method comes first, then changed fields and
    /// fields that the given label mentions, then differing fields.
    pub(super) fn label(&self, parts: &LabelParts<'_>) -> String {
        let LabelParts { title, given, differing, without_axes } = *parts;
        let is_left_out = |path: &str| without_axes && self.texts.is_on_axis(path);
        let text = given.map(LabelText::new);
        let changed = self.changed();
        let has_changed = |path: &str| changed.iter().any(|(other, _)| *other == path);
        let is_mentioned = |path: &str| {
            let old = self.replaced(path);
            text.as_ref().zip(old).is_some_and(|(text, old)| text.mentions(path, &old))
        };
        let is_own = |path: &&str| is_mentioned(path) || (has_changed(path) && !is_drawing(path));
        let mut paths: Vec<&str> = self.own_paths().into_iter().filter(is_own).collect();
        let of_others = changed.iter().map(|(path, _)| *path).filter(|path| is_mentioned(path));
        for path in of_others.chain(differing.iter().map(String::as_str)) {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        if paths.is_empty() && changed.iter().any(|(path, _)| self.sets(path)) {
            paths = self.own_changed();
        }
        let mut parts: Vec<String> = Vec::new();
        parts.extend(title.filter(|_| !is_left_out("integrator")).map(String::from));
        let shown = self.all_in_effect(&paths).into_iter().filter(|path| !is_left_out(path));
        parts.extend(shown.flat_map(|path| {
            let is_above = self.texts.is_overridden(path);
            in_words(path, &self.running(path).unwrap_or_default(), is_above)
        }));
        parts.join(", ")
    }
}

/// Returns the first layer that sets a field or its rival, from the highest layer on.
fn deciding<'l, 'a: 'l>(
    mut layers: impl Iterator<Item = &'l LayerText<'a>>,
    path: &str,
) -> Option<&'l LayerText<'a>> {
    layers.find(|layer| layer.sets(path) || rival(path).is_some_and(|rival| layer.sets(rival)))
}

/// Formats the value of a field for labels; for a method, its options.
pub(super) fn in_words(path: &str, value: &str, is_above: bool) -> Vec<String> {
    let named = |name: &str, value: &str| match value.chars().count() <= MAX_VALUE_LENGTH {
        true => format!("{name} = {value}"),
        false if is_above => format!("other {name}"),
        false => format!("own {name}"),
    };
    match path {
        _ if value.is_empty() => Vec::new(),
        // Titles name the slips.
        "slips" => Vec::new(),
        "integrator" => {
            let options = options_of(value);
            let is_short = options.chars().count() <= MAX_VALUE_LENGTH && !options.is_empty();
            is_short.then(|| with_equals(options)).into_iter().collect()
        }
        "substeps" => match value.parse() {
            Ok(count) => vec![counted(count, "substep")],
            Err(_) => vec![named("substeps", value)],
        },
        _ => vec![named(path.rsplit('.').next().unwrap_or(path), value)],
    }
}

/// Returns options with `=` in place of colons.
fn with_equals(options: &str) -> String {
    let parts: Vec<&str> = options.split(':').map(str::trim).collect();
    parts.join(" = ")
}

/// Whether a field affects drawing but not motion.
pub(super) fn is_drawing(path: &str) -> bool {
    const DRAWN: [&str; 9] = [
        "size",
        "frames",
        "background",
        "decoration",
        "columns",
        "fit",
        "rig.show",
        "rig.color",
        "bodies",
    ];
    const GROUPS: [&str; 7] =
        ["style.", "view.", "camera.", "ground.", "light.", "motion_blur.", "rest."];
    DRAWN.contains(&path) || GROUPS.iter().any(|group| path.starts_with(group))
}

/// Whether two texts represent the same value.
pub(super) fn is_same(a: &str, b: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    a == b || number(a).is_some_and(|a| Some(a) == number(b))
}
