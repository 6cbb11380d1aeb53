//! Discs, kept as masks of the bits that they cover.

/// The largest radius of discs that are kept, in subsamples.
pub(super) const LARGEST_STAMP: i32 = 80;

/// Discs of one radius, as imageproc draws them, for each of the 64 places of a centre within its
/// pixel.
pub(super) struct DiscStamps {
    pub(super) radius: i32,
    half_widths: Vec<i32>,
    places: Vec<Option<DiscStamp>>,
}

/// The bits of a disc, a word a pixel.
pub(super) struct DiscStamp {
    /// See [`DiscStamps::before`].
    pub(super) before: usize,
    pub(super) width: usize,
    pub(super) words: Vec<u64>,
}

impl DiscStamps {
    pub(super) fn new(radius: i32) -> Self {
        let places = std::iter::repeat_with(|| None).take(64).collect();
        Self { radius, half_widths: half_widths(radius), places }
    }

    /// The uppermost row of a disc, and the first and last subsample of each row.
    pub(super) fn rows(&self, (x, y): (i32, i32)) -> (i32, Vec<(i32, i32)>) {
        rows(&self.half_widths, [x, y])
    }

    /// Pixels from the edges of a stamp to the pixel of its centre.
    pub(super) fn before(&self) -> usize {
        (self.radius as usize).div_ceil(8)
    }

    /// The stamp whose centre is at this subsample of its pixel.
    pub(super) fn at(&mut self, x: usize, y: usize) -> &DiscStamp {
        let before = self.before();
        let Self { half_widths, places, .. } = self;
        places[y * 8 + x].get_or_insert_with(|| {
            let (top, rows) =
                rows(half_widths, [before * 8 + x, before * 8 + y].map(|at| at as i32));
            let width = 2 * before + 1;
            let mut words = vec![0; width * width];
            for (y, (from, to)) in (top..).zip(rows) {
                let row = &mut words[(y >> 3) as usize * width..][..width];
                set(row, 8 * (y & 7), from, to);
            }
            DiscStamp { before, width, words }
        })
    }
}

fn rows(half_widths: &[i32], [x, y]: [i32; 2]) -> (i32, Vec<(i32, i32)>) {
    let radius = half_widths.len() as i32 - 1;
    let row = |dy: i32| {
        let half = half_widths[dy.unsigned_abs() as usize];
        (x - half, x + half)
    };
    (y - radius, (-radius..=radius).map(row).collect())
}

/// Half widths of a circle's rows, from its centre down, by the midpoint algorithm. Each step draws
/// the four rows that it reaches, as imageproc's `draw_filled_circle_mut` does.
fn half_widths(radius: i32) -> Vec<i32> {
    let mut widths = vec![0; radius as usize + 1];
    let (mut x, mut y, mut p) = (0, radius, 1 - radius);
    while x <= y {
        widths[y as usize] = x.max(widths[y as usize]);
        widths[x as usize] = y.max(widths[x as usize]);
        x += 1;
        if p < 0 {
            p += 2 * x + 1;
        } else {
            y -= 1;
            p += 2 * (x - y) + 1;
        }
    }
    widths
}

/// Sets the subsamples from `from` to `to` of a row whose bits begin at `shift` in each word.
#[inline(always)]
fn set(bits: &mut [u64], shift: i32, from: i32, to: i32) {
    let (first, last) = ((from >> 3) as usize, (to >> 3) as usize);
    let head = 0xff_u64 << (from & 7) & 0xff;
    let tail = 0xff_u64 >> (7 - (to & 7));
    if first == last {
        bits[first] |= (head & tail) << shift;
        return;
    }
    bits[first] |= head << shift;
    for word in &mut bits[first + 1..last] {
        *word |= 0xff << shift;
    }
    bits[last] |= tail << shift;
}
