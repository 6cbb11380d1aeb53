//! MoorDyn decks: from the text of a deck, version 1 or 2, to the text of a scene.
//!
//! A deck has sections of rows: line types, points, lines and options. A row that catena cannot
//! express and an unknown word are errors with their position. Differences between the two programs
//! become notes. Sources: the MoorDyn documentation, "Input Files"; Hall and Goupee 2015,
//! "Validation of a lumped-mass mooring line model".

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

/// Deck with access to the files that it names.
pub struct Deck<'a> {
    /// Name of the deck in messages: its path, or standard input.
    pub origin: &'a str,
    /// Text of the deck.
    pub text: &'a str,
    /// Function that returns the text of a file that the deck names, or the reason why the file
    /// cannot be read.
    pub read: &'a dyn Fn(&str) -> Result<String, String>,
    /// Motion of the coupled points; `None` keeps them fixed.
    pub motion: Option<DeckMotion<'a>>,
}

/// Scene imported from a deck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedScene {
    /// Text of the scene.
    pub text: String,
    /// Differences from the simulation by MoorDyn, one sentence each.
    pub notes: Vec<String>,
}

impl Deck<'_> {
    /// Returns the scene of the deck.
    ///
    /// # Errors
    /// Returns an error at the first word or row that catena cannot express.
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
