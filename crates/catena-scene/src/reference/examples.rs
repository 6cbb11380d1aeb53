//! Examples of fields and things: contents of `base: (…)` in a scene that uses them.
//!
//! Fields without an example show their default, and things without an example need only their
//! defaults.

/// Example in a scene in space.
macro_rules! space {
    ($text:literal) => {
        concat!("gravity: (0, -9.81, 0), ", $text)
    };
}

/// Example with a cloth in space.
macro_rules! hanging {
    ($text:literal) => {
        concat!("gravity: (0, -9.81, 0), cloth: (corner: (-0.5, 0, 0), across: (1, 0, 0), down: (0, -1, 0), rows: 11, columns: 11", $text)
    };
}

/// Example with a rod in space.
macro_rules! rod {
    ($text:literal) => {
        concat!("gravity: (0, -1, 0), rope: (start: (0, 0, 0), end: (2, 0, 0), rod: (", $text, "))")
    };
}

/// Example with a cloth in the plane.
macro_rules! cloth {
    ($text:literal) => {
        concat!(
            "cloth: (corner: (0, 0), across: (200, 0), down: (0, -200), rows: 11, columns: 11",
            $text,
            ")"
        )
    };
}

/// Example with a net in the plane.
macro_rules! net {
    ($text:literal) => {
        concat!(
            "net: (corner: (0, 0), across: (200, 0), down: (0, -100), rows: 5, columns: 10",
            $text,
            ")"
        )
    };
}

/// Example with a mesh from a file.
macro_rules! mesh {
    ($text:literal) => {
        concat!("gravity: (0, -9.81, 0), mesh: (file: \"cape.obj\"", $text, ")")
    };
}

/// Example with a triangle of nodes.
macro_rules! solid {
    ($text:literal) => {
        concat!("gravity: (0, -9.81, 0), solid: (shape: Box(size: (1, 2, 3))", $text, ")")
    };
}
macro_rules! graph {
    ($text:literal) => {
        concat!("graph: (nodes: [(0, 0), (100, 0), (100, 100)], springs: [(0, 1), (1, 2, 500), (2, 0, 500, 150)]", $text, ")")
    };
}

/// Example with a skeleton of two bones.
macro_rules! rig {
    ($text:literal) => {
        concat!(
            "gravity: (0, -9.81, 0), rig: (bones: [(name: \"arm\", place: (0, 1, 0), turn: [(0, -70), (1, 40)]), \
             (name: \"hand\", parent: \"arm\", place: (0.4, 0, 0), length: 0.2)]",
            $text,
            ")"
        )
    };
}

/// Path of a field, and its example.
pub(super) const FIELD_EXAMPLES: &[(&str, &str)] = &[
    ("size", "size: (1920, 1080)"),
    ("frames", "frames: 240"),
    ("frame_time", "frame_time: 0.016666666666666666"),
    ("background", "background: \"#101418\""),
    ("decoration", "decoration: Bare"),
    ("columns", "columns: 2"),
    ("fit", "fit: Reach"),
    ("motion_blur.samples", "motion_blur: (samples: 32)"),
    ("motion_blur.shutter", "motion_blur: (shutter: 360)"),
    ("view.center", "view: (center: (-100, 0), extent: (800, 450))"),
    ("view.extent", "view: (center: (-100, 0), extent: (800, 450))"),
    ("camera.projection", space!("camera: (projection: Orthographic, eye: (2, 1, 4), height: 3)")),
    ("camera.eye", space!("camera: (eye: (2, 1, 4), target: (0, 0, 0))")),
    ("camera.target", space!("camera: (eye: (2, 1, 4), target: (0, 0.5, 0))")),
    ("camera.turntable", space!("camera: (eye: (0, 1, 4), turntable: 8)")),
    ("camera.up", space!("camera: (eye: (0, 4, 0.1), up: (0, 0, -1))")),
    ("camera.field_of_view", space!("camera: (eye: (0, 1, 4), field_of_view: 35)")),
    ("camera.height", space!("camera: (projection: Orthographic, eye: (2, 1, 4), height: 3)")),
    ("camera.aspect", space!("camera: (eye: (0, 1, 4), aspect: 1.6)")),
    ("ground.height", space!("ground: (height: -1.5, size: 20)")),
    ("ground.size", space!("ground: (height: -1.5, size: 20)")),
    ("ground.near", space!("ground: (height: -1.5, size: 20, near: \"#d8d4c8\")")),
    ("ground.far", space!("ground: (height: -1.5, size: 20, far: \"#f4f5f7\")")),
    ("ground.shadow", space!("ground: (height: -1.5, size: 20, shadow: \"#707070\")")),
    ("light.direction", space!("light: (direction: (-1, 2, 1))")),
    ("light.sun", space!("ground: (height: -1.5, size: 20), light: (sun: 1.4, sky: 0.7)")),
    ("light.sky", space!("ground: (height: -1.5, size: 20), light: (sun: 1.4, sky: 0.7)")),
    ("light.color", space!("light: (color: \"#ffe9cc\")")),
    ("light.softness", space!("ground: (height: -1.5, size: 20), light: (softness: 3)")),
    ("rest.speed", "rest: (speed: 0.001, frames: 60)"),
    ("rest.frames", "rest: (speed: 0.001, frames: 60)"),
    ("rest.limit", "rest: (limit: 5000)"),
    (
        "bodies",
        "bodies: [(label: \"Euler\", with: (integrator: SemiImplicitEuler)), (label: \"Rk4\", with: (integrator: Rk4))]",
    ),
    ("gravity", "gravity: (0, -9.81)"),
    ("substeps", "substeps: 128"),
    ("max_dt", "frame_time: 0.016, max_dt: 0.002"),
    ("integrator", "integrator: ConstraintVerlet(damping: 0.00005)"),
    ("step_control", "integrator: Rk4, step_control: StabilityLimit(safety: 0.9)"),
    ("drag", "drag: 0.01"),
    ("wind", "drag: 0.01, wind: (5, 0)"),
    ("velocity_factor", "velocity_factor: 0.9999"),
    ("position_factor", "position_factor: 0.9999"),
    ("forces", "forces: [PointForce(node: Last, force: (5, 0), from: 10, until: 20)]"),
    ("slips", "rope: (mass: 2), slips: [GravityAsForce]"),
    ("impulses", "impulses: [(node: Last, at: 10, impulse: (20, 0))]"),
    ("anchors", "anchors: [(node: First, curve: Linear(keys: [(0, (0, 200)), (30, (100, 200))]))]"),
    ("events", "events: [(at: 30, do: Release(node: First))]"),
    ("colliders", "colliders: [Plane(point: (0, -150), normal: (0, 1), friction: 0.5)]"),
    (
        "contact.of",
        space!("rope: (start: (0, 1, 0), end: (0, 0, 0)), contact: (of: Drawn, thickness: 0.02)"),
    ),
    ("contact.radius", "colliders: [Sphere(center: (-100, 0), radius: 60)], contact: (radius: 4)"),
    ("contact.thickness", "contact: (thickness: 10)"),
    ("contact.restitution", "contact: (thickness: 10, restitution: 0.2)"),
    (
        "contact.viscous",
        "rope: (start: (-2, 1), end: (2, 1), nodes: 9), colliders: [Plane(point: (0, 0), normal: (0, 1))], contact: (viscous: 0.3)",
    ),
    ("contact.friction", "contact: (thickness: 10, friction: 0.4)"),
    ("reference.file", "reference: (file: \"mine.csv\")"),
    ("reference.columns", "reference: (file: \"mine.csv\", columns: \"frame,node,x,y\")"),
    ("reference.label", "reference: (file: \"mine.csv\", label: \"my program\")"),
    ("reference.node", "reference: (file: \"point.csv\", node: 7)"),
    ("reference.first_node", "reference: (file: \"mine.csv\", first_node: 0)"),
    ("reference.node_order", "reference: (file: \"mine.csv\", node_order: Reversed)"),
    ("reference.first_frame", "reference: (file: \"mine.csv\", first_frame: 1)"),
    ("reference.y", "reference: (file: \"mine.csv\", y: Down)"),
    ("reference.panel", "reference: (file: \"mine.csv\", panel: 0, body: 1)"),
    ("reference.body", "reference: (file: \"mine.csv\", panel: 0, body: 1)"),
    ("reference.scale", "reference: (file: \"mine.csv\", scale: 0.01)"),
    (
        "reference.translate",
        "reference: (file: \"mine.csv\", y: Down, scale: 0.5, translate: (-320, 240))",
    ),
    ("rope.start", "rope: (start: (0, 200), end: (-400, 200))"),
    ("rope.end", "rope: (start: (0, 200), end: (-400, 200))"),
    ("rope.shape", "rope: (start: (-200, 0), end: (200, 0), shape: Arc(height: 80))"),
    (
        "rope.length",
        "rope: (start: (-200, 0), end: (200, 0), shape: Hanging, length: 500, pins: [First, Last])",
    ),
    ("rope.nodes", "rope: (nodes: 33)"),
    ("rope.stiffness", "rope: (stiffness: 500)"),
    ("rope.mass", "rope: (mass: 0.5)"),
    ("rope.material", "rope: (material: Steel, area: 0.0001)"),
    ("rope.area", "rope: (material: Rubber, area: 0.0004)"),
    ("rope.bending", "rope: (bending: 20)"),
    ("rope.rod.bending", "rope: (rod: (bending: 5000, clamps: [(node: First)]))"),
    ("rope.rod.bending_across", rod!("bending: 1, bending_across: 20, torsion: 1")),
    ("rope.rod.torsion", rod!("bending: 1, torsion: 0.8")),
    ("rope.rod.axial", "rope: (rod: (bending: 5000, axial: 20000))"),
    ("rope.rod.radius", "rope: (material: Steel, rod: (radius: 0.01))"),
    ("rope.rod.inner", "rope: (material: Steel, rod: (radius: 0.01, inner: 0.008))"),
    ("rope.rod.width", "rope: (material: Steel, rod: (width: 0.02, height: 0.001))"),
    ("rope.rod.height", "rope: (material: Steel, rod: (width: 0.02, height: 0.001))"),
    ("rope.rod.normal", rod!("bending: 1, bending_across: 20, normal: (0, 0, 1)")),
    ("rope.rod.poisson", "rope: (material: Steel, rod: (radius: 0.01, poisson: 0.29))"),
    ("rope.rod.curvature", "rope: (rod: (bending: 5000, curvature: 0.002))"),
    ("rope.rod.inertia", rod!("bending: 1, torsion: 1, inertia: 0.01")),
    ("rope.rod.twist", rod!("bending: 1, torsion: 1, twist: 0.1")),
    (
        "rope.rod.turns",
        "gravity: (0, -1, 0), rope: (start: (-1, 0, 0), end: (1, 0, 0), shape: Ring, pins: [], rod: (bending: 1, torsion: 1, turns: 3))",
    ),
    (
        "rope.rod.clamps",
        rod!(
            "bending: 1, torsion: 1, clamps: [(node: First), (node: Last, turn: [(0, 0), (4, 3)])]"
        ),
    ),
    ("rope.pins", "rope: (pins: [First, Last])"),
    ("rope.material_damping", "rope: (material: Rubber, area: 0.0004, material_damping: true)"),
    ("rope.damping", "rope: (damping: 0.5)"),
    ("rope.friction", "rope: (friction: 0.2)"),
    ("rope.law", "rope: (law: Exponential(alpha: 2))"),
    ("rope.breaks_at", "rope: (breaks_at: 0.3)"),
    ("rope.last_node", "rope: (last_node: OneSpacingShort)"),
    ("rope.taper.mass", "rope: (taper: (mass: (1, 0.1)))"),
    ("rope.taper.stiffness", "rope: (taper: (stiffness: (1, 0.5)))"),
    (
        "rope.ranges",
        "rope: (ranges: [(from: 0, to: 4, mass: 5), (from: 4, to: 8, stiffness: 500)])",
    ),
    ("rope.weights", "rope: (weights: [(node: Last, mass: 20)])"),
    ("cloth.corner", cloth!("")),
    ("cloth.across", cloth!("")),
    ("cloth.down", cloth!("")),
    ("cloth.rows", cloth!("")),
    ("cloth.columns", cloth!("")),
    ("cloth.stiffness", cloth!(", stiffness: 500")),
    ("cloth.mass", cloth!(", mass: 0.5")),
    ("cloth.material", cloth!(", material: Rubber, thickness: 0.001")),
    ("cloth.thickness", cloth!(", material: Rubber, thickness: 0.001")),
    ("cloth.poisson", cloth!(", poisson: 0.3")),
    ("cloth.pins", cloth!(", pins: TopCorners")),
    ("cloth.weights", cloth!(", weights: [(node: (10, 5), mass: 20)]")),
    ("cloth.damping", cloth!(", damping: 0.5")),
    ("cloth.law", cloth!(", law: Exponential(alpha: 2)")),
    ("cloth.breaks_at", cloth!(", breaks_at: 0.3")),
    ("mesh.file", mesh!("")),
    ("mesh.stiffness", mesh!(", stiffness: 500")),
    ("mesh.mass", mesh!(", mass: 0.002")),
    ("mesh.density", mesh!(", density: 0.2")),
    ("mesh.bending", mesh!(", bending: 0.5")),
    ("mesh.pins", mesh!(", pins: [\"collar\"]")),
    ("mesh.weights", mesh!(", weights: [(node: Last, mass: 0.1)]")),
    ("mesh.scale", mesh!(", scale: 0.01")),
    ("mesh.merge", mesh!(", merge: 1e-6")),
    ("mesh.translate", mesh!(", translate: (0, 1, 0)")),
    ("mesh.damping", mesh!(", damping: 0.01")),
    ("mesh.law", mesh!(", law: Exponential(alpha: 2)")),
    ("mesh.breaks_at", mesh!(", breaks_at: 0.3")),
    ("graph.nodes", graph!("")),
    ("graph.springs", graph!("")),
    (
        "graph.adjacency",
        "graph: (nodes: [(0, 0), (100, 0), (100, 100)], adjacency: [[0, 1, 0], [1, 0, 5], [0, 5, 0]])",
    ),
    (
        "graph.lengths",
        "graph: (nodes: [(0, 0), (100, 0)], adjacency: [[0, 1], [1, 0]], lengths: [[0, 80], [80, 0]])",
    ),
    ("graph.stiffness", graph!(", stiffness: 200")),
    ("graph.mass", graph!(", mass: 0.5")),
    ("graph.pins", graph!(", pins: [First]")),
    ("graph.weights", graph!(", weights: [(node: Last, mass: 20)]")),
    ("graph.damping", graph!(", damping: 0.5")),
    ("graph.law", graph!(", law: Exponential(alpha: 2)")),
    ("graph.breaks_at", graph!(", breaks_at: 0.3")),
    ("solid.shape", solid!("")),
    ("solid.mass", solid!(", mass: 5")),
    ("solid.at", solid!(", at: (0, 1, 0)")),
    ("solid.turn", solid!(", turn: 30")),
    ("solid.axis", solid!(", turn: 30, axis: (1, 0, 0)")),
    ("solid.velocity", solid!(", velocity: (1, 0, 0)")),
    ("solid.spin", solid!(", spin: 2")),
    ("solid.spin_axis", solid!(", spin: 2, spin_axis: (0, 1, 0)")),
    ("solid.points", solid!(", points: [(0, 1, 0)]")),
    ("solid.stiffness", solid!(", stiffness: 1000")),
    ("solid.pins", solid!(", points: [(0, 1, 0)], pins: [1]")),
    ("net.corner", net!("")),
    ("net.across", net!("")),
    ("net.down", net!("")),
    ("net.rows", net!("")),
    ("net.columns", net!("")),
    ("net.mesh", net!(", mesh: Diamond")),
    ("net.strands", net!(", strands: 3")),
    ("net.stiffness", net!(", stiffness: 500")),
    ("net.mass", net!(", mass: 0.5")),
    ("net.pins", net!(", pins: TopEdge")),
    ("net.damping", net!(", damping: 0.5")),
    ("net.law", net!(", law: Exponential(alpha: 2)")),
    ("net.breaks_at", net!(", breaks_at: 0.3")),
    (
        "parts",
        "parts: [(name: \"string\", repeat: 3, shift: (100, 0), with: (rope: (start: (0, 0), end: (0, -200), pins: [First])))]",
    ),
    (
        "part_changes",
        "parts: [(name: \"line\", with: (rope: (start: (0, 0), end: (200, 0), pins: [First])))], \
         part_changes: [(name: \"line\", with: (rope: (mass: 2)))]",
    ),
    (
        "joins",
        "parts: [(name: \"line\", with: (rope: (start: (0, 0), end: (200, 0), pins: [First, Last]))), \
         (name: \"tail\", with: (rope: (start: (200, 0), end: (200, -100), pins: [])))], joins: [Touching]",
    ),
    (
        "velocities",
        "velocities: [(velocity: (5, 0)), (node: Last, velocity: (0, 10)), (spin: 0.1, about: (0, 200))]",
    ),
    ("rig.file", space!("rig: (file: \"figure.glb\", layers: [(clip: \"Walk\")])")),
    ("rig.bones", rig!("")),
    (
        "rig.clips",
        rig!(
            ", clips: [(name: \"wave\", tracks: [(bone: \"hand\", turn: [(0, 0), (1, 60), (2, 0)])])], layers: [(clip: \"wave\")]"
        ),
    ),
    ("rig.layers", space!("rig: (file: \"figure.glb\", layers: [(clip: \"Walk\", speed: 1.5)])")),
    ("rig.place", rig!(", place: (0, 0.5, 0)")),
    ("rig.turn", rig!(", turn: About(axis: (0, 1, 0), angle: 90)")),
    ("rig.scale", rig!(", scale: 2")),
    ("rig.warm_up", rig!(", warm_up: 1.5")),
    ("rig.skin", rig!(", skin: Tube(radius: 0.05, from: \"arm\")")),
    ("rig.skinning", rig!(", skin: Tube(radius: 0.05, from: \"arm\"), skinning: DualQuaternion")),
    ("rig.show", rig!(", show: Bones")),
    ("rig.color", rig!(", color: \"#c58c5c\"")),
    ("rig.bone_width", rig!(", bone_width: 6")),
    ("style.color", "style: (color: \"crimson\")"),
    ("style.line_width", "style: (line_width: 8)"),
    ("style.thickness", space!("style: (thickness: 0.05)")),
    ("style.strands", space!("style: (thickness: 0.05, strands: 3)")),
    ("style.lay", space!("style: (thickness: 0.05, strands: 3, lay: 0.3)")),
    ("style.node_size", "style: (node_size: 20)"),
    ("style.node_shape", "style: (node_shape: Square)"),
    ("style.color_by", "style: (color_by: Tension)"),
    ("style.color_range", "style: (color_by: Tension, color_range: (0, 50))"),
    ("style.ghosts", "style: (ghosts: 5, ghost_gap: 3)"),
    ("style.ghost_gap", "style: (ghosts: 5, ghost_gap: 3)"),
    ("style.trails", "style: (trails: [Last], trail_frames: 90)"),
    ("style.trail_frames", "style: (trails: [Last], trail_frames: 90)"),
    ("style.surface", hanging!(", pins: TopEdge), style: (surface: Facets)")),
    ("style.pattern", hanging!(", pins: TopEdge), style: (surface: Facets, pattern: Checks)")),
    (
        "style.pattern_cells",
        hanging!(", pins: TopEdge), style: (surface: Facets, pattern: Checks, pattern_cells: 1)"),
    ),
    ("style.mark_pins", "style: (mark_pins: false)"),
    (
        "style.paths",
        "anchors: [(node: 0, curve: Linear(keys: [(0, (0, 200)), (60, (100, 200))]))], style: (paths: true)",
    ),
    ("style.arrows", "style: (arrows: Pins)"),
    ("style.arrow_scale", "style: (arrows: Pins, arrow_scale: 2)"),
    (
        "style.collider_color",
        space!(
            "colliders: [Sphere(center: (0, -1, 0), radius: 0.5)], style: (collider_color: \"#c9a26b\")"
        ),
    ),
    (
        "style.collider_gloss",
        space!(
            "colliders: [Sphere(center: (0, -1, 0), radius: 0.5)], style: (collider_gloss: 0.8)"
        ),
    ),
];

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
        "shape",
        "Rest",
        "rope: (start: (-200, 0), end: (200, 0), shape: Rest(via: [(0, 50)]), length: 500, pins: [First, Last])",
    ),
    (
        "step control",
        "StepDoubling",
        "integrator: Rk4, step_control: StepDoubling(tolerance: 0.000001)",
    ),
    ("spring law", "Hooke", "rope: (law: Hooke, stiffness: 100)"),
    ("spring law", "Exponential", "rope: (law: Exponential(alpha: 2), stiffness: 100)"),
    ("spring law", "StrainExponential", "rope: (law: StrainExponential(alpha: 2), stiffness: 100)"),
    ("spring law", "TensionOnly", "rope: (law: TensionOnly, stiffness: 100)"),
    (
        "spring law",
        "Viscoelastic",
        "rope: (law: Viscoelastic(creep: 0.5, time: 20), stiffness: 100)",
    ),
    (
        "spring law",
        "PiecewiseLinear",
        "rope: (law: PiecewiseLinear(points: [(0.1, 0.1), (0.2, 1)]), stiffness: 100)",
    ),
    ("spring law", "Dahl", "rope: (law: Dahl(yield_strain: 0.05, hardening: 0.1), stiffness: 100)"),
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
        "LineDrag",
        "forces: [LineDrag(density: 1025, diameter: 0.02, flow: Uniform(velocity: (0.5, 0)))]",
    ),
    (
        "force",
        "FacetDrag",
        "cloth: (rows: 8, columns: 8, corner: (-100, 0, 0), across: (200, 0, 0), down: (0, 0, 200), pins: TopCorners), gravity: (0, -1, 0), forces: [FacetDrag(density: 1.2, flow: Uniform(velocity: (0, 3, 0)))]",
    ),
    ("force", "Buoyancy", "forces: [Buoyancy(density: 1025, diameter: 0.02, gravity: 1)]"),
    (
        "force",
        "Route",
        "forces: [Route(from: Last, axial: 1e4, via: [Pulley(at: (0, 300), radius: 20, friction: 0.2), Ring(at: (-100, 0))])]",
    ),
    (
        "force",
        "PointDrag",
        "forces: [PointDrag(node: Last, density: 1025, area: 0.5, flow: Uniform(velocity: (0.5, 0)))]",
    ),
    (
        "flow",
        "Uniform",
        "forces: [LineDrag(density: 1.2, diameter: 1, flow: Uniform(velocity: (5, 0)))]",
    ),
    (
        "flow",
        "Changing",
        "forces: [LineDrag(density: 1.2, diameter: 1, flow: Changing(curve: Gusts(mean: (5, 0), strength: 1)))]",
    ),
    (
        "flow",
        "Profile",
        "forces: [LineDrag(density: 1.2, diameter: 1, flow: Profile(points: [(-200, (1, 0)), (0, (5, 0))]))]",
    ),
    (
        "flow",
        "Airy",
        "forces: [LineDrag(density: 1025, diameter: 0.02, flow: Airy(height: 20, period: 6, gravity: 1))]",
    ),
    (
        "flow",
        "Jonswap",
        "forces: [LineDrag(density: 1025, diameter: 0.02, flow: Jonswap(height: 20, period: 6, gravity: 1, seed: 1))]",
    ),
    ("slip", "GravityAsForce", "rope: (mass: 2), slips: [GravityAsForce]"),
    ("slip", "MassForgotten", "rope: (mass: 2), slips: [MassForgotten]"),
    (
        "slip",
        "DampingReversed",
        "rope: (damping: 0.01), slips: [DampingReversed(by_component: false)]",
    ),
    ("slip", "DragReversed", "drag: 0.01, slips: [DragReversed]"),
    ("slip", "DragPerSpring", "drag: 0.01, slips: [DragPerSpring(also_per_mass: true)]"),
    ("slip", "GravityPerSpring", "slips: [GravityPerSpring(also_per_mass: true)]"),
    ("slip", "SpringSignReversed", "rope: (stiffness: 1), slips: [SpringSignReversed]"),
    ("slip", "ReactionForgotten", "slips: [ReactionForgotten]"),
    (
        "slip",
        "VerletDampingReversed",
        "integrator: ForceVerlet(damping: 0.001), slips: [VerletDampingReversed]",
    ),
    ("slip", "LastIsNew", "integrator: ForceVerlet, slips: [LastIsNew]"),
    ("slip", "ForcesNotCleared", "slips: [ForcesNotCleared]"),
    ("slip", "StrainAsForce", "slips: [StrainAsForce]"),
    ("slip", "DirectionNotNormalized", "rope: (stiffness: 1), slips: [DirectionNotNormalized]"),
    ("slip", "FrozenNeighbours", "integrator: Rk4, slips: [FrozenNeighbours]"),
    ("slip", "NoSpringForces", "integrator: ImplicitEuler, slips: [NoSpringForces]"),
    ("slip", "InPlace", "integrator: SemiImplicitEuler, slips: [InPlace]"),
    ("slip", "OldAcceleration", "integrator: VelocityVerlet, slips: [OldAcceleration]"),
    ("slip", "SharedHistory", "integrator: AdamsBashforth2, slips: [SharedHistory]"),
    ("slip", "DtInFrames", "frame_time: 0.016666667, slips: [DtInFrames]"),
    ("slip", "Float32", "slips: [Float32]"),
    (
        "slip",
        "GridByTruncation",
        "gravity: (0, 0), rope: (nodes: 12, pins: [], shape: Points(points: [(0, 0), (100, 12), (0, 24)])), velocities: [(node: Last, velocity: (0, -20))], contact: (thickness: 10), slips: [GridByTruncation]",
    ),
    (
        "slip",
        "LaterRoot",
        "gravity: (0, 0), rope: (nodes: 12, pins: [], shape: Points(points: [(0, 0), (100, 12), (0, 24)])), velocities: [(node: Last, velocity: (0, -20))], contact: (thickness: 10), slips: [LaterRoot]",
    ),
    ("slip", "NewDirection", "integrator: Shake, slips: [NewDirection]"),
    (
        "slip",
        "GrowthExponent",
        "integrator: ExplicitEuler, step_control: StepDoubling, slips: [GrowthExponent]",
    ),
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
        "collider",
        "Mesh",
        "gravity: (0, -9.81, 0), rope: (start: (-1, 1.4, 0), end: (1, 1.4, 0), nodes: 21), \
         colliders: [Mesh(file: \"statue.obj\", scale: 0.8, friction: 0.5)]",
    ),
    (
        "collider",
        "HeightField",
        "colliders: [HeightField(heights: [[0, 30, 10, 50, 20]], spacing: 100, \
         place: (-200, -250), friction: 0.5)]",
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
    (
        "curve",
        "Sine",
        "anchors: [(node: First, curve: Sine(center: (0, 0), amplitude: (0, 20), period: 3))]",
    ),
    (
        "curve",
        "Series",
        "anchors: [(node: First, curve: Series(file: \"point.csv\", smooth: true))]",
    ),
    ("action", "Release", "events: [(at: 30, do: Release(node: First))]"),
    ("action", "Pin", "events: [(at: 30, do: Pin(node: Last))]"),
    ("action", "Cut", "events: [(at: 30, do: Cut(a: 7, b: 8))]"),
    ("action", "Join", "events: [(at: 30, do: Join(a: First, b: Last, stiffness: 100))]"),
    ("action", "Impulse", "events: [(at: 30, do: Impulse(node: Last, impulse: (20, 0)))]"),
    ("action", "Gravity", "events: [(at: 30, do: Gravity(acceleration: (0, 1)))]"),
    (
        "action",
        "Winch",
        "forces: [Route(from: Last, axial: 1e4, via: [Drum(at: (0, 300), radius: 20)])], events: [(at: 30, do: Winch(speed: -2))]",
    ),
    ("action", "Reel", "events: [(at: 30, do: Reel(length: 200, over: 20))]"),
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
        "collider",
        "Painted",
        "gravity: (0, -9.81, 0), rope: (start: (0, 2, 0), end: (1, 2, 0)), \
         colliders: [Painted(of: Sphere(center: (0, 0, 0), radius: 0.5), color: \"#c9a26b\", gloss: 0.6)]",
    ),
    (
        "collider",
        "Skin",
        "gravity: (0, -9.81, 0), rig: (bones: [(name: \"arm\", place: (0, 1, 0), length: 0.5)], \
         skin: Tube(radius: 0.05)), rope: (start: (0, 1.3, 0), end: (0.4, 1.3, 0), nodes: 9, \
         pins: [First]), colliders: [Skin(friction: 0.3)]",
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
    ("solid", "Ball", "solid: (shape: Ball(radius: 30), mass: 2, at: (0, 0), velocity: (30, 90))"),
    (
        "solid",
        "Capsule",
        "solid: (shape: Capsule(radius: 20, length: 80), mass: 2, at: (0, 0), velocity: (30, 90))",
    ),
    (
        "solid",
        "Box",
        "solid: (shape: Box(size: (60, 40)), mass: 2, at: (0, 0), velocity: (30, 90))",
    ),
    (
        "background",
        "Gradient",
        "background: Gradient(top: \"#cfd8e3\", bottom: \"white\"), gravity: (0, -1, 0), rope: (start: (0, 0, 0), end: (100, 0, 0))",
    ),
    (
        "curve of colours",
        "Colors",
        "style: (color: Colors(space: Oklab, keys: [(0, \"orange\"), (10, \"navy\")]))",
    ),
];
