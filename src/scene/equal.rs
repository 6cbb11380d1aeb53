//! Whether panels are equal physics: what differs between them beside the method, by how much, and what would make it equal.
//!
//! Pictures of two methods side by side say something about methods only where the rest is the same. Four things differ easily without being
//! seen: the damping rate c/m, which a Verlet factor d hides as d/dt; the step; the force law; and the rest length. Every body is compared with the
//! first of the scene.

use super::build::{Body, Panel, Scene};
use crate::sim::{Arrangement, Model, Setup};

/// Rates and lengths closer than this, as a share, count as equal.
const EQUAL: f64 = 1e-9;

/// Something that should be equal for a comparison of methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quantity {
    /// c/m, per time.
    Damping,
    /// dt.
    Step,
    /// How springs answer to being stretched.
    Law,
    /// The length of the unstretched body.
    RestLength,
}

impl Quantity {
    const ALL: [Self; 4] = [Self::Damping, Self::Step, Self::Law, Self::RestLength];

    /// What pictures call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Damping => "c/m",
            Self::Step => "dt",
            Self::Law => "law",
            Self::RestLength => "rest length",
        }
    }
}

/// What a quantity is in a body.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    Number(f64),
    Word(String),
}

impl Value {
    fn of(quantity: Quantity, body: &Body) -> Self {
        let setup = &*body.setup;
        match quantity {
            Quantity::Damping => Self::Number(damping_rate(setup)),
            Quantity::Step => Self::Number(setup.dt()),
            Quantity::Law => Self::Word(law(setup)),
            Quantity::RestLength => Self::Number(setup.model.rest_length()),
        }
    }

    fn equals(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => (a - b).abs() <= EQUAL * a.abs().max(b.abs()),
            _ => self == other,
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Number(value) => short(*value),
            Self::Word(word) => word.clone(),
        }
    }
}

/// Something in which a body differs from the first body of its scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// What.
    pub quantity: Quantity,
    /// The body's panel and its place there.
    pub panel: usize,
    /// Its place in the panel.
    pub body: usize,
    /// What it is here.
    pub here: String,
    /// What it is in the first body.
    pub there: String,
    /// How many times as much it is here, where both are numbers and the first is not 0.
    pub ratio: Option<f64>,
    /// What to write here to make it equal; `None` where nothing does.
    pub remedy: Option<String>,
}

impl Difference {
    /// A line for the panel: `c/m 0.0032, not 0.01`. It is short: options of laws are left out where the laws differ.
    pub fn line(&self) -> String {
        let [here, there] = [&self.here, &self.there]
            .map(|text| text.split_once('(').map_or(text.as_str(), |(name, _)| name));
        let (here, there) = if here == there { (&*self.here, &*self.there) } else { (here, there) };
        format!("{} {here}, not {there}", self.quantity.name())
    }
}

/// c/m: what drag, the method's own damping and a velocity factor together take from a velocity, per time and share of it.
pub fn damping_rate(setup: &Setup) -> f64 {
    let mass = mean_mass(setup);
    let drag: f64 = setup.forces.iter().map(|force| force.resistance()).sum();
    let factor = (1.0 - setup.velocity_factor) / setup.dt();
    drag / mass + setup.method.drag_rate(setup.dt()) + factor
}

fn mean_mass(setup: &Setup) -> f64 {
    let mass = &setup.model.mass;
    mass.iter().sum::<f64>() / mass.len() as f64
}

/// The spring law with its options, for people.
pub fn law(setup: &Setup) -> String {
    if setup.method.holds_lengths() {
        return "held lengths".into();
    }
    setup.forces.iter().find_map(|force| force.spring_law()).unwrap_or("no springs".into())
}

/// Everything in which bodies differ from the first one: quantity by quantity, panel by panel.
pub fn differences(scene: &Scene) -> Vec<Difference> {
    let Some(first) = scene.panels.first().and_then(|panel| panel.bodies.first()) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for quantity in Quantity::ALL {
        let there = Value::of(quantity, first);
        for (panel, bodies) in scene.panels.iter().map(|panel| &panel.bodies).enumerate() {
            for (place, body) in bodies.iter().enumerate() {
                let here = Value::of(quantity, body);
                if here.equals(&there) {
                    continue;
                }
                let ratio = match (&here, &there) {
                    (Value::Number(here), Value::Number(there)) if *there != 0.0 => {
                        Some(here / there)
                    }
                    _ => None,
                };
                found.push(Difference {
                    quantity,
                    panel,
                    body: place,
                    here: here.text(),
                    there: there.text(),
                    ratio,
                    remedy: remedy(quantity, body, first),
                });
            }
        }
    }
    found
}

/// What makes a body equal to the first one.
fn remedy(quantity: Quantity, body: &Body, first: &Body) -> Option<String> {
    let (here, there) = (&*body.setup, &*first.setup);
    match quantity {
        Quantity::Damping => damping_remedy(body, damping_rate(there)),
        Quantity::Step => {
            let substeps = here.frame_time / there.dt();
            let whole = substeps.round();
            (whole >= 1.0 && (substeps - whole).abs() < 1e-6 * substeps)
                .then(|| format!("substeps: {whole}"))
        }
        Quantity::Law => {
            let takes_one = |setup: &Setup| {
                setup.model.arrangement == Arrangement::Chain && !setup.method.holds_lengths()
            };
            (takes_one(here) && takes_one(there)).then(|| format!("rope: (law: {})", law(there)))
        }
        Quantity::RestLength => {
            let [here, there] = [here, there].map(|setup| &setup.model);
            let is_rope = |model: &Model| model.arrangement == Arrangement::Chain;
            let differs = is_rope(here) && is_rope(there) && here.nodes() != there.nodes();
            differs.then(|| format!("rope: (nodes: {})", there.nodes()))
        }
    }
}

/// The one setting that brings c/m to `wanted`, where the body damps in one way only. All digits are written, since a rounded setting is not equal.
fn damping_remedy(body: &Body, wanted: f64) -> Option<String> {
    let setup = &*body.setup;
    let of_method = setup.method.drag_rate(setup.dt());
    let of_factor = (1.0 - setup.velocity_factor) / setup.dt();
    let of_drag = damping_rate(setup) - of_method - of_factor;
    let has_own = body.method.options.iter().any(|option| option.name == "damping");
    let share = wanted * setup.dt();
    match (of_drag != 0.0, of_method != 0.0, of_factor != 0.0) {
        (false, _, false) if has_own => {
            (share <= 1.0).then(|| format!("{}(damping: {share:?})", body.method.name))
        }
        (_, false, false) => Some(format!("drag: {:?}", wanted * mean_mass(setup))),
        (false, false, true) => {
            (share <= 1.0).then(|| format!("velocity_factor: {:?}", 1.0 - share))
        }
        _ => None,
    }
}

/// One sentence a quantity, for standard error and reports; empty where all is equal.
pub fn notes(scene: &Scene) -> Vec<String> {
    let all = differences(scene);
    let label = |panel: &Panel, body: usize| match panel.bodies.len() {
        1 => panel.label.clone(),
        _ => format!("{}: {}", panel.label, panel.bodies[body].label),
    };
    let name = |difference: &Difference| label(&scene.panels[difference.panel], difference.body);
    let note = |quantity: Quantity| {
        let mine: Vec<&Difference> =
            all.iter().filter(|difference| difference.quantity == quantity).collect();
        let (first, rest) = mine.split_first()?;
        let lead = scene.panels.first().map_or(String::new(), |panel| label(panel, 0));
        let times =
            first.ratio.map_or(String::new(), |ratio| format!(", {} times as much", short(ratio)));
        let cure = match &first.remedy {
            Some(remedy) => format!("; `{remedy}` would make it equal"),
            None => "; no one setting makes it equal".into(),
        };
        let more = match rest {
            [] => String::new(),
            [one] => format!("; {} in {} too", one.here, name(one)),
            many => format!("; {} more differ too", many.len()),
        };
        Some(format!(
            "{} differs: {} in {}, {} in {}{times}{cure}{more}",
            quantity.name(),
            first.there,
            lead,
            first.here,
            name(first)
        ))
    };
    Quantity::ALL.into_iter().filter_map(note).collect()
}

/// A number of at most four digits.
fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    let is_plain = rounded == 0.0 || (1e-4..1e6).contains(&rounded.abs());
    if is_plain { format!("{rounded}") } else { format!("{rounded:e}") }
}
