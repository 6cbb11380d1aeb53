//! Masks have the same subsamples as imageproc.

use catena::render::{
    Rect,
    mask::{LARGEST_DISC, Mask, Point, Rasterizer, is_monotone},
};
use catena_tests::Random;
use image::{GrayImage, Luma};
use imageproc::drawing::{Canvas, draw_filled_circle_mut, draw_line_segment_mut, draw_polygon_mut};

const CLIP: Rect = Rect { x: 5, y: 3, w: 40, h: 30 };

/// The whole picture: shapes are clipped only at its edge.
const WHOLE: Rect = Rect { x: 0, y: 0, w: 48, h: 40 };

/// Two masks of one size and clip: one for the fast paths, one for imageproc's calls.
fn masks([width, height]: [u32; 2], clip: Rect) -> [Mask; 2] {
    Rasterizer::ALL.map(|rasterizer| {
        let mut mask = Mask::new(width, height).with_rasterizer(rasterizer);
        mask.begin(clip);
        mask
    })
}

/// Removes and returns the set bits of a mask.
fn drain(mask: &mut Mask) -> Vec<(u32, u32, Vec<u64>)> {
    let mut all = Vec::new();
    for y in mask.take_rows() {
        let Some((x, bits)) = mask.take_row(y) else { continue };
        // Runs may begin and end elsewhere, but their set bits must be equal.
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

/// Pseudo-random integers from -100 to 499.
fn numbers() -> impl FnMut() -> i32 {
    let mut random = Random::new(1);
    move || random.below(600) as i32 - 100
}

#[test]
fn polygons_have_the_bits_of_imageproc() {
    let mut next = numbers();
    let mut fast = 0;
    for round in 0..20_000 {
        let clip = if round % 4 < 3 { CLIP } else { WHOLE };
        let (x, y) = (next(), next());
        // Large shapes, and shapes of a few subsamples.
        let mut near = |at: i32| if round % 2 == 0 { next() } else { at + next() % 12 };
        let count = 3 + round % 5;
        let corners: Vec<_> = (0..count).map(|_| Point { x: near(x), y: near(y) }).collect();
        fast += usize::from(is_monotone(&corners));
        let [mut ours, mut theirs] = masks([48, 40], clip);
        ours.polygon(&corners);
        theirs.polygon(&corners);
        assert_eq!(drain(&mut ours), drain(&mut theirs), "{corners:?}");
    }
    assert!((8000..16_000).contains(&fast), "{fast}");
}

#[test]
fn discs_have_the_bits_of_imageproc() {
    let mut next = numbers();
    for round in 0..8000 {
        let clip = if round % 2 == 0 { CLIP } else { WHOLE };
        let (center, radius) = ((next(), next()), (next() + 100) % 60);
        let [mut ours, mut theirs] = masks([48, 40], clip);
        ours.disc(center, radius);
        theirs.disc(center, radius);
        assert_eq!(drain(&mut ours), drain(&mut theirs), "{center:?} {radius}");
    }
}

#[test]
fn discs_that_just_fit_have_the_bits_of_imageproc() {
    for (radius, gap) in (0..=80).flat_map(|radius| (0..8).map(move |gap| (radius, gap))) {
        let near = radius + gap;
        for center in [(near, 160), (200, near), (383 - near, 160), (200, 319 - near)] {
            let [mut ours, mut theirs] = masks([48, 40], WHOLE);
            ours.disc(center, radius);
            theirs.disc(center, radius);
            assert_eq!(drain(&mut ours), drain(&mut theirs), "{center:?} {radius}");
        }
    }
}

#[test]
fn shapes_over_each_other_have_the_bits_of_imageproc() {
    let mut next = numbers();
    // One pair of masks for all rounds: an earlier shape must leave no trace.
    let [mut ours, mut theirs] = masks([48, 40], WHOLE);
    for round in 0..2000 {
        let clip = if round % 2 == 0 { CLIP } else { WHOLE };
        ours.begin(clip);
        theirs.begin(clip);
        for _ in 0..1 + next().rem_euclid(8) {
            let (x, y) = (next(), next());
            if next() % 2 == 0 {
                let mut near = |at: i32| at + next() % 60;
                let corners = [0; 4].map(|_| Point { x: near(x), y: near(y) });
                ours.polygon(&corners);
                theirs.polygon(&corners);
            } else {
                let radius = next().rem_euclid(40);
                ours.disc((x, y), radius);
                theirs.disc((x, y), radius);
            }
        }
        assert_eq!(drain(&mut ours), drain(&mut theirs), "round {round}");
    }
}

/// A run is written eight pixels at a time, and must not extend into the next row.
#[test]
fn runs_at_the_right_edge_leave_the_next_row_alone() {
    for width in 1..40 {
        let square = |x: i32, y: i32| {
            [[1, 1], [6, 1], [6, 6], [1, 6]].map(|[dx, dy]| Point { x: 8 * x + dx, y: 8 * y + dy })
        };
        let last = width as i32 - 1;
        let [mut ours, mut theirs] = masks([width, 4], Rect { x: 0, y: 0, w: width as i32, h: 4 });
        for corners in [square(0, 1), square(last.min(3), 2), square(last, 1), square(last, 0)] {
            ours.polygon(&corners);
            theirs.polygon(&corners);
        }
        assert_eq!(drain(&mut ours), drain(&mut theirs), "{width}");
    }
}

#[test]
fn long_edges_have_the_bits_of_imageproc() {
    let whole = Rect { x: 0, y: 0, w: 1300, h: 20 };
    let mut next = numbers();
    let [mut ours, mut theirs] = masks([1300, 20], whole);
    for round in 0..600 {
        ours.begin(whole);
        theirs.begin(whole);
        let scale = if round % 2 == 0 { 21 } else { 1 };
        let (x, y) = (next() * 21, next() / 3);
        let mut corner = || Point { x: x + next() * scale, y: y + next() / 2 };
        let corners = [corner(), corner(), corner()];
        ours.polygon(&corners);
        theirs.polygon(&corners);
        assert_eq!(drain(&mut ours), drain(&mut theirs), "{corners:?}");
    }
}

/// Polygons with many corners around a centre, as for round colliders.
#[test]
fn round_polygons_have_the_bits_of_imageproc() {
    let mut next = numbers();
    let mut fast = 0;
    for round in 0..1000 {
        let clip = if round % 2 == 0 { CLIP } else { WHOLE };
        let (x, y) = (f64::from(next()), f64::from(next()));
        let [wide, high] = [0, 1].map(|_| f64::from(next().rem_euclid(200)));
        let count = 5 + next().rem_euclid(120);
        let corner = |at: i32| {
            let angle = std::f64::consts::TAU * f64::from(at) / f64::from(count);
            let at = [x + wide * libm::cos(angle), y + high * libm::sin(angle)];
            let [x, y] = at.map(|at| at.floor() as i32);
            Point { x, y }
        };
        let corners: Vec<_> = (0..count).map(corner).collect();
        fast += usize::from(is_monotone(&corners));
        let [mut ours, mut theirs] = masks([48, 40], clip);
        ours.polygon(&corners);
        theirs.polygon(&corners);
        assert_eq!(drain(&mut ours), drain(&mut theirs), "{corners:?}");
    }
    assert_eq!(fast, 1000);
}

/// Compares the subsamples of a mask with a picture eight times as large, inside a clip.
fn assert_same(mask: &mut Mask, picture: &GrayImage, clip: Rect, what: &str) {
    let mut all = vec![0_u64; 48 * 40];
    for (x, y, words) in drain(mask) {
        all[(48 * y + x) as usize..][..words.len()].copy_from_slice(&words);
    }
    for (x, y, pixel) in picture.enumerate_pixels() {
        let (column, row) = ((x / 8) as i32, (y / 8) as i32);
        let is_inside =
            (clip.x..clip.right()).contains(&column) && (clip.y..clip.bottom()).contains(&row);
        let is_set = all[(48 * row + column) as usize] >> (8 * (y % 8) + x % 8) & 1 == 1;
        assert_eq!(is_set, is_inside && pixel.0[0] > 0, "{what}: {x}, {y}");
    }
}

/// The canvas over bits, compared with an ordinary picture on which the calls are made directly.
#[test]
fn a_mask_is_a_canvas_as_any_other() {
    let mut next = numbers();
    const ON: Luma<u8> = Luma([255]);
    for round in 0..crate::cases(200) {
        let clip = if round % 2 == 0 { CLIP } else { WHOLE };
        for (rasterizer, mut mask) in Rasterizer::ALL.into_iter().zip(masks([48, 40], clip)) {
            let mut picture = GrayImage::new(8 * 48, 8 * 40);
            let corners = [0; 5].map(|_| Point { x: next(), y: next() });
            let (center, radius) = ((next(), next()), next().rem_euclid(90));
            match round / 2 % 3 {
                0 => {
                    mask.polygon(&corners);
                    let corners = corners.map(|at| imageproc::point::Point::new(at.x, at.y));
                    draw_polygon_mut(&mut picture, &corners, ON);
                }
                1 => {
                    mask.disc(center, radius);
                    draw_filled_circle_mut(&mut picture, center, radius, ON);
                }
                _ => {
                    mask.line([corners[0], corners[1]]);
                    let [a, b, ..] = corners.map(|at| (at.x as f32, at.y as f32));
                    draw_line_segment_mut(&mut picture, a, b, ON);
                }
            }
            assert_same(&mut mask, &picture, clip, &format!("round {round}, {rasterizer:?}"));
        }
    }
    let [_, mut mask] = masks([48, 40], CLIP);
    mask.draw_pixel(50, 33, ON);
    mask.draw_pixel(39, 33, ON);
    let set = [mask.get_pixel(50, 33), mask.get_pixel(39, 33), mask.get_pixel(51, 33)];
    assert_eq!(set, [Luma([1]), Luma([0]), Luma([0])]);
    assert_eq!(mask.dimensions(), (8 * 45, 8 * 33));
    drain(&mut mask);
}

/// Numbers of any size, including those at which arithmetic overflows.
fn hostile(next: &mut impl FnMut() -> i32) -> i32 {
    match next().rem_euclid(24) {
        0 => i32::MIN,
        1 => i32::MAX,
        2 => next().wrapping_mul(7_158_279),
        3 => (1 << 21) - 2 + next().rem_euclid(4),
        4 => next() * 2000,
        _ => next(),
    }
}

#[test]
fn hostile_shapes_have_the_same_bits_and_do_not_panic() {
    let mut next = numbers();
    let clips = [
        CLIP,
        WHOLE,
        Rect { x: 20, y: 20, w: 0, h: 0 },
        Rect { x: 0, y: 0, w: 48, h: 0 },
        Rect { x: -30, y: -30, w: 10, h: 10 },
        Rect { x: -9, y: 35, w: 500, h: 500 },
    ];
    let [mut ours, mut theirs] = masks([48, 40], WHOLE);
    for round in 0..120 {
        let clip = clips[round % clips.len()];
        ours.begin(clip);
        theirs.begin(clip);
        let corner = |_| Point { x: hostile(&mut next), y: hostile(&mut next) };
        let mut corners: Vec<_> = (0..round % 7).map(corner).collect();
        if round % 5 == 0 {
            // Closed, and with edges of zero length.
            let first = corners.first().copied();
            corners.extend(first);
            corners.extend(first);
        }
        let (center, radius) = ((hostile(&mut next), hostile(&mut next)), next() - 50);
        let radius = if round == 43 { i32::MAX } else { radius };
        for mask in [&mut ours, &mut theirs] {
            mask.polygon(&corners);
            mask.disc(center, radius);
            if let [a, b, ..] = corners[..] {
                mask.line([a, b]);
            }
        }
        assert_eq!(drain(&mut ours), drain(&mut theirs), "{corners:?}, {center:?}, {radius}");
    }
    for mask in [&mut ours, &mut theirs] {
        mask.begin(WHOLE);
        mask.disc((100, 100), LARGEST_DISC);
        assert_eq!(drain(mask).len(), 40, "a disc around all of the picture");
    }
}
