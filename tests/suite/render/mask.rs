//! Subsamples as imageproc sets them.

use catena::render::{
    Rect,
    mask::{Mask, Point, is_convex},
};
use image::Luma;
use imageproc::drawing::{Canvas, draw_filled_circle_mut, draw_polygon_mut};

const CLIP: Rect = Rect { x: 5, y: 3, w: 40, h: 30 };

/// All of the picture: shapes at its edge are cut by nothing else.
const WHOLE: Rect = Rect { x: 0, y: 0, w: 48, h: 40 };

fn mask(clip: Rect) -> Mask {
    let mut mask = Mask::new(48, 40);
    mask.begin(clip);
    mask
}

const ON: Luma<u8> = Luma([1]);

/// Subsamples that imageproc sets, inside of a clip: a word of 8 by 8 bits a pixel.
struct Reference {
    words: Vec<u64>,
    width: u32,
    clip: Rect,
}

impl Reference {
    fn new(width: u32, height: u32, clip: Rect) -> Self {
        Self { words: vec![0; (width * height) as usize], width, clip }
    }

    fn polygon(&mut self, corners: &[Point]) {
        let corners: Vec<_> =
            corners.iter().map(|at| imageproc::point::Point { x: at.x, y: at.y }).collect();
        draw_polygon_mut(self, &corners, ON);
    }

    /// Takes what is set, as [`drain`] does.
    fn drain(&mut self) -> Vec<(u32, u32, Vec<u64>)> {
        let mut all = Vec::new();
        for (y, row) in self.words.chunks(self.width as usize).enumerate() {
            let from = row.iter().position(|&word| word != 0);
            let to = row.iter().rposition(|&word| word != 0);
            if let (Some(from), Some(to)) = (from, to) {
                all.push((from as u32, y as u32, row[from..=to].to_vec()));
            }
        }
        self.words.fill(0);
        all
    }

    /// The word and the bit of a subsample.
    fn place(&self, x: u32, y: u32) -> (usize, u64) {
        ((y / 8 * self.width + x / 8) as usize, 1 << (y % 8 * 8 + x % 8))
    }
}

impl Canvas for Reference {
    type Pixel = Luma<u8>;

    fn dimensions(&self) -> (u32, u32) {
        (8 * self.clip.right() as u32, 8 * self.clip.bottom() as u32)
    }

    fn get_pixel(&self, x: u32, y: u32) -> Luma<u8> {
        let (word, bit) = self.place(x, y);
        Luma([u8::from(self.words[word] & bit != 0)])
    }

    fn draw_pixel(&mut self, x: u32, y: u32, _color: Luma<u8>) {
        if x as i32 >= 8 * self.clip.x && y as i32 >= 8 * self.clip.y {
            let (word, bit) = self.place(x, y);
            self.words[word] |= bit;
        }
    }
}

fn reference(clip: Rect) -> Reference {
    Reference::new(48, 40, clip)
}

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
        let (mut ours, mut theirs) = (mask(clip), reference(clip));
        ours.polygon(&corners);
        theirs.polygon(&corners);
        assert_eq!(drain(&mut ours), theirs.drain(), "{corners:?}");
    }
    assert!(convex > 4000, "{convex}");
}

#[test]
fn discs_have_the_bits_of_imageproc() {
    let mut next = numbers();
    for round in 0..8000 {
        let clip = if round % 2 == 0 { CLIP } else { WHOLE };
        let (center, radius) = ((next(), next()), (next() + 100) % 60);
        let (mut ours, mut theirs) = (mask(clip), reference(clip));
        ours.disc(center, radius);
        draw_filled_circle_mut(&mut theirs, center, radius, ON);
        assert_eq!(drain(&mut ours), theirs.drain(), "{center:?} {radius}");
    }
}

#[test]
fn discs_that_just_fit_have_the_bits_of_imageproc() {
    for (radius, gap) in (0..=80).flat_map(|radius| (0..8).map(move |gap| (radius, gap))) {
        let near = radius + gap;
        for center in [(near, 160), (200, near), (383 - near, 160), (200, 319 - near)] {
            let (mut ours, mut theirs) = (mask(WHOLE), reference(WHOLE));
            ours.disc(center, radius);
            draw_filled_circle_mut(&mut theirs, center, radius, ON);
            assert_eq!(drain(&mut ours), theirs.drain(), "{center:?} {radius}");
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
        let mut theirs = reference(clip);
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
                draw_filled_circle_mut(&mut theirs, (x, y), radius, ON);
            }
        }
        assert_eq!(drain(&mut ours), theirs.drain(), "round {round}");
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
        let (mut ours, mut theirs) = (
            Mask::new(width, 4),
            Reference::new(width, 4, Rect { x: 0, y: 0, w: width as i32, h: 4 }),
        );
        for corners in [square(0, 1), square(last.min(3), 2), square(last, 1), square(last, 0)] {
            ours.polygon(&corners);
            theirs.polygon(&corners);
        }
        assert_eq!(drain(&mut ours), theirs.drain(), "{width}");
    }
}

#[test]
fn long_edges_have_the_bits_of_imageproc() {
    let whole = Rect { x: 0, y: 0, w: 1300, h: 20 };
    let mut next = numbers();
    let (mut ours, mut theirs) = (Mask::new(1300, 20), Reference::new(1300, 20, whole));
    for round in 0..600 {
        ours.begin(whole);
        let scale = if round % 2 == 0 { 21 } else { 1 };
        let (x, y) = (next() * 21, next() / 3);
        let mut corner = || Point { x: x + next() * scale, y: y + next() / 2 };
        let corners = [corner(), corner(), corner()];
        ours.polygon(&corners);
        theirs.polygon(&corners);
        assert_eq!(drain(&mut ours), theirs.drain(), "{corners:?}");
    }
}
