//! Fields of a sweep file.

/// Field of a sweep.
#[derive(Clone, Copy, Debug)]
pub struct SweepField {
    /// Name of the field.
    pub name: &'static str,
    /// Effect of the field.
    pub summary: &'static str,
    /// Content of the field.
    pub content: Content,
}

/// Content of a field of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Name of a scene file, or a scene.
    Scene,
    /// Paths of fields and their values.
    Axes,
    /// Sample.
    Sample,
    /// List of patterns.
    Patterns,
    /// Integer.
    Count,
    /// List of measures.
    Measures,
}

/// Name of the field with the axes.
pub const AXES: &str = "axes";

const fn field(content: Content, name: &'static str, summary: &'static str) -> SweepField {
    SweepField { name, summary, content }
}

/// All fields of a sweep.
pub const FIELDS: [SweepField; 6] = [
    field(
        Content::Scene,
        "scene",
        "The scene: the name of its file, relative to the sweep, or Scene(…) itself.",
    ),
    field(
        Content::Axes,
        AXES,
        "Fields to vary and their values: {\"rope.stiffness\": Log(1, 1e4, 32)}.",
    ),
    field(Content::Sample, "sample", "Sample for axes without a count: Sobol(1000)."),
    field(Content::Patterns, "except", "Patterns of excluded variants."),
    field(
        Content::Count,
        "frames",
        "Number of frames of each variant. If omitted, the number of the scene.",
    ),
    field(
        Content::Measures,
        "measure",
        "Measures of each variant. If omitted, Diverged, Strain and Energy.",
    ),
];

/// Names of all fields.
pub(super) const NAMES: [&str; 6] = {
    let [a, b, c, d, e, f] = FIELDS;
    [a.name, b.name, c.name, d.name, e.name, f.name]
};

/// Returns the content of the field with a name; `None` if there is no such field.
pub fn content_of(name: &str) -> Option<Content> {
    FIELDS.iter().find(|field| field.name == name).map(|field| field.content)
}
