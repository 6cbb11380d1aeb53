//! What help and manual pages say about a command beside its options: notes, examples, exit codes.

mod texts;

use super::args::Cli;
use crate::text::wrap::wrapped;
use clap::{Arg, Command, CommandFactory};
pub(super) use texts::{CODES, ENVIRONMENT, FILES, GUIDES};

/// What is said about a command beside its options.
#[derive(Debug)]
pub(super) struct Guide {
    /// The command; empty for catena itself.
    pub(super) command: &'static str,
    /// Commands as they are typed, each with what it does.
    pub(super) examples: &'static [(&'static str, &'static str)],
    /// Paragraphs.
    pub(super) notes: &'static [&'static str],
    /// Exit codes besides 0, 2 and 5 that it can have. An empty meaning is the one of [`CODES`].
    pub(super) codes: &'static [(&'static str, &'static str)],
}

impl Guide {
    /// That of a command.
    pub(super) fn of(command: &str) -> Option<&'static Self> {
        GUIDES.iter().find(|guide| guide.command == command)
    }

    /// Its exit codes, each with its meaning, in order.
    pub(super) fn exit_codes(&self) -> Vec<(&'static str, &'static str)> {
        let listed = |code: &str| self.codes.iter().find(|(known, _)| *known == code);
        let always = ["0", "2", "5"];
        let all = CODES.iter().filter_map(|(code, usual)| match listed(code) {
            Some((_, "")) => Some((*code, *usual)),
            Some((_, own)) => Some((*code, *own)),
            None => (self.command.is_empty() || always.contains(code)).then_some((*code, *usual)),
        });
        all.collect()
    }

    /// What stands below the options of `--help`.
    fn text(&self) -> String {
        let mut lines = Vec::new();
        for note in self.notes {
            lines.extend(wrapped("", note, 0));
            lines.push(String::new());
        }
        if !self.examples.is_empty() {
            lines.push("Examples:".into());
            for (command, what) in self.examples {
                lines.extend(command.lines().map(|line| format!("  {line}")));
                lines.extend(wrapped("", what, 6));
            }
            lines.push(String::new());
        }
        lines.push("Exit codes:".into());
        for (code, meaning) in self.exit_codes() {
            lines.extend(wrapped(&format!("  {code}"), meaning, 12));
        }
        lines.join("\n")
    }
}

/// The command line, with what the guides say. `-h` has the first sentence about each option,
/// `--help` everything.
pub(super) fn command() -> Command {
    let mut all = Cli::command().mut_subcommands(|command| command.mut_args(with_gist));
    for guide in GUIDES {
        let with = |command: Command| command.after_long_help(guide.text());
        all = match guide.command {
            "" => with(all),
            name => all.mut_subcommand(name, with),
        };
    }
    all
}

/// An option with a short help of its own where its help has more than a sentence.
fn with_gist(option: Arg) -> Arg {
    // Help has no colours, and `Display` would look for them letter by letter.
    let Some(help) = option.get_help().map(|help| help.ansi().to_string()) else { return option };
    let Some((first, rest)) = help.split_once(". ") else { return option };
    let default = rest.rfind("[default: ").filter(|_| rest.ends_with(']'));
    let gist = match default {
        Some(at) => format!("{first} {}", &rest[at..]),
        None => first.to_owned(),
    };
    option.help(gist).long_help(help)
}
