//! Equilibria of each body of a scene while a field changes.

use super::report::{FigureStyle, SceneFigure};
use super::statics::StaticsOptions;
use super::{RunError, threads};
use catena_analysis::statics::{NoRest, Path, PathPoint, Stability, follow_within};
use catena_base::text::number::digits;
use catena_draw::theme::Ink;
use catena_scene::{
    Limits, Patch, Scene, SceneError, SceneText, load_whole, load_within, reference::fields_at,
};
use catena_sim::force::Known;
use catena_sim::identity::is_same;
use catena_sim::{Budget, Force, Setup};
use catena_study::figure::{
    chart::{Axis, Chart, Dash, Mark, Marker, Plot},
    study::{NumberTable, Study},
};
use rayon::prelude::*;
use std::str::FromStr;
use std::sync::Arc;

/// Maximum number of equilibria on a path with the default limits.
const MAX_POINTS: usize = 2000;
/// Maximum number of equilibria on any path.
const MAX_POINTS_UNLIMITED: f64 = 1e7;
/// Magnitude from which whole numbers are written with an exponent.
const WHOLE: f64 = 1e15;
/// Names of axes.
const AXES: [&str; 3] = ["x", "y", "z"];
/// Share of the range at which a field is tested for values between the ends.
const WITHIN: f64 = 0.381_966;
/// Colours of bodies in the chart, in turn.
const COLORS: [[u8; 3]; 8] = [
    [0, 90, 160],
    [200, 80, 30],
    [40, 130, 70],
    [120, 70, 150],
    [150, 110, 0],
    [0, 140, 150],
    [190, 40, 110],
    [90, 90, 90],
];

/// A field and the two values between which it changes: `gravity=(0,-1):(0,-20)`.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadRange {
    path: String,
    /// Text between the numbers of a value.
    texts: Vec<String>,
    from: Vec<f64>,
    to: Vec<f64>,
}

impl FromStr for LoadRange {
    type Err = String;

    /// Parses `PATH=FROM:TO`.
    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "expected PATH=FROM:TO, such as rope.length=2:3 or 'gravity=(0,-1):(0,-20)'";
        let (path, values) = text.split_once('=').ok_or(expected)?;
        // A value may contain colons, so both sides must have the same form.
        let parts = |at: usize| (numbers(values[..at].trim()), numbers(values[at + 1..].trim()));
        let places = values.match_indices(':').map(|(at, _)| parts(at));
        let mut fitting = places.filter(|(from, to)| from.0 == to.0 && !from.1.is_empty());
        let ((texts, from), (_, to)) = fitting.next().ok_or_else(|| {
            format!(
                "{expected}: both values must have the same form and contain at least one \
                     number"
            )
        })?;
        if from == to {
            return Err("both values are the same; give two different values".into());
        }
        if from.iter().zip(&to).any(|(from, to)| !(to - from).is_finite()) {
            return Err("the values are too far apart; use numbers of at most 1e100".into());
        }
        let range = Self { path: path.trim().into(), texts, from, to };
        range.patch(0.0).map_err(|error| match range.path.split_once('[') {
            Some((list, _)) => format!("{error}; {}", of_list(list)),
            None => format!("{error}; {expected}"),
        })?;
        Ok(range)
    }
}

/// Advice on how to write a load that is an entry of a list.
fn of_list(list: &str) -> String {
    let example = "forces=[PointForce(node: 20, force: (0, 0))]:[PointForce(node: 20, force: (0, \
                   -4))]";
    format!("an entry of a list has no path, so write both values of `{list}`, such as '{example}'")
}

impl LoadRange {
    /// Path of the field.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Both values of the number that a table shows: the first number that changes.
    pub fn ends(&self) -> [f64; 2] {
        let pairs = self.from.iter().zip(&self.to);
        let ends = pairs.map(|(from, to)| [*from, *to]).find(|[from, to]| from != to);
        ends.unwrap_or([self.from[0], self.to[0]])
    }

    /// Returns the range from its second value to its first one, in the syntax of the option.
    pub fn reversed(&self) -> String {
        let [from, to] = [&self.to, &self.from].map(|numbers| self.value_of(numbers));
        format!("{}={from}:{to}", self.path)
    }

    /// Returns the value with these numbers.
    fn value_of(&self, numbers: &[f64]) -> String {
        let mut value = self.texts[0].clone();
        for (number, text) in numbers.iter().zip(&self.texts[1..]) {
            value += &format!("{}{text}", written(*number));
        }
        value
    }

    /// Returns the field and the component that a table shows: `gravity in y`, or `force in y of
    /// forces` for a field inside the value.
    pub fn name(&self) -> String {
        let changes = |index: &usize| self.from[*index] != self.to[*index];
        let index = (0..self.from.len()).find(changes).unwrap_or(0);
        // Numbers before this one in the same parentheses.
        let mut first = index;
        while first > 0 && self.texts[first].trim() == "," {
            first -= 1;
        }
        let last = (index + 1..self.texts.len()).find(|at| self.texts[*at].trim() != ",");
        let count = last.map_or(0, |last| last - first);
        let before = self.texts[first].trim_end();
        let is_vector = before.ends_with('(') && (2..=3).contains(&count);
        let component = is_vector.then(|| format!(" in {}", AXES[index - first]));
        let inner = before.trim_end_matches('(').trim_end().strip_suffix(':').map(|text| {
            let is_name = |c: char| c.is_alphanumeric() || c == '_';
            text.trim_end().rsplit(|c: char| !is_name(c)).next().unwrap_or_default()
        });
        let component = component.unwrap_or_default();
        match inner.filter(|name| !name.is_empty()) {
            Some(name) => format!("{name}{component} of {}", self.path),
            None => format!("{}{component}", self.path),
        }
    }

    /// Returns the field and the component that a table shows, with its unit.
    fn label(&self) -> String {
        let name = self.name();
        let fields = fields_at(&self.path);
        match fields.iter().find(|field| field.path == self.path).map(|field| field.unit) {
            Some(unit) if unit != "-" => format!("{name}, {unit}"),
            _ => name,
        }
    }

    /// Returns the change of the scene to the first value.
    ///
    /// # Errors
    /// The path or the value is not valid RON.
    pub fn first(&self) -> Result<Patch, String> {
        self.patch(0.0)
    }

    /// Returns the change of the scene to the value at a share of the range.
    fn patch(&self, share: f64) -> Result<Patch, String> {
        let pairs = self.from.iter().zip(&self.to);
        let numbers: Vec<f64> = pairs.map(|(from, to)| from + share * (to - from)).collect();
        let value = self.value_of(&numbers);
        let patch: Patch = format!("{}={value}", self.path).parse()?;
        Ok(patch.of_option("--load"))
    }
}

/// Returns a number in RON syntax. A whole number has no decimal point, as node numbers require.
fn written(value: f64) -> String {
    match value.fract() == 0.0 && value.abs() < WHOLE {
        true => format!("{value:.0}"),
        false => format!("{value:?}"),
    }
}

/// Numbers in a text, and the texts around them.
fn numbers(text: &str) -> (Vec<String>, Vec<f64>) {
    let (mut texts, mut found, mut rest) = (vec![String::new()], Vec::new(), text);
    let is_digit = |c: char| c.is_ascii_digit() || "+-.eE_".contains(c);
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c: char| !is_digit(c)).unwrap_or(rest.len());
        let before = texts.last().and_then(|text| text.chars().last());
        let is_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let number = rest[..end].replace('_', "").parse::<f64>().ok();
        match number.filter(|number| number.is_finite() && !is_word) {
            Some(number) => {
                found.push(number);
                texts.push(String::new());
                rest = &rest[end..];
            }
            None => {
                if let Some(text) = texts.last_mut() {
                    text.push(first);
                }
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    (texts, found)
}

/// Reason why a path cannot be traced.
#[derive(Debug, thiserror::Error)]
enum Stop {
    #[error(transparent)]
    NoRest(#[from] NoRest),
    #[error(transparent)]
    Scene(#[from] SceneError),
    #[error("{0}")]
    Option(String),
}

/// Path of a body; `None` for a rig without ropes.
pub type BodyPath = Option<Result<Path, NoRest>>;

/// Traces the equilibria of each body in the order of the panels while a field changes, past limit
/// points. A body without rest at the first load has the reason instead. With a `chosen` panel,
/// bodies of all other panels have `None`.
///
/// # Errors
/// The field does not fit the scene, an option is out of range, or the scene exceeds the limits.
pub fn load_paths(
    text: &SceneText,
    patches: &[Patch],
    load: &LoadRange,
    options: &StaticsOptions,
    chosen: Option<usize>,
) -> Result<Vec<BodyPath>, RunError> {
    let read = if chosen.is_some() { load_whole } else { load_within };
    let at = |share: f64| -> Result<Scene, Stop> {
        let mut patches = patches.to_vec();
        patches.push(load.patch(share).map_err(Stop::Option)?);
        Ok(read(text, &patches, &options.limits)?)
    };
    let error = |stop: Stop| match stop {
        Stop::Scene(error) => RunError::Scene(error),
        other => RunError::Option(other.to_string()),
    };
    let scene = at(0.0).map_err(error)?;
    let last = at(1.0).map_err(error)?;
    let within = at(WITHIN).map_err(|stop| {
        let [from, to] = load.ends().map(|value| digits(value, 8));
        let path = load.path();
        RunError::Option(format!(
            "--load {path}={from}:{to}: {path} has no values between {from} and {to}, but --load \
             needs a number that can change continuously, such as a length, a stiffness, a force \
             or gravity; to compare whole numbers, use `catena sweep`; {stop}"
        ))
    })?;
    let panels = scene.panels.iter().enumerate();
    let is_left_out: Vec<bool> = panels
        .flat_map(|(index, panel)| panel.bodies.iter().map(move |body| (index, body)))
        .map(|(index, body)| body.is_rig_alone() || chosen.is_some_and(|it| it != index))
        .collect();
    let [from, to] = load.ends();
    let share = |value: f64| (value - from) / (to - from);
    let effort = options.limits.effort();
    let maximum = max_balances(&options.limits);
    let follow = |index: usize| -> Result<BodyPath, RunError> {
        if is_left_out[index] {
            return Ok(None);
        }
        let between = between(index, [&scene, &within, &last]);
        let body = |value: f64| -> Result<Arc<_>, Stop> {
            if let Some(setup) = between.as_ref().and_then(|between| between.at(share(value))) {
                return Ok(Arc::new(setup));
            }
            let missing = || Stop::Option("the field changes the number of bodies".into());
            setup_of(&at(share(value))?, index).ok_or_else(missing)
        };
        match follow_within(body, [from, to], maximum, effort) {
            Ok(path) => Ok(Some(Ok(path))),
            Err(Stop::NoRest(reason)) => Ok(Some(Err(reason))),
            Err(stop) => Err(error(stop)),
        }
    };
    threads::with(options.threads, || {
        (0..is_left_out.len()).into_par_iter().map(follow).collect::<Result<Vec<_>, _>>()
    })?
}

/// Returns the setup of the body with this index among the bodies of all panels.
fn setup_of(scene: &Scene, index: usize) -> Option<Arc<Setup>> {
    let mut bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    bodies.nth(index).map(|body| Arc::clone(&body.setup))
}

/// Returns the setups of a body at all loads. `None` unless the field changes only gravity or
/// forces on nodes. The three scenes have the load at one end of the range, at [`WITHIN`] and at
/// the other end.
fn between(index: usize, [from, within, to]: [&Scene; 3]) -> Option<Between> {
    let ends = [setup_of(from, index)?, setup_of(to, index)?];
    Between::new(ends, WITHIN, setup_of(within, index)?.as_ref())
}

/// Maximum number of equilibria on a path: 2000 per minute of the limits.
pub fn max_balances(limits: &Limits) -> usize {
    (MAX_POINTS as f64 * limits.effort()).clamp(1.0, MAX_POINTS_UNLIMITED) as usize
}

/// Returns the node and axis with the largest displacement along a path, for bodies with this many
/// axes.
pub fn farthest_coordinate(path: &Path, axes: usize) -> (usize, usize) {
    let Some(first) = path.points.first() else { return (0, 0) };
    let n = first.x.len() / axes;
    let moved = |index: usize| {
        let distances = path.points.iter().map(|point| (point.x[index] - first.x[index]).abs());
        distances.fold(0.0, f64::max)
    };
    let farthest = (0..first.x.len()).max_by(|&a, &b| moved(a).total_cmp(&moved(b)));
    farthest.map_or((0, 0), |index| (index % n, index / n))
}

/// Path of a body in a chart.
#[derive(Clone, Debug)]
pub struct DrawnPath<'a> {
    /// Label of the body.
    pub label: String,
    /// Equilibria of the body.
    pub path: &'a Path,
    /// Node whose displacement is drawn.
    pub node: usize,
    /// Axis of the displacement, from 0.
    pub axis: usize,
    /// Number of axes of the body: 2 or 3.
    pub axes: usize,
}

/// Title that explains the lines and marks of the chart.
fn title(load: &LoadRange, bodies: &[DrawnPath<'_>]) -> String {
    let has =
        |is: &dyn Fn(&PathPoint) -> bool| bodies.iter().flat_map(|body| &body.path.points).any(is);
    let marks = [
        ("dashed: unstable", has(&|point| point.stability == Stability::Unstable)),
        ("disc: the load turns back", has(&|point| point.is_limit)),
        ("circle: stability changes", has(&|point| point.is_critical)),
    ];
    let marks = marks.into_iter().filter(|(_, is_drawn)| *is_drawn).map(|(words, _)| words);
    let words: Vec<&str> = marks.collect();
    match words.is_empty() {
        true => format!("Balances over {}", load.name()),
        false => format!("Balances over {} ({})", load.name(), words.join(", ")),
    }
}

/// Returns the axis label of displacements from the first equilibrium.
fn coordinate_label(bodies: &[DrawnPath<'_>]) -> String {
    let mut names: Vec<String> = Vec::new();
    for DrawnPath { node, axis, .. } in bodies {
        let name = format!("displacement of node {node} in {}", AXES[*axis]);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match names.len() {
        0..=3 => format!("{}, length", names.join(" or ")),
        _ => "displacement of the node that moves the farthest, length".into(),
    }
}

/// Adds a path to the chart and to its table.
fn add_path(plot: &mut Plot, table: &mut NumberTable, body: &DrawnPath<'_>, color: Ink) {
    let DrawnPath { label, path, node, axis, axes } = body;
    let place = |point: &PathPoint| point.x[axis * (point.x.len() / axes) + node];
    let first = path.points.first().map_or(0.0, place);
    let at = |point: &PathPoint| [place(point) - first, point.load];
    // Unstable stretches are dashed.
    let is_stable = |point: &PathPoint| point.stability != Stability::Unstable;
    let mut is_named = false;
    let mut last = None;
    for stretch in path.points.chunk_by(|a, b| is_stable(a) == is_stable(b)) {
        let dash = if is_stable(&stretch[0]) { Dash::Solid } else { Dash::Dashed };
        let name = (!std::mem::replace(&mut is_named, true)).then(|| label.clone());
        // A segment begins where the previous one ends.
        let points = last.into_iter().chain(stretch.iter().map(at)).collect();
        last = stretch.last().map(at);
        plot.marks.push(Mark::Line { points, color, label: name, dash, width: 1.6 });
    }
    let critical = path.points.iter().filter(|point| point.is_critical);
    let marked = [
        (Marker::Disc, path.limits().map(at).collect()),
        (Marker::Ring, critical.map(at).collect::<Vec<_>>()),
    ];
    for (shape, points) in marked.into_iter().filter(|(_, points)| !points.is_empty()) {
        plot.marks.push(Mark::Points { points, color, label: None, shape, size: 6.0 });
    }
    table.rows.extend(path.points.iter().map(|point| {
        let square = point.omega_squared.map_or(String::new(), |square| digits(square, 8));
        let [moved, load] = at(point).map(|value| digits(value, 12));
        let stable = format!("{:?}", point.stability);
        let [limit, critical] = [point.is_limit, point.is_critical].map(|is| is.to_string());
        let place = digits(place(point), 12);
        vec![label.clone(), load, place, moved, square, stable, limit, critical]
    }));
}

/// Draws a chart of the load over a displacement of each body from the first equilibrium. The
/// displacement is measured at one node, along one axis. Limit points and critical points are
/// marked.
///
/// # Errors
/// The width is out of range, or the typeface cannot be read.
pub fn path_figure(
    load: &LoadRange,
    bodies: &[DrawnPath<'_>],
    style: &FigureStyle,
) -> Result<SceneFigure, RunError> {
    let mut plot = Plot {
        x: Axis { label: coordinate_label(bodies), ..Axis::default() },
        y: Axis { label: load.label(), ..Axis::default() },
        ..Plot::default()
    };
    let mut table = NumberTable::new(&[
        "body",
        "load",
        "coordinate",
        "displacement",
        "smallest ω²",
        "stability",
        "limit",
        "critical",
    ]);
    for (index, body) in bodies.iter().enumerate() {
        add_path(&mut plot, &mut table, body, Ink::from(COLORS[index % COLORS.len()]));
    }
    let names: Vec<String> = bodies
        .iter()
        .map(|DrawnPath { label, node, axis, .. }| {
            format!("the displacement of node {node} of {label} in {}", AXES[*axis])
        })
        .collect();
    let caption = format!(
        "Equilibria while {} changes, over {} from the first equilibrium. Dashed lines are \
         unstable. At a disc the load reverses, and at a circle stability changes.",
        load.name(),
        names.join(", ")
    );
    let chart = Chart {
        title: title(load, bodies),
        caption: caption.clone(),
        columns: 1,
        plots: vec![plot],
        plot_size: [480.0, 320.0],
        ..Chart::default()
    };
    let name = "load_path".into();
    SceneFigure::of(Study { name, chart, caption, remarks: String::new(), table }, style)
}

/// Setups at the ends of a range, which differ only in gravity or in forces on nodes. Setups
/// between them are interpolated without reading and building the scene again.
struct Between {
    ends: [Arc<Setup>; 2],
}

impl Between {
    /// Creates an interpolation between the setups `ends`. `within` is the setup that the scene
    /// builds at `share` of the range. Returns `None` if interpolation does not reproduce all three
    /// setups.
    fn new(ends: [Arc<Setup>; 2], share: f64, within: &Setup) -> Option<Self> {
        let found = Self { ends };
        let [from, to] = &found.ends;
        let is_fine = from.slips.is_empty()
            && is_alike(&found.at(0.0)?, from)
            && is_alike(&found.at(share)?, within)
            && is_alike(&found.at(1.0)?, to);
        is_fine.then_some(found)
    }

    /// Returns the setup at a share of the range, which may be below 0 or above 1. Returns `None`
    /// if the forces of both ends do not correspond. The strain limit and the budget come from the
    /// first end: statics uses neither.
    fn at(&self, share: f64) -> Option<Setup> {
        let [from, to] = &self.ends;
        if from.forces.len() != to.forces.len() {
            return None;
        }
        let pairs = from.forces.iter().zip(&to.forces);
        let forces = pairs.map(|(from, to)| mixed(from, to, share)).collect::<Option<_>>()?;
        Some(Setup { forces, ..Setup::clone(from) })
    }
}

/// Whether two setups are equal except for their strain limits and budgets, which statics does not
/// use.
fn is_alike(one: &Setup, other: &Setup) -> bool {
    let strain_limit = one.strain_limit;
    let plain = |setup: &Setup| Setup { strain_limit, budget: Budget::UNLIMITED, ..setup.clone() };
    is_same(&plain(one), &plain(other))
}

/// Returns the force at a share of the range from one force to another. Only gravity and forces
/// with a vector change.
fn mixed(from: &Arc<dyn Force>, to: &Arc<dyn Force>, share: f64) -> Option<Arc<dyn Force>> {
    // A value in a scene is interpolated with the same operations, so that the results are
    // bit-identical.
    let between = |from: f64, to: f64| from + share * (to - from);
    if let (Some(one), Some(other)) = (from.vector(), to.vector()) {
        return from.with_vector(std::array::from_fn(|axis| between(one[axis], other[axis])));
    }
    match (from.known(), to.known()) {
        (
            Some(Known::Gravity { acceleration: one }),
            Some(Known::Gravity { acceleration: other }),
        ) => {
            let pairs = one.iter().zip(other);
            from.with_gravity(&pairs.map(|(from, to)| between(*from, *to)).collect::<Vec<_>>())
        }
        _ => Some(Arc::clone(from)),
    }
}
