//! Bodies of several parts. Each part is built from the layers of its body with its own on top, and
//! joins connect the parts to one model.

mod layers;

use layers::kind_of;
pub use layers::{PartLayers, check_part};

use super::contact;
use super::diagnostic::Fault;
use super::error::SceneError;
use super::node::{NodeName, part_called};
use super::part_entries::{JoinEnd, JoinEntry, JoinedEnds, PartChange, PartEntry, PartList};
use super::parts::Style;
use super::schema::Settings;
use super::shape::rod::{RigidJoint, RodPlan};
use super::shape::{BodyShape, LengthKind, SpringKind, shape};
use super::stack::{Stack, refuse};
use super::words::JointWord;
use crate::body_style::{color_motion, style};
use catena_sim::body::shape::assembly::{Assembly, JOINS, PartNode, SpringOrigin};
use catena_sim::contact::PartContact;
use catena_sim::drive::track::Animated;
use catena_sim::force::SpringCoefficient;
use catena_sim::run::LengthOverTime;
use catena_sim::{BadSetup, BreakingStrain, Form, Model, SpringLaw, State};
use std::sync::Arc;

/// Body before forces, contacts and a method are added.
pub struct BuiltBody {
    /// Masses, springs and pins.
    pub model: Model,
    /// Initial state.
    pub initial: State,
    /// Properties of the springs apart from their stiffness.
    pub springs: BodySprings,
    /// Path of the field that describes the body, such as `rope` or `parts`.
    pub field: String,
    /// Index of the list entry of each part; empty for a body without parts. The springs of joins
    /// form a last part without an entry.
    pub part_entries: Vec<usize>,
    /// Style and colour animation of each part, in the order of the model's parts.
    pub part_styles: Vec<PartStyle>,
    /// Contact of each part's drawn surface; empty if only nodes touch.
    pub part_contacts: Vec<PartContact>,
    /// Notes for the user about how the body was read.
    pub notes: Vec<String>,
    /// Rod of each part; `None` for parts that do not resist bending.
    pub(super) rods: Vec<Option<RodPlan>>,
    /// Joints of rods that transmit moments.
    pub(super) rigid: Vec<RigidJoint>,
}

/// Style of a part and the animation of its colour, if any.
type PartStyle = (Style, Option<Animated<4>>);

/// Properties of the springs of a body apart from their stiffness.
pub struct BodySprings {
    /// Spring law: tension as a function of length.
    pub law: Arc<dyn SpringLaw>,
    /// Damping along the springs; if parts differ, the maximum.
    pub damping: f64,
    /// Damping of the full relative velocity of spring ends; if parts differ, the maximum.
    pub friction: f64,
    /// Strain at which springs break.
    pub breaks_at: Option<BreakingStrain>,
    /// Damping and friction of each spring; `None` for a body without parts.
    pub each: Option<[Arc<[f64]>; 2]>,
    /// Ropes whose lengths can change.
    ropes: Vec<ChangeableRope>,
}

/// Rope whose length can change.
struct ChangeableRope {
    length: LengthOverTime,
    /// Whether the length changes only by events.
    is_constant: bool,
}

impl BodySprings {
    /// Returns the springs of a body without parts.
    fn of_one(kind: SpringKind, model: &Model) -> Self {
        let springs = (0..model.springs.len()).collect();
        let ropes = changeable(&kind, model, springs).into_iter().collect();
        let SpringKind { law, damping, friction, breaks_at, .. } = kind;
        let breaks_at = breaks_at.map(BreakingStrain::All);
        Self { law, damping, friction, breaks_at, each: None, ropes }
    }

    /// Lengths that change with time: those that follow a curve, and if `by_events`, those of all
    /// ropes that events can pay out.
    pub(super) fn lengths(&self, by_events: bool) -> impl Iterator<Item = LengthOverTime> {
        let ropes = self.ropes.iter().filter(move |rope| by_events || !rope.is_constant);
        ropes.map(|rope| rope.length.clone())
    }

    /// Returns the springs of a body of parts. Each spring has the properties of its part, and all
    /// have the law of the first. Springs of joins have no damping and do not break.
    fn of_parts(
        first: &BuiltEntry,
        PartCopies { entries, copies }: PartCopies<'_>,
        origins: &[SpringOrigin],
    ) -> Self {
        let entry_of = |part: usize| copies[part].entry;
        let of = |get: fn(&SpringKind) -> f64| -> (f64, Arc<[f64]>) {
            let coefficient =
                |entry: &BuiltEntry| SpringCoefficient::new(get(&entry.kind), &entry.model);
            let coefficients: Vec<_> = entries.iter().map(coefficient).collect();
            let of_part = |(part, j): (usize, usize)| {
                coefficients[entry_of(part)].of(&entries[entry_of(part)].model, j)
            };
            let of_spring = |origin: &SpringOrigin| origin.map_or(0.0, of_part);
            let greatest = entries.iter().map(|entry| get(&entry.kind)).fold(0.0, f64::max);
            (greatest, origins.iter().map(of_spring).collect())
        };
        let ((damping, damping_each), (friction, friction_each)) =
            (of(|kind| kind.damping), of(|kind| kind.friction));
        let breaks = entries.iter().any(|entry| entry.kind.breaks_at.is_some());
        let strain = |origin: &SpringOrigin| {
            let of_part = |(part, _): (usize, usize)| entries[entry_of(part)].kind.breaks_at;
            origin.and_then(of_part).unwrap_or(f64::INFINITY)
        };
        let of_copy = |(part, copy): (usize, &PartCopy)| {
            let is_of = |origin: &SpringOrigin| origin.is_some_and(|(of, _)| of == part);
            let own = (0..origins.len()).filter(|j| is_of(&origins[*j])).collect();
            let BuiltEntry { kind, model, .. } = &entries[copy.entry];
            changeable(kind, model, own)
        };
        Self {
            ropes: copies.iter().enumerate().filter_map(of_copy).collect(),
            law: Arc::clone(&first.kind.law),
            damping,
            friction,
            breaks_at: breaks.then(|| BreakingStrain::Each(origins.iter().map(strain).collect())),
            each: Some([damping_each, friction_each]),
        }
    }
}

/// Returns how the length of a rope with these springs in the body can change; `None` if it cannot.
/// `model` is the rope alone.
fn changeable(kind: &SpringKind, model: &Model, springs: Vec<usize>) -> Option<ChangeableRope> {
    let (length, keeps_axial, is_constant) = match &kind.length {
        LengthKind::Fixed => return None,
        LengthKind::Changing { track, keeps_axial } => (track.clone(), *keeps_axial, false),
        LengthKind::Constant { keeps_axial } => {
            let length = model.structural().iter().map(|spring| spring.rest_length).sum();
            (Animated::number(length), *keeps_axial, true)
        }
    };
    Some(ChangeableRope { length: LengthOverTime { springs, length, keeps_axial }, is_constant })
}

/// Builds the body that the layers describe, with one or several parts.
///
/// # Errors
/// Returns an error at the first field of a part or join that is missing, out of range or
/// contradictory.
pub(super) fn build(
    stack: &Stack<'_>,
    settings: &Settings,
    axes: usize,
) -> Result<BuiltBody, SceneError> {
    match &settings.parts {
        Some(list) if !list.0.is_empty() => of_parts(stack, settings, list, axes),
        _ => {
            check_undivided(stack, settings)?;
            let shape = shape(stack, settings, axes)?;
            let (model, initial) = built(stack, &shape)?;
            let (mut style, field) = (style(stack, settings, axes)?, shape.field.to_owned());
            if field == "rig" {
                // The single node that represents a body with only a rig is not drawn.
                (style.node_size, style.mark_pins) = (0.0, false);
            }
            let part_styles = vec![(style, color_motion(settings))];
            let springs = BodySprings::of_one(shape.springs, &model);
            let part_contacts = contact::of_part(stack, settings)?.into_iter().collect();
            let (notes, rods) = (shape.notes, vec![shape.rod]);
            let part_entries = Vec::new();
            Ok(BuiltBody {
                model,
                initial,
                springs,
                field,
                part_entries,
                part_styles,
                part_contacts,
                notes,
                rods,
                rigid: Vec::new(),
            })
        }
    }
}

/// Rejects joins of a body without parts, and an empty list of parts that replaces no other list.
fn check_undivided(stack: &Stack<'_>, settings: &Settings) -> Result<(), SceneError> {
    if settings.part_changes.as_ref().is_some_and(|list| !list.0.is_empty()) {
        let fault = Fault::new("`part_changes` has no effect: the body has no parts");
        let help = "set the field of the body itself, or add `parts`";
        return Err(refuse(stack, "part_changes", fault.help(help)));
    }
    if settings.joins.as_ref().is_some_and(|list| !list.0.is_empty()) {
        let fault = Fault::new("`joins` has no effect: the body has no parts");
        return Err(refuse(stack, "joins", fault.help("add `parts`, or remove `joins`")));
    }
    let lists = || stack.iter().filter_map(|layer| layer.settings.parts.as_ref());
    if settings.parts.is_some() && lists().all(|list| list.0.is_empty()) {
        let fault = Fault::new("the list of parts is empty");
        return Err(refuse(stack, "parts", fault.help("add a part, or remove `parts`")));
    }
    Ok(())
}

/// Rejects changes of parts that are not in the list, and changes that set a kind other than the
/// part's.
fn check_changes(stack: &Stack<'_>, list: &PartList) -> Result<(), SceneError> {
    let names = || list.0.iter().filter_map(|entry| entry.name.as_deref());
    for (layer, place) in stack.iter().zip(0..) {
        for (index, PartChange { name, with }) in
            layer.settings.part_changes.iter().flat_map(|list| list.0.iter().enumerate())
        {
            // A stack of one layer, so that messages point into this layer.
            let alone: Stack<'_> = stack[place..=place].to_vec();
            let path = format!("part_changes[{index}]");
            let Some(name) = name else {
                let fault =
                    Fault::new("the part has no name").help("write (name: \"…\", with: (…))");
                return Err(refuse(&alone, &path, fault));
            };
            part_called(name, names()).map_err(|fault| refuse(&alone, &path, fault))?;
            let Some(entry) = list.0.iter().find(|entry| entry.name.as_ref() == Some(name)) else {
                continue;
            };
            if let [Some(own), Some(other)] = [kind_of(&entry.with), kind_of(with)]
                && own != other
            {
                let message = format!("part {name:?} is a {own}, not a {other}");
                let help = format!("set a field of `{own}`");
                return Err(refuse(&alone, &path, Fault::new(message).help(help)));
            }
        }
    }
    Ok(())
}

/// Rejects a `Touching` entry that welded no nodes of the model.
fn check_touching(
    stack: &Stack<'_>,
    settings: &Settings,
    PartCopies { entries, copies }: PartCopies<'_>,
    model: &Model,
) -> Result<(), SceneError> {
    let mut joins = settings.joins.iter().flat_map(|list| &list.0);
    let touching = joins.position(|entry| matches!(entry, JoinEntry::Touching));
    let nodes: usize = copies.iter().map(|copy| entries[copy.entry].model.nodes()).sum();
    match touching {
        Some(index) if nodes == model.nodes() => {
            let message =
                "Touching joins nothing: no two nodes of different parts have the same position";
            let help = "move the parts, join nodes with `from` and `to`, or remove Touching";
            Err(refuse(stack, &format!("joins[{index}]"), Fault::new(message).help(help)))
        }
        _ => Ok(()),
    }
}

/// Builds the model and the initial state of a shape.
fn built(stack: &Stack<'_>, shape: &BodyShape) -> Result<(Model, State), SceneError> {
    let refused = |bad: BadSetup| {
        refuse(stack, &format!("{}.{}", shape.field, bad.field), Fault::new(bad.message))
    };
    shape.topology.build().map_err(refused)
}

/// Properties that all copies of a list entry share.
struct BuiltEntry {
    kind: SpringKind,
    model: Model,
    form: Form,
    style: PartStyle,
    contact: Option<PartContact>,
    rod: Option<RodPlan>,
}

/// Part of the body: one copy of an entry.
struct PartCopy {
    name: String,
    /// Index of the entry.
    entry: usize,
}

/// Entries of the list, and the parts in their order.
#[derive(Clone, Copy)]
struct PartCopies<'a> {
    entries: &'a [BuiltEntry],
    copies: &'a [PartCopy],
}

fn of_parts(
    stack: &Stack<'_>,
    settings: &Settings,
    list: &PartList,
    axes: usize,
) -> Result<BuiltBody, SceneError> {
    let mut assembly = Assembly::new();
    check_changes(stack, list)?;
    let (mut entries, mut copies): (Vec<BuiltEntry>, Vec<PartCopy>) = (Vec::new(), Vec::new());
    let mut notes = Vec::new();
    let layers = PartLayers::new(stack);
    for (index, entry) in list.0.iter().enumerate() {
        let shape = shape(&layers.stack(index, entry), &layers.settings(entry), axes)?;
        let (built, initial) = entry_of(&layers, index, entry, &shape, axes)?;
        if let Some(first) = entries.first() {
            let path = format!("parts[{index}].with.{}.law", shape.field);
            built.kind.check_law(&first.kind, stack, &path)?;
        }
        notes.extend(shape.notes);
        for (name, shift) in copies_of(entry, index, axes) {
            copies.push(PartCopy { name: name.clone(), entry: index });
            let start = shifted(&initial, &shift);
            assembly = assembly.part_of(name, Ok((built.model.clone(), start)));
        }
        entries.push(built);
    }
    check_names(stack, &copies, list)?;
    let parts = PartCopies { entries: &entries, copies: &copies };
    let mut rigid = Vec::new();
    for (index, entry) in settings.joins.iter().flat_map(|list| list.0.iter().enumerate()) {
        assembly = joined(stack, assembly, index, entry, parts, &mut rigid)?;
    }
    let refused = |bad: BadSetup| refuse(stack, &bad.field, Fault::new(bad.message));
    let (model, initial, origins) = assembly.build_with_origins().map_err(refused)?;
    check_touching(stack, settings, parts, &model)?;
    let mut part_styles: Vec<_> =
        copies.iter().map(|copy| entries[copy.entry].style.clone()).collect();
    // Springs of joins form one more part, which has the style of the body.
    let of_joins = (style(stack, settings, axes)?, color_motion(settings));
    part_styles.resize(model.parts.len(), of_joins);
    let contacts: Vec<_> = copies.iter().map(|copy| entries[copy.entry].contact).collect();
    let part_contacts = contact::of_parts(stack, &contacts, model.parts.len())?;
    let missing = || refuse(stack, "parts", Fault::new("the body has no parts"));
    let first = entries.first().ok_or_else(missing)?;
    let springs = BodySprings::of_parts(first, parts, &origins);
    let rods = copies.iter().map(|copy| entries[copy.entry].rod.clone()).collect();
    let part_entries = copies.iter().map(|copy| copy.entry).collect();
    Ok(BuiltBody {
        part_entries,
        model,
        initial,
        springs,
        field: "parts".into(),
        part_styles,
        part_contacts,
        notes,
        rods,
        rigid,
    })
}

/// Builds the properties that all copies of an entry share, and the initial state of the first
/// copy.
fn entry_of(
    layers: &PartLayers<'_>,
    index: usize,
    entry: &PartEntry,
    shape: &BodyShape,
    axes: usize,
) -> Result<(BuiltEntry, State), SceneError> {
    let (stack, settings) = (layers.stack(index, entry), layers.settings(entry));
    let (model, initial) = built(&stack, shape)?;
    let style = (style(&stack, &settings, axes)?, color_motion(&settings));
    let contact = contact::of_part(&stack, &settings)?;
    if contact.is_none() && entry.with.contact.is_some() {
        let fault = Fault::new("a part can have its own contact only with contact: (of: Drawn)");
        let help = "write contact: (of: Drawn) next to `parts`, or move this `contact` there";
        return Err(refuse(&stack, "contact", fault.help(help)));
    }
    let form = match &*model.part_list() {
        [only] => only.form.clone(),
        _ => Form::Graph,
    };
    let (kind, rod) = (shape.springs.clone(), shape.rod.clone());
    Ok((BuiltEntry { kind, model, form, style, contact, rod }, initial))
}

/// Returns the names of the copies of an entry, and the shift of each.
fn copies_of(entry: &PartEntry, index: usize, axes: usize) -> Vec<(String, Vec<f64>)> {
    let name = entry.name.clone().unwrap_or_else(|| format!("part {}", index + 1));
    let shift = entry.shift.0.map_or_else(|| vec![0.0; axes], |shift| shift.on(axes));
    let count = entry.repeat.0.map_or(1, |count| count.0);
    let copy = |number: u64| {
        let name =
            if entry.repeat.0.is_some() { format!("{name} {}", number + 1) } else { name.clone() };
        (name, shift.iter().map(|step| step * number as f64).collect())
    };
    (0..count).map(copy).collect()
}

/// Returns a state moved by a vector with one component per axis.
fn shifted(state: &State, by: &[f64]) -> State {
    let nodes = state.x.len() / by.len();
    let x = state.x.iter().enumerate().map(|(index, x)| x + by[index / nodes]).collect();
    State { x, ..state.clone() }
}

/// Rejects empty or repeated names, copies without a shift, and a shift without copies.
fn check_names(stack: &Stack<'_>, copies: &[PartCopy], list: &PartList) -> Result<(), SceneError> {
    for (index, entry) in list.0.iter().enumerate() {
        let refuse_at = |field: &str, message: &str, help: &str| {
            let fault = Fault::new(message).help(help);
            Err(refuse(stack, &format!("parts[{index}].{field}"), fault))
        };
        if entry.name.as_deref().is_some_and(|name| name.trim().is_empty()) {
            return refuse_at(
                "name",
                "a part's name must not be empty",
                "write a name, or remove `name`",
            );
        }
        if entry.name.as_deref() == Some(JOINS) {
            let message = "this name is reserved for the springs of joins";
            return refuse_at("name", message, "give the part another name");
        }
        let has_copies = entry.repeat.0.is_some_and(|count| count.0 > 1);
        if has_copies && entry.shift.0.is_none() {
            let help = "set the offset between copies: shift: (0, -1)";
            return refuse_at("repeat", "copies without a shift coincide", help);
        }
        if has_copies && entry.shift.0.is_some_and(|shift| shift.xyz() == [0.0; 3]) {
            let help = "set the offset between copies: shift: (0, -1)";
            return refuse_at("shift", "copies with a shift of 0 coincide", help);
        }
        if !has_copies && entry.shift.0.is_some() {
            let help = "set `repeat` to 2 or more, or remove `shift`";
            return refuse_at("shift", "`shift` has no effect without copies", help);
        }
    }
    let mut names = std::collections::BTreeSet::new();
    match copies.iter().find(|copy| !names.insert(&copy.name)) {
        None => Ok(()),
        Some(copy) => {
            let fault = Fault::new(format!("two parts are called {:?}", copy.name));
            Err(refuse(stack, "parts", fault.help("give each part a different name")))
        }
    }
}

/// Adds a join to the assembly, and its rigid joints to `rigid`.
fn joined(
    stack: &Stack<'_>,
    assembly: Assembly,
    index: usize,
    entry: &JoinEntry,
    parts: PartCopies<'_>,
    rigid: &mut Vec<RigidJoint>,
) -> Result<Assembly, SceneError> {
    let JoinEntry::Ends(JoinedEnds { from, to, stiffness, length, joint }) = entry else {
        return Ok(assembly.entry(index).weld_touching());
    };
    let path = |field: &str| format!("joins[{index}].{field}");
    let ends = |field: &str, end: &JoinEnd| {
        nodes_of(end, parts).map_err(|fault| refuse(stack, &path(field), fault))
    };
    let (from, to) = (ends("from", from)?, ends("to", to)?);
    let count = from.len().max(to.len());
    if [from.len(), to.len()].iter().any(|&len| len != 1 && len != count) {
        let message = format!("{} nodes cannot be joined to {} one by one", from.len(), to.len());
        let help = "join parts with the same number of nodes, or join a part to a single node";
        return Err(refuse(stack, &path("to"), Fault::new(message).help(help)));
    }
    if let (None, Some(_)) = (stiffness, length) {
        let fault =
            Fault::new("`length` has no effect without `stiffness`: the join merges the two nodes");
        let help = "set `stiffness` to make it a spring, or remove `length`";
        return Err(refuse(stack, &path("length"), fault.help(help)));
    }
    let is_rigid = *joint == Some(JointWord::Rigid);
    if let (true, Some(_)) = (is_rigid, stiffness) {
        let fault = Fault::new(
            "a rigid joint merges two nodes, so the join cannot be a spring with a `stiffness`",
        );
        let help = "remove `stiffness` or `joint`";
        return Err(refuse(stack, &path("joint"), fault.help(help)));
    }
    let at = |list: &[PartNode], k: usize| list[if list.len() == 1 { 0 } else { k }];
    let pairs = (0..count).map(|k| (at(&from, k), at(&to, k)));
    if is_rigid {
        let joint = |(from, to): (PartNode, PartNode)| RigidJoint { index, parts: [from.0, to.0] };
        rigid.extend(pairs.clone().map(joint));
    }
    Ok(pairs.fold(assembly.entry(index), |assembly, (a, b)| match stiffness {
        None => assembly.weld(a, b),
        Some(stiffness) => assembly.spring(a, b, stiffness.0, length.map(|length| length.0)),
    }))
}

/// Returns the nodes at one end of a join.
fn nodes_of(
    end: &JoinEnd,
    PartCopies { entries, copies }: PartCopies<'_>,
) -> Result<Vec<PartNode>, Fault> {
    let find = |name: &str| part_called(name, copies.iter().map(|copy| copy.name.as_str()));
    match end {
        JoinEnd::Part(name) => {
            let part = find(name)?;
            if let Form::Solid(_) = entries[copies[part].entry].form {
                let fault = Fault::new(
                    "the join must name a node of the solid: its centre or one of its points",
                );
                return Err(fault
                    .help(format!("write ({name:?}, 0), or ({name:?}, 1) for its first point")));
            }
            let nodes = entries[copies[part].entry].model.nodes();
            Ok((0..nodes).map(|node| (part, node)).collect())
        }
        JoinEnd::Node(NodeName { part: None, .. }) => {
            let fault = Fault::new("the join must name the part of each node");
            Err(fault.help("write (\"part\", node), or the name of a part for all of its nodes"))
        }
        JoinEnd::Node(NodeName { part: Some(name), place }) => {
            let part = find(name)?;
            let BuiltEntry { form, model, .. } = &entries[copies[part].entry];
            Ok(vec![(part, place.within(form, model.nodes())?)])
        }
    }
}
