//! Composition of a picture: contents of the view, positions of notes and labels, and one design
//! for all sizes.

use crate::{catena, scene_of};
use catena::job::{FrameChoice, FrameError, FrameOptions, draw, frames};
use catena::render::{
    Notes, Rect, Sizes,
    camera::{Camera, Subject},
    layout::{Layout, PanelLayout, cuts_labels, layout},
    text::Font,
};
use catena::scene::{Fit, Lens, Scene, SceneText, View, Viewpoint, load};
use catena::sim::Simulation;
use std::sync::Arc;

const ROPE: &str = "rope: (start: (0, 0), end: (0, -1), nodes: 11, stiffness: 1000, mass: 0.01)";

fn is_near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 0.01
}

#[test]
fn the_view_holds_where_bodies_are_in_the_frames_and_little_else() {
    // A rope that hangs at rest has no width; two fifths of its height are reserved for text.
    let hanging = scene_of(&format!("Scene(base: (frames: 20, {ROPE}))"));
    let View { center, extent } = Subject::of(&hanging).view();
    assert!(is_near(center[0], 0.0) && is_near(center[1], -0.5), "{center:?}");
    assert!(is_near(extent[1], 1.12) && is_near(extent[0], 0.448), "{extent:?}");
    let reach = scene_of(&format!("Scene(base: (frames: 20, fit: Reach, {ROPE}))"));
    let wide = Subject::of(&reach).view().extent;
    assert!(wide[0] > 2.0 && Subject::of(&reach).fit() == Fit::Reach, "{wide:?}");

    // Only the scene's frames count.
    let falling = |frames: u64| {
        let text = format!(
            "Scene(base: (frames: {frames}, frame_time: 0.1, substeps: 8, gravity: (0, -1),
                rope: (start: (0, 0), end: (1, 0), nodes: 11, stiffness: 1000, mass: 0.01, pins: [])))"
        );
        Subject::of(&scene_of(&text)).view().extent[1]
    };
    // In 10 frames of 0.1 it falls by 0.5; the margins are 0.06 on each side.
    assert!((0.62..0.64).contains(&falling(11)), "{}", falling(11));
    assert!(falling(21) > 2.0);
}

/// A solid is in view with its whole surface, at all times and for any position of its nodes.
#[test]
fn the_view_holds_solids_whole() {
    for fit in ["Frames", "Reach"] {
        for (shape, turn, half) in [
            ("Ball(radius: 2)", 0.0, [2.0, 2.0]),
            ("Capsule(radius: 0.5, length: 4)", 90.0, [0.5, 2.5]),
            ("Box(size: (4, 1))", 0.0, [2.0, 0.5]),
        ] {
            let scene = scene_of(&format!(
                "Scene(base: (fit: {fit}, frames: 5, frame_time: 0.01, substeps: 4, gravity: (0, -1),
                    parts: [(name: \"rope\", with: (rope: (start: (0, 0), end: (0, -1), nodes: 5, mass: 0.01))),
                        (name: \"it\", with: (solid: (shape: {shape}, turn: {turn}, at: (0, -1), stiffness: 1000)))],
                    joins: [(from: (\"rope\", Last), to: (\"it\", 0))]))"
            ));
            let View { center, extent } = Subject::of(&scene).view();
            for (axis, (half, at)) in half.into_iter().zip([0.0, -1.0]).enumerate() {
                let [low, high] = [-0.5, 0.5].map(|side| center[axis] + side * extent[axis]);
                let holds = low <= at - half && high >= at + half;
                assert!(holds, "{fit} {shape} {axis}: {center:?} {extent:?}");
            }
            assert!(fit == "Reach" || extent[1] < 7.0, "{shape}: {extent:?}");
        }
    }
}

#[test]
fn a_run_that_diverges_does_not_blow_the_view_up() {
    let text = |method: &str, substeps: u32| {
        format!("(with: (integrator: {method}, substeps: {substeps}))")
    };
    let sound = text("SemiImplicitEuler", 64);
    let alone = scene_of(&format!("Scene(base: (frames: 40), panels: [{sound}])"));
    let second = text("ExplicitEuler", 64);
    let both = scene_of(&format!("Scene(base: (frames: 40), panels: [{sound}, {second}])"));
    let [alone, both] = [alone, both].map(|scene| Subject::of(&scene).view().extent);
    for axis in 0..2 {
        assert!(both[axis] <= 1.6 * alone[axis], "{both:?} beside {alone:?}");
    }
}

/// Some methods stretch a held rope beyond the reach that follows from its springs, by up to the
/// size of the reach in these cases.
#[test]
fn the_view_holds_ropes_that_a_method_stretches() {
    let rope = "gravity: (0, -1), frames: 600,
        rope: (start: (0, 200), end: (-400, 200), nodes: 16, pins: [0])";
    for (substeps, name) in [
        (1, "ConstraintVerlet(damping: 0.00005)"),
        (1, "ConstraintVerlet(damping: 0.01, correction: HalfShare)"),
        (4, "Pbd(iterations: 2, stiffness: 0.2)"),
    ] {
        let method = format!("integrator: {name}, substeps: {substeps}");
        let scene = scene_of(&format!("Scene(base: ({rope}, {method}))"));
        let View { center, extent } = Subject::of(&scene).view();
        for body in scene.panels.iter().flat_map(|panel| &panel.bodies) {
            let n = body.setup.model.nodes();
            let mut run = Simulation::new(Arc::clone(&body.setup));
            let mut left = 0;
            for _ in 0..scene.frames {
                let is_in = |node: usize| {
                    let at = run.state().position(n, node);
                    (0..2).all(|axis| (at[axis] - center[axis]).abs() <= 0.5 * extent[axis])
                };
                left += u64::from(!(0..n).all(is_in));
                run.advance_frame();
            }
            // A view may leave out a few extreme frames.
            assert!(left <= scene.frames / 20, "{name}: the rope leaves the view in {left} frames");
        }
    }
}

#[test]
fn a_pass_that_takes_too_much_work_is_left_out() {
    for more in ["substeps: 100000", "step_control: StepDoubling(tolerance: 1e-13), substeps: 2000"]
    {
        let scene = scene_of(&format!("Scene(base: (frames: 5000, {more}, {ROPE}))"));
        assert_eq!(Subject::of(&scene).fit(), Fit::Reach, "{more}");
        assert_eq!(Subject::of(&scene).view(), Subject::reach(&scene).view(), "{more}");
    }
}

#[test]
fn every_range_of_frames_has_the_same_view() {
    for axes in ["", "gravity: (0, -1, 0), rope: (start: (0, 0, 0), end: (1, 0, 1)),"] {
        let scene = scene_of(&format!("Scene(base: (frames: 12, size: (320, 200), {axes}))"));
        let choices = [FrameChoice::Part(0..12), FrameChoice::Part(5..8)];
        let fifth = choices.map(|choice| {
            let options = FrameOptions { frames: choice, ..FrameOptions::default() };
            let mut found = None;
            frames(&scene, &options, &(), &(), |frame, picture| {
                if frame == 5 {
                    found = Some(picture.clone());
                }
                Ok::<(), FrameError>(())
            })
            .unwrap();
            found.unwrap()
        });
        assert!(fifth[0] == fifth[1] && fifth[0] == draw(&scene, 5).unwrap());
    }
}

fn laid_out(scene: &Scene, size: [u32; 2]) -> Layout {
    layout(scene, size, &Font::built_in().unwrap(), 2.0).unwrap()
}

fn rects(layout: &Layout) -> Vec<Rect> {
    let of_panel = |panel: &PanelLayout| {
        let some = [panel.label, panel.legend, panel.notes, panel.numbers];
        [panel.frame, panel.plot].into_iter().chain(some.into_iter().flatten()).collect::<Vec<_>>()
    };
    let words = layout.title.into_iter().chain(layout.notes);
    words.chain(layout.panels.iter().flat_map(of_panel)).collect()
}

#[test]
fn pictures_of_all_sizes_are_one_design() {
    let scene = scene_of(
        "Scene(title: \"Two\", panels: [(label: \"a\"), (label: \"b\", with: (drag: 1)), (label: \"c\")])",
    );
    let [small, large] = [[1280, 720], [3840, 2160]].map(|size| laid_out(&scene, size));
    assert_eq!(rects(&small).len(), rects(&large).len());
    for (small, large) in rects(&small).iter().zip(rects(&large)) {
        let pairs =
            [(small.x, large.x), (small.y, large.y), (small.w, large.w), (small.h, large.h)];
        for (small, large) in pairs {
            assert!((3 * small - large).abs() <= 12, "{small} in 720 lines, {large} in 2160");
        }
    }
    // A portrait picture does not have smaller letters than a landscape picture of the same width.
    let upright = laid_out(&scene, [1080, 1920]).sizes;
    assert!(upright.label > 17.0 && upright.label < 24.0, "{upright:?}");
    assert!(laid_out(&scene, [640, 360]).sizes.label > 11.0);
}

#[test]
fn notes_have_a_place_of_their_own() {
    let scene = scene_of("Scene(panels: [(), (with: (drag: 1)), ()])");
    assert_eq!(
        Notes::of(&scene).panels,
        [vec![], vec!["damping rate 1 instead of 0".to_owned()], vec![]]
    );
    let layout = laid_out(&scene, [1280, 720]);
    for PanelLayout { plot, notes, numbers, .. } in &layout.panels {
        let (notes, numbers) = (notes.unwrap(), numbers.unwrap());
        assert!(plot.bottom() == notes.y && notes.bottom() == numbers.y);
    }
    // A text that all panels but the first would repeat is shown once below the title.
    for (panels, expected) in [
        (
            "(), (with: (drag: 1)), (with: (drag: 1))",
            "damping rate 0 in the first panel, 1 in the others",
        ),
        ("(), (with: (drag: 1)), (with: (drag: 2))", "damping rate differs from panel to panel"),
    ] {
        let scene = scene_of(&format!("Scene(panels: [{panels}])"));
        let notes = Notes::of(&scene);
        assert_eq!(notes.common, [expected]);
        assert!(notes.panels.iter().all(Vec::is_empty));
        let layout = laid_out(&scene, [1280, 720]);
        assert!(layout.notes.is_some() && layout.panels.iter().all(|panel| panel.notes.is_none()));
    }
    let grid = scene_of(
        "Scene(grid: (rows: [(), (with: (drag: 1))], columns: [(), (with: (gravity: (0, -2)))]))",
    );
    // Fields that rows and columns of a grid vary need no note.
    assert_eq!(Notes::of(&grid), Notes { common: vec![], panels: vec![vec![]; 4] });
    // Fields that labels name, or that only the report compares, need no note either.
    for (panels, expected) in [
        ("(label: \"drag 0\"), (label: \"drag 1\", with: (drag: 1))", ""),
        ("(label: \"a\"), (label: \"b\", with: (wind: (1, 0)))", ""),
        (
            "(label: \"a\"), (label: \"b\", with: (integrator: ConstraintVerlet))",
            "rigid segments instead of springs",
        ),
    ] {
        let notes = Notes::of(&scene_of(&format!("Scene(panels: [{panels}])")));
        assert_eq!(notes.panels[1].join(""), expected);
    }
}

#[test]
fn long_labels_have_two_lines() {
    let font = Font::built_in().unwrap();
    let width = font.width("Semi-implicit", 17.0);
    assert_eq!(font.wrap("Semi-implicit Euler", 17.0, width, 2), ["Semi-implicit", "Euler"]);
    assert_eq!(font.wrap("Euler", 17.0, width, 2), ["Euler"]);
    let cut = font.wrap("Semi-implicit Euler at its limit", 17.0, width, 2);
    assert_eq!(cut[0], "Semi-implicit");
    assert!(cut.len() == 2 && cut[1].ends_with('…'), "{cut:?}");
    // All panels get a second line if one of them needs it.
    let label = "a label that is longer than its panel of three hundred pixels is wide";
    let label = format!("(label: \"short\"), (label: \"{label}\")");
    let scene = scene_of(&format!("Scene(base: (columns: 2), panels: [{label}])"));
    let places: Vec<i32> =
        laid_out(&scene, [640, 360]).panels.iter().map(|panel| panel.label.unwrap().h).collect();
    assert!(places[0] == places[1] && places[0] > 30, "{places:?}");
}

#[test]
fn bare_pictures_of_the_plane_have_bodies_only() {
    let scene = |colliders: &str| {
        let text = format!(
            "Scene(base: (size: (200, 200), frames: 2, decoration: Bare, {colliders}
                view: (center: (0, 0), extent: (4, 4)), {ROPE}))"
        );
        draw(&scene_of(&text), 0).unwrap()
    };
    assert!(scene("") == scene("colliders: [Sphere(center: (-1.2, 0), radius: 0.5)],"));
}

#[test]
fn check_prints_four_digits_and_what_the_view_holds() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.ron");
    std::fs::write(&file, "Scene(base: (frames: 3, frame_time: 0.03333, substeps: 41))").unwrap();
    let out = catena().arg("check").arg(&file).current_dir(folder.path()).output().unwrap();
    let stdout = String::from_utf8(out.stdout).unwrap();
    assert!(stdout.contains("dt = 0.0008129 (41 substeps of a frame of 0.03333)"), "{stdout}");
    assert!(stdout.contains("\n  view: positions of the bodies in these frames\n"), "{stdout}");
}

#[test]
fn no_label_of_a_scene_is_cut() {
    let font = Font::built_in().unwrap();
    for entry in std::fs::read_dir(crate::repository("scenes")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "ron") {
            continue;
        }
        let scene = load(&SceneText::read(&path).unwrap(), &[]).unwrap();
        for size in [[640, 360], [1280, 720], [3840, 2160], [1080, 1920]] {
            let layout = laid_out(&scene, size);
            assert!(!cuts_labels(&scene, &font, &layout), "{} at {size:?}", path.display());
        }
    }
}

#[test]
fn labels_are_smaller_where_all_of_them_then_fit() {
    let label = "a label that is somewhat longer than two lines of its panel are wide";
    let scene = scene_of(&format!(
        "Scene(base: (columns: 2), panels: [(label: \"short\"), (label: \"{label}\")])"
    ));
    let font = Font::built_in().unwrap();
    let [wide, narrow] = [[1280, 720], [640, 360]].map(|size| laid_out(&scene, size));
    assert!(!cuts_labels(&scene, &font, &wide) && !cuts_labels(&scene, &font, &narrow));
    let usual = Sizes::of([640, 360]).label;
    assert!(narrow.sizes.label <= usual && narrow.sizes.label >= 0.8 * usual);
    // A text that is too long at any size is truncated at the default size.
    let long = scene_of(&format!("Scene(panels: [(label: \"{}\")])", "word ".repeat(80)));
    let layout = laid_out(&long, [640, 360]);
    assert!(cuts_labels(&long, &font, &layout) && layout.sizes.label == usual);
}

#[test]
fn four_panels_are_two_rows_of_two() {
    let scene = scene_of("Scene(panels: [(), (), (), ()])");
    let layout = layout(&scene, [640, 360], &Font::built_in().unwrap(), 1.0).unwrap();
    let [first, second, third, fourth] = [0, 1, 2, 3].map(|index| layout.panels[index].frame);
    let in_a_row = first.y == fourth.y;
    assert!(in_a_row || (first.x == third.x && second.x == fourth.x), "{:?}", layout.panels);
}

#[test]
fn a_note_longer_than_a_line_goes_on_in_the_next() {
    let scene = scene_of(
        "Scene(base: (columns: 5), panels: [(), (), (), (), (label: \"x\", with: (integrator: ConstraintVerlet))])",
    );
    let layout = laid_out(&scene, [1080, 1920]);
    let line = layout.sizes.label;
    let heights: Vec<i32> = layout.panels.iter().map(|it| it.notes.unwrap().h).collect();
    assert!(heights.iter().all(|h| *h == heights[0] && f64::from(*h) > 1.8 * line), "{heights:?}");
}

#[test]
fn a_view_of_space_is_cut_off_at_no_side_of_an_upright_panel() {
    let wide = Viewpoint {
        eye: [0.0, 0.0, 2.0],
        target: [0.0; 3],
        up: [0.0, 1.0, 0.0],
        lens: Lens::Perspective { field_of_view: 60.0 },
        aspect: 1.0,
    };
    let seen = |viewpoint: Viewpoint, [w, h]: [i32; 2], at: [f64; 3]| {
        let camera = Camera::spatial(&viewpoint, Rect { x: 0, y: 0, w, h });
        camera.point(at).unwrap().at
    };
    // The point at the upper edge of a square panel, and the point at its right edge.
    let half = 2.0 / f64::sqrt(3.0);
    let near = |a: [f64; 2], b: [f64; 2]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9);
    assert!(near(seen(wide.upright(2.0), [200, 100], [0.0, half, 0.0]), [100.0, 0.0]));
    assert!(near(seen(wide.upright(0.5), [100, 200], [half, 0.0, 0.0]), [100.0, 100.0]));
    assert!(near(seen(wide.upright(0.5), [100, 200], [0.0, 2.0 * half, 0.0]), [50.0, 0.0]));
    let flat = Viewpoint { lens: Lens::Orthographic { height: 2.0 }, ..wide };
    assert!(near(seen(flat.upright(0.5), [100, 200], [1.0, 0.0, 0.0]), [100.0, 100.0]));
    // The width of a panel of twice its height is held in any narrower panel.
    let held = Viewpoint { aspect: 2.0, ..flat };
    for [w, h] in [[300, 100], [200, 100]] {
        let top = seen(held.upright(f64::from(w) / f64::from(h)), [w, h], [0.0, 1.0, 0.0]);
        assert!(near(top, [0.5 * f64::from(w), 0.0]), "{top:?}");
    }
    for h in [100, 150, 400] {
        let right = seen(held.upright(200.0 / f64::from(h)), [200, h], [2.0, 0.0, 0.0]);
        assert!(near(right, [200.0, 0.5 * f64::from(h)]), "{right:?}");
    }
}

#[test]
fn a_body_that_diverges_outside_is_crossed_out_at_the_border() {
    let scene = crate::scene("slip_in_place", &[]);
    // The rope leaves the left panel on the right side.
    let red = |frame: u64| {
        let picture = draw(&scene, frame).unwrap();
        let all = picture.enumerate_pixels().filter(|(_, _, pixel)| {
            let [red, green, blue] = pixel.0;
            red > 150 && green < 60 && blue < 60
        });
        all.filter(|(x, y, _)| (560..632).contains(x) && (300..460).contains(y)).count()
    };
    assert_eq!(red(100), 0);
    assert!(red(125) > 200, "{}", red(125));
}

#[test]
fn the_cross_of_a_diverged_body_is_whole_and_free_of_words_at_every_border() {
    for (center, side) in [
        ("-200, -250", "top"),
        ("-200, 650", "bottom"),
        ("400, 200", "left"),
        ("-800, 200", "right"),
    ] {
        let scene = scene_of(&format!(
            "Scene(base: (size: (320, 240), frames: 60, integrator: ExplicitEuler, substeps: 64, gravity: (0, -1), view: (center: ({center}), extent: (1200, 900)), rope: (start: (0, 200), end: (-400, 200), nodes: 16, stiffness: 100, mass: 1, pins: [0])))"
        ));
        let picture = draw(&scene, 20).unwrap();
        let red: Vec<[u32; 2]> = picture
            .enumerate_pixels()
            .filter(|(_, _, pixel)| {
                let [red, green, blue] = pixel.0;
                red > 150 && green < 60 && blue < 60
            })
            .map(|(x, y, _)| [x, y])
            .collect();
        // The arms of the cross are the largest connected red part; words are short.
        let cross = largest_part(&red);
        let [wide, high] = [0, 1].map(|axis| {
            let places = cross.iter().map(|at| at[axis]);
            places.clone().max().unwrap() - places.min().unwrap()
        });
        assert!(wide.abs_diff(high) <= 2 && wide > 20, "{side}: {wide}x{high}");
    }
}

/// The largest connected set of pixels.
fn largest_part(pixels: &[[u32; 2]]) -> Vec<[u32; 2]> {
    let mut left: std::collections::BTreeSet<[u32; 2]> = pixels.iter().copied().collect();
    let mut largest = Vec::new();
    while let Some(first) = left.pop_first() {
        let mut part = vec![first];
        let mut next = 0;
        while next < part.len() {
            let [x, y] = part[next];
            next += 1;
            for near in [-1, 0, 1].map(|dy| [-1, 0, 1].map(|dx| (dx, dy))).concat() {
                let Some(at) = x.checked_add_signed(near.0).zip(y.checked_add_signed(near.1))
                else {
                    continue;
                };
                if left.remove(&[at.0, at.1]) {
                    part.push([at.0, at.1]);
                }
            }
        }
        if part.len() > largest.len() {
            largest = part;
        }
    }
    largest
}
