//! Heights of text and gaps.

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
    /// How large what is a pixel thick in a picture of 1280x720 is in this one.
    pub stroke: f64,
}

impl Sizes {
    /// Sizes for a picture of this width and height, proportional to it but never illegible.
    pub fn of([width, height]: [u32; 2]) -> Self {
        let share = (f64::from(width) / 1280.0).min(f64::from(height) / 720.0);
        let unit = share.clamp(0.68, 3.0);
        Self {
            stroke: share.clamp(0.35, 6.0),
            title: 25.0 * unit,
            label: 17.0 * unit,
            number: 14.5 * unit,
            gap: (14.0 * unit).round() as i32,
        }
    }

    /// Height of a strip that holds a line of this size.
    pub fn strip(size: f64) -> i32 {
        (size * 1.7).round() as i32
    }
}
