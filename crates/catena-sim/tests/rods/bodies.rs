//! Rods for the tests, and a source of pseudo-random numbers.

use catena_sim::body::shape::Topology;
use catena_sim::drive::track::Animated;
use catena_sim::force::rod::{Clamp, Rod, Section, Tangent};
use catena_sim::{Arrangement, Form, Model, Part, Rope, SpringMemory, State};

/// Numbers from -1 to 1 (xorshift).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// A straight rope of this length along x, with this number of segments.
pub fn line(axes: usize, length: f64, segments: usize, mass: f64, ea: f64) -> (Model, State) {
    let stiffness = ea * segments as f64 / length;
    let nodes = segments + 1;
    let rope = match axes {
        2 => Rope::new([0.0, 0.0], [length, 0.0], nodes),
        _ => Rope::new([0.0, 0.0, 0.0], [length, 0.0, 0.0], nodes),
    };
    let (mut model, state) = rope.of(mass, stiffness).build().unwrap();
    // End nodes have the mass of half a segment.
    let each = mass / segments as f64;
    model.mass = vec![each; nodes];
    (model.mass[0], model.mass[segments]) = (0.5 * each, 0.5 * each);
    (model, state)
}

/// A regular polygon in the xy plane, closed by a last spring.
pub fn ring(radius: f64, segments: usize, mass: f64, ea: f64) -> (Model, State) {
    let angle = |i: usize| std::f64::consts::TAU * i as f64 / segments as f64;
    let mut x = vec![0.0; 3 * segments];
    for i in 0..segments {
        x[i] = radius * libm::cos(angle(i));
        x[segments + i] = radius * libm::sin(angle(i));
    }
    let side = 2.0 * radius * libm::sin(0.5 * angle(1));
    let springs: Vec<_> = (0..segments)
        .map(|i| catena_sim::Spring {
            a: i,
            b: (i + 1) % segments,
            stiffness: ea / side,
            rest_length: side,
        })
        .collect();
    let part = Part {
        name: String::new(),
        form: Form::Rope { closed: true },
        nodes: (0..segments).collect(),
        springs: (0..segments).collect(),
    };
    let model = Model {
        axes: 3,
        mass: vec![mass / segments as f64; segments],
        pinned: vec![false; segments],
        structural: segments,
        held: segments,
        springs,
        arrangement: Arrangement::Parts,
        parts: vec![part],
    };
    (model, State::at_rest(x))
}

/// Displaces each node by up to this distance along each axis.
pub fn disturbed(state: &State, by: f64, seed: u64) -> State {
    let mut numbers = Numbers(seed);
    let mut state = state.clone();
    state.x.iter_mut().for_each(|x| *x += by * numbers.next());
    state
}

pub fn clamp(node: usize, turn: f64) -> Clamp {
    Clamp { node, tangent: None, turn: Animated::number(turn) }
}

pub fn clamp_along(node: usize, direction: [f64; 3], turn: f64) -> Clamp {
    Clamp { node, tangent: Some(Tangent::Constant(direction)), turn: Animated::number(turn) }
}

pub fn memory_of(force: &dyn catena_sim::Force, model: &Model, state: &State) -> SpringMemory {
    let mut memory = SpringMemory::default();
    let body = catena_sim::Body { model, springs: &memory };
    memory.rods = force.first_memory(&body, state);
    memory
}

/// A rod along the only rope of a model.
pub fn rod(model: &Model, bending: f64, torsion: f64) -> Rod {
    Rod::along(model, 0, Section::round(bending, torsion)).unwrap()
}
