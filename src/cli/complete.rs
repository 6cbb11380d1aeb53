//! Completion in shells: files, fields, values and names.
//!
//! The script of `catena completions` calls catena with [`VARIABLE`] set, and `answer` prints the
//! candidates.

use super::{Failure, guide};
use crate::cli::args::Cli;
use crate::output::OutputError;
use crate::scene::grammar::Word;
use crate::scene::reference::{KINDS, words};
use crate::scene::sweep::{INTERVALS, SAMPLES};
use crate::scene::{FieldInfo, fields};
use crate::sweep::measure::MEASURES;
use crate::text::printable::is_hidden;
use clap::{Command, CommandFactory};
use clap_complete::CompleteEnv;
use clap_complete::engine::{
    ArgValueCandidates, ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use clap_complete::env::{Bash, Elvish, EnvCompleter, Fish, Powershell, Shells, Zsh};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::{env, io};

/// Environment variable that requests candidates. The name is specific to catena, since a common
/// one could be set for other reasons.
pub(super) const VARIABLE: &str = "CATENA_COMPLETE";

/// Answers a shell that requests candidates. Returns `false` if there is no request.
///
/// # Errors
/// The shell is unknown, or the answer cannot be written.
pub(super) fn answer(words: &[OsString]) -> Result<bool, Failure> {
    if env::var_os(VARIABLE).is_none() {
        return Ok(false);
    }
    let folder = env::current_dir().ok();
    let shells = CompleteEnv::with_factory(guide::command).var(VARIABLE).shells(all_shells());
    shells
        .try_complete(words, folder.as_deref())
        .map_err(|error| Failure::Usage(error.to_string().trim().to_owned()))
}

/// Returns the completion script of a shell, which calls `program`.
///
/// # Errors
/// The shell is unknown.
pub(super) fn script(name: &str, program: &Path) -> Result<String, Failure> {
    let found = shell(name).ok_or_else(|| Failure::Usage(format!("there is no shell `{name}`")))?;
    let mut text = Vec::new();
    found
        .write_registration(VARIABLE, "catena", "catena", &program.to_string_lossy(), &mut text)
        .map_err(|cause| OutputError::new("write", "the script", cause))?;
    Ok(String::from_utf8_lossy(&text).trim_start().to_owned())
}

/// Names of all shells.
pub(in crate::cli) const SHELL_NAMES: [&str; 5] = ["bash", "zsh", "fish", "powershell", "elvish"];

const SHELLS: Shells<'static> =
    Shells(&[&WholeWords(&Bash, BASH), &Elvish, &Fish, &Powershell, &WholeWords(&Zsh, ZSH)]);

/// All shells.
fn all_shells() -> Shells<'static> {
    SHELLS
}

/// Returns the shell with this name.
pub(in crate::cli) fn shell(name: &str) -> Option<&'static dyn EnvCompleter> {
    SHELLS.0.iter().copied().find(|shell| shell.is(name))
}

/// A shell of clap's completion engine, with a different script.
struct WholeWords(&'static dyn EnvCompleter, &'static str);

impl EnvCompleter for WholeWords {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn is(&self, name: &str) -> bool {
        self.0.is(name)
    }

    fn write_registration(
        &self,
        variable: &str,
        _name: &str,
        _bin: &str,
        completer: &str,
        out: &mut dyn io::Write,
    ) -> Result<(), io::Error> {
        let completer = crate::text::shell::quoted(completer);
        let script = self.1.replace("«variable»", variable).replace("«completer»", &completer);
        out.write_all(script.as_bytes())
    }

    fn write_complete(
        &self,
        command: &mut Command,
        words: Vec<OsString>,
        folder: Option<&Path>,
        out: &mut dyn io::Write,
    ) -> Result<(), io::Error> {
        self.0.write_complete(command, words, folder, out)
    }
}

const BASH: &str = r#"# Completion of catena for bash: source <(catena completions bash)
_catena() {
    # Readline divides words at = and : as well; what stands without a space between is one word.
    local line=$COMP_LINE words=() part i
    for (( i = 0; i <= COMP_CWORD; i++ )); do
        part=${COMP_WORDS[i]}
        # Of the last word only what stands before the cursor counts.
        if (( i == COMP_CWORD )) && [[ $part != [=:]* ]]; then
            part=$2
        fi
        if (( i == 0 )) || [[ $line == [[:space:]]* ]]; then
            words+=("$part")
            line=${line#"${line%%[![:space:]]*}"}
        else
            words[${#words[@]} - 1]+=$part
        fi
        line=${line#"${COMP_WORDS[i]}"}
    done
    local last=$(( ${#words[@]} - 1 ))
    local whole=${words[last]}
    # What readline has divided off is there already.
    local before=${whole%"$2"}
    local IFS=$'\013'
    COMPREPLY=( $(
        _CLAP_IFS="$IFS" \
        _CLAP_COMPLETE_INDEX="$last" \
        _CLAP_COMPLETE_COMP_TYPE="${COMP_TYPE-9}" \
        «variable»=bash \
        «completer» -- "${words[@]}" 2> /dev/null
    ) )
    COMPREPLY=("${COMPREPLY[@]#"$before"}")
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=/,\(] ]]; then
        compopt -o nospace 2> /dev/null
    fi
}
complete -o bashdefault -o default -o nosort -F _catena catena 2> /dev/null ||
    complete -o bashdefault -o default -F _catena catena
"#;

const ZSH: &str = r#"#compdef catena
# Completion of catena for zsh: source <(catena completions zsh)
_catena() {
    local -a answers open closed folders
    local answer value
    answers=("${(@f)$(
        _CLAP_IFS=$'\n' \
        _CLAP_COMPLETE_INDEX=$(( CURRENT - 1 )) \
        «variable»=zsh \
        «completer» -- "${(@)words[1,CURRENT]}" 2> /dev/null
    )}")
    for answer in $answers; do
        value=${answer%%:*}
        case $value in
            */) folders+=("${value%/}") ;;
            *[=,\(]) open+=("$answer") ;;
            *) closed+=("$answer") ;;
        esac
    done
    (( $#open )) && _describe -V 'values' open -S ''
    (( $#closed )) && _describe -V 'values' closed
    (( $#folders )) && _describe -V 'folders' folders -S '/' -r '/'
}
if [[ $funcstack[1] == _catena ]]; then
    _catena "$@"
else
    compdef _catena catena
fi
"#;

fn candidate(value: impl Into<String>, help: &str) -> CompletionCandidate {
    CompletionCandidate::new(value.into()).help(Some(help.to_owned().into()))
}

/// Candidates for names with options, up to the opening parenthesis.
fn begun(all: &[(&str, &str)]) -> Vec<CompletionCandidate> {
    all.iter().map(|(name, summary)| candidate(format!("{name}("), summary)).collect()
}

/// Scenes and sweeps, and the folders that lead to them.
pub(in crate::cli) fn scenes() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let is_scene = |path: &Path| path.extension().is_some_and(|end| end == "ron");
        let mut all = PathCompleter::any().filter(is_scene).complete(current);
        // A name with hidden characters could act as a command in the terminal.
        all.retain(|found| !found.get_value().to_string_lossy().contains(is_hidden));
        all
    })
}

/// Assignment of a field: `rope.nodes=8`.
pub(in crate::cli) fn patches() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| match current.to_str() {
        Some(text) => assigned(text, "", values_of),
        None => Vec::new(),
    })
}

/// Assignment of an axis: `rope.nodes=Whole(`.
pub(in crate::cli) fn axes() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let Some(text) = current.to_str() else { return Vec::new() };
        // An axis of several fields separates them by commas.
        let before = match text.split_once('=') {
            None => text.rfind(',').map_or(0, |at| {
                let rest = &text[at + 1..];
                at + 1 + rest.len() - rest.trim_start().len()
            }),
            Some(_) => 0,
        };
        let (before, rest) = text.split_at(before);
        assigned(rest, before, |field| {
            let listed = |word: &Word| candidate(format!("[{}", word.name), word.summary);
            match field.grammar.is_plain() {
                true => begun(&INTERVALS),
                false => field.grammar.choices().iter().map(listed).collect(),
            }
        })
    })
}

/// Candidates for a path followed by `=`, and for the values after it, which `values` returns.
fn assigned(
    text: &str,
    before: &str,
    values: impl Fn(&FieldInfo) -> Vec<CompletionCandidate>,
) -> Vec<CompletionCandidate> {
    let all = fields();
    let found: Vec<CompletionCandidate> = match text.split_once('=') {
        None => all
            .iter()
            .filter(|field| field.path.starts_with(text))
            .map(|field| candidate(format!("{}=", field.path), field.gist()))
            .collect(),
        Some((path, value)) => {
            let field = all.iter().find(|field| field.path == path);
            let mut found = field.map(values).unwrap_or_default();
            found.retain(|one| one.get_value().to_string_lossy().starts_with(value));
            found.into_iter().map(|one| one.add_prefix(format!("{path}="))).collect()
        }
    };
    found.into_iter().map(|one| one.add_prefix(before)).collect()
}

/// Values of a field if they have names, otherwise its default if it needs no quotes in a shell.
fn values_of(field: &FieldInfo) -> Vec<CompletionCandidate> {
    let is_plain = |text: &String| text.chars().all(|c| c.is_alphanumeric() || ".-+".contains(c));
    match &field.grammar.choices()[..] {
        [] => field
            .default()
            .filter(is_plain)
            .map(|it| candidate(it, "the default"))
            .into_iter()
            .collect(),
        words => words.iter().map(|word| candidate(word.name, word.summary.trim())).collect(),
    }
}

/// Measures, separated by commas.
pub(in crate::cli) fn measures() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let Some(text) = current.to_str() else { return Vec::new() };
        let (before, begun) = text.split_at(text.rfind(',').map_or(0, |at| at + 1));
        let listed: Vec<&str> = before.split(',').collect();
        let fits = |name: &str| name.starts_with(begun) && !listed.contains(&name);
        MEASURES
            .iter()
            .filter(|measure| fits(measure.name))
            .map(|measure| candidate(measure.name, measure.summary).add_prefix(before))
            .collect()
    })
}

/// Samples of a sweep.
pub(in crate::cli) fn samples() -> ArgValueCandidates {
    ArgValueCandidates::new(|| begun(&SAMPLES))
}

/// Names of values in a scene, and of the tables that list them.
pub(in crate::cli) fn things() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let begun = current.to_string_lossy().to_lowercase();
        let things = KINDS.iter().flat_map(crate::scene::reference::Kind::things);
        let things = things.map(|thing| candidate(thing.name, thing.summary));
        let tables = KINDS.iter().map(|kind| {
            let name = kind.title.to_lowercase();
            candidate(name.rsplit(' ').next().unwrap_or_default(), "a table")
        });
        let words = words().into_iter().map(|word| candidate(word.name, word.summary));
        let all = things.chain(tables).chain(words);
        let fits = |one: &CompletionCandidate| {
            one.get_value().to_string_lossy().to_lowercase().starts_with(&begun)
        };
        all.filter(fits).collect()
    })
}

/// Paths of fields.
pub(in crate::cli) fn field_paths() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        fields().iter().map(|field| candidate(field.path.as_str(), field.gist())).collect()
    })
}

/// Manual pages.
pub(in crate::cli) fn pages() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let command = Cli::command();
        let about = |command: &Command| command.get_about().map(ToString::to_string);
        let pages = command
            .get_subcommands()
            .map(|one| candidate(one.get_name(), &about(one).unwrap_or_default()));
        pages.chain([candidate("scene", "the fields of a scene")]).collect()
    })
}
