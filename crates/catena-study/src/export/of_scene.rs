//! Creates the exported contents of a scene: one group per panel, one item per part of a body.

use super::contents::{Contents, ExportedBody, Face, Group, Item, Line, Shape};
use super::figure::Figure;
use super::morphs::{MeshMorphs, SkinnedMesh};
use super::names::UsedNames;
use super::solids::ExportedSolid;
use catena_draw::{scene_inks, theme::Ink, theme::Theme};
use catena_scene::{Body, Panel, Scene, ShownRig, Style};
use catena_sim::drive::rig::{Animation, Pose};
use catena_sim::glam::DAffine3;
use catena_sim::rig::{Rig, RigSkin};
use catena_sim::skin::Skin;
use catena_sim::{Form, Model, Part};
use std::{collections::BTreeMap, ops::Range, sync::Arc};

/// Default thickness of a rope, as a share of its rest length.
const ROPE_SHARE: f64 = 0.005;
/// Default thickness of joints and of the threads of a net or graph, as a share of the mean rest
/// length of their springs.
const THREAD_SHARE: f64 = 0.1;

/// Default colour of skins.
const SKIN: [u8; 3] = [146, 160, 178];

impl Contents {
    /// Creates the contents of a scene: of all panels, or of the panel with the given index.
    pub fn of_scene(scene: &Scene, panel: Option<usize>, frames: Range<u64>) -> Self {
        let inks = scene_inks(scene, Theme::of(scene).background(scene));
        let is_wanted = |index: &usize| panel.is_none_or(|wanted| wanted == *index);
        let mut labels = scene.body_labels().into_iter();
        let mut names = UsedNames::default();
        let mut groups = Vec::new();
        for (index, (panel, inks)) in scene.panels.iter().zip(&inks).enumerate() {
            let labels: Vec<String> = labels.by_ref().take(panel.bodies.len()).collect();
            if is_wanted(&index) {
                let name = names.take(&panel.label, "panel");
                groups.push(group(name, index, panel, inks, labels));
            }
        }
        Self { name: scene.name.clone(), frames, frame_time: scene.frame_time(), groups }
    }
}

fn group(name: String, number: usize, panel: &Panel, inks: &[Ink], labels: Vec<String>) -> Group {
    let mut names = UsedNames::default();
    let mut drawn: Vec<&str> = Vec::new();
    let all = panel.bodies.iter().zip(inks).zip(labels).enumerate();
    let bodies = all.map(|(index, ((body, ink), label))| {
        // A panel with one body has a sufficient name already.
        let before =
            if panel.bodies.len() > 1 { format!("{} ", body.label) } else { String::new() };
        let place = [number as u32, index as u32];
        let name = &mut |word: &str| names.take(&(before.clone() + word), word);
        let mut exported = exported(body, label, place, *ink, name);
        // Bodies with identical rig descriptions share one rig.
        let rig = body.rig.as_ref().filter(|rig| !drawn.contains(&&*rig.written));
        if let Some(rig) = rig {
            drawn.push(&rig.written);
            exported.figures.extend(figure(rig, name));
        }
        exported
    });
    Group { name, bodies: bodies.collect() }
}

fn exported(
    body: &Body,
    label: String,
    place: [u32; 2],
    ink: Ink,
    name: &mut dyn FnMut(&str) -> String,
) -> ExportedBody {
    let setup = &body.setup;
    let (model, joints) = (&setup.model, setup.joints());
    let made = model.springs.len() - joints;
    let drawn = model.structural().iter().chain(&model.springs[made..]);
    let springs: Vec<[usize; 2]> = drawn.map(|spring| [spring.a, spring.b]).collect();
    let parts = model.part_list();
    let styles = body.part_styles.iter().chain(std::iter::repeat(&body.style));
    let mut items: Vec<Item> = Vec::new();
    // A body that is only a rig has a placeholder node, which is not shown.
    let parts_to_show = if body.is_rig_alone() { &[][..] } else { &parts[..] };
    let opaque = |[red, green, blue]: [u8; 3]| [red, green, blue, u8::MAX];
    for (index, (part, style)) in parts_to_show.iter().zip(styles).enumerate() {
        let word = if part.name.is_empty() { word(&part.form) } else { &part.name };
        let color = style.color.map_or(opaque(ink.0), |color| {
            let [red, green, blue] = color.0;
            [red, green, blue, body.opacity_of(index)]
        });
        items.push(Item { name: name(word), color, shape: shape(model, part, style) });
    }
    if joints > 0 {
        let structural = model.structural;
        let lines = (structural..springs.len()).map(|j| spring_line(springs[j], j)).collect();
        let diameter = items.iter().find_map(|item| match item.shape {
            Shape::Lines { diameter, .. } => Some(diameter),
            Shape::Mesh { .. } | Shape::Solid(_) => None,
        });
        let mean = mean_length(model, made..model.springs.len());
        let diameter = diameter.unwrap_or(THREAD_SHARE * mean);
        let shape = Shape::Lines { lines, diameter, are_ropes: false };
        items.push(Item { name: name("joints"), color: opaque(ink.0), shape });
    }
    ExportedBody {
        label,
        place,
        axes: model.axes,
        nodes: model.nodes(),
        springs,
        structural: model.structural,
        knows_tension: setup.spring_law().is_some() && setup.knows_tension(),
        items,
        // Figures are added with `ExportedBody::add_figure`.
        figures: Vec::new(),
    }
}

/// Creates the figure of a rig, with its visible skins.
fn figure(shown: &ShownRig, name: &mut dyn FnMut(&str) -> String) -> Option<Figure> {
    let Rig { animation, skins, skinning, .. } = &*shown.rig;
    let skeleton = Arc::clone(animation.skeleton());
    let bones = skeleton.len();
    let mesh = |skin: &Arc<RigSkin>| {
        let mut inverse_bind = vec![DAffine3::IDENTITY; bones];
        for (joint, inverse) in skin.joints.iter().zip(&skin.inverse_bind) {
            inverse_bind[*joint] = *inverse;
        }
        let of_vertex = |vertex: usize| -> Vec<(usize, f64)> {
            let joints = skin.weights.influences(vertex);
            joints.map(|(joint, weight)| (skin.joints[joint], weight)).collect()
        };
        let weights: Vec<_> = (0..skin.points.len()).map(of_vertex).collect();
        let [red, green, blue] = shown.color.map(|color| color.0).or(skin.color).unwrap_or(SKIN);
        let color = [red, green, blue, u8::MAX];
        Some(SkinnedMesh {
            name: name(&skin.name),
            color,
            points: skin.points.clone(),
            morphs: morphs(skin, animation),
            triangles: skin.triangles.clone(),
            node: skin.node,
            skin: Skin::new(bones, &weights).ok()?,
            inverse_bind,
        })
    };
    let wanted = skins.iter().filter(|_| shown.shows_skin());
    let meshes: Vec<SkinnedMesh> = wanted.filter_map(mesh).collect();
    let animation = Arc::clone(animation);
    let motion = move |t: f64, pose: &mut Pose| animation.pose(t, pose);
    // Rigs of scenes are consistent: loading rejects any other.
    Figure::new(name("rig"), skeleton, Arc::new(motion), meshes, *skinning).ok()
}

/// Morph targets of a skin.
fn morphs(skin: &RigSkin, animation: &Arc<Animation>) -> Option<MeshMorphs> {
    let (morphs, node, animation) = (skin.morphs.as_ref()?, skin.node?, Arc::clone(animation));
    let rest = morphs.weights.clone();
    Some(MeshMorphs {
        targets: morphs.targets.iter().map(|target| target.points.clone()).collect(),
        weights: Arc::new(move |t| animation.morph_weights(node, &rest, t)),
    })
}

/// Default name of a part.
fn word(form: &Form) -> &'static str {
    match form {
        Form::Rope { closed: false } => "rope",
        Form::Rope { closed: true } => "ring",
        Form::Sheet { .. } => "cloth",
        Form::Mesh { .. } => "mesh",
        Form::Graph => "net",
        Form::Solid(_) => "solid",
    }
}

fn shape(model: &Model, part: &Part, style: &Style) -> Shape {
    match &part.form {
        Form::Rope { closed } => {
            let (nodes, springs) = (part.nodes.clone(), part.springs.clone());
            let length: f64 = springs.iter().map(|j| model.springs[*j].rest_length).sum();
            let diameter = style.thickness.unwrap_or(ROPE_SHARE * length);
            let line = Line { nodes, springs, is_closed: *closed };
            Shape::Lines { lines: vec![line], diameter, are_ropes: true }
        }
        Form::Solid(form) => Shape::Solid(ExportedSolid::new(model.axes, part, form)),
        Form::Graph => {
            let ends = |j: usize| [model.springs[j].a, model.springs[j].b];
            let lines = part.springs.iter().map(|j| spring_line(ends(*j), *j)).collect();
            let mean = mean_length(model, part.springs.iter().copied());
            let diameter = style.thickness.unwrap_or(THREAD_SHARE * mean);
            Shape::Lines { lines, diameter, are_ropes: false }
        }
        Form::Sheet { rows, columns } => Shape::Mesh { faces: cells(part, *rows, *columns) },
        Form::Mesh { facets } => Shape::Mesh { faces: triangles(model, part, facets) },
    }
}

/// Creates a line of a single spring.
fn spring_line(ends: [usize; 2], spring: usize) -> Line {
    Line { nodes: ends.to_vec(), springs: vec![spring], is_closed: false }
}

/// Mean rest length of some springs; 0 if there are no springs.
fn mean_length(model: &Model, springs: impl IntoIterator<Item = usize>) -> f64 {
    let lengths = springs.into_iter().map(|j| model.springs[j].rest_length);
    let (sum, count) = lengths.fold((0.0, 0.0), |(sum, count), length| (sum + length, count + 1.0));
    sum / f64::max(count, 1.0)
}

/// Cells of a sheet. Its springs along rows come first, then those along columns.
fn cells(part: &Part, rows: usize, columns: usize) -> Vec<Face> {
    let along = |row: usize, column: usize| part.springs[row * (columns - 1) + column];
    let down =
        |row: usize, column: usize| part.springs[rows * (columns - 1) + row * columns + column];
    let places = (0..rows - 1).flat_map(|row| (0..columns - 1).map(move |column| (row, column)));
    let cell = |(row, column): (usize, usize)| {
        let corner = row * columns + column;
        let nodes = [corner, corner + columns, corner + columns + 1, corner + 1];
        let springs =
            [down(row, column), along(row + 1, column), down(row, column + 1), along(row, column)];
        Face::quadrilateral(nodes.map(|i| part.nodes[i]), springs)
    };
    places.map(cell).collect()
}

/// Triangles of a mesh. Each of their edges is a spring.
fn triangles(model: &Model, part: &Part, facets: &[[usize; 3]]) -> Vec<Face> {
    let pair = |a: usize, b: usize| (a.min(b), a.max(b));
    let ends = |j: &usize| (pair(model.springs[*j].a, model.springs[*j].b), *j);
    let springs: BTreeMap<(usize, usize), usize> = part.springs.iter().map(ends).collect();
    let face = |facet: &[usize; 3]| {
        let [a, b, c] = facet.map(|i| part.nodes[i]);
        let [ab, bc, ca] = [(a, b), (b, c), (c, a)].map(|(a, b)| springs.get(&pair(a, b)).copied());
        Some(Face::triangle([a, b, c], [ab?, bc?, ca?]))
    };
    facets.iter().filter_map(face).collect()
}
