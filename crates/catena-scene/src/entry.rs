//! Elements of lists, from the text of a scene.

use crate::grammar::Grammar;

/// Description of the values that fields of entries hold, for editors.
pub trait Entry {
    /// Returns the type and range in words.
    fn in_words() -> String;

    /// Returns the grammar of the values.
    fn inside() -> Grammar;
}
