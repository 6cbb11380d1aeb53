//! Bodies on rigs in scenes: colliders on bones, soft pins, the ledger, and resuming after a
//! warm-up.

use crate::rendered::Bench;
use crate::scene_of;
use catena::render::{Painter, text::Font};
use catena::sim::Simulation;

/// The run of the only body of a scene with these fields.
fn run_of(fields: &str) -> Simulation {
    let scene = scene_of(&format!("Scene(base: ({fields}))"));
    Simulation::new(scene.panels[0].bodies[0].setup.clone())
}

/// A plane on a bone that rises at a speed of 3 hits a rope at rest, which leaves at (1 + e) 3. On
/// a bone that rotates at ω, the rope leaves perpendicular to the plane at (1 + e) ω r.
#[test]
fn a_collider_on_a_bone_bats_a_rope_at_rest() {
    for e in [0.0, 0.5, 1.0] {
        let mut run = run_of(&format!(
            "frame_time: 0.01, substeps: 1, gravity: (0, 0),
            rope: (start: (0, 0.1), end: (1, 0.1), nodes: 2, pins: []),
            rig: (bones: [
                (name: \"base\", place: (5, -1)),
                (name: \"lift\", parent: \"base\", place: Linear(keys: [(-1, (0, -2)), (9, (0, 28))])),
            ]),
            colliders: [OnBone(bone: \"lift\", of: Plane(point: (0, 0), normal: (0, 1), restitution: {e}))]"
        ));
        (0..6).for_each(|_| run.advance_frame());
        for node in 0..2 {
            let [x, y, _] = run.velocity(node).unwrap();
            assert!((y - (1.0 + e) * 3.0).abs() < 1e-12 && x.abs() < 1e-12, "{e}: ({x}, {y})");
        }
    }
    // The paddle is 3.5 ω dt short of the nodes, which are at distances of 1 and 2 from its joint.
    let (omega, dt, e) = (3.0, 0.01, 0.5);
    let degrees = |t: f64| (omega * (t - 3.5 * dt)).to_degrees();
    let mut run = run_of(&format!(
        "frame_time: {dt}, substeps: 1, gravity: (0, 0),
        rope: (start: (1, 0), end: (2, 0), nodes: 2, pins: [], stiffness: 1e-9),
        rig: (bones: [(name: \"arm\", turn: About(axis: (0, 0, 1), angle: [(-1, {}), (1, {})]))]),
        colliders: [OnBone(bone: \"arm\", of: Plane(point: (0, 0), normal: (0, 1), restitution: {e}))]",
        degrees(-1.0),
        degrees(1.0)
    ));
    (0..4).for_each(|_| run.advance_frame());
    for (node, radius) in [(0, 1.0), (1, 2.0)] {
        let [_, y, _] = run.velocity(node).unwrap();
        let expected = (1.0 + e) * omega * radius;
        let tolerance = omega * dt * omega * dt / 8.0 + 1e-9;
        assert!((y / expected - 1.0).abs() < tolerance, "{y} beside {expected}");
    }
}

/// A spring pulls a node to a bone in the same way as to the equivalent curve; at rest it carries
/// the weight.
#[test]
fn a_soft_pin_follows_its_bone() {
    let fields = |anchor: &str| {
        run_of(&format!(
            "frame_time: 0.02, substeps: 8, gravity: (0, -1), drag: 0.5,
            rope: (start: (0, 0), end: (0, -1), nodes: 3, mass: 0.5, stiffness: 100, pins: []),
            rig: (bones: [
                (name: \"base\", place: (1, 0.5)),
                (name: \"hand\", parent: \"base\", place: CatmullRom(keys: [(0, (-1, -0.5)), (1, (0.5, 1)), (2, (2, 0))])),
            ]),
            anchors: [(node: 0, stiffness: 30, damping: 0.2, {anchor})]"
        ))
    };
    let curve = "curve: CatmullRom(keys: [(0, (0, 0)), (1, (1.5, 1.5)), (2, (3, 0.5))])";
    let mut runs = [fields("bone: \"hand\", offset: (0, 0)"), fields(curve)];
    for frame in 0..100 {
        let [bone, other] = &runs;
        for (a, b) in bone.state().x.iter().zip(&other.state().x) {
            assert!((a - b).abs() < 1e-12, "frame {frame}: {a} beside {b}");
        }
        runs.iter_mut().for_each(Simulation::advance_frame);
    }
    let [run, _] = &mut runs;
    (0..4000).for_each(|_| run.advance_frame());
    // Three nodes of 0.5 weigh 1.5, which stretches the spring of 30 by 0.05.
    let [x, y, _] = run.position(0).unwrap();
    assert!((x - 3.0).abs() < 1e-9 && (y - (0.5 - 0.05)).abs() < 1e-9, "({x}, {y})");
}

/// Work of a bone on its pin is booked to the account of pins, and the ledger closes.
#[test]
fn the_ledger_closes_with_pins_on_bones() {
    for method in
        ["VelocityVerlet", "SemiImplicitEuler", "ConstraintVerlet", "Rk4", "ImplicitEuler"]
    {
        let mut run = run_of(&format!(
            "frame_time: 0.02, substeps: 32, gravity: (0, -9.81, 0), integrator: {method}, drag: 0.01,
            rope: (start: (1, 0, 0), end: (1, -1, 0), nodes: 5, mass: 0.1, stiffness: 500),
            rig: (bones: [
                (name: \"mast\", turn: About(axis: (0, 1, 0), angle: Keys(keys: [(0, 0), (2, 360)], repeat: Loop))),
                (name: \"arm\", parent: \"mast\", place: (1, 0, 0)),
            ], warm_up: 0.2),
            anchors: [(node: 0, bone: \"arm\", offset: (0, 0, 0))]"
        ));
        run.keep_ledger();
        for _ in 0..150 {
            run.advance_frame();
            let frame = run.ledger().unwrap().frame;
            let off = frame.residual().abs();
            assert!(off <= 1e-12 * frame.turned_over.max(1e-3), "{method}: {off}, {frame:?}");
        }
        let ledger = run.ledger().unwrap().run;
        assert!(ledger.gains.anchors > 0.5, "{method}: {ledger:?}");
        assert!(ledger.end.kinetic > 0.1, "{method}: {ledger:?}");
    }
}

/// A resumed render does not repeat the warm-up: its bytes equal those of an uninterrupted render.
#[test]
fn a_render_behind_a_warm_up_is_resumed() {
    let bench = Bench::new(
        "Scene(base: (size: (64, 64), frames: 12, frame_time: 0.05, substeps: 8, decoration: Bare,
            rest: (limit: 20), view: (center: (0, 0), extent: (4, 4)), gravity: (0, -1),
            rope: (start: (0, 0), end: (0, -1), nodes: 4, mass: 0.1, stiffness: 100),
            rig: (bones: [(name: \"a\")], warm_up: 0.5, clips: [(name: \"there\", tracks: [(bone: \"a\", place: [(0, (1, 0)), (1, (1, 1))])])]),
            anchors: [(node: 0, bone: \"a\")]))",
    );
    bench.render("whole", &["-q"], 0);
    bench.render("parts", &["-q", "--frames", "7", "--checkpoint-every", "3"], 0);
    assert_eq!(bench.drawn("parts", &[]).0, 5);
    assert_eq!(bench.tree("parts"), bench.tree("whole"));
    // Without the warm-up the pictures differ.
    bench.render("cold", &["-q", "--set", "rig.warm_up=0"], 0);
    let [whole, cold] = ["whole", "cold"].map(|out| bench.tree(out));
    assert_ne!(whole["frame_00003.png"], cold["frame_00003.png"]);
}

/// A panel with only a rig has one number, the time, which small pictures omit.
#[test]
fn a_rig_alone_is_drawn_or_refused_at_any_size() {
    let font = Font::built_in().unwrap();
    for width in [64, 80, 96, 120, 160, 240, 320] {
        for height in [64, 100, 180] {
            let scene = scene_of(&format!(
                "Scene(base: (size: ({width}, {height}), rig: (bones: [(name: \"a\", length: 1)])))"
            ));
            // A picture that is too small for a panel is refused with a message.
            match Painter::new(&scene, font.clone()) {
                Ok(painter) => assert_eq!(painter.template().dimensions(), (width, height)),
                Err(error) => assert!(width < 120 || height < 100, "{width}x{height}: {error:?}"),
            }
        }
    }
}
