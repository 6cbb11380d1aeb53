//! Messages for `catena` without arguments, or with a file in place of a command.

use super::{Failure, guide::Guide, say};
use crate::scene::{Limits, SceneText, sweep::is_sweep};
use crate::text::{shell, wrap::wrapped};
use std::{ffi::OsString, path::Path};

/// Prints the first commands to type.
pub(super) fn print_page() -> Result<(), Failure> {
    let mut lines = vec![
        "catena turns a scene file into pictures of ropes and cloth.".to_owned(),
        String::new(),
        "First commands:".into(),
    ];
    for (command, what) in Guide::of("").map_or(&[][..], |guide| guide.examples) {
        lines.extend(wrapped(&format!("  {command}"), what, 41));
    }
    lines.extend([String::new(), "Then:".into()]);
    let more = [
        ("catena --help", "all commands"),
        ("catena fields", "fields of a scene"),
        ("catena methods", "methods, curves, colliders and other names"),
    ];
    for (command, what) in more {
        lines.extend(wrapped(&format!("  {command}"), what, 41));
    }
    say::lines(lines)
}

/// Error about a file or folder in place of a command, with the intended command. `None` if the
/// word is neither a file nor a folder.
pub(super) fn file_as_command(words: &[OsString]) -> Option<Failure> {
    let path = Path::new(words.get(1)?);
    let rest: String =
        words.get(2..)?.iter().map(|word| format!(" {}", shell::quoted(word))).collect();
    let file = shell::quoted(path);
    let shown = path.display();
    let is_scene = path.extension().is_some_and(|ending| ending == "ron");
    let message = if path.join("manifest.json").is_file() {
        format!(
            "{shown} is a folder of frames; to create a film, run: catena film {file} -o film.gif"
        )
    } else if path.is_file() {
        match is_a_sweep(path) {
            false if is_scene => {
                format!("{shown} is a scene; to render it, run: catena render {file}{rest}")
            }
            true => format!("{shown} is a sweep; to run it, run: catena sweep {file}{rest}"),
            false => {
                format!(
                    "{shown} is a file; to render it as a scene, run: catena render {file}{rest}"
                )
            }
        }
    } else if is_scene && !path.exists() {
        format!("{shown} does not exist; to create it, run: catena new {file}")
    } else {
        return None;
    };
    Some(Failure::Usage(message))
}

/// Commands that compare a scene with the numbers of its `reference`.
const COMPARING: [&str; 6] = ["check", "render", "watch", "trace", "report", "figure"];

/// Error about a file of numbers next to a scene, with the option for such a file. `None` if there
/// is no such file, or the command cannot use it.
pub(super) fn data_as_argument(words: &[OsString]) -> Option<Failure> {
    let (command, rest) = (words.get(1)?.to_str()?, words.get(2..)?);
    let is_option = |word: &&OsString| word.to_str().is_none_or(|word| word.starts_with('-'));
    let has_ending = |word: &OsString, endings: &[&str]| {
        let ending = Path::new(word).extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|it| endings.iter().any(|known| it.eq_ignore_ascii_case(known)))
    };
    let positional = || rest.iter().take(2).filter(|word| !is_option(word));
    let data = positional().find(|word| has_ending(word, &["csv", "tsv", "txt", "dat"]))?;
    let scene = positional().find(|word| has_ending(word, &["ron"]))?;
    let quoted = [scene, data].map(shell::quoted);
    let others = rest.iter().filter(|word| *word != scene && *word != data);
    let others: String = others.map(|word| format!(" {}", shell::quoted(word))).collect();
    let [scene, data] = quoted;
    let message = match command {
        "fit" => {
            format!(
                "pass the file of numbers with --data: catena fit {scene} --data \
                     {data}{others}"
            )
        }
        _ if COMPARING.contains(&command) => {
            let file = data.trim_matches(['\'', '"']);
            let change = shell::quoted(format!("reference=(file: \"{file}\")"));
            format!(
                "pass the file of numbers, which must be in the folder of the scene or below it, \
                 as its `reference`: catena {command} {scene} --set {change}{others}"
            )
        }
        _ => return None,
    };
    Some(Failure::Usage(message))
}

/// Error about a list with a space after a comma, whose rest became an argument of its own. `None`
/// if no option has such a list.
pub(super) fn divided_list(words: &[OsString]) -> Option<Failure> {
    let text = |word: &OsString| word.to_str().map(str::to_owned);
    let pairs = words.windows(2).skip(2);
    let [list, rest] = pairs
        .filter_map(|pair| Some([text(&pair[0])?, text(&pair[1])?]))
        .find(|[list, rest]| list.len() > 1 && list.ends_with(',') && !rest.starts_with('-'))?;
    let joined = shell::quoted(format!("{list}{rest}"));
    Some(Failure::Usage(format!(
        "a space ends the list {list} before {rest}; write it without a space: {joined}"
    )))
}

/// Whether a file is readable and starts a sweep.
fn is_a_sweep(path: &Path) -> bool {
    SceneText::read_within(path, &Limits::default()).is_ok_and(|text| is_sweep(&text))
}
