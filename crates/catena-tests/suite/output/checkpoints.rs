//! A run that continues from a checkpoint file gives the same bits as an uninterrupted one, for any
//! method, step control and body.

use crate::scene_of;
use catena::{
    output::checkpoint::{Checkpoints, parse},
    render::{BodyCheckpoint, PanelRun},
    scene::{SceneText, load},
    sim::{
        SpringMemory,
        method::{METHOD_NAMES, METHODS},
    },
};
use std::{fmt::Write, fs};

/// Frame at which the checkpoint is made, and last frame of the comparison.
const MIDDLE: u64 = 5;
const END: u64 = 9;

/// Bodies for all methods. If a method is too inaccurate for a body it diverges, and continues to
/// diverge equally.
const BODIES: [(&str, &str); 8] = [
    ("rope", "substeps: 16, drag: 0.01, rope: (nodes: 5, stiffness: 20)"),
    ("kernel", "substeps: 32, rope: (nodes: 9)"),
    (
        "stiff, bending, two pins",
        "substeps: 16, position_factor: 0.9999, rope: (end: (250, 120), nodes: 6, stiffness: 2000, pins: [0, 5], damping: 0.3, bending: 60)",
    ),
    (
        "contacts",
        "substeps: 16, frame_time: 0.04, gravity: (0, -9.81), contact: (radius: 0.03, thickness: 0.05, friction: 0.3, restitution: 0.2),
        colliders: [Plane(point: (0, 0.4), normal: (0.1, 1), friction: 0.4), Sphere(center: (0.4, 0.45), radius: 0.15, restitution: 0.6)],
        rope: (start: (-0.8, 0.6), end: (0.9, 0.7), nodes: 7, stiffness: 100, mass: 0.02, damping: 0.1, pins: [])",
    ),
    (
        "cloth",
        "substeps: 12, frame_time: 0.05, gravity: (0, -9.81, 0), drag: 0.004, wind: (1, 0, -2),
        cloth: (corner: (-0.5, 0, 0), across: (1, 0, 0), down: (0, 0.1, 1), rows: 3, columns: 4, stiffness: 120, mass: 0.01, pins: TopCorners)",
    ),
    (
        "plastic",
        "substeps: 16, drag: 0.05, rope: (nodes: 6, stiffness: 2, end: (-250, 200), law: Plastic(yield_strain: 0.01, hardening: 0.2))",
    ),
    (
        "breaking",
        "substeps: 16, frame_time: 0.5, drag: 0.1, rope: (start: (-200, 200), end: (200, 200), nodes: 6, stiffness: 60, pins: [0, 5], breaks_at: 0.02),
        anchors: [(node: 5, curve: Linear(keys: [(0.3, (200, 200)), (4, (280, 200))]))]",
    ),
    (
        "moving pin, impulses",
        "substeps: 16, frame_time: 0.05, gravity: (0, -9.81, 0), drag: 0.01, step_control: Fixed,
        anchors: [(node: 0, curve: CatmullRom(keys: [(0, (0, 0, 0)), (0.2, (0.3, 0.1, 0.2)), (0.5, (0, 0, -0.3))]))],
        impulses: [(node: 5, impulse: (0.1, 0, 0.3)), (node: 3, at: 0.3, impulse: (0, 0.02, 0))],
        forces: [PointForce(node: 4, force: (0, 0.1, 0), from: 0.1, until: 0.3)],
        rope: (start: (0, 0, 0), end: (1.1, 0.2, 0.3), nodes: 6, stiffness: 30, mass: 0.05, friction: 0.02)",
    ),
];

/// Controls that choose steps, for methods that take them.
const CONTROLS: [&str; 2] = ["StepDoubling(tolerance: 1e-4)", "StabilityLimit(safety: 0.8)"];

/// All numbers of a panel, including the state of its methods. Non-finite numbers and negative
/// zeros are visible, too.
fn bits(panel_run: &PanelRun) -> String {
    let mut bits = String::new();
    for simulation in panel_run.simulations() {
        let state = simulation.state();
        for number in [&[state.t][..], &state.x, &state.v, &simulation.checkpoint().method].concat()
        {
            write!(bits, "{:x} ", number.to_bits()).unwrap();
        }
        write!(bits, "{:?} {:?} ", simulation.springs(), simulation.outcome()).unwrap();
    }
    write!(bits, "{:?}", panel_run.current()).unwrap();
    bits
}

/// Runs a scene without interruption, and from a checkpoint file in the middle. Returns the spring
/// memory at that point.
fn resumes(name: &str, base: &str) -> SpringMemory {
    let scene = scene_of(&format!("Scene(base: ({base}))"));
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path(), "key");
    let mut unbroken = PanelRun::new(&scene.panels[0]);
    (0..MIDDLE).for_each(|_| unbroken.advance_frame());
    checkpoints.write(MIDDLE, &unbroken.checkpoint()).unwrap();
    let springs = unbroken.simulations()[0].springs().clone();

    let (frame, points) = checkpoints.last::<Vec<BodyCheckpoint>>(1..=END).unwrap();
    assert_eq!(frame, MIDDLE, "{name}");
    let mut resumed = PanelRun::new(&scene.panels[0]);
    assert!(resumed.resume(&points), "{name}");
    assert_eq!(bits(&unbroken), bits(&resumed), "{name}: at the checkpoint");
    for frame in MIDDLE + 1..=END {
        unbroken.advance_frame();
        resumed.advance_frame();
        assert_eq!(bits(&unbroken), bits(&resumed), "{name}: frame {frame}");
    }
    // A run that has gone too far can also go back.
    assert!(resumed.resume(&points), "{name}");
    (MIDDLE..END).for_each(|_| resumed.advance_frame());
    assert_eq!(bits(&unbroken), bits(&resumed), "{name}: back and on again");
    springs
}

#[test]
fn every_method_goes_on_from_a_checkpoint_bit_for_bit() {
    let (mut flowed, mut broken) = (0, 0);
    for method in METHODS {
        for (body, base) in BODIES {
            // Methods with rigid lengths have no spring law.
            if body == "plastic" && (method.holds_lengths || method.name == "Xpbd") {
                continue;
            }
            // Its default of up to 5000 sweeps would take longer than everything else together.
            let options = if method.name == "Shake" { "(iterations: 30)" } else { "" };
            let base = format!("integrator: {}{options}, {base}", method.name);
            let springs = resumes(&format!("{}, {body}", method.name), &base);
            flowed += usize::from(springs.plastic.iter().any(|strain| *strain != 0.0));
            broken +=
                usize::from(springs.broken.contains(&true) && springs.broken.contains(&false));
        }
    }
    assert!(flowed >= 10 && broken >= 10, "springs had something to remember: {flowed} {broken}");
}

#[test]
fn step_controls_and_options_go_on_from_a_checkpoint_bit_for_bit() {
    let mut taken = 0;
    for control in CONTROLS {
        for method in METHOD_NAMES {
            let base = format!(
                "integrator: {method}, step_control: {control}, substeps: 4, drag: 0.01, rope: (nodes: 5, stiffness: 400)"
            );
            // Not every method accepts a control; another test checks which ones do.
            let text = format!("Scene(base: ({base}))");
            let text = SceneText { origin: "test".into(), name: "test".into(), text };
            if load(&text, &[]).is_ok() {
                resumes(&format!("{method}, {control}"), &base);
                taken += 1;
            }
        }
    }
    assert!(taken >= 10, "{taken}");
    for method in [
        "ConstraintVerlet(damping: 0.01, tethers: true)",
        "Pbd(iterations: 3, tethers: true)",
        "Xpbd(iterations: 4, substeps: 2)",
        "VelocityVerlet(force_velocity: Start)",
        "VelocityVerlet(force_velocity: StartOnce)",
        "AdamsBashforth3(first_steps: Euler)",
        "AdamsBashforth4(first_steps: LowerOrders)",
        "AdamsBashforthMoulton4(first_steps: LowerOrders)",
    ] {
        resumes(method, &format!("integrator: {method}, drag: 0.01, rope: (nodes: 6)"));
    }
}

#[test]
fn what_is_no_whole_checkpoint_of_the_same_is_none() {
    let scene = scene_of("Scene(base: (rope: (nodes: 4)))");
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path(), "key");
    let mut panel_run = PanelRun::new(&scene.panels[0]);
    for frame in 1..=3 {
        panel_run.advance_frame();
        checkpoints.write(frame, &panel_run.checkpoint()).unwrap();
    }
    let last = |key: &str, frames| {
        Checkpoints::new(folder.path(), key)
            .last::<Vec<BodyCheckpoint>>(frames)
            .map(|(frame, _)| frame)
    };
    assert_eq!(
        (last("key", 1..=9), last("key", 1..=2), last("other", 1..=9)),
        (Some(3), Some(2), None)
    );

    // Any changed, missing or additional byte makes a checkpoint invalid; then the previous one is
    // used.
    let path = folder.path().join("state_0000003");
    let whole = fs::read(&path).unwrap();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        assert!(parse::<Vec<BodyCheckpoint>>(&bytes, "key").is_none(), "byte {at}");
        assert!(parse::<Vec<BodyCheckpoint>>(&whole[..at], "key").is_none(), "cut at {at}");
    }
    for bytes in [&[][..], &whole[..40], &[&whole[..], &[0]].concat()] {
        fs::write(&path, bytes).unwrap();
        assert_eq!(last("key", 1..=9), Some(2));
    }
    // The right bytes under the name of another frame are invalid, too.
    fs::copy(folder.path().join("state_0000001"), &path).unwrap();
    assert_eq!(last("key", 1..=9), Some(2));

    // A checkpoint of another body does not fit, and changes nothing.
    let other = scene_of("Scene(base: (rope: (nodes: 5)))");
    let before = bits(&panel_run);
    assert!(!panel_run.resume(&PanelRun::new(&other.panels[0]).checkpoint()));
    assert_eq!(bits(&panel_run), before);
}

#[test]
fn of_many_checkpoints_those_that_stay_lie_far_apart() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::new(folder.path(), "key");
    for frame in 1..=400 {
        checkpoints.write(frame, &frame).unwrap();
        assert_eq!(checkpoints.last::<u64>(0..=u64::MAX), Some((frame, frame)));
    }
    assert!(fs::read_dir(folder.path()).unwrap().count() <= 16);
    let mut frames: Vec<u64> = Vec::new();
    for frame in 1..=400 {
        frames.extend(checkpoints.last::<u64>(frame..=frame).map(|(frame, _)| frame));
    }
    let gaps = frames.iter().zip([0].iter().chain(&frames)).map(|(frame, before)| frame - before);
    assert!(gaps.max().unwrap() <= 100, "{frames:?}");
    checkpoints.clear().unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
