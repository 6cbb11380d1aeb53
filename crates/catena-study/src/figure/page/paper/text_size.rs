//! Sizes of text on paper.

/// Size of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextSize {
    Title,
    Heading,
    Text,
    Small,
}

impl TextSize {
    /// Em size in CSS pixels.
    pub fn pixels(self) -> f64 {
        match self {
            Self::Title => 19.0,
            Self::Heading => 14.0,
            Self::Text => 11.0,
            Self::Small => 9.4,
        }
    }

    /// Distance of baselines in CSS pixels.
    pub fn line(self) -> f64 {
        1.35 * self.pixels()
    }
}
