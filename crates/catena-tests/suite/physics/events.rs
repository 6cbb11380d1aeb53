//! Events: their effects, momentum and energy across them, and equal continuation from a
//! checkpoint.

use catena::sim::{
    Cloth, Method, Rope, Setup, SetupBuilder, Simulation,
    body::measure,
    drive::{
        Event,
        curve::Linear,
        event::{
            action::{Cut, Gravity, Impulse, Join, Pin, Release, Wind},
            condition::{Distance, Length, Tension},
        },
    },
    method::{self, ConstraintVerlet, METHOD_NAMES, VelocityVerlet},
    run::batch::Batch,
    vector::norm,
};
use std::sync::Arc;

const G: [f64; 2] = [0.3, -1.0];

/// A rope of eight nodes that hangs between its ends, with drag in still air if `drag` is not 0.
fn rope(method: Arc<dyn Method>, drag: f64) -> SetupBuilder {
    let rope = Rope::new([0.0, 0.0], [1.4, 0.0], 8).of(0.5, 200.0).pin(0).pin(7).bending(2.0);
    Setup::new(&rope).gravity(G).drag(drag).method_of(method).frames(0.02, 1)
}

fn methods() -> impl Iterator<Item = (&'static str, Arc<dyn Method>)> {
    METHOD_NAMES.iter().map(|name| (*name, method::with_defaults(name).unwrap()))
}

/// One event of every kind, some with conditions.
fn all_kinds() -> Vec<Event> {
    let join = Join { a: 0, b: 3, stiffness: Some(30.0), length: None };
    vec![
        Event::at(0.05, Release { node: 7 }),
        Event::when(Length::above(1.405), Cut::between(4, 5)),
        Event::at(0.11, join),
        Event::at(0.15, Gravity { acceleration: [0.0, -2.0].into() }),
        Event::at(0.15, Impulse { node: 2, impulse: [0.2, 0.1].into() }),
        Event::at(0.2, Wind { velocity: [1.0, 0.0].into() }),
        Event::at(0.25, Pin { node: 5 }),
        Event::when(
            Distance { a: 0, b: 7, above: Some(1.41), below: None },
            Impulse { node: 6, impulse: [0.0, 0.3].into() },
        ),
    ]
}

fn center(run: &Simulation, nodes: std::ops::Range<usize>) -> [f64; 2] {
    let (n, state) = (run.setup().model.nodes(), run.state());
    [0, 1]
        .map(|axis| nodes.clone().map(|i| state.x[axis * n + i]).sum::<f64>() / nodes.len() as f64)
}

#[test]
fn a_released_rope_and_both_parts_of_a_cut_one_fall_as_their_method_falls() {
    for (name, method) in methods() {
        let events = [
            Event::at(0.1, Release { node: 0 }),
            Event::at(0.1, Release { node: 7 }),
            Event::at(0.4, Cut::between(2, 3)),
        ];
        let mut run = Simulation::new(rope(method, 0.0).events(events).check().unwrap());
        let mut at = Vec::new();
        for _ in 0..60 {
            run.advance_frame();
            at.push([center(&run, 0..8), center(&run, 0..3), center(&run, 3..8)]);
        }
        assert_eq!(run.events().happened.len(), 3, "{name}");
        // X_n = X_0 + n (X_1 - X_0) + g dt² n (n - 1)/2 is every method's motion under a constant
        // acceleration, once the start of a multistep method is over.
        let parabola = |from: usize, to: usize, body: usize| {
            for axis in 0..2 {
                let x = |frame: usize| at[frame][body][axis];
                let n = (to - from) as f64;
                let fall = G[axis] * 4e-4 * n * (n - 1.0) / 2.0;
                let expected = x(from) + n * (x(from + 1) - x(from)) + fall;
                let off = (x(to) - expected).abs() / expected.abs().max(1.0);
                assert!(off < 1e-12, "{name}, {body} from {from} to {to}: off by {off:e}");
            }
        };
        // Its start takes another kind of step, and the event at 0.4 restarts it.
        let across = if name.starts_with("LectureAdamsBashforth") { 19 } else { 59 };
        parabola(9, across, 0);
        [0, 1, 2].iter().for_each(|body| parabola(24, 59, *body));
    }
}

#[test]
fn a_run_with_events_goes_on_from_a_checkpoint_bit_for_bit() {
    for (name, method) in methods() {
        let setup = rope(method, 0.1).events(all_kinds()).check().unwrap();
        let mut whole = Simulation::new(Arc::clone(&setup));
        let mut checkpoints = vec![whole.checkpoint()];
        for _ in 0..20 {
            whole.advance_frame();
            checkpoints.push(whole.checkpoint());
        }
        let end = whole.checkpoint();
        assert!(whole.state().is_finite(), "{name}");
        // PBD and related methods may prevent the length condition; all other events happen with
        // every method.
        assert!(end.events.happened.len() >= 6, "{name}: {:?}", end.events.happened);
        for (frame, checkpoint) in checkpoints.iter().enumerate() {
            let mut resumed = Simulation::new(Arc::clone(&setup));
            resumed.restore(checkpoint);
            assert_eq!(resumed.checkpoint(), *checkpoint, "{name} at {frame}");
            (frame..20).for_each(|_| resumed.advance_frame());
            assert_eq!(resumed.checkpoint(), end, "{name} from {frame}");
        }
        // Goes back in one simulation, across events.
        whole.restore(&checkpoints[0]);
        (0..20).for_each(|_| whole.advance_frame());
        assert_eq!(whole.checkpoint(), end, "{name} from the start");
        let mut broken = checkpoints[20].clone();
        broken.events.happened[0].event = 99;
        assert!(!whole.fits(&broken));
    }
}

#[test]
fn side_by_side_and_with_a_ledger_runs_with_events_have_the_same_bits() {
    let make = |with_events: bool| {
        let events = if with_events { all_kinds() } else { Vec::new() };
        let rope = Rope::new([0.0, 0.0], [1.4, 0.0], 8).of(0.5, 200.0).pin(0).pin(7);
        let builder = Setup::new(&rope).gravity(G).method(ConstraintVerlet::default());
        let drag = if with_events { 0.1 } else { 0.0 };
        Simulation::new(builder.drag(drag).frames(0.02, 8).events(events).check().unwrap())
    };
    let mut together: Vec<Simulation> = (0..12).map(|index| make(index == 5)).collect();
    let mut batch = Batch::default();
    let mut in_lanes = 0;
    (0..20).for_each(|_| in_lanes = batch.advance_frames(&mut together));
    assert_eq!(in_lanes, 11, "those without events keep their lanes");
    let (mut alone, mut booked) = (make(true), make(true));
    booked.keep_ledger();
    for _ in 0..20 {
        alone.advance_frame();
        booked.advance_frame();
    }
    assert_eq!(alone.checkpoint(), together[5].checkpoint());
    assert_eq!(alone.state(), booked.state());
    assert!(alone.events().happened.len() >= 6);
}

#[test]
fn the_ledger_closes_across_events_in_every_method() {
    for (name, method) in methods() {
        let setup = rope(method, 0.1).events(all_kinds()).check().unwrap();
        let mut run = Simulation::new(setup);
        run.keep_ledger();
        for _ in 0..20 {
            run.advance_frame();
            let frame = run.ledger().unwrap().frame;
            let off = frame.residual().abs() / frame.turned_over;
            assert!(off < 1e-12, "{name}: {off:e}");
        }
    }
}

#[test]
fn accounts_of_events_have_what_events_bring() {
    let pair = |event: Event| {
        let rope = Rope::new([0.0, 0.0], [1.0, 0.0], 2).of(2.0, 10.0).pin(0);
        let builder = Setup::new(&rope).velocity(1, [3.0, 0.0]).method(VelocityVerlet::default());
        let setup = builder.gravity([0.0, -1.0]).drag(1e-9).frames(0.1, 10).event(event);
        let mut run = Simulation::new(setup.check().unwrap());
        run.keep_ledger();
        run.advance_frame();
        let before = run.state().clone();
        run.advance_frame();
        (run, before)
    };
    // A stretched spring is cut: its stored energy is booked as yielding.
    let (run, _) = pair(Event::at(0.2, Cut::between(0, 1)));
    let gains = run.ledger().unwrap().run.gains;
    let whole = pair(Event::at(9.0, Cut::between(0, 1))).0;
    let stored = whole.ledger().unwrap().run.end.elastic;
    assert!(stored > 0.9 && (gains.yielding + stored).abs() < 1e-12, "{gains:?}, {stored}");
    assert_eq!((gains.external, run.ledger().unwrap().run.end.elastic), (0.0, 0.0));
    // A pin removes all kinetic energy.
    let (run, _) = pair(Event::at(0.2, Pin { node: 1 }));
    assert_eq!(measure::kinetic_energy(&run.setup().model, run.state()), 0.0);
    assert!(run.ledger().unwrap().run.gains.anchors < -1.0);
    // A change of gravity changes the potential energy at once, by m (g' - g)·x from outside.
    let (run, _) = pair(Event::at(0.2, Gravity { acceleration: [-2.0, -1.0].into() }));
    let expected = 2.0 * 2.0 * run.state().x[1];
    let external = run.ledger().unwrap().run.gains.external;
    assert!((external - expected).abs() < 1e-12 * expected, "{external} {expected}");
    // An impulse: m ((v + J/m)² - v²)/2.
    let (run, _) = pair(Event::at(0.2, Impulse { node: 1, impulse: [0.0, 4.0].into() }));
    let v = run.state().v[3];
    let expected = (v * v - (v - 2.0) * (v - 2.0)) * 2.0 / 2.0;
    let external = run.ledger().unwrap().run.gains.external;
    assert!((external - expected).abs() < 1e-12 * expected.abs(), "{external} {expected}");
}

#[test]
fn events_happen_once_in_their_order_and_at_their_time() {
    let events = [
        Event::at(0.0, Release { node: 7 }),
        Event::at(0.05, Pin { node: 7 }),
        Event::at(0.05, Release { node: 7 }),
        Event::when(Distance { a: 0, b: 7, above: None, below: Some(1.38) }, Pin { node: 7 }),
        Event::when(Tension::above(0, 1.0), Impulse { node: 3, impulse: [0.0, 1.0].into() }),
        Event::when(Tension::above(0, 1e9), Release { node: 0 }),
    ];
    let setup = rope(Arc::new(VelocityVerlet::default()), 0.0).events(events).frames(0.02, 4);
    let mut run = Simulation::new(setup.check().unwrap());
    assert!(!run.setup().model.pinned[7], "at time 0 it belongs to the initial state");
    (0..80).for_each(|_| run.advance_frame());
    let happened = &run.events().happened;
    let steps: Vec<_> = happened.iter().map(|happened| (happened.event, happened.step)).collect();
    assert_eq!(&steps[..3], [(0, 0), (1, 10), (2, 10)], "{steps:?}");
    assert_eq!(steps.len(), 5, "{steps:?}");
    assert!(run.setup().model.pinned[7]);
    let place = happened.iter().find(|happened| happened.event == 3).unwrap().at.unwrap();
    assert_eq!(run.position(7), Some(place), "it is held where it was");
    assert_eq!(happened[0].nodes, [7]);
}

#[test]
fn a_pin_with_a_curve_follows_it_and_a_moving_pin_goes_on_with_its_velocity() {
    let keys =
        |x: f64| Linear { keys: vec![(0.0, [x, 0.0].into()), (10.0, [x + 5.0, 0.0].into())] };
    let setup = rope(Arc::new(VelocityVerlet::default()), 0.0)
        .anchor(7, keys(1.4))
        .anchor(3, keys(0.6))
        .event(Event::at(0.2, Pin { node: 3 }))
        .event(Event::at(0.4, Release { node: 7 }));
    let mut run = Simulation::new(setup.check().unwrap());
    (0..10).for_each(|_| run.advance_frame());
    assert_eq!(run.position(3), Some([0.6 + 0.1, 0.0, 0.0]));
    assert_eq!(run.velocity(3), Some([0.5, 0.0, 0.0]));
    (10..20).for_each(|_| run.advance_frame());
    assert_eq!(run.velocity(7), Some([0.5, 0.0, 0.0]));
    run.advance_frame();
    assert_ne!(run.velocity(7), Some([0.5, 0.0, 0.0]), "it is free");
}

#[test]
fn what_crosses_a_cut_goes_with_it() {
    let cloth = Cloth::new([0.0, 0.0], [2.0, 0.0], [0.0, -2.0], (3, 3)).pin(0);
    let broken = |cuts: &[(usize, usize)]| {
        let events = cuts.iter().map(|&(a, b)| Event::at(0.0, Cut::between(a, b)));
        let setup = Setup::new(&cloth).events(events).check().unwrap();
        let run = Simulation::new(setup);
        let model = &run.setup().model;
        let mut all: Vec<(usize, usize)> = (0..model.springs.len())
            .filter(|&j| run.springs().is_broken(j))
            .map(|j| (model.springs[j].a, model.springs[j].b))
            .collect();
        all.sort_unstable();
        all
    };
    // The bending spring over the cut is removed; a diagonal stays as long as another path connects
    // its nodes.
    assert_eq!(broken(&[(0, 1)]), [(0, 1), (0, 2)]);
    // Two adjacent cuts: the diagonals between them are removed, too.
    let across = [(0, 3), (0, 4), (0, 6), (1, 3), (1, 4), (1, 7)];
    assert_eq!(broken(&[(0, 3), (1, 4)]), across);
}

#[test]
fn joints_hold_what_they_join_in_every_method() {
    for (name, method) in methods() {
        let join = Join { a: 0, b: 7, stiffness: Some(20.0), length: Some(0.3) };
        let events = [Event::at(0.1, Release { node: 7 }), Event::at(0.1, join)];
        let setup = rope(method, 0.3).events(events).frames(0.02, 4).check().unwrap();
        let mut run = Simulation::new(setup);
        (0..400).for_each(|_| run.advance_frame());
        let distance = norm(run.position(7).unwrap());
        if name != "ExplicitEuler" {
            assert!(distance < 0.75, "{name}: {distance}");
            assert_eq!(run.outcome(), catena::sim::Outcome::Fine, "{name}");
        }
    }
}

/// Events, the field of the fault, and the required content of the message.
type Refused = (Vec<Event>, &'static str, &'static str);

fn refused_actions() -> Vec<Refused> {
    vec![
        (vec![Event::at(1.0, Release { node: 3 })], "events[0].do", "node 3 is not pinned"),
        (vec![Event::at(1.0, Pin { node: 0 })], "events[0].do", "node 0 is already pinned"),
        (vec![Event::at(1.0, Release { node: 8 })], "events[0].do.node", "a node of the body"),
        (vec![Event::at(f64::NAN, Release { node: 0 })], "events[0].at", "finite"),
        (vec![Event::at(1.0, Cut::between(1, 3))], "events[0].do", "no structural spring joins"),
        (vec![Event::at(1.0, Cut { a: None, b: None, spring: Some(7) })], "events[0].do", "0 to 6"),
        (
            vec![Event::at(1.0, Cut { a: Some(1), b: None, spring: None })],
            "events[0].do.spring",
            "",
        ),
        (
            vec![Event::at(2.0, Cut::between(1, 2)), Event::at(1.0, Cut::between(1, 2))],
            "events[0].do",
            "the spring is already cut",
        ),
        (
            vec![Event::at(1.0, Pin { node: 4 }), Event::at(1.0, Pin { node: 4 })],
            "events[1].do",
            "already pinned",
        ),
        (
            vec![Event::at(1.0, Impulse { node: 0, impulse: [1.0, 0.0].into() })],
            "events[0].do",
            "is pinned",
        ),
        (
            vec![Event::at(1.0, Impulse { node: 1, impulse: [1.0, 0.0, 2.0].into() })],
            "events[0].do.impulse",
            "two components",
        ),
        (
            vec![Event::at(1.0, Wind { velocity: [1.0, 0.0].into() })],
            "events[0].do",
            "without drag",
        ),
    ]
}

fn refused_joints_and_conditions() -> Vec<Refused> {
    vec![
        (
            vec![Event::at(1.0, Join { a: 1, b: 1, stiffness: None, length: None })],
            "events[0].do.b",
            "",
        ),
        (
            vec![Event::at(1.0, Join { a: 1, b: 2, stiffness: Some(0.0), length: None })],
            "events[0].do.stiffness",
            "above 0",
        ),
        (
            vec![Event::when(Tension::above(9, 1.0), Release { node: 0 })],
            "events[0].when",
            "0 to 6",
        ),
        (
            vec![Event::when(Length::above(f64::NAN), Release { node: 0 })],
            "events[0].when.above",
            "finite",
        ),
        (
            vec![Event::when(
                Distance { a: 0, b: 7, above: Some(1.0), below: Some(2.0) },
                Release { node: 0 },
            )],
            "events[0].when.below",
            "one of",
        ),
    ]
}

#[test]
fn events_that_cannot_happen_are_refused_with_their_place() {
    for (events, field, words) in [refused_actions(), refused_joints_and_conditions()].concat() {
        let what = format!("{events:?}");
        let bad =
            rope(Arc::new(VelocityVerlet::default()), 0.0).events(events).check().unwrap_err();
        assert_eq!(bad.field, field, "{what}: {bad}");
        assert!(bad.message.contains(words), "{what}: {bad}");
    }
    for method in METHOD_NAMES {
        let waits = Event::when(Tension::above(1, 1.0), Release { node: 0 });
        let method: Arc<dyn Method> = method::with_defaults(method).unwrap();
        rope(method, 0.0).event(waits).check().unwrap();
    }
}

#[test]
fn what_only_a_run_can_tell_is_a_note_and_nothing_happens_twice() {
    // Facts that are known only during the run are notes of the run.
    let events =
        [Event::when(Length::above(0.1), Release { node: 0 }), Event::at(0.5, Release { node: 0 })];
    let setup = rope(Arc::new(VelocityVerlet::default()), 0.0).events(events).check().unwrap();
    let mut run = Simulation::new(setup);
    (0..30).for_each(|_| run.advance_frame());
    let second = &run.events().happened[1];
    assert_eq!(second.nothing.as_deref(), Some("node 0 is not pinned"));
    // Two events that wait for each other's effects happen once each.
    let shorter = Length { above: None, below: Some(1.39), ..Length::above(0.0) };
    let events = [
        Event::when(Length::above(1.401), Release { node: 7 }),
        Event::when(shorter, Pin { node: 7 }),
    ];
    let setup = rope(Arc::new(VelocityVerlet::default()), 0.0).events(events).check().unwrap();
    let mut run = Simulation::new(setup);
    (0..300).for_each(|_| run.advance_frame());
    assert!(run.events().happened.len() <= 2);
}
