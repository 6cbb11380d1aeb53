//! Encoding a drawn frame as a PNG file.

#![allow(clippy::unwrap_used, missing_docs)]

use catena::{
    output::flat::FlatEncoder,
    render::{Painter, text::Font},
};
use criterion::{Criterion, criterion_group, criterion_main};

fn encode(criterion: &mut Criterion) {
    for size in [[1280, 720], [1920, 1080]] {
        let mut scene = hot_paths::compare();
        scene.size = size;
        let painter = Painter::new(&scene, Font::built_in().unwrap()).unwrap();
        let panel_frames = hot_paths::panel_frames(&scene, 100);
        let (mut canvas, mut bytes) = (painter.canvas(), Vec::new());
        painter.draw(&mut canvas, &panel_frames[0]);
        let encoder = FlatEncoder::new(painter.template(), canvas.changes());
        painter.draw(&mut canvas, &panel_frames[99]);
        criterion.bench_function(&format!("encode {}x{}", size[0], size[1]), |bencher| {
            bencher.iter(|| encoder.encode(canvas.changes(), &mut bytes));
        });
    }
}

criterion_group!(benches, encode);
criterion_main!(benches);
