//! Places labels so that none covers another or a line.

/// Moves heights within a range apart until neighbours are at least `gap` apart, with the minimum
/// sum of squared shifts. Their order does not change. Returns `None` if the range is too short.
pub fn pushed_apart(wanted: &[f64], gap: f64, [low, high]: [f64; 2]) -> Option<Vec<f64>> {
    let count = wanted.len();
    let room = high - low - gap * count.saturating_sub(1) as f64;
    if room < 0.0 {
        return None;
    }
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]).then(a.cmp(b)));
    // After subtracting the gaps, heights must not decrease. Neighbours that violate this share
    // their mean (pool adjacent violators).
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (place, index) in order.iter().enumerate() {
        let mut block = (wanted[*index] - gap * place as f64, 1);
        while let Some((mean, size)) = blocks.last().copied()
            && mean >= block.0
        {
            let both = (size + block.1) as f64;
            block = ((mean * size as f64 + block.0 * block.1 as f64) / both, size + block.1);
            blocks.pop();
        }
        blocks.push(block);
    }
    let free = blocks.iter().flat_map(|(mean, size)| std::iter::repeat_n(*mean, *size));
    let mut heights = vec![0.0; count];
    for (place, (index, mean)) in order.iter().zip(free).enumerate() {
        heights[*index] = mean.clamp(low, low + room) + gap * place as f64;
    }
    Some(heights)
}

/// Grid of squares over a frame that records which are occupied.
pub(super) struct OccupiedGrid {
    columns: usize,
    rows: usize,
    squares: Vec<bool>,
}

/// Side of a square in pixels.
const SQUARE: f64 = 3.0;

impl OccupiedGrid {
    pub fn new([width, height]: [f64; 2]) -> Self {
        let [columns, rows] = [width, height].map(|length| (length / SQUARE).ceil() as usize + 1);
        Self { columns, rows, squares: vec![false; columns * rows] }
    }

    /// Occupies the squares under a segment.
    pub fn occupy_segment(&mut self, [a, b]: [[f64; 2]; 2]) {
        let length = (b[0] - a[0]).abs().max((b[1] - a[1]).abs());
        // The limit is far larger than any frame, so it only truncates segments that extend
        // outside.
        let count = (length / SQUARE * 1.5).clamp(1.0, 20_000.0) as usize;
        for step in 0..=count {
            let t = step as f64 / count as f64;
            self.occupy_point([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]);
        }
    }

    fn occupy_point(&mut self, [x, y]: [f64; 2]) {
        let (column, row) = ((x / SQUARE).floor(), (y / SQUARE).floor());
        if column >= 0.0
            && row >= 0.0
            && (column as usize) < self.columns
            && (row as usize) < self.rows
        {
            self.squares[row as usize * self.columns + column as usize] = true;
        }
    }

    /// Whether a box is inside the frame and all its squares are free, given its top left corner
    /// and its size.
    pub fn is_free(&self, [x, y]: [f64; 2], [width, height]: [f64; 2]) -> bool {
        let fits = x >= 0.0
            && y >= 0.0
            && x + width <= (self.columns - 1) as f64 * SQUARE
            && y + height <= (self.rows - 1) as f64 * SQUARE;
        let range = |from: f64, length: f64| {
            (from / SQUARE).floor() as usize..=((from + length) / SQUARE).floor() as usize
        };
        fits && range(y, height)
            .all(|row| range(x, width).all(|column| !self.squares[row * self.columns + column]))
    }

    /// Occupies the squares of a box.
    pub fn occupy(&mut self, [x, y]: [f64; 2], [width, height]: [f64; 2]) {
        let mut row = y;
        while row <= y + height {
            self.occupy_segment([[x, row], [x + width, row]]);
            row += SQUARE;
        }
    }
}
