//! Contacts: nothing passes through anything, and no contact makes energy.

use crate::scene_of;
use catena::scene::{SceneText, load};
use catena::sim::{
    Arrangement, Collider, Meter, Model, Simulation, SpringMemory, State,
    contact::{
        Contacts, SelfContact,
        collider::{Surface, read},
    },
    method::METHODS,
};
use std::sync::Arc;

/// A simulation of the body with these settings.
fn body(settings: &str) -> Simulation {
    let scene = scene_of(&format!("Scene(base: ({settings}))"));
    Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup))
}

fn collider(text: &str) -> Arc<dyn Collider> {
    let (name, options) = text.split_at(text.find('(').unwrap());
    read(name, &mut ron::Deserializer::from_str(options).unwrap()).unwrap().unwrap().into()
}

/// Numbers from -1 to 1 by a linear congruential generator (Knuth's MMIX).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn many(&mut self, count: usize, scale: f64) -> Vec<f64> {
        (0..count).map(|_| scale * self.next()).collect()
    }
}

/// Nodes without springs.
fn cloud(axes: usize, mass: Vec<f64>) -> Model {
    Model {
        axes,
        pinned: vec![false; mass.len()],
        mass,
        springs: Vec::new(),
        structural: 0,
        held: 0,
        arrangement: Arrangement::Chain,
    }
}

fn kinetic(model: &Model, state: &State) -> f64 {
    let n = model.nodes();
    state.v.iter().enumerate().map(|(k, v)| 0.5 * model.mass[k % n] * v * v).sum()
}

/// Σ m a by axis.
fn moment(model: &Model, a: &[f64]) -> Vec<f64> {
    let sum = |axis: &[f64]| axis.iter().zip(&model.mass).map(|(a, m)| a * m).sum();
    a.chunks_exact(model.nodes()).map(sum).collect()
}

fn between(state: &State, n: usize, i: usize, j: usize) -> [f64; 3] {
    let (a, b) = (state.position(n, i), state.position(n, j));
    [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| a[k] * b[k]).sum()
}

/// The least distance of two nodes that no spring joins, on straight ways from one state to another.
fn closest(model: &Model, start: &State, end: &State) -> f64 {
    let n = model.nodes();
    let mut least = f64::INFINITY;
    for (i, j) in (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))) {
        if model.held().iter().any(|spring| (spring.a, spring.b) == (i, j)) {
            continue;
        }
        let (from, to) = (between(start, n, i, j), between(end, n, i, j));
        let way = [0, 1, 2].map(|k| to[k] - from[k]);
        let share = (-dot(from, way) / dot(way, way).max(1e-300)).clamp(0.0, 1.0);
        let near = [0, 1, 2].map(|k| from[k] + share * way[k]);
        least = least.min(dot(near, near).sqrt()).min(dot(to, to).sqrt());
    }
    least
}

fn bits(state: &State) -> Vec<u64> {
    state.x.iter().chain(&state.v).map(|value| value.to_bits()).collect()
}

/// Resolves the contacts of one step of a body whose springs are as new: the nodes that it moved.
fn resolve(contacts: &Contacts, model: &Model, start: &State, end: &mut State) -> Vec<usize> {
    let (body, mut displaced) = ((model, &SpringMemory::default()), Vec::new());
    contacts.resolve(body, start, end, &mut displaced, &Meter::default());
    displaced
}

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

#[test]
fn nothing_ends_inside_of_a_collider_and_no_contact_makes_energy() {
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
    let mut random = Random(1);
    for (axes, radius, texts) in SETS {
        let colliders = texts.iter().map(|text| collider(text)).collect();
        let contacts = Contacts { colliders, radius: *radius, own: None };
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
            // Looked at in a thousand points, where the way is not too long for that.
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

/// A rope along an incline of 3 in 4, just above it.
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
        let way = along(&simulation.state().x) - start;
        let speed = along(&simulation.state().v);
        assert!((way - 1.0).abs() < 0.02, "{name}: {way}");
        assert!((speed - 2.0).abs() < 0.03, "{name}: {speed}");
    }
}

#[test]
fn a_node_that_slides_off_a_ball_leaves_it_at_two_thirds_of_its_height() {
    for round in ["Sphere(center: (0, 0), radius: 1)", "Capsule(a: (0, 0), b: (0, -2), radius: 1)"]
    {
        // The other node falls beside it, on a spring that is all but none.
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
fn a_dropped_rope_comes_to_rest_on_the_ground_whatever_the_method() {
    for method in METHODS {
        let mut simulation = body(&format!(
            "gravity: (0, -10), drag: 0.3, frame_time: 0.1, substeps: 20, integrator: {},
             colliders: [Plane(point: (0, 0), normal: (0, 1), friction: 0.5, restitution: 0.3)],
             contact: (radius: 0.05),
             rope: (start: (0, 0.5), end: (3, 1), nodes: 7, pins: [], stiffness: 500, damping: 0.5)",
            method.name
        ));
        let lowest = |simulation: &Simulation| {
            simulation.state().x[7..].iter().copied().fold(f64::INFINITY, f64::min)
        };
        for _ in 0..2000 {
            simulation.step();
            assert!(lowest(&simulation) >= 0.05, "{}", method.name);
        }
        if method.limit == Some(0.0) {
            continue;
        }
        let before = simulation.state().x.clone();
        (0..200).for_each(|_| simulation.step());
        let State { x, v, .. } = simulation.state();
        let moved = x.iter().zip(&before).map(|(x, before)| (x - before).abs());
        let moved = moved.fold(0.0, f64::max);
        let fastest = v.iter().map(|v| v.abs()).fold(0.0, f64::max);
        // A step's gravity is 0.05.
        assert!(moved < 1e-3 && fastest < 0.11, "{}: {moved} {fastest}", method.name);
        assert!(x[7..].iter().all(|y| *y < 0.06), "{}: {x:?}", method.name);
    }
}

/// Nodes of different masses on a grid of unit cells, moved a little.
fn scattered(random: &mut Random, axes: usize, side: usize) -> (Model, State) {
    let count = (0..axes).fold(1, |count, _| count * side);
    let model = cloud(axes, (0..count).map(|_| 1.5 + random.next()).collect());
    let at = |axis: usize, i: usize| (0..axis).fold(i, |i, _| i / side) % side;
    let x = (0..axes)
        .flat_map(|axis| (0..count).map(move |i| at(axis, i) as f64))
        .map(|x| x + 0.2 * random.next())
        .collect();
    (model, State::at_rest(x))
}

#[test]
fn nodes_that_meet_keep_their_distance_and_their_momentum() {
    let mut random = Random(7);
    for (axes, side, restitution, friction) in
        [(2, 8, 0.0, 0.0), (2, 9, 0.9, 0.3), (3, 4, 0.5, 0.0), (3, 5, 1.0, 1.0)]
    {
        for far in [0.05, 0.5, 5.0, 1e4] {
            let surface = Surface { restitution, friction };
            let own = Some(SelfContact { thickness: 0.55, surface });
            let contacts = Contacts { own, ..Contacts::default() };
            let (model, mut start) = scattered(&mut random, axes, side);
            start.v = random.many(start.x.len(), far);
            let mut end = start.clone();
            end.x.iter_mut().zip(&start.v).for_each(|(x, v)| *x += v);
            let wanted = end.clone();
            let displaced = resolve(&contacts, &model, &start, &mut end);
            let case = format!("{axes} axes, e = {restitution}, {far}");
            assert!(displaced.len() > 1 || far < 0.1, "{case}");
            let (needs, has) = (closest(&model, &start, &wanted), closest(&model, &start, &end));
            assert!(needs < 0.5 || far < 0.1, "{case}: nothing to do");
            assert!(has >= 0.55 - 1e-9, "{case}: {has}");
            let (before, after) = (kinetic(&model, &wanted), kinetic(&model, &end));
            assert!(after <= before * (1.0 + 1e-12), "{case}: {before} {after}");
            let scale = model.nodes() as f64 * 2.5 * far;
            for (a, b) in [(&wanted.v, &end.v), (&wanted.x, &end.x)] {
                for (a, b) in moment(&model, a).iter().zip(&moment(&model, b)) {
                    assert!((a - b).abs() < 1e-10 * scale.max(1.0), "{case}: {a} {b}");
                }
            }
        }
    }
}

#[test]
fn two_nodes_that_meet_head_on_rebound() {
    // Masses 1 and 3 at speeds 2 and -1: the mean is -0.25, and half of the relative speed of 3 comes back.
    let own = SelfContact { thickness: 0.5, surface: Surface { restitution: 0.5, friction: 0.0 } };
    let contacts = Contacts { own: Some(own), ..Contacts::default() };
    let model = cloud(2, vec![1.0, 3.0]);
    let start = State { t: 0.0, x: vec![0.0, 1.0, 0.0, 0.0], v: vec![2.0, -1.0, 0.0, 0.0] };
    let mut end = State { x: vec![2.0, 0.0, 0.0, 0.0], ..start.clone() };
    resolve(&contacts, &model, &start, &mut end);
    let (mean, relative) = (-0.25, 1.5);
    assert!((end.v[0] - (mean - 0.75 * relative)).abs() < 1e-12, "{:?}", end.v);
    assert!((end.v[1] - (mean + 0.25 * relative)).abs() < 1e-12, "{:?}", end.v);
    assert!((0.5..=0.505 + 1e-9).contains(&(end.x[1] - end.x[0])), "{:?}", end.x);
}

#[test]
fn pinned_nodes_do_not_give_way_and_a_tight_start_does_not_burst() {
    let own = SelfContact { thickness: 0.9, surface: Surface { restitution: 0.5, friction: 0.2 } };
    let contacts = Contacts { own: Some(own), ..Contacts::default() };
    let mut random = Random(3);
    for far in [0.3, 3.0, 300.0] {
        // Cells of 1 with nodes moved by up to 0.2: many begin closer than 0.9.
        let (mut model, mut start) = scattered(&mut random, 2, 7);
        (0..49).step_by(6).for_each(|i| model.pinned[i] = true);
        start.v = random.many(98, far);
        (0..98).filter(|k| model.pinned[k % 49]).for_each(|k| start.v[k] = 0.0);
        let mut end = start.clone();
        end.x.iter_mut().zip(&start.v).for_each(|(x, v)| *x += v);
        let wanted = end.clone();
        let tightest = closest(&model, &start, &start);
        assert!(tightest < 0.8);
        resolve(&contacts, &model, &start, &mut end);
        assert!(closest(&model, &start, &end) >= tightest - 1e-9, "{far}");
        assert!(kinetic(&model, &end) <= kinetic(&model, &wanted) * (1.0 + 1e-12), "{far}");
        for k in (0..98).filter(|k| model.pinned[k % 49]) {
            assert_eq!((end.x[k], end.v[k]), (start.x[k], 0.0));
        }
    }
}

/// A rope whose halves are thrown at each other, its ends first.
fn thrown(method: &str, dt: f64, contact: &str) -> Simulation {
    let stiffness = (0.2 / (dt * dt)).min(100.0);
    let mut simulation = body(&format!(
        "gravity: (0, 0), frame_time: {dt:?}, substeps: 1, integrator: {method}, contact: ({contact}),
         rope: (start: (-10, 0), end: (10, 0), nodes: 21, pins: [], stiffness: {stiffness:?})"
    ));
    let mut checkpoint = simulation.checkpoint();
    let mut random = Random(5);
    for i in 0..21 {
        let s = (i as f64 - 10.0) / 10.0;
        checkpoint.state.v[i] = -8.0 * s + random.next();
        checkpoint.state.v[21 + i] = 3.0 * s * s + random.next();
    }
    simulation.restore(&checkpoint);
    simulation
}

#[test]
fn a_rope_thrown_at_itself_keeps_its_thickness_at_any_step() {
    for (method, dt) in ["SemiImplicitEuler", "VelocityVerlet", "Rk4"]
        .into_iter()
        .flat_map(|method| [0.003, 0.02, 0.1, 1.0, 10.0, 1e4].map(|dt| (method, dt)))
    {
        let contact = "thickness: 0.8, restitution: 0.3, friction: 0.2";
        let mut simulation = thrown(method, dt, contact);
        let mut free = thrown(method, dt, "");
        let model = simulation.setup().model.clone();
        let (mut met, mut start) = (false, simulation.state().clone());
        let mut free_start = start.clone();
        let steps = (10.0 / dt).clamp(40.0, 1200.0) as usize;
        for step in 0..steps {
            simulation.step();
            free.step();
            met |= closest(&model, &free_start, free.state()) < 0.7;
            free_start.clone_from(free.state());
            let end = simulation.state();
            assert!(end.is_finite());
            let least = closest(&model, &start, end);
            assert!(least >= 0.8 - 1e-9, "{method}, dt = {dt}, step {step}: {least}");
            start.clone_from(end);
        }
        assert!(met, "{method}, dt = {dt}: without contact nothing would meet");
    }
}

/// Momentum over mass, axis by axis, of a rope whose nodes are all of one mass.
fn momentum(state: &State) -> [f64; 2] {
    let (x, y) = state.v.split_at(state.v.len() / 2);
    [x.iter().sum(), y.iter().sum()]
}

#[test]
fn meeting_itself_changes_no_momentum_whatever_the_method() {
    for method in METHODS {
        let mut simulation = thrown(method.name, 0.003, "thickness: 0.8, restitution: 0.3");
        // Methods that start from two positions have rounded the first velocity.
        simulation.step();
        let before = momentum(simulation.state());
        (0..600).for_each(|_| simulation.step());
        let after = momentum(simulation.state());
        for axis in 0..2 {
            let change = (after[axis] - before[axis]).abs();
            assert!(change < 1e-6, "{}: {before:?} {after:?}", method.name);
        }
    }
}

#[test]
fn bouncing_makes_no_energy_whatever_the_method() {
    for method in METHODS.iter().filter(|method| method.limit != Some(0.0)) {
        let mut simulation = body(&format!(
            "gravity: (0, -10), frame_time: 0.02, substeps: 40, integrator: {},
             colliders: [Plane(point: (0, 0), normal: (0, 1), restitution: 0.5, friction: 0.3)],
             rope: (start: (0, 0.75), end: (1.5, 1.2), nodes: 11, mass: 0.1, pins: [])",
            method.name
        ));
        // Without the springs' share, which is never below 0.
        let energy = |simulation: &Simulation| {
            let (model, state) = (&simulation.setup().model, simulation.state());
            let height: f64 = state.x[model.nodes()..].iter().sum();
            kinetic(model, state) + 0.1 * 10.0 * height
        };
        let start = energy(&simulation);
        for step in 0..4000 {
            simulation.step();
            let now = energy(&simulation);
            assert!(now < 1.02 * start, "{}, step {step}: {start} to {now}", method.name);
        }
    }
}

#[test]
fn an_impulse_of_nothing_changes_little() {
    for method in METHODS {
        let run = |impulses: &str| {
            let mut simulation =
                body(&format!("substeps: 64, integrator: {}, impulses: [{impulses}]", method.name));
            (0..40 * 64).for_each(|_| simulation.step());
            simulation.state().x.clone()
        };
        let (alone, pushed) = (run(""), run("(node: 7, at: 20, impulse: (0, 0))"));
        let apart = alone.iter().zip(&pushed).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        // Methods with a memory start anew, which is an error of their order in one step.
        assert!(apart < 1e-2 || method.limit == Some(0.0), "{}: {apart}", method.name);
    }
}

#[test]
fn contacts_give_the_same_bits_twice_and_after_a_break() {
    for method in METHODS {
        let new = || {
            body(&format!(
                "gravity: (0, -10), frame_time: 0.1, substeps: 20, integrator: {}, drag: 0.1,
                 colliders: [Plane(point: (0, 0), normal: (0.1, 1), friction: 0.3, restitution: 0.4),
                             Sphere(center: (0, 0), radius: 1)],
                 contact: (thickness: 0.2, friction: 0.1),
                 rope: (start: (0, 1.5), end: (0.3, 4), nodes: 9, pins: [])",
                method.name
            ))
        };
        let (mut one, mut two) = (new(), new());
        for _ in 0..30 {
            let checkpoint = one.checkpoint();
            one.advance_frame();
            two = {
                let mut resumed = new();
                resumed.restore(&checkpoint);
                drop(two);
                resumed
            };
            two.advance_frame();
            assert_eq!(bits(one.state()), bits(two.state()), "{}", method.name);
        }
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
            let least = closest(&model, end, end);
            assert!(least >= 0.09 - 1e-9, "dt = {dt}, step {step}: {least}");
            start.clone_from(end);
        }
        // It fell: the last node began at 3.7. A step of 0.5 is that of a fall through half of the rope; there it may jam.
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
        ("Sphere(center: (0, 200), radius: 1)", "begins inside"),
    ] {
        let text = format!("Scene(base: (rope: (pins: []), colliders: [{collider}]))");
        let text = SceneText { origin: "test".into(), name: "test".into(), text };
        let message = load(&text, &[]).err().unwrap().to_string();
        assert!(message.contains(expected), "{collider}: {message}");
    }
}
