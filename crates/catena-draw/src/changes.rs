//! Pixels of a picture that differ from its backdrop.

/// Columns of a row: the first, and one past the last.
pub type Span = (u32, u32);

/// Maximum gap in pixels between spans that are merged. A few unchanged pixels cost less than a
/// span.
const NEAR: u32 = 8;

/// Changed spans of every row.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    rows: Vec<Vec<Span>>,
}

impl Changes {
    /// No changes, in a picture with this number of rows.
    pub fn none(rows: u32) -> Self {
        Self { rows: vec![Vec::new(); rows as usize] }
    }

    /// Adds the pixels from `from` up to but excluding `to`.
    #[inline]
    pub fn add(&mut self, y: u32, from: u32, to: u32) {
        let spans = &mut self.rows[y as usize];
        // Most changes of a row are close to the previous one.
        if let Some(last) = spans.last_mut()
            && from <= last.1 + NEAR
            && to + NEAR >= last.0
        {
            *last = (last.0.min(from), last.1.max(to));
            return;
        }
        spans.push((from, to));
    }

    /// Spans of each row, in any order; they may overlap.
    pub fn rows(&self) -> &[Vec<Span>] {
        &self.rows
    }

    /// Passes every span to `take` and removes it.
    pub fn drain(&mut self, mut take: impl FnMut(usize, Span)) {
        for (y, spans) in self.rows.iter_mut().enumerate() {
            spans.drain(..).for_each(|span| take(y, span));
        }
    }
}
