//! Bodies of the cases. Each hangs at an angle from its pins, so that every node moves.

use catena_sim::body::SolidKind;
use catena_sim::body::shape::graph::{Graph, Link};
use catena_sim::body::shape::rope::Rope;
use catena_sim::body::shape::solid::Solid;
use catena_sim::glam::{DQuat, DVec3};
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

/// Positions on a circle around the origin, each turned by `turn` radians from the one before.
fn turned([mut x, mut y]: [f64; 2], turn: f64, nodes: usize) -> Vec<Vec<f64>> {
    let [cosine, sine] = DQuat::from_rotation_z(turn).mul_vec3(DVec3::X).truncate().to_array();
    let mut positions = Vec::new();
    for _ in 0..nodes {
        positions.push(vec![x, y]);
        (x, y) = (cosine * x - sine * y, sine * x + cosine * y);
    }
    positions
}

/// Nodes along an arc of 354 degrees, of radius 0.5.
fn around(nodes: usize, links: usize) -> Graph {
    let turn = 354.0 / 360.0 * std::f64::consts::TAU / (nodes - 1) as f64;
    let positions = turned([0.0, 0.5], turn, nodes);
    let link = |a: usize| Link { a, b: (a + 1) % nodes, stiffness: STIFFNESS, length: None };
    Graph { positions, links: (0..links).map(link).collect(), mass: MASS, pins: vec![0] }
}

/// A rope that is nearly a circle.
pub fn arc(nodes: usize) -> Graph {
    around(nodes, nodes - 1)
}

/// The rope of [`arc`], closed by another spring.
pub fn ring(nodes: usize) -> Graph {
    around(nodes, nodes)
}

/// A rope of 41 nodes around half a drum of radius 0.2, pinned at both ends.
pub fn around_a_drum() -> Graph {
    let turn = std::f64::consts::PI / 40.0;
    let positions = turned([0.211, 0.0], turn, 41);
    let length = Some(0.65 / 40.0);
    let link = |a: usize| Link { a, b: a + 1, stiffness: 4e4, length };
    Graph { positions, links: (0..40).map(link).collect(), mass: 0.002, pins: vec![0, 40] }
}

/// A level rope.
pub fn level_rope(nodes: usize, height: f64) -> Rope {
    Rope::new([0.0, height], [1.0, height], nodes).of(MASS, STIFFNESS)
}

/// Three unconnected ropes in one body.
pub fn three_ropes() -> Assembly {
    let part = |x: f64| Rope::new([x, 0.0], [x + 0.6, -0.8], NODES).of(MASS, STIFFNESS).pin(0);
    Assembly::new().part("a", &part(0.0)).part("b", &part(1.0)).part("c", &part(2.0))
}

/// Nodes in rows of 32 with a spring between each node and a random earlier one, and another one
/// for every tenth node if `has_cycles`. The order of nodes and springs follows no path.
fn random_links(nodes: usize, has_cycles: bool) -> Graph {
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut below = |end: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % end as u64) as usize
    };
    let place = |i: usize| vec![0.1 * (i % 32) as f64, -0.1 * (i / 32) as f64];
    let link = |a: usize, b: usize| Link { a, b, stiffness: STIFFNESS, length: None };
    let mut links: Vec<Link> = (1..nodes).map(|i| link(i, below(i))).collect();
    if has_cycles {
        let is_new = |a: usize, b: usize, links: &[Link]| {
            !links.iter().any(|it| (it.a, it.b) == (a, b) || (it.a, it.b) == (b, a))
        };
        for a in (10..nodes).step_by(10) {
            let b = (0..a).rev().find(|b| is_new(a, *b, &links));
            links.extend(b.map(|b| link(a, b)));
        }
    }
    Graph { positions: (0..nodes).map(place).collect(), links, mass: MASS, pins: vec![0] }
}

/// A tree with as many nodes and springs as a rope of `nodes` nodes.
pub fn tree(nodes: usize) -> Graph {
    random_links(nodes, false)
}

/// The tree of [`tree`] with a tenth more springs, which close loops.
pub fn graph(nodes: usize) -> Graph {
    random_links(nodes, true)
}

/// A ball of radius 0.1 in the plane, on the floor y = 0 or `height` above it, that rolls at a
/// speed of 1 if `rolls`.
pub fn ball(height: f64, rolls: bool) -> Solid {
    let (radius, speed) = (0.1, if rolls { 1.0 } else { 0.0 });
    Solid {
        kind: SolidKind::Ball,
        sizes: [radius, 0.0, 0.0],
        mass: MASS,
        at: vec![0.0, radius + height],
        axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        points: Vec::new(),
        velocity: [speed, 0.0, 0.0],
        spin: [0.0, 0.0, -speed / radius],
        stiffness: STIFFNESS,
        pins: Vec::new(),
    }
}

/// Distance of the rows of a pile.
pub const PILE_GAP: f64 = 0.015;

/// A rope in level rows of 20 nodes, one above the other, the lowest above the floor y = 0.
pub fn pile(rows: usize) -> Graph {
    let (columns, step) = (20, 0.02);
    let place = |i: usize| {
        let (row, column) = (i / columns, i % columns);
        let across = if row % 2 == 0 { column } else { columns - 1 - column };
        vec![step * across as f64, PILE_GAP * (row as f64 + 0.5)]
    };
    let nodes = rows * columns;
    let link = |a: usize| Link { a, b: a + 1, stiffness: STIFFNESS, length: None };
    Graph {
        positions: (0..nodes).map(place).collect(),
        links: (0..nodes - 1).map(link).collect(),
        mass: MASS,
        pins: Vec::new(),
    }
}
