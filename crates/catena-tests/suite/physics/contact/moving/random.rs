//! Random scenes: nothing is ever inside a moving collider, runs with and without fences are equal,
//! and the ledger closes.

use super::{Met, Random, at, bits, compare};
use catena_sim::contact::SelfContact;
use catena_sim::contact::collider::{Box, Capsule, Moving, Plane, Sphere, Surface};
use catena_sim::drive::curve::CatmullRom;
use catena_sim::drive::motion::Travel;
use catena_sim::drive::rig::RotationTrack;
use catena_sim::drive::track::{Animated, Key, KeyTrack};
use catena_sim::glam::DVec3;
use catena_sim::{Cloth, Collider, Rope, Setup, SetupBuilder, Simulation};
use std::sync::Arc;

/// A motion through random points near the origin, with random rotations, for a second.
pub(super) fn wandering(random: &mut Random, axes: usize, (far, turns): (f64, f64)) -> Travel {
    let mut place = |t: f64| {
        let [x, y, z] = [0; 3].map(|_| far * random.signed());
        (t, at([x, y, z], axes))
    };
    let keys = [0.0, 0.2, 0.45, 0.7, 1.0].map(&mut place).to_vec();
    let axis = match axes {
        2 => DVec3::Z,
        _ => DVec3::new(random.signed(), random.signed(), 1.1 + random.signed()),
    };
    let mut key = |t: f64| Key::new(t, [turns * random.signed()]);
    let angle = Animated::moving(KeyTrack::new([0.0, 0.3, 0.8].map(&mut key).to_vec()).unwrap());
    let along: Arc<dyn catena_sim::Curve> = Arc::new(CatmullRom { keys });
    Travel { along: Some(along), turn: Some(RotationTrack::about(axis, angle).unwrap()) }
}

pub(super) fn surface(random: &mut Random) -> Surface {
    let [restitution, friction] = [random.signed(), random.signed()].map(|value| value.max(0.0));
    Surface { restitution, friction }
}

pub(super) fn capsule(random: &mut Random, axes: usize) -> Capsule {
    let Surface { restitution, friction } = surface(random);
    let end = [0; 3].map(|_| 0.3 * random.signed());
    let radius = 0.1 + 0.05 * random.signed();
    Capsule { a: at(end.map(|x| -x), axes), b: at(end, axes), radius, restitution, friction }
}

/// A rope above the origin, thrown randomly.
pub(super) fn rope(random: &mut Random, axes: usize, nodes: usize, pin: bool) -> SetupBuilder {
    let of = |point: [f64; 3]| point[..axes].to_vec();
    let height = 2.0 + 0.2 * random.signed();
    let rope = Rope::new(of([-0.7, height, 0.0]), of([0.7, height, 0.1]), nodes).of(0.02, 300.0);
    let rope = if pin { rope.pin(0) } else { rope };
    let mut setup = Setup::new(&rope).gravity(of([0.0, -9.81, 0.0])).drag(0.01);
    for node in (1..nodes).step_by(2) {
        let [x, y, z] = [0; 3].map(|_| 2.0 * random.signed());
        setup = setup.velocity(node, of([x, y - 3.0, z]));
    }
    setup
}

#[test]
fn a_rope_that_a_moving_capsule_drags_is_never_inside_of_it() {
    let (mut random, mut touched, scenes) = (Random::new(77), 0, crate::cases(60));
    for scene in 0..scenes {
        let axes = 2 + scene % 2;
        let radius = 0.02 * random.signed().max(0.0);
        let capsule = capsule(&mut random, axes);
        let thin = capsule.radius;
        let moving = Moving::new(capsule, wandering(&mut random, axes, (1.5, 5.0)));
        let setup = rope(&mut random, axes, 14, scene % 3 == 0).collider(moving.clone());
        let setup = setup.radius(radius).frames(1.0 / 60.0, [4, 16, 64][scene % 3]).check();
        let mut run = Simulation::new(setup.unwrap());
        let (steps, free) = (run.setup().substeps * 60, usize::from(scene % 3 == 0));
        let depth = |run: &Simulation, node: usize| {
            moving.distance_at(run.state().t, run.position(node).unwrap()).0 - radius
        };
        // A node that begins inside a collider may take a while to get out.
        if (free..14).any(|node| depth(&run, node) < 0.0) {
            continue;
        }
        for step in 0..steps {
            let before: Vec<_> = (0..14).map(|node| local(&moving, &run, node)).collect();
            run.step();
            touched += usize::from(!run.contact_impulses().is_empty());
            assert!(run.state().is_finite(), "scene {scene}, step {step}");
            for (node, before) in before.iter().enumerate().skip(free) {
                let found = depth(&run, node);
                assert!(found >= -1e-12, "scene {scene}, step {step}, node {node}: {found:e}");
                // The node did not pass through the collider.
                let after = local(&moving, &run, node);
                for share in 1..8 {
                    let share = f64::from(share) / 8.0;
                    let on = [0, 1, 2].map(|k| before[k] + share * (after[k] - before[k]));
                    let depth = moving.of.distance(on).0;
                    assert!(depth > -0.7 * thin, "scene {scene}, step {step}, node {node}");
                }
            }
        }
    }
    assert!(touched > 25 * scenes, "{touched}");
}

/// A node in the frame of a collider.
fn local(moving: &Moving, run: &Simulation, node: usize) -> [f64; 3] {
    moving.motion.at(run.state().t).inverse(run.position(node).unwrap())
}

/// Several colliders, some of which move.
pub(super) fn among_colliders(
    random: &mut Random,
    setup: SetupBuilder,
    axes: usize,
) -> SetupBuilder {
    let Surface { restitution, friction } = surface(random);
    let ground = Plane {
        point: at([0.0, -0.6, 0.0], axes),
        normal: at([0.1, 1.0, 0.0], axes),
        restitution,
        friction,
    };
    let ball = Sphere { center: at([0.2, 0.0, 0.0], axes), radius: 0.3, restitution, friction };
    let crate_ = Box {
        center: at([0.0, 0.1, 0.0], axes),
        size: at([0.4, 0.3, 0.5], axes),
        along: None,
        up: None,
        restitution,
        friction,
    };
    let tray = Plane { point: at([0.0, -0.8, 0.0], axes), ..ground.clone() };
    let capsule = capsule(random, axes);
    let mut setup = setup.collider(ground);
    for index in 0..5 {
        let motion = wandering(random, axes, (0.8, 4.0));
        let still = Sphere { center: at([-0.4, -0.3, 0.1], axes), ..ball.clone() };
        if random.signed() > 0.2 {
            continue;
        }
        setup = match index {
            0 => setup.collider(Moving::new(capsule.clone(), motion)),
            1 => setup.collider(Moving::new(ball.clone(), motion)),
            2 => setup.collider(Moving::new(crate_.clone(), motion)),
            3 => setup.collider(still),
            _ => {
                let slow = wandering(random, axes, (0.2, 0.2));
                setup.collider(Moving::new(tray.clone(), slow))
            }
        };
    }
    setup
}

#[test]
fn fences_change_no_bit_beside_colliders_that_move() {
    let (mut random, mut met) = (Random::new(19), Met::default());
    for run in 0..40 {
        let axes = 2 + run % 2;
        let setup = rope(&mut random, axes, 12 + run % 5, run % 3 == 0);
        let setup = among_colliders(&mut random, setup, axes);
        let setup = match run % 4 {
            0 => setup.self_contact(SelfContact { thickness: 0.05, surface: surface(&mut random) }),
            _ => setup.radius(0.03 * random.signed().max(0.0)),
        };
        let setup = setup.frames(0.05, 20).check().unwrap();
        compare(&format!("run {run}"), &setup, 400, 97, &mut met);
    }
    assert!(met.touched > 2000 && met.free > 2000, "{} {}", met.touched, met.free);
}

#[test]
fn a_custom_collider_moves_as_well() {
    /// A ball of radius 0.4 implemented as a custom collider.
    #[derive(Debug)]
    struct Own(Sphere);
    catena_sim::identity!(Own(sphere));

    impl Collider for Own {
        fn info(&self) -> catena_sim::named::Info {
            self.0.info()
        }
        fn check(&self) -> Result<(), catena_sim::named::BadOption> {
            self.0.check()
        }
        fn fits(&self, axes: usize, nodes: usize) -> Result<(), catena_sim::named::BadOption> {
            self.0.fits(axes, nodes)
        }
        fn surface(&self) -> Surface {
            self.0.surface()
        }
        fn solid(&self) -> catena_sim::contact::collider::Solid {
            self.0.solid()
        }
        fn distance(&self, point: [f64; 3]) -> (f64, [f64; 3]) {
            self.0.distance(point)
        }
        fn sweep(&self, from: [f64; 3], to: [f64; 3], radius: f64) -> Option<f64> {
            self.0.sweep(from, to, radius)
        }
    }

    let (mut random, mut met) = (Random::new(4), Met::default());
    for run in 0..6 {
        let axes = 2 + run % 2;
        let center = at([0.1, 0.0, 0.0], axes);
        let ball = Sphere { center, radius: 0.4, restitution: 0.2, friction: 0.3 };
        let motion = wandering(&mut random, axes, (0.8, 4.0));
        let setup = rope(&mut random, axes, 12, false);
        let setup = setup.collider(Moving::new(Own(ball.clone()), motion.clone())).frames(0.05, 20);
        let setup = setup.check().unwrap();
        compare(&format!("run {run}"), &setup, 400, 97, &mut met);
        // The custom collider behaves like the built-in ball.
        let same = Setup { contacts: Default::default(), ..(*setup).clone() };
        let mut same = same;
        same.contacts.colliders = vec![Arc::new(Moving::new(ball, motion))];
        let (mut own, mut known) = (Simulation::new(setup), Simulation::new(same));
        for step in 0..300 {
            own.step();
            known.step();
            let apart = own.state().x.iter().zip(&known.state().x).map(|(a, b)| (a - b).abs());
            let apart = apart.fold(0.0, f64::max);
            assert!(apart < 1e-6, "run {run}, step {step}: {apart:e}");
        }
    }
    assert!(met.touched > 50 && met.free > 300, "{} {}", met.touched, met.free);
}

#[test]
fn a_ball_carries_a_cloth_up() {
    let cloth = Cloth::new([-0.5, 0.0, -0.5], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], (13, 13));
    let ball = Sphere { center: at([0.0; 3], 3), radius: 0.25, restitution: 0.0, friction: 0.6 };
    let keys = vec![(0.0, at([0.0, -0.5, 0.0], 3)), (2.0, at([0.0, 1.5, 0.0], 3))];
    let along: Arc<dyn catena_sim::Curve> = Arc::new(catena_sim::drive::curve::Linear { keys });
    let moving = Moving::new(ball, Travel { along: Some(along), turn: None });
    let setup = Setup::new(&cloth.of(0.002, 40.0))
        .gravity([0.0, -9.81, 0.0])
        .drag(0.002)
        .spring_damping(0.01)
        .collider(moving.clone())
        .collider(super::plane([0.0, 1.0, 0.0], 3, (0.0, 0.5)))
        .frames(1.0 / 60.0, 32)
        .check()
        .unwrap();
    let mut run = Simulation::new(setup);
    run.keep_ledger();
    for _ in 0..150 {
        run.advance_frame();
        for node in 0..169 {
            let place = run.position(node).unwrap();
            assert!(place[1] >= 0.0);
            assert!(moving.distance_at(run.state().t, place).0 >= -1e-12);
        }
    }
    // The cloth hangs on the ball, which has stopped in the air.
    let lowest = run.state().x[169..338].iter().copied().fold(f64::INFINITY, f64::min);
    assert!(lowest > 1.0, "{lowest}");
    let ledger = run.ledger().unwrap().run;
    assert!(ledger.residual().abs() <= 1e-9 * ledger.turned_over, "{ledger:?}");
    // The ball lifted the cloth: its work is at least the gain of potential energy, plus losses.
    let lifted = ledger.end.gravitational - ledger.start.gravitational;
    assert!(lifted > 3.0 && ledger.gains.colliders > lifted, "{lifted}: {ledger:?}");
    assert!(ledger.gains.contact < 0.1 * lifted, "{ledger:?}");
}

#[test]
fn a_run_beside_moving_colliders_goes_on_from_a_checkpoint() {
    let mut random = Random::new(8);
    for method in catena_sim::method::METHODS {
        let setup = rope(&mut random, 3, 12, true);
        let setup = among_colliders(&mut random, setup, 3).frames(0.05, 20);
        let setup = setup.method_of(catena_sim::method::with_defaults(method.name).unwrap());
        let setup = setup.check().unwrap();
        let mut whole = Simulation::new(Arc::clone(&setup));
        (0..8).for_each(|_| whole.advance_frame());
        let checkpoint = whole.checkpoint();
        let mut resumed = Simulation::new(setup);
        resumed.restore(&checkpoint);
        for frame in 0..8 {
            whole.advance_frame();
            resumed.advance_frame();
            assert_eq!(bits(whole.state()), bits(resumed.state()), "{} {frame}", method.name);
        }
    }
}
