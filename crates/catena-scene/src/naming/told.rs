//! Detection of the fields that a label or a title mentions.
//!
//! A label is free text. A field is mentioned by its name or symbol, by a name from its value, or
//! by a number from its value. A number counts only if no other name in the label claims it.

use catena_sim::method::{METHODS, MethodInfo};

/// Fields by the last name of their path, their synonyms, and their symbols before `=`.
const WORDS: &[(&str, &[&str], &[&str])] = &[
    ("substeps", &["substep", "substeps"], &["dt", "Δt", "h"]),
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
    ("rows", &["row"], &[]),
    ("columns", &["column"], &[]),
];

/// Synonyms and symbols of method options.
const OPTION_WORDS: (&[&str], &[&str]) =
    (&["damping", "undamped", "iteration", "iterations", "compliance", "tethers"], &["d", "c/m"]);

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
    /// Whether a neighbouring word or symbol says what it counts.
    is_claimed: bool,
    /// Whether it counts steps.
    counts_steps: bool,
}

impl LabelText {
    /// Parses a label.
    pub(crate) fn new(label: &str) -> Self {
        let pieces: Vec<&str> = label
            .split(|c: char| c.is_whitespace() || ",;:()[]\"".contains(c))
            .filter(|piece| !piece.is_empty())
            .collect();
        let joined = pieces.join(" ").replace('=', " = ");
        let tokens: Vec<&str> = joined.split_whitespace().collect();
        let mut text = Self { words: Vec::new(), symbols: Vec::new(), numbers: Vec::new() };
        for (at, token) in tokens.iter().enumerate() {
            let before = at.checked_sub(1).map(|at| tokens[at]);
            let after = tokens.get(at + 1).copied();
            match number(token) {
                Some(value) => {
                    let beside = [before, after].map(Option::unwrap_or_default);
                    let counts_steps = STEPS.contains(&beside[1].to_lowercase().as_str());
                    let is_claimed = counts_steps
                        || before == Some("=")
                        || beside.iter().any(|word| is_known(&word.to_lowercase()));
                    // A small integer alone may be the number of a panel.
                    let is_index = tokens.len() == 1 && value.fract() == 0.0 && value < 100.0;
                    let is_claimed = is_claimed || is_index;
                    text.numbers.push(LabelNumber { value, is_claimed, counts_steps });
                }
                None if after == Some("=") => text.symbols.push((*token).to_owned()),
                None => {}
            }
            text.words.extend(words(token));
        }
        text
    }

    /// Whether it contains all of these words.
    fn has_all(&self, words: &[String]) -> bool {
        !words.is_empty() && words.iter().all(|word| self.words.contains(word))
    }

    fn has_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.words.iter().any(|own| own == word))
    }

    fn has_symbol(&self, symbols: &[&str]) -> bool {
        symbols.iter().any(|symbol| self.symbols.iter().any(|own| own == symbol))
    }

    /// Whether it contains a number of the value that no other field claims.
    fn has_number_of(&self, value: &str) -> bool {
        let of_value = numbers(value);
        let is_in = |number: f64| of_value.iter().any(|own| is_same(*own, number));
        let free = self.numbers.iter().filter(|number| !number.is_claimed);
        free.map(|number| number.value).any(|number| is_in(number) || is_in(number / 100.0))
    }

    /// Whether it mentions the field at a path with this value.
    pub(crate) fn tells(&self, path: &str, value: &str) -> bool {
        if path == "integrator" {
            return self.tells_method(value) || self.tells_options(value);
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

    /// Whether it contains the name or symbol of a field, or any method name for `integrator`.
    pub(crate) fn names(&self, path: &str) -> bool {
        match path {
            "integrator" => METHODS.iter().any(|info| self.tells_method(info.name)),
            _ => self.tells(path, ""),
        }
    }

    /// Whether it names the method of an `integrator`, in full or in part.
    pub(crate) fn tells_method(&self, integrator: &str) -> bool {
        let named = method(integrator).is_some_and(|info| {
            let all = [words(info.title), words(info.name)].concat();
            all.iter().any(|word| word.parse::<f64>().is_err() && self.words.contains(word))
        });
        named || self.has_any(&["method", "methods", "integrator", "integrators"])
    }

    /// Whether it mentions an option of the method of an `integrator`.
    pub(crate) fn tells_options(&self, integrator: &str) -> bool {
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

/// Whether a word names a field or an option, which then claims a number beside it.
fn is_known(word: &str) -> bool {
    let is_one = |one: &(&str, &[&str], &[&str])| one.0 == word || one.1.contains(&word);
    WORDS.iter().any(is_one) || OPTION_WORDS.0.contains(&word)
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
        Some((above, below)) => {
            let (above, below): (f64, f64) = (above.parse().ok()?, below.parse().ok()?);
            (below != 0.0).then(|| above / below)
        }
        None if word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) => {
            word.parse().ok()
        }
        None => None,
    }
}

/// Whether two numbers are equal except for rounding.
fn is_same(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}
