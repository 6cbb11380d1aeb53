//! Simulated time per frame.

use super::file::SceneText;
use super::limits::Limits;
use super::load::parsed;
use super::parts::Scene;
use super::patch::Patch;

impl Scene {
    /// Returns the simulated time per frame, which is equal for all bodies.
    pub fn frame_time(&self) -> f64 {
        let bodies = self.panels.iter().flat_map(|panel| &panel.bodies);
        bodies.map(|body| body.setup.frame_time).next().unwrap_or(1.0)
    }
}

/// Returns the simulated time per frame of an unbuilt scene, from its text and the values of
/// `--set`. Returns `None` if they cannot be parsed. Files that the scene names are not read.
pub fn frame_time_of(text: &str, set: &[String]) -> Option<f64> {
    let limits = Limits::default();
    let bytes = text.as_bytes().to_vec();
    let text = SceneText::of_bytes(String::new(), String::new(), bytes, limits.file_bytes).ok()?;
    let patches: Vec<Patch> = set.iter().map(|one| one.parse().ok()).collect::<Option<_>>()?;
    let layers = parsed(&text, &patches, &limits).ok()?;
    let set = layers.overrides.iter().rev().map(|(_, settings)| settings);
    let below = [&layers.file.base, &layers.defaults.1];
    set.chain(below).find_map(|settings| settings.frame_time.as_ref()).map(|time| time.0)
}
