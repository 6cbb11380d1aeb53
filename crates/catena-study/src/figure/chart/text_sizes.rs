//! Sizes of text and heights of lines in charts, in pixels.

/// Text size of numbers at ticks, of labels in the plot and of notes, in pixels.
pub(crate) const SMALL: f64 = 11.0;

/// Text size of axis labels and plot titles, in pixels.
pub(crate) const MEDIUM: f64 = 12.0;

/// Line height of small text, in pixels.
pub(crate) const LINE: f64 = 14.0;
