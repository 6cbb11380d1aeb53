//! Text of field values after all layers.

use super::layered::join;
use super::parts::Scene;
use super::stack::{PlacedSettings, Stack};

impl Scene {
    /// Returns the text of a field of a body, from the highest layer that sets it. The defaults are
    /// the lowest layer. Returns `None` if no layer sets the field, or there is no such body.
    pub fn value_of(&self, panel: usize, body: usize, path: &str) -> Option<String> {
        self.panels.get(panel)?.bodies.get(body)?;
        let layers = self.layers_of(panel, body);
        let stack: Stack<'_> = [layers.below, layers.overrides].concat();
        stack.iter().rev().find_map(|layer: &PlacedSettings<'_>| {
            let found = layer.source.root().locate(&join(&layer.prefix, path))?;
            Some(found.text().trim().to_owned())
        })
    }
}
