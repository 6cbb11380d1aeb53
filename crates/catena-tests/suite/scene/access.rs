//! File access: a scene reads files in and below its own folder, and others only if this is
//! allowed.

use crate::catena;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Text that must not appear in any message.
const SECRET: &str = "r00t:x:0:0";

/// A folder with a scene's own folder `own` and its sibling `elsewhere`, with the same files of all
/// kinds in both.
fn bench() -> TempDir {
    let bench = tempfile::tempdir().unwrap();
    for folder in ["own/sub", "elsewhere"] {
        fs::create_dir_all(bench.path().join(folder)).unwrap();
    }
    let figure = |uri: &str| {
        format!(
            "{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{{\"mesh\":0}}],\"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}}}}]}}],\
             \"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}}],\
             \"bufferViews\":[{{\"buffer\":0,\"byteLength\":36}}],\"buffers\":[{{\"byteLength\":36,\"uri\":\"{uri}\"}}]}}"
        )
    };
    let places = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let bytes: Vec<u8> = places.iter().flat_map(|x| x.to_le_bytes()).collect();
    for folder in ["own", "own/sub", "elsewhere"] {
        let write = |name: &str, bytes: &[u8]| {
            fs::write(bench.path().join(folder).join(name), bytes).unwrap();
        };
        write("a.csv", b"0,0,0\n1,1,1\n");
        write("a.json", b"[[0,0,0],[1,1,1]]");
        write("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
        write("a.gltf", figure("a.bin").as_bytes());
        write("a.bin", &bytes);
        write("a.ron", b"(base: (frames: 2))");
        for name in ["s.csv", "s.json", "s.obj", "s.gltf", "s.bin", "s.ron"] {
            write(name, format!("{SECRET}:{SECRET}\nv {SECRET}\n").as_bytes());
        }
    }
    bench
}

/// A scene or sweep that names a file, depending on the file's extension.
fn naming(file: &str) -> String {
    let base = "frames: 2, gravity: (0, -1, 0)";
    match file.rsplit_once('.').unwrap().1 {
        "csv" | "json" => {
            format!("(base: ({base}, rope: (nodes: 3, shape: File(file: \"{file}\"))))")
        }
        "obj" => format!("(base: ({base}, mesh: (file: \"{file}\")))"),
        "gltf" => format!("(base: ({base}, rig: (file: \"{file}\")))"),
        _ => format!("Sweep(scene: \"{file}\", axes: {{\"substeps\": [8, 16]}}, frames: 2)"),
    }
}

/// Exit code and message of a command on `own/scene.ron` with this text.
fn run(bench: &Path, text: &str, args: &[&str]) -> (i32, String) {
    fs::write(bench.join("own/scene.ron"), text).unwrap();
    let command = if text.starts_with("Sweep") { "sweep" } else { "check" };
    let args = [&[command, "own/scene.ron"], args].concat();
    let run = catena().current_dir(bench).args(&args).output().unwrap();
    let output = [run.stdout, run.stderr].concat();
    let output = String::from_utf8_lossy(&output).into_owned();
    assert!(!output.contains("r00t"), "{args:?} {text}: {output}");
    (run.status.code().unwrap(), output)
}

const ENDINGS: [&str; 5] = ["csv", "json", "obj", "gltf", "ron"];

#[test]
fn a_scene_reads_at_and_below_its_own_folder() {
    let bench = bench();
    let elsewhere = bench.path().join("elsewhere");
    let own = bench.path().join("own");
    for ending in ENDINGS {
        let [absolute, inside] = [&elsewhere, &own].map(|it| it.join(format!("a.{ending}")));
        let inside = inside.display().to_string();
        for name in [
            format!("a.{ending}"),
            format!("sub/a.{ending}"),
            format!("sub/../a.{ending}"),
            format!("../own/a.{ending}"),
            inside,
        ] {
            let (code, message) = run(bench.path(), &naming(&name), &[]);
            assert_eq!(code, 0, "{name}: {message}");
        }
        for name in [absolute.display().to_string(), format!("../elsewhere/a.{ending}")] {
            let (code, message) = run(bench.path(), &naming(&name), &[]);
            assert_eq!(code, 3, "{name}: {message}");
            assert!(
                message.contains("is outside the folder") && message.contains("--allow-path"),
                "{message}"
            );
            for allowed in [
                &["--allow-path", "elsewhere"][..],
                &["--allow-any-path"],
                &["--allow-path", "own/sub", "--allow-path", "."],
            ] {
                let (code, message) = run(bench.path(), &naming(&name), allowed);
                assert_eq!(code, 0, "{name} {allowed:?}: {message}");
            }
            let (code, message) = run(bench.path(), &naming(&name), &["--allow-path", "own/sub"]);
            assert_eq!(code, 3, "{name}: {message}");
        }
        // The message does not reveal whether a file exists.
        let missing = run(bench.path(), &naming(&format!("../elsewhere/b.{ending}")), &[]);
        assert!(missing.0 == 3 && missing.1.contains("is outside the folder"), "{}", missing.1);
        let missing = run(bench.path(), &naming(&format!("b.{ending}")), &[]);
        assert!(missing.0 == 3 && !missing.1.contains("outside"), "{}", missing.1);
    }
    for (named, words) in [
        ("nowhere", "there is no such folder"),
        ("elsewhere/a.csv", "not a folder but a file; give the folder that contains it"),
    ] {
        let (code, message) = run(bench.path(), "(base: (frames: 2))", &["--allow-path", named]);
        assert!(code == 2 && message.contains(words), "{message}");
    }
}

#[test]
fn messages_show_nothing_of_files_outside_or_of_what_is_no_scene() {
    let bench = bench();
    let passwd = "/etc/passwd";
    if Path::new(passwd).exists() {
        let sweep = format!("Sweep(scene: \"{passwd}\", axes: {{\"substeps\": [8]}})");
        for allowed in [&[][..], &["--allow-any-path"]] {
            let (code, message) = run(bench.path(), &sweep, allowed);
            assert!(code == 3 && !message.contains("root"), "{message}");
        }
    }
    for ending in ENDINGS {
        for args in [&[][..], &["--allow-any-path"], &["--allow-path", "elsewhere"]] {
            // `run` checks that the secret does not appear.
            let (code, message) =
                run(bench.path(), &naming(&format!("../elsewhere/s.{ending}")), args);
            assert_eq!(code, 3, "{ending}: {message}");
        }
    }
    let (code, message) = run(bench.path(), &naming("s.ron"), &[]);
    assert!(code == 3 && message.contains("own/s.ron is not a scene"), "{message}");
    // For a broken scene outside, only the position of the error is shown.
    let almost = format!("(base: (frames: 2,\n  {}: 5))", "r00t_x");
    fs::write(bench.path().join("elsewhere/t.ron"), almost).unwrap();
    let (code, message) = run(bench.path(), &naming("../elsewhere/t.ron"), &["--allow-any-path"]);
    assert!(code == 3 && message.contains("has an error at line 2, column 3"), "{message}");
}

#[test]
fn a_scene_outside_that_cannot_be_built_is_named_by_its_place_alone() {
    let bench = bench();
    let outside = bench.path().join("elsewhere/u.ron");
    for (line, options) in [
        ("rope: (nodes: 3, shape: File(file: \"r00t.csv\"))", &[][..]),
        (
            "rope: (nodes: 3), integrator: SemiImplicitEuler /* r00t */, anchors: [(node: 9, place: (0, 0))]",
            &[],
        ),
        ("cloth: (rows: 3, columns: 3), title: \"r00t\"", &[]),
        // A valid scene that takes too long.
        ("frames: 900000, substeps: 1000, /* r00t */ rope: (nodes: 900)", &["--minutes", "0.001"]),
    ] {
        let start = if line.contains("frames") { "" } else { "frames: 2," };
        fs::write(&outside, format!("(base: ({start}\n  {line}))")).unwrap();
        let sweep = "Sweep(scene: \"../elsewhere/u.ron\", axes: {\"drag\": [1, 2]})";
        let args = [&["--allow-path", "elsewhere"], options].concat();
        // `run` checks that the secret does not appear.
        let (code, message) = run(bench.path(), sweep, &args);
        assert_eq!(code, 3, "{line}: {message}");
        let has_place = message.contains("u.ron has an error at line 2, column ");
        assert!(has_place || !options.is_empty(), "{line}: {message}");
    }
}

#[test]
fn messages_show_no_names_of_a_figure_outside() {
    let bench = bench();
    for folder in ["own", "elsewhere"] {
        let figure = bench.path().join(folder).join("figure.glb");
        fs::copy(crate::repository("scenes/figure.glb"), figure).unwrap();
    }
    let on_bone = |bone: &str| {
        format!("colliders: [OnBone(bone: \"{bone}\", of: Sphere(center: (0, 0, 0), radius: 0.1))]")
    };
    let anchor = "anchors: [(node: 0, bone: \"right_hnd\")]".to_owned();
    let names = ["Walk", "Wave", "Nod", "right_hand", "left_", "hips", "head"];
    for (of_rig, of_body, code) in [
        ("", String::new(), 0),
        (", layers: [(clip: \"Wlk\")]", String::new(), 3),
        (", layers: [(clip: \"zzzz\")]", String::new(), 3),
        (", clips: [(name: \"a\", tracks: [(bone: \"right_hnd\", turn: 3)])]", String::new(), 3),
        (
            ", clips: [(name: \"a\", tracks: [])], layers: [(clip: \"a\", bones: [\"right_hnd\"])]",
            String::new(),
            3,
        ),
        (", skin: Tube(from: \"right_hnd\", radius: 0.1)", String::new(), 3),
        ("", on_bone("right_hnd"), 3),
        ("", anchor, 3),
    ] {
        for (file, shows_names) in [("figure.glb", true), ("../elsewhere/figure.glb", false)] {
            let text = format!(
                "(base: (frames: 2, gravity: (0, -1, 0), rig: (file: \"{file}\"{of_rig}), {of_body}))"
            );
            let args = ["--allow-path", "elsewhere", "--notes"];
            let (found, message) = run(bench.path(), &text, &args);
            assert_eq!(found, code, "{text}: {message}");
            let is_shown = names.iter().any(|name| message.contains(name));
            assert_eq!(is_shown, shows_names, "{text}: {message}");
        }
    }
}

#[cfg(unix)]
#[test]
fn links_count_as_what_they_lead_to() {
    use std::os::unix::fs::symlink;
    let bench = bench();
    let own = bench.path().join("own");
    symlink("../elsewhere", own.join("folder")).unwrap();
    symlink("sub", own.join("below")).unwrap();
    for ending in ENDINGS {
        symlink(format!("../elsewhere/a.{ending}"), own.join(format!("link.{ending}"))).unwrap();
        symlink(format!("sub/a.{ending}"), own.join(format!("inner.{ending}"))).unwrap();
        for (name, code) in
            [("link", 3), ("folder/a", 3), ("folder/../a", 3), ("inner", 0), ("below/a", 0)]
        {
            let text = naming(&format!("{name}.{ending}"));
            let (found, message) = run(bench.path(), &text, &[]);
            // The parent of a linked folder is the parent of its target.
            assert_eq!(found, code, "{name}.{ending}: {message}");
            if code == 3 && name != "folder/../a" {
                let (found, message) = run(bench.path(), &text, &["--allow-path", "elsewhere"]);
                assert_eq!(found, 0, "{name}.{ending}: {message}");
            }
        }
    }
    // A buffer of a glTF file is subject to the same rule.
    fs::remove_file(own.join("a.bin")).unwrap();
    symlink("../elsewhere/a.bin", own.join("a.bin")).unwrap();
    let (code, message) = run(bench.path(), &naming("a.gltf"), &[]);
    assert!(code == 3 && message.contains("a.bin is outside the folder"), "{message}");
    let (code, message) = run(bench.path(), &naming("a.gltf"), &["--allow-path", "elsewhere"]);
    assert_eq!(code, 0, "{message}");
    // A hard link is a name of the file itself.
    fs::hard_link(bench.path().join("elsewhere/a.csv"), own.join("hard.csv")).unwrap();
    assert_eq!(run(bench.path(), &naming("hard.csv"), &[]).0, 0);
    // The scene of the command line may be anywhere, including behind a link; then the folder of
    // the link counts.
    symlink("own/scene.ron", bench.path().join("linked.ron")).unwrap();
    fs::write(own.join("scene.ron"), naming("a.csv")).unwrap();
    let run = |scene: &str, args: &[&str]| {
        catena()
            .current_dir(bench.path())
            .args(["check", scene])
            .args(args)
            .output()
            .unwrap()
            .status
            .code()
    };
    assert_eq!(run("linked.ron", &[]), Some(3));
    fs::write(bench.path().join("a.csv"), "0,0,0\n1,1,1\n").unwrap();
    assert_eq!(run("linked.ron", &[]), Some(0));
    let absolute = own.join("scene.ron").display().to_string();
    assert_eq!(run(&absolute, &[]), Some(0));
}

/// Every command that reads scenes follows this rule, and passes the options on.
#[test]
fn all_commands_have_one_rule() {
    let bench = bench();
    let scene = naming("../elsewhere/a.csv");
    fs::write(bench.path().join("own/scene.ron"), &scene).unwrap();
    let sweep = naming("../elsewhere/a.ron");
    fs::write(bench.path().join("own/sweep.ron"), sweep).unwrap();
    let run = |args: &[&str]| {
        let run = catena().current_dir(bench.path()).args(args).output().unwrap();
        let output = [run.stdout, run.stderr].concat();
        (run.status.code(), String::from_utf8_lossy(&output).into_owned())
    };
    let allow = ["--allow-path", "elsewhere"];
    for args in [
        &["check", "own/scene.ron"][..],
        &["render", "own/scene.ron", "--frames", "1", "--no-steady", "--size", "320x240"],
        &["trace", "own/scene.ron", "-o", "t.csv"],
        &["export", "own/scene.ron", "-o", "a.glb"],
        &["stability", "own/scene.ron"],
        &["sweep", "own/scene.ron", "--axis", "substeps=[8,16]"],
        &["sweep", "own/sweep.ron"],
        &["sweep", "own/sweep.ron", "--shard", "1/2", "--out", "shards"],
        &["job", "own/scene.ron", "--for", "slurm", "--shards", "2"],
        &["job", "own/sweep.ron", "--for", "slurm", "--shards", "2"],
        &[
            "render",
            "own/scene.ron",
            "--set",
            "rope.shape=File(file: \"../elsewhere/a.json\")",
            "--frames",
            "1",
            "--no-steady",
            "--size",
            "320x240",
        ],
    ] {
        let (code, output) = run(args);
        assert!(code == Some(3) && output.contains("is outside the folder"), "{args:?}: {output}");
        let (code, output) = run(&[args, &allow].concat());
        assert_eq!(code, Some(0), "{args:?}: {output}");
        if args[0] == "job" {
            assert!(output.contains("--allow-path elsewhere"), "{output}");
            let (_, output) = run(&[args, &["--allow-any-path"]].concat());
            assert!(output.contains("--allow-any-path"), "{output}");
        }
    }
}
