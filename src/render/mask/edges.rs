//! What a convex polygon covers of each row of subsamples.

use imageproc::point::Point;

/// Whether corners turn the same way at each of them, and once around: two edges of it at most cross any row.
pub fn is_convex(corners: &[Point<i32>]) -> bool {
    let n = corners.len();
    let edge = |i: usize| {
        let (a, b) = (corners[i % n], corners[(i + 1) % n]);
        (i64::from(b.x) - i64::from(a.x), i64::from(b.y) - i64::from(a.y))
    };
    let turn = |i: usize| {
        let ((ax, ay), (bx, by)) = (edge(i), edge(i + 1));
        (ax * by - ay * bx).signum()
    };
    // Beyond four corners equal turns can lead around twice.
    (3..=4).contains(&n) && turn(0) != 0 && (1..n).all(|i| turn(i) == turn(0))
}

/// What a convex polygon covers of each row.
#[derive(Default)]
pub(super) struct Edges {
    pub(super) top: i32,
    /// From and to, both included; from > to where there is nothing.
    pub(super) rows: Vec<(i32, i32)>,
    /// Row, from and to of what does not touch the rest of its row.
    pub(super) apart: Vec<(i32, i32, i32)>,
}

impl Edges {
    /// The same as imageproc's polygon: between the crossings of a row's middle with the edges, and the edges themselves as
    /// Bresenham draws them.
    pub(super) fn find(&mut self, corners: &[Point<i32>], (first_row, last_row): (i32, i32)) {
        self.rows.clear();
        self.apart.clear();
        let (top, bottom) = corners
            .iter()
            .fold((i32::MAX, i32::MIN), |(top, bottom), at| (top.min(at.y), bottom.max(at.y)));
        let (top, bottom) = (top.max(first_row), bottom.min(last_row));
        self.top = top;
        if top > bottom {
            return;
        }
        self.rows.resize((bottom - top + 1) as usize, (i32::MAX, i32::MIN));
        let edges = || (0..corners.len()).map(|i| (corners[i], corners[(i + 1) % corners.len()]));
        for (a, b) in edges() {
            self.cross(a, b);
        }
        for (a, b) in edges() {
            self.walk(a, b);
        }
    }

    /// Where an edge crosses the rows, but for its lower end, which the next edge brings or the outline.
    fn cross(&mut self, a: Point<i32>, b: Point<i32>) {
        if a.y == b.y {
            return;
        }
        let (upper, lower) = if a.y < b.y { (a, b) } else { (b, a) };
        let (from, to) = (upper.y.max(self.top), lower.y.min(self.top + self.rows.len() as i32));
        if from >= to {
            return;
        }
        let (height, width) = ((b.y - a.y) as f32, (b.x - a.x) as f32);
        let rows = &mut self.rows[(from - self.top) as usize..(to - self.top) as usize];
        for (y, row) in (from..).zip(rows) {
            let fraction = (y - a.y) as f32 / height;
            let x = round(a.x as f32 + fraction * width);
            *row = (row.0.min(x), row.1.max(x));
        }
    }

    /// The subsamples of an edge, as [`imageproc::drawing::BresenhamLineIter`] steps along it.
    fn walk(&mut self, a: Point<i32>, b: Point<i32>) {
        let (dx, dy) = ((b.x - a.x).abs(), (b.y - a.y).abs());
        if dy > dx {
            self.walk_down(a, b);
        } else {
            self.walk_across(a, b);
        }
    }

    /// A steep edge: one subsample a row.
    fn walk_down(&mut self, a: Point<i32>, b: Point<i32>) {
        let (upper, lower) = if a.y > b.y { (b, a) } else { (a, b) };
        let (step, dx) =
            if upper.x < lower.x { (1, lower.x - upper.x) } else { (-1, upper.x - lower.x) };
        let dy = lower.y - upper.y;
        // Twice what is left of a step, so that it is a whole number.
        let mut error = dy;
        let mut x = upper.x;
        let above = (self.top - upper.y).clamp(0, dy + 1);
        for _ in 0..above {
            error -= 2 * dx;
            if error < 0 {
                x += step;
                error += 2 * dy;
            }
        }
        let Self { top, rows, apart } = self;
        let first = upper.y + above;
        let end = (lower.y + 1 - *top).clamp(0, rows.len() as i32);
        let rows = rows.get_mut((first - *top) as usize..end as usize).unwrap_or_default();
        for (y, row) in (first..).zip(rows) {
            include(row, apart, (y, x, x));
            error -= 2 * dx;
            if error < 0 {
                x += step;
                error += 2 * dy;
            }
        }
    }

    /// A flat edge: a run of subsamples a row.
    fn walk_across(&mut self, a: Point<i32>, b: Point<i32>) {
        let (left, right) = if a.x > b.x { (b, a) } else { (a, b) };
        let (step, dy) =
            if left.y < right.y { (1, right.y - left.y) } else { (-1, left.y - right.y) };
        let dx = right.x - left.x;
        let mut error = dx;
        let mut y = left.y;
        let mut from = left.x;
        for x in left.x..=right.x {
            error -= 2 * dy;
            if error < 0 {
                self.add((y, from, x));
                from = x + 1;
                y += step;
                error += 2 * dx;
            }
        }
        if from <= right.x {
            self.add((y, from, right.x));
        }
    }

    fn add(&mut self, run: (i32, i32, i32)) {
        let index = run.0 - self.top;
        if let Some(row) = usize::try_from(index).ok().and_then(|index| self.rows.get_mut(index)) {
            include(row, &mut self.apart, run);
        }
    }
}

/// Adds a run to what is covered of its row, or to those that lie apart.
#[inline(always)]
fn include(row: &mut (i32, i32), apart: &mut Vec<(i32, i32, i32)>, run: (i32, i32, i32)) {
    let (_, from, to) = run;
    if from <= row.1.saturating_add(1) && to >= row.0.saturating_sub(1) {
        *row = (row.0.min(from), row.1.max(to));
    } else if row.0 > row.1 {
        *row = (from, to);
    } else {
        apart.push(run);
    }
}

/// The nearest whole number, halves away from zero, as f32::round gives it, of numbers that i32 can hold.
#[inline(always)]
fn round(value: f32) -> i32 {
    let whole = value as i32;
    // Exact: both are near each other.
    let rest = value - whole as f32;
    whole + i32::from(rest >= 0.5) - i32::from(rest <= -0.5)
}
