//! Wavefront OBJ: all digits, lines and facets.

use super::{BOTH, export, places};
use crate::scene_of;
use catena::export::{ExportFormat::Obj, WriteOptions};
use catena::sim::vector::{Vec3, norm};

/// Words of all lines of a kind.
pub fn lines<'a>(text: &'a str, kind: &str) -> Vec<Vec<&'a str>> {
    let words = text.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    words.filter(|words| words[0] == kind).map(|words| words[1..].to_vec()).collect()
}

/// Vectors of all lines of a kind.
pub fn vectors(text: &str, kind: &str) -> Vec<Vec3> {
    let vector = |words: Vec<&str>| [0, 1, 2].map(|axis| words[axis].parse().unwrap());
    lines(text, kind).into_iter().map(vector).collect()
}

#[test]
fn objects_have_all_digits_of_all_nodes() {
    let scene = scene_of(BOTH);
    let files = export(&scene, 2..6, Obj, WriteOptions::default());
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["frame_00002.obj", "frame_00003.obj", "frame_00004.obj", "frame_00005.obj"]);
    let expected = [places(&scene, 0, 6), places(&scene, 1, 6)];
    for (frame, (_, bytes)) in (2..).zip(&files) {
        let text = std::str::from_utf8(bytes).unwrap();
        let all = [&expected[0][frame][..], &expected[1][frame]].concat();
        assert_eq!(vectors(text, "v"), all);
        let normals = vectors(text, "vn");
        assert_eq!(normals.len(), 20);
        assert!(normals.iter().all(|normal| (norm(normal) - 1.0).abs() < 1e-15));
        assert_eq!(lines(text, "l"), [["21", "22", "23", "24", "25", "26", "27"]]);
        let faces = lines(text, "f");
        assert_eq!((faces.len(), &faces[0]), (12, &vec!["1//1", "6//6", "7//7", "2//2"]));
        assert_eq!(lines(text, "o"), [["Cape_cloth"], ["Whip_rope"]]);
        assert_eq!(lines(text, "g"), [["Cape"], ["Whip"]]);
    }
}
