//! Labels with the layers that they describe: whether a label is still valid, and replacements for
//! stale ones.

use super::layer_text::{LayerText, SceneTexts};
use super::told::{LabelText, method, options_of};
use catena_base::text::number::counted;

/// Maximum length of a value in a label, in characters.
const MAX_VALUE_LENGTH: usize = 32;

/// Layers that a label describes.
pub(super) struct Described<'a, 't> {
    pub(super) texts: &'t SceneTexts<'a>,
    /// Layers below the label's own, from lowest to highest.
    pub(super) below: Vec<&'t LayerText<'a>>,
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
    /// Fields that differ from those of neighbouring entries.
    pub(super) differing: &'p [String],
    /// Whether the values of axes are left out.
    pub(super) without_axes: bool,
}

impl Described<'_, '_> {
    /// Returns the value of a field without overrides.
    pub(super) fn replaced(&self, path: &str) -> Option<String> {
        let mut layers = self.own.iter().rev().chain(self.below.iter().rev());
        layers.find_map(|layer| layer.get(path))
    }

    /// Returns the value of a field that is simulated.
    pub(super) fn running(&self, path: &str) -> Option<String> {
        let above = self.texts.above.iter().rev().find_map(|layer| layer.get(path));
        above.or_else(|| self.replaced(path))
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

    /// Returns the fields of its own layers whose value an override changes.
    pub(super) fn own_changed(&self) -> Vec<&str> {
        let changed = self.changed().into_iter().map(|(path, _)| path);
        changed.filter(|path| self.sets(path)).collect()
    }

    /// Whether its own layers set a field.
    fn sets(&self, path: &str) -> bool {
        self.own.iter().any(|layer| layer.paths.iter().any(|own| own == path))
    }

    /// Returns the fields of its own layers, each once.
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
        let changed = self.changed();
        let text = LabelText::new(label);
        let is_told = |path: &str, old: &str| match path {
            "integrator" => self.tells_change(&text, old),
            _ => text.tells(path, old),
        };
        let of_bodies = |path: &str| {
            let new = self.running(path).unwrap_or_default();
            let old = self.inner.iter().filter_map(|layer| layer.get(path));
            old.filter(|old| !is_same(old, &new)).any(|old| is_told(path, &old))
        };
        if changed.iter().any(|(path, old)| is_told(path, old))
            || self.texts.overridden().into_iter().any(of_bodies)
        {
            return true;
        }
        // A label that names no field is assumed to describe all fields that its layers set.
        let own = self.own_paths();
        let tells = |path: &&str| self.replaced(path).is_some_and(|old| text.tells(path, &old));
        let is_about = |path: &str| !is_drawing(path) || own.iter().all(|path| is_drawing(path));
        let stands_for = |path: &str| self.sets(path) && is_about(path);
        changed.iter().any(|(path, _)| stands_for(path)) && !own.iter().any(tells)
    }

    /// Whether a label mentions a change of the method or its options.
    fn tells_change(&self, text: &LabelText, old: &str) -> bool {
        let new = self.running("integrator").unwrap_or_default();
        let is_other = method(old).map(|info| info.name) != method(&new).map(|info| info.name);
        text.tells_options(old) || (is_other && text.tells_method(old))
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
        let tells = |path: &&str| self.replaced(path).is_some_and(|old| text.tells(path, &old));
        let of_bodies = |path: &&str| {
            self.inner.iter().filter_map(|it| it.get(path)).any(|old| text.tells(path, &old))
        };
        on_axes.iter().any(|path| tells(path) || of_bodies(path))
            || (on_axes.iter().any(|path| self.sets(path) && !is_drawing(path))
                && !self.own_paths().iter().any(tells))
    }

    /// Generates a label of the simulated values. The method comes first, then changed fields and
    /// those that the given label mentions, then differing fields.
    pub(super) fn label(&self, parts: &LabelParts<'_>) -> String {
        let LabelParts { title, given, differing, without_axes } = *parts;
        let is_left_out = |path: &str| without_axes && self.texts.is_on_axis(path);
        let text = given.map(LabelText::new);
        let changed = self.changed();
        let has_changed = |path: &str| changed.iter().any(|(other, _)| *other == path);
        let is_told = |path: &str| {
            let old = self.replaced(path);
            text.as_ref().zip(old).is_some_and(|(text, old)| text.tells(path, &old))
        };
        let is_own = |path: &&str| is_told(path) || (has_changed(path) && !is_drawing(path));
        let mut paths: Vec<&str> = self.own_paths().into_iter().filter(is_own).collect();
        let of_others = changed.iter().map(|(path, _)| *path).filter(|path| is_told(path));
        for path in of_others.chain(differing.iter().map(String::as_str)) {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        if paths.is_empty() && changed.iter().any(|(path, _)| self.sets(path)) {
            paths = self.own_changed();
        }
        let mut said: Vec<String> = Vec::new();
        said.extend(title.filter(|_| !is_left_out("integrator")).map(String::from));
        let shown = paths.iter().copied().filter(|path| !is_left_out(path));
        said.extend(shown.flat_map(|path| {
            let is_above = self.texts.is_overridden(path);
            in_words(path, &self.running(path).unwrap_or_default(), is_above)
        }));
        said.join(", ")
    }
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
    const GROUPS: [&str; 5] = ["style.", "view.", "camera.", "ground.", "rest."];
    DRAWN.contains(&path) || GROUPS.iter().any(|group| path.starts_with(group))
}

/// Whether two texts represent the same value.
pub(super) fn is_same(a: &str, b: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    a == b || number(a).is_some_and(|a| Some(a) == number(b))
}
