//! `catena page`: one HTML file that plays scenes in a browser.

use super::{Failure, args::PageArgs, paths::GivenPaths, say};
use crate::job::{draw, scene_inputs};
use crate::output::{OutputError, atomic, png};
use crate::read;
use crate::scene::{Limits, Scene, SceneText, load_within};
use crate::text::{number::bytes, printable};
use crate::web::page::{PageScene, page};
use std::path::{Path, PathBuf};
use std::{env, io};

/// File name of the module next to the program.
const MODULE: &str = "catena_web.wasm";
/// Folder of the module in an installation, relative to the folder of the program.
const SHARE: &str = "../share/catena";
/// Maximum size of a module in bytes.
const MAX: u64 = 64 << 20;

pub(super) fn run(args: &PageArgs, paths: &GivenPaths) -> Result<(), Failure> {
    let path = &args.output;
    if atomic::is_device(path) {
        let cause = io::Error::other("it is not an ordinary file; choose another name");
        return Err(Failure::Output(OutputError::new("write", path, cause)));
    }
    let limits = args.limit.limits();
    let (mut scenes, mut poster) = (Vec::new(), None);
    for scene in &args.scenes {
        let text = SceneText::read_within(scene, &limits)?;
        let scene = load_within(&text, &args.set, &limits)?;
        paths.keep(&scene_inputs(&scene))?;
        check_name(&scenes, &scene)?;
        if let Some(warning) = scene.override_warning(false) {
            say::aside(&format!("warning: {warning}"));
        }
        if scenes.is_empty() {
            // A scene above the default limits has no picture until the page has drawn it. `draw`
            // would draw a translucent picture over white.
            let is_opaque = scene.background_alpha == u8::MAX;
            let image = is_opaque.then(|| draw(&scene, 0).ok()).flatten();
            poster = image.and_then(|image| png::encode(&image).ok());
        }
        scenes.push(PageScene::of(&scene, limits.work > Limits::default().work));
    }
    let (place, module) = module(args.module.as_deref())?;
    let html = page(&scenes, &module, poster.as_deref())
        .map_err(|why| Failure::Usage(format!("{}: {why}; {BUILD}", printable::path(&place))))?;
    atomic::write_to(path, |out| {
        out.write_all(html.as_bytes()).map_err(|cause| OutputError::new("write", path, cause))
    })?;
    let size = bytes(html.len() as u128);
    say::aside(&format!("wrote {}, {size}", printable::path(path)));
    Ok(())
}

/// Advice on where to get the module.
const BUILD: &str = "releases of catena include it; in a checkout, run crates/catena-web/build \
                     target/catena_web.wasm, then add --module target/catena_web.wasm";

/// Returns an error if two scenes have the same name, because links identify scenes by name.
fn check_name(scenes: &[PageScene], scene: &Scene) -> Result<(), Failure> {
    match scenes.iter().any(|other| other.name == scene.name) {
        true => Err(Failure::Usage(format!(
            "two scenes have the name {}, but links of a page identify scenes by their names; \
             rename one of them",
            printable::line(&scene.name)
        ))),
        false => Ok(()),
    }
}

/// Reads the module: the given file, or else the file in the installation.
fn module(given: Option<&Path>) -> Result<(PathBuf, Vec<u8>), Failure> {
    let usual = || -> Option<PathBuf> {
        let program = env::current_exe().ok()?.canonicalize().ok()?;
        let folder = program.parent()?;
        let places = [folder.join(MODULE), folder.join(SHARE).join(MODULE)];
        places.into_iter().find(|place| place.is_file())
    };
    let Some(path) = given.map(Path::to_owned).or_else(usual) else {
        return Err(Failure::Usage(format!("{MODULE} was not found next to the program; {BUILD}")));
    };
    match read::file(&path, MAX) {
        Ok(bytes) => Ok((path, bytes)),
        Err(cause) => Err(Failure::Output(OutputError::new("read", path, cause))),
    }
}
