//! Points as written by spreadsheets and other programs.

use catena::scene::{SceneText, load};
use std::fs;

/// Ends and number of nodes of a rope along the points of a file, or the message.
fn ends(name: &str, bytes: &[u8], axes: usize) -> Result<Vec<f64>, String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), bytes).unwrap();
    let gravity = if axes == 2 { "(0, -1)" } else { "(0, -1, 0)" };
    let text =
        format!("(base: (gravity: {gravity}, rope: (nodes: 3, shape: File(file: \"{name}\"))))");
    let origin = folder.path().join("scene.ron").display().to_string();
    let scene = load(&SceneText { origin, name: "test".into(), text }, &[]);
    let scene = scene.map_err(|error| error.report(false))?;
    let x = scene.panels[0].bodies[0].setup.initial.x.clone();
    Ok([0, 2]
        .iter()
        .flat_map(|node| (0..axes).map(|axis| x[3 * axis + node]).collect::<Vec<_>>())
        .collect())
}

#[test]
fn columns_may_be_separated_by_anything_usual() {
    let texts = [
        "0,0\n1,0.5\n2,0.25\n",
        "\u{feff}x;y\n0;0\n1;0,5\n2;0,25\n",
        "\u{feff}x;y\r\n0;0\r\n1;0,5\r\n2;0,25\r\n",
        "0;0\n1;0.5\n2;0.25\n",
        "sep=;\nx;y\n0;0\n1;0,5\n2;0,25\n",
        "x\ty\n0\t0\n1\t0.5\n2\t0.25\n",
        "0\t0\n1\t0,5\n2\t0,25",
        "0 0\n1   0.5\n 2 0.25\n",
        "0,0 0,0\n1,0 0,5\n2,0 0,25\n",
        "0,\t0\n1,\t0.5\n2,\t0.25\n",
        "\"x\",\"y, in m\"\n\"0\",\"0\"\n1,\"0.5\"\n2,.25\n",
        "\"0\";\"0\"\n\"1\";\"0,5\"\n\"2\";\"2,5e-1\"\n",
        "0,0,\n1,0.5,\n2,0.25,\n",
        "0;0;;\n;;\n1;0,5;;\n2;0,25;;\n",
        "# by hand\n\n0,0\n\n# a comment; with, signs\n1,0.5\n   \n2,0.25\n\n",
        "0,0\r1,0.5\r2,0.25\r",
    ];
    for text in texts {
        for name in ["a.csv", "a.txt"] {
            let found = ends(name, text.as_bytes(), 2);
            assert_eq!(found.as_deref(), Ok(&[0.0, 0.0, 2.0, 0.25][..]), "{text:?}");
        }
    }
    let spatial = ends("a.csv", b"L\xe4nge;H\xf6he;z\n0;0;0\n1;1,5;1\n2;2,5;3", 3);
    assert_eq!(spatial.as_deref(), Ok(&[0.0, 0.0, 0.0, 2.0, 2.5, 3.0][..]));
}

#[test]
fn messages_name_the_line_of_the_editor() {
    let wide: Vec<u8> = "0\t0\n1\t1\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let cases: [(Vec<u8>, &[&str]); 12] = [
        ("0,0\n1,two\n".into(), &["a.csv:2: expected numbers, found \"two\""]),
        ("x,y\r\n0,0\r\n1,two\r\n".into(), &["a.csv:3: expected numbers, found \"two\""]),
        ("x,y\r0,0\r1,two\r".into(), &["a.csv:3:"]),
        ("\u{feff}# by hand\r\n\r\nx;y\r\n0;0\r\n\r\n1;b\r\n".into(), &["a.csv:6:", "semicolons"]),
        ("sep=;\r\n0;0\r\n1;b\r\n".into(), &["a.csv:3:", "semicolons"]),
        ("0\t0\n1\tb\n".into(), &["a.csv:2:", "tabs"]),
        ("0;0\n1,5;2,5;3\n".into(), &["a.csv:2: expected 2 numbers", "found 3"]),
        ("0;0\n1.234,5;1\n".into(), &["a.csv:2:", "\"1.234,5\""]),
        ("0,0\n1,,2\n".into(), &["a.csv:2: expected numbers, found \"\""]),
        ("x,y\nm,m\n0,0\n".into(), &["a.csv:2:"]),
        ([&b"\xff\xfe"[..], &wide].concat(), &["a.csv is text in UTF-16", "the encoding UTF-8"]),
        (wide, &["a.csv is text in UTF-16", "the encoding UTF-8"]),
    ];
    for (text, words) in cases {
        let message = ends("a.csv", &text, 2).unwrap_err();
        let shown = String::from_utf8_lossy(&text);
        assert!(words.iter().all(|word| message.contains(word)), "{shown:?}: {words:?}: {message}");
    }
    let many = format!("0,0\n{}\n", "1,".repeat(100_000));
    assert!(
        ends("a.csv", many.as_bytes(), 2).unwrap_err().contains("a.csv:2: more than 64 columns")
    );
    let json = ends("a.json", b"\xff\xfe[\0[\0", 2).unwrap_err();
    assert!(json.contains("a.json is text in UTF-16"), "{json}");
}
