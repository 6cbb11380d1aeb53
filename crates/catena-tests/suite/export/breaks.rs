//! Breaks and divergence in exports. Broken springs are omitted if the format allows it, and
//! otherwise collapsed to a point.

use super::gltf::Glb;
use super::obj::lines;
use super::usda::{numbers, prim, samples, value};
use super::vtp::PolyData;
use super::{export, one, places, text};
use crate::scene_of;
use catena::export::{ExportFormat, RopeForm, WriteOptions};
use catena::scene::Scene;

/// A rope of four springs. The second one is cut in frame 3, and a joint between the ends is added
/// in frame 4.
fn cut() -> Scene {
    scene_of(
        "Scene(base: (frames: 6, frame_time: 0.1, substeps: 100, gravity: (0, -9.81, 0),
        rope: (start: (0, 0, 0), end: (1, 0, 0), nodes: 5, stiffness: 500, mass: 0.01, pins: [0, 4]), style: (thickness: 0.02),
        events: [(at: 0.25, do: Cut(a: 1, b: 2)), (at: 0.35, do: Join(a: 0, b: 2, stiffness: 10))]))",
    )
}

/// A cloth of two cells; one cell loses an edge in frame 2.
fn torn() -> Scene {
    scene_of(
        "Scene(base: (frames: 4, frame_time: 0.1, substeps: 100, gravity: (0, -9.81, 0),
        cloth: (corner: (0, 0, 0), across: (1, 0, 0), down: (0, 0, 0.5), rows: 2, columns: 3, stiffness: 100, mass: 0.01,
        pins: TopEdge), events: [(at: 0.15, do: Cut(a: 4, b: 5))]))",
    )
}

#[test]
fn folders_leave_out_what_is_broken() {
    let options = WriteOptions::default();
    let counts = |scene: &Scene, name: &str| -> Vec<usize> {
        let files = export(scene, 0..scene.frames, ExportFormat::Vtp, options);
        let frames = files.iter().filter(|(file, _)| file.ends_with(".vtp"));
        frames.map(|(_, bytes)| PolyData::read(bytes).count(name)).collect()
    };
    assert_eq!(counts(&cut(), "NumberOfLines"), [4, 4, 4, 3, 4, 4]);
    assert_eq!(counts(&torn(), "NumberOfPolys"), [2, 2, 1, 1]);
    let files = export(&cut(), 0..6, ExportFormat::Obj, options);
    let text = |frame: usize| std::str::from_utf8(&files[frame].1).unwrap();
    // The line is divided at its second spring, so that each frame can omit this spring.
    assert_eq!(lines(text(0), "l"), [vec!["1", "2"], vec!["2", "3"], vec!["3", "4", "5"]]);
    assert_eq!(lines(text(3), "l"), [vec!["1", "2"], vec!["3", "4", "5"]]);
    assert_eq!(lines(text(5), "l").last().unwrap(), &["6", "7"]);
    let files = export(&torn(), 0..4, ExportFormat::Obj, options);
    let faces: Vec<usize> = files
        .iter()
        .map(|(_, bytes)| lines(std::str::from_utf8(bytes).unwrap(), "f").len())
        .collect();
    assert_eq!(faces, [2, 2, 1, 1]);
}

#[test]
fn single_files_keep_their_vertices_and_fold_what_is_broken() {
    let scene = cut();
    let nodes = places(&scene, 0, 6);
    let stage = text(&scene, 0..6, ExportFormat::Usda);
    let rope = prim(&stage, "def BasisCurves \"rope\"");
    assert_eq!(numbers::<usize>(value(&rope, "int[] curveVertexCounts")), [2, 2, 3]);
    for (frame, points) in samples(&rope, "point3f[] points") {
        let at = |node: usize| nodes[frame as usize][node].map(|value| value as f32);
        let second = if frame < 3 { [at(1), at(2)] } else { [at(1), at(1)] };
        let expected = [[at(0), at(1)], second].concat();
        let expected = [expected, vec![at(2), at(3), at(4)]].concat().into_flattened();
        assert_eq!(points, expected, "frame {frame}");
    }
    let joints = prim(&stage, "def BasisCurves \"joints\"");
    for (frame, points) in samples(&joints, "point3f[] points") {
        assert_eq!(points[..3] == points[3..], frame < 4, "frame {frame}");
    }
    let torn = torn();
    let nodes = places(&torn, 0, 4);
    let glb = Glb::read(&one(&torn, 0..4, ExportFormat::Glb, WriteOptions::default()));
    let triangles = glb.indices(glb.primitive("cloth"));
    assert_eq!(triangles.len(), 4 * 3);
    for (frame, nodes) in nodes.iter().enumerate() {
        let points = glb.at("cloth", "POSITION", 0.1 * frame as f64);
        assert_eq!(points.len(), 6 + 4);
        // The second cell has its own vertices: nodes 1, 4, 5 and 2.
        let expected = if frame < 2 { [1, 4, 5, 2] } else { [1; 4] };
        for (point, node) in points[6..].iter().zip(expected) {
            assert!(super::farthest(&[*point], &[nodes[node]]) < 1e-6, "frame {frame}");
        }
    }
}

#[test]
fn a_tube_that_breaks_has_no_thickness() {
    let glb = Glb::read(&one(&cut(), 0..6, ExportFormat::Glb, WriteOptions::default()));
    // Three tubes of 2, 2 and 3 nodes.
    let [first, second] = [(2 + 2) * 8 + 2, 2 * ((2 + 2) * 8 + 2)];
    for frame in 0..6 {
        let points = glb.at("rope", "POSITION", 0.1 * f64::from(frame));
        let broken = &points[first..second];
        let span = |axis: usize| {
            let values = broken.iter().map(|point| point[axis]);
            values.clone().fold(f64::MIN, f64::max) - values.fold(f64::MAX, f64::min)
        };
        let size = span(0) + span(1) + span(2);
        assert_eq!(size < 1e-6, frame >= 3, "frame {frame}: {size}");
    }
}

#[test]
fn a_body_that_diverges_stays_as_it_was_last_in_order() {
    let scene = scene_of(
        "Scene(base: (frames: 200, integrator: ExplicitEuler, substeps: 16, rope: (nodes: 8)), panels: [()])",
    );
    let at = {
        let mut simulation = super::simulations(&scene).remove(0);
        loop {
            simulation.advance_frame();
            if let catena::sim::Outcome::Diverged { frame, .. } = simulation.outcome() {
                break frame as usize;
            }
        }
    };
    assert!((2..150).contains(&at), "{at}");
    let expected = places(&scene, 0, 200);
    let lines = WriteOptions { ropes: RopeForm::Line, rate: None };
    let glb = Glb::read(&one(&scene, 0..200, ExportFormat::Glb, lines));
    for frame in [at - 1, at, 199] {
        let found = glb.at("rope", "POSITION", frame as f64);
        let size =
            expected[at - 1].as_flattened().iter().fold(0.0_f64, |maximum, x| maximum.max(x.abs()));
        assert!(super::farthest(&found, &expected[at - 1]) <= 2e-7 * size, "frame {frame}");
    }
    // An export that begins after the divergence shows the same.
    let part = export(&scene, 190..192, ExportFormat::Obj, lines);
    let text = std::str::from_utf8(&part[0].1).unwrap();
    assert_eq!(super::obj::vectors(text, "v"), expected[at - 1]);
    for format in [ExportFormat::Usda, ExportFormat::Vtp, ExportFormat::Obj] {
        for (_, bytes) in export(&scene, 0..200, format, lines) {
            let text = String::from_utf8_lossy(&bytes).to_lowercase().replace("info:id", "");
            assert!(format == ExportFormat::Vtp || !(text.contains("nan") || text.contains("inf")));
            if format == ExportFormat::Vtp && !text.contains("collection") {
                let data = PolyData::read(&bytes);
                let all =
                    ["Points Points", "PointData velocity", "CellData strain", "CellData tension"];
                assert!(
                    all.iter().all(|name| data.floats(name).iter().all(|value| value.is_finite()))
                );
            }
        }
    }
}
