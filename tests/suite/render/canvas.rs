//! Shapes in pixels.

use catena::render::{
    Rect,
    canvas::{Canvas, Pen},
    theme::Ink,
};
use image::{Rgb, RgbImage};
use std::sync::Arc;

const CLIP: Rect = Rect { x: 4, y: 4, w: 40, h: 24 };
const INK: Ink = Rgb([255, 0, 0]);

fn draw(action: impl FnOnce(&mut Pen<'_>)) -> RgbImage {
    let mut canvas = Canvas::new(RgbImage::new(48, 32));
    canvas.shape(CLIP, INK, action);
    canvas.into_image()
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
fn a_line_keeps_its_direction_when_its_end_is_far_away() {
    let near = draw(|pen| pen.line([6.0, 16.0], [60.0, 16.0], 3.0));
    assert_eq!(near, draw(|pen| pen.line([6.0, 16.0], [1e300, 16.0], 3.0)));
}

/// Rows are copied from the backdrop when something is drawn near them. Nothing of that may show.
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
        // In the first round there are rows that nobody has asked for.
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
