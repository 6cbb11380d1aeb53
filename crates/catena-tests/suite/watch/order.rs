//! The order in which frames are made.

use crate::scene_of;
use catena::job::{FrameChoice, FrameOptions, FrameOrder, RenderOptions, draw, pictures, render};
use std::collections::{BTreeMap, BTreeSet};

const SCENE: &str = "Scene(base: (size: (64, 64), frames: 10, substeps: 4, decoration: Bare,
    view: (center: (0, 0), extent: (1200, 1200)), rope: (nodes: 4)))";

#[test]
fn frames_that_are_looked_at_come_first() {
    let frames: Vec<u64> = (0..10).collect();
    let cases: [(FrameOrder, &[u64]); 5] = [
        (FrameOrder::Film, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
        (FrameOrder::CoarseToFine, &[0, 9, 4, 2, 6, 1, 3, 5, 7, 8]),
        (FrameOrder::From(7), &[7, 8, 9, 0, 1, 2, 3, 4, 5, 6]),
        (FrameOrder::From(0), &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
        (FrameOrder::From(99), &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
    ];
    let scene = scene_of(SCENE);
    let drawn: Vec<_> = (0..10).map(|frame| draw(&scene, frame).unwrap()).collect();
    for (order, wanted) in cases {
        assert_eq!(order.arrange(&frames, 100).frames, wanted, "{order:?}");
        let mut seen = Vec::new();
        let take = |frame: u64, bytes: &[u8]| {
            let picture = image::load_from_memory(bytes).unwrap().to_rgb8();
            assert!(picture == drawn[frame as usize], "{order:?}: frame {frame}");
            seen.push(frame);
        };
        pictures(&scene, &FrameOptions::default(), order, &(), &(), take).unwrap();
        assert_eq!(seen, wanted, "{order:?}");
    }
}

#[test]
fn what_has_no_room_comes_last() {
    for count in [0, 1, 2, 3, 10, 100] {
        // Some frames already exist.
        let frames: Vec<u64> = (0..count).map(|number| 3 * number).collect();
        for order in [FrameOrder::CoarseToFine, FrameOrder::From(count)] {
            for room in [0, 1, 7, 1000] {
                let sequence = order.arrange(&frames, room);
                let all: BTreeSet<u64> = sequence.frames.iter().copied().collect();
                assert_eq!(sequence.frames.len(), frames.len(), "{order:?}");
                assert_eq!(all, frames.iter().copied().collect(), "{order:?}");
                assert!(sequence.kept.len() <= room, "{order:?} {count} {room}");
                // Apart from kept frames, frames that come after a later one are themselves in
                // ascending order.
                let mut reached = None;
                let mut late = sequence.frames.iter().filter(|frame| {
                    let is_before = reached > Some(**frame) && !sequence.kept.contains(*frame);
                    reached = reached.max(Some(**frame));
                    is_before
                });
                let late: Vec<_> = late.by_ref().collect();
                assert!(late.is_sorted(), "{order:?}: {late:?}");
                assert!(room < 1000 || late.is_empty(), "{order:?}: {late:?}");
            }
        }
    }
}

#[test]
fn a_folder_is_the_same_in_every_order() {
    let scene = scene_of(SCENE);
    let bench = tempfile::tempdir().unwrap();
    let mut folders = BTreeMap::new();
    for (name, order) in [("film", FrameOrder::Film), ("coarse", FrameOrder::CoarseToFine)] {
        let folder = bench.path().join(name);
        // Some frames and a checkpoint already exist.
        let part = RenderOptions {
            frames: FrameChoice::Part(3..6),
            steady: false,
            ..RenderOptions::default()
        };
        render(&scene, &folder, &part, &(), &()).unwrap();
        let options = RenderOptions { order, ..RenderOptions::default() };
        render(&scene, &folder, &options, &(), &()).unwrap();
        folders.insert(name, crate::rendered::tree(&folder));
    }
    assert_eq!(folders["film"], folders["coarse"]);
}
