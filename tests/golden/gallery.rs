//! docs/gallery.md has the golden picture of every scene, with the comment at its head.

use crate::{files, is_accepted, repository, stem};
use libtest_mimic::Failed;
use std::{fs, path::Path};

/// Compares docs/gallery.md with what the scenes say. `UPDATE_GOLDEN=gallery` writes it.
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
        "# Gallery\n\nFrame 30 of every scene. `UPDATE_GOLDEN=all cargo test --release --test golden` \
         draws the pictures anew and writes this page.\n",
    );
    for scene in files(&repository("scenes"), "ron") {
        let text = fs::read_to_string(&scene).map_err(|e| e.to_string())?;
        let (name, words) = (stem(&scene), words(&text));
        let picture = format!("tests/golden/scenes/{name}.png");
        if words.is_empty() || !Path::new(&repository(&picture)).exists() {
            return Err(
                format!("scenes/{name}.ron has no comment at its head or no picture").into()
            );
        }
        page += &format!("\n## {name}\n\n{words}\n\n");
        page += &format!("[![{name}](../{picture})](../scenes/{name}.ron)\n");
    }
    Ok(page)
}

/// The comment at the head of a scene.
fn words(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix("//"));
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}
