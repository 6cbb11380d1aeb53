//! The part of a frame that differs from the frame before.

use image::RgbImage;

/// A rectangle of pixels by its left upper corner and its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChangedArea {
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) width: u32,
    pub(super) height: u32,
}

/// The frame before the one that is being written, which is none at first.
#[derive(Default)]
pub(super) struct FrameBefore(Option<RgbImage>);

impl FrameBefore {
    /// The picture; `None` before the first frame.
    pub(super) fn image(&self) -> Option<&RgbImage> {
        self.0.as_ref()
    }

    /// The rectangle in which the next frame differs from this one; all of the first frame.
    pub(super) fn changed(&self, next: &RgbImage) -> ChangedArea {
        let whole = ChangedArea { x: 0, y: 0, width: next.width(), height: next.height() };
        self.0.as_ref().map_or(whole, |before| area(before, next))
    }

    /// Makes `next` the frame before.
    pub(super) fn replace(&mut self, next: &RgbImage) {
        match &mut self.0 {
            Some(before) => before.copy_from_slice(next),
            None => self.0 = Some(next.clone()),
        }
    }
}

/// The smallest rectangle that holds all changes. Where nothing changed it is the first pixel,
/// since formats have no empty frames.
fn area(before: &RgbImage, after: &RgbImage) -> ChangedArea {
    let stride = 3 * after.width() as usize;
    let rows = before.as_raw().chunks_exact(stride).zip(after.as_raw().chunks_exact(stride));
    let mut found: Option<(u32, u32, usize, usize)> = None;
    for (y, (before, after)) in (0..).zip(rows) {
        let Some((from, to)) = span(before, after) else { continue };
        let (top, _, left, right) = found.unwrap_or((y, y, from, to));
        found = Some((top, y, left.min(from), right.max(to)));
    }
    let (top, bottom, left, right) = found.unwrap_or((0, 0, 0, 1));
    ChangedArea { x: left as u32, y: top, width: (right - left) as u32, height: bottom + 1 - top }
}

/// The pixels of a row from the first that changed to the one past the last.
fn span(before: &[u8], after: &[u8]) -> Option<(usize, usize)> {
    // Most rows are equal, and comparing slices is much faster than comparing bytes.
    if before == after {
        return None;
    }
    let differs = |(before, after): (&u8, &u8)| before != after;
    let first = before.iter().zip(after).position(differs)?;
    let last = before.iter().zip(after).rposition(differs)?;
    Some((first / 3, last / 3 + 1))
}

/// Replaces `bytes` with those of a rectangle, row after row.
pub(super) fn copy_area(image: &RgbImage, area: ChangedArea, bytes: &mut Vec<u8>) {
    bytes.clear();
    let width = image.width() as usize;
    for y in area.y..area.y + area.height {
        let start = 3 * (y as usize * width + area.x as usize);
        bytes.extend_from_slice(&image.as_raw()[start..start + 3 * area.width as usize]);
    }
}
