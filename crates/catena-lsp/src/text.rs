//! Texts with incremental changes, and positions in the protocol's units: lines, and UTF-16 units
//! within a line.

use lsp_types::{Position, Range};
use std::ops;

/// A text with an index of its lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Text {
    text: String,
    /// Byte offsets of the starts of lines, in order; the first is 0.
    starts: Vec<usize>,
}

impl Text {
    pub(super) fn new(text: String) -> Self {
        let starts = starts_in(&text, 0..=text.len()).collect();
        Self { text, starts }
    }

    #[cfg(feature = "server")]
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Replaces the text between two positions, in either order.
    #[cfg(feature = "server")]
    pub(super) fn replace(&mut self, range: &Range, new: &str) {
        let offsets = [range.start, range.end].map(|end| self.offset(end));
        let [start, end] = [offsets[0].min(offsets[1]), offsets[0].max(offsets[1])];
        self.text.replace_range(start..end, new);
        // Whether a line starts at a byte depends on that byte and the previous one.
        let first = self.starts.partition_point(|begin| *begin < start);
        let after = self.starts.partition_point(|begin| *begin <= end);
        let new_end = start + new.len();
        for begin in &mut self.starts[after..] {
            *begin = *begin - end + new_end;
        }
        let among: Vec<usize> = starts_in(&self.text, start..=new_end).collect();
        self.starts.splice(first..after, among);
    }

    /// A line without its end, and the byte offset of its start.
    fn line(&self, number: usize) -> Option<(usize, &str)> {
        let begin = *self.starts.get(number)?;
        let end = self.starts.get(number + 1).copied().unwrap_or(self.text.len());
        let line = self.text.get(begin..end)?;
        let without = line.strip_suffix('\n').unwrap_or(line);
        Some((begin, without.strip_suffix('\r').unwrap_or(without)))
    }

    /// Byte offset of a position. A position beyond the end of a line or of the text maps to that
    /// end.
    pub(super) fn offset(&self, position: Position) -> usize {
        let Some((start, line)) = self.line(position.line as usize) else {
            return self.text.len();
        };
        let mut units = 0;
        for (index, letter) in line.char_indices() {
            units += letter.len_utf16();
            if units > position.character as usize {
                return start + index;
            }
        }
        start + line.len()
    }

    /// Position of a byte offset.
    fn position(&self, offset: usize) -> Position {
        let offset = self.text.floor_char_boundary(offset.min(self.text.len()));
        let number = self.starts.partition_point(|begin| *begin <= offset).saturating_sub(1);
        let (start, line) = self.line(number).unwrap_or((0, ""));
        let end = (offset - start).min(line.len());
        let units: usize = line[..end].chars().map(char::len_utf16).sum();
        Position::new(small(number), small(units))
    }

    /// Positions of both ends of a byte range.
    pub(super) fn range(&self, bytes: &ops::Range<usize>) -> Range {
        Range::new(self.position(bytes.start), self.position(bytes.end))
    }
}

/// Byte offsets in a part of the text at which lines start.
fn starts_in(text: &str, part: ops::RangeInclusive<usize>) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let is_start = |at: &usize| match at.checked_sub(1).and_then(|before| bytes.get(before)) {
        None => *at == 0,
        Some(b'\r') => bytes.get(*at) != Some(&b'\n'),
        Some(before) => *before == b'\n',
    };
    part.filter(is_start)
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
