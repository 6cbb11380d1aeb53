//! Checks of contact with solids of triangles: a ball, a prism around which a rope slides, and a
//! turning box in a rope.

use super::{
    Check,
    Tolerance::{Absolute, AtMost, Relative},
    check::{CheckList, CheckSetups},
    contact::around,
    readings::greater,
};
use catena_sim::{
    Model, Rope, Setup, Spring, State,
    contact::collider::{Mesh, Moving, Surface, facets::Facets},
    drive::{
        curve::Linear,
        motion::Travel,
        rig::RotationTrack,
        track::{Animated, KeyTrack},
    },
    force::applied::PointForce,
    glam::DVec3,
    method::{ImplicitEuler, SemiImplicitEuler},
    vector::{Vec3, add, norm, scaled},
};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Friction of the prism.
const FRICTION: f64 = 0.3;
/// Radius of contact of the rope in which the box turns.
const RADIUS: f64 = 0.02;

type Triangles = (Vec<Vec3>, Vec<[usize; 3]>);

pub(super) fn checks() -> Vec<Check> {
    let mut list = CheckList::new("contact");
    list.set_reference("distance to a ball of triangles with their corners on a sphere: order 2");
    list.add("order in edges of a ball of triangles", 2.0, Absolute(0.1), |setups| {
        let [coarse, fine] = [3, 4].map(|times| ball_error(setups, times));
        Some(libm::log2(coarse? / fine?))
    });
    list.set_reference("capstan on a prism with 256 sides: ratio of tensions e^(μθ), μ = 0.3");
    let ratio = libm::exp(FRICTION * FRAC_PI_2);
    list.add("ratio of tensions on a prism, θ = π/2", ratio, Relative(0.02), capstan);
    list.set_reference("nodes do not enter a box of triangles that turns in a rope");
    list.add("maximum depth of nodes in a turning box", 1e-9, AtMost, turning_box);
    list.done()
}

/// A ball of radius 1: an octahedron with corners on the sphere. Each edge is halved `times` times.
fn ball(times: usize) -> Triangles {
    let (mut points, mut facets): Triangles = Default::default();
    let point = |at: Vec3, points: &mut Vec<Vec3>| {
        let at = scaled(at, 1.0 / norm(at));
        // Triangles that share an edge compute the same middle, bit by bit.
        points.iter().position(|known| *known == at).unwrap_or_else(|| {
            points.push(at);
            points.len() - 1
        })
    };
    for octant in 0..8 {
        let corner = |axis: usize| {
            let mut at = [0.0; 3];
            at[axis] = if octant >> axis & 1 == 1 { -1.0 } else { 1.0 };
            at
        };
        facets.push([0, 1, 2].map(|axis| point(corner(axis), &mut points)));
    }
    for _ in 0..times {
        let halved = facets.iter().flat_map(|&[a, b, c]| {
            let mut middle = |a: usize, b: usize| point(add(points[a], points[b]), &mut points);
            let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        });
        facets = halved.collect();
    }
    (points, facets)
}

/// A regular prism along z between z = -1 and 1, with its corners at the distance `radius`.
fn prism(sides: usize, radius: f64) -> Triangles {
    let side = |z: f64| {
        (0..sides).map(move |k| {
            let (sin, cos) = libm::sincos(TAU * (k as f64 + 0.5) / sides as f64);
            [radius * cos, radius * sin, z]
        })
    };
    let mut points: Vec<Vec3> = side(-1.0).chain(side(1.0)).collect();
    points.extend([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]]);
    let mut facets = Vec::new();
    for k in 0..sides {
        let next = (k + 1) % sides;
        facets.extend([[k, next, sides + next], [k, sides + next, sides + k]]);
        facets.extend([[2 * sides, next, k], [2 * sides + 1, sides + k, sides + next]]);
    }
    (points, facets)
}

fn mesh((points, facets): Triangles, friction: f64) -> Option<Mesh> {
    let solid = Facets::new(points, &facets).ok()?;
    Some(Mesh::new(solid, Surface { restitution: 0.0, friction }))
}

/// Maximum error of the distance of points at the distance 0.5 from the ball.
fn ball_error(setups: &CheckSetups<'_>, times: usize) -> Option<f64> {
    let far = Rope::new([5.0, 0.0, 0.0], [6.0, 0.0, 0.0], 2);
    let setup = Setup::new(&far).gravity([0.0; 3]).collider(mesh(ball(times), 0.0)?);
    let setup = setups.ready(setup.build().ok()?);
    let solid = setup.contacts.colliders.first()?;
    // Directions on a spiral around the sphere.
    let errors = (0..2000).map(|k| {
        let z = (f64::from(k) + 0.5) / 1000.0 - 1.0;
        let (sin, cos) = libm::sincos(2.4 * f64::from(k));
        let across = 1.5 * (1.0 - z * z).sqrt();
        (solid.distance([across * cos, across * sin, 1.5 * z]).0 - 0.5).abs()
    });
    Some(errors.fold(0.0, f64::max))
}

/// Ratio of the tensions at both ends of a rope that slides over a quarter of a prism.
fn capstan(setups: &CheckSetups<'_>) -> Option<f64> {
    const COUNT: usize = 43;
    let (spacing, speed, end) = (0.06, 0.2, COUNT - 1);
    let flat: Vec<[f64; 2]> = around(spacing, COUNT, 1.0005, FRAC_PI_2, 0.6).collect();
    let spring = |a: usize| {
        let [dx, dy] = [0, 1].map(|k| flat[a + 1][k] - flat[a][k]);
        Spring { a, b: a + 1, stiffness: 2000.0, rest_length: (dx * dx + dy * dy).sqrt() }
    };
    let model = Model {
        axes: 3,
        mass: vec![1e-4; COUNT],
        pinned: (0..COUNT).map(|node| node == end).collect(),
        springs: (0..end).map(spring).collect(),
        structural: end,
        held: end,
        ..Model::default()
    };
    let axis = |k: usize| flat.iter().map(move |point| point[k]);
    let x = axis(0).chain(axis(1)).chain([0.0; COUNT]).collect();
    let [right, top] = flat[end];
    let keys = vec![(0.0, [right, top, 0.0].into()), (2.0, [right, top - 2.0 * speed, 0.0].into())];
    let pull = [-1.0, 0.0, 0.0].into();
    let setup = Setup::of_body(model, State::at_rest(x))
        .collider(mesh(prism(256, 1.0), FRICTION)?)
        .anchor(end, Linear { keys })
        .force(PointForce { node: 0, force: pull, from: 0.0, until: f64::INFINITY })
        .drag(1e-5)
        .method(ImplicitEuler::default())
        .frames(1e-3, 1);
    let mut run = setups.start(setup.build().ok()?);
    let mut sums = [0.0; 2];
    for step in 0..1200 {
        run.step();
        let model = &run.setup().model;
        for (sum, spring) in sums.iter_mut().zip([1, end - 1]).filter(|_| step >= 600) {
            let spring = &model.springs[spring];
            let length = model.span(&run.state().x, spring).1;
            *sum += spring.stiffness * (length - spring.rest_length);
        }
    }
    Some(sums[1] / sums[0])
}

/// Maximum depth of a node in a box that turns below a rope between two pins, in 150 frames.
fn turning_box(setups: &CheckSetups<'_>) -> Option<f64> {
    let rope = Rope::new([-1.5, 1.6, 0.1], [1.5, 1.7, -0.1], 31).of(0.01, 100.0).pin(0).pin(30);
    let angle = Animated::moving(KeyTrack::linear(&[(0.0, [0.0]), (1e3, [3e3])]).ok()?);
    let turn = RotationTrack::about(DVec3::new(0.3, 0.2, 1.0), angle).ok()?;
    let travel = Travel { along: None, turn: Some(turn) };
    let solid = Moving::new(mesh(prism(4, 2.0_f64.sqrt()), 0.3)?, travel);
    let setup = Setup::new(&rope).gravity([0.0, -10.0, 0.0]).drag(0.02).radius(RADIUS);
    let setup = setup.collider(solid).method(SemiImplicitEuler {}).frames(0.02, 16);
    let mut run = setups.start(setup.build().ok()?);
    let mut depth = f64::NEG_INFINITY;
    for _ in 0..150 {
        run.advance_frame();
        let state = run.state();
        let solid = run.setup().contacts.colliders.first()?;
        let depths = (1..30).map(|i| RADIUS - solid.distance_at(state.t, state.position(31, i)).0);
        depth = depths.fold(depth, greater);
    }
    // A box that never touches the rope tests nothing.
    (depth > -1e-3).then_some(depth)
}
