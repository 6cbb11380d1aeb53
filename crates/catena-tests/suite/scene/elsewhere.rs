//! Names from homework, papers and other programs are answered with the corresponding names in
//! scenes.

use crate::catena;

/// Advice about a scene, or about a scene with `--set`.
fn help(scene: &str, set: &[&str]) -> String {
    let mut command = catena();
    command.args(["check", "-"]).env("NO_COLOR", "1").write_stdin(scene);
    for change in set {
        command.args(["--set", change]);
    }
    let output = command.output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{scene} {set:?}: {message}");
    let help = message.lines().find_map(|line| line.trim().strip_prefix("╰ help: "));
    help.unwrap_or_else(|| panic!("no help for {scene} {set:?}: {message}")).to_owned()
}

const VERLET: &str = "five methods have this name: `ForceVerlet` (positions from the last two, with the forces of springs), `ConstraintVerlet` (lengths corrected, then positions from the last two), `PositionVerlet` (like ForceVerlet, but with a first step of order 2), `VelocityVerlet` (half a kick, a drift, half a kick) and `StormerVerlet` (half a drift, a kick, half a drift); assignment 8 of GAMES101 means the first two: explicit Verlet, and Verlet with constraints";

const EULER: &str = "three methods have this name: `ExplicitEuler` (positions move with the old velocity; swings gain energy at every step size), `SemiImplicitEuler` (positions move with the new velocity) and `ImplicitEuler` (solves for the end of the step, with strong damping); assignment 8 of GAMES101 means the first two";

/// Names of methods, with the advice about each.
const METHODS: &[(&str, &str)] = &[
    ("Verlet", VERLET),
    ("simulateVerlet", VERLET),
    ("verlet_integration", VERLET),
    ("Verlet(damping: 0.00005)", VERLET),
    ("Euler", EULER),
    ("simulateEuler", EULER),
    ("Explicit", "this is `ExplicitEuler`"),
    ("ForwardEuler", "this is `ExplicitEuler`"),
    (
        "ExplicitVerlet",
        "explicit Verlet is `ForceVerlet` with spring forces, and `ConstraintVerlet` with length constraints",
    ),
    (
        "Implicit",
        "`ImplicitEuler` evaluates the forces at the end of the step. If only the position uses the new velocity, it is `SemiImplicitEuler`",
    ),
    (
        "Semi",
        "this is `SemiImplicitEuler`: the velocity first, then the position with the new velocity",
    ),
    (
        "Euler_Cromer",
        "this is `SemiImplicitEuler`: the velocity first, then the position with the new velocity",
    ),
    (
        "Symplectic",
        "symplectic Euler is `SemiImplicitEuler`; `VelocityVerlet` has order 2, and `Yoshida4` order 4",
    ),
    ("RK4", "did you mean `Rk4`?"),
    ("RungeKutta", "this is `Rk4`"),
    ("RK2", "`Midpoint` and `Heun` evaluate two slopes per step"),
    ("RK45", "`DormandPrince` divides each step until its error is within a tolerance"),
    ("midpoint", "did you mean `Midpoint`?"),
    ("LeapFrog", "did you mean `Leapfrog`?"),
    ("semi_implicit_euler", "did you mean `SemiImplicitEuler`?"),
    ("PBD", "did you mean `Pbd`?"),
    ("AB3", "this is `AdamsBashforth3`; for the velocity only, `LectureAdamsBashforth3`"),
    (
        "AdamsBashforth",
        "`AdamsBashforth2`, `AdamsBashforth3` and `AdamsBashforth4` have that order; `LectureAdamsBashforth2` and `LectureAdamsBashforth3` use it for the velocity only",
    ),
    (
        "PredictorCorrector",
        "`AdamsBashforthMoulton2`, `AdamsBashforthMoulton3` and `AdamsBashforthMoulton4` predict and correct; `LecturePredictorCorrector` is the one in lecture notes: semi-implicit Euler predicts, trapezoids correct",
    ),
    ("Stormer", "this is `StormerVerlet`"),
];

/// Fields and their values, with the advice about each in the `base` of a rope scene, and with
/// `--set`.
const FIELDS: &[(&str, &str, &str, &str)] = &[
    (
        "stiffness",
        "5",
        "`stiffness` is a field of `rope`: write `rope: (stiffness: …)`",
        "did you mean --set rope.stiffness=5?",
    ),
    (
        "mass",
        "2",
        "`mass` is a field of `rope`: write `rope: (mass: …)`",
        "did you mean --set rope.mass=2?",
    ),
    (
        "nodes",
        "8",
        "`nodes` is a field of `rope`: write `rope: (nodes: …)`",
        "did you mean --set rope.nodes=8?",
    ),
    (
        "pins",
        "[0]",
        "`pins` is a field of `rope`: write `rope: (pins: …)`",
        "did you mean --set rope.pins=[0]?",
    ),
    (
        "length",
        "400",
        "`length` is a field of `rope`: write `rope: (length: …)`",
        "did you mean --set rope.length=400?",
    ),
    (
        "damping",
        "0.1",
        "write `drag: …` for air resistance on every node, or `rope: (damping: …)` for friction inside springs; the fraction of motion that Verlet removes in each step is an option of the method: `ConstraintVerlet(damping: …)`",
        "write --set drag=0.1 for air resistance on every node, or --set rope.damping=0.1 for friction inside springs; the fraction of motion that Verlet removes in each step is an option of the method: `ConstraintVerlet(damping: …)`",
    ),
    (
        "dt",
        "0.01",
        "dt = frame_time / substeps; set one of them",
        "dt = frame_time / substeps; set one of them",
    ),
    (
        "timeStep",
        "0.01",
        "dt = frame_time / substeps; set one of them",
        "dt = frame_time / substeps; set one of them",
    ),
    (
        "k",
        "100",
        "`k` is called `stiffness` here: write `rope: (stiffness: …)`",
        "`k` is called `stiffness` here: write --set rope.stiffness=100",
    ),
    (
        "m",
        "1",
        "`m` is called `mass` here: write `rope: (mass: …)`",
        "`m` is called `mass` here: write --set rope.mass=1",
    ),
    (
        "node_mass",
        "1",
        "`node_mass` is called `mass` here: write `rope: (mass: …)`",
        "`node_mass` is called `mass` here: write --set rope.mass=1",
    ),
    (
        "g",
        "(0,-1)",
        "`g` is called `gravity` here: write `gravity: …`; a vector, such as (0, -9.81)",
        "`g` is called `gravity` here: write --set gravity=(0,-1); a vector, such as (0, -9.81)",
    ),
    (
        "steps",
        "64",
        "`steps` is called `substeps` here: write `substeps: …`",
        "`steps` is called `substeps` here: write --set substeps=64",
    ),
    (
        "steps_per_frame",
        "64",
        "`steps_per_frame` is called `substeps` here: write `substeps: …`",
        "`steps_per_frame` is called `substeps` here: write --set substeps=64",
    ),
    (
        "num_nodes",
        "3",
        "`num_nodes` is called `nodes` here: write `rope: (nodes: …)`",
        "`num_nodes` is called `nodes` here: write --set rope.nodes=3",
    ),
    (
        "pinned",
        "[0]",
        "`pinned` is called `pins` here: write `rope: (pins: …)`",
        "`pinned` is called `pins` here: write --set rope.pins=[0]",
    ),
    (
        "method",
        "Rk4",
        "`method` is called `integrator` here: write `integrator: …`",
        "`method` is called `integrator` here: write --set integrator=Rk4",
    ),
];

/// Scenes of other bodies, with the advice about each.
const BODIES: &[(&str, &str)] = &[
    (
        "Scene(base: (cloth: (), stiffness: 5))",
        "`stiffness` is a field of `cloth`: write `cloth: (stiffness: …)`",
    ),
    (
        "Scene(base: (net: (corner: (0, 0), across: (1, 0), down: (0, -1)), mass: 5))",
        "`mass` is a field of `net`: write `net: (mass: …)`",
    ),
    (
        "Scene(base: (bodies: [(with: (cloth: (), mass: 3))]))",
        "`mass` is a field of `cloth`: write `cloth: (mass: …)`",
    ),
    (
        "Scene(base: (rope: (nodes: 3)), panels: [(with: (cloth: ())), (with: (mass: 3))])",
        "`mass` is a field of `rope`: write `rope: (mass: …)`",
    ),
    (
        "Scene(base: (rope: (nodes: 3)), panels: [(label: \"a\", damping: 0.1)])",
        "write `with: (drag: …)` for air resistance on every node, or `with: (rope: (damping: …))` for friction inside springs; the fraction of motion that Verlet removes in each step is an option of the method: `ConstraintVerlet(damping: …)`",
    ),
    ("Scene(base: (rope: (k: 5)))", "`k` is called `stiffness` here: write `stiffness: …`"),
    (
        "Scene(base: (integrator: \"Euler\"))",
        "three methods have this name: `ExplicitEuler` (positions move with the old velocity",
    ),
    ("Scene(base: (gravity: -9.81))", "gravity is a vector: (0, -9.81) points down; "),
    (
        "Scene(base: (iterations: 5))",
        "`iterations` is an option of `ConstraintVerlet`, `Shake`, `Pbd`, `Xpbd`, `ImplicitEuler` and `ImplicitMidpoint`: write it in parentheses after the name, as in `integrator: ConstraintVerlet(iterations: …)`",
    ),
    (
        "Scene(base: (rope: (via: [(0, 0)])))",
        "`via` is an option of `Rest`: write it in parentheses after the name, as in `shape: Rest(via: …)`",
    ),
    ("Scene(base: (rope: (turns: 3)))", "`turns` is a field of `rod`"),
    ("Scene(base: (rope: (law: Linear)))", "a linear spring is `Hooke`"),
    ("Scene(base: (colliders: [Floor()]))", "this is a `Plane`"),
    (
        "Scene(base: (forces: [Gravity()]))",
        "gravity, wind and drag are fields of their own: `gravity: (0, -1)`, `wind: (1, 0)`, `drag: 0.01`",
    ),
];

#[test]
fn methods_from_homework_are_answered_with_those_of_a_scene() {
    for (name, expected) in METHODS {
        let found = help(&format!("Scene(base: (integrator: {name}, rope: (nodes: 3)))"), &[]);
        assert_eq!(found, *expected, "{name}");
    }
}

#[test]
fn fields_from_homework_are_answered_for_the_body_of_the_scene() {
    let rope = "Scene(base: (rope: (nodes: 3)))";
    for (name, value, written, set) in FIELDS {
        let scene = format!("Scene(base: (rope: (nodes: 3), {name}: {value}))");
        assert_eq!(help(&scene, &[]), *written, "{name}");
        let panel = format!("Scene(panels: [(with: (rope: (nodes: 3), {name}: {value}))])");
        assert_eq!(help(&panel, &[]), *written, "{name} in a panel");
        assert_eq!(help(rope, &[&format!("{name}={value}")]), *set, "{name}");
    }
    let both = "Scene(panels: [(with: (rope: (nodes: 3))), (with: (cloth: ()))])";
    assert_eq!(
        help(both, &["stiffness=5"]),
        "did you mean --set rope.stiffness=5 or --set cloth.stiffness=5?"
    );
    for (scene, expected) in BODIES {
        let found = help(scene, &[]);
        let is_whole = !expected.ends_with("; ") && !expected.ends_with("velocity");
        assert!(found == *expected || !is_whole && found.starts_with(expected), "{scene}: {found}");
    }
}
