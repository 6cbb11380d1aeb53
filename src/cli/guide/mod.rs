//! Text of help and manual pages about a command, except its options: notes, examples and exit
//! codes.

mod texts;

use super::args::Cli;
use crate::text::wrap::wrapped;
use clap::{Arg, Command, CommandFactory};
pub(super) use texts::{CODES, ENVIRONMENT, FILES, GUIDES};

/// Text about a command, except its options.
#[derive(Debug)]
pub(super) struct Guide {
    /// Name of the command. Empty for catena itself.
    pub(super) command: &'static str,
    /// Command lines, each with a description.
    pub(super) examples: &'static [(&'static str, &'static str)],
    /// Paragraphs.
    pub(super) notes: &'static [&'static str],
    /// Exit codes of the command besides 0, 2 and 5. An empty meaning refers to [`CODES`].
    pub(super) codes: &'static [(&'static str, &'static str)],
}

impl Guide {
    /// Returns the guide of a command.
    pub(super) fn of(command: &str) -> Option<&'static Self> {
        GUIDES.iter().find(|guide| guide.command == command)
    }

    /// Exit codes of the command with their meanings, in order.
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

    /// Text below the options in `--help`.
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

/// Returns the command line with the texts of the guides. `-h` shows the first sentence about each
/// option, and `--help` shows everything.
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

/// Adds a short help text to an option whose help has more than one sentence.
fn with_gist(option: Arg) -> Arg {
    // Help has no colours. `Display` would search for them letter by letter.
    let Some(help) = option.get_help().map(|help| help.ansi().to_string()) else { return option };
    let Some((first, rest)) = help.split_once(". ") else { return option };
    let default = rest.rfind("[default: ").filter(|_| rest.ends_with(']'));
    let first_sentence = match default {
        Some(at) => format!("{first} {}", &rest[at..]),
        None => first.to_owned(),
    };
    option.help(first_sentence).long_help(help)
}
