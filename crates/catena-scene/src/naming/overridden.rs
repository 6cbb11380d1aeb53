//! The warning about `--set` and axes above values that panels choose themselves.

use catena_base::text::list::listed;

/// The most labels of which a message says what they have become.
const MOST_RENAMED: usize = 2;

/// The most members of a group of equal runs that a message names.
const MOST_MEMBERS: usize = 4;

/// Effects of changes from above on values and names of panels.
#[derive(Clone, Debug, Default)]
pub(crate) struct Overridden {
    /// The options, as messages call them.
    pub(super) options: &'static str,
    /// Fields of which panels or bodies have values of their own.
    pub(super) paths: Vec<String>,
    /// Labels and titles that no longer held, each with what stands in its place.
    pub(super) renamed: Vec<[String; 2]>,
    /// Labels of groups of panels or bodies that have become the same run.
    pub(super) equal: Vec<Vec<String>>,
    /// Indices of panels that repeat the run of another, where all panels are built.
    pub(crate) repeated: Vec<usize>,
}

impl Overridden {
    /// The warning in sentences; `None` where no value and no name of a panel is concerned. With
    /// `is_sweep` it leaves out names, which differ from variant to variant.
    pub(crate) fn warning(&self, is_sweep: bool) -> Option<String> {
        let Self { options, paths, renamed, equal, .. } = self;
        let renamed = if is_sweep { &[][..] } else { renamed };
        if paths.is_empty() && renamed.is_empty() {
            return None;
        }
        let paths: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
        let verb = if options.contains("and") { "override" } else { "overrides" };
        let mut said = match paths.is_empty() {
            true => format!(
                "{options} {} what labels or the title say.",
                verb.replace("override", "change")
            ),
            false => format!("{options} {verb} the panels' own values: {}.", listed(&paths)),
        };
        for group in equal {
            said += &format!(" {} are then the same run, drawn once.", members(group));
        }
        let told = renamed.iter().take(MOST_RENAMED);
        let told: Vec<String> = told.map(|[old, new]| format!("\"{old}\" to \"{new}\"")).collect();
        let more = renamed.len().saturating_sub(MOST_RENAMED);
        match (told.is_empty(), more) {
            (true, _) => {}
            (false, 0) => said += &format!(" Renamed: {}.", told.join(", ")),
            (false, more) => said += &format!(" Renamed: {} and {more} more.", told.join(", ")),
        }
        if !paths.is_empty() {
            said += " To change one panel alone, edit its `with` in the scene file.";
        }
        Some(said)
    }
}

/// The names of a group in one phrase; of a large group only the first.
fn members(group: &[String]) -> String {
    let phrase = match group.len().saturating_sub(MOST_MEMBERS) {
        0 => listed(group),
        more => format!("{} and {more} more", group[..MOST_MEMBERS].join(", ")),
    };
    let mut letters = phrase.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
