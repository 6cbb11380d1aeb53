//! Draft of a settings layer: fields to set, by path and with values in scene syntax, and fields to
//! remove.

use catena_ron::Tree;

/// Path of a field and the text of its new value; `None` removes the field.
pub(super) type Edit = (String, Option<String>);

/// Edits in the order in which they were added, at most one per path.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct DraftLayer {
    fields: Vec<Edit>,
}

impl DraftLayer {
    /// Returns the draft with more edits, which replace its own edits of the same paths.
    pub(super) fn with(&self, change: &[Edit]) -> Self {
        let mut all = self.clone();
        for (path, value) in change {
            match all.fields.iter_mut().find(|(other, _)| other == path) {
                Some((_, old)) => old.clone_from(value),
                None => all.fields.push((path.clone(), value.clone())),
            }
        }
        all
    }

    /// Returns the edits of these paths.
    pub(super) fn only(&self, paths: &[String]) -> Self {
        let fields = self.fields.iter().filter(|(path, _)| paths.contains(path));
        Self { fields: fields.cloned().collect() }
    }

    /// Returns the edit of a path: the value, or `Some(None)` if the draft removes the field.
    pub(super) fn get(&self, path: &str) -> Option<Option<&str>> {
        self.fields.iter().find(|(other, _)| other == path).map(|(_, value)| value.as_deref())
    }

    /// Returns the paths of the fields that the draft removes.
    pub(super) fn left_out(&self) -> Vec<String> {
        let gone = self.fields.iter().filter(|(_, value)| value.is_none());
        gone.map(|(path, _)| path.clone()).collect()
    }

    /// Returns the paths of the fields that the draft sets.
    pub(super) fn paths(&self) -> Vec<String> {
        let set = self.fields.iter().filter(|(_, value)| value.is_some());
        set.map(|(path, _)| path.clone()).collect()
    }

    /// Returns all edits.
    pub(super) fn fields(&self) -> &[Edit] {
        &self.fields
    }

    pub(super) fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Returns the settings as text for the parentheses of a `with`: `drag: 0.01, rope: (nodes: 16,
    /// pins: [0])`.
    pub(super) fn text(&self) -> String {
        let mut heads: Vec<(&str, Vec<String>)> = Vec::new();
        let mut parts = Vec::new();
        let set = self.fields.iter().filter_map(|(path, value)| Some((path, value.as_ref()?)));
        for (path, value) in set {
            let Some((head, field)) = path.split_once('.') else {
                parts.push(format!("{path}: {value}"));
                continue;
            };
            let field = format!("{field}: {value}");
            match heads.iter_mut().find(|(other, _)| *other == head) {
                Some((_, fields)) => fields.push(field),
                None => heads.push((head, vec![field])),
            }
        }
        let groups = heads.iter().map(|(head, fields)| format!("{head}: ({})", fields.join(", ")));
        parts.extend(groups);
        parts.join(", ")
    }
}

/// Sets an option of a choice such as `Name(a: 1, b: 2)`, or removes it if `value` is `None`.
/// Returns `None` if the text is not such a choice.
pub(super) fn with_option(choice: &str, name: &str, value: Option<&str>) -> Option<String> {
    let title = choice.split('(').next().unwrap_or_default();
    let tree = Tree::parse(choice);
    let options = tree.root().entries();
    let mut texts: Vec<(&str, &str)> = options.map(|it| (it.name(), it.text())).collect();
    match (texts.iter().position(|(other, _)| *other == name), value) {
        (Some(found), Some(value)) => texts[found].1 = value,
        (Some(found), None) => drop(texts.remove(found)),
        (None, Some(value)) => texts.push((name, value)),
        (None, None) => {}
    }
    let texts: Vec<String> = texts.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    let title = title.trim();
    Some(if texts.is_empty() { title.into() } else { format!("{title}({})", texts.join(", ")) })
}
