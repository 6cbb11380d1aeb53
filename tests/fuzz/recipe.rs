//! Random valid scenes: each byte is a choice, and after the last byte each choice is the simplest
//! one.
//!
//! Scenes have few nodes and substeps, so that ten frames are fast for any bytes. Numbers may be
//! far outside the usual range.

use super::{
    choices::{Choices, World},
    picture::{picture, style},
};
use catena::sim::method::{METHODS, MethodInfo};
use std::fmt::Write;

/// Properties of a body that its other settings depend on.
struct Shape {
    nodes: usize,
    /// Length of the shortest spring.
    shortest: f64,
    /// A pinned node.
    pin: Option<usize>,
}

/// The text of a scene.
pub fn scene(bytes: &[u8]) -> String {
    let c = &mut Choices::new(bytes);
    let world = World {
        axes: 2 + c.below(2),
        scale: c.one(&[1.0, 1.0, 1.0, 0.01, 1e3, 1e-12, 1e12, 1e-60, 1e60]),
    };
    let title = if c.seldom(3) { format!("  title: {:?},\n", label(c)) } else { String::new() };
    let picture = picture(&world, c);
    let (base, panels) = match c.below(4) {
        0 => (body(&world, c), String::new()),
        1 => (String::new(), grid(&world, c)),
        _ => {
            let columns = ["", "    columns: 1,\n", "    columns: 2,\n"][c.below(3)];
            (columns.into(), panels(&world, c))
        }
    };
    format!("Scene(\n{title}  base: (\n{picture}    {base}\n  ),\n{panels})\n")
}

fn panels(world: &World, c: &mut Choices<'_>) -> String {
    let mut text = String::from("  panels: [\n");
    for _ in 0..=c.below(3) {
        let _ = write!(text, "    (label: {:?}, with: (", label(c));
        if c.seldom(5) {
            let bodies = [body(world, c), body(world, c)].map(|body| format!("(with: ({body}))"));
            let _ = write!(text, "bodies: [{}]", bodies.join(", "));
        } else {
            text += &body(world, c);
        }
        text += ")),\n";
    }
    text + "  ],\n"
}

/// Rows, one per body, and columns that change little.
fn grid(world: &World, c: &mut Choices<'_>) -> String {
    let mut text = String::from("  grid: (\n    rows: [\n");
    for _ in 0..=c.below(2) {
        let _ = writeln!(text, "      (label: {:?}, with: ({})),", label(c), body(world, c));
    }
    text += "    ],\n    columns: [";
    for _ in 0..=c.below(3) {
        let _ = write!(
            text,
            "(label: {:?}, with: (drag: {:?}, {})), ",
            label(c),
            c.positive(),
            style(c)
        );
    }
    text + "],\n  ),\n"
}

fn label(c: &mut Choices<'_>) -> &'static str {
    c.one(&[
        "plain",
        "",
        "é 字 😀 \u{202e}abc",
        "two\nlines \"quoted\" \\",
        "a label that is longer than any panel is wide, by far",
    ])
}

/// All settings of one body.
fn body(world: &World, c: &mut Choices<'_>) -> String {
    let (method, control) = stepping(c);
    let is_long = control != "Fixed" || method.name.starts_with("DormandPrince");
    let knows_laws = method.order.is_some();
    let (mut text, shape) = if !is_long && c.seldom(4) {
        cloth(world, c, knows_laws)
    } else {
        let max_nodes = if is_long { 4 } else { 12 };
        rope(world, c, knows_laws, max_nodes)
    };
    let _ = write!(text, "{}, step_control: {control}, ", integrator(&method, is_long, c));
    if c.seldom(3) {
        let _ = write!(text, "drag: {:?}, wind: {}, ", c.positive(), world.arrow(c));
    }
    if method.velocity_carries && c.seldom(4) {
        let _ = write!(text, "velocity_factor: {:?}, ", 0.01 + 0.99 * c.share());
    }
    if c.seldom(6) {
        let _ = write!(text, "position_factor: {:?}, ", 0.01 + 0.99 * c.share());
    }
    if c.seldom(4) {
        text += &forces(world, c, &shape);
    }
    if c.seldom(4) {
        let [node, at] = [c.below(shape.nodes) as f64, c.share() * c.one(&[0.0, 1.0, 100.0])];
        let _ =
            write!(text, "impulses: [(node: {node}, at: {at:?}, impulse: {})], ", world.arrow(c));
    }
    if let Some(pin) = shape.pin.filter(|_| c.seldom(3)) {
        let _ = write!(text, "anchors: [(node: {pin}, curve: {})], ", curve(world, c));
    }
    if c.seldom(2) {
        text += &contacts(world, c, &shape);
    }
    text + &style(c)
}

/// A method, and a compatible step control.
fn stepping(c: &mut Choices<'_>) -> (MethodInfo, String) {
    let method = c.one(METHODS);
    let is_iterative = method.name.starts_with("Implicit") || method.holds_lengths;
    let choice = c.below(6);
    if method.name.starts_with("DormandPrince") {
        let method = if c.spends() { method } else { METHODS[0] };
        return (method, "Fixed".into());
    }
    let control = match choice {
        4 if !is_iterative && c.spends() => format!("StepDoubling(tolerance: {:?})", c.positive()),
        5 if method.limit.is_some_and(|limit| limit > 0.0 && limit.is_finite()) && c.spends() => {
            format!("StabilityLimit(safety: {:?})", 0.01 + 0.99 * c.share())
        }
        _ => "Fixed".into(),
    };
    (method, control)
}

/// A method with its options, and substeps.
fn integrator(method: &MethodInfo, is_long: bool, c: &mut Choices<'_>) -> String {
    let name = method.name;
    let iterations = 1 + c.below(60);
    let close = c.one(&[1e-15, 1e-9, 1e-3, 0.1]);
    let options = match name {
        "ForceVerlet" => format!("(damping: {:?})", c.share()),
        "ConstraintVerlet" => format!("(damping: {:?}, tethers: {})", c.share(), c.seldom(2)),
        "DormandPrince" | "DormandPrince8" => format!("(tolerance: {:?})", c.positive()),
        "Pbd" => format!(
            "(iterations: {iterations}, stiffness: {:?}, tethers: {})",
            c.share(),
            c.seldom(2)
        ),
        "Xpbd" => format!(
            "(compliance: {:?}, iterations: {iterations}, substeps: {})",
            c.positive(),
            1 + c.below(4)
        ),
        "Shake" | "ImplicitEuler" | "ImplicitMidpoint" => {
            format!("(tolerance: {close:?}, iterations: {iterations})")
        }
        _ => String::new(),
    };
    let substeps = 1 + c.below(if is_long { 1 } else { 24 });
    format!("integrator: {name}{options}, substeps: {substeps}")
}

fn rope(world: &World, c: &mut Choices<'_>, knows_laws: bool, max_nodes: usize) -> (String, Shape) {
    let nodes = 2 + c.below(max_nodes - 1);
    let start = world.place(c);
    let offset = [20.0 + 80.0 * c.share(), 40.0 * c.share(), 0.0].map(|x| x * world.scale);
    let end = [start[0] + offset[0], start[1] + offset[1], start[2]];
    let mut text = format!(
        "rope: (start: {}, end: {}, nodes: {nodes}, ",
        world.vector(start),
        world.vector(end)
    );
    let last = nodes - 1;
    let (pins, pin) = match c.below(4) {
        0 => ("[0]".into(), Some(0)),
        1 => (format!("[0, {last}]"), Some(last)),
        2 => (format!("[{}]", nodes / 2), Some(nodes / 2)),
        _ => ("[]".into(), None),
    };
    let _ = write!(text, "pins: {pins}, ");
    if c.seldom(6) {
        let _ = write!(
            text,
            "material: {}, area: {:?}, ",
            c.one(&["Steel", "Rubber", "Cotton", "Elastic(young: 1e6, density: 1e3)"]),
            1e-4 * c.positive()
        );
    } else {
        let _ = write!(text, "stiffness: {:?}, mass: {:?}, ", 100.0 * c.positive(), c.positive());
    }
    text += &springs(c, knows_laws);
    if c.seldom(3) {
        let _ = write!(text, "bending: {:?}, ", c.positive());
    }
    if c.seldom(4) {
        let _ = write!(text, "friction: {:?}, last_node: OneSpacingShort, ", c.positive());
    }
    let length = (offset[0] / world.scale).max(offset[1] / world.scale) * world.scale;
    (text + "), ", Shape { nodes, shortest: length / nodes as f64, pin })
}

fn cloth(world: &World, c: &mut Choices<'_>, knows_laws: bool) -> (String, Shape) {
    let (rows, columns) = (2 + c.below(4), 2 + c.below(4));
    let side = |c: &mut Choices<'_>| (20.0 + 80.0 * c.share()) * world.scale;
    let (across, down) = (side(c), side(c));
    let [sunk, deep] = if world.axes == 2 { [down, 0.0] } else { [0.2 * down, down] };
    let (corner, across_arrow) = (world.vector(world.place(c)), world.vector([across, 0.0, 0.0]));
    let down_arrow = world.vector([0.0, sunk, deep]);
    let mut text = format!(
        "cloth: (corner: {corner}, across: {across_arrow}, down: {down_arrow}, rows: {rows}, columns: {columns}, "
    );
    let pins = c.one(&["None", "TopCorners", "Corners", "TopEdge", "LeftEdge", "[0]"]);
    let _ = write!(
        text,
        "pins: {pins}, stiffness: {:?}, mass: {:?}, ",
        100.0 * c.positive(),
        c.positive()
    );
    text += &springs(c, knows_laws);
    let shortest = (across / columns as f64).min(down / rows as f64);
    (text + "), ", Shape { nodes: rows * columns, shortest, pin: (pins != "None").then_some(0) })
}

/// Spring settings of ropes and cloths.
fn springs(c: &mut Choices<'_>, knows_laws: bool) -> String {
    let mut text = String::new();
    if knows_laws && c.seldom(3) {
        let law = match c.below(3) {
            0 => format!("Exponential(alpha: {:?})", 100.0 * c.share()),
            1 => format!("Plastic(yield_strain: {:?}, hardening: {:?})", c.positive(), c.share()),
            _ => "PiecewiseLinear(points: [(0.1, 0.1), (0.5, 2), (1, 2)])".into(),
        };
        let _ = write!(text, "law: {law}, ");
    }
    if c.seldom(3) {
        let _ = write!(text, "damping: {:?}, ", c.positive());
    }
    if c.seldom(4) {
        let _ = write!(text, "breaks_at: {:?}, ", c.positive());
    }
    text
}

fn forces(world: &World, c: &mut Choices<'_>, shape: &Shape) -> String {
    let push = format!(
        "PointForce(node: {}, force: {}, until: {:?})",
        c.below(shape.nodes),
        world.arrow(c),
        c.positive()
    );
    let [repulsion, friction, absorption] = [c.positive(), c.positive(), c.positive()];
    let ground = format!(
        "PenaltyGround(height: {:?}, repulsion: {repulsion:?}, friction: {friction:?}, absorption: {absorption:?})",
        world.offset(c)
    );
    format!("forces: [{push}, {ground}], ")
}

/// A curve of a moving pin.
fn curve(world: &World, c: &mut Choices<'_>) -> String {
    let name = c.one(&["Linear", "Step", "CatmullRom", "Hermite", "Bezier", "BSpline"]);
    let points: Vec<String> = (0..4).map(|_| world.vector(world.place(c))).collect();
    let (start, span) = (c.share(), 0.001 + 20.0 * c.share());
    if matches!(name, "Bezier" | "BSpline") {
        return format!(
            "{name}(start: {start:?}, end: {:?}, points: [{}])",
            start + span,
            points.join(", ")
        );
    }
    let mut text = format!("{name}(keys: [");
    for (index, point) in points.iter().enumerate() {
        let velocity =
            if name == "Hermite" { format!(", {}", world.arrow(c)) } else { String::new() };
        let _ = write!(text, "({:?}, {point}{velocity}), ", start + index as f64 * span);
    }
    text + "])"
}

/// A collider that begins at its written position, and then moves and rotates.
fn moving(world: &World, c: &mut Choices<'_>, solid: &str) -> String {
    let (start, end) = (world.vector([0.0; 3]), world.arrow(c));
    let time = 0.001 + 20.0 * c.share();
    let along = format!("Linear(keys: [(0, {start}), ({time:?}, {end})])");
    let axis = if world.axes == 3 { ", axis: (0.1, 1, 0.2)" } else { "" };
    let turn = format!("turn: [(0, 0), ({time:?}, {:?})]{axis}", 90.0 * c.any());
    format!("Moving(of: {solid}, along: {along}, {turn})")
}

/// Colliders below all falling bodies, and contact distances.
fn contacts(world: &World, c: &mut Choices<'_>, shape: &Shape) -> String {
    let mut list = Vec::new();
    for _ in 0..=c.below(3) {
        let surface = format!("restitution: {:?}, friction: {:?}", c.share(), c.positive());
        let (at, radius) = (world.deep(c), (0.01 + 30.0 * c.share()) * world.scale);
        let solid = match c.below(3) {
            0 => {
                let normal = world.vector([0.2 * c.share(), 1.0, 0.0]);
                format!(
                    "Plane(point: {}, normal: {normal}, {surface})",
                    world.vector([0.0, at[1] - 40.0 * world.scale, 0.0])
                )
            }
            1 => format!("Sphere(center: {}, radius: {radius:?}, {surface})", world.vector(at)),
            _ => format!(
                "Capsule(a: {}, b: {}, radius: {radius:?}, {surface})",
                world.vector(at),
                world.vector(world.deep(c))
            ),
        };
        list.push(if c.seldom(4) { moving(world, c, &solid) } else { solid });
    }
    let mut text = format!(
        "colliders: [{}], contact: (radius: {:?}, ",
        list.join(", "),
        c.share() * world.scale
    );
    if c.seldom(2) {
        let thickness = (0.01 + 0.9 * c.share()) * shape.shortest;
        let (restitution, friction) = (c.share(), c.positive());
        text += &format!(
            "thickness: {thickness:?}, restitution: {restitution:?}, friction: {friction:?}"
        );
    }
    text + "), "
}
