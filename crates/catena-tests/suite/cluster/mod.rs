//! Jobs for cluster engines, as text and as executed commands.

mod command;
#[cfg(unix)]
mod scripts;
mod templates;

use catena::cluster::{ClusterJob, Engine, FilmStep, Input, Word, Work};

/// File names as people write them, which have a meaning in shells, YAML, submit files and
/// templates if they are not quoted.
const HOSTILE: [&str; 12] = [
    "plain",
    "with space",
    "single'quote",
    "double\"quote",
    "$(touch owned)",
    "$HOME and ${HOME}",
    "back\\slash",
    "«shards» and @name@",
    "semi;colon & pipe | more # no comment",
    "percent%a%%",
    "-begins-as-an-option",
    "Überfluß 数",
];

/// A job of a render with this name in its file names.
fn job(name: &str, shards: u32, film: bool) -> ClusterJob {
    let plain = |word: &str| Word::Plain(word.into());
    let input = |path: String, name: &str| Input { path: path.into(), name: name.into(), bytes: 9 };
    ClusterJob {
        name: name.into(),
        work: Work::Render,
        inputs: vec![
            input(format!("{name}.ron"), "scene.ron"),
            input("a face.ttf".into(), "font/a face.ttf"),
        ],
        options: vec![
            plain("--set"),
            plain(&format!("title=\"{name}\"")),
            plain("--font"),
            Word::Input(1),
        ],
        out: format!("out {name}").into(),
        shards,
        idle: 0,
        minutes: 47,
        merge_minutes: 13,
        memory: 321,
        threads: 2,
        film: film.then(|| FilmStep {
            file: format!("{name}.mp4").into(),
            options: vec!["--preset".into(), "fast".into()],
            minutes: 77,
            memory: 654,
        }),
        reasons: vec!["Because.".into()],
        file: None,
    }
}

/// Command-line words of a shard of this job.
fn shard_words(name: &str, shard: &str) -> Vec<String> {
    let words = [
        "render",
        &under(&format!("{name}.ron")),
        "--shard",
        shard,
        "--out",
        &format!("out {name}"),
    ];
    let options = ["--set", &format!("title=\"{name}\""), "--font", "a face.ttf"];
    words.into_iter().chain(options).map(String::from).collect()
}

/// A path in the form of commands, which cannot be mistaken for an option.
fn under(path: &str) -> String {
    if path.starts_with('-') { format!("./{path}") } else { path.into() }
}

/// The text of a job for an engine.
fn text(engine: &str, job: &ClusterJob) -> String {
    Engine::of(engine).unwrap().print(job).unwrap()
}
