//! Values of panels that `--set` overrides.

use catena_base::text::list::listed;

/// Maximum number of names per group of equal runs in a message.
const MAX_MEMBERS: usize = 4;

/// Maximum number of renamed labels that a message lists.
const MAX_RENAMED: usize = 2;

/// Effects of overrides on values and labels of panels.
#[derive(Clone, Debug, Default)]
pub(crate) struct Overridden {
    /// Options that override values, as named in messages.
    pub(crate) options: &'static str,
    /// Fields that panels or bodies set themselves and that are overridden.
    pub(crate) paths: Vec<String>,
    /// Stale labels and titles, each with its replacement.
    pub(crate) renamed: Vec<[String; 2]>,
    /// Labels of groups of panels or bodies whose runs have become equal.
    pub(crate) equal: Vec<Vec<String>>,
    /// Indices of panels that repeat the run of another, if all panels are built.
    pub(crate) repeated: Vec<usize>,
}

impl Overridden {
    /// Returns the warning, or `None` if no value and no label of a panel is affected. With
    /// `is_sweep`, renamed labels are left out, because they differ between variants.
    pub(crate) fn warning(&self, is_sweep: bool) -> Option<String> {
        let Self { options, paths, renamed, equal, .. } = self;
        let renamed = if is_sweep { &[][..] } else { renamed };
        if paths.is_empty() && renamed.is_empty() {
            return None;
        }
        let paths: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
        let verb = if options.contains("and") { "override" } else { "overrides" };
        let mut message = match paths.is_empty() {
            true => format!(
                "{options} {} text in labels or the title.",
                verb.replace("override", "change")
            ),
            false => format!("{options} {verb} the panels' own values: {}.", listed(&paths)),
        };
        let once = match is_sweep {
            true => "simulated once; their rows in the table are equal",
            false => "drawn once",
        };
        for group in equal {
            message += &format!(" {} are therefore the same run, {once}.", members(group));
        }
        let renames = renamed.iter().take(MAX_RENAMED);
        let renames: Vec<String> =
            renames.map(|[old, new]| format!("\"{old}\" to \"{new}\"")).collect();
        let more = renamed.len().saturating_sub(MAX_RENAMED);
        match (renames.is_empty(), more) {
            (true, _) => {}
            (false, 0) => message += &format!(" Renamed: {}.", renames.join(", ")),
            (false, more) => {
                message += &format!(" Renamed: {} and {more} more.", renames.join(", "));
            }
        }
        if !paths.is_empty() {
            message += " To change one panel alone, edit its `with` in the scene file.";
        }
        Some(message)
    }
}

/// Formats the names of a group as a list, shortened if the group is large.
pub(crate) fn members(group: &[String]) -> String {
    let phrase = match group.len().saturating_sub(MAX_MEMBERS) {
        0 => listed(group),
        more => format!("{} and {more} more", group[..MAX_MEMBERS].join(", ")),
    };
    let mut letters = phrase.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
