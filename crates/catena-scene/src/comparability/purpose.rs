//! Intended differences: those that labels mention or that a grid varies.

use super::{Difference, PlacedBody, places};
use crate::body_layers::BodyLayers;
use crate::layered::{FieldValue, Scope};
use crate::naming::LabelText;
use crate::parts::Scene;
use crate::schema::Layer;
use std::collections::HashMap;

/// Quantities that a method may set by itself.
const OF_METHODS: [&str; 4] = ["c/m", "dt", "law", "k"];

/// Classifier of intended differences.
pub(super) struct Purposes<'a> {
    scene: &'a Scene,
    places: Vec<PlacedBody<'a>>,
    /// Fields that rows and columns of a grid vary.
    of_grid: Vec<String>,
    /// Cached layers of bodies, by the body's index in the scene.
    layers: HashMap<usize, BodyLayers<'a>>,
}

impl<'a> Purposes<'a> {
    pub(super) fn of(scene: &'a Scene) -> Self {
        let grid = scene.parsed.file.grid.0.as_ref();
        let lines = grid.map(|grid| grid.rows.0.iter().chain(&grid.columns.0));
        let of_grid = lines.into_iter().flatten().flat_map(varied).collect();
        Self { scene, places: places(scene), of_grid, layers: HashMap::new() }
    }

    /// Whether labels or the grid explain every field that causes a difference.
    pub(super) fn include(&mut self, difference: &Difference) -> bool {
        let quantity = difference.quantity;
        let places = [difference.place, difference.reference];
        for place in places {
            let PlacedBody { panel, index, .. } = self.places[place];
            let scene = self.scene;
            self.layers.entry(place).or_insert_with(|| scene.layers_of(panel, index));
        }
        let of_method = OF_METHODS.contains(&quantity.name).then_some("integrator");
        let fields = quantity.fields.iter().copied().chain(of_method);
        let causes: Vec<(&str, [String; 2])> = fields
            .filter_map(|path| {
                let written = |place| self.layers.get(&place).and_then(|it| it.field(path));
                let [here, there] = places.map(|place| written(place).unwrap_or_default());
                (here != there).then_some((path, [here, there]))
            })
            .collect();
        let labels = places.map(|place| LabelText::new(&self.label(place)));
        let is_told = |(path, written): &(&str, [String; 2])| {
            let told = [0, 1].map(|at| match *path {
                "integrator" => self.tells_method(difference, &labels[at], &written[at]),
                _ => labels[at].tells(path, &written[at]),
            });
            // A value that a body inherits from the base needs no label.
            let is_own =
                places.map(|it| self.layers.get(&it).is_some_and(|it| it.sets_itself(path)));
            let by_labels =
                (told[0] || told[1]) && [0, 1].into_iter().all(|at| told[at] || !is_own[at]);
            by_labels || self.of_grid.iter().any(|own| own == path)
        };
        !causes.is_empty() && causes.iter().all(is_told)
    }

    /// Whether a label explains the method's effect on a quantity. The method's name implies rigid
    /// segments or variable steps, while its options show damping and stiffness.
    fn tells_method(&self, difference: &Difference, label: &LabelText, written: &str) -> bool {
        let setups = [difference.place, difference.reference].map(|it| &self.places[it].body.setup);
        let by_name = match difference.quantity.name {
            "law" => setups.iter().any(|setup| setup.method.holds_lengths()),
            "dt" => setups.iter().any(|setup| setup.chooses_its_step()),
            _ => false,
        };
        let by_law = difference.quantity.name == "law" && label.names("rope.law");
        by_law || label.tells_options(written) || (by_name && label.tells_method(written))
    }

    /// Returns the label of a body's panel, followed by the body's own if the panel has several.
    fn label(&self, place: usize) -> String {
        let PlacedBody { panel, body, .. } = self.places[place];
        let panel = &self.scene.panels[panel];
        match panel.bodies.len() {
            1 => panel.label.clone(),
            _ => format!("{}, {}", panel.label, body.label),
        }
    }
}

/// Returns the fields that a row or column of a grid varies: those that its label names, or else
/// all fields that it sets.
fn varied(line: &Layer) -> Vec<String> {
    let mut set = Vec::new();
    line.with.set_paths("", Scope::Body, &mut set);
    let all: Vec<String> = set.into_iter().map(|(path, _)| path).collect();
    let text = LabelText::new(line.label.as_deref().unwrap_or_default());
    let told: Vec<String> = all.iter().filter(|path| text.names(path)).cloned().collect();
    if told.is_empty() { all } else { told }
}
