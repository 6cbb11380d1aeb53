//! Nodes and colliders.

use super::{Random, body, closest, cloud, collider, kinetic, resolve};
use catena::{
    scene::{SceneText, load},
    sim::{Simulation, State, contact::Contacts, method::METHODS},
};

#[test]
fn no_speed_passes_a_plane() {
    for (speed, dt, bounce) in [1.0, 1e3, 1e6, 1e12]
        .into_iter()
        .flat_map(|speed| [1e-6, 1.0, 1e6].map(|dt| (speed, dt)))
        .flat_map(|(speed, dt)| [0.0, 1.0].map(|bounce| (speed, dt, bounce)))
    {
        let mut simulation = body(&format!(
            "gravity: (0, -1), frame_time: {dt:?}, substeps: 1,
             colliders: [Plane(point: (0, 0), normal: (0, 1), restitution: {bounce:?})],
             impulses: [(node: 0, impulse: (3, -{speed:?})), (node: 1, impulse: (3, -{speed:?}))],
             rope: (start: (0, 1e-9), end: (1, 1e-9), nodes: 2, pins: [], stiffness: 1e-90)"
        ));
        for _ in 0..20 {
            simulation.step();
            let State { x, v, .. } = simulation.state();
            assert!(x[2] >= 0.0 && x[3] >= 0.0, "{speed} {dt} {bounce}: {x:?} {v:?}");
        }
    }
}

/// Number of axes, node radius, and colliders.
const SETS: &[(usize, f64, &[&str])] = &[
    (2, 0.0, &["Sphere(center: (0.1, 0.2), radius: 0.5, friction: 0.4)"]),
    (2, 0.1, &["Capsule(a: (-0.6, 0), b: (0.5, 0.3), radius: 0.2, restitution: 0.7)"]),
    (3, 0.0, &["Sphere(center: (0, 0, 0.1), radius: 0.6, restitution: 1)"]),
    (3, 0.05, &["Capsule(a: (0, -0.5, 0), b: (0.1, 0.5, 0.3), radius: 0.3, friction: 0.2)"]),
    (3, 0.0, &["Capsule(a: (1, 2, 3), b: (1, 2, 3), radius: 2.5)"]),
    (
        2,
        0.0,
        &[
            "Plane(point: (0, -1), normal: (1, 3), friction: 0.3)",
            "Plane(point: (0, -1), normal: (-1, 2), restitution: 0.5)",
            "Sphere(center: (0, 0.6), radius: 0.4)",
        ],
    ),
    (
        3,
        0.02,
        &[
            "Plane(point: (0, -0.5, 0), normal: (0.1, 1, 0.2))",
            "Sphere(center: (0, 0, 0), radius: 0.5, friction: 0.5)",
            "Capsule(a: (-1, 0, 0.8), b: (1, 0, 0.8), radius: 0.3, restitution: 0.4)",
        ],
    ),
];

#[test]
fn nothing_ends_inside_of_a_collider_and_no_contact_makes_energy() {
    let mut random = Random::new(1);
    for (axes, radius, texts) in SETS {
        let colliders = texts.iter().map(|text| collider(text)).collect();
        let contacts = Contacts { colliders, radius: *radius, ..Contacts::default() };
        let depth = |point: [f64; 3]| {
            let distances = contacts.colliders.iter().map(|c| c.distance(point).0 - radius);
            distances.fold(f64::INFINITY, f64::min)
        };
        let model = cloud(*axes, vec![1.0]);
        let (mut tried, mut crossed) = (0, 0);
        while tried < 3000 {
            let start = State { t: 0.0, x: random.many(*axes, 3.0), v: random.many(*axes, 5.0) };
            if depth(start.position(1, 0)) < 0.0 {
                continue;
            }
            tried += 1;
            let far = [0.1, 3.0, 1e3, 1e9][tried % 4];
            let mut end = State { t: 0.0, x: random.many(*axes, far), v: random.many(*axes, 5.0) };
            let wanted = end.clone();
            let displaced = resolve(&contacts, &model, &start, &mut end);
            assert!(depth(end.position(1, 0)) >= 0.0, "{texts:?}\n{start:?}\n{wanted:?}\n{end:?}");
            let (after, before) = (kinetic(&model, &end), kinetic(&model, &wanted));
            assert!(after <= before * (1.0 + 1e-12), "{texts:?}: {before} {after}");
            // Sampled at a thousand points, if the path is short enough for that.
            let (from, to) = (start.position(1, 0), wanted.position(1, 0));
            let on = |s: f64| [0, 1, 2].map(|k| from[k] + s * (to[k] - from[k]));
            if (0..=1000).any(|k| depth(on(f64::from(k) / 1000.0)) < -1e-6) {
                crossed += 1;
                assert_eq!(displaced, [0], "{texts:?}\n{start:?}\n{wanted:?} passed");
            } else if far <= 3.0 && displaced.is_empty() {
                assert_eq!(end, wanted);
            }
        }
        assert!(crossed > 150, "{texts:?}: {crossed}");
    }
}

#[test]
fn rebounds_lose_what_restitution_says() {
    for e in [1.0, 0.8, 0.5] {
        let mut simulation = body(&format!(
            "gravity: (0, -10), frame_time: 1, substeps: 4000,
             colliders: [Plane(point: (0, 0), normal: (0, 1), restitution: {e:?})],
             rope: (start: (0, 1), end: (1, 1), nodes: 2, pins: [])"
        ));
        let (mut peaks, mut last) = (Vec::new(), (1.0, 0.0));
        while peaks.len() < 3 {
            simulation.step();
            let now = (simulation.state().x[2], simulation.state().v[2]);
            if last.1 > 0.0 && now.1 <= 0.0 {
                peaks.push(now.0);
            }
            last = now;
        }
        for (k, peak) in peaks.iter().enumerate() {
            let expected = (0..=k).fold(1.0, |height, _| height * e * e);
            assert!((peak / expected - 1.0).abs() < 0.02, "e = {e}: {peaks:?}");
        }
    }
}

/// A rope along a slope of 3 in 4, just above it.
fn on_incline(method: &str, friction: f64) -> Simulation {
    body(&format!(
        "gravity: (0, -10), frame_time: 0.1, substeps: 100, integrator: {method},
         colliders: [Plane(point: (0, 0), normal: (0.6, 0.8), friction: {friction:?})],
         rope: (start: (0.00006, 0.00008), end: (0.80006, -0.59992), nodes: 2, pins: [])"
    ))
}

#[test]
fn friction_holds_a_node_on_an_incline_or_lets_it_slip() {
    for method in METHODS {
        let name = method.name;
        // tan θ = 0.75.
        let mut simulation = on_incline(name, 0.76);
        (0..5).for_each(|_| simulation.advance_frame());
        let settled = simulation.state().x.clone();
        (0..20).for_each(|_| simulation.advance_frame());
        for (x, settled) in simulation.state().x.iter().zip(&settled) {
            assert!((x - settled).abs() < 1e-13, "{name} creeps from {settled} to {x}");
        }

        // a = g (sin θ - μ cos θ) = 10 (0.6 - 0.5 · 0.8).
        let mut simulation = on_incline(name, 0.5);
        let along = |values: &[f64]| 0.8 * values[0] - 0.6 * values[2];
        let start = along(&simulation.state().x);
        (0..10).for_each(|_| simulation.advance_frame());
        let distance = along(&simulation.state().x) - start;
        let speed = along(&simulation.state().v);
        assert!((distance - 1.0).abs() < 0.02, "{name}: {distance}");
        assert!((speed - 2.0).abs() < 0.03, "{name}: {speed}");
    }
}

#[test]
fn a_node_that_slides_off_a_ball_leaves_it_at_two_thirds_of_its_height() {
    for round in ["Sphere(center: (0, 0), radius: 1)", "Capsule(a: (0, 0), b: (0, -2), radius: 1)"]
    {
        // The other node falls next to it, on a spring with almost no force.
        let mut simulation = body(&format!(
            "gravity: (0, -10), frame_time: 1, substeps: 10000, colliders: [{round}],
             impulses: [(node: 0, impulse: (0.05, 0))],
             rope: (start: (0, 1.0000000001), end: (50, 1), nodes: 2, pins: [], stiffness: 1e-12)"
        ));
        let at = loop {
            simulation.step();
            let [x, y, _] = simulation.state().position(2, 0);
            assert!(y > 0.0, "it never leaves");
            if (x * x + y * y).sqrt() > 1.0 + 1e-9 {
                break y;
            }
        };
        // cos θ = (2 + v²/gr)/3.
        assert!((at - (2.0 + 0.0025 / 10.0) / 3.0).abs() < 2e-3, "{round}: {at}");
    }
}

#[test]
fn a_heap_on_the_ground_is_neither_in_the_ground_nor_in_itself() {
    for dt in [0.002_f64, 0.02, 0.5] {
        let stiffness = (0.2 / (dt * dt)).min(2000.0);
        let mut simulation = body(&format!(
            "gravity: (0, -10), drag: 0.05, frame_time: {dt:?}, substeps: 1,
             colliders: [Plane(point: (0, 0), normal: (0, 1), friction: 0.5),
                         Sphere(center: (0.4, 0), radius: 0.5, friction: 0.2)],
             contact: (radius: 0.05, thickness: 0.09, friction: 0.2),
             rope: (start: (0, 0.7), end: (0.1, 3.7), nodes: 31, pins: [], stiffness: {stiffness:?}, damping: 0.01)"
        ));
        let model = simulation.setup().model.clone();
        let mut start = simulation.state().clone();
        for step in 0..(6.0 / dt).clamp(100.0, 1500.0) as usize {
            simulation.step();
            let end = simulation.state();
            for i in 0..31 {
                for collider in &simulation.setup().contacts.colliders {
                    let gap = collider.distance(end.position(31, i)).0 - 0.05;
                    assert!(gap >= 0.0, "dt = {dt}, step {step}, node {i}: {gap}");
                }
            }
            let minimum = closest(&model, end, end);
            assert!(minimum >= 0.09 - 1e-9, "dt = {dt}, step {step}: {minimum}");
            start.clone_from(end);
        }
        // The rope fell: the last node began at 3.7. A step of 0.5 equals a fall through half of
        // the rope, which may jam there.
        assert!(dt > 0.1 || start.x[61] < 1.5, "dt = {dt}: {}", start.x[61]);
    }
}

#[test]
fn colliders_that_cannot_be_are_refused() {
    for (collider, expected) in [
        ("Sphere(center: (0, 0), radius: 0)", "above 0"),
        ("Sphere(center: (0, 0), radius: -1)", "above 0"),
        ("Capsule(a: (0, 0), b: (1, 0), radius: 0)", "above 0"),
        ("Capsule(a: (0, 0), b: (1, 0), radius: 1, restitution: 1.5)", "from 0 to 1"),
        ("Sphere(center: (0, 0), radius: 1, friction: -1)", "at least 0"),
        ("Sphere(center: (0, 0, 0), radius: 1)", "planar"),
        ("Capsule(a: (0, 0), b: (1, 0, 0), radius: 1)", "planar"),
        ("Sphere(center: (0, 0))", "radius"),
        ("Sphere(center: (0, 200), radius: 1)", "starts inside"),
    ] {
        let text = format!("Scene(base: (rope: (pins: []), colliders: [{collider}]))");
        let text = SceneText { origin: "test".into(), name: "test".into(), text };
        let message = load(&text, &[]).err().unwrap().to_string();
        assert!(message.contains(expected), "{collider}: {message}");
    }
}
