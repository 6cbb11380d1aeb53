//! Top-level fields of a scene, beside and including `base`.

/// Top-level field of a scene.
#[derive(Clone, Copy, Debug)]
pub struct TopField {
    /// Name of the field.
    pub name: &'static str,
    /// Description of the field.
    pub summary: &'static str,
    /// Complete scene that sets the field.
    pub example: &'static str,
}

/// All top-level fields of a scene.
pub const TOP: &[TopField] = &[
    TopField {
        name: "title",
        summary: "Text above the panels; left out, there is none.",
        example: "Scene(title: \"A rope\")",
    },
    TopField {
        name: "base",
        summary: "The settings that all panels share.",
        example: "Scene(base: (substeps: 32, rope: (nodes: 8)))",
    },
    TopField {
        name: "panels",
        summary: "A list of (label: \"…\", with: (…)), one a panel, in order. A label left out is the \
            method's name.",
        example: "Scene(panels: [(with: (integrator: Rk4)), (label: \"heavy\", with: (rope: (mass: 5)))])",
    },
    TopField {
        name: "grid",
        summary: "(rows: […], columns: […]), each a list like panels; one panel for each row and \
            column. With only one of the two it is a sweep, whose panels flow like those of panels. Not \
            together with panels.",
        example: "Scene(grid: (\n    rows: [(with: (substeps: 16)), (with: (substeps: 64))],\n    \
            columns: [(with: (integrator: Rk4)), (with: (integrator: Xpbd))],\n))",
    },
];
