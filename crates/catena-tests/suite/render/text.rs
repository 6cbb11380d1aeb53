//! Letters.

use ab_glyph::FontRef;
use catena::render::{
    canvas::Canvas,
    text::{Align, Font},
};
use image::{Rgb, RgbImage};
use imageproc::drawing::draw_text_mut;
use std::sync::Arc;

#[test]
fn letters_look_as_imageproc_draws_them() {
    let font = Font::built_in().unwrap();
    let same = FontRef::try_from_slice(epaint_default_fonts::HACK_REGULAR).unwrap();
    let ink = Rgb([200, 30, 90]);
    let start = RgbImage::from_fn(200, 40, |x, y| Rgb([x as u8, (3 * y) as u8, 77]));
    let mut canvas = Canvas::on(Arc::new(start.clone()));
    for size in [10.0, 14.5, 25.0, 31.7] {
        for text in ["", "To AV fi, Wg. 0123456789", "1.25e-7 %", "Üßé→…  λ漢", "a b"] {
            for at in [(3, 2), (-7, 1), (170, 25), (0, -9)] {
                let mut expected = start.clone();
                draw_text_mut(&mut expected, ink, at.0, at.1, size as f32, &same, text);
                font.draw(&mut canvas, at, Align::Left, size, ink, text);
                assert_eq!(*canvas.image(), expected, "{text} at {at:?}, {size}");
                canvas.restore();
                assert_eq!(*canvas.image(), start, "{text} at {at:?}, {size}");
            }
        }
    }
}
