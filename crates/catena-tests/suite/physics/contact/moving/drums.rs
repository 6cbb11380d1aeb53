//! Drums that rotate below drawn shapes: a body that rotates with its drum does not slip.

use super::{at, steady};
use catena_sim::contact::collider::{Moving, Sphere, Surface};
use catena_sim::contact::{DrawnContact, PartContact};
use catena_sim::drive::motion::Travel;
use catena_sim::method::ImplicitEuler;
use catena_sim::{
    Arrangement, Curve, Form, Model, Part, Setup, SetupBuilder, Simulation, Spring, State,
};
use std::f64::consts::{FRAC_PI_2, PI};

const RADIUS: f64 = 0.2;
const FRICTION: f64 = 0.4;

/// A rotating point on a circle around the origin.
#[derive(Debug)]
struct Circle {
    radius: f64,
    angle: f64,
    rate: f64,
}
catena_sim::identity!(Circle { radius, angle, rate });

impl Curve for Circle {
    fn info(&self) -> catena_sim::named::Info {
        catena_sim::named::Info { name: "Circle", summary: "", options: &[] }
    }

    fn check(&self) -> Result<(), catena_sim::named::BadOption> {
        Ok(())
    }

    fn fits(&self, _axes: usize, _nodes: usize) -> Result<(), catena_sim::named::BadOption> {
        Ok(())
    }

    fn at(&self, t: f64) -> ([f64; 3], [f64; 3]) {
        let (s, c) = libm::sincos(self.angle + self.rate * t);
        let speed = self.radius * self.rate;
        ([self.radius * c, self.radius * s, 0.0], [-speed * s, speed * c, 0.0])
    }

    fn places(&self) -> Vec<(f64, [f64; 3])> {
        vec![(-1e6, self.at(0.0).0), (1e6, self.at(0.0).0)]
    }
}

fn on_circle(radius: f64, angle: f64) -> [f64; 3] {
    let (s, c) = libm::sincos(angle);
    [radius * c, radius * s, 0.0]
}

/// A drum around a point.
fn drum(center: [f64; 3], rate: f64) -> Moving {
    let ball =
        Sphere { center: at([0.0; 3], 2), radius: RADIUS, restitution: 0.0, friction: FRICTION };
    let turn = steady([0.0; 3], [0.0; 3], 2, [0.0, 0.0, rate]).turn;
    Moving::new(ball, Travel { turn, ..steady(center, [0.0; 3], 2, [0.0; 3]) })
}

/// A rope through points with these pins and springs shortened by a fraction; `last` is the mass of
/// its last node.
fn rope(
    points: &[[f64; 3]],
    pins: &[usize],
    (is_closed, thickness): (bool, f64),
    (stiffness, shortened): (f64, f64),
    last: f64,
) -> SetupBuilder {
    let n = points.len();
    let mut model = Model { axes: 2, arrangement: Arrangement::Parts, ..Model::default() };
    model.mass = vec![0.002; n];
    model.mass[n - 1] = last;
    model.pinned = (0..n).map(|i| pins.contains(&i)).collect();
    for i in 0..n - usize::from(!is_closed) {
        let (a, b) = (i, (i + 1) % n);
        let d = [0, 1].map(|k| points[b][k] - points[a][k]);
        let rest_length = (1.0 - shortened) * (d[0] * d[0] + d[1] * d[1]).sqrt();
        model.springs.push(Spring { a, b, stiffness, rest_length });
    }
    (model.structural, model.held) = (model.springs.len(), model.springs.len());
    let springs = (0..model.springs.len()).collect();
    let form = Form::Rope { closed: is_closed };
    model.parts.push(Part { name: String::new(), form, nodes: (0..n).collect(), springs });
    let x = (0..2).flat_map(|k| points.iter().map(move |point| point[k])).collect();
    let surface = Surface { restitution: 0.0, friction: FRICTION };
    let contact = DrawnContact { parts: vec![PartContact { thickness, surface }] };
    Setup::of_body(model, State::at_rest(x)).drawn_contact(contact).method(ImplicitEuler::default())
}

fn tensions(run: &Simulation) -> Vec<f64> {
    let model = &run.setup().model;
    let of = |s: &Spring| s.stiffness * (model.span(&run.state().x, s).1 - s.rest_length);
    model.springs.iter().map(of).collect()
}

#[test]
fn a_belt_runs_as_fast_as_its_middle_line_turns() {
    let (thickness, rate, half) = (0.04, 2.0, 0.4);
    let around = RADIUS + 0.5 * thickness + 4e-4;
    let side =
        |from: f64, y: f64| (0..48).map(move |i| [from * (1.0 - f64::from(i) / 24.0), y, 0.0]);
    let end = |x: f64, begin: f64| {
        (0..40).map(move |i| {
            let [a, b, _] = on_circle(around, begin + PI * f64::from(i) / 40.0);
            [x + a, b, 0.0]
        })
    };
    let points: Vec<[f64; 3]> = end(half, -FRAC_PI_2)
        .chain(side(half, around))
        .chain(end(-half, FRAC_PI_2))
        .chain(side(-half, -around))
        .collect();
    let setup = rope(&points, &[], (true, thickness), (4e3, 0.005), 0.002).spring_damping(0.2);
    let setup =
        setup.collider(drum([half, 0.0, 0.0], rate)).collider(drum([-half, 0.0, 0.0], rate));
    let mut run = Simulation::new(setup.frames(1.0 / 60.0, 32).build().unwrap());
    (0..60).for_each(|_| run.advance_frame());
    let speed = |i: usize| run.velocity(i).map(|[x, y, _]| (x * x + y * y).sqrt()).unwrap();
    let mean = (0..points.len()).map(speed).sum::<f64>() / points.len() as f64;
    let expected = rate * (RADIUS + 0.5 * thickness);
    assert!((mean / expected - 1.0).abs() < 0.01, "{mean}, not {expected}");
}

#[test]
fn what_turns_with_a_drum_keeps_its_tension() {
    let (thickness, rate, begin, sweep) = (0.02, 1.0, -0.2, PI + 0.4);
    let around = RADIUS + 0.5 * thickness + 1.2e-3;
    let points: Vec<[f64; 3]> =
        (0..33).map(|i| on_circle(around, begin + sweep * f64::from(i) / 32.0)).collect();
    let mut setup =
        rope(&points, &[0, 32], (false, thickness), (2e3, 0.02), 0.002).spring_damping(0.2);
    for (i, [x, y, _]) in points.iter().enumerate() {
        setup = setup.velocity(i, vec![-rate * y, rate * x]);
    }
    for (node, angle) in [(0, begin), (32, begin + sweep)] {
        setup = setup.anchor(node, Circle { radius: around, angle, rate });
    }
    let setup = setup.collider(drum([0.0; 3], rate)).frames(1.0 / 60.0, 32);
    let mut run = Simulation::new(setup.build().unwrap());
    (0..60).for_each(|_| run.advance_frame());
    let begun = tensions(&run);
    (0..60).for_each(|_| run.advance_frame());
    for (now, begun) in tensions(&run).into_iter().zip(begun) {
        assert!(begun > 0.0 && (now / begun - 1.0).abs() < 1e-4, "{begun} became {now}");
    }
}

#[test]
fn a_winch_pulls_no_harder_than_its_load() {
    let (thickness, rate, load) = (0.02, 0.5, 2.0);
    let around = RADIUS + 0.5 * thickness + 1e-3;
    let spacing = around * FRAC_PI_2 / 16.0;
    let wound = (0..17).map(|i| on_circle(around, FRAC_PI_2 * (1.0 - f64::from(i) / 16.0)));
    let hangs = (1..50).map(|i| [around, -spacing * f64::from(i), 0.0]);
    let points: Vec<[f64; 3]> = wound.chain(hangs).collect();
    let n = points.len();
    // Springs begin at the length to which the load stretches them.
    let setup = rope(&points, &[0], (false, thickness), (4e4, load * 9.81 / 4e4 / spacing), load);
    let mut setup = setup.spring_damping(20.0).gravity([0.0, -9.81]);
    for (i, [x, y, _]) in points.iter().enumerate() {
        let v = if i < 17 { [-rate * y, rate * x] } else { [0.0, rate * around] };
        setup = setup.velocity(i, v.to_vec());
    }
    let setup = setup.anchor(0, Circle { radius: around, angle: FRAC_PI_2, rate });
    let setup = setup.collider(drum([0.0; 3], rate)).frames(1.0 / 60.0, 64);
    let mut run = Simulation::new(setup.build().unwrap());
    let begun = run.position(n - 1).unwrap()[1];
    let mut maximum = 0.0_f64;
    for frame in 0..90 {
        run.advance_frame();
        if frame >= 30 {
            maximum = tensions(&run).into_iter().fold(maximum, f64::max);
        }
    }
    let weight = load * 9.81;
    assert!(maximum < 1.5 * weight, "{maximum} for a load of {weight}");
    let risen = run.position(n - 1).unwrap()[1] - begun;
    let expected = 1.5 * rate * around;
    assert!((risen / expected - 1.0).abs() < 0.05, "{risen}, not {expected}");
}
