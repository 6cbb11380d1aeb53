//! Subsamples as imageproc sets them.

use catena::render::{
    layout::Rect,
    mask::{Mask, is_convex},
};
use image::Luma;
use imageproc::{
    drawing::{draw_filled_circle_mut, draw_polygon_mut},
    point::Point,
};

const CLIP: Rect = Rect { x: 5, y: 3, w: 40, h: 30 };

/// All of the picture: shapes at its edge are cut by nothing else.
const WHOLE: Rect = Rect { x: 0, y: 0, w: 48, h: 40 };

fn mask(clip: Rect) -> Mask {
    let mut mask = Mask::new(48, 40);
    mask.begin(clip);
    mask
}

const ON: Luma<u8> = Luma([1]);

/// Takes what is set out of a mask.
fn drain(mask: &mut Mask) -> Vec<(u32, u32, Vec<u64>)> {
    let mut all = Vec::new();
    for y in mask.take_rows() {
        let Some((x, bits)) = mask.take_row(y) else { continue };
        // Runs may begin and end elsewhere; what is set in them may not.
        let from = bits.iter().position(|&word| word != 0);
        let to = bits.iter().rposition(|&word| word != 0);
        if let (Some(from), Some(to)) = (from, to) {
            all.push((x + from as u32, y as u32, bits[from..=to].to_vec()));
        }
        bits.fill(0);
    }
    assert!(mask.is_clean());
    all
}

/// Whole numbers from -100 to 499, without any order.
fn numbers() -> impl FnMut() -> i32 {
    let mut seed = 1_u64;
    move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((seed >> 33) % 600) as i32 - 100
    }
}

#[test]
fn polygons_have_the_bits_of_imageproc() {
    let mut next = numbers();
    let mut convex = 0;
    for round in 0..20_000 {
        let clip = if round % 4 < 3 { CLIP } else { WHOLE };
        let (x, y) = (next(), next());
        // Large ones, and ones of a few subsamples.
        let mut near = |at: i32| if round % 2 == 0 { next() } else { at + next() % 12 };
        let count = 3 + round % 3;
        let corners: Vec<_> = (0..count).map(|_| Point { x: near(x), y: near(y) }).collect();
        convex += usize::from(is_convex(&corners));
        let (mut ours, mut theirs) = (mask(clip), mask(clip));
        ours.polygon(&corners);
        draw_polygon_mut(&mut theirs, &corners, ON);
        assert_eq!(drain(&mut ours), drain(&mut theirs), "{corners:?}");
    }
    assert!(convex > 4000, "{convex}");
}

#[test]
fn discs_have_the_bits_of_imageproc() {
    let mut next = numbers();
    for round in 0..8000 {
        let clip = if round % 2 == 0 { CLIP } else { WHOLE };
        let (center, radius) = ((next(), next()), (next() + 100) % 60);
        let (mut ours, mut theirs) = (mask(clip), mask(clip));
        ours.disc(center, radius);
        draw_filled_circle_mut(&mut theirs, center, radius, ON);
        assert_eq!(drain(&mut ours), drain(&mut theirs), "{center:?} {radius}");
    }
}

#[test]
fn discs_that_just_fit_have_the_bits_of_imageproc() {
    for (radius, gap) in (0..=80).flat_map(|radius| (0..8).map(move |gap| (radius, gap))) {
        let near = radius + gap;
        for center in [(near, 160), (200, near), (383 - near, 160), (200, 319 - near)] {
            let (mut ours, mut theirs) = (mask(WHOLE), mask(WHOLE));
            ours.disc(center, radius);
            draw_filled_circle_mut(&mut theirs, center, radius, ON);
            assert_eq!(drain(&mut ours), drain(&mut theirs), "{center:?} {radius}");
        }
    }
}
