//! Coverage: the fraction of its panel that a subject fills over a film, and the amount of ink in a
//! frame.

use crate::{repository, scene};
use catena::render::{Painter, Rect, frames::SceneRuns, text::Font};
use catena::scene::Scene;

/// Bounding box of changed pixels, as fractions of the width and height of a plot.
#[derive(Clone, Copy)]
struct Covered {
    low: [i32; 2],
    high: [i32; 2],
    plot: Rect,
}

impl Covered {
    fn include(&mut self, x: i32, y: i32) {
        self.low = [self.low[0].min(x), self.low[1].min(y)];
        self.high = [self.high[0].max(x + 1), self.high[1].max(y + 1)];
    }

    /// The larger of the two fractions.
    fn share(&self) -> f64 {
        let side =
            |axis: usize, of: i32| f64::from(self.high[axis] - self.low[axis]) / f64::from(of);
        side(0, self.plot.w).max(side(1, self.plot.h))
    }
}

/// Maximum fraction of the width or height of each plot that its bodies cover over the film, and
/// the mean percentage of changed pixels in the picture.
fn coverage(scene: &Scene) -> (Vec<f64>, f64) {
    let painter = Painter::new(scene, Font::built_in().unwrap()).unwrap();
    let mut canvas = painter.canvas();
    let mut runs = SceneRuns::new(scene);
    let plots: Vec<Rect> = painter.plots().collect();
    let none = |plot: &Rect| Covered { low: [i32::MAX; 2], high: [i32::MIN; 2], plot: *plot };
    let mut all: Vec<Covered> = plots.iter().map(none).collect();
    let (mut ink, mut count) = (0, 0);
    let step = scene.frames.div_ceil(60).max(1);
    for frame in 0..scene.frames {
        if frame > 0 {
            runs.advance();
        }
        if frame % step > 0 {
            continue;
        }
        painter.draw(&mut canvas, &runs.panels());
        let (image, template) = (canvas.image(), painter.template());
        count += 1;
        for covered in &mut all {
            let Rect { x, y, w, h } = covered.plot;
            for y in y..y + h {
                for x in x..x + w {
                    let at = (x as u32, y as u32);
                    if image.get_pixel(at.0, at.1) != template.get_pixel(at.0, at.1) {
                        covered.include(x, y);
                        ink += 1;
                    }
                }
            }
        }
    }
    let pixels = f64::from(scene.size[0]) * f64::from(scene.size[1]);
    let share = 100.0 * f64::from(ink) / f64::from(count.max(1)) / pixels;
    (all.iter().map(Covered::share).collect(), share)
}

/// Minimum fraction of the width or height, whichever is larger, that a subject covers in one of
/// its panels.
const MIN: f64 = 0.45;

#[test]
fn subjects_fill_their_panels() {
    for (name, least_ink) in [("compare", 0.5), ("explicit_64", 0.2), ("max_dt", 0.5)] {
        let (shares, ink) = coverage(&scene(name, &[]));
        let largest = shares.iter().copied().fold(0.0, f64::max);
        assert!(largest >= MIN, "{name}: {shares:?}");
        assert!(ink >= least_ink, "{name}: {ink:.2} %");
    }
}

/// Checks all scenes. The message lists those with too little coverage, with their ink. Run it with
/// `cargo test --release --test suite coverage -- --ignored`.
#[test]
#[ignore = "draws a film of every scene"]
fn every_scene_fills_its_panels() {
    let mut small = Vec::new();
    let mut names: Vec<String> = std::fs::read_dir(repository("scenes"))
        .unwrap()
        .filter_map(|entry| {
            entry.unwrap().file_name().to_str()?.strip_suffix(".ron").map(Into::into)
        })
        .collect();
    names.sort();
    for name in names {
        let scene = scene(&name, &[]);
        let (shares, ink) = coverage(&scene);
        let largest = shares.iter().copied().fold(0.0, f64::max);
        if largest < MIN || std::env::var_os("TABLE").is_some() {
            small.push(format!("{name}: {:.1} % of a panel, {ink:.2} % ink", 100.0 * largest));
        }
    }
    assert!(small.is_empty(), "too small: {small:?}");
}
