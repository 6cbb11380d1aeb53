//! Reasons why a merge is refused, and the shards to run again.

use super::{SHARDS, ShardKind, ShardReport};
use catena_base::text::{number::counted, printable, shell};
use catena_output::OutputError;
use std::{
    fmt,
    path::{Path, PathBuf},
};

/// Maximum number of faults in a message.
const MAX_FAULTS: usize = 8;

/// Error of a merge. A refused merge has written only files that an undivided run would also write.
/// No intact shard has to run again.
#[derive(Debug)]
pub enum MergeRefusal {
    /// This folder has no shards.
    Nothing(PathBuf),
    /// Shards are missing or damaged.
    Incomplete {
        /// Expected number of shards.
        of: u32,
        /// Numbers of the shards without a report.
        missing: Vec<u32>,
        /// Damaged shards.
        damaged: Vec<Damage>,
        /// Report of an existing shard, from which the command for the others is derived.
        example: Option<Box<Example>>,
    },
    /// The shards have different sources.
    OtherSource {
        /// Command, numbers, report and host of each group of shards, the largest group first.
        groups: Vec<String>,
        /// Names of the values that differ between the first two groups.
        differences: Vec<String>,
        /// Numbers of the shards outside the first group, and the total number of shards.
        others: (Vec<u32>, u32),
    },
    /// The folder contains shards of different divisions. The list has the number of shards of
    /// each.
    OtherCount(Vec<u32>),
    /// Two computations of the same item have different results.
    Disagreeing {
        /// Items with different results.
        all: Vec<Disagreement>,
        /// Total number of shards.
        of: u32,
        /// Report of one of the shards, from which the command is derived.
        example: Option<Box<Example>>,
    },
    /// A file could not be read or written.
    Output(OutputError),
}

/// Source of the command for a shard that has to run again.
#[derive(Clone, Debug)]
pub struct Example {
    /// Report of another shard.
    pub report: ShardReport,
    /// Output folder. The shards may have been computed elsewhere.
    pub folder: PathBuf,
}

/// A damaged shard.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Damage {
    /// Number of the shard.
    pub number: u32,
    /// Description of the damage.
    pub what: String,
}

/// Two computations of one item with different results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// Name of the item, such as `frame 12`.
    pub what: String,
    /// The two parties, each with its host.
    pub by: [String; 2],
    /// Numbers of the shards whose files may be wrong.
    pub shards: Vec<u32>,
}

impl MergeRefusal {
    /// Exit code of a command that fails with this error.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Nothing(_) => 2,
            Self::Output(_) => 5,
            _ => 1,
        }
    }

    /// Numbers of the shards that have to run again, in ascending order.
    pub fn numbers_to_rerun(&self) -> Vec<u32> {
        let mut numbers = match self {
            Self::Incomplete { missing, damaged, .. } => {
                missing.iter().copied().chain(damaged.iter().map(|damage| damage.number)).collect()
            }
            Self::OtherSource { others, .. } => others.0.clone(),
            Self::Disagreeing { all, .. } => {
                all.iter().flat_map(|one| one.shards.iter().copied()).collect()
            }
            _ => Vec::new(),
        };
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

impl From<OutputError> for MergeRefusal {
    fn from(error: OutputError) -> Self {
        Self::Output(error)
    }
}

impl std::error::Error for MergeRefusal {}

impl fmt::Display for MergeRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing(folder) => write!(
                f,
                "{} contains no shards; create them with `catena render SCENE --shard I/N --out {0}` or `catena sweep`, for each I from 1 to N",
                printable::path(folder)
            ),
            Self::Incomplete { of, damaged, example, .. } => {
                incomplete(f, &self.numbers_to_rerun(), *of, damaged, example.as_deref())
            }
            Self::OtherSource { groups, differences, others: (numbers, of) } => {
                write!(f, "the shards differ in {}", differences.join(", "))?;
                groups.iter().try_for_each(|group| write!(f, "\n  {group}"))?;
                write_rerun(f, numbers, *of)?;
                f.write_str(", or remove their reports")
            }
            Self::OtherCount(counts) => {
                let names: Vec<String> =
                    counts.iter().map(|of| format!("shards/*-of-{of:04}*")).collect();
                write!(
                    f,
                    "the folder contains shards of runs with different numbers of shards: {}\n  keep the files of only one of these, and remove the others",
                    names.join(", ")
                )
            }
            Self::Disagreeing { all, of, example } => {
                disagreeing(f, all, &self.numbers_to_rerun(), *of, example.as_deref())
            }
            Self::Output(error) => error.fmt(f),
        }
    }
}

/// Describes the disagreements, and how a third machine can decide. The files of both parties must
/// be removed first: a shard reuses existing files, and does not replace a report that disagrees.
fn disagreeing(
    f: &mut fmt::Formatter<'_>,
    all: &[Disagreement],
    repeated: &[u32],
    of: u32,
    example: Option<&Example>,
) -> fmt::Result {
    f.write_str(
        "results that must be the same on every machine differ, so one of two machines is faulty",
    )?;
    for Disagreement { what, by: [one, other], .. } in all.iter().take(MAX_FAULTS) {
        write!(f, "\n  {what}: {one} and {other} disagree")?;
    }
    let more = all.len().saturating_sub(MAX_FAULTS);
    if more > 0 {
        write!(f, "\n  and {more} more")?;
    }
    let stem = |number: &u32| format!("{SHARDS}/{number:04}-of-{of:04}*");
    let stems: Vec<String> = repeated.iter().map(stem).collect();
    let (stems, numbers) = (stems.join(" "), numbers(repeated));
    write!(
        f,
        "\n  to find out which, remove the files of both ({stems}) and run again on a third machine: --shard {numbers} of {of}"
    )?;
    example_command(f, repeated, example)
}

/// Writes the command that runs the first requested shard again, if it is known.
fn example_command(
    f: &mut fmt::Formatter<'_>,
    repeated: &[u32],
    example: Option<&Example>,
) -> fmt::Result {
    match example.zip(repeated.first()).and_then(|(example, first)| command_of(example, *first)) {
        Some(command) => write!(f, ", such as\n  {command}"),
        None => Ok(()),
    }
}

fn incomplete(
    f: &mut fmt::Formatter<'_>,
    repeated: &[u32],
    of: u32,
    damaged: &[Damage],
    example: Option<&Example>,
) -> fmt::Result {
    let there = u64::from(of).saturating_sub(repeated.len() as u64);
    let are = if of == 1 { "is" } else { "are" };
    write!(f, "{there} of {} {are} complete", counted(u64::from(of), "shard"))?;
    for Damage { number, what } in damaged.iter().take(MAX_FAULTS) {
        write!(f, "\n  shard {number}: {what}")?;
    }
    let more = damaged.len().saturating_sub(MAX_FAULTS);
    if more > 0 {
        write!(f, "\n  and {} more", counted(more as u64, "fault"))?;
    }
    write_rerun(f, repeated, of)?;
    example_command(f, repeated, example)
}

fn write_rerun(f: &mut fmt::Formatter<'_>, repeated: &[u32], of: u32) -> fmt::Result {
    write!(f, "\n  run again: --shard {} of {of}", numbers(repeated))
}

/// Numbers in ascending order, in the notation of schedulers: `3,7,9-12`.
pub fn numbers(all: &[u32]) -> String {
    let mut ranges: Vec<[u32; 2]> = Vec::new();
    for number in all {
        match ranges.last_mut() {
            Some([_, last]) if last.checked_add(1) == Some(*number) => *last = *number,
            _ => ranges.push([*number; 2]),
        }
    }
    let range = |[first, last]: &[u32; 2]| match last - first {
        0 => first.to_string(),
        1 => format!("{first},{last}"),
        _ => format!("{first}-{last}"),
    };
    ranges.iter().map(range).collect::<Vec<_>>().join(",")
}

/// Derives the command of shard `number` from the report of another shard, with the merge's folder
/// as `--out`. `None` if the report has no command.
fn command_of(Example { report, folder }: &Example, number: u32) -> Option<String> {
    let command = &into_folder(&report.ran_on.command, folder);
    let (choice, other) = (report.choice()?, format!("{number}/{}", report.of));
    [' ', '='].into_iter().find_map(|between| {
        let option = format!("--shard{between}{choice}");
        let at = command.find(&option)?;
        let rest = command.get(at + option.len()..)?;
        let is_whole = rest.is_empty() || rest.starts_with(' ');
        is_whole.then(|| format!("{}--shard{between}{other}{rest}", &command[..at]))
    })
}

/// Returns the command with its `--out` replaced by this folder.
fn into_folder(command: &str, folder: &Path) -> String {
    let folder = shell::quoted(folder);
    let mut words: Vec<String> = shell::words(command).map(str::to_owned).collect();
    // Arguments after `--` are not options.
    let options = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let out =
        words[..options].iter().position(|word| word == "--out" || word.starts_with("--out="));
    match out {
        Some(at) if words[at] == "--out" && at + 1 < options => words[at + 1] = folder,
        Some(at) => words[at] = format!("--out={folder}"),
        None => words.insert(options, format!("--out {folder}")),
    }
    words.join(" ")
}

/// Description of a group of shards with the same source, for messages.
pub(super) fn group(kind: ShardKind, numbers_of_all: &[u32], file: &str, host: &str) -> String {
    let name = if numbers_of_all.len() == 1 { "shard" } else { "shards" };
    let numbers = numbers(numbers_of_all);
    format!("{} {name} {numbers}: {file}, run on {host}", kind.command())
}
