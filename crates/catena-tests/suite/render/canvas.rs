//! Shapes, pixel by pixel.

use catena::render::{Rect, canvas::Canvas, mask::Rasterizer, pen::Pen, theme::Ink};
use image::{Rgb, RgbImage};
use std::sync::Arc;

const CLIP: Rect = Rect { x: 4, y: 4, w: 40, h: 24 };
const INK: Ink = Rgb([255, 0, 0]);

/// A picture with a shape, drawn with equal pixels by every rasterizer.
fn draw(action: impl Fn(&mut Pen<'_>)) -> RgbImage {
    let [fast, defined] = Rasterizer::ALL.map(|rasterizer| {
        let mut canvas = Canvas::new(RgbImage::new(48, 32)).with_rasterizer(rasterizer);
        canvas.shape(CLIP, INK, &action);
        canvas.into_image()
    });
    assert!(fast == defined, "imageproc draws other pixels");
    fast
}

fn covered(image: &RgbImage) -> f64 {
    image.pixels().map(|pixel| f64::from(pixel.0[0]) / 255.0).sum()
}

#[test]
fn a_fifth_of_a_pixel_shows_in_every_direction() {
    let still = draw(|pen| pen.disc([20.0, 16.0], 8.0));
    for (dx, dy) in [(0.2, 0.0), (0.0, 0.2), (-0.2, 0.0), (0.0, -0.2), (0.142, 0.142)] {
        assert_ne!(still, draw(|pen| pen.disc([20.0 + dx, 16.0 + dy], 8.0)), "{dx} {dy}");
    }
    let line = |y: f64| draw(|pen| pen.line([8.0, y], [40.0, y], 3.0));
    assert_ne!(line(16.0), line(16.2));
}

#[test]
fn shapes_cover_their_area() {
    let line = covered(&draw(|pen| pen.line([10.0, 16.0], [30.0, 16.0], 3.0)));
    assert!((line - 60.0).abs() < 2.0, "{line}");
    let disc = covered(&draw(|pen| pen.disc([20.0, 16.0], 10.0)));
    assert!((disc - 78.54).abs() < 2.0, "{disc}");
    let square = covered(&draw(|pen| pen.square([20.0, 16.0], 8.0)));
    assert!((square - 64.0).abs() < 1.0, "{square}");
    // Half a subsample on each side: 400 + 80/16.
    let polygon = [[20.0, 6.0], [40.0, 16.0], [20.0, 26.0], [10.0, 16.0]];
    let polygon = covered(&draw(|pen| pen.polygon(&polygon)));
    assert!((polygon - 304.5).abs() < 3.0, "{polygon}");
}

#[test]
fn overlapping_parts_of_a_shape_blend_once() {
    let once = draw(|pen| pen.line([10.0, 12.3], [30.0, 18.7], 3.0));
    let twice = draw(|pen| {
        pen.line([10.0, 12.3], [30.0, 18.7], 3.0);
        pen.line([10.0, 12.3], [30.0, 18.7], 3.0);
    });
    assert_eq!(once, twice);
}

#[test]
fn nothing_leaves_the_clip_whatever_the_coordinates() {
    let huge = [0.0, 1e3, -1e9, 1e18, -1e155, 1e308, f64::MAX, f64::INFINITY, f64::NAN];
    for a in huge {
        for b in huge {
            let image = draw(|pen| {
                pen.line([a, b], [20.0, 16.0], 3.0);
                pen.line([a, b], [-b, a], 5.0);
                pen.line([a, 16.0], [b, 16.0], 3.0);
                pen.line([20.0, a], [20.0, b], 3.0);
                pen.disc([a, b], 9.0);
                pen.square([b, a], 9.0);
                pen.polygon(&[[a, b], [20.0, 16.0], [-b, a]]);
                pen.outline(&[[a, b], [20.0, 16.0], [-b, a]], 2.0);
            });
            for (x, y, pixel) in image.enumerate_pixels() {
                let inside = (4..44).contains(&x) && (4..28).contains(&y);
                assert!(inside || pixel.0 == [0; 3], "{a} {b} reached {x}, {y}");
            }
        }
    }
}

#[test]
fn sizes_that_no_shape_can_have_do_no_harm() {
    let sizes = [0.0, -0.0, 1e-300, 0.1, 0.125, -1.0, -1e9, 900.0, 1e4, 1e9, 1e300, f64::MAX];
    for size in sizes.into_iter().chain([f64::INFINITY, f64::NEG_INFINITY, f64::NAN]) {
        let shapes: [fn(&mut Pen<'_>, f64); 4] = [
            |pen, size| pen.line([-300.0, -61.0], [300.0, 89.0], size),
            |pen, size| pen.disc([20.0, 16.0], size),
            |pen, size| pen.square([20.0, 16.0], size),
            |pen, size| pen.line([-1e9, 1e9], [1e9, -1e8], size),
        ];
        for (index, shape) in shapes.iter().enumerate() {
            let covered = covered(&draw(|pen| shape(pen, size)));
            let whole = f64::from(CLIP.w * CLIP.h);
            let is_right = match (index, size) {
                (_, size) if !size.is_finite() => covered == 0.0,
                (0, size) if size <= 0.125 => (covered - 40.0 / 8.0).abs() < 0.2,
                (1 | 2, size) if (0.0..=0.125).contains(&size) => covered < 0.1,
                (3, _) => covered == 0.0,
                (1 | 2, size) if size < 0.0 => covered < 0.1,
                _ => (covered - whole).abs() < 1e-6,
            };
            assert!(is_right, "shape {index}, {size}: {covered}");
        }
    }
}

#[test]
fn large_discs_are_round_beyond_the_largest_that_imageproc_draws() {
    for diameter in [1020.0, 1023.0, 1025.0, 1030.0, 5000.0] {
        // The disc ends at the middle of the clip.
        let half = covered(&draw(|pen| pen.disc([24.0 - diameter / 2.0, 16.0], diameter)));
        let sagitta = 12.0 * 12.0 / (3.0 * diameter);
        let expected = f64::from(CLIP.h) * (20.0 - sagitta);
        // Ends are on subsamples.
        assert!(
            (half - expected).abs() < 0.15 * f64::from(CLIP.h),
            "{diameter}: {half} rather than {expected}"
        );
    }
}

#[test]
fn rectangles_and_plain_pictures_are_the_same_with_every_rasterizer() {
    let backdrop = Arc::new(RgbImage::from_fn(48, 32, |x, y| Rgb([x as u8, (5 * y) as u8, 77])));
    let [fast, defined] = Rasterizer::ALL.map(|rasterizer| {
        let mut canvas = Canvas::on(Arc::clone(&backdrop)).with_rasterizer(rasterizer);
        for (x, y, w, h) in [
            (3, 4, 9, 2),
            (-5, -5, 8, 8),
            (40, 30, 99, 99),
            (9, 9, 0, 5),
            (9, 9, 5, -1),
            (60, 0, 5, 5),
        ] {
            canvas.fill(Rect { x, y, w, h }, INK);
            canvas.frame(Rect { x: x + 11, y, w, h }, INK);
        }
        canvas.into_image()
    });
    assert!(fast == defined);
    assert!(fast.pixels().filter(|pixel| **pixel == INK).count() > 30);
}

#[test]
fn a_line_keeps_its_direction_when_its_end_is_far_away() {
    let near = draw(|pen| pen.line([6.0, 16.0], [60.0, 16.0], 3.0));
    assert_eq!(near, draw(|pen| pen.line([6.0, 16.0], [1e300, 16.0], 3.0)));
}

/// Rows are copied from the backdrop when something is drawn near them; this must not be visible.
#[test]
fn a_canvas_on_a_backdrop_shows_it_wherever_nothing_is_drawn() {
    let backdrop = RgbImage::from_fn(48, 32, |x, y| Rgb([x as u8, (5 * y) as u8, 77]));
    let draw = |canvas: &mut Canvas, y: f64| {
        canvas.shape(CLIP, INK, |pen| pen.line([8.0, y], [40.0, y + 1.0], 2.0));
        canvas.fill(Rect { x: 2, y: y as i32 + 6, w: 3, h: 1 }, INK);
        canvas.fill(Rect { x: 30, y: 0, w: 1, h: 1 }, Rgb([9, 0, 0]));
        canvas.fill(Rect { x: 40, y: 31, w: 5, h: 9 }, INK);
    };
    let mut lazy = Canvas::on(Arc::new(backdrop.clone()));
    for (round, y) in [8.0, 14.5, 20.0].into_iter().enumerate() {
        let mut eager = Canvas::new(backdrop.clone());
        draw(&mut eager, y);
        draw(&mut lazy, y);
        let (image, changes) = lazy.changes();
        assert_eq!(changes, eager.changes().1);
        let is_changed = |row: u32| changes.get(row as usize).is_some_and(|row| !row.is_empty());
        let mut far = 0;
        for (x, row, pixel) in image.enumerate_pixels() {
            if (row.saturating_sub(1)..row + 2).any(is_changed) {
                assert_eq!(pixel, eager.changes().0.get_pixel(x, row), "{x} {row}");
            } else {
                far += usize::from(pixel.0 == [0; 3]);
            }
        }
        // In the first round, some rows are not requested.
        assert_eq!(far > 0, round < 2, "round {round}");
        if round > 0 {
            assert_eq!(lazy.image(), eager.image());
        }
        lazy.restore();
        if round > 0 {
            assert_eq!(*lazy.image(), backdrop);
        }
    }
}
