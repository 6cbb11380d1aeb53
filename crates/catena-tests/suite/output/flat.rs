//! PNG files of flat frames.

use catena::output::flat::{FlatEncoder, Span};
use catena_tests::Random;
use image::{Rgb, RgbImage};

/// Pseudo-random numbers from 0 to below the argument.
fn numbers(seed: u64) -> impl FnMut(u32) -> u32 {
    let mut random = Random::new(seed);
    move |below| random.below(below as usize) as u32
}

fn check(encoder: &FlatEncoder, image: &RgbImage, changes: &[Vec<Span>], what: &str) {
    let mut bytes = Vec::new();
    encoder.encode((image, changes), &mut bytes);
    let decoded = image::load_from_memory(&bytes).unwrap_or_else(|e| panic!("{what}: {e}"));
    assert_eq!(decoded.color(), image::ColorType::Rgb8);
    assert_eq!(decoded.to_rgb8(), *image, "{what}");
}

#[test]
fn pictures_read_back_as_they_were() {
    for (round, (w, h)) in
        [(1, 1), (2, 3), (7, 5), (64, 9), (257, 40), (90, 200), (1400, 12)].into_iter().enumerate()
    {
        let mut next = numbers(round as u64);
        let stripes = Rgb([10, 200, 90]);
        let template = RgbImage::from_fn(w, h, |x, y| match (y / 3) % 3 {
            0 => Rgb([250; 3]),
            1 => stripes,
            _ => Rgb([x as u8, 7, (x / 5) as u8]),
        });
        let encoder = FlatEncoder::new(&template, (&template, &vec![Vec::new(); h as usize]));
        let mut image = template.clone();
        let mut changes = vec![Vec::new(); h as usize];
        check(&encoder, &image, &changes, &format!("template {w}x{h}"));
        for step in 0..12 {
            for _ in 0..next(1 + h) {
                let (y, from) = (next(h), next(w));
                let to = (from + 1 + next(w)).min(w);
                let kind = next(3);
                for x in from..to {
                    let noise = [next(256) as u8, next(256) as u8, next(256) as u8];
                    let ink = match kind {
                        0 => Rgb(noise),
                        1 => stripes,
                        _ => Rgb([next(2) as u8; 3]),
                    };
                    image.put_pixel(x, y, ink);
                }
                changes[y as usize].push((from, to));
            }
            check(&encoder, &image, &changes, &format!("step {step} of {w}x{h}"));
        }
    }
}

/// Lists of changes: pixel by pixel; in overlapping spans that are larger than the changes; whole
/// rows.
fn listings(
    template: &RgbImage,
    image: &RgbImage,
    next: &mut impl FnMut(u32) -> u32,
) -> [Vec<Vec<Span>>; 3] {
    let (w, h) = image.dimensions();
    let differs = |x: u32, y: u32| template.get_pixel(x, y) != image.get_pixel(x, y);
    let narrow = |y| (0..w).rev().filter(|&x| differs(x, y)).map(|x| (x, x + 1)).collect();
    let narrow: Vec<Vec<Span>> = (0..h).map(narrow).collect();
    let wide = narrow.iter().map(|row: &Vec<Span>| {
        let around = |&(from, to): &Span| (from.saturating_sub(next(9)), (to + next(9)).min(w));
        row.iter().map(around).collect()
    });
    let wide = wide.collect();
    [narrow, wide, vec![vec![(0, w)]; h as usize]]
}

/// A picture with rows far from any change in black.
fn blackened(image: &RgbImage, changes: &[Vec<Span>]) -> RgbImage {
    let is_changed = |y: u32| changes.get(y as usize).is_some_and(|row| !row.is_empty());
    RgbImage::from_fn(image.width(), image.height(), |x, y| {
        let is_near = (y.saturating_sub(1)..y + 2).any(is_changed);
        if is_near { *image.get_pixel(x, y) } else { Rgb([0; 3]) }
    })
}

#[test]
fn no_listing_of_changes_makes_another_file() {
    let mut next = numbers(7);
    for round in 0..300 {
        let (w, h) = (1 + next(90), 1 + next(12));
        // Few colours, so that zeros, repeated pixels and single ones are all frequent.
        let mut noise =
            |of: u32| RgbImage::from_fn(w, h, |_, _| Rgb([[9, 200, 200][next(of) as usize]; 3]));
        let template = noise(1 + round % 3);
        let mut image = template.clone();
        let other = noise(3);
        for _ in 0..next(30) {
            let (x, y) = (next(w), next(h));
            image.put_pixel(x, y, *other.get_pixel(x, y));
        }
        let encoder = FlatEncoder::new(&template, (&other, &vec![vec![(0, w)]; h as usize]));
        let files = listings(&template, &image, &mut next).map(|changes| {
            check(&encoder, &image, &changes, &format!("round {round}"));
            let mut bytes = Vec::new();
            encoder.encode((&image, &changes), &mut bytes);
            bytes
        });
        assert!(files[0] == files[1] && files[1] == files[2], "round {round}, {w}x{h}");
        let changes = &listings(&template, &image, &mut next)[0];
        let (whole, holed) = (&image, &blackened(&image, changes));
        let [one, other] = [whole, holed].map(|image| {
            let encoder = FlatEncoder::new(&template, (image, changes));
            let mut bytes = Vec::new();
            encoder.encode((image, changes), &mut bytes);
            bytes
        });
        assert_eq!(one, other, "round {round}, {w}x{h}");
    }
}

#[test]
fn a_file_does_not_depend_on_how_changes_are_listed() {
    let template = RgbImage::from_pixel(60, 8, Rgb([240; 3]));
    let mut image = template.clone();
    (20..30).for_each(|x| image.put_pixel(x, 4, Rgb([9, 9, 9])));
    let encoder = FlatEncoder::new(&template, (&image, &vec![vec![(20, 30)]; 8]));
    let mut narrow = vec![Vec::new(); 8];
    narrow[4].push((20, 30));
    let mut wide = vec![vec![(0, 60)]; 8];
    wide[4] = vec![(25, 60), (0, 26), (20, 30)];
    let [mut one, mut other] = [Vec::new(), Vec::new()];
    encoder.encode((&image, &narrow), &mut one);
    encoder.encode((&image, &wide), &mut other);
    assert_eq!(one, other);
}
