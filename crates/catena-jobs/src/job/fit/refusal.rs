//! Messages for fits that cannot begin, with advice.

use super::runs::Runs;
use super::{FitOptions, FitTerm, Parameter};
use crate::job::panel::listed_panels;
use catena_base::text::number::short;
use catena_base::text::shell;
use catena_scene::reference::{field_elsewhere, fields_meant};
use catena_scene::{FieldInfo, Scene, fields};
use catena_sim::method::METHODS;
use catena_sim::{Outcome, Setup, Simulation};

/// Shapes of bodies. A shape with a default is last.
const SHAPES: [&str; 5] = ["cloth", "net", "mesh", "graph", "rope"];

/// Explains why the start values give no usable run, and what to change.
pub(super) fn no_run(
    scene: &Scene,
    runs: &Runs<'_>,
    parameters: &[Parameter],
    options: &FitOptions,
) -> String {
    let start: Vec<f64> = parameters.iter().map(|it| it.start).collect();
    let values: Vec<String> =
        parameters.iter().map(|it| format!("{} = {}", it.name, short(it.start))).collect();
    let values = values.join(", ");
    let label = scene.panels.get(options.panel).map_or("", |panel| panel.label.as_str());
    let panel = format!("panel {} “{label}”", options.panel + 1);
    let setup = match runs.built(&start) {
        Ok(setup) => setup,
        Err(error) => return format!("{panel}: the scene rejects {values}: {error}"),
    };
    let (mut run, last) = (Simulation::new(setup), runs.data.last().map_or(0, |it| it.frame));
    while run.frame() < last && run.outcome() == Outcome::Fine && run.refusal().is_none() {
        run.advance_frame();
    }
    if let Some(refusal) = run.refusal() {
        let frame = refusal.frame;
        return format!(
            "{panel} exceeds its limit of work before frame {frame} with {values}; --minutes \
             allows more"
        );
    }
    let Outcome::Diverged { frame, .. } = run.outcome() else {
        return format!("{panel} has no run with {values} that data can be compared with");
    };
    let mut remedies = Vec::new();
    if scene.panels.len() > 1 {
        let all = listed_panels(scene.panels.iter().enumerate());
        remedies.push(format!("fit another panel: --panel N, of {all}"));
    }
    if frame > 1 {
        remedies.push(format!("compare the frames before: --frames {frame}"));
    }
    remedies.push(format!("begin with another value: --vary {}", begin(options)));
    format!(
        "{panel} diverges in frame {frame} with {values}, and the data continue to frame {last}; {}",
        remedies.join("; or ")
    )
}

/// Explains that data of the start alone determine nothing.
pub(super) fn only_start(name: &str) -> String {
    format!(
        "{name}: the only compared frame is the start, which no field changes: add later frames, or \
         compare more with --frames"
    )
}

/// Explains why no compared number depends on the varied fields, and what to vary instead.
pub(super) fn no_effect(
    scene: &Scene,
    setup: &Setup,
    parameters: &[Parameter],
    options: &FitOptions,
) -> String {
    let names: Vec<&str> = parameters.iter().map(|it| it.name.as_str()).collect();
    let info = setup.method.info();
    let is_of_springs = |name: &&str| name.ends_with(".stiffness") || name.ends_with(".damping");
    let why = match info.holds_lengths && names.iter().all(is_of_springs) {
        true => format!(
            ": {} corrects springs to their rest length and ignores their stiffness",
            info.title
        ),
        false => String::new(),
    };
    let others = usual_fields(scene, options.panel, None);
    let others: Vec<String> = others
        .into_iter()
        .filter(|it| it.parse().is_ok_and(|it: FitTerm| !names.contains(&it.name(0).as_str())))
        .map(|it| format!("--vary {}", shell::quoted(it)))
        .collect();
    let label = scene.panels.get(options.panel).map_or("", |panel| panel.label.as_str());
    let advice = match &others[..] {
        [] => "vary another field".to_owned(),
        all => format!("vary another field, such as {}", all.join(" or ")),
    };
    format!(
        "no compared position of panel {} “{label}” depends on {}{why}; {advice}",
        options.panel + 1,
        names.join(" or ")
    )
}

/// First field with a placeholder for its start value.
fn begin(options: &FitOptions) -> String {
    options.vary.first().map_or(String::new(), |term| shell::quoted(term.beginning()))
}

/// Whether the body has this shape. Also true if `name` is not the name of a shape.
pub(super) fn has_shape(scene: &Scene, options: &FitOptions, name: &str) -> bool {
    !SHAPES.contains(&name) || name == shape_of(scene, options)
}

/// Shape of the body.
fn shape_of(scene: &Scene, options: &FitOptions) -> &'static str {
    shape_in(scene, options.panel, options.body)
}

/// Shape of a body of a panel.
pub(in crate::job) fn shape_in(scene: &Scene, panel: usize, body: usize) -> &'static str {
    let has = |shape: &&str| scene.value_of(panel, body, shape).is_some();
    SHAPES.into_iter().find(has).unwrap_or("rope")
}

/// Translates a name that courses and other programs use into an option of the fit.
pub(super) fn other_field(scene: &Scene, options: &FitOptions, name: &str) -> Option<String> {
    let all = fields_meant(name, shape_of(scene, options));
    let written = |(path, role): &(String, &str)| {
        let value = scene.value_of(options.panel, options.body, path);
        let term = value.as_deref().and_then(|value| in_braces(path, value));
        let term = shell::quoted(term.unwrap_or_else(|| path.clone()));
        let role = if role.is_empty() { String::new() } else { format!(" for {role}") };
        format!("--vary {term}{role}")
    };
    let all: Vec<String> = all.iter().map(written).collect();
    match all.is_empty() {
        false => Some(format!("a scene has no field `{name}`: write {}", all.join(", or "))),
        true => field_elsewhere(name).map(|how| {
            format!("a scene has no field `{name}`: {how}; `catena sweep` tries whole numbers")
        }),
    }
}

/// Start value for the damping of a method if the scene sets none. The homework template uses the
/// same value.
const DAMPING: &str = "0.00005";

/// Returns the fields that a fit of a program's numbers varies first, in the syntax of `--vary`:
/// stiffness, damping, drag and gravity. A method that preserves lengths has no stiffness, and its
/// damping is an option. `method` is the panel's changed method in scene syntax.
pub fn usual_fields(scene: &Scene, panel: usize, method: Option<&str>) -> Vec<String> {
    let written = method.map(str::to_owned).or_else(|| scene.value_of(panel, 0, "integrator"));
    let written = written.unwrap_or_default();
    let name = written.split('(').next().unwrap_or_default().trim();
    let info = METHODS.iter().find(|info| info.name == name);
    let holds_lengths = info.is_some_and(|info| info.holds_lengths);
    let shape = shape_in(scene, panel, 0);
    let springs = [format!("{shape}.stiffness"), format!("{shape}.damping"), "drag".into()];
    let value = |path: &String| scene.value_of(panel, 0, path)?.parse::<f64>().ok();
    // Homework programs rarely damp springs, so this field is used only if the scene has it.
    let is_usual = |path: &String| {
        let number = value(path);
        number.is_some_and(|it| it != 0.0 || !path.ends_with(".damping"))
    };
    let mut all: Vec<String> =
        springs.into_iter().filter(|_| !holds_lengths).filter(is_usual).collect();
    if info.is_some_and(|info| info.options.iter().any(|option| option.name == "damping")) {
        all.extend(with_damping(&written));
    }
    let gravity = scene.value_of(panel, 0, "gravity");
    all.extend(gravity.and_then(|value| in_braces("gravity", &value)));
    all
}

/// Returns a method in scene syntax with its damping in braces.
fn with_damping(method: &str) -> Option<String> {
    let name = method.split('(').next()?.trim();
    let options = method.split_once('(').map_or("", |(_, rest)| rest.trim_end_matches(')'));
    let mut others: Vec<&str> =
        options.split(',').map(str::trim).filter(|it| !it.is_empty()).collect();
    let place = others.iter().position(|option| option.starts_with("damping:"));
    let own = place.map(|place| others.remove(place));
    let start = own.and_then(|own| own.split_once(':')).map_or(DAMPING, |(_, value)| value.trim());
    start.parse::<f64>().ok()?;
    let damping = format!("damping: {{{start}}}");
    others.push(&damping);
    Some(format!("integrator={name}({})", others.join(", ")))
}

/// Message about a start value outside the range of its field.
pub(super) fn outside(term: &FitTerm, start: f64) -> String {
    let path = &term.path;
    let found = fields().into_iter().find(|field| field.path == *path);
    let plain = |field: &FieldInfo| field.expected.split(';').next().map(str::to_owned);
    let expected = found.as_ref().and_then(plain);
    let expected = expected.map_or_else(String::new, |expected| format!(", {expected}"));
    format!("--vary {path}={start}: a fit cannot begin outside the range of `{path}`{expected}")
}

/// Message about a field that is varied twice, which also explains how to vary several numbers of
/// one value.
pub(super) fn twice(one: &FitTerm, other: &FitTerm) -> String {
    let path = &one.path;
    match one.is_inside() && other.is_inside() {
        false => format!("`{path}` is varied twice"),
        true => format!(
            "`{path}` is varied twice; several numbers of one value vary in one term, such as \
             {path}=({{0}}, {{-1}})"
        ),
    }
}

/// Message about a value that is not a number, which explains how to vary a number inside it.
pub(super) fn no_number(path: &str, value: &str) -> String {
    let how = in_braces(path, value).map_or_else(
        || format!("{path}=…{{START}}… varies the number in braces"),
        |term| format!("--vary {} varies the number in braces", shell::quoted(term)),
    );
    format!("`{path}` is {value}, not a number; {how}")
}

/// Returns a field with the largest number of its value in braces, such as `gravity=(0, {-9.81},
/// 0)`; the last one of equal numbers. `None` if the value is a number or has none.
fn in_braces(path: &str, value: &str) -> Option<String> {
    if value.parse::<f64>().is_ok() {
        return None;
    }
    let is_part = |c: char| c.is_ascii_digit() || ".+-eE".contains(c);
    let mut largest: Option<(f64, usize, &str)> = None;
    let mut begin = 0;
    for part in value.split(|c: char| !is_part(c)) {
        if let Ok(number) = part.parse::<f64>()
            && largest.is_none_or(|(maximum, ..)| number.abs() >= maximum)
        {
            largest = Some((number.abs(), begin, part));
        }
        let rest = &value[begin + part.len()..];
        begin += part.len() + rest.chars().next().map_or(0, char::len_utf8);
    }
    let (_, begin, number) = largest?;
    let after = &value[begin + number.len()..];
    Some(format!("{path}={}{{{number}}}{after}", &value[..begin]))
}
