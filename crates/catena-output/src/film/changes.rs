//! Detects the part of a frame that differs from the previous frame.

use super::sink::FrameLayout;

/// Rectangle of pixels: its top left corner and its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChangedArea {
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) width: u32,
    pub(super) height: u32,
}

/// Previous frame; none before the first frame.
pub(super) struct FrameBefore {
    layout: FrameLayout,
    bytes: Option<Vec<u8>>,
}

impl FrameBefore {
    /// Creates the state before the first frame.
    pub(super) fn none(layout: FrameLayout) -> Self {
        Self { layout, bytes: None }
    }

    /// Whether there is a previous frame.
    pub(super) fn is_there(&self) -> bool {
        self.bytes.is_some()
    }

    /// Rectangle in which the next frame differs from this one; the whole picture for the first
    /// frame.
    pub(super) fn changed(&self, next: &[u8]) -> ChangedArea {
        let [width, height] = self.layout.size;
        let whole = ChangedArea { x: 0, y: 0, width, height };
        self.bytes.as_ref().map_or(whole, |before| area(before, next, self.layout))
    }

    /// Replaces `bytes` with the bytes of a rectangle of this frame, or clears it before the first
    /// frame.
    pub(super) fn copy_area(&self, area: ChangedArea, bytes: &mut Vec<u8>) {
        bytes.clear();
        if let Some(before) = &self.bytes {
            copy_area(before, self.layout, area, bytes);
        }
    }

    /// Stores `next` as the previous frame.
    pub(super) fn replace(&mut self, next: &[u8]) {
        match &mut self.bytes {
            Some(before) => before.copy_from_slice(next),
            None => self.bytes = Some(next.to_vec()),
        }
    }
}

/// Smallest rectangle that contains all changes. If nothing changed, it is the first pixel, since
/// formats have no empty frames.
fn area(before: &[u8], after: &[u8], layout: FrameLayout) -> ChangedArea {
    let stride = layout.channels * layout.size[0] as usize;
    let rows = before.chunks_exact(stride).zip(after.chunks_exact(stride));
    let mut found: Option<(u32, u32, usize, usize)> = None;
    for (y, (before, after)) in (0..).zip(rows) {
        let Some((from, to)) = span(before, after, layout.channels) else { continue };
        let (top, _, left, right) = found.unwrap_or((y, y, from, to));
        found = Some((top, y, left.min(from), right.max(to)));
    }
    let (top, bottom, left, right) = found.unwrap_or((0, 0, 0, 1));
    ChangedArea { x: left as u32, y: top, width: (right - left) as u32, height: bottom + 1 - top }
}

/// Range of a row's pixels from the first that changed to one past the last.
fn span(before: &[u8], after: &[u8], channels: usize) -> Option<(usize, usize)> {
    // Most rows are equal, and comparing slices is much faster than comparing bytes.
    if before == after {
        return None;
    }
    let differs = |(before, after): (&u8, &u8)| before != after;
    let first = before.iter().zip(after).position(differs)?;
    let last = before.iter().zip(after).rposition(differs)?;
    Some((first / channels, last / channels + 1))
}

/// Replaces `bytes` with the bytes of a rectangle, row by row.
pub(super) fn copy_area(image: &[u8], layout: FrameLayout, area: ChangedArea, bytes: &mut Vec<u8>) {
    bytes.clear();
    let (width, channels) = (layout.size[0] as usize, layout.channels);
    for y in area.y..area.y + area.height {
        let start = channels * (y as usize * width + area.x as usize);
        bytes.extend_from_slice(&image[start..start + channels * area.width as usize]);
    }
}
