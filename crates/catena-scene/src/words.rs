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
    /// The first and the last node of the first row.
    TopCorners,
    /// All four corners.
    Corners,
    /// The whole first row.
    TopEdge,
    /// The first node of each row.
    LeftEdge,
});

word_type!(/// Amount of labels and lines around the ropes.
Decoration {
    /// Title, labels, borders and live numbers.
    Full,
    /// Nothing but the bodies, on the background; in space also colliders and a ground.
    Bare,
});

word_type!(/// Content of an automatically chosen view.
Fit {
    /// Where bodies are in the frames of the scene.
    Frames,
    /// All that bodies can reach.
    Reach,
});

word_type!(/// Shape of a drawn node.
NodeShape {
    /// A filled circle.
    Disc,
    /// A filled square, as old OpenGL draws points.
    Square,
});

word_type!(/// Parts of a body that touch.
Touching {
    /// Its nodes, as points.
    Nodes,
    /// All that is drawn: segments as capsules, facets as triangles with a thickness.
    Drawn,
});

word_type!(/// Direction of y in a file of positions.
YAxis {
    /// As in a scene.
    Up,
    /// As in windows and pictures.
    Down,
});

word_type!(/// Forces that are drawn as arrows.
Arrows {
    /// No force.
    None,
    /// What each pin feels.
    Pins,
    /// What each collider feels.
    Contacts,
    /// Both.
    All,
});

word_type!(/// Projection of space into a picture.
Projection {
    /// Things look smaller the farther they are.
    Perspective,
    /// Things look equally large at any distance.
    Orthographic,
});

word_type!(/// Style of a cloth's surface.
SurfaceStyle {
    /// Its threads as lines.
    Wires,
    /// Its cells as filled facets, shaded by the light that falls on them.
    Facets,
});

word_type!(/// Quantity that the colours of a body show.
ColorBy {
    /// Nothing: it has one colour.
    None,
    /// (length - rest length) / rest length of springs.
    Strain,
    /// The tension of springs by their law.
    Tension,
    /// The speed of nodes.
    Speed,
    /// ½ m v² of nodes, and half of what is stored in each spring at them.
    Energy,
});

word_type!(/// Pattern on the facets of a cloth.
Pattern {
    /// One colour.
    Plain,
    /// Stripes along the rows.
    Stripes,
    /// Squares in turns.
    Checks,
    /// Lines along rows and columns.
    Weave,
});

word_type!(/// Position of the last node of a rope; see [`LastNode`].
LastNodeWord {
    /// On the end.
    AtEnd,
    /// One spacing before the end.
    OneSpacingShort,
});

word_type!(/// Direction of the cords of a net.
MeshWord {
    /// Along the sides of the net.
    Square,
    /// Across them.
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
            Word { name: "Linear", summary: "By the weighted mean of the matrices of bones." },
            Word {
                name: "DualQuaternion",
                summary: "By the weighted mean of their motions, which keeps the radius of what is \
                    twisted or bent.",
            },
        ])
    }
}

word_type!(/// Parts of a rig that are drawn.
Visible {
    /// Its skins.
    Skin,
    /// Its bones.
    Bones,
    /// Both.
    All,
    /// Nothing.
    None,
});

word_type!(/// Blending of a layer with the pose below it.
LayerBlend {
    /// Its weighted mean with other layers of this kind, which come first.
    Mix,
    /// It takes the pose over by its weight.
    Over,
    /// It adds what it does beside a reference.
    Add,
});

word_type!(/// Behaviour after the end of a clip.
Repeated {
    /// The pose of its end stays.
    Once,
    /// It begins anew.
    Loop,
    /// It goes back to its beginning, and so on.
    PingPong,
});
