//! Sizes of the letters, lines and gaps of a picture.

/// Heights of text lines and gaps, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// Height of the title of a picture.
    pub title: f64,
    /// Height of labels of panels, rows and columns.
    pub label: f64,
    /// Height of live numbers and notes.
    pub number: f64,
    /// Gap between panels and around them.
    pub gap: i32,
    /// Scale of line widths, relative to a picture of 1280x720.
    pub stroke: f64,
}

impl Sizes {
    /// Sizes proportional to a picture of this width and height, but never illegible. Pictures that
    /// deviate from 16:9 have slightly larger sizes than their shorter side implies.
    pub fn of([width, height]: [u32; 2]) -> Self {
        let [wide, high] = [f64::from(width) / 1280.0, f64::from(height) / 720.0];
        let share = (wide * high).sqrt().min(1.3 * wide.min(high));
        let unit = share.max(0.68);
        Self {
            stroke: share.max(0.35),
            title: 25.0 * unit,
            label: 17.0 * unit,
            number: 14.5 * unit,
            gap: (14.0 * unit).round() as i32,
        }
    }

    /// Height of a strip for one line of this size.
    pub fn strip(size: f64) -> i32 {
        Self::strip_of(size, 1)
    }

    /// Height of a strip for several lines of this size.
    pub fn strip_of(size: f64, lines: usize) -> i32 {
        (size * 1.7).round() as i32 + (lines.max(1) as i32 - 1) * Self::line(size)
    }

    /// Distance from one line of this size to the next.
    pub fn line(size: f64) -> i32 {
        (size * 1.3).round() as i32
    }

    /// Margin next to a line of this size.
    pub(crate) fn margin(size: f64) -> i32 {
        (size * 0.7) as i32
    }

    /// Height of the lines of notes about different physics.
    pub(crate) fn note(&self) -> f64 {
        self.number
    }

    /// Width of lines, such as borders, that are one pixel wide in a picture of 1280x720.
    pub(crate) fn hairline(&self) -> i32 {
        self.stroke.round().max(1.0) as i32
    }
}

/// Height of the strip for colour bars.
pub fn bar_height(sizes: Sizes) -> i32 {
    (sizes.number * 2.9).round() as i32
}
