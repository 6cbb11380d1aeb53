//! Bodies of the cases. Each hangs at an angle from its pins, so that every node moves.

use catena_sim::body::shape::graph::{Graph, Link};
use catena_sim::body::shape::rope::Rope;
use catena_sim::{Assembly, Cloth};

/// Nodes of a rope.
pub const NODES: usize = 1000;

/// Rows and columns of a cloth.
pub const SIDE: usize = 31;

const MASS: f64 = 0.01;
const STIFFNESS: f64 = 100.0;

/// A rope with `nodes` nodes in the plane.
pub fn rope(nodes: usize) -> Rope {
    Rope::new([0.0, 0.0], [0.6, -0.8], nodes).of(MASS, STIFFNESS).pin(0)
}

/// A rope with `nodes` nodes in space.
pub fn rope_in_space(nodes: usize) -> Rope {
    Rope::new([0.0, 0.0, 0.0], [0.6, -0.6, 0.5], nodes).of(MASS, STIFFNESS).pin(0)
}

/// A cloth in space.
pub fn cloth() -> Cloth {
    let (across, down) = ([1.0, 0.1, 0.0], [0.0, -0.2, 1.0]);
    let cloth = Cloth::new([0.0, 0.0, 0.0], across, down, (SIDE, SIDE));
    cloth.of(MASS, STIFFNESS).pin(0).pin(SIDE - 1)
}

/// Three unconnected ropes in one body.
pub fn three_ropes() -> Assembly {
    let part = |x: f64| Rope::new([x, 0.0], [x + 0.6, -0.8], NODES).of(MASS, STIFFNESS).pin(0);
    Assembly::new().part("a", &part(0.0)).part("b", &part(1.0)).part("c", &part(2.0))
}

/// A graph with as many nodes and springs as a rope; each node has a spring to a random earlier
/// node.
pub fn graph() -> Graph {
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut below = |end: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % end as u64) as usize
    };
    let place = |i: usize| vec![0.1 * (i % 32) as f64, -0.1 * (i / 32) as f64];
    let link = |a: usize, b: usize| Link { a, b, stiffness: STIFFNESS, length: None };
    Graph {
        positions: (0..NODES).map(place).collect(),
        links: (1..NODES).map(|i| link(i, below(i))).collect(),
        mass: MASS,
        pins: vec![0],
    }
}
