//! Words of scenes: choices without options.

use super::grammar::{Grammar, Word};
use super::layered::FieldValue;
use catena_sim::body::shape::rope::LastNode;
use catena_sim::rig::Skinning;
use serde::Deserialize;

/// Defines an enum whose variants are written as bare words.
macro_rules! word_type {
    ($(#[$meta:meta])* $name:ident { $($(#[doc = $doc:literal])+ $word:ident),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
        pub enum $name { $($(#[doc = $doc])+ $word),+ }

        impl FieldValue for $name {
            fn expected() -> String {
                Self::grammar().choice_in_words()
            }

            fn grammar() -> Grammar {
                Grammar::Words(&[$(Word {
                    name: stringify!($word),
                    summary: concat!($($doc),+),
                }),+])
            }
        }
    };
}

word_type!(/// Group of nodes at the edges of a cloth.
ClothEdge {
    /// No node.
    None,
    /// First and last node of the first row.
    TopCorners,
    /// Four corners.
    Corners,
    /// First row.
    TopEdge,
    /// First node of each row.
    LeftEdge,
});

word_type!(/// Amount of labels and lines around the ropes.
Decoration {
    /// Title, labels, borders and live numbers.
    Full,
    /// Only the bodies, on the background; in space also colliders and a ground.
    Bare,
});

word_type!(/// Joint of two rods at a join.
JointWord {
    /// The rods turn freely against each other.
    Hinge,
    /// The second rod continues the first one: bending and twist are transmitted, and the initial
    /// angle is kept.
    Rigid,
});

word_type!(/// Method of finding the state at rest for the steady-state comparison.
RestBy {
    /// The simulation continues until the body is at rest.
    Wait,
    /// The balance of forces is solved directly.
    Solve,
});

word_type!(/// Content of an automatically chosen view.
Fit {
    /// Every position of the bodies in the frames of the scene.
    Frames,
    /// Every position that bodies can ever reach.
    Reach,
});

word_type!(/// Shape of a drawn node.
NodeShape {
    /// A filled circle.
    Disc,
    /// A filled square, like points in early OpenGL.
    Square,
});

word_type!(/// Parts of a body that touch.
Touching {
    /// Nodes, as points.
    Nodes,
    /// Drawn surfaces: segments as capsules, facets as triangles with a thickness.
    Drawn,
});

word_type!(/// Direction of y in a file of positions.
YAxis {
    /// Upwards, as in a scene.
    Up,
    /// Downwards, as in windows and pictures.
    Down,
});

word_type!(/// Direction in which a file of positions counts nodes.
NodeOrder {
    /// The order of the scene.
    Forward,
    /// Reverse order: the first node of the file is the last node of the scene.
    Reversed,
});

word_type!(/// Forces that are drawn as arrows.
Arrows {
    /// No force.
    None,
    /// Force on each pin.
    Pins,
    /// Force on each collider.
    Contacts,
    /// Both.
    All,
});

word_type!(/// Projection of space into a picture.
Projection {
    /// Distant objects look smaller.
    Perspective,
    /// Objects look equally large at any distance.
    Orthographic,
});

word_type!(/// Style of a cloth's surface.
SurfaceStyle {
    /// Threads, drawn as lines.
    Wires,
    /// Cells, drawn as filled facets with light and shade.
    Facets,
});

word_type!(/// Quantity that the colours of a body show.
ColorBy {
    /// None: the body has one colour.
    None,
    /// (length - rest length) / rest length of springs.
    Strain,
    /// Tension of springs by their law.
    Tension,
    /// Speed of nodes.
    Speed,
    /// Energy of nodes: ½ m v², and half of the energy stored in each of their springs.
    Energy,
    /// The curvature of rods at nodes, whether at rest or not.
    Curvature,
    /// The twist of rods, in turns per length.
    Twist,
});

word_type!(/// Pattern on the facets of a cloth.
Pattern {
    /// One colour.
    Plain,
    /// Stripes along the rows.
    Stripes,
    /// Alternating squares.
    Checks,
    /// Lines along rows and columns.
    Weave,
});

word_type!(/// Position of the last node of a rope; see [`LastNode`].
LastNodeWord {
    /// At the end of the rope.
    AtEnd,
    /// One spacing before the end.
    OneSpacingShort,
});

word_type!(/// Direction of the cords of a net.
MeshWord {
    /// Along the sides of the net.
    Square,
    /// Diagonal to the sides of the net.
    Diamond,
});

impl From<LastNodeWord> for LastNode {
    fn from(word: LastNodeWord) -> Self {
        match word {
            LastNodeWord::AtEnd => Self::AtEnd,
            LastNodeWord::OneSpacingShort => Self::OneSpacingShort,
        }
    }
}

impl FieldValue for Skinning {
    fn expected() -> String {
        Self::grammar().choice_in_words()
    }

    fn grammar() -> Grammar {
        Grammar::Words(&[
            Word { name: "Linear", summary: "Weighted mean of the bones' matrices." },
            Word {
                name: "DualQuaternion",
                summary: "Weighted mean of the bones' motions, which preserves the radius of \
                          twisted or bent parts.",
            },
        ])
    }
}

word_type!(/// Parts of a rig that are drawn.
Visible {
    /// Skins.
    Skin,
    /// Bones.
    Bones,
    /// Both.
    All,
    /// Nothing.
    None,
});

word_type!(/// Blending of a layer with the pose below it.
LayerBlend {
    /// Weighted mean with the other `Mix` layers, which come first.
    Mix,
    /// Replaces the pose below in proportion to its weight.
    Over,
    /// Adds its difference from a reference pose.
    Add,
});

word_type!(/// Behaviour after the end of a clip.
Repeated {
    /// Keeps the final pose.
    Once,
    /// Starts again.
    Loop,
    /// Plays backwards to the start, then forwards again, and so on.
    PingPong,
});
