//! Programs of a student in `double`, with unusual numbers of substeps, identified by `catena
//! identify`.

use crate::catena;
use std::{fs, path::Path};

const SCENE: &str = "Scene(base: (frames: 8, frame_time: 1, gravity: (0, -1), substeps: 64, \
    integrator: SemiImplicitEuler, drag: 0.01, rope: (start: (0, 200), end: (-400, 200), nodes: 4, \
    stiffness: 100, pins: [0])))";

type Places = [[f64; 2]; 4];

/// Accelerations of the scene's rope, with masses of 1.
fn accelerations(x: &Places, v: &Places) -> Places {
    let rest = 400.0 / 3.0;
    let mut all = [[0.0; 2]; 4];
    for node in 1..4 {
        for other in [node + 1, node - 1].into_iter().filter(|it| *it < 4) {
            let d = [x[other][0] - x[node][0], x[other][1] - x[node][1]];
            let length = (d[0] * d[0] + d[1] * d[1]).sqrt();
            for k in 0..2 {
                all[node][k] += 100.0 * (1.0 - rest / length) * d[k];
            }
        }
        for k in 0..2 {
            all[node][k] += [0.0, -1.0][k] - 0.01 * v[node][k];
        }
    }
    all
}

/// Positions, velocities, and the slopes of the previous step, if any.
struct Rope {
    x: Places,
    v: Places,
    before: Option<[Places; 2]>,
}

/// Adds a multiple to all nodes that are not pinned.
fn add(to: &mut Places, by: f64, what: &Places) {
    for (to, what) in to.iter_mut().zip(what).skip(1) {
        (0..2).for_each(|k| to[k] += by * what[k]);
    }
}

fn semi_implicit(rope: &mut Rope, dt: f64) {
    let a = accelerations(&rope.x, &rope.v);
    add(&mut rope.v, dt, &a);
    add(&mut rope.x, dt, &rope.v);
}

/// Velocity Verlet as in textbooks: the new forces use the old velocity, and are kept.
fn velocity_verlet(rope: &mut Rope, dt: f64) {
    let a = rope.before.map_or_else(|| accelerations(&rope.x, &rope.v), |[_, a]| a);
    add(&mut rope.x, dt, &rope.v);
    add(&mut rope.x, 0.5 * dt * dt, &a);
    let end = accelerations(&rope.x, &rope.v);
    add(&mut rope.v, 0.5 * dt, &a);
    add(&mut rope.v, 0.5 * dt, &end);
    rope.before = Some([rope.v, end]);
}

/// Adams-Bashforth 2 with a first step of Euler.
fn adams_bashforth(rope: &mut Rope, dt: f64) {
    let slopes = [rope.v, accelerations(&rope.x, &rope.v)];
    let [v, a] = rope.before.unwrap_or(slopes);
    add(&mut rope.x, 1.5 * dt, &slopes[0]);
    add(&mut rope.x, -0.5 * dt, &v);
    add(&mut rope.v, 1.5 * dt, &slopes[1]);
    add(&mut rope.v, -0.5 * dt, &a);
    rope.before = Some(slopes);
}

/// A step of a program.
type Step = fn(&mut Rope, f64);

/// The file of a program that prints one row every `every` steps of 1/`substeps`.
fn file(step: Step, substeps: u64, every: u64) -> String {
    let x = std::array::from_fn(|node| [-400.0 * node as f64 / 3.0, 200.0]);
    let mut rope = Rope { x, v: [[0.0; 2]; 4], before: None };
    let mut text = "frame,node,x,y\n".to_owned();
    for frame in 0..8 {
        for (node, [x, y]) in rope.x.iter().enumerate() {
            text += &format!("{frame},{node},{x:?},{y:?}\n");
        }
        (0..every).for_each(|_| step(&mut rope, 1.0 / substeps as f64));
    }
    text
}

fn identified(folder: &Path, text: &str, arguments: &[&str]) -> String {
    fs::write(folder.join("mine.csv"), text).unwrap();
    fs::write(folder.join("rope.ron"), SCENE).unwrap();
    let all = [&["identify", "mine.csv", "rope.ron"], arguments].concat();
    let output = catena().current_dir(folder).args(all).output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.contains("  tried  "), "{stdout}{}", String::from_utf8_lossy(&output.stderr));
    stdout
}

/// Methods that the scene does not have, with uncommon numbers of substeps.
#[test]
fn uncommon_substeps_of_any_method_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let programs: [(Step, u64, &str); 2] = [
        (velocity_verlet, 24, "Velocity Verlet, force_velocity StartOnce, 24 substeps"),
        (adams_bashforth, 48, "Adams-Bashforth 2, first_steps Euler, 48 substeps"),
    ];
    for (step, substeps, name) in programs {
        let message = identified(folder.path(), &file(step, substeps, substeps), &[]);
        assert!(message.lines().any(|line| line == name), "{name}: {message}");
    }
}

/// One row per ten steps of 1/64, without times.
#[test]
fn rows_every_few_steps_are_recognised() {
    let folder = tempfile::tempdir().unwrap();
    let text = file(semi_implicit, 64, 10);
    let message = identified(folder.path(), &text, &[]);
    let options = ["--set", "frame_time=0.15625", "--set", "substeps=10"];
    let wanted = format!("rows of the file are 10 steps apart and not frames: `{FOUND}`");
    assert!(message.contains(&wanted) && message.contains(&options.join(" ")), "{message}");
    let only = [&options[..], &["--only", "--substeps", "10"]].concat();
    let message = identified(folder.path(), &text, &only);
    assert!(message.lines().any(|line| line == FOUND), "{message}");
    // A file whose first row is the start, numbered from 1, with more steps than a limit of one
    // step per row would allow.
    let rows: Vec<String> = file(semi_implicit, 1000, 700).lines().skip(1).map(later).collect();
    let message = identified(folder.path(), &format!("frame,node,x,y\n{}\n", rows.join("\n")), &[]);
    assert!(message.contains("rows of the file are 700 steps apart"), "{message}");
}

/// A row with its frame number increased by one.
fn later(row: &str) -> String {
    let (frame, rest) = row.split_once(',').unwrap();
    format!("{},{rest}", frame.parse::<u64>().unwrap() + 1)
}

const FOUND: &str = "Semi-implicit Euler, 10 substeps";

/// A measured point whose first position is off equally across and along: this is not another unit.
#[test]
fn noise_of_the_first_position_is_no_scale() {
    let folder = tempfile::tempdir().unwrap();
    let rows = |off: [f64; 2]| {
        let place = |frame: i32| {
            let fall = f64::from(frame * frame) / 2.0;
            [-400.0 + off[0], 200.0 - fall + off[1]].map(|it| format!("{it:.2}")).join(",")
        };
        let all: Vec<String> = (0..8).map(|frame| format!("{frame},{}", place(frame))).collect();
        format!("frame,x,y\n{}\n", all.join("\n"))
    };
    let few = ["--node", "3", "--only", "--substeps", "64"];
    let noisy = identified(folder.path(), &rows([1.2, 1.1]), &few);
    assert!(!noisy.contains("scale"), "{noisy}");
    // Positions in another unit are reported as such.
    let scaled = rows([0.0, 0.0]).lines().skip(1).fold("frame,x,y\n".to_owned(), |text, line| {
        let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        text + &format!("{},{},{}\n", cells[0], cells[1] / 100.0, cells[2] / 100.0)
    });
    let scaled = identified(folder.path(), &scaled, &few);
    assert!(scaled.contains("--scale 100"), "{scaled}");
}
