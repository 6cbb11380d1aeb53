//! Schema of shapes: ropes, cloths, nets, meshes and graphs.

use super::choice::{Choice, Laws, Materials, Shapes};
use super::entries::{Factors, GraphSprings, MeshPins, Positions, Ranges, Weights};
use super::values::{
    ClothPins, LastNodeWord, MeshFile, MeshWord, NetPins, Nodes, NonNegative, Positive, Vector,
    Whole,
};

layered! {
    /// Rope. By default it is straight, with every spring at its rest length.
    pub struct RopeSettings {
        /// Position of node 0.
        (Body, "length") start: Vector,
        /// Position of the other end; not the same point as start.
        (Body, "length") end: Vector,
        /// The line along which it starts, nodes equally far apart; `catena methods` lists the
        /// shapes with their options.
        (Body, "-") shape: Choice<Shapes>,
        /// Length of all its springs at rest, slack or stretched between its ends; left out, as
        /// long as it starts.
        (Body, "length") length: Positive,
        /// Number of nodes.
        (Body, "nodes") nodes: Whole<2, 1_000_000_000>,
        /// Stiffness k of each spring. Methods that hold lengths do not use it.
        (Body, "force/length") stiffness: Positive,
        /// Mass of each node.
        (Body, "mass") mass: Positive,
        /// What it is made of, with its area: stiffness E A/l and mass ρ A l a segment, half of it
        /// to either end. Not together with stiffness or mass.
        (Body, "-") material: Choice<Materials>,
        /// Cross-section of a rope with a material.
        (Body, "length²") area: Positive,
        /// Stiffness of bending springs over two nodes; 0 for none. A straight rope stays without
        /// stiffness against small bends: their energy rises with the fourth power of the angle.
        (Body, "force/length") bending: NonNegative,
        /// Nodes that are held in their place; node 0 is at start.
        (Body, "nodes") pins: Nodes,
        /// Friction inside each spring, along its direction: force per speed of stretching. In
        /// bending springs it goes with their stiffness.
        (Body, "force·time/length") damping: NonNegative,
        /// Friction inside each spring on the whole relative velocity of its ends, as in NeHe
        /// lesson 40. In bending springs it goes with their stiffness.
        (Body, "force·time/length") friction: NonNegative,
        /// How the tension of a spring follows from its length; `catena methods` lists the laws
        /// with their options.
        (Body, "-") law: Choice<Laws>,
        /// Strain at which a spring breaks; left out, none does.
        (Body, "-") breaks_at: Positive,
        /// Where the last node lies: on end, or one spacing before it (x_i = start + i (end -
        /// start) / n).
        (Body, "-") last_node: LastNodeWord,
        /// How mass and stiffness change evenly from one end to the other.
        (Body, "-") taper: TaperSettings,
        /// Ranges with a mass of each node or a stiffness of each spring of their own: a list of
        /// (from, to, mass, stiffness). They replace the taper, later ones earlier ones.
        (Body, "-") ranges: Ranges,
        /// Masses that are added at nodes: a list of (node, mass).
        (Body, "-") weights: Weights,
    }
}

layered! {
    /// Sheet of rows by columns of nodes, with every spring at its rest length.
    pub struct ClothSettings {
        /// Position of the first node of the first row.
        (Body, "length") corner: Vector,
        /// From the corner to the last node of the first row.
        (Body, "length") across: Vector,
        /// From the corner to the first node of the last row.
        (Body, "length") down: Vector,
        /// Number of rows.
        (Body, "nodes") rows: Whole<2, 10_000>,
        /// Number of columns.
        (Body, "nodes") columns: Whole<2, 10_000>,
        /// Stiffness k of the structural springs; those that resist shear have k/2, those over two
        /// nodes k/4. Left out, 100.
        (Body, "force/length") stiffness: Positive,
        /// Mass of each node. Left out, 1.
        (Body, "mass") mass: Positive,
        /// Nodes that are held. Left out, None.
        (Body, "-") pins: ClothPins,
        /// Masses that are added at nodes: a list of (node, mass).
        (Body, "-") weights: Weights,
        /// Friction inside each spring, along its direction: force per speed of stretching. Left
        /// out, 0.
        (Body, "force·time/length") damping: NonNegative,
        /// How the tension of a spring follows from its length. Left out, Hooke.
        (Body, "-") law: Choice<Laws>,
        /// Strain at which a spring breaks; left out, none does.
        (Body, "-") breaks_at: Positive,
    }
}

layered! {
    /// Linear change of a rope's properties from its first to its last node.
    pub struct TaperSettings {
        /// Factors of the mass of the first and the last node; linear in between.
        (Body, "-") mass: Factors,
        /// Factors of the stiffness of the first and the last spring; linear in between. Friction
        /// in springs goes with their stiffness.
        (Body, "-") stiffness: Factors,
    }
}

layered! {
    /// Cloth whose threads are the edges of triangles.
    pub struct MeshSettings {
        /// A Wavefront OBJ file, relative to the scene.
        (Body, "-") file: MeshFile,
        /// Stiffness k of each edge. Left out, 100.
        (Body, "force/length") stiffness: Positive,
        /// Mass of each node. Left out, 1, or as `density` has it.
        (Body, "mass") mass: Positive,
        /// Mass of an area, a third of each triangle's at each corner; not together with mass.
        (Body, "mass/length²") density: Positive,
        /// Stiffness of springs from corner to corner across each edge that two triangles share.
        /// Left out, 0: none.
        (Body, "force/length") bending: NonNegative,
        /// Nodes that are held: names of groups and objects of the file in quotes, and nodes. Left
        /// out, none.
        (Body, "-") pins: MeshPins,
        /// Masses that are added at nodes: a list of (node, mass).
        (Body, "-") weights: Weights,
        /// Factor of the places in the file. Left out, 1.
        (Body, "-") scale: Positive,
        /// Where the origin of the file lies. Left out, at the origin.
        (Body, "length") translate: Vector,
        /// Distance within which vertices become one node; vertices of no triangle and triangles
        /// without area are dropped. Left out, such files are refused.
        (Body, "length") merge: NonNegative,
        /// Friction inside each spring, along its direction: force per speed of stretching. Left
        /// out, 0.
        (Body, "force·time/length") damping: NonNegative,
        /// How the tension of a spring follows from its length. Left out, Hooke.
        (Body, "-") law: Choice<Laws>,
        /// Strain at which a spring breaks; left out, none does.
        (Body, "-") breaks_at: Positive,
    }
}

layered! {
    /// Explicit nodes and springs.
    pub struct GraphSettings {
        /// Position of each node.
        (Body, "length") nodes: Positions,
        /// Springs between nodes: a list of (a, b), (a, b, stiffness) or (a, b, stiffness, length).
        /// Left out, none. Without a length of its own a spring is at rest at the start.
        (Body, "-") springs: GraphSprings,
        /// Stiffness of springs that have none of their own. Left out, 100.
        (Body, "force/length") stiffness: Positive,
        /// Mass of each node. Left out, 1.
        (Body, "mass") mass: Positive,
        /// Nodes that are held. Left out, none.
        (Body, "nodes") pins: Nodes,
        /// Masses that are added at nodes: a list of (node, mass).
        (Body, "-") weights: Weights,
        /// Friction inside each spring, along its direction: force per speed of stretching. Left
        /// out, 0.
        (Body, "force·time/length") damping: NonNegative,
        /// How the tension of a spring follows from its length. Left out, Hooke.
        (Body, "-") law: Choice<Laws>,
        /// Strain at which a spring breaks; left out, none does.
        (Body, "-") breaks_at: Positive,
    }
}

layered! {
    /// Flat net with every spring at its rest length.
    pub struct NetSettings {
        /// Position of the first corner.
        (Body, "length") corner: Vector,
        /// From the corner along the first row.
        (Body, "length") across: Vector,
        /// From the corner along the first column.
        (Body, "length") down: Vector,
        /// Number of meshes in a column.
        (Body, "meshes") rows: Whole<1, 10_000>,
        /// Number of meshes in a row.
        (Body, "meshes") columns: Whole<1, 10_000>,
        /// Square: cords along the sides of the net. Diamond: across them. Left out, Square.
        (Body, "-") mesh: MeshWord,
        /// Springs in each side of a mesh. Left out, 1.
        (Body, "springs") strands: Whole<1, 1000>,
        /// Stiffness k of each spring. Left out, 100.
        (Body, "force/length") stiffness: Positive,
        /// Mass of each node. Left out, 1.
        (Body, "mass") mass: Positive,
        /// Nodes that are held. Left out, None. Knots have the lowest numbers, row by row.
        (Body, "-") pins: NetPins,
        /// Friction inside each spring, along its direction: force per speed of stretching. Left
        /// out, 0.
        (Body, "force·time/length") damping: NonNegative,
        /// How the tension of a spring follows from its length. Left out, Hooke.
        (Body, "-") law: Choice<Laws>,
        /// Strain at which a spring breaks; left out, none does.
        (Body, "-") breaks_at: Positive,
    }
}
