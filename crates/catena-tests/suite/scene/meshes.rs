//! Meshes as modellers and scanners write them: concave faces, continued lines, other encodings,
//! seams, stray vertices and flat triangles.

use catena::scene::{Scene, SceneText, load};
use catena::sim::{Form, State};
use std::fs;

const BASE: &str = "frames: 2, frame_time: 0.01, gravity: (0, -1, 0)";

/// A scene with a mesh of these bytes.
fn mesh(bytes: impl AsRef<[u8]>, more: &str) -> Result<Scene, String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.obj"), bytes).unwrap();
    let text = format!("(base: ({BASE}, mesh: (file: \"a.obj\", density: 1{more})))");
    let origin = folder.path().join("scene.ron").display().to_string();
    let text = SceneText { origin, name: "test".into(), text };
    load(&text, &[]).map_err(|error| error.report(false))
}

fn facets(scene: &Scene) -> Vec<[usize; 3]> {
    let Form::Mesh { facets } = &scene.panels[0].bodies[0].setup.model.parts[0].form else {
        panic!("no mesh")
    };
    facets.clone()
}

/// Mass, and the area of triangles that face +z.
fn mass_and_area(scene: &Scene) -> (f64, f64) {
    let setup = &scene.panels[0].bodies[0].setup;
    let State { x, .. } = &setup.initial;
    let n = setup.model.nodes();
    let area = |[a, b, c]: [usize; 3]| {
        let side = |k: usize| [x[k] - x[a], x[n + k] - x[n + a]];
        0.5 * (side(b)[0] * side(c)[1] - side(b)[1] * side(c)[0])
    };
    (setup.model.mass.iter().sum(), facets(scene).into_iter().map(area).sum())
}

/// Faces of one polygon each, with their areas: an arrowhead, an L, a comb, a star, a square with a
/// vertex on a side, a square with a hole joined to the rim by a cut, and a polygon inclined in
/// space.
const POLYGONS: &[(&str, &[[f64; 3]], f64)] = &[
    ("arrowhead", &[[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 2.0, 0.0]], 1.0),
    (
        "L",
        &[
            [0.0, 0.0, 0.0],
            [2.0, 0.0, 0.0],
            [2.0, 1.0, 0.0],
            [1.0, 1.0, 0.0],
            [1.0, 2.0, 0.0],
            [0.0, 2.0, 0.0],
        ],
        3.0,
    ),
    (
        "comb",
        &[
            [0.0, 0.0, 0.0],
            [5.0, 0.0, 0.0],
            [5.0, 2.0, 0.0],
            [4.0, 2.0, 0.0],
            [4.0, 1.0, 0.0],
            [3.0, 1.0, 0.0],
            [3.0, 2.0, 0.0],
            [2.0, 2.0, 0.0],
            [2.0, 1.0, 0.0],
            [1.0, 1.0, 0.0],
            [1.0, 2.0, 0.0],
            [0.0, 2.0, 0.0],
        ],
        8.0,
    ),
    (
        "star",
        &[
            [3.0, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [0.0, 3.0, 0.0],
            [-1.0, 1.0, 0.0],
            [-3.0, 0.0, 0.0],
            [-1.0, -1.0, 0.0],
            [0.0, -3.0, 0.0],
            [1.0, -1.0, 0.0],
        ],
        12.0,
    ),
    (
        "corner on a side",
        &[
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [2.0, 0.0, 0.0],
            [2.0, 2.0, 0.0],
            [1.0, 2.0, 0.0],
            [0.0, 2.0, 0.0],
        ],
        4.0,
    ),
];

#[test]
fn a_face_is_the_same_surface_whichever_corner_comes_first() {
    for (name, places, area) in POLYGONS {
        let count = places.len();
        let mut surfaces = Vec::new();
        for (first, is_front) in (0..count).flat_map(|first| [(first, true), (first, false)]) {
            let mut text: String =
                places.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
            let corner = |k: usize| 1 + (first + if is_front { k } else { count - k }) % count;
            let corners: Vec<String> = (0..count).map(|k| corner(k).to_string()).collect();
            text += &format!("f {}\n", corners.join(" "));
            let scene = mesh(&text, ", pins: [First]").unwrap_or_else(|it| panic!("{name}: {it}"));
            let (mass, found) = mass_and_area(&scene);
            let expected = if is_front { *area } else { -area };
            assert!((mass - area).abs() < 1e-12, "{name} from {first}: {mass}");
            assert!((found - expected).abs() < 1e-12, "{name} from {first}: {found}");
            let mut facets = facets(&scene);
            facets.iter_mut().for_each(|facet| facet.sort_unstable());
            facets.sort_unstable();
            surfaces.push(facets);
        }
        assert!(surfaces.windows(2).all(|pair| pair[0] == pair[1]), "{name}: {surfaces:?}");
    }
}

#[test]
fn concave_faces_may_lean_and_convex_ones_stay_fans() {
    // The arrowhead in the plane x = z, with √2 times the area.
    let text = "v 0 0 0\nv 2 0 2\nv 0.5 0.5 0.5\nv 0 2 0\n";
    for face in ["f 1 2 3 4", "f 2 3 4 1", "f 3 4 1 2", "f 4 1 2 3"] {
        let scene = mesh(format!("{text}{face}\n"), "").unwrap();
        let (mass, _) = mass_and_area(&scene);
        assert!((mass - 2.0_f64.sqrt()).abs() < 1e-12, "{face}: {mass}");
    }
    // A square with a square hole, and a cut from corner to corner.
    let text = "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nv 1 1 0\nv 1 3 0\nv 3 3 0\nv 3 1 0\n";
    let scene = mesh(format!("{text}f 1 2 3 4 1 5 6 7 8 5\n"), "").unwrap();
    let (mass, area) = mass_and_area(&scene);
    assert!((mass - 12.0).abs() < 1e-12 && (area - 12.0).abs() < 1e-12, "{mass}, {area}");
    let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
    for (face, fan) in
        [("f 1 2 3 4", [[0, 1, 2], [0, 2, 3]]), ("f 2 3 4 1", [[1, 2, 3], [1, 3, 0]])]
    {
        assert_eq!(facets(&mesh(format!("{square}{face}\n"), "").unwrap()), fan);
    }
    // Triangulation is fast for any file, because its work is bounded.
    let corner = |k: usize| {
        let (sine, cosine) = libm::sincos(std::f64::consts::TAU * k as f64 / 1000.0);
        let radius = if k.is_multiple_of(2) { 1.0 } else { 2.0 };
        format!("v {} {} 0\n", radius * cosine, radius * sine)
    };
    let star: String = (0..1000).map(corner).collect();
    let all: Vec<String> = (1..=1000).map(|k| k.to_string()).collect();
    let many = format!("{star}{}", format!("f {}\n", all.join(" ")).repeat(21));
    let message = mesh(many, "").unwrap_err();
    assert!(message.contains("a.obj:1021: too many faces are not convex"), "{message}");
    let crossed = mesh("v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 4\n", "").unwrap_err();
    assert!(crossed.contains("a.obj:5: the sides of this face cross each other"), "{crossed}");
}

/// Texts of one square of four corners, as written on other systems.
#[test]
fn a_file_may_have_any_line_ends_and_letters() {
    let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
    let texts: Vec<Vec<u8>> = vec![
        format!("{square}f 1 2 \\\n3 4\n").into(),
        format!("{square}f 1 2 \\\n3 4\n").replace('\n', "\r\n").into(),
        format!("{square}f 1 2 \\ \n 3\\\n 4").into(),
        format!("{square}f 1 2 3 4").replace('\n', "\r").into(),
        format!("{square}v\\\n 0 0 \\\n 0\nf 1 2 3 4\n").replace("v\\\n 0 0 \\\n 0\n", "").into(),
        format!("# saved in C:\\meshes\\\n{square}f 1 2 3 4\n").into(),
        [square.as_bytes(), b"usemtl Tissu_\xe9cru\nf 1 2 3 4\n"].concat(),
        [b"# \x83\x81\x83b\x83V\x83\x85\n", square.as_bytes(), b"f 1 2 3 4\n"].concat(),
        format!("\u{feff}{square}f 1 2 3 4\n").into(),
    ];
    for text in texts {
        let shown = String::from_utf8_lossy(&text).into_owned();
        let scene = mesh(&text, ", pins: [0]").unwrap_or_else(|it| panic!("{shown}: {it}"));
        let (mass, area) = mass_and_area(&scene);
        assert_eq!((facets(&scene).len(), area), (2, 1.0), "{shown}");
        assert!((mass - 1.0).abs() < 1e-12, "{shown}: {mass}");
    }
    // A group is found by its name, which is not UTF-8 in the file.
    let named = [square.as_bytes(), b"g \xe9paule\nf 1 2 3 4\n"].concat();
    let scene = mesh(&named, ", pins: [\"épaule\"]").unwrap();
    assert_eq!(scene.panels[0].bodies[0].setup.model.pinned, [true; 4]);
}

#[test]
fn messages_name_the_line_of_the_editor_and_what_to_do() {
    let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
    let wide: Vec<u8> = square.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = [&b"\xff\xfe"[..], &wide].concat();
    let cases: [(Vec<u8>, &str, &[&str]); 8] = [
        (marked, "", &["a.obj is text in UTF-16", "the encoding UTF-8"]),
        (wide, "", &["a.obj is text in UTF-16", "the encoding UTF-8"]),
        (b"PK\x03\x04\0\0\xff".into(), "", &["a.obj is a zip file"]),
        (format!("{square}f 1 2 \\\n3 x\n").into(), "", &["a.obj:6:", "found \"x\""]),
        (format!("{square}f 1 2 \\\n3 9\n").replace('\n', "\r\n").into(), "", &["a.obj:6:"]),
        (
            "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 1 1 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\nf 5 6 4\n".into(),
            "",
            &["have the same position", "mesh: (merge: 1e-6)", "merged 2 duplicate vertices"],
        ),
        (
            format!("{square}v 9 9 9\nf 1 2 3 4\n").into(),
            "",
            &[
                "belongs to no triangle",
                "mesh: (merge: 1e-6)",
                "dropped 1 vertex without triangles",
            ],
        ),
        (
            format!("{square}f 1 2 3 4\nf 1 1 2\n").into(),
            "",
            &["no area", "mesh: (merge: 1e-6)", "dropped 1 triangle without area"],
        ),
    ];
    for (text, more, words) in cases {
        let message = mesh(&text, more).unwrap_err();
        assert!(words.iter().all(|word| message.contains(word)), "{words:?}: {message}");
    }
}

/// Two squares with a common side, whose vertices are duplicated there, with a stray vertex and a
/// triangle of zero area.
const SEAM: &str = "v 0 0 0\nv 9 9 9\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 1 0 1e-7\nv 1 1 0\nv 2 0 0\nv 2 1 0\ng left\nf 1 3 4 5\ng right\nf 6 8 9 7\ng flat\nf 1 1 3\nf 3 6 8\n";

#[test]
fn merging_joins_seams_and_drops_what_is_of_no_use() {
    let scene = mesh(SEAM, ", merge: 1e-6, pins: [\"right\"]").unwrap();
    let body = &scene.panels[0].bodies[0];
    let model = &body.setup.model;
    assert_eq!(facets(&scene), [[0, 1, 2], [0, 2, 3], [1, 4, 5], [1, 5, 2]]);
    assert_eq!((model.nodes(), model.structural), (6, 9));
    assert_eq!(model.pinned, [false, true, true, false, true, true]);
    let note = body.notes.join("\n");
    let expected = "a.obj: merged 2 duplicate vertices, dropped 1 vertex without triangles, dropped 2 triangles without area; nodes are renumbered";
    assert!(note.contains(expected), "{note}");
    assert!(!note.contains("rims"), "the seam is closed: {note}");
    // Without a distance, only coincident vertices are merged.
    let exact = mesh(SEAM, ", merge: 0").unwrap();
    assert_eq!(exact.panels[0].bodies[0].setup.model.nodes(), 7);
    // The distance is in units of the scene, after scaling.
    let scaled = mesh(SEAM, ", merge: 1e-6, scale: 100").unwrap();
    assert_eq!(scaled.panels[0].bodies[0].setup.model.nodes(), 7);
    // A mesh without duplicate vertices stays the same.
    let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
    let [plain, merged] = ["", ", merge: 0.001"].map(|more| mesh(square, more).unwrap());
    let of = |scene: &Scene| format!("{:?}", scene.panels[0].bodies[0].setup.model);
    assert_eq!(of(&plain), of(&merged));
    assert_eq!(plain.panels[0].bodies[0].notes, merged.panels[0].bodies[0].notes);
    let gone = mesh(square, ", merge: 5").unwrap_err();
    assert!(gone.contains("expected from 3 to") && gone.contains("found 0"), "{gone}");
}

/// On most systems a backslash is an ordinary character of file names; before some letters it is an
/// escape.
#[test]
fn folders_are_separated_by_slashes() {
    for (written, advice) in [
        (r"meshes\\cape.obj", "meshes/cape.obj"),
        (r"meshes\new.obj", "meshes/new.obj"),
        (r"a\tight.obj", "a/tight.obj"),
        (r"a\red\\cape.obj", "a/red/cape.obj"),
        (r"a\cape.obj", "a/cape.obj"),
    ] {
        let text = format!("(base: ({BASE}, mesh: (file: \"{written}\")))");
        let text = SceneText { origin: "test".into(), name: "test".into(), text };
        let message = load(&text, &[]).unwrap_err().report(false);
        assert!(message.contains(&format!("write / between folders: \"{advice}\"")), "{message}");
    }
}
