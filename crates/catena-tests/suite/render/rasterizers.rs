//! Whole frames drawn by the fast paths and by imageproc's own calls.

use crate::{catena, repository, scene};
use catena::render::{Painter, PainterOptions, PanelRun, mask::Rasterizer, text::Font};
use std::{fs, path::Path};

/// Names of the planar scenes in scenes/.
fn planar_scenes() -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(repository("scenes"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "ron"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .filter(|name| scene(name, &[]).axes == 2)
        .collect();
    names.sort();
    names
}

/// Frames of a run whose pictures are compared.
const COMPARED: [u64; 4] = [0, 1, 12, 25];

#[test]
fn frames_of_every_planar_scene_are_those_of_imageproc() {
    let names = planar_scenes();
    assert!(names.len() >= 20, "{names:?}");
    let font = Font::built_in().unwrap();
    for name in names {
        // Fewer frames, all of which are in the view.
        let frames = format!("frames={}", COMPARED[3] + 1);
        let scene = scene(&name, &["size=(480, 300)", &frames]);
        let painters = Rasterizer::ALL.map(|rasterizer| {
            let options = PainterOptions { rasterizer, ..PainterOptions::default() };
            Painter::with_options(&scene, font.clone(), options).unwrap()
        });
        let [fast, defined] = &painters;
        assert!(fast.template() == defined.template(), "{name}: the template differs");
        let mut canvases = painters.each_ref().map(Painter::canvas);
        let mut runs: Vec<_> = scene.panels.iter().map(PanelRun::new).collect();
        for frame in 0..=COMPARED[3] {
            if frame > 0 {
                runs.iter_mut().for_each(PanelRun::advance_frame);
            }
            if !COMPARED.contains(&frame) {
                continue;
            }
            let shown: Vec<_> = runs.iter().map(|run| run.current().clone()).collect();
            let [fast, defined] = &mut canvases;
            painters[0].draw(fast, &shown);
            painters[1].draw(defined, &shown);
            assert!(fast.image() == defined.image(), "{name}: frame {frame} differs");
            assert!(*fast.image() != *painters[0].template(), "{name}: frame {frame} is empty");
        }
    }
}

/// Files of a render in a folder, with their bytes.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| (path.file_name().unwrap().to_str().unwrap().into(), fs::read(&path).unwrap()))
        .collect();
    all.sort();
    all
}

#[test]
fn a_render_by_imageproc_writes_the_same_files() {
    for name in ["compare", "breaking", "forces", "turning_hands"] {
        let rendered = ["", "fast", "imageproc"].map(|rasterizer| {
            let folder = tempfile::tempdir().unwrap();
            catena()
                .env(Rasterizer::VARIABLE, rasterizer)
                .arg("render")
                .arg(repository(&format!("scenes/{name}.ron")))
                .args(["--frames", "8", "--size", "320x200", "--set", "rest.limit=50", "-q"])
                .arg("--out")
                .arg(folder.path())
                .assert()
                .success();
            files(folder.path())
        });
        assert!(rendered[0].len() >= 10, "{name}");
        assert!(rendered[1] == rendered[0] && rendered[2] == rendered[0], "{name}");
    }
}
