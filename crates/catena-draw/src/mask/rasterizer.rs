//! Choice between fast paths and imageproc's own functions, which set the same subsamples.

use std::sync::OnceLock;

/// Implementation that draws planar shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rasterizer {
    /// Fast paths for most shapes, and imageproc for all others.
    Fast,
    /// imageproc for every shape.
    Imageproc,
}

impl Rasterizer {
    /// All rasterizers; the first is the default.
    pub const ALL: [Self; 2] = [Self::Fast, Self::Imageproc];

    /// Environment variable that selects a rasterizer, for tests and measurements.
    pub const VARIABLE: &'static str = "CATENA_PAINTER";

    /// Name, as a value of [`Rasterizer::VARIABLE`].
    pub fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Imageproc => "imageproc",
        }
    }

    /// Reads the selection from the environment. An unset or empty variable selects the default.
    ///
    /// # Errors
    /// The value of the variable, if it is not the name of a rasterizer.
    pub fn wanted() -> Result<Self, String> {
        let Some(wanted) = std::env::var_os(Self::VARIABLE).filter(|wanted| !wanted.is_empty())
        else {
            return Ok(Self::Fast);
        };
        let found = Self::ALL.into_iter().find(|rasterizer| wanted == rasterizer.name());
        found.ok_or_else(|| wanted.to_string_lossy().into_owned())
    }

    /// Returns the selection from the environment, which is read once. An invalid value selects the
    /// default here, because programs check the environment when they start.
    pub fn chosen() -> Self {
        static CHOSEN: OnceLock<Rasterizer> = OnceLock::new();
        *CHOSEN.get_or_init(|| Self::wanted().unwrap_or(Self::Fast))
    }
}
