//! Which pixels of a picture differ from the one that it was made from.

/// The first pixel and the one past the last, in one row.
pub type Span = (u32, u32);

/// Spans nearer to each other than this many pixels become one: going over a few unchanged pixels costs less than a span.
const NEAR: u32 = 8;

/// Spans of every row.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    rows: Vec<Vec<Span>>,
}

impl Changes {
    /// No change in a picture of so many rows.
    pub fn none(rows: u32) -> Self {
        Self { rows: vec![Vec::new(); rows as usize] }
    }

    /// Adds the pixels from `from` to before `to`.
    #[inline]
    pub fn add(&mut self, y: u32, from: u32, to: u32) {
        let spans = &mut self.rows[y as usize];
        // Most changes of a row follow each other closely.
        if let Some(last) = spans.last_mut()
            && from <= last.1 + NEAR
            && to + NEAR >= last.0
        {
            *last = (last.0.min(from), last.1.max(to));
            return;
        }
        spans.push((from, to));
    }

    /// The spans of each row, in any order; they may overlap.
    pub fn rows(&self) -> &[Vec<Span>] {
        &self.rows
    }

    /// Hands every span to `take`, and forgets them.
    pub fn drain(&mut self, mut take: impl FnMut(usize, Span)) {
        for (y, spans) in self.rows.iter_mut().enumerate() {
            spans.drain(..).for_each(|span| take(y, span));
        }
    }
}
