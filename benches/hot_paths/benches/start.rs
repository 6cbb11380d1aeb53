//! Work before the first frame: reading the scene and drawing the template.

#![allow(clippy::unwrap_used, missing_docs)]

use catena::{
    output::flat::FlatEncoder,
    render::{Painter, text::Font},
};
use criterion::{Criterion, criterion_group, criterion_main};

fn start(criterion: &mut Criterion) {
    criterion.bench_function("read a scene", |bencher| bencher.iter(hot_paths::compare));
    let scene = hot_paths::compare();
    criterion.bench_function("draw the template", |bencher| {
        bencher.iter(|| Painter::new(&scene, Font::built_in().unwrap()).unwrap());
    });
    let painter = Painter::new(&scene, Font::built_in().unwrap()).unwrap();
    let mut canvas = painter.canvas();
    painter.draw(&mut canvas, &hot_paths::panel_frames(&scene, 1)[0]);
    criterion.bench_function("tables of the encoder", |bencher| {
        bencher.iter(|| FlatEncoder::new(painter.template(), canvas.changes()));
    });
}

criterion_group!(benches, start);
criterion_main!(benches);
