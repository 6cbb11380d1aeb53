//! Subsamples as imageproc sets them.

use catena::render::{
    Rect,
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

#[test]
fn shapes_over_each_other_have_the_bits_of_imageproc() {
    let mut next = numbers();
    // One mask for all rounds: what an earlier shape has left must be gone.
    let mut ours = mask(WHOLE);
    for round in 0..2000 {
        let clip = if round % 2 == 0 { CLIP } else { WHOLE };
        ours.begin(clip);
        let mut theirs = mask(clip);
        for _ in 0..1 + next().rem_euclid(8) {
            let (x, y) = (next(), next());
            if next() % 2 == 0 {
                let mut near = |at: i32| at + next() % 60;
                let corners = [0; 4].map(|_| Point { x: near(x), y: near(y) });
                ours.polygon(&corners);
                draw_polygon_mut(&mut theirs, &corners, ON);
            } else {
                let radius = next().rem_euclid(40);
                ours.disc((x, y), radius);
                draw_filled_circle_mut(&mut theirs, (x, y), radius, ON);
            }
        }
        assert_eq!(drain(&mut ours), drain(&mut theirs), "round {round}");
    }
}

/// A run is written eight pixels at a time, and ends where the next row must not begin.
#[test]
fn runs_at_the_right_edge_leave_the_next_row_alone() {
    for width in 1..40 {
        let square = |x: i32, y: i32| {
            [[1, 1], [6, 1], [6, 6], [1, 6]].map(|[dx, dy]| Point { x: 8 * x + dx, y: 8 * y + dy })
        };
        let last = width as i32 - 1;
        let (mut ours, mut theirs) = (Mask::new(width, 4), Mask::new(width, 4));
        for corners in [square(0, 1), square(last.min(3), 2), square(last, 1), square(last, 0)] {
            ours.polygon(&corners);
            draw_polygon_mut(&mut theirs, &corners, ON);
        }
        assert_eq!(drain(&mut ours), drain(&mut theirs), "{width}");
    }
}

#[test]
fn long_edges_have_the_bits_of_imageproc() {
    let whole = Rect { x: 0, y: 0, w: 1300, h: 20 };
    let mut next = numbers();
    let (mut ours, mut theirs) = (Mask::new(1300, 20), Mask::new(1300, 20));
    for round in 0..600 {
        ours.begin(whole);
        theirs.begin(whole);
        let scale = if round % 2 == 0 { 21 } else { 1 };
        let (x, y) = (next() * 21, next() / 3);
        let mut corner = || Point { x: x + next() * scale, y: y + next() / 2 };
        let corners = [corner(), corner(), corner()];
        ours.polygon(&corners);
        draw_polygon_mut(&mut theirs, &corners, ON);
        assert_eq!(drain(&mut ours), drain(&mut theirs), "{corners:?}");
    }
}
