//! Pictures and films of modes show the moving body and its supports.

use crate::scene_of;
use catena::job::{self, StaticsOptions};
use catena::scene::Scene;
use catena::sim::vector::{dot, norm, sub};

fn shown(scene: &Scene, count: usize) -> Scene {
    let rests = job::statics(scene, &StaticsOptions::default()).unwrap();
    job::modes_scene(scene, &rests, count).unwrap()
}

#[test]
fn weights_on_routes_swing_and_keep_their_ropes() {
    let scene = scene_of(
        "Scene(base: (gravity: (0, -9.81), integrator: VelocityVerlet,
            graph: (nodes: [(-0.3, -3)], springs: [], mass: 8),
            forces: [Route(from: First, axial: 1e5, length: [(0, 3), (2, 1)],
                via: [Drum(along: Linear(keys: [(0, (0, 0)), (1, (0, 0.5))]), radius: 0.3)])]))",
    );
    let rests = job::statics(&scene, &StaticsOptions::default()).unwrap();
    let rest = rests[0].as_ref().unwrap().as_ref().unwrap();
    let modes = job::modes_scene(&scene, &rests, 2).unwrap();
    assert_eq!(modes.panels.len(), 2);
    for panel in &modes.panels {
        let [at_rest, one, other] = panel.bodies.as_slice() else { panic!("{}", panel.label) };
        for body in [at_rest, one, other] {
            assert_eq!((body.listed_forces, body.setup.forces.len()), (1, 1));
            // The drum is at its final angle.
            assert_eq!(body.setup.start_time, 2.0);
        }
        let x = |body: &catena::scene::Body| body.setup.initial.x.clone();
        assert_eq!(x(at_rest), rest.x);
        let offset = sub([x(one)[0], x(one)[1], 0.0], [x(other)[0], x(other)[1], 0.0]);
        assert!((norm(offset) - 0.2 * rest.routes[0].length).abs() < 1e-9, "{offset:?}");
    }
    let film = job::swing_scene(&scene, &rests, 0).unwrap();
    let swings = &film.panels[0].bodies[1].setup;
    let curve = &swings.anchors[0].curve;
    assert_eq!(curve.at(2.0).0[..2], swings.initial.x[..]);
    assert_eq!(swings.forces.len(), 1);
}

#[test]
fn torsional_modes_turn_the_ticks_of_their_sections() {
    let scene = scene_of(
        "Scene(base: (gravity: (0, 0, 0), integrator: ImplicitEuler,
            rope: (start: (0, 0, 0), end: (1, 0, 0), nodes: 21, mass: 0.01,
                rod: (bending: 1, torsion: 0.8, inertia: 0.01, clamps: [(node: First)]))))",
    );
    let modes = shown(&scene, 2);
    let labels: Vec<&str> = modes.panels.iter().map(|panel| panel.label.as_str()).collect();
    assert_eq!(labels.len(), 4, "{labels:?}");
    assert!(labels[2].contains("torsion 1, ω = 14.0"), "{labels:?}");
    for (panel, quarters) in modes.panels[2..].iter().zip([1.0, 3.0]) {
        let [_, still, one, other] = panel.bodies.as_slice() else { panic!("{}", panel.label) };
        let tick = |body: &catena::scene::Body, segment: usize| {
            let (n, state) = (body.setup.model.nodes(), &body.setup.initial);
            sub(state.position(n, 2 * segment + 1), state.position(n, 2 * segment))
        };
        assert_eq!(still.setup.model.nodes(), 40);
        // The angle of a cross-section at the middle of each segment: a sine of odd quarter waves.
        let shape = |segment: usize| {
            let place = (segment as f64 + 0.5) / 20.0;
            libm::sin(quarters * std::f64::consts::FRAC_PI_2 * place)
        };
        let maximum = (0..20).map(|segment| shape(segment).abs()).fold(0.0, f64::max);
        for segment in 0..20 {
            let [at_rest, one, other] = [still, one, other].map(|body| tick(body, segment));
            let angle = |turned: [f64; 3]| {
                libm::acos((dot(at_rest, turned) / (norm(at_rest) * norm(turned))).clamp(-1.0, 1.0))
            };
            let expected = 0.7 * (shape(segment) / maximum).abs();
            assert!((angle(one) - expected).abs() < 0.02, "{segment}: {} {expected}", angle(one));
            assert!((angle(one) - angle(other)).abs() < 1e-9);
            assert!((norm(one) - 0.06).abs() < 1e-9 && one[0].abs() < 1e-12, "{one:?}");
        }
    }
    let image = job::draw(&modes, 0);
    assert!(image.is_ok());
}
