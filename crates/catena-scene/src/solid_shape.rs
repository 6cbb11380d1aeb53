//! Shapes of rigid bodies as scenes write them.

use crate::diagnostic::Fault;
use crate::entry::Entry;
use crate::grammar::{Grammar, Inside, Thing};
use crate::layered::FieldValue;
use crate::read::{FromRon, Optional};
use crate::values::{NonNegative, Positive, Vector};
use catena_ron::Node;
use catena_sim::body::SolidKind;
use catena_sim::vector::Vec3;

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
        /// Distance between the centres of the round ends.
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
    /// Returns a message when a size is missing or out of range.
    pub(crate) fn sizes(&self, axes: usize) -> Result<(SolidKind, Vec3), &'static str> {
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
                is_fine
                    .then_some((SolidKind::Box, sides))
                    .ok_or("the sides of a Box must be above 0")
            }
        }
    }
}
