//! Drawing a frame over the previous one.

#![allow(clippy::unwrap_used, missing_docs)]

use catena::render::{Painter, text::Font};
use criterion::{Criterion, criterion_group, criterion_main};

fn draw(criterion: &mut Criterion) {
    for size in [[1280, 720], [1920, 1080]] {
        let mut scene = hot_paths::compare();
        scene.size = size;
        let painter = Painter::new(&scene, Font::built_in().unwrap()).unwrap();
        let panel_frames = hot_paths::panel_frames(&scene, 100);
        let mut canvas = painter.canvas();
        let mut next = panel_frames.iter().cycle();
        criterion.bench_function(&format!("draw {}x{}", size[0], size[1]), |bencher| {
            bencher
                .iter(|| next.next().map(|panel_frames| painter.draw(&mut canvas, panel_frames)));
        });
    }
}

criterion_group!(benches, draw);
criterion_main!(benches);
