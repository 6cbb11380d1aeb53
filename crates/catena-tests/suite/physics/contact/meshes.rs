//! Colliders of triangles: distances, hits, sliding, and agreement with round solids.

use super::{body, cloud, kinetic, resolve};
use catena::sim::{
    Collider, Setup, Simulation, State,
    contact::{
        Contacts,
        collider::{
            HeightField, Mesh, Moving, Sphere, Surface,
            facets::{Facets, Unclosed},
        },
    },
    drive::{
        motion::Travel,
        rig::RotationTrack,
        track::{Animated, Key, KeyTrack},
    },
};
use catena_sim::glam::DVec3;
use catena_tests::Random;
use std::collections::BTreeMap;
use std::sync::Arc;

type Triangles = (Vec<[f64; 3]>, Vec<[usize; 3]>);

/// A ball of radius 1 with its points on the sphere: an octahedron, subdivided `times` times.
fn ball(times: usize) -> Triangles {
    let mut points: Vec<[f64; 3]> = Vec::new();
    for (axis, side) in [(0, 1.0), (1, 1.0), (2, 1.0), (0, -1.0), (1, -1.0), (2, -1.0)] {
        let mut point = [0.0; 3];
        point[axis] = side;
        points.push(point);
    }
    let mut facets = Vec::new();
    for octant in 0..8 {
        let corner = |axis: usize| if octant >> axis & 1 == 1 { axis + 3 } else { axis };
        facets.push([corner(0), corner(1), corner(2)]);
    }
    for _ in 0..times {
        let mut middles: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let mut middle = |a: usize, b: usize, points: &mut Vec<[f64; 3]>| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                let sum = [0, 1, 2].map(|axis| points[a][axis] + points[b][axis]);
                let length = sum.iter().map(|x| x * x).sum::<f64>().sqrt();
                points.push(sum.map(|x| x / length));
                points.len() - 1
            })
        };
        facets = facets
            .into_iter()
            .flat_map(|[a, b, c]| {
                let ab = middle(a, b, &mut points);
                let bc = middle(b, c, &mut points);
                let ca = middle(c, a, &mut points);
                [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            })
            .collect();
    }
    (points, facets)
}

/// A prism along z over this outline in the plane, between z = -1 and 1.
fn prism(outline: &[[f64; 2]]) -> Triangles {
    let count = outline.len();
    let side = |z: f64| outline.iter().map(move |[x, y]| [*x, *y, z]);
    let mut points: Vec<[f64; 3]> = side(-1.0).chain(side(1.0)).collect();
    points.extend([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]]);
    let mut facets = Vec::new();
    for k in 0..count {
        let next = (k + 1) % count;
        facets.extend([[k, next, count + next], [k, count + next, count + k]]);
        facets.extend([[2 * count, next, k], [2 * count + 1, count + k, count + next]]);
    }
    (points, facets)
}

fn mesh((points, facets): Triangles, friction: f64) -> Arc<dyn Collider> {
    let solid = Facets::new(points, &facets).unwrap();
    Arc::new(Mesh::new(solid, Surface { restitution: 0.0, friction }))
}

/// A U of three blocks: a valley from x = -1 to 1 above y = 0, between walls up to y = 2.
fn valley() -> Triangles {
    let outline =
        [[-2.0, -1.0], [2.0, -1.0], [2.0, 2.0], [1.0, 2.0], [0.0, 0.0], [-1.0, 2.0], [-2.0, 2.0]];
    let (mut points, mut facets) = prism(&outline);
    // Triangle fans around the origin would cross the outline, so the caps are listed explicitly.
    let last = facets.len();
    points.truncate(14);
    facets.truncate(last);
    facets.retain(|facet| facet.iter().all(|corner| *corner < 14));
    for first in [0, 7] {
        let cap = [[0, 1, 4], [1, 2, 4], [2, 3, 4], [0, 4, 6], [6, 4, 5]];
        facets.extend(cap.map(|facet: [usize; 3]| facet.map(|corner| first + corner)));
    }
    (points, facets)
}

#[test]
fn a_ball_of_triangles_is_of_second_order() {
    let round = Sphere { center: [0.0; 3].into(), radius: 1.0, restitution: 0.0, friction: 0.0 };
    let mut random = Random::new(3);
    let places: Vec<[f64; 3]> = (0..300).map(|_| [0; 3].map(|_| 3.0 * random.signed())).collect();
    let errors = [2, 3, 4].map(|times| {
        let solid = mesh(ball(times), 0.0);
        let error = |place: &[f64; 3]| (solid.distance(*place).0 - round.distance(*place).0).abs();
        places.iter().map(error).fold(0.0, f64::max)
    });
    // Halving the edges divides the error by four.
    for pair in errors.windows(2) {
        let order = libm::log2(pair[0] / pair[1]);
        assert!((order - 2.0).abs() < 0.25, "{errors:?}: {order}");
    }
}

#[test]
fn a_rope_over_a_ball_of_triangles_converges_to_that_over_a_ball() {
    let settled = |collider: Arc<dyn Collider>| -> Vec<[f64; 3]> {
        let mut simulation = body(
            "gravity: (0, -10, 0), frame_time: 0.05, substeps: 50, drag: 1,
             rope: (start: (-1.2, 1.02, 0.05), end: (1.2, 1.02, 0.05), nodes: 25, pins: [0, 24],
                    stiffness: 4000, damping: 2), contact: (radius: 0.01)",
        );
        let mut setup = Setup::clone(simulation.setup());
        setup.contacts.colliders = vec![collider];
        simulation = Simulation::new(Arc::new(setup));
        (0..60).for_each(|_| simulation.advance_frame());
        (0..25).map(|node| simulation.state().position(25, node)).collect()
    };
    let round = Sphere { center: [0.0; 3].into(), radius: 1.0, restitution: 0.0, friction: 0.0 };
    let exact = settled(Arc::new(round));
    let height = |point: &[f64; 3]| point.iter().map(|x| x * x).sum::<f64>().sqrt() - 1.01;
    let touching: Vec<usize> = (0..25).filter(|node| height(&exact[*node]).abs() < 1e-6).collect();
    assert!(touching.len() > 5, "{exact:?}");
    // Triangles of side h with corners on a ball of radius R are up to h²/6R below it, so nodes on
    // them are deeper by the same amount: order 2. Their normals are up to h/2R off. A contact
    // force N therefore has a component N h/2R along the ball, which only the rope balances, with a
    // stiffness k: nodes are displaced by N h/(2 R k), which is of order 1.
    let found = [2, 3, 4].map(|times| {
        let found = settled(mesh(ball(times), 0.0));
        let squares = (0..25).flat_map(|node| {
            let (a, b) = (found[node], exact[node]);
            (0..3).map(move |k| (a[k] - b[k]) * (a[k] - b[k]))
        });
        // No node is deeper than the plane of the lowest triangle.
        let (points, facets) = ball(times);
        let plane = |facet: &[usize; 3]| {
            let [a, b, c] = facet.map(|corner| DVec3::from(points[corner]));
            (b - a).cross(c - a).normalize().dot(a).abs()
        };
        let lowest = facets.iter().map(plane).fold(1.0, f64::min);
        let deep = touching.iter().map(|node| -height(&found[*node]));
        assert!(deep.clone().all(|deep| deep <= 1.0 - lowest), "{found:?}");
        [squares.sum::<f64>().sqrt(), deep.sum()]
    });
    // The position of a node within its triangle differs between the solids, so the errors scatter
    // about their order by at most a quarter of an order.
    for (which, order) in [1.0, 2.0].into_iter().enumerate() {
        let minimum = libm::exp2(order - 0.25);
        let errors = found.map(|errors| errors[which]);
        assert!(errors[0] > minimum * errors[1] && errors[1] > minimum * errors[2], "{found:?}");
    }
}

#[test]
fn nothing_ends_inside_of_triangles_and_no_contact_makes_energy() {
    let mut random = Random::new(4);
    for (triangles, radius) in
        [(ball(1), 0.0), (ball(2), 0.1), (valley(), 0.0), (valley(), 0.05), (prism(&SQUARE), 0.0)]
    {
        let contacts =
            Contacts { colliders: vec![mesh(triangles, 0.3)], radius, ..Contacts::default() };
        let depth = |point: [f64; 3]| contacts.colliders[0].distance(point).0 - radius;
        let model = cloud(3, vec![1.0]);
        let (mut tried, mut crossed) = (0, 0);
        while tried < 1500 {
            let start = State { t: 0.0, x: random.many(3, 3.0), v: random.many(3, 5.0) };
            if depth(start.position(1, 0)) < 0.0 {
                continue;
            }
            tried += 1;
            let far = [0.1, 3.0, 1e3, 1e9][tried % 4];
            let mut end = State { t: 0.0, x: random.many(3, far), v: random.many(3, 5.0) };
            let wanted = end.clone();
            let displaced = resolve(&contacts, &model, &start, &mut end);
            assert!(depth(end.position(1, 0)) >= 0.0, "{radius}\n{start:?}\n{wanted:?}\n{end:?}");
            let (after, before) = (kinetic(&model, &end), kinetic(&model, &wanted));
            assert!(after <= before * (1.0 + 1e-12), "{radius}: {before} {after}");
            let (from, to) = (start.position(1, 0), wanted.position(1, 0));
            let on = |s: f64| [0, 1, 2].map(|k| from[k] + s * (to[k] - from[k]));
            if far <= 3.0 && (0..=300).any(|k| depth(on(f64::from(k) / 300.0)) < -1e-6) {
                crossed += 1;
                assert_eq!(displaced, [0], "{radius}\n{start:?}\n{wanted:?} passed");
            }
        }
        assert!(crossed > 30, "{radius}: {crossed}");
    }
}

const SQUARE: [[f64; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];

#[test]
fn nodes_that_aim_at_edges_and_corners_do_not_pass() {
    for (points, facets) in [ball(2), valley(), prism(&SQUARE)] {
        let solid = Facets::new(points.clone(), &facets).unwrap();
        for facet in solid.triangles() {
            let corners = facet.map(|corner| solid.points()[corner]);
            for (a, b) in [(0, 1), (1, 2), (2, 0), (0, 0), (1, 1), (2, 2)] {
                let at = [0, 1, 2].map(|k| 0.5 * (corners[a][k] + corners[b][k]));
                let out = solid.distance(at).1;
                let from = [0, 1, 2].map(|k| at[k] + 0.3 * out[k]);
                let to = [0, 1, 2].map(|k| at[k] - 0.1 * out[k]);
                // A corner of the valley may face the outside on its far side.
                if solid.distance(from).0 > 0.01 && solid.distance(to).0 < -0.001 {
                    let share = solid.sweep(from, to, 0.0);
                    assert!(share.is_some_and(|s| (s - 0.75).abs() < 1e-6), "{at:?}: {share:?}");
                }
            }
        }
    }
}

#[test]
fn a_node_slides_into_a_valley_and_rests_there() {
    // Two nodes on a spring with almost no force. The second one falls next to the solid.
    let mut simulation = body(
        "gravity: (0, -10, 0), frame_time: 0.02, substeps: 20, drag: 0.3,
         rope: (start: (0.6, 1.3, 0), end: (30, 1, 0), nodes: 2, pins: [], stiffness: 1e-12)",
    );
    let mut setup = Setup::clone(simulation.setup());
    setup.contacts.colliders = vec![mesh(valley(), 0.0)];
    simulation = Simulation::new(Arc::new(setup));
    (0..600).for_each(|_| simulation.advance_frame());
    let [x, y, _] = simulation.state().position(2, 0);
    let [vx, vy, _] = simulation.state().velocity(2, 0);
    assert!(x.abs() < 0.02 && (-1e-9..0.04).contains(&y), "{x} {y}");
    assert!(vx.abs() < 0.05 && vy.abs() < 0.2, "{vx} {vy}");
}

#[test]
fn the_capstan_of_a_prism_with_256_sides_holds_by_e_to_the_mu_theta() {
    use std::f64::consts::{FRAC_PI_2, TAU};
    let outline: Vec<[f64; 2]> = (0..256)
        .map(|k| {
            let (sin, cos) = libm::sincos(TAU * (f64::from(k) + 0.5) / 256.0);
            [cos, sin]
        })
        .collect();
    // A rope over a quarter of the solid: a weight hangs at one end, and the other end is pulled
    // along x at a low speed.
    let around = (0..=30).map(|k| {
        let (sin, cos) = libm::sincos(FRAC_PI_2 * f64::from(k) / 30.0);
        format!("({:?}, {:?}, 0)", 1.001 * sin, 1.001 * cos)
    });
    let points = around.collect::<Vec<_>>().join(", ");
    let ratio = |collider: Arc<dyn Collider>| {
        let mut simulation = body(&format!(
            "gravity: (0, -10, 0), frame_time: 0.02, substeps: 40, integrator: ImplicitEuler, drag: 0.001,
             rope: (shape: Points(points: [(-1.2, 1.001, 0), {points}, (1.001, -0.6, 0)]),
                    nodes: 61, pins: [0], mass: 0.0001, stiffness: 3000, weights: [(node: 60, mass: 0.1)]),
             anchors: [(node: 0, velocity: (-0.1, 0, 0))]"
        ));
        let mut setup = Setup::clone(simulation.setup());
        setup.contacts.colliders = vec![collider];
        simulation = Simulation::new(Arc::new(setup));
        (0..60).for_each(|_| simulation.advance_frame());
        let tension = |simulation: &Simulation, spring: usize| {
            let spring = &simulation.setup().model.springs[spring];
            let length = simulation.setup().model.span(&simulation.state().x, spring).1;
            spring.stiffness * (length - spring.rest_length)
        };
        let (mut high, mut low) = (0.0, 0.0);
        for _ in 0..40 {
            simulation.advance_frame();
            high += tension(&simulation, 0);
            low += tension(&simulation, 59);
        }
        high / low
    };
    let expected = libm::exp(0.3 * FRAC_PI_2);
    // Without friction, the tensions of the ends differ by the weight of the rope itself.
    let [rough, smooth] = [0.3, 0.0].map(|friction| ratio(mesh(prism(&outline), friction)));
    let found = rough / smooth;
    assert!((found / expected - 1.0).abs() < 0.03, "{found} instead of {expected}");
}

#[test]
fn terrain_holds_in_the_plane_and_in_space() {
    let heights =
        |z: usize| (0..9).map(|x| if (x + z).is_multiple_of(2) { 0.3 } else { 0.0 }).collect();
    let surface = Surface { restitution: 0.0, friction: 0.2 };
    let line = HeightField::new(vec![heights(0)], 0.5, [-2.0, 0.0].into(), surface).unwrap();
    let field =
        HeightField::new((0..5).map(heights).collect(), 0.5, [-2.0, 0.0, -1.0].into(), surface)
            .unwrap();
    let fields: [(&str, Arc<dyn Collider>); 2] = [("", Arc::new(line)), (", 0", Arc::new(field))];
    for (third, collider) in fields {
        let mut simulation = body(&format!(
            "gravity: (0, -10{third}), frame_time: 0.02, substeps: 20, drag: 0.05,
             rope: (start: (-1.6, 1{third}), end: (1.6, 1.2{third}), nodes: 33, pins: [], stiffness: 500, damping: 0.05),
             contact: (radius: 0.02)"
        ));
        let mut setup = Setup::clone(simulation.setup());
        setup.contacts.colliders = vec![Arc::clone(&collider)];
        simulation = Simulation::new(Arc::new(setup));
        for frame in 0..100 {
            simulation.advance_frame();
            for node in 0..33 {
                let gap = collider.distance(simulation.state().position(33, node)).0 - 0.02;
                assert!(gap >= 0.0, "{third:?}, frame {frame}, node {node}: {gap}");
            }
        }
        let highest = (0..33).map(|node| simulation.state().position(33, node)[1]);
        assert!(highest.fold(0.0, f64::max) < 0.6, "{third:?}: the rope does not lie on it");
    }
}

#[test]
fn drawn_surfaces_do_not_pass_triangles() {
    let mut simulation = body(
        "gravity: (0, -10, 0), frame_time: 0.02, substeps: 16, drag: 0.01,
         cloth: (columns: 9, rows: 9, corner: (-0.8, 1.2, -0.8), across: (1.6, 0, 0), down: (0, 0, 1.6), stiffness: 50, mass: 0.01, pins: []),
         contact: (of: Drawn, thickness: 0.02, friction: 0.2)",
    );
    let collider = mesh(prism(&SQUARE), 0.3);
    let mut setup = Setup::clone(simulation.setup());
    setup.contacts.colliders = vec![Arc::clone(&collider)];
    simulation = Simulation::new(Arc::new(setup));
    for frame in 0..60 {
        simulation.advance_frame();
        for node in 0..81 {
            let gap = collider.distance(simulation.state().position(81, node)).0;
            assert!(gap >= 0.004, "frame {frame}, node {node}: {gap}");
        }
    }
}

#[test]
fn a_surface_that_bounds_no_solid_is_refused_with_its_place() {
    let (points, facets) = ball(1);
    let open = Facets::new(points.clone(), &facets[1..]);
    assert!(matches!(open, Err(Unclosed::Open { count: 3, .. })), "{open:?}");
    let doubled = [&facets[..], &facets[..1]].concat();
    let crowded = Facets::new(points.clone(), &doubled);
    assert!(matches!(crowded, Err(Unclosed::Crowded { facet: 0, .. })), "{crowded:?}");
    // The order of corners does not matter: the faces of a ball are flipped to face outwards.
    let turned: Vec<[usize; 3]> = facets.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
    let mut mixed = facets.clone();
    mixed[3].swap(0, 1);
    for facets in [turned, mixed] {
        let solid = Facets::new(points.clone(), &facets).unwrap();
        assert!(solid.distance([0.0; 3]).0 < -0.5 && solid.distance([3.0, 0.0, 0.0]).0 > 1.9);
    }
}

/// Maximum depth of a node of a rope that is stirred by a rotating box of triangles for this many
/// frames.
fn deepest(frames: usize, contact: &str, rope: &str) -> f64 {
    let mut simulation = body(&format!(
        "gravity: (0, -10, 0), frame_time: 0.02, substeps: 16, drag: 0.02,
         rope: (start: (-1.5, 1.6, 0.1), end: (1.5, 1.7, -0.1), nodes: 31, pins: [0, 30], {rope}),
         contact: ({contact})"
    ));
    let keys = vec![Key::new(0.0, [0.0]), Key::new(1e3, [3e3])];
    let angle = Animated::moving(KeyTrack::new(keys).unwrap());
    let turn = RotationTrack::about(DVec3::new(0.3, 0.2, 1.0), angle).unwrap();
    let (points, facets) = prism(&SQUARE);
    let solid = Facets::new(points, &facets).unwrap();
    let solid = Mesh::new(solid, Surface { restitution: 0.2, friction: 0.3 });
    let moving = Moving::new(solid, Travel { along: None, turn: Some(turn) });
    let mut setup = Setup::clone(simulation.setup());
    setup.contacts.colliders = vec![Arc::new(moving)];
    simulation = Simulation::new(Arc::new(setup));
    let mut deepest = f64::INFINITY;
    for _ in 0..frames {
        simulation.advance_frame();
        let state = simulation.state();
        let collider = &simulation.setup().contacts.colliders[0];
        let gaps = (1..30).map(|node| collider.distance_at(state.t, state.position(31, node)).0);
        deepest = gaps.fold(deepest, f64::min);
    }
    deepest
}

#[test]
fn a_turning_box_of_triangles_lets_nothing_through() {
    for rope in ["stiffness: 100, mass: 0.01", "stiffness: 3, mass: 0.001"] {
        let nodes = deepest(150, "radius: 0.02", rope);
        assert!(nodes >= 0.02 - 1e-9, "{rope}: {nodes}");
        let drawn = deepest(60, "of: Drawn, thickness: 0.03, friction: 0.2", rope);
        assert!(drawn >= 0.0, "{rope}: {drawn}");
    }
}
