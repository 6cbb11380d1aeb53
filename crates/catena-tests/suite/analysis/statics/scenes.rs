//! Statics of the repository's scenes: an exact rest state, or a reason.

use crate::repository;
use catena::analysis::statics::{EXACT_FORCE, equilibrium};
use catena::scene::{SceneText, load};

/// Scenes whose search is too slow in an unoptimised build.
const SLOW: [&str; 7] = [
    "cloth_hanging",
    "cloth_sphere",
    "coil_in_space",
    "flag_carried",
    "net_with_ball",
    "plectoneme",
    "tablecloth",
];
/// Scenes whose search takes a second or more, with bodies that other tests cover in other sizes.
/// The nightly job includes them.
const LONG: [&str; 5] =
    ["coil", "flag_flutters", "helical_buckling", "poured_rope", "rope_on_terrain"];
/// Fraction of the weight that rounding leaves in rods of many short segments.
const ROUNDED: f64 = 1e-7;

#[test]
fn every_scene_has_an_exact_rest_or_a_reason() {
    let mut count = [0, 0];
    let mut files: Vec<_> = std::fs::read_dir(repository("scenes"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "ron"))
        .collect();
    files.sort();
    for path in files {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let is_long = LONG.contains(&name.as_str()) && !crate::is_thorough();
        if is_long || SLOW.contains(&name.as_str()) {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let text = SceneText { origin: path.display().to_string(), name: name.clone(), text };
        let scene = load(&text, &[]).unwrap();
        for body in scene.panels.iter().flat_map(|panel| &panel.bodies) {
            if body.is_rig_alone() || body.setup.model.nodes() > 400 {
                continue;
            }
            match equilibrium(&body.setup) {
                Ok(rest) => {
                    count[0] += 1;
                    let has_rods = body.setup.rods().is_some();
                    let maximum = if has_rods { ROUNDED } else { EXACT_FORCE };
                    assert!(rest.residual <= maximum, "{name}: {}", rest.residual);
                    assert!(rest.contacts.iter().all(|contact| contact.force > 0.0), "{name}");
                }
                Err(reason) => {
                    count[1] += 1;
                    assert!(!reason.to_string().is_empty(), "{name}");
                }
            }
        }
    }
    assert!(count[0] > 60 && count[1] > 5, "{count:?}");
}
