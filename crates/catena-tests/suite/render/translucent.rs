//! Colours with an opacity: exact blended bytes, no darker spots where a body overlaps itself, and
//! unchanged opaque pictures.

use crate::scene_of;
use catena::job::draw;
use image::RgbImage;

/// A picture of 200 by 200 without decoration on the background (32, 64, 96).
fn picture(base: &str, frame: u64) -> RgbImage {
    let scene = scene_of(&format!(
        "Scene(base: (size: (200, 200), decoration: Bare, background: \"#204060\", frames: 9, {base}))"
    ));
    draw(&scene, frame).unwrap()
}

/// Blends two colours, rounded to the nearest value.
fn mixed(below: [u8; 3], above: [u8; 3], alpha: u8) -> [u8; 3] {
    [0, 1, 2].map(|k| {
        let share = f64::from(alpha) / 255.0;
        (f64::from(below[k]) * (1.0 - share) + f64::from(above[k]) * share).round() as u8
    })
}

/// A thick horizontal rope in the middle of the view, at rest.
fn level(color: &str, more: &str) -> String {
    format!(
        "gravity: (0, 0), view: (center: (0, 0), extent: (2, 2)), substeps: 1, frame_time: 0.1,
         rope: (start: (-0.6, 0), end: (0.6, 0), nodes: 3), style: (color: {color}, line_width: 40, mark_pins: false{more})"
    )
}

#[test]
fn the_middle_of_a_rope_has_the_mixed_bytes() {
    let background = [32, 64, 96];
    for (color, frame, above, alpha) in [
        ("\"#ff800080\"", 0, [255, 128, 0], 128),
        ("\"#f808\"", 0, [255, 136, 0], 136),
        ("\"rgba(255, 128, 0, 0.2)\"", 0, [255, 128, 0], 51),
        ("(1, 0.5, 0, 0.4)", 0, [255, 128, 0], 102),
        ("\"#ff800000\"", 0, [255, 128, 0], 0),
        ("\"#ff8000ff\"", 0, [255, 128, 0], 255),
        // Over time: from transparent red to opaque blue, and numbers in a Hermite piece.
        ("[(0, \"#ff000000\"), (0.8, \"#0000ff\")]", 4, [128, 0, 128], 128),
        ("[(0, (1, 0, 0, 0.2)), (0.8, (0, 0, 1, 0.6))]", 2, [191, 0, 64], 77),
        (
            "[(0, (1, 0, 0, 0), Hermite(leave: (0, 0, 0, 1))), (1, (1, 0, 0, 1), Hermite(arrive: (0, 0, 0, 1)))]",
            4,
            [255, 0, 0],
            102,
        ),
    ] {
        let found = picture(&level(color, ""), frame).get_pixel(100, 100).0;
        assert_eq!(found, mixed(background, above, alpha), "{color}");
        assert_eq!(picture(&level(color, ""), frame).get_pixel(3, 3).0, background);
    }
}

/// Bodies that overlap themselves and each other, in the plane and in space.
fn bodies() -> Vec<(&'static str, String)> {
    let crossing = "rope: (shape: Points(points: [(-0.7, -0.7), (0.7, 0.7), (0.7, -0.7), (-0.7, 0.7)]), nodes: 40, pins: [First, Last])";
    let flat = format!("gravity: (0, 0), view: (center: (0, 0), extent: (2, 2)), {crossing}");
    let space = "gravity: (0, -1, 0), camera: (eye: (0, 0, 4)), ground: (height: -1, size: 9)";
    vec![
        ("crossing", flat.clone()),
        ("moving, with pins", "gravity: (0, -9), frame_time: 0.02, rope: (start: (0, 0), end: (1, 0), nodes: 9), view: (center: (0, 0), extent: (3, 3))".into()),
        ("facets", "cloth: (corner: (-0.5, 0.5), across: (1, 0), down: (0.2, -1), rows: 5, columns: 5, pins: TopEdge), gravity: (0, -1), view: (center: (0, 0), extent: (2, 2))".into()),
        ("in space", format!("{space}, rope: (start: (-1, 0.5, 0), end: (1, 0.5, 0), nodes: 9, pins: [First, Last])")),
        ("cloth in space", format!("{space}, cloth: (corner: (-0.5, 0.5, 0), across: (1, 0, 0), down: (0.2, -1, 0.4), rows: 5, columns: 5, pins: TopEdge)")),
    ]
}

#[test]
fn every_pixel_is_mixed_once_and_opaque_pictures_stay() {
    const LOOKS: [&str; 3] = [
        "line_width: 9",
        "line_width: 5, surface: Facets",
        "line_width: 9, color_by: Strain, color_range: (0, 1)",
    ];
    for (name, body) in bodies() {
        for look in LOOKS {
            let of = |color: &str| picture(&format!("{body}, style: (color: {color}, {look})"), 5);
            let (clear, opaque) = (of("\"#ff800000\""), of("\"#ff8000\""));
            assert_eq!(opaque, of("\"#ff8000ff\""), "{name}");
            assert!(clear != opaque, "{name}");
            let half = of("\"#ff800066\"");
            for (x, y, pixel) in half.enumerate_pixels() {
                let expected = mixed(clear.get_pixel(x, y).0, opaque.get_pixel(x, y).0, 0x66);
                assert_eq!(pixel.0, expected, "{name} {look} at {x} {y}");
            }
        }
    }
}

#[test]
fn what_is_clear_leaves_no_trace() {
    let more = "line_width: 9, ghosts: 3, ghost_gap: 1, trails: [Last], trail_frames: 6";
    for (name, body) in bodies() {
        let bodies = |color: &str| {
            let scene = format!(
                "{body}, style: (color: \"black\"), bodies: [(with: (style: (color: {color}, {more}))), (with: ())]"
            );
            picture(&scene, 7)
        };
        let alone = picture(&format!("{body}, style: (color: \"black\")"), 7);
        assert_eq!(bodies("\"#ff000000\""), alone, "{name}");
        let shown = bodies("\"#ff0000a0\"");
        assert!(shown != alone, "{name}");
    }
}

#[test]
fn the_upper_one_of_two_bodies_covers_the_lower_by_its_opacity() {
    let body = |color: &str| format!("(with: (style: (color: \"{color}\")))");
    let both = level("\"black\"", "")
        + &format!(", bodies: [{}, {}]", body("#ff000080"), body("#0000ff40"));
    let once = mixed([32, 64, 96], [255, 0, 0], 0x80);
    assert_eq!(picture(&both, 0).get_pixel(100, 100).0, mixed(once, [0, 0, 255], 0x40));
    // In space the nearer body is on top, whatever the order in the scene.
    let at = |z: f64, color: &str| {
        format!(
            "(with: (rope: (start: (-1, 0, {z:?}), end: (1, 0, {z:?})), style: (color: \"{color}\")))"
        )
    };
    let space = |first: String, second: String| {
        picture(
            &format!(
            "gravity: (0, 0, 0), camera: (eye: (0, 0, 4)), rope: (nodes: 3, pins: [First, Last]),
             style: (thickness: 0.5, mark_pins: false), bodies: [{first}, {second}]"
        ),
            0,
        )
    };
    let (near, far) = (at(1.0, "#ff000080"), at(-1.0, "#0000ff80"));
    assert_eq!(space(near.clone(), far.clone()), space(far, near));
}
