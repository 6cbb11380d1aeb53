//! Notes omit differences that labels name, or that a grid varies on purpose.

use crate::{scene, scene_of};
use catena::scene::comparability::notes;

/// Quantities of the notes, by their first words.
fn note_subjects(scene: &catena::scene::Scene) -> Vec<String> {
    let first = |note: &String| note.split(" differ").next().unwrap().to_owned();
    notes(scene).iter().map(first).collect()
}

#[test]
fn notes_leave_out_what_labels_tell() {
    for (name, expected) in [
        ("compare", &["Damping"][..]),
        ("one_explodes", &[]),
        ("semi_implicit_damping", &[]),
        ("semi_implicit_substeps", &[]),
        // Damping that acts once per step depends on the step, and no label mentions it.
        ("verlet_substeps", &["Damping"]),
        ("verlet_damping", &[]),
        ("plastic", &[]),
        ("bounce", &[]),
        ("forces", &[]),
        ("xpbd_iterations", &[]),
    ] {
        assert_eq!(note_subjects(&scene(name, &[])), expected, "{name}");
    }
    for (first, second, expected) in [
        // Labels without information, and labels about another field.
        (
            "(label: \"A\", with: (drag: 0.1))",
            "(label: \"B\", with: (drag: 0.2))",
            &["Damping"][..],
        ),
        ("(label: \"c = 0.1\", with: (drag: 0.1))", "(label: \"c = 0.2\", with: (drag: 0.2))", &[]),
        (
            "(label: \"c = 0.1\", with: (drag: 0.1))",
            "(label: \"c = 0.2\", with: (drag: 0.2, substeps: 9))",
            &["Time step"],
        ),
        ("(label: \"coarse\", with: (substeps: 8))", "(label: \"fine\")", &["Time step"]),
        ("(label: \"8 substeps\", with: (substeps: 8))", "(label: \"64 substeps\")", &[]),
        ("()", "(with: (integrator: ConstraintVerlet))", &[]),
        ("()", "(with: (integrator: DormandPrince))", &[]),
        ("()", "(with: (integrator: ForceVerlet(damping: 0.1)))", &["Damping"]),
        ("()", "(label: \"d = 0.1\", with: (integrator: ForceVerlet(damping: 0.1)))", &[]),
    ] {
        let text = format!("Scene(panels: [{first}, {second}])");
        assert_eq!(note_subjects(&scene_of(&text)), expected, "{text}");
    }
}

#[test]
fn notes_leave_out_what_a_grid_varies() {
    let rows = "rows: [(label: \"low\", with: (drag: 0.1)), (label: \"high\", with: (drag: 0.2))]";
    for (columns, expected) in [
        ("(label: \"a\", with: (substeps: 8)), (with: (substeps: 9))", &[][..]),
        // A label that names one field does not count for the other.
        (
            "(label: \"8 substeps\", with: (substeps: 8)), (label: \"9 substeps\", with: (substeps: 9, gravity: (0, -2)))",
            &["Gravity"],
        ),
    ] {
        let text = format!("Scene(grid: ({rows}, columns: [{columns}]))");
        assert_eq!(note_subjects(&scene_of(&text)), expected, "{text}");
    }
}
