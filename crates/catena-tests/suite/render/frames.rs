//! Frames of moving bodies: equal on any canvas, with nothing hidden and nothing lost.

use crate::scene_of;
use catena::render::{Painter, PanelFrame, PanelRun, scales, text::Font};
use catena::scene::Scene;
use catena::sim::{Budget, Setup};
use image::{Rgb, RgbImage};
use std::sync::Arc;

/// Panels of a scene in each of its frames.
fn frames(scene: &Scene) -> Vec<Vec<PanelFrame>> {
    let mut runs: Vec<_> = scene.panels.iter().map(PanelRun::new).collect();
    let mut all = Vec::new();
    for frame in 0..scene.frames {
        if frame > 0 {
            runs.iter_mut().for_each(PanelRun::advance_frame);
        }
        all.push(runs.iter().map(|run| run.current().clone()).collect());
    }
    all
}

/// The last frame of a scene.
fn last(text: &str) -> RgbImage {
    let scene = scene_of(text);
    let painter = Painter::new(&scene, Font::built_in().unwrap()).unwrap();
    let mut canvas = painter.canvas();
    painter.draw(&mut canvas, frames(&scene).last().unwrap());
    canvas.into_image()
}

#[test]
fn a_frame_is_the_same_on_a_new_canvas_and_on_one_that_was_used() {
    let scene = scene_of(
        "Scene(base: (
            size: (320, 200), frames: 12, gravity: (0, -9.81, 0), frame_time: 0.03, substeps: 32,
            drag: 0.002, ground: (height: 0, size: 2), contact: (radius: 0.05),
            camera: (eye: (1.1, 1.3, 2.1), target: (0, 0.3, 0), field_of_view: 32),
            colliders: [Sphere(center: (0.1, 0.35, 0.1), radius: 0.3)],
            style: (surface: Facets, ghosts: 2, trails: [0]),
            cloth: (corner: (-0.5, 0.75, -0.5), across: (1, 0, 0), down: (0, 0, 1), rows: 11,
                columns: 11, stiffness: 300, mass: 0.0015, damping: 0.02),
         ), panels: [(with: ()), (with: (drag: 0.01))])",
    );
    let painter = Painter::new(&scene, Font::built_in().unwrap()).unwrap();
    let mut used = painter.canvas();
    for (number, frame) in frames(&scene).iter().enumerate() {
        painter.draw(&mut used, frame);
        let mut new = painter.canvas();
        painter.draw(&mut new, frame);
        let (mut on_used, mut on_new) = (painter.canvas(), painter.canvas());
        painter.draw(&mut on_used, frame);
        painter.draw(&mut on_new, &frames(&scene)[0]);
        painter.draw(&mut on_new, frame);
        let new = new.into_image();
        assert!(on_used.into_image() == new && on_new.into_image() == new, "frame {number}");
        assert!(used.image() == &new, "frame {number} on the canvas of all before");
    }
}

#[test]
fn what_is_there_now_hides_where_it_was() {
    let text = "Scene(base: (
        size: (320, 240), frames: 6, decoration: Bare, gravity: (0, 0, 0), frame_time: 0.1,
        camera: (eye: (0, 0, 4)), style: (color: \"red\", thickness: 0.2, ghosts: 0),
        rope: (start: (-1, 0, 0), end: (1, 0, 0), nodes: 21),
    ))";
    let ghosts = last(&text.replace("ghosts: 0", "ghosts: 4"));
    assert_eq!(last(text), ghosts, "a rope at rest has no past");
}

#[test]
fn a_cloth_is_seen_from_its_edge() {
    for lens in ["field_of_view: 45", "projection: Orthographic, height: 2"] {
        let image = last(&format!(
            "Scene(base: (
                size: (320, 240), frames: 1, decoration: Bare, gravity: (0, 0, 0),
                background: \"white\", camera: (eye: (0, 0, 4), {lens}), style: (surface: Facets, mark_pins: false),
                cloth: (corner: (-0.5, 0, -0.5), across: (1, 0, 0), down: (0, 0, 1), rows: 9,
                    columns: 9),
            ))"
        ));
        let page = *image.get_pixel(0, 0);
        let seen = image.pixels().filter(|pixel| **pixel != page).count();
        assert!(seen > 60, "{seen} pixels with {lens}");
    }
}

#[test]
fn a_rope_that_is_thrown_stays_in_the_picture() {
    for impulse in ["(0.03, 0)", "(0, 0.03)"] {
        let nodes: Vec<String> =
            (0..16).map(|node| format!("(node: {node}, at: 0.1, impulse: {impulse})")).collect();
        let image = last(&format!(
            "Scene(base: (
                size: (320, 240), frames: 40, decoration: Bare, gravity: (0, -1), substeps: 32,
                frame_time: 0.016, impulses: [{}], style: (color: \"red\", line_width: 8),
                rope: (start: (0, 0), end: (1, 0), nodes: 16, mass: 0.01, stiffness: 100, pins: []),
            ))",
            nodes.join(", ")
        ));
        let is_red = |pixel: &&Rgb<u8>| pixel.0[0] > 200 && pixel.0[1] < 60;
        assert!(image.pixels().filter(is_red).count() > 100, "thrown by {impulse}");
    }
}

#[test]
fn a_view_that_takes_too_much_work_to_find_is_said() {
    let text = |frames: u64| {
        format!(
            "Scene(base: (
                frames: {frames}, substeps: 64, integrator: Xpbd,
                cloth: (corner: (0, 0, 0), across: (1, 0, 0), down: (0, 0, 1), rows: 40,
                    columns: 40, mass: 0.01, pins: TopCorners),
            ))"
        )
    };
    for (frames, is_warned) in [(2, false), (10_000, true)] {
        let scene = scene_of(&text(frames));
        let cautions = catena::job::cautions(&scene, frames, &[]).unwrap();
        let has = cautions
            .iter()
            .any(|caution| caution.text.contains("everything that bodies can reach"));
        assert_eq!(has, is_warned, "{frames} frames");
    }
}

#[test]
fn legends_of_bodies_coloured_by_a_scale_have_no_colour_of_their_own() {
    let colors = |by: &str| {
        let image = last(&format!(
            "Scene(base: (
                size: (480, 360), frames: 1, gravity: (0, 0),
                style: (color_by: {by}, mark_pins: false),
                bodies: [
                    (label: \"a\", with: (rope: (start: (0, 0), end: (1, 0), nodes: 4))),
                    (label: \"b\", with: (
                        rope: (start: (0, 1), end: (1, 1), nodes: 4), integrator: Pbd)),
                ],
             ))"
        ));
        let is_colored = |[r, g, b]: [u8; 3]| r.abs_diff(g).max(g.abs_diff(b)) > 60;
        // Labels and their samples are in the upper left corner.
        let all = image.enumerate_pixels().filter(|(x, y, _)| *x < 60 && *y < 60);
        all.filter(|(_, _, pixel)| is_colored(pixel.0)).count()
    };
    assert!(colors("None") > 0);
    assert_eq!(colors("Speed"), 0);
}

#[test]
fn colours_do_not_hang_on_what_a_run_may_cost() {
    let mut scene = scene_of(
        "Scene(base: (frames: 40, gravity: (0, -9.81), frame_time: 0.02, style: (color_by: Speed),
            integrator: DormandPrince, rope: (start: (0, 0), end: (1, 0), nodes: 8, mass: 0.01)))",
    );
    let free = scales(&scene);
    for body in scene.panels.iter_mut().flat_map(|panel| &mut panel.bodies) {
        let budget = Budget { work: 1, pairs: 1 };
        body.setup = Arc::new(Setup { budget, ..(*body.setup).clone() });
    }
    assert_eq!(scales(&scene), free);
    assert!(free[0].range[1] > 1.0, "{free:?}");
}
