//! Checks that docs/gallery.md has a picture or a small film of every scene, with the comment at
//! the start of the scene, in the groups of scenes/README.md.

use crate::{files, is_accepted, repository, stem};
use libtest_mimic::Failed;
use std::{fs, path::Path};

/// Default frame of pictures.
const USUAL: u64 = 30;

/// Frames of scenes that another frame shows better than the default.
const FRAMES: [(&str, u64); 72] = [
    ("arch", 200),
    ("arm_with_whip", 240),
    ("bent_rope", 60),
    ("bounce", 50),
    ("breaking", 80),
    ("bungee", 100),
    ("candy_wrapper", 60),
    ("cantilever", 80),
    ("cfl", 80),
    ("chairoplane", 250),
    ("chandelier", 119),
    ("classroom", 60),
    ("cloth_hanging", 50),
    ("coil", 133),
    ("coil_in_space", 120),
    ("compare", 60),
    ("connection_point", 120),
    ("curves", 53),
    ("cut_chain", 130),
    ("eight_methods", 150),
    ("explicit_1024", 159),
    ("explicit_64", 12),
    ("flag", 299),
    ("flag_carried", 160),
    ("flag_flutters", 150),
    ("forces", 100),
    ("half_correction", 100),
    ("hammock", 249),
    ("helical_buckling", 599),
    ("jumping_rope", 99),
    ("knot", 80),
    ("ladder", 40),
    ("layers", 90),
    ("limit_16_nodes", 100),
    ("limit_3_nodes", 400),
    ("linked_rings", 40),
    ("max_dt", 100),
    ("michell_ring", 200),
    ("mooring_waves", 180),
    ("moving_values", 319),
    ("net_with_ball", 80),
    ("one_explodes", 33),
    ("plastic", 50),
    ("plectoneme", 299),
    ("poured_rope", 333),
    ("semi_implicit_damping", 200),
    ("semi_implicit_substeps", 200),
    ("shapes", 15),
    ("slip_damping_reversed", 200),
    ("slip_gravity_per_spring", 15),
    ("slip_growth_exponent", 100),
    ("slip_grid_by_truncation", 100),
    ("slip_later_root", 100),
    ("slip_old_acceleration", 100),
    ("slip_reaction_forgotten", 20),
    ("slip_shared_history", 100),
    ("slip_spring_sign_reversed", 3),
    ("slip_whole_at_both_ends", 15),
    ("steady_state", 200),
    ("step_control", 80),
    ("strut", 133),
    ("tablecloth", 60),
    ("trails", 133),
    ("translucent", 40),
    ("tug_of_war", 120),
    ("turning_hands", 90),
    ("velocity_history", 100),
    ("verlet_damping", 200),
    ("verlet_substeps", 100),
    ("verlet_undamped", 200),
    ("whip", 120),
    ("workshop", 100),
];

/// A small film instead of a picture: scene, number of frames, and step between frames.
pub(crate) struct Film(pub(crate) &'static str, pub(crate) u64, pub(crate) u64);

/// Small films of the gallery.
pub(crate) const FILMS: [Film; 10] = [
    Film("arm_with_whip", 300, 6),
    Film("candy_wrapper", 121, 4),
    Film("chandelier", 180, 5),
    Film("cloth_sphere", 100, 4),
    Film("cut_chain", 260, 6),
    Film("jumping_rope", 150, 4),
    Film("ladder", 120, 4),
    Film("poured_rope", 500, 12),
    Film("tug_of_war", 240, 6),
    Film("whip", 240, 5),
];

/// Frame shown in the picture of a scene.
pub(crate) fn frame(scene: &str) -> u64 {
    FRAMES.iter().find(|(name, _)| *name == scene).map_or(USUAL, |(_, frame)| *frame)
}

/// Path of the small film of a scene.
pub(crate) fn film_path(scene: &str) -> String {
    format!("docs/films/{scene}.gif")
}

/// Compares docs/gallery.md with the scenes. `UPDATE_GOLDEN=gallery` rewrites the page.
pub(crate) fn is_complete() -> Result<(), Failed> {
    let path = repository("docs/gallery.md");
    let page = page()?;
    if is_accepted("gallery") {
        fs::write(&path, &page).map_err(|e| e.to_string())?;
    }
    if fs::read_to_string(&path).unwrap_or_default() == page {
        return Ok(());
    }
    Err("docs/gallery.md is not what the scenes say; UPDATE_GOLDEN=gallery writes it".into())
}

fn page() -> Result<String, Failed> {
    let mut page = String::from(
        "# Gallery\n\nAll scenes, grouped by topic. `UPDATE_GOLDEN=all cargo test --release --test golden` \
         draws the pictures and films again and rewrites this page.\n",
    );
    let groups = groups()?;
    for scene in files(&repository("scenes"), "ron") {
        let name = stem(&scene);
        if !groups.iter().any(|(_, scenes)| scenes.contains(&name)) {
            return Err(format!("scenes/README.md does not name {name}.ron").into());
        }
    }
    for (group, scenes) in groups {
        page += &format!("\n## {group}\n");
        for name in scenes {
            page += &entry(&name)?;
        }
    }
    Ok(page)
}

/// Gallery entry of a scene.
fn entry(name: &str) -> Result<String, Failed> {
    let text = fs::read_to_string(repository(&format!("scenes/{name}.ron")))
        .map_err(|e| format!("scenes/{name}.ron: {e}"))?;
    let is_film = FILMS.iter().any(|film| film.0 == name);
    let picture = format!("tests/golden/scenes/{name}.png");
    let words = words(&text);
    if words.is_empty() || !Path::new(&repository(&picture)).exists() {
        return Err(format!("scenes/{name}.ron has no comment at its head or no picture").into());
    }
    let shown = if is_film { format!("films/{name}.gif") } else { format!("../{picture}") };
    Ok(format!("\n### {name}\n\n{words}\n\n[![{name}]({shown})](../scenes/{name}.ron)\n"))
}

/// Headings of scenes/README.md, with the names of the scenes below each.
fn groups() -> Result<Vec<(String, Vec<String>)>, Failed> {
    let text = fs::read_to_string(repository("scenes/README.md")).map_err(|e| e.to_string())?;
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            groups.push((heading.to_owned(), Vec::new()));
        } else if let Some(scene) = line.strip_prefix("### ").and_then(|it| it.strip_suffix(".ron"))
            && let Some((_, scenes)) = groups.last_mut()
        {
            scenes.push(scene.to_owned());
        }
    }
    Ok(groups)
}

/// The comment at the start of a scene.
fn words(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix("//"));
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}
