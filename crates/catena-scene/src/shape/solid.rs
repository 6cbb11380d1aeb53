//! Rigid bodies of a scene.

use super::{ReadShape, SpringKind, nodes};
use crate::diagnostic::Fault;
use crate::entries::Entry;
use crate::error::SceneError;
use crate::grammar::{Grammar, Inside, Thing};
use crate::layered::FieldValue;
use crate::read::{FromRon, Optional};
use crate::schema::SolidSettings;
use crate::stack::{Stack, refuse};
use crate::values::{NonNegative, Positive, Vector};
use catena_ron::Node;
use catena_sim::Setup;
use catena_sim::body::shape::{Solid, Topology};
use catena_sim::body::{Form, Part, SolidForm, SolidKind};
use catena_sim::vector::{Vec3, along, cross, dot, norm, scaled, unit};

// Defaults of solids, which are not in `defaults.ron` because they would make every body a solid.
const MASS: f64 = 1.0;
const STIFFNESS: f64 = 100.0;

/// Shape of a rigid body.
#[derive(Clone, Debug)]
pub enum SolidShape {
    /// Ball, or a disc in the plane.
    Ball(BallShape),
    /// Capsule along x.
    Capsule(CapsuleShape),
    /// Box.
    Box(BoxShape),
}

readable! {
    /// Ball, or a disc in the plane.
    pub struct BallShape {
        /// Radius.
        radius: Optional<Positive>,
    }
}

readable! {
    /// Capsule along x.
    pub struct CapsuleShape {
        /// Radius.
        radius: Optional<Positive>,
        /// Distance between the centres of its round ends.
        length: Optional<NonNegative>,
    }
}

readable! {
    /// Box.
    pub struct BoxShape {
        /// Lengths of the sides.
        size: Optional<Vector>,
    }
}

impl FromRon for SolidShape {
    fn from_ron(node: Node<'_>) -> Result<Self, Fault> {
        let is_named = |name: &str| node.head() == name || node.text() == name;
        match () {
            () if is_named("Ball") => BallShape::from_ron(node.options()).map(Self::Ball),
            () if is_named("Capsule") => CapsuleShape::from_ron(node.options()).map(Self::Capsule),
            () if is_named("Box") => BoxShape::from_ron(node.options()).map(Self::Box),
            () => Err(Fault::new(format!("expected {}", Self::expected())).at(node.span())),
        }
    }
}

impl FieldValue for SolidShape {
    fn grammar() -> Grammar {
        const BALL: Thing = Thing {
            name: "Ball",
            summary: "ball, or a disc in the plane",
            inside: Inside::Grammar(Grammar::Fields(|| BallShape::inside().members())),
        };
        const CAPSULE: Thing = Thing {
            name: "Capsule",
            summary: "rod with round ends, along x",
            inside: Inside::Grammar(Grammar::Fields(|| CapsuleShape::inside().members())),
        };
        const BOX: Thing = Thing {
            name: "Box",
            summary: "box",
            inside: Inside::Grammar(Grammar::Fields(|| BoxShape::inside().members())),
        };
        Grammar::Things(|| vec![BALL, CAPSULE, BOX])
    }

    fn expected() -> String {
        "Ball(radius: number), Capsule(radius: number, length: number) or Box(size: vector)".into()
    }
}

impl SolidShape {
    /// Returns the kind and the sizes of the shape.
    ///
    /// # Errors
    /// Returns what is missing or out of range.
    fn sizes(&self, axes: usize) -> Result<(SolidKind, Vec3), &'static str> {
        let positive = |value: &Optional<Positive>| value.0.as_ref().map(|value| value.0);
        match self {
            Self::Ball(BallShape { radius }) => {
                let radius = positive(radius).ok_or("a Ball needs a `radius`")?;
                Ok((SolidKind::Ball, [radius, 0.0, 0.0]))
            }
            Self::Capsule(CapsuleShape { radius, length }) => {
                let radius = positive(radius).ok_or("a Capsule needs a `radius`")?;
                let length = length.0.as_ref().ok_or("a Capsule needs a `length`")?.0;
                Ok((SolidKind::Capsule, [radius, length, 0.0]))
            }
            Self::Box(BoxShape { size }) => {
                let size = size.0.as_ref().ok_or("a Box needs a `size`")?;
                let sides = size.xyz();
                let is_fine = sides[..axes].iter().all(|side| *side > 0.0);
                is_fine.then_some((SolidKind::Box, sides)).ok_or("the sides of a Box are above 0")
            }
        }
    }
}

/// Returns the unit vectors of a rotation by an angle in degrees about an axis.
fn turned(degrees: f64, axis: Vec3) -> [Vec3; 3] {
    let (sin, cos) = libm::sincos(degrees.to_radians());
    let turn = |v: Vec3| {
        // Rodrigues' formula.
        let kept = along(scaled(v, cos), sin, cross(axis, v));
        along(kept, dot(axis, v) * (1.0 - cos), axis)
    };
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(turn)
}

/// Returns the unit vector of an axis, by default that of z.
fn axis(
    stack: &Stack<'_>,
    path: &str,
    axis: Option<Vector>,
    axes: usize,
) -> Result<Vec3, SceneError> {
    let vector = axis.map_or([0.0, 0.0, 1.0], |axis| axis.xyz());
    if axes == 2 && axis.is_some() || !norm(vector).is_normal() {
        let fault = Fault::new("expected a vector that is not zero, in space only");
        return Err(refuse(stack, path, fault.help("in the plane a solid turns about z")));
    }
    Ok(unit(vector))
}

/// Reads a rigid body.
pub(super) fn read(
    stack: &Stack<'_>,
    solid: &SolidSettings,
    axes: usize,
) -> Result<ReadShape, SceneError> {
    let Some(shape) = &solid.shape else {
        let fault = Fault::new("the solid has no `shape`").help("write shape: Ball(radius: 0.1)");
        return Err(refuse(stack, "solid.shape", fault));
    };
    let sizes = shape.sizes(axes);
    let (kind, sizes) =
        sizes.map_err(|message| refuse(stack, "solid.shape", Fault::new(message)))?;
    let axis = axis(stack, "solid.axis", solid.axis, axes)?;
    let spin_axis = self::axis(stack, "solid.spin_axis", solid.spin_axis, axes)?;
    let points = solid.points.as_ref().map_or(&[][..], |points| &points.0);
    let mut built = Solid {
        kind,
        sizes,
        mass: solid.mass.map_or(MASS, |mass| mass.0),
        at: solid.at.map_or_else(|| vec![0.0; axes], |at| at.on(axes)),
        axes: turned(solid.turn.map_or(0.0, |turn| turn.0), axis),
        velocity: solid.velocity.map_or([0.0; 3], |velocity| velocity.xyz()),
        spin: scaled(spin_axis, solid.spin.map_or(0.0, |spin| spin.0)),
        points: points.iter().map(catena_sim::Components::xyz).collect(),
        stiffness: solid.stiffness.map_or(STIFFNESS, |stiffness| stiffness.0),
        pins: Vec::new(),
    };
    // A solid that cannot be built is refused later, with its own message.
    if let (Some(pins), Ok((model, _))) = (&solid.pins, built.build())
        && let [part] = &model.parts[..]
    {
        built.pins = nodes(stack, "solid.pins", &pins.0, &part.form, part.nodes.len())?;
    }
    let springs = SpringKind::read(stack, "solid", None, None, None)?;
    Ok((Box::new(built), springs))
}

/// Returns notes about rigid parts that touch less than a reader of the scene would think.
pub(crate) fn cautions(setup: &Setup) -> Vec<String> {
    if setup.contacts.is_empty() {
        return Vec::new();
    }
    let is_drawn = setup.contacts.drawn.is_some();
    let note = |part: &Part| match &part.form {
        Form::Solid(form) => caution(part, form, is_drawn),
        _ => None,
    };
    setup.model.parts.iter().filter_map(note).collect()
}

/// Returns the note about a rigid part, if there is one.
fn caution(part: &Part, form: &SolidForm, is_drawn: bool) -> Option<String> {
    let kind = form.kind.name();
    let name = match &part.name[..] {
        "" => format!("the {kind}"),
        name => format!("the {kind} {name:?}"),
    };
    let count = part.nodes.len();
    (!is_drawn).then(|| {
        format!(
            "{name} touches as {count} single points, not with its surface; write contact: (of: Drawn)"
        )
    })
}
