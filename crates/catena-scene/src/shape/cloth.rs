//! Cloths of a scene.

use super::{ReadShape, SpringKind, nodes, weights};
use crate::diagnostic::Fault;
use crate::error::SceneError;
use crate::schema::{ClothSettings, Settings};
use crate::stack::{Stack, highest, refuse, required};
use crate::values::{ClothEdge, ClothPins, Vector};
use catena_base::text::number::short;
use catena_sim::Form;
use catena_sim::body::material::Material;
use catena_sim::body::shape::Weighted;
use catena_sim::body::shape::cloth::Cloth;
use catena_sim::force::law::Hooke;

// The defaults of cloths are not in `defaults.ron`, because a layer that sets a field of `cloth`
// makes the body a cloth.

/// Default mass of each node of a cloth.
pub(crate) const CLOTH_MASS: f64 = 1.0;
/// Default stiffness of the structural springs of a cloth.
pub(crate) const CLOTH_STIFFNESS: f64 = 100.0;
/// Default damping of the springs of a cloth.
pub(crate) const CLOTH_DAMPING: f64 = 0.0;
/// Default law of the springs of a cloth.
pub(crate) const CLOTH_LAW: Hooke = Hooke {};

/// Reads a cloth.
pub(super) fn read(
    stack: &Stack<'_>,
    cloth: &ClothSettings,
    axes: usize,
) -> Result<ReadShape, SceneError> {
    let needed = |path: &str, value: Option<Vector>| {
        let help = "a cloth needs `corner`, `across`, `down`, `rows` and `columns`";
        value.map(|vector| vector.on(axes)).ok_or_else(|| {
            let fault = Fault::new(format!("the cloth has no `{path}`")).help(help);
            refuse(stack, &format!("cloth.{path}"), fault)
        })
    };
    let rows = required(stack, "cloth.rows", cloth.rows.as_ref())?.0 as usize;
    let columns = required(stack, "cloth.columns", cloth.columns.as_ref())?.0 as usize;
    let count = rows * columns;
    let pins = match cloth.pins.clone().unwrap_or(ClothPins::At(ClothEdge::None)) {
        ClothPins::At(ClothEdge::None) => Vec::new(),
        ClothPins::At(ClothEdge::TopCorners) => vec![0, columns - 1],
        ClothPins::At(ClothEdge::Corners) => {
            vec![0, columns - 1, count - columns, count - 1]
        }
        ClothPins::At(ClothEdge::TopEdge) => (0..columns).collect(),
        ClothPins::At(ClothEdge::LeftEdge) => (0..count).step_by(columns).collect(),
        ClothPins::Nodes(list) => {
            nodes(stack, "cloth.pins", &list.0, &Form::Sheet { rows, columns }, count)?
        }
    };
    let mut built = Cloth {
        corner: needed("corner", cloth.corner)?,
        across: needed("across", cloth.across)?,
        down: needed("down", cloth.down)?,
        rows,
        columns,
        mass: cloth.mass.map_or(CLOTH_MASS, |mass| mass.0),
        stiffness: cloth.stiffness.map_or(CLOTH_STIFFNESS, |stiffness| stiffness.0),
        poisson: cloth.poisson.map_or(0.0, |poisson| poisson.0),
        pins,
    };
    let across = SheetSide { vector: &built.across, count: built.columns };
    let down = SheetSide { vector: &built.down, count: built.rows };
    if let Some(path) = flat_side("cloth", across, down) {
        let fault =
            Fault::new("the cloth has no area: its sides must be longer than 0 and not parallel");
        return Err(refuse(stack, &path, fault));
    }
    if let Some(sheet) = sheet(stack, cloth)? {
        make_of(stack, &mut built, &sheet, cloth)?;
    }
    let form = Form::Sheet { rows, columns };
    let weights = weights(stack, "cloth.weights", cloth.weights.as_ref(), &form, count)?;
    let law = cloth.law.as_ref();
    let springs = SpringKind::read(stack, "cloth", law, cloth.damping, cloth.breaks_at)?;
    Ok((Box::new(Weighted { topology: Box::new(built), weights }), springs))
}

/// Material and thickness of a cloth.
struct Sheet {
    material: Box<dyn Material>,
    /// Thickness, above 0.
    thickness: f64,
}

/// Returns the material and thickness of a cloth, if it has a material.
fn sheet(stack: &Stack<'_>, cloth: &ClothSettings) -> Result<Option<Sheet>, SceneError> {
    let Some(choice) = &cloth.material else { return Ok(None) };
    let material = choice.read().map_err(|fault| refuse(stack, "cloth.material", fault))?;
    let Some(thickness) = cloth.thickness else {
        let message = format!("a cloth of {} needs a thickness", material.info().name);
        let help = "set it as well: cloth: (material: Rubber, thickness: 1e-3)";
        return Err(refuse(stack, "cloth.material", Fault::new(message).help(help)));
    };
    // A material replaces mass and stiffness of lower layers, as in a rope.
    let cloth_of = |settings: &Settings| settings.cloth.clone();
    let of_material = highest(stack, |settings| cloth_of(settings)?.material.map(|_| ()));
    for (path, layer) in [
        ("cloth.stiffness", highest(stack, |settings| cloth_of(settings)?.stiffness.map(|_| ()))),
        ("cloth.mass", highest(stack, |settings| cloth_of(settings)?.mass.map(|_| ()))),
    ] {
        if layer >= of_material {
            let fault = Fault::new(format!("`{path}` is determined by the cloth's material"));
            return Err(refuse(stack, path, fault.help("remove one of the two")));
        }
    }
    Ok(Some(Sheet { material, thickness: thickness.0 }))
}

/// Sets the stiffness, the mass and Poisson's ratio of a cloth from a material.
fn make_of(
    stack: &Stack<'_>,
    built: &mut Cloth,
    Sheet { material, thickness }: &Sheet,
    cloth: &ClothSettings,
) -> Result<(), SceneError> {
    let size = |side: &[f64]| side.iter().map(|part| part * part).sum::<f64>().sqrt();
    let (across, down) = (size(&built.across), size(&built.down));
    let cells = [across / (built.columns - 1) as f64, down / (built.rows - 1) as f64];
    let slant: f64 = built.across.iter().zip(&built.down).map(|(a, d)| a * d).sum();
    let is_square = (cells[0] / cells[1] - 1.0).abs() < 1e-6 && slant.abs() < 1e-6 * across * down;
    if !is_square {
        let [a, d] = cells.map(short);
        let message = format!("a cloth with a material needs square cells, found {a} by {d}");
        let help = "choose `rows` and `columns` so that the cells are square, or set `stiffness` \
                    instead of `material`";
        return Err(refuse(stack, "cloth.material", Fault::new(message).help(help)));
    }
    let count = (built.rows * built.columns) as f64;
    built.stiffness = material.young() * thickness;
    built.mass = material.density() * thickness * across * down / count;
    built.poisson = cloth.poisson.map_or(material.poisson(), |poisson| poisson.0);
    Ok(())
}

/// Side of a sheet at rest, for checks of its area.
#[derive(Clone, Copy)]
pub(super) struct SheetSide<'a> {
    pub(super) vector: &'a [f64],
    /// Number of nodes or meshes along the side.
    pub(super) count: usize,
}

/// Returns the field of the side that makes the area of a sheet zero, if any.
pub(super) fn flat_side(kind: &str, across: SheetSide<'_>, down: SheetSide<'_>) -> Option<String> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let (SheetSide { vector: a, count: columns }, SheetSide { vector: d, count: rows }) =
        (across, down);
    let (aa, dd, ad) = (dot(a, a), dot(d, d), dot(a, d));
    if !(aa / (columns * columns) as f64).is_normal() {
        return Some(format!("{kind}.across"));
    }
    if !(dd / (rows * rows) as f64).is_normal() || ad * ad >= 0.999_999 * aa * dd {
        return Some(format!("{kind}.down"));
    }
    None
}
