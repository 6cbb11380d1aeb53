//! Pages of the book: their commands run and print the shown output, all pages are chapters, and
//! every link resolves.

use super::pages::{Block, blocks, every_page, headings, links};
use crate::repository;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Component, Path, PathBuf},
    sync::{Arc, Mutex, OnceLock},
};

#[test]
fn every_page_is_a_chapter() {
    let summary = fs::read_to_string(repository("docs/SUMMARY.md")).unwrap();
    let chapters: Vec<String> = links(&summary).into_iter().map(str::to_owned).collect();
    let listed: BTreeSet<&str> = chapters.iter().map(String::as_str).collect();
    assert_eq!(listed.len(), chapters.len(), "docs/SUMMARY.md lists a page twice");
    for page in every_page() {
        let page = page.strip_prefix("docs/").map_or(format!("../{page}"), str::to_owned);
        assert!(listed.contains(page.as_str()), "docs/SUMMARY.md: add {page}");
    }
}

/// Removes `.` and resolves `..` in a path.
fn normal(path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(whole.pop()),
            Component::CurDir => {}
            part => whole.push(part),
        }
    }
    whole
}

/// Whether a page has a heading with this anchor.
fn has_anchor(page: &Path, anchor: &str) -> bool {
    headings(&fs::read_to_string(page).unwrap()).any(|heading| heading == anchor)
}

#[test]
fn every_link_leads_somewhere() {
    let mut count = 0;
    let pages = every_page().into_iter().chain(["docs/SUMMARY.md".into()]);
    for page in pages {
        let text = fs::read_to_string(repository(&page)).unwrap();
        let folder = repository(&page).parent().unwrap().to_owned();
        for link in links(&text).into_iter().filter(|link| !link.contains("://")) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match path {
                "" => repository(&page),
                path => normal(&folder.join(path)),
            };
            assert!(target.exists(), "{page}: the link to {link} leads nowhere");
            assert!(
                anchor.is_empty() || has_anchor(&target, anchor),
                "{page}: {path} has no heading #{anchor}"
            );
            count += 1;
        }
    }
    assert!(count > 100, "{count} links were found");
}

#[test]
fn fields_are_definition_lists_in_the_book() {
    let page = fs::read_to_string(repository("docs/scene-format.md")).unwrap();
    let run = std::process::Command::new("awk")
        .args(["-f", "docs/definitions.awk", "docs/scene-format.md"])
        .current_dir(repository(""))
        .output();
    let Ok(run) = run else { return };
    let made = String::from_utf8(run.stdout).unwrap();
    let head = "| field | what it does | unit | default | value | allowed in |";
    assert!(page.contains(head) && !made.contains(head));
    let is_row =
        |line: &&str| line.starts_with("| `") && line.replace("\\|", "").matches('|').count() == 7;
    let fields = page.lines().filter(is_row).count();
    assert!(fields > 100, "{fields}");
    assert_eq!(made.matches("<dt>\n\n`").count(), fields);
    for tag in ["dl", "dt", "dd"] {
        let [opens, closes] =
            [format!("<{tag}>\n"), format!("</{tag}>\n")].map(|it| made.matches(&it).count());
        assert!(opens == closes && opens > 0, "{tag}: {opens}, {closes}");
    }
}

/// A command that is an exception to the rule that commands succeed.
#[cfg(unix)]
struct Exception {
    page: &'static str,
    command: &'static str,
    /// Exit code of its first run; `None` if the command cannot run here.
    code: Option<i32>,
    reason: &'static str,
}

#[cfg(unix)]
const EXCEPTIONS: [Exception; 3] = [
    Exception {
        page: "docs/golden-tests.md",
        command: "catena diff golden actual --out golden-diff",
        code: Some(1),
        reason: "the page shows what is said of pictures that differ",
    },
    Exception {
        page: "docs/start.md",
        command: "catena diff golden out/clip --out failures",
        code: Some(1),
        reason: "the page changes the scene to show that the pictures differ",
    },
    Exception {
        page: "docs/own-data.md",
        command: "catena fit scenes/explicit_64.ron --set integrator=SemiImplicitEuler --set 'gravity=(0, -0.9)' --data scenes/point.csv --vary drag=0.01",
        code: Some(1),
        reason: "the page shows a model that does not fit",
    },
];

/// Content of a page's folder before its first command.
#[cfg(unix)]
const PREPARED: [(&str, &str); 3] = [
    ("docs/figures.md", "catena render scenes/compare.ron --frames 3 --no-steady"),
    (
        "docs/films.md",
        "catena render scenes/compare.ron --frames 2 --no-steady --out made && mkdir shots \
         && for name in beauty depth; do for number in 0 1; do \
         cp made/frame_0000$number.png shots/$name.000$number.png; done; done",
    ),
    (
        "docs/golden-tests.md",
        "catena render scenes/compare.ron --frames 3 --no-steady --out actual/compare \
         && catena render scenes/cloth_hanging.ron --frames 3 --no-steady --out actual/cloth \
         && cp -R actual golden && rm golden/compare/frame_00001.png",
    ),
];

/// Additions to commands that do not change the output shown by pages. Each row has the page (empty
/// for all pages), the start of the command, and options for fewer frames, smaller pictures or less
/// time for figures. The first matching row applies; the nightly job runs every command unchanged.
/// Golden pictures draw later frames of every scene at full size.
#[cfg(unix)]
const SHORTER: [(&str, &str, &str); 11] = [
    ("docs/rods.md", "catena render scenes/", " --frames 12 --size 320x180"),
    ("README.md", "catena report homework.ron", " --frames 60 --study-time 0.2"),
    ("", "catena report ", " --frames 60 --study-time 1"),
    ("", "catena render homework.ron --film", " --frames 60"),
    ("", "catena render rope.ron --film", " --frames 60 --size 320x180"),
    ("", "catena render scenes/cape.ron", " --size 320x180"),
    ("", "catena render scenes/whip.ron", " --size 320x180"),
    ("README.md", "catena render scenes/compare.ron", " --size 320x180"),
    ("docs/films.md", "catena render scenes/compare.ron", " --size 320x180"),
    ("", "catena sweep sweeps/snap_load.ron", " --frames 20"),
    ("docs/start.md", "catena render scenes/one_explodes.ron", " --size 320x180"),
];

/// The options that `SHORTER` adds to a command of a page.
#[cfg(unix)]
fn addition(page: &str, line: &str) -> &'static str {
    let is_it =
        |row: &&(&str, &str, &str)| (row.0.is_empty() || row.0 == page) && line.starts_with(row.1);
    SHORTER.iter().find(is_it).filter(|_| !crate::is_thorough()).map_or("", |row| row.2)
}

/// A folder with the scenes, in which `catena` and `cargo` are the program under test.
#[cfg(unix)]
struct Reader {
    folder: tempfile::TempDir,
}

#[cfg(unix)]
impl Reader {
    fn new() -> Self {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let bin = folder.path().join("bin");
        fs::create_dir(&bin).unwrap();
        symlink(crate::catena().get_program(), bin.join("catena")).unwrap();
        // In a checkout, cargo would build the program first.
        let cargo = "#!/bin/sh\nshift 3\nexec catena \"$@\"\n";
        fs::write(bin.join("cargo"), cargo).unwrap();
        fs::set_permissions(bin.join("cargo"), fs::Permissions::from_mode(0o755)).unwrap();
        for shared in ["scenes", "sweeps"] {
            symlink(repository(shared), folder.path().join(shared)).unwrap();
        }
        Self { folder }
    }

    /// Runs a shell command line. Returns its exit code and its output.
    fn run(&self, line: &str) -> (i32, String) {
        let path = std::env::var("PATH").unwrap();
        let path = format!("{}/bin:{path}", self.folder.path().display());
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", line]).env("PATH", path).current_dir(self.folder.path());
        let output = shell.output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&text).into_owned())
    }
}

/// Whether a line of a page is a command to run: a catena command that ends by itself, or one of
/// the commands by which pages move files.
#[cfg(unix)]
fn is_run(line: &str) -> bool {
    // Commands that run until they are stopped, and one that needs the WebAssembly module; separate
    // tests cover them.
    const ELSEWHERE: [&str; 3] = ["catena watch ", "catena lsp", "catena page "];
    const RUN: [&str; 4] = ["catena ", "cargo run --release -- ", "cp ", "rm -r "];
    let starts = |all: &[&str]| all.iter().any(|start| line.starts_with(start));
    starts(&RUN) && !starts(&ELSEWHERE)
}

/// Runs all commands of a page in order. Returns the number of commands, and the number of output
/// lines shown by the page.
#[cfg(unix)]
fn read_page(page: &str) -> (usize, usize) {
    let text = fs::read_to_string(repository(page)).unwrap();
    let reader = Reader::new();
    if let Some((_, line)) = PREPARED.iter().find(|(prepared, _)| *prepared == page) {
        let (code, output) = reader.run(line);
        assert_eq!(code, 0, "{page} is prepared by {line}: {output}");
    }
    let (mut commands, mut shown) = (Vec::new(), 0);
    let mut output = String::new();
    for block in blocks(&text) {
        match block {
            Block::Code(lines) => {
                for line in lines.into_iter().filter(|line| is_run(line)) {
                    output = run_as_documented(page, &reader, line, commands.contains(&line));
                    commands.push(line);
                }
            }
            Block::Program(_) => {}
            Block::Output(lines) => {
                for line in lines {
                    let is_there = output.lines().any(|other| other.trim_end() == line);
                    let last = commands.last();
                    assert!(is_there, "{page}: {last:?} does not say\n{line}\nbut\n{output}");
                    shown += 1;
                }
            }
        }
    }
    (commands.len(), shown)
}

/// Whether a command reads only files that all pages share, and writes no files that a page needs.
/// Such a command prints the same on every page.
#[cfg(unix)]
fn is_shared(line: &str) -> bool {
    line.starts_with("catena report scenes/")
}

/// Output of commands that occur on several pages; each of them runs once.
#[cfg(unix)]
static SHARED: Mutex<BTreeMap<String, Arc<OnceLock<(i32, String)>>>> = Mutex::new(BTreeMap::new());

/// Runs a command, which must end as the page says. Returns its output.
#[cfg(unix)]
fn run_as_documented(page: &str, reader: &Reader, line: &str, was_run: bool) -> String {
    let is_it = |other: &&Exception| other.page == page && other.command == line && !was_run;
    let expected = match EXCEPTIONS.iter().find(is_it) {
        Some(Exception { code: None, .. }) => return String::new(),
        Some(Exception { code: Some(code), .. }) => *code,
        None => 0,
    };
    let shortened = format!("{line}{}", addition(page, line));
    let (code, output) = if is_shared(line) {
        let known = Arc::clone(SHARED.lock().unwrap().entry(shortened.clone()).or_default());
        known.get_or_init(|| reader.run(&shortened)).clone()
    } else {
        reader.run(&shortened)
    };
    let is_without_ffmpeg = code == 6 && std::env::var_os("CATENA_REQUIRE_FFMPEG").is_none();
    assert!(code == expected || is_without_ffmpeg, "{page}: {line}: exit code {code}: {output}");
    output
}

#[cfg(unix)]
#[test]
fn every_command_of_the_book_runs() {
    use catena::threads::spawn_scoped;
    use std::{
        panic::resume_unwind,
        sync::atomic::{AtomicUsize, Ordering},
        thread,
    };
    let pages = every_page();
    // Each scene's command renders all its frames; the golden pictures draw some of them.
    let pages: Vec<_> = pages.into_iter().filter(|page| page != "scenes/README.md").collect();
    // Separate threads, because they wait for commands, and rayon's threads are used by other
    // tests.
    let next = AtomicUsize::new(0);
    let pages_of_one = || {
        let mut counts = Vec::new();
        while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
            counts.push(read_page(page));
        }
        counts
    };
    let counts: Vec<(usize, usize)> = thread::scope(|scope| {
        let workers = [0, 1].map(|_| spawn_scoped(scope, "pages", pages_of_one).unwrap());
        workers
            .into_iter()
            .flat_map(|it| it.join().unwrap_or_else(|why| resume_unwind(why)))
            .collect()
    });
    let commands: usize = counts.iter().map(|(commands, _)| commands).sum();
    let shown: usize = counts.iter().map(|(_, shown)| shown).sum();
    assert!(commands >= 60, "{commands} commands were found");
    assert!(shown >= 30, "{shown} lines of output were compared");
    for (page, start, _) in &SHORTER {
        let is_there = |page: &String| {
            let text = fs::read_to_string(repository(page)).unwrap();
            text.lines().any(|line| line.trim_start().starts_with(start))
        };
        let mut pages = pages.iter().filter(|it| page.is_empty() || it == page);
        assert!(pages.any(is_there), "no page has a command {start}");
    }
    for Exception { page, command, reason, .. } in &EXCEPTIONS {
        let text = fs::read_to_string(repository(page)).unwrap();
        assert!(text.contains(command), "{page} has no {command}; {reason}");
    }
}

/// Builds the book with mdBook if it is installed or `CATENA_REQUIRE_MDBOOK` is set.
#[cfg(unix)]
#[test]
fn the_book_is_built() {
    use std::process::Command;
    let has =
        Command::new("mdbook").arg("--version").output().is_ok_and(|out| out.status.success());
    assert!(has || std::env::var_os("CATENA_REQUIRE_MDBOOK").is_none(), "mdbook is missing");
    if !has {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = Command::new(repository("docs/book.sh")).arg(folder.path()).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    for page in every_page() {
        let page = page.replace("README.md", "index.md");
        let html = folder.path().join("html").join(page).with_extension("html");
        let text = fs::read_to_string(&html).unwrap_or_else(|error| panic!("{html:?}: {error}"));
        for picture in text.split("<img src=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            let there = normal(&html.parent().unwrap().join(picture));
            assert!(there.exists(), "{html:?}: there is no {picture}");
        }
    }
}
