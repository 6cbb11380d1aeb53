//! Examples of things: contents of `base: (…)`. Things without an example need only their defaults.

/// Kind, name and example of a thing.
pub(super) const THING_EXAMPLES: &[(&str, &str, &str)] = &[
    ("shape", "Straight", "rope: (start: (0, 200), end: (-400, 200), shape: Straight)"),
    (
        "shape",
        "Hanging",
        "rope: (start: (-200, 0), end: (200, 0), shape: Hanging, length: 500, pins: [First, Last])",
    ),
    ("shape", "Arc", "rope: (start: (-200, 0), end: (200, 0), shape: Arc(height: 80))"),
    (
        "shape",
        "Helix",
        "gravity: (0, -9.81, 0), rope: (start: (0, 1, 0), end: (1, 1, 0), nodes: 61, \
         shape: Helix(turns: 6, radius: 0.1))",
    ),
    ("shape", "Ring", "rope: (start: (-100, 0), end: (100, 0), shape: Ring, pins: [])"),
    (
        "shape",
        "Points",
        "rope: (shape: Points(points: [(0, 0), (100, 50), (200, 0)], closed: false))",
    ),
    (
        "shape",
        "Curve",
        "rope: (shape: Curve(curve: CatmullRom(keys: [(0, (0, 0)), (1, (100, 50)), (2, (200, 0))])))",
    ),
    (
        "shape",
        "Knot",
        "gravity: (0, 0, 0), rope: (start: (-1, 0, 0), end: (1, 0, 0), nodes: 81, \
         shape: Knot(name: Overhand, size: 1.2))",
    ),
    ("shape", "File", "rope: (shape: File(file: \"points.csv\", closed: false))"),
    (
        "step control",
        "StepDoubling",
        "integrator: Rk4, step_control: StepDoubling(tolerance: 0.000001)",
    ),
    ("spring law", "Hooke", "rope: (law: Hooke, stiffness: 100)"),
    ("spring law", "Exponential", "rope: (law: Exponential(alpha: 2), stiffness: 100)"),
    (
        "spring law",
        "PiecewiseLinear",
        "rope: (law: PiecewiseLinear(points: [(0.1, 0.1), (0.2, 1)]), stiffness: 100)",
    ),
    (
        "spring law",
        "Plastic",
        "rope: (law: Plastic(yield_strain: 0.05, hardening: 0.1), stiffness: 100)",
    ),
    ("material", "Steel", "rope: (material: Steel, area: 0.0001)"),
    ("material", "Rubber", "rope: (material: Rubber, area: 0.0001)"),
    ("material", "Cotton", "rope: (material: Cotton, area: 0.0001)"),
    ("material", "Elastic", "rope: (material: Elastic(young: 2e9, density: 1150), area: 0.0001)"),
    ("force", "PointForce", "forces: [PointForce(node: Last, force: (5, 0), from: 10, until: 20)]"),
    (
        "force",
        "PenaltyGround",
        "forces: [PenaltyGround(height: -150, repulsion: 100, friction: 0.2, absorption: 2)]",
    ),
    (
        "collider",
        "Plane",
        "colliders: [Plane(point: (0, -150), normal: (0, 1), restitution: 0.2, friction: 0.5)]",
    ),
    (
        "collider",
        "Sphere",
        "colliders: [Sphere(center: (-100, 0), radius: 60, restitution: 0.2, friction: 0.5)]",
    ),
    (
        "collider",
        "Capsule",
        "colliders: [Capsule(a: (-200, 0), b: (-100, 20), radius: 30, friction: 0.5)]",
    ),
    (
        "collider",
        "Box",
        "colliders: [Box(center: (-150, 0), size: (120, 40), along: (1, 0.2), friction: 0.5)]",
    ),
    (
        "collider",
        "Moving",
        "colliders: [Moving(of: Sphere(center: (0, 0), radius: 40), \
         along: Linear(keys: [(0, (-400, 0)), (60, (0, 0))]), turn: [(0, 0), (60, 360)])]",
    ),
    (
        "curve",
        "Linear",
        "anchors: [(node: First, curve: Linear(keys: [(0, (0, 200)), (30, (100, 200))]))]",
    ),
    ("curve", "Step", "gravity: Step(keys: [(0, (0, -1)), (60, (1, 0))])"),
    (
        "curve",
        "Hermite",
        "anchors: [(node: First, curve: Hermite(keys: [(0, (0, 200), (0, 0)), (30, (100, 200), (5, 0))]))]",
    ),
    (
        "curve",
        "CatmullRom",
        "anchors: [(node: First, curve: CatmullRom(keys: [(0, (0, 200)), (30, (80, 240)), (60, (0, 200))]))]",
    ),
    (
        "curve",
        "Bezier",
        "anchors: [(node: First, curve: Bezier(start: 0, end: 60, \
         points: [(0, 200), (0, 260), (80, 260), (80, 200)]))]",
    ),
    (
        "curve",
        "BSpline",
        "anchors: [(node: First, curve: BSpline(degree: 3, end: 60, clamped: true, \
         points: [(0, 200), (40, 240), (80, 240), (120, 200)]))]",
    ),
    (
        "curve",
        "Keys",
        "anchors: [(node: First, curve: Keys(keys: [(0, (0, 200)), (20, (60, 200), CatmullRom), \
         (40, (0, 200))], repeat: Loop))]",
    ),
    (
        "curve",
        "Gusts",
        "drag: 0.02, wind: Gusts(mean: (7, 0), strength: 1.6, period: 1.5, seed: 7)",
    ),
    ("action", "Release", "events: [(at: 30, do: Release(node: First))]"),
    ("action", "Pin", "events: [(at: 30, do: Pin(node: Last))]"),
    ("action", "Cut", "events: [(at: 30, do: Cut(a: 7, b: 8))]"),
    ("action", "Join", "events: [(at: 30, do: Join(a: First, b: Last, stiffness: 100))]"),
    ("action", "Impulse", "events: [(at: 30, do: Impulse(node: Last, impulse: (20, 0)))]"),
    ("action", "Gravity", "events: [(at: 30, do: Gravity(acceleration: (0, 1)))]"),
    ("action", "Wind", "drag: 0.02, events: [(at: 30, do: Wind(velocity: (20, 0)))]"),
    (
        "condition",
        "Tension",
        "events: [(when: Tension(a: 0, b: 1, above: 60), do: Cut(a: 0, b: 1))]",
    ),
    ("condition", "Length", "events: [(when: Length(above: 450), do: Release(node: First))]"),
    (
        "condition",
        "Distance",
        "events: [(when: Distance(a: First, b: Last, below: 200), do: Pin(node: Last))]",
    ),
    (
        "collider",
        "OnBone",
        "gravity: (0, -9.81, 0), cloth: (corner: (-0.5, 1, 0), across: (1, 0, 0), down: (0, 0, 1), rows: 9, columns: 9), \
         rig: (bones: [(name: \"arm\", place: (0, 0.5, 0), turn: [(0, 0), (1, 40)])]), \
         colliders: [OnBone(bone: \"arm\", of: Capsule(a: (0, 0, 0), b: (0.4, 0, 0), radius: 0.05))]",
    ),
    (
        "rotation",
        "About",
        "gravity: (0, -9.81, 0), rig: (bones: [(name: \"arm\", length: 1)], turn: About(axis: (0, 1, 0), angle: [(0, 0), (2, 90)]))",
    ),
    (
        "rotation",
        "Quaternion",
        "gravity: (0, -9.81, 0), rig: (bones: [(name: \"arm\", length: 1)], turn: Quaternion(0, 0.6, 0, 0.8))",
    ),
    (
        "skin",
        "Tube",
        "gravity: (0, -9.81, 0), rig: (bones: [(name: \"arm\", length: 1)], skin: Tube(radius: 0.05, from: \"arm\"))",
    ),
    (
        "curve of colours",
        "Colors",
        "style: (color: Colors(space: Oklab, keys: [(0, \"orange\"), (10, \"navy\")]))",
    ),
];
