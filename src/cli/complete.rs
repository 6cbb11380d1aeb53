//! Completion in shells.
//!
//! The script of `catena completions` calls catena with [`VARIABLE`] set, and `answer` prints the
//! candidates.

use super::{Failure, guide};
use crate::output::OutputError;
use clap::Command;
use clap_complete::CompleteEnv;
use clap_complete::env::{Bash, Elvish, EnvCompleter, Fish, Powershell, Shells, Zsh};
use std::ffi::OsString;
use std::path::Path;
use std::{env, io};

/// Environment variable that requests candidates. Its name is specific to catena, because a generic
/// variable could be set for other reasons.
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
    # Readline also splits words at = and :, so parts without a space between them are joined.
    local line=$COMP_LINE words=() part i
    for (( i = 0; i <= COMP_CWORD; i++ )); do
        part=${COMP_WORDS[i]}
        # Only the part of the last word before the cursor counts.
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
    # The command line already contains the parts that readline has split off.
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
