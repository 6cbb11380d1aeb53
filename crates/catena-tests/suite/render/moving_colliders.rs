//! Moving colliders are drawn like fixed ones at the same place.

use crate::scene_of;
use catena::job::draw;

const PLANE: &str = "view: (center: (0, 0), extent: (8, 6)), gravity: (0, -1),
    rope: (start: (-1, 0), end: (1, 0), nodes: 5, stiffness: 10, mass: 0.1)";

// Without a ground, whose size would depend on all moving objects in all frames.
const SPACE: &str = "camera: (eye: (0, 1, 8)), gravity: (0, -1, 0),
    rope: (start: (-1, 0, 0), end: (1, 0, 0), nodes: 5, stiffness: 10, mass: 0.1)";

fn picture(base: &str, collider: &str, frame: u64) -> image::RgbImage {
    let text = format!(
        "Scene(base: (size: (200, 150), frames: 5, frame_time: 1, substeps: 64, {base},
            colliders: [{collider}]))"
    );
    draw(&scene_of(&text), frame).unwrap()
}

#[test]
fn colliders_are_drawn_where_they_are_in_each_frame() {
    // The moving collider, and for each frame a fixed collider at its position.
    let table: &[(&str, &str, &[&str])] = &[
        (
            PLANE,
            "Moving(of: Sphere(center: (0, 1), radius: 0.5), along: Linear(keys: [(0, (-3, 1)), (4, (1, 1))]))",
            &[
                "Sphere(center: (-3, 2), radius: 0.5)",
                "Sphere(center: (-2, 2), radius: 0.5)",
                "Sphere(center: (-1, 2), radius: 0.5)",
            ],
        ),
        (
            PLANE,
            "Moving(of: Box(center: (2, 0), size: (1, 0.5)), turn: [(0, 0), (4, 360)])",
            &[
                "Box(center: (2, 0), size: (1, 0.5))",
                "Box(center: (0, 2), size: (0.5, 1))",
                "Box(center: (-2, 0), size: (1, 0.5))",
            ],
        ),
        (
            PLANE,
            "Moving(of: Plane(point: (0, 0), normal: (0, 1)), along: Linear(keys: [(0, (0, -3)), (2, (5, -2))]))",
            &[
                "Plane(point: (0, -3), normal: (0, 1))",
                "Plane(point: (0, -2.5), normal: (0, 1))",
                "Plane(point: (0, -2), normal: (0, 1))",
            ],
        ),
        (
            SPACE,
            "Moving(of: Capsule(a: (1, 0, 0), b: (2, 0, 0), radius: 0.25), axis: (0, 0, 1), turn: [(0, 0), (4, 360)])",
            &[
                "Capsule(a: (1, 0, 0), b: (2, 0, 0), radius: 0.25)",
                "Capsule(a: (0, 1, 0), b: (0, 2, 0), radius: 0.25)",
                "Capsule(a: (-1, 0, 0), b: (-2, 0, 0), radius: 0.25)",
            ],
        ),
    ];
    for (base, moving, standing) in table {
        let base = if moving.contains("axis") {
            // The rope is out of the path of the moving collider.
            &base.replace("start: (-1, 0, 0), end: (1, 0, 0)", "start: (-3, 2, 0), end: (-2, 2, 0)")
        } else {
            *base
        };
        for (frame, standing) in standing.iter().enumerate() {
            let (found, expected) =
                (picture(base, moving, frame as u64), picture(base, standing, frame as u64));
            // The rotation is rounded, which may be visible at edges.
            let differs = |(a, b): &(&image::Rgb<u8>, &image::Rgb<u8>)| {
                a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > 3)
            };
            let apart = found.pixels().zip(expected.pixels()).filter(differs).count();
            assert!(apart <= 12, "{moving}, frame {frame}: {apart} pixels differ");
        }
        assert!(picture(base, moving, 0) != picture(base, moving, 1));
    }
}

#[test]
fn the_view_holds_what_moves_over_all_frames() {
    // A ball far from the rope enters the picture later: the view includes all frames.
    let base = PLANE.replace("view: (center: (0, 0), extent: (8, 6)), ", "");
    let far = "Moving(of: Sphere(center: (0, 0), radius: 0.5), along: Linear(keys: [(0, (0, 3)), (4, (12, 3))]))";
    let solid = |frame: u64| {
        let picture = picture(&base, far, frame);
        let muted = picture.pixels().filter(|pixel| {
            let [r, g, b] = pixel.0;
            r.abs_diff(b) < 10 && g.abs_diff(b) < 10 && (180..230).contains(&r)
        });
        muted.count()
    };
    let sizes: Vec<usize> = (0..5).map(solid).collect();
    assert!(sizes.iter().all(|size| *size > 20), "{sizes:?}");
}
