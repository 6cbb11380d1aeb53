//! Rigs at one time: the pose of many bones under several layers, and the skin of a figure.

#![allow(clippy::unwrap_used, missing_docs)]

use catena::{
    rig::Rig,
    sim::{drive::rig::Pose, glam::DVec3},
};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::{fmt::Write, sync::Arc};

/// The layers of a figure that walks, waves and nods.
const LAYERS: &str = "(clip: \"a\"), (clip: \"b\", blend: Over, weight: 0.5), \
    (clip: \"c\", blend: Add, weight: 0.5)";

/// Chains of ten bones on one root, each bone turned by three clips of three keys.
fn puppet(bones: usize, layers: &str) -> Arc<Rig> {
    let mut list = String::new();
    let mut tracks = String::new();
    for bone in 0..bones {
        let parent = if bone % 10 == 0 { 0 } else { bone - 1 };
        let parent = if bone == 0 { String::new() } else { format!(", parent: \"bone {parent}\"") };
        writeln!(list, "(name: \"bone {bone}\", place: (0.1, 0, 0){parent}),").unwrap();
        let (a, b) = (bone % 7, bone % 5);
        writeln!(tracks, "(bone: \"bone {bone}\", turn: [(0, {a}), (1, -{b}), (2, {a})]),")
            .unwrap();
    }
    let clips = ["a", "b", "c"].map(|name| format!("(name: \"{name}\", tracks: [{tracks}])"));
    rig(&format!("bones: [{list}], clips: [{}], layers: [{layers}]", clips.join(", ")))
}

fn rig(fields: &str) -> Arc<Rig> {
    let scene = hot_paths::scene(&format!("gravity: (0, 0, 0), rig: ({fields})"));
    Arc::clone(&scene.panels[0].bodies[0].rig.as_ref().unwrap().rig)
}

fn poses(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("pose");
    for (name, bones, layers) in [
        ("20 bones, 1 layer", 20, "(clip: \"a\")"),
        ("20 bones, 3 layers", 20, LAYERS),
        ("1000 bones, 1 layer", 1000, "(clip: \"a\")"),
        ("1000 bones, 3 layers", 1000, LAYERS),
    ] {
        let rig = puppet(bones, layers);
        let mut pose = Pose::default();
        let mut t = 0.0;
        group.throughput(Throughput::Elements(bones as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                t = if t < 1.9 { t + 0.01 } else { 0.0 };
                rig.animation.pose(t, &mut pose);
                pose.bones()[bones - 1].place()
            });
        });
    }
    group.finish();
}

fn skins(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("skin");
    for skinning in ["Linear", "DualQuaternion"] {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/figure.glb");
        let rig = rig(&format!("file: {file:?}, skinning: {skinning}, layers: [(clip: \"Walk\")]"));
        let mut t = 0.0;
        group.throughput(Throughput::Elements(rig.skins[0].points.len() as u64));
        group.bench_function(skinning, |bencher| {
            bencher.iter(|| -> DVec3 {
                t += 0.01;
                rig.at(t).skins[0].points[0]
            });
        });
    }
    group.finish();
}

criterion_group!(benches, poses, skins);
criterion_main!(benches);
