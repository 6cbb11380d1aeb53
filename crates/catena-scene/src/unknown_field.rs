//! Advice on unknown fields.

use super::choice::{Methods, Shapes, StepControls, Table};
use super::diagnostic::{Fault, UnknownField, WrongField, nearest, similar};
use super::other_names::{OtherField, other_field, quantity};
use super::schema::fields;
use catena_base::text::list::listed;
use catena_ron::Node;

/// Fields that describe the shape of a body.
pub(super) const SHAPES: [&str; 6] = ["rope", "cloth", "net", "mesh", "graph", "solid"];

/// Replaces the help of a fault about an unknown field by the place where the field belongs, if it
/// is known. `root` is the value of the whole text, and `path` is the position of the fault.
pub(super) fn advise(fault: Fault, root: Node<'_>, path: &str) -> Fault {
    let help = fault.wrong_field.as_deref().and_then(|wrong| {
        let WrongField::Unknown(unknown) = wrong else { return None };
        let place = FieldPlace { known: unknown.known, shapes: &shapes_around(root, path) };
        place.advice(unknown)
    });
    match help {
        Some(help) => fault.help(help),
        None => fault,
    }
}

/// Returns the shapes of all bodies in the text of a scene. A scene without a shape has a rope.
pub(super) fn shapes_in(root: Node<'_>) -> Vec<&'static str> {
    let mut found = Vec::new();
    collect(root, &mut found);
    if found.is_empty() { vec!["rope"] } else { found }
}

/// Returns the shapes of the bodies to which a field at `path` would apply: the shapes next to or
/// below the field, or the shapes of the enclosing layers if there are none.
fn shapes_around(root: Node<'_>, path: &str) -> Vec<&'static str> {
    let mut places = std::iter::successors(above(path), |path| above(path));
    let mut found = Vec::new();
    let Some(own) = places.next() else { return shapes_in(root) };
    root.locate(own).into_iter().for_each(|node| collect(node, &mut found));
    if found.is_empty() && own == "base" {
        return shapes_in(root);
    }
    // Other panels and bodies do not affect this one, so only enclosing layers are searched.
    let layers = places.filter_map(|path| root.locate(path)).chain(root.get("base"));
    let mut layers = layers.map(here).chain([vec!["rope"]]);
    if found.is_empty() { layers.find(|all| !all.is_empty()).unwrap_or_default() } else { found }
}

/// Returns a path without its last part.
fn above(path: &str) -> Option<&str> {
    path.rfind(['.', '[']).map(|end| &path[..end])
}

/// Returns the shapes that settings set directly.
fn here(node: Node<'_>) -> Vec<&'static str> {
    SHAPES.into_iter().filter(|shape| node.get(shape).is_some()).collect()
}

/// Adds the shapes that settings set directly, or the shapes of inner layers if there are none.
fn collect(node: Node<'_>, found: &mut Vec<&'static str>) {
    const LAYERS: [&str; 9] =
        ["", "base", "with", "bodies", "parts", "panels", "grid", "rows", "columns"];
    let here = here(node);
    if here.is_empty() {
        let layers = node.entries().filter(|entry| LAYERS.contains(&entry.name()));
        layers.for_each(|layer| collect(layer, found));
    }
    for shape in here {
        if !found.contains(&shape) {
            found.push(shape);
        }
    }
}

/// Returns the paths of all fields with this name, reduced as in [`keep_shapes`].
pub(super) fn paths_called(name: &str, shapes: &[&str]) -> Vec<String> {
    let all = fields();
    let named = all.iter().map(|field| field.path.as_str()).filter(|path| last(path) == name);
    keep_shapes(named.map(Into::into).collect(), shapes)
}

/// Removes paths of shapes that the scene does not have, unless all paths would be removed. Also
/// removes paths that are nested deeper in a shape than another path.
fn keep_shapes(paths: Vec<String>, shapes: &[&str]) -> Vec<String> {
    let shape = |path: &str| SHAPES.into_iter().find(|it| path.split('.').next() == Some(it));
    let has_it = |path: &&String| shape(path).is_none_or(|it| shapes.contains(&it));
    let of_scene: Vec<String> = paths.iter().filter(has_it).cloned().collect();
    let paths = if of_scene.is_empty() { paths } else { of_scene };
    let depth = |path: &str| path.split('.').count();
    let is_shallow = |path: &&String| {
        let same = paths.iter().filter(|it| shape(it).is_some() && shape(it) == shape(path));
        same.map(|it| depth(it)).min().is_none_or(|minimum| depth(path) == minimum)
    };
    paths.iter().filter(is_shallow).cloned().collect()
}

/// Returns the names of a table that have an option with this name.
fn owners_in<T: Table>(name: &str) -> Vec<&'static str> {
    let has_it = |owner: &&str| T::options(owner).iter().any(|option| option.name == name);
    T::NAMES.iter().copied().filter(has_it).collect()
}

/// Returns advice on a name that is an option of a method or step control, not a field.
pub(super) fn option_advice(name: &str) -> Option<String> {
    let methods = owners_in::<Methods>(name);
    let controls = owners_in::<StepControls>(name);
    let field = if methods.is_empty() { "step_control" } else { "integrator" };
    in_parentheses(name, field, &[methods, controls].concat())
}

/// Returns advice on a name that is an option of the shape of a rope, not a field of `rope`.
fn shape_advice(name: &str) -> Option<String> {
    in_parentheses(name, "shape", &owners_in::<Shapes>(name))
}

/// Returns advice on an option of the values `owners` of a field; `None` if there are no owners.
fn in_parentheses(name: &str, field: &str, owners: &[&str]) -> Option<String> {
    let first = owners.first()?;
    let names: Vec<String> = owners.iter().map(|name| format!("`{name}`")).collect();
    Some(format!(
        "`{name}` is an option of {}: write it in parentheses after the name, as in `{field}: \
         {first}({name}: …)`",
        listed(&names)
    ))
}

/// Returns advice about a field's name in other programs. `how` returns the text that sets a field,
/// if the field can be set at the position of the fault.
pub(super) fn called_here(
    name: &str,
    other: &OtherField,
    how: &dyn Fn(&str) -> Option<String>,
) -> String {
    let remark = match other.remark {
        "" => String::new(),
        remark => format!("; {remark}"),
    };
    if let [(meant, _)] = other.means {
        let how = how(meant).map_or(String::new(), |how| format!(": write {how}"));
        return format!("`{name}` is called `{meant}` here{how}{remark}");
    }
    let one = |(meant, role): &(&str, &str)| {
        let how = how(meant).unwrap_or_else(|| format!("`{meant}`"));
        if role.is_empty() { how } else { format!("{how} for {role}") }
    };
    let all: Vec<String> = other.means.iter().map(one).collect();
    format!("write {}{remark}", all.join(", or "))
}

/// Returns paths similar to one whose group exists but whose last name is unknown.
pub(super) fn similar_siblings(path: &str) -> Vec<String> {
    let Some((group, name)) = path.rsplit_once('.') else { return Vec::new() };
    let all = fields();
    let inside = |field: &'_ str| -> Option<String> {
        let rest = field.strip_prefix(group)?.strip_prefix('.')?;
        (!rest.contains('.')).then(|| rest.to_owned())
    };
    let names: Vec<String> = all.iter().filter_map(|field| inside(&field.path)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    similar(name, &names).into_iter().map(|name| format!("{group}.{name}")).collect()
}

/// Struct that contains the unknown name.
struct FieldPlace<'a> {
    /// Fields that the struct has.
    known: &'static [&'static str],
    /// Shapes of the bodies to which the struct applies.
    shapes: &'a [&'static str],
}

impl FieldPlace<'_> {
    fn advice(&self, UnknownField { name, .. }: &UnknownField) -> Option<String> {
        let (name, known) = (name.as_str(), self.known);
        let is_base = known.contains(&"rope") && known.contains(&"frames");
        if let Some(how) = quantity(name) {
            return Some(how.into());
        }
        if known.contains(&"tangent")
            && let Some(meant) = of_clamps(name)
        {
            return Some(format!("the {meant} of a clamp: write `{meant}: …`"));
        }
        if known.contains(&"torsion")
            && let Some(meant) = of_rods(name)
        {
            return Some(format!("`{name}` of a rod is called `{meant}`: write `{meant}: …`"));
        }
        if name == "panel" && known.contains(&"panels") {
            return Some("did you mean `panels`? write `panels: [(label: …, with: (…))]`".into());
        }
        if let Some(other) = other_field(name) {
            return Some(called_here(name, other, &|meant| self.remedy(meant)));
        }
        if ["title", "panels", "grid", "base"].contains(&name) && is_base {
            return Some(format!(
                "`{name}` belongs next to `base`, not in it: write `Scene(base: (…), {name}: …)`"
            ));
        }
        if ["with", "label"].contains(&name) && is_base {
            return Some(format!(
                "`{name}` is a field of a panel or body: write `panels: [(label: …, with: (…))]` next to `base`"
            ));
        }
        if ["with", "label"].contains(&name) && known.contains(&"panels") {
            return Some(
                "`with` and `label` are fields of a panel: write `panels: [(label: …, with: (…))]`; shared settings belong in `base`"
                    .into(),
            );
        }
        let is_rope = ["shape", "rod"].iter().all(|field| known.contains(field));
        let is_of_rod = || fields().iter().any(|it| it.path == format!("rope.rod.{name}"));
        let is_near = nearest(name, known.iter().copied()).is_some();
        if let Some(help) = shape_advice(name).filter(|_| is_rope && !is_near && !is_of_rod()) {
            return Some(help);
        }
        if let Some(help) = self.field_elsewhere(name) {
            return Some(help);
        }
        // If the unknown name is part of a known name, the fault already has suitable help.
        if !is_near && !similar(name, known).is_empty() {
            return None;
        }
        self.similar_elsewhere(name).or_else(|| option_advice(name).filter(|_| is_base && !is_near))
    }

    /// Returns advice on the name of a field that belongs in another struct.
    fn field_elsewhere(&self, name: &str) -> Option<String> {
        let owners = owners(name, self.shapes);
        if owners.is_empty() {
            return None;
        }
        let called: Vec<String> = owners.iter().map(|owner| format!("`{}`", last(owner))).collect();
        let help = format!("`{name}` is a field of {}", listed(&called));
        Some(match self.remedy(name) {
            Some(how) => format!("{help}: write {how}"),
            None => help,
        })
    }

    /// Returns advice on a name that is more similar to a field of another struct than to the
    /// fields of this struct.
    fn similar_elsewhere(&self, name: &str) -> Option<String> {
        let here = nearest(name, self.known.iter().copied());
        let here = here.map_or(usize::MAX, |(distance, _)| distance);
        let all = fields();
        // A reference is usually set as a whole, so a misspelt `nodes` does not mean its `node`.
        let of_bodies = all.iter().filter(|field| !field.path.starts_with("reference."));
        let found = nearest(name, of_bodies.map(|field| last(&field.path)))
            .or_else(|| nearest(name, all.iter().map(|field| last(&field.path))));
        let (_, meant) = found.filter(|(distance, _)| *distance < here)?;
        let how = self.remedy(meant).map_or(String::new(), |how| format!(" write {how}"));
        Some(format!("did you mean `{meant}`?{how}"))
    }

    /// Returns the text that sets a field of the struct or of a value inside it. Returns `None` if
    /// the field is in another struct.
    fn remedy(&self, name: &str) -> Option<String> {
        if self.known.contains(&name) {
            return Some(format!("`{name}: …`"));
        }
        let texts: Vec<String> = owners(name, self.shapes)
            .iter()
            .filter_map(|owner| self.setting_text(name, owner))
            .collect();
        (!texts.is_empty()).then(|| texts.join(" or "))
    }

    /// Returns the text that sets a field of `owner`; `None` if it is not in this struct.
    fn setting_text(&self, name: &str, owner: &str) -> Option<String> {
        let mut parts: Vec<&str> = owner.split('.').collect();
        match self.known.iter().find(|name| ["base", "with"].contains(name)) {
            Some(wrapper) => parts[0] = wrapper,
            None => {
                parts.remove(0);
            }
        }
        let is_inside = parts.first().is_some_and(|first| self.known.contains(first));
        let open: String = parts.iter().map(|part| format!("{part}: (")).collect();
        is_inside.then(|| format!("`{open}{name}: …{}`", ")".repeat(parts.len())))
    }
}

/// Returns the paths of the structs that have a field of this name. `base` represents the settings
/// themselves.
fn owners(name: &str, shapes: &[&str]) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for field in fields() {
        let mut path = String::new();
        for part in field.path.split('.') {
            path = if path.is_empty() { part.to_owned() } else { format!("{path}.{part}") };
            if part == name && !paths.contains(&path) {
                paths.push(path.clone());
            }
        }
    }
    let owner = |path: String| match path.rsplit_once('.') {
        Some((owner, _)) => format!("base.{owner}"),
        None => "base".into(),
    };
    keep_shapes(paths, shapes).into_iter().map(owner).collect()
}

/// Returns the field of a clamp that other programs call by this name.
fn of_clamps(name: &str) -> Option<&'static str> {
    match name {
        "direction" | "dir" | "axis" | "orientation" => Some("tangent"),
        "angle" | "twist" | "rotation" | "rotate" => Some("turn"),
        _ => None,
    }
}

/// Returns the field of a rod that other programs call by this name.
pub(super) fn of_rods(name: &str) -> Option<&'static str> {
    let plain: String = name.chars().filter(|c| *c != '_').collect();
    match plain.to_lowercase().as_str() {
        "ei" | "b" | "flexuralrigidity" | "bendingstiffness" | "bendstiffness" => Some("bending"),
        "gj" | "gi" | "torsionalrigidity" | "torsionalstiffness" | "twiststiffness" => {
            Some("torsion")
        }
        "ea" | "axialstiffness" | "axialrigidity" | "stretchstiffness" => Some("axial"),
        "outer" | "outerradius" | "r" => Some("radius"),
        "innerradius" => Some("inner"),
        "nu" | "ν" | "poissonratio" => Some("poisson"),
        _ => None,
    }
}

/// Returns the last name of a path.
pub(super) fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}
