//! Labels of panels and bodies in pictures, figures, tables and messages.
//!
//! A body is labelled by the scene or by its method's title. Outside its panel, the label from
//! [`Scene::body_labels`] is used, so that bodies are distinguishable unless the scene repeats
//! labels. A single body has its panel's label. In a panel with several bodies, each has its own
//! label, or `panel: body` if another body of the scene has that label too.
//!
//! If panels, or bodies of a panel, have no labels of their own and the same method, their labels
//! also contain the method options and the `max_dt` in which they differ.

use super::parts::{Body, Panel, Scene};
use super::schema::{Layer, Settings};
use catena_ron::{Tree, one_line};
use catena_sim::Setup;
use catena_sim::method::MethodInfo;
use std::collections::{BTreeMap, HashMap};

/// Returns the title of a method, followed by the slips of a setup.
pub(super) fn title(method: &MethodInfo, setup: &Setup) -> String {
    let titles = std::iter::once(method.title);
    titles.chain(setup.slips.iter().map(|slip| slip.info().title)).collect::<Vec<_>>().join(", ")
}

/// Returns a label followed by those slips of a body that the label does not name.
pub(super) fn with_slips(label: &str, body: &Body) -> String {
    let lower = label.to_lowercase();
    let slips = body.setup.slips.iter().map(|slip| slip.info().title);
    let missing = slips.filter(|slip| !lower.contains(&slip.to_lowercase()));
    std::iter::once(label).chain(missing).collect::<Vec<_>>().join(", ")
}

/// Returns the settings of a method and its steps as pairs of name and text: the options of the
/// method, the step control, and the maximum step if it determines the steps per frame.
pub(super) fn stepping(settings: &Settings, max_dt: Option<f64>) -> Vec<(String, String)> {
    let mut all = Vec::new();
    if let Some(method) = &settings.integrator {
        let tree = Tree::parse(format!("{method:?}"));
        let options = tree.root().entries();
        all.extend(options.map(|it| (it.name().to_owned(), one_line(it.text()))));
    }
    let control = settings.step_control.as_ref();
    let control = control.map(|control| one_line(&format!("{control:?}")));
    all.extend(control.filter(|it| it != "Fixed").map(|it| ("step_control".into(), it)));
    all.extend(max_dt.map(|max_dt| ("max_dt".into(), max_dt.to_string())));
    all
}

/// Maximum length of a value in a label, in characters.
const MAX_VALUE_LENGTH: usize = 32;

/// Extends the labels of panels, and of bodies in a panel, by the settings in which they differ.
/// This applies to panels and bodies that have the same method and no label from the scene.
pub(super) fn distinguish(panels: &mut [Panel]) {
    for panel in panels.iter_mut().filter(|panel| panel.bodies.len() > 1) {
        let mut bodies: Vec<&mut Body> = panel.bodies.iter_mut().collect();
        extend(&mut bodies);
        if !panel.is_named {
            panel.label = of_panel(None, &panel.bodies).0;
            panel.table_label.clone_from(&panel.label);
        }
    }
    let is_unlabelled = |panel: &&mut Panel| !panel.is_named && panel.bodies.len() == 1;
    let mut alone: Vec<&mut Panel> = panels.iter_mut().filter(is_unlabelled).collect();
    let mut bodies: Vec<&mut Body> = alone.iter_mut().flat_map(|panel| &mut panel.bodies).collect();
    extend(&mut bodies);
    for panel in alone {
        panel.label = of_panel(None, &panel.bodies).0;
        panel.table_label.clone_from(&panel.label);
    }
}

/// Extends the labels of bodies that are labelled by the same method and its slips.
fn extend(bodies: &mut [&mut Body]) {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, body) in bodies.iter().enumerate() {
        if body.label == title(&body.method, &body.setup) {
            groups.entry(body.label.clone()).or_default().push(index);
        }
    }
    for members in groups.into_values() {
        let all: Vec<Vec<(String, String)>> =
            members.iter().map(|member| bodies[*member].stepping.clone()).collect();
        for (member, own) in members.iter().zip(&all) {
            let is_shared = |setting: &(String, String)| all.iter().all(|it| it.contains(setting));
            let body = &mut bodies[*member];
            for (name, value) in own.iter().filter(|setting| !is_shared(setting)) {
                body.label += &match value.chars().count() > MAX_VALUE_LENGTH {
                    true => format!(", own {name}"),
                    false => format!(", {name} = {value}"),
                };
            }
            body.table_label.clone_from(&body.label);
        }
    }
}

/// Returns the label of a panel and whether the scene set it. The default is derived from the
/// labels of its bodies.
pub(super) fn of_panel(given: Option<String>, bodies: &[Body]) -> (String, bool) {
    match given.filter(|label| !label.trim().is_empty()) {
        Some(label) => (label, true),
        None => {
            let label = match bodies {
                [a] => a.label.clone(),
                [a, b] => format!("{} and {}", a.label, b.label),
                many => format!("{} ropes", many.len()),
            };
            (label, false)
        }
    }
}

/// Returns the name of a panel in messages before it is built: its quoted label, or its number from
/// 1.
pub(super) fn of_layers(given: Option<&str>, index: usize) -> String {
    match given.filter(|label| !label.trim().is_empty()) {
        Some(label) => format!("panel \"{label}\""),
        None => format!("panel {}", index + 1),
    }
}

/// Returns the label of a row or column of a grid. The default is its number, such as `row 1`.
pub(super) fn of_grid_line(layer: &Layer, kind: &str, index: usize) -> String {
    layer.label.clone().unwrap_or_else(|| format!("{kind} {}", index + 1))
}

impl Scene {
    /// Returns the label of every body, panel by panel.
    pub fn body_labels(&self) -> Vec<String> {
        let mut uses: HashMap<&str, usize> = HashMap::new();
        for label in self.panels.iter().flat_map(short_labels) {
            *uses.entry(label).or_default() += 1;
        }
        let full = |panel: &Panel, label: &str| match &panel.bodies[..] {
            [_] => label.to_owned(),
            _ if uses.get(label) == Some(&1) => label.to_owned(),
            _ => format!("{}: {label}", panel.label),
        };
        let of_panel =
            |panel| short_labels(panel).into_iter().map(|label| full(panel, label)).collect();
        self.panels.iter().flat_map(|panel| -> Vec<String> { of_panel(panel) }).collect()
    }
}

/// Returns the panel's label if it has one body, otherwise the labels of its bodies.
fn short_labels(panel: &Panel) -> Vec<&str> {
    match &panel.bodies[..] {
        [_] => vec![&panel.label],
        many => many.iter().map(|body| body.label.as_str()).collect(),
    }
}
