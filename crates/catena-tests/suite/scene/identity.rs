//! Identity of setups: equal runs are simulated once.

use super::comparability::{panels, rows};
use catena::scene::Scene;
use catena_sim::identity::identity_of;
use std::collections::BTreeSet;

/// Identities of the bodies of all panels.
fn identities(scene: &Scene) -> Vec<Vec<u8>> {
    let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    bodies.map(|body| identity_of(&*body.setup)).collect()
}

/// Fields other than quantities that change a run.
const ALSO: &[(&str, &str, &str)] = &[
    ("", "integrator: Rk4", "integrator: Heun"),
    ("", "integrator: Xpbd(iterations: 2)", "integrator: Xpbd(iterations: 3)"),
    ("", "integrator: Pbd(stiffness_per: Solve)", "integrator: Pbd(stiffness_per: Iteration)"),
    ("rope: (law: Plastic(yield_strain: 0.5))", "", "rope: (law: Plastic(yield_strain: 0.25))"),
    ("", "events: [(at: 1, do: Cut(a: 3, b: 4))]", "events: [(at: 1, do: Cut(a: 4, b: 5))]"),
    ("", "events: [(at: 1, do: Pin(node: 4))]", "events: [(at: 1, do: Pin(node: 5))]"),
];

/// Settings that only change pictures.
const OF_PICTURES: &[&str] = &[
    "style: (color: \"#102030\")",
    "style: (line_width: 7, node_size: 9)",
    "style: (ghosts: 3, trails: [3])",
    "style: (color_by: Strain)",
];

#[test]
fn every_setting_that_changes_a_run_changes_its_identity() {
    let mut all = BTreeSet::new();
    for (field, base, first, second, _) in &rows() {
        let found = identities(&panels(base, &[first, second, second]));
        assert_ne!(found[0], found[1], "{field}: {second}");
        assert_eq!(found[1], found[2], "{field}: {second}");
        all.extend(found);
    }
    for (base, first, second) in ALSO {
        let found = identities(&panels(base, &[first, second]));
        assert_ne!(found[0], found[1], "{first} and {second}");
    }
    // Different rows change different parts, so almost all of their bodies differ.
    assert!(all.len() > rows().len(), "{} of {}", all.len(), rows().len());
}

#[test]
fn a_setting_of_pictures_keeps_the_identity_of_a_run() {
    for setting in OF_PICTURES {
        let found = identities(&panels("", &["", setting]));
        assert_eq!(found[0], found[1], "{setting}");
    }
}
