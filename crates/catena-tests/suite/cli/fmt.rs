//! `catena fmt` writes in place: it keeps concurrent changes, owners, links and attributes.

use crate::rendered::Bench;
use std::fs;
#[cfg(unix)]
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};

const PLAIN: &str = "Scene(base:(drag:1))";
const LAID_OUT: &str = "Scene(base: (drag: 1))\n";

fn fmt(bench: &Bench, names: &[&str], code: i32) -> String {
    let run = bench.run([&["fmt"], names].concat());
    let stderr = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!(run.status.code(), Some(code), "{names:?}: {stderr}");
    stderr
}

#[test]
fn a_comment_may_end_the_file_without_a_line_break() {
    let bench = Bench::new("");
    let sweep = "Sweep(scene: \"a.ron\", axes: {\"drag\": [1, 2]})";
    for (text, expected) in [
        (format!("{PLAIN}// end"), LAID_OUT.replace('\n', " // end\n")),
        (format!("{PLAIN}\n// end"), format!("{LAID_OUT}// end\n")),
        (format!("{PLAIN}\r\n//"), LAID_OUT.replace('\n', "\r\n//\r\n")),
        (format!("{sweep} // end"), format!("{sweep} // end\n")),
    ] {
        fs::write(bench.path("scene.ron"), &text).unwrap();
        fmt(&bench, &["scene.ron"], 0);
        assert_eq!(fs::read_to_string(bench.path("scene.ron")).unwrap(), expected, "{text}");
    }
    // An unterminated comment is different.
    fs::write(bench.path("scene.ron"), format!("{PLAIN} /* end")).unwrap();
    fmt(&bench, &["scene.ron"], 3);
}

#[cfg(unix)]
#[test]
fn all_files_that_fail_are_named() {
    let bench = Bench::new(PLAIN);
    for name in ["a.ron", "b.ron"] {
        fs::write(bench.path(name), PLAIN).unwrap();
        fs::hard_link(bench.path(name), bench.path(format!("linked_{name}"))).unwrap();
    }
    fs::write(bench.path("broken.ron"), "Scene(base: (").unwrap();
    let (linked, others) = (["a.ron", "b.ron"], ["broken.ron", "missing.ron"]);
    for (names, code) in [
        (linked.to_vec(), 5),
        (others.to_vec(), 3),
        ([linked, others].concat(), 3),
        (["a.ron", "broken.ron"].to_vec(), 3),
        (["broken.ron", "a.ron"].to_vec(), 3),
    ] {
        fs::write(bench.path("scene.ron"), PLAIN).unwrap();
        let message = fmt(&bench, &[&names[..], &["scene.ron"]].concat(), code);
        let is_named = |name: &&str| {
            message.lines().any(|line| line.starts_with("error: ") && line.contains(*name))
        };
        assert!(names.iter().all(is_named), "{names:?}: {message}");
        assert_eq!(message.matches("error: ").count(), names.len(), "{message}");
        // The other files are formatted nevertheless.
        assert_eq!(fs::read_to_string(bench.path("scene.ron")).unwrap(), LAID_OUT);
    }
}

#[test]
fn what_is_saved_meanwhile_stays() {
    let bench = Bench::new(PLAIN);
    let path = bench.path("scene.ron");
    let saved = "Scene(base: (drag: 2)) // saved";
    let replace = |old: &str| {
        let replaced = catena::output::replace::replace(&path, old.as_bytes(), LAID_OUT.as_bytes());
        replaced.map_err(|error| error.to_string())
    };
    // Shorter, longer, of equal length, and removed.
    for text in [saved, "Scene()", "Scene(base:(drag:7))"] {
        fs::write(&path, text).unwrap();
        let message = replace(PLAIN).unwrap_err();
        assert!(
            message.contains("scene.ron: another program saved it during formatting"),
            "{message}"
        );
        assert!(message.contains("run `catena fmt` again"), "{message}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    fs::write(&path, PLAIN).unwrap();
    replace(PLAIN).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), LAID_OUT);
    fs::remove_file(&path).unwrap();
    replace(PLAIN).unwrap_err();
    assert!(!path.exists());
    assert_eq!(crate::rendered::unfinished(&bench.path("")).len(), 0);
}

#[cfg(unix)]
#[test]
fn links_lead_to_the_file_as_before() {
    let bench = Bench::new(PLAIN);
    symlink("scene.ron", bench.path("soft.ron")).unwrap();
    fmt(&bench, &["soft.ron"], 0);
    assert!(bench.path("soft.ron").symlink_metadata().unwrap().is_symlink());
    assert_eq!(fs::read_to_string(bench.path("scene.ron")).unwrap(), LAID_OUT);
    // A rename would break the hard link, so this file stays unchanged, and the others are
    // formatted.
    for name in ["one.ron", "other.ron"] {
        fs::write(bench.path(name), PLAIN).unwrap();
    }
    fs::hard_link(bench.path("one.ron"), bench.path("hard.ron")).unwrap();
    let message = fmt(&bench, &["hard.ron", "other.ron"], 5);
    let words = ["hard.ron", "2 names (hard links)", "`catena fmt - < FILE` prints the layout"];
    assert!(words.iter().all(|words| message.contains(words)), "{message}");
    assert_eq!(fs::read_to_string(bench.path("one.ron")).unwrap(), PLAIN);
    assert_eq!(fs::metadata(bench.path("one.ron")).unwrap().nlink(), 2);
    assert_eq!(fs::read_to_string(bench.path("other.ron")).unwrap(), LAID_OUT);
    fmt(&bench, &["--check", "hard.ron"], 1);
}

#[cfg(unix)]
#[test]
fn every_failure_of_several_files_is_told() {
    let bench = Bench::new(PLAIN);
    let pipe = std::process::Command::new("mkfifo").arg(bench.path("pipe.ron")).status();
    assert!(pipe.unwrap().success());
    fs::write(bench.path("hard.ron"), PLAIN).unwrap();
    fs::hard_link(bench.path("hard.ron"), bench.path("name.ron")).unwrap();
    fs::write(bench.path("broken.ron"), "Scene(").unwrap();
    for (names, code) in [
        (&["pipe.ron", "hard.ron", "name.ron"][..], 5),
        (&["pipe.ron", "broken.ron", "hard.ron"], 3),
        (&["broken.ron", "absent.ron", "pipe.ron"], 3),
    ] {
        fs::write(bench.path("scene.ron"), PLAIN).unwrap();
        let message = fmt(&bench, &[names, &["scene.ron"]].concat(), code);
        assert!(names.iter().all(|name| message.contains(name)), "{names:?}: {message}");
        let places: Vec<_> = names.iter().map(|name| message.find(name)).collect();
        assert!(places.is_sorted(), "{names:?}: {message}");
        assert_eq!(fs::read_to_string(bench.path("scene.ron")).unwrap(), LAID_OUT, "{message}");
    }
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
#[test]
fn owner_permissions_and_attributes_are_kept() {
    let bench = Bench::new(PLAIN);
    let path = bench.path("scene.ron");
    // Only root can change owners.
    let is_root = chown(&path, Some(1234), Some(4321)).is_ok();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let before = fs::metadata(&path).unwrap();
    let attributes = ["user.note", "user.empty"];
    let values: [&[u8]; 2] = [b"a note", b""];
    let set = |(name, value): (&&str, &&[u8])| {
        rustix::fs::setxattr(&path, *name, value, rustix::fs::XattrFlags::empty()).is_ok()
    };
    // Some file systems have no extended attributes.
    let has_attributes = attributes.iter().zip(&values).all(set);
    fmt(&bench, &["scene.ron"], 0);
    assert_eq!(fs::read_to_string(&path).unwrap(), LAID_OUT);
    let after = fs::metadata(&path).unwrap();
    assert_eq!(after.mode(), before.mode());
    assert_eq!([after.uid(), after.gid()], [before.uid(), before.gid()]);
    assert!(!is_root || after.uid() == 1234);
    for (name, value) in attributes.iter().zip(values).filter(|_| has_attributes) {
        let mut found = [0; 64];
        let length = rustix::fs::getxattr(&path, *name, &mut found[..]).unwrap();
        assert_eq!(&found[..length], value, "{name}");
    }
}
