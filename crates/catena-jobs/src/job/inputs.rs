//! Lists of the files that commands read, so that no output replaces one of them.

use crate::shard::SHARDS;
use catena_output::compare::{CompareError, pairs};
use catena_output::{
    inputs::Inputs,
    manifest::Manifest,
    names::{PRIVATE, is_render_file},
};
use catena_scene::{Scene, sweep::Sweep};
use std::{fs, path::Path};

/// Number of levels that are searched below the folder of shards.
const SHARD_LEVELS: usize = 3;

/// Input files of a scene: its own file and the files that it names.
pub fn scene_inputs(scene: &Scene) -> Inputs {
    let origin = scene.source_text().origin;
    let mut inputs = Inputs::default();
    add_named(&mut inputs, Path::new(&origin), scene.files.iter().map(|file| file.name.as_str()));
    inputs.add("the scene", origin);
    inputs
}

/// Input files of a sweep: its own file, its scene, and the files that its variants name.
pub fn sweep_inputs(sweep: &Sweep) -> Inputs {
    let origin = &sweep.scene_text().origin;
    let mut inputs = Inputs::default();
    let files = sweep.files();
    add_named(&mut inputs, Path::new(origin), files.iter().map(|(name, _)| name.as_str()));
    inputs.add("the scene of the sweep", origin);
    inputs.add("the sweep", &sweep.origin);
    inputs
}

fn add_named<'a>(inputs: &mut Inputs, scene: &Path, names: impl Iterator<Item = &'a str>) {
    let folder = scene.parent().unwrap_or(Path::new(""));
    names.for_each(|name| inputs.add("a file of the scene", folder.join(name)));
}

/// Input files of a film of a folder: frames, manifest, records and packs.
pub fn frame_inputs(folder: &Path) -> Inputs {
    let mut inputs = Inputs::default();
    let names = Manifest::read(folder).ok().flatten().map(|manifest| manifest.source.names);
    let is_named = |name: &str| names.as_ref().is_some_and(|it| it.frame(name).is_some());
    let is_frame = |name: &str| is_render_file(name) || is_named(name);
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(is_frame) {
            inputs.add("a file of the frames", entry.path());
        }
    }
    for inner in [PRIVATE, SHARDS] {
        add_inside(&mut inputs, &folder.join(inner), SHARD_LEVELS);
    }
    inputs
}

/// Whether frames in a folder have such a name, according to its manifest.
pub(super) fn is_frame_of(folder: &Path, name: &str) -> bool {
    let manifest = Manifest::read(folder).ok().flatten();
    manifest.is_some_and(|manifest| manifest.source.names.frame(name).is_some())
}

/// Adds all files below a folder, down to the given number of levels.
fn add_inside(inputs: &mut Inputs, folder: &Path, levels: usize) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && levels > 1 => {
                add_inside(inputs, &entry.path(), levels - 1);
            }
            _ => inputs.add("a file of the frames", entry.path()),
        }
    }
}

/// Input files of a comparison of pictures.
///
/// # Errors
/// A folder cannot be read, or the two paths cannot be compared.
pub fn picture_inputs(expected: &Path, actual: &Path) -> Result<Inputs, CompareError> {
    let mut inputs = Inputs::default();
    for pair in pairs(expected, actual)? {
        pair.expected.into_iter().for_each(|path| inputs.add("an expected picture", path));
        pair.actual.into_iter().for_each(|path| inputs.add("an actual picture", path));
    }
    Ok(inputs)
}
