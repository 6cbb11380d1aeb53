//! The process records its files under temporary names, so that it can remove them before it ends
//! early.

use catena::output::{OutputError, atomic};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{self, Command},
};

/// Temporary files of this process in a folder; parallel tests have other folders.
fn listed(folder: &Path) -> Vec<PathBuf> {
    atomic::unfinished().into_iter().filter(|path| path.starts_with(folder)).collect()
}

#[test]
fn a_file_is_listed_from_before_it_is_made_until_it_has_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    atomic::write_to::<OutputError>(&path, |file| {
        let listed = listed(folder.path());
        assert!(listed.len() == 1 && listed[0].is_file() && listed[0] != path, "{listed:?}");
        file.write_all(b"whole").unwrap();
        Ok(())
    })
    .unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"whole");
    assert!(listed(folder.path()).is_empty());

    let refuse = |_: &mut dyn std::io::Write| {
        Err(OutputError::new("write", &path, std::io::Error::other("no")))
    };
    assert!(atomic::write_with(&path, refuse).is_err());
    assert!(listed(folder.path()).is_empty());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

const FOLDER: &str = "CATENA_TEST_FOLDER";

#[test]
fn a_process_that_ends_early_removes_its_unfinished_files() {
    let folder = tempfile::tempdir().unwrap();
    let child = Command::new(env::current_exe().unwrap())
        .args(["--ignored", "--exact", "output::unfinished::the_process_that_ends_early"])
        .env(FOLDER, folder.path())
        .output()
        .unwrap();
    assert_eq!(child.status.code(), Some(7), "{}", String::from_utf8_lossy(&child.stdout));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
#[ignore = "another test runs it as a process of its own"]
fn the_process_that_ends_early() {
    let Some(folder) = env::var_os(FOLDER).map(PathBuf::from) else { return };
    let named = atomic::create_unfinished(&folder.join("film.mp4")).unwrap();
    assert!(named.path().is_file());
    let _ = atomic::write_with::<OutputError>(&folder.join("frame"), |_| {
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        atomic::remove_unfinished();
        process::exit(7)
    });
}
