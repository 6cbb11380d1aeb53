//! Changes of settings that could make a quantity the same in a body as in its reference.
//!
//! [`super::remedies`] builds the body with each change to test it.

use super::draft::{Edit, with_option};
use super::measures::{DampingRates, law_text, mean_mass};
use crate::comparability::quantity_value::{ComparisonCase, SettingsChange};
use crate::parts::Body;
use crate::shape;
use catena_sim::{Arrangement, SpringLaw};

/// Returns the implied value of a field that neither the scene nor `defaults.ron` sets.
fn left_out(path: &str) -> Option<String> {
    Some(match path {
        "forces" | "slips" | "impulses" | "anchors" | "events" | "colliders" | "velocities" => {
            "[]".into()
        }
        "rope.weights" | "rope.ranges" | "cloth.weights" => "[]".into(),
        "cloth.pins" => "None".into(),
        "cloth.damping" => number(shape::CLOTH_DAMPING),
        "cloth.mass" => number(shape::CLOTH_MASS),
        "cloth.stiffness" => number(shape::CLOTH_STIFFNESS),
        "cloth.law" => shape::CLOTH_LAW.info().name.into(),
        _ => return None,
    })
}

impl ComparisonCase<'_> {
    /// Whether both bodies are ropes, or both are cloths.
    fn is_one_kind(&self) -> bool {
        is_rope(self.here) == is_rope(self.there)
    }

    /// Sets a field to its value in the reference, if the two differ.
    pub(super) fn copied(&self, path: &str) -> Option<Edit> {
        let there = self.of_other(path)?;
        let here = (self.written_here)(path).or_else(|| left_out(path));
        (here.as_ref() != Some(&there)).then(|| (path.to_owned(), Some(there)))
    }

    /// Returns the text of a field of the reference, or `None` if it is unset and has no default.
    fn of_other(&self, path: &str) -> Option<String> {
        let other_kind = if is_rope(self.there) { "cloth." } else { "rope." };
        if path.starts_with(other_kind) {
            return None;
        }
        (self.written_there)(path).or_else(|| left_out(path))
    }

    /// Removes the fields of the quantity that this body sets and the reference does not.
    fn removals(&self) -> SettingsChange {
        let is_extra =
            |path: &&&str| (self.written_here)(path).is_some() && self.of_other(path).is_none();
        let extra = self.quantity.fields.iter().filter(is_extra);
        extra.map(|path| ((*path).to_owned(), None)).collect()
    }

    /// Sets one option of the body's method.
    pub(super) fn option(&self, name: &str, value: &str) -> Option<Edit> {
        let method = (self.written_here)("integrator")?;
        Some(set("integrator", with_option(&method, name, Some(value))?))
    }

    /// Removes one option of the body's method.
    fn without_option(&self, name: &str) -> Option<Edit> {
        let method = (self.written_here)("integrator")?;
        Some(set("integrator", with_option(&method, name, None)?))
    }

    fn has_option(&self, name: &str) -> bool {
        self.here.method.options.iter().any(|option| option.name == name)
    }

    /// Sets a field of the rope, cloth or net that this body is.
    fn own(&self, field: &str, value: f64) -> SettingsChange {
        let shape = match self.here.setup.model.arrangement {
            Arrangement::Chain => "rope",
            Arrangement::Sheet { .. } => "cloth",
            Arrangement::Parts if (self.written_here)("net").is_some() => "net",
            Arrangement::Parts => "rope",
        };
        vec![set(&format!("{shape}.{field}"), number(value))]
    }
}

/// Sets a field to a text.
pub(super) fn set(path: &str, value: String) -> Edit {
    (path.to_owned(), Some(value))
}

fn is_rope(body: &Body) -> bool {
    body.setup.model.arrangement == Arrangement::Chain
}

/// Formats a number with twelve digits, which comparisons treat as equal to the number.
pub(super) fn number(value: f64) -> String {
    exact(format!("{value:.11e}").parse().unwrap_or(value))
}

/// Formats a number with all its digits. Factors close to 1 need them, because their distance from
/// 1 matters.
fn exact(value: f64) -> String {
    if value != 0.0 && !(1e-5..1e15).contains(&value.abs()) {
        format!("{value:?}")
    } else {
        value.to_string()
    }
}

/// Returns all changes that could make the quantity of a case equal, most likely first. Changes
/// that combine copies with removals come last.
pub(super) fn of(case: &ComparisonCase<'_>) -> Vec<SettingsChange> {
    let mut changes = (case.quantity.changes)(case);
    let removals = case.removals();
    changes.extend(removals.iter().cloned().map(|field| vec![field]));
    changes.extend(with_material(&changes));
    let copies: SettingsChange =
        case.quantity.fields.iter().filter_map(|path| case.copied(path)).collect();
    if !removals.is_empty() && copies.len() + removals.len() > 1 {
        changes.push([copies, removals].concat());
    }
    changes
}

/// Repeats the changes that set a material, without the fields that cannot be combined with a
/// material.
fn with_material(changes: &[SettingsChange]) -> Vec<SettingsChange> {
    const FOLLOW: [&[&str]; 3] =
        [&["rope.stiffness"], &["rope.mass"], &["rope.stiffness", "rope.mass"]];
    let is_material = |change: &&SettingsChange| {
        change.iter().any(|(path, value)| path == "rope.material" && value.is_some())
    };
    let without = |change: &SettingsChange| -> Vec<SettingsChange> {
        let leave_out = |paths: &&[&str]| {
            let left_out = paths.iter().map(|path| ((*path).to_owned(), None));
            change.iter().cloned().chain(left_out).collect()
        };
        FOLLOW.iter().map(leave_out).collect()
    };
    changes.iter().filter(is_material).flat_map(without).collect()
}

/// Copies the fields of the quantity from the reference: first each alone, then all that differ.
pub(super) fn copy(case: &ComparisonCase<'_>) -> Vec<SettingsChange> {
    let all: SettingsChange =
        case.quantity.fields.iter().filter_map(|path| case.copied(path)).collect();
    let mut changes: Vec<SettingsChange> = all.iter().cloned().map(|field| vec![field]).collect();
    if all.len() > 1 {
        changes.push(all);
    }
    changes
}

/// Removes slips. No change adds one to a correct body.
pub(super) fn slips(case: &ComparisonCase<'_>) -> Vec<SettingsChange> {
    if case.there.setup.slips.is_empty() { copy(case) } else { Vec::new() }
}

/// Copies fields of the reference, then sets `field` to the value of the quantity.
fn number_then_copy(case: &ComparisonCase<'_>, field: &str) -> Vec<SettingsChange> {
    let mut changes = Vec::new();
    if case.is_one_kind() {
        changes = copy(case);
    }
    let value = case.quantity.of(case.there).first();
    changes.extend(value.map(|value| case.own(field, value)));
    changes
}

pub(super) fn mass(case: &ComparisonCase<'_>) -> Vec<SettingsChange> {
    number_then_copy(case, "mass")
}

pub(super) fn spring_damping(case: &ComparisonCase<'_>) -> Vec<SettingsChange> {
    number_then_copy(case, "damping")
}

/// Sets a material that gives stiffness `k` and equal masses, if the rope has a material. A rope
/// with a material cannot set a stiffness.
fn elastic(case: &ComparisonCase<'_>, k: f64) -> Option<SettingsChange> {
    (case.written_here)("rope.material").filter(|_| is_rope(case.here))?;
    let area: f64 = (case.written_here)("rope.area")?.parse().ok()?;
    let model = &case.here.setup.model;
    let young = k * model.springs.first()?.rest_length / area;
    let density = model.mass.iter().sum::<f64>() / (area * model.rest_length());
    let text = format!("Elastic(young: {}, density: {})", number(young), number(density));
    Some(vec![set("rope.material", text)])
}

/// Sets the stiffness, or the compliance of a method that uses one instead.
pub(super) fn stiffness(case: &ComparisonCase<'_>) -> Vec<SettingsChange> {
    let mut changes = Vec::new();
    let wanted = case.quantity.of(case.there).first();
    if case.has_option("compliance") {
        let compliance = wanted.map(|k| number(1.0 / k));
        changes.extend(
            compliance.and_then(|alpha| case.option("compliance", &alpha)).map(|edit| vec![edit]),
        );
    }
    let mut own = number_then_copy(case, "stiffness");
    own.extend(wanted.and_then(|k| elastic(case, k)));
    if let Some(bare) = case.without_option("compliance").filter(|_| case.has_option("compliance"))
    {
        changes.push(vec![bare.clone()]);
        let both = |change: &SettingsChange| change.iter().cloned().chain([bare.clone()]).collect();
        changes.extend(own.iter().map(both));
    }
    changes.extend(own);
    changes
}

/// Sets a rope's `bending`, or a cloth's stiffness, which is four times the stiffness of its
/// bending springs.
pub(super) fn bending(case: &ComparisonCase<'_>) -> Vec<SettingsChange> {
    let mut changes = if case.is_one_kind() { copy(case) } else { Vec::new() };
    let value = case.quantity.of(case.there).first().unwrap_or(0.0);
    changes.push(if is_rope(case.here) {
        case.own("bending", value)
    } else {
        case.own("stiffness", 4.0 * value)
    });
    changes
}

/// Copies the spring law. For methods with rigid segments there is no change: only another method
/// would have springs.
pub(super) fn law(case: &ComparisonCase<'_>) -> Vec<SettingsChange> {
    let (here, there) = (&*case.here.setup, &*case.there.setup);
    if here.method.holds_lengths() || there.method.holds_lengths() {
        return Vec::new();
    }
    let shape = if is_rope(case.here) { "rope" } else { "cloth" };
    vec![vec![set(&format!("{shape}.law"), law_text(there))]]
}

/// Turns a rope into a cloth by setting all cloth fields. No setting turns a cloth into a rope.
pub(super) fn kind(case: &ComparisonCase<'_>) -> Vec<SettingsChange> {
    if case.is_one_kind() {
        return copy(case);
    }
    const CLOTH: [&str; 8] =
        ["corner", "across", "down", "rows", "columns", "stiffness", "mass", "pins"];
    let fields = CLOTH.iter().filter_map(|field| case.copied(&format!("cloth.{field}")));
    vec![fields.collect()]
}

/// Copies the pins of the reference, or pins the nodes at the same fractions of the rope.
pub(super) fn pins(case: &ComparisonCase<'_>) -> Vec<SettingsChange> {
    let mut changes = if case.is_one_kind() { copy(case) } else { Vec::new() };
    let (here, there) = (&case.here.setup.model, &case.there.setup.model);
    if is_rope(case.here) && is_rope(case.there) {
        let ratio = (here.nodes() - 1) as f64 / (there.nodes() - 1) as f64;
        let pins = (0..there.nodes()).filter(|&node| there.pinned[node]);
        let list: Vec<String> = pins.map(|pin| (pin as f64 * ratio).round().to_string()).collect();
        changes.push(vec![set("rope.pins", format!("[{}]", list.join(", ")))]);
    }
    changes
}

/// Copies each field of the shape, then sets an end at the reference's distance from the start,
/// then copies all fields.
pub(super) fn length(case: &ComparisonCase<'_>) -> Vec<SettingsChange> {
    if !case.is_one_kind() {
        return Vec::new();
    }
    let mut changes = copy(case);
    let ends = |body: &Body| {
        let (model, state) = (&body.setup.model, &body.setup.initial);
        let n = model.nodes();
        (state.position(n, 0), state.position(n, n - 1), model.axes)
    };
    if is_rope(case.here) {
        let ((start, ..), (from, to, axes)) = (ends(case.here), ends(case.there));
        let components: Vec<String> =
            (0..axes).map(|axis| number(start[axis] + (to[axis] - from[axis]))).collect();
        let end = vec![set("rope.end", format!("({})", components.join(", ")))];
        let last = case.copied("rope.last_node");
        let all = changes.len().saturating_sub(1);
        changes.insert(all, end.clone());
        changes.extend(last.map(|last| vec![end[0].clone(), last]));
    }
    changes
}

/// Sets one source of damping so that the total is as wanted, or moves all damping to drag.
pub(super) fn damping(case: &ComparisonCase<'_>) -> Vec<SettingsChange> {
    let setup = &*case.here.setup;
    let Some(wanted) = case.quantity.of(case.there).first() else { return copy(case) };
    let DampingRates { drag, method: own, factor } = DampingRates::of(setup);
    let (mass, dt) = (mean_mass(setup), setup.dt());
    let of_drag = |rate: f64| set("drag", number(rate * mass));
    let of_factor = |rate: f64| set("velocity_factor", exact(1.0 - rate * dt));
    let in_drag = || vec![of_drag(wanted - own - factor)];
    let in_own = |share: f64| -> SettingsChange {
        case.option("damping", &number(share)).into_iter().collect()
    };
    let share = (wanted - drag - factor) * dt;
    let in_factor = || vec![of_factor(wanted - drag - own)];
    let has_own = case.has_option("damping");
    let mut changes = Vec::new();
    // The sources that the body uses come first. The method's own damping also counts if there is
    // no drag.
    if drag != 0.0 {
        changes.push(in_drag());
    }
    if has_own && (own != 0.0 || drag == 0.0) {
        changes.push(in_own(share));
        // The damping rate of `damping_of` is d/((1 - d) dt).
        if case.has_option("damping_of") {
            changes.push(in_own(share / (1.0 + share)));
        }
    }
    if factor != 0.0 {
        changes.push(in_factor());
    }
    changes.push(in_drag());
    let mut all = vec![of_drag(wanted)];
    if factor != 0.0 {
        all.push(set("velocity_factor", "1".into()));
    }
    if has_own {
        all.extend(case.option("damping", "0"));
    }
    changes.push(all);
    changes
}

/// Copies the position factor, or sets it to the reference's rate per time, because the factor acts
/// once per step.
pub(super) fn position_factor(case: &ComparisonCase<'_>) -> Vec<SettingsChange> {
    let rate = case.quantity.of(case.there).first().unwrap_or(0.0);
    let factor = 1.0 - rate * case.here.setup.dt();
    let mut changes = copy(case);
    changes.push(vec![set("position_factor", exact(factor))]);
    changes
}

/// Returns changes of the method's or the scene's substeps. With variable steps, the reference's
/// step control is copied.
pub(super) fn step(case: &ComparisonCase<'_>) -> Vec<SettingsChange> {
    let (here, there) = (&*case.here.setup, &*case.there.setup);
    if here.method.chooses_steps() || there.method.chooses_steps() {
        return copy(case);
    }
    let control: SettingsChange = case.copied("step_control").into_iter().collect();
    let inner = f64::from(here.method.inner_steps());
    let there_inner = f64::from(there.method.inner_steps());
    let wanted = there.substeps as f64 * there_inner;
    let with_control = |change: SettingsChange| -> SettingsChange {
        control.iter().cloned().chain(change).collect()
    };
    let mut changes: Vec<SettingsChange> = Vec::new();
    if !control.is_empty() {
        changes.push(control.clone());
    }
    // Changes the method's own substeps if the scene's steps already agree.
    let own = wanted / here.substeps as f64;
    if case.here.method.options.iter().any(|option| option.name == "substeps") && is_whole(own) {
        changes.extend(case.option("substeps", &number(own)).map(|edit| with_control(vec![edit])));
    }
    if is_whole(wanted / inner) {
        let substeps = set("substeps", number(wanted / inner));
        changes.push(with_control(vec![substeps.clone()]));
        // A layer cannot set both.
        if (case.written_here)("max_dt").is_some() {
            changes.push(with_control(vec![substeps, ("max_dt".into(), None)]));
        }
    }
    changes
}

fn is_whole(count: f64) -> bool {
    count >= 1.0 && count == count.round()
}
