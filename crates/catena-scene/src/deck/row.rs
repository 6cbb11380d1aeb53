//! Rows of a deck and their words.

use crate::diagnostic::Fault;
use std::ops::Range;

/// Word of a deck.
#[derive(Clone, Debug)]
pub(crate) struct Word<'a> {
    pub text: &'a str,
    /// Byte range of the word in the deck.
    pub span: Range<usize>,
}

impl Word<'_> {
    /// Returns a fault at the word.
    pub fn fault(&self, message: impl Into<String>, help: impl Into<String>) -> Fault {
        Fault::with_help(self.span.clone(), message, help)
    }

    /// Parses the word as a finite number. Messages call the number `what`.
    pub fn number(&self, what: &str) -> Result<f64, Fault> {
        number_of(self.text).ok_or_else(|| {
            let message = format!("{what} is `{}`, which is not a number", self.text);
            self.fault(message, "write a finite number, such as 0.1 or 1.6e9")
        })
    }

    /// Parses the word as a number above 0.
    pub fn positive(&self, what: &str) -> Result<f64, Fault> {
        let value = self.number(what)?;
        if value > 0.0 {
            return Ok(value);
        }
        Err(self.fault(format!("{what} is {}", self.text), "write a number above 0"))
    }

    /// Parses the word as a number of at least 0.
    pub fn at_least_0(&self, what: &str) -> Result<f64, Fault> {
        let value = self.number(what)?;
        if value >= 0.0 {
            return Ok(value);
        }
        Err(self.fault(format!("{what} is {}", self.text), "write a number of at least 0"))
    }

    /// Parses the word as an integer of at least 1.
    pub fn count(&self, what: &str) -> Result<usize, Fault> {
        self.text.parse().ok().filter(|count| *count > 0).ok_or_else(|| {
            let message = format!("{what} is `{}`", self.text);
            self.fault(message, "write a whole number of at least 1")
        })
    }
}

/// Parses a finite number in the syntax of decks.
pub(crate) fn number_of(text: &str) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// Line of a deck that is neither empty nor a header.
#[derive(Clone, Debug)]
pub(crate) struct Row<'a> {
    pub words: Vec<Word<'a>>,
}

impl Row<'_> {
    /// Returns the byte range from the first to the last word.
    pub fn span(&self) -> Range<usize> {
        let ends = self.words.first().zip(self.words.last());
        ends.map_or(0..0, |(first, last)| first.span.start..last.span.end)
    }
}
