//! Sentences about differences, for standard error and reports.
//!
//! Intended differences are left out. These are the differences that labels mention or a grid
//! varies.

use super::measures::HELD;
use super::remedies::{FoundRemedies, MAX_BUILT, Remedy, SearchExtent, search_firsts};
use super::{Difference, PlacedBody, differences, places};
use crate::body_layers::BodyLayers;
use crate::grammar::Scope;
use crate::layered::FieldValue;
use crate::naming::LabelText;
use crate::parts::Scene;
use crate::schema::Layer;
use catena_base::text::list::quoted;
use catena_base::text::number::count;
use std::collections::HashMap;

/// Maximum number of quantities with their own sentence. One more sentence names the others.
const SENTENCES: usize = 4;

/// Maximum length of printed settings in characters. For longer settings, such as a thousand pins,
/// only the fields are named.
const LONGEST: usize = 600;

/// Length in bytes above which settings are printed once. Later sentences refer to the first.
const LONG: usize = 60;

/// Returns a sentence for each of the most important quantities that differ, and one that names the
/// others. The result is empty if all are equal.
pub fn notes(scene: &Scene) -> Vec<String> {
    notes_within(scene, MAX_BUILT)
}

/// Returns the sentences of [`notes`] with a search for remedies that builds at most `maximum`
/// nodes in total. Differences that labels mention or a grid varies are left out.
pub fn notes_within(scene: &Scene, maximum: u64) -> Vec<String> {
    let all = unexplained(scene);
    let groups: Vec<&[Difference]> = all.chunk_by(|a, b| a.quantity == b.quantity).collect();
    let (described, named) = groups.split_at(groups.len().min(SENTENCES));
    let firsts: Vec<&Difference> = described.iter().map(|group| &group[0]).collect();
    let search = search_firsts(scene, &firsts, maximum);
    let labels: Vec<String> = scene.body_labels().iter().map(|label| quoted(label)).collect();
    let mut notes: Vec<String> =
        described.iter().map(|group| sentences(group, &search, &labels)).collect();
    let names: Vec<&str> = named.iter().map(|group| group[0].quantity.name).collect();
    match &names[..] {
        [] => {}
        [_] => notes.push(format!(
            "{} too; see the table of `catena report`",
            named[0][0].quantity.differs()
        )),
        many => notes.push(format!(
            "{} more differ: {}; see the table of `catena report`",
            many.len(),
            many.join(", ")
        )),
    }
    notes
}

/// Returns the differences that labels do not mention and a grid does not vary.
pub fn unexplained(scene: &Scene) -> Vec<Difference> {
    let mut purposes = Purposes::of(scene);
    let mut all = differences(scene);
    all.retain(|difference| !purposes.is_intended(difference));
    all
}

/// Describes the difference between two bodies, its remedy, and other bodies that differ.
fn sentences(group: &[Difference], search: &FoundRemedies, labels: &[String]) -> String {
    let (first, rest) = (&group[0], &group[1..]);
    let (reference, label) = (&labels[first.reference], &labels[first.place]);
    let (differs, symbol) = first.quantity.sentence();
    let what = match first.here.full_pair(&first.there).map(|pair| pair.map(plain)) {
        Some([here, there]) => {
            format!("{differs}: {symbol}{there} in {reference}, {here} in {label}.")
        }
        None => format!("{differs} between {reference} and {label}."),
    };
    let remedy = remedy(first, search, label);
    let more = match rest {
        [] => String::new(),
        [one] => match one.here.full_pair(&first.there).map(|pair| pair.map(plain)) {
            Some([here, _]) => format!(" It also differs in {}: {here}.", labels[one.place]),
            None => format!(" It also differs in {}.", labels[one.place]),
        },
        many => format!(" It also differs in {} more bodies.", many.len()),
    };
    format!("{what} {remedy}{more}")
}

/// Rewords a value for sentences.
fn plain(value: &str) -> &str {
    if value == HELD { "rigid segments instead of springs" } else { value }
}

/// Describes the remedy of a difference in the body with this label, or why there is none.
fn remedy(difference: &Difference, search: &FoundRemedies, label: &str) -> String {
    let at = (difference.panel, difference.body);
    let here = |remedy: &&Remedy| (remedy.panel, remedy.body) == at;
    let mut remedies = search.remedies.iter().filter(here);
    let Some(found) = remedies.clone().find(|it| it.quantity == difference.quantity) else {
        if difference.quantity.name == "slips" {
            return "A slip is a deliberate mistake: remove `slips` to compare methods.".into();
        }
        let of_body = search.unfinished.iter().find(|(panel, body, _)| (*panel, *body) == at);
        return match of_body.map(|(.., extent)| extent) {
            None => format!("No setting of {label} makes the values equal."),
            Some(SearchExtent::Nothing) => {
                "No search for a remedy was made: the bodies are too large.".into()
            }
            Some(SearchExtent::Part) => {
                "The search for a remedy stopped early: the bodies are too large.".into()
            }
        };
    };
    let same =
        remedies.find(|it| (&it.settings, &it.left_out) == (&found.settings, &found.left_out));
    match same.filter(|same| same.quantity != found.quantity && found.settings.len() > LONG) {
        Some(same) => {
            format!("The settings listed for {} remove this difference too.", same.quantity.name)
        }
        None => format!("To compare like with like, {}.", in_words(found, label)),
    }
}

/// Describes what a remedy sets and removes in the body with this label.
fn in_words(remedy: &Remedy, label: &str) -> String {
    let quoted = |paths: &[String]| {
        let all: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
        all.join(", ")
    };
    let set = match &*remedy.settings {
        "" => return format!("remove {} from {label}", quoted(&remedy.left_out)),
        settings if settings.chars().count() <= LONGEST => format!("set `{settings}` in {label}"),
        settings => format!(
            "set {} in {label} (too long to print: {} characters)",
            quoted(&remedy.fields),
            count(settings.chars().count() as u128)
        ),
    };
    match &remedy.left_out[..] {
        [] => set,
        gone => format!("{set} and remove {} there", quoted(gone)),
    }
}

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
    pub(super) fn is_intended(&mut self, difference: &Difference) -> bool {
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
        let is_explained = |(path, written): &(&str, [String; 2])| {
            let explained = [0, 1].map(|at| match *path {
                "integrator" => self.explains_method(difference, &labels[at], &written[at]),
                _ => labels[at].mentions(path, &written[at]),
            });
            // A value that a body inherits from the base needs no label.
            let is_own =
                places.map(|it| self.layers.get(&it).is_some_and(|it| it.sets_itself(path)));
            let by_labels = (explained[0] || explained[1])
                && [0, 1].into_iter().all(|at| explained[at] || !is_own[at]);
            by_labels || self.of_grid.iter().any(|own| own == path)
        };
        !causes.is_empty() && causes.iter().all(is_explained)
    }

    /// Whether a label explains the method's effect on a quantity. The method's name implies rigid
    /// segments or variable steps, while its options show damping and stiffness.
    fn explains_method(&self, difference: &Difference, label: &LabelText, written: &str) -> bool {
        let setups = [difference.place, difference.reference].map(|it| &self.places[it].body.setup);
        let by_name = match difference.quantity.name {
            "law" => setups.iter().any(|setup| setup.method.holds_lengths()),
            "dt" => setups.iter().any(|setup| setup.chooses_its_step()),
            _ => false,
        };
        let by_law = difference.quantity.name == "law" && label.names("rope.law");
        by_law || label.mentions_options(written) || (by_name && label.mentions_method(written))
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

/// Returns the fields that a row or column of a grid varies: the fields that its label names, or
/// all fields that it sets if the label names none.
fn varied(line: &Layer) -> Vec<String> {
    let mut set = Vec::new();
    line.with.set_paths("", Scope::Body, &mut set);
    let all: Vec<String> = set.into_iter().map(|(path, _)| path).collect();
    let text = LabelText::new(line.label.as_deref().unwrap_or_default());
    let named: Vec<String> = all.iter().filter(|path| text.names(path)).cloned().collect();
    if named.is_empty() { all } else { named }
}
