//! VTK: the numbers of a trace, bit for bit, and the data of each spring.

use super::{BOTH, export, simulations};
use crate::scene_of;
use catena::export::{ExportFormat::Vtp, WriteOptions};
use std::collections::BTreeMap;

/// Arrays of a file by section and name, as bytes, and the counts of its piece.
pub struct PolyData {
    arrays: BTreeMap<String, Vec<u8>>,
    head: String,
}

impl PolyData {
    pub fn read(bytes: &[u8]) -> Self {
        let mark = b"<AppendedData encoding=\"raw\">\n_";
        let start = bytes.windows(mark.len()).position(|it| it == mark).unwrap() + mark.len();
        let head = String::from_utf8(bytes[..start - 1].to_vec()).unwrap();
        let data = &bytes[start..];
        let mut arrays = BTreeMap::new();
        let mut section = String::new();
        let mut end = 0;
        for line in head.lines().map(str::trim) {
            let word = line.trim_start_matches('<').split([' ', '>']).next().unwrap();
            if ["FieldData", "Points", "PointData", "CellData", "Lines", "Polys"].contains(&word) {
                section = word.into();
            }
            if word == "DataArray" {
                let offset: usize = attribute(line, "offset").parse().unwrap();
                let length = u64::from_le_bytes(data[offset..offset + 8].try_into().unwrap());
                let from = offset + 8;
                assert_eq!(offset, end, "arrays follow each other");
                end = from + length as usize;
                let name = format!("{section} {}", attribute(line, "Name"));
                arrays.insert(name, data[from..end].to_vec());
            }
        }
        assert_eq!(&data[end..], b"\n  </AppendedData>\n</VTKFile>\n");
        Self { arrays, head }
    }

    pub fn count(&self, name: &str) -> usize {
        let piece = self.head.lines().find(|line| line.contains("<Piece")).unwrap();
        attribute(piece, name).parse().unwrap()
    }

    pub fn has(&self, name: &str) -> bool {
        self.arrays.contains_key(name)
    }

    pub fn floats(&self, name: &str) -> Vec<f64> {
        let bytes = self.arrays.get(name).unwrap_or_else(|| panic!("{name}"));
        bytes.as_chunks().0.iter().map(|it| f64::from_le_bytes(*it)).collect()
    }

    pub fn longs(&self, name: &str) -> Vec<i64> {
        self.arrays[name].as_chunks().0.iter().map(|it| i64::from_le_bytes(*it)).collect()
    }

    pub fn ints(&self, name: &str) -> Vec<i32> {
        self.arrays[name].as_chunks().0.iter().map(|it| i32::from_le_bytes(*it)).collect()
    }
}

fn attribute<'a>(line: &'a str, name: &str) -> &'a str {
    let from =
        line.split(&format!(" {name}=\"")).nth(1).unwrap_or_else(|| panic!("{name}: {line}"));
    from.split('"').next().unwrap()
}

#[test]
fn points_and_velocities_have_the_bits_of_a_trace() {
    let scene = scene_of(BOTH);
    let files = export(&scene, 0..6, Vtp, WriteOptions::default());
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names[..2], ["frame_00000.vtp", "frame_00001.vtp"]);
    assert_eq!(names[5..], ["frame_00005.vtp", "test.pvd"]);
    let list = String::from_utf8(files[6].1.clone()).unwrap();
    let mut all = simulations(&scene);
    for (frame, (name, bytes)) in files[..6].iter().enumerate() {
        let data = PolyData::read(bytes);
        let time = frame as f64 * 0.1;
        assert!(
            list.contains(&format!("timestep=\"{time:?}\" group=\"\" part=\"0\" file=\"{name}\""))
        );
        assert_eq!(data.floats("FieldData TimeValue"), [time]);
        assert_eq!((data.count("NumberOfPoints"), data.count("NumberOfLines")), (27, 6));
        assert_eq!(data.count("NumberOfPolys"), 12);
        let (mut places, mut velocities, mut owners) = (Vec::new(), Vec::new(), Vec::new());
        for (panel, simulation) in (0..).zip(&all) {
            let n = simulation.setup().model.nodes();
            places.extend((0..n).flat_map(|node| simulation.state().position(n, node)));
            velocities.extend((0..n).flat_map(|node| simulation.state().velocity(n, node)));
            owners.extend((0..n as i32).map(|node| (panel, node)));
        }
        let bits = |all: Vec<f64>| all.into_iter().map(f64::to_bits).collect::<Vec<_>>();
        assert_eq!(bits(data.floats("Points Points")), bits(places));
        assert_eq!(bits(data.floats("PointData velocity")), bits(velocities.clone()));
        let speed = |v: &[f64]| (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
        let speeds: Vec<f64> = velocities.chunks(3).map(speed).collect();
        assert_eq!(data.floats("PointData speed"), speeds);
        let found = data.ints("PointData panel").into_iter().zip(data.ints("PointData node"));
        assert_eq!(found.collect::<Vec<_>>(), owners);
        let pinned: Vec<u8> = (0..27).map(|node| u8::from(node < 5 || node == 20)).collect();
        assert_eq!(data.arrays["PointData pinned"], pinned);
        all.iter_mut().for_each(catena::sim::Simulation::advance_frame);
    }
}

#[test]
fn cells_know_strain_and_tension_of_their_springs() {
    let scene = scene_of(BOTH);
    let files = export(&scene, 0..4, Vtp, WriteOptions::default());
    let data = PolyData::read(&files[3].1);
    let mut all = simulations(&scene);
    all.iter_mut().for_each(|it| (0..3).for_each(|_| it.advance_frame()));
    let strains = |body: usize| -> Vec<f64> {
        let (model, state) = (&all[body].setup().model, all[body].state());
        let strain = |j: usize| {
            let spring = &model.springs[j];
            (model.span(&state.x, spring).1 - spring.rest_length) / spring.rest_length
        };
        (0..model.structural).map(strain).collect()
    };
    let found = data.floats("CellData strain");
    assert_eq!(found.len(), 6 + 12);
    assert_eq!(found[..6], strains(1));
    // The springs along rows come first: the springs of both rows of the first cell are here.
    let cloth = strains(0);
    let [top, bottom, left, right] = [cloth[0], cloth[4], cloth[16], cloth[17]];
    assert!((found[6] - (top + bottom + left + right) / 4.0).abs() < 1e-15, "{found:?}");
    let tensions = data.floats("CellData tension");
    let rope = &all[1].setup().model.springs;
    for k in 0..6 {
        let expected = rope[k].stiffness * (found[k] * rope[k].rest_length);
        assert!((tensions[k] - expected).abs() <= 1e-12 * expected.abs(), "{tensions:?}");
    }
    assert_eq!(data.longs("Lines connectivity")[..4], [20, 21, 21, 22]);
    assert_eq!(data.longs("Lines offsets"), [2, 4, 6, 8, 10, 12]);
    assert_eq!(data.longs("Polys connectivity")[..4], [0, 5, 6, 1]);
    assert_eq!(data.longs("Polys offsets").last(), Some(&48));
    assert_eq!(data.ints("CellData panel")[5..7], [1, 0]);
}

#[test]
fn tension_is_known_under_every_method() {
    // In a rope that hangs at rest, each spring carries the weight below it.
    for method in ["ConstraintVerlet", "Pbd", "Shake", "SemiImplicitEuler", "Xpbd"] {
        let scene = scene_of(&format!(
            "Scene(base: (frames: 400, frame_time: 0.05, substeps: 50, drag: 5, integrator: {method}, rope: (start: (0, 0), end: (0, -3), nodes: 4, stiffness: 1e4)))"
        ));
        let files = export(&scene, 399..400, Vtp, WriteOptions::default());
        let data = PolyData::read(&files[0].1);
        assert!(data.has("CellData tension"), "{method}");
        let tensions = data.floats("CellData tension");
        for (tension, weight) in tensions.iter().zip([3.0, 2.0, 1.0]) {
            assert!((tension - weight).abs() < 1e-5, "{method}: {tensions:?}");
        }
    }
}
