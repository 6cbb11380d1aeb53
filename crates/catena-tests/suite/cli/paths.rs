//! Every argument that is a path: no output replaces an input, whatever its name.
#![cfg(unix)]

use crate::rendered::Bench;
use catena::cli::{Cli, PATH_OPTIONS, PathOption, PathRole};
use catena::threads::spawn_scoped;
use clap::{CommandFactory, builder::ValueParser};
use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::Path,
    process::{Command, Output},
    thread,
};

#[test]
fn every_argument_that_is_a_path_is_in_the_table() {
    let types = [ValueParser::path_buf().type_id(), ValueParser::os_string().type_id()];
    let mut found = BTreeSet::new();
    for command in Cli::command().get_subcommands() {
        for argument in command.get_arguments() {
            if types.contains(&argument.get_value_parser().type_id()) {
                let shown = match (argument.get_short(), argument.get_long()) {
                    (Some(short), _) => format!("-{short}"),
                    (None, Some(long)) => format!("--{long}"),
                    (None, None) => argument.get_value_names().unwrap()[0].to_string(),
                };
                found.insert((command.get_name().to_owned(), argument.get_id().to_string(), shown));
            }
        }
    }
    let row = |it: &PathOption| (it.command.into(), it.id.into(), it.shown.to_owned());
    let listed: BTreeSet<(String, String, String)> = PATH_OPTIONS.iter().map(row).collect();
    assert_eq!(found, listed, "PATH_OPTIONS has every argument that is a path, and no other");
    assert_eq!(listed.len(), PATH_OPTIONS.len(), "no row is there twice");
}

const SCENE: &str = "Scene(base: (size: (64, 64), frames: 2, substeps: 8, decoration: Bare,
    rest: (limit: 3), rope: (nodes: 4, shape: File(file: \"points.csv\"))))";

/// A folder with inputs for each command.
fn bench() -> Bench {
    let bench = Bench::new(SCENE);
    fs::write(bench.path("points.csv"), "0,0\n1,0\n").unwrap();
    let sweep = "Sweep(scene: \"scene.ron\", axes: {\"drag\": [1, 2]}, measure: [Strain])";
    fs::write(bench.path("sweep.ron"), sweep).unwrap();
    fs::write(bench.path("tool"), "#!/bin/sh\n").unwrap();
    fs::write(bench.path("lines.txt"), include_str!("../../../../scenes/mooring.txt")).unwrap();
    fs::set_permissions(bench.path("tool"), fs::Permissions::from_mode(0o755)).unwrap();
    bench.render("frames", &["-q", "--no-steady"], 0);
    bench
}

/// A command line that writes to `target` through this option.
fn line(option: &PathOption, target: &str) -> Vec<String> {
    let words = match (option.command, option.id) {
        ("new", _) => "new @",
        ("import", _) => "import lines.txt -o @",
        ("render", "film") => "render scene.ron --film @ --format gif --ffmpeg ./tool",
        ("render", _) => "render scene.ron --out @ --no-steady",
        ("watch", _) => "watch scene.ron --out @",
        ("merge", _) => "merge @ --ffmpeg ./tool",
        ("trace", _) => "trace scene.ron --format csv -o @",
        ("export", _) => "export scene.ron --format glb -o @",
        ("sweep", _) => "sweep sweep.ron --out @",
        ("stability", _) => "stability scene.ron --figure @",
        ("figure", _) => "figure scene.ron reversal -o @",
        ("page", _) => "page scene.ron -o @",
        ("report", "pdf") => "report scene.ron --pdf @",
        ("report", _) => "report scene.ron --out @",
        ("fit", "figure") => "fit scene.ron --data points.csv --columns x,y --vary drag --figure @",
        ("fit", _) => "fit scene.ron --data points.csv --columns x,y --vary drag --json @",
        ("verify", _) => "verify --rod-orders @",
        ("statics", _) => "statics scene.ron -o @",
        ("film", _) => "film frames --format gif -o @ --ffmpeg ./tool",
        ("diff", "json") => "diff frames frames --json @",
        ("diff", _) => "diff frames frames --out @",
        ("job", "output") => "job scene.ron --for slurm -o @",
        ("job", "film") => "job scene.ron --for slurm --film @ --format gif",
        ("job", _) => "job scene.ron --for slurm --out @",
        ("man", _) => "man --out @",
        (command, id) => panic!("write a command line for {id} of {command}"),
    };
    words.split(' ').map(|word| word.replace('@', target)).collect()
}

/// Files that the command of an option reads, which none of its outputs may replace.
fn inputs(option: &PathOption) -> &'static [&'static str] {
    match (option.command, option.id) {
        ("render", "film") => &["scene.ron", "points.csv", "tool"],
        ("report", "pdf") => &["scene.ron", "points.csv"],
        ("render" | "watch" | "report", _) => &["scene.ron"],
        ("trace" | "export" | "stability" | "figure", _) | ("job", "output" | "film") => {
            &["scene.ron", "points.csv"]
        }
        ("fit" | "statics" | "page", _) => &["scene.ron", "points.csv"],
        ("import", _) => &["lines.txt"],
        ("sweep", _) => &["sweep.ron"],
        ("film", _) => &["frames/frame_00000.png", "frames/manifest.json", "tool"],
        ("diff", "json") => &["frames/frame_00001.png"],
        ("job", _) => &["scene.ron"],
        ("merge", _) => &["tool"],
        // These commands read no file.
        _ => &[],
    }
}

fn outputs() -> impl Iterator<Item = &'static PathOption> {
    PATH_OPTIONS.iter().filter(|option| option.role.is_output())
}

/// Asserts that the run is refused with a message that names the option and the file.
fn refused(run: &Output, option: &PathOption, target: &str, codes: &[i32]) -> String {
    let stderr = String::from_utf8_lossy(&run.stderr).into_owned();
    let case = format!("{} {} {target}: {stderr}", option.command, option.shown);
    assert!(codes.contains(&run.status.code().unwrap_or(-1)), "{:?} {case}", run.status);
    assert!(stderr.contains(target) && stderr.starts_with("error: "), "{case}");
    assert!(stderr.contains(option.shown) || !option.shown.starts_with('-'), "{case}");
    assert_eq!(stderr.trim_end().lines().count(), 1, "{case}");
    stderr
}

#[test]
fn no_output_replaces_an_input_by_whatever_name() {
    let bench = bench();
    let mut count = 0;
    for option in outputs() {
        for input in inputs(option) {
            let input = bench.path(input);
            let before = (fs::read(&input).unwrap(), fs::metadata(&input).unwrap().ino());
            symlink(&input, bench.path("soft")).unwrap();
            fs::hard_link(&input, bench.path("hard")).unwrap();
            symlink(input.parent().unwrap(), bench.path("folder")).unwrap();
            let name = input.file_name().unwrap().to_str().unwrap();
            let own = input.strip_prefix(bench.path("")).unwrap().to_str().unwrap();
            let through = format!("folder/{name}");
            for target in [own, "soft", "hard", through.as_str()] {
                let run = bench.run(line(option, target));
                let code = if option.role == PathRole::WritesInto { 5 } else { 2 };
                let message = refused(&run, option, target, &[code]);
                let words = ["that this command reads", "belongs to the frames"];
                assert!(words.iter().any(|words| message.contains(words)), "{message}");
                assert_eq!(before.0, fs::read(&input).unwrap(), "{target}");
                assert_eq!(before.1, fs::metadata(&input).unwrap().ino(), "{target}");
                count += 1;
            }
            assert_eq!(fs::read_link(bench.path("soft")).unwrap(), input);
            assert_eq!(fs::metadata(bench.path("hard")).unwrap().ino(), before.1);
            for name in ["soft", "hard", "folder"] {
                fs::remove_file(bench.path(name)).unwrap();
            }
        }
    }
    assert!(count > 80, "{count}");
}

#[test]
fn standard_input_is_an_input_as_well() {
    let bench = bench();
    let scene = "Scene(base: (frames: 2, rope: (nodes: 4)))";
    fs::write(bench.path("plain.ron"), scene).unwrap();
    for command in [["trace", "csv"], ["export", "glb"]] {
        let file = fs::File::open(bench.path("plain.ron")).unwrap();
        let run = Command::new(crate::catena().get_program())
            .current_dir(bench.path(""))
            .args([command[0], "-", "--format", command[1], "-o", "plain.ron"])
            .stdin(file)
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("-o: plain.ron"), "{stderr}");
        assert_eq!(fs::read_to_string(bench.path("plain.ron")).unwrap(), scene);
    }
}

/// Creates a file or folder that no output can replace.
fn obstacle(bench: &Bench, kind: &str) {
    let path = bench.path(kind);
    match kind {
        "pipe" => assert!(Command::new("mkfifo").arg(&path).status().unwrap().success()),
        "directory" => {
            fs::create_dir(&path).unwrap();
            fs::write(path.join("mine"), "").unwrap();
        }
        "file" => fs::write(&path, "mine").unwrap(),
        "locked" => {
            fs::write(&path, "mine").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        }
        "closed" => {
            fs::create_dir(&path).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o555)).unwrap();
        }
        other => panic!("{other}"),
    }
}

#[test]
fn outputs_that_nothing_can_replace_are_refused() {
    let bench = bench();
    for kind in ["pipe", "directory", "file", "locked", "closed"] {
        obstacle(&bench, kind);
    }
    let cases = |option: &PathOption| match option.role {
        PathRole::Creates => &["pipe.ron", "locked.ron"][..],
        PathRole::WritesInto => &["pipe", "file", "closed"],
        _ => &["pipe", "directory", "locked"],
    };
    fs::rename(bench.path("pipe"), bench.path("pipe.ron")).unwrap();
    symlink("pipe.ron", bench.path("pipe")).unwrap();
    fs::copy(bench.path("locked"), bench.path("locked.ron")).unwrap();
    // A pipe without a reader delays each command, so they run in parallel.
    thread::scope(|scope| {
        for option in outputs() {
            for target in cases(option) {
                let bench = &bench;
                let run =
                    move || refused(&bench.run(line(option, target)), option, target, &[2, 5]);
                spawn_scoped(scope, "case", run).unwrap();
            }
        }
    });
    for file in ["file", "locked", "locked.ron"] {
        assert_eq!(fs::read_to_string(bench.path(file)).unwrap(), "mine");
    }
    assert_eq!(fs::read_dir(bench.path("directory")).unwrap().count(), 1);
    assert_eq!(fs::read_dir(bench.path("closed")).unwrap().count(), 0);
    let unfinished = crate::rendered::unfinished(&bench.path(""));
    assert_eq!(unfinished, Vec::<std::path::PathBuf>::new());
}

#[test]
fn inputs_that_are_no_files_are_refused_and_not_waited_for() {
    let bench = bench();
    obstacle(&bench, "pipe");
    obstacle(&bench, "directory");
    let cases: [(&str, &[&str]); 7] = [
        ("render scene.ron --out new --font @", &["pipe", "directory"]),
        ("check scene.ron --font @", &["pipe", "directory"]),
        ("report scene.ron --out new --font @", &["pipe", "directory"]),
        ("job scene.ron --for slurm --font @", &["pipe", "directory"]),
        ("film @ -o film.gif", &["pipe", "directory"]),
        ("diff @ frames", &["pipe", "directory"]),
        ("fmt @", &["pipe", "directory"]),
    ];
    for (line, targets) in cases {
        for target in targets {
            let words: Vec<String> =
                line.split(' ').map(|word| word.replace('@', target)).collect();
            let run = bench.run(&words);
            let stderr = String::from_utf8_lossy(&run.stderr);
            assert!([2, 3, 5].contains(&run.status.code().unwrap()), "{words:?}: {stderr}");
            assert!(stderr.contains(target), "{words:?}: {stderr}");
        }
    }
}

/// Uses a file that catena has written as the points of a scene.
fn reads(bench: &Bench, file: &str) {
    let scene = SCENE.replace("points.csv", file);
    fs::write(bench.path("own.ron"), scene).unwrap();
}

#[test]
fn a_file_in_an_output_folder_that_the_scene_reads_is_not_replaced() {
    let bench = bench();
    let run = |words: &str| bench.run(words.split(' '));
    assert!(run("sweep sweep.ron --out swept -q").status.success());
    assert!(run("export scene.ron --format obj -o objs -q").status.success());
    for (file, command, option) in [
        ("swept/table.csv", "sweep own.ron --axis drag=[1,2] --out swept", "--out"),
        ("objs/points.csv", "export own.ron --format obj -o objs", "-o"),
    ] {
        reads(&bench, file);
        if file.starts_with("objs") {
            fs::copy(bench.path("points.csv"), bench.path(file)).unwrap();
        } else {
            // Two columns of one of catena's own tables.
            let table = "variant,panel,body,\n0,0\n1,0\n";
            fs::write(bench.path(file), table.replace("variant,panel,body,\n", "")).unwrap();
        }
        let before = fs::read(bench.path(file)).unwrap();
        let run = run(command);
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(option) && stderr.contains(file), "{stderr}");
        assert!(stderr.contains("a file of the scene that this command reads"), "{stderr}");
        assert_eq!(fs::read(bench.path(file)).unwrap(), before);
    }
}

#[test]
fn the_name_of_a_film_is_that_of_one_file() {
    let bench = bench();
    for (name, code) in
        [("f_%04d.png", 2), ("f_%d.PNG", 2), ("f_%3d.gif", 0), ("50%.png", 0), ("f_%d.apng", 0)]
    {
        for words in
            [vec!["render", "scene.ron", "--film", name], vec!["film", "frames", "-o", name]]
        {
            let run = bench.run(&words);
            let stderr = String::from_utf8_lossy(&run.stderr);
            assert_eq!(run.status.code(), Some(code), "{words:?}: {stderr}");
            let is_advised =
                stderr.contains("catena render SCENE --out DIR") && stderr.contains(name);
            assert_eq!(is_advised, code == 2, "{stderr}");
            assert_eq!(Path::new(&bench.path(name)).exists(), code == 0);
            let _ = fs::remove_file(bench.path(name));
        }
    }
}

#[test]
fn two_options_that_name_one_file_are_refused() {
    let bench = bench();
    for second in ["out.svg", "./out.svg", "frames/../out.svg"] {
        let line =
            "fit scene.ron --data points.csv --columns x,y --vary drag --json out.svg --figure";
        let run = bench.run(line.split(' ').chain([second]).collect::<Vec<_>>());
        let stderr = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("--figure and --json name the same file"), "{second}: {stderr}");
        assert!(!bench.path("out.svg").exists());
    }
}
