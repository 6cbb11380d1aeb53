//! `catena new`: a new scene file with comments.

use super::{Failure, args::NewArgs, guide, say};
use crate::job::{Template, TemplateError};
use crate::output::stdout;
use crate::scene::SceneText;
use crate::text::{shell, wrap::wrapped};
use std::path::{Path, PathBuf};

pub(super) fn run(args: &NewArgs) -> Result<(), Failure> {
    let template = args.template();
    if args.print || args.name.as_deref().is_some_and(stdout::is_stdout) {
        return Ok(stdout::print(template.text)?);
    }
    let path = path_of(args.name.as_deref(), template);
    match template.write(&path) {
        Ok(()) => say::lines(next_steps(&path, template)),
        Err(TemplateError::Taken) => Err(taken(&path, template)),
        Err(TemplateError::Output(error)) => Err(error.into()),
    }
}

/// Path of the file for the given name.
fn path_of(name: Option<&Path>, template: &Template) -> PathBuf {
    let usual = || PathBuf::from(template.name);
    let path = match name {
        None => usual(),
        Some(name) if name.is_dir() || has_trailing_separator(name) => name.join(usual()),
        Some(name) => name.into(),
    };
    if path.extension().is_some_and(|ending| ending == "ron") {
        return path;
    }
    let mut named = path.into_os_string();
    named.push(".ron");
    named.into()
}

/// Whether a path ends in a separator.
fn has_trailing_separator(path: &Path) -> bool {
    path.as_os_str()
        .as_encoded_bytes()
        .last()
        .is_some_and(|last| std::path::is_separator(char::from(*last)))
}

/// Error about an existing file, with a free name.
fn taken(path: &Path, template: &Template) -> Failure {
    let option = match template.name {
        "rope" => String::new(),
        name => format!(" --template {name}"),
    };
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let free = (2..1000).map(|n| path.with_file_name(format!("{stem}_{n}.ron")));
    let free = free.into_iter().find(|path| path.symlink_metadata().is_err());
    let advice = free.map_or(String::new(), |free| {
        format!("; for another name, run: catena new {}{option}", shell::quoted(free))
    });
    Failure::Usage(format!("{} exists already and was not changed{advice}", path.display()))
}

/// Description of the new file, and the next commands to type.
fn next_steps(path: &Path, template: &Template) -> Vec<String> {
    let file = shell::quoted(path);
    let name = SceneText::name_of(path);
    let mut steps: Vec<(&str, String, String)> = match template.is_sweep {
        true => vec![
            ("sweep", format!("{file} --plan"), "prints the number of runs".into()),
            ("sweep", file, format!("runs them: tables and figures in out/{name}/sweep")),
        ],
        false => vec![
            ("render", file.clone(), format!("frames into out/{name}")),
            ("render", format!("{file} --film {}.gif", shell::quoted(&name)), "a film".into()),
            ("check", file.clone(), "validates the scene and estimates its cost".into()),
            ("watch", file, "renders again on each save".into()),
        ],
    };
    let all = guide::command();
    steps.retain(|(command, _, _)| all.find_subcommand(command).is_some());
    let mut lines = wrapped(&format!("{}:", path.display()), template.summary, 0);
    lines = if lines.len() > 1 { vec![lines.join(" ")] } else { lines };
    lines.push(String::new());
    for (command, words, what) in steps {
        lines.extend(wrapped(&format!("  catena {command} {words}"), &what, 41));
    }
    lines.extend([
        String::new(),
        "`catena fields` and `catena methods` list the possible fields and values.".into(),
    ]);
    lines
}
