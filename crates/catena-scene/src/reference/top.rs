//! What stands at the top of a scene, beside and around the fields that `base` has.

/// A field at the top of a scene.
#[derive(Clone, Copy, Debug)]
pub struct TopField {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub summary: &'static str,
    /// A whole scene that has it.
    pub example: &'static str,
}

/// Everything that may stand at the top of a scene.
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
