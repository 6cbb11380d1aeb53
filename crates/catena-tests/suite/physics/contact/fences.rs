//! Steps in which nothing can touch are recognised from the positions of nodes, and contacts are
//! only searched near them. Runs that check everything in each step give the same bits.

use super::{Random, bits, collider};
use catena::sim::{
    Cloth, Components, Rope, Setup, SetupBuilder, Simulation,
    contact::{
        Contacts, DrawnContact, PartContact, SelfContact,
        collider::{Plane, Sphere, Surface},
    },
    drive::{
        Event,
        event::action::{Cut, Join, Pin, Release},
    },
    run::Taken,
};
use std::sync::Arc;

/// Contacts that occurred in a run.
#[derive(Default)]
pub(super) struct Met {
    pub(super) touched: usize,
    pub(super) free: usize,
}

/// Steps a setup with fences and without, and compares all bits of each step. After `breaks` steps,
/// the run with fences continues from a checkpoint in a new simulation.
pub(super) fn compare(case: &str, setup: &Arc<Setup>, steps: usize, breaks: usize, met: &mut Met) {
    let mut plain = Simulation::new(Arc::clone(setup));
    plain.test_everything();
    let mut fenced = Simulation::new(Arc::clone(setup));
    for step in 0..steps {
        if step % breaks == breaks - 1 {
            let checkpoint = fenced.checkpoint();
            fenced = Simulation::new(Arc::clone(setup));
            fenced.restore(&checkpoint);
        }
        plain.step();
        fenced.step();
        assert_eq!(bits(plain.state()), bits(fenced.state()), "{case}, step {step}");
        assert_eq!(plain.contact_impulses(), fenced.contact_impulses(), "{case}, step {step}");
        let touches = !plain.contact_impulses().is_empty();
        met.touched += usize::from(touches);
        met.free += usize::from(!touches);
    }
}

pub(super) fn surface(random: &mut Random) -> Surface {
    let [restitution, friction] = [random.signed(), random.signed()].map(|value| value.max(0.0));
    Surface { restitution, friction }
}

/// A rope at a random place that is thrown randomly, and sometimes gets a strong push.
pub(super) fn thrown_rope(
    random: &mut Random,
    axes: usize,
    nodes: usize,
    pin: bool,
) -> SetupBuilder {
    let place = |random: &mut Random| random.many(axes, 1.0);
    let mut start = place(random);
    start[1] += 1.2;
    let direction = place(random);
    let size = direction.iter().map(|value| value * value).sum::<f64>().sqrt();
    let length = 0.08 * nodes as f64;
    let end: Vec<f64> = start
        .iter()
        .zip(&direction)
        .map(|(start, direction)| start + direction / size * length)
        .collect();
    let rope = Rope::new(start, end, nodes).of(0.05, 300.0).bending(3.0);
    let rope = if pin { rope.pin(0) } else { rope };
    let mut setup = Setup::new(&rope).gravity([0.0, -9.81, 0.0][..axes].to_vec()).drag(0.01);
    setup = setup.spring_damping(0.05);
    for node in (1..nodes).step_by(3) {
        setup = setup.velocity(node, random.many(axes, 2.0));
    }
    for _ in 0..4 {
        let node = (nodes as f64 * 0.4999 * (1.0 + random.signed())) as usize;
        let mut impulse = [0.0; 3];
        impulse[..axes].copy_from_slice(&random.many(axes, 2.0));
        setup = setup.impulse(node, 0.5 + 0.5 * random.signed(), impulse);
    }
    setup.frames(0.1, 40)
}

fn colliders(random: &mut Random, axes: usize) -> Contacts {
    let plane =
        ["Plane(point: (0, 0), normal: (0.1, 1)", "Plane(point: (0, 0, 0), normal: (0.1, 1, 0.1)"];
    let ball = ["Sphere(center: (0, 0.4), radius: 0.5", "Sphere(center: (0, 0.4, 0), radius: 0.5"];
    let rod = [
        "Capsule(a: (-1, 0.3), b: (1, 0.6), radius: 0.2",
        "Capsule(a: (-1, 0.3, 0), b: (1, 0.6, 0.2), radius: 0.2",
    ];
    let cube = [
        "Box(center: (0.2, 0.3), size: (0.8, 0.5), along: Some((1, 0.3))",
        "Box(center: (0.2, 0.3, 0), size: (0.8, 0.5, 2), along: Some((1, 0.3, 0))",
    ];
    let kinds = [&plane[..], &ball, &rod, &cube];
    let mut contacts = Contacts { radius: 0.03 * random.signed().max(0.0), ..Contacts::default() };
    for (index, kind) in kinds.iter().enumerate() {
        if index == 0 || random.signed() > 0.0 {
            let Surface { restitution, friction } = surface(random);
            let restitution = format!("restitution: {restitution:?}, friction: {friction:?}");
            contacts.colliders.push(collider(&format!("{}, {restitution})", kind[axes - 2])));
        }
    }
    contacts
}

/// Adds colliders to a setup that already has contact.
fn on_a_ball(setup: SetupBuilder, random: &mut Random, axes: usize) -> SetupBuilder {
    let Surface { restitution, friction } = surface(random);
    let at = |point: [f64; 3]| match axes {
        2 => Components::from([point[0], point[1]]),
        _ => Components::from(point),
    };
    let (point, normal, center) = (at([0.0; 3]), at([0.0, 1.0, 0.0]), at([0.1, 0.0, 0.1]));
    let plane = Plane { point, normal, restitution, friction };
    setup.collider(plane).collider(Sphere { center, radius: 0.4, restitution, friction })
}

#[test]
fn ropes_on_colliders_go_the_same_way_with_fences_and_without() {
    let (mut random, mut met) = (Random::new(11), Met::default());
    for run in 0..12 {
        let axes = 2 + run % 2;
        let mut setup = thrown_rope(&mut random, axes, 12 + run, run % 3 == 0);
        setup = setup.contacts(colliders(&mut random, axes));
        compare(&format!("run {run}"), &setup.check().unwrap(), 400, 97, &mut met);
    }
    assert!(met.touched > 500 && met.free > 500, "{} {}", met.touched, met.free);
}

#[test]
fn ropes_that_meet_themselves_go_the_same_way_with_fences_and_without() {
    let (mut random, mut met) = (Random::new(23), Met::default());
    for run in 0..10 {
        let axes = 2 + run % 2;
        let mut setup = thrown_rope(&mut random, axes, 20 + 3 * run, run % 4 == 0);
        let thickness = [0.03, 0.06, 0.08][run % 3];
        let own = Some(SelfContact { thickness, surface: surface(&mut random) });
        let mut contacts = Contacts { own, ..Contacts::default() };
        if run % 2 == 0 {
            contacts.colliders = colliders(&mut random, axes).colliders;
        }
        setup = setup.contacts(contacts);
        if run % 5 == 0 {
            setup = setup.breaks_at(0.3);
        }
        compare(&format!("run {run}"), &setup.check().unwrap(), 300, 61, &mut met);
    }
    assert!(met.touched > 200 && met.free > 200, "{} {}", met.touched, met.free);
}

#[test]
fn a_cloth_that_folds_up_goes_the_same_way_with_fences_and_without() {
    let (mut random, mut met) = (Random::new(5), Met::default());
    for side in [7, 9] {
        let cloth = Cloth::new([0.0, 1.0, 0.0], [1.0, 0.1, 0.0], [0.0, -0.2, 1.0], (side, side));
        let own = SelfContact { thickness: 0.07, surface: surface(&mut random) };
        let mut setup = Setup::new(&cloth.of(0.01, 60.0).pin(0)).gravity([0.0, -9.81, 0.0]);
        setup = setup.contacts(colliders(&mut random, 3)).self_contact(own).spring_damping(0.02);
        setup = setup.impulse(side * side / 2, 0.3, [0.5, 1.0, -0.5]).frames(0.1, 40);
        compare(&format!("{side}"), &setup.check().unwrap(), 300, 83, &mut met);
    }
    assert!(met.touched > 50 && met.free > 10, "{} {}", met.touched, met.free);
}

#[test]
fn what_is_drawn_goes_the_same_way_with_fences_and_without() {
    let (mut random, mut met) = (Random::new(31), Met::default());
    for run in 0..8 {
        let axes = 2 + run % 2;
        let mut setup = thrown_rope(&mut random, axes, 16 + 2 * run, run % 3 == 0);
        let thickness = [0.02, 0.05, 0.1][run % 3];
        let part = PartContact { thickness, surface: surface(&mut random) };
        setup = setup.drawn_contact(DrawnContact { parts: vec![part] });
        if run % 4 < 2 {
            setup = on_a_ball(setup, &mut random, axes);
        }
        if let Ok(setup) = setup.check() {
            compare(&format!("run {run}"), &setup, 200, 41, &mut met);
        }
    }
    let cloth = Cloth::new([0.0, 1.0, 0.0], [1.0, 0.1, 0.0], [0.0, -0.2, 1.0], (6, 6));
    let part = PartContact { thickness: 0.03, surface: surface(&mut random) };
    let setup = Setup::new(&cloth.of(0.01, 60.0).pin(0).pin(5)).gravity([0.0, -9.81, 0.0]);
    let setup = setup.drawn_contact(DrawnContact { parts: vec![part] }).frames(0.1, 40);
    let setup = on_a_ball(setup.impulse(20, 0.2, [0.3, 1.0, -0.5]), &mut random, 3);
    compare("cloth", &setup.check().unwrap(), 200, 41, &mut met);
    assert!(met.touched > 20 && met.free > 100, "{} {}", met.touched, met.free);
}

#[test]
fn events_and_tears_change_what_fences_know() {
    let (mut random, mut met) = (Random::new(43), Met::default());
    let own = SelfContact { thickness: 0.05, surface: surface(&mut random) };
    let part = PartContact { thickness: 0.04, surface: own.surface };
    for run in 0..8 {
        let mut setup = thrown_rope(&mut random, 2 + run % 2, 24, true);
        setup = match run % 4 < 2 {
            true => setup.self_contact(own),
            false => setup.drawn_contact(DrawnContact { parts: vec![part] }),
        };
        let join = Join { a: 2, b: 20, stiffness: Some(30.0), length: None };
        setup = setup
            .breaks_at(0.8)
            .event(Event::at(0.2, Release { node: 0 }))
            .event(Event::at(0.3, Pin { node: 9 }))
            .event(Event::at(0.4, Cut::between(12, 13)))
            .event(Event::at(0.5, join))
            .event(Event::at(0.7, Release { node: 9 }));
        if run % 4 == 1 {
            setup = on_a_ball(setup, &mut random, 2 + run % 2);
        }
        if let Ok(setup) = setup.check() {
            compare(&format!("run {run}"), &setup, 300, 53, &mut met);
        }
    }
    assert!(met.touched > 20 && met.free > 100, "{} {}", met.touched, met.free);
}

#[test]
fn whoever_stays_within_a_fence_touches_nothing() {
    let (mut random, mut fences) = (Random::new(3), 0);
    for run in 0..16 {
        let axes = 2 + run % 2;
        let mut setup = thrown_rope(&mut random, axes, 20, false);
        let own = SelfContact { thickness: 0.05, surface: surface(&mut random) };
        let part = PartContact { thickness: 0.04, surface: own.surface };
        setup = match run % 4 < 2 {
            true => setup.self_contact(own),
            false => setup.drawn_contact(DrawnContact { parts: vec![part] }),
        };
        let Ok(setup) = on_a_ball(setup, &mut random, axes).frames(0.0001, 1).check() else {
            continue;
        };
        let mut still = Simulation::new(setup);
        for _ in 0..20 {
            let Some(fence) = still.fence().cloned() else { break };
            fences += 1;
            // Every node moves from one point of its box to another, as far as allowed.
            let n = fence.reach.len();
            let mut checkpoint = still.checkpoint();
            let mut place = || -> Vec<f64> {
                let mut far = |k: usize| fence.reach[k % n].min(1e3) * random.signed().signum();
                (0..n * axes).map(|k| fence.centre[k] + 0.99 * far(k)).collect()
            };
            let (from, to) = (place(), place());
            let dt = still.setup().dt();
            checkpoint.state.v = from.iter().zip(&to).map(|(from, to)| (to - from) / dt).collect();
            checkpoint.state.x = from;
            let mut moved = Simulation::new(Arc::clone(still.setup()));
            moved.restore(&checkpoint);
            moved.test_everything();
            moved.step();
            assert!(moved.contact_impulses().is_empty(), "run {run}");
            (0..20).for_each(|_| still.step());
        }
    }
    assert!(fences > 100, "{fences}");
}

#[test]
fn frames_in_which_nothing_can_touch_are_taken_whole_with_the_same_bits() {
    let (mut random, mut whole, mut touched) = (Random::new(5), 0, 0);
    for run in 0..12 {
        let axes = 2 + run % 2;
        let stiffness = 30.0 + 20.0 * random.signed();
        let far = [0.0, 2.0 + random.signed(), 0.0];
        let end: Vec<f64> = [1.5, far[1] + 0.3, 0.2][..axes].to_vec();
        let rope = Rope::new(far[..axes].to_vec(), end, 16).of(0.05, stiffness);
        let rope = if run % 3 == 0 { rope.pin(0) } else { rope };
        let mut setup = Setup::new(&rope).gravity([0.0, -9.81, 0.0][..axes].to_vec());
        setup = setup.drag(0.01 * (run % 2) as f64).frames(0.01, 16);
        setup = setup.velocity(15, random.many(axes, 3.0)).radius(0.02);
        let method = ["SemiImplicitEuler", "ExplicitEuler", "VelocityVerlet"][run % 3];
        setup = setup.method_of(catena::sim::method::with_defaults(method).unwrap());
        let setup = on_a_ball(setup, &mut random, axes).check().unwrap();
        let mut plain = Simulation::new(Arc::clone(&setup));
        plain.test_everything();
        let mut fast = Simulation::new(setup);
        for frame in 0..100 {
            plain.advance_frame();
            fast.advance_frame();
            assert_eq!(bits(plain.state()), bits(fast.state()), "run {run}, frame {frame}");
            assert_eq!(plain.contact_impulses(), fast.contact_impulses(), "run {run} {frame}");
            assert_eq!(plain.outcome(), fast.outcome(), "run {run}, frame {frame}");
            assert_ne!(plain.path().taken, Taken::WholeFrames);
            whole += usize::from(fast.path().taken == Taken::WholeFrames);
            touched += usize::from(!plain.contact_impulses().is_empty());
        }
    }
    assert!(whole > 100 && touched > 100, "{whole} {touched}");
}

/// A body in space or in the plane that swings, and touches itself or a ball now and then.
fn swinging(random: &mut Random, run: usize) -> SetupBuilder {
    let axes = 2 + run % 2;
    let stiffness = 40.0 + 20.0 * random.signed();
    let gravity = [0.0, -9.81, 0.0][..axes].to_vec();
    let setup = if run % 4 == 3 {
        let (across, down) = ([1.0, 0.1, 0.0], [0.0, -0.2, 1.0]);
        let cloth = Cloth::new([0.0, 1.0, 0.0], across, down, (7, 7)).of(0.05, stiffness);
        Setup::new(&cloth.pin(0).pin(6)).velocity(48, random.many(3, 2.0))
    } else {
        let end: Vec<f64> = [1.5, 2.3, 0.2][..axes].to_vec();
        let start = [0.0, 2.0 + random.signed(), 0.0][..axes].to_vec();
        let rope = Rope::new(start, end, 24).of(0.05, stiffness);
        let rope = if run.is_multiple_of(3) { rope.pin(0) } else { rope };
        Setup::new(&rope).velocity(23, random.many(axes, 3.0)).velocity(5, random.many(axes, 1.0))
    };
    let surface = surface(random);
    let setup = setup.gravity(gravity).drag(0.01 * (run % 2) as f64).frames(0.01, 16);
    let setup = match run % 8 < 4 {
        true => setup.self_contact(SelfContact { thickness: 0.03, surface }),
        false => {
            let part = PartContact { thickness: 0.03, surface };
            setup.drawn_contact(DrawnContact { parts: vec![part] })
        }
    };
    let method = ["SemiImplicitEuler", "ExplicitEuler"][run / 2 % 2];
    let setup = setup.method_of(catena::sim::method::with_defaults(method).unwrap());
    if run.is_multiple_of(5) { setup } else { on_a_ball(setup, random, axes) }
}

#[test]
fn steps_in_which_a_body_cannot_touch_itself_are_taken_at_once_with_the_same_bits() {
    let (mut random, mut whole, mut alone, mut touched) = (Random::new(17), 0, 0, 0);
    for run in 0..24 {
        let Ok(setup) = swinging(&mut random, run).check() else { continue };
        let mut plain = Simulation::new(Arc::clone(&setup));
        plain.test_everything();
        let mut fast = Simulation::new(Arc::clone(&setup));
        for frame in 0..120 {
            if frame % 31 == 30 {
                let checkpoint = fast.checkpoint();
                fast = Simulation::new(Arc::clone(&setup));
                fast.restore(&checkpoint);
            }
            plain.advance_frame();
            fast.advance_frame();
            assert_eq!(bits(plain.state()), bits(fast.state()), "run {run}, frame {frame}");
            assert_eq!(plain.contact_impulses(), fast.contact_impulses(), "run {run} {frame}");
            assert_eq!(plain.outcome(), fast.outcome(), "run {run}, frame {frame}");
            assert_eq!(plain.path().taken, Taken::StepByStep);
            whole += usize::from(fast.path().taken == Taken::WholeFrames);
            alone += usize::from(fast.path().taken == Taken::StepByStep);
            touched += usize::from(!plain.contact_impulses().is_empty());
        }
    }
    assert!(whole > 200 && alone > 200 && touched > 200, "{whole} {alone} {touched}");
}
