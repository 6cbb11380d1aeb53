//! Words of scenes: choices without options, which scenes write bare.

use super::grammar::{Grammar, Word};
use super::layered::FieldValue;
use catena_sim::body::shape::rope::LastNode;
use catena_sim::rig::Skinning;
use serde::Deserialize;

/// Makes an enum whose variants scenes write as bare words.
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

word_type!(/// A group of nodes at the edges of a cloth.
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

word_type!(/// How much is drawn around the ropes.
Decoration {
    /// Title, labels, borders and live numbers.
    Full,
    /// Nothing but the bodies, on the background; in space also colliders and a ground.
    Bare,
});

word_type!(/// What a view of the program's own holds.
Fit {
    /// Where bodies are in the frames of the scene.
    Frames,
    /// All that bodies can reach.
    Reach,
});

word_type!(/// How a node is drawn.
NodeShape {
    /// A filled circle.
    Disc,
    /// A filled square, as old OpenGL draws points.
    Square,
});

word_type!(/// What of a body touches.
Touching {
    /// Its nodes, as points.
    Nodes,
    /// All that is drawn: segments as capsules, facets as triangles with a thickness.
    Drawn,
});

word_type!(/// Which forces are drawn as arrows.
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

word_type!(/// How space is projected into a picture.
Projection {
    /// Things look smaller the farther they are.
    Perspective,
    /// Things look equally large at any distance.
    Orthographic,
});

word_type!(/// How a cloth is drawn.
SurfaceStyle {
    /// Its threads as lines.
    Wires,
    /// Its cells as filled facets, shaded by the light that falls on them.
    Facets,
});

word_type!(/// What the colours of a body show.
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

word_type!(/// The pattern on the facets of a cloth.
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

word_type!(/// Where the last node of a rope lies; see [`LastNode`].
LastNodeWord {
    /// On the end.
    AtEnd,
    /// One spacing before the end.
    OneSpacingShort,
});

word_type!(/// How the cords of a net run.
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

word_type!(/// What is drawn of a rig.
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

word_type!(/// What a layer does with the pose that it meets.
LayerBlend {
    /// Its weighted mean with other layers of this kind, which come first.
    Mix,
    /// It takes the pose over by its weight.
    Over,
    /// It adds what it does beside a reference.
    Add,
});

word_type!(/// What happens after a clip has been played.
Repeated {
    /// The pose of its end stays.
    Once,
    /// It begins anew.
    Loop,
    /// It goes back to its beginning, and so on.
    PingPong,
});
