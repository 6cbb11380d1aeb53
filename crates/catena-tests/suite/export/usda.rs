//! USD: points with the bits of 32-bit numbers, curves, meshes, times and names.

use super::{BOTH, places, text};
use crate::scene_of;
use catena::export::ExportFormat::Usda;
use catena::sim::vector::Vec3;

/// Lines of a prim, from its header to its end.
pub fn prim<'a>(stage: &'a str, head: &str) -> Vec<&'a str> {
    let lines = stage.lines().skip_while(|line| !line.trim_start().starts_with(head));
    let mut lines = lines.peekable();
    let first = lines.peek().unwrap_or_else(|| panic!("there is no {head}"));
    let indent = first.len() - first.trim_start().len();
    let end = format!("{}}}", " ".repeat(indent));
    lines.take_while(|line| **line != end).collect()
}

/// Value of an attribute of a prim.
pub fn value<'a>(prim: &[&'a str], attribute: &str) -> &'a str {
    let lines = prim.iter().filter_map(|line| line.trim_start().split_once(" = "));
    let mut found = lines.filter(|(name, _)| *name == attribute);
    found.next().unwrap_or_else(|| panic!("there is no {attribute}")).1
}

/// All numbers in a text.
pub fn numbers<N: std::str::FromStr>(text: &str) -> Vec<N> {
    let is_part = |c: char| c.is_ascii_digit() || "+-.e".contains(c);
    text.split(|c| !is_part(c)).filter_map(|word| word.parse().ok()).collect()
}

/// Numbers of an attribute's time samples, by frame.
pub fn samples(prim: &[&str], attribute: &str) -> Vec<(u64, Vec<f32>)> {
    let head = format!("{attribute}.timeSamples = {{");
    let lines = prim.iter().skip_while(|line| line.trim_start() != head).skip(1);
    let lines = lines.take_while(|line| line.trim_start() != "}");
    let sample = |line: &&str| {
        let (frame, list) = line.trim_start().split_once(": ").unwrap();
        (frame.parse().unwrap(), numbers(list))
    };
    lines.map(sample).collect()
}

/// Positions in 32 bits.
fn singles(places: &[Vec3]) -> Vec<f32> {
    places.as_flattened().iter().map(|value| *value as f32).collect()
}

#[test]
fn points_are_the_places_of_nodes_to_the_bit() {
    let scene = scene_of(BOTH);
    let stage = text(&scene, 0..6, Usda);
    for (body, head) in [(0, "def Mesh \"cloth\""), (1, "def BasisCurves \"rope\"")] {
        let prim = prim(&stage, head);
        let found = samples(&prim, "point3f[] points");
        let expected = places(&scene, body, 6);
        assert_eq!(found.len(), 6);
        for ((frame, found), (index, expected)) in
            found.into_iter().zip(expected.iter().enumerate())
        {
            assert_eq!((frame, found), (index as u64, singles(expected)));
        }
        for (_, extent) in samples(&prim, "float3[] extent") {
            assert!((0..3).all(|axis| extent[axis] <= extent[axis + 3]));
        }
    }
    let mesh = prim(&stage, "def Mesh");
    for (_, normals) in samples(&mesh, "normal3f[] normals") {
        assert_eq!(normals.len(), 60);
        for normal in normals.chunks(3) {
            let square: f32 = normal.iter().map(|value| value * value).sum();
            assert!((square - 1.0).abs() < 1e-6);
        }
    }
}

#[test]
fn a_stage_says_its_times_axes_and_units() {
    let stage = text(&scene_of(BOTH), 2..6, Usda);
    for line in [
        "#usda 1.0",
        "    defaultPrim = \"test\"",
        "    startTimeCode = 2",
        "    endTimeCode = 5",
        "    timeCodesPerSecond = 10.0",
        "    framesPerSecond = 10.0",
        "    metersPerUnit = 1",
        "    upAxis = \"Y\"",
        "def Xform \"test\" (",
        "    def Xform \"Cape\" (",
        "        displayName = \"Cape\"",
    ] {
        assert!(stage.lines().any(|found| found == line), "{line} is not in\n{stage}");
    }
    let mesh = prim(&stage, "def Mesh");
    assert_eq!(value(&mesh, "int[] faceVertexCounts").matches('4').count(), 12);
    let corners: Vec<usize> = numbers(value(&mesh, "int[] faceVertexIndices"));
    assert_eq!(corners[..8], [0, 5, 6, 1, 1, 6, 7, 2]);
    assert_eq!(value(&mesh, "uniform token subdivisionScheme"), "\"none\"");
    assert_eq!(value(&mesh, "uniform bool doubleSided"), "1");
    let curves = prim(&stage, "def BasisCurves");
    assert_eq!(value(&curves, "int[] curveVertexCounts"), "[7]");
    assert_eq!(value(&curves, "uniform token type"), "\"linear\"");
    assert_eq!(value(&curves, "uniform token wrap"), "\"nonperiodic\"");
    assert_eq!(value(&curves, "float[] widths"), "[0.04] (");
    assert_eq!(value(&curves, "rel material:binding"), "</test/Looks/color_336699>");
    let look = prim(&stage, "def Material \"color_336699\"");
    let color: Vec<f32> = numbers(value(&look, "color3f inputs:diffuseColor"));
    assert!((color[1] - 0.132_868_33).abs() < 1e-7);
}

#[test]
fn rings_are_periodic() {
    let scene = scene_of(
        "Scene(base: (frames: 2, gravity: (0, 0, 0), rope: (shape: Ring(toward: (0, 0, 1)), start: (-1, 0, 0), end: (1, 0, 0), nodes: 9)))",
    );
    let stage = text(&scene, 0..2, Usda);
    let ring = prim(&stage, "def BasisCurves \"ring\"");
    assert_eq!(value(&ring, "uniform token wrap"), "\"periodic\"");
    assert_eq!(value(&ring, "int[] curveVertexCounts"), "[9]");
}

#[test]
fn names_are_identifiers_and_labels_are_kept_beside() {
    let scene = scene_of(
        "Scene(base: (frames: 1, rope: (nodes: 3)), panels: [(label: \"2 ways: \\\"a\\\"\"), (label: \"2 ways_ _a_\"), (label: \"\u{202e}绳\")])",
    );
    let stage = text(&scene, 0..1, Usda);
    for line in [
        "    def Xform \"_2_ways___a_\" (",
        "        displayName = \"2 ways: \\\"a\\\"\"",
        "    def Xform \"_2_ways___a__2\" (",
        "        displayName = \"\\\\u{202e}绳\"",
    ] {
        assert!(stage.lines().any(|found| found == line), "{line} is not in\n{stage}");
    }
}
