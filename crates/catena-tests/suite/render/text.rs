//! Letters.

use ab_glyph::{Font as _, FontRef, Outline};
use catena::render::{
    canvas::Canvas,
    faces::{BUILT_IN, Faces, RESERVE},
    text::{Align, Font},
};
use image::{Rgb, RgbImage};
use imageproc::drawing::draw_text_mut;
use std::sync::Arc;

#[test]
fn letters_look_as_imageproc_draws_them() {
    let font = Font::built_in().unwrap();
    let same = FontRef::try_from_slice(BUILT_IN).unwrap();
    let ink = Rgb([200, 30, 90]);
    let start = RgbImage::from_fn(200, 40, |x, y| Rgb([x as u8, (3 * y) as u8, 77]));
    let mut canvas = Canvas::on(Arc::new(start.clone()));
    for size in [10.0, 14.5, 25.0, 31.7] {
        for text in ["", "To AV fi, Wg. 0123456789", "1.25e-7 %", "Üßé→…  λ", "a b"] {
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

/// Letters of labels, and the face that draws each: 0 for Inter, 1 for Hack, `None` for a box.
const LETTERS: [(&str, Option<usize>); 6] = [
    ("Verlet 0123456789 +-−.,%·°²³ “…” – ×±≤≥≈≠√∞∂∑∫", Some(0)),
    ("αβγΔθλμπσφω ÄÖÜäöüß ÀÉñçø Žšč Łęą Șț Ўў Жы №", Some(0)),
    ("▁▂▃ ━ ─ ∝", Some(1)),
    ("漢点", None),
    ("ש", None),
    ("न", None),
];

#[test]
fn letters_are_from_the_first_face_that_has_them() {
    let faces = Faces::built_in().unwrap();
    for (text, expected) in LETTERS {
        for letter in text.chars().filter(|letter| *letter != ' ') {
            let found = faces.find(letter).map(|found| found.face);
            assert_eq!(found, expected, "{letter} of {text}");
        }
    }
}

/// Outline of a letter with its bounds and width; `None` if a typeface lacks it.
fn outline(face: &FontRef<'_>, letter: char) -> Option<(Option<Outline>, f32)> {
    let glyph = face.glyph_id(letter);
    let is_there = glyph.0 != 0;
    is_there.then(|| (face.outline(glyph), face.h_advance_unscaled(glyph)))
}

#[test]
fn the_reserve_has_all_letters_of_hack_that_inter_lacks() {
    let read = |file| FontRef::try_from_slice(file).unwrap();
    let (inter, reserve) = (read(BUILT_IN), read(RESERVE));
    let hack = read(epaint_default_fonts::HACK_REGULAR);
    assert_eq!(reserve.units_per_em(), hack.units_per_em());
    assert_eq!(reserve.height_unscaled(), hack.height_unscaled());
    let mut count = 0;
    for letter in (' '..='\u{1ffff}').filter(|it| outline(&inter, *it).is_none()) {
        let (expected, found) = (outline(&hack, letter), outline(&reserve, letter));
        count += usize::from(expected.is_some());
        assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{letter:?}");
    }
    // In addition, it has two control characters.
    assert_eq!(count, 927);
}

/// Tabular figures keep a number in its place from frame to frame.
#[test]
fn figures_have_one_width() {
    let font = Font::built_in().unwrap();
    for size in [10.0, 12.6, 14.0, 25.0] {
        let zeros = font.width(&"0".repeat(40), size);
        for digit in '1'..='9' {
            let text = String::from(digit).repeat(40);
            assert_eq!(font.width(&text, size), zeros, "{digit} at {size}");
        }
        assert!(font.width("iiii", size) < font.width("mmmm", size), "letters have their own");
    }
}
