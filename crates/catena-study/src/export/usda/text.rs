//! Text of a USD stage: indented lines, numbers and lists.

use catena_base::text::printable;
use std::{
    fmt::Write as _,
    io::{self, Write},
};

/// Writer of lines, indented by the number of open brackets.
pub(super) struct UsdaText<'a> {
    out: &'a mut dyn Write,
    depth: usize,
}

impl<'a> UsdaText<'a> {
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        Self { out, depth: 0 }
    }

    pub(super) fn write_line(&mut self, line: &str) -> io::Result<()> {
        for _ in 0..self.depth {
            self.out.write_all(b"    ")?;
        }
        self.out.write_all(line.as_bytes())?;
        self.out.write_all(b"\n")
    }

    pub(super) fn write_blank(&mut self) -> io::Result<()> {
        self.out.write_all(b"\n")
    }

    /// Writes a line that opens a bracket.
    pub(super) fn open(&mut self, line: &str) -> io::Result<()> {
        self.write_line(line)?;
        self.depth += 1;
        Ok(())
    }

    /// Writes a line that closes a bracket.
    pub(super) fn close(&mut self, line: &str) -> io::Result<()> {
        self.depth = self.depth.saturating_sub(1);
        self.write_line(line)
    }

    /// Writes the transition from a prim's metadata to its body.
    pub(super) fn turn(&mut self) -> io::Result<()> {
        self.close(")")?;
        self.open("{")
    }

    /// Opens the body of a prim without metadata.
    pub(super) fn turn_plain(&mut self) -> io::Result<()> {
        self.depth = self.depth.saturating_sub(1);
        self.open("{")
    }

    /// Writes an attribute with one value per time; `sample` appends the next value.
    pub(super) fn write_samples<E: From<io::Error>>(
        &mut self,
        attribute: &str,
        frames: std::ops::Range<u64>,
        mut sample: impl FnMut(usize, &mut String) -> Result<(), E>,
    ) -> Result<(), E> {
        self.open(&format!("{attribute}.timeSamples = {{"))?;
        let mut line = String::new();
        for (index, frame) in frames.enumerate() {
            line.clear();
            // Writing to a string cannot fail.
            let _ = write!(line, "{frame}: ");
            sample(index, &mut line)?;
            line.push(',');
            self.write_line(&line)?;
        }
        self.close("}")?;
        Ok(())
    }
}

/// Puts a text in quotation marks.
pub(super) fn quoted(text: &str) -> String {
    let plain = printable::line(text);
    format!("\"{}\"", plain.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Appends a number with the fewest digits that read back as the same number.
pub(super) fn push_number(value: f32, text: &mut String) {
    let start = text.len();
    let _ = write!(text, "{value:?}");
    if text[start..].ends_with(".0") {
        text.truncate(text.len() - 2);
    }
}

/// Appends a vector.
pub(super) fn push_vector<const N: usize>(vector: [f32; N], text: &mut String) {
    text.push('(');
    for (index, value) in vector.into_iter().enumerate() {
        if index > 0 {
            text.push_str(", ");
        }
        push_number(value, text);
    }
    text.push(')');
}

/// Formats a vector.
pub(super) fn vector<const N: usize>(vector: [f32; N]) -> String {
    let mut text = String::new();
    push_vector(vector, &mut text);
    text
}

/// Appends a list.
pub(super) fn push_list<T>(
    items: impl IntoIterator<Item = T>,
    mut push: impl FnMut(T, &mut String),
    text: &mut String,
) {
    text.push('[');
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            text.push_str(", ");
        }
        push(item, text);
    }
    text.push(']');
}

/// Formats a list.
pub(super) fn list<T: std::fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    let mut text = String::new();
    let push = |item: T, text: &mut String| {
        let _ = write!(text, "{item}");
    };
    push_list(items, push, &mut text);
    text
}

/// Appends a list of vectors in 32 bits.
pub(super) fn push_vectors(all: &[[f64; 3]], text: &mut String) {
    push_list(all, |it, text| push_vector(it.map(|value| value as f32), text), text);
}
