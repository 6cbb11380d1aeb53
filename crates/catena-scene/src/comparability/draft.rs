//! A draft of a layer of settings: fields by their paths, with values as a scene writes them, and
//! fields to leave out.

use catena_ron::Tree;

/// The path of a field, and the text of its new value; `None` leaves the field out.
pub(super) type Edit = (String, Option<String>);

/// Edits of fields, in the order in which they came; one for each path.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct DraftLayer {
    fields: Vec<Edit>,
}

impl DraftLayer {
    /// The draft with these edits, which replace its own of the same paths.
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

    /// Its edits at these paths alone.
    pub(super) fn only(&self, paths: &[String]) -> Self {
        let fields = self.fields.iter().filter(|(path, _)| paths.contains(path));
        Self { fields: fields.cloned().collect() }
    }

    /// The edit of a path: the value, or `Some(None)` if the draft leaves the field out.
    pub(super) fn get(&self, path: &str) -> Option<Option<&str>> {
        self.fields.iter().find(|(other, _)| other == path).map(|(_, value)| value.as_deref())
    }

    /// The paths of the fields that it leaves out.
    pub(super) fn left_out(&self) -> Vec<String> {
        let gone = self.fields.iter().filter(|(_, value)| value.is_none());
        gone.map(|(path, _)| path.clone()).collect()
    }

    /// The paths of the fields that it sets.
    pub(super) fn paths(&self) -> Vec<String> {
        let set = self.fields.iter().filter(|(_, value)| value.is_some());
        set.map(|(path, _)| path.clone()).collect()
    }

    /// All edits.
    pub(super) fn fields(&self) -> &[Edit] {
        &self.fields
    }

    pub(super) fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// What it sets, as it stands in the parentheses of a `with`:
    /// `drag: 0.01, rope: (nodes: 16, pins: [0])`.
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

/// Sets an option of a choice such as `Name(a: 1, b: 2)`, or leaves it out if there is no value;
/// `None` if the text is not such a choice.
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
