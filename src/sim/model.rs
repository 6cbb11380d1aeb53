//! What stays constant while a simulation runs.

/// A connection of two nodes that resists being longer or shorter than its rest length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// The node nearer to the start of the rope.
    pub a: usize,
    /// The other node.
    pub b: usize,
    /// Force per length of stretch, above zero.
    pub stiffness: f64,
    /// Length at which the spring pulls at nothing, above zero.
    pub rest_length: f64,
}

/// Masses, springs and pins of one body.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// How many axes space has: 2 or 3.
    pub axes: usize,
    /// Mass of each node, above zero.
    pub mass: Vec<f64>,
    /// Whether a node is held in its place.
    pub pinned: Vec<bool>,
    /// All springs, in the order in which they are worked on.
    pub springs: Vec<Spring>,
}

impl Model {
    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.mass.len()
    }

    /// Length of all springs together when none is stretched.
    pub fn rest_length(&self) -> f64 {
        self.springs.iter().map(|spring| spring.rest_length).sum()
    }

    /// The vector from a spring's first node to its second, z being 0 in a planar model, and its length.
    ///
    /// `x` is flat by axis, as in [`State`](super::State).
    pub fn span(&self, x: &[f64], spring: &Spring) -> ([f64; 3], f64) {
        let n = self.nodes();
        let mut d = [0.0; 3];
        let mut square = 0.0;
        for (axis, component) in d.iter_mut().enumerate().take(self.axes) {
            *component = x[axis * n + spring.b] - x[axis * n + spring.a];
            square += *component * *component;
        }
        (d, square.sqrt())
    }
}
