//! MoorDyn decks: from the text of a deck, version 1 or 2, to the text of a scene.
//!
//! A deck has sections of rows: line types, points, lines and options. A row that catena cannot
//! express, and a word that it does not know, are errors with their place. Differences between the
//! two programs become notes. Sources: the MoorDyn documentation, "Input Files"; Hall and Goupee
//! 2015, "Validation of a lumped-mass mooring line model".

mod body;
mod columns;
mod groups;
mod line_types;
mod lines;
mod motion;
mod options;
mod parts;
mod points;
mod row;
mod rows;
mod write;

pub use motion::DeckMotion;

use super::diagnostic::Fault;
use super::error::SceneError;
use crate::deck::parts::Parts;
use rows::DeckText;

/// A deck, and the files that belong to it.
pub struct Deck<'a> {
    /// Name of the deck in messages: its path, or standard input.
    pub origin: &'a str,
    /// Its text.
    pub text: &'a str,
    /// Returns the text of a file that the deck names, or the reason why it cannot be read.
    pub read: &'a dyn Fn(&str) -> Result<String, String>,
    /// Motion of the coupled points. Without one, they stay where they are.
    pub motion: Option<DeckMotion<'a>>,
}

/// A scene that was made from a deck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedScene {
    /// Its text.
    pub text: String,
    /// Differences to the computation of MoorDyn, one sentence each.
    pub notes: Vec<String>,
}

impl Deck<'_> {
    /// Returns the scene of the deck.
    ///
    /// # Errors
    /// Returns the first word or row that catena cannot express, with its place.
    pub fn scene(&self) -> Result<ImportedScene, SceneError> {
        self.read_all().map_err(|fault| SceneError::new(self.origin, self.text, fault))
    }

    fn read_all(&self) -> Result<ImportedScene, Fault> {
        let text = DeckText::read(self.text)?;
        let mut notes = text.notes.clone();
        let options = options::Options::read(&text, &mut notes)?;
        let types = line_types::read(&text, self.read)?;
        let points = points::read(&text, &mut notes)?;
        let lines = lines::read(&text, &types, &points)?;
        let motion = self.motion.as_ref().map(|motion| motion.columns(&points)).transpose()?;
        let groups = groups::of(&points, &lines, &types)?;
        let parts = Parts { text: &text, options: &options, types: &types, points: &points };
        Ok(parts.scene(self.origin, &lines, &groups, motion.as_ref(), notes))
    }
}
