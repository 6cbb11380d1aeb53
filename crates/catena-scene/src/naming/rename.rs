//! Replacement of labels and titles that contradict the simulated values, and a warning about it.

use super::super::labels;
use super::super::parts::{Arrangement, Body, Panel};
use super::label_text::{Described, LabelParts, LabelText, in_words, is_drawing, is_same, method};
use super::layer_text::{LayerText, NamedText, SceneTexts};
use super::{ShownScene, bodies_of};
use crate::overridden::Overridden;
use crate::parts::ShownPanel;

/// Relabels panels, bodies, rows, columns and the title according to the simulated values.
pub(crate) fn rename(
    texts: &SceneTexts<'_>,
    shown: &mut ShownScene,
    panels: &mut [Panel],
    title: &mut Option<String>,
) -> Overridden {
    let mut found = Overridden {
        options: texts.options(),
        paths: own_changed(texts),
        renamed: Vec::new(),
        equal: std::mem::take(&mut shown.equal),
        repeated: std::mem::take(&mut shown.repeated),
    };
    for (panel, place) in panels.iter_mut().zip(&shown.panels) {
        name_bodies(texts, panel, place, &mut found);
    }
    match &mut shown.arrangement {
        Arrangement::Grid { rows, columns } => {
            let places = GridLines::new(texts, &shown.panels);
            let row_tables = name_lines(&places.rows, "row", rows, &mut found);
            let column_tables = name_lines(&places.columns, "column", columns, &mut found);
            let across = columns.len().max(1);
            for (at, panel) in panels.iter_mut().enumerate() {
                let (row, column) = (at / across, at % across);
                panel.label = format!("{}, {}", rows[row], columns[column]);
                panel.table_label = format!("{}, {}", row_tables[row], column_tables[column]);
            }
        }
        Arrangement::Flow { .. } => name_panels(texts, panels, &shown.panels, &mut found),
    }
    if texts.is_overridden("slips") {
        add_slips(texts, panels, &mut shown.arrangement);
    }
    number_duplicates(panels, &shown.panels, &found.repeated);
    name_scene(texts, panels, title, &mut found);
    found
}

/// Appends the slips that an override sets to labels that do not name the slips. Labels in tables
/// omit the slips of an axis, because the axis has its own column.
fn add_slips(texts: &SceneTexts<'_>, panels: &mut [Panel], arrangement: &mut Arrangement) {
    let is_on_axis = texts.is_on_axis("slips");
    let add = |label: &mut String, table: &mut String, body: &Body| {
        *label = labels::with_slips(label, body);
        if !is_on_axis {
            *table = labels::with_slips(table, body);
        }
    };
    if let Arrangement::Grid { rows, columns } = arrangement {
        for (row, panels) in rows.iter_mut().zip(panels.chunks(columns.len().max(1))) {
            if let Some(body) = panels.first().and_then(|panel| panel.bodies.first()) {
                *row = labels::with_slips(row, body);
            }
        }
    }
    for panel in panels {
        for index in 0..panel.bodies.len() {
            let body = &panel.bodies[index];
            let (mut label, mut table) = (body.label.clone(), body.table_label.clone());
            add(&mut label, &mut table, body);
            let body = &mut panel.bodies[index];
            (body.label, body.table_label) = (label, table);
        }
        if let [body] = &panel.bodies[..] {
            add(&mut panel.label, &mut panel.table_label, body);
        }
    }
}

/// Returns the fields of panels, rows, columns and bodies whose values overrides change.
fn own_changed(texts: &SceneTexts<'_>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut add = |lower: Vec<&LayerText<'_>>, own: &LayerText<'_>| {
        let described = Described { texts, lower, own: vec![own], inner: Vec::new() };
        for path in described.own_changed() {
            if !all.iter().any(|known| known == path) {
                all.push(path.to_owned());
            }
        }
    };
    let lower: Vec<&LayerText<'_>> = texts.lower.iter().collect();
    let lists = [&texts.panels, &texts.rows, &texts.columns];
    for it in lists.into_iter().flatten() {
        add(lower.clone(), &it.layer);
        for body in it.layer.bodies() {
            add([&lower[..], &[&it.layer]].concat(), &body.layer);
        }
    }
    for body in texts.lower[1].bodies() {
        add(lower.clone(), &body.layer);
    }
    all
}

/// Returns the fields in which entries of a list differ, except for drawing fields and the method.
fn differing(list: &[Described<'_, '_>]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for path in list.iter().flat_map(Described::own_paths) {
        if is_drawing(path) || path == "integrator" || all.iter().any(|known| known == path) {
            continue;
        }
        let values: Vec<String> =
            list.iter().map(|it| it.running(path).unwrap_or_default()).collect();
        if values.iter().any(|value| !is_same(value, &values[0])) {
            all.push(path.to_owned());
        }
    }
    all
}

/// Entry of a list that is labelled by its simulated values.
struct LabelledEntry<'d> {
    described: &'d Described<'d, 'd>,
    given: Option<&'d str>,
    title: Option<&'d str>,
    differing: &'d [String],
    /// Label if no field describes the entry.
    fallback: String,
}

impl LabelledEntry<'_> {
    /// Returns the replacement of a stale label, or `None` if the label is valid or missing.
    fn renamed(&self, found: &mut Overridden) -> Option<String> {
        let given = self.given.filter(|label| self.described.is_stale(label))?;
        let kept = self.described.named_with_lists(given);
        let new = kept.unwrap_or_else(|| self.label(false));
        if new == given {
            return None;
        }
        found.renamed.push([given.to_owned(), new.clone()]);
        Some(new)
    }

    /// Returns the label for tables of sweeps, if the label of pictures would differ between
    /// variants.
    fn of_table(&self) -> Option<String> {
        let is_stale = self.given.is_some_and(|label| self.described.is_stale(label));
        let changes = self.described.is_on_axis(self.given);
        (changes || (is_stale && self.described.texts.has_axes())).then(|| self.label(true))
    }

    fn label(&self, without_axes: bool) -> String {
        let Self { title, given, differing, .. } = *self;
        let label = self.described.label(&LabelParts { title, given, differing, without_axes });
        if label.is_empty() { self.fallback.clone() } else { label }
    }
}

/// Labels the bodies of a panel.
fn name_bodies(
    texts: &SceneTexts<'_>,
    panel: &mut Panel,
    place: &ShownPanel,
    found: &mut Overridden,
) {
    let list = bodies_of(texts, place.index);
    if list.is_empty() {
        return;
    }
    let lower: Vec<&LayerText<'_>> =
        texts.lower.iter().chain(texts.own_of_panel(place.index)).collect();
    let places = place.bodies.clone().unwrap_or_else(|| (0..list.len()).collect());
    let described: Vec<Described<'_, '_>> = places
        .iter()
        .map(|at| {
            let own = vec![&list[*at].layer];
            Described { texts, lower: lower.clone(), own, inner: Vec::new() }
        })
        .collect();
    let differing = differing(&described);
    let is_alone = panel.bodies.len() == 1;
    for ((body, described), at) in panel.bodies.iter_mut().zip(&described).zip(&places) {
        let title = labels::title(&body.method, &body.setup);
        let named = LabelledEntry {
            described,
            given: list[*at].label,
            title: Some(&title),
            differing: &differing,
            fallback: format!("body {at}"),
        };
        let new = named.renamed(found);
        body.label = new.unwrap_or_else(|| std::mem::take(&mut body.label));
        let table = named.of_table().filter(|_| !is_alone);
        body.table_label = table.unwrap_or_else(|| body.label.clone());
    }
}

/// Labels panels in a flow arrangement.
fn name_panels(
    texts: &SceneTexts<'_>,
    panels: &mut [Panel],
    places: &[ShownPanel],
    found: &mut Overridden,
) {
    let list: [&Vec<NamedText<'_>>; 3] = [&texts.panels, &texts.rows, &texts.columns];
    let list = list.into_iter().find(|list| !list.is_empty());
    let bodies: Vec<Vec<NamedText<'_>>> =
        places.iter().map(|place| bodies_of(texts, place.index)).collect();
    let described: Vec<Described<'_, '_>> = places
        .iter()
        .zip(&bodies)
        .map(|(place, bodies)| Described {
            texts,
            lower: texts.lower.iter().collect(),
            own: texts.own_of_panel(place.index),
            inner: bodies.iter().map(|it| &it.layer).collect(),
        })
        .collect();
    let differing = differing(&described);
    let is_alone = panels.len() == 1;
    for ((panel, described), place) in panels.iter_mut().zip(&described).zip(places) {
        let given = list.and_then(|list| list.get(place.index)).and_then(|it| it.label);
        let given = given.filter(|label| !label.trim().is_empty());
        let (title, _) = labels::of_panel(None, &panel.bodies);
        let named = LabelledEntry {
            described,
            given,
            title: Some(&title),
            differing: &differing,
            fallback: format!("panel {}", place.index + 1),
        };
        let new = named.renamed(found);
        panel.label = match (new, given) {
            (Some(new), _) => new,
            (None, Some(_)) => std::mem::take(&mut panel.label),
            (None, None) => title.clone(),
        };
        let table = named.of_table().filter(|_| !is_alone);
        panel.table_label = table.unwrap_or_else(|| panel.label.clone());
    }
}

/// Appends the panel number to generated table labels that occur more than once.
fn number_duplicates(panels: &mut [Panel], places: &[ShownPanel], repeated: &[usize]) {
    let tables: Vec<String> = panels.iter().map(|panel| panel.table_label.clone()).collect();
    for ((panel, table), place) in panels.iter_mut().zip(&tables).zip(places) {
        let is_made = panel.table_label != panel.label || repeated.contains(&place.index);
        if is_made && tables.iter().filter(|other| *other == table).count() > 1 {
            panel.table_label = format!("{table} (panel {})", place.index + 1);
        }
    }
}

/// Shown rows and columns of a grid: index, given label and layers.
struct GridLines<'a, 't> {
    rows: Vec<(usize, Option<&'a str>, Described<'a, 't>)>,
    columns: Vec<(usize, Option<&'a str>, Described<'a, 't>)>,
}

impl<'a, 't> GridLines<'a, 't> {
    fn new(texts: &'t SceneTexts<'a>, places: &[ShownPanel]) -> Self {
        let across = texts.columns.len().max(1);
        let line = |list: &'t [NamedText<'a>], at: usize| {
            let lower = texts.lower.iter().collect();
            let it = &list[at];
            (at, it.label, Described { texts, lower, own: vec![&it.layer], inner: Vec::new() })
        };
        let mut rows: Vec<usize> = places.iter().map(|place| place.index / across).collect();
        rows.dedup();
        let first = places.first().map_or(0, |place| place.index / across);
        let columns = places.iter().filter(|place| place.index / across == first);
        Self {
            rows: rows.into_iter().map(|at| line(&texts.rows, at)).collect(),
            columns: columns.map(|place| line(&texts.columns, place.index % across)).collect(),
        }
    }
}

/// Labels the rows or columns of a grid, and returns their labels in tables.
fn name_lines(
    lines: &[(usize, Option<&str>, Described<'_, '_>)],
    kind: &str,
    labels: &mut [String],
    found: &mut Overridden,
) -> Vec<String> {
    let described: Vec<Described<'_, '_>> = lines
        .iter()
        .map(|(.., it)| Described {
            texts: it.texts,
            lower: it.lower.clone(),
            own: it.own.clone(),
            inner: Vec::new(),
        })
        .collect();
    let differing = differing(&described);
    let mut tables = Vec::with_capacity(labels.len());
    for ((at, given, _), (described, label)) in lines.iter().zip(described.iter().zip(labels)) {
        let integrator = described.running("integrator").unwrap_or_default();
        let names_method = given.is_some_and(|it| LabelText::new(it).mentions_method(&integrator));
        let is_its = described.own_paths().contains(&"integrator") || names_method;
        let title = method(&integrator).map(|info| info.title).filter(|_| is_its);
        let fallback = format!("{kind} {}", at + 1);
        let named =
            LabelledEntry { described, given: *given, title, differing: &differing, fallback };
        if let Some(new) = named.renamed(found) {
            *label = new;
        }
        let is_alone = lines.len() == 1;
        let table = given.and(named.of_table()).filter(|_| !is_alone);
        tables.push(table.unwrap_or_else(|| label.clone()));
    }
    tables
}

/// Replaces the title if it mentions a field that an override changes.
fn name_scene(
    texts: &SceneTexts<'_>,
    panels: &[Panel],
    title: &mut Option<String>,
    found: &mut Overridden,
) {
    let Some(given) = title.clone() else { return };
    let text = LabelText::new(&given);
    let lists = [&texts.panels, &texts.rows, &texts.columns];
    let own = || lists.into_iter().flatten().map(|it| &it.layer).chain([&texts.lower[1]]);
    let bodies: Vec<NamedText<'_>> = own().flat_map(LayerText::bodies).collect();
    let layers: Vec<&LayerText<'_>> = own().chain(bodies.iter().map(|it| &it.layer)).collect();
    let lower = texts.lower.iter().collect();
    let scene = Described { texts, lower, own: Vec::new(), inner: Vec::new() };
    let is_mentioned = |path: &&str| {
        let new = scene.running(path).unwrap_or_default();
        let mut old: Vec<String> = layers.iter().filter_map(|layer| layer.get(path)).collect();
        old.extend(scene.replaced(path));
        old.iter().any(|old| {
            let is_method = *path == "integrator"
                && method(old).map(|it| it.name) == method(&new).map(|it| it.name);
            !is_same(old, &new)
                && if is_method { text.mentions_options(old) } else { text.mentions(path, old) }
        })
    };
    let mentioned: Vec<&str> = texts.overridden().into_iter().filter(is_mentioned).collect();
    if mentioned.is_empty() {
        return;
    }
    let bodies: Vec<&Body> = panels.iter().flat_map(|panel| &panel.bodies).collect();
    let one = bodies.first().map(|body| body.method.title);
    let one = one.filter(|title| bodies.iter().all(|body| body.method.title == *title));
    let mut parts = vec![one.map_or_else(|| format!("{} panels", panels.len()), String::from)];
    parts.extend(
        scene
            .all_in_effect(&mentioned)
            .into_iter()
            .flat_map(|path| in_words(path, &scene.running(path).unwrap_or_default(), true)),
    );
    let new = parts.join(", ");
    found.renamed.push([given, new.clone()]);
    *title = Some(new);
}
