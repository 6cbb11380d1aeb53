//! Picture settings of a random scene.

use super::choices::{Choices, World};
use std::fmt::Write;

/// Settings of the picture and of all panels.
pub fn picture(world: &World, c: &mut Choices<'_>) -> String {
    let size = c.one(&[(320, 240), (240, 320), (160, 120), (96, 96), (400, 90), (333, 251)]);
    let bare = size.0 * size.1 < 70_000 || c.seldom(3);
    let mut text =
        format!("    size: {size:?}, decoration: {},\n", if bare { "Bare" } else { "Full" });
    let _ = writeln!(
        text,
        "    frame_time: {:?},",
        c.one(&[1.0, 0.02, 0.1, 10.0, 1e-6, 1e3, 1e-30]) * (0.5 + c.share())
    );
    let gravity = [0.0, -c.one(&[1.0, 9.81, 0.0, 100.0, 1e6, 1e-6, -1.0, 1e39]) * world.scale, 0.0];
    let _ = writeln!(text, "    gravity: {},", world.vector(gravity));
    if c.seldom(4) {
        let _ = writeln!(
            text,
            "    background: {:?},",
            c.one(&["black", "#123456", "white", "rgb(0, 114, 178)"])
        );
    }
    if world.axes == 2 && c.seldom(3) {
        let middle = format!("({:?}, {:?})", world.offset(c), world.offset(c));
        let extent = format!("({:?}, {:?})", world.length(c), world.length(c));
        let _ = writeln!(text, "    view: (center: {middle}, extent: {extent}),");
    }
    if world.axes == 3 && c.seldom(2) {
        text += &space(world, c);
    }
    text
}

/// A viewpoint and a ground.
fn space(world: &World, c: &mut Choices<'_>) -> String {
    let [x, y, z] = world.place(c);
    let eye = [x, y, z + 300.0 * world.scale];
    let lens = match c.below(3) {
        0 => format!("field_of_view: {:?}", 1.0 + 177.0 * c.share()),
        1 => format!("projection: Orthographic, height: {:?}", world.length(c)),
        // A camera inside the scene.
        _ => {
            return format!(
                "    camera: (eye: {}, target: {}),\n",
                world.vector([0.0; 3]),
                world.vector(eye)
            );
        }
    };
    let target = world.vector([0.0; 3]);
    let mut text = format!("    camera: (eye: {}, target: {target}, {lens}),\n", world.vector(eye));
    if c.seldom(2) {
        let (height, size) = (world.offset(c), world.length(c));
        let _ = writeln!(
            text,
            "    ground: (height: {height:?}, size: {size:?}, shadow: \"#223344\"),"
        );
    }
    text
}

/// Style of a body.
pub fn style(c: &mut Choices<'_>) -> String {
    if !c.seldom(4) {
        return String::new();
    }
    format!(
        "style: (line_width: {:?}, node_size: {:?}, node_shape: {}, surface: {}, mark_pins: {}, arrows: {}, arrow_scale: {:?}, \
         color_by: {}, ghosts: {}, ghost_gap: {}, trails: [{}], trail_frames: {}, pattern: {}, strands: {}, thickness: {:?}), ",
        0.1 + 99.0 * c.share(),
        0.1 + 99.0 * c.share(),
        c.one(&["Disc", "Square"]),
        c.one(&["Wires", "Facets"]),
        c.seldom(2),
        c.one(&["None", "Pins", "All"]),
        1e-3 + c.share(),
        c.one(&["None", "Strain", "Tension", "Speed", "Energy"]),
        c.one(&["0", "1", "5"]),
        c.one(&["1", "2"]),
        c.one(&["", "0", "0, -1"]),
        c.one(&["1", "9"]),
        c.one(&["Plain", "Stripes", "Checks", "Weave"]),
        c.one(&["2", "3", "12"]),
        1e-3 + c.share()
    )
}
